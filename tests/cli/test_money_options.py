"""Costs of each case on the command line: the numbers of the library, and one sentence for what cannot be."""

import json

import numpy as np
import pandas as pd
import pytest

from stakes import CaseCosts, Decision, Limits, evaluate, score_table
from stakes.measures import cost_per_case

ASKED = ("evaluate", "frauds.csv", "--outcome", "fraud", "--predictions", "gbm", "rules")
TYPED = ("--miss-cost", "0.75*amount", "--false-alarm-cost", "5", "--true-positive-cost", "fee")
NAMED = CaseCosts(false_negative="0.75*amount", false_positive=5, true_positive="fee")


@pytest.fixture(scope="module")
def frauds():
    rng = np.random.default_rng(8)
    logit = rng.normal(-2, 1.5, 400)
    return pd.DataFrame(
        {
            "fraud": (rng.random(400) < 1 / (1 + np.exp(-logit))).astype(int),
            "gbm": (1 / (1 + np.exp(-logit - rng.normal(0, 0.3, 400)))).round(4),
            "rules": (1 / (1 + np.exp(-logit - rng.normal(0, 1, 400)))).round(4),
            "amount": np.exp(rng.normal(4, 1.2, 400)).round(2),
            "fee": rng.integers(1, 9, 400),
            "site": rng.choice(["a", "b"], 400),
        }
    )


@pytest.fixture
def file(folder, frauds):
    frauds.to_csv("frauds.csv", index=False)


@pytest.mark.slow
@pytest.mark.usefixtures("file")
@pytest.mark.parametrize(
    ("more", "decision", "named"),
    [
        ((), "as stated", {}),
        (("--costs", "x1"), "as stated", {}),
        (("--costs", "x0.5..x2", "--group", "site"), "x0.5..x2", {"group": "site"}),
        (
            ("--capacity", "10%", "--prevalence", "5%"),
            Decision("as stated", prevalence=0.05, limits=Limits(capacity=0.1)),
            {},
        ),
    ],
)
def test_the_numbers_are_those_of_the_library(more, decision, named, frauds, stakes):
    ran = stakes(*ASKED, *TYPED, *more, "--json", "-")
    assert (ran.code, ran.err) == (0, "")
    wanted = evaluate("fraud", ["gbm", "rules"], decision, data=frauds, case_costs=NAMED, rng=0, **named).to_dict()
    found = json.loads(ran.out)
    for part in ("ranking", "groups", "findings", "decision", "sample"):
        assert found[part] == wanted[part]
    stated = {"false_negative": "0.75*amount", "false_positive": 5, "true_positive": "fee", "true_negative": 0}
    assert found["decision"]["case_costs"] == stated


@pytest.mark.slow
@pytest.mark.sample(2)
@pytest.mark.usefixtures("file")
@pytest.mark.parametrize(
    ("more", "decision", "counts"), [((), "as stated", "as stated"), (("--costs", "x2..x3"), "x2..x3", "x2 to x3")]
)
def test_a_threshold_says_that_it_is_on_the_stake_adjusted_score(more, decision, counts, frauds, stakes):
    ran = stakes(*ASKED, *TYPED, *more, "--capacity", "5%")
    stated = Decision(decision, limits=Limits(capacity=0.05))
    found = evaluate("fraud", ["gbm", "rules"], stated, data=frauds, case_costs=NAMED, rng=0)
    least = found.policies[found.best.model].threshold
    assert len(least) == 1
    rows = ran.out.splitlines()
    at = next(row for row, text in enumerate(rows) if text.startswith("act where"))
    assert rows[at].split("  ")[0] == f"act where the stake-adjusted score of {found.best.model}"
    assert [part.strip() for part in rows[at + 1].split("  ") if part][:2] == [f"is at least {least[0]:.4f}", counts]
    assert "is p*b / (p*b + (1-p)*a)" in ran.out


@pytest.mark.usefixtures("file")
def test_a_streamed_file_has_the_same_numbers(stakes):
    whole, streamed = (
        json.loads(stakes(*ASKED, *TYPED, *more, "--json", "-").out)["ranking"] for more in ((), ("--in-memory", "0"))
    )
    assert [one["model"] for one in streamed] == [one["model"] for one in whole]
    for one, other in zip(streamed, whole, strict=True):
        assert one["regret"] == pytest.approx(other["regret"], rel=1e-12)
        assert one["upper"] == pytest.approx(other["upper"], rel=1e-9)


@pytest.mark.sample(14)
@pytest.mark.usefixtures("file")
@pytest.mark.parametrize(
    ("typed", "text"),
    [
        (
            ("--miss-cost", "0.75*amuont"),
            "frauds.csv: `--miss-cost` must be one of amount, fraud, gbm, site, rules, fee, got 'amuont'; "
            "write a number, a column, or number*column, such as 0.75*amount.",
        ),
        (
            ("--miss-cost", "amount", "--costs", "10%"),
            "`--costs` must be multipliers of the costs of each case, such as x0.5..x2, got 10%; leave it out for "
            "costs as stated.",
        ),
        (
            ("--costs", "x0.5..x2"),
            "`--costs` must come with costs of each case where it multiplies them, got x0.5..x2; such as "
            "--false-negative-cost amount.",
        ),
        (
            ("--miss-cost", "amount", "--costs", "x2..3"),
            "`--costs` must look like x2, x0.5..x2 or as stated, got 'x2..3'.",
        ),
        (("--miss-cost", "inf"), "`--miss-cost` must be finite, got 'inf'."),
        (("--false-negative-cost", "inf"), "`--false-negative-cost` must be finite, got 'inf'."),
        (("--false-alarm-cost=inf",), "`--false-alarm-cost` must be finite, got 'inf'."),
        (
            ("--miss-cost", ""),
            "`--miss-cost` must be a number, or name a column, got ''; write a number, a column, or "
            "number*column, such as 0.75*amount.",
        ),
        (
            ("--true-positive-cost", "3", "--actions", "a=0/2,b=1/1"),
            "`--actions` must be left out with `--true-positive-cost`.",
        ),
        (
            ("--miss-cost", "amount", "--baseline", "gbm", "--margin", "1 miss per 1000"),
            "`--margin` must look like '50 per 1000' or '0.05 per case', an amount in money, got '1 miss per 1000'.",
        ),
        (
            ("--miss-cost", "amount", "--baseline", "gbm", "--margin", "-1 per case"),
            "`--margin` must be an amount per some cases, not negative, got '-1 per case'.",
        ),
        (("--miss-cost", "amount", "--effort", "fee"), "`--effort` must be given with `--budget`."),
        (
            ("--costs", "10%", "--budget", "1"),
            "`--budget` must come with costs of each case, such as --miss-cost amount, got 1; `--capacity` limits how "
            "many are acted on.",
        ),
        (
            ("--miss-cost", "amount", "--budget", "-1"),
            "`--budget` must look like 0.01 or 200/20000, effort per case, got '-1'.",
        ),
        *(
            (
                ("--miss-cost", "amount", "--budget", "1", *more),
                f"`--budget` must be left out with `{more[0]}`, got 1.",
            )
            for more in [
                ("--capacity", "10%"),
                ("--min-precision", "10%"),
                ("--prevalence", "10%"),
                ("--folds", "5"),
                ("--site", "site"),
                ("--policy", "policy.json"),
            ]
        ),
        (
            ("--miss-cost", "amount", "--budget", "1", "--in-memory", "5"),
            "`--budget` must be left out with repeats, or with more cases than `--in-memory` allows, got 1.",
        ),
        (
            ("--miss-cost", "amount", "--budget", "1", "--effort", "0"),
            "`--effort` must be greater than 0, got 0.",
        ),
        (
            ("--miss-cost", "amount", "--unit", "misses"),
            "`--unit` must be left out where costs are money, got 'misses'.",
        ),
        (("--costs", "10%", "--unit", "money"), "`--unit` must be one of misses, false alarms, got 'money'."),
        (
            ("--costs", "10%", "--baseline", "gbm", "--margin", "50 per 1000"),
            "`--margin` must look like '1 miss per 1000' or '5 false alarms per 1000', got '50 per 1000'.",
        ),
        (
            ("--miss-cost", "amount", "--site", "site", "--prevalence", "5%"),
            "`--site` must be left out with `--prevalence` where each case has costs of its own, got 'site'.",
        ),
        (
            ("--miss-cost", "-5"),
            "`--miss-cost` must make acting on most positives pay and on most negatives "
            "cost, got a loss on positives in all 400 cases; costs look swapped, with hit and miss exchanged.",
        ),
        (
            ("--miss-cost", "site"),
            "frauds.csv must have numbers in column `site`, got 'a' at line 2; if it marks a missing value, "
            "state it with `--missing`.",
        ),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(typed, text, stakes):
    ran = stakes(*ASKED, *typed)
    assert (ran.code, ran.out, ran.err) == (2, "", f"stakes: {text}\n")


@pytest.mark.usefixtures("file")
@pytest.mark.parametrize(("costs", "decision"), [((), "as stated"), (("--costs", "x0.5..x2"), "x0.5..x2")])
def test_a_budget_is_that_of_the_library(costs, decision, frauds, stakes):
    ran = stakes(*ASKED, *TYPED, *costs, "--effort", "0.5*fee", "--budget", "20/100", "--json", "-")
    assert (ran.code, ran.err) == (0, "")
    named = CaseCosts(false_negative="0.75*amount", false_positive=5, true_positive="fee", effort="0.5*fee")
    stated = Decision(decision, limits=Limits(budget=0.2))
    wanted = evaluate("fraud", ["gbm", "rules"], stated, data=frauds, case_costs=named, rng=0).to_dict()
    found = json.loads(ran.out)
    for part in ("ranking", "findings", "decision", "sample"):
        assert found[part] == wanted[part]
    assert (found["decision"]["budget"], found["decision"]["case_costs"]["effort"]) == (0.2, "0.5*fee")
    plain = stakes(*ASKED, *TYPED, "--budget", "0.2").out  # cases, where none takes another effort
    assert "with at most 0.2 of effort per case?" in " ".join(plain.split())


@pytest.mark.usefixtures("file", "few_replicates")
@pytest.mark.parametrize(
    ("margin", "more"),
    [
        ("900 per 1,000", ()),
        ("0.9 per case", ("--capacity", "20%")),
        ("900 in money per 1000 cases", ("--costs", "x0.5..x2", "--level", "90%")),
        ("900 money per 1000", ()),
    ],
)
def test_the_gate_is_in_money(margin, more, frauds, stakes):
    ran = stakes(*ASKED, *TYPED, *more, "--baseline", "rules", "--margin", margin, "--fail-if-worse", "--json", "-")
    gate = json.loads(ran.out)["gate"]
    level = 0.9 if "--level" in more else 0.95
    limits = Limits(capacity=0.2) if "--capacity" in more else None
    decision = Decision("x0.5..x2" if "--costs" in more else "as stated", limits=limits)
    asked = {"data": frauds, "case_costs": NAMED, "rng": 0, "baseline": "rules", "level": 2 * level - 1}
    ranking = evaluate("fraud", ["gbm", "rules"], decision, **asked).ranking
    wanted = next(one.baseline_difference for one in ranking if one.model == "gbm")
    assert gate["margin"] == pytest.approx(0.9, rel=1e-12)
    assert (gate["estimate"], gate["lower"], gate["upper"]) == (wanted.difference, wanted.lower, wanted.upper)
    verdict = "pass" if wanted.upper <= 0.9 else "worse" if wanted.lower > 0.9 else "unsure"
    assert (gate["verdict"], ran.code) == (verdict, {"pass": 0, "worse": 3, "unsure": 4}[verdict])
    said = stakes(*ASKED, *TYPED, *more, "--baseline", "rules", "--margin", margin).out.split("\n\n")[-1]
    assert "than rules, in money per 1,000 cases; your margin is 900" in " ".join(said.split())


@pytest.mark.usefixtures("file")
def test_sites_are_pooled_in_money(frauds, stakes, folder):
    ran = stakes(*ASKED, *TYPED, "--site", "site", "--unit", "money", "--json", "-", "--html", "report.html")
    assert (ran.code, ran.err.splitlines()[-1:]) == (0, ["Report: report.html (open it in a browser)"])
    found = json.loads(ran.out)
    sites = found["sites"]
    costs = CaseCosts(false_negative=0.75 * frauds["amount"], false_positive=5, true_positive=frauds["fee"])
    for model in ("gbm", "rules"):
        for one in sites["models"][model]["sites"]:
            here = (frauds["site"] == one["site"]).to_numpy()
            table = score_table(frauds["fraud"][here], frauds[model][here], case_costs=costs[here])
            assert one["estimate"] == pytest.approx(cost_per_case(table), rel=1e-12)
    assert set(sites["models"]) == {one["model"] for one in found["ranking"]}
    assert "amounts alone" in sites["models"]
    told = " ".join(sites["findings"])
    assert "in money" in told
    assert "amounts alone costs" not in told
    assert "What to expect of another site" in (folder / "report.html").read_text(encoding="utf-8")


@pytest.mark.slow
@pytest.mark.parametrize("more", [(), ("--in-memory", "0")])
def test_a_missing_cost_names_its_line_and_the_option_that_drops_it(more, folder, frauds, stakes):
    frauds.assign(amount=[*frauds["amount"][:399], None]).to_csv("frauds.csv", index=False)
    ran = stakes(*ASKED, *TYPED, *more)
    assert ran.code == 2
    assert ran.err == (
        "stakes: `--miss-cost` must not have missing values, got 1 missing value, at line 401; "
        "`--on-missing drop` drops such rows.\n"
    )
    dropped = stakes(*ASKED, *TYPED, *more, "--on-missing", "drop")
    assert (dropped.code, "399 cases" in dropped.out) == (0, True)

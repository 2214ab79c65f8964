"""The option `--harm`: the numbers of `evaluate`, one line that says so, and refusals in one sentence."""

import json

import numpy as np
import pytest
from cli.conftest import write_csv

from stakes import evaluate

RNG = np.random.default_rng(3)
RISK = RNG.beta(1, 3, 200)
COLUMNS = {
    "died": (RNG.random(200) < RISK).astype(int).tolist(),
    "new": RISK.round(3).tolist(),
    "a=b": RNG.random(200).round(3).tolist(),
    "where": RNG.choice(["north", "south"], 200).tolist(),
}
TYPED = ("evaluate", "tested.csv", "--outcome", "died", "--predictions", "new", "a=b", "--costs", "10%..40%")


@pytest.fixture(autouse=True)
def _file(folder):
    write_csv(folder / "tested.csv", COLUMNS)


def test_its_numbers_are_those_of_evaluate(stakes):
    found = json.loads(stakes(*TYPED, "--harm", "new=0.02", "--harm", "a=b=0.1", "--json", "-").out)
    scores = {name: COLUMNS[name] for name in ("new", "a=b")}
    expected = evaluate(COLUMNS["died"], scores, "10%..40%", harm={"new": 0.02, "a=b": 0.1}).to_dict()
    assert found["harm"] == {"new": 0.02, "a=b": 0.1}
    assert found["ranking"] == expected["ranking"]
    assert found["findings"] == expected["findings"]


def test_text_and_report_say_which_harm_was_added(folder, stakes):
    said = "Costs include the harm of a test done on every case, in misses per 1,000 cases: 20 for new."
    shown = stakes(*TYPED, "--harm", "new=0.02", "--html", "report.html").out
    assert said in " ".join(shown.split())
    assert said in (folder / "report.html").read_text(encoding="utf-8")


@pytest.mark.slow
def test_the_gate_counts_the_harm(folder, stakes):
    gate = ("--baseline", "a=b", "--margin", "1 miss per 1000")
    plain, tested = (
        json.loads(stakes(*TYPED, *gate, *harm, "--json", "-").out)["gate"] for harm in ((), ("--harm", "new=0.02"))
    )
    for end in ("estimate", "lower", "upper"):
        assert tested[end] == pytest.approx(plain[end] + 0.02 * 0.75)
    stakes(*TYPED, *gate, "--harm", "new=0.02", "--html", "gate.html")
    assert "Does it pass the gate?" in (folder / "gate.html").read_text(encoding="utf-8")


def test_case_costs_make_it_money(stakes):
    typed = [*TYPED[:-2], "--miss-cost", "100", "--false-alarm-cost", "5", "--json", "-"]
    plain, tested = (json.loads(stakes(*typed, *harm).out)["ranking"] for harm in ((), ("--harm", "new=2.5")))
    costs = [{row["model"]: row["regret"] for row in rows} for rows in (plain, tested)]
    assert costs[1]["new"] == pytest.approx(costs[0]["new"] + 2.5)
    assert costs[1]["a=b"] == costs[0]["a=b"]


LOOKS = "`--harm` must look like marker=0.01: a model, then its harm"


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        (("--harm", "0.01"), f"{LOOKS}, got '0.01'."),
        (("--harm", "new"), f"{LOOKS}, got 'new'."),
        (("--harm", "new=much"), f"{LOOKS}, got 'new=much'."),
        (("--harm", "=0.1"), f"{LOOKS}, got '=0.1'."),
        (("--harm", "new=nan"), f"{LOOKS}, got 'new=nan'."),
        (("--harm", "absent=0.1"), "`--harm` must be one of a=b, new, got 'absent'."),
        (("--harm", "new=-0.1"), "`new` of `--harm` must be finite and not negative, got -0.1."),
        (("--harm", "new=0.1", "--harm", "new=0.2"), "`--harm` must name every model once, got 'new' twice."),
        (("--harm", "new=0.1", "--site", "where"), "`--site` must be left out with `--harm`, got 'where'."),
        (
            ("--harm", "new=0.1", "--in-memory", "10"),
            "`--harm` must be left out where the cases are not in memory, or there are tables alone, got 'new': 0.1; "
            "raise `--in-memory`.",
        ),
    ],
)
def test_bad_harm_is_refused_in_one_sentence(typed, message, folder, refused):
    assert refused(*TYPED, *typed, "--html", "report.html") == message
    assert not (folder / "report.html").exists()

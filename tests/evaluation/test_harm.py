"""Harm of a test: a known cost of every case, in each number and sentence about the model that needs it."""

import json
import math
from importlib.resources import files

import jsonschema
import numpy as np
import polars as pl
import pytest

from stakes import (
    CaseCosts,
    Decision,
    EventBy,
    InputError,
    Limits,
    best_thresholds,
    decision_curve,
    evaluate,
    score_table,
)
from stakes.beliefs import Actions, EveryLogOdds, IndependentCosts
from stakes.evaluation import TableSource, evaluate_source

RNG = np.random.default_rng(5)
RISK = RNG.beta(1, 3, 400)
Y = (RNG.random(400) < RISK).astype(int)
MODELS = {
    "old": np.clip(np.sqrt(RISK) * 0.9, 0, 1).round(3),
    "new": RISK.round(3),
    "odd": RNG.random(400).round(3),
}
LOW, HIGH = 0.1, 0.4
COSTS = "10%..40%"
HARM = {"new": 0.02, "odd": 0.001}
GROUP = np.where(RNG.random(400) < 0.6, "a", "b")
CLUSTER = np.arange(400) // 3
WEIGHT = RNG.integers(1, 4, 400).astype(float)
AMOUNT = RNG.gamma(2.0, 50.0, 400)
SCHEMA = json.loads(files("stakes.evaluation").joinpath("evaluation.schema.json").read_text(encoding="utf-8"))

# What is asked, how, and what a miss costs on average: what one unit of harm adds.
MISS = 1 - (LOW + HIGH) / 2
ASKED = {
    "plain": (COSTS, {}, MISS),
    "one cost": ("20%", {}, 0.8),
    "false alarms": (Decision(COSTS, unit="false alarms"), {}, MISS),
    "weights": (COSTS, {"weight": WEIGHT}, MISS),
    "clusters": (COSTS, {"cluster": CLUSTER}, MISS),
    "groups": (COSTS, {"group": GROUP}, MISS),
    "prevalence": (Decision(COSTS, prevalence=0.1), {}, MISS),
    "prevalences": (Decision(COSTS, prevalence="5%..20%"), {}, MISS),
    "folds": (COSTS, {"folds": 4}, MISS),
    "money": (IndependentCosts(false_negative=(5, 15), false_positive=(1, 3)), {}, 1.0),
    "case costs": ("as stated", {"case_costs": CaseCosts(false_negative=AMOUNT, false_positive=20)}, 1.0),
    "money in folds": (
        "as stated",
        {"case_costs": CaseCosts(false_negative=AMOUNT, false_positive=20), "folds": 3},
        1.0,
    ),
    "multiplied": ("x0.5..x2", {"case_costs": CaseCosts(false_negative=AMOUNT, false_positive=20)}, 1.0),
}


@pytest.fixture(scope="module", params=ASKED, ids=list(ASKED))
def pair(request):
    """Return an evaluation without harm, the same with it, and what it adds to each."""
    decision, how, miss = ASKED[request.param]
    plain, tested = (evaluate(Y, MODELS, decision, baseline="old", harm=harm, **how) for harm in (None, HARM))
    return plain, tested, {name: HARM.get(name, 0.0) * miss for name in intervals(plain)}


def intervals(evaluation):
    return {one.model: one.regret for one in evaluation.ranking}


def by_model(evaluation):
    return {one.model: one for one in evaluation.ranking}


def losses(score, low=LOW, high=HIGH):
    """Return the mean loss of each case over a uniform range of costs, from the definition."""
    at = np.clip(score, low, high)  # acted on up to this cost
    missed = ((1 - at) ** 2 - (1 - high) ** 2) / 2 / (high - low)
    alarmed = (at**2 - low**2) / 2 / (high - low)
    return np.where(Y == 1, missed, alarmed)


# ------------------------------------------------------------------------------------------- numbers


def test_costs_are_those_of_the_definition():
    found = intervals(evaluate(Y, MODELS, COSTS, harm=HARM))
    for name, score in MODELS.items():
        assert found[name].estimate == pytest.approx(losses(score).mean() + HARM.get(name, 0.0) * MISS, rel=1e-12)
    assert found["act on everyone"].estimate == pytest.approx((1 - Y.mean()) * (LOW + HIGH) / 2, rel=1e-12)
    assert found["act on no one"].estimate == pytest.approx(Y.mean() * MISS, rel=1e-12)


@pytest.mark.sample(7)
def test_every_interval_is_moved_by_the_harm(pair):
    plain, tested, added = pair
    before, after = intervals(plain), intervals(tested)
    for name, harm in added.items():
        for end in ("estimate", "lower", "upper"):
            wanted = getattr(before[name], end) + harm
            assert getattr(after[name], end) == pytest.approx(wanted, rel=1e-9, abs=1e-12)
        assert after[name].method == before[name].method


def test_the_ranking_is_by_cost_with_harm(pair):
    _, tested, added = pair
    costs = [one.regret.estimate for one in tested.ranking]
    assert costs == sorted(costs)
    assert {one.model: one.harm for one in tested.ranking} == pytest.approx(added)


def test_differences_are_moved_by_the_difference_of_the_harms(pair):
    plain, tested, added = pair
    before, after = by_model(plain), by_model(tested)
    for name in added.keys() - {"old"}:
        one, two = before[name].baseline_difference, after[name].baseline_difference
        for end in ("difference", "lower", "upper"):
            assert getattr(two, end) == pytest.approx(getattr(one, end) + added[name], rel=1e-8, abs=1e-12)


def test_the_probability_to_be_better_is_that_of_the_moved_interval(pair):
    """At a level of 1 - 2p an end of the interval is 0, if p is the smaller of the two probabilities."""
    _, tested, _ = pair
    for one in tested.ranking:
        found = one.baseline_difference
        if found is not None and math.isfinite(found.lower):
            assert (found.probability_better > 0.975) == (found.upper < 0) or found.method != "analytic"
            assert (found.probability_better < 0.025) == (found.lower > 0) or found.method != "analytic"


def test_parts_are_those_of_mistakes_and_skill_counts_the_harm(pair):
    plain, tested, added = pair
    before, after = by_model(plain), by_model(tested)
    for name, harm in added.items():
        one, two = before[name], after[name]
        for part in ("miscalibration", "discrimination", "uncertainty", "total"):
            assert getattr(two.parts, part) == pytest.approx(getattr(one.parts, part), rel=1e-9, abs=1e-12)
        assert two.parts.total + harm == pytest.approx(two.regret.estimate)
        assert 1 - two.skill == pytest.approx((1 - one.skill) * two.regret.estimate / one.regret.estimate)
        assert (two.acts, two.auc, two.brier_score) == (one.acts, one.auc, one.brier_score)
        if one.recalibrated is not None:
            assert two.recalibrated == pytest.approx(one.recalibrated + harm, rel=1e-12)


def test_groups_have_the_same_harm(pair):
    plain, tested, added = pair
    assert plain.groups.keys() == tested.groups.keys()
    for name, group in tested.groups.items():
        for model, interval in group.regret.items():
            before = plain.groups[name].regret[model]
            for end in ("estimate", "lower", "upper"):
                assert getattr(interval, end) == pytest.approx(getattr(before, end) + added[model], rel=1e-9)
        assert group.gaps == plain.groups[name].gaps
    best = tested.best.model
    for model, compared in tested.group_comparisons.items():
        for name, one in compared.groups.items():
            there = tested.groups[name].regret
            if model in there and best in there:
                wanted = there[model].estimate - there[best].estimate
                assert one.difference.difference == pytest.approx(wanted, abs=1e-12)


@pytest.mark.parametrize(("decision", "miss"), [(COSTS, MISS), ("20%", 0.8)])
def test_only_harm_tells_two_models_with_the_same_scores_apart(decision, miss):
    scores = {"free": MODELS["new"], "tested": MODELS["new"]}
    evaluation = evaluate(Y, scores, decision, harm={"tested": 0.02})
    assert evaluation.best.model == "free"
    standing = by_model(evaluation)["tested"]
    assert standing.probability_best < 1e-3
    assert standing.difference.lower > 0
    assert standing.difference.difference == pytest.approx(0.02 * miss)


def test_the_probability_to_be_best_follows_the_harm():
    """With the harm that makes two models cost the same, neither is likelier to be best; more tips the scale."""
    plain = intervals(evaluate(Y, MODELS, COSTS))
    even = (plain["old"].estimate - plain["new"].estimate) / MISS
    assert even > 0
    found = by_model(evaluate(Y, MODELS, COSTS, harm={"new": even}))
    assert found["new"].probability_best == pytest.approx(found["old"].probability_best, abs=0.05)
    assert found["new"].difference.probability_better == pytest.approx(0.5, abs=0.01)
    assert by_model(evaluate(Y, MODELS, COSTS, harm={"new": 1.0}))["new"].probability_best < 1e-6


@pytest.mark.parametrize("cost", [0.05, 0.2, 0.5])
def test_it_is_the_harm_of_the_decision_curve(cost):
    """Net benefit is the prevalence less the cost in misses, at every cost."""
    found = intervals(evaluate(Y, MODELS, cost, harm=HARM))
    for name, harm in HARM.items():
        benefit = decision_curve(score_table(Y, MODELS[name]), harm=harm).at(cost)
        assert Y.mean() - found[name].estimate / (1 - cost) == pytest.approx(float(benefit), abs=1e-12)


def test_case_costs_are_money_per_case():
    miss, alarm = AMOUNT, 20.0
    costs = CaseCosts(false_negative=miss, false_positive=alarm)
    found = intervals(evaluate(Y, MODELS, "as stated", case_costs=costs, harm={"new": 3.0}))
    for name, score in MODELS.items():
        acts = score * miss >= (1 - score) * alarm
        paid = np.where(Y == 1, np.where(acts, 0.0, miss), np.where(acts, alarm, 0.0)).mean()
        assert found[name].estimate == pytest.approx(paid + 3.0 * (name == "new"), rel=1e-12)


def test_a_model_without_a_mistake_costs_at_least_its_harm():
    perfect = {"perfect": Y.astype(float), "new": MODELS["new"]}
    for how in ({}, {"case_costs": CaseCosts(false_negative=AMOUNT, false_positive=20)}):
        found = intervals(evaluate(Y, perfect, "as stated" if how else COSTS, harm={"perfect": 0.5}, **how))["perfect"]
        least = 0.5 if how else 0.5 * MISS
        assert found.lower == pytest.approx(least)
        assert found.estimate == pytest.approx(least)
        assert found.upper > least


def test_money_lost_is_at_least_the_harm():
    """Of one loss among thirty cases the lower end is nothing lost, and then the harm alone."""
    outcome = np.arange(30) % 3 == 0
    scores = {"one miss": np.where(np.arange(30) == 3, 0.0, outcome.astype(float))}
    costs = CaseCosts(false_negative=np.linspace(10, 300, 30), false_positive=5)
    plain, tested = (
        intervals(evaluate(outcome, scores, "as stated", case_costs=costs, level=0.999, harm=harm))["one miss"]
        for harm in (None, {"one miss": 2.0})
    )
    assert plain.lower == 0.0
    assert tested.lower == 2.0


@pytest.mark.parametrize("harms", [(0.01, 0), (0, 0.2), (0.05, 0.05), (0.003, 0.1)])
@pytest.mark.parametrize("costs", ["30%", "5%..60%"])
def test_law_differences_move_by_the_difference_of_the_harms(harms, costs):
    scores = {"a": MODELS["old"][:60], "b": MODELS["new"][:60]}
    plain = by_model(evaluate(Y[:60], scores, costs, baseline="b"))
    tested = by_model(evaluate(Y[:60], scores, costs, baseline="b", harm=dict(zip("ab", harms, strict=True))))
    moved = tested["a"].harm - tested["b"].harm
    one, two = plain["a"].baseline_difference, tested["a"].baseline_difference
    assert [two.difference, two.lower, two.upper] == pytest.approx(
        [one.difference + moved, one.lower + moved, one.upper + moved], abs=1e-12
    )


@pytest.mark.slow
@pytest.mark.sample(3)
@pytest.mark.parametrize("asked", ["one cost", "groups", "prevalence", "folds", "case costs"])
def test_law_no_harm_changes_nothing(asked):
    decision, how, _ = ASKED[asked]
    plain, found = (evaluate(Y, MODELS, decision, harm=harm, **how) for harm in (None, {"new": 0, "odd": -0.0}))
    assert found.to_json() == plain.to_json()
    assert str(found) == str(plain)


def test_repeats_have_the_same_harm():
    repeat = np.repeat([1, 2], 400)
    scores = {name: np.concatenate([score, score[::-1]]) for name, score in MODELS.items()}
    outcome = np.concatenate([Y, Y])
    plain, tested = (intervals(evaluate(outcome, scores, COSTS, repeat=repeat, harm=harm)) for harm in (None, HARM))
    for name in MODELS:
        assert tested[name].lower == pytest.approx(plain[name].lower + HARM.get(name, 0.0) * MISS)


def test_censored_outcomes_have_the_same_harm():
    time, event = RNG.exponential(5, 400), (RNG.random(400) < 0.7).astype(int)
    outcome = EventBy(time, event, 4.0)
    plain, tested = (intervals(evaluate(outcome, MODELS, COSTS, harm=harm)) for harm in (None, HARM))
    for name in MODELS:
        for end in ("estimate", "lower", "upper"):
            wanted = getattr(plain[name], end) + HARM.get(name, 0.0) * MISS
            assert getattr(tested[name], end) == pytest.approx(wanted)


# ------------------------------------------------------------------------------------------- sentences and forms


def test_the_threshold_is_the_same_and_costs_the_harm_more():
    plain, tested = (evaluate(Y, {"new": MODELS["new"]}, COSTS, harm=harm) for harm in (None, {"new": 0.003}))
    before, after = plain.recommended_threshold, tested.recommended_threshold
    assert (after.threshold, after.low, after.high) == (before.threshold, before.low, before.high)
    assert (after.misses, after.false_alarms, after.sum) == (before.misses, before.false_alarms, "")
    for cost in ("regret", "following", "worst"):
        assert getattr(after, cost) == pytest.approx(getattr(before, cost) + 0.003 * MISS)


def test_a_harm_too_large_makes_a_model_not_worth_using():
    evaluation = evaluate(Y, {"new": MODELS["new"]}, COSTS, harm={"new": 0.5})
    assert evaluation.answer == f"new is not worth using: {evaluation.best.model}."
    (best, *_) = evaluation.findings
    assert best.kind == "best-reference"
    assert best.numbers["second_regret"] == pytest.approx(losses(MODELS["new"]).mean() + 0.5 * MISS)


@pytest.mark.sample(8)
def test_sentences_with_numbers_include_the_harm(pair):
    """Costs of findings are those of the ranking; gains of one model are those without harm."""
    plain, tested, _ = pair
    costs = {one.model: one.regret.estimate for one in tested.ranking}
    before = {one.kind: one for one in plain.findings}
    for one in tested.findings:
        for role in ("regret", "second_regret"):
            if role in one.numbers and one.kind.startswith(("best", "worthless")):
                assert any(math.isclose(one.numbers[role], cost) for cost in costs.values())
        if one.kind in ("prevalence", "recalibrate", "recalibrate-fair") and tested.best.model == plain.best.model:
            assert one.numbers == pytest.approx(dict(before[one.kind].numbers), rel=1e-6)
        assert one.kind not in ("one-threshold", "one-threshold-alike") or not tested.best.harm


def test_sentences_at_other_costs_are_left_out(pair):
    _, tested, _ = pair
    kinds = {one.kind for one in tested.findings}
    assert not kinds & {"crossing", "better-in-part", "better-throughout", "steady", "unsteady", "unsteady-close"}
    assert "other-measure" not in kinds


def test_a_model_worse_than_a_reference_by_its_harm_alone_is_named():
    evaluation = evaluate(Y, MODELS, COSTS, harm={"odd": 0.3})
    (found,) = [one for one in evaluation.findings if one.kind == "worthless" and one.values["model"] == "odd"]
    reference = min(Y.mean() * MISS, (1 - Y.mean()) * (1 - MISS))
    paid = losses(MODELS["odd"]).mean() + 0.3 * MISS
    assert found.numbers["regret"] == pytest.approx(paid)
    assert found.numbers["reference_regret"] == pytest.approx(reference)
    assert found.numbers["lower"] < paid - reference < found.numbers["upper"]


def test_correcting_the_mean_leaves_the_harm():
    scores = {"high": np.clip(1.8 * RISK, 0.001, 0.99)}
    plain, tested = (evaluate(Y, scores, COSTS, harm=harm) for harm in (None, {"high": 0.01}))
    one, two = (next(one for one in each.findings if one.kind == "mismatch") for each in (plain, tested))
    assert two.numbers["gain"] == pytest.approx(one.numbers["gain"], rel=1e-9)


NOTE = "Costs include the harm of a test done on every case, in misses per 1,000 cases: 20 for new and 1 for odd."


def test_text_and_notebook_say_which_harm_was_added():
    evaluation = evaluate(Y, MODELS, COSTS, harm=HARM)
    assert NOTE in " ".join(str(evaluation).split())
    assert NOTE in evaluation._repr_html_()
    assert "harm" not in str(evaluate(Y, MODELS, COSTS))


@pytest.mark.parametrize(
    ("decision", "how", "harm", "said"),
    [
        (Decision("20%", unit="false alarms"), {}, 0.01, "in false alarms per 1,000 cases: 40 for new."),
        ("20%", {}, 0.01234, "in misses per 1,000 cases: 12.34 for new."),
        ("20%", {}, 1e-9, "in misses per 1,000 cases: 0.000001 for new."),
        (
            "as stated",
            {"case_costs": CaseCosts(false_negative=AMOUNT)},
            1.5,
            "in money per 1,000 cases: 1,500 for new.",
        ),
        (Decision("20%", words={"case": ("man", "men")}), {}, 0.01, "every man, in misses per 1,000 men: 10 for new."),
    ],
)
def test_the_line_is_in_the_unit_of_the_costs(decision, how, harm, said):
    assert said in " ".join(str(evaluate(Y, MODELS, decision, harm={"new": harm}, **how)).split())


@pytest.mark.sample(7)
def test_json_and_frame_have_it(pair):
    _, tested, added = pair
    found = tested.to_dict()
    jsonschema.validate(json.loads(tested.to_json()), SCHEMA)
    assert found["harm"] == HARM
    assert {row["model"]: row["harm"] for row in found["ranking"]} == pytest.approx(added)
    frame = tested.to_frame().set_index("model")
    assert frame["harm"].to_dict() == pytest.approx(added)


def test_the_report_is_a_page_without_controls(tmp_path):
    evaluation = evaluate(Y, MODELS, Decision(COSTS), group=GROUP, harm=HARM)
    evaluation.save_html(tmp_path / "report.html", title="Who is tested?")
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert NOTE in page
    assert "This page has no controls: what the harm of a test weighs depends on the costs." in page
    assert page.count("<script") == 1  # the numbers
    data = page.split("id=data>")[1].split("</script>")[0]
    assert json.loads(data) == json.loads(evaluation.to_json())
    for one in evaluation.findings:
        assert one.text in page.replace("&#x27;", "'")


# ------------------------------------------------------------------------------------------- refusals

TWO_TIMES = {"model": [[0.6, 0.9], [0.1, 0.3], [0.2, 0.7], [0.1, 0.2], [0.1, 0.2], [0.2, 0.4]]}
FOLLOWED = EventBy([1, 2, 3, 4, 6, 8], [1, 0, 1, 0, 0, 1], horizon=[2, 5])
MAPPING = "be a mapping from models to numbers, such as `{'model': 0.01}`"


@pytest.mark.parametrize(
    ("harm", "message"),
    [
        (0.01, f"`harm` must {MAPPING}, got float."),
        ({"absent": 0.01}, "`harm` must be one of new, old, odd, got 'absent'."),
        ({"new": -0.01}, "`harm['new']` must be finite and not negative, got -0.01."),
        ({"new": math.inf}, "`harm['new']` must be finite and not negative, got inf."),
        ({"act on everyone": 0.01}, "`harm` must be one of new, old, odd, got 'act on everyone'."),
    ],
)
def test_bad_harm_is_refused(harm, message):
    with pytest.raises(InputError) as caught:
        evaluate(Y, MODELS, COSTS, harm=harm)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("decision", "message"),
    [
        (
            Actions({"wait": (0, 20), "watch": (1, 6), "act": (4, 1)}),
            "`harm` must be left out where there are several actions, got 'new': 0.01; add it to the cost of the "
            "action that needs the test, as `Actions.test` does.",
        ),
        (EveryLogOdds(), "`harm` must be left out where a miss has no mean cost, got EveryLogOdds()."),
    ],
)
def test_harm_is_refused_where_it_could_not_be_followed(decision, message):
    with pytest.raises(InputError) as caught:
        evaluate(Y, MODELS, decision, harm={"new": 0.01})
    assert str(caught.value) == message


@pytest.mark.parametrize("folds", [None, 3])
@pytest.mark.parametrize("limits", [Limits(capacity=0.2), Limits(capacity=0.3, min_precision=0.2)])
def test_harm_is_added_under_limits_too(limits, folds, few_replicates):
    decision = Decision(COSTS, limits=limits)
    plain, tested = (evaluate(Y, MODELS, decision, harm=harm, folds=folds, rng=4) for harm in (None, {"new": 0.02}))
    added = 0.02 * MISS
    before, after = ({one.model: one for one in found.ranking} for found in (plain, tested))
    for name, one in after.items():
        more = added if name == "new" else 0.0
        for end in ("estimate", "lower", "upper"):
            assert getattr(one.regret, end) == pytest.approx(getattr(before[name].regret, end) + more, rel=1e-12)
    free, limited = (best_thresholds(score_table(Y, MODELS["new"]), COSTS, one).mean_regret for one in (None, limits))
    alone = evaluate(Y, {"new": MODELS["new"]}, decision, harm={"new": 0.02}, folds=folds, rng=4)
    found = next(one for one in alone.findings if one.kind.startswith("limits-cost"))
    assert found.numbers["regret"] == pytest.approx(free + added)
    assert found.numbers["extra"] == pytest.approx(limited - free)


def test_harm_is_refused_with_several_horizons():
    with pytest.raises(InputError) as caught:
        evaluate(FOLLOWED, TWO_TIMES, "20%..50%", harm={"model": 0.01})
    assert str(caught.value) == (
        "`harm` must be left out with several horizons, got 'model': 0.01; evaluate each horizon by itself, with "
        "`outcome.at(5)` and its column of predictions."
    )


def test_harm_is_refused_for_tables_and_cases_elsewhere():
    frame = pl.DataFrame({"y": Y, **MODELS}).lazy()
    message = (
        "`harm` must be left out where the cases are not in memory, or there are tables alone, got 'new': 0.01; raise "
        "`in_memory`."
    )
    for call in (
        lambda: evaluate("y", list(MODELS), COSTS, data=frame, in_memory=10, harm={"new": 0.01}),
        lambda: evaluate_source(TableSource({"new": score_table(Y, MODELS["new"])}), COSTS, harm={"new": 0.01}),
    ):
        with pytest.raises(InputError) as caught:
            call()
        assert str(caught.value) == message
    read = evaluate("y", list(MODELS), COSTS, data=frame, harm=HARM)
    assert read.to_json() == evaluate(Y, MODELS, COSTS, harm=HARM).to_json()

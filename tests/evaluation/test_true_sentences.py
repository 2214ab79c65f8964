"""No sentence says more than is known: about limits, numbers of cases, references and differences."""

import numpy as np
import polars as pl
import pytest
from evaluation.samples import blurred, expit, found, kinds, risks

from stakes import (
    At,
    Beta,
    Cases,
    Decision,
    Limits,
    LogOddsUniform,
    Uniform,
    evaluate,
    evaluate_tables,
    score_table,
)
from stakes.beliefs import Atoms, Mixture
from stakes.uncertainty import FEWEST_OF_A_CLASS, FEWEST_WITH_HALF_CASES, crossing_set

RNG = np.random.default_rng

# ------------------------------------------------------------------------------------------- limits


def test_thresholds_that_meet_the_limits_but_do_not_pay_are_not_said_to_be_missing():
    backwards = [0.1, 0.9, 0.2, 0.1, 0.8, 0.3, 0.4, 0.05, 0.6, 0.5]
    decision = Decision("40%..60%", limits=Limits(capacity=0.5))
    evaluation = evaluate([1, 0, 0, 1, 0, 0, 0, 1, 0, 0], {"m": backwards}, decision)
    assert found(evaluation, "limits-unused").text == (
        "m never acts under your limits (at most 50% of cases acted on): some thresholds meet them, but in this "
        "sample none costs less than acting on no one at any cost you state."
    )
    assert "limits-unmet" not in kinds(evaluation)


@pytest.mark.usefixtures("few_replicates")
@pytest.mark.parametrize("seed", range(15))
def test_a_model_that_never_acts_is_told_apart_by_trying_every_threshold(seed):
    rng = RNG(seed)
    y, score = rng.integers(0, 2, 12), rng.integers(1, 10, 12) / 10
    limits = Limits(capacity=rng.choice([0.1, 0.3, 0.5]), min_precision=rng.choice([0.2, 0.6, 0.9]))
    evaluation = evaluate(y, {"m": score}, Decision("50%..70%", limits=limits))
    acts = [score >= cut for cut in np.unique(score)]
    met = [one for one in acts if one.mean() <= limits.capacity and y[one].mean() >= limits.min_precision]
    pays = any(0.5 * (one & (y == 0)).sum() < 0.5 * (one & (y == 1)).sum() for one in met)
    said = {"limits-unmet", "limits-unused"} & set(kinds(evaluation))
    assert said == (set() if pays else {"limits-unused"} if met else {"limits-unmet"})


# ------------------------------------------------------------------------------------------- numbers of cases


def few(evaluation):
    return [one for one in evaluation.findings if one.kind.startswith("few")]


def weighted(positive_weight, negative_weight, positives=30, negatives=30):
    """Evaluate a model on cases whose weight is that of their class."""
    y = [1] * positives + [0] * negatives
    score = [[0.7, 0.6, 0.4][k % 3] for k in range(positives)] + [[0.1, 0.3, 0.5][k % 3] for k in range(negatives)]
    weight = [positive_weight] * positives + [negative_weight] * negatives
    return evaluate(y, {"m": score}, Decision("5%..20%"), weight=weight)


def test_thirty_light_positives_are_thirty_cases():
    evaluation = weighted(0.1, 1)
    assert few(evaluation) == []
    assert "60 cases of weight 33, 30 positive of weight 3 (9.1%)" in str(evaluation)


def test_three_heavy_positives_are_three_cases():
    (said,) = few(weighted(20, 1, positives=3, negatives=60))
    assert said.text == "Only 3 cases are positive, so treat every interval as a rough guide."


@pytest.mark.usefixtures("few_replicates")
@pytest.mark.parametrize(
    ("limits", "enough"), [(None, FEWEST_WITH_HALF_CASES), (Limits(capacity=0.5), FEWEST_OF_A_CLASS)]
)
def test_few_cases_are_those_with_which_the_intervals_do_not_cover(limits, enough):
    for positives in (enough - 1, enough):
        y = [1] * positives + [0] * 60
        evaluation = evaluate(y, {"m": np.linspace(0.9, 0.1, len(y))}, Decision("5%..20%", limits=limits))
        assert len(few(evaluation)) == (positives < enough)


def test_many_cases_of_which_few_carry_the_weight_count_like_few():
    y, weight = [1] * 40 + [0] * 40, [100.0] * 2 + [0.01] * 38 + [1.0] * 40
    (said,) = few(evaluate(y, {"m": [0.6] * 40 + [0.2] * 40}, Decision("5%..20%"), weight=weight))
    assert said.kind == "few-effective"
    positive = np.array(weight[:40])
    assert said.numbers["effective"] == pytest.approx(positive.sum() ** 2 / (positive**2).sum())
    assert said.text == (
        "The weights of the 40 positive cases are so unequal that they count like 2.0, so treat every interval as a "
        "rough guide."
    )


def test_tables_speak_of_weight_since_they_do_not_know_cases():
    table = score_table([1] * 30 + [0] * 30, [0.7] * 30 + [0.2] * 30, weight=[0.1] * 30 + [1] * 30)
    (said,) = few(evaluate_tables({"m": table}, Decision("5%..20%")))
    assert (said.kind, said.values["weight"], said.values["which"]) == ("few-weight", "3", "positive")


@pytest.mark.parametrize("scale", [1e-100, 1e-3, 7.0, 1e100])
def test_the_scale_of_the_weights_changes_no_sentence_about_the_sample(scale):
    rng = RNG(4)
    y, score, weight = rng.random(80) < 0.2, rng.random(80), rng.exponential(size=80) ** 3
    plain, scaled = (evaluate(y, {"m": score}, Decision("5%..20%"), weight=factor * weight) for factor in (1, scale))
    assert [one.text for one in scaled.findings] == [one.text for one in plain.findings]
    assert scaled.sample.effective_cases == pytest.approx(plain.sample.effective_cases, rel=1e-12)


@pytest.mark.parametrize("groups", [None, "g"])
def test_cases_that_stay_where_they_are_are_counted_as_in_memory(groups):
    rng = RNG(1)
    y, weight = (rng.random(90) < 0.2).astype(int), rng.exponential(size=90) ** 2
    frame = pl.LazyFrame({"y": y, "m": rng.random(90), "w": weight, "g": ["a", "b", "b"] * 30})
    there, here = (
        evaluate("y", ["m"], "5%..20%", data=frame, weight="w", group=groups, in_memory=most) for most in (0, 100)
    )
    assert there.sample.positive_cases == here.sample.positive_cases == y.sum()
    assert there.sample.effective_cases == pytest.approx(here.sample.effective_cases, rel=1e-12)
    assert [one.text for one in few(there)] == [one.text for one in few(here)]


def test_scores_that_say_nothing_do_not_run_the_wrong_way_whatever_the_weights():
    rng = RNG(3)
    y = np.arange(2000) % 2
    for _ in range(30):
        weight = rng.pareto(1.1, 2000) + 1e-3
        assert "wrong-way" not in kinds(evaluate(y, {"m": rng.random(2000)}, Decision("5%..20%"), weight=weight))


@pytest.mark.slow
def test_scores_that_are_right_are_not_accused_of_a_mismatch_whatever_the_weights():
    """A few heavy cases move the weighted prevalence far; that is chance, and the effective numbers say so."""
    rng = RNG(5)
    accused = 0
    for _ in range(60):
        risk = rng.beta(2, 6, 2000)
        weight = rng.pareto(1.1, 2000) + 1e-3
        y = rng.random(2000) < risk
        accused += "mismatch" in kinds(evaluate(y, {"m": risk}, Decision("5%..20%"), weight=weight))
    assert accused <= 6


def test_few_positives_sampled_for_their_rarity_still_show_a_mismatch():
    """500 positives that weigh little are 500 cases, though their share of the weight is small."""
    y = np.repeat([1, 0], 500)
    weight, score = np.where(y == 1, 0.02, 1.0), np.full(1000, 0.03)
    score[::2] = 0.05
    assert "mismatch" in kinds(evaluate(y, {"m": score}, Decision("1%..20%"), weight=weight))


# ------------------------------------------------------------------------------------------- references

TEN = [1, 0, 0, 0, 1, 0, 0, 0, 0, 0]
A, B = [0.9, 0.8, 0.7, 0.2, 0.3, 0.1, 0.1, 0.6, 0.1, 0.1], [0.9, 0.8, 0.7, 0.9, 0.3, 0.1, 0.1, 0.6, 0.1, 0.1]


def cost_at(y, score, cost):
    """Brute force: what a score costs at one cost."""
    y, acts = np.asarray(y), np.asarray(score) >= cost
    return np.mean(cost * (acts & (y == 0)) + (1 - cost) * (~acts & (y == 1)))


def test_the_best_of_another_range_may_be_acting_on_no_one():
    evaluation = evaluate(TEN, {"a": A, "b": B}, Decision("60%"))
    assert found(evaluation, "steady").text == (
        "In this sample, acting on no one would still have the lowest expected cost if a miss were half as bad (3:1) "
        "or twice as bad (1:1.3)."
    )
    effect = "correcting that alone would lower the expected cost by 500 misses per 1,000 cases in this sample"
    assert effect in found(evaluation, "mismatch").text


@pytest.mark.sample(3)
@pytest.mark.parametrize("seed", range(30))
def test_what_is_said_of_a_miss_half_or_twice_as_bad_holds_against_references_too(seed):
    rng = RNG(seed)
    y = np.append(rng.random(18) < 0.3, [True, False]).astype(int)
    scores = {"a": rng.integers(1, 10, 20) / 10, "b": np.clip(0.5 * y + rng.integers(1, 6, 20) / 10, 0, 1)}
    cost = rng.choice([0.13, 0.42, 0.66])
    evaluation = evaluate(y, scores, Decision(At(cost)))
    every = {**scores, "acting on no one": np.zeros(20), "acting on everyone": np.ones(20)}
    odds = cost / (1 - cost)
    regret = [
        {name: cost_at(y, score, times * odds / (1 + times * odds)) for name, score in every.items()}
        for times in (2, 0.5)
    ]
    for one in evaluation.findings:
        if one.kind == "steady":
            assert all(costs[one.values["best"]] <= min(costs.values()) + 1e-12 for costs in regret)
        if one.kind.startswith("unsteady"):
            costs = regret[0] if "half" in one.values["change"] else regret[1]
            assert costs[one.values["other"]] == pytest.approx(min(costs.values()))
            assert one.numbers["gain"] == pytest.approx(costs[one.values["best"]] - costs[one.values["other"]])


@pytest.mark.sample(15)
@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("folds", [None, 3])
def test_a_model_that_recalibration_would_make_the_best_costs_less_than_the_references(seed, folds):
    rng = RNG(seed)
    y, logit = risks(40, seed=seed, shift=-1.0)
    scores = {"a": expit(logit + 2), "b": blurred(logit, 3, seed=seed), "c": rng.random(40)}
    evaluation = evaluate(y, scores, Decision("60%..80%"), folds=folds)
    for one in evaluation.findings:
        if one.kind == "recalibrate-order":
            assert one.numbers["regret"] < min(line.regret.estimate for line in evaluation.ranking if line.reference)


def test_that_no_model_is_worth_using_needs_a_detectable_difference():
    close = found(evaluate(TEN, {"a": A, "b": B}, Decision("60%")), "best-reference-close")
    assert close.numbers["lower"] <= 0 < close.numbers["upper"]
    y, logit = risks(600)
    upside_down = expit(-logit - 4)
    sure = found(evaluate(y, {"upside down": upside_down}, Decision("5%..20%")), "best-reference")
    assert 0 < sure.numbers["lower"] < sure.numbers["upper"]
    tables = {"upside down": score_table(y, upside_down)}
    assert "best-reference-unsure" in kinds(evaluate_tables(tables, Decision("5%..20%")))


# ------------------------------------------------------------------------------------------- crossings

Y, LOGIT = risks(1500)
LOW_SIGHTED, HIGH_SIGHTED = np.minimum(expit(LOGIT), 0.12), np.maximum(expit(LOGIT), 0.1)
WHERE = ("crossing", "better-in-part", "better-throughout")
BELIEFS = [
    Uniform(0.05, 0.2),
    LogOddsUniform(0.02, 0.3),
    Beta(2, 12),
    Atoms([0.06, 0.09, 0.16], [1, 2, 1]),
    Mixture([Uniform(0.05, 0.2), LogOddsUniform(0.01, 0.3)], [0.3, 0.7]),
]


@pytest.mark.sample(3)
@pytest.mark.parametrize("belief", BELIEFS, ids=repr)
def test_costs_at_which_a_model_is_said_to_be_better_are_those_of_the_crossing_set(belief):
    models = {"low": LOW_SIGHTED, "high": HIGH_SIGHTED}
    evaluation = evaluate(Y, models, Decision(belief))
    (said,) = (one for one in evaluation.findings if one.kind in WHERE)
    a, b = [one.model for one in evaluation.ranking if not one.reference]
    where = crossing_set(Cases(Y, models), a, b, cost_range=Decision(belief).cost_range)
    assert where.a_better
    assert where.b_better
    assert (said.kind, said.values["best"], said.values["other"]) == ("crossing", a, b)
    pieces = [one for one in where.set if one[0] <= said.numbers["cost"] <= one[1]]
    assert (said.numbers["lower"], said.numbers["upper"]) == (pieces[0][0], pieces[-1][1])
    assert {said.numbers["cost"], said.numbers["last_cost"]} <= set(where.estimates.tolist())


def told(y, models, costs="5%..20%", **asked):
    return [(one.kind, one.text) for one in evaluate(y, models, Decision(costs, **asked)).findings if one.kind in WHERE]


TURNING = {"low": np.where(Y == 1, 0.12, 0.005), "high": np.where(Y == 1, 0.99, 0.1)}


def test_a_crossing_is_named_with_its_set_where_each_model_is_better_somewhere():
    ((kind, text),) = told(Y, TURNING)
    assert kind == "crossing"
    assert text == (
        "low is better than high below 10%, high above 12%; in between, they cross: at 12% in this sample, at 10% to "
        "12% with 95% confidence."
    )


def test_one_side_is_told_without_a_crossing():
    ((kind, text),) = told(Y, TURNING, "8%..11.5%")
    assert (kind, text) == (
        "better-in-part",
        "low is better than high below 10%; above, the sample cannot say (95% confidence for the whole range).",
    )


def test_a_model_that_is_better_at_every_cost_is_said_to_be():
    ((kind, text),) = told(Y, TURNING, "2%..9%")
    assert (kind, text) == (
        "better-throughout",
        "low is better than high at every cost you state (95% confidence for the whole range).",
    )


@pytest.mark.parametrize("asked", [{"prevalence": "10%"}, {"limits": Limits(capacity=0.3)}], ids=str)
def test_nothing_is_said_of_single_costs_where_the_band_is_not_known(asked):
    assert told(Y, TURNING, **asked) == []


def test_nothing_is_said_of_single_costs_at_one_cost():
    assert told(Y, TURNING, "10%") == []


def test_nothing_is_said_of_a_crossing_in_a_sample_too_small_to_see_it():
    assert told(Y[:60], {"low": LOW_SIGHTED[:60], "high": HIGH_SIGHTED[:60]}) == []


@pytest.mark.slow
def test_equally_good_models_are_not_said_to_be_better_on_a_part():
    rng = RNG(0)
    sure = 0
    for _ in range(25):
        logit = -2 + 1.2 * rng.normal(size=500)
        y = rng.random(500) < expit(logit)
        models = {name: expit(logit + 0.7 * rng.normal(size=500)) for name in "ab"}
        sure += bool({*WHERE, "unsteady"} & set(kinds(evaluate(y, models, "5%..20%"))))
    assert sure <= 2


COMPARED = ("crossing", "better", "worthless", "unsteady")


def test_tables_alone_compare_nothing_that_needs_an_interval():
    models = {"low": LOW_SIGHTED, "high": HIGH_SIGHTED, "upside down": 1 - expit(LOGIT)}
    with_cases = evaluate(Y, models, "5%..20%")
    tables = evaluate_tables({name: score_table(Y, score) for name, score in models.items()}, "5%..20%")
    assert any(kind.startswith(COMPARED) for kind in kinds(with_cases))
    assert not any(kind.startswith(COMPARED) for kind in kinds(tables))


# ------------------------------------------------------------------------------------------- groups


def test_two_groups_differ_by_one_number():
    group = np.where(np.arange(len(Y)) // 10 % 2 == 0, "a", "b")
    said = found(evaluate(Y, {"m": expit(LOGIT)}, "5%..20%", group=group), "groups-alike")
    assert said.numbers["least"] == said.numbers["most"]
    assert " to " not in said.values["differences"]


# ------------------------------------------------------------------------------------------- equal, or hardly


def test_models_of_the_same_cost_are_not_to_be_told_apart():
    y, score, weight = [0, 1, 1, 1, 1], [0.9, 0.9, 0.5, 0.7, 0.9], [0.3, 0.7, 0.7, 0.7, 0.3]
    said = kinds(evaluate(y, {"a": score, "b": [0.8] * 5}, "10%..21%", weight=weight))
    assert "best-tied" in said
    assert "too-small" not in said


def test_groups_of_one_prevalence_do_not_differ_in_it():
    y = [0, 1] * 40
    score = [0.1, 0.9] * 20 + [0.9, 0.1] * 20
    said = found(evaluate(y, {"m": score}, "20%..50%", group=["a"] * 40 + ["b"] * 40), "group-worse")
    assert ": 0 from equal prevalence" in said.text


def test_a_correction_that_harms_one_model_and_leaves_the_other_is_not_without_effect():
    y = [1] * 20 + [0] * 60
    harmed = [0.12] * 20 + [0.5] * 60  # too high on average, and yet the positives are acted on for that alone
    said = found(evaluate(y, {"indifferent": [0.4] * 80, "harmed": harmed}, "10%"), "mismatch")
    assert said.values["effect"] == "would not help over these costs in this sample"


@pytest.mark.slow
def test_limits_at_another_prevalence_survive_a_replicate_without_a_class():
    y = [1] * 12 + [0] * 4
    score = [0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.9, 0.8, 0.7, 0.6, 0.5, 0.1, 0.2, 0.3, 0.6]
    decision = Decision("10%..40%", prevalence="43%", limits=Limits(min_precision=0.3))
    interval = evaluate(y, {"m": score}, decision).intervals["m"]
    assert interval.lower <= interval.estimate <= interval.upper


def test_a_log_loss_without_bound_is_written_as_such():
    y, sure = [0, 1] * 20, [0.05, 0.9] * 19 + [0.05, 0.0]
    said = evaluate(y, {"sure": sure, "vague": [0.3, 0.5] * 20}, "20%..30%").findings
    (last,) = (one.text for one in said if one.values.get("measure") == "log loss")
    assert last.startswith("By log loss, vague would be chosen in this sample (0.525 against \u221e): ")

"""No sentence says more than is known: about limits, numbers of cases, references and differences."""

import numpy as np
import pytest
from evaluation.samples import found, kinds

from stakes import Decision, Limits, evaluate, evaluate_tables, score_table

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
    pl = pytest.importorskip("polars")
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

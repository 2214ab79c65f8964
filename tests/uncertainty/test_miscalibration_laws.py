"""Laws of miscalibration with chance taken off: coverage, range, seeds, and the logistic recalibration drawn from."""

import math

import numpy as np
import pytest
from scipy import special

from stakes import Cases, Uniform, decompose, interval, score_table
from stakes.uncertainty import miscalibration
from stakes.uncertainty._chance_floor import logistic


def sample(size, slope=1.0, seed=1, **columns):
    """Return cases whose log-odds are stated with a slope: 1 is calibrated, more is too bold."""
    rng = np.random.default_rng(seed)
    odds = rng.normal(-1.2, 1.2, size)
    return Cases(rng.random(size) < special.expit(odds), {"a": special.expit(slope * odds)}, **columns)


def lost(table):
    return decompose(table, Uniform()).miscalibration


def told(table):
    return decompose(table, Uniform()).discrimination


def true_loss(slope):
    """Return the miscalibration of the population."""
    odds = np.random.default_rng(0).normal(-1.2, 1.2, 400_000)
    risk, score = special.expit(odds), special.expit(slope * odds)
    return float(((score - risk) ** 2).mean() / 2)


@pytest.mark.parametrize("runs", [5, pytest.param(40, marks=pytest.mark.slow)])
@pytest.mark.parametrize("slope", [1.0, 1.8])
def test_the_default_interval_of_miscalibration_covers(slope, runs):
    truth = 0.0 if slope == 1 else true_loss(slope)
    held = []
    for seed in range(runs):
        found = interval(sample(300, slope, seed), lost, n_resamples=100, rng=seed)["a"]
        assert found.method == "consistency"
        held.append(found.lower <= truth <= found.upper)
    assert sum(held) >= 0.85 * runs - 0.5  # by the ordinary bootstrap, none


def test_the_interval_is_that_of_the_function():
    cases = sample(200, 1.5)
    found = miscalibration(cases, Uniform(), n_resamples=200, rng=3)["a"]
    assert 0 <= found.lower <= max(found.corrected, 0) <= found.upper
    assert found.estimate == lost(cases.table("a"))
    assert found.corrected == found.estimate - found.floor
    assert found.error < 0.1 * found.floor
    one = interval(cases, told, n_resamples=200, rng=3)["a"]
    assert one.estimate - found.discrimination.estimate == pytest.approx(found.floor)
    assert found.discrimination.lower <= found.discrimination.estimate <= found.discrimination.upper
    assert "sampled" in found.caution
    assert "sampled" in one.caution


@pytest.mark.parametrize("level", [0.5, 0.99])
def test_a_higher_level_is_wider(level):
    narrow, wide = (
        miscalibration(sample(200, 1.5), Uniform(), n_resamples=200, level=one, rng=1)["a"] for one in (level, 0.999)
    )
    assert wide.lower <= narrow.lower
    assert wide.upper > narrow.upper


def test_the_chance_of_a_calibrated_model_is_any_and_of_a_bold_one_small():
    chances = [
        miscalibration(sample(200, 1.0, seed), Uniform(), n_resamples=100, rng=1)["a"].chance for seed in range(6)
    ]
    assert 0.2 < np.mean(chances) < 0.8
    assert miscalibration(sample(800, 2.0), Uniform(), n_resamples=100, rng=1)["a"].chance == 0


def test_one_seed_gives_one_answer():
    first, again = (miscalibration(sample(100), "5%..20%", n_resamples=100, rng=4)["a"] for _ in range(2))
    assert first == again


def test_other_methods_can_still_be_asked_for():
    assert interval(sample(100), lost, method="basic", n_resamples=100, rng=1)["a"].method == "basic"


def test_weights_of_one_size_change_nothing_but_the_draws():
    plain = miscalibration(sample(150, 1.5), Uniform(), n_resamples=200, rng=1)["a"]
    weighed = miscalibration(sample(150, 1.5, weight=np.full(150, 7.0)), Uniform(), n_resamples=200, rng=1)["a"]
    assert weighed.estimate == pytest.approx(plain.estimate, rel=1e-9)
    assert weighed.floor == pytest.approx(plain.floor, abs=4 * math.hypot(plain.error, weighed.error))
    assert weighed.upper == pytest.approx(plain.upper, rel=0.1)


def test_clusters_are_named_as_a_reason_for_caution():
    found = miscalibration(sample(200, cluster=np.repeat(range(50), 4)), Uniform(), n_resamples=100, rng=1)["a"]
    assert "cluster" in found.caution


def test_one_class_has_no_interval():
    found = miscalibration(Cases([0, 0, 0, 0], {"a": [0.1, 0.2, 0.3, 0.4]}), Uniform(), n_resamples=100, rng=1)["a"]
    assert math.isnan(found.lower)
    assert math.isnan(found.upper)
    assert math.isnan(found.chance)


def test_the_logistic_recalibration_solves_its_equations():
    table = sample(500, 1.7).table("a")
    left = table.positive - (table.positive + table.negative) * logistic(table)
    assert left.sum() == pytest.approx(0, abs=1e-8)
    assert left @ special.logit(table.score) == pytest.approx(0, abs=1e-8)


@pytest.mark.parametrize("scores", [[0.1, 0.2, 0.8, 0.9], [0.3, 0.3, 0.3, 0.3], [0.0, 0.0, 1.0, 1.0]])
def test_scores_without_a_logistic_fit_stay(scores):
    table = score_table(y=[0, 0, 1, 1], score=scores)
    assert logistic(table).tolist() == table.score.tolist()


def test_scores_in_the_wrong_order_keep_it():
    y = np.array([1, 1, 0, 1, 0, 0, 0, 1, 0, 0] * 5)
    recalibrated = logistic(score_table(y=y, score=np.linspace(0.05, 0.95, 50)))
    assert (np.diff(recalibrated) > 0).all()


@pytest.mark.parametrize("slope", [-2.0, -0.5, 0.5, 3.0])
def test_recalibrated_scores_expect_as_many_positives_as_there_are(slope):
    """Also where the scores run backwards, and only the gentlest slope keeps their order."""
    table = sample(400, slope).table("a")
    weight = table.positive + table.negative
    found = logistic(table)
    assert found @ weight / table.total == pytest.approx(table.prevalence, rel=1e-9)
    assert (np.diff(found) >= 0).all()


def test_the_same_scores_have_the_same_floor():
    one = sample(150, 1.5)
    score = one.table("a").score[one.rows("a")]
    twins = Cases(one.positive, {"a": score, "b": score})
    found = miscalibration(twins, Uniform(), n_resamples=100, rng=1)
    assert found["a"] == found["b"]
    ends = interval(twins, lost, n_resamples=100, rng=1)
    assert ends["a"] == ends["b"]

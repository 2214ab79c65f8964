"""Resampled intervals: their ends are possible, and nothing lost in a sample is not nothing lost."""

import math
from functools import partial

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats
from uncertainty.simulated import scores

from stakes import (
    Cases,
    Decision,
    Limits,
    Uniform,
    _wording,
    accuracy,
    auc,
    evaluate,
    expected_regret,
    interval,
    net_benefit,
)
from stakes.uncertainty._possible_ends import NOTHING_LOST

LOW, HIGH = 0.05, 0.2
MISS, ALARM = 1 - (LOW + HIGH) / 2, (LOW + HIGH) / 2  # what a positive and a negative can lose
LIMITS = {"capacity": Limits(capacity="50%"), "precision": Limits(min_precision="30%"), "none": None}


def most(prevalence):
    """Return the largest regret there can be."""
    return MISS if prevalence is None else prevalence * MISS + (1 - prevalence) * ALARM


@pytest.mark.sample(3)
@pytest.mark.parametrize(("prevalence", "seed"), [(None, 0), (0.06, 1)])
@pytest.mark.parametrize("limits", LIMITS)
def test_every_interval_of_an_evaluation_is_possible(limits, prevalence, seed):
    rng = np.random.default_rng(seed)
    y = np.append([0, 0, 1, 1], rng.random(16) < [0.1, 0.4][seed]).astype(int)
    models = {"a": rng.choice([0.01, 0.1, 0.3, 0.99], len(y)), "perfect": np.where(y == 1, 0.99, 0.01)}
    decision = Decision(Uniform(LOW, HIGH), prevalence=prevalence, limits=LIMITS[limits])
    for standing in evaluate(y, models, decision, rng=1).ranking:
        regret, apart = standing.regret, standing.difference
        assert -1e-12 <= regret.lower <= regret.upper <= most(prevalence) + 1e-12
        assert regret.lower < regret.upper or standing.reference
        if apart is not None:
            assert -most(prevalence) - 1e-12 <= apart.lower <= apart.upper <= most(prevalence) + 1e-12


@pytest.mark.parametrize("prevalence", [None, 0.06])
def test_a_model_without_an_error_under_limits_is_not_certain_to_make_none(prevalence):
    y = np.repeat([1, 0], [6, 94])
    decision = Decision(Uniform(LOW, HIGH), prevalence=prevalence, limits=LIMITS["capacity"])
    found = evaluate(y, {"perfect": np.where(y == 1, 0.9, 0.1)}, decision, rng=1).ranking[0].regret
    unseen = stats.beta.ppf(0.975, 0.5, 100)
    wanted = math.hypot(MISS, ALARM) * unseen
    if prevalence is not None:  # half a case among those of its own class
        wanted = math.hypot(0.06 * MISS * stats.beta.ppf(0.975, 0.5, 6), 0.94 * ALARM * stats.beta.ppf(0.975, 0.5, 94))
    assert (found.estimate, found.lower) == (0.0, 0.0)
    assert_allclose(found.upper, wanted, rtol=1e-9)
    assert found.caution.endswith(NOTHING_LOST)


def test_losses_of_replicates_alone_are_not_forgotten():
    y = np.repeat([1, 0], [10, 90])  # the capacity is just enough for the positives of the sample
    decision = Decision(Uniform(LOW, HIGH), limits=Limits(capacity="10%"))
    found = evaluate(y, {"perfect": np.where(y == 1, 0.9, 0.1)}, decision, rng=1).ranking[0].regret
    assert (found.estimate, found.lower) == (0.0, 0.0)
    assert found.upper > math.hypot(MISS, ALARM) * stats.beta.ppf(0.975, 0.5, 100)


@pytest.mark.parametrize("method", ["basic", "bca", "percentile"])
@pytest.mark.parametrize(
    ("measure", "least", "largest"),
    [
        (partial(expected_regret, costs=Uniform(LOW, HIGH)), 0, MISS),
        (partial(net_benefit, costs=0.2), -0.25, 1),
        (accuracy, 0, 1),
        (auc, 0, 1),
    ],
)
def test_resampled_ends_stay_in_the_range_of_a_measure(measure, least, largest, method):
    y, good, _ = scores(80)
    bad = np.where(y == 1, 0.4, 0.45)
    bad[:3] = 0.9 * y[:3]
    for name, found in interval(Cases(y, {"good": good, "bad": bad}), measure, method=method, rng=1).items():
        assert least <= found.lower <= found.upper <= largest, name


@pytest.mark.parametrize("method", ["basic", "bca", "percentile"])
def test_nothing_lost_is_no_certainty_however_it_is_resampled(method):
    y = np.repeat([1, 0], [12, 60])
    cases, regret = Cases(y, {"a": y.astype(float)}), partial(expected_regret, costs=Uniform(LOW, HIGH))
    found, formula = (interval(cases, regret, method=by, rng=1)["a"] for by in (method, "analytic"))
    assert_allclose([found.lower, found.upper], [formula.lower, formula.upper], rtol=1e-12)


@pytest.mark.parametrize(
    ("probability", "written"),
    [(0.0, "<1%"), (1e-300, "<1%"), (0.0099, "<1%"), (0.01, "1%"), (0.5, "50%"), (0.99, "99%"), (1.0, ">99%")],
)
def test_no_sample_makes_a_probability_certain(probability, written):
    assert _wording.chance(probability) == written


def test_the_printed_probability_of_being_best_is_neither_0_nor_100():
    y = np.repeat([1, 0], [60, 240])
    models = {"perfect": np.where(y == 1, 0.99, 0.01), "wrong": np.where(y == 1, 0.01, 0.99)}
    result = evaluate(y, models, Decision("5%..20%", limits=LIMITS["capacity"]), rng=1)
    assert {standing.probability_best for standing in result.ranking} == {0.0, 1.0}
    lines = [
        line.split() for line in str(result).splitlines() if line.startswith(("perfect", "wrong", "act on no one"))
    ]
    assert [next(cell for cell in line if cell in ("<1%", ">99%", "0%", "100%")) for line in lines] == [
        ">99%",
        "<1%",
        "<1%",
    ]

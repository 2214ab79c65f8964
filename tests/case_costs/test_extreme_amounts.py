"""Amounts of any magnitude: the same decisions and probabilities, and money in another unit."""

import warnings

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from stakes import CaseCosts, Cases, Decision, Limits, compare, evaluate, interval, rank, score_table
from stakes.measures import cost_per_case, savings

N = 300
RNG = np.random.default_rng(11)
P = RNG.beta(1, 6, N)
Y = RNG.random(N) < P
AMOUNT = np.exp(RNG.normal(4, 1.2, N))
MODELS = {"exact": P, "noisy": np.clip(P * RNG.lognormal(0, 1, N), 0, 0.95)}
UNITS = [2.0**532, 1e-160]
DECISIONS = {
    "plain": Decision("as stated"),
    "range": Decision("x0.5..x2"),
    "capacity": Decision("as stated", limits=Limits(capacity=0.1)),
    "prevalence": Decision("as stated", prevalence=0.05),
}


def costs(unit):
    return CaseCosts(false_negative=AMOUNT * unit, false_positive=5 * unit, true_positive=5 * unit)


@pytest.fixture(scope="module", params=DECISIONS)
def usual(request):
    decision = DECISIONS[request.param]
    return decision, evaluate(Y, MODELS, decision, case_costs=costs(1.0), rng=0)


def numbers(standing):
    """Return all that is money of a standing."""
    found = [standing.regret.estimate, standing.regret.lower, standing.regret.upper]
    if standing.difference is not None:
        found += [standing.difference.difference, standing.difference.lower, standing.difference.upper]
    return np.array(found)


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.slow
def test_an_evaluation_in_another_unit(usual, unit):
    decision, wanted = usual
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = evaluate(Y, MODELS, decision, case_costs=costs(unit), rng=0)
        said = [one.kind for one in found.findings]
    assert [one.model for one in found.ranking] == [one.model for one in wanted.ranking]
    assert set(said) <= {one.kind for one in wanted.findings}  # of what all reads as 0.000, little is said
    for one, other in zip(found.ranking, wanted.ranking, strict=True):
        assert_allclose(numbers(one) / unit, numbers(other), rtol=1e-9)
        assert_allclose(one.probability_best, other.probability_best, rtol=1e-6, atol=1e-12)
        assert_allclose([one.skill, one.acts.mean], [other.skill, other.acts.mean], rtol=1e-9)


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("method", ["analytic", "bca", "basic"])
def test_intervals_and_differences_in_another_unit(unit, method):
    how = {"method": method, "n_resamples": 100, "rng": 0}
    here, there = (Cases(Y, MODELS, case_costs=costs(one)) for one in (1.0, unit))
    one, other = (interval(cases, cost_per_case, **how)["noisy"] for cases in (here, there))
    assert_allclose(np.array([other.lower, other.upper]) / unit, [one.lower, one.upper], rtol=1e-9)
    if method == "bca":
        return
    one, other = (compare(cases, "noisy", "exact", cost_per_case, **how) for cases in (here, there))
    assert_allclose(np.array([other.lower, other.upper]) / unit, [one.lower, one.upper], rtol=1e-9)


@pytest.mark.parametrize("unit", UNITS)
def test_ranks_in_another_unit(unit):
    one, other = (rank(Cases(Y, MODELS, case_costs=costs(at)), cost_per_case) for at in (1.0, unit))
    assert_allclose(list(other.probability_best.values()), list(one.probability_best.values()), rtol=1e-9)
    money = [
        [found.value_of_information, found.optimism, found.expected_loss["noisy"], found.estimate["noisy"]]
        for found in (one, other)
    ]
    assert_allclose(np.array(money[1]) / unit, money[0], rtol=1e-9)


def test_cases_of_all_magnitudes_are_decided_alike():
    unit = np.where(np.arange(N) % 2, 1e160, 1e-160)
    usual, mixed = costs(1.0), costs(unit)
    away = np.abs(usual.scores(P) - 0.5) > 1e-12
    assert_array_equal(usual.act(P)[away], mixed.act(P)[away])
    assert_allclose(mixed.scores(P), usual.scores(P), rtol=1e-12)
    assert_allclose(mixed.thresholds(), usual.thresholds(), rtol=1e-12)
    table = score_table(Y, P, case_costs=mixed)
    paid = np.where(usual.act(P), 5, AMOUNT * Y) - np.minimum(5, AMOUNT) * Y
    assert_allclose(cost_per_case(table), (paid * unit).sum() / N, rtol=1e-12)
    assert savings(table) <= 1
    found = evaluate(Y, MODELS, "as stated", case_costs=mixed).ranking[0].regret
    assert found.lower <= found.estimate <= found.upper < np.inf


def test_probabilities_next_to_0_do_not_lose_small_amounts():
    small = CaseCosts(false_negative=[2e-300, 3e-300], false_positive=[1e-300, 1e-300])
    assert_allclose(small.scores([1e-20, 0.25]), [2e-20, 0.5], rtol=1e-12)

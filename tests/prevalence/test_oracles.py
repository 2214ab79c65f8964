"""Every pairing of At, Uniform and LogOddsUniform against the definitions, in 25-digit arithmetic."""

from itertools import product

import mpmath as mp
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from prevalence import oracles
from strategies import COSTS, samples

from stakes import At, LogOddsUniform, Uniform, score_table
from stakes.prevalence import prior_adjusted_net_benefit, shifted_net_benefit, shifted_regret, shifted_weighted_accuracy

MEASURES = {
    "regret": shifted_regret,
    "net benefit": shifted_net_benefit,
    "prior-adjusted": prior_adjusted_net_benefit,
    "weighted accuracy": shifted_weighted_accuracy,
}
LAWS = {"logodds": LogOddsUniform, "even": Uniform}
CASES = (
    np.array([0, 1, 0, 1, 0, 1, 1]),
    np.array([0.02, 0.07, 0.21, 0.4, 0.5, 0.83, 0.995]),
    np.array([3.5, 1.0, 2.0, 0.25, 1.0, 0.7, 2.0]),
)


@pytest.mark.parametrize("measure", MEASURES)
@given(samples(ends=True), st.sampled_from(COSTS), st.sampled_from([0.013, 0.27, 0.66]))
def test_at_one_cost_and_prevalence_it_is_read_off_the_cases(measure, sample, cost, prevalence):
    y, score, weight = sample
    own = (y * weight).sum() / weight.sum()
    moved = score * (1 - own) * prevalence * (1 - cost) - (1 - score) * own * (1 - prevalence) * cost
    assume(np.abs(moved).min() > 1e-12)  # rounding may decide a tie either way
    expected = oracles.value(measure, sample, cost, prevalence)
    assert MEASURES[measure](score_table(*sample), At(cost), At(prevalence)) == pytest.approx(
        float(expected), abs=1e-14
    )


def laws():
    yield from product(LAWS, LAWS, MEASURES)


RANGES = {
    "ordinary": (0.05, 0.6, 0.03, 0.3),
    "rare": (0.01, 0.2, 7e-6, 7e-4),
    "crossing one half": (0.35, 0.8, 0.2, 0.9),
}


@pytest.mark.parametrize("ranges", RANGES)
@pytest.mark.parametrize(("cost_law", "share_law", "measure"), list(laws()))
def test_double_averages_are_the_integrals_of_the_definition(cost_law, share_law, measure, ranges):
    c0, c1, a, b = RANGES[ranges]
    expected = oracles.average(measure, CASES, oracles.law(cost_law, c0, c1), oracles.law(share_law, a, b))
    found = MEASURES[measure](score_table(*CASES), LAWS[cost_law](c0, c1), LAWS[share_law](a, b))
    assert found == pytest.approx(expected, rel=1e-13, abs=0)


CLOSED = [("logodds", "prior-adjusted"), ("logodds", "regret"), ("even", "regret")]


@pytest.mark.parametrize("ranges", RANGES)
@pytest.mark.parametrize(("cost_law", "measure"), CLOSED)
def test_double_averages_agree_with_the_dilogarithm_formulas(cost_law, measure, ranges):
    c0, c1, a, b = RANGES[ranges]
    y, _, weight = CASES
    own = (y * weight).sum() / weight.sum()
    total = mp.mpf(0)
    for label, s, w in zip(*CASES, strict=True):
        z = oracles.logit(mp.mpf(s)) - oracles.logit(mp.mpf(own))
        part = oracles.dilogarithm(measure, cost_law, bool(label), z, c0, c1, a, b)
        total += part * w / weight[y == label].sum()
    width = oracles.logit(mp.mpf(c1)) - oracles.logit(mp.mpf(c0)) if cost_law == "logodds" else mp.mpf(c1) - c0
    expected = float(total / width / (oracles.logit(mp.mpf(b)) - oracles.logit(mp.mpf(a))))
    found = MEASURES[measure](score_table(*CASES), LAWS[cost_law](c0, c1), LogOddsUniform(a, b))
    assert found == pytest.approx(expected, rel=1e-13, abs=0)


def single(measure, law, low, high, fixed, averaged):
    """Mean over one law, the other number fixed, from where each score begins to be acted on."""
    y, score, weight = CASES
    own = mp.mpf(float((y * weight).sum() / weight.sum()))
    turns = {oracles.logit(mp.mpf(low)), oracles.logit(mp.mpf(high))}
    for s in score:
        ratio = oracles.logit(mp.mpf(float(s))) - oracles.logit(own)
        at = oracles.logit(mp.mpf(fixed)) + (-ratio if averaged == "prevalence" else ratio)
        turns |= {at} if min(turns) < at < max(turns) else set()
    height = oracles.density(law, mp.mpf(low), mp.mpf(high))
    total = mp.mpf(0)
    for start, end in zip(sorted(turns), sorted(turns)[1:], strict=False):
        total += mp.quad(lambda u: height(u) * _value(measure, u, fixed, averaged), [start, end])
    return float(total)


def _value(measure, u, fixed, averaged):
    """Compute the measure from its definition, one of the two numbers given by its log-odds."""
    y, score, weight = CASES
    own = mp.mpf(float((y * weight).sum() / weight.sum()))
    v = oracles.logit(mp.mpf(fixed))
    share, cost = (u, v) if averaged == "prevalence" else (v, u)
    positive, on_action, negative, off_action = oracles.weights(measure, share, cost)
    total = mp.mpf(0)
    for label, s, w in zip(y, score, weight, strict=True):
        acted = share + oracles.logit(mp.mpf(float(s))) - oracles.logit(own) >= cost
        add, counts = (positive, on_action) if label else (negative, off_action)
        total += add * mp.mpf(float(w)) / weight[y == label].sum() if acted == counts else 0
    return total


@pytest.mark.sample(15)
@pytest.mark.parametrize(("low", "high", "cost"), [(0.03, 0.3, 0.2), (7e-6, 7e-4, 1 / 31), (0.4, 0.95, 0.75)])
@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("measure", MEASURES)
def test_averages_over_prevalence_at_one_cost(measure, law, low, high, cost):
    expected = single(measure, law, low, high, cost, "prevalence")
    found = MEASURES[measure](score_table(*CASES), At(cost), LAWS[law](low, high))
    assert found == pytest.approx(expected, rel=3e-14, abs=0)


@pytest.mark.sample(12)
@pytest.mark.parametrize(("low", "high", "share"), [(0.05, 0.6, 0.04), (0.002, 0.03, 7e-6), (0.3, 0.98, 0.7)])
@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("measure", MEASURES)
def test_averages_over_cost_at_one_prevalence(measure, law, low, high, share):
    expected = single(measure, law, low, high, share, "cost")
    found = MEASURES[measure](score_table(*CASES), LAWS[law](low, high), At(share))
    assert found == pytest.approx(expected, rel=3e-14, abs=1e-17)


def test_narrow_ranges_keep_their_digits():
    table = score_table(*CASES)
    for measure, law in product(MEASURES.values(), LAWS.values()):
        narrow = measure(table, law(0.1, 0.1 + 1e-7), law(0.05, 0.05 + 1e-7))
        assert narrow == pytest.approx(measure(table, At(0.1 + 5e-8), At(0.05 + 5e-8)), rel=1e-7)

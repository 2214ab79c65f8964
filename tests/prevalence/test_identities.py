"""Identities between the measures at another prevalence, and with the measures of a table."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import BELIEFS, COSTS, OTHER_BELIEFS, samples, tables

from stakes import (
    At,
    Beta,
    LogOddsUniform,
    Uniform,
    accuracy,
    at_prevalence,
    auc,
    expected_regret,
    net_benefit,
    recalibrate,
    score_table,
)
from stakes.beliefs import Atoms, Mixture
from stakes.measures import weighted_accuracy
from stakes.prevalence import (
    dca_log_score,
    prior_adjusted_net_benefit,
    shifted_accuracy,
    shifted_net_benefit,
    shifted_regret,
    shifted_weighted_accuracy,
)
from stakes.table import unsorted_table

FAMILY = (shifted_regret, shifted_net_benefit, prior_adjusted_net_benefit, shifted_weighted_accuracy)
BOUNDED = (At(0.3), Atoms([0.1, 0.35, 0.8], [5, 2, 1]), Uniform(0.05, 0.35), LogOddsUniform(0.02, 0.7), Beta(2, 5))
PREVALENCES = (
    At(0.12),
    Uniform(0.02, 0.3),
    LogOddsUniform(0.001, 0.4),
    Uniform(),
    Atoms([0.03, 0.2, 0.6], [1, 5, 2]),
    Mixture([At(0.25), LogOddsUniform(0.01, 0.2)], [1, 3]),
)


@pytest.mark.parametrize("law", [Uniform, LogOddsUniform])
@given(tables(ends=True), st.sampled_from(COSTS), st.sampled_from([(0.02, 0.31), (0.15, 0.93), (0.4, 0.55)]))
def test_regret_over_prevalence_is_a_bounded_score_of_the_shifted_table(law, table, cost, bounds):
    low, high = bounds
    moved = at_prevalence(table, 1 - cost)
    expected = expected_regret(moved, law(1 - high, 1 - low))
    assert shifted_regret(table, At(cost), law(low, high)) == pytest.approx(expected, rel=1e-12, abs=1e-15)


@pytest.mark.sample(3)
@pytest.mark.parametrize("costs", BELIEFS + OTHER_BELIEFS, ids=repr)
@settings(max_examples=15)
@given(tables())
def test_regret_at_one_prevalence_is_the_expected_regret_there(costs, table):
    expected = expected_regret(at_prevalence(table, 0.07), costs)
    assert shifted_regret(table, costs, At(0.07)) == pytest.approx(expected, rel=1e-12, abs=1e-15)


@pytest.mark.parametrize("cost", COSTS)
@settings(max_examples=30)
@given(samples(ends=True))
def test_at_the_own_prevalence_the_scores_themselves_decide(cost, sample):
    table = score_table(*sample)
    own = At(table.prevalence)
    assert shifted_regret(table, At(cost), own) == pytest.approx(expected_regret(table, At(cost)), abs=1e-15)
    assert shifted_net_benefit(table, At(cost), own) == pytest.approx(net_benefit(table, At(cost)), abs=1e-14)
    assert shifted_weighted_accuracy(table, At(cost), own) == pytest.approx(
        weighted_accuracy(table, cost=cost), abs=1e-14
    )
    assert shifted_accuracy(table, own) == pytest.approx(accuracy(table), abs=1e-15)


@pytest.mark.sample(12)
@pytest.mark.parametrize(("costs", "prevalence"), list(product(BOUNDED, PREVALENCES)), ids=repr)
@settings(max_examples=8)
@given(table=tables(ends=True))
def test_the_net_benefits_differ_by_the_odds_of_the_costs(costs, prevalence, table):
    ours, theirs = (measure(table, costs, prevalence) for measure in FAMILY[1:3])
    nobody = score_table([0, 1], [0.0, 0.0])  # is never acted on, so that only the true negatives are left
    offset = prior_adjusted_net_benefit(nobody, costs, prevalence)
    assert theirs == pytest.approx(ours + offset, rel=1e-10, abs=1e-12)


@given(tables(ends=True), st.sampled_from(COSTS), st.sampled_from(PREVALENCES))
def test_regret_is_the_prior_adjusted_net_benefit_that_is_missing(table, cost, prevalence):
    perfect = shifted_regret(score_table([0, 1], [1.0, 0.0]), At(cost), prevalence)  # every decision is wrong
    found = perfect - (1 - cost) * prior_adjusted_net_benefit(table, At(cost), prevalence)
    assert shifted_regret(table, At(cost), prevalence) == pytest.approx(found, abs=1e-14)


@given(tables(ends=True), st.sampled_from(COSTS), st.sampled_from([0.03, 0.21, 0.64]))
def test_weighted_accuracy_is_the_accuracy_at_another_prevalence(table, cost, share):
    moved = (1 - cost) * share / ((1 - cost) * share + cost * (1 - share))
    found = shifted_weighted_accuracy(table, Uniform(cost - 1e-9, cost + 1e-9), At(share))  # a tie need not be decided
    assert found == pytest.approx(shifted_accuracy(table, Uniform(moved - 1e-9, moved + 1e-9)), abs=2e-7)


@given(tables(), st.sampled_from(PREVALENCES))
def test_accuracy_is_the_prior_adjusted_net_benefit_at_one_half(table, prevalence):
    expected = prior_adjusted_net_benefit(table, At(0.5), prevalence)
    assert shifted_accuracy(table, prevalence) == pytest.approx(expected, abs=1e-15)


@given(tables())
def test_auc_is_the_mean_accuracy_over_the_prevalences_that_the_scores_imply(table):
    calibrated = recalibrate(table)
    share = calibrated.positive / calibrated.positive_total + calibrated.negative / calibrated.negative_total
    inside = (calibrated.score > 0) & (calibrated.score < 1)
    mean = share[~inside].sum() / 2  # prevalences 0 and 1, where every decision is right
    if inside.any():
        score = calibrated.score[inside]
        even = (
            score
            * calibrated.negative_total
            / (score * calibrated.negative_total + (1 - score) * calibrated.positive_total)
        )
        mean += share[inside].sum() / 2 * shifted_accuracy(calibrated, Atoms(1 - even, share[inside]))
    assert mean == pytest.approx(auc(calibrated), abs=1e-12)


@pytest.mark.parametrize("measure", FAMILY)
@settings(max_examples=15)
@given(tables(ends=True))
def test_a_mixture_is_the_mixture_of_the_values(measure, table):
    costs = Mixture([At(0.3), Uniform(0.1, 0.5)], [1, 3])
    prevalence = Mixture([LogOddsUniform(0.01, 0.2), At(0.25)], [2, 3])
    parts = [
        v * w * measure(table, cost, share)
        for cost, v in zip(costs.parts, costs.weights, strict=True)
        for share, w in zip(prevalence.parts, prevalence.weights, strict=True)
    ]
    assert measure(table, costs, prevalence) == pytest.approx(sum(parts), abs=1e-14)


@pytest.mark.parametrize("measure", FAMILY)
@settings(max_examples=15)
@given(tables(ends=True))
def test_a_mixture_may_hold_atoms_and_mixtures(measure, table):
    inner = Mixture([At(0.3), Uniform(0.1, 0.5)], [1, 3])
    nested = Mixture([Atoms([0.1, 0.35, 0.8], [5, 0, 1]), inner, At(0.2)], [1, 4, 0])
    flat = Mixture([At(0.1), At(0.8), At(0.3), Uniform(0.1, 0.5)], [5, 1, 6, 18])
    for other in (At(0.12), LogOddsUniform(0.01, 0.2)):
        assert measure(table, nested, other) == pytest.approx(measure(table, flat, other), abs=1e-14)
        assert measure(table, other, nested) == pytest.approx(measure(table, other, flat), abs=1e-14)


@pytest.mark.sample(4)
@pytest.mark.parametrize("prevalence", PREVALENCES, ids=repr)
@pytest.mark.parametrize("measure", FAMILY)
@settings(max_examples=8)
@given(samples(weight=st.integers(1, 3)))
def test_a_whole_weight_means_a_repeated_case_and_order_does_not_matter(measure, prevalence, sample):
    y, score, weight = sample
    repeated = score_table(np.repeat(y, weight)[::-1], np.repeat(score, weight)[::-1])
    costs = LogOddsUniform(0.05, 0.6)
    found = measure(repeated, costs, prevalence)
    assert measure(score_table(*sample), costs, prevalence) == pytest.approx(found, rel=1e-13, abs=1e-15)


@pytest.mark.parametrize("measure", FAMILY)
@settings(max_examples=8)
@given(samples(ends=True))
def test_cases_need_not_be_sorted(measure, sample):
    y, score, weight = sample
    cases = unsorted_table(y == 1, score, weight.astype(float))
    for costs, prevalence in product([At(0.3), Uniform(0.1, 0.4)], PREVALENCES):
        expected = measure(score_table(*sample), costs, prevalence)
        assert measure(cases, costs, prevalence) == pytest.approx(expected, rel=1e-12, abs=1e-15)


@given(tables())
def test_the_dca_log_score_is_the_printed_formula_with_its_constant_put_right(table):
    cost, low, high = 0.2, 0.03, 0.4
    moved = at_prevalence(table, 1 - cost)
    length = np.log(high / (1 - high)) - np.log(low / (1 - low))
    clipped = np.clip(moved.score, 1 - high, 1 - low)
    gain = moved.positive @ (np.log(clipped) - np.log(1 - high)) + moved.negative @ (np.log(1 - clipped) - np.log(low))
    expected = gain / moved.total / (1 - cost) / length
    assert dca_log_score(table, cost=cost, prevalence_range=(low, high)) == pytest.approx(expected, abs=1e-13)


def test_costs_up_to_one_are_infinitely_bad_only_for_a_certain_negative():
    sure, unsure = score_table([0, 1], [1.0, 0.5]), score_table([0, 1], [0.999, 0.5])
    for prevalence in (At(0.2), Uniform(0.1, 0.3), LogOddsUniform(0.1, 0.3)):
        assert shifted_net_benefit(sure, Uniform(0.5, 1.0), prevalence) == -np.inf
        assert -10 < shifted_net_benefit(unsure, Uniform(0.5, 1.0), prevalence) < 0
        assert prior_adjusted_net_benefit(unsure, Uniform(0.5, 1.0), prevalence) == np.inf

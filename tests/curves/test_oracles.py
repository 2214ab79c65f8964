"""Curves against the definition, case by case, at costs that tie with scores."""

import numpy as np
import pytest
from hypothesis import given
from numpy.testing import assert_allclose
from strategies import samples

from stakes import accuracy, decision_curve, regret_curve, roc_curve, score_table
from stakes.curves import brier_curve, interventions_avoided_curve, relative_utility_curve
from stakes.prevalence import accuracy_curve

AT = np.array([0.004, 0.05, 0.1, 0.12, 0.3, 0.35, 0.5, 0.75, 0.9, 0.985, 0.99])


def shares(y, score, weight, threshold):
    """Return false alarms, hits, misses and true negatives as shares of the weight, acting from the threshold up."""
    acts = score >= threshold
    return [
        np.average(event, weights=weight)
        for event in (acts & (y == 0), acts & (y == 1), ~acts & (y == 1), ~acts & (y == 0))
    ]


def regret(c, false, hit, miss, quiet):
    return c * false + (1 - c) * miss


DEFINITIONS = {
    regret_curve: regret,
    brier_curve: lambda c, *at: 2 * regret(c, *at),
    decision_curve: lambda c, false, hit, miss, quiet: hit - c / (1 - c) * false,
    interventions_avoided_curve: lambda c, false, hit, miss, quiet: quiet - (1 - c) / c * miss,
}


@pytest.mark.parametrize("curve", DEFINITIONS)
@given(samples(ends=True, one_class=True))
def test_a_curve_is_its_definition_case_by_case(curve, sample):
    expected = [DEFINITIONS[curve](c, *shares(*sample, c)) for c in AT]
    assert_allclose(curve(score_table(*sample)).at(AT), expected, rtol=1e-11, atol=1e-13)


@given(samples(ends=True))
def test_every_roc_point_is_the_pair_of_rates_at_its_threshold(sample):
    y, score, weight = sample
    curve = roc_curve(score_table(*sample))
    for x, rate, threshold in zip(curve.x, curve.y, curve.threshold, strict=True):
        false, hit, miss, quiet = shares(y, score, weight, threshold)
        assert_allclose([x, rate], [false / (false + quiet), hit / (hit + miss)], atol=1e-14)


def test_a_score_at_the_cost_acts():
    table = score_table([0, 1], [0.2, 0.6])
    assert_allclose(
        regret_curve(table).at([0.2, 0.6]), [0.1, 0.0], atol=1e-16
    )  # the negative still alarms, the positive is found
    assert_allclose(regret_curve(table).after([0.2, 0.6]), [0.0, 0.2], atol=1e-16)


def test_scores_of_0_and_1_leave_only_the_ends_of_their_pieces():
    curve = regret_curve(score_table([1, 0, 0], [0.0, 0.5, 1.0]))
    assert_allclose(curve.x, [0, 0, 0.5, 0.5, 1])
    assert_allclose(curve.y, np.array([0, 1, 1 - 0.5 + 2 * 0.5, 0.5 + 0.5, 1]) / 3)


def test_a_decision_curve_that_falls_without_end_stops_just_before_a_cost_of_one():
    curve = decision_curve(score_table([1, 0], [0.5, 1.0]))
    assert curve.x[-1] == np.nextafter(1, 0)
    assert curve.y[-1] < -1e14
    assert np.isnan(curve.at(1.0))
    assert_allclose(curve.at(0.999), -0.999 / 0.001 / 2)


def test_interventions_avoided_start_just_above_zero():
    curve = interventions_avoided_curve(score_table([1, 0], [0.0, 0.5]))
    assert 0 < curve.x[0] < 1e-150
    assert np.isnan(curve.at(0.0))
    assert_allclose(curve.at(0.25), -0.75 / 0.25 / 2)


def test_a_prevalence_that_is_also_a_score_adds_no_point_to_relative_utility():
    curve = relative_utility_curve(score_table([0, 0, 1], [0.1, 1 / 3, 0.6]))
    assert_allclose(curve.x, [0, 0.1, 0.1, 1 / 3, 1 / 3, 0.6, 0.6, 1], atol=1e-15)


def test_a_score_of_one_half_acts_at_the_prevalence_of_the_sample():
    table = score_table([0, 1, 1, 0, 1], [0.5, 0.5, 0.7, 0.2, 0.5])
    assert_allclose(accuracy_curve(table).at(table.prevalence), accuracy(table), rtol=1e-15)
    assert_allclose(accuracy_curve(table).before(table.prevalence), 3 / 5, rtol=1e-15)


def test_among_thresholds_with_one_false_positive_rate_a_roc_curve_has_the_best():
    curve = roc_curve(score_table([0, 1, 0, 1, 1], [1, 2, 3, 4, 5]))
    assert_allclose(curve.at([0, 0.25, 0.5, 1]), [2 / 3, 2 / 3, 1, 1])
    assert_allclose(curve.before([0.5]), [2 / 3])

"""Identities between the spaces, on tied samples with weights and scores at 0 and 1."""

import numpy as np
import pytest
from hypothesis import given
from numpy.testing import assert_allclose
from strategies import COSTS, SCORES, samples, tables, weights

from stakes import (
    LogOddsUniform,
    Uniform,
    accuracy,
    at_prevalence,
    auc,
    brier_score,
    calibration_curve,
    cost_curve,
    decision_curve,
    expected_regret,
    net_benefit,
    precision_recall_curve,
    recalibrate,
    regret_curve,
    roc_curve,
    score_table,
    treat_all,
    treat_none,
)
from stakes.curves import (
    best_decision_curve,
    brier_curve,
    class_loss_curves,
    comparable_decision_curve,
    cost_lines,
    dominates,
    interventions_avoided_curve,
    isometrics,
    normalised_cost_curve,
    relative_utility_curve,
    roc_hull,
    standardised_decision_curve,
    treat_by_prevalence,
    treat_perfectly,
)
from stakes.prevalence import accuracy_curve

# Costs at which to compare: tied with the scores, between them, and near the ends.
AT = np.unique(np.concatenate([COSTS, SCORES, [1e-9, 0.001, 0.5, 0.62, 0.995, 1 - 1e-9]]))
INNER = AT[(AT > 0.001) & (AT < 0.995)]
CLOSE = {"rtol": 1e-11, "atol": 1e-13}


@given(tables(ends=True, one_class=True))
def test_net_benefit_is_prevalence_less_brier_loss_over_twice_one_minus_the_cost(table):
    assert_allclose(
        decision_curve(table).at(INNER), table.prevalence - brier_curve(table).at(INNER) / (2 * (1 - INNER)), **CLOSE
    )


@given(tables(ends=True, one_class=True))
def test_the_area_under_the_brier_curve_is_the_brier_score(table):
    assert_allclose(brier_curve(table).area(), brier_score(table), **CLOSE)


@given(tables(ends=True, one_class=True))
def test_the_mean_of_the_regret_curve_over_a_range_is_the_expected_regret(table):
    assert_allclose(
        regret_curve(table).between(0.05, 0.35).area() / 0.3, expected_regret(table, Uniform(0.05, 0.35)), **CLOSE
    )


@given(tables(ends=True, one_class=True))
def test_the_envelope_area_is_the_brier_score_of_the_recalibrated_table(table):
    assert_allclose(cost_curve(table).area(), brier_score(recalibrate(table)), **CLOSE)


@given(tables(ends=True, one_class=True))
def test_the_envelope_area_is_the_refinement_loss_of_the_blocks(table):
    blocks = recalibrate(table)
    weight = (blocks.positive + blocks.negative) / table.total
    assert_allclose(cost_curve(table).area(), weight @ (blocks.score * (1 - blocks.score)), **CLOSE)


@given(tables(ends=True, one_class=True))
def test_the_envelope_is_the_brier_curve_of_the_recalibrated_table(table):
    assert_allclose(cost_curve(table).at(AT), brier_curve(recalibrate(table)).at(AT), **CLOSE)


@given(tables(ends=True, one_class=True))
def test_the_envelope_is_the_least_of_all_cost_lines(table):
    assert_allclose(cost_curve(table).at(AT), np.min([line.at(AT) for line in cost_lines(table)], axis=0), **CLOSE)


@given(tables(ends=True, one_class=True))
def test_the_threshold_of_an_envelope_point_is_the_threshold_of_a_line_through_it(table):
    curve = cost_curve(table)
    lines = cost_lines(table, thresholds=curve.threshold)
    assert_allclose(curve.y, [line.at(x) for line, x in zip(lines, curve.x, strict=True)], **CLOSE)


@given(tables(ends=True, one_class=True))
def test_the_best_decision_curve_is_the_decision_curve_of_the_recalibrated_table(table):
    assert_allclose(best_decision_curve(table).at(INNER), decision_curve(recalibrate(table)).at(INNER), **CLOSE)


@given(tables(ends=True))
def test_the_best_decision_curve_is_never_below_the_decision_curve_and_the_references(table):
    best = best_decision_curve(table)
    for curve in (decision_curve(table), treat_all(table), treat_none(table), treat_by_prevalence(table)):
        assert dominates(best, curve, x_range=(0, 0.99))


@given(tables(ends=True))
def test_no_decision_curve_is_above_perfect_decisions(table):
    assert dominates(treat_perfectly(table), best_decision_curve(table), x_range=(0, 0.99))


@given(tables(ends=True, one_class=True))
def test_treating_by_prevalence_is_the_better_of_all_and_none(table):
    assert_allclose(
        treat_by_prevalence(table).at(INNER),
        np.maximum(treat_all(table).at(INNER), treat_none(table).at(INNER)),
        **CLOSE,
    )


@given(tables(ends=True, one_class=True))
def test_comparable_net_benefit_is_twice_one_minus_the_cost_times_net_benefit(table):
    assert_allclose(
        comparable_decision_curve(table).at(INNER), 2 * (1 - INNER) * decision_curve(table).at(INNER), **CLOSE
    )


@given(tables(ends=True, one_class=True))
def test_the_area_under_comparable_net_benefit_is_prevalence_less_the_brier_score(table):
    assert_allclose(comparable_decision_curve(table).area(), table.prevalence - brier_score(table), **CLOSE)


@given(tables(ends=True, one_class=True))
def test_the_area_under_a_decision_curve_is_the_mean_net_benefit(table):
    assert_allclose(
        decision_curve(table).between(0.1, 0.8).area() / 0.7, net_benefit(table, Uniform(0.1, 0.8)), **CLOSE
    )


@given(tables(ends=True))
def test_standardised_net_benefit_is_net_benefit_over_prevalence(table):
    expected = (decision_curve(table).at(INNER) - 0.003) / table.prevalence
    assert_allclose(standardised_decision_curve(table, harm=0.003).at(INNER), expected, **CLOSE)


@given(tables(ends=True))
def test_relative_utility_is_one_less_regret_over_the_best_of_all_and_none(table):
    reference = np.minimum((1 - INNER) * table.prevalence, INNER * (1 - table.prevalence))
    assert_allclose(relative_utility_curve(table).at(INNER), 1 - regret_curve(table).at(INNER) / reference, **CLOSE)


@given(tables(ends=True))
def test_relative_utility_is_the_share_of_the_way_from_no_model_to_perfect(table):
    base = treat_by_prevalence(table).at(INNER)
    expected = (decision_curve(table).at(INNER) - base) / (table.prevalence - base)
    assert_allclose(relative_utility_curve(table).at(INNER), expected, rtol=1e-9, atol=1e-11)


@given(tables(ends=True, one_class=True))
def test_interventions_avoided_are_the_gain_over_treating_all_in_false_positives(table):
    gain = decision_curve(table).at(INNER) - treat_all(table).at(INNER)
    assert_allclose(interventions_avoided_curve(table).at(INNER), gain * (1 - INNER) / INNER, rtol=1e-9, atol=1e-11)


@given(tables(ends=True, one_class=True))
def test_losses_by_class_add_up_to_the_brier_curve(table):
    losses = class_loss_curves(table)
    assert_allclose(losses.positive.at(AT) + losses.negative.at(AT), brier_curve(table).at(AT), **CLOSE)


@given(tables(ends=True))
def test_the_normalised_cost_curve_is_the_envelope_on_other_axes(table):
    pi = table.prevalence
    worst = (1 - INNER) * pi + INNER * (1 - pi)
    assert_allclose(
        normalised_cost_curve(table).at((1 - INNER) * pi / worst) * 2 * worst, cost_curve(table).at(INNER), **CLOSE
    )


@given(tables(ends=True))
def test_the_area_under_the_roc_curve_is_the_auc_with_ties_counted_half(table):
    assert_allclose(roc_curve(table).area(), auc(table), **CLOSE)


@given(tables(ends=True))
def test_the_hull_is_the_roc_curve_of_the_recalibrated_table(table):
    assert_allclose(roc_hull(table).at(AT), roc_curve(recalibrate(table)).at(AT), **CLOSE)


@given(tables(ends=True))
def test_the_hull_is_concave_and_above_the_roc_curve(table):
    hull = roc_hull(table)
    wide = np.diff(hull.x) > 0
    slope = np.diff(hull.y)[wide] / np.diff(hull.x)[wide]
    assert (np.diff(slope) <= 1e-12).all()
    assert dominates(hull, roc_curve(table), x_range=(0, 1))


@given(tables(ends=True))
def test_precision_between_thresholds_is_hits_over_alarms_on_the_roc_curve(table):
    roc, precision, pi = roc_curve(table), precision_recall_curve(table), table.prevalence
    x, y = (roc.x[:-1] + roc.x[1:]) / 2, (roc.y[:-1] + roc.y[1:]) / 2
    rising = np.diff(roc.y) > 0
    expected = (pi * y / (pi * y + (1 - pi) * x))[rising]
    assert_allclose(precision.at(y[rising]), expected, **CLOSE)


@given(tables(ends=True))
def test_a_roc_point_lies_on_the_isometric_of_its_own_net_benefit(table):
    roc, cost = roc_curve(table), 0.35
    values = table.prevalence * roc.y - cost / (1 - cost) * (1 - table.prevalence) * roc.x
    lines = isometrics(table, values=values, measure="net benefit", cost=cost)
    found = [lines[v].at(x) for v, x in zip(values.tolist(), roc.x, strict=True) if v in lines]
    expected = [y for v, y in zip(values.tolist(), roc.y, strict=True) if v in lines]
    shown = ~np.isnan(found)  # rounding may put the end of a line just beside the point
    assert_allclose(np.array(found)[shown], np.array(expected)[shown], **CLOSE)


@pytest.mark.parametrize(
    ("measure", "cost", "value"), [("accuracy", 0.5, 0.8), ("Brier loss", 0.2, 0.1), ("regret", 0.2, 0.05)]
)
@given(tables())
def test_every_point_of_an_isometric_has_its_value(measure, cost, value, table):
    pi = table.prevalence
    for line in isometrics(table, values=[value], measure=measure, cost=cost).values():
        regret = cost * (1 - pi) * line.x + (1 - cost) * pi * (1 - line.y)
        found = {"accuracy": 1 - 2 * regret, "Brier loss": 2 * regret, "regret": regret}[measure]
        assert_allclose(found, value, **CLOSE)


@given(tables(ends=True))
def test_accuracy_at_the_sample_prevalence_is_the_ordinary_one(table):
    assert_allclose(accuracy_curve(table).at(table.prevalence), accuracy(table), **CLOSE)


@pytest.mark.parametrize("prevalence", [0.003, 0.21, 0.77])
@given(tables(ends=True))
def test_accuracy_at_a_prevalence_is_that_of_the_corrected_table(prevalence, table):
    assert_allclose(accuracy_curve(table).at(prevalence), accuracy(at_prevalence(table, prevalence)), **CLOSE)


@given(tables(ends=True))
def test_the_calibration_curve_has_the_recalibrated_value_at_every_score(table):
    learnt = recalibrate(table)
    curve = calibration_curve(table)
    assert_allclose(np.unique(curve.at(table.score)), learnt.score, **CLOSE)
    assert (np.diff(curve.y) >= 0).all()


@given(samples(weight=weights(integer=True)))
def test_integer_weight_means_repeated_case(sample):
    y, score, weight = sample
    a, b = score_table(y, score, weight), score_table(np.repeat(y, weight), np.repeat(score, weight))
    for curve in (decision_curve, cost_curve, roc_curve, relative_utility_curve, accuracy_curve):
        assert curve(a) == curve(b)


def test_a_quadratically_rescaled_decision_curve_has_the_bounded_brier_score_as_area():
    table = score_table([0, 1, 1, 0, 0, 0, 1], [0.1, 0.7, 0.15, 0.15, 0.3, 0.04, 0.12])
    low, high = 0.05, 0.2
    c = np.linspace(low, high, 300_001)
    middle = (c[1:] + c[:-1]) / 2
    gap = table.prevalence - decision_curve(table).at(middle)
    assert_allclose(
        gap @ np.diff(-((1 - c) ** 2) / 2) / (high - low), expected_regret(table, Uniform(low, high)), rtol=1e-5
    )
    belief = LogOddsUniform(low, high)
    assert_allclose(gap @ np.diff(np.log(c)) / belief.length, expected_regret(table, belief), rtol=1e-5)

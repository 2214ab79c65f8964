"""Calibration summaries, and the prevalence estimated from unlabelled scores."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from sklearn.linear_model import LogisticRegression
from strategies import samples

from stakes import ScoreTable, at_prevalence, calibration_summary, recalibrate, score_table
from stakes.prevalence import estimate_prevalence, reweight_classes


def cohort(seed=3, n=4000):
    rng = np.random.default_rng(seed)
    score = 1 / (1 + np.exp(-rng.normal(-1.5, 1.2, n)))
    true = 1 / (1 + np.exp(-(0.4 + 0.7 * np.log(score / (1 - score)))))
    return (rng.random(n) < true).astype(int), score, rng.choice([0.5, 1.0, 2.5], n)


def test_intercept_and_slope_are_those_of_scikit_learn():
    y, score, weight = cohort()
    found = calibration_summary(score_table(y, score, weight))
    log_odds = np.log(score / (1 - score))[:, None]
    fit = LogisticRegression(C=np.inf, tol=1e-12, max_iter=1000).fit(log_odds, y, sample_weight=weight)
    assert (found.intercept, found.slope) == pytest.approx((fit.intercept_[0], fit.coef_[0, 0]), rel=1e-5)


def test_the_fits_satisfy_their_own_equations():
    y, score, weight = cohort()
    found = calibration_summary(score_table(y, score, weight))
    log_odds = np.log(score / (1 - score))
    residual = weight * (y - 1 / (1 + np.exp(-(found.intercept + found.slope * log_odds))))
    assert residual.sum() == pytest.approx(0, abs=1e-9)
    assert residual @ log_odds == pytest.approx(0, abs=1e-9)
    shifted = 1 / (1 + np.exp(-(log_odds + found.in_the_large)))
    assert np.average(shifted, weights=weight) == pytest.approx(found.observed, rel=1e-12)


def test_observed_and_expected_are_means():
    y, score, weight = cohort()
    found = calibration_summary(score_table(y, score, weight))
    assert found.observed == pytest.approx(np.average(y, weights=weight), rel=1e-12)
    assert found.expected == pytest.approx(np.average(score, weights=weight), rel=1e-12)
    assert found.ratio == pytest.approx(found.observed / found.expected, rel=1e-15)


def inner_table():
    return ScoreTable.from_counts([0.1, 0.25, 0.6, 0.8], [10, 25, 60, 80], [90, 75, 40, 20])


@pytest.mark.parametrize("prevalence", [0.02, 0.2, 0.7])
def test_scores_from_elsewhere_tell_where_they_are_from(prevalence):
    calibrated = inner_table()
    found = calibration_summary(reweight_classes(calibrated, prevalence))
    assert found.assumed_prevalence == pytest.approx(calibrated.prevalence, rel=1e-10)
    assert found.slope == pytest.approx(1, rel=1e-10)
    adjusted = calibration_summary(at_prevalence(calibrated, prevalence))
    assert (adjusted.in_the_large, adjusted.intercept, adjusted.ratio) == pytest.approx((0, 0, 1), abs=1e-9)


def test_certain_scores_that_were_right_do_not_matter_for_the_fit():
    table = inner_table()
    certain = ScoreTable.from_counts([0, *table.score, 1], [0, *table.positive, 7], [9, *table.negative, 0])
    first, second = calibration_summary(table), calibration_summary(certain)
    assert (first.intercept, first.slope) == pytest.approx((second.intercept, second.slope), abs=1e-10)


def test_a_certain_score_that_was_wrong_leaves_no_fit():
    table = score_table([0, 1, 0, 1, 0], [0.2, 0.3, 0.6, 0.7, 1.0], [1, 1, 1, 1, 2.5])
    with pytest.warns(RuntimeWarning) as caught:
        found = calibration_summary(table)
    assert str(caught[0].message) == (
        "`calibration intercept and slope` is undefined with wrong scores of 0 or 1 (2.5); returning nan."
    )
    assert np.isnan([found.in_the_large, found.intercept, found.slope, found.assumed_prevalence]).all()
    assert found.ratio == pytest.approx((2 / 6.5) / ((0.2 + 0.3 + 0.6 + 0.7 + 2.5) / 6.5))


@pytest.mark.parametrize("y", [[0, 0, 1, 1], [1, 1, 0, 0]], ids=["rightly", "wrongly"])
def test_scores_that_separate_the_classes_have_no_slope(y):
    with pytest.warns(RuntimeWarning) as caught:
        found = calibration_summary(score_table(y, [0.1, 0.4, 0.4, 0.8]))
    assert str(caught[0].message) == (
        "`calibration slope` is undefined when the scores separate the classes; returning nan."
    )
    assert np.isnan([found.intercept, found.slope]).all()
    log_odds = np.log([0.1 / 0.9, 0.4 / 0.6, 0.4 / 0.6, 0.8 / 0.2])
    assert (1 / (1 + np.exp(-log_odds - found.in_the_large))).sum() == pytest.approx(2)


def test_scores_that_are_all_equal_have_no_slope_and_separate_nothing():
    with pytest.warns(RuntimeWarning) as caught:
        found = calibration_summary(score_table([0, 1, 0], [0.3, 0.3, 0.3]))
    assert np.isnan(found.slope)
    assert [str(warning.message) for warning in caught] == [
        "`calibration slope` is undefined when all scores are equal; returning nan."
    ]


def test_one_class_has_a_ratio_only():
    with pytest.warns(RuntimeWarning, match="without positives"):
        found = calibration_summary(score_table([0, 0], [0.1, 0.3]))
    assert found.ratio == 0
    assert np.isnan([found.in_the_large, found.intercept, found.slope, found.assumed_prevalence]).all()


def test_nothing_expected_leaves_no_ratio():
    with pytest.warns(RuntimeWarning, match="without positives"):
        assert np.isnan(calibration_summary(score_table([0, 0], [0.0, 0.0])).ratio)


# ---------------------------------------------------------------------------------------- estimate_prevalence


def em(score, weight, assumed, steps=20000):
    """Saerens, Latinne and Decaestecker, equation 2.9, step by step."""
    prevalence = assumed
    for _ in range(steps):
        up, down = score * prevalence / assumed, (1 - score) * (1 - prevalence) / (1 - assumed)
        prevalence = np.average(up / (up + down), weights=weight)
    return prevalence


def test_the_estimate_is_where_the_em_algorithm_ends():
    _, score, weight = cohort(n=300)
    found = estimate_prevalence(score, from_prevalence=0.2, weight=weight)
    assert found == pytest.approx(em(score, weight, 0.2), rel=1e-10)
    assert 0.05 < found < 0.9


@given(samples(ends=True), st.sampled_from([0.1, 0.35, 0.8]))
def test_no_other_prevalence_is_more_likely(sample, assumed):
    _, score, weight = sample
    assume((score != assumed).any())
    found = estimate_prevalence(score, from_prevalence=assumed, weight=weight)

    def likelihood(x):
        with np.errstate(divide="ignore"):
            return weight @ np.log(score * x / assumed + (1 - score) * (1 - x) / (1 - assumed))

    best = likelihood(found)
    assert all(best >= likelihood(x) - 1e-10 for x in np.linspace(0, 1, 101))


def test_a_calibrated_model_finds_the_new_prevalence():
    table = recalibrate(inner_table())
    moved = reweight_classes(table, 0.03)
    found = estimate_prevalence(table.score, from_prevalence=table.prevalence, weight=moved.positive + moved.negative)
    assert found == pytest.approx(0.03, rel=1e-10)


@pytest.mark.parametrize(("scores", "expected"), [([0.0, 0.0], 0.0), ([1.0], 1.0), ([0.01, 0.02], 0.0)])
def test_the_estimate_may_lie_at_an_end(scores, expected):
    assert estimate_prevalence(scores, from_prevalence=0.3) == expected


def test_scores_that_say_nothing_give_nan():
    with pytest.warns(RuntimeWarning) as caught:
        assert np.isnan(estimate_prevalence([0.3, 0.3], from_prevalence=0.3))
    assert str(caught[0].message) == (
        "`estimate_prevalence` is undefined when every score equals `from_prevalence`; returning nan."
    )


def test_scores_must_be_probabilities():
    with pytest.raises(ValueError, match=r"`score` must be a probability between 0 and 1, got .* at row 1"):
        estimate_prevalence([0.2, 1.5], from_prevalence=0.3)
    with pytest.raises(ValueError, match="from_prevalence") as caught:
        estimate_prevalence([0.2], from_prevalence=1.0)
    assert str(caught.value) == "`from_prevalence` must lie strictly between 0 and 1, got 1."

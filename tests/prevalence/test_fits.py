"""The fits behind a calibration summary: with a closed form, without a solution, and with extreme scores."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import logit
from strategies import tables

from stakes import ScoreTable, calibration_summary, score_table

COUNTS = st.sampled_from([0.01, 0.5, 1, 3, 40, 999, 1e6])
NEXT_TO_ONE = 1 - 2.0**-53


@pytest.mark.filterwarnings("ignore:`calibration slope` is undefined:RuntimeWarning")
@pytest.mark.parametrize("score", [1e-320, 1e-12, 0.003, 0.4, 0.97, NEXT_TO_ONE])
@given(COUNTS, COUNTS)
def test_a_single_score_is_moved_to_the_observed_share_however_far_off_it_is(score, positive, negative):
    found = calibration_summary(ScoreTable.from_counts([score], [positive], [negative]))
    assert found.in_the_large == pytest.approx(np.log(positive / negative) - logit(score), rel=1e-12, abs=1e-12)
    assert found.assumed_prevalence == pytest.approx(score, rel=1e-7)


@pytest.mark.parametrize("scores", [(0.1, 0.7), (0.3, 0.31), (1e-9, 0.2), (0.6, 1 - 1e-9), (1e-300, NEXT_TO_ONE)])
@given(st.tuples(COUNTS, COUNTS), st.tuples(COUNTS, COUNTS))
def test_two_scores_are_fitted_exactly(scores, positive, negative):
    found = calibration_summary(ScoreTable.from_counts(scores, positive, negative))
    fitted = found.intercept + found.slope * logit(scores)
    assert fitted == pytest.approx(np.log(np.divide(positive, negative)), rel=1e-9, abs=1e-9)


@pytest.mark.filterwarnings("ignore:`calibration slope` is undefined:RuntimeWarning")
@given(tables())
def test_a_slope_exists_where_no_threshold_separates_the_classes(table):
    high, low = (table.score[column > 0] for column in (table.positive, table.negative))
    separated = high.min() >= low.max() or high.max() <= low.min()
    found = calibration_summary(table)
    assert bool(np.isnan(found.slope)) == separated
    assert bool(np.isnan(found.intercept)) == separated
    assert np.isfinite(found.in_the_large)


def test_far_outlying_cases_of_little_weight_do_not_end_the_fit():
    """The rows that decide the slope weigh next to nothing, and the others are almost certain of their outcome."""
    scores, positive, negative = np.array([0.2, 0.4, 0.6]), np.array([0.01, 0, 1e6]), np.array([1e6, 0.01, 0])
    found = calibration_summary(ScoreTable.from_counts(scores, positive, negative))
    risk = 1 / (1 + np.exp(-found.intercept - found.slope * logit(scores)))
    residual = positive - (positive + negative) * risk
    assert [residual.sum(), residual @ logit(scores)] == pytest.approx([0, 0], abs=1e-9)


@pytest.mark.parametrize(
    ("scores", "positive", "negative", "wrong"),
    [
        ([0, 0.2, 0.6], [0.5, 1, 2], [0, 2, 1], "0.5"),
        ([0.2, 0.6, 1], [1, 2, 3], [2, 1, 0.25], "0.25"),
        ([0, 0.2, 0.6, 1], [0.5, 1, 2, 3], [1, 2, 1, 0.25], "0.75"),
    ],
    ids=["a positive at 0", "a negative at 1", "both"],
)
def test_certain_scores_that_were_wrong_are_weighed_in_the_warning(scores, positive, negative, wrong):
    with pytest.warns(RuntimeWarning) as caught:
        found = calibration_summary(ScoreTable.from_counts(scores, positive, negative))
    assert str(caught[0].message) == (
        f"`calibration intercept and slope` is undefined with wrong scores of 0 or 1 ({wrong}); returning nan."
    )
    assert np.isnan([found.in_the_large, found.intercept, found.slope]).all()


@pytest.mark.parametrize(("outcome", "missing"), [(0, "positives"), (1, "negatives")])
def test_one_class_leaves_no_fit(outcome, missing):
    with pytest.warns(RuntimeWarning) as caught:
        found = calibration_summary(score_table([outcome] * 2, [0.1, 0.3]))
    assert str(caught[0].message) == f"`calibration_summary` is undefined without {missing}; returning nan."
    assert np.isnan([found.in_the_large, found.intercept, found.slope, found.assumed_prevalence]).all()
    assert found.ratio == pytest.approx(outcome / 0.2)


@pytest.mark.parametrize("wrong", [-0.5, 1.5])
def test_a_summary_needs_probabilities(wrong):
    with pytest.raises(ValueError, match=f"^`score` must be a probability between 0 and 1, got {wrong}; "):
        calibration_summary(score_table([0, 1, 1], [0.2, 0.4, wrong]))

"""Right scores of 0 and 1 that hold all cases of a class, so that nothing is left to fit."""

import math

import pytest

from stakes import calibration_summary, score_table


@pytest.mark.parametrize(
    ("y", "score"),
    [([0, 0, 1, 1], [0.0, 0.0, 0.3, 0.6]), ([1, 1, 0, 0], [1.0, 1.0, 0.3, 0.6])],
    ids=["negatives", "positives"],
)
def test_a_class_of_certain_scores_leaves_no_fit(y, score):
    with pytest.warns(RuntimeWarning, match="when all cases of a class have scores of 0 or 1"):
        summary = calibration_summary(score_table(y, score))
    assert all(math.isnan(fit) for fit in (summary.in_the_large, summary.intercept, summary.slope))
    assert summary.observed == 0.5

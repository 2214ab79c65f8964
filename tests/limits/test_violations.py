"""Violations of limits by a policy, at the costs that may occur."""

from dataclasses import astuple

import numpy as np
import pytest

from stakes import Limits, Uniform, best_thresholds, score_table
from stakes.policy import policy_cost

# Between cost proportions 0.1 and 0.25 there are eight alarms among ten cases, half of them true; up to 0.5 four, of
# which three are true; then two, both true.
TABLE = score_table([1, 1, 0, 1, 0, 0, 0, 1, 0, 0], np.arange(10, 0, -1))
POLICY = best_thresholds(TABLE, Uniform(0.1, 0.9))
EVERY, DEAR = Uniform(0.1, 0.9), Uniform(0.3, 0.9)
FIRST = 0.15 / 0.8


@pytest.mark.parametrize(
    ("limits", "costs", "wanted"),
    [
        (Limits(capacity=0.5), EVERY, (FIRST, 300, 0, 0)),
        (Limits(min_precision=0.6), EVERY, (0, 0, FIRST, 0.1)),
        (Limits(capacity=0.5, min_precision=0.9), EVERY, (FIRST, 300, 0.5, 0.4)),
        (Limits(capacity=0), EVERY, (1, 800, 0, 0)),
        (Limits(capacity=0), DEAR, (1, 400, 0, 0)),
        (Limits(capacity=0.5), DEAR, (0, 0, 0, 0)),
        (Limits(min_precision=0.6), DEAR, (0, 0, 0, 0)),
        (Limits(), EVERY, (0, 0, 0, 0)),
    ],
    ids=repr,
)
def test_what_is_broken_how_often_and_how_far(limits, costs, wanted):
    broken = policy_cost(POLICY, TABLE, costs, limits=limits).violations
    assert astuple(broken) == pytest.approx(wanted, rel=1e-12)
    assert broken.any is any(wanted)

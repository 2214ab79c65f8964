"""Curves of follow-up: those of Aalen and Johansen, of leaving, and the numbers still followed, by slow loops."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from stakes import EventBy, InputError
from stakes.curves import follow_up_curve
from stakes.outcome import CensoringBy, CoxCensoring

HORIZON = 3.5
pytestmark = pytest.mark.filterwarnings("ignore:`cause` 1 never occurs")


@st.composite
def followed(draw):
    size = draw(st.integers(2, 12))
    pairs = draw(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 2)), min_size=size, max_size=size))
    return np.array([*(time for time, _ in pairs), 7.0]), np.array([*(event for _, event in pairs), 0])


def slowly(time, event, when):
    """Return the risk of event 1 and of event 2 by a time, and the chance of staying beyond it."""
    free, staying, risk = 1.0, 1.0, [0.0, 0.0]
    for at in sorted({t for t in time if t <= when}):
        at_risk = sum(time >= at)
        for cause in (1, 2):
            risk[cause - 1] += free * sum((time == at) & (event == cause)) / at_risk
        leave, events = sum((time == at) & (event == 0)), sum((time == at) & (event > 0))
        free *= 1 - events / at_risk
        staying *= 1 - leave / (at_risk - events) if leave else 1.0
    return *risk, staying


@given(followed())
def test_the_curves_are_those_of_slow_loops_at_every_time(cases):
    time, event = cases
    outcome = EventBy(time, event, HORIZON)
    found = follow_up_curve(outcome)
    for when in np.arange(0, HORIZON + 0.1, 0.5):
        risk, other, staying = slowly(time, event, when)
        assert_allclose(found.risk.at(when), risk, atol=1e-12)
        assert_allclose(0.0 if found.competing is None else found.competing.at(when), other, atol=1e-12)
        assert_allclose(found.staying.at(when), staying, atol=1e-12)
        assert found.followed.at(when) == np.count_nonzero(time >= when)
    assert (found.competing is None) == (not outcome.competing.any())


@pytest.mark.parametrize("censoring", [None, CensoringBy([0, 1] * 30), CoxCensoring(np.arange(60) % 7)])
def test_by_the_horizon_the_risk_is_that_of_the_outcome(censoring):
    rng = np.random.default_rng(1)
    outcome = EventBy(rng.integers(1, 9, 60) + 0.0, rng.integers(0, 3, 60), 5, censoring=censoring)
    assert_allclose(follow_up_curve(outcome).risk.at(5), outcome.risk, rtol=1e-12)


def test_those_who_enter_late_are_followed_from_then_on():
    found = follow_up_curve(EventBy([2, 3, 4, 6], [1, 0, 1, 0], 5, entry=[0, 0, 1, 2]))
    assert [float(found.followed.at(when)) for when in (1, 1.5, 2, 2.5, 3, 3.5, 5)] == [2, 3, 3, 3, 3, 2, 1]
    assert_allclose(found.risk.at(5), EventBy([2, 3, 4, 6], [1, 0, 1, 0], 5, entry=[0, 0, 1, 2]).risk)


def test_of_several_horizons_the_last_is_taken():
    time, event = [1, 2, 3, 4, 6, 8], [1, 0, 1, 2, 0, 1]
    several, one = (follow_up_curve(EventBy(time, event, horizon)) for horizon in ([2, 5], 5))
    assert_allclose(several.risk.y, one.risk.y)
    with pytest.raises(InputError, match=r"^`outcome` must be an EventBy, got list\.$"):
        follow_up_curve([1, 2])

"""The Brier score of scikit-survival, by the formula that its documentation states, where no times are tied.

``sksurv.metrics.brier_score`` (S. Poelsterl (2020), "scikit-survival: a library for time-to-event analysis built on top
of scikit-learn", Journal of Machine Learning Research 21(212), 1-6): the squared error of an event at time *y* up to
the horizon *t* is divided by the Kaplan-Meier estimate of staying *G(y)*, that of a case followed beyond *t* by *G(t)*,
and the sum by the number of cases. Events and censorings at one time are told apart here, but not there; the cases are
those of ``test_followed_in_r``, their times made distinct.
"""

from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

from stakes import EventBy, brier_score, score_table

PBC = np.genfromtxt(Path(__file__).with_name("pbc_two_risks.csv"), delimiter=",", names=True)


def as_documented(time, event, risk, horizon):
    """Return the Brier score by the documented formula, with the curve of staying at the time of an event itself."""
    staying, at_risk, curve = 1.0, len(time), {}
    for when in np.unique(time):
        leave, events = (np.count_nonzero((time == when) & kind) for kind in (~event, event))
        staying *= 1 - leave / max(at_risk - events, 1)
        curve[when] = staying
        at_risk -= np.count_nonzero(time == when)
    at = max(when for when in curve if when <= horizon)
    had = event & (time <= horizon)
    squares = [(1 - p) ** 2 / curve[when] for when, p in zip(time[had], risk[had], strict=True)]
    squares += [p**2 / curve[at] for p in risk[time > horizon]]
    return sum(squares) / len(time)


@pytest.mark.parametrize("horizon", [500, 1000, 2000, 3000])
@pytest.mark.parametrize("model", ["risk_a", "risk_b"])
def test_the_brier_score_is_that_of_scikit_survival_where_no_times_are_tied(model, horizon):
    time = PBC["days"] + np.linspace(0, 0.5, len(PBC))
    event, risk = PBC["death"] == 1, PBC[model]
    assert len(np.unique(time)) == len(time)
    found = brier_score(score_table(EventBy(time, event, horizon), risk))
    assert_allclose(found, as_documented(time, event, risk, horizon), rtol=1e-12)


def test_with_tied_times_events_count_too_much_there():
    """A constant forecast of the Kaplan-Meier risk has the Brier score risk (1 - risk), which ties must not change."""
    years = np.ceil(PBC["days"] / 365.25)
    outcome = EventBy(years, PBC["death"] == 1, 6)
    constant = np.full(len(PBC), outcome.risk)
    right = outcome.risk * (1 - outcome.risk)
    assert_allclose(brier_score(score_table(outcome, constant)), right, rtol=1e-12)
    assert as_documented(years, PBC["death"] == 1, constant, 6) > right + 0.003

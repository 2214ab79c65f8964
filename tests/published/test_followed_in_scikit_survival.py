"""The Brier score and the AUC of scikit-survival, where no times are tied: numbers that it prints, and its formula.

``sksurv.metrics`` (S. Poelsterl (2020), "scikit-survival: a library for time-to-event analysis built on top of
scikit-learn", Journal of Machine Learning Research 21(212), 1-6; GPL), version 0.28.0: `brier_score` of one minus the
risk, and `cumulative_dynamic_auc` of the risk, each with the cases as both samples. As its documentation states, the
squared error of an event at time *y* up to the horizon *t* is divided by the Kaplan-Meier estimate of staying *G(y)*,
that of a case followed beyond *t* by *G(t)*, and the sum by the number of cases. Events and censorings at one time are
told apart here, but not there; the cases are those of ``test_followed_in_r``, their times made distinct.
"""

from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

from stakes import EventBy, auc, brier_score, score_table

PBC = np.genfromtxt(Path(__file__).with_name("pbc_two_risks.csv"), delimiter=",", names=True)

DISTINCT = PBC["days"] + np.linspace(0, 0.5, len(PBC))
PRINTED = {  # Brier score and AUC
    (500, "risk_a"): (0.1258393772963548, 0.9148432055749128),
    (500, "risk_b"): (0.11892595780068395, 0.8393031358885017),
    (1000, "risk_a"): (0.11344391896521995, 0.8808333020646322),
    (1000, "risk_b"): (0.14093266706107643, 0.7775056311655357),
    (2000, "risk_a"): (0.1095551256180655, 0.9070125456949516),
    (2000, "risk_b"): (0.1575537338518413, 0.79361382580108),
    (3000, "risk_a"): (0.18298220966191547, 0.8145221368687157),
    (3000, "risk_b"): (0.2118701004019333, 0.7764038692839207),
}
TIED = {3: 0.11015227294073889, 6: 0.1304577656205307}  # Brier scores of years that are rounded up, risk_a


@pytest.mark.parametrize(("horizon", "model"), PRINTED)
def test_both_numbers_are_those_that_scikit_survival_prints(horizon, model):
    table = score_table(EventBy(DISTINCT, PBC["death"] == 1, horizon), PBC[model])
    assert_allclose([brier_score(table), auc(table)], PRINTED[horizon, model], rtol=1e-13)


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
    time, event, risk = DISTINCT, PBC["death"] == 1, PBC[model]
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


@pytest.mark.parametrize("horizon", TIED)
def test_what_it_prints_of_tied_times_is_its_formula_and_not_ours(horizon):
    years, event, risk = np.ceil(PBC["days"] / 365.25), PBC["death"] == 1, PBC["risk_a"]
    assert_allclose(as_documented(years, event, risk, horizon), TIED[horizon], rtol=1e-13)
    assert abs(brier_score(score_table(EventBy(years, event, horizon), risk)) - TIED[horizon]) > 5e-4

"""Figures of plans and watches show their numbers."""

import numpy as np
from matplotlib.figure import Figure

from stakes import Cases, brier_score
from stakes.monitoring import watch
from stakes.planning import value_of_cases
from stakes.plot import draw_value_of_cases, draw_watch

Y, GOOD, BAD = [0, 1, 0, 0] * 50, [0.1, 0.8, 0.3, 0.2] * 50, [0.6, 0.1, 0.7, 0.2] * 50


def test_the_value_of_cases_is_drawn_in_order():
    rng = np.random.default_rng(1)
    noisy = np.clip(np.array(GOOD) + rng.normal(0, 0.1, 200), 0, 1)
    plan = value_of_cases(Cases(Y, {"a": GOOD, "b": noisy}), brier_score, more=(1000, 10, 100))
    curve, perfect = draw_value_of_cases(Figure().subplots(), plan).lines
    assert curve.get_xdata().tolist() == [10, 100, 1000]
    assert curve.get_ydata().tolist() == plan.value[[1, 2, 0]].tolist()
    assert perfect.get_ydata()[0] == plan.perfect


def test_evidence_is_drawn_with_its_alarm():
    seen = watch([(Y, GOOD), (Y, GOOD), (Y, BAD)], "20%", promised=0.12)
    curve, limit, alarm = draw_watch(Figure().subplots(), seen).lines
    assert np.allclose(curve.get_ydata()[:2], 10 ** seen.evidence[:2])
    assert curve.get_ydata()[2] == 24_000  # as high as is drawn
    assert limit.get_ydata()[0] == 240
    assert alarm.get_xdata() == [3]
    still = draw_watch(Figure().subplots(), watch([(Y, GOOD)], "20%", promised=0.15))
    assert len(still.lines) == 2

"""Figures of follow-up: what is drawn is what the curves hold."""

import numpy as np
import pytest
from matplotlib.figure import Figure
from numpy.testing import assert_allclose

from stakes import Cases, EventBy, InputError, auc, brier_score, interval
from stakes.curves import follow_up_curve
from stakes.plot import draw_calibration, draw_follow_up, draw_horizons
from stakes.uncertainty import horizon_curve

RNG = np.random.default_rng(3)
X = RNG.normal(size=200)
TIME, LEFT = RNG.exponential(3 * np.exp(-X)), RNG.exponential(5, 200)
EVENT = np.where(TIME <= LEFT, RNG.integers(1, 3, 200), 0)
OUTCOME = EventBy(np.minimum(TIME, LEFT), EVENT, [1, 3])
SCORE = 1 / (1 + np.exp(-X))
CASES = Cases(OUTCOME, {"a": np.column_stack([SCORE / 2, SCORE]), "b": np.full((200, 2), 0.3)})

ALONE = Cases(EventBy(np.minimum(TIME, LEFT), TIME <= LEFT, 3), {"a": SCORE})


def test_risks_staying_and_numbers_are_drawn():
    curves = follow_up_curve(OUTCOME)
    ax = draw_follow_up(Figure().subplots(), curves)
    assert [line.get_label() for line in ax.lines[:3]] == ["the event", "another event first", "still followed"]
    assert_allclose(ax.lines[0].get_ydata()[-1], OUTCOME.at(3).risk)
    labels = {label.get_text() for label in ax.get_xticklabels()}
    assert f"3\n{np.count_nonzero(np.minimum(TIME, LEFT) >= 3)}" in labels


def test_a_measure_over_horizons_has_its_intervals():
    found = horizon_curve(CASES, auc, level=0.9)
    for place, time in enumerate((1, 3)):
        alone = interval(CASES.at(time), auc, level=0.9)["a"]
        assert (found["a"].estimate[place], found["a"].lower[place], found["a"].upper[place]) == (
            alone.estimate,
            alone.lower,
            alone.upper,
        )
    ax = draw_horizons(Figure().subplots(), horizon_curve(CASES, brier_score))
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["a", "b"]
    assert [label.get_text() for label in ax.get_xticklabels()] == ["1", "3"]
    assert ax.get_ylabel() == "Brier score"
    with pytest.raises(InputError) as error:
        horizon_curve(CASES.at(3), auc)
    assert str(error.value) == ("`cases` must have several horizons, got one; write `EventBy(time, event, [1, 3, 5])`.")


def test_everyone_is_in_the_histogram_in_three_colours():
    cases = CASES.at(3)
    _, spread = draw_calibration(Figure().subplots(2, 1), {"a": cases.table("a")}, cases=cases, bins=10)
    assert sum(patch.get_height() for patch in spread.patches) == len(cases)
    names = [text.get_text() for text in spread.get_legend().get_texts()]
    assert names == ["event", "another event or none", "unknown"]
    heights = np.array([patch.get_height() for patch in spread.patches]).reshape(3, 10).sum(axis=1)
    known = OUTCOME.at(3).known
    positive = OUTCOME.at(3).positive
    assert heights.tolist() == [positive.sum(), (known & ~positive).sum(), (~known).sum()]
    _, spread = draw_calibration(Figure().subplots(2, 1), {"a": ALONE.table("a")}, cases=ALONE)
    assert [text.get_text() for text in spread.get_legend().get_texts()] == ["event", "free of it", "unknown"]
    with pytest.raises(InputError) as error:
        draw_calibration(Figure().subplots(2, 1), {"a": cases.table("a")}, cases=CASES)
    assert str(error.value) == "`cases` must have an EventBy of one horizon for their outcome, got another."

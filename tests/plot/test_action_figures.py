"""Figures of several actions and of own thresholds: what is drawn is what was computed."""

import numpy as np
import pytest
from matplotlib.figure import Figure

from stakes import CaseCosts, EventBy, InputError, score_table
from stakes.beliefs import Actions
from stakes.plot import draw_actions, draw_own_thresholds
from stakes.plot._style import PALETTE, REFERENCE

TRIAGE = Actions({"discharge": (0, 20), "wait": (3, 9), "observe": (1, 6), "admit": (4, 1)})
TABLE = score_table([0, 0, 1, 1, 1], [0.05, 0.2, 0.3, 0.375, 0.9])


def test_each_action_is_bold_where_it_is_the_cheapest():
    ax = draw_actions(Figure().subplots(), TABLE, TRIAGE)
    bold = [line for line in ax.lines if line.get_linewidth() == 3]
    grid = np.linspace(0, 1, 401)
    means = {name: (1 - grid) * pair[0] + grid * pair[1] for name, pair in TRIAGE.costs.items()}
    least = np.min(list(means.values()), axis=0)
    for line, name in zip(bold, TRIAGE.kept, strict=True):
        low, high = line.get_xdata()
        inside = (grid >= low) & (grid <= high)
        np.testing.assert_allclose(means[name][inside], least[inside])
        np.testing.assert_allclose(line.get_ydata(), np.interp([low, high], grid, means[name]))
    assert [line.get_xdata()[0] for line in bold[1:]] == list(TRIAGE.thresholds)
    assert [text.get_text() for text in ax.texts] == ["discharge 20%", "observe 40%", "admit 40%"]
    (dotted,) = (line for line in ax.lines if line.get_linestyle() == ":")
    assert (dotted.get_color(), list(dotted.get_ydata())) == (REFERENCE, [3, 9])


def test_shares_count_everyone_though_some_left_before_the_horizon():
    rng = np.random.default_rng(5)
    score = np.round(rng.random(200), 2)
    outcome = EventBy(rng.exponential(8 - 6 * score), rng.random(200) < 0.5, 2)
    ax = draw_actions(Figure().subplots(), score_table(outcome, score), TRIAGE)
    given = TRIAGE.decide(score)
    shares = [f"{name} {np.mean(given == name):.0%}" for name in TRIAGE.kept]
    assert [text.get_text() for text in ax.texts] == shares


def test_a_case_that_pays_to_act_on_only_if_negative_is_coloured_by_its_decision():
    costs = CaseCosts(false_negative=[-3, 9], false_positive=[-3, 1])
    ax = draw_own_thresholds(Figure().subplots(), costs, [10.0, 20.0], [0.1, 0.9])
    _, acted = ax.collections
    assert acted.get_offsets().tolist() == [[10, 0.1], [20, 0.9]]
    assert costs.act([0.1, 0.9]).all()


def test_thresholds_fall_with_the_amount_and_cases_are_coloured_by_the_decision():
    amount = np.array([1000.0, 4.0, 100.0, 10.0])
    costs = CaseCosts(false_negative=amount, false_positive=5, true_positive=5)
    ax = draw_own_thresholds(Figure().subplots(), costs, amount, [0.001, 0.9, 0.2, 0.6])
    assert ax.lines[0].get_xydata().tolist() == [[10, 0.5], [100, 0.05], [1000, 0.005]]
    left, acted = ax.collections
    assert left.get_offsets().tolist() == [[1000, 0.001], [4, 0.9]]
    assert acted.get_offsets().tolist() == [[100, 0.2], [10, 0.6]]
    assert ax.get_xscale() == "log"
    assert ax.lines[0].get_color() == PALETTE[0]


def test_bad_arguments_are_named():
    ax = Figure().subplots()
    with pytest.raises(InputError, match="`actions` must be"):
        draw_actions(ax, TABLE, 0.2)
    with pytest.raises(InputError, match="`case_costs` must be"):
        draw_own_thresholds(ax, 3, [1, 2])
    with pytest.raises(InputError, match="amount"):
        draw_own_thresholds(ax, CaseCosts(false_negative=3), [1, 2], [0.1])

"""Displays of a sample of several models, and of two that are compared: what they draw is what was computed."""

import numpy as np
import pytest
from matplotlib.figure import Figure
from numpy.testing import assert_array_equal

from stakes import Cases, accuracy, band, decision_curve
from stakes.plot import (
    CalibrationDisplay,
    ClassLossDisplay,
    DecisionCurveDisplay,
    DifferenceDisplay,
    GroupDifferencesDisplay,
    RegretCurveDisplay,
)
from stakes.uncertainty import calibration_band, compare_groups, crossing_set

DRAWN = np.random.default_rng(5)
RISK = DRAWN.uniform(0.02, 0.7, 300)
CASES = Cases(
    DRAWN.random(300) < RISK, {"a": RISK, "b": np.clip(RISK + DRAWN.normal(0, 0.2, 300), 0.01, 0.99).round(2)}
)
GROUP = np.where(DRAWN.random(300) < 0.4, "f", "m")


def height_at(filled, x):
    """Return the ends of a filled band at a place of it."""
    corners = filled.get_paths()[0].vertices
    heights = corners[np.isclose(corners[:, 0], x), 1]
    return [heights.min(), heights.max()]


def test_decision_curves_of_all_models_have_their_bands():
    display = DecisionCurveDisplay.from_cases(CASES, ax=Figure().subplots(), high=0.8)
    found = band(CASES, decision_curve, rng=1)
    assert display.tables == {name: CASES.table(name) for name in ("a", "b")}
    assert len(display.ax_.collections) == 2
    for filled, name in zip(display.ax_.collections, ("a", "b"), strict=True):
        place = int(np.flatnonzero(found[name].x > 0.3)[0])
        within = height_at(filled, found[name].x[place])
        assert within[0] <= found[name].lower[place] <= found[name].upper[place] <= within[1]
        assert within[1] - within[0] < 0.3


def test_the_band_of_a_test_holds_its_bent_curve_everywhere():
    sample = Cases(CASES.positive, {"test": RISK > 0.3})
    found = band(sample, decision_curve, rng=1)["test"]
    filled = DecisionCurveDisplay.from_cases(sample, ax=Figure().subplots()).ax_.collections[0]
    between = np.linspace(0.01, 0.9, 50)
    lower, upper = (np.interp(between, found.x, ends) for ends in (found.lower, found.upper))
    exact = decision_curve(sample.table("test")).at(between)
    assert (lower < exact).all()
    assert (exact < upper).all()
    assert len(filled.get_paths()[0].vertices) > 500


def test_bands_of_ones_own_take_the_place_of_the_usual_ones():
    wide = band(CASES, decision_curve, level=0.99, rng=2)
    display = DecisionCurveDisplay.from_cases(CASES, bands={"a": wide["a"]}, ax=Figure().subplots())
    assert display.options["bands"] == {"a": wide["a"]}
    assert len(display.ax_.collections) == 1


def test_calibration_of_all_models_has_their_bands_slopes_and_intercepts():
    display = CalibrationDisplay.from_cases(CASES, ax=Figure().subplots())
    legend = [text.get_text() for text in display.ax_.get_legend().get_texts()]
    assert [text.split(":")[0] for text in legend if "slope" in text] == ["a", "b"]
    found = calibration_band(CASES)
    assert {name: one.method for name, one in display.options["bands"].items()} == {"a": "honest", "b": "honest"}
    assert_array_equal(display.options["bands"]["b"].upper_everywhere, found["b"].upper_everywhere)
    assert len(display.ax_.collections) == 2


def test_a_figure_without_bands_draws_all_models_too():
    display = RegretCurveDisplay.from_cases(CASES, ax=Figure().subplots(), costs="5%..20%")
    assert [line.get_label().split(" (")[0] for line in display.ax_.lines] == ["no model", "a", "b"]


def test_a_figure_of_one_model_refuses_two():
    with pytest.raises(ValueError, match="one table for this display, got 2"):
        ClassLossDisplay.from_cases(CASES, ax=Figure().subplots())


def test_only_cases_are_a_sample():
    with pytest.raises(TypeError) as caught:
        RegretCurveDisplay.from_cases({"a": [0.1]})
    assert str(caught.value) == "`cases` must be Cases, got dict."


@pytest.mark.parametrize(
    ("title", "shown"), [("", ""), ("Figure 1", "Figure 1"), (None, "Mean regret: lower is better")]
)
def test_the_title_is_the_one_given(title, shown):
    one = RegretCurveDisplay.from_predictions([0, 1, 1, 0], [0.1, 0.4, 0.8, 0.2], title=title, ax=Figure().subplots())
    several = RegretCurveDisplay.from_cases(CASES, title=title, ax=Figure().subplots())
    assert one.ax_.get_title(loc="left") == several.ax_.get_title(loc="left") == shown


def test_a_title_stands_above_the_first_of_two_axes():
    display = CalibrationDisplay.from_cases(CASES, title="Figure 2", ax=Figure().subplots(2, 1))
    assert [ax.get_title(loc="left") for ax in display.ax_] == ["Figure 2", ""]


def test_a_difference_is_that_of_the_crossing_set():
    display = DifferenceDisplay.from_cases(CASES, "b", "a", cost_range="10%..40%", level="90%", ax=Figure().subplots())
    found = crossing_set(CASES, "b", "a", cost_range=(0.1, 0.4), level=0.9)
    assert_array_equal(display.ax_.lines[1].get_ydata(), found.band.estimate)
    assert_array_equal(display.crossing.band.lower_everywhere, found.band.lower_everywhere)
    assert (display.figure_, display.crossing.a_better) == (display.ax_.figure, found.a_better)


def test_groups_are_those_of_the_comparison():
    display = GroupDifferencesDisplay.from_cases(
        CASES, "b", "a", accuracy, GROUP, level=0.9, unit="accuracy", title="", ax=Figure().subplots()
    )
    found = compare_groups(CASES, "b", "a", accuracy, GROUP, level=0.9)
    points = [line.get_xydata().tolist() for line in display.ax_.lines if line.get_marker() == "o"]
    assert points == [[[found.groups[name].difference.difference, place]] for place, name in enumerate(found.groups)]
    assert (display.ax_.get_xlabel(), display.ax_.get_title(loc="left")) == ("accuracy", "")


def test_comparisons_make_a_figure_where_no_axes_are_given():
    import matplotlib as mpl
    import matplotlib.pyplot as plt

    mpl.use("Agg")
    shown = [
        DifferenceDisplay.from_cases(CASES, "a", "b", cost_range=(0.1, 0.4)),
        GroupDifferencesDisplay.from_cases(CASES, "a", "b", accuracy, GROUP),
    ]
    for display in shown:
        assert display.figure_.axes == [display.ax_]
        plt.close(display.figure_)

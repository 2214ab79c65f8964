"""The figure of a difference: what is drawn is what was computed, read back from the axes."""

import numpy as np
import pytest
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from numpy.testing import assert_allclose, assert_array_equal

from stakes import Cases
from stakes.plot import PALETTE, draw_difference
from stakes.uncertainty import crossing_set

Y = np.arange(400) % 4 == 0
SCORES = {"low": np.where(Y, 0.22, 0.05), "high": np.where(Y, 0.9, 0.18)}
FOUND = crossing_set(Cases(Y, SCORES), "low", "high", cost_range=(0.1, 0.3))


@pytest.fixture
def ax():
    return draw_difference(Figure().subplots(), FOUND)


def spans(ax, colour):
    """Return the ranges shaded in a colour."""
    boxes = [patch for patch in ax.patches if to_rgb(patch.get_facecolor()) == to_rgb(colour)]
    return [(box.get_x(), box.get_x() + box.get_width()) for box in boxes]


def test_the_lines_are_zero_and_the_difference(ax):
    zero, line = ax.lines
    assert list(zero.get_ydata()) == [0, 0]
    assert_array_equal(line.get_xydata(), np.column_stack([FOUND.band.x, FOUND.band.estimate]))


def test_both_bands_have_the_ends_that_were_found(ax):
    band = FOUND.band
    ends = ((band.lower_everywhere, band.upper_everywhere), (band.lower, band.upper))
    for filled, (lower, upper) in zip(ax.collections, ends, strict=True):
        corners = filled.get_paths()[0].vertices
        assert_allclose([corners[:, 1].min(), corners[:, 1].max()], [lower.min(), upper.max()])


def test_the_costs_at_which_each_model_is_better_are_shaded(ax):
    assert_allclose(spans(ax, PALETTE[0]), FOUND.a_better)
    assert_allclose(spans(ax, PALETTE[1]), FOUND.b_better)
    assert [text.get_text() for text in ax.texts] == ["low is better", "high is better"]


def test_the_axes_are_named(ax):
    assert ax.get_xlabel() == "cost proportion of a false alarm"
    assert ax.get_ylabel() == "difference in net benefit (true positives per case)"
    assert ax.get_title(loc="left") == "Difference in net benefit: low minus high"


def test_nothing_is_shaded_where_nothing_can_be_said():
    alike = crossing_set(Cases(Y, {"a": SCORES["low"], "b": SCORES["low"]}), "a", "b", cost_range=(0.1, 0.3))
    ax = draw_difference(Figure().subplots(), alike)
    assert (len(ax.patches), len(ax.texts)) == (0, 0)


def test_only_a_crossing_set_is_drawn():
    with pytest.raises(TypeError) as caught:
        draw_difference(Figure().subplots(), FOUND.band)
    assert str(caught.value).startswith("`crossing` must be a CrossingSet (see `crossing_set`), got ")

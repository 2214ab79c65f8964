"""The figure of a band: what is drawn is what was computed, read back from the axes."""

import numpy as np
import pytest
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from numpy.testing import assert_allclose, assert_array_equal

from stakes import Cases, InputError
from stakes.plot import draw_band
from stakes.uncertainty import Band, CalibrationBand, difference_band

X = np.array([0.1, 0.2, 0.5])
BAND = Band(X, X**2, X**2 - 0.1, X**2 + 0.2, X**2 - 0.3, X**2 + 0.4, "cost", "loss", 0.95)


def extent(filled):
    """Return the lowest and the highest point of a filled band at each x."""
    corners = filled.get_paths()[0].vertices
    here = [corners[np.isclose(corners[:, 0], x), 1] for x in X]
    return np.array([[y.min(), y.max()] for y in here])


@pytest.fixture
def ax():
    return Figure().subplots()


def test_the_line_is_the_estimate(ax):
    (line,) = draw_band(ax, BAND, label="a").lines
    assert_array_equal(line.get_xydata(), np.column_stack([X, X**2]))
    assert line.get_label() == "a"


def test_both_bands_have_the_ends_that_were_found(ax):
    everywhere, pointwise = draw_band(ax, BAND).collections
    assert_allclose(extent(everywhere), np.column_stack([BAND.lower_everywhere, BAND.upper_everywhere]))
    assert_allclose(extent(pointwise), np.column_stack([BAND.lower, BAND.upper]))


def test_the_band_that_holds_everywhere_may_be_left_out(ax):
    (pointwise,) = draw_band(ax, BAND, everywhere=False).collections
    assert_allclose(extent(pointwise), np.column_stack([BAND.lower, BAND.upper]))


def test_places_without_a_value_are_left_open(ax):
    gap = Band(X, *(np.where([True, False, True], y, np.nan) for y in (X, X - 1, X + 1, X - 2, X + 2)), "c", "l", 0.9)
    (line,) = draw_band(ax, gap).lines
    assert np.isnan(line.get_ydata()).tolist() == [False, True, False]


def test_line_and_bands_have_one_colour(ax):
    draw_band(ax, BAND, color="#D55E00")
    found = [to_rgb(ax.lines[0].get_color()), *(tuple(one.get_facecolor()[0][:3]) for one in ax.collections)]
    assert_allclose(found, [to_rgb("#D55E00")] * 3)


def test_the_axes_are_named(ax):
    draw_band(ax, BAND)
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("cost", "loss")


def test_an_honest_band_is_drawn_once_and_in_steps(ax):
    ends = X / 2, X + 0.4
    (one,) = draw_band(ax, CalibrationBand(X, X, *ends, *ends, "score", "share", 0.95)).collections
    assert_allclose(extent(one), [[0.05, 0.6], [0.05, 0.9], [0.1, 0.9]])  # a lower end holds until the next place


def test_what_is_no_band_is_refused_with_the_way_to_draw_a_difference(ax):
    cases = Cases([0, 1, 1, 0], {"a": [0.1, 0.8, 0.9, 0.2], "b": [0.2, 0.7, 0.9, 0.1]})
    with pytest.raises(InputError) as caught:
        draw_band(ax, difference_band(cases, "a", "b", x=[0.5]))
    assert str(caught.value) == (
        "`band` must be a Band (see `stakes.band`; `draw_difference` draws a difference), got DifferenceBand."
    )

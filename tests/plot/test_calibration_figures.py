"""Reliability, parts of regret, prevalence and beliefs: read back from the axes."""

import numpy as np
import pytest
from matplotlib.figure import Figure
from numpy.testing import assert_allclose, assert_array_equal

from stakes import (
    Beta,
    Cases,
    InputError,
    LogOddsUniform,
    Uniform,
    accuracy,
    calibration_curve,
    calibration_summary,
    decompose,
    score_table,
)
from stakes.curves import score_histograms
from stakes.plot import (
    CalibrationDisplay,
    draw_accuracy_curves,
    draw_beliefs,
    draw_calibration,
    draw_calibration_discrimination,
    draw_cost_lines,
    draw_rescaled_decision_curves,
    use_odds_axis,
)
from stakes.prevalence import accuracy_curve
from stakes.uncertainty import calibration_band

TABLE = score_table([0, 0, 0, 1, 0, 0, 1, 0, 1, 0], [0.1, 0.2, 0.15, 0.3, 0.35, 0.2, 0.6, 0.5, 0.8, 0.9])
OTHER = score_table([0, 0, 0, 1, 0, 0, 1, 0, 1, 0], [0.3, 0.2, 0.1, 0.6, 0.15, 0.4, 0.7, 0.5, 0.55, 0.2])
Y = [0, 0, 0, 1, 0, 1, 0, 1, 1, 0]
A, B = [0.1, 0.2, 0.15, 0.3, 0.35, 0.25, 0.6, 0.5, 0.8, 0.9], [0.3, 0.2, 0.1, 0.6, 0.15, 0.4, 0.7, 0.5, 0.55, 0.45]


def test_a_reliability_diagram_is_the_isotonic_curve_over_the_spread_of_both_classes():
    diagram, spread = draw_calibration(Figure().subplots(2, 1), TABLE, bins=10)
    curve = calibration_curve(TABLE)
    assert_array_equal(diagram.lines[1].get_xydata(), np.column_stack([curve.x, curve.y]))
    assert_array_equal(diagram.lines[0].get_xydata(), [[0, 0], [1, 1]])
    up, down = (collection.get_paths()[0].vertices[:, 1] for collection in spread.collections)
    shares = score_histograms(TABLE, bins=10)
    positive, negative = shares.positive, shares.negative
    assert (up.max(), down.min()) == (positive.y.max(), -negative.y.max())


@pytest.mark.slow
def test_on_one_axis_a_reliability_diagram_is_drawn_alone():
    alone, (above, _) = Figure().subplots(), Figure().subplots(2, 1)
    assert draw_calibration(alone, TABLE) is alone
    draw_calibration([above, above.figure.axes[1]], TABLE)
    assert_array_equal(alone.lines[1].get_xydata(), above.lines[1].get_xydata())
    assert (alone.get_xlabel(), above.get_xlabel()) == (calibration_curve(TABLE).x_label, "")
    display = CalibrationDisplay.from_predictions([0, 1, 1, 0], [0.6, 0.7, 0.3, 0.1], ax=(ax := Figure().subplots()))
    assert (display.ax_, display.figure_) == (ax, ax.figure)


def filled(collection, x):
    """Return the lowest and the highest point of a filled band at one x."""
    y = collection.get_paths()[0].vertices
    y = y[np.isclose(y[:, 0], x), 1]
    return y.min(), y.max()


def test_several_models_have_their_curves_slopes_and_bands():
    cases = Cases(Y, {"a": A, "b": B})
    tables = {name: cases.table(name) for name in cases.models}
    bands, chance = calibration_band(cases), calibration_band(cases, method="consistency", rng=1)
    ax = draw_calibration(Figure().subplots(), tables, bands=bands, calibrated=chance)
    summary = {name: calibration_summary(table) for name, table in tables.items()}
    wanted = [f"{name}: slope {one.slope:.2f}, intercept {one.intercept:.2f}" for name, one in summary.items()]
    shown = [text.get_text() for text in ax.get_legend().get_texts()]
    together = "95% band, at all scores together"
    assert shown == ["diagonal: calibrated", *wanted, together, "where a calibrated model would lie"]
    for line, table in zip(ax.lines[1:], tables.values(), strict=True):
        assert_array_equal(line.get_xydata()[:, 1], calibration_curve(table).y)
    own_a, own_b, chance_a, _ = ax.collections
    for collection, band in ((own_a, bands["a"]), (own_b, bands["b"]), (chance_a, chance["a"])):
        for k in (0, 4, 9):
            at = filled(collection, band.x[k])
            assert_allclose(at[0], band.lower[k - 1 if k and band.is_stepped else k])
            assert_allclose(at[1], band.upper[k + 1 if k < 9 and band.is_stepped else k])


def test_the_diagonal_is_thick_where_it_leaves_the_band():
    y = np.repeat([0, 1, 0, 1], [190, 10, 40, 160])
    cases = Cases(y, {"a": np.repeat([0.3, 0.4, 0.5], [190, 20, 190])})
    band = calibration_band(cases)["a"]
    ax = draw_calibration(Figure().subplots(), cases.table("a"), bands=band)
    ends = [[one.from_score, one.to_score] for one in band.miscalibrated]
    assert len(ends) > 1
    assert [line.get_xdata().tolist() for line in ax.lines[2:]] == ends
    assert [line.get_ydata().tolist() for line in ax.lines[2:]] == ends


def test_without_a_slope_a_model_has_its_name_alone():
    ax = draw_calibration(Figure().subplots(), {"perfect": score_table([0, 0, 1, 1], [0.1, 0.2, 0.7, 0.8])})
    assert ax.get_legend().get_texts()[1].get_text() == "perfect"


def test_the_spread_of_several_models_is_an_outline_each():
    _, spread = draw_calibration(Figure().subplots(2, 1), {"a": TABLE, "b": OTHER}, bins=10)
    shares = score_histograms(OTHER, bins=10)
    assert_array_equal(spread.lines[2].get_ydata(), shares.positive.y)
    assert_array_equal(spread.lines[3].get_ydata(), -shares.negative.y)


@pytest.mark.parametrize(
    ("tables", "bands", "said"),
    [
        (TABLE, {"a": None}, "`bands` must be one band, as there is one table, got dict."),
        ({"a": TABLE}, 3, "`bands` must map names of models to bands, got int."),
        ({"a": TABLE}, {"b": None}, "`bands` must be one of a, got 'b'."),
    ],
)
def test_bands_must_belong_to_the_tables(tables, bands, said):
    with pytest.raises(InputError) as caught:
        draw_calibration(Figure().subplots(), tables, bands=bands)
    assert str(caught.value) == said


def test_a_calibration_display_has_the_honest_band_and_that_of_a_calibrated_model():
    display = CalibrationDisplay.from_predictions(Y, A, name="a", ax=Figure().subplots())
    honest, consistent = display.ax_.collections
    band = calibration_band(Cases(Y, {"a": A}))["a"]
    assert_allclose(filled(honest, band.x[4]), [band.lower[3], band.upper[5]])
    chance = calibration_band(Cases(Y, {"a": A}), method="consistency", rng=1)["a"]
    assert_allclose(filled(consistent, chance.x[4]), [chance.lower[4], chance.upper[4]])


def test_a_calibration_display_draws_several_models():
    display = CalibrationDisplay({"a": TABLE, "b": OTHER}).plot(ax=Figure().subplots())
    assert len(display.ax_.lines) == 3


@pytest.mark.parametrize(
    ("draw", "wanted"),
    [
        (lambda axes: draw_calibration(axes, TABLE), "1 or 2"),
        (lambda axes: draw_cost_lines(axes, TABLE), "2"),
        (lambda axes: draw_beliefs(axes, {"a": Uniform()}), "2"),
    ],
)
def test_another_number_of_axes_is_refused(draw, wanted):
    with pytest.raises(InputError) as caught:
        draw(Figure().subplots(1, 3))
    assert str(caught.value) == f"`axes` must be {wanted} matplotlib axes, got 3."


def test_one_axis_is_not_three():
    with pytest.raises(InputError, match="must be 3 matplotlib axes, got 1"):
        draw_rescaled_decision_curves(Figure().subplots(), TABLE, low=0.1, high=0.5)


def test_models_are_placed_by_their_parts_of_regret():
    parts = {name: decompose(table, Uniform(0.05, 0.6)) for name, table in (("a", TABLE), ("b", OTHER))}
    ax = draw_calibration_discrimination(Figure().subplots(), parts)
    expected = [(part.miscalibration, part.discrimination) for part in parts.values()]
    assert_allclose(ax.collections[0].get_offsets(), expected)
    names = [text.get_text() for text in ax.texts]
    assert f"a ({parts['a'].total:.4f})" in names


def test_along_a_grey_line_the_regret_is_the_one_it_is_labelled_with():
    parts = {"a": decompose(TABLE, Uniform())}
    ax = draw_calibration_discrimination(Figure().subplots(), parts)
    labels = {float(text.get_text()): text.xy for text in ax.texts if not text.get_text().startswith("a")}
    assert labels
    for value, (miscalibration, discrimination) in labels.items():
        assert_allclose(parts["a"].uncertainty + miscalibration - discrimination, value, atol=1e-3)


def test_accuracy_curves_have_a_circle_at_their_own_prevalence_and_a_bar_over_the_range():
    ax = draw_accuracy_curves(Figure().subplots(), {"a": TABLE}, low=0.1, high=0.4, averages={"a": 0.77})
    curve, circle, bar = ax.lines
    assert_array_equal(curve.get_xydata(), np.column_stack([accuracy_curve(TABLE).x, accuracy_curve(TABLE).y]))
    assert_allclose(circle.get_xydata(), [[TABLE.prevalence, accuracy(TABLE)]])
    assert_array_equal(bar.get_xydata(), [[0.1, 0.77], [0.4, 0.77]])


def test_accuracy_may_be_drawn_over_odds():
    ax = draw_accuracy_curves(use_odds_axis(Figure().subplots(), low=0.02, high=0.98), {"a": TABLE})
    x = np.asarray(ax.lines[0].get_xdata(), float)
    assert x[0] >= 0.0199
    assert x[-1] <= 0.9801
    assert ax.get_xlim() == (0.02, 0.98)


def test_densities_of_beliefs_integrate_to_one_on_both_axes():
    beliefs = {"a": Uniform(0.2, 0.7), "b": Beta(2, 5), "c": LogOddsUniform(0.02, 0.3)}
    for ax in draw_beliefs(Figure().subplots(1, 2), beliefs):
        for line in ax.lines:
            x, y = (np.asarray(values, float) for values in line.get_data())
            assert_allclose(np.trapezoid(y, x), 1.0, atol=2e-3)

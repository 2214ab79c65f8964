"""What is drawn is what was computed: points are read back from the axes."""

import io

import numpy as np
import pytest
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from numpy.testing import assert_allclose, assert_array_equal

from stakes import (
    Cases,
    Uniform,
    band,
    cost_curve,
    decision_curve,
    precision_recall_curve,
    regret_curve,
    roc_curve,
    score_table,
    treat_all,
)
from stakes.curves import Curve, brier_curve, cost_lines, interventions_avoided_curve, relative_utility_curve, roc_hull
from stakes.plot import (
    draw_brier_curves,
    draw_class_losses,
    draw_cost_lines,
    draw_curve,
    draw_decision_curves,
    draw_interventions_avoided,
    draw_isometrics,
    draw_precision_recall_curves,
    draw_regret_curves,
    draw_relative_utility,
    draw_rescaled_decision_curves,
    draw_roc_curves,
    fill_between_curves,
    label_lines,
    use_odds_axis,
)

TOY = score_table([0, 0, 0, 1, 0, 0, 1, 0, 1], [0.03, 0.05, 0.1, 0.2, 0.7, 0.7, 0.9, 0.9, 0.95])
OTHER = score_table([0, 0, 0, 1, 0, 0, 1, 0, 1], [0.1, 0.2, 0.15, 0.3, 0.35, 0.2, 0.6, 0.5, 0.8])
MODELS = {"model": TOY, "other": OTHER}


def axes():
    return Figure(figsize=(5, 4)).subplots()


def line_of(ax, label):
    (line,) = (line for line in ax.lines if str(line.get_label()).startswith(label))
    return np.asarray(line.get_xdata(), float), np.asarray(line.get_ydata(), float)


def points(curve):
    return list(zip(curve.x.tolist(), curve.y.tolist(), strict=True))


def assert_drawn(ax, label, curve, *, share=2e-3):
    """Assert that the line passes through every point of the curve that can be seen, and is near it in between."""
    x, y = line_of(ax, label)
    low, high = ax.get_ylim()
    visible = curve.x[(curve.y >= low) & (curve.y <= high) & (curve.x <= x[-1])]
    assert set(visible) <= set(x)
    drawn = Curve(x, y, "x", "y")
    at = np.linspace(max(x[0], curve.x[0]), min(x[-1], curve.x[-1]), 2001)[1:-1]
    seen = (curve.at(at) > low) & (curve.at(at) < high)
    assert seen.any()
    assert np.abs(drawn.at(at) - curve.at(at))[seen].max() <= share * (high - low)


def test_draw_curve_draws_the_points_it_is_given():
    curve = Curve([0.0, 0.5, 0.5, 1.0], [0.0, 0.2, 0.1, 0.0], "cost", "loss")
    ax = draw_curve(axes(), curve, color="black")
    assert_array_equal(ax.lines[0].get_xydata(), np.column_stack([curve.x, curve.y]))
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("cost", "loss")


def test_a_bent_curve_is_drawn_with_enough_points():
    ax = draw_curve(axes(), treat_all(TOY).between(0, 0.9), label="all")
    assert 20 < len(line_of(ax, "all")[0]) < 400
    ax.set_ylim(ax.dataLim.y0, ax.dataLim.y1)
    assert_drawn(ax, "all", treat_all(TOY).between(0, 0.9))


def test_what_is_straight_over_the_cost_is_bent_over_log_odds():
    ax = draw_curve(use_odds_axis(axes(), low=0.01, high=0.99), regret_curve(TOY), label="regret")
    x, y = line_of(ax, "regret")
    drawn = Curve(np.log(x / (1 - x)), y, "x", "y")
    at = np.linspace(-4.5, 4.5, 1501)
    expected = regret_curve(TOY).at(1 / (1 + np.exp(-at)))
    assert np.abs(drawn.at(at) - expected).max() < 0.003 * np.ptp(y)


def test_decision_curves_have_their_references_and_their_envelope():
    ax = draw_decision_curves(axes(), MODELS, high=0.8, costs=Uniform(0.1, 0.3))
    assert_drawn(ax, "model", decision_curve(TOY))
    assert_drawn(ax, "other", decision_curve(OTHER))
    assert_drawn(ax, "treat all", treat_all(TOY))
    assert_array_equal(line_of(ax, "treat none")[1], [0, 0])
    assert len(ax.patches) == 3  # two envelopes and the range of costs
    assert "stated costs" in [text.get_text() for text in ax.texts]


def test_decision_curves_have_the_bands_they_are_given():
    cases = Cases(
        [0, 1, 1, 0, 1, 0] * 5, {"b": [0.1, 0.8, 0.4, 0.3, 0.9, 0.6] * 5, "a": [0.2, 0.6, 0.7, 0.4, 0.5, 0.1] * 5}
    )
    bands = band(cases, decision_curve, x=[0.1, 0.2, 0.5], n_resamples=100, rng=1)
    ax = draw_decision_curves(axes(), {name: cases.table(name) for name in cases.models}, bands={"a": bands["a"]})
    assert len(ax.patches) == 0  # no envelopes
    (drawn,) = ax.collections
    line = next(one for one in ax.lines if one.get_label() == "a")
    assert to_hex(drawn.get_facecolor()[0]) == to_hex(line.get_color())
    corners = {tuple(corner) for corner in drawn.get_paths()[0].vertices.round(9)}
    for x, lower, upper in zip(bands["a"].x, bands["a"].lower, bands["a"].upper, strict=True):
        assert {(round(x, 9), round(lower, 9)), (round(x, 9), round(upper, 9))} <= corners


@pytest.mark.parametrize(
    ("bands", "said"),
    [
        (3, "`bands` must map names of models to bands, got int."),
        ({"model": 3}, "`bands` must be a Band (see `stakes.band`), got int."),
    ],
)
def test_bands_of_decision_curves_must_be_bands(bands, said):
    with pytest.raises(TypeError) as caught:
        draw_decision_curves(axes(), MODELS, bands=bands)
    assert str(caught.value) == said


def test_a_band_must_be_of_a_model_that_is_drawn():
    cases = Cases([0, 1, 1, 0], {"absent": [0.1, 0.8, 0.4, 0.3]})
    bands = band(cases, decision_curve, x=[0.1, 0.5], n_resamples=100, rng=1)
    with pytest.raises(ValueError, match="`bands` must be one of model, other, got 'absent'"):
        draw_decision_curves(axes(), MODELS, bands=bands)


def test_the_shaded_envelope_of_a_decision_curve_is_the_recalibrated_one():
    ax = draw_decision_curves(axes(), {"other": OTHER}, high=0.8)
    corners = ax.patches[0].get_xy()
    inside = Figure().subplots()
    fill_between_curves(inside, decision_curve(OTHER).between(0, 0.8), decision_curve(OTHER).between(0, 0.8))
    from stakes.curves import best_decision_curve

    best = best_decision_curve(OTHER).between(0, 0.8)
    for x, y in points(best):
        assert np.abs(corners - [x, y]).sum(axis=1).min() < 1e-12


def test_brier_curves_have_the_envelope_and_the_trivial_lines():
    ax = draw_brier_curves(axes(), MODELS)
    assert_array_equal(np.column_stack(line_of(ax, "model")), np.column_stack([brier_curve(TOY).x, brier_curve(TOY).y]))
    assert_allclose(line_of(ax, "treat all")[1], [0, 4 / 3])
    assert_allclose(line_of(ax, "treat none")[1], [2 / 3, 0])
    unlabelled = [line.get_xydata() for line in ax.lines if str(line.get_label()).startswith("_")]
    assert_array_equal(unlabelled[0], np.column_stack([cost_curve(TOY).x, cost_curve(TOY).y]))
    assert "model (0.273)" in [text.get_text() for text in ax.texts]  # the Brier score


def test_regret_labels_carry_the_mean_regret_under_the_belief():
    ax = draw_regret_curves(axes(), MODELS, costs=Uniform())
    assert_array_equal(
        np.column_stack(line_of(ax, "model")), np.column_stack([regret_curve(TOY).x, regret_curve(TOY).y])
    )
    assert "model (0.1364)" in [text.get_text() for text in ax.texts]  # half the Brier score
    assert_allclose(line_of(ax, "no model")[1].max(), 2 / 9)


def test_relative_utility_and_interventions_avoided_are_their_curves():
    assert_drawn(draw_relative_utility(axes(), MODELS), "other", relative_utility_curve(OTHER))
    assert_drawn(draw_interventions_avoided(axes(), MODELS), "other", interventions_avoided_curve(OTHER))


def test_cost_lines_and_roc_points_share_their_colours():
    left, right = draw_cost_lines(Figure().subplots(1, 2), TOY)
    dots = [line for line in left.lines if line.get_marker() == "o"]
    lines = [line for line in right.lines if str(line.get_label()).startswith("_")]
    assert len(dots) == len(lines) == 8
    for dot, line, cost_line in zip(dots, lines, cost_lines(TOY)[::-1], strict=True):
        assert_array_equal(dot.get_color(), line.get_color())
        assert_array_equal(line.get_ydata(), cost_line.y)
        assert_allclose(cost_line.y, [2 / 3 * (1 - dot.get_ydata()[0]), 4 / 3 * dot.get_xdata()[0]])


def test_roc_and_precision_recall_are_their_curves():
    ax = draw_roc_curves(axes(), MODELS)
    assert_array_equal(line_of(ax, "model")[1], roc_curve(TOY).y)
    assert len(ax.patches) == 2
    assert "model (0.806)" in [text.get_text() for text in ax.texts]
    assert_drawn(draw_precision_recall_curves(axes(), MODELS), "other", precision_recall_curve(OTHER))


def test_isometrics_are_drawn_under_the_roc_curve():
    ax = draw_isometrics(axes(), TOY, values=[0.1, 0.2], measure="Brier loss", cost=1 / 3)
    assert [text.get_text() for text in ax.texts] == ["0.1", "0.2"]
    x, y = (np.asarray(values, float) for values in ax.lines[1].get_data())
    loss = 2 * ((1 / 3) * (2 / 3) * x + (2 / 3) * (1 / 3) * (1 - y))
    assert_allclose(loss, 0.2)
    assert_array_equal(ax.lines[-1].get_xdata(), roc_curve(TOY).x)
    assert_array_equal(ax.lines[-2].get_xdata(), roc_hull(TOY).x)


def test_losses_by_class_add_up_on_the_axes():
    ax = draw_class_losses(axes(), TOY)
    total, missed, alarmed = (line_of(ax, name)[1] for name in ("both", "missed positives", "false alarms"))
    assert_allclose(missed + alarmed, total, atol=1e-15)


@pytest.mark.parametrize(("panel", "scale"), [(1, lambda c: -((1 - c) ** 2) / 2), (2, np.log)])
def test_the_area_on_a_rescaled_axis_is_the_mean_regret(panel, scale):
    from stakes import LogOddsUniform, expected_regret

    low, high = 0.04, 0.6
    ax = draw_rescaled_decision_curves(Figure().subplots(1, 3), OTHER, low=low, high=high)[panel]
    x, y = (np.asarray(values, float) for values in ax.lines[1].get_data())
    gap = OTHER.prevalence - y
    area = np.trapezoid(gap, scale(x))
    belief, width = (
        (Uniform(low, high), high - low)
        if panel == 1
        else (LogOddsUniform(low, high), LogOddsUniform(low, high).length)
    )
    assert_allclose(area / width, expected_regret(OTHER, belief), rtol=5e-3)


def test_ten_thousand_times_as_many_cases_make_no_larger_picture():
    rng = np.random.default_rng(5)
    y = rng.random(300_000) < 0.2
    table = score_table(y, 1 / (1 + np.exp(1.5 - rng.normal(size=len(y)) - y)))
    ax = draw_decision_curves(axes(), {"model": table})
    file = io.BytesIO()
    ax.figure.savefig(file, format="svg")
    assert file.tell() < 200_000
    assert_allclose(np.interp(0.3, *line_of(ax, "model")), decision_curve(table).at(0.3), atol=1e-3 * 0.25)


def test_labels_stand_where_there_is_room():
    ax = axes()
    ax.plot([0, 1], [0, 1], label="up")
    ax.plot([0, 1], [1, 0], label="down")
    ax.plot([0, 1], [0.5, 0.5], label="_unlabelled")
    label_lines(ax)
    assert [text.get_text() for text in ax.texts] == ["up", "down"]
    for text in ax.texts:
        x, y = text.xy
        assert abs(y - 0.5) > 0.05  # not where all three meet
        assert 0 < x < 1
        assert 0 < y < 1


def test_no_label_lies_across_a_step():
    ax = axes()
    ax.plot([0, 1], [0.5, 0.5], label="a long label")
    ax.plot([0, 0.497, 0.497, 1], [0, 0, 1, 1])
    (label,) = label_lines(ax).texts
    assert abs(label.xy[0] - 0.497) > 0.05


def test_ticks_of_an_odds_axis_say_odds():
    ax = use_odds_axis(axes())
    assert [text.get_text() for text in ax.get_xticklabels()] == ["1:99", "1:19", "1:4", "1:1", "4:1", "19:1", "99:1"]
    assert_allclose(ax.get_xticks(), [0.01, 0.05, 0.2, 0.5, 0.8, 0.95, 0.99])

"""The four pictures of decisions under limits: what is drawn is what was computed."""

import numpy as np
import pytest
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from numpy.testing import assert_allclose

from stakes import At, Limits, Uniform, best_thresholds, score_table
from stakes.beliefs import FractionalCost, InverseCostRatio
from stakes.limits import feasible_region, lesser_area_curve, partial_voros, partial_voros_map
from stakes.plot import PALETTE, draw_best_map, draw_feasible_region, draw_lesser_areas, draw_policy


def models(count: int):
    rng = np.random.default_rng(5)
    y = rng.random(500) < 0.2
    return {f"model {k}": score_table(y, rng.normal(size=500) + (1 + 0.3 * k) * y) for k in range(count)}


TABLES, LIMITS = models(2), Limits(capacity=0.3, min_precision=0.35)


@pytest.fixture
def ax():
    return Figure().subplots()


def test_the_region_is_drawn_as_it_is(ax):
    draw_feasible_region(ax, TABLES, LIMITS)
    corners = feasible_region(TABLES["model 0"], LIMITS).vertices
    assert_allclose(ax.patches[0].get_xy()[:-1], corners)
    assert {text.get_text() for text in ax.texts} == {"capacity 0.3", "precision 0.35", "model 0", "model 1"}


def test_the_line_of_equal_cost_passes_through_the_best_feasible_threshold(ax):
    draw_feasible_region(ax, TABLES, LIMITS, cost=0.2)
    for table, colour in zip(TABLES.values(), PALETTE, strict=False):
        policy = best_thresholds(table, At(0.2), LIMITS)
        own = [line for line in ax.lines if line.get_color() == colour]
        (point,) = [line.get_xydata()[0] for line in own if line.get_marker() == "o"]
        assert_allclose(point, [policy.false_positive_rate[0], policy.recall[0]])
        (dashed,) = [line for line in own if line.is_dashed()]
        x, y = dashed.get_data()
        assert np.interp(point[0], x, y) == pytest.approx(point[1])
        slope = 0.2 * table.negative_total / (0.8 * table.positive_total)
        assert (y[-1] - y[0]) / (x[-1] - x[0]) == pytest.approx(slope)


def test_a_curve_is_named_within_the_region_and_goes_on_faintly_beyond_it(ax):
    draw_feasible_region(ax, TABLES, LIMITS, cost=1 / 3)
    edge = feasible_region(TABLES["model 0"], LIMITS).vertices[:, 0].max()
    for name, colour in zip(TABLES, PALETTE, strict=False):
        (named,) = [line for line in ax.lines if line.get_label() == name]
        assert named.get_xdata().max() == pytest.approx(edge)
        assert named.get_clip_path() is not None
        (faint,) = [line for line in ax.lines if line.get_color() == colour and line.get_alpha()]
        assert faint.get_xdata().max() == 1
    assert ax.get_title(loc="left") == "Within the limits, at cost 0.333: up and left is better"


def test_without_limits_the_region_has_no_named_borders(ax):
    draw_feasible_region(ax, TABLES, Limits())
    assert {text.get_text() for text in ax.texts} == {"model 0", "model 1"}


def test_lesser_areas_are_those_of_the_curve(ax):
    costs = FractionalCost(0.1, 0.5)
    draw_lesser_areas(ax, TABLES, LIMITS, costs=costs)
    for (name, table), line in zip(TABLES.items(), ax.lines, strict=True):
        assert line.get_label() == f"{name} ({partial_voros(table, costs, LIMITS):.3f})"
        x, y = line.get_data()
        assert_allclose(y, lesser_area_curve(table, LIMITS).at(x), atol=1e-3)


def test_the_second_axis_says_which_costs_a_fractional_cost_means(ax):
    table = TABLES["model 0"]
    draw_lesser_areas(ax, TABLES, LIMITS)
    (top,) = ax.child_axes
    ticks = {label.get_text(): tick for tick, label in zip(top.get_xticks(), top.get_xticklabels(), strict=True)}
    ratio = ticks["1:10"] / (1 - ticks["1:10"]) * table.positive_total / table.negative_total
    assert ratio == pytest.approx(1 / 10)
    assert np.all(np.diff(top.get_xticks()) > 0.075)


def test_each_cell_has_the_colour_of_the_best_model_and_ties_are_hatched(ax):
    tables = models(3)
    rows, columns = np.linspace(0.2, 0.9, 12), np.geomspace(0.01, 1.0, 9)
    grid = partial_voros_map(tables, FractionalCost(0.1, 0.5), min_precision=rows, capacity=columns)
    ax.set_yscale("log")
    draw_best_map(ax, grid, within=0.03)
    best, tied = grid.best, grid.tied(within=0.03)
    assert tied.any()
    assert not tied.all()
    image = ax.collections[0].get_array()
    for i in range(12):
        for j in range(9):
            colour = np.array(to_rgb(PALETTE[best[i, j]]))
            assert_allclose(image[j, i], 0.5 * colour + 0.5 if tied[i, j] else colour)
    assert all(cells.get_hatch() == "////" for cells in ax.collections[1:])
    assert {text.get_text() for text in ax.texts} == {grid.models[k] for k in np.unique(best)}


def test_undefined_cells_are_white(ax):
    grid = partial_voros_map(TABLES, Uniform(0.1, 0.5), min_precision=[0.3, 1.0], capacity=[0.2, 0.4])
    draw_best_map(ax, grid)
    assert_allclose(ax.collections[0].get_array()[:, 1], 1.0)


@pytest.mark.parametrize("costs", [Uniform(0.05, 0.6), InverseCostRatio(0.5, 9.0), At(0.3)], ids=repr)
def test_a_policy_is_drawn_step_by_step(ax, costs):
    policy = best_thresholds(TABLES["model 1"], costs, LIMITS)
    draw_policy(ax, policy)
    drawn = np.array([[*line.get_xdata(), line.get_ydata()[0]] for line in ax.lines])
    assert_allclose(drawn, np.column_stack([policy.from_cost, policy.to_cost, policy.threshold]))
    assert ax.texts
    assert ax.get_xlabel() == policy.scale


@pytest.mark.parametrize("costs", [Uniform(0.05, 0.6), InverseCostRatio(0.5, 9.0)], ids=repr)
def test_each_step_is_described_beside_it_the_highest_above_and_the_others_below(ax, costs):
    policy = best_thresholds(TABLES["model 1"], costs, LIMITS)
    draw_policy(ax, policy)
    highest = int(policy.threshold.argmax())
    assert len(ax.texts) > 1
    for text in ax.texts:
        (step,) = np.flatnonzero(policy.threshold == text.xy[1])
        alarms, precision = policy.alarms_per_thousand[step], policy.precision[step]
        assert text.get_text() == f"{alarms:.0f} alarms, {precision:.0%} true"
        assert text.xy[0] == (policy.from_cost if text.get_ha() == "left" else policy.to_cost)[step]
        assert text.get_va() == ("bottom" if step == highest else "top")


@pytest.mark.parametrize("costs", [Uniform(0.05, 0.6), InverseCostRatio(0.5, 9.0)], ids=repr)
def test_descriptions_of_steps_do_not_lie_on_each_other(ax, costs):
    draw_policy(ax, best_thresholds(TABLES["model 1"], costs, LIMITS))
    boxes = [text.get_window_extent() for text in ax.texts]
    assert not any(a.overlaps(b) for k, a in enumerate(boxes) for b in boxes[:k])


def test_a_policy_that_never_alarms_says_so(ax):
    silent = best_thresholds(score_table(y=[0, 0, 1], score=[3, 2, 1]), Uniform(0.4, 0.9), Limits(min_precision=0.9))
    draw_policy(ax, silent)
    assert [text.get_text() for text in ax.texts] == ["never alarm"]

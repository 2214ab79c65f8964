"""Laws that hold for every sample: order, ties, weights, limits, the ends of the scale."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from stakes import At, Beta, Limits, ScoreTable, Uniform, best_thresholds, recalibrate, score_table
from stakes.beliefs import CostRatio, FractionalCost, InverseCostRatio
from stakes.limits import (
    Counts,
    _hull,
    feasible_partial_auc,
    lesser_area_curve,
    max_feasible_recall,
    partial_voros,
    voros,
)


def always(*strategies):
    """Hypothesis without a deadline: the machines are shared."""
    return lambda law: settings(deadline=None, max_examples=60)(given(*strategies)(law))


COSTS = (
    FractionalCost(0.15, 0.7),
    FractionalCost(0.0, 1.0),
    CostRatio(0.05, 0.9),
    InverseCostRatio(0.3, 7.0),
    Uniform(0.05, 0.4),
    At(0.22),
    FractionalCost.of(Beta(0.6, 2.2)),
)
any_costs = st.sampled_from(COSTS)
any_limits = st.builds(
    lambda capacity, precision: Limits(capacity=capacity, min_precision=precision),
    st.sampled_from([None, 0.13, 0.3, 0.5, 0.75, 1.0]),
    st.sampled_from([None, 0.0, 0.2, 0.35, 0.6, 0.8]),
)


@st.composite
def samples(draw, weights=(1.0, 0.25, 2.0, 3.5, 0.7)):
    cases = st.tuples(st.booleans(), st.integers(0, 9), st.sampled_from(weights))
    y, score, weight = (
        np.array(column) for column in zip(*draw(st.lists(cases, min_size=2, max_size=14)), strict=True)
    )
    y[:2] = False, True
    return y, score.astype(float), weight


@pytest.mark.parametrize("first", [1, 2, 7])
@always(samples(), any_limits)
def test_thresholds_that_a_capacity_rules_out_are_not_looked_at(first, sample, limits):
    table = score_table(*sample)
    whole = Counts.of(table)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_hull, "_FIRST_ROWS", first)
        part = Counts.of(table, limits)
    assert_array_equal(part.allowed(limits), whole.allowed(limits))
    assert_array_equal(part.true_alarms, whole.true_alarms[: len(part.true_alarms)])
    assert_array_equal(part.false_alarms, whole.false_alarms[: len(part.false_alarms)])


@always(samples(), any_costs, any_limits)
def test_it_is_a_share(sample, costs, limits):
    assert 0 <= partial_voros(score_table(*sample), costs, limits) <= 1 + 1e-15


@always(samples(), any_costs, any_limits)
def test_tossing_between_thresholds_never_hurts(sample, costs, limits):
    table = score_table(*sample)
    assert partial_voros(table, costs, limits, randomised=True) >= partial_voros(table, costs, limits) - 1e-14


@always(samples(), any_costs)
def test_without_limits_partial_is_whole(sample, costs):
    table = score_table(*sample)
    assert partial_voros(table, costs, Limits()) == voros(table, costs)
    assert partial_voros(table, costs, Limits(capacity=1, min_precision=0), randomised=True) == pytest.approx(
        voros(table, costs), rel=1e-13
    )


@always(samples(weights=(1, 2, 3)), any_costs, any_limits)
def test_integer_weight_means_repeated_case(sample, costs, limits):
    y, score, weight = sample
    repeated = score_table(np.repeat(y, weight.astype(int)), np.repeat(score, weight.astype(int)))
    assert partial_voros(score_table(*sample), costs, limits) == partial_voros(repeated, costs, limits)


@always(samples(), any_costs, any_limits, st.randoms(use_true_random=False))
def test_neither_the_order_of_cases_nor_the_scale_of_scores_matters(sample, costs, limits, random):
    y, score, weight = sample
    order = random.sample(range(len(y)), len(y))
    # Sums of real weights depend on their order by a last digit, which may decide a tie: count in quarters here.
    quarters = np.round(4 * weight) / 4 + 0.25
    table, other = score_table(y, score, quarters), score_table(y[order], np.exp(score[order]) - 100, quarters[order])
    assert partial_voros(table, costs, limits) == partial_voros(other, costs, limits)


@always(samples(), any_costs)
def test_voros_only_needs_the_hull(sample, costs):
    table = score_table(*sample)
    assert voros(recalibrate(table), costs) == pytest.approx(voros(table, costs), rel=1e-13)


@always(samples(), st.sampled_from([(0.1, 0.35), (0.4, 0.95), (0.0, 0.6)]))
def test_exchanging_the_classes_mirrors_the_costs(sample, bounds):
    y, score, weight = sample
    low, high = bounds
    mirrored = voros(score_table(~y, -score, weight), FractionalCost(1 - high, 1 - low))
    assert mirrored == pytest.approx(voros(score_table(y, score, weight), FractionalCost(low, high)), rel=1e-12)


@always(samples(), any_limits)
def test_one_range_is_the_mean_of_its_halves(sample, limits):
    table = score_table(*sample)
    for kind in (FractionalCost, CostRatio, InverseCostRatio, Uniform):
        halves = [partial_voros(table, kind(*bounds), limits) for bounds in ((0.1, 0.4), (0.4, 0.7))]
        assert partial_voros(table, kind(0.1, 0.7), limits) == pytest.approx(np.mean(halves), rel=1e-12)


@always(samples(), any_limits)
def test_a_ratio_between_even_classes_is_the_fractional_cost(sample, limits):
    """With as many positives as negatives t is the cost proportion itself."""
    y, score, weight = sample
    weight = np.where(y, weight / weight[y].sum(), weight / weight[~y].sum())
    table = score_table(y, score, weight)
    t, c = (partial_voros(table, costs, limits) for costs in (FractionalCost(0.1, 0.6), Uniform(0.1, 0.6)))
    assert t == pytest.approx(c, rel=1e-9)


def test_what_is_uniform_matters():
    rng = np.random.default_rng(3)
    y = rng.random(400) < 0.2
    table = score_table(y, rng.normal(size=400) + y)
    limits = Limits(capacity=0.4, min_precision=0.3)
    ratio = CostRatio(0.2, 1.0)
    t_low, t_high = (r * (1 - table.prevalence) / (r * (1 - table.prevalence) + table.prevalence) for r in (0.2, 1.0))
    same_range = [ratio, InverseCostRatio(1.0, 5.0), Uniform(0.2 / 1.2, 0.5), FractionalCost(t_low, t_high)]
    assert len({round(partial_voros(table, costs, limits), 4) for costs in same_range}) == 4


# ------------------------------------------------------------------------------------------------- exact ends

PERFECT = score_table(y=[0] * 9 + [1] * 4, score=[1, 1, 2, 3, 3, 3, 4, 4, 5, 6, 7, 7, 8])


@pytest.mark.parametrize("costs", COSTS, ids=repr)
@pytest.mark.parametrize("limits", [Limits(), Limits(min_precision=0.62), Limits(capacity=4 / 13, min_precision=0.9)])
def test_a_perfect_classifier_scores_exactly_one(costs, limits):
    assert partial_voros(PERFECT, costs, limits) == 1.0
    assert partial_voros(PERFECT, costs, limits, randomised=True) == 1.0
    assert voros(PERFECT, costs) == 1.0


@always(st.integers(1, 60), st.integers(1, 60), st.sampled_from(COSTS[:5]), any_limits)
def test_perfection_is_exactly_one_for_any_classes(positive, negative, costs, limits):
    table = ScoreTable.from_counts([1, 2], [0, positive], [negative, 0])
    if limits.capacity is None or positive / (positive + negative) <= limits.capacity:
        assert partial_voros(table, costs, limits) == 1.0


@always(
    st.integers(1, 60), st.integers(1, 60), st.sampled_from([0.2, 0.45, 0.7, 0.95]), st.sampled_from([0.03, 0.2, 1])
)
def test_never_alarming_is_exactly_zero_where_it_is_the_dearest(positive, negative, alpha, capacity):
    top = ScoreTable.from_counts([1, 2], [positive, 0], [0, negative])  # every negative above every positive
    limit = alpha * negative / (alpha * negative + (1 - alpha) * positive)
    limits = Limits(capacity=capacity, min_precision=alpha)
    if not max_feasible_recall(top, limits):
        assert partial_voros(top, FractionalCost(0.0, 0.999999 * limit), limits) == 0.0
        beyond = partial_voros(top, FractionalCost(limit + 0.3 * (1 - limit), 1.0), limits)
        assert beyond > 0


# ------------------------------------------------------------------------------------------------- undefined


@pytest.mark.parametrize("number", [partial_voros, lambda t, c, limits, **_: feasible_partial_auc(t, limits)])
@pytest.mark.parametrize(
    ("limits", "reason"),
    [
        (Limits(capacity=0), "where no alarm may be raised (capacity 0)"),
        (Limits(min_precision=1), "where no false alarm may be raised (min_precision 1)"),
        (
            Limits(capacity=1e-200, min_precision=0.3),
            "where the limits leave no area (Limits(capacity=1e-200, min_precision=0.3))",
        ),
    ],
)
def test_limits_that_leave_no_area_give_nan_and_say_why(number, limits, reason):
    with pytest.warns(RuntimeWarning) as warned:
        value = number(PERFECT, Uniform(), limits)
    assert math.isnan(value)
    name = "partial_voros" if number is partial_voros else "feasible_partial_auc"
    assert [str(warning.message) for warning in warned] == [f"`{name}` is undefined {reason}; returning nan."]


@pytest.mark.parametrize(("y", "absent"), [([1, 1], "negatives"), ([0, 0], "positives")])
def test_one_class_only_gives_nan_and_one_warning(y, absent):
    table = score_table(y, [1, 2])
    numbers = {
        "voros": lambda: voros(table, Uniform()),
        "partial_voros": lambda: partial_voros(table, FractionalCost(0, 1), Limits(capacity=0.4)),
        "feasible_partial_auc": lambda: feasible_partial_auc(table, Limits(capacity=0.4)),
        "lesser_area_curve": lambda: lesser_area_curve(table).y[0],
    }
    for name, number in numbers.items():
        with pytest.warns(RuntimeWarning) as warned:
            value = number()
        assert math.isnan(value)
        assert [str(warning.message) for warning in warned] == [
            f"`{name}` is undefined without {absent}; returning nan."
        ]


def test_recall_needs_positives_only():
    assert max_feasible_recall(score_table([1, 1], [1, 2]), Limits(capacity=0.5)) == 0.5
    with pytest.warns(RuntimeWarning, match="`max_feasible_recall` is undefined without positives; returning nan."):
        assert math.isnan(max_feasible_recall(score_table([0, 0], [1, 2]), Limits(capacity=0.5)))


# ------------------------------------------------------------------------------------------------- large samples


@pytest.mark.parametrize("costs", COSTS, ids=repr)
def test_ten_thousand_cases_agree_with_every_threshold_compared(costs):
    """The best threshold at each of many costs, found by comparing all feasible thresholds, gives the same mean."""
    rng = np.random.default_rng(8)
    y = rng.random(10_000) < 0.1
    table = score_table(y, rng.normal(size=10_000) + 1.4 * y)
    limits = Limits(capacity=0.12, min_precision=0.3)
    policy = best_thresholds(table, costs, limits)
    false_alarms = np.concatenate([[0], np.cumsum(table.negative[::-1])])
    true_alarms = np.concatenate([[0], np.cumsum(table.positive[::-1])])
    alarms = false_alarms + true_alarms
    with np.errstate(invalid="ignore"):
        feasible = (alarms <= 1200) & ((alarms == 0) | (true_alarms / alarms >= 0.3))
    for low, high, recall, rate in zip(
        policy.from_cost, policy.to_cost, policy.recall, policy.false_positive_rate, strict=True
    ):
        c = cost_proportion(policy.scale, (low + high) / 2, table.prevalence)
        regret = c * false_alarms[feasible] + (1 - c) * (true_alarms[-1] - true_alarms[feasible])
        here = c * rate * false_alarms[-1] + (1 - c) * (1 - recall) * true_alarms[-1]
        assert_allclose(here, regret.min(), rtol=1e-12)


def cost_proportion(scale: str, x: float, prevalence: float) -> float:
    if scale == "fractional cost":
        return x * prevalence / (x * prevalence + (1 - x) * (1 - prevalence))
    return {"cost proportion": x, "cost ratio": x / (1 + x), "inverse cost ratio": 1 / (1 + x)}[scale]

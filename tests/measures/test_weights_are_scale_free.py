"""Only the proportions of weights matter: every number is the same in any unit of weight."""

import dataclasses
import math
from functools import partial

import numpy as np
import polars as pl
import pytest
from every_number import COSTS, LIMITS, NUMBERS, sample
from hypothesis import example, given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from strategies import samples

import stakes
from stakes import (
    At,
    Cases,
    InputError,
    LogOddsUniform,
    ScoreTable,
    Uniform,
    expected_regret,
    metrics,
    net_benefit,
    score_table,
    skill_score,
)
from stakes.curves import roc_hull
from stakes.limits import feasible_region, lesser_area_curve
from stakes.measures import top_k, weighted_accuracy
from stakes.policy import best_recall_threshold
from stakes.table import coarsen
from stakes.uncertainty import miscalibration

SMALLEST, LARGEST = -1022, 1000  # powers of two: below is a weight without all its digits, above a sum is too large
POWERS = st.integers(SMALLEST, LARGEST) | st.sampled_from([SMALLEST, -996, -548, -101, 101, 508, 996, LARGEST])

# Places are counted in the unit of the weights.
SCALE_FREE = sorted(name for name in NUMBERS if not name.startswith("top_k"))

OTHERS = {
    "best_recall_threshold": lambda table: best_recall_threshold(table, COSTS, LIMITS).mean_regret,
    "calibration_summary": lambda table: stakes.calibration_summary(table).slope,
    "coarsen": lambda table: coarsen(table, rows=7).score,
    "feasible_region": lambda table: feasible_region(table, LIMITS).vertices,
    "lesser_area_curve": lambda table: lesser_area_curve(table, LIMITS).y,
    "roc_hull": lambda table: roc_hull(table).y,
}

Y, SCORE = sample(200)
WEIGHT = np.resize([1.0, 3.0, 0.5, 2.0, 0.75], 200)


@pytest.mark.sample(8)
@pytest.mark.parametrize("name", SCALE_FREE)
@given(power=POWERS)
@example(power=SMALLEST)
@example(power=LARGEST)
def test_a_number_is_the_same_in_any_unit_of_weight(name, power):
    assert NUMBERS[name](score_table(Y, SCORE, np.ldexp(WEIGHT, power))) == NUMBERS[name](score_table(Y, SCORE, WEIGHT))


@pytest.mark.parametrize("name", OTHERS)
@pytest.mark.parametrize("power", [SMALLEST, -548, 508, LARGEST])
def test_curves_policies_and_regions_are_the_same_in_any_unit_of_weight(name, power):
    scaled = score_table(Y, SCORE, np.ldexp(WEIGHT, power))
    assert_array_equal(OTHERS[name](scaled), OTHERS[name](score_table(Y, SCORE, WEIGHT)))


INFERRED = {
    "regret": partial(expected_regret, costs=Uniform(0.02, 0.2)),
    "net benefit": partial(net_benefit, costs=At(0.2)),
    "skill": partial(skill_score, costs=Uniform(0.1, 0.4)),
    "weighted accuracy": partial(weighted_accuracy, cost=0.2),
    "log loss": stakes.log_loss,
    "AUC": stakes.auc,
    "AUC of few": stakes.auc,
}
CLUSTERS = np.arange(200) // 5
BEYOND_SQUARES = [-1000, -530, 530, 990]  # powers of two whose squares are no floats, or products with others


def inferred(name, power, cluster):
    """Return all that is inferred from cases by a formula, with weights in units of a power of two."""
    weight = np.ldexp(WEIGHT if name != "AUC of few" else np.where(WEIGHT == 3, 60.0, WEIGHT), power)
    cases = Cases(Y, {"a": SCORE, "b": np.roll(SCORE, 1)}, weight=weight, cluster=cluster)
    one, two, order = (
        function(cases, *models, INFERRED[name])
        for function, models in ((stakes.interval, ()), (stakes.compare, ("a", "b")), (stakes.rank, ()))
    )
    resampled = stakes.interval(cases, INFERRED[name], method="percentile", n_resamples=100, rng=1)["a"]
    sure = [order.probability_best, order.expected_loss, order.value_of_information, order.optimism]
    return [repr(each) for each in (one["a"].lower, one["a"].upper, one["a"].caution, two, *sure, resampled)]


@pytest.mark.sample(7)
@pytest.mark.parametrize("cluster", [None, CLUSTERS], ids=["cases", "clusters"])
@pytest.mark.parametrize("name", INFERRED)
def test_what_is_inferred_is_the_same_in_any_unit_of_weight(name, cluster):
    expected = inferred(name, 0, cluster)
    for power in BEYOND_SQUARES:
        assert inferred(name, power, cluster) == expected


@pytest.mark.parametrize("scale", [1e-160, 1e160])
def test_what_is_inferred_is_the_same_at_scales_that_are_no_power_of_two(scale):
    for measure in INFERRED.values():
        one, two = (
            stakes.compare(Cases(Y, {"a": SCORE, "b": 1 - SCORE}, weight=WEIGHT * unit), "a", "b", measure)
            for unit in (1.0, scale)
        )
        assert_allclose([one.lower, one.upper], [two.lower, two.upper], rtol=1e-9)


@pytest.mark.parametrize("power", [-1000, 990])
def test_miscalibration_is_the_same_in_any_unit_of_weight(power):
    one, two = (
        miscalibration(Cases(Y, {"a": SCORE}, weight=np.ldexp(WEIGHT, unit)), "10%..50%", n_resamples=100, rng=1)
        for unit in (0, power)
    )
    assert one == two


@pytest.mark.parametrize("in_memory", [0, 1000])
@pytest.mark.parametrize("power", [-1000, 530])
def test_an_evaluation_is_the_same_in_any_unit_of_weight(power, in_memory):
    one, two = (
        stakes.evaluate(
            "y", ["a", "b"], "5%..20%", data=frame_of(np.ldexp(WEIGHT, unit)), weight="weight", in_memory=in_memory
        ).to_frame()
        for unit in (0, power)
    )
    assert_allclose(*(each.drop(columns="model").to_numpy(dtype=float) for each in (one, two)), rtol=1e-9)


def frame_of(weight):
    return pl.LazyFrame({"y": Y, "a": SCORE, "b": np.roll(SCORE, 1), "weight": weight})


@given(sample=samples(), scale=st.sampled_from([1e-300, 1e-165, 1e-7, 1e6, 1e153, 1e300]))
def test_the_auc_of_a_weighted_sample_is_the_same_at_scales_that_are_no_power_of_two(sample, scale):
    y, score, weight = sample
    assert_allclose(
        metrics.auc(y, score, sample_weight=weight * scale),
        metrics.auc(y, score, sample_weight=weight),
        rtol=1e-12,
        atol=1e-15,
    )


@given(power=POWERS)
def test_places_are_counted_in_the_unit_of_the_weights(power):
    places, scaled = top_k(score_table(Y, SCORE, WEIGHT), k=20, cost=0.2), math.ldexp(20, power)
    found = top_k(score_table(Y, SCORE, np.ldexp(WEIGHT, power)), k=scaled, cost=0.2)
    assert found == dataclasses.replace(places, true_positives=math.ldexp(places.true_positives, power))


def test_the_smallest_weights_of_all_have_a_brier_score():
    assert metrics.brier_score([1, 0], [0.5, 0.5], sample_weight=[5e-324, 5e-324]) == 0.25


@pytest.mark.parametrize(
    ("make", "weight"),
    [(score_table, "weight"), (metrics.auc, "sample_weight"), (metrics.brier_score, "sample_weight")],
)
def test_weights_with_an_infinite_sum_are_refused(make, weight):
    with pytest.raises(InputError, match=rf"^`{weight}` must have a sum of at most 1\.8e\+308, got more\.$"):
        make([1, 0, 1], [0.2, 0.3, 0.4], **{weight: [1e308, 1e308, 1e308]})


def test_counts_and_merged_tables_with_an_infinite_sum_are_refused():
    with pytest.raises(InputError, match=r"must have a sum of at most 1\.8e\+308"):
        ScoreTable.from_counts([0.1, 0.2], [1e308, 0], [0, 1e308])
    heavy = ScoreTable.from_counts([0.1], [1e308], [0])
    with pytest.raises(InputError, match=r"^`tables` must have a sum of at most 1\.8e\+308"):
        stakes.merge(heavy, heavy)


def test_a_range_that_reaches_below_all_ordinary_numbers_is_refused():
    with pytest.raises(InputError, match=r"^`low` must be at least 2\.23e-308, got 1e-310\.$"):
        LogOddsUniform(1e-310, 0.5)


def test_the_widest_range_in_log_odds_has_a_regret():
    # A mean of c up to 0.2 over the negative, and of 1 - c above it: their closed forms, in 40 digits.
    table, lowest = score_table([0, 1], [0.2, 0.2]), 2.2250738585072014e-308
    length = math.log((1 - lowest) / lowest)
    up_to, above = -math.log1p(-0.2) - lowest, math.log(0.5 / 0.2)
    assert_allclose(expected_regret(table, LogOddsUniform(lowest, 0.5)), (up_to + above) / length / 2, rtol=1e-12)

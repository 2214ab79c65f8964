"""Very many cases, dealt into groups that are drawn whole: the same tables, and the same standard errors."""

from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from uncertainty.simulated import cases

from stakes import Cases, Uniform, expected_regret
from stakes.measures import recognise
from stakes.uncertainty import Study, _plans, _replicates, _resample
from stakes.uncertainty._plans import rows_between

SIZE = 3000
SAMPLES = {
    "cases": {},
    "tied": {"decimals": 3},
    "weighted": {"weight": np.random.default_rng(3).choice([0.5, 1.0, 2.5], SIZE)},
    "clustered": {"cluster": np.random.default_rng(4).integers(0, 1500, SIZE)},
}
REGRET = recognise(partial(expected_regret, costs=Uniform(0.05, 0.2)))


@pytest.fixture
def crowded(monkeypatch):
    """Let a few hundred cases be very many."""
    monkeypatch.setattr(_resample, "MANY", 100)
    monkeypatch.setattr(_resample, "COARSE", 32)
    monkeypatch.setattr(_plans, "CROWD", 1000)
    monkeypatch.setattr(_plans, "GROUPS", 256)


@pytest.mark.parametrize("kind", SAMPLES)
def test_every_group_once_is_the_sample(kind, crowded):
    plans = _plans.Plans.of(sample := cases(SIZE, **SAMPLES[kind]), sample.models)
    assert plans.main.units == 256
    for plan in (plans.main, plans.pairs):
        for model in plan.models:
            positive, negative = model.weights(plan.sample[None])
            assert_allclose(positive[0], model.table.positive)
            assert_allclose(negative[0], model.table.negative)


@pytest.mark.parametrize("kind", SAMPLES)
def test_a_coarse_replicate_is_the_fine_one_pooled(kind, crowded):
    plans = _plans.Plans.of(sample := cases(SIZE, **SAMPLES[kind]), sample.models)
    (_, counts), *_ = plans.pairs.blocks(3, np.random.default_rng(1))
    size = len(sample.models)
    for fine, coarse in zip(plans.pairs.models[:size], plans.pairs.models[size:], strict=True):
        first = np.searchsorted(fine.group, np.arange(len(fine.table)))
        for own, pooled in zip(fine.weights(counts), coarse.weights(counts), strict=True):
            for one, other in zip(own, pooled, strict=True):
                assert_allclose(np.bincount(coarse.group[first], one, len(coarse.table)), other)


def test_groups_hold_whole_clusters_and_are_of_one_size(crowded):
    sample = cases(SIZE, **SAMPLES["clustered"])
    group = _plans.deal(sample)
    assert len(np.unique(np.stack([group, sample.cluster]), axis=1).T) == sample.cluster.max() + 1
    sizes = np.bincount(_plans.deal(cases(SIZE)))
    assert sizes.max() - sizes.min() <= 1


def test_a_model_whose_scores_cannot_be_pooled_is_dealt_without_a_full_matrix(crowded, monkeypatch):
    monkeypatch.setattr(_plans, "MANY", 100)
    sample = cases(SIZE)
    endless = sample.rows("good").astype(float)
    endless[0] = np.inf
    plans = _plans.Plans.of(
        mixed := Cases(sample.positive, {"a": sample.rows("other") / SIZE, "b": endless}), mixed.models
    )
    pooled, whole = plans.main.models
    assert isinstance(pooled.adds, np.ndarray)
    assert whole.adds.nnz == SIZE
    positive, negative = whole.weights(plans.main.sample[None])
    assert_array_equal(positive[0], mixed.table("b").positive)
    assert_array_equal(negative[0], mixed.table("b").negative)


@settings(deadline=None, max_examples=60)
@given(
    st.lists(st.floats(allow_nan=False), min_size=1, max_size=40),
    st.lists(st.floats(allow_nan=False) | st.floats(0, 1), max_size=12),
    st.sampled_from([np.float64, np.float32]),
)
def test_the_row_of_a_score_is_how_many_bounds_it_reaches(numbers, bounds, kind):
    with np.errstate(over="ignore"):
        score = np.array([*numbers, *bounds], dtype=kind)  # also at the bounds themselves
    ascending = np.unique(np.array(bounds, dtype=float))
    assert_array_equal(rows_between(score, ascending), np.searchsorted(ascending, score, side="right"))


def test_rows_of_very_many_scores_and_of_one_score_for_all():
    score = np.random.default_rng(6).beta(1, 9, 40_000)
    bounds = np.quantile(score, np.linspace(0.01, 0.99, 300))
    bounds[100:200] = np.linspace(bounds[100], np.nextafter(bounds[100], 1) + 1e-9, 100)  # crowded
    bounds.sort()
    assert_array_equal(rows_between(score, bounds), np.searchsorted(bounds, score, side="right"))
    assert_array_equal(rows_between(np.broadcast_to(0.5, 7), np.array([0.2, 0.5, 0.6])), np.full(7, 2))


def test_two_bounds_in_one_cell_are_told_apart():
    bounds = np.array([0.0, 0.5, 0.5 + 1e-9, 1.0])
    score = np.array([0.5 - 1e-9, 0.5, 0.5 + 5e-10, 0.5 + 1e-9, 0.5 + 2e-9, 0.75])
    assert_array_equal(rows_between(score, bounds), [1, 2, 2, 3, 3, 3])


def test_the_same_cases_are_dealt_alike_every_time(crowded):
    assert_array_equal(_plans.deal(cases(SIZE)), _plans.deal(cases(SIZE)))


@pytest.mark.parametrize("change", [{"exact": True}, {"by_class": True}])
def test_cases_are_drawn_one_by_one_where_that_is_asked_for(change, crowded):
    sample = cases(SIZE)
    assert _plans.Plans.of(sample, sample.models, **change).main.units == SIZE


def test_few_cases_are_drawn_one_by_one(crowded, monkeypatch):
    monkeypatch.setattr(_plans, "CROWD", SIZE)
    sample = cases(SIZE)
    assert _plans.Plans.of(sample, sample.models).main.units == SIZE


@pytest.mark.parametrize("kind", ["cases", "weighted", "clustered"])
def test_groups_have_the_standard_error_of_the_cases(kind, crowded, monkeypatch):
    monkeypatch.setattr(_plans, "GROUPS", 1024)
    sample = cases(SIZE, **SAMPLES[kind])
    plan = _plans.Plans.of(sample, sample.models).main
    evaluate = [_replicates.evaluator(REGRET, model) for model in plan.models]
    values = _replicates.replicates(plan, evaluate, 1000, np.random.default_rng(2))
    influence = [Study(sample, REGRET).influence(name) for name in sample.models]
    found = [values[:, 0].std(), values[:, 1].std(), (values[:, 0] - values[:, 1]).std()]
    known = [np.sqrt((one**2).sum()) for one in (*influence, influence[0] - influence[1])]
    assert_allclose(found, known, rtol=4 * np.sqrt(1 / 2000 + 1 / 2048))


@pytest.mark.parametrize("kind", ["cases", "weighted"])
@pytest.mark.parametrize("row", [2, 10, 31])
def test_pooling_the_lowest_rows_keeps_the_others(row, kind, crowded):
    sample = cases(SIZE, **SAMPLES[kind])
    plans = _plans.Plans.of(sample, sample.models)
    for plan in (plans.main, plans.pairs, _resample.plan(sample, sample.models)):
        (_, counts), *_ = plan.blocks(2, np.random.default_rng(1))
        whole = plan.models[0]
        pooled = whole.weights_pooled_below(row)
        for one, other in zip(whole.weights(counts), pooled(counts), strict=True):
            assert other.shape[1] == len(whole.table) - row + 1
            assert_allclose(one[:, row:], other[:, 1:])
            assert_allclose(one.sum(axis=1), other.sum(axis=1))


@pytest.mark.parametrize("row", [0, 1])
def test_one_row_or_none_is_not_pooled(row, crowded):
    sample = cases(SIZE, **SAMPLES["cases"])
    assert _plans.Plans.of(sample, sample.models).main.models[0].weights_pooled_below(row) is None

"""Poisson replicates, which a key brings about by itself: the right law, the same anywhere, as sure as cases are."""

from functools import partial

import numpy as np
import pandas as pd
import polars as pl
import pytest
from frames.test_evaluating import MODELS, sample
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from stakes import Cases, Uniform, auc, compare, expected_regret, frames, interval
from stakes.frames._poisson import draws, keys_of

REGRET = partial(expected_regret, costs=Uniform(0.05, 0.2))


def test_a_case_stands_in_replicates_as_poisson_says():
    counts = draws(keys_of(np.arange(20_000), 3), 100).astype(float)
    assert_allclose(counts.mean(), 1, atol=0.003)
    assert_allclose(counts.var(), 1, atol=0.005)
    assert_allclose([np.mean(counts == k) for k in range(4)], np.exp(-1) / np.array([1, 1, 2, 6]), atol=0.002)


def test_cases_and_replicates_are_drawn_independently():
    counts = draws(keys_of(np.arange(4000), 0), 60).astype(float)
    between_replicates = np.corrcoef(counts.T) - np.eye(60)
    between_cases = np.corrcoef(counts[:200]) - np.eye(200)
    assert np.abs(between_replicates).max() < 0.08
    assert abs(between_cases.sum() / (200 * 199)) < 0.005


@given(
    st.lists(st.one_of(st.integers(-(2**62), 2**62), st.text(max_size=5)), min_size=1, max_size=20), st.integers(0, 99)
)
def test_a_label_is_drawn_alike_wherever_it_stands(labels, seed):
    column = np.array(labels, dtype=object)
    whole = draws(keys_of(column, seed), 10)
    for i in range(len(labels)):
        assert_array_equal(draws(keys_of(column[i : i + 1], seed), 10)[0], whole[i])


def test_another_seed_draws_otherwise():
    keys = np.arange(100)
    assert not np.array_equal(draws(keys_of(keys, 0), 8), draws(keys_of(keys, 1), 8))


@pytest.mark.slow
@pytest.mark.parametrize("measure", [REGRET, auc], ids=["regret", "AUC"])
def test_intervals_and_differences_are_as_wide_as_those_of_cases(measure):
    columns = sample(4000, 7)
    named = {"weight": "weight", "cluster": "ward"}
    found = frames.replicates(pd.DataFrame(columns), "died", MODELS, **named, n_resamples=1500)
    cases = Cases(
        columns["died"],
        {model: columns[model] for model in MODELS},
        **{part: columns[column] for part, column in named.items()},
    )
    for model, wanted in interval(cases, measure).items():
        ours = found.interval(measure)[model]
        assert ours.estimate == pytest.approx(wanted.estimate, rel=1e-12)
        assert_allclose(ours.upper - ours.lower, wanted.upper - wanted.lower, rtol=0.1)
    ours = found.compare(*MODELS, measure)
    wanted = compare(cases, *MODELS, measure)
    assert ours.difference == pytest.approx(wanted.difference, rel=1e-9)
    assert_allclose(ours.upper - ours.lower, wanted.upper - wanted.lower, rtol=0.1)
    assert_allclose(ours.probability_better, wanted.probability_better, atol=0.03)


def test_cases_of_one_cluster_stand_in_a_replicate_together():
    columns = sample(800, 7) | {"half": np.arange(800) // 400}
    weights = frames.replicates(pl.LazyFrame(columns), "died", ["new"], cluster="half").weights["new"]
    assert_array_equal(weights.sum(axis=1) % 400, 0)


def test_few_rows_hardly_change_an_interval():
    frame = pd.DataFrame(sample(4000, 7))
    wide, narrow = (
        frames.replicates(frame, "died", ["new"], key="row", rows=rows).interval(auc)["new"] for rows in (4000, 64)
    )
    assert wide.estimate == narrow.estimate
    assert_allclose([narrow.lower, narrow.upper], [wide.lower, wide.upper], atol=0.002)


@pytest.mark.parametrize(
    ("named", "message"),
    [
        ({}, "`key` must name the column that identifies the cases, where no `cluster` is given, got none."),
        ({"key": "row", "n_resamples": 99}, "`n_resamples` must be at least 100, got 99."),
        ({"key": "row", "rows": 1}, "`rows` must be at least 2, got 1."),
        ({"key": "row", "seed": -1}, "`seed` must be at least 0, got -1."),
    ],
)
def test_what_cannot_be_resampled_is_refused(named, message):
    with pytest.raises(ValueError, match="must") as caught:
        frames.replicates(pd.DataFrame(sample(80)), "died", MODELS, **named)
    assert str(caught.value) == message

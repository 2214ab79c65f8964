"""The one sort: laws, and a slow twin, for each way of sorting."""

from __future__ import annotations

import math
import subprocess
import sys
import tracemalloc
from collections import defaultdict
from contextlib import contextmanager
from types import SimpleNamespace
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from numba.core.dispatcher import Dispatcher
from numpy.testing import assert_allclose, assert_array_equal

from stakes import _radix, _sort

ENGINES = ["numpy", "one pass", "radix"]
law = settings(max_examples=25, deadline=None)  # each law holds for each engine: many short runs
each_engine = pytest.mark.parametrize("engine", ENGINES)


@contextmanager
def sorting_by(engine):
    """Sort small samples, too, the way large ones are sorted."""
    with patch.object(_sort, "RADIX_ROWS", math.inf if engine == "numpy" else 0):
        if engine == "radix":
            with patch.object(_radix, "pool_few", lambda *_: None), patch.object(_sort, "sorts_slowly", lambda: True):
                yield
        else:
            yield


def pool(engine, label, score, weight=None):
    with sorting_by(engine):
        return _sort.pool(label, score, weight)


def pool_case_by_case(label, score, weight):
    """Make the table by definition: one dictionary for each class."""
    weights = {True: defaultdict(list), False: defaultdict(list)}
    for y, s, w in zip(label.tolist(), score.tolist(), weight.tolist(), strict=True):
        weights[y][s].append(w)
    distinct = sorted({*weights[True], *weights[False]})
    positive, negative = ([math.fsum(weights[y][s]) for s in distinct] for y in (True, False))
    return np.array(distinct), np.array(positive), np.array(negative)


def assert_identical(table, other):
    for column, expected in zip(table, other, strict=True):
        assert column.dtype == np.float64
        assert column.tobytes() == np.asarray(expected, dtype=np.float64).tobytes()


@st.composite
def samples(draw, dtype=np.float64):
    """Labels and scores; few decimals make ties, floats of any size make extremes."""
    width = np.dtype(dtype).itemsize * 8
    decimals = st.integers(-7, 7).map(lambda tenths: tenths / 10)
    floats = st.floats(width=width, allow_nan=False)
    score = draw(st.lists(decimals, min_size=1, max_size=40) | st.lists(floats, min_size=1, max_size=40))
    label = draw(hnp.arrays(np.bool_, len(score)))
    return label, np.array(score, dtype=dtype)


@st.composite
def weighted_samples(draw, dtype=np.float64):
    label, score = draw(samples(dtype))
    return label, score, draw(hnp.arrays(np.float64, len(score), elements=st.floats(0.01, 100)))


def shuffled(rng, *columns):
    order = rng.permutation(columns[0].size)
    return tuple(column[order] for column in columns)


SCORES = {
    "probabilities": lambda rng, rows: rng.beta(2, 5, rows),
    "any sign": lambda rng, rows: rng.normal(-0.3, 2, rows),
    "all negative": lambda rng, rows: -rng.exponential(3, rows),
    "partly tied": lambda rng, rows: rng.integers(0, rows, rows) / rows,
    "tied": lambda rng, rows: rng.integers(-30, 70, rows) / 100,
    "many powers of two": lambda rng, rows: np.exp2(rng.uniform(-1000, 1000, rows)),
    "one score": lambda _, rows: np.full(rows, 0.3),
    "few ties": lambda rng, rows: np.where(rng.random(rows) < 0.05, rng.integers(0, 4, rows) / 4, rng.random(rows)),
}


def large_sample(kind, rows=20_000):
    """Draw labels, scores and weights; unless tied, more distinct scores than one pass can hold."""
    rng = np.random.default_rng(20)
    return rng.random(rows) < 0.2, SCORES[kind](rng, rows), rng.uniform(0.5, 3, rows)


# ------------------------------------------------------------------------------------------------ the oracle


@pytest.mark.sample(3)
@each_engine
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@given(data=st.data())
@law
def test_unweighted_cases_are_counted_exactly(engine, dtype, data):
    label, score = data.draw(samples(dtype))
    expected = pool_case_by_case(label, score + 0, np.ones(label.size))
    assert_identical(pool(engine, label, score), [expected[0] + 0.0, *expected[1:]])


@pytest.mark.sample(2)
@each_engine
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@given(data=st.data())
@law
def test_weights_are_added_up_by_score_and_class(engine, dtype, data):
    label, score, weight = data.draw(weighted_samples(dtype))
    table, expected = pool(engine, label, score, weight), pool_case_by_case(label, score, weight)
    assert_array_equal(table[0], expected[0])
    assert_allclose(table[1:], expected[1:], rtol=1e-14)


@pytest.mark.sample(9)
@pytest.mark.sample(4)
@each_engine
@pytest.mark.parametrize("kind", SCORES)
def test_large_samples_are_counted_exactly(engine, kind):
    label, score, weight = large_sample(kind)
    assert_identical(pool(engine, label, score), pool_case_by_case(label, score, np.ones(label.size)))
    assert_allclose(pool(engine, label, score, weight), pool_case_by_case(label, score, weight), rtol=1e-11)


@pytest.mark.sample(18)
@pytest.mark.sample(2)
@each_engine
@pytest.mark.parametrize("kind", SCORES)
@pytest.mark.parametrize("weighted", [False, True])
def test_money_and_people_come_from_one_sort(engine, kind, weighted):
    label, score, weight = large_sample(kind, rows=6_000)
    side, money = shuffled(np.random.default_rng(1), label, np.exp2(weight * 5))
    money[::7] = 0.0
    with sorting_by(engine):
        score_, acting, leaving, *people = _sort.pool_columns(
            score, np.where(side, money, -money), label, weight if weighted else None
        )
    _, positive, negative = pool_case_by_case(side, score, money)
    _, *heads = pool_case_by_case(label, score, weight if weighted else np.ones(label.size))
    assert_array_equal(score_, np.unique(score))
    assert_allclose([acting, leaving], [positive, negative], rtol=1e-11)
    assert_allclose(people, heads, rtol=1e-11)


def by_argsort(score):
    """Sort as NumPy does, ties as they come."""
    order = np.argsort(score, kind="stable")
    return order, score[order]


SHARES = {
    "ordinary": lambda rng, rows: rng.beta(2, 5, rows),
    "tied": lambda rng, rows: rng.integers(0, 50, rows) / 49,
    "few ties": SCORES["few ties"],
    "one score": SCORES["one score"],
    "last bits": lambda rng, rows: 0.7 + rng.integers(0, 40, rows) * 2.0**-53,
    "some last bits": lambda rng, rows: rng.integers(0, 9, rows) / 10 + rng.integers(0, 3, rows) * 2.0**-54,
    "tiny": lambda rng, rows: rng.integers(0, 9, rows) * 5e-324,
    "tiny and ordinary": lambda rng, rows: np.exp2(rng.uniform(-1070, 0, rows)),
    "times": lambda rng, rows: rng.exponential(4000, rows),
    "tied times": lambda rng, rows: np.round(rng.exponential(40, rows)),
    "times of all sizes": lambda rng, rows: rng.choice([0.0, -0.0, 2.5, 2.5 + 2**-50, 1e308, np.inf], rows),
    "both zeros and one": lambda rng, rows: rng.choice([0.0, -0.0, 1.0, 1 - 2.0**-53], rows),
}


@pytest.mark.parametrize("rows", [1, 2, 3, 64, 65, 5_000])
@pytest.mark.parametrize("kind", SHARES)
def test_shares_are_sorted_as_numpy_sorts_them_bit_for_bit(kind, rows):
    score = SHARES[kind](np.random.default_rng(rows), rows)
    order, ordered = _sort._with_rows_in_order(score)
    assert_array_equal(order, by_argsort(score)[0])
    assert ordered.tobytes() == by_argsort(score)[1].tobytes()


@given(score=hnp.arrays(np.float64, st.integers(1, 60), elements=st.floats(0) | st.sampled_from([0.5, 0.5 + 2**-53])))
def test_any_shares_are_sorted_as_numpy_sorts_them(score):
    order, ordered = _sort._with_rows_in_order(score)
    assert_array_equal(order, by_argsort(score)[0])
    assert ordered.tobytes() == by_argsort(score)[1].tobytes()


@pytest.mark.parametrize("engine", ["numpy", "radix"])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("kind", SHARES)
def test_money_of_shares_is_the_same_bit_for_bit_however_they_are_sorted(engine, kind, weighted):
    label, _, weight = large_sample("tied", rows=5_000)
    score, signed = SHARES[kind](np.random.default_rng(7), 5_000), np.random.default_rng(8).normal(size=5_000)
    columns = score, signed, label, weight if weighted else None
    with sorting_by(engine):
        found = _sort.pool_columns(*columns)
    with patch.object(_sort, "in_order", by_argsort):
        assert_identical(found, _sort.pool_columns(*columns))


# -------------------------------------------------------------------------------------------------- the laws


@each_engine
@given(sample=samples(), rng=st.integers(0, 99).map(np.random.default_rng))
@law
def test_the_order_of_cases_does_not_matter(engine, sample, rng):
    assert_identical(pool(engine, *sample), pool(engine, *shuffled(rng, *sample)))


@each_engine
@given(sample=weighted_samples(), rng=st.integers(0, 99).map(np.random.default_rng))
@law
def test_the_order_of_weighted_cases_matters_only_by_rounding(engine, sample, rng):
    assert_allclose(pool(engine, *sample), pool(engine, *shuffled(rng, *sample)), rtol=1e-14)


@each_engine
@given(sample=samples())
@law
def test_tied_cases_share_a_row(engine, sample):
    label, score = sample
    twice = pool(engine, np.concatenate([label, ~label]), np.concatenate([score, score]))
    once = pool(engine, label, score)
    assert_identical(twice, [once[0], once[1] + once[2], once[1] + once[2]])


@each_engine
@given(sample=samples(), data=st.data())
@law
def test_an_integer_weight_means_a_repeated_case(engine, sample, data):
    label, score = sample
    times = data.draw(hnp.arrays(np.int64, label.size, elements=st.integers(1, 4)))
    repeated = pool(engine, np.repeat(label, times), np.repeat(score, times))
    assert_identical(pool(engine, label, score, times.astype(np.float64)), repeated)


@each_engine
@pytest.mark.parametrize("weight", [None, np.array([2.0, 3.0, 5.0])])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_minus_zero_is_zero(engine, weight, dtype):
    table = pool(engine, np.array([True, False, True]), np.array([-0.0, 0.0, -0.0], dtype), weight)
    assert_identical(table, [[0.0], [2.0], [1.0]] if weight is None else [[0.0], [7.0], [3.0]])


@each_engine
@pytest.mark.parametrize("weight", [None, np.array([2.0])])
def test_a_lone_minus_zero_is_returned_as_zero(engine, weight):
    assert_identical(pool(engine, np.array([False]), np.array([-0.0]), weight)[:1], [[0.0]])


@each_engine
@given(sample=samples())
@law
def test_turning_the_sign_of_the_scores_turns_the_table_round(engine, sample):
    label, score = sample
    distinct, positive, negative = pool(engine, label, score)
    assert_identical(pool(engine, label, -score), [-distinct[::-1] + 0.0, positive[::-1], negative[::-1]])


@each_engine
@pytest.mark.parametrize("weight", [None, np.ones(5)])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_infinities_are_the_outermost_scores(engine, weight, dtype):
    label, score = np.array([True, False, True, True, False]), np.array([np.inf, 1.0, -np.inf, np.inf, -2.0], dtype)
    table = pool(engine, label, score, weight)
    assert_identical(table, [[-np.inf, -2.0, 1.0, np.inf], [1.0, 0.0, 0.0, 2.0], [0.0, 1.0, 1.0, 0.0]])


@each_engine
@given(sample=samples(np.float32))
@law
def test_single_precision_scores_are_pooled_as_they_are(engine, sample):
    label, score = sample
    assert_identical(pool(engine, label, score), pool(engine, label, score.astype(np.float64)))


@each_engine
@pytest.mark.parametrize("weighted", [False, True])
def test_the_input_is_only_read(engine, weighted):
    label, score, weight = large_sample("any sign", rows=100)
    before = label.copy(), score.copy(), weight.copy()
    for column in (label, score, weight):
        column.flags.writeable = False
    pool(engine, label, score, weight if weighted else None)
    assert_identical((score, weight), before[1:])


@each_engine
@pytest.mark.parametrize("weighted", [False, True])
def test_a_strided_input_gives_the_same_table(engine, weighted):
    label, score, weight = (column[::-3] for column in large_sample("any sign", rows=100))
    copies = label.copy(), score.copy(), weight.copy() if weighted else None
    assert_identical(pool(engine, label, score, weight if weighted else None), pool(engine, *copies))


# ---------------------------------------------------------------------------------------------- both engines


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@given(data=st.data())
@law
def test_numba_and_numpy_agree_bit_for_bit(dtype, data):
    sample = data.draw(samples(dtype))
    assert_identical(pool("radix", *sample), pool("numpy", *sample))
    assert_identical(pool("one pass", *sample), pool("numpy", *sample))


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("kind", SCORES)
def test_numba_and_numpy_agree_bit_for_bit_on_large_samples(kind, dtype):
    label, score, _ = large_sample(kind)
    with np.errstate(over="ignore"):
        score = score.astype(dtype)
    assert_identical(pool("radix", label, score), pool("numpy", label, score))
    assert_identical(pool("one pass", label, score), pool("numpy", label, score))


def test_one_pass_gives_up_when_there_are_too_many_distinct_scores():
    score = np.arange(_radix.FEW + 1.0)
    label = np.ones(score.size, dtype=bool)
    assert _radix.pool_few(label, score, None) is None
    assert_identical(_radix.pool_few(label[1:], score[1:], None), [score[1:], label[1:], ~label[1:]])


def test_large_samples_do_without_numba_where_it_is_not_installed():
    sample = np.array([True, False]), np.array([0.3, 0.2])
    absent, forbidden = patch.object(_sort, "find_spec", return_value=None), patch.object(_sort, "_pool_with_numba")
    with sorting_by("radix"), absent as found, forbidden as by_radix:
        assert_identical(_sort.pool(*sample), [[0.2, 0.3], [0.0, 1.0], [1.0, 0.0]])
    by_radix.assert_not_called()
    found.assert_called_once_with("numba")


@pytest.mark.parametrize("slowly", [False, True])
def test_many_scores_are_sorted_by_radix_only_where_numpy_is_slower(slowly):
    with (
        sorting_by("radix"),
        patch.object(_sort, "sorts_slowly", lambda: slowly),
        patch.object(_radix, "sort_keys", wraps=_radix.sort_keys) as by_radix,
    ):
        assert _sort.pool(np.array([True, False]), np.array([0.3, 0.2]))[0].tolist() == [0.2, 0.3]
    assert by_radix.called == slowly


@pytest.mark.parametrize("loaded", [False, True])
def test_sums_of_tied_weights_keep_every_digit_however_fast_numpy_sorts(loaded):
    rng = np.random.default_rng(1)
    sample = rng.random(5000) < 0.3, np.round(rng.random(5000), 2), rng.random(5000)
    modules = {name: one for name, one in sys.modules.items() if loaded or name != "stakes._radix"}
    tables = []
    for slowly in (False, True):
        with (
            sorting_by("radix"),
            patch.object(_sort, "sorts_slowly", lambda slowly=slowly: slowly),
            patch.object(_sort, "sys", SimpleNamespace(modules=modules)),
        ):
            tables.append(_sort.pool(*sample))
    assert_identical(*tables)


@pytest.mark.slow
def test_numba_is_not_loaded_where_numpy_sorts_fast():
    program = "import sys, numpy; from stakes import _sort; _sort.RADIX_ROWS, _sort.sorts_slowly = 0, lambda: False; "
    program += "_sort.pool(numpy.array([True, False]), numpy.array([0.3, 0.2])); sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


@pytest.mark.slow
def test_small_samples_do_not_load_numba():
    program = "import sys, numpy, stakes; stakes.score_table([0, 1], [0.2, 0.3]); sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


def test_kernels_compile_where_nothing_can_be_written():
    with patch.object(Dispatcher, "enable_caching", side_effect=RuntimeError("no locator available")):
        double = _radix._compiled()(lambda x: 2 * x)
    assert double(3) == 6


# ---------------------------------------------------------------------------------------------------- memory


def extra_memory(engine, *sample):
    """Peak of what is allocated on the way, the result included, as a multiple of the input."""
    tracemalloc.start()
    pool(engine, *sample)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak / sum(column.nbytes for column in sample)


@each_engine
def test_a_table_without_ties_takes_little_more_memory_than_itself(engine):
    label, score, _ = large_sample("probabilities", rows=300_000)
    assert extra_memory(engine, label, score) < 3.5


@each_engine
@pytest.mark.parametrize("kind", SCORES)
def test_ties_and_signs_take_at_most_four_times_the_memory_of_the_input(engine, kind):
    label, score, weight = large_sample(kind, rows=300_000)
    score[::1000] = 0.125
    assert extra_memory(engine, label, score) < 4
    assert extra_memory(engine, label, score, weight) < 4.5


@pytest.mark.parametrize("tied", [0, 1, 3, 40])
def test_few_ties_are_pooled_as_many_are(tied):
    rng = np.random.default_rng(tied)
    score = rng.permutation(np.append(rng.random(400), np.full(tied, 0.5)))
    label = rng.random(len(score)) < 0.3
    found = pool("numpy", label, score)
    distinct = np.unique(score)
    counts = [[int((label[score == s] == side).sum()) for s in distinct] for side in (True, False)]
    for column, wanted in zip(found, [distinct, *counts], strict=True):
        assert_array_equal(column, wanted)

"""One table, many threads: values are frozen, so whoever asks first gets what the last one gets."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, current_thread

import numpy as np
import pytest
from every_number import NUMBERS, sample

import stakes
from stakes import Cases, _arrays
from stakes.table import _tables_of, sorted_table

THREADS = 8


def together(work):
    """Call `work(i)` in many threads that all start at the same moment; return what each got."""
    start = Barrier(THREADS)

    def one(i):
        start.wait()
        return work(i)

    with ThreadPoolExecutor(THREADS) as pool:
        return list(pool.map(one, range(THREADS)))


@pytest.mark.parametrize(
    "weight", [None, np.random.default_rng(2).choice([0.5, 1.25, 3.0], 3000)], ids=["", "weighted"]
)
def test_tables_of_models_are_the_same_from_one_thread_and_from_several(weight, monkeypatch):
    y, score = sample(3000)
    predictions = {"a": score, "b": np.round(score, 2), "c": score**2, "d": 1 - score, "e": score.astype(np.float32)}
    alone = Cases(y, predictions, weight=weight)
    names = set()
    monkeypatch.setattr(_arrays, "_MANY", 0)
    monkeypatch.setattr(_tables_of, "sorted_table", lambda *a: names.add(current_thread().name) or sorted_table(*a))
    several = Cases(y, predictions, weight=weight)
    assert all(several.table(name) == alone.table(name) for name in predictions)
    assert names
    assert current_thread().name not in names


@pytest.mark.sample(4)
@pytest.mark.parametrize("name", NUMBERS)
def test_the_same_table_gives_every_thread_the_same_number(name):
    expected = NUMBERS[name](stakes.score_table(*sample()))
    for _ in range(5):  # a fresh table each time: nothing has been computed from it yet
        table = stakes.score_table(*sample())
        assert together(lambda _, table=table: NUMBERS[name](table)) == [expected] * THREADS


def test_different_numbers_of_one_table_do_not_disturb_each_other():
    names = list(NUMBERS)
    expected = [NUMBERS[names[i % len(names)]](stakes.score_table(*sample())) for i in range(THREADS)]
    table = stakes.score_table(*sample())
    assert together(lambda i: NUMBERS[names[i % len(names)]](table)) == expected


def test_tables_are_built_alike_in_many_threads():
    y, score = sample(300_000)  # enough for the parallel paths of the sort
    expected = stakes.score_table(y, score)
    for table in together(lambda _: stakes.score_table(y, score)):
        np.testing.assert_array_equal(table.score, expected.score)
        np.testing.assert_array_equal(table.positive, expected.positive)


def test_the_same_cases_are_resampled_alike_in_many_threads():
    y, score = sample(400)
    cases = Cases(y, {"model": score})

    def resampled(_):
        found = stakes.interval(cases, stakes.log_loss, method="percentile", n_resamples=200, rng=7)["model"]
        return found.lower, found.upper

    assert len(set(together(resampled))) == 1

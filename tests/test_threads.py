"""One table, many threads: values are frozen, so whoever asks first gets what the last one gets."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import numpy as np
import pytest

import stakes
from stakes import At, Cases, Limits, LogOddsUniform, Uniform

THREADS = 8
COSTS, PREVALENCE, LIMITS = Uniform(0.05, 0.3), LogOddsUniform(0.02, 0.2), Limits(capacity=0.3)
NUMBERS = {
    "expected_regret": lambda table: stakes.expected_regret(table, COSTS),
    "log_loss": stakes.log_loss,
    "auc": stakes.auc,
    "decompose": lambda table: stakes.decompose(table, COSTS).miscalibration,
    "recalibrate": lambda table: stakes.recalibrate(table).score.sum(),
    "decision_curve": lambda table: stakes.decision_curve(table).between(0.05, 0.3).area(),
    "roc_hull": lambda table: stakes.roc_hull(table).area(),
    "shifted_regret": lambda table: stakes.shifted_regret(table, COSTS, PREVALENCE),
    "partial_voros": lambda table: stakes.partial_voros(table, COSTS, LIMITS),
    "best_cuts": lambda table: stakes.best_cuts(table, COSTS, LIMITS).mean_regret,
    "net_benefit": lambda table: stakes.net_benefit(table, At(0.2)),
}


def sample(rows=3000):
    rng = np.random.default_rng(3)
    score = rng.beta(2, 5, rows)
    return (rng.random(rows) < score).astype(int), score


def together(work):
    """Call `work(i)` in many threads that all start at the same moment; return what each got."""
    start = Barrier(THREADS)

    def one(i):
        start.wait()
        return work(i)

    with ThreadPoolExecutor(THREADS) as pool:
        return list(pool.map(one, range(THREADS)))


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

"""Resampling, faster than resampling rows: ``python3 dev.py bench bootstrap [--rows 1000000] [--replicates 2000]``.

Ours is the whole call, 2,000 replicates; theirs is one replicate of drawing rows and calling the same function (or
scikit-learn's) on them, times as many; both the best of five. Only ratios within one run are printed, and of processor
time: other work on the machine then counts little.
"""

from __future__ import annotations

import argparse
import time
import tracemalloc
from collections.abc import Callable
from functools import partial

import numpy as np
from measuring import print_table
from sklearn.metrics import roc_auc_score

from stakes import Cases, Uniform, auc, expected_regret, interval, metrics, recalibrate, score_table
from stakes.uncertainty._resample import COARSE

COSTS = Uniform(0.05, 0.2)
FEW = 5


def recalibrated_regret(table) -> float:
    return expected_regret(recalibrate(table), COSTS)


def seconds(task: Callable[[], object]) -> float:
    start = time.process_time()
    task()
    return time.process_time() - start


def by_rows(y: np.ndarray, score: np.ndarray, function: Callable, rng: np.random.Generator) -> float:
    rows = rng.integers(len(y), size=len(y))
    return function(y[rows], score[rows])


def report(rows: int, replicates: int) -> None:
    rng = np.random.default_rng(9)
    score = rng.beta(2, 5, rows)
    y = rng.random(rows) < score
    building = seconds(lambda: Cases(y, {"model": score}))
    cases = Cases(y, {"model": score})
    tasks = {
        "expected regret": (
            partial(expected_regret, costs=COSTS),
            lambda y, s: metrics.expected_regret(y, s, costs=COSTS),
        ),
        "AUC, against scikit-learn": (auc, roc_auc_score),
        "recalibrated regret": (recalibrated_regret, lambda y, s: recalibrated_regret(score_table(y, s))),
    }
    lines = []
    for name, (measure, on_rows) in tasks.items():
        call = partial(interval, cases, measure, method="percentile", n_resamples=replicates, rng=1)
        ours = min(seconds(call) for _ in range(FEW))  # the best of as many as theirs
        theirs = min(seconds(lambda f=on_rows: by_rows(y, score, f, rng)) for _ in range(FEW)) * replicates
        found = call()["model"]
        width = found.upper - found.lower
        parts = (f"{part / width:.0e}" for part in (abs(found.coarsening), found.coarsening_error))
        lines.append([name, theirs / ours, theirs / (ours + building), *parts])
    print(
        f"\n**{replicates:,} replicates of {rows:,} cases without ties**, {COARSE} coarse rows; {peak(cases):.0f} MB."
    )
    columns = ["measure", "times faster", "building Cases included", "coarsening / width", "its error / width"]
    print_table(columns, lines)


def peak(cases: Cases) -> float:
    """Peak of the memory of one call, in megabytes; replicates are drawn a block at a time."""
    tracemalloc.start()
    interval(cases, auc, method="percentile", n_resamples=2000, rng=1)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return most / 1e6


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rows", type=int, default=10**6)
    parser.add_argument("--replicates", type=int, default=2000)
    chosen = parser.parse_args()
    report(chosen.rows, chosen.replicates)


if __name__ == "__main__":
    main()

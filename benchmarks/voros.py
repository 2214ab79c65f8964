"""Time partial VOROS against building its table, and the map of limits: ``python3 dev.py bench voros``."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

import numpy as np

from stakes import Beta, Limits, ScoreTable, best_thresholds, score_table
from stakes.beliefs import CostRatio, FractionalCost
from stakes.limits import partial_voros, partial_voros_map, voros

REPEATS = 7
STRICT, LOOSE = Limits(capacity=0.1, min_precision=0.3), Limits(capacity=0.9, min_precision=0.05)


def seconds(task: Callable[[], object]) -> float:
    """Return the median time of a task, after one call that is not counted."""
    task()
    times = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        task()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def sample(cases: int, seed: int, gap: float = 1.5) -> tuple[np.ndarray, np.ndarray]:
    """Return outcomes, one in ten positive, and scores without ties."""
    rng = np.random.default_rng(seed)
    y = rng.random(cases) < 0.1
    return y, rng.normal(size=cases) + gap * y


def million() -> None:
    """Print what each number of a million cases costs, in units of building their table."""
    y, score = sample(1_000_000, seed=1)
    build = seconds(lambda: score_table(y, score))
    table = score_table(y, score)
    tasks: dict[str, Callable[[], object]] = {
        "partial_voros, cost ratio, strict limits": lambda: partial_voros(table, CostRatio(0.025, 0.05), STRICT),
        "partial_voros, t uniform, loose limits": lambda: partial_voros(table, FractionalCost(0.1, 0.9), LOOSE),
        "partial_voros, randomised": lambda: partial_voros(table, FractionalCost(0.1, 0.9), LOOSE, randomised=True),
        "partial_voros, t ~ Beta(0.5, 2)": lambda: partial_voros(table, FractionalCost.of(Beta(0.5, 2)), LOOSE),
        "voros": lambda: voros(table, FractionalCost(0, 1)),
        "best_thresholds": lambda: best_thresholds(table, CostRatio(0.025, 0.05), STRICT),
    }
    print(f"a million cases\n  {'score_table':42} {1000 * build:7.1f} ms   1.00")
    for name, task in tasks.items():
        took = seconds(task)
        print(f"  {name:42} {1000 * took:7.1f} ms  {took / build:5.2f}")


def whole_map() -> None:
    """Print how long a map of 50 x 50 limits for five models of ten thousand cases takes."""
    tables: dict[str, ScoreTable] = {str(k): score_table(*sample(10_000, seed=k, gap=1 + 0.2 * k)) for k in range(5)}
    for name, precision, capacity in (
        ("the paper's range", (0.1, 0.6), (0.005, 0.7)),
        ("wide", (0.0, 0.2), (0.02, 1.0)),
    ):
        start = time.perf_counter()
        limits = {"min_precision": np.linspace(*precision, 50), "capacity": np.linspace(*capacity, 50)}
        partial_voros_map(tables, FractionalCost(0.01, 0.7), **limits)
        print(f"map of 50 x 50 limits, five models of 10,000 cases, {name}: {time.perf_counter() - start:.2f} s")


if __name__ == "__main__":
    million()
    whole_map()

"""The exact table of a sample: the one sort, against np.sort and scikit-learn."""

from __future__ import annotations

import math
from importlib.util import find_spec
from unittest.mock import patch

import numpy as np
from measuring import peak_memory, print_table, race
from sklearn.metrics import roc_auc_score

from stakes import _sort

# Column, and the number of rows from which on it sorts with numba.
ENGINES = {"NumPy": math.inf} | ({"numba": 0} if find_spec("numba") else {})


def samples(rows: int) -> dict[str, tuple[np.ndarray, ...]]:
    """Labels, scores and perhaps weights, by what is special about them."""
    rng = np.random.default_rng(8)
    score, rare, common = rng.beta(2, 5, rows), rng.random(rows) < 0.1, rng.random(rows) < 0.5
    weight = rng.uniform(0.5, 3, rows)
    return {
        "10% positives": (rare, score),
        "balanced": (common, score),
        "1,001 distinct scores": (rare, np.round(score, 3)),
        "any sign": (rare, score - 0.3),
        "float32": (rare, score.astype(np.float32)),
        "weighted": (rare, score, weight),
        "weighted, 1,001 distinct scores": (rare, np.round(score, 3), weight),
    }


def pool(engine: str, *sample: np.ndarray) -> None:
    with patch.object(_sort, "RADIX_ROWS", ENGINES[engine]), patch.object(_sort, "sorts_slowly", lambda: True):
        _sort.pool(*sample)


def area(label: np.ndarray, score: np.ndarray, weight: np.ndarray | None = None) -> None:
    roc_auc_score(label, score, sample_weight=weight)


def report(rows: int) -> None:
    """Print one table for samples of this many rows."""
    print(f"\n**Exact table of {rows:,} cases**: time as a multiple of `np.sort(score)`, times faster than")
    print("`roc_auc_score`, and peak extra memory as a multiple of the input.")
    columns = [f"{engine}, {what}" for engine in ENGINES for what in ("/ np.sort", "faster")]
    memory = [f"{engine}, memory" for engine in ENGINES]
    header = ["scores", *columns, *memory, "roc_auc_score, / np.sort", "memory"]
    print_table(header, ([name, *ratios(sample)] for name, sample in samples(rows).items()))


def ratios(sample: tuple[np.ndarray, ...]) -> list[float]:
    """Ratios of times and of memory for one sample, in the order of the columns."""
    tasks = {engine: lambda engine=engine: pool(engine, *sample) for engine in ENGINES}
    tasks["roc_auc_score"] = lambda: area(*sample)
    seconds = race({**tasks, "np.sort": lambda: np.sort(sample[1])})
    size = sum(column.nbytes for column in sample)
    speed = [(seconds[e] / seconds["np.sort"], seconds["roc_auc_score"] / seconds[e]) for e in ENGINES]
    memory = [peak_memory(task) / size for task in tasks.values()]
    slowness = seconds["roc_auc_score"] / seconds["np.sort"]
    return [*(ratio for pair in speed for ratio in pair), *memory[:-1], slowness, memory[-1]]


def warm_up() -> None:
    """Compile or load what numba compiles, so that no timing holds it."""
    for engine in ENGINES:
        pool(engine, np.array([True, False]), np.array([0.3, 0.2]))

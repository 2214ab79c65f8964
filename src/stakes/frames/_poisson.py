"""Poisson resampling of rows by a hash of their keys, on any worker."""

from __future__ import annotations

import hashlib
import math
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy

from stakes._arrays import FloatArray
from stakes.frames._frame import Arrays
from stakes.table import ScoreTable, coarsen

BLOCK = 4096  # rows whose draws are held at a time
_DRAWS = 4  # of 16 bits, from one number of 64

# SplitMix64 (Steele, Lea and Flood 2014); the step is 2 ** 64 over the golden ratio.
_STEP = 0x9E3779B97F4A7C15
_FIRST, _SECOND = 0xBF58476D1CE4E5B9, 0x94D049BB133111EB

Keys = npt.NDArray[np.uint64]


def coarsen_for_workers(table: ScoreTable, rows: int) -> tuple[ScoreTable, FloatArray]:
    """Coarsen a table to at most `rows` rows; return it with the highest score of each."""
    if len(table) <= rows:
        return table, table.score
    small = coarsen(table, rows=rows)
    weight, ends = table.positive + table.negative, np.cumsum(small.positive + small.negative)
    group = np.minimum(np.searchsorted(ends, np.cumsum(weight) - weight / 2), len(small) - 1)
    return small, table.score[np.flatnonzero(np.diff(group, append=len(small)))]


@dataclass(frozen=True)
class Resampling:
    """A worker's task: sum the resampled weights of some rows by the cells of each table.

    The result has a row for every cell (the positives of the first model, its negatives, the next model) and a column
    for every replicate, written in one line.
    """

    edges: tuple[FloatArray, ...]
    n_resamples: int
    seed: int

    @property
    def size(self) -> int:
        """Number of sums."""
        return sum(2 * len(edges) for edges in self.edges) * self.n_resamples

    def __call__(self, rows: Arrays) -> FloatArray:
        """Return the sums of these rows."""
        sums = [np.zeros((2 * len(edges), self.n_resamples)) for edges in self.edges]
        cells = [cells_of(edges, rows[str(i)], rows["outcome"]) for i, edges in enumerate(self.edges)]
        keys = keys_of(rows["unit"], self.seed)
        for at in range(0, len(keys), BLOCK):
            block = slice(at, at + BLOCK)
            weights = draws(keys[block], self.n_resamples) * rows["weight"][block, None]
            for of_model, cell in zip(sums, cells, strict=True):
                of_model += _adds(cell[block], len(of_model)) @ weights
        return np.concatenate(sums).ravel()


def cells_of(edges: FloatArray, score: FloatArray, outcome: FloatArray) -> npt.NDArray[np.intp]:
    """Return the cell of each case: cells of positives first, then those of negatives, by row of score."""
    return np.searchsorted(edges, score) + np.where(outcome == 1, 0, len(edges))


def _adds(cell: npt.NDArray[np.intp], cells: int) -> scipy.sparse.csr_array:
    return scipy.sparse.csr_array((np.ones(len(cell)), (cell, np.arange(len(cell)))), shape=(cells, len(cell)))


def _mix(numbers: Keys) -> Keys:
    """Return numbers that look random: the finaliser of SplitMix64, a bijection."""
    with np.errstate(over="ignore"):
        numbers = (numbers ^ (numbers >> np.uint64(30))) * np.uint64(_FIRST)
        numbers = (numbers ^ (numbers >> np.uint64(27))) * np.uint64(_SECOND)
    return numbers ^ (numbers >> np.uint64(31))


@cache
def _quantiles() -> npt.NDArray[np.uint8]:
    """Return Poisson quantiles at 2 ** 16 equal parts of (0, 1); mean and variance are 1 within 4e-5."""
    shares = np.cumsum([math.exp(-1) / math.factorial(count) for count in range(20)])
    return np.searchsorted(shares, (np.arange(1 << 16) + 0.5) / (1 << 16)).astype(np.uint8)


def keys_of(labels: npt.NDArray[Any], seed: int) -> Keys:
    """Return a number for each label, the same on every machine: integers as they are, others by hash."""
    if labels.dtype.kind in "iub":
        numbers = labels.astype(np.int64).view(np.uint64)
    else:
        digests = {label: _digest(label) for label in set(labels.tolist())}
        numbers = np.array([digests[label] for label in labels.tolist()], dtype=np.uint64)
    with np.errstate(over="ignore"):
        return _mix(numbers + np.uint64(_STEP) * np.uint64(seed + 1))


def _digest(label: object) -> int:
    return int.from_bytes(hashlib.blake2b(str(label).encode(), digest_size=8).digest(), "little")


def draws(keys: Keys, n_resamples: int) -> npt.NDArray[np.uint8]:
    """Return the count of each key (a row) in each replicate (a column)."""
    steps = np.arange(1, -(-n_resamples // _DRAWS) + 1, dtype=np.uint64)
    with np.errstate(over="ignore"):
        numbers = _mix(keys[:, None] + steps * np.uint64(_STEP))
    counts: npt.NDArray[np.uint8] = _quantiles()[numbers.astype("<u8", copy=False).view("<u2")[:, :n_resamples]]
    return counts

"""Matrices of the weight that units add to the cells of a table, full or sparse."""

from __future__ import annotations

from abc import ABC, abstractmethod
from itertools import pairwise
from typing import Any, TypeAlias

import numpy as np
import scipy

from stakes._arrays import FloatArray

Matrix: TypeAlias = "scipy.sparse.csr_array | FloatArray"


class LateMatrix(ABC):
    """A matrix, cells x units, that is made when it is needed."""

    @abstractmethod
    def whole(self) -> Matrix:
        """Return the matrix of all cells."""

    @abstractmethod
    def pooled_below(self, row: int) -> Matrix:
        """Return the matrix with one row for the rows before some row, in the half of each class."""


def added_weights(adds: Matrix, counts: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return what replicates add to the cells of each class, replicates x rows."""
    if isinstance(adds, np.ndarray):
        both = (counts.astype(adds.dtype, copy=False) @ adds.T).astype(np.float64, copy=False)
    else:
        both = np.ascontiguousarray((adds @ np.ascontiguousarray(counts.T)).T)
    rows = adds.shape[0] // 2
    return both[:, :rows], both[:, rows:]


def first_rows_added_up(adds: Matrix, row: int) -> Matrix:
    """Return a matrix with one row for the rows before some row, in the half of each class."""
    halves = [0, adds.shape[0] // 2, adds.shape[0]]
    if isinstance(adds, np.ndarray):
        sides = [adds[start:end] for start, end in pairwise(halves)]
        return np.concatenate([part for side in sides for part in (side[:row].sum(axis=0)[None], side[row:])])
    data: list[Any] = []
    units: list[Any] = []
    lengths: list[Any] = []
    for start, end in pairwise(halves):
        first, bounds = adds.indptr[start], adds.indptr[start + row : end + 1]
        pooled, kept = slice(first, bounds[0]), slice(bounds[0], bounds[-1])
        data += [np.bincount(adds.indices[pooled], adds.data[pooled], adds.shape[1]), adds.data[kept]]
        units += [np.arange(adds.shape[1]), adds.indices[kept]]
        lengths += [[adds.shape[1]], np.diff(bounds)]
    ends = np.cumsum(np.concatenate([[0], *lengths]))
    return scipy.sparse.csr_array(
        (np.concatenate(data), np.concatenate(units), ends), shape=(len(ends) - 1, adds.shape[1])
    )

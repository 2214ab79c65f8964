"""Bins of scores that every engine can compute alike: a power of two times the score, rounded down."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from stakes import _check
from stakes._check import FloatArray

_LEVELS = 9  # of finer bins at each end, each level four times as fine as the one before it
_SHARE = 16  # of the bins that one unit of the middle gets when the ends are fine
_LEAST_FINE = 64  # four times that: with fewer, a level would start in the middle of a bin
_MOST = 1 << 40  # so that a power of two times a score keeps every digit


class Piece(NamedTuple):
    """Part of the scores whose bins have one width: from `start` on, bin ``offset + floor(factor * score)``."""

    start: float
    factor: float
    offset: int


@dataclass(frozen=True)
class Bins:
    """How scores in [0, 1] are put into bins, each with its lower edge and without its upper one.

    A score's bin is ``floor(count * score)``: since `count` is a power of two the product is exact, so that every
    engine puts every score into the same bin, and a score that equals an edge is never on the wrong side of it.
    A score of 1 has a bin of its own.

    Parameters
    ----------
    count : int
        Number of bins, a power of two.
    fine_ends : bool, keyword-only
        Whether the bins get finer towards 0 and 1, four times as fine each time the distance to the end has
        shrunk to a quarter (nine times): for rare events, where all scores are small. At least 64 bins.
    cuts : sequence of float, keyword-only
        Further edges, strictly between 0 and 1. What is decided at one of these cuts is decided exactly: put
        them where costs are.

    Examples
    --------
    >>> from stakes import Bins
    >>> Bins(8).of([0.0, 0.124, 0.125, 1.0]).tolist()
    [0, 0, 1, 8]
    >>> Bins(8, cuts=[0.1]).of([0.05, 0.1, 0.124, 0.125]).tolist()
    [0, 1, 1, 2]
    >>> len(Bins(65536, fine_ends=True))
    59393
    """

    count: int = 65536
    fine_ends: bool = field(default=False, kw_only=True)
    cuts: tuple[float, ...] = field(default=(), kw_only=True)

    def __post_init__(self) -> None:
        count = _power_of_two("count", self.count, _LEAST_FINE if self.fine_ends else 1)
        cuts = sorted({_check.inside(f"cuts[{k}]", cut) for k, cut in enumerate(self.cuts)})
        object.__setattr__(self, "count", count)
        object.__setattr__(self, "cuts", tuple(cuts))

    @cached_property
    def pieces(self) -> tuple[Piece, ...]:
        """The parts of one width, ascending: what an engine needs to compute bins itself, besides the cuts."""
        if not self.fine_ends:
            return (Piece(0.0, float(self.count), 0),)
        found: list[Piece] = []
        bin_at_start = 0
        for start, end, factor in _levels(self.count // _SHARE):
            found.append(Piece(start, factor, bin_at_start - int(start * factor)))
            bin_at_start += int((end - start) * factor)
        return tuple(found)

    def of(self, score: npt.ArrayLike) -> npt.NDArray[np.int64]:
        """Return the bin of each score.

        Parameters
        ----------
        score : array-like
            Scores in [0, 1].

        Returns
        -------
        ndarray of int64
            The bins, counted from 0.
        """
        return self.of_judged(np.asarray(_check.probabilities("score", score), dtype=np.float64))

    def of_judged(self, score: FloatArray) -> npt.NDArray[np.int64]:
        """Return the bin of each score; the scores are known to be probabilities."""
        if self.fine_ends:
            start, factor, offset = (np.array(column) for column in zip(*self.pieces, strict=True))
            piece = np.searchsorted(start, score, side="right") - 1
            found: npt.NDArray[np.int64] = (score * factor[piece]).astype(np.int64) + offset[piece]
        else:
            found = (score * self.count).astype(np.int64)
        if self.cuts:
            found += np.searchsorted(self.cuts, score, side="right")
        return found

    def __len__(self) -> int:
        return int(self.of_judged(np.array(1.0))) + 1


def as_bins(bins: Bins | int) -> Bins:
    """Return bins as they are, and a number of them as even ones."""
    return bins if isinstance(bins, Bins) else Bins(_power_of_two("bins", bins, 1))


def _power_of_two(name: str, value: int, least: int) -> int:
    count = _check.whole(name, value, least)
    if count & (count - 1) or count > _MOST:
        raise ValueError(f"`{name}` must be a power of two up to 2**40, got {count}.")
    return count


def _levels(unit: int) -> list[tuple[float, float, float]]:
    """Start, end and bins per unit of each part of bins with fine ends, ascending."""
    distances = [4.0**-level for level in range(1, _LEVELS + 1)]  # to the end
    levels = [(far, near, unit / far) for far, near in pairwise([*distances, 0.0])]
    lower = [(near, far, bins) for far, near, bins in reversed(levels)]
    return [*lower, (0.25, 0.75, float(unit)), *((1 - far, 1 - near, bins) for far, near, bins in levels)]

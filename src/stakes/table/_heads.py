"""Heads: the people of a sample, where the rows of its table hold money or censoring weights."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from stakes import _check
from stakes._arrays import FloatArray

_COLUMNS = ("score", "positive", "negative", "everyone")
Pair = tuple[float, float]


@dataclass(frozen=True, eq=False, repr=False)
class Heads:
    """Number of people by score, beside a table whose rows hold something else, such as money.

    Which threshold is best at which cost is a matter of the rows. How many alarms a threshold raises, and how precise
    they are, is a matter of heads. They are counted by outcome, whatever the better action would have been, and with
    the weights of the cases. A table makes its own; the constructor does not check its arguments.

    Attributes
    ----------
    score : ndarray of float64
        Distinct scores, ascending; some may be in no row, since a case without a stake is still a head.
    positive, negative : ndarray of float64
        Heads of the positives and of the negatives with that score.
    everyone : ndarray of float64
        Heads of all, their outcome known or not.
    floor : tuple of float or None
        Money that the better action of each case costs, of the positives and of the negatives: no model can change it.
        None where the rows do not hold money.
    crossed : tuple of float
        Money of the positives among the negative weights of the lowest row, as acting on them would lose, and of the
        negatives among the positive weights of the highest row.
    swapped : float
        Heads of the cases for which acting pays on negatives and loses on positives.

    Examples
    --------
    Three people, of whom one without a stake scored 0.4; act from 0.4 on, and two of three are acted on.

    >>> from stakes.table import Heads, ScoreTable
    >>> heads = Heads([0.2, 0.4, 0.9], positive=[0, 0, 1], negative=[1, 1, 0], everyone=[1, 1, 1], floor=(0.0, 0.0))
    >>> table = ScoreTable([0.2, 0.9], positive=[0, 90], negative=[10, 0], heads=heads)
    >>> table
    ScoreTable(2 scores, weight 100 beside 3 heads, prevalence 0.9)
    >>> round(table.alarm_share(0.4), 3), round(table.prevalence_of_cases, 3)
    (0.667, 0.333)
    """

    score: FloatArray
    positive: FloatArray
    negative: FloatArray
    everyone: FloatArray
    floor: Pair | None = None
    crossed: Pair = (0.0, 0.0)
    swapped: float = 0.0

    def __post_init__(self) -> None:
        for name in _COLUMNS:
            column = getattr(self, name)
            if not isinstance(column, np.ndarray) or column.flags.writeable:  # whoever holds it could change it
                own = np.array(column, dtype=np.float64)
                own.flags.writeable = False
                object.__setattr__(self, name, own)

    @property
    def has_stakes(self) -> bool:
        """Whether the rows hold money."""
        return self.floor is not None

    @cached_property
    def positive_total(self) -> float:
        """Heads of all positives."""
        return float(self.positive.sum())

    @cached_property
    def negative_total(self) -> float:
        """Heads of all negatives."""
        return float(self.negative.sum())

    @cached_property
    def total(self) -> float:
        """Heads of everyone."""
        return float(self.everyone.sum())

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Heads):
            return NotImplemented
        same = all(np.array_equal(getattr(self, name), getattr(other, name)) for name in _COLUMNS)
        return same and (self.floor, self.crossed, self.swapped) == (other.floor, other.crossed, other.swapped)

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[type[Heads], tuple[object, ...]]:
        # Copies and pickles go through the constructor, so their arrays are read-only too.
        return Heads, (*(getattr(self, name) for name in _COLUMNS), self.floor, self.crossed, self.swapped)

    def __repr__(self) -> str:
        money = ", beside money" if self.has_stakes else ""
        return f"Heads({self.total:,.12g}, {self.positive_total:,.12g} positive{money})"


def pooled_heads(score: FloatArray, positive: FloatArray, negative: FloatArray, everyone: FloatArray) -> Heads:
    """Return heads in any order, those of equal scores added and rows without anyone dropped."""
    columns, here = (positive, negative, everyone), everyone > 0
    if not here.all():
        score, columns = score[here], (positive[here], negative[here], everyone[here])
    if not (score[1:] >= score[:-1]).all():  # not where all scores were moved by one rising function
        order = np.argsort(score, kind="stable")
        score, columns = score[order], (columns[0][order], columns[1][order], columns[2][order])
    ordered = score + 0.0  # -0.0 and 0.0 are one score
    starts = np.flatnonzero(np.concatenate([[True], ordered[1:] != ordered[:-1]]))
    if len(starts) < len(ordered):
        ordered = ordered[starts]
        columns = (_sums(columns[0], starts), _sums(columns[1], starts), _sums(columns[2], starts))
    return Heads(ordered, *columns)


def _sums(column: FloatArray, starts: npt.NDArray[np.intp]) -> FloatArray:
    return np.asarray(np.add.reduceat(column, starts))


def _pool(heads: Heads, score: FloatArray) -> Heads:
    """Return the same heads at other scores."""
    found = pooled_heads(score, heads.positive, heads.negative, heads.everyone)
    return replace(found, floor=heads.floor, crossed=heads.crossed, swapped=heads.swapped)


def move_heads(heads: Heads | None, move: Callable[[FloatArray], FloatArray]) -> Heads | None:
    """Return heads with a function of their scores in place of these."""
    return None if heads is None else _pool(heads, move(heads.score))


def heads_at(heads: Heads | None, score: float) -> Heads | None:
    """Return heads with one score for all."""
    if heads is None:
        return None
    positive, negative, everyone = (
        np.array([one]) for one in (heads.positive_total, heads.negative_total, heads.total)
    )
    return replace(heads, score=np.array([score]), positive=positive, negative=negative, everyone=everyone)


def heads_in_blocks(heads: Heads, starts: FloatArray, score: FloatArray) -> Heads:
    """Return heads with the rising scores of blocks, each of which has a head at its start."""
    first = np.append(0, np.searchsorted(heads.score, starts[1:]))
    positive, negative, everyone = (_sums(getattr(heads, name), first) for name in _COLUMNS[1:])
    return replace(heads, score=score, positive=positive, negative=negative, everyone=everyone)


def dealt(heads: Heads | None, starts: FloatArray, score: FloatArray) -> Heads | None:
    """Return heads, each with the score of the block in which its own score lies."""
    return move_heads(heads, lambda own: score[np.maximum(np.searchsorted(starts, own, side="right") - 1, 0)])


def scale_heads(heads: Heads | None, up: float, down: float) -> Heads | None:
    """Return heads with those of positives and of negatives times two factors; everyone is then their sum."""
    if heads is None:
        return None
    positive, negative = heads.positive * up, heads.negative * down
    both = Heads(heads.score, positive, negative, positive + negative)
    floor = None if heads.floor is None else (heads.floor[0] * up, heads.floor[1] * down)
    return replace(both, floor=floor, crossed=(heads.crossed[0] * up, heads.crossed[1] * down), swapped=heads.swapped)


def in_other_unit(heads: Heads | None, power: int) -> Heads | None:
    """Return heads times a power of two, which is exact."""
    if heads is None:
        return None
    positive, negative, everyone = (np.ldexp(getattr(heads, name), power) for name in _COLUMNS[1:])
    floor = None if heads.floor is None else _scaled_pair(heads.floor, power)
    crossed, swapped = _scaled_pair(heads.crossed, power), float(np.ldexp(heads.swapped, power))
    return Heads(heads.score, positive, negative, everyone, floor, crossed, swapped)


def _scaled_pair(pair: Pair, power: int) -> Pair:
    return float(np.ldexp(pair[0], power)), float(np.ldexp(pair[1], power))


def merge_heads(several: Sequence[Heads]) -> Heads:
    """Return the heads of all samples."""
    columns = (np.concatenate([getattr(heads, name) for heads in several]) for name in _COLUMNS)
    floor = None if several[0].floor is None else _sum([heads.floor or (0.0, 0.0) for heads in several])
    crossed, swapped = _sum([heads.crossed for heads in several]), sum(heads.swapped for heads in several)
    return replace(pooled_heads(*columns), floor=floor, crossed=crossed, swapped=swapped)


def _sum(pairs: Sequence[Pair]) -> Pair:
    return sum(pair[0] for pair in pairs), sum(pair[1] for pair in pairs)


def share_from(heads: Heads, threshold: float | str) -> float:
    """Return the share of all heads whose score is at least a threshold."""
    at = int(np.searchsorted(heads.score, _check.number("threshold", threshold)))
    return float(heads.everyone[at:].sum()) / heads.total


def from_top(heads: Heads, score: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return false, true and all alarms in heads, without a threshold and from each score down."""
    row = np.searchsorted(heads.score, score[::-1])
    found = []
    for column in (heads.negative, heads.positive, heads.everyone):
        above = np.append(np.cumsum(column[::-1])[::-1], 0.0)
        found.append(np.concatenate([[0.0], above[row]]))
    return found[0], found[1], found[2]

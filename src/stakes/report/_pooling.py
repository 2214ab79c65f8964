"""Coarse tables for the page, with edges where decisions have their thresholds."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from stakes._arrays import FloatArray, blocks
from stakes.table import ScoreTable, counts_from_top, heads_by_row, pooled_heads, pooled_table

LEAST_CASES, MOST_ROWS = 5, 1000
_STEPS = 0.8  # of these for equal steps; the others are for thresholds

Cuts = npt.NDArray[np.intp]  # each a number of rows below a threshold


@dataclass(frozen=True, slots=True)
class Bound:
    """Largest errors of the tables of the page, as shares of all cases.

    Attributes
    ----------
    regret : float
        The most that the regret of a model changes at any cost, at the prevalence of the sample.
    false_alarms, misses : float
        The most that either changes at any threshold.
    stated : float
        The most that the ranked number of a model changes at the decision as it was stated.
    capacity, precision : float
        The most that those of the first models changed at the stated costs, at several capacities and smallest
        precisions.
    """

    regret: float = 0.0
    false_alarms: float = 0.0
    misses: float = 0.0
    stated: float = 0.0
    capacity: float = 0.0
    precision: float = 0.0


def pool_rows(
    table: ScoreTable,
    *,
    case: float = 1.0,
    people: FloatArray | None = None,
    wanted: Iterable[Cuts] = (),
    also: Iterable[Cuts] = (),
    most: int = MOST_ROWS,
) -> ScoreTable:
    """Pool neighbouring scores until every row stands for at least 5 cases, and there are at most 1,000.

    Edges of rows are chosen, the wanted ones first: each is kept that leaves 5 cases to those before it. Then come
    scores that many cases share, equal steps of at least 5 cases from the highest score down, so that a capacity finds
    its threshold, and the others.
    A row of one score stays as it is. Pooled ones take the weighted mean of their scores, in a few digits.
    Where rows hold censoring weights, cases are those of everyone, and each is counted in the row that it is acted on
    with: that of the highest score which is not above its own, or the lowest.

    Parameters
    ----------
    table : ScoreTable
        The sample.
    case : float, keyword-only
        Mean weight of a case.
    people : ndarray of float64, keyword-only, optional
        Cases of each row, where its weight is not theirs and the table does not count them.
    wanted : iterable of arrays, keyword-only
        Numbers of rows below thresholds that should stay exact, the most important first.
    also : iterable of arrays, keyword-only
        The same, for where steps leave room.
    most : int, keyword-only
        The largest number of rows.

    Returns
    -------
    ScoreTable
        The smaller table; one row where the whole sample has fewer than 5 cases.

    Examples
    --------
    >>> from stakes import score_table
    >>> from stakes.report._pooling import pool_rows
    >>> small = pool_rows(score_table(y=[0, 0, 0, 1, 0, 1, 1, 1, 1, 1, 1], score=[0.1] * 5 + [0.2, 0.4, 0.5] * 2))
    >>> small.score.round(6).tolist(), (small.positive + small.negative).tolist()
    ([0.1, 0.366665], [5.0, 6.0])
    """
    weight = table.positive + table.negative
    counted = weight if people is None else people
    cases = counted if table.heads is None else heads_by_row(table.heads, table.score)
    least = LEAST_CASES * case
    below = np.concatenate([[0.0], np.cumsum(cases)])
    step = max(least, float(below[-1]) / (_STEPS * most))
    aims = (*wanted, _around_heavy(cases, step), _from_top(below, step), *also)
    starts = _starts(below, aims, least, least if len(table) <= most else step, most)
    if len(starts) == len(table) and table.heads is None:
        return table
    positive, negative = np.add.reduceat(table.positive, starts), np.add.reduceat(table.negative, starts)
    mean = np.add.reduceat(weight * table.score, starts) / (positive + negative)
    last = np.append(starts[1:], len(table)) - 1
    score = np.maximum.accumulate(_short(mean, table.score[starts], table.score[last]))
    if table.heads is None:
        return ScoreTable.from_counts(score, positive, negative)
    everyone = np.add.reduceat(cases, starts)
    return pooled_table(score, positive, negative, heads=pooled_heads(score, positive, negative, everyone))


def _starts(below: FloatArray, aims: Iterable[Cuts], least: float, step: float, most: int) -> npt.NDArray[np.intp]:
    """Return the first row of each pooled row; each cut counts if it is far enough from others."""
    kept, starts, far = [0.0, float(below[-1])], {0}, least * (1 - 1e-9)
    for cut in (cut for cuts in aims for cut in cuts.tolist()):
        at = float(below[cut])
        place = bisect_left(kept, at)
        inside = 0 < place < len(kept) and len(starts) < most
        if inside and at - kept[place - 1] >= far and kept[place] - at >= far:
            kept.insert(place, at)
            starts.add(cut)
    return np.array(sorted(starts.union(_between(below, kept, step * (1 - 1e-9), most - len(starts)))), dtype=np.intp)


def _between(below: FloatArray, kept: Sequence[float], far: float, room: int) -> list[int]:
    """Return further cuts, from the highest score down, where those that are kept leave room."""
    cuts: list[int] = []
    for low, high in zip(reversed(kept[:-1]), reversed(kept[1:]), strict=True):
        cut = int(np.searchsorted(below, high - far, side="right")) - 1
        while len(cuts) < room and cut >= 0 and below[cut] - low >= far:
            cuts.append(cut)
            cut = int(np.searchsorted(below, below[cut] - far, side="right")) - 1
    return cuts


def _around_heavy(weight: FloatArray, enough: float) -> Cuts:
    """Return the edges of rows that are heavy enough alone, the heaviest first."""
    heavy = np.flatnonzero(weight >= enough)
    heavy = heavy[np.argsort(-weight[heavy], kind="stable")]
    cuts: Cuts = np.column_stack([heavy, heavy + 1]).ravel()
    return cuts


def _from_top(below: FloatArray, step: float) -> Cuts:
    """Return the last thresholds that do not exceed equal steps from the highest score down."""
    total = float(below[-1])
    aims = total - step * np.arange(1, int(total / step) + 1) * (1 + 1e-12)
    cuts: Cuts = np.unique(np.searchsorted(below, aims, side="left"))[::-1]
    return cuts


def cuts_at(table: ScoreTable, thresholds: Sequence[float] | FloatArray) -> Cuts:
    """Return how many rows are below each threshold."""
    cuts: Cuts = np.searchsorted(table.score, np.asarray(thresholds, dtype=np.float64), side="left")
    return cuts


_KEPT = 7  # bits of a single-precision number that a score standing for several does not keep


def _short(mean: FloatArray, low: FloatArray, high: FloatArray) -> FloatArray:
    """Shorten scores to 17 binary digits where that stays between the lowest and the highest of their row."""
    bits = np.round(mean.astype(np.float32).view(np.uint32) / (1 << _KEPT)).astype(np.uint32) << _KEPT
    short = bits.view(np.float32).astype(np.float64)
    inside = (short >= low) & (short <= high)
    return np.where(low == high, low, np.where(inside, short, np.clip(mean, low, high)))


def change(fine: ScoreTable, coarse: ScoreTable) -> Bound:
    """Return the exact largest change at any cost and threshold between two tables of the same cases.

    Both regret curves are straight between scores, and shares of alarms are constant there, so that it is enough to
    look just before and just after every score of either.
    """
    if fine is coarse:
        return Bound()
    shares = [_shares_from(table) for table in (fine, coarse)]
    bounds = [
        _change_at(knots, *(_at_thresholds(*one, knots, side) for one in zip((fine, coarse), shares, strict=True)))
        for knots in (fine.score, coarse.score)
        for side in _SIDES
    ]
    return Bound(*(max(column) for column in zip(*bounds, strict=True)))


_SIDES: tuple[Literal["left", "right"], ...] = ("left", "right")  # acting on the score itself, or only above it
Shares = tuple[FloatArray, FloatArray]  # of false and of true alarms


def _change_at(knots: FloatArray, fine: Shares, coarse: Shares) -> tuple[float, float, float]:
    """Return the largest changes of the regret, of false and of true alarms at some costs."""
    largest = np.zeros(3)
    for rows in blocks(len(knots)):
        false_alarms, true_alarms = (one[rows] - other[rows] for one, other in zip(fine, coarse, strict=True))
        regret = knots[rows] * false_alarms - (1 - knots[rows]) * true_alarms
        largest = np.maximum(largest, [np.abs(one).max() for one in (regret, false_alarms, true_alarms)])
    of_regret, of_false_alarms, of_true_alarms = largest.tolist()
    return of_regret, of_false_alarms, of_true_alarms


def _shares_from(table: ScoreTable) -> Shares:
    """Return the shares of alarms when acting on every row from each on, and at last on none."""
    false_alarms, true_alarms = (counts[::-1] / table.total for counts in counts_from_top(table))
    return false_alarms, true_alarms


def _at_thresholds(table: ScoreTable, shares: Shares, thresholds: FloatArray, side: Literal["left", "right"]) -> Shares:
    """Return the shares of alarms at ascending thresholds, these included or not.

    Whichever are fewer, scores or thresholds, are looked up in the others.
    """
    score, (false_alarms, true_alarms) = table.score, shares
    if score is thresholds:
        own = slice(None, -1) if side == "left" else slice(1, None)
        return false_alarms[own], true_alarms[own]
    if len(thresholds) <= len(score):
        below = np.searchsorted(score, thresholds, side=side)
        return false_alarms[below], true_alarms[below]
    other: Literal["left", "right"] = "right" if side == "left" else "left"
    first = np.searchsorted(thresholds, score, side=other)  # the first threshold that is above each score
    times = np.diff(first, prepend=0, append=len(thresholds))
    return np.repeat(false_alarms, times), np.repeat(true_alarms, times)

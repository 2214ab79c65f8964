"""The sort on the device, which turns cases into cells of one score and class with their weight.

As in `stakes._sort` the label rides in the lowest bit of the score's own bit pattern, so that a sort of plain integers
carries it along, and each sign is sorted by itself. Equal integers are one cell: what is left is what the table needs.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from itertools import pairwise
from typing import Literal, NamedTuple

import numpy as np

from stakes._arrays import FloatArray
from stakes.table import ScoreTable
from stakes.tensors import _device
from stakes.tensors._block_sums import BlockSums, by_block
from stakes.tensors._device import Array, Arrays


class Cells(NamedTuple):
    """Distinct scores and classes, ascending by score and, within one score, negatives first."""

    score: Array
    label: Array
    weight: Array


def cells(arrays: Arrays, label: Array, score: Array, weight: Array | None, lowest: float) -> Cells:
    """Pool cases by score and class.

    Parameters
    ----------
    arrays : Arrays
        What the arrays' library can do.
    label : array of bool, shape (n,)
        Whether each case is positive.
    score : array of float32 or float64, shape (n,)
        Score of each case, not nan.
    weight : array of float64, shape (n,), or None
        Weight of each case, above zero; 1 for each if none.
    lowest : float
        The lowest score.

    Returns
    -------
    Cells
        The cells: counts as int64 where every case counts once, else sums of weights.
    """
    if lowest >= 0:
        return _of_one_sign(arrays, label, score, weight)
    negative = score < 0
    above = _select(~negative, label, score, weight)
    # The order is reversed, so the classes are swapped before and after; negatives then come first again.
    below = _select(negative, ~label, score, weight)
    low = _of_one_sign(arrays, *below)
    turned = Cells(-arrays.xp.flip(low.score), ~arrays.xp.flip(low.label), arrays.xp.flip(low.weight))
    if above[0].shape[0] == 0:
        return turned
    high = _of_one_sign(arrays, *above)
    return Cells(*(arrays.xp.concat(pair) for pair in zip(turned, high, strict=True)))


def _select(which: Array, label: Array, score: Array, weight: Array | None) -> tuple[Array, Array, Array | None]:
    return label[which], score[which], None if weight is None else weight[which]


def _of_one_sign(arrays: Arrays, label: Array, score: Array, weight: Array | None) -> Cells:
    """Pool cases by the size of their score and by class, in blocks that fit into memory."""
    width = 4 if score.dtype == arrays.xp.float32 else 8
    # The keys, sorted keys, the copy that the sort makes, and distinct keys with counts; weights also need positions.
    bytes_each = 4 * width + (8 if weight is None else 56)
    found: tuple[Array, Array] | None = None
    start = 0
    while start < len(score):
        at_once = min(arrays.rows_that_fit(len(score) - start, bytes_each), _device.SORT_ROWS)
        rows = slice(start, start + at_once)
        some = _distinct(arrays, _keys(arrays, label[rows], score[rows]), None if weight is None else weight[rows])
        found = some if found is None else _merge(arrays, found, some)
        start += at_once
    assert found is not None
    key, total = found
    return Cells(*_read_keys(arrays, key), total)


def _keys(arrays: Arrays, label: Array, score: Array) -> Array:
    """Return integers in the order of the scores' sizes, then of the labels."""
    return arrays.fused_or_not(_to_keys(arrays), len(score))(arrays.bits(score), label)


def _read_keys(arrays: Arrays, key: Array) -> tuple[Array, Array]:
    """Return the sizes of scores, and the labels, that integers were made of."""
    bits, label = arrays.fused_or_not(_from_keys(arrays), len(key))(key)
    return arrays.floats(bits), label


@functools.cache
def _to_keys(arrays: Arrays) -> Callable[[Array, Array], Array]:
    def keys(bits: Array, label: Array) -> Array:
        key = arrays.doubled(bits, label)  # the sign is lost, also that of -0.0
        key ^= _sign(arrays, key)  # what was the highest bit of an unsigned number is now a sign
        return key

    return keys


@functools.cache
def _from_keys(arrays: Arrays) -> Callable[[Array], tuple[Array, Array]]:
    def bits_and_labels(key: Array) -> tuple[Array, Array]:
        half = key ^ _sign(arrays, key)
        half >>= 1
        half &= ~_sign(arrays, key)  # a negative number has been filled up with ones
        return half, (key & 1) != 0

    return bits_and_labels


def _sign(arrays: Arrays, key: Array) -> int:
    return -(1 << 31) if key.dtype == arrays.xp.int32 else -(1 << 63)


def _distinct(arrays: Arrays, key: Array, weight: Array | None) -> tuple[Array, Array]:
    """Return distinct integers, ascending, with their weights."""
    if weight is None:
        return arrays.distinct(key)
    key, order = arrays.in_order(key)
    return _sum_runs(arrays, key, arrays.xp.take(weight, order))


def _merge(arrays: Arrays, one: tuple[Array, Array], other: tuple[Array, Array]) -> tuple[Array, Array]:
    """Merge the distinct keys of two blocks of cases."""
    key, order = arrays.in_order(arrays.xp.concat([one[0], other[0]]))
    weight = arrays.xp.concat([arrays.double(one[1]), arrays.double(other[1])])
    return _sum_runs(arrays, key, arrays.xp.take(weight, order))


def _sum_runs(arrays: Arrays, key: Array, weight: Array) -> tuple[Array, Array]:
    """Add up the weights of equal integers, which follow one another."""
    first, row = runs_of(arrays, key)
    distinct = key[first]
    return distinct, arrays.add_at(row, weight, distinct.shape[0])


def runs_of(arrays: Arrays, ordered: Array) -> tuple[Array, Array]:
    """Return where each run of equal elements of a sorted array begins, and the run of each element."""
    xp = arrays.xp
    first = xp.ones(ordered.shape, dtype=xp.bool, device=arrays.device)
    first[1:] = ordered[1:] != ordered[:-1]
    return first, xp.cumulative_sum(first, dtype=xp.int64) - 1


# Cells of a block: short enough to be scanned in one go.
BLOCK = 1 << 10


# Cells of a run that is returned as it is.
_FEW = 8


class Won(NamedTuple):
    """Pairs won within a run of cells, ties half, and the weights of its positives and negatives."""

    pairs: float
    positive: float
    negative: float

    def then(self, above: Won) -> Won:
        """Add a run that follows: its positives have won against all these negatives."""
        pairs = self.pairs + above.pairs + above.positive * self.negative
        return Won(pairs, self.positive + above.positive, self.negative + above.negative)


class Pairs:
    """Pairs within each block of cells, from which the pairs of any run of cells follow quickly.

    Blocks end before the last cell, so that each has a cell that follows it. The remainder, which is never empty, is
    added up on the host when it is needed.
    """

    def __init__(self, arrays: Arrays, cells: Cells) -> None:
        self.arrays, self.cells = arrays, cells
        self.whole = (len(cells.score) - 1) // BLOCK
        self.blocks = self._sums() if self.whole else ()

    def _sums(self) -> tuple[Array, ...]:
        """Return pairs won, less half of the ties (also those with the next block), and class weights."""
        score, label, weight = self.cells
        stop = self.whole * BLOCK
        columns = (label[:stop], weight[:stop], weight[1 : stop + 1], score[:stop], score[1 : stop + 1])
        return by_block(self.arrays, _block_pairs(self.arrays), BLOCK, columns)

    def run(self, start: int, stop: int) -> Won:
        """Return pairs won in cells `start` to `stop`, both the first of a score: whole blocks and the rest."""
        first, last = -(-start // BLOCK), min(stop // BLOCK, self.whole)
        if first >= last:
            return self._part(start, stop)
        whole = self._combine(tuple(column[first:last] for column in self.blocks))
        return self._part(start, first * BLOCK).then(whole).then(self._part(last * BLOCK, stop))

    def _part(self, start: int, stop: int) -> Won:
        """Return the pairs within a few cells, computed on the host; the last cell may be tied with the next."""
        if start >= stop:
            return Won(0.0, 0.0, 0.0)
        score, label, weight = self._rows(start, stop + 1)
        tied = np.sum(weight[1:] * weight[:-1], where=score[1:] == score[:-1])
        label, weight = label[: stop - start], weight[: stop - start]
        positive, negative = np.where(label, weight, 0.0), np.where(label, 0.0, weight)
        won = np.sum(positive * np.cumsum(negative)) - tied / 2
        return Won(float(won), float(positive.sum()), float(negative.sum()))

    def _combine(self, sums: tuple[Array, ...]) -> Won:
        xp, (won, positive, negative) = self.arrays.xp, sums
        below = xp.cumulative_sum(negative) - negative
        pairs = xp.sum(won) + xp.sum(positive * below)
        return Won(*self.arrays.read(pairs, xp.sum(positive), xp.sum(negative)))

    @functools.cached_property
    def _tail(self) -> Won:
        return self._part(self.whole * BLOCK, len(self.cells.score))

    def score_from_top(self, wanted: float, *, negatives_only: bool) -> float:
        """Return the score above or at which the highest cases have the wanted weight."""
        block, above = self._block_from_top(wanted, negatives_only=negatives_only)
        score, label, weights = self._rows(block * BLOCK, (block + 1) * BLOCK)
        counted = np.cumsum(np.where(label & negatives_only, 0.0, weights)[::-1])
        row = min(int(np.searchsorted(counted, wanted - above)), len(counted) - 1)
        return float(score[::-1][row])

    def _block_from_top(self, wanted: float, *, negatives_only: bool) -> tuple[int, float]:
        """Return the block in which a weight is reached from the top, and the weight above that block."""
        above = self._tail.negative if negatives_only else self._tail.negative + self._tail.positive
        if wanted <= above or not self.whole:
            return self.whole, 0.0
        xp, (_, positive, negative) = self.arrays.xp, self.blocks
        weight = negative if negatives_only else positive + negative
        place = xp.searchsorted(xp.cumulative_sum(xp.flip(weight)), self.arrays.numbers([wanted - above]))
        block = max(self.whole - 1 - int(self.arrays.read(place[0])[0]), 0)
        return block, above + self.arrays.read(xp.sum(weight[block + 1 :]))[0]

    def _rows(self, start: int, stop: int) -> Cells:
        """Fetch some cells."""
        score, label, weight = (column[start:stop] for column in self.cells)
        host, double = self.arrays.host, self.arrays.double
        return Cells(host(double(score)), host(label), host(double(weight)))

    def shortened(self, kept: Iterable[float]) -> ScoreTable:
        """Fetch a table of few rows: the scores to keep, and a few rows for each run of scores between them.

        A run of p positives and n negatives with u pairs won becomes u/p negatives, then the positives, then the
        other negatives: the same weights, and as many pairs, within it and with everything else.
        """
        edges = np.array(sorted(kept), dtype=np.float64)
        places = [[0, len(self.cells.score)]]
        if len(edges):
            places += [self._places(edges, "left"), self._places(edges, "right")]
        rows = [row for run in pairwise(np.unique(np.concatenate(places)).tolist()) for row in self._short_run(*run)]
        return ScoreTable.from_counts(*np.array(rows).T)

    def _places(self, edges: FloatArray, side: Literal["left", "right"]) -> list[int]:
        """Return the number of cells below each edge, or (right) up to it, comparing scores as float64."""
        xp, score = self.arrays.xp, self.cells.score
        if score.dtype == xp.float32:
            near = edges.astype(np.float32)
            beyond = near < edges if side == "left" else near > edges
            edges = np.where(beyond, np.nextafter(near, np.float32(np.inf if side == "left" else -np.inf)), near)
        found: list[int] = self.arrays.host(
            xp.searchsorted(score, xp.asarray(edges, device=self.arrays.device), side=side)
        ).tolist()
        return found

    def _short_run(self, start: int, stop: int) -> list[tuple[float, float, float]]:
        """Return rows of score, positives and negatives that stand for a run of cells."""
        if stop - start <= _FEW:
            rows = zip(*(column.tolist() for column in self._rows(start, stop)), strict=True)
            return [(score, weight * label, weight * (not label)) for score, label, weight in rows]
        won = self.run(start, stop)
        score = self.cells.score
        low, middle, high = self.arrays.read(score[start], score[start + 2], score[stop - 1])  # a score has two cells
        beaten = min(won.pairs / won.positive, won.negative) if won.positive else 0.0
        return [(low, 0.0, beaten), (middle, won.positive, 0.0), (high, 0.0, won.negative - beaten)]


@functools.cache
def _block_pairs(arrays: Arrays) -> BlockSums:
    xp, double, running = arrays.plain, arrays.double, arrays.running

    def sums(label: Array, weight: Array, next_weight: Array, score: Array, next_score: Array) -> tuple[Array, ...]:
        weights = double(weight)
        positive, negative = xp.where(label, weights, 0.0), xp.where(label, 0.0, weights)
        tied = xp.where(score == next_score, weights * double(next_weight), 0.0)
        won = positive * running(negative) - tied / 2
        return xp.sum(won, axis=-1), xp.sum(positive, axis=-1), xp.sum(negative, axis=-1)

    return sums

"""Cases on which two models act differently, at many thresholds, added up."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Self

import numpy as np
import numpy.typing as npt

from stakes._arrays import FloatArray, blocks
from stakes._cases_alike import with_ordinary_weights
from stakes.cases import Cases, scores_of_cases, weighed_cases
from stakes.uncertainty._answers import units_of
from stakes.uncertainty._bounded_means import design_effect
from stakes.uncertainty._followed_apart import followed_products
from stakes.uncertainty._half_cases_at_places import HalfCases
from stakes.uncertainty._possible_ends import ClassCounts

_CLUSTERS = 4096  # taken at a time
_CELLS = 1 << 14  # of the grid in which scores are looked up
_ROUNDING = 1e-12  # share of a sum of squares below which it is 0 but for rounding

Positions = npt.NDArray[np.intp]


@dataclass(frozen=True)
class ActedApart:
    r"""Sums over cases of what they add to the difference in net benefit, at each of some thresholds.

    A case with scores :math:`s_a` and :math:`s_b` is acted on by one model alone at the thresholds between them. So it
    is enough to count cases by class and by how many thresholds each model acts at. Cumulative sums of that table from
    above are the sums over the cases that both models act on, for any pair of thresholds; the sums of each kind of
    case and the covariance of the differences follow from them. No score is sorted, and each case is read once.

    Attributes
    ----------
    places : ndarray of float64
        The thresholds, ascending, strictly between 0 and 1.
    acts_a, acts_b : tuple of float
        The least and the most that each model may do: 0 and 1, or the same where it treats every case alike.
    counts : ClassCounts
        Numbers and weights of positives and of negatives.
    numbers, weights, squares : ndarray of float64
        The number of cases by class (positives first) and by how many thresholds `a` and `b` act at, their weight,
        and the sum of its squares.
    by_cluster : ndarray of float64 or None
        Products of the influence of clusters at pairs of thresholds, where cases come in clusters.
    by_case : ndarray of float64 or None
        The same of cases, where the sums do not determine them because the weights of cases depend on other cases.
    """

    places: FloatArray
    acts_a: tuple[float, float]
    acts_b: tuple[float, float]
    counts: ClassCounts
    numbers: FloatArray
    weights: FloatArray
    squares: FloatArray
    by_cluster: FloatArray | None = None
    by_case: FloatArray | None = None

    @classmethod
    def of(cls, cases: Cases, a: str, b: str, places: FloatArray) -> Self:
        """Add up the cases."""
        ordinary = with_ordinary_weights(cases)
        up_to = [_thresholds_met(places, scores_of_cases(cases, name)) for name in (a, b)]
        size = len(places) + 1
        cell = (~cases.positive * size + up_to[0]) * size + up_to[1]

        def table(weight: FloatArray | None) -> FloatArray:
            sums = np.bincount(cell, weight, minlength=2 * size * size).astype(np.float64, copy=False)
            return sums.reshape(2, size, size)

        weighed, weight = weighed_cases(ordinary), ordinary.weight
        numbers = table(None if weighed is None or weight is None else (weight > 0).astype(np.float64))
        sums = (numbers, numbers) if weight is None else (table(weight), table(weight**2))
        acts = _possible_acts(cases, a), _possible_acts(cases, b)
        apart = cls(places, *acts, ClassCounts.of(cases), numbers, *sums)
        if weighed is not None:
            by_case, by_cluster = followed_products(ordinary, weighed, (up_to[0], up_to[1]), places)
            return replace(apart, by_case=by_case, by_cluster=by_cluster)
        if cases.cluster is None:
            return apart
        return replace(apart, by_cluster=_cluster_products(ordinary, up_to, apart))

    @cached_property
    def estimate(self) -> FloatArray:
        """The difference at each place, `a` minus `b`."""
        added = self._kinds[0]
        difference: FloatArray = added[:, 0] - added[:, 1] + added[:, 2] - added[:, 3]
        return difference

    @property
    def total(self) -> float:
        """The weight of all cases."""
        return float(self.counts.weight.sum())

    @property
    def values(self) -> FloatArray:
        """The value of acting on a positive and on a negative, at each place."""
        return np.stack([np.ones_like(self.places), -self.places / (1 - self.places)])

    @property
    def freedom(self) -> int | None:
        """Degrees of freedom of the variance where cases come in clusters; None where they are many."""
        return None if self.counts.clusters is None else self.counts.clusters - 1

    @cached_property
    def covariance(self) -> FloatArray:
        """The covariance of the differences at all places; nan where there are too few units."""
        units = self.counts.clusters or int(self.counts.cases.sum())
        products = self._by_case if self.by_cluster is None else self.by_cluster
        return products * (units / (units - 1) if units > 1 else np.nan)

    def half_cases(self) -> HalfCases:
        """Return the kinds of cases that move the difference at each place."""
        cases, design = float(self.counts.cases.sum()), self._design
        added, squares = self._kinds
        bound = self._bound
        sums = cases * added / design[:, None], cases**2 * squares / design[:, None]
        sizes = cases * bound * np.repeat(self.counts.sums.heaviness, 2)
        constant = self.estimate - (added @ [1.0, -1.0, 1.0, -1.0])
        lowest, highest = constant - bound[:, 1::2].max(axis=1), constant + bound[:, 0::2].max(axis=1)
        if self._is_constant:
            constant, *moved = self._constant_kinds
            sums = cases * moved[0] / design[:, None], cases**2 * moved[1] / design[:, None]
            sizes = cases * moved[2] * np.repeat(self.counts.sums.heaviness, 2)
            lowest, highest = constant, constant + moved[2].max(axis=1)
        within = np.minimum(lowest, self.estimate), np.maximum(highest, self.estimate)
        return HalfCases(self.estimate, *sums, sizes, cases / design, np.diag(self.covariance).copy(), *within)

    @property
    def _is_constant(self) -> bool:
        """Whether both models treat every case alike, seen or not."""
        return all(least == most for least, most in (self.acts_a, self.acts_b))

    @cached_property
    def _constant_kinds(self) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
        """The least difference, and how far the cases of one class exceed it, as a share does."""
        added = (self.acts_a[0] - self.acts_b[0]) * self.values
        above = added - added.min(axis=0)
        kinds = np.zeros((3, len(self.places), 4))
        counts = self.counts
        kinds[:, :, 0::2] = (
            (above.T * counts.weight) / self.total,
            (above.T**2 * counts.square_weight) / self.total**2,
            above.T,
        )
        return self.estimate - kinds[0].sum(axis=1), *kinds

    @cached_property
    def _both(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Sums from above of the three tables: number, weight and its square."""
        return _from_above(self.numbers), _from_above(self.weights), _from_above(self.squares)

    @cached_property
    def _kinds(self) -> tuple[FloatArray, FloatArray]:
        """Sums and sums of squares of each kind of cases, places x kinds, in shares of the weight."""
        seen, weight, square = (np.stack(_alone(one)) for one in self._both)
        size = np.abs(self.values)
        kinds = []
        for power, sums in ((1, weight), (2, square)):
            alone = np.where(seen > 0, np.maximum(sums, 0.0), 0.0) * (size / self.total) ** power
            (a_positive, a_negative), (b_positive, b_negative) = alone
            kinds.append(np.stack([a_positive, b_positive, b_negative, a_negative], axis=1))
        return kinds[0], kinds[1]

    @property
    def _bound(self) -> FloatArray:
        """How much a case of each kind may move the difference, places x kinds."""
        (least_a, most_a), (least_b, most_b) = self.acts_a, self.acts_b
        up, down = most_a - least_b, most_b - least_a
        on_positive, on_negative = np.abs(self.values)
        return np.stack([up * on_positive, down * on_positive, down * on_negative, up * on_negative], axis=1)

    @cached_property
    def _by_case(self) -> FloatArray:
        """Products of the influence of cases at pairs of places."""
        if self.by_case is not None:
            return self.by_case
        later = np.maximum.outer(*[np.arange(len(self.places))] * 2)
        products, moved, both = np.zeros((len(self.places),) * 2), np.zeros(len(self.places)), self._both[2]
        for value, (one, other, shared) in zip(self.values, map(_acted_on, both), strict=True):
            together = one[later] + other[later] - shared - shared.T
            products += np.outer(value, value) * together
            moved += value * (one - other)
        mean, all_squares = self.estimate, float(self.counts.square_weight.sum())
        products += all_squares * np.outer(mean, mean) - np.outer(mean, moved) - np.outer(moved, mean)
        return products / self.total**2

    @cached_property
    def _design(self) -> FloatArray:
        """The number of cases that count as one, at each place."""
        units = self.counts.clusters
        if self.by_cluster is None or units is None or units < 2:
            return np.ones(len(self.places))
        square, by_case = np.diag(self.by_cluster), np.diag(self._by_case)
        varies, design = by_case > _ROUNDING * self._kinds[1].sum(axis=1), np.ones(len(self.places))
        design[varies] = design_effect(square[varies], by_case[varies], units, float(self.counts.cases.sum()))
        return design


def _thresholds_met(places: FloatArray, score: npt.NDArray[np.floating]) -> Positions:
    """Return how many of some ascending thresholds each probability meets, in any order of the cases.

    Each is looked up in a fine grid; only those that share a cell with a threshold are searched for.
    """
    edges = np.arange(_CELLS + 2) / _CELLS
    met = np.searchsorted(places, edges, side="right")
    unsettled = np.searchsorted(places, edges[1:], side="left") > met[:-1]
    found = np.empty(len(score), dtype=np.intp)
    for rows in blocks(len(score)):
        some = score[rows]
        cell = (some * score.dtype.type(_CELLS)).astype(np.intp)  # exact, since it is a power of two
        found[rows] = met[cell]
        here = np.flatnonzero(unsettled[cell])
        found[rows][here] = np.searchsorted(places, some[here], side="right")
    return found


def _possible_acts(cases: Cases, model: str) -> tuple[float, float]:
    """Return the least and the most that a model may do; a reference is certain of all cases, seen or not."""
    table = cases.table(model)
    return (table.lowest, table.lowest) if len(table) == 1 and table.lowest in (0.0, 1.0) else (0.0, 1.0)


def _from_above(tables: FloatArray) -> FloatArray:
    """Return the sums of all cells at least as high in both directions."""
    turned = tables[:, ::-1, ::-1].cumsum(axis=1).cumsum(axis=2)
    return turned[:, ::-1, ::-1]


def _acted_on(both: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the sums over cases that `a` acts on, that `b` acts on, and that `a` does here and `b` there."""
    return both[1:, 0], both[0, 1:], both[1:, 1:]


def _alone(both: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the sums over cases that only `a`, and only `b`, acts on, classes x places."""
    parts = [_acted_on(one) for one in both]
    shared = np.stack([np.diag(part[2]) for part in parts])
    return np.stack([part[0] for part in parts]) - shared, np.stack([part[1] for part in parts]) - shared


def _cluster_products(cases: Cases, up_to: list[Positions], apart: ActedApart) -> FloatArray:
    """Return products of the influence of clusters at pairs of places, some clusters at a time."""
    assert cases.cluster is not None
    weight = np.ones(len(cases)) if cases.weight is None else cases.weight
    size, order = len(apart.places) + 1, np.argsort(cases.cluster, kind="stable")
    starts = np.searchsorted(cases.cluster[order], np.arange(0, units_of(cases) + _CLUSTERS, _CLUSTERS))
    products = np.zeros((size - 1, size - 1))
    for block, (start, end) in enumerate(itertools.pairwise(starts)):
        here = order[start:end]
        cluster, positive = cases.cluster[here] - block * _CLUSTERS, cases.positive[here]
        count = int(cluster.max()) + 1
        moved = -np.outer(np.bincount(cluster, weight[here], count), apart.estimate)
        for value, side in zip(apart.values, (positive, ~positive), strict=True):
            for sign, position in zip((1.0, -1.0), up_to, strict=True):
                cell = cluster[side] * size + position[here][side]
                sums = np.bincount(cell, weight[here][side], count * size).reshape(count, size)
                moved += sign * value * sums[:, :0:-1].cumsum(axis=1)[:, ::-1]
        products += moved.T @ moved
    return products / apart.total**2

"""How models vary together, in a few columns: factors of what their scores have in common."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import scipy

from stakes._arrays import FloatArray
from stakes.cases import Cases
from stakes.evaluation import Decision, at_deployment, measure
from stakes.measures import recognise
from stakes.policy import best_thresholds
from stakes.report._chart_axis import expit, logit
from stakes.report._rows_to_use import BINS, Through, heaviness, rows_to_use
from stakes.table import ScoreTable

FEWER_BINS, MANY = 24, 24  # of the rows of a model; fewer of each where there are so many models
RANKS, OF_CLUSTERS = (24, 48, 96), 48  # columns, the fewest first; of pairs within clusters
_SMALL = 1e-4  # of the largest weight of a direction: none counts less
_LEADERS = 4.0  # weight of the models that may be best

IntArray = npt.NDArray[np.intp]
Pair = tuple[FloatArray, FloatArray]  # of the positives, of the negatives


@dataclass(frozen=True, eq=False)
class Features:
    """Bins of the scores of every model, the same costs for all, and the cases in them.

    Attributes
    ----------
    tables : mapping of str to ScoreTable
        The pooled table of each model.
    cuts : ndarray of float64
        The costs between the bins.
    rows : mapping of str to ndarray of int
        The bin of each row.
    squares : mapping of str to pair of ndarray
        Sum of the squared weights of the cases of each row, by class.
    place : ndarray of int, cases x models
        The bin of each case.
    weight : ndarray of float64
        The weight of each case.
    positive : ndarray of bool
        The class of each case.
    cluster : ndarray of int or None
        The cluster of each case.
    total : float
        The weight of all cases.
    heaviness : tuple of float
        The mean weight of a positive and of a negative, of all cases whose outcome is known.
    through : callable or None
        Adds what a case moves by its part in the weights of others; None where everybody is known.
    """

    tables: Mapping[str, ScoreTable]
    cuts: FloatArray
    rows: Mapping[str, IntArray]
    squares: Mapping[str, Pair]
    place: IntArray
    weight: FloatArray
    positive: npt.NDArray[np.bool_]
    cluster: IntArray | None
    total: float
    heaviness: tuple[float, float] = (1.0, 1.0)
    through: Through | None = None

    @classmethod
    def of(cls, cases: Cases, tables: Mapping[str, ScoreTable], ends: tuple[float, float]) -> Features:
        """Return the features of cases, from pooled tables of the same; of very many, those of a fixed sample."""
        bins = FEWER_BINS if len(tables) > MANY else BINS
        cuts = np.array([expit(at) for at in np.linspace(logit(ends[0]), logit(ends[1]), bins - 1).tolist()])
        weight = np.ones(len(cases)) if cases.weight is None else np.asarray(cases.weight, dtype=np.float64)
        found, positive = rows_to_use(cases, len(tables)), np.asarray(cases.positive)
        assert found is not None  # as `follows` says
        here, through = found
        rows, squares, places = dict[str, IntArray](), dict[str, Pair](), list[IntArray]()
        for name, table in tables.items():
            pooled, row = _pooled_row(cases.table(name), table), cases.rows(name)
            rows[name] = np.searchsorted(cuts, table.score, side="right")
            squares[name] = (
                (table.positive, table.negative)
                if cases.weight is None  # counts are their own squares
                else _squared_weights(pooled[row], weight, positive, len(table))
            )
            places.append(rows[name][pooled[row[here]]])
        scaled = weight[here] * math.sqrt(len(cases) / len(here))  # so that squares add up to those of all
        cluster = None if cases.cluster is None else cases.cluster[here]
        total, place = float(weight.sum()), np.column_stack(places)
        facts = heaviness(weight, positive), through
        return cls(tables, cuts, rows, squares, place, scaled, positive[here], cluster, total, *facts)

    @property
    def is_joint(self) -> bool:
        """Whether cases move together: those of a cluster, and those whose weights depend on who left."""
        return self.cluster is not None or self.through is not None

    @property
    def bins(self) -> int:
        """How many bins a model has."""
        return len(self.cuts) + 1

    @property
    def names(self) -> list[str]:
        """The models, in order."""
        return list(self.tables)

    def influence(self, model: str, decision: Decision) -> Pair:
        """Return the influence of a case of each row and class, times the weight of all."""
        table = self.tables[model]
        if decision.limits is not None:
            return influence_within_limits(table, decision)
        form = recognise(measure(decision)).form
        assert form is not None
        cells = form.influence(table, len(self.weight))
        return cells[: len(table)], cells[len(table) :]

    def means(self, model: str, influence: Pair) -> Pair:
        """Return the mean influence of the cases of each bin, by class."""
        first, second = (
            _quotient(
                np.bincount(self.rows[model], square * one, minlength=self.bins).astype(np.float64),
                np.bincount(self.rows[model], square, minlength=self.bins).astype(np.float64),
            )
            for square, one in zip(self.squares[model], influence, strict=True)
        )
        return first, second

    def products(self, side: int) -> FloatArray:
        """Return the products of all features over the cases of a class, about their means."""
        here = self.positive if side == 0 else ~self.positive
        weight, place = self.weight[here] ** 2, self.place[here]
        products, total = self._pairs(place, weight), float(weight.sum())
        share = np.diag(products) / total if total else np.zeros(len(products))
        centred: FloatArray = products - total * np.outer(share, share)
        return centred

    def _pairs(self, place: IntArray, weight: FloatArray) -> FloatArray:
        """Return the weight of the cases in each pair of bins of two models."""
        models, bins = place.shape[1], self.bins
        found = np.zeros((models * bins, models * bins))
        for a in range(models):
            for b in range(a + 1):
                cells = np.bincount(place[:, a] * bins + place[:, b], weight, minlength=bins * bins)
                first, second = (slice(one * bins, (one + 1) * bins) for one in (a, b))
                found[first, second] = cells.reshape(bins, bins)
                found[second, first] = found[first, second].T
        return found

    def between_cases(self) -> FloatArray:
        """Return the products over different cases that move together, of both classes.

        They are those of the same cluster, and those whose weights depend on each other: what a case moves by itself
        and by its part in the weights of others, summed by cluster and squared, less what it moves by itself.
        """
        models, bins = self.place.shape[1], self.bins
        half = models * bins
        found = self._moved_together() if self.through is None else self._moved_through(self.through)
        for k, here in enumerate((self.positive, ~self.positive)):
            own = slice(k * half, (k + 1) * half)
            found[own, own] -= self._pairs(self.place[here], self.weight[here] ** 2)
        return found

    def _columns(self) -> IntArray:
        """Return the feature of each case and model, the positives before the negatives."""
        models = self.place.shape[1]
        side = np.where(self.positive, 0, models * self.bins)
        return side[:, None] + np.arange(models) * self.bins + self.place

    def _moved_together(self) -> FloatArray:
        assert self.cluster is not None
        models = self.place.shape[1]
        cells = np.repeat(self.weight, models), (np.repeat(self.cluster, models), self._columns().ravel())
        held = scipy.sparse.csr_array(cells, shape=(int(self.cluster.max()) + 1, 2 * models * self.bins))
        found: FloatArray = (held.T @ held).toarray()
        return found

    def _moved_through(self, through: Through) -> FloatArray:
        """Return the products of what cases or clusters move each feature by, with the weights estimated."""
        columns, units = self._columns(), len(self.weight) if self.cluster is None else int(self.cluster.max()) + 1
        moved = np.zeros((units, 2 * self.place.shape[1] * self.bins))
        for feature in np.unique(columns[self.weight > 0]):
            own = through(np.where((columns == feature).any(axis=1), self.weight, 0.0))
            moved[:, feature] = own if self.cluster is None else np.bincount(self.cluster, own, units)
        return np.asarray(moved.T @ moved)


def influence_within_limits(table: ScoreTable, decision: Decision) -> Pair:
    """Return the influence of each row and class under limits, with the thresholds held fixed."""
    moved, costs = at_deployment(table, decision), decision.costs
    policy = best_thresholds(moved, costs, decision.limits)
    up_to = np.concatenate([[0.0], policy.to_cost[:-1], [1.0]])
    acted = up_to[np.searchsorted(policy.threshold, moved.score, side="right")]
    if len(moved) < len(table):  # at another prevalence rounding may make neighbours one
        return np.full(len(table), np.nan), np.full(len(table), np.nan)
    losses, totals = (costs.loss_if_positive(acted), costs.loss_if_negative(acted)), (moved.positive, moved.negative)
    if decision.prevalence is None:
        whole = sum(float(weight @ loss) for weight, loss in zip(totals, losses, strict=True)) / moved.total
        return losses[0] - whole, losses[1] - whole
    shares = moved.prevalence / table.prevalence, (1 - moved.prevalence) / (1 - table.prevalence)
    first, second = (
        share * (loss - float(weight @ loss) / float(weight.sum()))
        for share, loss, weight in zip(shares, losses, totals, strict=True)
    )
    return first, second


def _pooled_row(fine: ScoreTable, coarse: ScoreTable) -> IntArray:
    """Return the row of a pooled table that each row of the table it comes from is in."""
    if fine is coarse:
        return np.arange(len(fine))
    up_to, ends = (np.cumsum(one.positive + one.negative) for one in (fine, coarse))
    middle = up_to - (fine.positive + fine.negative) / 2
    first = np.searchsorted(middle, ends[:-1], side="right")  # each row ends before the first middle beyond it
    return np.repeat(np.arange(len(coarse)), np.diff(first, prepend=0, append=len(fine)))


def _squared_weights(row: IntArray, weight: FloatArray, positive: npt.NDArray[np.bool_], rows: int) -> Pair:
    """Return the sums of the squared weights of the positives and of the negatives of each row."""
    first, second = (
        np.bincount(row[here], weight[here] ** 2, minlength=rows).astype(np.float64) for here in (positive, ~positive)
    )
    return first, second


def _quotient(above: FloatArray, below: FloatArray) -> FloatArray:
    return np.divide(above, below, out=np.zeros_like(above), where=below > 0)


# ------------------------------------------------------------------------------------------------- the factors


class Weights(NamedTuple):
    """How much each direction of a model's features matters: square roots, and their inverses."""

    root: FloatArray
    inverse: FloatArray


def roots(features: Features, decisions: Sequence[Decision], leaders: Sequence[str]) -> list[Weights]:
    """Return for each class how much each direction matters at some decisions, most for the leaders."""
    size, bins = len(features.names), features.bins
    means = np.zeros((2, size, len(decisions), bins))
    for k, name in enumerate(features.names):
        for q, decision in enumerate(decisions):
            means[:, k, q] = features.means(name, features.influence(name, decision))
    found = []
    for side in means:
        root, inverse = np.zeros((size, bins, bins)), np.zeros((size, bins, bins))
        for k, name in enumerate(features.names):
            values, vectors = np.linalg.eigh(side[k].T @ side[k] * (_LEADERS if name in leaders else 1.0))
            kept = np.sqrt(np.maximum(values, _SMALL * max(float(values[-1]), 1e-300)))
            root[k], inverse[k] = (vectors * kept) @ vectors.T, (vectors / kept) @ vectors.T
        found.append(Weights(root, inverse))
    return found


def factor(products: FloatArray, matter: Weights, rank: int, *, signed: bool = False) -> tuple[FloatArray, FloatArray]:
    """Return the leading columns of products, weighed by how much each direction matters, and their signs."""
    weighed = _by_block(_by_block(products, matter.root).T, matter.root)
    last = len(weighed) - 1
    ends = None if signed else (max(last + 1 - rank, 0), last)  # without signs the largest are at the end
    values, vectors = scipy.linalg.eigh((weighed + weighed.T) / 2, subset_by_index=ends, check_finite=False)
    order = np.argsort(-np.abs(values), kind="stable")[:rank]
    columns = _by_block(vectors[:, order] * np.sqrt(np.abs(values[order])), matter.inverse)
    return columns, np.sign(values[order])


def _by_block(matrix: FloatArray, blocks: FloatArray) -> FloatArray:
    """Multiply the rows of each block by a matrix of its own."""
    count, bins, _ = blocks.shape
    return np.asarray(np.einsum("kij,kjm->kim", blocks, matrix.reshape(count, bins, -1)).reshape(matrix.shape))

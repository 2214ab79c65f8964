"""The sample case by case, for resampling and paired comparison of models."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from stakes import _check, _columns
from stakes._arrays import BoolArray, FloatArray, is_settled
from stakes._errors import Argument, Name
from stakes._predictions import PredictionsLike, check_same_index, named_scores
from stakes.table import ScoreTable, at_ordinary_scale, frozen_table, sorted_table

__all__ = ["Cases"]

IntArray = npt.NDArray[np.intp]


class Cases:
    """Cases scored by several models: outcomes, weights, clusters, and scores paired by case.

    A table does not keep which case had which score. Every number and every curve can be computed without that, their
    uncertainty cannot: models are compared on the same cases, and cases of one patient, hospital or day are
    correlated. The scores of each model are sorted once, here; resampling reweights the tables without sorting again.

    Parameters
    ----------
    y : array-like
        Outcome of each case: 0 or 1, or booleans; any two labels when `pos_label` names the positive one.
    predictions : mapping
        Scores of each model by its name, one per case; a pandas or polars data frame or a PyArrow table with one column
        per model is also accepted. Cases are paired by position, so pandas columns must have the same index.
    weight : array-like, keyword-only, optional
        Weight of each case, not negative; 0 excludes it. A case is one observation whatever its weight.
    cluster : array-like, keyword-only, optional
        Cluster label of each case; cases with the same label are resampled together.
    pos_label : object, keyword-only, optional
        Label of the positives; required if the outcomes are not 0 and 1.

    Attributes
    ----------
    models : tuple of str
        Names of the models.
    positive : ndarray of bool
        Whether each case is positive; cases of weight 0 are left out, here and below.
    weight : ndarray of float64 or None
        Weight of each case; None if not given.
    cluster : ndarray of int or None
        Index of each case's cluster, from 0; None if not given.

    Examples
    --------
    >>> from stakes import Cases, auc
    >>> cases = Cases(y=[0, 1, 1, 0], predictions={"old": [0.2, 0.3, 0.6, 0.5], "new": [0.1, 0.7, 0.9, 0.2]})
    >>> cases
    Cases(4 cases, 2 positive; models old, new)
    >>> auc(cases.table("old")), auc(cases.table("new"))
    (0.75, 1.0)
    """

    __slots__ = ("__weakref__", "_given", "_rows", "_scores", "_tables", "cluster", "models", "positive", "weight")

    models: tuple[str, ...]
    positive: BoolArray
    weight: FloatArray | None
    cluster: IntArray | None
    _given: BoolArray | None  # which of the cases given are left; None where all are

    def __init__(
        self,
        y: npt.ArrayLike,
        predictions: PredictionsLike,
        *,
        weight: npt.ArrayLike | None = None,
        cluster: npt.ArrayLike | None = None,
        pos_label: object = None,
    ) -> None:
        positive, weights = _columns.outcome("y", y, pos_label), _columns.weights("weight", weight)
        scores = _predictions(predictions)
        labels = None if cluster is None else _columns.cluster_labels(cluster)
        _columns.check_same_length(y=positive, weight=weights, cluster=labels)
        for name, score in scores.items():
            _columns.check_same_length({Argument("predictions", name): score}, y=positive)
        given: dict[Name, object] = {
            Argument("predictions", name): column for name, column in named_scores(predictions).items()
        }
        check_same_index({"y": y, **given, "weight": weight, "cluster": cluster})
        here = slice(None) if weights is None or weights.all() else weights > 0
        self.models = tuple(scores)
        self._given = None if isinstance(here, slice) else here
        self.positive = _frozen(positive[here])
        self.weight = None if weights is None else _frozen(weights[here])
        self.cluster = None if labels is None else _frozen(np.unique(labels[here], return_inverse=True)[1].ravel())
        # Copies where needed, since whoever holds the columns may change them.
        self._scores = {
            name: _frozen(score[here] if self._given is not None else score if is_settled(score) else np.array(score))
            for name, score in scores.items()
        }
        self._tables = {name: sorted_table(self.positive, score, self.weight) for name, score in self._scores.items()}
        self._rows: dict[str, IntArray] = {}

    def __len__(self) -> int:
        return len(self.positive)

    def __repr__(self) -> str:
        clusters = "" if self.cluster is None else f" in {self.cluster.max() + 1:,} clusters"
        names = ", ".join(map(short, self.models[:5]))
        more = ", ..." if len(self.models) > 5 else ""
        return f"Cases({len(self):,} cases{clusters}, {self.positive.sum():,} positive; models {names}{more})"

    def _repr_html_(self) -> str:
        """Show the cases as a table of the models and their scores."""
        from stakes._html import small_table  # words of limits come with it, which nobody else waits for here
        from stakes._wording import percent, plain_number

        clusters = "" if self.cluster is None else f" in {self.cluster.max() + 1:,} clusters"
        share = next(iter(self._tables.values())).prevalence
        weighted = "" if self.weight is None else " by weight"
        caption = f"{len(self):,} cases{clusters}, {self.positive.sum():,} positive ({percent(share)}{weighted})"
        rows = [
            (name, f"{len(table):,}", *map(plain_number, (table.lowest, _mean_score(table), table.highest)))
            for name, table in self._tables.items()
        ]
        return small_table(caption, ("model", "distinct scores", "lowest", "mean", "highest"), rows)

    def table(self, model: str) -> ScoreTable:
        """Return the table of a model.

        Parameters
        ----------
        model : str
            Its name.

        Returns
        -------
        ScoreTable
            The table.

        Examples
        --------
        >>> from stakes import Cases
        >>> Cases(y=[0, 1, 1], predictions={"a": [0.2, 0.9, 0.2]}).table("a")
        ScoreTable(2 scores, weight 3, prevalence 0.667)
        """
        return self._tables[_check.choice("model", model, self.models)]

    def rows(self, model: str) -> IntArray:
        """Return the row of each case in the table of a model.

        Parameters
        ----------
        model : str
            Its name.

        Returns
        -------
        ndarray of int
            ``cases.table(model).score[cases.rows(model)]`` are the scores of the cases, in their order.

        Examples
        --------
        >>> from stakes import Cases
        >>> Cases(y=[0, 1, 1], predictions={"a": [0.2, 0.9, 0.2]}).rows("a").tolist()
        [0, 1, 0]
        """
        if _check.choice("model", model, self.models) not in self._rows:
            self._rows[model] = _frozen(_find_rows(self._scores[model]))
        return self._rows[model]

    def with_constants(self, scores: Mapping[str, float]) -> Cases:
        """Return the same cases with additional models that give every case the same score.

        Parameters
        ----------
        scores : mapping of str to float
            Score of each additional model: 1 acts on everyone, 0 on no one.

        Returns
        -------
        Cases
            The cases; no score is sorted again.

        Examples
        --------
        >>> from stakes import Cases
        >>> Cases(y=[0, 1, 1], predictions={"a": [0.2, 0.9, 0.2]}).with_constants({"everyone": 1.0})
        Cases(3 cases, 2 positive; models a, everyone)
        """
        more = Cases.__new__(Cases)
        more.positive, more.weight, more.cluster, more._given = self.positive, self.weight, self.cluster, self._given
        more.models = (*self.models, *scores)
        more._scores = self._scores | {name: np.broadcast_to(np.float64(at), len(self)) for name, at in scores.items()}
        first = next(iter(self._tables.values()))
        totals = np.array([first.positive_total]), np.array([first.negative_total])
        constants = {name: frozen_table(np.array([float(score)]), *totals) for name, score in scores.items()}
        more._tables = self._tables | constants
        more._rows = self._rows | {name: np.broadcast_to(np.intp(0), len(self)) for name in scores}
        return more


def _mean_score(table: ScoreTable) -> float:
    return float((table.positive + table.negative) @ table.score) / table.total


def with_ordinary_weights(cases: Cases) -> Cases:
    """Return the same cases with weights whose squares and products neither overflow nor underflow.

    They are multiplied by a power of two, as `at_ordinary_scale` does with those of a table.
    """
    tables = {name: at_ordinary_scale(table) for name, table in cases._tables.items()}
    if cases.weight is None or all(tables[name] is table for name, table in cases._tables.items()):
        return cases
    total = next(iter(cases._tables.values())).total
    scaled = Cases.__new__(Cases)
    scaled.positive, scaled.models, scaled.cluster = cases.positive, cases.models, cases.cluster
    scaled._given, scaled._scores, scaled._rows = cases._given, cases._scores, cases._rows
    scaled.weight = _frozen(np.ldexp(cases.weight, -math.frexp(total)[1]))
    scaled._tables = tables
    return scaled


def given_cases(cases: Cases) -> int:
    """Return the number of cases given, with those of weight 0."""
    return len(cases) if cases._given is None else len(cases._given)


def of_given(cases: Cases, column: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return a column with a value for each case given, without those of weight 0."""
    return column if cases._given is None else column[cases._given]


def some_of(cases: Cases, here: BoolArray) -> Cases:
    """Return some of the cases, at least one, with all models."""
    some = Cases.__new__(Cases)
    some.models, some._given, some.positive = cases.models, None, _frozen(cases.positive[here])
    some.weight = None if cases.weight is None else _frozen(cases.weight[here])
    some.cluster = None if cases.cluster is None else _frozen(np.unique(cases.cluster[here], return_inverse=True)[1])
    some._scores = {name: _frozen(score[here]) for name, score in cases._scores.items()}
    some._tables = {name: sorted_table(some.positive, score, some.weight) for name, score in some._scores.items()}
    some._rows = {}
    return some


def scores_of_cases(cases: Cases, model: str) -> npt.NDArray[np.floating]:
    """Return the score of each case, as it was given."""
    return cases._scores[model]


def _find_rows(score: npt.NDArray[np.floating]) -> IntArray:
    """Return the place of each score among the distinct ones; a sort is faster than looking up each."""
    order, found = np.argsort(score), np.empty(len(score), dtype=np.intp)
    ordered = score[order]
    found[order] = np.cumsum(np.concatenate([[False], ordered[1:] != ordered[:-1]]))
    return found


def _frozen(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    view = array.view()
    view.flags.writeable = False
    return view


def short(name: str) -> str:
    """Return the name of a model, shortened for printing."""
    return name if len(name) <= 20 else f"{name[:17]}..."


def _predictions(predictions: PredictionsLike) -> dict[str, npt.NDArray[np.floating]]:
    return {
        name: _columns.scores(Argument("predictions", name), score) for name, score in named_scores(predictions).items()
    }

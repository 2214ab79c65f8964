"""The sample case by case, for resampling and paired comparison of models."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from stakes import _check, _columns
from stakes._arrays import BoolArray, FloatArray, in_threads, is_settled
from stakes._case_columns import IntArray, find_rows, fixed, scores_by_model, short
from stakes._errors import Argument, Name
from stakes._predictions import PredictionsLike, check_same_index, named_scores
from stakes.outcome import EventBy, Weighed, check_outcome, weigh
from stakes.table import Heads, ScoreTable, at_ordinary_scale, followed_table, frozen_table, sorted_table

__all__ = ["Cases"]


class Cases:
    """Cases scored by several models: outcomes, weights, clusters, and scores paired by case.

    A table does not keep which case had which score. Every number and every curve can be computed without that, their
    uncertainty cannot: models are compared on the same cases, and cases of one patient, hospital or day are
    correlated. The scores of each model are sorted once, here; resampling reweights the tables without sorting again.

    Parameters
    ----------
    y : array-like or EventBy
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
        Weight of each case; None if not given. Times its censoring weight with an `EventBy`: 0 where unknown.
    outcome : EventBy or None
        The outcome, if it is one of cases that were not all followed.
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

    __slots__ = (
        *("__weakref__", "_given", "_rows", "_scores", "_tables", "_weighed", "cluster", "models", "outcome"),
        *("positive", "weight"),
    )

    models: tuple[str, ...]
    positive: BoolArray
    weight: FloatArray | None
    cluster: IntArray | None
    outcome: EventBy | None
    _weighed: Weighed | None  # None where everybody is known
    _given: BoolArray | None  # which of the cases given are left; None where all are

    def __init__(
        self,
        y: npt.ArrayLike | EventBy,
        predictions: PredictionsLike,
        *,
        weight: npt.ArrayLike | None = None,
        cluster: npt.ArrayLike | None = None,
        pos_label: object = None,
    ) -> None:
        followed, weights = check_outcome("y", y, pos_label), _columns.weights("weight", weight)
        positive = _columns.outcome("y", y, pos_label) if followed is None else followed.positive
        scores = scores_by_model(predictions)
        labels = None if cluster is None else _columns.cluster_labels(cluster)
        _columns.check_same_length(y=positive, weight=weights, cluster=labels)
        for name, score in scores.items():
            _columns.check_same_length({Argument("predictions", name): score}, y=positive)
        given: dict[Name, object] = {
            Argument("predictions", name): column for name, column in named_scores(predictions).items()
        }
        check_same_index({"y": None if followed else y, **given, "weight": weight, "cluster": cluster})
        here = slice(None) if weights is None or weights.all() else weights > 0
        self.models = tuple(scores)
        self._given = None if isinstance(here, slice) else here
        self.positive = fixed(positive[here])
        self._weigh(followed if followed is None or self._given is None else followed[here], weights, here)
        self.cluster = None if labels is None else fixed(np.unique(labels[here], return_inverse=True)[1].ravel())
        # Copies where needed, since whoever holds the columns may change them.
        self._scores = {
            name: fixed(score[here] if self._given is not None else score if is_settled(score) else np.array(score))
            for name, score in scores.items()
        }
        self._tables = in_threads(partial(_table, self), self._scores)
        self._rows: dict[str, IntArray] = {}

    def _weigh(self, outcome: EventBy | None, weight: FloatArray | None, here: Any) -> None:
        """Keep the weight of each case, times what censoring leaves it."""
        own = None if weight is None else weight[here]
        self.outcome, self._weighed = outcome, None if outcome is None else weigh(outcome, own)
        weights = own if self._weighed is None else self._weighed.weight
        self.weight = None if weights is None else fixed(weights)

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
            found = None if self._weighed is None else np.searchsorted(self._tables[model].score, self._scores[model])
            # A score that only unknown cases have is in no row; they weigh nothing, so any row will serve.
            last = len(self._tables[model]) - 1
            self._rows[model] = fixed(find_rows(self._scores[model]) if found is None else np.minimum(found, last))
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
        more.outcome, more._weighed = self.outcome, self._weighed
        more.models = (*self.models, *scores)
        more._scores = self._scores | {name: np.broadcast_to(np.float64(at), len(self)) for name, at in scores.items()}
        first = next(iter(self._tables.values()))
        totals = np.array([first.positive_total]), np.array([first.negative_total])
        everyone = None if first.heads is None else np.array([first.heads.total])
        heads = {
            name: None if everyone is None else Heads(np.array([at]), *totals, everyone) for name, at in scores.items()
        }
        constants = {
            name: frozen_table(np.array([float(at)]), *totals, heads=heads[name]) for name, at in scores.items()
        }
        more._tables = self._tables | constants
        more._rows = self._rows | {name: np.broadcast_to(np.intp(0), len(self)) for name in scores}
        return more


def _table(cases: Cases, score: npt.NDArray[np.floating]) -> ScoreTable:
    """Make the table of a model."""
    if cases._weighed is None:
        return sorted_table(cases.positive, score, cases.weight)
    return followed_table(cases._weighed, score)


def weighed_cases(cases: Cases) -> Weighed | None:
    """Return the censoring of cases that were not all followed; None where all are known."""
    return cases._weighed


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
    scaled.outcome, scaled._weighed = cases.outcome, cases._weighed
    scaled.weight = fixed(np.ldexp(cases.weight, -math.frexp(total)[1]))
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
    some.models, some._given, some.positive = cases.models, None, fixed(cases.positive[here])
    if cases._weighed is None:
        some.outcome, some._weighed = None if cases.outcome is None else cases.outcome[here], None
        some.weight = None if cases.weight is None else fixed(cases.weight[here])
    else:
        some._weigh(cases._weighed.outcome[here], cases._weighed.cases, here)  # censoring estimated anew
    some.cluster = None if cases.cluster is None else fixed(np.unique(cases.cluster[here], return_inverse=True)[1])
    some._scores = {name: fixed(score[here]) for name, score in cases._scores.items()}
    some._tables = in_threads(partial(_table, some), some._scores)
    some._rows = {}
    return some


def scores_of_cases(cases: Cases, model: str) -> npt.NDArray[np.floating]:
    """Return the score of each case, as it was given."""
    return cases._scores[model]

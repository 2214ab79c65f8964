"""The sample case by case, for resampling and paired comparison of models."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from stakes import _check, _columns
from stakes._arrays import BoolArray, FloatArray
from stakes._case_columns import IntArray, find_rows, fixed, own_scores, scores_by_model, short, stacked
from stakes._errors import Argument, InputError, Name
from stakes._predictions import PredictionsLike, check_same_index, named_scores
from stakes.outcome import check_outcome
from stakes.table import ScoreTable, constant_table, tables_of

if TYPE_CHECKING:
    from stakes.case_costs import CaseCostsLike, Stakes
    from stakes.outcome import EventBy, WeightedOutcome

__all__ = ["Cases"]


class Cases:
    """Cases scored by several models: outcomes, weights, clusters, and scores paired by case.

    A table does not keep which case had which score. Every number and curve can be computed without that, but not their
    uncertainty: models are compared on the same cases, and cases of one patient, hospital or day are correlated. The
    scores of each model are sorted once, here.

    Parameters
    ----------
    y : array-like or EventBy
        Outcome of each case: 0 or 1, or booleans; any two labels when `pos_label` names the positive one.
    predictions : mapping
        Scores of each model by its name, one per case, or a column for each of several horizons; a pandas or polars
        frame or a PyArrow table with a column per model is also accepted. Cases are paired by position, so pandas
        columns must have the same index.
    weight : array-like, keyword-only, optional
        Weight of each case, not negative; 0 excludes it. A case is one observation whatever its weight.
    cluster : array-like, keyword-only, optional
        Cluster label of each case; cases with the same label are resampled together.
    pos_label : object, keyword-only, optional
        Label of the positives; required if the outcomes are not 0 and 1.
    case_costs : CaseCosts or array-like, keyword-only, optional
        Costs of each case. Tables then hold money by stake-adjusted score, and cases as heads.

    Attributes
    ----------
    models : tuple of str
        Names of the models.
    positive : ndarray of bool
        Whether each case is positive; cases of weight 0 are left out, here and below.
    weight : ndarray of float64 or None
        Weight of each case; None if not given. Times its censoring weight with an `EventBy`: 0 where unknown.
    outcome : EventBy or None
        The outcome, if it is one of cases that were not all followed. With several horizons, the other attributes and
        `rows` hold every case once for each horizon, in their order, and `cluster` tells which are the same.
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
        *("__weakref__", "_at", "_clusters", "_given", "_rows", "_scores", "_stakes", "_tables", "_weighed"),
        *("cluster", "models", "outcome", "positive", "weight"),
    )

    models: tuple[str, ...]
    positive: BoolArray
    weight: FloatArray | None
    cluster: IntArray | None
    outcome: EventBy | None
    _weighed: WeightedOutcome | None  # None where everybody is known
    _stakes: Stakes | None  # None where costs are the same for all; otherwise scores are adjusted to them
    _given: BoolArray | None  # which of the cases given are left; None where all are
    _clusters: IntArray | None  # the cluster of each case; `cluster` has that of each horizon's
    _at: dict[float, Cases]  # the cases at one of several horizons
    _rows: dict[str, IntArray]

    def __init__(
        self,
        y: npt.ArrayLike | EventBy,
        predictions: PredictionsLike,
        *,
        weight: npt.ArrayLike | None = None,
        cluster: npt.ArrayLike | None = None,
        pos_label: object = None,
        case_costs: CaseCostsLike | None = None,
    ) -> None:
        followed, weights = check_outcome("y", y, pos_label, several=True), _columns.weights("weight", weight)
        positive = _columns.outcome("y", y, pos_label) if followed is None else followed.positive
        scores = scores_by_model(predictions, 1 if followed is None else len(followed.horizons))
        labels = None if cluster is None else _columns.cluster_labels(cluster)
        _columns.check_same_length(y=positive, weight=weights, cluster=labels)
        for name, score in scores.items():
            _columns.check_same_length({Argument("predictions", name): score}, y=positive)
        given: dict[Name, object] = {
            Argument("predictions", name): one for name, one in named_scores(predictions).items()
        }
        check_same_index({"y": None if followed else y, **given, "weight": weight, "cluster": cluster})
        here = slice(None) if weights is None or weights.all() else weights > 0
        self.models = tuple(scores)
        self._given = None if isinstance(here, slice) else here
        self.positive = fixed(stacked(positive[here]))
        self._weigh(followed if followed is None or self._given is None else followed[here], weights, here)
        self._clusters = None if labels is None else fixed(np.unique(labels[here], return_inverse=True)[1].ravel())
        self.cluster = self._clusters if self._weighed is None else self._weighed.clusters(self._clusters)
        self._scores = {name: fixed(stacked(own_scores(score, self._given))) for name, score in scores.items()}
        self._stakes, self._rows, self._at = None, {}, {}
        if case_costs is not None:
            self._put_at_stake(case_costs, followed)
        self._tables = make_tables(self, self._scores)

    def _weigh(self, outcome: EventBy | None, weight: FloatArray | None, here: Any) -> None:
        """Keep the weight of each case, times what censoring leaves it."""
        own = None if weight is None else weight[here]
        self.outcome, self._weighed = outcome, None
        if outcome is not None:
            from stakes.outcome import weigh  # nobody else waits for it

            self._weighed = weigh(outcome, own)
        weights = own if self._weighed is None else self._weighed.weight
        self.weight = None if weights is None else fixed(weights)

    def _put_at_stake(self, case_costs: CaseCostsLike, outcome: EventBy | None) -> None:
        """Keep the stake of each case, and adjust scores to it."""
        from stakes.case_costs import given_stakes  # nobody else waits for it

        self._stakes = given_stakes(case_costs, self.positive, self._given, outcome)
        self._scores = {name: fixed(one) for name, one in self._stakes.adjusted(self._scores).items()}

    def __len__(self) -> int:
        return len(self.positive)

    def __repr__(self) -> str:
        names = ", ".join([*map(short, self.models[:5]), *(["..."] if len(self.models) > 5 else [])])
        return f"Cases({_describe_size(self)}; models {names})"

    def _repr_html_(self) -> str:
        """Show the cases as a table of the models and their scores."""
        from stakes._html import table_of_models  # words of limits come with it, which nobody else waits for here

        share = next(iter(self._tables.values())).prevalence_of_cases
        return table_of_models(_describe_size(self), share, self._tables, is_weighted=self.weight is not None)

    def table(self, model: str, *, horizon: float | None = None) -> ScoreTable:
        """Return the table of a model.

        Parameters
        ----------
        model : str
            Its name.
        horizon : float, keyword-only, optional
            One of several horizons. Unless given, the table of all is merged by their weights: for means such as
            regret, never for ratios such as the AUC.

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
        tables = self._tables if horizon is None else self.at(horizon)._tables
        return tables[_check.choice("model", model, self.models)]

    def at(self, horizon: float) -> Cases:
        """Return the cases at one of the horizons of their outcome.

        Parameters
        ----------
        horizon : float
            The horizon.

        Returns
        -------
        Cases
            The same cases with the predictions for that horizon.

        Examples
        --------
        >>> from stakes import Cases, EventBy
        >>> outcome = EventBy([1, 2, 3, 6], [1, 0, 1, 0], horizon=[1, 5])
        >>> Cases(outcome, {"a": [[0.4, 0.9], [0.1, 0.2], [0.2, 0.6], [0.1, 0.3]]}).at(5)
        Cases(4 cases, 2 positive; models a)
        """
        from stakes._cases_alike import cases_at  # which makes cases

        return cases_at(self, horizon)

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
            found = None if not is_special(self) else np.searchsorted(self._tables[model].score, self._scores[model])
            last = len(self._tables[model]) - 1  # for scores that only cases of no weight have: any row will serve
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
        from stakes._cases_alike import alike  # which makes cases

        for name in scores:
            if name in self.models:
                raise InputError("scores", "have names that no model has", repr(name))
        more = alike(self)
        more.models = (*self.models, *scores)
        more._scores = self._scores | {name: np.broadcast_to(np.float64(at), len(self)) for name, at in scores.items()}
        first = next(iter(self._tables.values()))
        more._tables = self._tables | {name: constant_table(first, at) for name, at in scores.items()}
        more._rows = self._rows | {name: np.broadcast_to(np.intp(0), len(self)) for name in scores}
        return more


def _describe_size(cases: Cases) -> str:
    clusters = "" if cases._clusters is None else f" in {cases._clusters.max() + 1:,} clusters"
    if cases.outcome is not None and (horizons := horizons_of(cases)):
        positive = cases.outcome.positive.sum(axis=0)
        times = (f"{many:,} positive by {time:g}" for time, many in zip(horizons, positive, strict=True))
        return f"{len(cases.outcome):,} cases{clusters}, {', '.join(times)}"
    return f"{len(cases):,} cases{clusters}, {cases.positive.sum():,} positive"


def make_tables(cases: Cases, scores: Mapping[str, npt.NDArray[np.floating]]) -> dict[str, ScoreTable]:
    """Make the tables of models."""
    return tables_of(cases.positive, scores, cases.weight, weighed=cases._weighed, stakes=cases._stakes)


def horizons_of(cases: Cases) -> dict[float, float]:
    """Return several horizons, with the share of each; none where there is one, or no follow-up."""
    return {} if cases._weighed is None else cases._weighed.horizons


def weighed_cases(cases: Cases) -> WeightedOutcome | None:
    """Return the censoring of cases that were not all followed; None where all are known."""
    return cases._weighed


def stakes_of_cases(cases: Cases) -> Stakes | None:
    """Return the stake of each case; None where costs are the same for all."""
    return cases._stakes


def is_special(cases: Cases) -> bool:
    """Whether weights in tables are not those of people."""
    return cases._weighed is not None or cases._stakes is not None


def scores_of_cases(cases: Cases, model: str) -> npt.NDArray[np.floating]:
    """Return the score of each case, as it was given."""
    return cases._scores[model]

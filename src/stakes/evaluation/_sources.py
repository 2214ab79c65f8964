"""The cases or tables that are evaluated, and how certain their ranking is."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from stakes import _check, _columns
from stakes._arrays import BoolArray, FloatArray
from stakes._errors import Argument, InputError, InputTypeError, Name
from stakes.beliefs import At
from stakes.cases import Cases, named, same_index
from stakes.evaluation._decision import Decision
from stakes.evaluation._ranked import (
    Folds,
    Measure,
    best_feasible,
    cross_fitted,
    deal,
    measure,
    recalibration,
    unlimited,
)
from stakes.measures import expected_regret
from stakes.table import ScoreTable, score_table
from stakes.uncertainty import Comparison, Interval, compare, interval, rank, resampled_together, table_interval

_REPLICATES = 1000  # of each model, where there is no formula


@dataclass(frozen=True)
class Sure:
    """The ranked number of each model with its interval, the differences to the best, and who may be best."""

    regret: Mapping[str, Interval]
    difference: Mapping[str, Comparison]
    probability_best: Mapping[str, float]
    recalibrated: Mapping[str, float] = field(default_factory=dict)

    @property
    def order(self) -> list[str]:
        """The names, least costly first; equals stay as they came, and what is undefined comes last."""

        def place(name: str) -> tuple[bool, float]:
            estimate = self.regret[name].estimate
            return math.isnan(estimate), float(f"{estimate:.11e}")  # the digits that rounding leaves alone

        return sorted(self.regret, key=place)


def sure_of_cases(
    cases: Cases,
    columns: Columns,
    references: Mapping[str, FloatArray],
    decision: Decision,
    level: float,
    folds: int | None,
    rng: np.random.Generator,
) -> Sure:
    """Judge models on the same cases; `references` are the constant scores that the limits allow."""
    dealt = None if folds is None else deal(folds, columns.positive, columns.cluster, rng)
    if decision.limits is None:
        fair = {} if dealt is None else _recalibrated(columns, decision, dealt)
        return replace(_by_formula(cases, measure(decision), level, rng), recalibrated=fair)
    if dealt is not None:
        return _cross_fitted(columns, references, decision, level, dealt, rng)
    # Who acts on everyone, or on no one, chooses no cut: limits change nothing there.
    plain = dict.fromkeys(references, unlimited(decision))
    ranked = dict.fromkeys(columns.scores, measure(decision)) | plain
    joint = resampled_together(cases, ranked, level=level, n_resamples=_REPLICATES, rng=rng)
    return Sure(joint.intervals, joint.differences, joint.probability_best)


def _by_formula(cases: Cases, ranked: Measure, level: float, rng: np.random.Generator) -> Sure:
    found = interval(cases, ranked, level=level, rng=rng)
    best = Sure(found, {}, {}).order[0]
    differences = {
        name: compare(cases, name, best, ranked, level=level, rng=rng) for name in cases.models if name != best
    }
    return Sure(found, differences, rank(cases, ranked, rng=rng).probability_best)


def _recalibrated(columns: Columns, decision: Decision, dealt: Folds) -> dict[str, float]:
    """Return what each model would cost, recalibrated on other cases than those it is judged on."""
    fair = cross_fitted(columns.positive, columns.scores, columns.weights, dealt, recalibration)
    ranked = measure(decision)
    return {name: ranked(score_table(columns.positive, score, columns.weights)) for name, score in fair.items()}


def _cross_fitted(
    columns: Columns,
    references: Mapping[str, FloatArray],
    decision: Decision,
    level: float,
    dealt: Folds,
    rng: np.random.Generator,
) -> Sure:
    """Judge cuts on other cases than they were chosen on: as scores that say up to which cost one acts."""
    fair = cross_fitted(columns.positive, columns.scores, columns.weights, dealt, best_feasible(decision))
    cases = columns.cases({**fair, **references}, weight=_weights_there(columns, decision))
    return _by_formula(cases, partial(expected_regret, costs=decision.costs), level, rng)


def _weights_there(columns: Columns, decision: Decision) -> FloatArray | None:
    """Return weights that give the classes their shares where the model will be used."""
    if not isinstance(decision.prevalence, At):
        return columns.weights
    positive = columns.positive
    weight = np.ones(len(positive)) if columns.weights is None else columns.weights
    share = weight[positive].sum() / weight.sum()
    common = decision.prevalence.value
    moved: FloatArray = weight * np.where(positive, common / share, (1 - common) / (1 - share))
    return moved


def sure_of_tables(tables: Mapping[str, ScoreTable], decision: Decision, level: float) -> Sure:
    """Judge each model by itself: which cases it shares with the others is not known."""
    ranked = measure(decision)
    return Sure({name: table_interval(table, ranked, level=level) for name, table in tables.items()}, {}, {})


def of_references(tables: Mapping[str, ScoreTable], decision: Decision, level: float) -> dict[str, Interval]:
    """Return what acting on everyone and on no one costs, each by itself."""
    plain: Measure = unlimited(decision)
    return {name: table_interval(table, plain, level=level) for name, table in tables.items()}


Column = npt.NDArray[Any]


_MOST_GROUPS = 50


@dataclass(frozen=True)
class Columns:
    """The columns of a sample, as they came, but for the rows that are left out."""

    y: Any
    scores: dict[str, Any]
    weight: Any
    cluster: Any
    group: Any
    pos_label: object
    left_out: int

    @classmethod
    def of(cls, y: Any, predictions: Any, *, weight: Any, cluster: Any, group: Any, pos_label: object) -> Columns:
        """Keep the rows that every model has a score for."""
        scores = named(predictions)
        others: dict[Name, Any] = {"y": y, "weight": weight, "cluster": cluster, "group": group}
        same_index(others | {Argument("predictions", name): score for name, score in scores.items()})
        here = rows_with_scores(scores)
        if here is not None:  # while the lengths are those that were given
            given = {name: column for name, column in others.items() if column is not None and np.ndim(column) == 1}
            _columns.same_length({**given, "predictions": here})
        y, weight, cluster, group = (kept(column, here) for column in (y, weight, cluster, group))
        left_out = 0 if here is None else int(np.count_nonzero(~here))
        return cls(
            y, {name: kept(score, here) for name, score in scores.items()}, weight, cluster, group, pos_label, left_out
        )

    def __len__(self) -> int:
        return np.size(self.y)

    def cases(self, scores: Mapping[str, Any], *, weight: FloatArray | None = None) -> Cases:
        """Make cases with these scores; `weight` takes the place of their own."""
        own = self.weight if weight is None else weight
        return Cases(self.y, scores, weight=own, cluster=self.cluster, pos_label=self.pos_label)

    def where(self, here: BoolArray) -> Cases:
        """Make cases of some of the rows."""
        y, weight, cluster = (kept(column, here) for column in (self.y, self.weight, self.cluster))
        scores = {name: kept(score, here) for name, score in self.scores.items()}
        return Cases(y, scores, weight=weight, cluster=cluster, pos_label=self.pos_label)

    @property
    def positive(self) -> BoolArray:
        """Which cases are positive."""
        return _columns.outcome("y", self.y, self.pos_label)

    @property
    def weights(self) -> FloatArray | None:
        """The weights, judged."""
        return _columns.weights("weight", self.weight)

    @property
    def labels(self) -> Column | None:
        """The label of each case's group."""
        return None if self.group is None else group_labels(self.group, len(self))


def rows_with_scores(predictions: Mapping[str, npt.ArrayLike]) -> BoolArray | None:
    """Return which rows every model has a score for; none where no score is missing."""
    here: BoolArray | None = None
    for scores in predictions.values():
        column = np.asarray(scores)
        missing = _missing(column)
        if missing is None or not missing.any():
            continue
        if here is not None and here.shape != missing.shape:
            return None  # lengths differ: refused where cases are made of them
        here = ~missing if here is None else here & ~missing
    if here is not None and not here.any():
        raise InputError("predictions", "share at least one case that every model has a score for", "none")
    return here


def _missing(column: Column) -> BoolArray | None:
    if column.ndim != 1:
        return None
    if column.dtype.kind == "f":
        return np.isnan(column)
    if column.dtype.kind == "O":
        return np.array([value is None or value != value for value in column.tolist()], dtype=np.bool_)
    return None


def kept(column: Any, here: BoolArray | None) -> Any:
    """Return the rows of a column that are kept; one of another length is left for the door to refuse."""
    if column is None or here is None:
        return column
    array = np.asarray(column)
    return array[here] if array.shape == here.shape else column


def group_labels(group: npt.ArrayLike, cases: int) -> Column:
    """Return the label of each case's group, as text."""
    labels = np.asarray(group)
    if labels.shape != (cases,):
        raise InputError("group", f"have one label for each of the {cases:,} cases", f"shape {labels.shape}")
    missing = _missing(labels)
    if missing is not None and missing.any():
        got = f"{np.count_nonzero(missing)} missing"
        raise InputError("group", "have a label for each case", got, row=int(missing.argmax()), first=True)
    text: Column = labels.astype(np.str_)
    found = len(np.unique(text))
    if found > _MOST_GROUPS:
        raise InputError(
            "group",
            f"hold at most {_MOST_GROUPS} different labels",
            f"{found:,}",
            hint=("for cases that belong together use ", Argument("cluster")),
        )
    return text


def judged_tables(
    tables: Mapping[str, ScoreTable], called: Name = "tables", models: tuple[str, ...] = ()
) -> dict[str, ScoreTable]:
    """Return tables of the same cases by name, for all of `models` where these are given."""
    if not hasattr(tables, "items") or not all(isinstance(name, str) for name in tables):
        raise InputTypeError(called, "map names of models to tables", type(tables).__name__)
    if not tables or set(models) - set(tables):
        wanted = f"the tables of {', '.join(models)}" if models else "the table of at least one model"
        raise InputError(called, f"hold {wanted}", ", ".join(tables) or "none")
    _check.tables(called, *tables.values())
    (first, one), *others = tables.items()
    for name, table in others:
        if not np.allclose((table.positive_total, table.negative_total), (one.positive_total, one.negative_total)):
            got = " and ".join(
                f"{t.positive_total:g} of {t.total:g} positive in {n!r}" for n, t in ((first, one), (name, table))
            )
            raise InputError(called, "be of the same cases", got)
    return dict(tables)

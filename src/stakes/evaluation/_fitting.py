"""Estimators to validate, the data they are fitted on, and the probabilities that they predict."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import numpy as np
import numpy.typing as npt

from stakes import _check, _columns
from stakes._arrays import BoolArray, Column, FloatArray
from stakes._errors import Argument, InputError, InputTypeError, Name
from stakes._optional import import_optional
from stakes._predictions import check_same_index
from stakes._roles import FrameColumns
from stakes.evaluation._sources import CaseSource


def scikit_learn(module: str) -> ModuleType:
    """Return a module of scikit-learn; raise if that is not installed."""
    import_optional("sklearn", "validation", "to validate estimators")
    return importlib.import_module(f"sklearn.{module}")


@dataclass(frozen=True, eq=False)
class FitData:
    """The data that estimators are fitted on, and that their predictions are evaluated with."""

    X: Any
    columns: FrameColumns
    labels: Column
    positive: BoolArray
    weight: FloatArray | None
    cluster: Column | None

    @classmethod
    def of(cls, X: Any, given: FrameColumns) -> FitData:  # noqa: N803
        """Check the columns as `evaluate` does, and that there is a row of `X` for each case."""
        positive = _columns.outcome("y", given.outcome, given.pos_label)
        _columns.check_same_length({"X": np.empty((_count_rows(X), 0)), "y": positive})
        check_same_index({"X": X, "y": given.outcome})
        checked = CaseSource.of_arrays(given.with_predictions({"model": np.zeros(len(positive))})).columns
        weight = _columns.weights("weight", given.weight)
        cluster = None if given.cluster is None else np.asarray(given.cluster)
        if cluster is not None and cluster.dtype == object:
            cluster = cluster.astype(np.str_)
        return cls(X, checked, np.asarray(given.outcome), positive, weight, cluster)

    @property
    def counts(self) -> BoolArray:
        """Which cases count; those of weight 0 do not."""
        return np.ones(len(self.positive), dtype=bool) if self.weight is None else self.weight > 0

    @property
    def positive_label(self) -> Any:
        """The label of positive outcomes."""
        return self.labels[int(self.positive.argmax())]

    def rows(self, rows: npt.NDArray[np.intp]) -> Any:
        """Return rows of `X`, in its own type."""
        if hasattr(self.X, "iloc"):
            return self.X.iloc[rows]
        if hasattr(self.X, "take") and hasattr(self.X, "schema"):  # a PyArrow table
            return self.X.take(rows)
        if isinstance(self.X, list | tuple):
            return [self.X[row] for row in rows]
        return (self.X.tocsr() if hasattr(self.X, "tocsr") else self.X)[rows]

    def with_predictions(self, predictions: Mapping[str, FloatArray]) -> CaseSource:
        """Return the cases with predictions."""
        return CaseSource.of(self.columns.with_predictions(predictions))


def _count_rows(given: Any) -> int:
    shape = getattr(given, "shape", None)
    if isinstance(shape, tuple) and shape and isinstance(shape[0], int | np.integer):
        return int(shape[0])
    if isinstance(given, list | tuple):
        return len(given)
    raise InputTypeError("X", "have a row for each case, as arrays, lists and data frames do", type(given).__name__)


@dataclass(frozen=True, eq=False)
class Procedure:
    """An estimator to be fitted again and again, its name, and how it takes weights."""

    argument: Argument
    estimator: Any
    weights: str | None

    def fit(self, data: FitData, rows: npt.NDArray[np.intp], rng: np.random.Generator) -> Any:
        """Return a fitted copy; what it draws at random comes from `rng` unless it has a seed of its own."""
        copy = scikit_learn("base").clone(self.estimator)
        seeds = {name: int(rng.integers(1 << 31)) for name, value in _seeds(copy) if value is None}
        if seeds:
            copy.set_params(**seeds)
        given = {} if data.weight is None else {str(self.weights): data.weight[rows]}
        return copy.fit(data.rows(rows), data.labels[rows], **given)

    def predict(self, fitted: Any, data: FitData, rows: npt.NDArray[np.intp]) -> FloatArray:
        """Return the probability of a positive outcome that a fitted copy gives to each row."""
        found = np.asarray(fitted.predict_proba(data.rows(rows)))
        classes = np.asarray(getattr(fitted, "classes_", np.unique(data.labels)))
        if found.shape != (len(rows), len(classes)):
            wanted = f"predict the probabilities of {len(classes)} classes for {len(rows):,} cases"
            raise InputError(self.argument, wanted, f"shape {found.shape}")
        column: FloatArray = found[:, int(np.flatnonzero(classes == data.positive_label)[0])].astype(np.float64)
        wrong = ~((column >= 0) & (column <= 1))
        if wrong.any():
            row = int(wrong.argmax())
            got = _check.show(float(column[row]))
            raise InputError(self.argument, "predict probabilities between 0 and 1", got, row=int(rows[row]))
        return column


def _seeds(estimator: Any) -> list[tuple[str, Any]]:
    """Return the parameters that hold a seed, of the estimator and of those inside it."""
    found = estimator.get_params(deep=True).items()
    return sorted((name, value) for name, value in found if name.rpartition("__")[2] == "random_state")


def as_procedures(estimators: Any, *, weighted: bool) -> dict[str, Procedure]:
    """Return estimators by name; one alone goes by that of its class, a pipeline by that of its last step."""
    if not isinstance(estimators, Mapping):
        last = getattr(estimators, "steps", None) or [("", estimators)]
        return {type(last[-1][1]).__name__: _as_procedure(Argument("estimators"), estimators, weighted)}
    if not estimators:
        raise InputError("estimators", "hold at least one estimator", "none")
    for name in estimators:
        if not isinstance(name, str):
            raise InputTypeError("estimators", "have names that are text", type(name).__name__)
    return {name: _as_procedure(Argument("estimators", name), one, weighted) for name, one in estimators.items()}


def _as_procedure(argument: Name, estimator: Any, weighted: bool) -> Procedure:
    """Return an estimator that can be fitted, with weights if there are any, and predicts probabilities."""
    kind = type(estimator).__name__
    if isinstance(estimator, type) or not all(hasattr(estimator, name) for name in ("fit", "get_params")):
        got = f"the class {estimator.__name__}" if isinstance(estimator, type) else kind
        raise InputTypeError(argument, "be an estimator of scikit-learn, or several by name", got)
    if not hasattr(estimator, "predict_proba"):
        raise InputError(argument, "have `predict_proba`", f"{kind}, which has none")
    weights = _weight_parameter(estimator) if weighted else None
    if weighted and weights is None:
        raise InputError(argument, ("accept `sample_weight` in `fit`, since ", Argument("weight"), " is given"), kind)
    return Procedure(Argument("estimators") if isinstance(argument, str) else argument, estimator, weights)


def _weight_parameter(estimator: Any) -> str | None:
    """Return how `fit` calls the weights of the cases; a pipeline hands them to its last step."""
    steps = getattr(estimator, "steps", None)
    if steps:
        name, last = steps[-1]
        inside = _weight_parameter(last)
        return None if inside is None else f"{name}__{inside}"
    accepts = scikit_learn("utils.validation").has_fit_parameter
    return "sample_weight" if accepts(estimator, "sample_weight") else None

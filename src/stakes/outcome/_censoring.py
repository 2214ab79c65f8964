"""Models of censoring: by strata, by covariates, or with probabilities that are given."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from stakes import _check, _columns
from stakes._arrays import FloatArray
from stakes._errors import Argument, InputError, InputTypeError


@dataclass(eq=False)
class CensoringBy:
    """A censoring model with strata, such as hospitals or arms of a trial, each with a curve of its own.

    The chance of still being followed is estimated in each stratum by itself. Within a stratum, leaving must be
    independent of the outcome and of the scores. Few and large strata serve best.

    Parameters
    ----------
    labels : array-like or str
        Label of each case's stratum, or a matrix or frame with several labels of each case, which together make its
        stratum; with a data frame, the name of its column, or a list of several.

    Examples
    --------
    >>> from stakes.outcome import CensoringBy, EventBy
    >>> censoring = CensoringBy(["a", "a", "a", "b", "b", "b"])
    >>> EventBy([1, 2, 5, 1, 3, 5], [0, 1, 0, 1, 0, 0], 4, censoring=censoring).weight.round(3).tolist()
    [0.0, 1.5, 1.5, 1.0, 0.0, 2.0]
    """

    labels: npt.ArrayLike

    def __post_init__(self) -> None:
        if not isinstance(self.labels, str):  # the name of a column
            self.checked = strata(self.labels)


@dataclass(eq=False)
class CoxCensoring:
    r"""A censoring model with a hazard proportional in covariates, that of Cox.

    With :math:`\Lambda_0` Breslow's baseline hazard of leaving and :math:`\beta` the coefficients of Cox's partial
    likelihood, both estimated from the cases, a case followed until *x* weighs
    :math:`\exp(\Lambda_0(x-)\, e^{\beta^\top z})`. Covariates must be common to all models compared: the score of one
    of them would give each model a prevalence of its own.

    Parameters
    ----------
    covariates : array-like or str
        A column or a matrix of numbers, a row per case; with a data frame, the name of a column, or a list of several.

    Examples
    --------
    >>> from stakes.outcome import CoxCensoring, EventBy
    >>> censoring = CoxCensoring([[61.0], [48.0], [55.0], [70.0], [52.0], [66.0]])
    >>> EventBy([1, 2, 5, 1, 3, 5], [0, 1, 0, 1, 0, 0], 4, censoring=censoring).weight.round(3).tolist()
    [0.0, 1.238, 1.719, 1.0, 0.0, 1.644]
    """

    covariates: npt.ArrayLike

    def __post_init__(self) -> None:
        if not are_names(self.covariates):
            self.checked = covariate_matrix(self.covariates)


@dataclass(eq=False)
class GivenCensoring:
    """A censoring model that gives the probabilities themselves.

    They come from a model of one's own. Intervals take them as known, which makes most of them a little too wide.

    Parameters
    ----------
    probability : array-like or str
        Probability of each case of still being followed just before its end or the horizon, whichever comes first;
        with a data frame, the name of its column.

    Examples
    --------
    >>> from stakes.outcome import EventBy, GivenCensoring
    >>> EventBy([1, 2, 5], [0, 1, 0], 4, censoring=GivenCensoring([1, 0.8, 0.5])).weight.tolist()
    [0.0, 1.25, 2.0]
    """

    probability: npt.ArrayLike

    def __post_init__(self) -> None:
        if not isinstance(self.probability, str):
            self.checked = probabilities(self.probability)


Censoring = CensoringBy | CoxCensoring | GivenCensoring


def check_censoring(censoring: object) -> None:
    """Raise unless it is None or one of the three."""
    if censoring is not None and not isinstance(censoring, CensoringBy | CoxCensoring | GivenCensoring):
        wanted = "be a CensoringBy, a CoxCensoring, a GivenCensoring or None"
        raise InputTypeError("censoring", wanted, type(censoring).__name__)


def are_names(given: object) -> bool:
    """Whether covariates are names of columns: a text, or a list of texts."""
    several = isinstance(given, list | tuple) and bool(given) and all(isinstance(one, str) for one in given)
    return several or isinstance(given, str)


def strata(labels: npt.ArrayLike) -> tuple[npt.NDArray[np.intp], list[str]]:
    """Return the stratum of each case, from 0, and the names of the strata."""
    if not hasattr(labels, "__len__"):
        raise InputTypeError("labels", "be a list, an array or a column", type(labels).__name__)
    array = np.asarray(labels)
    if array.ndim == 2 and array.size:
        return strata(joined([_without_missing(column) for column in array.T]))
    _columns.check_one_dimension("labels", array.shape)
    array = _without_missing(array)
    distinct, found = np.unique(array.astype(np.str_) if array.dtype.kind == "O" else array, return_inverse=True)
    return found.ravel(), [str(name) for name in distinct]


def _without_missing(column: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return a column of labels; raise if one is missing."""
    missing = _columns.missing_labels(column)
    if missing is not None:
        _columns.check_no_missing("labels", missing)
    return column


def joined(labels: Sequence[npt.NDArray[Any]]) -> npt.NDArray[Any]:
    """Return one label of each case: of several columns, all of theirs."""
    if len(labels) == 1:
        return labels[0]
    return np.array([", ".join(map(str, of_case)) for of_case in zip(*labels, strict=True)], dtype=object)


def covariate_matrix(covariates: object) -> FloatArray:
    """Return covariates as a matrix of finite numbers, a row per case."""
    try:
        matrix = np.asarray(covariates, dtype=np.float64)
    except (TypeError, ValueError):
        value, row = _first_word(covariates)
        hint = "code categories as 0 and 1"
        raise InputError("covariates", "be numbers", value, row=row, hint=hint) from None
    matrix = matrix[:, None] if matrix.ndim == 1 else matrix
    if matrix.ndim != 2 or not matrix.shape[1] or not matrix.shape[0]:
        raise InputError("covariates", "be a column or a matrix with a row per case", f"shape {matrix.shape}")
    wrong = ~np.isfinite(matrix).all(axis=1)
    if wrong.any():
        row = int(wrong.argmax())
        value = matrix[row][~np.isfinite(matrix[row])][0]
        raise _columns.wrong_value("covariates", "finite numbers", value, row)
    return matrix


def _first_word(covariates: object) -> tuple[str, int | None]:
    """Return the first value that is no number, and its row."""
    rows = np.asarray(covariates, dtype=object)
    for row, values in enumerate(rows.reshape(len(rows), -1) if rows.ndim else ()):
        for value in values:
            try:
                float(value)
            except (TypeError, ValueError):
                return _check.show(value), row
    return type(covariates).__name__, None


def probabilities(probability: object) -> FloatArray:
    """Return given probabilities, above 0 and at most 1."""
    column = _columns.counts(Argument("probability"), probability)
    wrong = (column <= 0) | (column > 1)
    if wrong.any():
        row = int(wrong.argmax())
        raise _columns.wrong_value("probability", "above 0 and at most 1", column[row], row)
    return column

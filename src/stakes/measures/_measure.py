"""A measure: a number of a table with its facts, stated once beside the formula."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial, wraps
from types import MappingProxyType, SimpleNamespace
from typing import Any, Literal, TypeAlias, TypeVar, cast

from stakes import _check
from stakes._arrays import FloatArray, class_totals
from stakes._errors import InputTypeError
from stakes.measures._forms import Form, Pair, one_mean
from stakes.table import ScoreTable

Better = Literal["smaller", "larger"]
Reads = Literal["probabilities", "order"]
Resampled = Literal["bca", "basic"]
F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True)
class Measure:
    """A number of a table, and what is known about it.

    The functions of `stakes` that give a number of a table are recognised, with their parameters, wherever a measure is
    wanted; so is a `functools.partial` of one, and a lambda around it. A `Measure` is for a number of one's own: with
    `Measure.mean` it has analytic intervals like ours.

    Parameters
    ----------
    name : str
        What it is called.
    value : callable
        The number of a table.
    better : {"smaller", "larger"} or None
        Which way is better; none where that has not been said.
    reads : {"probabilities", "order"}
        What it reads of the scores: their values as probabilities, or only their order.
    form : Form, optional
        How it is made of the cases; none where it can only be resampled.
    resampled : {"bca", "basic"}
        The bootstrap interval that covers best: basic where the measure recalibrates, since recalibration in every
        replicate repeats the bias that it has in the sample.

    Examples
    --------
    >>> from stakes import Measure, auc, score_table
    >>> lost_pairs = Measure("lost pairs", lambda table: 1 - auc(table), better="smaller", reads="order")
    >>> lost_pairs(score_table(y=[0, 1, 0, 1], score=[1, 1, 2, 3]))
    0.375
    """

    name: str
    value: Callable[..., Any] = field(repr=False)
    better: Better | None
    reads: Reads = "probabilities"
    form: Form | None = field(default=None, repr=False)
    resampled: Resampled = "bca"

    def __post_init__(self) -> None:
        _check.check_type(str, "name", self.name)
        _check.check_callable("value", self.value, of="a table")
        if self.better is not None:
            check_better(self.better)
        _check.choice("reads", self.reads, ("probabilities", "order"))
        _check.choice("resampled", self.resampled, ("bca", "basic"))

    def __call__(self, table: ScoreTable) -> float:
        """Return the number of a table."""
        number: float = self.value(table)
        return number

    @classmethod
    def mean(cls, name: str, values: Callable[[FloatArray], Pair], *, better: Better) -> Measure:
        r"""Mean over the cases of a value of the score, one for positives and one for negatives.

        Parameters
        ----------
        name : str
            What it is called.
        values : callable
            Takes an array of scores, and returns what a positive and what a negative with each score adds: two arrays.
        better : {"smaller", "larger"}, keyword-only
            Which way is better.

        Returns
        -------
        Measure
            The mean, :math:`\frac1W \sum_k p_k\,v_1(s_k) + n_k\,v_0(s_k)`, with analytic intervals.

        Examples
        --------
        The mean absolute error:

        >>> from stakes import Cases, Measure, interval
        >>> error = Measure.mean("absolute error", lambda score: (1 - score, score), better="smaller")
        >>> interval(Cases([0, 1, 1, 0] * 9, {"a": [0.1, 0.8, 0.9, 0.2] * 9}), error)
        {'a': Interval(0.15 [0.13..., 0.16...], analytic)}
        """
        _check.check_callable("values", values, of="scores")
        return cls(name, partial(_mean, values), check_better(better), form=one_mean(values))


def _mean(values: Callable[[FloatArray], Pair], table: ScoreTable) -> float:
    _check.check_tables("table", table)
    totals = class_totals(table, lambda score: values(score)[0], lambda score: values(score)[1])
    return sum(totals) / table.total


def check_better(better: object) -> Better:
    return cast("Better", _check.choice("better", cast("str", better), ("smaller", "larger")))


MeasureLike: TypeAlias = Measure | Callable[..., Any]


# ------------------------------------------------------------------------------------------- facts beside a formula


@dataclass(frozen=True)
class StatedMeasure:
    """A measure as stated beside its formula, before its parameters are known.

    `field` is the part of the record that the function returns, if it returns one; `form` makes the form from the
    parameters, and `why_resampled` says why there is none.
    """

    name: str
    function: Callable[..., Any]
    better: Better
    field: str = ""
    reads: Reads = "probabilities"
    form: Callable[..., Form] | None = None
    resampled: Resampled = "bca"
    why_resampled: str = ""

    def with_parameters(self, given: dict[str, Any], all_of_them: dict[str, Any]) -> Measure:
        """Return the measure with its parameters: as `given` for the number, defaults included for the form."""
        bound = partial(self.function, **given)
        value = partial(_field, bound, self.field) if self.field else bound
        form = None if self.form is None else self.form(**all_of_them)
        return Measure(self.name, value, self.better, self.reads, form, self.resampled)


def _field(function: Callable[..., Any], field: str, table: ScoreTable) -> float:
    return float(getattr(function(table), field))


_STATED: dict[str, StatedMeasure] = {}
REGISTRY: Mapping[str, StatedMeasure] = MappingProxyType(_STATED)  # every measure of the house, by name


class Probe:
    """Stands in for a table to find out what a callable is; it has no attributes, so nothing can be computed of it."""

    __slots__ = ()


class RejectedParametersError(Exception):
    """A measure of ours was asked about with parameters that it cannot have; `error` says why."""

    def __init__(self, error: Exception) -> None:
        super().__init__()
        self.error = error


def measure(
    *,
    better: Better | None = None,
    reads: Reads = "probabilities",
    form: Callable[..., Form] | None = None,
    resampled: Resampled = "bca",
    fields: Mapping[str, Better] | None = None,
    why_resampled: str = "",
) -> Callable[[F], F]:
    """State the facts of a number beside its formula; the function keeps its signature.

    Called with a probe in the stead of a table, the function answers with its `Measure`: parameters and all.

    Parameters
    ----------
    better : {"smaller", "larger"}, keyword-only
        Which way is better; not for a function that returns a record.
    reads : {"probabilities", "order"}, keyword-only
        What it reads of the scores.
    form : callable, keyword-only, optional
        Takes the parameters of the function by name, and returns the form.
    resampled : {"bca", "basic"}, keyword-only
        The bootstrap interval that covers best.
    fields : mapping, keyword-only, optional
        For a function that returns a record: which way is better, by field.
    why_resampled : str, keyword-only
        Why there is no form.

    Returns
    -------
    callable
        The decorator.
    """
    facts: dict[str, Any] = {"reads": reads, "form": form, "resampled": resampled, "why_resampled": why_resampled}

    def decorate(function: F) -> F:
        signature, name = inspect.signature(function), function.__name__

        @wraps(function)
        def measured(*given: Any, **named: Any) -> Any:
            table = given[0] if given else named.get("table")
            if isinstance(table, Probe):
                return _with_parameters(stated, signature, given, named)
            return function(*given, **named)

        if fields is not None:
            stated = [StatedMeasure(f"{name}.{field}", measured, way, field, **facts) for field, way in fields.items()]
        else:
            stated = [StatedMeasure(name, measured, cast("Better", better), **facts)]
        _STATED.update((one.name, one) for one in stated)
        return cast("F", measured)

    return decorate


def _with_parameters(
    stated: list[StatedMeasure], signature: inspect.Signature, given: tuple[Any, ...], named: dict[str, Any]
) -> object:
    """Return the measure that a probe asked for, or the measures of all fields of a record."""
    try:
        parameters = _parameters(stated[0].function.__name__, signature, given, named)
        measures = [one.with_parameters(*parameters) for one in stated]
    except Exception as error:
        raise RejectedParametersError(error) from error
    if not stated[0].field:
        return measures[0]
    return SimpleNamespace(**{one.field: measure for one, measure in zip(stated, measures, strict=True)})


def _parameters(
    name: str, signature: inspect.Signature, given: tuple[Any, ...], named: dict[str, Any]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the parameters beside the table, by name: those given, and all with their defaults."""
    bound = signature.bind_partial(*given, **_only_known(name, signature, named))
    takes = [one for one in signature.parameters.values() if one.name != "table"]
    missing = [f"`{one.name}`" for one in takes if one.default is one.empty and one.name not in bound.arguments]
    if missing:
        raise InputTypeError("measure", f"come with all that {name} needs beside a table", f"no {', '.join(missing)}")
    stated = {key: value for key, value in bound.arguments.items() if key != "table"}
    return stated, {one.name: stated.get(one.name, one.default) for one in takes}


def _only_known(name: str, signature: inspect.Signature, named: dict[str, Any]) -> dict[str, Any]:
    unknown = [key for key in named if key not in signature.parameters]
    if unknown:
        takes = ", ".join(key for key in signature.parameters if key != "table") or "nothing"
        raise InputTypeError("measure", f"come with parameters of {name} ({takes})", f"`{unknown[0]}`")
    return named

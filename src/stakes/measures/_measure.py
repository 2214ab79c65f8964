"""Measures: numbers of a table with their properties, stated once beside the formula."""

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
from stakes.measures._forms import Floor, Form, Pair, one_mean
from stakes.table import ScoreTable, at_ordinary_scale

Better = Literal["smaller", "larger"]
Reads = Literal["probabilities", "order"]
Resampled = Literal["bca", "basic"]
F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True)
class Measure:
    """A number of a table with its properties.

    The functions of `stakes` that return a number of a table are recognised, with their parameters, wherever a measure
    is required; so is a `functools.partial` of one, and a lambda around it. A `Measure` is for a number of one's own:
    with `Measure.mean` it gets analytic intervals.

    Parameters
    ----------
    name : str
        Name of the measure.
    value : callable
        Function from a table to the number.
    better : {"smaller", "larger"} or None
        Direction of improvement; None if unknown.
    reads : {"probabilities", "order"}
        What it uses of the scores: their values as probabilities (the default), or only their order.
    form : Form, optional
        How the number depends on the cases; None if it can only be resampled.
    resampled : {"bca", "basic"}
        Bootstrap interval with the best coverage: "bca" unless given, "basic" for a measure that recalibrates, since
        recalibration in every replicate repeats the bias that it has in the sample.
    floor : Floor, optional
        What chance adds to a measure that recalibrates the sample, if it can be sampled and taken off.
    bounds : Form, optional
        For a measure without a form: that of a mean of losses with the same range, to which resampled intervals keep.

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
    floor: Floor | None = field(default=None, repr=False)
    bounds: Form | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        _check.check_type(str, "name", self.name)
        _check.check_callable("value", self.value, of="a table")
        if self.better is not None:
            check_better(self.better)
        _check.choice("reads", self.reads, ("probabilities", "order"))
        _check.choice("resampled", self.resampled, ("bca", "basic"))

    def __call__(self, table: ScoreTable) -> float:
        """Return the value of the measure on a table."""
        number: float = self.value(table)
        return number

    @classmethod
    def mean(cls, name: str, values: Callable[[FloatArray], Pair], *, better: Better) -> Measure:
        r"""Mean over the cases of a function of the score, one for positives and one for negatives.

        Parameters
        ----------
        name : str
            Name of the measure.
        values : callable
            Function from an array of scores to two arrays, the values of a positive and of a negative with each score.
        better : {"smaller", "larger"}, keyword-only
            Direction of improvement.

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


# ------------------------------------------------------------------------------------- properties beside a formula


@dataclass(frozen=True)
class StatedMeasure:
    """A measure as stated beside its formula, before its parameters are known.

    `field` is the field of the record that the function returns, if it returns one; `form` is a function from the
    parameters to the form, and `why_resampled` the reason if there is none.
    """

    name: str
    function: Callable[..., Any]
    better: Better
    field: str = ""
    reads: Reads = "probabilities"
    form: Callable[..., Form] | None = None
    resampled: Resampled = "bca"
    why_resampled: str = ""
    floor: Callable[..., Floor] | None = None

    def with_parameters(self, given: dict[str, Any], with_defaults: dict[str, Any]) -> Measure:
        """Return the measure with its parameters, as `given` for the number and with defaults for the form."""
        bound = partial(self.function, **given)
        value = partial(_field, bound, self.field) if self.field else bound
        form = None if self.form is None else self.form(**with_defaults)
        floor = None if self.floor is None else self.floor(self.field, **with_defaults)
        return Measure(self.name, value, self.better, self.reads, form, self.resampled, floor)


def _field(function: Callable[..., Any], field: str, table: ScoreTable) -> float:
    return float(getattr(function(table), field))


_STATED: dict[str, StatedMeasure] = {}
REGISTRY: Mapping[str, StatedMeasure] = MappingProxyType(_STATED)  # every measure of the library, by name


class Probe:
    """A substitute for a table, without attributes, to find out which measure a callable is."""

    __slots__ = ()


class RejectedParametersError(Exception):
    """The parameters of a measure are invalid; `error` is the reason."""

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
    scale_free: bool = True,
    floor: Callable[..., Floor] | None = None,
) -> Callable[[F], F]:
    """Decorate the formula of a measure with its properties; the function keeps its signature.

    Called with a probe instead of a table, the function returns its `Measure`, with the parameters given.

    Parameters
    ----------
    better : {"smaller", "larger"}, keyword-only
        Direction of improvement; not for a function that returns a record.
    reads : {"probabilities", "order"}, keyword-only
        What it uses of the scores.
    form : callable, keyword-only, optional
        Function from the parameters, by name, to the form.
    resampled : {"bca", "basic"}, keyword-only
        Bootstrap interval with the best coverage.
    fields : mapping, keyword-only, optional
        Direction of improvement by field, for a function that returns a record.
    why_resampled : str, keyword-only
        Reason why there is no form.
    scale_free : bool, keyword-only
        Whether only the proportions of the weights matter, not their size.
    floor : callable, keyword-only, optional
        Function from the field and the parameters, by name, to what chance adds.

    Returns
    -------
    callable
        The decorator.
    """
    facts: dict[str, Any] = {"reads": reads, "form": form, "resampled": resampled, "floor": floor}
    facts["why_resampled"] = why_resampled

    def decorate(function: F) -> F:
        signature, name = inspect.signature(function), function.__name__

        @wraps(function)
        def measured(*given: Any, **named: Any) -> Any:
            table = given[0] if given else named.get("table")
            if isinstance(table, Probe):
                return _with_parameters(stated, signature, given, named)
            if scale_free:
                given, named = _at_ordinary_scale(given, named)
            return function(*given, **named)

        if fields is not None:
            stated = [StatedMeasure(f"{name}.{field}", measured, way, field, **facts) for field, way in fields.items()]
        else:
            stated = [StatedMeasure(name, measured, cast("Better", better), **facts)]
        _STATED.update((one.name, one) for one in stated)
        return cast("F", measured)

    return decorate


def _at_ordinary_scale(given: tuple[Any, ...], named: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Return the arguments of a measure with the table at an ordinary scale of weights."""
    if given:
        return (at_ordinary_scale(given[0]), *given[1:]), named
    return given, {key: at_ordinary_scale(value) if key == "table" else value for key, value in named.items()}


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
    """Return the parameters other than the table by name: those given, and all with defaults."""
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

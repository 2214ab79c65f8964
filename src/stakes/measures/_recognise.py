"""Conversion of any callable to a measure."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from stakes import _check
from stakes._errors import InputTypeError
from stakes.measures._measure import Better, Measure, MeasureLike, Probe, RejectedParametersError, check_better


def recognise(measure: MeasureLike, better: Better | None = None) -> Measure:
    """Return a callable as a measure; one that is not from this library can only be resampled.

    Parameters
    ----------
    measure : Measure or callable
        A measure, a function of this library, a `functools.partial` of one, a lambda around it, or any function of a
        table.
    better : {"smaller", "larger"}, optional
        Direction of improvement; known for the functions of this library.

    Returns
    -------
    Measure
        The measure; `better` is None if it is neither known nor given.
    """
    _check.check_callable("measure", measure, of="a table")
    found = measure if isinstance(measure, Measure) else _probe(measure)
    if found is None:
        found = Measure(callable_name(measure), measure, None)
    return found if better is None else replace(found, better=check_better(better))


def _probe(measure: Callable[..., Any]) -> Measure | None:
    """Return the measure that a callable is, or None if it reads the table or computes with the result.

    So ``lambda t: f(t, costs)`` is recognised, and ``2 * f(t)``, ``f(t, t.prevalence)`` and ``f(recalibrate(t))``
    are not.
    """
    try:
        found = measure(Probe())
    except RejectedParametersError as rejected:
        raise rejected.error from None
    except Exception:
        return None
    return found if isinstance(found, Measure) else None


def callable_name(measure: object) -> str:
    """Return the name of a callable."""
    while isinstance(measure, partial):
        measure = measure.func
    return measure.name if isinstance(measure, Measure) else getattr(measure, "__name__", type(measure).__name__)


def tables_needed(measure: Callable[..., Any]) -> int:
    """Return the number of required positional arguments of a function; 1 if its signature is unknown."""
    try:
        parameters = inspect.signature(measure).parameters.values()
    except (TypeError, ValueError):
        return 1
    positional = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return sum(one.kind in positional and one.default is inspect.Parameter.empty for one in parameters)


def with_parameters(
    measure: MeasureLike, parameters: Mapping[str, Any], *, of: str, own: Collection[str]
) -> MeasureLike:
    """Bind to a measure the keywords of the function `of` that are not its `own` arguments.

    Raises
    ------
    InputError
        If a keyword belongs to neither; the message lists both.
    """
    if not parameters:
        return measure
    _check.check_callable("measure", measure, of="a table")
    takes = _keywords(measure)
    unknown = [] if takes is None else [name for name in parameters if name not in takes]
    if unknown:
        of_measure = f"of {callable_name(measure)} ({', '.join(takes or ()) or 'none'})"
        raise InputTypeError(
            "parameters", f"be arguments of {of} ({', '.join(own)}) or {of_measure}", f"`{unknown[0]}`"
        )
    return partial(measure, **parameters)


def _keywords(measure: MeasureLike) -> tuple[str, ...] | None:
    """Return the names of the arguments of a callable other than the table; None if it takes any."""
    if isinstance(measure, Measure):
        return ()
    try:
        _, *others = inspect.signature(measure).parameters.values()
    except (TypeError, ValueError):
        return None
    if any(one.kind is one.VAR_KEYWORD for one in others):
        return None
    return tuple(one.name for one in others if one.kind in (one.KEYWORD_ONLY, one.POSITIONAL_OR_KEYWORD))

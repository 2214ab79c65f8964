"""Any callable as a measure: recognised with its parameters, or taken as a number of one's own."""

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
    """Return what a callable is as a measure: one of ours with its facts, or anyone's, which can only be resampled.

    Parameters
    ----------
    measure : Measure or callable
        A measure, one of our functions, a `functools.partial` of one, a lambda around it, or any function of a table.
    better : {"smaller", "larger"}, optional
        Which way is better; known for our own.

    Returns
    -------
    Measure
        The measure; `better` is none where that is neither known nor said.
    """
    _check.check_callable("measure", measure, of="a table")
    found = measure if isinstance(measure, Measure) else _answer(measure)
    if found is None:
        found = Measure(name_of(measure), measure, None)
    return found if better is None else replace(found, better=check_better(better))


def _answer(measure: Callable[..., Any]) -> Measure | None:
    """Ask a callable what it is: one of ours answers; one that looks at the table, or reckons with the answer, fails.

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


def name_of(measure: object) -> str:
    """Return what a callable is called."""
    while isinstance(measure, partial):
        measure = measure.func
    return measure.name if isinstance(measure, Measure) else getattr(measure, "__name__", type(measure).__name__)


def tables_needed(measure: Callable[..., Any]) -> int:
    """Return how many arguments a function must be given by place; 1 where it does not say."""
    try:
        parameters = inspect.signature(measure).parameters.values()
    except (TypeError, ValueError):
        return 1
    by_place = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return sum(one.kind in by_place and one.default is inspect.Parameter.empty for one in parameters)


def with_parameters(
    measure: MeasureLike, parameters: Mapping[str, Any], *, of: str, own: Collection[str]
) -> MeasureLike:
    """Give a measure its parameters: keywords of the function `of` that are not its `own` arguments.

    Raises
    ------
    InputError
        Where a keyword belongs to neither; both lists are in the message.
    """
    if not parameters:
        return measure
    _check.check_callable("measure", measure, of="a table")
    takes = _keywords(measure)
    unknown = [] if takes is None else [name for name in parameters if name not in takes]
    if unknown:
        of_measure = f"of {name_of(measure)} ({', '.join(takes or ()) or 'none'})"
        raise InputTypeError(
            "parameters", f"be arguments of {of} ({', '.join(own)}) or {of_measure}", f"`{unknown[0]}`"
        )
    return partial(measure, **parameters)


def _keywords(measure: MeasureLike) -> tuple[str, ...] | None:
    """Return the names of what a callable takes beside a table; none where it takes any."""
    if isinstance(measure, Measure):
        return ()
    try:
        _, *others = inspect.signature(measure).parameters.values()
    except (TypeError, ValueError):
        return None
    if any(one.kind is one.VAR_KEYWORD for one in others):
        return None
    return tuple(one.name for one in others if one.kind in (one.KEYWORD_ONLY, one.POSITIONAL_OR_KEYWORD))

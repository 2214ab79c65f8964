"""Docstrings of the metrics of arrays, derived from those of the measures of tables."""

from __future__ import annotations

import inspect
import itertools
from collections.abc import Callable
from typing import Any, TypeVar

Metric = TypeVar("Metric", bound=Callable[..., Any])

_OUTCOMES = "Outcomes: 0 and 1, booleans, or any two labels when `pos_label` is given"
_SCORES = {"y_proba": "Probabilities of the positive class.", "y_score": "Scores: any numbers, larger for positives."}
_LAST = """\
sample_weight : array-like, keyword-only, optional
    Weights, not negative.
pos_label : object, keyword-only, optional
    The label of a positive, when the outcomes are not 0 and 1.
case_costs : CaseCosts or array-like, keyword-only, optional
    Costs of each case, or an array with the columns false negative and false positive, or also true positive and true
    negative. Then the number is that of the table of stakes, which is in money, and scores must be probabilities."""


def docstring_from(measure: Callable[..., Any]) -> Callable[[Metric], Metric]:
    """Return a decorator that completes a metric's summary and example from the docstring of its measure."""

    def complete(metric: Metric) -> Metric:
        if metric.__doc__ and measure.__doc__:  # there are none under ``python -OO``
            metric.__doc__ = _docstring(metric, measure)
        return metric

    return complete


def _docstring(metric: Callable[..., Any], measure: Callable[..., Any]) -> str:
    name, home = metric.__name__, measure.__module__.rpartition("._")[0]
    summary, _, example = inspect.cleandoc(metric.__doc__ or "").partition("\n\n")
    sections = _sections(measure.__doc__ or "")
    score = list(inspect.signature(metric).parameters)[1]
    table = f"``score_table(y_true, {score}, sample_weight)``"
    explanation = "".join(sections.pop("").partition("\n\n")[1:])
    references = {"References": sections["References"]} if "References" in sections else {}
    derived = {
        "Parameters": _parameters(sections["Parameters"], score),
        "Returns": sections["Returns"],
        **references,
        "Examples": f">>> from stakes.metrics import {name}\n{example}",
    }
    text = f"{summary}{explanation}\n\nEqual to `{home}.{name}` of the table {table}."
    return "\n\n".join([text, *(f"{title}\n{'-' * len(title)}\n{body}" for title, body in derived.items())]) + "\n"


def _sections(docstring: str) -> dict[str, str]:
    """Return the text of each numpydoc section by its title; what comes before the first has none."""
    sections: dict[str, list[str]] = {"": []}
    lines = inspect.cleandoc(docstring).splitlines()
    for line, below in itertools.pairwise([*lines, ""]):
        if below and set(below) == {"-"}:
            sections[line] = []
        elif not line or set(line) != {"-"}:
            sections[list(sections)[-1]].append(line)
    return {title: "\n".join(text).strip("\n") for title, text in sections.items()}


def _parameters(described: str, score: str) -> str:
    """Describe arrays in place of the table, and everything else as keyword-only."""
    entries: list[list[str]] = []
    for line in described.splitlines():
        if line.startswith(" "):
            entries[-1].append(line)
        else:
            entries.append([_keyword_only(line)])
    table, *others = ("\n".join(entry) for entry in entries)
    classes = "; both classes must occur" if "both classes" in table else ""
    arrays = f"y_true : array-like\n    {_OUTCOMES}{classes}.\n{score} : array-like\n    {_SCORES[score]}"
    return "\n".join([arrays, *others, _LAST])


def _keyword_only(head: str) -> str:
    if "keyword-only" in head:
        return head
    optional = ", optional" if head.endswith(", optional") else ""
    return f"{head.removesuffix(', optional')}, keyword-only{optional}"

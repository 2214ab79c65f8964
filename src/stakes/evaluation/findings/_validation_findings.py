"""Findings about a validation: apparent and validated costs, and models that fitting does not change."""

from __future__ import annotations

import math
from collections.abc import Iterator

from stakes._language import say, say_count
from stakes.evaluation._results import Finding, Results, Standing
from stakes.evaluation._unit import ROUNDING
from stakes.evaluation._validation import Validation
from stakes.evaluation.findings._sentences import display_name, finding, models


def validated(results: Results) -> Iterator[Finding]:
    """State apparent and validated cost of each model, or that fitting changes nothing."""
    done = results.validation
    if done is None:
        return
    for standing in models(results):
        if standing.model in done.unchanged:
            yield finding("fit-unchanged", "ranking", {}, model=display_name(standing))
        elif math.isfinite(done.gap[standing.model]):
            yield _validated(results, done, standing)


def _validated(results: Results, done: Validation, standing: Standing) -> Finding:
    cost, apparent = done.validated[standing.model], done.apparent[standing.model]
    numbers = {"validated": cost, "apparent": apparent, "gap": cost - apparent}
    unit = results.unit.apart(cost, apparent).adding_up(cost, apparent)
    values = {"validated": unit.cost(cost), "apparent": unit.number(apparent)}
    lower = numbers["gap"] > ROUNDING * cost
    if lower:
        values["gap"] = unit.number(numbers["gap"])
    kind = "validated" if lower else "validated-no-gap"
    return finding(kind, "ranking", numbers, model=display_name(standing), how=describe_validation(done), **values)


def describe_validation(done: Validation) -> str:
    """Write how a validation was done."""
    if done.method == "optimism":
        one, many = "corrected by {repeats:,} bootstrap sample", "corrected by {repeats:,} bootstrap samples"
        return say_count(done.repeats, one, many, repeats=done.repeats)
    repeats = say(", {repeats:,} repeats", repeats=done.repeats) if done.repeats > 1 else ""
    return say("{folds:,}-fold cross-validation{repeats}", folds=done.folds, repeats=repeats)

"""Findings of an evaluation in plain sentences, each resting on an exact comparison."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from stakes import _wording
from stakes._language import translated
from stakes._words import said as in_words
from stakes.evaluation._decision import MoneyDecision
from stakes.evaluation._ranked import ignoring_undefined
from stakes.evaluation._results import Finding, Results
from stakes.evaluation.findings._action_findings import several_actions
from stakes.evaluation.findings._answer_findings import answer, one_threshold
from stakes.evaluation.findings._budget_findings import budget
from stakes.evaluation.findings._calibration_findings import mismatch, other_prevalence, recalibration
from stakes.evaluation.findings._case_cost_findings import swapped_costs
from stakes.evaluation.findings._crossing_findings import crossing
from stakes.evaluation.findings._follow_up_findings import follow_up_notes, follow_up_warnings
from stakes.evaluation.findings._group_difference_findings import group_differences, missing_labels
from stakes.evaluation.findings._limit_and_group_findings import feasibility, groups
from stakes.evaluation.findings._other_costs_findings import other_ranges
from stakes.evaluation.findings._ranking_findings import baseline, best, other_measures, worthless
from stakes.evaluation.findings._sample_findings import (
    action_rates,
    dropped_cases,
    few_cases,
    one_class,
    too_small,
    wrong_way,
)
from stakes.evaluation.findings._sentences import TEMPLATES
from stakes.evaluation.findings._validation_findings import validated

__all__ = ["TEMPLATES", "answer", "answer_text", "findings"]

Finder = Callable[[Results], Iterator[Finding]]

_BY_IMPORTANCE: tuple[Finder, ...] = (
    one_class,
    best,
    baseline,
    validated,
    wrong_way,
    follow_up_warnings,
    too_small,
    feasibility,
    action_rates,
    worthless,
    crossing,
    mismatch,
    recalibration,
    other_prevalence,
    other_ranges,
    one_threshold,
    other_measures,
    groups,
    group_differences,
    missing_labels,
    follow_up_notes,
    few_cases,
    dropped_cases,
)


# Sentences about a range of costs, about acting or not, and about other costs do not fit several actions.
_WITH_ACTIONS: tuple[Finder, ...] = (
    one_class,
    best,
    baseline,
    validated,
    wrong_way,
    follow_up_warnings,
    too_small,
    several_actions,
    worthless,
    mismatch,
    recalibration,
    other_prevalence,
    groups,
    group_differences,
    missing_labels,
    follow_up_notes,
    few_cases,
    dropped_cases,
)


# Those that hold of money per case: the others read the rows of tables as people.
_OF_MONEY: tuple[Finder, ...] = (
    one_class,
    best,
    baseline,
    feasibility,
    budget,
    worthless,
    swapped_costs,
    few_cases,
    dropped_cases,
)


# Those that hold of means over several horizons: the others read ratios or thresholds off one table.
_OF_HORIZONS: tuple[Finder, ...] = (
    one_class,
    best,
    baseline,
    worthless,
    few_cases,
    dropped_cases,
)


# Those that hold where a class is missing: which option is best depends on mistakes that no case shows.
_OF_ONE_CLASS: tuple[Finder, ...] = (
    one_class,
    follow_up_warnings,
    action_rates,
    missing_labels,
    follow_up_notes,
    few_cases,
    dropped_cases,
)


# Those left out where models have harm: at other costs it weighs otherwise, and it may be why the order is another.
_WITHOUT_HARM: tuple[Finder, ...] = (crossing, other_ranges, other_measures)


def findings(results: Results) -> tuple[Finding, ...]:
    """Return all findings of an evaluation, most important first."""
    with ignoring_undefined():
        return tuple(finding for find in _finders(results) for finding in find(results))


def answer_text(results: Results) -> str:
    """Write the answer as a sentence or two; a name at the beginning stays as it is."""
    with ignoring_undefined():
        sentences = " ".join(one.text for one in answer(results))
    said = in_words(results.decision.words, sentences, map(_wording.name, results.tables))
    beginning = translated("use {best}.").partition("{")[0]
    return said[:1].upper() + said[1:] if said.startswith(beginning) else said


def _finders(results: Results) -> tuple[Finder, ...]:
    """Return the finders that apply, of one class those that need no other."""
    usual = _usual_finders(results)
    return usual if 0 < results.sample.prevalence < 1 else tuple(find for find in usual if find in _OF_ONE_CLASS)


def _usual_finders(results: Results) -> tuple[Finder, ...]:
    """Return the finders where both classes are there; corrected for optimism, those without tables."""
    if isinstance(results.decision, MoneyDecision):
        return _OF_MONEY
    if results.harm:
        return tuple(find for find in _BY_IMPORTANCE if find not in _WITHOUT_HARM)
    if results.horizons:
        return _OF_HORIZONS
    corrected = results.validation is not None and results.validation.method == "optimism"
    if corrected:
        return one_class, best, validated, few_cases
    return _BY_IMPORTANCE if results.actions is None else _WITH_ACTIONS

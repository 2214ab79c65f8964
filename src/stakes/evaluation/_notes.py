"""Notes below the ranking: what its columns are, and in which unit costs are printed."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from stakes import _wording
from stakes._language import say
from stakes._words import said as in_words
from stakes.beliefs import At
from stakes.evaluation._harm import harm_note
from stakes.evaluation._unit import MISSES, MONEY, REGRET

if TYPE_CHECKING:
    from stakes.evaluation._evaluation import Evaluation


def versus(evaluation: Evaluation) -> str:
    """Name the standing with which the others are compared."""
    return (
        say("vs best")
        if evaluation.baseline is None
        else say("vs {baseline}", baseline=_wording.name(evaluation.baseline))
    )


def explain_versus(evaluation: Evaluation) -> str:
    """Explain what the differences are to."""
    if evaluation.baseline is None:
        return say("how much more than the first, on the same cases")
    pairs = say("on the same cases (with its interval)") if evaluation.sample.has_cases else say("by the tables alone")
    return say("how much more than {baseline}, {pairs}", baseline=_wording.name(evaluation.baseline), pairs=pairs)


def _column_notes(evaluation: Evaluation) -> dict[str, str]:
    """Explain the columns, by heading; those without a note explain themselves."""
    how = say("in-sample, so optimistic") if evaluation.folds is None else say("cross-fitted")
    return {
        say("expected cost"): say(_no_one_costs(evaluation), explain_unit=explain_unit(evaluation))
        if evaluation.unit.name == MISSES
        else explain_unit(evaluation),
        say("interval"): _interval_note(evaluation),
        versus(evaluation): f"{versus(evaluation)}: {explain_versus(evaluation)}.",
        say("P(best)"): say(
            "P(best): the probability of having the lowest expected cost, if models are taken to be alike "
            "until the data say otherwise."
        ),
        say("recalibration gain"): say("Recalibration gain: what recalibration alone would save, {how}.", how=how),
    }


def _no_one_costs(evaluation: Evaluation) -> str:
    """Return the template that names the share of positives, which acting on no one misses."""
    if evaluation.horizons:
        return "{explain_unit} In this unit, acting on no one costs the mean risk over the horizons."
    return "{explain_unit} In this unit, acting on no one costs the prevalence."


def _interval_note(evaluation: Evaluation) -> str:
    """State the level of the intervals, and that they are resampled if they are."""
    resampled = any(standing.regret.method != "analytic" for standing in evaluation.ranking if not standing.reference)
    text = "Intervals are {level} and resampled." if resampled else "Intervals are {level}."
    said = say(text, level=_wording.percent(evaluation.level))
    repeats = evaluation.sample.repeats
    return (
        say("{said} Costs and ends of intervals are means over {repeats:,} repeats.", said=said, repeats=repeats)
        if repeats > 1
        else said
    )


def explain_unit(evaluation: Evaluation) -> str:
    """Explain what the printed costs are, and how the two mistakes are exchanged."""
    unit, costs = evaluation.unit, evaluation.decision.costs
    if evaluation.actions is not None:
        return say(
            "Expected cost (regret): what decisions cost above the best action for each case, {heading}.",
            heading=unit.heading,
        )
    if unit.name == MONEY:
        return say("Expected cost (regret): what mistakes cost, in the money you state, {cases}.", cases=unit.cases)
    if unit.name == REGRET:
        return say(
            "Expected cost (regret): c for each false alarm and 1 \u2212 c for each miss, {cases}.", cases=unit.cases
        )
    where = "" if isinstance(costs, At) else say("on average over your costs, ")
    return say(
        "Expected cost (regret): all mistakes {cases}, counted {unit}; {where}a miss = {alarms}.",
        cases=unit.cases,
        unit=unit.counted,
        where=where,
        alarms=_wording.false_alarms(unit.false_alarms_per_miss),
    )


def note(evaluation: Evaluation, headings: Collection[str]) -> str:
    """Explain the columns of some headings in one paragraph."""
    names = map(_wording.name, (*evaluation.tables, *evaluation.groups))
    notes = (explained for heading, explained in _column_notes(evaluation).items() if heading in headings)
    return in_words(evaluation.decision.words, " ".join(filter(None, [*notes, harm_note(evaluation)])), names)

"""Texts and small pictures of the page's ranking and policy."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from string import Formatter
from typing import Any

import numpy as np
from markupsafe import Markup

from stakes import _wording as words
from stakes._language import number, say
from stakes.evaluation import Evaluation, Finding, Standing, Unit, action_range, as_given, from_to, or_unknown
from stakes.policy import Policy
from stakes.report._chart_axis import expit, logit
from stakes.report._models import Scene, ShownModel
from stakes.report._small_pictures import ends_of, interval_cell, parts_cell

_MOST_STEPS, _SHOWN_STEPS = 15, 12

_FIRST_FINDINGS, _OF_A_KIND = 5, 2

_ON_THE_FIRST_SCREEN = ("one-threshold", "plateau")  # beside the people, where they move with the numbers

_STRONG = ("best", "regret")  # slots of the answer

EVIDENCE = {
    "ranking": "the ranking",
    "cost": "why",
    "calibration": "calibration",
    "world": "if the world differs",
    "policy": "how to use it",
    "groups": "the groups",
    "followed": "how far they were followed",
    "sites": "the sites",
}


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the ranking as the page shows it."""

    name: str
    css: str
    reference: bool
    regret: str
    interval: str
    picture: Markup
    difference: str
    difference_interval: str
    probability: str
    skill: str
    acts: str


def answer(evaluation: Evaluation) -> Finding | None:
    """Return the finding that answers the question, or says why there is no answer."""
    return next((one for one in evaluation.findings if one.kind.startswith(("best", "one-class"))), None)


def emphasise(finding: Finding) -> list[tuple[str, bool]]:
    """Return the parts of a sentence, and whether each is emphasised."""
    parts: list[tuple[str, bool]] = []
    for text, slot, _, _ in Formatter().parse(finding.template):
        parts += [(text, False)] if text else []
        parts += [(finding.values[slot], slot in _STRONG)] if slot else []
    return parts


def other_findings(evaluation: Evaluation) -> tuple[list[Finding], list[Finding]]:
    """Return the findings beside the answer: those to show at once, and the rest."""
    rest = [
        one
        for one in evaluation.findings
        if one is not answer(evaluation) and not one.kind.startswith(_ON_THE_FIRST_SCREEN)
    ]
    first = list[Finding]()
    for one in rest:
        alike = sum(other.kind == one.kind for other in first)
        if len(first) < _FIRST_FINDINGS and (alike < _OF_A_KIND or len(rest) <= _FIRST_FINDINGS):
            first.append(one)
    return first, [one for one in rest if all(one is not other for other in first)]


def findings(evaluation: Evaluation) -> dict[str, Any]:
    """Return the findings as the page shows them: the answer, those to show at once, and the rest."""
    known, (first, more) = answer(evaluation), other_findings(evaluation)
    return {
        "answer": None if known is None else _sentence(known),
        "findings": [_sentence(one) for one in first],
        "more_findings": [_sentence(one) for one in more],
    }


def _sentence(finding: Finding) -> dict[str, Any]:
    return {
        "text": finding.text,
        "parts": emphasise(finding),
        "evidence": finding.evidence,
        "where": say(EVIDENCE.get(finding.evidence, finding.evidence)),
    }


def ranking_rows(evaluation: Evaluation, scene: Scene) -> list[Row]:
    """Write the ranking."""
    ways = {model.key: model for model in scene.ways}
    regrets = [one.regret for one in _compared(evaluation.ranking)]
    ends = ends_of([value for one in regrets for value in (one.estimate, one.lower, one.upper)])
    return [_row(one, ways[one.model], evaluation, ends) for one in evaluation.ranking]


def _row(standing: Standing, model: ShownModel, evaluation: Evaluation, ends: tuple[float, float]) -> Row:
    regret, unit, best = standing.regret, evaluation.unit, evaluation.best.regret.estimate
    return Row(
        model.name,
        model.css,
        standing.reference,
        unit.number(regret.estimate),
        unit.interval(regret.estimate, regret.lower, regret.upper),
        interval_cell((regret.estimate, regret.lower, regret.upper), best, ends, model.css),
        *_difference(standing, evaluation),
        or_unknown(standing.probability_best, words.chance),
        or_unknown(standing.skill, lambda skill: words.signed(skill, 2)),
        action_range(standing.acts),
    )


def _difference(standing: Standing, evaluation: Evaluation) -> tuple[str, str]:
    """Write how much more a standing costs than the best, or than the baseline, and the interval of that."""
    unit, with_best = evaluation.unit, evaluation.baseline is None
    found = standing.difference if with_best else standing.baseline_difference
    ends = words.NOT_KNOWN if found is None else unit.interval(found.difference, found.lower, found.upper)
    more = standing.regret.estimate - evaluation.best.regret.estimate
    if with_best:
        return unit.signed(more) if more > 0 else words.NOT_KNOWN, ends
    return words.NOT_KNOWN if found is None else unit.signed(found.difference), ends


def _compared(ranking: Sequence[Standing]) -> list[Standing]:
    """Return the models and the better reference, for which small pictures must have room."""
    best = next((one for one in ranking if one.reference), None)
    return [one for one in ranking if not one.reference or one is best]


def parts_rows(evaluation: Evaluation, scene: Scene) -> list[dict[str, Any]]:
    """Write the parts of each regret; none under limits, where calibration does not matter."""
    ways = {model.key: model for model in scene.models}
    known = [(one, one.parts) for one in evaluation.ranking if one.parts is not None and not one.reference]
    top = 1.04 * max([0.0, *(max(parts.total, parts.uncertainty) for _, parts in known)]) or 1.0
    return [
        {
            "name": ways[one.model].name,
            "css": ways[one.model].css,
            "picture": parts_cell(
                parts.total - parts.miscalibration, parts.miscalibration, parts.uncertainty, top, ways[one.model].css
            ),
            "left": scene.unit.number(parts.total - parts.miscalibration),
            "saved": scene.unit.number(parts.miscalibration),
            "discrimination": scene.unit.number(parts.discrimination),
            "constant": scene.unit.number(parts.uncertainty),
        }
        for one, parts in known
    ]


def parts_lead(evaluation: Evaluation, scene: Scene) -> str:
    """Describe what recalibration would save the best model."""
    best = next((one for one in evaluation.ranking if one.parts is not None and not one.reference), None)
    if best is None or best.parts is None:
        return say(
            "Under limits, each threshold is chosen regardless of calibration, so recalibration would save nothing."
        )
    name = next(model.name for model in scene.models if model.key == best.model)
    return recalibration_text(name, best.parts.miscalibration, scene.unit)


def recalibration_text(name: str, saved: float, unit: Unit) -> str:
    """Describe what recalibration alone would save."""
    if unit.value(saved) == 0:
        return say("Recalibration alone would not lower the expected cost of {name}.", name=name)
    return say(
        "Recalibration alone would lower the expected cost of {name} by up to {saved}.",
        name=name,
        saved=unit.cost(saved),
    )


def policy_text(evaluation: Evaluation, best: str) -> str:
    """Describe what the best thresholds save against using the cost itself as the threshold."""
    standing = next(one for one in evaluation.ranking if one.model == best)
    if standing.parts is None:
        return say("The thresholds below meet your limits.")
    saved = standing.parts.miscalibration
    if evaluation.unit.value(saved) == 0:
        return say(_AS_GOOD)
    return say(_DEARER, saved=evaluation.unit.cost(saved))


_BEST_HERE = "The thresholds below, which a policy file holds, are the best in this sample"
_AS_GOOD = f"{_BEST_HERE}; using the cost itself as the threshold is as good."
_DEARER = f"{_BEST_HERE}: using the cost itself as the threshold would cost {{saved}} more."


def policy_rows(evaluation: Evaluation, policy: Policy) -> list[dict[str, str]]:
    """Write the threshold at each cost; of many steps, those at costs evenly spaced in log-odds."""
    return [_step(evaluation, policy, row) for row in _chosen_steps(policy)]


def steps_text(shown: int, steps: int) -> str:
    """State how many steps are shown, where not all are."""
    return (
        ""
        if shown == steps
        else say("{shown} of {steps} steps are shown; --json writes them all.", shown=shown, steps=steps)
    )


def _chosen_steps(policy: Policy) -> list[int]:
    if len(policy) <= _MOST_STEPS:
        return list(range(len(policy)))
    low, high = max(float(policy.from_cost[0]), 1e-4), min(float(policy.to_cost[-1]), 1 - 1e-4)
    costs = [expit(at) for at in np.linspace(logit(low), logit(high), _SHOWN_STEPS).tolist()]
    return sorted({int(policy.stairs.find(np.array([cost]))[0]) for cost in costs})


def _step(evaluation: Evaluation, policy: Policy, row: int) -> dict[str, str]:
    low, high = float(policy.from_cost[row]), float(policy.to_cost[row])
    per = evaluation.unit.per
    positives, recall = per * policy.prevalence, float(policy.recall[row])
    alarms = float(policy.alarms_per_thousand[row]) * (per / 1000)
    true_alarms = 0.0 if math.isnan(recall) else positives * recall
    needless = float(policy.false_positive_rate[row])
    return {
        "costs": share_range(low, high),
        "odds": from_to(words.odds_of(low), words.odds_of(high)),
        "threshold": words.threshold(
            as_given(float(policy.threshold[row]), evaluation.decision, evaluation.sample.prevalence)
        ),
        "alarms": number(alarms, ",.0f"),
        "found": words.signed(true_alarms, 1),
        "missed": words.signed(positives - true_alarms, 1),
        "false": words.signed(0.0 if math.isnan(needless) else (per - positives) * needless, 1),
        "precision": or_unknown(float(policy.precision[row]), words.whole_percent),
    }


def share_range(low: float, high: float) -> str:
    """Write a range of shares."""
    return from_to(words.percent(low), words.percent(high))


def place_text(cost: float) -> str:
    """Write the cost that a strip of values is about."""
    return say("At {odds} ({share}):", odds=words.odds_of(cost), share=words.percent(cost))

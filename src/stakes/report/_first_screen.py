"""The first screen of the page: the decision, the answer, what becomes of 1,000 cases."""

from __future__ import annotations

import math
from typing import Any

from stakes import _wording as words
from stakes._language import number, percent_sign, say, say_count, signs, translated
from stakes.beliefs import At, Belief, LogOddsUniform, Uniform
from stakes.evaluation import (
    Decision,
    Evaluation,
    as_cheap_without_a_model,
    costs,
    count_sample,
    inner_ends,
    predicted_event,
)
from stakes.report._followed_view import positive_said
from stakes.report._models import Scene
from stakes.report._payload import stated
from stakes.report._people import KINDS, people_picture, whole_people
from stakes.report._small_pictures import interval_cell

# The answer, with its numbers left open: written here for the decision as stated, and by the page for any other.
ANSWERS = {
    "no-positive": "there is no answer: every case is negative, so misses cannot be assessed.",
    "no-negative": "there is no answer: every case is positive, so false alarms cannot be assessed.",
    "reference": "use no model: {best}.",
    "reference-close": "use no model: {best}; {second} does not differ detectably.",
    "reference-unsure": "use no model: {best}, which costs least in this sample.",
    "model": "use {best}.",
    "model-close": "use {best} or {second}: they do not differ detectably.",
    "model-tied": "use {best} or {second}: they cost the same.",
    "model-unsure": "use {best}: it costs least in this sample.",
    "act": "Act from {threshold}.",
    "act-with": "With {best}, act from {threshold}.",
    "never": "Act on no one: no threshold is worth it within your limits.",
    "rule": "Act if the score of {best} is at least {threshold}.",
    "same": "Any threshold from {low} to {high} does as well.",
    "sum": "{sum}: one threshold costs {extra} more than one that follows the cost.",
    "sum-less": "{sum}: in this sample, one threshold costs {extra} less than one that follows the cost.",
    "sum-at-one-cost": "{sum}.",
    "sum-alone": "{sum}: one threshold costs as much as one that follows the cost.",
}

NAMES = {"found": "found", "missed": "missed", "needless": "false alarms", "left": "rightly left alone"}


def contents(evaluation: Evaluation, scene: Scene) -> dict[str, Any]:
    """Return the contents of the first screen."""
    names = {one.key: one.name for one in scene.ways}
    rows, more = first_rows(evaluation, scene)
    controls = stated(evaluation.decision)
    return {
        "which": question(evaluation),
        "sentence": sentence(evaluation),
        "sample_said": sample_said(evaluation),
        "headline": answer_line(evaluation, names),
        "people": people(evaluation, names),
        "first_rows": rows,
        "first_more": more,
        "cost_other": controls["cost"]["kind"] == "other",
        "prevalence_other": (controls["prevalence"] or {}).get("kind") == "other",
    }


def question(evaluation: Evaluation) -> str:
    """Write the question of the page, for any decision."""
    models, what = len(evaluation.tables), predicted_event(evaluation)
    what = what and say(" for {predicted}", predicted=what)
    return (
        say("Which of {models} models{what} should decide?", models=models, what=what)
        if models > 1
        else say("Should this model{what} decide?", what=what)
    )


def sample_said(evaluation: Evaluation) -> str:
    """Describe the sample in a line."""
    sample, own = evaluation.sample, evaluation.decision.words
    if sample.follow_up is not None:
        return count_sample(evaluation)
    positive = say("positive") if own is None or not own.positive else say("with {positive}", positive=own.positive)
    return say(
        "{cases:,} cases, {positives} {positive}",
        cases=sample.cases,
        positives=words.count(sample.positives),
        positive=positive,
    )


def sentence(evaluation: Evaluation) -> str:
    """Write the decision as the beginning of a sentence, for the answer to end."""
    decision, sample = evaluation.decision, evaluation.sample
    here = words.percent(sample.prevalence) if decision.prevalence is None else _shares(decision.prevalence)
    parts = [
        _exchange(decision),
        say(", and {here} of cases {positive_said}", here=here, positive_said=positive_said(evaluation)),
    ]
    if decision.limits is not None and decision.limits.capacity_binds:
        parts.append(
            say(", and at most {share} of cases can be acted on", share=share_text(decision.limits.capacity or 0.0))
        )
    if decision.limits is not None and decision.limits.precision_binds:
        parts.append(
            say(
                ", and at least {share} of alarms must be right", share=share_text(decision.limits.min_precision or 0.0)
            )
        )
    return say("If {parts},", parts="".join(parts))


def _exchange(decision: Decision) -> str:
    """Write the costs as false alarms for a miss, or as words of the belief."""
    many, believed = _exchange_range(decision), decision.costs
    if not many:
        return costs(decision)
    law = say(_LAW) if type(believed) is LogOddsUniform else ""
    one, several = "a miss is as bad as {many} false alarm", "a miss is as bad as {many} false alarms"
    return say_count(many, one, several, many=many) + law


def _exchange_said(decision: Decision) -> str:
    """Write the costs shortly: as numbers alone where the range is even."""
    many = _exchange_range(decision)
    if many and type(decision.costs) is LogOddsUniform:
        return say_count(many, "{number} false alarm", "{number} false alarms", number=many) + say(_LAW)
    return many or costs(decision)


_LAW = " (uniform in log-odds)"


def _exchange_range(decision: Decision) -> str:
    """Write the number of false alarms for a miss, or its range; nothing of other beliefs."""
    believed = decision.costs
    if not isinstance(believed, At | Uniform | LogOddsUniform):
        return ""
    low, high = believed.support
    least, most = (exchange_number((1 - cost) / cost if cost else math.inf) for cost in (high, low))
    return most if low == high else say("{least} to {most}", least=least, most=most)


def exchange_number(number: float) -> str:
    """Write how many false alarms a miss is worth, to three digits."""
    if math.isinf(number):
        return "\u221e"
    return signs(f"{float(f'{number:.3g}'):.10f}".rstrip("0").rstrip("."))


def share_text(share: float) -> str:
    """Write a share as a percentage, to four digits after the point."""
    return signs(f"{100 * share:.4f}".rstrip("0").rstrip(".")) + percent_sign()


def _shares(believed: Belief) -> str:
    """Write a belief about a prevalence, with the digits of a control."""
    if not isinstance(believed, At | Uniform | LogOddsUniform):
        return words.belief(believed)
    ends = believed.support
    return say(" to ").join(map(share_text, ends[:1] if ends[0] == ends[1] else ends))


def stated_said(evaluation: Evaluation) -> str:
    """Write the stated numbers, for the line under moved ones."""
    decision, sample, limits = evaluation.decision, evaluation.sample, evaluation.decision.limits
    here = words.percent(sample.prevalence) if decision.prevalence is None else _shares(decision.prevalence)
    parts = [_exchange_said(decision), here]
    if limits is not None and limits.capacity_binds:
        parts.append(say("at most {share}", share=share_text(limits.capacity or 0.0)))
    if limits is not None and limits.precision_binds:
        parts.append(say("at least {share}", share=share_text(limits.min_precision or 0.0)))
    return ", ".join(parts)


def threshold_text(threshold: float) -> str:
    """Write a round threshold as a percentage."""
    return words.exact_percent(threshold)


def answer_line(evaluation: Evaluation, names: dict[str, str]) -> list[tuple[str, bool]]:
    """Write the answer, or why there is none, as texts that are emphasised or not."""
    if not 0 < evaluation.sample.prevalence < 1:
        return _fill_slots("no-negative" if evaluation.sample.prevalence else "no-positive", {})
    best, rival = evaluation.best, as_cheap_without_a_model(evaluation.results) or evaluation.results.rival
    values = {"best": names[best.model], "second": names[rival.model]}
    sure = _how_sure(evaluation)
    if best.reference:
        return _fill_slots(f"reference{sure}", values)
    kind = f"model{sure}"
    found = evaluation.recommended_threshold
    if found is None:
        return _fill_slots(kind, values)
    if math.isinf(found.threshold):
        return [*_fill_slots(kind, values), (" ", False), *_fill_slots("never", values)]
    values["threshold"] = threshold_text(found.threshold)
    act = "act-with" if sure in ("-close", "-tied") else "act"
    return [*_fill_slots(kind, values), (" ", False), *_fill_slots(act, values)]


def _how_sure(evaluation: Evaluation) -> str:
    """Return the end of the kind of answer; nothing where the best is known to cost less."""
    said = next((one.kind for one in evaluation.findings if one.kind.startswith("best")), "best-unsure")
    return said.removeprefix("best").removeprefix("-reference")


def _fill_slots(kind: str, values: dict[str, str]) -> list[tuple[str, bool]]:
    parts, rest = list[tuple[str, bool]](), translated(ANSWERS[kind])
    while "{" in rest:
        before, _, rest = rest.partition("{")
        slot, _, rest = rest.partition("}")
        parts += [(before, False)] if before else []
        parts.append((values[slot], True))
    return [*parts, (rest, False)] if rest else parts


def people(evaluation: Evaluation, names: dict[str, str]) -> dict[str, Any] | None:
    """Return the fate of 1,000 cases or more at the one threshold; None without one."""
    found = evaluation.recommended_threshold
    if found is None or math.isinf(found.threshold):
        return None
    counts = whole_people((found.found, found.misses, found.false_alarms, found.left_alone), found.per)
    unit, said = evaluation.unit, ""
    low, high = inner_ends(found.low, found.high)
    if low < high:
        said = say(ANSWERS["same"], low=threshold_text(low), high=threshold_text(high))
    if found.sum:
        kind = ("sum" if found.extra > 0 else "sum-less") if unit.is_visible(found.extra) else "sum-alone"
        kind = "sum-at-one-cost" if isinstance(evaluation.decision.costs, At) else kind
        said = f"{say(ANSWERS[kind], sum=signs(found.sum), extra=unit.number(abs(found.extra)))} {said}"
    return {
        "title": say(
            "{per:,} cases, {model} from {threshold}",
            per=found.per,
            model=names[found.model],
            threshold=threshold_text(found.threshold),
        ),
        "picture": people_picture(counts, found.per),
        "counts": [(kind, number(count, ","), say(NAMES[kind])) for kind, count in zip(KINDS, counts, strict=True)],
        "said": said.strip(),
    }


def rule(evaluation: Evaluation, names: dict[str, str]) -> str:
    """Write the one threshold as a rule to follow; nothing without one."""
    found = evaluation.recommended_threshold
    if found is None or math.isinf(found.threshold):
        return ""
    return say(ANSWERS["rule"], best=names[found.model], threshold=threshold_text(found.threshold))


# ------------------------------------------------------------------------------------------- the short ranking

_FIRST, _BROAD = 10, 320.0


def first_rows(evaluation: Evaluation, scene: Scene) -> tuple[list[dict[str, Any]], int]:
    """Write the first rows of the ranking and the references, and count the others."""
    ways = {model.key: model for model in scene.ways}
    shown = [one for place, one in enumerate(evaluation.ranking) if place < _FIRST or one.reference]
    known = [end for one in shown for end in (one.regret.estimate, one.regret.upper) if math.isfinite(end)]
    ends, best = (0.0, 1.03 * max(known, default=1.0) or 1.0), evaluation.best.regret.estimate
    rows = [
        {
            "name": ways[one.model].name,
            "css": ways[one.model].css,
            "reference": one.reference,
            "picture": interval_cell(
                (one.regret.estimate, one.regret.lower, one.regret.upper), best, ends, ways[one.model].css, _BROAD
            ),
            "cost": evaluation.unit.number(one.regret.estimate),
        }
        for one in shown
    ]
    return rows, len(evaluation.ranking) - len(shown)

"""The first screen of the page: the decision, the answer, what becomes of 1,000 cases."""

from __future__ import annotations

import math
from typing import Any

from markupsafe import Markup

from stakes import _wording as words
from stakes.beliefs import At, Belief, LogOddsUniform, Uniform
from stakes.evaluation import Decision, Evaluation, Standing, costs, count_sample, inner_ends, predicted
from stakes.report._followed_view import positive_said
from stakes.report._models import Scene
from stakes.report._payload import stated
from stakes.report._small_pictures import interval_cell
from stakes.report._svg import element, rounded, tenths

# The answer, with its numbers left open: written here for the decision as stated, and by the page for any other.
ANSWERS = {
    "reference": "use no model: {best}.",
    "model": "use {best}.",
    "either": "use {best} or {second}: they do not differ detectably.",
    "act": "Act from {threshold}.",
    "act-with": "With {best}, act from {threshold}.",
    "never": "Act on no one: no threshold is worth it within your limits.",
    "rule": "Act if the score of {best} is at least {threshold}.",
    "same": "Any threshold from {low} to {high} does as well.",
    "sum": "{sum}: one threshold costs {extra} more than one that follows the cost.",
    "sum-less": "{sum}: one threshold costs {extra} less than one that follows the cost.",
    "sum-alone": "{sum}: one threshold costs as much as one that follows the cost.",
}

KINDS = ("found", "missed", "needless", "left")
NAMES = {"found": "found", "missed": "missed", "needless": "false alarms", "left": "rightly left alone"}
_SQUARES, _DOTS = (50, 8.0), (125, 3.2)  # how many cells a row, and how wide each is, up to 1,000 and to 10,000 cases
_WIDE = 400.0


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
    models, what = len(evaluation.tables), predicted(evaluation)
    what = what and f" for {what}"
    return f"Which of {models} models{what} should decide?" if models > 1 else f"Should this model{what} decide?"


def sample_said(evaluation: Evaluation) -> str:
    """Describe the sample in a line."""
    sample, own = evaluation.sample, evaluation.decision.words
    if sample.follow_up is not None:
        return count_sample(evaluation)
    positive = "positive" if own is None or not own.positive else f"with {own.positive}"
    return f"{sample.cases:,} cases, {words.count(sample.positives)} {positive}"


def sentence(evaluation: Evaluation) -> str:
    """Write the decision as the beginning of a sentence, for the answer to end."""
    decision, sample = evaluation.decision, evaluation.sample
    here = words.percent(sample.prevalence) if decision.prevalence is None else _shares(decision.prevalence)
    parts = [_exchange(decision), f"and {here} of cases {positive_said(evaluation)}"]
    if decision.limits is not None and decision.limits.capacity_binds:
        parts.append(f"and at most {share_text(decision.limits.capacity or 0.0)} of cases can be acted on")
    if decision.limits is not None and decision.limits.precision_binds:
        parts.append(f"and at least {share_text(decision.limits.min_precision or 0.0)} of alarms must be right")
    return f"If {', '.join(parts)},"


def _exchange(decision: Decision) -> str:
    """Write the costs as false alarms for a miss, or as words of the belief."""
    believed = decision.costs
    if not isinstance(believed, At | Uniform | LogOddsUniform):
        return costs(decision)
    low, high = believed.support
    least, most = (exchange_number((1 - cost) / cost if cost else math.inf) for cost in (high, low))
    many = most if low == high else f"{least} to {most}"
    law = " (uniform in log-odds)" if type(believed) is LogOddsUniform else ""
    return f"a miss is as bad as {many} false alarm{'' if most == '1' else 's'}{law}"


def exchange_number(number: float) -> str:
    """Write how many false alarms a miss is worth, to three digits."""
    if math.isinf(number):
        return "\u221e"
    return f"{float(f'{number:.3g}'):.10f}".rstrip("0").rstrip(".")


def share_text(share: float) -> str:
    """Write a share as a percentage, to four digits after the point."""
    return f"{100 * share:.4f}".rstrip("0").rstrip(".") + "%"


def _shares(believed: Belief) -> str:
    """Write a belief about a prevalence, with the digits of a control."""
    if not isinstance(believed, At | Uniform | LogOddsUniform):
        return words.belief(believed)
    ends = believed.support
    return " to ".join(map(share_text, ends[:1] if ends[0] == ends[1] else ends))


def stated_said(evaluation: Evaluation) -> str:
    """Write the stated numbers, for the line under moved ones."""
    decision, sample, limits = evaluation.decision, evaluation.sample, evaluation.decision.limits
    here = words.percent(sample.prevalence) if decision.prevalence is None else _shares(decision.prevalence)
    parts = [
        _exchange(decision).removeprefix("a miss is as bad as ").removesuffix("s").removesuffix(" false alarm"),
        here,
    ]
    if limits is not None and limits.capacity_binds:
        parts.append(f"at most {share_text(limits.capacity or 0.0)}")
    if limits is not None and limits.precision_binds:
        parts.append(f"at least {share_text(limits.min_precision or 0.0)}")
    return ", ".join(parts)


def threshold_text(threshold: float) -> str:
    """Write a round threshold as a percentage."""
    return f"{float(f'{100 * threshold:.10g}'):.10f}".rstrip("0").rstrip(".") + "%"


def answer_line(evaluation: Evaluation, names: dict[str, str]) -> list[tuple[str, bool]]:
    """Write the model to use and its threshold, as texts that are emphasised or not."""
    best, rival = evaluation.best, evaluation.results.rival
    values = {"best": names[best.model], "second": names[rival.model]}
    if best.reference:
        return _filled("reference", values)
    kind = "either" if _alike(rival) else "model"
    found = evaluation.recommended_threshold
    if found is None:
        return _filled(kind, values)
    if math.isinf(found.threshold):
        return [*_filled(kind, values), (" ", False), *_filled("never", values)]
    values["threshold"] = threshold_text(found.threshold)
    act = "act-with" if kind == "either" else "act"
    return [*_filled(kind, values), (" ", False), *_filled(act, values)]


def _alike(rival: Standing) -> bool:
    """Whether the difference to the best may be 0."""
    return rival.difference is not None and rival.difference.lower <= 0 <= rival.difference.upper


def _filled(kind: str, values: dict[str, str]) -> list[tuple[str, bool]]:
    parts, rest = list[tuple[str, bool]](), ANSWERS[kind]
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
        said = ANSWERS["same"].format(low=threshold_text(low), high=threshold_text(high))
    if found.sum:
        kind = ("sum" if found.extra > 0 else "sum-less") if unit.is_visible(found.extra) else "sum-alone"
        said = f"{ANSWERS[kind].format(sum=found.sum, extra=unit.number(abs(found.extra)))} {said}"
    return {
        "title": f"{found.per:,} cases, {names[found.model]} from {threshold_text(found.threshold)}",
        "picture": people_picture(counts, found.per),
        "counts": [(kind, f"{count:,}", NAMES[kind]) for kind, count in zip(KINDS, counts, strict=True)],
        "said": said.strip(),
    }


def rule(evaluation: Evaluation, names: dict[str, str]) -> str:
    """Write the one threshold as a rule to follow; nothing without one."""
    found = evaluation.recommended_threshold
    if found is None or math.isinf(found.threshold):
        return ""
    return ANSWERS["rule"].format(best=names[found.model], threshold=threshold_text(found.threshold))


def whole_people(counts: tuple[float, ...], total: int) -> list[int]:
    """Round counts to whole ones of the same total, by largest remainders."""
    whole = [math.floor(count + 1e-9) for count in counts]
    order = sorted(range(len(counts)), key=lambda place: whole[place] - counts[place])
    for place in order[: max(total - sum(whole), 0)]:
        whole[place] += 1
    return whole


def people_picture(counts: list[int], total: int) -> Markup:
    """Draw each case by a shape of its kind; more than 10,000 as bars."""
    if total > 10_000:
        return _bars(counts, total)
    row, size = _SQUARES if total <= 1_000 else _DOTS
    paths, place = [], 0
    for kind, count in zip(KINDS, counts, strict=True):
        draw = _dashes if kind in _FULL else _shapes
        paths.append(draw(kind, range(place, place + count), row, size))
        place += count
    return _whole(size * -(-total // row), paths)


_FULL = {"found": 0.825, "left": 0.25}  # kinds without an outline, and how wide each is, as a share of its place


def _dashes(kind: str, cells: range, row: int, size: float) -> Markup:
    """Draw full squares or dots as the dashes of one line a row, which takes a fraction of the bytes."""
    side, drawn, at = round(_FULL[kind] * size, 1), "", cells.start
    while at < cells.stop:
        end = min(cells.stop, (at // row + 1) * row)
        x, y = size * (at % row + 0.5) - side / 2, size * (at // row + 0.5)
        drawn += f"M{rounded(x)} {rounded(y)}h{rounded(size * (end - at - 1) + side)}"
        at = end
    dashes = {"stroke_width": side, "stroke_dasharray": f"{rounded(side)} {rounded(size - side)}"}
    return element("path", class_=f"person {kind} dashed", d=drawn, **dashes)


def _shapes(kind: str, cells: range, row: int, size: float) -> Markup:
    """Draw each case: an empty square, or a crossed one."""
    inset, side = 0.125, 0.75
    s = rounded(side * size)
    box = f"h{s}v{s}h-{s}z" + (f"m0 {s}l{s}-{s}" if kind == "needless" else "")
    ends = (tenths(side * size), 0) if kind == "needless" else (0, 0)  # where the pen is after a shape, from its corner
    drawn, (x, y) = "", (0, 0)
    for k in cells:
        a, b = tenths(size * (k % row + inset)), tenths(size * (k // row + inset))
        drawn += f"{'m' if drawn else 'M'}{rounded((a - x) / 10)} {rounded((b - y) / 10)}{box}"
        x, y = a + ends[0], b + ends[1]
    return element("path", class_=f"person {kind}", d=drawn)


def _bars(counts: list[int], total: int) -> Markup:
    bars = [
        element("rect", class_=f"person {kind}", x=0.0, y=26.0 * k + 4, width=max(_WIDE * n / total, 0.5), height=18.0)
        for k, (kind, n) in enumerate(zip(KINDS, counts, strict=True))
    ]
    return _whole(26.0 * len(counts), bars)


def _whole(tall: float, parts: list[Markup]) -> Markup:
    size = {"viewBox": f"0 0 {_WIDE:g} {tall:g}"}
    return element("svg", *parts, class_="crowd", aria_hidden="true", **size)


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

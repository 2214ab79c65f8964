"""A page in money, for cases with costs of their own; alarms are counted in cases."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import numpy as np

from stakes import _wording
from stakes._arrays import FloatArray
from stakes._language import number, say, say_count
from stakes.cases import stakes_of_cases
from stakes.evaluation import Evaluation
from stakes.policy import Policy
from stakes.report._cards import Card
from stakes.report._money_controls import MoneyControls
from stakes.report._money_states import money_states
from stakes.report._scripts import asset
from stakes.report._squeezing import squeezed
from stakes.report._still_page import (
    groups,
    items,
    method,
    opening,
    ranking,
    scrolled,
    section,
    table_of_rows,
    whole_page,
)

_WHY_STILL = "the costs of each case are not in a table that a page could move."

_MOST_POINTS = 400  # of the picture, at even ranks of what acting on a positive saves
_LEFT, _TOP, _WIDTH, _HEIGHT = 60, 30, 520, 260

_NAMES = {
    "false_negative": "not acting on a positive",
    "false_positive": "acting on a negative",
    "true_positive": "acting on a positive",
    "true_negative": "not acting on a negative",
}


def money_page(
    evaluation: Evaluation, cards: Sequence[Card] = (), *, title: str | None = None, source: str | None = None
) -> str:
    """Write an evaluation of cases with costs of their own as one HTML text; every name in it is text."""
    answer = evaluation.answer or next((one.text for one in evaluation.findings), "")
    heading, lead = opening(evaluation, answer, title, source)
    policies = {model: evaluation.policy(model) for model in evaluation.policies}
    known = money_states(evaluation)
    scripts = [] if known is None else [squeezed(asset("money.js"))]
    sections = [
        lead,
        _costs(evaluation),
        ranking(evaluation),
        _alarms(evaluation, policies),
        "" if known is None else MoneyControls(evaluation, known).html(),
        _own_thresholds(evaluation, policies),
        section(say("What to know"), items([one.text for one in evaluation.findings])),
        *(section(one.heading, items(one.sentences), table_of_rows(one.rows), one.note) for one in cards),
        groups(evaluation),
        method(evaluation, say(_WHY_STILL), controls=known is not None),
    ]
    return whole_page(evaluation, heading, sections, scripts=scripts)


def _costs(evaluation: Evaluation) -> str:
    """State what each mistake costs, as numbers or columns."""
    costs = evaluation.sample.case_costs
    rows = [
        [
            say(name),
            _wording.name(str(costs[cost])) if isinstance(costs[cost], str) else number(float(costs[cost]), ",g"),
        ]
        for cost, name in _NAMES.items()
        if cost in costs
    ]
    note = say(
        "From which probability a model acts depends on the case: the less is lost by missing it, the "
        "surer one must be."
    )
    return section(say("What a case costs, in money"), table_of_rows([[say("what is done"), say("cost")], *rows]), note)


def _alarms(evaluation: Evaluation, policies: dict[str, Policy]) -> str:
    """Write the rule of each model whose policy has one step, and its alarms in cases."""
    single = {model: policy for model, policy in policies.items() if len(policy) == 1}
    if not single:
        return ""
    headings = list(map(say, ("model", "acts from", "per 1,000 cases", "precision", "recall")))
    rows = [_rule(model, policy) for model, policy in single.items()]
    text = _COUNTED if evaluation.decision.limits is None else _COUNTED_IN_SAMPLE
    note = say(text, score=say(_wording.STAKE_ADJUSTED))
    if len(single) < len(policies):
        note += say(" Models that act from different scores at different costs of your range are left out.")
    return section(say("Alarms"), table_of_rows([headings, *rows]), note)


_COUNTED = "A model acts from this stake-adjusted score on. {score} Alarms are counted in cases, whatever they cost."
_COUNTED_IN_SAMPLE = f"{_COUNTED[:-1]}, on the cases that the thresholds were chosen on."


def _rule(model: str, policy: Policy) -> list[str]:
    shares = (float(share[0]) for share in (policy.precision, policy.recall))
    return [
        _wording.name(model),
        _wording.threshold(float(policy.threshold[0])),
        number(policy.alarms_per_thousand[0], ",.4g"),
        *(_wording.percent(share) if np.isfinite(share) else say("not known") for share in shares),
    ]


def _own_thresholds(evaluation: Evaluation, policies: dict[str, Policy]) -> str:
    """Draw the threshold of cases against what acting saves; nothing where cases are not in memory."""
    cases = evaluation.results.cases
    stakes = None if cases is None else stakes_of_cases(cases)
    best = next((one.model for one in evaluation.ranking if not one.reference), "")
    if stakes is None or best not in policies:
        return ""
    cut, where = _cut(policies[best])
    usual = (stakes.acting > 0) & (stakes.leaving > 0)
    if not (usual.any() and 0 < cut < 1):
        return ""
    left_out = int(np.count_nonzero(~usual))
    order = np.flatnonzero(usual)[np.argsort(stakes.leaving[usual], kind="stable")]
    shown = order[np.unique(np.linspace(0, len(order) - 1, min(len(order), _MOST_POINTS)).astype(np.intp))]
    saved = stakes.leaving[shown]
    threshold = cut * stakes.acting[shown] / (cut * stakes.acting[shown] + (1 - cut) * saved)
    note = say(
        "Each point is a case: {best} acts from this probability on{where}. {drawn:,} of {all:,} cases are "
        "drawn, at even ranks of what acting on a positive one saves.",
        best=_wording.name(best),
        where=where,
        drawn=len(shown),
        all=len(order),
    )
    if left_out:
        note += " " + say_count(left_out, *_LEFT_OUT, many=number(left_out, ","))
    return section(say("Own thresholds"), _picture(saved, threshold), note)


_LEFT_OUT = (
    "{many} more case has no such probability and is left out: acting on a positive saves nothing there, or acting on "
    "a negative costs nothing more than not acting.",
    "{many} more cases have no such probability and are left out: acting on a positive saves nothing there, or acting "
    "on a negative costs nothing more than not acting.",
)


def _cut(policy: Policy) -> tuple[float, str]:
    """Return the score from which a policy acts, at the cost nearest to the stated one."""
    if len(policy) == 1:
        return float(policy.threshold[0]), ""
    cost = min(max(0.5, float(policy.from_cost.min())), float(policy.to_cost.max()))
    step = int(np.argmax((policy.from_cost <= cost) & (cost <= policy.to_cost)))
    return float(policy.threshold[step]), say(", where a false alarm counts {times}", times=_wording.multiplier(cost))


def _picture(saved: FloatArray, threshold: FloatArray) -> str:
    """Draw thresholds against savings, on a logarithmic axis."""
    low, high = np.log10(saved.min()), np.log10(saved.max())
    low, high = (low - 0.5, high + 0.5) if high - low < 0.1 else (low, high)
    across = _LEFT + _WIDTH * (np.log10(saved) - low) / (high - low)
    down = _TOP + _HEIGHT * (1 - threshold)
    points = "".join(
        f"<circle cx='{x:.1f}' cy='{y:.1f}' r=2.5 fill='#0072B2'/>" for x, y in zip(across, down, strict=True)
    )
    decades = [10.0**k for k in range(int(np.ceil(low)), int(np.floor(high)) + 1)]
    ticks = "".join(
        f"<text x='{_LEFT + _WIDTH * (np.log10(at) - low) / (high - low):.1f}' y={_TOP + _HEIGHT + 18} "
        f"text-anchor=middle>{number(at, ',g')}</text>"
        for at in decades[:: max(1, len(decades) // 6)]
    )
    saved_by = escape(say("saved by acting on a positive case"))
    below = f"<text x={_LEFT + _WIDTH / 2} y={_TOP + _HEIGHT + 40} text-anchor=middle>{saved_by}</text>"
    told = say("threshold of each case against what acting on a positive one saves")
    beside = f"<text x=0 y=12>{escape(say('acts from a probability of'))}</text>"
    size = f"width={_LEFT + _WIDTH + 40} height={_TOP + _HEIGHT + 50}"
    return scrolled(
        told, f"<svg {size} role=img aria-label='{escape(told)}'>{_levels()}{ticks}{below}{beside}{points}</svg>"
    )


def _levels() -> str:
    """Draw the levels of a probability."""
    return "".join(
        f"<text x={_LEFT - 8} y='{_TOP + _HEIGHT * (1 - share) + 4:.1f}' text-anchor=end>"
        f"{_wording.percent(share)}</text>"
        f"<line x1={_LEFT} x2={_LEFT + _WIDTH} y1='{_TOP + _HEIGHT * (1 - share):.1f}' "
        f"y2='{_TOP + _HEIGHT * (1 - share):.1f}' stroke='#ddd'/>"
        for share in (0, 0.25, 0.5, 0.75, 1)
    )

"""The gate on the command line: a margin with its unit, the verdict in words, and exit codes."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from stakes import _check
from stakes._errors import Argument, InputError
from stakes._wording import name, percent
from stakes.beliefs import in_money
from stakes.evaluation import Decision, Evaluation, MoneyDecision, Source, Unit, evaluate_source, mean_costs

if TYPE_CHECKING:
    from stakes.monitoring import Gate

CODES = {"pass": 0, "worse": 3, "unsure": 4}

_UNITS = {"miss": 0, "misses": 0, "false alarm": 1, "false alarms": 1}
_MONEY = ("", "money", "in money")  # words between an amount and the cases that it is for

_LOOKS = "look like '1 miss per 1000' or '5 false alarms per 1000'"
_LOOKS_IN_MONEY = "look like '50 per 1000' or '0.05 per case', an amount in money"


def read_margin(role: str, text: str, decision: Decision) -> float:
    """Return a cost per case, from words such as ``1 miss per 1000``, or ``50 per 1000`` in money."""
    own, money = isinstance(decision, MoneyDecision), in_money(decision.costs)
    looks = _LOOKS_IN_MONEY if own else f"{_LOOKS}, or in money '50 per 1000'" if money else _LOOKS
    words = text.replace(",", "").lower().removesuffix("cases").split()
    unit = " ".join(words[1:-2])
    known = unit in (_MONEY if own else (*_MONEY, *_UNITS) if money else _UNITS)
    if len(words) < 3 or words[-2] != "per" or not known:
        raise InputError(role, looks, _check.show(text))
    try:
        count, cases = float(words[0]), 1.0 if words[-1] == "case" else float(words[-1])
    except ValueError:
        raise InputError(role, looks, _check.show(text)) from None
    cost = 1.0 if unit in _MONEY else mean_costs(decision.costs)[_UNITS[unit]]
    if not (0 <= count < math.inf and 0 < cases < math.inf):
        wanted = "an amount" if own else "a number of mistakes"
        raise InputError(role, f"be {wanted} per some cases, not negative", _check.show(text))
    if not 0 < cost < math.inf:
        raise InputError(role, "be in mistakes that have a mean cost", _check.show(text))
    return count / cases * cost


@dataclass(frozen=True)
class AskedGate:
    """The gate that the options ask for, if any: a margin to the baseline, and whether to fail."""

    margin: str | None
    fail: bool

    @classmethod
    def of(cls, margin: str | None, fail: bool, baseline: str | None, models: Sequence[str]) -> AskedGate:
        """Raise unless the options go together: a margin, a baseline, and one other model."""
        if margin is None and fail:
            raise InputError("fail_if_worse", ("be given with ", Argument("margin")))
        if margin is not None and baseline is None:
            raise InputError("margin", ("be given with ", Argument("baseline")))
        if margin is not None and len(models) != 2:
            raise InputError("margin", "be given with two models, the new one and the baseline", ", ".join(models))
        if margin is not None and baseline not in models:
            wanted = (f"be one of the models {' and '.join(models)} with ", Argument("margin"))
            raise InputError("baseline", wanted, _check.show(baseline))
        return cls(margin, fail)

    def verdict(self, source: Source, evaluation: Evaluation, asked: Mapping[str, Any]) -> Gate | None:
        """Return the verdict on the model beside the baseline, by one-sided limits at the level asked for."""
        if self.margin is None:
            return None
        from stakes.monitoring import verdict_of

        margin, level = read_margin("margin", self.margin, evaluation.decision), evaluation.level
        if level <= 0.5:
            raise InputError("level", ("be above 0.5 with ", Argument("margin")), f"{level:g}")
        one_sided = evaluate_source(source, evaluation.decision, **{**asked, "level": 2 * level - 1}).ranking
        found = next(one.baseline_difference for one in one_sided if one.baseline_difference and not one.reference)
        return verdict_of(found, "smaller", margin, level, evaluation.sample.clusters or evaluation.sample.cases)

    def code(self, verdict: Gate | None) -> int:
        """Return the exit code of a verdict."""
        return CODES[verdict.verdict] if self.fail and verdict is not None else CODES["pass"]


def gate_values(gate: Gate, unit: str) -> dict[str, Any]:
    """Return the verdict as plain values of the JSON file; null is infinite or not known."""
    numbers = {
        "estimate": gate.worse_by,
        "lower": gate.lower,
        "upper": gate.upper,
        "margin": gate.margin,
        "level": gate.level,
        "cases_to_settle": gate.cases_to_settle,
    }
    defined = {name: value if math.isfinite(value) else None for name, value in numbers.items()}
    return {"verdict": gate.verdict, "new": gate.new, "old": gate.old, "unit": unit, **defined}


def gate_rows(gate: Gate, unit: Unit) -> list[list[str]]:
    """Return the numbers of the verdict, headings first."""
    headings = [unit.heading, "extra cost", "one-sided limits", "margin", "verdict"]
    limits = unit.interval(gate.worse_by, gate.lower, gate.upper)
    new = f"{name(gate.new)} instead of {name(gate.old)}"
    return [headings, [new, unit.signed(gate.worse_by), limits, unit.number(gate.margin), gate.verdict]]


def gate_sentence(gate: Gate, unit: Unit) -> str:
    """Return the verdict and its reason in one sentence."""
    new, old, margin = name(gate.new), name(gate.old), unit.number(gate.margin)
    by = f"than {old}, {unit.heading}; your margin is {margin} (one-sided {percent(gate.level)} limits)"
    if gate.verdict == "pass":
        return f"Pass: {new} costs {_bound(gate.upper, gate.margin, unit, at_most=True)} {by}."
    if gate.verdict == "worse":
        return f"Worse: {new} costs {_bound(gate.lower, gate.margin, unit, at_most=False)} {by}."
    if math.isnan(gate.upper):
        return f"Unsure: how much more {new} costs {by.replace('; your', ', is not known; your')}."
    between = f"between {_signed(gate.lower, gate.margin, unit)} and {_signed(gate.upper, gate.margin, unit)}"
    return f"Unsure: {new} costs {between} {by}; {_settling(gate, unit)}."


_NEAR = 1 / 8  # of the width of the limits: at least 36 times the cases at a level of 95%


def _settling(gate: Gate, unit: Unit) -> str:
    """Say how many cases would settle a gate, and why if the estimate is near the margin."""
    if math.isinf(gate.cases_to_settle):
        return "no number of cases would settle it, because the estimate is the margin itself"
    about = f"about {_round_up(gate.cases_to_settle)} cases would settle it"
    if abs(gate.worse_by - gate.margin) > _NEAR * (gate.upper - gate.lower):
        return about
    return f"{about}, so many because the estimate, {_signed(gate.worse_by, gate.margin, unit)}, is near the margin"


def _bound(value: float, margin: float, unit: Unit, *, at_most: bool) -> str:
    """Write a limit of a difference: at most 3 more, at least 2 less."""
    least = at_most == (value < 0)
    more = "less" if value < 0 else "more"
    return f"at {'least' if least else 'most'} {unit.number(abs(value), unlike=abs(margin))} {more}"


def _signed(value: float, margin: float, unit: Unit) -> str:
    return f"{unit.number(abs(value), unlike=abs(margin))} {'less' if value < 0 else 'more'}"


def _round_up(cases: float) -> str:
    """Write a number of cases in two digits, rounded up."""
    step = 10 ** max(math.floor(math.log10(cases)) - 1, 0)
    return f"{math.ceil(cases / step) * step:,}"

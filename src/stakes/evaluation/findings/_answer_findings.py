"""The answer: which model to use, and from which score on; and how that adds up."""

from __future__ import annotations

import math
from collections.abc import Iterator

from stakes import _wording
from stakes._cost_columns import AMOUNTS
from stakes._language import say
from stakes.evaluation._action_use import ONE_ACTION
from stakes.evaluation._one_threshold import RecommendedThreshold, inner_ends, write_sum
from stakes.evaluation._results import Finding, Results, Standing
from stakes.evaluation._unit import FALSE_ALARMS, MISSES, ROUNDING
from stakes.evaluation.findings._paired import PairedDifference, stated_difference
from stakes.evaluation.findings._sentences import display_name, finding


def answer(results: Results) -> tuple[Finding, ...]:
    """Return the answer in one or two sentences; none where a class is missing, or a cost."""
    if not 0 < results.sample.prevalence < 1 or math.isnan(results.best.regret.estimate):
        return ()
    return (_use(results), *_act(results))


def _use(results: Results) -> Finding:
    """Name the model to use, or those that are as good."""
    first, second = results.best, as_cheap_without_a_model(results) or results.rival
    difference = stated_difference(results, second)
    kind = _kind(first, second, difference, models=len(results.tables))
    names = {"best": display_name(first), "reference": _action(first, results), "second": _action(second, results)}
    if not kind.endswith(("-either", "-close")) or difference is None:
        return finding(kind, "ranking", {}, **names)
    lower, upper = difference.values["lower"], difference.values["upper"]
    return finding(kind, "ranking", difference.ends, **names, lower=lower, upper=upper, unit=results.unit.named)


def as_cheap_without_a_model(results: Results) -> Standing | None:
    """Return the simplest reference that costs what the best model does; None where all cost more."""
    if results.best.reference:
        return None
    least = results.best.regret.estimate
    free = [one for one in results.ranking if one.reference and _is_tied(one.regret.estimate, least)]
    return next((one for one in free if one.model != AMOUNTS), free[0] if free else None)


def _is_tied(one: float, other: float) -> bool:
    return math.isclose(one, other, rel_tol=ROUNDING)


def _kind(first: Standing, second: Standing, difference: PairedDifference | None, *, models: int) -> str:
    """Return the kind of answer, by who is best, how certain that is, and whether there is a choice."""
    if not first.reference and _is_tied(first.regret.estimate, second.regret.estimate):
        return "use-tied"
    if difference is None:
        return "use-none-unsure" if first.reference else "use-unsure"
    if not difference.is_detectable:
        return "use-none-close" if first.reference else "use-either"
    if models == 1:
        return "not-worth-using" if first.reference else "worth-using"
    return "use-none" if first.reference else "use"


def _action(standing: Standing, results: Results) -> str:
    """Write a reference as an instruction, and a model as its name."""
    use = results.actions
    if use is not None and standing.reference and standing.model.startswith(ONE_ACTION):
        return say("give every case \u2018{action}\u2019", action=_wording.name(use.best_alone))
    if standing.reference and standing.model.startswith(AMOUNTS):
        return say(f"act by {standing.model}")
    return _wording.reference(standing.model) if standing.reference else display_name(standing)


def _act(results: Results) -> Iterator[Finding]:
    """Name the one threshold; with the model, where another was named beside it."""
    found = results.recommended_threshold
    if found is None:
        return
    names = {"best": display_name(results.best), "threshold": _wording.exact_percent(found.threshold)}
    if math.isinf(found.threshold):
        yield finding("act-never", "policy", {}, **names)
        return
    shared = _use(results).kind in ("use-either", "use-tied")
    yield finding("act-from-with" if shared else "act-from", "policy", {"threshold": found.threshold}, **names)


def one_threshold(results: Results) -> Iterator[Finding]:
    """State what the one threshold costs, added up, and which others do as well."""
    found = results.recommended_threshold
    if found is None or math.isinf(found.threshold) or not 0 < results.sample.prevalence < 1:
        return
    if not results.best.harm:  # which is part of the cost, but no mistake
        yield from _added_up(results, found)
    low, high = inner_ends(found.low, found.high)
    if low < high:
        numbers = {"low": found.low, "high": found.high, "worst": found.worst}
        ends = {"low": _wording.exact_percent(low), "high": _wording.exact_percent(high)}
        worst = results.unit.cost(found.worst)
        yield finding("plateau", "policy", numbers, model=display_name(results.best), **ends, worst=worst)


def _added_up(results: Results, found: RecommendedThreshold) -> Iterator[Finding]:
    unit = results.unit
    misses, false_alarms, written = write_sum(found.misses, found.false_alarms, found.regret, unit)
    if not written:
        return
    numbers = {"misses": found.misses / found.per, "false_alarms": found.false_alarms / found.per}
    numbers |= {"threshold": found.threshold, "regret": found.regret, "following": found.following}
    following, kind = unit.number(found.following), "one-threshold"
    if results.decision.limits is not None:
        kind = "one-threshold-chosen"
    elif following == unit.number(found.regret):
        kind = "one-threshold-alike"
    yield finding(
        kind,
        "policy",
        numbers,
        model=display_name(results.best),
        threshold=_wording.exact_percent(found.threshold),
        misses=unit.mistakes(MISSES, misses),
        false_alarms=unit.mistakes(FALSE_ALARMS, false_alarms),
        per=unit.cases,
        sum=written,
        following=following,
    )

"""Findings about the sample, and about models that always act or never do."""

from __future__ import annotations

import math
from collections.abc import Iterator

from stakes import _wording
from stakes._facts import SampleFacts
from stakes._language import number as write
from stakes._language import say, say_count, say_list
from stakes.evaluation._ranked import at_deployment
from stakes.evaluation._results import Finding, Results, Standing
from stakes.evaluation._unit import FALSE_ALARMS, MISSES, ROUNDING
from stakes.evaluation.findings._follow_up_findings import like_survival
from stakes.evaluation.findings._paired import standard_error
from stakes.evaluation.findings._sentences import (
    display_name,
    display_names,
    finding,
    models,
    references,
    where,
)
from stakes.table import ScoreTable
from stakes.uncertainty import FEWEST_CLUSTERS, FEWEST_OF_A_CLASS, FEWEST_WITH_HALF_CASES, is_enough, single_deviate

_BEYOND_CHANCE = 4  # standard deviations

_MOST = 100  # times as many cases, beyond which the difference is negligible

_FEWEST_TO_PLAN_WITH = 2  # cases of a class, below which nothing is known of how they vary


def one_class(results: Results) -> Iterator[Finding]:
    """Report that one of the two classes is absent."""
    prevalence = results.sample.prevalence
    if prevalence in (0.0, 1.0):
        which, unseen = ("positive", FALSE_ALARMS) if prevalence else ("negative", MISSES)
        mistakes = results.unit.mistakes(unseen)
        yield finding("one-class", "ranking", {"prevalence": prevalence}, which=say(which), mistakes=mistakes)


def too_small(results: Results) -> Iterator[Finding]:
    """Estimate the cases needed to tell the first two apart, errors shrinking with their square root."""
    if not is_enough(min(results.sample.independent), _FEWEST_TO_PLAN_WITH):
        return
    first, second, *_ = results.ranking
    times = 0.0 if first.reference and second.reference else _times_as_many(results, first, second)
    if not 1 < times <= _MOST:
        return
    needed = times * results.sample.cases
    yield finding(
        "too-small",
        "ranking",
        {"needed": needed, "times": times},
        best=display_name(first),
        second=display_name(second),
        needed=write(float(f"{needed:.2g}"), ",.0f"),
        times=write(times, ".1f" if times < 10 else ",.0f"),
    )


def _times_as_many(results: Results, first: Standing, second: Standing) -> float:
    """Return how many times as many cases would tell two standings apart, 0 if that is not known."""
    difference = second.difference
    if not results.samples or difference is None or not (difference.difference > 0 >= difference.lower):
        return 0.0
    if math.isclose(first.regret.estimate, second.regret.estimate, rel_tol=ROUNDING):  # they are the same
        return 0.0
    error = standard_error(results, second, first)
    if error is None:
        return ((difference.difference - difference.lower) / difference.difference) ** 2
    # The interval also allows for cases of a kind not seen yet, which shrinks faster: the error says how many.
    return (single_deviate(results.level) * error / difference.difference) ** 2


def wrong_way(results: Results) -> Iterator[Finding]:
    """Report scores that rank the classes backwards, by more than chance."""
    if not 0 < results.sample.prevalence < 1:
        return
    positive, negative = results.sample.independent
    # spread of the AUC of scores that say nothing
    chance = math.sqrt((positive + negative + 1) / (12 * positive * negative))
    survival = [one.model for one in like_survival(results)]  # of which another finding says more
    turned = [one for one in models(results) if one.auc < 0.5 - _BEYOND_CHANCE * chance and one.model not in survival]
    if turned:
        areas = [one.auc for one in turned]
        least, most = (write(end(areas), ".2f") for end in (min, max))
        yield finding(
            "wrong-way",
            "ranking",
            {"lowest": min(areas), "highest": max(areas)},
            model=display_names(turned),
            auc=least if least == most else say("{least} to {most}", least=least, most=most),
        )


def few_cases(results: Results) -> Iterator[Finding]:
    """Warn of too few cases of a class, by number or by weight, or clusters."""
    sample = results.sample
    counts = sample.positive_cases, sample.negative_cases
    fewest = FEWEST_OF_A_CLASS if results.decision.is_resampled else FEWEST_WITH_HALF_CASES
    for which, count, effective in zip(("positive", "negative"), counts, sample.independent, strict=True):
        if effective > 0 and not is_enough(effective, fewest):
            yield _few(which, count, effective, fewest)
    if sample.clusters is not None and sample.clusters < FEWEST_CLUSTERS:
        yield finding("few-clusters", "ranking", {"count": float(sample.clusters)}, count=write(sample.clusters, ","))


def _few(which: str, count: int | None, effective: float, fewest: int) -> Finding:
    """Warn of few cases, of many that count like few, or of little weight in tables."""
    which = say(which)
    if count is None:
        return finding("few-weight", "ranking", {"weight": effective}, weight=_wording.count(effective), which=which)
    if count < fewest:
        are = say("case is") if count == 1 else say("cases are")
        return finding("few", "ranking", {"count": float(count)}, count=write(count, ","), cases_are=are, which=which)
    numbers = {"count": float(count), "effective": effective}
    return finding(
        "few-effective", "ranking", numbers, count=write(count, ","), effective=write(effective, ".1f"), which=which
    )


def dropped_cases(results: Results) -> Iterator[Finding]:
    """Report how many cases were dropped."""
    return _dropped(results.sample)


def describe_dropped(sample: SampleFacts) -> list[str]:
    """Return how many cases of a sample were dropped, in sentences; none if all are there."""
    return [one.text for one in _dropped(sample)]


def _dropped(sample: SampleFacts) -> Iterator[Finding]:
    if number := sample.without_score:
        yield finding(
            "dropped",
            "ranking",
            {"count": float(number)},
            count=say("1 case") if number == 1 else say("{number:,} cases", number=number),
        )
    others = {role: count for role, count in sample.dropped_by_role.items() if role != "predictions"}
    if others:
        numbers = {role: float(count) for role, count in others.items()}
        (role, count), *more = others.items()
        forms = "{count:,} case without {what}", "{count:,} cases without {what}"
        reasons = [say_count(count, *forms, count=count, what=_a(role))]
        reasons += [say("{count:,} without {what}", count=count, what=_a(role)) for role, count in more]
        yield finding("dropped-other", "ranking", numbers, reasons=say_list(reasons))


_A = {"outcome": "an outcome", "key": "a key", "event": "an event", "entry": "an entry", "labels": "a stratum"}
_A |= {"covariates": "a covariate"}  # others have the article of their first letter


def _a(role: str) -> str:
    """Name what a case misses."""
    return say(_A.get(role, f"a {role}"))


_NEARLY_ALL = 0.95  # of the cases, at every cost

_HARDLY_ANY = 0.1  # of as many cases as are positive, at every cost


def action_rates(results: Results) -> Iterator[Finding]:
    """Name models that act on no one, on everyone, or nearly so."""
    if results.decision.limits is not None:
        return
    for standing in models(results):
        table = at_deployment(results.tables[standing.model], results.decision)
        (low, high), acts = results.decision.cost_range, standing.acts
        lowest, highest = ends_of_scores(table)
        if highest < low:
            yield _simple("never-acts", results, standing, {"highest": highest})
        elif lowest >= high:
            yield _simple("always-acts", results, standing, {"lowest": lowest})
        elif acts.at_lowest_cost < _HARDLY_ANY * table.prevalence:
            yield from _nearly("hardly-acts", results, standing, acts.at_lowest_cost, "acting on no one")
        elif acts.at_highest_cost >= _NEARLY_ALL:
            yield from _nearly("nearly-always-acts", results, standing, acts.at_highest_cost, "acting on everyone")


def ends_of_scores(table: ScoreTable) -> tuple[float, float]:
    """Return the lowest and the highest score of anyone, their outcome known or not."""
    if table.heads is None:
        return table.lowest, table.highest
    score = table.heads.score[table.heads.everyone > 0]
    return float(score[0]), float(score[-1])


def _simple(kind: str, results: Results, standing: Standing, numbers: dict[str, float]) -> Finding:
    values = {name: _wording.percent(number) for name, number in numbers.items()}
    return finding(kind, "cost", numbers, model=display_name(standing), where=where(results), **values)


def _nearly(kind: str, results: Results, standing: Standing, share: float, reference: str) -> Iterator[Finding]:
    same = references(results)[reference].regret.estimate
    unit = results.unit.apart(standing.regret.estimate, same)
    yield finding(
        kind,
        "cost",
        {"share": share, "regret": standing.regret.estimate, "reference_regret": same},
        model=display_name(standing),
        share=_wording.percent(share),
        regret=unit.cost(standing.regret.estimate),
        reference_regret=unit.number(same),
    )

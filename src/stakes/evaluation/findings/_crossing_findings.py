"""Findings about where in the stated range of costs one model is better than another."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

from stakes import _wording
from stakes._language import say
from stakes.evaluation._results import Finding, Results, Standing
from stakes.evaluation.findings._sentences import display_name, finding, models
from stakes.uncertainty import CrossingSet, DifferenceBand, Ranges, crossing_set_if

_AT_MOST = 2  # sentences about models that are better than the best somewhere


def crossing(results: Results) -> Iterator[Finding]:
    """State at which costs another model is better than the best, or the best than its closest rival.

    A cost is claimed by the simultaneous band over the whole range, and a crossing is named only where each of two
    models is better somewhere. Where the sample cannot say anything, nothing is said.
    """
    first, *others = models(results)
    told = 0
    for other in others if _can_be_told(results) else ():
        found = _where_better(results, first, other, is_rival=other is others[0])
        if found is not None and (found.b_better or other is others[0]):
            told += bool(found.b_better)
            yield from _statement(results, found, first, other)
        if told == _AT_MOST:
            return


def _can_be_told(results: Results) -> bool:
    """Whether there are cases, and a range of costs at the prevalence of the sample, without limits."""
    decision = results.decision
    low, high = decision.cost_range
    plain = decision.limits is None and decision.prevalence is None
    return plain and results.cases is not None and 0 <= low < high <= 1


def _where_better(results: Results, first: Standing, other: Standing, *, is_rival: bool) -> CrossingSet | None:
    """Return where each of two models is better; None where no single place tells it."""
    assert results.cases is not None

    def worth(glance: DifferenceBand) -> bool:
        return bool((glance.upper < 0).any() or (is_rival and (glance.lower > 0).any()))

    ends = results.decision.cost_range
    return crossing_set_if(worth, results.cases, first.model, other.model, cost_range=ends, level=results.level)


def _statement(results: Results, found: CrossingSet, first: Standing, other: Standing) -> Iterator[Finding]:
    level = _wording.percent(results.level)
    if found.a_better and found.b_better:
        at, pieces = _between_claims(found)
        yield finding(
            "crossing",
            "cost",
            {"cost": at[0], "last_cost": at[-1], "lower": pieces[0][0], "upper": pieces[-1][1]},
            other=display_name(other),
            best=display_name(first),
            other_where=_where(found.b_better, found),
            best_where=_where(found.a_better, found),
            cost=_places(at),
            set=_in_parts(pieces),
            level=level,
        )
    elif found.a_better or found.b_better:
        better, worse, ranges = (first, other, found.a_better) if found.a_better else (other, first, found.b_better)
        names = {"better": display_name(better), "worse": display_name(worse), "level": level}
        numbers = {"low": ranges[0][0], "high": ranges[-1][1]}
        if found.unclear:
            rest = _rest(found.unclear, found)
            yield finding("better-in-part", "cost", numbers, where=_where(ranges, found), rest=rest, **names)
        else:
            yield finding("better-throughout", "cost", numbers, **names)


def _between_claims(found: CrossingSet) -> tuple[list[float], Ranges]:
    """Return the crossings and the parts of their set that lie between claims for different models."""
    claims = sorted([*((*one, "a") for one in found.a_better), *((*one, "b") for one in found.b_better)])
    gaps = [(one[1], two[0]) for one, two in itertools.pairwise(claims) if one[2] != two[2]]

    def inside(low: float, high: float) -> bool:
        return any(start <= low and high <= end for start, end in gaps)

    at = [cost for cost in found.estimates.tolist() if inside(cost, cost)]
    return at, tuple(one for one in found.set if inside(*one))


def _where(ranges: Ranges, found: CrossingSet) -> str:
    """Write the costs of some ranges within those asked about."""
    first, last = found.band.x[0], found.band.x[-1]
    (low, high) = ranges[0]
    if len(ranges) == 1 and low == first:
        return say("below {high}", high=_wording.percent(high))
    if len(ranges) == 1 and high == last:
        return say("above {low}", low=_wording.percent(low))
    return _in_parts(ranges)


def _rest(ranges: Ranges, found: CrossingSet) -> str:
    """Write which costs are left, next to a range that was named."""
    first, last = found.band.x[0], found.band.x[-1]
    if len(ranges) > 1:
        return say("elsewhere")
    return say("below" if ranges[0][0] == first else "above" if ranges[0][1] == last else "between")


def _in_parts(ranges: Ranges) -> str:
    """Write ranges; of more than two, how many there are, and from where to where."""
    if len(ranges) > 2:
        return say(
            "in {count} ranges from {low} to {high}",
            count=len(ranges),
            low=_wording.percent(ranges[0][0]),
            high=_wording.percent(ranges[-1][1]),
        )
    return say("at {costs}", costs=say(" and ").join(_from_to(*one) for one in ranges))


def _places(costs: Sequence[float]) -> str:
    """Write single costs; of more than two, how many there are, and from where to where."""
    texts = list(dict.fromkeys(map(_wording.percent, costs)))
    return (
        say(" and ").join(texts)
        if len(texts) <= 2
        else say("{count} costs from {low} to {high}", count=len(costs), low=texts[0], high=texts[-1])
    )


def _from_to(low: float, high: float) -> str:
    first, last = _wording.percent(low), _wording.percent(high)
    return first if first == last else say("{first} to {last}", first=first, last=last)

"""One threshold for all stated costs: the roundest number that does as well as the best."""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from typing import TYPE_CHECKING

import numpy as np

from stakes._arrays import FloatArray
from stakes._language import signs
from stakes.beliefs import At, only_cost
from stakes.evaluation._ranked import as_given
from stakes.evaluation._unit import FALSE_ALARMS, MISSES, MONEY, Unit, mean_costs
from stakes.limits import NO_LIMITS, Counts, Limits, as_limits
from stakes.policy import best_thresholds
from stakes.prevalence import reweight_classes
from stakes.table import ScoreTable

if TYPE_CHECKING:
    from stakes.evaluation._decision import Decision

_AS_GOOD = 0.02  # of the cost at the best threshold that another may cost more and still do as well
_MOST_DIGITS = 15  # that a computation can be trusted with
_KNOWN = 3  # digits of the threshold for a cost that is known: it is the cost itself, not any number near it
_ROUNDING = 1e-12
_DIGITS, _SMALLEST = 3, 1e-6  # of the ends of the thresholds that do as well


@dataclass(frozen=True, slots=True)
class RecommendedThreshold:
    """One threshold to use for a model, whatever the true cost is within those stated.

    For a fixed threshold the mean cost depends on the costs only by their mean, so that the best single threshold is
    that of the mean cost: the best feasible one there under limits, and else the mean cost itself. Many thresholds
    around it do as well, and of these it is the roundest.

    Attributes
    ----------
    model : str
        The model.
    threshold : float
        The smallest score to act on, for scores as they are given; infinite where no feasible one is worth acting.
    low, high : float
        Lowest and highest threshold that does as well, for scores as given: all between, and within the stated range,
        cost at most 2% or half a printed unit more than the best.
    cost : float
        Mean cost of a false alarm as a share of that of both mistakes, ``E[G] / (E[F] + E[G])``.
    regret : float
        What this threshold costs per case, on average over the costs, in the scale of `expected_regret`.
    following : float
        The ranked number: what the model costs where the threshold follows the cost.
    worst : float
        The most that any threshold between the ends costs, in the same scale.
    per : int
        Number of cases that the four counts are of.
    found, misses, false_alarms, left_alone : float
        Counts of positives acted on and not, and of negatives acted on and not.
    sum : str
        How the mistakes add up to the cost, such as ``24 + 257/7 = 61``; empty where they have no printed unit, and
        where the harm of a test is part of the cost.

    Examples
    --------
    >>> from stakes import evaluate
    >>> from stakes.datasets import load_cohort
    >>> cohort = load_cohort()
    >>> found = evaluate(cohort["cancer"], {"marker": cohort["cancerpredmarker"]}, "5%..20%").recommended_threshold
    >>> found.threshold, round(found.low, 3), found.high
    (0.1, 0.098, 0.2)
    >>> found.sum  # misses and false alarms per 1,000 cases, where a miss is as bad as 7 false alarms
    '24 + 257/7 = 61'
    """

    model: str
    threshold: float
    low: float
    high: float
    cost: float
    regret: float
    following: float
    worst: float
    per: int
    found: float
    misses: float
    false_alarms: float
    left_alone: float
    sum: str

    @property
    def extra(self) -> float:
        """The cost of one threshold per case, less that of following the cost."""
        return self.regret - self.following


def recommend_threshold(
    model: str, table: ScoreTable, decision: Decision, unit: Unit, following: float, harm: float = 0.0
) -> RecommendedThreshold | None:
    """Return the one threshold to use for a model; None if no mean cost is known."""
    mistakes = sum(mean_costs(decision.costs))
    if not 0 < mistakes < math.inf or (decision.prevalence is not None and not 0 < table.prevalence < 1):
        return None
    ways, known = _Ways.of(table, decision), only_cost(decision.costs)
    cost = mean_costs(decision.costs)[1] / mistakes if known is None else known
    aim = as_given(cost, decision, table.prevalence)
    best = ways.best(cost, aim)
    spare = max(_AS_GOOD * ways.regret[best], 0.5 * 10.0**-unit.digits / (unit.per * unit.factor))
    low, high = _within(ways.plateau(best, spare), decision, table.prevalence, aim)
    threshold = math.inf if math.isinf(low) else roundest(low, high, aim, 1 if known is None else _KNOWN)
    acted = int(np.count_nonzero(table.score >= threshold))
    people, regret = ways.people(acted, unit.per), float(ways.regret[acted])
    costs = cost, regret + harm, following, ways.worst(low, high) + harm
    said = "" if harm else write_sum(people[1], people[2], regret, unit)[-1]
    return RecommendedThreshold(model, threshold, low, high, *costs, unit.per, *people, said)


def _within(plateau: tuple[float, float], decision: Decision, prevalence: float, aim: float) -> tuple[float, float]:
    """Return the part of a plateau within the stated range; all of it under limits."""
    if decision.limits is not None or only_cost(decision.costs) is not None:
        return plateau
    low, high = (as_given(cost, decision, prevalence) for cost in decision.cost_range)
    return max(plateau[0], min(low, aim)), min(plateau[1], max(high, aim))


@dataclass(frozen=True, slots=True)
class _Ways:
    """The cost of acting on the k highest scores, for every k."""

    table: ScoreTable  # at the stated prevalence, with the scores as the user has them
    counts: Counts
    regret: FloatArray
    limits: Limits

    @classmethod
    def of(cls, table: ScoreTable, decision: Decision) -> _Ways:
        if decision.prevalence is not None:
            table = reweight_classes(table, float(decision.prevalence.mean))
        (miss, alarm), counts = mean_costs(decision.costs), Counts.of(table)
        regret = (alarm * counts.false_alarms + miss * (counts.positive - counts.true_alarms)) / counts.total
        return cls(table, counts, regret, as_limits(decision.limits))

    def best(self, cost: float, aim: float) -> int:
        """Return how many scores reach the mean cost, or the best feasible threshold."""
        least = aim if self.limits == NO_LIMITS else best_thresholds(self.table, At(cost), self.limits).threshold[0]
        return int(np.count_nonzero(self.table.score >= least))

    def plateau(self, best: int, spare: float) -> tuple[float, float]:
        """Return the ends of the thresholds around the best that do as well.

        They are infinite where no one is acted on. A gap between two scores belongs to them whole, since any threshold
        in it acts on the same cases.
        """
        if best == 0 and self.limits != NO_LIMITS:
            return math.inf, math.inf
        good = np.zeros(len(self.regret), dtype=bool)
        good[self.counts.allowed(self.limits)] = True
        bad = np.flatnonzero(~good | (self.regret > (self.regret[best] + spare) * (1 + _ROUNDING)))
        fewest, most = bad[bad < best].max(initial=-1) + 1, bad[bad > best].min(initial=len(good)) - 1
        score = self.table.score[::-1]
        low = 0.0 if most == len(score) else float(np.nextafter(score[most], np.inf))
        return low, float(score[fewest - 1]) if fewest else 1.0

    def worst(self, low: float, high: float) -> float:
        """Return the most that a threshold between two costs."""
        fewest, most = (int(np.count_nonzero(self.table.score >= end)) for end in (high, low))
        return float(self.regret[fewest : most + 1].max())

    def people(self, acted: int, per: int) -> tuple[float, float, float, float]:
        """Return how many are found, missed, needlessly acted on, and left alone."""
        counts, scale = self.counts, per / self.counts.total
        found, needless = float(counts.true_alarms[acted]), float(counts.false_alarms[acted])
        return found * scale, (counts.positive - found) * scale, needless * scale, (counts.negative - needless) * scale


# ------------------------------------------------------------------------------------------- round numbers


def roundest(low: float, high: float, aim: float, start: int = 1) -> float:
    """Return the number with the fewest digits between two, nearest to `aim`.

    Distances are in log-odds. Above one half, digits are those of the distance to 1: 99.5% is as round as 0.5%.
    """
    centre = min(max(aim, low), high)
    for digits in range(start, _MOST_DIGITS):
        near = [one for one in _neighbours(centre, digits) if low <= one <= high]
        if near:
            return min(near, key=lambda one: (abs(_log_odds(one) - _log_odds(centre)), one))
    return high


def _neighbours(share: float, digits: int) -> list[float]:
    """Return the numbers of a few digits next to a share, on both sides."""
    mirrored = share > 0.5
    exact = 1 - Decimal(repr(share)) if mirrored else Decimal(repr(share))
    sides = (Context(prec=digits, rounding=side).create_decimal(exact) for side in (ROUND_FLOOR, ROUND_CEILING))
    return [float(1 - side if mirrored else side) for side in sides]


def _log_odds(share: float) -> float:
    if share <= 0 or share >= 1:
        return math.copysign(math.inf, share - 0.5)
    return math.log(share) - math.log1p(-share)


# ------------------------------------------------------------------------------------------- the sum


def write_sum(misses: float, false_alarms: float, regret: float, unit: Unit) -> tuple[str, str, str]:
    """Write misses, false alarms, and how they add up to a cost, in digits enough to check."""
    wanted = unit.number(regret)
    for digits in range(_MOST_DIGITS):
        terms = _terms(misses, false_alarms, unit, digits)
        total = sum(value for _, value in terms)
        if terms and unit.number(total / (unit.per * unit.factor)) == wanted:
            counts = (_plain(count, digits)[0] for count in (misses, false_alarms))
            return *counts, f"{' + '.join(said for said, _ in terms)} = {wanted}"  # type: ignore[return-value]
    return "", "", ""


def _terms(misses: float, false_alarms: float, unit: Unit, digits: int) -> list[tuple[str, float]]:
    """Write misses and false alarms with their weights, each with its value as written."""
    many = unit.false_alarms_per_miss
    alarm = unit.cost_of_both / (1 + many)
    weights = {
        MISSES: ((1.0, 1.0), (1 / many if many else math.nan, many)),
        FALSE_ALARMS: ((many, 1 / many if many else math.inf), (1.0, 1.0)),
        MONEY: ((unit.cost_of_both - alarm, 0.0), (alarm, 0.0)),
    }.get(unit.name, ())
    return [_term(count, *one, digits) for count, one in zip((misses, false_alarms), weights, strict=False)]


def _term(count: float, weight: float, inverse: float, digits: int) -> tuple[str, float]:
    """Write a count times its weight, or divided by its inverse if that is larger."""
    said, counted = _plain(count, digits)
    if weight == 1:
        return said, counted
    if inverse > 1 and math.isfinite(inverse):
        written, divisor = _plain(inverse, max(digits, 0 if inverse >= 10 else 1))
        return f"{said}/{written}", counted / divisor
    written, factor = _plain(weight, max(digits, 0 if weight >= 10 else 1))
    return f"{said} \u00d7 {written}", counted * factor


def _plain(number: float, digits: int) -> tuple[str, float]:
    """Write a number with a few digits after the point; return it, too."""
    text = f"{number:,.{digits}f}"
    short = text.rstrip("0").rstrip(".") if "." in text else text
    return signs(short), float(short.replace(",", ""))


def inner_ends(low: float, high: float) -> tuple[float, float]:
    """Return the ends of a range in three digits, rounded inwards; one above 0 never reads as 0."""
    up, down = (Context(prec=_DIGITS, rounding=side) for side in (ROUND_CEILING, ROUND_FLOOR))
    least = max(low, _SMALLEST) if low > 0 else low
    return float(up.create_decimal(repr(least))), float(down.create_decimal(repr(high)))

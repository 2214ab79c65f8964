"""Two models that can only act or not: their difference comes from the few cases on which they disagree."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeGuard

import numpy as np
import scipy
from scipy import special

from stakes._check import FloatArray
from stakes.uncertainty._known import Known, Means
from stakes.uncertainty._shifted import Shifted
from stakes.uncertainty._spread import Ends
from stakes.uncertainty._study import Study

_FARTHEST = 37.0  # standard errors; beyond this a probability is 0 or 1


def only_act_or_not(known: Known) -> TypeGuard[Means | Shifted]:
    """Whether all that a statistic sees of a score is on which side of one cut it is."""
    return isinstance(known, Means | Shifted) and known.one_cut


@dataclass(frozen=True)
class Disagreement:
    """The four kinds of disagreement: on a positive or on a negative, where only the one or only the other model acts.

    `seen` counts the cases of each kind, `each` is what one of them moves the difference by, and `other` is the
    variance of the difference that does not come from how many of each kind there are (it may be below 0: that one case
    is of one kind only).
    """

    seen: FloatArray
    each: FloatArray
    other: float

    def reach(self, deviate: float, *, up: bool) -> float:
        """How far above (or below) the difference that was seen the true one may be, at a normal deviate."""
        more = (self.each > 0) if up else (self.each < 0)
        # The number of a kind has Jeffreys' interval of a Poisson number: none seen does not mean that there are none.
        upper = special.gammaincinv(self.seen + 0.5, special.ndtr(deviate)) - self.seen
        lower = self.seen - special.gammaincinv(self.seen + 0.5, special.ndtr(-deviate))
        farthest = np.maximum(np.where(more, upper, lower), 0.0)
        return float(np.sqrt(max(deviate**2 * self.other + ((self.each * farthest) ** 2).sum(), 0.0)))

    def ends(self, difference: float, level: float) -> Ends:
        """Return the ends of the interval of the difference."""
        deviate = float(special.ndtri((1 + level) / 2))
        return difference - self.reach(deviate, up=False), difference + self.reach(deviate, up=True)

    def probability_above_zero(self, difference: float) -> float:
        """Return one minus half of what the smallest interval that holds 0 leaves out, or the other way round."""
        up, distance = difference < 0, abs(difference)
        if self.reach(0.0, up=up) >= distance:
            return 0.5
        if self.reach(_FARTHEST, up=up) <= distance:
            return float(difference > 0)
        deviate = scipy.optimize.brentq(lambda z: self.reach(z, up=up) - distance, 0.0, _FARTHEST)
        return float(special.ndtr(-deviate if up else deviate))


def disagreement(study: Study, known: Means | Shifted, a: str, b: str, error: float) -> Disagreement:
    """Count on which cases two models disagree; `error` is the standard error of their difference."""
    cases = study.cases
    acts = [known.acts(cases.table(name))[cases.rows(name)] for name in (a, b)]
    weight = np.ones(len(cases)) if cases.weight is None else cases.weight
    kinds = [
        weight[of_class & first & ~second]
        for of_class in (cases.positive, ~cases.positive)
        for first, second in (acts, acts[::-1])
    ]
    total = float(weight.sum())
    # Cases that weigh differently count as fewer cases that weigh the same.
    heavy = np.array([(kind**2).sum() / kind.sum() if len(kind) else total / len(cases) for kind in kinds])
    seen = np.array([kind.sum() for kind in kinds]) / heavy
    each = np.repeat(known.jumps(cases.table(a).prevalence), 2) * np.array([1, -1, 1, -1]) * heavy / total
    return Disagreement(seen, each, error**2 - float(seen @ each**2))

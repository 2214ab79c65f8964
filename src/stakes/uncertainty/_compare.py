"""The difference between two models on the same cases, and their disagreement at one threshold."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy
from scipy import special

from stakes._arrays import FloatArray
from stakes._wording import described, shown_ends
from stakes.cases import Cases, short
from stakes.measures import Form, ThresholdForm, is_at_one_threshold
from stakes.uncertainty._analytic import Ends, classes_of, difference_ends, influence_spread, is_defined


@dataclass(frozen=True, slots=True, repr=False)
class Comparison:
    """The difference between two models on the same cases.

    Attributes
    ----------
    a, b : str
        The names of the models.
    difference : float
        The measure of `a` minus that of `b`.
    lower, upper : float
        The ends of its confidence interval.
    probability_better : float
        The probability that `a` is better than `b` in the population; a tie counts half.
    method : str
        How the ends were computed: analytic, percentile, basic or bca.
    coarsening, coarsening_error : float
        The measure on the coarse tables that were resampled, less the exact difference, and how far coarsening may have
        moved the ends; as in `Interval`.
    caution : str
        The reason not to trust the level, if the sample is small; else empty.

    Examples
    --------
    >>> from stakes.uncertainty import Comparison
    >>> Comparison("new", "old", 0.02, 0.01, 0.03, 0.999, "analytic")
    Comparison(new - old: 0.02 [0.01, 0.03], better with probability 0.999, analytic)
    """

    a: str
    b: str
    difference: float
    lower: float
    upper: float
    probability_better: float
    method: str
    coarsening: float = 0.0
    coarsening_error: float = 0.0
    caution: str = ""

    def __repr__(self) -> str:
        ends = shown_ends(self.difference, self.lower, self.upper)
        better = f"better with probability {self.probability_better:.3f}"
        names = f"{short(self.a)} - {short(self.b)}"
        return f"Comparison({names}: {ends}, {better}, {described(self.method, self.caution)})"


def analytic_difference(
    cases: Cases, forms: tuple[Form, Form], a: str, b: str, influence: FloatArray, difference: float, level: float
) -> tuple[Ends, float]:
    """Return the ends of the analytic interval and the probability that the true difference is above 0.

    `influence` is that of each unit on the difference.
    """
    first, second = forms
    spread = influence_spread(influence, classes_of(cases, by_class=first.by_class or second.by_class))
    countable = first is second and cases.cluster is None and a != b
    if countable and is_at_one_threshold(first) and is_defined(difference, spread):
        kinds = disagreement(cases, first, a, b, spread.error)
        return kinds.ends(difference, level), kinds.probability_above_zero(difference)
    return difference_ends(difference, spread, level)


_FARTHEST = 37.0  # standard errors; beyond this a probability is 0 or 1


@dataclass(frozen=True)
class Disagreement:
    """Cases on which two models disagree: positives or negatives on which only one or only the other acts.

    `seen` counts the cases of each of the four kinds, `each` is the change of the difference by one of them, and
    `other` is the variance of the difference that does not come from these counts (it may be below 0, since a case is
    of one kind only).
    """

    seen: FloatArray
    each: FloatArray
    other: float

    def reach(self, deviate: float, *, up: bool) -> float:
        """Return the distance from the difference to the upper (or lower) end, at a normal deviate."""
        more = (self.each > 0) if up else (self.each < 0)
        # Jeffreys' interval of a Poisson count: seeing no case of a kind does not mean that there are none.
        upper = special.gammaincinv(self.seen + 0.5, special.ndtr(deviate)) - self.seen
        lower = self.seen - special.gammaincinv(self.seen + 0.5, special.ndtr(-deviate))
        farthest = np.maximum(np.where(more, upper, lower), 0.0)
        return float(np.sqrt(max(deviate**2 * self.other + ((self.each * farthest) ** 2).sum(), 0.0)))

    def ends(self, difference: float, level: float) -> Ends:
        """Return the ends of the interval of the difference."""
        deviate = float(special.ndtri((1 + level) / 2))
        return difference - self.reach(deviate, up=False), difference + self.reach(deviate, up=True)

    def probability_above_zero(self, difference: float) -> float:
        """Return the probability of a difference above 0, from the level at which an end of the interval is 0."""
        up, distance = difference < 0, abs(difference)
        if self.reach(0.0, up=up) >= distance:
            return 0.5
        if self.reach(_FARTHEST, up=up) <= distance:
            return float(difference > 0)
        deviate = scipy.optimize.brentq(lambda z: self.reach(z, up=up) - distance, 0.0, _FARTHEST)
        return float(special.ndtr(-deviate if up else deviate))


def disagreement(cases: Cases, form: ThresholdForm, a: str, b: str, error: float) -> Disagreement:
    """Count the cases on which two models disagree; `error` is the standard error of their difference."""
    acts = [form.acts(cases.table(name))[cases.rows(name)] for name in (a, b)]
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
    each = np.repeat(form.jumps(cases.table(a).prevalence), 2) * np.array([1, -1, 1, -1]) * heavy / total
    return Disagreement(seen, each, error**2 - float(seen @ each**2))

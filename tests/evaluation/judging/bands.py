"""The band of a difference in net benefit, computed again by hand: every place by itself, and its law by drawing."""

from statistics import NormalDist
from typing import NamedTuple

import numpy as np
from scipy import special

_DRAWS = 4000  # of the largest error; their quantile is right within a few percent


class PlainBand(NamedTuple):
    """Two models at some costs: the difference, and how often a unit moves it."""

    places: np.ndarray
    difference: np.ndarray
    lower: np.ndarray
    upper: np.ndarray

    def claims(self, side):
        """Which places lie above 0, for a side of 1, or below it."""
        return self.lower > 0 if side > 0 else self.upper < 0


def places_in(low, high):
    """Return the costs that are looked at: a hundredth of the range apart."""
    places = low + (high - low) * np.arange(101) / 100
    return places[(places > 0) & (places < 1)]


def acting(score, places):
    return np.asarray(score)[:, None] >= places[None] - 1e-13


def difference_at(one, two, costs):
    """Return the difference in net benefit at some costs, from the cases."""
    costs = np.atleast_1d(costs)
    gained = acting(one.score, costs).astype(float) - acting(two.score, costs)
    value = np.where(one.y[:, None] == 1, 1.0, -costs / (1 - costs))
    return one.weight @ (gained * value) / one.weight.sum(), gained * value


def plain_band(world, a, b, *, wider=None):
    """Return the band of two models; with `wider`, the simultaneous one, its deviate multiplied by that."""
    one, two = world.sample(a), world.sample(b)
    places = places_in(*world.costs.ends)
    difference, value = difference_at(one, two, places)
    share = one.weight / one.weight.sum()
    influence = share[:, None] * (value - difference)
    units, clustered = world.units, world.asked.cluster is not None
    by_unit = np.array([influence[units == unit].sum(axis=0) for unit in np.unique(units)]) if clustered else influence
    count, squares, by_case = len(by_unit), (by_unit**2).sum(axis=0), (influence**2).sum(axis=0)
    varies = by_case > 1e-12 * (share[:, None] ** 2 * value**2).sum(axis=0)
    ratio = np.where(varies, count * squares / np.where(varies, by_case, 1.0), 0.0)
    design = np.maximum(1.0, ratio / (count - 1 + ratio / len(one.y))) if clustered else np.ones(len(places))
    tail = 0.5 + world.asked.level / 2
    deviate = special.stdtrit(count - 1, tail) if clustered else NormalDist().inv_cdf(tail)
    if wider is not None:
        deviate = wider * max(deviate, _largest(by_unit[:, varies], world.asked.level, clustered))
    variance = squares * count / (count - 1)
    reach = [_reach(one, two, value, design, variance, places, deviate, up) for up in (False, True)]
    return PlainBand(places, difference, difference - reach[0], difference + reach[1])


def _largest(by_unit, level, clustered):
    """Return the quantile of the largest standardised error, by drawing."""
    if not by_unit.shape[1]:
        return 0.0
    rng, size = np.random.default_rng(7), np.sqrt((by_unit**2).sum(axis=0))
    errors = np.abs(rng.normal(size=(_DRAWS, len(by_unit))) @ (by_unit / size)).max(axis=1)
    if clustered:
        freedom = len(by_unit) - 1
        errors /= np.sqrt(rng.chisquare(freedom, _DRAWS) / freedom)
    return float(np.quantile(errors, level))


def _certain(score):
    """Return the least and the most that a model may do: both the same if it is sure of every case."""
    return (score[0], score[0]) if len(set(score)) == 1 and score[0] in (0.0, 1.0) else (0.0, 1.0)


def _reach(one, two, value, design, variance, places, deviate, up):
    """Return the distance to an end: for each kind, half a case more, or one of nothing; farther for farther deviates.

    Like the interval, it never shrinks as the deviate grows; beyond 3 the kinds alone say how it grows.
    """
    n, k = len(one.y), one.weight * len(one.y) / one.weight.sum()
    (least_a, most_a), (least_b, most_b) = _certain(one.score), _certain(two.score)
    if least_a == most_a and least_b == most_b:
        return np.full(len(places), np.nan)  # two references: nothing is claimed of these
    deviates, whole, own = np.unique([*np.linspace(0.4, min(deviate, 3.0), 7), 3.0, deviate]), 0.0, 0.0
    for outcome in (1, 0):
        mine = one.y == outcome
        typical = (k[mine] @ k[mine]) / k[mine].sum() if mine.any() else 1.0
        jump = np.ones(len(places)) if outcome else places / (1 - places)
        for sign in (1, -1):
            farthest = most_a - least_b if sign * (1 if outcome else -1) > 0 else most_b - least_a
            added = np.maximum(sign * value[mine], 0.0) * k[mine][:, None]
            total, square, m = added.sum(axis=0) / design, (added**2).sum(axis=0) / design, jump * typical * farthest
            own = own + (square - total**2 * design / n) * (design / n) ** 2
            if farthest > 0:
                whole = whole + _moved(total, square, m, n / design, deviates, (sign > 0) == up) ** 2
    other = deviates[:, None] ** 2 * (variance - own)
    near = deviates <= min(deviate, 3.0)
    squared = np.max((whole + other)[near], axis=0)
    if deviate > 3:
        at_three = whole[deviates == 3.0][0]
        beyond = np.where(variance - own >= 0, (whole + other)[-1], squared * whole[-1] / at_three)
        squared = np.maximum(squared, beyond)
    return np.sqrt(np.maximum(squared, 0.0))


def _moved(total, square, m, n, deviates, more):
    """Return how far a kind may be from what was seen, with half a case more of its size, or of nothing."""
    m = np.where(total < n * m, m, np.maximum(m, np.divide(square, total, out=np.zeros_like(m), where=total > 0)))
    extra = m / 2 if more else 0.0 * m
    mean = (total + extra) / (n + 0.5)
    variance = ((square + extra * m) / (n + 0.5) - mean**2) / (n + 1.5)
    share, spread = mean / m, variance / m**2
    flat = (spread <= 1e-26) | (share >= 1) | (share <= 1e-13)
    strength = share * (1 - share) / np.where(flat, 1.0, spread) - 1
    a, b = (np.where(flat, 1.0, part * strength) for part in (share, 1 - share))
    tail = special.ndtr(-deviates)[:, None]
    quantile = np.where(
        flat, np.minimum(mean, m), m * (special.betainccinv if more else special.betaincinv)(a, b, tail)
    )
    return np.maximum(quantile - total / n if more else total / n - quantile, 0.0)

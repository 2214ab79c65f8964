"""Which of several numbers is the largest: closed forms for two and three, fixed points for more."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import special

from stakes._arrays import FloatArray
from stakes.uncertainty._joint_law import POINTS, SHIFTS, JointLaw, values_at_points

_FAR = 40.0  # standard deviations beyond which a normal law has nothing
_CHECK = 48  # nodes of a coarser rule, whose distance is the stated error
_TRIAL = 2048  # points of each shift that find the likeliest three, and the ranks but the first
_HOPELESS = 1e-6  # probability of beating some other number, below which one is not integrated


@dataclass(frozen=True)
class BestOf:
    """The probability of each rank of each number (a row), the mean of the largest, and the means of all.

    `largest` and `means` are relative to the same origin. `error` is that of the first ranks.
    """

    ranks: FloatArray
    largest: float
    means: FloatArray
    method: str
    error: float = 0.0
    largest_error: float = 0.0


def best_of(law: JointLaw) -> BestOf:
    """Return which number is the largest: in closed form up to three, at fixed points beyond."""
    if len(law.mean) <= 3:
        return _in_closed_form(law)
    first = _at_most(law)
    hopeful = first >= _HOPELESS
    inner = law.only(hopeful)
    found = _in_closed_form(inner) if len(inner.mean) <= 3 else _beyond_three(inner)
    first[hopeful] = found.ranks[:, 0]
    ranks = _with_first(_coarse_ranks(law), first / first.sum())
    chance, means, _ = law.components()
    error = found.error + _HOPELESS * np.count_nonzero(~hopeful)
    return BestOf(ranks, found.largest, chance @ means, "quadrature", float(error), found.largest_error)


def optimism(law: JointLaw) -> float:
    """Return how much better than its estimate the winner of a new sample looks there, on average."""
    if len(law.mean) <= 3:
        found = _in_closed_form(law)
        return found.largest - float(found.ranks[:, 0] @ law.mean)
    values = np.concatenate([values_at_points(law, shift, _TRIAL) for shift in range(SHIFTS)])
    return float(values.max(axis=1).mean() - law.mean[values.argmax(axis=1)].mean())


def _in_closed_form(law: JointLaw) -> BestOf:
    ranks, largest, means = _closed_mixture(law.components())
    if law.shrinkage is None:
        return BestOf(ranks, largest, means, "analytic")
    coarse, other, _ = _closed_mixture(law.components(_CHECK))
    return BestOf(ranks, largest, means, "quadrature", float(np.abs(ranks - coarse).max()), abs(largest - other))


def _at_most(law: JointLaw) -> FloatArray:
    """Return what each number's probability to be the largest is at most: that of beating any one other."""
    spread = np.sqrt(((law.loads[:, None] - law.loads) ** 2).sum(axis=2))
    gap = law.mean[:, None] - law.mean
    most: FloatArray = special.ndtr(_standard(gap, spread, wins=True)).min(axis=1)
    return most


def _beyond_three(law: JointLaw) -> BestOf:
    """Return the closed form of the likeliest three, and at fixed points only what the others change."""
    size = len(law.mean)
    trial = values_at_points(law, 0, _TRIAL).argmax(axis=1)
    three = np.sort(np.argsort(-np.bincount(trial, minlength=size), kind="stable")[:3])
    inner = _in_closed_form(law.only(np.isin(np.arange(size), three)))
    firsts, gains = np.zeros((SHIFTS, size)), np.zeros(SHIFTS)
    for shift in range(SHIFTS):
        values = values_at_points(law, shift)
        best, best_of_three = values.argmax(axis=1), three[values[:, three].argmax(axis=1)]
        moved = np.bincount(best, minlength=size) - np.bincount(best_of_three, minlength=size)
        firsts[shift], gains[shift] = moved / POINTS, (values.max(axis=1) - values[:, three].max(axis=1)).mean()
    first = firsts.mean(axis=0)
    first[three] += inner.ranks[:, 0]
    error, largest_error = (one.std(axis=0, ddof=1).max() / SHIFTS**0.5 for one in (firsts, gains[:, None]))
    largest = inner.largest + gains.mean()
    return BestOf(first[:, None], float(largest), law.mean, "quadrature", float(error), float(largest_error))


def _coarse_ranks(law: JointLaw) -> FloatArray:
    """Return the probability of each rank of each number, from fewer points."""
    size = len(law.mean)
    ranks = np.zeros((size, size))
    for shift in range(SHIFTS):
        order = np.argsort(-values_at_points(law, shift, _TRIAL), axis=1, kind="stable")
        for place, own in enumerate(order.T):
            ranks[:, place] += np.bincount(own, minlength=size)
    return ranks / (SHIFTS * _TRIAL)


def _with_first(ranks: FloatArray, first: FloatArray) -> FloatArray:
    """Return rank probabilities whose first column is known better; rows and columns still add up to 1.

    What a row has too much of goes to its second rank; where that would be negative, all ranks but the first are mixed
    with even ones.
    """
    moved = ranks.copy()
    moved[:, 1] += moved[:, 0] - first
    moved[:, 0] = first
    even = np.repeat((1 - first)[:, None] / (len(first) - 1), len(first) - 1, axis=1)
    short = np.maximum(-moved[:, 1:], 0.0)
    with np.errstate(invalid="ignore"):
        share = float(np.nan_to_num(short / (short + even)).max())
    moved[:, 1:] = np.maximum((1 - share) * moved[:, 1:] + share * even, 0.0)
    return moved


def _closed_mixture(components: tuple[FloatArray, FloatArray, FloatArray]) -> tuple[FloatArray, float, FloatArray]:
    chance, means, covariances = components
    closed = (_one, _two, _three)[means.shape[1] - 1]
    ranks, largest = closed(means, covariances)
    return np.tensordot(chance, ranks, axes=1), float(chance @ largest), chance @ means


# ------------------------------------------------------------------------------------------- closed forms


def _one(means: FloatArray, covariances: FloatArray) -> tuple[FloatArray, FloatArray]:
    return np.ones((len(means), 1, 1)), means[:, 0]


def _two(means: FloatArray, covariances: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Ranks and mean of the larger of two: one normal probability and one density."""
    _, spread, ahead = _pair(means, covariances, 0, 1)
    first, second = special.ndtr(ahead), special.ndtr(-ahead)
    ranks = np.stack([np.stack([first, second], axis=-1), np.stack([second, first], axis=-1)], axis=1)
    return ranks, means[:, 0] * first + means[:, 1] * second + spread * _density(ahead)


def _three(means: FloatArray, covariances: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Ranks and mean of the largest of three: bivariate normal probabilities, and Afonja's formula."""
    ranks = np.empty((len(means), 3, 3))
    largest = np.zeros(len(means))
    for k, j, i in ((0, 1, 2), (1, 0, 2), (2, 0, 1)):
        (_, one, first), (_, two, second) = (_pair(means, covariances, k, other) for other in (j, i))
        shared = _correlation(_joint(covariances, k, j, i), one, two)
        ranks[:, k, 0] = bivariate(first, second, shared)
        ranks[:, k, 2] = bivariate(-first, -second, shared)
        ranks[:, k, 1] = 1 - ranks[:, k, 0] - ranks[:, k, 2]
        largest += means[:, k] * ranks[:, k, 0]
    for k, j, i in ((0, 1, 2), (0, 2, 1), (1, 2, 0)):
        gap, spread, ahead = _pair(means, covariances, k, j)
        other, apart, _ = _pair(means, covariances, k, i)
        with np.errstate(divide="ignore", invalid="ignore"):
            slope = np.where(spread > 0, _joint(covariances, k, j, i) / spread**2, 0.0)
            left = np.sqrt(np.maximum(apart**2 - slope**2 * spread**2, 0.0))
            below = special.ndtr(_standard(other - slope * gap, left, k < i))
        largest += spread * _density(ahead) * below
    return ranks, largest


def _pair(means: FloatArray, covariances: FloatArray, k: int, j: int) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the difference of two numbers, its standard deviation, and their ratio."""
    gap = means[:, k] - means[:, j]
    total = covariances[:, k, k] + covariances[:, j, j]
    variance = total - 2 * covariances[:, k, j]
    spread = np.sqrt(np.where(variance > 1e-14 * total, variance, 0.0))
    return gap, spread, _standard(gap, spread, k < j)


def _standard(gap: FloatArray, spread: FloatArray, wins: bool) -> FloatArray:
    """Return the gap in standard deviations; a tie that is certain goes to one side, and is shared later."""
    sure = np.where(gap == 0, _FAR if wins else -_FAR, _FAR * np.sign(gap))
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        return np.where(spread > 0, np.clip(gap / spread, -_FAR, _FAR), sure)


def _joint(covariances: FloatArray, k: int, j: int, i: int) -> FloatArray:
    """Return the covariance of the differences of one number to two others."""
    joint: FloatArray = covariances[:, k, k] - covariances[:, k, j] - covariances[:, k, i] + covariances[:, j, i]
    return joint


def _correlation(covariance: FloatArray, one: FloatArray, two: FloatArray) -> FloatArray:
    with np.errstate(divide="ignore", invalid="ignore"):
        shared = np.where(one * two > 0, covariance / (one * two), 0.0)
    return np.clip(shared, -1.0, 1.0)


def _density(x: FloatArray) -> FloatArray:
    density: FloatArray = np.exp(-x * x / 2) / np.sqrt(2 * np.pi)
    return density


def bivariate(h: FloatArray, k: FloatArray, correlation: FloatArray) -> FloatArray:
    r"""Return the bivariate normal probability :math:`P(X < h, Y < k)`, by Owen's T."""
    one, two = special.ndtr(h), special.ndtr(k)
    root = np.sqrt((1 - correlation) * (1 + correlation))
    with np.errstate(divide="ignore", invalid="ignore"):
        at_h, at_k = (k - correlation * h) / (h * root), (h - correlation * k) / (k * root)
        inner = (one + two) / 2 - special.owens_t(h, at_h) - special.owens_t(k, at_k)
    inner -= np.where((h * k < 0) | ((h * k == 0) & (h + k < 0)), 0.5, 0.0)
    inner = np.where((h == 0) & (k == 0), 0.25 + np.arcsin(correlation) / (2 * np.pi), inner)
    inner = np.where(root > 0, inner, np.where(correlation > 0, np.minimum(one, two), one + two - 1))
    return np.clip(inner, 0.0, 1.0)

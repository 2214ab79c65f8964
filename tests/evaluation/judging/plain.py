"""Costs, thresholds, recalibration and their like, computed again by hand: nothing here comes from the package.

Beliefs are three numbers, cases are arrays, and whatever has a clever formula in the package is enumerated here: every
threshold, every pair, every block.
"""

import itertools
import math
from typing import NamedTuple

import numpy as np

_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(40)
_FEW_NODES = np.polynomial.legendre.leggauss(10)


def _integral(function, low, high):
    """Integral by forty nodes between each pair of ends; exact for polynomials."""
    low, high = np.broadcast_arrays(np.asarray(low, float), np.asarray(high, float))
    middle, reach = (low + high) / 2, (high - low) / 2
    return reach * (function(middle[..., None] + reach[..., None] * _NODES) @ _WEIGHTS)


class Believed(NamedTuple):
    """What is believed about a share: "at" one value, "uniform", "log-odds" uniform, or "beta"."""

    shape: str
    first: float
    second: float = 0.0

    @property
    def ends(self):
        if self.shape == "beta":
            return 0.0, 1.0
        return (self.first, self.first) if self.shape == "at" else (self.first, self.second)

    def moments(self, low, high):
        """Probability of costs above `low` and up to `high`, and the mean of the cost there, times that."""
        if self.shape == "at":
            here = ((low < self.first) & (self.first <= high)).astype(float)
            return here, here * self.first
        first, last = self.ends
        a, z = np.clip(low, first, last), np.clip(high, first, last)
        z = np.maximum(a, z)
        if self.shape == "uniform":
            return (z - a) / (last - first), (z * z - a * a) / 2 / (last - first)
        if self.shape == "log-odds":
            width = logit(last) - logit(first)
            return (logit(z) - logit(a)) / width, (np.log1p(-a) - np.log1p(-z)) / width

        def density(cost):
            return cost ** (self.first - 1) * (1 - cost) ** (self.second - 1)

        whole = _integral(density, 0.0, 1.0)
        return _integral(density, a, z) / whole, _integral(lambda cost: cost * density(cost), a, z) / whole

    @property
    def mean(self):
        return float(self.moments(np.float64(-1), np.float64(2))[1])


def logit(share):
    return np.log(share) - np.log1p(-share)


def expit(log_odds):
    return 1 / (1 + np.exp(-log_odds))


class Sample(NamedTuple):
    """Outcomes, weights and the scores of one model."""

    y: np.ndarray
    weight: np.ndarray
    score: np.ndarray

    @property
    def prevalence(self):
        positive, negative = (self.weight[self.y == outcome].sum() for outcome in (1, 0))
        return positive / (positive + negative)  # exactly 0 or 1 where there is one class

    def without(self, mask):
        return Sample(*(column[~mask] for column in self))

    def scored(self, score):
        return self._replace(score=np.broadcast_to(np.asarray(score, float), self.y.shape))


# ------------------------------------------------------------------------------------------- costs of mistakes


def losses(sample, costs, part=(-1.0, 2.0)):
    """Return what each case costs on average over the costs in a part, times the probability of the part."""
    low, high = part
    missed = costs.moments(np.maximum(sample.score, low), np.float64(high))
    alarm = costs.moments(np.float64(low), np.minimum(sample.score, high))
    return np.where(sample.y == 1, missed[0] - missed[1], alarm[1])


def regret(sample, costs, part=(-1.0, 2.0)):
    """Mean cost of the mistakes where each case is acted on if its score reaches the cost."""
    chance = float(costs.moments(np.float64(part[0]), np.float64(part[1]))[0])
    return float(sample.weight @ losses(sample, costs, part)) / sample.weight.sum() / chance


def moved(sample, prevalence, *, correct=True):
    """Return the sample at another prevalence: classes weighted to it and, if asked, scores corrected for it."""
    own = sample.prevalence
    weight = sample.weight * np.where(sample.y == 1, prevalence / own, (1 - prevalence) / (1 - own))
    if not correct or prevalence == own:
        return sample._replace(weight=weight)
    up, down = sample.score * prevalence / own, (1 - sample.score) * (1 - prevalence) / (1 - own)
    return sample._replace(weight=weight, score=up / (up + down))


def over_prevalences(sample, costs, stated, part=(-1.0, 2.0)):
    """Mean regret of the moved sample over a belief about the prevalence; that of the sample where none is stated."""
    if stated is None:
        return regret(sample, costs, part)
    if stated.shape == "at":
        return regret(moved(sample, stated.first), costs, part)
    low, high = map(logit, stated.ends)
    inside = sample.score[(sample.score > 0) & (sample.score < 1)]
    ends = [end for end in {*costs.ends, *part} if 0 < end < 1]
    kinks = [logit(end) - logit(inside) + logit(sample.prevalence) for end in ends]
    cuts = np.unique(np.concatenate([np.linspace(low, high, 5), *kinks]))
    cuts = cuts[(cuts >= low) & (cuts <= high)]
    total = 0.0
    for start, end in itertools.pairwise(cuts):
        for node, weight in zip(*_FEW_NODES, strict=True):
            at = float(expit((start + end) / 2 + node * (end - start) / 2))
            density = 1 / (high - low) if stated.shape == "log-odds" else at * (1 - at) / np.diff(stated.ends)[0]
            total += weight * (end - start) / 2 * density * regret(moved(sample, at), costs, part)
    return total


# ------------------------------------------------------------------------------------------- thresholds


def thresholds(sample):
    """Every threshold with the weight of its false alarms and true alarms; the first never acts."""
    cuts = [math.inf, *np.unique(sample.score)[::-1]]
    false = [float(sample.weight[(sample.y == 0) & (sample.score >= cut)].sum()) for cut in cuts]
    true = [float(sample.weight[(sample.y == 1) & (sample.score >= cut)].sum()) for cut in cuts]
    return np.array(cuts), np.array(false), np.array(true)


def allowed(sample, capacity, precision):
    """Which of the thresholds keep to the limits."""
    _, false, true = thresholds(sample)
    alarms = false + true
    few = np.ones(len(alarms), bool) if capacity is None else alarms <= capacity * sample.weight.sum() * (1 + 1e-12)
    sharp = np.ones(len(alarms), bool) if precision is None else true >= precision * alarms * (1 - 1e-12)
    return few, few & sharp


def best_lines(sample, costs, keep):
    """Return the ends of stretches of costs, and the threshold that costs least on each, the lower of two that tie."""
    _, false, true = thresholds(sample)
    missed, total = sample.weight @ sample.y - true, sample.weight.sum()
    rows = np.flatnonzero(keep)
    low, high = costs.ends
    a, b = np.meshgrid(rows, rows)
    with np.errstate(divide="ignore", invalid="ignore"):  # c FP + (1 - c) FN of two thresholds is the same at:
        where = (missed[a] - missed[b]) / (missed[a] - missed[b] + false[b] - false[a])
    ends = np.unique(np.concatenate([[low, high], where[(where > low) & (where < high)]]))
    middle = (ends[:-1] + ends[1:]) / 2 if high > low else np.array([low])
    heights = (np.outer(middle, false[rows]) + np.outer(1 - middle, missed[rows])) / total
    tied = heights <= heights.min(axis=1, keepdims=True) + 1e-13
    chosen = rows[[int(np.flatnonzero(row)[-1]) for row in tied]]
    return ends, chosen, false[chosen] / total, missed[chosen] / total


def limited_regret(sample, costs, keep):
    """Mean regret of the best allowed threshold at each cost."""
    ends, _, false, missed = best_lines(sample, costs, keep)
    if len(ends) == 1:
        return float(ends[0] * false[0] + (1 - ends[0]) * missed[0])
    chance, mean = costs.moments(ends[:-1], ends[1:])
    return float(np.sum(mean * false + (chance - mean) * missed))


# ------------------------------------------------------------------------------------------- calibration and order


def isotonic(sample):
    """Return the distinct scores, and the isotonic estimate at each: the largest of the smallest means of blocks."""
    score = np.unique(sample.score)
    weight = np.array([sample.weight[sample.score == one].sum() for one in score])
    positive = np.array([sample.weight[(sample.score == one) & (sample.y == 1)].sum() for one in score])
    fit = np.full(len(score), -np.inf)
    for start in range(len(score)):
        means = np.cumsum(positive[start:]) / np.cumsum(weight[start:])
        least = np.minimum.accumulate(means[::-1])[::-1]
        fit[start:] = np.maximum(fit[start:], least)
    return score, fit


def recalibrated(sample, learnt_on=None):
    """Recalibrate the scores of a sample, by itself unless another is given."""
    score, fit = isotonic(sample if learnt_on is None else learnt_on)
    row = np.maximum(np.searchsorted(score, sample.score, side="right") - 1, 0)
    return sample.scored(fit[row])


def corrected_mean(sample):
    """Shift all log-odds until the mean score is the prevalence; return None where no shift does that."""
    open_ = (sample.score > 0) & (sample.score < 1)
    wrong = ((sample.score == 0) & (sample.y == 1)) | ((sample.score == 1) & (sample.y == 0))
    y, weight = sample.y[open_], sample.weight[open_]
    if wrong.any() or not 0 < weight @ y < weight.sum():
        return None
    log_odds, low, high = logit(sample.score[open_]), -800.0, 800.0
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if weight @ expit(log_odds + middle) < weight @ y else (low, middle)
    score = sample.score.copy()
    score[open_] = expit(log_odds + low)
    return sample.scored(score)


def auc(sample):
    """Share of the pairs of a positive and a negative that are in order, ties half."""
    one, none = sample.y == 1, sample.y == 0
    difference = np.sign(sample.score[one][:, None] - sample.score[none][None])
    pairs = sample.weight[one][:, None] * sample.weight[none][None]
    return float((pairs * (difference + 1) / 2).sum() / pairs.sum())


def fitted(procedure, seen, y, weight, other):
    """Predict other cases by the share of positives among those with the same value, or by what was known."""
    kind, prior = procedure
    score = []
    for value, known in other:
        same = seen[:, 0] == value
        share = (weight[same & (y == 1)].sum() + prior) / (weight[same].sum() + 2 * prior)
        share = share if same.any() else weight[y == 1].sum() / weight.sum()
        score.append({"shares": share, "bold": share**2 / (share**2 + (1 - share) ** 2), "known": known}[kind])
    return np.array(score)


def worth(weight):
    """Return how many cases of one weight are worth as much as these."""
    return weight.sum() ** 2 / (weight @ weight)


def brier(sample):
    return float(sample.weight @ (sample.score - sample.y) ** 2 / sample.weight.sum())


def log_loss(sample):
    with np.errstate(divide="ignore"):
        surprise = -np.log(np.where(sample.y == 1, sample.score, 1 - sample.score))
    return float(sample.weight @ surprise / sample.weight.sum())

"""The mean regret of the best feasible thresholds on many samples of the same scores at once."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from stakes._arrays import BoolArray, FloatArray
from stakes.beliefs import CostBelief
from stakes.limits import Limits, feasible

Indices = npt.NDArray[np.intp]


def best_regrets(positive: FloatArray, negative: FloatArray, costs: CostBelief, limits: Limits) -> FloatArray:
    """Return the mean regret of the best feasible threshold at each cost, on each of many samples.

    It is ``best_thresholds(table, costs, limits).mean_regret`` of the table of each sample. The best thresholds follow
    the hull of the feasible ones, and two neighbours on it tie at the share of positives between them. So acting by
    them is acting wherever that share, as a score, reaches the cost: the regret is what these scores lose, and 0 is
    the score of the cases that are never acted on.

    Parameters
    ----------
    positive, negative : ndarray of float64
        Weight of the positives and of the negatives with each score, samples x scores, from the lowest score up.
    costs : CostBelief
        The belief about the cost proportion.
    limits : Limits
        Capacity and smallest precision of the alarms.

    Returns
    -------
    ndarray of float64
        The regret on each sample.
    """
    true_alarms, false_alarms = (np.cumsum(one[:, ::-1], axis=1) for one in (positive, negative))
    positives, negatives = true_alarms[:, -1], false_alarms[:, -1]
    allowed = feasible(limits, false_alarms, true_alarms, (positives + negatives)[:, None])
    found, sample = _steps(true_alarms, allowed)
    acted, _ = _steps(false_alarms, allowed)
    found, acted, sample = _hull(found, acted, sample)
    score = found / (found + acted)
    lost = found * costs.loss_if_positive(score) + acted * costs.loss_if_negative(score)
    missed = positives - np.bincount(sample, found, len(positives))
    never = float(np.ravel(costs.loss_if_positive(np.zeros(1)))[0])
    regret = np.bincount(sample, lost, len(positives)) + np.maximum(missed, 0.0) * never
    return regret / (positives + negatives)


def _steps(alarms: FloatArray, allowed: BoolArray) -> tuple[FloatArray, Indices]:
    """Return the alarms that each allowed threshold adds to the one before it, and its sample."""
    sample = np.nonzero(allowed)[0]
    reached = alarms[allowed]
    before = np.concatenate([[0.0], reached[:-1]])
    before[np.flatnonzero(np.diff(sample, prepend=-1))] = 0.0
    return reached - before, sample


def _hull(found: FloatArray, acted: FloatArray, sample: Indices) -> tuple[FloatArray, FloatArray, Indices]:
    """Pool steps until the share of positives falls from each to the next, in every sample.

    Neighbours that are out of order are in one step of the hull, so that whole runs of them are pooled at a time; what
    is left after a few rounds is the hull.
    """
    here = found + acted > 0
    found, acted, sample = found[here], acted[here], sample[here]
    while True:
        share = found / (found + acted)
        starts = np.flatnonzero((np.diff(sample, prepend=-1) > 0) | (np.diff(share, prepend=np.inf) < 0))
        if len(starts) == len(sample):
            return found, acted, sample
        found, acted = np.add.reduceat(found, starts), np.add.reduceat(acted, starts)
        sample = sample[starts]

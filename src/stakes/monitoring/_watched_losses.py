"""Losses of a batch as shares of the largest, for bets: of one model, or of its difference to another."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from stakes import _columns
from stakes._arrays import BoolArray, FloatArray
from stakes._errors import InputError
from stakes.beliefs import CostBelief


@dataclass(frozen=True)
class WatchedLosses:
    """The mean loss of a batch, and each case or cluster in it as a share between the least and the most."""

    score: FloatArray
    mean: float
    x: FloatArray
    least: float
    most: float

    @classmethod
    def of(
        cls,
        costs: CostBelief,
        y: npt.ArrayLike,
        score: npt.ArrayLike,
        other: npt.ArrayLike | None,
        cluster: npt.ArrayLike | None,
    ) -> WatchedLosses:
        """Return the losses of one batch, less those of another model where its scores are given."""
        positive, scores = _columns.outcome("y", y), _scores("score", score)
        others = None if other is None else _scores("baseline", other)
        labels = None if cluster is None else _columns.cluster_labels(cluster)
        _columns.check_same_length(y=positive, score=scores, baseline=others, cluster=labels)
        loss, most = _loss(costs, positive, scores), most_loss(costs)
        least = 0.0 if others is None else -most
        if others is not None:
            loss = loss - _loss(costs, positive, others)
        x = np.clip((loss - least) / (most - least), 0.0, 1.0)
        return cls(scores, float(loss.mean()), x if labels is None else cluster_means(x, labels), least, most)

    def share(self, loss: float) -> float:
        """Return a loss as a share between the least and the most."""
        return (loss - self.least) / (self.most - self.least)


def _scores(name: str, given: npt.ArrayLike) -> FloatArray:
    return np.asarray(_columns.probabilities(name, given), dtype=np.float64)


def _loss(costs: CostBelief, positive: BoolArray, score: FloatArray) -> FloatArray:
    return np.where(positive, costs.loss_if_positive(score), costs.loss_if_negative(score))


def cluster_means(x: FloatArray, cluster: npt.NDArray[Any]) -> FloatArray:
    """Return the mean of each cluster, in the order in which the clusters come."""
    _, first, codes = np.unique(cluster, return_index=True, return_inverse=True)
    means: FloatArray = np.bincount(codes, x) / np.bincount(codes)
    return means[np.argsort(first)]


def most_loss(costs: CostBelief) -> float:
    """Return the most that a case can lose; raise if there is no bound."""
    with np.errstate(all="ignore"):
        ends = costs.loss_if_positive(np.zeros(1)), costs.loss_if_negative(np.ones(1))
    most = max(float(np.ravel(one)[0]) for one in ends)
    if not (math.isfinite(most) and most > 0):
        raise InputError("costs", "have a largest loss, as those of `expected_regret` with a range have", "no bound")
    return most

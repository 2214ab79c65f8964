"""Losses of a batch as shares of the largest, for bets: of one model, or of its difference to another."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from stakes import _columns
from stakes._arrays import BoolArray, FloatArray
from stakes._errors import Argument, InputError
from stakes.beliefs import CostBelief


@dataclass(frozen=True)
class WatchedBatch:
    """Columns of one batch, checked."""

    positive: BoolArray
    score: FloatArray
    other: FloatArray | None
    cluster: npt.NDArray[Any] | None

    @classmethod
    def of(
        cls, y: npt.ArrayLike, score: npt.ArrayLike, other: npt.ArrayLike | None, cluster: npt.ArrayLike | None
    ) -> WatchedBatch:
        """Check the outcomes and scores of a batch, the scores of another model, and the clusters."""
        positive, scores = _columns.outcome("y", y), _scores("score", score)
        others = None if other is None else _scores("baseline", other)
        labels = None if cluster is None else _columns.cluster_labels(cluster)
        _columns.check_same_length(y=positive, score=scores, baseline=others, cluster=labels)
        return cls(positive, scores, others, labels)


@dataclass(frozen=True)
class WatchedLosses:
    """The mean loss of each batch, and each case or cluster as a share between the least and the most.

    A cluster counts with the sum of its cases, since a mean of clusters would be another promise than one per case.
    `starts` says where the shares of each batch begin.
    """

    mean: FloatArray
    x: FloatArray
    starts: list[int]
    null: float

    @classmethod
    def of(
        cls, costs: CostBelief, batches: Sequence[WatchedBatch], *, promised: float, largest: int | None
    ) -> WatchedLosses:
        """Return the losses of batches, less those of another model where its scores are given."""
        loss, most = _joint_loss(costs, batches), most_loss(costs)
        least = 0.0 if batches[0].other is None else -most
        x, null = np.clip((loss - least) / (most - least), 0.0, 1.0), (promised - least) / (most - least)
        sizes = np.array([len(one.score) for one in batches])
        starts = np.cumsum(sizes) - sizes
        mean = np.add.reduceat(loss, starts) / sizes
        if all(one.cluster is None for one in batches):
            return cls(mean, x, starts.tolist(), null)
        shares = [
            part if one.cluster is None else cluster_shares(part, null, one.cluster, largest)
            for one, part in zip(batches, np.split(x, starts[1:]), strict=True)
        ]
        ends = np.cumsum([len(part) for part in shares])
        return cls(mean, np.concatenate(shares), [0, *ends[:-1].tolist()], null)


def _joint_loss(costs: CostBelief, batches: Sequence[WatchedBatch]) -> FloatArray:
    """Return the loss of every case of the batches, or how much more it is than that of the other model."""
    positive, score = (
        np.concatenate(columns) for columns in zip(*((b.positive, b.score) for b in batches), strict=True)
    )
    others = [one.other for one in batches if one.other is not None]
    loss = _loss(costs, positive, score)
    return loss - _loss(costs, positive, np.concatenate(others)) if others else loss


def _scores(name: str, given: npt.ArrayLike) -> FloatArray:
    return np.asarray(_columns.probabilities(name, given), dtype=np.float64)


def _loss(costs: CostBelief, positive: BoolArray, score: FloatArray) -> FloatArray:
    return np.where(positive, costs.loss_if_positive(score), costs.loss_if_negative(score))


def cluster_shares(x: FloatArray, null: float, cluster: npt.NDArray[Any], largest: int | None) -> FloatArray:
    r"""Return :math:`m_0 + \sum_i (x_i - m_0)/K` of each cluster, in the order in which the clusters come.

    It lies between 0 and 1 if no cluster has more than *K* cases, and has mean :math:`m_0` at most where the mean of
    all cases has, also where large clusters lose more or less than small ones. *K* must be known beforehand: a bet
    that depends on the clusters it is made on is not fair.
    """
    if largest is None:
        raise InputError("largest_cluster", ("be given with ", Argument("cluster")), "none")
    names, first, codes, sizes = np.unique(cluster, return_index=True, return_inverse=True, return_counts=True)
    if sizes.max() > largest:
        most = f"{sizes.max():,} of {str(names[sizes.argmax()])!r}"
        wanted = ("have at most as many cases of a cluster as ", Argument("largest_cluster"), f" says, {largest:,}")
        raise InputError("cluster", wanted, most)
    shares: FloatArray = np.clip(null + np.bincount(codes, x - null) / largest, 0.0, 1.0)
    return shares[np.argsort(first)]


def most_loss(costs: CostBelief) -> float:
    """Return the most that a case can lose; raise if there is no bound."""
    with np.errstate(all="ignore"):
        ends = costs.loss_if_positive(np.zeros(1)), costs.loss_if_negative(np.ones(1))
    most = max(float(np.ravel(one)[0]) for one in ends)
    if not (math.isfinite(most) and most > 0):
        raise InputError("costs", "have a largest loss, as those of `expected_regret` with a range have", "no bound")
    return most

"""Mean costs of the two mistakes over each step of a policy."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from stakes._arrays import FloatArray
from stakes.beliefs import (
    CostScale,
    Distributions,
    MoneyRange,
    PointMasses,
    PricedThresholds,
    SmoothDensity,
    UniformRange,
)
from stakes.limits import Stairs, mean_ratio

Nodes = PointMasses | SmoothDensity | MoneyRange | PricedThresholds


@dataclass(frozen=True, slots=True)
class StepMeans:
    """Integrals over each step of 1 (its probability) and of the costs of the mistakes.

    `both` is the cost of a false alarm plus that of a miss, and `alarm` that of the false alarm. Where both together
    are the unit, these are the probability of the step and the integral of the cost proportion. `fractional` is that of
    the fractional cost.
    """

    share: FloatArray
    both: FloatArray
    alarm: FloatArray
    fractional: FloatArray

    def regret(self, false_alarms: FloatArray, misses: FloatArray, total: float) -> FloatArray:
        """Return each step's part of the mean regret per case."""
        return (self.alarm * false_alarms + (self.both - self.alarm) * misses) / total

    def normalised_cost(self, false_positive_rate: FloatArray, miss_rate: FloatArray) -> FloatArray:
        """Return each step's part of the mean normalised cost."""
        return self.fractional * false_positive_rate + (self.share - self.fractional) * miss_rate


def step_means(stairs: Stairs, scale: CostScale, costs: Distributions, positive: float, negative: float) -> StepMeans:
    """Return the integrals over every step of the stairs, for a sample with these class weights."""
    sums = np.zeros((4, len(stairs.bounds) + 1))
    for weight, distribution in costs:
        if isinstance(distribution, UniformRange):
            sums += weight * _uniform_sums(stairs, scale, distribution, positive, negative)
        else:
            sums += weight * _node_sums(stairs, scale, distribution, positive, negative)
    return StepMeans(*sums)


def _uniform_sums(
    stairs: Stairs, scale: CostScale, costs: UniformRange, positive: float, negative: float
) -> FloatArray:
    low, high = stairs.ranges(*costs.support)
    share = (high - low) / (costs.high - costs.low)
    alarm, miss = zip(scale.costs(low), scale.costs(high), strict=True)
    proportion, fractional = (
        mean_ratio(a * alarm[0], a * alarm[1], a * alarm[0] + m * miss[0], a * alarm[1] + m * miss[1])
        for a, m in ((1.0, 1.0), (negative, positive))
    )
    return share * np.stack([np.ones_like(share), np.ones_like(share), proportion, fractional])


def _node_sums(stairs: Stairs, scale: CostScale, costs: Nodes, positive: float, negative: float) -> FloatArray:
    # Both means have poles only beyond 0 or 1, near which the nodes are dense anyway.
    x, weight = costs.nodes(stairs.bounds, np.array([]))
    weight = weight / weight.sum()
    alarm, miss = scale.costs(x)
    both_classes = negative * alarm + positive * miss
    fractional = np.divide(negative * alarm, both_classes, out=np.zeros_like(x), where=both_classes > 0)
    step, steps = stairs.find(x), len(stairs.bounds) + 1
    both = costs.magnitude(x) if isinstance(costs, MoneyRange | PricedThresholds) else np.ones_like(x)
    values = (np.ones_like(x), both, both * scale.proportion(x), fractional)
    return np.stack([np.bincount(step, weight * value, steps) for value in values])

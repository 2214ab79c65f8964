"""Costs of several actions: one matrix, an uncertain fee, scenarios, or a sample of matrices."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, Protocol

import numpy as np

from stakes._arrays import FloatArray
from stakes.beliefs._action_steps import Steps, lower_hull, steps_of
from stakes.beliefs._combined import parts
from stakes.beliefs._exchanged import ExchangedStep
from stakes.beliefs._points import At
from stakes.beliefs._ranges import Uniform

Costs = tuple[tuple[float, float], ...]  # of each action: if negative, if positive


class ActionCosts(Protocol):
    """Costs of some actions, known or uncertain."""

    @property
    def mean(self) -> Costs:
        """Mean costs by which one decides, in the order of the actions."""
        ...

    @property
    def stated(self) -> Costs:
        """Mean costs without the exchange."""
        ...

    def steps(self) -> Steps:
        """Return the steps between the actions that are needed."""
        ...

    @property
    def remark(self) -> str:
        """Text of a representation beside the mean costs."""
        ...

    def without(self, action: int) -> ActionCosts:
        """Return the costs of the other actions."""
        ...


def _without(costs: Costs, action: int) -> Costs:
    return costs[:action] + costs[action + 1 :]


@dataclass(frozen=True, slots=True)
class Matrix:
    """One cost of each action and outcome; with an exchange, alarms count 2c and misses 2(1 - c)."""

    costs: Costs
    exchange: Any = None

    @property
    def mean(self) -> Costs:
        """The costs; with an exchange, those of each outcome times its mean weight."""
        if self.exchange is None:
            return self.costs
        share = float(self.exchange.mean)
        return tuple((2 * share * negative, 2 * (1 - share) * positive) for negative, positive in self.costs)

    @property
    def stated(self) -> Costs:
        """The costs themselves."""
        return self.costs

    @property
    def remark(self) -> str:
        """The exchange, where there is one."""
        return "" if self.exchange is None else f", exchange={self.exchange!r}"

    def steps(self) -> Steps:
        """Return the steps, whose thresholds move with the exchange."""
        plain = steps_of(np.array([self.costs]), np.ones(1))
        if self.exchange is None:
            return plain
        nothing = replace(plain, threshold=np.empty(0), alarm=np.empty(0), miss=np.empty(0))
        moved = [(2 * weight, _exchanged(plain, part)) for weight, part in parts(self.exchange, split_atoms=True)]
        share = float(self.exchange.mean)
        floor = 2 * share * plain.floor[0], 2 * (1 - share) * plain.floor[1]
        return replace(Steps.total([(0.0, nothing), *moved]), floor=floor)

    def without(self, action: int) -> Matrix:
        """Return the costs of the other actions."""
        return Matrix(_without(self.costs, action), self.exchange)


def _exchanged(plain: Steps, exchange: Any) -> Steps:
    """Return steps at one exchange, or spread over a belief about it."""
    nothing = np.empty(0)
    if isinstance(exchange, At):
        alarm, miss = exchange.value * plain.alarm, (1 - exchange.value) * plain.miss
        return Steps(alarm / (alarm + miss), alarm, miss, plain.floor)
    steps = [ExchangedStep(exchange, *pair) for pair in zip(plain.alarm.tolist(), plain.miss.tolist(), strict=True)]
    return Steps(nothing, nothing, nothing, plain.floor, tuple((step.mass, step) for step in steps))


@dataclass(frozen=True, slots=True)
class FeeRange:
    r"""One matrix, with a uniform fee for one of the actions, whatever the outcome.

    Along the fee, the mass of a step to or from that action is constant and its threshold linear, so it is uniform too.
    """

    costs: Costs  # without the fee
    action: int
    low: float
    high: float

    @property
    def mean(self) -> Costs:
        """The costs at the mean fee."""
        return tuple((float(x), float(y)) for x, y in self._at(self.low / 2 + self.high / 2))

    stated = mean

    @property
    def remark(self) -> str:
        """The bounds of the fee."""
        return f", with a fee of {self.low:g} to {self.high:g} in them"

    def steps(self) -> Steps:
        """Return the steps over each range of fees in which the same actions are needed."""
        ends = [self.low, *self._turns(), self.high]
        return Steps.total(self._between(*pair) for pair in pairwise(ends))

    def without(self, action: int) -> ActionCosts:
        """Return the costs of the other actions."""
        rest = _without(self.costs, action)
        if action == self.action:
            return Matrix(rest)
        return FeeRange(rest, self.action - (action < self.action), self.low, self.high)

    def _at(self, fee: float) -> FloatArray:
        costs = np.array(self.costs)
        costs[self.action] += fee
        return costs

    def _turns(self) -> list[float]:
        """Return the fees at which another set of actions becomes the hull."""
        (u, v), others = self.costs[self.action], _without(self.costs, self.action)
        turns = {turn for x, y in others for turn in (x - u, y - v)}
        for k, (x, y) in enumerate(others):
            for other_x, other_y in others[:k]:
                rise, run = other_y - y, other_x - x
                if run != rise:
                    turns.add((rise * (u - x) - run * (v - y)) / (run - rise))
        return sorted(turn for turn in turns if self.low < turn < self.high)

    def _between(self, low: float, high: float) -> tuple[float, Steps]:
        """Return the steps over fees between which the hull does not change, with their probability."""
        middle = self._at(low / 2 + high / 2)
        kept = [int(action) for action in lower_hull(middle[None])[0] if action >= 0]
        points, spread = [], []
        for before, after in pairwise(kept):
            mass = _mass(middle, before, after)
            ends = sorted(_threshold(self._at(fee), before, after) for fee in (low, high))
            if self.action in (before, after) and ends[0] < ends[1]:
                spread.append((mass, Uniform(*ends)))
            else:
                points.append((middle[after] - middle[before]) * (1, -1))
        alarm, miss = np.array(points).reshape(-1, 2).T
        floor = float(middle[kept[0], 0]), float(middle[kept[-1], 1])
        steps = Steps(alarm / (alarm + miss), alarm, miss, floor, tuple(spread))
        return (high - low) / (self.high - self.low), steps


def _mass(costs: FloatArray, before: int, after: int) -> float:
    return float(costs[after, 0] - costs[before, 0] + costs[before, 1] - costs[after, 1])


def _threshold(costs: FloatArray, before: int, after: int) -> float:
    share = (costs[after, 0] - costs[before, 0]) / _mass(costs, before, after)
    return float(np.clip(share, 0.0, 1.0))  # rounding may lead past the end where an action ceases to be needed


@dataclass(frozen=True, slots=True)
class Scenarios:
    """Several matrices, each with its probability; an action that one lacks costs infinitely much."""

    cases: tuple[ActionCosts, ...]
    weights: tuple[float, ...]
    places: tuple[tuple[int | None, ...], ...]  # of each action in each scenario

    @property
    def mean(self) -> Costs:
        """Mean costs, infinite for an action that some scenario lacks."""
        total = np.zeros((len(self.places[0]), 2))
        for case, weight, places in zip(self.cases, self.weights, self.places, strict=True):
            known = case.mean
            total += weight * np.array([(np.inf, np.inf) if k is None else known[k] for k in places])
        return tuple((float(negative), float(positive)) for negative, positive in total)

    stated = mean

    @property
    def remark(self) -> str:
        """The number of scenarios."""
        return f", on average over {len(self.cases)} scenarios"

    def steps(self) -> Steps:
        """Return the mean of the steps of the scenarios."""
        return Steps.total((weight, case.steps()) for case, weight in zip(self.cases, self.weights, strict=True))

    def without(self, action: int) -> Scenarios:
        """Return the scenarios without an action."""
        cases, places = [], []
        for case, there in zip(self.cases, self.places, strict=True):
            gone = there[action]
            rest = there[:action] + there[action + 1 :]
            cases.append(case if gone is None else case.without(gone))
            places.append(rest if gone is None else tuple(k if k is None else k - (k > gone) for k in rest))
        return Scenarios(tuple(cases), self.weights, tuple(places))


@dataclass(frozen=True, slots=True, eq=False)
class SampledCosts:
    """A sample of matrices, all of the same probability."""

    matrices: FloatArray
    low: Costs
    high: Costs

    @property
    def mean(self) -> Costs:
        """The middle of each range."""
        pairs = zip(self.low, self.high, strict=True)
        return tuple(((a[0] + b[0]) / 2, (a[1] + b[1]) / 2) for a, b in pairs)

    stated = mean

    @property
    def remark(self) -> str:
        """The number of matrices."""
        return f", on average over {len(self.matrices)} sampled costs"

    def steps(self) -> Steps:
        """Return the mean of the steps of the matrices."""
        return steps_of(self.matrices, np.full(len(self.matrices), 1 / len(self.matrices)))

    def without(self, action: int) -> SampledCosts:
        """Return the same matrices without an action."""
        rest = np.delete(self.matrices, action, axis=1)
        return SampledCosts(rest, _without(self.low, action), _without(self.high, action))

    def each(self, score: FloatArray, positive: FloatArray, negative: FloatArray) -> FloatArray:
        """Return what rows of scores, with their weights by class, cost under each matrix, above the floor."""
        path = lower_hull(self.matrices)
        missed = np.concatenate([[0.0], np.cumsum(positive)])
        alarmed = np.concatenate([np.cumsum(negative[::-1])[::-1], [0.0]])
        matrix, step = np.nonzero(path[:, 1:] >= 0)
        before, after = (self.matrices[matrix, path[matrix, step + k]] for k in (0, 1))
        alarm, miss = after[:, 0] - before[:, 0], before[:, 1] - after[:, 1]
        row = np.searchsorted(score, alarm / (alarm + miss))
        paid = alarm * alarmed[row] + miss * missed[row]
        return np.bincount(matrix, paid, len(self.matrices)).astype(np.float64, copy=False)

"""Contribution of a case to each of five measures when one of the two beliefs is a point.

A case is acted on at every cost up to its `reach`, and at every prevalence above its `need`. Given the
prevalence, a measure integrates over the costs; given the cost, over the prevalences. The double average is
the first of these, integrated over the prevalence.
"""

from __future__ import annotations

from typing import NamedTuple, Protocol

from stakes._arrays import FloatArray
from stakes.beliefs import Integrals, PointIntegrals


class Share(NamedTuple):
    """A prevalence, its complement and its odds."""

    share: FloatArray | float
    rest: FloatArray | float
    odds: FloatArray | float

    @classmethod
    def of(cls, prevalence: float) -> Share:
        """Return the share of one prevalence."""
        return cls(prevalence, 1 - prevalence, prevalence / (1 - prevalence))

    @classmethod
    def of_odds(cls, odds: FloatArray) -> Share:
        """Return the shares of prevalences given by their odds."""
        return cls(odds / (1 + odds), 1 / (1 + odds), odds)


class PointwiseMeasure(Protocol):
    """Contribution of a case at one prevalence, over the costs, or at one cost, over the prevalences."""

    @staticmethod
    def positive_given_prevalence(at: Share, costs: Integrals, reach: FloatArray) -> FloatArray: ...
    @staticmethod
    def negative_given_prevalence(at: Share, costs: Integrals, reach: FloatArray) -> FloatArray: ...
    @staticmethod
    def positive_given_cost(cost: PointIntegrals, prevalence: Integrals, need: FloatArray) -> FloatArray: ...
    @staticmethod
    def negative_given_cost(cost: PointIntegrals, prevalence: Integrals, need: FloatArray) -> FloatArray: ...


class Regret:
    """Cost of mistakes: ``1 - c`` for a missed positive, ``c`` for a negative that is acted on."""

    @staticmethod
    def positive_given_prevalence(at: Share, costs: Integrals, reach: FloatArray) -> FloatArray:
        """Prevalence times the mean of ``1 - c`` over the costs above the reach."""
        return at.share * costs.rest(reach, costs.top)

    @staticmethod
    def negative_given_prevalence(at: Share, costs: Integrals, reach: FloatArray) -> FloatArray:
        """Complement of the prevalence times the mean of ``c`` over the costs up to the reach."""
        return at.rest * costs.share(costs.bottom, reach)

    @staticmethod
    def positive_given_cost(cost: PointIntegrals, prevalence: Integrals, need: FloatArray) -> FloatArray:
        """``1 - c`` times the mean of the prevalence up to the need."""
        return (1 - cost.value) * prevalence.share(prevalence.bottom, need)

    @staticmethod
    def negative_given_cost(cost: PointIntegrals, prevalence: Integrals, need: FloatArray) -> FloatArray:
        """``c`` times the mean of the complement of the prevalence above the need."""
        return cost.value * prevalence.rest(need, prevalence.top)


class CrossedRegret:
    """Cost of mistakes where acting on a positive costs ``c``, and leaving a negative ``1 - c``."""

    @staticmethod
    def positive_given_prevalence(at: Share, costs: Integrals, reach: FloatArray) -> FloatArray:
        """Prevalence times the mean of ``c`` over the costs up to the reach."""
        return at.share * costs.share(costs.bottom, reach)

    @staticmethod
    def negative_given_prevalence(at: Share, costs: Integrals, reach: FloatArray) -> FloatArray:
        """Complement of the prevalence times the mean of ``1 - c`` over the costs above the reach."""
        return at.rest * costs.rest(reach, costs.top)

    @staticmethod
    def positive_given_cost(cost: PointIntegrals, prevalence: Integrals, need: FloatArray) -> FloatArray:
        """``c`` times the mean of the prevalence above the need."""
        return cost.value * prevalence.share(need, prevalence.top)

    @staticmethod
    def negative_given_cost(cost: PointIntegrals, prevalence: Integrals, need: FloatArray) -> FloatArray:
        """``1 - c`` times the mean of the complement of the prevalence up to the need."""
        return (1 - cost.value) * prevalence.rest(prevalence.bottom, need)


class _TruePositives:
    """True positives, each of which counts 1."""

    @staticmethod
    def positive_given_prevalence(at: Share, costs: Integrals, reach: FloatArray) -> FloatArray:
        """Prevalence times the probability of a cost up to the reach."""
        return at.share * costs.mass(costs.bottom, reach)

    @staticmethod
    def positive_given_cost(cost: PointIntegrals, prevalence: Integrals, need: FloatArray) -> FloatArray:
        """Mean of the prevalence above the need."""
        return prevalence.share(need, prevalence.top)


class NetBenefit(_TruePositives):
    """True positives less false positives, each of these at the odds of the cost."""

    @staticmethod
    def negative_given_prevalence(at: Share, costs: Integrals, reach: FloatArray) -> FloatArray:
        """Minus the mean of the cost odds up to the reach."""
        return -at.rest * costs.odds(costs.bottom, reach)

    @staticmethod
    def negative_given_cost(cost: PointIntegrals, prevalence: Integrals, need: FloatArray) -> FloatArray:
        """Minus the cost odds, over the prevalences above the need."""
        return -cost.odds_here * prevalence.rest(need, prevalence.top)


class PriorAdjustedNetBenefit(_TruePositives):
    """True positives plus true negatives, each of these at the odds of the cost."""

    @staticmethod
    def negative_given_prevalence(at: Share, costs: Integrals, reach: FloatArray) -> FloatArray:
        """Mean of the cost odds above the reach."""
        return at.rest * costs.odds(reach, costs.top)

    @staticmethod
    def negative_given_cost(cost: PointIntegrals, prevalence: Integrals, need: FloatArray) -> FloatArray:
        """Cost odds, over the prevalences up to the need."""
        return cost.odds_here * prevalence.rest(prevalence.bottom, need)


class WeightedAccuracy:
    """Right decisions, weighted by the cost of a mistake; only the ratio of the two odds matters."""

    @staticmethod
    def positive_given_prevalence(at: Share, costs: Integrals, reach: FloatArray) -> FloatArray:
        """Mean weight of the positives over the costs up to the reach."""
        return costs.rest(costs.bottom, reach, at.odds)

    @staticmethod
    def negative_given_prevalence(at: Share, costs: Integrals, reach: FloatArray) -> FloatArray:
        """Mean weight of the negatives over the costs above the reach."""
        return costs.share(reach, costs.top, at.odds)

    @staticmethod
    def positive_given_cost(cost: PointIntegrals, prevalence: Integrals, need: FloatArray) -> FloatArray:
        """Mean weight of the positives over the prevalences above the need."""
        return prevalence.share(need, prevalence.top, cost.odds_here)

    @staticmethod
    def negative_given_cost(cost: PointIntegrals, prevalence: Integrals, need: FloatArray) -> FloatArray:
        """Mean weight of the negatives over the prevalences up to the need."""
        return prevalence.rest(prevalence.bottom, need, cost.odds_here)

"""Scores of cases under a budget of effort, and its price."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from stakes._arrays import FloatArray
from stakes.case_costs._case_costs import CaseCosts
from stakes.case_costs._stake import Losses, price_of_effort


@dataclass(frozen=True)
class Spending:
    """Price of a unit of effort for a model, and its scores at that price."""

    scores: FloatArray
    price: float  # in the unit of the costs, where both mistakes together count 2
    effort: FloatArray  # of acting on each case, times its weight

    def at(self, cost: float) -> float:
        """Return the effort that is spent at a cost."""
        return float(self.effort[self.scores >= cost].sum())


def spend(
    costs: CaseCosts, p: FloatArray, weight: FloatArray, budget: float, cost: float, *, misses_vary: bool = False
) -> Spending:
    """Return scores that act at `cost` on the cases most worth their effort, as far as a budget goes.

    Acting on a case must gain its effort times the price, an amount of money. At other costs it is the same amount,
    whether it is the cost of a false alarm that is another there, or that of a miss.
    """
    effort = efforts(costs, p)
    saved, lost = Losses(*(np.broadcast_to(one, p.shape) for one in costs.losses())).expected(p)
    worth = 2 * ((1 - cost) * saved - cost * lost) / effort
    price = price_of_effort(worth, weight * effort, budget)
    if not price:
        return Spending(costs.scores(p), price, weight * effort)
    if misses_vary:
        lost = lost + price * effort / (2 * cost)
    else:
        saved = np.maximum(saved - price * effort / (2 * (1 - cost)), 0)
    scores = np.divide(saved, saved + lost, out=np.zeros_like(saved), where=saved > 0)
    # A case worth exactly the price must act, whichever way its score was rounded.
    scores = np.where(worth >= price, np.maximum(scores, cost), np.minimum(scores, np.nextafter(cost, -1)))
    return Spending(scores, price, weight * effort)


def efforts(costs: CaseCosts, like: FloatArray) -> FloatArray:
    """Return the effort of acting on each case."""
    given = 1.0 if costs.effort is None else costs.effort
    return np.broadcast_to(np.asarray(given, dtype=np.float64), like.shape)

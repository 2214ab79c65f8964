"""Beliefs as laws of odds: how much of a weight lies between two values.

Label shift multiplies odds: a case is acted on where (odds of the prevalence) x (likelihood ratio of its
score) >= (odds of the cost). So every average of this package is an integral, over costs or over
prevalences up to or from some value, of one of four weights of the odds o:

    mass  1        odds  o        share  o / (o + k)        rest  k / (o + k)

With ``k = 1`` the last two are the probability and its complement. Each law has a variable of its own in
which the limits are given: odds for the two families with closed forms, the probability itself for points
(which need an exact comparison) and for every other belief (whose own methods are asked).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from stakes._check import FloatArray

Values = FloatArray | float

# Stands for infinite odds where an expression would become inf / inf.
ENDLESS = 1e300
# Beyond this many log-odds from its last sizeable value a bounded density holds nothing that float64 can see.
TAIL = 41.0


class Law(Protocol):
    """What the averages ask of a belief about costs or prevalence."""

    @property
    def bottom(self) -> float: ...
    @property
    def top(self) -> float: ...
    @property
    def dear(self) -> bool: ...
    @property
    def edges(self) -> FloatArray: ...
    def from_odds(self, odds: FloatArray) -> FloatArray: ...
    def reach(self, score: FloatArray, shift: Shift) -> FloatArray: ...
    def density(self, odds: FloatArray) -> FloatArray: ...
    def mass(self, low: Values, high: Values) -> FloatArray: ...
    def odds(self, low: Values, high: Values) -> FloatArray: ...
    def share(self, low: Values, high: Values, k: Values | None = None) -> FloatArray: ...
    def rest(self, low: Values, high: Values, k: Values | None = None) -> FloatArray: ...


@dataclass(frozen=True, slots=True)
class Shift:
    """From the prevalence of the table to another one."""

    origin: float
    origin_odds: float
    target: float

    @property
    def odds(self) -> float:
        """Odds of the prevalence that is shifted to."""
        return self.target / (1 - self.target)

    def scores(self, score: FloatArray) -> FloatArray:
        """Scores at the other prevalence; at the table's own they are the scores themselves."""
        if self.target == self.origin:
            return score
        up, down = score * (self.target * (1 - self.origin)), (1 - score) * (self.origin * (1 - self.target))
        return up / (up + down)

    def score_odds(self, score: FloatArray) -> FloatArray:
        """Odds of the scores at the other prevalence."""
        return score / (1 - score) * (self.odds / self.origin_odds)


def odds_of(probability: float) -> float:
    """Odds of a probability, infinite at 1."""
    return probability / (1 - probability) if probability < 1 else math.inf


def probability_of(odds: FloatArray) -> FloatArray:
    """Probability of odds that may be infinite."""
    finite = np.minimum(odds, ENDLESS)
    return np.asarray(finite / (1 + finite))

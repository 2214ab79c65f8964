"""Cases weighed by how far they were followed, as tables and intervals see them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from stakes._arrays import BoolArray, FloatArray
from stakes._errors import Argument, InputError, Name
from stakes.outcome._event_by import EventBy, censoring_weights


@dataclass(frozen=True, eq=False)
class Weighed:
    """Cases of an outcome with their own weights, and with those that censoring leaves them.

    `counts` says whether people can be counted: not where cases entered late, as they are not those of the start.
    """

    outcome: EventBy
    cases: FloatArray  # weight of each case, known or not
    weight: FloatArray  # the same times its censoring weight: 0 where unknown

    @property
    def positive(self) -> BoolArray:
        """Whether each case had the event by the horizon."""
        return self.outcome.positive

    @property
    def counts(self) -> bool:
        """Whether the cases are a sample of all people."""
        return self.outcome._followed.entry is None

    def through(self, moves: FloatArray) -> FloatArray:
        """Add to the influence of each case what it moves by its part in the weights of others."""
        return self.outcome._staying.through(moves, self.cases)

    def ratios(self, counts: FloatArray) -> FloatArray | None:
        """Return how often each case counts where it was drawn `counts` times and censoring is estimated anew.

        None where the risk is then not identified.
        """
        found = self.outcome._staying.weights(self.cases * counts)
        if np.isnan(found).any():
            return None
        own = np.where(self.weight > 0, self.weight, 1.0)
        return counts * found * self.cases / own


def weigh(outcome: EventBy, weight: FloatArray | None) -> Weighed | None:
    """Weigh cases by their outcome; None where everybody is known, so that nothing changes."""
    found = censoring_weights(outcome, weight)
    if bool(np.all(found == 1.0)):
        return None
    cases = np.ones(len(outcome)) if weight is None else weight
    return Weighed(outcome, cases, cases * found)


def check_outcome(name: Name, y: Any, pos_label: object) -> EventBy | None:
    """Return an outcome that is an EventBy; None for any other."""
    if not isinstance(y, EventBy):
        return None
    if pos_label is not None:
        wanted = ("not be given with an EventBy, whose ", Argument("cause"), " is the positive label")
        raise InputError("pos_label", wanted, repr(pos_label))
    return y

"""Cases weighed by how far they were followed, as tables and intervals see them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from stakes._arrays import BoolArray, FloatArray
from stakes._errors import Argument, InputError
from stakes._facts import effective_cases
from stakes.outcome._event_by import EventBy, censoring_weights, each_horizon
from stakes.outcome._staying import IntArray


@dataclass(frozen=True, eq=False)
class WeightedOutcome:
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

    @cached_property
    def signed(self) -> FloatArray:
        """The weight of each case, below 0 for a negative one; the tables of all models begin with it."""
        return np.where(self.positive, self.weight, 0.0 - self.weight)  # so that 0 has no sign

    @property
    def horizons(self) -> dict[float, float]:
        """Several horizons, with the share of each; none where there is one."""
        return {}

    @property
    def counts(self) -> bool:
        """Whether the cases are a sample of all people."""
        return self.outcome._followed.entry is None

    @cached_property
    def effective_cases(self) -> tuple[float, float]:
        """Effective numbers of positive and of negative cases."""
        return effective_cases(self.positive, self.weight)

    def clusters(self, cluster: IntArray | None) -> IntArray | None:
        """Return the cluster of each case; of several horizons at each, where a case is one if it has none."""
        return cluster

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

    def sample(self, most: int) -> tuple[IntArray, WeightedOutcome] | None:
        """Return the rows of a fixed sample of independent cases, or all, with censoring estimated from them.

        None where somebody of the sample must be followed longer to tell its risk.
        """
        if len(self.cases) <= most:
            return np.arange(len(self.cases)), self
        rows = np.sort(np.random.default_rng(0).choice(len(self.cases), most, replace=False))
        if self.outcome._followed.take(rows).staying(self.outcome.horizon).gap() is not None:
            return None
        some, cases = self.outcome[rows], self.cases[rows]
        return rows, WeightedOutcome(some, cases, cases * censoring_weights(some, cases))


@dataclass(frozen=True, eq=False)
class WeighedHorizons(WeightedOutcome):
    """Cases at several horizons, those of one after those of the other, weighed by the share of each.

    The cases of a horizon weigh its share of the whole, so a mean over all of them is the mean of those of the
    horizons.
    """

    people: FloatArray  # weight of each case, whatever the horizon

    @property
    def horizons(self) -> dict[float, float]:
        """The horizons, with the share of each."""
        return dict(zip(self.outcome.horizons, self.outcome.horizon_weights, strict=True))

    @property
    def positive(self) -> BoolArray:
        """Whether each case had the event by each horizon."""
        return np.concatenate([one.positive for one in each_horizon(self.outcome)])

    def clusters(self, cluster: IntArray | None) -> IntArray:
        """Return the cluster of each case at each horizon; a case is one, if not part of another."""
        found = np.tile(np.arange(len(self.people)) if cluster is None else cluster, len(self.outcome.horizons))
        found.flags.writeable = False
        return found

    def through(self, moves: FloatArray) -> FloatArray:
        """Add to the influence of each case what it moves by its part in other weights at its horizon."""
        outcomes = each_horizon(self.outcome)
        parts = zip(outcomes, np.split(moves, len(outcomes)), strict=True)
        return np.concatenate([one._staying.through(part, self.people) for one, part in parts])


def _weigh_horizons(outcome: EventBy, weight: FloatArray | None) -> WeighedHorizons:
    people = outcome._ones if weight is None else weight
    shares, found = outcome.horizon_weights, [people * censoring_weights(one, weight) for one in each_horizon(outcome)]
    weights = [share * people.sum() / one.sum() * one for share, one in zip(shares, found, strict=True)]
    everyone = np.concatenate([share * people for share in shares])
    return WeighedHorizons(outcome, everyone, np.concatenate(weights), people)


def weigh(outcome: EventBy, weight: FloatArray | None) -> WeightedOutcome | None:
    """Weigh cases by their outcome; None where everybody is known by one horizon, so that nothing changes."""
    if len(outcome.horizons) > 1:
        return _weigh_horizons(outcome, weight)
    found = censoring_weights(outcome, weight)
    if bool(np.all(found == 1.0)):
        return None
    if weight is None:
        return WeightedOutcome(outcome, outcome._ones, found)
    return WeightedOutcome(outcome, weight, weight * found)


def early_end(outcome: EventBy, rows: BoolArray) -> float | None:
    """Return when the follow-up of some cases ends, if that leaves their risk by the horizon open."""
    gap = outcome._followed.take(rows).staying(outcome.horizon).gap()
    return None if gap is None else gap[1]


def check_group(outcome: EventBy, name: str, rows: BoolArray) -> None:
    """Raise where the risk of a group by the horizon is not known, though that of the sample is."""
    gap = outcome._followed.take(rows).staying(outcome.horizon).gap()
    if gap is None:
        return
    who, when = gap
    ended = f"nobody at risk after {when:g}" if outcome._followed.entry is not None else f"{who} censored at {when:g}"
    hint = ("leave out its cases, or ", Argument("group"), ", or choose an earlier horizon")
    wanted = f"have groups that were followed until the horizon {outcome.horizon:g}"
    raise InputError("group", wanted, f"{name!r}, with {ended}", hint=hint)

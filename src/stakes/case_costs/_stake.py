"""Stakes of cases, and the scores that follow from them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from stakes import _columns
from stakes._arrays import BoolArray, FloatArray, blocks, in_threads
from stakes._errors import Argument

_ORDINARY = 2.0**-200, 2.0**200  # of costs whose products with probabilities and sums neither under- nor overflow


class Losses:
    """Losses of each action in every case, by its outcome."""

    def __init__(self, acting: FloatArray, leaving: FloatArray) -> None:
        self.saved = np.maximum(leaving, 0.0)  # by acting on a positive
        self.lost = np.maximum(acting, 0.0)  # by acting on a negative
        self.saved_else = _unless_none(np.maximum(-acting, 0.0))  # by acting on a negative
        self.lost_else = _unless_none(np.maximum(-leaving, 0.0))  # by acting on a positive
        # Where nothing is expected to be lost either way, act if that can never be wrong and may be right.
        self.certain = ((leaving > 0) & (acting <= 0)) | ((acting < 0) & (leaving >= 0))
        self.equal = (acting == leaving) & (acting > 0)

    @classmethod
    def of(cls, acting: FloatArray, leaving: FloatArray) -> Losses:
        """Return the losses of cases; extreme ones in a unit of each case, since only their ratio matters."""
        largest = np.maximum(np.abs(acting), np.abs(leaving))
        staked = largest[largest > 0]
        if not staked.size or (staked.min() >= _ORDINARY[0] and staked.max() <= _ORDINARY[1]):
            return cls(acting, leaving)
        power = -np.frexp(largest)[1]
        return cls(np.ldexp(acting, power), np.ldexp(leaving, power))

    def expected(self, p: FloatArray, rows: slice = slice(None)) -> tuple[FloatArray, FloatArray]:
        """Return the expected loss of leaving and of acting in some rows, whose probabilities are given."""
        other = 1 - p
        saved, lost = p * self.saved[rows], other * self.lost[rows]
        if self.saved_else is not None:
            saved += other * self.saved_else[rows]
        if self.lost_else is not None:
            lost += p * self.lost_else[rows]
        return saved, lost

    def scores(self, p: FloatArray) -> FloatArray:
        """Return the share of the expected loss of leaving in that of both actions."""
        score = np.empty(len(p))
        for rows in blocks(len(p)):
            saved, both = self.expected(p[rows], rows)
            both += saved
            score[rows] = self.certain[rows]  # where nothing is expected to be lost either way
            np.divide(saved, both, out=score[rows], where=both > 0)
            np.copyto(score[rows], p[rows], where=self.equal[rows])  # bit for bit, where costs say nothing
        return score


def price_of_effort(worth: FloatArray, effort: FloatArray, budget: float) -> float:
    """Return the price at which the cases that are worth it just fill a budget; 0 where all do.

    `worth` is the expected net gain per unit of effort. Of cases worth the same, all are chosen or none.
    """
    order = np.argsort(-worth, kind="stable")
    ranked = worth[order]
    wanted = ranked >= 0  # a tie acts
    chosen = (np.cumsum(effort[order]) <= budget * (1 + 1e-12)) & wanted
    if chosen[wanted].all():
        return 0.0
    best_left = ranked[int(chosen.sum())]
    dearer = ranked[chosen & (ranked > best_left)]
    return float(dearer[-1] if len(dearer) else np.nextafter(best_left, np.inf))


def _unless_none(column: FloatArray) -> FloatArray | None:
    return column if column.any() else None


@dataclass(frozen=True)
class Stakes:
    """Stake of each case given its outcome, and the side of the decision on which it lies."""

    acting: FloatArray
    leaving: FloatArray
    side: BoolArray
    stake: FloatArray
    floor: FloatArray

    def scores(self, p: npt.NDArray[np.floating]) -> FloatArray:
        """Return the stake-adjusted score of each case."""
        return self._losses.scores(p.astype(np.float64, copy=False))

    @cached_property
    def _losses(self) -> Losses:
        return Losses.of(self.acting, self.leaving)

    def adjusted(self, scores: Mapping[str, npt.NDArray[np.floating]]) -> dict[str, FloatArray]:
        """Return the stake-adjusted scores of models; raise unless theirs are probabilities."""
        checked = {name: _columns.probabilities(Argument("predictions", name), one) for name, one in scores.items()}
        _ = self._losses  # once, before threads ask for it
        return in_threads(self.scores, checked)

    @cached_property
    def signed(self) -> FloatArray:
        """Stake of each case, below 0 where leaving it is right."""
        return np.where(self.side, self.stake, -self.stake)

    @property
    def swapped(self) -> BoolArray:
        """Whether acting on each case pays on negatives and loses on positives."""
        return np.asarray((self.acting < 0) & (self.leaving < 0))

    def crossed(self, positive: BoolArray) -> FloatArray:
        """Return the stake of each case that lies on the other side than its outcome, 0 for others."""
        return np.where(~self.swapped & (self.side != positive), self.stake, 0.0)

    def some(self, here: BoolArray | slice) -> Stakes:
        """Return the stakes of some cases."""
        return Stakes(self.acting[here], self.leaving[here], self.side[here], self.stake[here], self.floor[here])

"""Stakes of cases, and the scores that follow from them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from stakes import _columns
from stakes._arrays import BoolArray, FloatArray
from stakes._errors import Argument


def expected_losses(p: FloatArray, acting: FloatArray, leaving: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the expected loss of leaving and of acting."""
    other = 1 - p
    saved = p * np.maximum(leaving, 0.0) + other * np.maximum(-acting, 0.0)
    lost = p * np.maximum(-leaving, 0.0) + other * np.maximum(acting, 0.0)
    return saved, lost


def stake_scores(p: FloatArray, acting: FloatArray, leaving: FloatArray) -> FloatArray:
    """Return the share of the expected loss of leaving in that of both actions."""
    saved, lost = expected_losses(p, acting, leaving)
    both = saved + lost
    # Where nothing is expected to be lost either way, act if that can never be wrong and may be right.
    certain = ((leaving > 0) & (acting <= 0)) | ((acting < 0) & (leaving >= 0))
    score = np.divide(saved, both, out=np.where(certain, 1.0, 0.0) + np.zeros_like(both), where=both > 0)
    return np.where((acting == leaving) & (acting > 0), p, score)  # bit for bit, where costs say nothing


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
        return stake_scores(p.astype(np.float64, copy=False), self.acting, self.leaving)

    def adjusted(self, scores: Mapping[str, npt.NDArray[np.floating]]) -> dict[str, FloatArray]:
        """Return the stake-adjusted scores of models; raise unless theirs are probabilities."""
        return {
            name: self.scores(_columns.probabilities(Argument("predictions", name), one))
            for name, one in scores.items()
        }

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

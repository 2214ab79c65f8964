"""The worth of settling the costs, or the prevalence, before choosing among options."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import special

from stakes._arrays import FloatArray
from stakes.beliefs import At, CostBelief, as_belief, as_costs, of_actions, parts
from stakes.cases import Cases
from stakes.measures import Measure, expected_regret
from stakes.prevalence import at_prevalence
from stakes.table import ScoreTable

_MEASURES = ("expected_regret", "shifted_regret")  # means over the costs, by their losses

_CELLS, _FEWEST = 128, 8  # values that stand for a range of prevalences, and the fewest
_ROWS = 1 << 21  # rows of all options at all these values, beyond which there are fewer of them
_AT_A_TIME = 1 << 16  # ranges of costs, between the scores of all options

_FAR = 1e-6  # from 0 and 1: prevalences beyond it count as this far


def values_of_settling(cases: Cases, measure: Measure) -> tuple[float | None, float | None]:
    r"""Return the worth of knowing the costs, and of knowing the prevalence, before choosing.

    With :math:`R_k(c)` the regret of option *k* at the cost *c*, it is
    :math:`\min_k E_c R_k(c) - E_c \min_k R_k(c)`, and so for the prevalence. None where the measure is no such mean, or
    where what is believed has no law.
    """
    if measure.name not in _MEASURES:
        return None, None
    given: dict[str, Any] = measure.value.keywords  # type: ignore[attr-defined]
    costs = as_costs("costs", given["costs"])
    if of_actions(costs):
        return None, None
    tables = [cases.table(name) for name in cases.models]
    if "prevalence" not in given:
        return _of_costs([[(1.0, table)] for table in tables], costs), None
    shares = _values(as_belief("prevalence", given["prevalence"]), sum(map(len, tables)))
    if shares is None:
        return None, None
    moved = [[(weight, at_prevalence(table, value)) for value, weight in shares] for table in tables]
    means = np.array([[expected_regret(table, costs) for _, table in option] for option in moved])
    weights = np.array([weight for _, weight in shares])
    return _of_costs(moved, costs), _or_none(float((means @ weights).min() - means.min(axis=0) @ weights))


def _or_none(value: float) -> float | None:
    return max(value, 0.0) if math.isfinite(value) else None


def _values(belief: Any, rows: int) -> list[tuple[float, float]] | None:
    """Return prevalences with their probabilities: those of a range stand for its parts, even in log-odds."""
    cells = min(max(_ROWS // max(rows, 1), _FEWEST), _CELLS)
    found: list[tuple[float, float]] = []
    for weight, part in parts(belief, split_atoms=True):
        if isinstance(part, At):
            found.append((part.value, weight))
        elif hasattr(part, "share_above"):
            low, high = special.logit(np.clip(part.support, _FAR, 1 - _FAR))
            edges = np.linspace(low, high, cells + 1)
            masses = -np.diff(np.concatenate([[1.0], part.share_above(special.expit(edges[1:-1])), [0.0]]))
            middles = special.expit((edges[1:] + edges[:-1]) / 2)
            found += [(float(at), weight * float(mass)) for at, mass in zip(middles, masses, strict=True) if mass > 0]
        else:
            return None
    return found


@dataclass(frozen=True)
class _Option:
    """The scores of an option, with the masses of both classes up to each; `missed[0]` is 0."""

    score: FloatArray
    missed: FloatArray
    spared: FloatArray

    @classmethod
    def of(cls, tables: Sequence[tuple[float, ScoreTable]]) -> _Option:
        """Put tables together, each with its probability."""
        score = np.concatenate([np.asarray(table.score, dtype=np.float64) for _, table in tables])
        order = np.argsort(score, kind="stable")
        masses = (
            np.concatenate([weight * side(table) / table.total for weight, table in tables])[order]
            for side in (_positive, _negative)
        )
        return cls(score[order], *(np.concatenate([[0.0], np.cumsum(mass)]) for mass in masses))

    def mistakes(self, knots: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the masses of misses and false alarms where the threshold lies just above each knot."""
        place = np.searchsorted(self.score, knots, side="right")
        return self.missed[place], self.spared[-1] - self.spared[place]


def _positive(table: ScoreTable) -> FloatArray:
    return np.asarray(table.positive, dtype=np.float64)


def _negative(table: ScoreTable) -> FloatArray:
    return np.asarray(table.negative, dtype=np.float64)


def _of_costs(options: Sequence[Sequence[tuple[float, ScoreTable]]], costs: CostBelief) -> float | None:
    """Return the mean cost of the best option, less that of the option that is best at each cost."""
    scored = [_Option.of(tables) for tables in options]
    knots = np.unique(np.concatenate([[0.0, 1.0], *(one.score for one in scored)]))
    means, best = np.zeros(len(scored)), 0.0
    for start in range(0, len(knots) - 1, _AT_A_TIME):
        part = _Pieces.between(knots[start : start + _AT_A_TIME + 1], scored, costs)
        if not np.isfinite(np.r_[part.miss, part.alarm]).all():
            return None
        means += part.means()
        best += sum(one.best() for one in part.split(costs))
    return _or_none(float(means.min() - best))


@dataclass(frozen=True)
class _Pieces:
    """Ranges of costs on which every option makes the same mistakes, so that its regret is a line.

    `miss` and `alarm` are what a miss and a false alarm cost there, times the probability of the range.
    """

    low: FloatArray
    high: FloatArray
    miss: FloatArray
    alarm: FloatArray
    missed: FloatArray  # pieces x options
    alarmed: FloatArray

    @classmethod
    def between(cls, knots: FloatArray, options: Sequence[_Option], costs: CostBelief) -> _Pieces:
        """Return the pieces between neighbouring knots that the costs may lie in."""
        low, high = knots[:-1], knots[1:]
        miss, alarm = _masses(low, high, costs)
        here = ~((miss == 0) & (alarm == 0))
        mistakes = [one.mistakes(low[here]) for one in options]
        missed, alarmed = (np.column_stack(side) for side in zip(*mistakes, strict=True))
        return cls(low[here], high[here], miss[here], alarm[here], missed, alarmed)

    def means(self) -> FloatArray:
        """Return what each option costs on the pieces together."""
        return self.miss @ self.missed + self.alarm @ self.alarmed

    def _first_and_last(self) -> tuple[Any, Any]:
        """Return the options that cost least at the lower and at the upper end of each piece."""
        first, last = (self.missed * (1 - c)[:, None] + self.alarmed * c[:, None] for c in (self.low, self.high))
        return first.argmin(axis=1), last.argmin(axis=1)

    def split(self, costs: CostBelief) -> Iterator[_Pieces]:
        """Give pieces on each of which one option costs least.

        A line that is the lowest at both ends of a piece is so in between.
        """
        left = self
        while len(left.low):
            a, b = left._first_and_last()
            rows = np.arange(len(a))
            ahead = left.missed[rows, b] - left.missed[rows, a]
            back = left.alarmed[rows, a] - left.alarmed[rows, b]
            with np.errstate(invalid="ignore", divide="ignore"):
                cut = ahead / (ahead + back)  # where the lines of both cross
            torn = (a != b) & (cut > left.low) & (cut < left.high)
            yield left.among(~torn)
            left = left.among(torn).cut(cut[torn], costs)

    def among(self, rows: Any) -> _Pieces:
        """Return some of the pieces."""
        return _Pieces(*(column[rows] for column in vars(self).values()))

    def cut(self, at: FloatArray, costs: CostBelief) -> _Pieces:
        """Return both parts of each piece."""
        low, high = np.r_[self.low, at], np.r_[at, self.high]
        return _Pieces(low, high, *_masses(low, high, costs), *(np.tile(one, (2, 1)) for one in self._mistakes))

    @property
    def _mistakes(self) -> tuple[FloatArray, FloatArray]:
        return self.missed, self.alarmed

    def best(self) -> float:
        """Return the cost of the better of the options that cost least at the ends, on all pieces together."""
        rows = np.arange(len(self.low))
        ends = (
            self.miss * self.missed[rows, one] + self.alarm * self.alarmed[rows, one] for one in self._first_and_last()
        )
        return float(np.minimum(*ends).sum())


def _masses(low: FloatArray, high: FloatArray, costs: CostBelief) -> tuple[FloatArray, FloatArray]:
    """Return the mean costs of a miss and of a false alarm, over costs between both ends."""
    with np.errstate(all="ignore"):
        sides: tuple[Callable[[Any], FloatArray], ...] = (costs.loss_if_positive, costs.loss_if_negative)
        miss, alarm = (np.asarray(loss(high), dtype=np.float64) - loss(low) for loss in sides)
    return -miss, alarm

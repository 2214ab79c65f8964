"""Several actions as a belief about costs, and the action that each probability calls for."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from stakes import _check, _columns
from stakes._arrays import FloatArray
from stakes._errors import InputError
from stakes._sql import score_name, sql_number
from stakes.beliefs._action_costs import ActionCosts, SampledCosts
from stakes.beliefs._action_steps import Steps, kept_actions
from stakes.beliefs._belief import OfActions
from stakes.beliefs._combined import Mixture
from stakes.beliefs._points import Atoms


@dataclass(frozen=True, repr=False)
class ActionBelief(OfActions):
    """Several actions with their costs, as a belief about thresholds."""

    names: tuple[str, ...]
    source: ActionCosts

    def __repr__(self) -> str:
        shown = ", ".join(f"{name!r}: {_pair(pair)}" for name, pair in self.costs.items())
        return f"{type(self).__name__}({{{shown}}}{self.source.remark})"

    @property
    def costs(self) -> dict[str, tuple[float, float]]:
        """Mean cost of each action for a negative and a positive; infinite where a scenario lacks it."""
        return dict(zip(self.names, self.source.stated, strict=True))

    @property
    def weighed_costs(self) -> dict[str, tuple[float, float]]:
        """Mean costs by which one decides: with an exchange, those of each outcome times its mean weight."""
        return dict(zip(self.names, self.source.mean, strict=True))

    @property
    def kept(self) -> tuple[str, ...]:
        """Actions that are the cheapest at some probability, mildest first, by the mean costs."""
        return tuple(self.names[k] for k in self._kept)

    @property
    def dropped(self) -> tuple[str, ...]:
        """Actions that are never strictly the cheapest, by the mean costs, in the order given."""
        return tuple(name for name in self.names if name not in self.kept)

    @property
    def thresholds(self) -> tuple[float, ...]:
        """Probability from which each action but the mildest is taken, by the mean costs."""
        costs = np.array([self.source.mean[k] for k in self._kept])
        alarm, miss = np.diff(costs[:, 0]), -np.diff(costs[:, 1])
        return tuple((alarm / (alarm + miss)).tolist())

    def decide(self, probability: npt.ArrayLike) -> npt.NDArray[np.str_]:
        """Return the cheapest action for each probability; of two that tie, the more active.

        Parameters
        ----------
        probability : array-like
            Probability that each case is positive.

        Returns
        -------
        ndarray of str
            The name of an action for each case.

        Examples
        --------
        >>> from stakes.beliefs import Actions
        >>> Actions.refer(false_negative=10, false_positive=1, fee=0.2).decide([0.01, 0.02, 0.9]).tolist()
        ['leave', 'refer', 'act']
        """
        p = _columns.probabilities("probability", np.atleast_1d(np.asarray(probability)))
        return np.array(self.kept)[np.searchsorted(self.thresholds, p, side="right")]

    def to_sql(self, score: str = "score") -> str:
        """Return the rule as an SQL expression: the name of an action, NULL where a score is missing.

        Parameters
        ----------
        score : str
            Name of the column of probabilities, written in quotation marks unless it is a plain word, as in
            `Policy.to_sql`.

        Returns
        -------
        str
            The expression; its thresholds have every digit, and are floating-point numbers in any dialect.

        Examples
        --------
        >>> from stakes.beliefs import Actions
        >>> Actions({"leave": (0, 3), "act": (1, 0)}).to_sql("risk")
        "CASE WHEN risk >= 0.25e0 THEN 'act' WHEN risk < 0.25e0 THEN 'leave' END"
        """
        column = score_name(score)
        mildest, *others = ("'" + name.replace("'", "''") + "'" for name in self.kept)
        if not others:
            return f"CASE WHEN {column} IS NOT NULL THEN {mildest} END"
        bounds = [sql_number(float(threshold)) for threshold in self.thresholds]
        steps = [f"WHEN {column} >= {bound} THEN {name}" for bound, name in zip(bounds, others, strict=True)]
        return f"CASE {' '.join(reversed(steps))} WHEN {column} < {bounds[0]} THEN {mildest} END"

    @cached_property
    def _kept(self) -> list[int]:
        return kept_actions(self.source.mean)

    # ------------------------------------------------------------------------------------------------------ as a belief

    @property
    def floor(self) -> tuple[float, float]:
        """Mean cost of a negative and of a positive under the best action for each, which no model changes."""
        return self._steps.floor

    @property
    def mass(self) -> float:
        """Mean cost of all steps together, each of one false alarm plus one miss."""
        return float(self._steps.mass.sum() + sum(mass for mass, _ in self._steps.spread))

    @property
    def mean(self) -> float:
        """Mean threshold, weighted by what both mistakes cost at each."""
        return float(self.loss_if_negative(1.0)) / self.mass

    @property
    def support(self) -> tuple[float, float]:
        """The lowest and the highest threshold."""
        low, high = self.law.support
        return float(low), float(high)

    def loss_if_positive(self, score: npt.ArrayLike) -> FloatArray:
        """Mean cost of a positive with this score, above the floor."""
        return self._steps.loss_if_positive(score)

    def loss_if_negative(self, score: npt.ArrayLike) -> FloatArray:
        """Mean cost of a negative with this score, above the floor."""
        return self._steps.loss_if_negative(score)

    def share_above(self, score: npt.ArrayLike) -> FloatArray:
        """Share of the mass at thresholds above the score."""
        return np.asarray(self.law.share_above(score))

    def odds_up_to(self, score: npt.ArrayLike) -> FloatArray:
        """Mean of the odds of the threshold over the thresholds up to the score."""
        return np.asarray(self.law.odds_up_to(score))

    def sample(self, n: int, rng: np.random.Generator | int | None = None) -> FloatArray:
        """Draw `n` thresholds, each as often as what both mistakes cost there."""
        return np.asarray(self.law.sample(n, rng))

    def standard_error(self, table: Any) -> float:
        """Return the standard error of the expected regret of a table by the costs drawn; 0 where none were.

        Parameters
        ----------
        table : ScoreTable
            The sample.

        Returns
        -------
        float
            The standard error over the sets of costs, of which the regret is the mean.
        """
        _check.check_tables("table", table)
        if not isinstance(self.source, SampledCosts):
            return 0.0
        each = self.source.each(table.score, table.positive, table.negative) / table.total
        return float(np.std(each, ddof=1) / np.sqrt(len(each)))

    @cached_property
    def law(self) -> Any:
        """The thresholds as a belief about the cost proportion, in proportion to their mass."""
        steps = self._steps
        beliefs, masses = [belief for _, belief in steps.spread], [mass for mass, _ in steps.spread]
        if len(steps.threshold):
            beliefs.append(Atoms(np.clip(steps.threshold, np.nextafter(0, 1), np.nextafter(1, 0)), steps.mass))
            masses.append(float(steps.mass.sum()))
        if not beliefs:
            raise InputError("costs", "leave a choice", f"{self!r}", hint=self.no_choice)
        return beliefs[0] if len(beliefs) == 1 else Mixture(beliefs, masses)

    @property
    def no_choice(self) -> str:
        """Explain why no forecast matters, where one action is the cheapest for negatives and for positives."""
        return f"{self.kept[0]!r} is the cheapest action whatever the outcome, so no forecast changes this decision"

    @property
    def only_threshold(self) -> float | None:
        """The threshold, if there is one and it is known exactly; otherwise None."""
        steps = self._steps
        return float(steps.threshold[0]) if len(steps.threshold) == 1 and not steps.spread else None

    @cached_property
    def _steps(self) -> Steps:
        return self.source.steps()


def _pair(costs: tuple[float, float]) -> str:
    return f"({costs[0]:g}, {costs[1]:g})"

"""A policy for cases with costs of their own: every case has its own threshold, by its costs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from stakes import _columns
from stakes._arrays import BoolArray, FloatArray
from stakes._cost_columns import UNLESS_GIVEN, CostColumn, columns_among, filled, read_cost_column, write_cost
from stakes._errors import InputError, InputTypeError
from stakes.beliefs import CostBelief, as_costs, only_cost
from stakes.case_costs import CaseCosts
from stakes.measures import expected_regret
from stakes.policy._apply import step_costs
from stakes.policy._best_thresholds import quotient
from stakes.policy._case_sql import stake_rule
from stakes.policy._policy import Policy
from stakes.table import ScoreTable


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class CasePolicy(Policy):
    """The policy of a model whose cases have costs of their own, as `Evaluation.policy` returns it.

    Its thresholds are on the stake-adjusted score of `CaseCosts.scores`, so that every case has a threshold of its own
    on the model's score, by its costs. At costs as stated and without limits, one acts where that score reaches one
    half, as `CaseCosts.act` does. Under limits it is the threshold that they allow and that costs least in the sample.

    Attributes
    ----------
    scale, from_cost, to_cost, share, limits, prevalence, model : as in `Policy`
        The costs of each step and what it was chosen under.
    threshold : ndarray of float64
        The smallest stake-adjusted score to act on; infinite where no alarm is raised.
    false_positive_rate, recall, precision, alarms_per_thousand : ndarray of float64
        The operating point, counted in cases.
    regret : ndarray of float64
        Mean regret over the costs of the step, as a share of what is at stake.
    case_costs : dict of str to float or str
        The costs of a case as they were stated: numbers, and columns such as ``"amount"`` or ``"0.75*amount"``. A cost
        that was given as an array has the name of its argument.

    Examples
    --------
    >>> import pandas as pd
    >>> from stakes import CaseCosts, evaluate
    >>> frame = pd.DataFrame({"fraud": [0, 1, 0, 1], "risk": [0.1, 0.6, 0.2, 0.4], "amount": [10, 500, 80, 900]})
    >>> costs = CaseCosts(false_negative="amount", false_positive=5)
    >>> policy = evaluate("fraud", ["risk"], "as stated", data=frame, case_costs=costs).policy()
    >>> policy
    CasePolicy(1 step over cost proportion 0.5 to 0.5, false_negative='amount', false_positive=5)
    >>> policy.act([0.1, 0.1], case_costs=pd.DataFrame({"amount": [10, 1000]})).tolist()
    [False, True]
    """

    case_costs: Mapping[str, float | str] = field(default_factory=dict)

    def act(
        self,
        scores: npt.ArrayLike,
        cost: float | str | npt.ArrayLike | None = None,
        *,
        prevalence: float | str | None = None,
        case_costs: Any = None,
    ) -> BoolArray:
        """Return which new cases to act on, by their scores and costs.

        Parameters
        ----------
        scores : array-like
            Probabilities of the new cases, of the model that the policy was chosen for.
        cost : float, words or array-like, optional
            What a false alarm counts: "as stated", a multiplier such as "x2", or its share of both mistakes together,
            as in `Policy.act`, which is one half for costs as stated and 2/3 for "x2".
        prevalence : float or words, such as "2%", keyword-only, optional
            Prevalence among the new cases, if not that of the sample.
        case_costs : CaseCosts, data frame or mapping of columns, keyword-only
            The costs of the new cases, or columns that have them under the names of the policy.

        Returns
        -------
        ndarray of bool
            True where one acts.
        """
        if np.shape(scores) == (0,):
            return np.zeros(0, dtype=np.bool_)
        costs = self._costs_of(case_costs)
        probability = _columns.probabilities("scores", scores)
        if len(costs) not in (1, len(probability)):
            got = f"{len(probability)} and {len(costs)}"
            raise InputError(("scores", "case_costs"), "have the same length", got)
        return super().act(costs.scores(probability), _proportion(cost), prevalence=prevalence)

    def _sql_rule(self, score: str, cost: float | str | None, prevalence: float | str | None) -> str:
        return stake_rule(self, score, step_costs(self, _proportion(cost), prevalence), self._stated)

    @property
    def _stated(self) -> dict[str, float | CostColumn]:
        return {
            name: read_cost_column(name, cost) if isinstance(cost, str) else cost
            for name, cost in self.case_costs.items()
        }

    def _costs_of(self, given: Any) -> CaseCosts:
        """Return the costs of new cases, from an object or from columns of the stated names."""
        named = columns_among(self._stated)
        columns = ", ".join(dict.fromkeys(one.column for one in named.values()))
        wanted = f"be CaseCosts, or have the columns {columns}"
        if isinstance(given, CaseCosts):
            return given
        if given is None and named:
            raise InputError(
                "case_costs", f"be given with this policy, as CaseCosts or with the columns {columns}", "None"
            )
        arrays, kind = {}, type(given).__name__
        for name, cost in named.items():
            try:
                column = given[cost.column]
            except TypeError:
                raise InputTypeError("case_costs", wanted, kind) from None
            except (KeyError, IndexError, ValueError):
                raise InputTypeError("case_costs", wanted, f"{kind} without {cost.column}") from None
            except Exception as error:  # other frames have errors of their own for a column that is not there
                raise InputTypeError("case_costs", wanted, f"{kind} without {cost.column}") from error
            arrays[name] = _columns.scores(f"case_costs[{cost.column!r}]", column).astype(np.float64)
        return CaseCosts(**filled(self._stated, arrays))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, CasePolicy) and self.case_costs == other.case_costs and super().__eq__(other) is True

    __hash__ = None

    def __repr__(self) -> str:
        stated = {name: one for name, one in self.case_costs.items() if one != UNLESS_GIVEN.get(name)}
        costs = "".join(f", {name}={write_cost(one)}" for name, one in stated.items())
        return f"Case{super().__repr__()[:-1]}{costs})"


def _proportion(cost: Any) -> Any:
    """Return the cost proportion of one multiplier in words, and anything else as it came."""
    if not isinstance(cost, str) or not cost.strip().casefold().startswith(("as", "x")):
        return cost
    found = only_cost(as_costs("cost", cost, case_costs=True))
    if found is None:
        raise InputError("cost", "be one multiplier, such as x2 or as stated", repr(cost))
    return found


def at_threshold(table: ScoreTable, threshold: float, costs: CostBelief) -> dict[str, FloatArray]:
    """Return the one step of a policy that acts from its cost on, with its performance."""
    assert table.heads is not None
    above = table.heads.score >= threshold
    columns = table.heads.negative, table.heads.positive, table.heads.everyone
    false_alarms, true_alarms, alarms = (np.array([column[above].sum()]) for column in columns)
    return {
        **{name: np.array([threshold]) for name in ("from_cost", "to_cost", "threshold")},
        "share": np.array([1.0]),
        "false_positive_rate": quotient(false_alarms, table.heads.negative_total),
        "recall": quotient(true_alarms, table.heads.positive_total),
        "precision": quotient(true_alarms, false_alarms + true_alarms),
        "alarms_per_thousand": 1000 * alarms / table.heads.total,
        "regret": np.array([expected_regret(table, costs)]),
    }

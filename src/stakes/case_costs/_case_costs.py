"""Costs of each case: what every mistake costs, case by case, and the threshold that follows for each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from stakes import _check, _columns
from stakes._arrays import BoolArray, FloatArray
from stakes._cost_columns import COSTS, OUTCOMES, UNLESS_GIVEN
from stakes._errors import Argument, InputError
from stakes.beliefs import as_cost
from stakes.case_costs._one_cost import Costs, as_costs_of_cases, check_effort, show_costs
from stakes.case_costs._stake import Losses, price_of_effort


@dataclass(frozen=True, eq=False, repr=False)
class CaseCosts:
    r"""Costs of each case: of missing it, of a false alarm, and of being right.

    A missed fraud of 10,000 is not one of 10. With :math:`b_i` what leaving a positive loses (false negative less true
    positive) and :math:`a_i` what acting on a negative loses (false positive less true negative), acting on a case of
    probability :math:`p_i` is right from its own threshold on, :math:`p_i \ge a_i / (a_i + b_i)`. That is the same for
    all cases on the score

    .. math:: s_i = \frac{p_i b_i}{p_i b_i + (1 - p_i) a_i} \ge \tfrac12,

    so that a table of these scores, weighted with what is at stake, has every number and curve in money. Costs may
    have any sign: where acting is better whatever the outcome the score is 1, and where leaving is, 0. They must be
    known when the decision is taken; where they are forecast, give the forecast.

    Parameters
    ----------
    false_negative, false_positive : float or array-like, keyword-only
        Cost of not acting on a positive, and of acting on a negative, for all cases or one for each; 1 unless given.
        With a frame or a file, the column that holds it, such as ``"amount"``, or a number times a column,
        ``"0.75*amount"``.
    true_positive, true_negative : float or array-like, keyword-only
        Cost of acting on a positive, such as a handling fee, and of not acting on a negative; 0 unless given.
    effort : float or array-like, keyword-only, optional
        Effort that acting on each case takes, greater than 0, for a budget; 1 unless given.

    References
    ----------
    .. [1] C. Elkan (2001), "The foundations of cost-sensitive learning", IJCAI, 973-978.
    .. [2] A. C. Bahnsen, D. Aouada and B. Ottersten (2015), "Example-dependent cost-sensitive decision trees", Expert
       Systems with Applications 42(19), 6609-6619.

    Examples
    --------
    A missed fraud loses its amount, and every alarm costs 5 to look into:

    >>> from stakes import CaseCosts
    >>> costs = CaseCosts(false_negative=[10, 100, 1000], false_positive=5, true_positive=5)
    >>> costs
    CaseCosts(false_negative=10 to 1000, false_positive=5, true_positive=5)
    >>> costs.thresholds().tolist()
    [0.5, 0.05, 0.005]
    >>> costs.act([0.2, 0.2, 0.001]).tolist()
    [False, True, False]
    """

    false_negative: Costs
    false_positive: Costs
    true_positive: Costs
    true_negative: Costs
    effort: Costs | None

    def __init__(
        self,
        *,
        false_negative: Costs = 1.0,
        false_positive: Costs = 1.0,
        true_positive: Costs = 0.0,
        true_negative: Costs = 0.0,
        effort: Costs | None = None,
    ) -> None:
        given = (false_negative, false_positive, true_positive, true_negative, effort)
        for name, cost in zip(COSTS, given, strict=True):
            is_left_out = name == "effort" and cost is None
            object.__setattr__(self, name, None if is_left_out else as_costs_of_cases(name, cost))
        check_effort(self.effort)
        columns = {name: getattr(self, name) for name in COSTS}
        arrays: dict[Any, Any] = {name: one for name, one in columns.items() if isinstance(one, np.ndarray)}
        _columns.check_same_length(arrays)

    def scores(self, p: npt.ArrayLike) -> FloatArray:
        """Return the stake-adjusted score of each case.

        Parameters
        ----------
        p : array-like
            Probability of a positive for each case.

        Returns
        -------
        ndarray of float64
            The share of the expected loss of leaving in that of both actions; act where it reaches the cost
            proportion, one half for costs as stated.

        Examples
        --------
        >>> from stakes import CaseCosts
        >>> CaseCosts(false_negative=[9, 1], false_positive=1).scores([0.5, 0.5]).tolist()
        [0.9, 0.5]
        """
        probability = self._probability(p)
        return Losses.of(*self._lost(probability)).scores(probability)

    def thresholds(self, cost: float | str = 0.5) -> FloatArray:
        """Return the probability from which each case is acted on.

        Parameters
        ----------
        cost : float or words, such as "10%"
            What a false alarm counts, of both mistakes together; one half, the default, for costs as stated.

        Returns
        -------
        ndarray of float64
            One threshold for each case: 0 where acting is always right, infinite where it never is. Where acting pays
            on negatives only, there is none, and it is nan.

        Examples
        --------
        >>> from stakes import CaseCosts
        >>> CaseCosts(false_negative=[9, 1, 0], false_positive=1).thresholds().tolist()
        [0.1, 0.5, inf]
        """
        c = as_cost("cost", cost)
        acting, leaving = self.losses()
        alarm, miss = np.broadcast_arrays(c * acting, (1 - c) * leaving)
        with np.errstate(divide="ignore", invalid="ignore"):
            inner = alarm / (alarm + miss)
        always, never = (alarm <= 0) & (miss >= 0) & (alarm < miss), (miss <= 0) & (alarm >= 0)
        found = np.select([always, never, alarm < 0], [0.0, np.inf, np.nan], inner)
        return np.atleast_1d(found)

    def act(self, p: npt.ArrayLike, cost: float | str = 0.5, *, price: float = 0.0) -> BoolArray:
        """Return which cases to act on.

        Parameters
        ----------
        p : array-like
            Probability of a positive for each case.
        cost : float or words, such as "10%"
            What a false alarm counts, of both mistakes together; one half, the default, for costs as stated.
        price : float, keyword-only
            Price of a unit of effort, in the unit of the costs, as `price` returns it for a budget; 0 unless given.

        Returns
        -------
        ndarray of bool
            Whether to act on each case; a tie acts.

        Examples
        --------
        >>> from stakes import CaseCosts
        >>> CaseCosts(false_negative=[9, 1], false_positive=1).act([0.2, 0.2]).tolist()
        [True, False]
        """
        fee = _check.non_negative_number("price", price)
        if not fee:
            return np.asarray(self.scores(p) >= as_cost("cost", cost))
        return np.asarray(self._gain(p, cost) / self._effort() >= fee)  # as `price` compares them

    def price(self, p: npt.ArrayLike, budget: float, cost: float | str = 0.5) -> float:
        """Return the price of a unit of effort at which the cases worth acting on just fill a budget.

        With a limited budget the order by score is not the best one: cases are worth acting on in the order of their
        expected net gain per effort. A budget is a price: the same cases are chosen without a limit if every unit of
        effort costs this much more.

        Parameters
        ----------
        p : array-like
            Probability of a positive for each case.
        budget : float
            Effort that can be spent on these cases, in the unit of `effort`, or the number of cases without one.
        cost : float or words, such as "10%"
            What a false alarm counts, of both mistakes together; one half, the default, for costs as stated.

        Returns
        -------
        float
            The price, in the unit of the costs; 0 where the budget is enough. Of cases worth the same, all are acted on
            at a price or none.

        Examples
        --------
        Two of three cases can be looked into; the third is worth 1 in expectation:

        >>> from stakes import CaseCosts
        >>> costs = CaseCosts(false_negative=[9, 20, 3], false_positive=1)
        >>> price = costs.price([0.5, 0.5, 0.5], budget=2)
        >>> price, costs.act([0.5, 0.5, 0.5], price=price).tolist()
        (4.0, [True, True, False])
        """
        available = _check.non_negative_number("budget", budget)
        gain, effort = self._gain(p, cost), self._effort()
        return price_of_effort(gain / effort, np.broadcast_to(effort, gain.shape), available)

    def losses(self) -> tuple[FloatArray, FloatArray]:
        """Return what acting on a negative and leaving a positive lose, either of which may be a gain."""
        check_numbers(self)
        false_negative, false_positive, true_positive, true_negative = (getattr(self, name) for name in OUTCOMES)
        return np.asarray(false_positive - true_negative), np.asarray(false_negative - true_positive)

    def _probability(self, p: npt.ArrayLike) -> FloatArray:
        probability = _columns.probabilities("p", p).astype(np.float64, copy=False)
        check_length(self, "p", probability)
        return probability

    def _gain(self, p: npt.ArrayLike, cost: float | str) -> FloatArray:
        """Return the expected net gain of acting on each case, in the unit of the costs."""
        probability, c = self._probability(p), as_cost("cost", cost)
        saved, lost = Losses(*self._lost(probability)).expected(probability)
        return 2 * ((1 - c) * saved - c * lost)

    def _lost(self, probability: FloatArray) -> list[FloatArray]:
        return [np.broadcast_to(one, probability.shape) for one in self.losses()]

    def _effort(self) -> FloatArray:
        return np.asarray(1.0 if self.effort is None else self.effort, dtype=np.float64)

    def __getitem__(self, here: Any) -> CaseCosts:
        """Return the costs of some cases."""
        chosen = {name: getattr(self, name) for name in COSTS}
        return CaseCosts(**{name: one[here] if isinstance(one, np.ndarray) else one for name, one in chosen.items()})

    def __len__(self) -> int:
        return next((len(one) for name in COSTS if isinstance(one := getattr(self, name), np.ndarray)), 1)

    def __repr__(self) -> str:
        costs = {name: getattr(self, name) for name in COSTS}
        stated = {
            name: one for name, one in costs.items() if isinstance(one, np.ndarray) or one != UNLESS_GIVEN.get(name)
        }
        return f"CaseCosts({', '.join(f'{name}={show_costs(one)}' for name, one in stated.items())})"


def check_length(costs: CaseCosts, name: str, column: npt.NDArray[Any]) -> None:
    """Raise unless costs by case are as many as the cases."""
    if len(costs) not in (1, len(column)):
        raise InputError((name, "case_costs"), "have the same length", f"{len(column)} and {len(costs)}")


def check_numbers(costs: CaseCosts) -> None:
    """Raise where a column is named, whose values only a frame has."""
    for name in COSTS:
        cost = getattr(costs, name)
        if isinstance(cost, str):
            hint = ("with columns, give a frame or a file as ", Argument("data"))
            raise InputError(name, "be a number, or one for each case", f"the column {cost!r}", hint=hint)

"""Several actions with known or uncertain costs, as a belief about costs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from stakes import _check, _columns
from stakes._arrays import FloatArray
from stakes._errors import InputError
from stakes.beliefs._action_belief import ActionBelief
from stakes.beliefs._action_costs import ActionCosts, FeeRange, Matrix, SampledCosts, Scenarios
from stakes.beliefs._action_input import (
    as_error_rates,
    as_exchange,
    as_fee,
    as_named_costs,
    check_mistakes,
    check_ranges,
)
from stakes.beliefs._belief import elements, shares
from stakes.beliefs._coerce import BeliefLike

if TYPE_CHECKING:
    from typing import Self

CostsByAction = Mapping[str, tuple[float, float]]


@dataclass(frozen=True, init=False, repr=False)
class Actions(ActionBelief):
    r"""Several actions, each with a cost for negatives and one for positives, as a belief about costs.

    Whoever knows the probability takes the cheapest action. From each action that some probability needs to the next
    more active one, negatives lose :math:`a_j` and positives gain :math:`b_j`, and the threshold between the two is
    :math:`t_j = a_j/(a_j + b_j)`. So the mean cost of a case is

    .. math:: (1 - \pi)\,C_{00} + \pi\,C_{m1} + \sum_j (a_j + b_j)\,R(t_j),

    with :math:`R(c)` the regret at the cost proportion :math:`c`, :math:`\pi` the prevalence, :math:`C_{00}` what the
    mildest action costs a negative and :math:`C_{m1}` what the most active one costs a positive. The sum is
    `expected_regret` with these costs, in the user's own units; the other two are the `floor`, which no model changes.
    Two actions are a point, and with a fee between bounds (`refer`) the thresholds are uniform [1]_. Limits bind each
    threshold alone, as `best_thresholds` does with them; `evaluate` refuses limits where there are several actions.

    Parameters
    ----------
    costs : mapping of str to pair of float, or array of pairs
        Cost of each action if the case is negative, and if it is positive; negative costs are rewards. The rows of an
        array are called ``action 1``, ``action 2``, ....
    exchange : belief, number or words, such as "20%..50%", keyword-only, optional
        Belief about the weight :math:`c` of losses by acting too much, where losses by acting too little weigh
        :math:`1 - c`; both count as stated unless given. Each weight is divided by the mean of the two, which is one
        half, so that regrets stay in the unit of `costs`: 50% is the same as none, to the bit.

    References
    ----------
    .. [1] C. K. Chow (1970), "On optimum recognition error and reject tradeoff", IEEE Transactions on Information
       Theory 16(1), 41-46.

    Examples
    --------
    A triage with three doors:

    >>> from stakes import expected_regret, score_table
    >>> from stakes.beliefs import Actions
    >>> triage = Actions({"discharge": (0, 20), "observe": (1, 6), "admit": (4, 1)})
    >>> triage.kept, [round(threshold, 4) for threshold in triage.thresholds]
    (('discharge', 'observe', 'admit'), [0.0667, 0.375])
    >>> triage.decide([0.05, 0.2, 0.9]).tolist()
    ['discharge', 'observe', 'admit']
    >>> table = score_table(y=[0, 0, 1, 1], score=[0.05, 0.2, 0.3, 0.9])
    >>> expected_regret(table, triage)  # one negative observed, which costs 1, and one positive, which costs 5 too much
    1.5
    """

    def __init__(self, costs: CostsByAction | npt.ArrayLike, *, exchange: BeliefLike | None = None) -> None:
        names, pairs = as_named_costs("costs", costs)
        self._set(names, Matrix(pairs, None if exchange is None else as_exchange(exchange)))

    def _set(self, names: tuple[str, ...], source: ActionCosts) -> None:
        object.__setattr__(self, "names", names)
        object.__setattr__(self, "source", source)

    @classmethod
    def _of(cls, names: tuple[str, ...], source: ActionCosts) -> Self:
        made = object.__new__(cls)
        made._set(names, source)
        return made

    @classmethod
    def refer(
        cls,
        *,
        false_negative: float,
        false_positive: float,
        fee: float | tuple[float, float],
        expert: tuple[float, float] = (0.0, 0.0),
    ) -> Self:
        r"""Leave, refer to an expert, or act.

        With a perfect expert, referring is needed while its fee is below :math:`ab/(a + b)`, :math:`a` and :math:`b`
        the costs of the two mistakes; then cases are referred from the probability :math:`r/b` up to :math:`1 - r/a`.

        Parameters
        ----------
        false_negative, false_positive : float, keyword-only
            Cost of a miss and of a false alarm, greater than 0.
        fee : float or pair of float, keyword-only
            Cost of referring a case, or the bounds between which it is uniform; in closed form.
        expert : pair of float, keyword-only
            Share of the negatives on whom the expert acts and of the positives whom the expert misses; never unless
            given.

        Returns
        -------
        Actions
            The actions ``leave``, ``refer`` and ``act``.

        Examples
        --------
        >>> from stakes.beliefs import Actions
        >>> Actions.refer(false_negative=10, false_positive=1, fee=0.2).thresholds
        (0.02, 0.8)
        >>> Actions.refer(false_negative=10, false_positive=1, fee=2).dropped
        ('refer',)
        """
        miss, alarm = check_mistakes(false_negative, false_positive)
        low, high = as_fee("fee", fee)
        wrong = as_error_rates("expert", expert)
        costs = ((0.0, miss), (alarm * wrong[0], miss * wrong[1]), (alarm, 0.0))
        names = ("leave", "refer", "act")
        if low == high:
            return cls._of(names, Matrix((costs[0], (low + costs[1][0], low + costs[1][1]), costs[2])))
        return cls._of(names, FeeRange(costs, 1, low, high))

    @classmethod
    def test(
        cls, *, false_negative: float, false_positive: float, harm: float, sensitivity: float, specificity: float
    ) -> Self:
        """Leave, test and act on a positive result, or act.

        Parameters
        ----------
        false_negative, false_positive : float, keyword-only
            Cost of a miss and of a false alarm, greater than 0.
        harm : float, keyword-only
            Cost of the test for each case tested.
        sensitivity, specificity : float, keyword-only
            Share of the positives whom the test finds, and of the negatives whom it clears.

        Returns
        -------
        Actions
            The actions ``leave``, ``test`` and ``act``, whose thresholds are those of Pauker and Kassirer [1]_.

        References
        ----------
        .. [1] S. G. Pauker and J. P. Kassirer (1980), "The threshold approach to clinical decision making", New
           England Journal of Medicine 302(20), 1109-1117.

        Examples
        --------
        >>> from stakes.beliefs import Actions
        >>> tested = Actions.test(false_negative=8, false_positive=1, harm=0.1, sensitivity=0.8, specificity=0.9)
        >>> [round(threshold, 4) for threshold in tested.thresholds]
        [0.0308, 0.32]
        """
        miss, alarm = check_mistakes(false_negative, false_positive)
        cost = _check.non_negative_number("harm", harm)
        found, cleared = _check.share("sensitivity", sensitivity), _check.share("specificity", specificity)
        after = (cost + alarm * (1 - cleared), cost + miss * (1 - found))
        return cls._of(("leave", "test", "act"), Matrix(((0.0, miss), after, (alarm, 0.0))))

    @classmethod
    def any_of(cls, actions: Sequence[Actions], weights: Sequence[float] | FloatArray) -> Self:
        """One of several sets of costs, each with its own probability.

        Parameters
        ----------
        actions : sequence of Actions
            The actions with their costs, by scenario. They need not all have the same actions.
        weights : sequence of float
            Probability of each, not negative, up to a common factor.

        Returns
        -------
        Actions
            All actions that any scenario has. Each decision is taken when its costs are known, except by `decide`,
            which goes by their means.

        Examples
        --------
        >>> from stakes.beliefs import Actions
        >>> cheap, dear = (Actions.refer(false_negative=10, false_positive=1, fee=fee) for fee in (0.1, 0.5))
        >>> round(Actions.any_of([cheap, dear], [3, 1]).thresholds[0], 4)  # at the mean fee of 0.2
        0.02
        """
        given = elements("actions", "Actions", actions)
        for k, one in enumerate(given):
            _check.check_type(Actions, f"actions[{k}]", one)
        masses = shares("weights", weights)
        _columns.check_same_length(actions=np.arange(len(given)), weights=masses)
        chosen = [(one, float(mass)) for one, mass in zip(given, masses, strict=True) if mass]
        names = tuple(dict.fromkeys(name for one, _ in chosen for name in one.names))
        places = tuple(tuple(_place(one.names, name) for name in names) for one, _ in chosen)
        source = Scenarios(tuple(one.source for one, _ in chosen), tuple(mass for _, mass in chosen), places)
        if not np.isfinite(source.mean).any():
            raise InputError("actions", "have at least one action in common", ", ".join(map(repr, names)))
        return cls._of(names, source)

    @classmethod
    def ranges(
        cls,
        low: CostsByAction | npt.ArrayLike,
        high: CostsByAction | npt.ArrayLike,
        *,
        n: int = 100_000,
        rng: np.random.Generator | int | None = 0,
    ) -> Self:
        """Actions of which every cost is uniform between its own bounds, by a sample of costs.

        Parameters
        ----------
        low, high : mapping of str to pair of float, or array of pairs
            Lowest and highest costs of each action if the case is negative, and if it is positive.
        n : int, keyword-only
            Number of sets of costs drawn.
        rng : Generator, int or None, keyword-only
            Seed or generator; the same costs each time unless given.

        Returns
        -------
        Actions
            The actions; `standard_error` says how far the sample of costs moves a regret.

        Examples
        --------
        >>> from stakes import expected_regret, score_table
        >>> from stakes.beliefs import Actions
        >>> triage = Actions.ranges({"discharge": (0, 10), "admit": (3, 0)}, {"discharge": (0, 30), "admit": (5, 0)})
        >>> table = score_table(y=[0, 0, 1], score=[0.1, 0.3, 0.6])
        >>> round(expected_regret(table, triage), 1), round(triage.standard_error(table), 3)
        (1.3, 0.001)
        """
        names, first = as_named_costs("low", low)
        others, last = as_named_costs("high", high)
        check_ranges(names, first, others, last)
        count = _check.whole_number("n", n, 2)
        draws = _check.generator(rng).uniform(np.array(first), np.array(last), (count, len(names), 2))
        return cls._of(names, SampledCosts(draws, first, last))

    def without(self, name: str) -> Self:
        """Return the actions without one; the value of an action is what regret and floor rise by without it.

        Parameters
        ----------
        name : str
            The action to leave out.

        Returns
        -------
        Actions
            The others.

        Examples
        --------
        >>> from stakes.beliefs import Actions
        >>> Actions.refer(false_negative=10, false_positive=1, fee=0.2).without("refer").names
        ('leave', 'act')
        """
        place = self.names.index(_check.choice("name", name, self.names))
        return self._of(self.names[:place] + self.names[place + 1 :], self.source.without(place))


def _place(names: tuple[str, ...], name: str) -> int | None:
    return names.index(name) if name in names else None

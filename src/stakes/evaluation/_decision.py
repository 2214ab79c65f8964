"""Decision: the costs, prevalence and limits that a user states before looking at models."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import TypeAlias, cast

from stakes import _check
from stakes._errors import InputError, InputTypeError, Spelling
from stakes._language import say
from stakes._wording import MOST_PARTS, actions, alternatives, belief, exchange, in_log_odds, limits, money
from stakes._words import Words, WordsLike, as_words, said
from stakes.beliefs import (
    Actions,
    At,
    Belief,
    BeliefLike,
    Beta,
    CostBelief,
    EveryLogOdds,
    IndependentCosts,
    LogOddsUniform,
    Mixture,
    Multipliers,
    as_belief,
    as_costs,
    in_money,
    needs_case_costs,
)
from stakes.evaluation._unit import MISSES, unit_name
from stakes.limits import Limits, LimitsLike, as_limits


@dataclass(frozen=True, slots=True)
class Decision:
    """Costs, prevalence and limits of a decision, by which models are evaluated.

    It is all that models are evaluated by, and is stated before any model is looked at.

    Parameters
    ----------
    costs : belief, number or words, such as "5%..20%"
        Belief about the cost proportion of a false alarm; words are read by `parse_belief`. With `IndependentCosts`,
        what each mistake costs in money, and then every cost is in money. With `Actions`, what each of several actions
        costs, of which every case gets the cheapest by its score.
    prevalence : belief, number or words, such as "1%..5%", keyword-only, optional
        Belief about the share of positives where the model will be used; that of the sample unless given.
    limits : Limits, keyword-only, optional
        How many alarms can be answered, and how precise they must be; no limits unless given, and a capacity of 100% is
        none. Limits need one prevalence, or that of the sample; a budget needs costs of each case, and the prevalence
        of the sample.
    unit : {"misses", "false alarms"}, keyword-only, optional
        What printed costs are counted in; misses unless given. Costs that are money (`IndependentCosts`) are printed as
        money, and take no other unit. It changes no number in Python and no order.
    words : mapping of str to str or pair of str, keyword-only, optional
        Your words for "case", "positive", "miss", "false alarm" and "act", and for the unit of "time" of a horizon, in
        which the answer and the printed evaluation are said: one word, or one and many; of acting, the verb and its
        form in -ing; of time, many.

    Examples
    --------
    A biopsy is worth its harm if one in five to one in twenty finds a cancer; cancer is rarer here than in the sample.

    >>> from stakes import Decision
    >>> Decision("5%..20%", prevalence="2%")
    Decision(costs=Uniform(low=0.05, high=0.2), prevalence=At(value=0.02), limits=None, unit='misses')

    In words of one's own:

    >>> from stakes import evaluate
    >>> words = {"case": ("person", "people"), "miss": "missed cancer", "false alarm": "needless test", "act": "biopsy"}
    >>> evaluate([0, 1] * 20, {"model": [0.9, 0.1] * 20}, Decision("30%..60%", words=words)).answer
    'model is not worth using: biopsy everyone.'
    """

    costs: CostBelief
    prevalence: Belief | None = None
    limits: Limits | None = None
    unit: str = MISSES
    words: Words | None = field(default=None, repr=False)

    def __init__(
        self,
        costs: BeliefLike,
        *,
        prevalence: BeliefLike | None = None,
        limits: LimitsLike = None,
        unit: str | None = None,
        words: WordsLike = None,
    ) -> None:
        believed = as_costs("costs", costs, case_costs=True)
        common = None if prevalence is None else _prevalence(prevalence)
        bounds = _limits_that_bind(limits)
        if isinstance(believed, Actions):
            _check_actions(believed, bounds)
        if bounds is not None and bounds.budget is not None and common is not None:
            hint = "sample cases at the prevalence where the budget is spent"
            raise InputError("prevalence", "be left out where there is a budget", repr(common), hint=hint)
        if bounds is not None and common is not None and not isinstance(common, At):
            raise InputError(
                "prevalence",
                ("be one value where there are limits, such as ", Spelling("`At(0.02)`", "2%")),
                repr(common),
                hint="evaluate at the ends of the range one by one",
            )
        counted = unit_name(believed, unit)
        own = None if words is None else as_words(words)
        values = {"costs": believed, "prevalence": common, "limits": bounds, "unit": counted, "words": own}
        for name, value in values.items():
            object.__setattr__(self, name, value)

    @property
    def cost_range(self) -> tuple[float, float]:
        """Lowest and highest cost proportion of the belief; 0 and 1 where it has no support."""
        return _range_of(self.costs)

    @property
    def is_resampled(self) -> bool:
        """Whether intervals are resampled: under limits that thresholds are chosen by."""
        return self.limits is not None and self.budget is None

    @property
    def budget(self) -> float | None:
        """Effort that can be spent for each case; None without a budget."""
        return None if self.limits is None else self.limits.budget


class MoneyDecision(Decision):
    """Decision about cases with costs of their own: models are ranked by money per case.

    Its costs are multipliers of what is stated for each case.
    """

    __slots__ = ()

    @property
    def is_resampled(self) -> bool:
        """Whether intervals are resampled, as they are at another prevalence too."""
        return super().is_resampled or self.prevalence is not None

    def __repr__(self) -> str:
        return super().__repr__().removeprefix("Money")  # as users state it


def with_case_costs(decision: Decision) -> MoneyDecision:
    """Return a decision about cases with costs of their own; raise unless its costs are multipliers."""
    if isinstance(decision.costs, Actions):
        raise InputError(("decision", "case_costs"), "not state several actions and costs of each case", "both")
    if not in_money(decision.costs):
        hint = 'write "as stated", or a range such as "x0.5..x2" for what a false alarm counts'
        raise InputError("decision", "have multipliers of the case costs as its costs", repr(decision.costs), hint=hint)
    money = object.__new__(MoneyDecision)
    for one in fields(decision):
        object.__setattr__(money, one.name, getattr(decision, one.name))
    if isinstance(decision.costs, Multipliers):
        object.__setattr__(money, "costs", decision.costs.plain)
    return money


DecisionLike: TypeAlias = Decision | BeliefLike


def as_decision(given: DecisionLike, *, case_costs: bool = False) -> Decision:
    """Return a decision; a belief about the costs alone is one without prevalence and limits."""
    if isinstance(given, Decision):
        if isinstance(given.costs, Multipliers) and not case_costs:
            raise needs_case_costs("decision", repr(given.costs))
        return given
    believed = as_belief("decision", given, case_costs=case_costs)
    if not isinstance(believed, CostBelief):
        raise InputTypeError("decision", "be a Decision, such as `Decision('5%..20%')`", type(given).__name__)
    return Decision(believed)


def _prevalence(given: BeliefLike) -> Belief:
    """Return a belief with a mean and a support; measures check what else they need."""
    believed = as_belief("prevalence", given)
    _check.check_methods("prevalence", believed, "mean", "support")
    return cast(Belief, believed)


def _limits_that_bind(given: LimitsLike) -> Limits | None:
    """Return limits that can exclude a threshold; None for others, such as a capacity of 100%."""
    bounds = as_limits(given, budget=True)
    return bounds if bounds.capacity_binds or bounds.precision_binds or bounds.budget is not None else None


def _check_actions(actions: Actions, limits: Limits | None) -> None:
    """Raise unless several actions leave a choice, and no limits are given with them."""
    if actions.mass == 0:
        raise InputError("costs", "leave a choice between actions", repr(actions), hint=actions.no_choice)
    if limits is not None:
        hint = "an action that is scarce costs more: raise its costs until it is taken as often as it can be"
        raise InputError("limits", "be left out where there are several actions", repr(limits), hint=hint)


def _range_of(belief: object) -> tuple[float, float]:
    low, high = getattr(belief, "support", (0.0, 1.0))
    return float(low), float(high)


def costs(decision: Decision) -> str:
    """Describe the stated costs in words."""
    stated = _multipliers_in_words if isinstance(decision, MoneyDecision) else _costs_in_words
    return said(decision.words, stated(decision.costs))


def _multipliers_in_words(believed: object) -> str:
    if not isinstance(believed, IndependentCosts):
        return say("costs of each case are as stated, times beliefs about both mistakes")
    stated = []
    mistakes = {
        "a miss costs {times} what is stated": believed.false_negative,
        "a false alarm costs {times} what is stated": believed.false_positive,
    }
    for text, (low, high) in mistakes.items():
        if (low, high) != (1, 1):
            many = (
                say("{low:g} times", low=low) if low == high else say("{low:g} to {high:g} times", low=low, high=high)
            )
            stated.append(say(text, times=many))
    return say(", and ").join([say("costs are stated for each case"), *stated])


def _costs_in_words(believed: object) -> str:
    if isinstance(believed, IndependentCosts):
        return money(believed)
    if isinstance(believed, Actions):
        return actions(believed)
    if isinstance(believed, Mixture) and in_money(believed):
        if len(believed.parts) > MOST_PARTS:
            return say("costs are one of {count} beliefs about what each mistake costs", count=len(believed.parts))
        each = alternatives(map(_costs_in_words, believed.parts), believed.weights)
        return say("either {each}", each=each)
    if not hasattr(believed, "support") and not isinstance(believed, EveryLogOdds):
        return say("costs follow a belief of your own")
    even = in_log_odds() if isinstance(believed, LogOddsUniform | EveryLogOdds) else ""
    share = belief(believed).removesuffix(even)
    text = say(
        "a false alarm accounts for {share} of the cost of one false alarm plus one miss{even}", share=share, even=even
    )
    if isinstance(believed, Beta) and (believed.low, believed.high) == (0, 1):
        return say("{text}: on average {exchange}", text=text, exchange=exchange(believed.mean, believed.mean))
    return f"{text}: {exchange(*_range_of(believed))}"


def question(models: int, decision: Decision, predicted: str = "") -> str:
    """Write the decision as a question; `predicted` names the event and the horizon, where there is one."""
    what = predicted and say(" for {predicted}", predicted=predicted)
    which = "Should this model{what} decide, if {parts}?"
    if models > 1:
        which = "Which of {models} models{what} should decide, if {parts}?"
    parts = [costs(decision)]
    if decision.prevalence is not None:
        parts.append(say("the prevalence is {prevalence}", prevalence=belief(decision.prevalence)))
    if decision.limits is not None:
        parts.append(said(decision.words, say("with {limits}", limits=limits(decision.limits))))
    return say(which, models=models, what=what, parts="; ".join(parts))

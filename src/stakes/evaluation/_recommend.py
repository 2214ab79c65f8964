"""Recommendation of a measure for a decision, with the assumptions of popular measures."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from stakes import _wording
from stakes._language import say
from stakes.beliefs import Actions, At, only_cost
from stakes.evaluation._decision import Decision, DecisionLike, MoneyDecision, as_decision
from stakes.limits import Limits


@dataclass(frozen=True, slots=True)
class Recommendation:
    """A measure that fits a decision.

    Attributes
    ----------
    measure : str
        Call that computes it.
    reason : str
        Why it fits, in plain English.
    assumptions : mapping of str to str
        Assumptions that the popular measures make instead.

    Examples
    --------
    >>> from stakes import Decision, recommend
    >>> recommend(Decision("5%..20%")).assumptions["accuracy"]
    'accuracy counts a miss and a false alarm alike: it assumes a cost proportion of exactly 50%.'
    """

    measure: str
    reason: str
    assumptions: Mapping[str, str]

    def __str__(self) -> str:
        lines = [f"Use {self.measure}", "", self.reason, "", "The usual measures would silently assume something else:"]
        return "\n".join([*lines, *(f"- {text}" for text in self.assumptions.values())])


def recommend(decision: DecisionLike) -> Recommendation:
    r"""Recommend a measure for a decision.

    Three questions settle it. Are the alarms limited, or does each case stand for itself? Are the costs known, or
    only roughly? Is the prevalence where the model will be used that of the sample, another one, or uncertain?

    ===============================  ==========================================  ====================================
    \                                costs known                                 costs uncertain
    ===============================  ==========================================  ====================================
    each case for itself             regret (net benefit) at that cost           mean regret over the costs: a Brier
                                                                                 score or log loss clipped to them
    alarms limited, or must be       regret of the best feasible threshold;      its mean over the costs; the volume
    precise                          top K where exactly K alarms are raised     over the ROC surface (partial VOROS)
    another prevalence               the same, scores and cases moved there      the same, averaged over both
    ===============================  ==========================================  ====================================

    Parameters
    ----------
    decision : Decision, or belief, number or words, such as "5%..20%"
        Costs, prevalence and limits; a belief about the costs alone is also accepted.

    Returns
    -------
    Recommendation
        The measure, the reason, and what accuracy, AUC, F1, Brier score and log loss would assume.

    References
    ----------
    .. [1] G. A. Flores, A. Schiff, A. H. Smith, J. A. Fukuyama and A. C. Wilson, "A consequentialist critique of binary
       classification evaluation", table 1 and section 5.

    Examples
    --------
    >>> from stakes import recommend
    >>> recommend("5%..20%").measure
    'expected_regret(table, Uniform(low=0.05, high=0.2))'
    """
    stated = as_decision(decision)
    return Recommendation(_call(stated), " ".join(_reasons(stated)), _assumptions(stated))


def _call(decision: Decision) -> str:
    where = f"at_prevalence(table, {decision.prevalence.value})" if isinstance(decision.prevalence, At) else "table"
    if decision.budget is not None:
        return f"evaluate(y, predictions, {decision!r}, case_costs=case_costs)"
    if decision.limits is not None:
        per_case = f" * {where}.total / {where}.cases" if isinstance(decision, MoneyDecision) else ""
        return f"best_thresholds({where}, {decision.costs!r}, {decision.limits!r}).mean_regret{per_case}"
    if isinstance(decision, MoneyDecision) and decision.prevalence is None:
        return f"cost_per_case(table, {decision.costs!r})"
    if decision.prevalence is not None:
        return f"shifted_regret(table, {decision.costs!r}, {decision.prevalence!r})"
    return f"expected_regret(table, {decision.costs!r})"


_EFFORT = (
    "Effort is limited, so cases compete: {limits}. Those are acted on that are expected to gain most for their effort."
)
_COMPARED = "Only thresholds that meet these limits are compared, the best at each cost."
_ALARMS = f"Alarms are limited, so cases compete: {{limits}}. {_COMPARED}"
_ALARMS_AND_PRECISION = f"Alarms are limited and must be right often enough, so cases compete: {{limits}}. {_COMPARED}"
_PRECISION = (
    "Alarms must be right often enough, so cases are not decided one by one: {limits}. Only thresholds that meet this "
    "limit are compared, the best at each cost."
)
_EACH = "Each case is decided on its own, so acting on one takes nothing from another."
_ELSEWHERE = (
    "Where the model will be used, the prevalence is {prevalence}: the classes are reweighted and the scores corrected "
    "for it, as a user who knows it would do."
)


def _reasons(decision: Decision) -> list[str]:
    limits = decision.limits
    reasons = [_first_reason(decision)]
    if limits is None:
        reasons.append(say(_EACH))
    else:
        reasons.append(say(_what_limits(limits), limits=_wording.limits(limits)))
    if decision.prevalence is not None:
        reasons.append(say(_ELSEWHERE, prevalence=_wording.belief(decision.prevalence)))
    return reasons


def _what_limits(limits: Limits) -> str:
    """Return the sentence on the limits that bind."""
    if limits.budget is not None:
        return _EFFORT
    if limits.precision_binds:
        return _ALARMS_AND_PRECISION if limits.capacity_binds else _PRECISION
    return _ALARMS


def _first_reason(decision: Decision) -> str:
    if isinstance(decision, MoneyDecision):
        return say(
            "Costs are stated for each case, so each has a threshold of its own, and a model costs what its "
            "decisions lose per case, in money."
        )
    known = only_cost(decision.costs) is not None
    if isinstance(decision.costs, Actions) and not known:
        return say(
            "There are several actions, so each case gets the cheapest for its probability, and regret is "
            "what decisions cost above the best action for each case."
        )
    if known:
        return say(
            "The costs are known, so each model has one best threshold and one regret: what its mistakes cost there."
        )
    return say(
        "The costs are known only roughly, so regret, the expected cost of mistakes, is averaged over "
        "your range: a model must do well wherever in the range the truth lies, and costs outside it do "
        "not count."
    )


_ASSUMED = {
    "accuracy": "accuracy counts a miss and a false alarm alike: it assumes a cost proportion of exactly 50%",
    "AUC": "AUC averages over costs that each model's own scores determine: two models are judged by two standards",
    "F1": "F1 ignores true negatives and makes the cost depend on the model's own result",
    "Brier score": "the Brier score averages over all costs from 0% to 100%, not only over those you state",
    "log loss": "log loss weights costs near 0% and 100% most, where a single extreme score can decide",
}
_ASSUMED_OF_MONEY = {
    "accuracy": "accuracy counts a miss and a false alarm alike, and {alike}",
    "Brier score": "the Brier score averages over all costs from 0% to 100%, {alike}",
    "log loss": "log loss weights costs near 0% and 100% most, where a single extreme score can decide, and {alike}",
}
_AT_K = "precision at K assumes that exactly K alarms are raised, however little the last are worth"
_ITS_OWN = "any measure of the sample assumes its prevalence, not the one you state"


def _assumptions(decision: Decision) -> dict[str, str]:
    low, high = decision.cost_range
    said = {name: say(text) for name, text in _ASSUMED.items()}
    if isinstance(decision, MoneyDecision):
        alike = say("alike for every case, whatever is at stake in it")
        said |= {name: say(text, alike=alike) for name, text in _ASSUMED_OF_MONEY.items()}
    elif low <= 0.5 <= high:
        said["accuracy"] += say(", as you state" if low == high else ", one cost of your range")
    if decision.limits is not None:
        said["precision at K"] = say(_AT_K)
    if decision.prevalence is not None:
        said["any measure of the sample"] = say(_ITS_OWN)
    return {name: f"{text}." for name, text in said.items()}

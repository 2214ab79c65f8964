"""What a user states: what mistakes cost, how common the condition will be, and what limits the alarms."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

from stakes import _check
from stakes._wording import IN_LOG_ODDS, belief, exchange, limits
from stakes.beliefs import At, Beta, CostBelief, IndependentCosts, LogOddsUniform, parse_belief
from stakes.limits import NO_LIMITS, Limits, judged


@dataclass(frozen=True, slots=True)
class Decision:
    """What is at stake: what is believed about costs and prevalence, and how many alarms can be answered.

    It is all that a model is judged by, and it is stated before any model is looked at.

    Parameters
    ----------
    costs : CostBelief or str
        What is believed about the cost proportion of a false alarm; words are read by `parse_belief`.
    prevalence : belief, float or str, keyword-only, optional
        What is believed about the share of positives where the model will be used; as in the sample unless given.
    limits : Limits, keyword-only, optional
        How many alarms can be answered, and how precise they must be; no limits unless given. Limits need one
        prevalence, or that of the sample.

    Examples
    --------
    A biopsy is worth its harm if one in five to one in twenty finds a cancer; cancer is rarer here than in the sample.

    >>> from stakes import Decision
    >>> Decision("5%..20%", prevalence="2%")
    Decision(costs=Uniform(low=0.05, high=0.2), prevalence=At(value=0.02), limits=None)
    """

    costs: CostBelief
    prevalence: CostBelief | None = None
    limits: Limits | None = None

    def __init__(
        self,
        costs: CostBelief | str,
        *,
        prevalence: CostBelief | float | str | None = None,
        limits: Limits | None = None,
    ) -> None:
        believed = _belief("costs", costs)
        common = None if prevalence is None else _prevalence(prevalence)
        bounds = None if judged(limits) == NO_LIMITS else limits
        if bounds is not None and common is not None and not isinstance(common, At):
            raise ValueError(
                "`prevalence` must be one value where there are limits, such as `At(0.02)`, "
                f"got {common!r}; evaluate at the ends of the range one by one."
            )
        for name, value in (("costs", believed), ("prevalence", common), ("limits", bounds)):
            object.__setattr__(self, name, value)

    @property
    def cost_range(self) -> tuple[float, float]:
        """The lowest and the highest cost proportion that is believed possible; 0 and 1 where it does not say."""
        return _range_of(self.costs)


def _prevalence(given: CostBelief | float | str) -> CostBelief:
    """Return a belief; a number is one that is certain."""
    if isinstance(given, int | float) and not isinstance(given, bool):
        return At(_check.inside("prevalence", given))
    return cast(CostBelief, _belief("prevalence", given))


def _belief(name: str, given: Any) -> Any:
    """Return a belief; text is read as one."""
    if isinstance(given, str):
        try:
            return parse_belief(given)
        except ValueError as error:
            raise ValueError(str(error).replace("`text`", f"`{name}`", 1)) from None
    if isinstance(given, tuple | list):
        raise TypeError(f"`{name}` must be a belief, got {given!r}; for a range use `Uniform(low, high)`.")
    _check.offers(name, given, "loss_if_positive", "loss_if_negative")
    return given


def _range_of(belief: object) -> tuple[float, float]:
    low, high = getattr(belief, "support", (0.0, 1.0))
    return float(low), float(high)


def costs(decision: Decision) -> str:
    """Say what is believed about the costs."""
    believed: object = decision.costs
    if isinstance(believed, IndependentCosts):
        return f"costs are {believed!r}"
    even = IN_LOG_ODDS if isinstance(believed, LogOddsUniform) else ""
    share = belief(believed).removesuffix(even)
    said = f"a false alarm accounts for {share} of the cost of one false alarm plus one miss{even}"
    if isinstance(believed, Beta) and (believed.low, believed.high) == (0, 1):
        return f"{said}: on average {exchange(believed.mean, believed.mean)}"
    return f"{said}: {exchange(*decision.cost_range)}"


def question(models: int, decision: Decision) -> str:
    """Ask what is to be decided, in a sentence."""
    which = f"Which of {models} models should decide" if models > 1 else "Should this model decide"
    parts = [costs(decision)]
    if decision.prevalence is not None:
        parts.append(f"the prevalence is {belief(decision.prevalence)}")
    if decision.limits is not None:
        parts.append(f"with {limits(decision.limits)}")
    return f"{which}, if {'; '.join(parts)}?"

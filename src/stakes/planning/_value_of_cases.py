"""The value of more cases for a choice among models."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from stakes import _check
from stakes._arrays import FloatArray
from stakes._errors import InputError
from stakes._wording import plain_number
from stakes.cases import Cases
from stakes.measures import Better, MeasureLike, with_parameters
from stakes.planning._imagine import ImaginedCases
from stakes.planning._preposterior import Preposterior
from stakes.planning._price import Price
from stakes.planning._settling import values_of_settling
from stakes.planning._urn import urn_value
from stakes.uncertainty import JointEstimates, Study, joint_estimates

_OWN = ("more", "prior", "worth", "decisions", "price", "fixed", "unit_value", "method", "better")
_SEARCHED = 60  # numbers of cases at which a value without a closed form is looked at, to find the best


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class StudyPlan:
    """The value of more cases for a choice among models.

    Attributes
    ----------
    more : tuple of int
        Numbers of further cases, or clusters.
    value : ndarray of float64
        The expected gain, in units of the measure, from choosing after that many more cases instead of now (EVSI).
    probability_right : ndarray of float64
        The probability that the option chosen then is the best. It has a closed form for two options under the flat
        prior; otherwise it is a share of 16,384 drawn futures, with a standard error of at most 0.004.
    loss_left : ndarray of float64
        The expected loss that is left: `perfect` less `value`.
    perfect : float
        The value of any number of cases (EVPI): what choosing now is expected to lose.
    best : str
        The option that looks best now.
    cases : float
        Number of cases, or clusters, that the present sample is worth.
    best_more, net : int and float, or None
        The number of cases that pays best, and what it gains in all; None unless decisions and a price are given.
    value_of_costs, value_of_prevalence : float or None
        What it would be worth to settle the costs, or the prevalence, before choosing: 0 where one value was stated,
        None where no prevalence was, for measures other than `expected_regret` and `shifted_regret`, and for several
        actions.
    error : float
        Standard error of `value` and `perfect`, from the way they were computed; 0 for closed forms.
    prior, method : str
        As in `value_of_cases`.
    caution : str
        The reason not to trust the values, if the sample is small; else empty.

    Examples
    --------
    >>> from stakes import auc
    >>> from stakes.planning import imagine, value_of_cases
    >>> plan = value_of_cases(imagine(0.1, {"old": 0.75, "new": 0.78}), auc, worth=200)
    >>> plan
    StudyPlan(choosing now is expected to lose 0.002...; 100 more cases are worth 0.00..., 1,000 0.00...)
    """

    more: tuple[int, ...]
    value: FloatArray
    probability_right: FloatArray
    loss_left: FloatArray
    perfect: float
    best: str
    cases: float
    best_more: int | None = None
    net: float | None = None
    value_of_costs: float | None = None
    value_of_prevalence: float | None = None
    error: float = 0.0
    prior: str = "near"
    method: str = "normal"
    caution: str = ""

    def __repr__(self) -> str:
        first, *others = [f"{n:,} {plain_number(v)}" for n, v in zip(self.more, self.value, strict=True)]
        worth = ", ".join([first.replace(" ", " more cases are worth ", 1), *others])
        doubt = f" ({self.caution})" if self.caution else ""
        return f"StudyPlan(choosing now is expected to lose {plain_number(self.perfect)}; {worth}{doubt})"


def value_of_cases(
    cases: Cases,
    measure: MeasureLike,
    *,
    more: int | Sequence[int] = (100, 1000, 10000),
    prior: str = "near",
    worth: float | None = None,
    decisions: float | None = None,
    price: float | None = None,
    fixed: float = 0.0,
    unit_value: float = 1.0,
    method: str = "auto",
    better: Better | None = None,
    **parameters: Any,
) -> StudyPlan:
    r"""Return what more labelled cases would be worth for the choice among the models.

    Seen from now, :math:`n` more cases resolve the share :math:`r = n/(n_0 + n)` of the present variance *V*. Their
    value is that of choosing after them instead of now,

    .. math:: EVSI(n) = E \max_k \mu_k(n) - \max_k \mu_k,

    with the posterior means :math:`\mu_k`; under the flat prior :math:`\mu(n) \sim N(\hat g, rV)`, which has a closed
    form up to three options. It grows with *n* from 0 to the value of knowing the best for certain. It is not concave:
    ten cases may be worth nothing and a thousand a lot, so never extrapolate from a few.

    With few cases of a class values are rough: half a case that was not seen, which `rank` adds, is left out here,
    because it would count as information that no case has given; ``method="urn"`` draws what the next cases will be
    from those seen.

    Cases are not all that can be learnt. Where the costs, or the prevalence, were stated as a range, the plan also says
    what it would be worth to know them before choosing, in this sample:
    :math:`\min_k E_c R_k(c) - E_c \min_k R_k(c)`. That is exact, except that a range of prevalences is represented by
    128 values, or by fewer in large samples. Where costs differ from case to case, it is the gain from using the best
    model at each.

    Parameters
    ----------
    cases : Cases
        The sample. Add acting on everyone and on no one, where they are options, by `Cases.with_constants`.
    measure : Measure or callable
        One of our measures that has a formula for its interval.
    more : int or sequence of int, keyword-only
        Numbers of further cases, or clusters.
    prior : {"near", "flat"}, keyword-only
        What was believed about the models beforehand, as in `rank`.
    worth : float, keyword-only, optional
        Number of cases that the sample is worth, if not its own; required for cases from `imagine`.
    decisions : float, keyword-only, optional
        Number of decisions that will be made after the study.
    price, fixed : float, keyword-only, optional
        Cost of a case and of the study, in the unit of `unit_value`.
    unit_value : float, keyword-only
        What one unit of the measure is worth per decision: for `expected_regret`, the cost of a false alarm plus that
        of a miss.
    method : {"auto", "normal", "urn"}, keyword-only
        Normal law, or draws of the next cases from those seen (flat prior only); auto is normal.
    better : {"smaller", "larger"}, keyword-only, optional
        Direction in which the measure is better; known for our own measures.
    **parameters
        Parameters of the measure, such as ``costs="5%..20%"``.

    Returns
    -------
    StudyPlan
        The value of each number of cases and, with decisions and a price, the number that pays best.

    References
    ----------
    .. [1] H. Raiffa and R. Schlaifer (1961), "Applied Statistical Decision Theory".
    .. [2] M. Sadatsafavi et al. (2023), "Value-of-information analysis for external validation of risk prediction
       models", Medical Decision Making 43(5), 564-575.

    Examples
    --------
    >>> from stakes import Cases, expected_regret
    >>> from stakes.datasets import load_cohort
    >>> from stakes.planning import value_of_cases
    >>> cohort = load_cohort()
    >>> models = {"marker": cohort["cancerpredmarker"], "rounded": cohort["cancerpredmarker"].round(1)}
    >>> plan = value_of_cases(Cases(cohort["cancer"], models), expected_regret, costs="5%..20%", prior="flat")
    >>> [f"{1000 * one:.2f}" for one in (*plan.value, plan.perfect)]  # per 1,000 cases
    ['0.15', '0.32', '0.41', '0.43']
    """
    counts = _counts(more)
    chosen = _check.choice("method", method, ("auto", "normal", "urn"))
    study = Study(cases, with_parameters(measure, parameters, of="value_of_cases", own=_OWN), better=better)
    now = joint_estimates(study)
    held = _worth_in_cases(cases, now.units, worth)
    law = Preposterior(now.worth(held), _check.choice("prior", prior, ("near", "flat")))
    plan = _normal_plan(law, counts, held)
    if chosen == "urn":
        if prior != "flat" or worth is not None:
            raise InputError("method", "be 'normal' unless the prior is flat and `worth` is left out", "'urn'")
        plan = _with_urn(plan, now)
    settled = values_of_settling(cases, study.measures[now.names[0]])
    plan = replace(plan, value_of_costs=settled[0], value_of_prevalence=settled[1])
    money = Price.of(decisions, price, fixed, unit_value)
    return plan if money is None else _with_price(plan, law, money)


def plan_and_values(
    cases: Cases, measure: MeasureLike, more: Sequence[int], others: Sequence[int]
) -> tuple[StudyPlan, list[float]]:
    """Return the plan of some numbers of further cases, and of other numbers nothing but their value."""
    now = joint_estimates(Study(cases, measure))
    law, held = Preposterior(now, "near"), float(now.units)
    return _normal_plan(law, tuple(more), held), [law.value(n / (held + n))[0] for n in others]


def _worth_in_cases(cases: Cases, units: int, worth: float | None) -> float:
    """Return the number of cases that the sample is worth; raise if it is imagined and nobody said."""
    if worth is None and isinstance(cases, ImaginedCases):
        raise InputError("worth", "say how many cases the guess is worth, for cases from `imagine`", "None")
    return float(units) if worth is None else _check.number_above("worth", worth)


def _counts(more: int | Sequence[int]) -> tuple[int, ...]:
    """Return the numbers of cases; raise unless they are positive whole numbers."""
    several: list[Any] = list(more) if isinstance(more, Sequence | np.ndarray) else [more]
    if not several:
        raise InputError("more", "hold at least one number of cases", "none")
    return tuple(_check.whole_number("more", one, 1) for one in several)


def _normal_plan(law: Preposterior, counts: tuple[int, ...], held: float) -> StudyPlan:
    """Return the values by the normal law."""
    shares = [n / (held + n) for n in counts]
    perfect, perfect_error = law.perfect
    found = [law.value(share) for share in shares]
    values = np.array([value for value, _ in found])
    return StudyPlan(
        more=counts,
        value=values,
        probability_right=np.array([law.right(share) for share in shares]),
        loss_left=np.maximum(perfect - values, 0.0),
        perfect=perfect,
        best=law.now.names[int(np.argmax(law.now.gain))],
        cases=held,
        error=max([perfect_error, *(error for _, error in found)]),
        prior=law.prior,
        caution=law.now.caution if held >= law.now.units else "",
    )


def _with_urn(plan: StudyPlan, now: JointEstimates) -> StudyPlan:
    """Return the plan with values drawn from the urn of the cases seen."""
    found = [urn_value(now, n) for n in plan.more]
    values = np.minimum([value for value, _ in found], plan.perfect)
    error = max(error for _, error in found)
    return replace(plan, value=values, loss_left=plan.perfect - values, error=error, method="urn")


def _with_price(plan: StudyPlan, law: Preposterior, money: Price) -> StudyPlan:
    """Return the plan with the number of cases that pays best."""
    steps = {} if law.is_closed else {"steps": _SEARCHED}
    shifts = 1 if not law.is_closed else 8

    def gain(n: int) -> float:
        return law.value(n / (plan.cases + n), shifts)[0]

    best, _ = money.best(gain, plan.perfect, **steps)
    net = money.net(law.value(best / (plan.cases + best))[0], best) if best else 0.0
    return replace(plan, best_more=best, net=net if math.isfinite(net) else None)

"""Measures of a table at another prevalence than the sample's, known exactly or not."""

from __future__ import annotations

import math
from functools import partial
from typing import Any

from stakes.beliefs import (
    At,
    BeliefLike,
    as_belief,
    check_proportion,
    integrals_by_part,
)
from stakes.measures import measure
from stakes.prevalence._average import ShiftedMeans, average
from stakes.prevalence._pointwise import NetBenefit, PriorAdjustedNetBenefit, Regret, WeightedAccuracy
from stakes.table import ScoreTable, TableLike


@measure(better="larger", form=partial(ShiftedMeans, PriorAdjustedNetBenefit, At(0.5)))
def shifted_accuracy(table: ScoreTable | TableLike, prevalence: BeliefLike) -> float:
    r"""Accuracy at another prevalence, with scores corrected for it.

    Larger is better; one is perfect. The odds of each score are multiplied by those of the prevalence :math:`\pi` over
    those of the sample, and cases that reach one half are acted on: :math:`\pi\,TPR + (1 - \pi)\,TNR` of that rule,
    averaged over the belief. Under `LogOddsUniform` it is a bounded cross-entropy, under `Uniform` a bounded Brier
    score.

    Parameters
    ----------
    table : ScoreTable
        The sample, with both classes and scores that are probabilities.
    prevalence : belief, number or words, such as "1%..5%"
        Belief about the prevalence where the model will be used. `At`, `Uniform` and `LogOddsUniform` are exact; other
        beliefs are integrated to 1e-10.

    Returns
    -------
    float
        The mean accuracy, between 0 and 1.

    See Also
    --------
    accuracy_curve : The same over every prevalence.

    References
    ----------
    .. [1] G. Flores et al., "Aligning evaluation with clinical priorities: calibration, label shift, and error
       costs", definition C.3 (PAMA) and theorem E.1.

    Examples
    --------
    >>> from stakes import At, score_table
    >>> from stakes.prevalence import shifted_accuracy
    >>> table = score_table(y=[0, 1, 1, 0], score=[0.6, 0.7, 0.3, 0.1])
    >>> shifted_accuracy(table, At(0.1))  # no score is high enough: only the positives are lost
    0.9
    """
    return average(PriorAdjustedNetBenefit, table, At(0.5), as_belief("prevalence", prevalence))


@measure(better="smaller", form=partial(ShiftedMeans, Regret))
def shifted_regret(table: ScoreTable | TableLike, costs: BeliefLike, prevalence: BeliefLike) -> float:
    r"""Mean regret (expected cost of mistakes) at another prevalence, with scores corrected for it.

    Smaller is better; zero is perfect. A case is acted on where :math:`\pi \otimes s_{1/2} \ge c`, with
    :math:`s_{1/2}` its score at even prevalence and :math:`\otimes` the product of the odds;

    .. math:: R = E_\pi E_c\,[(1 - c)\,\pi\,(1 - TPR) + c\,(1 - \pi)\,(1 - TNR)].

    At one prevalence it is ``expected_regret(at_prevalence(table, prevalence), costs)``. At one cost :math:`c` and over
    prevalences from :math:`a` to :math:`b` it is the bounded Brier score or log loss, from :math:`1 - b` to
    :math:`1 - a`, of the table at the prevalence :math:`1 - c`. Over both it has no elementary form and is integrated
    to the last digits.

    Parameters
    ----------
    table : ScoreTable
        The sample, with both classes and scores that are probabilities.
    costs : belief, number or words, such as "5%..20%"
        Belief about the cost proportion.
    prevalence : belief, number or words, such as "1%..5%"
        Belief about the prevalence where the model will be used. `At`, `Uniform` and `LogOddsUniform`, for either
        belief, are exact; other beliefs are integrated to 1e-10.

    Returns
    -------
    float
        The mean regret, in units of one false alarm plus one miss; with `IndependentCosts`, in money. Of a table made
        with case costs it is the cost per case at that prevalence of people, as of `cost_per_case`: what is at stake in
        all depends on the prevalence, so that a share of it has no mean over several.

    References
    ----------
    .. [1] G. Flores et al., "Aligning evaluation with clinical priorities: calibration, label shift, and error
       costs", section 2.1 and appendix D.

    Examples
    --------
    >>> from stakes import At, score_table
    >>> from stakes.prevalence import shifted_regret
    >>> table = score_table(y=[0, 1, 1, 0], score=[0.6, 0.7, 0.3, 0.1])
    >>> shifted_regret(table, At(0.5), At(0.1))  # every positive is missed: 0.1 of all cases, at a cost of 0.5
    0.05
    >>> from stakes.beliefs import IndependentCosts
    >>> shifted_regret(table, IndependentCosts(false_negative=(30, 30), false_positive=(30, 30)), At(0.1))  # in money
    3.0

    Frauds of 100 and 400, of which the first is missed if one payment in ten is fraud:

    >>> from stakes import CaseCosts
    >>> costs = CaseCosts(false_negative=[100, 100, 400, 100], false_positive=10)
    >>> money = score_table(y=[0, 1, 1, 0], score=[0.6, 0.4, 0.3, 0.1], case_costs=costs)
    >>> round(shifted_regret(money, "as stated", At(0.1)), 2)
    9.5
    """
    money = getattr(table, "has_stakes", False)
    return average(Regret, table, as_belief("costs", costs, case_costs=money), as_belief("prevalence", prevalence))


@measure(better="larger", form=partial(ShiftedMeans, NetBenefit))
def shifted_net_benefit(table: ScoreTable | TableLike, costs: BeliefLike, prevalence: BeliefLike) -> float:
    r"""Net benefit at another prevalence, with scores corrected for it.

    Larger is better; the mean prevalence is perfect, 0 is acting on no one. It is the net benefit of decision curves,
    true positives less false ones at their exchange rate, per case:

    .. math:: NB = E_\pi E_c \left[\pi\,TPR - \frac{c}{1 - c}\,(1 - \pi)\,FPR\right].

    Parameters
    ----------
    table : ScoreTable
        The sample, with both classes and scores that are probabilities.
    costs : belief, number or words, such as "5%..20%"
        Belief about the cost proportion.
    prevalence : belief, number or words, such as "1%..5%"
        Belief about the prevalence where the model will be used. `At`, `Uniform` and `LogOddsUniform`, for either
        belief, are exact; other beliefs are integrated to 1e-10.

    Returns
    -------
    float
        Net benefit per case; ``-inf`` where the mean diverges (costs up to 1 and a negative with score 1).

    See Also
    --------
    prior_adjusted_net_benefit : The same, counting true negatives instead of false positives.

    References
    ----------
    .. [1] A. J. Vickers and E. B. Elkin (2006), "Decision curve analysis: a novel method for evaluating prediction
       models", Medical Decision Making 26(6), 565-574.
    .. [2] G. Flores et al., "Aligning evaluation with clinical priorities: calibration, label shift, and error
       costs", definition 2.3.

    Examples
    --------
    >>> from stakes import At, score_table
    >>> from stakes.prevalence import shifted_net_benefit
    >>> table = score_table(y=[0, 1, 1, 0], score=[0.6, 0.7, 0.3, 0.1])
    >>> round(shifted_net_benefit(table, At(0.2), At(0.2)), 12)  # acts on 0.7 and 0.6: 0.1 - 0.4 / 4
    0.0
    """
    return average(NetBenefit, table, _as_cost_proportion(costs), as_belief("prevalence", prevalence))


@measure(better="larger", form=partial(ShiftedMeans, PriorAdjustedNetBenefit))
def prior_adjusted_net_benefit(table: ScoreTable | TableLike, costs: BeliefLike, prevalence: BeliefLike) -> float:
    r"""Net benefit at another prevalence, counting true negatives (prior-adjusted maximum net benefit).

    Larger is better; :math:`\pi + \frac{c}{1 - c}(1 - \pi)` is perfect. It is `shifted_net_benefit` plus
    :math:`\frac{c}{1 - c}(1 - \pi)`:

    .. math:: E_\pi E_c \left[\pi\,TPR + \frac{c}{1 - c}\,(1 - \pi)\,TNR\right].

    At a cost of one half it is `shifted_accuracy`.

    Parameters
    ----------
    table : ScoreTable
        The sample, with both classes and scores that are probabilities.
    costs : belief, number or words, such as "5%..20%"
        Belief about the cost proportion.
    prevalence : belief, number or words, such as "1%..5%"
        Belief about the prevalence where the model will be used. `At`, `Uniform` and `LogOddsUniform`, for either
        belief, are exact; other beliefs are integrated to 1e-10.

    Returns
    -------
    float
        The mean, in true positives per case; ``inf`` where costs reach 1, since true negatives are then worth
        more than any number of true positives.

    References
    ----------
    .. [1] G. Flores et al., "Aligning evaluation with clinical priorities: calibration, label shift, and error
       costs", definition 2.3 (PAMNB).

    Examples
    --------
    >>> from stakes import At, score_table
    >>> from stakes.prevalence import prior_adjusted_net_benefit
    >>> table = score_table(y=[0, 1, 1, 0], score=[0.6, 0.7, 0.3, 0.1])
    >>> round(prior_adjusted_net_benefit(table, At(0.2), At(0.2)), 12)  # 0.2 * 1/2 + 1/4 * 0.8 * 1/2
    0.2
    """
    believed, expected = _as_cost_proportion(costs), as_belief("prevalence", prevalence)
    for _, part in integrals_by_part("costs", believed):
        if math.isinf(float(part.odds(part.bottom, part.top))):
            return math.inf
    return average(PriorAdjustedNetBenefit, table, believed, expected)


@measure(better="larger", form=partial(ShiftedMeans, WeightedAccuracy))
def shifted_weighted_accuracy(table: ScoreTable | TableLike, costs: BeliefLike, prevalence: BeliefLike) -> float:
    r"""Cost-weighted accuracy at another prevalence, with scores corrected for it.

    Larger is better; one is perfect, whatever the prevalence. Each class is weighted by the cost of its mistakes:

    .. math:: E_\pi E_c\;\frac{(1 - c)\,\pi\,TPR + c\,(1 - \pi)\,TNR}{(1 - c)\,\pi + c\,(1 - \pi)}.

    Only the odds of the prevalence over those of the cost matter: it is the accuracy at prevalence
    :math:`(1 - c) \otimes \pi`.

    Parameters
    ----------
    table : ScoreTable
        The sample, with both classes and scores that are probabilities.
    costs : belief, number or words, such as "5%..20%"
        Belief about the cost proportion.
    prevalence : belief, number or words, such as "1%..5%"
        Belief about the prevalence where the model will be used. `At`, `Uniform` and `LogOddsUniform`, for either
        belief, are exact; other beliefs are integrated to 1e-10.

    Returns
    -------
    float
        The mean share, between 0 and 1.

    References
    ----------
    .. [1] G. Flores et al., "Aligning evaluation with clinical priorities: calibration, label shift, and error
       costs", proposition C.8 and theorem E.2 (PAMWA).

    Examples
    --------
    >>> from stakes import At, score_table
    >>> from stakes.prevalence import shifted_weighted_accuracy
    >>> table = score_table(y=[0, 1, 1, 0], score=[0.6, 0.7, 0.3, 0.1])
    >>> shifted_weighted_accuracy(table, At(0.1), At(0.1))  # even weights, even odds: half of each class is right
    0.5
    """
    return average(WeightedAccuracy, table, _as_cost_proportion(costs), as_belief("prevalence", prevalence))


def _as_cost_proportion(costs: BeliefLike) -> Any:
    """Return a belief about the cost proportion; raise for costs in the user's own units."""
    believed = as_belief("costs", costs)
    check_proportion("costs", believed)
    return believed

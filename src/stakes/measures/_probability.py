"""Measures of probabilities: expected regret, Brier score, log loss and net benefit."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from stakes import _check, _columns
from stakes._arrays import FloatArray, blocks, class_totals
from stakes.beliefs import (
    BeliefLike,
    LogOddsMeasure,
    RangeLike,
    Uniform,
    as_belief,
    as_costs,
    as_range,
    check_proportion,
    only_cost,
)
from stakes.measures._forms import PROBABILITIES, Means, Pair, losses, one_mean
from stakes.measures._measure import measure
from stakes.table import ScoreTable, TableLike, Unsorted

Loss = Callable[[Any], FloatArray]


def _mean_loss(
    table: TableLike, if_positive: Loss, if_negative: Loss, within: tuple[float, float] | None = None
) -> float:
    _columns.check_probability_scores(table.lowest, table.highest)
    return sum(class_totals(table, if_positive, if_negative, within)) / table.total


def _half_squared_error(cases: Unsorted) -> float:
    """Mean regret under ``Uniform()``, computed for both classes together."""

    def squared(rows: slice) -> FloatArray:
        error = np.subtract(cases.label[rows], cases.score[rows], dtype=np.float64)
        square: FloatArray = np.square(error, out=error)
        return square if cases.weight is None else np.multiply(square, cases.weight[rows], out=square)

    return math.fsum(float(squared(rows).sum()) for rows in blocks(len(cases.score))) / cases.total / 2


def cost_ends(cost_range: RangeLike) -> tuple[float, float]:
    """Return the two ends of a range of cost proportions."""
    return as_range("cost_range", cost_range, single="for a single cost use `expected_regret` with `At({})`")


def mean_loss(costs: BeliefLike) -> Means:
    """Form of the mean regret."""
    believed = as_costs("costs", costs, case_costs=True)  # the measure itself knows whether there are any
    return one_mean(losses(believed), threshold=only_cost(believed), scores=PROBABILITIES)


@measure(better="smaller", form=mean_loss)
def expected_regret(table: ScoreTable | TableLike, costs: BeliefLike) -> float:
    r"""Expected cost of a model's mistakes (its expected regret), under a belief about the costs.

    Smaller is better; zero is perfect. Scores must be probabilities of the positive class. Each decision is taken at
    the threshold that its cost calls for: the cost proportion :math:`c` of a false alarm is the threshold probability
    of decision curves.

    .. math::

        R = \frac{1}{W} \sum_k p_k \, \ell_1(s_k) + n_k \, \ell_0(s_k),

    where row :math:`k` of the table has the positive weight :math:`p_k` and the negative weight
    :math:`n_k` at score :math:`s_k`, :math:`W` is the total weight, and :math:`\ell_1, \ell_0` are the
    losses of the belief. It is the mean over the belief of :math:`R(c) = c\,FP(c) + (1 - c)\,FN(c)`, with
    the shares of false alarms and of misses at threshold :math:`c`; a score equal to the threshold is acted on. It is
    also defined if all cases are of one class.

    Parameters
    ----------
    table : ScoreTable
        The sample.
    costs : belief, number or words, such as "5%..20%"
        Belief about the cost proportion.

    Returns
    -------
    float
        Mean regret per case, in units of the cost of one false alarm plus one miss (with `IndependentCosts`, in the
        user's own unit of cost).

    References
    ----------
    .. [1] M. J. Schervish (1989), "A general method for comparing probability assessors",
       Annals of Statistics 17(4), 1856-1879.

    Examples
    --------
    With uniform costs it is half the Brier score:

    >>> from stakes import Uniform, expected_regret, score_table
    >>> table = score_table(y=[0, 1], score=[0.25, 0.5])
    >>> expected_regret(table, Uniform())  # (0.25**2 + 0.5**2) / 2 / 2
    0.078125
    """  # noqa: D401
    believed = as_costs("costs", costs, case_costs=getattr(table, "has_stakes", False))
    _check.check_tables("table", table, anywhere=True)
    whole_range = isinstance(believed, Uniform) and believed == Uniform()
    if whole_range and isinstance(table, Unsorted):
        return _half_squared_error(table)
    ascends = isinstance(table, ScoreTable)
    within = believed.support if ascends and isinstance(believed, Uniform) else None
    return _mean_loss(table, believed.loss_if_positive, believed.loss_if_negative, within)


def _squared_error(cost_range: RangeLike) -> Means:
    low, high = cost_ends(cost_range)
    return one_mean(losses(Uniform(low, high)), 2 * (high - low), scores=PROBABILITIES)


@measure(better="smaller", form=_squared_error)
def brier_score(table: ScoreTable | TableLike, *, cost_range: RangeLike = (0.0, 1.0)) -> float:
    r"""Brier score, or its part from a range of costs.

    Smaller is better; zero is perfect. It is :math:`2 \int_a^b R(c)\,dc`, twice the *un-normalised* regret
    over the range: on the full range the mean squared error :math:`E(y - s)^2`, otherwise
    ``2 * (high - low) * expected_regret(table, Uniform(low, high))`` with ``cost_range=(low, high)``.

    Parameters
    ----------
    table : ScoreTable
        The sample, scores being probabilities.
    cost_range : pair of float or words, such as "5%..20%", keyword-only
        Range of cost proportions within [0, 1], which is the default.

    Returns
    -------
    float
        The score, between 0 and 1.

    References
    ----------
    .. [1] G. W. Brier (1950), "Verification of forecasts expressed in terms of probability",
       Monthly Weather Review 78(1), 1-3.

    Examples
    --------
    >>> from stakes import brier_score, score_table
    >>> table = score_table(y=[0, 1], score=[0.25, 0.5])
    >>> brier_score(table)  # (0.25**2 + 0.5**2) / 2
    0.15625
    >>> brier_score(table, cost_range="0%..50%") + brier_score(table, cost_range=(0.5, 1))
    0.15625
    """
    first, last = cost_ends(cost_range)
    return 2 * (last - first) * expected_regret(table, Uniform(first, last))


def _surprise(cost_range: RangeLike) -> Means:
    return one_mean(losses(LogOddsMeasure(*cost_ends(cost_range))), scores=PROBABILITIES)


@measure(better="smaller", form=_surprise)
def log_loss(table: ScoreTable | TableLike, *, cost_range: RangeLike = (0.0, 1.0)) -> float:
    r"""Log loss, or its part from a range of costs.

    Smaller is better; zero is perfect. It is :math:`\int_a^b R(c)\,d\operatorname{logit} c`, *un-normalised*: on the
    full range the mean of :math:`-\ln` of the probability given to the observed class (infinite if that is 0 in
    any case); between two bounds, ``expected_regret(table, LogOddsUniform(low, high))`` times their distance in
    log-odds, which is finite.

    Parameters
    ----------
    table : ScoreTable
        The sample, scores being probabilities.
    cost_range : pair of float or words, such as "5%..20%", keyword-only
        Range of cost proportions within [0, 1], which is the default.

    Returns
    -------
    float
        The score, in nats.

    References
    ----------
    .. [1] I. J. Good (1952), "Rational decisions", Journal of the Royal Statistical Society B 14(1), 107-114.

    Examples
    --------
    >>> import math
    >>> from stakes import log_loss, score_table
    >>> log_loss(score_table(y=[0, 1], score=[0.5, 0.5])) == math.log(2)
    True
    """
    return expected_regret(table, LogOddsMeasure(*cost_ends(cost_range)))


def _benefit(costs: BeliefLike) -> Means:
    """Form of the net benefit as one mean, in which a positive contributes 1 less its loss."""
    believed = as_belief("costs", costs)

    def benefit(score: FloatArray) -> Pair:
        missed, paid = believed.share_above(score), believed.odds_up_to(score)
        return 1 - np.asarray(missed, dtype=np.float64), -np.asarray(paid, dtype=np.float64)

    return one_mean(benefit, threshold=only_cost(believed), scores=PROBABILITIES)


@measure(better="larger", form=_benefit)
def net_benefit(table: ScoreTable | TableLike, costs: BeliefLike) -> float:
    r"""Net benefit, the true positives per case less the false positives at their exchange rate.

    Larger is better; the prevalence is perfect, 0 is acting on no one. At one cost proportion
    :math:`NB(c) = TP - \frac{c}{1 - c} FP = \pi - R(c)/(1 - c)`; under a belief, the mean of that. It is not a
    multiple of the mean regret, since each cost is weighted by :math:`1/(1 - c)`.

    Parameters
    ----------
    table : ScoreTable
        The sample, scores being probabilities.
    costs : belief, number or words, such as "5%..20%"
        Belief about the cost proportion, with `share_above` and `odds_up_to`, as every belief of this library about
        one cost proportion has.

    Returns
    -------
    float
        Net benefit per case; ``-inf`` where the mean diverges (costs up to 1 and a negative with score 1).

    References
    ----------
    .. [1] A. J. Vickers and E. B. Elkin (2006), "Decision curve analysis: a novel method for evaluating
       prediction models", Medical Decision Making 26(6), 565-574.

    Examples
    --------
    >>> from stakes import net_benefit, score_table
    >>> table = score_table(y=[0, 1, 1, 0], score=[0.6, 0.7, 0.3, 0.1])
    >>> net_benefit(table, 0.5)  # 1/4 true positives - 1/4 false positives
    0.0
    >>> net_benefit(table, "50%"), round(net_benefit(table, "5%..20%"), 4)
    (0.0, 0.4568)
    """
    believed = as_belief("costs", costs)
    _check.check_tables("table", table, anywhere=True)
    check_proportion("costs", believed)
    _check.check_methods("costs", believed, "share_above", "odds_up_to")
    return table.prevalence - _mean_loss(table, believed.share_above, believed.odds_up_to)

"""Skill, decomposition and H-measure, relative to a constant score and to recalibration."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from stakes import _check
from stakes._arrays import FloatArray
from stakes.beliefs import BeliefLike, as_costs
from stakes.measures._forms import Means, losses, relative_saving, zero_where_empty
from stakes.measures._measure import measure
from stakes.measures._probability import expected_regret
from stakes.table import Recalibration, ScoreTable, TableLike, flatten, recalibrate


def _skill_form(costs: BeliefLike) -> Means:
    """Form of the skill; the constant score is optimal, so that its own change has no first-order effect."""
    believed = as_costs("costs", costs, case_costs=True)  # the measure itself knows whether there are any

    def constant(prevalence: FloatArray) -> FloatArray:
        if_positive, if_negative = believed.loss_if_positive(prevalence), believed.loss_if_negative(prevalence)
        lost = prevalence * if_positive + (1 - prevalence) * if_negative
        return np.where((prevalence > 0) & (prevalence < 1), lost, np.nan)

    def of_each_class(prevalence: float) -> tuple[float, float]:
        at = np.array([prevalence])
        return float(believed.loss_if_positive(at)[0]), float(believed.loss_if_negative(at)[0])

    return relative_saving(
        believed,
        constant,
        lambda share: believed.loss_if_positive(share) - believed.loss_if_negative(share),
        constant=of_each_class,
        least=-math.inf,
    )


@measure(better="larger", form=_skill_form)
def skill_score(table: ScoreTable | TableLike, costs: BeliefLike) -> float:
    r"""Skill score, the share of the regret of the best constant score that a model saves.

    Larger is better; one is perfect, 0 is no better than giving everyone the prevalence, negative is worse.
    It is :math:`1 - E R(s)/E R(\pi)`; the prevalence :math:`\pi` is the best constant at every cost at once.

    Parameters
    ----------
    table : ScoreTable
        The sample, scores being probabilities.
    costs : belief, number or words, such as "5%..20%"
        Belief about the cost proportion.

    Returns
    -------
    float
        The skill, at most 1; ``nan`` (with a warning) on one class only.

    Examples
    --------
    >>> from stakes import Uniform, score_table, skill_score
    >>> table = score_table(y=[0, 0, 1, 1], score=[0.25, 0.25, 0.75, 0.75])
    >>> skill_score(table, Uniform())  # 1 - 0.0625 / 0.25
    0.75
    """
    believed = as_costs("costs", costs, case_costs=getattr(table, "has_stakes", False))
    regret = expected_regret(table, believed)
    if not _check.is_defined("skill_score", table.positive_total, table.negative_total):
        return math.nan
    return 1 - regret / expected_regret(flatten(table), believed)


@dataclass(frozen=True, slots=True)
class Decomposition:
    """The three parts of the mean regret, ``total = miscalibration - discrimination + uncertainty``.

    Attributes
    ----------
    miscalibration : float
        Regret that recalibration alone would save; not negative, smaller is better.
    discrimination : float
        Regret that the ranking saves relative to a constant score; not negative, larger is better.
    uncertainty : float
        Regret of the best constant score, a property of the sample, not of the model.
    total : float
        Mean regret.

    Examples
    --------
    >>> from stakes import Uniform, decompose, score_table
    >>> parts = decompose(score_table(y=[0, 1], score=[0.5, 0.5]), Uniform())
    >>> parts.total == parts.uncertainty == 0.125
    True
    """

    miscalibration: float
    discrimination: float
    uncertainty: float
    total: float


@dataclass(frozen=True)
class RecalibrationFloor:
    """The floor of the parts that compare a table with its own recalibration."""

    field: str
    costs: BeliefLike

    def gain(self, table: ScoreTable) -> float:
        """Return what recalibration gains on a table whose outcomes it has seen."""
        costs = as_costs("costs", self.costs, case_costs=table.has_stakes)
        return max(expected_regret(table, costs) - expected_regret(recalibrate(table), costs), 0.0)

    def values(self, table: ScoreTable) -> FloatArray:
        """Return what recalibration gains on a case of each cell, over its score or over a constant one."""
        fitted = Recalibration.of(table)(table.score)
        before = table.score if self.field == "miscalibration" else np.full(len(table), table.prevalence)
        lost = losses(as_costs("costs", self.costs, case_costs=table.has_stakes))
        with np.errstate(invalid="ignore"):
            return zero_where_empty(np.concatenate(lost(before)) - np.concatenate(lost(fitted)), table)


@measure(
    fields={"miscalibration": "smaller", "discrimination": "larger"},
    floor=RecalibrationFloor,
    resampled="basic",
    why_resampled="recalibration takes all cases together",
)
def decompose(table: ScoreTable, costs: BeliefLike) -> Decomposition:
    r"""Split the mean regret into miscalibration, discrimination and uncertainty.

    With :math:`\hat s` the recalibrated score and :math:`\pi` the prevalence,
    :math:`MCB = E R(s) - E R(\hat s)`, :math:`DSC = E R(\pi) - E R(\hat s)` and :math:`UNC = E R(\pi)`; none is
    negative and :math:`E R(s) = MCB - DSC + UNC`. The parts of the Brier score are twice those under
    ``Uniform()``. Recalibration is fitted to the outcomes, so in small samples MCB and DSC are biased upwards.

    Parameters
    ----------
    table : ScoreTable
        The sample, scores being probabilities.
    costs : belief, number or words, such as "5%..20%"
        Belief about the cost proportion.

    Returns
    -------
    Decomposition
        The parts, in the units of `expected_regret`.

    References
    ----------
    .. [1] T. Dimitriadis, T. Gneiting and A. I. Jordan (2021), "Stable reliability diagrams for
       probabilistic classifiers", PNAS 118(8), e2016191118.

    Examples
    --------
    Scores in the right order, but too timid:

    >>> from stakes import Uniform, decompose, score_table
    >>> decompose(score_table(y=[0, 0, 1, 1], score=[0.25, 0.25, 0.75, 0.75]), Uniform())
    Decomposition(miscalibration=0.03125, discrimination=0.125, uncertainty=0.125, total=0.03125)
    """
    believed = as_costs("costs", costs, case_costs=getattr(table, "has_stakes", False))
    recalibrated = expected_regret(recalibrate(table), believed)
    total = expected_regret(table, believed)
    constant = expected_regret(flatten(table), believed)
    # Neither part can be negative, and rounding must not make a zero negative.
    return Decomposition(max(total - recalibrated, 0.0), max(constant - recalibrated, 0.0), constant, total)


@measure(better="larger", reads="order", resampled="basic", why_resampled="recalibration takes all cases together")
def h_measure(table: ScoreTable, costs: BeliefLike | None = None) -> float:
    r"""H-measure of Hand, the skill of the ranking whatever the values of the scores.

    Larger is better; one is perfect, 0 is no discrimination. It is the `skill_score` of the recalibrated
    table. Scores are not reversed: a model that ranks cases backwards has H-measure 0.

    Parameters
    ----------
    table : ScoreTable
        The sample; scores may be any numbers.
    costs : belief, number or words, such as "5%..20%", optional
        Belief about the cost proportion; ``Beta(2, 2)`` unless given.

    Returns
    -------
    float
        The measure, between 0 and 1; ``nan`` (with a warning) on one class only.

    References
    ----------
    .. [1] D. J. Hand (2009), "Measuring classifier performance: a coherent alternative to the area
       under the ROC curve", Machine Learning 77, 103-123.
    .. [2] D. J. Hand and C. Anagnostopoulos (2014), "A better Beta for the H measure of classification
       performance", Pattern Recognition Letters 40, 41-46: ``Beta(1 + prevalence, 2 - prevalence)``.

    Examples
    --------
    >>> from stakes import h_measure, score_table
    >>> h_measure(score_table(y=[0, 0, 1], score=[-3, 1, 8]))
    1.0
    """
    from stakes.beliefs import Beta  # nobody else waits for it

    believed = as_costs("costs", Beta(2, 2) if costs is None else costs, case_costs=getattr(table, "has_stakes", False))
    _check.check_tables("table", table)
    if not _check.is_defined("h_measure", table.positive_total, table.negative_total):
        return math.nan
    return skill_score(recalibrate(table), believed)

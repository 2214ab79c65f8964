"""The bounded DCA log score."""

from __future__ import annotations

from stakes import _check
from stakes.beliefs import At, LogOddsUniform, RangeLike, as_cost, as_range
from stakes.measures import measure
from stakes.prevalence._average import ShiftedMeans
from stakes.prevalence._pointwise import PriorAdjustedNetBenefit
from stakes.prevalence._shifted import prior_adjusted_net_benefit
from stakes.table import ScoreTable, TableLike


def _dca_log_form(cost: float | str, prevalence_range: RangeLike) -> ShiftedMeans:
    low, high = as_range("prevalence_range", prevalence_range, _check.open_share)
    return ShiftedMeans(PriorAdjustedNetBenefit, At(as_cost("cost", cost)), LogOddsUniform(low, high))


@measure(better="larger", form=_dca_log_form)
def dca_log_score(table: ScoreTable | TableLike, *, cost: float | str, prevalence_range: RangeLike) -> float:
    r"""Prior-adjusted net benefit at one cost over prevalences uniform in log-odds (bounded DCA log score).

    Larger is better. ``prior_adjusted_net_benefit(table, cost, LogOddsUniform(*prevalence_range))``, a cross-entropy
    clipped to the range:

    .. math::

        \frac{1}{(1 - c)\,L}\;E_{D_{1-c}}\left[\ln|1 - y - \operatorname{clip} s_{1-c}|
        - \ln|1 - y - \operatorname{clip}(1 - y)|\right],

    with :math:`L` the length of the range in log-odds, clipping to :math:`[1 - b, 1 - a]`, and scores and cases at the
    prevalence :math:`1 - c`. (The paper's theorem prints twice this, and does not say where it clips.)

    Parameters
    ----------
    table : ScoreTable
        The sample, with both classes and scores that are probabilities.
    cost : float or words, such as "10%" or "1:9", keyword-only
        The cost proportion, strictly between 0 and 1.
    prevalence_range : pair of float or words, such as "0.1%..2%", keyword-only
        Range of prevalences, strictly between 0 and 1.

    Returns
    -------
    float
        The score, in true positives per case.

    References
    ----------
    .. [1] G. Flores et al., "Aligning evaluation with clinical priorities: calibration, label shift, and error
       costs", theorem 4.1.

    Examples
    --------
    Prevalences from one in a thousand to one in fifty, and a miss as bad as 30 false alarms:

    >>> from stakes import score_table
    >>> from stakes.prevalence import dca_log_score
    >>> table = score_table(y=[0, 0, 1, 1], score=[0.2, 0.4, 0.6, 0.9])
    >>> round(dca_log_score(table, cost="1:30", prevalence_range="0.1%..2%"), 6)
    0.035858
    """
    proportion, ends = as_cost("cost", cost), as_range("prevalence_range", prevalence_range, _check.open_share)
    return prior_adjusted_net_benefit(table, At(proportion), LogOddsUniform(*ends))

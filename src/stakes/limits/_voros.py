"""VOROS, the mean share of the ROC square that costs more than the best threshold, also under limits."""

from __future__ import annotations

import math

import numpy as np

from stakes import _check
from stakes._arrays import FloatArray
from stakes.beliefs import CostsLike, as_costs_on_any_scale, as_share, cost_scale, distributions, scale_name
from stakes.curves import Curve
from stakes.limits import _region
from stakes.limits._area import Fans, mean_shares
from stakes.limits._hull import Counts, best_mixed_steps, best_steps
from stakes.limits._limits import Limits, LimitsLike, as_limits
from stakes.limits._region import Polygon, check_no_stakes, clip, region_in_counts
from stakes.measures import measure
from stakes.table import ScoreTable, at_ordinary_scale

_LABELS = ("fractional cost t", "share of feasible classifiers that cost more")

_GRID = 513  # points of a lesser-area curve, besides its breaks


@measure(better="larger", reads="order", why_resampled="the best thresholds are chosen on the sample")
def voros(table: ScoreTable, costs: CostsLike) -> float:
    r"""Volume over the ROC surface (VOROS), the mean share of all classifiers that cost more than this one.

    Larger is better; one is perfect. The classifier is used at its best threshold. At one cost, with :math:`t` the
    fractional cost and :math:`c = t\,FPR + (1 - t)\,FNR` the normalised cost of the best threshold, it is the area of
    the points of the ROC square that cost at least :math:`c`; as long as never and always alarming are allowed,

    .. math:: A(t) = 1 - \frac{c^2}{2t(1 - t)},

    and VOROS is its mean over the costs. Never alarming at high costs and always at low ones already reaches
    :math:`3/2 - \ln 2 = 0.807` over all :math:`t`, so values are close together; read them relative to that baseline.

    Parameters
    ----------
    table : ScoreTable
        The sample; scores may be any numbers, as only their order matters.
    costs : belief, number or words, such as "5%..20%", or FractionalCost, CostRatio or InverseCostRatio
        Belief about the costs. The scale matters: a uniform fractional cost, cost ratio and cost proportion (any belief
        of this library) give three different values. All uniform beliefs are exact; other densities are integrated to
        1e-12.

    Returns
    -------
    float
        The mean area, between 0 and 1; ``nan`` (with a warning) on one class only.

    References
    ----------
    .. [1] C. Ratigan and L. Cowen (2025), "The VOROS: lifting ROC curves to 3D to summarize unbalanced classifier
       performance", AAAI 39, 20148-20156.

    Examples
    --------
    >>> from stakes import Uniform, score_table
    >>> from stakes.beliefs import FractionalCost
    >>> from stakes.limits import voros
    >>> table = score_table(y=[0, 1, 0, 1], score=[1, 2, 3, 4])
    >>> round(voros(table, FractionalCost(0.25, 0.75)), 6)
    0.922267
    >>> voros(score_table(y=[0, 0, 1], score=[1, 2, 3]), Uniform(0.1, 0.4))
    1.0
    """
    return _mean_lesser_area("voros", table, costs, None, randomised=False)


@measure(better="larger", reads="order", why_resampled="the best thresholds are chosen on the sample")
def partial_voros(table: ScoreTable, costs: CostsLike, limits: Limits, *, randomised: bool = False) -> float:
    r"""Partial VOROS, the mean share of the feasible region that costs more than the best threshold in it.

    Larger is better; one is perfect. With :math:`F` the feasible region and :math:`A^*_t` the area of the points of
    :math:`F` that cost more than the best feasible threshold at :math:`t`,

    .. math:: PV = E_t \left[ \max_{\text{feasible thresholds}} A^*_t \right] / \operatorname{area}(F).

    Never alarming scores 0 while it is the costliest feasible decision
    (:math:`t < \alpha N/(\alpha N + (1 - \alpha)P)`), and more than that at higher costs. A threshold that meets a
    limit exactly is feasible. The best threshold is taken from the hull of the feasible thresholds; the paper's
    appendix C takes the hull first and so loses thresholds.

    Parameters
    ----------
    table : ScoreTable
        The sample; scores may be any numbers, as only their order matters.
    costs : belief, number or words, such as "5%..20%", or FractionalCost, CostRatio or InverseCostRatio
        Belief about the costs; see `voros`.
    limits : Limits
        Capacity and smallest precision of the alarms.
    randomised : bool, keyword-only
        Whether to allow random choice between two thresholds, so that the limits hold on average; the result is never
        smaller. A finer score then never loses; with single thresholds it may, where the coarse one skips the limit.

    Returns
    -------
    float
        The mean share, between 0 and 1; ``nan`` (with a warning that says why) on one class only, and where the
        limits leave no area: with capacity 0 or a smallest precision of 1.

    References
    ----------
    .. [1] C. Ratigan, K. Heuton, C. Wang, L. Cowen and M. C. Hughes, "Partial VOROS: a cost-aware performance metric
       for binary classifiers with precision and capacity constraints", Definition 20.

    Examples
    --------
    Three alarms can be answered, half of them must be true:

    >>> from stakes import Limits, score_table
    >>> from stakes.beliefs import FractionalCost
    >>> from stakes.limits import partial_voros
    >>> table = score_table(y=[0, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0], score=list(range(12, 0, -1)))
    >>> limits = Limits.from_count(3, 12, min_precision=0.5)
    >>> round(partial_voros(table, FractionalCost(0.2, 0.5), limits), 6)  # 8/9 - 10/27 log(8/5)
    0.714813
    >>> round(partial_voros(table, FractionalCost(0.2, 0.5), limits, randomised=True), 6)
    0.897333
    """
    return _mean_lesser_area("partial_voros", table, costs, limits, randomised=randomised)


def _mean_lesser_area(name: str, table: ScoreTable, costs: CostsLike, limits: LimitsLike, *, randomised: bool) -> float:
    stated, bounds = as_costs_on_any_scale("costs", costs), as_limits(limits)
    _check.check_tables("table", table)
    check_no_stakes(name, table)
    believed = distributions(stated)
    if not _region.is_defined(name, table, bounds):
        return math.nan
    counts = Counts.of(table) if randomised else Counts.of(table, bounds)
    scale = cost_scale(scale_name(stated), counts.positive, counts.negative)
    steps = best_mixed_steps(counts, bounds, scale) if randomised else best_steps(counts, counts.allowed(bounds), scale)
    region = region_in_counts(counts.positive, counts.negative, bounds)
    return float(mean_shares([region], [steps], scale, believed).item())


def lesser_area(
    region: Polygon, *, false_positive_rate: float | str, true_positive_rate: float | str, t: float | str
) -> float:
    r"""Return the area of the part of a region that costs more than an operating point.

    The part is bounded by the line of equal cost, :math:`t x - (1 - t) y = t h - (1 - t) k`. Divide by
    ``region.area`` for the share that VOROS averages.

    Parameters
    ----------
    region : Polygon
        The region, such as `feasible_region` returns.
    false_positive_rate, true_positive_rate : float or words, such as "10%", keyword-only
        The operating point :math:`(h, k)`, anywhere in the ROC square.
    t : float or words, such as "10%", keyword-only
        The fractional cost, between 0 and 1; see `FractionalCost`.

    Returns
    -------
    float
        The area, between 0 and that of the region.

    References
    ----------
    .. [1] C. Ratigan et al., "Partial VOROS", Definition 17 and Figure 3 (whose first case misses a plus sign).

    Examples
    --------
    >>> from stakes import Limits, score_table
    >>> from stakes.limits import feasible_region, lesser_area
    >>> square = feasible_region(score_table(y=[0, 1], score=[1, 2]), Limits())
    >>> lesser_area(square, false_positive_rate=0.25, true_positive_rate=0.6, t=1.0)  # only false alarms cost
    0.75
    """
    _check.check_type(Polygon, "region", region, hint=" (see `feasible_region`)")
    h, k = (
        as_share("false_positive_rate", false_positive_rate),
        as_share("true_positive_rate", true_positive_rate),
    )
    cost = as_share("t", t)
    corners = [(float(x), float(y)) for x, y in region.vertices]
    costlier = clip(corners, lambda x, y: cost * (x - h) - (1 - cost) * (y - k))
    return Polygon(np.array(costlier)).area if costlier else 0.0


def lesser_area_curve(table: ScoreTable, limits: LimitsLike = None) -> Curve:
    r"""Return the share of the feasible region that costs more than the best threshold, over the costs.

    Its mean over a range of :math:`t` is ``partial_voros(table, FractionalCost(low, high), limits)``. The curve is
    exact at its points, which are dense (and include every :math:`t` at which the best threshold changes); between them
    it is interpolated linearly, though the exact curve bends slightly.

    Parameters
    ----------
    table : ScoreTable
        The sample; scores may be any numbers.
    limits : Limits, optional
        Capacity and smallest precision of the alarms; by default no limits.

    Returns
    -------
    Curve
        The share over *t* from 0 to 1, with the threshold that is best there; ``nan`` everywhere (with a warning) on
        one class only and where the feasible region has no area.

    References
    ----------
    .. [1] C. Ratigan et al., "Partial VOROS", Figure 5 (center).

    Examples
    --------
    >>> from stakes import score_table
    >>> from stakes.limits import lesser_area_curve
    >>> curve = lesser_area_curve(score_table(y=[0, 1, 0, 1], score=[1, 2, 3, 4]))
    >>> round(float(curve.at(0.5)), 6)  # 1 - 0.25**2 / (2 * 0.5 * 0.5), at either of two thresholds
    0.875
    """
    _check.check_tables("table", table)
    check_no_stakes("lesser_area_curve", table)
    table, bounds = at_ordinary_scale(table), as_limits(limits)
    if not _region.is_defined("lesser_area_curve", table, bounds):
        return Curve([0.0, 1.0], [np.nan, np.nan], *_LABELS, better="higher")
    t, share, threshold = _lesser_areas(table, bounds, np.linspace(0, 1, _GRID))
    return Curve(t, share, *_LABELS, threshold, better="higher")


def _lesser_areas(table: ScoreTable, limits: Limits, grid: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return fractional costs (the grid, and every tie twice), the costlier share and the best threshold."""
    counts = Counts.of(table, limits)
    scale = cost_scale("fractional cost", counts.positive, counts.negative)
    steps = best_steps(counts, counts.allowed(limits), scale)
    before = np.arange(len(steps.stairs.bounds))
    t = np.concatenate([grid, steps.stairs.bounds, steps.stairs.bounds])
    step = np.concatenate([steps.stairs.find(grid), before, before + 1])
    order = np.lexsort([step, t])
    corners = region_in_counts(counts.positive, counts.negative, limits)
    fans = Fans.of(corners, steps.false_alarms, steps.true_alarms, scale)
    return t[order], fans.at(step[order], t[order]), steps.thresholds(table)[step[order]]

"""Partial VOROS over a grid of limits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from stakes import _check
from stakes._arrays import BoolArray, FloatArray
from stakes.beliefs import Costs, CostsLike, as_costs_on_any_scale, as_share, cost_scale, distributions, scale_name
from stakes.limits._area import mean_shares
from stakes.limits._hull import Counts, Indices, best_steps
from stakes.limits._limits import Limits, precise_enough
from stakes.limits._region import area_of, check_no_stakes, region_in_counts
from stakes.table import ScoreTable


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class PartialVorosMap:
    """Partial VOROS of several models over a grid of limits.

    Attributes
    ----------
    models : tuple of str
        The names of the models.
    min_precision, capacity : ndarray of float64
        The limits of the grid.
    value : ndarray of float64, shape (models, min_precision, capacity)
        Partial VOROS; ``nan`` where the feasible region has no area.

    Examples
    --------
    >>> from stakes import score_table
    >>> from stakes.beliefs import FractionalCost
    >>> from stakes.limits import partial_voros_map
    >>> tables = {"a": score_table(y=[0, 1], score=[2, 1]), "b": score_table(y=[0, 1], score=[1, 2])}
    >>> grid = partial_voros_map(tables, FractionalCost(0.1, 0.4), min_precision=[0.6], capacity=[0.5, 1.0])
    >>> grid
    PartialVorosMap(2 models, 1 x 2 limits)
    >>> grid.best.tolist(), grid.tied(within=0.01).tolist()
    ([[1, 1]], [[False, False]])
    """

    models: tuple[str, ...]
    min_precision: FloatArray
    capacity: FloatArray
    value: FloatArray

    def __post_init__(self) -> None:
        for array in (self.min_precision, self.capacity, self.value):
            array.flags.writeable = False

    @property
    def best(self) -> Indices:
        """Index of the best model at each pair of limits, of equal ones the first; -1 where none is defined."""
        filled = np.where(np.isnan(self.value), -np.inf, self.value)
        return np.where(np.isnan(self.value).all(axis=0), -1, filled.argmax(axis=0))

    def tied(self, *, within: float = 0.01) -> BoolArray:
        """Return at which limits another model comes close to the best.

        Parameters
        ----------
        within : float, keyword-only
            Largest difference of values that count as close, not negative; the paper's map uses 0.01.

        Returns
        -------
        ndarray of bool
            One element for each pair of limits.
        """
        close = self.near_best(within=within)
        return np.asarray(np.count_nonzero(close, axis=0) > 1)

    def near_best(self, *, within: float = 0.01) -> BoolArray:
        """Return which models come close to the best, the best included.

        Parameters
        ----------
        within : float, keyword-only
            Largest difference of values that count as close, not negative.

        Returns
        -------
        ndarray of bool
            One element for each model and each pair of limits.
        """
        margin = _check.non_negative_number("within", within)
        filled = np.where(np.isnan(self.value), -np.inf, self.value)
        return np.asarray((filled >= filled.max(axis=0) - margin) & ~np.isnan(self.value))

    def __repr__(self) -> str:
        limits = f"{len(self.min_precision)} x {len(self.capacity)} limits"
        return f"PartialVorosMap({len(self.models)} model{'s'[: len(self.models) > 1]}, {limits})"


def partial_voros_map(
    tables: Mapping[str, ScoreTable],
    costs: CostsLike,
    *,
    min_precision: Sequence[float | str],
    capacity: Sequence[float | str],
) -> PartialVorosMap:
    """Return partial VOROS of several models over a grid of limits.

    Each value is that of `partial_voros` with those limits; each table is counted only once.

    Parameters
    ----------
    tables : mapping of str to ScoreTable
        The models, on samples with both classes.
    costs : belief, number or words, such as "5%..20%", or FractionalCost, CostRatio or InverseCostRatio
        Belief about the costs.
    min_precision, capacity : sequence of float or of words, such as "10%", keyword-only
        The limits of the grid, each between 0 and 1.

    Returns
    -------
    PartialVorosMap
        The values, the best model at each pair of limits, and ties.

    References
    ----------
    .. [1] C. Ratigan et al., "Partial VOROS", Figure 4 (bottom).

    Examples
    --------
    >>> from stakes import score_table
    >>> from stakes.beliefs import FractionalCost
    >>> from stakes.limits import partial_voros_map
    >>> tables = {"a": score_table(y=[0, 1, 0, 1], score=[1, 2, 3, 4])}
    >>> grid = partial_voros_map(tables, FractionalCost(0.1, 0.3), min_precision=[0.5, 0.8], capacity=[0.5])
    >>> grid.value.shape
    (1, 2, 1)
    """
    stated = as_costs_on_any_scale("costs", costs)
    _check.check_named_tables("tables", tables, "model")
    rows, columns = (
        np.array([as_share(name, value) for value in values])
        for name, values in (("min_precision", min_precision), ("capacity", capacity))
    )
    for table in tables.values():
        check_no_stakes("partial_voros_map", table)
        _check.check_both_classes(table.positive_total, table.negative_total)
    value = np.stack([_values_over_limits(Counts.of(table), stated, rows, columns) for table in tables.values()])
    return PartialVorosMap(tuple(tables), rows, columns, value)


def _values_over_limits(counts: Counts, costs: Costs, rows: FloatArray, columns: FloatArray) -> FloatArray:
    """Return partial VOROS of one model for each smallest precision (rows) and each capacity (columns)."""
    scale, believed = cost_scale(scale_name(costs), counts.positive, counts.negative), distributions(costs)
    load = (counts.false_alarms + counts.true_alarms) / counts.total
    value = np.full((len(rows), len(columns)), np.nan)
    for i, alpha in enumerate(rows):
        precise = np.flatnonzero(precise_enough(Limits(min_precision=alpha), counts.false_alarms, counts.true_alarms))
        # Alarms grow from threshold to threshold: those that can be answered come first.
        answered = np.searchsorted(load[precise], columns, side="right")
        steps = {few: best_steps(counts, precise[:few], scale) for few in set(answered.tolist())}
        limits = [Limits(min_precision=alpha, capacity=kappa) for kappa in columns]
        regions = [region_in_counts(counts.positive, counts.negative, each) for each in limits]
        some = [j for j, region in enumerate(regions) if area_of(region) > 0]
        if some:
            chosen = [steps[int(answered[j])] for j in some]
            value[i, some] = mean_shares([regions[j] for j in some], chosen, scale, believed)
    return value

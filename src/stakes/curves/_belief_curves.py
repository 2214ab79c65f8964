"""Densities of beliefs, over the cost and over its log-odds."""

from __future__ import annotations

import numpy as np

from stakes import _check
from stakes._arrays import FloatArray
from stakes.beliefs import BeliefLike, as_belief
from stakes.curves._curve import Curve

_POINTS = 1001


def _density_points(given: BeliefLike, places: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Points of the density at `places` inside the support and at its ends, where it jumps."""
    belief = as_belief("belief", given)
    _check.check_methods("belief", belief, "density", "support")
    low, high = belief.support
    inner = places[(places > low) & (places < high)]
    low, high = max(low, places[0]), min(high, places[-1])
    x = np.concatenate([[places[0], low, low], inner, [high, high, places[-1]]])
    y = np.zeros(len(x))
    y[2:-2] = belief.density(np.clip(x[2:-2], places[0], places[-1]))
    return x, y


def density_curve(belief: BeliefLike) -> Curve:
    """Density of a belief over the cost proportion.

    Parameters
    ----------
    belief : belief or words, such as "5%..20%"
        A belief with `density` and `support`.

    Returns
    -------
    Curve
        Density at a thousand costs and at the ends of its support; for drawing, exact at these points only.

    Examples
    --------
    >>> from stakes.curves import density_curve
    >>> density_curve("25%..50%").at([0.2, 0.3]).tolist()
    [0.0, 4.0]
    """
    steps = np.linspace(0.0, 1.0, _POINTS + 1)
    x, y = _density_points(belief, (steps[1:] + steps[:-1]) / 2)
    return Curve(x, y, "cost proportion of a false alarm", "density")


def log_odds_density_curve(belief: BeliefLike, *, reach: float = 7.0) -> Curve:
    """Density of a belief over the log-odds of the cost, which suits ranges such as 1:999 to 1:9.

    Parameters
    ----------
    belief : belief or words, such as "5%..20%"
        A belief with `density` and `support`.
    reach : float, keyword-only
        Largest distance from even odds, in log-odds; greater than 0, 7 unless given.

    Returns
    -------
    Curve
        Density at a thousand log-odds and at the ends of its support; for drawing, exact at these points only.

    Examples
    --------
    >>> from stakes import LogOddsUniform, from_odds
    >>> from stakes.curves import log_odds_density_curve
    >>> curve = log_odds_density_curve(LogOddsUniform(from_odds(1, 9), from_odds(9, 1)))
    >>> curve.at([-3, -1, 1]).round(3).tolist()
    [0.0, 0.228, 0.228]
    """
    reach = _check.number_above("reach", reach)
    places = 1 / (1 + np.exp(-np.linspace(-reach, reach, _POINTS)))
    cost, y = _density_points(belief, places)
    return Curve(np.log(cost) - np.log1p(-cost), y * cost * (1 - cost), "log-odds of the cost proportion", "density")

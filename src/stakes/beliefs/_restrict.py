"""Beliefs restricted to a part of their range."""

from __future__ import annotations

from typing import Any

from stakes._errors import InputError
from stakes.beliefs._combined import Mixture
from stakes.beliefs._points import At, Atoms
from stakes.beliefs._ranges import LogOddsUniform, Uniform
from stakes.beliefs._shapes import Beta


def restrict(belief: Any, low: float, high: float) -> Any | None:
    """Return a belief given that the number is above `low` and at most `high`.

    None where that has no probability, and for beliefs whose restriction has no closed form.
    """
    try:
        if isinstance(belief, Mixture):
            return _restrict_mixture(belief, low, high)
        if isinstance(belief, At | Atoms):
            return _restrict_points(belief, low, high)
        if not isinstance(belief, Uniform | LogOddsUniform | Beta):
            return None
        ends = max(low, belief.low), min(high, belief.high)
        if isinstance(belief, Beta):
            return Beta(belief.alpha, belief.beta, low=ends[0], high=ends[1])
        return type(belief)(*ends)
    except InputError:  # nothing is left of it
        return None


def _restrict_points(belief: At | Atoms, low: float, high: float) -> At | Atoms | None:
    if isinstance(belief, At):
        return belief if low < belief.value <= high else None
    left = [(value, weight) for value, weight in zip(belief.values, belief.weights, strict=True) if low < value <= high]
    return Atoms(*zip(*left, strict=True)) if left else None


def _restrict_mixture(belief: Mixture, low: float, high: float) -> Mixture | None:
    left = []
    for part, weight in zip(belief.parts, belief.weights, strict=True):
        inside = restrict(part, low, high)
        share: Any = getattr(part, "share_above", None)
        if share is None or (inside is None and share(low) > share(high)):
            return None
        if inside is not None:
            left.append((inside, weight * float(share(low) - share(high))))
    return Mixture(*zip(*left, strict=True)) if left else None

"""Which law a belief is."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from stakes import _check
from stakes.beliefs import At, Atoms, LogOddsUniform, Mixture, Uniform
from stakes.shift._closed_laws import Even, EvenInLogOdds, Point
from stakes.shift._law import Law
from stakes.shift._other_law import Other


def parts(belief: Any) -> Iterator[tuple[float, Any]]:
    """Take a belief apart into points and continuous beliefs, each with its probability."""
    if isinstance(belief, Atoms):
        yield from ((weight, At(value)) for value, weight in zip(belief.values, belief.weights, strict=True) if weight)
    elif isinstance(belief, Mixture):
        for part, weight in zip(belief.parts, belief.weights, strict=True):
            yield from ((weight * share, piece) for share, piece in parts(part) if weight)
    else:
        yield 1.0, belief


def law_of(name: str, belief: Any) -> Law:
    """Return the law of one part of a belief."""
    if isinstance(belief, At):
        return Point(belief.value)
    if isinstance(belief, LogOddsUniform):
        return EvenInLogOdds(belief)
    if isinstance(belief, Uniform):
        return Even(belief)
    _check.offers(name, belief)
    return Other(name, belief)

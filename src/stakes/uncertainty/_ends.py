"""The two ends of an interval, and how many standard errors they are away."""

from __future__ import annotations

import math

from scipy import special

Ends = tuple[float, float]

UNDEFINED: Ends = (math.nan, math.nan)


def single_deviate(level: float, freedom: float | None = None) -> float:
    """Return the deviate of the ends of an interval: normal, or Student's with some degrees of freedom."""
    tail = (1 + level) / 2
    return float(special.ndtri(tail) if freedom is None else special.stdtrit(freedom, tail))

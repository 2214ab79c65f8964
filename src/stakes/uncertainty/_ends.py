"""The two ends of an interval."""

from __future__ import annotations

import math

Ends = tuple[float, float]

UNDEFINED: Ends = (math.nan, math.nan)

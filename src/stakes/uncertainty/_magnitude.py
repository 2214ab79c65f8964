"""Numbers of any magnitude, in a unit in which their squares are ordinary numbers."""

from __future__ import annotations

import numpy as np

from stakes._arrays import FloatArray

_LEAST, _MOST = 2.0**-200, 2.0**200


def extreme_power(values: FloatArray) -> int:
    """Return the power of two to divide values by; 0 unless their largest is extreme."""
    largest = max(float(values.max(initial=0.0)), -float(values.min(initial=0.0)))
    if not np.isfinite(largest):
        largest = float(np.max(np.abs(values), initial=0.0, where=np.isfinite(values)))
    return 0 if largest == 0 or _LEAST <= largest <= _MOST else int(np.frexp(largest)[1])

"""The cases from which a page learns how models vary together: all, or of very many a fixed sample."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from stakes._arrays import BoolArray, FloatArray
from stakes.cases import Cases, weighed_cases

BINS = 32  # of the rows of a model
MOST_CASES = 100_000  # of which products are taken, where cases are independent
_MOST_MOVED = 1 << 25  # numbers held for products of cases on whose follow-up the weights of others depend

IntArray = npt.NDArray[np.intp]
Through = Callable[[FloatArray], FloatArray]  # what a case moves by itself -> with its part in other weights


def some_rows(cases: Cases, seed: int = 0) -> IntArray:
    """Return which cases to use: all, or of very many independent ones a fixed sample."""
    if cases.cluster is not None or len(cases) <= MOST_CASES:
        return np.arange(len(cases))
    return np.sort(np.random.default_rng(seed).choice(len(cases), MOST_CASES, replace=False))


def rows_to_use(cases: Cases, models: int) -> tuple[IntArray, Through | None] | None:
    """Return the rows to use, of very many cases a fixed sample, and what weights add to influence.

    The latter is None where everybody is known. None for both where the sample is not followed until the horizon.
    """
    weighed = weighed_cases(cases)
    if weighed is None:
        return some_rows(cases), None
    if cases.cluster is not None:
        return np.arange(len(cases)), weighed.through
    found = weighed.sample(min(MOST_CASES, _MOST_MOVED // (2 * models * BINS)))
    return None if found is None else (found[0], found[1].through)


def heaviness(weight: FloatArray, positive: BoolArray) -> tuple[float, float]:
    """Return the mean weight of the cases of each class that weigh something."""
    known = weight > 0
    first, second = (float(weight[here].mean()) if here.any() else 1.0 for here in (positive, ~positive & known))
    return first, second

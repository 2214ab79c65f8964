"""When not to trust an interval: where the sample is smaller than the intervals have been seen to hold for."""

from __future__ import annotations

import numpy as np

from stakes.cases import Cases
from stakes.uncertainty._influence import units_of

# The fewest that `benchmarks/covering.py` found the intervals to hold for; the page on uncertainty has the figures.
FEWEST_OF_A_CLASS, FEWEST_CLUSTERS = 10, 30


def caution(cases: Cases) -> str:
    """Say what there is too little of, or nothing."""
    positive = int(np.count_nonzero(cases.positive))
    fewest = min(positive, len(cases) - positive)
    clusters = units_of(cases)
    if cases.cluster is not None and clusters < FEWEST_CLUSTERS:
        return f"only {clusters:,} clusters, too few for a level to be trusted"
    if fewest < FEWEST_OF_A_CLASS:
        which = "positives" if fewest == positive else "negatives"
        return f"only {fewest:,} {which}, too few for a level to be trusted"
    return ""

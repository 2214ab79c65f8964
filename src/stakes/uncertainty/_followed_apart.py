"""Products of what cases move differences by, where their weights depend on who was followed."""

from __future__ import annotations

import numpy as np

from stakes._arrays import FloatArray
from stakes._case_columns import IntArray
from stakes.cases import Cases
from stakes.outcome import WeightedOutcome

MOST = 50_000  # independent cases, of more of which a fixed sample is taken


def followed_products(
    cases: Cases, weighed: WeightedOutcome, acts_at: tuple[IntArray, IntArray], places: FloatArray
) -> tuple[FloatArray, FloatArray | None]:
    """Return products of the influence of cases, and of clusters, on a difference at pairs of places.

    `acts_at` says at how many of the places each of two models acts on each case. What a case adds by itself is joined
    by what it moves through the weights of others.
    """
    found = None if cases.cluster is not None else weighed.sample(MOST)
    here, some = (np.arange(len(cases)), weighed) if found is None else found
    first, second = (one[here] for one in acts_at)
    total, moved = float(some.weight.sum()), np.empty((len(here), len(places)))
    for place, cost in enumerate(places.tolist()):
        value = np.where(some.positive, 1.0, -cost / (1 - cost))
        added = some.weight * value * ((first > place) * 1.0 - (second > place))
        moved[:, place] = some.through((added - some.weight * (added.sum() / total)) / total)
    by_case = moved.T @ moved * (len(here) / len(cases))
    if cases.cluster is None:
        return by_case, None
    units = int(cases.cluster.max()) + 1
    together = np.stack([np.bincount(cases.cluster, column, units) for column in moved.T], axis=1)
    return by_case, np.asarray(together.T @ together, dtype=np.float64)

"""Tables of several models on the same cases, made at the same time."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import numpy as np
import numpy.typing as npt

from stakes._arrays import BoolArray, FloatArray, in_threads
from stakes.case_costs import Stakes
from stakes.outcome import Weighed
from stakes.table._followed_table import followed_table
from stakes.table._score_table import ScoreTable, sorted_table
from stakes.table._staked_table import beside_rows, staked_table

Scores = npt.NDArray[np.floating]


def tables_of(
    label: BoolArray,
    scores: Mapping[str, Scores],
    weight: FloatArray | None,
    *,
    weighed: Weighed | None = None,
    stakes: Stakes | None = None,
) -> dict[str, ScoreTable]:
    """Make the tables of models: of people, of censoring weights, or of money."""
    if weighed is not None:
        return in_threads(partial(followed_table, weighed), scores)
    if stakes is None:
        return in_threads(lambda score: sorted_table(label, score, weight), scores)
    beside = beside_rows(label, weight, stakes)

    def staked(score: Scores) -> ScoreTable:
        return staked_table(label, score.astype(np.float64, copy=False), weight, stakes, beside)

    return in_threads(staked, scores)

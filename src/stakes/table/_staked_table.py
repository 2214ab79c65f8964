"""Tables of money: rows of stakes by stake-adjusted score, with the heads beside them."""

from __future__ import annotations

import numpy as np

from stakes._arrays import BoolArray, FloatArray
from stakes._errors import InputError
from stakes._sort import pool_columns
from stakes.case_costs import Stakes
from stakes.table._heads import Heads
from stakes.table._score_table import ScoreTable, frozen, frozen_table

Beside = tuple[tuple[float, float], tuple[float, float], float]


def beside_rows(label: BoolArray, weight: FloatArray | None, stakes: Stakes) -> Beside:
    """Return what heads know whatever the scores: floor, crossed and swapped."""
    swapped, _ = stakes.swapped, stakes.signed  # the latter once, before threads ask for it
    heads = np.count_nonzero(swapped) if weight is None else weight[swapped].sum()
    return _by_outcome(stakes.floor, label, weight), _by_outcome(stakes.crossed(label), label, weight), float(heads)


def _by_outcome(column: FloatArray, label: BoolArray, weight: FloatArray | None) -> tuple[float, float]:
    weighted = column if weight is None else column * weight
    if not weighted.any():
        return 0.0, 0.0
    return float(weighted.compress(label).sum()), float(weighted.compress(~label).sum())


def staked_table(
    label: BoolArray, score: FloatArray, weight: FloatArray | None, stakes: Stakes, beside: Beside | None = None
) -> ScoreTable:
    """Make a table of money by stake-adjusted scores, with the heads beside it; both come from one sort."""
    if weight is not None and not weight.all():
        here = weight > 0
        label, score, weight, stakes = label[here], score[here], weight[here], stakes.some(here)
    money = stakes.signed if weight is None else weight * stakes.signed
    if not money.any():
        raise InputError("case_costs", "differ between acting and leaving in a case of weight above 0", "none")
    distinct, positive, negative, positives, negatives = map(frozen, pool_columns(score, money, label, weight))
    known = beside or beside_rows(label, weight, stakes)
    heads = Heads(distinct, positives, negatives, frozen(positives + negatives), *known)
    weighs = (positive > 0) | (negative > 0)  # a case without a stake is a head, and in no row
    if not weighs.all():
        distinct, positive, negative = distinct[weighs], positive[weighs], negative[weighs]
    return frozen_table(distinct, positive, negative, heads=heads)

"""The result of acting on the highest scores."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from stakes import _check
from stakes._errors import InputError
from stakes.beliefs import as_cost
from stakes.measures._measure import measure
from stakes.measures._order import can_be_shortened, shortened, top_rows
from stakes.table import Heads, ScoreTable, counts_from_top, heads_from_top


@dataclass(frozen=True, slots=True)
class TopK:
    """Result of acting on the highest scores.

    Attributes
    ----------
    true_positives : float
        Weight of positives among the cases acted on.
    precision, recall : float
        Their share of the cases acted on, and of all positives; of censored outcomes, precision is the weighted share
        among the known.
    regret, net_benefit : float
        Regret and net benefit per case at the given cost; ``nan`` if none was given.

    Examples
    --------
    >>> from stakes import score_table, top_k
    >>> top_k(score_table(y=[0, 1, 1], score=[0.1, 0.5, 0.9]), k=1).precision
    1.0
    """

    true_positives: float
    precision: float
    recall: float
    regret: float
    net_benefit: float


@measure(
    fields={
        "true_positives": "larger",
        "precision": "larger",
        "recall": "larger",
        "regret": "smaller",
        "net_benefit": "larger",
    },
    reads="order",
    why_resampled="the threshold at which the places are taken depends on the sample",
    scale_free=False,  # places are counted in the unit of the weights
)
def top_k(table: ScoreTable, *, k: float, cost: float | str | None = None) -> TopK:
    r"""Act on the `k` highest scores.

    Cases tied at the last place share the remaining places evenly, the mean over every way to break the tie. With
    :math:`n` the total weight and :math:`P` that of the positives, regret is :math:`(cK + (1 - c)P - TP)/n` and net
    benefit :math:`(TP - cK)/(n(1 - c))`.

    Parameters
    ----------
    table : ScoreTable
        The sample; scores may be any numbers.
    k : float, keyword-only
        Weight of the cases acted on, ``0 < k <= table.total``; heads where the rows hold money.
    cost : float or words, such as "10%" or "1:9", keyword-only, optional
        Cost proportion, strictly between 0 and 1, for regret and net benefit.

    Returns
    -------
    TopK
        True positives, precision, recall, regret and net benefit; recall is ``nan`` without positives, precision where
        none of those acted on has a known outcome.

    Examples
    --------
    >>> from stakes import score_table, top_k
    >>> table = score_table(y=[0, 1, 0, 1], score=[0.9, 0.6, 0.6, 0.1])
    >>> top_k(table, k=2, cost=0.25)  # the second place is shared by a positive and a negative
    TopK(true_positives=0.5, precision=0.25, recall=0.25, regret=0.375, net_benefit=0.0)
    """
    _check.check_tables("table", table, anywhere=can_be_shortened(table))
    places, heads = _check.number_above("k", k), getattr(table, "heads", None)
    cases = table.total if heads is None else heads.total
    if places > cases * (1 + 1e-12):  # ten weights of 0.7 sum to slightly less than 7
        raise InputError("k", f"be at most the whole weight {cases:.12g}", f"{places:.12g}")
    c = math.nan if cost is None else as_cost("cost", cost)
    if heads is not None:
        return _top_heads(table, heads, places, c)
    table = shortened(table, alarms=(places,))
    false_alarms, true_alarms = counts_from_top(top_rows(table, places, table.positive, table.negative))
    true_positives = float(np.interp(places, false_alarms + true_alarms, true_alarms))
    recall = true_positives / table.positive_total if table.positive_total else math.nan
    regret = (c * places + (1 - c) * table.positive_total - true_positives) / table.total
    benefit = (true_positives - c * places) / (table.total * (1 - c))
    return TopK(true_positives, true_positives / places, recall, regret, benefit)


def _top_heads(table: ScoreTable, heads: Heads, places: float, c: float) -> TopK:
    """Return the result of acting on the highest heads; regret and net benefit are shares of the rows."""
    wrong, found, alarms = heads_from_top(ScoreTable(heads.score, heads.positive, heads.negative, heads))
    row = len(table) - np.append(len(table), np.searchsorted(table.score, heads.score[::-1]))
    counted = (wrong, found, *(counts[row] for counts in counts_from_top(table)))
    fails, hits, false_alarms, true_alarms = (float(np.interp(places, alarms, one)) for one in counted)
    precision = hits / (hits + fails) if hits + fails else math.nan  # of those known, who stand for all
    recall = hits / heads.positive_total if heads.positive_total else math.nan
    regret = (c * false_alarms + (1 - c) * (table.positive_total - true_alarms)) / table.total
    benefit = (true_alarms - c * (true_alarms + false_alarms)) / (table.total * (1 - c))
    return TopK(hits, precision, recall, regret, benefit)

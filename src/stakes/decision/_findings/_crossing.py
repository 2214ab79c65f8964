"""Where in the stated range another model overtakes the best."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from stakes._check import FloatArray
from stakes.curves import Curve, crossings, regret_curve
from stakes.decision import _words
from stakes.decision._evaluation import Evaluation, Finding
from stakes.decision._findings._sentence import finding, models, said, visible
from stakes.decision._measure import there

_AT_MOST = 2  # sentences: the largest gains


def crossing(evaluation: Evaluation) -> Iterator[Finding]:
    """Say below or above which cost another model is better than the best, where that shows."""
    low, high = evaluation.decision.cost_range
    first, *others = models(evaluation)
    if not others or evaluation.decision.limits is not None or not 0 <= low < high <= 1:
        return
    curves = {
        standing.model: regret_curve(there(evaluation.tables[standing.model], evaluation.decision)).between(low, high)
        for standing in (first, *others)
    }
    found = [
        (gain, kind, cost, other)
        for other in others
        for kind, cost, gain in _overtakes(curves[first.model], curves[other.model])
        if visible(gain)
    ]
    for gain, kind, cost, other in sorted(found, key=lambda one: -one[0])[:_AT_MOST]:
        yield finding(
            kind,
            "cost",
            {"cost": cost, "gain": gain},
            other=said(other),
            best=said(first),
            odds=_words.odds_of(cost),
            cost=_words.percent(cost),
            gain=_words.per_thousand(gain),
        )


def _overtakes(best: Curve, other: Curve) -> Iterator[tuple[str, float, float]]:
    """Find the ends of the range at which the other is better: up to where, and by how much there on average.

    Curves of samples cross many times by chance. What counts is where the whole difference from the end of the range is
    largest.
    """
    low, high = float(best.x[0]), float(best.x[-1])
    at = np.concatenate([[low], crossings(best, other), [high]])
    lost = _cumulated(best, at) - _cumulated(other, at)
    below, above = int(np.argmax(lost)), int(np.argmin(lost))
    if lost[below] > 0 and low < at[below] < high:
        yield "crossing-below", float(at[below]), float(lost[below] / (at[below] - low))
    if lost[-1] > lost[above] and low < at[above] < high:
        yield "crossing-above", float(at[above]), float((lost[-1] - lost[above]) / (high - at[above]))


def _cumulated(curve: Curve, at: FloatArray) -> FloatArray:
    """Area under a curve of straight lines and jumps, from its start to each place."""
    width = np.diff(curve.x)
    whole = np.concatenate([[0.0], np.cumsum(width * (curve.y[1:] + curve.y[:-1]) / 2)])
    row = np.clip(np.searchsorted(curve.x, at, side="right") - 1, 0, len(width) - 1)
    step = at - curve.x[row]
    part = np.divide(step, width[row], out=np.zeros_like(step), where=width[row] > 0)
    height = curve.y[row] + part * (curve.y[row + 1] - curve.y[row])
    area: FloatArray = whole[row] + step * (curve.y[row] + height) / 2
    return area

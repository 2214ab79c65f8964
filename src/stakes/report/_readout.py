"""What each model does with 1,000 cases at one cost."""

from __future__ import annotations

from typing import Any

from stakes import _wording as words
from stakes.beliefs import At
from stakes.evaluation import as_given
from stakes.measures import expected_regret
from stakes.policy import best_cuts
from stakes.report._figures import Scene
from stakes.report._models import ShownModel
from stakes.report._svg import expit, logit
from stakes.report._view import NOT_KNOWN
from stakes.table import ScoreTable


def middle(scene: Scene) -> float:
    """Return the cost in the middle of the stated range, in log-odds; two digits where that stays inside, or three."""
    low, high = scene.shown_band
    if low == high:
        return low
    exact = expit((logit(low) + logit(high)) / 2)
    round_one = _tidy(exact, 2)
    return round_one if low <= round_one <= high else _tidy(exact, 3)


def _tidy(share: float, digits: int) -> float:
    return float(f"{share:.{digits}g}") if share <= 0.5 else 1 - float(f"{1 - share:.{digits}g}")


def readout(scene: Scene) -> dict[str, Any]:
    """Write what happens to 1,000 cases at the middle of the stated costs."""
    return readout_at(scene, middle(scene))


def readout_at(scene: Scene, cost: float) -> dict[str, Any]:
    """Write what happens to 1,000 cases at one cost."""
    title = f"If a false alarm weighs {words.percent(cost)} ({words.odds_of(cost)})"
    return {"title": title, "rows": [_row(scene, model, cost) for model in scene.allowed]}


def _row(scene: Scene, model: ShownModel, cost: float) -> dict[str, Any]:
    limits = scene.decision.limits
    if limits is None or model in scene.references:
        cut, regret = cost, expected_regret(model.there, At(cost))
    else:
        policy = best_cuts(model.there, At(cost), limits)
        cut, regret = float(policy.cut[0]), policy.mean_regret
    alarms, found = _acted_on(model.there, cut)
    positives = 1000 * model.there.prevalence
    counts = (alarms, found, alarms - found, positives - found, 1000 - alarms - positives + found)
    return {
        "name": model.name,
        "css": model.css,
        "cells": [
            NOT_KNOWN if model in scene.references else words.cut(as_given(cut, scene.decision, scene.observed)),
            *(words.signed(count, 1) for count in counts),
            words.per_thousand(regret),
        ],
    }


def _acted_on(table: ScoreTable, cut: float) -> tuple[float, float]:
    """Return the alarms and the true alarms among 1,000 cases when acting on scores of at least the cut."""
    here = table.score >= cut
    found = float(table.positive[here].sum())
    return 1000 * (float(table.negative[here].sum()) + found) / table.total, 1000 * found / table.total

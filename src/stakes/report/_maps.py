"""Maps of the best choice, over the two ends of the range of costs and over limits."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np

from stakes import _wording as words
from stakes._language import say
from stakes.beliefs import At, LogOddsUniform, Uniform
from stakes.curves import regret_curve
from stakes.evaluation import Decision, is_allowed, measure, unlimited
from stakes.report._chart import Chart, Mark, Text
from stakes.report._chart_axis import ChartAxis, even_in_log_odds, expit, logit
from stakes.report._figures import SQUARE
from stakes.report._models import Scene
from stakes.table import flatten

PLACES = 21  # along each side of the map of costs

_CLEAR = (0.01, 0.05)  # shares of the largest cost without a model above which a lead is small, or plain

_NAMED, _WIDE = 10, 5  # cells of a model that its name needs, and half of its width in cells


@dataclass(frozen=True, slots=True)
class Cell:
    """One place of a map, with the best choice there and its margin."""

    winner: int
    margin: float


def winner(values: Sequence[float]) -> Cell:
    """Return the best choice and its margin over the next; forbidden choices cost infinity."""
    order = np.argsort(values, kind="stable")
    first, second = (float(values[k]) for k in order[:2])
    return Cell(int(order[0]), second - first)


def clearness(margin: float, constant: float) -> str:
    """Return the class of a lead: hardly any, small, or plain."""
    return f"k{sum(margin > share * constant for share in _CLEAR)}"


def _costs(scene: Scene, decision: Decision) -> list[float]:
    """Return the cost of each model and reference under a decision, infinite where limits forbid it."""
    limited, free = measure(decision), unlimited(decision)
    references = (free(one.table) if is_allowed(one.there, decision.limits) else math.inf for one in scene.references)
    return [*(limited(model.table) for model in scene.models), *references]


def most_without_model(scene: Scene) -> float:
    """Return the most that deciding without a model can cost, whatever the costs."""
    return float(regret_curve(flatten(scene.models[0].there)).y.max())


def belief_between(low: float, high: float, *, log_odds: bool) -> At | Uniform | LogOddsUniform:
    """Return the belief of a cell, of the same kind as the one that was stated."""
    if low == high:
        return At(low)
    return LogOddsUniform(low, high) if log_odds else Uniform(low, high)


def cost_map(scene: Scene, *, width: float = SQUARE) -> Chart:
    """Show the best choice over the lowest and the highest stated cost."""
    sides = even_in_log_odds(*scene.costs, PLACES)
    even = isinstance(scene.decision.costs, LogOddsUniform)
    cells = {
        (i, j): winner(
            _costs(scene, _with_changes(scene.decision, costs=belief_between(sides[i], sides[j], log_odds=even)))
        )
        for i in range(PLACES)
        for j in range(i, PLACES)
    }
    x = ChartAxis(*scene.costs, say("lowest cost of a false alarm"), "log_odds", "percent")
    y = replace(x, title=say("highest cost of a false alarm"))
    shares = _shares_in_words(scene, cells.values())
    summary = say("Best choice by the lowest and the highest cost of a false alarm: {spoken}", spoken=shares)
    here = [Mark(*scene.band, "here", say("your range"), 6.0)] if all(0 < end < 1 for end in scene.band) else []
    ring = tuple(int(np.argmin([abs(logit(side) - logit(end)) for side in sides])) for end in scene.shown_band)
    edges = _edges(sides)
    polygons, texts = draw_cells(scene, cells, edges, edges, most_without_model(scene), ring)
    return Chart("cost-map", summary, width, width, x, y, marks=here, polygons=polygons, texts=texts, gutter=12.0)


def _edges(sides: Sequence[float]) -> list[float]:
    places = [logit(side) for side in sides]
    inner = [expit((a + b) / 2) for a, b in pairwise(places)]
    return [sides[0], *inner, sides[-1]]


def _with_changes(decision: Decision, **other: Any) -> Decision:
    """Return a changed decision; a prevalence that needs quadrature is replaced by its mean."""
    prevalence = decision.prevalence
    if prevalence is not None and not isinstance(prevalence, (At, Uniform, LogOddsUniform)):
        prevalence = At(float(prevalence.mean))
    given = {"costs": decision.costs, "prevalence": prevalence, "limits": decision.limits, **other}
    return Decision(given.pop("costs"), **given)


def draw_cells(
    scene: Scene,
    cells: Mapping[tuple[int, int], Cell],
    x: Sequence[float],
    y: Sequence[float],
    constant: float,
    ring: tuple[int, ...] = (),
) -> tuple[list[tuple[list[tuple[float, float]], str]], list[Text]]:
    """Return the cells of a map in the colours of their winners, and names in the middle of large areas."""
    polygons = []
    middles: dict[int, list[tuple[float, float]]] = {}
    for (i, j), cell in cells.items():
        corners = [(x[i], y[j]), (x[i + 1], y[j]), (x[i + 1], y[j + 1]), (x[i], y[j + 1])]
        css = f"cell {scene.ways[cell.winner].css} {clearness(cell.margin, constant)}"
        polygons.append((corners, css))
        middles.setdefault(cell.winner, []).append((float(i), float(j)))
    texts = [
        Text(*_middle(places, x, y, ring), scene.ways[k].name, "cell-name")
        for k, places in middles.items()
        if len(places) >= _NAMED
    ]
    return polygons, texts


def _middle(
    places: Sequence[tuple[float, float]], x: Sequence[float], y: Sequence[float], ring: tuple[int, ...]
) -> tuple[float, float]:
    """Return the place of an area that is nearest to its centre, but not where the ring is."""
    i, j = (sum(side) / len(places) for side in zip(*places, strict=True))
    clear = [(a, b) for a, b in places if not ring or abs(a - ring[0]) > _WIDE or abs(b - ring[1]) > 1] or places
    a, b = min(clear, key=lambda place: (place[0] - i) ** 2 + (place[1] - j) ** 2)
    return _middle_of_cell(x, int(a)), _middle_of_cell(y, int(b))


def _middle_of_cell(edges: Sequence[float], k: int) -> float:
    return (edges[k] + edges[k + 1]) / 2


def _shares_in_words(scene: Scene, cells: Iterable[Cell]) -> str:
    """Write the share of a map in which each choice is the best."""
    counts = np.bincount([cell.winner for cell in cells], minlength=len(scene.ways))
    parts = [
        say("{name} in {share} of the map", name=model.name, share=words.percent(count / counts.sum()))
        for model, count in zip(scene.ways, counts.tolist(), strict=True)
        if count
    ]
    return ", ".join(parts) + "."

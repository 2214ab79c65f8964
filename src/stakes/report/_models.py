"""The models as the report shows them, the scene of one decision, and a read-out at one cost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from stakes import _wording as words
from stakes._language import say
from stakes._predictions import reference_name
from stakes.beliefs import At
from stakes.evaluation import EVERYONE, NO_ONE, Decision, Evaluation, Unit, as_given, at_deployment, is_allowed
from stakes.measures import expected_regret
from stakes.policy import best_thresholds
from stakes.report._chart import OTHER
from stakes.report._chart_axis import expit, logit
from stakes.report._payload import domain, stated, way_names
from stakes.table import ScoreTable

_COLOURS = 6  # of the palette; further models repeat them, dashed


@dataclass(frozen=True, slots=True)
class ShownModel:
    """A model or a reference, as the page shows it.

    Attributes
    ----------
    key : str
        Its name in the evaluation.
    name : str
        Its name on the page.
    css : str
        The classes that give it its colour.
    table : ScoreTable
        Its table on the page, at the prevalence of the sample.
    there : ScoreTable
        The same at the stated prevalence.
    allowed : bool
        Whether the limits allow it.
    """

    key: str
    name: str
    css: str
    table: ScoreTable
    there: ScoreTable
    allowed: bool = True


def colour(number: int) -> str:
    """Return the classes of the model with this number."""
    return f"m{number % _COLOURS}" + (" again" if number // _COLOURS % 2 else "")


def models_of(evaluation: Evaluation, tables: Mapping[str, ScoreTable]) -> tuple[list[ShownModel], list[ShownModel]]:
    """Return the models, in the order given, and the two references."""
    names = way_names(evaluation.ranking)
    known = [
        ShownModel(key, names[key], colour(number), table, at_deployment(table, evaluation.decision))
        for number, (key, table) in enumerate(tables.items())
    ]
    decision, sample = evaluation.decision, known[0].table
    constants = {reference_name(name, tables): score for name, score in ((EVERYONE, 1.0), (NO_ONE, 0.0))}
    return known, [_constant(key, score, sample, decision, names) for key, score in constants.items()]


def _constant(key: str, score: float, sample: ScoreTable, decision: Decision, names: Mapping[str, str]) -> ShownModel:
    """Return a reference."""
    table = ScoreTable.from_counts([score], [sample.positive_total], [sample.negative_total])
    moved = at_deployment(table, decision)
    css = "r0" if score == 1 else "r1"
    return ShownModel(key, names.get(key, words.reference(key)), css, table, moved, is_allowed(moved, decision.limits))


@dataclass(frozen=True, slots=True)
class Scene:
    """Decision, models and axes that all charts of a page share."""

    decision: Decision
    models: Sequence[ShownModel]
    references: Sequence[ShownModel]
    band: tuple[float, float]
    costs: tuple[float, float]
    prevalences: tuple[float, float]
    observed: float
    unit: Unit

    @classmethod
    def of(cls, evaluation: Evaluation, models: Sequence[ShownModel], references: Sequence[ShownModel]) -> Scene:
        """Return the scene of an evaluation."""
        controls, observed = stated(evaluation.decision), evaluation.sample.prevalence
        band = controls["cost"]["low"], controls["cost"]["high"]
        ends = [controls["prevalence"]["low"], controls["prevalence"]["high"]] if controls["prevalence"] else []
        axes = domain(band), domain([observed, *ends])
        return cls(evaluation.decision, models, references, band, *axes, observed, evaluation.unit)

    @property
    def both_classes(self) -> bool:
        """Whether there are positives and negatives."""
        return 0 < self.observed < 1

    @property
    def ways(self) -> Sequence[ShownModel]:
        """The models and the two references."""
        return [*self.models, *self.references]

    @property
    def allowed(self) -> Sequence[ShownModel]:
        """Those that the limits allow."""
        return [model for model in self.ways if model.allowed]

    @property
    def shown_band(self) -> tuple[float, float]:
        """The stated costs as far as the axis shows them."""
        low, high = (min(max(end, self.costs[0]), self.costs[1]) for end in self.band)
        return low, high

    @property
    def prevalence_band(self) -> tuple[float, float] | None:
        """The stated prevalence, if any."""
        prevalence = stated(self.decision)["prevalence"]
        return None if prevalence is None else (prevalence["low"], prevalence["high"])


def middle(scene: Scene) -> float:
    """Return the middle of the stated costs in log-odds, rounded to two digits, or three."""
    low, high = scene.shown_band
    if low == high:
        return low
    exact = expit((logit(low) + logit(high)) / 2)
    round_one = _tidy(exact, 2)
    return round_one if low <= round_one <= high else _tidy(exact, 3)


def _tidy(share: float, digits: int) -> float:
    return float(f"{share:.{digits}g}") if share <= 0.5 else 1 - float(f"{1 - share:.{digits}g}")


_DIGITS = 1  # of counts in the read-out


def readout(evaluation: Evaluation, scene: Scene) -> dict[str, Any]:
    """Write the read-out at the middle of the stated costs.

    Under limits its thresholds are those of the policies, from the sample itself: a pooled row has no threshold but
    its mean score, at which other cases would be acted on.
    """
    if scene.decision.limits is None:
        return readout_at(scene, middle(scene))
    exact = [_unpooled(evaluation, model) for model in scene.models]
    return readout_at(replace(scene, models=exact), middle(scene))


def _unpooled(evaluation: Evaluation, model: ShownModel) -> ShownModel:
    """Return a model with the table of the sample in place of the one of the page."""
    table = evaluation.tables[model.key]
    return replace(model, table=table, there=at_deployment(table, evaluation.decision))


def readout_at(scene: Scene, cost: float) -> dict[str, Any]:
    """Write the read-out at one cost, of as many cases as costs are printed for."""
    title = say(
        "{per:,} cases at a cost of {share} ({odds})",
        per=scene.unit.per,
        share=words.percent(cost),
        odds=words.odds_of(cost),
    )
    shown = [model for model in scene.allowed if not model.css.startswith(OTHER)]
    return {"title": title, "rows": [_row(scene, model, cost) for model in shown]}


def _row(scene: Scene, model: ShownModel, cost: float) -> dict[str, Any]:
    limits = scene.decision.limits
    if limits is None or model in scene.references:
        threshold, regret = cost, expected_regret(model.there, At(cost))
    else:
        policy = best_thresholds(model.there, At(cost), limits)
        threshold, regret = float(policy.threshold[0]), policy.mean_regret
    per = scene.unit.per
    false_alarms, hits = (per * share for share in _alarm_shares(model.there, threshold))
    positives, alarms = per * model.there.prevalence, per * model.there.alarm_share(threshold)
    counts = (alarms, hits, false_alarms, positives - hits, per - positives - false_alarms)
    return {
        "name": model.name,
        "css": model.css,
        "cells": [
            words.NOT_KNOWN
            if model in scene.references
            else words.threshold(as_given(threshold, scene.decision, scene.observed)),
            *(words.signed(count, _DIGITS) for count in counts),
            _with_decimals(scene.unit.at_cost(cost)).number(regret),
        ],
    }


def _with_decimals(unit: Unit) -> Unit:
    """Return the unit with as many digits as the counts beside it have, at least."""
    return replace(unit, digits=max(unit.digits, _DIGITS))


def _alarm_shares(table: ScoreTable, threshold: float) -> tuple[float, float]:
    """Return the shares of false and of true alarms at a threshold."""
    here = table.score >= threshold
    return float(table.negative[here].sum()) / table.total, float(table.positive[here].sum()) / table.total

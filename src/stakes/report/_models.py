"""The models as the report shows them: name, colour, table, and what each does with 1,000 cases."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from stakes.evaluation import EVERYONE, NO_ONE, Decision, Evaluation, at_deployment
from stakes.limits import Limits, feasible
from stakes.report._payload import shown_names
from stakes.table import ScoreTable

_COLOURS = 6  # of the palette; after that the same colours come again, dashed


@dataclass(frozen=True, slots=True)
class ShownModel:
    """One of the ways to decide, as the page shows it.

    Attributes
    ----------
    key : str
        Its name in the evaluation.
    name : str
        Its name on the page.
    css : str
        The classes that give it its colour.
    table : ScoreTable
        What the page knows of it, at the prevalence of the sample.
    there : ScoreTable
        The same where it will be used.
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
    """Return the models, in the order they were given, and the two ways to decide that need none."""
    names = shown_names(standing.model for standing in evaluation.ranking)
    known = [
        ShownModel(key, names[key], colour(number), table, at_deployment(table, evaluation.decision))
        for number, (key, table) in enumerate(tables.items())
    ]
    decision, sample = evaluation.decision, known[0].table
    return known, [_constant(name, score, sample, decision, names) for name, score in ((EVERYONE, 1.0), (NO_ONE, 0.0))]


def _constant(name: str, score: float, sample: ScoreTable, decision: Decision, names: Mapping[str, str]) -> ShownModel:
    """Return a way to decide that needs no model; a model may have taken its name."""
    key = next((key for key in (f"{name} (reference)", name) if key in names), name)
    table = ScoreTable.from_counts([score], [sample.positive_total], [sample.negative_total])
    moved = at_deployment(table, decision)
    css = "r0" if name == EVERYONE else "r1"
    return ShownModel(key, names.get(key, key), css, table, moved, is_allowed(moved, decision.limits))


def is_allowed(reference: ScoreTable, limits: Limits | None) -> bool:
    """Whether limits allow to act on everyone; to act on no one they always do."""
    if limits is None or reference.highest == 0:
        return True
    return bool(feasible(limits, reference.negative, reference.positive, reference.total).all())

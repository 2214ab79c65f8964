"""Differences between two models or a model and a reference, with paired intervals."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from stakes import _wording
from stakes.beliefs import CostBelief
from stakes.evaluation._harm import harm_per_case, with_harm
from stakes.evaluation._ranked import ranked_measures
from stakes.evaluation._repeated import RepeatedStudy
from stakes.evaluation._results import Results, Standing
from stakes.evaluation._unit import Unit
from stakes.uncertainty import Study, error_of_sum


@dataclass(frozen=True, slots=True)
class PairedDifference:
    """How much more one costs than the other, with its interval, as numbers and as text."""

    estimate: float
    lower: float
    upper: float
    level: float
    unit: Unit

    @property
    def is_detectable(self) -> bool:
        """Whether the interval lies above 0."""
        return self.lower > 0

    @property
    def is_worth_telling(self) -> bool:
        """Whether one costs more than the other: visibly in the digits of the table, or detectably."""
        return self.estimate > 0 and (self.is_detectable or self.unit.is_visible(self.estimate))

    @property
    def ends(self) -> dict[str, float]:
        """The ends of the interval, as numbers of a finding."""
        return {"lower": self.lower, "upper": self.upper}

    @property
    def values(self) -> dict[str, str]:
        """The ends of the interval and its level, as texts of a finding."""
        lower, upper = self.unit.ends(self.estimate, self.lower, self.upper)
        return {"lower": lower, "upper": upper, "level": _wording.percent(self.level)}


def stated_difference(results: Results, dearer: Standing) -> PairedDifference | None:
    """Return how much more a standing costs than the first; None where its interval is unknown."""
    known = dearer.difference
    if known is None or math.isnan(known.lower):
        return None
    return PairedDifference(known.difference, known.lower, known.upper, results.level, results.unit)


def paired_difference(
    results: Results, dearer: Standing, cheaper: Standing, costs: CostBelief | None = None
) -> PairedDifference | None:
    """Return how much more one costs than the other on the same cases; None where these are not at hand.

    With other costs than those stated, at these. None also under limits: resampling takes as long as the ranking, which
    is too long for a sentence.
    """
    studies = _studies_of_pair(results, dearer, cheaper, costs)
    found = RepeatedStudy(studies).compare(dearer.model, cheaper.model, level=results.level) if studies else None
    if found is None or math.isnan(found.lower):
        return None
    return PairedDifference(found.difference, found.lower, found.upper, results.level, results.unit)


def standard_error(results: Results, dearer: Standing, cheaper: Standing) -> float | None:
    """Return the standard error of a difference between two costs; None wherever `paired_difference` is."""
    studies = _studies_of_pair(results, dearer, cheaper)
    errors = [error_of_sum(study.influence(dearer.model) - study.influence(cheaper.model)) for study in studies]
    return sum(errors) / len(errors) if errors else None


def _studies_of_pair(results: Results, one: Standing, other: Standing, costs: CostBelief | None = None) -> list[Study]:
    """Return a study of two standings for each repeat; none without cases, or without a formula."""
    decision = results.decision if costs is None else replace(results.decision, costs=costs)
    references = [standing.model for standing in results.ranking if standing.reference]
    measures = ranked_measures(decision, results.tables, references, results.folds)
    pair = with_harm({name: measures[name] for name in (one.model, other.model)}, harm_per_case(results.harm, decision))
    studies = [Study(cases, pair, better="smaller") for cases in results.samples]
    return [] if any(measure.form is None for study in studies for measure in study.measures.values()) else studies

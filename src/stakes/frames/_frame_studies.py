"""Studies of measures whose cases stay in a frame."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cached_property

import numpy as np

from stakes._arrays import FloatArray
from stakes._check import Seed
from stakes.frames._frame_replicates import FrameReplicates, basic, paired_comparison
from stakes.frames._moments import JointMoments, Units
from stakes.frames._money_moments import JointMoney
from stakes.measures import Form, MeasureLike, recognise
from stakes.table import ScoreTable, at_ordinary_scale
from stakes.uncertainty import (
    ClassCounts,
    Comparison,
    Interval,
    Options,
    Possible,
    Ranking,
    models_among,
    ranking,
    with_unseen_stakes,
)

Tables = Mapping[str, ScoreTable]
Measures = Mapping[str, MeasureLike]


class FrameStudy:
    """Measures that are means: one more pass adds up powers of the influence of each case."""

    def __init__(
        self,
        measures: Measures,
        forms: Mapping[str, Form],
        tables: Tables,
        units: Units,
        sums: Callable[[JointMoments, str], FloatArray],
    ) -> None:
        self.estimates = {name: float(measure(tables[name])) for name, measure in measures.items()}
        has_stakes = any(table.has_stakes for table in tables.values())
        self.joint = (JointMoney if has_stakes else JointMoments)(forms, self.estimates, tables, units)
        self._add_up = sums
        self._added: dict[str, FloatArray] = {}

    def _sums(self, baseline: str) -> FloatArray:
        if baseline not in self._added:
            self._added[baseline] = self._add_up(self.joint, baseline)
        return self._added[baseline]

    def intervals(self, *, level: float = 0.95, rng: Seed = None) -> dict[str, Interval]:
        """Return the interval of each model."""
        return self.joint.intervals(self._sums(self.joint.least), level)

    def compare(self, a: str, b: str, *, level: float = 0.95, rng: Seed = None) -> Comparison:
        """Return the difference of two models; a baseline `b` not asked for before costs another pass."""
        return self.joint.difference(self._sums(b), a, b, level)

    def rank(self, *, rng: Seed = None) -> Ranking:
        """Rank the models by their joint normal law."""
        return self.joint.ranking(self._sums(self.joint.least))


class ReplicateStudy:
    """Measures of cases that cluster, or without a formula: replicates are drawn where the cases are."""

    def __init__(
        self, measures: Measures, tables: Tables, units: Units, replicates: Callable[[], FrameReplicates]
    ) -> None:
        self.measures = measures
        self.estimates = {name: float(measure(tables[name])) for name, measure in measures.items()}
        self._draw, self._tables, self._units = replicates, tables, units

    @cached_property
    def _values(self) -> dict[str, FloatArray]:
        replicates = self._draw()
        return {name: replicates.values_of(name, measure) for name, measure in self.measures.items()}

    @cached_property
    def _possible(self) -> dict[str, Possible]:
        held, effective = self._units, np.array(self._units.effective)
        cases = np.array([held.positive, held.cases - held.positive], dtype=np.float64)
        possible = {}
        for name, measure in self.measures.items():
            table = at_ordinary_scale(self._tables[name])
            weight = np.array([table.positive_total, table.negative_total])
            square = np.divide(weight**2, effective, out=np.zeros(2), where=effective > 0)
            counts = ClassCounts(cases, weight, square)
            possible[name] = Possible.of(recognise(measure), table, self.estimates[name], counts)
        return possible

    def intervals(self, *, level: float = 0.95, rng: Seed = None) -> dict[str, Interval]:
        """Return the basic interval of each model."""
        return {
            name: self._possible[name].keep(Interval(estimate, *self._ends(name, estimate, level), "basic"), level)
            for name, estimate in self.estimates.items()
        }

    def _ends(self, name: str, estimate: float, level: float) -> tuple[float, float]:
        ends, form = basic(self._values[name], estimate, level), recognise(self.measures[name]).form
        return ends if form is None else with_unseen_stakes(ends, estimate, form, self._tables[name], level)

    def compare(self, a: str, b: str, *, level: float = 0.95, rng: Seed = None) -> Comparison:
        """Return the difference of two models on the same replicates."""
        gap, difference = self._values[a] - self._values[b], self.estimates[a] - self.estimates[b]
        found = paired_comparison(a, b, difference, gap, better="smaller", level=level)
        lower, upper = (self._possible[a] - self._possible[b]).ends((found.lower, found.upper), level)
        return replace(found, lower=lower, upper=upper)

    def rank(self, *, rng: Seed = None) -> Ranking:
        """Rank the models by the replicates in which all of them have a number."""
        values = np.column_stack(list(self._values.values()))
        are_models = models_among(self._tables[name] for name in self.estimates)
        options = Options(self.estimates, "smaller", are_models, "near")
        return ranking(options, values[np.isfinite(values).all(axis=1)], "basic")


def analytic_forms(measures: Measures) -> dict[str, Form] | None:
    """Return how each measure is made of cases; None if any of them can only be resampled."""
    forms = {name: recognise(measure).form for name, measure in measures.items()}
    found = {name: form for name, form in forms.items() if form is not None}
    return found if len(found) == len(forms) else None

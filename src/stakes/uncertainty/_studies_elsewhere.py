"""Studies as other rooms need them: of tables alone, and joint estimates of all models."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Protocol

import numpy as np

from stakes._arrays import BoolArray, FloatArray
from stakes._check import Seed
from stakes._errors import InputError
from stakes.measures import Better, MeasureLike
from stakes.table import ScoreTable
from stakes.uncertainty._analytic import ends_of, spread_of_table
from stakes.uncertainty._answers import Comparison, Interval, caution, units_of
from stakes.uncertainty._bounded_means import BoundedMean, Sampling, possible_values
from stakes.uncertainty._ends import UNDEFINED
from stakes.uncertainty._kind_sums import sums_of_table
from stakes.uncertainty._measured import measures_by_model
from stakes.uncertainty._replicates import number
from stakes.uncertainty._study import Study


class Chances(Protocol):
    """The probability of each model to be the best, from any kind of ranking."""

    @property
    def probability_best(self) -> Mapping[str, float]:
        """The probability of each model to be the best."""


class StudyLike(Protocol):
    """A study of cases, of tables or of a frame."""

    @property
    def estimates(self) -> Mapping[str, float]:
        """The measure of each model."""

    def intervals(self, *, level: float = 0.95, rng: Seed = None) -> dict[str, Interval]:
        """Return the interval of each model."""

    def compare(self, a: str, b: str, *, level: float = 0.95, rng: Seed = None) -> Comparison | None:
        """Return the difference between two models; None if the cases that they share are unknown."""

    def rank(self, *, rng: Seed = None) -> Chances | None:
        """Return the ranking of the models; None if the cases that they share are unknown."""


class TableStudy:
    """Study of a measure of tables alone, with intervals where the measure is a mean of values per case.

    Every unit of weight counts as one independent case. Which cases the models share is unknown, so they are neither
    compared nor ranked. Tables of cases that were not all followed have no intervals: they do not know who left when.
    """

    def __init__(
        self,
        tables: Mapping[str, ScoreTable],
        measure: MeasureLike | Mapping[str, MeasureLike],
        *,
        better: Better | None = None,
    ) -> None:
        self.tables = tables
        self.measures = measures_by_model(tuple(tables), measure, better)

    @cached_property
    def estimates(self) -> Mapping[str, float]:
        """The measure of each model."""
        return {name: number(one(self.tables[name])) for name, one in self.measures.items()}

    def intervals(self, *, level: float = 0.95, rng: Seed = None) -> dict[str, Interval]:
        """Return the analytic interval of each model; its ends are nan where there is none."""
        return {name: self._interval(name, level) for name in self.measures}

    def compare(self, a: str, b: str, *, level: float = 0.95, rng: Seed = None) -> None:
        """Return None, since it is unknown whether two tables are of the same cases."""

    def rank(self, *, rng: Seed = None) -> None:
        """Return None, for the same reason as `compare`."""

    def _interval(self, model: str, level: float) -> Interval:
        form, estimate, table = self.measures[model].form, self.estimates[model], self.tables[model]
        # The ends of an area may need the pairs of cases, and those of followed cases who left when.
        if form is None or form.scale == "log-odds" or table.heads is not None:
            return Interval(estimate, *UNDEFINED, "none")
        values = possible_values(form, table)
        if values is None or not values.is_bounded or values.constant is not None:
            ends = ends_of(form, estimate, spread_of_table(form, table), level)
        else:
            sums = sums_of_table(form, values, table)
            sampling = Sampling(sums.variance(by_class=form.by_class))
            ends = BoundedMean.of_model(estimate, form, values, sums, sampling).ends(level)
        return Interval(estimate, *ends, "analytic")


@dataclass(frozen=True)
class JointEstimates:
    """Estimates, larger being better, their covariance, and which of them are of models.

    `units` are the independent cases or clusters that the covariance comes from. `influence` of each unit, units x
    models, adds up to 0 in each column.
    """

    names: tuple[str, ...]
    gain: FloatArray
    covariance: FloatArray
    models: BoolArray
    units: int
    caution: str
    influence: FloatArray

    def worth(self, units: float) -> JointEstimates:
        """Return the same estimates as if they came from another number of units."""
        return replace(self, covariance=self.covariance * (self.units / units))


def joint_estimates(study: Study) -> JointEstimates:
    """Return the estimates of a study; raise unless all have a formula and are finite."""
    names, sign = study.models, -1.0 if study._better == "smaller" else 1.0
    if study._form(*names) is None:
        raise InputError("measure", "have a formula for the influence of a case", str(study.measures[names[0]].name))
    gain = sign * np.array([study.estimates[name] for name in names])
    for name, value in zip(names, gain, strict=True):
        if not np.isfinite(value):
            raise InputError("measure", "be finite for every model", f"{value:g} for {name}")
    doubt = caution(study.cases, trusted="values")
    influence = sign * np.column_stack([study.influence(name) for name in names])
    return JointEstimates(names, gain, study._covariance(), study._are_models, units_of(study.cases), doubt, influence)

"""A study of tables alone, and the protocol of every study."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Protocol

from stakes._check import Seed
from stakes.measures import Better, MeasureLike
from stakes.table import ScoreTable
from stakes.uncertainty._analytic import ends_of, spread_of_table
from stakes.uncertainty._bounded_means import BoundedMean, Sampling, possible_values
from stakes.uncertainty._compare import Comparison
from stakes.uncertainty._ends import UNDEFINED
from stakes.uncertainty._interval import Interval
from stakes.uncertainty._kind_sums import sums_of_table
from stakes.uncertainty._measured import measures_by_model
from stakes.uncertainty._replicates import number


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
    compared nor ranked.
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
        form, estimate = self.measures[model].form, self.estimates[model]
        if form is None or form.scale == "log-odds":  # its ends may need the pairs of cases
            return Interval(estimate, *UNDEFINED, "none")
        table = self.tables[model]
        values = possible_values(form, table)
        if values is None or not values.is_bounded or values.constant is not None:
            ends = ends_of(form, estimate, spread_of_table(form, table), level)
        else:
            sums = sums_of_table(form, values, table)
            sampling = Sampling(sums.variance(by_class=form.by_class))
            ends = BoundedMean.of_model(estimate, form, values, sums, sampling).ends(level)
        return Interval(estimate, *ends, "analytic")

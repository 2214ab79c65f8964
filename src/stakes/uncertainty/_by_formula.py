"""Intervals and differences of the models of a study by formula: which formula, and what it needs."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, TypeGuard

import numpy as np

from stakes._arrays import BoolArray, FloatArray
from stakes._facts import effective_cases
from stakes.cases import Cases, stakes_of_cases, weighed_cases
from stakes.measures import Better, CaseValues, Form, MeasureLike, added_to
from stakes.uncertainty._analytic import Spread, analytic_ends, classes_of, difference_ends, influence_spread
from stakes.uncertainty._answers import FEWEST_OF_A_CLASS, FEWEST_WITH_HALF_CASES, Interval, caution, units_of
from stakes.uncertainty._area_interval import FEW, AreaDifference, SampledArea, TwoValuedArea
from stakes.uncertainty._bounded_means import BoundedMean, Sampling, offset_of, possible_values
from stakes.uncertainty._ends import UNDEFINED, Ends
from stakes.uncertainty._kind_sums import Classes, KindSums, sum_of_squares, sums_of_cases
from stakes.uncertainty._measured import MeasuredModels
from stakes.uncertainty._possible_ends import with_unseen_stakes
from stakes.uncertainty._saving_interval import saving_ends

if TYPE_CHECKING:
    from stakes.outcome import WeightedOutcome


class FormulaModels(MeasuredModels):
    """Measures that have a formula, with analytic intervals and differences."""

    def __init__(
        self, cases: Cases, measure: MeasureLike | Mapping[str, MeasureLike], *, better: Better | None = None
    ) -> None:
        super().__init__(cases, measure, better=better)
        self._values: dict[str, CaseValues | None] = {}
        self._offsets: dict[str, FloatArray] = {}

    def _analytic_interval(self, model: str, level: float) -> Interval:
        form, estimate, values = self._form_of(model), self._estimate(model), self._case_values(model)
        separated = self._ordinary.cluster is not None and estimate in (0.0, 1.0)
        if self._has_few_pairs(form, model) and not separated:
            ends = self._area(model).ends(self._area_sampling.deviate(level))
        elif values is None or not values.is_bounded or (values.constant is not None and self._weighed is not None):
            ends = analytic_ends(form, estimate, self.influence(model), self._ordinary, level)
            if stakes_of_cases(self._ordinary) is not None:
                least = added_to(self.measures[model])
                ends = with_unseen_stakes(ends, estimate, form, self._ordinary.table(model), level, least=least)
        elif values.constant is not None:
            ends = saving_ends(self._ordinary, model, values, estimate, level)
        else:
            ends = self._mean(model, form, values).ends(level)
        return Interval(estimate, *ends, "analytic", caution=self._doubt(model))

    def _analytic_difference(self, a: str, b: str, level: float) -> tuple[Ends, float]:
        """Return the ends of the difference of two models and the probability that the true one is above 0."""
        difference, forms = self._estimate(a) - self._estimate(b), (self._form_of(a), self._form_of(b))
        values = self._case_values(a), self._case_values(b)
        if a != b and all(map(self._has_few_pairs, forms, (a, b))):
            return self._area_difference(a, b, level)
        if a == b or not _are_bounded(values):
            return difference_ends(difference, self.difference_spread(a, b), level)
        mean = self._mean_difference(a, b, difference, forms, values)
        return mean.ends(level), mean.probability_above_zero()

    def spread(self, model: str) -> Spread:
        """Return the spread of the measure of a model that has a formula, of the cases seen."""
        by_class = self._form_of(model).by_class
        return influence_spread(self.influence(model), classes_of(self._ordinary, by_class=by_class))

    def difference_spread(self, a: str, b: str) -> Spread:
        """Return the spread of the difference of two models whose measures have a formula, of the cases seen."""
        by_class = any(self._form_of(model).by_class for model in (a, b))
        return influence_spread(self._gap(a, b), classes_of(self._ordinary, by_class=by_class))

    def _doubt(self, *models: str) -> str:
        """Return the reason not to trust the level of an analytic interval, or an empty text."""
        values = [self._case_values(name) for name in models]
        unbounded = next((one for one in values if one is not None and not one.is_bounded), None)
        bounded = _are_bounded(values) or self._has_few_pairs(self._form_of(models[0]), models[0])
        return caution(self._ordinary, unbounded, fewest=FEWEST_WITH_HALF_CASES if bounded else FEWEST_OF_A_CLASS)

    def _gap(self, a: str, b: str) -> FloatArray:
        """Return the influence of each unit on the difference of two models."""
        return self.influence(a) - self.influence(b)

    def _form_of(self, model: str) -> Form:
        form = self.measures[model].form
        assert form is not None
        return form

    def _case_values(self, model: str) -> CaseValues | None:
        if model not in self._values and stakes_of_cases(self._ordinary) is not None:
            self._values[model] = None  # a stake that was not seen may be of any size
        if self._horizons and not getattr(self._form_of(model), "is_linear", False):
            self._values[model] = None  # a mean over horizons of what is not a mean over cases
        if model not in self._values:
            self._values[model] = possible_values(self._form_of(model), self._ordinary.table(model))
        return self._values[model]

    def _offset(self, model: str, values: CaseValues) -> FloatArray:
        """Return by how much the value of a case exceeds its influence."""
        if model not in self._offsets:
            self._offsets[model] = offset_of(values, self._ordinary.table(model), self._at_first_row(model))
        return self._offsets[model]

    def _mean(self, model: str, form: Form, values: CaseValues) -> BoundedMean:
        moved = self._direct_influence(model)
        sums = self._sums(moved, self._offset(model, values), lambda: self._case_influence(model), paired=False)
        sampling = self._sampling(sums, lambda: self.influence(model), by_class=form.by_class)
        return BoundedMean.of_model(self._estimate(model), form, values, sums, sampling)

    def _mean_difference(
        self, a: str, b: str, difference: float, forms: tuple[Form, Form], values: Sequence[CaseValues]
    ) -> BoundedMean:
        moved = self._direct_influence(a) - self._direct_influence(b)
        offset = self._offset(a, values[0]) - self._offset(b, values[1])
        sums = self._sums(moved, offset, lambda: self._case_influence(a) - self._case_influence(b), paired=True)
        by_class = any(form.by_class for form in forms)
        sampling = self._sampling(sums, lambda: self._gap(a, b), by_class=by_class)
        return BoundedMean.of_difference(difference, forms, values, sums, sampling)

    @property
    def _weighed(self) -> WeightedOutcome | None:
        return weighed_cases(self._ordinary)

    def _direct_influence(self, model: str) -> FloatArray:
        """Return the influence of each case with all weights as they are."""
        return self._case_influence(model) if self._weighed is None else self._direct(model)

    def _sums(
        self, moved: FloatArray, offset: FloatArray, influence: Callable[[], FloatArray], *, paired: bool
    ) -> KindSums:
        """Add up what known cases add; the variance is that of all, who also move the weights of others."""
        cases, weighed = self._ordinary, self._weighed
        if weighed is None:
            return sums_of_cases(moved, offset, self._classes, cases.weight, paired=paired)
        known, classes, weight = self._known
        sums = sums_of_cases(moved.compress(known), offset, classes, weight, paired=paired)
        every = influence()
        of_positives, of_all = (sum_of_squares(part) for part in (every.compress(cases.positive), every))
        return replace(sums, influence_squares=np.array([of_positives, of_all - of_positives]))

    @cached_property
    def _known(self) -> tuple[BoolArray, Classes, FloatArray]:
        """Whether the outcome of each case is known; of those, their classes and their weights."""
        weight = np.asarray(self._ordinary.weight)
        known = weight > 0
        return known, Classes.of(self._ordinary.positive.compress(known)), weight.compress(known)

    @cached_property
    def _classes(self) -> Classes:
        return Classes.of(self._ordinary.positive)

    def _case_influence(self, model: str) -> FloatArray:
        """Return the influence of each case, even within a cluster."""
        return self.influence(model) if self._ordinary.cluster is None else self._compute_case_influence(model)

    def _sampling(self, sums: KindSums, by_cluster: Callable[[], FloatArray], *, by_class: bool) -> Sampling:
        """Return how precisely the cases tell a mean, from the influence of the clusters if there are any."""
        influence = None if self._ordinary.cluster is None else by_cluster()
        return Sampling.of(sums, influence, by_class=by_class)

    # --------------------------------------------------------------------------------- areas under the ROC curve

    @cached_property
    def _effective_cases(self) -> Ends:
        return effective_cases(self.cases.positive, self.cases.weight)

    @property
    def _area_sampling(self) -> Sampling:
        return Sampling(0.0, clusters=None if self._ordinary.cluster is None else units_of(self._ordinary))

    def _has_few_pairs(self, form: Form, model: str) -> bool:
        """Whether a measure is an area, and there are too few cases of a class for DeLong's variance."""
        if form.scale != "log-odds" or self._horizons:
            return False
        if self._ordinary.cluster is None:
            return min(self._effective_cases) < FEW
        area = self._area(model)
        return min(area.positives, area.negatives) < FEW

    def _area(self, model: str) -> SampledArea:
        """Return the area of a model; in clusters, as many cases count as one as its variance says."""
        positive = None if self._weighed is not None else self._ordinary.positive
        spread = influence_spread(self._case_influence(model), positive)
        variance, design = spread.error**2, 1.0
        if self._ordinary.cluster is not None:
            units = units_of(self._ordinary)
            variance = influence_spread(self.influence(model)).error ** 2
            design = max(1.0, variance / spread.error**2 if spread.error > 0 else len(self._ordinary) / units)
        positives, negatives = (count / design for count in self._effective_cases)
        area, table = self._estimate(model), self._ordinary.table(model)
        if len(table) != 2:
            return SampledArea(area, positives, negatives, variance)
        found, false = table.positive[1] / table.positive_total, table.negative[1] / table.negative_total
        return TwoValuedArea(area, positives, negatives, variance, float(found), float(false))

    def _area_difference(self, a: str, b: str, level: float) -> tuple[Ends, float]:
        one, two = self._area(a), self._area(b)
        if not math.isfinite(one.delong + two.delong):
            return UNDEFINED, math.nan
        by_class = classes_of(self._ordinary, by_class=True)
        both = influence_spread(self.influence(a) + self.influence(b), by_class)
        shared = (both.error**2 - one.delong - two.delong) / 2
        scale = math.sqrt(one.delong * two.delong)
        apart = AreaDifference(one, two, min(max(shared / scale, -1.0), 1.0) if scale > 0 else 0.0)
        sampling = self._area_sampling
        return apart.ends(sampling.deviate(level)), sampling.probability(apart.deviate_of_zero())


def _are_bounded(values: Sequence[CaseValues | None]) -> TypeGuard[Sequence[CaseValues]]:
    return all(one is not None and one.is_bounded for one in values)

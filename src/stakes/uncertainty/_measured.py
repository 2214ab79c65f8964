"""Measures of models on the same cases: estimates and influence, each computed once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cached_property

import numpy as np

from stakes import _check
from stakes._arrays import FloatArray
from stakes._cases_alike import with_ordinary_weights
from stakes._errors import InputError, InputTypeError
from stakes.cases import Cases, horizons_of, scores_of_cases, stakes_of_cases, weighed_cases
from stakes.measures import Better, Form, Measure, MeasureLike, PerCase, ScoredCases, recognise, tables_needed
from stakes.uncertainty._answers import check_cases, units_of
from stakes.uncertainty._replicates import number
from stakes.uncertainty._resample import cells

_MOST = 1 << 25  # numbers kept for one study, a quarter of a gigabyte; for larger samples they are computed again


def measures_by_model(
    models: tuple[str, ...], measure: MeasureLike | Mapping[str, MeasureLike], better: Better | None
) -> dict[str, Measure]:
    """Return the measure of each model: the same for all, or that which a mapping gives."""
    if not isinstance(measure, Mapping):
        return dict.fromkeys(models, recognise(measure, better))
    if not measure:
        raise InputError("measure", "hold the measure of at least one model", "none")
    for name in measure:
        _check.choice("measure", name, models)
    one_each = {id(one): recognise(one, better) for one in measure.values()}  # models of one measure share its form
    return {name: one_each[id(one)] for name, one in measure.items()}


def _of_money(measure: Measure) -> Measure:
    """Return a measure of cases with stakes: by formula if it is a mean over heads, otherwise resampled."""
    form, bounds = (one if isinstance(one, PerCase) else None for one in (measure.form, measure.bounds))
    return replace(measure, form=form, floor=None, bounds=bounds)


def direction(measures: Iterable[Measure]) -> Better:
    """Return the direction in which measures are better; raise unless they agree."""
    ways = {one.better for one in measures}
    if None in ways:
        raise InputTypeError("better", "be 'smaller' or 'larger' for a measure that is not one of ours", "none")
    if len(ways) > 1:
        raise InputError("measure", "have the same `better` for all models", "smaller and larger")
    return next(way for way in ways if way is not None)


def measures_at_horizons(cases: Cases, measures: Mapping[str, Measure]) -> list[tuple[float, MeasuredModels]]:
    """Return the share of each of several horizons and the measures there; none where there is one."""
    return [(share, MeasuredModels(cases.at(time), measures)) for time, share in horizons_of(cases).items()]


class MeasuredModels:
    """The measure of each model on the sample and the influence of each case on it; both are kept."""

    def __init__(
        self, cases: Cases, measure: MeasureLike | Mapping[str, MeasureLike], *, better: Better | None = None
    ) -> None:
        check_cases(cases)
        self.cases = cases
        self._ordinary = with_ordinary_weights(cases)  # for formulas, which square and multiply weights
        self.measures = measures_by_model(cases.models, measure, better)
        if stakes_of_cases(cases) is not None:
            self.measures = {name: _of_money(one) for name, one in self.measures.items()}
        self._horizons = measures_at_horizons(cases, self.measures)
        self._estimates: dict[str, float] = {}
        self._influence: dict[str, FloatArray] = {}
        self._first_row: dict[str, FloatArray] = {}  # influence of a positive and a negative there, at weight 1
        self._at_weights: dict[str, FloatArray] = {}  # influence of each case at given weights

    @property
    def models(self) -> tuple[str, ...]:
        """The names of the models."""
        return tuple(self.measures)

    @cached_property
    def estimates(self) -> Mapping[str, float]:
        """The measure of each model; a function of several tables has one value, under all their names."""
        if self._tables_needed > 1:
            return {", ".join(self.models): self._joint_estimate()}
        return {name: self._estimate(name) for name in self.models}

    def _joint_estimate(self) -> float:
        """Return the value of a function of the tables of all models, the mean over several horizons."""
        if self._horizons:
            return sum(share * one._joint_estimate() for share, one in self._horizons)
        return number(self._only_measure.value(*(self.cases.table(name) for name in self.models)))

    def influence(self, model: str) -> FloatArray:
        """Return the influence of each independent unit, a case or a cluster, on a model's measure.

        It adds up to 0.

        Parameters
        ----------
        model : str
            The name of the model.

        Returns
        -------
        ndarray of float64
            The change of the measure by each unit, to first order; read-only.

        Examples
        --------
        >>> from stakes import Cases, accuracy
        >>> from stakes.uncertainty import Study
        >>> Study(Cases([0, 1, 1, 0], {"a": [0.1, 0.8, 0.3, 0.2]}), accuracy).influence("a").tolist()
        [0.0625, 0.0625, -0.1875, 0.0625]
        """
        if model in self._influence:
            return self._influence[model]
        influence = self._compute_influence(_check.choice("model", model, self.models))
        influence.flags.writeable = False
        if len(self.cases) * len(self.models) <= _MOST:
            self._influence[model] = influence
        return influence

    @property
    def _only_measure(self) -> Measure:
        return next(iter(self.measures.values()))

    @cached_property
    def _tables_needed(self) -> int:
        return max(tables_needed(one.value) for one in self.measures.values())

    @property
    def _better(self) -> Better:
        return direction(self.measures.values())

    def _form(self, *models: str) -> Form | None:
        """Return the form of the first model, if all of some models have one."""
        forms = [self.measures[name].form for name in models]
        return None if None in forms else forms[0]

    def _estimate(self, model: str) -> float:
        if model not in self._estimates:
            if self._tables_needed > 1:
                raise InputTypeError("measure", "be a function of one table", f"one of {self._tables_needed}")
            self._estimates[model] = self._compute_estimate(model)
        return self._estimates[model]

    def _compute_estimate(self, model: str) -> float:
        """Return the measure on the table of a model, the mean over several horizons."""
        if self._horizons:
            return sum(share * one._estimate(model) for share, one in self._horizons)
        return number(self.measures[model](self.cases.table(model)))

    def _compute_influence(self, model: str) -> FloatArray:
        """Return the influence of each unit, from the form of the measure."""
        if self._horizons:
            return np.asarray(sum(share * one.influence(model) for share, one in self._horizons))
        influence, cluster = self._compute_case_influence(model), self.cases.cluster
        return influence if cluster is None else np.bincount(cluster, influence).astype(np.float64, copy=False)

    def _at_first_row(self, model: str) -> FloatArray:
        """Return the influence of a positive and of a negative in the first row, of weight 1."""
        if model not in self._first_row:
            self._compute_case_influence(model)
        return self._first_row[model]

    def _compute_case_influence(self, model: str) -> FloatArray:
        """Return the influence of each case, even within a cluster, by its part in the weights of others too."""
        weighed = weighed_cases(self._ordinary)
        return self._compute_direct_influence(model) if weighed is None else weighed.through(self._direct(model))

    def _direct(self, model: str) -> FloatArray:
        """Return the influence of each case at given weights, which others move too; kept like the influence."""
        if model in self._at_weights:
            return self._at_weights[model]
        influence = self._compute_direct_influence(model)
        if 2 * len(self.cases) * len(self.models) <= _MOST:
            self._at_weights[model] = influence
        return influence

    def _compute_direct_influence(self, model: str) -> FloatArray:
        """Return the influence of each case at given weights; keep that of the first row's two cells."""
        form, cases, table = self.measures[model].form, self._ordinary, self._ordinary.table(model)
        if form is None:
            raise InputTypeError("measure", "have a formula for the influence of a case", str(self.measures[model]))
        if isinstance(form, PerCase) and (stakes := stakes_of_cases(cases)) is not None:
            at_stake = stakes.stake if cases.weight is None else cases.weight * stakes.stake
            money = ScoredCases(scores_of_cases(cases, model), stakes.side, at_stake, table.total)
            return form.influence_of_stakes(money, cases.weight)
        scores = scores_of_cases(cases, model)
        if weighed_cases(cases) is not None:  # what an unknown case would lose is infinite at worst, and weighs nothing
            scores = np.where(np.asarray(cases.weight) > 0, scores, table.lowest)
        scored = ScoredCases(scores, cases.positive, cases.weight, table.total)
        found = form.influence_of_cases(scored, table.lowest)
        if found is None:
            by_cell = form.influence(table, units_of(cases))
            found = by_cell[cells(cases, model)], by_cell[[0, len(table)]]
        influence, self._first_row[model] = found
        influence /= table.total
        if cases.weight is not None:
            influence *= cases.weight
        return influence

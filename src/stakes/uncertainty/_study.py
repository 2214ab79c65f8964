"""A study of models on the same cases: shared work for several questions about one measure."""

from __future__ import annotations

import math
from collections.abc import Sequence
from copy import deepcopy
from dataclasses import replace
from functools import cached_property, partial

import numpy as np

from stakes import _check
from stakes._arrays import BoolArray, FloatArray, blocks, extreme_power
from stakes._check import Seed
from stakes._errors import InputError
from stakes.measures import Evaluate, Measure
from stakes.uncertainty._answers import (
    CONSISTENCY,
    Comparison,
    Interval,
    as_level,
    bootstrap_interval,
    caution,
    choose_method,
    interval_method,
)
from stakes.uncertainty._bootstrap import Question, Request, resample
from stakes.uncertainty._by_formula import FormulaModels
from stakes.uncertainty._chance_floor import interval_above_chance
from stakes.uncertainty._plans import Plans
from stakes.uncertainty._possible_ends import ClassCounts, Possible
from stakes.uncertainty._rank import (
    PRIORS,
    Options,
    Ranking,
    in_unit,
    models_among,
    normal_ranking,
    ranking,
    unseen_variance,
)
from stakes.uncertainty._replicates import evaluator, replicates, table_evaluator
from stakes.uncertainty._resample import ResampledModel
from stakes.uncertainty._together import ResampledTogether, resample_together


class Study(FormulaModels):
    """A measure of every model on the same cases, with its intervals, differences and ranking.

    `interval`, `compare` and `rank` each make a study for one question. Keep a study to ask several: the estimates and
    the influence of each case are then computed once.

    Parameters
    ----------
    cases : Cases
        The sample. Cases are independent, or come in independent clusters.
    measure : Measure or callable, or a mapping
        One of our measures, or any function of a table that returns a number; or a function of as many tables as there
        are models, in their order, on the same cases. A mapping gives each of the models it names a measure of its own,
        and leaves the others out.
    better : {"smaller", "larger"}, keyword-only, optional
        Direction in which the measure is better; known for our own measures, and needed for any other to compare or
        rank.

    Attributes
    ----------
    cases : Cases
        The sample.
    measures : dict of str to Measure
        The measure of each model.

    Examples
    --------
    >>> from stakes import Cases, auc
    >>> from stakes.datasets import load_cohort
    >>> from stakes.uncertainty import Study
    >>> cohort = load_cohort()
    >>> cases = Cases(cohort["cancer"], {"marker": cohort["cancerpredmarker"], "family": cohort["famhistory"]})
    >>> study = Study(cases, auc)
    >>> study.intervals()["marker"]
    Interval(0.8606 [0.8161, 0.8958], analytic)
    >>> study.compare("marker", "family")
    Comparison(marker - family: 0.3169 [0.2635, 0.3702], better with probability >0.999, analytic)
    """

    def intervals(
        self,
        *,
        method: str = "auto",
        level: float | str = 0.95,
        n_resamples: int = 2000,
        rng: Seed = None,
        by_class: bool = False,
        exact: bool = False,
    ) -> dict[str, Interval]:
        """Return the confidence interval of every model; see `interval` for the arguments.

        Parameters
        ----------
        method, level, n_resamples, rng, by_class, exact : keyword-only, optional
            As in `interval`.

        Returns
        -------
        dict of str to Interval
            The interval of each model.

        Examples
        --------
        >>> from stakes import Cases, accuracy
        >>> from stakes.uncertainty import Study
        >>> Study(Cases([0, 1, 1, 0] * 9, {"a": [0.1, 0.8, 0.3, 0.2] * 9}), accuracy).intervals(level=0.9)
        {'a': Interval(0.75 [0.6..., 0.8...], analytic)}
        """
        confidence = as_level(level, n_resamples)
        generator = _check.generator(rng)
        request = Request("", confidence, n_resamples, by_class, exact)
        if self._tables_needed > 1:
            return self._joint_interval(method, request, generator)
        methods = {
            name: interval_method(method, one, above_chance=self._weighed is None)
            for name, one in self.measures.items()
        }
        if set(methods.values()) == {"analytic"}:
            return {name: self._analytic_interval(name, confidence) for name in self.models}
        streams = dict(zip(self.models, generator.spawn(len(self.models)), strict=True))
        if set(methods.values()) == {CONSISTENCY}:  # the same scores have the same floor
            streams = {name: deepcopy(streams[self.models[0]]) for name in self.models}
        requests = {name: replace(request, method=methods[name]) for name in self.models}
        return {name: self._interval(name, requests[name], streams[name]) for name in self.models}

    def compare(
        self,
        a: str,
        b: str,
        *,
        method: str = "auto",
        level: float | str = 0.95,
        n_resamples: int = 2000,
        rng: Seed = None,
        by_class: bool = False,
        exact: bool = False,
    ) -> Comparison:
        """Return the difference between two models; see `compare` for the arguments.

        Parameters
        ----------
        a, b : str
            The names of the models.
        method, level, n_resamples, rng, by_class, exact : keyword-only, optional
            As in `compare`.

        Returns
        -------
        Comparison
            The difference, `a` minus `b`, its interval, and the probability that `a` is better.

        Examples
        --------
        >>> from stakes import Cases, accuracy
        >>> from stakes.uncertainty import Study
        >>> cases = Cases([0, 1, 1, 0] * 9, {"a": [0.1, 0.8, 0.3, 0.2] * 9, "b": [0.6, 0.8, 0.3, 0.2] * 9})
        >>> Study(cases, accuracy).compare("a", "b").difference
        0.25
        """
        confidence = as_level(level, n_resamples)
        generator = _check.generator(rng)
        for name, model in (("a", a), ("b", b)):
            _check.choice(name, model, self.models)
        smaller, chosen = self._better == "smaller", choose_method(method, self._form(a, b), "basic")
        difference = self._estimate(a) - self._estimate(b)
        if chosen == "analytic":
            ends, above = self._analytic_difference(a, b, confidence)
            doubt = self._doubt(a, b)
            return Comparison(a, b, difference, *ends, 1 - above if smaller else above, chosen, caution=doubt)
        request = Request(chosen, confidence, n_resamples, by_class, exact)
        result = resample(self._difference_question(a, b), request, generator)
        above = float(np.mean(result.values > 0) + np.mean(result.values == 0) / 2)
        chance, coarsening = 1 - above if smaller else above, (result.coarsening, result.coarsening_error)
        return Comparison(a, b, difference, *result.ends, chance, chosen, *coarsening, caution(self.cases))

    def rank(
        self,
        *,
        prior: str = "near",
        method: str = "auto",
        n_resamples: int = 2000,
        rng: Seed = None,
        by_class: bool = False,
        exact: bool = False,
    ) -> Ranking:
        """Rank the models; see `rank` for the arguments.

        Parameters
        ----------
        prior, method, n_resamples, rng, by_class, exact : keyword-only, optional
            As in `rank`.

        Returns
        -------
        Ranking
            The models, best first, with the probability of every rank and the expected loss of each choice.

        Examples
        --------
        >>> from stakes import Cases, brier_score
        >>> from stakes.uncertainty import Study
        >>> cases = Cases([0, 1, 1, 0] * 9, {"a": [0.1, 0.8, 0.9, 0.2] * 9, "b": [0.5, 0.5, 0.5, 0.5] * 9})
        >>> round(Study(cases, brier_score).rank().probability_best["a"], 3)
        1.0
        """
        as_level(0.95, n_resamples)
        better, estimates = self._better, {name: self._estimate(name) for name in self.models}
        chosen = choose_method(method, self._form(*self.models), "bootstrap", ("bootstrap",))
        options = Options(estimates, better, self._are_models, _check.choice("prior", prior, PRIORS))
        stream = _check.generator(rng)
        if chosen == "analytic":
            power, unseen = self._unseen
            result = in_unit(normal_ranking(options.over(power), self._covariance(power), unseen), power)
        else:
            units = Plans.of(self.cases, self.models, by_class=by_class, exact=exact).main
            evaluate = [evaluator(one, model) for one, model in zip(self.measures.values(), units.models, strict=True)]
            on_coarse = [one(units.sample[None])[0] for one in evaluate]
            values = replicates(units, evaluate, n_resamples, stream) - on_coarse + np.array(list(estimates.values()))
            result = ranking(options, values, chosen)
        return replace(result, caution=caution(self.cases, trusted="probabilities"))

    def resample_together(self, *, level: float, n_resamples: int, rng: np.random.Generator) -> ResampledTogether:
        """Resample all models together, for `basic` intervals and differences."""
        assert self._better == "smaller"  # the best model has the smallest measure
        return resample_together(self.cases, self.measures, level=level, n_resamples=n_resamples, rng=rng)

    def _interval(self, model: str, request: Request, rng: np.random.Generator) -> Interval:
        if request.method == "analytic":
            return self._analytic_interval(model, request.level)
        measure = self.measures[model]
        if request.method == CONSISTENCY and measure.floor is not None:
            return interval_above_chance(self._ordinary, model, self._estimate(model), measure.floor, request, rng)
        influence = None if measure.form is None else partial(self.influence, model)
        question = Question(
            self.cases, (model,), lambda models: evaluator(measure, models[0]), self._estimate(model), influence
        )
        possible = Possible.of(measure, self.cases.table(model), self._estimate(model), ClassCounts.of(self.cases))
        return possible.keep(bootstrap_interval(question, request, rng), request.level)

    def _joint_interval(self, method: str, request: Request, rng: np.random.Generator) -> dict[str, Interval]:
        """Return the bootstrap interval of a function of the tables of all models."""
        function, models = self._only_measure.value, self.models
        if self._tables_needed != len(models):
            raise InputError(
                "measure",
                f"take one table, or one of each of the {len(models)} models",
                f"a function of {self._tables_needed}",
            )
        chosen = choose_method(method, None, "bca")
        ((name, estimate),) = self.estimates.items()
        question = Question(self.cases, models, partial(table_evaluator, function), estimate)
        return {name: bootstrap_interval(question, replace(request, method=chosen), rng)}

    def _difference_question(self, a: str, b: str) -> Question:
        """Return the difference between two models as a measure to resample."""
        pair, difference = (self.measures[a], self.measures[b]), self._estimate(a) - self._estimate(b)
        influence = None if self._form(a, b) is None else partial(self._gap, a, b)
        return Question(self.cases, (a, b), partial(_difference_evaluator, pair), difference, influence)

    def _covariance(self, power: int = 0) -> FloatArray:
        """Return the covariance of all measures over a power of two, from products of the influence."""
        influence = [np.ldexp(one, -power) if power else one for one in map(self.influence, self.models)]
        units, products = len(influence[0]), np.zeros((len(influence), len(influence)))
        for rows in blocks(units):
            part = np.stack([one[rows] for one in influence])
            products += part @ part.T
        return products * (units / (units - 1) if units > 1 else math.nan)

    @property
    def _are_models(self) -> BoolArray:
        return models_among(self.cases.table(name) for name in self.models)

    @cached_property
    def _unseen(self) -> tuple[int, FloatArray]:
        """The power of two of extreme measures, and the variances over it that cases not seen would add."""
        power = extreme_power(np.array([self._estimate(name) for name in self.models]))
        return power, self._unseen_over(power)

    def _unseen_over(self, power: int) -> FloatArray:
        """Return the variance of each measure over a power of two, from cases of a kind not seen."""
        if self._horizons:  # at worst, what was not seen moves all horizons alike
            studies = [(share, Study(one.cases, self.measures)) for share, one in self._horizons]
            return np.asarray(sum(share * np.sqrt(one._unseen_over(power)) for share, one in studies)) ** 2
        known = len(self.cases) if self._weighed is None else int(np.count_nonzero(self._weighed.weight))
        held = known, int(np.count_nonzero(self.cases.positive))
        forms = {name: one.form for name, one in self.measures.items() if one.form is not None}
        table = self._ordinary.table
        return np.array([unseen_variance(form, table(name), *held, power) for name, form in forms.items()])


def _difference_evaluator(measures: tuple[Measure, Measure], models: Sequence[ResampledModel]) -> Evaluate:
    first, second = (evaluator(measure, model) for measure, model in zip(measures, models, strict=True))
    return lambda counts: first(counts) - second(counts)

"""A study: measures of models, looked at once and asked about as often as one likes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from stakes import _check
from stakes._arrays import FloatArray, blocks
from stakes._check import Seed
from stakes._errors import InputError
from stakes.measures import Evaluate, Measure
from stakes.uncertainty._analytic import analytic_ends
from stakes.uncertainty._bootstrap import Question, Request, drawn
from stakes.uncertainty._compare import Comparison, analytic_difference
from stakes.uncertainty._interval import (
    Interval,
    as_level,
    caution,
    choose_method,
    resampled_interval,
)
from stakes.uncertainty._measured import MeasuredModels
from stakes.uncertainty._rank import Ranking, normal_ranking, ranking
from stakes.uncertainty._replicates import evaluator, of_tables, replicates
from stakes.uncertainty._resample import ResampledModel, plan
from stakes.uncertainty._together import ResampledTogether, resampled_together


class Study(MeasuredModels):
    """One measure of every model on the same cases: estimates, intervals, differences and the ranking.

    `interval`, `compare` and `rank` each make a study and ask it one question. Whoever asks several holds the study:
    the estimates and the influence of each case are computed once.

    Parameters
    ----------
    cases : Cases
        The sample. Cases are independent, or come in independent clusters.
    measure : Measure or callable, or a mapping
        A measure, or any function of a table that returns a number; a mapping gives a measure of its own to each of the
        models it names, and leaves the others out. A function of as many tables as there are models is one number of
        all of them.
    better : {"smaller", "larger"}, keyword-only, optional
        Which way is better; known for our own measures.

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
    Comparison(marker - family: 0.3169 [0.2635, 0.3702], better with probability 1.000, analytic)
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
        """Return the interval of every model, as `interval` does, which explains the arguments.

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
        source = _check.generator(rng)
        how = Request("", confidence, n_resamples, by_class, exact)
        if self._tables_needed > 1:
            return self._interval_of_several(method, how, source)
        ways = {name: choose_method(method, one.form, one.resampled) for name, one in self.measures.items()}
        if set(ways.values()) == {"analytic"}:
            return {name: self._analytic_interval(name, confidence) for name in self.models}
        streams = zip(self.models, source.spawn(len(self.models)), strict=True)
        return {name: self._interval(name, replace(how, method=ways[name]), stream) for name, stream in streams}

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
        """Return the difference of two models, as `compare` does, which explains the arguments.

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
        source = _check.generator(rng)
        for name, model in (("a", a), ("b", b)):
            _check.choice(name, model, self.models)
        smaller, way = self._better == "smaller", choose_method(method, self._form(a, b), "basic")
        difference, doubt = self._estimate(a) - self._estimate(b), caution(self.cases)
        if way == "analytic":
            ends, above = self._analytic_difference(a, b, difference, confidence)
            return Comparison(a, b, difference, *ends, 1 - above if smaller else above, way, caution=doubt)
        found = drawn(self._difference(a, b), Request(way, confidence, n_resamples, by_class, exact), source)
        above = float(np.mean(found.values > 0) + np.mean(found.values == 0) / 2)
        chance = 1 - above if smaller else above
        return Comparison(a, b, difference, *found.ends, chance, way, found.coarsening, found.coarsening_error, doubt)

    def rank(
        self,
        *,
        method: str = "auto",
        n_resamples: int = 2000,
        rng: Seed = None,
        by_class: bool = False,
        exact: bool = False,
    ) -> Ranking:
        """Rank the models, as `rank` does, which explains the arguments.

        Parameters
        ----------
        method, n_resamples, rng, by_class, exact : keyword-only, optional
            As in `rank`.

        Returns
        -------
        Ranking
            The models, best first, with the probability of every rank and what each choice is expected to lose.

        Examples
        --------
        >>> from stakes import Cases, brier_score
        >>> from stakes.uncertainty import Study
        >>> cases = Cases([0, 1, 1, 0] * 9, {"a": [0.1, 0.8, 0.9, 0.2] * 9, "b": [0.5, 0.5, 0.5, 0.5] * 9})
        >>> Study(cases, brier_score).rank(rng=1).probability_best
        {'a': 1.0, 'b': 0.0}
        """
        as_level(0.95, n_resamples)
        better, estimates = self._better, {name: self._estimate(name) for name in self.models}
        way = choose_method(method, self._form(*self.models), "bootstrap", ("bootstrap",))
        stream = _check.generator(rng)
        if way == "analytic":
            found = normal_ranking(estimates, better, *self._products(), n_resamples, stream)
        else:
            units = plan(self.cases, self.models, by_class=by_class, exact=exact)
            evaluate = [evaluator(one, model) for one, model in zip(self.measures.values(), units.models, strict=True)]
            base = [one(units.sample[None])[0] for one in evaluate]
            values = replicates(units, evaluate, n_resamples, stream) - base + np.array(list(estimates.values()))
            found = ranking(estimates, better, values, way)
        return replace(found, caution=caution(self.cases))

    def resample_together(self, *, level: float, n_resamples: int, rng: np.random.Generator) -> ResampledTogether:
        """Draw all models together, once: basic intervals, differences to the best, and who may be best."""
        assert self._better == "smaller"  # the best is the least
        return resampled_together(self.cases, self.measures, level=level, n_resamples=n_resamples, rng=rng)

    def _analytic_interval(self, model: str, level: float) -> Interval:
        form, estimate = self.measures[model].form, self._estimate(model)
        assert form is not None
        ends = analytic_ends(form, estimate, self.influence(model), self.cases, level)
        return Interval(estimate, *ends, "analytic", caution=caution(self.cases))

    def _interval(self, model: str, how: Request, rng: np.random.Generator) -> Interval:
        if how.method == "analytic":
            return self._analytic_interval(model, how.level)
        measure = self.measures[model]
        moved = None if measure.form is None else partial(self.influence, model)
        asked = Question(
            self.cases, (model,), lambda models: evaluator(measure, models[0]), self._estimate(model), moved
        )
        return resampled_interval(asked, how, rng)

    def _interval_of_several(self, method: str, how: Request, rng: np.random.Generator) -> dict[str, Interval]:
        """Resample a function of the tables of all models, on the same cases."""
        function, models = self._only_measure.value, self.models
        if self._tables_needed != len(models):
            raise InputError(
                "measure",
                f"take one table, or one of each of the {len(models)} models",
                f"a function of {self._tables_needed}",
            )
        way = choose_method(method, None, "bca")
        ((name, estimate),) = self.estimates.items()
        asked = Question(self.cases, models, partial(of_tables, function), estimate)
        return {name: resampled_interval(asked, replace(how, method=way), rng)}

    def _analytic_difference(
        self, a: str, b: str, difference: float, level: float
    ) -> tuple[tuple[float, float], float]:
        first, second = (self.measures[name].form for name in (a, b))
        assert first is not None
        assert second is not None
        moved = self._moved_difference(a, b)
        return analytic_difference(self.cases, (first, second), a, b, moved, difference, level)

    def _moved_difference(self, a: str, b: str) -> FloatArray:
        return self.influence(a) - self.influence(b)

    def _difference(self, a: str, b: str) -> Question:
        """Return the difference of two models as a question to replicates."""
        pair = self.measures[a], self.measures[b]
        moved = None if self._form(a, b) is None else partial(self._moved_difference, a, b)
        return Question(self.cases, (a, b), partial(_difference, pair), self._estimate(a) - self._estimate(b), moved)

    def _products(self) -> tuple[FloatArray, int]:
        """Return the sums over units of products of what each moves the models' measures by, and how many units."""
        moved = [self.influence(name) for name in self.models]
        units, products = len(moved[0]), np.zeros((len(moved), len(moved)))
        for rows in blocks(units):
            part = np.stack([one[rows] for one in moved])
            products += part @ part.T
        return products, units


def _difference(measures: tuple[Measure, Measure], models: Sequence[ResampledModel]) -> Evaluate:
    first, second = (evaluator(measure, model) for measure, model in zip(measures, models, strict=True))
    return lambda counts: first(counts) - second(counts)

"""Sources of cases for an evaluation: what they offer, and that of cases in memory."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from stakes import _check, _columns
from stakes._arrays import BoolArray, Column, FloatArray
from stakes._case_columns import horizon_columns, is_followed
from stakes._cases_alike import of_given, with_adjusted_scores
from stakes._check import Seed
from stakes._cost_columns import AMOUNTS
from stakes._errors import Argument, InputError, Name, Spelling
from stakes._facts import SampleFacts, effective_cases
from stakes._groups import group_codes
from stakes._predictions import check_same_index, named_scores, reference_name
from stakes._roles import FrameColumns
from stakes.case_costs import stated_costs
from stakes.cases import Cases, horizons_of, scores_of_cases, stakes_of_cases
from stakes.evaluation._missing import given_rows, without_missing
from stakes.evaluation._ranked import Folds, Learn, cross_fitted_scores, deal, people_of
from stakes.measures import MeasureLike
from stakes.outcome import EventBy, FollowUp, check_group, follow_up
from stakes.table import ScoreTable, staked_table
from stakes.uncertainty import Comparison, Interval, ResampledTogether, Study, StudyLike

_REPLICATES = 1000  # of each model, where there is no formula


class StudySource(Protocol):
    """Cases with a table per model, wherever they are."""

    @property
    def facts(self) -> SampleFacts:
        """Numbers of cases and of positives."""

    @property
    def tables(self) -> Mapping[str, ScoreTable]:
        """The table of each model."""

    def study(self, measures: Mapping[str, MeasureLike]) -> StudyLike:
        """Study a measure of each model."""


class Source(StudySource, Protocol):
    """Cases for `evaluate_source`, wherever they are: a class with these members can be one.

    Attributes
    ----------
    facts : SampleFacts
        Numbers of cases and of positives.
    tables : mapping of str to ScoreTable
        The table of each model.

    Examples
    --------
    >>> from stakes import score_table
    >>> from stakes.evaluation import Source, TableSource
    >>> source: Source = TableSource({"a": score_table([0, 1, 0], [0.1, 0.8, 0.3])})
    >>> source.facts.prevalence
    0.3333333333333333
    """

    def groups(self) -> Mapping[str, StudySource]:
        """Return the cases of each group; studies of them share the work until the first is asked."""

    def with_constants(self, scores: Mapping[str, float]) -> StudySource:
        """Add models that give every case one score, such as acting on everyone."""

    def cross_fitted(
        self, learn: Learn, folds: int, rng: np.random.Generator, prevalence: float | None = None
    ) -> Source:
        """Transform each score by what was learnt on the other folds, and weight cases to a prevalence."""


# ------------------------------------------------------------------------------------------- cases in memory


@dataclass(frozen=True, eq=False)
class CaseSource:
    """Cases in memory: their columns, and the models' scores sorted."""

    columns: FrameColumns
    cases: Cases
    coded: tuple[Column, npt.NDArray[np.intp]] | None = None  # the groups, and that of each case
    amounts: FloatArray | None = None  # what acting by amounts alone learnt on other folds, in place of its scores

    @classmethod
    def of(cls, columns: FrameColumns) -> CaseSource:
        """Sort the scores of each model; labels of groups become text."""
        coded = None if columns.group is None else group_codes(columns.group, len(columns))
        if coded is not None:
            columns = replace(columns, group=coded[0][coded[1]])
        others = {"weight": columns.weight, "cluster": columns.cluster, "pos_label": columns.pos_label}
        others["case_costs"] = columns.case_costs
        return cls(columns, Cases(columns.outcome, columns.predictions, **others), coded)

    @classmethod
    def of_arrays(cls, given: FrameColumns, drop: Collection[str] = ()) -> CaseSource:
        """Check columns as users pass them, without cases that miss a value in the roles of `drop`."""
        scores = named_scores(given.predictions)
        others: dict[Name, Any] = {
            "y": None if is_followed(given.outcome) else given.outcome,
            "weight": given.weight,
            "cluster": given.cluster,
            "group": given.group,
            "repeat": given.repeat,
        }
        check_same_index(others | {Argument("predictions", name): score for name, score in scores.items()})
        columns, here = without_missing(replace(given, predictions=scores), drop, {"outcome": "y"})
        with given_rows(here):
            for name, score in columns.predictions.items():
                _check_probabilities(Argument("predictions", name), score, columns.outcome)
            return cls.of(columns)

    @property
    def tables(self) -> dict[str, ScoreTable]:
        """The table of each model."""
        return {name: self.cases.table(name) for name in self.cases.models}

    @property
    def facts(self) -> SampleFacts:
        """Numbers of cases, of positives and of dropped cases."""
        cases, table = self.cases, self.cases.table(self.cases.models[0])
        last = cases.at(cases.outcome.horizon) if horizons_of(cases) and cases.outcome is not None else cases
        clusters = None if last.cluster is None else int(last.cluster.max()) + 1
        known = self.columns.weight is not None, clusters, self.columns.dropped, True
        positive, effective = int(np.count_nonzero(last.positive)), effective_cases(last.positive, last.weight)
        share, notes = table.prevalence_of_cases, self.columns.notes
        facts = SampleFacts(len(last), table.cases, share, *known, positive, effective, notes)
        if self.columns.case_costs is not None:
            return replace(facts, case_costs=stated_costs(self.columns.case_costs, self.columns.costs))
        return facts if last.outcome is None else replace(facts, follow_up=self._follow_up(last, last.outcome))

    def _follow_up(self, cases: Cases, outcome: EventBy) -> FollowUp:
        """Return how far the cases were followed, with the check of every model's scores."""
        models = {name: scores_of_cases(cases, name) for name in self.columns.predictions}
        weight = _columns.weights("weight", self.columns.weight)
        return follow_up(outcome, models, weight=None if weight is None else of_given(self.cases, weight))

    def groups(self) -> dict[str, CaseSource]:
        """Return the cases of each group."""
        if self.coded is None:
            return {}
        (names, codes), weight = self.coded, _columns.weights("weight", self.columns.weight)
        whole = replace(self.columns, group=None)
        each = {str(name): codes == code for code, name in enumerate(names)}
        if weight is not None:  # 0 means absence, of a whole group too
            each = {name: here for name, here in each.items() if weight[here].any()}
        for name, here in each.items() if is_followed(whole.outcome) else ():
            check_group(whole.outcome, name, here)
        return {name: CaseSource.of(whole.rows(here)) for name, here in each.items()}

    @property
    def clusters_of_groups(self) -> dict[str, npt.NDArray[np.intp]]:
        """The cluster of each case of each group, as numbered in the whole sample; empty without clusters."""
        if self.coded is None or self.cases.cluster is None:
            return {}
        names, codes = self.coded[0], of_given(self.cases, self.coded[1])
        return {str(name): self.cases.cluster[codes == code] for code, name in enumerate(names)}

    def with_constants(self, scores: Mapping[str, float]) -> CaseSource:
        """Add models that give every case one score, and with case costs what these alone would do."""
        amounts = self.amounts_alone
        constants = {name: score for name, score in scores.items() if name not in amounts}
        cases = self.cases if len(constants) == len(scores) else self._by_amounts
        return replace(self, cases=cases.with_constants(constants))

    @property
    def amounts_alone(self) -> dict[str, ScoreTable]:
        """The table of acting by the costs of each case and the prevalence alone; none without case costs."""
        if stakes_of_cases(self.cases) is None:
            return {}
        name = reference_name(AMOUNTS, self.columns.predictions)
        return {name: self._by_amounts.table(name)}

    @cached_property
    def _by_amounts(self) -> Cases:
        """The cases, with a model that knows their costs and the prevalence alone."""
        stakes, prevalence = stakes_of_cases(self.cases), self.cases.table(self.cases.models[0]).prevalence_of_cases
        assert stakes is not None
        name, scores = reference_name(AMOUNTS, self.columns.predictions), self.amounts
        if scores is None:
            scores = stakes.scores(np.full(len(self.cases), prevalence))
        return with_adjusted_scores(self.cases, {name: scores})

    def study(self, measures: Mapping[str, MeasureLike]) -> StudyLike:
        """Study a measure of each model: by formula, or all of them resampled together."""
        study = Study(self.cases, measures, better="smaller")
        has_formula = all(measure.form is not None for measure in study.measures.values())
        return study if has_formula else ResampledStudy(study)

    def cross_fitted(
        self, learn: Learn, folds: int, rng: np.random.Generator, prevalence: float | None = None
    ) -> CaseSource:
        """Deal the cases into folds, and transform the scores of each by what was learnt on the others."""
        columns = self.columns
        weight = _columns.weights("weight", columns.weight)
        if is_followed(columns.outcome):
            return self._cross_fitted_followed(learn, folds, rng, prevalence, weight)
        positive = _columns.outcome("y", columns.outcome, columns.pos_label)
        dealt = deal(folds, positive, columns.cluster, rng)
        moved = weight if prevalence is None else _weights_at(prevalence, positive, weight)
        if stakes_of_cases(self.cases) is not None:
            there = self if prevalence is None else CaseSource.of(replace(columns, weight=moved))
            return self._cross_fitted_money(learn, Folds(dealt.number, of_given(self.cases, dealt.of)), there)
        scores = cross_fitted_scores(people_of(positive, weight), columns.predictions, dealt, learn)
        return CaseSource.of(replace(columns, predictions=scores, weight=moved))

    def _cross_fitted_followed(
        self, learn: Learn, folds: int, rng: np.random.Generator, prevalence: float | None, weight: FloatArray | None
    ) -> CaseSource:
        """Cross-fit censored outcomes: folds deal everyone, and each estimates censoring anew."""
        columns, outcome = self.columns, self.columns.outcome
        if prevalence is not None:
            hint = ("leave out ", Argument("folds"), ", or ", Argument("prevalence"))
            wanted = ("be left out at another prevalence with ", Spelling("an EventBy", "`--time`"))
            raise InputError("folds", wanted, str(folds), hint=hint)
        each = [outcome.at(time) for time in outcome.horizons]
        dealt = deal(folds, each[-1].positive, columns.cluster, rng)
        given = {name: np.asarray(one).reshape(len(outcome), -1) for name, one in columns.predictions.items()}
        scores = {name: np.empty(score.shape) for name, score in given.items()}
        for k, one in enumerate(each):
            column = {name: score[:, k] for name, score in given.items()}
            for name, found in cross_fitted_scores(people_of(one, weight), column, dealt, learn).items():
                scores[name][:, k] = found
        many = {name: score if len(each) > 1 else score[:, 0] for name, score in scores.items()}
        return CaseSource.of(replace(columns, predictions=many))

    def _cross_fitted_money(self, learn: Learn, folds: Folds, there: CaseSource) -> CaseSource:
        """Cross-fit stake-adjusted scores, for cases as weighted `there`; those of amounts alone with them."""
        cases, stakes = self._by_amounts, stakes_of_cases(self.cases)
        assert stakes is not None

        def money_of(here: BoolArray, score: FloatArray) -> ScoreTable:
            if not stakes.stake[here].any():
                wanted = "leave cases to fit on in which acting and leaving cost differently"
                raise InputError("folds", wanted, "a fold that leaves none")
            weight = None if cases.weight is None else cases.weight[here]
            return staked_table(cases.positive[here], score[here], weight, stakes.some(here))

        adjusted = {name: scores_of_cases(cases, name) for name in cases.models}
        learnt = cross_fitted_scores(money_of, adjusted, folds, learn)
        amounts = learnt.pop(reference_name(AMOUNTS, self.columns.predictions))
        return replace(there, cases=with_adjusted_scores(there.cases, learnt), amounts=amounts)


def _check_probabilities(argument: Argument, score: Any, outcome: Any) -> None:
    """Raise unless scores are probabilities, at every horizon."""
    horizons = len(outcome.horizons) if is_followed(outcome) else 1
    if horizons == 1:
        _columns.probabilities(argument, score)
    else:
        horizon_columns(argument, score, horizons, _columns.probabilities)


def _weights_at(prevalence: float, positive: BoolArray, weight: FloatArray | None) -> FloatArray:
    """Return weights that give the classes their shares at another prevalence."""
    own = np.ones(len(positive)) if weight is None else weight
    share = own[positive].sum() / own.sum()
    moved: FloatArray = own * np.where(positive, prevalence / share, (1 - prevalence) / (1 - share))
    return moved


class ResampledStudy:
    """Study of models resampled together, once, for measures without an analytic interval."""

    def __init__(self, study: Study) -> None:
        self._study = study
        self._drawn: ResampledTogether | None = None

    @property
    def estimates(self) -> Mapping[str, float]:
        """The measure of each model."""
        return self._study.estimates

    def intervals(self, *, level: float = 0.95, rng: Seed = None) -> dict[str, Interval]:
        """Return the interval of each model."""
        return self._together(level, rng).intervals

    def compare(self, a: str, b: str, *, level: float = 0.95, rng: Seed = None) -> Comparison:
        """Return the difference between two models, from the same replicates."""
        return self._together(level, rng).compare(a, b)

    def rank(self, *, rng: Seed = None) -> ResampledTogether:
        """Return the probability of each model to be the best, from the same replicates."""
        return self._together(0.95, rng)

    def _together(self, level: float, rng: Seed) -> ResampledTogether:
        """Draw the replicates for the first question, and answer the others from them."""
        if self._drawn is None:
            random = _check.generator(rng)
            self._drawn = self._study.resample_together(level=level, n_resamples=_REPLICATES, rng=random)
        return self._drawn

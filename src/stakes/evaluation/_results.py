"""Records of an evaluation: standings, groups, findings, results."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from stakes._facts import SampleFacts
from stakes.cases import Cases
from stakes.evaluation._action_rates import ActionRates
from stakes.evaluation._action_use import ActionUse, action_use
from stakes.evaluation._at_horizons import Horizon
from stakes.evaluation._decision import Decision, MoneyDecision
from stakes.evaluation._one_threshold import RecommendedThreshold, recommend_threshold
from stakes.evaluation._ranked import best_policy, ignoring_undefined
from stakes.evaluation._unit import Unit, make_unit
from stakes.evaluation._validation import Validation
from stakes.measures import Decomposition
from stakes.policy import Policy
from stakes.prevalence import Gap
from stakes.table import ScoreTable
from stakes.uncertainty import Comparison, GroupComparison, Interval


@dataclass(frozen=True, slots=True)
class Standing:
    """One line of the ranking, a model or a reference (acting on everyone or on no one).

    Attributes
    ----------
    model : str
        Its name.
    reference : bool
        Whether it needs no model: acting on everyone, or on no one.
    regret : Interval
        The number that is ranked, per case, and its interval.
    skill : float
        Share of the regret of the best constant score that it saves: 1 is perfect, 0 no better than the prevalence.
    difference : Comparison or None
        Difference to the best, on the same cases; none for the best itself and where it is not known.
    probability_best : float
        The probability that none costs less where the sample comes from; ``nan`` where it is not known.
    acts : ActionRates
        Share of cases acted on with it.
    parts : Decomposition or None
        Parts of the regret; none under limits, where thresholds do not depend on calibration.
    brier_score, log_loss, auc : float
        The usual measures, which ignore costs; ``nan`` where they are undefined.
    partial_voros : float or None
        Share of the feasible operating points that cost more, averaged over the costs; none without limits.
    recalibrated : float or None
        Cross-fitted regret after recalibration; none without `folds`.
    baseline_difference : Comparison or None
        Difference to the baseline, on the same cases; its interval is ``nan`` where these are not known. None for the
        baseline itself, and without one.
    harm : float
        What the harm of its test adds to the regret, which includes it; 0 for a reference. The parts are those of its
        mistakes alone.
    price : float or None
        What a unit of effort must be expected to gain for a case to be acted on, in money, at the mean of the costs; 0
        where the budget is enough. None without a budget, and for acting on everyone or on no one.
    effort : float or None
        Effort that it spends for each case, at the mean of the costs; None without a budget.
    effort_range : tuple of float or None
        The same at the highest cost of a false alarm, and at the lowest; None without a budget.

    Examples
    --------
    >>> from stakes import evaluate
    >>> best = evaluate([0, 1, 0, 1], {"model": [0.1, 0.8, 0.3, 0.6]}, "10%..50%").ranking[0]
    >>> best.model, best.reference
    ('model', False)
    """

    model: str
    reference: bool
    regret: Interval
    skill: float
    difference: Comparison | None
    probability_best: float
    acts: ActionRates
    parts: Decomposition | None
    brier_score: float
    log_loss: float
    auc: float
    partial_voros: float | None = None
    recalibrated: float | None = None
    baseline_difference: Comparison | None = None
    harm: float = 0.0
    price: float | None = None
    effort: float | None = None
    effort_range: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True)
class Group:
    """The models in one group of the cases.

    Attributes
    ----------
    name : str
        The label of the group.
    cases : int
        Number of cases.
    prevalence : float
        Share of the positives in it.
    reference : bool
        Whether it is the largest group, with which the others are compared.
    tables : mapping of str to ScoreTable
        The table of each model in the group.
    regret : mapping of str to Interval
        Expected regret of each model at the costs that were stated and the group's own prevalence.
    gaps : mapping of str to Gap
        How much more each model costs than in the reference group, and why; empty for that group itself, and where one
        of the groups has one class only.

    Examples
    --------
    >>> from stakes import evaluate
    >>> y, score, sex = [0, 1, 0, 1, 1, 0], [0.1, 0.8, 0.3, 0.6, 0.2, 0.4], ["f", "f", "f", "f", "m", "m"]
    >>> groups = evaluate(y, {"model": score}, "10%..50%", group=sex).groups
    >>> groups["f"].reference, groups["m"].cases
    (True, 2)
    """

    name: str
    cases: int
    prevalence: float
    reference: bool
    tables: Mapping[str, ScoreTable]
    regret: Mapping[str, Interval]
    gaps: Mapping[str, Gap]


@dataclass(frozen=True, slots=True)
class Finding:
    """One sentence about the models, with the numbers it rests on. It prints as that sentence.

    Attributes
    ----------
    kind : str
        Kind of finding: ``best``, ``best-close``, ``never-acts``, ``crossing``, ...
    text : str
        The sentence.
    template : str
        The sentence with its numbers left open, as ``{names}``.
    values : mapping of str to str
        Text of each open place of the template.
    numbers : mapping of str to float
        The same unrounded, and any other number that supports it. Costs are in the scale of `expected_regret`; times
        the factor of `Evaluation.unit` and its number of cases, they are those of the sentence.
    evidence : str
        Section of the report that shows it: ``ranking``, ``cost``, ``calibration``, ``world``, ``policy``, ``groups``.

    Examples
    --------
    >>> from stakes import evaluate
    >>> finding = evaluate([0, 1, 0, 1], {"model": [0.1, 0.8, 0.3, 0.6]}, "10%..50%").findings[0]
    >>> finding.kind, finding.values["best"]
    ('best-close', 'model')
    """

    kind: str
    text: str
    template: str
    values: Mapping[str, str]
    numbers: Mapping[str, float]
    evidence: str

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, eq=False)
class Results:
    """All numbers of an evaluation, without findings.

    Attributes
    ----------
    decision : Decision
        What was asked.
    sample : SampleFacts
        Numbers of cases and of positives.
    ranking : tuple of Standing
        Models and references, least costly first.
    tables : mapping of str to ScoreTable
        The table of each model.
    groups : mapping of str to Group
        The same by group; empty without groups.
    group_comparisons : mapping of str to GroupComparison
        The difference of each model and reference to the best, in every group; empty without groups, and where which
        cases the models share is not known.
    level : float
        Confidence level of the intervals.
    folds : int or None
        Number of cross-fitting folds; None without cross-fitting.
    cases : Cases or None
        The cases with the scores of models and references; None where there are tables alone, or cases stay elsewhere.
    repeats : tuple of Cases
        The same with the scores of each repeat, where there are repeats; `cases` is then None.
    validation : Validation or None
        What the models seemed to cost on the cases they were fitted to; None unless `validate` fitted them.
    baseline : str or None
        The model or reference with which all are compared; None if only with the best.
    horizons : mapping of float to Horizon
        The models at each of several horizons; empty where there is one. The ranking, the tables and the prevalence are
        then means over them.
    harm : mapping of str to float
        Harm of the test of each model that has any, as stated.

    Examples
    --------
    >>> from stakes import evaluate
    >>> found = evaluate([0, 1, 0, 1], {"a": [0.1, 0.8, 0.3, 0.6]}, "20%..50%")
    >>> found.results.best.model, found.results.level
    ('a', 0.95)
    """

    decision: Decision
    sample: SampleFacts
    ranking: tuple[Standing, ...]
    tables: Mapping[str, ScoreTable]
    groups: Mapping[str, Group]
    level: float
    folds: int | None
    group_comparisons: Mapping[str, GroupComparison] = field(default_factory=dict)
    cases: Cases | None = None  # with the references; None where there are tables alone, or cases stay where they are
    repeats: tuple[Cases, ...] = ()
    validation: Validation | None = None
    baseline: str | None = None
    horizons: Mapping[float, Horizon] = field(default_factory=dict)
    harm: Mapping[str, float] = field(default_factory=dict)

    @cached_property
    def policies(self) -> dict[str, Policy]:
        """Best thresholds of each model, in-sample; none for costs without a mass, horizons, or a budget."""
        if self.horizons or self.decision.budget is not None:  # no threshold keeps to a budget
            return {}
        with ignoring_undefined():
            chosen = {name: best_policy(table, self.decision) for name, table in self.tables.items()}
        return {name: policy for name, policy in chosen.items() if policy is not None}

    @cached_property
    def actions(self) -> ActionUse | None:
        """Use and value of several actions; None where the decision is between acting and not acting."""
        with ignoring_undefined():
            return action_use(self)

    @cached_property
    def unit(self) -> Unit:
        """The unit in which costs are printed."""
        return make_unit(self.decision, self.sample.prevalence, self.ranking)

    @cached_property
    def recommended_threshold(self) -> RecommendedThreshold | None:
        """One threshold for the best, if that is a model; None also without both classes, or a mean cost."""
        first, tables = self.best, self.tables
        if not 0 < self.sample.prevalence < 1:
            return None
        if isinstance(self.decision, MoneyDecision) or self.horizons:
            return None  # each case has a threshold of its own, or each horizon
        if first.reference or math.isnan(first.regret.estimate) or self.actions is not None:
            return None  # actions have thresholds of their own, and names
        paid = first.regret.estimate, first.harm
        return recommend_threshold(first.model, tables[first.model], self.decision, self.unit, *paid)

    @property
    def rival(self) -> Standing:
        """The standing to compare the best with: the next, or the best model where a reference is first."""
        first, second, *_ = self.ranking
        return next(one for one in self.ranking if not one.reference) if first.reference else second

    @property
    def group_comparison(self) -> GroupComparison | None:
        """The difference of the rival to the best in every group; None where it is not known."""
        return self.group_comparisons.get(self.rival.model)

    @property
    def samples(self) -> tuple[Cases, ...]:
        """The cases, once for each repeat; empty where they are not at hand."""
        return self.repeats if self.cases is None else (self.cases,)

    @property
    def best(self) -> Standing:
        """The standing with the lowest expected cost."""
        return self.ranking[0]

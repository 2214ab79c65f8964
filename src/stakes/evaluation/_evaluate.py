"""Evaluate models under a decision, all cases together and by group."""

from __future__ import annotations

import dataclasses
import math
import warnings
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial

import numpy as np
import numpy.typing as npt

from stakes import _check, _columns
from stakes._arrays import FloatArray
from stakes._check import Seed
from stakes._errors import Argument, InputTypeError
from stakes.beliefs import EveryLogOdds, IndependentCosts, as_share
from stakes.cases import Cases
from stakes.evaluation import _sources
from stakes.evaluation._decision import Decision, DecisionLike, as_decision
from stakes.evaluation._evaluation import Acts, Evaluation, Facts, Group, Standing
from stakes.evaluation._ranked import measure, parts, there
from stakes.evaluation._recommend import recommend
from stakes.evaluation._sources import Column, Columns, Sure, of_references, sure_of_cases, sure_of_tables
from stakes.evaluation.findings import findings
from stakes.limits import feasible, partial_voros
from stakes.measures import auc, brier_score, expected_regret, log_loss
from stakes.policy import Policy, best_cuts
from stakes.prevalence import Gap, explain_gap, shifted_regret
from stakes.table import ScoreTable, flatten
from stakes.uncertainty import Interval, interval, table_interval

EVERYONE, NO_ONE = "act on everyone", "act on no one"


def evaluate(
    y: npt.ArrayLike,
    predictions: Mapping[str, npt.ArrayLike],
    decision: DecisionLike,
    *,
    weight: npt.ArrayLike | None = None,
    group: npt.ArrayLike | None = None,
    cluster: npt.ArrayLike | None = None,
    rng: Seed = None,
    pos_label: object = None,
    level: float | str = 0.95,
    folds: int | None = None,
) -> Evaluation:
    """Rank models by what they cost under a decision, say how sure that is, and explain it.

    Models are ranked by their mean regret: what their mistakes cost, averaged over the costs that are believed.
    Acting on everyone and on no one are ranked with them, since a model that is no better is not needed.

    - Under another prevalence, cases are weighed and scores corrected as someone who knows it would.
    - Under limits, each model uses the best cut that they allow at each cost, chosen on the same cases: that flatters
      all models a little, those with many different scores most. With `folds`, cuts are judged on other cases than they
      were chosen on; so is what recalibration would save.
    - Models with missing scores are compared on the cases that all of them have a score for; a finding says how many.

    Parameters
    ----------
    y : array-like
        Outcome of each case: 0 or 1, or booleans; any two labels when `pos_label` names the positive one.
    predictions : mapping
        Name of each model and its scores, one for each case; a data frame with a column per model will do.
    decision : Decision, or belief, number or words, such as "5%..20%"
        What is at stake; a belief about the costs alone is a decision without more.
    weight : array-like, keyword-only, optional
        Weight of each case, not negative; 0 means that it is absent.
    group : array-like, keyword-only, optional
        A label for each case; models are judged in each group, and compared with the largest.
    cluster : array-like, keyword-only, optional
        A label for each case; cases with the same label (one patient, one hospital) are not independent.
    rng : int, Generator or SeedSequence, keyword-only, optional
        Where the random numbers come from; the same numbers each time unless given.
    pos_label : object, keyword-only, optional
        The label of a positive, when the outcomes are not 0 and 1.
    level : float or words, such as "90%", keyword-only
        How often intervals like these shall hold the truth.
    folds : int, keyword-only, optional
        In how many parts to divide the cases, so that cuts and recalibration are learnt on all parts but the one they
        are judged on; learnt and judged on the same cases unless given.

    Returns
    -------
    Evaluation
        The ranking, its intervals and findings; print it, or save it as a report.

    See Also
    --------
    evaluate_tables : The same from tables, without cases.

    Examples
    --------
    >>> from stakes import evaluate
    >>> from stakes.datasets import load_cohort
    >>> cohort = load_cohort()
    >>> found = evaluate(cohort["cancer"], {"marker": cohort["cancerpredmarker"]}, "5%..20%")
    >>> found.best.model, round(1000 * found.best.regret.estimate, 1)
    ('marker', 48.8)
    """
    stated, confidence = as_decision(decision), as_share("level", level, open_ends=True)
    columns = _sources.Columns.of(y, predictions, weight=weight, cluster=cluster, group=group, pos_label=pos_label)
    for name, score in columns.scores.items():
        _columns.probabilities(Argument("predictions", name), score)
    labels, names = columns.labels, reference_names(columns.scores)
    constants = {name: np.full(len(columns), score) for name, score in zip(names, (1.0, 0.0), strict=True)}
    with quietly():
        cases = columns.cases({**columns.scores, **constants})
        tables = {name: cases.table(name) for name in columns.scores}
        references = reference_tables(names, tables)
        allowed = {name: constants[name] for name in names if is_allowed(references[name], stated)}
        sure = sure_of_cases(
            cases, columns, allowed, stated, confidence, folds, _check.generator(0 if rng is None else rng)
        )
        groups = {} if labels is None else groups_of_cases(columns, labels, stated, confidence)
        return assembled(stated, _facts(cases, columns.left_out), tables, references, sure, groups, confidence, folds)


def evaluate_tables(
    tables: Mapping[str, ScoreTable],
    decision: DecisionLike,
    *,
    groups: Mapping[str, Mapping[str, ScoreTable]] | None = None,
    level: float | str = 0.95,
) -> Evaluation:
    """Rank models by what they cost under a decision, from their tables alone.

    Tables can be pooled over sites without pooling people, and are small where the data are large. They do not know
    which cases the models share, so that differences between models have no interval here. The intervals of
    single models take each unit of weight for one independent case.

    Parameters
    ----------
    tables : mapping of str to ScoreTable
        The table of each model, on the same cases.
    decision : Decision, or belief, number or words, such as "5%..20%"
        What is at stake; a belief about the costs alone is a decision without more.
    groups : mapping of str to mapping, keyword-only, optional
        For each group of the cases, the tables of the models in it.
    level : float or words, such as "90%", keyword-only
        How often intervals like these shall hold the truth.

    Returns
    -------
    Evaluation
        The ranking and its findings; print it, or save it as a report.

    See Also
    --------
    evaluate : The same from cases, with differences between models.

    Examples
    --------
    >>> from stakes import evaluate_tables, score_table
    >>> y = [0, 1, 0, 1, 0, 0]
    >>> scores = {"a": [0.1, 0.8, 0.3, 0.6, 0.2, 0.1], "b": [0.4, 0.3, 0.5, 0.6, 0.2, 0.1]}
    >>> tables = {name: score_table(y, score) for name, score in scores.items()}
    >>> [standing.model for standing in evaluate_tables(tables, "20%..50%").ranking]
    ['a', 'b', 'act on no one', 'act on everyone']
    """
    stated, confidence = as_decision(decision), as_share("level", level, open_ends=True)
    named = _sources.judged_tables(tables)
    if groups is not None and not isinstance(groups, Mapping):
        raise InputTypeError("groups", "map names of groups to tables by model", type(groups).__name__)
    inside = {
        name: _sources.judged_tables(group, Argument("groups", name), tuple(named))
        for name, group in (groups or {}).items()
    }
    with quietly():
        first = next(iter(named.values()))
        facts = Facts(round(first.total), first.total, first.prevalence, has_cases=False)
        references = reference_tables(reference_names(named), named)
        sure = sure_of_tables(named, stated, confidence)
        sure = dataclasses.replace(sure, regret={**sure.regret, **of_references(references, stated, confidence)})
        return assembled(
            stated,
            facts,
            named,
            references,
            sure,
            groups_of_tables(inside, stated, confidence) if inside else {},
            confidence,
        )


@contextmanager
def quietly() -> Iterator[None]:
    """Keep back warnings that a single number is undefined: it is nan in the ranking, and a finding says why."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*is undefined.*", category=RuntimeWarning)
        yield


def reference_names(models: Iterable[str]) -> tuple[str, str]:
    """Name the two ways to decide that need no model; a model may have taken the name."""
    taken = set(models)
    everyone, no_one = (name if name not in taken else f"{name} (reference)" for name in (EVERYONE, NO_ONE))
    return everyone, no_one


def reference_tables(names: tuple[str, str], tables: Mapping[str, ScoreTable]) -> dict[str, ScoreTable]:
    """Make the tables of the two references: everyone has the score 1, or 0."""
    first = next(iter(tables.values()))
    both = np.array([first.positive_total]), np.array([first.negative_total])
    return {name: ScoreTable(np.array([score]), *both) for name, score in zip(names, (1.0, 0.0), strict=True)}


def _facts(cases: Cases, left_out: int) -> Facts:
    table = cases.table(cases.models[0])
    clusters = None if cases.cluster is None else int(cases.cluster.max()) + 1
    return Facts(len(cases), table.total, table.prevalence, cases.weight is not None, clusters, left_out)


def assembled(
    decision: Decision,
    facts: Facts,
    tables: Mapping[str, ScoreTable],
    references: Mapping[str, ScoreTable],
    sure: Sure,
    groups: Mapping[str, Group],
    level: float,
    folds: int | None = None,
) -> Evaluation:
    policies = _policies(tables, decision)
    everything = {**tables, **{name: table for name, table in references.items() if is_allowed(table, decision)}}
    ranking = tuple(
        _standing(name, everything[name], name in references, decision, sure, policies.get(name))
        for name in sure.order
        if name in everything
    )
    made = Evaluation(decision, recommend(decision), facts, ranking, tables, policies, groups, level=level, folds=folds)
    return dataclasses.replace(made, findings=findings(made))


def _standing(
    name: str, table: ScoreTable, reference: bool, decision: Decision, sure: Sure, policy: Policy | None
) -> Standing:
    moved, ranked = there(table, decision), measure(decision)
    constant = ranked(flatten(table))
    limited = decision.limits is not None
    regret = sure.regret[name]
    return Standing(
        model=name,
        reference=reference,
        regret=regret,
        skill=1 - regret.estimate / constant if constant > 0 and 0 < table.prevalence < 1 else math.nan,
        difference=sure.difference.get(name),
        probability_best=sure.probability_best.get(name, math.nan),
        acts=_acts_anyway(table)
        if reference
        else _acts_under_limits(policy)
        if limited and policy
        else _acts(moved, decision),
        parts=None if limited else parts(table, ranked),
        brier_score=brier_score(moved),
        log_loss=log_loss(moved),
        auc=auc(moved),
        partial_voros=partial_voros(moved, decision.costs, decision.limits) if decision.limits is not None else None,
        recalibrated=sure.recalibrated.get(name),
    )


def _acts(table: ScoreTable, decision: Decision) -> Acts:
    """On which share of the cases one acts where the score is at least the cost; rounding goes no further than 1."""
    low, high = decision.cost_range
    weight = table.positive + table.negative
    total = float(weight.sum())
    at = [min(float(weight[np.searchsorted(table.score, cost) :].sum()) / total, 1.0) for cost in (low, high)]
    if not hasattr(decision.costs, "share_above"):
        return Acts(at[0], math.nan, at[1])
    above: FloatArray = np.asarray(decision.costs.share_above(table.score))
    return Acts(at[0], min(float(weight @ (1 - above)) / total, 1.0), at[1])


def _acts_anyway(reference: ScoreTable) -> Acts:
    """On everyone or on no one, whatever the costs."""
    everyone = float(reference.score[0])
    return Acts(everyone, everyone, everyone)


def _acts_under_limits(policy: Policy) -> Acts:
    share = policy.alarms_per_thousand / 1000
    return Acts(float(share[0]), float(policy.share @ share), float(share[-1]))


def _policies(tables: Mapping[str, ScoreTable], decision: Decision) -> dict[str, Policy]:
    """Choose the best cuts of each model, unless the costs are no proportion that a cut could be chosen at."""
    if isinstance(decision.costs, IndependentCosts | EveryLogOdds) or not hasattr(decision.costs, "support"):
        return {}
    return {name: best_cuts(there(table, decision), decision.costs, decision.limits) for name, table in tables.items()}


def is_allowed(reference: ScoreTable, decision: Decision) -> bool:
    """Whether the limits allow to act on everyone; to act on no one they always do."""
    if decision.limits is None or reference.score[0] == 0:
        return True
    moved = there(reference, decision)
    return bool(feasible(decision.limits, moved.negative, moved.positive, moved.total).all())


Tables = Mapping[str, ScoreTable]


def groups_of_cases(columns: Columns, labels: Column, decision: Decision, level: float) -> dict[str, Group]:
    """Judge the models in each group, at its own prevalence."""
    ranked = partial(expected_regret, costs=decision.costs)
    made: dict[str, tuple[int, Tables, dict[str, Interval]]] = {}
    for name in np.unique(labels):
        cases = columns.where(labels == name)
        tables = {model: cases.table(model) for model in cases.models}
        made[str(name)] = (len(cases), tables, interval(cases, ranked, level=level))
    return compared_groups(made, decision)


def groups_of_tables(groups: Mapping[str, Tables], decision: Decision, level: float) -> dict[str, Group]:
    """Judge the models in each group, from tables alone."""
    ranked = partial(expected_regret, costs=decision.costs)
    made = {
        name: (
            round(next(iter(tables.values())).total),
            tables,
            {model: table_interval(table, ranked, level=level) for model, table in tables.items()},
        )
        for name, tables in groups.items()
    }
    return compared_groups(made, decision)


def compared_groups(
    made: Mapping[str, tuple[int, Tables, dict[str, Interval]]], decision: Decision
) -> dict[str, Group]:
    """Compare every group with the largest, biggest first."""
    order = sorted(made, key=lambda name: (-made[name][0], name))
    reference = made[order[0]][1]
    return {
        name: Group(
            name,
            made[name][0],
            next(iter(made[name][1].values())).prevalence,
            name == order[0],
            made[name][1],
            made[name][2],
            {} if name == order[0] else _gaps(made[name][1], reference, decision),
        )
        for name in order
    }


def _gaps(tables: Tables, reference: Tables, decision: Decision) -> dict[str, Gap]:
    if not all(0 < next(iter(group.values())).prevalence < 1 for group in (tables, reference)):
        return {}
    return {
        model: explain_gap(table, reference[model], decision.costs, measure=shifted_regret)
        for model, table in tables.items()
    }

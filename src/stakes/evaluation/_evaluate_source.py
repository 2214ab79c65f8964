"""Evaluate the cases of any source under a decision."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from stakes import _check
from stakes._check import Seed
from stakes._errors import InputTypeError
from stakes.beliefs import as_share
from stakes.evaluation import _standings
from stakes.evaluation._at_horizons import allowed_at_every_horizon, at_horizons, cases_at_horizons, check_horizons
from stakes.evaluation._budget_use import affordable, use_budget, with_spending
from stakes.evaluation._decision import Decision, DecisionLike, as_decision
from stakes.evaluation._evaluation import Evaluation
from stakes.evaluation._harm import NO_HARM, as_harm, check_harm, harm_per_case, with_harm
from stakes.evaluation._ranked import cross_fit, ignoring_undefined, ranked_measures
from stakes.evaluation._repeated import RepeatedSource, mean_areas
from stakes.evaluation._results import Results
from stakes.evaluation._sources import CaseSource, Source, StudySource


def evaluate_source(
    source: Source,
    decision: DecisionLike,
    *,
    level: float | str = 0.95,
    folds: int | None = None,
    rng: Seed = None,
    baseline: str | None = None,
    call: str = "",
    harm: Mapping[str, float] | None = None,
) -> Evaluation:
    """Rank models by their expected cost under a decision, wherever their cases are.

    Parameters
    ----------
    source : Source
        The cases, as `evaluate` and `evaluate_tables` make them from their arguments.
    decision : Decision, or belief, number or words, such as "5%..20%"
        Costs, prevalence and limits; a belief about the costs alone is also accepted.
    level : float or words, such as "90%", keyword-only
        Confidence level.
    folds : int, keyword-only, optional
        Number of cross-fitting folds.
    rng : int, Generator or SeedSequence, keyword-only, optional
        Seed or generator; the same numbers each time unless given.
    baseline : str, keyword-only, optional
        Model or reference with which all are compared; only with the best unless given.
    call : str, keyword-only
        Command line to show in the report; none unless given.
    harm : mapping of str to float, keyword-only, optional
        Harm of the test that a model needs, by model, as in `evaluate`.

    Returns
    -------
    Evaluation
        The ranking, its intervals and findings.

    Examples
    --------
    >>> from stakes import score_table
    >>> from stakes.evaluation import TableSource, evaluate_source
    >>> table = score_table([0, 1, 0, 1, 0, 0], [0.1, 0.8, 0.3, 0.6, 0.2, 0.1])
    >>> evaluate_source(TableSource({"a": table}), "20%..50%").best.model
    'a'
    """
    if not hasattr(source, "cross_fitted"):
        raise InputTypeError("source", "be a source of cases, such as a `TableSource`", type(source).__name__)
    stated, random = as_decision(decision), _check.generator(0 if rng is None else rng)
    tested = as_harm(harm, source.tables)
    check_harm(tested, source, stated)
    confidence = as_share("level", level, open_ends=True)
    with ignoring_undefined():
        results = make_results(source, stated, confidence, folds, random, baseline, tested)
        if isinstance(source, RepeatedSource):  # scores of different fits are not compared
            results = with_areas(results, mean_areas([one.tables for one in source.repeats], stated))
        if not 0 < results.sample.prevalence < 1:
            results = without_a_best(results)
        return Evaluation(results, call=call)


def make_results(
    source: Source,
    decision: Decision,
    level: float,
    folds: int | None,
    rng: np.random.Generator,
    baseline: str | None = None,
    harm: Mapping[str, float] = NO_HARM,
) -> Results:
    """Return all numbers of an evaluation."""
    check_horizons(cases_at_horizons(source), decision)
    use = None if decision.budget is None else use_budget(source, decision, folds, decision.budget)
    sample, recalibrated = cross_fit(source, decision, folds, rng) if use is None else (use.source, {})
    allowed = allowed_at_every_horizon(source, _standings.allowed_references, decision)
    allowed = allowed if use is None else affordable(allowed, use)
    references = allowed | (amounts := _standings.amounts_alone(source))
    _standings.check_baseline(baseline, [*source.tables, *references])
    everyone = sample.with_constants({name: float(table.score[0]) for name, table in references.items()})
    added = harm_per_case(harm, decision)
    study = everyone.study(with_harm(ranked_measures(decision, [*source.tables, *amounts], allowed, folds), added))
    ranked = _standings.ranking(study, source.tables, references, decision, recalibrated, level, rng, added)
    ranking = ranked if use is None else with_spending(ranked, decision, use)
    results = Results(
        decision=decision,
        sample=source.facts,
        ranking=_standings.compared_with(baseline, ranking, study, level, rng),
        tables=source.tables,
        **_standings.in_groups(source, references, ranking, decision, level, added),
        level=level,
        folds=folds,
        **_samples(everyone),
        baseline=baseline,
        harm=harm,
    )
    return at_horizons(results, cases_at_horizons(source), partial(_standings.at_one_horizon, decision))


def _samples(source: StudySource) -> dict[str, Any]:
    """Return the cases that are at hand, by the names of results."""
    if isinstance(source, RepeatedSource):
        return {"repeats": tuple(one.cases for one in source.repeats)}
    return {"cases": source.cases} if isinstance(source, CaseSource) else {}


def without_a_best(results: Results) -> Results:
    """Return results without P(best): of one class, it depends on mistakes that no case shows."""
    return replace(results, ranking=tuple(replace(one, probability_best=math.nan) for one in results.ranking))


def with_areas(results: Results, areas: Mapping[str, float]) -> Results:
    """Return results with another AUC of each model, undefined where there is none."""
    ranking = (one if one.reference else replace(one, auc=areas.get(one.model, math.nan)) for one in results.ranking)
    return replace(results, ranking=tuple(ranking))

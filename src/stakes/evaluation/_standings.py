"""Standings of the models in the ranking and in each group."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from stakes import _check
from stakes._arrays import FloatArray
from stakes._predictions import reference_name
from stakes.beliefs import Actions, At
from stakes.evaluation._action_rates import ActionRates
from stakes.evaluation._action_use import ONE_ACTION
from stakes.evaluation._at_horizons import cases_at_horizons
from stakes.evaluation._decision import Decision, MoneyDecision
from stakes.evaluation._harm import Harm, with_harm
from stakes.evaluation._ranked import at_deployment, best_policy, is_allowed, measure, parts
from stakes.evaluation._results import Group, Standing
from stakes.evaluation._sources import CaseSource, Source, StudySource
from stakes.evaluation._table_source import constant_tables
from stakes.limits import partial_voros
from stakes.measures import Decomposition, MeasureLike, auc, brier_score, cost_per_case, expected_regret, log_loss
from stakes.prevalence import Gap, explain_gap, shifted_regret
from stakes.table import ScoreTable, flatten
from stakes.uncertainty import Comparison, GroupComparison, Interval, StudiedGroup, StudyLike, comparison_of

Tables = Mapping[str, ScoreTable]


def ranking(
    study: StudyLike,
    tables: Tables,
    references: Tables,
    decision: Decision,
    recalibrated: Mapping[str, float],
    level: float,
    rng: np.random.Generator,
    added: Harm,
) -> tuple[Standing, ...]:
    """Return the standing of every model and reference, least costly first."""
    regret = study.intervals(level=level, rng=rng)
    order, harm = _least_first(regret), {name: added.get(name, 0.0) for name in regret}
    difference = {name: study.compare(name, order[0], level=level, rng=rng) for name in regret if name != order[0]}
    ranked = study.rank(rng=rng)
    chance = {} if ranked is None else ranked.probability_best
    return tuple(
        Standing(
            model=name,
            reference=name in references,
            regret=regret[name],
            skill=_skill(regret[name].estimate, table, decision),
            difference=difference.get(name),
            probability_best=chance.get(name, math.nan),
            acts=_action_rates(table, decision, is_reference=name in references and len(table) == 1),
            parts=_parts(table, decision, regret[name].estimate - harm[name]),
            **_usual_measures(at_deployment(table, decision), decision),
            recalibrated=recalibrated[name] + harm[name] if name in recalibrated else None,
            harm=harm[name],
        )
        for name, table in ((name, references[name] if name in references else tables[name]) for name in order)
    )


def at_one_horizon(decision: Decision, standing: Standing, table: ScoreTable, regret: float) -> dict[str, Any]:
    """Return what a standing has of one of several horizons, of which it is the mean."""
    is_reference = standing.reference and len(table) == 1
    measures = _usual_measures(table, decision)
    return {
        "skill": _skill(regret, table, decision),
        "acts": _action_rates(table, decision, is_reference=is_reference),
        "parts": _parts(table, decision, regret),
        "auc": measures["auc"],
        "partial_voros": measures["partial_voros"],
    }


def _parts(table: ScoreTable, decision: Decision, mistakes: float) -> Decomposition | None:
    """Split what mistakes cost; None under limits, where thresholds do not depend on calibration."""
    return None if decision.limits is not None else parts(*_there(table, decision), mistakes)


def check_baseline(baseline: str | None, names: Iterable[str]) -> None:
    """Raise unless a baseline is one of the models and references."""
    if baseline is not None:
        _check.choice("baseline", baseline, names)


def compared_with(
    baseline: str | None, standings: tuple[Standing, ...], study: StudyLike, level: float, rng: np.random.Generator
) -> tuple[Standing, ...]:
    """Add differences to the baseline, without intervals where pairs are not known."""
    if baseline is None:
        return standings
    regret = {one.model: one.regret.estimate for one in standings}
    others = [name for name in regret if name != baseline]
    known = {name: study.compare(name, baseline, level=level, rng=rng) for name in others}
    unknown = {name: Comparison(name, baseline, regret[name] - regret[baseline], *_NO_INTERVAL) for name in others}
    differences = {name: found or unknown[name] for name, found in known.items()}
    return tuple(replace(one, baseline_difference=differences.get(one.model)) for one in standings)


_NO_INTERVAL = math.nan, math.nan, math.nan, "none"


def _least_first(regret: Mapping[str, Interval]) -> list[str]:
    """Return the names by cost, ties in the order given and undefined costs last."""

    def place(name: str) -> tuple[bool, float]:
        estimate = regret[name].estimate
        return math.isnan(estimate), float(f"{estimate:.11e}")  # the digits that rounding leaves alone

    return sorted(regret, key=place)


def _skill(regret: float, table: ScoreTable, decision: Decision) -> float:
    there, ranked = _there(table, decision)
    constant = ranked(flatten(there))
    return 1 - regret / constant if constant > 0 and 0 < table.prevalence < 1 else math.nan


# Measures that ignore costs, by their attribute of a Standing.
USUAL_MEASURES: dict[str, Callable[[ScoreTable], float]] = {
    "brier_score": brier_score,
    "log_loss": log_loss,
    "auc": auc,
}


def _there(table: ScoreTable, decision: Decision) -> tuple[ScoreTable, MeasureLike]:
    """Return a table to fit a score to and the measure to rank by, where models are used.

    Money at one prevalence is moved there first: what a case loses whatever it is moves with its own class, and not
    with the money around it.
    """
    if isinstance(decision, MoneyDecision) and isinstance(decision.prevalence, At) and decision.limits is None:
        return at_deployment(table, decision), partial(cost_per_case, costs=decision.costs)
    return table, measure(decision)


def _usual_measures(table: ScoreTable, decision: Decision) -> dict[str, Any]:
    """Return the usual measures, and the partial VOROS under limits."""
    limits = decision.limits
    return {
        **{name: one(table) for name, one in USUAL_MEASURES.items()},
        "partial_voros": None if limits is None or table.has_stakes else partial_voros(table, decision.costs, limits),
    }


def _action_rates(table: ScoreTable, decision: Decision, *, is_reference: bool) -> ActionRates:
    """Return the share of cases acted on, at the best thresholds under limits, else at the cost itself."""
    if is_reference:
        share = float(table.score[0])
        return ActionRates(share, share, share)
    policy = None if decision.limits is None else best_policy(table, decision)
    if policy is None:
        return rates_at_the_cost(at_deployment(table, decision), decision)
    alarms = policy.alarms_per_thousand / 1000
    return ActionRates(float(alarms[0]), float(policy.share @ alarms), float(alarms[-1]))


def rates_at_the_cost(table: ScoreTable, decision: Decision) -> ActionRates:
    """Return the share of cases whose score is at least the cost, at most 1 after rounding."""
    # Below the range of the costs no case is acted on, above it all are: only scores between depend on the cost.
    heads = table.heads  # people, where the rows hold money or censoring weights
    score, weight = (table.score, _row_weights(table)) if heads is None else (heads.score, heads.everyone)
    low, high = np.searchsorted(score, decision.cost_range).tolist()
    between = weight[low:high]
    parts = float(weight[:low].sum()), float(between.sum()), float(weight[high:].sum())
    total = sum(parts)  # added up in the same parts, so that all of them are exactly all
    at = [(parts[1] + parts[2]) / total, parts[2] / total]
    if not hasattr(decision.costs, "share_above"):
        return ActionRates(at[0], math.nan, at[1])
    acted: FloatArray = 1 - np.asarray(decision.costs.share_above(score[low:high]))
    return ActionRates(at[0], min((float((between * acted).sum()) + parts[2]) / total, 1.0), at[1])


def _row_weights(table: ScoreTable) -> FloatArray:
    """Return the weight of each row, without a column where every row is one case."""
    return table.positive + table.negative if table.row_label is None else np.broadcast_to(1.0, len(table))


# ------------------------------------------------------------------------------------------- references

EVERYONE, NO_ONE = "act on everyone", "act on no one"
_REFERENCES = {EVERYONE: 1.0, NO_ONE: 0.0}


def allowed_references(tables: Tables, decision: Decision) -> dict[str, ScoreTable]:
    """Return the tables of what needs no model, such as acting on everyone, as far as the limits allow it."""
    scores = _REFERENCES | _one_action(next(iter(tables.values())).prevalence, decision)
    references = constant_tables({reference_name(name, tables): score for name, score in scores.items()}, tables)
    if decision.limits is None or decision.budget is not None:
        return references
    return {name: at for name, at in references.items() if is_allowed(at_deployment(at, decision), decision.limits)}


def _one_action(prevalence: float, decision: Decision) -> dict[str, float]:
    """Return the score that gives every case the best single action, unless another reference does.

    It is the prevalence, at which that action is the cheapest.
    """
    actions, stated = decision.costs, decision.prevalence
    if not isinstance(actions, Actions) or not (stated is None or isinstance(stated, At)):
        return {}
    share = prevalence if stated is None else stated.value
    return {ONE_ACTION: prevalence} if actions.thresholds[0] <= share < actions.thresholds[-1] else {}


def amounts_alone(source: Source) -> dict[str, ScoreTable]:
    """Return the table of acting by costs and prevalence alone; none without case costs."""
    found: dict[str, ScoreTable] = getattr(source, "amounts_alone", {})
    return found


# ------------------------------------------------------------------------------------------- groups


def in_groups(
    source: Source, references: Tables, ranked: Sequence[Standing], decision: Decision, level: float, added: Harm
) -> dict[str, Any]:
    """Return the models in each group, and their differences to the best there, by the names of results."""
    samples = source.groups()
    return {
        "groups": groups(samples, decision, level, added),
        "group_comparisons": group_comparisons(source, samples, references, ranked, decision, level, added),
    }


def groups(samples: Mapping[str, StudySource], decision: Decision, level: float, added: Harm) -> dict[str, Group]:
    """Evaluate the models in each group at its own prevalence, and compare groups with the largest."""
    money = isinstance(decision, MoneyDecision)
    ranked = partial(cost_per_case if money else expected_regret, costs=decision.costs)
    # All studies before the first question: groups of a frame are then read in one pass.
    studies = {
        name: sample.study(with_harm(dict.fromkeys(sample.tables, ranked), added)) for name, sample in samples.items()
    }
    facts = {name: sample.facts for name, sample in samples.items()}
    order = sorted(samples, key=lambda name: (-facts[name].cases, name))
    return {
        name: Group(
            name,
            facts[name].cases,
            facts[name].prevalence,
            name == order[0],
            samples[name].tables,
            studies[name].intervals(level=level),
            {}
            if name == order[0] or cases_at_horizons(samples[name]) is not None
            else _gaps(samples[name].tables, samples[order[0]].tables, decision),
        )
        for name in order
    }


def group_comparisons(
    source: Source,
    samples: Mapping[str, StudySource],
    references: Tables,
    ranked: Sequence[Standing],
    decision: Decision,
    level: float,
    added: Harm,
) -> dict[str, GroupComparison]:
    """Compare every model and reference with the best in each group; not where pairs of cases are unknown."""
    if len(samples) < 2 or not isinstance(source, CaseSource) or isinstance(decision, MoneyDecision):
        return {}
    if cases_at_horizons(source) is not None:  # skill, which is compared too, is no mean over a merged table
        return {}
    best, *others = [standing.model for standing in ranked]
    scores = {name: float(table.score[0]) for name, table in references.items()}
    measures = with_harm(dict.fromkeys([best, *others], partial(expected_regret, costs=decision.costs)), added)
    clusters = source.clusters_of_groups
    studied = {
        name: StudiedGroup.of(one.cases.with_constants(scores), measures, clusters.get(name))
        for name, one in samples.items()
        if isinstance(one, CaseSource)
    }
    if not all(one.has_formula for one in studied.values()):
        return {}
    order = sorted(studied, key=lambda name: (-len(studied[name].study.cases), name))
    by_size = {name: studied[name] for name in order}
    return {other: comparison_of(by_size, other, best, whole=source.cases, level=level) for other in others}


def _gaps(tables: Tables, reference: Tables, decision: Decision) -> dict[str, Gap]:
    if isinstance(decision, MoneyDecision) or not all(
        0 < next(iter(group.values())).prevalence < 1 for group in (tables, reference)
    ):
        return {}
    return {
        model: explain_gap(table, reference[model], decision.costs, measure=shifted_regret)
        for model, table in tables.items()
    }

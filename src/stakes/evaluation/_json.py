"""Evaluation as plain values, in the form of ``evaluation.schema.json``."""

from __future__ import annotations

import dataclasses
import json
import math
from typing import TYPE_CHECKING, Any

import numpy as np

from stakes.evaluation._at_horizons import horizons_json
from stakes.evaluation._follow_up_text import follow_up_json, outcome_json
from stakes.evaluation._text import question
from stakes.evaluation._unit import MONEY, YOURS

if TYPE_CHECKING:
    from stakes._facts import SampleFacts
    from stakes.evaluation._action_use import ActionUse
    from stakes.evaluation._decision import Decision
    from stakes.evaluation._evaluation import Evaluation
    from stakes.evaluation._one_threshold import RecommendedThreshold
    from stakes.evaluation._results import Group, Standing
    from stakes.evaluation._unit import Unit
    from stakes.policy import Policy
    from stakes.uncertainty import Comparison, GroupComparison, GroupDifference, Interval

SCHEMA = 4  # raised whenever a reader of the last one would fail on the next

SCALE = "expected cost per case, where one false alarm plus one miss cost 1"
_SCALES = {name: f"expected cost per case, in {name}" for name in (MONEY, YOURS)}


def rows(evaluation: Evaluation) -> list[dict[str, Any]]:
    """Return the ranking, one flat row a model."""
    return [_row(standing) for standing in evaluation.ranking]


def _row(standing: Standing) -> dict[str, Any]:
    regret, parts, acts, nothing = standing.regret, standing.parts, standing.acts, math.nan
    return {
        "model": standing.model,
        "reference": standing.reference,
        "regret": regret.estimate,
        "lower": regret.lower,
        "upper": regret.upper,
        "skill": standing.skill,
        **_to_other("difference", standing.difference),
        "probability_best": standing.probability_best,
        "acts_at_lowest_cost": acts.at_lowest_cost,
        "acts_mean": acts.mean,
        "acts_at_highest_cost": acts.at_highest_cost,
        "miscalibration": nothing if parts is None else parts.miscalibration,
        "discrimination": nothing if parts is None else parts.discrimination,
        "uncertainty": nothing if parts is None else parts.uncertainty,
        "brier_score": standing.brier_score,
        "log_loss": standing.log_loss,
        "auc": standing.auc,
        "partial_voros": nothing if standing.partial_voros is None else standing.partial_voros,
        "recalibrated": nothing if standing.recalibrated is None else standing.recalibrated,
        **_to_other("baseline_difference", standing.baseline_difference),
        "harm": standing.harm,
        **_spending(standing),
    }


def _spending(standing: Standing) -> dict[str, float]:
    least, most = standing.effort_range or (math.nan, math.nan)
    price, effort = (math.nan if one is None else one for one in (standing.price, standing.effort))
    return {"price": price, "effort": effort, "effort_least": least, "effort_most": most}


def _to_other(name: str, found: Comparison | None) -> dict[str, float]:
    numbers = (math.nan,) * 3 if found is None else (found.difference, found.lower, found.upper)
    return dict(zip((name, f"{name}_lower", f"{name}_upper"), numbers, strict=True))


def as_dict(evaluation: Evaluation) -> dict[str, Any]:
    """Return an evaluation without its tables as plain values."""
    defined: dict[str, Any] = _defined(_asked(evaluation) | _found(evaluation))
    return defined


def _asked(evaluation: Evaluation) -> dict[str, Any]:
    from stakes import __version__

    return {
        "schema": SCHEMA,
        "unit": _unit(evaluation.unit),
        "stakes": __version__,
        "call": evaluation.call,
        "question": question(evaluation),
        "decision": {**_decision(evaluation.decision), "case_costs": dict(evaluation.sample.case_costs) or None},
        "outcome": outcome_json(evaluation.sample.follow_up),
        "recommendation": dataclasses.asdict(evaluation.recommendation),
        "sample": _sample(evaluation.sample),
        "level": evaluation.level,
        "folds": evaluation.folds,
        "baseline": evaluation.baseline,
        "harm": dict(evaluation.harm),
    }


def _found(evaluation: Evaluation) -> dict[str, Any]:
    return {
        "interval_method": evaluation.best.regret.method,
        "answer": evaluation.answer,
        "ranking": rows(evaluation),
        "recommended_threshold": _threshold(evaluation.recommended_threshold),
        "findings": [dataclasses.asdict(finding) for finding in evaluation.findings],
        "policies": {name: _policy(policy) for name, policy in evaluation.policies.items()},
        "actions": None if evaluation.actions is None else _actions(evaluation.actions),
        "horizons": horizons_json(evaluation.horizons),
        "groups": [_group(group) for group in evaluation.groups.values()],
        "group_comparisons": [_comparison(one) for one in evaluation.group_comparisons.values()],
        "validation": None if evaluation.validation is None else dataclasses.asdict(evaluation.validation),
    }


def as_json(evaluation: Evaluation) -> str:
    """Write an evaluation without its tables as JSON."""
    return json.dumps(as_dict(evaluation), ensure_ascii=False, allow_nan=False, indent=1)


def _unit(unit: Unit) -> dict[str, Any]:
    """Return the scale of the numbers, and what they are multiplied by where they are printed."""
    return {
        "numbers": _SCALES.get(unit.name, SCALE),
        "name": unit.name,
        "factor": unit.factor,
        "per": unit.per,
        "digits": unit.digits,
        "false_alarms_per_miss": unit.false_alarms_per_miss,
        "cost_of_both": unit.cost_of_both,
    }


def _threshold(found: RecommendedThreshold | None) -> dict[str, Any] | None:
    return None if found is None else {**dataclasses.asdict(found), "extra": found.extra}


def belief(believed: object) -> dict[str, Any]:
    """Return kind, support and text of a belief as plain values."""
    low, high = getattr(believed, "support", (math.nan, math.nan))
    kind = type(believed).__name__
    return {"kind": kind, "low": float(low), "high": float(high), "text": repr(believed)[:200]}


def _decision(decision: Decision) -> dict[str, Any]:
    limits = decision.limits
    return {
        "costs": belief(decision.costs),
        "prevalence": None if decision.prevalence is None else belief(decision.prevalence),
        "capacity": None if limits is None else limits.capacity,
        "min_precision": None if limits is None else limits.min_precision,
        "budget": decision.budget,
    }


def _sample(sample: SampleFacts) -> dict[str, Any]:
    return {
        "cases": sample.cases,
        "weight": sample.weight,
        "prevalence": sample.prevalence,
        "weighted": sample.weighted,
        "clusters": sample.clusters,
        "dropped": sample.without_score,
        "dropped_by_role": sample.dropped_by_role,
        "has_cases": sample.has_cases,
        "positives": sample.positives,
        "reading_notes": list(sample.reading_notes),
        "repeats": sample.repeats,
        "follow_up": follow_up_json(sample.follow_up),
    }


def _policy(policy: Policy) -> dict[str, list[float]]:
    columns = {
        "from_cost": policy.from_cost,
        "to_cost": policy.to_cost,
        "threshold": policy.threshold,
        "share": policy.share,
        "false_positive_rate": policy.false_positive_rate,
        "recall": policy.recall,
        "precision": policy.precision,
        "alarms_per_thousand": policy.alarms_per_thousand,
        "regret": policy.regret,
    }
    return {name: column.tolist() for name, column in columns.items()}


def _actions(use: ActionUse) -> dict[str, Any]:
    return {
        "thresholds": dict(use.thresholds),
        "dropped": list(use.dropped),
        "shares": {model: dict(shares) for model, shares in use.shares.items()},
        "model": use.model,
        "values": {name: _interval(value) for name, value in use.values.items()},
        "alone": dict(use.alone),
        "floor": use.floor,
    }


def _group(group: Group) -> dict[str, Any]:
    return {
        "name": group.name,
        "cases": group.cases,
        "prevalence": group.prevalence,
        "reference": group.reference,
        "regret": {model: _interval(interval) for model, interval in group.regret.items()},
        "gaps": {model: dataclasses.asdict(gap) for model, gap in group.gaps.items()},
    }


def _comparison(compared: GroupComparison) -> dict[str, Any]:
    return {
        "model": compared.a,
        "best": compared.b,
        "statistic": compared.statistic,
        "freedom": compared.freedom,
        "p_value": compared.p_value,
        "common": compared.common,
        "level": compared.level,
        "adjusted_level": compared.adjusted_level,
        "caution": compared.caution,
        "groups": [_difference(group) for group in compared.groups.values()],
    }


def _difference(group: GroupDifference) -> dict[str, Any]:
    found = group.difference
    return {
        "name": group.name,
        "cases": group.cases,
        "positives": group.positives,
        "prevalence": group.prevalence,
        "difference": {"estimate": found.difference, "lower": found.lower, "upper": found.upper},
        "adjusted": _interval(group.adjusted),
        "skill": _interval(group.skill),
        "error": group.error,
        "left_out": group.left_out,
    }


def _interval(interval: Interval) -> dict[str, float]:
    return {"estimate": interval.estimate, "lower": interval.lower, "upper": interval.upper}


def _defined(value: Any) -> Any:
    """Replace undefined and infinite numbers by None, since JSON has neither."""
    if isinstance(value, dict):
        return {key: _defined(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [_defined(part) for part in value]
    if isinstance(value, np.generic):
        value = value.item()
    return None if isinstance(value, float) and not math.isfinite(value) else value

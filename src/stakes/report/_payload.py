"""Data inside the page: the evaluation, and a coarse table of each model without single cases."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from stakes._language import say, translated
from stakes._wording import belief as belief_in_words
from stakes._wording import name as shown
from stakes._wording import reference
from stakes.beliefs import At, LogOddsUniform, Uniform, in_money
from stakes.evaluation import FOLLOW_UP_TEMPLATES, TEMPLATES, Decision, Evaluation, Standing
from stakes.report._followed_view import positive_said
from stakes.report._packing import pack
from stakes.report._pooling import Bound
from stakes.report._scripts import is_said
from stakes.table import ScoreTable

_REACH = math.log(10)  # how far beyond the stated range axes and controls go, in log-odds

_END, _FARTHEST = 4.6, 9.2  # log-odds of about 1 in 100, which stands for none, and of about 1 in 10,000

_KINDS = {At: "at", Uniform: "uniform", LogOddsUniform: "log_odds_uniform"}


def belief(believed: Any) -> dict[str, Any]:
    """Return kind and support of a belief for the page; mean and words of kinds it does not know."""
    low, high = getattr(believed, "support", (0.0, 1.0))
    ends = {"low": float(low), "high": float(high)}
    if type(believed) in _KINDS:
        return {"kind": _KINDS[type(believed)], **ends}
    mean = getattr(believed, "break_even", getattr(believed, "mean", math.nan))
    told = {"text": belief_in_words(believed), "money": in_money(believed)}
    return {"kind": "other", **ends, "mean": float(mean) if 0 < mean < 1 else None, **told}


def stated(decision: Decision) -> dict[str, Any]:
    """Return the stated decision, as the page's controls know it."""
    limits = decision.limits
    return {
        "cost": belief(decision.costs),
        "prevalence": None if decision.prevalence is None else belief(decision.prevalence),
        "capacity": limits.capacity if limits is not None and limits.capacity_binds else None,
        "min_precision": limits.min_precision if limits is not None and limits.precision_binds else None,
    }


def domain(shares: Iterable[float]) -> tuple[float, float]:
    """Return the ends of an axis of log-odds that shows these shares, and some way beyond."""
    places = [math.log(share) - math.log1p(-share) if 0 < share < 1 else _END * (2 * share - 1) for share in shares]
    ends = max(min(places) - _REACH, -_FARTHEST), min(max(places) + _REACH, _FARTHEST)
    return 1 / (1 + math.exp(-ends[0])), 1 / (1 + math.exp(-ends[1]))


def display_names(names: Iterable[str]) -> dict[str, str]:
    """Return how the page writes names from the data, on one line, shortened and all different."""
    display: dict[str, str] = {}
    for given in names:
        short = shown(given) or say("(no name)")
        number, unlike = 1, short
        while unlike in display.values():
            number += 1
            unlike = f"{short} ({number})"
        display[given] = unlike
    return display


def way_names(standings: Iterable[Standing]) -> dict[str, str]:
    """Return the names of models and references on the page, by those in the evaluation."""
    said = {one.model: reference(one.model) if one.reference else one.model for one in standings}
    return dict(zip(said, display_names(said.values()).values(), strict=True))


def payload(
    evaluation: Evaluation, tables: Mapping[str, ScoreTable], bound: Bound, references: Iterable[str]
) -> dict[str, Any]:
    """Return all that the page needs to be live."""
    controls, sample = stated(evaluation.decision), evaluation.sample
    prevalence = [controls["prevalence"]["low"], controls["prevalence"]["high"]] if controls["prevalence"] else []
    names = way_names(evaluation.ranking)
    return {
        "models": [{"key": name, "name": names[name], **columns(table)} for name, table in tables.items()],
        "references": list(references),
        "ranking": [names[standing.model] for standing in evaluation.ranking],
        "baseline": None if evaluation.baseline is None else names[evaluation.baseline],
        "stated": controls,
        "positive_said": positive_said(evaluation),
        "domain": {
            "cost": domain([controls["cost"]["low"], controls["cost"]["high"]]),
            "prevalence": domain([sample.prevalence, *prevalence]),
        },
        "bound": {part: getattr(bound, part) for part in Bound.__slots__},
        "templates": _templates(evaluation),
        "evaluation": {**evaluation.to_dict(), **_few_policies(evaluation)},
    }


def _templates(evaluation: Evaluation) -> dict[str, str]:
    """Return the sentences that the page fills in at any decision."""
    known = TEMPLATES if evaluation.sample.follow_up is None else TEMPLATES | FOLLOW_UP_TEMPLATES
    return {kind: translated(text) for kind, text in known.items() if kind.startswith("best") or is_said(kind)}


_MOST_POLICIES = 4


def _few_policies(evaluation: Evaluation) -> dict[str, Any]:
    """Return the policies of the first models, where there are many."""
    if len(evaluation.tables) <= _MOST_POLICIES:
        return {}
    first = {one.model for one in [one for one in evaluation.ranking if not one.reference][:_MOST_POLICIES]}
    whole = evaluation.to_dict()["policies"]
    return {"policies": {name: policy for name, policy in whole.items() if name in first}}


def columns(table: ScoreTable) -> dict[str, Any]:
    """Return the columns of a table, and everyone beside them where some outcomes are not known."""
    held = {column: pack(getattr(table, column)) for column in ("score", "positive", "negative")}
    if table.heads is None:
        return held
    own = {} if np.array_equal(table.heads.score, table.score) else {"everyone_score": pack(table.heads.score)}
    return held | own | {"everyone": pack(table.heads.everyone)}


def as_script(data: Mapping[str, Any]) -> str:
    """Write data as JSON that can stand inside a script element, whatever names are in it."""
    text = json.dumps(data, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    for character in "<>&":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text

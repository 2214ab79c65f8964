"""Data inside the page: the evaluation, and a coarse table of each model without single cases."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from stakes._arrays import FloatArray
from stakes._errors import InputError
from stakes._wording import belief as belief_in_words
from stakes._wording import name as shown
from stakes.beliefs import At, LogOddsUniform, Uniform, in_money
from stakes.evaluation import TEMPLATES, Decision, Evaluation, measure
from stakes.table import ScoreTable, counts_from_top

LEAST_CASES, MOST_ROWS = 5, 1000


_DIGITS = 6  # of a score that stands for several


_REACH = math.log(10)  # how far beyond the stated range axes and controls go, in log-odds


_END, _FARTHEST = 4.6, 9.2  # log-odds of about 1 in 100, which stands for none, and of about 1 in 10,000


_KINDS = {At: "at", Uniform: "uniform", LogOddsUniform: "log_odds_uniform"}


@dataclass(frozen=True, slots=True)
class Bound:
    """Largest errors of the tables of the page, as shares of all cases.

    Attributes
    ----------
    regret : float
        The most that the regret of a model changes at any cost, at the prevalence of the sample.
    false_alarms, misses : float
        The most that either changes at any threshold.
    stated : float
        The most that the ranked number of a model changes at the decision as it was stated.
    """

    regret: float = 0.0
    false_alarms: float = 0.0
    misses: float = 0.0
    stated: float = 0.0


def pool_rows(table: ScoreTable, *, case: float = 1.0) -> ScoreTable:
    """Pool neighbouring scores until every row stands for at least 5 cases, and there are at most 1,000.

    A row that is large enough stays as it is. Pooled ones take the weighted mean of their scores, in a few digits.

    Parameters
    ----------
    table : ScoreTable
        The sample.
    case : float, keyword-only
        Mean weight of a case.

    Returns
    -------
    ScoreTable
        The smaller table; one row where the whole sample has fewer than 5 cases.

    Examples
    --------
    >>> from stakes import score_table
    >>> from stakes.report._payload import pool_rows
    >>> small = pool_rows(score_table(y=[0, 0, 0, 1, 0, 1, 1, 1, 1, 1, 1], score=[0.1] * 5 + [0.2, 0.4, 0.5] * 2))
    >>> small.score.tolist(), (small.positive + small.negative).tolist()
    ([0.1, 0.366667], [5.0, 6.0])
    """
    weight = table.positive + table.negative
    starts = _starts(weight, max(LEAST_CASES * case, float(weight.sum()) / MOST_ROWS))
    if len(starts) == len(table):
        return table
    positive, negative = np.add.reduceat(table.positive, starts), np.add.reduceat(table.negative, starts)
    mean = np.add.reduceat(weight * table.score, starts) / (positive + negative)
    alone = np.diff(np.append(starts, len(table))) == 1
    score = np.where(alone, table.score[starts], _short(np.clip(mean, table.lowest, table.highest)))
    return ScoreTable.from_counts(np.maximum.accumulate(score), positive, negative)


def _starts(weight: FloatArray, least: float) -> list[int]:
    """Return the first row of each pooled row; a remainder that weighs too little joins the last."""
    up_to, starts, before = np.cumsum(weight), [0], 0.0
    enough = least * (1 - 1e-9)
    while True:
        end = int(np.searchsorted(up_to, before + enough)) + 1
        if end >= len(weight) or up_to[-1] - up_to[end - 1] < enough:
            return starts
        before = float(up_to[end - 1])
        starts.append(end)


def _short(scores: FloatArray) -> FloatArray:
    return np.array([float(f"{score:.{_DIGITS}g}") for score in scores.tolist()])


def change(fine: ScoreTable, coarse: ScoreTable) -> Bound:
    """Return the exact largest change at any cost and threshold between two tables of the same cases.

    Both regret curves are straight between scores, and shares of alarms are constant there, so that it is enough to
    look just before and just after every score of either.
    """
    if fine is coarse:
        return Bound()
    shares = [_shares_from(table) for table in (fine, coarse)]
    bounds = [
        _change_at(knots, *(_at_thresholds(*one, knots, side) for one in zip((fine, coarse), shares, strict=True)))
        for knots in (fine.score, coarse.score)
        for side in _SIDES
    ]
    return Bound(*(max(column) for column in zip(*bounds, strict=True)))


_SIDES: tuple[Literal["left", "right"], ...] = ("left", "right")  # acting on the score itself, or only above it
Shares = tuple[FloatArray, FloatArray]  # of false and of true alarms


def _change_at(knots: FloatArray, fine: Shares, coarse: Shares) -> tuple[float, float, float]:
    """Return the largest changes of the regret, of false and of true alarms at some costs."""
    false_alarms, true_alarms = fine[0] - coarse[0], fine[1] - coarse[1]
    regret = knots * false_alarms - (1 - knots) * true_alarms
    largest, *others = (float(np.abs(one).max()) for one in (regret, false_alarms, true_alarms))
    return largest, others[0], others[1]


def _shares_from(table: ScoreTable) -> Shares:
    """Return the shares of alarms when acting on every row from each on, and at last on none."""
    false_alarms, true_alarms = (counts[::-1] / table.total for counts in counts_from_top(table))
    return false_alarms, true_alarms


def _at_thresholds(table: ScoreTable, shares: Shares, thresholds: FloatArray, side: Literal["left", "right"]) -> Shares:
    """Return the shares of alarms at ascending thresholds, these included or not."""
    score, (false_alarms, true_alarms) = table.score, shares
    if score is thresholds:
        own = slice(None, -1) if side == "left" else slice(1, None)
        return false_alarms[own], true_alarms[own]
    below = _rows_below(score, thresholds, side)
    return false_alarms[below], true_alarms[below]


def _rows_below(score: FloatArray, thresholds: FloatArray, side: Literal["left", "right"]) -> npt.NDArray[np.intp]:
    """Return the number of scores below each threshold, looking up whichever are fewer in the others."""
    if len(thresholds) <= len(score):
        return np.searchsorted(score, thresholds, side=side)
    other: Literal["left", "right"] = "right" if side == "left" else "left"
    first = np.searchsorted(thresholds, score, side=other)  # the first threshold that is above each score
    return np.repeat(np.arange(len(score) + 1), np.diff(first, prepend=0, append=len(thresholds)))


def page_tables(evaluation: Evaluation, *, coarsen: bool) -> tuple[dict[str, ScoreTable], Bound]:
    """Return the tables to embed, and how far they are from those of the evaluation."""
    if not coarsen:
        return dict(evaluation.tables), Bound()
    sample = evaluation.sample
    case = sample.weight / sample.cases if sample.weighted else 1.0
    tables = {name: pool_rows(table, case=case) for name, table in evaluation.tables.items()}
    return tables, _largest(evaluation, tables)


def _largest(evaluation: Evaluation, tables: Mapping[str, ScoreTable]) -> Bound:
    ranked = measure(evaluation.decision)
    regret = evaluation.intervals
    changes = [change(table, tables[name]) for name, table in evaluation.tables.items()]
    stated = [abs(ranked(table) - regret[name].estimate) for name, table in tables.items()]
    return Bound(
        regret=max(one.regret for one in changes),
        false_alarms=max(one.false_alarms for one in changes),
        misses=max(one.misses for one in changes),
        stated=max(stated),
    )


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
        short = shown(given) or "(no name)"
        number, unlike = 1, short
        while unlike in display.values():
            number += 1
            unlike = f"{short} ({number})"
        display[given] = unlike
    return display


def payload(
    evaluation: Evaluation, tables: Mapping[str, ScoreTable], bound: Bound, references: Iterable[str]
) -> dict[str, Any]:
    """Return all that the page needs to be live."""
    controls, sample = stated(evaluation.decision), evaluation.sample
    prevalence = [controls["prevalence"]["low"], controls["prevalence"]["high"]] if controls["prevalence"] else []
    names = display_names(standing.model for standing in evaluation.ranking)
    return {
        "models": [{"key": name, "name": names[name], **_columns(table)} for name, table in tables.items()],
        "references": list(references),
        "ranking": [names[standing.model] for standing in evaluation.ranking],
        "baseline": None if evaluation.baseline is None else names[evaluation.baseline],
        "stated": controls,
        "domain": {
            "cost": domain([controls["cost"]["low"], controls["cost"]["high"]]),
            "prevalence": domain([sample.prevalence, *prevalence]),
        },
        "bound": {part: getattr(bound, part) for part in Bound.__slots__},
        "templates": TEMPLATES,
        "evaluation": evaluation.to_dict(),
    }


def _columns(table: ScoreTable) -> dict[str, list[float]]:
    return {
        column: [int(value) if value.is_integer() else value for value in getattr(table, column).tolist()]
        for column in ("score", "positive", "negative")
    }


def as_script(data: Mapping[str, Any]) -> str:
    """Write data as JSON that can stand inside a script element, whatever names are in it."""
    text = json.dumps(data, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    for character in "<>&":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


def check_everybody_known(evaluation: Evaluation) -> None:
    """Raise for outcomes that are censored: the tables of a page count no people who left."""
    if any(table.heads is not None and not table.has_stakes for table in evaluation.tables.values()):
        hint = "print the evaluation, or save `to_json()`"
        raise InputError("evaluation", "have known outcomes: a page counts no people who left", "an EventBy", hint=hint)

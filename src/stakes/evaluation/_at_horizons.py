"""Evaluation at several horizons, each by itself and as means over them."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import TYPE_CHECKING, Any

from stakes import _wording
from stakes._errors import InputError, Spelling
from stakes._language import number, say
from stakes.cases import Cases, horizons_of, scores_of_cases, weighed_cases
from stakes.evaluation._decision import Decision
from stakes.evaluation._follow_up_text import follow_up_json
from stakes.evaluation._ranked import ranked_measures
from stakes.outcome import FollowUp, follow_up
from stakes.table import ScoreTable
from stakes.uncertainty import Interval, Study

if TYPE_CHECKING:
    from stakes.evaluation._evaluation import Evaluation
    from stakes.evaluation._results import Results, Standing
    from stakes.evaluation._unit import Unit

_REPLICATES = 2000  # of each model at each horizon, where there is no formula


@dataclass(frozen=True, slots=True)
class Horizon:
    """The models at one of several horizons.

    Attributes
    ----------
    horizon : float
        Time by which the event counts.
    share : float
        How much it counts among the horizons.
    follow_up : FollowUp
        How far the cases were followed until then.
    tables : mapping of str to ScoreTable
        The table of each model, with its predictions for this horizon.
    regret : mapping of str to Interval
        Expected regret of every model and reference at this horizon.

    Examples
    --------
    >>> from stakes import EventBy, evaluate
    >>> outcome = EventBy([1, 2, 3, 4, 6, 8], [1, 0, 1, 0, 0, 1], horizon=[2, 5])
    >>> risks = {"model": [[0.6, 0.9], [0.1, 0.3], [0.2, 0.7], [0.1, 0.2], [0.1, 0.2], [0.2, 0.4]]}
    >>> rows = evaluate(outcome, risks, "20%..50%").horizons
    >>> [(row.horizon, row.share, round(row.follow_up.risk, 3)) for row in rows.values()]
    [(2.0, 0.5, 0.167), (5.0, 0.5, 0.375)]
    """

    horizon: float
    share: float
    follow_up: FollowUp
    tables: Mapping[str, ScoreTable]
    regret: Mapping[str, Interval]


def cases_at_horizons(source: object) -> Cases | None:
    """Return the cases of a source that has several horizons; None of any other."""
    cases = getattr(source, "cases", None)
    return cases if isinstance(cases, Cases) and horizons_of(cases) else None


def one_by_one(cases: Cases) -> tuple[str | Spelling, ...]:
    """Say how to evaluate one of several horizons; the command names a model by its columns, one for each."""
    last = list(horizons_of(cases))[-1]
    columns = [shlex.quote(model.split(",")[-1]) for model in cases.models]
    listed = " ".join(columns[:_MOST_NAMED]) + (" ..." if len(columns) > _MOST_NAMED else "")
    in_python = f"`outcome.at({last:g})` and its column of predictions"
    return "evaluate each horizon by itself, with ", Spelling(in_python, f"`--horizon {last:g} --predictions {listed}`")


_MOST_NAMED = 3  # models in a message


def check_horizons(cases: Cases | None, decision: Decision) -> None:
    """Raise for a prevalence with several horizons, each of which has a risk of its own."""
    if cases is None or decision.prevalence is None:
        return
    several = f"with several horizons ({', '.join(f'{time:g}' for time in horizons_of(cases))})"
    raise InputError("prevalence", f"be left out {several}", "one", hint=one_by_one(cases))


def allowed_at_every_horizon(source: object, allowed: Allowed, decision: Decision) -> dict[str, ScoreTable]:
    """Return the references that limits allow, with several horizons at every one of them."""
    cases = cases_at_horizons(source)
    if cases is None:
        return allowed(source.tables, decision)  # type: ignore[attr-defined]
    found = allowed({name: cases.table(name) for name in cases.models}, decision)
    for time in horizons_of(cases):
        at_one = allowed({name: cases.table(name, horizon=time) for name in cases.models}, decision)
        found = {name: table for name, table in found.items() if name in at_one}
    return found


Allowed = Callable[[Mapping[str, ScoreTable], Decision], dict[str, ScoreTable]]


def at_horizons(results: Results, given: Cases | None, describe: Describe) -> Results:
    """Return results with each of several horizons by itself, and with ratios that are means over them.

    `describe` has what is read off the table of a model, or of a reference, at one horizon; tables are those of the
    cases as given, scores not cross-fitted.
    """
    if results.cases is None or given is None:
        return results
    found = {time: _one(results, given, time, share) for time, share in horizons_of(given).items()}
    sources = {one.model: given if one.model in given.models else results.cases for one in results.ranking}
    ranking = tuple(_with_means(one, found, sources[one.model], describe) for one in results.ranking)
    return replace(results, ranking=ranking, horizons=found)


def _one(results: Results, given: Cases, time: float, share: float) -> Horizon:
    assert results.cases is not None
    cases = results.cases.at(time)
    assert cases.outcome is not None
    weighed = weighed_cases(cases)
    scores = {name: scores_of_cases(given.at(time), name) for name in results.tables}
    described = follow_up(cases.outcome, scores, weight=cases.weight if weighed is None else weighed.cases)
    references = [one.model for one in results.ranking if one.reference]
    measures = ranked_measures(results.decision, results.tables, references, results.folds)
    study = Study(cases, measures, better="smaller")
    regret = study.intervals(level=results.level, n_resamples=_REPLICATES, rng=0)
    tables = {name: given.table(name, horizon=time) for name in results.tables}
    return Horizon(time, share, described, tables, {name: regret[name] for name in cases.models if name in regret})


def _with_means(standing: Standing, horizons: Mapping[float, Horizon], cases: Cases, describe: Describe) -> Standing:
    """Return a standing whose ratios are means over horizons; those of a merged table are something else."""
    each = [
        (one.share, describe(standing, cases.table(standing.model, horizon=time), one.regret[standing.model].estimate))
        for time, one in horizons.items()
    ]
    return replace(standing, **{name: _mean([(share, found[name]) for share, found in each]) for name in each[0][1]})


Describe = Callable[["Standing", ScoreTable, float], dict[str, Any]]


def _mean(each: Sequence[tuple[float, Any]]) -> Any:
    """Return the mean of numbers, or of each number of records; None where that is not known."""
    first: Any = each[0][1]
    if first is None:
        return None
    if not is_dataclass(first):
        return sum(share * one for share, one in each)
    record: Any = type(first)
    means = (_mean([(share, getattr(one, field.name)) for share, one in each]) for field in fields(first))
    return record(*means)


# ------------------------------------------------------------------------------------------- in words


def horizon_rows(evaluation: Evaluation, *, intervals: bool = False) -> list[tuple[str, ...]]:
    """Write what each model costs at each horizon; the first row has the headings."""
    models = [standing.model for standing in evaluation.ranking if not standing.reference]
    rows: list[tuple[str, ...]] = [
        (say("expected cost by horizon"), say("weight"), say("risk"), say("unknown"), *map(_wording.name, models))
    ]
    for row in evaluation.horizons.values():
        found = row.follow_up
        costs = (_cost(evaluation.unit, row.regret[model], intervals=intervals) for model in models)
        described = (
            number(row.horizon, "g"),
            _wording.percent(row.share),
            _wording.percent(found.risk),
            number(found.unknown, ","),
        )
        rows.append((*described, *costs))
    return rows


def _cost(unit: Unit, found: Interval, *, intervals: bool) -> str:
    cost, ends = unit.number(found.estimate), unit.interval(found.estimate, found.lower, found.upper)
    return f"{cost} ({ends})" if intervals and ends != _wording.NOT_KNOWN else cost


def mean_risk(horizons: Mapping[float, Horizon]) -> float:
    """Return the risk of the event, on average over horizons by their weights."""
    return sum(row.share * row.follow_up.risk for row in horizons.values())


def horizon_note() -> str:
    """Explain that the ranking is by the mean over horizons."""
    return say("The ranking is by the mean over horizons, by their weights; skill is the mean of that at each horizon.")


def horizons_json(horizons: Mapping[float, Horizon]) -> list[dict[str, Any]]:
    """Return the horizons as plain values."""
    return [
        {
            "horizon": row.horizon,
            "share": row.share,
            "follow_up": follow_up_json(row.follow_up),
            "regret": {
                name: {"estimate": one.estimate, "lower": one.lower, "upper": one.upper}
                for name, one in row.regret.items()
            },
        }
        for row in horizons.values()
    ]

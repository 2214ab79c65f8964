"""Evaluation at several horizons, each by itself and as means over them."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from stakes import _wording
from stakes._errors import InputError, Spelling
from stakes.cases import Cases, horizons_of, scores_of_cases, weighed_cases
from stakes.evaluation._decision import Decision
from stakes.evaluation._follow_up_text import follow_up_json
from stakes.evaluation._ranked import measure, parts
from stakes.measures import Decomposition, auc, skill_score
from stakes.outcome import FollowUp, follow_up
from stakes.table import ScoreTable
from stakes.uncertainty import Interval, Study

if TYPE_CHECKING:
    from stakes.evaluation._evaluation import Evaluation
    from stakes.evaluation._results import Results, Standing


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


def check_horizons(cases: Cases | None, decision: Decision, folds: int | None) -> None:
    """Raise where several horizons leave open what a prevalence, limits or folds would mean."""
    if cases is None:
        return
    several, hint = (
        f"with several horizons ({', '.join(f'{time:g}' for time in horizons_of(cases))})",
        one_by_one(cases),
    )
    for name, given in (("prevalence", decision.prevalence), ("folds", folds)):
        if given is not None:
            raise InputError(name, f"be left out {several}", "one" if name == "prevalence" else str(given), hint=hint)
    limits = decision.limits
    if limits is not None:
        stated = "`--min-precision`" if limits.capacity is None else "`--capacity`"
        wanted = (Spelling("`limits`", stated), f" must be left out {several}")
        raise InputError((), wanted, (Spelling(str(limits), "one"),), hint=hint)


def at_horizons(results: Results) -> Results:
    """Return results with each of several horizons by itself, and with ratios that are means over them."""
    if results.cases is None or not horizons_of(results.cases):
        return results
    found = {time: _one(results, time, share) for time, share in horizons_of(results.cases).items()}
    tables = {time: {name: results.cases.table(name, horizon=time) for name in results.cases.models} for time in found}
    ranking = tuple(_with_means(one, found, tables, results.decision) for one in results.ranking)
    return replace(results, ranking=ranking, horizons=found)


def _one(results: Results, time: float, share: float) -> Horizon:
    assert results.cases is not None
    cases = results.cases.at(time)
    assert cases.outcome is not None
    weighed = weighed_cases(cases)
    scores = {name: scores_of_cases(cases, name) for name in results.tables}
    described = follow_up(cases.outcome, scores, weight=cases.weight if weighed is None else weighed.cases)
    regret = Study(cases, measure(results.decision), better="smaller").intervals(level=results.level)
    return Horizon(time, share, described, {name: cases.table(name) for name in results.tables}, regret)


def _with_means(
    standing: Standing,
    horizons: Mapping[float, Horizon],
    tables: Mapping[float, Mapping[str, ScoreTable]],
    decision: Decision,
) -> Standing:
    """Return a standing whose ratios are means over horizons; those of a merged table are something else."""
    each = [(one.share, tables[time][standing.model], one.regret[standing.model]) for time, one in horizons.items()]
    split = [(share, parts(table, measure(decision), regret.estimate)) for share, table, regret in each]
    mean = Decomposition(
        *(
            sum(share * getattr(one, name) for share, one in split)
            for name in ("miscalibration", "discrimination", "uncertainty", "total")
        )
    )
    return replace(
        standing,
        skill=sum(share * skill_score(table, decision.costs) for share, table, _ in each),
        auc=sum(share * auc(table) for share, table, _ in each),
        parts=mean,
    )


# ------------------------------------------------------------------------------------------- in words


def horizon_rows(evaluation: Evaluation) -> list[tuple[str, ...]]:
    """Write what each model costs at each horizon; the first row has the headings."""
    models = [standing.model for standing in evaluation.ranking if not standing.reference]
    rows: list[tuple[str, ...]] = [
        ("expected cost by horizon", "weight", "risk", "unknown", *map(_wording.name, models))
    ]
    for row in evaluation.horizons.values():
        found = row.follow_up
        costs = (evaluation.unit.number(row.regret[model].estimate) for model in models)
        described = f"{row.horizon:g}", _wording.percent(row.share), _wording.percent(found.risk), f"{found.unknown:,}"
        rows.append((*described, *costs))
    return rows


def mean_risk(horizons: Mapping[float, Horizon]) -> float:
    """Return the risk of the event, on average over horizons by their weights."""
    return sum(row.share * row.follow_up.risk for row in horizons.values())


def horizon_note() -> str:
    """Explain that the ranking is by the mean over horizons."""
    return "The ranking is by the mean over horizons, by their weights; skill is the mean of that at each horizon."


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

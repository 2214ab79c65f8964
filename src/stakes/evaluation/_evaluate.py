"""Evaluate models under a decision, from arrays or columns of a frame."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, overload

import numpy.typing as npt

from stakes import _check
from stakes._check import Seed
from stakes._errors import Argument, InputError
from stakes._predictions import PredictionsLike
from stakes._roles import FrameColumns, Roles, droppable
from stakes.case_costs import CaseCosts, CaseCostsLike, as_case_costs, costs_by_column
from stakes.evaluation._as_source import as_source, source_of_columns
from stakes.evaluation._decision import DecisionLike, as_decision, with_case_costs
from stakes.evaluation._evaluate_source import evaluate_source
from stakes.evaluation._evaluation import Evaluation
from stakes.evaluation._sources import Source
from stakes.evaluation._table_source import TableSource, check_groups, check_tables
from stakes.outcome import EventBy
from stakes.table import ScoreTable


@overload
def evaluate(
    y: npt.ArrayLike | EventBy,
    predictions: PredictionsLike,
    decision: DecisionLike,
    *,
    data: None = None,
    weight: npt.ArrayLike | None = None,
    group: npt.ArrayLike | None = None,
    cluster: npt.ArrayLike | None = None,
    repeat: npt.ArrayLike | None = None,
    pos_label: object = None,
    on_missing: str = "error",
    level: float | str = 0.95,
    folds: int | None = None,
    rng: Seed = None,
    baseline: str | None = None,
    case_costs: CaseCostsLike | None = None,
    harm: Mapping[str, float] | None = None,
) -> Evaluation: ...


@overload
def evaluate(
    y: str | EventBy,
    predictions: Iterable[str] | Mapping[str, str],
    decision: DecisionLike,
    *,
    data: object,
    weight: str | None = None,
    group: str | None = None,
    cluster: str | None = None,
    key: str | None = None,
    repeat: str | None = None,
    pos_label: object = None,
    on_missing: str = "error",
    in_memory: int = 1_000_000,
    level: float | str = 0.95,
    folds: int | None = None,
    rng: Seed = None,
    baseline: str | None = None,
    case_costs: CaseCosts | None = None,
    harm: Mapping[str, float] | None = None,
) -> Evaluation: ...


def evaluate(
    y: Any,
    predictions: Any,
    decision: DecisionLike,
    *,
    data: object = None,
    weight: Any = None,
    group: Any = None,
    cluster: Any = None,
    key: str | None = None,
    repeat: Any = None,
    pos_label: object = None,
    on_missing: str = "error",
    in_memory: int = 1_000_000,
    level: float | str = 0.95,
    folds: int | None = None,
    rng: Seed = None,
    baseline: str | None = None,
    case_costs: Any = None,
    harm: Mapping[str, float] | None = None,
) -> Evaluation:
    """Rank models by their expected cost under a decision, with intervals, and explain the ranking.

    Models are ranked by their expected regret, the cost of their mistakes averaged over the stated costs.
    Acting on everyone and on no one are ranked with them, since a model that is no better is not needed.

    - Under another prevalence, cases are reweighted and scores corrected for it.
    - Under limits, each model uses the best threshold that they allow at each cost, chosen on the same cases: that
      is optimistic, most for models with many different scores. With `folds`, thresholds are evaluated on other
      cases than they were chosen on; so is what recalibration would save.
    - With ``on_missing="drop"``, models are compared on the cases that all of them have a score for; a finding says how
      many were dropped, and why.

    The cases are arrays, or columns of `data`, which are named. A frame that is in memory already (pandas, polars,
    PyArrow tables), or has no more cases than `in_memory`, is read. The cases of any other stay where they are; only
    tables move, and the sums that intervals need.

    - The numbers are those of the same arrays, to rounding.
    - So are intervals and differences, weighted or not: a second pass adds up powers of the influence of each case,
      looked up in at most 65,536 rows of each table. At one single cost, arrays allow for kinds of disagreement that
      were not seen; with that many cases the allowance is negligible, and frames omit it.
    - With clusters, under limits, and with `case_costs` at another prevalence, the second pass draws 1,000 Poisson
      replicates where the cases are, as `frames.replicates` does, and intervals are basic ones. Cases without clusters
      need a `key` for that.
    - Findings that compare two models at other costs than those stated, or in groups, or a model with a reference that
      is not the best, would take another pass each for their intervals, and are left out.

    Parameters
    ----------
    y : array-like, EventBy or str
        Outcome of each case: 0 or 1, or booleans; any two labels when `pos_label` names the positive one. With `data`,
        the column that holds it, or an `EventBy` of columns: ``EventBy("years", "status", 5)``.
    predictions : mapping or list of str
        Name of each model and its scores, one for each case; a data frame of pandas or polars, or a PyArrow table, with
        a column per model is also accepted.
        With `data`, the columns, or a mapping from models to columns.
    decision : Decision, or belief, number or words, such as "5%..20%"
        Costs, prevalence and limits; a belief about the costs alone is also accepted.
    data : data frame, DataFile or path, keyword-only, optional
        Where the columns are: pandas, polars (eager or lazy), PyArrow (table or dataset), DuckDB, Dask, PySpark, or
        another frame that narwhals knows; or a file, see `stakes.frames.open_file`.
    weight : array-like or str, keyword-only, optional
        Weight of each case, not negative; 0 means that it is absent.
    group : array-like or str, keyword-only, optional
        Group label of each case; models are evaluated in each group, and compared with each other as by
        `stakes.uncertainty.compare_groups`; groups are compared with the largest. Cases without a label are the group
        ``"(missing)"``; at least one has a label.
    cluster : array-like or str, keyword-only, optional
        Cluster label of each case; cases with the same label (one patient, one hospital) are not independent.
    key : str, keyword-only, optional
        Column that tells the cases apart, such as a number of the row; only needed under limits, and with `case_costs`
        at another prevalence, where the cases stay where they are and there is no `cluster`.
    repeat : array-like or str, keyword-only, optional
        Label of the repeat of each row, for out-of-fold predictions of a repeated cross-validation: every case has one
        row in each repeat. Estimates and ends of intervals are means over the repeats. (The mean of the predictions
        of a case is another model, which looks better than each of those that it averages.)
    pos_label : object, keyword-only, optional
        The label of a positive, when the outcomes are not 0 and 1.
    on_missing : {"error", "drop"}, keyword-only
        Whether cases that miss an outcome, a weight, a cluster or a score of any model are refused, or left out with a
        warning that says how many (`stakes.frames.DroppedRowsWarning`) and a finding. A missing group is a group.
    in_memory : int, keyword-only
        Largest number of cases of `data` that is read into memory.
    level : float or words, such as "90%", keyword-only
        Confidence level.
    folds : int, keyword-only, optional
        Number of cross-fitting folds: thresholds and recalibration are learnt on all folds but the one they are
        evaluated on; in-sample unless given. With `case_costs` both are of the stake-adjusted score. Not for cases that
        stay where they are.
    rng : int, Generator or SeedSequence, keyword-only, optional
        Seed or generator; the same numbers each time unless given.
    baseline : str, keyword-only, optional
        Model, or ``"act on everyone"`` or ``"act on no one"``, with which all are compared on the same cases, such as
        the one in use; only with the best unless given.
    case_costs : CaseCosts or array-like, keyword-only, optional
        Costs of each case. Models are then ranked by money per case, ``"amounts alone"`` with them, limits count cases,
        and the costs of the decision are multipliers: ``"as stated"``, ``"x0.5..x2"`` or `IndependentCosts`. With
        `data`, `CaseCosts` of numbers and columns, such as ``CaseCosts(false_negative="amount", false_positive=5)``.
    harm : mapping of str to float, keyword-only, optional
        Harm of the test that a model needs, by model, which is done on every case: in misses per case, so that 0.01
        means that one would do 100 tests to find one positive, and each case costs 0.01 times the mean cost of a miss
        more; where costs are money, in money per case. Models that are not named, and references, have none. Not
        with several actions or horizons, or for cases that stay where they are.

    Returns
    -------
    Evaluation
        The ranking, its intervals and findings; print it, or save it as a report.

    See Also
    --------
    evaluate_tables : The same from tables, without cases.

    Examples
    --------
    >>> from stakes import Decision, Uniform, evaluate
    >>> from stakes.datasets import load_cohort
    >>> cohort = load_cohort()
    >>> evaluation = evaluate(cohort["cancer"], {"marker": cohort["cancerpredmarker"]}, Decision(Uniform(0.05, 0.2)))
    >>> evaluation.best.model, round(1000 * evaluation.best.regret.estimate, 1)
    ('marker', 48.8)

    Columns of a data frame:

    >>> import polars as pl
    >>> frame = pl.LazyFrame({"died": [0, 1, 0, 1, 0, 0], "old": [0.4, 0.3, 0.5, 0.6, 0.2, 0.1],
    ...                       "new": [0.1, 0.8, 0.3, 0.6, 0.2, 0.1]})
    >>> [standing.model for standing in evaluate("died", ["old", "new"], "20%..50%", data=frame).ranking]
    ['new', 'old', 'act on no one', 'act on everyone']
    """
    stated, drop = as_decision(decision, case_costs=case_costs is not None), droppable(on_missing)
    _check.whole_number("in_memory", in_memory, 0)
    source: Source
    if data is None:
        if key is not None:
            raise InputError("key", ("be left out where there is no ", Argument("data")), _check.show(key))
        others = {"weight": weight, "group": group, "cluster": cluster, "repeat": repeat, "pos_label": pos_label}
        if case_costs is not None:
            others["case_costs"], stated = as_case_costs("case_costs", case_costs), with_case_costs(stated)
        source = source_of_columns(FrameColumns(outcome=y, predictions=predictions, **others), drop=drop)
    else:
        from stakes.frames import model_columns

        if case_costs is not None:
            stated = with_case_costs(stated)
        models, costs = model_columns("predictions", predictions), costs_by_column(case_costs, y)
        labels = {"group": group, "cluster": cluster, "key": key, "repeat": repeat}
        roles = Roles.of(y, predictions=models, weight=weight, pos_label=pos_label, costs=costs, **labels)
        source = as_source(data, roles, drop=drop, in_memory=in_memory, resampled=stated.is_resampled, rng=rng)
    if drop:
        from stakes.frames import by_column, warn_of_dropped

        warn_of_dropped(by_column(source.facts.dropped))
    return evaluate_source(source, stated, level=level, folds=folds, rng=rng, baseline=baseline, harm=harm)


def evaluate_tables(
    tables: Mapping[str, ScoreTable],
    decision: DecisionLike,
    *,
    groups: Mapping[str, Mapping[str, ScoreTable]] | None = None,
    level: float | str = 0.95,
    baseline: str | None = None,
) -> Evaluation:
    """Rank models by their expected cost under a decision, from their tables alone.

    Tables can be pooled over sites without pooling people, and are small where the data are large. They do not
    record which cases the models share, so that differences between models have no interval here. The intervals of
    single models take each unit of weight for one independent case; where some cases were not followed to the horizon
    there are none, since a table does not record who left when.

    Parameters
    ----------
    tables : mapping of str to ScoreTable
        The table of each model, on the same cases.
    decision : Decision, or belief, number or words, such as "5%..20%"
        Costs, prevalence and limits; a belief about the costs alone is also accepted.
    groups : mapping of str to mapping, keyword-only, optional
        For each group of the cases, the tables of the models in it.
    level : float or words, such as "90%", keyword-only
        Confidence level.
    baseline : str, keyword-only, optional
        Model, or ``"act on everyone"`` or ``"act on no one"``, with which all are compared; the differences have no
        interval here. They are to the best unless given.

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
    stated = as_decision(decision)
    named = check_tables(tables)
    inside = {} if groups is None else check_groups(groups, tuple(named), "groups")
    return evaluate_source(TableSource(named, inside), stated, level=level, baseline=baseline)

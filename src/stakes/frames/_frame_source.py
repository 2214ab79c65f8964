"""Evaluate models on the cases of any frame: in memory, or where the cases are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from stakes import _check
from stakes._arrays import FloatArray
from stakes._errors import Argument, InputError
from stakes.beliefs import as_share
from stakes.evaluation import (
    Decision,
    DecisionLike,
    Evaluation,
    Facts,
    Group,
    Sure,
    as_decision,
    assembled,
    compared_groups,
    evaluate,
    group_labels,
    groups_of_tables,
    is_allowed,
    measure,
    quietly,
    reference_names,
    reference_tables,
    unlimited,
)
from stakes.evaluation.findings import findings
from stakes.frames._collect import Arrays, collected
from stakes.frames._frame import Parts, model_columns
from stakes.frames._frame_cases import read_cases
from stakes.frames._frame_replicates import drawn, drawn_by_group, paired
from stakes.frames._frame_tables import ON_MISSING, FrameTables, tables_of
from stakes.frames._moments import Joint, Units
from stakes.frames._prepare import Prepared, prepare, probabilities
from stakes.frames._workers import ByGroup, added
from stakes.measures import expected_regret
from stakes.table import ScoreTable
from stakes.uncertainty import Interval, rank_probabilities, recognise


def evaluate_frame(
    frame: object,
    outcome: str,
    predictions: Iterable[str] | Mapping[str, str],
    decision: DecisionLike,
    *,
    weight: str | None = None,
    group: str | None = None,
    cluster: str | None = None,
    key: str | None = None,
    in_memory: int = 1_000_000,
    on_missing: str = "error",
    pos_label: object = None,
    level: float | str = 0.95,
    rng: int = 0,
) -> Evaluation:
    """Rank models by what they cost under a decision, on the cases of a data frame, wherever these are.

    It is `evaluate` of the same columns: a frame that is in memory already (pandas, polars, PyArrow tables), or has no
    more cases than `in_memory`, is handed to it. The cases of any other stay where they are; only tables move, and sums
    that say how sure the numbers are.

    - The numbers are those of `evaluate`, to rounding.
    - So are intervals and differences, weighted or not: a second pass adds up powers of what each case moves the
      numbers by, looked up in at most 65,536 rows of each table. At one single cost `evaluate` allows for kinds of
      disagreement that were not seen; with that many cases nothing is left of it, and here it is not done.
    - With clusters, or under limits, the second pass draws 1,000 Poisson replicates where the cases are, as
      `replicates_from_frame` does, and intervals are basic ones. Cases without clusters need a `key` for that.

    Parameters
    ----------
    frame : data frame
        pandas, polars (eager or lazy), PyArrow (table or dataset), DuckDB, Dask, PySpark, or another that narwhals
        knows; or a file, see `stakes.frames.open_file`.
    outcome : str
        Column of outcomes: 0 and 1, or truth values; any two labels when `pos_label` names the positive one.
    predictions : list of str, or mapping
        Column of each model's probabilities; a mapping gives the models names of their own.
    decision : Decision, or belief, number or words, such as "5%..20%"
        What is at stake; a belief about the costs alone is a decision without more.
    weight : str, keyword-only, optional
        Column of weights, finite and not negative; 0 means that a case is absent.
    group : str, keyword-only, optional
        Column of labels; models are judged in each group, and compared with the largest.
    cluster : str, keyword-only, optional
        Column of labels; cases with the same label (one patient, one hospital) are not independent.
    key : str, keyword-only, optional
        Column that tells the cases apart, such as a number of the row; only needed under limits, where the cases stay
        where they are and there is no `cluster`.
    in_memory : int, keyword-only
        Up to how many cases are read into memory.
    on_missing : {"error", "drop"}, keyword-only
        Whether rows with missing values are refused, or left out with a warning that says how many (`DroppedRows`).
    pos_label : object, keyword-only, optional
        The label of a positive, when the outcomes are not 0 and 1.
    level : float or words, such as "90%", keyword-only
        How often intervals like these shall hold the truth.
    rng : int, keyword-only
        Where the random numbers start; another number gives other replicates.

    Returns
    -------
    Evaluation
        The ranking, its intervals and findings; print it, or save it as a report.

    See Also
    --------
    evaluate : The same from arrays.

    Examples
    --------
    >>> import polars as pl
    >>> from stakes.frames import evaluate_frame
    >>> frame = pl.LazyFrame({"died": [0, 1, 0, 1, 0, 0], "old": [0.4, 0.3, 0.5, 0.6, 0.2, 0.1],
    ...                       "new": [0.1, 0.8, 0.3, 0.6, 0.2, 0.1]})
    >>> found = evaluate_frame(frame, "died", ["old", "new"], "20%..50%")
    >>> [standing.model for standing in found.ranking]
    ['new', 'old', 'act on no one', 'act on everyone']
    """
    stated, confidence = as_decision(decision), as_share("level", level, open_ends=True)
    _check.known("on_missing", on_missing, ON_MISSING)
    _check.whole("in_memory", in_memory, 0)
    _check.whole("rng", rng, 0)
    called = {"scores": "predictions"} if cluster is not None else {"scores": "predictions", "cluster": "key"}
    columns = model_columns("predictions", predictions)
    label = key if cluster is None else cluster
    parts = Parts(outcome, columns, weight, group, label, pos_label=pos_label, called=called)
    prepared = probabilities(prepare(frame, parts))
    if _fits(prepared, in_memory):
        return _read(prepared, stated, on_missing, clustered=cluster is not None, level=confidence, rng=rng)
    if stated.limits is not None and label is None:
        raise InputError(
            "key",
            (
                "name the column that tells cases apart, where there are limits and more cases than ",
                Argument("in_memory"),
                " allows",
            ),
            "none",
        )
    return _where_they_are(prepared, stated, on_missing, clustered=cluster is not None, level=confidence, rng=rng)


def _fits(prepared: Prepared, in_memory: int) -> bool:
    """Whether the rows are in memory, or few enough to be read into it."""
    import narwhals as nw

    if isinstance(prepared.frame, nw.DataFrame):
        return True
    with prepared.reading():
        return int(collected(prepared.frame.select(count=nw.len()))["count"][0]) <= in_memory


def _read(
    prepared: Prepared, decision: Decision, on_missing: str, *, clustered: bool, level: float, rng: int
) -> Evaluation:
    """Read the columns and hand them over; rows that were left out by then are counted in."""
    columns = read_cases(prepared, on_missing)
    made = evaluate(
        columns.y,
        columns.predictions,
        decision,
        weight=columns.weight,
        group=columns.group,
        cluster=columns.cluster if clustered else None,
        level=level,
        rng=rng,
    )
    made = replace(made, sample=replace(made.sample, left_out=_without_scores(prepared, columns.dropped)))
    return replace(made, findings=findings(made))


def _without_scores(prepared: Prepared, dropped: Mapping[str, int]) -> int:
    """How many rows were left out for nothing but a score that is missing."""
    return sum(dropped.get(column, 0) for column in set(prepared.parts.scores.values()))


def _where_they_are(
    prepared: Prepared, decision: Decision, on_missing: str, *, clustered: bool, level: float, rng: int
) -> Evaluation:
    """Make tables and sums on the workers, and an evaluation of these."""
    tables = tables_of(prepared, on_missing)
    if tables.groups:
        group_labels(np.array(list(tables.groups)), len(tables.groups))  # refuses too many
    with quietly():
        sample = Sample.of(prepared, tables)
        everything = reference_tables(reference_names(tables), tables)
        references = {name: table for name, table in everything.items() if is_allowed(table, decision)}
        by_formula = decision.limits is None and not clustered
        sure = (sure_by_formula if by_formula else sure_by_replicates)(sample, references, decision, level, rng)
        facts = _facts(sample, clusters=sample.clusters() if clustered else None)
        groups = _groups(sample, decision, level, rng, clustered=clustered)
        return assembled(decision, facts, tables.tables, everything, sure, groups, level)


def _facts(sample: Sample, clusters: int | None) -> Facts:
    table = next(iter(sample.tables.values()))
    weighted = sample.prepared.parts.weight is not None
    left_out = _without_scores(sample.prepared, sample.tables.dropped)
    return Facts(sample.units.cases, table.total, table.prevalence, weighted, clusters, left_out)


def _groups(sample: Sample, decision: Decision, level: float, rng: int, *, clustered: bool) -> dict[str, Group]:
    groups = sample.tables.groups
    if not groups:
        return {}
    if not clustered and sample.prepared.parts.weight is None:
        return groups_of_tables(groups, decision, level)
    sure = resampled_groups(sample, decision, level, rng) if clustered else intervals_of_groups(sample, decision, level)
    return compared_groups(
        {name: (sample.units_of_groups[name].cases, groups[name], sure[name]) for name in groups}, decision
    )


_REPLICATES, _ROWS, _ROWS_OF_A_GROUP = 1000, 512, 64  # how many, and of how many rows


Tables = Mapping[str, ScoreTable]


@dataclass(frozen=True)
class Sample:
    """A prepared frame, its tables, and how many cases there are, all together and in each group."""

    prepared: Prepared
    tables: FrameTables
    units: Units
    units_of_groups: dict[str, Units]

    @classmethod
    def of(cls, prepared: Prepared, tables: FrameTables) -> Sample:
        """Count the cases that weigh anything: tables know how many where each weighs 1."""
        if prepared.parts.weight is None:
            groups = {name: _units(group) for name, group in tables.groups.items()}
            return cls(prepared, tables, _units(tables), groups)
        return cls(prepared, tables, *_counted(prepared))

    def clusters(self) -> int:
        """Count the clusters with cases that weigh anything."""
        import narwhals as nw

        labels = self.prepared.usable("cluster").filter(nw.col("weight") > 0).select("cluster").unique()
        with self.prepared.reading():
            return int(collected(labels.select(nw.len().alias("count")))["count"][0])


def _units(tables: Tables) -> Units:
    table = next(iter(tables.values()))
    return Units(round(table.total), round(table.positive_total))


def _counted(prepared: Prepared) -> tuple[Units, dict[str, Units]]:
    import narwhals as nw

    labels = ["group"] if prepared.parts.group is not None else []
    here = prepared.usable(*labels).filter(nw.col("weight") > 0)
    with prepared.reading():
        found = collected(here.group_by("outcome", *labels).agg(nw.len().alias("count")))
    if not labels:
        return _added(found, slice(None)), {}
    names = np.array([str(label) for label in found["group"].tolist()], dtype=object)
    return _added(found, slice(None)), {str(name): _added(found, names == name) for name in set(names.tolist())}


def _added(found: Arrays, rows: slice | np.ndarray[tuple[int], np.dtype[np.bool_]]) -> Units:
    count, positive = found["count"][rows], found["outcome"][rows] == 1
    return Units(int(count.sum()), int(count[positive].sum()))


# ------------------------------------------------------------------------------------------- by formula


def sure_by_formula(sample: Sample, references: Tables, decision: Decision, level: float, rng: int) -> Sure:
    """Judge models where the ranked number is a mean: one more pass adds up what each case moves it by."""
    ranked = measure(decision)
    known = recognise(ranked)
    assert known is not None  # without limits it is one of our own
    tables = {**sample.tables, **references}
    joint = Joint(known, {name: float(ranked(table)) for name, table in tables.items()}, tables, sample.units)
    with sample.prepared.reading():
        sums = added(sample.prepared.usable(), joint.moments())
    chances = joint.probability_best(sums, _check.generator(rng))
    return Sure(joint.intervals(sums, level), joint.differences(sums, level), chances)


def intervals_of_groups(sample: Sample, decision: Decision, level: float) -> dict[str, dict[str, Interval]]:
    """Judge the models in each group, where cases weigh differently: one more pass for all of them."""
    ranked = partial(expected_regret, costs=decision.costs)
    known = recognise(ranked)
    assert known is not None
    joints = {
        name: Joint(
            known, {model: ranked(table) for model, table in group.items()}, group, sample.units_of_groups[name]
        )
        for name, group in sample.tables.groups.items()
    }
    moments = ByGroup({name: joint.moments() for name, joint in joints.items()})
    with sample.prepared.reading():
        sums = added(sample.prepared.usable("group"), moments)
    parts = np.split(sums, len(joints))
    return {name: joint.intervals(part, level) for (name, joint), part in zip(joints.items(), parts, strict=True)}


# ------------------------------------------------------------------------------------------- by replicates


def sure_by_replicates(sample: Sample, references: Tables, decision: Decision, level: float, seed: int) -> Sure:
    """Judge models where cases come in clusters, or limits choose the cuts: resample on the workers."""
    replicates = drawn(sample.prepared, sample.tables, _REPLICATES, _ROWS, seed)
    both, plain = replicates.with_constants(references), unlimited(decision)
    intervals, values = both.interval(plain, level=level), both.values(plain)
    if decision.limits is not None:
        # Who acts on everyone, or on no one, chooses no cut: limits change nothing there.
        intervals |= replicates.interval(measure(decision), level=level)
        values |= replicates.values(measure(decision))
    best = Sure(intervals, {}, {}).order[0]
    differences = {
        name: paired(
            name,
            best,
            intervals[name].estimate - intervals[best].estimate,
            values[name] - values[best],
            smaller_is_better=True,
            level=level,
        )
        for name in intervals
        if name != best
    }
    gains: FloatArray = -np.column_stack(list(values.values()))
    chances = rank_probabilities(gains[np.isfinite(gains).all(axis=1)])[:, 0]
    return Sure(intervals, differences, dict(zip(values, chances.tolist(), strict=True)))


def resampled_groups(sample: Sample, decision: Decision, level: float, seed: int) -> dict[str, dict[str, Interval]]:
    """Judge the models in each group, where cases come in clusters: one more pass for all of them."""
    ranked = partial(expected_regret, costs=decision.costs)
    found = drawn_by_group(sample.prepared, sample.tables, _REPLICATES, _ROWS_OF_A_GROUP, seed)
    return {name: replicates.interval(ranked, level=level) for name, replicates in found.items()}

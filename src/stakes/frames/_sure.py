"""How sure an evaluation of a frame is, where its cases stay where they are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

import numpy as np

from stakes import _check
from stakes._check import FloatArray
from stakes.decision import Decision
from stakes.decision._measure import measure, unlimited
from stakes.decision._sure import Sure
from stakes.frames._collect import Arrays, collected
from stakes.frames._moments import Joint, Units
from stakes.frames._prepare import Prepared
from stakes.frames._replicates import drawn, drawn_by_group, paired
from stakes.frames._tables import FrameTables
from stakes.frames._workers import ByGroup, added
from stakes.scores import expected_regret
from stakes.table import ScoreTable
from stakes.uncertainty import Interval
from stakes.uncertainty._known import recognise
from stakes.uncertainty._rank import rank_probabilities

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

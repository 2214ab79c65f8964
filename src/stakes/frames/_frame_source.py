"""Sources of evaluations from frames; cases stay where they are, and only tables and sums move."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from stakes._arrays import BoolArray, FloatArray
from stakes._cost_columns import as_written
from stakes._errors import Argument, InputError
from stakes._facts import SampleFacts, kish
from stakes._groups import check_groups, group_name
from stakes._roles import FrameColumns, Roles
from stakes.frames._draw_replicates import draw, draw_by_group
from stakes.frames._frame import Arrays, collect
from stakes.frames._frame_cases import read_cases
from stakes.frames._frame_replicates import FrameReplicates
from stakes.frames._frame_studies import FrameStudy, Measures, ReplicateStudy, Tables, analytic_forms
from stakes.frames._frame_tables import FrameTables, make_tables
from stakes.frames._moments import JointMoments, Units
from stakes.frames._prepare import PreparedFrame, prepare, probabilities
from stakes.frames._stake_expressions import stake_totals, with_stakes
from stakes.frames._workers import ByGroup, add_up
from stakes.table import ScoreTable, constant_table
from stakes.uncertainty import TableStudy

_REPLICATES, _ROWS, _ROWS_OF_A_GROUP = 1000, 512, 64  # how many, and of how many rows


@dataclass(frozen=True, eq=False)
class FrameSample:
    """A prepared frame, whose tables and counts are computed on first use.

    Rows may miss a value in the roles of `drop`. Replicates start from `seed`.
    """

    prepared: PreparedFrame
    drop: Collection[str]
    seed: int

    @property
    def is_clustered(self) -> bool:
        """Whether cases come in clusters."""
        return self.prepared.roles.cluster is not None

    @property
    def has_stakes(self) -> bool:
        """Whether cases have costs of their own."""
        return bool(self.prepared.roles.costs)

    @cached_property
    def counted(self) -> PreparedFrame:
        """The frame whose rows are added up; with case costs, with stakes and the scores of these alone."""
        if not self.has_stakes:
            return self.prepared
        total = with_stakes(replace(self.prepared, roles=replace(self.prepared.roles, group=None)))
        return with_stakes(self.prepared, stake_totals(total)[""].prevalence)

    @cached_property
    def tables(self) -> FrameTables:
        """The table of each model, all cases together and by group."""
        tables = make_tables(self.counted, self.drop)
        check_groups(tables.groups)
        return tables

    @cached_property
    def units(self) -> Units:
        """Numbers of cases with positive weight."""
        return _units(self.tables) if self.prepared.roles.weight is None else self._counted[0]

    @cached_property
    def units_of_groups(self) -> dict[str, Units]:
        """Numbers of cases of each group with positive weight; tables hold them where every weight is 1."""
        if self.prepared.roles.weight is None:
            return {name: _units(group) for name, group in self.tables.groups.items()}
        return self._counted[1]

    @cached_property
    def _counted(self) -> tuple[Units, dict[str, Units]]:
        import narwhals as nw

        labels = ["group"] if self.prepared.roles.group is not None else []
        here = self.counted.usable(*labels).filter(nw.col("weight") > 0)
        share = nw.col("weight") / next(iter(self.tables.values())).cases  # whose squares stay finite
        sums = nw.len().alias("count"), nw.col("share").sum(), nw.col("square").sum()
        with self.prepared.reading():
            shares = here.with_columns(share=share).with_columns(square=nw.col("share") * nw.col("share"))
            found = collect(shares.group_by("outcome", *labels).agg(*sums))
        if not labels:
            return _units_in(found, slice(None)), {}
        names = np.array([group_name(label) for label in found["group"].tolist()], dtype=object)
        return _units_in(found, slice(None)), {
            str(name): _units_in(found, names == name) for name in set(names.tolist())
        }

    @cached_property
    def clusters(self) -> int | None:
        """Number of clusters with positive weight; None without clusters."""
        import narwhals as nw

        if not self.is_clustered:
            return None
        labels = self.prepared.usable("unit").filter(nw.col("weight") > 0).select("unit").unique()
        with self.prepared.reading():
            return int(collect(labels.select(nw.len().alias("count")))["count"][0])

    @cached_property
    def facts(self) -> SampleFacts:
        """Size and prevalence of the sample, and the rows dropped."""
        table, roles = next(iter(self.tables.values())), self.prepared.roles
        dropped = {roles.argument(column): count for column, count in self.tables.dropped.items()}
        weighted = roles.weight is not None
        units, known = self.units, (weighted, self.clusters, dropped, True)
        counts = units.positive, units.effective, self.prepared.notes
        costs = {name: as_written(cost) for name, cost in roles.costs.items()}
        return SampleFacts(units.cases, table.cases, table.prevalence_of_cases, *known, *counts, case_costs=costs)


def _units(tables: Tables) -> Units:
    table = next(iter(tables.values()))
    positive_total = table.positive_total if table.heads is None else table.heads.positive_total
    cases, positive = round(table.cases), round(positive_total)
    return Units(cases, positive, (float(positive), float(cases - positive)))


def _units_in(found: Arrays, rows: slice | np.ndarray[tuple[int], np.dtype[np.bool_]]) -> Units:
    count, positive = found["count"][rows], found["outcome"][rows] == 1
    share, square = (np.asarray(found[name][rows], dtype=np.float64) for name in ("share", "square"))

    def effective(one: BoolArray) -> float:
        squares = float(square[one].sum())  # 0 where they are too small for a float
        return kish(float(share[one].sum()), squares) if squares > 0 else float(count[one].sum())

    return Units(int(count.sum()), int(count[positive].sum()), (effective(positive), effective(~positive)))


@dataclass(frozen=True, eq=False)
class FrameSource:
    """The cases of a frame, and models that give each of them one score."""

    sample: FrameSample
    constants: Tables = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        frame: object,
        roles: Roles,
        *,
        drop: Collection[str] = (),
        seed: int = 0,
        called: Mapping[str, str] | None = None,
    ) -> FrameSource:
        """Prepare a frame or a file; nothing but its columns is looked at yet."""
        return cls(FrameSample(probabilities(prepare(frame, roles, called, drop)), drop, seed))

    def fits(self, in_memory: int) -> bool:
        """Whether the rows are in memory, or few enough to be read into it."""
        import narwhals as nw

        frame = self.sample.prepared.frame
        if isinstance(frame, nw.DataFrame):
            return True
        with self.sample.prepared.reading():
            return int(collect(frame.select(count=nw.len()))["count"][0]) <= in_memory

    def read(self) -> FrameColumns:
        """Read the columns into memory."""
        return read_cases(self.sample.prepared, self.sample.drop)

    @property
    def facts(self) -> SampleFacts:
        """Size and prevalence of the sample, and the rows dropped."""
        return self.sample.facts

    @property
    def tables(self) -> dict[str, ScoreTable]:
        """The table of each model."""
        hidden = () if self.constants else self.sample.counted.further  # of cases alone, which are no model
        return {name: one for name, one in {**self.sample.tables, **self.constants}.items() if name not in hidden}

    @property
    def amounts_alone(self) -> dict[str, ScoreTable]:
        """The table of acting by the costs of each case and the prevalence alone; none without case costs."""
        return {name: self.sample.tables[name] for name in self.sample.counted.further}

    def groups(self) -> dict[str, FrameGroup]:
        """Return the cases of each group; one more pass serves the studies of all."""
        shared = GroupPass(self.sample)
        return {name: FrameGroup(self.sample, name, shared) for name in self.sample.tables.groups}

    def with_constants(self, scores: Mapping[str, float]) -> FrameSource:
        """Add models that give every case one score."""
        first, further = next(iter(self.sample.tables.values())), self.sample.counted.further
        constants = {name: constant_table(first, at) for name, at in scores.items() if name not in further}
        return replace(self, constants=constants)

    def study(self, measures: Measures) -> FrameStudy | ReplicateStudy:
        """Study a measure of each model, analytically or, for clusters and other measures, by replicates."""
        forms = analytic_forms(measures)
        if self.sample.is_clustered or forms is None:
            return ReplicateStudy(measures, self.tables, self.sample.units, self._replicates)
        return FrameStudy(measures, forms, self.tables, self.sample.units, self._sums)

    def _replicates(self) -> FrameReplicates:
        sample = self.sample
        return draw(sample.counted, sample.tables, _REPLICATES, _ROWS, sample.seed).with_constants(self.constants)

    def _sums(self, joint: JointMoments, baseline: str) -> FloatArray:
        with self.sample.prepared.reading():
            return add_up(self.sample.counted.usable(), joint.moments(baseline))

    def cross_fitted(
        self, learn: object, folds: int, rng: np.random.Generator, prevalence: float | None = None
    ) -> FrameSource:
        """Raise, since cases that stay where they are cannot be dealt into folds."""
        wanted = ("be left out with more cases than ", Argument("in_memory"), " allows")
        raise InputError("folds", wanted, str(folds))


# ------------------------------------------------------------------------------------------- groups


@dataclass(frozen=True, eq=False)
class FrameGroup:
    """The cases of one group of a frame."""

    sample: FrameSample
    name: str
    shared: GroupPass

    @property
    def tables(self) -> dict[str, ScoreTable]:
        """The table of each model in the group."""
        found, further = self.sample.tables.groups[self.name], self.sample.counted.further
        return {model: table for model, table in found.items() if model not in further}

    @property
    def facts(self) -> SampleFacts:
        """Size and prevalence of the group."""
        table, weighted = next(iter(self.tables.values())), self.sample.prepared.roles.weight is not None
        units = self.sample.units_of_groups[self.name]
        sizes = units.cases, table.cases, table.prevalence_of_cases, weighted
        return SampleFacts(*sizes, positive_cases=units.positive, effective_cases=units.effective)

    def study(self, measures: Measures) -> FrameStudy | ReplicateStudy | TableStudy:
        """Study a measure of each model; without clusters and weights the tables suffice."""
        forms = analytic_forms(measures)
        if self.sample.is_clustered or forms is None:
            units = self.sample.units_of_groups[self.name]
            return ReplicateStudy(measures, self.tables, units, lambda: self.shared.replicates[self.name])
        if self.sample.prepared.roles.weight is None and not self.sample.has_stakes:
            return TableStudy(self.tables, measures, better="smaller")
        units = self.sample.units_of_groups[self.name]
        study = FrameStudy(
            measures, forms, self.tables, units, lambda _, baseline: self.shared.sums_of(self.name, baseline)
        )
        self.shared.expect(self.name, study.joint)
        return study


class GroupPass:
    """One pass over the cases that serves every group that has announced a study."""

    def __init__(self, sample: FrameSample) -> None:
        self.sample = sample
        self._expected: dict[str, JointMoments] = {}
        self._sums: dict[tuple[str, str], FloatArray] = {}

    def expect(self, name: str, joint: JointMoments) -> None:
        """Announce the study of a group; the sums of an earlier one are forgotten."""
        self._expected[name] = joint
        self._sums = {key: sums for key, sums in self._sums.items() if key[0] != name}

    def sums_of(self, name: str, baseline: str) -> FloatArray:
        """Return the sums of a group against a baseline, from a pass that adds up those of all groups."""
        if (name, baseline) not in self._sums:
            baselines = {one: baseline if one == name else joint.least for one, joint in self._expected.items()}
            moments = {one: self._expected[one].moments(other) for one, other in baselines.items()}
            with self.sample.prepared.reading():
                sums = add_up(self.sample.counted.usable("group"), ByGroup(moments))
            ends = np.cumsum([one.size for one in moments.values()])[:-1]
            self._sums |= dict(zip(baselines.items(), np.split(sums, ends), strict=True))
        return self._sums[name, baseline]

    @cached_property
    def replicates(self) -> dict[str, FrameReplicates]:
        """Replicates of the cases of each group."""
        sample = self.sample
        return draw_by_group(sample.counted, sample.tables, _REPLICATES, _ROWS_OF_A_GROUP, sample.seed)

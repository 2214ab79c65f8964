"""Tables alone as a source for an evaluation, and what tables of the same cases must agree in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from stakes import _check
from stakes._errors import Argument, InputError, InputTypeError, Name
from stakes._facts import SampleFacts
from stakes.evaluation._ranked import Learn
from stakes.measures import MeasureLike
from stakes.table import ScoreTable, constant_table
from stakes.uncertainty import TableStudy


@dataclass(frozen=True, eq=False)
class TableSource:
    """Tables of the same cases, overall and by group; pairs of cases are not known.

    Parameters
    ----------
    tables : mapping of str to ScoreTable
        The table of each model, all of the same cases.
    tables_by_group : mapping of str to mapping, optional
        For each group of the cases, the tables of the models in it.

    Examples
    --------
    >>> from stakes import score_table
    >>> from stakes.evaluation import TableSource
    >>> TableSource({"a": score_table([0, 1, 0], [0.1, 0.8, 0.3])}).facts.cases
    3
    """

    tables: Mapping[str, ScoreTable]
    tables_by_group: Mapping[str, Mapping[str, ScoreTable]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        models = tuple(check_tables(self.tables))
        check_groups(self.tables_by_group, models, "tables_by_group")

    @property
    def facts(self) -> SampleFacts:
        """Numbers of cases and of positives, each unit of weight taken for one case."""
        table = next(iter(self.tables.values()))
        return SampleFacts(round(table.cases), table.cases, table.prevalence_of_cases, has_cases=False)

    def groups(self) -> dict[str, TableSource]:
        """Return the tables of each group."""
        return {name: TableSource(tables) for name, tables in self.tables_by_group.items()}

    def with_constants(self, scores: Mapping[str, float]) -> TableSource:
        """Add tables in which every case has one score, without groups."""
        return replace(self, tables={**self.tables, **constant_tables(scores, self.tables)}, tables_by_group={})

    def study(self, measures: Mapping[str, MeasureLike]) -> TableStudy:
        """Study a measure of each model by itself."""
        return TableStudy(self.tables, measures, better="smaller")

    def cross_fitted(
        self, learn: Learn, folds: int, rng: np.random.Generator, prevalence: float | None = None
    ) -> TableSource:
        """Raise, since tables cannot be split by case."""
        raise InputError("folds", "be left out where there are only tables", str(folds))


def constant_tables(scores: Mapping[str, float], tables: Mapping[str, ScoreTable]) -> dict[str, ScoreTable]:
    """Return the table of each constant score, on the cases of other tables."""
    first = next(iter(tables.values()))
    return {name: constant_table(first, score) for name, score in scores.items()}


def check_tables(
    tables: Mapping[str, ScoreTable], called: Name = "tables", models: tuple[str, ...] = ()
) -> dict[str, ScoreTable]:
    """Return tables of the same cases by name, for all of `models` where these are given."""
    if not hasattr(tables, "items") or not all(isinstance(name, str) for name in tables):
        raise InputTypeError(called, "map names of models to tables", type(tables).__name__)
    if not tables or set(models) - set(tables):
        wanted = f"the tables of {', '.join(models)}" if models else "the table of at least one model"
        raise InputError(called, f"hold {wanted}", ", ".join(tables) or "none")
    _check.check_tables(called, *tables.values())
    if any(table.has_stakes for table in tables.values()):
        hint = "evaluate the cases themselves, with `evaluate(..., case_costs=...)`"
        raise InputError(called, "be made without case costs", "tables of money", hint=hint)
    (first, one), *others = tables.items()
    for name, table in others:
        here, there = ((t.positive_total, t.negative_total) for t in (table, one))
        if not np.allclose(here, there, atol=0):  # weights may be as small as one likes
            got = " and ".join(
                f"{t.positive_total:g} of {t.total:g} positive in {n!r}" for n, t in ((first, one), (name, table))
            )
            raise InputError(called, "be of the same cases", got)
    return dict(tables)


def check_groups(
    groups: Mapping[str, Mapping[str, ScoreTable]], models: tuple[str, ...], called: str
) -> dict[str, dict[str, ScoreTable]]:
    """Return the tables of each group by name."""
    if not isinstance(groups, Mapping):
        raise InputTypeError(called, "map names of groups to tables by model", type(groups).__name__)
    return {name: check_tables(group, Argument(called, name), models) for name, group in groups.items()}

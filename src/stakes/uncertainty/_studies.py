"""Stand-in."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from stakes.cases import Cases
from stakes.table import ScoreTable
from stakes.uncertainty._compare import Comparison, compare
from stakes.uncertainty._interval import Interval, interval, table_interval
from stakes.uncertainty._joint import Joint, resampled_together
from stakes.uncertainty._known import recognise
from stakes.uncertainty._rank import Ranking, rank

Measures = Mapping[str, Callable[[ScoreTable], float]]


class Study:
    def __init__(self, cases: Cases, measures: Measures, *, better: str | None = None) -> None:
        self.cases, self.measures = cases, measures
        self.first = next(iter(measures.values()))

    def intervals(self, *, level: float, rng: Any = None) -> dict[str, Interval]:
        return interval(self.cases, self.first, level=level, rng=rng)

    def compare(self, a: str, b: str, *, level: float, rng: Any = None) -> Comparison | None:
        return compare(self.cases, a, b, self.first, level=level, rng=rng)

    def rank(self, *, rng: Any = None) -> Ranking:
        return rank(self.cases, self.first, rng=rng)

    @property
    def formula(self) -> bool:
        return all(recognise(one) is not None for one in self.measures.values())

    def resample_together(self, *, level: float, n_resamples: int, rng: Any) -> Joint:
        return resampled_together(self.cases, self.measures, level=level, n_resamples=n_resamples, rng=rng)


class TableStudy:
    def __init__(self, tables: Mapping[str, ScoreTable], measures: Measures) -> None:
        self.tables, self.measures = tables, measures

    def intervals(self, *, level: float, rng: Any = None) -> dict[str, Interval]:
        return {name: table_interval(self.tables[name], one, level=level) for name, one in self.measures.items()}

    def compare(self, a: str, b: str, *, level: float, rng: Any = None) -> None:
        return None

    def rank(self, *, rng: Any = None) -> None:
        return None

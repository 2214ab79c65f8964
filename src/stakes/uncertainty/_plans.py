"""Tables of models to resample, coarse if they are large, and finer ones for the error of that."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from stakes.cases import Cases, is_special
from stakes.uncertainty._dealt import DealtModel, deal, dealt_model, dealt_plan
from stakes.uncertainty._resample import Level, Plan, coarse_levels, fine_levels, plan_of


@dataclass(frozen=True)
class Plans:
    """Plans of resampling some models on the same cases."""

    cases: Cases
    fine: list[Level]
    by_class: bool

    @classmethod
    def of(cls, cases: Cases, models: tuple[str, ...], *, by_class: bool = False, exact: bool = False) -> Plans:
        """Coarsen the tables of models that have very many rows, unless they are to be exact."""
        return cls(cases, fine_levels(cases, models, exact=exact), by_class)

    @property
    def is_coarse(self) -> bool:
        """Whether any table is coarsened."""
        return any(level.group is not None for level in self.fine)

    @cached_property
    def main(self) -> Plan:
        """The plan of the tables to resample."""
        if self._dealt is not None:
            return dealt_plan([model.coarse_model() for model in self._dealt])
        return plan_of(self.cases, self._coarse, by_class=self.by_class)

    @property
    def pairs(self) -> Plan:
        """The plan of the finer tables, then of those to resample, drawn together."""
        if self._dealt is not None:
            return dealt_plan([*(model.fine_model() for model in self._dealt), *self.main.models])
        return plan_of(self.cases, [*self.fine, *self._coarse], by_class=self.by_class)

    @cached_property
    def _coarse(self) -> list[Level]:
        return coarse_levels(self.fine)

    @cached_property
    def _dealt(self) -> list[DealtModel] | None:
        """The models with their cases dealt into groups, if cases are many and tables coarse anyway."""
        whole = self.by_class or not self.is_coarse or self._is_by_cells or is_special(self.cases)
        groups = None if whole else deal(self.cases)
        if groups is None:
            return None
        return [dealt_model(self.cases, *levels, groups) for levels in zip(self.fine, self._coarse, strict=True)]

    @property
    def _is_by_cells(self) -> bool:
        """Whether cells of one table can be drawn, of which there are few."""
        return len(self.fine) == 1 and self.cases.weight is None and self.cases.cluster is None

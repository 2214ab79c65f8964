"""Intervals of money per case from one more pass, which sums powers of what each case pays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from stakes._arrays import FloatArray, blocks
from stakes.frames._frame import Arrays
from stakes.frames._moments import POWERS, JointMoments
from stakes.measures import PerCase
from stakes.uncertainty import Comparison, difference_ends, ends_of, with_unseen_stakes


@dataclass(frozen=True)
class MoneyMoments:
    """A worker's task: sum powers of the influence of some rows on money per case, and on its differences.

    Attributes
    ----------
    forms : tuple of PerCase
        What a case pays under each model, for a stake of 1.
    estimates : tuple of float
        Money per case of each model.
    constants : tuple of float
        The score that a model without a column gives every case.
    people : float
        Weight of all cases.
    best : int
        The model that the others are compared with.
    """

    forms: tuple[PerCase, ...]
    estimates: tuple[float, ...]
    constants: tuple[float, ...]
    people: float
    best: int

    @property
    def size(self) -> int:
        """Number of sums."""
        models = len(self.forms)
        return 2 * models * POWERS + models**2

    def __call__(self, rows: Arrays) -> FloatArray:
        """Return the sums of these rows."""
        sums = np.zeros(self.size)
        for at in blocks(len(rows["outcome"])):
            sums += self._of_block({name: column[at] for name, column in rows.items()})
        return sums

    def _of_block(self, rows: Arrays) -> FloatArray:
        own = np.stack([self._influence(model, rows) for model in range(len(self.forms))])
        moves = np.concatenate([own, own - own[self.best]])
        squares = moves * moves
        powers = [
            squares.sum(axis=1),
            np.einsum("ij,ij->i", squares, moves),
            np.einsum("ij,ij->i", squares, squares),
            squares @ (rows["outcome"] == 1),
        ]
        return np.concatenate([*powers, (own @ own.T).ravel()])

    def _influence(self, model: int, rows: Arrays) -> FloatArray:
        """Return what each case paid, less what its heads pay on average."""
        weight = rows["weight"].astype(np.float64)
        score = rows.get(str(model), np.full(len(weight), self.constants[model]))  # references have no column
        ((lost, alarmed),) = self.forms[model].mean.values(score)
        paid = weight * rows["stake"] * np.where(rows["side"] == 1, lost, alarmed)
        moved: FloatArray = (paid - self.estimates[model] * weight) / self.people
        return moved


@dataclass(frozen=True)
class JointMoney(JointMoments):
    """Money per case of several models on the same cases, with their joint uncertainty."""

    before_products: ClassVar[int] = POWERS

    def moments(self, baseline: str) -> MoneyMoments:  # type: ignore[override]
        """Return the task of the workers, for differences to `baseline`."""
        tables = [self.tables[name] for name in self.estimates]
        forms = tuple(form for form in self.forms.values() if isinstance(form, PerCase))
        constants = tuple(table.lowest for table in tables)
        best = list(self.estimates).index(baseline)
        return MoneyMoments(forms, tuple(self.estimates.values()), constants, tables[0].cases, best)

    def _ends(self, sums: FloatArray, model: str, estimate: float, level: float) -> tuple[float, float]:
        ends = ends_of(self.forms[model], estimate, self._spread(sums, model), level)
        return with_unseen_stakes(ends, estimate, self.forms[model], self.tables[model], level)

    def difference(self, sums: FloatArray, model: str, baseline: str, level: float) -> Comparison:
        """Return the difference of a model to the baseline that the workers added up for."""
        difference = self.estimates[model] - self.estimates[baseline]
        ends, above = difference_ends(difference, self._spread(sums, model, len(self.estimates)), level)
        return Comparison(model, baseline, difference, *ends, 1 - above, "analytic")

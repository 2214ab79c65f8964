"""Tables of scores known up to a bin: small for any number of cases, with bounds for every number."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Self

import numpy as np
import numpy.typing as npt

from stakes import _columns
from stakes._arrays import FloatArray
from stakes._errors import InputError
from stakes.large._bins import UNIT, Bins, BinSums, IntArray, pooled_parts
from stakes.table import ScoreTable, pooled_table

_SMALLEST = float(np.finfo(np.float64).smallest_subnormal)


@dataclass(frozen=True, eq=False, repr=False)
class QuantisedTable:
    """Bins of scores with weights, sums of scores and squares, and extreme scores of each class.

    It stands for a sample that is too large for a table of its own: about a hundred bytes for each bin, however many
    cases. `stakes.bounds` has its numbers, each with an exact lower and upper bound: the number of the sample
    itself is between them. Two plain tables bound whatever else there is (see `optimistic`). Make one with
    `quantise`, or with `QuantisedTable.from_sums` where an engine has added up bin by bin; `merge` pools them.

    Attributes
    ----------
    bins : Bins
        How scores were put into bins.
    bin : ndarray of int64
        The bins that hold something, ascending.
    positive, negative : BinSums
        Sums and extremes of each class, a row for each of these bins.
    whole : bool
        Whether the weights are whole numbers, so that they add up without rounding.

    Examples
    --------
    >>> from stakes import bounds
    >>> from stakes.large import quantise
    >>> table = quantise(y=[0, 1, 1, 0], score=[0.21, 0.72, 0.23, 0.1], bins=16)
    >>> table
    QuantisedTable(3 of 17 bins, weight 4, prevalence 0.5, undecided up to 0)
    >>> bounds.auc(table)  # 0.21 and 0.23 are in one bin, but each class has one score there: the order is known
    Bounded(lower=1.0, estimate=1.0, upper=1.0)
    """

    bins: Bins
    bin: IntArray
    positive: BinSums
    negative: BinSums
    whole: bool

    def __post_init__(self) -> None:
        self.bin.flags.writeable = False

    @classmethod
    def from_sums(
        cls,
        bins: Bins,
        *,
        bin: npt.ArrayLike,  # noqa: A002 - the column is named for what it holds
        positive: npt.ArrayLike,
        cases: npt.ArrayLike,
        score: npt.ArrayLike,
        square: npt.ArrayLike,
        least: npt.ArrayLike,
        most: npt.ArrayLike,
        weight: npt.ArrayLike | None = None,
    ) -> QuantisedTable:
        """Make a table from sums by bin and class, in any order and any number of parts.

        In SQL: ``select bin, positive, count(*), sum(score), sum(score * score), min(score), max(score) ... group
        by bin, positive``, where ``bin`` is ``floor(count * score)`` (see `Bins`), all in double precision. Cases of
        weight 0 are to be left out, for the lowest and the highest score must be those of somebody.

        Parameters
        ----------
        bins : Bins
            How the engine has put scores into bins.
        bin : array-like of int, keyword-only
            The bin of each part.
        positive : array-like, keyword-only
            Whether the part is of positives: 0 or 1, or booleans.
        cases : array-like, keyword-only
            Number of cases of each part.
        score, square : array-like, keyword-only
            Sum of the scores, and of their squares; each times its weight where there are weights.
        least, most : array-like, keyword-only
            The lowest and the highest score.
        weight : array-like, keyword-only, optional
            Sum of the weights; the number of cases when not given.

        Returns
        -------
        QuantisedTable
            The table; parts that weigh nothing are left out.

        Examples
        --------
        >>> from stakes.large import Bins, QuantisedTable, quantise
        >>> table = QuantisedTable.from_sums(
        ...     Bins(4), bin=[0, 2], positive=[0, 1], cases=[2, 1], score=[0.25, 0.5], square=[0.0325, 0.25],
        ...     least=[0.1, 0.5], most=[0.15, 0.5],
        ... )
        >>> table == quantise(y=[0, 1, 0], score=[0.1, 0.5, 0.15], bins=4)
        True
        """
        label, found = _columns.outcome("positive", positive), _columns.counts("bin", bin).astype(np.int64)
        sums = {"cases": cases, "weight": cases if weight is None else weight, "score": score, "square": square}
        columns = {name: _columns.counts(name, column).copy() for name, column in sums.items()}
        for name, column in (("least", least), ("most", most)):
            columns[name] = _columns.probabilities(name, column).astype(np.float64)
        _columns.check_same_length(bin=found, positive=label, **columns)
        parts = BinSums(**columns)
        _check_bins(bins, found, parts)
        _check_sums(parts)
        return QuantisedTable(bins, *pooled_parts(found, label, parts), weight is None)

    @property
    def positive_total(self) -> float:
        """Weight of all positives."""
        return float(self.positive.weight.sum())

    @property
    def negative_total(self) -> float:
        """Weight of all negatives."""
        return float(self.negative.weight.sum())

    @property
    def total(self) -> float:
        """The whole weight."""
        return self.positive_total + self.negative_total

    @property
    def prevalence(self) -> float:
        """Share of the positives in the whole weight."""
        return self.positive_total / self.total

    @property
    def rounding(self) -> float:
        """How far a sum of weights may be off, relative to itself; 0 when the weights are whole numbers."""
        within = max(self.positive.rounding.max(), self.negative.rounding.max())
        return 0.0 if self.whole else float(within) + len(self) * UNIT  # one more for each bin

    @cached_property
    def undecided(self) -> float:
        """Largest share of cases, in one bin and class, that a threshold within the bin may or may not act on.

        Whatever is believed about the cost proportion, the bounds of the mean regret are no further apart.
        """
        classes = (self.positive, self.negative)
        widest = max(np.max(sums.weight, initial=0.0, where=sums.least < sums.most) for sums in classes)
        return float(widest) / self.total

    @cached_property
    def optimistic(self) -> ScoreTable:
        """The best possible sample: positives at the highest score of their bin, negatives at the lowest.

        Every number and every curve that improves when a positive's score rises or a negative's falls (all that have
        a better and a worse direction do) is at least as good for this table as for the sample itself.
        """
        return self._table(self.positive.most, self.negative.least)

    @cached_property
    def pessimistic(self) -> ScoreTable:
        """The worst possible sample: positives at the lowest score of their bin, negatives at the highest."""
        return self._table(self.positive.least, self.negative.most)

    def _table(self, positive_score: FloatArray, negative_score: FloatArray) -> ScoreTable:
        score, none = np.concatenate([positive_score, negative_score]), np.zeros(len(self))
        positive = np.concatenate([self.positive.weight, none])
        negative = np.concatenate([none, self.negative.weight])
        return pooled_table(score, positive, negative)  # drops rows of weight 0

    def __len__(self) -> int:
        return len(self.bin)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, QuantisedTable):
            return NotImplemented
        mine, others = ((one.bins, one.whole, one.positive, one.negative) for one in (self, other))
        return np.array_equal(self.bin, other.bin) and mine == others

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[type[QuantisedTable], tuple[object, ...]]:
        return QuantisedTable, (self.bins, self.bin, self.positive, self.negative, self.whole)

    def __repr__(self) -> str:
        parts = (
            f"{len(self):,} of {len(self.bins):,} bins",
            f"weight {self.total:,.12g}",
            f"prevalence {self.prevalence:.3g}",
            f"undecided up to {self.undecided:.3g}",
        )
        return f"QuantisedTable({', '.join(parts)})"

    @classmethod
    def merged(cls, tables: Sequence[Self]) -> Self:
        """Pool samples that were put into the same bins."""
        bins = tables[0].bins
        for table in tables:
            if table.bins != bins:
                raise InputError("tables", "have the same bins", f"{bins} and {table.bins}")
        halves = [
            (table.bin, sums, label) for table in tables for label, sums in enumerate((table.negative, table.positive))
        ]
        found = np.concatenate([rows for rows, _, _ in halves])
        label = np.repeat([bool(label) for _, _, label in halves], [len(rows) for rows, _, _ in halves])
        columns = (np.concatenate([getattr(sums, one.name) for _, sums, _ in halves]) for one in fields(BinSums))
        whole = all(table.whole for table in tables)
        return cls(bins, *pooled_parts(found, label, BinSums(*columns)), whole)


# ------------------------------------------------------------------------------------------- what engines hand over


def _check_bins(bins: Bins, found: IntArray, parts: BinSums) -> None:
    """Raise unless the extreme scores of each part lie in its bin."""
    for name, score in (("least", parts.least), ("most", parts.most)):
        ours = bins.of_valid(score)
        if (wrong := ours != found).any():
            row = int(wrong.argmax())
            raise InputError(
                "bin",
                "be that of the scores",
                f"{found[row]} for a `{name}` of {float(score[row])!r}, which is in bin {ours[row]}",
                row=row,
                first=False,
            )


def _check_sums(parts: BinSums) -> None:
    """Raise unless the sums of each part are possible between its extreme scores, up to rounding."""
    slack = 1 + 2 * parts.rounding
    least_digit = (parts.cases + 4) * _SMALLEST  # products so small are rounded by more than a share of themselves
    for name, total, power in (("score", parts.score, 1), ("square", parts.square, 2)):
        low, high = parts.weight * parts.least**power, parts.weight * parts.most**power
        wrong = (total * slack + least_digit < low) | (total > high * slack + least_digit)
        if wrong.any():
            row = int(wrong.argmax())
            raise InputError(
                name,
                f"be a sum over scores from `least` to `most`, between {low[row]:.12g} and {high[row]:.12g}",
                f"{total[row]:.12g}",
                row=row,
            )

"""Samples that stay on the device: as a table, or as the cases come."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from stakes._errors import InputTypeError
from stakes.beliefs import Mixture
from stakes.case_costs import CaseCosts
from stakes.large import QuantisedTable
from stakes.table import Heads, ScoreTable, frozen_table
from stakes.tensors import _block_sums, _tensor_bins
from stakes.tensors._cells import Cells, Pairs, cells, runs_of
from stakes.tensors._device import Array, Arrays
from stakes.tensors._door import ValidColumns, check_columns
from stakes.tensors._formula import Formula, Loss, NotElementaryError, formula
from stakes.tensors._tensor_money import money_of


@dataclass(frozen=True, eq=False, repr=False)
class TensorCases:
    """Cases on their device, not sorted, which suffices for means over cases.

    Make one with `unsorted`. `stakes.expected_regret`, `stakes.brier_score`, `stakes.log_loss`,
    `stakes.net_benefit`, `stakes.accuracy`, `stakes.measures.weighted_accuracy` and `stakes.skill_score` take it as
    they take a table, and read it once.

    Attributes
    ----------
    label : array of bool
        Whether each case is positive.
    score : array of float32 or float64
        Score of each case.
    weight : array or None
        Weight of each case; none where each counts once.
    lowest, highest : float
        The lowest and the highest score.
    positive_total, negative_total : float
        Weight of all positives, and of all negatives.
    arrays : Arrays
        What the library of the arrays can do.
    summed : int
        How many weights were added up to one at most; 0 where each case counts once.
    heads : Heads or None
        With case costs, where weights are money, the people beside it, in one row of all; none without.

    Examples
    --------
    >>> import torch
    >>> from stakes.tensors import unsorted
    >>> unsorted(torch.tensor([0, 1, 1]), torch.tensor([0.25, 0.5, 0.75])).prevalence
    0.6666666666666666
    """

    label: Array
    score: Array
    weight: Array | None
    lowest: float
    highest: float
    positive_total: float
    negative_total: float
    arrays: Arrays
    summed: int = 0
    heads: Heads | None = None

    @property
    def has_stakes(self) -> bool:
        """Whether cases have costs of their own, so that weights are money."""
        return self.heads is not None

    @property
    def device(self) -> Any:
        """Where the arrays are."""
        return self.arrays.device

    @property
    def total(self) -> float:
        """The whole weight."""
        return self.positive_total + self.negative_total

    @property
    def prevalence(self) -> float:
        """Share of the positives in the whole weight."""
        return self.positive_total / self.total

    def class_totals(self, if_positive: Loss, if_negative: Loss) -> tuple[float, float]:
        """Sum a loss over the positives and another over the negatives, in one pass over the device's memory."""
        positive, negative = _block_sums.class_totals(
            self.arrays,
            _written(if_positive, if_negative),
            self.label,
            self.score,
            self.weight,
            any_sign=self.lowest < 0,
        )
        return positive, negative


def _written(if_positive: Loss, if_negative: Loss) -> Formula:
    belief = getattr(if_positive, "__self__", None)
    try:
        if type(belief).__module__.startswith("stakes.") and not isinstance(belief, Mixture):  # it stays what it is
            return _of_belief(belief, if_positive.__name__, if_negative.__name__)
        return formula(if_positive, if_negative)
    except NotElementaryError as reason:
        got = if_positive if belief is None else belief
        raise InputTypeError(
            "costs",
            "be a belief with losses made of elementary functions to be used on a device",
            f"{got}: {reason}",
            hint="`table.coarse()` is a small table for it, and `table.quantised()` bounds what that costs",
        ) from None


@functools.lru_cache(maxsize=256)
def _of_belief(belief: object, if_positive: str, if_negative: str) -> Formula:
    return formula(getattr(belief, if_positive), getattr(belief, if_negative))


@dataclass(frozen=True, eq=False, repr=False)
class TensorTable:
    """A table of scores whose arrays stay on their device.

    Make one with `stakes.tensors.score_table`. Numbers that need no recalibration are computed on the device, exactly.
    Curves, and what needs recalibration, come from a small table that is fetched (`coarse`), with bounds on request
    (`quantised`).

    Attributes
    ----------
    cases : TensorCases
        Each distinct score and class, ascending, with the weight that has both: negatives first where a score has
        both.

    Examples
    --------
    >>> import torch
    >>> from stakes import auc
    >>> from stakes.tensors import score_table
    >>> table = score_table(torch.tensor([0, 1, 1, 0]), torch.tensor([0.25, 0.75, 0.25, 0.125]))
    >>> table
    TensorTable(3 scores, weight 4, prevalence 0.5, on cpu)
    >>> table.positive.tolist(), auc(table)
    ([0.0, 1.0, 1.0], 0.875)
    """

    cases: TensorCases

    @property
    def device(self) -> Any:
        """Where the arrays are."""
        return self.cases.device

    @property
    def lowest(self) -> float:
        """The lowest score."""
        return self.cases.lowest

    @property
    def highest(self) -> float:
        """The highest score."""
        return self.cases.highest

    @property
    def positive_total(self) -> float:
        """Weight of all positives."""
        return self.cases.positive_total

    @property
    def negative_total(self) -> float:
        """Weight of all negatives."""
        return self.cases.negative_total

    @property
    def total(self) -> float:
        """The whole weight."""
        return self.cases.total

    @property
    def prevalence(self) -> float:
        """Share of the positives in the whole weight."""
        return self.cases.prevalence

    @property
    def score(self) -> Array:
        """The distinct scores, ascending, on the device."""
        return self._rows[0]

    @property
    def positive(self) -> Array:
        """Weight of the positives with each score, on the device."""
        return self._rows[1]

    @property
    def negative(self) -> Array:
        """Weight of the negatives with each score, on the device."""
        return self._rows[2]

    @cached_property
    def _rows(self) -> tuple[Array, Array, Array]:
        """Return one row for each score; made on first use, since no number here needs them."""
        arrays, own = self.cases.arrays, self.cases
        first, row = runs_of(arrays, own.score)
        score, weight = own.score[first], arrays.double(own.weight)
        by_class = (arrays.xp.where(which, weight, 0.0) for which in (own.label, ~own.label))
        positive, negative = (arrays.add_at(row, some, score.shape[0]) for some in by_class)
        return score, positive, negative

    def __len__(self) -> int:
        arrays, score = self.cases.arrays, self.cases.score
        return 1 + int(arrays.read(arrays.xp.sum(score[1:] != score[:-1], dtype=arrays.xp.int64))[0])

    def __repr__(self) -> str:
        scores = "1 score" if len(self) == 1 else f"{len(self):,} scores"
        whole = f"weight {self.total:,.12g}, prevalence {self.prevalence:.3g}"
        return f"TensorTable({scores}, {whole}, on {self.device})"

    def class_totals(self, if_positive: Loss, if_negative: Loss) -> tuple[float, float]:
        """Sum a loss over the positives and another over the negatives, in one pass over the device's memory."""
        return self.cases.class_totals(if_positive, if_negative)

    @cached_property
    def _pairs(self) -> Pairs:
        own = self.cases
        return Pairs(own.arrays, Cells(own.score, own.label, own.weight))

    def shortened(
        self,
        *,
        scores: tuple[float, ...] = (),
        false_alarms: tuple[float, ...] = (),
        alarms: tuple[float, ...] = (),
    ) -> ScoreTable:
        """Fetch a table of few rows on which measures of ranking have the same values.

        That is so for a measure that parts the scores only where one is kept: in the table that comes back the runs
        between kept scores have become three rows each, with the same weights and the same pairs.

        Parameters
        ----------
        scores : tuple of float, keyword-only
            Scores to keep.
        false_alarms, alarms : tuple of float, keyword-only
            Keep the score down to which so much weight of negatives, or of everyone, lies above.

        Returns
        -------
        ScoreTable
            The short table.

        Examples
        --------
        >>> import torch
        >>> from stakes import auc
        >>> from stakes.tensors import score_table
        >>> label, score = torch.arange(100) % 3 == 0, torch.arange(100) / 100
        >>> short = score_table(label, score).shortened()
        >>> len(short), auc(short) == auc(score_table(label, score).to_host())
        (3, True)
        """
        found = self._pairs.score_from_top
        kept = {found(wanted, negatives_only=True) for wanted in false_alarms}
        kept |= {found(wanted, negatives_only=False) for wanted in alarms}
        return self._pairs.shortened(kept.union(scores))

    def quantised(self, rows: int = 4096) -> QuantisedTable:
        """Fetch a small table, for which `stakes.bounds` gives every number with exact bounds.

        Parameters
        ----------
        rows : int
            How many bins of scores there are at most, at least 8. Each is a single score if there are no more;
            otherwise none that is not holds more than about 4 in `rows` of either class.

        Returns
        -------
        QuantisedTable
            The sums of each bin and class.

        Examples
        --------
        >>> import torch
        >>> from stakes import Uniform, bounds
        >>> from stakes.tensors import score_table
        >>> table = score_table(torch.tensor([0, 1, 0, 1]), torch.tensor([0.125, 0.25, 0.5, 0.75]))
        >>> bounds.decompose(table.quantised(), Uniform()).discrimination
        Bounded(lower=0.0625, estimate=0.0625, upper=0.0625)
        """
        return _tensor_bins.of_cells(self.cases, rows)

    def coarse(self, rows: int = 4096) -> ScoreTable:
        """Fetch a small ordinary table, for everything in `stakes`.

        Parameters
        ----------
        rows : int
            How many rows it has at most, at least 8. It is the table itself if that has no more; otherwise no row of
            several scores holds more than about 4 in `rows` of either class, so that no rate is off by more.

        Returns
        -------
        ScoreTable
            A table of pooled neighbouring scores, each at their weighted mean.

        Examples
        --------
        >>> import torch
        >>> from stakes.tensors import score_table
        >>> score_table(torch.tensor([0, 1, 0]), torch.tensor([0.25, 0.25, 0.5])).coarse().score.tolist()
        [0.25, 0.5]
        """
        return _tensor_bins.pooled_cells(self.cases, rows)

    def to_host(self) -> ScoreTable:
        """Fetch the whole table, exact and in full size.

        Returns
        -------
        ScoreTable
            The same table, in NumPy.

        Examples
        --------
        >>> import torch
        >>> from stakes.tensors import score_table
        >>> score_table(torch.tensor([0, 1]), torch.tensor([0.25, 0.5])).to_host()
        ScoreTable(2 scores, weight 2, prevalence 0.5)
        """
        host = self.cases.arrays.host
        return frozen_table(*(host(self.cases.arrays.double(column)).copy() for column in self._rows))


def score_table(y: Array, score: Array, weight: Array | None = None) -> TensorTable:
    """Make the table of a sample where its arrays are: one sort on the device, ties pooled exactly.

    Parameters
    ----------
    y : torch tensor or CuPy array
        Outcome of each case: 0 or 1, or booleans.
    score : torch tensor or CuPy array
        Score of each case: the probability of a positive, or any number for measures of ranking.
    weight : torch tensor or CuPy array, optional
        Weight of each case, not negative.

    Returns
    -------
    TensorTable
        The table. It does not depend on the order of the cases, with weights up to rounding.

    Examples
    --------
    >>> import torch
    >>> from stakes import Uniform, expected_regret
    >>> from stakes.tensors import score_table
    >>> table = score_table(torch.tensor([0, 1]), torch.tensor([0.25, 0.5]))
    >>> expected_regret(table, Uniform())  # (0.25**2 + 0.5**2) / 2 / 2
    0.078125
    """
    found = check_columns(y, score, weight)
    return TensorTable(_sample(found, cells(found.arrays, found.label, found.score, found.weight, found.lowest)))


def unsorted(
    y: Array, score: Array, weight: Array | None = None, *, case_costs: CaseCosts | Array | None = None
) -> TensorCases:
    """Keep the cases as they come, for numbers that are means over cases: nothing is sorted or copied.

    Parameters
    ----------
    y : torch tensor or CuPy array
        Outcome of each case: 0 or 1, or booleans.
    score : torch tensor or CuPy array
        Probability of a positive for each case.
    weight : torch tensor or CuPy array, optional
        Weight of each case, not negative.
    case_costs : CaseCosts, torch tensor or CuPy array, keyword-only, optional
        Costs of each case: an array of two columns (false negative, false positive) or four (true positive and true
        negative too), on the same device, or `CaseCosts`, whose columns are copied there. Then the scores are the
        stake-adjusted ones, the weights what is at stake, and `stakes.measures.cost_per_case` is money per case.

    Returns
    -------
    TensorCases
        The cases.

    Examples
    --------
    >>> import torch
    >>> from stakes import brier_score
    >>> from stakes.tensors import unsorted
    >>> brier_score(unsorted(torch.tensor([0, 1]), torch.tensor([0.25, 0.5])))  # (0.25**2 + 0.5**2) / 2
    0.15625

    One fraud of 300 is missed, among three cases:

    >>> from stakes.measures import cost_per_case
    >>> costs = torch.tensor([[300.0, 10.0], [80.0, 10.0], [20.0, 10.0]])
    >>> cost_per_case(unsorted(torch.tensor([1, 0, 1]), torch.tensor([0.01, 0.05, 0.7]), case_costs=costs))
    100.0
    """
    found = check_columns(y, score, weight, probabilities=True)
    if case_costs is not None:
        return _in_money(found, case_costs, weight)
    return _sample(found, Cells(found.score, found.label, found.weight))


def _sample(found: ValidColumns, columns: Cells) -> TensorCases:
    score, label, weight = columns
    ends = (found.lowest + 0.0, found.highest + 0.0)  # no score is -0.0
    summed = 0 if found.weight is None else len(found.score) - len(score) + 1
    return TensorCases(label, score, weight, *ends, found.positive_total, found.negative_total, found.arrays, summed)


def _in_money(found: ValidColumns, case_costs: CaseCosts | Array, weight: Array | None) -> TensorCases:
    """Return cases whose weights are their stakes, without those of weight 0."""
    money = money_of(found, case_costs, None if weight is None else found.arrays.double(weight) > 0)
    columns = money.cells.label, money.cells.score, money.cells.weight
    sums = money.lowest, money.highest, money.positive_total, money.negative_total
    return TensorCases(*columns, *sums, found.arrays, summed=1, heads=money.heads)

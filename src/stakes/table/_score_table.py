"""The table of scores, the form in which every function takes a sample."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from stakes import _check, _columns
from stakes._arrays import BoolArray, FloatArray
from stakes._errors import InputError
from stakes._sort import pool
from stakes.outcome import check_outcome
from stakes.table._heads import Heads, share_from
from stakes.table._isotonic import isotonic_blocks, row_labels

if TYPE_CHECKING:
    from stakes.case_costs import CaseCostsLike
    from stakes.outcome import EventBy

_COLUMNS = ("score", "positive", "negative")


@dataclass(frozen=True, eq=False, repr=False)
class ScoreTable:
    """Distinct scores of a sample, ascending, with the weight of positives and of negatives at each.

    Every number and curve is computed from the table: ties are pooled, the order of cases is not kept, and
    the arrays are read-only. Make one with `score_table`, or with `ScoreTable.from_counts` from counts by
    score; the constructor itself does not check its arguments. It copies them, unless they are read-only already.

    Attributes
    ----------
    score : ndarray of float64
        Distinct scores, ascending.
    positive, negative : ndarray of float64
        Weight of the positives and of the negatives with that score.
    total : float
        Total weight.
    prevalence : float
        Share of the positives in the total weight.
    heads : Heads or None
        People by score, where the rows hold money or censoring weights; None where the rows count people themselves.

    Examples
    --------
    >>> from stakes import score_table
    >>> table = score_table(y=[0, 1, 1, 0], score=[0.2, 0.7, 0.2, 0.1])
    >>> table
    ScoreTable(3 scores, weight 4, prevalence 0.5)
    >>> table.score.tolist(), table.positive.tolist(), table.negative.tolist()
    ([0.1, 0.2, 0.7], [0.0, 1.0, 1.0], [1.0, 1.0, 0.0])
    """

    score: FloatArray
    positive: FloatArray
    negative: FloatArray
    heads: Heads | None = None

    def __post_init__(self) -> None:
        for name in _COLUMNS:
            column = getattr(self, name)
            if not isinstance(column, np.ndarray) or column.flags.writeable:  # whoever holds it could change it
                object.__setattr__(self, name, frozen(np.array(column, dtype=np.float64)))

    @classmethod
    def from_counts(cls, score: npt.ArrayLike, positive: npt.ArrayLike, negative: npt.ArrayLike) -> ScoreTable:
        """Make a table from counts (or weights) by score, in any order; those of equal scores are added.

        Parameters
        ----------
        score : array-like
            Scores.
        positive, negative : array-like
            Weight of the positives and of the negatives with that score, not negative.

        Returns
        -------
        ScoreTable
            The table, without rows of weight 0.

        Examples
        --------
        >>> from stakes import ScoreTable
        >>> ScoreTable.from_counts(score=[1, 2, 3], positive=[1, 5, 4], negative=[90, 45, 6])
        ScoreTable(3 scores, weight 151, prevalence 0.0662)
        """
        scores = _columns.scores("score", score).astype(np.float64)
        positives, negatives = _columns.counts("positive", positive), _columns.counts("negative", negative)
        _columns.check_same_length(score=scores, positive=positives, negative=negatives)
        total = _columns.total_weight(positives, negatives)
        if total == 0:
            raise InputError(("positive", "negative"), "not both be zero for every score")
        _columns.check_total_weight(("positive", "negative"), total)
        return pooled_table(scores, positives, negatives)

    @property
    def lowest(self) -> float:
        """The lowest score."""
        return float(self.score[0])

    @property
    def highest(self) -> float:
        """The highest score."""
        return float(self.score[-1])

    @cached_property
    def positive_total(self) -> float:
        """Weight of all positives."""
        return float(self.positive.sum())

    @cached_property
    def negative_total(self) -> float:
        """Weight of all negatives."""
        return float(self.negative.sum())

    @cached_property
    def isotonic_blocks(self) -> tuple[npt.NDArray[np.intp], FloatArray, FloatArray]:
        """First row of each block of the isotonic fit, and its positive and negative weight."""
        return isotonic_blocks(self.positive, self.negative, self.row_label)

    @cached_property
    def row_label(self) -> BoolArray | None:
        """Whether the case of each row is positive, where every row is one case; otherwise None."""
        return row_labels(self.positive, self.negative)

    @property
    def total(self) -> float:
        """Total weight."""
        return self.positive_total + self.negative_total

    @property
    def prevalence(self) -> float:
        """Share of the positives in the total weight."""
        return self.positive_total / self.total

    @property
    def has_stakes(self) -> bool:
        """Whether the rows hold money."""
        return self.heads is not None and self.heads.has_stakes

    @property
    def cases(self) -> float:
        """Weight of all people: the heads, or the total weight where the rows count people."""
        return self.total if self.heads is None else self.heads.total

    @property
    def prevalence_of_cases(self) -> float:
        """Share of the positives among people whose outcome is known."""
        if self.heads is None:
            return self.prevalence
        return self.heads.positive_total / (self.heads.positive_total + self.heads.negative_total)

    def alarm_share(self, threshold: float | str) -> float:
        """Return the share of people with a score of at least `threshold`.

        Parameters
        ----------
        threshold : float
            The lowest score that is acted on.

        Returns
        -------
        float
            The share of all cases, by heads where the rows hold money.

        Examples
        --------
        >>> from stakes import score_table
        >>> score_table(y=[0, 1, 1, 0], score=[0.2, 0.7, 0.2, 0.1]).alarm_share(0.2)
        0.75
        """
        if self.heads is not None:
            return share_from(self.heads, threshold)
        return share_from(Heads(self.score, self.positive, self.negative, self.positive + self.negative), threshold)

    def __len__(self) -> int:
        return len(self.score)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ScoreTable):
            return NotImplemented
        same = all(np.array_equal(getattr(self, column), getattr(other, column)) for column in _COLUMNS)
        return same and self.heads == other.heads

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[type[ScoreTable], tuple[object, ...]]:
        # Copies and pickles go through the constructor, so their arrays are read-only too.
        return ScoreTable, (self.score, self.positive, self.negative, self.heads)

    def __repr__(self) -> str:
        scores = "1 score" if len(self) == 1 else f"{len(self):,} scores"
        beside = "" if self.heads is None else f" beside {self.heads.total:,.12g} heads"
        return f"ScoreTable({scores}, weight {self.total:,.12g}{beside}, prevalence {self.prevalence:.3g})"


def score_table(
    y: npt.ArrayLike | EventBy,
    score: npt.ArrayLike,
    weight: npt.ArrayLike | None = None,
    *,
    pos_label: object = None,
    case_costs: CaseCostsLike | None = None,
) -> ScoreTable:
    """Make the table of a sample, with ties pooled exactly.

    Parameters
    ----------
    y : array-like or EventBy
        Outcome of each case: 0 or 1, or booleans; any two labels when `pos_label` names the positive one. Of an
        `EventBy` the rows hold censoring weights, and heads count everyone.
    score : array-like
        Score of each case: the probability of a positive, or any number for measures of ranking.
        float32 is sorted without conversion; the table holds float64.
    weight : array-like, optional
        Weight of each case, not negative; 1 unless given. Weight *k* counts a case *k* times, 0 excludes it.
    pos_label : object, keyword-only, optional
        Label of the positives; required if the outcomes are not 0 and 1.
    case_costs : CaseCosts or array-like, keyword-only, optional
        Costs of each case. Then the rows hold money by stake-adjusted score, and `heads` the cases beside it.

    Returns
    -------
    ScoreTable
        The table, which does not depend on the order of the cases.

    Examples
    --------
    >>> from stakes import score_table
    >>> score_table(y=["ill", "well", "well"], score=[0.9, 0.4, 0.4], pos_label="ill")
    ScoreTable(2 scores, weight 3, prevalence 0.333)
    """
    followed = check_outcome("y", y, pos_label)
    scores, weights = _columns.scores("score", score), _columns.weights("weight", weight)
    if followed is not None:
        from stakes.case_costs import check_no_follow_up
        from stakes.table._tables_of import table_of_outcome

        check_no_follow_up(case_costs)
        return table_of_outcome(followed, scores, weights, names=("y", "score", "weight"))
    label = _columns.outcome("y", y, pos_label)
    _columns.check_same_length(y=label, score=scores, weight=weights)
    if case_costs is None:
        return sorted_table(label, scores, weights)
    from stakes.case_costs import as_case_costs, stakes_of
    from stakes.table._tables_of import staked_table

    costs, weighs = as_case_costs("case_costs", case_costs), None if weights is None else weights > 0
    stakes = stakes_of(costs, label, weighs=weighs)
    return staked_table(label, stakes.scores(_columns.probabilities("score", score)), weights, stakes)


def frozen_table(
    score: FloatArray, positive: FloatArray, negative: FloatArray, *, heads: Heads | None = None
) -> ScoreTable:
    """Make a table of arrays that nobody else holds: they become read-only and are not copied."""
    return ScoreTable(frozen(score), frozen(positive), frozen(negative), heads)


def frozen(column: FloatArray) -> FloatArray:
    column.flags.writeable = False
    return column


def sorted_table(label: BoolArray, score: npt.NDArray[np.floating], weight: FloatArray | None) -> ScoreTable:
    """Make a table of checked columns."""
    if weight is not None and not weight.all():
        present = weight > 0
        label, score, weight = label[present], score[present], weight[present]
    table = frozen_table(*pool(label, score, weight))
    if weight is None and len(table) == len(score):  # no ties, so that nobody needs to look for them
        vars(table)["row_label"] = table.positive != 0
    return table


def pooled_table(
    score: FloatArray, positive: FloatArray, negative: FloatArray, *, heads: Heads | None = None
) -> ScoreTable:
    """Make a table of rows in any order: sum rows with equal scores and drop rows of weight 0."""
    order = np.argsort(score, kind="stable")
    weighs = (positive + negative)[order] > 0
    order = order if weighs.all() else order[weighs]
    ordered = score[order] + 0.0  # -0.0 and 0.0 are one score
    starts = np.flatnonzero(np.concatenate([[True], ordered[1:] != ordered[:-1]]))
    return frozen_table(
        ordered[starts], np.add.reduceat(positive[order], starts), np.add.reduceat(negative[order], starts), heads=heads
    )


def in_memory(table: ScoreTable) -> ScoreTable:
    """Return a table in memory for drawing: the table itself, or a coarse one if it is on a device."""
    _check.check_tables("table", table, anywhere=hasattr(table, "coarse"))
    return table.coarse() if hasattr(table, "coarse") else table

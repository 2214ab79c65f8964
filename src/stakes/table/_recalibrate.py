"""Recalibration by the isotonic fit, whose blocks are the segments of the ROC hull."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from stakes import _check, _columns
from stakes._arrays import FloatArray
from stakes.table._heads import heads_in_blocks, move_heads
from stakes.table._score_table import ScoreTable, frozen_table, pooled_table


@dataclass(frozen=True, eq=False, repr=False)
class Recalibration:
    """The recalibration learnt from one sample, to apply to the scores of another.

    It is a step function from score to probability, the isotonic (pool-adjacent-violators) estimate, whose
    blocks are the segments of the ROC hull. A new score gets the value of the last block that starts at
    or below it, and a score below every block the value of the first.

    Attributes
    ----------
    score : ndarray of float64
        Lowest score of each block, ascending.
    probability : ndarray of float64
        Share of positives in each block, ascending.

    Examples
    --------
    >>> from stakes import score_table
    >>> from stakes.table import Recalibration
    >>> learnt = Recalibration.of(score_table(y=[0, 1, 0, 1], score=[1, 2, 3, 4]))
    >>> learnt([0.0, 2.5, 9.0]).tolist()
    [0.0, 0.5, 1.0]
    """

    score: FloatArray
    probability: FloatArray

    def __post_init__(self) -> None:
        self.score.flags.writeable = self.probability.flags.writeable = False

    @classmethod
    def of(cls, table: ScoreTable) -> Recalibration:
        """Fit the step function to a table.

        Parameters
        ----------
        table : ScoreTable
            The sample to fit.

        Returns
        -------
        Recalibration
            The step function.

        Examples
        --------
        >>> from stakes import score_table
        >>> from stakes.table import Recalibration
        >>> Recalibration.of(score_table(y=[1, 0], score=[1, 2])).probability.tolist()
        [0.5]
        """
        _check.check_tables("table", table)
        starts, positive, negative = table.isotonic_blocks
        return cls(table.score[starts], positive / (positive + negative))

    def __repr__(self) -> str:
        blocks = "1 block" if len(self.score) == 1 else f"{len(self.score):,} blocks"
        return f"Recalibration({blocks}, {self.probability[0]:.3g} to {self.probability[-1]:.3g})"

    def __call__(self, score: npt.ArrayLike) -> FloatArray:
        """Recalibrate scores, in the order given.

        Parameters
        ----------
        score : array-like
            Scores on the scale of the fitted sample.

        Returns
        -------
        ndarray of float64
            Probability of each.
        """
        block = np.searchsorted(self.score, _columns.scores("score", score), side="right") - 1
        return self.probability[np.maximum(block, 0)]

    def apply(self, table: ScoreTable) -> ScoreTable:
        """Recalibrate the scores of another sample's table.

        Parameters
        ----------
        table : ScoreTable
            A sample with scores on the same scale.

        Returns
        -------
        ScoreTable
            The same cases with recalibrated scores.

        Examples
        --------
        >>> from stakes import score_table
        >>> from stakes.table import Recalibration
        >>> learnt = Recalibration.of(score_table(y=[0, 1, 0, 1], score=[1, 2, 3, 4]))
        >>> learnt.apply(score_table(y=[1, 0], score=[2.2, 3.3])).score.tolist()
        [0.5]
        """
        _check.check_tables("table", table)
        return pooled_table(self(table.score), table.positive, table.negative, heads=move_heads(table.heads, self))


def recalibrate(table: ScoreTable) -> ScoreTable:
    """Replace each score by the isotonic estimate of the risk (pool adjacent violators).

    The result has the smallest regret that any threshold could reach, at every cost at once, so it measures
    the ranking alone. It is fitted to the outcomes on which it is evaluated, and optimistic for that;
    `Recalibration` applies the fit to another sample.

    Parameters
    ----------
    table : ScoreTable
        The sample; scores may be any numbers, only their order matters.

    Returns
    -------
    ScoreTable
        One row per block; its score is the share of positives in the block.

    References
    ----------
    .. [1] T. Dimitriadis, T. Gneiting and A. I. Jordan (2021), "Stable reliability diagrams for
       probabilistic classifiers", PNAS 118(8), e2016191118.

    Examples
    --------
    >>> from stakes import recalibrate, score_table
    >>> recalibrate(score_table(y=[0, 1, 0, 1], score=[0.1, 0.2, 0.3, 0.4])).score.tolist()
    [0.0, 0.5, 1.0]
    """
    _check.check_tables("table", table)
    starts, positive, negative = table.isotonic_blocks
    score = positive / (positive + negative)
    heads = None if table.heads is None else heads_in_blocks(table.heads, table.score[starts], score)
    return frozen_table(score, positive, negative, heads=heads)

"""Tables at another prevalence: class weights, scores, or both."""

from __future__ import annotations

import math

import numpy as np

from stakes import _check, _columns
from stakes._arrays import FloatArray
from stakes._errors import InputError
from stakes.beliefs import as_share
from stakes.table import Heads, ScoreTable, frozen_table, move_heads, pooled_table, scale_heads


def reweight_classes(table: ScoreTable, prevalence: float | str) -> ScoreTable:
    """Reweight the classes of a sample to another prevalence; the scores stay as they are.

    Parameters
    ----------
    table : ScoreTable
        The sample, with both classes.
    prevalence : float or words, such as "2%" or "30/200"
        The new prevalence, strictly between 0 and 1.

    Returns
    -------
    ScoreTable
        The same scores and the same total weight, at the new prevalence.

    Examples
    --------
    >>> from stakes import score_table
    >>> from stakes.prevalence import reweight_classes
    >>> table = score_table(y=[0, 1], score=[0.2, 0.7])
    >>> reweight_classes(table, 0.1).negative.tolist()
    [1.8, 0.0]
    """
    _check.check_tables("table", table)
    wanted = as_share("prevalence", prevalence, open_ends=True)
    if table.heads is not None:
        return _reweight_heads(table, table.heads, wanted)
    _check.check_both_classes(table.positive_total, table.negative_total)
    if wanted == table.prevalence:
        return table
    positive = table.positive * (wanted * table.total / table.positive_total)
    return frozen_table(table.score, positive, table.negative * ((1 - wanted) * table.total / table.negative_total))


def _reweight_heads(table: ScoreTable, heads: Heads, wanted: float) -> ScoreTable:
    """Reweight heads to another prevalence, and the rows with them; money then has the total that follows."""
    _check.check_both_classes(heads.positive_total, heads.negative_total)
    if math.isclose(wanted, table.prevalence_of_cases, rel_tol=1e-12):  # a risk that is rounded is the same one
        return table
    check_unswapped(heads)
    known = heads.positive_total + heads.negative_total
    up, down = wanted * known / heads.positive_total, (1 - wanted) * known / heads.negative_total
    positive, negative = table.positive * up, table.negative * down
    positive[-1] += heads.crossed[1] * (down - up)
    negative[0] += heads.crossed[0] * (up - down)
    return frozen_table(table.score, positive, negative, heads=scale_heads(heads, up, down))


def check_unswapped(heads: Heads | None) -> None:
    """Raise where a case would have to move the other way, as acting pays on its negative outcome."""
    if heads is not None and heads.swapped:
        raise InputError(
            "table", "have no case for which acting pays on negatives only, to be moved", f"{heads.swapped:,.6g}"
        )


def shift_scores(
    table: ScoreTable, prevalence: float | str, *, from_prevalence: float | str | None = None
) -> ScoreTable:
    """Correct scores for another prevalence by Bayes' rule; the cases stay as they are.

    The odds of each score are multiplied by the odds of `prevalence` over those of `from_prevalence`.

    Parameters
    ----------
    table : ScoreTable
        The sample, with scores that are probabilities.
    prevalence : float or words, such as "2%" or "30/200"
        The new prevalence, strictly between 0 and 1.
    from_prevalence : float or words, such as "2%", keyword-only, optional
        The prevalence that the scores assume, strictly between 0 and 1; by default the table's own.

    Returns
    -------
    ScoreTable
        The same weights with corrected scores. Scores of 0 and 1 do not change.

    Examples
    --------
    >>> from stakes import score_table
    >>> from stakes.prevalence import shift_scores
    >>> table = score_table(y=[0, 1], score=[0.5, 0.8])
    >>> shift_scores(table, 0.2).score.round(12).tolist()  # from even odds to 1:4
    [0.2, 0.5]
    """
    _check.check_tables("table", table)
    _columns.check_probability_scores(table.lowest, table.highest)
    wanted = as_share("prevalence", prevalence, open_ends=True)
    if from_prevalence is None:
        people = table if table.heads is None else table.heads
        _check.check_both_classes(people.positive_total, people.negative_total)
        from_prevalence = table.prevalence_of_cases
    assumed = as_share("from_prevalence", from_prevalence, open_ends=True)
    if wanted == assumed:  # not only faster: rounding must not move a score off a threshold that it equals
        return table
    check_unswapped(table.heads)

    # Rounding may make neighbours equal, but must not make them change places.
    def move(score: FloatArray) -> FloatArray:
        return np.asarray(np.maximum.accumulate(shifted(score, wanted, assumed)))

    return pooled_table(move(table.score), table.positive, table.negative, heads=move_heads(table.heads, move))


def shifted(score: FloatArray, prevalence: float, from_prevalence: float) -> FloatArray:
    """Return scores corrected from one prevalence to another by Bayes' rule."""
    up, down = score * (prevalence * (1 - from_prevalence)), (1 - score) * (from_prevalence * (1 - prevalence))
    return up / (up + down)


def at_prevalence(table: ScoreTable, prevalence: float | str) -> ScoreTable:
    """Return a sample at another prevalence, with scores corrected for it and classes reweighted to it.

    This is the sample that someone would see who knows the new prevalence and corrects the scores for it.

    Parameters
    ----------
    table : ScoreTable
        The sample, with both classes and scores that are probabilities.
    prevalence : float or words, such as "2%" or "30/200"
        The new prevalence, strictly between 0 and 1.

    Returns
    -------
    ScoreTable
        The corrected and reweighted table.

    Examples
    --------
    >>> from stakes import at_prevalence, score_table
    >>> at_prevalence(score_table(y=[0, 1], score=[0.5, 0.8]), "20%")
    ScoreTable(2 scores, weight 2, prevalence 0.2)
    """
    wanted = as_share("prevalence", prevalence, open_ends=True)
    return reweight_classes(shift_scores(table, wanted), wanted)

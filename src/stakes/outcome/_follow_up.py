"""How far the cases were followed, and whether those who left differ from those who stayed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from stakes import _check, _columns
from stakes._arrays import FloatArray
from stakes._errors import Argument
from stakes._predictions import PredictionsLike, named_scores
from stakes.outcome._check_outcome import check_one_horizon
from stakes.outcome._event_by import EventBy, censoring_weights


@dataclass(frozen=True)
class FollowUp:
    """How far cases were followed until a horizon.

    Attributes
    ----------
    horizon : float
        Time by which the event counts.
    cases, positive, competing, event_free, unknown : int
        Number of cases; of those with the event, with another event, free of any event at the horizon, and of those
        of whom it is not known, as they left before or entered too late.
    risk : float
        Risk of the event by the horizon, of Kaplan and Meier or of Aalen and Johansen; in strata the mean of theirs,
        and with covariates or given chances the share of positives among the weights.
    least_probability : float
        Lowest chance of still being followed that a known case had; with late entry, of being under observation.
    largest_weight : float
        Largest share of one case in the total weight.
    effective_cases : float
        Number of equally weighted cases that would be as many: the squared sum of weights over the sum of squares.
    score_checks : dict of str to float
        For each model, the p-value of the hypothesis that those who left do not differ in their scores from those who
        stayed; nan where nobody left, and with late entry, where those who entered differ from all even if leaving is
        independent. A small one says that censoring depends on the score.
    cause : object
        Label of the event.
    censoring : str
        What leaving is taken to depend on: ``independent``, ``independent with late entry``, ``by strata``,
        ``by covariates`` or ``given``.
    time_unit : str
        Unit of the horizon, such as ``years``, where the column of times has it in its name; empty otherwise.
    entered_late : int
        Number of the unknown that came under observation at the horizon or later.

    Examples
    --------
    >>> from stakes import EventBy
    >>> from stakes.outcome import follow_up
    >>> found = follow_up(EventBy([1, 2, 3, 6], [1, 0, 0, 0], horizon=5))
    >>> found.unknown, found.least_probability, found.effective_cases
    (2, 0.333..., 1.6)
    """

    horizon: float
    cases: int
    positive: int
    competing: int
    event_free: int
    unknown: int
    risk: float
    least_probability: float
    largest_weight: float
    effective_cases: float
    score_checks: dict[str, float]
    cause: object = 1
    censoring: str = "independent"
    time_unit: str = ""
    entered_late: int = 0


def follow_up(
    outcome: EventBy, predictions: PredictionsLike | None = None, *, weight: npt.ArrayLike | None = None
) -> FollowUp:
    r"""Describe how far cases were followed, and check that those who left do not differ in their scores.

    Where censoring is estimated rightly, the weighted distribution of a score among the known is that of everyone. The
    check compares both over fifths of everyone: with *D* the differences and *V* the variance of their influences,
    the censoring estimated, :math:`D^\top V^{-1} D` has a chi-squared distribution. Of more than 100,000 cases, the
    check takes a fixed random sample of as many. There is none with late entry.

    Parameters
    ----------
    outcome : EventBy
        The outcome.
    predictions : mapping, optional
        Scores of each model by its name, one per case.
    weight : array-like, keyword-only, optional
        Weight of each case.

    Returns
    -------
    FollowUp
        Counts, risk, weights and checks.

    Examples
    --------
    >>> from stakes import EventBy
    >>> from stakes.outcome import follow_up
    >>> found = follow_up(EventBy([1, 2, 3, 4, 6, 8], [1, 0, 1, 2, 0, 1], horizon=5))
    >>> found.positive, found.competing, found.event_free, found.unknown, found.risk
    (2, 1, 2, 1, 0.375)
    """
    _check.check_type(EventBy, "outcome", outcome)
    check_one_horizon("outcome", outcome)
    weights = _columns.weights("weight", weight)
    _columns.check_same_length(outcome=outcome.known, weight=weights)
    scores = {
        name: _columns.scores(Argument("predictions", name), score)
        for name, score in ({} if predictions is None else named_scores(predictions)).items()
    }
    for name, score in scores.items():
        _columns.check_same_length({Argument("predictions", name): score}, outcome=outcome.known)
    if weights is not None and not weights.all():
        here = weights > 0
        outcome, weights = outcome[here], weights[here]
        scores = {name: score[here] for name, score in scores.items()}
    return _describe(outcome, np.ones(len(outcome)) if weights is None else weights, scores)


def _describe(outcome: EventBy, weight: FloatArray, scores: Mapping[str, npt.NDArray[np.floating]]) -> FollowUp:
    by_censoring = censoring_weights(outcome, weight)
    mass = weight * by_censoring
    count_like = np.ldexp(mass, -np.frexp(mass.max())[1])  # so that no square is too large, to the same digits
    known, positive, competing = map(np.count_nonzero, (outcome.known, outcome.positive, outcome.competing))
    entry = outcome._followed.entry
    checks = _score_checks(outcome, weight, by_censoring, scores)
    return FollowUp(
        horizon=outcome.horizon,
        cases=len(outcome),
        positive=int(positive),
        competing=int(competing),
        event_free=int(known - positive - competing),
        unknown=len(outcome) - int(known),
        risk=float(mass @ outcome.positive) / float(mass.sum()),
        least_probability=1 / float(by_censoring.max()),
        largest_weight=float(mass.max() / mass.sum()),
        effective_cases=float(count_like.sum() ** 2 / (count_like @ count_like)),
        score_checks=checks,
        cause=outcome._followed.cause,
        censoring=outcome._followed.censoring,
        time_unit=outcome._followed.unit,
        entered_late=0 if entry is None else int(np.count_nonzero(entry >= outcome.horizon)),
    )


_MANY = 100_000  # cases, of more of which the check of scores takes so many


def _score_checks(
    outcome: EventBy, weight: FloatArray, by_censoring: FloatArray, scores: Mapping[str, npt.NDArray[np.floating]]
) -> dict[str, float]:
    """Check the scores of each model; of very many cases, those of a fixed sample followed as far."""
    if outcome._followed.entry is not None:  # those who entered are not everyone
        return dict.fromkeys(scores, float("nan"))
    if scores and len(outcome) > _MANY:
        rows = np.sort(np.random.default_rng(0).choice(len(outcome), _MANY, replace=False))
        staying = outcome._followed.take(rows).staying(outcome.horizon)
        if staying.gap() is None:
            some, own = outcome[rows], weight[rows]
            found = some._staying.weights(own)
            if not np.isnan(found).any():
                return {name: score_check(some, own, found, score[rows]) for name, score in scores.items()}
    return {name: score_check(outcome, weight, by_censoring, score) for name, score in scores.items()}


def score_check(
    outcome: EventBy, weight: FloatArray, by_censoring: FloatArray, score: npt.NDArray[np.floating]
) -> float:
    """Return the p-value of equal distributions of a score among the known and among everyone."""
    from scipy import stats

    mass, everyone = weight * by_censoring, weight / weight.sum()
    mass /= mass.sum()
    fifth = _fifths(score, weight)
    groups = np.flatnonzero(np.bincount(fifth))[:-1]
    if outcome.known.all() or not len(groups):
        return float("nan")
    differences, moves = np.empty(len(groups)), np.empty((len(groups), len(weight)))
    for place, group in enumerate(groups):
        inside = (fifth == group).astype(np.float64)
        share, of_all = float(mass @ inside), float(everyone @ inside)
        differences[place] = share - of_all
        moves[place] = outcome._staying.through(mass * (inside - share), weight)
        inside -= of_all
        inside *= everyone
        moves[place] -= inside
    variance = moves @ moves.T
    statistic = float(differences @ np.linalg.pinv(variance, hermitian=True) @ differences)
    return float(stats.chi2.sf(statistic, np.linalg.matrix_rank(variance, hermitian=True)))


def _fifths(score: npt.NDArray[np.floating], weight: FloatArray) -> npt.NDArray[np.uint8]:
    """Return the fifth of everyone in which each score lies, equal scores in the same.

    A score lies in the fifth that those below it fill.
    """
    lowest = _last_below_fifths(score, weight)
    found = np.zeros(len(score), dtype=np.uint8)
    for last in lowest:
        found += score > last
    return found


def _last_below_fifths(score: npt.NDArray[np.floating], weight: FloatArray) -> npt.NDArray[np.floating]:
    """Return the scores above which lie the second to the last fifth of everyone."""
    if bool(np.all(weight == weight[0])):  # no sort is needed
        last = -(-np.arange(1, 5) * len(score) // 5) - 1
        return np.asarray(np.partition(score, last)[last])
    order = np.argsort(score)
    below = np.cumsum(weight[order])
    return np.asarray(score[order[np.searchsorted(below, np.arange(1, 5) * below[-1] / 5)]])

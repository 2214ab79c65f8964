"""Drift: the prevalence and the cost behind new scores without outcomes."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from stakes import _check, _columns
from stakes._arrays import FloatArray
from stakes._errors import InputError
from stakes._wording import p_value, percent
from stakes.beliefs import BeliefLike, CostBelief, as_costs, as_share
from stakes.monitoring._label_shift import (
    MeanError,
    fieller_ends,
    likelihood_score,
    most_likely_prevalence,
    shift_probability,
)
from stakes.monitoring._logistic import LogisticRecalibration, recalibration_on
from stakes.table import ScoreTable
from stakes.uncertainty import Interval, single_deviate

DOUBT = 0.01  # p value below which label shift does not explain the new scores

_UNKNOWN = Interval(math.nan, math.nan, math.nan, "analytic")


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class Drift:
    """Findings from new scores under two assumptions; where they part, labels are needed.

    Attributes
    ----------
    prevalence : Interval
        Prevalence now if the classes have the scores they had (label shift).
    if_calibrated : Interval
        Prevalence now if a score means what it meant (covariate shift): the mean of the recalibrated scores.
    reference : float
        Prevalence in the reference.
    explained : float
        The p value of the hypothesis that only the prevalence has changed: small if label shift does not explain the
        new scores. A change of both classes in the same direction is not seen.
    cost, cost_if_calibrated : Interval or None
        Expected regret now, scores and thresholds as they are, under either assumption; None without costs.
    reference_cost : float or None
        Expected regret in the reference.
    outside : float
        Share of the new scores beyond those of the reference, where the ratio of the classes is extrapolated.
    cases : int
        Number of new scores.

    Examples
    --------
    >>> from stakes import score_table
    >>> from stakes.monitoring import drift
    >>> table = score_table([0] * 60 + [1] * 40, [0.2] * 40 + [0.6] * 20 + [0.2] * 10 + [0.6] * 30)
    >>> drift(table, [0.2] * 300 + [0.6] * 700)
    Drift(prevalence 40% in the reference, now 88% [64%, 100%] by label shift, 48% [38%, 58%] if scores stay calibrated)
    """

    prevalence: Interval
    if_calibrated: Interval
    reference: float
    explained: float
    cost: Interval | None
    cost_if_calibrated: Interval | None
    reference_cost: float | None
    outside: float
    cases: int

    def __repr__(self) -> str:
        one, two = (_shares(found) for found in (self.prevalence, self.if_calibrated))
        now = f"now {one} by label shift, {two} if scores stay calibrated"
        if self.explained < DOUBT:
            p = p_value(self.explained, unlike=DOUBT)
            now = f"now {two} if scores stay calibrated; label shift does not explain the new scores, {p}"
        return f"Drift(prevalence {percent(self.reference)} in the reference, {now})"


def _shares(found: Interval) -> str:
    """Write a share with its ends, unknown where the samples do not say."""
    if math.isnan(found.estimate):
        return "unknown"
    if math.isnan(found.lower) or math.isnan(found.upper):
        return f"{percent(found.estimate)} [unknown]"
    return f"{percent(found.estimate)} [{percent(found.lower)}, {percent(found.upper)}]"


def drift(
    reference: ScoreTable,
    scores: npt.ArrayLike,
    *,
    costs: BeliefLike | None = None,
    weight: npt.ArrayLike | None = None,
    level: float | str = 0.95,
) -> Drift:
    r"""Return prevalence and expected cost behind new scores without outcomes.

    If the classes have the scores they had, then for any function *h* of the score the prevalence is
    :math:`\pi = (H - M_0)/(M_1 - M_0)`, from its means among the new, the positive and the negative cases, whether or
    not scores are calibrated. Here *h* is the derivative of the likelihood, from scores recalibrated on the reference,
    so that no estimate is more precise with a large reference; the ends are Fieller's, with the error of the reference
    in them. The cost as deployed is then :math:`\pi A + (1 - \pi) B`, from the mean losses of the classes. If instead a
    score means what it meant, both are means over the new scores. No test can tell the two apart in general: where they
    part, label some cases.

    Parameters
    ----------
    reference : ScoreTable
        A labelled sample from when the model was chosen, with scores that are probabilities; weights count as cases.
        All outcomes are known: it is not the table of an `EventBy` whose cases left before the horizon.
    scores : array-like
        New scores of the same model.
    costs : belief, number or words, such as "5%..20%", keyword-only, optional
        Belief about the costs, for the expected cost.
    weight : array-like, keyword-only, optional
        Weight of each new score.
    level : float or words, such as "90%", keyword-only
        Confidence level.

    Returns
    -------
    Drift
        Prevalence and cost under both assumptions, each with its interval.

    References
    ----------
    .. [1] M. Saerens, P. Latinne and C. Decaestecker (2002), "Adjusting the outputs of a classifier to new a priori
       probabilities", Neural Computation 14(1), 21-41.
    .. [2] Z. Lipton, Y.-X. Wang and A. Smola (2018), "Detecting and correcting for label shift with black box
       predictors", ICML 35, 3122-3130.

    Examples
    --------
    >>> from stakes import score_table
    >>> from stakes.datasets import load_cohort
    >>> from stakes.monitoring import drift
    >>> cohort = load_cohort()
    >>> old, new = slice(0, 500), slice(500, 750)
    >>> table = score_table(cohort["cancer"][old], cohort["cancerpredmarker"][old])
    >>> found = drift(table, cohort["cancerpredmarker"][new], costs="5%..20%")
    >>> bool(found.prevalence.lower < cohort["cancer"][new].mean() < found.prevalence.upper)
    True
    """
    _check.check_tables("reference", reference)
    _columns.check_probability_scores(reference.lowest, reference.highest)
    if reference.has_stakes:
        hint = "use the table of the same cases without them, since new scores come without stakes"
        raise InputError("reference", "have no case costs", "a table with them", hint=hint)
    if reference.heads is not None:
        hint = "the errors of its shares depend on who left when, which a table does not know"
        raise InputError("reference", "be of cases whose outcomes are all known", "one with others", hint=hint)
    if not 0 < reference.prevalence < 1:
        raise InputError("reference", "have cases of both classes", "one class")
    fresh = np.asarray(_columns.probabilities("scores", scores), dtype=np.float64)
    own = _columns.weights("weight", weight)
    _columns.check_same_length(scores=fresh, weight=own)
    counted = np.ones(len(fresh)) if own is None else own
    _columns.check_total_weight("weight", float(counted.sum()))
    stated = None if costs is None else as_costs("costs", costs)
    deviate = single_deviate(as_share("level", level, open_ends=True))
    return _Sides(reference, fresh, counted, stated, deviate).found()


@dataclass(frozen=True)
class _Sides:
    """The reference and the new scores, with what both sides need."""

    table: ScoreTable
    scores: FloatArray
    weight: FloatArray
    costs: CostBelief | None
    deviate: float

    def found(self) -> Drift:
        """Return what the new scores say."""
        table, scores = self.table, self.scores
        outside = (scores < table.lowest) | (scores > table.highest)
        recalibrated = recalibration_on(table)
        reference_cost = None if self.costs is None else self._class_losses() @ [table.prevalence, 1 - table.prevalence]
        return Drift(
            prevalence=self._by_label_shift(recalibrated, None),
            if_calibrated=self._if_calibrated(recalibrated, None),
            reference=table.prevalence,
            explained=shift_probability(table, scores, self.weight),
            cost=None if self.costs is None else self._by_label_shift(recalibrated, self.costs),
            cost_if_calibrated=None if self.costs is None else self._if_calibrated(recalibrated, self.costs),
            reference_cost=None if reference_cost is None else float(reference_cost),
            outside=float(self.weight @ outside / self.weight.sum()),
            cases=len(scores),
        )

    @property
    def _cases(self) -> float:
        """Number of new cases, fewer where weights differ."""
        return float(self.weight.sum() ** 2 / (self.weight @ self.weight))

    def _of_positives(self, value: FloatArray) -> MeanError:
        return MeanError.of(value, self.table.positive, self.table.positive_total)

    def _of_negatives(self, value: FloatArray) -> MeanError:
        return MeanError.of(value, self.table.negative, self.table.negative_total)

    def _class_losses(self) -> FloatArray:
        positive, negative = self._losses(self.table.score)
        table = self.table
        return np.array(
            [positive @ table.positive / table.positive_total, negative @ table.negative / table.negative_total]
        )

    def _losses(self, score: FloatArray) -> tuple[FloatArray, FloatArray]:
        assert self.costs is not None
        return np.asarray(self.costs.loss_if_positive(score)), np.asarray(self.costs.loss_if_negative(score))

    def _by_label_shift(self, fit: LogisticRecalibration, costs: CostBelief | None) -> Interval:
        """Return the prevalence, or the cost, if the classes have the scores they had."""
        table, at = self.table, self.table.prevalence
        if not fit.is_informative:
            return Interval(math.nan, 0.0, 1.0, "analytic") if costs is None else _UNKNOWN
        share = most_likely_prevalence(fit(self.scores), self.weight, at, self._cases)
        new, old = (likelihood_score(fit(one), at, share) for one in (self.scores, table.score))
        sides = [MeanError.of(new, self.weight, self._cases), self._of_positives(old), self._of_negatives(old)]
        found = (sides[0].mean - sides[2].mean) / (sides[1].mean - sides[2].mean)
        estimate = min(max(found, 0.0), 1.0)
        if costs is None:
            return Interval(estimate, *fieller_ends(sides, self.deviate), "analytic")
        return self._cost(estimate, new, old, sides)

    def _cost(self, share: float, new: FloatArray, old: FloatArray, sides: list[MeanError]) -> Interval:
        """Return the cost at a prevalence found from scores, with the error of both samples."""
        a, b = self._class_losses()
        slope = (a - b) / (sides[1].mean - sides[2].mean)
        positive, negative = self._losses(self.table.score)
        variance = slope**2 * sides[0].error
        variance += share**2 * self._of_positives(positive - slope * old).error
        variance += (1 - share) ** 2 * self._of_negatives(negative - slope * old).error
        reach = self.deviate * math.sqrt(variance)
        cost = share * a + (1 - share) * b
        return Interval(float(cost), max(float(cost - reach), 0.0), float(cost + reach), "analytic")

    def _if_calibrated(self, fit: LogisticRecalibration, costs: CostBelief | None) -> Interval:
        """Return the prevalence, or the cost, if a score means what it meant."""
        p, share = fit(self.scores), self.weight / self.weight.sum()
        positive, negative = (np.ones_like(p), np.zeros_like(p)) if costs is None else self._losses(self.scores)
        value = MeanError.of(p * positive + (1 - p) * negative, self.weight, self._cases)
        moved = (share * (positive - negative) * p * (1 - p)) @ fit.columns(self.scores)
        reach = self.deviate * math.sqrt(value.error + float(moved @ fit.covariance @ moved))
        ends = max(value.mean - reach, 0.0), value.mean + reach
        return Interval(value.mean, *((ends[0], min(ends[1], 1.0)) if costs is None else ends), "analytic")

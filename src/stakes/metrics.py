"""The same numbers for arrays, as scikit-learn users expect them.

Every function takes ``(y_true, y_proba)`` (``y_score`` where only the order matters) and keyword-only
parameters, and gives what the function of the same name in `stakes` gives for the table of these arrays.
Means of pointwise losses do not sort: they read the arrays once.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy.typing as npt

from stakes import _check, ranking, scores
from stakes.beliefs import CostBelief
from stakes.ranking import BoundedAUC, TopK
from stakes.scores import Decomposition
from stakes.table import ScoreTable, Unsorted, sorted_table, unsorted_table

__all__ = [
    "accuracy",
    "auc",
    "bounded_auc",
    "brier_score",
    "decompose",
    "expected_regret",
    "h_measure",
    "log_loss",
    "net_benefit",
    "partial_auc",
    "scorer",
    "skill_score",
    "top_k",
    "weighted_accuracy",
]

Column = npt.ArrayLike


def _judged(y_true: Column, sample_weight: Column | None, pos_label: object, **scored: Column) -> tuple[Any, ...]:
    """Judge arrays by the names that the caller gave them: label, score and weight."""
    ((name, values),) = scored.items()
    judge = _check.probabilities if name == "y_proba" else _check.scores
    label, score = _check.outcome("y_true", y_true, pos_label), judge(name, values)
    weight = _check.weights("sample_weight", sample_weight)
    _check.same_length(**{"y_true": label, name: score, "sample_weight": weight})
    return label, score, weight


def _cases(y_true: Column, y_proba: Column, sample_weight: Column | None, pos_label: object) -> Unsorted:
    return unsorted_table(*_judged(y_true, sample_weight, pos_label, y_proba=y_proba))


def _probabilities(y_true: Column, y_proba: Column, sample_weight: Column | None, pos_label: object) -> ScoreTable:
    return sorted_table(*_judged(y_true, sample_weight, pos_label, y_proba=y_proba))


def _ranking(y_true: Column, y_score: Column, sample_weight: Column | None, pos_label: object) -> ScoreTable:
    return sorted_table(*_judged(y_true, sample_weight, pos_label, y_score=y_score))


def expected_regret(
    y_true: Column,
    y_proba: Column,
    *,
    costs: CostBelief,
    sample_weight: Column | None = None,
    pos_label: object = None,
) -> float:
    """Mean regret when each decision is taken at the cut that its costs ask for; smaller is better.

    Parameters
    ----------
    y_true : array-like
        Outcomes: 0 and 1, booleans, or any two labels when `pos_label` is given.
    y_proba : array-like
        Probabilities of the positive class.
    costs : CostBelief, keyword-only
        What is believed about the cost proportion.
    sample_weight : array-like, keyword-only, optional
        Weights, not negative.
    pos_label : object, keyword-only, optional
        The label of a positive, when the outcomes are not 0 and 1.

    Returns
    -------
    float
        The mean regret; see `stakes.expected_regret`.

    Examples
    --------
    >>> from stakes import Uniform
    >>> from stakes.metrics import expected_regret
    >>> expected_regret([0, 1], [0.25, 0.5], costs=Uniform())
    0.078125
    """
    return scores.expected_regret(_cases(y_true, y_proba, sample_weight, pos_label), costs)


def brier_score(
    y_true: Column,
    y_proba: Column,
    *,
    low: float = 0.0,
    high: float = 1.0,
    sample_weight: Column | None = None,
    pos_label: object = None,
) -> float:
    """Brier score, or the part of it that comes from a range of costs; smaller is better.

    Parameters
    ----------
    y_true : array-like
        Outcomes: 0 and 1, booleans, or any two labels when `pos_label` is given.
    y_proba : array-like
        Probabilities of the positive class.
    low, high : float, keyword-only
        Range of cost proportions, ``0 <= low < high <= 1``.
    sample_weight : array-like, keyword-only, optional
        Weights, not negative.
    pos_label : object, keyword-only, optional
        The label of a positive, when the outcomes are not 0 and 1.

    Returns
    -------
    float
        The score; see `stakes.brier_score`.

    Examples
    --------
    >>> from stakes.metrics import brier_score
    >>> brier_score([0, 1], [0.25, 0.5])
    0.15625
    """
    return scores.brier_score(_cases(y_true, y_proba, sample_weight, pos_label), low=low, high=high)


def log_loss(
    y_true: Column,
    y_proba: Column,
    *,
    low: float = 0.0,
    high: float = 1.0,
    sample_weight: Column | None = None,
    pos_label: object = None,
) -> float:
    """Log loss, or the part of it that comes from a range of costs; smaller is better.

    Parameters
    ----------
    y_true : array-like
        Outcomes: 0 and 1, booleans, or any two labels when `pos_label` is given.
    y_proba : array-like
        Probabilities of the positive class.
    low, high : float, keyword-only
        Range of cost proportions, ``0 <= low < high <= 1``.
    sample_weight : array-like, keyword-only, optional
        Weights, not negative.
    pos_label : object, keyword-only, optional
        The label of a positive, when the outcomes are not 0 and 1.

    Returns
    -------
    float
        The score, in nats; see `stakes.log_loss`.

    Examples
    --------
    >>> from stakes.metrics import log_loss
    >>> round(log_loss([0, 1], [0.5, 0.5]), 6)
    0.693147
    """
    return scores.log_loss(_cases(y_true, y_proba, sample_weight, pos_label), low=low, high=high)


def net_benefit(
    y_true: Column,
    y_proba: Column,
    *,
    costs: CostBelief,
    sample_weight: Column | None = None,
    pos_label: object = None,
) -> float:
    """Net benefit of acting on the probability; larger is better.

    Parameters
    ----------
    y_true : array-like
        Outcomes: 0 and 1, booleans, or any two labels when `pos_label` is given.
    y_proba : array-like
        Probabilities of the positive class.
    costs : CostBelief, keyword-only
        What is believed about the cost proportion.
    sample_weight : array-like, keyword-only, optional
        Weights, not negative.
    pos_label : object, keyword-only, optional
        The label of a positive, when the outcomes are not 0 and 1.

    Returns
    -------
    float
        Net benefit per case; see `stakes.net_benefit`.

    Examples
    --------
    >>> from stakes import At
    >>> from stakes.metrics import net_benefit
    >>> net_benefit([0, 1, 1, 0], [0.6, 0.7, 0.3, 0.1], costs=At(0.5))
    0.0
    """
    return scores.net_benefit(_cases(y_true, y_proba, sample_weight, pos_label), costs)


def accuracy(
    y_true: Column,
    y_proba: Column,
    *,
    cut: float = 0.5,
    sample_weight: Column | None = None,
    pos_label: object = None,
) -> float:
    """Share of right decisions at one cut; larger is better.

    Parameters
    ----------
    y_true : array-like
        Outcomes: 0 and 1, booleans, or any two labels when `pos_label` is given.
    y_proba : array-like
        Probabilities of the positive class.
    cut : float, keyword-only
        Act on probabilities of at least this.
    sample_weight : array-like, keyword-only, optional
        Weights, not negative.
    pos_label : object, keyword-only, optional
        The label of a positive, when the outcomes are not 0 and 1.

    Returns
    -------
    float
        The share; see `stakes.accuracy`.

    Examples
    --------
    >>> from stakes.metrics import accuracy
    >>> accuracy([0, 1, 1, 0], [0.5, 0.7, 0.3, 0.1])
    0.5
    """
    return scores.accuracy(_cases(y_true, y_proba, sample_weight, pos_label), cut=cut)


def weighted_accuracy(
    y_true: Column,
    y_proba: Column,
    *,
    cost: float,
    sample_weight: Column | None = None,
    pos_label: object = None,
) -> float:
    """Share of right decisions at the cut that one cost asks for, classes weighed by it; larger is better.

    Parameters
    ----------
    y_true : array-like
        Outcomes: 0 and 1, booleans, or any two labels when `pos_label` is given.
    y_proba : array-like
        Probabilities of the positive class.
    cost : float, keyword-only
        The cost proportion, strictly between 0 and 1.
    sample_weight : array-like, keyword-only, optional
        Weights, not negative.
    pos_label : object, keyword-only, optional
        The label of a positive, when the outcomes are not 0 and 1.

    Returns
    -------
    float
        The share; see `stakes.weighted_accuracy`.

    Examples
    --------
    >>> from stakes.metrics import weighted_accuracy
    >>> weighted_accuracy([0, 1, 1, 0], [0.5, 0.7, 0.3, 0.1], cost=0.5)
    0.5
    """
    return scores.weighted_accuracy(_cases(y_true, y_proba, sample_weight, pos_label), cost=cost)


def skill_score(
    y_true: Column,
    y_proba: Column,
    *,
    costs: CostBelief,
    sample_weight: Column | None = None,
    pos_label: object = None,
) -> float:
    """How much of the regret of the best constant probability a model saves; larger is better.

    Parameters
    ----------
    y_true : array-like
        Outcomes: 0 and 1, booleans, or any two labels when `pos_label` is given.
    y_proba : array-like
        Probabilities of the positive class.
    costs : CostBelief, keyword-only
        What is believed about the cost proportion.
    sample_weight : array-like, keyword-only, optional
        Weights, not negative.
    pos_label : object, keyword-only, optional
        The label of a positive, when the outcomes are not 0 and 1.

    Returns
    -------
    float
        The skill, at most 1; see `stakes.skill_score`.

    Examples
    --------
    >>> from stakes import Uniform
    >>> from stakes.metrics import skill_score
    >>> skill_score([0, 0, 1, 1], [0.25, 0.25, 0.75, 0.75], costs=Uniform())
    0.75
    """
    return scores.skill_score(_cases(y_true, y_proba, sample_weight, pos_label), costs)


def decompose(
    y_true: Column,
    y_proba: Column,
    *,
    costs: CostBelief,
    sample_weight: Column | None = None,
    pos_label: object = None,
) -> Decomposition:
    """Split the mean regret into miscalibration, discrimination and uncertainty.

    Parameters
    ----------
    y_true : array-like
        Outcomes: 0 and 1, booleans, or any two labels when `pos_label` is given.
    y_proba : array-like
        Probabilities of the positive class.
    costs : CostBelief, keyword-only
        What is believed about the cost proportion.
    sample_weight : array-like, keyword-only, optional
        Weights, not negative.
    pos_label : object, keyword-only, optional
        The label of a positive, when the outcomes are not 0 and 1.

    Returns
    -------
    Decomposition
        The parts; see `stakes.decompose`.

    Examples
    --------
    >>> from stakes import Uniform
    >>> from stakes.metrics import decompose
    >>> decompose([0, 0, 1, 1], [0.25, 0.25, 0.75, 0.75], costs=Uniform()).discrimination
    0.125
    """
    return scores.decompose(_probabilities(y_true, y_proba, sample_weight, pos_label), costs)


def h_measure(
    y_true: Column,
    y_score: Column,
    *,
    costs: CostBelief | None = None,
    sample_weight: Column | None = None,
    pos_label: object = None,
) -> float:
    """Hand's H-measure: the skill that the order of the scores allows; larger is better.

    Parameters
    ----------
    y_true : array-like
        Outcomes: 0 and 1, booleans, or any two labels when `pos_label` is given.
    y_score : array-like
        Scores: any numbers, larger for positives.
    costs : CostBelief, keyword-only, optional
        What is believed about the cost proportion; ``Beta(2, 2)`` when not given.
    sample_weight : array-like, keyword-only, optional
        Weights, not negative.
    pos_label : object, keyword-only, optional
        The label of a positive, when the outcomes are not 0 and 1.

    Returns
    -------
    float
        The measure; see `stakes.h_measure`.

    Examples
    --------
    >>> from stakes.metrics import h_measure
    >>> h_measure([0, 0, 1], [-3, 1, 8])
    1.0
    """
    return scores.h_measure(_ranking(y_true, y_score, sample_weight, pos_label), costs)


def auc(
    y_true: Column,
    y_score: Column,
    *,
    sample_weight: Column | None = None,
    pos_label: object = None,
) -> float:
    """Area under the ROC curve, ties counted half; larger is better.

    Parameters
    ----------
    y_true : array-like
        Outcomes: 0 and 1, booleans, or any two labels when `pos_label` is given.
    y_score : array-like
        Scores: any numbers, larger for positives.
    sample_weight : array-like, keyword-only, optional
        Weights, not negative.
    pos_label : object, keyword-only, optional
        The label of a positive, when the outcomes are not 0 and 1.

    Returns
    -------
    float
        The area; see `stakes.auc`.

    Examples
    --------
    >>> from stakes.metrics import auc
    >>> auc([0, 1, 0, 1], [1, 1, 2, 3])
    0.625
    """
    return ranking.auc(_ranking(y_true, y_score, sample_weight, pos_label))


def partial_auc(
    y_true: Column,
    y_score: Column,
    *,
    low: float = 0.0,
    high: float = 1.0,
    sample_weight: Column | None = None,
    pos_label: object = None,
) -> float:
    """Area under the ROC curve between two false positive rates; larger is better.

    Parameters
    ----------
    y_true : array-like
        Outcomes: 0 and 1, booleans, or any two labels when `pos_label` is given.
    y_score : array-like
        Scores: any numbers, larger for positives.
    low, high : float, keyword-only
        Range of false positive rates, ``0 <= low < high <= 1``.
    sample_weight : array-like, keyword-only, optional
        Weights, not negative.
    pos_label : object, keyword-only, optional
        The label of a positive, when the outcomes are not 0 and 1.

    Returns
    -------
    float
        The area, not divided by the distance; see `stakes.partial_auc`.

    Examples
    --------
    >>> from stakes.metrics import partial_auc
    >>> partial_auc([0, 1, 0, 1], [1, 2, 3, 4], high=0.5)
    0.25
    """
    return ranking.partial_auc(_ranking(y_true, y_score, sample_weight, pos_label), low=low, high=high)


def bounded_auc(
    y_true: Column,
    y_score: Column,
    *,
    low: float,
    high: float,
    sample_weight: Column | None = None,
    pos_label: object = None,
) -> BoundedAUC:
    """Areas of the ROC curve over a range of scores; larger is better.

    Parameters
    ----------
    y_true : array-like
        Outcomes: 0 and 1, booleans, or any two labels when `pos_label` is given.
    y_score : array-like
        Scores: any numbers, larger for positives.
    low, high : float, keyword-only
        Range of scores, ends included, ``low < high``.
    sample_weight : array-like, keyword-only, optional
        Weights, not negative.
    pos_label : object, keyword-only, optional
        The label of a positive, when the outcomes are not 0 and 1.

    Returns
    -------
    BoundedAUC
        The three areas; see `stakes.bounded_auc`.

    Examples
    --------
    >>> from stakes.metrics import bounded_auc
    >>> bounded_auc([0, 1, 0, 1], [0.1, 0.2, 0.3, 0.4], low=0.15, high=0.35).concordant
    0.5
    """
    return ranking.bounded_auc(_ranking(y_true, y_score, sample_weight, pos_label), low=low, high=high)


def top_k(
    y_true: Column,
    y_score: Column,
    *,
    k: float,
    cost: float | None = None,
    sample_weight: Column | None = None,
    pos_label: object = None,
) -> TopK:
    """Act on the `k` highest scores, and see what that yields.

    Parameters
    ----------
    y_true : array-like
        Outcomes: 0 and 1, booleans, or any two labels when `pos_label` is given.
    y_score : array-like
        Scores: any numbers, larger for positives.
    k : float, keyword-only
        How much weight can be acted on.
    cost : float, keyword-only, optional
        The cost proportion, for regret and net benefit.
    sample_weight : array-like, keyword-only, optional
        Weights, not negative.
    pos_label : object, keyword-only, optional
        The label of a positive, when the outcomes are not 0 and 1.

    Returns
    -------
    TopK
        True positives, precision, recall, regret and net benefit; see `stakes.top_k`.

    Examples
    --------
    >>> from stakes.metrics import top_k
    >>> top_k([0, 1, 1], [0.1, 0.5, 0.9], k=2).recall
    1.0
    """
    return ranking.top_k(_ranking(y_true, y_score, sample_weight, pos_label), k, cost=cost)


@dataclass(frozen=True, slots=True)
class _Part:
    """One field of a metric that gives several, as a metric of its own."""

    metric: Callable[..., Any]
    field: str

    @property
    def __name__(self) -> str:
        return f"{self.metric.__name__}.{self.field}"

    def __call__(self, y_true: Column, y_pred: Column, **parameters: Any) -> float:
        return float(getattr(self.metric(y_true, y_pred, **parameters), self.field))


_PROBABILITY, _RANKING = "predict_proba", ("decision_function", "predict_proba")

# Name: the metric, what it wants from the estimator, whether larger is better.
_SCORERS: dict[str, tuple[Callable[..., Any], Any, bool]] = {
    "accuracy": (accuracy, _PROBABILITY, True),
    "auc": (auc, _RANKING, True),
    "bounded_auc.below": (_Part(bounded_auc, "below"), _PROBABILITY, True),
    "bounded_auc.beside": (_Part(bounded_auc, "beside"), _PROBABILITY, True),
    "bounded_auc.concordant": (_Part(bounded_auc, "concordant"), _PROBABILITY, True),
    "brier_score": (brier_score, _PROBABILITY, False),
    "decompose.discrimination": (_Part(decompose, "discrimination"), _PROBABILITY, True),
    "decompose.miscalibration": (_Part(decompose, "miscalibration"), _PROBABILITY, False),
    "expected_regret": (expected_regret, _PROBABILITY, False),
    "h_measure": (h_measure, _RANKING, True),
    "log_loss": (log_loss, _PROBABILITY, False),
    "net_benefit": (net_benefit, _PROBABILITY, True),
    "partial_auc": (partial_auc, _RANKING, True),
    "skill_score": (skill_score, _PROBABILITY, True),
    "top_k.net_benefit": (_Part(top_k, "net_benefit"), _RANKING, True),
    "top_k.precision": (_Part(top_k, "precision"), _RANKING, True),
    "top_k.recall": (_Part(top_k, "recall"), _RANKING, True),
    "top_k.regret": (_Part(top_k, "regret"), _RANKING, False),
    "top_k.true_positives": (_Part(top_k, "true_positives"), _RANKING, True),
    "weighted_accuracy": (weighted_accuracy, _PROBABILITY, True),
}


def scorer(name: str, **parameters: Any) -> Any:
    """Make a scikit-learn scorer of one of these metrics: larger is better, whatever the metric says.

    Regret and losses come out negated, as scikit-learn's own ``neg_log_loss`` does, so that the better
    model wins in `cross_validate`, `GridSearchCV` and everything else that takes ``scoring=``.

    Parameters
    ----------
    name : str
        A metric of this module; one field of those that give several is written ``"top_k.precision"``.
    **parameters
        Passed on to the metric, for example ``costs=Uniform(0.05, 0.2)`` or ``pos_label="ill"``.

    Returns
    -------
    callable
        A scorer ``(estimator, X, y) -> float`` made by `sklearn.metrics.make_scorer`.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.linear_model import LogisticRegression
    >>> from stakes import Uniform
    >>> from stakes.metrics import scorer
    >>> X, y = np.array([[0.0], [1.0], [2.0], [3.0]]), np.array([0, 0, 1, 1])
    >>> model = LogisticRegression().fit(X, y)
    >>> bool(scorer("expected_regret", costs=Uniform(0.05, 0.2))(model, X, y) < 0)
    True
    """
    from sklearn.metrics import make_scorer

    metric, response, larger_is_better = _SCORERS[_check.known("name", name, _SCORERS)]
    return make_scorer(metric, response_method=response, greater_is_better=larger_is_better, **parameters)

"""Scorers: the metrics with the sign and the response of the estimator that scikit-learn needs to know."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from stakes import _check
from stakes.beliefs import as_belief
from stakes.metrics import _limits, _prevalence, _ranking, _scores
from stakes.metrics._cases import Column


@dataclass(frozen=True, slots=True)
class _Part:
    """One field of a metric that gives several, as a metric of its own."""

    metric: Callable[..., Any]
    field: str

    @property
    def __name__(self) -> str:
        return f"{self.metric.__name__}.{self.field}"

    # scikit-learn reads from this signature whether weights and a positive label may be passed.
    def __call__(
        self,
        y_true: Column,
        y_pred: Column,
        *,
        sample_weight: Column | None = None,
        pos_label: object = None,
        **parameters: Any,
    ) -> float:
        parts = self.metric(y_true, y_pred, sample_weight=sample_weight, pos_label=pos_label, **parameters)
        return float(getattr(parts, self.field))


_PROBABILITY, _RANKING = "predict_proba", ("decision_function", "predict_proba")


# Name: the metric, what it wants from the estimator, whether larger is better.
_SCORERS: dict[str, tuple[Callable[..., Any], Any, bool]] = {
    "accuracy": (_scores.accuracy, _PROBABILITY, True),
    "auc": (_ranking.auc, _RANKING, True),
    "bounded_auc.below": (_Part(_ranking.bounded_auc, "below"), _PROBABILITY, True),
    "bounded_auc.beside": (_Part(_ranking.bounded_auc, "beside"), _PROBABILITY, True),
    "bounded_auc.concordant": (_Part(_ranking.bounded_auc, "concordant"), _PROBABILITY, True),
    "brier_score": (_scores.brier_score, _PROBABILITY, False),
    "dca_log_score": (_prevalence.dca_log_score, _PROBABILITY, True),
    "decompose.discrimination": (_Part(_scores.decompose, "discrimination"), _PROBABILITY, True),
    "decompose.miscalibration": (_Part(_scores.decompose, "miscalibration"), _PROBABILITY, False),
    "expected_regret": (_scores.expected_regret, _PROBABILITY, False),
    "feasible_partial_auc": (_limits.feasible_partial_auc, _RANKING, True),
    "h_measure": (_ranking.h_measure, _RANKING, True),
    "log_loss": (_scores.log_loss, _PROBABILITY, False),
    "max_feasible_recall": (_limits.max_feasible_recall, _RANKING, True),
    "net_benefit": (_scores.net_benefit, _PROBABILITY, True),
    "partial_auc": (_ranking.partial_auc, _RANKING, True),
    "partial_voros": (_limits.partial_voros, _RANKING, True),
    "prior_adjusted_net_benefit": (_prevalence.prior_adjusted_net_benefit, _PROBABILITY, True),
    "shifted_accuracy": (_prevalence.shifted_accuracy, _PROBABILITY, True),
    "shifted_net_benefit": (_prevalence.shifted_net_benefit, _PROBABILITY, True),
    "shifted_regret": (_prevalence.shifted_regret, _PROBABILITY, False),
    "shifted_weighted_accuracy": (_prevalence.shifted_weighted_accuracy, _PROBABILITY, True),
    "skill_score": (_scores.skill_score, _PROBABILITY, True),
    "top_k.net_benefit": (_Part(_ranking.top_k, "net_benefit"), _RANKING, True),
    "top_k.precision": (_Part(_ranking.top_k, "precision"), _RANKING, True),
    "top_k.recall": (_Part(_ranking.top_k, "recall"), _RANKING, True),
    "top_k.regret": (_Part(_ranking.top_k, "regret"), _RANKING, False),
    "top_k.true_positives": (_Part(_ranking.top_k, "true_positives"), _RANKING, True),
    "voros": (_limits.voros, _RANKING, True),
    "weighted_accuracy": (_scores.weighted_accuracy, _PROBABILITY, True),
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
        Passed on to the metric, for example ``costs="5%..20%"`` or ``pos_label="ill"``.

    Returns
    -------
    callable
        A scorer ``(estimator, X, y) -> float`` made by `sklearn.metrics.make_scorer`.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.linear_model import LogisticRegression
    >>> from stakes.metrics import scorer
    >>> X, y = np.array([[0.0], [1.0], [2.0], [3.0]]), np.array([0, 0, 1, 1])
    >>> model = LogisticRegression().fit(X, y)
    >>> bool(scorer("expected_regret", costs="5%..20%")(model, X, y) < 0)
    True
    """
    from sklearn.metrics import make_scorer

    metric, response, larger_is_better = _SCORERS[_check.known("name", name, _SCORERS)]
    _check.parameters(name, metric.metric if isinstance(metric, _Part) else metric, parameters)
    for belief in {"costs", "prevalence"} & set(parameters):  # a wrong one would fail in every fold
        if parameters[belief] is not None:
            parameters[belief] = as_belief(belief, parameters[belief])
    return make_scorer(metric, response_method=response, greater_is_better=larger_is_better, **parameters)

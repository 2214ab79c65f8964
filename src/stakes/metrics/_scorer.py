"""Scikit-learn scorers of the metrics, from the facts that each measure states."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from stakes import _check
from stakes.beliefs import as_belief
from stakes.measures import REGISTRY, StatedMeasure
from stakes.metrics._follow_up_scorer import follow_up_scorer
from stakes.metrics._samples import Column


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


# Methods of the estimator that a scorer calls, the first that it has.
_RESPONSE = {"probabilities": "predict_proba", "order": ("decision_function", "predict_proba")}


def _measures() -> dict[str, StatedMeasure]:
    """Return the measures that have a metric, by name, such as ``"auc"`` or ``"top_k.precision"``."""
    from stakes import metrics

    return {name: stated for name, stated in REGISTRY.items() if hasattr(metrics, stated.function.__name__)}


def metric_of(stated: StatedMeasure) -> Callable[..., Any]:
    """Return the metric of arrays that gives a measure."""
    from stakes import metrics

    whole: Callable[..., Any] = getattr(metrics, stated.function.__name__)
    return _Part(whole, stated.field) if stated.field else whole


def scorer(name: str, *, horizon: float | None = None, **parameters: Any) -> Any:
    """Make a scikit-learn scorer of one of these metrics, with a sign that makes larger better.

    Regret and losses come out negated, as scikit-learn's own ``neg_log_loss`` does, so that the better
    model wins in `cross_validate`, `GridSearchCV` and everything else that takes ``scoring=``.

    Parameters
    ----------
    name : str
        A metric of this module; one field of those that give several is written ``"top_k.precision"``.
    horizon : float, keyword-only, optional
        For `y` with an event and a time of each case, a structured array as scikit-survival's: the time by which the
        event counts. The risk is one minus what `predict_survival_function` of the estimator gives there, or what its
        `predict_proba` gives; censoring is estimated from the cases scored, in each fold anew.
    **parameters
        Passed on to the metric, for example ``costs="5%..20%"`` or ``pos_label="ill"``.

    Returns
    -------
    callable
        A scorer ``(estimator, X, y) -> float``, made by `sklearn.metrics.make_scorer` unless there is a horizon.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.linear_model import LogisticRegression
    >>> from stakes.metrics import scorer
    >>> X, y = np.array([[0.0], [1.0], [2.0], [3.0]]), np.array([0, 0, 1, 1])
    >>> model = LogisticRegression().fit(X, y)
    >>> bool(scorer("expected_regret", costs="5%..20%")(model, X, y) < 0)
    True

    Events and times, and the risk by the fifth year:

    >>> followed = np.array([(True, 2.0), (False, 6.0), (False, 3.0), (True, 4.0)], dtype="?,f8")
    >>> bool(scorer("expected_regret", costs="5%..20%", horizon=5)(model, X, followed) < 0)
    True
    """
    from sklearn.metrics import make_scorer

    measures = _measures()
    stated = measures[_check.nearest_choice("name", name, measures)]
    metric = metric_of(stated)
    _check.check_parameters(name, metric.metric if isinstance(metric, _Part) else metric, parameters)
    for belief in {"costs", "prevalence"} & set(parameters):  # a wrong one would fail in every fold
        if parameters[belief] is not None:
            parameters[belief] = as_belief(belief, parameters[belief], case_costs=belief == "costs")
    larger, response = stated.better == "larger", _RESPONSE[stated.reads]
    if horizon is not None:
        of_order = stated.reads == "order"
        return follow_up_scorer(metric, horizon, larger=larger, order=of_order, parameters=parameters)
    return make_scorer(metric, response_method=response, greater_is_better=larger, **parameters)

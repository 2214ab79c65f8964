"""Estimators for scikit-learn that decide by stated costs; the extra `validation` has all they need."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from stakes import _check
from stakes._errors import InputError, InputTypeError, MissingPackageError
from stakes.policy import Policy

try:
    from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin
    from sklearn.exceptions import NotFittedError
    from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping, process_routing
    from sklearn.utils.metaestimators import available_if
    from sklearn.utils.validation import check_is_fitted
except ImportError:
    raise MissingPackageError(
        "scikit-learn", "'stakes[validation]'", "to decide by a policy", "`stakes.estimators`"
    ) from None

__all__ = ["PolicyClassifier"]

_RESPONSES = ("predict_proba", "decision_function")


def _inner_has(method: str) -> Any:
    return available_if(lambda self: hasattr(self.estimator, method))


class PolicyClassifier(MetaEstimatorMixin, ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A fitted classifier whose predictions are the decisions of a policy.

    The estimator is fitted already and stays as it is: `fit` only checks that, and a clone keeps it. So it can stand at
    the end of code that expects a classifier, and `predict` acts as `Policy.act` does, to the last tie. An evaluation
    hands one out: ``evaluation.classifier(estimator)``.

    Parameters
    ----------
    estimator : estimator
        A fitted classifier of two classes, of which the second is the positive one unless `pos_label` says otherwise.
    policy : Policy
        The thresholds on its scores.
    cost : float or words, keyword-only, optional
        The cost to decide at, on the scale of the policy; needed if the policy has several steps. `predict` also takes
        one, or one for each case.
    prevalence : float or words, keyword-only, optional
        Prevalence where it is used, if not that of the policy.
    response_method : {"predict_proba", "decision_function"}, keyword-only
        The scores that the policy was chosen on.
    pos_label : label, keyword-only, optional
        Label of the positive class.

    Attributes
    ----------
    classes_ : ndarray
        The labels of the estimator.

    Examples
    --------
    >>> from sklearn.linear_model import LogisticRegression
    >>> from stakes import best_thresholds, score_table
    >>> from stakes.estimators import PolicyClassifier
    >>> X, y = [[0.0], [1.0], [2.0], [3.0]], [0, 1, 0, 1]
    >>> fitted = LogisticRegression().fit(X, y)
    >>> policy = best_thresholds(score_table(y, fitted.predict_proba(X)[:, 1]), "10%..50%")
    >>> PolicyClassifier(fitted, policy, cost="10%").predict(X)
    array([0, 1, 1, 1])
    """

    def __init__(
        self,
        estimator: Any,
        policy: Policy,
        *,
        cost: float | str | None = None,
        prevalence: float | str | None = None,
        response_method: str = "predict_proba",
        pos_label: Any = None,
    ) -> None:
        self.estimator = estimator
        self.policy = policy
        self.cost = cost
        self.prevalence = prevalence
        self.response_method = response_method
        self.pos_label = pos_label

    def fit(self, X: Any, y: Any = None, **params: Any) -> PolicyClassifier:  # noqa: N803
        """Check that the estimator is fitted; nothing is fitted, and data and metadata are ignored."""
        self._check_estimator()
        return self

    def __sklearn_is_fitted__(self) -> bool:
        check_is_fitted(self.estimator)
        return True

    def __sklearn_clone__(self) -> PolicyClassifier:
        """Return a copy with the same fitted estimator, which a policy belongs to."""
        return type(self)(**self.get_params(deep=False))

    @property
    def classes_(self) -> npt.NDArray[Any]:
        """The labels of the estimator."""
        return np.asarray(self.estimator.classes_)

    def predict(
        self,
        X: Any,  # noqa: N803
        cost: float | str | npt.ArrayLike | None = None,
        **params: Any,
    ) -> npt.NDArray[Any]:
        """Return the positive label for every case to act on, and the other one for the rest.

        Parameters
        ----------
        X : array-like
            The cases, as the estimator takes them.
        cost : float, words or array-like, optional
            The cost, or one for each case, in place of that of the classifier.
        **params
            Metadata that the estimator asks for.

        Returns
        -------
        ndarray
            A label of `classes_` for each case.
        """
        _check.check_type(Policy, "policy", self.policy)
        self._check_estimator()
        labels, positive = self.classes_, self._positive()
        at = self.cost if cost is None else cost
        acts = self.policy.act(self._scores(X, positive, params), at, prevalence=self.prevalence)
        return np.asarray(labels[np.where(acts, positive, 1 - positive)])

    def _check_estimator(self) -> None:
        """Raise unless the estimator is a fitted classifier with the scores that the policy needs."""
        method, given = (
            _check.choice("response_method", self.response_method, _RESPONSES),
            type(self.estimator).__name__,
        )
        if not hasattr(self.estimator, method):
            raise InputTypeError("estimator", f"be a classifier with `{method}`", given)
        if not hasattr(self.estimator, "classes_"):
            raise NotFittedError(f"`estimator` must be fitted, got {given} without `classes_`.")

    def _positive(self) -> int:
        """Return the index of the positive label."""
        labels = self.classes_
        if len(labels) != 2:
            raise InputError("estimator", "have two classes", f"{len(labels)}")
        if self.pos_label is None:
            return 1
        found = np.flatnonzero(labels == self.pos_label)
        if not len(found):
            raise InputError("pos_label", f"be one of {labels.tolist()}", _check.show(self.pos_label))
        return int(found[0])

    def _scores(self, X: Any, positive: int, params: dict[str, Any]) -> npt.NDArray[Any]:  # noqa: N803
        """Return the scores of the positive class."""
        method = _check.choice("response_method", self.response_method, _RESPONSES)
        routed = process_routing(self, "predict", **params).estimator[method] if params else {}
        scores = np.asarray(getattr(self.estimator, method)(X, **routed))
        if method == "predict_proba":
            return np.asarray(scores[:, positive])
        return scores if positive == 1 else -scores

    @_inner_has("predict_proba")  # type: ignore[untyped-decorator]
    def predict_proba(self, X: Any) -> npt.NDArray[Any]:  # noqa: N803
        """Return the probabilities of the estimator, unchanged."""
        return np.asarray(self.estimator.predict_proba(X))

    @_inner_has("decision_function")  # type: ignore[untyped-decorator]
    def decision_function(self, X: Any) -> npt.NDArray[Any]:  # noqa: N803
        """Return the decision function of the estimator, unchanged."""
        return np.asarray(self.estimator.decision_function(X))

    def get_metadata_routing(self) -> MetadataRouter:
        """Return which metadata `predict` passes on to the method of the estimator that scores."""
        routes = MethodMapping().add(caller="predict", callee=self.response_method)
        router = MetadataRouter(owner=type(self).__name__).add_self_request(self)
        return router.add(estimator=self.estimator, method_mapping=routes)

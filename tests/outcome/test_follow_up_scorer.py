"""Scorers for structured arrays of events and times, in cross-validation as scikit-learn does it."""

from dataclasses import dataclass

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.base import BaseEstimator
from sklearn.model_selection import KFold, cross_validate

from stakes import EventBy, InputError, metrics
from stakes.metrics import scorer


class Exponential(BaseEstimator):
    """A survival model that has learnt nothing but a rate, with scikit-survival's method."""

    def fit(self, X, y):
        event, time = y.dtype.names
        self.rate_ = y[event].sum() / y[time].sum()
        return self

    def predict_survival_function(self, X):
        return [Survival(self.rate_ * np.exp(x[0])) for x in X]

    def predict(self, X):
        return X[:, 0]


@dataclass
class Survival:
    rate: float

    def __call__(self, time):
        return np.exp(-self.rate * time)


class Ordered(BaseEstimator):
    """A model that gives an order alone."""

    def fit(self, X, y):
        return self

    def predict(self, X):
        return 3 * X[:, 0]


def sample(size=200, seed=8):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(size, 1))
    died, left = rng.exponential(5 * np.exp(-X[:, 0])), rng.uniform(1, 12, size)
    y = np.array(list(zip(died <= left, np.minimum(died, left), strict=True)), dtype=[("dead", bool), ("years", float)])
    return X, y


FOLDS = KFold(4, shuffle=True, random_state=0)


def test_each_fold_is_scored_with_its_own_censoring():
    X, y = sample()
    chosen = {name: scorer(name, horizon=5, **more) for name, more in SCORED.items()}
    found = cross_validate(Exponential(), X, y, cv=FOLDS, scoring=chosen)
    for fold, (train, test) in enumerate(FOLDS.split(X)):
        model = Exponential().fit(X[train], y[train])
        risk = 1 - np.exp(-model.rate_ * np.exp(X[test, 0]) * 5)
        outcome = EventBy(y["years"][test], y["dead"][test], 5)
        for name, more in SCORED.items():
            sign = 1 if name in ("auc", "net_benefit") else -1
            assert_allclose(found[f"test_{name}"][fold], sign * getattr(metrics, name)(outcome, risk, **more))


SCORED = {"expected_regret": {"costs": "5%..20%"}, "brier_score": {}, "auc": {}, "net_benefit": {"costs": "10%"}}


def test_a_measure_of_order_takes_any_score():
    X, y = sample()
    found = scorer("auc", horizon=5)(Ordered(), X, y)
    assert_allclose(found, metrics.auc(EventBy(y["years"], y["dead"], 5), X[:, 0]))


def test_a_field_of_a_record_is_scored_at_a_horizon():
    X, y = sample()
    found = scorer("top_k.precision", k=20, horizon=5)(Exponential().fit(X, y), X, y)
    assert_allclose(found, metrics.top_k(EventBy(y["years"], y["dead"], 5), X[:, 0], k=20).precision)


def test_what_cannot_be_scored_is_refused():
    X, y = sample()
    with pytest.raises(InputError) as error:
        scorer("brier_score", horizon=5)(Ordered(), X, y)
    assert str(error.value) == (
        "`estimator` must have `predict_survival_function` or `predict_proba`, for a risk by the horizon, got Ordered."
    )
    with pytest.raises(InputError) as error:
        scorer("brier_score", horizon=5)(Exponential().fit(X, y), X, y["years"])
    assert str(error.value) == "`y` must be a structured array with one boolean and one numeric field, got ndarray."
    with pytest.raises(InputError) as error:
        scorer("brier_score", horizon=0)
    assert str(error.value) == "`horizon` must be finite and greater than 0, got 0."

"""A fitted classifier that decides by a policy, where scikit-learn expects a classifier."""

import numpy as np
import pytest
import sklearn
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from stakes import InputError, best_thresholds, evaluate, score_table
from stakes.estimators import PolicyClassifier

RNG = np.random.default_rng(2)
X = RNG.normal(size=(400, 2))
Y = (RNG.random(400) < 1 / (1 + np.exp(1 - X[:, 0]))).astype(int)
FITTED = LogisticRegression().fit(X, Y)
SCORE = FITTED.predict_proba(X)[:, 1]
POLICY = best_thresholds(score_table(Y, SCORE), "5%..60%")


def test_predictions_are_the_decisions_of_the_policy():
    for cost in (0.05, "10%", 0.6):
        assert np.array_equal(PolicyClassifier(FITTED, POLICY, cost=cost).predict(X), POLICY.act(SCORE, cost))
    each = RNG.uniform(0.05, 0.6, 400)
    assert np.array_equal(PolicyClassifier(FITTED, POLICY).predict(X, cost=each), POLICY.act(SCORE, each))
    there = PolicyClassifier(FITTED, POLICY, cost=0.2, prevalence=0.3)
    assert np.array_equal(there.predict(X), POLICY.act(SCORE, 0.2, prevalence=0.3))


def test_an_evaluation_hands_one_out():
    evaluation = evaluate(Y, {"mine": SCORE, "constant": np.full(400, Y.mean())}, "5%..60%")
    classifier = evaluation.classifier(FITTED, cost=0.1)
    assert np.array_equal(classifier.predict(X), evaluation.policy("mine").act(SCORE, 0.1))
    assert classifier.policy.model == "mine"


def test_a_clone_keeps_the_fitted_estimator_and_fit_fits_nothing():
    classifier = PolicyClassifier(FITTED, POLICY, cost=0.2)
    copy = clone(classifier).set_params(cost=0.5)
    assert classifier.cost == 0.2
    assert copy.estimator is FITTED
    assert copy.fit(X[:5], 1 - Y[:5]) is copy
    assert np.array_equal(copy.predict(X), POLICY.act(SCORE, 0.5))
    assert np.array_equal(cross_val_predict(classifier, X, Y, cv=3), POLICY.act(SCORE, 0.2))
    assert np.array_equal(classifier.predict_proba(X), FITTED.predict_proba(X))
    assert np.array_equal(classifier.decision_function(X), FITTED.decision_function(X))
    with pytest.raises(NotFittedError):
        PolicyClassifier(LogisticRegression(), POLICY).fit(X, Y)


def test_labels_and_scores_of_another_kind():
    words = np.array(["fraud", "well"])
    named = LogisticRegression().fit(X, words[1 - Y])
    classifier = PolicyClassifier(named, POLICY, cost=0.2, pos_label="fraud")
    assert np.array_equal(classifier.predict(X) == "fraud", POLICY.act(named.predict_proba(X)[:, 0], 0.2))
    margins = best_thresholds(score_table(Y, FITTED.decision_function(X)), 0.2)
    by_margin = PolicyClassifier(FITTED, margins, response_method="decision_function")
    assert np.array_equal(by_margin.predict(X), margins.act(FITTED.decision_function(X)))


def test_costs_are_routed_through_a_pipeline():
    each = RNG.uniform(0.05, 0.6, 400)
    scaler = StandardScaler().fit(X)
    fitted = LogisticRegression().fit(scaler.transform(X), Y)
    policy = best_thresholds(score_table(Y, fitted.predict_proba(scaler.transform(X))[:, 1]), "5%..60%")
    with sklearn.config_context(enable_metadata_routing=True):
        last = PolicyClassifier(fitted, policy).set_predict_request(cost=True)
        pipeline = make_pipeline(scaler, last)
        found = pipeline.predict(X, cost=each)
    assert np.array_equal(found, policy.act(fitted.predict_proba(scaler.transform(X))[:, 1], each))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"policy": 3}, "`policy` must"),
        ({"response_method": "predict"}, "`response_method` must"),
        ({"pos_label": "ill"}, r"`pos_label` must be one of \[0, 1\], got 'ill'\."),
        ({"cost": None}, "`cost` must be given"),
        (
            {"estimator": LogisticRegression().fit(X[:6], [0, 1, 2, 0, 1, 2])},
            "`estimator` must have two classes, got 3",
        ),
    ],
)
def test_what_cannot_decide_is_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        PolicyClassifier(**{"estimator": FITTED, "policy": POLICY, "cost": 0.2} | arguments).predict(X)


def test_what_cannot_score_is_named():
    evaluation = evaluate(Y, {"mine": SCORE}, "10%")
    with pytest.raises(InputError, match="`estimator` must be a classifier with `predict_proba`, got str"):
        evaluation.classifier("x")
    for unfitted in (lambda one: evaluation.classifier(one), lambda one: PolicyClassifier(one, POLICY).predict(X)):
        with pytest.raises(NotFittedError, match="`estimator` must be fitted, got LogisticRegression"):
            unfitted(LogisticRegression())

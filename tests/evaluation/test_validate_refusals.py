"""What cannot be validated, and why: one sentence each."""

import sys

import numpy as np
import pytest
from evaluation.toys import Shares
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC

from stakes import InputError
from stakes.evaluation import validate

Y = np.tile([0, 1, 0], 8)
X = np.arange(24.0)[:, None] % 3
ONES = np.ones(24)
HALVES = [(np.arange(12), np.arange(12, 24)), (np.arange(12, 24), np.arange(12))]


class Broken(Shares):
    """Predicts something else than probabilities."""

    def __init__(self, answer=None):
        super().__init__()
        self.answer = answer

    def predict_proba(self, X):
        return np.full((len(X), 2), self.answer) if np.ndim(self.answer) == 0 else np.zeros((len(X), 3))


PAIRS = "hold pairs: rows to fit on, and rows to test on"
REFUSED = {
    "more folds than positives": ({"folds": 9}, "`folds` must be at most 8, the number of positive cases, got 9."),
    "more folds than clusters": (
        {"cluster": np.arange(24) // 6},
        "`folds` must be at most 4, the number of clusters with positive cases, got 10.",
    ),
    "one positive": (
        {"y": np.arange(24) == 3, "folds": 2},
        "`y` must have at least 2 positive cases, one to fit on and one to test on, got 1.",
    ),
    "no negative": ({"y": ONES}, "`y` must have at least 2 negative cases, one to fit on and one to test on, got 0."),
    "no negative to correct for": (
        {"y": ONES, "method": "optimism"},
        "`y` must have at least 1 negative case, got 0.",
    ),
    "no positive of weight to correct for": (
        {"weight": 1.0 - Y, "method": "optimism"},
        "`y` must have at least 1 positive case, got 0.",
    ),
    "one positive of weight": (
        {"weight": np.where(Y, np.arange(24) == 1, 1.0)},
        "`y` must have at least 2 positive cases, one to fit on and one to test on, got 1.",
    ),
    "no probabilities": (
        {"estimators": {"svm": LinearSVC()}},
        "`estimators['svm']` must have `predict_proba`, got LinearSVC, which has none.",
    ),
    "no estimator": (
        {"estimators": 3},
        "`estimators` must be an estimator of scikit-learn, or several by name, got int.",
    ),
    "a class": (
        {"estimators": LogisticRegression},
        "`estimators` must be an estimator of scikit-learn, or several by name, got the class LogisticRegression.",
    ),
    "none": ({"estimators": {}}, "`estimators` must hold at least one estimator, got none."),
    "no weights": (
        {"estimators": {"near": KNeighborsClassifier()}, "weight": ONES},
        "`estimators['near']` must accept `sample_weight` in `fit`, since `weight` is given, got KNeighborsClassifier.",
    ),
    "no weights in a pipeline": (
        {"estimators": make_pipeline(StandardScaler(), KNeighborsClassifier()), "weight": ONES},
        "`estimators` must accept `sample_weight` in `fit`, since `weight` is given, got Pipeline.",
    ),
    "rows without outcome": ({"X": X[1:]}, "`X` and `y` must have the same length, got 23 and 24."),
    "no rows": ({"X": 3}, "`X` must have a row for each case, as arrays, lists and data frames do, got int."),
    "a method of another kind": ({"method": "loo"}, "`method` must be one of optimism, cv, got 'loo'."),
    "predictions above 1": (
        {"estimators": Broken(1.5), "folds": 2},
        "`estimators` must predict probabilities between 0 and 1, got 1.5 at row 0.",
    ),
    "predictions that are missing": (
        {"estimators": {"a": Broken(np.nan)}, "folds": 2},
        "`estimators['a']` must predict probabilities between 0 and 1, got nan at row 0.",
    ),
    "classes that are not there": (
        {"estimators": Broken([]), "folds": 2},
        "`estimators` must predict the probabilities of 2 classes for 24 cases, got shape (24, 3).",
    ),
    "folds and repeats": (
        {"folds": HALVES, "repeats": 2},
        "`repeats` must be left out where `folds` are given, got 2; those are repeated as often as they test every "
        "case.",
    ),
    "no pairs": ({"folds": [3]}, f"`folds` must {PAIRS}, got int."),
    "no rows in a pair": ({"folds": [([0.5], [1])]}, "`folds` must hold row numbers, got float64 of shape (1,)."),
    "rows that are not there": ({"folds": [([0, 1], [24])]}, "`folds` must hold row numbers from 0 to 23, got 24."),
    "fitted to what is tested": (
        {"folds": [(np.arange(13), np.arange(12, 24))]},
        "`folds` must not fit on cases that they test, got one at row 12.",
    ),
    "one class to fit on": (
        {"folds": [([0, 2], [1])]},
        "`folds` must leave cases of both classes to fit on, got a fold that leaves only negative cases.",
    ),
    "not tested": (
        {"folds": HALVES[:1]},
        "`folds` must test every case once in a repeat, got one that is not tested at row 0.",
    ),
    "tested twice": (
        {"folds": [HALVES[0], (np.arange(11), np.arange(11, 24))]},
        "`folds` must test every case once in a repeat, got one twice at row 12.",
    ),
    "clusters in two folds": (
        {"folds": HALVES, "cluster": [f"ward {case % 5}" for case in range(24)]},
        "`folds` must keep clusters whole, got 'ward 0' on both sides of a split.",
    ),
    "folds of a bootstrap": (
        {"method": "optimism", "folds": 5},
        "`folds` must be left out for `method='optimism'`, got 5.",
    ),
    "groups of a bootstrap": (
        {"method": "optimism", "group": Y},
        "`group` must be left out for `method='optimism'`, which corrects all cases together.",
    ),
}


@pytest.mark.parametrize(("given", "wanted"), REFUSED.values(), ids=REFUSED)
def test_the_sentence_says_what_is_wrong(given, wanted):
    with pytest.raises(InputError) as raised:
        validate(**{"estimators": Shares(), "X": X, "y": Y, "decision": "20%", **given})
    assert str(raised.value) == wanted


def test_without_scikit_learn_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "sklearn", None)
    with pytest.raises(ImportError) as raised:
        validate(Shares(), X, Y, "20%", folds=2)
    assert str(raised.value) == (
        "`sklearn` must be installed to validate estimators: pip install 'stakes[validation]'."
    )

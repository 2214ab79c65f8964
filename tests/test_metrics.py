"""The scikit-learn face: the numbers of the table, for arrays; and scorers that prefer the better model."""

import copy
import inspect
import json
import pickle
import subprocess
import sys
from dataclasses import astuple, is_dataclass

import numpy as np
import pandas as pd
import polars as pl
import pytest
import sklearn
from homes import public
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from sklearn import config_context
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import accuracy_score, brier_score_loss, get_scorer, log_loss, roc_auc_score, roc_curve
from sklearn.model_selection import GridSearchCV, StratifiedKFold, cross_validate
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.svm import LinearSVC

import stakes
from stakes import At, Beta, CaseCosts, InputError, Limits, LogOddsUniform, Uniform, metrics, score_table
from stakes.beliefs import CostRatio, EveryLogOdds, FractionalCost, IndependentCosts
from stakes.measures import REGISTRY
from stakes.metrics._scorer import metric_of

# Each metric with parameters; those of "top_k" fit samples of weight 1 or more.
PARAMETERS = [
    ("accuracy", {}),
    ("accuracy", {"threshold": 0.35}),
    ("auc", {}),
    ("bounded_auc", {"score_range": (0.15, 0.6)}),
    ("brier_score", {}),
    ("cost_per_case", {"costs": "10%..35%"}),
    ("savings", {}),
    ("brier_score", {"cost_range": "10%..35%"}),
    ("dca_log_score", {"cost": 0.35, "prevalence_range": (0.02, 0.3)}),
    ("decompose", {"costs": LogOddsUniform(0.02, 0.7)}),
    ("expected_regret", {"costs": At(0.35)}),
    ("expected_regret", {"costs": Beta(2, 5)}),
    ("expected_regret", {"costs": IndependentCosts(false_negative=(2, 7), false_positive=(0.5, 3))}),
    ("feasible_partial_auc", {"limits": Limits()}),
    ("feasible_partial_auc", {"limits": Limits(capacity=0.6, min_precision=0.15)}),
    ("h_measure", {}),
    ("h_measure", {"costs": Uniform(0.05, 0.4)}),
    ("log_loss", {}),
    ("log_loss", {"cost_range": (0.1, 0.35)}),
    ("max_feasible_recall", {"limits": Limits(capacity=0.6)}),
    ("max_feasible_recall", {"limits": Limits(min_precision=0.4)}),
    ("net_benefit", {"costs": Uniform(0.05, 0.35)}),
    ("partial_auc", {}),
    ("partial_auc", {"fpr_range": (0.1, 0.6)}),
    ("partial_voros", {"costs": CostRatio(0.1, 0.7), "limits": Limits(capacity=0.6, min_precision=0.15)}),
    ("partial_voros", {"costs": Uniform(0.05, 0.35), "limits": Limits(capacity=0.6), "randomised": True}),
    ("prior_adjusted_net_benefit", {"costs": At(0.35), "prevalence": LogOddsUniform(0.02, 0.3)}),
    ("prior_adjusted_net_benefit", {"costs": Uniform(0.05, 0.35), "prevalence": At(0.13)}),
    ("shifted_accuracy", {"prevalence": At(0.13)}),
    ("shifted_accuracy", {"prevalence": Uniform(0.02, 0.3)}),
    ("shifted_net_benefit", {"costs": Uniform(0.05, 0.35), "prevalence": At(0.13)}),
    ("shifted_net_benefit", {"costs": LogOddsUniform(0.05, 0.35), "prevalence": Uniform(0.02, 0.3)}),
    ("shifted_regret", {"costs": Beta(2, 5), "prevalence": At(0.13)}),
    ("shifted_regret", {"costs": Uniform(0.05, 0.35), "prevalence": LogOddsUniform(0.02, 0.3)}),
    ("shifted_weighted_accuracy", {"costs": At(0.35), "prevalence": Uniform(0.02, 0.3)}),
    ("shifted_weighted_accuracy", {"costs": LogOddsUniform(0.05, 0.35), "prevalence": At(0.13)}),
    ("skill_score", {"costs": Beta(2, 5)}),
    ("top_k", {"k": 0.75}),
    ("top_k", {"k": 0.75, "cost": 0.3}),
    ("voros", {"costs": FractionalCost(0.1, 0.8)}),
    ("voros", {"costs": Uniform(0.05, 0.35)}),
    ("weighted_accuracy", {"cost": 0.35}),
]
IDS = [f"{name}({', '.join(f'{key}={value}' for key, value in found.items())})" for name, found in PARAMETERS]
every_metric = pytest.mark.parametrize(("name", "parameters"), PARAMETERS, ids=IDS)


def numbers(result):
    return astuple(result) if is_dataclass(result) else (result,)


def of_table(name, table, parameters):
    """Return the number of the table, with the parameters that its function takes by position put there."""
    parameters = dict(parameters)
    function = public(name)
    taken = inspect.signature(function).parameters.values()
    by_position = [parameters.pop(p.name) for p in taken if p.kind is not p.KEYWORD_ONLY and p.name in parameters]
    return numbers(function(table, *by_position, **parameters))


def of_arrays(name, y, score, **parameters):
    return numbers(getattr(metrics, name)(y, score, **parameters))


@st.composite
def samples(draw):
    """Outcomes of both classes, probabilities (many tied, some 0 and 1), and weights (some 0)."""
    score = st.sampled_from((0.0, 0.05, 0.1, 0.35, 0.6, 0.75, 1.0)) | st.floats(0, 1)
    case = st.tuples(st.booleans(), score, st.sampled_from((0.0, 0.25, 1.0, 3.5)))
    cases = [(True, draw(score), 1.0), (False, draw(score), 2.0), *draw(st.lists(case, max_size=8))]
    y, scores, weight = zip(*draw(st.permutations(cases)), strict=True)
    return np.array(y), np.array(scores), np.array(weight)


def test_every_metric_is_tested_here():
    assert {name for name, _ in PARAMETERS} == set(metrics.__all__) - {"scorer"}


@pytest.mark.sample(12)
@every_metric
@given(sample=samples())
@settings(max_examples=30, deadline=None)
def test_a_metric_is_the_number_of_the_table(name, parameters, sample):
    y, score, weight = sample
    weighted = of_arrays(name, y, score, sample_weight=weight, **parameters)
    assert_allclose(weighted, of_table(name, score_table(y, score, weight), parameters), rtol=1e-11, atol=1e-14)
    plain = of_arrays(name, y, score, **parameters)
    assert_allclose(plain, of_table(name, score_table(y, score), parameters), rtol=1e-11, atol=1e-14)


@pytest.mark.sample(4)
@every_metric
@given(sample=samples(), pos_label=st.sampled_from(("ill", "well")))
@settings(max_examples=20, deadline=None)
def test_a_metric_of_words_is_the_number_of_the_table_of_the_words(name, parameters, sample, pos_label):
    y, score, weight = sample
    words = np.where(y, "ill", "well")
    found = of_arrays(name, words, score, sample_weight=weight, pos_label=pos_label, **parameters)
    table = score_table(words == pos_label, score, weight)
    assert_allclose(found, of_table(name, table, parameters), rtol=1e-11, atol=1e-14)


@pytest.mark.sample(4)
@every_metric
@given(sample=samples())
@settings(max_examples=20, deadline=None)
def test_a_whole_weight_means_a_repeated_case(name, parameters, sample):
    y, score, weight = sample
    times = np.ceil(weight).astype(int)
    weighted = of_arrays(name, y, score, sample_weight=times, **parameters)
    repeated = of_arrays(name, np.repeat(y, times), np.repeat(score, times), **parameters)
    assert_allclose(weighted, repeated, rtol=1e-11, atol=1e-14)


Y = np.array([1, 0, 0, 1, 0, 1, 0])
SCORE = np.array([0.75, 0.25, 0.5, 0.5, 0.125, 0.875, 0.625])
WEIGHT = np.array([1.0, 2.0, 0.0, 0.5, 3.0, 1.0, 1.0])
WORDS = np.where(Y == 1, "ill", "well")

CONTAINERS = {
    "lists": (Y.tolist(), SCORE.tolist(), WEIGHT.tolist(), None),
    "booleans": (Y == 1, SCORE, WEIGHT, None),
    "a list of booleans": ((Y == 1).tolist(), SCORE, WEIGHT, None),
    "float32": (Y.astype(np.float32), SCORE.astype(np.float32), WEIGHT.astype(np.float32), None),
    "views": (np.repeat(Y, 2)[::2], np.repeat(SCORE, 3)[::3], np.repeat(WEIGHT, 2)[::2], None),
    "pandas": (pd.Series(Y, index=list("gfedcba")), pd.Series(SCORE), pd.Series(WEIGHT, index=range(7, 0, -1)), None),
    "pandas nullable": (pd.Series(Y, dtype="Int64"), pd.Series(SCORE, dtype="Float64"), pd.Series(WEIGHT), None),
    "polars": (pl.Series(Y == 1), pl.Series(SCORE), pl.Series(WEIGHT), None),
    "words": (WORDS.tolist(), SCORE, WEIGHT, "ill"),
    "an array of words": (WORDS, SCORE, WEIGHT, "ill"),
    "pandas words": (pd.Series(WORDS), SCORE, WEIGHT, "ill"),
    "pandas categories": (pd.Series(WORDS, dtype="category"), SCORE, WEIGHT, "ill"),
    "polars words": (pl.Series(WORDS), SCORE, WEIGHT, "ill"),
    "polars categories": (pl.Series(WORDS, dtype=pl.Categorical), SCORE, WEIGHT, "ill"),
    "plus and minus": (2 * Y - 1, SCORE, WEIGHT, 1),
    "zeros that are positive": (1 - Y, SCORE, WEIGHT, 0),
}


@pytest.mark.sample(3)
@every_metric
@pytest.mark.parametrize("container", CONTAINERS)
def test_a_metric_does_not_care_what_the_columns_come_in(name, parameters, container):
    y, score, weight, pos_label = CONTAINERS[container]
    expected = of_arrays(name, Y, SCORE, sample_weight=WEIGHT, **parameters)
    assert_array_equal(of_arrays(name, y, score, sample_weight=weight, pos_label=pos_label, **parameters), expected)
    plain = of_arrays(name, Y, SCORE, **parameters)
    assert_array_equal(of_arrays(name, y, score, pos_label=pos_label, **parameters), plain)


@every_metric
def test_a_metric_gives_plain_floats(name, parameters):
    assert {type(number) for number in of_arrays(name, Y, SCORE, **parameters)} == {float}


@every_metric
def test_a_metric_names_the_arguments_that_it_refuses(name, parameters):
    metric = getattr(metrics, name)
    score = "y_score" if "y_score" in metric.__annotations__ else "y_proba"
    for arguments, text in [
        (([0, 2], [0.1, 0.2]), "`y_true` must be 0 or 1, got 2 at row 1."),
        (([0, 1], [0.1, np.nan]), f"`{score}` must not have missing values, got 1 missing value, at row 1."),
        (([0, 1], [[0.9, 0.1], [0.2, 0.8]]), f"`{score}` must be one-dimensional, got shape (2, 2); "),
    ]:
        with pytest.raises(ValueError, match="must") as caught:
            metric(*arguments, **parameters)
        assert str(caught.value).startswith(text)
    with pytest.raises(ValueError, match="must") as caught:
        metric([0, 1], [0.1, 0.2], sample_weight=[1, -1], **parameters)
    assert str(caught.value) == "`sample_weight` must be finite and not negative, got -1 at row 1."


@every_metric
def test_a_metric_reads_probabilities_unless_only_the_order_matters(name, parameters):
    metric = getattr(metrics, name)
    if "y_score" in metric.__annotations__:
        metric([0, 1], [-3, 8], **parameters)
        return
    with pytest.raises(ValueError, match="must") as caught:
        metric([0, 1], [0.5, 8], **parameters)
    assert str(caught.value) == (
        "`y_proba` must be a probability between 0 and 1, got 8 at row 1; "
        "measures of ranking, such as `auc`, accept any number."
    )


UNDER_ANOTHER_PREVALENCE = [
    (name, parameters) for name, parameters in PARAMETERS if "prevalence" in parameters or name == "dca_log_score"
]
WITHOUT_A_CLASS = {
    "positives": ([0, 0], {}),
    "negatives": ([1, 1], {}),
    "positives that weigh something": ([0, 1], {"sample_weight": [2, 0]}),
}


@pytest.mark.parametrize(("name", "parameters"), UNDER_ANOTHER_PREVALENCE)
@pytest.mark.parametrize("absent", WITHOUT_A_CLASS)
def test_another_prevalence_needs_both_classes(name, parameters, absent):
    y, weight = WITHOUT_A_CLASS[absent]
    with pytest.raises(ValueError, match="must have both") as caught:
        getattr(metrics, name)(y, [0.1, 0.2], **weight, **parameters)
    assert str(caught.value) == f"`y_true` must have both classes, got no {absent.split()[0]}."


@pytest.mark.parametrize(("name", "parameters"), [found for found in PARAMETERS if {"limits"} <= {*found[1]}])
def test_limits_without_positives_leave_nothing_to_measure(name, parameters):
    with pytest.warns(RuntimeWarning, match=f"^`{name}` is undefined without positives; returning nan.$"):
        assert np.isnan(getattr(metrics, name)([0, 0], [3, -8], **parameters))


def test_an_infinite_loss_is_paid_only_by_those_whom_it_meets():
    y, score = [0, 1, 1, 0], [0.0, 1.0, 0.5, 0.5]
    assert_allclose(metrics.log_loss(y, score), np.log(2) / 2)
    assert metrics.log_loss([1, 1], [0.0, 0.5]) == np.inf
    assert_allclose(metrics.log_loss([1, 1], [0.0, 0.5], sample_weight=[0, 2]), np.log(2))


def test_a_large_sample_is_added_up_exactly_and_in_little_memory():
    import tracemalloc

    rng = np.random.default_rng(7)
    score = rng.random(300_000)
    y, weight = rng.random(300_000) < score, rng.random(300_000)
    exact = np.sum(np.square(y - score, dtype=np.longdouble)) / len(y)
    tracemalloc.start()
    found = metrics.brier_score(y, score)
    assert tracemalloc.get_traced_memory()[1] < 3_000_000  # the columns have 2,700,000 bytes
    tracemalloc.stop()
    assert_allclose(found, float(exact), rtol=1e-14)
    expected = np.sum(weight * np.square(y - score, dtype=np.longdouble)) / weight.sum()
    assert_allclose(metrics.brier_score(y, score, sample_weight=weight), float(expected), rtol=1e-14)
    single = metrics.brier_score(y, score.astype(np.float32))
    assert_allclose(single, found, rtol=1e-7)


# ------------------------------------------------------------------------------------------- scikit-learn's own metrics


def _probabilities(size=400):
    rng = np.random.default_rng(11)
    score = np.round(rng.beta(2, 4, size), 2)
    return rng.random(size) < score, score, rng.choice([0.5, 1.0, 2.5], size)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (metrics.brier_score, brier_score_loss),
        (metrics.log_loss, log_loss),
        (metrics.auc, roc_auc_score),
        (metrics.accuracy, lambda y, score, **weight: accuracy_score(y, score >= 0.5, **weight)),
    ],
)
def test_scikit_learn_says_the_same(ours, theirs, weighted):
    y, score, weight = _probabilities()
    weight = {"sample_weight": weight} if weighted else {}
    score = np.clip(score, 0.005, 0.995)
    assert_allclose(ours(y, score, **weight), theirs(y, score, **weight), rtol=1e-12)


@pytest.mark.parametrize("weighted", [False, True])
def test_scikit_learn_says_the_same_of_words(weighted):
    y, score, weight = _probabilities()
    words = np.where(y, "ill", "well")
    weight = {"sample_weight": weight} if weighted else {}
    expected = brier_score_loss(words, score, pos_label="ill", **weight)
    assert_allclose(metrics.brier_score(words, score, pos_label="ill", **weight), expected, rtol=1e-12)


@pytest.mark.parametrize("weighted", [False, True])
def test_the_partial_area_is_that_under_scikit_learns_curve(weighted):
    y, score, weight = _probabilities()
    weight = {"sample_weight": weight} if weighted else {}
    fpr, tpr, _ = roc_curve(y, score, drop_intermediate=False, **weight)
    inside = (fpr > 0.1) & (fpr < 0.35)
    left, right = np.interp([0.1, 0.35], fpr, tpr)
    area = np.trapezoid([left, *tpr[inside], right], [0.1, *fpr[inside], 0.35])
    assert_allclose(metrics.partial_auc(y, score, fpr_range=(0.1, 0.35), **weight), area, rtol=1e-12)


def test_skill_is_scikit_learns_share_of_deviance_explained():
    y, score, weight = _probabilities()
    score = np.clip(score, 0.005, 0.995)
    expected = sklearn.metrics.d2_log_loss_score(y, score, sample_weight=weight)
    assert_allclose(metrics.skill_score(y, score, costs=EveryLogOdds(), sample_weight=weight), expected, rtol=1e-12)


# ------------------------------------------------------------------------------------------- scorers

COSTS = Uniform(0.1, 0.6)
SCORER_PARAMETERS = {
    "accuracy": {"threshold": 0.4},
    "auc": {},
    "bounded_auc.below": {"score_range": (-100, 100)},
    "bounded_auc.beside": {"score_range": (-100, 100)},
    "bounded_auc.concordant": {"score_range": (-100, 100)},
    "brier_score": {},
    "cost_per_case": {"costs": COSTS},
    "savings": {},
    "dca_log_score": {"cost": 0.4, "prevalence_range": "5%..70%"},
    "decompose.discrimination": {"costs": COSTS},
    "decompose.miscalibration": {"costs": COSTS},
    "expected_regret": {"costs": COSTS},
    "feasible_partial_auc": {"limits": Limits(capacity=0.3)},
    "h_measure": {},
    "log_loss": {"cost_range": (0.01, 0.99)},
    "max_feasible_recall": {"limits": Limits(capacity=0.3)},
    "net_benefit": {"costs": At(0.4)},
    "partial_auc": {"fpr_range": (0, 0.5)},
    "partial_voros": {"costs": COSTS, "limits": Limits(capacity=0.3)},
    "prior_adjusted_net_benefit": {"costs": COSTS, "prevalence": At(0.2)},
    "shifted_accuracy": {"prevalence": At(0.4)},
    "shifted_net_benefit": {"costs": COSTS, "prevalence": At(0.2)},
    "shifted_regret": {"costs": COSTS, "prevalence": Uniform(0.1, 0.5)},
    "shifted_weighted_accuracy": {"costs": COSTS, "prevalence": At(0.2)},
    "skill_score": {"costs": COSTS},
    "top_k.net_benefit": {"k": 20, "cost": 0.3},
    "top_k.precision": {"k": 20},
    "top_k.recall": {"k": 20},
    "top_k.regret": {"k": 20, "cost": 0.3},
    "top_k.true_positives": {"k": 20},
    "voros": {"costs": COSTS},
    "weighted_accuracy": {"cost": 0.4},
}
SMALLER_IS_BETTER = {
    "brier_score",
    "cost_per_case",
    "decompose.miscalibration",
    "expected_regret",
    "log_loss",
    "shifted_regret",
    "top_k.regret",
}
every_scorer = pytest.mark.parametrize("name", SCORER_PARAMETERS)


class Column(ClassifierMixin, BaseEstimator):
    """A model that knows: the probability of the last class is a column of X."""

    def __init__(self, column=0):
        self.column = column

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict_proba(self, X):
        return np.column_stack([1 - X[:, self.column], X[:, self.column]])


def cases(size=400):
    """Column 0 is the risk itself, column 1 the risk of somebody else; weights that matter."""
    rng = np.random.default_rng(3)
    risk = rng.beta(0.9, 1.6, size)
    return np.column_stack([risk, rng.permutation(risk)]), rng.random(size) < risk, rng.choice([0.25, 1.0, 4.0], size)


def value(name, y, probability, **parameters):
    """Return what a scorer must give, by the metric itself."""
    metric, _, field = name.partition(".")
    found = getattr(metrics, metric)(y, probability, **SCORER_PARAMETERS[name], **parameters)
    return (-1 if name in SMALLER_IS_BETTER else 1) * (getattr(found, field) if field else found)


def test_every_scorer_is_tested_here():
    assert set(SCORER_PARAMETERS) == set(REGISTRY)
    assert {name.partition(".")[0] for name in SCORER_PARAMETERS} == set(metrics.__all__) - {"scorer"}


@every_scorer
def test_the_better_model_gets_the_larger_value(name):
    X, y, _ = cases()
    scorer = metrics.scorer(name, **SCORER_PARAMETERS[name])
    better, worse = (scorer(Column(column).fit(X, y), X, y) for column in (0, 1))
    assert better > worse
    assert better == value(name, y, X[:, 0])
    assert worse == value(name, y, X[:, 1])


@every_scorer
def test_the_better_model_gets_the_larger_value_in_cross_validation(name):
    X, y, _ = cases()
    scorer = metrics.scorer(name, **SCORER_PARAMETERS[name])
    better, worse = (cross_validate(Column(column), X, y, cv=3, scoring=scorer)["test_score"] for column in (0, 1))
    folds = StratifiedKFold(3).split(X, y)
    assert (better > worse).all()
    assert better.tolist() == [value(name, y[test], X[test, 0]) for _, test in folds]


@every_scorer
def test_weights_reach_the_scorer_by_metadata_routing(name):
    X, y, weight = cases()
    with sklearn.config_context(enable_metadata_routing=True):
        scorer = metrics.scorer(name, **SCORER_PARAMETERS[name]).set_score_request(sample_weight=True)
        found = cross_validate(Column(), X, y, cv=3, scoring=scorer, params={"sample_weight": weight})["test_score"]
        search = GridSearchCV(Column(), {"column": [1, 0]}, scoring=scorer, cv=3).fit(X, y, sample_weight=weight)
    folds = list(StratifiedKFold(3).split(X, y))
    expected = [value(name, y[test], X[test, 0], sample_weight=weight[test]) for _, test in folds]
    assert found.tolist() == expected
    assert found.tolist() != [value(name, y[test], X[test, 0]) for _, test in folds]
    assert search.best_params_ == {"column": 0}
    assert_allclose(search.best_score_, np.mean(expected))


@pytest.mark.sample(6)
@every_scorer
def test_a_weighted_search_does_not_find_the_scorer_unable_to_weigh(name):
    X, y, weight = cases(120)
    scorer = metrics.scorer(name, **SCORER_PARAMETERS[name])
    # Newer versions of scikit-learn pass the weights on, and warn (here: fail) where a scorer does not take them.
    GridSearchCV(LogisticRegression(), {"C": [1.0]}, scoring=scorer, cv=2).fit(X, y, sample_weight=weight)
    assert "sample_weight" in inspect.signature(metric_of(REGISTRY[name])).parameters


@every_scorer
def test_weights_reach_the_scorer_when_it_is_called(name):
    X, y, weight = cases()
    scorer = metrics.scorer(name, **SCORER_PARAMETERS[name])
    found = scorer(Column().fit(X, y), X, y, sample_weight=weight)
    assert found == value(name, y, X[:, 0], sample_weight=weight) != value(name, y, X[:, 0])


@pytest.mark.slow
@every_scorer
@pytest.mark.parametrize("pos_label", ["ill", "well"])
def test_words_have_the_positive_class_that_is_named(name, pos_label):
    X, y, _ = cases()
    words = np.where(y, "ill", "well")
    model = LogisticRegression().fit(X, words)
    scorer = metrics.scorer(name, pos_label=pos_label, **SCORER_PARAMETERS[name])
    of_classes = dict(zip(model.classes_, model.predict_proba(X).T, strict=True))
    assert_allclose(scorer(model, X, words), value(name, words, of_classes[pos_label], pos_label=pos_label))
    mirrored = metrics.scorer(name, pos_label=1, **SCORER_PARAMETERS[name])
    y = (words == pos_label).astype(int)
    assert_allclose(scorer(model, X, words), mirrored(LogisticRegression().fit(X, y), X, y))


def test_words_without_a_positive_label_are_told_to_name_one():
    X, y, _ = cases()
    words = np.where(y, "ill", "well")
    model = LogisticRegression().fit(X, words)
    with pytest.raises(ValueError, match="pos_label") as caught:
        metrics.scorer("auc")(model, X, words)
    first = words[0]
    assert str(caught.value) == (
        f"`y_true` must be 0 or 1, got {str(first)!r} at row 0; "
        "name the positive label with `pos_label` (labels found: 'ill', 'well')."
    )


@pytest.mark.slow
def test_the_better_model_wins_a_search_in_several_processes_by_every_scorer():
    X, y, _ = cases()
    # `np.take` keeps one column of X: the risk, or that of somebody else.
    model = make_pipeline(FunctionTransformer(np.take), KNeighborsClassifier(20))
    seen = [{"indices": [column], "axis": 1} for column in (1, 0)]
    scorers = {name: metrics.scorer(name, **parameters) for name, parameters in SCORER_PARAMETERS.items()}
    grid = {"functiontransformer__kw_args": seen}
    search = GridSearchCV(model, grid, scoring=scorers, cv=2, refit="expected_regret", n_jobs=2).fit(X, y)
    assert search.best_params_ == {"functiontransformer__kw_args": {"indices": [0], "axis": 1}}
    means = {name: search.cv_results_[f"mean_test_{name}"] for name in scorers}
    assert [name for name, (worse, better) in means.items() if not better > worse] == []


@every_scorer
def test_a_scorer_can_be_copied_pickled_and_shown(name):
    X, y, _ = cases()
    scorer = metrics.scorer(name, **SCORER_PARAMETERS[name])
    expected = scorer(Column().fit(X, y), X, y)
    in_search = clone(GridSearchCV(Column(), {"column": [0]}, scoring=scorer)).scoring
    for twin in (copy.deepcopy(scorer), pickle.loads(pickle.dumps(scorer)), in_search):
        assert twin(Column().fit(X, y), X, y) == expected
        assert repr(twin) == repr(scorer)
    assert repr(scorer).startswith(f"make_scorer({name}, ")
    for key, found in SCORER_PARAMETERS[name].items():
        assert f", {key}={found}" in repr(scorer)


def reads(name):
    """Return what a metric reads: ``y_proba`` or ``y_score``."""
    return [*inspect.signature(getattr(metrics, name.partition(".")[0])).parameters][1]


# The range of `bounded_auc` is one of scores: to take it for probabilities here and decisions there would be wrong.
RANKING = [name for name in SCORER_PARAMETERS if reads(name) == "y_score" and not name.startswith("bounded_auc")]


@pytest.mark.parametrize("name", RANKING)
def test_a_ranking_scorer_takes_a_decision_function(name):
    X, y, _ = cases()
    model = LinearSVC().fit(X, y)
    assert not hasattr(model, "predict_proba")
    scorer = metrics.scorer(name, **SCORER_PARAMETERS[name])
    assert scorer(model, X, y) == value(name, y, model.decision_function(X))


@pytest.mark.parametrize("name", [name for name in SCORER_PARAMETERS if name not in RANKING])
def test_a_model_without_probabilities_gets_scikit_learns_own_error(name):
    X, y, _ = cases()
    model = LinearSVC().fit(X, y)
    with pytest.raises(AttributeError, match="predict_proba") as theirs:
        get_scorer("neg_brier_score")(model, X, y)
    with pytest.raises(AttributeError, match="predict_proba") as ours:
        metrics.scorer(name, **SCORER_PARAMETERS[name])(model, X, y)
    assert str(ours.value) == str(theirs.value)


def test_any_scikit_learn_classifier_will_do():
    X, y, _ = cases()
    scorer = metrics.scorer("expected_regret", costs=COSTS)
    for model in (GaussianNB(), LogisticRegression(), KNeighborsClassifier(30)):
        better, worse = (cross_validate(model, X[:, [column]], y, scoring=scorer)["test_score"] for column in (0, 1))
        assert better.mean() > worse.mean()


@pytest.mark.parametrize(
    ("typed", "meant"), [("briar_score", "brier_score"), ("regret", "expected_regret"), ("AUC", "auc")]
)
def test_an_unknown_scorer_is_answered_with_the_few_that_may_be_meant(typed, meant):
    with pytest.raises(ValueError, match="must be one of") as caught:
        metrics.scorer(typed)
    *names, others = (
        str(caught.value).removeprefix("`name` must be one of ").removesuffix(f", got {typed!r}.").split(", ")
    )
    assert meant in names
    assert len(names) <= 4
    assert others == f"or of {len(SCORER_PARAMETERS) - len(names)} others"


def test_an_unknown_scorer_that_is_like_none_is_answered_with_all():
    with pytest.raises(ValueError, match="must be one of") as caught:
        metrics.scorer("q")
    assert all(name in str(caught.value) for name in SCORER_PARAMETERS)


@pytest.mark.parametrize(
    ("name", "parameters", "kind", "text"),
    [
        ("expected_regret", {}, TypeError, "`parameters` must have `costs` for 'expected_regret', got none."),
        ("top_k.recall", {}, TypeError, "`parameters` must have `k` for 'top_k.recall', got none."),
        (
            "bounded_auc.below",
            {"pos_label": 1},
            TypeError,
            "`parameters` must have `score_range` for 'bounded_auc.below', got none.",
        ),
        ("expected_regret", {"cost": At(0.2)}, ValueError, "`parameters` must be one of costs, pos_label, got 'cost'."),
        (
            "shifted_regret",
            {},
            TypeError,
            "`parameters` must have `costs` and `prevalence` for 'shifted_regret', got none.",
        ),
        (
            "dca_log_score",
            {"cost": 0.2},
            TypeError,
            "`parameters` must have `prevalence_range` for 'dca_log_score', got none.",
        ),
        (
            "partial_voros",
            {"costs": At(0.2)},
            TypeError,
            "`parameters` must have `limits` for 'partial_voros', got none.",
        ),
        ("auc", {"sample_weight": [1]}, ValueError, "`parameters` must be one of pos_label, got 'sample_weight'."),
    ],
)
def test_parameters_are_judged_when_the_scorer_is_made(name, parameters, kind, text):
    with pytest.raises(kind) as caught:
        metrics.scorer(name, **parameters)
    assert str(caught.value) == text


# ------------------------------------------------------------------------------------------- by `import stakes` alone

ALONE = """
import json, sys
import stakes
rooms = ("datasets", "metrics", "plot")
before = [room for room in rooms if f"stakes.{room}" in sys.modules]
found = stakes.metrics.auc([0, 1, 0, 1], [1, 1, 2, 3]), len(stakes.datasets.load_cohort()["cancer"])
after = [room for room in rooms if f"stakes.{room}" in sys.modules]
print(json.dumps([before, found, after]))
"""


@pytest.mark.slow
def test_metrics_and_datasets_are_there_after_importing_stakes_and_loaded_when_asked_for():
    done = subprocess.run([sys.executable, "-W", "error", "-c", ALONE], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    before, found, after = json.loads(done.stdout)
    assert before == []
    assert found == [0.625, 750]
    assert after == ["datasets", "metrics"]


def test_what_is_not_there_is_not_there():
    with pytest.raises(AttributeError, match=r"^module 'stakes' has no attribute 'metric'$"):
        stakes.metric  # noqa: B018


@pytest.mark.parametrize("belief", ["costs", "prevalence"])
def test_a_scorer_refuses_what_is_no_belief_before_any_fold(belief):
    beliefs = {"costs": Uniform(0.05, 0.2), "prevalence": At(0.1)}
    with pytest.raises(ValueError, match=rf"^`{belief}` must lie strictly between 0 and 1, got 20; 20% is 0\.2\.$"):
        metrics.scorer("shifted_regret", **{**beliefs, belief: 20})
    with pytest.raises(ValueError, match=rf"^`{belief}` must look like 10%, .* got 'dear'\.$"):
        metrics.scorer("shifted_regret", **{**beliefs, belief: "dear"})


def test_a_scorer_reads_words():
    X, y = np.array([[0.1], [0.4], [0.35], [0.8]]), np.array([0, 0, 1, 1])

    class Model(ClassifierMixin, BaseEstimator):
        def fit(self, X, y):
            self.classes_ = np.unique(y)
            return self

        def predict_proba(self, X):
            return np.column_stack([1 - X[:, 0], X[:, 0]])

    model = Model().fit(X, y)
    words, belief = (metrics.scorer("expected_regret", costs=costs) for costs in ("5%..20%", Uniform(0.05, 0.2)))
    assert words(model, X, y) == belief(model, X, y)


def test_costs_of_cases_are_sliced_with_the_cases():
    X, y, _ = cases()
    amounts = np.column_stack([10.0 + 90 * (np.arange(len(y)) % 7), np.full(len(y), 5.0)])
    folds = [(np.arange(len(y)) % 3 != k, np.arange(len(y)) % 3 == k) for k in range(3)]
    with config_context(enable_metadata_routing=True):
        scorer = metrics.scorer("cost_per_case").set_score_request(case_costs=True)
        found = cross_validate(Column(0), X, y, cv=folds, scoring=scorer, params={"case_costs": amounts})["test_score"]
    wanted = [-metrics.cost_per_case(y[here], X[here, 0], case_costs=amounts[here]) for _, here in folds]
    assert_allclose(found, wanted, rtol=1e-12)
    assert min(wanted) < max(wanted) < 0


@every_metric
def test_every_metric_takes_costs_of_cases(name, parameters):
    y, p, costs = [0, 1, 1, 0, 1, 0], [0.1, 0.8, 0.4, 0.6, 0.7, 0.3], CaseCosts(false_negative=[5, 6, 7, 8, 9, 9])
    two = np.column_stack([costs.false_negative, np.ones(6)])
    given = costs, two, np.column_stack([two, np.zeros((6, 2))])  # the object, and arrays of two and of four columns
    if name in NOT_IN_MONEY:
        for one in given:
            with pytest.raises(InputError, match="`table` must have no case costs for "):
                of_arrays(name, y, p, case_costs=one, **parameters)
    else:
        wanted = of_table(name, score_table(y, p, case_costs=costs), parameters)
        for one in given:
            assert_allclose(of_arrays(name, y, p, case_costs=one, **parameters), wanted, rtol=1e-12)


NOT_IN_MONEY = {"voros", "partial_voros", "feasible_partial_auc", "dca_log_score", "prior_adjusted_net_benefit"}
NOT_IN_MONEY |= {f"shifted_{name}" for name in ("accuracy", "net_benefit", "weighted_accuracy")}

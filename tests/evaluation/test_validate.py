"""Procedures validated: fitted to some cases, judged on others, again and again."""

import io
import itertools
import json
from importlib.resources import files

import jsonschema
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from evaluation.samples import kinds, risks
from evaluation.toys import Bold, Known, Shares
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import RepeatedStratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

from stakes import At, Decision, Limits, Uniform, auc, evaluate, expected_regret, score_table
from stakes._roles import FrameColumns
from stakes.evaluation import _sources, validate
from stakes.evaluation._fitting import FitData
from stakes.evaluation._splits import make_repeats
from stakes.uncertainty import _replicates

COSTS = Uniform(0.05, 0.4)
Y, LOGIT = risks(90, seed=8)
X = np.column_stack([np.round(LOGIT), 1 / (1 + np.exp(-LOGIT))])
WEIGHT = np.random.default_rng(2).uniform(0.5, 2, len(Y))
CLUSTER = np.random.default_rng(3).integers(0, 25, len(Y))
BOTH = {"calm": Shares(), "bold": Bold()}
near = {"rel": 1e-12, "abs": 1e-14}
RNG = np.random.default_rng
HALVES = [(CLUSTER % 2 == 0, CLUSTER % 2 == 1), (CLUSTER % 2 == 1, CLUSTER % 2 == 0)]


def data(**others):
    return FitData.of(X, FrameColumns(outcome=Y, predictions={}, **others))


def splits(folds=3, repeats=2, seed=0, **others):
    """Return the pairs of each repeat."""
    return [[tuple(one) for one in each] for each in make_repeats(folds, repeats, data(**others), RNG(seed))]


def out_of_fold(estimator, pairs, weight=None):
    """Return the predictions of one repeat, fitted by hand."""
    score = np.empty(len(Y))
    for fit, test in pairs:
        own = type(estimator)(**estimator.get_params()).fit(X[fit], Y[fit], None if weight is None else weight[fit])
        score[test] = own.predict_proba(X[test])[:, 1]
    return score


# ------------------------------------------------------------------------------------------- what is computed


@settings(max_examples=5)
@given(st.integers(0, 50), st.sampled_from([COSTS, At(0.2), Decision(COSTS, prevalence="10%")]), st.booleans())
def test_it_is_what_a_loop_computes(seed, decision, weighted):
    weight = WEIGHT if weighted else None
    repeats = splits(seed=seed)
    found = validate(BOTH, X, Y, decision, folds=[*itertools.chain(*repeats)], weight=weight)
    each = [
        evaluate(Y, {name: out_of_fold(one, pairs, weight) for name, one in BOTH.items()}, decision, weight=weight)
        for pairs in repeats
    ]
    for name in BOTH:
        for part in ("estimate", "lower", "upper"):
            mean = np.mean([getattr(one.intervals[name], part) for one in each])
            assert getattr(found.intervals[name], part) == pytest.approx(mean, **near)


@pytest.mark.parametrize("limits", [None, Limits(capacity=0.3)])
def test_one_repeat_is_an_evaluation_of_its_predictions_to_the_bit(limits, monkeypatch):
    monkeypatch.setattr(_sources, "_REPLICATES", 60)
    decision, (pairs,) = Decision(COSTS, limits=limits), splits(repeats=1)
    found = validate(BOTH, X, Y, decision, folds=pairs, rng=4).to_frame().drop(columns="auc")
    scores = {name: out_of_fold(one, pairs) for name, one in BOTH.items()}
    pd.testing.assert_frame_equal(found, evaluate(Y, scores, decision, rng=4).to_frame().drop(columns="auc"))


@settings(max_examples=8)
@given(st.integers(0, 50), st.integers(2, 8))
def test_the_cost_is_the_mean_over_folds_weighted_by_their_size(seed, folds):
    (pairs,) = splits(folds, 1, seed)
    found, score = validate(Shares(), X, Y, COSTS, folds=pairs), out_of_fold(Shares(), pairs)
    by_fold = [len(test) * expected_regret(score_table(Y[test], score[test]), COSTS) for _, test in pairs]
    assert found.intervals["Shares"].estimate == pytest.approx(sum(by_fold) / len(Y), **near)


def test_the_auc_is_the_mean_over_folds_that_have_both_classes():
    order = np.argsort(Y, kind="stable")
    alone, rest = order[:6], RNG(0).permutation(order[6:])  # the first fold has negatives only
    parts = [alone, *np.array_split(rest, 3)]
    pairs = [(np.setdiff1d(order, part), part) for part in parts]
    found, score = validate(Shares(), X, Y, COSTS, folds=pairs), out_of_fold(Shares(), pairs)
    areas = [auc(score_table(Y[part], score[part])) for part in parts[1:]]
    (own,) = (one.auc for one in found.ranking if not one.reference)
    assert own == pytest.approx(np.mean(areas), **near)


def test_scores_without_signal_have_an_auc_of_one_half():
    """Pooled, they would have less: every fold leans against its own outcomes."""
    noise, y = RNG(0).integers(0, 3, (40, 1)), np.repeat([0, 1], [30, 10])
    within, pooled = [], []
    for seed in range(25):
        found = validate(Shares(), RNG(seed).permutation(noise), y, COSTS, folds=10, repeats=1, rng=seed)
        within += [one.auc for one in found.ranking if not one.reference]
        pooled.append(auc(found.tables["Shares"]))
    assert np.mean(within) == pytest.approx(0.5, abs=0.03)
    assert np.mean(pooled) < np.mean(within) - 0.02


def test_apparent_costs_are_those_on_the_cases_fitted_to():
    found = validate(BOTH, X, Y, COSTS, repeats=1)
    for name, estimator in BOTH.items():
        own = type(estimator)().fit(X, Y).predict_proba(X)[:, 1]
        cost = expected_regret(score_table(Y, own), COSTS)
        assert found.validation.apparent[name] == pytest.approx(cost, **near)
        assert found.validation.gap[name] == pytest.approx(found.intervals[name].estimate - cost, **near)


def test_two_procedures_have_the_same_folds():
    found = validate({"a": Shares(), "b": Shares()}, X, Y, COSTS, repeats=2)
    assert found.ranking[1].difference.difference == 0
    assert found.tables["a"] == found.tables["b"]


def test_cases_of_weight_0_are_not_judged():
    absent = np.where(np.arange(len(Y)) % 5, 1.0, 0.0)
    found = validate(Shares(), X, Y, COSTS, weight=absent, folds=3, repeats=2)
    assert found.sample.cases == np.count_nonzero(absent)


# ------------------------------------------------------------------------------------------- folds


def test_labels_of_clusters_may_be_of_any_kind():
    mixed = np.array([label if label % 2 else f"ward {label}" for label in CLUSTER], dtype=object)
    one, two = (validate(Shares(), X, Y, COSTS, cluster=labels, folds=HALVES) for labels in (CLUSTER, mixed))
    assert one.sample == two.sample
    assert one.intervals["Shares"].upper == pytest.approx(two.intervals["Shares"].upper, **near)


@settings(max_examples=10)
@given(st.integers(0, 1000), st.integers(2, 6))
def test_clusters_are_never_split(seed, folds):
    for pairs in splits(folds, 2, seed, cluster=CLUSTER):
        for fit, test in pairs:
            assert not np.intersect1d(CLUSTER[fit], CLUSTER[test]).size


@settings(max_examples=10)
@given(st.integers(0, 1000), st.integers(2, 6), st.booleans())
def test_every_case_is_tested_once_in_each_repeat(seed, folds, clustered):
    for pairs in splits(folds, 2, seed, **({"cluster": CLUSTER} if clustered else {})):
        assert sorted(np.concatenate([test for _, test in pairs])) == list(range(len(Y)))


@settings(max_examples=10)
@given(st.integers(0, 1000), st.integers(2, 6))
def test_every_fold_has_its_share_of_positives(seed, folds):
    for pairs in splits(folds, 1, seed):
        counts = [np.count_nonzero(Y[test]) for _, test in pairs]
        assert max(counts) - min(counts) <= 1


def test_repeats_have_other_folds():
    one, two = splits(3, 2)
    assert any(not np.array_equal(a[1], b[1]) for a, b in zip(one, two, strict=True))


def test_a_splitter_of_scikit_learn_is_asked_for_its_folds():
    splitter = RepeatedStratifiedKFold(n_splits=3, n_repeats=2, random_state=0)
    found = validate(Shares(), X, Y, COSTS, folds=splitter)
    given = validate(Shares(), X, Y, COSTS, folds=list(splitter.split(X, Y)))
    assert (found.validation.folds, found.validation.repeats) == (3, 2)
    assert found.to_dict() == given.to_dict()


def test_folds_may_be_masks():
    fold = np.arange(len(Y)) % 3
    masks = [(fold != one, fold == one) for one in range(3)]
    rows = [(np.flatnonzero(fit), np.flatnonzero(test)) for fit, test in masks]
    one, two = (validate(Shares(), X, Y, COSTS, folds=folds) for folds in (masks, rows))
    assert one.to_dict() == two.to_dict()


# ------------------------------------------------------------------------------------------- estimators and data


def test_the_same_seed_gives_the_same_numbers_whatever_an_estimator_draws():
    forest = RandomForestClassifier(3)
    one, two, other = (
        validate(forest, X, Y, COSTS, folds=3, repeats=1, rng=seed).intervals["RandomForestClassifier"]
        for seed in (1, 1, 2)
    )
    assert one == two
    assert one != other


def test_estimators_are_copied():
    estimator = Shares()
    validate(estimator, X, Y, COSTS, folds=3, repeats=1)
    assert not hasattr(estimator, "share_")


def test_weights_reach_the_last_step_of_a_pipeline():
    pipeline = make_pipeline(FunctionTransformer(), Shares())
    one = validate({"a": pipeline}, X, Y, COSTS, weight=WEIGHT, folds=3, repeats=1)
    two = validate({"a": Shares()}, X, Y, COSTS, weight=WEIGHT, folds=3, repeats=1)
    assert one.to_dict() == two.to_dict()


def test_outcomes_may_be_words():
    words = np.where(Y == 1, "ill", "well")
    one = validate(Shares(), X, words, COSTS, pos_label="ill", folds=3, repeats=1)
    # the share that is counted is that of the last label
    mirrored = validate({"Shares": Mirrored()}, X, Y, COSTS, folds=3, repeats=1)
    assert one.intervals["Shares"].estimate == pytest.approx(mirrored.intervals["Shares"].estimate, **near)


class Mirrored(Shares):
    """Counts negatives, and predicts what is left."""

    def fit(self, X, y, sample_weight=None):
        super().fit(X, 1 - y, sample_weight)
        return self

    def predict_proba(self, X):
        return super().predict_proba(X)[:, ::-1]


TYPES = {
    "list": X.tolist(),
    "pandas": pd.DataFrame(X, index=np.arange(len(Y)) + 100),
    "polars": pl.DataFrame(X),
    "pyarrow": pa.table({"a": X[:, 0], "b": X[:, 1]}),
    "sparse": sparse.coo_array(X),
}


class AsArray(Shares):
    """Takes whatever it is given for an array."""

    def fit(self, X, y, sample_weight=None):
        return super().fit(as_array(X), y, sample_weight)

    def predict_proba(self, X):
        return super().predict_proba(as_array(X))


def as_array(given):
    if hasattr(given, "toarray"):
        return given.toarray()
    return (
        np.column_stack([one.to_numpy() for one in given.columns]) if isinstance(given, pa.Table) else np.asarray(given)
    )


@pytest.mark.parametrize("kind", TYPES)
def test_rows_may_be_of_any_type(kind):
    one, two = (validate({"a": AsArray()}, rows, Y, COSTS, folds=3, repeats=1) for rows in (X, TYPES[kind]))
    assert one.to_dict() == two.to_dict()


# ------------------------------------------------------------------------------------------- what is said


def test_findings_say_apparent_and_validated_cost_of_each_model():
    found = validate(BOTH, X, Y, COSTS, folds=5, repeats=2)
    said = [one for one in found.findings if one.kind.startswith("validated")]
    assert {one.values["model"] for one in said} == set(BOTH)
    assert all("5-fold cross-validation, 2 repeats" in one.text for one in said)


def test_an_estimator_that_fitting_does_not_change_is_named():
    found = validate({"known": Known(), "learns": Shares()}, X, Y, COSTS, folds=3, repeats=1)
    assert found.validation.unchanged == ("known",)
    (said,) = (one for one in found.findings if one.kind == "fit-unchanged")
    assert str(said) == (
        "known makes the same predictions whatever it is fitted to, so this does not validate it; check "
        "whether its `fit` changes anything."
    )
    assert "validated" in kinds(found) or "validated-no-gap" in kinds(found)


def test_json_report_and_text_know_of_the_validation(tmp_path):
    found = validate(BOTH, X, Y, COSTS, folds=3, repeats=2, group=np.where(X[:, 0] > 0, "high", "low"))
    schema = json.loads(files("stakes.evaluation").joinpath("evaluation.schema.json").read_text(encoding="utf-8"))
    jsonschema.validate(json.loads(found.to_json()), schema, jsonschema.Draft202012Validator)
    found.save_html(tmp_path / "report.html")
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "Validated (3-fold cross-validation, 2 repeats)" in page
    assert "X, y, Decision(" in page
    assert "folds=3, repeats=2" in page
    assert "means over 2 repeats" in " ".join(str(found).split())


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_progress_is_shown_in_a_terminal(monkeypatch):
    screen = Terminal()
    monkeypatch.setattr(_replicates, "PATIENCE", -1)
    monkeypatch.setattr("sys.stderr", screen)
    validate(Shares(), X, Y, COSTS, folds=3, repeats=1)
    assert "\rfitting |#######                       | 1 of 4" in screen.getvalue()
    assert screen.getvalue().endswith("\r")

"""Agreement with the packages people use: scikit-learn, model-diagnostics and hmeasure."""

import numpy as np
import pytest
from hmeasure import h_score
from hypothesis import given
from model_diagnostics.scoring import LogLoss, SquaredError
from model_diagnostics.scoring import decompose as their_decompose
from sklearn.metrics import accuracy_score, brier_score_loss, roc_auc_score
from sklearn.metrics import log_loss as their_log_loss
from strategies import samples

from stakes import Beta, Uniform, accuracy, auc, brier_score, decompose, h_measure, log_loss, score_table, top_k
from stakes.beliefs import EveryLogOdds
from stakes.measures import partial_auc


def near(value):
    return pytest.approx(value, rel=1e-12, abs=1e-13)


@pytest.fixture(scope="module", params=["distinct", "tied"])
def cohort(request):
    """Outcomes, scores and weights of 500 cases, one in five positive, the scores too timid."""
    rng = np.random.default_rng(90210)
    risk = rng.beta(0.8, 3.2, 500)
    score = 0.1 + 0.6 * np.clip(risk + rng.normal(0, 0.1, 500), 0, 1)
    y = (rng.random(500) < risk).astype(int)
    return y, score.round(2) if request.param == "tied" else score, rng.integers(1, 9, 500) / 4


def test_brier_score_agrees_with_scikit_learn(cohort):
    y, score, weight = cohort
    assert brier_score(score_table(y, score)) == near(brier_score_loss(y, score))
    assert brier_score(score_table(y, score, weight)) == near(brier_score_loss(y, score, sample_weight=weight))


def test_log_loss_agrees_with_scikit_learn(cohort):
    y, score, weight = cohort
    assert log_loss(score_table(y, score)) == near(their_log_loss(y, score))
    assert log_loss(score_table(y, score, weight)) == near(their_log_loss(y, score, sample_weight=weight))


def test_auc_agrees_with_scikit_learn(cohort):
    y, score, weight = cohort
    assert auc(score_table(y, score)) == near(roc_auc_score(y, score))
    assert auc(score_table(y, score, weight)) == near(roc_auc_score(y, score, sample_weight=weight))


@pytest.mark.parametrize("rate", [0.03, 0.2, 0.71])
def test_partial_auc_agrees_with_scikit_learn(cohort, rate):
    y, score, weight = cohort
    # scikit-learn rescales the area so that no discrimination gives 1/2 and the best possible 1.
    area = partial_auc(score_table(y, score, weight), fpr_range=(0, rate))
    least = rate**2 / 2
    theirs = roc_auc_score(y, score, sample_weight=weight, max_fpr=rate)
    assert (1 + (area - least) / (rate - least)) / 2 == near(theirs)


@pytest.mark.parametrize("threshold", [0.2, 0.35])
def test_accuracy_agrees_with_scikit_learn(cohort, threshold):
    y, score, weight = cohort
    theirs = accuracy_score(y, score >= threshold, sample_weight=weight)
    assert accuracy(score_table(y, score, weight), threshold=threshold) == near(theirs)


@given(samples())
def test_weighted_auc_of_small_samples_agrees_with_scikit_learn(sample):
    y, score, weight = sample
    assert auc(score_table(*sample)) == near(roc_auc_score(y, score, sample_weight=weight))


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize(
    ("belief", "scale", "their_score"), [(Uniform(), 2, SquaredError()), (EveryLogOdds(), 1, LogLoss())]
)
def test_parts_agree_with_model_diagnostics(cohort, belief, scale, their_score, weighted):
    order = np.argsort(cohort[1], kind="stable")  # theirs depends on the order of rows
    y, score, weight = (column[order] for column in cohort)
    weight = weight if weighted else None
    theirs = their_decompose(y, score, weight, scoring_function=their_score).row(0, named=True)
    ours = decompose(score_table(y, score, weight), belief)
    assert scale * ours.miscalibration == near(theirs["miscalibration"])
    assert scale * ours.discrimination == near(theirs["discrimination"])
    assert scale * ours.uncertainty == near(theirs["uncertainty"])
    assert scale * ours.total == near(theirs["score"])


def test_h_measure_agrees_with_the_hmeasure_package(cohort):
    y, score, _ = cohort
    table = score_table(y, score)
    odds = table.positive_total / table.negative_total
    assert h_measure(table, Beta(2, 1 + 1 / odds)) == near(h_score(y, score))
    assert h_measure(table, Beta(2, 1 + 1 / 0.4)) == near(h_score(y, score, severity_ratio=0.4))


def test_hands_first_h_measure_is_that_of_a_severity_ratio_of_one(cohort):
    y, score, _ = cohort
    assert h_measure(score_table(y, score)) == near(h_score(y, score, severity_ratio=1.0))


def test_the_h_measure_of_2014_agrees_with_the_hmeasure_package(cohort):
    y, score, _ = cohort
    table = score_table(y, score)
    assert h_measure(table, Beta(1 + table.prevalence, 2 - table.prevalence)) == near(
        h_score(y, score, severity_ratio=-1.0)
    )


# ------------------------------------------------------------------------------- more rows than one block holds


@pytest.fixture(scope="module")
def crowd():
    """Outcomes and distinct scores of 200,001 cases, one in fifty positive."""
    rng = np.random.default_rng(77)
    y = (rng.random(200_001) < 0.02).astype(int)
    return y, rng.normal(y, 1.0)


def test_auc_of_many_rows_agrees_with_scikit_learn(crowd):
    assert auc(score_table(*crowd)) == near(roc_auc_score(*crowd))


@pytest.mark.parametrize("rate", [0.0005, 0.3, 0.335, 0.65, 0.9])
def test_partial_auc_of_many_rows_agrees_with_scikit_learn(crowd, rate):
    area, least = partial_auc(score_table(*crowd), fpr_range=(0, rate)), rate**2 / 2
    assert (1 + (area - least) / (rate - least)) / 2 == near(roc_auc_score(*crowd, max_fpr=rate))


@pytest.mark.parametrize("k", [1, 999, 65_535, 65_536, 65_537, 131_072, 131_073, 200_001])
def test_top_k_of_many_rows_are_the_highest_scores(crowd, k):
    y, score = crowd
    assert top_k(score_table(y, score), k=k).true_positives == y[np.argsort(score)[-k:]].sum()

"""Learnt on some cases, judged on others."""

import math

import numpy as np
import pytest
from evaluation.samples import blurred, expit, found, kinds, risks
from hypothesis import given
from hypothesis import strategies as st
from strategies import samples

from stakes import At, Decision, Limits, Uniform, best_thresholds, evaluate, expected_regret, score_table
from stakes.beliefs import Atoms
from stakes.evaluation._ranked import deal, highest_cost
from stakes.policy import policy_cost
from stakes.prevalence import reweight_classes
from stakes.table import Recalibration

COSTS = Uniform(0.05, 0.2)
LIMITS = Limits(capacity=0.15, min_precision=0.2)
Y, LOGIT = risks(900, seed=4)
SCORE = blurred(LOGIT, 0.8)
RNG = np.random.default_rng


@given(samples(ends=True), st.sampled_from([COSTS, At(0.15), Atoms([0.1, 0.35], [1, 2])]))
def test_a_policy_is_a_way_to_write_scores(sample, costs):
    y, score, weight = sample
    table = score_table(y, score, weight)
    policy = best_thresholds(table, costs, Limits(capacity=0.5))
    rewritten = score_table(y, highest_cost(policy, score), weight)
    assert expected_regret(rewritten, costs) == pytest.approx(policy.mean_regret, abs=1e-12)


def test_every_part_has_its_share_of_both_classes_and_all_cases_are_in_one():
    dealt = deal(5, Y == 1, None, RNG(0))
    counts = [(np.sum(Y[out] == 1), np.sum(Y[out] == 0)) for out in dealt.held_out()]
    assert sum(map(sum, counts)) == len(Y)
    for of_class in zip(*counts, strict=True):
        assert max(of_class) - min(of_class) <= 1


def test_clusters_stay_together():
    cluster = np.arange(len(Y)) // 7
    dealt = deal(4, Y == 1, cluster, RNG(0))
    assert all(len(np.unique(dealt.of[cluster == label])) == 1 for label in np.unique(cluster))


@pytest.mark.usefixtures("few_replicates")
def test_thresholds_are_judged_on_other_cases_than_they_were_chosen_on():
    decision = Decision(COSTS, limits=LIMITS)
    fair = evaluate(Y, {"model": SCORE}, decision, folds=5, rng=3)
    dealt = deal(5, Y == 1, None, RNG(3))
    paid = []
    for out in dealt.held_out():
        policy = best_thresholds(score_table(Y[~out], SCORE[~out]), COSTS, LIMITS)
        paid.append(policy_cost(policy, score_table(Y[out], SCORE[out]), COSTS).regret * out.sum())
    assert fair.intervals["model"].estimate == pytest.approx(math.fsum(paid) / len(Y), rel=1e-12)
    assert fair.folds == 5


@pytest.mark.usefixtures("few_replicates")
def test_under_another_prevalence_the_classes_are_weighed_before_thresholds_are_chosen_and_judged():
    decision = Decision(COSTS, prevalence=0.05, limits=LIMITS)
    fair = evaluate(Y, {"model": SCORE}, decision, folds=4, rng=3)
    share, paid = Y.mean(), 0.0
    for out in deal(4, Y == 1, None, RNG(3)).held_out():
        policy = best_thresholds(reweight_classes(score_table(Y[~out], SCORE[~out]), 0.05), COSTS, LIMITS)
        weight = np.where(Y[out] == 1, 0.05 / share, 0.95 / (1 - share))
        paid += policy_cost(policy, score_table(Y[out], SCORE[out], weight), COSTS).regret * weight.sum()
    assert fair.intervals["model"].estimate == pytest.approx(paid / len(Y), rel=1e-12)


def test_what_recalibration_saves_is_judged_on_other_cases():
    score = expit(LOGIT + 1)
    fair = evaluate(Y, {"model": score}, Decision(COSTS), folds=5, rng=3)
    made = np.empty(len(Y))
    for out in deal(5, Y == 1, None, RNG(3)).held_out():
        made[out] = Recalibration.of(score_table(Y[~out], score[~out]))(score[out])
    assert fair.ranking[0].recalibrated == pytest.approx(expected_regret(score_table(Y, made), COSTS), rel=1e-12)
    assert found(fair, "recalibrate-fair").numbers["gain"] == pytest.approx(
        fair.ranking[0].regret.estimate - fair.ranking[0].recalibrated
    )


def test_recalibration_that_only_learns_noise_is_said_not_to_help():
    y, logit = risks(120, seed=12)
    fair = evaluate(y, {"model": expit(logit)}, Decision(COSTS), folds=3, rng=1)
    plain = evaluate(y, {"model": expit(logit)}, Decision(COSTS))
    assert fair.ranking[0].recalibrated > fair.ranking[0].regret.estimate > 0
    assert "recalibrate-useless" in kinds(fair)
    assert "recalibrate-useless" not in kinds(plain)


@pytest.mark.usefixtures("few_replicates")
def test_references_that_the_limits_forbid_are_not_compared():
    fair = evaluate(Y, {"model": SCORE}, Decision(COSTS, limits=LIMITS), folds=5)
    assert [standing.model for standing in fair.ranking] == ["model", "act on no one"]
    assert sum(standing.probability_best for standing in fair.ranking) == pytest.approx(1)


@pytest.mark.parametrize(
    ("folds", "error", "message"),
    [
        (1, ValueError, "`folds` must be at least 2, got 1."),
        (2.5, TypeError, "`folds` must be a whole number, got 2.5."),
        (1000, ValueError, "`folds` must not exceed the 900 cases or clusters, got 1,000."),
    ],
)
def test_bad_folds_are_refused(folds, error, message):
    with pytest.raises(error) as raised:
        evaluate(Y, {"model": SCORE}, Decision(COSTS, limits=LIMITS), folds=folds)
    assert str(raised.value) == message

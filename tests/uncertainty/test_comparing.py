"""Comparisons and rankings on the same cases: pairing, direction, ties, and expected loss."""

import math
from functools import partial

import numpy as np
import pytest
from numpy.testing import assert_allclose
from uncertainty.simulated import KNOWN, cases, scores

from stakes import At, Cases, Uniform, auc, brier_score, compare, expected_regret, h_measure, interval, rank
from stakes.measures import partial_auc, recognise
from stakes.uncertainty import _rank, _study


def negated_auc(table):
    return -auc(table)


@pytest.mark.parametrize("name", KNOWN)
def test_the_difference_is_that_of_the_two_numbers(name):
    sample = cases()
    found = compare(sample, "good", "other", KNOWN[name])
    assert found.difference == KNOWN[name](sample.table("good")) - KNOWN[name](sample.table("other"))
    assert found.lower < found.difference < found.upper


@pytest.mark.parametrize("method", ["analytic", "percentile"])
@pytest.mark.parametrize("name", KNOWN)
def test_turning_a_comparison_round_turns_its_sign(name, method):
    sample = cases()
    there = compare(sample, "good", "other", KNOWN[name], method=method, rng=1)
    back = compare(sample, "other", "good", KNOWN[name], method=method, rng=1)
    assert_allclose([there.lower, there.upper], [-back.upper, -back.lower], atol=1e-12)
    assert_allclose(there.probability_better + back.probability_better, 1)


@pytest.mark.parametrize("name", KNOWN)
def test_paired_is_narrower_than_unpaired_where_models_agree(name):
    sample = cases(1000)
    pair = compare(sample, "good", "other", KNOWN[name])
    one, two = (found.upper - found.lower for found in interval(sample, KNOWN[name]).values())
    assert pair.upper - pair.lower < 0.9 * math.hypot(one, two)


@pytest.mark.sample(3)
@pytest.mark.parametrize("name", KNOWN)
def test_analytic_and_resampled_comparisons_agree(name):
    sample = cases(1500)
    formula = compare(sample, "good", "other", KNOWN[name])
    drawn = compare(sample, "good", "other", KNOWN[name], method="bca", rng=2)
    width = formula.upper - formula.lower
    assert_allclose([drawn.lower, drawn.upper], [formula.lower, formula.upper], atol=0.12 * width)
    assert_allclose(drawn.probability_better, formula.probability_better, atol=0.04)


@pytest.mark.parametrize("method", ["analytic", "percentile", "basic", "bca"])
def test_a_model_is_not_better_than_itself(method):
    found = compare(cases(), "good", "good", auc, method=method, rng=1)
    assert (found.difference, found.lower, found.upper, found.probability_better) == (0.0, 0.0, 0.0, 0.5)


def test_better_is_smaller_for_a_loss_and_larger_for_a_benefit():
    sample = cases(3000)
    for name in KNOWN:
        assert compare(sample, "good", "other", KNOWN[name]).probability_better > 0.9, name


def test_the_direction_of_a_function_that_is_not_ours_must_be_said():
    sample = cases()
    for call in (lambda: compare(sample, "good", "other", negated_auc), lambda: rank(sample, negated_auc)):
        with pytest.raises(TypeError) as caught:
            call()
        assert str(caught.value) == (
            "`better` must be 'smaller' or 'larger' for a measure that is not one of ours, got none."
        )
    found = compare(sample, "good", "other", negated_auc, better="smaller", n_resamples=300, rng=1)
    ours = compare(sample, "good", "other", auc, method="basic", n_resamples=300, rng=1)
    assert found.method == "basic"
    assert_allclose([found.lower, found.upper], [-ours.upper, -ours.lower])
    assert_allclose(found.probability_better, ours.probability_better)


@pytest.mark.parametrize("measure", [partial(partial_auc, fpr_range=(0, 0.2)), h_measure])
def test_the_direction_of_ours_is_known(measure):
    assert recognise(measure).better == "larger"


def test_an_unknown_model_is_refused():
    with pytest.raises(ValueError, match="must be one of") as caught:
        compare(cases(), "god", "other", auc)
    assert str(caught.value) == "`a` must be one of good, other, got 'god'."


# ------------------------------------------------------------------------------------------- many models


def several(size=500):
    y, good, other = scores(size)
    rng = np.random.default_rng(8)
    return Cases(y, {"flat": rng.uniform(0.2, 0.4, size), "other": other, "good": good, "twin": good.copy()})


@pytest.mark.parametrize("method", ["analytic", "bootstrap"])
def test_every_model_has_a_rank_and_every_rank_a_model(method):
    found = rank(several(), brier_score, method=method, rng=1)
    chance = np.array(list(found.ranks.values()))
    assert_allclose(chance.sum(axis=0), 1)
    assert_allclose(chance.sum(axis=1), 1)
    assert list(found.estimate) == sorted(found.estimate, key=found.estimate.get)
    assert_allclose(list(found.probability_best.values()), chance[:, 0])
    assert found.method == ("bootstrap" if method == "bootstrap" else "quadrature")


def test_the_best_comes_first_also_where_larger_is_better():
    found = rank(several(), auc, rng=1)
    assert list(found.estimate)[-1] == "flat"
    assert found.probability_best["flat"] < 1e-6
    assert list(found.expected_loss) == list(found.ranks) == list(found.estimate)


@pytest.mark.parametrize("size", [12, 40])
def test_a_reference_that_does_the_same_takes_nothing_from_others(size):
    rng = np.random.default_rng(6)
    y = np.arange(size) % 3 == 0
    scores = {name: 0.3 * y + 0.7 * rng.random(size) for name in ("a", "b")} | {"always": 0.6 + 0.3 * rng.random(size)}
    alone, beside = (
        rank(Cases(y, models), expected_regret, costs=Uniform(0.1, 0.5)).probability_best
        for models in (scores, scores | {"act on everyone": np.ones(size)})
    )
    assert beside["always"] == beside["act on everyone"] > 0
    shared = {"always": beside["always"] + beside["act on everyone"], "a": beside["a"], "b": beside["b"]}
    assert_allclose([shared[name] for name in alone], list(alone.values()), rtol=1e-6)


def test_twins_share_their_rank():
    found = rank(several(), brier_score, method="bootstrap", rng=1)
    assert_allclose(found.ranks["good"], found.ranks["twin"])
    assert found.expected_loss["good"] == found.expected_loss["twin"]


def test_the_value_of_information_is_the_smallest_expected_loss():
    y, good, other = scores(150)
    found = rank(Cases(y, {"good": good, "other": other}), brier_score, prior="flat")
    assert found.value_of_information == min(found.expected_loss.values()) > 0
    gap = found.expected_loss["other"] - found.expected_loss["good"]
    assert_allclose(gap, found.estimate["other"] - found.estimate["good"], rtol=1e-12)


@pytest.mark.parametrize("prior", ["near", "flat"])
def test_formula_and_replicates_agree_on_the_ranking(monkeypatch, prior):
    monkeypatch.setattr(_study, "unseen_variance", lambda *_: 0.0)  # which replicates do not know
    sample = cases(200, seed=6)
    formula, drawn = (
        rank(sample, brier_score, prior=prior, method=m, n_resamples=4000, rng=1) for m in ("analytic", "bootstrap")
    )
    for name in sample.models:
        assert_allclose(formula.probability_best[name], drawn.probability_best[name], atol=0.04)
        assert_allclose(formula.expected_loss[name], drawn.expected_loss[name], atol=3e-4)
    assert_allclose(formula.optimism, drawn.optimism, atol=3e-4)
    pair = compare(sample, "good", "other", brier_score)
    if prior == "flat":
        # What was not seen makes two models harder to tell apart than by the normal distribution.
        assert 0.5 <= pair.probability_better <= formula.probability_best["good"]


def test_the_best_of_many_equals_looks_better_than_it_is():
    rng = np.random.default_rng(9)
    y = rng.random(300) < 0.3
    guesses = {f"guess {k}": rng.random(300) for k in range(20)}
    found = rank(Cases(y, guesses), auc, rng=1)
    best = max(found.estimate.values())
    assert best > 0.55
    assert abs(best - found.optimism - 0.5) < abs(best - 0.5) / 2


def test_rank_probabilities_share_ties():
    gain = np.array([[3.0, 1.0, 1.0], [2.0, 2.0, 2.0], [0.0, 5.0, 5.0]])
    expected = np.array([[1 + 1 / 3, 1 / 3, 1 + 1 / 3], [5 / 6, 4 / 3, 5 / 6], [5 / 6, 4 / 3, 5 / 6]]) / 3
    assert_allclose(_rank.rank_probabilities(gain), expected)


def test_a_coarse_table_ranks_about_a_shared_estimate():
    y, good, other = scores(9000)
    sample = Cases(y, {"good": good, "other": other})
    found = rank(sample, partial(expected_regret, costs=At(0.3)), method="bootstrap", n_resamples=200, rng=1)
    formula = rank(sample, partial(expected_regret, costs=At(0.3)), n_resamples=2000, rng=1)
    assert_allclose(found.expected_loss["other"], formula.expected_loss["other"], rtol=0.1)


def test_an_unknown_method_of_ranking_is_refused():
    with pytest.raises(ValueError, match="method") as caught:
        rank(cases(), auc, method="bootstrapped")
    assert str(caught.value) == "`method` must be one of bootstrap, auto, analytic, got 'bootstrapped'."

"""Cautions about small samples, and how results are printed."""

from functools import partial

import numpy as np
import pytest
from uncertainty.simulated import cases

from stakes import (
    Cases,
    Uniform,
    auc,
    band,
    brier_score,
    compare,
    interval,
    log_loss,
    net_benefit,
    rank,
    roc_curve,
)
from stakes.uncertainty import Band, Comparison, Interval, Ranking, _answers


def sample_with(positives, negatives, **options):
    rng = np.random.default_rng(3)
    y = np.repeat([1, 0], [positives, negatives])
    return Cases(y, {name: rng.beta(2 + y, 4 - y) for name in "ab"}, **options)


FEW = _answers.FEWEST_OF_A_CLASS
FEW_HALVES = _answers.FEWEST_WITH_HALF_CASES
CLUSTERS = _answers.FEWEST_CLUSTERS


@pytest.mark.parametrize(
    ("counts", "expected"),
    [
        ((FEW, 300), ""),
        ((300, FEW), ""),
        ((FEW - 1, 300), f"only {FEW - 1} positives, too few to trust the level"),
        ((300, FEW - 1), f"only {FEW - 1} negatives, too few to trust the level"),
    ],
)
def test_few_cases_of_either_class_are_a_reason(counts, expected):
    assert _answers.caution(sample_with(*counts)) == expected


def test_many_cases_that_count_like_few_are_a_reason():
    weight = np.array([1000.0, *[0.01] * 29, *[1.0] * 200])
    text = "30 positives with weights so unequal that they count like 1.0, too few to trust the level"
    sample = sample_with(30, 200, weight=weight)
    assert _answers.caution(sample) == text
    for measure in (brier_score, auc):
        assert interval(sample, measure)["a"].caution == compare(sample, "a", "b", measure).caution == text
    assert rank(sample, auc).caution == text.replace("level", "probabilities")


@pytest.mark.parametrize("unit", [1e-160, 0.1, 2.5, 1e160])
def test_cases_of_equal_weight_count_as_many_as_they_are(unit):
    assert _answers.caution(sample_with(FEW, 300, weight=np.full(FEW + 300, unit))) == ""


@pytest.mark.parametrize("clusters", [CLUSTERS - 1, CLUSTERS])
def test_few_clusters_are_a_reason_however_many_cases(clusters):
    found = _answers.caution(sample_with(600, 600, cluster=np.arange(1200) % clusters))
    assert found == ("" if clusters == CLUSTERS else f"only {clusters} clusters, too few to trust the level")


@pytest.mark.parametrize("measure", [auc, brier_score])
def test_half_a_case_more_of_every_kind_asks_for_fewer_cases(measure):
    for positives, expected in ((FEW_HALVES, ""), (FEW_HALVES - 1, "only 4 positives, too few to trust the level")):
        sample = sample_with(positives, 200)
        assert interval(sample, measure)["a"].caution == expected
        assert compare(sample, "a", "b", measure).caution == expected
    assert interval(sample_with(FEW - 1, 200), measure, method="basic", n_resamples=100, rng=1)["a"].caution


def test_a_loss_without_a_bound_says_so():
    text = "no bound: a single case may cost any amount"
    for measure in (log_loss, partial(net_benefit, costs=Uniform())):
        assert interval(sample_with(50, 200), measure)["a"].caution == text
        assert compare(sample_with(50, 200), "a", "b", measure).caution == text
    few = interval(sample_with(9, 200), log_loss)["a"].caution
    assert few == f"only 9 positives, too few to trust the level; {text}"
    assert interval(sample_with(50, 200), log_loss, cost_range="1%..99%")["a"].caution == ""


@pytest.mark.parametrize("method", ["analytic", "percentile"])
def test_every_answer_carries_it(method):
    sample = sample_with(5, 200)
    text = "only 5 positives, too few to trust the level"
    of_method = "" if method == "analytic" else text  # half-case intervals hold with five
    ranked = rank(sample, auc, method="analytic" if method == "analytic" else "bootstrap", n_resamples=100, rng=1)
    answers = [
        *interval(sample, auc, method=method, n_resamples=100, rng=1).values(),
        *interval(sample, lambda a, b: brier_score(a) - brier_score(b), n_resamples=100, rng=1).values(),
        compare(sample, "a", "b", auc, method=method, n_resamples=100, rng=1),
        *band(sample, roc_curve, x=[0.2], n_resamples=100, rng=1).values(),
        ranked,
    ]
    of_rank = "only 5 positives, too few to trust the probabilities"  # which have no level
    assert [answer.caution for answer in answers] == [of_method, of_method, text, of_method, text, text, of_rank]


def test_a_large_sample_has_none():
    assert interval(cases(), auc)["good"].caution == ""
    assert compare(cases(), "good", "other", auc).caution == ""


# ------------------------------------------------------------------------------------------- what is printed


def test_an_interval_prints_its_ends_and_its_caution():
    assert repr(Interval(0.8123456, 0.78, 0.84, "bca")) == "Interval(0.8123 [0.78, 0.84], bca)"
    doubted = Interval(0.5, 0.1, 0.9, "analytic", caution="only 3 positives")
    assert repr(doubted) == "Interval(0.5 [0.1, 0.9], analytic; only 3 positives)"


def test_a_comparison_prints_both_names_shortened():
    found = Comparison("n" * 30, "old", -0.02, -0.03, -0.01, 0.9987, "basic", caution="only 3 positives")
    assert repr(found) == (
        "Comparison(nnnnnnnnnnnnnnnnn... - old: -0.02 [-0.03, -0.01], better with probability 0.999, basic; "
        "only 3 positives)"
    )


def test_a_ranking_prints_the_best():
    found = Ranking({"b": 0.1, "a": 0.2}, {"b": 0.75, "a": 0.25}, {}, {}, 0.00123456, 0.0, "analytic")
    assert (
        repr(found)
        == "Ranking(2 models: b is best with probability 0.750, knowing the best is worth 0.00123, analytic)"
    )


def test_a_band_prints_where_it_is_and_not_its_numbers():
    x = np.linspace(0.25, 0.75, 100)
    found = Band(x, x, x, x, x, x, "cost", "loss", 0.9)
    assert repr(found) == "Band(loss at 100 places from 0.25 to 0.75, level 0.9)"

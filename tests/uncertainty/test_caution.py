"""Cautions about small samples, and how results are printed."""

import numpy as np
import pytest
from uncertainty.simulated import cases

from stakes import Cases, auc, band, brier_score, compare, interval, rank, roc_curve
from stakes.uncertainty import Band, Comparison, Interval, Ranking, _interval


def sample_with(positives, negatives, **options):
    rng = np.random.default_rng(3)
    y = np.repeat([1, 0], [positives, negatives])
    return Cases(y, {name: rng.beta(2 + y, 4 - y) for name in "ab"}, **options)


FEW = _interval.FEWEST_OF_A_CLASS
CLUSTERS = _interval.FEWEST_CLUSTERS


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
    assert _interval.caution(sample_with(*counts)) == expected


@pytest.mark.parametrize("clusters", [CLUSTERS - 1, CLUSTERS])
def test_few_clusters_are_a_reason_however_many_cases(clusters):
    found = _interval.caution(sample_with(600, 600, cluster=np.arange(1200) % clusters))
    assert found == ("" if clusters == CLUSTERS else f"only {clusters} clusters, too few to trust the level")


@pytest.mark.parametrize("method", ["analytic", "percentile"])
def test_every_answer_carries_it(method):
    sample = sample_with(5, 200)
    text = "only 5 positives, too few to trust the level"
    ranked = rank(sample, auc, method="analytic" if method == "analytic" else "bootstrap", n_resamples=100, rng=1)
    answers = [
        *interval(sample, auc, method=method, n_resamples=100, rng=1).values(),
        *interval(sample, lambda a, b: brier_score(a) - brier_score(b), n_resamples=100, rng=1).values(),
        compare(sample, "a", "b", auc, method=method, n_resamples=100, rng=1),
        *band(sample, roc_curve, x=[0.2], n_resamples=100, rng=1).values(),
        ranked,
    ]
    assert [answer.caution for answer in answers] == [text] * len(answers)


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

"""Areas under the ROC curve with few cases: what few placements tell about a correlation, and cases in clusters."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy import special

from stakes import Cases, auc, compare, interval
from stakes.uncertainty._area_interval import AreaDifference, SampledArea

shares = st.floats(-1, 1)
counts = st.integers(2, 29)


def apart(correlation, positives=5):
    return AreaDifference(SampledArea(0.8, positives, 95, 0.01), SampledArea(0.7, positives, 95, 0.015), correlation)


def few(seed=1, positives=8, negatives=40):
    rng = np.random.default_rng(seed)
    y = np.repeat([1, 0], [positives, negatives])
    return y, {name: rng.normal(size=len(y)) + lift * y for name, lift in (("a", 1.2), ("b", 0.6))}


# ------------------------------------------------------------------------------------------- correlations by chance


def test_a_correlation_that_chance_explains_does_not_shorten_the_interval():
    assert apart(0.25).ends(1.96) == apart(0.0).ends(1.96)  # half a standard error of 1/2


def test_a_clear_correlation_counts_as_it_is():
    assert apart(0.86, positives=8).trusted_correlation == 0.86


def test_a_single_case_of_a_class_tells_no_correlation():
    assert apart(0.99, positives=1).trusted_correlation == 0.0


@given(shares, counts)
def test_a_correlation_is_never_trusted_beyond_itself(correlation, positives):
    assert min(correlation, 0.0) <= apart(correlation, positives).trusted_correlation <= max(correlation, 0.0)


@given(shares, shares, counts)
def test_more_correlation_never_makes_a_longer_interval(one, other, positives):
    low, high = sorted((one, other))
    assert apart(low, positives).reach(1.96, up=True) >= apart(high, positives).reach(1.96, up=True) - 1e-12


@given(shares, counts)
def test_the_interval_does_not_jump_with_the_correlation(correlation, positives):
    near = apart(correlation, positives).trusted_correlation - apart(correlation + 1e-6, positives).trusted_correlation
    assert abs(near) < 2e-6


# --------------------------------------------------------------------------------------------------------- clusters


def test_clusters_of_one_case_are_cases():
    y, models = few()
    cases, clusters = Cases(y, models), Cases(y, models, cluster=np.arange(len(y)))
    one, other = interval(cases, auc)["a"], interval(clusters, auc)["a"]
    assert_allclose([other.lower, other.upper], [one.lower, one.upper], atol=0.02)
    two, another = (compare(sample, "a", "b", auc) for sample in (cases, clusters))
    assert_allclose([another.lower, another.upper], [two.lower, two.upper], atol=0.03)


@pytest.mark.parametrize("times", [2, 5])
def test_copies_of_a_case_in_its_cluster_tell_nothing_new(times):
    y, models = few()
    copied = Cases(
        np.tile(y, times),
        {name: np.tile(score, times) for name, score in models.items()},
        cluster=np.tile(np.arange(len(y)), times),
    )
    once, several = (interval(sample, auc)["a"] for sample in (Cases(y, models), copied))
    assert_allclose([several.lower, several.upper], [once.lower, once.upper], atol=0.04)
    once, several = (compare(sample, "a", "b", auc) for sample in (Cases(y, models), copied))
    assert_allclose([several.lower, several.upper], [once.lower, once.upper], atol=0.06)


def test_two_separating_models_in_clusters_still_have_an_interval_of_their_difference():
    y = np.array([0, 1, 0, 0, 1, 0] * 3)
    sample = Cases(y, {"a": y + 0.0, "b": y + 0.01 * np.arange(18)}, cluster=np.arange(18) // 3)
    found = compare(sample, "a", "b", auc)
    assert found.lower < found.difference == 0 < found.upper


def test_few_positives_in_few_clusters_are_covered():
    """Twelve clusters with some five positives: DeLong's interval over clusters held the truth in 88% of samples."""
    rng, held = np.random.default_rng(3), []
    for _ in range(150):
        cluster = np.arange(48) // 4
        y = rng.random(48) < np.repeat(rng.beta(0.7, 5.6, 12), 4)
        if 1 < y.sum() < 47:
            found = interval(Cases(y, {"a": rng.normal(size=48) + 1.19 * y}, cluster=cluster), auc)["a"]
            held.append(found.lower <= 0.8 <= found.upper)
    assert np.mean(held) > 0.93


# ------------------------------------------------------------------------------------------------- two-valued scores


def two_valued(found, positives, false, negatives):
    """Return the cases of a test that finds some of the positives, and some of the negatives."""
    y = np.repeat([1, 0], [positives, negatives])
    score = np.concatenate([np.arange(positives) < found, np.arange(negatives) < false])
    return Cases(y, {"a": score.astype(float), "b": 1.0 - score})


def test_a_test_that_misses_one_of_five_may_be_nearly_perfect():
    """Of tests that find 95% of the positives the score interval held the area in 90% of samples of 5 positives."""
    assert interval(two_valued(4, 5, 0, 45), auc)["a"].upper > 0.99


def test_a_share_of_the_positives_has_the_quantiles_of_a_beta_distribution():
    found = interval(two_valued(4, 5, 0, 10**6), auc)["a"]
    expected = 0.5 + special.betaincinv(4.5, 1.0, 0.975) / 2
    assert found.upper == pytest.approx(expected, abs=0.01)  # and a little for the variance of a share of five


def test_a_test_that_misses_nothing_has_an_upper_end_of_one():
    found = interval(two_valued(5, 5, 0, 45), auc)["a"]
    assert 0.7 < found.lower < found.estimate == found.upper == 1.0


@given(st.integers(0, 6), st.integers(0, 20))
def test_a_test_read_the_other_way_has_the_mirrored_interval(found, false):
    both = interval(two_valued(found, 6, false, 20), auc)
    assert_allclose([both["a"].lower, both["a"].upper], [1 - both["b"].upper, 1 - both["b"].lower], atol=1e-12)

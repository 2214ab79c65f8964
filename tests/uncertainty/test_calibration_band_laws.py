"""Laws of the honest calibration band, one per test."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from strategies import samples

from stakes import Cases
from stakes.table import Recalibration
from stakes.uncertainty import calibration_band

some = samples(ends=True, one_class=True, max_size=25)


def ends(y, score, level=0.9, **options):
    """Return the scores, the lower and the upper ends, in three rows."""
    found = calibration_band(Cases(y, {"a": score}, **options), level=level)["a"]
    return np.array([found.x, found.lower, found.upper])


@given(some, st.randoms(use_true_random=False))
def test_the_order_of_the_cases_does_not_matter(sample, random):
    y, score, weight = sample
    order = np.array(random.sample(range(len(y)), len(y)))
    assert_allclose(
        ends(y[order], score[order], weight=weight[order]), ends(y, score, weight=weight), rtol=0, atol=1e-12
    )


@given(some, st.sampled_from([1e-200, 0.37, 5.0, 1e200]))
def test_only_the_proportions_of_weights_matter(sample, scale):
    y, score, weight = sample
    assert_allclose(ends(y, score, weight=weight * scale), ends(y, score, weight=weight), rtol=0, atol=1e-10)


@given(some)
def test_equal_weights_are_no_weights(sample):
    y, score, _ = sample
    assert_allclose(ends(y, score, weight=np.full(len(y), 0.3)), ends(y, score), rtol=0, atol=1e-12)


@given(some)
def test_both_ends_rise_with_the_score(sample):
    y, score, weight = sample
    _, lower, upper = ends(y, score, weight=weight)
    assert (np.diff(lower) >= 0).all()
    assert (np.diff(upper) >= 0).all()


@given(some, st.sampled_from([(0.5, 0.8), (0.9, 0.95), (0.95, 0.999)]))
def test_a_higher_level_is_wider(sample, levels):
    y, score, weight = sample
    (_, low, high), (_, lower, higher) = (ends(y, score, level, weight=weight) for level in levels)
    assert (lower <= low).all()
    assert (higher >= high).all()


@given(some, st.sampled_from([2, 3, 10]))
def test_more_cases_of_the_same_kind_are_narrower(sample, times):
    y, score, _ = sample
    (_, low, high), (_, lower, higher) = ends(np.tile(y, times), np.tile(score, times)), ends(y, score)
    assert (lower <= low + 1e-12).all()
    assert (higher >= high - 1e-12).all()


@given(some)
def test_clusters_are_wider_than_independent_cases(sample):
    y, score, weight = sample
    (_, low, high), (_, lower, higher) = (
        ends(y, score, weight=weight, cluster=one) for one in (np.arange(len(y)), np.arange(len(y)) // 3)
    )
    assert (lower <= low + 1e-12).all()
    assert (higher >= high - 1e-12).all()


@given(some, st.sampled_from([2, 5]))
def test_a_cluster_of_copies_is_one_case(sample, times):
    y, score, weight = sample
    copies = ends(
        *(np.tile(one, times) for one in (y, score)),
        weight=np.tile(weight, times),
        cluster=np.tile(np.arange(len(y)), times),
    )
    assert_allclose(copies, ends(y, score, weight=weight), rtol=0, atol=1e-12)


@given(some)
def test_exchanging_the_classes_mirrors_the_band(sample):
    y, score, weight = sample
    _, lower, upper = ends(y, score, weight=weight)
    _, mirrored_lower, mirrored_upper = ends(1 - y, 1 - score, weight=weight)
    assert_allclose(mirrored_lower, 1 - upper[::-1], rtol=0, atol=1e-12)
    assert_allclose(mirrored_upper, 1 - lower[::-1], rtol=0, atol=1e-12)


@given(some)
def test_only_the_order_of_a_few_scores_matters(sample):
    y, score, weight = sample
    assert_allclose(ends(y, score**3, weight=weight)[1:], ends(y, score, weight=weight)[1:], rtol=0, atol=1e-12)


@given(some)
def test_where_the_shares_rise_the_band_holds_the_calibration_curve(sample):
    y, score, weight = sample
    calibrated = Recalibration.of(Cases(y, {"a": score}, weight=weight).table("a"))(score)
    found = calibration_band(Cases(y, {"a": calibrated}, weight=weight))["a"]
    assert (found.lower <= found.estimate + 1e-12).all()
    assert (found.upper >= found.estimate - 1e-12).all()
    assert found.miscalibrated == ()

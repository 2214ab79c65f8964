"""The prevalence estimated from unlabelled scores: closed form for two scores, the ends, and weights."""

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from strategies import samples

from stakes.prevalence import estimate_prevalence

SCORES = st.sampled_from([0.0, 1e-12, 0.004, 0.1, 0.35, 0.6, 0.985, 1 - 1e-12, 1.0])
WEIGHTS = st.sampled_from([1e-9, 0.25, 1.0, 7.0, 1e9])
ASSUMED = st.sampled_from([1e-6, 0.02, 0.3, 0.7, 0.9999])


@given(SCORES, SCORES, WEIGHTS, WEIGHTS, ASSUMED)
@example(0.6, 0.985, 1.0, 0.25, 0.7)
@example(0.0, 0.004, 1e-9, 1e9, 1e-6)
def test_of_two_scores_the_estimate_has_a_closed_form(one, other, weight, other_weight, assumed):
    score, weight = np.array([one, other]), np.array([weight, other_weight])
    rise, well = score / assumed - (1 - score) / (1 - assumed), (1 - score) / (1 - assumed)
    gain = weight @ (rise * well[::-1])  # the slope of the likelihood at 0, times something positive
    found = estimate_prevalence(score, from_prevalence=assumed, weight=weight)
    if rise.prod() < 0:
        inside = gain / (-rise.prod() * weight.sum())
        assert found == pytest.approx(np.clip(inside, 0, 1), rel=1e-9, abs=1e-15)
    else:
        assert found == (rise > 0).any()


@pytest.mark.parametrize(
    ("score", "weight", "assumed"),
    [
        ([0.9, 1, 0], [1, 1, 20], 0.5),
        ([0.1, 0.3, 0.6], [1, 1, 20], 0.5),
        ([0.6, 1, 0.3], [20, 1, 5], 0.7),
        ([0.6, 0, 0.1], [1, 20, 1], 0.02),
        ([0.1, 0, 0.6], [5, 2, 100], 0.5),
        ([0.1, 0.6, 1], [100, 2, 5], 0.3),
    ],
)
def test_scores_corrected_for_the_estimate_have_it_as_their_mean(score, weight, assumed):
    """Samples that lie so far from the middle that whole steps of Newton's method would leave the range."""
    found = estimate_prevalence(score, from_prevalence=assumed, weight=weight)
    assert 0 < found < 1
    ill, well = np.array(score) * found / assumed, (1 - np.array(score)) * (1 - found) / (1 - assumed)
    assert np.average(ill / (ill + well), weights=weight) == pytest.approx(found, rel=1e-13)


def test_an_estimate_exactly_at_an_end_is_that_end():
    """The slope of the likelihood is 0 at the end: 2 - 2 * 1."""
    assert estimate_prevalence([0.75, 0, 0], from_prevalence=0.5) == 0
    assert estimate_prevalence([0.25, 1, 1], from_prevalence=0.5) == 1


@given(samples(ends=True), samples(ends=True), ASSUMED)
def test_no_weight_is_absence(sample, absent, assumed):
    (_, score, weight), (_, other, _) = sample, absent
    assume(not np.all(score == assumed))
    both = estimate_prevalence(
        np.append(score, other), from_prevalence=assumed, weight=np.append(weight, np.zeros(len(other)))
    )
    assert both == estimate_prevalence(score, from_prevalence=assumed, weight=weight)


def test_scores_without_weight_do_not_speak():
    with pytest.warns(RuntimeWarning, match="when every score equals `from_prevalence`"):
        assert np.isnan(estimate_prevalence([0.3, 0.9], from_prevalence=0.3, weight=[2, 0]))


@given(samples(ends=True, weight=st.integers(1, 3)), ASSUMED)
def test_a_weight_is_a_repeated_case(sample, assumed):
    _, score, weight = sample
    assume(not np.all(score == assumed))
    found = estimate_prevalence(np.repeat(score, weight), from_prevalence=assumed)
    assert estimate_prevalence(score, from_prevalence=assumed, weight=weight) == pytest.approx(found, rel=1e-12)


def test_single_precision_is_taken_as_it_is():
    score = np.array([0.1, 0.3, 0.7], dtype=np.float32)
    assert estimate_prevalence(score, from_prevalence=0.3) == estimate_prevalence(
        score.astype(np.float64), from_prevalence=0.3
    )

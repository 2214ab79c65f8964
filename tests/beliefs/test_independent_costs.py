"""Two independent ranges of costs: polygons in rational arithmetic, limits and laws."""

from fractions import Fraction
from itertools import pairwise, product

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.integrate import quad

from stakes import At
from stakes.beliefs import IndependentCosts

mp = mpmath.MPContext()
mp.dps = 80
laws = settings(deadline=None, max_examples=100)
ULP = Fraction(1, 2**52)


def part_of_rectangle(costs, keeps):
    """Cut the rectangle of costs where ``keeps(f, g)``, a linear function, turns negative; return the corners left."""
    (f0, f1), (g0, g1) = costs
    corners = [(f0, g0), (f1, g0), (f1, g1), (f0, g1)]
    polygon = []
    for here, there in zip(corners, corners[1:] + corners[:1], strict=True):
        a, b = keeps(*here), keeps(*there)
        if a >= 0:
            polygon.append(here)
        if a * b < 0:
            share = a / (a - b)
            polygon.append(tuple(x + share * (y - x) for x, y in zip(here, there, strict=True)))
    return polygon


def integral_of_coordinate(polygon, which):
    edges = zip(polygon, polygon[1:] + polygon[:1], strict=True)
    return sum((p[which] + q[which]) * (p[0] * q[1] - q[0] * p[1]) for p, q in edges) / Fraction(6)


def between(value, low, high):
    return min(max(value, low), high)


def losses_by_definition(belief, score):
    """E[F 1{G (1 - s) > s F}] and E[G 1{G (1 - s) <= s F}], as rational numbers."""
    costs = [tuple(map(Fraction, pair)) for pair in (belief.false_negative, belief.false_positive)]
    (f0, f1), (g0, g1) = costs
    p, q = Fraction(score), 1 - Fraction(score)
    if f0 == f1 and g0 == g1:
        return (Fraction(0), g0) if g0 * q <= p * f0 else (f0, Fraction(0))
    if f0 == f1:
        g = between(p * f0 / q, g0, g1) if q else g1  # up to here a false alarm is worth it
        return f0 * (g1 - g) / (g1 - g0), (g**2 - g0**2) / (2 * (g1 - g0))
    if g0 == g1:
        f = between(q * g0 / p, f0, f1) if p else f1
        return (f**2 - f0**2) / (2 * (f1 - f0)), g0 * (f1 - f) / (f1 - f0)
    area = (f1 - f0) * (g1 - g0)
    missed = part_of_rectangle(costs, lambda f, g: q * g - p * f)
    alarmed = part_of_rectangle(costs, lambda f, g: p * f - q * g)
    return integral_of_coordinate(missed, 0) / area, integral_of_coordinate(alarmed, 1) / area


def with_odds_times(score, factor):
    """Multiply the odds of a score, exactly."""
    p, q = Fraction(score), 1 - Fraction(score)
    return p * factor / (p * factor + q)


def assert_as_defined(belief, score):
    """Assert twelve digits of the loss at a score whose odds are known to four units in the last place.

    Near the ends of the support a loss is a small power of the distance to that end, so the rounding of the
    odds s / (1 - s), and nothing else, may cost digits there: the answer must lie between the losses of the two
    neighbouring odds. Losses fall or rise all the way, so elsewhere this is the plain relative error.
    """
    neighbours = [losses_by_definition(belief, with_odds_times(score, 1 + sign * 4 * ULP)) for sign in (-1, 1)]
    for k, method in enumerate((belief.loss_if_positive, belief.loss_if_negative)):
        found = Fraction(float(method(score)))
        low, high = sorted(losses[k] for losses in neighbours)
        slack = Fraction(1, 10**12)
        lost = Fraction(1, 10**300)
        assert low * (1 - slack) - lost <= found <= high * (1 + slack) + lost, (score, float(found), float(low))


BELIEFS = [
    IndependentCosts(false_negative=(0, 1), false_positive=(0, 1)),
    IndependentCosts(false_negative=(2, 3), false_positive=(1, 4)),
    IndependentCosts(false_negative=(1, 4), false_positive=(2, 3)),
    IndependentCosts(false_negative=(0.7, 5.3), false_positive=(0.7, 5.3)),
    IndependentCosts(false_negative=(0, 1), false_positive=(0.5, 2)),
    IndependentCosts(false_negative=(0.5, 2), false_positive=(0, 7)),
    IndependentCosts(false_negative=(20, 40), false_positive=(1, 3)),
    IndependentCosts(false_negative=(0, 1e6), false_positive=(0, 1e-6)),
    IndependentCosts(false_negative=(1e200, 3e200), false_positive=(1e199, 2e199)),
    IndependentCosts(false_negative=(1e-200, 3e-200), false_positive=(1e-199, 2e-199)),
    IndependentCosts(false_negative=(1, 1 + 1e-6), false_positive=(2, 5)),
    IndependentCosts(false_negative=(2, 5), false_positive=(1, 1 + 1e-6)),
    IndependentCosts(false_negative=(2, 2 + 2e-8), false_positive=(5, 5 + 1e-7)),
    IndependentCosts(false_negative=(2, 2), false_positive=(1, 3)),
    IndependentCosts(false_negative=(3, 3), false_positive=(1, 4)),
    IndependentCosts(false_negative=(2, 2), false_positive=(0, 3)),
    IndependentCosts(false_negative=(2e200, 2e200), false_positive=(1e199, 3e200)),
    IndependentCosts(false_negative=(1, 3), false_positive=(2, 2)),
    IndependentCosts(false_negative=(1, 4), false_positive=(3, 3)),
    IndependentCosts(false_negative=(2, 5), false_positive=(1, 1)),
    IndependentCosts(false_negative=(0, 3), false_positive=(2, 2)),
    IndependentCosts(false_negative=(1e-200, 3e-199), false_positive=(2e-200, 2e-200)),
    IndependentCosts(false_negative=(3, 3), false_positive=(1, 1)),
]
USUAL_SCORES = (0.0, 1e-300, 1e-16, 1e-9, 0.01, 0.1, 0.3, 0.5, 0.7, 0.9, 0.99, 1 - 1e-9, 1 - 2**-53, 1.0)


def corners(belief):
    """Cost proportions of the corners of the rectangle: where the formula changes."""
    pairs = product(belief.false_negative, belief.false_positive)
    return sorted({g / (f + g) for f, g in pairs if f + g})


@pytest.mark.parametrize("belief", BELIEFS, ids=repr)
def test_losses_are_the_integrals_over_the_part_of_the_rectangle(belief):
    fixed = len(set(belief.support)) == 1  # a step, of which the side is known but at the step itself
    beside = (0.0, 1e-6, 1e-3) if not fixed else (1e-6, 1e-3)
    near = (corner * (1 + sign * step) for corner in corners(belief) for step in beside for sign in (-1, 1))
    next_to = (np.nextafter(corner, end) for corner in corners(belief) for end in (0, 1) if not fixed)
    for score in {*USUAL_SCORES, *map(float, near), *map(float, next_to)}:
        if 0 <= score <= 1:
            assert_as_defined(belief, score)


def test_a_score_equal_to_the_proportion_of_two_fixed_costs_acts():
    belief = IndependentCosts(false_negative=(3, 3), false_positive=(1, 1))
    assert belief.loss_if_positive([0.2, 0.25, 0.3]).tolist() == [3.0, 0.0, 0.0]
    assert belief.loss_if_negative([0.2, 0.25, 0.3]).tolist() == [0.0, 1.0, 1.0]


def mean_by_definition(belief):
    """E[G / (F + G)] from an antiderivative, whose cancellation 80 digits can afford."""
    (f0, f1), (g0, g1) = (tuple(map(mp.mpf, pair)) for pair in (belief.false_negative, belief.false_positive))
    if f0 == f1 and g0 == g1:
        return g0 / (f0 + g0)
    if f0 == f1:
        return 1 - f0 * mp.log((f0 + g1) / (f0 + g0)) / (g1 - g0)
    if g0 == g1:
        return g0 * mp.log((f1 + g0) / (f0 + g0)) / (f1 - f0)

    def primitive(f, g):
        return (g**2 - f**2) / 2 * mp.log(f + g) - g**2 / 4 + f * g / 2 if f + g else mp.mpf(0)

    total = primitive(f1, g1) - primitive(f0, g1) - primitive(f1, g0) + primitive(f0, g0)
    return total / ((f1 - f0) * (g1 - g0))


@pytest.mark.parametrize("belief", BELIEFS, ids=repr)
def test_the_mean_is_that_of_the_cost_proportion(belief):
    assert_allclose(belief.mean, float(mean_by_definition(belief)), rtol=1e-12)


def test_the_smallest_range_of_costs_there_is_has_a_mean():
    assert IndependentCosts(false_negative=(0, 1), false_positive=(0, 5e-324)).mean == 0


def test_the_mean_by_definition_is_the_integral_over_the_rectangle():
    """The antiderivative is checked where plain quadrature can do the work."""
    belief = IndependentCosts(false_negative=(2, 3), false_positive=(1, 4))
    context = mpmath.MPContext()
    context.dps = 20
    total = context.quad(lambda f, g: g / (f + g), [2, 3], [1, 4])
    assert abs(total / 3 - mean_by_definition(belief)) < 1e-17


# Wide enough, and in units ordinary enough, for a quadrature in floats.
WITH_DENSITY = [
    belief
    for belief in BELIEFS
    if belief.support[1] - belief.support[0] > 1e-6 and 1e-9 < max(belief.false_negative) < 1e9
]


def integral(belief, integrand):
    """Integral over the support, piece by piece, in log-odds: the pieces may be orders of magnitude apart."""
    ends = [np.log(c) - np.log1p(-c) if 0 < c < 1 else np.copysign(60, c - 0.5) for c in corners(belief)]

    def by_log_odds(x):
        c = 1 / (1 + np.exp(-x))
        return integrand(c) * c / (1 + np.exp(x))

    return sum(quad(by_log_odds, *piece, epsabs=0, epsrel=1e-11, limit=200)[0] for piece in pairwise(ends))


@pytest.mark.parametrize("belief", WITH_DENSITY, ids=repr)
def test_the_density_integrates_to_one_and_to_the_mean(belief):
    assert_allclose(integral(belief, belief.density), 1.0, rtol=1e-10)
    assert_allclose(integral(belief, lambda c: c * belief.density(c)), belief.mean, rtol=1e-10)


def test_the_density_reaches_the_ends_of_the_unit_square():
    belief = IndependentCosts(false_negative=(0, 1), false_positive=(0, 1))
    assert_allclose(belief.density([0.0, 0.5, 1.0]), [1 / 2, 2.0, 1 / 2])


def test_there_is_no_density_outside_the_support():
    belief = IndependentCosts(false_negative=(2, 3), false_positive=(1, 4))
    assert belief.density([-0.5, 0.0, 0.2, 0.7, 1.0, 1.5]).tolist() == [0.0] * 6


def test_two_fixed_costs_have_no_density():
    belief = IndependentCosts(false_negative=(1, 1), false_positive=(3, 3))
    with pytest.raises(TypeError) as caught:
        belief.density(0.5)
    assert str(caught.value) == (
        "`false_negative` and `false_positive` must not both be fixed where a density is needed, got 1 and 3; "
        "use `At(0.75)`."
    )


# ------------------------------------------------------------------------------------------- laws

ends = st.floats(0.0, 50.0).map(lambda cost: round(cost, 3))


@st.composite
def ranges(draw, fixed=False):
    low, high = sorted((draw(ends), draw(ends)))
    return (high + 0.5, high + 0.5) if fixed else (low, high + 0.5)


scores = st.floats(0.0, 1.0)


@laws
@given(ranges(), ranges(), scores)
def test_exchanging_the_classes_exchanges_the_losses(miss, alarm, score):
    """A dyadic score, so that its complement is exact."""
    score = round(score * 1024) / 1024
    belief = IndependentCosts(false_negative=miss, false_positive=alarm)
    mirror = IndependentCosts(false_negative=alarm, false_positive=miss)
    assert belief.loss_if_negative(score) == mirror.loss_if_positive(1 - score)


@laws
@given(ranges(), ranges(), scores, st.floats(1e-6, 1e6))
def test_another_unit_of_cost_scales_the_losses(miss, alarm, score, unit):
    belief = IndependentCosts(false_negative=miss, false_positive=alarm)
    scaled = IndependentCosts(
        false_negative=tuple(unit * cost for cost in miss), false_positive=tuple(unit * cost for cost in alarm)
    )
    total = unit * (sum(miss) + sum(alarm))
    for method in ("loss_if_positive", "loss_if_negative"):
        wanted = unit * getattr(belief, method)(score)
        assert_allclose(getattr(scaled, method)(score), wanted, rtol=1e-12, atol=1e-13 * total)


@laws
@given(ranges(), ranges(), st.integers(-300, 300), st.floats(1e-9, 1.0))
def test_a_power_of_two_as_unit_of_cost_changes_no_digit(miss, alarm, power, score):
    belief = IndependentCosts(false_negative=miss, false_positive=alarm)
    scaled = IndependentCosts(
        false_negative=np.ldexp(miss, power).tolist(), false_positive=np.ldexp(alarm, power).tolist()
    )
    assert scaled.loss_if_positive(score) == np.ldexp(belief.loss_if_positive(score), power)
    assert scaled.loss_if_negative(score) == np.ldexp(belief.loss_if_negative(score), power)


@laws
@given(ranges(), ranges(), scores, scores)
def test_the_true_probability_is_the_cheapest_score(miss, alarm, said, true):
    belief = IndependentCosts(false_negative=miss, false_positive=alarm)

    def paid(score):
        return true * belief.loss_if_positive(score) + (1 - true) * belief.loss_if_negative(score)

    assert paid(said) >= paid(true) - 1e-13 * (miss[1] + alarm[1])


@laws
@given(ranges(), ranges())
def test_always_and_never_acting_cost_the_mean_of_one_cost(miss, alarm):
    belief = IndependentCosts(false_negative=miss, false_positive=alarm)
    assert_allclose(belief.loss_if_positive([0.0, 1.0]), [np.mean(miss), 0.0], rtol=1e-14)
    assert_allclose(belief.loss_if_negative([0.0, 1.0]), [0.0, np.mean(alarm)], rtol=1e-14)


@laws
@given(ranges(), ranges(), scores, scores)
def test_a_higher_score_costs_a_positive_less_and_a_negative_more(miss, alarm, first, second):
    low, high = sorted((first, second))
    belief = IndependentCosts(false_negative=miss, false_positive=alarm)
    assert belief.loss_if_positive(high) <= belief.loss_if_positive(low) + 1e-13 * miss[1]
    assert belief.loss_if_negative(high) >= belief.loss_if_negative(low) - 1e-13 * alarm[1]


def narrow(cost, width):
    return cost[0] * (1 - width / 2), cost[0] * (1 + width / 2)


@laws
@given(ranges(fixed=True), ranges(), scores)
def test_a_narrow_range_of_misses_is_nearly_a_fixed_cost(miss, alarm, score):
    wide = IndependentCosts(false_negative=narrow(miss, 1e-7), false_positive=alarm)
    fixed = IndependentCosts(false_negative=miss, false_positive=alarm)
    assert_allclose(wide.loss_if_positive(score), fixed.loss_if_positive(score), atol=1e-5 * miss[0])
    assert_allclose(wide.loss_if_negative(score), fixed.loss_if_negative(score), atol=1e-5 * alarm[1])


@laws
@given(ranges(), ranges(fixed=True), scores)
def test_a_narrow_range_of_false_alarms_is_nearly_a_fixed_cost(miss, alarm, score):
    wide = IndependentCosts(false_negative=miss, false_positive=narrow(alarm, 1e-7))
    fixed = IndependentCosts(false_negative=miss, false_positive=alarm)
    assert_allclose(wide.loss_if_positive(score), fixed.loss_if_positive(score), atol=1e-5 * miss[1])
    assert_allclose(wide.loss_if_negative(score), fixed.loss_if_negative(score), atol=1e-5 * alarm[0])


@laws
@given(ranges(fixed=True), ranges(fixed=True), scores)
def test_two_fixed_costs_are_one_cost_proportion_in_units_of_their_sum(miss, alarm, score):
    belief = IndependentCosts(false_negative=miss, false_positive=alarm)
    point = At(alarm[0] / (miss[0] + alarm[0]))
    total = miss[0] + alarm[0]
    assert_allclose(belief.loss_if_positive(score), total * point.loss_if_positive(score), rtol=1e-14)
    assert_allclose(belief.loss_if_negative(score), total * point.loss_if_negative(score), rtol=1e-14)
    assert belief.mean == point.mean
    assert belief.support == point.support


@pytest.mark.parametrize("width", [2e-10, 1.8e-9])
def test_a_range_too_narrow_to_tell_from_one_cost_becomes_the_cost_in_its_middle(width):
    belief = IndependentCosts(false_negative=(2, 2 + width), false_positive=(1, 3))
    middle = 2 + width / 2
    assert belief == IndependentCosts(false_negative=(middle, middle), false_positive=(1, 3))


def test_a_range_that_can_be_told_from_one_cost_stays_as_it_is():
    assert IndependentCosts(false_negative=(2, 2 + 2.2e-9), false_positive=(1, 3)).false_negative == (2, 2 + 2.2e-9)


@pytest.mark.parametrize("cost", [5e-324, 1e-310, 1.0, 1e200, 1.7e308])
def test_a_fixed_cost_is_that_cost_however_large_or_small(cost):
    belief = IndependentCosts(false_negative=(cost, cost), false_positive=(cost, cost))
    assert belief.false_negative == belief.false_positive == (cost, cost)


def test_the_middle_of_a_narrow_range_of_large_costs_is_inside_it():
    low, high = 1.7e308, 1.7e308 * (1 + 1e-12)
    (middle, same) = IndependentCosts(false_negative=(low, high), false_positive=(1, 2)).false_negative
    assert low <= middle == same <= high

"""Every loss against its definition: integrals of the bare density, in 34-digit arithmetic.

Nothing of the library is used but the parameters of a belief. A density is given up to a factor; that factor,
the mean and the four functions of a score are then sums of integrals between neighbouring scores.
"""

from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

import mpmath
import numpy as np
import pytest
from numpy.testing import assert_allclose

from stakes import At, Beta, LogOddsUniform, Uniform
from stakes.beliefs import Atoms, EveryLogOdds, LogOddsMeasure, Mixture, ShiftedUniform

mp = mpmath.MPContext()
mp.dps = 34
HALF = mp.mpf(1) / 2
ONE = mp.mpf(1)


class Integrals(NamedTuple):
    """What a range of costs c adds up to, each weighted by the density."""

    mass: mpmath.mpf  # of 1
    cost: mpmath.mpf  # of c
    rest: mpmath.mpf  # of 1 - c
    odds: mpmath.mpf  # of c / (1 - c)


class Kernel(NamedTuple):
    """A density up to a factor, as a function of c and of 1 - c, and the powers with which it ends at 0 and 1."""

    density: object
    powers: tuple = (ONE, ONE)
    finite_odds: bool = False


def kernel_of(belief):
    match belief:
        case Uniform():
            return Kernel(lambda c, d: ONE)
        case LogOddsUniform() | EveryLogOdds() | LogOddsMeasure():
            return Kernel(lambda c, d: 1 / (c * d))
        case ShiftedUniform():
            mode = mp.mpf(belief.median)
            return Kernel(lambda c, d: 1 / (c * (1 - mode) + d * mode) ** 2)
        case Beta():
            alpha, beta = mp.mpf(belief.alpha), mp.mpf(belief.beta)
            slowest = beta - 1 if beta > 1 else beta  # the odds take one power away
            powers = min(alpha, ONE), min(slowest, ONE)
            return Kernel(lambda c, d: c ** (alpha - 1) * d ** (beta - 1), powers, beta > 1)
    raise NotImplementedError(belief)


def integrals(kernel, start, end):
    """Integrals from `start` to `end`, both on the same side of 1/2, in the distance x to the nearer end of [0, 1].

    That distance is stretched to [0, 1] so that the quadrature, whose tolerance is absolute, sees a smooth
    function of ordinary size: by its logarithm where it spans orders of magnitude, by a power where it starts at 0.
    """
    upper = start >= HALF
    x0, x1 = (1 - end, 1 - start) if upper else (start, end)
    power = kernel.powers[upper]
    ratio = mp.log(x1 / x0) if x0 else mp.inf
    known = {}

    def stretched(u):
        if x0 == 0:
            x = x1 * u ** (1 / power)
            return x, x / (u * power)
        if ratio > 4:
            x = x0 * mp.exp(ratio * u)
            return x, x * ratio
        return x0 + (x1 - x0) * u, x1 - x0

    def values(u):
        if u not in known:
            x, slope = stretched(u)
            c, d = (1 - x, x) if upper else (x, 1 - x)
            h = kernel.density(c, d) * slope
            known[u] = Integrals(h, h * c, h * d, h * c / d)
        return known[u]

    def integral(k):
        if k == 3 and upper and x0 == 0 and not kernel.finite_odds:
            return mp.inf
        size = values(HALF)[k]
        return size * mp.quad(lambda u: values(u)[k] / size, [0, 1])

    return Integrals(*(integral(k) for k in range(4)))


def by_definition(belief, scores):
    """Mean, and the four functions at each score, of a belief that has a density."""
    low, high = map(mp.mpf, belief.support)
    z = [min(max(mp.mpf(score), low), high) for score in scores]
    extra = {HALF, mp.mpf(getattr(belief, "mode", 0.5))}
    thresholds = sorted({low, high, *z, *(threshold for threshold in extra if low < threshold < high)})
    pieces = [integrals(kernel_of(belief), start, end) for start, end in pairwise(thresholds)]
    mass = mp.fsum(piece.mass for piece in pieces)

    def functions(score):
        here = thresholds.index(score)
        return {
            "loss_if_positive": mp.fsum(piece.rest for piece in pieces[here:]) / mass,
            "loss_if_negative": mp.fsum(piece.cost for piece in pieces[:here]) / mass,
            "share_above": mp.fsum(piece.mass for piece in pieces[here:]) / mass,
            "odds_up_to": mp.fsum(piece.odds for piece in pieces[:here]) / mass,
        }

    return mp.fsum(piece.cost for piece in pieces) / mass, [functions(score) for score in z]


FUNCTIONS = ("loss_if_positive", "loss_if_negative", "share_above", "odds_up_to")
USUAL_SCORES = (0.0, 1e-300, 1e-16, 1e-9, 1e-4, 0.3, 0.5, 0.71, 1 - 1e-4, 1 - 1e-9, 1 - 2**-53, 1.0)


def scores_for(belief):
    """List the usual scores, and those at and next to the bounds of the belief."""
    low, high = belief.support
    width = high - low
    near = [low, low + 1e-9 * width, low + 1e-4 * width, low + 0.37 * width, high - 1e-4 * width, high - 1e-9 * width]
    ends = [np.nextafter(low, 1), np.nextafter(high, 0), high]
    return sorted({float(score) for score in (*USUAL_SCORES, *near, *ends)})


def assert_close(found, wanted, what):
    """Assert twelve digits; what is below 1e-300 may be lost, as floats are."""
    if mp.isinf(wanted):
        assert found == np.inf, what
    else:
        assert abs(mp.mpf(float(found)) - wanted) <= 1e-12 * abs(wanted) + mp.mpf("1e-300"), (what, found, wanted)


def assert_as_defined(belief, scores, mean, functions):
    assert_close(belief.mean, mean, "mean")
    for name in FUNCTIONS:
        found = getattr(belief, name)(np.array(scores))
        for score, value, wanted in zip(scores, found, functions, strict=True):
            assert_close(value, wanted[name], f"{name} at {score!r}")


def test_the_oracle_itself_is_right_where_the_integrals_are_polynomials():
    """Beta(2, 5): the density is 30 c (1 - c)**4, and every integral a rational number."""
    score = 0.375
    mean, [found] = by_definition(Beta(2, 5), [score])

    def integral(power, rest_power, start, end):
        """Integral of ``30 c**power (1 - c)**rest_power``, by the binomial theorem."""
        binomial = (mpmath.binomial(rest_power, k) for k in range(rest_power + 1))
        terms = ((int(b), power + k + 1, (-1) ** k) for k, b in enumerate(binomial))
        return 30 * sum(Fraction(sign * b, n) * (Fraction(end) ** n - Fraction(start) ** n) for b, n, sign in terms)

    wanted = {
        "loss_if_positive": integral(1, 5, score, 1),
        "loss_if_negative": integral(2, 4, 0, score),
        "share_above": integral(1, 4, score, 1),
        "odds_up_to": integral(2, 3, 0, score),
    }
    for name, value in wanted.items():
        assert abs(found[name] / (mp.mpf(value.numerator) / value.denominator) - 1) < mp.mpf("1e-28")
    assert abs(mean / (mp.mpf(2) / 7) - 1) < mp.mpf("1e-28")


SPREAD = [
    Uniform(),
    Uniform(0.05, 0.2),
    Uniform(0.3, 1.0),
    Uniform(0.0, 1e-5),
    Uniform(1e-6, 2e-6),
    Uniform(0.1, 0.1 + 1e-9),
    Uniform(0.9, 1 - 1e-9),
    Uniform(0.0, 1e-200),
    LogOddsUniform(0.05, 0.2),
    LogOddsUniform(1e-6, 1e-3),
    LogOddsUniform(0.1, 0.1 + 1e-9),
    LogOddsUniform(0.3, 1 - 1e-9),
    LogOddsUniform(1e-300, 0.5),
    ShiftedUniform(0.5),
    ShiftedUniform(0.5 + 1e-9),
    ShiftedUniform(0.5 - 1e-9),
    ShiftedUniform(0.1),
    ShiftedUniform(0.83),
    ShiftedUniform(1e-9),
    ShiftedUniform(1 - 1e-9),
    Beta(2, 5),
    Beta(0.5, 0.3),
    Beta(0.01, 3),
    Beta(20, 55),
    Beta(3, 1),
    Beta(0.7, 1),
    Beta(2, 0.5),
    Beta(40, 0.9),
    Beta(2, 1 + 1e-9),
    Beta(2, 1 - 1e-9),
    Beta(2, 5, low=0.1, high=0.4),
    Beta(2, 5, low=0.2, high=0.2 + 1e-9),
    Beta(2, 5, low=0.9, high=0.99),
    Beta(2, 5, low=0.999, high=1.0),
    Beta(2, 5, low=1e-6, high=1e-5),
    Beta(20, 55, low=1e-6, high=1e-3),
    Beta(20, 55, low=0.8, high=0.9),
    Beta(150, 420, low=0.36, high=0.36001),
    Beta(0.01, 3, low=1e-8, high=1e-5),
    Beta(3, 0.01, low=0.5, high=0.999),
    Beta(0.05, 0.07, low=0.3, high=0.45),
    Beta(0.5, 0.3, low=1e-8, high=1e-7),
    Beta(2, 0.5, low=0.2, high=1.0),
    Beta(2, 0.5, low=0.9, high=0.99),
    Beta(3, 1, low=0.2, high=0.3),
]


@pytest.mark.slow
@pytest.mark.parametrize("belief", SPREAD, ids=repr)
def test_a_belief_with_a_density_is_its_integrals(belief):
    scores = scores_for(belief)
    assert_as_defined(belief, scores, *by_definition(belief, scores))


@pytest.mark.parametrize(
    "belief",
    [
        Beta(400, 1000, low=0.24, high=0.36),
        Beta(4000, 10000, low=0.28571, high=0.36),
        Beta(4000, 10000, low=0.2912, high=0.36),
    ],
    ids=repr,
)
def test_a_belief_concentrated_in_part_of_its_range_is_its_integrals(belief):
    """To nine digits: such a density moves by thousands of times as much as the last digit of a score."""
    scores = [belief.low + share * (belief.high - belief.low) for share in (0.0, 0.1, 0.4)]
    mean, functions = by_definition(belief, scores)
    assert abs(belief.mean / mean - 1) < 1e-9
    for name in FUNCTIONS:
        found = getattr(belief, name)(np.array(scores))
        assert_allclose(found, [float(wanted[name]) for wanted in functions], rtol=1e-9)


ATOMS = ([0.75, 1e-9, 0.1, 0.3, 1 - 2**-53, 0.1], [2, 3, 0.5, 7, 1, 4])


def summed(values, weights, scores):
    """Mean, and the four functions at each score, of single costs, in rational arithmetic."""
    total = sum(map(Fraction, weights))
    atoms = [(Fraction(value), Fraction(weight) / total) for value, weight in zip(values, weights, strict=True)]

    def exact(terms):
        value = Fraction(sum(terms))
        return mp.mpf(value.numerator) / value.denominator

    def functions(score):
        return {
            "loss_if_positive": exact(p * (1 - c) for c, p in atoms if c > Fraction(score)),
            "loss_if_negative": exact(p * c for c, p in atoms if c <= Fraction(score)),
            "share_above": exact(p for c, p in atoms if c > Fraction(score)),
            "odds_up_to": exact(p * c / (1 - c) for c, p in atoms if c <= Fraction(score)),
        }

    return exact(p * c for c, p in atoms), [functions(score) for score in scores]


def scores_around(values):
    neighbours = (np.nextafter(value, end) for value in values for end in (0, 1))
    return sorted({*USUAL_SCORES, *values, *map(float, neighbours)})


@pytest.mark.parametrize("value", [0.3, 1e-9, 1e-300, 1 - 2**-53])
def test_a_single_cost_is_its_definition(value):
    scores = scores_around([value])
    assert_as_defined(At(value), scores, *summed([value], [1], scores))


def test_several_costs_are_their_sums():
    scores = scores_around(ATOMS[0])
    assert_as_defined(Atoms(*ATOMS), scores, *summed(*ATOMS, scores))


def test_a_mixture_is_the_mixture_of_its_definitions():
    parts, weights = (
        [Uniform(0.05, 0.2), Beta(2, 5, low=0.1, high=0.4), Atoms(*ATOMS), ShiftedUniform(1e-9)],
        [2, 7, 1, 3],
    )
    scores = scores_around([0.05, 0.1, 0.2, 0.4, *ATOMS[0]])
    defined = [summed(*ATOMS, scores) if isinstance(part, Atoms) else by_definition(part, scores) for part in parts]

    def mixed(values):
        return mp.fsum(weight * value for weight, value in zip(weights, values, strict=True)) / sum(weights)

    mean = mixed([mean for mean, _ in defined])
    functions = [
        {name: mixed([part[k][name] for _, part in defined]) for name in FUNCTIONS} for k in range(len(scores))
    ]
    assert_as_defined(Mixture(parts, weights), scores, mean, functions)


@pytest.mark.slow
@pytest.mark.sample(3)
@pytest.mark.parametrize("bounds", [(0.0, 1.0), (0.0, 0.3), (0.3, 1.0), (1e-6, 0.2)])
def test_the_log_odds_measure_is_its_integrals_without_division_by_its_mass(bounds):
    belief = EveryLogOdds() if bounds == (0.0, 1.0) else LogOddsMeasure(*bounds)
    low, high = map(mp.mpf, bounds)
    kernel = kernel_of(belief)
    for score in (1e-300, 1e-16, 1e-9, 0.2, 0.3, 0.71, 1 - 1e-9, 1 - 2**-53):
        z = min(max(mp.mpf(score), low), high)
        above = [integrals(kernel, a, b).rest for a, b in pairwise(sorted({z, max(z, min(high, HALF)), high}))]
        below = [integrals(kernel, a, b).cost for a, b in pairwise(sorted({low, min(z, max(low, HALF)), z}))]
        assert_close(belief.loss_if_positive(score), mp.fsum(above), f"loss_if_positive at {score}")
        assert_close(belief.loss_if_negative(score), mp.fsum(below), f"loss_if_negative at {score}")


def test_a_certain_mistake_costs_infinitely_much_when_every_log_odds_counts():
    belief = EveryLogOdds()
    assert belief.loss_if_positive([0.0, 1.0]).tolist() == [np.inf, 0.0]
    assert belief.loss_if_negative([0.0, 1.0]).tolist() == [0.0, np.inf]


def test_the_improper_belief_has_no_mean():
    assert np.isnan(EveryLogOdds().mean)


@pytest.mark.parametrize("alpha_beta", [(2, 5), (0.7, 1.4), (40, 1 + 1e-6)])
def test_the_mean_odds_of_a_whole_beta_belief_are_the_textbook_ones(alpha_beta):
    alpha, beta = alpha_beta
    assert_close(Beta(alpha, beta).odds_up_to(1.0), mp.mpf(alpha) / (mp.mpf(beta) - 1), "odds_up_to at 1")

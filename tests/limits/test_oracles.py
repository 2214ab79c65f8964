"""Partial VOROS from its definition: every feasible threshold, polygons clipped at each cost, and integrals."""

import itertools
import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import integrate, special

from stakes import At, Beta, Limits, LogOddsUniform, Uniform, auc, best_thresholds, score_table
from stakes.beliefs import Atoms, CostRatio, FractionalCost, InverseCostRatio, Mixture, ShiftedUniform
from stakes.limits import feasible_partial_auc, lesser_area_curve, partial_voros, voros
from stakes.policy import policy_cost

# ------------------------------------------------------------------------------------------------- the slow twin


def clip(corners, room):
    """Keep the part of a polygon where a straight function is not negative."""
    kept = []
    for a, b in zip(corners, corners[1:] + corners[:1], strict=True):
        if room(a) >= 0:
            kept.append(a)
        if room(a) * room(b) < 0:
            part = room(a) / (room(a) - room(b))
            kept.append(tuple(u + part * (v - u) for u, v in zip(a, b, strict=True)))
    return kept


def area(corners):
    if len(corners) < 3:
        return 0
    return sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(corners, corners[1:] + corners[:1], strict=True)) / 2


class Slow:
    """One sample under limits, in rational numbers: `alpha` and `kappa` are fractions, weights whole numbers."""

    def __init__(self, y, score, alpha, kappa):
        self.P, self.N = int(np.sum(y)), int(len(y) - np.sum(y))
        counts = [(int(np.sum((score >= s) & (y == 0))), int(np.sum((score >= s) & (y == 1)))) for s in {*score}]
        self.points = [
            (Fraction(fp, self.N), Fraction(tp, self.P))
            for fp, tp in [(0, 0), *counts]
            if fp + tp <= kappa and tp >= alpha * (fp + tp)
        ]
        square = [
            (Fraction(0), Fraction(0)),
            (Fraction(1), Fraction(0)),
            (Fraction(1), Fraction(1)),
            (Fraction(0), Fraction(1)),
        ]
        corners = clip(square, lambda v: (1 - alpha) * self.P * v[1] - alpha * self.N * v[0])
        self.corners = clip(corners, lambda v: kappa - self.N * v[0] - self.P * v[1])

    def t_of_cost(self, c):
        return c * self.N / (c * self.N + (1 - c) * self.P)

    def best_share(self, t, exact=False):
        """Largest share of the region that costs more than a feasible threshold, over all feasible thresholds."""
        kind = (lambda v: v) if exact else float
        corners = [tuple(map(kind, v)) for v in self.corners]
        points = [tuple(map(kind, z)) for z in self.points]
        cheapest = min(points, key=lambda z: t * z[0] + (1 - t) * (1 - z[1]))
        shares = [
            area(clip(corners, lambda v, z=z: t * (v[0] - z[0]) - (1 - t) * (v[1] - z[1]))) / area(corners)
            for z in (points if exact else [cheapest])
        ]
        return max(shares)

    def breaks(self):
        """Fractional costs at which two thresholds tie, or a threshold and a corner of the region."""
        ties = set()
        for h, k in self.points:
            for x, y in self.points + self.corners:
                if (x - h) * (y - k) > 0:
                    ties.add((y - k) / (y - k + x - h))
        return sorted(ties)

    def mean(self, low, high, density, t_of):
        """Mean over x of the best share at t(x), between breaks; `density` is a function of x."""
        inverse = [
            mpmath.findroot(lambda x, b=b: t_of(x) - float(b), (low, high), solver="anderson")
            for b in self.breaks()
            if min(t_of(low), t_of(high)) < b < max(t_of(low), t_of(high))
        ]
        ends = sorted({low, high, *map(float, inverse)})
        pieces = itertools.pairwise(ends)
        return math.fsum(
            integrate.quad(
                lambda x: density(x) * self.best_share(t_of(x)), a, b, epsabs=1e-14, epsrel=1e-13, limit=200
            )[0]
            for a, b in pieces
        )


def random_sample(seed, size=14):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, size) if seed % 2 else (rng.random(size) < 0.35).astype(int)
    y[:2] = 0, 1
    score = np.round(rng.normal(size=size) + 1.1 * y, 1 if seed % 3 else 0)
    alpha, kappa = Fraction(int(rng.integers(0, 8)), 10), Fraction(int(rng.integers(2, size + 2)))
    return y, score, alpha, kappa


def both(seed):
    y, score, alpha, kappa = random_sample(seed)
    limits = Limits.from_count(float(kappa), len(y), min_precision=float(alpha))
    return Slow(y, score, alpha, kappa), score_table(y, score), limits


# ------------------------------------------------------------------------------------------------- comparisons


@pytest.mark.parametrize("seed", range(40))
def test_at_one_cost_it_is_the_largest_share_over_all_feasible_thresholds(seed):
    slow, table, limits = both(seed)
    for t in (Fraction(1, 7), Fraction(2, 5), Fraction(17, 23), Fraction(1, 2)):
        expected = float(slow.best_share(t, exact=True))
        assert partial_voros(table, FractionalCost.of(At(float(t))), limits) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("seed", range(40))
def test_uniform_fractional_cost(seed):
    slow, table, limits = both(seed)
    low, high = [(0.2, 0.6), (0.0, 1.0), (0.05, 0.95), (0.55, 0.7)][seed % 4]
    expected = slow.mean(low, high, lambda t: 1 / (high - low), lambda t: t)
    assert partial_voros(table, FractionalCost(low, high), limits) == pytest.approx(expected, abs=2e-12)


@pytest.mark.parametrize("seed", range(12))
def test_uniform_cost_ratio(seed):
    slow, table, limits = both(seed)
    low, high = [(1 / 9, 1 / 6), (0.0, 3.0), (0.4, 7.0)][seed % 3]
    expected = slow.mean(low, high, lambda r: 1 / (high - low), lambda r: slow.t_of_cost(r / (1 + r)))
    assert partial_voros(table, CostRatio(low, high), limits) == pytest.approx(expected, abs=2e-12)


@pytest.mark.parametrize("seed", range(12))
def test_uniform_inverse_cost_ratio(seed):
    slow, table, limits = both(seed)
    low, high = [(6.0, 9.0), (0.0, 3.0), (0.4, 7.0)][seed % 3]
    expected = slow.mean(low, high, lambda r: 1 / (high - low), lambda r: slow.t_of_cost(1 / (1 + r)))
    assert partial_voros(table, InverseCostRatio(low, high), limits) == pytest.approx(expected, abs=2e-12)


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize(
    "belief",
    [Uniform(0.1, 0.45), LogOddsUniform(0.03, 0.8), Beta(2, 5), ShiftedUniform(0.04)],
    ids=lambda b: type(b).__name__,
)
def test_beliefs_about_the_cost_proportion(seed, belief):
    slow, table, limits = both(seed)
    expected = slow.mean(*belief.support, lambda c: float(belief.density(c)), slow.t_of_cost)
    assert partial_voros(table, belief, limits) == pytest.approx(expected, abs=1e-11)


@pytest.mark.parametrize("shape", [(0.5, 0.5), (0.3, 2.2), (3.7, 0.4), (1.5, 6.2)])
@pytest.mark.parametrize("seed", range(4))
def test_beta_that_is_steep_at_its_ends(seed, shape):
    slow, table, limits = both(seed)
    a, b = shape
    # With t = s^(1/a) near 0 and 1 - t = s^(1/b) near 1 the density is gone.
    weight = 1 / float(mpmath.beta(a, b))
    left = slow.mean(0.0, 0.5**a, lambda s: weight / a * (1 - s ** (1 / a)) ** (b - 1), lambda s: s ** (1 / a))
    right = slow.mean(0.0, 0.5**b, lambda s: weight / b * (1 - s ** (1 / b)) ** (a - 1), lambda s: 1 - s ** (1 / b))
    result = partial_voros(table, FractionalCost.of(Beta(a, b)), limits)
    assert result == pytest.approx(left + right, abs=1e-11)


@pytest.mark.parametrize("seed", range(3))
def test_a_beta_cut_off_where_it_is_not_steep(seed):
    slow, table, limits = both(seed)
    a, b, top = 0.4, 2.5, 0.3
    belief = Beta(a, b, high=top)
    weight = 1 / float(mpmath.betainc(a, b, 0, top))
    power = slow.mean(0.0, top**a, lambda s: weight / a * (1 - s ** (1 / a)) ** (b - 1), lambda s: s ** (1 / a))
    assert partial_voros(table, FractionalCost.of(belief), limits) == pytest.approx(power, abs=1e-11)


@pytest.mark.parametrize("seed", range(3))
def test_a_beta_that_is_almost_a_point(seed):
    slow, table, limits = both(seed)
    belief = Beta(200, 700)
    ends = 200 / 900 + 0.0138 * np.arange(-10, 11, 2)
    pieces = itertools.pairwise(ends)
    expected = sum(slow.mean(a, b, lambda c: float(belief.density(c)), lambda c: c) for a, b in pieces)
    assert partial_voros(table, FractionalCost.of(belief), limits) == pytest.approx(expected, abs=1e-11)


def test_a_mixture_is_the_mixture_of_its_parts():
    _, table, limits = both(3)
    parts, weights = [Uniform(0.1, 0.3), At(0.4), Atoms([0.2, 0.6], [1, 3]), Beta(2, 5)], [4, 1, 2, 3]
    values = [partial_voros(table, part, limits) for part in parts]
    assert partial_voros(table, Mixture(parts, weights), limits) == pytest.approx(np.average(values, weights=weights))


def volume_of_the_square(points, low, high):
    """Return the closed form of the whole square, threshold by threshold, in 30 digits."""
    with mpmath.workdps(30):

        def primitive(h, f, t):
            return t - (h**2 * (-mpmath.log(1 - t) - t) + 2 * h * f * t + f**2 * (mpmath.log(t) - t)) / 2

        ties = sorted({(k2 - k) / (k2 - k + h2 - h) for h, k in points for h2, k2 in points if (h2 - h) * (k2 - k) > 0})
        ends = [low, *[t for t in ties if low < t < high], high]
        total = mpmath.mpf(0)
        for a, b in itertools.pairwise(ends):
            middle = (a + b) / 2
            h, k = min(points, key=lambda z: middle * z[0] + (1 - middle) * (1 - z[1]))
            h, f, a, b = (mpmath.mpf(v.numerator) / v.denominator for v in map(Fraction, (h, 1 - k, a, b)))
            total += primitive(h, f, b) - primitive(h, f, a)
        return float(
            total / (mpmath.mpf(high.numerator) / high.denominator - mpmath.mpf(low.numerator) / low.denominator)
        )


@pytest.mark.parametrize("seed", range(20))
def test_without_limits_it_is_the_closed_form(seed):
    y, score, _, _ = random_sample(seed, size=25)
    points = Slow(y, score, Fraction(0), Fraction(99)).points
    expected = volume_of_the_square(points, Fraction(1, 16), Fraction(7, 8))
    assert voros(score_table(y, score), FractionalCost(1 / 16, 7 / 8)) == pytest.approx(expected, rel=1e-13)


@pytest.mark.parametrize("seed", range(20))
def test_feasible_partial_auc_by_strips(seed):
    slow, table, limits = both(seed)
    everything = sorted(Slow(*random_sample(seed)[:2], Fraction(0), Fraction(99)).points)
    inside = Fraction(0)
    for (x0, y0), (x1, y1) in itertools.pairwise(everything):
        if x1 > x0:
            strip = clip(clip(slow.corners, lambda v, x=x0: v[0] - x), lambda v, x=x1: x - v[0])
            slope = (y1 - y0) / (x1 - x0)
            inside += area(clip(strip, lambda v, x=x0, y=y0, s=slope: y + s * (v[0] - x) - v[1]) if strip else [])
    assert feasible_partial_auc(table, limits) == pytest.approx(float(inside / area(slow.corners)), abs=1e-13)


def test_feasible_partial_auc_without_limits_is_the_auc():
    for seed in range(5):
        y, score, _, _ = random_sample(seed)
        table = score_table(y, score)
        assert feasible_partial_auc(table, Limits()) == pytest.approx(auc(table), rel=1e-14)


@pytest.mark.parametrize("seed", range(10))
def test_the_mean_of_the_lesser_area_curve_is_partial_voros(seed):
    _, table, limits = both(seed)
    curve = lesser_area_curve(table, limits)
    mean = np.sum(np.diff(curve.x) * (curve.y[1:] + curve.y[:-1]) / 2)
    assert mean == pytest.approx(partial_voros(table, FractionalCost(0, 1), limits), abs=2e-5)


@pytest.mark.parametrize("seed", range(10))
def test_the_lesser_area_curve_is_exact_at_its_points(seed):
    slow, table, limits = both(seed)
    curve = lesser_area_curve(table, limits)
    chosen = np.random.default_rng(seed).choice(len(curve), 12)
    assert_allclose(curve.y[chosen], [slow.best_share(t) for t in curve.x[chosen]], atol=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize(
    "costs",
    [Uniform(0.1, 0.7), CostRatio(0.1, 2), InverseCostRatio(0.5, 9), FractionalCost(0.1, 0.9), Beta(0.6, 2.5)],
    ids=repr,
)
def test_the_cost_of_a_policy_is_the_mean_over_drawn_costs(seed, costs):
    _, table, limits = both(seed)
    y, score, _, _ = random_sample(seed + 100)
    policy = best_thresholds(table, costs, limits)
    x, weight = nodes(costs, policy.to_cost[:-1])
    share = len(y[y == 1]) / len(y)
    proportion = {
        "cost proportion": lambda x: x,
        "cost ratio": lambda x: x / (1 + x),
        "inverse cost ratio": lambda x: 1 / (1 + x),
        "fractional cost": lambda x: x * share / (x * share + (1 - x) * (1 - share)),
    }[policy.scale](x)
    alarm = score[None] >= np.array([policy(value) for value in x])[:, None]
    paid = proportion[:, None] * (alarm & (y == 0)) + (1 - proportion[:, None]) * (~alarm & (y == 1))
    worst = proportion * (1 - share) + (1 - proportion) * share
    result = policy_cost(policy, score_table(y, score), costs)
    close = 1e-5 if isinstance(costs, Beta) else 1e-12
    assert result.regret == pytest.approx(weight @ paid.mean(axis=1), abs=close)
    assert result.normalised_cost == pytest.approx(weight @ (paid.mean(axis=1) / worst), abs=close)


def nodes(costs, breaks):
    """Points and weights of an even law, or the middle of 20,000 equal masses of any other."""
    if isinstance(costs, Beta):
        rank = (np.arange(20_000) + 0.5) / 20_000
        x = special.betaincinv(costs.alpha, costs.beta, rank)
        return x, np.full(len(x), 1 / len(x))
    ends = np.unique([*costs.support, *breaks])
    node, weight = np.polynomial.legendre.leggauss(40)
    width = np.diff(ends)[:, None]
    x, weight = ends[:-1, None] + width * (node + 1) / 2, width * weight / 2
    return x.ravel(), weight.ravel() / weight.sum()

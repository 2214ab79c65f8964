"""Formulas of partial VOROS, evaluated in fractions as they are printed.

C. Ratigan, K. Heuton, C. Wang, L. Cowen and M. C. Hughes, "Partial VOROS: a cost-aware performance metric for binary
classifiers with precision and capacity constraints". The published baselines of VOROS itself are in
``tests/voros/test_golden_voros.py``.
"""

from fractions import Fraction
from itertools import product
from typing import NamedTuple

import pytest

from stakes import Limits, ScoreTable, score_table
from stakes.beliefs import FractionalCost
from stakes.limits import feasible_region, lesser_area, partial_voros

# P, N, alpha, kappa: Fig. 2 (1000 and 9000, prevalence as in MIMIC-IV), one shape of the region each, and others.
REGIONS = {
    "case 1, triangle": (1000, 9000, Fraction(1, 2), 600),
    "case 2, quadrilateral": (1000, 9000, Fraction(1, 2), 1500),
    "case 3, right triangle": (1000, 9000, Fraction(1, 2), 4000),
    "case 1, few": (7, 40, Fraction(2, 5), 6),
    "case 2, few": (7, 40, Fraction(2, 5), 13),
    "case 3, few": (7, 40, Fraction(2, 5), 30),
}


def region_of(P, N, alpha, kappa):
    limits = Limits.from_count(kappa, P + N, min_precision=float(alpha))
    return feasible_region(ScoreTable.from_counts([0.5], [P], [N]), limits)


# ------------------------------------------------------------------------------------------------- Lemma 24: the areas


def printed_area(P, N, alpha, kappa):
    if kappa < P:
        return (1 - alpha) * kappa**2 / (2 * N * P)
    if alpha * kappa < P:
        return (2 * kappa * P - alpha * kappa**2 - P**2) / (2 * N * P)
    return (1 - alpha) * P / (alpha * N)


@pytest.mark.parametrize("name", REGIONS)
def test_lemma_24_areas_of_the_regions(name):
    printed = printed_area(*setting(name))
    right = printed / 2 if name.startswith("case 3") else printed  # case 3 is printed twice as large as it is
    assert region_of(*REGIONS[name]).area == pytest.approx(float(right), rel=1e-12)


# ----------------------------------------------------------------------------------------------- Fig. 3: partial areas


class Setting(NamedTuple):
    """Positives, negatives, least precision and capacity."""

    P: Fraction
    N: Fraction
    alpha: Fraction
    kappa: Fraction


def setting(name):
    return Setting(*map(Fraction, REGIONS[name]))


def case_of(at, h, k, t):
    """Which formula Lemma 28 says: by comparing costs with those of the corners of the region."""
    P, N, alpha, kappa = at
    within = alpha * kappa < P  # both lines cross below y = 1
    corner = ((1 - alpha) * kappa / N, alpha * kappa / P) if within else ((1 - alpha) * P / (alpha * N), 1)

    def cost(x, y):
        return t * x + (1 - t) * (1 - y)

    if cost(h, k) >= cost(*corner):
        return 1
    if not within:
        return 4
    return 2 if kappa < P or cost(h, k) > cost((kappa - P) / N, 1) else 3


def case_1_terms(at, h, k, t, D):
    """Return the three terms of the first case, with the letters A', B', C', D' of Lemma 29; D in the last is said."""
    P, N, alpha, _ = at
    C_, D_ = alpha * N + (1 - alpha) * P, alpha * N
    A_ = (1 - alpha) * P * (h + k) / C_
    B_ = (1 - alpha) * P * (k - (h + k) * alpha * N / C_)
    share = B_ * h / (C_ - D_)
    return A_ * (h + k), (share - A_ * h) / (1 - t), (C_ * share - B_ * (h + k)) / (C_ * t - D)


def case_1_as_printed(at, h, k, t):
    first, second, third = case_1_terms(at, h, k, t, D=at.N)
    return (first + second * third) / 2


def case_1(at, h, k, t):
    """Add where the figure multiplies, and take D' where it takes D."""
    return sum(case_1_terms(at, h, k, t, D=at.alpha * at.N)) / 2


def case_2(at, h, k, t):
    P, N, alpha, kappa = at
    A, C, D = (P * (h + k) - kappa) / (P - N), P - N, N
    B = kappa - k * P - (P * (h + k) - kappa) * N / (P - N)
    area = (1 - alpha) * kappa * (kappa - N * A) / (N * P) - A * alpha * kappa / P + A * (h + k)
    area -= (A * h + B * h / (C + D)) / (1 - t)
    return (area + (B * (h + k) - kappa * B / P - C * B * h / (C + D)) / (C * t + D)) / 2


def case_3(at, h, k, t):
    P, N, alpha, kappa = at
    area = (1 - alpha) * kappa / N - (alpha * kappa**2 - alpha * kappa * P) / (P * N) + (kappa - P) / N
    return (area + (k + h - 1) ** 2 - h**2 / (1 - t) - (1 - k) ** 2 / t) / 2


def case_4(at, h, k, t):
    P, N, alpha, _ = at
    area = (1 - alpha) * P / (alpha * N) - h**2 / (1 - t) - (1 - k) ** 2 / t
    return (area + h**2 + k**2 - 2 * (h + k) + 2 * h * k + 1) / 2


CASES = {1: case_1, 2: case_2, 3: case_3, 4: case_4}


def points(name):
    """Feasible points on a grid, with fractional costs that Definition 11 allows."""
    P, N, alpha, kappa = setting(name)
    largest = alpha * N / (alpha * N + (1 - alpha) * P)
    for i, j, part in product(range(9), range(9), (Fraction(1, 5), Fraction(1, 2), Fraction(9, 10))):
        k = Fraction(j, 8)
        h = Fraction(i, 8) * (1 - alpha) * P * k / (alpha * N)  # up to the line of least precision
        if N * h + P * k <= kappa and k > 0:
            yield h, k, part * largest


@pytest.mark.parametrize("name", REGIONS)
def test_fig_3_with_its_first_case_mended_is_our_area(name):
    at, region = setting(name), region_of(*REGIONS[name])
    for h, k, t in points(name):
        area = lesser_area(region, false_positive_rate=float(h), true_positive_rate=float(k), t=float(t))
        assert area == pytest.approx(float(CASES[case_of(at, h, k, t)](at, h, k, t)), rel=1e-9, abs=1e-14)


def test_every_case_of_fig_3_is_met():
    met = {(name, case_of(setting(name), *point)) for name in REGIONS for point in points(name)}
    assert {case for _, case in met} == set(CASES)
    assert {case for name, case in met if name == "case 2, few"} == {1, 2, 3}


def test_fig_3_case_1_as_printed_is_wrong_wherever_it_applies():
    at = setting("case 2, few")
    first = [point for point in points("case 2, few") if case_of(at, *point) == 1 and point[0] > 0]
    assert len(first) > 20
    assert all(case_1_as_printed(at, *point) != case_1(at, *point) for point in first)


# ------------------------------------------------------------------------------------------ Definition 11 and Lemma 26


@pytest.mark.parametrize("name", REGIONS)
def test_lemma_26_never_to_alarm_is_dearest_up_to_that_cost(name):
    P, N, alpha, _ = setting(name)
    largest = float(alpha * N / (alpha * N + (1 - alpha) * P))
    region = region_of(*REGIONS[name])
    never = {"false_positive_rate": 0.0, "true_positive_rate": 0.0}
    assert lesser_area(region, **never, t=largest - 1e-9) == pytest.approx(0, abs=1e-9)
    assert lesser_area(region, **never, t=largest + 0.02) > 1e-5


def test_section_5_costs_up_to_0_7_go_a_little_beyond_definition_11():
    # Printed: prevalence 4.6%, alpha from 0.1, and "t in (0.01, 0.7), so that Def. 11 is satisfied"; the end is 0.697.
    region = region_of(46, 954, 0.1, 700)
    never = {"false_positive_rate": 0.0, "true_positive_rate": 0.0}
    assert lesser_area(region, **never, t=0.697) == pytest.approx(0, abs=1e-12)
    assert lesser_area(region, **never, t=0.7) > 1e-4


def test_section_4_2_the_best_and_the_worst_value():
    table = score_table([0, 0, 0, 0, 0, 0, 1, 1], [1, 2, 3, 4, 5, 6, 7, 8])
    limits, costs = Limits.from_count(3, 8, min_precision=0.5), FractionalCost(0.2, 0.6)
    assert partial_voros(table, costs, limits) == pytest.approx(1.0)
    never = score_table([0, 0, 0, 0, 0, 0, 1, 1], [8, 7, 6, 5, 4, 3, 2, 1])
    assert partial_voros(never, costs, limits) == 0.0

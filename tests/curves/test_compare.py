"""Crossings and dominance: exact, also at jumps, between points and on bent pieces."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from numpy.testing import assert_allclose
from strategies import tables

from stakes import crossings, decision_curve, regret_curve, score_table, treat_all, treat_none
from stakes.curves import Curve, dominates


def line(*y, weight=None, better="higher"):
    return Curve(np.linspace(0, 1, len(y)), y, "x", "y", weight=weight, better=better)


def test_two_lines_cross_where_algebra_says():
    assert_allclose(crossings(line(0, 3), line(1, 0)), [0.25])


def test_touching_is_not_crossing():
    assert crossings(line(1, 0, 1), line(0, 0, 0)).tolist() == []


def test_curves_that_run_together_cross_where_they_part():
    a = Curve([0, 0.2, 0.6, 1], [1, 0, 0, -1], "x", "y")
    assert_allclose(crossings(a, line(0, 0)), [0.6])


def test_a_crossing_may_be_a_jump():
    a = Curve([0, 0.3, 0.3, 1], [1, 1, -1, -1], "x", "y")
    assert crossings(a, line(0, 0)).tolist() == [0.3]


def test_bent_curves_may_cross_twice_between_two_points():
    bent = Curve([0, 1], [0, 1], "x", "y", weight=[1, 9])  # 9x / (1 + 8x)
    chord = Curve([0, 1], [0.3, 1.02], "x", "y")
    roots = np.roots([-8 * 0.72, 9 - 0.72 - 8 * 0.3, -0.3])
    assert_allclose(crossings(bent, chord), np.sort(roots), rtol=1e-12)


def test_treat_all_and_treat_none_cross_at_the_prevalence():
    table = score_table([0, 0, 1], [0.1, 0.2, 0.4])
    assert_allclose(crossings(treat_all(table), treat_none(table)), [1 / 3], rtol=1e-14)


@given(tables(ends=True), tables(ends=True))
def test_net_benefits_on_one_sample_cross_where_regrets_do(a, b):
    y = [0, 1, 1, 0, 0, 1]
    a, b = (score_table(y, np.resize(table.score, 6)) for table in (a, b))
    on_regret = crossings(regret_curve(a), regret_curve(b))
    on_benefit = crossings(decision_curve(a), decision_curve(b))
    assert_allclose(on_benefit[on_benefit < 0.999], on_regret[on_regret < 0.999], rtol=1e-9, atol=1e-12)


@given(tables(ends=True), tables(ends=True))
def test_between_crossings_the_lead_does_not_change(a, b):
    a, b = regret_curve(a), regret_curve(b)
    ends = np.concatenate([[0.0], crossings(a, b), [1.0]])
    for low, high in itertools.pairwise(ends):
        at = np.linspace(low, high, 203)[1:-1]
        gap = a.after(at) - b.after(at)
        gap = gap[np.abs(gap) > 1e-13]
        assert len(set(np.sign(gap))) <= 1


@given(tables(ends=True), tables(ends=True))
def test_a_curve_dominates_iff_it_is_nowhere_worse(a, b):
    a, b = regret_curve(a), regret_curve(b)
    at = np.unique(np.concatenate([a.x, b.x, [0.07, 0.66]]))
    at = at[(at >= 0.07) & (at <= 0.66)]
    worse = np.concatenate([a.at(at) - b.at(at), (a.after(at) - b.after(at))[:-1]]) > 1e-13
    assert dominates(a, b, x_range=(0.07, 0.66)) == (not worse.any())


def test_lower_is_better_for_losses_and_higher_for_benefits():
    assert dominates(line(1, 1), line(0, 0), x_range=(0, 1))
    assert dominates(line(0, 0, better="lower"), line(1, 1, better="lower"), x_range=(0, 1))
    assert not dominates(line(0, 0), line(1, 1), x_range=(0, 1))


def test_a_single_dip_between_points_is_seen():
    bent = Curve([0, 1], [0, 1], "x", "y", weight=[9, 1], better="higher")
    assert not dominates(bent, line(0, 0.9), x_range=(0, 1))
    assert dominates(line(0, 1), bent, x_range=(0, 1))


def test_a_worse_value_at_the_very_start_is_seen():
    a = Curve([0, 0.5, 0.5, 1], [0, 0, 1, 1], "x", "y", better="higher")
    assert not dominates(a, line(0.5, 0.5), x_range=(0.5, 1))
    assert dominates(a, line(0.5, 0.5), x_range=(0.500001, 1))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (
            lambda: dominates(line(0, 1), line(0, 1, better="lower"), x_range=(0, 1)),
            "`curve_a` and `curve_b` must agree on what is better, higher or lower, got 'higher' and 'lower'.",
        ),
        (
            lambda: dominates(line(0, 1, better="neither"), line(0, 1, better="neither"), x_range=(0, 1)),
            "`curve_a` and `curve_b` must agree on what is better, higher or lower, got 'neither' and 'neither'.",
        ),
        (
            lambda: dominates(line(0, 1), line(0, 1), x_range=(-1, 1)),
            "`x_range` must lie where both curves are, from 0 to 1, got -1 to 1.",
        ),
        (
            lambda: dominates(line(0, 1), line(0, 1), x_range=(0.5, 0.1)),
            "`x_range` must go from low to high, got (0.5, 0.1).",
        ),
    ],
)
def test_what_cannot_be_compared(make, message):
    with pytest.raises(ValueError) as caught:  # noqa: PT011
        make()
    assert str(caught.value) == message


def test_curves_of_different_things_do_not_cross():
    table = score_table(y=[0, 1, 1, 0], score=[0.6, 0.7, 0.3, 0.1])
    message = (
        r"^`curve_a` and `curve_b` must be over the same axes, "
        r"got 'net benefit \(true positives per case\)' and 'mean regret'\.$"
    )
    with pytest.raises(ValueError, match=message):
        crossings(decision_curve(table), regret_curve(table))


def test_only_curves_cross():
    table = score_table(y=[0, 1, 1, 0], score=[0.6, 0.7, 0.3, 0.1])
    with pytest.raises(TypeError, match=r"^`curve_a` must be a Curve, got ScoreTable\.$"):
        crossings(table, table)

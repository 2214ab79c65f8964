"""Bands of curves, corrected miscalibration, and the progress bar of a long computation."""

import io
from functools import partial

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from uncertainty.simulated import cases, scores

from stakes import (
    At,
    Cases,
    Uniform,
    band,
    decision_curve,
    decompose,
    interval,
    net_benefit,
    precision_recall_curve,
    regret_curve,
    roc_curve,
)
from stakes.curves import class_loss_curves
from stakes.table import coarsen
from stakes.uncertainty import _replicates, _resample, miscalibration

PLACES = [0.1, 0.25, 0.4]


def test_at_one_place_the_pointwise_band_is_the_interval_there():
    sample = cases(300)
    found = band(sample, decision_curve, x=PLACES, n_resamples=300, rng=3)
    for k, cost in enumerate(PLACES):
        there = interval(sample, partial(net_benefit, costs=At(cost)), method="percentile", n_resamples=300, rng=3)
        for name, one in there.items():
            ends = [found[name].estimate[k], found[name].lower[k], found[name].upper[k]]
            assert_allclose(ends, [one.estimate, one.lower, one.upper], rtol=1e-10)


@pytest.mark.parametrize("curve", [decision_curve, regret_curve, roc_curve, precision_recall_curve])
def test_a_band_holds_its_curve_and_the_simultaneous_one_is_wider(curve):
    sample = cases(300)
    found = band(sample, curve, x=np.linspace(0.1, 0.6, 11), n_resamples=400, rng=1)["good"]
    assert_allclose(found.estimate, curve(sample.table("good")).at(found.x))
    assert (found.lower <= found.upper).all()
    assert (found.lower_everywhere <= found.estimate).all()
    wide, narrow = found.upper_everywhere - found.lower_everywhere, found.upper - found.lower
    assert (wide > 1.1 * narrow).all()


@pytest.mark.slow
def test_at_a_single_place_both_bands_are_about_the_same():
    found = band(cases(1000), decision_curve, x=[0.2], n_resamples=2000, rng=1)["good"]
    assert_allclose(found.lower_everywhere, found.lower, atol=0.1 * (found.upper - found.lower)[0])


def test_the_simultaneous_band_holds_all_of_the_replicates_at_its_level():
    sample = cases(300)
    found = band(sample, regret_curve, x=np.linspace(0.05, 0.7, 9), n_resamples=1000, level=0.8, rng=1)["good"]
    other = np.random.default_rng(5)
    held = []
    for _ in range(300):
        rows = other.integers(300, size=300)
        table = Cases(sample.positive[rows], {"a": sample.table("good").score[sample.rows("good")][rows]}).table("a")
        y = regret_curve(table).at(found.x)
        held.append(((y >= found.lower_everywhere) & (y <= found.upper_everywhere)).all())
    assert 0.72 < np.mean(held) < 0.88


def test_the_places_are_the_points_of_the_curve_or_some_of_them():
    few, many = (
        band(cases(size, decimals=d), regret_curve, n_resamples=100, rng=1) for size, d in ((100, 1), (600, 9))
    )
    sample = cases(100, decimals=1)
    assert_array_equal(few["good"].x, np.unique(regret_curve(sample.table("good")).x))
    assert len(many["good"].x) == 257
    assert (many["good"].x[0], many["good"].x[-1]) == (0.0, 1.0)


def test_a_coarse_table_has_the_band_of_the_exact_one():
    y, good, _ = scores(9000)
    sample = Cases(y, {"a": good})
    coarse, exact = (
        band(sample, decision_curve, x=PLACES, n_resamples=200, rng=1, exact=exact)["a"] for exact in (False, True)
    )
    assert_array_equal(coarse.estimate, exact.estimate)
    width = exact.upper - exact.lower
    assert (np.abs(coarse.lower - exact.lower) < 0.25 * width).all()
    assert (np.abs(coarse.upper - exact.upper) < 0.25 * width).all()


def test_a_very_coarse_band_is_still_about_the_exact_curve(monkeypatch):
    monkeypatch.setattr(_resample, "MANY", 20)
    monkeypatch.setattr(_resample, "COARSE", 3)
    sample, places = cases(400), [0.05, 0.1, 0.2]
    found = band(sample, roc_curve, x=places, n_resamples=1000, rng=1)["good"]
    coarse = roc_curve(coarsen(sample.table("good"), rows=3)).at(places)
    width = found.upper - found.lower
    assert (np.abs(coarse - found.estimate) > 0.3 * width).any()
    assert (np.abs((found.lower + found.upper) / 2 - found.estimate) < 0.1 * width).all()


def test_where_nothing_moves_the_band_has_no_width():
    found = band(Cases([1, 1], {"a": [0.5, 0.5]}), regret_curve, x=[0.2], n_resamples=100, rng=1)["a"]
    assert found.lower_everywhere == found.upper_everywhere == found.estimate == 0


def test_what_is_not_a_curve_is_refused():
    with pytest.raises(TypeError) as caught:
        band(cases(), class_loss_curves)
    assert str(caught.value) == "`curve` must return a Curve, got ByClass."


# ------------------------------------------------------------------------------------------- miscalibration


@pytest.mark.slow
def test_a_calibrated_model_shows_the_floor_and_nothing_more():
    gaps, floors = [], []
    for seed in range(12):
        found = miscalibration(cases(500, seed=seed), Uniform(), n_resamples=100, rng=1)["good"]
        gaps.append(found.corrected)
        floors.append(found.floor)
    assert abs(np.mean(gaps)) < 0.3 * np.mean(floors)


def test_the_estimate_is_that_of_decompose():
    sample = cases(300)
    found = miscalibration(sample, Uniform(0.1, 0.4), n_resamples=100, rng=1)["other"]
    assert found.estimate == decompose(sample.table("other"), Uniform(0.1, 0.4)).miscalibration
    assert found.corrected == found.estimate - found.floor


def test_equal_weights_give_the_floor_of_none():
    y, good, _ = scores(300)
    plain, heavy = (
        miscalibration(Cases(y, {"a": good}, weight=w), Uniform(), n_resamples=400, rng=1)["a"].floor
        for w in (None, np.full(300, 2.0))
    )
    assert_allclose(plain, heavy, rtol=0.06)


# ------------------------------------------------------------------------------------------- progress


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.mark.parametrize(("stream", "patience", "shown"), [(Terminal, -1, True), (Terminal, float("inf"), False)])
def test_progress_is_shown_after_a_while(stream, patience, shown, monkeypatch):
    monkeypatch.setattr(_replicates, "PATIENCE", patience)
    screen = stream()
    monkeypatch.setattr("sys.stderr", screen)
    assert list(_replicates.with_progress([(5, "a"), (10, "b")], 10)) == ["a", "b"]
    assert ("|###############               | 5 of 10" in screen.getvalue()) is shown
    assert screen.getvalue().endswith("\r") is shown


def test_progress_is_quiet_where_nobody_looks(monkeypatch):
    monkeypatch.setattr(_replicates, "PATIENCE", -1)
    screen = io.StringIO()
    monkeypatch.setattr("sys.stderr", screen)
    assert list(_replicates.with_progress([(1, "a")], 1)) == ["a"]
    assert screen.getvalue() == ""

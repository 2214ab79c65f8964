"""Intervals, differences and rankings of outcomes that are censored."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from stakes import (
    At,
    Cases,
    EventBy,
    InputError,
    Uniform,
    auc,
    band,
    brier_score,
    calibration_curve,
    compare,
    decision_curve,
    expected_regret,
    interval,
    log_loss,
    net_benefit,
    rank,
    skill_score,
)
from stakes.outcome import CensoringBy, CoxCensoring
from stakes.uncertainty import Study, calibration_band, crossing_set, difference_band, miscalibration


def drawn(size=400, seed=0):
    """Draw follow-up, a score and a worse one, and a group on which leaving depends."""
    rng = np.random.default_rng(seed)
    x, group = rng.normal(size=size), rng.integers(0, 2, size)
    time, leaves = rng.exponential(np.exp(-x)), rng.exponential(1.5, size)
    other = rng.integers(1, 3, size)
    event = np.where(time <= leaves, other, 0)
    score = 1 / (1 + np.exp(-x))
    worse = rng.random(size)
    return np.minimum(time, leaves), event, {"good": score, "worse": worse}, group


TIME, EVENT, SCORES, GROUP = drawn()
FOLLOWED = EventBy(TIME, EVENT, 0.8)
CASES = Cases(FOLLOWED, SCORES)


@pytest.mark.slow
@pytest.mark.parametrize(
    "censoring", [None, CensoringBy(GROUP), CoxCensoring(np.column_stack([GROUP, SCORES["good"]]))]
)
def test_the_bootstrap_with_censoring_anew_has_the_analytic_standard_error(censoring):
    cases = Cases(EventBy(TIME, EVENT, 0.8, censoring=censoring), SCORES)
    study = Study(cases, lambda table: net_benefit(table, At(0.2)))
    spread = study.spread("good").error
    resampled = interval(
        cases, lambda table: 1 * net_benefit(table, At(0.2)), method="percentile", n_resamples=400, rng=1
    )
    width = (resampled["good"].upper - resampled["good"].lower) / (2 * 1.96)
    assert_allclose(width, spread, rtol=0.15)
    as_given = Study(Cases(cases.positive, SCORES, weight=cases.weight), lambda table: net_benefit(table, At(0.2)))
    assert spread < as_given.spread("good").error


@pytest.mark.parametrize("measure", [expected_regret, net_benefit, skill_score])
def test_every_interval_holds_its_estimate_and_those_of_few_cases_are_wider(measure):
    few = Cases(FOLLOWED[:60], {name: score[:60] for name, score in SCORES.items()})
    for cases in (CASES, few):
        found = interval(cases, measure, costs=Uniform(0.1, 0.3))["good"]
        assert found.lower < found.estimate < found.upper
    many = interval(CASES, measure, costs=Uniform(0.1, 0.3))["good"]
    assert found.upper - found.lower > many.upper - many.lower


def test_a_difference_is_that_of_the_influences_and_ranks_agree():
    found = compare(CASES, "good", "worse", brier_score)
    assert found.upper < 0
    assert found.probability_better > 0.99
    assert rank(CASES, brier_score).probability_best["good"] > 0.99
    study = Study(CASES, brier_score)
    gap = study.influence("good") - study.influence("worse")
    assert_allclose((found.upper - found.lower) / 2 / 1.97, np.sqrt((gap**2).sum()), rtol=0.1)


def test_clusters_of_copies_count_as_one_case():
    """Two copies of each case in a cluster: the interval of the cases themselves."""
    twice = np.repeat(np.arange(len(TIME)), 2)
    clustered = Cases(FOLLOWED[twice], {name: score[twice] for name, score in SCORES.items()}, cluster=twice)
    for measure in (brier_score, auc):
        once, doubled = Study(CASES, measure), Study(clustered, measure)
        assert_allclose(doubled.influence("good"), once.influence("good"), atol=1e-12)
    resampled = interval(clustered, auc, method="percentile", n_resamples=200, rng=1)["good"]
    alone = interval(CASES, auc, method="percentile", n_resamples=200, rng=1)["good"]
    assert_allclose([resampled.lower, resampled.upper], [alone.lower, alone.upper], rtol=1e-10)


def test_a_loss_without_bound_of_an_unknown_case_changes_nothing():
    score = np.where(FOLLOWED.known, SCORES["good"], 0.0)
    found = interval(Cases(FOLLOWED, {"m": score}), log_loss)["m"]
    assert np.isfinite([found.estimate, found.lower, found.upper]).all()


def test_a_band_of_a_decision_curve_is_resampled_by_case():
    found = band(CASES, decision_curve, x=[0.2], n_resamples=200, rng=1)["good"]
    alone = interval(CASES, net_benefit, costs=At(0.2))["good"]
    assert_allclose(found.upper - found.lower, alone.upper - alone.lower, rtol=0.25)


@pytest.mark.parametrize(
    "ask",
    [
        lambda: calibration_band(CASES),
        lambda: band(CASES, calibration_curve),
        lambda: miscalibration(CASES, costs="5%..20%"),
        lambda: difference_band(CASES, "good", "worse"),
        lambda: crossing_set(CASES, "good", "worse", cost_range="5%..20%"),
    ],
)
def test_what_needs_known_outcomes_says_so(ask):
    with pytest.raises(
        InputError, match=r"^`cases` must have known outcomes for .*, got \d+ of 400 unknown; intervals"
    ):
        ask()
    with pytest.raises(InputError, match=r"^`by_class` must be False where the class of some cases is unknown\.$"):
        interval(CASES, auc, method="basic", by_class=True)


def test_a_horizon_that_few_replicates_reach_is_refused():
    outcome = EventBy([1, 1, 2, 2, 3, 3, 9], [1, 0, 1, 0, 0, 1, 0], 5)
    cases = Cases(outcome, {"m": [0.1, 0.2, 0.5, 0.3, 0.4, 0.9, 0.6]})
    with pytest.raises(InputError, match=r"^`horizon` must be within follow-up in at least 95% of 200 replicates"):
        interval(cases, brier_score, method="basic", n_resamples=200, rng=1)

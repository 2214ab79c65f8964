"""Intervals, differences and rankings of outcomes that are censored."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from stakes import (
    At,
    Cases,
    EventBy,
    InputError,
    Limits,
    Uniform,
    auc,
    band,
    best_thresholds,
    brier_score,
    calibration_curve,
    compare,
    decision_curve,
    expected_regret,
    interval,
    log_loss,
    net_benefit,
    rank,
    score_table,
    skill_score,
)
from stakes.outcome import CensoringBy, CoxCensoring
from stakes.uncertainty import (
    Study,
    _followed_apart,
    calibration_band,
    crossing_set,
    difference_band,
    miscalibration,
)
from stakes.uncertainty._apart import ActedApart
from stakes.uncertainty._calibration_methods import fit_spline
from stakes.uncertainty._resample import plan


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


WITH_REFERENCES = {**SCORES, "everyone": np.ones(400), "no one": np.zeros(400)}
SAMPLES = {
    "plain": Cases(FOLLOWED, WITH_REFERENCES),
    "clusters": Cases(FOLLOWED, WITH_REFERENCES, cluster=np.arange(400) // 3),
    "weights": Cases(FOLLOWED, WITH_REFERENCES, weight=1 + np.arange(400) % 3),
    "strata": Cases(EventBy(TIME, EVENT, 0.8, censoring=CensoringBy(GROUP)), WITH_REFERENCES),
    "late entry": Cases(EventBy(TIME, EVENT, 0.8, entry=TIME * GROUP / 4), WITH_REFERENCES),
}


@pytest.mark.parametrize("pair", [("good", "worse"), ("good", "everyone"), ("no one", "good")], ids=str)
@pytest.mark.parametrize("sample", SAMPLES)
def test_the_band_of_a_difference_has_at_each_place_the_interval_of_the_difference(sample, pair):
    cases, places = SAMPLES[sample], [0.1, 0.25, 0.6]
    found = difference_band(cases, *pair, x=places)
    for k, cost in enumerate(places):
        one = compare(cases, *pair, net_benefit, costs=At(cost))
        assert_allclose(
            [found.estimate[k], found.lower[k], found.upper[k]], [one.difference, one.lower, one.upper], atol=1e-10
        )
    assert (found.lower_everywhere <= found.lower).all()


@pytest.mark.parametrize("sample", SAMPLES)
def test_the_covariance_of_a_difference_at_all_places_is_that_of_its_influence(sample):
    cases, places = SAMPLES[sample], np.array([0.1, 0.25, 0.6])
    moved = []
    for cost in places:
        study = Study(cases, lambda table, cost=cost: net_benefit(table, At(cost)))
        moved.append(study.influence("good") - study.influence("worse"))
    apart = ActedApart.of(cases, "good", "worse", places)
    units = apart.counts.clusters or apart.counts.cases.sum()
    assert_allclose(apart.covariance, np.array(moved) @ np.array(moved).T * units / (units - 1), atol=1e-14)


def test_the_band_of_very_many_comes_from_a_sample_of_them(monkeypatch):
    many = Cases(*(lambda time, event, scores, _: (EventBy(time, event, 0.8), scores))(*drawn(4000)))
    whole = ActedApart.of(many, "good", "worse", np.array([0.1, 0.3])).covariance
    monkeypatch.setattr(_followed_apart, "MOST", 2000)
    some = ActedApart.of(many, "good", "worse", np.array([0.1, 0.3])).covariance
    assert not np.array_equal(some, whole)
    assert_allclose(some, whole, rtol=0.1)


def test_where_a_model_is_better_is_known_of_censored_outcomes():
    found = crossing_set(CASES, "good", "worse", cost_range="20%..60%")
    assert found.a_better
    assert found.b_better == ()


@pytest.mark.parametrize("clustered", [False, True])
def test_the_spline_varies_as_its_derivative_by_every_case_says(clustered):
    """By differences: what a little more weight of each case does to the coefficients, censoring estimated anew."""
    size, step = 90, 1e-5
    score = 1 / (1 + np.exp(-np.random.default_rng(1).normal(size=size)))
    outcome, cluster = EventBy(TIME[:size], EVENT[:size], 0.8), np.arange(size) // 2 if clustered else None
    moves = []
    for case in range(size):
        ends = [
            fit_spline(Cases(outcome, {"m": score}, weight=1 + sign * (np.arange(size) == case)), "m").coefficient
            for sign in (step, -step)
        ]
        moves.append((ends[0] - ends[1]) / (2 * step))
    units = np.array(moves) if cluster is None else np.add.reduceat(np.array(moves), np.arange(0, size, 2))
    found = fit_spline(Cases(outcome, {"m": score}, cluster=cluster), "m").covariance
    assert_allclose(found, units.T @ units * len(units) / (len(units) - 1), rtol=1e-5)


def test_the_spline_band_tells_scores_that_are_halved_from_right_ones():
    time, event, _, _ = drawn(3000, seed=4)
    x = np.random.default_rng(4).normal(size=3000)  # as `drawn` does
    right = 1 - np.exp(-0.8 * np.exp(x))
    risk = right / 2  # half of the events are of the other kind, nearly
    found = calibration_band(Cases(EventBy(time, event, 0.8), {"right": risk, "halved": risk / 2}), method="spline")
    assert found["halved"].miscalibrated
    assert len(found["right"].miscalibrated) <= 1
    inside = found["right"].x < 0.45
    assert ((found["right"].lower <= found["right"].x) & (found["right"].x <= found["right"].upper))[
        inside
    ].mean() > 0.8


@pytest.mark.parametrize(
    ("ask", "hint"),
    [
        (lambda: calibration_band(CASES), "the honest calibration band"),
        (lambda: calibration_band(CASES, method="consistency"), "the consistency calibration band"),
        (lambda: band(CASES, calibration_curve), "the honest calibration band"),
        (lambda: miscalibration(CASES, costs="5%..20%"), "drawn outcomes"),
    ],
)
def test_what_needs_known_outcomes_says_so(ask, hint):
    said = rf"^`cases` must have known outcomes for {hint}, got \d+ of 400 unknown; use `calibration_band\("
    with pytest.raises(InputError, match=said):
        ask()
    with pytest.raises(InputError, match=r"^`by_class` must be False where the class of some cases is unknown\.$"):
        interval(CASES, auc, method="basic", by_class=True)


def test_a_horizon_that_few_replicates_reach_is_refused():
    outcome = EventBy([1, 1, 2, 2, 3, 3, 9], [1, 0, 1, 0, 0, 1, 0], 5)
    cases = Cases(outcome, {"m": [0.1, 0.2, 0.5, 0.3, 0.4, 0.9, 0.6]})
    with pytest.raises(InputError, match=r"^`horizon` must be within follow-up in at least 95% of 200 replicates"):
        interval(cases, brier_score, method="basic", n_resamples=200, rng=1)


def test_a_replicate_counts_its_people_under_a_capacity():
    """Those who left may have lower scores than all who are known: acting on everybody known leaves them out."""
    rng = np.random.default_rng(3)
    time, event = rng.integers(1, 7, 40).astype(float), rng.integers(0, 3, 40)
    event[time == 6] = 1
    group, weight = np.arange(40) % 2, 1.0 + np.arange(40) % 3
    outcome = EventBy(time, event, 4, censoring=CensoringBy(group))
    score = np.where(outcome.known, rng.choice([0.3, 0.4, 0.6], 40), rng.choice([0.1, 0.2, 0.35, 0.9], 40))
    drawing = plan(Cases(outcome, {"m": score}, weight=weight), ("m",))
    (_, counts), *_ = drawing.blocks(8, np.random.default_rng(2))
    found = drawing.models[0].tables(counts)
    for table, times in zip(found, counts[:, 40:], strict=True):
        rows = np.repeat(np.arange(40), times.astype(int))
        again = EventBy(time[rows], event[rows], 4, censoring=CensoringBy(group[rows]))
        drawn = score_table(again, score[rows], weight[rows])
        for share in (0.3, 0.5, 0.7, 0.85):
            regrets = [best_thresholds(one, At(0.05), Limits(capacity=share)).mean_regret for one in (table, drawn)]
            assert_allclose(*regrets, rtol=1e-12)
        assert_allclose(table.alarm_share(0.3), drawn.alarm_share(0.3), rtol=1e-12)

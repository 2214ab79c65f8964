"""Outcomes at several horizons: means over them, their influence, and what one table cannot say."""

from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from stakes import (
    At,
    Cases,
    EventBy,
    InputError,
    Uniform,
    accuracy,
    auc,
    band,
    brier_score,
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
from stakes.measures import recognise
from stakes.metrics import auc as auc_of_arrays
from stakes.outcome import CensoringBy, CoxCensoring, follow_up
from stakes.table import merge
from stakes.uncertainty import Study, _resample, calibration_band
from stakes.uncertainty._replicates import evaluator
from stakes.uncertainty._resample import plan

HORIZONS, WEIGHTS = [0.3, 0.8, 1.2], [1, 1, 2]
SHARES = np.array(WEIGHTS) / 4
MEANS = [
    partial(expected_regret, costs=Uniform(0.05, 0.3)),
    partial(net_benefit, costs=At(0.2)),
    partial(accuracy, threshold=0.3),
    brier_score,
    log_loss,
]
RATIOS = [auc, partial(skill_score, costs=Uniform(0.05, 0.3))]


def drawn(size=300, seed=2):
    """Draw follow-up and two models with a risk for each horizon."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=size)
    time, leaves = rng.exponential(np.exp(-x)), rng.exponential(1.5, size)
    event = np.where(time <= leaves, rng.integers(1, 3, size), 0)
    noisy = x + rng.normal(size=size)
    risks = {
        "good": np.column_stack([-np.expm1(-t / 2 * np.exp(x)) for t in HORIZONS]),
        "worse": np.column_stack([-np.expm1(-t / 2 * np.exp(0.4 * noisy)) for t in HORIZONS]),
    }
    return np.round(np.minimum(time, leaves), 2), event, risks


TIME, EVENT, RISKS = drawn()
GROUP = np.arange(len(TIME)) % 2
OUTCOME = EventBy(TIME, EVENT, HORIZONS, horizon_weights=WEIGHTS)
CASES = Cases(OUTCOME, RISKS)


def single(place, **others):
    """Return the cases of one horizon, made without the others."""
    outcome = EventBy(TIME, EVENT, HORIZONS[place])
    return Cases(outcome, {name: risk[:, place] for name, risk in RISKS.items()}, **others)


@pytest.mark.parametrize("censoring", [None, CensoringBy(GROUP), CoxCensoring(GROUP)])
@pytest.mark.parametrize("measure", [*MEANS, *RATIOS])
def test_a_number_is_the_mean_of_those_of_the_horizons_and_so_is_its_influence(measure, censoring):
    cases = Cases(EventBy(TIME, EVENT, HORIZONS, censoring=censoring, horizon_weights=WEIGHTS), RISKS)
    whole = Study(cases, measure)
    alone = [
        Study(Cases(EventBy(TIME, EVENT, time, censoring=censoring), {"good": RISKS["good"][:, place]}), measure)
        for place, time in enumerate(HORIZONS)
    ]
    assert_allclose(whole.estimates["good"], SHARES @ [one.estimates["good"] for one in alone], rtol=1e-12)
    assert_allclose(whole.influence("good"), SHARES @ [one.influence("good") for one in alone], atol=1e-15)
    assert_allclose(whole.influence("good").sum(), 0, atol=1e-12)
    merged = measure(cases.table("good"))
    assert np.isclose(merged, whole.estimates["good"], rtol=1e-10) == (measure in MEANS)


@pytest.mark.parametrize("measure", [MEANS[0], RATIOS[0]])
def test_the_influence_is_the_derivative_by_the_weight_of_a_person(measure):
    rng = np.random.default_rng(5)
    rows, weight = np.arange(60), rng.random(60) + 0.5
    outcome, risks = OUTCOME[rows], {"m": RISKS["good"][rows]}

    def value(weight):
        return Study(Cases(outcome, risks, weight=weight), measure).estimates["m"]

    influence = Study(Cases(outcome, risks, weight=weight), measure).influence("m")
    for person in range(0, 60, 7):
        step = np.zeros(60)
        step[person] = 1e-5 * weight[person]
        assert_allclose(influence[person], (value(weight + step) - value(weight - step)) / 2e-5, atol=1e-7)


def test_the_table_is_the_merged_one_and_each_horizon_has_its_own():
    for place, time in enumerate(HORIZONS):
        assert CASES.table("good", horizon=time) == single(place).table("good")
        assert CASES.at(time).table("good") == single(place).table("good")
        assert_array_equal(CASES.at(time).positive, single(place).positive)
    tables = [CASES.table("good", horizon=time) for time in HORIZONS]
    assert_allclose(CASES.table("good").prevalence, SHARES @ [table.prevalence for table in tables])
    assert_allclose(CASES.table("good").total, len(TIME))
    assert_allclose(CASES.table("good").alarm_share(0.2), SHARES @ [table.alarm_share(0.2) for table in tables])
    even = Cases(EventBy(TIME, EVENT, HORIZONS), RISKS).table("good")
    assert_allclose(even.prevalence, merge(*tables).prevalence)


@given(st.lists(st.integers(1, 5), min_size=3, max_size=3))
def test_only_the_proportions_of_horizon_weights_matter(weights):
    one, two = (EventBy(TIME, EVENT, HORIZONS, horizon_weights=np.array(weights) * k).horizon_weights for k in (1, 7))
    assert_allclose(one, two, rtol=1e-12)
    assert_allclose(sum(one), 1, rtol=1e-12)


def test_two_horizons_between_which_nothing_happens_are_one():
    """Nobody leaves or has an event between 2.1 and 2.9: twice the same outcome, and the same predictions."""
    time = np.where((TIME > 2) & (TIME < 3), 3.5, TIME)
    score = RISKS["good"][:, 1]
    twice = Cases(EventBy(time, EVENT, [2.1, 2.9]), {"m": np.column_stack([score, score])})
    once = Cases(EventBy(time, EVENT, 2.5), {"m": score})
    for measure in (*MEANS, *RATIOS):
        one, two = Study(once, measure), Study(twice, measure)
        assert_allclose(two.influence("m"), one.influence("m"), atol=1e-14)
        narrow, wide = two.intervals()["m"], one.intervals()["m"]
        assert_allclose([narrow.lower, narrow.upper], [wide.lower, wide.upper], rtol=0.03)


def test_intervals_differences_and_ranks_agree():
    for measure in (*MEANS, *RATIOS):
        found = interval(CASES, measure)["good"]
        assert found.lower < found.estimate < found.upper
        error = Study(CASES, measure).spread("good").error
        assert_allclose((found.upper - found.lower) / 2 / 1.97, error, rtol=0.2)
    better = compare(CASES, "good", "worse", auc)
    gap = Study(CASES, auc).influence("good") - Study(CASES, auc).influence("worse")
    assert_allclose(
        better.difference, SHARES @ [compare(CASES.at(t), "good", "worse", auc).difference for t in HORIZONS]
    )
    assert_allclose((better.upper - better.lower) / 2 / 1.97, np.sqrt((gap**2).sum()), rtol=0.05)
    assert_allclose(rank(CASES, auc, prior="flat").probability_best["good"], better.probability_better, atol=0.02)


def test_persons_and_clusters_are_the_units_whatever_the_number_of_horizons():
    cluster = np.arange(len(TIME)) // 3
    clustered = Study(Cases(OUTCOME, RISKS, cluster=cluster), brier_score)
    by_person = Study(CASES, brier_score).influence("good")
    assert_allclose(clustered.influence("good"), np.bincount(cluster, by_person), atol=1e-15)
    few = Cases(OUTCOME[:15], {name: risk[:15] for name, risk in RISKS.items()})
    events = np.count_nonzero(few.at(HORIZONS[0]).positive)
    assert interval(few, brier_score)["good"].caution == f"only {events} positives, too few to trust the level"


def test_weight_nought_is_absence_at_every_horizon():
    weight = (np.arange(len(TIME)) % 4 > 0).astype(float)
    here = weight > 0
    dropped = Cases(OUTCOME, RISKS, weight=weight)
    without = Cases(OUTCOME[here], {name: risk[here] for name, risk in RISKS.items()})
    assert dropped.table("good") == without.table("good")
    assert_allclose(Study(dropped, auc).influence("good"), Study(without, auc).influence("good"))


def test_columns_of_an_outcome_are_those_of_its_horizons():
    for name in ("positive", "known", "competing", "weight"):
        columns = getattr(OUTCOME, name)
        assert columns.shape == (len(TIME), 3)
        for place, time in enumerate(HORIZONS):
            assert_array_equal(columns[:, place], getattr(EventBy(TIME, EVENT, time), name))
    assert_allclose(OUTCOME.risk, SHARES @ [OUTCOME.at(time).risk for time in HORIZONS])
    assert (OUTCOME.horizon, OUTCOME.horizons, OUTCOME.horizon_weights) == (1.2, (0.3, 0.8, 1.2), (0.25, 0.25, 0.5))
    assert repr(EventBy(TIME, EVENT, [1.2])) == repr(EventBy(TIME, EVENT, 1.2))
    assert repr(CASES) == (
        f"Cases(300 cases, {', '.join(f'{OUTCOME.at(t).positive.sum()} positive by {t:g}' for t in HORIZONS)}; "
        "models good, worse)"
    )


@pytest.mark.parametrize("cluster", [None, np.arange(300) // 3])
@pytest.mark.parametrize("measure", [brier_score, auc])
def test_people_are_drawn_at_all_horizons_together(measure, cluster):
    """The bootstrap has the width of the formula, and a number without a formula that of the same with one."""
    cases = Cases(OUTCOME, RISKS, cluster=cluster)
    found = interval(cases, measure, method="percentile", n_resamples=400, rng=1)["good"]
    formula = interval(cases, measure)["good"]
    assert found.estimate == formula.estimate
    assert_allclose(found.upper - found.lower, formula.upper - formula.lower, rtol=0.2)
    unknown = interval(cases, lambda table: 1 * measure(table), method="percentile", n_resamples=400, rng=1)["good"]
    assert_allclose([unknown.estimate, unknown.lower, unknown.upper], [found.estimate, found.lower, found.upper])


def test_a_replicate_is_that_of_each_horizon_drawn_alone():
    """The same people drawn: the mean over horizons of what each horizon's own resampling finds."""
    models = tuple(RISKS)
    units = plan(CASES, models)
    (_, counts), *_ = units.blocks(5, np.random.default_rng(2))
    drawn = np.split(counts, 6, axis=1)[1]
    together = [evaluator(recognise(auc), model)(counts) for model in units.models]
    for model, found in zip(models, together, strict=True):
        for row, times in enumerate(drawn):
            people = np.repeat(np.arange(300), times.astype(int))
            again = Cases(OUTCOME[people], {model: RISKS[model][people]})
            each = [share * auc(again.table(model, horizon=time)) for time, share in zip(HORIZONS, SHARES, strict=True)]
            assert_allclose(found[row], sum(each), rtol=1e-12)


def test_a_band_is_the_mean_of_the_curves_at_each_horizon():
    found = band(CASES, decision_curve, x=[0.1, 0.2], n_resamples=400, rng=1)["good"]
    each = [
        share * decision_curve(CASES.table("good", horizon=time)).at([0.1, 0.2])
        for time, share in zip(HORIZONS, SHARES, strict=True)
    ]
    assert_allclose(found.estimate, sum(each), rtol=1e-12)
    alone = interval(CASES, net_benefit, costs=At(0.1))["good"]
    assert_allclose(found.upper[0] - found.lower[0], alone.upper - alone.lower, rtol=0.2)


def test_coarse_tables_of_horizons_are_resampled_like_whole_ones(monkeypatch):
    whole = interval(CASES, auc, method="percentile", n_resamples=200, rng=1)["good"]
    monkeypatch.setattr(_resample, "MANY", 60)
    monkeypatch.setattr(_resample, "COARSE", 40)
    coarse = interval(CASES, auc, method="percentile", n_resamples=200, rng=1)["good"]
    assert coarse.estimate == whole.estimate
    assert coarse.coarsening != 0
    assert_allclose([coarse.lower, coarse.upper], [whole.lower, whole.upper], atol=0.01)


def test_a_function_of_all_tables_is_the_mean_over_horizons():
    found = interval(CASES, lambda a, b: auc(a) - auc(b), n_resamples=200, rng=1)
    (one,) = found.values()
    assert_allclose(one.estimate, compare(CASES, *RISKS, auc).difference, rtol=1e-12)


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (
            lambda: EventBy(TIME, EVENT, 1, horizon_weights=[1]),
            "`horizon_weights` must be left out with one horizon, got [1].",
        ),
        (lambda: EventBy(TIME, EVENT, [1, 0.5]), "`horizon` must ascend, got 0.5 after 1."),
        (lambda: EventBy(TIME, EVENT, [1, 1]), "`horizon` must ascend, got 1 after 1."),
        (lambda: EventBy(TIME, EVENT, []), "`horizon` must be a number or a list of numbers, got []."),
        (lambda: EventBy(TIME, EVENT, [0, 1]), "`horizon` must be finite and greater than 0, got 0."),
        (
            lambda: EventBy(TIME, EVENT, [1, 2], horizon_weights=[1]),
            "`horizon_weights` must have one number for each of the 2 horizons, got 1.",
        ),
        (
            lambda: EventBy(TIME, EVENT, [1, 2], horizon_weights=[1, 0]),
            "`horizon_weights` must be above 0, got 0 at row 1.",
        ),
        (
            lambda: EventBy([1, 2], [1, 0], [1, 3]),
            "`horizon` must be within follow-up: the last case is censored at 2, got 3.",
        ),
        (
            lambda: Cases(OUTCOME, {"m": RISKS["good"][:, :2]}),
            "`predictions['m']` must have a column for each of the 3 horizons, got shape (300, 2).",
        ),
        (
            lambda: Cases(OUTCOME, {"m": RISKS["good"][:, 0]}),
            "`predictions['m']` must have a column for each of the 3 horizons, got shape (300,).",
        ),
        (lambda: CASES.table("good", horizon=1), "`horizon` must be one of 0.3, 0.8, 1.2, got 1."),
        (
            lambda: Cases([0, 1], {"m": [0.1, 0.2]}).at(1),
            "`horizon` must be left out where the outcome is not an EventBy, got 1.",
        ),
        (
            lambda: calibration_band(CASES),
            "`cases` must have one horizon for the honest calibration band, got several; use `cases.at(horizon)`.",
        ),
        *(
            (
                ask,
                f"`{name}` must have one horizon here, got 3; use `at(horizon)` for one of them; `Cases`, `interval`, "
                "`compare`, `rank` and `evaluate` take several.",
            )
            for name, ask in (
                ("y", lambda: score_table(OUTCOME, RISKS["good"])),
                ("y_true", lambda: auc_of_arrays(OUTCOME, RISKS["good"])),
                ("outcome", lambda: follow_up(OUTCOME)),
            )
        ),
    ],
)
def test_what_cannot_be_meant_is_said(ask, message):
    with pytest.raises(InputError) as error:
        ask()
    assert str(error.value) == message


def test_clusters_at_several_horizons_are_those_of_the_people_at_each():
    outcome = EventBy([1, 2, 3, 6], [1, 0, 1, 0], horizon=[1, 5])
    scores = {"a": [[0.4, 0.9], [0.1, 0.2], [0.2, 0.6], [0.1, 0.3]]}
    assert Cases(outcome, scores).cluster.tolist() == [0, 1, 2, 3, 0, 1, 2, 3]
    assert Cases(outcome, scores, cluster=["x", "y", "x", "z"]).cluster.tolist() == [0, 1, 0, 2, 0, 1, 0, 2]


def test_few_who_stay_free_of_the_event_by_a_later_horizon_are_told():
    """By the first horizon both classes are many; by the second only three people have not had the event."""
    time = np.concatenate([np.linspace(0.1, 3.9, 77), np.full(20, 2.05), np.full(3, 5.0)])
    event = np.repeat([1, 0, 0], [77, 20, 3])
    cases = Cases(EventBy(time, event, [1, 4]), {"a": np.linspace(0, 1, 200).reshape(100, 2)})
    alone = {horizon: interval(cases.at(horizon), auc)["a"].caution for horizon in (1, 4)}
    assert alone[1] == ""
    assert "only 3 negatives" in alone[4]
    assert interval(cases, auc)["a"].caution == alone[4]

"""Worked examples of censored outcomes, computed in exact fractions and by dual numbers."""

import json
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

from stakes import (
    At,
    Cases,
    EventBy,
    InputError,
    Limits,
    LogOddsUniform,
    Uniform,
    auc,
    best_thresholds,
    brier_score,
    decompose,
    expected_regret,
    net_benefit,
    score_table,
)
from stakes.outcome import CensoringBy, CoxCensoring
from stakes.outcome._event_by import censoring_weights
from stakes.uncertainty import Study

GOLDEN = json.loads(Path(__file__).with_name("survival.json").read_text())
CASES = [pytest.param(case["input"], case["expected"], id=case["name"]) for case in GOLDEN["cases"]]
ERRORS = [pytest.param(case["input"], id=case["name"]) for case in GOLDEN["errors"]]
EXTRA = {case["name"]: case for case in GOLDEN["extra"]}


def costs_in(expected):
    """Yield the costs of an example, with what is expected at each."""
    return ((float(name[2:]), found) for name, found in expected.items() if name.startswith("c="))


def column(values):
    return None if values is None else np.array(values, dtype=float)


def outcome_of(given):
    """Return the outcome of an example without cases of weight 0, their weights and their scores."""
    weight = column(given.get("weight"))
    here = np.ones(len(given["time"]), bool) if weight is None else weight > 0
    stratum = given.get("stratum")
    outcome = EventBy(
        column(given["time"])[here],
        np.array(given["event"])[here],
        float(given["horizon"]),
        entry=None if given.get("entry") is None else column(given["entry"])[here],
        censoring=None if stratum is None else CensoringBy(np.array(stratum)[here]),
    )
    return outcome, np.ones(here.sum()) if weight is None else weight[here], column(given["score"])[here]


@pytest.mark.filterwarnings("ignore:`cause` 1 never occurs")
@pytest.mark.parametrize(("given", "expected"), CASES)
def test_the_weights_and_what_each_case_moves(given, expected):
    outcome, weight, score = outcome_of(given)
    found = censoring_weights(outcome, weight)
    assert_allclose(found, expected["weights"], rtol=1e-12)
    mass = weight * found
    assert_allclose(mass.sum(), expected["total_known"], rtol=1e-12)
    assert_allclose(mass @ outcome.positive / mass.sum(), expected["prevalence"], rtol=1e-12)
    for cost, of_cost in costs_in(expected):
        loss = np.where(outcome.positive, (1 - cost) * (score < cost), cost * (score >= cost))
        regret = mass @ loss / mass.sum()
        moves = outcome._staying.through(mass * (loss - regret) / mass.sum(), weight)
        assert_allclose(regret, of_cost["regret"], rtol=1e-12)
        assert_allclose(moves, of_cost["regret_moves"], atol=1e-12)


@pytest.mark.filterwarnings("ignore:`cause` 1 never occurs")
@pytest.mark.parametrize("given", ERRORS)
def test_what_cannot_be_known_is_refused(given):
    with pytest.raises(InputError, match=r"^`(horizon|time|event|entry)` must .*, got .*\.$"):
        outcome_of(given)


def test_a_cox_model_of_censoring():
    given, expected = EXTRA["cox_censoring"]["input"], EXTRA["cox_censoring"]["expected"]
    outcome = EventBy(given["time"], given["event"], given["horizon"], censoring=CoxCensoring(given["covariate"]))
    assert_allclose(outcome.weight, expected["weights"], rtol=1e-12)
    score, weight = column(given["score"]), outcome.weight
    loss = np.where(outcome.positive, _missed(score), _alarmed(score))
    regret = weight @ loss / weight.sum()
    assert_allclose(regret, expected["regret_uniform_5_20_hajek"], rtol=1e-12)
    moves = outcome._staying.through(weight * (loss - regret) / weight.sum(), np.ones(len(score)))
    assert_allclose(moves, expected["moves_hajek"], atol=1e-11)


def test_two_horizons_and_clusters():
    given, expected = (EXTRA["two_horizons_and_clusters"][part] for part in ("input", "expected"))
    outcome = EventBy(given["time"], given["event"], [3, 6], horizon_weights=given["shares"])
    cases = Cases(outcome, {"m": np.column_stack([column(given["score_by_3"]), column(given["score_by_6"])])})
    ranked = partial(expected_regret, costs=Uniform(0.05, 0.2))
    study = Study(cases, ranked)
    assert_allclose(study.estimates["m"], expected["mean"], rtol=1e-12)
    assert_allclose(ranked(cases.table("m")), expected["mean"], rtol=1e-12)
    for horizon in (3, 6):
        assert_allclose(ranked(cases.table("m", horizon=horizon)), expected[f"regret_{horizon}"], rtol=1e-12)
    assert_allclose(study.influence("m"), expected["moves"], atol=1e-12)
    assert_allclose(np.sqrt((study.influence("m") ** 2).sum()), expected["se_no_factor"], rtol=1e-12)
    scores = {"m": np.column_stack([column(given["score_by_3"]), column(given["score_by_6"])])}
    clustered = Study(Cases(outcome, scores, cluster=given["cluster"]), ranked).influence("m")
    assert_allclose(np.sqrt((clustered**2).sum()), expected["cluster_se_no_factor"], rtol=1e-12)


def _missed(score):
    """Mean of (1 - c) over costs c in (score, 20%], c uniform on 5% to 20%."""
    low = np.clip(score, 0.05, 0.2)
    return ((0.2 - 0.2**2 / 2) - (low - low**2 / 2)) / 0.15


def _alarmed(score):
    """Mean of c over costs c up to the score, c uniform on 5% to 20%."""
    return (np.clip(score, 0.05, 0.2) ** 2 - 0.05**2) / 2 / 0.15


@pytest.mark.filterwarnings("ignore:`cause` 1 never occurs", "ignore:`auc` is undefined")
@pytest.mark.parametrize(("given", "expected"), CASES)
def test_the_numbers_of_the_table(given, expected):
    outcome, weight, score = outcome_of(given)
    table = score_table(outcome, score, weight)
    rows = np.array(expected["table"])
    kept = rows[:, 1] + rows[:, 2] > 0
    assert_allclose(np.column_stack([table.score, table.positive, table.negative]), rows[kept, :3], rtol=1e-12)
    if table.heads is not None:
        assert_allclose(np.column_stack([table.heads.score, table.heads.everyone]), rows[:, [0, 3]], rtol=1e-12)
        assert_allclose(table.heads.everyone.sum(), expected["total_everyone"], rtol=1e-12)
    uniform = Uniform(0.05, 0.2)
    assert_allclose(expected_regret(table, uniform), expected["regret_uniform_5_20"], rtol=1e-12)
    found = expected_regret(table, LogOddsUniform(0.05, 0.2))
    assert_allclose(found, expected["regret_log_odds_5_20"], rtol=1e-12)
    assert_allclose(brier_score(table), expected["brier"], rtol=1e-12)
    assert_allclose(auc(table), np.nan if expected["auc"] is None else expected["auc"], rtol=1e-12)
    parts = decompose(table, uniform)
    for part, value in expected["decompose_uniform_5_20"].items():
        assert_allclose(getattr(parts, part), value, atol=1e-12)
    for cost, of_cost in costs_in(expected):
        assert_allclose(net_benefit(table, At(cost)), of_cost["net_benefit"], atol=1e-12)
        here = table.score >= cost
        known = table.positive[here].sum() + table.negative[here].sum()
        assert_allclose(known / table.total, of_cost["alarms_known"], rtol=1e-12)
        if given.get("entry") is None:
            assert_allclose(table.alarm_share(cost), of_cost["alarms_everyone"], rtol=1e-12)
    if "best_feasible_c0.2_capacity0.4" in expected:
        policy = best_thresholds(table, At(0.2), Limits(capacity=0.4))
        assert_allclose(policy.mean_regret, expected["best_feasible_c0.2_capacity0.4"]["regret"], atol=1e-12)


@pytest.mark.filterwarnings("ignore:`cause` 1 never occurs")
@pytest.mark.parametrize(("given", "expected"), CASES)
def test_a_study_knows_what_each_case_moves(given, expected):
    outcome, weight, score = outcome_of(given)
    cases = Cases(outcome, {"m": score}, weight=weight)
    for cost, of_cost in costs_in(expected):
        moves = Study(cases, expected_regret_at(cost)).influence("m")
        assert_allclose(moves, of_cost["regret_moves"], atol=1e-12)
        assert_allclose(np.sqrt(moves @ moves), of_cost["regret_se_no_factor"], atol=1e-12)
    if "auc_moves" in expected:
        moves = Study(cases, auc).influence("m")
        assert_allclose(moves, expected["auc_moves"], atol=1e-12)
        assert_allclose(np.sqrt(moves @ moves), expected["auc_se_no_factor"], atol=1e-12)


def expected_regret_at(cost):
    return lambda table: expected_regret(table, At(cost))

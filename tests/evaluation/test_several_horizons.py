"""Evaluations at several horizons: ranked by the mean, each horizon a row, ratios as means of values."""

import json
import pickle
from importlib.resources import files

import jsonschema
import numpy as np
import pytest
from numpy.testing import assert_allclose

from stakes import Cases, Decision, EventBy, InputError, Limits, auc, decompose, evaluate, expected_regret, interval
from stakes.evaluation._ranked import deal
from stakes.measures import skill_score
from stakes.outcome import follow_up
from stakes.table import Recalibration, score_table

COSTS, HORIZONS, SHARES = "5%..30%", [1, 3, 5], np.array([0.25, 0.25, 0.5])


def drawn(size=300, seed=1):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=size)
    time, leaves = rng.exponential(size=size) / (0.15 * np.exp(x)), rng.exponential(6, size)
    noisy = x + rng.normal(size=size)
    risks = {
        name: np.column_stack([-np.expm1(-0.15 * t * np.exp(z)) for t in HORIZONS])
        for name, z in (("good", 0.8 * x), ("worse", 0.5 * noisy))
    }
    return EventBy(np.minimum(time, leaves), time <= leaves, HORIZONS, horizon_weights=[1, 1, 2]), risks


OUTCOME, RISKS = drawn()
CASES, EVALUATION = Cases(OUTCOME, RISKS), evaluate(OUTCOME, RISKS, COSTS)


def test_the_ranking_is_by_the_mean_regret_and_each_horizon_has_a_row():
    rows = EVALUATION.horizons
    assert list(rows) == HORIZONS
    for standing in EVALUATION.ranking:
        mean = SHARES @ [row.regret[standing.model].estimate for row in rows.values()]
        assert_allclose(standing.regret.estimate, mean, rtol=1e-12)
    for time, row in rows.items():
        assert row.share == OUTCOME.horizon_weights[HORIZONS.index(time)]
        assert row.regret["good"] == interval(CASES.at(time), expected_regret, costs=COSTS)["good"]
        assert row.follow_up == follow_up(
            OUTCOME.at(time), {name: risk[:, HORIZONS.index(time)] for name, risk in RISKS.items()}
        )
        assert row.tables["good"] == CASES.table("good", horizon=time)
    assert EVALUATION.best.regret == interval(CASES, expected_regret, costs=COSTS)["good"]


def test_ratios_are_means_of_values():
    for standing in EVALUATION.ranking:
        if standing.reference:
            continue
        tables = [CASES.table(standing.model, horizon=time) for time in HORIZONS]
        assert_allclose(standing.auc, SHARES @ [auc(table) for table in tables])
        assert_allclose(standing.skill, SHARES @ [skill_score(table, COSTS) for table in tables])
        split = [decompose(table, COSTS) for table in tables]
        assert_allclose(standing.parts.miscalibration, SHARES @ [one.miscalibration for one in split], atol=1e-15)
        assert_allclose(standing.parts.total, standing.regret.estimate)


def test_counts_are_of_people():
    sample = EVALUATION.sample
    assert (sample.cases, sample.clusters, sample.positive_cases) == (300, None, OUTCOME.at(5).positive.sum())
    assert_allclose([sample.weight, sample.prevalence], [300, OUTCOME.risk])
    assert sample.follow_up.horizon == 5


def test_the_text_has_a_line_for_each_horizon():
    said = str(EVALUATION)
    assert "expected cost by horizon  weight  risk  unknown" in said
    for row in EVALUATION.horizons.values():
        assert f"\n{row.horizon:g} " in said
    assert "The ranking is by the mean over horizons, by their weights; skill is the mean of that at each\n" in said
    assert {finding.kind for finding in EVALUATION.findings} <= {"best", "best-close", "worthless", "worthless-close"}
    assert "act from" not in EVALUATION.answer
    assert (EVALUATION.recommended_threshold, EVALUATION.policies) == (None, {})


def test_the_mean_risk_that_acting_on_no_one_costs_is_said():
    said = " ".join(str(EVALUATION).split())
    risk = SHARES @ [OUTCOME.at(time).risk for time in HORIZONS]
    nothing = next(standing for standing in EVALUATION.ranking if standing.model == "act on no one")
    assert_allclose(nothing.regret.estimate * EVALUATION.unit.factor, risk)
    last = EVALUATION.sample.follow_up
    assert (
        f"300 cases followed; by 1, 3 and 5, the risk is {risk:.0%} on average; by 5, {last.positive} had the event "
        f"({last.risk:.0%}, "
    ) in said
    assert "In this unit, acting on no one costs the mean risk over the horizons." in said
    assert "AUC" not in said


def test_json_has_a_row_for_each_horizon():
    plain = json.loads(EVALUATION.to_json())
    jsonschema.validate(
        plain, json.loads(files("stakes.evaluation").joinpath("evaluation.schema.json").read_text(encoding="utf-8"))
    )
    assert [row["horizon"] for row in plain["horizons"]] == HORIZONS
    assert json.loads(evaluate(OUTCOME.at(3), {"m": RISKS["good"][:, 1]}, COSTS).to_json())["horizons"] == []


def test_groups_weights_clusters_missing_predictions_and_copies():
    gaps = np.where(np.arange(300)[:, None] < 10, np.nan, RISKS["good"])
    others = {
        "weight": 1.0 + np.arange(300) % 2,
        "cluster": np.arange(300) // 2,
        "group": np.where(np.arange(300) % 3, "f", "m"),
    }
    with pytest.warns(UserWarning, match="10 rows"):
        found = evaluate(OUTCOME, RISKS | {"good": gaps}, COSTS, on_missing="drop", baseline="worse", **others)
    assert (found.sample.cases, found.sample.clusters) == (290, 145)
    assert {finding.kind for finding in found.findings} >= {"dropped"}
    assert set(found.groups) == {"f", "m"}
    assert pickle.loads(pickle.dumps(found)).horizons[5].regret == found.horizons[5].regret


WITHIN = Limits(capacity=0.2, min_precision=0.15)


def at_each(decision, **options):
    return [
        evaluate(OUTCOME.at(time), {name: risk[:, place] for name, risk in RISKS.items()}, decision, **options)
        for place, time in enumerate(HORIZONS)
    ]


@pytest.mark.usefixtures("few_replicates")
def test_limits_hold_at_every_horizon_and_numbers_are_means_of_those_there():
    decision = Decision(COSTS, limits=WITHIN)
    found, each = evaluate(OUTCOME, RISKS, decision, rng=1), at_each(decision, rng=1)
    assert {one.model for one in found.ranking} == {"good", "worse", "act on no one"}
    for standing in found.ranking:
        there = [next(one for one in alone.ranking if one.model == standing.model) for alone in each]
        assert_allclose(standing.regret.estimate, SHARES @ [one.regret.estimate for one in there], rtol=1e-12)
        assert_allclose(standing.skill, SHARES @ [one.skill for one in there], rtol=1e-12)
        assert_allclose(standing.acts.mean, SHARES @ [one.acts.mean for one in there], rtol=1e-12)
        assert_allclose(standing.partial_voros, SHARES @ [one.partial_voros for one in there], rtol=1e-12)
        assert standing.parts is None
        assert standing.regret.lower < standing.regret.estimate < standing.regret.upper
        for row, one in zip(found.horizons.values(), there, strict=True):
            assert_allclose(row.regret[standing.model].estimate, one.regret.estimate, rtol=1e-12)
    assert found.best.acts.at_lowest_cost <= 0.2


@pytest.mark.usefixtures("few_replicates")
def test_a_reference_must_keep_to_the_limits_at_every_horizon():
    early, late = OUTCOME.at(1).risk, OUTCOME.at(5).risk
    for least, allowed in ((early / 2, True), ((early + late) / 2, False)):
        found = evaluate(OUTCOME, RISKS, Decision(COSTS, limits=Limits(min_precision=least)), rng=1)
        assert ("act on everyone" in {one.model for one in found.ranking}) == allowed


@pytest.mark.usefixtures("few_replicates")
def test_folds_are_those_of_people_and_each_horizon_is_recalibrated_by_itself():
    found = evaluate(OUTCOME, RISKS, COSTS, folds=3, rng=1)
    dealt = deal(3, OUTCOME.at(5).positive, None, np.random.default_rng(1))
    for model, risk in RISKS.items():
        mean = 0.0
        for place, (time, share) in enumerate(zip(HORIZONS, SHARES, strict=True)):
            score = np.empty(300)
            for out in dealt.held_out():
                learnt = Recalibration.of(score_table(OUTCOME.at(time)[~out], risk[~out, place]))
                score[out] = learnt(risk[out, place])
            mean += share * expected_regret(score_table(OUTCOME.at(time), score), COSTS)
        standing = next(one for one in found.ranking if one.model == model)
        assert_allclose(standing.recalibrated, mean, rtol=1e-12)
    limited = evaluate(OUTCOME, RISKS, Decision(COSTS, limits=WITHIN), folds=3, rng=1)
    in_sample = evaluate(OUTCOME, RISKS, Decision(COSTS, limits=WITHIN), rng=1)
    assert limited.best.regret.estimate > in_sample.best.regret.estimate
    assert limited.horizons[5].tables == in_sample.horizons[5].tables


SEVERAL = "with several horizons (1, 3, 5)"
HINT = "evaluate each horizon by itself, with `outcome.at(5)` and its column of predictions"


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (
            lambda: evaluate(OUTCOME, RISKS, Decision(COSTS, prevalence=0.1)),
            f"`prevalence` must be left out {SEVERAL}, got one; {HINT}.",
        ),
        (
            EVALUATION.policy,
            "`horizon` must be one, to choose thresholds for a policy, got 1, 3, 5; evaluate the horizon that is "
            "decided by, with `outcome.at(horizon)`.",
        ),
        (
            lambda: evaluate(OUTCOME, {"m": 2 * RISKS["good"]}, COSTS),
            "`predictions['m']` must be a probability between 0 and 1, got",
        ),
    ],
)
def test_what_cannot_be_meant_is_said(ask, message):
    with pytest.raises(InputError) as error:
        ask()
    assert str(error.value).startswith(message)

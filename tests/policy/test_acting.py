"""A policy applied to new scores: as its thresholds say, at the cost and the prevalence of the day."""

import math
import sqlite3

import duckdb
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stakes import InputError, Limits, Uniform, best_thresholds, evaluate, expected_regret, score_table
from stakes.beliefs import CostRatio, FractionalCost, InverseCostRatio
from stakes.prevalence import reweight_classes

RNG = np.random.default_rng(11)
SCORE = np.round(RNG.normal(size=300), 1)
Y = (RNG.random(300) < 1 / (1 + np.exp(1 - SCORE))).astype(int)
TABLE = score_table(Y, SCORE)
WIDE = best_thresholds(TABLE, Uniform(0.001, 0.999))


@given(st.lists(st.tuples(st.sampled_from([*SCORE[:20], 0.05]), st.floats(0.001, 0.999)), min_size=1))
@settings(max_examples=60)
def test_each_case_is_acted_on_as_the_threshold_at_its_cost_says(cases):
    scores, costs = zip(*cases, strict=True)
    assert WIDE.act(scores, cost=costs).tolist() == [score >= WIDE(cost) for score, cost in cases]
    assert WIDE.act(scores, cost=costs[0]).tolist() == [score >= WIDE(costs[0]) for score in scores]


def test_a_day_without_cases_has_none_to_act_on():
    limited = best_thresholds(TABLE, 0.3, Limits(capacity="10%"))
    found = [WIDE.act([], 0.3), WIDE.act(SCORE[:0], Y[:0]), WIDE.act([], 0.3, prevalence="5%"), limited.act([])]
    assert [(one.dtype, one.shape) for one in found] == [(np.dtype(bool), (0,))] * 4
    with pytest.raises(InputError, match=r"^`scores` and `cost` must have the same length, got 0 and 1\.$"):
        WIDE.act([], [0.3])


def regret_of(acted, cost, weight):
    lost = np.where(Y == 1, (1 - cost) * ~acted, cost * acted)
    return weight @ lost / weight.sum()


@given(st.floats(0.02, 0.98), st.floats(0.2, 0.8))
@settings(max_examples=60)
def test_at_another_prevalence_no_threshold_is_better(prevalence, cost):
    share = Y.mean()
    weight = np.where(Y == 1, prevalence / share, (1 - prevalence) / (1 - share))
    own = regret_of(WIDE.act(SCORE, cost, prevalence=prevalence), cost, weight)
    best = min(regret_of(least <= SCORE, cost, weight) for least in [*np.unique(SCORE), np.inf])
    assert own == pytest.approx(best, abs=1e-12)
    assert own == pytest.approx(
        best_thresholds(reweight_classes(TABLE, prevalence), cost).mean_regret, abs=1e-12
    )  # another route


def test_the_scales_agree_at_another_prevalence():
    there, cost = 0.1, 0.3
    wanted = WIDE.act(SCORE, cost, prevalence=there)
    ratio = best_thresholds(TABLE, CostRatio(0.001, 900))
    inverse = best_thresholds(TABLE, InverseCostRatio(0.001, 900))
    fractional = best_thresholds(TABLE, FractionalCost(0, 1))
    alarm, miss = cost * (1 - there), (1 - cost) * there
    assert np.array_equal(ratio.act(SCORE, cost / (1 - cost), prevalence=there), wanted)
    assert np.array_equal(inverse.act(SCORE, (1 - cost) / cost, prevalence=there), wanted)
    assert np.array_equal(fractional.act(SCORE, alarm / (alarm + miss), prevalence=there), wanted)


@pytest.mark.parametrize(
    "costs", [Uniform(0.001, 0.999), CostRatio(1 / 999, 999), InverseCostRatio(1 / 999, 999), FractionalCost(0, 1)]
)
@pytest.mark.parametrize(("odds", "cost"), [("1:999", 0.001), ("3:7", 0.3), (" 1 : 9 ", 0.1), ("999:1", 0.999)])
def test_odds_are_those_of_a_false_alarm_to_a_miss_on_every_scale(costs, odds, cost):
    policy = best_thresholds(TABLE, costs)
    acted = policy.act(SCORE, odds)
    best = min(regret_of(least <= SCORE, cost, np.ones(len(Y))) for least in [*np.unique(SCORE), np.inf])
    assert regret_of(acted, cost, np.ones(len(Y))) == pytest.approx(best, abs=1e-12)
    assert acted.tolist() == (policy(odds) <= SCORE).tolist()


@pytest.mark.parametrize("times", range(2, 60))
def test_odds_that_end_the_range_are_in_it_whatever_the_last_digit(times):
    policy = best_thresholds(TABLE, CostRatio(1 / times, 1))
    assert policy(f"1:{times}") == policy(1 / times)


def test_its_own_prevalence_changes_nothing():
    for cost in (0.001, 0.3, 0.999):
        assert np.array_equal(WIDE.act(SCORE, cost, prevalence=float(Y.mean())), WIDE.act(SCORE, cost))


def test_a_policy_without_alarms_has_none_whatever_the_scores():
    never = best_thresholds(score_table([1, 0], [1, 2]), 0.9, Limits(capacity=0))
    assert not never.act([np.inf, 3.0]).any()
    assert never.to_sql() == "CASE WHEN score IS NOT NULL THEN 0 END"


def test_more_alarms_than_the_capacity_are_said():
    few = best_thresholds(TABLE, 0.2, Limits(capacity=0.1))
    with pytest.warns(
        UserWarning, match=r"^The policy acts on 20 of 20 cases, more than its capacity of 0\.1 allows\.$"
    ):
        assert few.act([9.0] * 20).all()


@pytest.mark.filterwarnings("error")
def test_one_case_at_a_time_breaks_no_capacity():
    few = best_thresholds(TABLE, 0.2, Limits(capacity=0.1))
    assert few.act([9.0]).all()
    few.act(SCORE)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "`cost` must be given to know which step holds, got None; a cost proportion between 0.001 and 0.999."),
        (
            {"cost": "1:1999"},
            "`cost` must be a cost proportion between 0.001 and 0.999, the range of the policy, got 0.0005.",
        ),
        ({"cost": "1:0"}, "`cost` must lie strictly between 0 and 1, got 1."),
        ({"prevalence": 0.1}, "`cost` must be given where `prevalence` is, got None; "),
        ({"cost": 1.5}, "`cost` must be a cost proportion between 0.001 and 0.999, the range of the policy, got 1.5."),
        (
            {"cost": [0.1, 2.0]},
            "`cost` must be a cost proportion between 0.001 and 0.999, the range of the policy, got 2 at row 1.",
        ),
        ({"cost": [0.1]}, "`scores` and `cost` must have the same length"),
        ({"cost": "many"}, "`cost` must look like 10%, 0.1 or 30/200, got 'many'."),
        ({"cost": 0.1, "prevalence": 1.0}, "`prevalence` must lie strictly between 0 and 1, got 1"),
        (
            {"cost": 0.01, "prevalence": 0.9999},
            "`prevalence` must leave the cost in the range of the policy, 0.001 to 0.999, got 0.9999, ",
        ),
        ({"scores": [np.nan, 1.0], "cost": 0.1}, "`scores` must"),
        ({"scores": "all", "cost": 0.1}, "`scores` must"),
    ],
)
def test_what_cannot_be_applied_is_refused(arguments, message):
    with pytest.raises(ValueError) as raised:  # noqa: PT011 -- the text is compared whole
        WIDE.act(**{"scores": [0.1, 0.2]} | arguments)
    assert str(raised.value).startswith(message)


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False, width=64), min_size=2, max_size=6, unique=True))
@settings(max_examples=40, deadline=None)
def test_the_rule_in_a_database_decides_as_python_does(scores):
    y = np.arange(len(scores)) % 2
    policy = best_thresholds(score_table(y, scores), 0.3)
    connection = duckdb.connect()
    connection.execute("CREATE TABLE t (risk DOUBLE)")
    connection.executemany("INSERT INTO t VALUES (?)", [[one] for one in [*scores, None]])
    *found, none = [row[0] for row in connection.execute(f"SELECT {policy.to_sql('risk')} FROM t").fetchall()]
    assert found == policy.act(scores).astype(int).tolist()
    assert none is None


@pytest.mark.parametrize(
    "column", ["new risk", 'the "new" risk', "order", "Risk", "2risk", "risk_2", "risque élevé", "t.risk"]
)
@pytest.mark.parametrize("database", [duckdb, sqlite3], ids=lambda database: database.__name__)
def test_the_rule_names_the_column_whatever_it_is_called(column, database):
    policy = best_thresholds(score_table([0, 1], [0.1, 0.2]), 0.3)
    connection = database.connect(":memory:")
    quoted = column.replace('"', '""')
    connection.execute(f'CREATE TABLE t ("{quoted}" DOUBLE)')
    connection.executemany("INSERT INTO t VALUES (?)", [[0.1], [0.2], [None]])
    found = connection.execute(f"SELECT {policy.to_sql(column)} FROM t").fetchall()
    assert [one for (one,) in found] == [0, 1, None]
    plain = column in ("Risk", "risk_2")  # a name in quotation marks would be another one where capitals count
    assert ('"' in policy.to_sql(column)) is not plain


@pytest.mark.parametrize("least", [0.2, 0.272369, 0.3112073714312035, 5.00502784, 1e300, 5e-324, -0.060533])
def test_sqlite_decides_ties_as_python_does(least):
    """Some of these digits lie almost halfway between two numbers, which SQLite then rounds to the wrong side."""
    scores = [least, math.nextafter(least, -math.inf), math.nextafter(least, math.inf)]
    policy = best_thresholds(score_table([1, 0], [least, scores[1]]), 0.3)
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE TABLE t (risk REAL)")
    connection.executemany("INSERT INTO t VALUES (?)", [[one] for one in [*scores, None]])
    found = [row[0] for row in connection.execute(f"SELECT {policy.to_sql('risk')} FROM t")]
    assert found == [*policy.act(scores).astype(int).tolist(), None] == [1, 0, 1, None]


@pytest.mark.parametrize(("score", "row"), [(31.0, 1), (-0.1, 1), (np.inf, 1)])
def test_the_policy_of_an_evaluation_takes_probabilities_alone(score, row):
    policy = evaluate(Y, {"m": 1 / (1 + np.exp(-SCORE))}, 0.3).policy()
    with pytest.raises(InputError, match=rf"`scores` must be a probability between 0 and 1, got .* at row {row}"):
        policy.act([0.2, score])
    assert best_thresholds(TABLE, 0.3).act([0.2, 31.0]).tolist()[1]  # whose scores may be any numbers


@pytest.mark.parametrize("column", [3, " "])
def test_a_rule_needs_a_column(column):
    with pytest.raises(ValueError, match="`score` must"):
        WIDE.to_sql(column, 0.1)


def test_acting_by_the_policy_costs_what_the_policy_says():
    policy = best_thresholds(TABLE, 0.3)
    acted = policy.act(SCORE).astype(float)
    assert expected_regret(score_table(Y, acted), 0.3) == pytest.approx(policy.mean_regret, abs=1e-15)


def test_sql_acts_on_infinite_scores_as_the_policy_does_or_is_refused():
    highest = best_thresholds(score_table([0, 0, 1], [1.0, 2.0, np.inf]), 0.5)
    assert highest.act([2.0, np.inf]).tolist() == [False, True]
    with pytest.raises(InputError, match="`threshold` must be finite to be written as SQL, got inf"):
        highest.to_sql()
    lowest = best_thresholds(score_table([1, 1, 0, 1], [-np.inf, 1.0, 2.0, 3.0]), 0.01)
    assert lowest.act([-np.inf, 0.0]).all()
    assert lowest.to_sql() == "CASE WHEN score IS NOT NULL THEN 1 END"

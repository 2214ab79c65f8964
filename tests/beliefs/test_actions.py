"""Several actions as a belief: worked cases, decisions that are simulated and paid for, and laws."""

import json
import math
import re
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from strategies import SCORES, samples

from stakes import At, LogOddsUniform, Uniform, best_thresholds, expected_regret, recalibrate, score_table, skill_score
from stakes.beliefs import Actions, Atoms, Beta, EveryLogOdds, IndependentCosts, Mixture
from stakes.policy import policy_cost
from stakes.prevalence import shifted_regret

GOLDEN = Path(__file__).parents[1] / "golden" / "actions.json"
CASES = {case["name"]: case for case in json.loads(GOLDEN.read_text(encoding="utf-8"))["cases"]}
MATRICES = [name for name in CASES if "cuts" in CASES[name]["inputs"]]
TRIAGE = {"discharge": (0, 20), "observe": (1, 6), "admit": (4, 1)}


def table_of(inputs):
    return score_table(inputs["y"], inputs["p"])


def money(table, actions):
    """Return the mean cost of a case, with what no model changes."""
    if_negative, if_positive = actions.floor
    share = table.prevalence
    return (1 - share) * if_negative + share * if_positive + expected_regret(table, actions)


def paid(y, score, weight, costs):
    """Let every case take its cheapest action, of two that cost the same the more active, and pay for it."""
    total = 0.0
    for outcome, p, w in zip(y, score, weight, strict=True):
        expected = [(1 - p) * negative + p * positive for negative, positive in costs]
        least = min(expected)
        tied = [pair for pair, mean in zip(costs, expected, strict=True) if mean <= least + 1e-12 * (1 + abs(least))]
        total += w * min(tied, key=lambda pair: pair[1])[int(outcome)]
    return total / sum(weight)


# ------------------------------------------------------------------------------------------------------ worked cases


@pytest.mark.parametrize("name", MATRICES)
def test_worked_matrices(name):
    inputs = CASES[name]["inputs"]
    actions = Actions(inputs["matrix"])
    assert actions.kept == tuple(f"action {k + 1}" for k in inputs["hull"])
    assert_allclose(actions.thresholds, inputs["cuts"], rtol=1e-12)
    assert_allclose(money(table_of(inputs), actions), CASES[name]["value"], rtol=1e-12)


@pytest.mark.parametrize("name", ["actions_shared_exchange_uniform", "actions_shared_exchange_logodds"])
def test_worked_exchanges(name):
    inputs = CASES[name]["inputs"]
    kind, *ends = inputs["belief"]
    exchange = {"uniform": Uniform, "logodds": LogOddsUniform}[kind](*ends)
    actions = Actions(inputs["matrix"], exchange=exchange)
    # The worked values weigh losses by c and 1 - c; the mean weight is one half.
    assert_allclose(expected_regret(table_of(inputs), actions), 2 * CASES[name]["value"], rtol=1e-12)


@pytest.mark.parametrize("name", ["reject_uniform_0.1_0.3", "reject_uniform_0.3_0.9"])
def test_worked_fees(name):
    inputs = CASES[name]["inputs"]
    actions = Actions.refer(false_negative=inputs["b"], false_positive=inputs["a"], fee=tuple(inputs["r"]))
    assert_allclose(money(table_of(inputs), actions), CASES[name]["value"], rtol=1e-12)


def test_worked_scenarios_recalibration_and_tests():
    inputs = CASES["actions_scenarios"]["inputs"]
    either = Actions.any_of([Actions(matrix) for matrix in inputs["matrices"]], inputs["weights"])
    assert_allclose(money(table_of(inputs), either), CASES["actions_scenarios"]["value"], rtol=1e-12)
    inputs = CASES["actions_recalibrated"]["inputs"]
    best = recalibrate(table_of(inputs))
    assert_allclose(
        expected_regret(best, Actions(inputs["matrix"])), CASES["actions_recalibrated"]["value"], rtol=1e-12
    )
    known = CASES["test_threshold"]["inputs"]
    tested = Actions.test(
        false_negative=known["b"],
        false_positive=known["a"],
        harm=known["harm"],
        sensitivity=known["sens"],
        specificity=known["spec"],
    )
    expected = [CASES[name]["value"] for name in ("test_threshold", "treat_threshold")]
    assert_allclose(tested.thresholds, expected, rtol=1e-12)


def test_worked_costs_by_case():
    inputs = CASES["actions_by_case"]["inputs"]
    each = [
        money(score_table([y], [p]), Actions(matrix))
        for y, p, matrix in zip(inputs["y"], inputs["p"], inputs["matrices"], strict=True)
    ]
    assert_allclose(sum(each), CASES["actions_by_case"]["value"], rtol=1e-12)


# ------------------------------------------------------------------------------------- decisions that are paid for

COST = st.integers(-3, 12).map(lambda cost: cost / 2)
ROWS = st.lists(st.tuples(COST, COST), min_size=2, max_size=5)


@given(samples(ends=True, one_class=True), ROWS)
def test_the_number_is_what_decisions_cost(sample, rows):
    y, score, weight = sample
    actions = Actions(rows)
    expected = paid(y, score, weight, rows)
    assert money(score_table(y, score, weight), actions) == pytest.approx(expected, rel=1e-12, abs=1e-12)
    chosen = [actions.costs[name] for name in actions.decide(score)]
    simulated = sum(w * pair[int(label)] for w, pair, label in zip(weight, chosen, y, strict=True)) / sum(weight)
    assert simulated == pytest.approx(expected, rel=1e-12, abs=1e-12)


@given(ROWS)
def test_kept_actions_are_those_that_some_probability_needs(rows):
    actions = Actions(rows)
    grid = np.linspace(0, 1, 1009)
    means = np.array([(1 - grid) * negative + grid * positive for negative, positive in rows])
    best = means.min(axis=0)
    for name, mean in zip(actions.names, means, strict=True):
        others = np.delete(means, actions.names.index(name), axis=0).min(axis=0)
        if (mean < others - 1e-9).any():
            assert name in actions.kept
        if name in actions.kept:
            assert (mean <= best + 1e-9).any()
    assert list(actions.thresholds) == sorted(actions.thresholds)
    assert sorted(actions.kept + actions.dropped) == sorted(actions.names)


def test_the_best_constant_is_the_best_single_action_and_recalibration_never_hurts():
    y, score = np.array([0, 1, 0, 1, 1, 0, 0, 1]), np.array([0.9, 0.2, 0.4, 0.6, 0.1, 0.3, 0.5, 0.9])
    table, actions = score_table(y, score), Actions(TRIAGE)
    single = min(np.mean([pair[int(label)] for label in y]) for pair in TRIAGE.values())
    constant = score_table(y, np.full(8, y.mean()))
    assert money(constant, actions) == pytest.approx(single, rel=1e-12)
    assert expected_regret(recalibrate(table), actions) <= expected_regret(table, actions)
    loss = expected_regret(table, actions) / expected_regret(constant, actions)
    assert skill_score(table, actions) == pytest.approx(1 - loss, rel=1e-12)


@pytest.mark.parametrize("expert", [(0.0, 0.0), (0.1, 0.05), (0.4, 0.3)])
@pytest.mark.parametrize("gone", [None, "leave", "refer", "act"])
def test_a_range_of_fees_is_the_mean_over_fees(expert, gone):
    table = score_table([0, 1, 0, 1, 1, 0], [0.05, 0.3, 0.45, 0.8, 0.12, 0.99])

    def at(fee):
        actions = Actions.refer(false_negative=3, false_positive=1, fee=fee, expert=expert)
        return actions if gone is None else actions.without(gone)

    fees = 0.1 + 1.1 * (np.arange(400) + 0.5) / 400
    assert money(table, at((0.1, 1.2))) == pytest.approx(np.mean([money(table, at(fee)) for fee in fees]), abs=4e-3)


def test_an_exchange_is_the_mean_over_exchanges():
    y, score = [0, 1, 0, 1, 1, 0], [0.05, 0.3, 0.45, 0.8, 0.12, 0.99]
    table = score_table(y, score)
    exchange = Mixture([Atoms([0.2, 0.6], [1, 2]), At(0.4)], [3, 1])
    for weighed, expected in ((exchange, [(0.25, 0.2), (0.5, 0.6), (0.25, 0.4)]), (At(0.3), [(1.0, 0.3)])):
        mean = 0.0
        for (
            share,
            c,
        ) in expected:  # the mildest action for negatives and the most active for positives cost nothing here
            rows = [(2 * c * (negative - 0), 2 * (1 - c) * (positive - 1)) for negative, positive in TRIAGE.values()]
            mean += share * paid(y, score, np.ones(6), rows)
        assert expected_regret(table, Actions(TRIAGE, exchange=weighed)) == pytest.approx(mean, rel=1e-12)
    half, plain = Actions(TRIAGE, exchange="50%"), Actions(TRIAGE)
    for same in (lambda one: expected_regret(table, one), lambda one: (one.thresholds, one.floor, one.mass)):
        assert same(half) == same(plain)
    assert half.weighed_costs == plain.weighed_costs


def test_a_smooth_exchange_is_the_mean_over_its_density():
    exchange = Beta(2, 5)
    at = (np.arange(500) + 0.5) / 500
    each = [expected_regret(TABLE, Actions(TRIAGE, exchange=At(c))) for c in at]
    mean = np.average(each, weights=exchange.density(at))
    assert expected_regret(TABLE, Actions(TRIAGE, exchange=exchange)) == pytest.approx(mean, abs=5e-3)


def test_sampled_costs_come_with_their_error():
    table = score_table([0, 1, 0, 1, 1, 0], [0.05, 0.3, 0.45, 0.8, 0.12, 0.99])
    low, high = (
        {"leave": (0, 3), "refer": (0.1, 0.1), "act": (1, 0)},
        {"leave": (0, 3), "refer": (0.3, 0.3), "act": (1, 0)},
    )
    two = Actions.ranges({"leave": (0, 2), "act": (1, 0)}, {"leave": (0, 4), "act": (3, 0)}, n=20_000, rng=3)
    exact = expected_regret(table, IndependentCosts(false_negative=(2, 4), false_positive=(1, 3)))
    error = two.standard_error(table)
    assert 0 < error < 0.02
    assert abs(expected_regret(table, two) - exact) < 4 * error
    drawn = [Actions.ranges(low, high, n=400, rng=seed) for seed in range(60)]
    spread = np.std([expected_regret(table, one) for one in drawn], ddof=1)
    assert drawn[0].standard_error(table) == pytest.approx(spread, rel=0.35)
    assert Actions(TRIAGE).standard_error(table) == 0


# --------------------------------------------------------------------------------------- wherever a belief is taken

SEVERAL = {
    "triage": Actions(TRIAGE),
    "fee": Actions.refer(false_negative=8, false_positive=1, fee=(0.1, 1.5), expert=(0.02, 0.1)),
    "exchange": Actions(TRIAGE, exchange=Uniform(0.2, 0.7)),
    "either": Actions.any_of(
        [Actions(TRIAGE), Actions({**TRIAGE, "observe": (0.5, 9)}), Actions(TRIAGE, exchange=0.4)], [2, 1, 1]
    ),
}
TABLE = score_table([0, 1, 0, 1, 1, 0, 0, 1], [0.12, 0.33, 0.5, 0.81, 0.07, 0.33, 0.94, 0.6])


@pytest.mark.parametrize("actions", SEVERAL.values(), ids=SEVERAL)
def test_every_room_takes_them(actions):
    regret = expected_regret(TABLE, actions)
    assert shifted_regret(TABLE, actions, TABLE.prevalence) == pytest.approx(regret, rel=1e-10)
    assert expected_regret(TABLE, Mixture([actions, At(0.5)], [1, 1])) == pytest.approx(
        (regret + expected_regret(TABLE, At(0.5))) / 2, rel=1e-12
    )
    best = best_thresholds(TABLE, actions)
    assert best.share.sum() == pytest.approx(1)
    least = expected_regret(recalibrate(TABLE), actions)
    assert policy_cost(best, TABLE, actions).regret == pytest.approx(least, rel=1e-9)
    assert float(actions.share_above(0.0)) == pytest.approx(1)
    assert actions.mean == pytest.approx(np.mean(actions.sample(40_000, 1)), abs=0.01)


def test_at_another_prevalence_decisions_are_those_of_corrected_scores():
    y, score = np.array([0, 1, 0, 1, 1, 0, 0, 1]), np.array([0.12, 0.33, 0.5, 0.81, 0.07, 0.33, 0.94, 0.6])
    odds = score / (1 - score) * (0.2 / 0.8)
    corrected, weight = odds / (1 + odds), np.where(y == 1, 0.2, 0.8)
    rows = [(negative, positive - 1) for negative, positive in TRIAGE.values()]
    expected = paid(y, corrected, weight, rows)
    assert shifted_regret(TABLE, Actions(TRIAGE), 0.2) == pytest.approx(expected, rel=1e-12)
    spread = shifted_regret(TABLE, Actions(TRIAGE), Uniform(0.1, 0.3))
    grid = [shifted_regret(TABLE, Actions(TRIAGE), share) for share in np.linspace(0.1, 0.3, 401)]
    assert spread == pytest.approx(np.mean(grid), rel=5e-3)


def test_two_actions_are_two_fixed_costs():
    two, fixed = Actions([(0, 9), (1, 0)]), IndependentCosts(false_negative=(9, 9), false_positive=(1, 1))
    for score in combinations(SCORES, 3):
        assert_allclose(two.loss_if_positive(score), fixed.loss_if_positive(score), rtol=1e-15)
        assert_allclose(two.loss_if_negative(score), fixed.loss_if_negative(score), rtol=1e-15)
    assert two.support == (0.1, 0.1)
    assert two.mean == pytest.approx(0.1)


def test_they_compare_and_read_as_they_were_stated():
    assert Actions(TRIAGE) == Actions(TRIAGE)
    assert hash(Actions(TRIAGE)) == hash(Actions(TRIAGE))
    assert Actions(TRIAGE) != Actions(TRIAGE, exchange=0.5)
    assert repr(Actions(TRIAGE)) == "Actions({'discharge': (0, 20), 'observe': (1, 6), 'admit': (4, 1)})"
    assert repr(SEVERAL["exchange"]).endswith("(4, 1)}, exchange=Uniform(low=0.2, high=0.7))")


# ----------------------------------------------------------------------------------------------------------- bad input


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Actions({"a": (0, 1)}), "`costs` must hold at least two actions, got 1."),
        (
            lambda: Actions({"a": (0, 1), "b": (math.inf, 0)}),
            "`costs['b'][0]` must be finite, got inf.",
        ),
        (
            lambda: Actions({"a": (0, 1, 2), "b": (1, 0)}),
            "`costs['a']` must be a pair (cost if negative, cost if positive), got (0, 1, 2).",
        ),
        (
            lambda: Actions(TRIAGE, exchange=EveryLogOdds()),
            "`exchange` must be a belief about a proportion, of total probability 1, got EveryLogOdds().",
        ),
        (
            lambda: Actions.refer(false_negative=1, false_positive=1, fee=(0.3, 0.1)),
            "`fee` must run from the lowest fee to the highest, got (0.3, 0.1).",
        ),
        (
            lambda: Actions.refer(false_negative=1, false_positive=1, fee=0.1, expert=0.1),
            "`expert` must be a pair (share of negatives acted on, share of positives missed), got 0.1.",
        ),
        (
            lambda: Actions.ranges({"a": (0, 2), "b": (1, 0)}, {"a": (0, 1), "b": (1, 0)}),
            "`high` must be at least `low`, which is 2 for 'a' if positive, got 1.",
        ),
        (
            lambda: Actions.ranges({"a": (0, 2), "b": (1, 0)}, {"b": (0, 3), "a": (1, 0)}),
            "`high` must have the actions of `low` in the same order, a, b, got b, a.",
        ),
        (lambda: Actions(TRIAGE).without("leave"), "`name` must be one of observe, discharge, admit, got 'leave'."),
        (
            lambda: Actions(TRIAGE).decide([0.2, 1.2]),
            "`probability` must be a probability between 0 and 1, got 1.2 at row 1",
        ),
        (
            lambda: Actions([(0, 1), (1, 2)]).support,
            "'action 1' is the cheapest action whatever the outcome, so no forecast changes this decision.",
        ),
        (
            lambda: shifted_regret(TABLE, Actions.ranges([(0, 2), (1, 0)], [(0, 3), (2, 0)], n=3000), 0.2),
            "`costs` must have at most 2,000 thresholds where there is a prevalence, got 3,000",
        ),
    ],
)
def test_bad_input_is_named(make, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        make()


def test_the_rule_in_sql_is_the_decision():
    duckdb = pytest.importorskip("duckdb")
    odd = Actions({"it's nothing": (0, 20), "observe": (1, 6), "admit": (4, 1)})
    scores = [0.0, 0.05, *odd.thresholds, *np.nextafter(odd.thresholds, 0), 0.5, 1.0]
    rows = ", ".join(f"({one!r}::DOUBLE)" for one in map(float, scores))
    found = duckdb.sql(f"SELECT {odd.to_sql('risk')} FROM (VALUES {rows}) AS t(risk)").fetchall()
    assert [name for (name,) in found] == odd.decide(scores).tolist()
    assert duckdb.sql(f'SELECT {odd.to_sql("new risk")} FROM (VALUES (NULL)) AS t("new risk")').fetchall() == [(None,)]
    assert Actions({"rest": (0, 1), "treat": (1, 2)}).to_sql() == "CASE WHEN score IS NOT NULL THEN 'rest' END"
    with pytest.raises(ValueError, match="`score` must name a column, got ' '"):
        odd.to_sql(" ")

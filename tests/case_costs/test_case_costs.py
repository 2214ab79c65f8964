"""Costs of each case: worked cases, laws, and decisions paid for one by one."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from stakes import (
    At,
    Beta,
    CaseCosts,
    LogOddsUniform,
    Uniform,
    at_prevalence,
    expected_regret,
    recalibrate,
    score_table,
    skill_score,
)
from stakes.beliefs import Atoms, IndependentCosts
from stakes.measures import cost_per_case, savings
from stakes.table import Recalibration

GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "case_costs.json").read_text())["cases"]
BELIEFS = {"at": At, "uniform": Uniform, "logodds": LogOddsUniform, "beta": Beta, "atoms": Atoms}
AS_STATED = IndependentCosts(false_negative=(1, 1), false_positive=(1, 1))
COST = st.sampled_from([-4.0, -1.0, 0.0, 0.5, 1.0, 2.0, 3.0, 50.0])
CASE = st.tuples(st.booleans(), st.sampled_from([0.0, 0.1, 0.25, 0.5, 0.8, 1.0]), COST, COST, COST, COST)
SOME_CASES = st.lists(CASE, min_size=1, max_size=9)


def costs_of(inputs):
    if "miss" in inputs:
        return CaseCosts(false_negative=inputs["miss"], false_positive=inputs["false_alarm"])
    if "fee" in inputs:
        fee = inputs["fee"]
        return CaseCosts(false_negative=inputs["amount"], false_positive=fee, true_positive=fee)
    if "amount" in inputs:
        return CaseCosts(false_negative=inputs["amount"])
    columns = (inputs[name] for name in ("fn", "fp", "tp", "tn"))
    return CaseCosts(**dict(zip(NAMES, columns, strict=True)))


NAMES = ("false_negative", "false_positive", "true_positive", "true_negative")


def number_of(name, inputs, table):
    if name == "handling_fee_savings":
        return savings(table)
    if name.endswith("_money"):
        return cost_per_case(table) * table.cases + sum(table.heads.floor)
    if "F" in inputs:
        belief = IndependentCosts(false_negative=inputs["F"], false_positive=inputs["G"])
        return cost_per_case(table, belief) * table.cases
    if "c" in inputs:
        return cost_per_case(recalibrate(table), At(inputs["c"])) * table.cases
    moved = at_prevalence(table, inputs["prevalence"]) if "prevalence" in inputs else table
    kind, *parameters = inputs["belief"]
    return cost_per_case(moved, BELIEFS[kind](*parameters)) * moved.cases


@pytest.mark.parametrize("case", GOLDEN[:19], ids=lambda case: case["name"])
def test_worked_cases(case):
    inputs = case["inputs"]
    table = score_table(inputs["y"], inputs["p"], inputs.get("weight"), case_costs=costs_of(inputs))
    assert_allclose(number_of(case["name"], inputs, table), case["value"], rtol=1e-12, atol=1e-13)


def test_a_budget_is_a_price():
    inputs, wanted = GOLDEN[19]["inputs"], GOLDEN[19]["value"]
    costs = CaseCosts(false_negative=inputs["miss"], false_positive=inputs["false_alarm"], effort=inputs["effort"])
    p, effort, budget = np.array(inputs["p"]), np.array(inputs["effort"]), inputs["budget"]
    price = costs.price(p, budget)
    acted = costs.act(p, price=price)
    gain = p * np.array(inputs["miss"]) - (1 - p) * np.array(inputs["false_alarm"])
    left = budget - effort[acted].sum()
    next_best = np.max((gain / effort)[~acted & (gain > 0)])
    assert_allclose(gain[acted].sum() + left * next_best, wanted, rtol=1e-12)  # the last case shared
    assert costs.price(p, 1e9) == 0.0
    assert not costs.act(p, price=costs.price(p, 0.0)).any()


@given(
    st.lists(st.sampled_from([3.0, 9.0, 20.0, 20.3]), min_size=1, max_size=8),
    st.sampled_from([0.5, 1.0, 2.5, 3.0, 6.0]),
    st.sampled_from([None, 0.1, 0.7, 3.0]),
)
def test_a_budget_is_kept_with_ties(amounts, budget, effort):
    costs = CaseCosts(false_negative=amounts, false_positive=3, effort=effort)
    p = np.full(len(amounts), 0.5)
    acted = costs.act(p, price=costs.price(p, budget))
    unit = 1.0 if effort is None else effort
    assert acted.sum() * unit <= budget * (1 + 1e-9)
    for worth in set(amounts):  # in the order of their worth, all of a worth or none
        better = np.array(amounts) >= worth
        assert not better.sum() * unit <= budget * (1 - 1e-9) or acted[better].all()


def test_costs_that_cannot_be_meant_are_refused():
    with pytest.raises(ValueError, match=r"^`case_costs` must .* in all 3 cases; costs look swapped, .* exchanged\.$"):
        score_table([0, 1, 1], [0.1, 0.2, 0.3], case_costs=CaseCosts(false_negative=-5, false_positive=5))
    some = CaseCosts(false_negative=[-5, -5, 5, 5], false_positive=[-5, -5, 5, 5])
    with pytest.raises(ValueError, match="the opposite in 2 of 3 cases"):
        score_table([0, 1, 1, 0], [0.1, 0.2, 0.3, 0.4], [1, 1, 1, 0], case_costs=some)
    score_table([0, 1, 1, 0], [0.1, 0.2, 0.3, 0.4], [1, 0, 1, 1], case_costs=some)
    with pytest.raises(ValueError, match=r"^`effort` must be a number, or name a column, got ' '; write a number, a"):
        CaseCosts(effort=" ")


def usable(cases):
    """Whether costs differ between the actions, and are not swapped for most cases."""
    staked = [abs(fn - tp) if y else abs(fp - tn) for y, _, fn, fp, tp, tn in cases]
    pays = any(fn >= tp or fp <= tn for _, _, fn, fp, tp, tn in cases)
    return any(staked) and pays and 2 * sum(fp < tn and fn < tp for _, _, fn, fp, tp, tn in cases) <= len(cases)


@given(SOME_CASES.filter(usable), st.sampled_from([0.2, 0.5, 0.9]))
def test_money_is_what_the_decisions_cost(cases, c):
    y, p, *columns = map(np.array, zip(*cases, strict=True))
    costs = CaseCosts(**dict(zip(NAMES, columns, strict=True)))
    table = score_table(y, p, case_costs=costs)
    paid = 0.0
    for positive, act, fn, fp, tp, tn in zip(y, costs.act(p, c), *columns, strict=True):
        cost = (tp if act else fn) if positive else (fp if act else tn)
        best = min(tp, fn) if positive else min(fp, tn)
        paid += (cost - best) * (c if act else 1 - c)
    assert_allclose(cost_per_case(table, At(c)) * len(cases), paid, atol=1e-12)
    floor = sum(min(tp, fn) if positive else min(fp, tn) for positive, _, fn, fp, tp, tn in cases)
    assert_allclose(sum(table.heads.floor), floor, atol=1e-12)
    assert table.cases == len(cases)


@given(SOME_CASES.filter(usable), st.sampled_from([0.2, 0.5, 0.9]))
def test_acting_is_what_costs_less_in_expectation(cases, c):
    _, p, *columns = map(np.array, zip(*cases, strict=True))
    costs = CaseCosts(**dict(zip(NAMES, columns, strict=True)))
    fn, fp, tp, tn = columns
    gain = p * (fn - tp) * np.where(fn > tp, 1 - c, c) - (1 - p) * (fp - tn) * np.where(fp > tn, c, 1 - c)
    decided = np.abs(gain) > 1e-12
    assert (costs.act(p, c) == (gain > 0))[decided].all()
    inner = (fn > tp) & (fp > tn)
    assert (costs.act(p, c) == (p >= costs.thresholds(c)))[inner & decided].all()


@given(st.lists(st.tuples(st.booleans(), st.floats(0, 1)), min_size=1, max_size=30), st.sampled_from([1.0, 3.7]))
def test_the_same_costs_for_all_change_no_bit(cases, unit):
    y, p = zip(*cases, strict=True)
    plain = score_table(y, p)
    table = score_table(y, p, case_costs=CaseCosts(false_negative=unit, false_positive=unit))
    assert table.score.tolist() == plain.score.tolist()
    for costs in (At(0.3), Uniform(0.1, 0.6)):
        assert_allclose(
            cost_per_case(table, costs), unit * expected_regret(plain, costs), rtol=1e-13 if unit > 1 else 0
        )


@given(SOME_CASES.filter(usable), st.sampled_from([0.25, 8.0]))
def test_costs_in_another_unit_are_money_in_another_unit(cases, unit):
    y, p, *columns = map(np.array, zip(*cases, strict=True))
    here = score_table(y, p, case_costs=CaseCosts(**dict(zip(NAMES, columns, strict=True))))
    there = score_table(y, p, case_costs=CaseCosts(**dict(zip(NAMES, (unit * one for one in columns), strict=True))))
    assert cost_per_case(there) == unit * cost_per_case(here)
    assert there.heads.floor == tuple(unit * one for one in here.heads.floor)


@given(
    st.lists(
        st.tuples(st.booleans(), st.sampled_from([0.0, 0.25, 0.5, 1.0]), st.integers(0, 9), st.integers(0, 9)),
        min_size=5,
        max_size=9,
    ).filter(lambda cases: sum(loss + gain > 0 for _, _, loss, gain in cases) == len(cases)),
    st.sets(st.integers(0, 4), max_size=2),
)
def test_a_case_of_swapped_signs_is_its_mirror_image(cases, swapped):
    y, p, acting, leaving = (np.array(column) for column in zip(*cases, strict=True))
    here = np.isin(np.arange(len(y)), list(swapped))
    sign = np.where(here, -1, 1)
    table = score_table(y, p, case_costs=CaseCosts(false_negative=sign * leaving, false_positive=sign * acting))
    mirrored = CaseCosts(false_negative=np.where(here, acting, leaving), false_positive=np.where(here, leaving, acting))
    image = score_table(y ^ here, np.where(here, 1 - p, p), case_costs=mirrored)
    assert_allclose(table.score, image.score, rtol=1e-14)
    assert_allclose([table.positive, table.negative], [image.positive, image.negative], rtol=1e-14)
    assert table.heads.positive_total == y.sum()  # heads are by outcome, whatever the side


def test_swapped_signs_swap_the_columns():
    y, p = [1, 0, 1, 0, 0], [0.2, 0.4, 0.7, 0.9, 0.5]
    usual = CaseCosts(false_negative=[5, 6, 7, 8, 9], false_positive=2)
    flipped = CaseCosts(false_negative=[5, -6, 7, 8, 9], false_positive=[2, -2, 2, 2, 2])
    here, there = (score_table(y, p, case_costs=costs) for costs in (usual, flipped))
    assert_allclose(there.heads.swapped, 1)
    assert_allclose(there.positive_total - here.positive_total, 2)  # acting on the second case would have paid
    assert_allclose(here.negative_total - there.negative_total, 2)
    assert 1 - here.score[np.searchsorted(here.score, 0.6)] >= 0
    with pytest.raises(ValueError, match="acting pays on negatives only"):
        at_prevalence(there, 0.1)


def test_stakes_on_one_side_only():
    costs = CaseCosts(false_negative=[10, 1, 0, 0], false_positive=[-1, 5, 0, 2], true_positive=[0, 3, 0, 0])
    table = score_table([0, 1, 1, 1], [0.5, 0.5, 0.5, 1.0], case_costs=costs)
    assert costs.scores([0.5, 0.5, 0.5, 1.0]).tolist() == [1.0, 0.0, 0.0, 0.0]
    assert table.heads.crossed == (2.0, 1.0)
    assert (table.positive.tolist(), table.negative.tolist()) == ([0.0, 1.0], [2.0, 0.0])
    assert costs.thresholds().tolist() == [0.0, np.inf, np.inf, np.inf]


@given(SOME_CASES.filter(usable), st.sampled_from([0.1, 0.5, 0.7]))
def test_the_best_fit_is_the_best_threshold_at_every_cost(cases, c):
    y, p, *columns = map(np.array, zip(*cases, strict=True))
    table = score_table(y, p, case_costs=CaseCosts(**dict(zip(NAMES, columns, strict=True))))
    least = min(
        (1 - c) * table.positive[table.score < at].sum() + c * table.negative[table.score >= at].sum()
        for at in [*table.score, np.inf]
    )
    assert_allclose(cost_per_case(recalibrate(table), At(c)) * table.cases, least, atol=1e-12)


def test_recalibrating_probabilities_is_another_question():
    y, p = np.array([0, 1, 0, 1, 1, 0]), np.array([0.2, 0.2, 0.1, 0.7, 0.5, 0.2])
    costs = CaseCosts(false_negative=[10, 1, 1, 10, 10, 10])
    table, fitted = score_table(y, p, case_costs=costs), Recalibration.of(score_table(y, p))(p)
    found = [table, score_table(y, fitted, case_costs=costs), recalibrate(table)]
    assert_allclose([6 * cost_per_case(one, Uniform()) for one in found], [0.885, 0.917, 0.333], atol=5e-4)


def test_savings_turn_round_where_hits_are_rewarded_and_skill_does_not():
    y = [1] * 3 + [0] * 7
    rewarded = CaseCosts(false_negative=0, false_positive=1, true_positive=-10)
    perfect = score_table(y, y, case_costs=rewarded)
    two_alarms = score_table(y, [1, 1, 1, 1, 1, 0, 0, 0, 0, 0], case_costs=rewarded)
    assert skill_score(perfect, 0.5) == 1 > skill_score(two_alarms, 0.5)
    with pytest.warns(RuntimeWarning, match="`savings` is undefined where the cheaper trivial policy costs nothing"):
        assert np.isnan(savings(perfect))


def test_savings_without_case_costs_count_every_mistake_as_1():
    table = score_table([1, 0, 1, 0, 0], [0.9, 0.7, 0.2, 0.1, 0.3])
    assert savings(table) == skill_score(table, 0.5) == 0.0


WRONG = {
    "`false_negative` must be finite, got inf at row 1.": lambda: CaseCosts(false_negative=[1, np.inf]),
    "`false_negative` must be finite, got inf.": lambda: CaseCosts(false_negative=np.inf),
    "`false_positive` must not have missing values, got 1 missing value, at row 1; the threshold of a case "
    "needs both of its costs, whatever its outcome.": lambda: CaseCosts(false_positive=[1, np.nan]),
    "`false_negative` and `false_positive` must have the same length, got 2 and 3.": lambda: CaseCosts(
        false_negative=[1, 2], false_positive=[1, 2, 3]
    ),
    "`effort` must be greater than 0, got 0 at row 1.": lambda: CaseCosts(effort=[1, 0]),
    "`y` and `case_costs` must have the same length, got 3 and 2.": lambda: score_table(
        [0, 1, 1], [0.1, 0.2, 0.3], case_costs=CaseCosts(false_negative=[1, 2])
    ),
    "`case_costs` must make acting on most positives pay and on most negatives cost, got the opposite in 2 of 3 cases; "
    "costs look swapped, with hit and miss exchanged": lambda: score_table(
        [0, 1, 1], [0.1, 0.2, 0.3], case_costs=CaseCosts(false_negative=0, false_positive=[-1, -1, 1], true_positive=2)
    ),
    "`case_costs` must differ between acting and leaving in at least one case, got the same in all.": (
        lambda: score_table([0, 1], [0.1, 0.2], case_costs=CaseCosts(false_negative=0, false_positive=0))
    ),
    "`case_costs` must differ between acting and leaving in a case of weight above 0, got none.": (
        lambda: score_table([0, 1], [0.1, 0.2], [1, 0], case_costs=CaseCosts(false_positive=0))
    ),
    "`case_costs` must be CaseCosts, or an array with two or four columns of costs, got shape (3,).": (
        lambda: score_table([0, 1, 1], [0.1, 0.2, 0.3], case_costs=[1, 2, 3])
    ),
    "`case_costs` must have two or four columns of costs, got 3.": (
        lambda: score_table([0, 1], [0.1, 0.2], case_costs=np.ones((2, 3)))
    ),
    "`false_negative` must be a number, or one for each case, got the column 'amount'; with columns, give a frame or a "
    "file as `data`.": (lambda: CaseCosts(false_negative="amount").thresholds()),
    "`score` must be a probability between 0 and 1, got 1.5 at row 1; measures of ranking, such as `auc`, accept any "
    "number.": lambda: score_table([0, 1], [0.1, 1.5], case_costs=CaseCosts()),
}


@pytest.mark.parametrize("message", WRONG)
def test_bad_input_is_answered_in_a_sentence(message):
    with pytest.raises(ValueError) as caught:  # noqa: PT011 -- the whole text is compared
        WRONG[message]()
    assert str(caught.value).rstrip(".") == message.rstrip(".")


def test_an_array_has_a_column_for_each_cost():
    y, p = [1, 0, 1], [0.2, 0.4, 0.7]
    four = np.array([[9, 1, 1, 0], [8, 2, 1, 0], [7, 3, 1, 0]])
    named = dict(zip(NAMES, four.T, strict=True))
    assert score_table(y, p, case_costs=four) == score_table(y, p, case_costs=CaseCosts(**named))
    two = CaseCosts(false_negative=four[:, 0], false_positive=four[:, 1])
    assert score_table(y, p, case_costs=four[:, :2]) == score_table(y, p, case_costs=two)


def test_what_it_says_of_itself():
    assert repr(CaseCosts()) == "CaseCosts()"
    assert repr(CaseCosts(false_negative=[3, 9], effort=2)) == "CaseCosts(false_negative=3 to 9, effort=2)"

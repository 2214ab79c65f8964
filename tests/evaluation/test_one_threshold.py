"""One threshold for all stated costs: the roundest that does as well as the best, and its cost written out."""

import math
from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stakes import At, Decision, Limits, Uniform, evaluate, evaluate_tables, score_table
from stakes.beliefs import Atoms, EveryLogOdds, IndependentCosts
from stakes.datasets import load_cohort
from stakes.evaluation._one_threshold import roundest, write_sum
from stakes.evaluation._unit import Unit

COHORT = load_cohort()
MARKER = {"marker": COHORT["cancerpredmarker"]}

MONEY = IndependentCosts(false_negative=(20, 60), false_positive=(1, 3))
# Each belief with the mean cost of a miss and of a false alarm, worked out by hand.
COSTS = (
    (At(0.2), 0.8, 0.2),
    (Uniform(0.1, 0.5), 0.7, 0.3),
    (Atoms([0.1, 0.6], [0.8, 0.2]), 0.8, 0.2),
    (MONEY, 40.0, 2.0),
)
LIMITS = (None, None, Limits(capacity=0.4), Limits(min_precision=0.5))
SAMPLES = st.lists(st.tuples(st.booleans(), st.sampled_from(np.arange(41) / 40)), min_size=6, max_size=25)


def cost_at(threshold, cases, weight, miss, alarm):
    """Return what a threshold costs per case, case by case."""
    paid = sum(
        weight[y] * (miss if y and s < threshold else alarm if not y and s >= threshold else 0.0) for y, s in cases
    )
    return paid / sum(weight[y] for y, _ in cases)


def allows(limits, threshold, cases, weight):
    acted = [(weight[y], y) for y, s in cases if s >= threshold]
    alarms, total = sum(w for w, _ in acted), sum(weight[y] for y, _ in cases)
    if limits is None or not acted:
        return True
    true = sum(w for w, y in acted if y)
    few = limits.capacity is None or alarms / total <= limits.capacity + 1e-12
    return few and (limits.min_precision is None or true / alarms >= limits.min_precision - 1e-12)


def digits_of(share):
    """Significant digits of a share, or of its distance to 1 where that is smaller."""
    exact = Decimal(repr(float(share)))
    return len((1 - exact if exact > Decimal("0.5") else exact).normalize().as_tuple().digits)


@given(SAMPLES, st.sampled_from(COSTS), st.sampled_from((None, 0.05, 0.5)), st.sampled_from(LIMITS))
@settings(max_examples=150, deadline=None)
def test_the_threshold_is_the_roundest_of_those_that_do_as_well(cases, stated, prevalence, limits):
    positives = sum(y for y, _ in cases)
    if not 0 < positives < len(cases):
        return
    costs, miss, alarm = stated
    table = score_table(*(list(column) for column in zip(*cases, strict=True)))
    found = evaluate_tables({"model": table}, Decision(costs, prevalence=prevalence, limits=limits))
    one, unit = found.recommended_threshold, found.unit
    if one is None:
        assert found.best.reference
        return
    share = positives / len(cases)
    there = share if prevalence is None else prevalence
    weight = {True: there / share, False: (1 - there) / (1 - share)}
    mean = alarm / (miss + alarm)
    moved = share / (1 - share) * (1 - there) / there  # of the odds of a score: back to where it was given
    aim = moved * mean / (1 - mean + moved * mean)

    def price(threshold):
        return cost_at(threshold, cases, weight, miss, alarm)

    grid = sorted({0.0, *(s for _, s in cases), *(s + 1e-9 for _, s in cases)})
    best = price(aim) if limits is None else min(price(t) for t in grid if allows(limits, t, cases, weight))
    spare = max(0.02 * best, 0.5 * 10.0**-unit.digits / unit.per / unit.factor) * (1 + 1e-9)
    assert one.cost == pytest.approx(mean)
    assert one.regret == pytest.approx(price(one.threshold))
    if math.isinf(one.threshold):
        assert limits is not None
        assert best == pytest.approx(price(math.inf))
        return
    # All between the ends do as well; just beyond them, within the stated range, they do not.
    assert one.low <= one.threshold <= one.high
    between = one.low, one.high, *(t for t in grid if one.low <= t <= one.high)
    assert one.worst == pytest.approx(max(map(price, between)))
    for at in between:
        assert price(at) <= best + spare
        assert allows(limits, at, cases, weight)
    least, most = (
        (0.0, 1.0)
        if limits is not None or isinstance(costs, At)
        else (moved * c / (1 - c + moved * c) for c in costs.support)
    )
    for at in (one.low - 1e-9, one.high + 1e-9):
        if least + 1e-8 < at < most - 1e-8:
            assert price(at) > best + spare / 1.0000001 or not allows(limits, at, cases, weight)
    if not isinstance(costs, At):
        check_roundest(one, aim)


def check_roundest(one, aim):
    """No number with fewer digits lies between the ends, and none with as many lies nearer to the mean cost."""
    centre = min(max(aim, one.low), one.high)

    def distance(share):
        return abs(math.log(share / (1 - share)) - math.log(centre / (1 - centre)))

    rivals = [k / 1000 for k in range(1, 1000) if one.low <= k / 1000 <= one.high]
    if rivals and 0 < centre < 1:
        assert digits_of(one.threshold) <= min(map(digits_of, rivals))
        alike = [share for share in rivals if digits_of(share) == digits_of(one.threshold)]
        assert 0 < one.threshold < 1
        assert all(distance(one.threshold) <= distance(share) + 1e-9 for share in alike)


def test_the_numbers_published_for_the_cohort():
    one = evaluate(COHORT["cancer"], MARKER, "5%..20%").recommended_threshold
    inside = [score for score in MARKER["marker"] if one.low <= score <= one.high]
    assert (one.threshold, round(one.low, 3), round(max(inside), 3), one.high) == (0.1, 0.098, 0.199, 0.2)
    assert (one.cost, one.sum) == (0.125, "24 + 257/7 = 61")
    assert [round(people) for people in (one.found, one.misses, one.false_alarms, one.left_alone)] == [
        116,
        24,
        257,
        603,
    ]
    assert one.found + one.misses + one.false_alarms + one.left_alone == pytest.approx(one.per)
    factor = 1000 / (1 - 0.125)
    assert [round(factor * one.regret), round(factor * one.following), round(factor * one.extra)] == [61, 56, 5]


def test_a_fixed_threshold_costs_what_its_mean_cost_says():
    one = evaluate(COHORT["cancer"], MARKER, "5%..20%").recommended_threshold
    costs = 0.05 + 0.15 * (np.arange(1000) + 0.5) / 1000
    each = (costs * one.false_alarms + (1 - costs) * one.misses) / one.per
    assert one.regret == pytest.approx(each.mean(), rel=1e-12)


def test_a_known_cost_is_its_own_threshold_in_three_digits():
    for stated, shown in ((0.12, 0.12), (0.125, 0.125), (1 / 7, 0.143)):
        assert evaluate(COHORT["cancer"], MARKER, stated).recommended_threshold.threshold == shown


def test_no_threshold_without_a_model_or_a_mean_cost():
    assert evaluate(COHORT["cancer"], MARKER, EveryLogOdds()).recommended_threshold is None
    assert evaluate([0, 1] * 20, {"bad": [0.9, 0.1] * 20}, "30%..60%").recommended_threshold is None
    assert evaluate([0] * 9 + [1], {"model": np.arange(10) / 10}, Decision("5%", limits=Limits(capacity=0))).best


@given(
    st.floats(0, 1000),
    st.floats(0, 1000),
    st.floats(0.03, 60),
    st.sampled_from(("misses", "false alarms", "money")),
    st.integers(0, 3),
)
def test_a_reader_who_adds_up_finds_the_number(misses, false_alarms, many, name, digits):
    both = 1000.0 if name == "money" else 1.0
    alarm = both / (1 + many)
    factor = {"misses": 1 / (both - alarm), "false alarms": 1 / alarm, "money": 1.0}[name]
    unit = Unit(name, factor, 1000, digits, many, both)
    regret = (misses * (both - alarm) + false_alarms * alarm) / 1000
    said, total = write_sum(misses, false_alarms, regret, unit)[-1].replace(",", "").split(" = ")
    value = sum(_value(term) for term in said.split(" + "))
    assert total == unit.number(regret).replace(",", "")
    assert abs(value - float(total)) <= 0.5000001 * 10.0 ** -len(total.partition(".")[2])


def _value(term):
    count, times, factor = term.partition(" \u00d7 ")
    if times:
        return float(count) * float(factor)
    count, _, divisor = term.partition("/")
    return float(count) / float(divisor or 1)


@pytest.mark.parametrize(
    ("low", "high", "aim", "shown"),
    [
        (0.098, 0.2, 0.125, 0.1),
        (0.118, 0.149, 0.125, 0.13),  # 12% is as round, but farther in log-odds
        (0.1231, 0.1239, 0.1235, 0.1235),
        (0.0, 0.3, 0.0, 0.0),
        (0.991, 0.9993, 0.994, 0.994),
        (0.91, 0.999, 0.96, 0.96),
        (0.3000000000001, 0.3000000000002, 0.31, 0.3000000000002),
    ],
)
def test_roundest(low, high, aim, shown):
    assert roundest(low, high, aim) == shown

"""The live report writes numbers and beliefs in the words that Python uses."""

import math
from dataclasses import asdict

import pytest
from hypothesis import given
from hypothesis import strategies as st
from report.agreement import ranges

from stakes import At, Limits, LogOddsUniform, Uniform, _wording
from stakes.evaluation import Decision, Unit, _decision
from stakes.evaluation._unit import make_unit

# Halves that no rounding may move away from the even digit, and neighbours of a change of digits.
NUMBERS = (0.0, 0.05, 0.25, 0.35, 0.5, 1.5, 2.5, 0.125, 0.375, 0.0625, 999.95, 1234.5, 12345678.25, 1e-7, 2.675)
SHARES = (0.0, 1.0, 0.5, 0.1, 0.095, 0.0999, 0.01, 0.001, 0.00123, 1e-5, 1e-9, 0.995, 0.9999, 0.14, 0.00025, 1.2, -0.3)


@pytest.mark.parametrize("digits", [0, 1, 2, 3])
def test_digits_are_rounded_alike(numbers, digits):
    both = (*NUMBERS, *(-number for number in NUMBERS[1:]))
    assert numbers(*(("fixed", number, digits) for number in both)) == [f"{number:,.{digits}f}" for number in both]
    assert numbers(*(("signed", number, digits) for number in both)) == [_wording.signed(n, digits) for n in both]


@given(number=st.floats(-1e9, 1e9), digits=st.integers(0, 6))
def test_any_number_is_rounded_alike(numbers, number, digits):
    assert numbers(("fixed", number + 0.0, digits)) == [f"{number + 0.0:,.{digits}f}"]


@pytest.mark.parametrize("share", SHARES)
def test_shares(numbers, share):
    found = numbers(("percent", share), ("wholePercent", share))
    assert found == [_wording.percent(share), _wording.whole_percent(share)]


@given(share=st.floats(0, 1))
def test_any_share(numbers, share):
    found = numbers(("percent", share), ("wholePercent", share))
    assert found == [_wording.percent(share), _wording.whole_percent(share)]


UNITS = st.builds(
    Unit,
    st.sampled_from(("misses", "false alarms", "money", "regret")),
    st.floats(1, 40),
    st.sampled_from((1000, 10_000, 1_000_000)),
    st.integers(0, 3),
    st.floats(0.02, 60),
    st.sampled_from((1.0, 32.5)),
)


@given(
    unit=UNITS, regret=st.one_of(st.sampled_from(SHARES), st.floats(0, 1), st.floats(0, 1e-5)), other=st.floats(0, 1)
)
def test_costs_in_any_unit(numbers, unit, regret, other):
    given_ = asdict(unit)
    names = ("costNumber", "costText", "inUnit", "isVisible")
    found = numbers(*((name, given_, regret) for name in names), ("costNumber", given_, regret, other))
    assert found == [
        unit.number(regret),
        unit.cost(regret),
        unit.value(regret),
        unit.is_visible(regret),
        unit.number(regret, unlike=other),
    ]


@given(unit=UNITS, regret=st.floats(0, 1), step=st.sampled_from((0.0, 1e-12, 1e-7, 1e-5, 1e-4, 0.002)))
def test_two_costs_that_are_told_apart(numbers, unit, regret, step):
    assert numbers(("apart", asdict(unit), regret, regret + step)) == [asdict(unit.apart(regret, regret + step))]


@pytest.mark.parametrize("regret", [math.nan, math.inf, -math.inf])
def test_costs_that_are_no_number(numbers, regret):
    unit = Unit("misses", 1.25, 1000)
    assert numbers(("costNumber", asdict(unit), regret)) == [unit.number(regret)]


@pytest.mark.parametrize("name", ["misses", "false alarms"])
@given(costs=ranges(), looked=st.floats(0.01, 0.99))
def test_the_unit_of_other_costs(numbers, name, costs, looked):
    stated, wanted = make_unit(Decision("10%", unit=name), 0.14), make_unit(Decision(costs, unit=name), 0.14)
    moved, at_one = numbers(("unitOf", asdict(stated), costs.mean), ("unitAt", asdict(stated), looked))
    assert moved["factor"] == pytest.approx(wanted.factor, rel=1e-12)
    assert moved["false_alarms_per_miss"] == pytest.approx(wanted.false_alarms_per_miss, rel=1e-12)
    assert at_one["factor"] == pytest.approx(wanted.at_cost(looked).factor, rel=1e-12)


@given(unit=UNITS)
def test_what_a_unit_is_called(numbers, unit):
    given_ = asdict(unit)
    found = numbers(("unitHeading", given_), ("costVerb", given_), ("perCases", given_), ("costScale", given_))
    assert found == [unit.heading, unit.verb, unit.cases, unit.curve_scale]


@pytest.mark.parametrize("number", [0.0, 3.0, 750.0, 1234567.0, 12.5, 6.9999999999999, 0.25])
def test_counts(numbers, number):
    assert numbers(("count", number)) == [_wording.count(number)]


@pytest.mark.parametrize("cost", [0.0, 1e-4, 0.01, 0.05, 1 / 3, 0.35, 0.5, 0.6, 0.95, 0.999, 1.0])
def test_odds(numbers, cost):
    assert numbers(("oddsOf", cost)) == [_wording.odds_of(cost)]


@pytest.mark.parametrize(
    "ends", [(0.0, 1.0), (0.0, 0.2), (0.05, 0.2), (0.5, 0.5), (0.1, 0.1), (0.3, 0.9), (0.02, 0.0201)]
)
def test_exchanges_of_misses_and_false_alarms(numbers, ends):
    assert numbers(("exchange", *ends)) == [_wording.exchange(*ends)]


@given(score=st.one_of(st.sampled_from((0.0, 1.0, 0.07207, 1e-7, 0.99995, 0.12345, math.inf)), st.floats(1e-12, 1)))
def test_thresholds(numbers, score):
    assert numbers(("threshold", score)) == [_wording.threshold(score)]


@given(belief=ranges())
def test_beliefs_and_costs(numbers, belief):
    assert numbers(("belief", belief), ("costs", belief)) == [
        _wording.belief(belief),
        _decision.costs(Decision(belief)),
    ]


@pytest.mark.parametrize("belief", [At(0.1), Uniform(), Uniform(0.05, 0.2), LogOddsUniform(0.01, 0.3)])
def test_usual_beliefs_and_costs(numbers, belief):
    assert numbers(("belief", belief), ("costs", belief)) == [
        _wording.belief(belief),
        _decision.costs(Decision(belief)),
    ]


@pytest.mark.parametrize("capacity", [None, 1.0, 0.1, 0.0])
@pytest.mark.parametrize("precision", [None, 0.0, 0.3])
def test_limits(numbers, capacity, precision):
    limits = Limits(capacity=capacity, min_precision=precision)
    assert numbers(("limits", {"capacity": capacity, "min_precision": precision})) == [_wording.limits(limits)]

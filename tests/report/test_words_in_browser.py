"""The live report writes numbers and beliefs in the words that Python uses."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from report.agreement import ranges

from stakes import At, Limits, LogOddsUniform, Uniform, _wording
from stakes.evaluation import Decision, _decision

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
    found = numbers(("perThousand", share), ("percent", share), ("wholePercent", share))
    assert found == [_wording.per_thousand(share), _wording.percent(share), _wording.whole_percent(share)]


@given(share=st.floats(0, 1))
def test_any_share(numbers, share):
    found = numbers(("perThousand", share), ("percent", share), ("wholePercent", share))
    assert found == [_wording.per_thousand(share), _wording.percent(share), _wording.whole_percent(share)]


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

"""What a user states, and how it is refused."""

import pytest

from stakes import At, Beta, Decision, Limits, LogOddsUniform, Uniform


def test_words_and_numbers_are_read_as_beliefs():
    assert Decision("5%..20%", prevalence="logodds 1%..5%") == Decision(
        Uniform(0.05, 0.2), prevalence=LogOddsUniform(0.01, 0.05)
    )
    assert Decision(At(0.1), prevalence=0.02).prevalence == At(0.02)


def test_limits_that_limit_nothing_are_none():
    for limits in (
        Limits(),
        Limits(capacity="100%"),
        Limits(min_precision=0),
        Limits(capacity=1, min_precision=0),
        Limits.from_count(700, 600),
    ):
        assert Decision("10%", limits=limits) == Decision("10%")
    for limits in (
        Limits(capacity=1 - 1e-9),
        Limits(capacity=1, min_precision=1e-9),
        Limits(capacity=0),
        Limits(budget=1),
    ):
        assert Decision("10%", limits=limits).limits == limits


def test_the_range_of_the_costs_is_that_of_the_belief():
    assert Decision("5%..20%").cost_range == (0.05, 0.2)
    assert Decision("10%").cost_range == (0.1, 0.1)
    assert Decision(Beta(2, 8)).cost_range == (0.0, 1.0)


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (
            {"costs": "cheap"},
            ValueError,
            "`costs` must look like 10%, 0.1, 1:9, 5%..20%, 1:19..1:4, logodds 0.1%..2% or beta(2, 8), got 'cheap'.",
        ),
        ({"costs": 10}, ValueError, "`costs` must lie strictly between 0 and 1, got 10; 10% is 0.1."),
        (
            {"costs": (0.05, 0.2)},
            TypeError,
            "`costs` must be a belief, got (0.05, 0.2); for a range use `Uniform(low, high)`.",
        ),
        (
            {"costs": Uniform},
            TypeError,
            "`costs` must be a belief, got the class Uniform; write `Uniform(...)`.",
        ),
        (
            {"costs": "20%..5%"},
            ValueError,
            "`costs` must go from low to high, got '20%..5%'; write 5%..20%.",
        ),
        (
            {"costs": "10%", "prevalence": 0},
            ValueError,
            "`prevalence` must lie strictly between 0 and 1, got 0.",
        ),
        (
            {"costs": "10%", "prevalence": True},
            TypeError,
            "`prevalence` must be a belief, a number or words such as '5%..20%', got True.",
        ),
        (
            {"costs": "10%", "limits": 0.1},
            TypeError,
            "`limits` must be Limits(capacity=, min_precision=), got float.",
        ),
        (
            {"costs": "10%", "prevalence": "1%..5%", "limits": Limits(capacity=0.1)},
            ValueError,
            "`prevalence` must be one value where there are limits, such as `At(0.02)`, "
            "got Uniform(low=0.01, high=0.05); evaluate at the ends of the range one by one.",
        ),
    ],
)
def test_a_bad_statement_is_one_clear_sentence(arguments, error, message):
    with pytest.raises(error) as raised:
        Decision(**arguments)
    assert str(raised.value) == message

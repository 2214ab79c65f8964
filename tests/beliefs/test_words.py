"""From words to numbers and beliefs."""

import math

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from stakes import At, Beta, LogOddsUniform, Uniform, from_odds, parse_belief
from stakes.beliefs import cost_from_number_willing_to_treat, cost_proportion

laws = settings(deadline=None, max_examples=200)
positive = st.floats(1e-6, 1e6)


def refused(kind, function, *arguments, **keywords):
    """Return the message with which a call is refused."""
    with pytest.raises(kind) as caught:
        function(*arguments, **keywords)
    assert isinstance(caught.value, TypeError) == (kind is TypeError)
    return str(caught.value)


# ------------------------------------------------------------------------------------------- single numbers


def test_odds_are_not_a_percentage():
    """The two readings of "1.66 to 100" of the source paper."""
    assert round(from_odds(1.66, 100), 5) == 0.01633
    assert parse_belief("1.66%").value == 0.0166


@pytest.mark.parametrize(
    ("a", "b", "wanted"), [(1, 9, 0.1), (9, 1, 0.9), (0, 3, 0.0), (3, 0, 1.0), (1e308, 1e308, 0.5)]
)
def test_odds_become_a_probability(a, b, wanted):
    assert from_odds(a, b) == wanted


@laws
@given(positive, positive)
def test_the_two_sides_of_the_odds_share_one(a, b):
    assert from_odds(a, b) + from_odds(b, a) == pytest.approx(1, abs=1e-15)


@laws
@given(positive, positive)
def test_odds_are_what_a_probability_is_against_the_rest(a, b):
    chance = from_odds(a, b)
    assert chance / from_odds(b, a) == pytest.approx(a / b, rel=1e-14)


@pytest.mark.parametrize(
    ("kind", "arguments", "message"),
    [
        (ValueError, (0, 0), "`a` and `b` must not both be 0."),
        (ValueError, (-1, 2), "`a` must be finite and not negative, got -1."),
        (ValueError, (1, -2), "`b` must be finite and not negative, got -2."),
        (ValueError, (1, math.inf), "`b` must be finite and not negative, got inf."),
        (ValueError, (math.nan, 1), "`a` must be a number, got nan."),
        (TypeError, ("1", 9), "`a` must be a number, got '1'."),
        (TypeError, (1, None), "`b` must be a number, got None."),
        (TypeError, (True, 9), "`a` must be a number, got True."),
    ],
)
def test_odds_that_are_none_are_refused(kind, arguments, message):
    assert refused(kind, from_odds, *arguments) == message


def test_two_costs_become_a_cost_proportion():
    assert cost_proportion(false_positive=200, false_negative=1800) == 0.1
    assert cost_proportion(false_positive=1, false_negative=3) == 0.25
    assert cost_proportion(false_positive=1e308, false_negative=1e308) == 0.5


@laws
@given(positive, positive, st.integers(-20, 20))
def test_the_unit_of_the_costs_does_not_matter(alarm, miss, power):
    assert cost_proportion(false_positive=alarm, false_negative=miss) == cost_proportion(
        false_positive=alarm * 2.0**power, false_negative=miss * 2.0**power
    )


@pytest.mark.parametrize(
    ("kind", "costs", "message"),
    [
        (ValueError, (0, 3), "`false_positive` must be finite and greater than 0, got 0."),
        (ValueError, (3, 0), "`false_negative` must be finite and greater than 0, got 0."),
        (ValueError, (-1, 3), "`false_positive` must be finite and greater than 0, got -1."),
        (ValueError, (1, math.inf), "`false_negative` must be finite and greater than 0, got inf."),
        (ValueError, (1, math.nan), "`false_negative` must be a number, got nan."),
        (TypeError, ([1], 3), "`false_positive` must be a number, got [1]."),
        (TypeError, (False, 3), "`false_positive` must be a number, got False."),
    ],
)
def test_costs_that_are_none_are_refused(kind, costs, message):
    alarm, miss = costs
    assert refused(kind, lambda: cost_proportion(false_positive=alarm, false_negative=miss)) == message


@pytest.mark.parametrize(("n", "wanted"), [(20, 0.05), (2.5, 0.4), (1e6, 1e-6), (np.int64(8), 0.125)])
def test_who_would_act_on_n_people_to_help_one_has_a_cost_of_one_in_n(n, wanted):
    assert cost_from_number_willing_to_treat(n) == wanted


@laws
@given(st.floats(1.001, 1e6))
def test_helping_one_of_n_people_means_odds_of_one_to_the_others(n):
    assert cost_from_number_willing_to_treat(n) == pytest.approx(from_odds(1, n - 1), rel=1e-12)


@pytest.mark.parametrize(
    ("kind", "n", "message"),
    [
        (ValueError, 1, "`n` must be finite and greater than 1, got 1."),
        (ValueError, 0.5, "`n` must be finite and greater than 1, got 0.5."),
        (ValueError, -20, "`n` must be finite and greater than 1, got -20."),
        (ValueError, math.inf, "`n` must be finite and greater than 1, got inf."),
        (ValueError, math.nan, "`n` must be a number, got nan."),
        (TypeError, "20", "`n` must be a number, got '20'."),
    ],
)
def test_a_number_willing_that_is_none_is_refused(kind, n, message):
    assert refused(kind, cost_from_number_willing_to_treat, n) == message


# ------------------------------------------------------------------------------------------- a belief as text


@pytest.mark.parametrize(
    ("text", "belief"),
    [
        ("10%", At(0.1)),
        ("0.1", At(0.1)),
        ("1:9", At(0.1)),
        (".25", At(0.25)),
        ("2.5e-3", At(0.0025)),
        ("2.5E-3", At(0.0025)),
        ("25e-2%", At(0.0025)),
        ("1e2:9E+2", At(0.1)),
        ("1.5 : 4.5", At(0.25)),
        ("10 %", At(0.1)),
        ("5%..20%", Uniform(0.05, 0.2)),
        ("5%..0.2", Uniform(0.05, 0.2)),
        ("  5 %  ..  20 %  ", Uniform(0.05, 0.2)),
        ("5%\t..\n20%", Uniform(0.05, 0.2)),
        ("0.05..0.2", Uniform(0.05, 0.2)),
        (".05...2", Uniform(0.05, 0.2)),
        ("0..1", Uniform(0.0, 1.0)),
        ("0...5", Uniform(0.0, 0.5)),
        ("0%..100%", Uniform(0.0, 1.0)),
        ("1:3..3:1", Uniform(0.25, 0.75)),
        ("1e-6..1e-3", Uniform(1e-6, 1e-3)),
        ("1.66:100..3:100", Uniform(from_odds(1.66, 100), from_odds(3, 100))),
        ("logodds 0.1%..2%", LogOddsUniform(0.001, 0.02)),
        ("LogOdds   0.1% .. 2%", LogOddsUniform(0.001, 0.02)),
        ("LOGODDS0.1%..2%", LogOddsUniform(0.001, 0.02)),
        ("logodds 1:999..1:49", LogOddsUniform(0.001, 0.02)),
        ("beta(2, 8)", Beta(2, 8)),
        ("BETA ( 2.5,8e0 )", Beta(2.5, 8)),
        ("Beta(.5,3)", Beta(0.5, 3)),
    ],
)
def test_a_belief_is_read(text, belief):
    assert parse_belief(text) == belief


HELP = "`text` must look like 10%, 0.1, 1:9, 5%..20%, 1:19..1:4, logodds 0.1%..2% or beta(2, 8), got"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   ",
        "ten percent",
        "-0.1",
        "+0.1",
        "1,5%",
        "0.1.2",
        "1 0%",
        "5%-20%",
        "5%..",
        "..20%",
        "5%..10%..20%",
        "1:2:3",
        "1:9%",
        "1e",
        "nan",
        "inf",
        "0x1",
        "1_0%",
        "logodds 10%",
        "log odds 1%..2%",
        "beta(2)",
        "beta(2, 8, 3)",
        "beta(2%, 8)",
        "beta(-2, 8)",
        "uniform(0.1, 0.2)",
        "a\x00b",
        "10%\x1b[31m",
        "<script>alert('10%')</script>",
        "\ud800",
    ],
)
def test_what_is_no_belief_is_shown_with_examples(text):
    assert refused(ValueError, parse_belief, text) == f"{HELP} {text!r}."


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("120%", "`text` must lie strictly between 0 and 1, got 1.2."),
        ("0%", "`text` must lie strictly between 0 and 1, got 0."),
        ("1", "`text` must lie strictly between 0 and 1, got 1."),
        ("3:0", "`text` must lie strictly between 0 and 1, got 1."),
        ("1e999", "`text` must lie strictly between 0 and 1, got inf."),
        ("20%..5%", "`text` must go from low to high, got '20%..5%'; write 5%..20%."),
        ("5%...20%", "`text` must have two dots between its ends, got '5%...20%'."),
        ("5%..5%", "`low` must be less than `high`, got 0.05 for both; for a single value use `At(0.05)`."),
        ("5%..120%", "`high` must lie between 0 and 1, got 1.2."),
        ("5..20%", "`low` must lie between 0 and 1, got 5; 5% is 0.05."),
        ("logodds 0%..2%", "`low` must lie strictly between 0 and 1, got 0."),
        ("logodds 2%..100%", "`high` must lie strictly between 0 and 1, got 1."),
        ("logodds 2%..0%", "`high` must lie strictly between 0 and 1, got 0."),
        ("logodds 100%..2%", "`low` must lie strictly between 0 and 1, got 1."),
        ("logodds 2%..1%", "`text` must go from low to high, got 'logodds 2%..1%'; write 1%..2%."),
        ("beta(0, 8)", "`alpha` must be finite and greater than 0, got 0."),
        ("beta(2, 1e999)", "`beta` must be finite and greater than 0, got inf."),
        ("0:0", "`text` must hold odds that are finite and not both 0, got '0:0'."),
        ("1:9..1e999:1", "`text` must hold odds that are finite and not both 0, got '1e999:1'."),
    ],
)
def test_a_belief_that_cannot_be_is_refused_by_name(text, message):
    assert refused(ValueError, parse_belief, text) == message


@pytest.mark.parametrize(("text", "kind"), [(None, "NoneType"), (0.1, "float"), (b"10%", "bytes"), (["10%"], "list")])
def test_what_is_no_text_is_refused(text, kind):
    assert refused(TypeError, parse_belief, text) == f"`text` must be a string, got {kind}."


@pytest.mark.parametrize(
    "text",
    [
        "1" * 100_000 + "x",
        "1" + " " * 100_000 + "x",
        "logodds" + " " * 100_000 + "x",
        "beta(" + "1" * 100_000,
        "1." * 50_000,
        ".." * 50_000,
        ("1" * 20_000 + ":") * 3 + ".." + "1" * 20_000,
        "1" * 20_000 + ":" + "1" * 20_000 + ".." + "1" * 20_000 + ":" + "1" * 20_000 + "x",
    ],
    ids=["digits", "spaces", "word", "beta", "dots", "ranges", "colons", "odds"],
)
def test_a_very_long_text_is_refused_at_once_and_shortened(text):
    """At once: a grammar that can read a text in two ways would take years over these."""
    assert refused(ValueError, parse_belief, text) == f"{HELP} {text[:60]!r} (shortened)."


@pytest.mark.parametrize(("length", "shown"), [(60, repr("x" * 60)), (61, repr("x" * 60) + " (shortened)")])
def test_sixty_characters_are_shown_whole(length, shown):
    assert refused(ValueError, parse_belief, "x" * length) == f"{HELP} {shown}."


def test_a_very_long_number_is_still_a_number():
    assert parse_belief("0." + "1" * 100_000) == At(1 / 9)


pieces = st.sampled_from(
    [
        "beta",
        "logodds",
        "(",
        ")",
        ",",
        ":",
        "%",
        "..",
        ".",
        " ",
        "e",
        "e-",
        "0",
        "1",
        "2",
        "9",
        "0.1",
        "20",
        "1e999",
        "\n",
    ]
)


@laws
@given(st.text() | st.lists(pieces, max_size=12).map("".join))
@example("beta(1e-320,1e-320)")
@example("beta(1e300,1e300)")
@example("0..1e-320")
@example("٣%")
def test_any_text_is_a_belief_or_a_value_error(text):
    try:
        belief = parse_belief(text)
    except ValueError:
        return
    assert isinstance(belief, At | Uniform | LogOddsUniform | Beta)


@laws
@given(st.floats(1e-6, 0.4), st.floats(0.5, 1 - 1e-6))
def test_a_range_that_is_printed_is_read_back(low, high):
    assert parse_belief(f"{low!r}..{high!r}") == Uniform(low, high)
    assert parse_belief(f"logodds {low!r}..{high!r}") == LogOddsUniform(low, high)
    assert parse_belief(repr(low)) == At(low)


@laws
@given(positive, positive)
def test_a_beta_belief_that_is_printed_is_read_back(alpha, beta):
    assert parse_belief(f"beta({alpha!r}, {beta!r})") == Beta(alpha, beta)


@pytest.mark.parametrize("blank", [" ", "\t", "\n", "\x1f", "\u2003"])
def test_any_blank_is_a_blank(blank):
    assert parse_belief(f"1{blank}:{blank}9") == parse_belief("1:9")

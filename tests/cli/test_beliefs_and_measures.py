"""`stakes beliefs` and `stakes recommend`: what they print is what the library computes."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from stakes import At, Beta, Decision, Limits, LogOddsUniform, Uniform, parse_belief, recommend
from stakes.cli._picture import picture, quantile


def row(out, heading):
    """Return the numbers of a row of the table."""
    line = next(line for line in out.splitlines() if line.startswith(heading))
    return re.split(r"\s{2,}", line.removeprefix(heading).strip())


@pytest.mark.parametrize(
    ("text", "headings", "costs"),
    [
        ("10%", ["value"], [0.1]),
        ("1:9", ["value"], [0.1]),
        ("5%..20%", ["lowest", "middle", "highest"], [0.05, 0.125, 0.2]),
        ("1:19..1:4", ["lowest", "middle", "highest"], [0.05, 0.125, 0.2]),
        ("logodds 1%..50%", ["lowest", "middle", "highest"], [0.01, 1 / (1 + np.sqrt(99)), 0.5]),
        ("beta(2, 8)", ["5% below", "half below", "95% below"], stats.beta(2, 8).ppf([0.05, 0.5, 0.95])),
    ],
)
def test_a_belief_is_explained_by_its_ends_and_its_middle(text, headings, costs, stakes):
    ran = stakes("beliefs", text)
    assert (ran.code, ran.err) == (0, "")
    assert re.search(r"^ +" + r" +".join(headings) + r" *$", ran.out, re.MULTILINE)
    assert [float(threshold) for threshold in row(ran.out, "threshold for calibrated scores")] == pytest.approx(
        costs, rel=6e-3
    )
    people = [float(number) for number in row(ran.out, "people one would act on to help one")]
    assert people == pytest.approx([1 / cost for cost in costs], abs=0.5)
    alarms = [float(number) for number in row(ran.out, "false alarms that are as bad as a miss")]
    assert alarms == pytest.approx([1 / cost - 1 for cost in costs], abs=0.5)
    shares = [float(share.removesuffix("%")) for share in row(ran.out, "share of the cost of both mistakes")]
    assert shares == pytest.approx([100 * cost for cost in costs], rel=6e-3)
    assert f"In Python: {parse_belief(text)!r}" in ran.out


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        (
            "5%..20%",
            [
                "5%..20%: from 5% to 20%, uniform.",
                "As costs: a miss is as bad as 4 to 19 false alarms, "
                "and one would act on up to 5 to 20 people to help one.",
                "As a prevalence: one in 20 to one in 5 is positive.",
            ],
        ),
        (
            "1:1",
            [
                "1:1: 50%, for certain.",
                "As costs: a miss is as bad as 1 false alarm, and one would act on up to 2 people to help one.",
                "As a prevalence: one in 2 is positive.",
            ],
        ),
        (
            "logodds 0.1%..2%",
            [
                "logodds 0.1%..2%: from 0.1% to 2%, uniform in log-odds.",
                "As costs: a miss is as bad as 49 to 999 false alarms, "
                "and one would act on up to 50 to 1000 people to help one.",
                "As a prevalence: one in 1000 to one in 50 is positive.",
            ],
        ),
        (
            "0..1",
            [
                "0..1: from 0% to 100%, uniform.",
                "As costs: any exchange rate between misses and false alarms, "
                "and one would act on up to 1 to ∞ people to help one.",
                "As a prevalence: none to one in 1 is positive.",
            ],
        ),
    ],
)
def test_a_belief_is_said_in_sentences(text, sentences, stakes):
    said = " ".join(stakes("beliefs", *text.split()).out.split())
    for sentence in sentences:
        assert sentence in said


def test_a_belief_that_is_none_is_refused(refused):
    looks = "10%, 0.1, 1:9, 5%..20%, 1:19..1:4, logodds 0.1%..2% or beta(2, 8)"
    assert refused("beliefs") == f"`BELIEF` must look like {looks}, got ''."
    assert refused("beliefs", "much") == f"`BELIEF` must look like {looks}, got 'much'."


probabilities = st.floats(0.001, 0.999)


@given(st.sampled_from([Beta(2, 8), Uniform(0.05, 0.2), LogOddsUniform(0.001, 0.5)]), probabilities)
def test_a_quantile_has_that_share_below(belief, share):
    assert 1 - belief.share_above(quantile(belief, share)) == pytest.approx(share, abs=1e-9)


@given(st.lists(st.floats(0.002, 0.998), min_size=2, max_size=2, unique=True), st.integers(30, 100))
def test_a_picture_is_as_wide_as_asked_and_as_high_where_all_is_as_likely(ends, width):
    low, high = sorted(ends)
    lines = picture(Uniform(low, high), width)
    assert len(lines) == 7
    assert max(map(len, lines)) == width
    assert lines[0].count("\u2588") >= 1
    whole = [k for k, block in enumerate(lines[0]) if block == "\u2588"]
    assert whole == [*range(whole[0], whole[-1] + 1)]


def test_a_picture_of_one_value_is_a_single_column():
    lines = picture(At(0.1), 60)
    assert {line.strip() for line in lines[:5]} == {"\u2588"}
    assert lines[-1].split("  ")[0] == "0%"


# ------------------------------------------------------------------------------------------- recommend


@pytest.mark.parametrize(
    ("typed", "decision"),
    [
        (["--costs", "5%..20%"], Decision("5%..20%")),
        (["--costs", "1:9"], Decision("1:9")),
        (["--costs", "5%..20%", "--prevalence", "1%..3%"], Decision("5%..20%", prevalence="1%..3%")),
        (
            ["--costs", "1:9", "--capacity", "10%", "--min-precision", "30%"],
            Decision("1:9", limits=Limits(capacity=0.1, min_precision=0.3)),
        ),
    ],
)
def test_the_recommendation_is_that_of_the_library(typed, decision, stakes):
    ran = stakes("recommend", *typed)
    assert (ran.code, ran.err) == (0, "")
    made, said = recommend(decision), " ".join(ran.out.split())
    for sentence in (made.measure, made.reason, *made.assumptions.values()):
        assert " ".join(sentence.split()) in said

"""What is typed: lists of names, beliefs, shares; and one sentence for what cannot be used."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stakes import At, Beta, InputError, LogOddsUniform, Uniform, __version__
from stakes.cli._options import LISTS, ShareType, belief, spread

LOOKS = "10%, 0.1, 1:9, 5%..20%, 1:19..1:4, logodds 0.1%..2% or beta(2, 8)"

# ------------------------------------------------------------------------------------------- lists of names

names = st.lists(st.text("abc-. ", min_size=1).filter(lambda name: not name.startswith("-")), min_size=1, max_size=4)


@given(names)
def test_names_in_a_row_are_the_option_repeated(chosen):
    repeated = [word for name in chosen for word in ("--predictions", name)]
    assert spread(["--predictions", *chosen], LISTS) == repeated
    assert spread(repeated, LISTS) == repeated


@given(names, names)
def test_the_list_ends_at_the_next_option_and_goes_on_at_the_next_list(first, second):
    typed = ["--predictions", *first, "--costs", "10%", "--predictions", *second]
    expected = [
        *(word for name in first for word in ("--predictions", name)),
        "--costs",
        "10%",
        *(word for name in second for word in ("--predictions", name)),
    ]
    assert spread(typed, LISTS) == expected


@given(st.lists(st.sampled_from(["a", "-", "--x", "-y", "--model", "1"]), max_size=6))
def test_what_holds_no_list_is_left_alone(typed):
    assert spread(typed, LISTS) == typed


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        (["--predictions", "a", "b", "--", "c"], ["--predictions", "a", "--predictions", "b", "--", "c"]),
        (["--", "--predictions", "a", "b"], ["--", "--predictions", "a", "b"]),
        (["--predictions=a", "b"], ["--predictions=a", "b"]),
        (["x", "--predictions"], ["x", "--predictions"]),
        (["--predictions", "--costs", "1"], ["--predictions", "--costs", "1"]),
        (["--predictions", "-", "a"], ["--predictions", "-", "--predictions", "a"]),
        (
            ["--predictions", "a", "b", "--censoring-by", "c", "d", "--time", "e"],
            [
                *("--predictions", "a", "--predictions", "b"),
                *("--censoring-by", "c", "--censoring-by", "d"),
                "--time",
                "e",
            ],
        ),
    ],
)
def test_where_a_list_begins_and_ends(typed, expected):
    assert spread(typed, LISTS) == expected


# ------------------------------------------------------------------------------------------- beliefs and shares


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("10%", At(0.1)),
        ("1:9", At(0.1)),
        ("5%..20%", Uniform(0.05, 0.2)),
        ("logodds 0.1%..2%", LogOddsUniform(0.001, 0.02)),
        ("beta(2, 8)", Beta(2, 8)),
    ],
)
def test_a_belief_is_read_as_python_reads_it(text, expected):
    assert belief("--costs", text).belief == expected
    assert belief("--costs", text).text == text


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("lots", f"`--costs` must look like {LOOKS}, got 'lots'."),
        ("", f"`--costs` must look like {LOOKS}, got ''."),
        ("5", "`--costs` must lie strictly between 0 and 1, got 5; write 5% if percent is meant."),
        ("120%", "`--costs` must lie strictly between 0 and 1, got 1.2."),
        (
            "1/9",
            "`--costs` must look like 10%, 0.1, 1:9, 5%..20%, 1:19..1:4, logodds 0.1%..2% or beta(2, 8), got '1/9'; "
            "write odds as 1:9.",
        ),
        ("250", "`--costs` must lie strictly between 0 and 1, got 250."),
        ("0", "`--costs` must lie strictly between 0 and 1, got 0."),
        ("1:0", "`--costs` must lie strictly between 0 and 1, got 1."),
        ("0:0", "`--costs` must hold odds that are finite and not both 0, got '0:0'."),
        ("5..20", "`low` of `--costs` must lie between 0 and 1, got 5; write 5%..20% if percent is meant."),
        ("5..20%", "`low` of `--costs` must lie between 0 and 1, got 5; write 5%..20% if percent is meant."),
        ("0.5..20", "`high` of `--costs` must lie between 0 and 1, got 20; write 0.5%..20% if percent is meant."),
        ("20%..5%", "`--costs` must go from low to high, got '20%..5%'; write 5%..20%."),
        ("10%..10%", "`low` of `--costs` must be less than `high`, got 0.1 for both; for a single value write 10%."),
        ("logodds 0%..2%", "`low` of `--costs` must lie strictly between 0 and 1, got 0."),
        ("beta(0, 8)", "`alpha` of `--costs` must be finite and greater than 0, got 0."),
        ("beta(2, 0)", "`beta` of `--costs` must be finite and greater than 0, got 0."),
        ("logodds", f"`--costs` must look like {LOOKS}, got 'logodds'; put a belief with spaces in quotation marks."),
        ("5%-20%", f"`--costs` must look like {LOOKS}, got '5%-20%'; write two dots between the ends of a range."),
        (
            "5% to 20%",
            f"`--costs` must look like {LOOKS}, got '5% to 20%'; write two dots between the ends of a range.",
        ),
    ],
)
def test_a_bad_belief_is_refused_with_what_to_type_instead(text, message, refused):
    assert refused("recommend", "--costs", text) == message


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("10%", 0.1),
        ("0.1", 0.1),
        (".1", 0.1),
        ("30/200", 0.15),
        ("12.5 %", 0.125),
        ("0", 0.0),
        ("1", 1.0),
        ("3 / 4", 0.75),
    ],
)
def test_a_share_is_a_percentage_a_number_or_a_fraction(text, expected):
    assert ShareType().convert(text, None, None) == expected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("many", "`--capacity` must look like 10%, 0.1 or 30/200, got 'many'."),
        ("-1", "`--capacity` must look like 10%, 0.1 or 30/200, got '-1'."),
        ("10", "`--capacity` must lie between 0 and 1, got 10; write 10% if percent is meant."),
        ("150%", "`--capacity` must lie between 0 and 1, got 1.5."),
        ("200", "`--capacity` must lie between 0 and 1, got 200; for 200 of 20,000 cases write 200/20000."),
        ("1/0", "`--capacity` must lie between 0 and 1, got inf."),
    ],
)
def test_a_bad_share_is_refused(text, message, refused):
    assert refused("recommend", "--costs", "10%", "--capacity", text) == message


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        (["--prevalence", "0"], "`--prevalence` must lie strictly between 0 and 1, got 0."),
        (["--prevalence", "100%"], "`--prevalence` must lie strictly between 0 and 1, got 1."),
        (["--prevalence", "5%..1%"], "`--prevalence` must go from low to high, got '5%..1%'; write 1%..5%."),
        (
            ["--prevalence", "2%..2%"],
            "`low` of `--prevalence` must be less than `high`, got 0.02 for both; for a single value write 2%.",
        ),
        (["--min-precision", "2"], "`--min-precision` must lie between 0 and 1, got 2; write 2% if percent is meant."),
        (["--min-precision", "110%"], "`--min-precision` must lie between 0 and 1, got 1.1."),
    ],
)
def test_a_world_that_cannot_be_is_refused(typed, message, refused):
    assert refused("recommend", "--costs", "10%", *typed) == message
    assert refused("evaluate", "unread.csv", "--costs", "10%", *typed) == message


def test_a_level_may_not_reach_the_ends():
    with pytest.raises(InputError, match=r"`value` must lie strictly between 0 and 1, got 1\."):
        ShareType(open_ends=True).convert("1", None, None)


def test_limits_need_one_prevalence(refused):
    message = "`--prevalence` must be one value where there are limits, such as 2%, got 1%..5%; "
    typed = ("--costs", "1%..5%", "--prevalence", "1%..5%", "--capacity", "10%")
    assert refused("recommend", *typed) == message + "evaluate at the ends of the range one by one."


# ------------------------------------------------------------------------------------------- commands and options


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        (["evalute"], "there is no command evalute; perhaps evaluate is meant."),
        (
            ["data.csv", "--outcome", "y"],
            "`command` must be one of watch, columns, evaluate, demo, plan, page, beliefs, recommend, got 'data.csv'; "
            "for a file write stakes evaluate FILE.",
        ),
        (["--verson"], "there is no option --verson; perhaps --version is meant."),
        (
            ["recommend", "--cots", "10%"],
            "there is no option --cots; perhaps --costs is meant.",
        ),
        (
            ["recommend", "--xyz", "10%"],
            "`option` must be one of --capacity, --costs, --actions, --prevalence, --min-precision, got '--xyz'.",
        ),
        (["recommend", "--costs"], "`--costs` must have a value, got none."),
        (["demo", "--quiet=yes"], "`--quiet` must stand alone, got a value."),
        (["plan", "scores.csv", "--json", "plan.json"], "`--json` must stand alone, got a value."),
        (
            ["demo", "10%", "20%"],
            "`demo` must be given BELIEF and options only, got '20%' as well; put what has spaces in quotation marks.",
        ),
        (
            ["recommend"],
            "`--costs` must give the cost of a false alarm as a share of that of one false alarm plus one miss, "
            "such as 5%..20% (`stakes beliefs 5%..20%` explains it), got none.",
        ),
        (["evaluate", "x.csv", "--seed", "-1"], "`--seed` must be a whole number of at least 0, got '-1'."),
        (["evaluate", "x.csv", "--seed", "x"], "`--seed` must be a whole number of at least 0, got 'x'."),
        (["evaluate", "x.csv", "--folds", "1"], "`--folds` must be a whole number of at least 2, got '1'."),
        (["evaluate", "x.csv", "--in-memory", "1e6"], "`--in-memory` must be a whole number of at least 0, got '1e6'."),
        (["evaluate", "x.csv", "--level", "0"], "`--level` must lie strictly between 0 and 1, got 0."),
    ],
)
def test_what_cannot_be_read_is_answered_in_a_sentence(typed, message, refused):
    assert refused(*typed) == message


@pytest.mark.parametrize("typed", [[], ["--help"], ["-h"]])
def test_without_a_command_there_is_help(typed, stakes):
    ran = stakes(*typed)
    assert ran.code == 0
    assert ran.out.startswith("Usage: stakes [OPTIONS]")
    assert [line.split()[0] for line in ran.out.partition("Commands:\n")[2].splitlines()] == [
        "demo",
        "evaluate",
        "plan",
        "watch",
        "page",
        "columns",
        "beliefs",
        "recommend",
    ]


@pytest.mark.parametrize("command", ["demo", "evaluate", "plan", "watch", "page", "columns", "beliefs", "recommend"])
def test_the_help_of_a_command_teaches_by_examples_that_fit(command, stakes):
    ran = stakes(command, "--help")
    assert (ran.code, ran.err) == (0, "")
    examples = [line for line in ran.out.splitlines() if line.strip().startswith(f"stakes {command}")]
    assert len(examples) >= 3
    assert max(map(len, ran.out.splitlines())) <= 100


def test_the_version_is_that_of_the_package(stakes):
    assert stakes("--version") == (0, f"stakes {__version__}\n", "")

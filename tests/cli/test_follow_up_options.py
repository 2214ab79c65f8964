"""Outcomes by a horizon on the command line: times and events in place of outcomes."""

import gzip
import json
from pathlib import Path

import numpy as np
import polars as pl
import pyreadstat
import pytest

from stakes import Decision, EventBy, Limits, evaluate
from stakes.datasets import load_follow_up
from stakes.outcome import CensoringBy, CoxCensoring

COSTS = ("--costs", "20%..40%")
BY_CODE = ("--time", "years", "--event", "status", "--horizon", "5")
MODELS = ("--predictions", "old", "new")


def columns(size=90, seed=4):
    rng = np.random.default_rng(seed)
    event = rng.integers(0, 3, size)
    time = rng.integers(1, 9, size).astype(float)
    time[:8], event[:8] = 9.0, 0
    return {
        "years": time,
        "status": event,
        "ended": np.array(["alive", "relapse", "died"])[event],
        "came": np.where(np.arange(size) < 8, 0.0, time / 4),
        "site": np.array(["north", "south"])[np.arange(size) % 2],
        "age": rng.integers(40, 80, size).astype(float),
        "old": rng.integers(1, 20, size) / 20,
        "new": rng.integers(1, 20, size) / 20,
    }


GIVEN = columns()
PREDICTIONS = {model: GIVEN[model] for model in ("old", "new")}


@pytest.fixture
def file(folder):
    pl.DataFrame(GIVEN).write_csv("cases.csv")
    return "cases.csv"


def ranked(ran):
    assert ran.code == 0, ran.err
    return [(row["model"], row["regret"], row["lower"], row["upper"]) for row in json.loads(ran.out)["ranking"]]


def wanted(outcome, **more):
    rows = evaluate(outcome, PREDICTIONS, "20%..40%", **more).ranking
    return [(row.model, row.regret.estimate, row.regret.lower, row.regret.upper) for row in rows]


@pytest.mark.sample(3)
@pytest.mark.parametrize(
    ("typed", "outcome"),
    [
        (BY_CODE, {"event": GIVEN["status"]}),
        ((*BY_CODE, "--cause", "2"), {"event": GIVEN["status"], "cause": 2}),
        (
            ("--time", "years", "--event", "ended", "--horizon", "5", "--cause", "Relapse", "--censored", "alive"),
            {"event": GIVEN["status"]},
        ),
        ((*BY_CODE, "--entry", "came"), {"event": GIVEN["status"], "entry": GIVEN["came"]}),
        ((*BY_CODE, "--censoring-by", "site"), {"event": GIVEN["status"], "censoring": CensoringBy(GIVEN["site"])}),
        (
            (*BY_CODE, "--censoring-cox", "age", "old"),
            {
                "event": GIVEN["status"],
                "censoring": CoxCensoring(np.column_stack([GIVEN["age"], GIVEN["old"]])),
            },
        ),
    ],
    ids=["codes", "another cause", "labels", "entry", "strata", "covariates"],
)
def test_the_command_gives_the_numbers_of_the_arrays(stakes, file, typed, outcome):
    found = ranked(stakes("evaluate", file, *typed, *MODELS, *COSTS, "--json", "-"))
    assert found == wanted(EventBy(GIVEN["years"], horizon=5, **outcome))


def write_stata(frame, name):
    labels = {"status": {0: "alive", 1: "relapse", 2: "died"}}
    pyreadstat.write_dta(frame.drop("ended").to_pandas(), name, variable_value_labels=labels)


WRITERS = {
    "cases.tsv": lambda frame, name: frame.write_csv(name, separator="\t"),
    "cases.csv.gz": lambda frame, name: Path(name).write_bytes(gzip.compress(frame.write_csv().encode())),
    "cases.parquet": lambda frame, name: frame.write_parquet(name),
    "cases.arrow": lambda frame, name: frame.write_ipc(name, compression="uncompressed"),
    "cases.dta": write_stata,
}


@pytest.mark.slow
@pytest.mark.sample(4)
@pytest.mark.parametrize("name", WRITERS)
def test_every_kind_of_file_is_read(stakes, folder, name):
    WRITERS[name](pl.DataFrame(GIVEN), name)
    found = ranked(stakes("evaluate", name, *BY_CODE, *MODELS, *COSTS, "--json", "-"))
    assert found == wanted(EventBy(GIVEN["years"], GIVEN["status"], 5))


@pytest.mark.slow
@pytest.mark.parametrize("typed", [("--cause", "relapse"), ("--cause", "RELAPSE", "--censored", "alive")])
def test_codes_are_named_by_their_labels(stakes, folder, typed):
    write_stata(pl.DataFrame(GIVEN), "cases.dta")
    found = ranked(stakes("evaluate", "cases.dta", *BY_CODE, *typed, *MODELS, *COSTS, "--json", "-"))
    assert found == wanted(EventBy(GIVEN["years"], GIVEN["status"], 5))


@pytest.mark.parametrize("engine", ["duckdb", "polars"])
def test_an_engine_may_read_the_file(stakes, file, engine):
    typed = (*BY_CODE, "--censoring-by", "site", "--group", "site", "--engine", engine)
    found = ranked(stakes("evaluate", file, *typed, *MODELS, *COSTS, "--json", "-"))
    censoring = CensoringBy(GIVEN["site"])
    numbers = wanted(EventBy(GIVEN["years"], GIVEN["status"], 5, censoring=censoring), group=GIVEN["site"])
    for one, other in zip(found, numbers, strict=True):
        assert one[0] == other[0]
        assert one[1:] == pytest.approx(other[1:])


def test_the_first_lines_state_the_risk_and_who_is_unknown(stakes, file):
    ran = stakes("evaluate", file, *BY_CODE, *MODELS, *COSTS)
    outcome = EventBy(GIVEN["years"], GIVEN["status"], 5)
    numbers = outcome.positive.sum(), outcome.competing.sum(), len(outcome) - outcome.known.sum()
    free = len(outcome) - sum(numbers)
    said = " ".join(ran.out.split())
    assert (
        f"90 cases followed; within 5 years, {numbers[0]} had the event ({outcome.risk:.0%}, Aalen-Johansen), "
        f"{numbers[1]} another event first, {free} are known to be free of it, {numbers[2]} left before: unknown"
    ) in said


@pytest.mark.sample(3)
@pytest.mark.parametrize("role", ["years", "status", "came", "site", "age", "old"])
def test_cases_that_miss_a_value_are_refused_or_dropped(stakes, refused, folder, role):
    column = GIVEN[role].astype(object).tolist()
    column[10] = column[20] = None
    pl.DataFrame(GIVEN | {role: column}).write_csv("cases.csv")
    more = {"came": ("--entry", "came"), "site": ("--censoring-by", "site"), "age": ("--censoring-cox", "age")}
    typed = ("evaluate", "cases.csv", *BY_CODE, *more.get(role, ()), *MODELS, *COSTS)
    names = {"years": "`--time`", "status": "`--event`", "came": "`--entry`"}
    names |= {"site": "`site` of `--censoring-by`", "age": "`age` of `--censoring-cox`"}
    if role != "old":  # cases without a score are dropped unasked
        hint = "`--on-missing drop` drops such rows"
        text = f"{names[role]} must not have missing values, got 2 missing values, the first at line 12; {hint}."
        assert refused(*typed) == text
    ran = stakes(*typed, "--on-missing", "drop")
    assert ran.out.count("88 cases followed") == 1


SCORED = ("evaluate", "cases.csv", *MODELS, *COSTS)


@pytest.mark.sample(11)
@pytest.mark.parametrize(
    ("typed", "message"),
    [
        (
            ("--outcome", "status", *BY_CODE),
            "`--outcome` and `--time` must not both be given, got both; with `--time` leave out `--outcome`.",
        ),
        (
            ("--time", "years"),
            "`--event` and `--horizon` must be given, got none of them; "
            "`--time`, `--event` and `--horizon` state an outcome together.",
        ),
        (
            ("--event", "status", "--horizon", "5"),
            "`--time` must be given, got none; `--time`, `--event` and `--horizon` state an outcome together.",
        ),
        (
            ("--outcome", "status", "--cause", "1"),
            "`--outcome` and `--cause` must not both be given, got both; with `--time` leave out `--outcome`.",
        ),
        (
            (*BY_CODE, "--pos-label", "1"),
            "`--pos-label` must be left out with `--time`, got '1'; name the label of the event with `--cause`.",
        ),
        (
            (*BY_CODE[:-1], "9.5"),
            "`--horizon` must be within follow-up: the last case is censored at 9, got 9.5.",
        ),
        ((*BY_CODE[:-1], "0"), "`--horizon` must be finite and greater than 0, got 0."),
        ((*BY_CODE[:-1], "inf"), "`--horizon` must be finite and greater than 0, got inf."),
        ((*BY_CODE[:-1], "nan"), "`--horizon` must be a number, got nan."),
        ((*BY_CODE[:-1], "five"), "`--horizon` must be a number, in the unit of `--time`, got 'five'."),
        (
            ("--time", "years", "--event", "age", "--horizon", "5", "--censored", "died"),
            "`--censored` must be a number where the codes of `--event` are, got 'died'.",
        ),
        (
            ("--time", "years", "--event", "old", "--horizon", "5", "--predictions", "new"),
            "`--predictions` must name a column of its own, got 'old' for `--event` too.",
        ),
        (
            ("--time", "years", "--event", "ended", "--horizon", "5"),
            "`--cause` must be one of the labels of `--event` ('alive', 'died', 'relapse'), got 1.",
        ),
        (
            ("--time", "years", "--event", "ended", "--horizon", "5", "--cause", "relapse"),
            "`--censored` must be one of the labels of `--event` ('alive', 'died', 'relapse'), got 0.",
        ),
        (
            ("--time", "years", "--event", "ended", "--horizon", "5", "--cause", "died", "--censored", "died"),
            "`--cause` and `--censored` must be different labels, got 'died' for both.",
        ),
        (
            (*BY_CODE, "--censored", "2"),
            "`--censored` must be 0 where `--event` has the code 0, got 2.",
        ),
        (
            (*BY_CODE, "--entry", "age"),
            "`--entry` must be before the end of follow-up at 9, got {age:g} at line 2.",
        ),
        (
            (*BY_CODE, "--entry", "came", "--censoring-by", "site"),
            "`--entry` and `--censoring-by` must not be given together, got both.",
        ),
        (
            (*BY_CODE, "--censoring-cox", "site"),
            "cases.csv must have numbers in column `site`, got 'north' at line 2; "
            "if it marks a missing value, state it with `--missing`.",
        ),
        (
            (*BY_CODE, "--censoring-by", "sites"),
            "cases.csv: `--censoring-by` must be one of site, status, years, age, new, came, ended, old, got 'sites'.",
        ),
        (
            (*BY_CODE, "--in-memory", "10"),
            "`--in-memory` must be at least the number of cases where outcomes are censored, got 10; "
            "the chance of still being followed is estimated from all cases.",
        ),
        ((*BY_CODE, "--repeat", "site"), "`--repeat` must be left out with `--time`, got one."),
    ],
)
def test_what_cannot_be_meant_is_refused_in_one_sentence(refused, file, typed, message):
    kept = SCORED if "--predictions" not in typed else ("evaluate", "cases.csv", "--predictions", "old", *COSTS)
    assert refused(*kept, *typed) == message.format(age=GIVEN["age"][0])


@pytest.mark.parametrize(
    ("column", "value", "message"),
    [
        ("years", -1.0, "`--time` must be finite and not negative, got -1 at line 12."),
        ("years", float("inf"), "`--time` must be finite and not negative, got inf at line 12."),
        ("status", 1.5, "`--event` must be 0, 1, 2, ..., got 1.5 at line 12."),
        ("status", -1, "`--event` must be 0, 1, 2, ..., got -1 at line 12."),
    ],
)
def test_a_value_that_cannot_be_has_its_line(refused, folder, column, value, message):
    given = GIVEN[column].astype(float)
    given[10] = value
    pl.DataFrame(GIVEN | {column: given}).write_csv("cases.csv")
    assert refused(*SCORED, *BY_CODE) == message


def test_a_risk_set_that_empties_is_refused_with_its_time(refused, folder):
    time, entry = np.array([1.0, 2.0, 5.0, 6.0]), np.array([0.0, 0.0, 3.0, 3.0])
    scores = {"old": [0.1, 0.2, 0.3, 0.4], "new": [0.1, 0.2, 0.3, 0.4]}
    pl.DataFrame({"years": time, "status": [1, 0, 1, 0], "came": entry, **scores}).write_csv("cases.csv")
    said = refused(*SCORED, *BY_CODE, "--entry", "came")
    assert said == "`--entry` must leave somebody at risk at every time before the horizon 5, got nobody after 2."


def test_the_demo_of_follow_up_ranks_the_bundled_cohort(stakes, folder):
    ran = stakes("demo", "--survival")
    assert ran.code == 0
    said = " ".join(ran.out.split())
    assert (
        "750 cases followed; within 1.5 years, 91 had cancer (21%, Aalen-Johansen), 52 another event first, 123" in said
    )
    assert said.startswith("Which of 3 models for cancer within 1.5 years should decide, if a false alarm accounts")
    assert "484 left before: unknown Use prediction model. Act from 10%." in said
    assert "stakes evaluate FILE --time COLUMN --event COLUMN --horizon 5" in said
    assert "How far they were followed" in Path("stakes-demo.html").read_text(encoding="utf-8")


def test_the_demo_is_what_its_columns_give(stakes, folder):
    cohort = load_follow_up()
    labels = {"cause": "diagnosed with cancer", "censored": "censor"}
    outcome = EventBy(cohort["ttcancer"], cohort["cancer_cr"], 1.5, **labels)
    found = evaluate(outcome, {"m": cohort["cancerpredmarker"]}, "5%..20%").best.regret
    rows = json.loads(stakes("demo", "--survival", "--json", "-").out)["ranking"]
    assert (rows[0]["model"], rows[0]["regret"]) == ("prediction model", found.estimate)


SEVERAL = ("--time", "years", "--event", "status", "--horizon", "2,5")


def test_several_horizons_have_a_column_of_predictions_each(stakes, file):
    found = ranked(stakes("evaluate", file, *SEVERAL, "--predictions", "old,new", "new,old", *COSTS, "--json", "-"))
    scores = {"old,new": ("old", "new"), "new,old": ("new", "old")}
    given = {model: np.column_stack([GIVEN[column] for column in both]) for model, both in scores.items()}
    rows = evaluate(EventBy(GIVEN["years"], GIVEN["status"], [2, 5]), given, "20%..40%").ranking
    assert found == [(row.model, row.regret.estimate, row.regret.lower, row.regret.upper) for row in rows]


def test_several_horizons_are_printed_and_reported(stakes, file):
    ran = stakes("evaluate", file, *SEVERAL, "--predictions", "old,new", *COSTS, "--html", "report.html")
    assert ran.code == 0
    given = {"old,new": np.column_stack([GIVEN["old"], GIVEN["new"]])}
    found = evaluate(EventBy(GIVEN["years"], GIVEN["status"], [2, 5]), given, "20%..40%")
    page, printed = Path("report.html").read_text(encoding="utf-8"), " ".join(ran.out.split())
    assert "At each horizon" in page
    for one in found.horizons.values():
        cost = found.unit.number(one.regret["old,new"].estimate)
        assert f">{cost} (" in page
        assert cost in printed.split("Intervals are 95%.")[1]


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        (
            ("--predictions", "old"),
            "`--predictions old` must name a column for each of the 2 horizons, such as m1,m3,m5, got 1.",
        ),
        (
            ("--predictions", "old,nw"),
            "cases.csv: `--predictions` must be one of new, ended, years, status, came, site, age, old, got 'nw'.",
        ),
    ],
)
def test_predictions_at_several_horizons_are_checked(refused, file, typed, message):
    assert refused("evaluate", file, *SEVERAL, *typed, *COSTS) == message


def test_horizons_ascend(refused, file):
    typed = ("--time", "years", "--event", "status", "--horizon", "5,2", "--predictions", "old,new")
    assert refused("evaluate", file, *typed, *COSTS) == "`--horizon` must ascend, got 2 after 5."


@pytest.mark.parametrize(
    ("typed", "limits", "more"),
    [
        (("--capacity", "30%"), Limits(capacity=0.3), {}),
        (("--min-precision", "30%"), Limits(min_precision=0.3), {}),
        (("--folds", "3"), None, {"folds": 3}),
    ],
    ids=["capacity", "precision", "folds"],
)
@pytest.mark.usefixtures("few_replicates")
def test_limits_and_folds_hold_at_several_horizons(stakes, file, typed, limits, more):
    several = ("evaluate", file, *SEVERAL, "--predictions", "old,new", "new,old", *COSTS, "--seed", "7")
    found = ranked(stakes(*several, *typed, "--json", "-"))
    given = {
        "old,new": np.column_stack([GIVEN["old"], GIVEN["new"]]),
        "new,old": np.column_stack([GIVEN["new"], GIVEN["old"]]),
    }
    outcome = EventBy(GIVEN["years"], GIVEN["status"], [2, 5])
    rows = evaluate(outcome, given, Decision("20%..40%", limits=limits), rng=7, **more).ranking
    assert found == [(row.model, row.regret.estimate, row.regret.lower, row.regret.upper) for row in rows]


@pytest.mark.sample(3)
@pytest.mark.parametrize(
    ("typed", "option", "got"),
    [
        (("--prevalence", "10%"), "--prevalence", "one"),
        (("--harm", "old,new=0.01"), "--harm", "'old,new': 0.01"),
    ],
)
def test_what_several_horizons_leave_open_is_refused_and_one_is_taken(refused, stakes, file, typed, option, got):
    said = refused("evaluate", file, *SEVERAL, "--predictions", "old,new", *COSTS, *typed)
    several = "several horizons" if option == "--harm" else "several horizons (2, 5)"
    hint = "evaluate each horizon by itself, with `--horizon 5 --predictions new`"
    assert said == f"`{option}` must be left out with {several}, got {got}; {hint}."
    one = ("--time", "years", "--event", "status", "--horizon", "5", "--predictions", "new", *COSTS)
    typed = tuple(part.replace("old,new", "new") for part in typed)
    assert stakes("evaluate", file, *one, *typed).code == 0


def test_of_many_models_three_are_named(refused, file):
    said = refused(
        "evaluate",
        file,
        *SEVERAL,
        "--predictions",
        "old,new",
        "new,old",
        "old,old",
        "new,new",
        *COSTS,
        "--prevalence",
        "10%",
    )
    assert said.endswith("with `--horizon 5 --predictions new old old ...`.")


def test_a_policy_of_several_horizons_is_refused_first(refused, file):
    said = refused("evaluate", file, *SEVERAL, "--predictions", "old,new", *COSTS, "--policy", "rule.json")
    wanted = "`--policy` must be left out with several horizons (2, 5), got 'rule.json'; "
    assert said == wanted + "evaluate the horizon that is decided by, with `--horizon 5`."


@pytest.mark.filterwarnings("default")
def test_a_warning_is_one_line_without_a_place_in_the_code(stakes, folder):
    given = GIVEN | {"status": np.where(GIVEN["status"] == 0, 1, 2)}  # as R's `Surv` has them
    pl.DataFrame(given).write_csv("cases.csv")
    ran = stakes("evaluate", "cases.csv", *BY_CODE, *MODELS, *COSTS)
    assert ran.code == 0
    (line,) = ran.err.splitlines()
    assert line.startswith("stakes: `--event` is 1 or 2 and never 0, so that nobody is censored")
    assert line.endswith("name them: `--cause` 2 and `--censored` 1.")
    ran = stakes("evaluate", "cases.csv", *BY_CODE, "--cause", "7", *MODELS, *COSTS)
    assert ran.err == "stakes: `--cause` 7 never occurs in `--event`: the risk is 0.\n"

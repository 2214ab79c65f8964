"""Files with more cases than are read into memory, and other engines: the same answer, said to be found otherwise."""

import json
import sys

import pandas as pd
import pytest

from stakes._roles import DROP_HINT_TYPED as DROP
from stakes.cli import _reading

MODELS = ("--outcome", "died", "--predictions", "old", "new")
COST = ("--costs", "5%..20%")
STREAMED = ("--in-memory", "0")
NOTE = "The file was streamed, a piece at a time: it has more than 0 cases."


@pytest.fixture
def numbers(stakes):
    """Type a command and return the numbers it gives."""

    def type_in(*typed):
        ran = stakes("evaluate", "--json", "-", *typed)
        assert (ran.code, ran.err) == (0, "")
        return json.loads(ran.out)

    return type_in


def same(found, wanted):
    """Whether two evaluations have the same ranking and groups, to rounding."""
    for part in ("ranking", "groups"):
        for row, other in zip(found[part], wanted[part], strict=True):
            near(row, other)
    near(found["sample"], wanted["sample"])


def near(found, wanted):
    """Whether numbers are near those that are wanted, and everything else is equal."""
    assert list(found) == list(wanted)
    for key, value in wanted.items():
        if isinstance(value, dict):
            near(found[key], value)
        else:
            assert found[key] == (pytest.approx(value, rel=1e-5, abs=1e-8) if isinstance(value, float) else value), key


# ------------------------------------------------------------------------------------------- streamed files


@pytest.mark.sample(4)
@pytest.mark.parametrize(
    "typed",
    [
        (),
        ("--weight", "w"),
        ("--group", "site"),
        ("--prevalence", "2%..5%"),
        ("--level", "80%"),
        ("--pos-label", "1.0"),
    ],
)
def test_a_streamed_file_has_the_same_numbers(typed, numbers, scores):
    same(numbers(scores, *MODELS, *COST, *typed, *STREAMED), numbers(scores, *MODELS, *COST, *typed))


@pytest.mark.sample(4)
@pytest.mark.parametrize("labels", [("no", "yes"), ("1", "2"), ("False", "TRUE")])
@pytest.mark.parametrize("written", ["csv", "parquet"])
def test_labels_of_a_streamed_file_may_be_typed_in_any_way_too(labels, written, numbers, folder, sample):
    frame = pd.DataFrame(sample | {"died": [labels[y] for y in sample["died"]]})
    frame.to_csv(folder / "scores", index=False) if written == "csv" else frame.to_parquet(folder / "scores")
    typed = ("scores", *MODELS, *COST, "--pos-label", labels[1].capitalize())
    same(numbers(*typed, *STREAMED), numbers(*typed))


def test_it_is_said_that_a_file_was_streamed_and_when_not(stakes, scores):
    assert NOTE in stakes("evaluate", scores, *MODELS, *COST, *STREAMED).out
    assert NOTE.replace("0 cases", "119 cases") in stakes("evaluate", scores, *MODELS, *COST, "--in-memory", "119").out
    assert "streamed" not in stakes("evaluate", scores, *MODELS, *COST, "--in-memory", "120").out


@pytest.mark.slow
def test_models_are_compared_on_the_cases_that_all_have_a_score_for_also_when_streamed(numbers, folder, sample):
    sample["old"][3] = sample["new"][5] = None
    pd.DataFrame(sample).to_csv(folder / "scores.csv", index=False)
    found = numbers("scores.csv", *MODELS, *COST, *STREAMED)
    assert (found["sample"]["cases"], found["sample"]["dropped"]) == (118, 2)
    same(found, numbers("scores.csv", *MODELS, *COST))


@pytest.mark.slow
def test_limits_on_a_streamed_file_need_a_column_that_tells_cases_apart(numbers, refused, folder, sample):
    pd.DataFrame(sample | {"number": range(120)}).to_csv(folder / "scores.csv", index=False)
    typed = ("scores.csv", *MODELS, *COST, "--capacity", "20%", *STREAMED)
    message = (
        "`--key` must name the column that tells cases apart, where intervals are resampled and there are more cases "
        "than `--in-memory` allows, got none."
    )
    assert refused("evaluate", *typed) == message
    found = numbers(*typed, "--key", "number")
    assert [row["model"] for row in found["ranking"]] == ["new", "old", "act on no one"]


@pytest.mark.sample(3)
@pytest.mark.parametrize(
    ("column", "value", "message"),
    [
        ("died", 2, "`--outcome` must be 0 or 1, got 2 in 1 row, at line 18."),
        ("died", None, f"`--outcome` must not have missing values, got 1 missing value, at line 18; {DROP}."),
        ("old", 1.5, "`--predictions old` must be a probability between 0 and 1, got 1.5 in 1 row, at line 18."),
        (
            "new",
            "high",
            "scores.csv must have numbers in column `new`, got 'high' at line 18; "
            "if it marks a missing value, state it with `--missing`.",
        ),
        ("w", -1.0, "`--weight` must be finite and not negative, got -1 in 1 row, at line 18."),
        ("w", None, f"`--weight` must not have missing values, got 1 missing value, at line 18; {DROP}."),
    ],
)
def test_a_bad_value_in_a_streamed_file_is_named_with_its_line(column, value, message, folder, sample, refused):
    sample[column][16] = value
    pd.DataFrame(sample).to_csv(folder / "scores.csv", index=False)
    typed = ("scores.csv", *MODELS, *COST, "--weight", "w", "--group", "site", *STREAMED)
    assert refused("evaluate", *typed, "--html", "report.html") == message
    assert [path.name for path in folder.iterdir()] == ["scores.csv"]


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        (
            ("--outcome", "deid", "--predictions", "old"),
            "scores.csv: `--outcome` must be one of died, old, new, site, patient, w, got 'deid'.",
        ),
        (
            (*MODELS, "--key", "id"),
            "scores.csv: `--key` must be one of old, died, site, patient, new, w, got 'id'.",
        ),
        (
            (*MODELS, "--pos-label", "9"),
            "`--pos-label` must be a label of `--outcome`, got '9'; labels found: '0', '1'.",
        ),
        ((*MODELS, "--folds", "5"), "`--folds` must be left out with more cases than `--in-memory` allows, got 5."),
    ],
)
def test_what_cannot_be_asked_of_a_streamed_file_is_answered(typed, message, scores, refused):
    assert refused("evaluate", scores, *typed, *COST, *STREAMED) == message


@pytest.mark.parametrize("typed", [(), STREAMED, ("--engine", "polars"), ("--engine", "duckdb", *STREAMED)])
def test_a_file_that_grows_between_two_passes_gives_no_number(typed, scores, refused, monkeypatch):
    def growing(name):
        read = getattr(_reading, name)

        def later(*given):
            with scores.open("a") as file:
                file.write("1,0.5,0.5,1,north,1\n")
            return read(*given)

        return later

    for name in ("read_roles", "_frame_source"):
        monkeypatch.setattr(_reading, name, growing(name))
    message = refused("evaluate", "scores.csv", *MODELS, *COST, *typed, "--json", "-")
    assert message.startswith("scores.csv must stay as it is while it is read, got ")
    assert message.endswith("; run the command again.")


# ------------------------------------------------------------------------------------------- engines


@pytest.fixture
def parts(folder, sample):
    """Write the sample as a folder of two Parquet files."""
    (folder / "parts").mkdir()
    frame = pd.DataFrame(sample)
    frame[:50].to_parquet(folder / "parts" / "0.parquet")
    frame[50:].to_parquet(folder / "parts" / "1.parquet")
    return "parts"


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:The inplace keyword")  # of pandas, in what Dask calls
@pytest.mark.parametrize("engine", ["duckdb", "polars", "dask"])
def test_an_engine_gives_the_same_numbers(engine, numbers, scores):
    typed = (*MODELS, *COST, "--pos-label", "1", "--group", "site")
    same(numbers("scores.csv", *typed, "--engine", engine, *STREAMED), numbers(scores, *typed))


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:The inplace keyword")  # of pandas, in what Dask calls
@pytest.mark.parametrize("engine", ["duckdb", "polars", "dask"])
def test_what_parts_the_columns_is_told_by_the_name(engine, numbers, scores, sample):
    pd.DataFrame(sample).to_csv("scores.tsv", sep="\t", index=False)
    same(numbers("scores.tsv", *MODELS, *COST, "--engine", engine), numbers(scores, *MODELS, *COST))


@pytest.mark.parametrize("engine", ["polars", "dask"])
def test_an_engine_reads_folders_of_parquet(engine, numbers, scores, parts):
    same(numbers(parts, *MODELS, *COST, "--engine", engine), numbers(scores, *MODELS, *COST))


# What makes Spark quick with few cases.
SPARK = {
    "spark.sql.adaptive.enabled": "false",
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.shuffle.partitions": "1",
    "spark.ui.enabled": "false",
}


@pytest.mark.cluster
def test_spark_on_this_machine_gives_the_same_numbers(process, numbers, scores, parts):
    model = ("--outcome", "died", "--predictions", "new", *COST)
    typed = ("evaluate", parts, *model, *STREAMED, "--engine", "spark", "--master", "local[1]", "--json", "-")
    settings = " ".join(f"--conf {name}={value}" for name, value in SPARK.items())
    out, _ = (running := process(*typed, env={"PYSPARK_SUBMIT_ARGS": f"{settings} pyspark-shell"})).communicate()
    assert running.returncode == 0
    same(json.loads(out), numbers(scores, *model))


@pytest.mark.cluster
def test_dask_on_a_cluster_gives_the_same_numbers(numbers, scores, parts):
    from distributed import LocalCluster

    with LocalCluster(n_workers=1, threads_per_worker=1, processes=True, dashboard_address=":0") as cluster:
        found = numbers(parts, *MODELS, *COST, "--engine", "dask", "--master", cluster.scheduler_address, *STREAMED)
    same(found, numbers(scores, *MODELS, *COST))


def test_it_is_said_which_engine_read_the_file(stakes, scores):
    assert "The file was read by polars." in stakes("evaluate", "scores.csv", *MODELS, *COST, "--engine", "polars").out


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        (
            ["scores.csv", "--engine", "sparc"],
            "`--engine` must be one of spark, polars, dask, duckdb, got 'sparc'.",
        ),
        (
            ["s3://bucket/scores.csv", "--engine", "polars"],
            "`FILE` must be Parquet for polars to read it from there, got 's3://bucket/scores.csv'; "
            "write it as Parquet, which has types; engines disagree about what text means.",
        ),
        (
            ["s3://bucket/scores.parquet", "--engine", "duckdb"],
            "`FILE` must be a file for duckdb, got an address; polars, dask and spark read folders of Parquet.",
        ),
        (
            ["scores.csv", "--engine", "dask", "--master", "tcp://head:8786"],
            "`FILE` must be Parquet for dask to read it from there, got 'scores.csv'; "
            "write it as Parquet, which has types; engines disagree about what text means.",
        ),
        (
            ["scores.csv", "--master", "local[2]"],
            "`--master` must come with `--engine dask or spark`, got no engine.",
        ),
        (
            ["scores.csv", "--engine", "polars", "--master", "local[2]"],
            "`--master` must come with the engine dask or spark, got polars.",
        ),
        (["scores.csv", "--engine", "polars", "--folds", "5"], "`--folds` must be left out with `--engine`, got 5."),
        (
            ["nowhere.csv", "--engine", "duckdb"],
            "there is no file nowhere.csv.",
        ),
        (
            ["scores.csv", "--engine", "polars", "--weight", "wait"],
            "scores.csv: `--weight` must be one of site, w, patient, new, died, old, got 'wait'.",
        ),
    ],
)
def test_what_cannot_be_asked_of_an_engine_is_answered(typed, message, scores, refused):
    assert refused("evaluate", *typed, *MODELS, *COST) == message


def test_an_engine_needs_the_names_of_the_columns_too(scores, refused):
    message = "`--outcome` must name the column of scores.csv with the outcome, got none."
    assert refused("evaluate", "scores.csv", *COST, "--engine", "polars") == message


def test_an_engine_that_is_not_installed_is_named_with_what_to_type(scores, refused, monkeypatch):
    monkeypatch.setitem(sys.modules, "polars", None)
    message = "`polars` must be installed to use the engine polars: pip install polars."
    assert refused("evaluate", "scores.csv", *MODELS, *COST, "--engine", "polars") == message


@pytest.mark.parametrize("typed", [(), ("--engine", "duckdb"), ("--in-memory", 10)])
def test_a_name_with_a_quotation_mark_is_a_name(typed, stakes, folder, sample):
    columns = {'di"ed': ["yes" if died else "no" for died in sample["died"]], "new": sample["new"]}
    pd.DataFrame(columns).to_csv(folder / "scores.csv", index=False)
    named = ("--outcome", 'di"ed', "--pos-label", "yes", "--predictions", "new", "--costs", "10%")
    ran = stakes("evaluate", "scores.csv", *named, *typed)
    assert (ran.code, ran.err) == (0, "")
    assert "120 cases" in ran.out


def test_parquet_for_another_engine_needs_pyarrow_and_says_so(refused, folder, sample, monkeypatch):
    pd.DataFrame({name: sample[name] for name in ("died", "new")}).to_parquet(folder / "scores.parquet")
    for name in ("pyarrow", "pyarrow.parquet", "pyarrow.types"):
        monkeypatch.setitem(sys.modules, name, None)  # as if it were not installed
    typed = ("--outcome", "died", "--predictions", "new", "--costs", "10%", "--engine", "polars")
    said = refused("evaluate", "scores.parquet", *typed)
    assert "`pyarrow`" in said
    assert "'stakes[files]'" in said

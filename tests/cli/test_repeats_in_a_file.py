"""Out-of-fold predictions of a repeated validation in one file."""

import json
from importlib.resources import files

import jsonschema
import numpy as np
import pytest
from cli.conftest import write_csv

from stakes import Decision, Limits, evaluate
from stakes._roles import DROP_HINT_TYPED as DROP
from stakes.evaluation import _sources

TYPED = ("--outcome", "died", "--predictions", "old", "new", "--costs", "5%..20%")


@pytest.fixture
def repeated(folder, sample):
    """Write three repeats of the sample, each with other predictions."""
    rng = np.random.default_rng(3)
    columns = {name: 3 * sample[name] for name in ("died", "site", "patient")}
    columns["run"] = [run for run in ("first", "second", "third") for _ in range(120)]
    for name in ("old", "new"):
        columns[name] = np.clip(3 * sample[name] + rng.normal(0, 0.05, 360), 0, 1).round(3).tolist()
    return write_csv(folder / "out-of-fold.csv", columns), columns


@pytest.mark.sample(2)
@pytest.mark.parametrize("more", [(), ("--group", "site"), ("--cluster", "patient"), ("--capacity", "20%")])
def test_the_file_gives_what_python_gives(more, repeated, stakes, monkeypatch):
    monkeypatch.setattr(_sources, "_REPLICATES", 60)
    path, columns = repeated
    ran = stakes("evaluate", path, *TYPED, "--repeat", "run", *more, "--json", "-")
    assert (ran.code, ran.err) == (0, "")
    option, column = more or ("", "")
    named = {option.removeprefix("--"): [*map(str, columns[column])]} if column in columns else {}
    decision = Decision("5%..20%", limits=Limits(capacity=0.2) if "--capacity" in more else None)
    models = {name: columns[name] for name in ("old", "new")}
    found = evaluate(columns["died"], models, decision, repeat=columns["run"], **named)
    typed = json.loads(ran.out)
    assert typed | {"call": ""} == found.to_dict()
    assert typed["sample"]["repeats"] == 3


def test_the_json_is_what_the_schema_says(repeated, stakes):
    ran = stakes("evaluate", repeated[0], *TYPED, "--repeat", "run", "--json", "-")
    schema = json.loads(files("stakes.evaluation").joinpath("evaluation.schema.json").read_text(encoding="utf-8"))
    jsonschema.validate(json.loads(ran.out), schema, jsonschema.Draft202012Validator)


def test_the_report_says_that_it_averages_over_repeats(repeated, stakes, folder):
    ran = stakes("evaluate", repeated[0], *TYPED, "--repeat", "run", "--html", "report.html", "--quiet")
    assert (ran.code, ran.err) == (0, "")
    assert "each of 3 repeats, and averaged" in (folder / "report.html").read_text(encoding="utf-8")


def test_a_missing_label_is_refused_with_its_line(folder, refused):
    write_csv(folder / "scores.csv", {"died": [0, 1, 0], "old": [0.1, 0.2, 0.3], "run": ["1", "", "2"]})
    typed = ("--outcome", "died", "--predictions", "old", "--costs", "10%", "--repeat", "run")
    assert (
        refused("evaluate", "scores.csv", *typed)
        == f"`--repeat` must not have missing values, got 1 missing value, at line 3; {DROP}."
    )


def test_repeats_of_other_cases_are_refused(folder, refused):
    write_csv(folder / "scores.csv", {"died": [0, 1, 0], "old": [0.1, 0.2, 0.3], "run": [1, 1, 2]})
    typed = ("--outcome", "died", "--predictions", "old", "--costs", "10%", "--repeat", "run")
    assert refused("evaluate", "scores.csv", *typed) == (
        "`--repeat` must label repeats of the same cases, got 2 cases in '1' and 1 in '2'; each repeat needs one row "
        "for every case, with the same outcome, weight, group and cluster."
    )


def test_engines_and_streams_know_no_repeats(repeated, refused):
    by_engine = refused("evaluate", repeated[0], *TYPED, "--repeat", "run", "--engine", "polars")
    assert by_engine == "`--repeat` must be left out with `--engine`, got 'run'."
    streamed = refused("evaluate", repeated[0], *TYPED, "--repeat", "run", "--in-memory", "10")
    assert streamed == "`--repeat` must be left out with more cases than `--in-memory` allows, got 'run'."

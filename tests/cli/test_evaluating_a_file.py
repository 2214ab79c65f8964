"""From a file to numbers: the command gives what Python gives, whatever the file is."""

import bz2
import gzip
import io
import json
import lzma
import os
import re
import subprocess
import sys
import threading

import numpy as np
import pandas as pd
import pytest

from stakes import At, Decision, Limits, evaluate, score_table
from stakes.evaluation import evaluate_source
from stakes.prevalence import shift_scores

COST = ("--costs", "5%..20%")
MODELS = ("--outcome", "died", "--predictions", "old", "new")


@pytest.fixture
def numbers(stakes):
    """Type a command and return the numbers it gives."""

    def type_in(*typed):
        ran = stakes("evaluate", "--json", "-", *typed)
        assert (ran.code, ran.err) == (0, "")
        return json.loads(ran.out)

    return type_in


def expected(sample, decision="5%..20%", **more):
    """Return what Python gives; labels are words in a file."""
    more = {name: [*map(str, more[name])] if name in ("group", "cluster") else more[name] for name in more}
    models = {name: sample[name] for name in ("old", "new")}
    return evaluate(sample["died"], models, decision, rng=0, **more).to_dict() | {"call": None}


def test_the_numbers_are_those_of_python(numbers, scores, sample):
    assert numbers(scores, *MODELS, *COST) | {"call": None} == expected(sample)


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    ("typed", "unit"), [("misses", "misses"), ("false-alarms", "false alarms"), ("false alarms", "false alarms")]
)
def test_the_unit_is_that_of_python(numbers, scores, sample, typed, unit):
    wanted = expected(sample, Decision("5%..20%", unit=unit))
    assert numbers(scores, *MODELS, *COST, "--unit", typed) | {"call": None} == wanted
    assert wanted["unit"]["name"] == unit


def test_another_unit_is_refused_with_those_there_are(stakes, scores):
    ran = stakes("evaluate", scores, *MODELS, *COST, "--unit", "alarms")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == "stakes: `--unit` must be one of false-alarms, misses, money, got 'alarms'.\n"


def test_weights_groups_and_clusters_are_those_of_python_too(numbers, scores, sample):
    columns = {"weight": sample["w"], "group": sample["site"], "cluster": sample["patient"]}
    typed = ("--weight", "w", "--group", "site", "--cluster", "patient")
    assert numbers(scores, *MODELS, *COST, *typed) | {"call": None} == expected(sample, **columns)


@pytest.fixture
def arguments(stakes, scores, sample, monkeypatch):
    """Type a command and return what is evaluated, but for the outcome and the predictions."""

    def type_in(*typed):
        found = {}

        def record(source, decision, **more):
            columns = {part: getattr(source.columns, part) for part in ("weight", "group", "cluster")}
            found.update(more, decision=decision, **columns)
            return evaluate_source(source, "10%")

        monkeypatch.setattr("stakes.cli._commands.evaluate_source", record)
        assert stakes("evaluate", scores, *MODELS, *typed, "--quiet") == (0, "", "")
        return {name: value if np.ndim(value) == 0 else list(value) for name, value in found.items()}

    return type_in


@pytest.mark.sample(2)
@pytest.mark.usefixtures("few_replicates")
@pytest.mark.parametrize(
    ("typed", "name", "expected"),
    [
        (["--costs", "1:9"], "decision", Decision(At(0.1))),
        ([*COST, "--prevalence", "2%"], "decision", Decision("5%..20%", prevalence=0.02)),
        ([*COST, "--prevalence", "logodds 1%..4%"], "decision", Decision("5%..20%", prevalence="logodds 1%..4%")),
        ([*COST, "--capacity", "30/200"], "decision", Decision("5%..20%", limits=Limits(capacity=0.15))),
        ([*COST, "--min-precision", "30%"], "decision", Decision("5%..20%", limits=Limits(min_precision=0.3))),
        (
            [*COST, "--capacity", "10%", "--min-precision", "30%", "--prevalence", "0.3"],
            "decision",
            Decision("5%..20%", prevalence=0.3, limits=Limits(capacity=0.1, min_precision=0.3)),
        ),
        (COST, "level", 0.95),
        ([*COST, "--level", "80%"], "level", 0.8),
        (COST, "rng", 0),
        ([*COST, "--seed", "3"], "rng", 3),
        (COST, "weight", None),
    ],
)
def test_every_option_is_an_argument(typed, name, expected, arguments):
    assert arguments(*typed)[name] == expected


@pytest.mark.parametrize(("option", "column"), [("group", "site"), ("cluster", "site"), ("weight", "w")])
def test_every_column_is_an_argument(option, column, arguments, sample):
    assert arguments(*COST, f"--{option}", column)[option] == sample[column]


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    "models",
    [
        ("--predictions", "old", "--predictions", "new"),
        ("--predictions=old", "--predictions=new"),
        ("--predictions", "old", "new", "--"),
    ],
)
def test_models_may_be_named_one_by_one(models, numbers, scores, sample):
    assert numbers(scores, "--outcome", "died", *COST, *models)["ranking"] == expected(sample)["ranking"]


def test_the_file_may_come_last_after_two_dashes(numbers, scores, sample):
    typed = ("--outcome", "died", *COST, "--predictions", "old", "new", "--", scores)
    assert numbers(*typed)["ranking"] == expected(sample)["ranking"]


def test_a_column_may_be_a_model_and_a_group(numbers, scores, sample):
    sample["died"] = [1, 0] * 60
    pd.DataFrame(sample).to_csv(scores, index=False)
    found = numbers(scores, "--outcome", "died", "--predictions", "old", *COST, "--group", "died")
    assert [group["name"] for group in found["groups"]] == ["0", "1"]


def test_the_call_is_what_was_typed(numbers, scores):
    found = numbers("scores.csv", *MODELS, "--costs", "logodds 1%..5%")
    call = "stakes evaluate --json - scores.csv --outcome died --predictions old new --costs 'logodds 1%..5%'"
    assert found["call"] == call


# ------------------------------------------------------------------------------------------- formats

PACKED = {"gz": gzip.compress, "bz2": bz2.compress, "xz": lzma.compress}


@pytest.mark.slow
@pytest.mark.sample(2)
@pytest.mark.parametrize("packing", PACKED)
def test_packed_text_is_read(packing, numbers, scores, sample):
    packed = scores.with_name("scores.packed")
    packed.write_bytes(PACKED[packing](scores.read_bytes()))
    assert numbers(packed, *MODELS, *COST)["ranking"] == expected(sample)["ranking"]


@pytest.mark.sample(2)
@pytest.mark.parametrize("delimiter", [";", "\t", "|"])
def test_the_delimiter_is_found_out(delimiter, numbers, folder, sample):
    pd.DataFrame(sample).to_csv(folder / "scores.txt", sep=delimiter, index=False)
    assert numbers("scores.txt", *MODELS, *COST)["ranking"] == expected(sample)["ranking"]


@pytest.mark.parametrize("written", ["parquet", "feather"])
def test_tables_of_other_programs_are_read(written, numbers, folder, sample):
    getattr(pd.DataFrame(sample), f"to_{written}")(folder / "scores")
    typed = ("--group", "site", "--cluster", "patient", "--weight", "w")
    columns = {"group": sample["site"], "cluster": sample["patient"], "weight": sample["w"]}
    found, wanted = numbers("scores", *MODELS, *COST, *typed), expected(sample, **columns)
    assert (found["ranking"], found["groups"]) == (wanted["ranking"], wanted["groups"])


@pytest.mark.slow
def test_the_standard_input_is_a_file_too(scores, sample):
    typed = ["evaluate", "-", *MODELS, *COST, "--json", "-"]
    command = [sys.executable, "-m", "stakes", *typed]
    ran = subprocess.run(command, input=gzip.compress(scores.read_bytes()), capture_output=True, check=False)
    assert (ran.returncode, ran.stderr) == (0, b"")
    found, wanted = json.loads(ran.stdout)["ranking"], expected(sample)["ranking"]
    assert [(one["model"], one["regret"]) for one in found] == [
        (one["model"], pytest.approx(one["regret"])) for one in wanted
    ]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_pipe_is_read_from_its_beginning(numbers, scores, sample, folder):
    os.mkfifo(folder / "pipe")
    writer = threading.Thread(target=(folder / "pipe").write_bytes, args=[scores.read_bytes()])
    writer.start()
    assert numbers("pipe", *MODELS, *COST)["ranking"] == expected(sample)["ranking"]
    writer.join()


# ------------------------------------------------------------------------------------------- outcomes in words


@pytest.mark.sample(12)
@pytest.mark.parametrize(
    ("labels", "positive"),
    [
        (("no", "yes"), "yes"),
        (("no", "yes"), "Yes"),
        (("0", "1"), "1"),
        (("1", "2"), "2"),
        (("1.0", "2.0"), "2"),
        (("FALSE", "TRUE"), "true"),
        (("b", "a"), "a"),
    ],
)
@pytest.mark.parametrize("written", ["csv", "parquet"])
def test_the_positive_label_may_be_typed_in_any_way_to_write_it(labels, positive, written, numbers, folder, sample):
    labelled = sample | {"died": [labels[y] for y in sample["died"]]}
    text = pd.DataFrame(labelled).to_csv(index=False)
    frame = pd.read_csv(io.StringIO(text))  # with numbers and truth values as such
    frame.to_csv(folder / "scores", index=False) if written == "csv" else frame.to_parquet(folder / "scores")
    found = numbers("scores", *MODELS, *COST, "--pos-label", positive)
    assert found["ranking"] == expected(sample)["ranking"]


def test_of_two_labels_that_differ_by_a_capital_the_one_that_was_typed_is_meant(numbers, folder, sample):
    sample["died"] = ["A" if y else "a" for y in sample["died"]]
    pd.DataFrame(sample).to_csv(folder / "scores", index=False)
    prevalence = sample["died"].count("A") / 120
    assert numbers("scores", *MODELS, *COST, "--pos-label", "A")["sample"]["prevalence"] == prevalence
    assert numbers("scores", *MODELS, *COST, "--pos-label", "a")["sample"]["prevalence"] == pytest.approx(
        1 - prevalence
    )


def test_true_and_false_need_no_label(numbers, folder, sample):
    pd.DataFrame(sample | {"died": np.array(sample["died"], bool)}).to_csv(folder / "scores", index=False)
    assert numbers("scores", *MODELS, *COST)["ranking"] == expected(sample)["ranking"]


# ------------------------------------------------------------------------------------------- odd decisions


@pytest.mark.usefixtures("few_replicates")
def test_limits_that_no_threshold_meets_are_a_finding(stakes, scores):
    ran = stakes("evaluate", scores, *MODELS, *COST, "--capacity", "0")
    assert (ran.code, ran.err) == (0, "")
    assert "\nnever " in ran.out
    assert "No threshold of" in ran.out


def test_more_folds_than_cases_are_refused(scores, refused):
    message = "`--folds` must not exceed the 120 cases or clusters, got 121."
    assert refused("evaluate", scores, *MODELS, *COST, "--folds", "121") == message


# ------------------------------------------------------------------------------------------- missing scores


def test_models_are_compared_on_the_cases_that_all_of_them_have_a_score_for(numbers, folder, sample):
    sample["old"][3] = sample["new"][5] = None
    pd.DataFrame(sample).to_csv(folder / "scores.csv", index=False)
    found = numbers("scores.csv", *MODELS, *COST)
    assert (found["sample"]["cases"], found["sample"]["dropped"]) == (118, 2)
    kept = {name: [value for k, value in enumerate(column) if k not in (3, 5)] for name, column in sample.items()}
    assert found["ranking"] == expected(kept)["ranking"]


@pytest.mark.usefixtures("few_replicates")
def test_thresholds_are_for_the_scores_of_the_file_also_at_another_prevalence(stakes, folder, sample):
    pd.DataFrame(sample).to_csv(folder / "scores.csv", index=False)
    typed = ["--outcome", "died", "--predictions", "old", "--costs", "10%", "--capacity", "30%", "--prevalence", "5%"]
    printed = stakes("evaluate", folder / "scores.csv", *typed).out
    threshold = float(re.search(r"is at least ([\d.]+)", printed)[1])
    decision = Decision("10%", prevalence="5%", limits=Limits(capacity=0.3))
    policy = evaluate(sample["died"], {"old": sample["old"]}, decision).policies["old"]
    moved = shift_scores(
        score_table([0, 1], [threshold, threshold]), 0.05, from_prevalence=float(np.mean(sample["died"]))
    )
    assert moved.score == pytest.approx(policy.threshold, rel=1e-3)
    assert "not corrected for that prevalence" in printed


@pytest.mark.sample(2)
@pytest.mark.parametrize("typed", [(), ("--in-memory", "10"), ("--engine", "polars"), ("--engine", "duckdb")])
def test_cases_without_a_group_are_a_group(typed, stakes, folder, sample):
    sample["site"][16], sample["site"][50] = None, None
    pd.DataFrame(sample).to_csv(folder / "scores.csv", index=False)
    ran = stakes("evaluate", "scores.csv", *MODELS, *COST, "--group", "site", "--json", "-", *typed)
    assert (ran.code, ran.err) == (0, "")
    groups = {group["name"]: group["cases"] for group in json.loads(ran.out)["groups"]}
    assert groups["(missing)"] == 2
    assert sum(groups.values()) == 120

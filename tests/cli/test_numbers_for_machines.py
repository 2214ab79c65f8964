"""The JSON of the command: what the shipped schema says, and what Python gives."""

import json
from importlib.resources import files

import jsonschema
import pytest

from stakes import Decision, Limits, evaluate

MODELS = ("--outcome", "died", "--predictions", "old", "new")

# What is typed, and the same in Python; a name of a column stands for the column.
RUNS = {
    "a range of costs": (["--costs", "5%..20%"], "5%..20%", {}),
    "one cost": (["--costs", "1:9"], "1:9", {}),
    "groups": (["--costs", "5%..20%", "--group", "site"], "5%..20%", {"group": "site"}),
    "a capacity": (["--costs", "5%..20%", "--capacity", "10%"], Decision("5%..20%", limits=Limits(capacity=0.1)), {}),
    "limits that no threshold meets": (
        ["--costs", "5%..20%", "--min-precision", "100%", "--capacity", "0"],
        Decision("5%..20%", limits=Limits(capacity=0.0, min_precision=1.0)),
        {},
    ),
    "a prevalence": (["--costs", "5%..20%", "--prevalence", "2%"], Decision("5%..20%", prevalence="2%"), {}),
    "a range of prevalences": (
        ["--costs", "beta(2, 8)", "--prevalence", "logodds 1%..5%"],
        Decision("beta(2, 8)", prevalence="logodds 1%..5%"),
        {},
    ),
    "folds": (["--costs", "5%..20%", "--folds", "5"], "5%..20%", {"folds": 5}),
    "folds within limits": (
        ["--costs", "5%..20%", "--folds", "4", "--capacity", "20%", "--seed", "3"],
        Decision("5%..20%", limits=Limits(capacity=0.2)),
        {"folds": 4, "rng": 3},
    ),
    "a baseline": (["--costs", "5%..20%", "--baseline", "old"], "5%..20%", {"baseline": "old"}),
    "no one as baseline": (["--costs", "10%", "--baseline", "act on no one"], "10%", {"baseline": "act on no one"}),
    "clusters": (["--costs", "5%..20%", "--cluster", "patient"], "5%..20%", {"cluster": "patient"}),
    "weights": (["--costs", "5%..20%", "--weight", "w", "--level", "80%"], "5%..20%", {"weight": "w", "level": 0.8}),
}


@pytest.fixture(scope="module")
def printed():
    """Keep what each run printed, typed once for all tests."""
    return {}


@pytest.fixture
def typed_in(stakes, scores, printed, few_replicates):
    """Type a run; return its numbers, but for the call."""

    def run(name):
        if name not in printed:
            ran = stakes("evaluate", scores, *MODELS, *RUNS[name][0], "--json", "-")
            assert (ran.code, ran.err) == (0, "")
            printed[name] = ran.out
        return json.loads(printed[name]) | {"call": ""}

    return run


@pytest.fixture
def called(sample, few_replicates):
    """Call the same in Python."""

    def run(name):
        _, decision, more = RUNS[name]
        columns = {key: value if key == "baseline" else sample.get(value, value) for key, value in more.items()}
        columns = {k: [*map(str, v)] if k in ("group", "cluster") else v for k, v in columns.items()}  # as text is
        models = {model: sample[model] for model in ("old", "new")}
        return evaluate(sample["died"], models, decision, **{"rng": 0, **columns}).to_dict()

    return run


@pytest.fixture(scope="module")
def schema():
    """Read the schema that the package ships."""
    return json.loads(files("stakes.evaluation").joinpath("evaluation.schema.json").read_text(encoding="utf-8"))


@pytest.mark.sample(9)
@pytest.mark.parametrize("name", RUNS)
def test_the_json_is_what_the_schema_says(name, typed_in, schema):
    jsonschema.validate(typed_in(name), schema, jsonschema.Draft202012Validator)


@pytest.mark.sample(9)
@pytest.mark.parametrize("name", RUNS)
def test_the_json_is_what_python_gives(name, typed_in, called):
    assert typed_in(name) == called(name)


def test_one_class_is_numbers_where_there_are_some_and_null_where_there_are_none(stakes, folder, schema):
    (folder / "scores.csv").write_text("died,old\n0,0.2\n0,0.3\n")
    ran = stakes("evaluate", "scores.csv", "--outcome", "died", "--predictions", "old", "--costs", "10%", "--json", "-")
    assert (ran.code, ran.err) == (0, "")
    found = json.loads(ran.out)
    jsonschema.validate(found, schema, jsonschema.Draft202012Validator)
    row = next(row for row in found["ranking"] if row["model"] == "old")
    assert (row["regret"], row["auc"], row["skill"]) == (pytest.approx(0.1), None, None)


def test_the_schema_is_sound_and_its_version_is_in_the_file(typed_in, schema):
    jsonschema.Draft202012Validator.check_schema(schema)
    version = typed_in("one cost")["schema"]
    assert schema["properties"]["schema"]["const"] == version
    assert schema["$id"] == f"urn:stakes:evaluation:{version}"


@pytest.mark.parametrize(
    "change", [{"schema": 1}, {"surprise": 1}, {"level": 1.5}, {"ranking": []}, {"sample": {}}, {"folds": 1}]
)
def test_the_schema_refuses_what_is_none(change, typed_in, schema):
    found = typed_in("one cost") | change
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(found, schema, jsonschema.Draft202012Validator)


@pytest.mark.slow
def test_the_demo_has_numbers_too(stakes, folder, schema):
    ran = stakes("demo", "--json", "-")
    assert ran.code == 0
    jsonschema.validate(json.loads(ran.out), schema, jsonschema.Draft202012Validator)

"""One policy for missing values: an error, or dropped and counted by what is missing; a missing group is a group."""

import json

import numpy as np
import pandas as pd
import polars as pl
import pytest

from stakes import evaluate
from stakes._errors import InputError
from stakes.cli import main
from stakes.frames import DroppedRowsWarning

CASES = 60
RNG = np.random.default_rng(3)
RISK = RNG.random(CASES)
WHOLE = {
    "died": (RNG.random(CASES) < RISK).astype(float).tolist(),
    "old": np.sqrt(RISK).tolist(),
    "new": RISK.tolist(),
    "w": RNG.integers(1, 4, CASES).astype(float).tolist(),
    "patient": [f"p{k // 2}" for k in range(CASES)],
    "sex": [("f", "m")[k % 2] for k in range(CASES)],
}
# Where a value is missing: case 7 misses two, and is counted once, by the first of its roles.
GAPS = {"died": [3, 7], "w": [7, 11], "patient": [12], "old": [20], "new": [20, 21, 22], "sex": [30, 31]}
DROPPED = {"outcome": 2, "weight": 1, "cluster": 1, "predictions": 3}
KEPT = sorted(set(range(CASES)) - {3, 7, 11, 12, 20, 21, 22})
COLUMNS = {"weight": "w", "cluster": "patient", "group": "sex"}


def gappy():
    found = {name: list(column) for name, column in WHOLE.items()}
    for name, rows in GAPS.items():
        for row in rows:
            found[name][row] = None
    return found


def of_arrays(data, **more):
    others = {role: data[column] for role, column in COLUMNS.items()}
    return evaluate(data["died"], {"old": data["old"], "new": data["new"]}, "20%..50%", **others, **more)


def of_a_frame(data, **more):
    frame = pl.DataFrame(data).lazy()
    return evaluate("died", ["old", "new"], "20%..50%", data=frame, **COLUMNS, **more)


DOORS = {
    "arrays": of_arrays,
    "frame": of_a_frame,
    "left where it is": lambda data, **more: of_a_frame(data, in_memory=0, **more),
    "pandas": lambda data, **more: of_arrays(pd.DataFrame(data), **more),
}
every_door = pytest.mark.parametrize("door", DOORS.values(), ids=DOORS)


@pytest.mark.sample(2)
@every_door
def test_dropped_cases_are_counted_by_what_they_miss(door):
    with pytest.warns(DroppedRowsWarning):
        found = door(gappy(), on_missing="drop")
    assert found.sample.cases == len(KEPT)
    assert found.sample.dropped_by_role == DROPPED
    assert found.to_dict()["sample"]["dropped_by_role"] == DROPPED
    said = [one.text for one in found.findings if one.kind.startswith("dropped")]
    others = "Dropped: 2 cases without an outcome, 1 without a weight and 1 without a cluster."
    assert said == ["Dropped: 3 cases without a score from at least one model.", others]


@pytest.mark.sample(2)
@every_door
def test_what_is_left_is_evaluated_as_if_the_others_had_not_been_there(door):
    kept = {name: [column[k] for k in KEPT] for name, column in gappy().items()}
    with pytest.warns(DroppedRowsWarning):
        found = door(gappy(), on_missing="drop")
    left = ({one.model: one.regret.estimate for one in each.ranking} for each in (found, of_arrays(kept)))
    assert next(left) == pytest.approx(next(left), rel=1e-12)


@pytest.mark.sample(2)
@every_door
def test_a_missing_group_is_a_group_and_no_reason_to_drop_or_refuse(door):
    data = WHOLE | {"sex": gappy()["sex"]}
    assert set(door(data).groups) == {"f", "m", "(missing)"}


@every_door
@pytest.mark.parametrize("column", ["died", "w", "patient", "old"])
def test_without_leave_a_missing_value_is_refused_and_the_message_says_how_to_drop_it(door, column):
    with pytest.raises(InputError) as raised:
        door(WHOLE | {column: gappy()[column]})
    assert f"{len(GAPS[column])} missing value" in str(raised.value)
    assert str(raised.value).endswith('write `on_missing="drop"` to drop such rows.')


@pytest.mark.parametrize("kind", [np.array, np.ma.masked_invalid, pd.Series, pl.Series], ids=lambda kind: kind.__name__)
def test_arrays_of_every_kind_miss_values_alike(kind):
    outcome = kind([np.nan, *WHOLE["died"][1:]])
    with pytest.warns(DroppedRowsWarning):
        found = evaluate(outcome, {"new": WHOLE["new"]}, "20%..50%", on_missing="drop")
    assert found.sample.dropped_by_role == {"outcome": 1}


def test_where_no_case_is_left_there_is_no_evaluation():
    with pytest.raises(InputError) as raised:
        evaluate([None, 1.0], {"m": [0.1, None]}, "20%..50%", on_missing="drop")
    assert str(raised.value) == "`on_missing` must leave at least one case, got none."


# ------------------------------------------------------------------------------------------- the command


@pytest.fixture
def typed(tmp_path, capsys):
    """Type an evaluation of some columns; return the exit code, the numbers and the message."""

    def run(data, *more):
        pd.DataFrame(data).to_csv(tmp_path / "cases.csv", index=False)
        roles = [word for role, column in COLUMNS.items() for word in (f"--{role}", column)]
        asked = [
            "--outcome",
            "died",
            "--predictions",
            "old",
            "new",
            "--costs",
            "20%..50%",
            *roles,
            "--json",
            "-",
            *more,
        ]
        code = main(["evaluate", str(tmp_path / "cases.csv"), *asked])
        out, err = capsys.readouterr()
        return code, json.loads(out) if out else None, err

    return run


in_memory_and_streamed = pytest.mark.parametrize("most", ["1000", "0"], ids=["in memory", "streamed"])


@pytest.mark.slow
@in_memory_and_streamed
def test_the_command_drops_all_that_misses_a_value_where_it_is_told_to(typed, most):
    code, found, _ = typed(gappy(), "--on-missing", "drop", "--in-memory", most)
    assert code == 0
    assert found["sample"]["dropped_by_role"] == DROPPED
    assert found["sample"]["cases"] == len(KEPT)


@pytest.mark.slow
@in_memory_and_streamed
def test_the_command_drops_missing_predictions_unasked(typed, most):
    scores = {name: gappy()[name] for name in ("old", "new")}
    code, found, _ = typed(WHOLE | scores, "--in-memory", most)
    assert (code, found["sample"]["dropped_by_role"]) == (0, {"predictions": 3})


@pytest.mark.sample(3)
@in_memory_and_streamed
@pytest.mark.parametrize("column", ["died", "w", "patient"])
def test_the_command_names_the_line_and_the_option_for_any_other(typed, most, column):
    code, _, err = typed(WHOLE | {column: gappy()[column]}, "--in-memory", most)
    assert code == 2
    assert f"line {GAPS[column][0] + 2}" in err
    assert err.rstrip().endswith("`--on-missing drop` drops such rows.")


@in_memory_and_streamed
def test_the_command_refuses_missing_predictions_where_it_is_told_to(typed, most):
    code, _, err = typed(WHOLE | {"new": gappy()["new"]}, "--on-missing", "error", "--in-memory", most)
    assert code == 2
    assert "3 missing values" in err
    assert err.rstrip().endswith("`--on-missing drop` drops such rows.")

"""What is loaded when: a process that asks for little waits for little. Modules are counted, not seconds."""

import json
import os
import pickle
import subprocess
import sys

import pytest

import stakes

SCIPY = ("scipy.interpolate", "scipy.linalg", "scipy.optimize", "scipy.sparse", "scipy.stats")
OTHERS = ("click", "duckdb", "jinja2", "matplotlib", "narwhals", "numba", "pandas", "rich", "sklearn")
ROOMS = ("case_costs", "cli", "curves", "evaluation", "limits", "policy", "prevalence", "uncertainty")
CSV = "y,a,b\n" + "".join(f"{k % 3 // 2},{k % 7 / 10 + 0.1:.1f},{k % 5 / 10 + 0.1:.1f}\n" for k in range(210))


def loaded_by(program, *arguments, cwd=None):
    """Return the modules that a fresh process has loaded after running a program."""
    program += "; import json, sys; print(json.dumps([*sys.modules]), file=sys.stderr)"
    command = [sys.executable, "-c", program, *arguments]
    done = subprocess.run(
        command, capture_output=True, text=True, check=True, cwd=cwd, env=os.environ | {"COLUMNS": "80"}
    )
    return set(json.loads(done.stderr.splitlines()[-1]))


LATE_ROOMS = ("beliefs", "frames", "outcome", "report", "table")
LATE_DOORS = {room: getattr(stakes, room) for room in LATE_ROOMS}
LATE_FILES = [
    (room, file, name) for room, door in LATE_DOORS.items() for file, names in door._LATE.items() for name in names
]


def test_importing_stakes_loads_numpy_and_the_numbers_of_a_table():
    loaded = loaded_by("import stakes")
    late = {f"stakes.{room}.{file}" for room, file, _ in LATE_FILES}
    assert not loaded & {"scipy.special", *SCIPY, *OTHERS, *late, *(f"stakes.{room}" for room in ROOMS)}
    assert {"numpy", "stakes.beliefs", "stakes.measures", "stakes.table"} <= loaded


@pytest.mark.parametrize(
    ("name", "room"), [(name, room) for room, names in stakes._LATE.items() for name in names or (room,)]
)
def test_a_room_is_loaded_by_each_of_its_names_at_the_front(name, room):
    assert getattr(stakes, name) is getattr(sys.modules[f"stakes.{room}"], name, sys.modules[f"stakes.{room}"])


@pytest.mark.parametrize(("room", "file", "name"), LATE_FILES)
def test_a_late_file_of_a_room_is_loaded_by_each_of_its_names(room, file, name):
    door = LATE_DOORS[room]
    assert getattr(door, name) is getattr(sys.modules[f"stakes.{room}.{file}"], name)
    assert name in {*door.__all__, *door.SHARED}


def test_a_name_of_a_late_room_loads_it_and_is_pickled_by_its_home():
    loaded = loaded_by("import stakes; assert 'stakes.limits' not in __import__('sys').modules; stakes.Limits")
    assert "stakes.limits" in loaded
    assert pickle.loads(pickle.dumps(stakes.evaluate)) is stakes.evaluate


def test_everything_at_the_front_comes_with_a_star():
    loaded_by("from stakes import *; evaluate, Limits, At")


def test_a_small_file_is_ranked_without_what_it_does_not_need(tmp_path):
    (tmp_path / "small.csv").write_text(CSV, encoding="utf-8")
    words = ["evaluate", "small.csv", "--outcome", "y", "--predictions", "a", "b", "--costs", "5%..20%"]
    loaded = loaded_by(f"from stakes.cli import main; assert main({words}) == 0", cwd=tmp_path)
    assert not loaded & {*SCIPY, *OTHERS, "rich.progress"} - {"click", "duckdb", "rich"}
    others = {"stakes.datasets", "stakes.monitoring", "stakes.planning", "stakes.report", "stakes.sites"}
    assert not loaded & {*others, *(f"stakes.frames.{file}" for file in stakes.frames._LATE)}

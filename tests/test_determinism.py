"""The same data give the same numbers, wherever and however they are computed."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from every_number import NUMBERS, sample

import stakes
from stakes import _arrays

TESTS = Path(__file__).parent
ROWS = 40_000  # several blocks of rows, and enough for NumPy's vectorised sorts
ROUNDING = 1e-14  # of a sum in another order


@pytest.fixture(scope="module")
def expected():
    table = stakes.score_table(*sample(ROWS))
    return {name: number(table) for name, number in NUMBERS.items()}


def elsewhere(code, **settings):
    """Run some code in a process of its own, with these settings of the environment; return what it printed."""
    environment = os.environ | {"PYTHONPATH": str(TESTS)} | settings
    ran = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, encoding="utf-8", check=True
    )
    return ran.stdout


PRINT_NUMBERS = f"""
import json, stakes
from every_number import NUMBERS, sample
table = stakes.score_table(*sample({ROWS}))
print(json.dumps({{name: float(number(table)) for name, number in NUMBERS.items()}}))
"""
PRINT_REPORT = """
import re, stakes
from every_number import COSTS, sample
from stakes.report import render
y, score = sample(500)
page = render(stakes.evaluate(y, {"first": score, "second": score**2, "third": score**3}, COSTS))
print(re.sub("[0-9]{4}-[0-9]{2}-[0-9]{2}", "today", page))
"""


def vector_instructions():
    """Those beyond the oldest of this processor that NumPy found and can leave unused."""
    return " ".join(np.show_config(mode="dicts")["SIMD Extensions"]["found"])


@pytest.mark.sample(12)
@pytest.mark.parametrize("rows", [7, 1000, 10**6])
@pytest.mark.parametrize("name", NUMBERS)
def test_a_number_does_not_depend_on_how_many_rows_are_taken_at_a_time(name, rows, expected, monkeypatch):
    monkeypatch.setattr(_arrays, "_BLOCK", rows)
    assert NUMBERS[name](stakes.score_table(*sample(ROWS))) == pytest.approx(expected[name], rel=ROUNDING)


@pytest.mark.slow
def test_numbers_do_not_depend_on_the_processor(expected):
    found = json.loads(elsewhere(PRINT_NUMBERS, NPY_DISABLE_CPU_FEATURES=vector_instructions()))
    assert found == pytest.approx(expected, rel=ROUNDING)


@pytest.mark.slow
def test_numbers_do_not_depend_on_how_many_threads_there_are(expected):
    for threads in ("1", "2"):
        found = json.loads(elsewhere(PRINT_NUMBERS, OPENBLAS_NUM_THREADS=threads, NUMBA_NUM_THREADS=threads))
        assert found == expected


@pytest.mark.slow
def test_a_report_is_the_same_to_the_letter_in_every_process():
    first, second = (elsewhere(PRINT_REPORT, PYTHONHASHSEED=seed, PYTHONIOENCODING="utf-8") for seed in ("1", "2"))
    assert first == second
    assert first.startswith("<!doctype html>")

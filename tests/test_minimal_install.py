"""With NumPy and SciPy and nothing else, everything computes; and nothing else is loaded before it is needed."""

import importlib.metadata
import json
import subprocess
import sys

import numpy as np
import pytest
from homes import HOMES

from stakes import metrics

# Packages that are not installed, as far as imports can tell.
WITHOUT = """
import importlib.metadata, importlib.util, sys
others = set(importlib.metadata.packages_distributions()) - {"stakes", "numpy", "scipy"}
present = set(sys.modules)

class Without:
    def __init__(self, finder):
        self.finder = finder
    def find_spec(self, name, path=None, target=None):
        return None if name.partition(".")[0] in others else self.finder.find_spec(name, path, target)

sys.meta_path[:] = [Without(finder) for finder in sys.meta_path]
assert importlib.util.find_spec("pytest") is None
"""

# Every public function of a table, and every metric, on a few samples.
NUMBERS = """
import dataclasses, importlib, inspect
import numpy as np
import stakes
from stakes import metrics

def sample(size, decimals):
    rng = np.random.default_rng(5)
    score = np.clip(np.round(rng.beta(2, 5, size), decimals), 0.01, 0.99)
    return (rng.random(size) < score).astype(int), score, rng.choice([0.5, 1.0, 2.5], size)

SAMPLES = {"few": sample(300, 2), "many": sample(3000, 17), "many and tied": sample(3000, 2)}
ARGUMENTS = {
    "costs": stakes.Uniform(0.05, 0.3), "cost": 0.2, "threshold": 0.3,
    "cost_range": (0.1, 0.6), "fpr_range": (0.1, 0.6), "score_range": (0.1, 0.6), "prevalence_range": (0.1, 0.6),
    "k": 50.0, "rows": 20,
    "prevalence": stakes.At(0.2), "limits": stakes.Limits(capacity=0.4),
}

def flat(result):
    if isinstance(result, float | int | np.number | np.bool_):
        return [float(result)]
    if isinstance(result, np.ndarray):
        return [len(result), float(np.nansum(result))] if result.dtype.kind in "biuf" else []
    if isinstance(result, dict):
        result = list(result.values())
    if dataclasses.is_dataclass(result):
        result = [getattr(result, field.name) for field in dataclasses.fields(result)]
    return [number for part in result for number in flat(part)] if isinstance(result, tuple | list) else []

def call(function, *first):
    rest = list(inspect.signature(function).parameters.values())[len(first):]
    known = {**ARGUMENTS, "prevalence": 0.2} if function.__module__ == "stakes.prevalence._move" else ARGUMENTS
    if any(p.name not in known and p.default is p.empty for p in rest):
        return []
    keywords = {p.name: known[p.name] for p in rest if p.kind is p.KEYWORD_ONLY and p.name in known}
    return flat(function(*first, *(known[p.name] for p in rest if p.kind is not p.KEYWORD_ONLY), **keywords))

def numbers():
    public = [getattr(importlib.import_module(f"stakes.{home}"), name) for home in HOMES for name in HOMES[home]]
    functions = [one for one in public if inspect.isfunction(one)]
    of_table = [one for one in functions if [*inspect.signature(one).parameters][0] == "table"]
    for name, (y, score, weight) in SAMPLES.items():
        tables = {name: stakes.score_table(y, score), f"{name}, weighted": stakes.score_table(y, score, weight)}
        for what, table in tables.items():
            yield from ((f"{function.__name__} of {what}", call(function, table)) for function in of_table)
        for metric in set(metrics.__all__) - {"scorer"}:
            yield f"metrics.{metric} of {name}", call(getattr(metrics, metric), y, score)
"""

SAY = """
import json
stakes._sort.RADIX_ROWS, stakes._sort.sorts_slowly = 1000, lambda: True  # numba would be asked for, if it were there
found = dict(numbers())
try:
    scorer = metrics.scorer("auc")
except ImportError as error:
    scorer = str(error)
loaded = {name.partition(".")[0] for name in set(sys.modules) - present}
print(json.dumps({"numbers": found, "scorer": scorer, "loaded": sorted(loaded & others)}))
"""


def run(script):
    """Run a script in a process of its own, warnings being errors, and return what it prints as JSON."""
    command = [sys.executable, "-W", "error", "-c", script]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.slow
def test_everything_is_computed_without_other_packages_and_none_is_loaded():
    homes = {home: names for home, names in HOMES.items() if home not in ("frames", "large")}
    found = run(f"HOMES = {homes}\n{WITHOUT}{NUMBERS}{SAY}")
    assert found["loaded"] == []
    assert found["scorer"] == "No module named 'sklearn'"
    for name in set(metrics.__all__) - {"scorer"}:
        for sample in ("few", "many", "many and tied"):
            for what in (f"{name} of {sample}", f"{name} of {sample}, weighted", f"metrics.{name} of {sample}"):
                assert found["numbers"][what], what
                assert np.isfinite(found["numbers"][what]).all(), what


IMPORT = """
import json, sys
import scipy.special  # which may load what it finds beside it
before = set(sys.modules)
import stakes.metrics
stakes.auc(stakes.score_table([0, 1, 1, 0], [0.1, 0.4, 0.35, 0.8]))
print(json.dumps(sorted({name.partition(".")[0] for name in set(sys.modules) - before})))
"""


def test_importing_and_a_small_table_load_nothing_but_numpy_and_scipy():
    installed = set(importlib.metadata.packages_distributions())
    loaded = set(run(IMPORT))
    assert {"numba", "pandas", "sklearn", "matplotlib"} <= installed
    assert loaded & (installed | {"stakes"}) <= {"stakes", "numpy", "scipy"}
    assert "stakes" in loaded

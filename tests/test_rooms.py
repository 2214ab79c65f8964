"""Who may import whom: the borders between the rooms of the house, read from the source itself."""

import ast
import sys
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path
from typing import NamedTuple

import pytest

HOUSE = Path(__file__).parents[1] / "src" / "stakes"

# A room, and the rooms it may import.
DOOR = {"_check", "_special"}
COMPUTED = {"beliefs", "table", "scores", "ranking", "curves", "shift", "limits", "_voros"}
ABOVE = {"cases", "uncertainty", "decision"}
ROOMS = {
    "_check": set(),
    "_special": {"_check"},
    "_whole_file": set(),
    "_radix": set(),
    "_sort": set(),
    "beliefs": DOOR,
    "table": DOOR | {"_sort", "_whole_file"},
    "scores": DOOR | {"table", "beliefs"},
    "ranking": DOOR | {"table"},
    "curves": DOOR | {"table", "beliefs"},
    "bounds": DOOR | {"table", "beliefs", "scores", "ranking", "curves"},
    "shift": DOOR | {"table", "beliefs", "curves"},
    "limits": DOOR | {"table"},
    "_voros": DOOR | {"table", "beliefs", "limits", "curves"},
    "cases": DOOR | {"table"},
    "uncertainty": DOOR | {"table", "cases", "beliefs", "scores", "ranking", "curves", "shift"},
    "decision": DOOR | COMPUTED | {"cases", "uncertainty"},
    "metrics": DOOR | COMPUTED | ABOVE,
    "frames": DOOR | {"table", "scores", "cases", "uncertainty", "decision"},
    "tensors": DOOR | {"table", "beliefs", "scores", "ranking", "curves", "bounds"},
    "plot": DOOR | COMPUTED | ABOVE,
    "report": DOOR | {"_whole_file"} | COMPUTED | ABOVE,
    "datasets": DOOR,
    "__init__": COMPUTED | ABOVE | {"frames"},
    "cli": DOOR | {"_whole_file"} | COMPUTED | ABOVE | {"frames", "report", "datasets", "stakes"},
    "__main__": {"cli", "datasets", "stakes"},
}
# Rooms that may be imported inside a function only, when it is called.
ROOMS_LATE = {
    "_sort": {"_radix"},
    "__init__": {"bounds", "datasets", "metrics", "plot", "tensors"},
    "decision": {"report", "stakes"},  # its version
    "metrics": {"plot"},
}

# The same for other people's packages.
EVERYWHERE = {"numpy", "scipy"}
PACKAGES = {
    "_check": {"numpy"},
    "_whole_file": set(),
    "_radix": {"numpy", "numba"},
    "plot": EVERYWHERE | {"matplotlib"},
    "report": EVERYWHERE | {"jinja2", "markupsafe"},
    "cli": EVERYWHERE | {"click", "rich"},
    "__init__": set(),
    "__main__": {"numpy"},
    "datasets": {"numpy"},
}
PACKAGES_LATE = {
    "cli": {"duckdb", "polars", "dask", "distributed", "pyspark"},
    "metrics": {"sklearn"},
    "curves": {"pandas"},
    "decision": {"pandas"},
    "frames": {"narwhals", "pandas", "polars", "pyarrow", "duckdb", "dask", "pyspark"},
    "tensors": {"torch", "array_api_compat"},
}


class Import(NamedTuple):
    module: str
    late: bool
    line: int


def _for_type_checkers(node: ast.stmt) -> bool:
    return isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)


def _modules(node: ast.AST, package: str) -> list[str]:
    """Return the modules that a node imports, if it does; `package` is where relative names start."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom):
        above = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
        module = ".".join([*above, *([node.module] if node.module else [])])
        return [f"{module}.{alias.name}" for alias in node.names]
    if isinstance(node, ast.Call) and ast.unparse(node.func).endswith(("import_module", "__import__")):
        return [argument.value for argument in node.args[:1] if isinstance(argument, ast.Constant)]
    return []


def imports(source: ast.AST, package: str, *, late: bool = False) -> Iterator[Import]:
    """Every import of a module but those for type checkers; late ones wait until a function is called."""
    for node in ast.iter_child_nodes(source):
        if _for_type_checkers(node):
            yield from imports(ast.Module(node.orelse, []), package, late=late)
            continue
        for module in _modules(node, package):
            yield Import(module, late, node.lineno)
        inside = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        yield from imports(node, package, late=late or inside)


def _judge(room: str, found: Import) -> str | None:
    """Say what an import breaks, if anything."""
    first, *rest = found.module.split(".")
    if first in sys.stdlib_module_names:
        return None
    if first == "stakes":
        # `from stakes import auc` enters by the front door; `from stakes import _check` goes to a room.
        wanted = rest[0] if rest and rest[0] in ROOMS else "stakes"
        now, later = ROOMS[room] | {room}, ROOMS_LATE.get(room, set())
    else:
        wanted = first
        now, later = PACKAGES.get(room, EVERYWHERE), PACKAGES_LATE.get(room, set())
    if wanted in now or (found.late and wanted in later):
        return None
    when = "outside a function" if wanted in later else "at all"
    return f"line {found.line}: {room} may not import {wanted} {when}"


def broken_borders(path: str, source: str) -> list[str]:
    """Say which borders a file breaks; `path` is where it lies in the house."""
    *folders, name = path.removesuffix(".py").split("/")
    room = folders[0] if folders else name
    if room not in ROOMS:
        return [f"{room} is not in the table of rooms"]
    found = imports(ast.parse(source), ".".join(["stakes", *folders]))
    return [text for one in found if (text := _judge(room, one))]


FILES = sorted(str(path.relative_to(HOUSE)) for path in HOUSE.rglob("*.py"))


@pytest.mark.parametrize("path", FILES)
def test_a_file_imports_only_what_its_room_may(path):
    assert broken_borders(path, (HOUSE / path).read_text(encoding="utf-8")) == []


def test_the_files_are_found():
    assert {"__init__.py", "_check.py", "beliefs/__init__.py", "scores.py", "table/_score_table.py"} <= set(FILES)


def test_no_two_rooms_need_each_other():
    TopologicalSorter(ROOMS).prepare()


@pytest.mark.parametrize(
    ("path", "source", "line", "what"),
    [
        # Rooms, by every way of writing it.
        ("beliefs/_beta.py", "from stakes.table import ScoreTable", 1, "table at all"),
        ("beliefs/_beta.py", "import stakes.table", 1, "table at all"),
        ("beliefs/_beta.py", "from stakes import table", 1, "table at all"),
        ("beliefs/_beta.py", "from ..table import flatten", 1, "table at all"),
        ("beliefs/_beta.py", "from .. import table", 1, "table at all"),
        ("ranking.py", "from .beliefs import At", 1, "beliefs at all"),
        ("table/_files.py", "import re\n\nfrom stakes.beliefs._shapes import Beta", 3, "beliefs at all"),
        ("scores.py", "def f():\n    from stakes import curves", 2, "curves at all"),
        ("scores.py", "from stakes import _check, plot, table", 1, "plot at all"),
        ("scores.py", "import importlib\nimportlib.import_module('stakes.plot')", 2, "plot at all"),
        ("scores.py", "from stakes import auc", 1, "stakes at all"),
        ("scores.py", "import stakes", 1, "stakes at all"),
        # Other people's packages.
        ("_check.py", "from scipy import special", 1, "scipy at all"),
        ("scores.py", "from numba import njit", 1, "numba at all"),
        ("scores.py", "import matplotlib.pyplot as plt", 1, "matplotlib at all"),
        ("table/_files.py", "def f():\n    import pandas", 2, "pandas at all"),
        # What may be imported inside a function only.
        ("metrics/_scorer.py", "from sklearn.metrics import auc", 1, "sklearn outside a function"),
        ("metrics.py", "class A:\n    import sklearn", 2, "sklearn outside a function"),
        ("metrics.py", "try:\n    import sklearn\nexcept ImportError:\n    pass", 2, "sklearn outside a function"),
        ("__init__.py", "from stakes import plot", 1, "plot outside a function"),
        ("__init__.py", "from stakes import metrics", 1, "metrics outside a function"),
        ("_sort.py", "from stakes import _radix", 1, "_radix outside a function"),
        ("table/_files.py", "def f():\n    from stakes import _radix", 2, "_radix at all"),
        ("scores.py", "if TYPE_CHECKING:\n    pass\nelse:\n    import pandas", 4, "pandas at all"),
    ],
)
def test_a_bad_import_is_seen(path, source, line, what):
    room = path.removesuffix(".py").partition("/")[0]
    assert broken_borders(path, source) == [f"line {line}: {room} may not import {what}"]


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("beliefs/_beta.py", "from . import _points\nfrom ._points import At\nfrom .._check import number"),
        ("__main__.py", "from stakes import auc\nfrom stakes.datasets import load_cohort"),
        ("scores.py", "import numpy as np\nfrom scipy import special\nimport math, collections.abc"),
        ("_radix.py", "from numba import njit"),
        ("plot/_draw.py", "import matplotlib.pyplot as plt"),
        ("metrics.py", "def f():\n    from sklearn.metrics import auc"),
        ("metrics.py", "class A:\n    def f(self):\n        if self:\n            import sklearn"),
        ("_sort.py", "def f():\n    from stakes import _radix"),
        ("__init__.py", "def __getattr__(name):\n    from stakes import plot"),
        ("scores.py", "if TYPE_CHECKING:\n    import pandas\n    from stakes.plot import draw"),
        ("scores.py", "import typing\nif typing.TYPE_CHECKING:\n    import pandas"),
    ],
)
def test_a_good_import_is_let_through(path, source):
    assert broken_borders(path, source) == []


@pytest.mark.parametrize("path", ["cellar.py", "cellar/__init__.py", "cellar/_wine.py"])
def test_a_room_that_is_not_in_the_table_is_seen(path):
    assert broken_borders(path, "import math") == ["cellar is not in the table of rooms"]

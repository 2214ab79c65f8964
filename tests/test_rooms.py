"""Who may import whom: the borders between the rooms of the house, read from the source itself."""

import ast
import re
import sys
from collections.abc import Iterator
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path
from typing import NamedTuple

import pytest

HOUSE = Path(__file__).parents[1] / "src" / "stakes"
parsed = cache(ast.parse)  # several laws look at each file

# Files at the root that serve every room; they know no room, but for the words of beliefs and limits.
SERVES_ALL = {
    "_arrays",
    "_check",
    "_late",
    "_columns",
    "_errors",
    "_facts",
    "_optional",
    "_roles",
    "_sort",
    "_whole_file",
}
SERVES_ALL |= {
    "_case_columns",
    "_cases_alike",
    "_cost_columns",
    "_groups",
    "_guessing",
    "_html",
    "_input_warning",
    "_language",
    "_predictions",
    "_sealed_file",
    "_spellings",
    "_sql",
    "_wording",
    "_words",
}
# A room, and the other rooms it may import.
NUMBERS = {"table", "beliefs", "measures", "curves"}
ROOMS = {
    "_arrays": set(),
    "_case_columns": set(),
    "_cases_alike": {"cases", "outcome", "table"},
    "_check": set(),
    "_columns": set(),
    "_cost_columns": set(),
    "_errors": set(),
    "_facts": set(),
    "_groups": set(),
    "_guessing": set(),
    "_late": set(),
    "_html": {"_wording"},
    "_input_warning": set(),
    "_language": set(),
    "_optional": set(),
    "_predictions": set(),
    "_radix": set(),
    "_roles": set(),
    "_sort": set(),
    "_spellings": set(),
    "_sql": set(),
    "_sealed_file": set(),
    "_whole_file": set(),
    "_wording": {"beliefs", "limits"},
    "_words": set(),
    "beliefs": set(),
    "outcome": set(),
    "case_costs": {"beliefs"},
    "table": {"case_costs", "outcome"},
    "measures": {"table", "beliefs"},
    "curves": {"table", "beliefs", "outcome"},
    "prevalence": NUMBERS,
    "limits": NUMBERS,
    "policy": NUMBERS | {"case_costs", "limits"},
    "cases": {"case_costs", "outcome", "table"},
    "uncertainty": NUMBERS | {"cases", "outcome"},
    "reading": set(),
    "frames": {"case_costs", "outcome", "reading", "table", "beliefs", "cases", "measures", "uncertainty"},
    "large": {"frames", "table", "measures"},
    "bounds": NUMBERS | {"large"},
    "tensors": NUMBERS | {"case_costs", "large", "bounds"},
    "evaluation": NUMBERS | {"case_costs", "outcome", "prevalence", "limits", "policy", "cases", "uncertainty"},
    "metrics": NUMBERS | {"case_costs", "outcome", "prevalence", "limits"},
    "plot": NUMBERS
    | {"case_costs", "prevalence", "limits", "policy", "cases", "uncertainty", "evaluation"}
    | {"monitoring", "planning", "sites"},
    "report": NUMBERS | {"prevalence", "limits", "policy", "cases", "uncertainty", "evaluation", "planning"},
    "estimators": {"policy"},
    "planning": {"beliefs", "cases", "measures", "prevalence", "table", "uncertainty"},
    "sites": NUMBERS | {"cases", "uncertainty"},
    "monitoring": NUMBERS | {"prevalence", "limits", "policy", "cases", "uncertainty"},
    "datasets": set(),
    "typing": {"beliefs", "limits", "measures", "evaluation"},
    "cli": NUMBERS
    | {"limits", "policy", "evaluation", "frames", "datasets", "monitoring", "outcome", "planning", "sites", "cases"}
    | {"case_costs"}
    | {"uncertainty", "stakes"},
    "__init__": NUMBERS
    | {
        "case_costs",
        "outcome",
        "prevalence",
        "limits",
        "policy",
        "cases",
        "uncertainty",
        "evaluation",
        "frames",
        "large",
    },
    "__main__": {"cli", "datasets", "stakes"},
}
# What may be imported inside a function only, when it is called.
ROOMS_LATE = {
    "_sort": {"_radix"},
    "cases": {"_cases_alike"},
    "__init__": {"bounds", "datasets", "estimators", "metrics", "monitoring", "planning", "plot", "sites"}
    | {"tensors", "typing"},
    "evaluation": {"estimators", "frames", "report", "stakes"},  # its version
    "metrics": {"plot"},
    "cli": {"report"},
}

# The same for other people's packages.
EVERYWHERE = {"numpy", "scipy"}
PACKAGES = {
    "_check": {"numpy"},
    "_errors": set(),
    "_input_warning": set(),
    "_optional": set(),
    "_sealed_file": set(),
    "_whole_file": set(),
    "_radix": {"numpy", "numba"},
    "plot": EVERYWHERE | {"matplotlib"},
    "report": EVERYWHERE | {"jinja2", "markupsafe"},
    "cli": EVERYWHERE | {"click", "rich"},
    "estimators": EVERYWHERE | {"sklearn"},
    "__init__": set(),
    "__main__": {"numpy"},
    "datasets": {"numpy"},
}
PACKAGES_LATE = {
    "metrics": {"sklearn"},
    "curves": {"pandas"},
    "evaluation": {"pandas", "sklearn"},
    "frames": {"narwhals", "pandas", "polars", "pyarrow", "duckdb", "dask", "distributed", "pyspark"},
    "large": {"narwhals", "pyarrow", "duckdb"},
    "reading": {"pyarrow", "pyreadstat", "python_calamine"},
    "tensors": {"torch", "array_api_compat"},
}

# Names that still stand for two things; these lists may only become shorter.
FILES_TWICE: set[str] = set()
CLASSES_TWICE: set[str] = set()
# Files that still pass a door.
PAST_DOORS: set[str] = set()


class Import(NamedTuple):
    module: str
    late: bool
    line: int


def _for_type_checkers(node: ast.stmt) -> bool:
    return isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)


def _last_name(called: ast.expr) -> str:
    """Return `g` of `f.g` and of `g`."""
    return called.attr if isinstance(called, ast.Attribute) else called.id if isinstance(called, ast.Name) else ""


def _modules(node: ast.AST, package: str) -> list[str]:
    """Return the modules that a node imports, if it does; `package` is where relative names start."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom):
        above = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
        module = ".".join([*above, *([node.module] if node.module else [])])
        return [f"{module}.{alias.name}" for alias in node.names]
    if isinstance(node, ast.Call) and _last_name(node.func) in {"import_module", "__import__"}:
        return [argument.value for argument in node.args[:1] if isinstance(argument, ast.Constant)]
    return []


def imports(source: ast.AST, package: str) -> Iterator[Import]:
    """Every import of a module but those for type checkers; late ones wait until a function is called."""
    left: list[tuple[ast.AST, bool]] = [(source, False)]
    while left:
        node, late = left.pop()
        if isinstance(node, ast.If) and _for_type_checkers(node):
            left += ((one, late) for one in node.orelse)
            continue
        for module in _modules(node, package):
            yield Import(module, late, node.lineno)
        late |= isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        left += ((one, late) for one in ast.iter_child_nodes(node))


def _judge(room: str, found: Import) -> str | None:
    """Say what an import breaks, if anything."""
    first, *rest = found.module.split(".")
    if first in sys.stdlib_module_names:
        return None
    if first == "stakes":
        # `from stakes import auc` enters by the front door; `from stakes import _check` goes to a room.
        wanted = rest[0] if rest and rest[0] in ROOMS else "stakes"
        now, later = (
            ROOMS[room] | {room} | (SERVES_ALL - {"_wording"} if room in SERVES_ALL else SERVES_ALL),
            ROOMS_LATE.get(room, set()),
        )
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
    found = imports(parsed(source), ".".join(["stakes", *folders]))
    return [text for one in found if (text := _judge(room, one))]


FILES = sorted(str(path.relative_to(HOUSE)) for path in HOUSE.rglob("*.py"))

SOURCES = {path: (HOUSE / path).read_text(encoding="utf-8") for path in FILES}


def test_a_file_imports_only_what_its_room_may():
    broken = {path: broken_borders(path, source) for path, source in SOURCES.items()}
    assert {path: found for path, found in broken.items() if found} == {}


def test_the_files_are_found():
    assert {"__init__.py", "_check.py", "beliefs/__init__.py", "cases.py", "table/_score_table.py"} <= set(FILES)


def test_no_two_rooms_need_each_other():
    TopologicalSorter(ROOMS).prepare()


@pytest.mark.parametrize(
    ("path", "source", "line", "what"),
    [
        # Rooms, by every way of writing it.
        ("beliefs/_shapes.py", "from stakes.table import ScoreTable", 1, "table at all"),
        ("beliefs/_shapes.py", "import stakes.table", 1, "table at all"),
        ("beliefs/_shapes.py", "from stakes import table", 1, "table at all"),
        ("beliefs/_shapes.py", "from ..table import flatten", 1, "table at all"),
        ("beliefs/_shapes.py", "from .. import table", 1, "table at all"),
        ("cases.py", "from .beliefs import At", 1, "beliefs at all"),
        ("table/_table_file.py", "import re\n\nfrom stakes.beliefs._shapes import Beta", 3, "beliefs at all"),
        ("measures/_skill.py", "def f():\n    from stakes import curves", 2, "curves at all"),
        ("measures/_skill.py", "from stakes import _check, plot, table", 1, "plot at all"),
        ("measures/_skill.py", "import importlib\nimportlib.import_module('stakes.plot')", 2, "plot at all"),
        ("measures/_skill.py", "from stakes import auc", 1, "stakes at all"),
        ("measures/_skill.py", "import stakes", 1, "stakes at all"),
        # Other people's packages.
        ("_check.py", "from scipy import special", 1, "scipy at all"),
        ("measures/_skill.py", "from numba import njit", 1, "numba at all"),
        ("measures/_skill.py", "import matplotlib.pyplot as plt", 1, "matplotlib at all"),
        ("table/_table_file.py", "def f():\n    import pandas", 2, "pandas at all"),
        # What may be imported inside a function only.
        ("metrics/_scorer.py", "from sklearn.metrics import auc", 1, "sklearn outside a function"),
        ("metrics/_scorer.py", "class A:\n    import sklearn", 2, "sklearn outside a function"),
        (
            "metrics/_scorer.py",
            "try:\n    import sklearn\nexcept ImportError:\n    pass",
            2,
            "sklearn outside a function",
        ),
        ("__init__.py", "from stakes import plot", 1, "plot outside a function"),
        ("__init__.py", "from stakes import metrics", 1, "metrics outside a function"),
        ("_sort.py", "from stakes import _radix", 1, "_radix outside a function"),
        ("table/_table_file.py", "def f():\n    from stakes import _radix", 2, "_radix at all"),
        ("measures/_skill.py", "if TYPE_CHECKING:\n    pass\nelse:\n    import pandas", 4, "pandas at all"),
    ],
)
def test_a_bad_import_is_seen(path, source, line, what):
    room = path.removesuffix(".py").partition("/")[0]
    assert broken_borders(path, source) == [f"line {line}: {room} may not import {what}"]


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("beliefs/_shapes.py", "from . import _points\nfrom ._points import At\nfrom .._check import number"),
        ("__main__.py", "from stakes import auc\nfrom stakes.datasets import load_cohort"),
        ("measures/_skill.py", "import numpy as np\nfrom scipy import special\nimport math, collections.abc"),
        ("_radix.py", "from numba import njit"),
        ("plot/_draw.py", "import matplotlib.pyplot as plt"),
        ("metrics/_scorer.py", "def f():\n    from sklearn.metrics import auc"),
        ("metrics/_scorer.py", "class A:\n    def f(self):\n        if self:\n            import sklearn"),
        ("_sort.py", "def f():\n    from stakes import _radix"),
        ("__init__.py", "def __getattr__(name):\n    from stakes import plot"),
        ("measures/_skill.py", "if TYPE_CHECKING:\n    import pandas\n    from stakes.plot import draw"),
        ("measures/_skill.py", "import typing\nif typing.TYPE_CHECKING:\n    import pandas"),
    ],
)
def test_a_good_import_is_let_through(path, source):
    assert broken_borders(path, source) == []


@pytest.mark.parametrize("path", ["cellar.py", "cellar/__init__.py", "cellar/_wine.py"])
def test_a_room_that_is_not_in_the_table_is_seen(path):
    assert broken_borders(path, "import math") == ["cellar is not in the table of rooms"]


# --------------------------------------------------------------------------------------------------- doors


def _doors(path: Path) -> dict[str, list[str]]:
    """Return what a door says: the names for users, those for other rooms, and all that it imports from inside."""
    found: dict[str, list[str]] = {"__all__": [], "SHARED": [], "imported": []}
    tree = parsed(path.read_text(encoding="utf-8"))
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(f"stakes.{path.parent.name}."):
            found["imported"] += [alias.name for alias in node.names]
    for node in tree.body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) in found:
            found[ast.unparse(node.targets[0])] = list(ast.literal_eval(node.value))
    return found


DOORS = {path.parent.name: _doors(path) for path in HOUSE.glob("*/__init__.py")}


def _dotted(node: ast.expr) -> str:
    """Return `a.b.c` of an attribute of an attribute of a name; nothing of anything else."""
    if isinstance(node, ast.Name):
        return node.id
    before = _dotted(node.value) if isinstance(node, ast.Attribute) else ""
    return f"{before}.{node.attr}" if before and isinstance(node, ast.Attribute) else ""


def _taken(tree: ast.AST, package: str) -> Iterator[tuple[str, ast.expr | ast.stmt]]:
    """Every dotted name of the house that a file imports, or takes from a room that it has imported whole."""
    whole = {"stakes": "stakes"}
    for node in ast.walk(tree):
        yield from ((module, node) for module in _modules(node, package))
        if isinstance(node, ast.ImportFrom) and _modules(node, package)[0].count(".") == 1:
            whole |= {alias.asname or alias.name: f"stakes.{alias.name}" for alias in node.names}
    chains = [node for node in ast.walk(tree) if isinstance(node, ast.Attribute)]
    begun = {node.value for node in chains}  # the beginnings of longer chains
    for node in chains:
        first, _, rest = _dotted(node).partition(".")
        if first in whole and node not in begun:
            yield f"{whole[first]}.{rest}", node


def _is_past_the_door(name: str, room: str) -> bool:
    """Return whether a dotted name of the house is another room's own: not offered there, or private in a file."""
    first, *inside = name.split(".")
    if first != "stakes" or len(inside) < 2 or inside[0] == room:
        return False
    other, taken, *further = inside
    if other not in DOORS:
        return other in ROOMS and other not in SERVES_ALL and taken.startswith("_") and not taken.endswith("__")
    if taken.endswith("__"):
        return False
    is_private = any(one.startswith("_") and not one.endswith("__") for one in further)
    return is_private or taken not in {*DOORS[other]["__all__"], *DOORS[other]["SHARED"]}


def passed_doors(path: str, source: str) -> list[str]:
    """Say which names of other rooms a file takes past their doors."""
    *folders, name = path.removesuffix(".py").split("/")
    room = folders[0] if folders else name
    found = _taken(parsed(source), ".".join(["stakes", *folders]))
    wrong = {node: f"line {node.lineno}: {ast.unparse(node)}" for one, node in found if _is_past_the_door(one, room)}
    return list(wrong.values())


def test_a_file_enters_other_rooms_by_their_doors():
    assert {path for path, source in SOURCES.items() if passed_doors(path, source)} == set(PAST_DOORS)


@pytest.mark.parametrize(
    "source",
    [
        "from stakes.table._isotonic import blocks",
        "from stakes.table import secret",
        "from stakes.cases import _secret",
        "from stakes.table import _isotonic",
        "from ..table._isotonic import blocks",
        "import stakes.table._isotonic",
        "importlib.import_module('stakes.table._isotonic')",
    ],
)
def test_a_way_past_a_door_is_seen(source):
    assert passed_doors("curves/_steps.py", source) == [f"line 1: {source}"]


def test_a_name_taken_from_a_whole_room_is_seen():
    whole = "from stakes import table\ntable._isotonic.blocks()"
    assert passed_doors("curves/_steps.py", whole) == ["line 2: table._isotonic.blocks"]
    assert passed_doors("curves/_steps.py", "import stakes\nstakes.table.secret") == ["line 2: stakes.table.secret"]


@pytest.mark.parametrize(
    "source", ["from stakes.table import merge", "from stakes import table\ntable.merge", "from stakes import _check"]
)
def test_a_way_by_the_door_is_let_through(source):
    assert passed_doors("curves/_steps.py", source) == []


@pytest.mark.parametrize("source", ["from stakes.table._isotonic import blocks", "from . import _isotonic"])
def test_a_room_may_enter_its_own_files(source):
    assert passed_doors("table/_reshape.py", source) == []


@pytest.mark.parametrize("room", DOORS)
def test_a_door_offers_each_name_once_and_all_that_it_imports(room):
    offered = [*DOORS[room]["__all__"], *DOORS[room]["SHARED"]]
    assert sorted(offered) == sorted(set(offered))
    assert set(DOORS[room]["imported"]) <= set(offered)


@pytest.fixture(scope="module")
def used() -> dict[str, dict[str, set[str]]]:
    """Return which names each file imports from each module."""
    found: dict[str, dict[str, set[str]]] = {path: {} for path in FILES}
    for path in FILES:
        for node in ast.walk(parsed(SOURCES[path])):
            if isinstance(node, ast.ImportFrom) and node.module:
                found[path].setdefault(node.module, set()).update(alias.name for alias in node.names)
    return found


@pytest.mark.parametrize("room", DOORS)
def test_what_is_shared_is_used_by_another_room(room, used):
    others = [names for path, names in used.items() if not path.startswith(f"{room}/")]
    assert set(DOORS[room]["SHARED"]) <= set().union(*(names.get(f"stakes.{room}", ()) for names in others))


# ------------------------------------------------------------------------------------------ one name, one thing


def test_no_two_files_have_one_name():
    names = [path.rpartition("/")[2] for path in FILES if not path.endswith("__init__.py")]
    assert {name for name in names if names.count(name) > 1} == FILES_TWICE


def test_no_two_classes_have_one_name():
    homes: dict[str, set[str]] = {}
    for path in FILES:
        for node in ast.walk(parsed((HOUSE / path).read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef):
                homes.setdefault(node.name, set()).add(path)
    assert {name for name, places in homes.items() if len(places) > 1} == CLASSES_TWICE


def test_the_page_for_developers_names_every_room_and_every_file_that_serves_all():
    page = (Path(__file__).parents[1] / "docs" / "development.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`(\w+)(?:\.py|/)`", page))
    assert ROOMS.keys() - {"__init__", "__main__"} - named == set()

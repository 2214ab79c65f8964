"""How the house is written: short files and functions, first lines that say what a thing is, nothing kept."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

HOUSE = Path(__file__).parents[1] / "src" / "stakes"
FILES = sorted(str(path.relative_to(HOUSE)) for path in HOUSE.rglob("*.py"))

MOST_LINES, MOST_IN_A_BODY, LONGEST_FIRST_LINE = 300, 25, 100
# Longer than that, and why each is better whole.
LONG_FILES: dict[str, str] = {
    "_wording.py": "how numbers, beliefs and limits read, one after another",
    "metrics/_array_numbers.py": "23 typed signatures of one shape, one after another",
    "curves/_curve.py": "one class, most of it the documentation of its methods",
    "tensors/_tensor_table.py": "one class and its two makers, most of it documentation",
    "tensors/_torch_metric.py": "one class and its maker, most of it documentation",
}
LONG_BODIES: dict[str, str] = {}
# Where text is taken apart by patterns: what people type, what files hold, what a page is made of. Never a message.
READS_PATTERNS = {
    "_cost_columns.py",
    "_language.py",
    "report/_in_language.py",
    "report/_own_words.py",
    "report/_squeezing.py",
    "beliefs/_grammar.py",
    "cli/_options.py",
    "frames/_file_formats.py",
    "frames/_scan.py",
    "reading/_layout.py",
    "reading/_notation.py",
    "reading/_records.py",
    "table/_table_file.py",
}
# Where the words of an engine, or of Python, are handed on as they are.
QUOTING = {
    "cli/_process.py",
    "cli/_run.py",
    "frames/_data_file.py",
    "frames/_engines.py",
    "frames/_frame.py",
    "frames/_scan.py",
}
# What is kept: the registry of measures, filled while the package is loaded, and when a process has summed enough
# rows on a device for a compiler to pay.
FILLED: set[str] = {"measures/_measure.py", "tensors/_device.py"}
# Functions that remember what they answered, none of which is asked about a sample: by file, what they remember.
REMEMBERED: dict[str, str] = {
    "_language.py": "texts of a language",
    "_sort.py": "how fast NumPy sorts on this machine",
    "beliefs/_quadrature.py": "rules of quadrature",
    "frames/_poisson.py": "quantiles of a Poisson law",
    "tensors/_block_sums.py": "sums of a formula as written for a device, and the numbers in it",
    "tensors/_cells.py": "sums as written for a device",
    "tensors/_device.py": "compiled functions, and whether there is a compiler",
    "tensors/_door.py": "sums as written for a device",
    "tensors/_tensor_table.py": "formulas of the losses of a belief",
    "uncertainty/_joint_law.py": "rules and points of quadrature",
}

# How a first line does not begin or sound: what is meant is a noun or a verb, and the field's word.
UNWANTED = re.compile(
    r"^(Refuse|What|Judge|Said|Told)\b|\b(shall|so many|what is|will do)\b"
    r"|^[A-Z][a-z]+(ed|ing)\b(?! (of|for|curve|cost))",
    re.A,
)


@cache
def text(path: str) -> str:
    return (HOUSE / path).read_text(encoding="utf-8")


@cache
def tree(path: str) -> ast.Module:
    return ast.parse(text(path))


def documented(path: str) -> Iterator[tuple[str, str]]:
    """Every docstring of a file, with the name of what it describes."""
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            described = ast.get_docstring(node)
            if described:
                yield f"{path}:{getattr(node, 'name', '')}", described.splitlines()[0]


def body_lines(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """How many lines a function has without its signature and its docstring."""
    first = node.body[1:] if ast.get_docstring(node) is not None else node.body
    return 0 if not first else (first[-1].end_lineno or 0) - first[0].lineno + 1


# Each law looks at all files at once: a test for each would take longer to collect and to report than to run.


def test_a_file_fits_on_a_few_screens():
    assert {path for path in FILES if len(text(path).splitlines()) > MOST_LINES} == set(LONG_FILES)


def test_a_function_fits_on_a_screen():
    long = {
        f"{path}:{node.name}"
        for path in FILES
        for node in ast.walk(tree(path))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and body_lines(node) > MOST_IN_A_BODY
    }
    assert long == set(LONG_BODIES)


def test_a_first_line_says_what_a_thing_is():
    lines = dict(each for path in FILES for each in documented(path))
    assert {name: one for name, one in lines.items() if len(one) > LONGEST_FIRST_LINE or UNWANTED.search(one)} == {}


def imported(module: ast.Module) -> set[str]:
    """Modules that a file imports, whole or a name of theirs."""
    nodes = list(ast.walk(module))
    whole = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    return whole | {node.module for node in nodes if isinstance(node, ast.ImportFrom) and node.module}


def test_no_pattern_is_matched_against_a_message():
    assert {path for path in FILES if "re" in imported(tree(path))} == READS_PATTERNS


@pytest.mark.parametrize("source", ["import re", "from re import match", "def f():\n    import re as patterns"])
def test_an_import_of_patterns_is_seen(source):
    assert "re" in imported(ast.parse(source))


def called(path: str) -> Iterator[tuple[str, list[ast.expr]]]:
    """Every plain name that a file calls, with what it is given."""
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            yield node.func.id, node.args


def test_bad_input_is_said_by_fields_and_nobody_reads_a_message():
    calls = [(path, *call) for path in FILES for call in called(path)]
    assert {path for path, name, _ in calls if name in {"ValueError", "TypeError"}} == set()
    texts = {path for path, name, given in calls if name == "str" and given and ast.unparse(given[0]) == "error"}
    assert texts == QUOTING


def test_nobody_replaces_how_warnings_are_shown():
    assert [path for path in FILES if "showwarning" in text(path)] == []


# Methods that change a list, a set, a dict or a deque.
CHANGES = {"append", "appendleft", "extend", "insert", "add", "update", "setdefault"}
CHANGES |= {"pop", "popitem", "popleft", "remove", "discard", "clear"}


def changed(module: ast.Module) -> set[str]:
    """Names of a module that its own functions change: what would be kept from one call to the next."""
    own = {
        target.id
        for node in module.body
        if isinstance(node, ast.Assign | ast.AnnAssign)
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
        if isinstance(target, ast.Name)
    }
    found = set()
    for function in ast.walk(module):
        if not isinstance(function, ast.FunctionDef):
            continue
        local = {argument.arg for argument in ast.walk(function) if isinstance(argument, ast.arg)}
        local |= {
            node.id for node in ast.walk(function) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
        }
        shared = {name for node in ast.walk(function) if isinstance(node, ast.Global) for name in node.names}
        local -= shared
        found |= shared
        for node in ast.walk(function):
            if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store | ast.Del):
                found |= {node.value.id} if isinstance(node.value, ast.Name) else set()
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                of, method = node.func.value, node.func.attr
                if isinstance(of, ast.Name) and method in CHANGES:
                    found.add(of.id)
        found -= local
    return found & own


def test_nothing_is_kept_from_one_call_to_the_next():
    assert {path for path in FILES if changed(tree(path))} == FILLED


def remembering(module: ast.Module) -> bool:
    """Whether a function of a module remembers its answers; those of an object are gone with it."""
    names = {"cache", "lru_cache", "functools.cache", "functools.lru_cache"}
    marks = [mark for node in ast.walk(module) if isinstance(node, ast.FunctionDef) for mark in node.decorator_list]
    return any(ast.unparse(mark).partition("(")[0] in names for mark in marks)


def test_only_functions_that_see_no_sample_remember_their_answers():
    assert {path for path in FILES if remembering(tree(path))} == set(REMEMBERED)


@pytest.mark.parametrize(
    "source",
    [
        "KEPT = {}\ndef f(x):\n    KEPT[x] = 1",
        "KEPT = None\ndef f(x):\n    global KEPT\n    KEPT = x",
        "KEPT = []\ndef f(x):\n    KEPT.append(x)",
        "KEPT = []\ndef f(x):\n    KEPT.extend(x)",
    ],
)
def test_what_is_kept_is_seen(source):
    assert changed(ast.parse(source)) == {"KEPT"}

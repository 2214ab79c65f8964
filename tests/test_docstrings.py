"""Every public name is explained: what it is, what it takes and gives, and an example, which pytest runs."""

import functools
import inspect
import itertools
import re
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest
from homes import everything

import stakes
from stakes import bounds, metrics, tensors


def sections(doc):
    """Return the text of each section of a docstring by its title; what comes before the first has none."""
    found, title = {"": []}, ""
    lines = [*inspect.cleandoc(doc).splitlines(), ""]
    for line, below in itertools.pairwise(lines):
        if below and set(below) == {"-"} and len(below) == len(line):
            title = line
            found[title] = []
        elif not (title and set(line) == {"-"}):
            found[title].append(line)
    return {title: "\n".join(text).strip("\n") for title, text in found.items()}


def described(text):
    """Return the names that a section describes: ``low, high : float`` describes two."""
    heads = [line for line in text.splitlines() if line and not line.startswith(" ")]
    return [name.strip().lstrip("*") for head in heads for name in head.partition(" : ")[0].split(",")]


def taken(thing):
    """Return the names of the parameters of a function, or of those that make an object of a class."""
    if inspect.isclass(thing) and getattr(thing, "_is_protocol", False):
        return []
    return [name for name in inspect.signature(thing).parameters if name not in ("self", "cls")]


def faults(thing):
    """Say what a docstring of a function or a class lacks."""
    doc = sections(thing.__doc__ or "")
    said, names = described(doc.get("Parameters") or doc.get("Attributes") or ""), taken(thing)
    gives = not inspect.isclass(thing) and inspect.signature(thing).return_annotation not in (None, "None")
    examples = doc.get("Examples", "")
    wrong = {
        "no first line": not doc[""].splitlines()[:1] or not doc[""].splitlines()[0].endswith((".", ":")),
        "no blank line after the first": len(doc[""].splitlines()) > 1 and doc[""].splitlines()[1] != "",
        "no Returns": gives and not doc.get("Returns"),
        "no example": ">>> " not in examples,
        "an example that does not say where the name comes from": ">>> " in examples and "import " not in examples,
    }
    missing = [f"no word about {name}" for name in names if name not in said]
    stale = [
        f"a word about {name}, which is not taken" for name in described(doc.get("Parameters", "")) if name not in names
    ]
    return [fault for fault, is_so in wrong.items() if is_so] + missing + stale


def members(cls):
    """Public methods and properties that a class has of its own."""
    kinds = (property, functools.cached_property, classmethod, staticmethod)
    return [
        (name, member)
        for name, member in vars(cls).items()
        if not name.startswith("_") and (isinstance(member, kinds) or inspect.isfunction(member))
    ]


MODULES = (bounds, metrics, tensors)
PUBLIC = everything() | {
    f"{module.__name__}.{name}": getattr(module, name) for module in MODULES for name in module.__all__
}
MEMBERS = {
    f"{path}.{name}": member
    for path, thing in PUBLIC.items()
    if inspect.isclass(thing)
    for name, member in members(thing)
}


@pytest.mark.parametrize("path", PUBLIC)
def test_a_public_name_is_explained(path):
    assert faults(PUBLIC[path]) == []


@pytest.mark.parametrize("path", MEMBERS)
def test_a_method_or_property_has_a_line(path):
    line = (inspect.getdoc(MEMBERS[path]) or "").partition("\n")[0]
    assert line.endswith((".", ":"))


@pytest.mark.parametrize("path", [path for path in MEMBERS if "Parameters\n" in (MEMBERS[path].__doc__ or "")])
def test_a_method_that_describes_what_it_takes_describes_all_of_it(path):
    member = MEMBERS[path]
    member = getattr(member, "__func__", member)
    assert described(sections(member.__doc__)["Parameters"]) == taken(member)


# ------------------------------------------------------------------------------------------- the checker itself


def well_explained(table, *, low=0.0, high=1.0, **rest) -> float:
    """Say a number.

    Parameters
    ----------
    table : ScoreTable
        The sample.
    low, high : float, keyword-only
        Range.
    **rest
        More.

    Returns
    -------
    float
        The number.

    Examples
    --------
    >>> import math
    """
    return low + high


def not_explained(table, costs) -> float: ...


def badly_explained(table, *, low=0.0) -> float:
    """Say a number
    and more.

    Parameters
    ----------
    table : ScoreTable
        The sample, low and behold.
    lo : float
        Range.

    Examples
    --------
    Think of a number.
    """  # noqa: D205
    return low


def gives_nothing(table) -> None:
    """Do it.

    Parameters
    ----------
    table : ScoreTable
        The sample.

    Examples
    --------
    >>> gives_nothing([0, 1])
    """


class Explained:
    """A thing.

    Attributes
    ----------
    low, high : float
        Ends.

    Examples
    --------
    >>> import math
    """

    def __init__(self, low, high):
        self.low, self.high = low, high

    @property
    def width(self):
        """How wide."""

    @classmethod
    def of(cls, table):
        pass

    def move(self, by):
        pass

    def _hidden(self):
        pass


@pytest.mark.parametrize(
    ("thing", "expected"),
    [
        (well_explained, []),
        (Explained, []),
        (not_explained, ["no first line", "no Returns", "no example", "no word about table", "no word about costs"]),
        (
            badly_explained,
            [
                "no first line",
                "no blank line after the first",
                "no Returns",
                "no example",
                "no word about low",
                "a word about lo, which is not taken",
            ],
        ),
        (gives_nothing, ["an example that does not say where the name comes from"]),
    ],
)
def test_the_checker_sees_what_is_missing(thing, expected):
    assert faults(thing) == expected


def test_the_checker_sees_every_public_member():
    assert [name for name, _ in members(Explained)] == ["width", "of", "move"]


def leads_nowhere(path):
    """Return whether a dotted name, such as ``stakes.large.quantise``, stands for nothing."""
    found, *names = path.split(".")
    thing = import_module(found)
    for name in names:
        found = f"{found}.{name}"
        if not hasattr(thing, name) and (not hasattr(thing, "__path__") or find_spec(found) is None):
            return True
        thing = getattr(thing, name) if hasattr(thing, name) else import_module(found)
    return False


def test_names_in_docstrings_lead_somewhere():
    named = {
        (path.name, found)
        for path in Path(stakes.__file__).parent.rglob("*.py")
        for found in re.findall(r"`(stakes(?:\.[A-Za-z]\w*)+)", path.read_text(encoding="utf-8"))
    }
    assert len(named) > 40
    assert sorted((file, name) for file, name in named if leads_nowhere(name)) == []


@pytest.mark.parametrize(
    ("name", "wrong"),
    [("stakes.quantise", True), ("stakes.large.quantise", False), ("stakes.auc", False), ("stakes.large", False)],
)
def test_a_name_that_has_moved_leads_nowhere(name, wrong):
    assert leads_nowhere(name) is wrong

"""Public names: a directive that documents them, and links to them wherever a page or a docstring mentions one."""

from __future__ import annotations

import importlib
import inspect
import re
from collections.abc import Iterator

from docutils import nodes
from docutils.statemachine import StringList
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util.docutils import SphinxDirective
from sphinx.util.nodes import make_refnode

# Where a name may be found, nearest first: `auc` is `stakes.auc`, although `stakes.metrics.auc` is public too.
ROOMS = (
    "stakes",
    "stakes.beliefs",
    "stakes.table",
    "stakes.measures",
    "stakes.curves",
    "stakes.prevalence",
    "stakes.limits",
    "stakes.policy",
    "stakes.cases",
    "stakes.case_costs",
    "stakes.outcome",
    "stakes.uncertainty",
    "stakes.evaluation",
    "stakes.estimators",
    "stakes.planning",
    "stakes.monitoring",
    "stakes.sites",
    "stakes.plot",
    "stakes.frames",
    "stakes.large",
    "stakes.tensors",
    "stakes.bounds",
    "stakes.report",
    "stakes.datasets",
    "stakes.typing",
    "stakes.metrics",
)
CALL = re.compile(r"(?:stakes\.)?([A-Za-z_][\w.]*)(?:\(.*\))?", re.DOTALL)
LINKED = nodes.reference | nodes.title | addnodes.pending_xref  # titles are links in the contents
CLASS = re.compile(r"\b([A-Z]\w+)\b")


def setup(app: Sphinx) -> dict[str, bool]:
    """Tell Sphinx about the directive ``names`` and the links."""
    app.add_directive("names", Names)
    app.connect("doctree-read", link_code)
    app.connect("doctree-read", link_types)
    app.connect("missing-reference", find_name)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


class Names(SphinxDirective):
    """Document names of a module: a table of their first lines, then the docstring of each.

    Without a list, all functions and classes that the module offers.

    .. code-block:: rst

        .. names:: stakes

            expected_regret
            net_benefit
    """

    required_arguments = 1
    has_content = True

    def run(self) -> list[nodes.Node]:
        """Write the directives of Sphinx for all names, and read them as if they stood on the page."""
        (module,) = self.arguments
        names = [line.strip() for line in self.content if line.strip()] or functions_and_classes(module)
        places = [shortest_place(module, name) for name in names]
        source = "\n".join([table(places), *map(entry, places)])
        inside = nodes.section()
        inside.document = self.state.document
        self.state.nested_parse(StringList(source.splitlines(), self.get_source_info()[0]), 0, inside)
        return inside.children


def public_names(module: str) -> list[str]:
    """Return the names that a module lists for users."""
    return list(importlib.import_module(module).__all__)


def functions_and_classes(module: str) -> list[str]:
    """Return what a module offers and Sphinx can document by itself; a constant needs words on the page."""
    return [name for name in public_names(module) if callable(resolve(module, name))]


def resolve(module: str, name: str) -> object:
    """Return what a name stands for."""
    return getattr(importlib.import_module(module), name)


def shortest_place(module: str, name: str) -> tuple[str, str]:
    """Return where users find a name: at the front, if it is offered there too."""
    at_the_front = name in public_names("stakes") and resolve("stakes", name) is resolve(module, name)
    return ("stakes" if at_the_front else module), name


def table(places: list[tuple[str, str]]) -> str:
    """Write a table with the first line of each name's docstring."""
    rows = "\n".join(f"   ~{module}.{name}" for module, name in places)
    return f".. autosummary::\n   :nosignatures:\n\n{rows}\n"


def entry(place: tuple[str, str]) -> str:
    """Write the directive that documents one name."""
    thing, path = resolve(*place), ".".join(place)
    if not inspect.isclass(thing):
        return f".. autofunction:: {path}\n"
    others = ", ".join(base.__name__ for base in thing.__mro__ if not base.__module__.startswith("stakes"))
    return f".. autoclass:: {path}\n   :members:\n   :inherited-members: {others}\n"


def link_code(app: Sphinx, page: nodes.document) -> None:
    """Make each public name in code type, such as ``auc(table)``, a link to its reference."""
    for literal in list(page.findall(nodes.literal)):
        if literal.astext().startswith("-"):
            literal["classes"].append("command-option")  # no line may end at its hyphens
        call = CALL.fullmatch(literal.astext())
        is_ours = call and is_public(call[1]) and not is_of_another_package(literal)
        if call and is_ours and not isinstance(literal.parent, LINKED):
            literal.replace_self(link(app, call[1], literal))


def is_of_another_package(literal: nodes.literal) -> bool:
    """Whether code stands in the first column of a table that translates what "you write" into ours."""
    cell = literal
    while cell is not None and not isinstance(cell, nodes.entry):
        cell = cell.parent
    if cell is None or cell.parent.index(cell):
        return False
    heading = next(iter(cell.parent.parent.parent.findall(nodes.thead)), None)
    return heading is not None and heading.astext().startswith("you write")


def link_types(app: Sphinx, page: nodes.document) -> None:
    """Make each public class in the types of parameters and results, such as *ScoreTable or None*, a link."""
    for word in [*page.findall(nodes.classifier), *filter(is_type, page.findall(nodes.term))]:
        pieces = CLASS.split(word.astext())  # text and names by turns
        word.clear()
        for turn, piece in enumerate(pieces):
            word += link(app, piece, nodes.inline("", piece)) if turn % 2 and is_public(piece) else nodes.Text(piece)


def is_type(term: nodes.term) -> bool:
    """Whether a term is the type of a result, which has no name before it."""
    in_field = isinstance(term.parent.parent.parent.parent, nodes.field)
    return in_field and all(isinstance(part, nodes.Text) for part in term.children)


def link(app: Sphinx, path: str, shown: nodes.Element) -> addnodes.pending_xref:
    """Return a link to a public name, to be resolved when all pages are read."""
    return addnodes.pending_xref(
        "", shown.deepcopy(), refdomain="py", reftype="obj", reftarget=path, refdoc=app.env.docname
    )


def is_public(path: str) -> bool:
    """Whether a dotted path below ``stakes`` names something that is offered to users, or a part of it."""
    return any(name in public_names(room) for room, name in places(path))


def places(path: str) -> Iterator[tuple[str, str]]:
    """Iterate over the rooms and first names which a dotted path may mean."""
    first, _, rest = path.partition(".")
    if f"stakes.{first}" in ROOMS:
        yield f"stakes.{first}", rest.partition(".")[0]
    else:
        yield from ((room, first) for room in ROOMS)


def find_name(
    app: Sphinx, env: BuildEnvironment, node: addnodes.pending_xref, shown: nodes.Element
) -> nodes.reference | None:
    """Find what a name means that was not given in full; for a part without an entry of its own, the whole."""
    documented = env.get_domain("py").objects
    path = node["reftarget"].removeprefix("stakes.") if node.get("refdomain") == "py" else ""
    home, _, name = path.partition(".")
    if f"stakes.{home}" in ROOMS and f"stakes.{name}" in documented:  # documented where users find it
        path = name
    while path:
        for full in (f"{room}.{path}" for room in ROOMS):
            if full in documented:
                at = documented[full]
                return make_refnode(app.builder, node["refdoc"], at.docname, at.node_id, shown, full)
        path = path.rpartition(".")[0]
    return None

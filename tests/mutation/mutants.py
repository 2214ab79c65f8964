"""Mutants: one small fault each, planted in the syntax tree of a source file."""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import CodeType

Change = Callable[[ast.AST], str]  # plants the fault in a node, and says what the node has become
Operators = dict[type[ast.AST], type[ast.AST]]

OTHER_OPERATOR: Operators = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
    ast.Pow: ast.Mult,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.And: ast.Or,
    ast.Or: ast.And,
}
AT_THE_EDGE: Operators = {ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt}
OPPOSITE: Operators = {
    ast.Lt: ast.GtE,
    ast.LtE: ast.Gt,
    ast.Gt: ast.LtE,
    ast.GtE: ast.Lt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
# Names that are easily taken for each other: the two classes, two ends, two ways to round.
PAIRS = (
    ("positive", "negative"),
    ("positives", "negatives"),
    ("positive_total", "negative_total"),
    ("loss_if_positive", "loss_if_negative"),
    ("if_positive", "if_negative"),
    ("false_positive", "false_negative"),
    ("false_alarms", "true_alarms"),
    ("low", "high"),
    ("lowest", "highest"),
    ("first", "last"),
    ("min", "max"),
    ("argmin", "argmax"),
    ("minimum", "maximum"),
    ("any", "all"),
    ("log", "log1p"),
    ("exp", "expm1"),
    ("floor", "ceil"),
    ("left", "right"),
)
OTHER_NAME = {a: b for pair in PAIRS for a, b in (pair, pair[::-1])}


@dataclass(frozen=True)
class Mutant:
    """One fault: where it is, what stood there, and what stands there now."""

    path: Path
    number: int  # of the fault, in the order of the file
    line: int
    lines: range  # of the statement, or of the head of a compound one: who runs none of them does not meet the fault
    function: str | None  # the outermost function around it; None where it is run on import
    before: str
    after: str

    def __str__(self) -> str:
        return f"{self.path.name}:{self.line}: {self.before} → {self.after}"

    def code(self) -> CodeType:
        """Compile the file with the fault in it."""
        tree = ast.parse(self.path.read_text(encoding="utf-8"))
        for place in _places(tree):
            if place.number == self.number:
                place.change(place.node)
                return compile(ast.fix_missing_locations(tree), str(self.path), "exec")
        raise LookupError(f"{self.path} has changed: it has no fault {self.number}.")


@dataclass(frozen=True)
class _Place:
    number: int
    node: ast.AST
    statement: ast.stmt
    function: str | None
    change: Change


def mutants_of(path: Path) -> list[Mutant]:
    """Return every mutant of a file."""
    tree, found = ast.parse(path.read_text(encoding="utf-8")), []
    for place in _places(tree):
        before, after = _short(getattr(place.node, "test", place.node)), place.change(copy.deepcopy(place.node))
        head = _head(place.statement)
        found.append(Mutant(path, place.number, place.node.lineno, head, place.function, before, after))  # type: ignore[attr-defined]
    return found


def _short(node: ast.AST) -> str:
    return " ".join(ast.unparse(node).split())


def _head(statement: ast.stmt) -> range:
    """Lines of a statement without the statements in it."""
    inner = [part.lineno for field in ("body", "orelse", "handlers") for part in getattr(statement, field, [])]
    return range(statement.lineno, min([*inner, (statement.end_lineno or statement.lineno) + 1]) or statement.lineno)


def _places(tree: ast.Module) -> Iterator[_Place]:
    """Every fault that can be planted, in a fixed order."""
    number = 0
    for node, statement, function in _walk(tree, tree.body[0], None):
        for change in _changes(node):
            yield _Place(number, node, statement, function, change)
            number += 1


def _walk(
    node: ast.AST, statement: ast.stmt, function: str | None, within: str = ""
) -> Iterator[tuple[ast.AST, ast.stmt, str | None]]:
    """Nodes that are run, each with its statement and its outermost function; no annotations and no texts."""
    if isinstance(node, ast.JoinedStr | ast.Raise | ast.Import | ast.ImportFrom) or _only_states(node):
        return
    if isinstance(node, ast.stmt):
        statement = node
    yield node, statement, function
    if isinstance(node, ast.FunctionDef):
        # Defaults belong to what is run on import; decorators and annotations are left alone.
        for default in [*node.args.defaults, *filter(None, node.args.kw_defaults)]:
            yield from _walk(default, statement, function)
        inner = function or f"{within}{node.name}"
        for part in node.body:
            yield from _walk(part, statement, inner)
        return
    if isinstance(node, ast.ClassDef):
        for part in node.body:
            yield from _walk(part, statement, function, f"{within}{node.name}.")
        return
    for field, value in ast.iter_fields(node):
        if field in ("annotation", "returns"):
            continue
        for part in value if isinstance(value, list) else [value]:
            if isinstance(part, ast.AST):
                yield from _walk(part, statement, function, within)


def _only_states(node: ast.AST) -> bool:
    """Whether this says what is so, and does nothing: a name for several types, or lengths that must be equal."""
    match node:
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.BinOp(op=ast.BitOr())):
            return name[0].isupper()  # as types are, and masks are not
        case ast.keyword(arg="strict"):
            return True
    return False


def _changes(node: ast.AST) -> Iterator[Change]:
    match node:
        case ast.BinOp(op=op) | ast.BoolOp(op=op) | ast.AugAssign(op=op) if type(op) in OTHER_OPERATOR:
            yield _set("op", OTHER_OPERATOR[type(op)]())
            if isinstance(node, ast.BinOp):
                yield _become("left")
                yield _become("right")
        case ast.Compare(ops=[op]):
            for other in (AT_THE_EDGE, OPPOSITE):
                if type(op) in other:
                    yield _set("ops", [other[type(op)]()])
        case ast.UnaryOp(op=ast.Not() | ast.USub() | ast.Invert()):
            yield _become("operand")
        case ast.IfExp() | ast.If() | ast.While():
            yield _negate
        case ast.Constant(value=bool(value)):
            yield _set("value", not value)
        case ast.Constant(value=int(value) | float(value)):
            yield _set("value", value + 1)
            yield _set("value", value / 2 if isinstance(value, float) and value else value - 1)
        case ast.Constant(value="left" | "right" as value):
            yield _set("value", OTHER_NAME[value])
        case ast.Attribute(attr=name) if name in OTHER_NAME:
            yield _set("attr", OTHER_NAME[name])
        case ast.Call(func=ast.Name(id="min" | "max" | "any" | "all" as name)):
            yield _set("func", ast.Name(OTHER_NAME[name], ast.Load()))
        case ast.Call(func=ast.Attribute(value=ast.Name(id="np"), attr="clip" | "abs" | "sort" | "square")):
            yield _first_argument
        case ast.Expr(value=ast.Call()):
            yield _set("value", ast.Constant(None))


def _set(field: str, value: object) -> Change:
    def change(node: ast.AST) -> str:
        setattr(node, field, value)
        return _short(node)

    return change


def _become(field: str) -> Change:
    """Replace a node by one of its operands."""

    def change(node: ast.AST) -> str:
        _replace(node, getattr(node, field))
        return _short(node)

    return change


def _first_argument(node: ast.AST) -> str:
    _replace(node, node.args[0])  # type: ignore[attr-defined]
    return _short(node)


def _negate(node: ast.AST) -> str:
    node.test = ast.UnaryOp(ast.Not(), node.test)  # type: ignore[attr-defined]
    return f"not ({_short(node.test.operand)})"


def _replace(node: ast.AST, other: ast.AST) -> None:
    """Turn a node into another, in place: its parents need not be known."""
    node.__class__ = other.__class__
    node.__dict__ = dict(other.__dict__)

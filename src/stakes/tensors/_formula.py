"""A belief's formula, written down: NumPy is let loose on a score that only takes notes.

The closed forms live with the beliefs and are written in NumPy. A `Note` stands in for the score: by NumPy's own
protocols it sees every operation, and writes each down as one line of array code that any library can run. The
numbers of the formula are kept apart from its lines, so that all beliefs of one kind share one piece of code, which
is compiled once at most.
"""

from __future__ import annotations

import functools
import numbers
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from stakes.beliefs import At, Atoms, Mixture

Loss = Callable[[Any], Any]
Array = Any

_BETWEEN = {
    "add": "+",
    "subtract": "-",
    "multiply": "*",
    "divide": "/",
    "less": "<",
    "less_equal": "<=",
    "greater": ">",
    "greater_equal": ">=",
    "equal": "==",
    "not_equal": "!=",
    "bitwise_and": "&",
    "logical_and": "&",
    "bitwise_or": "|",
    "logical_or": "|",
}
_BEFORE = {"negative": "-", "invert": "~", "logical_not": "~", "absolute": "abs"}
# Functions that are called so in every array library, too.
_CALLED = {"exp", "expm1", "log", "log1p", "maximum", "minimum", "sqrt", "square"}


class NotElementaryError(TypeError):
    """A formula does something that cannot be written down line by line."""


@dataclass(frozen=True)
class Formula:
    """Lines of array code, and the numbers in them.

    Attributes
    ----------
    code : str
        Body of a function of a namespace `xp`, scores `s` and an array `c` of numbers.
    numbers : tuple of float
        The numbers that `c` must hold.
    """

    code: str
    numbers: tuple[float, ...]

    @property
    def run(self) -> Callable[[Any, Array, Array], tuple[Array, ...]]:
        """The code as a function of ``xp, s, c``, which returns one array for each loss."""
        return _function(self.code)


@functools.cache
def _function(code: str) -> Callable[[Any, Array, Array], tuple[Array, ...]]:
    made: dict[str, Any] = {}
    exec(compile(f"def losses(xp, s, c):\n{code}", f"{__file__} (written)", "exec"), made)
    found: Callable[[Any, Array, Array], tuple[Array, ...]] = made["losses"]
    return found


def formula(*losses: Loss) -> Formula:
    """Write down functions of one score.

    Parameters
    ----------
    *losses : callable
        Functions of a score, in NumPy; a belief's methods among them.

    Returns
    -------
    Formula
        What they do, in this order.

    Examples
    --------
    >>> from stakes import Uniform
    >>> from stakes.tensors._formula import formula
    >>> written = formula(Uniform(0.0, 0.5).share_above)
    >>> print(written.code)
        v0 = xp.clip(s, c[0], c[1])
        v1 = c[2] - v0
        v2 = v1 / c[3]
        return (v2,)
    >>> written.numbers
    (0.0, 0.5, 0.5, 0.5)
    """
    notes = _Notes()
    results = [notes.operand(_without_lookups(loss)(Note(notes, "s"))) for loss in losses]
    return Formula("\n".join([*notes.lines, f"    return ({', '.join(results)},)"]), tuple(notes.numbers))


def _without_lookups(loss: Loss) -> Loss:
    """Return the same loss of a belief that looks nothing up: a sum over its atoms instead."""
    belief = getattr(loss, "__self__", None)
    return getattr(_single(belief), loss.__name__) if isinstance(belief, Atoms | Mixture) else loss


def _single(belief: Any) -> Any:
    if isinstance(belief, Atoms):
        return Mixture(tuple(At(value) for value in belief.values), belief.weights)
    if isinstance(belief, Mixture):
        return Mixture(tuple(_single(part) for part in belief.parts), belief.weights)
    return belief


@dataclass
class _Notes:
    """Lines and numbers so far."""

    lines: list[str] = field(default_factory=list)
    numbers: list[float] = field(default_factory=list)

    def write(self, expression: str) -> Note:
        name = f"v{len(self.lines)}"
        self.lines.append(f"    {name} = {expression}")
        return Note(self, name)

    def operand(self, value: object) -> str:
        """Name what is used: a line above, or a number."""
        if isinstance(value, Note):
            return value.name
        if isinstance(value, bool | np.bool_):
            return str(bool(value))
        if not isinstance(value, numbers.Real) and np.ndim(value) != 0:  # type: ignore[arg-type]
            raise NotElementaryError("an array takes part")
        self.numbers.append(float(value))  # type: ignore[arg-type]
        return f"c[{len(self.numbers) - 1}]"


class Note(np.lib.mixins.NDArrayOperatorsMixin):
    """A score, or something made of one, as NumPy's protocols see it."""

    def __init__(self, notes: _Notes, name: str) -> None:
        self.notes, self.name = notes, name

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: object, **options: object) -> Note:
        name = ufunc.__name__
        if method != "__call__" or options or not (name in _BETWEEN or name in _BEFORE or name in _CALLED):
            raise NotElementaryError(f"`{name}` takes part")
        operands = [self.notes.operand(value) for value in inputs]
        if name in _BETWEEN:
            return self.notes.write(f" {_BETWEEN[name]} ".join(operands))
        called = _BEFORE.get(name, f"xp.{name}")
        return self.notes.write(f"{called}({', '.join(operands)})")

    def __array_function__(self, function: Any, types: object, args: Any, kwargs: Any) -> Any:
        if kwargs or function.__name__ not in _SPOKEN:
            raise NotElementaryError(f"`{function.__name__}` takes part")
        return _SPOKEN[function.__name__](self.notes, *args)

    def __array__(self, *_: object, **__: object) -> Any:
        raise NotElementaryError("the scores are made a NumPy array")

    def __bool__(self) -> bool:
        raise NotElementaryError("what is done depends on a score")

    def any(self) -> bool:
        """Say that some may be: both sides of a choice are written down."""
        return True

    def all(self) -> bool:
        """Say that not all need be."""
        return False

    def __getitem__(self, _: object) -> Note:
        """Compute for all what is asked for some: it is used for these alone."""
        return self

    def __setitem__(self, where: object, value: object) -> None:
        self.name = _where(self.notes, where, value, self).name


def _where(notes: _Notes, condition: object, value: object, other: object) -> Any:
    if not isinstance(condition, Note):
        return value if condition else other
    return notes.write(f"xp.where({', '.join(map(notes.operand, (condition, value, other)))})")


def _clip(notes: _Notes, value: object, low: object, high: object) -> Note:
    return notes.write(f"xp.clip({', '.join(map(notes.operand, (value, low, high)))})")


def _polyval(_: _Notes, coefficients: Any, x: Any) -> Any:
    return functools.reduce(lambda total, coefficient: total * x + coefficient, coefficients.tolist())


_SPOKEN: dict[str, Callable[..., Any]] = {
    "where": _where,
    "clip": _clip,
    "polyval": _polyval,
    "shape": lambda *_: (),
}

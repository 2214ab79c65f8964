"""Evaluate a loss on a symbolic score and record the expression as array code.

The closed forms belong to the beliefs and are written in NumPy. A `Note` replaces the score: through NumPy's own
protocols it sees every operation, and records each as one line of array code that any library can run. The
numbers of a formula are kept apart from its lines, so that all beliefs of one kind share one piece of code, which
is compiled at most once.
"""

from __future__ import annotations

import functools
import numbers
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from stakes.beliefs import At, Atoms, Mixture

Loss = Callable[[Any], Any]

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

_TAKES_LONG = {"{} / {}", *(f"xp.{name}({{}})" for name in ("exp", "expm1", "log", "log1p", "sqrt"))}


def _has_inverse(value: object) -> bool:
    """Whether a divisor can be replaced by its inverse: multiplying takes a tenth of the time."""
    return isinstance(value, numbers.Real) and 1e-300 < abs(float(value)) < 1e300


def _call(function: str, operands: int) -> str:
    return f"{function}({', '.join(['{}'] * operands)})"


class NotElementaryError(TypeError):
    """A formula does something that cannot be written down line by line."""


class Formula(NamedTuple):
    """Lines of array code for the loss of a case, and the numbers in them.

    Attributes
    ----------
    lines : tuple of str
        Assignments, made of a namespace `xp`, scores `s`, whether they are of positives `label`, and numbers `c`.
    result : str
        What the loss is called in them.
    numbers : tuple of float
        The numbers that `c` must hold.
    """

    lines: tuple[str, ...]
    result: str
    numbers: tuple[float, ...]


def formula(if_positive: Loss, if_negative: Loss) -> Formula:
    """Record the loss of a case as a formula.

    Parameters
    ----------
    if_positive, if_negative : callable
        Functions of a score, in NumPy; a belief's methods among them.

    Returns
    -------
    Formula
        What they do. Where both do the same to different things it is done once, to the thing of the case's own class.

    Examples
    --------
    >>> from stakes import Uniform
    >>> from stakes.tensors._formula import formula
    >>> half = Uniform(0.0, 0.5)
    >>> written = formula(half.share_above, lambda score: 2 * score)
    >>> for line in written.lines:
    ...     print(line)
    v0 = xp.clip(s, c[0], c[1])
    v1 = c[1] - v0
    v2 = v1 * c[2]
    v3 = c[2] * s
    v4 = xp.where(label, v2, v3)
    >>> written.result, written.numbers
    ('v4', (0.0, 0.5, 2.0))
    """
    notes = _Notes()
    positive, negative = (
        notes.operand(_without_lookups(loss)(Note(notes, "s"))) for loss in (if_positive, if_negative)
    )
    result = notes.chosen(positive, negative)
    return Formula(notes.needed_for(result), result, tuple(notes.numbers))


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


class _Line(NamedTuple):
    """An operation: its template, its operands, and whether it or an operand is expensive."""

    template: str
    operands: tuple[str, ...]
    takes_long: bool

    @property
    def text(self) -> str:
        return self.template.format(*self.operands)


class _Notes:
    """Lines and numbers so far; nothing is written twice."""

    def __init__(self) -> None:
        self.lines: dict[str, _Line] = {}
        self.numbers: list[float] = []
        self._names: dict[str, str] = {}

    def write(self, template: str, *values: object) -> Note:
        return Note(self, self._written(template, *map(self.operand, values)))

    def _written(self, template: str, *operands: str) -> str:
        needs = (name in self.lines and self.lines[name].takes_long for name in operands)
        line = _Line(template, operands, template in _TAKES_LONG or any(needs))
        if line.text not in self._names:
            self._names[line.text] = f"v{len(self.lines)}"
            self.lines[self._names[line.text]] = line
        return self._names[line.text]

    def operand(self, value: object) -> str:
        """Return the name of an earlier line, or a number, as an operand."""
        if isinstance(value, Note):
            return value.name
        if isinstance(value, bool | np.bool_):
            return str(bool(value))
        if not isinstance(value, numbers.Real) and np.ndim(value) != 0:  # type: ignore[arg-type]
            raise NotElementaryError("an array takes part")
        number = float(value)  # type: ignore[arg-type]
        if number not in self.numbers:
            self.numbers.append(number)
        return f"c[{self.numbers.index(number)}]"

    def chosen(self, positive: str, negative: str) -> str:
        """Return the operand by class, chosen before the expensive operations."""
        if positive == negative:
            return positive
        one, other = self.lines.get(positive), self.lines.get(negative)
        if one and other and one.template == other.template and one.takes_long and other.takes_long:
            pairs = zip(one.operands, other.operands, strict=True)
            return self._written(one.template, *(self.chosen(*pair) for pair in pairs))
        return self._written("xp.where({}, {}, {})", "label", positive, negative)

    def needed_for(self, result: str) -> tuple[str, ...]:
        """Write out the lines that a result is made of."""
        needed = {result}
        for name, line in reversed(self.lines.items()):
            if name in needed:
                needed.update(line.operands)
        return tuple(f"{name} = {line.text}" for name, line in self.lines.items() if name in needed)


class Note(np.lib.mixins.NDArrayOperatorsMixin):
    """A score, or something made of one, as NumPy's protocols see it."""

    def __init__(self, notes: _Notes, name: str) -> None:
        self.notes, self.name = notes, name

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: object, **options: object) -> Note:
        name = ufunc.__name__
        if method != "__call__" or options or not (name in _BETWEEN or name in _BEFORE or name in _CALLED):
            raise NotElementaryError(f"`{name}` takes part")
        if name == "divide" and _has_inverse(inputs[1]):
            name, inputs = "multiply", (inputs[0], 1 / float(inputs[1]))  # type: ignore[arg-type]
        if name in _BETWEEN:
            return self.notes.write(f"{{}} {_BETWEEN[name]} {{}}", *inputs)
        return self.notes.write(_call(_BEFORE.get(name, f"xp.{name}"), len(inputs)), *inputs)

    def __array_function__(self, function: Any, types: object, args: Any, kwargs: Any) -> Any:
        if kwargs or function.__name__ not in _SPOKEN:
            raise NotElementaryError(f"`{function.__name__}` takes part")
        return _SPOKEN[function.__name__](self.notes, *args)

    def __array__(self, *_: object, **__: object) -> Any:
        raise NotElementaryError("the scores are made a NumPy array")

    def __bool__(self) -> bool:
        raise NotElementaryError("what is done depends on a score")

    def any(self) -> bool:
        """Return true, so that both sides of a choice are recorded."""
        return True

    def all(self) -> bool:
        """Return false, so that no choice is skipped."""
        return False

    def __getitem__(self, _: object) -> Note:
        """Return all elements for a mask, since only those selected are used."""
        return self

    def __setitem__(self, where: object, value: object) -> None:
        self.name = _where(self.notes, where, value, self).name


def _where(notes: _Notes, condition: object, value: object, other: object) -> Any:
    if not isinstance(condition, Note):
        return value if condition else other
    return notes.write("xp.where({}, {}, {})", condition, value, other)


def _clip(notes: _Notes, value: object, low: object, high: object) -> Note:
    return notes.write("xp.clip({}, {}, {})", value, low, high)


def _polyval(_: _Notes, coefficients: Any, x: Any) -> Any:
    return functools.reduce(lambda total, coefficient: total * x + coefficient, coefficients.tolist())


_SPOKEN: dict[str, Callable[..., Any]] = {
    "where": _where,
    "clip": _clip,
    "polyval": _polyval,
    "shape": lambda *_: (),
}

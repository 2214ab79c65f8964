"""Errors that speak to users: one sentence, made from facts when it is shown.

Nobody reads a message: whoever wants to say the same thing in other words, such as the command, asks the fields.
`args` holds them all, so that an error survives the way from a worker of Dask or Spark.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import PurePath
from typing import Any, NamedTuple, Self, TypeAlias


class Argument(NamedTuple):
    """What a sentence is about: an argument of a function by its role, or one item of it.

    `column` is the column of a data frame that plays the role, which is what users of frames know it by.
    """

    role: str
    item: str | None = None
    column: str | None = None


class Spelling(NamedTuple):
    """Something that is written in one way in Python and in another on the command line."""

    python: str
    typed: str


Part: TypeAlias = str | Argument | Spelling
Phrase: TypeAlias = str | tuple[Part, ...]
Name: TypeAlias = str | Argument


def as_argument(name: Name) -> Argument:
    """Return an argument that is given by its name alone as one."""
    return Argument(name) if isinstance(name, str) else name


def python_name(argument: Argument) -> str:
    """Quote an argument as Python knows it: `score`, `predictions['old']`, or the name of a column."""
    if argument.column is not None:
        return f"`{argument.column}`"
    return f"`{argument.role}`" if argument.item is None else f"`{argument.role}[{argument.item!r}]`"


def listed(words: Iterable[object]) -> str:
    """Words in a row: a, b and c."""
    *first, last = map(str, words)
    return f"{', '.join(first)} and {last}" if first else last


class InputError(ValueError):
    """Something that was passed, or that a file holds, cannot be used.

    Its text is "`argument` must ..., got ... at row ...; hint.". It is a `ValueError`; where a `TypeError` is usual, it
    is one too.

    Parameters
    ----------
    argument : str, Argument or tuple of these
        What it is about; several where they do not fit together, none where `wanted` says what is missing.
    wanted : str or tuple
        What must hold, such as ``"be a number"``. Like `got` and `hint`, it may be several parts, of which each
        `Argument` and `Spelling` is written as the reader knows it.
    got : str or tuple, optional
        What came instead.
    row : int, optional
        Where, counted from 0.
    first : bool, optional
        Whether that row is the first of several (or, if false, the only one) that `got` counts.
    hint : str or tuple, optional
        What to do instead.
    hint_typed : str or tuple, optional
        What to do instead on the command line, if that is something else.
    line : int, optional
        The line of a text file that holds the row.
    file : str, optional
        The name of the file that was asked for something.

    Examples
    --------
    >>> from stakes import InputError, score_table
    >>> try:
    ...     score_table([0, 1, 2], [0.1, 0.2, 0.3])
    ... except InputError as error:
    ...     print(error, error.argument.role, error.row, sep="; ")
    `y` must be 0 or 1, got 2 at row 2.; y; 2
    """

    __module__ = "stakes"  # where users find it, and what a traceback calls it

    def __init__(
        self,
        argument: Name | tuple[Name, ...],
        wanted: Phrase,
        got: Phrase | None = None,
        row: int | None = None,
        first: bool | None = None,
        hint: Phrase = "",
        hint_typed: Phrase | None = None,
        line: int | None = None,
        file: str = "",
    ) -> None:
        several = (argument,) if isinstance(argument, str | Argument) else argument
        self.arguments = tuple(map(as_argument, several))
        self.wanted, self.got, self.row, self.first = wanted, got, row, first
        self.hint, self.hint_typed, self.line, self.file = hint, hint_typed, line, file
        super().__init__(self.arguments, wanted, got, row, first, hint, hint_typed, line, file)

    @property
    def argument(self) -> Argument | None:
        """The argument that it is about, or the first of several."""
        return self.arguments[0] if self.arguments else None

    def __str__(self) -> str:
        return self.say()

    def say(
        self,
        name: Callable[[Argument], str] = python_name,
        place: Callable[[int], str] = "row {}".format,
        *,
        typed: bool = False,
    ) -> str:
        """Return the sentence: `name` quotes an argument, `place` says where a row is.

        Where `typed`, the reader is at a command line, and gets the hints that are meant for one.
        """
        return f"{self.clause(name, place, typed=typed)}."

    def clause(
        self,
        name: Callable[[Argument], str] = python_name,
        place: Callable[[int], str] = "row {}".format,
        *,
        typed: bool = False,
    ) -> str:
        """Return the sentence without its full stop, for a longer one."""

        def written(phrase: Phrase) -> str:
            parts = (phrase,) if isinstance(phrase, str) else phrase
            return "".join(_part(part, name, typed) for part in parts)

        hint = written(self.hint if self.hint_typed is None or not typed else self.hint_typed)
        got = "" if self.got is None else f", got {written(self.got)}"
        said = f"{self._subject(name)}{written(self.wanted)}{got}{self._where(place)}"
        return f"{said}; {hint}" if hint else said

    def _subject(self, name: Callable[[Argument], str]) -> str:
        source = f"{self.file}: " if self.file else ""
        return f"{source}{listed(map(name, self.arguments))} must " if self.arguments else source

    def _where(self, place: Callable[[int], str]) -> str:
        if self.line is None and self.row is None:
            return ""
        at = f"line {self.line}" if self.line is not None or self.row is None else place(self.row)
        return f" at {at}" if self.first is None else f", {'the first ' if self.first else ''}at {at}"

    def but(self, **fields: Any) -> Self:
        """Return the same error with some fields changed."""
        names = ("argument", "wanted", "got", "row", "first", "hint", "hint_typed", "line", "file")
        return type(self)(**dict(zip(names, self.args, strict=True)) | fields)


def _part(part: Part, name: Callable[[Argument], str], typed: bool) -> str:
    if isinstance(part, Argument):
        return name(part)
    if isinstance(part, Spelling):
        return part.typed if typed else part.python
    return part


class InputTypeError(InputError, TypeError):
    """Something of a wrong type was passed."""


class InputOSError(InputError, OSError):
    """Something outside that was named could not be used: a frame, a file, a folder."""

    def __new__(cls, *_: object, **__: object) -> Self:
        # An `OSError` is laid out otherwise than a `ValueError`, whose `__new__` comes first in the order of classes;
        # tools that unpickle errors call it.
        return OSError.__new__(cls)


class UnreadableFrameError(InputOSError):
    """An engine could not read a data frame to its end."""


class UnreadableFileError(InputOSError):
    """A file is not there, cannot be read, or is not what it should be.

    Attributes
    ----------
    path : str
        Where it is.
    """

    def __init__(
        self,
        path: str | PurePath,
        wanted: Phrase,
        got: Phrase | None = None,
        line: int | None = None,
        hint: Phrase = "",
        whole_path: bool = False,
    ) -> None:
        super().__init__((), wanted, got, line=line, hint=hint)
        self.path, self.whole_path = str(path), whole_path
        self.args = (self.path, wanted, got, line, hint, whole_path)

    def _subject(self, name: Callable[[Argument], str]) -> str:
        return f"{self.path if self.whole_path else PurePath(self.path).name} must "

    def but(self, **fields: Any) -> Self:
        """Return the same error with some fields changed."""
        names = ("path", "wanted", "got", "line", "hint", "whole_path")
        return type(self)(**dict(zip(names, self.args, strict=True)) | fields)


class MissingFileError(UnreadableFileError, FileNotFoundError):
    """There is no file of that name."""


class FolderError(UnreadableFileError, IsADirectoryError):
    """There is a folder where a file was expected."""


class ForbiddenFileError(UnreadableFileError, PermissionError):
    """A file may not be read."""


class MissingFolderError(InputOSError, FileNotFoundError):
    """There is no folder to write a file to."""


class NotEnoughMemoryError(MemoryError):
    """The engine that reads a file may not use as much memory as it needs."""

    def __init__(self, path: str, reason: str) -> None:
        self.path, self.reason = path, reason
        super().__init__(path, reason)

    def __str__(self) -> str:
        return f"{PurePath(self.path).name} needs more memory than the engine may use: {self.reason}."


class NotEnoughRoomError(OSError):
    """The folder for temporary files has less room than the engine that reads a file needs."""

    def __init__(self, path: str, reason: str) -> None:
        self.path, self.reason = path, reason
        super().__init__()  # two arguments would be an error number and its meaning
        self.args = (path, reason)

    def __str__(self) -> str:
        return f"{PurePath(self.path).name} needs more room than the folder for temporary files has: {self.reason}."


class MissingPackageError(ModuleNotFoundError):
    """A package that is needed for something is not installed.

    Attributes
    ----------
    package : str
        The package.
    install : str
        What to install: the package, or the extra of this library that brings it.
    purpose, user : str, optional
        What it is for, or what needs it.
    """

    def __init__(self, package: str, install: str, purpose: str = "", user: str = "") -> None:
        self.package, self.install, self.purpose, self.user = package, install, purpose, user
        super().__init__(package, install, purpose, user, name=package)

    def __str__(self) -> str:
        if self.user:
            return f"{self.user} needs {self.package}: install it with `pip install {self.install}`."
        return f"`{self.package}` must be installed {self.purpose}: pip install {self.install}."

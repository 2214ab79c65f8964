"""Errors for users: one sentence each, composed from fields when it is shown.

No code parses a message: whoever needs other words, such as the command, reads the fields. `args` holds all of them,
so that an error can be pickled on its way from a worker of Dask or Spark.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import PurePath
from typing import Any, NamedTuple, Self, TypeAlias


class Argument(NamedTuple):
    """The subject of a message: an argument of a function by its role, or one item of it.

    `column` is the column of a data frame in that role, the name by which users of frames know it.
    """

    role: str
    item: str | None = None
    column: str | None = None


class Spelling(NamedTuple):
    """A phrase that differs between Python and the command line."""

    python: str
    typed: str


Part: TypeAlias = str | Argument | Spelling
Phrase: TypeAlias = str | tuple[Part, ...]
Name: TypeAlias = str | Argument


def as_argument(name: Name) -> Argument:
    """Return a name as an `Argument`."""
    return Argument(name) if isinstance(name, str) else name


def python_name(argument: Argument) -> str:
    """Quote an argument as Python knows it: `score`, `predictions['old']`, or the name of a column."""
    if argument.column is not None:
        return f"`{argument.column}`"
    return f"`{argument.role}`" if argument.item is None else f"`{argument.role}[{argument.item!r}]`"


def join_words(words: Iterable[object]) -> str:
    """Join words as in a sentence: a, b and c."""
    *first, last = map(str, words)
    return f"{', '.join(first)} and {last}" if first else last


class InputError(ValueError):
    """An argument, or a value in a file, cannot be used.

    Its text is "`argument` must ..., got ... at row ...; hint.". It is a `ValueError`; where a `TypeError` is usual, it
    is one too.

    Parameters
    ----------
    argument : str, Argument or tuple of these
        Subject of the message; several if they contradict each other, none if `wanted` is a whole clause.
    wanted : str or tuple
        The requirement, such as ``"be a number"``. Like `got` and `hint`, it may be a tuple of parts, in which each
        `Argument` and `Spelling` is written as the reader knows it.
    got : str or tuple, optional
        The value received.
    row : int, optional
        Row of the value, counted from 0.
    first : bool, optional
        Whether that row is the first of several (or, if false, the only one) that `got` counts.
    hint : str or tuple, optional
        How to correct the call.
    hint_typed : str or tuple, optional
        How to correct the command line; `hint` unless given.
    line : int, optional
        Line of a text file that holds the row.
    file : str, optional
        Name of the file to which the message refers.

    Examples
    --------
    >>> from stakes import InputError, score_table
    >>> try:
    ...     score_table([0, 1, 2], [0.1, 0.2, 0.3])
    ... except InputError as error:
    ...     print(error, error.argument.role, error.row, sep="; ")
    `y` must be 0 or 1, got 2 at row 2.; y; 2
    """

    __module__ = "stakes"  # its public home, shown in tracebacks

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
        """The argument at fault, or the first of several."""
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
        """Return the sentence; `name` quotes an argument and `place` describes a row.

        If `typed`, it is for the command line, with the hints meant for it.
        """
        return f"{self.clause(name, place, typed=typed)}."

    def clause(
        self,
        name: Callable[[Argument], str] = python_name,
        place: Callable[[int], str] = "row {}".format,
        *,
        typed: bool = False,
    ) -> str:
        """Return the sentence without its full stop, to be part of a longer one."""

        def text(phrase: Phrase) -> str:
            return as_text(phrase, name, typed=typed)

        hint = text(self.hint if self.hint_typed is None or not typed else self.hint_typed)
        got = "" if self.got is None else f", got {text(self.got)}"
        sentence = f"{self._subject(name)}{text(self.wanted)}{got}{self._where(place)}"
        return f"{sentence}; {hint}" if hint else sentence

    def _subject(self, name: Callable[[Argument], str]) -> str:
        source = f"{self.file}: " if self.file else ""
        return f"{source}{join_words(map(name, self.arguments))} must " if self.arguments else source

    def _where(self, place: Callable[[int], str]) -> str:
        if self.line is None and self.row is None:
            return ""
        at = f"line {self.line}" if self.line is not None or self.row is None else place(self.row)
        return f" at {at}" if self.first is None else f", {'the first ' if self.first else ''}at {at}"

    def but(self, **fields: Any) -> Self:
        """Return the same error with some fields changed."""
        names = ("argument", "wanted", "got", "row", "first", "hint", "hint_typed", "line", "file")
        return type(self)(**dict(zip(names, self.args, strict=True)) | fields)


def as_text(phrase: Phrase, name: Callable[[Argument], str], *, typed: bool) -> str:
    """Return a phrase with its arguments as `name` quotes them."""
    parts = (phrase,) if isinstance(phrase, str) else phrase
    return "".join(_part(part, name, typed) for part in parts)


def _part(part: Part, name: Callable[[Argument], str], typed: bool) -> str:
    if isinstance(part, Argument):
        return name(part)
    if isinstance(part, Spelling):
        return part.typed if typed else part.python
    return part


class InputTypeError(InputError, TypeError):
    """An argument has the wrong type."""


class InputOSError(InputError, OSError):
    """A data frame, a file or a folder cannot be used."""

    def __new__(cls, *_: object, **__: object) -> Self:
        # Unpickling may call `__new__` directly. The first in the method resolution order is that of `ValueError`,
        # which refuses to make an `OSError`.
        return OSError.__new__(cls)


class UnreadableFrameError(InputOSError):
    """An engine could not read a whole data frame."""


class UnreadableFileError(InputOSError):
    """A file does not exist, cannot be read, or lacks its contents.

    Attributes
    ----------
    path : str
        The file.
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
    """No file has this path, or, if something is `wanted`, no longer."""

    def _subject(self, name: Callable[[Argument], str]) -> str:
        return super()._subject(name) if self.wanted else f"there is no file {self.path}"


class FolderError(UnreadableFileError, IsADirectoryError):
    """A folder was given where a file is required."""

    def _subject(self, name: Callable[[Argument], str]) -> str:
        return f"the path {self.path} must "  # its last part is no name where it is a dot


class ForbiddenFileError(UnreadableFileError, PermissionError):
    """Permission to read a file is denied."""


class MissingFolderError(InputOSError, FileNotFoundError):
    """The folder to write a file to does not exist."""


class NotEnoughMemoryError(MemoryError):
    """The engine that reads a file needs more memory than it may use."""

    def __init__(self, path: str, reason: str) -> None:
        self.path, self.reason = path, reason
        super().__init__(path, reason)

    def __str__(self) -> str:
        return f"{PurePath(self.path).name} needs more memory than the engine may use: {self.reason}."


class NotEnoughRoomError(OSError):
    """The folder for temporary files is too small for the engine that reads a file."""

    def __init__(self, path: str, reason: str) -> None:
        self.path, self.reason = path, reason
        super().__init__()  # two arguments would be an error number and its meaning
        self.args = (path, reason)

    def __str__(self) -> str:
        return f"{PurePath(self.path).name} needs more room than the folder for temporary files has: {self.reason}."


class MissingPackageError(ModuleNotFoundError):
    """A required package is not installed.

    Attributes
    ----------
    package : str
        Name of the package.
    install : str
        Argument of ``pip install``: the package, or the extra of this library that includes it.
    purpose, user : str, optional
        What the package is for, such as ``"to read files"``, and what needs it.
    """

    def __init__(self, package: str, install: str, purpose: str = "", user: str = "") -> None:
        self.package, self.install, self.purpose, self.user = package, install, purpose, user
        super().__init__(package, install, purpose, user, name=package)

    def __str__(self) -> str:
        purpose = f" {self.purpose}" if self.purpose else ""
        if self.user:
            return f"{self.user} needs {self.package}{purpose}: install it with `pip install {self.install}`."
        return f"`{self.package}` must be installed{purpose}: pip install {self.install}."

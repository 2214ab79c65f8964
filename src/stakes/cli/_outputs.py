"""Files that are written: judged before any work, and there whole or not at all."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import click

from stakes import _check
from stakes._errors import InputError
from stakes._optional import import_optional
from stakes._whole_file import write_whole
from stakes._wording import reason
from stakes.evaluation import Evaluation

_STANDARD_OUTPUT = "-"


_FOLDER = "the folder "


class NotWritten(click.ClickException):
    """Something could not be written, through no fault of what was typed."""

    exit_code = 1


@dataclass(frozen=True)
class Outputs:
    """Where to write a report and the numbers, if anywhere."""

    html: Path | None
    json: Path | None
    prints_json: bool

    @classmethod
    def judged(cls, *, html: str | None, json: str | None, source: str | None = None) -> Outputs:
        """Refuse what cannot be written, before any work is done; `source` is the file that is read."""
        prints = json == _STANDARD_OUTPUT
        report = _judged("--html", html, source)
        numbers = None if prints else _judged("--json", json, source)
        if report is not None and numbers is not None and report.resolve() == numbers.resolve():
            raise InputError(("--html", "--json"), "be two files", f"{str(report)!r} for both")
        if report is not None:
            import_optional("jinja2", "command", "to write a report")
        return cls(report, numbers, prints)

    def write(self, evaluation: Evaluation, *, title: str | None, coarsen: bool, source: str | None) -> list[str]:
        """Write what was asked for, and say what was."""
        if self.prints_json:
            sys.stdout.write(f"{evaluation.to_json()}\n")
        said = []
        if self.json is not None:
            with _explained("--json", self.json):
                write_whole(self.json, [f"{evaluation.to_json()}\n"])
            said.append(f"Numbers: {self.json}")
        if self.html is not None:
            from stakes.report import save_report

            with _explained("--html", self.html):
                save_report(evaluation, self.html.resolve(), title=title, coarsen=coarsen, source=source)
            said.append(f"Report: {self.html} (open it in a browser)")
        return said


def _judged(option: str, target: str | None, source: str | None) -> Path | None:
    """Refuse what is no file that may be written."""
    if target is None:
        return None
    path = Path(target)
    with _named(option, target):
        kind = _other_than_a_file(path) if target else ""
    if target in ("", _STANDARD_OUTPUT) or kind:
        hint = "write - for the standard output" if option == "--json" and kind not in ("", _FOLDER) else ""
        raise InputError(option, "be a file to write to", f"{kind}{target!r}", hint=hint)
    folder = path.resolve().parent
    if not folder.is_dir():
        raise InputError(option, "be in a folder that exists", repr(target))
    if not _may(folder, os.W_OK | os.X_OK):
        raise InputError(option, "be in a folder that can be written to", repr(target))
    if path.exists() and not _may(path, os.W_OK):
        raise InputError(option, "be a file that can be written to", repr(target))
    if source is not None and path.exists() and Path(source).exists() and path.samefile(source):
        raise InputError(option, "not be the file that is read", repr(target))
    return path


def _may(path: Path, mode: int) -> bool:
    return os.access(path, mode, effective_ids=os.access in os.supports_effective_ids)


def _other_than_a_file(path: Path) -> str:
    """Say what is there in the place of a file, if anything; a new file would take its place."""
    if path.is_dir():
        return _FOLDER
    if path.exists() and not path.is_file():
        return "the device or pipe "
    with contextlib.suppress(OSError, ValueError):  # there may be no standard output, or no such path
        if os.path.samestat(path.stat(), os.fstat(sys.stdout.fileno())):
            return "the standard output "
    return ""


@contextmanager
def _named(option: str, target: str) -> Iterator[None]:
    """Say in a sentence why a name can be that of no file."""
    try:
        yield
    except OSError as error:
        raise InputError(option, "be a file to write to", f"{_check.show(target)}: {reason(error)}") from None


@contextmanager
def _explained(option: str, path: Path) -> Iterator[None]:
    """Say in a sentence why a file could not be written."""
    try:
        yield
    except OSError as error:
        if error.errno is None:
            raise
        raise NotWritten(f"`{option}` could not be written to {str(path)!r}: {reason(error)}.") from None

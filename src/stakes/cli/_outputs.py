"""Output files, checked before any work and written whole or not at all."""

from __future__ import annotations

import contextlib
import json
import math
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

import click

from stakes import _check
from stakes._errors import InputError
from stakes._optional import import_optional
from stakes._whole_file import write_whole
from stakes._wording import reason
from stakes.cli._extras import Extras
from stakes.evaluation import Evaluation
from stakes.policy import Policy

_STANDARD_OUTPUT = "-"

_FOLDER = "the folder "


class WriteError(click.ClickException):
    """An output file could not be written, though its name was valid."""

    exit_code = 1


@dataclass(frozen=True)
class Outputs:
    """Files of the report and of the numbers, if any."""

    html: Path | None
    json: Path | None
    prints_json: bool
    policy: Path | None = None
    site_summary: Path | None = None

    @classmethod
    def from_options(
        cls,
        *,
        html: str | None,
        json: str | None,
        policy: str | None = None,
        site_summary: str | None = None,
        source: str | None = None,
        quiet: bool = False,
    ) -> Outputs:
        """Check that the files can be written and that neither is `source`, the file that is read."""
        prints = json == _STANDARD_OUTPUT
        if prints or not quiet:
            sys.stdout.write("")  # an error where it is closed
        report = output_path("--html", html, source)
        numbers = None if prints else output_path("--json", json, source)
        rule = output_path("--policy", policy, source)
        summary = output_path("--site-summary", site_summary, source)
        _check_apart({"--html": report, "--json": numbers, "--policy": rule, "--site-summary": summary})
        if report is not None:
            import_optional("jinja2", "command", "to write a report")
        return cls(report, numbers, prints, rule, summary)

    def write(
        self,
        evaluation: Evaluation,
        *,
        title: str | None,
        embed: str | None,
        lang: str,
        source: str | None,
        extras: Extras,
    ) -> list[str]:
        """Write the files and return a line of text for each."""
        if self.prints_json:
            sys.stdout.write(f"{_numbers(evaluation, extras)}\n")
        lines = []
        if self.json is not None:
            with explain_failure("--json", self.json):
                write_whole(self.json, [f"{_numbers(evaluation, extras)}\n"])
            lines.append(f"Numbers: {self.json}")
        if self.html is not None:
            from stakes.report import write_report

            with explain_failure("--html", self.html):
                cards = extras.cards(evaluation.unit)
                how = {"title": title, "embed": embed, "source": source, "lang": lang}
                write_report(evaluation, self.html.resolve(), cards=cards, **how)
            lines.append(f"Report: {self.html} (open it in a browser)")
        if self.policy is not None:
            best = evaluation.policy()
            with explain_failure("--policy", self.policy):
                best.save(self.policy.resolve())
            doubt = ", which is not recommended" if evaluation.best.reference else ""
            lines.append(f"Thresholds of {best.model}{doubt}: {self.policy}")
            if _differ(evaluation, best):
                moved = "" if evaluation.decision.prevalence is None else _MEAN_MOVED
                lines.append(_TWO_THRESHOLDS + moved)
        return lines + self._write_summary(extras)

    def _write_summary(self, extras: Extras) -> list[str]:
        if self.site_summary is None or extras.summary is None:
            return []
        with explain_failure("--site-summary", self.site_summary):
            extras.summary.save(self.site_summary.resolve())
        return [f"Summary of the site {extras.summary.site}, without cases: {self.site_summary}"]


_TWO_THRESHOLDS = (
    "They are the best in this sample; the threshold in the answer is that for the mean of the costs, as is best for "
    "calibrated scores, rounded to a number that does as well in this sample."
)
_MEAN_MOVED = " As scores are as given, that mean was moved from the stated prevalence to that of the sample."


def _differ(evaluation: Evaluation, policy: Policy) -> bool:
    """Whether the answer states a threshold for the mean cost that is not the one of the policy."""
    found = evaluation.recommended_threshold
    if found is None or evaluation.best.reference or evaluation.decision.limits is not None:
        return False
    return math.isfinite(found.threshold) and bool((policy.threshold != found.threshold).any())


def _numbers(evaluation: Evaluation, extras: Extras) -> str:
    """Write an evaluation as JSON, with the answers beside it that were asked for."""
    if extras == Extras():
        return evaluation.to_json()
    values = evaluation.to_dict()
    values |= extras.values(values["unit"]["numbers"])
    return json.dumps(values, ensure_ascii=False, allow_nan=False, indent=1)


def _check_apart(files: Mapping[str, Path | None]) -> None:
    """Raise if two options name one file."""
    given = [(option, path) for option, path in files.items() if path is not None]
    for (a, first), (b, second) in combinations(given, 2):
        if first.resolve() == second.resolve():
            raise InputError((a, b), "be two files", f"{str(first)!r} for both")


def output_path(option: str, target: str | None, source: str | None) -> Path | None:
    """Return the path of an output file; raise unless it can be written."""
    if target is None:
        return None
    path = Path(target)
    with _explain_name(option, target):
        kind, folder = _describe_special_file(path) if target else "", path.resolve().parent
    if target in ("", _STANDARD_OUTPUT) or kind:
        hint = "write - for the standard output" if option == "--json" and kind not in ("", _FOLDER) else ""
        raise InputError(option, "be a file to write to", f"{kind}{target!r}", hint=hint)
    if not folder.is_dir():
        raise InputError(option, "be in a folder that exists", repr(target))
    if not _has_access(folder, os.W_OK | os.X_OK):
        raise InputError(option, "be in a folder that can be written to", repr(target))
    if path.exists() and not _has_access(path, os.W_OK):
        raise InputError(option, "be a file that can be written to", repr(target))
    if source is not None and path.exists() and Path(source).exists() and path.samefile(source):
        raise InputError(option, "not be the file that is read", repr(target))
    return path


def write_page(out: str, lang: str) -> None:
    """Write the page that opens a CSV file in a language, and say where it is."""
    path = output_path("out", out, None)
    assert path is not None
    import_optional("jinja2", "command", "to write a page")
    from stakes.report import save_opening_page

    with explain_failure("out", path):
        save_opening_page(path.resolve(), lang=lang)
    click.echo(f"Page: {path} (open it in a browser)")


def _has_access(path: Path, mode: int) -> bool:
    return os.access(path, mode, effective_ids=os.access in os.supports_effective_ids)


def _describe_special_file(path: Path) -> str:
    """Describe a folder, device, pipe or standard output at this path, which writing would replace."""
    if path.is_dir():
        return _FOLDER
    if path.exists() and not path.is_file():
        return "the device or pipe "
    with contextlib.suppress(OSError, ValueError):  # no standard output, or no such path
        if os.path.samestat(path.stat(), os.fstat(sys.stdout.fileno())):
            return "the standard output "
    return ""


@contextmanager
def _explain_name(option: str, target: str) -> Iterator[None]:
    """Turn an error about an impossible file name into one sentence."""
    try:
        yield
    except (OSError, ValueError) as error:
        why = reason(error) if isinstance(error, OSError) else "a null character"
        raise InputError(option, "be a file to write to", f"{_check.show(target)}: {why}") from None


@contextmanager
def explain_failure(option: str, path: Path) -> Iterator[None]:
    """Turn an error of writing into one sentence."""
    try:
        yield
    except OSError as error:
        if error.errno is None:
            raise
        raise WriteError(f"`{option}` could not be written to {str(path)!r}: {reason(error)}.") from None

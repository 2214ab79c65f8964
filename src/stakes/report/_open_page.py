"""The page that opens a CSV file: it reads and computes in the browser what `stakes evaluate` does."""

from __future__ import annotations

import os
from importlib.resources import files
from pathlib import Path

from markupsafe import Markup

from stakes._guessing import OPPOSITES, OUTCOME_NAMES, WEIGHT_NAMES, YES
from stakes._whole_file import write_whole
from stakes.evaluation import TEMPLATES
from stakes.report._first_screen import ANSWERS, KINDS, NAMES
from stakes.report._method import versions
from stakes.report._payload import as_script
from stakes.report._render import page_environment
from stakes.report._scripts import asset, is_said, numbers_script, page_style, security_policy, squeezed
from stakes.uncertainty import FEWEST_WITH_HALF_CASES

_READING = ("notation", "layout", "cells", "survey", "roles", "sure", "answer")  # one script, which a worker runs too
_DRAWING = ("charts", "figures", "people")
_MOST_BYTES = 200_000_000


def save_opening_page(path: str | os.PathLike[str]) -> None:
    """Save the page that opens a CSV file: one HTML file, which appears whole or not at all.

    Parameters
    ----------
    path : path
        Where to write it.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from stakes.report import save_opening_page
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save_opening_page(Path(folder) / "page.html")
    ...     [path.name for path in Path(folder).iterdir()]
    ['page.html']
    """
    write_whole(Path(path), [opening_page()])


def opening_page() -> str:
    """Write the page as one HTML text."""
    style = Markup(page_style() + _own("open.css"))
    numbers, reading = Markup(numbers_script()), Markup("\n".join(squeezed(_own(f"{part}.js")) for part in _READING))
    sentences = Markup(squeezed(asset("sentences.js")))  # which the worker runs too
    scripts = [Markup(squeezed(asset(f"{name}.js"))) for name in _DRAWING]
    scripts += [Markup(squeezed(_own(f"{name}.js"))) for name in ("keeping", "open")]
    policy = security_policy(style, [numbers, sentences, reading, *scripts])
    page = page_environment("open", ["open.html.jinja"]).get_template("open.html.jinja")
    text: str = page.render(
        policy=f"{policy}; worker-src blob:; connect-src 'none'",
        style=style,
        version=versions()["stakes"],
        kinds=[(kind, NAMES[kind]) for kind in KINDS],
        said=Markup(as_script(_said())),
        cohort=Markup(_cohort()),
        numbers=numbers,
        sentences=sentences,
        reading=reading,
        worker=Markup(squeezed(_own("worker.js"))),
        scripts=scripts,
    )
    return text


def _said() -> dict[str, object]:
    """Return sentences and limits that the page shares with Python."""
    kinds = {kind: text for kind, text in TEMPLATES.items() if kind.startswith("best") or is_said(kind)}
    return {
        "templates": kinds,
        "answers": ANSWERS,
        "fewest": FEWEST_WITH_HALF_CASES,
        "most_bytes": _MOST_BYTES,
        "example": "cohort.csv",
        "guessing": {
            "names": OUTCOME_NAMES,
            "opposites": [" ".join(pair) for pair in OPPOSITES],
            "yes": sorted(YES),
            "weights": WEIGHT_NAMES,
        },
    }


def _cohort() -> str:
    return files("stakes.datasets").joinpath("cohort.csv").read_text(encoding="utf-8")


def _own(name: str) -> str:
    return files("stakes").joinpath("report", "web", "open", name).read_text(encoding="utf-8")

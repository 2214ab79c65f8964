"""The page that opens a CSV file: it reads and computes in the browser what `stakes evaluate` does."""

from __future__ import annotations

import base64
import gzip
import os
from importlib.resources import files
from pathlib import Path
from typing import Any

from markupsafe import Markup

from stakes import _check
from stakes._guessing import AMOUNT_WORDS, OPPOSITES, OUTCOME_NAMES, TIME_WORDS, WEIGHT_NAMES, YES
from stakes._language import ENGLISH, LANGUAGES, language, speaking
from stakes._whole_file import write_whole
from stakes.report._blank import blank_evaluation, blank_report, shared_sentences
from stakes.report._in_language import script_in_language
from stakes.report._payload import as_script
from stakes.report._scripts import BEGIN, page_scripts, page_style, security_policy
from stakes.report._squeezing import squeezed
from stakes.report._templates import page_environment
from stakes.uncertainty import FEWEST_WITH_HALF_CASES

_READING = (
    "notation",
    "layout",
    "cells",
    "survey",
    "roles",
    "sure",
    "pooling",
    "grouped",
    "crossing",
    "told",
    "answer",
    "worker",
)
_SHOWING = ("elements", "shown", "ingroups", "keeping", "open")
_MOST_BYTES = 200_000_000
_PLAIN_NAMES = {"famhistory": "family_history", "cancerpredmarker": "prediction_model"}  # as the documentation has them

# The bundled file, what its columns are, and costs that are stated for it everywhere.
EXAMPLE: dict[str, Any] = {
    "name": "cohort.csv",
    "roles": {"cancer": "outcome", "family_history": "model", "prediction_model": "model", "risk_group": "group"},
    "cost": {"kind": "uniform", "low": 0.05, "high": 0.2},
}


def save_opening_page(path: str | os.PathLike[str], *, lang: str = ENGLISH) -> None:
    """Save the page that opens a CSV file: one HTML file, which appears whole or not at all.

    Parameters
    ----------
    path : path
        Where to write it.
    lang : {"en", "de"}, keyword-only, default "en"
        Its language, and that of the reports it saves.

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
    with speaking(_check.choice("lang", lang, LANGUAGES)):
        write_whole(Path(path), [opening_page()])


def opening_page() -> str:
    """Write the page as one HTML text, in the language that is spoken.

    It holds a blank report and the scripts of any report. A worker reads and computes with some of them, and the page
    begins the report, which otherwise begins by itself, once there is an answer.
    """
    style, own = page_style(), Markup(_own("open.css"))
    scripts, blank = page_scripts(), blank_evaluation()
    reading, showing = (
        Markup("\n".join(squeezed(script_in_language(_own(f"{part}.js"))) for part in some))
        for some in (_READING, _SHOWING)
    )
    run = {name: script for name, script in scripts.items() if name != BEGIN}
    shared = {"policy": security_policy([style], scripts.values()), "scripts": list(scripts), **shared_sentences(blank)}
    page = page_environment("open", ["open.html.jinja"]).get_template("open.html.jinja")
    text: str = page.render(
        policy=f"{security_policy([style, own], [*run.values(), showing])}; worker-src blob:; connect-src 'none'",
        lang=language(),
        style=style,
        own_style=own,
        version=shared["version"],
        said=Markup(as_script(shared | _limits())),
        blank=Markup(blank_report(blank)),
        cohort=_packed(_cohort()),
        scripts=run,
        begin=scripts[BEGIN],
        reading=_packed(reading),
        showing=showing,
    )
    return text


def _limits() -> dict[str, object]:
    """Return the limits and the words by which columns are guessed."""
    return {
        "lang": language(),
        "fewest": FEWEST_WITH_HALF_CASES,
        "most_bytes": _MOST_BYTES,
        "example": EXAMPLE,
        "guessing": {
            "names": OUTCOME_NAMES,
            "opposites": [" ".join(pair) for pair in OPPOSITES],
            "yes": sorted(YES),
            "weights": WEIGHT_NAMES,
            "times": sorted(TIME_WORDS),
            "amounts": sorted(AMOUNT_WORDS),
        },
    }


def _packed(text: str) -> str:
    """Return a text in a form that a page unpacks, at a third of its length."""
    return base64.b64encode(gzip.compress(text.encode("utf-8"), mtime=0)).decode("ascii")


def _cohort() -> str:
    text = files("stakes.datasets").joinpath("cohort.csv").read_text(encoding="utf-8")
    names, rows = text.split("\n", 1)
    for short, plain in _PLAIN_NAMES.items():
        names = names.replace(short, plain)
    return f"{names}\n{rows}"


def _own(name: str) -> str:
    return files("stakes").joinpath("report", "web", "open", name).read_text(encoding="utf-8")

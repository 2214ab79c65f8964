"""Scripts and style of the page, and the policy that allows nothing else to run in it."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable
from importlib.resources import files

from markupsafe import Markup

from stakes.report._in_language import script_in_language
from stakes.report._squeezing import squeezed, squeezed_style

SCRIPTS = (
    *("charts", "figures", "pictures", "people", "state", "control", "wording", "nodes", "asked", "sentences"),
    *("groups", "rankings", "headlines", "plots", "parts", "policies", "study", "downloads", "page", "begin"),
)
_SENTENCES, BEGIN = "sentences", SCRIPTS[-1]
_ALONE = (_SENTENCES, BEGIN)  # a worker runs the first, too, and a page that opens files begins by itself


def asset(name: str) -> str:
    """Read a script or style of our own."""
    return files("stakes").joinpath("report", "web", "page", name).read_text(encoding="utf-8")


def security_policy(styles: Iterable[str], scripts: Iterable[str]) -> str:
    """Return the page's content-security policy: our own scripts and styles, and our own pictures."""
    allowed, own = (" ".join(map(_digest, texts)) for texts in (scripts, styles))
    return (
        f"default-src 'none'; script-src {allowed}; style-src {own}; img-src data:; base-uri 'none'; form-action 'none'"
    )


def _digest(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode('utf-8')).digest()).decode('ascii')}'"


# Each is a plain script; all but the last add functions to one object, `stakes`, that `maps` closes.
_PARTS = (
    *("beliefs", "packing", "tables", "steps", "scores", "shift", "decisions"),
    *("threshold", "best", "spread", "groups", "curves", "maps", "words"),
)


def numbers_script() -> str:
    """Return one script that defines `stakes`, which computes, and `words`, which writes."""
    folder = files("stakes").joinpath("report", "web", "numbers")
    return _joined(folder.joinpath(f"{part}.js").read_text(encoding="utf-8") for part in _PARTS)


def _joined(parts: Iterable[str]) -> str:
    """Return several scripts as one, which says once that it is strict."""
    first, *others = (squeezed(script_in_language(part)) for part in parts)
    return "\n".join([first, *(part.removeprefix('"use strict";') for part in others)])


def page_style() -> Markup:
    """Return the style of every page, without comments and without spaces that say nothing."""
    return Markup(squeezed_style(asset("style.css")))


def page_scripts() -> dict[str, Markup]:
    """Return the scripts of the page by name, in the order in which they run."""
    together = (asset(f"{name}.js") for name in SCRIPTS if name not in _ALONE)
    scripts = {"numbers": numbers_script(), _SENTENCES: _joined([asset(f"{_SENTENCES}.js")]), "page": _joined(together)}
    return {name: Markup(text) for name, text in (scripts | {BEGIN: _joined([asset(f"{BEGIN}.js")])}).items()}


def is_said(kind: str) -> bool:
    """Return whether the page can say a finding of this kind at any decision."""
    return f'"{kind}"' in asset("sentences.js")

"""Templates of pages, in the language that is spoken."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files
from typing import Any

from stakes._errors import MissingPackageError
from stakes._language import language
from stakes.report._in_language import template_in_language

TEMPLATES = ("report.html.jinja", "method.html.jinja")


def page_environment(folder: str = "page", templates: Sequence[str] = TEMPLATES) -> Any:
    """Return what fills in the templates of a folder of `web`."""
    try:
        from jinja2 import DictLoader, Environment, StrictUndefined

        from stakes.report._compiled_templates import CompiledTemplates
    except ImportError:
        raise MissingPackageError("Jinja2", "'stakes[report]'", "to fill in its page", "the report") from None
    where = files("stakes").joinpath("report", "web", folder)
    texts = {name: where.joinpath(name).read_text(encoding="utf-8") for name in templates}
    sources = {name: _without_indents(template_in_language(text)) for name, text in texts.items()}
    return Environment(
        loader=DictLoader(sources),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        bytecode_cache=CompiledTemplates(language()),
    )


def _without_indents(text: str) -> str:
    """Return a text without the indents, which nobody reads in a page."""
    return "\n".join(line.lstrip(" ") for line in text.split("\n"))

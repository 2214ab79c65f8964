"""Formulas become MathML when the site is built: no script, no network, and they open from disk."""

from __future__ import annotations

from html import escape

from docutils import nodes
from math_core import LatexError, LatexToMathML
from sphinx.application import Sphinx
from sphinx.util import logging
from sphinx.writers.html5 import HTML5Translator

LOG = logging.getLogger(__name__)
CONVERTER = LatexToMathML(fancy_error=False)


def setup(app: Sphinx) -> dict[str, bool]:
    """Offer the renderer to Sphinx, under the name ``mathml``."""
    app.add_html_math_renderer("mathml", inline_renderers=(visit_inline, None), block_renderers=(visit_block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def visit_inline(writer: HTML5Translator, node: nodes.math) -> None:
    """Write a formula that stands in a line of text."""
    writer.body.append(mathml(node, displaystyle=False))
    raise nodes.SkipNode


def visit_block(writer: HTML5Translator, node: nodes.math_block) -> None:
    """Write a formula that stands on its own."""
    writer.body.append(f'<div class="formula">{mathml(node, displaystyle=True)}</div>\n')
    raise nodes.SkipNode


def mathml(node: nodes.Element, *, displaystyle: bool) -> str:
    r"""Convert the TeX of a node; lines that are divided by ``\\`` are aligned at ``&``."""
    tex = node.astext().strip()
    if displaystyle and r"\\" in tex:
        tex = rf"\begin{{aligned}}{tex}\end{{aligned}}"
    try:
        return CONVERTER.convert_with_local_state(tex, displaystyle=displaystyle)
    except LatexError as error:
        LOG.warning("cannot convert the formula %s: %s", tex, error, location=node)
        return f"<code>{escape(tex)}</code>"

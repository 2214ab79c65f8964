"""Blocks of code: no blank line at the end, which only the runner of examples needs; sentences in them wrap."""

import re

from docutils import nodes
from sphinx.application import Sphinx

PRINTED = re.compile(r'(<div class="highlight-(?:console|text)[^>]*>.*?<pre>)(.*?)(</pre>)', re.DOTALL)
TAG = re.compile(r"<[^>]*>")
COLUMNS = re.compile(r"\S {2,}\S|[─│]")  # of a table, whose lines must not wrap


def setup(app: Sphinx) -> dict[str, bool]:
    """Tell Sphinx when to look at the blocks."""
    app.connect("doctree-read", trim)
    app.connect("html-page-context", wrap_sentences)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def trim(_: Sphinx, page: nodes.document) -> None:
    """Cut blank lines at the end of each block."""
    for block in page.findall(nodes.literal_block):
        block.rawsource = block.astext().rstrip()  # where it differs from the text, colours would be left out
        block.clear()
        block += nodes.Text(block.rawsource)


def wrap_sentences(_app: Sphinx, _page: str, _template: str, context: dict[str, str], _tree: object) -> None:
    """Let commands and sentences wrap among what a command prints; tables keep their lines."""
    if "body" in context:
        context["body"] = PRINTED.sub(
            lambda block: block[1] + "\n".join(map(marked, block[2].split("\n"))) + block[3], context["body"]
        )


def marked(line: str) -> str:
    """Mark a line that is no row of a table, and whose tags end where it does."""
    is_whole = line.count("<span") == line.count("</span>")
    return line if COLUMNS.search(TAG.sub("", line)) or not is_whole else f'<span class="sentence">{line}</span>'

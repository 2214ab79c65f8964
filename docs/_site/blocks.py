"""Blocks of code without the blank line at their end, which only the examples' runner needs."""

from docutils import nodes
from sphinx.application import Sphinx


def setup(app: Sphinx) -> dict[str, bool]:
    """Tell Sphinx when to look at the blocks."""
    app.connect("doctree-read", trim)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def trim(_: Sphinx, page: nodes.document) -> None:
    """Cut blank lines at the end of each block."""
    for block in page.findall(nodes.literal_block):
        block.rawsource = block.astext().rstrip()  # where it differs from the text, colours would be left out
        block.clear()
        block += nodes.Text(block.rawsource)

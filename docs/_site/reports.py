"""A live report inside a page: the command that stands there is run when the site is built."""

from __future__ import annotations

import shlex
import subprocess
import sys
from html import escape
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

FOLDER = "reports"  # within the site


def setup(app: Sphinx) -> dict[str, bool]:
    """Tell Sphinx about the directive ``report``."""
    app.add_directive("report", Report)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


class Report(SphinxDirective):
    """Show the report that a command of ``stakes`` writes, such as ``evaluate biopsies.csv --costs 5%..20% …``.

    ``page`` is the page that opens a CSV file, with the bundled one in it.
    """

    required_arguments = 1
    final_argument_whitespace = True

    def run(self) -> list[nodes.Node]:
        """Write the report into the site, and return a frame and a link to it."""
        name = f"{self.env.docname.replace('/', '-')}.html"
        report = Path(self.env.app.outdir) / FOLDER / name
        report.parent.mkdir(exist_ok=True)
        given, address = shlex.split(self.arguments[0]), "../" * self.env.docname.count("/") + f"{FOLDER}/{name}"
        opens = given == ["page"]  # a file, and at first the bundled one
        where = [str(report)] if opens else ["--quiet", "--html", str(report)]
        command = [sys.executable, "-m", "stakes", *given, *where]
        subprocess.run(command, cwd=self.env.app.srcdir, check=True, stdout=subprocess.DEVNULL)
        address = escape(f"{address}#example" if opens else address)
        return [nodes.raw("", FRAME.format(address=address), format="html")]


FRAME = """
<figure class="report">
<iframe src="{address}" title="The report, which can be explored" loading="lazy"></iframe>
<figcaption><a href="{address}">Open the report on its own</a></figcaption>
</figure>
"""

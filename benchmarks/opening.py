"""The page that opens a CSV file, on a large one: part of ``python3 dev.py bench page``.

A million rows with three models are dropped on the page: how long until each thing that it says it does begins, until
the report stands there with every interval and finding, until it does so again for other costs, and how much memory
the browser's process then holds.
"""

from __future__ import annotations

import argparse
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from measuring import print_table, processor
from page import BROWSERS
from playwright.sync_api import Page, sync_playwright

from stakes.report import save_opening_page

ROWS, MODELS, PATIENCE = 1_000_000, 3, 600_000  # milliseconds

# Notes when each step begins.
WATCH = """() => {
  const said = document.querySelector("#progress-said"), start = performance.now();
  window.steps = [];
  new MutationObserver(() => window.steps.push([said.textContent, performance.now() - start]))
    .observe(said, { childList: true, characterData: true, subtree: true });
}"""


def write_file(path: Path) -> None:
    """Write a file of models that differ in how well they tell the classes apart."""
    rng = np.random.default_rng(24)
    truth = rng.normal(size=ROWS)
    y = rng.random(ROWS) < 1 / (1 + np.exp(2 - truth))
    scores = [1 / (1 + np.exp(2 - truth - rng.normal(0, 0.3 * (k + 1), ROWS))) for k in range(MODELS)]
    names = ",".join(["died", *(f"model {k}" for k in range(MODELS))])
    np.savetxt(path, np.column_stack([y, *scores]), fmt="%d" + ",%.6f" * MODELS, header=names, comments="")


def most_memory() -> float:
    """Return the most memory that a process of the browser has held, in MB."""
    known = {int(one.name): _status(one) for one in Path("/proc").iterdir() if one.name.isdigit()}
    ours = {os.getpid()}
    for _ in range(6):  # pages are grandchildren of the browser, which is a grandchild of this process
        ours |= {number for number, status in known.items() if int(status.get("PPid", "0")) in ours}
    return max(float(known[number].get("VmHWM", "0").split()[0]) / 1024 for number in ours - {os.getpid()})


def _status(process: Path) -> dict[str, str]:
    try:
        lines = (process / "status").read_text(encoding="utf-8").splitlines()
    except OSError:  # it has ended meanwhile
        return {}
    return dict(line.split(":\t", 1) for line in lines if ":\t" in line)


def measured(page: Page, path: Path) -> Iterator[tuple[str, str]]:
    """Open the file, move the costs, and return what took how long."""
    page.evaluate(WATCH)
    page.set_input_files("#file", path)
    page.wait_for_selector("#report:not([hidden])", timeout=PATIENCE)
    for said, at in page.evaluate("window.steps"):
        yield (said or "the report, with every interval and finding"), f"{at / 1000:.2f} s"
    moved = """async () => {
      const start = performance.now();
      opener.askFor({ kind: "uniform", low: 0.05, high: 0.2 });
      while (opener.busy()) await new Promise((done) => setTimeout(done, 5));
      return performance.now() - start;
    }"""
    yield "the same at other costs", f"{page.evaluate(moved) / 1000:.2f} s"


def main() -> None:
    """Measure and print a table."""
    argparse.ArgumentParser(description=__doc__).parse_args()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as play:
        path = Path(folder) / "scores.csv"
        write_file(path)
        save_opening_page(Path(folder) / "page.html")
        browser = play.chromium.launch(executable_path=next(filter(None, map(shutil.which, BROWSERS)), None))
        page = browser.new_page()
        page.goto((Path(folder) / "page.html").as_uri())
        lines = list(measured(page, path))
        lines.append(("most memory of a process of the browser", f"{most_memory():.0f} MB"))
        print(f"{ROWS:,} rows, {MODELS} models, {path.stat().st_size / 1e6:.0f} MB; {processor()}")
        print_table(("after the file is chosen", ""), lines)
        browser.close()


if __name__ == "__main__":
    main()

"""The report in a real browser, every row that takes time: ``python3 dev.py bench page [--models 3 12 40]``.

A move is one step of a pointer that drags a number: what scripts take for it, from the event to the end of the frame
that follows, observers included, at the top of the page and further down. Times are scaled by a fixed loop that is
timed in the same run, to a machine that takes 13 ms for it, so that runs on different machines can be compared.
"""

from __future__ import annotations

import argparse
import os
import platform
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
from measuring import installed, print_table, processor
from playwright.sync_api import Browser, Locator, Page, sync_playwright

from stakes import evaluate
from stakes.report import render

CASES, COSTS, MOVES, LOADS = 3000, "5%..20%", 80, 7
PLACES = {"top": 0.0, "a third down": 0.33, "two thirds down": 0.67, "end": 1.0}  # of the page, as shares
LOOP_MS = 13.0  # as a quiet AMD EPYC of 2024 takes
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chromium-headless-shell")

# Notes what scripts take between two calls of `spent`, and when the page first has nothing left to do.
WATCH = """
(() => {
  let taken = 0;
  const timed = (call) => function (...given) {
    const start = performance.now();
    try { return call.apply(this, given); } finally { taken += performance.now() - start; }
  };
  window.spent = () => { const found = taken; taken = 0; return found; };
  const frame = window.requestAnimationFrame.bind(window);
  window.frame = frame;
  window.requestAnimationFrame = (call) => frame(timed(call));
  const listen = EventTarget.prototype.addEventListener;
  EventTarget.prototype.addEventListener = function (kind, call, ...how) {
    return listen.call(this, kind, typeof call === "function" ? timed(call) : call, ...how);
  };
  for (const name of ["ResizeObserver", "IntersectionObserver"]) {
    const Whole = window[name];
    window[name] = class extends Whole { constructor(call, ...how) { super(timed(call), ...how); } };
  }
  listen.call(document, "DOMContentLoaded", () => frame(() => frame(() => (window.ready = performance.now()))));
})();
"""

LOOP = """() => {
  const times = Array.from({ length: 9 }, () => {
    const start = performance.now();
    let x = 1;
    for (let k = 0; k < 1e7; k++) x = x * 1.0000001 + 1e-9;
    return x > 0 ? performance.now() - start : 0;
  });
  return Math.min(...times);
}"""

PAINTED = "() => performance.getEntriesByName('first-contentful-paint')[0].startTime"
NEXT_FRAMES = "() => new Promise((done) => window.frame(() => window.frame(() => setTimeout(done))))"


def page_of(models: int) -> str:
    """Return the page of a made-up sample, with models that differ in how much they err."""
    rng = np.random.default_rng(1)
    z = rng.normal(size=CASES) - 2
    y = rng.random(CASES) < 1 / (1 + np.exp(-1.5 * z))
    scores = {}
    for k in range(models):
        own = 0.3 + k / models
        scores[f"model {k}"] = 1 / (1 + np.exp(-(1.5 * z * (0.2 + own) + rng.normal(size=CASES) * own)))
    return render(evaluate(y, scores, COSTS, rng=1), embed="live")


def loads(browser: Browser, path: Path) -> Iterator[tuple[float, float]]:
    """Open a page several times, each time as if for the first; yield when it was painted and when it was ready."""
    for _ in range(LOADS):
        page = watched(browser, path)
        page.wait_for_function("() => window.ready && performance.getEntriesByName('first-contentful-paint').length")
        yield page.evaluate(PAINTED), page.evaluate("() => window.ready")
        page.context.close()


def watched(browser: Browser, path: Path) -> Page:
    page = browser.new_context(viewport={"width": 1440, "height": 900}).new_page()
    page.add_init_script(WATCH)
    page.goto(path.as_uri())
    return page


def control(page: Page) -> Locator:
    """Return the first number that can be dragged: in the sentence, or in the bar where that is out of view."""
    return page.locator("#bar.shown .number-control, body:not(:has(#bar.shown)) #sentence .number-control").first


def moves(page: Page, down: float) -> list[float]:
    """Scroll to a place, drag a number to and fro, and return what scripts took for each move, in milliseconds."""
    page.evaluate("(down) => scrollTo(0, down * (document.body.scrollHeight - innerHeight))", down)
    page.evaluate(NEXT_FRAMES)
    box = control(page).bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    found = []
    for k in range(MOVES + 1):
        aside = 8 * (abs((k % 40) - 20) - 20)  # a step of the control each, 20 to the left and back
        page.mouse.move(x + aside, y)
        page.evaluate(NEXT_FRAMES)
        found.append(float(page.evaluate("() => window.spent()")))
    page.mouse.up()
    page.keyboard.press("Escape")
    return found[1:]  # the first begins to hold


def in_browser(browser: Browser, path: Path) -> dict[str, Any]:
    """Return all times of a page, unscaled, in milliseconds."""
    opened = list(loads(browser, path))
    page = watched(browser, path)
    loop = page.evaluate(LOOP)
    by_place = {name: moves(page, down) for name, down in PLACES.items()}
    loop = min(loop, page.evaluate(LOOP))
    page.context.close()
    painted, ready = (median(times) for times in zip(*opened, strict=True))
    return {"loop": loop, "painted": painted, "ready": ready, "moves": by_place}


def rows(models: int, weight: int, found: dict[str, Any]) -> Iterator[tuple[str, str, str, str]]:
    """Return the lines of the table: what, as measured, scaled, and what to reach."""
    scale, twelve = LOOP_MS / found["loop"], models == 12
    aim = {3: "330", 12: "450", 40: "900"}.get(models)
    yield f"weight of the page, {models} models", f"{weight / 1000:.0f} kB", "", f"{aim} kB" if aim else ""

    def line(what: str, milliseconds: float, wanted: str) -> tuple[str, str, str, str]:
        return f"{what}, {models} models", f"{milliseconds:.1f} ms", f"{milliseconds * scale:.1f} ms", wanted

    yield line("first contentful paint", found["painted"], "300 ms")
    yield line("interactive, charts in view drawn", found["ready"], "500 ms" if twelve else "")
    for place, times in [*found["moves"].items(), ("all places", list(chain(*found["moves"].values())))]:
        yield line(f"scripts per move, {place}: median", median(times), "8 ms" if twelve else "")
        yield line(f"scripts per move, {place}: 95%", float(np.percentile(times, 95)), "16 ms" if twelve else "")


def lines(counts: Sequence[int], folder: Path, browser: Browser) -> Iterator[tuple[str, str, str, str]]:
    for models in counts:
        path = folder / f"{models}.html"
        path.write_text(page_of(models), encoding="utf-8")
        yield from rows(models, path.stat().st_size, in_browser(browser, path))


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--models", type=int, nargs="+", default=[3, 12, 40], help="how many models the pages have")
    counts = parser.parse_args().models
    own = next(filter(None, map(shutil.which, BROWSERS)), None)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=own, args=["--no-sandbox", "--disable-gpu"])
        print(f"Python {platform.python_version()}, {installed('numpy')}, Chromium {browser.version}, {processor()},")
        print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}; {CASES} cases, {MOVES} moves at each place.")
        print_table(("what", "measured", "scaled", "to reach"), lines(counts, Path(folder), browser))
        browser.close()


if __name__ == "__main__":
    main()

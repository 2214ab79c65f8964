"""A real browser: pages opened from disk, and the report's scripts asked for numbers."""

import json
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, sync_playwright
from report.watching import PATIENCE, StoppedDrawingError, Watched, opened, system_browser

from stakes import At, LogOddsUniform, ScoreTable
from stakes.report._scripts import numbers_script

FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


@pytest.hookimpl(wrapper=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> Generator[None, object, object]:
    """Begin a test again, once, on a new page, where the browser stopped drawing, as Chromium does now and then."""
    try:
        return (yield)
    except StoppedDrawingError:
        names = pyfuncitem._fixtureinfo.argnames
        pyfuncitem.obj(**{name: pyfuncitem.funcargs[name] for name in names})
        return True


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """One browser for the tests of a file: that of the system, or else the one that Playwright brought."""
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=system_browser(), args=FLAGS, timeout=PATIENCE)
        yield launched
        launched.close()


@pytest.fixture
def open_file(browser: Browser) -> Iterator[Callable[..., Page]]:
    """Open files from disk (`open_file(path, viewport={...}, color_scheme=...)`): at the end all must be well in them.

    A test fails on any error in the console or the scripts, and on any request but that for the file itself.
    """
    pages: list[Watched] = []

    def open_one(path: Path, **options: Any) -> Page:
        pages.append(opened(browser, path, **options))
        return pages[-1].page

    yield open_one
    for watched in pages:
        watched.page.context.close()
    assert [problem for watched in pages for problem in watched.problems] == []


# Reads calls such as ["auc", {"$table": 0}], whose arguments may be calls themselves, and answers in JSON. Numbers
# that JSON lacks are sent as text.
_ANSWER = """
({ tables, calls }) => {
  const made = tables.map(stakes.table);
  const scripts = { ...stakes, ...words };
  const read = (value) => {
    if (Array.isArray(value)) return value.map(read);
    if (value === null || typeof value !== "object") return value;
    if ("$table" in value) return made[value.$table];
    if ("$number" in value) return Number(value.$number);
    if ("$call" in value) return answer(value.$call);
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, read(inner)]));
  };
  const answer = ([name, ...given]) => scripts[name](...given.map(read));
  const plain = (_, value) => {
    if (ArrayBuffer.isView(value)) return Array.from(value);
    return typeof value === "number" && !Number.isFinite(value) ? { $number: String(value) } : value;
  };
  return JSON.stringify(calls.map(answer), plain);
}
"""


class Numbers:
    """The report's scripts in a page, asked in batches: `numbers(("auc", table), ("brier", table))`."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def __call__(self, *calls: tuple[Any, ...]) -> list[Any]:
        """Return what each call, a name and its arguments, gives."""
        tables: list[ScoreTable] = []
        sent = [_sent(list(call), tables) for call in calls]
        columns = [_columns(table) for table in tables]
        answer = self.page.evaluate(
            f"(batch) => ({_ANSWER})(JSON.parse(batch))", json.dumps({"tables": columns, "calls": sent})
        )
        return json.loads(answer, object_hook=lambda found: float(found["$number"]) if "$number" in found else found)


def _columns(table: ScoreTable) -> dict[str, list[float]]:
    """Return the columns of a table, with everyone where its rows do not count people."""
    columns = {name: getattr(table, name).tolist() for name in ("score", "positive", "negative")}
    if table.heads is None:
        return columns
    return columns | {"everyone_score": table.heads.score.tolist(), "everyone": table.heads.everyone.tolist()}


def _sent(value: Any, tables: list[ScoreTable]) -> Any:
    """Turn what Python calls a table, a belief or a call inside a call into what the page reads."""
    match value:
        case ScoreTable():
            known = next((k for k, table in enumerate(tables) if table is value), len(tables))
            tables.extend([value] if known == len(tables) else [])
            return {"$table": known}
        case tuple():
            return {"$call": [_sent(part, tables) for part in value]}
        case list():
            return [_sent(part, tables) for part in value]
        case dict():
            return {key: _sent(part, tables) for key, part in value.items()}
        case float() if value - value != 0:
            return {"$number": str(value).replace("inf", "Infinity")}
    return belief_of(value) if hasattr(value, "support") else value


def belief_of(belief: Any) -> dict[str, Any]:
    """Return a belief as the page holds it."""
    low, high = belief.support
    kind = "at" if isinstance(belief, At) else "log_odds_uniform" if isinstance(belief, LogOddsUniform) else "uniform"
    return {"kind": kind, "low": low, "high": high}


@pytest.fixture(scope="module")
def numbers(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Numbers]:
    """Open a page from disk that holds nothing but the report's scripts for numbers and words."""
    path = tmp_path_factory.mktemp("numbers") / "numbers.html"
    head = '<!doctype html><meta charset="utf-8"><title>numbers</title>'
    path.write_text(f"{head}<script>{numbers_script()}</script>", encoding="utf-8")
    watched = opened(browser, path)
    yield Numbers(watched.page)
    watched.page.context.close()
    assert watched.problems == []

"""A page opened from disk that notes whatever goes wrong in it."""

import os
import shutil
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page

PATIENCE = 100_000  # milliseconds that a page may take over anything: the machine may be busy


class StoppedDrawingError(Exception):
    """A browser without a window draws no more frames of a page, whose scripts go on; it draws new pages."""


def system_browser() -> str | None:
    """Return the first browser on the path; the one without windows is lighter, and made to be driven."""
    names = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
    return next(filter(None, map(shutil.which, names)), None)


def has_own_browser() -> bool:
    """Say whether Playwright has brought a browser, by the folders it documents; to ask it would start it."""
    caches = [Path.home() / cache / "ms-playwright" for cache in (".cache", "Library/Caches", "AppData/Local")]
    folders = [Path(os.environ["PLAYWRIGHT_BROWSERS_PATH"])] if "PLAYWRIGHT_BROWSERS_PATH" in os.environ else caches
    return any(True for folder in folders for _ in folder.glob("chromium-*"))


class Watched:
    """A page, and what went wrong in it: errors, and requests for anything but the file itself."""

    def __init__(self, page: Page, address: str) -> None:
        self.page, self.address, self.problems = page, address, list[str]()
        page.on("console", lambda message: self._note(message.type == "error", f"console: {message.text}"))
        page.on("pageerror", lambda error: self._note(True, f"error: {error}"))
        page.on("request", lambda request: self._note(not self._is_here(request.url), f"request: {request.url}"))

    def _note(self, bad: bool, text: str) -> None:
        if bad:
            self.problems.append(text)

    def _is_here(self, address: str) -> bool:
        """Whether an address is the file's own, or one of data that the page itself made."""
        return address.partition("#")[0] == self.address or address.startswith(("data:", "blob:"))


def opened(browser: Browser, path: Path, fragment: str = "", **options: Any) -> Watched:
    """Open a file from disk in a context of its own."""
    context = browser.new_context(**options)
    context.set_default_timeout(PATIENCE)
    watched = Watched(context.new_page(), path.resolve().as_uri())
    watched.page.goto(watched.address + fragment)
    return watched

"""Photograph the top of the bundled cohort's report, for the README: ``python3 dev.py pictures``."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from stakes.cli import main

PICTURE = Path(__file__).parent / "report.png"
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chromium-headless-shell")


def photograph(report: Path, picture: Path) -> None:
    """Open a report in a browser and save what a reader sees first."""
    with sync_playwright() as playwright:
        found = next(filter(None, map(shutil.which, BROWSERS)), None)
        browser = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1180, "height": 625}, device_scale_factor=1.5)
        page.goto(report.as_uri())
        page.screenshot(path=picture)
        browser.close()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.html"
        if code := main(["demo", "--html", str(report)]):
            raise SystemExit(code)
        photograph(report, PICTURE)

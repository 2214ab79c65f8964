"""Examples of the pages run in a folder that holds nothing but the files which the pages offer."""

import shutil
from pathlib import Path

import pytest

collect_ignore = ["conf.py", "_site"]  # they build the site, and know Sphinx


@pytest.fixture(autouse=True)
def folder_of_a_reader(tmp_path, monkeypatch):
    """Go to an empty folder with the example files, so that pages may read them, and write what they like."""
    for offered in Path(__file__).parent.glob("*.csv"):
        shutil.copy(offered, tmp_path)
    monkeypatch.chdir(tmp_path)

"""The gallery is drawn by code, and the committed page lists exactly what the code draws."""

import importlib.util
import re
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow  # draws every figure
DOCS = Path(__file__).parents[2] / "docs"


def load(name):
    spec = importlib.util.spec_from_file_location(name, DOCS / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def drawn(tmp_path_factory):
    folder = tmp_path_factory.mktemp("docs")
    load("gallery").main(folder)
    return folder


def test_the_committed_page_is_what_the_program_writes(drawn):
    assert (DOCS / "gallery.md").read_text(encoding="utf-8") == (drawn / "gallery.md").read_text(encoding="utf-8")


def test_every_figure_of_the_page_is_there_and_no_other(drawn):
    page = (DOCS / "gallery.md").read_text(encoding="utf-8")
    listed = sorted(part.split(")")[0] for part in page.split("](gallery/")[1:])
    for folder in (DOCS, drawn):
        assert sorted(file.name for file in (folder / "gallery").iterdir()) == listed


def test_the_pictures_are_small_and_open(drawn):
    sizes = [file.stat().st_size for file in (drawn / "gallery").iterdir()]
    assert max(sizes) < 250_000
    assert sum(sizes) < 2_250_000
    assert all(file.read_text(encoding="utf-8").startswith("<?xml") for file in (drawn / "gallery").iterdir())


def test_the_picture_of_the_readme_is_drawn_too(drawn):
    assert 5_000 < (drawn / "picture.svg").stat().st_size < 200_000
    assert (DOCS / "picture.svg").exists()


def test_the_code_below_a_figure_draws_it_alone(drawn, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    page = (DOCS / "gallery.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```\{code-block\} python\n(.*?)\n```", page, re.DOTALL)
    assert len(blocks) == page.count("](gallery/")
    for block in blocks:
        exec(compile(block, "gallery.md", "exec"), {"__name__": "gallery"})
    assert {path.name for path in tmp_path.iterdir()} == {path.name for path in (drawn / "gallery").iterdir()}

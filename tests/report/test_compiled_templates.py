"""Templates are compiled once, and kept where Python keeps compiled modules. Compilations are counted, not seconds."""

import sys

import pytest
from jinja2 import Environment

from stakes._language import speaking
from stakes.report._templates import TEMPLATES, page_environment


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "pycache_prefix", str(tmp_path))
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    return tmp_path


@pytest.fixture
def compiled(monkeypatch):
    """Return the names of templates as they are compiled."""
    names, compile_ = [], Environment.compile

    def counted(self, source, name=None, *others, **more):
        names.append(name)
        return compile_(self, source, name, *others, **more)

    monkeypatch.setattr(Environment, "compile", counted)
    return names


def load():
    environment = page_environment()
    return [environment.get_template(name) for name in TEMPLATES]


def files_in(folder):
    return [path for path in folder.rglob("*") if path.is_file()]


def test_templates_are_compiled_once_for_each_language(compiled):
    for _ in range(3):
        load()
    assert compiled == [*TEMPLATES]
    with speaking("de"):
        load()
        load()
    assert compiled == [*TEMPLATES] * 2
    load()
    assert len(compiled) == 2 * len(TEMPLATES)


def test_another_source_is_compiled_again(compiled, monkeypatch):
    load()
    monkeypatch.setattr("stakes.report._templates.template_in_language", lambda source: f"{source}<p>more</p>")
    load()
    assert compiled == [*TEMPLATES] * 2


@pytest.mark.parametrize("left", [0, 8, 40, 400])
def test_a_damaged_file_is_compiled_again(compiled, folder, left):
    load()
    for path in files_in(folder):
        path.write_bytes(path.read_bytes()[:left])
    load()
    assert compiled == [*TEMPLATES] * 2
    load()
    assert len(compiled) == 2 * len(TEMPLATES)


def test_nothing_is_written_where_python_shall_write_no_bytecode(compiled, folder, monkeypatch):
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    load()
    load()
    assert compiled == [*TEMPLATES] * 2
    assert files_in(folder) == []


def test_a_place_that_cannot_be_written_to_changes_nothing(compiled, folder, monkeypatch):
    occupied = folder / "file"
    occupied.write_text("a file, not a folder")
    monkeypatch.setattr(sys, "pycache_prefix", str(occupied))
    load()
    load()
    assert compiled == [*TEMPLATES] * 2

"""A package that is not installed is one sentence: what it is for, and what to type."""

import sys

import pytest

TYPED = ("--outcome", "died", "--predictions", "old", "--costs", "5%..20%")


@pytest.mark.parametrize(
    ("package", "typed", "message"),
    [
        ("click", ["--help"], "`click` must be installed to use the command: pip install 'stakes[command]'."),
        ("rich", ["demo"], "`rich` must be installed to use the command: pip install 'stakes[command]'."),
        ("jinja2", ["demo"], "`jinja2` must be installed to write a report: pip install 'stakes[command]'."),
        (
            "jinja2",
            ["evaluate", "scores.csv", *TYPED, "--html", "report.html"],
            "`jinja2` must be installed to write a report: pip install 'stakes[command]'.",
        ),
        (
            "duckdb",
            ["evaluate", "scores.csv", *TYPED],
            "`duckdb` must be installed to read files: pip install 'stakes[files]'.",
        ),
        (
            "pyarrow",
            ["evaluate", "scores.arrow", *TYPED],
            "`pyarrow` must be installed to read Arrow files: pip install 'stakes[files]'.",
        ),
    ],
)
def test_a_missing_package_is_named_with_what_to_type(package, typed, message, scores, refused, monkeypatch):
    scores.with_name("scores.arrow").write_bytes(b"ARROW1\0\0")
    monkeypatch.setitem(sys.modules, package, None)  # as if it were not installed
    assert refused(*typed) == message


def test_numbers_need_no_package_for_reports(stakes, scores, monkeypatch):
    monkeypatch.setitem(sys.modules, "jinja2", None)
    ran = stakes("evaluate", scores, *TYPED, "--json", "-")
    assert (ran.code, ran.err) == (0, "")

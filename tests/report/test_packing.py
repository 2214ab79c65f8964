"""Columns of numbers in a page lose nothing on the way, and scripts and styles nothing but comments and spaces."""

import re

import numpy as np
import pytest
from report.agreement import untied
from report.pages import TABLES

from stakes.report._in_language import LITERAL, template_literal
from stakes.report._packing import pack, pack_bytes, unpack_bytes
from stakes.report._pooling import pool_rows
from stakes.report._scripts import SCRIPTS, asset, page_style
from stakes.report._squeezing import squeezed

COLUMNS = {
    "counts": np.array([0.0, 1.0, 127.0, 128.0, 16_384.0, 2.0**31 - 1]),
    "scores": pool_rows(untied(3000, 1)).score,
    "weights": np.random.default_rng(1).random(40) * 1e-7,
    "few": np.array([0.25]),
    "ends": np.array([0.0, 0.5, 1.0]),
    **{f"{name} {part}": getattr(table, part) for name, table in TABLES.items() for part in ("score", "negative")},
}


@pytest.mark.parametrize("name", COLUMNS)
def test_a_column_comes_back_bit_by_bit(numbers, name):
    column = COLUMNS[name]
    (found,) = numbers(("unpack", pack(column)))
    assert found == column.tolist()


def test_pooled_scores_take_some_two_bytes():
    packed = pack(COLUMNS["scores"])
    assert list(packed) == ["steps"]
    assert len(packed["steps"]) < 3.2 * len(COLUMNS["scores"])


def test_a_matrix_of_bytes_is_read_as_python_reads_it(numbers):
    matrix = np.random.default_rng(2).normal(size=(7, 3)) * [1, 0.001, 50]
    packed = pack_bytes(matrix)
    (found,) = numbers(("unpackBytes", packed))
    assert found["value"] == unpack_bytes(packed).ravel().tolist()
    assert (found["rows"], found["columns"]) == matrix.shape
    assert np.abs(unpack_bytes(packed) - matrix).max(axis=0) / np.abs(matrix).max(axis=0) == pytest.approx(0, abs=0.005)


def test_a_matrix_without_columns_is_read_as_empty(numbers):
    packed = pack_bytes(np.zeros((7, 0)))
    (found,) = numbers(("unpackBytes", packed))
    assert (found["rows"], found["columns"], found["value"]) == (0, 0, [])
    assert unpack_bytes(packed).shape == (0, 0)


def quoted(script: str) -> list[str]:
    """Find texts in quotes, also those inside others, and patterns."""
    found, at = list[str](), 0
    while one := LITERAL.search(script, at):
        at = one.end()
        if one["template"]:
            text, values, at = template_literal(script, at)
            found += [text, *(part for value in values for part in quoted(value))]
        elif not one["comment"]:
            found.append(one[0].lstrip(" "))
    return found


_SILENT = re.compile(r"[\s,;]+")  # what may be left out, and where
_ALONE = re.compile(r"(?<![\w$])\(([\w$]+)\)(\s*=>)")


def silenced(code):
    return _SILENT.sub("", _ALONE.sub(r"\1\2", code))


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_squeezed_script_is_the_same_script(name):
    script = str(asset(f"{name}.js"))
    short = squeezed(script)
    left = silenced(short)
    for line in re.sub(r"/\*.*?\*/", "", script, flags=re.DOTALL).splitlines():
        code = silenced(line)
        code = code if left.startswith(code) else code.partition("//")[0]
        assert left.startswith(code)
        left = left.removeprefix(code)
    assert not left
    assert quoted(short) == quoted(script)  # with its spaces
    assert all(line.count("`") % 2 == 0 for line in short.splitlines())  # no template goes on in the next line
    assert "/*" not in short.split("*/")[0]
    assert not any(line.startswith((" ", "/*")) for line in short.splitlines())


@pytest.mark.parametrize(
    ("line", "short"),
    [
        ("const a = b - -c, d = +e;", "const a=b- -c,d=+e;"),
        ('return say("a , b", x in y ? [1] : {});', 'return say("a , b",x in y?[1]:{});'),
        ("say(`${a} , ${b}`, c / d);", "say(`${a} , ${b}`,c/d);"),
        ("  word = /a b/;", "word=/a b/;"),
        ("say(`a , ${b , c}`, [ d ]);", "say(`a , ${b,c}`,[d]);"),
        ("say(`a ${b ? `c , d` : e}`, [ f ]);", "say(`a ${b?`c , d`:e}`,[f]);"),
        ("if (a) {\n  b(\n    c,\n  );\n}\nd = a\nb();", "if(a){b(c)}\nd=a\nb();"),
        ("a(b, // c\nd);", "a(b,d);"),
        ('a("//",\nd);', 'a("//",d);'),
        ("a // b\n  .c() + 1", "a.c()+1"),
        ("a = /[/ ] b/g; // c", "a=/[/ ] b/g;"),
        ("a = (b) => c((d, e) => async (f) => g(h));", "a=b=>c((d,e)=>async(f)=>g(h));"),
    ],
)
def test_only_spaces_that_say_nothing_are_left_out(line, short):
    assert squeezed(line) == short


def test_the_style_is_left_without_comments_and_with_every_rule():
    whole, short = str(asset("style.css")), str(page_style())
    assert "/*" not in short
    assert short.count("{") == re.sub(r"/\*.*?\*/", "", whole, flags=re.DOTALL).count("{") == short.count("}")
    assert "calc(var(--widest,1ch) + .3em)" in short  # without the spaces it would be no sum


def test_braces_of_a_text_that_are_no_slots_stay_as_they_are():
    assert squeezed("const a = `[0-9]{3}${b + c}x{1}${d}`;") == "const a=`[0-9]{3}${b+c}x{1}${d}`;"

"""Files as programs save them: the same cohort from each, and a sentence for each thing that was found out."""

import bz2
import gzip
import math
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from reading.saved_files import (
    COMMA,
    FILES,
    IDENTIFIERS,
    LABEL,
    MISSING,
    REFUSED,
    SEMICOLONS,
    THOUSANDS,
    WIDE,
    WINDOWS,
    written,
)

from stakes import InputError, evaluate
from stakes.frames import cases, open_file, score_table
from stakes.reading._layout import Layout, cases_of
from stakes.reading._notation import Notation, is_number
from stakes.reading._records import join_fields, lines, records, split_fields

MADE = Path(__file__).parent / "files"


def saved(folder, content, name="scores.csv"):
    path = folder / name
    path.write_bytes(content)
    return path


@pytest.fixture(scope="module")
def plain(tmp_path_factory):
    return score_table(
        open_file(saved(tmp_path_factory.mktemp("plain"), written().encode())), "died", "risk", weight="w"
    )


@pytest.mark.sample(12)
@pytest.mark.parametrize("name", FILES)
def test_every_file_is_the_same_cohort(name, plain, tmp_path):
    content, notes = FILES[name]
    file = open_file(saved(tmp_path, content))
    table = score_table(file, "died", "risk", weight="w")
    for column in ("score", "positive", "negative"):
        np.testing.assert_array_equal(getattr(table, column), getattr(plain, column))
    assert file.notes == notes


# Kept in `files`, with the script that made them.
BY_PROGRAMS = {
    "libreoffice_plain.csv": (),
    "libreoffice_german.csv": (WINDOWS, SEMICOLONS, COMMA),
    "libreoffice_german_quoted.csv": (SEMICOLONS, COMMA),
    "libreoffice_french_bars.csv": ("Columns are separated by bars.", COMMA),
    "libreoffice_utf16_tabs.csv": (WIDE, COMMA),
    "r_write_csv.csv": (),
    "r_write_csv_row_names.csv": (),
    "r_write_csv2.csv": (WINDOWS, SEMICOLONS, COMMA),
    "r_write_table_tabs.txt": (),
}


@pytest.mark.parametrize("name", BY_PROGRAMS)
def test_texts_of_libreoffice_and_r_are_the_same_cohort(name, plain):
    file = open_file(MADE / name)
    table = score_table(file, "died", "risk", weight="w")
    np.testing.assert_array_equal([table.score, table.positive], [plain.score, plain.positive])
    assert file.notes == BY_PROGRAMS[name]
    assert file.relation(labels=["site"]).fetchnumpy()["site"].tolist() == LABEL


def test_row_names_of_r_without_a_name_are_a_question():
    with pytest.raises(InputError, match=r"got 4 there and 5 in line 2; .*in R, `row\.names = FALSE` leaves out"):
        score_table(open_file(MADE / "r_write_table_row_names.csv"), "died", "risk")


@pytest.mark.sample(4)
@pytest.mark.parametrize("name", FILES)
def test_labels_keep_their_letters(name, tmp_path):
    file = open_file(saved(tmp_path, FILES[name][0]))
    (site,) = [column for column in file.columns if "site" in column]
    assert file.relation(labels=[site]).fetchnumpy()[site].tolist() == LABEL


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress])
@pytest.mark.parametrize("name", ["Excel, German", "titles and an empty line", "UTF-16 with a mark"])
def test_packed_files_are_read_alike(name, pack, plain, tmp_path):
    content, notes = FILES[name]
    file = open_file(saved(tmp_path, pack(content)))
    np.testing.assert_array_equal(score_table(file, "died", "risk", weight="w").score, plain.score)
    assert file.notes == notes


@pytest.mark.sample(8)
@pytest.mark.parametrize("mark", MISSING)
def test_marks_of_missing_values(mark, tmp_path):
    rows = written().splitlines()
    for row in (3, 8):
        fields = rows[row].split(",")
        rows[row] = ",".join([fields[0], mark, *fields[2:]])
    file = open_file(saved(tmp_path, "\n".join(rows).encode()))
    with pytest.warns(match="2 rows"):
        assert len(cases(file, "died", ["risk"], on_missing="drop")) == 6


def test_marks_that_are_stated(tmp_path):
    path = saved(tmp_path, written().replace("0.25,", "999,").encode())
    with pytest.warns(match="1 row"):
        assert len(cases(open_file(path, missing=["999"]), "died", ["risk"], on_missing="drop")) == 7


@pytest.mark.parametrize("name", REFUSED)
def test_refused_files_are_named_with_line_and_remedy(name, tmp_path):
    content, message = REFUSED[name]
    with pytest.raises(InputError) as caught:
        score_table(open_file(saved(tmp_path, content)), "died", "risk")
    assert str(caught.value) == f"scores.csv {message}"


def test_an_encoding_can_be_stated(tmp_path):
    file = open_file(saved(tmp_path, written().encode("cp437")), encoding="cp437")
    assert file.relation(labels=["site"]).fetchnumpy()["site"].tolist() == LABEL


def test_half_a_character_at_the_end_is_not_in_the_encoding_that_is_stated(tmp_path):
    with pytest.raises(InputError) as caught:
        open_file(saved(tmp_path, written().encode() + "€".encode()[:2]), encoding="utf-8")
    assert str(caught.value) == ("scores.csv must be text in UTF-8, got something else at line 10; state its encoding.")


def test_points_of_identifiers_are_no_evidence_for_thousands_elsewhere(tmp_path):
    file = open_file(saved(tmp_path, IDENTIFIERS))
    assert file.relation(numbers=["risk"]).fetchnumpy()["risk"].tolist() == [1.234, 2.345]


@pytest.mark.parametrize(
    ("content", "values", "said"),
    [
        ('y;w\n1;"1,234"\n0;"2,345"\n', [1.234, 2.345], "Numbers have a decimal comma."),
        ("y;w\n1;1.234\n0;2.345\n", [1.234, 2.345], None),
        ('y,w\n1,"1,234"\n0,"2,345"\n', [1234, 2345], THOUSANDS),
        ("y;w;r\n1;1,234;0.5\n0;2,345;0.2\n", [1234, 2345], THOUSANDS),
    ],
)
def test_a_sign_that_may_be_decimal_or_of_thousands_is_what_the_delimiter_suggests(content, values, said, tmp_path):
    file = open_file(saved(tmp_path, content.encode()))
    assert file.relation(numbers=["w"]).fetchnumpy()["w"].tolist() == values
    assert file.notes == (("Columns are separated by semicolons.",) if ";" in content else ()) + (
        (said,) if said else ()
    )


@pytest.mark.parametrize("name", ["[id]", "[time since]", "{id}", "<5 years", "[true score]", "[-]"])
def test_a_header_in_brackets_is_no_other_format(name, tmp_path):
    path = saved(tmp_path, f"{name},risk\na,0.5\n".encode())
    if name in ("[true score]", "[-]"):  # as JSON may begin
        with pytest.raises(InputError, match=r"got JSON\.$"):
            open_file(path)
    else:
        assert open_file(path).columns == (name, "risk")


@pytest.mark.parametrize(
    ("content", "what"),
    [('{"a": 1}', "JSON"), ('[ {"a": 1}]', "JSON"), ("[1, 2]", "JSON"), ("[null]", "JSON"), ("<html>", "HTML or XML")],
)
def test_json_and_markup_are_named(content, what, tmp_path):
    with pytest.raises(InputError, match=rf"got {what}\.$"):
        open_file(saved(tmp_path, content.encode()))


def test_an_unknown_encoding_is_named(tmp_path):
    with pytest.raises(InputError) as caught:
        open_file(saved(tmp_path, written().encode()), encoding="utf-9")
    hint = "common ones are utf-8, cp1252, latin-1 and utf-16"
    assert str(caught.value) == f"`encoding` must be the name of a text encoding, got 'utf-9'; {hint}."


def test_a_bad_value_is_named_by_the_line_of_the_file(tmp_path):
    content = b"Report\n\n" + written().replace("0.25,", "2.5,").encode("cp1252")
    with pytest.raises(InputError, match=r"got 2\.5 in 1 row, at line 7"):
        evaluate("died", ["risk"], "10%", data=saved(tmp_path, content))


def test_notes_are_part_of_the_evaluation(tmp_path):
    content, notes = FILES["Excel, German"]
    result = evaluate("died", ["risk"], "10%..30%", data=saved(tmp_path, content))
    assert result.sample.reading_notes == notes
    assert result.to_dict()["sample"]["reading_notes"] == list(notes)
    assert notes[0] in str(result)


NUMBERS = st.integers(0, 10**9), st.integers(0, 6)


@given(*NUMBERS, st.sampled_from([",", "."]), st.sampled_from(["", " ", "'", "\u202f", "other"]))
def test_a_number_is_the_same_in_every_notation(digits, places, decimal, between):
    whole, part = divmod(digits, 10**places)
    between = {",": ".", ".": ","}[decimal] if between == "other" else between
    text = f"{whole:,}".replace(",", between) + (f"{decimal}{part:0{places}d}" if places else "")
    assert float(Notation(decimal, has_thousands=bool(between)).plain(text)) == digits / 10**places


@given(*NUMBERS)
def test_percent_is_exact(digits, places):
    text = f"{digits / 10**places:.{places}f} %"
    assert float(Notation(in_percent=True).plain(text)) == float(f"{digits}e-{places + 2}")


@pytest.mark.parametrize(
    ("text", "value"), [("1e999999999999999999999%", math.inf), ("5e-3 %", 5e-5), ("-inf%", -math.inf), ("2E2%", 2.0)]
)
def test_percent_of_any_exponent(text, value):
    assert float(Notation(in_percent=True).plain(text)) == value


def test_an_infinite_number_has_no_exponent():
    assert is_number("inf")
    assert not is_number("infe5")


FIELDS = st.lists(st.text('ab",;\n\r|\t '), min_size=2, max_size=4)


@given(FIELDS)
def test_fields_survive_being_joined(fields):
    assert split_fields(join_fields(fields), ",") == fields


@given(st.text("a\r\n", max_size=12), st.lists(st.integers(0, 12), max_size=4))
def test_lines_do_not_depend_on_the_pieces(text, cuts):
    ends = sorted({0, len(text), *(cut for cut in cuts if cut < len(text))})
    pieces = [text[start:end] for start, end in pairwise(ends)]
    assert list(lines(pieces)) == list(lines([text]))


@given(
    st.lists(st.sampled_from(["partial", "total", "Subtotal", "mean"]), min_size=2, max_size=12),
    st.sampled_from(["", "Total;9;;\n", ";;;\nSumme;9;;\n"]),
)
def test_a_word_for_a_sum_that_comes_twice_is_a_label(labels, foot):
    layout = Layout(";", columns=4)
    text = "".join(f"{label};1;0,5;3\n" for label in [*labels, *labels]) + foot
    is_case = [is_case for is_case, _, _ in cases_of(records([text.encode()], "utf-8"), layout)]
    assert is_case[: 2 * len(labels)] == [True] * 2 * len(labels)
    assert all(is_case) == (not foot or (foot.startswith("Total") and "total" in labels))


@given(st.lists(FIELDS, min_size=1, max_size=4))
def test_records_are_found_again(rows):
    text = "".join(f"{join_fields(row)}\n" for row in rows)
    expected = [[field.replace("\r\n", "\n").replace("\r", "\n") for field in row] for row in rows]
    assert [record.fields(",") for record in records([text.encode()], "utf-8")] == expected


@pytest.mark.parametrize("ends", [("\n", "\r\n"), ("\r\n", "\n")], ids=["header", "cases"])
def test_a_header_above_cases_that_end_their_lines_differently(ends, tmp_path):
    header, rest = written().split("\n", 1)
    path = saved(tmp_path, (header + ends[0] + rest.replace("\n", ends[1])).encode())
    plain = saved(tmp_path, written().encode(), "plain.csv")
    assert score_table(open_file(path), "died", "risk") == score_table(open_file(plain), "died", "risk")

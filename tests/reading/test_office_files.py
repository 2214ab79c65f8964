"""Workbooks and files of SPSS, Stata and SAS: the cohort that text files hold, and a sentence for each decision."""

import gc
import json
import random
import sys
import tempfile
import zipfile
from contextlib import suppress
from datetime import date, datetime, time, timedelta
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from reading.saved_files import LABEL, written

from stakes import InputError, evaluate
from stakes.cli import main
from stakes.frames import cases, open_file, score_table
from stakes.reading import _package_process, write_sheet
from stakes.reading._records import split_fields
from stakes.reading._workbook import Sheet

FOLDER = Path(__file__).parent / "files"
READABLE = (
    "CSV or TSV text (plain, gz, zst, bz2 or xz), Parquet, Arrow IPC (Feather), an Excel or OpenDocument workbook, "
    "or a file of SPSS, Stata or SAS"
)
CODES = "Codes in `died`, `sex` are read as numbers, and as their labels where labels are wanted."
DATES = "Dates in `day` are read as labels."
FILES = {
    "plain.xlsx": ("Excel", ()),
    "one_sheet_of_two.xlsx": ("Excel", ("The sheet 'Klinik Süd' is read, the only one that has data.",)),
    "titles_and_sum.xlsx": (
        "Excel",
        ("3 lines above the header are skipped.", "1 line below the cases is skipped, from line 13 on.", DATES),
    ),
    "numbers_as_text.xlsx": (
        "Excel",
        (
            "Numbers have a decimal comma.",
            "Numbers in `w` have thousands separators.",
            "Numbers in `risk`, `w` are written as text.",
        ),
    ),
    "plain.ods": ("OpenDocument", ()),
    "title.ods": ("OpenDocument", ("2 lines above the header are skipped.",)),
    "libreoffice.xlsx": ("Excel", ()),
    "libreoffice.ods": ("OpenDocument", ()),
    "r_foreign.dta": (
        "Stata",
        ("The text is read as UTF-8.", CODES.replace("`died`, `sex`", "`site`, `status`")),
    ),
    "cohort.sav": ("SPSS", (CODES, "Values declared missing in `sex` are missing.", DATES)),
    "cohort.zsav": ("SPSS", (CODES, DATES)),
    "stata10.dta": ("Stata", ("The text is read as Windows-1252.", CODES, DATES)),
    "stata15.dta": ("Stata", (CODES, DATES)),
    "cohort.sas7bdat": ("SAS", ()),
}


@pytest.fixture(scope="module")
def plain(tmp_path_factory):
    path = tmp_path_factory.mktemp("plain") / "scores.csv"
    path.write_bytes(written().encode())
    return path


ASKED = ("died", ["risk"], "10%..30%")


@pytest.fixture(scope="module")
def ranking(plain):
    return evaluate(*ASKED, data=plain).to_dict()["ranking"]


# ------------------------------------------------------------------------------------------- the same cohort


@pytest.mark.sample(7)
@pytest.mark.parametrize("name", FILES)
def test_every_file_is_the_same_cohort(name, plain):
    file, same = open_file(FOLDER / name), score_table(open_file(plain), "died", "risk", weight="w")
    table = score_table(file, "died", "risk", weight="w")
    for column in ("score", "positive", "negative"):
        np.testing.assert_array_equal(getattr(table, column), getattr(same, column))
    assert (file.format, file.notes) == FILES[name]
    assert file.relation(labels=["site"]).fetchnumpy()["site"].tolist() == LABEL


@pytest.mark.sample(7)
@pytest.mark.parametrize("name", FILES)
def test_every_file_has_the_same_ranking_and_says_what_was_found_out(name, ranking):
    result = evaluate(*ASKED, data=FOLDER / name)
    assert result.to_dict()["ranking"] == ranking
    assert result.sample.reading_notes == FILES[name][1]


@pytest.mark.slow
@pytest.mark.parametrize("how", [["--in-memory", "0"], ["--engine", "polars"]])
def test_stream_and_engines_read_the_same_copy(how, plain, capsys):
    found = []
    for path in (plain, FOLDER / "titles_and_sum.xlsx", FOLDER / "cohort.sav"):
        asked = ["evaluate", str(path), "--outcome", "died", "--predictions", "risk", "--costs", "10%"]
        assert main([*asked, *how, "--json", "-"]) == 0
        found.append(json.loads(capsys.readouterr().out)["ranking"])
    assert found[0] == found[1] == found[2]


@pytest.mark.slow
def test_temporary_copies_are_removed(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    for name in ("plain.xlsx", "cohort.sav"):
        file = open_file(FOLDER / name)
        assert [*tmp_path.glob("stakes-*")]
        del file
        gc.collect()
        assert not [*tmp_path.iterdir()]
        with pytest.raises(InputError):
            open_file(FOLDER / name, sheet="none")
        gc.collect()
        assert not [*tmp_path.iterdir()]


# ------------------------------------------------------------------------------------------- sheets


def test_one_sheet_of_two_is_chosen_by_name():
    path = FOLDER / "two_sheets.xlsx"
    assert len(cases(open_file(path, sheet="Klinik Süd"), "died", ["risk"])) == 8
    assert len(cases(open_file(path, sheet="Klinik Nord"), "died", ["risk"])) == 6


def refusal(call, *arguments, **options):
    with pytest.raises(InputError) as caught:
        call(*arguments, **options)
    return str(caught.value)


def test_the_case_of_a_sheet_does_not_matter():
    assert len(cases(open_file(FOLDER / "two_sheets.xlsx", sheet=" klinik NORD"), "died", ["risk"])) == 6


def test_several_sheets_are_listed():
    path = FOLDER / "two_sheets.xlsx"
    wanted = "`sheet` must name a sheet of two_sheets.xlsx, since several have data, got none"
    hint = "its sheets with data: 'Klinik Süd' and 'Klinik Nord' (`stakes.frames.open_file` takes `sheet`)"
    assert refusal(evaluate, "died", ["risk"], "10%", data=path) == f"{wanted}; {hint}."
    got = refusal(open_file, path, sheet="Klinik Ost")
    assert got == "two_sheets.xlsx: `sheet` must be one of Klinik Süd, Klinik Nord, Leer, got 'Klinik Ost'."
    assert (
        refusal(open_file, path, sheet="Leer") == "two_sheets.xlsx must have data in sheet 'Leer', got an empty sheet."
    )


def test_only_workbooks_have_sheets(plain):
    for path in (plain, FOLDER / "cohort.sav"):
        got = refusal(open_file, path, sheet="Daten")
        assert got == f"`sheet` must come with a workbook, got 'Daten' for {path.name}."
    assert refusal(open_file, plain, sheet=1) == "`sheet` must be the name of a sheet, got 1."


def test_the_command_takes_a_sheet_and_suggests_it(capsys):
    path = str(FOLDER / "two_sheets.xlsx")
    assert main(["columns", path]) == 2
    wanted = "stakes: `--sheet` must name a sheet of two_sheets.xlsx, since several have data, got none"
    assert capsys.readouterr().err == f"{wanted}; its sheets with data: 'Klinik Süd' and 'Klinik Nord'.\n"
    assert main(["columns", path, "--sheet", "Klinik Nord"]) == 0
    shown = capsys.readouterr().out
    assert f"{path}: Excel, 6 cases, 4 columns" in shown
    assert "--sheet 'Klinik Nord' --outcome died --predictions risk --costs 5%..20%" in shown
    asked = ["--outcome", "died", "--predictions", "risk", "--costs", "10%"]
    assert main(["evaluate", path, "--sheet", "Klinik Nord", *asked]) == 0
    assert "6 cases, 2 positive" in capsys.readouterr().out


def test_lines_are_rows_of_the_sheet():
    got = refusal(evaluate, "died", ["w"], "10%", data=FOLDER / "titles_and_sum.xlsx")
    assert "in 8 rows, the first at line 5" in got
    file = open_file(FOLDER / "titles_and_sum.xlsx")
    assert [file.line(row) for row in range(8)] == [*range(5, 13)]


def plain_text(rows, missing=("", "NA")):
    """Return the fields of the copy of a sheet, and what was found out."""
    target = BytesIO()
    _, notes = write_sheet(Path("scores.xlsx"), Sheet("Daten", rows), missing, target)
    return [split_fields(line, ",") for line in target.getvalue().decode().splitlines()], notes


NUMBERS = st.floats(allow_nan=False, allow_infinity=False) | st.integers(-(10**15), 10**15).map(float)

WRITTEN = {"0,5": 0.5, "1.234,5": 1234.5, "0.5": 0.5, "1,234.5": 1234.5, "12": 12.0}


@given(st.lists(NUMBERS | st.just(1.234), min_size=1, max_size=5), st.sampled_from([*WRITTEN]))
def test_a_number_of_a_cell_stays_itself_however_others_are_written(numbers, text):
    rows, _ = plain_text([["mixed", "text"], *([number, text] for number in numbers), [text, text]])
    assert [float(row[0]) for row in rows[1:]] == [*numbers, WRITTEN[text]]


@given(st.integers(0, 3), st.integers(0, 3))
def test_where_a_table_stands_in_a_sheet_does_not_matter(above, left):
    table = [["y", "p", "g"], [1.0, 0.5, "a"], [0.0, 0.25, ""], [1.0, 0.75, "b"]]
    moved = [[""] * (left + 3)] * above + [[""] * left + row for row in table]
    assert (
        plain_text(moved)[0]
        == plain_text(table)[0]
        == [["y", "p", "g"], ["1", "0.5", "a"], ["0", "0.25", ""], ["1", "0.75", "b"]]
    )


def test_cells_of_every_kind_and_empty_rows_between():
    cells = [True, date(2024, 1, 2), datetime(2024, 1, 2, 3, 4), time(3, 4), timedelta(hours=30), " NA ", 1e300]
    texts = ["true", "2024-01-02", "2024-01-02 03:04:00", "03:04:00", "1 day, 6:00:00", "NA", "1e+300"]
    header = ["a", "b", "c", "d", "e", "f", "g"]
    rows, notes = plain_text([header, cells, [""] * 7, cells])
    assert rows == [header, texts, texts]
    assert notes == ("Dates in `b`, `c` are read as labels.",)


# ------------------------------------------------------------------------------------------- codes and labels


def evaluated(capsys, name, label, *options):
    asked = ["evaluate", str(FOLDER / name), "--outcome", "died", "--predictions", "risk", "--costs", "10%"]
    code = main([*asked, "--pos-label", label, *options])
    out, err = capsys.readouterr()
    return out.partition("\n\n")[2] if code == 0 else err


@pytest.mark.slow
@pytest.mark.parametrize("options", [(), ("--in-memory", "0"), ("--engine", "polars")])
def test_the_positive_label_is_a_label_or_its_code(options, capsys):
    by_label = evaluated(capsys, "codes_from_1.sav", " Dead", *options)
    assert "expected" in by_label
    assert evaluated(capsys, "codes_from_1.sav", "2", *options) == by_label
    assert evaluated(capsys, "codes_from_1.sav", "1", *options) != by_label


@pytest.mark.slow
def test_the_list_of_columns_and_the_command_to_copy_name_labels(capsys):
    assert main(["columns", str(FOLDER / "codes_from_1.sav")]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "died codes 1 (alive) and 2 (dead) outcome" in shown
    assert "sex codes 3 codes, such as female group" in shown
    assert "--outcome died --pos-label dead --predictions risk" in shown


@pytest.mark.slow
def test_a_code_that_the_outcome_does_not_have_is_answered_with_its_labels(capsys):
    wanted = "`--pos-label` must be a label of `--outcome`, got '3'; labels found: 'alive', 'dead'."
    assert evaluated(capsys, "codes_from_1.sav", "3") == f"stakes: {wanted}\n"


@pytest.mark.slow
@pytest.mark.parametrize("options", [(), ("--in-memory", "0")])
def test_codes_without_a_positive_label_are_answered_with_their_labels(options, capsys):
    asked = ["evaluate", str(FOLDER / "codes_from_1.sav"), "--outcome", "died", "--predictions", "risk"]
    assert main([*asked, "--costs", "10%", *options]) == 2
    hint = "name the positive label with `--pos-label` (labels found: 'alive', 'dead').\n"
    assert capsys.readouterr().err.endswith(hint)


@pytest.mark.slow
def test_python_takes_the_label_as_text_and_the_code_as_a_number():
    path = FOLDER / "codes_from_1.sav"
    tables = [score_table(open_file(path), "died", "risk", pos_label=one) for one in ("dead", 2)]
    np.testing.assert_array_equal(tables[0].positive, tables[1].positive)
    assert tables[0].positive.tolist() == [0, 1, 0, 0, 1, 0, 1, 1]
    assert open_file(path).value_labels["died"] == {1: "alive", 2: "dead"}


@pytest.mark.slow
def test_groups_have_their_labels_and_what_was_declared_missing_is_missing():
    labels = ["female", "male", "female", "male", "male", "female", None, "male"]
    assert open_file(FOLDER / "cohort.sav").relation(labels=["sex"]).fetchnumpy()["sex"].tolist() == labels
    labels[6] = "no answer"
    assert open_file(FOLDER / "stata15.dta").relation(labels=["sex"]).fetchnumpy()["sex"].tolist() == labels


@pytest.mark.slow
def test_marks_that_are_stated_hold_for_numbers_and_text():
    file = open_file(FOLDER / "stata15.dta", missing=["9", "Nord"])
    found = file.relation(numbers=["sex"], labels=["site"]).fetchall()
    assert [number for number, _ in found] == [1, 2, 1, 2, 2, 1, None, 2]
    assert [site for _, site in found] == ["Süd", None] * 4


@pytest.mark.slow
def test_labels_that_two_codes_share_are_not_used():
    file = open_file(FOLDER / "one_label_twice.dta")
    assert "Labels of `sex` are not used, since two codes have the same." in file.notes
    assert file.relation(labels=["sex"]).fetchnumpy()["sex"].tolist() == [1, 2, 1, 2, 2, 1, 9, 2]


# ------------------------------------------------------------------------------------------- refusals


def archive(**parts):
    packed = BytesIO()
    with zipfile.ZipFile(packed, "w") as made:
        for name, content in parts.items():
            made.writestr(name.replace("__", "/").replace("_xml", ".xml"), content)
    return packed.getvalue()


DAMAGED_BOOK = "must be a whole workbook, got one that is truncated or damaged."
OTHERS = {
    "old.xls": "an old Excel workbook (.xls); save it as .xlsx",
    "password.xlsx": "a workbook or document with a password; save it without one",
    "r.rds": "a file of R (.rds or .rda); save the data frame in R as CSV or Parquet",
    "cohort.rds": "a file of R (.rds or .rda); save the data frame in R as CSV or Parquet",
}
MADE = {
    "a document": (archive(word__document_xml="<a/>"), "a Word document; copy its table into a workbook"),
    "slides": (archive(ppt__presentation_xml="<a/>"), "a PowerPoint presentation; copy its table into a workbook"),
    "an archive": (archive(scores="a,b"), "a zip archive; unpack it"),
    "a drawing": (
        archive(mimetype="application/vnd.oasis.opendocument.graphics"),
        "an OpenDocument file without sheets; copy its table into a workbook",
    ),
    "half a workbook": (
        (FOLDER / "plain.xlsx").read_bytes()[:3000],
        "a workbook or zip archive that is truncated or damaged",
    ),
}


@pytest.mark.parametrize("name", OTHERS)
def test_files_of_other_kinds_are_named(name):
    assert refusal(open_file, FOLDER / name) == f"{name} must be {READABLE}, got {OTHERS[name]}."


@pytest.mark.parametrize("name", MADE)
def test_archives_of_other_kinds_are_named(name, tmp_path):
    content, what = MADE[name]
    (tmp_path / "scores").write_bytes(content)
    assert refusal(open_file, tmp_path / "scores") == f"scores must be {READABLE}, got {what}."


def test_an_empty_workbook_is_refused():
    assert refusal(open_file, FOLDER / "empty.xlsx") == "empty.xlsx must have a sheet with data, got empty sheets only."


def test_a_percent_sign_among_numbers_is_refused_with_its_line():
    got = refusal(open_file, FOLDER / "percent_in_some.xlsx")
    wanted = "must have percent signs in all rows of column `risk`, or in none"
    assert got == f"percent_in_some.xlsx {wanted}, got 0.05 at line 2."


@pytest.mark.parametrize("name", ["plain.xlsx", "plain.ods"])
@pytest.mark.parametrize("part", [0.2, 0.5, 0.8])
def test_a_flipped_bit_of_a_workbook_is_noticed(name, part, tmp_path):
    content = bytearray((FOLDER / name).read_bytes())
    with zipfile.ZipFile(FOLDER / name) as packed:
        largest = max(packed.infolist(), key=lambda one: one.compress_size)
    content[largest.header_offset + 100 + int(part * (largest.compress_size - 100))] ^= 16
    (tmp_path / "scores.xlsx").write_bytes(content)
    assert refusal(open_file, tmp_path / "scores.xlsx") == f"scores.xlsx {DAMAGED_BOOK}"


def test_a_workbook_whose_parts_are_not_what_they_should_be_is_refused(tmp_path):
    (tmp_path / "scores.xlsx").write_bytes(archive(xl__workbook_xml="<a/>"))
    assert refusal(open_file, tmp_path / "scores.xlsx") == f"scores.xlsx {DAMAGED_BOOK}"


def test_a_locked_part_of_a_workbook_is_told_from_a_damaged_one(tmp_path):
    with zipfile.ZipFile(FOLDER / "plain.ods") as packed:
        parts = {name: packed.read(name) for name in packed.namelist()}
    entry = b'manifest:full-path="content.xml" manifest:media-type="text/xml"'
    locked = parts["META-INF/manifest.xml"].replace(
        entry + b"/>", entry + b"><manifest:encryption-data/></manifest:file-entry>"
    )
    assert locked != parts["META-INF/manifest.xml"]
    with zipfile.ZipFile(tmp_path / "scores.ods", "w") as made:
        for name, content in (parts | {"META-INF/manifest.xml": locked, "content.xml": b"\1\2\3"}).items():
            made.writestr(name, content)
    wanted = "scores.ods must be a workbook that anyone can read, got one with a password; save it without one."
    assert refusal(open_file, tmp_path / "scores.ods") == wanted


@pytest.mark.slow
@pytest.mark.sample(4)
@pytest.mark.parametrize(
    ("name", "kind"), [("cohort.sav", "SPSS"), ("stata15.dta", "Stata"), ("cohort.sas7bdat", "SAS")]
)
def test_half_a_file_of_a_package_is_refused(name, kind, tmp_path):
    content = (FOLDER / name).read_bytes()
    (tmp_path / name).write_bytes(content[: len(content) // 3])
    wanted = f"{name} must be a whole file of {kind}, got one that is truncated or damaged."
    assert refusal(open_file, tmp_path / name) == wanted


def reader_that(folder, monkeypatch, does):
    """Let the process that reads files of packages do something else."""
    (folder / "script.py").write_text(f"import os, sys, time\n{does}\n")
    monkeypatch.setattr(_package_process, "_SCRIPT", folder / "script.py")
    (folder / "tmp").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder / "tmp"))


CRASHES = {
    "a signal": "os.kill(os.getpid(), 11)",
    "an early end": "os._exit(0)",
    "half an answer": "open(os.path.join(sys.argv[1], 'found.json'), 'w').write('{'); os.abort()",
}


@pytest.mark.parametrize("crash", CRASHES)
def test_a_reader_that_crashes_is_one_sentence_and_leaves_nothing(crash, tmp_path, monkeypatch):
    reader_that(tmp_path, monkeypatch, CRASHES[crash])
    got = refusal(open_file, FOLDER / "cohort.sav")
    assert got == "cohort.sav must be a whole file of SPSS, got one that is damaged, so that its reader crashed."
    assert not [*(tmp_path / "tmp").iterdir()]


def test_a_reader_that_does_not_end_is_stopped(tmp_path, monkeypatch):
    reader_that(tmp_path, monkeypatch, "time.sleep(60)")
    monkeypatch.setattr(_package_process, "_WAIT", 0.1)
    wanted = "be a file of Stata that can be read within 0 minutes, got one that takes longer; save it as CSV"
    assert refusal(open_file, FOLDER / "stata15.dta") == f"stata15.dta must {wanted}."
    assert not [*(tmp_path / "tmp").iterdir()]


def test_a_reader_without_memory_says_so(tmp_path, monkeypatch):
    does = "open(os.path.join(sys.argv[1], 'found.json'), 'w').write('{\"fault\": \"memory\"}')"
    reader_that(tmp_path, monkeypatch, does)
    with pytest.raises(MemoryError, match=r"cohort\.sas7bdat needs more memory .*: the reader of files of SAS ran out"):
        open_file(FOLDER / "cohort.sas7bdat")


@pytest.mark.sample(12)
@pytest.mark.parametrize("seed", range(12))
def test_damaged_bytes_of_a_package_are_read_or_refused_in_a_sentence(seed, tmp_path):
    name = ("cohort.sav", "stata15.dta", "cohort.sas7bdat", "cohort.zsav")[seed % 4]
    content, draw = bytearray((FOLDER / name).read_bytes()), random.Random(seed)
    for _ in range(20):
        content[draw.randrange(len(content))] = draw.randrange(256)
    (tmp_path / name).write_bytes(content)
    with suppress(InputError, MemoryError):  # anything else, or no end of it, fails
        open_file(tmp_path / name)


@pytest.mark.parametrize(
    ("package", "name", "purpose"),
    [
        ("python_calamine", "plain.xlsx", "to read workbooks"),
        ("python_calamine", "plain.ods", "to read workbooks"),
        ("pyreadstat", "cohort.sav", "to read files of SPSS"),
        ("pyreadstat", "stata15.dta", "to read files of Stata"),
    ],
)
def test_a_missing_package_is_named_with_the_extra(package, name, purpose, monkeypatch):
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(ModuleNotFoundError) as caught:
        open_file(FOLDER / name)
    assert str(caught.value) == f"`{package}` must be installed {purpose}: pip install 'stakes[office]'."


def test_an_archive_whose_first_part_cannot_be_unpacked_is_refused_in_a_sentence(tmp_path):
    path = tmp_path / "scores.ods"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet" * 30)
    content = bytearray(path.read_bytes())
    start = content.index(b"mimetype") + len("mimetype")
    content[start : start + 6] = b"\xff" * 6
    path.write_bytes(content)
    with pytest.raises(InputError, match="got a zip archive; unpack it"):
        open_file(path)

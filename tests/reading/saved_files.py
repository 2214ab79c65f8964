"""One cohort as many programs save it: the bytes of each file, and what is said about it."""

OUTCOME = [0, 1, 0, 0, 1, 0, 1, 1]
RISK = ["0.05", "0.125", "0.2", "0.25", "0.375", "0.5", "0.75", "0.9"]
COUNT = ["7", "1234", "12", "850", "1000", "99", "12345", "3"]  # whole numbers, up to thousands
LABEL = ["Süd", "Nord", "Süd", "Nord", "Süd", "Nord", "Süd", "Nord"]
HEADER = ("died", "risk", "w", "site")


def written(delimiter=",", *, risk=str, count=str, end="\n", header=HEADER, last="", quote=False):
    """Return the cohort as text, with numbers written as `risk` and `count` do."""
    rows = [header, *zip(map(str, OUTCOME), map(risk, RISK), map(count, COUNT), LABEL, strict=True)]
    marks = '"' if quote else ""
    return end.join(delimiter.join(f"{marks}{one}{marks}" for one in row) + last for row in rows) + end


def comma(number):
    """Write a decimal comma."""
    return number.replace(".", ",")


def percent(number, decimal=",", blank=" "):
    """Write a percentage."""
    return f"{float(number) * 100:g}{blank}%".replace(".", decimal)


def grouped(between):
    """Write thousands with something between them."""
    return lambda number: f"{int(number):,}".replace(",", between)


COMMA, SEMICOLONS = "Numbers have a decimal comma.", "Columns are separated by semicolons."
WINDOWS, WIDE = "The text is read as Windows-1252.", "The text is read as UTF-16."
PERCENT = "Numbers in `risk` are in percent, and divided by 100."
RISK_COMMA = "Numbers in `risk` have a decimal comma."
BROKEN = "Line breaks in names of columns are read as blanks."
THOUSANDS = "Numbers in `w` have thousands separators."


def above(count):
    """Return the note on titles."""
    return "1 line above the header is skipped." if count == 1 else f"{count} lines above the header are skipped."


def below(count, first):
    """Return the note on records below the cases."""
    lines = "1 line below the cases is" if count == 1 else f"{count} lines below the cases are"
    return f"{lines} skipped, from line {first} on."


EMPTY = "The delimiter at the end of each line is ignored."
REMARKS = ['"well; then, so"', "", '"1,234"', '"total"', '"a ""b"", c"', '"two\nlines; 5|6"', "", '"Total: 4,5; 6"']
GERMAN = written(";", risk=comma, count=grouped("."), end="\r\n")
FILES = {
    "plain": (written().encode(), ()),
    "with a mark": (written().encode("utf-8-sig"), ()),
    "Windows-1252": (written().encode("cp1252"), (WINDOWS,)),
    "UTF-16 with a mark": (written().encode("utf-16"), (WIDE,)),
    "UTF-16, big end first, with a mark": ("\ufeff".encode("utf-16-be") + written().encode("utf-16-be"), (WIDE,)),
    "UTF-16 without a mark": (written().encode("utf-16-le"), (WIDE,)),
    "UTF-16 without a mark, big end first": (written().encode("utf-16-be"), (WIDE,)),
    "Excel, Unicode text": (written("\t", end="\r\n").encode("utf-16"), (WIDE,)),
    "Excel, German": (GERMAN.encode("cp1252"), (WINDOWS, SEMICOLONS, COMMA, THOUSANDS)),
    "Excel, German, UTF-8": (GERMAN.encode("utf-8-sig"), (SEMICOLONS, COMMA, THOUSANDS)),
    "Excel, German, tabs": (
        written("\t", risk=comma, count=grouped("."), end="\r\n").encode("cp1252"),
        (WINDOWS, COMMA, THOUSANDS),
    ),
    "decimal comma and bars": (
        written("|", risk=comma).encode(),
        ("Columns are separated by bars.", COMMA),
    ),
    "decimal comma in quotation marks": (written(risk=lambda n: f'"{comma(n)}"').encode(), (COMMA,)),
    "everything in quotation marks": (written(quote=True).encode(), ()),
    "a line that names the delimiter": (f"sep=;\r\n{GERMAN}".encode(), (SEMICOLONS, above(1), COMMA, THOUSANDS)),
    "a delimiter that only that line could name": (
        ("sep=^\n" + written("^")).encode(),
        ("Columns are separated by '^'.", above(1)),
    ),
    "a title": (f"Report of 2024\n{written()}".encode(), (above(1),)),
    "a title with a comma": (f"Report, spring 2024\n{written()}".encode(), (above(1),)),
    "titles with delimiters": (
        f"Report of 2024;;;\r\n;;;\r\n{GERMAN}".encode(),
        (SEMICOLONS, above(2), COMMA, THOUSANDS),
    ),
    "titles and an empty line": (f"Report\nof 2024\n\n{written()}".encode(), (above(3),)),
    "empty lines below": (f"{written()}\n\n\n".encode(), ()),
    "empty records below": (f"{written()},,,\n,,,\n".encode(), (below(2, 10),)),
    "a sum below": (f"{written()}Total,4,,\n".encode(), (below(1, 10),)),
    "a sum below, in quotation marks": (f'{written(quote=True)}"Total","4","",""\n'.encode(), (below(1, 10),)),
    "a sum below, UTF-16": (f"\ufeff{written()}Total,4,,\n".encode("utf-16-le"), (WIDE, below(1, 10))),
    "a sum below, UTF-16, big end first": (
        f"\ufeff{written()}Total,4,,\n".encode("utf-16-be"),
        (WIDE, below(1, 10)),
    ),
    "a German sum below": (f"{GERMAN};;;\r\nSumme;;15.550;\r\n".encode(), (SEMICOLONS, below(2, 10), COMMA, THOUSANDS)),
    "a remark below": (f"{written()}\nSource: the register\n".encode(), (below(1, 11),)),
    "a delimiter at the end of each record but the header": (
        written(last=",").replace("site,", "site", 1).encode(),
        (EMPTY,),
    ),
    "percent signs": (written(risk=lambda n: percent(n, ".", "")).encode(), (PERCENT,)),
    "percent signs after a blank": (written(risk=lambda n: percent(n, ".")).encode(), (PERCENT,)),
    "percent signs after a hard blank": (written(risk=lambda n: percent(n, ".", "\u00a0")).encode(), (PERCENT,)),
    "German percent signs": (
        written(";", risk=percent).encode("cp1252"),
        (WINDOWS, SEMICOLONS, COMMA, PERCENT),
    ),
    "English thousands in quotation marks": (written(count=lambda n: f'"{int(n):,}"').encode(), (THOUSANDS,)),
    "French thousands": (
        written(";", risk=comma, count=grouped("\u202f")).encode(),
        (SEMICOLONS, COMMA, THOUSANDS),
    ),
    "a point in one column and a comma in another": (
        written(";", risk=comma, count=lambda number: f"{number}.0").encode(),
        (SEMICOLONS, RISK_COMMA),
    ),
    "Swiss thousands": (written(";", count=grouped("'")).encode(), (SEMICOLONS, THOUSANDS)),
    "a mark before quotation marks": (
        ("\ufeff" + GERMAN.replace("died", '"died"', 1)).encode(),
        (SEMICOLONS, COMMA, THOUSANDS),
    ),
    "titles with a comma each above decimal commas": (
        f"Klinik Süd, Station 3\nStand: Mai, 10 Uhr\n{written(';', risk=comma)}".encode(),
        (SEMICOLONS, above(2), COMMA),
    ),
    "more commas than semicolons in a name": (
        written(";", header=("died", "risk", "w", "site, as written, or as known, or none")).encode(),
        (SEMICOLONS,),
    ),
    "delimiters at the end of every record": (
        written(";", risk=comma, last=";;").encode(),
        (SEMICOLONS, EMPTY, COMMA),
    ),
    "titles and delimiters at the end of every record": (
        ("Bericht;;;;;\n" + written(";", risk=comma, last=";;")).encode(),
        (SEMICOLONS, above(1), EMPTY, COMMA),
    ),
    "comments of a program": (f"# made by a program, at night\n# for, a, b, c, d\n{written()}".encode(), (above(2),)),
    "a remark right below a sum": (f"{written()}Total,4,,\nAs of May\n".encode(), (below(2, 10),)),
    "a remark with a delimiter": (f"{written()}\nSource: the register, May\n".encode(), (below(1, 11),)),
    "a count of rows": (f"{written('|')}(8 rows)\n".encode(), ("Columns are separated by bars.", below(1, 10))),
    "an inch among thousands": (
        written(";", risk=comma, count=grouped("."), header=(*HEADER, "pipe"), last=';5" long')
        .replace('pipe;5" long', "pipe", 1)
        .encode(),
        (SEMICOLONS, COMMA, THOUSANDS),
    ),
    "operations that are total": (
        "\n".join(
            f"{name},{row}"
            for name, row in zip(["operation", *["partial"] * 5, *["total"] * 3], written().splitlines(), strict=True)
        ).encode(),
        (),
    ),
    "operations that are subtotal, among titles": (
        (
            "Operations\n"
            + "\n".join(
                f"{name},{row}"
                for name, row in zip(["operation", *["Total", "Subtotal"] * 4], written().splitlines(), strict=True)
            )
        ).encode(),
        (above(1),),
    ),
    "remarks with every delimiter": (
        "\n".join(
            f"{row},{remark}" for row, remark in zip(written().splitlines(), ["remark", *REMARKS], strict=True)
        ).encode(),
        (),
    ),
    "line ends of old systems": (written(end="\r").encode(), ()),
    "a line break in a name": (written(header=("died", "risk", "w", '"the\nsite"')).encode(), (BROKEN,)),
    "blanks around numbers": (written(risk=lambda n: f" {n} ").encode(), ()),
    "hard blanks after numbers": (written(risk=lambda n: f"{n}\u00a0").encode(), ()),
    "line breaks of a spreadsheet within cells": (
        "\r\n".join(
            f"{remark},{row}"
            for remark, row in zip(["remark", *['"two\nlines"', "one"] * 4], written().splitlines(), strict=True)
        ).encode(),
        (),
    ),
    "a header above lines that end as on old systems": (written(end="\r").replace("\r", "\n", 1).encode(), ()),
    "lines of blanks among the cases": (written().replace("\n1,", "\n   \n1,", 1).encode(), ()),
    "delimiters at the end of some records": (written().replace("Nord\n", "Nord,,\n", 2).encode(), ()),
}

# A file with commas between columns in which only identifiers look as if they had a decimal comma.
IDENTIFIERS = b"id,died,risk\n756.123.456,0,1.234\n756.123.457,1,2.345\n"

# Files in which the third and the last risk are missing.
MISSING = ("", " ", "NA", " NA ", "N/A", "n/a", "NaN", "NULL", "None", "-", ".", "?", "k.A.", "k. A.", "#NV", "#N/A")

# Files that are refused, and why.
REFUSED = {
    "a percent sign in some rows": (
        written().replace("0.25,", "25%,").encode(),
        "must have numbers in column `risk`, got '25%' at line 5; write a percent sign in all of its rows, or in none.",
    ),
    "a point among decimal commas, beyond the first lines": (
        (written(";", risk=percent) + "0;5 %;1;Nord\n" * 1000 + "0;0.5 %;1;Nord\n").encode(),
        "must have numbers in column `risk` that are written alike, got '0.5 %' at line 1010; "
        "write it as those of the first 1,000 lines are.",
    ),
    "thousands beyond the first lines, below a title": (
        ("Bericht\n" + written(";", risk=comma) + "0;0,5;7;Nord\n" * 1000 + "0;0,5;1.234;Nord\n").encode(),
        "must have numbers in column `w` that are written alike, got '1.234' at line 1011; "
        "write it as those of the first 1,000 lines are.",
    ),
    "blanks around a mark of missing values beyond the first lines": (
        (written() + "0,0.5,7,Nord\n" * 1000 + "0, NA ,7,Nord\n").encode(),
        "must have numbers in column `risk`, got ' NA ' at line 1010; leave out the blanks around it.",
    ),
    "a byte that Windows-1252 does not have": (
        written().encode("cp1252").replace(b"S\xfcd", b"S\x81d", 1),
        "must be text in Windows-1252, got something else at line 2; state its encoding.",
    ),
    "half a character of UTF-16 at the end": (
        written().encode("utf-16") + b"\0",
        "must be text in UTF-16, got something else at line 10; state its encoding.",
    ),
    "no header": (
        written().split("\n", 1)[1].replace(",Nord", "").replace(",Süd", "").encode(),
        "must have a first line with the names of its columns, got the numbers '0,0.05,7'.",
    ),
    "a header without a name": (
        written(header=(" ", "", "", "")).encode(),
        "must have a first line with the names of its columns, got an empty line.",
    ),
    "three columns of one name": (
        written(header=("died", "risk", "risk", "risk")).encode(),
        "must have a name of its own for every column, got 'risk' 3 times.",
    ),
    "a quotation mark that stays open": (
        written().replace("Nord", '"Nord', 1).encode(),
        "must close every quotation mark, got one in line 3 that stays open.",
    ),
    "more fields than names": (
        written().replace("Nord", "Nord, Hafen", 1).encode(),
        "must have as many fields in every line as in the first, got 4 there and 5 in line 3; name every column, and "
        "put text that holds a delimiter in quotation marks (in R, `row.names = FALSE` leaves out the one that has no "
        "name).",
    ),
    "a line cut short": (
        written().encode()[:-12],
        "must have as many fields in every line as in the first, got 4 there and 1 in line 9; "
        "remove lines that are not cases.",
    ),
}

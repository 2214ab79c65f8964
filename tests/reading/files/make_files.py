"""Writes the workbooks and the files of statistics packages in this folder, which were made once with it and are kept.

``python make_files.py`` needs openpyxl, XlsxWriter, odfpy, xlwt, msoffcrypto-tool, pyreadstat and pyreadr; the tests
need none of them but pyreadstat. No package of Python writes files of SAS: ``cohort.sas7bdat`` was written by the C
library ReadStat, which pyreadstat contains (``readstat_begin_writing_sas7bdat``), with the same rows.

``python make_files.py programs`` makes the files of LibreOffice 7.4 and R 4.2 (with the package foreign), where those
are installed; it needs no package.
"""

import datetime
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
sys.path.append(str(HERE.parents[1]))


def rows():
    """Return the header and the cases."""
    from reading.saved_files import COUNT, HEADER, LABEL, OUTCOME, RISK

    return [HEADER, *zip(OUTCOME, map(float, RISK), map(int, COUNT), LABEL, strict=True)]


def by_openpyxl():
    """Write what Excel users make: a plain sheet, titles and sums, two sheets, and an empty one."""
    import openpyxl

    plain = openpyxl.Workbook()
    for row in rows():
        plain.active.append(row)
    plain.save(HERE / "plain.xlsx")
    plain.create_sheet("Leer")
    plain.active.title = "Klinik Süd"
    plain.save(HERE / "one_sheet_of_two.xlsx")
    other = plain.create_sheet("Klinik Nord")
    for row in rows()[:7]:
        other.append(row)
    plain.save(HERE / "two_sheets.xlsx")
    openpyxl.Workbook().save(HERE / "empty.xlsx")

    titled = openpyxl.Workbook()
    sheet = titled.active
    sheet["B2"] = "Auswertung 2024"
    for at, row in enumerate(rows()):
        for to, value in enumerate((*row, datetime.date(2024, 3, 1 + at) if at else "day")):
            sheet.cell(4 + at, 2 + to, value).number_format = {1: "0.0%", 4: "dd.mm.yyyy"}.get(to, "General")
    sheet.cell(13, 2, "Summe")
    sheet.cell(13, 4, 15550)
    titled.save(HERE / "titles_and_sum.xlsx")


def by_xlsxwriter():
    """Write numbers as text, as they are where a German CSV was pasted, and cells with blanks and line breaks."""
    import xlsxwriter

    with xlsxwriter.Workbook(HERE / "numbers_as_text.xlsx", {"constant_memory": True}) as workbook:
        sheet = workbook.add_worksheet()
        sheet.write_row(0, 0, ["died", "risk", "w", "site", "note"])
        for at, (died, risk, count, site) in enumerate(rows()[1:], 1):
            written = [f"{risk:g}".replace(".", ","), f"{count:,}".replace(",", "."), site, 'a "b", c\nd;e']
            sheet.write_row(at, 0, [died, *written])
    with xlsxwriter.Workbook(HERE / "percent_in_some.xlsx") as workbook:
        sheet = workbook.add_worksheet()
        for at, (died, risk, *rest) in enumerate(rows()):
            sheet.write_row(at, 0, [died, "12.5 %" if at == 2 else risk, *rest])


def by_odfpy():
    """Write what LibreOffice users make: a title, percentages and truth values."""
    from odf.opendocument import OpenDocumentSpreadsheet
    from odf.table import Table, TableCell, TableRow
    from odf.text import P

    def cell(value, kind):
        if isinstance(value, str):
            made = TableCell(valuetype="string")
        elif kind == "boolean":
            made = TableCell(valuetype=kind, booleanvalue="true" if value else "false")
        else:
            made = TableCell(valuetype=kind, value=value)
        made.addElement(P(text=str(value)))
        return made

    for name, kinds in {"plain.ods": ["float"] * 4, "title.ods": ["boolean", "percentage", "float", "string"]}.items():
        made, table = OpenDocumentSpreadsheet(), Table(name="Daten")
        for row in [*([("Auswertung 2024",), ()] if name == "title.ods" else []), *rows()]:
            line = TableRow()
            for value, kind in zip(row, kinds, strict=False):
                line.addElement(cell(value, kind))
            table.addElement(line)
        made.spreadsheet.addElement(table)
        made.save(str(HERE / name))


def by_pyreadstat():
    """Write codes with labels, a value that is declared missing, and dates."""
    import pandas as pd
    import pyreadstat

    header, *cases = rows()
    frame = pd.DataFrame(cases, columns=header)
    frame["sex"] = [1.0, 2, 1, 2, 2, 1, 9, 2]
    frame["day"] = [datetime.date(2024, 3, 1 + day) for day in range(8)]
    labels = {"died": {0: "alive", 1: "dead"}, "sex": {1: "female", 2: "male", 9: "no answer"}}
    pyreadstat.write_sav(
        frame, HERE / "cohort.sav", variable_value_labels=labels, missing_ranges={"sex": [9]}, row_compress=True
    )
    pyreadstat.write_sav(frame, HERE / "cohort.zsav", variable_value_labels=labels, compress=True)
    pyreadstat.write_dta(frame, HERE / "stata15.dta", variable_value_labels=labels)
    dated = frame.assign(day=pd.to_datetime(frame["day"]))
    dated.to_stata(HERE / "stata10.dta", version=114, value_labels=labels, write_index=False)  # not in UTF-8
    twos = frame.assign(died=frame["died"] + 1)
    labels["died"] = {1: "alive", 2: "dead"}
    pyreadstat.write_sav(twos, HERE / "codes_from_1.sav", variable_value_labels=labels)
    labels["sex"] = {1: "yes", 2: "yes", 9: "no answer"}
    pyreadstat.write_dta(twos, HERE / "one_label_twice.dta", variable_value_labels=labels)


def refused():
    """Write an old workbook, one with a password, and a file of R."""
    import msoffcrypto.format.ooxml
    import pandas as pd
    import pyreadr
    import xlwt

    old = xlwt.Workbook()
    sheet = old.add_sheet("Daten")
    for at, row in enumerate(rows()):
        for to, value in enumerate(row):
            sheet.write(at, to, value)
    old.save(str(HERE / "old.xls"))
    with (HERE / "plain.xlsx").open("rb") as plain, (HERE / "password.xlsx").open("wb") as locked:
        msoffcrypto.format.ooxml.OOXMLFile(plain).encrypt("secret", locked)
    header, *cases = rows()
    pyreadr.write_rds(str(HERE / "cohort.rds"), pd.DataFrame(cases, columns=header), compress="gzip")


# Delimiter, quotation mark, encoding (1: Windows-1252, 76: UTF-8, 65535: UTF-16), first line, formats, language,
# quotation marks around all text, and cells as shown; and the language of the user, which has the decimal sign.
DIALECTS = {
    "libreoffice_plain.csv": ("44,34,76,1,,0,false,true", "en_US.UTF-8"),
    "libreoffice_german.csv": ("59,34,1,1,,0,false,true", "de_DE.UTF-8"),
    "libreoffice_german_quoted.csv": ("59,34,76,1,,0,true,true", "de_DE.UTF-8"),
    "libreoffice_utf16_tabs.csv": ("9,34,65535,1,,0,false,true", "de_DE.UTF-8"),
    "libreoffice_french_bars.csv": ("124,34,76,1,,0,false,true", "fr_FR.UTF-8"),
}
R = """
f <- read.csv("cohort.csv", encoding="UTF-8")
write.csv(f, "r_write_csv.csv", row.names=FALSE, fileEncoding="UTF-8")
write.csv(f, "r_write_csv_row_names.csv", fileEncoding="UTF-8")
write.csv2(f, "r_write_csv2.csv", row.names=FALSE, fileEncoding="latin1")
write.table(f, "r_write_table_tabs.txt", sep="\\t", row.names=FALSE, quote=FALSE, fileEncoding="UTF-8")
write.table(f, "r_write_table_row_names.csv", sep=",", fileEncoding="UTF-8")
saveRDS(f, "r.rds")
f$site <- factor(f$site)
f$status <- factor(ifelse(f$died == 1, "dead", "alive"))
foreign::write.dta(f, "r_foreign.dta")
"""


def by_programs():
    """Convert the cohort with LibreOffice, without a window, and write it with R."""
    from reading.saved_files import written

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "cohort.csv").write_text(written(), encoding="utf-8")

        def convert(source, kind, language="en_US.UTF-8", *more):
            asked = ["soffice", "--headless", *more, "--convert-to", kind, "--outdir", name, str(folder / source)]
            environment = os.environ | {"LC_ALL": language, "LANG": language, "HOME": name}
            subprocess.run(asked, env=environment, check=True, timeout=300)

        for kind in ("xlsx", "ods"):
            convert("cohort.csv", kind, "en_US.UTF-8", "--infilter=CSV:44,34,76,1")
            (folder / f"cohort.{kind}").rename(HERE / f"libreoffice.{kind}")
        shutil.copy(HERE / "libreoffice.ods", folder / "made.ods")
        for target, (tokens, language) in DIALECTS.items():
            convert("made.ods", f"csv:Text - txt - csv (StarCalc):{tokens}", language)
            (folder / "made.csv").rename(HERE / target)
        subprocess.run(["Rscript", "-e", R], cwd=folder, env=os.environ | {"LC_ALL": "C.UTF-8"}, check=True, timeout=60)
        for path in folder.glob("r[._]*"):
            shutil.copy(path, HERE)


if __name__ == "__main__":
    by_packages = [by_openpyxl, by_xlsxwriter, by_odfpy, by_pyreadstat, refused]
    for write in [by_programs] if sys.argv[1:] == ["programs"] else by_packages:
        write()

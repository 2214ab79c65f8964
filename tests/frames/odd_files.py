"""Odd files of predictions: what is strange about each, and how to write it to a folder.

All have an outcome ``died`` and a score ``risk``; some a weight ``w`` and a group ``site``.
"""

import bz2
import datetime
import decimal
import gzip
import lzma
import struct

import numpy as np
import pyarrow as pa
from pyarrow import feather, parquet
from reading.saved_files import FILES as SAVED
from reading.saved_files import REFUSED

RISK = [0.05, 0.125, 0.2, 0.25, 0.375, 0.5, 0.75, 0.9]
DIED = [0, 1, 0, 0, 1, 0, 1, 1]
ROWS = list(zip(DIED, RISK, strict=True))
TEXT = "died,risk\n" + "".join(f"{died},{risk}\n" for died, risk in ROWS)
TABLE = pa.table({"died": DIED, "risk": RISK})


def text(content, name="scores.csv", encoding="utf-8"):
    """Write characters."""
    return octets(content.encode(encoding), name)


def octets(content, name="scores.csv"):
    """Write bytes under a name."""

    def write(folder):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        return path

    return write


def column(name, values):
    """Write text in which a column has other values, or is another one."""
    columns = {"died": DIED, "risk": RISK} | {name: values}
    rows = zip(*columns.values(), strict=True)
    return text(",".join(columns) + "\n" + "".join(",".join(map(str, row)) + "\n" for row in rows))


def value(name, bad, row=4):
    """Write text in which one value is another."""
    values = list(map(str, {"died": DIED, "risk": RISK}.get(name, [1] * 8)))
    values[row] = bad
    return column(name, values)


def typed(name="scores.parquet", options=(), **columns):
    """Write Parquet in which columns have another type."""
    table = pa.table({"died": pa.array(DIED), "risk": pa.array(RISK)} | columns)

    def write(folder):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        parquet.write_table(table, path, **dict(options))
        return path

    return write


def arrow(**columns):
    """Write an Arrow file in which columns have another type."""
    table = pa.table({"died": pa.array(DIED), "risk": pa.array(RISK)} | columns)

    def write(folder):
        feather.write_feather(table, str(folder / "scores.arrow"))
        return folder / "scores.arrow"

    return write


def damaged(write, place=0.5, bit=1):
    """Write a file, and flip a bit of it."""

    def flip(folder):
        path = write(folder)
        content = bytearray(path.read_bytes())
        content[int(len(content) * place)] ^= bit
        path.write_bytes(content)
        return path

    return flip


def cut(write, by=9):
    """Write a file without its end."""

    def shorten(folder):
        path = write(folder)
        path.write_bytes(path.read_bytes()[:-by])
        return path

    return shorten


PACKED = {
    "gzip": gzip.compress(TEXT.encode(), mtime=0),
    "bz2": bz2.compress(TEXT.encode()),
    "xz": lzma.compress(TEXT.encode()),
    "zstd": pa.compress(TEXT.encode(), codec="zstd", asbytes=True),
}
CHECKED = {"write_page_checksum": True, "compression": "none"}
HALF, SINGLE = (np.array(RISK, kind) for kind in (np.float16, np.float32))
DAYS = pa.array([datetime.date(2024, 1, 1 + died) for died in DIED])
QUOTED = '"died","risk"\n' + "".join(f'"{died}","{risk}"\n' for died, risk in ROWS)
NOTES = "died,risk,note\n" + "".join(f'{died},{risk},"a, b\nc ""d"""\n' for died, risk in ROWS)
LONG = "died,risk,note\n" + "".join(f"{died},{risk},x\n" for died, risk in ROWS)


def _indexed(folder):
    import pandas as pd

    pd.DataFrame({"died": DIED, "risk": RISK}).set_index("died").to_parquet(folder / "scores.parquet")
    return folder / "scores.parquet"


ODD = {
    # Dialects
    "plain": text(TEXT),
    "bars": text(TEXT.replace(",", "|")),
    "tabs in a file called csv": text(TEXT.replace(",", "\t"), "scores.csv"),
    "commas in a file called tsv": text(TEXT, "scores.tsv"),
    "decimal commas": text(TEXT.replace(",", ";").replace(".", ",")),
    "a byte order mark": text(TEXT, encoding="utf-8-sig"),
    "lines that end as on Windows": text(TEXT.replace("\n", "\r\n")),
    "lines that end as on old systems": text(TEXT.replace("\n", "\r")),
    "lines that end in two ways": text(TEXT.replace("\n", "\r\n", 3)),
    "no end of the last line": text(TEXT.rstrip("\n")),
    "empty lines at the end": text(TEXT + "\n\n"),
    "an empty line in the middle": text(TEXT.replace("0,0.25", "\n0,0.25")),
    "a comma at the end of each line": text(TEXT.replace("\n", ",\n")),
    "everything quoted": text(QUOTED),
    "quoted commas, lines and quotation marks": text(NOTES),
    "a quotation mark that stays open": text(TEXT.replace("0,0.25", '0,"0.25')),
    "a quotation mark inside": value("risk", '0.3"7'),
    "spaces around numbers": text(TEXT.replace(",", ", ").replace("\n0", "\n 0")),
    "a field too few": text(TEXT.replace("0,0.25\n", "0\n")),
    "a field too many": text(TEXT.replace("0,0.25\n", "0,0.25,7\n")),
    "a name twice": text(TEXT.replace("risk", "died")),
    "no header": text(TEXT.partition("\n")[2]),
    "names that differ in capitals": text("died,Risk,risk\n" + "".join(f"{d},0.5,{r}\n" for d, r in ROWS)),
    "one column": text("died\n0\n1\n"),
    "no rows": text("died,risk\n"),
    "an empty file": text(""),
    "a zero byte": text(TEXT.replace("0,0.25", "0,0.2\x005")),
    "UTF-16": text(TEXT, encoding="utf-16"),
    "Latin-1": text(
        TEXT.replace("died", "died,né").replace("\n0", "\n0,x").replace("\n1", "\n1,x"), encoding="latin-1"
    ),
    "JSON": text('{"died": [0, 1], "risk": [0.1, 0.2]}'),
    # Values
    "every mark of a missing score": column("risk", ["NA", "N/A", "null", "NULL", "None", "", "nan", 0.5]),
    **{
        f"a score {bad!r}": value("risk", bad)
        for bad in ("-", ".", "inf", "1e999", "1e-999", "0x1", "1_0", "50%", "1,5")
    },
    "outcomes written in many ways": column("died", ["0", "1.0", "-0", "0e0", "01", "0.", "+1", "1e0"]),
    **{f"an outcome {bad!r}": value("died", bad) for bad in ("NA", "2", "true", "yes")},
    "small and no weights": column("w", [0, "1e-320", 1, 0, "1e-5", 1, 2, 3]),
    **{f"a weight {bad!r}": value("w", bad) for bad in ("NA", "-1", "inf", "heavy")},
    "groups that look like numbers": column("site", ["01", "1", "1.0", "1e0", "true", "TRUE", "ü", "1"]),
    **{f"a group {bad!r}": value("site", bad) for bad in ("NA", "None")},
    "no score at all": column("risk", [""] * 8),
    "no weight at all": column("w", [0] * 8),
    "outcomes true and false": column("died", [str(died == 1).lower() for died in DIED]),
    "outcomes in words": column("died", ["yes" if died else "no" for died in DIED]),
    "dates as outcomes": column("died", [f"2024-01-0{1 + died}" for died in DIED]),
    "a field of 200,000 characters": text(LONG.replace("0.25,x", f"0.25,{'x' * 200_000}")),
    "a line of 3 MB": text(LONG.replace("0.25,x", f"0.25,{'x' * 3_000_000}")),
    "a last line of 40 MB": text(LONG.rstrip("x\n") + "x" * 40_000_000),
    # Packing
    **{f"{packing}, packed": octets(content) for packing, content in PACKED.items()},
    **{f"{packing}, cut": cut(octets(content)) for packing, content in PACKED.items()},
    **{f"{packing}, with more behind it": octets(content + b"more") for packing, content in PACKED.items()},
    "gzip with a flipped bit": damaged(octets(PACKED["gzip"])),
    "gzip with another checksum": damaged(octets(PACKED["gzip"]), 0.95),
    "gzip in two members": octets(gzip.compress(TEXT[:30].encode()) + gzip.compress(TEXT[30:].encode())),
    # Names
    **{
        f"a file called {name!r}": text(TEXT, name)
        for name in ("~/d.csv", "~x.csv", "file:/d.csv", "s3:/b/d.csv", "a=1/d.csv", "*.csv", "[a]?.csv", "é ü.csv")
    },
    **{f"a file called {name!r}": typed(name) for name in ("risk=0/d.parquet", "*[d].parquet", "_d.parquet", "~.pq")},
    # Types
    "half precision": typed(risk=pa.array(HALF)),
    "single precision": typed(risk=pa.array(SINGLE)),
    "decimals": typed(risk=pa.array([decimal.Decimal(str(risk)) for risk in RISK])),
    "categories": typed(site=pa.array(["a", "b"] * 4).dictionary_encode()),
    "categories as outcomes": typed(died=pa.array(["yes" if died else "no" for died in DIED]).dictionary_encode()),
    "text as scores": typed(risk=pa.array(list(map(str, RISK)))),
    "text as weights": typed(w=pa.array(["1"] * 8)),
    "truth values": typed(died=pa.array([died == 1 for died in DIED])),
    "truth values as scores": typed(risk=pa.array([risk > 0.3 for risk in RISK])),
    "dates as typed outcomes": typed(died=DAYS),
    "dates as groups": typed(site=DAYS),
    "times as groups": typed(site=DAYS.cast(pa.timestamp("us"))),
    "lists as scores": typed(risk=pa.array([[risk] for risk in RISK])),
    "lists as groups": typed(site=pa.array([[1]] * 8)),
    "structures as outcomes": typed(died=pa.array([{"a": 1}] * 8)),
    "bytes as outcomes": typed(died=pa.array([b"yes", b"no"] * 4)),
    "bytes as groups": typed(site=pa.array([b"a", b"b"] * 4)),
    "integers beyond 2^53 as weights": typed(w=pa.array([2**53 + 1] * 8)),
    "integers beyond 2^53 as groups": typed(site=pa.array([2**53, 2**53 + 1] * 4)),
    "unsigned bytes": typed(died=pa.array(DIED, pa.uint8())),
    "missing and nan": typed(risk=pa.array([None, float("nan"), *RISK[2:]])),
    "a column of nothing": typed(risk=pa.nulls(8)),
    "floats as groups": typed(site=pa.array([1.0, 2.5] * 4)),
    "truth values as groups": typed(site=pa.array([True, False] * 4)),
    "no rows of Parquet": typed(died=pa.array([], pa.int64()), risk=pa.array([], pa.float64())),
    "names of Parquet that differ in capitals": typed(Risk=pa.array([0.5] * 8)),
    "an index of pandas": _indexed,
    "many row groups": typed(options={"row_group_size": 3}),
    "Parquet with a flipped bit in a page": damaged(typed(options=CHECKED), 0.05),
    "Parquet without its end": cut(typed()),
    "Parquet in name only": octets(b"PAR1" + struct.pack("<i", 12) + b"PAR1", "scores.parquet"),
    "Arrow": arrow(),
    "Arrow without its end": cut(arrow()),
    "Arrow with lists": arrow(site=pa.array([[1]] * 8)),
    "Arrow with categories": arrow(site=pa.array(["a", "b"] * 4).dictionary_encode()),
    # As spreadsheets save them
    **{name: octets(SAVED[name][0]) for name in ("Excel, German", "titles and an empty line", "German percent signs")},
    **{name: octets(REFUSED[name][0]) for name in ("a line cut short", "a percent sign in some rows")},
}

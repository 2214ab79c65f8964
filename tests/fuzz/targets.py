"""What is fed to the doors that take text and files, and what they may answer: a result, or one clear sentence."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd

from stakes import InputError, frames, load_table, parse_belief, save_table, score_table
from stakes.cli import main
from stakes.frames import open_file
from stakes.frames._data_file import as_floats, fetch

Feed = Callable[[bytes, Path], None]

TOKENS = [
    b"%",
    b"..",
    b":",
    b"logodds ",
    b"beta(",
    b")",
    b",",
    b";",
    b"\t",
    b"\n",
    b"\r\n",
    b'"',
    b"'",
    b"\x00",
    b"\xff\xfe",
]
TOKENS += [
    b"nan",
    b"inf",
    b"-",
    b"1e400",
    b"1e-400",
    b"0",
    b"1",
    b"0.5",
    b"NA",
    b"\xc3\xa9",
    b"\xef\xbb\xbf",
    b"=1+1",
    b" ",
]


def belief(data: bytes, _: Path) -> None:
    """Read costs; what is read prints as something that says the same."""
    found = parse_belief(data.decode("utf-8", "replace"))
    low, high = found.support
    assert 0 <= low <= high <= 1, found


def table_file(data: bytes, folder: Path) -> None:
    """Read a table; what is read saves and reads back."""
    path = folder / "table.csv"
    path.write_bytes(data)
    found = load_table(path)
    save_table(found, folder / "again.csv")
    assert load_table(folder / "again.csv") == found


def data_file(data: bytes, folder: Path) -> None:
    """Read a file of predictions by two ways, which must agree."""
    path = folder / "scores"
    path.write_bytes(data)
    file = open_file(path)
    columns = fetch(file, lambda: file.relation(numbers=["died", "risk"]))
    found = frames.score_table(file, "died", "risk")
    assert found == score_table(as_floats(columns["died"]), as_floats(columns["risk"]))


def command(data: bytes, folder: Path) -> None:
    """Evaluate a file in the shell: all is well, or the input is bad; never anything else."""
    path = folder / "scores"
    path.write_bytes(data)
    words = ["evaluate", str(path), "--outcome", "died", "--predictions", "risk", "--costs", "5%..20%", "--quiet"]
    printed, complained = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(complained):
        code = main(words)
    assert code in (0, 2), (code, complained.getvalue())
    assert "Traceback" not in complained.getvalue()


def is_a_sentence(error: Exception) -> bool:
    """Say whether an error is one that a person would say: it is of the input, and ends with a full stop."""
    return isinstance(error, InputError) and str(error).endswith(".")


def _written(folder: Path) -> list[bytes]:
    """Good files of every format, to start from."""
    rng = np.random.default_rng(0)
    score = rng.beta(2, 5, 40).round(3)
    frame = pd.DataFrame({"died": (rng.random(40) < score).astype(int), "risk": score, "site": list("ab") * 20})
    frame.to_csv(folder / "a.csv", index=False)
    frame.to_csv(folder / "b.csv", index=False, sep=";", decimal=",")
    frame.to_csv(folder / "c.csv.gz", index=False, sep="\t")
    frame.to_csv(folder / "d.csv.bz2", index=False)
    frame.to_parquet(folder / "e.parquet")
    frame.to_feather(folder / "f.feather")
    return [path.read_bytes() for path in sorted(folder.iterdir())]


def seeds(folder: Path) -> dict[Feed, list[bytes]]:
    """Good input for each door; all else is made from it."""
    texts = [
        b"10%",
        b"0.1",
        b"1:9",
        b"5%..20%",
        b"1.66:100..3:100",
        b"logodds 0.1%..2%",
        b"beta(2, 8)",
        b"beta(2,8,1%,50%)",
    ]
    files = _written(folder)
    save_table(score_table([0, 1, 1, 0], [0.1, 0.2, 0.2, 0.9]), folder / "table.csv")
    return {belief: texts, table_file: [(folder / "table.csv").read_bytes()], data_file: files, command: files}

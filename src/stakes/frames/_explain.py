"""What went wrong while a file was read, in words: the file, what was expected of it, and where it is not so."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from stakes._check import shown

# Said while spilling: one thread of the engine may meet the full disk writing to a file, another resizing it.
_FULL = ("Could not write file", "Could not truncate file", "No space left on device", "max_temp_directory_size")


def explained(path: Path, kind: str, columns: Sequence[str], said: str) -> Exception:
    """Make an error of what the engine said; `columns` are the names behind the numbers it knows."""
    if not path.exists():
        return FileNotFoundError(f"{path.name} must stay where it is while it is read, got nothing of that name.")
    if said.startswith("Out of Memory"):
        return MemoryError(f"{path.name} needs more memory than the engine may use: {_first_sentence(said)}.")
    if any(sign in said for sign in _FULL):
        return OSError(f"{path.name} needs more room than the folder for temporary files has: {_first_sentence(said)}.")
    wanted, got = _of_text(columns, said) or _of_packing(said) or _of_anything(kind, said)
    return ValueError(f"{path.name} must {wanted}, got {got}.")


def _of_text(columns: Sequence[str], said: str) -> tuple[str, str] | None:
    line = re.search(r"CSV Error on Line: (\d+)", said)
    at = f"line {line[1]}" if line else "a line"
    if wrong := re.search(r'converting column "(\d+)"\. Could not convert string "(.*?)" to \'(\w+)', said, re.DOTALL):
        wanted = "true and false" if wrong[3] == "BOOLEAN" else "numbers"
        hint = "; divide by 100, and leave out the sign" if wrong[2].endswith("%") else ""
        return f"have {wanted} in column `{columns[int(wrong[1])]}`", f"{shown(wrong[2])} at {at}{hint}"
    if fields := re.search(r"Expected Number of Columns: (\d+) Found: (\d+)", said):
        return "have as many fields in every line as in the first", f"{fields[1]} there and {fields[2]} in {at}"
    if "unicode" in said:
        return "be text in UTF-8", f"something else in {at}"
    if "unterminated quote" in said:
        return "close every quotation mark", f"one in {at} that stays open"
    return None


def _of_packing(said: str) -> tuple[str, str] | None:
    return ("be a whole gzip file", "one that is truncated or damaged") if "GZIP" in said else None


def _of_anything(kind: str, said: str) -> tuple[str, str]:
    whole = f"whole {kind}" if kind in ("Parquet", "Arrow") else "readable text"
    return f"be a {whole} file", f"one that the engine cannot read: {_first_sentence(said)}"


def _first_sentence(said: str) -> str:
    line = said.partition("\n")[0]
    return (line.partition(": ")[2] or line).rstrip(".")

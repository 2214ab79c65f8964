"""The scripts that compute the live report's numbers, joined in the order in which they build on each other."""

from __future__ import annotations

from importlib.resources import files

# Each is a plain script; all but the last add functions to one object, `stakes`, that `maps` closes.
_PARTS = ("beliefs", "tables", "steps", "scores", "shift", "decisions", "curves", "maps", "words")


def numbers_script() -> str:
    """Return one script that defines `stakes`, which computes, and `words`, which writes, and nothing else."""
    folder = files("stakes").joinpath("report", "numbers")
    return "\n".join(folder.joinpath(f"{part}.js").read_text(encoding="utf-8") for part in _PARTS)

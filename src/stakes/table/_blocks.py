"""Rows taken a few at a time."""

from __future__ import annotations

from collections.abc import Iterator

_BLOCK = 15 << 10  # rows: a column of them is just too small for malloc to fetch fresh pages for it each time


def blocks(rows: int) -> Iterator[slice]:
    """Rows to take at a time, so that what is computed for them stays in the processor's cache."""
    return (slice(start, start + _BLOCK) for start in range(0, rows, _BLOCK))

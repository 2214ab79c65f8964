"""A line that says how far a long computation is: after two seconds, and only where someone can see it."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator
from typing import TypeVar

Block = TypeVar("Block")

PATIENCE = 2.0  # seconds
_WIDTH = 30


def followed(blocks: Iterable[tuple[int, Block]], total: int) -> Iterator[Block]:
    """Pass blocks on; each comes with how many replicates are done once it is."""
    begin, shown = time.monotonic(), False
    for done, block in blocks:
        yield block
        if sys.stderr.isatty() and time.monotonic() - begin > PATIENCE:
            shown = True
            bar = "#" * (_WIDTH * done // total)
            print(f"\rresampling |{bar:{_WIDTH}}| {done:,} of {total:,}", end="", file=sys.stderr, flush=True)
    if shown:
        print(f"\r{'':{_WIDTH + 50}}\r", end="", file=sys.stderr, flush=True)

"""Words of others, made fit for a sentence: names from anywhere, and what the system says."""

from __future__ import annotations

import errno
import os


def printable(text: str) -> str:
    """Write text from anywhere on one line: what would move the cursor or change colours becomes a space."""
    return " ".join("".join(one if one.isprintable() else " " for one in text).split())


def reason(error: OSError) -> str:
    """Say what the system says, in small letters."""
    return "the disk is full" if error.errno == errno.ENOSPC else os.strerror(error.errno or 0).lower()

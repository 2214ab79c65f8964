"""Cache of compiled templates, beside compiled modules."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from importlib.util import cache_from_source
from pathlib import Path
from pickle import UnpicklingError

from jinja2 import BytecodeCache
from jinja2.bccache import Bucket


class CompiledTemplates(BytecodeCache):
    """Cache of the compiled templates of a language.

    As with modules, nothing is written where Python is told to write no bytecode, or cannot, and a template whose
    source has changed is compiled again.
    """

    def __init__(self, language: str) -> None:
        self._language = language

    def load_bytecode(self, bucket: Bucket) -> None:
        """Fill a bucket from its file, if there is one."""
        with suppress(OSError, EOFError, UnpicklingError), self._place(bucket).open("rb") as file:
            bucket.load_bytecode(file)

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Write a bucket to its file, which appears whole."""
        if sys.dont_write_bytecode:
            return
        place = self._place(bucket)
        draft = place.with_name(f"{place.name}.{os.getpid()}")
        with suppress(OSError):
            place.parent.mkdir(parents=True, exist_ok=True)
            draft.write_bytes(bucket.bytecode_to_string())
            draft.replace(place)

    def _place(self, bucket: Bucket) -> Path:
        return Path(cache_from_source(str(Path(__file__).with_name(f"{bucket.key}-{self._language}.jinja"))))

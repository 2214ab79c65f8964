"""Files of a room that load when one of their names is first used."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from sys import modules


def late_names(room: str, files: Mapping[str, Sequence[str]]) -> Callable[[str], object]:
    """Return the `__getattr__` of a room: it loads the file of a name, and from then on the name is there."""

    def load(name: str) -> object:
        for file, names in files.items():
            if name in names:
                return vars(modules[room]).setdefault(name, getattr(import_module(f"{room}.{file}"), name))
        raise AttributeError(f"module {room!r} has no attribute {name!r}")

    return load

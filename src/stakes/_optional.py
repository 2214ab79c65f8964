"""Other people's packages, imported when they are needed, with a word on how to get them."""

from __future__ import annotations

import importlib
from types import ModuleType

from stakes._errors import MissingPackageError


def needed(package: str, extra: str, purpose: str) -> ModuleType:
    """Import a package, or say what it is for and which extra brings it."""
    try:
        return importlib.import_module(package)
    except ModuleNotFoundError as error:
        if error.name != package.partition(".")[0]:
            raise
        raise MissingPackageError(package, f"'stakes[{extra}]'", purpose) from None

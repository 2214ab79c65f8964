"""Optional packages, imported on first use."""

from __future__ import annotations

import importlib
from types import ModuleType

from stakes._errors import MissingPackageError


def needed(package: str, extra: str, purpose: str) -> ModuleType:
    """Import a package; if it is missing, raise an error with its purpose and the extra to install."""
    try:
        return importlib.import_module(package)
    except ModuleNotFoundError as error:
        if error.name != package.partition(".")[0]:
            raise
        raise MissingPackageError(package, f"'stakes[{extra}]'", purpose) from None

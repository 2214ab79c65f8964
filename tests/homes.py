"""Every public name by its home, and what it stands for."""

from importlib import import_module

import stakes

ROOMS = (
    "beliefs",
    "case_costs",
    "cases",
    "curves",
    "evaluation",
    "frames",
    "large",
    "limits",
    "measures",
    "monitoring",
    "outcome",
    "planning",
    "policy",
    "prevalence",
    "sites",
    "table",
    "uncertainty",
)

HOMES: dict[str, list[str]] = {home: list(import_module(f"stakes.{home}").__all__) for home in ROOMS}


def everything() -> dict[str, object]:
    """Return what every public name stands for, by home and name."""
    return {
        f"{home}.{name}": getattr(import_module(f"stakes.{home}"), name)
        for home, names in HOMES.items()
        for name in names
    }


def public(name: str) -> object:
    """Return what a name stands for: at the front, or else at its home."""
    if name in stakes.__all__:
        return getattr(stakes, name)
    return next(thing for path, thing in everything().items() if path.endswith(f".{name}"))

"""How results print: short, with as many digits as are of use."""

from __future__ import annotations


def shown_ends(estimate: float, lower: float, upper: float) -> str:
    """Write a number and the interval around it."""
    return f"{estimate:.4g} [{lower:.4g}, {upper:.4g}]"


def described(method: str, caution: str) -> str:
    """Write how something was found, and why not to trust it if there is a reason."""
    return f"{method}; {caution}" if caution else method

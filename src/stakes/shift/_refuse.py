"""The error texts of this package that `stakes._check` does not have."""

from __future__ import annotations

from stakes import _check


def lacks(name: str, belief: object, *needed: str) -> None:
    """Refuse a belief that cannot be integrated."""
    _check.offers(name, belief, *needed)


def improper(name: str, belief: object, mass: float) -> None:
    """Refuse a density that does not integrate to 1."""
    if not abs(mass - 1) <= 1e-6:
        raise ValueError(f"`{name}` must be a belief whose density integrates to 1, got {belief!r}.")


def needs_costs(name: str, measure: object, accuracy: object) -> None:
    """Refuse what is no measure, and the one of the family that takes no costs."""
    _check.function(name, measure, of="(table, costs, prevalence)")
    if measure is accuracy:
        raise TypeError(
            f"`{name}` must be a function of (table, costs, prevalence), got `shifted_accuracy`; for accuracy use "
            "`shifted_weighted_accuracy` with `At(0.5)`."
        )

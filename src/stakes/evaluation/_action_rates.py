"""Share of cases acted on."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ActionRates:
    """Share of cases acted on over the stated costs.

    Attributes
    ----------
    at_lowest_cost, mean, at_highest_cost : float
        The share at the lowest cost of a false alarm, on average, and at the highest.

    Examples
    --------
    >>> from stakes import evaluate
    >>> acts = evaluate([0, 0, 1, 1], {"model": [0.1, 0.3, 0.4, 0.9]}, "20%..60%").ranking[0].acts
    >>> acts.at_lowest_cost, acts.at_highest_cost
    (0.75, 0.25)
    """

    at_lowest_cost: float
    mean: float
    at_highest_cost: float

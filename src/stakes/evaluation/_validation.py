"""The record of a validation: how it was done, and what each model seemed to cost before it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Validation:
    """How models were validated, and what they cost on the cases they were fitted to and on others.

    Attributes
    ----------
    method : str
        ``cv`` for cross-validation, ``optimism`` for the bootstrap.
    folds : int
        Number of folds of a cross-validation; 0 for the bootstrap.
    repeats : int
        Number of times that the cases were dealt into folds, or of bootstrap samples.
    apparent : mapping of str to float
        Expected cost of each model, fitted to all cases, on the same cases.
    validated : mapping of str to float
        Its expected cost on cases that it was not fitted to, as in the ranking.
    unchanged : tuple of str
        Models whose predictions were the same whatever they were fitted to.
    slope, intercept : mapping of str to float
        Calibration slope and intercept of each model, corrected for optimism; empty for a cross-validation, in which
        a fold is too small for them.

    Examples
    --------
    >>> from stakes.evaluation import Validation
    >>> validation = Validation("cv", folds=10, repeats=10, apparent={"model": 0.25}, validated={"model": 0.375})
    >>> validation.gap
    {'model': 0.125}
    """

    method: str
    folds: int
    repeats: int
    apparent: Mapping[str, float]
    validated: Mapping[str, float]
    unchanged: tuple[str, ...] = ()
    slope: Mapping[str, float] = field(default_factory=dict)
    intercept: Mapping[str, float] = field(default_factory=dict)

    @property
    def gap(self) -> dict[str, float]:
        """How much more each model costs on cases that it was not fitted to."""
        return {name: validated - self.apparent[name] for name, validated in self.validated.items()}

"""The record of two curves, one for each class."""

from __future__ import annotations

from dataclasses import dataclass

from stakes.curves._curve import Curve


@dataclass(frozen=True, slots=True)
class ByClass:
    """A curve of the positives and the same curve of the negatives.

    Attributes
    ----------
    positive, negative : Curve
        The curve of each class.

    Examples
    --------
    >>> from stakes import score_table
    >>> from stakes.curves import class_loss_curves
    >>> losses = class_loss_curves(score_table(y=[0, 1], score=[0.25, 0.5]))
    >>> losses.positive
    Curve(6 points, Brier loss from missed positives over cost proportion of a false alarm from 0 to 1)
    """

    positive: Curve
    negative: Curve

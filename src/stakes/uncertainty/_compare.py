"""The difference between two models on the same cases."""

from __future__ import annotations

from dataclasses import dataclass

from stakes._case_columns import short
from stakes._html import small_table
from stakes._wording import describe_method, plain_number, probability, sentence, show_interval


@dataclass(frozen=True, slots=True, repr=False)
class Comparison:
    """The difference between two models on the same cases.

    Attributes
    ----------
    a, b : str
        The names of the models.
    difference : float
        The measure of `a` minus that of `b`.
    lower, upper : float
        The ends of its confidence interval.
    probability_better : float
        The probability that `a` is better than `b` in the population; a tie counts half.
    method : str
        How the ends were computed: analytic, percentile, basic or bca.
    coarsening, coarsening_error : float
        The measure on the coarse tables that were resampled, less the exact difference, and how far coarsening may have
        moved the ends; as in `Interval`.
    caution : str
        The reason not to trust the level, if the sample is small; else empty.

    Examples
    --------
    >>> from stakes.uncertainty import Comparison
    >>> Comparison("new", "old", 0.02, 0.01, 0.03, 0.999, "analytic")
    Comparison(new - old: 0.02 [0.01, 0.03], better with probability 0.999, analytic)
    """

    a: str
    b: str
    difference: float
    lower: float
    upper: float
    probability_better: float
    method: str
    coarsening: float = 0.0
    coarsening_error: float = 0.0
    caution: str = ""

    def __repr__(self) -> str:
        ends = show_interval(self.difference, self.lower, self.upper)
        better = f"better with probability {probability(self.probability_better)}"
        names = f"{short(self.a)} - {short(self.b)}"
        return f"Comparison({names}: {ends}, {better}, {describe_method(self.method, self.caution)})"

    def _repr_html_(self) -> str:
        """Show the difference as a table of one row."""
        numbers = *map(plain_number, (self.difference, self.lower, self.upper)), probability(self.probability_better)
        headings = ("", "difference", "lower", "upper", f"P({short(self.a)} better)")
        row = (f"{short(self.a)} \u2212 {short(self.b)}", *numbers)
        return small_table(
            "Difference on the same cases",
            headings,
            [row],
            sentence(describe_method(f"method: {self.method}", self.caution)),
        )

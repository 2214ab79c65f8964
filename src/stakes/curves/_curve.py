"""The record of a curve: read-only points, and exact values between them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np
import numpy.typing as npt

from stakes import _check, _columns
from stakes._arrays import FloatArray
from stakes._errors import InputError, MissingPackageError
from stakes.curves import _pieces

if TYPE_CHECKING:
    import pandas as pd

Better = Literal["higher", "lower", "neither"]

Jump = Literal["before", "after"]


@dataclass(frozen=True, eq=False, repr=False)
class Curve:
    r"""A curve that is exact everywhere, not only at its points.

    Points are in ascending x; a jump is two points with the same x. Between two points the curve is linear or,
    if it has a `weight`, the ratio of two linear functions: with :math:`\lambda` running from 0 at the first
    point to 1 at the second,

    .. math:: y = \frac{(1 - \lambda)\, w_0 y_0 + \lambda\, w_1 y_1}{(1 - \lambda)\, w_0 + \lambda\, w_1},

    so that both :math:`y w` and :math:`w` are linear in x. This represents a decision curve (weight
    :math:`1 - x`), interventions avoided (weight :math:`x`), relative utility, and precision over recall (weight:
    alarms) exactly; with equal weights it is the ordinary polyline.

    Parameters
    ----------
    x : array-like
        The x of each point, ascending; equal neighbours are a jump.
    y : array-like
        Value at each point.
    x_label, y_label : str
        Labels of the axes, with their units.
    threshold : array-like or float
        Threshold on the score at each point; nan, the default, if there is none.
    weight : array-like, keyword-only, optional
        Denominator at each point, not negative; None if the curve is piecewise linear.
    better : {"higher", "lower", "neither"}, keyword-only
        Direction of improvement; "neither" unless given.
    at_jump : {"before", "after"}, keyword-only
        Which value counts at a jump: "before" unless given, since over costs a score at the threshold is acted on.

    Examples
    --------
    >>> from stakes.curves import Curve
    >>> curve = Curve([0, 0.5, 0.5, 1], [0, 0.2, 0.1, 0], "cost proportion", "regret", threshold=[0, 0.5, 0.5, 1])
    >>> float(curve.at(0.25)), float(curve.at(0.5)), float(curve.after(0.5))
    (0.1, 0.2, 0.1)
    """

    x: FloatArray
    y: FloatArray
    x_label: str
    y_label: str
    threshold: FloatArray
    weight: FloatArray | None = None
    better: Better = "neither"
    at_jump: Jump = "before"

    def __init__(
        self,
        x: npt.ArrayLike,
        y: npt.ArrayLike,
        x_label: str,
        y_label: str,
        threshold: npt.ArrayLike = np.nan,
        *,
        weight: npt.ArrayLike | None = None,
        better: Better = "neither",
        at_jump: Jump = "before",
    ) -> None:
        points = _read_only("x", x)
        if not len(points) or np.isnan(points[0]) or not (points[1:] >= points[:-1]).all():
            raise InputError("x", "be ascending and hold at least one point")
        columns = {
            "y": y,
            "threshold": np.broadcast_to(threshold, points.shape) if np.ndim(threshold) == 0 else threshold,
        }
        columns |= {} if weight is None else {"weight": weight}
        object.__setattr__(self, "x", points)
        object.__setattr__(self, "weight", None)
        for name, values in columns.items():
            object.__setattr__(self, name, _read_only(name, values))
            _columns.check_same_length(x=points, **{name: getattr(self, name)})
        object.__setattr__(self, "x_label", x_label)
        object.__setattr__(self, "y_label", y_label)
        object.__setattr__(self, "better", _check.choice("better", better, ("higher", "lower", "neither")))
        object.__setattr__(self, "at_jump", _check.choice("at_jump", at_jump, ("before", "after")))

    def __len__(self) -> int:
        return len(self.x)

    def __repr__(self) -> str:
        return f"Curve({len(self):,} points, {self.y_label} over {self.x_label} from {self.x[0]:g} to {self.x[-1]:g})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Curve):
            return NotImplemented
        if (self.weight is None) != (other.weight is None):
            return False
        names = ("x_label", "y_label", "better", "at_jump")
        labels = all(getattr(self, name) == getattr(other, name) for name in names)
        columns = ("x", "y", "threshold") if self.weight is None else ("x", "y", "threshold", "weight")
        return labels and all(
            np.array_equal(getattr(self, name), getattr(other, name), equal_nan=True) for name in columns
        )

    __hash__ = None  # type: ignore[assignment]

    def at(self, x: npt.ArrayLike) -> FloatArray:
        """Return the exact value at `x`; at a jump the value before it, or after it if `at_jump` is "after".

        Parameters
        ----------
        x : array-like
            Points at which to evaluate.

        Returns
        -------
        ndarray of float64
            The values, in the shape of `x`; nan outside the curve.

        Examples
        --------
        >>> from stakes import decision_curve, score_table
        >>> curve = decision_curve(score_table(y=[0, 1], score=[0.25, 0.5]))
        >>> curve.at([0.2, 0.4]).tolist()  # 1/2 - 1/4 * 1/2; then the negative is left alone
        [0.375, 0.5]
        """
        return self.before(x) if self.at_jump == "before" else self.after(x)

    def before(self, x: npt.ArrayLike) -> FloatArray:
        """Return the value just before `x`, which at a jump is the value it jumps from.

        Parameters
        ----------
        x : array-like
            Points at which to evaluate.

        Returns
        -------
        ndarray of float64
            The values, in the shape of `x`; nan outside the curve.

        Examples
        --------
        >>> from stakes.curves import Curve
        >>> float(Curve([0, 1, 1, 2], [0, 0, 1, 1], "x", "y").before(1))
        0.0
        """
        return _pieces.evaluate(self.x, self.y, self.weight, np.asarray(x, dtype=np.float64), "left")

    def after(self, x: npt.ArrayLike) -> FloatArray:
        """Return the value just after `x`, which at a jump is the value it jumps to.

        Parameters
        ----------
        x : array-like
            Points at which to evaluate.

        Returns
        -------
        ndarray of float64
            The values, in the shape of `x`; nan outside the curve.

        Examples
        --------
        >>> from stakes import regret_curve, score_table
        >>> curve = regret_curve(score_table(y=[0, 1], score=[0.25, 0.5]))
        >>> curve.at(0.5).tolist(), curve.after(0.5).tolist()
        (0.0, 0.25)
        """
        return _pieces.evaluate(self.x, self.y, self.weight, np.asarray(x, dtype=np.float64), "right")

    def area(self) -> float:
        """Return the exact area under the curve, also under pieces that are not linear.

        Returns
        -------
        float
            Integral of y over the whole range of x.

        Examples
        --------
        >>> from stakes import brier_score, score_table
        >>> from stakes.curves import brier_curve
        >>> table = score_table(y=[0, 1], score=[0.25, 0.5])
        >>> brier_curve(table).area() == brier_score(table)
        True
        """
        return _pieces.area(self.x, self.y, self.weight)

    def between(self, low: float, high: float) -> Curve:
        """Return the part of the curve from `low` to `high`, with a point at each end.

        Parameters
        ----------
        low, high : float
            Range of x, `low` less than `high`; clipped to the range of the curve.

        Returns
        -------
        Curve
            The part; a jump at `low` is kept.

        Examples
        --------
        >>> from stakes import decision_curve, score_table
        >>> part = decision_curve(score_table(y=[0, 1], score=[0.25, 0.5])).between(0.1, 0.3)
        >>> part.x.tolist()
        [0.1, 0.25, 0.25, 0.3]
        """
        ends = _check.ordered_bounds(_check.number("low", low), _check.number("high", high))
        if ends[1] < self.x[0] or ends[0] > self.x[-1]:
            raise InputError(
                ("low", "high"),
                f"meet the curve, which runs from {self.x[0]:g} to {self.x[-1]:g}",
                f"{ends[0]:g} to {ends[1]:g}",
            )
        rows, x = _pieces.window(self.x, *ends)
        y, weight = self.y[rows].copy(), None if self.weight is None else self.weight[rows].copy()
        for end in (0, -1):
            if x[end] != self.x[rows][end]:
                y[end] = self.at(x[end])
                if self.weight is not None and weight is not None:
                    weight[end] = _pieces.evaluate(self.x, self.weight, None, x[end], "left")
        return self._with(x, y, self.threshold[rows], weight)

    def simplify(self, tolerance: float) -> Curve:
        """Return the curve with fewer points, within a tolerance, for drawing a large table.

        Parameters
        ----------
        tolerance : float
            Largest change of the value at any x; greater than 0.

        Returns
        -------
        Curve
            A subset of the points with the first and the last; jumps larger than the tolerance are kept.

        Examples
        --------
        >>> import numpy as np
        >>> from stakes.curves import Curve
        >>> x = np.linspace(0, 1, 1001)
        >>> small = Curve(x, x**2, "x", "y").simplify(0.001)
        >>> len(small) < 100, bool(np.abs(small.at(x) - x**2).max() <= 0.001)
        (True, True)
        """
        keep = _pieces.rows_to_keep(self.x, self.y, self.weight, _check.number_above("tolerance", tolerance))
        return self._with(
            self.x[keep], self.y[keep], self.threshold[keep], None if self.weight is None else self.weight[keep]
        )

    def polyline(
        self, tolerance: float, *, low: float = -np.inf, high: float = np.inf, any_axis: bool = False
    ) -> tuple[FloatArray, FloatArray]:
        """Return points to join by straight lines: those of the curve, and more where it is not linear.

        Parameters
        ----------
        tolerance : float
            Largest distance of the lines from the curve, in y; greater than 0.
        low, high : float, keyword-only
            Range of y to be drawn; outside it a curved piece may be replaced by a line. Unlimited unless given.
        any_axis : bool, keyword-only
            Whether x may be drawn on any increasing scale, such as log-odds, on which a line is curved; false unless
            given.

        Returns
        -------
        x, y : ndarray of float64
            The points.

        Examples
        --------
        >>> from stakes import score_table, treat_all
        >>> line = treat_all(score_table(y=[0, 1], score=[0.25, 0.5])).between(0, 0.75)
        >>> [len(line.polyline(tolerance)[0]) for tolerance in (0.1, 0.01, 0.001)]
        [5, 11, 32]
        """
        close = _check.number_above("tolerance", tolerance)
        return _pieces.polyline(self.x, self.y, self.weight, close, (low, high), any_axis)

    def to_frame(self) -> pd.DataFrame:
        """Return the points as a data frame.

        Returns
        -------
        pandas.DataFrame
            Columns `x`, `y` and `threshold`, one row per point; also `weight` if the curve has one.

        Examples
        --------
        >>> from stakes.curves import Curve
        >>> Curve([0, 1], [0, 2], "cost proportion", "regret", threshold=[0.0, 1.0]).to_frame()
             x    y  threshold
        0  0.0  0.0        0.0
        1  1.0  2.0        1.0
        """
        try:
            import pandas as pd
        except ImportError:
            raise MissingPackageError("pandas", "pandas", "to make a data frame", "`Curve.to_frame`") from None
        columns = {"x": self.x, "y": self.y, "threshold": self.threshold}
        return pd.DataFrame(columns if self.weight is None else columns | {"weight": self.weight})

    def _with(self, x: FloatArray, y: FloatArray, threshold: FloatArray, weight: FloatArray | None) -> Curve:
        labels = (self.x_label, self.y_label)
        return Curve(x, y, *labels, threshold, weight=weight, better=self.better, at_jump=self.at_jump)


def _read_only(name: str, values: npt.ArrayLike) -> FloatArray:
    column = np.asarray(values, dtype=np.float64).view()
    if column.ndim != 1:
        raise InputError(name, "be one-dimensional", f"shape {column.shape}")
    column.flags.writeable = False
    return column

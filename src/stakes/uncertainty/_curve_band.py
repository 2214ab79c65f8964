"""Records of the bands of curves, their places, and the reach of a simultaneous one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from stakes._arrays import FloatArray
from stakes._wording import describe_method, show_places

BandMethod: TypeAlias = Literal["honest", "spline", "consistency"]
_PLACES = 257  # at which the band of a curve with more points is computed


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Band:
    """A curve at some places, with its pointwise and simultaneous confidence bands.

    Attributes
    ----------
    x : ndarray of float64
        The places, in units of the curve's *x*.
    estimate : ndarray of float64
        The curve of the sample, exact.
    lower, upper : ndarray of float64
        The pointwise band, which has the level at each place by itself.
    lower_everywhere, upper_everywhere : ndarray of float64
        The simultaneous band, which has the level at all places together.
    x_label, y_label : str
        The labels of the axes.
    level : float
        The confidence level of both bands.
    caution : str
        The reason not to trust the level, if the sample is small; else empty.

    Examples
    --------
    >>> from stakes import Cases, band, decision_curve
    >>> cases = Cases([0, 1, 1, 0] * 5, {"a": [0.1, 0.8, 0.9, 0.2] * 5})
    >>> result = band(cases, decision_curve, x=[0.3, 0.5], rng=1)["a"]
    >>> result
    Band(net benefit (true positives per case) at 2 places from 0.3 to 0.5, level 0.95)
    >>> result.estimate.tolist()
    [0.5, 0.5]
    """

    x: FloatArray
    estimate: FloatArray
    lower: FloatArray
    upper: FloatArray
    lower_everywhere: FloatArray
    upper_everywhere: FloatArray
    x_label: str
    y_label: str
    level: float
    caution: str = ""

    @property
    def is_stepped(self) -> bool:
        """Whether ends hold up to the next place (lower) and from the last (upper), instead of straight lines."""
        return False

    def __repr__(self) -> str:
        places = show_places(self.x.tolist())
        return f"Band({self.y_label} at {places}, {describe_method(f'level {self.level:g}', self.caution)})"


@dataclass(frozen=True, slots=True)
class MiscalibratedRange:
    """Scores between which a model is miscalibrated, at the level of the band that says so.

    Attributes
    ----------
    from_score, to_score : float
        The ends of the range.
    scores : str
        Whether the scores are "too low" there, since more cases are positive than they say, or "too high".

    Examples
    --------
    >>> from stakes.uncertainty import MiscalibratedRange
    >>> print(MiscalibratedRange(0.25, 0.4, "too low"))
    miscalibrated between 0.25 and 0.4: scores too low
    """

    from_score: float
    to_score: float
    scores: Literal["too low", "too high"]

    def __str__(self) -> str:
        return f"miscalibrated between {self.from_score:.4g} and {self.to_score:.4g}: scores {self.scores}"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class CalibrationBand(Band):
    """A calibration curve with its confidence band, and the scores at which the diagonal leaves it.

    It is a `Band`, and drawn as one.

    Attributes
    ----------
    x : ndarray of float64
        The places, which are scores.
    estimate : ndarray of float64
        The calibration curve of the sample: isotonic, or the spline; the diagonal for consistency.
    lower, upper : ndarray of float64
        The band: simultaneous for honest and spline, pointwise for consistency.
    lower_everywhere, upper_everywhere : ndarray of float64
        The simultaneous band: the same, but for consistency.
    x_label, y_label : str
        The labels of the axes.
    level : float
        The confidence level.
    caution : str
        What to know about the level, and where the band contradicts what it assumes; else empty.
    method : str
        How the band was computed: honest, spline or consistency (see `calibration_band`).
    miscalibrated : tuple of MiscalibratedRange
        Where the diagonal is outside the band, in ascending order: the level is that of all these claims together.
        Always empty for consistency, which is not a test.

    Examples
    --------
    >>> from stakes import Cases
    >>> from stakes.uncertainty import calibration_band
    >>> cases = Cases([0] * 40 + [1] * 60, {"timid": [0.1] * 50 + [0.4] * 50})
    >>> result = calibration_band(cases)["timid"]
    >>> result
    CalibrationBand(share of positives at 2 places from 0.1 to 0.4, honest, level 0.95)
    >>> result.lower.round(3).tolist(), result.upper.round(3).tolist()
    ([0.085, 0.909], [0.368, 1.0])
    >>> print(*result.miscalibrated)
    miscalibrated between 0.4 and 0.4: scores too low
    """

    method: BandMethod = "honest"
    miscalibrated: tuple[MiscalibratedRange, ...] = ()

    @property
    def is_stepped(self) -> bool:
        """Whether ends hold up to the next place (lower) and from the last (upper), as in the honest band."""
        return self.method == "honest"

    def __repr__(self) -> str:
        method = describe_method(f"{self.method}, level {self.level:g}", self.caution)
        return f"CalibrationBand({self.y_label} at {show_places(self.x.tolist())}, {method})"


def places_of(own: FloatArray, *, is_bent: bool = False) -> FloatArray:
    """Return the points of a curve: some of many, and more between few of a bent one."""
    distinct = np.unique(own)
    if is_bent and 0 < len(distinct) < _PLACES:  # straight lines between its points would leave the curve
        return np.union1d(distinct, np.linspace(distinct[0], distinct[-1], _PLACES))
    if len(distinct) <= _PLACES:
        return distinct
    return distinct[np.linspace(0, len(distinct) - 1, _PLACES).astype(np.intp)]


def reach_everywhere(values: FloatArray, estimate: FloatArray, level: float) -> FloatArray:
    """Return half the width of the simultaneous band at each place."""
    deviation: FloatArray = np.nanstd(values, axis=0)
    moving = deviation > 0
    if not moving.any():
        return deviation
    farthest = np.nanmax(np.abs(values[:, moving] - estimate[moving]) / deviation[moving], axis=1)
    reach: FloatArray = np.nanquantile(farthest, level) * deviation
    return reach

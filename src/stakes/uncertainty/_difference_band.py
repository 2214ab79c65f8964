"""The band of the difference between two decision curves."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Self

import numpy as np
import numpy.typing as npt

from stakes import _check, _columns
from stakes._arrays import FloatArray
from stakes._case_columns import short
from stakes._errors import InputError
from stakes._wording import describe_method, show_places
from stakes.beliefs import as_share
from stakes.cases import Cases, horizons_of
from stakes.uncertainty._answers import FEWEST_WITH_HALF_CASES, caution, check_cases, check_one_table
from stakes.uncertainty._apart import ActedApart
from stakes.uncertainty._ends import single_deviate
from stakes.uncertainty._half_cases_at_places import Deviate, HalfCases, simultaneous_deviate

X_LABEL, Y_LABEL = "cost proportion of a false alarm", "difference in net benefit (true positives per case)"
_STEPS = 100  # of a range of costs


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class DifferenceBand:
    """The difference between two decision curves at some places, with its confidence bands.

    Attributes
    ----------
    a, b : str
        The names of the models.
    x : ndarray of float64
        The places: cost proportions, each with itself as the threshold.
    estimate : ndarray of float64
        The net benefit of `a` minus that of `b` in the sample, exact.
    lower, upper : ndarray of float64
        The pointwise band, which has the level at each place by itself.
    lower_everywhere, upper_everywhere : ndarray of float64
        The simultaneous band, which has the level at all places together.
    x_label, y_label : str
        The labels of the axes.
    level : float
        The confidence level of both bands.
    deviate, deviate_error : float
        The deviate of the simultaneous band, and its standard error; 0 where it is exact or given.
    caution : str
        The reason not to trust the level, if the sample is small; else empty.

    Examples
    --------
    >>> from stakes import Cases
    >>> from stakes.uncertainty import difference_band
    >>> cases = Cases([0, 1, 1, 0] * 5, {"a": [0.1, 0.8, 0.9, 0.2] * 5, "b": [0.1, 0.4, 0.9, 0.2] * 5})
    >>> result = difference_band(cases, "a", "b", x=[0.3, 0.5])
    >>> result
    DifferenceBand(a - b at 2 places from 0.3 to 0.5, level 0.95)
    >>> result.estimate.tolist()
    [0.0, 0.25]
    """

    a: str
    b: str
    x: FloatArray
    estimate: FloatArray
    lower: FloatArray
    upper: FloatArray
    lower_everywhere: FloatArray
    upper_everywhere: FloatArray
    x_label: str
    y_label: str
    level: float
    deviate: float
    deviate_error: float
    caution: str = ""

    def __repr__(self) -> str:
        places = show_places(self.x.tolist())
        names = f"{short(self.a)} - {short(self.b)}"
        return f"DifferenceBand({names} at {places}, {describe_method(f'level {self.level:g}', self.caution)})"


def difference_band(
    cases: Cases,
    a: str,
    b: str,
    *,
    x: npt.ArrayLike | None = None,
    level: float | str = 0.95,
    deviate: float | None = None,
) -> DifferenceBand:
    r"""Return the difference between the decision curves of two models, with confidence bands.

    At each cost proportion *c* the difference is :math:`D(c) = NB_a(c) - NB_b(c)`, above 0 where `a` is better; minus
    :math:`(1 - c)\,D(c)` is the difference in regret, so the sign is the same on either scale. The pointwise band has
    the interval of `compare` at each place: half a case more than was seen of each kind, positives and negatives that
    `a` alone or `b` alone acts on. The simultaneous band is the same interval with the normal deviate *z* replaced by

    .. math:: q: \quad P(\max_k |N_k| \le q) = \text{level}, \quad N \sim \mathcal N(0, C),

    with *C* the correlation of the differences at all places, from the influence of the cases. It covers the true
    difference at all places together with the confidence level. Read it for any conclusion about more than one cost:
    where it lies above 0 `a` is better, where below `b` is, and elsewhere the sample cannot say.

    Nothing is drawn: *q* comes from 8,192 fixed points, and `deviate_error` says how exact it is, about 0.01 for 100
    places. With weights and with clusters the intervals are those of `compare`, and with clusters *q* is that of
    Student's law. The covariance at all places takes no more than one pass over the cases. Of censored outcomes it
    includes what each case moves through the weights of others; of more than 50,000 of them that are independent, it is
    that of a fixed sample.

    Parameters
    ----------
    cases : Cases
        The sample, scores being probabilities. Cases are independent, or come in independent clusters.
    a, b : str
        The names of two models.
    x : array-like, keyword-only, optional
        The places, strictly between 0 and 1, chosen before looking at the data; 1%, 2%, ..., 99% unless given. The
        fewer and the closer together, the narrower the simultaneous band.
    level : float or words, such as "90%", keyword-only
        Confidence level, strictly between 0 and 1.
    deviate : float, keyword-only, optional
        The deviate *q*; computed unless given.

    Returns
    -------
    DifferenceBand
        The difference and both bands; ``nan`` ends where there is a single case or cluster.

    References
    ----------
    .. [1] G. Y. Zou and A. Donner (2008), "Construction of confidence limits about effect measures: a general
       approach", Statistics in Medicine 27(10), 1693-1702.
    .. [2] J. L. Montiel Olea and M. Plagborg-Møller (2019), "Simultaneous confidence bands: theory, implementation, and
       an application to SVARs", Journal of Applied Econometrics 34(1), 1-17.

    Examples
    --------
    >>> from stakes import Cases
    >>> from stakes.datasets import load_cohort
    >>> from stakes.uncertainty import difference_band
    >>> cohort = load_cohort()
    >>> cases = Cases(cohort["cancer"], {"marker": cohort["cancerpredmarker"], "family": cohort["famhistory"]})
    >>> band = difference_band(cases, "marker", "family", x=[0.05, 0.1, 0.2, 0.3])
    >>> band.estimate.round(3).tolist()
    [0.08, 0.069, 0.066, 0.075]
    >>> bool((band.lower_everywhere > 0).all())  # better at all four costs
    True
    """
    check_cases(cases)
    check_one_table(cases, "the band of a difference")
    confidence = as_share("level", level, open_ends=True)
    _check_models(cases, a, b)
    places = places_of(0.0, 1.0) if x is None else _as_places(x)
    given = None if deviate is None else Deviate(_check.number_above("deviate", deviate), 0.0)
    return PairAtPlaces.of(cases, a, b, places).band(confidence, given)


def difference_band_if(
    worth: Callable[[DifferenceBand], bool], cases: Cases, a: str, b: str, *, x: FloatArray, level: float
) -> DifferenceBand | None:
    """Return the band if its pointwise part is worth a simultaneous one, and None otherwise.

    The simultaneous band is never narrower, so what no single place tells needs no search for its deviate.
    """
    if horizons_of(cases):
        return None
    pair = PairAtPlaces.of(cases, a, b, x)
    glance = pair.band(level, Deviate(single_deviate(level, pair.apart.freedom), 0.0))
    return pair.band(level) if worth(glance) else None


@dataclass(frozen=True)
class PairAtPlaces:
    """Two models on the same cases, added up once at some places for any number of bands."""

    names: tuple[str, str]
    places: FloatArray
    inverse: npt.NDArray[np.intp]  # of each place among the distinct ones
    apart: ActedApart
    kinds: HalfCases
    caution: str
    known: dict[float, tuple[FloatArray, FloatArray]] = field(default_factory=dict)  # ends, by deviate

    @classmethod
    def of(cls, cases: Cases, a: str, b: str, places: FloatArray) -> Self:
        """Add up the cases."""
        distinct, inverse = np.unique(places, return_inverse=True)
        apart = ActedApart.of(cases, a, b, distinct)
        return cls((a, b), places, inverse, apart, apart.half_cases(), caution(cases, fewest=FEWEST_WITH_HALF_CASES))

    def band(self, level: float, deviate: Deviate | None = None) -> DifferenceBand:
        """Return the band with this deviate, or with that of the simultaneous band."""
        found = _deviate(self.apart, level) if deviate is None else deviate
        return DifferenceBand(
            *self.names,
            self.places,
            self.apart.estimate[self.inverse],
            *self._ends(single_deviate(level, self.apart.freedom)),
            *self._ends(found.value),
            X_LABEL,
            Y_LABEL,
            level,
            *found,
            self.caution,
        )

    def _ends(self, deviate: float) -> tuple[FloatArray, FloatArray]:
        if deviate not in self.known:
            lower, upper = self.kinds.ends(deviate)
            self.known[deviate] = lower[self.inverse], upper[self.inverse]
        return self.known[deviate]


def places_of(low: float, high: float) -> FloatArray:
    """Return the places of a range, a hundredth of it apart; neither 0 nor 1 is one."""
    exact = np.linspace(low, high, _STEPS + 1)
    places = np.round(exact, 14)  # as a score with few digits is written
    places[[0, -1]] = low, high
    if not (np.diff(places) > 0).all():
        places = exact
    return places[(places > 0) & (places < 1)]


def _deviate(apart: ActedApart, level: float) -> Deviate:
    """Return the deviate of the simultaneous band; the scale of regret keeps the places comparable."""
    scale = 1 - apart.places
    return simultaneous_deviate(apart.covariance * np.outer(scale, scale), level, apart.freedom)


def _as_places(x: npt.ArrayLike) -> FloatArray:
    """Return places as an array of cost proportions."""
    places = _columns.scores("x", np.atleast_1d(x)).astype(np.float64)
    outside = (places <= 0) | (places >= 1)
    if outside.any():
        row = int(outside.argmax())
        raise InputError("x", "lie strictly between 0 and 1", _check.show(places[row]), row=row)
    return places


def _check_models(cases: Cases, a: str, b: str) -> None:
    """Raise unless these are two models whose scores are probabilities."""
    for name, model in (("a", a), ("b", b)):
        table = cases.table(_check.choice(name, model, cases.models))
        _columns.check_probability_scores(table.lowest, table.highest)
    if a == b:
        raise InputError(("a", "b"), "name two models", f"{_check.show(a)} for both")

"""Confidence bands of a curve, pointwise and simultaneous."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from stakes import _check, _columns
from stakes._arrays import FloatArray
from stakes._check import Seed
from stakes._errors import InputTypeError
from stakes.cases import Cases, horizons_of
from stakes.curves import Curve, calibration_curve
from stakes.table import ScoreTable
from stakes.uncertainty._answers import as_level, caution, check_cases
from stakes.uncertainty._calibration_band import calibration_band
from stakes.uncertainty._curve_band import Band, places_of, reach_everywhere
from stakes.uncertainty._horizon_plans import parts_of
from stakes.uncertainty._replicates import with_progress
from stakes.uncertainty._resample import Plan, plan


def band(
    cases: Cases,
    curve: Callable[[ScoreTable], Curve],
    *,
    x: npt.ArrayLike | None = None,
    level: float | str = 0.95,
    n_resamples: int = 2000,
    rng: Seed = None,
    by_class: bool = False,
    exact: bool = False,
) -> dict[str, Band]:
    r"""Return pointwise and simultaneous confidence bands of any curve of a table, for every model.

    Both come from the same replicates. The pointwise band has their quantiles at each *x*. The simultaneous one is

    .. math:: \hat f(x) \pm q\,\hat\sigma(x), \quad q \text{ the quantile of } \max_x |f^*(x) - \hat f(x)|/\hat\sigma(x)

    with :math:`\hat\sigma(x)` the standard deviation of the replicates :math:`f^*`. It covers the whole true curve with
    the confidence level, so use it for a conclusion about the whole curve, such as "better at every cost". With several
    horizons the curve is the mean of those at each, by their shares.

    Resampling fails for `calibration_curve`, an isotonic fit: its band would miss the truth somewhere in most samples.
    So that curve has the honest band of `calibration_band`, which needs no replicates, seed or design.

    Parameters
    ----------
    cases : Cases
        The sample. Cases are independent, or come in independent clusters.
    curve : callable
        A function of a table that returns a `Curve`, such as `decision_curve`.
    x : array-like, keyword-only, optional
        The places; by default the curve's own points, or 257 of them where there are more. Between few points that
        no straight lines join, as in net benefit, 257 evenly spaced places are added.
    level : float or words, such as "90%", keyword-only
        Confidence level, strictly between 0 and 1.
    n_resamples : int, keyword-only
        Number of resamples, at least 100.
    rng : int, Generator or SeedSequence, keyword-only, optional
        Seed or generator; the same seed gives the same numbers.
    by_class : bool, keyword-only
        Whether each resample keeps the number of positives, as when a study fixed it by design.
    exact : bool, keyword-only
        Whether to resample all rows of tables with more than 8192, instead of 512 coarse ones.

    Returns
    -------
    dict of str to Band
        The bands of each model; ``nan`` where the curve is.

    References
    ----------
    .. [1] J. L. Montiel Olea and M. Plagborg-Møller (2019), "Simultaneous confidence bands: theory, implementation, and
       an application to SVARs", Journal of Applied Econometrics 34(1), 1-17.

    Examples
    --------
    >>> from stakes import Cases, band, decision_curve
    >>> from stakes.datasets import load_cohort
    >>> cohort = load_cohort()
    >>> cases = Cases(cohort["cancer"], {"marker": cohort["cancerpredmarker"]})
    >>> result = band(cases, decision_curve, x=[0.1, 0.2], n_resamples=500, rng=1)["marker"]
    >>> result.estimate.round(3).tolist()
    [0.087, 0.067]
    >>> bool((result.lower_everywhere < result.lower).all())
    True
    """
    check_cases(cases)
    _check.check_callable("curve", curve, of="a table")
    confidence = as_level(level, n_resamples)
    if curve is calibration_curve:
        return dict(calibration_band(cases, level=confidence, x=x, exact=exact))
    streams = _check.generator(rng).spawn(len(cases.models))
    bands = {
        name: _band(
            curve,
            cases,
            name,
            plan(cases, (name,), by_class=by_class, exact=exact),
            x,
            confidence,
            n_resamples,
            stream,
        )
        for name, stream in zip(cases.models, streams, strict=True)
    }
    return {name: replace(one, caution=caution(cases)) for name, one in bands.items()}


def _evaluate_curve(curve: Callable[[ScoreTable], Curve], table: ScoreTable) -> Curve:
    """Return the curve of a table; raise unless it is a Curve."""
    result = curve(table)
    if not isinstance(result, Curve):
        raise InputTypeError("curve", "return a Curve", type(result).__name__)
    return result


def _mean_at(
    places: FloatArray, curve: Callable[[ScoreTable], Curve], tables: Iterable[tuple[float, ScoreTable]]
) -> FloatArray:
    """Return a curve at some places, the mean over the tables of several horizons by their shares."""
    return np.asarray(sum(share * curve(table).at(places) for share, table in tables))


def _band(
    curve: Callable[[ScoreTable], Curve],
    cases: Cases,
    name: str,
    units: Plan,
    x: npt.ArrayLike | None,
    level: float,
    n_resamples: int,
    rng: np.random.Generator,
) -> Band:
    on_sample = _evaluate_curve(curve, cases.table(name))
    if x is None:
        places = places_of(on_sample.x, is_bent=on_sample.weight is not None)
    else:
        places = _columns.scores("x", np.atleast_1d(x)).astype(np.float64)
    (model,), values = units.models, np.zeros((n_resamples, len(places)))
    each = [(share, cases.table(name, horizon=time)) for time, share in horizons_of(cases).items()]
    estimate = _mean_at(places, curve, each or [(1.0, cases.table(name))])
    done = 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # replicates of one class, and places without a value
        for counts in with_progress(units.blocks(n_resamples, rng), n_resamples):
            for share, part, here in parts_of(model, counts):
                for row, replicate in enumerate(part.tables(here), done):
                    values[row] += share * curve(replicate).at(places)
            done += len(counts)
        if model.group is not None:
            coarse = [(share, part.table) for share, part, _ in parts_of(model, units.sample[None])]
            values += estimate - _mean_at(places, curve, coarse)
        low, high = np.nanquantile(values, [(1 - level) / 2, (1 + level) / 2], axis=0)
        reach = reach_everywhere(values, estimate, level)
    everywhere, labels = (estimate - reach, estimate + reach), (on_sample.x_label, on_sample.y_label)
    return Band(places, estimate, low, high, *everywhere, *labels, level)

"""Calibration bands: the true share of positives at each score, or where a calibrated model would lie."""

from __future__ import annotations

import math
from collections.abc import Sequence
from copy import deepcopy

import numpy as np
import numpy.typing as npt

from stakes import _check, _columns
from stakes._arrays import BoolArray, FloatArray
from stakes._cases_alike import with_ordinary_weights
from stakes._check import Seed
from stakes.cases import Cases
from stakes.curves import calibration_curve
from stakes.table import frozen_table
from stakes.uncertainty._answers import as_level, caution, check_all_known, check_cases, check_one_table
from stakes.uncertainty._calibration_methods import HonestBounds, fit_spline
from stakes.uncertainty._chance_floor import drawn_outcomes
from stakes.uncertainty._curve_band import BandMethod, CalibrationBand, MiscalibratedRange, places_of, reach_everywhere
from stakes.uncertainty._resample import plan

_LABELS = ("score", "share of positives")


def calibration_band(
    cases: Cases,
    *,
    level: float | str = 0.95,
    method: BandMethod = "honest",
    x: npt.ArrayLike | None = None,
    n_resamples: int = 500,
    rng: Seed = None,
    exact: bool = False,
) -> dict[str, CalibrationBand]:
    r"""Return a confidence band of the calibration curve of every model: the share of positives by score.

    The *honest* band [1]_ assumes only that the share of positives does not fall with the score. With *N* distinct
    scores and :math:`a = \alpha / (N(N+1))`, every run of neighbouring scores with *S* cases, *K* of them positive, has
    exact binomial bounds, and

    .. math:: \text{lower}(s) = \max_{\text{runs up to } s} B^{-1}_{K, S-K+1}(a), \quad
              \text{upper}(s) = \min_{\text{runs from } s} B^{-1}_{K+1, S-K}(1 - a)

    with :math:`B^{-1}` the quantile of a beta distribution. It holds in samples of any size, at all scores together, so
    that wherever the diagonal leaves it the model is miscalibrated: `miscalibrated` has these ranges. Beyond 200
    distinct scores they are rounded to hundredths, up for the lower bound and down for the upper. That keeps the level,
    and fewer runs make the band narrower, unless all scores lie within a few hundredths. A lower end above the upper
    one is left as it is and said in `caution`: there the share of positives does fall. A resampled band of the same
    curve would miss the truth somewhere in most samples.

    The *spline* band is half as wide, but holds only for smooth curves: logistic regression on a restricted cubic
    spline of the log-odds of the score, with knots at their quantiles 0.05, 0.35, 0.65 and 0.95, and
    :math:`\hat\eta \pm \sqrt{\chi^2_p}\,\text{se}(\hat\eta)` for the log-odds (Scheffé), *p* being the number of
    coefficients.

    The *consistency* band is about the diagonal: where the isotonic curve of a calibrated model with such scores would
    lie at each score, from drawn outcomes [2]_. It shows the scatter to expect, but it is not a test: a perfect model
    leaves it somewhere in most samples. For a test see `chance` of `miscalibration`.

    Weights enter the honest band by Kish's effective number of cases in each run, and in clusters a cluster counts as
    one case in each run, as if its cases were copies. Both are approximate, the second also wide, and `caution` says
    so. The spline has the sandwich variance of cases or of clusters. It is the one band for censored outcomes
    (`EventBy`): its variance includes what each case moves through the weights of others, while exact bounds and drawn
    outcomes need known ones.

    Parameters
    ----------
    cases : Cases
        The sample, with scores that are probabilities; for a spline, strictly between 0 and 1.
    level : float or words, such as "90%", keyword-only
        Confidence level, strictly between 0 and 1.
    method : str, keyword-only
        One of honest, spline and consistency.
    x : array-like, keyword-only, optional
        The scores at which to give the band; by default those at which it changes, or some of the distinct scores.
    n_resamples : int, keyword-only
        Number of draws for consistency, at least 100.
    rng : int, Generator or SeedSequence, keyword-only, optional
        Seed or generator for consistency; the same seed gives the same numbers.
    exact : bool, keyword-only
        Whether the honest band has all distinct scores of a larger sample, which takes a time that grows with the
        square of their number; for consistency, whether to draw for all rows of tables with more than 8192.

    Returns
    -------
    dict of str to CalibrationBand
        The band of each model; ``nan`` where a spline has no fit, since there is one class or the scores separate
        the two.

    References
    ----------
    .. [1] T. Dimitriadis, L. Dümbgen, A. Henzi, M. Puke and J. Ziegel (2023), "Honest calibration assessment for binary
       outcome predictions", Biometrika 110(3), 663-680.
    .. [2] T. Dimitriadis, T. Gneiting and A. I. Jordan (2021), "Stable reliability diagrams for probabilistic
       classifiers", PNAS 118(8), e2016191118.

    Examples
    --------
    Scores that are half of what they should be:

    >>> import numpy as np
    >>> from stakes import Cases
    >>> from stakes.uncertainty import calibration_band
    >>> rng = np.random.default_rng(1)
    >>> risk = rng.beta(2, 5, 2000)
    >>> cases = Cases(rng.random(2000) < risk, {"right": risk, "halved": risk / 2})
    >>> result = calibration_band(cases)
    >>> result["right"].miscalibrated
    ()
    >>> print(*result["halved"].miscalibrated, sep="\n")
    miscalibrated between 0.12 and 0.1258: scores too low
    miscalibrated between 0.13 and 0.4101: scores too low
    """
    check_cases(cases)
    chosen = _check.choice("method", method, ("honest", "spline", "consistency"))
    if chosen == "spline":
        check_one_table(cases, "a calibration band")
    else:
        hint = 'use `calibration_band(cases, method="spline")`'
        check_all_known(cases, f"the {chosen} calibration band", hint)
    confidence, generator = as_level(level, n_resamples), _check.generator(rng)
    places = None if x is None else _columns.scores("x", np.atleast_1d(x)).astype(np.float64)
    for name in cases.models:
        _columns.check_probability_scores(cases.table(name).lowest, cases.table(name).highest)
    cases = with_ordinary_weights(cases)
    if chosen == "honest":
        return {name: _honest(cases, name, confidence, places, exact=exact) for name in cases.models}
    if chosen == "spline":
        return {name: _spline(cases, name, confidence, places) for name in cases.models}
    (stream,) = generator.spawn(1)
    # Every model has the same draws, so that the same scores have the same band.
    return {
        name: _consistency(cases, name, confidence, places, n_resamples, deepcopy(stream), exact)
        for name in cases.models
    }


def _record(
    x: FloatArray,
    bands: Sequence[FloatArray],
    level: float,
    method: BandMethod,
    doubt: str = "",
    found: Sequence[MiscalibratedRange] = (),
) -> CalibrationBand:
    """Return the record of an estimate and of one or two bands, each its lower and its upper end."""
    estimate, lower, upper = bands[:3]
    ranges = tuple(sorted(found, key=lambda one: one.from_score))
    return CalibrationBand(x, estimate, lower, upper, bands[-2], bands[-1], *_LABELS, level, doubt, method, ranges)


def _honest(cases: Cases, name: str, level: float, x: FloatArray | None, *, exact: bool) -> CalibrationBand:
    """Return the honest band of one model."""
    table, bounds = cases.table(name), HonestBounds.of(cases, name, level, exact=exact)
    ends = table.lowest, table.highest
    own = bounds.places(*ends)
    places = own if x is None else x
    found = [MiscalibratedRange(*pair, "too low") for pair in bounds.too_low(*ends)]
    found += [MiscalibratedRange(*pair, "too high") for pair in bounds.too_high(*ends)]
    doubt = _honest_caution(cases, own, np.greater(*bounds.at(own)))
    return _record(places, (calibration_curve(table).at(places), *bounds.at(places)), level, "honest", doubt, found)


def _honest_caution(cases: Cases, place: FloatArray, crossed: BoolArray) -> str:
    """Return what to know about the level of an honest band, and where it contradicts what it assumes."""
    said = []
    if cases.cluster is not None:
        said.append("a cluster counts as one case in every run of scores, which is approximate and wide")
    elif cases.weight is not None and np.ptp(cases.weight) > 0:
        said.append("weights count by Kish's effective number in every run of scores, which is approximate")
    if crossed.any():
        low, high = place[crossed][[0, -1]]
        said.append(
            f"the lower end is above the upper one between {low:.4g} and {high:.4g}, "
            "so the share of positives does not rise with the score there"
        )
    return "; ".join(said)


def _spline(cases: Cases, name: str, level: float, x: FloatArray | None) -> CalibrationBand:
    """Return the spline band of one model."""
    table = cases.table(name)
    places = places_of(table.score) if x is None else x
    fit = fit_spline(cases, name)
    if fit is None:
        why = "the scores separate the classes" if 0 < table.prevalence < 1 else "only one class"
        return _record(places, [np.full(len(places), math.nan)] * 3, level, "spline", f"no fit: {why}")
    _, low, high = fit.at(table.score, level)
    found = [MiscalibratedRange(*pair, "too low") for pair in _stretches(table.score, low > table.score)]
    found += [MiscalibratedRange(*pair, "too high") for pair in _stretches(table.score, high < table.score)]
    return _record(places, fit.at(places, level), level, "spline", caution(cases), found)


def _stretches(score: FloatArray, outside: BoolArray) -> list[tuple[float, float]]:
    """Return the first and the last score of each stretch of neighbouring scores outside a band."""
    change = np.flatnonzero(np.diff(np.concatenate([[False], outside, [False]])))
    return [(float(score[first]), float(score[stop - 1])) for first, stop in change.reshape(-1, 2)]


def _consistency(
    cases: Cases, name: str, level: float, x: FloatArray | None, n_resamples: int, rng: np.random.Generator, exact: bool
) -> CalibrationBand:
    """Return where the isotonic curve of a calibrated model with the scores of this one would lie."""
    table, (model,) = cases.table(name), plan(cases, (name,), exact=exact).models
    score, total = model.table.score, model.table.positive + model.table.negative
    places = places_of(table.score) if x is None else x
    inside = np.clip(places, model.table.lowest, model.table.highest)
    outcomes = drawn_outcomes(cases, name, model, score, rng)
    values = np.empty((n_resamples, len(places)))
    for row in values:
        drawn = next(outcomes)
        row[:] = calibration_curve(frozen_table(score, drawn, np.maximum(total - drawn, 0.0))).at(inside)
    ends = np.quantile(values, [(1 - level) / 2, (1 + level) / 2], axis=0)
    outside = (places < table.lowest) | (places > table.highest)
    reach = np.full(len(places), math.nan)
    reach[~outside] = reach_everywhere(values[:, ~outside], places[~outside], level)
    bands = (places, *ends, np.maximum(places - reach, 0.0), np.minimum(places + reach, 1.0))
    doubt = "cases of a cluster were drawn as if independent" if cases.cluster is not None else ""
    return _record(places, [np.where(outside, math.nan, one) for one in bands], level, "consistency", doubt)

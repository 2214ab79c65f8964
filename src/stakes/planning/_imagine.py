"""Cases before there are any: imagined from a prevalence and the AUC of each model."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from scipy import special

from stakes import _check
from stakes._arrays import FloatArray
from stakes._errors import InputError, InputTypeError
from stakes.beliefs import as_share
from stakes.cases import Cases
from stakes.uncertainty import points_of

_CASES, _FEWEST, _MOST = 1 << 13, 512, 1 << 20  # imagined, at least; of the rarer class; at most


class ImaginedCases(Cases):
    """Cases that nobody has seen, of which a sample has none."""

    __slots__ = ()


def log_odds_variance(auc: float) -> float:
    r"""Return the variance of calibrated normal log-odds within a class, :math:`2\,\Phi^{-1}(A)^2`."""
    return 2 * float(special.ndtri(auc)) ** 2


def imagine(
    prevalence: float | str,
    auc: float | Mapping[str, float],
    *,
    slope: float = 1.0,
    intercept: float = 0.0,
    correlation: float | None = None,
) -> Cases:
    r"""Return cases as they would be, before there are any: for planning a study.

    Scores are calibrated, with log-odds that are normal in both classes, with the same variance. Then an AUC of *A*
    and a prevalence :math:`\pi` say everything, with :math:`v = 2\,\Phi^{-1}(A)^2`:

    .. math:: L \mid y=1 \sim N(\operatorname{logit}\pi + v/2,\ v), \qquad
              L \mid y=0 \sim N(\operatorname{logit}\pi - v/2,\ v),

    since the log likelihood ratio of the two is :math:`L - \operatorname{logit}\pi` itself. The printed log-odds are
    :math:`(L - a)/b` for an intercept *a* and a slope *b* of calibration other than 0 and 1. The cases are points that
    fill the distribution evenly, the same every time, and have the stated prevalence exactly.

    Parameters
    ----------
    prevalence : float or words, such as "5%"
        Share of positives.
    auc : float or mapping of str to float
        AUC of the model, or of each model by its name, between 0.5 and 1.
    slope, intercept : float, keyword-only
        Slope and intercept of calibration, as in `calibration_summary`.
    correlation : float, keyword-only, optional
        Correlation of the log-odds of any two models within each class. Unless given, the better model knows all that
        the worse one knows, which makes it :math:`\sqrt{v_1/v_2}`.

    Returns
    -------
    Cases
        Some thousands of cases, to be passed to any function of cases; `value_of_cases` asks what the guess is `worth`.

    Examples
    --------
    >>> from stakes import auc, interval
    >>> from stakes.planning import imagine
    >>> cases = imagine("10%", {"old": 0.75, "new": 0.8})
    >>> {name: round(one.estimate, 3) for name, one in interval(cases, auc).items()}
    {'old': 0.75, 'new': 0.8}
    """
    share = as_share("prevalence", prevalence, open_ends=True)
    variance = {name: log_odds_variance(area) for name, area in _areas(auc).items()}
    steepness, start = _check.number_above("slope", slope), _check.number("intercept", intercept)
    if math.isinf(start):
        raise InputError("intercept", "be finite", _check.show(start))
    shared = None if correlation is None else _correlation(correlation)
    size = min(max(_CASES, math.ceil(_FEWEST / min(share, 1 - share))), _MOST)
    positives = min(max(round(share * size), 1), size - 1)
    spread = [_standard(count, variance, shared, k) for k, count in enumerate((positives, size - positives))]
    log_odds = special.logit(share) + np.concatenate(
        [sign * np.array([*variance.values()]) / 2 + part for sign, part in zip((1, -1), spread, strict=True)]
    )
    scores = special.expit((log_odds - start) / steepness)
    weight = np.repeat(
        [share * size / positives, (1 - share) * size / (size - positives)], [positives, size - positives]
    )
    exact = bool(np.allclose(weight, 1.0, rtol=1e-12, atol=0.0))
    y = np.repeat([1, 0], [positives, size - positives])
    return ImaginedCases(y, dict(zip(variance, scores.T, strict=True)), weight=None if exact else weight)


def _areas(auc: float | Mapping[str, float]) -> dict[str, float]:
    """Return the AUC of each model by its name."""
    areas: Mapping[str, Any] = auc if isinstance(auc, Mapping) else {"model": auc}
    if not areas:
        raise InputError("auc", "hold the AUC of at least one model", "none")
    for name, area in areas.items():
        if not isinstance(name, str):  # 1 and "1" would be one model
            raise InputTypeError("auc", "map names of models to AUCs", f"{_check.show(name)} as a name")
        found = _check.number("auc", area)
        if not 0.5 < found < 1:
            hint = "turn the score round" if 0 < found < 0.5 else ""
            raise InputError("auc", "lie strictly between 0.5 and 1", _check.show(found), hint=hint)
    return {name: float(area) for name, area in areas.items()}


def _correlation(given: object) -> float:
    found = _check.number("correlation", given)
    if not 0 <= found <= 1:
        raise InputError("correlation", "lie between 0 and 1", _check.show(found))
    return found


def _standard(count: int, variance: Mapping[str, float], shared: float | None, seed: int) -> FloatArray:
    """Return deviations of the log-odds from their mean in one class, cases x models."""
    wanted = np.array([*variance.values()])
    deviates = points_of(count, len(wanted) + 1, seed)[:, 1:]
    deviates -= deviates.mean(axis=0)
    deviates /= deviates.std(axis=0)
    if shared is not None:
        own = math.sqrt(shared) * deviates[:, :1] + math.sqrt(1 - shared) * deviates[:, 1:]
        return np.asarray(np.sqrt(wanted) * own)
    order = np.argsort(wanted, kind="stable")
    steps = np.sqrt(np.diff(wanted[order], prepend=0.0))
    made = np.empty((count, len(wanted)))
    made[:, order] = np.cumsum(steps * deviates[:, : len(wanted)], axis=1)
    return made

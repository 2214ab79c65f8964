"""How many cases an interval of some width, or the proof of a margin, needs."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import special

from stakes import _check
from stakes._arrays import FloatArray
from stakes._errors import InputError, InputTypeError
from stakes.beliefs import as_share
from stakes.cases import Cases, scores_of_cases
from stakes.measures import Better, MeasureLike, with_parameters
from stakes.planning._imagine import ImaginedCases
from stakes.uncertainty import Spread, Study, check_all_known, check_cases, direction, single_deviate, units_of

_OWN = ("width", "margin", "power", "models", "level", "assurance", "better")
_USUAL = 0.8  # power and assurance
_CALIBRATION = ("calibration_slope", "calibration_ratio")


@dataclass(frozen=True, slots=True, kw_only=True)
class CasesNeeded:
    """How many cases a study needs.

    Attributes
    ----------
    total : float
        Number of cases, or clusters, in all; infinite where no number of cases will show it.
    more : float
        Number beyond those of the sample; 0 if it has enough, and `total` for cases from `imagine`.
    estimate : float
        The number, or how much worse the first model is than the second, on the sample.
    spread : float
        Standard deviation of the influence of a case, on which the number rests.
    text : str
        The answer in one sentence.

    Examples
    --------
    >>> from stakes import auc
    >>> from stakes.planning import cases_needed, imagine
    >>> print(cases_needed(imagine("10%", 0.8), auc, width=0.1).text)
    About 860 cases give an interval that is at most 0.1 wide, with probability 80%.
    """

    total: float
    more: float
    estimate: float
    spread: float
    text: str


def cases_needed(
    cases: Cases,
    measure: MeasureLike | str,
    *,
    width: float | None = None,
    margin: float | None = None,
    power: float | str | None = None,
    models: str | Sequence[str] | None = None,
    level: float | str = 0.95,
    assurance: float | str | None = None,
    better: Better | None = None,
    **parameters: Any,
) -> CasesNeeded:
    r"""Return how many cases an interval of a stated width, or the proof of a margin, needs.

    With the standard deviation :math:`\sigma` of the influence of a case, an interval of half-width *h* needs
    :math:`n = (z\sigma/h)^2` cases. Since :math:`\sigma` is estimated, that is enough only half of the time:
    multiplied by :math:`\nu/\chi^2_{\nu;1-q}`, it is with the assurance *q*. To show that a model is worse by less than
    a margin *m*, where it seems worse by *d*, with power *p*: :math:`n = ((z_l + z_p)\,\sigma_d/(m - d))^2`, one-sided
    as in `gate`; no number of cases shows it where :math:`d \ge m`.

    Parameters
    ----------
    cases : Cases
        A first sample, or cases from `imagine`.
    measure : Measure or callable, or {"calibration_slope", "calibration_ratio"}
        One of our measures that has a formula; or the slope of calibration, or the ratio of observed to expected
        positives on the log scale, of scores that are calibrated as they are [1]_; only `width`, `models` and `level`
        apply to these.
    width : float, keyword-only, optional
        Full width of the interval, in units of the measure.
    margin : float, keyword-only, optional
        By how much the first of two models may be worse than the second.
    power : float or words, keyword-only, optional
        Probability of showing the margin; 0.8 unless given.
    models : str or sequence of str, keyword-only, optional
        A model, or two for their difference; the only one unless given.
    level : float or words, keyword-only
        Confidence level.
    assurance : float or words, keyword-only, optional
        Probability that the interval is no wider, 0.8 unless given; 0.5 uses the estimate as it is.
    better : {"smaller", "larger"}, keyword-only, optional
        Direction in which the measure is better; known for our own measures.
    **parameters
        Parameters of the measure, such as ``costs="5%..20%"``.

    Returns
    -------
    CasesNeeded
        The number of cases, in all and beyond the sample.

    References
    ----------
    .. [1] R. D. Riley et al. (2021), "Minimum sample size for external validation of a clinical prediction model with a
       binary outcome", Statistics in Medicine 40(19), 4230-4251.

    Examples
    --------
    >>> from stakes.planning import cases_needed, imagine
    >>> round(cases_needed(imagine(0.1, 0.8), "calibration_slope", width=0.2).total, -2)
    4200.0
    """
    if (width is None) == (margin is None):
        raise InputError(("width", "margin"), "be given one at a time", "both" if width is not None else "neither")
    sure = as_share("level", level, open_ends=True)
    strength = as_share("power", _USUAL if power is None else power, open_ends=True)
    likely = as_share("assurance", _USUAL if assurance is None else assurance, open_ends=True)
    names = _names(cases, models)
    if isinstance(measure, str):
        _check_calibration(cases, measure, {"power": power, "assurance": assurance, "better": better}, parameters)
        return _for_calibration(cases, measure, names, width, sure)
    study = Study(cases, with_parameters(measure, parameters, of="cases_needed", own=_OWN), better=better)
    spread = study.spread(names[0]) if len(names) == 1 else study.difference_spread(*names)
    _check_spread(cases, spread)
    if width is not None:
        estimate = study.estimates[names[0]] - (study.estimates[names[1]] if len(names) > 1 else 0.0)
        return _for_width(estimate, spread, _check.number_above("width", width), sure, likely, _cases_there(cases))
    if len(names) != 2:
        raise InputError("models", "be two, the new one and the old one, with `margin`", f"{len(names)}")
    sign = 1.0 if direction(study.measures.values()) == "smaller" else -1.0
    worse_by = sign * (study.estimates[names[0]] - study.estimates[names[1]])
    return _for_margin(worse_by, spread, _check.number("margin", margin), sure, strength, _cases_there(cases))


def _cases_there(cases: Cases) -> int:
    """Return the number of cases, or clusters, that are there; none if they are imagined."""
    return 0 if isinstance(cases, ImaginedCases) else units_of(cases)


def _check_spread(cases: Cases, spread: Spread) -> None:
    """Raise if the sample does not say how much cases vary."""
    if not spread.error > 0:
        positives = int(np.count_nonzero(cases.positive))
        got = f"{spread.error:g} from {positives:,} positives and {len(cases) - positives:,} negatives"
        raise InputError("cases", "give the measure a standard error above 0", got)


def _names(cases: Cases, models: str | Sequence[str] | None) -> list[str]:
    check_cases(cases)
    if models is None and len(cases.models) > 1:
        raise InputError("models", "name a model, or two for their difference", "None", hint=f"one of {cases.models}")
    named = [*cases.models] if models is None else [models] if isinstance(models, str) else list(models)
    for name in named:
        _check.choice("models", name, cases.models)
    if len(set(named)) != len(named) or not 1 <= len(named) <= 2:
        raise InputError("models", "name one model, or two different ones", _check.show(models))
    return named


def _for_width(estimate: float, spread: Spread, width: float, level: float, assurance: float, held: int) -> CasesNeeded:
    deviation = spread.error * math.sqrt(spread.units)
    needed = (2 * single_deviate(level) * deviation / width) ** 2
    needed *= spread.freedom / float(special.chdtri(spread.freedom, assurance))  # upper tail
    text = f"give an interval that is at most {width:g} wide, with probability {assurance:.0%}"
    return _answer(needed, held, estimate, deviation, text)


def _for_margin(worse_by: float, spread: Spread, margin: float, level: float, power: float, held: int) -> CasesNeeded:
    deviation = spread.error * math.sqrt(spread.units)
    text = f"show that it is worse by less than {margin:g}, with probability {power:.0%}"
    if worse_by >= margin:
        return _answer(math.inf, held, worse_by, deviation, text)
    reach = float(special.ndtri(level) + special.ndtri(power)) * deviation
    return _answer((reach / (margin - worse_by)) ** 2, held, worse_by, deviation, text)


def _answer(needed: float, held: int, estimate: float, deviation: float, does: str) -> CasesNeeded:
    if not math.isfinite(needed):
        said = f"No number of cases will {does.split(',')[0]}."
        return CasesNeeded(total=math.inf, more=math.inf, estimate=estimate, spread=deviation, text=said)
    total = float(max(math.ceil(needed - 1e-9), 2))
    step = 10 ** max(math.floor(math.log10(total)) - 1, 0)
    said = f"About {math.ceil(total / step) * step:,} cases {does}."
    return CasesNeeded(total=total, more=max(total - held, 0.0), estimate=estimate, spread=deviation, text=said)


# ------------------------------------------------------------------------------------------- calibration


def slope_cases(score: FloatArray, weight: FloatArray, error: float) -> float:
    """Return how many cases give the slope of calibration a standard error, for calibrated scores."""
    log_odds, share = special.logit(score), weight * score * (1 - score) / weight.sum()
    centred = log_odds - share @ log_odds / share.sum()
    return 1 / (error**2 * float(share @ centred**2))


def _check_calibration(cases: Cases, measure: str, unused: Mapping[str, Any], parameters: Mapping[str, Any]) -> None:
    """Raise if the measure is none of calibration, or if cases or arguments are given that it cannot use."""
    _check.choice("measure", measure, _CALIBRATION)
    for name in parameters:
        known = f"be arguments of cases_needed ({', '.join(_OWN)}), since {measure} has none"
        raise InputTypeError("parameters", known, f"`{name}`")
    for name, given in unused.items():
        if given is not None:
            raise InputError(name, f"be left out for {measure}", _check.show(given))
    if cases.cluster is not None:
        wanted = f"have no clusters for {measure}, whose formula is for cases one by one"
        raise InputError("cases", wanted, f"{int(cases.cluster.max()) + 1:,} clusters")
    hint = "measures other than those of calibration take such cases"
    check_all_known(cases, f"the size of a study of the {measure.replace('_', ' ')}", hint)


def _for_calibration(cases: Cases, measure: str, names: list[str], width: float | None, level: float) -> CasesNeeded:
    if width is None or len(names) != 1:
        raise InputError("width", f"be given, and one model, for {measure}", "None" if width is None else "two models")
    half = _check.number_above("width", width) / 2
    is_ratio = measure == "calibration_ratio"  # whose interval is even on the log scale
    error = (math.asinh(half) if is_ratio else half) / single_deviate(level)
    weight = np.ones(len(cases)) if cases.weight is None else cases.weight
    score = np.asarray(scores_of_cases(cases, names[0]), dtype=np.float64)
    needed = (_of_ratio if is_ratio else _of_slope)(score, weight / weight.sum(), error)
    what = f"give the {measure.replace('_', ' ')} an interval that is {width:g} wide on average"
    held = 0 if isinstance(cases, ImaginedCases) else len(cases)
    return _answer(needed, held, 1.0, math.sqrt(needed) * error, what)


def _of_ratio(score: FloatArray, share: FloatArray, error: float) -> float:
    mean = float(share @ score)
    if not 0 < mean < 1:
        raise InputError(
            "cases", "have scores other than 0 and other than 1 for calibration_ratio", f"a mean of {mean:g}"
        )
    return (1 - mean) / (mean * error**2)


def _of_slope(score: FloatArray, share: FloatArray, error: float) -> float:
    inside = (score > 0) & (score < 1)
    distinct = len(np.unique(special.logit(score[inside])))
    if distinct < 2:
        wanted = "have two different scores strictly between 0 and 1 for calibration_slope"
        raise InputError("cases", wanted, "one" if distinct else "none")
    return slope_cases(score[inside], share[inside], error) / float(share[inside].sum())

"""The gate: whether a new model is worse than the one in use by more than a margin."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from scipy import special

from stakes import _check
from stakes._check import Seed
from stakes._errors import InputError
from stakes._wording import plain_number
from stakes.beliefs import as_share
from stakes.cases import Cases, short
from stakes.measures import Better, MeasureLike, with_parameters
from stakes.uncertainty import Comparison, Study, direction, single_deviate, units_of

_OWN = ("margin", "level", "better", "rng")

_POWER = 0.8  # the chance that the cases that would settle a gate do so


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class Gate:
    """Whether a new model may replace the one in use.

    Attributes
    ----------
    verdict : str
        ``pass``: it is worse by at most the margin. ``worse``: it is worse by more. ``unsure``: the cases cannot tell.
    new, old : str
        The names of the models.
    worse_by : float
        By how much the new model is worse, in units of the measure; negative where it is better.
    lower, upper : float
        One-sided confidence limits of that: each alone holds with probability `level`.
    margin : float
        By how much it may be worse.
    level : float
        The level of each limit.
    cases_to_settle : float
        About how many cases, or clusters, would settle the question with probability 0.8, if the new model is as much
        worse as it seems; infinite where it is worse by the margin exactly, ``nan`` where there is no interval.
    method : str
        How the limits were computed, as in `Comparison`.
    caution : str
        The reason not to trust the level, if the sample is small; else empty.

    Examples
    --------
    >>> from stakes import Cases, brier_score
    >>> from stakes.monitoring import gate
    >>> cases = Cases([0, 1, 1, 0] * 90, {"old": [0.1, 0.8, 0.9, 0.2] * 90, "new": [0.1, 0.8, 0.7, 0.2] * 90})
    >>> gate(cases, "new", "old", brier_score, margin=0.03)
    Gate(pass: new is worse than old by 0.02 [0.0151, 0.02503], margin 0.03)
    """

    verdict: str
    new: str
    old: str
    worse_by: float
    lower: float
    upper: float
    margin: float
    level: float
    cases_to_settle: float
    method: str
    caution: str = ""

    @property
    def passed(self) -> bool:
        """Whether the verdict is ``pass``."""
        return self.verdict == "pass"

    def __repr__(self) -> str:
        found, how = (self.worse_by, self.lower, self.upper), "worse"
        if self.worse_by < 0:
            found, how = (-self.worse_by, 0 - self.upper, 0 - self.lower), "better"  # 0, not minus 0
        by, low, high, most = map(plain_number, (*found, self.margin))
        pair = f"{short(self.new)} is {how} than {short(self.old)}"
        return f"Gate({self.verdict}: {pair} by {by} [{low}, {high}], margin {most})"


def gate(
    cases: Cases,
    new: str,
    old: str,
    measure: MeasureLike,
    *,
    margin: float,
    level: float | str = 0.95,
    better: Better | None = None,
    rng: Seed = None,
    **parameters: Any,
) -> Gate:
    r"""Return whether a new model is worse than the one in use by more than a margin.

    Let :math:`\delta` be by how much the new model is worse, with one-sided limits at level :math:`l`, which are the
    ends of `compare` at the level :math:`2l - 1`. It passes if the upper limit is at most the margin, is worse if the
    lower limit is above it, and otherwise more cases are needed: about

    .. math:: n = \Bigl(\frac{z_l + z_{0.8}}{m - \hat\delta}\,\sigma\Bigr)^2

    settle it with probability 0.8. A model that is exactly worse by the margin passes with probability :math:`1 - l`
    at most, and so a margin of 0 is hardly ever passed by a model that is as good. Whoever asks again and again on the
    same cases should raise the level: for *k* releases, to :math:`1 - (1 - l)/k`.

    Parameters
    ----------
    cases : Cases
        The sample, with the scores of both models.
    new, old : str
        The names of the models.
    measure : Measure or callable
        One of our measures, or any function of a table that returns a number.
    margin : float, keyword-only
        By how much the new model may be worse, in units of the measure, not negative.
    level : float or words, such as "95%", keyword-only
        Level of each one-sided limit, above 0.5.
    better : {"smaller", "larger"}, keyword-only, optional
        Direction in which the measure is better; known for our own measures, and needed for any other.
    rng : int, Generator or SeedSequence, keyword-only, optional
        Seed or generator, for measures that are resampled.
    **parameters
        Parameters of the measure, such as ``costs="5%..20%"``.

    Returns
    -------
    Gate
        The verdict, with its limits.

    Examples
    --------
    >>> from stakes import Cases, expected_regret
    >>> from stakes.datasets import load_cohort
    >>> from stakes.monitoring import gate
    >>> cohort = load_cohort()
    >>> cases = Cases(cohort["cancer"], {"new": cohort["cancerpredmarker"].round(1), "old": cohort["cancerpredmarker"]})
    >>> gate(cases, "new", "old", expected_regret, margin=0.005, costs="5%..20%").verdict
    'pass'
    """
    most = _check.non_negative_number("margin", margin)
    confidence = as_share("level", level, open_ends=True)
    if confidence <= 0.5:
        raise InputError("level", "be above 0.5, since each limit is one-sided", f"{confidence:g}")
    study = Study(cases, with_parameters(measure, parameters, of="gate", own=_OWN), better=better)
    for name, model in (("new", new), ("old", old)):
        _check.choice(name, model, study.models)
    if new == old:
        raise InputError("new", "be a different model from `old`", _check.show(new))
    found = study.compare(new, old, level=2 * confidence - 1, rng=rng)
    return verdict_of(found, direction(study.measures.values()), most, confidence, units_of(cases))


def verdict_of(found: Comparison, better: Better, margin: float, level: float, units: int) -> Gate:
    """Return the verdict on a comparison of the new model with the old one."""
    sign = 1.0 if better == "smaller" else -1.0
    by, (low, high) = sign * found.difference, sorted((sign * found.lower, sign * found.upper))
    verdict = "pass" if high <= margin else "worse" if low > margin else "unsure"
    return Gate(
        verdict=verdict,
        new=found.a,
        old=found.b,
        worse_by=by,
        lower=low,
        upper=high,
        margin=margin,
        level=level,
        cases_to_settle=_cases_to_settle(high - low, margin - by, level, units),
        method=found.method,
        caution=found.caution,
    )


def _cases_to_settle(width: float, gap: float, level: float, units: int) -> float:
    """Return how many cases would settle a gate."""
    if math.isnan(width):
        return math.nan
    if width == 0:
        return float(units)
    if gap == 0:
        return math.inf
    deviate = single_deviate(2 * level - 1)
    spread = width / (2 * deviate) * math.sqrt(units)
    return float(math.ceil(((deviate + float(special.ndtri(_POWER))) * spread / gap) ** 2))

"""Miscalibration and discrimination, corrected for the part that is due to chance."""

from __future__ import annotations

import math
from copy import deepcopy
from dataclasses import dataclass, replace

import numpy as np

from stakes import _check
from stakes._cases_alike import with_ordinary_weights
from stakes._check import Seed
from stakes._wording import describe_method, show_interval
from stakes.beliefs import BeliefLike, CostBelief, as_costs
from stakes.cases import Cases
from stakes.measures import RecalibrationFloor, decompose
from stakes.uncertainty._answers import CONSISTENCY, Interval, as_level, check_all_known, check_cases
from stakes.uncertainty._bootstrap import Request
from stakes.uncertainty._chance_floor import chance_law, interval_of_law


@dataclass(frozen=True, slots=True, repr=False)
class Miscalibration:
    """Miscalibration of a model, and the part of it that is due to chance.

    Attributes
    ----------
    estimate : float
        The miscalibration of the sample, as `decompose` gives it: too large, since recalibration has seen the outcomes.
    floor : float
        The mean miscalibration, in samples of this size, of a perfectly calibrated model with scores like these.
    corrected : float
        The estimate less the floor; below 0 where the sample shows less than chance would.
    lower, upper : float
        The ends of the confidence interval of the miscalibration of the population, never below 0.
    chance : float
        The share of samples in which the model would show at least this estimate if its scores were the true
        probabilities: small if it is not calibrated. It is counted among the draws, so 0 says only that it is less
        than about one in as many as there are.
    discrimination : Interval or None
        The discrimination of the sample less the same floor, with its confidence interval.
    error : float
        Standard error of the floor, from the number of draws.
    method : str
        How the floor was found: consistency, from outcomes that are drawn.
    caution : str
        What to know about the ends.

    Examples
    --------
    >>> from stakes.uncertainty import Miscalibration
    >>> Miscalibration(estimate=0.004, floor=0.003, corrected=0.001, lower=0.0, upper=0.002, chance=0.18)
    Miscalibration(0.001 [0, 0.002] above a floor of 0.003, chance 0.18, consistency)
    """

    estimate: float
    floor: float
    corrected: float
    lower: float = math.nan
    upper: float = math.nan
    chance: float = math.nan
    discrimination: Interval | None = None
    error: float = 0.0
    method: str = CONSISTENCY
    caution: str = ""

    def __repr__(self) -> str:
        found = f"{show_interval(self.corrected, self.lower, self.upper)} above a floor of {self.floor:.4g}"
        return f"Miscalibration({found}, chance {self.chance:.3g}, {describe_method(self.method, self.caution)})"


def miscalibration(
    cases: Cases,
    costs: BeliefLike,
    *,
    level: float | str = 0.95,
    n_resamples: int = 500,
    rng: Seed = None,
    exact: bool = False,
) -> dict[str, Miscalibration]:
    r"""Return the miscalibration of every model, corrected for the part that is due to chance.

    Recalibration has seen the outcomes, so even a perfectly calibrated model seems to gain from it. With
    :math:`\tilde p` the scores recalibrated by intercept and slope, the law *F* of the gain of outcomes drawn from
    :math:`\tilde p`, judged against :math:`\tilde p`, is what chance adds; the floor is its mean (consistency
    resampling [1]_), and :math:`F_-, F_+` its quantiles. The ordinary bootstrap would remove only about half of the
    bias. With :math:`\psi_i` what recalibration gains on case *i* and :math:`\tau` the standard error of its mean, the
    ends are

    .. math:: \max\bigl(0, M - \sqrt{(F_+ - \bar F)^2 + z^2\tau^2}\bigr), \quad
              \max(0, M) + \sqrt{(\bar F - F_-)^2 + z^2\tau^2}, \quad M = MCB - \bar F,

    and those of the discrimination likewise. `chance` is the test of calibration: the share of samples drawn from the
    scores themselves that show as much. All of these are sampled, and `error` is the standard error of the floor.
    Cases of one cluster are drawn as if they were independent. What a recalibration learnt on these cases would save on
    new ones is another number, and smaller: `evaluate` cross-fits it with ``folds=``.

    Parameters
    ----------
    cases : Cases
        The sample, with scores that are probabilities.
    costs : belief, number or words, such as "5%..20%"
        Belief about the cost proportion.
    level : float or words, such as "90%", keyword-only
        Confidence level, strictly between 0 and 1.
    n_resamples : int, keyword-only
        Number of draws of the outcomes, at least 100; as many again for the test of calibration.
    rng : int, Generator or SeedSequence, keyword-only, optional
        Seed or generator; the same seed gives the same numbers.
    exact : bool, keyword-only
        Whether to draw for all rows of tables with more than 8192, instead of 512 coarse ones.

    Returns
    -------
    dict of str to Miscalibration
        Estimate, floor, their difference with its interval, and the test, in the units of `expected_regret`.

    References
    ----------
    .. [1] T. Dimitriadis, T. Gneiting and A. I. Jordan (2021), "Stable reliability diagrams for probabilistic
       classifiers", PNAS 118(8), e2016191118.

    Examples
    --------
    A calibrated model, and one whose scores are too extreme:

    >>> import numpy as np
    >>> from stakes import Cases, Uniform
    >>> from stakes.uncertainty import miscalibration
    >>> rng = np.random.default_rng(1)
    >>> risk = rng.beta(2, 5, 2000)
    >>> cases = Cases(rng.random(2000) < risk, {"right": risk, "bold": risk**2 / (risk**2 + (1 - risk) ** 2)})
    >>> result = miscalibration(cases, Uniform(), rng=1)
    >>> for model, parts in result.items():
    ...     print(f"{model:5} {parts.estimate:.4f} less {parts.floor:.4f} is {parts.corrected:.4f}", end="")
    ...     print(f" [{parts.lower:.4f}, {parts.upper:.4f}], chance {parts.chance:.2f}")
    right 0.0014 less 0.0015 is -0.0001 [0.0000, 0.0007], chance 0.60
    bold  0.0084 less 0.0015 is 0.0069 [0.0045, 0.0093], chance 0.00
    """
    check_cases(cases)
    hint = 'use `calibration_band(cases, method="spline")`, and resample `decompose` with `interval`'
    check_all_known(cases, "drawn outcomes", hint)
    cases = with_ordinary_weights(cases)
    request = Request(CONSISTENCY, as_level(level, n_resamples), n_resamples, by_class=False, exact=exact)
    believed = as_costs("costs", costs)
    (stream,) = _check.generator(rng).spawn(1)
    # Every model has the same draws, so that the same scores have the same floor.
    return {name: _of_model(cases, name, believed, request, deepcopy(stream)) for name in cases.models}


def _of_model(cases: Cases, name: str, costs: CostBelief, request: Request, rng: np.random.Generator) -> Miscalibration:
    """Return the miscalibration of one model."""
    parts = decompose(cases.table(name), costs)
    of_lost, of_told = (RecalibrationFloor(field, costs) for field in ("miscalibration", "discrimination"))
    law, if_calibrated = (chance_law(cases, name, of_lost, request, rng, recalibrated=way) for way in (True, False))
    lost = interval_of_law(cases, name, parts.miscalibration, of_lost, law, request.level)
    told = interval_of_law(cases, name, parts.discrimination, of_told, law, request.level)
    return Miscalibration(
        parts.miscalibration,
        law.mean,
        parts.miscalibration - law.mean,
        lost.lower,
        lost.upper,
        if_calibrated.chance if math.isfinite(lost.upper) else math.nan,
        replace(told, estimate=parts.discrimination - law.mean),
        law.error,
        caution=lost.caution,
    )

"""A belief around a mode: the full uniform range, shifted in log-odds."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from stakes import _check
from stakes._check import FloatArray
from stakes._special import log_excess_ratio
from stakes.beliefs._protocol import as_scores


@dataclass(frozen=True, slots=True)
class ShiftedUniform:
    r"""The full uniform range moved along the log-odds axis until its mode is where the user says.

    The cost has the law of :math:`x \otimes \mu` (odds multiplied) with :math:`x` uniform: logistic in
    log-odds around :math:`\operatorname{logit} \mu`, density :math:`\mu(1 - \mu)/D(u)^2` with
    :math:`D(u) = u(1 - \mu) + (1 - u)\mu`. With :math:`d = 1 - 2\mu`, a negative pays
    :math:`\frac{\mu(1 - \mu)}{d^2} \left[\ln \frac{D(s)}{\mu} + \frac{\mu}{D(s)} - 1\right]`, and a positive the
    same with :math:`1 - \mu` for the :math:`\mu` in the brackets. At ``mode=0.5`` it is ``Uniform()``. It is
    the prior of the Brier score itself that is shifted here, not the scores [1]_.

    Parameters
    ----------
    mode : float
        The mode on the log-odds axis, strictly between 0 and 1; it is also the median.

    References
    ----------
    .. [1] G. Flores et al., "A consequentialist critique of binary classification evaluation", appendix D.3, which
       shifts the scores instead.

    Examples
    --------
    >>> from stakes import ShiftedUniform, Uniform
    >>> float(ShiftedUniform(0.5).loss_if_positive(0.2)) == float(Uniform().loss_if_positive(0.2))
    True
    >>> float(ShiftedUniform(0.1).share_above(0.1))  # the mode is also the median
    0.5
    """

    mode: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "mode", _check.inside("mode", self.mode))

    @property
    def mean(self) -> float:
        """Mean cost: what a negative with score 1 pays."""
        return float(self.loss_if_negative(1.0))

    @property
    def support(self) -> tuple[float, float]:
        """All of (0, 1)."""
        return 0.0, 1.0

    def loss_if_positive(self, score: npt.ArrayLike) -> FloatArray:
        """Mean of ``(1 - c)`` over the costs above the score."""
        s = np.clip(as_scores(score), 0, 1)
        return _shifted_loss(1 - s, s, 1 - self.mode, self.mode)

    def loss_if_negative(self, score: npt.ArrayLike) -> FloatArray:
        """Mean of ``c`` over the costs up to the score."""
        s = np.clip(as_scores(score), 0, 1)
        return _shifted_loss(s, 1 - s, self.mode, 1 - self.mode)

    def share_above(self, score: npt.ArrayLike) -> FloatArray:
        """Probability that the cost exceeds the score."""
        s = np.clip(as_scores(score), 0, 1)
        return (1 - s) * self.mode / self._mix(s)

    def odds_up_to(self, score: npt.ArrayLike) -> FloatArray:
        """Mean of ``c / (1 - c)`` over the costs up to the score; infinite at 1."""
        s = np.clip(as_scores(score), 0, 1)
        x = s * (1 - self.mode) / self._mix(s)
        with np.errstate(divide="ignore"):
            log_rest = np.where(x < 0.5, np.log1p(-x), np.log(self.share_above(s)))
        return self.mode / (1 - self.mode) * np.square(x) * log_excess_ratio(-x, log_rest)

    def density(self, x: npt.ArrayLike) -> FloatArray:
        """``mode (1 - mode) / D(x)**2`` on [0, 1], 0 elsewhere."""
        x = as_scores(x)
        inside = (x >= 0) & (x <= 1)
        return np.where(inside, self.mode * (1 - self.mode) / np.square(self._mix(np.clip(x, 0, 1))), 0.0)

    def sample(self, n: int, rng: np.random.Generator | int | None = None) -> FloatArray:
        """Draw `n` values."""
        x = _check.generator(rng).uniform(size=_check.whole("n", n, 0))
        return x * self.mode / (x * self.mode + (1 - x) * (1 - self.mode))

    def _mix(self, score: FloatArray) -> FloatArray:
        return score * (1 - self.mode) + (1 - score) * self.mode


def _shifted_loss(score: FloatArray, one_minus_score: FloatArray, mode: float, one_minus_mode: float) -> FloatArray:
    """Loss of a negative; that of a positive is its reflection, for which each complement comes with its own digits."""
    mix = score * one_minus_mode + one_minus_score * mode
    step = -score * (one_minus_mode - mode) / mix  # 1 + step = mode / mix
    return mode * one_minus_mode * np.square(score / mix) * log_excess_ratio(step, np.log(mode / mix))

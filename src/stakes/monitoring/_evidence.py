"""Evidence by betting: fair as long as nothing has become worse, whatever else changes."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from stakes._arrays import FloatArray

# Shares of the null mean that the bets stake. The smallest notice a change of some percent in batches of thousands,
# where larger ones lose more to chance than they win; the largest notice a sudden one in small batches.
BETS = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.4)


def bets_won(x: FloatArray, null: float, starts: Sequence[int] = (0,), bets: Sequence[float] = BETS) -> FloatArray:
    """Return the log of what each bet wins with each batch, one row per batch; batches begin at `starts`."""
    with_each = np.log1p(np.multiply.outer(np.asarray(bets), x / null - 1))
    return np.add.reduceat(with_each, starts, axis=1).T


def evidence_after(before: FloatArray, won: FloatArray) -> FloatArray:
    r"""Return the log evidence of each bet after one more batch, :math:`M_t = e_t (M_{t-1} + 1)`.

    Whatever the values in [0, 1], :math:`e_t` has mean 1 at most where their mean is at most the null: on average at
    least *a* batches pass before the mean evidence of the bets reaches *a* by chance (Shin, Ramdas and Rinaldo).
    """
    return np.asarray(won + np.logaddexp(before, 0.0))


def mean_evidence(logs: FloatArray) -> FloatArray:
    """Return the log of the mean evidence of the bets, along the last axis."""
    return np.asarray(np.logaddexp.reduce(logs, axis=-1) - np.log(logs.shape[-1]))


_TIGHTEST = 5000  # cases at which a confidence sequence is tightest, about


def sequence_reach(deviation: float, cases: int, level: float) -> float:
    r"""Return the reach of an asymptotic confidence sequence to either side of a mean.

    :math:`\sigma \sqrt{\frac{2(t\rho^2 + 1)}{t^2\rho^2} \log\bigl(1 + \sqrt{t\rho^2 + 1}/\alpha\bigr)}`, which holds
    for all numbers of cases *t* at once (Waudby-Smith et al. 2024).
    """
    doubt = -2 * math.log1p(-level)
    squared = max(doubt + math.log(doubt) + 1, 1.0) / _TIGHTEST
    grown = cases * squared + 1
    return deviation * math.sqrt(2 * grown / (cases**2 * squared) * math.log1p(math.sqrt(grown) / (1 - level)))


State = tuple[int, float, float, float]


def wealth(x: FloatArray, null: float, state: State, starts: Sequence[int] = (0,)) -> tuple[FloatArray, State]:
    """Return the log wealth after each batch, and the state to go on from.

    Each bet goes by the values before it. A state has count, sum, sum of squares and log wealth.
    """
    count, total, squares, before = state
    k = count + 1 + np.arange(len(x))
    sums = np.cumsum(np.r_[total, x])  # from the total on, so that parts give the bits of the whole
    powers = np.cumsum(np.r_[squares, x * x])
    seen = k - 1
    mean = (null + sums[:-1]) / k  # one observation at the null mean before the first
    variance = (null * (1 - null) + powers[:-1] - 2 * mean * sums[:-1] + seen * mean**2) / k
    ahead = np.maximum(mean - null, 0.0)
    bet = np.minimum(ahead / np.maximum(variance + ahead**2, 1e-300), 1 / (2 * null))
    logs = np.cumsum(np.r_[before, np.add.reduceat(np.log1p(bet * (x - null)), starts)])[1:]
    return logs, (count + len(x), float(sums[-1]), float(powers[-1]), float(logs[-1]))

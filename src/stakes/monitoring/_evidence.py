"""Evidence by betting: fair as long as nothing has become worse, whatever else changes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from stakes._arrays import FloatArray

# Shares of the null mean that the bets stake. The smallest notice a change of some percent in batches of thousands,
# where larger ones lose more to chance than they win; the largest notice a sudden one in small batches.
BETS = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.4)


def detected(before: FloatArray, x: FloatArray, null: float, bets: Sequence[float] = BETS) -> FloatArray:
    r"""Return the log evidence of each bet after one more batch, :math:`M_t = e_t (M_{t-1} + 1)`.

    Whatever the values in [0, 1], :math:`e_t` has mean 1 at most where their mean is at most the null: on average at
    least *a* batches pass before the mean evidence of the bets reaches *a* by chance (Shin, Ramdas and Rinaldo).
    """
    won = np.array([np.log1p(bet * (x / null - 1)).sum() for bet in bets])
    return np.asarray(won + np.logaddexp(before, 0.0))


def mean_evidence(logs: FloatArray) -> float:
    """Return the log of the mean evidence of the bets."""
    return float(np.logaddexp.reduce(logs) - np.log(len(logs)))


def wealth(x: FloatArray, null: float, state: tuple[int, float, float, float]) -> tuple[int, float, float, float]:
    """Return count, sum, sum of squares and log wealth after more values, bets by what came before each."""
    count, total, squares, logs = state
    k = count + 1 + np.arange(len(x))
    sums = total + np.concatenate([[0.0], np.cumsum(x)])
    powers = squares + np.concatenate([[0.0], np.cumsum(x * x)])
    seen = k - 1
    mean = (null + sums[:-1]) / k  # one observation at the null mean before the first
    variance = (null * (1 - null) + powers[:-1] - 2 * mean * sums[:-1] + seen * mean**2) / k
    ahead = np.maximum(mean - null, 0.0)
    bet = np.minimum(ahead / np.maximum(variance + ahead**2, 1e-300), 1 / (2 * null))
    return count + len(x), float(sums[-1]), float(powers[-1]), logs + float(np.log1p(bet * (x - null)).sum())

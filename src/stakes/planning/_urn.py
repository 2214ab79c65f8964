"""The urn: the next case is like one of those seen, each equally likely."""

from __future__ import annotations

import math

import numpy as np

from stakes._arrays import FloatArray
from stakes.uncertainty import JointEstimates

_DRAWS, _BLOCK = 4000, 1 << 22  # draws in all; numbers in memory at a time


def urn_value(now: JointEstimates, more: int) -> tuple[float, float]:
    """Return the value of more cases drawn from the urn of the cases seen, and its standard error."""
    moves, times = np.unique(now.influence, axis=0, return_counts=True)
    rng = np.random.Generator(np.random.PCG64(0))
    gained = np.concatenate(
        [_gains(now, moves, times, more, count, rng) for count in _blocks(_DRAWS, max(_BLOCK // len(times), 1))]
    )
    return max(float(gained.mean()), 0.0), float(gained.std(ddof=1) / math.sqrt(len(gained)))


def _blocks(total: int, most: int) -> list[int]:
    return [min(most, total - done) for done in range(0, total, most)]


def _gains(
    now: JointEstimates, moves: FloatArray, times: np.ndarray, more: int, draws: int, rng: np.random.Generator
) -> FloatArray:
    """Return by how much the best estimate after more cases exceeds the new estimate of the best of now."""
    weight = rng.standard_gamma(times.astype(np.float64), (draws, len(times)))
    drawn = rng.multinomial(more, weight / weight.sum(axis=1)[:, None])
    estimates = now.gain + drawn @ moves * (now.units / (now.units + more))
    gained: FloatArray = estimates.max(axis=1) - estimates[:, int(np.argmax(now.gain))]
    return gained


def urn_covariance(now: JointEstimates, more: int) -> FloatArray:
    r"""Return the covariance after more cases from the urn, :math:`n S_0 / ((n_0 + n)(n_0 + 1))`."""
    products: FloatArray = now.influence.T @ now.influence * now.units
    return products * (more / ((now.units + more) * (now.units + 1)))

"""Poisson re-weighting that a row brings about by itself: its key decides how often it stands in each replicate.

A resampled case stands 0, 1, 2, ... times, nearly as Poisson's law with mean 1 says. Drawn from a hash of the row's key
and of a seed, the counts depend on neither the machine, the partition nor the order of rows, so that a task that is run
again gives the same numbers, and rows of one cluster, which share their key, are drawn together.
"""

from __future__ import annotations

import hashlib
import math
from typing import Any

import numpy as np
import numpy.typing as npt

Keys = npt.NDArray[np.uint64]

_STEP = 0x9E3779B97F4A7C15  # of SplitMix64 (Steele, Lea and Flood 2014): 2 ** 64 over the golden ratio
_FIRST, _SECOND = 0xBF58476D1CE4E5B9, 0x94D049BB133111EB
_DRAWS = 4  # of 16 bits, from one number of 64


def _mixed(numbers: Keys) -> Keys:
    """Return numbers that look random: the finaliser of SplitMix64, a bijection."""
    with np.errstate(over="ignore"):
        numbers = (numbers ^ (numbers >> np.uint64(30))) * np.uint64(_FIRST)
        numbers = (numbers ^ (numbers >> np.uint64(27))) * np.uint64(_SECOND)
    return numbers ^ (numbers >> np.uint64(31))


def _quantiles() -> npt.NDArray[np.uint8]:
    """Return Poisson's count for each of 2 ** 16 equal parts of (0, 1); its mean and variance are 1 within 4e-5."""
    shares = np.cumsum([math.exp(-1) / math.factorial(count) for count in range(20)])
    return np.searchsorted(shares, (np.arange(1 << 16) + 0.5) / (1 << 16)).astype(np.uint8)


_COUNTS = _quantiles()


def keys_of(labels: npt.NDArray[Any], seed: int) -> Keys:
    """Return a number for each label, the same on every machine: whole numbers as they are, others by their text."""
    if labels.dtype.kind in "iub":
        numbers = labels.astype(np.int64).view(np.uint64)
    else:
        digests = {label: _digest(label) for label in set(labels.tolist())}
        numbers = np.array([digests[label] for label in labels.tolist()], dtype=np.uint64)
    with np.errstate(over="ignore"):
        return _mixed(numbers + np.uint64(_STEP) * np.uint64(seed + 1))


def _digest(label: object) -> int:
    return int.from_bytes(hashlib.blake2b(str(label).encode(), digest_size=8).digest(), "little")


def draws(keys: Keys, n_resamples: int) -> npt.NDArray[np.uint8]:
    """Return how often each key (a row) stands in each replicate (a column)."""
    steps = np.arange(1, -(-n_resamples // _DRAWS) + 1, dtype=np.uint64)
    with np.errstate(over="ignore"):
        numbers = _mixed(keys[:, None] + steps * np.uint64(_STEP))
    counts: npt.NDArray[np.uint8] = _COUNTS[numbers.astype("<u8", copy=False).view("<u2")[:, :n_resamples]]
    return counts

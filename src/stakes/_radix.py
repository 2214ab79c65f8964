"""Radix sort and pooling of large samples with numba, which only this module imports.

`stakes._sort` imports this module when a sample is large enough to repay it.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numba import njit, types

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    Labels = NDArray[np.bool_]
    Floats = NDArray[np.float64]
    Scores = NDArray[np.floating[Any]]
    Keys = NDArray[np.unsignedinteger[Any]]

Kernel = TypeVar("Kernel", bound="Callable[..., Any]")

ONE = np.uint64(1)

KEY_BITS = np.uint64(64)

DIGIT_BITS = np.uint64(8)  # 256 write positions fit in any first-level cache

DIGIT = np.uint64(255)

SLOT_BITS = np.uint64(15)

FEW = 2**14  # half the slots, so that a free one is always near

EMPTY = np.uint64(2**64 - 1)  # the bits of a NaN, which no score is

GOLDEN = np.uint64(0x9E3779B97F4A7C15)  # 2**64 / golden ratio: multiplying by it spreads bits upwards

KEYS = types.uint64[::1]

FLOATS = types.float64[::1]

READ_ONLY_FLOATS = types.Array(types.float64, 1, "A", readonly=True)

READ_ONLY_LABELS = types.Array(types.boolean, 1, "A", readonly=True)


def sort_keys(key: Keys) -> Keys:
    """Sort keys by all bits but the lowest, which holds the label; overwrites its argument."""
    nothing = np.empty(0)
    return _sort(key, np.empty_like(key), nothing, nothing, ONE)[0]


def sort_pairs(score: Scores, signed: Floats) -> tuple[Floats, Floats]:
    """Sort scores and take their weights along; overwrites the weights."""
    key = np.add(score, 0.0, dtype=np.float64).view(np.uint64)  # adding 0.0 turns −0.0 into 0.0
    key, signed = _sort(key, np.empty_like(key), signed, np.empty_like(signed), np.uint64(0))
    ordered = key.view(np.float64)
    below = np.count_nonzero(ordered < 0)
    if below:  # as integers the negatives come last, sorted by size
        ordered, signed = (np.concatenate([x[-below:][::-1], x[:-below]]) for x in (ordered, signed))
    return ordered, signed


def pool_few(label: Labels, score: Floats, weight: Floats | None) -> tuple[Floats, Floats, Floats] | None:
    """Pool cases by score in one pass without sorting; None if there are too many distinct scores."""
    slot = np.full(1 << int(SLOT_BITS), EMPTY)
    total = np.zeros((slot.size, 2))
    if weight is None:
        weight = np.broadcast_to(1.0, score.shape)
    if not _tally(label, score, weight, slot, total):
        return None
    used = slot != EMPTY
    distinct, total = slot[used].view(np.float64), total[used]
    order = np.argsort(distinct)
    return distinct[order], total[order, 1], total[order, 0]


def _compiled(signature: object = None) -> Callable[[Kernel], Kernel]:
    """Compile a function now for `signature`, or when another calls it; cache the result on disk."""

    def compile_(function: Kernel) -> Kernel:
        kernel = njit(function, nogil=True)
        with suppress(RuntimeError):  # no writable cache, as in a read-only container: compile each time
            kernel.enable_caching()
        if signature is not None:
            kernel.compile(signature)
        return kernel  # type: ignore[no-any-return]

    return compile_


@_compiled()
def _deal(key: Keys, carried: Floats, to_key: Keys, to_carried: Floats, shift: np.uint64) -> None:
    """Sort keys, and any values carried along, by one digit; the sort is stable."""
    place = np.zeros(int(DIGIT) + 2, np.int64)
    for i in range(key.size):
        place[int((key[i] >> shift) & DIGIT) + 1] += 1
    for digit in range(1, place.size):
        place[digit] += place[digit - 1]
    for i in range(key.size):
        digit = int((key[i] >> shift) & DIGIT)
        to = place[digit]
        place[digit] += 1
        to_key[to] = key[i]
        if carried.size:
            to_carried[to] = carried[i]


@_compiled((KEYS, KEYS, FLOATS, FLOATS, types.uint64))
def _sort(key: Keys, spare: Keys, carried: Floats, spare_carried: Floats, shift: np.uint64) -> tuple[Keys, Floats]:
    """Sort keys by the bits from `shift` up, last digit first; bits equal in all keys are skipped."""
    varying = np.uint64(0)
    for i in range(key.size):
        varying |= key[i] ^ key[0]
    while shift < KEY_BITS and varying >> shift:
        if (varying >> shift) & ONE:
            _deal(key, carried, spare, spare_carried, shift)
            key, spare = spare, key
            carried, spare_carried = spare_carried, carried
            shift += DIGIT_BITS
        else:
            shift += ONE
    return key, carried


@_compiled((READ_ONLY_LABELS, READ_ONLY_FLOATS, READ_ONLY_FLOATS, KEYS, types.float64[:, ::1]))
def _tally(label: Labels, score: Floats, weight: Floats, slot: Keys, total: Floats) -> bool:
    """Add each weight to the slot of its score and class; False once there are too many distinct scores."""
    taken = 0
    for i in range(score.size):
        bits = np.float64(score[i] + 0.0).view(np.uint64)
        at = (bits * GOLDEN) >> (KEY_BITS - SLOT_BITS)
        while slot[at] != bits and slot[at] != EMPTY:
            at = (at + ONE) % np.uint64(slot.size)
        if slot[at] == EMPTY:
            taken += 1
            if taken > FEW:
                return False
            slot[at] = bits
        total[at, int(label[i])] += weight[i]
    return True

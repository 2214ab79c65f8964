"""A watch with more batches: losses and bets of many batches at a time."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from stakes._errors import InputError
from stakes.monitoring._evidence import bets_won, evidence_after, mean_evidence, wealth
from stakes.monitoring._watched_losses import WatchedBatch, WatchedLosses

if TYPE_CHECKING:
    from stakes.monitoring._watch import Watch

_AT_A_TIME = 1 << 14  # cases, whose bets fit into the cache of a processor


def extend_watch(seen: Watch, batches: Iterable[Mapping[str, Any]]) -> Watch:
    """Return a watch with more batches, each with the arguments of `Watch.update`.

    Empty batches change nothing.
    """
    for several in _together(_checked_batches(seen, batches)):
        seen = _with(seen, several)
    return seen


def _checked_batches(seen: Watch, batches: Iterable[Mapping[str, Any]]) -> Iterator[WatchedBatch]:
    for given in batches:
        y, score = given["y"], given["score"]
        if np.shape(y) == (0,) and np.shape(score) == (0,):
            continue
        yield WatchedBatch.of(y, score, _scores_of_baseline(seen, given.get("baseline")), given.get("cluster"))


def _scores_of_baseline(seen: Watch, given: npt.ArrayLike | None) -> npt.ArrayLike | None:
    """Return the scores of the baseline; raise unless they are given exactly if there is one."""
    if (given is None) != (seen.baseline is None):
        what = "be left out" if seen.baseline is None else f"have the scores of {seen.baseline!r}"
        raise InputError("baseline", f"{what} in a watch {'without' if seen.baseline is None else 'with'} one")
    return given


def _together(batches: Iterable[WatchedBatch]) -> Iterator[list[WatchedBatch]]:
    """Put small batches together, so that a batch of few cases costs hardly more than its cases."""
    several: list[WatchedBatch] = []
    cases = 0
    for one in batches:
        several.append(one)
        cases += len(one.score)
        if cases >= _AT_A_TIME:
            yield several
            several, cases = [], 0
    if several:
        yield several


def _with(seen: Watch, batches: Sequence[WatchedBatch]) -> Watch:
    promised = seen.promised + seen.tolerance
    losses = WatchedLosses.of(seen.costs, batches, promised=promised, largest=seen.largest_cluster)
    since_start, state = wealth(losses.x, losses.null, seen.state, losses.starts)
    evidence, bets = [], seen.bets
    for won in bets_won(losses.x, losses.null, losses.starts):
        bets = evidence_after(bets, won)
        evidence.append(bets)
    more: dict[str, Any] = {
        "cases": [len(one.score) for one in batches],
        "regret": losses.mean,
        "alarms": [_share_acted_on(one, seen.threshold) for one in batches],
        "evidence": mean_evidence(np.array(evidence)) / math.log(10),
        "since_start": since_start / math.log(10),
    }
    columns: dict[str, Any] = {name: np.append(getattr(seen, name), values) for name, values in more.items()}
    return replace(seen, **columns, bets=bets, state=state)


def _share_acted_on(batch: WatchedBatch, threshold: float | None) -> float:
    return math.nan if threshold is None else float(np.mean(batch.score >= threshold))

"""A watch over a model in use: labelled batches against a promised cost."""

from __future__ import annotations

import math
import os
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import special

from stakes import _check
from stakes._arrays import FloatArray
from stakes._errors import InputError
from stakes._sealed_file import number_of, read_sealed, unreadable, write_sealed
from stakes._sealed_file import plain as plain_value
from stakes._wording import plain_number
from stakes.beliefs import CostBelief, as_costs, as_share, parse_belief
from stakes.cases import short
from stakes.monitoring._evidence import BETS, sequence_reach
from stakes.monitoring._extend_watch import extend_watch
from stakes.monitoring._watched_losses import most_loss
from stakes.uncertainty import Interval

_FEWEST = 30  # mistakes, below which a mean is far from normal

_KIND, _FORMAT, _WRITER = "stakes watch", 1, "Watch.save"


@dataclass(frozen=True, slots=True, repr=False, kw_only=True, eq=False)
class Watch:
    """A model in use, watched batch by batch; `update` returns it with one more.

    Attributes
    ----------
    cases : ndarray of int
        Number of cases of each batch.
    regret : ndarray of float64
        Expected regret of each batch, or how much more it is than that of the baseline.
    evidence : ndarray of float64
        Evidence after each batch that the cost exceeds what was promised, on the scale of log10; an alarm stands where
        it reaches the log10 of `false_alarm_every`.
    since_start : ndarray of float64
        The log10 of the wealth of a gambler who has bet since the start that the cost exceeds what was promised: 20
        times the stake, 1.3, is reached with probability 5% at most, ever, if it never does.
    alarms : ndarray of float64
        Share of cases that reach the threshold, by batch; ``nan`` without a threshold.
    promised, tolerance : float
        The regret that was promised, and what is tolerated beyond it.
    false_alarm_every : float
        At least so many batches pass between false alarms, on average.
    capacity, threshold : float or None
        The share of cases that can be acted on, and the score from which on one acts.
    baseline : str or None
        The model that costs are compared with, case by case, if any.
    largest_cluster : int or None
        The most cases that a cluster has, where cases come in clusters.
    costs : CostBelief
        The costs.
    words : str or None
        The words in which the costs were given, if any.
    bets : ndarray of float64
        Log evidence of each bet, to go on from.
    state : tuple
        Count, sum, sum of squares and log wealth of the gambler, to go on from.

    Examples
    --------
    >>> from stakes.monitoring import watch
    >>> months = [([0, 1, 0, 0] * 50, [0.1, 0.8, 0.3, 0.2] * 50)] * 3
    >>> watch(months, "20%", promised=0.15)
    Watch(3 batches of 600 cases, regret 0.1 to 0.1, promised 0.15; no alarm)
    """

    costs: CostBelief
    words: str | None
    promised: float
    tolerance: float
    false_alarm_every: float
    capacity: float | None
    threshold: float | None
    baseline: str | None
    largest_cluster: int | None
    cases: npt.NDArray[np.intp]
    regret: FloatArray
    evidence: FloatArray
    since_start: FloatArray
    alarms: FloatArray
    bets: FloatArray
    state: tuple[int, float, float, float]

    @property
    def alarm(self) -> int | None:
        """Index of the first batch after which the alarm stood; None if it never did."""
        first = np.flatnonzero(self.evidence >= math.log10(self.false_alarm_every))
        return int(first[0]) if len(first) else None

    @property
    def breaches(self) -> list[int]:
        """Indices of the batches with more alarms than the capacity allows."""
        return [] if self.capacity is None else np.flatnonzero(self.alarms > self.capacity).tolist()

    def breach_probability(self, cases: int) -> float:
        """Return the probability that the next batch has more alarms than the capacity allows.

        It is that of a beta-binomial law, Jeffreys' prior, so the uncertainty of the rate is in it. Alarms of one
        cluster come together, so it is ``nan`` in a watch with a `largest_cluster` of more than one case.
        """
        size = _check.whole_number("cases", cases, 1)
        if self.capacity is None or not len(self.cases) or (self.largest_cluster or 1) > 1:
            return math.nan
        seen, total = float(self.alarms @ self.cases), float(self.cases.sum())
        a, b = seen + 0.5, total - seen + 0.5
        k = np.arange(math.floor(self.capacity * size + 1e-9) + 1)
        logs = special.gammaln(size + 1) - special.gammaln(k + 1) - special.gammaln(size - k + 1)
        logs = logs + special.betaln(k + a, size - k + b) - special.betaln(a, b)
        return float(min(max(1 - np.exp(logs).sum(), 0.0), 1.0))

    def average(self, level: float | str = 0.95) -> Interval:
        """Return the mean cost of all cases so far, with an interval that holds whenever one looks.

        It is an asymptotic confidence sequence [1]_: at the level stated it contains, after every batch, the mean of
        the true costs so far, which is not the cost of the last batch. It is at least a third wider than an interval
        for one look. Its ends are ``nan`` in a watch with a `largest_cluster` of more than one case.

        Parameters
        ----------
        level : float or words, such as "90%"
            Probability of holding at all times.

        Returns
        -------
        Interval
            The mean, less that of the baseline if there is one; with a caution where few cases were mistakes.

        References
        ----------
        .. [1] I. Waudby-Smith, D. Arbour, R. Sinha, E. H. Kennedy and A. Ramdas (2024), "Time-uniform central limit
           theory and asymptotic confidence sequences", Annals of Statistics 52(6), 2613-2640.

        Examples
        --------
        >>> from stakes.monitoring import watch
        >>> months = [([0, 1, 0, 0] * 50, [0.1, 0.8, 0.3, 0.2] * 50)] * 3
        >>> watch(months, "20%", promised=0.15).average()
        Interval(0.1 [0.08516, 0.1148], analytic)
        """
        confidence = as_share("level", level, open_ends=True)
        count, total, squares, _ = self.state
        mean = float(self.regret @ self.cases / self.cases.sum()) if count else math.nan
        if not count or (self.largest_cluster or 1) > 1:
            return Interval(mean, math.nan, math.nan, "analytic")
        most, alone = most_loss(self.costs), self.baseline is None
        deviation = (most if alone else 2 * most) * math.sqrt(max(squares / count - (total / count) ** 2, 0.0))
        reach = sequence_reach(deviation, count, confidence)
        mistakes = (total**2 / squares if squares else 0.0) if alone else count
        caution = f"fewer than {_FEWEST} mistakes" if mistakes < _FEWEST else ""
        lower, upper = max(mean - reach, 0.0 if alone else -most), min(mean + reach, most)
        return Interval(mean, lower, upper, "analytic", caution=caution)

    def update(
        self,
        y: npt.ArrayLike,
        score: npt.ArrayLike,
        baseline: npt.ArrayLike | None = None,
        *,
        cluster: npt.ArrayLike | None = None,
    ) -> Watch:
        """Return the watch with one more batch, whose outcomes are all known.

        Parameters
        ----------
        y : array-like
            Outcomes, 0 or 1, in the order in which they came: never sorted by the outcome.
        score : array-like
            Scores of the model.
        baseline : array-like, optional
            Scores of the baseline, on the same cases; needed if the watch has one.
        cluster : array-like, keyword-only, optional
            Cluster labels, such as the patient: cases of one cluster come together or not at all, and are one bet, on
            the sum of what they lose beyond the promise; needs the `largest_cluster` of the watch.

        Returns
        -------
        Watch
            A new watch; an empty batch changes nothing.

        Examples
        --------
        >>> from stakes.monitoring import watch
        >>> seen = watch([], "20%", promised=0.05)
        >>> seen.update([0, 1, 0, 1] * 60, [0.9, 0.1, 0.3, 0.2] * 60).alarm
        0
        """
        return extend_watch(self, [{"y": y, "score": score, "baseline": baseline, "cluster": cluster}])

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the watch to a JSON file with the SHA-256 of its contents; it holds no cases."""
        if self.words is None:
            raise InputError("costs", "be given in words, such as '5%..20%', to be saved", type(self.costs).__name__)
        fields = {name: getattr(self, name) for name in (*_NUMBERS, *_COLUMNS)}
        plain = {name: one.tolist() if isinstance(one, np.ndarray) else one for name, one in fields.items()}
        plain["alarms"] = [None if math.isnan(one) else one for one in plain["alarms"]]
        contents = {"kind": _KIND, "format": _FORMAT, "costs": self.words, **plain}
        bets = [plain_value(one) for one in self.bets.tolist()]  # -infinity before the first batch
        write_sealed(_check.path("path", path), contents | {"bets": bets, "state": list(self.state)})

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Watch:
        """Read a watch written by `save`, to go on with `update`; raise if the file was changed since."""
        source = _check.path("path", path)
        contents = read_sealed(source, _KIND, _FORMAT, _WRITER)
        try:
            return cls(**_fields(contents))
        except (KeyError, TypeError, ValueError):
            raise unreadable(source, _WRITER, "it lacks a part, or has one of the wrong kind") from None

    def __len__(self) -> int:
        return len(self.cases)

    def __repr__(self) -> str:
        if not len(self):
            return f"Watch(no batch yet, promised {plain_number(self.promised)})"
        batches = "1 batch" if len(self) == 1 else f"{len(self)} batches"
        less = "" if self.baseline is None else f" less that of {short(self.baseline)}"
        span = f"regret{less} {plain_number(self.regret.min())} to {plain_number(self.regret.max())}"
        alarm = "no alarm" if self.alarm is None else f"alarm after batch {self.alarm + 1}"
        return (
            f"Watch({batches} of {self.cases.sum():,} cases, {span}, promised {plain_number(self.promised)}; {alarm})"
        )


_NUMBERS = ("promised", "tolerance", "false_alarm_every", "capacity", "threshold", "baseline", "largest_cluster")
_COLUMNS = ("cases", "regret", "evidence", "since_start", "alarms")


def _fields(contents: dict[str, Any]) -> dict[str, Any]:
    """Return the fields of a watch from plain values."""
    words = contents["costs"]
    columns = {name: np.array(contents[name], dtype=np.float64) for name in _COLUMNS}
    bets, state = np.array([*map(number_of, contents["bets"])]), np.array(contents["state"], dtype=np.float64)
    if len({len(one) for one in columns.values()}) > 1 or len(bets) != len(BETS) or len(state) != 4:
        raise ValueError
    complete = [columns[name] for name in _COLUMNS if name != "alarms"]  # which are not known without a threshold
    if np.isnan(np.concatenate([*complete, bets, state])).any() or np.any(columns["cases"] < 1):
        raise ValueError
    numbers = {name: contents[name] for name in _NUMBERS}
    _check_numbers(**numbers)
    made = {"costs": as_costs("costs", parse_belief(words)), "words": words, "bets": bets}
    count, *sums = state.tolist()
    return {**columns, **numbers, **made, "cases": columns["cases"].astype(np.intp), "state": (int(count), *sums)}


def _check_numbers(*, baseline: object, largest_cluster: object, **numbers: float | None) -> None:
    """Raise unless the numbers of a watch are those that `watch` accepts."""
    limits = (numbers.pop("capacity"), numbers.pop("threshold"))
    promised, tolerance, every = (_check.number(name, one) for name, one in numbers.items())
    shares = [_check.number("capacity", one) for one in limits if one is not None]
    whole = largest_cluster is None or _check.whole_number("largest_cluster", largest_cluster, 1)
    if (
        not isinstance(baseline, str | None)
        or not whole
        or every <= 1
        or tolerance < 0
        or (promised <= 0 and baseline is None)
        or (limits[0] is not None and not 0 <= shares[0] <= 1)
    ):
        raise ValueError

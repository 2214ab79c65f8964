"""A watch over a model in use: labelled batches against a promised cost."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import special

from stakes import _check, _columns
from stakes._arrays import FloatArray
from stakes._errors import InputError, InputTypeError
from stakes._sealed_file import read_sealed, unreadable, write_sealed
from stakes._wording import plain_number
from stakes.beliefs import BeliefLike, CostBelief, as_costs, as_number, as_share, parse_belief
from stakes.monitoring._evidence import BETS, detected, mean_evidence, wealth

_KIND, _FORMAT, _WRITER = "stakes watch", 1, "Watch.save"


@dataclass(frozen=True, slots=True, repr=False, kw_only=True, eq=False)
class Watch:
    """A model in use, watched batch by batch; `update` returns it with one more.

    Attributes
    ----------
    cases : ndarray of int
        Number of cases of each batch.
    regret : ndarray of float64
        Expected regret of each batch.
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

        It is that of a beta-binomial law, Jeffreys' prior, so the uncertainty of the rate is in it.
        """
        size = _check.whole_number("cases", cases, 1)
        if self.capacity is None or not len(self.cases):
            return math.nan
        seen, total = float(self.alarms @ self.cases), float(self.cases.sum())
        a, b = seen + 0.5, total - seen + 0.5
        k = np.arange(math.floor(self.capacity * size + 1e-9) + 1)
        logs = special.gammaln(size + 1) - special.gammaln(k + 1) - special.gammaln(size - k + 1)
        logs = logs + special.betaln(k + a, size - k + b) - special.betaln(a, b)
        return float(min(max(1 - np.exp(logs).sum(), 0.0), 1.0))

    def update(self, y: npt.ArrayLike, score: npt.ArrayLike) -> Watch:
        """Return the watch with one more batch, whose outcomes are all known.

        Parameters
        ----------
        y : array-like
            Outcomes, 0 or 1, in the order in which they came: never sorted by the outcome.
        score : array-like
            Scores of the model.

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
        if np.shape(y) == (0,) and np.shape(score) == (0,):
            return self
        positive = _columns.outcome("y", y)
        scores = np.asarray(_columns.probabilities("score", score), dtype=np.float64)
        _columns.check_same_length(y=positive, score=scores)
        loss = np.where(positive, self.costs.loss_if_positive(scores), self.costs.loss_if_negative(scores))
        most, null = most_loss(self.costs), self.promised + self.tolerance
        x = np.clip(loss / most, 0.0, 1.0)
        bets, state = detected(self.bets, x, null / most), wealth(x, null / most, self.state)
        acted = math.nan if self.threshold is None else float(np.mean(scores >= self.threshold))
        more = {"cases": len(x), "regret": float(loss.mean()), "alarms": acted}
        more |= {"evidence": mean_evidence(bets) / math.log(10), "since_start": state[3] / math.log(10)}
        grown: dict[str, Any] = {name: np.append(getattr(self, name), value) for name, value in more.items()}
        return replace(self, **grown, bets=bets, state=state)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the watch to a JSON file with the SHA-256 of its contents; it holds no cases."""
        if self.words is None:
            raise InputError("costs", "be given in words, such as '5%..20%', to be saved", type(self.costs).__name__)
        fields = {name: getattr(self, name) for name in (*_NUMBERS, *_COLUMNS)}
        plain = {name: one.tolist() if isinstance(one, np.ndarray) else one for name, one in fields.items()}
        plain["alarms"] = [None if math.isnan(one) else one for one in plain["alarms"]]
        contents = {"kind": _KIND, "format": _FORMAT, "costs": self.words, **plain}
        write_sealed(_check.path("path", path), contents | {"bets": self.bets.tolist(), "state": list(self.state)})

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
        span = f"regret {plain_number(self.regret.min())} to {plain_number(self.regret.max())}"
        alarm = "no alarm" if self.alarm is None else f"alarm after batch {self.alarm + 1}"
        return (
            f"Watch({batches} of {self.cases.sum():,} cases, {span}, promised {plain_number(self.promised)}; {alarm})"
        )


_NUMBERS = ("promised", "tolerance", "false_alarm_every", "capacity", "threshold")
_COLUMNS = ("cases", "regret", "evidence", "since_start", "alarms")


def _fields(contents: dict[str, Any]) -> dict[str, Any]:
    """Return the fields of a watch from plain values."""
    words = contents["costs"]
    columns = {name: np.array(contents[name], dtype=np.float64) for name in _COLUMNS}
    state = contents["state"]
    if len({len(one) for one in columns.values()}) > 1 or len(contents["bets"]) != len(BETS) or len(state) != 4:
        raise ValueError
    numbers = {name: contents[name] for name in _NUMBERS}
    made = {"costs": as_costs("costs", parse_belief(words)), "words": words, "bets": np.array(contents["bets"])}
    return {**columns, **numbers, **made, "cases": columns["cases"].astype(np.intp), "state": tuple(state)}


def most_loss(costs: CostBelief) -> float:
    """Return the most that a case can lose; raise if there is no bound."""
    with np.errstate(all="ignore"):
        ends = costs.loss_if_positive(np.zeros(1)), costs.loss_if_negative(np.ones(1))
    most = max(float(np.ravel(one)[0]) for one in ends)
    if not (math.isfinite(most) and most > 0):
        raise InputError("costs", "have a largest loss, as those of `expected_regret` with a range have", "no bound")
    return most


def watch(
    batches: Iterable[tuple[npt.ArrayLike, npt.ArrayLike]],
    costs: BeliefLike,
    *,
    promised: float,
    tolerance: float = 0.0,
    false_alarm_every: float = 240,
    capacity: float | str | None = None,
    threshold: float | str | None = None,
) -> Watch:
    r"""Watch labelled batches of a model in use, for a cost that exceeds what was promised.

    The loss of every case, as a share of the largest, is bet against: a gambler who stakes the share *g* of the mean
    :math:`m_0` that was promised wins :math:`1 + g (x/m_0 - 1)` with each case, which is fair or worse as long as the
    promise holds, whatever else changes. Evidence is the mean over several *g* of what gamblers would have who began
    at every batch, :math:`M_t = e_t (M_{t-1} + 1)`. The alarm stands where it reaches `false_alarm_every`: on average
    at least so many batches pass between false alarms [1]_. The default, 240, is once in 20 years of months.

    A batch enters when all its outcomes are known: those that come early are no sample. Where acting prevents outcomes,
    label some cases that were not acted on. After a repair, begin a new watch.

    Parameters
    ----------
    batches : iterable of (y, score)
        Outcomes and scores of each batch, in the order of time; cases in the order in which they came.
    costs : belief, number or words, such as "5%..20%"
        Belief about the costs; in words, if the watch is to be saved.
    promised : float, keyword-only
        The expected regret that was promised: from a validation, the upper end of its interval.
    tolerance : float, keyword-only
        What is tolerated beyond it.
    false_alarm_every : float, keyword-only
        Mean number of batches between false alarms, at least.
    capacity : float or words, such as "10%", keyword-only, optional
        Largest share of cases that can be acted on.
    threshold : float or words, keyword-only, optional
        Score from which on one acts; needed with a capacity.

    Returns
    -------
    Watch
        Regret, evidence and alarms of every batch.

    References
    ----------
    .. [1] J. Shin, A. Ramdas and A. Rinaldo (2024), "E-detectors: a nonparametric framework for sequential change
       detection", New England Journal of Statistics in Data Science 2(2), 229-260.

    Examples
    --------
    >>> from stakes.monitoring import watch
    >>> good, bad = [0.1, 0.8, 0.3, 0.2] * 50, [0.6, 0.1, 0.7, 0.2] * 50
    >>> seen = watch([([0, 1, 0, 0] * 50, one) for one in (good, good, bad)], "20%", promised=0.12)
    >>> seen.alarm  # the third batch
    2
    """
    belief = as_costs("costs", costs)
    most, words = most_loss(belief), costs if isinstance(costs, str) else None
    least, slack = _check.number_above("promised", promised), _check.non_negative_number("tolerance", tolerance)
    if least + slack >= most:
        raise InputError("promised", f"be less than the largest loss, {most:g}", f"{least + slack:g}")
    every = _check.number_above("false_alarm_every", false_alarm_every, 1.0)
    most_acted = None if capacity is None else as_share("capacity", capacity)
    if most_acted is not None and threshold is None:
        raise InputError("threshold", "be given with `capacity`", "None")
    cut = None if threshold is None else as_number("threshold", threshold)
    none = np.zeros(0)
    seen = Watch(
        costs=belief, words=words, promised=least, tolerance=slack, false_alarm_every=every, capacity=most_acted,
        threshold=cut, cases=none.astype(np.intp), regret=none, evidence=none, since_start=none, alarms=none,
        bets=np.full(len(BETS), -np.inf), state=(0, 0.0, 0.0, 0.0),
    )  # fmt: skip
    for batch in _pairs(batches):
        seen = seen.update(*batch)
    return seen


def _pairs(batches: object) -> Iterable[tuple[Any, Any]]:
    """Yield batches; raise unless each is a pair."""
    if not isinstance(batches, Iterable) or isinstance(batches, str):
        raise InputTypeError("batches", "be pairs of outcomes and scores", _check.show(batches))
    for number, batch in enumerate(batches):
        if not isinstance(batch, tuple | list) or len(batch) != 2:
            raise InputTypeError(
                "batches", "be pairs of outcomes and scores", f"{_check.show(batch)} at batch {number}"
            )
        yield batch[0], batch[1]

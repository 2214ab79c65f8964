"""Begin a watch over a model in use: its promise, its alarm, and the batches so far."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from stakes import _check
from stakes._errors import InputError, InputTypeError
from stakes.beliefs import BeliefLike, as_costs, as_share
from stakes.monitoring._evidence import BETS
from stakes.monitoring._extend_watch import extend_watch
from stakes.monitoring._watch import Watch
from stakes.monitoring._watched_losses import most_loss

_ARGUMENTS = ("y", "score", "baseline", "cluster")
_TRIPLES = "outcomes, scores and scores of the baseline"


def watch(
    batches: Iterable[tuple[npt.ArrayLike, ...] | Mapping[str, npt.ArrayLike]],
    costs: BeliefLike,
    *,
    promised: float,
    tolerance: float = 0.0,
    baseline: str | None = None,
    largest_cluster: int | None = None,
    false_alarm_every: float = 240,
    capacity: float | str | None = None,
    threshold: float | str | None = None,
) -> Watch:
    r"""Watch labelled batches of a model in use, for a cost that exceeds what was promised.

    Imaginary gamblers bet that cases lose more than was promised. With *x* the loss of a case as a share of the largest
    and :math:`m_0` the promised mean, a gambler who stakes *g* multiplies the capital by :math:`1 + g (x/m_0 - 1)` with
    each case, which is fair or worse as long as the promise holds, whatever else changes. One gambler begins at every
    batch; evidence is what they have together, :math:`M_t = e_t (M_{t-1} + 1)`, as a mean over several *g*. The alarm
    stands where it reaches `false_alarm_every`: on average at least so many batches pass between false alarms [1]_.
    The default, 240, is once in 20 years if a batch is a month.

    A batch counts once all its outcomes are known: early outcomes are not representative. Where acting prevents
    outcomes, label some cases that were not acted on. After a repair, begin a new watch.

    With a `baseline`, the loss of each case is how much more the model loses there than the other, on the scale from
    :math:`-D` to *D*, the largest loss: has the new model become worse than the old one, by more than was promised?

    Cases of one cluster, such as the visits of a patient, are not fair bets one by one; give their labels, and the most
    cases *K* that a cluster may have. A cluster is then one bet, on :math:`m_0 + \sum_i (x_i - m_0)/K`, so that the
    promise is still one per case, also where large clusters lose more or less than small ones.

    Parameters
    ----------
    batches : iterable of (y, score) or of mappings
        Outcomes and scores of each batch, in the order of time; cases in the order in which they came. With a baseline,
        (y, score, score of the baseline). A mapping has the arguments of `Watch.update`: ``y``, ``score``,
        ``baseline``, ``cluster``.
    costs : belief, number or words, such as "5%..20%"
        Belief about the costs; in words, if the watch is to be saved.
    promised : float, keyword-only
        The expected regret that was promised: from a validation, the upper end of its interval. With a baseline, how
        much more the model may cost than that, which may be 0 or less.
    tolerance : float, keyword-only
        What is tolerated beyond it.
    baseline : str, keyword-only, optional
        Name of another model, with which the costs are compared case by case.
    largest_cluster : int, keyword-only, optional
        The most cases that a cluster of a batch can have, known beforehand; needed with clusters. Evidence is slower
        the further it lies above what clusters have.
    false_alarm_every : float, keyword-only
        Mean number of batches between false alarms, at least.
    capacity : float or words, such as "10%", keyword-only, optional
        Largest share of cases that can be acted on.
    threshold : float or words, keyword-only, optional
        Score from which on one acts, a probability; needed with a capacity.

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
    words = costs if isinstance(costs, str) else None
    if baseline is not None:
        _check.check_type(str, "baseline", baseline)
    least, slack = _promise(promised, tolerance, most_loss(belief), paired=baseline is not None)
    every = _check.number_above("false_alarm_every", false_alarm_every, 1.0)
    most_acted = None if capacity is None else as_share("capacity", capacity)
    if most_acted is not None and threshold is None:
        raise InputError("threshold", "be given with `capacity`", "None")
    cut = None if threshold is None else as_share("threshold", threshold)
    largest = None if largest_cluster is None else _check.whole_number("largest_cluster", largest_cluster, 1)
    none = np.zeros(0)
    unseen = Watch(
        costs=belief, words=words, promised=least, tolerance=slack, false_alarm_every=every, capacity=most_acted,
        threshold=cut, baseline=baseline, largest_cluster=largest, cases=none.astype(np.intp), regret=none,
        evidence=none, since_start=none, alarms=none, bets=np.full(len(BETS), -np.inf), state=(0, 0.0, 0.0, 0.0),
    )  # fmt: skip
    return extend_watch(unseen, _arguments(batches, 2 if baseline is None else 3))


def _promise(promised: float, tolerance: float, most: float, *, paired: bool) -> tuple[float, float]:
    """Return a promise and its tolerance; raise unless some loss is larger, and some smaller."""
    least = _check.number("promised", promised) if paired else _check.number_above("promised", promised)
    slack = _check.non_negative_number("tolerance", tolerance)
    if least + slack >= most:
        raise InputError("promised", f"be less than the largest loss, {most:g}", f"{least + slack:g}")
    if paired and least + slack <= -most:
        raise InputError("promised", f"be more than the largest gain, {-most:g}", f"{least + slack:g}")
    return least, slack


def _arguments(batches: object, columns: int) -> Iterator[dict[str, Any]]:
    """Yield the arguments of each batch; raise unless it is a tuple of the columns, or a mapping."""
    wanted = f"be {'pairs of outcomes and scores' if columns == 2 else _TRIPLES}"
    if not isinstance(batches, Iterable) or isinstance(batches, str | Mapping):
        raise InputTypeError("batches", wanted, _check.show(batches))
    for number, batch in enumerate(batches):
        if isinstance(batch, Mapping) and {"y", "score"} <= set(batch) <= set(_ARGUMENTS):
            yield dict(batch)
        elif isinstance(batch, tuple | list) and len(batch) == columns:
            yield dict(zip(_ARGUMENTS, batch, strict=False))
        else:
            raise InputTypeError("batches", wanted, f"{_check.show(batch)} at batch {number}")

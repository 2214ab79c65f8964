"""Protocols of beliefs about a prevalence and about costs, and helpers that several families share."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping, Set
from typing import Any, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from stakes import _check
from stakes._arrays import FloatArray
from stakes._errors import InputError, InputTypeError


@runtime_checkable
class Belief(Protocol):
    """A belief about a number in (0, 1), such as the prevalence where a model will be used.

    Every distribution here is one, from `At` to `Mixture`. Functions that take a belief also take a number, known
    exactly, or words such as "5%..20%" (see `parse_belief`). A continuous belief of one's own also needs `density`, a
    function from an array of points to an array of values, to be used as a prevalence.

    See Also
    --------
    CostBelief : Protocol of a belief about costs.

    Examples
    --------
    >>> from stakes import At, Uniform
    >>> from stakes.beliefs import Belief
    >>> isinstance(Uniform(0.05, 0.2), Belief), isinstance(At(0.1), Belief), isinstance(0.1, Belief)
    (True, True, False)
    """

    @property
    def mean(self) -> float:
        """Mean of the number."""
        ...

    @property
    def support(self) -> tuple[float, float]:
        """The lowest and the highest possible value."""
        ...

    def sample(self, n: int, rng: np.random.Generator | int | None = None) -> FloatArray:
        """Draw `n` values."""
        ...


@runtime_checkable
class CostBelief(Protocol):
    r"""A belief about the cost proportion of a false alarm, as two pointwise losses.

    Any object with these two methods can be passed as `costs`, and so can a number, known exactly, or words such as
    "5%..20%". For a distribution :math:`H` of the cost proportion :math:`c` they are

    .. math::

        \ell_1(s) = \int_{c > s} (1 - c) \, dH(c), \qquad \ell_0(s) = \int_{c \le s} c \, dH(c):

    a positive with score :math:`s` is missed wherever :math:`c > s`, a negative raises a false alarm
    wherever :math:`c \le s` (act if and only if score >= threshold). Functions that need more say so: `mean`,
    `density`, `support`, `sample`, `share_above`, `odds_up_to`.

    Examples
    --------
    A belief of one's own, by which a false alarm costs as much as a miss:

    >>> import numpy as np
    >>> from stakes import At, expected_regret, score_table
    >>> from stakes.beliefs import CostBelief
    >>> class Half:
    ...     def loss_if_positive(self, score):
    ...         return 0.5 * (np.asarray(score) < 0.5)
    ...     def loss_if_negative(self, score):
    ...         return 0.5 * (np.asarray(score) >= 0.5)
    >>> isinstance(Half(), CostBelief)
    True
    >>> table = score_table(y=[0, 1, 1], score=[0.7, 0.2, 0.9])
    >>> expected_regret(table, Half()) == expected_regret(table, At(0.5))
    True
    """

    def loss_if_positive(self, score: npt.ArrayLike) -> FloatArray:
        """Mean cost of a positive with this score, which is missed wherever the cost exceeds the score."""
        ...

    def loss_if_negative(self, score: npt.ArrayLike) -> FloatArray:
        """Mean cost of a negative with this score, a false alarm wherever the cost is at most the score."""
        ...


class OfActions(ABC):
    """A belief that stands for several actions and their costs, whatever these are made of."""

    @property
    @abstractmethod
    def mean(self) -> float:
        """Mean of the thresholds between the actions."""

    @property
    @abstractmethod
    def only_threshold(self) -> float | None:
        """The threshold, if there is one and it is known exactly; otherwise None."""


def times(value: float, where: npt.NDArray[np.bool_]) -> FloatArray:
    """Return `value` where the condition holds and 0 elsewhere."""
    return np.where(where, value, 0.0)


def as_scores(score: npt.ArrayLike) -> FloatArray:
    """Return scores as float64, in which every loss is computed; symbolic arrays are left unchanged."""
    if hasattr(score, "__array_function__") and not isinstance(score, np.ndarray):
        return score  # type: ignore[return-value]
    return np.asarray(score, dtype=np.float64)


def elements(name: str, wanted: str, values: Any) -> list[Any]:
    """Return the elements of a list, a tuple or an array; raise if there are none."""
    countable = hasattr(values, "__len__") and getattr(values, "ndim", 1) == 1
    if not countable or isinstance(values, str | bytes | Mapping | Set):
        raise InputTypeError(name, f"be a list of {wanted}", type(values).__name__)
    if not len(values):
        raise InputError(name, f"be a list of {wanted}", "an empty one")
    return list(values)


def shares(name: str, values: Any) -> FloatArray:
    """Return weights divided by their sum; raise if one is negative or all are 0."""
    weights = [
        _check.non_negative_number(f"{name}[{k}]", weight) for k, weight in enumerate(elements(name, "numbers", values))
    ]
    if not any(weights):
        raise InputError(name, "hold a weight greater than 0", "none")
    _, exponent = math.frexp(max(weights))
    scaled = np.ldexp(weights, -exponent)  # exact, with a finite sum
    return np.asarray(scaled / scaled.sum())

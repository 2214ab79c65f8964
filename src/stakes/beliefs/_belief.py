"""What a belief must offer to be used as costs, and the functions that several families share."""

from __future__ import annotations

import math
from collections.abc import Mapping, Set
from typing import Any, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from stakes import _check
from stakes._arrays import FloatArray
from stakes._errors import InputError, InputTypeError


@runtime_checkable
class CostBelief(Protocol):
    r"""What is believed about the cost proportion of a false alarm, as two pointwise losses.

    Any object with these two methods can be passed as `costs`. For a distribution :math:`H` of the
    cost proportion :math:`c` they are

    .. math::

        \ell_1(s) = \int_{c > s} (1 - c) \, dH(c), \qquad \ell_0(s) = \int_{c \le s} c \, dH(c):

    a positive with score :math:`s` is missed wherever :math:`c > s`, a negative raises a false alarm
    wherever :math:`c \le s` (act iff score >= cut). Some functions need more, and say so: `mean`,
    `density`, `support`, `sample`, `share_above`, `odds_up_to`.

    Examples
    --------
    A belief of one's own: a false alarm costs half of everything, for certain.

    >>> import numpy as np
    >>> from stakes import At, CostBelief, expected_regret, score_table
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
        """Mean cost of a positive with this score: it is missed wherever the cost exceeds the score."""
        ...

    def loss_if_negative(self, score: npt.ArrayLike) -> FloatArray:
        """Mean cost of a negative with this score: it alarms wherever the cost does not exceed the score."""
        ...


def times(value: float, where: npt.NDArray[np.bool_]) -> FloatArray:
    """Return `value` where the condition holds and 0 elsewhere."""
    return np.where(where, value, 0.0)


def as_scores(score: npt.ArrayLike) -> FloatArray:
    """Return scores as float64, in which every loss is computed; what only speaks NumPy's language stays what it is."""
    if hasattr(score, "__array_function__") and not isinstance(score, np.ndarray):
        return score  # type: ignore[return-value]
    return np.asarray(score, dtype=np.float64)


def elements(name: str, wanted: str, values: Any) -> list[Any]:
    """Return the elements of a list, a tuple or an array, of which there must be at least one."""
    countable = hasattr(values, "__len__") and getattr(values, "ndim", 1) == 1
    if not countable or isinstance(values, str | bytes | Mapping | Set):
        raise InputTypeError(name, f"be a list of {wanted}", type(values).__name__)
    if not len(values):
        raise InputError(name, f"be a list of {wanted}", "an empty one")
    return list(values)


def shares(name: str, values: Any) -> FloatArray:
    """Return weights, not negative and not all 0, divided by their sum."""
    weights = [
        _check.at_least_zero(f"{name}[{k}]", weight) for k, weight in enumerate(elements(name, "numbers", values))
    ]
    if not any(weights):
        raise InputError(name, "hold a weight greater than 0", "none")
    _, exponent = math.frexp(max(weights))
    scaled = np.ldexp(weights, -exponent)  # exact, and its sum is finite
    return np.asarray(scaled / scaled.sum())

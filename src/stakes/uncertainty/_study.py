"""Shared work for several questions about one measure."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from numbers import Real
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from stakes._arrays import FloatArray
from stakes._errors import InputTypeError
from stakes.cases import Cases
from stakes.uncertainty._influence import moves
from stakes.uncertainty._known import Known, Statistic, is_ours, recognise, split

_MOST = 1 << 25  # numbers kept for one sample, a quarter of a gigabyte; larger samples are looked at again


@dataclass
class _Kept:
    """What was found about one of our own functions with these arguments."""

    function: Statistic
    named: dict[str, Any]
    estimates: dict[str, float] = field(default_factory=dict)
    moves: dict[str, FloatArray] = field(default_factory=dict)


# The last function of each sample, for as long as the sample lives.
_KEPT: WeakKeyDictionary[Cases, _Kept] = WeakKeyDictionary()


def _kept(cases: Cases, statistic: Statistic, ours: bool) -> _Kept:
    """Return what was found already, if it is sure to be the same function: ours, with arguments that cannot change."""
    function, _, named = split(statistic)
    found = _KEPT.get(cases)
    if found is not None and found.function is function and found.named == named:
        return found
    made = _Kept(function, named)
    if ours and all(isinstance(value, Real) or is_ours(type(value)) for value in named.values()):
        _KEPT[cases] = made
    return made


def number(value: object) -> float:
    """Return what a statistic gave, if it is one number."""
    if isinstance(value, bool | np.bool_) or not isinstance(value, int | float | np.number):
        raise InputTypeError("statistic", "return a number", type(value).__name__)
    return float(value)


class Study:
    """The value of a statistic and what each case moves it by, for one model after another."""

    def __init__(self, cases: Cases, statistic: Statistic) -> None:
        self.cases, self.statistic = cases, statistic
        self.formula = recognise(statistic)
        self._kept = _kept(cases, statistic, self.formula is not None)

    @property
    def known(self) -> Known:
        """What is known about the statistic; ask only where `formula` is not none."""
        assert self.formula is not None
        return self.formula

    def estimate(self, model: str) -> float:
        """Return the statistic of the sample; an undefined one is not kept, so that it warns every time."""
        kept = self._kept.estimates
        if model in kept:
            return kept[model]
        found = number(self.statistic(self.cases.table(model)))
        if math.isfinite(found):
            kept[model] = found
        return found

    def moves(self, model: str) -> FloatArray:
        """Return what each independent unit moves the statistic by."""
        kept = self._kept.moves
        if model in kept:
            return kept[model]
        found = moves(self.cases, model, self.known)
        found.flags.writeable = False
        if len(self.cases) * len(self.cases.models) <= _MOST:
            kept[model] = found
        return found

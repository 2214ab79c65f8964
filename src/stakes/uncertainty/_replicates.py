"""A measure on every replicate, and the progress line of a long computation."""

from __future__ import annotations

import math
import sys
import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeVar

import numpy as np

from stakes import _check
from stakes._arrays import FloatArray
from stakes._errors import InputTypeError
from stakes.measures import Evaluate, Measure
from stakes.uncertainty._resample import Plan, ResampledModel


def number(value: object) -> float:
    """Return what a measure gave, if it is one number."""
    if isinstance(value, bool | np.bool_) or not isinstance(value, int | float | np.number):
        raise InputTypeError("measure", "return a number", type(value).__name__)
    return float(value)


def of_tables(function: Callable[..., Any], models: Sequence[ResampledModel]) -> Evaluate:
    """Evaluate a function of as many tables as there are models on one replicate after another."""

    def evaluate(counts: FloatArray) -> FloatArray:
        made = zip(*(model.tables(counts) for model in models), strict=True)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)  # a replicate of one class only: counted below
            return np.array([number(function(*one)) for one in made])

    return evaluate


def evaluator(measure: Measure, model: ResampledModel) -> Evaluate:
    """Return the fastest way to the measure of a replicate."""
    return of_tables(measure, [model]) if measure.form is None else measure.form.evaluator(model)


def replicates(plan: Plan, evaluate: list[Evaluate], n_resamples: int, rng: np.random.Generator) -> FloatArray:
    """Value of the measure of each model (a column) on each replicate (a row); undefined ones are left out."""
    found = [
        np.column_stack([one(counts) for one in evaluate])
        for counts in followed(plan.blocks(n_resamples, rng), n_resamples)
    ]
    return defined(np.concatenate(found))


def defined(values: FloatArray) -> FloatArray:
    """Leave out the replicates on which a measure is undefined, and say so."""
    undefined = np.isnan(values).any(axis=1)
    if not undefined.any():
        return values
    text = f"`measure` is undefined on {undefined.sum():,} of {len(values):,} replicates, which are left out."
    warnings.warn(text, RuntimeWarning, stacklevel=_check.stack_level())
    return values[~undefined] if not undefined.all() else np.full((1, values.shape[1]), math.nan)


Block = TypeVar("Block")


PATIENCE = 2.0  # seconds


_WIDTH = 30


def followed(blocks: Iterable[tuple[int, Block]], total: int) -> Iterator[Block]:
    """Pass blocks on; each comes with how many replicates are done once it is."""
    begin, shown = time.monotonic(), False
    for done, block in blocks:
        yield block
        if sys.stderr.isatty() and time.monotonic() - begin > PATIENCE:
            shown = True
            bar = "#" * (_WIDTH * done // total)
            print(f"\rresampling |{bar:{_WIDTH}}| {done:,} of {total:,}", end="", file=sys.stderr, flush=True)
    if shown:
        print(f"\r{'':{_WIDTH + 50}}\r", end="", file=sys.stderr, flush=True)

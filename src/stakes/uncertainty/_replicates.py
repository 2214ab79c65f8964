"""A measure on every replicate, and the progress bar of a long computation."""

from __future__ import annotations

import math
import sys
import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any, TypeVar

import numpy as np

from stakes import _check
from stakes._arrays import FloatArray
from stakes._errors import InputTypeError
from stakes.measures import Evaluate, Measure
from stakes.uncertainty._horizon_plans import mean_over_horizons
from stakes.uncertainty._resample import Plan, ResampledModel


def number(value: object) -> float:
    """Return the value of a measure as a float; raise unless it is one number."""
    if isinstance(value, bool | np.bool_) or not isinstance(value, int | float | np.number):
        raise InputTypeError("measure", "return a number", type(value).__name__)
    return float(value)


def table_evaluator(function: Callable[..., Any], models: Sequence[ResampledModel]) -> Evaluate:
    """Return an evaluator of a function of as many tables as there are models, one replicate at a time."""
    return mean_over_horizons(models, partial(_table_evaluator, function))


def _table_evaluator(function: Callable[..., Any], models: Sequence[ResampledModel]) -> Evaluate:
    def evaluate(counts: FloatArray) -> FloatArray:
        tables = zip(*(model.tables(counts) for model in models), strict=True)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)  # a replicate of one class only: `drop_undefined` counts it
            return np.array([number(function(*one)) for one in tables])

    return evaluate


def evaluator(measure: Measure, model: ResampledModel) -> Evaluate:
    """Return the fastest evaluator of a measure: of its form, of its function, or one by one."""
    return mean_over_horizons([model], partial(_evaluator, measure))


def _evaluator(measure: Measure, models: Sequence[ResampledModel]) -> Evaluate:
    (model,) = models
    if measure.form is not None:
        return measure.form.evaluator(model)
    own: Evaluate | None = measure.value.evaluator(model) if hasattr(measure.value, "evaluator") else None
    return own or _table_evaluator(measure, models)


def replicates(plan: Plan, evaluate: list[Evaluate], n_resamples: int, rng: np.random.Generator) -> FloatArray:
    """Return the measure of each model (columns) on each replicate (rows); undefined rows are dropped."""
    values = [
        np.column_stack([one(counts) for one in evaluate])
        for counts in with_progress(plan.blocks(n_resamples, rng), n_resamples)
    ]
    return drop_undefined(np.concatenate(values))


def drop_undefined(values: FloatArray) -> FloatArray:
    """Drop the replicates on which a measure is undefined, with a warning."""
    undefined = np.isnan(values).any(axis=1)
    if not undefined.any():
        return values
    text = f"`measure` is undefined on {undefined.sum():,} of {len(values):,} replicates, which are left out."
    warnings.warn(text, RuntimeWarning, stacklevel=_check.stack_level())
    return values[~undefined] if not undefined.all() else np.full((1, values.shape[1]), math.nan)


Block = TypeVar("Block")

PATIENCE = 2.0  # seconds

_WIDTH = 30


def with_progress(blocks: Iterable[tuple[int, Block]], total: int, doing: str = "resampling") -> Iterator[Block]:
    """Yield blocks, each given with the number of steps done after it, and show a progress bar."""
    begin, shown = time.monotonic(), False
    for done, block in blocks:
        yield block
        if sys.stderr.isatty() and time.monotonic() - begin > PATIENCE:
            shown = True
            bar = "#" * (_WIDTH * done // total)
            print(f"\r{doing} |{bar:{_WIDTH}}| {done:,} of {total:,}", end="", file=sys.stderr, flush=True)
    if shown:
        print(f"\r{'':{_WIDTH + 50}}\r", end="", file=sys.stderr, flush=True)

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
from stakes.table import ScoreTable
from stakes.uncertainty._influence import cell_values
from stakes.uncertainty._known import Area, Means, Statistic, recognise
from stakes.uncertainty._resample import Plan, ResampledModel
from stakes.uncertainty._shifted import Shifted
from stakes.uncertainty._study import number

Evaluate = Callable[[FloatArray], FloatArray]  # replicates x units -> replicates


def _of_means(known: Means, model: ResampledModel) -> Evaluate:
    """Sum over units by a product of matrices; `einsum` adds in the same order whatever the size of the block."""
    values = [model.pooled(column) for column in cell_values(known, model.fine)]
    columns = [model.adds.T @ column for column in (*values, np.ones(2 * len(model.table)))]

    def evaluate(counts: FloatArray) -> FloatArray:
        *sums, total = (np.einsum("ij,j->i", counts, column) for column in columns)
        return known.combine(np.stack(sums, axis=-1) / total[:, None])

    return evaluate


def _of_area(model: ResampledModel) -> Evaluate:
    def evaluate(counts: FloatArray) -> FloatArray:
        positive, negative = np.split(model.adds @ np.ascontiguousarray(counts.T), 2)
        won = (positive * (np.cumsum(negative, axis=0) - negative / 2)).sum(axis=0)
        with np.errstate(invalid="ignore"):
            area: FloatArray = won / (positive.sum(axis=0) * negative.sum(axis=0))
        return area

    return evaluate


def reweighed(model: ResampledModel, weights: FloatArray) -> ScoreTable:
    """Return the table of a model with other weights of its cells, rows that weigh nothing left out."""
    positive, negative = weights[: len(model.table)], weights[len(model.table) :]
    here = positive + negative > 0
    if here.all():
        return ScoreTable(model.table.score, positive, negative)
    return ScoreTable(model.table.score[here], positive[here], negative[here])


def tables(model: ResampledModel, counts: FloatArray) -> list[ScoreTable]:
    """Return the table of each replicate."""
    return [
        reweighed(model, weights) for weights in np.ascontiguousarray((model.adds @ np.ascontiguousarray(counts.T)).T)
    ]


def _of_one_table(statistic: Statistic, model: ResampledModel) -> Evaluate:
    if not isinstance(recognise(statistic), Shifted):
        return of_tables(statistic, [model])

    def value(table: ScoreTable) -> float:  # one class only is refused for a table that the user has made
        both = table.positive_total > 0 and table.negative_total > 0
        return statistic(table) if both else math.nan

    return of_tables(value, [model])


def of_tables(statistic: Callable[..., Any], models: Sequence[ResampledModel]) -> Evaluate:
    """Evaluate a function of as many tables as there are models on one replicate after another."""

    def evaluate(counts: FloatArray) -> FloatArray:
        made = zip(*(tables(model, counts) for model in models), strict=True)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)  # a replicate of one class only: counted below
            return np.array([number(statistic(*one)) for one in made])

    return evaluate


def evaluator(statistic: Statistic, model: ResampledModel) -> Evaluate:
    """Return the fastest way to the statistic of a replicate."""
    known = recognise(statistic)
    if isinstance(known, Means):
        return _of_means(known, model)
    return _of_area(model) if isinstance(known, Area) else _of_one_table(statistic, model)


def replicates(plan: Plan, evaluate: list[Evaluate], n_resamples: int, rng: np.random.Generator) -> FloatArray:
    """Value of the statistic of each model (a column) on each replicate (a row); undefined ones are left out."""
    found = [
        np.column_stack([one(counts) for one in evaluate])
        for counts in followed(plan.blocks(n_resamples, rng), n_resamples)
    ]
    return defined(np.concatenate(found))


def defined(values: FloatArray) -> FloatArray:
    """Leave out the replicates on which a statistic is undefined, and say so."""
    undefined = np.isnan(values).any(axis=1)
    if not undefined.any():
        return values
    text = f"`statistic` is undefined on {undefined.sum():,} of {len(values):,} replicates, which are left out."
    warnings.warn(text, RuntimeWarning, stacklevel=_check.level_outside())
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

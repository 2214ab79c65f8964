"""Miscalibration, corrected for the part that is due to chance."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from stakes import _check
from stakes._arrays import FloatArray
from stakes._check import Seed
from stakes.beliefs import BeliefLike, CostBelief, as_costs
from stakes.cases import Cases
from stakes.measures import decompose
from stakes.table import ScoreTable, frozen_table
from stakes.uncertainty._interval import as_level, check_cases
from stakes.uncertainty._replicates import with_progress
from stakes.uncertainty._resample import ResampledModel, plan


@dataclass(frozen=True, slots=True)
class Miscalibration:
    """Miscalibration of a model, and the part of it that is due to chance.

    Attributes
    ----------
    estimate : float
        The miscalibration of the sample, as `decompose` gives it: too large, since recalibration has seen the outcomes.
    floor : float
        The mean miscalibration, in samples of this size, of a perfectly calibrated model with the same scores.
    corrected : float
        The estimate less the floor; below 0 where the sample shows less than chance would.

    Examples
    --------
    >>> from stakes.uncertainty import Miscalibration
    >>> Miscalibration(estimate=0.004, floor=0.003, corrected=0.001).corrected
    0.001
    """

    estimate: float
    floor: float
    corrected: float


def miscalibration(
    cases: Cases, costs: BeliefLike, *, n_resamples: int = 500, rng: Seed = None, exact: bool = False
) -> dict[str, Miscalibration]:
    r"""Return the miscalibration of every model, corrected for the part that is due to chance.

    Recalibration has seen the outcomes, so even a perfectly calibrated model seems to gain from it. The floor is the
    mean miscalibration of samples with the same scores whose outcomes are drawn with the scores as their probabilities
    (consistency resampling). The ordinary bootstrap would remove only about half of the bias. Cases of one cluster are
    drawn as if they were independent.

    Parameters
    ----------
    cases : Cases
        The sample, with scores that are probabilities.
    costs : belief, number or words, such as "5%..20%"
        Belief about the cost proportion.
    n_resamples : int, keyword-only
        Number of resamples, at least 100.
    rng : int, Generator or SeedSequence, keyword-only, optional
        Seed or generator; the same seed gives the same numbers.
    exact : bool, keyword-only
        Whether to resample all rows of tables with more than 8192, instead of 512 coarse ones.

    Returns
    -------
    dict of str to Miscalibration
        Estimate, floor and their difference, in the units of `expected_regret`.

    References
    ----------
    .. [1] T. Dimitriadis, T. Gneiting and A. I. Jordan (2021), "Stable reliability diagrams for probabilistic
       classifiers", PNAS 118(8), e2016191118.

    Examples
    --------
    A calibrated model, and one whose scores are too extreme:

    >>> import numpy as np
    >>> from stakes import Cases, Uniform
    >>> from stakes.uncertainty import miscalibration
    >>> rng = np.random.default_rng(1)
    >>> risk = rng.beta(2, 5, 2000)
    >>> cases = Cases(rng.random(2000) < risk, {"right": risk, "bold": risk**2 / (risk**2 + (1 - risk) ** 2)})
    >>> result = miscalibration(cases, Uniform(), rng=1)
    >>> for model, parts in result.items():
    ...     print(f"{model:5} {parts.estimate:.4f} less {parts.floor:.4f} is {parts.corrected:.4f}")
    right 0.0014 less 0.0015 is -0.0001
    bold  0.0084 less 0.0014 is 0.0070
    """
    check_cases(cases)
    as_level(0.95, n_resamples)
    believed = as_costs("costs", costs)
    streams = _check.generator(rng).spawn(len(cases.models))
    models = {}
    for name, stream in zip(cases.models, streams, strict=True):
        estimate = decompose(cases.table(name), believed).miscalibration
        (model,) = plan(cases, (name,), exact=exact).models
        floor = _floor(cases, name, model, believed, n_resamples, stream)
        models[name] = Miscalibration(estimate, floor, estimate - floor)
    return models


def _floor(
    cases: Cases, name: str, model: ResampledModel, costs: CostBelief, n_resamples: int, rng: np.random.Generator
) -> float:
    """Return the mean miscalibration over resamples of the outcomes."""
    samples = _outcomes(model.table, rng) if cases.weight is None else _weighted_outcomes(cases, name, model, rng)
    numbered = ((done, next(samples)) for done in range(1, n_resamples + 1))
    values = []
    for positive in with_progress(numbered, n_resamples):
        weight = model.table.positive + model.table.negative
        negative = np.maximum(weight - positive, 0.0)
        values.append(decompose(frozen_table(model.table.score, positive, negative), costs).miscalibration)
    return float(np.mean(values))


def _outcomes(table: ScoreTable, rng: np.random.Generator) -> Iterator[FloatArray]:
    """Draw the number of positives of each row, all cases having weight 1."""
    count = np.rint(table.positive + table.negative).astype(np.int64)
    while True:
        yield rng.binomial(count, table.score).astype(np.float64)


def _weighted_outcomes(
    cases: Cases, name: str, model: ResampledModel, rng: np.random.Generator
) -> Iterator[FloatArray]:
    """Draw the class of each case; yield the weight of the positives of each row."""
    row = cases.rows(name) if model.group is None else model.group[cases.rows(name)]
    weight = np.asarray(cases.weight)
    while True:
        positive = rng.random(len(row)) < model.table.score[row]
        yield np.bincount(row, np.where(positive, weight, 0.0), minlength=len(model.table)).astype(
            np.float64, copy=False
        )

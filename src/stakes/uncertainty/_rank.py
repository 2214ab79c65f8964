"""Many models on the same cases: which is best, how surely, and what being wrong about it would cost."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from stakes import _check
from stakes._arrays import FloatArray, blocks
from stakes._check import Seed
from stakes._wording import described
from stakes.cases import Cases, short
from stakes.uncertainty._interval import caution, chosen, judged
from stakes.uncertainty._known import Statistic, is_smaller_better
from stakes.uncertainty._replicates import evaluator, replicates
from stakes.uncertainty._resample import plan
from stakes.uncertainty._study import Study


@dataclass(frozen=True, slots=True, repr=False)
class Ranking:
    """Which of several models is best, and how surely.

    Attributes
    ----------
    estimate : dict of str to float
        The statistic of each model, best first; the other parts come in the same order.
    probability_best : dict of str to float
        The probability that the model is the best of them; ties are shared.
    ranks : dict of str to ndarray
        The probability of each rank, from first to last.
    expected_loss : dict of str to float
        What choosing the model is expected to lose against the best one, in units of the statistic.
    value_of_information : float
        What knowing the best model for certain would be worth: the smallest expected loss.
    optimism : float
        By how much the model that looks best is expected to look better than it is, for having been chosen.
    method : str
        How they were found: analytic or bootstrap.
    caution : str
        Why not to trust it, if the sample is small; else empty.

    Examples
    --------
    >>> from stakes import Cases, brier_score, rank
    >>> cases = Cases([0, 1, 1, 0] * 9, {"a": [0.1, 0.8, 0.9, 0.2] * 9, "b": [0.5, 0.5, 0.5, 0.5] * 9})
    >>> rank(cases, brier_score, rng=1)
    Ranking(2 models: a is best with probability 1.000, knowing the best is worth 0, analytic)
    >>> rank(cases, brier_score, rng=1).probability_best
    {'a': 1.0, 'b': 0.0}
    """

    estimate: dict[str, float]
    probability_best: dict[str, float]
    ranks: dict[str, FloatArray]
    expected_loss: dict[str, float]
    value_of_information: float
    optimism: float
    method: str
    caution: str = ""

    def __repr__(self) -> str:
        best = next(iter(self.estimate))
        sure = f"{short(best)} is best with probability {self.probability_best[best]:.3f}"
        worth = f"knowing the best is worth {self.value_of_information:.3g}"
        return f"Ranking({len(self.estimate)} models: {sure}, {worth}, {described(self.method, self.caution)})"


def rank(
    cases: Cases,
    statistic: Statistic,
    *,
    smaller_is_better: bool | None = None,
    method: str = "auto",
    n_resamples: int = 2000,
    rng: Seed = None,
    by_class: bool = False,
    exact: bool = False,
) -> Ranking:
    r"""Rank models by a function of a table, and say how sure the ranking is.

    With :math:`g_m` the statistic of model *m*, turned so that larger is better, and the mean taken over what its value
    may be where the sample comes from (all models together, on the same cases):

    .. math:: P(\text{m is best}) = P(g_m = \max_k g_k), \quad L_m = E[\max_k g_k - g_m], \quad EVPI = \min_m L_m.

    All models are compared at once, so the probabilities need no correction for their number; the winner's own number
    does, and `optimism` estimates it: the mean over replicates of how much better the replicate's winner looks there
    than in the sample, less the same for all models.

    Parameters
    ----------
    cases : Cases
        The sample.
    statistic : callable
        A function of a table that returns a number.
    smaller_is_better : bool, keyword-only, optional
        Which way is better; known for our own functions, and needed for any other.
    method : {"auto", "analytic", "bootstrap"}, keyword-only
        Draws from the normal distribution with the covariance of the influence functions, or replicates of the sample;
        auto is analytic for our own functions that have a formula.
    n_resamples : int, keyword-only
        How many draws, at least 100.
    rng : int, Generator or SeedSequence, keyword-only, optional
        Where the random numbers come from; the same seed gives the same numbers.
    by_class : bool, keyword-only
        Whether replicates keep the number of positives.
    exact : bool, keyword-only
        Whether to resample all rows of tables with more than 8192, instead of 512 coarse ones.

    Returns
    -------
    Ranking
        The models, best first, with the probability of every rank and what each choice is expected to lose.

    Examples
    --------
    >>> from functools import partial
    >>> from stakes import At, Cases, net_benefit, rank
    >>> from stakes.datasets import load_cohort
    >>> cohort = load_cohort()
    >>> models = {"marker": cohort["cancerpredmarker"], "family": cohort["famhistory"]}
    >>> found = rank(Cases(cohort["cancer"], models), partial(net_benefit, costs=At(0.15)), rng=1)
    >>> {name: round(probability, 2) for name, probability in found.probability_best.items()}
    {'marker': 1.0, 'family': 0.0}
    """
    judged(cases, statistic, 0.95, n_resamples)
    study, smaller = Study(cases, statistic), is_smaller_better(statistic, smaller_is_better)
    estimate = np.array([study.estimate(name) for name in cases.models])
    way = chosen(method, study.formula, "bootstrap", ("bootstrap",))
    stream = _check.generator(rng)
    if way == "analytic":
        values = estimate + _normal(study, n_resamples, stream)
    else:
        units = plan(cases, cases.models, by_class=by_class, exact=exact)
        evaluate = [evaluator(statistic, model) for model in units.models]
        base = [one(units.sample[None])[0] for one in evaluate]
        values = replicates(units, evaluate, n_resamples, stream) - base + estimate
    sign = -1.0 if smaller else 1.0
    return replace(_ranked(cases.models, estimate, sign, sign * values, way), caution=caution(cases))


def _normal(study: Study, n_draws: int, rng: np.random.Generator) -> FloatArray:
    """Draw the joint error of all models."""
    moved = [study.moves(name) for name in study.cases.models]
    units, products = len(moved[0]), np.zeros((len(moved), len(moved)))
    for rows in blocks(units):
        part = np.stack([one[rows] for one in moved])
        products += part @ part.T
    return joint_errors(products, units, n_draws, rng)


def joint_errors(products: FloatArray, units: int, n_draws: int, rng: np.random.Generator) -> FloatArray:
    """Draw the errors of all numbers together, from the sums over units of products of what each moves them by."""
    finite = np.where(np.isfinite(products), products, 0.0)  # an infinite loss stays infinite, whatever its error
    values, vectors = np.linalg.eigh(finite * (units / max(units - 1, 1)))
    root = vectors * np.sqrt(np.maximum(values, 0.0))
    draws: FloatArray = rng.standard_normal((n_draws, len(root))) @ root.T
    return draws


def _ranked(models: tuple[str, ...], estimate: FloatArray, sign: float, gain: FloatArray, method: str) -> Ranking:
    chance = rank_probabilities(gain)
    best = gain.max(axis=1, keepdims=True)
    loss = (best - gain).mean(axis=0)
    winner = gain.argmax(axis=1)
    # What all models have in common in a replicate tells nothing about the choice, and only adds noise.
    finite = np.isfinite(estimate)
    common = np.mean(gain[:, finite] - sign * estimate[finite])
    optimism = float(np.mean(best[:, 0] - sign * estimate[winner]) - common)
    order = sorted(range(len(models)), key=lambda m: (-sign * estimate[m], m))
    return Ranking(
        {models[m]: float(estimate[m]) for m in order},
        {models[m]: float(chance[m, 0]) for m in order},
        {models[m]: chance[m] for m in order},
        {models[m]: float(loss[m]) for m in order},
        float(loss.min()),
        optimism,
        method,
    )


def rank_probabilities(gain: FloatArray) -> FloatArray:
    """Share of the replicates (rows) in which each model has each rank, ties shared evenly; models x ranks."""
    ascending = np.sort(gain, axis=1)
    chance = np.zeros((gain.shape[1], gain.shape[1]))
    for model, own in enumerate(gain.T):
        not_above = (ascending <= own[:, None]).sum(axis=1)
        tied = not_above - (ascending < own[:, None]).sum(axis=1)
        first = gain.shape[1] - not_above
        places = np.arange(gain.shape[1])
        here = (places >= first[:, None]) & (places < (first + tied)[:, None])
        chance[model] = (here / np.maximum(tied, 1)[:, None]).mean(axis=0)
    return chance

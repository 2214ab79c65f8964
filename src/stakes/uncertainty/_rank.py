"""Rankings of models on the same cases: probability of each rank, expected loss, value of information."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from stakes._arrays import FloatArray
from stakes._wording import described
from stakes.cases import short
from stakes.measures import Better


@dataclass(frozen=True, slots=True, repr=False)
class Ranking:
    """Several models ranked by a measure, with the probability of each rank.

    Attributes
    ----------
    estimate : dict of str to float
        The measure of each model, best first; the other attributes have the same order.
    probability_best : dict of str to float
        The probability that the model is the best; ties are shared evenly.
    ranks : dict of str to ndarray
        The probability of each rank, from first to last.
    expected_loss : dict of str to float
        The expected loss of choosing the model instead of the best one, in units of the measure.
    value_of_information : float
        The expected value of knowing the best model for certain, which is the smallest expected loss.
    optimism : float
        The expected bias of the estimate of the model that looks best, from having been chosen for it.
    method : str
        How the probabilities were computed: analytic or bootstrap.
    caution : str
        The reason not to trust the probabilities, if the sample is small; else empty.

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


def normal_ranking(
    estimates: Mapping[str, float],
    better: Better,
    products: FloatArray,
    units: int,
    n_draws: int,
    rng: np.random.Generator,
) -> Ranking:
    """Rank models by draws from the joint normal distribution of their measures.

    `products` are the sums over `units` of products of the influence on two measures.
    """
    values = np.array(list(estimates.values())) + joint_errors(products, units, n_draws, rng)
    return ranking(estimates, better, values, "analytic")


def joint_errors(products: FloatArray, units: int, n_draws: int, rng: np.random.Generator) -> FloatArray:
    """Draw the errors of all measures jointly, from the sums over units of products of influence."""
    finite = np.where(np.isfinite(products), products, 0.0)  # an infinite loss has no finite error and stays infinite
    values, vectors = np.linalg.eigh(finite * (units / max(units - 1, 1)))
    root = vectors * np.sqrt(np.maximum(values, 0.0))
    draws: FloatArray = rng.standard_normal((n_draws, len(root))) @ root.T
    return draws


def ranking(estimates: Mapping[str, float], better: Better, values: FloatArray, method: str) -> Ranking:
    """Rank models by their estimates; `values` are draws (rows) of the measures, in the same order."""
    models, estimate = tuple(estimates), np.array(list(estimates.values()))
    sign = -1.0 if better == "smaller" else 1.0
    gain = sign * values
    chance = rank_probabilities(gain)
    best = gain.max(axis=1, keepdims=True)
    loss = (best - gain).mean(axis=0)
    winner = gain.argmax(axis=1)
    # The part of a replicate that all models share says nothing about the choice and only adds noise.
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
    """Return the share of replicates (rows) in which a model has a rank, ties shared; models x ranks."""
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

"""Rankings of models on the same cases: probability of each rank, expected loss, value of information."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from stakes._arrays import BoolArray, FloatArray, extreme_power
from stakes._case_columns import short
from stakes._html import small_table
from stakes._wording import chance, describe_method, plain_number, probability, sentence
from stakes.measures import Better, Form
from stakes.table import ScoreTable
from stakes.uncertainty._best_of import best_of, optimism
from stakes.uncertainty._joint_law import joint_law, shrink_errors

PRIORS = ("near", "flat")


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
        The probability of each rank, from first to last; with more than three models, those after the first are less
        exact, to about 0.01.
    expected_loss : dict of str to float
        The expected loss of choosing the model instead of the best one, in units of the measure.
    value_of_information : float
        The expected value of knowing the best model for certain, which is the smallest expected loss.
    optimism : float
        The expected bias of the estimate of the model that looks best, from having been chosen for it.
    method : str
        How the probabilities were computed: analytic in closed form, quadrature at points that are always the same, or
        bootstrap.
    caution : str
        The reason not to trust the probabilities, if the sample is small; else empty.
    prior : str
        What was believed beforehand: near or flat.
    error, loss_error : float
        Standard error of the probabilities of being best, and of the expected losses, from the way they were computed:
        0 for a closed form, that of the points of a quadrature, or of the number of replicates.

    Examples
    --------
    >>> from stakes import Cases, brier_score, rank
    >>> cases = Cases([0, 1, 1, 0] * 9, {"a": [0.1, 0.8, 0.9, 0.2] * 9, "b": [0.5, 0.5, 0.5, 0.5] * 9})
    >>> found = rank(cases, brier_score)
    >>> found
    Ranking(2 models: a is best with probability >0.999, knowing the best is worth 1..., analytic)
    >>> found.prior, found.error
    ('near', 0.0)
    """

    estimate: dict[str, float]
    probability_best: dict[str, float]
    ranks: dict[str, FloatArray]
    expected_loss: dict[str, float]
    value_of_information: float
    optimism: float
    method: str
    caution: str = ""
    prior: str = "flat"
    error: float = 0.0
    loss_error: float = 0.0

    def __repr__(self) -> str:
        best = next(iter(self.estimate))
        sure = f"{short(best)} is best with probability {probability(self.probability_best[best])}"
        worth = f"knowing the best is worth {self.value_of_information:.3g}"
        return f"Ranking({len(self.estimate)} models: {sure}, {worth}, {describe_method(self.method, self.caution)})"

    def _repr_html_(self) -> str:
        """Show the ranking as a table, best first."""
        headings = ("model", "estimate", "P(best)", "expected loss")
        rows = [
            (name, plain_number(number), _chance(self.probability_best[name]), plain_number(self.expected_loss[name]))
            for name, number in self.estimate.items()
        ]
        worth = f"knowing the best is worth {plain_number(self.value_of_information)}; method: {self.method}"
        return small_table(
            f"{len(rows)} models, best first", headings, rows, sentence(describe_method(worth, self.caution))
        )


def _chance(probability: float) -> str:
    return plain_number(probability) if math.isnan(probability) else chance(probability)


@dataclass(frozen=True)
class Options:
    """Estimates to rank, which of them are of models, and the prior.

    Those that are not models are references, such as acting on everyone: one score for all cases.
    """

    estimates: Mapping[str, float]
    better: Better
    models: BoolArray
    prior: str

    def over(self, power: int) -> Options:
        """Return the estimates divided by a power of two."""
        if power == 0:
            return self
        divided = {name: float(np.ldexp(one, -power)) for name, one in self.estimates.items()}
        return replace(self, estimates=divided)

    @property
    def sign(self) -> float:
        """The factor that makes larger better."""
        return -1.0 if self.better == "smaller" else 1.0

    @property
    def gain(self) -> FloatArray:
        """The estimates, larger being better."""
        return self.sign * np.array(list(self.estimates.values()))


def models_among(tables: Iterable[ScoreTable]) -> BoolArray:
    """Return which tables are of models; one score for every case makes a reference."""
    return np.array([len(table) > 1 for table in tables], dtype=bool)


def unseen_variance(form: Form, table: ScoreTable, cases: int, positives: int, power: int = 0) -> float:
    """Return the variance of a measure, over a power of two, from half a case of each class not seen.

    It would move the measure as far as a case can, and has the mean weight of its class. A measure without such a
    bound, or that is not a mean, gets none.
    """
    if not 0 < positives < cases or len(table) < 2:
        return 0.0
    with np.errstate(all="ignore"):
        values = form.case_values(table.prevalence)
        if values is None:
            return 0.0
        moved = (values.highest - values.lowest) / (table.cases if table.has_stakes else table.total)
    weight = np.array([table.positive_total / positives, table.negative_total / (cases - positives)])
    variance = float((np.ldexp(moved * weight, -power) ** 2).sum() / 2)
    return variance if np.isfinite(variance) else 0.0


def normal_ranking(options: Options, covariance: FloatArray, unseen: FloatArray) -> Ranking:
    """Rank models by the joint normal law of their measures.

    `unseen` is the variance of each measure from cases of a kind that the sample happens not to have.
    """
    gain = options.gain
    order = sorted(np.flatnonzero(np.isfinite(gain)).tolist(), key=lambda m: (-gain[m], m))
    own, spread = gain[order], covariance[np.ix_(order, order)]
    if np.isposinf(gain).any() or not order:
        return ranking(options, np.array(list(options.estimates.values()))[None], "analytic")
    if not np.isfinite(spread).all():
        return _unknown(options, order)
    twins = _twins(own, spread)
    apart = np.where(twins, unseen[order], 0.0).max(axis=1)  # alike for twins, also where one is a reference
    law = joint_law(own, spread + twins * apart, options.models[order], options.prior)
    found = best_of(law)
    chance = _with_infinite(twins @ found.ranks / twins.sum(axis=1)[:, None], order, gain)
    loss = np.where(np.isnan(gain), np.nan, np.inf)
    loss[order] = np.maximum(found.largest - found.means, 0.0)
    luck = optimism(joint_law(own, spread, options.models[order], "flat"))
    return replace(
        _in_order(options, chance, loss, luck, found.method), error=found.error, loss_error=found.largest_error
    )


def in_unit(found: Ranking, power: int) -> Ranking:
    """Return a ranking whose estimates and losses are times a power of two."""
    if power == 0:
        return found

    def times(number: float) -> float:
        return float(np.ldexp(number, power))

    return replace(
        found,
        estimate={name: times(one) for name, one in found.estimate.items()},
        expected_loss={name: times(one) for name, one in found.expected_loss.items()},
        value_of_information=times(found.value_of_information),
        optimism=times(found.optimism),
        loss_error=times(found.loss_error),
    )


def _unknown(options: Options, compared: list[int]) -> Ranking:
    """Return a ranking without probabilities of those that were compared, whose variance is unknown."""
    gain = options.gain
    chance = _with_infinite(np.full((len(compared), len(compared)), np.nan), compared, gain)
    loss = np.where(np.isneginf(gain), np.inf, np.nan)
    return replace(_in_order(options, chance, loss, math.nan, "analytic"), value_of_information=math.nan)


def _twins(gain: FloatArray, covariance: FloatArray) -> BoolArray:
    """Return which pairs of options do the same on every case, so that they can only share a rank."""
    own = np.diag(covariance)
    total = own[:, None] + own
    near = np.abs(gain[:, None] - gain) <= 1e-12 * np.abs(gain).max(initial=0.0)
    twins: BoolArray = near & (total - 2 * covariance <= 1e-14 * total)
    return twins


def _with_infinite(ranks: FloatArray, order: list[int], gain: FloatArray) -> FloatArray:
    """Return the ranks of all options; infinite losses share the last ones, an undefined one has none."""
    size, first = len(gain), len(order)
    chance = np.zeros((size, size))
    chance[order, :first] = ranks
    worst = np.flatnonzero(np.isneginf(gain))
    chance[worst, first : first + len(worst)] = 1 / max(len(worst), 1)
    chance[np.isnan(gain)] = np.nan
    return chance


@np.errstate(invalid="ignore")  # where all costs are infinite, what a choice loses is undefined
def ranking(options: Options, values: FloatArray, method: str) -> Ranking:
    """Rank models by their estimates; `values` are replicates (rows) of the measures, in the same order."""
    if power := extreme_power(values):
        return in_unit(ranking(options.over(power), np.ldexp(values, -power), method), power)
    own = options.gain
    gain = options.sign * values
    best = gain.max(axis=1)
    # The part of a replicate that all models share says nothing about the choice and only adds noise.
    finite = np.isfinite(own)
    luck = math.nan
    if finite.any():
        luck = float(np.mean(best - own[gain.argmax(axis=1)]) - np.mean(gain[:, finite] - own[finite]))
    if options.prior == "near" and np.isfinite(gain).all():
        gain = own + shrink_errors(gain - own, own, options.models)
        best = gain.max(axis=1)
    chance = rank_probabilities(gain)
    error = float(np.sqrt(chance[:, 0] * (1 - chance[:, 0]) / len(gain)).max())
    loss = best[:, None] - gain
    found = _in_order(options, chance, loss.mean(axis=0), luck, method)
    return replace(found, error=error, loss_error=float(loss.std(axis=0).max() / np.sqrt(len(gain))))


def _in_order(options: Options, chance: FloatArray, loss: FloatArray, luck: float, method: str) -> Ranking:
    """Return the ranking, best estimate first."""
    names, gain = tuple(options.estimates), options.gain
    order = sorted(range(len(names)), key=lambda m: (np.isnan(gain[m]), -gain[m], m))
    return Ranking(
        {names[m]: float(options.estimates[names[m]]) for m in order},
        {names[m]: float(chance[m, 0]) for m in order},
        {names[m]: chance[m] for m in order},
        {names[m]: float(loss[m]) for m in order},
        float(np.nanmin(loss)) if not np.isnan(loss).all() else math.nan,
        luck,
        method,
        prior=options.prior,
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

"""What "best with probability p" is worth: ``python3 dev.py bench ranking [--runs 1000] [--of 4]``.

Models see the same cases. Each has noise of its own, whose size is drawn anew for every sample: hardly, somewhat or
much different between the models; or all but the first are copies of it, with their log-odds rounded. Said is the
probability of the model that looks best, right whether it is the best of the population; the log score (smaller is
better) punishes both too much and too little.
"""

from __future__ import annotations

import argparse
import itertools
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache

import numpy as np
from measuring import print_table
from scipy.special import expit, ndtr

from stakes.uncertainty._best_of import best_of
from stakes.uncertainty._joint_law import joint_law

SPREADS = {"hardly": 0.1, "somewhat": 0.3, "much": 1.0, "copies": 0.3}
STEPS = (0.25, 0.5, 1.0, 1.5)  # to which the log-odds of copies are rounded
POSITIVES = (5, 25, 100)
WHOLE = 40_000  # cases, outcomes integrated out, that tell which model is the best
GROUPS = {"near-equal": ("hardly", "copies"), "different": ("somewhat", "much")}
BINS = (0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 1.0)
WAYS = {"flat, no half-cases": ("flat", False), '`prior="flat"`': ("flat", True)}
WAYS |= {"near, no half-cases": ("near", False), '**`prior="near"`**': ("near", True)}


@dataclass(frozen=True)
class Population:
    """Log-odds of a population, the costs and the threshold that matter there."""

    centre: float
    share: float
    costs: tuple[float, float]
    threshold: float
    scale: float = 1.6

    def seen(self, x: np.ndarray, noise: float, error: np.ndarray) -> np.ndarray:
        """Return the log-odds of an outcome given the true ones seen through noise."""
        trust = self.scale**2 / (self.scale**2 + noise**2)
        mean = self.centre + trust * (x + noise * error - self.centre)
        return mean / math.sqrt(1 + math.pi * self.scale**2 * (1 - trust) / 8)

    def losses(self, measure: str, log_odds: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return what a model loses on each case if it is positive, and if it is negative."""
        score, (low, high), odds = expit(log_odds), self.costs, self.threshold / (1 - self.threshold)
        if measure == "net benefit":
            acts = (score >= self.threshold).astype(float)
            return -acts, odds * acts
        at, width = np.clip(score, low, high), 2 * (high - low)
        return ((1 - at) ** 2 - (1 - high) ** 2) / width, (at**2 - low**2) / width

    def unseen(self, measure: str, size: int) -> float:
        """Return the variance from half a case of each class, at the most that it can lose."""
        mean, odds = sum(self.costs) / 2, self.threshold / (1 - self.threshold)
        most = (1 - mean, mean) if measure == "regret" else (1.0, odds)
        return (most[0] ** 2 + most[1] ** 2) / (2 * size**2)


POPULATIONS = (Population(-4.1, 0.044, (0.02, 0.2), 0.1), Population(-1.2, 0.30, (0.0, 1.0), 0.3))


@dataclass(frozen=True)
class Models:
    """Several models, as functions of what a case is."""

    population: Population
    noises: np.ndarray
    steps: np.ndarray  # nan for a model that is no copy of the first
    offsets: np.ndarray

    @classmethod
    def drawn(cls, rng: np.random.Generator, population: Population, differ: str, count: int) -> Models:
        noises = np.clip(1.2 * np.exp(SPREADS[differ] * rng.standard_normal(count)), 0.2, 2.5)
        steps = np.where(np.arange(count) > 0, rng.choice(STEPS, count), np.nan)
        return cls(population, noises, steps if differ == "copies" else np.full(count, np.nan), rng.random(count))

    def log_odds(self, x: np.ndarray, errors: np.ndarray) -> Iterator[np.ndarray]:
        for noise, step, offset, error in zip(self.noises, self.steps, self.offsets, errors, strict=True):
            if math.isnan(step):
                yield self.population.seen(x, noise, error)
            else:
                first = self.population.seen(x, self.noises[0], errors[0])
                yield (np.round(first / step + offset) - offset) * step

    def losses(self, measure: str, x: np.ndarray, errors: np.ndarray, positive: np.ndarray) -> np.ndarray:
        """Return the loss of each model (a row) on each case, the mean of both classes where `positive` is a share."""
        both = (self.population.losses(measure, one) for one in self.log_odds(x, errors))
        return np.array([positive * one + (1 - positive) * other for one, other in both])


@cache
def whole(population: Population, count: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    return rng.normal(population.centre, population.scale, WHOLE), rng.standard_normal((count, WHOLE))


@dataclass
class Score:
    """Claims about the best model, and how many of them were right."""

    said: list[float] = field(default_factory=list)
    right: list[float] = field(default_factory=list)
    logs: list[float] = field(default_factory=list)

    def add(self, chance: np.ndarray, best: int) -> None:
        first = np.flatnonzero(chance >= chance.max() - 1e-9)
        self.said.append(float(chance.max()))
        self.right.append(float(best in first) / len(first))
        self.logs.append(-math.log(max(float(chance[best]), 1e-6)))

    @classmethod
    def of_all(cls, scores: Iterable[Score]) -> Score:
        joined = cls()
        for one in scores:
            joined.said += one.said
            joined.right += one.right
            joined.logs += one.logs
        return joined

    def cell(self) -> str:
        return f"{np.mean(self.said):.2f} / {np.mean(self.right):.2f}, {np.mean(self.logs):.3f}"

    def bins(self) -> list[str]:
        """Return what was said and right in each bin, with the share of the claims in it."""
        said, right = np.array(self.said), np.array(self.right)
        which = np.digitize(said, BINS[1:-1])
        held = [which == place for place in range(len(BINS) - 1)]
        return [
            f"{said[here].mean():.2f} / {right[here].mean():.2f} ({here.mean():.0%})" if here.sum() > 20 else "-"
            for here in held
        ]


@cache
def near_table() -> tuple[np.ndarray, np.ndarray]:
    """Return the probability that the better of two models is the best, by how many standard errors it is ahead."""
    ahead = np.linspace(0, 4, 401)
    law = (joint_law(np.array([z, 0.0]), np.eye(2) / 2, np.ones(2, dtype=bool), "near") for z in ahead)
    return ahead, np.array([best_of(one).ranks[0, 0] for one in law])


def chances(gain: np.ndarray, covariance: np.ndarray, prior: str) -> np.ndarray:
    """Return the probability of each model to be the best; of two models it is a function of one number."""
    if len(gain) > 2:
        return best_of(joint_law(gain, covariance, np.ones(len(gain), dtype=bool), prior)).ranks[:, 0]
    variance = covariance[0, 0] + covariance[1, 1] - 2 * covariance[0, 1]
    ahead = abs(gain[0] - gain[1]) / math.sqrt(variance) if variance > 1e-18 else 0.0
    high = float(np.interp(ahead, *near_table()) if prior == "near" and ahead <= 4 else ndtr(ahead))
    return np.array([high, 1 - high] if gain[0] >= gain[1] else [1 - high, high])


def one_sample(rng: np.random.Generator, population: Population, differ: str, positives: int, count: int):
    """Yield each way's probabilities and the best model, by both measures."""
    models, size = Models.drawn(rng, population, differ, count), round(positives / population.share)
    x, errors = rng.normal(population.centre, population.scale, size), rng.standard_normal((count, size))
    positive = (rng.random(size) < expit(x)).astype(float)
    for measure in ("regret", "net benefit"):
        everyone = whole(population, count)
        true = models.losses(measure, *everyone, expit(everyone[0])).mean(axis=1)
        losses = models.losses(measure, x, errors, positive)
        gain, covariance = -losses.mean(axis=1), np.cov(losses) / size
        wider = covariance + population.unseen(measure, size) * np.eye(count)
        for way, (prior, half_cases) in WAYS.items():
            yield way, chances(gain, wider if half_cases else covariance, prior), int(true.argmin())


def simulate(count: int, runs: int) -> dict[tuple[str, int, str], Score]:
    found: dict[tuple[str, int, str], Score] = {}
    for seed, population in enumerate(POPULATIONS):
        rng = np.random.default_rng([1, seed])
        for differ in SPREADS:
            for positives in POSITIVES:
                for _ in range(runs):
                    for way, chance, best in one_sample(rng, population, differ, positives, count):
                        found.setdefault((differ, positives, way), Score()).add(chance, best)
    return found


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=1000, help="samples of each of two populations, by two measures")
    parser.add_argument("--of", type=int, default=2, help="models to choose from")
    arguments = parser.parse_args()
    found = simulate(arguments.of, arguments.runs)
    rows = [(differ, size) for differ in SPREADS for size in POSITIVES]
    print_table(
        ["models differ", "positives", *WAYS],
        [[differ, str(size), *(found[differ, size, way].cell() for way in WAYS)] for differ, size in rows],
    )
    ranges = [f"{low:g} to {high:g}" for low, high in itertools.pairwise(BINS)]
    for way in ('`prior="flat"`', '**`prior="near"`**'):
        print(f"\n{way}: said / right (share of the samples), where it says")
        joined = {
            (label, size): Score.of_all(found[differ, size, way] for differ in group)
            for label, group in GROUPS.items()
            for size in POSITIVES
        }
        print_table(
            ["models", "positives", *ranges], [[label, str(n), *one.bins()] for (label, n), one in joined.items()]
        )


if __name__ == "__main__":
    main()

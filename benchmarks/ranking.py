"""What "best with probability p" is worth: ``python3 dev.py bench ranking [--runs 1000] [--of 4]``.

Models see the same cases, each through noise of its own, whose size is drawn anew for every sample: hardly, somewhat or
much different between the models. Said is the mean probability of the model that looks best, right the share of samples
in which it is the best of the population; the log score (smaller is better) punishes both too much and too little.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import numpy as np
from measuring import print_table
from scipy.special import chdtri, expit

from stakes.uncertainty._best_of import best_of
from stakes.uncertainty._shrinkage import joint_law

SPREADS = {"hardly": 0.1, "somewhat": 0.3, "much": 1.0}
POSITIVES = (5, 10, 25, 100)
TAILS = 9  # quantiles of the spread of a standard error


@dataclass(frozen=True)
class Population:
    """Log-odds of a population, the costs and the threshold that matter there."""

    centre: float
    share: float
    costs: tuple[float, float]
    threshold: float
    scale: float = 1.6

    def draw(self, rng: np.random.Generator, size: int) -> tuple[np.ndarray, np.ndarray]:
        x = rng.normal(self.centre, self.scale, size)
        return x, rng.random(size) < expit(x)

    def score(self, rng: np.random.Generator, x: np.ndarray, noise: float) -> np.ndarray:
        """Return the probability of an outcome given log-odds seen through noise."""
        trust = self.scale**2 / (self.scale**2 + noise**2)
        seen = self.centre + trust * (x + noise * rng.standard_normal(len(x)) - self.centre)
        return expit(seen / math.sqrt(1 + math.pi * self.scale**2 * (1 - trust) / 8))

    def regret(self, positive: np.ndarray, score: np.ndarray) -> np.ndarray:
        low, high = self.costs
        at = np.clip(score, low, high)
        missed, alarmed = (1 - at) ** 2 - (1 - high) ** 2, at**2 - low**2
        return np.where(positive, missed, alarmed) / (2 * (high - low))

    def harm(self, positive: np.ndarray, score: np.ndarray) -> np.ndarray:
        """Return the net benefit, negated."""
        odds = self.threshold / (1 - self.threshold)
        return (score >= self.threshold) * np.where(positive, -1.0, odds)

    def most(self, loss: str) -> tuple[float, float]:
        """Return how far one positive and one negative can move a loss."""
        mean = sum(self.costs) / 2
        return (1 - mean, mean) if loss == "regret" else (1.0, self.threshold / (1 - self.threshold))


POPULATIONS = {
    "4% positive": Population(-4.1, 0.044, (0.02, 0.2), 0.1),
    "30% positive": Population(-1.2, 0.30, (0.0, 1.0), 0.3),
}


@dataclass
class Score:
    """Claims about the best model, and how many of them were right."""

    said: list[float] = field(default_factory=list)
    right: list[bool] = field(default_factory=list)
    logs: list[float] = field(default_factory=list)

    def add(self, chance: np.ndarray, best: int) -> None:
        chosen = int(chance.argmax())
        self.said.append(float(chance[chosen]))
        self.right.append(chosen == best)
        self.logs.append(-math.log(max(float(chance[best]), 1e-6)))

    def cells(self) -> list[str]:
        said, right = np.array(self.said), np.array(self.right)
        sure = said >= 0.9
        claims = f"{said[sure].mean():.2f} / {right[sure].mean():.2f} ({sure.mean():.0%})" if sure.any() else "never"
        return [f"{said.mean():.2f} / {right.mean():.2f}", claims, f"{np.mean(self.logs):.3f}"]


def chances(gain: np.ndarray, covariance: np.ndarray, prior: str) -> np.ndarray:
    law = joint_law(gain, covariance, np.ones(len(gain), dtype=bool), prior)
    return best_of(law).ranks[:, 0]


def with_tails(gain: np.ndarray, covariance: np.ndarray, freedom: float, prior: str) -> np.ndarray:
    shares = (np.arange(TAILS) + 0.5) / TAILS
    return np.mean([chances(gain, covariance * freedom / chdtri(freedom, one), prior) for one in shares], axis=0)


def freedom_of(losses: np.ndarray) -> float:
    """Return the degrees of freedom of the difference between the best and the second best."""
    first, second = np.argsort(losses.mean(axis=1))[:2]
    moved = losses[first] - losses[second]
    moved = moved - moved.mean()
    squares = float((moved**2).sum())
    spread = float((moved**4).sum()) / squares**2 if squares > 0 else 0.0
    return float(np.clip(2 / max(spread - 1 / len(moved), 2 / len(moved)), 1, len(moved) - 1))


def claims(losses: np.ndarray, most: tuple[float, float], tails: bool) -> Iterator[tuple[str, np.ndarray]]:
    """Yield the probabilities of each way to compute them."""
    size = losses.shape[1]
    gain, covariance = -losses.mean(axis=1), np.cov(losses) / size
    wider = covariance + np.eye(len(gain)) * (most[0] ** 2 + most[1] ** 2) / (2 * size**2)
    yield "flat", chances(gain, covariance, "flat")
    yield "flat, half-cases", chances(gain, wider, "flat")
    yield "near", chances(gain, covariance, "near")
    yield "**near, half-cases**", chances(gain, wider, "near")
    if tails:
        yield "near, half-cases, tails", with_tails(gain, wider, freedom_of(losses), "near")


def truths(population: Population, loss: Callable[..., np.ndarray]) -> np.polynomial.Polynomial:
    """Return the loss of a model in the population, by the size of its noise."""
    rng = np.random.default_rng(0)
    x, positive = population.draw(rng, 1_000_000)
    noises = np.linspace(0.2, 2.5, 24)
    losses = [loss(positive, population.score(rng, x, noise)).mean() for noise in noises]
    return np.polynomial.Polynomial.fit(noises, losses, 4)


def simulate(of: int, runs: int) -> dict[tuple[str, int, str], Score]:
    found: dict[tuple[str, int, str], Score] = {}
    for seed, population in enumerate(POPULATIONS.values()):
        rng = np.random.default_rng([1, seed])
        for name, loss in (("regret", population.regret), ("harm", population.harm)):
            true = truths(population, loss)
            for spread in SPREADS:
                for positives in POSITIVES:
                    for _ in range(runs):
                        noises = np.clip(1.2 * np.exp(SPREADS[spread] * rng.standard_normal(of)), 0.2, 2.5)
                        x, positive = population.draw(rng, round(positives / population.share))
                        losses = np.array([loss(positive, population.score(rng, x, noise)) for noise in noises])
                        for way, chance in claims(losses, population.most(name), tails=of == 2):
                            found.setdefault((spread, positives, way), Score()).add(chance, int(true(noises).argmin()))
    return found


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=1000, help="samples of each population, measure and size")
    parser.add_argument("--of", type=int, default=2, help="models to choose from")
    arguments = parser.parse_args()
    columns = ["models differ", "positives", "", "said / right", "where it says 0.9 or more", "log score"]
    found = simulate(arguments.of, arguments.runs)
    print_table(columns, [[spread, str(size), way, *one.cells()] for (spread, size, way), one in found.items()])


if __name__ == "__main__":
    main()

"""Populations of known truth, from which `covering` draws samples: two models on the same cases."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
from scipy.special import expit, logit

from stakes import Cases, Uniform

Columns = dict[str, np.ndarray]
Rng = np.random.Generator


@dataclass(frozen=True)
class Population:
    """Two models on the same cases of a population, and the costs that matter there.

    `draw` gives the outcome `y`, the scores `a` and `b`, and `weight` or `cluster` if there are any, of as many cases
    as asked for, of which `share` are positive.
    """

    draw: Callable[[Rng, int], Columns]
    share: float
    costs: Uniform
    threshold: float
    kind: str = "scores"  # or weights, clusters, two-valued

    def sample(self, rng: Rng, positives: int) -> Cases:
        """Draw a sample that has so many positives on average."""
        return self.cases(rng, round(positives / self.share))

    def cases(self, rng: Rng, size: int) -> Cases:
        columns = self.draw(rng, size)
        models = {name: columns[name] for name in ("a", "b")}
        return Cases(columns["y"], models, weight=columns.get("weight"), cluster=columns.get("cluster"))


def outcomes(rng: Rng, log_odds: np.ndarray) -> np.ndarray:
    return rng.random(len(log_odds)) < expit(log_odds)


# ------------------------------------------------------------------------------------------------- what models see


def two_views(rng: Rng, size: int, centre: float = -3.65) -> Columns:
    """One model nearly right, one that sees less and adds noise of its own."""
    seen, noise, more = rng.normal(size=(3, size))
    y = outcomes(rng, centre + 1.3 * seen)
    return {
        "y": y,
        "a": expit(centre + 0.2 + 1.1 * seen + 0.2 * noise),
        "b": expit(centre + 0.9 * seen + 0.7 * more),
    }


def skewed_marker(rng: Rng, size: int) -> Columns:
    """Markers with a long tail: taken as they are, and by their root with some error of measurement."""
    marker = rng.exponential(size=size)
    measured = marker * np.exp(0.4 * rng.normal(size=size))
    y = outcomes(rng, 1.3 * marker - 4.2)
    return {"y": y, "a": expit(1.3 * marker - 4.2), "b": expit(2.2 * np.sqrt(measured) - 5.0)}


def beta_risks(rng: Rng, size: int) -> Columns:
    """Risks of a beta law: bent by a power, and known as from a study of thirty cases each."""
    risk = np.clip(rng.beta(0.6, 5.4, size), 1e-6, 1 - 1e-6)
    known = np.clip(rng.beta(30 * risk + 0.3, 30 * (1 - risk) + 2), 1e-9, 1)
    return {"y": rng.random(size) < risk, "a": risk**1.3, "b": known}


def other_halves(rng: Rng, size: int) -> Columns:
    """Each model knows one of two causes, so that they are wrong about different cases."""
    one, two = rng.normal(size=(2, size))
    y = outcomes(rng, -2.9 + 1.2 * one + 1.2 * two)
    return {"y": y, "a": expit(-2.5 + 1.1 * one), "b": expit(-2.5 + 1.1 * two)}


def nearly_perfect(rng: Rng, size: int) -> Columns:
    """Classes that hardly overlap: areas of 0.99 and 0.976."""
    y = rng.random(size) < 0.1
    common, one, two = rng.normal(size=(3, size))
    first, second = 0.8 * common + 0.6 * one, 0.8 * common + 0.6 * two
    side, centre = np.where(y, 0.5, -0.5), logit(0.1)
    return {
        "y": y,
        "a": expit(centre + 3.3 * (3.3 * side + first)),
        "b": expit(centre + 2.8 * (2.8 * side + second)),
    }


def long_tails(rng: Rng, size: int) -> Columns:
    """Log-odds of Student's law with three degrees of freedom; one model too bold, one too timid."""
    seen = rng.standard_t(3, size)
    own = seen + 0.8 * rng.normal(size=size)
    return {"y": outcomes(rng, seen - 3.9), "a": expit(1.4 * seen - 4.2), "b": expit(0.6 * own - 3.4)}


def common_outcome(rng: Rng, size: int) -> Columns:
    """Three positives in ten: samples are as small as their positives are few."""
    return two_views(rng, size, -1.1)


def no_signal(rng: Rng, size: int) -> Columns:
    """Two models that know nothing."""
    one, two = rng.normal(size=(2, size))
    return {"y": rng.random(size) < 0.1, "a": expit(-2.2 + 0.6 * one), "b": expit(-2.2 + 0.4 * two)}


# ---------------------------------------------------------------------------------------------- two-valued scores


def two_tests(rng: Rng, size: int, found: tuple[float, float], false: tuple[float, float]) -> Columns:
    """Draw tests that find something or nothing; half of what one is wrong about is common to both."""
    y = rng.random(size) < 0.1
    common, one, two = rng.random((3, size))
    columns = {"y": y}
    for name, own, right, wrong in zip("ab", (one, two), found, false, strict=True):
        position = np.where(rng.random(size) < 0.5, common, own)
        columns[name] = np.where(position < np.where(y, right, wrong), 0.5, 0.02)
    return columns


# -------------------------------------------------------------------------------------------- weights and clusters


def weighted(rng: Rng, size: int) -> Columns:
    """Weights that vary by a factor of two or so either way."""
    return {**two_views(rng, size, -2.9), "weight": np.exp(0.8 * rng.normal(size=size))}


def case_control(rng: Rng, size: int) -> Columns:
    """One negative in five, which stands for five."""
    drawn = two_views(rng, 6 * size, -3.65)
    kept = np.flatnonzero(drawn["y"] | (rng.random(6 * size) < 0.2))[:size]
    drawn = {name: column[kept] for name, column in drawn.items()}
    return {**drawn, "weight": np.where(drawn["y"], 1.0, 5.0)}


def clustered(rng: Rng, size: int) -> Columns:
    """Clusters of four, whose cases differ in what the models do not see."""
    cluster = np.arange(size) // 4
    seen, noise, more = rng.normal(size=(3, size))
    unseen = rng.normal(size=cluster[-1] + 1)[cluster]
    y = outcomes(rng, -3.1 + 1.3 * seen + unseen)
    scores = {"a": expit(-2.8 + 1.1 * seen + 0.2 * noise), "b": expit(-2.9 + 0.9 * seen + 0.7 * more)}
    return {"y": y, **scores, "cluster": cluster}


# ------------------------------------------------------------------------------------------------------------- all

LOW, MIDDLE, HIGH = Uniform(0.02, 0.2), Uniform(0.05, 0.3), Uniform(0.1, 0.5)
GOOD, NEARLY_PERFECT = ((0.8, 0.65), (0.1, 0.05)), ((0.95, 0.9), (0.002, 0.01))


def _tests(rates: tuple[tuple[float, float], tuple[float, float]]) -> Callable[[Rng, int], Columns]:
    return partial(two_tests, found=rates[0], false=rates[1])


POPULATIONS = {
    "two views": Population(two_views, 0.05, LOW, 0.1),
    "long tails": Population(long_tails, 0.049, LOW, 0.1),
    "skewed marker": Population(skewed_marker, 0.0947, LOW, 0.1),
    "beta risks": Population(beta_risks, 0.0985, MIDDLE, 0.15),
    "other halves": Population(other_halves, 0.1168, MIDDLE, 0.15),
    "common outcome": Population(common_outcome, 0.3, HIGH, 0.3),
    "no signal": Population(no_signal, 0.1, LOW, 0.1),
    "nearly perfect": Population(nearly_perfect, 0.1, MIDDLE, 0.15),
    "weights": Population(weighted, 0.092, LOW, 0.1, "weights"),
    "a fifth of the negatives": Population(case_control, 0.206, LOW, 0.1, "weights"),
    "clusters of four": Population(clustered, 0.1, LOW, 0.1, "clusters"),
    "tests": Population(_tests(GOOD), 0.1, LOW, 0.1, "two-valued"),
    "nearly perfect tests": Population(_tests(NEARLY_PERFECT), 0.1, LOW, 0.1, "two-valued"),
}

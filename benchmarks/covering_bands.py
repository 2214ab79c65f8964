"""What bands really cover, on simulated truth: ``python3 dev.py bench covering_bands [--runs 1000]``.

Two models see the same cases, and one is better below some cost, the other above it. The truth is that of two million
cases whose risks are known. A calibration band is put to the same test where there is one. ``--kinds plain weights
clusters`` adds cases with unequal weights, and cases in clusters of four whose outcomes are correlated.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from functools import partial

import numpy as np
from measuring import print_table
from scipy.special import expit, logit, ndtr

import stakes.uncertainty
from stakes import Cases
from stakes.uncertainty import difference_band
from stakes.uncertainty._crossing_set import crossing_set_of

PLACES = np.arange(2, 51) / 100
SIZES = (300, 1000, 4000)
MANY = 2_000_000
Drawn = tuple[np.ndarray, dict[str, np.ndarray]]  # the risk of each case, and the scores of two models
KINDS, CLUSTER = ("plain", "weights", "clusters"), 4


def sampled(risk: np.ndarray, scores: dict[str, np.ndarray], rng: np.random.Generator, kind: str) -> Cases:
    """Draw outcomes of known risk, with weights of no meaning, or alike within clusters."""
    if kind == "plain":
        return Cases(rng.random(len(risk)) < risk, scores)
    if kind == "weights":
        return Cases(rng.random(len(risk)) < risk, scores, weight=rng.lognormal(0, 0.7, len(risk)))
    cluster = np.arange(len(risk)) // CLUSTER
    common, own = rng.normal(size=cluster[-1] + 1)[cluster], rng.normal(size=len(risk))
    return Cases(ndtr(np.sqrt(0.5) * (common + own)) < risk, scores, cluster=cluster)


def bold(size: int, rng: np.random.Generator) -> Drawn:
    """Draw risks around 13%, seen by a calibrated model of one marker, and by a bold one of two."""
    one, two = rng.normal(size=(2, size))
    risk = expit(-2.4 + 1.1 * one + 0.6 * two)
    return risk, {"a": expit(-2.25 + 1.05 * one), "b": expit(-2.2 + 1.6 * (0.9 * one + 0.6 * two))}


def capped(size: int, rng: np.random.Generator) -> Drawn:
    """Draw risks around 7% with heavy tails, seen by a noisy model, and by one that knows no risk above 20%."""
    log_odds = -2.9 + 0.7 * rng.standard_t(4, size)
    noisy = log_odds + 0.6 * rng.normal(size=size)
    return expit(log_odds), {"a": expit(noisy), "b": np.minimum(expit(log_odds + 0.2 * rng.normal(size=size)), 0.2)}


POPULATIONS = {"bold (13%)": bold, "capped (7%)": capped}


def true_difference(risk: np.ndarray, scores: dict[str, np.ndarray], places: np.ndarray) -> np.ndarray:
    """Return the difference in net benefit of the population."""
    return np.array(
        [
            np.mean(((scores["a"] >= cost).astype(float) - (scores["b"] >= cost)) * (risk - cost) / (1 - cost))
            for cost in places
        ]
    )


def crossing_of(truth: np.ndarray) -> float:
    """Return where the true difference changes its sign, by a straight line between places."""
    (turn,) = np.flatnonzero(np.diff(np.sign(truth)))
    share = truth[turn] / (truth[turn] - truth[turn + 1])
    return float(PLACES[turn] + share * (PLACES[turn + 1] - PLACES[turn]))


def difference_run(
    population: Callable, size: int, truth: np.ndarray, turn: float, rng: np.random.Generator, kind: str
) -> list:
    """Return what one sample shows: whether each band holds the truth, and what is claimed."""
    cases = sampled(*population(size, rng), rng, kind)
    band = difference_band(cases, "a", "b", x=PLACES)
    found = crossing_set_of(band, (cases.table("a"), cases.table("b")))
    above, below = band.lower_everywhere > 0, band.upper_everywhere < 0
    error = standard_errors(cases)
    single = np.abs(band.estimate) > 1.96 * error
    at = found.estimates[0] if len(found.estimates) else np.nan
    return [
        (np.abs(band.estimate - truth) <= band.deviate * error + 1e-12).all(),
        ((band.lower_everywhere <= truth) & (truth <= band.upper_everywhere)).all(),
        ((band.lower <= truth) & (truth <= band.upper)).mean(),
        any(low <= turn <= high for low, high in found.set),
        bool(found.a_better and found.b_better),
        bool((above & (truth < 0)).any() or (below & (truth > 0)).any()),
        bool((single & (band.estimate * truth < 0)).any()),
        at,
        band.deviate,
    ]


def standard_errors(cases: Cases) -> np.ndarray:
    """Return the standard error of the difference at each place, from the cases."""
    acts = [cases.table(name).score[cases.rows(name)][:, None] >= PLACES for name in "ab"]
    value = np.where(cases.positive[:, None], 1.0, -PLACES / (1 - PLACES)) * (acts[0].astype(float) - acts[1])
    weight = np.ones(len(cases)) if cases.weight is None else cases.weight
    share = (weight / weight.sum())[:, None]
    moved = share * (value - (share * value).sum(axis=0))
    if cases.cluster is not None:
        moved = np.add.reduceat(moved, np.flatnonzero(np.diff(cases.cluster, prepend=-1)))
    return np.sqrt(len(moved) / (len(moved) - 1) * (moved**2).sum(axis=0))


def difference_tables(runs: int, kind: str) -> None:
    """Print what the bands of a difference cover."""
    rows = []
    for name, population in POPULATIONS.items():
        risk, scores = population(MANY, np.random.default_rng(0))
        truth = true_difference(risk, scores, PLACES)
        turn = crossing_of(truth)
        for size in SIZES:
            rng = np.random.default_rng([1, size])
            one = partial(difference_run, population, size, truth, turn, rng, kind)
            found = np.array([one() for _ in range(runs)], dtype=float)
            share, at = 100 * found[:, :7].mean(axis=0), np.nanquantile(found[:, 7], [0.05, 0.95])
            rows.append(
                [
                    f"{name}, crossing {turn:.2f}, {kind}",
                    f"{size:,} ({size * risk.mean():.0f})",
                    *(f"{one:.1f}" for one in share[:4]),
                    f"{at[0]:.2f}-{at[1]:.2f}",
                    *(f"{one:.1f}" for one in share[4:]),
                    f"{found[:, 8].mean():.2f}",
                ]
            )
    head = ["population", "cases (positives)", "normal band everywhere", "half-case band everywhere"]
    head += ["pointwise, mean of places", "set holds the crossing", "estimated crossing, 5-95%", "both sides claimed"]
    print_table([*head, "wrong claim", "wrong claim, pointwise normal", "deviate"], rows)


# ------------------------------------------------------------------------------------------- calibration

SCORES_AT = np.linspace(0.06, 0.7, 40)
TRUTHS: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "calibrated": lambda score: score,
    "kinked": lambda score: np.where(score < 0.3, 0.6 * score, 0.18 + 1.1 * (score - 0.3)),
    "jump": lambda score: np.where(score < 0.25, 0.5 * score, 0.15 + 0.9 * score),
}


def calibration_run(method: str, size: int, truth: Callable, kind: str, rng: np.random.Generator) -> list:
    """Return the share of places at which a calibration band holds the truth, each place, and its width."""
    score = expit(rng.normal(logit(0.25), 1.1, size))
    cases = sampled(truth(score), {"model": score}, rng, kind)
    band = stakes.uncertainty.calibration_band(cases, method=method, x=SCORES_AT)["model"]
    held = (band.lower_everywhere <= truth(SCORES_AT)) & (truth(SCORES_AT) <= band.upper_everywhere)
    return [*held, (band.upper_everywhere - band.lower_everywhere).mean()]


def calibration_tables(runs: int, kind: str) -> None:
    """Print what calibration bands cover: on average over places, at the worst place, and everywhere."""
    rows = []
    for method in ("honest", "spline"):
        for name, truth in TRUTHS.items():
            for size in (500, 2000):
                run = partial(calibration_run, method, size, truth, kind)
                found = np.array([run(np.random.default_rng([2, size, k])) for k in range(runs)], dtype=float)
                held = found[:, :-1]
                shares = 100 * held.mean(), 100 * held.mean(axis=0).min(), 100 * held.all(axis=1).mean()
                rows.append(
                    [
                        method,
                        f"{name}, {kind}",
                        f"{size:,}",
                        *(f"{one:.1f}" for one in shares),
                        f"{found[:, -1].mean():.3f}",
                    ]
                )
    print_table(["band", "truth", "cases", "mean of places", "worst place", "everywhere", "width"], rows)


def main() -> None:
    """Print all tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=1000, help="samples of each cell; 0.4 of that for calibration")
    parser.add_argument("--only", choices=["difference", "calibration"], help="one of the two tables")
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=["plain"])
    asked = parser.parse_args()
    for kind in asked.kinds:
        if asked.only != "calibration":
            difference_tables(asked.runs, kind)
        if asked.only != "difference":
            calibration_tables(round(0.4 * asked.runs), kind)


if __name__ == "__main__":
    main()

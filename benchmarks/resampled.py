"""What resampled intervals cover, on simulated truth: ``python3 dev.py bench resampled [--runs 4000] [--jobs 2]``.

Two models see the same cases; the truth is that of four million of them. Each line of the tables is one measure or
one paired difference; each number the share of 95% intervals that hold the truth, in percent. What the formulas cover
is the subject of `covering`.
"""

from __future__ import annotations

import argparse
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial

import numpy as np
from measuring import print_table
from scipy.special import expit

from stakes import At, Cases, Uniform, auc, expected_regret, h_measure, net_benefit, skill_score
from stakes.measures import Evaluate, recognise
from stakes.uncertainty import Study
from stakes.uncertainty._bootstrap import GROUPS, acceleration
from stakes.uncertainty._bootstrap import bootstrap_ends as ends
from stakes.uncertainty._replicates import evaluator
from stakes.uncertainty._resample import Plan, plan

PREVALENCES = {"5%": (-3.65, Uniform(0.02, 0.2), At(0.1)), "30%": (-1.1, Uniform(0.1, 0.5), At(0.3))}
CHUNK = 100  # runs that one process does at a time
METHODS = ("percentile", "basic", "bca")

Key = tuple[str, str]
Found = tuple[str, str, tuple[float, float]]  # a line of the table, a method, and the ends of its interval


def measures(prevalence: str, kind: str = "cases") -> dict[str, Callable]:
    _, costs, cost = PREVALENCES[prevalence]
    if kind == "recalibrated":
        return {"H-measure": h_measure}
    return {
        "expected regret": partial(expected_regret, costs=costs),
        "net benefit": partial(net_benefit, costs=cost),
        "AUC": auc,
        "skill": partial(skill_score, costs=costs),
    }


def draw(rng: np.random.Generator, size: int, prevalence: str) -> Cases:
    """Two models: one nearly right, one that sees less and adds noise of its own."""
    centre = PREVALENCES[prevalence][0]
    seen, noise, more = rng.normal(size=(3, size))
    y = rng.random(size) < expit(centre + 1.3 * seen)
    good = expit(centre + 0.2 + 1.1 * seen + 0.2 * noise)
    return Cases(y, {"good": good, "other": expit(centre + 0.9 * seen + 0.7 * more)})


def clustered(rng: np.random.Generator, clusters: int, prevalence: str, each: int = 20) -> tuple[Cases, Cases]:
    """Cases of some hospitals, whose patients differ in what the model does not see; and the same as cases."""
    centre = PREVALENCES[prevalence][0]
    hospital = np.repeat(np.arange(clusters), each)
    seen, unseen = rng.normal(size=hospital.size), 1.5 * rng.normal(size=clusters)[hospital]
    y = rng.random(hospital.size) < expit(centre + 1.3 * seen + unseen)
    scores = {"good": expit(centre + 0.2 + 1.1 * seen)}
    return Cases(y, scores, cluster=hospital), Cases(y, scores)


def truth(cases: Cases, names: dict[str, Callable]) -> dict[str, float]:
    found = {name: f(cases.table("good")) for name, f in names.items()}
    if len(cases.models) == 2:
        found |= {f"{name}, difference": found[name] - f(cases.table("other")) for name, f in names.items()}
    return found


def held(cases: Cases, true: dict[str, float], names: dict[str, Callable], methods, replicates, rng) -> Iterator[Key]:
    """Every interval that holds the truth, and (as "runs") every one that was tried."""
    for line, method, (lower, upper) in resampled_ends(cases, names, methods, replicates, rng):
        yield (line, "runs " + method)
        if lower <= true[line] <= upper:
            yield (line, method)


def resampled_ends(cases: Cases, names: dict[str, Callable], methods, replicates, rng) -> Iterator[Found]:
    """Give what `interval` and `compare` do, drawn once: methods, measures and models read the same replicates.

    That is ten times as fast as asking for each by itself, and the methods differ by nothing but themselves.
    """
    units = plan(cases, cases.models)
    counts = np.concatenate([drawn for _, drawn in units.blocks(replicates, rng)])
    for name, measure in names.items():
        measure = recognise(measure)
        study, evaluate = Study(cases, measure), [evaluator(measure, model) for model in units.models]
        values = [one(counts) for one in evaluate]
        estimates = list(study.estimates.values())
        moved = [study.influence(model) for model in cases.models] if measure.form else left_out(units, evaluate, rng)
        yield from by_methods(name, methods, values[0], estimates[0], moved[0])
        if len(cases.models) == 2:
            apart = (first - second for first, second in (values, estimates, moved))
            yield from by_methods(f"{name}, difference", methods, *apart)


def left_out(units: Plan, evaluate: list[Evaluate], rng: np.random.Generator) -> list[np.ndarray]:
    """Return what groups of cases move the measure of each model by, up to a constant."""
    without = np.array(list(units.jackknife(GROUPS, rng)))
    return [-one(without) for one in evaluate]


def by_methods(line: str, methods, values: np.ndarray, estimate: float, moved: np.ndarray) -> Iterator[Found]:
    values = values[~np.isnan(values)] if not np.isnan(values).all() else values
    skewness = acceleration(moved[np.isfinite(moved)]) if np.isfinite(moved).any() else 0.0
    for method in methods:
        yield line, method, ends(method, values, estimate, 0.95, skewness)


def chunk(seed, kind, size, prevalence, true, methods, replicates) -> Counter[Key]:
    rng, names, total = np.random.default_rng(seed), measures(prevalence, kind), Counter()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # samples without a positive: their intervals are nan
        for _ in range(CHUNK):
            if kind == "clusters":
                for label, cases in zip(("clusters", "cases"), clustered(rng, size, prevalence), strict=True):
                    some = held(cases, true, names, methods, replicates, rng)
                    total.update((line, f"{method} by {label}") for line, method in some)
            else:
                total.update(held(draw(rng, size, prevalence), true, names, methods, replicates, rng))
    return total


def cell(jobs, runs, seed, kind, size, prevalence, methods=METHODS, replicates=1000) -> tuple[dict, Counter[Key]]:
    rng = np.random.default_rng(seed)
    population = clustered(rng, 200_000, prevalence)[1] if kind == "clusters" else draw(rng, 4_000_000, prevalence)
    true = truth(population, measures(prevalence, kind))
    seeds = np.random.SeedSequence([seed, size]).spawn(-(-runs // CHUNK))
    work = partial(
        chunk, kind=kind, size=size, prevalence=prevalence, true=true, methods=methods, replicates=replicates
    )
    with ProcessPoolExecutor(jobs) as pool:
        return true, sum(pool.map(work, seeds), Counter())


def report(title: str, columns: tuple[str, ...], true: dict[str, float], found: Counter[Key], runs_of: str) -> None:
    runs = found[next(iter(true)), runs_of]
    print(f"\n**{title}**, {runs:,} runs; the error of a percentage is {100 * (0.05 * 0.95 / runs) ** 0.5:.1f}.")
    lines = [[f"{line} ({value:.4f})", *(100 * found[line, c] / runs for c in columns)] for line, value in true.items()]
    text = [[name, *(f"{share:.1f}" for share in shares)] for name, *shares in lines]
    print_table(["measure (true value)", *columns], text)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--runs", type=int, default=4000)
    parser.add_argument("--replicates", type=int, default=1000)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--parts", nargs="+", default=["small", "recalibrated", "clusters"])
    chosen = parser.parse_args()
    for prevalence in PREVALENCES:
        if "small" in chosen.parts:
            found = cell(chosen.jobs, chosen.runs, 2, "cases", 200, prevalence, METHODS, chosen.replicates)
            report(f"n = 200, prevalence {prevalence}", METHODS, *found, "runs bca")
        if "recalibrated" in chosen.parts:
            found = cell(chosen.jobs, chosen.runs, 5, "recalibrated", 500, prevalence, METHODS, chosen.replicates)
            report(f"n = 500, prevalence {prevalence}, H-measure", METHODS, *found, "runs bca")
    if "clusters" in chosen.parts:
        found = cell(chosen.jobs, chosen.runs, 3, "clusters", 60, "30%", ("bca",), chosen.replicates)
        columns = ("bca by clusters", "bca by cases")
        report("60 clusters of 20, prevalence 30%", columns, *found, "runs bca by clusters")


if __name__ == "__main__":
    main()

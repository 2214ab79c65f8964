"""What intervals really cover, on simulated truth: ``python3 dev.py bench covering [--runs 4000] [--jobs 2]``.

Two models see the same cases; the truth is that of four million of them. Each line of the tables is one measure or
one paired difference; each number the share of 95% intervals that hold the truth, in percent.
"""

from __future__ import annotations

import argparse
import itertools
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial

import numpy as np
from measuring import print_table
from scipy.special import expit

from stakes import (
    At,
    Cases,
    Uniform,
    auc,
    compare,
    decompose,
    expected_regret,
    h_measure,
    interval,
    net_benefit,
    score_table,
    skill_score,
)
from stakes.measures import Evaluate, recognise
from stakes.uncertainty import Study, miscalibration
from stakes.uncertainty._bootstrap import GROUPS, acceleration
from stakes.uncertainty._bootstrap import bootstrap_ends as ends
from stakes.uncertainty._replicates import evaluator
from stakes.uncertainty._resample import Plan, plan

PREVALENCES = {"5%": (-3.65, Uniform(0.02, 0.2), At(0.1)), "30%": (-1.1, Uniform(0.1, 0.5), At(0.3))}
CHUNK = 100  # runs that one process does at a time
DEFAULT, METHODS = ("auto",), ("auto", "percentile", "basic", "bca")
SIDES = ("auto", "truth below auto", "truth above auto")

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
    by_default = default_ends(cases, names) if "auto" in methods else ()
    for line, method, (lower, upper) in itertools.chain(
        by_default, resampled_ends(cases, names, [method for method in methods if method != "auto"], replicates, rng)
    ):
        yield (line, "runs " + method)
        if lower <= true[line] <= upper:
            yield (line, method)
        elif true[line] < lower:
            yield (line, f"truth below {method}")
        else:
            yield (line, f"truth above {method}")


def default_ends(cases: Cases, names: dict[str, Callable]) -> Iterator[Found]:
    for name, measure in names.items():
        one = interval(cases, measure)["good"]
        yield name, "auto", (one.lower, one.upper)
        if len(cases.models) == 2:
            two = compare(cases, "good", "other", measure)
            yield f"{name}, difference", "auto", (two.lower, two.upper)


def resampled_ends(cases: Cases, names: dict[str, Callable], methods, replicates, rng) -> Iterator[Found]:
    """Give what `interval` and `compare` do, drawn once: methods, measures and models read the same replicates.

    That is ten times as fast as asking for each by itself, and the methods differ by nothing but themselves.
    """
    if not methods:
        return
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


def cell(jobs, runs, seed, kind, size, prevalence, methods=DEFAULT, replicates=1000) -> tuple[dict, Counter[Key]]:
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
    parser.add_argument("--runs", type=int, default=4000, help="samples drawn for the default intervals")
    parser.add_argument("--resampled", type=int, default=None, help="the same where samples are resampled; as --runs")
    parser.add_argument("--replicates", type=int, default=1000)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument(
        "--parts", nargs="+", default=["large", "sides", "small", "recalibrated", "clusters", "few", "miscalibration"]
    )
    chosen = parser.parse_args()
    fewer = chosen.resampled or chosen.runs
    for prevalence in PREVALENCES:
        if "large" in chosen.parts:
            found = cell(chosen.jobs, chosen.runs, 1, "cases", 2000, prevalence)
            report(f"n = 2000, prevalence {prevalence}, default", DEFAULT, *found, "runs auto")
        if "sides" in chosen.parts:
            found = cell(chosen.jobs, chosen.runs, 4, "cases", 200, prevalence)
            report(f"n = 200, prevalence {prevalence}, default", SIDES, *found, "runs auto")
        if "recalibrated" in chosen.parts:
            found = cell(chosen.jobs, fewer, 5, "recalibrated", 500, prevalence, METHODS[1:], chosen.replicates)
            report(f"n = 500, prevalence {prevalence}, H-measure", METHODS[1:], *found, "runs bca")
        if "small" in chosen.parts:
            found = cell(chosen.jobs, fewer, 2, "cases", 200, prevalence, METHODS, chosen.replicates)
            report(f"n = 200, prevalence {prevalence}, every method", METHODS, *found, "runs auto")
    if "clusters" in chosen.parts:
        columns = tuple(f"{method} by {label}" for method in ("auto", "bca") for label in ("clusters", "cases"))
        found = cell(chosen.jobs, fewer, 3, "clusters", 60, "30%", ("auto", "bca"), chosen.replicates)
        report("60 clusters of 20, prevalence 30%", columns, *found, "runs auto by clusters")
    if "few" in chosen.parts:
        for size in (100, 400):
            found = cell(chosen.jobs, chosen.runs, 7, "cases", size, "5%")
            report(f"n = {size}, prevalence 5%, default", SIDES, *found, "runs auto")
        for clusters in (10, 20, 30, 40):
            found = cell(chosen.jobs, chosen.runs, 8, "clusters", clusters, "30%")
            columns = ("auto by clusters", "truth below auto by clusters", "truth above auto by clusters")
            report(f"{clusters} clusters of 20, prevalence 30%", columns, *found, "runs auto by clusters")
    if "miscalibration" in chosen.parts:
        for slope, size in itertools.product((1.0, 1.4), (300, 2000)):
            report_miscalibration(slope, size, min(fewer, 100))


def report_miscalibration(slope: float, size: int, runs: int) -> None:
    """Print the mean of what is estimated, in units of 1e-4, of a model whose log-odds are `slope` times the truth."""
    rng, costs = np.random.default_rng(6), Uniform()

    def sample(cases: int) -> tuple[np.ndarray, Cases]:
        logit = 1.2 * rng.normal(size=cases) - 1.5
        return expit(logit), Cases(rng.random(cases) < expit(logit), {"model": expit(slope * logit)})

    def resampled(cases: Cases) -> float:
        rows = rng.integers(len(cases), size=len(cases))
        score = cases.table("model").score[cases.rows("model")]
        return decompose(score_table(cases.positive[rows], score[rows]), costs).miscalibration

    risk, score = (lambda z: (expit(z), expit(slope * z)))(1.2 * rng.normal(size=2_000_000) - 1.5)
    true = float(np.mean((score - risk) ** 2)) / 2
    found = []
    for _ in range(runs):
        cases = sample(size)[1]
        parts = miscalibration(cases, costs, n_resamples=100, rng=rng)["model"]
        ordinary = 2 * parts.estimate - np.mean([resampled(cases) for _ in range(40)])
        held = parts.lower <= true <= parts.upper
        found.append([parts.estimate, ordinary, parts.corrected, held, parts.chance < 0.05])
    *means, covered, rejected = np.mean(found, axis=0)
    columns = [*(f"{1e4 * mean:.1f}" for mean in means), f"{covered:.0%}", f"{rejected:.0%}"]
    print(f"\n**Miscalibration {1e4 * true:.1f}e-4, {size:,} cases**, {runs} runs.")
    header = ["", "uncorrected", "ordinary bootstrap", "miscalibration", "covered", "chance below 5%"]
    print_table(header, [["mean, 1e-4", *columns]])


if __name__ == "__main__":
    main()

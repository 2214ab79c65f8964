"""Size of the test between groups, and coverage in groups: ``python3 dev.py bench covering_groups [--runs 1000]``.

All groups are samples of one population, so that two models differ alike in each. The truth is that of a million
cases. Each number is a percentage of the runs. ``--kinds plain weights clusters`` adds cases with unequal weights, and
cases in clusters of four that share half of what the models see.
"""

from __future__ import annotations

import argparse
import itertools
from collections.abc import Iterator
from functools import partial

import numpy as np
from measuring import print_table
from scipy.special import expit

from stakes import At, Cases, Uniform, expected_regret, net_benefit, skill_score
from stakes.uncertainty import GroupComparison, compare_groups

PREVALENCE, CENTRE, POPULATION = 0.134, -2.4, 1_000_000
POSITIVES = ((40, 27, 13), (134, 67, 33, 20), (26, 19))  # of each group, on average
COST, COSTS = At(0.15), Uniform(0.05, 0.3)
MEASURES = {
    "net benefit": (partial(net_benefit, costs=COST), partial(skill_score, costs=COST)),
    "regret": (partial(expected_regret, costs=COSTS), partial(skill_score, costs=COSTS)),
}

KINDS, CLUSTER = ("plain", "weights", "clusters"), 4


def draw(rng: np.random.Generator, size: int, kind: str = "plain") -> Cases:
    """Two models: one nearly right, one that sees less and adds noise of its own."""
    seen, noise, more = rng.normal(size=(3, size))
    cluster = np.arange(size) // CLUSTER if kind == "clusters" else None
    if cluster is not None:
        seen = np.sqrt(0.5) * (seen + rng.normal(size=cluster[-1] + 1)[cluster])
    weight = rng.lognormal(0, 0.7, size) if kind == "weights" else None
    y = rng.random(size) < expit(CENTRE + 1.3 * seen)
    good = expit(CENTRE + 0.2 + 1.1 * seen + 0.2 * noise)
    scores = {"good": good, "other": expit(CENTRE + 0.9 * seen + 0.7 * more)}
    return Cases(y, scores, weight=weight, cluster=cluster)


def holds(ends: tuple[float, float], truth: float) -> bool:
    return ends[0] <= truth <= ends[1]


def answers(found: GroupComparison, truth: float, skill: float) -> tuple[float, ...]:
    """Return whether the test rejects, and which intervals hold the truth."""
    groups = list(found.groups.values())
    single = [holds((one.difference.lower, one.difference.upper), truth) for one in groups]
    every = all(holds((one.adjusted.lower, one.adjusted.upper), truth) for one in groups)
    skills = [holds((one.skill.lower, one.skill.upper), skill) for one in groups]
    between = found.between(groups[0].name, groups[-1].name)
    apart = holds((between.lower, between.upper), 0.0)
    return found.p_value < 0.05, np.mean(single), single[-1], every, apart, np.mean(skills), len(found.tested)


def truth() -> dict[str, list[float]]:
    """Return the true difference and the true difference in skill, by the name of the measure."""
    population = draw(np.random.default_rng(99), POPULATION)
    good, other = (population.table(model) for model in population.models)
    return {name: [one(good) - one(other) for one in pair] for name, pair in MEASURES.items()}


def cell(
    positives: tuple[int, ...], name: str, truths: list[float], runs: int, seed: int, kind: str
) -> Iterator[tuple[float, ...]]:
    """Yield the answers of each run with at least two groups in the test."""
    rng, measure = np.random.default_rng(seed), MEASURES[name][0]
    sizes = [round(number / PREVALENCE) for number in positives]
    group = np.repeat([f"group {number}" for number in range(len(sizes))], sizes)
    for _ in range(runs):
        found = compare_groups(draw(rng, len(group), kind), "good", "other", measure, group)
        if len(found.tested) > 1:
            yield answers(found, *truths)


def rows(runs: int, truths: dict[str, list[float]], kinds: list[str]) -> Iterator[list[str]]:
    """Yield the rows of the table."""
    for kind, positives, name in itertools.product(kinds, POSITIVES, MEASURES):
        found = np.array(list(cell(positives, name, truths[name], runs, len(positives), kind)))
        *shares, tested = found.mean(axis=0)
        groups = f"{len(positives)} ({', '.join(map(str, positives))})"
        yield [kind, groups, name, *(f"{100 * share:.1f}" for share in shares), f"{tested:.2f}", str(len(found))]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=1000)
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=["plain"])
    asked = parser.parse_args()
    headings = ("Q rejects", "each group", "smallest", "all adjusted", "first minus last", "skill", "tested", "runs")
    print_table(["cases", "groups (positives)", "difference", *headings], rows(asked.runs, truth(), asked.kinds))


if __name__ == "__main__":
    main()

"""Gates, drift and watches by simulation: ``python3 dev.py bench covering_planning [--runs 2000] [--kept FILE]``.

Scores are normal log-odds, calibrated at a prevalence of 20%. Each number is a percentage of the runs. With ``--kept``
the counts of every part are kept in a file, from which an interrupted run goes on.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import numpy as np
from measuring import print_table
from scipy.special import expit, logit

from stakes import Cases, expected_regret, score_table
from stakes.monitoring import drift, gate, watch

PART = 100  # runs between two entries of the file
COST, REFERENCE, AREA = 0.1, 0.2, 1.19  # 1.19: the spread of log-odds with an AUC of 0.8


def scored(
    rng: np.random.Generator, size: int, prevalence: float, spread: float = AREA
) -> tuple[np.ndarray, np.ndarray]:
    """Outcomes and log-odds that are calibrated at the prevalence of the reference."""
    y = rng.random(size) < prevalence
    return y, logit(REFERENCE) + np.where(y, 0.5, -0.5) * spread**2 + spread * rng.normal(size=size)


def two_models(rng: np.random.Generator, size: int) -> Cases:
    y, log_odds = scored(rng, size, REFERENCE)
    new = 0.8 * (log_odds + 0.5 * rng.normal(size=size)) - 0.3
    return Cases(y, {"old": expit(log_odds), "new": expit(new)})


def gates(size: int, margin: float, rng: np.random.Generator) -> list[bool]:
    """At its margin: whether a gate passes, and whether it calls the model worse."""
    verdict = gate(two_models(rng, size), "new", "old", expected_regret, costs=COST, margin=margin).verdict
    return [verdict == "pass", verdict == "worse"]


def drifts(old: int, new: int, share: float, bold: float, rng: np.random.Generator) -> list[bool]:
    """Whether the interval of the prevalence, and that of the cost, hold the truth; whether the test rejects."""
    y, before = scored(rng, old, REFERENCE)
    _, after = scored(rng, new, share)
    found = drift(score_table(y, expit(bold * before + (bold - 1))), expit(bold * after + (bold - 1)), costs=COST)
    assert found.cost is not None
    right = true_cost(share, bold)
    held = [found.prevalence.lower <= share <= found.prevalence.upper, found.cost.lower <= right <= found.cost.upper]
    return [*held, found.explained < 0.05]


def true_cost(share: float, bold: float, known: dict[tuple[float, float], float] | None = None) -> float:
    table = TRUTH if known is None else known
    if (share, bold) not in table:
        y, log_odds = scored(np.random.default_rng(99), 2_000_000, share)
        table[share, bold] = expected_regret(score_table(y, expit(bold * log_odds + (bold - 1))), COST)
    return table[share, bold]


TRUTH: dict[tuple[float, float], float] = {}


def watches(months: int, size: int, promised: float, rng: np.random.Generator) -> list[bool]:
    """Whether an alarm is raised within some months in which nothing changes and the promise is exactly kept."""
    batches = ((y, expit(log_odds)) for y, log_odds in (scored(rng, size, REFERENCE) for _ in range(months)))
    return [watch(batches, COST, promised=promised).alarm is not None]


def questions() -> Iterator[tuple[str, str, Callable[[np.random.Generator], list[bool]]]]:
    """Give every setting: its table, its name and one run of it."""
    population = two_models(np.random.default_rng(98), 4_000_000)
    old, new = (expected_regret(population.table(name), COST) for name in ("old", "new"))
    for size in (200, 500, 2000):
        yield "gate", f"{size:,} cases", partial(gates, size, new - old)
    for setting in ((1000, 1000, 0.2, 1.0), (1000, 1000, 0.5, 2.0), (1000, 10_000, 0.05, 2.0), (300, 300, 0.05, 1.0)):
        before, after, share, bold = setting
        name = f"{before:,} and {after:,}, {share:.0%}, {'too bold' if bold > 1 else 'calibrated'}"
        yield "drift", name, partial(drifts, *setting)
    for months in (60, 240):
        yield "watch", f"{months} months of 300", partial(watches, months, 300, old)


HEADINGS = {
    "gate": ("passes", "worse"),
    "drift": ("prevalence held", "cost held", "rejected"),
    "watch": ("false alarm",),
}


def counted(
    once: Callable[[np.random.Generator], list[bool]], runs: int, kept: dict[str, list[int]], key: str
) -> Iterator[None]:
    """Run in parts, each with a seed of its own, and add to what is kept."""
    while (done := kept.get(key, [0])[0]) < runs:
        rng = np.random.default_rng([7, done])
        found = np.sum([once(rng) for _ in range(PART)], axis=0)
        before = kept.get(key, [0] * (len(found) + 1))
        kept[key] = [done + PART, *(int(a + b) for a, b in zip(before[1:], found, strict=True))]
        yield


def main() -> None:
    """Print a table for gates, one for drift and one for watches."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=2000)
    parser.add_argument("--kept", type=Path)
    parser.add_argument("--only", default="")
    asked = parser.parse_args()
    kept = json.loads(asked.kept.read_text(encoding="utf-8")) if asked.kept and asked.kept.exists() else {}
    tables: dict[str, list[list[str]]] = {}
    for table, name, once in questions():
        if asked.only and asked.only != table:
            continue
        for _ in counted(once, asked.runs, kept, f"{table}: {name}"):
            if asked.kept:
                asked.kept.write_text(json.dumps(kept, indent=1), encoding="utf-8")
        runs, *found = kept[f"{table}: {name}"]
        tables.setdefault(table, []).append([name, f"{runs:,}", *(f"{100 * one / runs:.1f}" for one in found)])
    for table, rows in tables.items():
        print_table([table, "runs", *HEADINGS[table]], rows)


if __name__ == "__main__":
    main()

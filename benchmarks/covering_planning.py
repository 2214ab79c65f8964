"""Gates, drift, watches, values by simulation: ``python3 dev.py bench covering_planning [--runs 2000] [--kept FILE]``.

Scores are normal log-odds, calibrated at a prevalence of 20%. Each number is a percentage of the runs, unless its
heading says otherwise. With ``--kept`` the sums of every part are kept in a file, from which an interrupted run goes
on.
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
from stakes.planning._preposterior import Preposterior
from stakes.uncertainty import JointEstimates, best_of

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


def gates(size: int, margin: float, rng: np.random.Generator) -> list[float]:
    """At its margin: whether a gate passes, and whether it calls the model worse."""
    verdict = gate(two_models(rng, size), "new", "old", expected_regret, costs=COST, margin=margin).verdict
    return [verdict == "pass", verdict == "worse"]


def drifts(old: int, new: int, share: float, bold: float, weighted: bool, rng: np.random.Generator) -> list[float]:
    """Whether the interval of the prevalence, and that of the cost, hold the truth; whether the test rejects."""
    y, before = scored(rng, old, REFERENCE)
    _, after = scored(rng, new, share)
    weight = rng.choice([0.5, 1.0, 3.0], new) if weighted else None
    table, scores = score_table(y, expit(bold * before + (bold - 1))), expit(bold * after + (bold - 1))
    found = drift(table, scores, costs=COST, weight=weight)
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

Months = Callable[[np.random.Generator], dict[str, np.ndarray]]

LONGEST = 1200  # months of a watch that raises no alarm


def watches(month: Months, promised: float, rng: np.random.Generator) -> list[float]:
    """Whether a watch has raised a false alarm within 60, 240 and `LONGEST` months, and how many months it took."""
    seen = watch([], COST, promised=promised, largest_cluster=5)
    while seen.alarm is None and len(seen) < LONGEST:
        seen = seen.update(**month(rng))
    first = LONGEST + 1 if seen.alarm is None else len(seen)
    return [first <= 60, first <= 240, first <= LONGEST, min(first, LONGEST)]


def in_parts(shares: tuple[float, ...], rng: np.random.Generator) -> dict[str, np.ndarray]:
    """Return a month of 300 cases whose prevalence changes on the way."""
    parts = [scored(rng, 300 // len(shares), share) for share in shares]
    return {"y": np.concatenate([y for y, _ in parts]), "score": expit(np.concatenate([one for _, one in parts]))}


def in_clusters(size: int, told: bool, rng: np.random.Generator) -> dict[str, np.ndarray]:
    """Return a month of 300 cases in clusters that share the outcome and half of the variance of their scores."""
    y = np.repeat(rng.random(300 // size) < REFERENCE, size)
    noise = np.sqrt(0.5) * (np.repeat(rng.normal(size=300 // size), size) + rng.normal(size=300))
    score = expit(logit(REFERENCE) + np.where(y, 0.5, -0.5) * AREA**2 + AREA * noise)
    return {"y": y, "score": score} | ({"cluster": np.arange(300) // size} if told else {})


def values(models: int, apart: float, rng: np.random.Generator) -> list[float]:
    """Return what is said, and what is true, of models and two references with estimates of standard error 1.

    The probability that the choice of now is right, what it loses, and what as many cases again are worth. Models are
    alike but for a normal difference; acting on everyone is as good as their mean, acting on no one worse by 2.
    """
    true = np.r_[rng.normal(0, apart, models), 0.0, -2.0]
    covariance = 0.5 * (np.eye(models + 2) + 1.0)
    errors = np.linalg.cholesky(covariance)
    first, second = (true + errors @ rng.normal(size=models + 2) for _ in range(2))
    are_models = np.arange(models + 2) < models
    names = tuple(map(str, range(models + 2)))
    now = JointEstimates(names, first, covariance, are_models, 100, "", np.zeros((0, models + 2)))
    law = Preposterior(now, "near")
    chosen, later = int(first.argmax()), int((first + second).argmax())
    said = [float(best_of(law.law).ranks[chosen, 0]), law.perfect[0], law.value(0.5)[0]]
    return [said[0], chosen == true.argmax(), said[1], true.max() - true[chosen], said[2], true[later] - true[chosen]]


def questions() -> Iterator[tuple[str, str, Callable[[np.random.Generator], list[float]]]]:
    """Give every setting: its table, its name and one run of it."""
    population = two_models(np.random.default_rng(98), 4_000_000)
    old, new = (expected_regret(population.table(name), COST) for name in ("old", "new"))
    for size in (200, 500, 2000):
        yield "gate", f"{size:,} cases", partial(gates, size, new - old)
    for setting in ((1000, 1000, 0.2, 1.0), (1000, 1000, 0.5, 2.0), (1000, 10_000, 0.05, 2.0), (300, 300, 0.05, 1.0)):
        before, after, share, bold = setting
        name = f"{before:,} and {after:,}, {share:.0%}, {'too bold' if bold > 1 else 'calibrated'}"
        yield "drift", name, partial(drifts, *setting, False)
    yield "drift", "1,000 and 1,000, 50%, calibrated, weights", partial(drifts, 1000, 1000, 0.5, 1.0, True)
    for name, shares in MONTHS.items():
        yield "watch", name, partial(watches, partial(in_parts, shares), old)
    for name, told in (("in clusters of 5", False), ("in clusters of 5, given as such", True)):
        yield "watch", name, partial(watches, partial(in_clusters, 5, told), old)
    for models, apart in ((2, 0.5), (2, 2.0), (4, 0.5), (4, 2.0)):
        yield "value", f"{models} models, {apart:g} apart", partial(values, models, apart)


MONTHS = {"nothing changes": (REFERENCE,), "prevalence 10%, then 20%": (0.1, 0.2), "10%, then 30%": (0.1, 0.3)}

HEADINGS = {
    "gate": ("passes", "worse"),
    "drift": ("prevalence held", "cost held", "rejected"),
    "watch": ("within 60", "within 240", f"within {LONGEST:,}", f"mean months, at most {LONGEST:,}"),
    "value": ("said right", "right", "said loss", "loss", "said value", "value"),
}


def shown(table: str, column: int, mean: float) -> str:
    """Write a mean: percentages, but for months and for losses in standard errors."""
    if table == "watch" and column == 3:
        return f"{mean:,.0f}"
    return f"{mean:.3f}" if table == "value" and column > 1 else f"{100 * mean:.1f}"


def counted(
    once: Callable[[np.random.Generator], list[float]], runs: int, kept: dict[str, list[float]], key: str
) -> Iterator[None]:
    """Run in parts, each with a seed of its own, and add to what is kept."""
    while (done := kept.get(key, [0])[0]) < runs:
        rng = np.random.default_rng([7, int(done)])
        found = np.sum([once(rng) for _ in range(PART)], axis=0)
        before = kept.get(key, [0] * (len(found) + 1))
        kept[key] = [done + PART, *(float(a + b) for a, b in zip(before[1:], found, strict=True))]
        yield


def main() -> None:
    """Print a table for gates, drift, watches and values each."""
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
        tables.setdefault(table, []).append(
            [name, f"{runs:,.0f}", *(shown(table, k, one / runs) for k, one in enumerate(found))]
        )
    for table, rows in tables.items():
        print_table([table, "runs", *HEADINGS[table]], rows)


if __name__ == "__main__":
    main()

"""Gates, drift, watches, values by simulation: ``python3 dev.py bench covering_planning [--runs 2000] [--kept FILE]``.

Scores are normal log-odds, calibrated at a prevalence of 20%. Each number is a percentage of the runs, unless its
heading says otherwise. With ``--kept`` the sums of every part are kept in a file, from which an interrupted run goes
on. ``--only watch`` makes one table, ``--only "watch: two models"`` the rows that begin so, and ``--only seconds`` the
processor time of planning and watching, beside that of an evaluation.
"""

from __future__ import annotations

import argparse
import itertools
import json
import math
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import numpy as np
from measuring import print_table
from scipy import stats
from scipy.special import expit, logit
from wait import spent

from stakes import Cases, evaluate, expected_regret, score_table
from stakes.monitoring import drift, gate, watch
from stakes.monitoring._evidence import sequence_reach
from stakes.planning import value_of_cases
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


def two_scores(rng: np.random.Generator, size: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Outcomes, and scores of an old and of a new model that is less precise and not calibrated."""
    y, log_odds = scored(rng, size, REFERENCE)
    new = 0.8 * (log_odds + 0.5 * rng.normal(size=size)) - 0.3
    return y, expit(log_odds), expit(new)


def two_models(rng: np.random.Generator, size: int) -> Cases:
    y, old, new = two_scores(rng, size)
    return Cases(y, {"old": old, "new": new})


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


def watches(month: Months, promised: float, baseline: str | None, rng: np.random.Generator) -> list[float]:
    """Whether a watch has raised a false alarm within 60, 240 and `LONGEST` months, and how many months it took."""
    seen = watch([], COST, promised=promised, baseline=baseline, largest_cluster=5)
    while seen.alarm is None and len(seen) < LONGEST:
        seen = seen.update(**month(rng))
    first = LONGEST + 1 if seen.alarm is None else len(seen)
    return [first <= 60, first <= 240, first <= LONGEST, min(first, LONGEST)]


def averages(month: Months, truth: float, rng: np.random.Generator) -> list[float]:
    """Whether the interval of the average so far holds the truth after each of 12, of 60 and of 240 months."""
    lost = np.array([losses(**month(rng)) for _ in range(240)])
    cases = lost.shape[1] * np.arange(1, 241)
    mean = np.cumsum(lost.sum(axis=1)) / cases
    deviation = np.sqrt(np.cumsum((lost**2).sum(axis=1)) / cases - mean**2)
    reach = [sequence_reach(one, int(seen), 0.95) for one, seen in zip(deviation, cases, strict=True)]
    held = np.abs(mean - truth) <= reach
    return [held[:months].all() for months in (12, 60, 240)]


def losses(y: np.ndarray, score: np.ndarray, baseline: np.ndarray | float = math.nan) -> np.ndarray:
    """Return the loss of each case, less that under the scores of a baseline if there are some."""
    lost, beside = (np.where(y, (1 - COST) * (one < COST), COST * (one >= COST)) for one in (score, baseline))
    return lost - beside if np.ndim(baseline) else lost


def delays(before: int, changed: Months, promised: float, rng: np.random.Generator) -> list[float]:
    """Whether an alarm stands in the last month before a change, and 1, 3, 6 and 12 months after it."""
    seen = watch([], COST, promised=promised)
    while seen.alarm is None and len(seen) < before + 12:
        seen = seen.update(**(in_parts((REFERENCE,), rng) if len(seen) < before else changed(rng)))
    first = math.inf if seen.alarm is None else seen.alarm + 1
    return [first <= before + months for months in (0, 1, 3, 6, 12)]


def with_area(auc: float, rng: np.random.Generator) -> dict[str, np.ndarray]:
    """Return a month of 300 cases whose scores have the spread of always, but another AUC."""
    y = rng.random(300) < REFERENCE
    between = math.sqrt(2) * stats.norm.ppf(auc) * AREA
    return {"y": y, "score": expit(logit(REFERENCE) + np.where(y, 0.5, -0.5) * between + AREA * rng.normal(size=300))}


def of_two_models(rng: np.random.Generator) -> dict[str, np.ndarray]:
    """Return a month of 300 cases with the scores of two models."""
    y, old, new = two_scores(rng, 300)
    return {"y": y, "score": new, "baseline": old}


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
    for (before, after), share, bold in itertools.product(SIZES, (0.05, 0.2, 0.5), (1.0, 2.0)):
        name = f"{before:,} and {after:,}, {share:.0%}, {'too bold' if bold > 1 else 'calibrated'}"
        yield "drift", name, partial(drifts, before, after, share, bold, False)
    yield "drift", "1,000 and 1,000, 50%, calibrated, weights", partial(drifts, 1000, 1000, 0.5, 1.0, True)
    for name, shares in MONTHS.items():
        yield "watch", name, partial(watches, partial(in_parts, shares), old, None)
    for name, told in (("in clusters of 5", False), ("in clusters of 5, given as such", True)):
        yield "watch", name, partial(watches, partial(in_clusters, 5, told), old, None)
    yield "watch", "two models, their difference promised", partial(watches, of_two_models, new - old, "old")
    yield "average", "one model", partial(averages, partial(in_parts, (REFERENCE,)), old)
    yield "average", "two models", partial(averages, of_two_models, new - old)
    for name, changed in CHANGES.items():
        for before in (12, 48):
            yield "change", f"{name}, after {before} months", partial(delays, before, changed, old)
    for models, apart in ((2, 0.5), (2, 2.0), (4, 0.5), (4, 2.0)):
        yield "value", f"{models} models, {apart:g} apart", partial(values, models, apart)


SIZES = ((300, 300), (1000, 1000), (1000, 20_000), (20_000, 1000))

MONTHS = {"nothing changes": (REFERENCE,), "prevalence 10%, then 20%": (0.1, 0.2), "10%, then 30%": (0.1, 0.3)}

CHANGES: dict[str, Months] = {
    "AUC 0.6": partial(with_area, 0.6),
    "AUC 0.7": partial(with_area, 0.7),
    "prevalence 40%": partial(in_parts, (0.4,)),
}

HEADINGS = {
    "gate": ("passes", "worse"),
    "drift": ("prevalence held", "cost held", "rejected"),
    "watch": ("within 60", "within 240", f"within {LONGEST:,}", f"mean months, at most {LONGEST:,}"),
    "average": ("held for 12 months", "for 60", "for 240"),
    "change": ("before", "1 month", "3 months", "6 months", "12 months"),
    "value": ("said right", "right", "said loss", "loss", "said value", "value"),
}


def seconds() -> Iterator[tuple[str, float]]:
    """Give the processor time of planning among 20 options, and of watching cases beside evaluating them."""
    rng = np.random.default_rng(97)
    y, log_odds = scored(rng, 2000, REFERENCE)
    models = {f"model {k}": expit(log_odds + 0.3 * rng.normal(size=2000)) for k in range(18)}
    cases = Cases(y, models).with_constants({"everyone": 1.0, "no one": 0.0})
    yield "value of 2,000 cases, 20 options", spent(lambda: value_of_cases(cases, expected_regret, costs="5%..20%"))
    outcome, log_odds = scored(rng, 1_000_000, REFERENCE)
    score = expit(log_odds)
    for parts in (12, 1000):
        batches = list(zip(np.array_split(outcome, parts), np.array_split(score, parts), strict=True))
        yield f"watch of 1,000,000, {parts:,} batches", spent(partial(watch, batches, "5%..20%", promised=0.06))
    yield "evaluation of 1,000,000", spent(lambda: evaluate(outcome, {"model": score}, "5%..20%"))


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
    """Print a table for gates, drift, watches and values each, and one of processor times."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=2000)
    parser.add_argument("--kept", type=Path)
    parser.add_argument("--only", default="")
    asked = parser.parse_args()
    kept = json.loads(asked.kept.read_text(encoding="utf-8")) if asked.kept and asked.kept.exists() else {}
    tables: dict[str, list[list[str]]] = {}
    for table, name, once in questions():
        if not f"{table}: {name}".startswith(asked.only):
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
    if "seconds".startswith(asked.only):
        print_table(["what", "seconds of processor time"], seconds())


if __name__ == "__main__":
    main()

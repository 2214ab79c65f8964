"""How long an evaluation takes, as ratios within one run: rows of ``python3 dev.py bench wait``.

Times are of the processor and the best of three, so that other work on the machine counts little. A sort is `np.sort`
of one model's scores, and ratios of evaluations are per model: the work itself is one sort and a few passes.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import numpy as np

from stakes import (
    At,
    CaseCosts,
    Cases,
    Decision,
    EventBy,
    Limits,
    Uniform,
    compare,
    evaluate,
    expected_regret,
    interval,
    net_benefit,
    rank,
)
from stakes.beliefs import IndependentCosts

COSTS = Uniform(0.05, 0.2)
FREE, LIMITED = Decision(COSTS), Decision(COSTS, limits=Limits(capacity=0.1))
ROUNDS = 3

Row = tuple[str, float]


def seconds(task: Callable[[], object]) -> float:
    """Best processor time of a few rounds, after one of a size that loads whatever is loaded once."""
    return min(once(task) for _ in range(ROUNDS))


def once(task: Callable[[], object]) -> float:
    """Processor time of a task."""
    start = time.process_time()
    task()
    return time.process_time() - start


def sample(cases: int, models: int) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """Outcomes, and scores of models that know the risk more or less well."""
    rng = np.random.default_rng(0)
    risk = rng.beta(1, 6, cases)
    odds = np.log(risk / (1 - risk))
    scores = {f"model {k}": 1 / (1 + np.exp(-odds - rng.normal(0, 0.3 + 0.1 * k, cases))) for k in range(models)}
    return rng.random(cases) < risk, scores


def timed(cases: int, models: int, decision: Decision) -> float:
    y, scores = sample(cases, models)
    evaluate(y[:500], {name: score[:500] for name, score in scores.items()}, decision)  # loads what is loaded once
    return seconds(lambda: evaluate(y, scores, decision, rng=0))


def sorts(cases: int = 10**6, models: int = 5) -> Row:
    """Sorts of one model's scores that an evaluation takes, per model."""
    _, scores = sample(cases, 1)
    (score,) = scores.values()
    return f"evaluate, {cases:,} x {models}: sorts a model", timed(cases, models, FREE) / seconds(
        lambda: np.sort(score)
    ) / models


def capacity(cases: int = 10**6, models: int = 5) -> Row:
    """How many times as long an evaluation takes with a capacity as without."""
    return f"evaluate, {cases:,} x {models}: with a capacity / without", timed(cases, models, LIMITED) / timed(
        cases, models, FREE
    )


def small_capacity(cases: int = 750, models: int = 3) -> Row:
    """Seconds more that a small evaluation takes with a capacity than without."""
    more = timed(cases, models, LIMITED) - timed(cases, models, FREE)
    return f"evaluate, {cases:,} x {models}: seconds more with a capacity", more


def case_costs(cases: int = 10**6, models: int = 5) -> Iterator[Row]:
    """How many times as long an evaluation takes with costs of each case as with the same costs for all."""
    y, scores = sample(cases, models)
    costs = CaseCosts(false_negative=np.exp(np.random.default_rng(1).normal(4, 1.2, cases)), false_positive=8.0)
    pairs = {
        "at one cost": (IndependentCosts(false_negative=(90, 90), false_positive=(8, 8)), "as stated"),
        "with a range": (IndependentCosts(false_negative=(90, 90), false_positive=(4, 16)), "x0.5..x2"),
    }
    for name, (same, multiplied) in pairs.items():
        one = seconds(lambda same=same: evaluate(y, scores, same))
        each = seconds(lambda multiplied=multiplied: evaluate(y, scores, multiplied, case_costs=costs))
        yield f"evaluate, {cases:,} x {models}, {name}: with case costs / without", each / one
    read = seconds(lambda: evaluate(y, scores, FREE).findings)
    each = seconds(lambda: evaluate(y, scores, "as stated", case_costs=costs).findings)
    yield f"evaluate and its findings, {cases:,} x {models}: with case costs / without", each / read


def followed(event: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """How long each case was followed, and whether the event came: some two in five left before the horizon at 5."""
    rng = np.random.default_rng(2)
    ends = np.where(event, rng.uniform(0, 5, len(event)), rng.uniform(5, 9, len(event)))
    left = np.where(rng.random(len(event)) < 0.5, rng.uniform(0, 6, len(event)), 10.0)
    return np.minimum(ends, left), event & (ends <= left)


def tables_and_intervals(y: np.ndarray | EventBy, scores: dict[str, np.ndarray], *, benefit: bool = False) -> None:
    """Make tables, intervals of the regret and the difference of the first two models; of the net benefit, too."""
    cases, regret = Cases(y, scores), partial(expected_regret, costs=COSTS)
    interval(cases, regret)
    compare(cases, *list(scores)[:2], regret)
    if benefit:
        interval(cases, partial(net_benefit, costs=At(0.1)))


def follow_up(cases: int = 10**6, models: int = 2) -> Iterator[Row]:
    """How many times as long outcomes by a horizon take as known ones of the same cases; they take turns."""
    y, scores = sample(cases, models)
    time_seen, event = followed(y)
    few = {name: score[:5000] for name, score in scores.items()}
    tasks: dict[str, Callable[[], object]] = {
        "regret": lambda: tables_and_intervals(EventBy(time_seen, event, 5), scores),
        "net benefit": lambda: tables_and_intervals(EventBy(time_seen, event, 5), scores, benefit=True),
        "evaluate": lambda: evaluate(EventBy(time_seen, event, 5), scores, FREE, rng=0),
        "known": lambda: evaluate(y, scores, FREE, rng=0),
    }
    start = EventBy(time_seen[:5000], event[:5000], 5)
    tables_and_intervals(start, few)
    evaluate(start, few, FREE)  # loads what is loaded once
    turns = [{name: once(task) for name, task in tasks.items()} for _ in range(ROUNDS)]
    best = {name: min(turn[name] for turn in turns) for name in tasks}
    what = f"censored outcomes, {cases:,} x {models}: "
    yield what + "weights, tables and intervals / evaluate without", best["regret"] / best["known"]
    yield what + "with intervals of the net benefit / evaluate without", best["net benefit"] / best["known"]
    yield what + "evaluate / evaluate without", best["evaluate"] / best["known"]


def report(cases: int = 10**6, models: int = 5) -> Row:
    """Seconds of writing a report, the findings computed."""
    evaluation = evaluate(*sample(cases, models), FREE)
    small = evaluate(*sample(500, models), FREE)
    _ = evaluation.findings
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "report.html"
        small.save_html(path)
        return f"report, {cases:,} x {models}: seconds", seconds(lambda: evaluation.save_html(path))


def repeated(cases: int = 2000, models: int = 6) -> Iterator[Row]:
    """Milliseconds of small calls that are repeated."""
    y, scores = sample(cases, models)
    known = Cases(y, scores)
    tasks = {
        "rank": lambda: rank(known, partial(expected_regret, costs=COSTS)),
        "evaluate": lambda: evaluate(y, scores, FREE, rng=0),
    }
    for name, task in tasks.items():
        task()
        yield f"{name}, {cases:,} x {models}, again: milliseconds", 1000 * seconds(task)


def rows() -> Iterator[Row]:
    """Yield every row of evaluations."""
    yield sorts()
    yield sorts(models=12)
    yield capacity()
    yield small_capacity()
    yield from case_costs()
    yield from follow_up()
    yield report()
    yield report(models=12)
    yield from repeated()


if __name__ == "__main__":
    for label, ratio in rows():
        print(f"{label}: {ratio:.3g}", flush=True)

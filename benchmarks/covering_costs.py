"""What intervals of money cover with heavy tails: ``python3 dev.py bench covering_costs [--runs 4000] [--table]``.

Amounts are lognormal, a missed fraud loses the amount and an alarm costs 5; 1,000 cases a sample, a tenth of them
fraud. Each line has the share of 95% intervals that hold the truth: of money per case, of that of a noisier model, of
their difference, of the money per case of 100 cases, and of the loss as a share of all that is at stake. The truth is
the mean of two million cases, each with its expected cost in place of the one that its outcome brought about.

Work is done in portions of 250 samples, each with a seed of its own, and what is found is added to
``covering_costs.jsonl`` beside this file: a run that was stopped goes on where it was. ``--table`` only prints what was
found. Delete the file when a formula changes.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from measuring import print_table

from stakes import At, CaseCosts, Cases, compare, expected_regret, interval
from stakes.measures import cost_per_case

SPREADS, CASES, POPULATION, PORTION, ALARM = (0.5, 1.0, 1.5, 2.0, 2.5), 1000, 2_000_000, 250, 5.0
LINES = ("money per case", "noisier model", "difference", "money, 100 cases", "share of stake")
FILE = Path(__file__).with_suffix(".jsonl")

Drawn = tuple[np.ndarray, np.ndarray, dict[str, np.ndarray]]


def draw(spread: float, cases: int, rng: np.random.Generator) -> Drawn:
    """Draw amounts, risks and two models."""
    amount = np.exp(rng.normal(4, spread, cases))
    risk = rng.beta(1, 9, cases)
    return amount, risk, {"true": risk, "noisy": np.clip(risk * rng.lognormal(0, 0.5, cases), 1e-6, 0.99)}


def truth(spread: float) -> dict[str, float]:
    """Return the expected cost per case of each model, their difference, and the share of what is at stake."""
    amount, risk, models = draw(spread, POPULATION, np.random.default_rng(0))
    acted = {name: p * amount >= (1 - p) * ALARM for name, p in models.items()}
    money = {name: np.where(acts, (1 - risk) * ALARM, risk * amount).mean() for name, acts in acted.items()}
    first, second = money["true"], money["noisy"]
    stake = np.exp(4 + spread**2 / 2) * 0.1 + ALARM * 0.9
    return dict(zip(LINES, (first, second, second - first, first, first / (2 * stake)), strict=True))


def sample(spread: float, cases: int, rng: np.random.Generator) -> tuple[Cases, Cases]:
    """Return cases with costs of their own, and the same with their stakes as weights."""
    amount, risk, models = draw(spread, cases, rng)
    fraud, costs = rng.random(cases) < risk, CaseCosts(false_negative=amount, false_positive=ALARM)
    weighted = Cases(fraud, {"true": costs.scores(risk)}, weight=np.where(fraud, amount, ALARM))
    return Cases(fraud, models, case_costs=costs), weighted


def portion(spread: float, number: int, true: dict[str, float]) -> dict[str, int]:
    """Return how many of the intervals of a portion hold the truth."""
    rng, held = np.random.default_rng((int(10 * spread), number)), dict.fromkeys(LINES, 0)
    for _ in range(PORTION):
        cases, weighted = sample(spread, CASES, rng)
        money = interval(cases, cost_per_case)
        few = interval(sample(spread, CASES // 10, rng)[0], cost_per_case)["true"]
        share = interval(weighted, expected_regret, costs=At(0.5))["true"]
        found = (money["true"], money["noisy"], compare(cases, "noisy", "true", cost_per_case), few, share)
        for line, one in zip(LINES, found, strict=True):
            held[line] += bool(one.lower <= true[line] <= one.upper)
    return held


def done() -> Iterator[dict[str, object]]:
    if FILE.exists():
        yield from map(json.loads, FILE.read_text(encoding="utf-8").splitlines())


def run(runs: int) -> None:
    """Do what is left to be done, all spreads by turns."""
    finished, true = {(one["spread"], one["number"]) for one in done()}, {spread: truth(spread) for spread in SPREADS}
    for number in range(-(-runs // PORTION)):
        for spread in SPREADS:
            if (spread, number) in finished:
                continue
            held = portion(spread, number, true[spread])
            with FILE.open("a", encoding="utf-8") as file:
                print(json.dumps({"spread": spread, "number": number, "runs": PORTION, "held": held}), file=file)


def main() -> None:
    """Run what is left, and print the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--runs", type=int, default=4000)
    parser.add_argument("--table", action="store_true")
    arguments = parser.parse_args()
    if not arguments.table:
        run(arguments.runs)
    rows = []
    for spread in SPREADS:
        here = [one for one in done() if one["spread"] == spread]
        runs = sum(one["runs"] for one in here)
        shares = (sum(one["held"][line] for one in here) / runs for line in LINES) if runs else ()
        rows.append((f"{spread:g}", f"{runs:,}", *(f"{100 * share:.1f}%" for share in shares)))
    print_table(("sd of log amount", "runs", *LINES), rows)


if __name__ == "__main__":
    main()

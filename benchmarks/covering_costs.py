"""What intervals of money cover with heavy tails: ``python3 dev.py bench covering_costs [--runs 4000]``.

Amounts are lognormal, a missed fraud loses the amount and an alarm costs 5; 1,000 cases a sample. The truth of each
spread is the mean of a population of two million cases. Each line has the share of 95% intervals that hold it: of money
per case, of that of a noisier model, and of their difference.
"""

from __future__ import annotations

import argparse

import numpy as np
from measuring import print_table

from stakes import CaseCosts, Cases, compare, interval, score_table
from stakes.measures import cost_per_case

SPREADS, CASES, POPULATION, SEED = (0.5, 1.0, 1.5, 2.0, 2.5), 1000, 2_000_000, 1


def draw(spread: float, cases: int, rng: np.random.Generator) -> tuple[np.ndarray, dict[str, np.ndarray], CaseCosts]:
    """Draw outcomes, two models and costs."""
    amount = np.exp(rng.normal(4, spread, cases))
    risk = rng.beta(1, 9, cases)
    noisy = np.clip(risk * rng.lognormal(0, 0.5, cases), 1e-6, 0.99)
    costs = CaseCosts(false_negative=amount, false_positive=5.0)
    return rng.random(cases) < risk, {"true": risk, "noisy": noisy}, costs


def coverage(spread: float, runs: int) -> tuple[float, float, float]:
    """Return how often intervals of two models and of their difference hold the truth."""
    rng = np.random.default_rng(SEED)
    y, models, costs = draw(spread, POPULATION, rng)
    truth = {name: cost_per_case(score_table(y, p, case_costs=costs)) for name, p in models.items()}
    held = np.zeros(3)
    for _ in range(runs):
        y, models, costs = draw(spread, CASES, rng)
        cases = Cases(y, models, case_costs=costs)
        found, apart = interval(cases, cost_per_case), compare(cases, "noisy", "true", cost_per_case)
        ends = [*found.values(), apart]
        true = [truth["true"], truth["noisy"], truth["noisy"] - truth["true"]]
        held += [one.lower <= at <= one.upper for one, at in zip(ends, true, strict=True)]
    first, second, difference = held / runs
    return float(first), float(second), float(difference)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--runs", type=int, default=4000)
    runs = parser.parse_args().runs
    rows = [(f"{spread:g}", *(f"{100 * share:.1f}%" for share in coverage(spread, runs))) for spread in SPREADS]
    print_table(("sd of log amount", "money per case", "noisier model", "difference"), rows)


if __name__ == "__main__":
    main()

"""The main job on bundled data, ``python -m stakes [COST]``: rank five ways to decide who gets a biopsy."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import numpy as np

from stakes import (
    CostBelief,
    ScoreTable,
    auc,
    brier_score,
    decompose,
    expected_regret,
    parse_belief,
    recalibrate,
    score_table,
    skill_score,
)
from stakes.datasets import load_cohort


def models() -> dict[str, ScoreTable]:
    """Make the tables of three ways to decide who gets a biopsy, and of the two that need no model."""
    cohort = load_cohort()
    cancer = cohort["cancer"]
    group = np.searchsorted(["high", "intermediate", "low"], cohort["risk_group"])
    return {
        "prediction model": score_table(cancer, cohort["cancerpredmarker"]),
        "risk group, recalibrated": recalibrate(score_table(cancer, -group)),
        "family history": score_table(cancer, cohort["famhistory"]),
        "act on everyone": score_table(cancer, np.ones(len(cancer))),
        "act on no one": score_table(cancer, np.zeros(len(cancer))),
    }


def lines(tables: dict[str, ScoreTable], costs: CostBelief) -> Iterator[str]:
    """Write the ranking, one line per way to decide, and what it comes to in words."""
    regret = {name: 1000 * expected_regret(table, costs) for name, table in tables.items()}
    ranking = sorted(regret, key=lambda name: regret[name])
    best, second = ranking[:2]
    yield f"{'':26}{'regret':>9}{'to best':>10}{'could save':>12}{'skill':>8}{'Brier':>8}{'AUC':>7}"
    yield f"{'':26}{'per 1,000 patients':^31}".rstrip()
    for name in ranking:
        table = tables[name]
        could_save = 1000 * decompose(table, costs).miscalibration
        costs_here = f"{name:26}{regret[name]:9.1f}{regret[name] - regret[best]:10.1f}{could_save:12.1f}"
        yield f"{costs_here}{skill_score(table, costs):8.2f}{brier_score(table):8.3f}{auc(table):7.2f}"
    yield ""
    yield f"Least costly: {best}, by {regret[second] - regret[best]:.1f} per 1,000 patients over {second}."
    yield "Regret: c for each false alarm plus 1 - c for each miss, averaged over the stated range of c."
    yield "Could save: what recalibration alone would take off, judged on the same patients, so at most that."


def main(arguments: list[str]) -> int:
    """Rank five ways to decide by expected regret over the cost that was stated."""
    stated = arguments[0] if arguments else "5%..20%"
    if stated in {"-h", "--help"}:
        print("usage: python -m stakes [COST]   for example 5%..20%, 10%, 1:9, or logodds 1%..20%")
        return 0
    try:
        costs = parse_belief(stated)
    except ValueError as error:
        print(f"stakes: {error}", file=sys.stderr)
        return 2
    tables = models()
    sample = next(iter(tables.values()))
    print(f"{sample.total:g} patients, {sample.positive_total:g} with cancer; ", end="")
    print(f"a false alarm weighs {stated} of both mistakes together\n")
    print(*lines(tables, costs), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

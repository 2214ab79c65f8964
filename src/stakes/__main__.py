"""The main job on bundled data, ``python -m stakes [COST]``: which model costs least?"""

from __future__ import annotations

import sys

import numpy as np

from stakes import (
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
    """Tables of three ways to decide who gets a biopsy, and of the two that need no model."""
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


def main(arguments: list[str]) -> int:
    """Rank the models by expected regret over the cost that was stated."""
    stated = arguments[0] if arguments else "5%..20%"
    try:
        costs = parse_belief(stated)
    except ValueError as error:
        print(f"stakes: {error}", file=sys.stderr)
        return 2
    tables = models()
    regret = {name: expected_regret(table, costs) for name, table in tables.items()}
    ranking = sorted(regret, key=lambda name: regret[name])
    sample = tables[ranking[0]]
    print(
        f"{sample.total:g} patients, {sample.positive_total:g} with cancer; a false alarm weighs {stated} of both mistakes\n"
    )
    print(f"{'':26}{'regret':>9}{'to best':>10}{'could save':>12}{'skill':>8}{'Brier':>8}{'AUC':>7}")
    print(f"{'':26}{'per 1,000 patients':^31}")
    for name in ranking:
        table = tables[name]
        cost, save = 1000 * regret[name], 1000 * decompose(table, costs).miscalibration
        print(
            f"{name:26}{cost:9.1f}{cost - 1000 * regret[ranking[0]]:10.1f}{save:12.1f}"
            f"{skill_score(table, costs):8.2f}{brier_score(table):8.3f}{auc(table):7.2f}"
        )
    print(
        f"\nThe {ranking[0]} costs least: {1000 * (regret[ranking[1]] - regret[ranking[0]]):.1f} per 1,000 patients less than"
    )
    print(f"{ranking[1]}, in units of one false alarm plus one miss.")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

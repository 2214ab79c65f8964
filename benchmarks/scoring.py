"""Numbers: pointwise scores of arrays against scikit-learn, and all numbers of a table against building it."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from unittest.mock import patch

import numpy as np
from measuring import print_table, race
from sklearn import metrics as sklearn_metrics

import stakes
from stakes import Curve, Uniform, _sort, metrics

Task = Callable[[stakes.ScoreTable], object]

NUMBERS = {
    "expected_regret": lambda table: stakes.expected_regret(table, Uniform()),
    "brier_score": stakes.brier_score,
    "log_loss": stakes.log_loss,
    "net_benefit": lambda table: stakes.net_benefit(table, Uniform(0.05, 0.2)),
    "accuracy": stakes.accuracy,
    "weighted_accuracy": lambda table: stakes.measures.weighted_accuracy(table, cost=0.2),
    "skill_score": lambda table: stakes.skill_score(table, Uniform()),
    "decompose": lambda table: stakes.decompose(table, Uniform()),
    "h_measure": stakes.h_measure,
    "auc": stakes.auc,
    "partial_auc": lambda table: stakes.measures.partial_auc(table, fpr_range=(0, 0.2)),
    "bounded_auc": lambda table: stakes.measures.bounded_auc(table, score_range=(0.1, 0.4)),
    "top_k": lambda table: stakes.top_k(table, k=1000, cost=0.2),
}


def sample(rows: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(9)
    score = rng.beta(2, 5, rows)
    return (rng.random(rows) < score).astype(np.int8), score, rng.uniform(0.5, 3, rows)


def report_pointwise(rows: int) -> None:
    """Print how long means of pointwise losses take."""
    y, score, weight = sample(rows)
    print(
        f"\n**Measures without a table, {rows:,} cases**: time as a multiple of `np.mean(score)`, and times faster than"
    )
    print("scikit-learn.")
    lines = []
    for name, theirs in (("brier_score", "brier_score_loss"), ("log_loss", "log_loss")):
        for how, weights in (("", None), (", weighted", weight)):
            ours, peer = getattr(metrics, name), getattr(sklearn_metrics, theirs)
            seconds = race(
                {
                    "mean": lambda: np.mean(score),
                    "ours": lambda f=ours, w=weights: f(y, score, sample_weight=w),
                    "theirs": lambda f=peer, w=weights: f(y, score, sample_weight=w),
                }
            )
            lines.append([name + how, seconds["ours"] / seconds["mean"], seconds["theirs"] / seconds["ours"]])
    print_table(["score", "/ np.mean", "faster than scikit-learn"], lines)


def fresh(table: stakes.ScoreTable) -> stakes.ScoreTable:
    """Return the same table, with nothing remembered from earlier numbers."""
    return stakes.ScoreTable(table.score, table.positive, table.negative)


def all_numbers(table: stakes.ScoreTable) -> None:
    for number in NUMBERS.values():
        number(table)


def report_numbers(rows: int) -> None:
    """Print how long every number of one table takes, once it is there."""
    print(f"\n**All measures of one table of {rows:,} cases without ties**: time as a share of building it,")
    report_shares(rows, NUMBERS | {"**all together**": all_numbers})


def simplified(curve: Callable[[stakes.ScoreTable], Curve], low: float = 0.0, high: float = 1.0) -> Task:
    return lambda table: curve(table).between(low, high).simplify(1e-4)


CURVES = {
    "roc_curve": simplified(stakes.roc_curve),
    "roc_hull": simplified(stakes.curves.roc_hull),
    "precision_recall_curve": simplified(stakes.precision_recall_curve),
    "regret_curve": simplified(stakes.regret_curve),
    "brier_curve": simplified(stakes.curves.brier_curve),
    "cost_curve": simplified(stakes.cost_curve),
    "decision_curve": simplified(stakes.decision_curve, 0.01, 0.9),
    "best_decision_curve": simplified(stakes.curves.best_decision_curve, 0.01, 0.9),
    "relative_utility_curve": simplified(stakes.curves.relative_utility_curve, 0.01, 0.9),
    "interventions_avoided_curve": simplified(stakes.curves.interventions_avoided_curve, 0.01, 0.9),
    "accuracy_curve": simplified(stakes.prevalence.accuracy_curve),
}


def report_curves(rows: int) -> None:
    """Print how long curves take, built and simplified for drawing."""
    print(
        f"\n**Curves of a table of {rows:,} cases without ties**, simplified to 1e-4: time as a share of building it,"
    )
    report_shares(rows, CURVES)


def report_shares(rows: int, tasks: Mapping[str, Task]) -> None:
    """Print what each task takes as a share of building its table with NumPy alone."""
    y, score, _ = sample(rows)
    with patch.object(_sort, "RADIX_ROWS", math.inf):
        table = stakes.score_table(y, score)
        preparing = {"np.sort": lambda: np.sort(score), "score_table": lambda: stakes.score_table(y, score)}
        seconds = race({**preparing, **{name: lambda f=f: f(fresh(table)) for name, f in tasks.items()}})
    sorting, building = seconds.pop("np.sort"), seconds.pop("score_table")
    print(
        f"with NumPy alone, checks of the input included, which takes {building / sorting:.1f} times `np.sort(score)`."
    )
    print_table(["", "/ score_table"], [[name, spent / building] for name, spent in seconds.items()])

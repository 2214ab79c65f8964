"""A sample, and one number of every kind: what tests of the whole product ask for again and again."""

import numpy as np

import stakes
from stakes import At, Limits, LogOddsUniform, Uniform

COSTS, PREVALENCE, LIMITS = Uniform(0.05, 0.3), LogOddsUniform(0.02, 0.2), Limits(capacity=0.3)
NUMBERS = {
    "expected_regret": lambda table: stakes.expected_regret(table, COSTS),
    "log_loss": stakes.log_loss,
    "auc": stakes.auc,
    "decompose": lambda table: stakes.decompose(table, COSTS).miscalibration,
    "recalibrate": lambda table: stakes.recalibrate(table).score.sum(),
    "decision_curve": lambda table: stakes.decision_curve(table).between(0.05, 0.3).area(),
    "roc_hull": lambda table: stakes.roc_hull(table).area(),
    "shifted_regret": lambda table: stakes.shifted_regret(table, COSTS, PREVALENCE),
    "partial_voros": lambda table: stakes.partial_voros(table, COSTS, LIMITS),
    "best_cuts": lambda table: stakes.best_cuts(table, COSTS, LIMITS).mean_regret,
    "net_benefit": lambda table: stakes.net_benefit(table, At(0.2)),
}


def sample(rows=3000):
    rng = np.random.default_rng(3)
    score = rng.beta(2, 5, rows)
    return (rng.random(rows) < score).astype(int), score

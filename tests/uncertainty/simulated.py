"""Samples that the tests of uncertainty share."""

from functools import partial

import numpy as np

from stakes import (
    At,
    Cases,
    LogOddsUniform,
    Uniform,
    accuracy,
    auc,
    brier_score,
    expected_regret,
    log_loss,
    net_benefit,
    skill_score,
)
from stakes.measures import weighted_accuracy

KNOWN = {
    "expected_regret": partial(expected_regret, costs=Uniform(0.05, 0.35)),
    "expected_regret at one cost": partial(expected_regret, costs=At(0.2)),
    "brier_score": brier_score,
    "brier_score of a range": partial(brier_score, cost_range=(0.1, 0.4)),
    "log_loss": log_loss,
    "log_loss of a range": partial(log_loss, cost_range=(0.02, 0.3)),
    "net_benefit": partial(net_benefit, costs=LogOddsUniform(0.05, 0.3)),
    "accuracy": accuracy,
    "accuracy at a threshold": partial(accuracy, threshold=0.3),
    "weighted_accuracy": partial(weighted_accuracy, cost=0.2),
    "skill_score": partial(skill_score, costs=Uniform(0.1, 0.4)),
    "auc": auc,
}


def scores(size, *, seed=5, decimals=17):
    """Outcomes and the scores of two models, the second like the first with noise."""
    rng = np.random.default_rng(seed)
    risk = rng.beta(2, 5, size)
    y = rng.random(size) < risk
    other = 1 / (1 + (1 / risk - 1) * np.exp(0.5 * rng.normal(size=size)))
    return y, np.round(risk, decimals), np.round(other, decimals)


def cases(size=400, *, seed=5, decimals=17, **options):
    y, good, other = scores(size, seed=seed, decimals=decimals)
    return Cases(y, {"good": good, "other": other}, **options)

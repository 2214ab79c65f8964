"""A sample, and every number of it: what tests of the whole product ask for again and again."""

import inspect

import numpy as np

import stakes
import stakes.prevalence  # whose measures are registered when it is loaded
from stakes import At, Limits, LogOddsUniform, Uniform
from stakes.measures import REGISTRY

COSTS, PREVALENCE, LIMITS = Uniform(0.05, 0.3), LogOddsUniform(0.02, 0.2), Limits(capacity=0.3)

# What to give to a measure that cannot do without it.
PARAMETERS = {"costs": COSTS, "prevalence": PREVALENCE, "limits": LIMITS, "cost": 0.2, "k": 20}
PARAMETERS |= {"score_range": (0.1, 0.6), "prevalence_range": (0.1, 0.6)}


def needed(name):
    """Return the parameters that need a value, by name; "as stated" is none without costs of each case."""
    takes = inspect.signature(REGISTRY[name].function).parameters.values()
    missing = inspect.Parameter.empty, None, "as stated"
    return {one.name: PARAMETERS[one.name] for one in takes if one.default in missing and one.name != "table"}


def number(name):
    """Return a measure of the registry, with parameters, as a function of a table."""
    stated, given = REGISTRY[name], needed(name)
    if stated.field:
        return lambda table: getattr(stated.function(table, **given), stated.field)
    return lambda table: stated.function(table, **given)


NUMBERS = {name: number(name) for name in REGISTRY} | {
    "net_benefit at one cost": lambda table: stakes.net_benefit(table, At(0.2)),
    "recalibrate": lambda table: stakes.recalibrate(table).score.sum(),
    "decision_curve": lambda table: stakes.decision_curve(table).between(0.05, 0.3).area(),
    "roc_hull": lambda table: stakes.curves.roc_hull(table).area(),
    "best_thresholds": lambda table: stakes.best_thresholds(table, COSTS, LIMITS).mean_regret,
}


def sample(rows=3000):
    rng = np.random.default_rng(3)
    score = rng.beta(2, 5, rows)
    return (rng.random(rows) < score).astype(int), score

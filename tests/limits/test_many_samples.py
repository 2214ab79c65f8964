"""The best feasible thresholds on many samples at once are those of each sample."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from stakes import At, Beta, Limits, LogOddsUniform, ScoreTable, Uniform, best_thresholds
from stakes.beliefs import Atoms, IndependentCosts
from stakes.policy import best_regrets

SAMPLES, ROWS = 25, 40
SCORE = np.linspace(0.01, 0.6, ROWS)
COSTS = {
    "uniform": Uniform(0.05, 0.2),
    "any cost": Uniform(),
    "even in log-odds": LogOddsUniform(0.01, 0.5),
    "beta": Beta(2, 8),
    "one cost": At(0.1),
    "two costs": Atoms((0.1, 0.3), (0.5, 0.5)),
    "money": IndependentCosts(false_negative=(100, 300), false_positive=(10, 20)),
}
LIMITS = [Limits(capacity=0.1), Limits(capacity=0.4, min_precision=0.3), Limits(min_precision=0.25), Limits()]


def drawn(weighted, seed=0):
    """Weights of positives and negatives, samples x scores; some rows are empty, and some samples have one class."""
    rng = np.random.default_rng(seed)
    cases = rng.poisson(2, (SAMPLES, ROWS))
    positive = rng.binomial(cases, SCORE).astype(float)
    negative = cases - positive
    positive[0] = 0.0
    weight = rng.gamma(1, 1, (2, *cases.shape)) if weighted else np.ones((2, 1, 1))
    return positive * weight[0], negative * weight[1]


@pytest.mark.sample(14)
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("limits", LIMITS, ids=str)
@pytest.mark.parametrize("costs", COSTS)
def test_each_sample_has_the_regret_of_its_own_thresholds(costs, limits, weighted):
    positive, negative = drawn(weighted)
    tables = [ScoreTable.from_counts(SCORE, *both) for both in zip(positive, negative, strict=True)]
    expected = [best_thresholds(table, COSTS[costs], limits).mean_regret for table in tables]
    found = best_regrets(positive, negative, COSTS[costs], limits)
    assert_allclose(found, expected, rtol=1e-12, atol=1e-15)


@pytest.mark.parametrize("turn", [1, -1])
def test_steps_that_are_pooled_one_at_a_time_are_all_pooled(turn):
    """The last share takes in one neighbour more in each round."""
    positive, negative = np.append(np.arange(1.0, 31.0), 900.0)[::turn], np.append(np.full(30, 30.0), 0.5)[::turn]
    table = ScoreTable.from_counts(np.arange(31.0), positive, negative)
    expected = best_thresholds(table, Uniform(), Limits(capacity=0.9)).mean_regret
    assert_allclose(best_regrets(positive[None], negative[None], Uniform(), Limits(capacity=0.9)), expected)

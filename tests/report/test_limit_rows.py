"""Under a capacity or a smallest precision, the best thresholds lie at a few rows of a table."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from report.agreement import untied
from strategies import tables

from stakes import Decision, Limits, Uniform, at_prevalence, best_thresholds, evaluate
from stakes.limits import NO_LIMITS
from stakes.report._limit_rows import rows_under_limits
from stakes.report._page_tables import page_tables

SHARES = st.lists(st.floats(0.01, 0.99), max_size=4)
COSTS = Uniform(0.1, 0.6)


def regret(table, **limits):
    return best_thresholds(table, COSTS, Limits(**limits)).mean_regret


def regrets(table, capacities, precisions):
    return [
        *(regret(table, capacity=one) for one in capacities),
        *(regret(table, min_precision=one) for one in precisions),
    ]


@given(table=tables(max_size=60), capacities=SHARES, precisions=SHARES)
def test_regrets_under_each_limit_are_those_of_the_whole_table(table, capacities, precisions):
    small = rows_under_limits(table, capacities, precisions)
    assert regrets(small, capacities, precisions) == pytest.approx(
        regrets(table, capacities, precisions), rel=1e-9, abs=1e-12
    )


@pytest.mark.parametrize("seed", range(3))
def test_regrets_of_counts_are_the_same_to_the_last_bit_and_rows_are_few(seed):
    table, shares = untied(20_000, seed), np.linspace(0.02, 0.98, 25).tolist()
    small = rows_under_limits(table, shares, shares)
    assert regrets(small, shares, shares) == regrets(table, shares, shares)
    assert len(small) < len(table) / 10


def test_a_precision_that_everyone_meets_keeps_the_whole_hull():
    table = untied(500, 1)
    small = rows_under_limits(table, [], [0.01])
    assert best_thresholds(small, COSTS).mean_regret == best_thresholds(table, COSTS, NO_LIMITS).mean_regret


@pytest.mark.parametrize("prevalence", [None, 0.05])
def test_the_page_states_the_largest_change_under_any_of_its_limits(prevalence):
    rng = np.random.default_rng(5)
    risk = rng.beta(1, 4, 3000)
    y, scores = rng.random(3000) < risk, {"a": risk, "b": np.clip(risk * rng.uniform(0.5, 1.5, 3000), 0, 1)}
    evaluation = evaluate(y, scores, Decision(COSTS, prevalence=prevalence))
    tables, bound = page_tables(evaluation, pooled=True)
    moved = [(evaluation.tables[name], tables[name]) for name in scores]
    if prevalence is not None:
        moved = [tuple(at_prevalence(one, prevalence) for one in pair) for pair in moved]
    for limit, shares, stated in (
        ("capacity", np.geomspace(0.01, 0.9, 20), bound.capacity),
        ("min_precision", np.linspace(0.05, 0.9, 20), bound.precision),
    ):
        changes = [
            abs(regret(fine, **{limit: one}) - regret(coarse, **{limit: one}))
            for fine, coarse in moved
            for one in shares.tolist()
        ]
        assert stated == pytest.approx(max(changes), abs=1e-15)
        assert stated > 0

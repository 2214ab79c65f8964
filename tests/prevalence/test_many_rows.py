"""Very many rows: a tabulated loss, blocks of bounded size, and the same numbers."""

import numpy as np
import pytest
from scipy.special import logit

from stakes import At, LogOddsUniform, Uniform, score_table
from stakes.beliefs._integrals import integrals
from stakes.prevalence import prior_adjusted_net_benefit, shifted_net_benefit, shifted_regret, shifted_weighted_accuracy
from stakes.prevalence._average import breaks_of
from stakes.table import unsorted_table

FAMILY = (shifted_regret, shifted_net_benefit, prior_adjusted_net_benefit, shifted_weighted_accuracy)
COSTS, PREVALENCE = Uniform(0.1, 0.4), LogOddsUniform(0.05, 0.3)


class Asked:
    """A user's own belief, even up to 0.25 over many log-odds, that keeps how much it was asked for at a time."""

    support = (1e-9, 0.25)

    def __init__(self):
        self.sizes = []

    def density(self, x):
        self.sizes.append(x.size)
        return np.full_like(x, 4.0)


def many(rows, low=0.02, high=0.9):
    return score_table(np.arange(rows) % 3 == 0, np.linspace(low, high, rows))


def asked(measure, rows):
    belief = Asked()
    measure(many(rows), COSTS, belief)
    return sum(belief.sizes)


@pytest.mark.parametrize("measure", FAMILY)
def test_a_belief_is_asked_for_every_one_of_few_rows_and_no_more_for_many(measure):
    assert asked(measure, 600) > 1.5 * asked(measure, 300)
    assert asked(measure, 6000) == asked(measure, 3000)


def test_a_step_holds_as_many_rows_as_fit_into_65536_numbers():
    belief = Asked()
    shifted_weighted_accuracy(many(500), LogOddsUniform(1e-9, 0.4), belief)
    assert 2**15 < max(belief.sizes) <= 2**16


def test_a_step_holds_fewer_rows_where_each_of_its_numbers_is_an_integral():
    belief = Asked()
    shifted_weighted_accuracy(many(60), belief, LogOddsUniform(1e-9, 0.4))
    assert 2**20 < max(belief.sizes) <= 2**21


@pytest.mark.parametrize("measure", FAMILY)
@pytest.mark.parametrize(
    ("low", "high"), [(0.3, 0.35), (0.26, 0.74), (1e-9, 1e-3), (0.9, 1 - 1e-9)], ids=["few", "half", "rare", "common"]
)
def test_scores_of_any_range_give_what_two_halves_give(measure, low, high):
    """1500 rows are looked up in a table of the loss, 750 are not; both halves have the same prevalence."""
    rows = np.linspace(low, high, 1500)
    y = np.arange(1500) % 3 == 0
    halves = [score_table(y[part], rows[part]) for part in (slice(750), slice(750, None))]
    expected = np.mean([measure(half, COSTS, PREVALENCE) for half in halves])
    assert measure(score_table(y, rows), COSTS, PREVALENCE) == pytest.approx(expected, rel=1e-13)


@pytest.mark.parametrize("measure", FAMILY)
@pytest.mark.parametrize(
    "scores", [(0.0, 1.0), (0.5, 0.5), (0.2, 0.2), (0.0, 0.3), (0.3, 1.0), (0.0, 0.5, 1.0), (0.9, 0.9)], ids=repr
)
def test_many_cases_with_few_scores_give_what_their_table_gives(measure, scores):
    score, y = np.resize(scores, 1500), np.arange(1500) % 7 == 0
    found = measure(unsorted_table(y, score, None), COSTS, PREVALENCE)
    assert found == pytest.approx(measure(score_table(y, score), COSTS, PREVALENCE), rel=1e-12)


@pytest.mark.parametrize("measure", FAMILY)
def test_single_precision_loses_no_more_digits_on_the_way(measure):
    score = np.random.default_rng(4).beta(2, 5, 1500).astype(np.float32)
    y = np.arange(1500) % 7 == 0
    single, double = (unsorted_table(y, column, None) for column in (score, score.astype(np.float64)))
    assert measure(single, COSTS, PREVALENCE) == pytest.approx(measure(double, COSTS, PREVALENCE), rel=1e-14)


@pytest.mark.parametrize("costs", [At(0.3), COSTS, LogOddsUniform(0.02, 0.7)], ids=repr)
@pytest.mark.parametrize("prevalence", [At(0.2), Uniform(0.1, 0.4), PREVALENCE], ids=repr)
def test_breaks_are_where_a_score_begins_or_ceases_to_be_acted_on_at_some_cost_and_prevalence(costs, prevalence):
    ends = [belief.support if hasattr(belief, "support") else (belief.value,) for belief in (costs, prevalence)]
    expected = {logit(c) - logit(p) for c in ends[0] for p in ends[1]}
    found = breaks_of(integrals("costs", costs), integrals("prevalence", prevalence))
    assert found.tolist() == pytest.approx(sorted(expected), abs=1e-12)

"""Errors raised for bad input, with their messages."""

import numpy as np
import pytest

from stakes import At, Uniform, score_table
from stakes.beliefs import EveryLogOdds, IndependentCosts
from stakes.prevalence import (
    dca_log_score,
    prior_adjusted_net_benefit,
    shifted_accuracy,
    shifted_net_benefit,
    shifted_net_benefit_curve,
    shifted_regret,
    shifted_weighted_accuracy,
)

FAMILY = (shifted_regret, shifted_net_benefit, prior_adjusted_net_benefit, shifted_weighted_accuracy)
TABLE = score_table([0, 1, 0, 1], [0.1, 0.3, 0.4, 0.8])


def message(error, function, *arguments, **options):
    with pytest.raises(error) as caught:
        function(*arguments, **options)
    return str(caught.value)


@pytest.mark.parametrize("measure", FAMILY)
def test_a_number_and_words_are_beliefs(measure):
    known = measure(TABLE, At(0.3), At(0.2))
    assert measure(TABLE, 0.3, 0.2) == measure(TABLE, "30%", "1:4") == known
    spread = measure(TABLE, Uniform(0.05, 0.2), Uniform(0.1, 0.3))
    assert measure(TABLE, "5%..20%", "10%..30%") == spread


@pytest.mark.parametrize("measure", FAMILY)
def test_what_is_no_share_is_named(measure):
    wanted = "`{}` must lie strictly between 0 and 1, got 20; 20% is 0.2."
    assert message(ValueError, measure, TABLE, 20, At(0.3)) == wanted.format("costs")
    assert message(ValueError, measure, TABLE, At(0.3), 20) == wanted.format("prevalence")


@pytest.mark.parametrize("measure", FAMILY)
def test_one_class_cannot_be_shifted(measure):
    one = score_table([1, 1], [0.2, 0.4])
    assert message(ValueError, measure, one, At(0.3), At(0.2)) == "`table` must have both classes, got no negatives."


@pytest.mark.parametrize("measure", FAMILY)
def test_scores_must_be_probabilities(measure):
    found = message(ValueError, measure, score_table([0, 1], [0.2, 3.0]), At(0.3), At(0.2))
    assert found.startswith("`score` must be a probability between 0 and 1, got 3; ")


@pytest.mark.parametrize("measure", FAMILY)
def test_what_is_no_table_is_named(measure):
    assert message(TypeError, measure, [1, 2], At(0.3), At(0.2)).startswith("`table` must be a ScoreTable")


@pytest.mark.parametrize("measure", FAMILY[1:])
def test_costs_in_own_units_have_no_exchange_rate(measure):
    costs = IndependentCosts(false_negative=(2, 7), false_positive=(0.5, 3))
    found = message(TypeError, measure, TABLE, costs, At(0.2))
    assert found.startswith(
        "`costs` must be a belief about the cost proportion, since this number is not in money, got "
    )


@pytest.mark.parametrize("measure", FAMILY)
def test_a_prevalence_must_be_a_distribution(measure):
    found = message(ValueError, measure, TABLE, At(0.3), EveryLogOdds())
    assert found == "`prevalence` must be a belief whose density integrates to 1, got EveryLogOdds()."


def test_a_prevalence_without_a_density_is_named():
    class Losses:
        support = (0.1, 0.2)

        def loss_if_positive(self, score):
            return np.zeros_like(score)

        def loss_if_negative(self, score):
            return np.zeros_like(score)

        def __repr__(self):
            return "Losses()"

    found = message(TypeError, shifted_accuracy, TABLE, Losses())
    assert found == "`prevalence` must be a belief with `density`, got Losses()."


def test_bounds_of_the_dca_log_score_are_judged():
    assert message(ValueError, dca_log_score, TABLE, cost=1.0, prevalence_range=(0.1, 0.2)) == (
        "`cost` must lie strictly between 0 and 1, got 1."
    )
    assert message(ValueError, dca_log_score, TABLE, cost=0.5, prevalence_range=(0.2, 0.1)) == (
        "`prevalence_range` must go from low to high, got (0.2, 0.1)."
    )
    assert message(ValueError, dca_log_score, TABLE, cost=0.5, prevalence_range=(0.0, 0.1)) == (
        "`prevalence_range[0]` must lie strictly between 0 and 1, got 0."
    )


def test_the_curve_judges_its_cost():
    assert message(ValueError, shifted_net_benefit_curve, TABLE, cost=0) == (
        "`cost` must lie strictly between 0 and 1, got 0."
    )


def test_the_inputs_are_left_as_they_are():
    before = TABLE.score.copy(), TABLE.positive.copy()
    shifted_regret(TABLE, Uniform(0.1, 0.3), Uniform())
    np.testing.assert_array_equal(before, (TABLE.score, TABLE.positive))


@pytest.mark.parametrize("measure", FAMILY)
def test_the_class_of_a_belief_is_not_a_belief(measure):
    wanted = "`{}` must be a belief, got the class Uniform; write `Uniform(...)`."
    assert message(TypeError, measure, TABLE, Uniform, At(0.2)) == wanted.format("costs")
    assert message(TypeError, measure, TABLE, At(0.2), Uniform) == wanted.format("prevalence")


@pytest.mark.parametrize("measure", FAMILY)
def test_a_negative_score_is_no_probability(measure):
    found = message(ValueError, measure, score_table([0, 1], [-0.5, 0.4]), At(0.3), At(0.2))
    assert found.startswith("`score` must be a probability between 0 and 1, got -0.5; ")


@pytest.mark.parametrize("wrong", [-0.5, 1.5])
def test_the_curve_needs_probabilities(wrong):
    found = message(ValueError, shifted_net_benefit_curve, score_table([0, 1, 0], [0.3, 0.4, wrong]), cost=0.2)
    assert found.startswith(f"`score` must be a probability between 0 and 1, got {wrong}; ")


@pytest.mark.parametrize(("outcome", "missing"), [(0, "positives"), (1, "negatives")])
def test_the_curve_needs_both_classes(outcome, missing):
    found = message(ValueError, shifted_net_benefit_curve, score_table([outcome] * 2, [0.3, 0.4]), cost=0.2)
    assert found == f"`table` must have both classes, got no {missing}."


class OnlyLosses:
    """Costs as they must be at least: two losses."""

    loss_if_positive, loss_if_negative = Uniform(0.1, 0.3).loss_if_positive, Uniform(0.1, 0.3).loss_if_negative

    def __repr__(self):
        return "OnlyLosses()"


def test_losses_alone_are_enough_for_the_regret_at_one_prevalence():
    expected = shifted_regret(TABLE, Uniform(0.1, 0.3), At(0.2))
    assert shifted_regret(TABLE, OnlyLosses(), At(0.2)) == pytest.approx(expected, rel=1e-13)


def test_costs_over_prevalences_need_a_support():
    found = message(TypeError, shifted_regret, TABLE, OnlyLosses(), Uniform())
    assert found == "`costs` must be a belief with `support`, got OnlyLosses()."


def test_everything_that_a_prevalence_lacks_is_named():
    found = message(TypeError, shifted_accuracy, TABLE, OnlyLosses())
    assert found == "`prevalence` must be a belief with `density` and `support`, got OnlyLosses()."


def test_weighted_accuracy_needs_costs_that_are_a_distribution():
    found = message(ValueError, shifted_weighted_accuracy, TABLE, EveryLogOdds(), At(0.2))
    assert found == "`costs` must be a belief whose density integrates to 1, got EveryLogOdds()."


@pytest.mark.parametrize("height", [0.5, 4.99, 5.01, 7.0])
def test_a_density_that_is_not_whole_is_refused(height):
    class Flat:
        support = (0.1, 0.3)

        def density(self, x):
            return np.full_like(x, height)

        def __repr__(self):
            return "Flat()"

    found = message(ValueError, shifted_accuracy, TABLE, Flat())
    assert found == "`prevalence` must be a belief whose density integrates to 1, got Flat()."

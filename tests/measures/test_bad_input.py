"""What the numbers of a table refuse, in whole sentences, and what is undefined."""

import math
from functools import partial

import numpy as np
import pytest

from stakes import (
    At,
    Uniform,
    accuracy,
    auc,
    brier_score,
    decompose,
    expected_regret,
    h_measure,
    log_loss,
    net_benefit,
    score_table,
    skill_score,
    top_k,
)
from stakes.beliefs import EveryLogOdds, IndependentCosts, Mixture
from stakes.measures import bounded_auc, partial_auc, weighted_accuracy

TABLE = score_table([0, 1, 0], [0.2, 0.7, 0.4])
NO_POSITIVES, NO_NEGATIVES = score_table([0, 0], [0.2, 0.7]), score_table([1, 1], [0.2, 0.7])
PROBABILITY = (
    "`score` must be a probability between 0 and 1, got {}; measures of ranking, such as `auc`, accept any number."
)

WITH_COSTS = [expected_regret, net_benefit, skill_score, decompose, h_measure]
OF_PROBABILITIES = [
    partial(expected_regret, costs=At(0.3)),
    partial(net_benefit, costs=At(0.3)),
    partial(skill_score, costs=At(0.3)),
    partial(decompose, costs=At(0.3)),
    brier_score,
    log_loss,
    partial(weighted_accuracy, cost=0.3),
]
OF_ANY_SCORES = [
    accuracy,
    partial(h_measure, costs=At(0.3)),
    auc,
    partial_auc,
    partial(bounded_auc, score_range=(0, 1)),
    partial(top_k, k=1),
]


def name_of(call) -> str:
    return call.func.__name__ if isinstance(call, partial) else call.__name__


def message_of(call, kind: type[Exception]) -> str:
    with pytest.raises(kind) as caught:
        call()
    return str(caught.value)


@pytest.mark.parametrize("call", OF_PROBABILITIES + OF_ANY_SCORES, ids=name_of)
@pytest.mark.parametrize(("given", "word"), [([0.2, 0.7], "list"), (None, "NoneType"), (np.ones(3), "ndarray")])
def test_what_is_not_a_table_is_refused(call, given, word):
    wanted = f"`table` must be a ScoreTable (see `score_table`), got {word}."
    assert message_of(lambda: call(given), TypeError) == wanted


@pytest.mark.parametrize("call", OF_PROBABILITIES, ids=name_of)
@pytest.mark.parametrize(
    ("score", "got"),
    [
        ([-1.5, 2.0, 0.3], "-1.5"),
        ([0.3, 0.4, 2.25], "2.25"),
        ([0.1, math.inf, 0.2], "inf"),
        ([-1e-9, 0.3, 1], "-1e-09"),
    ],
)
def test_scores_that_are_not_probabilities_are_named_by_value(call, score, got):
    assert message_of(lambda: call(score_table([0, 1, 0], score)), ValueError) == PROBABILITY.format(got)


@pytest.mark.parametrize("call", OF_ANY_SCORES, ids=name_of)
def test_measures_of_ranking_accept_any_score(call):
    call(score_table([0, 1, 0], [-math.inf, 7.5, math.inf]))


# ------------------------------------------------------------------------------------------------------ costs


@pytest.mark.parametrize("call", WITH_COSTS, ids=name_of)
@pytest.mark.parametrize("number", [0.2, np.float64(0.2)])
def test_a_number_and_words_are_beliefs(call, number):
    assert call(TABLE, number) == call(TABLE, "20%") == call(TABLE, "1:4") == call(TABLE, At(0.2))
    assert call(TABLE, "5%..20%") == call(TABLE, Uniform(0.05, 0.2))


@pytest.mark.parametrize("call", WITH_COSTS, ids=name_of)
@pytest.mark.parametrize(
    ("given", "kind", "message"),
    [
        (20, ValueError, "`costs` must lie strictly between 0 and 1, got 20; 20% is 0.2."),
        ("20", ValueError, "`costs` must lie strictly between 0 and 1, got 20; 20% is 0.2."),
        (True, TypeError, "`costs` must be a belief, a number or words such as '5%..20%', got True."),
        (np.True_, TypeError, "`costs` must be a belief, a number or words such as '5%..20%', got True."),
        (math.nan, ValueError, "`costs` must be a number, got nan."),
        ("20%..5%", ValueError, "`costs` must go from low to high, got '20%..5%'; write 5%..20%."),
    ],
)
def test_a_number_or_words_that_cannot_be_costs_are_named(call, given, kind, message):
    assert message_of(lambda: call(TABLE, given), kind) == message


@pytest.mark.parametrize("call", [expected_regret, skill_score, decompose, h_measure], ids=name_of)
@pytest.mark.parametrize(
    ("given", "message"),
    [
        (
            (0.05, 0.2),
            "`costs` must be a belief, got (0.05, 0.2); for a range use `Uniform(low, high)`.",
        ),
        (Uniform, "`costs` must be a belief, got the class Uniform; write `Uniform(...)`."),
    ],
    ids=["pair", "class"],
)
def test_what_has_no_losses_is_not_a_belief(call, given, message):
    assert message_of(lambda: call(TABLE, given), TypeError) == message


class OneSided:
    """A belief of one's own that is not finished."""

    def loss_if_positive(self, score):
        return np.ones_like(score)

    def __repr__(self):
        return "OneSided()"


@pytest.mark.parametrize("call", [expected_regret, skill_score, decompose, h_measure], ids=name_of)
def test_the_loss_that_a_belief_lacks_is_named(call):
    wanted = "`costs` must be a belief with `loss_if_negative`, got OneSided()."
    assert message_of(lambda: call(TABLE, OneSided()), TypeError) == wanted


class OnlyLosses(OneSided):
    """A belief of one's own with the two losses and nothing more."""

    def loss_if_negative(self, score):
        return np.ones_like(score)

    def __repr__(self):
        return "OnlyLosses()"


@pytest.mark.parametrize(
    ("costs", "shown"),
    [(EveryLogOdds(), "EveryLogOdds()"), (OnlyLosses(), "OnlyLosses()")],
    ids=["every log-odds", "one's own"],
)
def test_net_benefit_needs_a_belief_about_one_cost_proportion(costs, shown):
    wanted = f"`costs` must be a belief with `share_above` and `odds_up_to`, got {shown}."
    assert message_of(lambda: net_benefit(TABLE, costs), TypeError) == wanted


def test_net_benefit_of_independent_costs_is_refused():
    costs = IndependentCosts(false_negative=(2, 7), false_positive=(0.5, 3))
    wanted = "`costs` must be a belief about the cost proportion, since this number is not in money, got "
    assert message_of(lambda: net_benefit(TABLE, costs), TypeError).startswith(wanted)


def test_net_benefit_of_a_mixture_names_the_part_that_has_none():
    wanted = "`parts[1]` must be a belief with `share_above`, got OnlyLosses()."
    assert message_of(lambda: net_benefit(TABLE, Mixture([At(0.3), OnlyLosses()], [1, 2])), TypeError) == wanted


@pytest.mark.parametrize(
    ("cost", "kind", "message"),
    [
        (0, ValueError, "`cost` must lie strictly between 0 and 1, got 0."),
        (1, ValueError, "`cost` must lie strictly between 0 and 1, got 1."),
        (math.nan, ValueError, "`cost` must be a number, got nan."),
        (At(0.3), TypeError, "`cost` must be a number, got At(value=0.3)."),
        (30, ValueError, "`cost` must lie strictly between 0 and 1, got 30; 30% is 0.3."),
        ("30", ValueError, "`cost` must lie strictly between 0 and 1, got 30; 30% is 0.3."),
        ("dear", ValueError, "`cost` must look like 10%, 0.1 or 1:9, got 'dear'."),
    ],
)
def test_costs_that_are_refused(cost, kind, message):
    assert message_of(lambda: weighted_accuracy(TABLE, cost=cost), kind) == message
    assert message_of(lambda: top_k(TABLE, k=1, cost=cost), kind) == message


@pytest.mark.parametrize(
    ("threshold", "kind", "message"),
    [
        (math.nan, ValueError, "`threshold` must be a number, got nan."),
        (True, TypeError, "`threshold` must be a number, got True."),
        ("high", ValueError, "`threshold` must look like 10%, 0.1 or 30/200, got 'high'."),
    ],
)
def test_thresholds_that_are_refused(threshold, kind, message):
    assert message_of(lambda: accuracy(TABLE, threshold=threshold), kind) == message


# ----------------------------------------------------------------------------------------------------- ranges


@pytest.mark.parametrize(
    ("call", "name"),
    [(brier_score, "cost_range"), (log_loss, "cost_range"), (partial_auc, "fpr_range")],
    ids=["brier_score", "log_loss", "partial_auc"],
)
@pytest.mark.parametrize(
    ("given", "kind", "message"),
    [
        ((-0.1, 0.5), ValueError, "`{}[0]` must lie between 0 and 1, got -0.1."),
        ((0.5, 1.25), ValueError, "`{}[1]` must lie between 0 and 1, got 1.25."),
        ((0.5, 0.2), ValueError, "`{}` must go from low to high, got (0.5, 0.2)."),
        ((0, 0), ValueError, "`{}` must go from low to high, got 0 for both."),
        ((math.nan, 0.5), ValueError, "`{}[0]` must be a number, got nan."),
        (("0", 0.5), TypeError, "`{}[0]` must be a number, got '0'."),
    ],
)
def test_ranges_that_are_refused(call, name, given, kind, message):
    assert message_of(lambda: call(TABLE, **{name: given}), kind) == message.format(name)


def test_ranges_in_words_are_ranges():
    assert brier_score(TABLE, cost_range="5%..20%") == brier_score(TABLE, cost_range=(0.05, 0.2))
    assert log_loss(TABLE, cost_range="1:19..1:4") == log_loss(TABLE, cost_range=[0.05, 0.2])
    assert partial_auc(TABLE, fpr_range="0%..50%") == partial_auc(TABLE, fpr_range=np.array([0, 0.5]))
    assert bounded_auc(TABLE, score_range="10%..50%") == bounded_auc(TABLE, score_range=(0.1, 0.5))


def test_one_cost_and_one_threshold_may_be_words():
    known = weighted_accuracy(TABLE, cost=0.2)
    assert weighted_accuracy(TABLE, cost="20%") == weighted_accuracy(TABLE, cost="1:4") == known
    assert top_k(TABLE, k=1, cost="1:4") == top_k(TABLE, k=1, cost=0.2)
    assert accuracy(TABLE, threshold="30%") == accuracy(TABLE, threshold="3/10") == accuracy(TABLE, threshold=0.3)


@pytest.mark.parametrize("call", [brier_score, log_loss], ids=name_of)
def test_a_range_of_one_cost_is_told_what_to_use(call):
    hint = "for a single cost use `expected_regret` with `At(0.2)`"
    wanted = f"`cost_range` must go from low to high, got 0.2 for both; {hint}."
    assert message_of(lambda: call(TABLE, cost_range=(0.2, 0.2)), ValueError) == wanted


@pytest.mark.parametrize(
    ("given", "kind", "message"),
    [
        ((5, 20), ValueError, "`cost_range[0]` must lie between 0 and 1, got 5; 5% is 0.05."),
        ((0.05, 20), ValueError, "`cost_range[1]` must lie between 0 and 1, got 20; 20% is 0.2."),
        ("20%..5%", ValueError, "`cost_range` must go from low to high, got '20%..5%'; write 5%..20%."),
        ("cheap", ValueError, "`cost_range` must look like 5%..20%, 0.05..0.2 or 1:19..1:4, got 'cheap'."),
        ("10%", ValueError, "`cost_range` must look like 5%..20%, 0.05..0.2 or 1:19..1:4, got '10%'."),
        (0.1, TypeError, "`cost_range` must be a pair (low, high) or words such as '5%..20%', got 0.1."),
        (
            (0.1, 0.2, 0.3),
            TypeError,
            "`cost_range` must be a pair (low, high) or words such as '5%..20%', got (0.1, 0.2, 0.3).",
        ),
        (None, TypeError, "`cost_range` must be a pair (low, high) or words such as '5%..20%', got None."),
        ((0, True), TypeError, "`cost_range[1]` must be a number, got True."),
    ],
)
@pytest.mark.parametrize("call", [brier_score, log_loss], ids=name_of)
def test_what_is_no_range_of_costs_is_named(call, given, kind, message):
    assert message_of(lambda: call(TABLE, cost_range=given), kind) == message


def test_a_range_of_one_rate_is_refused():
    wanted = "`fpr_range` must go from low to high, got 0.2 for both."
    assert message_of(lambda: partial_auc(TABLE, fpr_range=(0.2, 0.2)), ValueError) == wanted


@pytest.mark.parametrize(
    ("low", "high", "kind", "message"),
    [
        (0.5, 0.2, ValueError, "`score_range` must go from low to high, got (0.5, 0.2)."),
        (3, 3, ValueError, "`score_range` must go from low to high, got 3 for both."),
        (0.5, math.nan, ValueError, "`score_range[1]` must be a number, got nan."),
        (None, 0.5, TypeError, "`score_range[0]` must be a number, got None."),
    ],
)
def test_ranges_of_scores_that_are_refused(low, high, kind, message):
    assert message_of(lambda: bounded_auc(TABLE, score_range=(low, high)), kind) == message


# ------------------------------------------------------------------------------------------------------ top K


@pytest.mark.parametrize(
    ("k", "kind", "message"),
    [
        (0, ValueError, "`k` must be finite and greater than 0, got 0."),
        (-2, ValueError, "`k` must be finite and greater than 0, got -2."),
        (math.inf, ValueError, "`k` must be finite and greater than 0, got inf."),
        (math.nan, ValueError, "`k` must be a number, got nan."),
        (3.5, ValueError, "`k` must be at most the whole weight 3, got 3.5."),
        ("2", TypeError, "`k` must be a number, got '2'."),
    ],
)
def test_places_that_are_refused(k, kind, message):
    assert message_of(lambda: top_k(TABLE, k=k), kind) == message


def test_places_and_weight_are_told_apart_where_both_are_large():
    table = score_table([0, 1], [0.2, 0.7], [1_000_000, 234_567])
    wanted = "`k` must be at most the whole weight 1234567, got 1234568."
    assert message_of(lambda: top_k(table, k=1_234_568), ValueError) == wanted


# -------------------------------------------------------------------------------------------------- one class


@pytest.mark.parametrize(("table", "absent"), [(NO_POSITIVES, "positives"), (NO_NEGATIVES, "negatives")])
@pytest.mark.parametrize("call", [partial(skill_score, costs=At(0.3)), h_measure, auc, partial_auc], ids=name_of)
def test_ratios_of_one_class_are_undefined_and_say_so_once(call, table, absent):
    with pytest.warns(RuntimeWarning) as warned:
        value = call(table)
    assert math.isnan(value)
    assert [str(warning.message) for warning in warned] == [
        f"`{name_of(call)}` is undefined without {absent}; returning nan."
    ]
    assert warned[0].filename == __file__


@pytest.mark.parametrize(("table", "absent"), [(NO_POSITIVES, "positives"), (NO_NEGATIVES, "negatives")])
def test_areas_of_one_class_are_undefined_and_say_so_once(table, absent):
    with pytest.warns(RuntimeWarning) as warned:
        areas = bounded_auc(table, score_range=(0, 1))
    assert all(math.isnan(area) for area in (areas.below, areas.beside, areas.concordant))
    assert [str(warning.message) for warning in warned] == [
        f"`bounded_auc` is undefined without {absent}; returning nan."
    ]
    assert warned[0].filename == __file__


@pytest.mark.parametrize("call", [skill_score, h_measure], ids=name_of)
def test_wrong_costs_are_refused_also_where_the_ratio_is_undefined(call):
    wanted = "`costs` must lie strictly between 0 and 1, got 20; 20% is 0.2."
    assert message_of(lambda: call(NO_POSITIVES, 20), ValueError) == wanted


def test_scores_that_are_no_probabilities_are_refused_also_where_skill_is_undefined():
    table = score_table([0, 0], [0.2, 3.0])
    assert message_of(lambda: skill_score(table, Uniform()), ValueError) == PROBABILITY.format("3")


def test_averages_of_one_class_are_numbers():
    assert expected_regret(NO_POSITIVES, At(0.3)) == pytest.approx(0.15, rel=1e-15)
    assert brier_score(NO_NEGATIVES) == pytest.approx((0.64 + 0.09) / 2, rel=1e-15)
    assert net_benefit(NO_POSITIVES, At(0.2)) == pytest.approx(-0.25, rel=1e-15)
    assert accuracy(NO_NEGATIVES, threshold=0.7) == 0.5
    assert weighted_accuracy(NO_NEGATIVES, cost=0.3) == pytest.approx(0.5, rel=1e-15)
    assert decompose(NO_NEGATIVES, At(0.3)).discrimination == 0

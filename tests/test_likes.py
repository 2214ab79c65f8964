"""A number, words and a belief are the same thing at every door, to the last bit."""

from functools import partial

import numpy as np
import pytest

import stakes
from stakes import At, Cases, Decision, Limits, LogOddsUniform, Uniform
from stakes.beliefs import (
    Belief,
    CostBelief,
    CostRatio,
    FractionalCost,
    Mixture,
    as_belief,
    as_cost,
    as_costs,
    as_number,
    as_range,
    as_share,
)
from stakes.limits import as_limits

RNG = np.random.default_rng(3)
SCORE = RNG.beta(2, 5, 300).round(3)
Y = (RNG.random(300) < SCORE).astype(int)
TABLE, OTHER = stakes.score_table(Y, SCORE), stakes.score_table(Y, SCORE**2)
CASES = Cases(Y, {"old": SCORE, "new": SCORE**2})
TABLES = {"old": TABLE, "new": OTHER}
LIMITS = Limits(capacity=0.4)

OF_COSTS = {
    "expected_regret": lambda costs: stakes.expected_regret(TABLE, costs),
    "net_benefit": lambda costs: stakes.net_benefit(TABLE, costs),
    "skill_score": lambda costs: stakes.skill_score(TABLE, costs),
    "decompose": lambda costs: stakes.decompose(TABLE, costs),
    "h_measure": lambda costs: stakes.h_measure(TABLE, costs),
    "shifted_regret": lambda costs: stakes.prevalence.shifted_regret(TABLE, costs, 0.1),
    "shifted_accuracy": lambda prevalence: stakes.prevalence.shifted_accuracy(TABLE, prevalence),
    "prior_adjusted_net_benefit": lambda costs: stakes.prevalence.prior_adjusted_net_benefit(TABLE, costs, "10%"),
    "explain_gap": lambda costs: stakes.explain_gap(TABLE, OTHER, costs),
    "explain_gap at a prevalence": lambda prevalence: stakes.explain_gap(TABLE, OTHER, 0.1, prevalence),
    "voros": lambda costs: stakes.limits.voros(TABLE, costs),
    "partial_voros": lambda costs: stakes.limits.partial_voros(TABLE, costs, LIMITS),
    "best_thresholds": lambda costs: stakes.best_thresholds(TABLE, costs, LIMITS).mean_regret,
    "best_recall_threshold": lambda costs: stakes.policy.best_recall_threshold(TABLE, costs, LIMITS).mean_regret,
    "policy_cost": lambda costs: stakes.policy.policy_cost(stakes.best_thresholds(TABLE, Uniform()), OTHER, costs),
    "select": lambda costs: stakes.policy.select(TABLES, costs, LIMITS).values,
    "partial_voros_map": lambda costs: stakes.limits.partial_voros_map(
        TABLES, costs, min_precision=[0.1], capacity=[0.5]
    ).value.tolist(),
    "miscalibration": lambda costs: stakes.uncertainty.miscalibration(CASES, costs, n_resamples=100, rng=1),
    "interval": lambda costs: stakes.interval(CASES, partial(stakes.expected_regret, costs=costs)),
    "Decision": Decision,
    "a prevalence": lambda prevalence: Decision("10%", prevalence=prevalence),
    "recommend": stakes.recommend,
    "FractionalCost.of": FractionalCost.of,
    "Mixture": lambda costs: Mixture([costs, Uniform()], [1, 2]),
}


@pytest.mark.parametrize("name", OF_COSTS)
def test_a_number_and_its_words_are_a_belief_that_is_certain(name):
    ask = OF_COSTS[name]
    wanted = ask(At(0.2))
    assert ask(0.2) == ask(np.float64(0.2)) == ask("20%") == ask("1:4") == ask(" 0.2 ") == wanted


@pytest.mark.parametrize("name", OF_COSTS)
def test_words_of_a_range_are_the_belief_they_stand_for(name):
    ask = OF_COSTS[name]
    assert ask("5%..20%") == ask(Uniform(0.05, 0.2))
    assert ask("logodds 5%..20%") == ask(LogOddsUniform(0.05, 0.2))


@pytest.mark.parametrize("name", OF_COSTS)
@pytest.mark.parametrize("bad", [20, "20", "dear", True, (0.05, 0.2), [0.1], Uniform])
def test_what_is_no_belief_is_refused_in_one_sentence(name, bad):
    with pytest.raises((TypeError, ValueError), match=r"^`(costs|prevalence|decision|belief|parts\[0\])` must .*\.$"):
        OF_COSTS[name](bad)


def test_an_evaluation_takes_words_and_numbers():
    models = {"old": SCORE, "new": SCORE**2}
    wanted = stakes.evaluate(Y, models, Decision(At(0.2)), level=0.9).to_json()
    assert stakes.evaluate(Y, models, 0.2, level="90%").to_json() == wanted
    assert stakes.evaluate(Y, models, "20%", level=0.9).to_json() == wanted
    ranges = [stakes.evaluate_tables(TABLES, decision, level="90%") for decision in ("10%..50%", Uniform(0.1, 0.5))]
    assert ranges[0].to_json() == ranges[1].to_json()


@pytest.mark.parametrize(
    "ask",
    [
        lambda share: stakes.at_prevalence(TABLE, share).score.tolist(),
        lambda share: stakes.prevalence.reweight_classes(TABLE, share).positive.tolist(),
        lambda share: stakes.prevalence.shift_scores(TABLE, 0.1, from_prevalence=share).score.tolist(),
        lambda share: stakes.prevalence.estimate_prevalence(SCORE, from_prevalence=share),
        lambda share: Limits(capacity=share, min_precision=share),
        lambda share: Limits.from_count(30, 200, min_precision=share),
        lambda level: stakes.interval(CASES, stakes.auc, level=level),
        lambda level: stakes.compare(CASES, "old", "new", stakes.auc, level=level),
        lambda level: stakes.band(CASES, stakes.roc_curve, level=level, n_resamples=100, rng=1)["old"].lower.tolist(),
        lambda level: stakes.uncertainty.calibration_band(CASES, level=level)["old"].lower.tolist(),
        lambda threshold: stakes.accuracy(TABLE, threshold=threshold),
    ],
)
def test_a_share_may_be_words(ask):
    assert ask("15%") == ask("30/200") == ask("0.15") == ask(0.15)


@pytest.mark.parametrize(
    "ask",
    [
        lambda cost: stakes.measures.weighted_accuracy(TABLE, cost=cost),
        lambda cost: stakes.top_k(TABLE, k=20, cost=cost),
        lambda cost: stakes.prevalence.shifted_net_benefit_curve(TABLE, cost=cost).y.tolist(),
        lambda cost: stakes.prevalence.dca_log_score(TABLE, cost=cost, prevalence_range="1%..10%"),
        lambda cost: [
            line.y.tolist()
            for line in stakes.curves.isometrics(TABLE, values=[0.1], measure="regret", cost=cost).values()
        ],
    ],
)
def test_one_cost_may_be_words(ask):
    assert ask("20%") == ask("1:4") == ask("0.2") == ask(0.2)


def test_beliefs_stay_what_they_are():
    own = object()
    assert as_belief("costs", own) is own
    belief = Uniform(0.1, 0.2)
    assert as_belief("costs", belief) is belief
    assert as_costs("costs", belief) is belief
    ratio = CostRatio(1, 2)
    assert stakes.best_thresholds(TABLE, ratio).scale == "cost ratio"


def test_all_distributions_are_beliefs():
    ours = [At(0.1), Uniform(), LogOddsUniform(0.1, 0.2), stakes.Beta(2, 8), stakes.beliefs.Atoms([0.1], [1])]
    ours += [Mixture([0.1, "5%..20%"], [1, 1]), stakes.beliefs.ShiftedUniform(0.1)]
    assert all(isinstance(one, Belief) and isinstance(one, CostBelief) for one in ours)
    assert not isinstance(stakes.beliefs.EveryLogOdds(), Belief)  # improper: nothing can be drawn from it
    assert not any(isinstance(one, Belief | CostBelief) for one in (0.1, "10%", None))


@pytest.mark.parametrize(
    ("convert", "given", "message"),
    [
        (as_share, "1:9", "`x` must look like 10%, 0.1 or 30/200, got '1:9'."),
        (as_share, "30/", "`x` must look like 10%, 0.1 or 30/200, got '30/'."),
        (as_share, "120%", "`x` must lie between 0 and 1, got 1.2."),
        (as_share, 15, "`x` must lie between 0 and 1, got 15; 15% is 0.15."),
        (as_cost, "30/200", "`x` must look like 10%, 0.1 or 1:9, got '30/200'."),
        (as_cost, "0:0", "`x` must hold odds that are finite and not both 0, got '0:0'."),
        (as_cost, "1", "`x` must lie strictly between 0 and 1, got 1."),
        (as_number, "high", "`x` must look like 10%, 0.1 or 30/200, got 'high'."),
        (as_range, "5%...20%", "`x` must have two dots between its ends, got '5%...20%'."),
        (as_range, "20%..5%", "`x` must go from low to high, got '20%..5%'; write 5%..20%."),
        (as_range, "logodds 5%..20%", "`x` must look like 5%..20%, 0.05..0.2 or 1:19..1:4, got 'logodds 5%..20%'."),
        (as_range, (0.2, 0.2), "`x` must go from low to high, got 0.2 for both."),
    ],
)
def test_words_that_cannot_be_read_are_named_after_the_argument(convert, given, message):
    with pytest.raises(ValueError, match=r"^`x") as caught:
        convert("x", given)
    assert str(caught.value) == message


def test_no_limits_are_limits():
    assert as_limits(None) == Limits()
    assert as_limits(LIMITS) is LIMITS

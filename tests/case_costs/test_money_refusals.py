"""Words that multiply costs of each case, where there are such costs and where there are none."""

import re
from functools import partial

import numpy as np
import pytest
from numpy.testing import assert_allclose

from stakes import (
    At,
    CaseCosts,
    Cases,
    Decision,
    Limits,
    Uniform,
    at_prevalence,
    best_thresholds,
    evaluate,
    evaluate_tables,
    expected_regret,
    interval,
    parse_belief,
    recommend,
    score_table,
    skill_score,
)
from stakes.beliefs import Actions, IndependentCosts
from stakes.measures import cost_per_case
from stakes.prevalence import shifted_regret

N = 120
RNG = np.random.default_rng(8)
P = RNG.beta(1, 3, N)
Y = RNG.random(N) < P
AMOUNT = np.exp(RNG.normal(4, 1.2, N))
COSTS = CaseCosts(false_negative=AMOUNT, false_positive=5)
PLAIN, STAKED = score_table(Y, P), score_table(Y, P, case_costs=COSTS)
ONE_EACH = IndependentCosts(false_negative=(1, 1), false_positive=(1, 1))

NAMES = {
    one.__name__: one
    for one in (At, IndependentCosts, Limits, Uniform, at_prevalence, best_thresholds, cost_per_case, shifted_regret)
}
NEEDS = {
    "decision": [
        partial(evaluate, Y, {"a": P}),
        partial(evaluate_tables, {"a": PLAIN}),
        recommend,
        lambda words: evaluate(Y, {"a": P}, Decision(words)),
    ],
    "costs": [
        partial(expected_regret, PLAIN),
        partial(cost_per_case, PLAIN),
        partial(skill_score, PLAIN),
        lambda words: best_thresholds(PLAIN, words, Limits(capacity=0.5)),
        lambda words: interval(Cases(Y, {"a": P}), expected_regret, costs=words),
        lambda words: interval(Cases(Y, {"a": P}), cost_per_case, costs=words),
    ],
    "text": [parse_belief],
}


@pytest.mark.parametrize("words", ["as stated", "x0.5..x2"])
@pytest.mark.parametrize(("name", "call"), [(name, call) for name, calls in NEEDS.items() for call in calls])
def test_multipliers_need_case_costs(name, call, words):
    with pytest.raises(
        ValueError, match=f"^`{name}` must be a belief about the costs where.* multipliers need `case_c"
    ):
        call(words)


def test_multipliers_are_taken_with_case_costs():
    assert expected_regret(STAKED, "as stated") == expected_regret(STAKED, ONE_EACH)
    assert cost_per_case(STAKED) == cost_per_case(STAKED, ONE_EACH)
    few = Limits(capacity=0.5)
    assert best_thresholds(STAKED, "as stated", few).mean_regret == best_thresholds(STAKED, ONE_EACH, few).mean_regret
    alone = interval(Cases(Y, {"a": P}, case_costs=COSTS), cost_per_case, costs="x0.5..x2")["a"]
    assert_allclose(alone.estimate, cost_per_case(STAKED, "x0.5..x2"), rtol=1e-12)
    found = evaluate(Y, {"a": P}, Decision("as stated"), case_costs=COSTS)
    assert found.decision.costs == ONE_EACH


@pytest.mark.parametrize(
    ("message", "call"),
    [
        (
            "`decision` must go from low to high, got 'x2..x0.5'; write x0.5..x2.",
            lambda: evaluate(Y, {"a": P}, "x2..x0.5", case_costs=COSTS),
        ),
        (
            "`decision` and `case_costs` must not state several actions and costs of each case, got both.",
            lambda: evaluate(
                Y,
                {"a": P},
                Actions({"leave": (100, 0), "call": (30, 1), "visit": (10, 8)}),
                case_costs=COSTS,
            ),
        ),
    ],
)
def test_refusals_name_what_was_given(message, call):
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        call()


@pytest.mark.parametrize(
    ("prevalence", "limits"),
    [(None, None), (0.2, None), ("1%..20%", None), (None, Limits(capacity=0.3)), (0.2, Limits(capacity=0.3))],
)
def test_the_recommended_measure_is_the_one_that_models_are_ranked_by(prevalence, limits, few_replicates):
    stated = Decision("as stated", prevalence=prevalence, limits=limits)
    found = evaluate(Y, {"a": P}, stated, case_costs=COSTS, rng=0)
    advice = found.recommendation
    money = eval(advice.measure, NAMES | {"table": STAKED})
    assert_allclose(money, next(one for one in found.ranking if one.model == "a").regret.estimate, rtol=1e-12)
    assert "each has a threshold of its own" in advice.reason
    assert "as you state" not in str(advice)

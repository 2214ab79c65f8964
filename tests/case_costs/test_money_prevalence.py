"""Money at a prevalence that is known roughly: by one prevalence after the other, and by decisions paid for."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from stakes import (
    At,
    Beta,
    CaseCosts,
    Cases,
    Decision,
    InputError,
    LogOddsUniform,
    Uniform,
    at_prevalence,
    evaluate,
    interval,
    recalibrate,
    score_table,
)
from stakes.beliefs import IndependentCosts
from stakes.measures import cost_per_case
from stakes.prevalence import shifted_accuracy, shifted_regret
from stakes.table import constant_table, flatten

N = 200
RNG = np.random.default_rng(4)
P = RNG.beta(1, 5, N)
Y = RNG.random(N) < P
AMOUNT = np.exp(RNG.normal(3, 1.2, N))
# Some cases are always worth acting on, some never, and some have no stake at all.
COSTS = CaseCosts(
    false_negative=np.where(np.arange(N) % 9 == 1, -3.0, AMOUNT),
    false_positive=np.select([np.arange(N) % 9 == 1, np.arange(N) % 7 == 0], [0.0, -2.0], 6.0),
)
TABLE = score_table(Y, P, case_costs=COSTS)
BELIEFS = [
    IndependentCosts(false_negative=(1, 1), false_positive=(1, 1)),
    IndependentCosts(false_negative=(0.6, 1), false_positive=(0.5, 2)),
    At(0.4),
    Uniform(0.2, 0.7),
]


def paid(prevalence):
    """Return the money per case at one prevalence, by a loop over the cases, with costs as stated."""
    share, total = Y.mean(), 0.0
    odds = prevalence / (1 - prevalence) / (share / (1 - share))
    for y, p, miss, alarm in zip(Y, P, COSTS.false_negative, COSTS.false_positive, strict=True):
        moved = p * odds / (p * odds + 1 - p)
        acts = moved * miss >= (1 - moved) * alarm if miss > 0 or alarm < 0 else False
        cost = (0 if acts else miss) if y else (alarm if acts else 0)
        weight = prevalence / share if y else (1 - prevalence) / (1 - share)
        total += weight * (cost - (min(0, miss) if y else min(0, alarm)))
    return total / N


def test_one_prevalence_is_what_the_decisions_cost():
    for prevalence in (0.02, 0.3, 0.7):
        assert_allclose(shifted_regret(TABLE, "as stated", At(prevalence)), paid(prevalence), rtol=1e-10)


# Tables whose end rows score neither 0 nor 1 where money does not depend on the outcome: references, and fitted ones.
OTHERS = {
    "everyone": constant_table(TABLE, 1.0),
    "no one": constant_table(TABLE, 0.0),
    "one score": flatten(TABLE),
    "fitted": recalibrate(score_table(Y, np.where(N * P % 2 < 1, 0.0, 1.0), case_costs=COSTS)),
}


def paid_by_all(prevalence, *, act):
    """Return the money per case at one prevalence if all cases are acted on, or none, by a loop over the cases."""
    share, total = Y.mean(), 0.0
    for y, miss, alarm in zip(Y, COSTS.false_negative, COSTS.false_positive, strict=True):
        cost, other = ((0, miss) if act else (miss, 0)) if y else ((alarm, 0) if act else (0, alarm))
        total += (prevalence / share if y else (1 - prevalence) / (1 - share)) * max(cost - other, 0)
    return total / N


@pytest.mark.parametrize("prevalence", [At(0.05), Uniform(0.1, 0.5)], ids=repr)
def test_acting_on_everyone_or_no_one_pays_for_each_class_at_its_own_share(prevalence):
    assert min(TABLE.heads.crossed) > 0  # money of positives on the side of negatives, and the reverse
    mean = prevalence.mean  # what is paid is linear in the prevalence
    for act, name in ((True, "everyone"), (False, "no one")):
        found = shifted_regret(OTHERS[name], "as stated", prevalence)
        assert_allclose(found, paid_by_all(mean, act=act), rtol=1e-12)


def test_skill_and_parts_are_against_the_best_that_needs_no_model_there():
    prevalence = 0.4
    found = evaluate(Y, {"exact": P}, Decision("as stated", prevalence=prevalence), case_costs=COSTS, rng=0)
    money = {one.model: one for one in found.ranking}
    constant = min(paid_by_all(prevalence, act=act) for act in (True, False))
    assert_allclose(money["exact"].skill, 1 - paid(prevalence) / constant, rtol=1e-10)
    assert_allclose(money["exact"].parts.uncertainty, constant, rtol=1e-10)
    moved = at_prevalence(TABLE, prevalence)
    least = min(
        moved.positive[moved.score < at].sum() + moved.negative[moved.score >= at].sum()
        for at in [*moved.score, np.inf]
    )
    assert_allclose(money["exact"].parts.miscalibration, paid(prevalence) - least / moved.cases, rtol=1e-9)


@pytest.mark.parametrize("name", OTHERS)
@pytest.mark.parametrize("costs", BELIEFS, ids=repr)
def test_any_table_at_one_prevalence_is_the_moved_table(name, costs):
    for prevalence in (0.01, 0.6):
        wanted = cost_per_case(at_prevalence(OTHERS[name], prevalence), costs)
        assert_allclose(shifted_regret(OTHERS[name], costs, At(prevalence)), wanted, rtol=1e-11)


@pytest.mark.parametrize("name", OTHERS)
def test_any_table_over_a_range_is_the_mean_over_its_prevalences(name):
    places = 0.1 + 0.4 * (np.arange(200) + 0.5) / 200
    for costs in (BELIEFS[0], BELIEFS[1]):
        wanted = np.mean([cost_per_case(at_prevalence(OTHERS[name], one), costs) for one in places])
        assert_allclose(shifted_regret(OTHERS[name], costs, Uniform(0.1, 0.5)), wanted, rtol=5e-3)


@pytest.mark.parametrize("costs", BELIEFS, ids=repr)
def test_one_prevalence_is_that_of_the_moved_table(costs):
    for prevalence in (0.01, TABLE.prevalence_of_cases, 0.6):
        wanted = cost_per_case(at_prevalence(TABLE, prevalence), costs)
        assert_allclose(shifted_regret(TABLE, costs, At(prevalence)), wanted, rtol=1e-11)


@pytest.mark.sample(6)
@pytest.mark.parametrize("costs", BELIEFS, ids=repr)
@pytest.mark.parametrize("belief", [Uniform(0.02, 0.3), LogOddsUniform(0.01, 0.4), Beta(2, 9)], ids=repr)
def test_a_range_is_the_mean_over_its_prevalences(costs, belief):
    at = (np.arange(400) + 0.5) / 400
    low, high = belief.support
    places = low + (high - low) * at
    density = belief.density(places)
    wanted = np.average([cost_per_case(at_prevalence(TABLE, one), costs) for one in places], weights=density)
    assert_allclose(shifted_regret(TABLE, costs, belief), wanted, rtol=5e-3)


def test_a_class_without_money_has_a_mean_over_both_ranges():
    free = score_table(Y, P, case_costs=CaseCosts(false_negative=AMOUNT, false_positive=0))
    assert shifted_regret(free, "x0.5..x2", Uniform(0.02, 0.3)) == 0.0  # acting costs nothing, so all are acted on


@given(st.sampled_from([0.25, 8.0]), st.sampled_from(BELIEFS))
def test_costs_in_another_unit_are_money_in_another_unit(unit, costs):
    names = ("false_negative", "false_positive")
    there = score_table(Y, P, case_costs=CaseCosts(**{name: unit * getattr(COSTS, name) for name in names}))
    wanted = unit * shifted_regret(TABLE, costs, Uniform(0.02, 0.3))
    assert_allclose(shifted_regret(there, costs, Uniform(0.02, 0.3)), wanted, rtol=1e-13)


@pytest.mark.parametrize("prevalence", [At(0.05), Uniform(0.02, 0.3)])
def test_the_same_costs_for_all_are_the_costs_of_the_decision(prevalence):
    same = score_table(Y, P, case_costs=CaseCosts(false_negative=30, false_positive=3))
    costs = IndependentCosts(false_negative=(30, 30), false_positive=(3, 3))
    assert_allclose(
        shifted_regret(same, "as stated", prevalence), shifted_regret(score_table(Y, P), costs, prevalence), rtol=1e-12
    )


def test_models_are_ranked_over_a_range_of_prevalences(few_replicates):
    models = {"exact": P, "noisy": np.clip(P * np.random.default_rng(0).lognormal(0, 1.2, N), 0, 0.95)}
    found = evaluate(Y, models, Decision("as stated", prevalence="2%..30%"), case_costs=COSTS, rng=0)
    money = {one.model: one.regret for one in found.ranking}
    assert_allclose(money["exact"].estimate, shifted_regret(TABLE, "as stated", Uniform(0.02, 0.3)), rtol=1e-12)
    assert money["exact"].lower < money["exact"].estimate < money["exact"].upper
    assert {"amounts alone", "act on everyone", "act on no one"} < set(money)
    assert "the prevalence is 2% to 30%" in str(found).replace("\n", " ")


def test_intervals_are_resampled():
    found = interval(
        Cases(Y, {"a": P}, case_costs=COSTS), shifted_regret, costs="as stated", prevalence=0.1, n_resamples=100, rng=0
    )["a"]
    assert found.lower < found.estimate < found.upper
    assert_allclose(found.estimate, paid(0.1), rtol=1e-10)


ODD = CaseCosts(false_negative=np.where(np.arange(N) < 3, -9.0, 9.0), false_positive=np.where(np.arange(N) < 3, -1, 1))


@pytest.mark.parametrize(
    ("message", "call"),
    [
        (
            "`table` must have no case for which acting pays on negatives only, to be moved, got 3",
            lambda: shifted_regret(score_table(Y, P, case_costs=ODD), "as stated", "1%..5%"),
        ),
        (
            "`table` must have no case costs for a belief about the prevalence, got a table with them; use "
            "`shifted_regret`, which is then money per case",
            lambda: shifted_accuracy(TABLE, "1%..5%"),
        ),
        ("`costs` must be a belief about the costs where", lambda: shifted_regret(score_table(Y, P), "as stated", 0.1)),
    ],
)
def test_refusals(message, call):
    with pytest.raises(InputError, match=f"^{re.escape(message)}"):
        call()

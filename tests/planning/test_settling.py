"""What it is worth to settle the costs or the prevalence, beside a sum over many costs and over every prevalence."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stakes import CaseCosts, Cases, auc, expected_regret
from stakes.beliefs import Actions, Atoms, EveryLogOdds, IndependentCosts, parse_belief
from stakes.measures import cost_per_case
from stakes.planning import value_of_cases
from stakes.prevalence import shifted_regret

RNG = np.random.default_rng(8)
Y = (RNG.random(240) < 0.3).astype(int)
CLOSE = {f"m{k}": np.clip(0.3 * Y + RNG.normal(0.25, 0.02 + 0.1 * k, 240), 0, 1).round(2) for k in range(3)}


def sample(scores, y=Y):
    return Cases(y, scores).with_constants({"everyone": 1.0, "no one": 0.0})


def regrets(y, scores, at, prevalence=None):
    """Return the regret of every option at every cost, by the definition, where the classes have a prevalence."""
    share = np.mean(y) if prevalence is None else prevalence
    odds = share * (1 - np.mean(y)) / ((1 - share) * np.mean(y))
    found = []
    for score in (*scores, np.ones(len(y)), np.zeros(len(y))):
        moved = odds * score / (1 - score + odds * score)
        acted = moved >= at[:, None]
        missed, alarmed = ~acted[:, y == 1], acted[:, y == 0]
        found.append((1 - at) * share * missed.mean(axis=1) + at * (1 - share) * alarmed.mean(axis=1))
    return np.array(found)


@pytest.mark.parametrize("costs", ["5%..60%", "logodds 2%..40%", "beta(2, 8)", "40%..41%"])
def test_of_costs_by_a_sum_over_many(costs):
    belief = parse_belief(costs)
    edges = np.linspace(*belief.support, 4001)
    at = (edges[1:] + edges[:-1]) / 2
    weight = belief.density(at) / belief.density(at).sum()
    by_option = regrets(Y, CLOSE.values(), at)
    wanted = (by_option @ weight).min() - by_option.min(axis=0) @ weight
    plan = value_of_cases(sample(CLOSE), expected_regret, costs=costs)
    assert plan.value_of_costs == pytest.approx(wanted, abs=2e-5)
    assert wanted > 1e-4 or costs == "40%..41%"
    assert plan.value_of_prevalence is None


@given(st.data())
@settings(max_examples=25, deadline=None)
def test_of_few_costs_exactly(data):
    """Ties of scores with costs, and of models with each other, are among them."""
    shares = [0.1, 0.2, 0.25, 0.5, 0.75]
    size = data.draw(st.integers(4, 12))
    y = np.array([0, 1, *data.draw(st.lists(st.integers(0, 1), min_size=size - 2, max_size=size - 2))])
    scores = {
        f"m{k}": np.array(data.draw(st.lists(st.sampled_from([0.0, *shares, 1.0]), min_size=size, max_size=size)))
        for k in range(data.draw(st.integers(1, 3)))
    }
    values = sorted(data.draw(st.sets(st.sampled_from(shares), min_size=1)))
    weights = np.array(data.draw(st.lists(st.integers(1, 5), min_size=len(values), max_size=len(values)))) / 1.0
    by_option = regrets(y, scores.values(), np.array(values))
    weights /= weights.sum()
    wanted = (by_option @ weights).min() - by_option.min(axis=0) @ weights
    plan = value_of_cases(sample(scores, y), expected_regret, costs=Atoms(values, weights), prior="flat")
    assert plan.value_of_costs == pytest.approx(wanted, abs=1e-12)


def test_of_a_few_prevalences_exactly():
    values, weights = [0.05, 0.3, 0.6], np.array([0.5, 0.3, 0.2])
    edges = np.linspace(0.1, 0.5, 4001)
    at = (edges[1:] + edges[:-1]) / 2
    by_option = np.array([regrets(Y, CLOSE.values(), at, share) for share in values])  # prevalences, options, costs
    over_costs = by_option.mean(axis=2)
    of_prevalence = (weights @ over_costs).min() - weights @ over_costs.min(axis=1)
    over_prevalences = np.tensordot(weights, by_option, 1)
    of_costs = over_prevalences.mean(axis=1).min() - over_prevalences.min(axis=0).mean()
    plan = value_of_cases(sample(CLOSE), shifted_regret, costs="10%..50%", prevalence=Atoms(values, weights))
    assert plan.value_of_prevalence == pytest.approx(of_prevalence, abs=2e-5)
    assert plan.value_of_costs == pytest.approx(of_costs, abs=2e-5)
    assert min(of_prevalence, of_costs) > 1e-4


@pytest.mark.parametrize("prevalence", ["5%..60%", "logodds 5%..60%"])
def test_a_range_of_prevalences_is_represented_by_its_parts(prevalence):
    belief = parse_belief(prevalence)
    edges = np.linspace(*belief.support, 1001)
    middles = (edges[1:] + edges[:-1]) / 2
    weight = belief.density(middles) / belief.density(middles).sum()
    means = np.array([regrets(Y, CLOSE.values(), np.array([0.2]), share)[:, 0] for share in middles])
    wanted = (weight @ means).min() - weight @ means.min(axis=1)
    plan = value_of_cases(sample(CLOSE), shifted_regret, costs="20%", prevalence=prevalence)
    assert plan.value_of_prevalence == pytest.approx(wanted, rel=0.02)
    assert plan.value_of_costs == 0


def test_what_is_known_is_worth_nothing_more():
    cases = sample(CLOSE)
    assert value_of_cases(cases, expected_regret, costs="10%").value_of_costs == 0
    plan = value_of_cases(cases, shifted_regret, costs="10%", prevalence="2%")
    assert (plan.value_of_costs, plan.value_of_prevalence) == (0, 0)
    perfect = sample({"right": Y.astype(float), "other": CLOSE["m2"]})
    assert value_of_cases(perfect, expected_regret, costs="5%..60%").value_of_costs == 0


def test_costs_in_money_are_worth_money():
    proportion, money = (
        value_of_cases(sample(CLOSE), expected_regret, costs=costs).value_of_costs
        for costs in (Atoms([0.1, 0.5], [0.5, 0.5]), IndependentCosts(false_negative=(30, 30), false_positive=(2, 60)))
    )
    assert proportion is not None
    assert money > 30 * proportion / 20


def test_there_is_no_answer_for_other_numbers():
    cases = sample(CLOSE)
    assert value_of_cases(cases, auc).value_of_costs is None
    staked = Cases(Y, CLOSE, case_costs=CaseCosts(false_positive=1.0, false_negative=2.0 + Y))
    assert value_of_cases(staked, cost_per_case, costs="x0.5..x2").value_of_costs is None
    inside = Cases(Y, {name: np.clip(one, 0.05, 0.95) for name, one in CLOSE.items()})
    assert value_of_cases(inside, expected_regret, costs=EveryLogOdds()).value_of_costs is None
    triage = Actions({"discharge": (0, 20), "observe": (1, 6), "admit": (4, 1)})
    assert value_of_cases(cases, expected_regret, costs=triage).value_of_costs is None

"""The law of sentences for budgets: what is said about effort and its price is true when computed from definitions."""

from collections import Counter

import numpy as np
import pytest
from evaluation.judging.budgets import JUDGES, BudgetWorld, must_be_said

from stakes import CaseCosts, Decision, Limits, evaluate
from stakes.beliefs import IndependentCosts
from stakes.evaluation.findings._budget_findings import BUDGET_TEMPLATES

SAMPLES, OFTEN = 8, 4


def drawn(rng, size=80, share=0.3, **asked):
    """Draw payments whose scores know something of the risk, and a budget that is a share of what is wanted."""
    risk = rng.beta(1, 4, size)
    amount, fee = np.round(np.exp(rng.normal(3.5, 1, size)), 2), rng.uniform(1, 6, size).round(1)
    costs = {"miss": amount, "alarm": fee + rng.uniform(0, 5, size), "hit": fee, "rest": np.zeros(size)}
    scores = {"sharp": risk, "dull": np.clip(risk * rng.lognormal(0, 0.8, size), 0.01, 0.99)}
    effort, y = np.round(rng.gamma(2, 0.5, size) + 0.1, 1), (rng.random(size) < risk).astype(int)
    y[:2] = 0, 1
    world = BudgetWorld(y, scores, np.ones(size), costs, effort, 1e9, **asked)
    world.budget = share * min(world.spent(world.acted_on(name)[0]) for name in scores)
    return world


def usual(rng):
    return drawn(rng)


def weighted(rng):
    world = drawn(rng)
    world.weight = rng.choice([0.0, 1.0, 2.5], len(world.y))
    world.weight[:2] = 1.0
    return world


def tied(rng):
    """Cases of a few kinds, an effort of 1 each: those alike are acted on together, or none of them."""
    world, size = drawn(rng), 80
    kind = rng.integers(0, 12, size)
    world.scores = {name: np.linspace(0.05, 0.9, 12)[(kind + k) % 12] for k, name in enumerate(world.scores)}
    world.costs = {"miss": 40.0 + kind % 3, "alarm": np.full(size, 8.0), "hit": np.full(size, 2.0), "rest": kind * 0.0}
    world.effort, world.budget = np.ones(size), float(rng.integers(15, 40)) / size
    return world


def any_sign(rng):
    """Fees above some amounts, and rest that costs more than a false alarm in some cases."""
    world = drawn(rng)
    world.costs["hit"] = world.costs["hit"] * rng.choice([1, 20], len(world.y), p=[0.7, 0.3])
    world.costs["rest"] = world.costs["alarm"] * rng.choice([0, 1.2], len(world.y), p=[0.8, 0.2])
    return world


def in_minutes(rng):
    world = drawn(rng)
    world.effort, world.budget = world.effort * 60_000, world.budget * 60_000
    return world


def alarms_vary(rng):
    return drawn(rng, alarm=(0.5, 2.0))


def misses_vary(rng):
    return drawn(rng, miss=(0.6, 1.0))


def multiplied(rng):
    return drawn(rng, miss=(2.0, 2.0), alarm=(3.0, 3.0))


def rich(rng):
    return drawn(rng, share=4.0)


def rich_over_a_range(rng):
    return drawn(rng, share=4.0, alarm=(0.5, 2.0))


def poor(rng):
    return drawn(rng, share=1e-4)


def poor_over_a_range(rng):
    return drawn(rng, share=1e-4, alarm=(0.5, 2.0))


def poor_and_tied(rng):
    """All cases alike: the budget allows not all of them, and so none."""
    world, size = drawn(rng), 80
    world.scores = {name: np.full(size, share) for name, share in {"sharp": 0.3, "dull": 0.25}.items()}
    world.costs = {name: np.full(size, cost) for name, cost in {"miss": 50, "alarm": 4, "hit": 2, "rest": 0}.items()}
    world.effort, world.budget = np.ones(size), 0.5
    return world


FAMILIES = {
    usual: ("budget-price", "budget-cost"),
    weighted: ("budget-price",),
    tied: ("budget-price",),
    any_sign: ("budget-price",),
    in_minutes: ("budget-price",),
    alarms_vary: ("budget-price-range", "budget-cost"),
    misses_vary: ("budget-price-range", "budget-cost"),
    multiplied: ("budget-price",),
    rich: ("budget-enough",),
    rich_over_a_range: ("budget-enough-range",),
    poor: ("budget-too-small",),
    poor_over_a_range: ("budget-price-range",),
    poor_and_tied: ("budget-too-small",),
}


def said_of(world):
    costs = CaseCosts(
        false_negative=world.costs["miss"],
        false_positive=world.costs["alarm"],
        true_positive=world.costs["hit"],
        true_negative=world.costs["rest"],
        effort=world.effort,
    )
    believed = IndependentCosts(false_negative=world.miss, false_positive=world.alarm)
    decision = Decision(believed, limits=Limits(budget=world.budget))
    found = evaluate(world.y, world.scores, decision, case_costs=costs, weight=world.weight).findings
    return [one for one in found if one.kind in BUDGET_TEMPLATES]


def test_every_kind_has_a_judge_and_a_family():
    meant = {kind for kinds in FAMILIES.values() for kind in kinds}
    assert JUDGES.keys() == BUDGET_TEMPLATES.keys() == meant


@pytest.mark.sample(9)
@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.__name__)
def test_what_is_said_of_a_budget_is_true_and_nothing_is_left_unsaid(family):
    said = Counter()
    for seed in range(SAMPLES):
        world = family(np.random.default_rng([seed, 47]))
        found = said_of(world)
        for one in found:
            JUDGES[one.kind](one.values, one.numbers, world)
            assert one.text == BUDGET_TEMPLATES[one.kind].format(**one.values)
        enough, costly = must_be_said(world)
        prices = {one.values["model"]: "enough" in one.kind for one in found if one.kind != "budget-cost"}
        assert prices == enough
        assert sum(one.kind != "budget-cost" for one in found) == len(world.scores)
        assert not costly or any(one.kind == "budget-cost" for one in found)
        said.update(one.kind for one in found)
    assert {kind for kind in FAMILIES[family] if said[kind] < OFTEN} == set()

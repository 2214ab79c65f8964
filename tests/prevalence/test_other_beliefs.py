"""Beliefs without a closed form, by quadrature, and very many rows, with a tabulated loss."""

from itertools import product

import numpy as np
import pytest
from prevalence import oracles

from stakes import At, Beta, LogOddsUniform, Uniform, score_table
from stakes.beliefs import EveryLogOdds, IndependentCosts, ShiftedUniform
from stakes.prevalence import (
    _average,
    prior_adjusted_net_benefit,
    shifted_net_benefit,
    shifted_regret,
    shifted_weighted_accuracy,
)
from stakes.table import merge

FAMILY = (shifted_regret, shifted_net_benefit, prior_adjusted_net_benefit, shifted_weighted_accuracy)
CASES = (
    np.array([0, 1, 0, 1, 0, 1, 1]),
    np.array([0.02, 0.07, 0.21, 0.4, 0.5, 0.83, 0.995]),
    np.array([3.5, 1.0, 2.0, 0.25, 1.0, 0.7, 2.0]),
)


class Triangle:
    """A user's own belief about the prevalence: a density with a kink, and nothing else."""

    support = (0.05, 0.45)

    def density(self, x):
        x = np.asarray(x)
        return np.clip(np.where(x < 0.15, (x - 0.05) / 0.1, (0.45 - x) / 0.3), 0, None) * 5


MEASURES = {
    "regret": shifted_regret,
    "net benefit": shifted_net_benefit,
    "prior-adjusted": prior_adjusted_net_benefit,
    "weighted accuracy": shifted_weighted_accuracy,
}
# Each with log-odds outside which it has nothing, and the place of a kink.
OTHERS = {
    "beta": (Beta(2, 20), -24, 1.5),
    "narrow": (Beta(2000, 9000), -1.75, -1.25),
    "cut off": (Beta(2, 5, low=0.1, high=0.3), np.log(1 / 9), np.log(3 / 7)),
    "shifted": (ShiftedUniform(0.1), -38, 30),
    "own": (Triangle(), np.log(0.05 / 0.95), np.log(0.45 / 0.55), 0.15),
}
CLOSED = {
    "logodds": (LogOddsUniform(0.05, 0.6), oracles.law("logodds", 0.05, 0.6)),
    "even": (Uniform(0.05, 0.6), oracles.law("even", 0.05, 0.6)),
    "point": (At(0.2), oracles.law("even", 0.2 - 1e-9, 0.2 + 1e-9)),
}


@pytest.mark.sample(3)
@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize(
    ("costs", "belief"),
    [
        ("logodds", "beta"),
        ("point", "beta"),
        ("even", "narrow"),
        ("logodds", "cut off"),
        ("even", "shifted"),
        ("logodds", "own"),
        ("point", "own"),
    ],
)
def test_any_belief_about_prevalence_is_integrated(costs, belief, measure):
    given, law = CLOSED[costs]
    found = MEASURES[measure](score_table(*CASES), given, OTHERS[belief][0])
    expected = oracles.average(measure, CASES, law, oracles.law_of(*OTHERS[belief]))
    assert found == pytest.approx(expected, rel=1e-7 if costs == "point" else 1e-11)


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize(("prevalence", "belief"), [("logodds", "beta"), ("even", "narrow"), ("point", "cut off")])
def test_any_belief_about_costs_is_integrated(prevalence, belief, measure):
    given, law = CLOSED[prevalence]
    found = MEASURES[measure](score_table(*CASES), OTHERS[belief][0], given)
    expected = oracles.average(measure, CASES, oracles.law_of(*OTHERS[belief]), law)
    assert found == pytest.approx(expected, rel=1e-7 if prevalence == "point" else 1e-11)


@pytest.mark.parametrize("measure", MEASURES)
def test_two_beliefs_without_closed_forms_are_integrated(measure):
    found = MEASURES[measure](score_table(*CASES), Beta(2, 20), Triangle())
    expected = oracles.average(measure, CASES, oracles.law_of(*OTHERS["beta"]), oracles.law_of(*OTHERS["own"]))
    assert found == pytest.approx(expected, rel=1e-11)


def test_a_beta_of_ones_is_uniform():
    table = score_table(*CASES)
    for measure, costs in product(FAMILY, [At(0.2), LogOddsUniform(0.05, 0.6), Uniform(0.05, 0.6)]):
        assert measure(table, costs, Beta(1, 1)) == pytest.approx(measure(table, costs, Uniform()), abs=1e-12)
        whole, part = Beta(1, 1, low=0.02, high=0.3), Uniform(0.02, 0.3)
        assert measure(table, costs, whole) == pytest.approx(measure(table, costs, part), abs=1e-12)
        assert measure(table, whole, part) == pytest.approx(measure(table, part, part), abs=1e-12)
        assert measure(table, whole, At(0.1)) == pytest.approx(measure(table, part, At(0.1)), abs=1e-12)


@pytest.mark.parametrize("alpha", [0.05, 0.5])
def test_beliefs_with_mass_close_to_the_ends_lose_none_of_it(alpha):
    """Averaging the prevalence itself: acting on everyone at hardly any cost."""
    everyone = score_table([0, 1], [1.0, 1.0])
    for belief in (Beta(alpha, 3.0), Beta(3.0, alpha)):
        assert prior_adjusted_net_benefit(everyone, LogOddsUniform(0.4, 0.6), belief) == pytest.approx(
            belief.mean, abs=1e-12
        )


@pytest.mark.parametrize(
    "costs", [IndependentCosts(false_negative=(2, 7), false_positive=(0.5, 3)), EveryLogOdds()], ids=repr
)
def test_costs_in_own_units_and_improper_costs_have_a_regret(costs):
    table = score_table([0, 1, 0, 1], [0.1, 0.3, 0.4, 0.8])
    edges = np.linspace(np.log(1 / 9), np.log(3 / 7), 201)
    middle = 1 / (1 + np.exp(-(edges[1:] + edges[:-1]) / 2))
    expected = np.mean([shifted_regret(table, costs, At(at)) for at in middle])
    assert shifted_regret(table, costs, LogOddsUniform(0.1, 0.3)) == pytest.approx(expected, rel=1e-5)


@pytest.mark.slow
@pytest.mark.parametrize("measure", FAMILY)
def test_many_rows_give_what_few_rows_give(measure, monkeypatch):
    rng = np.random.default_rng(8)
    table = score_table(rng.random(3000) < 0.2, np.concatenate([rng.beta(0.4, 0.9, 2998), [0.0, 1.0]]))
    pairs = [
        (LogOddsUniform(0.05, 0.6), LogOddsUniform(7e-6, 7e-4)),
        (Uniform(0.05, 0.6), Uniform()),
        (LogOddsUniform(0.001, 0.999), LogOddsUniform(0.1, 0.1001)),
        (At(0.3), Beta(2, 20)),
        (Uniform(0.05, 0.6), Beta(2, 20)),
    ]
    found = [measure(table, *pair) for pair in pairs]
    monkeypatch.setattr(_average, "_FEW", 10**6)
    assert found == pytest.approx([measure(table, *pair) for pair in pairs], rel=1e-13, abs=0)


@pytest.mark.sample(3)
@pytest.mark.parametrize("measure", FAMILY)
def test_a_kink_in_a_belief_is_found_also_among_many_rows(measure, monkeypatch):
    rng = np.random.default_rng(9)
    table = score_table(rng.random(3000) < 0.2, rng.beta(0.8, 1.9, 3000))
    found = measure(table, At(0.3), Triangle())
    monkeypatch.setattr(_average, "_FEW", 10**6)
    assert found == pytest.approx(measure(table, At(0.3), Triangle()), rel=1e-11)


def test_a_table_of_certain_scores_only_needs_no_logarithm():
    certain = merge(score_table([0, 1, 1], [0.0, 1.0, 0.0]), score_table([0], [1.0]))
    for measure in FAMILY:
        assert np.isfinite(measure(certain, LogOddsUniform(0.05, 0.6), LogOddsUniform(0.1, 0.3)))

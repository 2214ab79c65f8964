"""Costs in money, and beliefs of one's own, in words: no reader sees Python."""

import numpy as np
import pytest

from stakes import At, Beta, Decision, Limits, LogOddsUniform, Uniform, _wording, evaluate, evaluate_tables, score_table
from stakes.beliefs import Atoms, EveryLogOdds, IndependentCosts, Mixture, ShiftedUniform
from stakes.evaluation import costs as costs_in_words
from stakes.evaluation import recommend
from stakes.evaluation._decision import question
from stakes.measures import REGISTRY

FIXED = IndependentCosts(false_negative=(1500, 1500), false_positive=(12.5, 12.5))
RANGE = IndependentCosts(false_negative=(100, 300), false_positive=(10, 10))


class Own:
    """A belief of one's own, with nothing but its losses."""

    def loss_if_positive(self, score):
        return Uniform(0.1, 0.3).loss_if_positive(score)

    def loss_if_negative(self, score):
        return Uniform(0.1, 0.3).loss_if_negative(score)


class WithRange(Own):
    """The same, with its range and mean."""

    support, mean = (0.1, 0.3), 0.2


OTHERS = [
    EveryLogOdds(),
    Beta(2, 5, low=0.1, high=0.3),
    ShiftedUniform(0.3),
    Atoms([0.1, 0.5], [3, 1]),
    Atoms([0.1, 0.2, 0.3, 0.4], [1, 1, 1, 1]),
    Mixture([Uniform(0.05, 0.2), At(0.3)], [2, 1]),
    Mixture([FIXED, RANGE, Uniform(0.1, 0.2)], [1, 1, 2]),
    Mixture([FIXED, RANGE, FIXED, RANGE], [1, 1, 1, 1]),
    Own(),
    WithRange(),
    FIXED,
    RANGE,
]

_RNG = np.random.default_rng(5)
Y = (_RNG.random(240) < 0.25).astype(int)
MODELS = {
    name: np.clip(_RNG.beta(1.5, 6, 240) + lift * Y, 0.001, 0.999) for name, lift in {"sharp": 0.3, "dull": 0.1}.items()
}


@pytest.mark.parametrize(
    ("costs", "words"),
    [
        (FIXED, "a miss costs 1,500 and a false alarm costs 12.5"),
        (RANGE, "a miss costs 100 to 300 and a false alarm costs 10"),
        (
            IndependentCosts(false_negative=(0, 1 / 3), false_positive=(1e-6, 1234567.25)),
            "a miss costs 0 to 0.333333 and a false alarm costs 1e-06 to 1,234,567.25",
        ),
        (
            Mixture([RANGE, At(0.2)], [3, 1]),
            "either a miss costs 100 to 300 and a false alarm costs 10 (with 75% probability) or a false alarm "
            "accounts for 20% of the cost of one false alarm plus one miss: a miss is as bad as 4 false alarms "
            "(with 25% probability)",
        ),
        (Own(), "costs follow a belief of your own"),
        (
            WithRange(),
            "a false alarm accounts for 10% to 30% (on average 20%) of the cost of one false alarm plus one miss: "
            "a miss is as bad as 2.3 to 9 false alarms",
        ),
    ],
)
def test_costs_are_said_as_one_would_say_them(costs, words):
    assert costs_in_words(Decision(costs)) == words


@pytest.mark.parametrize("costs", OTHERS, ids=lambda one: type(one).__name__)
def test_no_sentence_about_a_decision_is_python(costs):
    for text in (question(2, Decision(costs)), recommend(Decision(costs)).reason, _wording.belief(costs)):
        for python in ("Costs(", "Mixture(", "Atoms(", "Uniform(", "LogOdds(", "object at", "=("):
            assert python not in text


@pytest.mark.parametrize(
    "prevalence", [Atoms([0.1, 0.2], [1, 1]), Mixture([At(0.1), Beta(2, 8)], [1, 1]), Beta(2, 5, low=0.1, high=0.2)]
)
def test_no_prevalence_is_python(prevalence):
    asked = question(1, Decision("10%", prevalence=prevalence))
    assert "Atoms" not in asked
    assert "Mixture" not in asked
    assert "low=" not in asked


@pytest.mark.parametrize(
    ("believed", "words"),
    [
        (At(0.05), "5%"),
        (Uniform(0.05, 0.2), "5% to 20%"),
        (LogOddsUniform(0.05, 0.2), "5% to 20%, uniform in log-odds"),
        (Beta(2, 8), "about 20% (Beta(2, 8))"),
        (Beta(2, 5, low=0.1, high=0.3), "10% to 30% (on average 20%)"),
        (Atoms([0.1, 0.5], [3, 1]), "10% (with 75% probability) or 50% (with 25% probability)"),
        (Atoms([0.1, 0.2, 0.3, 0.4], [1, 1, 1, 1]), "10% to 40% (on average 25%)"),
        (Mixture(["5%..20%", "30%"], [3, 1]), "5% to 20% (with 75% probability) or 30% (with 25% probability)"),
        (EveryLogOdds(), "0% to 100%, uniform in log-odds"),
        (WithRange(), "10% to 30% (on average 20%)"),
        (Own(), "a belief of your own"),
    ],
)
def test_a_belief_is_said_in_words(believed, words):
    assert _wording.belief(believed) == words


@pytest.mark.usefixtures("few_replicates")
def test_the_headline_is_in_money():
    found = evaluate(Y, MODELS, Decision(RANGE, limits=Limits(capacity=0.2), prevalence="5%"))
    assert " ".join(str(found).split("?")[0].split()) == (
        "Which of 2 models should decide, if a miss costs 100 to 300 and a false alarm costs 10; the prevalence is 5%; "
        "with at most 20% of cases acted on"
    )


@pytest.mark.parametrize("costs", [FIXED, RANGE], ids=repr)
def test_other_costs_of_a_miss_are_looked_at(costs):
    """The finding is true of the numbers that a ranking at those costs has."""
    tables = {name: score_table(Y, score) for name, score in MODELS.items()}
    found = {finding.kind: finding for finding in evaluate_tables(tables, Decision(costs)).findings}
    half, twice = (
        IndependentCosts(
            false_negative=tuple(factor * cost for cost in costs.false_negative), false_positive=costs.false_positive
        )
        for factor in (0.5, 2.0)
    )
    regret = REGISTRY["expected_regret"].function
    best = [min(tables, key=lambda name, other=other: regret(tables[name], other)) for other in (half, twice)]
    assert best == ["sharp", "sharp"]
    low = _wording.amounts(half.false_negative)
    high = _wording.amounts(twice.false_negative)
    assert found["steady"].values["best"] == "sharp"
    assert found["steady"].values["change"] == f"a miss cost half as much ({low}) or twice as much ({high})"


def test_another_best_at_another_cost_of_a_miss_is_named_in_money():
    """One model finds what is rare and dear, the other raises few false alarms."""
    y = [1] * 20 + [0] * 80
    eager = [0.9] * 20 + [0.9] * 40 + [0.01] * 40
    strict = [0.9] * 10 + [0.01] * 10 + [0.01] * 80
    costs = IndependentCosts(false_negative=(30, 30), false_positive=(10, 10))
    found = evaluate(y, {"eager": eager, "strict": strict}, Decision(costs))
    assert found.best.model == "strict"
    unsteady = [finding for finding in found.findings if finding.kind.startswith("unsteady")]
    assert [finding.values["change"] for finding in unsteady] == ["a miss cost twice as much (60)"]
    assert unsteady[0].numbers["gain"] == pytest.approx((10 * 60 - 40 * 10) / 100)


@pytest.mark.parametrize("costs", [FIXED, RANGE], ids=repr)
def test_findings_speak_of_the_costs_not_of_a_range_of_proportions(costs):
    first = evaluate(Y, MODELS, Decision(costs)).findings[0]
    assert first.values["where"] == "at the costs you state"
    assert first.numbers["regret"] == evaluate(Y, MODELS, Decision(costs)).best.regret.estimate


def test_fixed_costs_are_known():
    assert recommend(FIXED).reason.startswith("The costs are known, so each model has one best threshold")
    assert recommend(RANGE).reason.startswith("The costs are known only roughly")


def test_a_belief_of_ones_own_without_a_density_has_no_policy_and_no_error():
    found = evaluate(Y, MODELS, Decision(WithRange()))
    assert found.policies == {}
    assert '"policies": {}' in found.to_json()

"""Models with one score for all, such as acting on everyone: what they can lose, and what is known of it."""

from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy import stats
from uncertainty.simulated import scores

from stakes import At, Cases, Decision, Uniform, compare, evaluate, expected_regret, interval, net_benefit, rank
from stakes.prevalence import shifted_regret
from stakes.uncertainty import TableStudy

COSTS = {
    "one cost": (At(0.1), At(0.9)),
    "a range": (Uniform(0.05, 0.2), Uniform(0.8, 0.95)),
}  # and with classes swapped


def everyone_and_no_one(y, weight=None):
    return Cases(y, {"everyone": np.ones(len(y)), "no one": np.zeros(len(y))}, weight=weight)


def outcomes(draw):
    return np.array([0, 1, *draw(st.lists(st.integers(0, 1), min_size=1, max_size=60))])


@st.composite
def weighted_outcomes(draw):
    y = outcomes(draw)
    return y, draw(st.none() | st.lists(st.floats(0.1, 10), min_size=len(y), max_size=len(y)))


def ends(found):
    return [found.lower, found.upper]


# ----------------------------------------------------------------------------------------- the prevalence of the sample


def test_acting_on_everyone_raises_no_more_alarms_than_there_are_cases():
    y = np.repeat([1, 0], [12, 188])
    found = interval(everyone_and_no_one(y), partial(expected_regret, costs=At(0.1)))["everyone"]
    # A share of negatives: half a negative more among those seen, or half a positive.
    assert_allclose(ends(found), 0.1 * stats.beta.ppf([0.025, 0.975], [188, 188.5], [12.5, 12]), rtol=2e-4)


@pytest.mark.parametrize("belief", COSTS)
@settings(max_examples=40)
@given(sample=weighted_outcomes())
def test_everyone_is_the_mirror_image_of_no_one(belief, sample):
    (y, weight), (costs, swapped) = sample, COSTS[belief]
    found = interval(everyone_and_no_one(y, weight), partial(expected_regret, costs=costs))
    mirrored = interval(everyone_and_no_one(1 - y, weight), partial(expected_regret, costs=swapped))
    assert_allclose(ends(found["everyone"]), ends(mirrored["no one"]), rtol=1e-9, atol=1e-15)


@settings(max_examples=40)
@given(y=st.builds(np.array, st.lists(st.integers(0, 1), min_size=2, max_size=60)))
def test_everyone_and_no_one_agree_about_the_prevalence(y):
    found = interval(everyone_and_no_one(y), partial(expected_regret, costs=At(0.1)))
    negatives, positives = np.array(ends(found["everyone"])) / 0.1, np.array(ends(found["no one"])) / 0.9
    assert_allclose(negatives, 1 - positives[::-1], atol=1e-9)


@settings(max_examples=40)
@given(sample=weighted_outcomes(), score=st.sampled_from([0.0, 1.0]))
def test_a_reference_loses_what_its_score_loses(sample, score):
    (y, weight), costs = sample, Uniform(0.05, 0.2)
    found = interval(Cases(y, {"a": np.full(len(y), score)}, weight=weight), partial(expected_regret, costs=costs))["a"]
    possible = [float(loss(np.array(score))) for loss in (costs.loss_if_positive, costs.loss_if_negative)]
    assert min(possible) - 1e-12 <= found.lower <= found.estimate <= found.upper <= max(possible) + 1e-12


@settings(max_examples=40)
@given(y=st.builds(np.array, st.lists(st.integers(0, 1), min_size=2, max_size=60)))
def test_the_difference_of_two_constants_is_that_of_their_shares(y):
    cases, regret = everyone_and_no_one(y), partial(expected_regret, costs=At(0.1))
    # Acting on everyone costs 0.1 less one unit for every positive.
    positives = interval(cases, partial(expected_regret, costs=At(0.5)))["no one"]
    found = compare(cases, "everyone", "no one", regret)
    assert_allclose(ends(found), [0.1 - 2 * positives.upper, 0.1 - 2 * positives.lower], atol=1e-9)


def test_acting_on_no_one_has_no_benefit_for_certain():
    found = interval(everyone_and_no_one(np.repeat([1, 0], [3, 40])), partial(net_benefit, costs=At(0.2)))
    assert ends(found["no one"]) == [0.0, 0.0]
    assert found["everyone"].lower >= -0.25


def test_tables_say_what_cases_say():
    cases = everyone_and_no_one(np.repeat([1, 0], [12, 188]))
    tables = {name: cases.table(name) for name in cases.models}
    for measure in (
        partial(expected_regret, costs=Uniform(0.05, 0.2)),
        partial(shifted_regret, costs=At(0.1), prevalence=0.06),
    ):
        told, found = TableStudy(tables, measure).intervals(), interval(cases, measure)
        for name in tables:
            assert_allclose(ends(told[name]), ends(found[name]), rtol=1e-9)


# ------------------------------------------------------------------------------------------- a stated prevalence


@pytest.mark.parametrize("prevalence", ["6%", "3%..9%"])
@pytest.mark.parametrize("costs", ["10%", "5%..20%"])
def test_at_a_stated_prevalence_the_cost_of_a_reference_is_known(costs, prevalence):
    y, good, other = scores(60)
    result = evaluate(y, {"a": good, "b": other}, Decision(costs, prevalence=prevalence))
    for standing in result.ranking:
        assert (standing.regret.lower == standing.regret.upper) == standing.reference
        assert standing.regret.lower <= standing.regret.estimate <= standing.regret.upper


def test_at_a_stated_prevalence_two_references_are_told_apart_for_certain():
    cases = everyone_and_no_one(np.repeat([1, 0], [1, 9]))  # a single positive, which tells no variance
    regret = partial(shifted_regret, costs=At(0.1), prevalence=0.06)
    found = compare(cases, "no one", "everyone", regret)
    assert ends(found) == [found.difference, found.difference]
    assert_allclose(found.difference, 0.06 * 0.9 - 0.94 * 0.1)
    assert found.probability_better == 1.0
    assert rank(cases, regret).probability_best["no one"] == 1.0


def test_a_model_whose_scores_are_all_alike_here_may_have_others_elsewhere():
    found = interval(Cases([0, 1] * 20, {"a": [0.01] * 40}), partial(net_benefit, costs="20%"))["a"]
    assert found.lower < found.estimate == 0 < found.upper

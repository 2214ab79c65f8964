"""Costs of each case on a device: sums over cases are the numbers of the same cases in NumPy."""

import functools

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from tensors.kinds import FLOATS, LIBRARIES, given_samples

import stakes
from stakes import CaseCosts, InputError, tensors
from stakes.beliefs import IndependentCosts
from stakes.measures import cost_per_case

SOME = (0.0, 1.0, 2.5, 40.0, 3e-5, 7e4)
NUMBERS = {
    "as stated": cost_per_case,
    "a range": functools.partial(cost_per_case, costs="x0.5..x2"),
    "at a cost": functools.partial(cost_per_case, costs=0.3),
    "share": functools.partial(
        stakes.expected_regret, costs=IndependentCosts(false_negative=(0.5, 1), false_positive=(1, 3))
    ),
    "skill": functools.partial(stakes.skill_score, costs="as stated"),
    "accuracy": stakes.accuracy,
    "brier_score": stakes.brier_score,
}


@st.composite
def staked_samples(draw):
    """Yield a sample on a device and here, and an array of costs of any sign that can be meant."""
    on_device, here = draw(given_samples(max_size=30))
    cases, columns = len(here[0]), draw(st.sampled_from([2, 4]))
    size = st.lists(st.sampled_from(SOME), min_size=cases, max_size=cases)
    costs = np.array([draw(size) for _ in range(columns)]).T
    if columns == 4:
        costs[:, 2:] /= draw(st.sampled_from([1e3, 2.0]))  # rewards, and some cases where the signs are exchanged
    return on_device, here, costs * draw(st.sampled_from([1.0, 1e-90, 1e120]))


def of_numpy(here, costs):
    try:
        return stakes.score_table(*here, case_costs=costs)
    except InputError as error:
        return str(error)


@settings(max_examples=60)
@given(staked_samples())
def test_sums_in_money_are_those_of_numpy(sample):
    on_device, here, costs = sample
    expected = of_numpy(here, costs)
    library = LIBRARIES["torch" if isinstance(on_device[0], torch.Tensor) else "arrays"]
    if isinstance(expected, str):
        with pytest.raises(InputError) as caught:
            tensors.unsorted(*on_device, case_costs=library(costs.copy()))
        assert str(caught.value).partition(" in a case of weight")[0] == expected.partition(" in a case of weight")[0]
        return
    found = tensors.unsorted(*on_device, case_costs=library(costs.copy()))
    for name, number in NUMBERS.items():
        if min(expected.positive_total, expected.negative_total) > 0 or name != "skill":
            assert_allclose(number(found), number(expected), rtol=1e-11, atol=1e-13 * expected.total, err_msg=name)
    for name in ("positive_total", "negative_total", "total"):
        assert_allclose(getattr(found, name), getattr(expected, name), rtol=1e-12)
        assert_allclose(getattr(found.heads, name), getattr(expected.heads, name), rtol=1e-12)
    assert_allclose(found.heads.floor, expected.heads.floor, rtol=1e-12)
    assert_allclose(found.heads.crossed, expected.heads.crossed, rtol=1e-12)
    assert found.heads.swapped == pytest.approx(expected.heads.swapped)


@pytest.mark.parametrize("library", LIBRARIES)
def test_costs_may_be_an_object_with_numbers_and_columns(library):
    y, p, amount = np.array([1, 0, 1, 0]), np.array([0.2, 0.4, 0.6, 0.1]), np.array([300.0, 80, 20, 9])
    costs = CaseCosts(false_negative=amount, false_positive=8, true_positive=8)
    on_device = (LIBRARIES[library](column) for column in (y, p))
    found = cost_per_case(tensors.unsorted(*on_device, case_costs=costs))
    assert found == pytest.approx(cost_per_case(stakes.score_table(y, p, case_costs=costs)), rel=1e-12)


@pytest.mark.parametrize("dtype", FLOATS)
def test_scores_of_many_cases_are_those_of_numpy_in_either_precision(dtype):
    rng = np.random.default_rng(4)
    p = rng.beta(1, 9, 50_000).astype(dtype)
    y, costs = rng.random(50_000) < p, np.exp(rng.normal(2, 2, (50_000, 4))) * [1, 0.1, 0.02, 0.01]
    found = tensors.unsorted(*map(torch.from_numpy, (y, p)), case_costs=torch.from_numpy(costs))
    expected = stakes.score_table(y, p, case_costs=costs)
    for name, number in NUMBERS.items():
        assert number(found) == pytest.approx(number(expected), rel=1e-11), name


Y, P = torch.tensor([0, 1, 1]), torch.tensor([0.25, 0.5, 0.75])
REFUSED = {
    "one column": (
        torch.ones(3, 1),
        "`case_costs` must have two or four columns of costs, got 1.",
    ),
    "no columns": (
        torch.ones(3),
        "`case_costs` must be CaseCosts, or an array with two or four columns of costs, got shape (3,).",
    ),
    "a word": (
        "amount",
        "`case_costs` must be CaseCosts, or an array with two or four columns of costs, got str.",
    ),
    "another length": (torch.ones(2, 2), "`y` and `case_costs` must have the same length, got 3 and 2."),
    "an object of another length": (
        CaseCosts(false_negative=[1, 2]),
        "`y` and `case_costs` must have the same length, got 3 and 2.",
    ),
    "another device": (
        torch.ones(3, 2, device="meta"),
        "`case_costs` and `score` must be on one device, got meta and cpu.",
    ),
    "an infinite cost": (
        torch.tensor([[1.0, 1], [1, torch.inf], [1, 1]]),
        "`case_costs['false_positive']` must be finite, got inf at row 1.",
    ),
    "a missing cost": (
        torch.tensor([[1.0, 1], [1, 1], [torch.nan, 1]]),
        "`case_costs['false_negative']` must be finite, got nan at row 2.",
    ),
    "nothing at stake": (
        torch.zeros(3, 2),
        "`case_costs` must differ between acting and leaving in at least one case, got the same in all.",
    ),
    "hit and miss exchanged": (
        torch.tensor([[0.0, 0, 9, 5]] * 3),
        "`case_costs` must make acting on most positives pay and on most negatives cost, got the opposite in 3 of 3 "
        "cases; costs look swapped, with hit and miss exchanged.",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_bad_costs_are_refused_with_a_sentence(name):
    given, message = REFUSED[name]
    with pytest.raises((TypeError, ValueError)) as caught:
        tensors.unsorted(Y, P, case_costs=given)
    assert str(caught.value) == message


def test_a_measure_that_counts_people_at_a_score_does_not_take_sums_of_money():
    with pytest.raises(TypeError, match="must be a table in NumPy's memory"):
        stakes.top_k(tensors.unsorted(Y, P, case_costs=torch.ones(3, 2)), k=1)

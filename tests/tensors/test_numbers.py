"""Numbers of samples on a device are the numbers of the same samples in NumPy."""

import dataclasses
import functools
import math

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import BELIEFS, OTHER_BELIEFS
from tensors.kinds import ANY_NUMBER, FLOATS, LIBRARIES, given_as, given_samples, large

import stakes
from stakes import Beta, tensors
from stakes.beliefs import Actions, EveryLogOdds, IndependentCosts
from stakes.tensors import _cells, _device

CLOSED = tuple(belief for belief in BELIEFS if not isinstance(belief, Beta))
MEANS = {
    "brier_score": stakes.brier_score,
    "bounded brier_score": functools.partial(stakes.brier_score, cost_range=(0.05, 0.35)),
    "bounded log_loss": functools.partial(stakes.log_loss, cost_range=(0.02, 0.7)),
    "log_loss": stakes.log_loss,
    "accuracy": stakes.accuracy,
    "accuracy at a score": functools.partial(stakes.accuracy, threshold=0.3),
    "weighted_accuracy": functools.partial(stakes.measures.weighted_accuracy, cost=0.1),
    **{
        f"{function.__name__} {belief}": functools.partial(function, costs=belief)
        for function in (stakes.expected_regret, stakes.net_benefit, stakes.skill_score)
        for belief in CLOSED
    },
    **{
        f"expected_regret {belief}": functools.partial(stakes.expected_regret, costs=belief)
        for belief in OTHER_BELIEFS
        if not isinstance(belief, Actions)
    },
}
RANKS = {
    "auc": stakes.auc,
    "partial_auc": functools.partial(stakes.measures.partial_auc, fpr_range=(0.05, 0.4)),
    "partial_auc from the start": functools.partial(stakes.measures.partial_auc, fpr_range=(0, 0.5)),
    "bounded_auc": functools.partial(stakes.measures.bounded_auc, score_range=(0.1, 0.35)),
    "bounded_auc between scores": functools.partial(stakes.measures.bounded_auc, score_range=(0.11, 0.95)),
    "top_k": lambda table: stakes.top_k(table, k=table.total / 3, cost=0.1),
    "top_k, everyone": lambda table: stakes.top_k(table, k=table.total),
}


def same(found, expected):
    """Say whether two numbers, or several by name, agree to 1e-12 of their size."""
    if dataclasses.is_dataclass(expected):
        found, expected = dataclasses.astuple(found), dataclasses.astuple(expected)
    return found == pytest.approx(expected, rel=1e-12, abs=1e-14, nan_ok=True)


@pytest.mark.parametrize("name", MEANS)
@settings(max_examples=25)
@given(given_samples())
def test_a_mean_over_cases_is_that_of_numpy(name, sample):
    on_device, here = sample
    expected = MEANS[name](stakes.score_table(*here))
    assert same(MEANS[name](tensors.unsorted(*on_device)), expected)
    assert same(MEANS[name](tensors.score_table(*on_device)), expected)


@pytest.mark.parametrize("name", RANKS)
@settings(max_examples=40)
@given(given_samples(scores=ANY_NUMBER))
def test_a_measure_of_ranking_is_that_of_numpy(name, sample):
    on_device, here = sample
    assert same(RANKS[name](tensors.score_table(*on_device)), RANKS[name](stakes.score_table(*here)))


@pytest.mark.parametrize("name", RANKS)
@settings(max_examples=40)
@given(given_samples(scores=ANY_NUMBER, max_size=40), st.sampled_from([1, 2, 3, 7]))
def test_a_measure_of_ranking_does_not_depend_on_where_blocks_end(name, sample, block):
    on_device, here = sample
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_cells, "BLOCK", block)
        patch.setattr(_cells, "_FEW", 4)
        found = RANKS[name](tensors.score_table(*on_device))
    assert same(found, RANKS[name](stakes.score_table(*here)))


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("tied", [False, True])
@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("library", LIBRARIES)
def test_many_cases_have_the_numbers_of_numpy(library, dtype, tied, weighted):
    on_device, here = large(library, dtype, tied=tied, weighted=weighted)
    table, expected, cases = (
        tensors.score_table(*on_device),
        stakes.score_table(*here),
        tensors.unsorted(*on_device),
    )
    for name in ("bounded brier_score", "log_loss", "accuracy at a score", f"net_benefit {CLOSED[-1]}"):
        assert same(MEANS[name](table), MEANS[name](expected))
        assert same(MEANS[name](cases), MEANS[name](expected))
    for name, rank in RANKS.items():
        assert same(rank(table), rank(expected)), name


@given(given_samples(weighted=False), st.sampled_from([torch.int64, torch.int8, torch.uint8, torch.float32]))
def test_outcomes_may_be_numbers_of_any_kind(sample, kind):
    (y, score), _ = sample
    y, score = torch.as_tensor(y), torch.as_tensor(score)
    expected = stakes.brier_score(tensors.unsorted(y == 1, score))
    assert stakes.brier_score(tensors.unsorted(y.to(kind), score)) == expected


@pytest.mark.parametrize(
    ("kind", "held_as"), [(torch.float16, torch.float32), (torch.bfloat16, torch.float32), (torch.int32, torch.float64)]
)
def test_scores_of_another_kind_become_floats_that_hold_them(kind, held_as):
    score = torch.tensor([0, 1, 1]).to(kind)
    assert tensors.unsorted(torch.tensor([0, 1, 0]), score).score.dtype == held_as


def test_a_score_that_a_network_still_trains_is_only_looked_at():
    score = torch.tensor([0.25, 0.5], requires_grad=True)
    assert stakes.brier_score(tensors.unsorted(torch.tensor([0, 1]), score)) == 0.15625


@pytest.mark.parametrize("y", [[0, 0], [1, 1]])
@pytest.mark.parametrize("name", ["auc", "partial_auc", "bounded_auc"])
def test_of_one_class_a_rank_is_undefined_and_says_so(name, y):
    (on_device, here) = given_as("torch", np.float32, y, [0.25, 0.5])
    with pytest.warns(RuntimeWarning, match="is undefined without") as one:
        expected = RANKS[name](stakes.score_table(*here))
    with pytest.warns(RuntimeWarning) as other:
        found = RANKS[name](tensors.score_table(*on_device))
    assert same(found, expected)
    assert [str(warning.message) for warning in one] == [str(warning.message) for warning in other]


def test_a_sure_mistake_costs_infinitely_much_and_nobodys_mistake_nothing():
    y, score = torch.tensor([0, 1, 1]), torch.tensor([0.0, 1.0, 0.5])
    assert stakes.log_loss(tensors.unsorted(y, score)) == pytest.approx(math.log(2) / 3)
    assert stakes.log_loss(tensors.unsorted(1 - y, score)) == math.inf
    assert stakes.expected_regret(tensors.unsorted(1 - y, score), EveryLogOdds()) == math.inf


def test_costs_in_units_of_their_own_are_exact_too():
    costs = IndependentCosts(false_negative=(3, 3), false_positive=(1, 2))
    on_device, here = given_as("torch", np.float64, [0, 1, 1, 0], [0.2, 0.4, 0.3, 0.35])
    assert same(
        stakes.expected_regret(tensors.unsorted(*on_device), costs),
        stakes.expected_regret(stakes.score_table(*here), costs),
    )


# ------------------------------------------------------------------------------------------- a user's own belief


class Halfway:
    """A belief that a user has written: the cost is 0.2 or 0.6."""

    mean = 0.4

    def loss_if_positive(self, score):
        return np.where(score < 0.2, 0.6, np.where(score < 0.6, 0.2, 0.0))

    def loss_if_negative(self, score):
        found = np.zeros_like(score) if isinstance(score, np.ndarray) else 0.0 * score
        found = np.where(score >= 0.2, 0.1, found)
        return found + 0.3 * (score >= 0.6)


@given(given_samples())
def test_a_belief_of_the_users_own_runs_on_the_device(sample):
    on_device, here = sample
    expected = stakes.expected_regret(stakes.score_table(*here), Halfway())
    assert same(stakes.expected_regret(tensors.unsorted(*on_device), Halfway()), expected)


class ByBranch(Halfway):
    def __repr__(self):
        return "ByBranch()"

    def loss_if_positive(self, score):
        return 1 - score if score > 0.5 else score


class ByLookup(ByBranch):
    def loss_if_positive(self, score):
        return np.interp(score, [0, 1], [1, 0])


class BySort(ByBranch):
    def loss_if_positive(self, score):
        return np.searchsorted(np.array([0.2, 0.6]), np.asarray(score))


class ByModulo(ByBranch):
    def loss_if_positive(self, score):
        return np.fmod(score, 0.1)


class ByArray(ByBranch):
    def loss_if_positive(self, score):
        return score * np.array([0.5, 0.6])


@pytest.mark.parametrize(
    ("belief", "reason"),
    [
        (ByBranch(), "what is done depends on a score"),
        (ByLookup(), "`interp` takes part"),
        (BySort(), "the scores are made a NumPy array"),
        (ByModulo(), "`fmod` takes part"),
        (ByArray(), "an array takes part"),
    ],
)
def test_a_belief_that_cannot_be_written_down_is_refused_with_the_reason(belief, reason):
    cases = tensors.unsorted(torch.tensor([0, 1]), torch.tensor([0.25, 0.5]))
    with pytest.raises(TypeError) as caught:
        stakes.expected_regret(cases, belief)
    assert str(caught.value) == (
        "`costs` must be a belief with losses made of elementary functions to be used on a device, got ByBranch(): "
        f"{reason}; `table.coarse()` is a small table for it, and `table.quantised()` bounds what that costs."
    )


@pytest.mark.parametrize("costs", [Beta(2, 5), Actions({"leave": (0, 7), "watch": (0.5, 2), "act": (3, 0)})])
def test_a_belief_without_elementary_losses_is_used_by_way_of_a_small_table(costs):
    on_device, here = large(tied=True)
    table = tensors.score_table(*on_device)
    with pytest.raises(TypeError, match="elementary functions"):
        stakes.expected_regret(table, costs)
    expected = stakes.expected_regret(stakes.score_table(*here), costs)
    assert stakes.expected_regret(table.coarse(), costs) == pytest.approx(expected, rel=1e-3)
    assert expected in stakes.bounds.expected_regret(table.quantised(), costs)


# ------------------------------------------------------------------------------------------- one pass


@pytest.fixture
def fused(monkeypatch):
    """Let sums be fused, as a compiler would: all whole blocks at once. Return the kinds of sums that were."""
    kinds = []

    def fused(self, function, rows):
        kinds.append(function)
        return lambda *arrays: function(*arrays)

    monkeypatch.setattr(_device.Tensors, "fused", fused)
    return kinds


@pytest.mark.parametrize("weighted", [False, True])
def test_a_fused_pass_has_the_same_numbers(fused, weighted):
    on_device, here = large(weighted=weighted)
    table, cases, expected = tensors.score_table(*on_device), tensors.unsorted(*on_device), stakes.score_table(*here)
    assert same(stakes.brier_score(cases, cost_range=(0.05, 0.2)), stakes.brier_score(expected, cost_range=(0.05, 0.2)))
    assert same(stakes.auc(table), stakes.auc(expected))
    assert fused


def test_all_beliefs_of_one_kind_are_one_kind_of_sum(fused):
    cases = tensors.unsorted(*large()[0])
    seen = set(fused)
    for low, high in ((0.05, 0.2), (0.1, 0.35), (0.3, 0.9)):
        stakes.brier_score(cases, cost_range=(low, high))
    assert len(set(fused) - seen) == 1


@pytest.fixture
def compiled(monkeypatch):
    """Pretend that there is a compiler; return what was compiled."""
    found = []
    monkeypatch.setattr(_device, "_compiled", lambda function: found.append(function) or function)
    monkeypatch.setattr(_device, "_has_triton", lambda: True)
    monkeypatch.setattr(_device, "_rows_so_far", {})
    monkeypatch.setattr(_device, "_after", _device._after)
    return found


def on_a_gpu():
    return _device.Tensors(torch, torch.device("cuda"))


def test_a_kind_of_sum_is_compiled_when_enough_rows_of_it_were_added_up(compiled):
    arrays = on_a_gpu()
    tensors.fuse_after(250_000)
    assert [arrays.fused(sum, 100_000) for _ in range(4)] == [None, None, sum, sum]
    assert arrays.fused(max, 100_000) is None


def test_few_rows_are_never_fused(compiled):
    tensors.fuse_after(0)
    assert on_a_gpu().fused(sum, 1000) is None
    assert on_a_gpu().fused(sum, 100_000) is sum


def test_nothing_is_fused_when_that_is_the_wish(compiled):
    tensors.fuse_after(math.inf)
    assert on_a_gpu().fused(sum, 1 << 50) is None


def test_a_place_that_has_no_hash_is_told_from_others_by_its_name():
    class Place:
        __hash__ = None

        def __init__(self, name):
            self.name = name

        def __eq__(self, other):
            return self.name == other.name

        def __str__(self):
            return self.name

    one, same_one, other = (_device.Arrays(np, Place(name)) for name in ("gpu 0", "gpu 0", "gpu 1"))
    assert len({one, same_one, other}) == 2


def test_rows_to_wait_for_must_be_a_number():
    with pytest.raises(ValueError, match="`rows` must be") as caught:
        tensors.fuse_after(-1)
    assert "-1" in str(caught.value)


def test_a_sum_in_money_needs_weights_alone():
    rng = np.random.default_rng(2)
    p = rng.beta(1, 4, 500)
    y, miss, alarm = rng.random(500) < p, np.exp(rng.normal(3, 1, 500)), rng.uniform(1, 5, 500)
    costs = stakes.CaseCosts(false_negative=miss, false_positive=alarm)
    wanted = stakes.measures.cost_per_case(stakes.score_table(y, p, case_costs=costs))
    here, risk, b, a = (torch.as_tensor(column) for column in (y, p, miss, alarm))
    table = tensors.score_table(here, risk * b / (risk * b + (1 - risk) * a), torch.where(here > 0, b, a))
    money = IndependentCosts(false_negative=(1, 1), false_positive=(1, 1))
    assert math.isclose(stakes.expected_regret(table, money) * table.total / len(y), wanted, rel_tol=1e-12)

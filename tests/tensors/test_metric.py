"""A metric of batches has the number of all cases together, in one process or in several."""

import copy
import dataclasses
import pickle

import numpy as np
import pytest
import torch
from homes import public
from hypothesis import given, settings
from hypothesis import strategies as st
from tensors.kinds import MAYBE_ZERO, PROBABILITIES, large
from tensors.processes import PARTS, compute_in_two_processes

import stakes
from stakes import Uniform, bounds
from stakes.tensors import TorchMetric, torch_metric

PARAMETERS = {
    "accuracy": {},
    "auc": {},
    "brier_score": {"cost_range": (0.05, 0.35)},
    "decompose": {"costs": Uniform(0.05, 0.35)},
    "expected_regret": {"costs": Uniform(0.05, 0.35)},
    "h_measure": {},
    "log_loss": {"cost_range": (0.02, 0.7)},
    "net_benefit": {"costs": Uniform(0.05, 0.35)},
    "partial_auc": {"fpr_range": (0, 0.4)},
    "skill_score": {"costs": Uniform(0.05, 0.35)},
    "weighted_accuracy": {"cost": 0.1},
}
ONLY_EXACT = {"bounded_auc": {"score_range": (0.1, 0.35)}, "top_k": {"k": 2.5, "cost": 0.1}}

BATCHES = st.lists(
    st.lists(st.tuples(PROBABILITIES, st.integers(0, 1), MAYBE_ZERO), max_size=5), min_size=1, max_size=4
)


def columns(cases):
    """Return scores, outcomes and weights as tensors."""
    score, y, weight = (list(column) for column in zip(*cases, strict=True)) if cases else ([], [], [])
    return torch.tensor(score, dtype=torch.float64), torch.tensor(y), torch.tensor(weight, dtype=torch.float64)


def both_classes(batches):
    return {y for batch in batches for _, y, weight in batch if weight} == {0, 1}


def numbers(found):
    """Return all numbers there are, also those within others."""
    if not dataclasses.is_dataclass(found):
        return (found,)
    parts = (getattr(found, field.name) for field in dataclasses.fields(found))
    return tuple(number for part in parts for number in numbers(part))


@pytest.mark.parametrize("name", [*PARAMETERS, *ONLY_EXACT])
@settings(max_examples=25)
@given(BATCHES.filter(both_classes))
def test_an_exact_metric_of_batches_is_the_number_of_all_cases(name, batches):
    given_ = (PARAMETERS | ONLY_EXACT)[name]
    score, y, weight = columns([case for batch in batches for case in batch])
    if name == "top_k" and weight.sum() < given_["k"]:
        return
    metric = torch_metric(name, exact=True, **given_)
    for batch in batches:
        metric.update(*columns(batch))
    expected = public(name)(stakes.score_table(y.numpy(), score.numpy(), weight.numpy()), **given_)
    assert numbers(metric.compute()) == pytest.approx(numbers(expected), rel=1e-12, abs=1e-14, nan_ok=True)


@pytest.mark.parametrize("name", PARAMETERS)
@settings(max_examples=25)
@given(BATCHES.filter(both_classes))
def test_a_binned_metric_of_batches_bounds_the_number_of_all_cases(name, batches):
    score, y, weight = columns([case for batch in batches for case in batch])
    metric = torch_metric(name, bins=16, **PARAMETERS[name])
    for batch in batches:
        metric.update(*columns(batch))
    found = metric.compute()
    table = stakes.large.quantise(y.numpy(), score.numpy(), weight.numpy(), bins=16)
    assert numbers(found) == pytest.approx(
        numbers(getattr(bounds, name)(table, **PARAMETERS[name])), rel=1e-9, abs=1e-12
    )
    exact = public(name)(stakes.score_table(y.numpy(), score.numpy(), weight.numpy()), **PARAMETERS[name])
    if name == "decompose":
        assert all(number in getattr(found, part) for part, number in dataclasses.asdict(exact).items())
    else:
        assert exact in found


def test_the_memory_of_a_binned_metric_does_not_grow():
    (y, score), _ = large()
    metric = torch_metric("auc", bins=64)
    sizes = set()
    for start in range(0, 3000, 1000):
        metric.update(score[start : start + 1000], y[start : start + 1000])
        sizes.add(len(pickle.dumps(metric)))
    assert len(sizes) == 1


@pytest.mark.parametrize("exact", [False, True])
def test_a_call_returns_the_number_of_its_batch_and_keeps_it(exact):
    metric = torch_metric("accuracy", exact=exact)
    one = metric(torch.tensor([0.25, 0.75]), torch.tensor([0, 0]))
    other = metric(torch.tensor([0.25, 0.75]), torch.tensor([0, 1]))
    found = [one, other, metric.compute()]
    assert (found if exact else [number.estimate for number in found]) == [0.5, 1.0, 0.75]


@pytest.mark.parametrize("exact", [False, True])
def test_after_a_reset_a_metric_is_as_new(exact):
    metric = torch_metric("auc", exact=exact)
    metric.update(torch.tensor([0.25, 0.75]), torch.tensor([1, 0]))
    metric.reset()
    with pytest.raises(ValueError, match="at least one case") as caught:
        metric.compute()
    assert str(caught.value) == "`compute` needs at least one case, got none; call `update` first."
    metric.update(torch.tensor([0.25, 0.75]), torch.tensor([0, 1]))
    found = metric.compute()
    assert (found if exact else found.estimate) == 1.0


@pytest.mark.parametrize("exact", [False, True])
@pytest.mark.parametrize("weighted", [False, True])
def test_merged_metrics_are_the_metric_of_both(exact, weighted):
    on_device, _ = large(weighted=weighted, tied=True, cases=4000)
    y, score, *weight = on_device
    one, other, whole = (torch_metric("auc", exact=exact, bins=1024) for _ in range(3))
    halves = slice(0, 1000), slice(1000, None)
    for metric, rows in ((one, halves[0]), (other, halves[1]), (whole, slice(None))):
        metric.update(score[rows], y[rows], *(column[rows] for column in weight))
    unchanged = other.compute()
    one.merge_state(other)
    assert numbers(one.compute()) == pytest.approx(numbers(whole.compute()), rel=1e-12)
    assert other.compute() == unchanged
    fresh = torch_metric("auc", exact=exact, bins=1024)
    fresh.merge_state(whole)
    fresh.merge_state(torch_metric("auc", exact=exact, bins=1024))  # of nothing
    assert fresh.compute() == whole.compute()


def test_weights_of_some_batches_alone_count_the_others_once():
    score, y = torch.tensor([0.25, 0.75, 0.5]), torch.tensor([0, 1, 1])
    found = []
    for exact in (True, False):
        metric = torch_metric("brier_score", exact=exact)
        metric.update(score[:2], y[:2])
        metric.update(score[2:], y[2:], torch.tensor([2.0]))
        found.append(metric.compute())
    expected = (0.0625 + 0.0625 + 2 * 0.25) / 4
    assert found[0] == expected
    assert expected in found[1]


@pytest.mark.parametrize("exact", [False, True])
def test_batches_of_nothing_and_of_no_weight_add_nothing(exact):
    metric = torch_metric("accuracy", exact=exact)
    metric.update(torch.tensor([]), torch.tensor([]))
    metric.update(torch.tensor([0.25]), torch.tensor([1]), torch.tensor([0.0]))
    with pytest.raises(ValueError, match="at least one case"):
        metric.compute()
    metric.update(torch.tensor([0.25]), torch.tensor([0]))
    found = metric.compute()
    assert (found if exact else found.estimate) == 1.0


@pytest.mark.parametrize("overwritten", ["score", "outcome"])
def test_a_kept_batch_may_be_overwritten(overwritten):
    metric, score, y = torch_metric("accuracy", exact=True), torch.tensor([0.25]), torch.tensor([True])
    metric.update(score, y)
    if overwritten == "score":
        score.fill_(0.75)
    else:
        y.fill_(False)
    assert metric.compute() == 0.0


def test_any_shape_will_do_if_it_is_one():
    metric = torch_metric("accuracy", exact=True)
    metric.update(torch.full((2, 3, 1), 0.75), torch.ones(2, 3, 1))
    assert repr(metric) == "TorchMetric('accuracy', exact, 6 cases)"
    with pytest.raises(ValueError, match="one-dimensional") as caught:
        metric.update(torch.full((3, 2), 0.75), torch.ones(3))
    assert str(caught.value) == (
        "`preds` must be one-dimensional, got shape (3, 2); pass the column of the positive class."
    )


def test_single_and_double_precision_may_come_in_turns():
    metric = torch_metric("auc", exact=True)
    metric.update(torch.tensor([0.25], dtype=torch.float32), torch.tensor([0]))
    metric.update(torch.tensor([0.25 + 1e-12], dtype=torch.float64), torch.tensor([1]))
    assert metric.compute() == 1.0


@pytest.mark.parametrize("exact", [False, True])
def test_copies_and_pickles_go_on_by_themselves(exact):
    metric = torch_metric("accuracy", exact=exact)
    metric.update(torch.tensor([0.25]), torch.tensor([0]))
    for other in (copy.deepcopy(metric), pickle.loads(pickle.dumps(metric))):
        other.update(torch.tensor([0.25]), torch.tensor([1]))
        assert other.compute() != metric.compute()
    assert metric.to("cpu") is metric
    assert metric.device == torch.device("cpu")


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        (
            "acuracy",
            {},
            "`name` must be one of accuracy, weighted_accuracy, auc, partial_auc, bounded_auc, decompose, h_measure, "
            "brier_score, skill_score, expected_regret, net_benefit, top_k, log_loss, got 'acuracy'.",
        ),
        (
            "top_k",
            {"k": 3},
            "`name` must be a number that has bounds in bins, got 'top_k'; pass `exact=True` for it.",
        ),
        ("auc", {"fpr_range": (0, 0.1)}, None),
        ("expected_regret", {}, "`parameters` must have `costs` for 'expected_regret', got none."),
        ("expected_regret", {"costs": 30}, "`costs` must lie strictly between 0 and 1, got 30; 30% is 0.3."),
        ("brier_score", {"cost_range": (0.5, 0.1)}, None),
        ("auc", {"bins": 100}, "`bins` must be a power of two up to 2**40, got 100."),
        (
            "expected_regret",
            {"costs": stakes.Beta(2, 5), "exact": True},
            None,
        ),
    ],
)
def test_a_metric_that_could_never_be_computed_is_refused_when_it_is_made(name, options, message):
    with pytest.raises((TypeError, ValueError)) as caught:
        torch_metric(name, **options)
    assert message is None or sorted(str(caught.value)) == sorted(message)


@pytest.mark.parametrize(
    ("batch", "message"),
    [
        (
            (torch.tensor([0.25, 1.5]), torch.tensor([0, 1])),
            "`preds` must be a probability between 0 and 1, got 1.5 at row 1; measures of ranking, such as `auc`, "
            "accept any number.",
        ),
        ((torch.tensor([0.25]), torch.tensor([2])), "`target` must be 0 or 1, got 2 at row 0."),
        (([0.25], torch.tensor([1])), "`preds` must be a torch tensor, got list."),
        ((torch.tensor([0.25]), np.array([1])), "`target` must be a torch tensor, got ndarray."),
        (
            (torch.tensor([0.25]).to("meta"), torch.tensor([1])),
            "`preds` must be on cpu, where the metric is, got meta; move it with `to`.",
        ),
        (
            (torch.tensor([0.25]), torch.tensor([1]), torch.tensor([-1.0])),
            "`weight` must be finite and not negative, got -1 at row 0.",
        ),
    ],
)
@pytest.mark.parametrize("exact", [False, True])
def test_a_bad_batch_is_refused_and_changes_nothing(exact, batch, message):
    metric = torch_metric("accuracy", exact=exact)
    metric.update(torch.tensor([0.25]), torch.tensor([0]))
    with pytest.raises((TypeError, ValueError)) as caught:
        metric.update(*batch)
    assert str(caught.value) == message
    assert repr(metric).endswith("1 case)")


def test_an_exact_metric_of_ranking_takes_any_number():
    metric = torch_metric("auc", exact=True)
    metric.update(torch.tensor([-3.0, 7.0]), torch.tensor([0, 1]))
    assert metric.compute() == 1.0


@pytest.mark.parametrize(
    ("other", "message"),
    [
        (None, "`other` must be a TorchMetric, got NoneType."),
        (
            torch_metric("auc", bins=16),
            "`other` must be the same metric, got TorchMetric('auc', 17 bins, 0 cases) for TorchMetric('auc', exact, "
            "0 cases).",
        ),
    ],
)
def test_another_kind_of_metric_is_not_merged(other, message):
    with pytest.raises((TypeError, ValueError)) as caught:
        torch_metric("auc", exact=True).merge_state(other)
    assert str(caught.value) == message


# ------------------------------------------------------------------------------------------- several processes


@pytest.fixture(scope="module")
def two_processes(tmp_path_factory):
    """Return what each of two processes of a real group has computed, by the name of the metric."""
    return compute_in_two_processes(tmp_path_factory.mktemp("group"))


@pytest.mark.parametrize(
    "kind", ["exact", "binned", "exact, weights in one", "binned, weights in one", "nothing in one"]
)
def test_processes_pool_their_cases_and_agree(two_processes, kind):
    first, second = two_processes
    assert first[kind] == second[kind]
    score, y, weight = PARTS[kind]
    expected = stakes.auc(stakes.score_table(np.concatenate(y), np.concatenate(score), np.concatenate(weight)))
    if isinstance(first[kind], float):
        assert first[kind] == pytest.approx(expected, rel=1e-12)
    else:
        assert expected in first[kind]


def test_processes_that_do_not_pool_have_numbers_of_their_own(two_processes):
    for rank, found in enumerate(two_processes):
        score, y, weight = (column[rank] for column in PARTS["exact"])
        assert found["alone"] == pytest.approx(stakes.auc(stakes.score_table(y, score, weight)), rel=1e-12)


def test_a_group_that_has_no_case_says_so_in_each_process(two_processes):
    for found in two_processes:
        assert found["no case"] == "`compute` needs at least one case, got none; call `update` first."


def test_pooling_leaves_each_process_what_it_had(two_processes):
    for found in two_processes:
        assert found["again"] == found["binned"]


def test_the_class_says_what_it_is():
    assert isinstance(torch_metric("auc"), TorchMetric)
    metric = torch_metric("expected_regret", costs=Uniform(0.05, 0.35), bins=16)
    assert repr(metric) == "TorchMetric('expected_regret', costs=Uniform(low=0.05, high=0.35), 17 bins, 0 cases)"

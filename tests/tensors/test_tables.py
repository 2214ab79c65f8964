"""Tables on a device have the rows of NumPy's, however they are made, and come back small."""

import functools

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from tensors.kinds import ANY_NUMBER, FLOATS, LIBRARIES, given_as, given_samples, large

import stakes
from stakes import Uniform, bounds, tensors
from stakes.large import Bins
from stakes.tensors import _device, _tensor_bins

COLUMNS = ("score", "positive", "negative")


def assert_same_table(found, expected, **tolerance):
    for column in COLUMNS:
        assert_allclose(np.asarray(getattr(found, column)), getattr(expected, column), **{"rtol": 1e-14} | tolerance)


# ------------------------------------------------------------------------------------------- the sort


@given(given_samples(scores=ANY_NUMBER))
def test_the_rows_are_those_of_numpy(sample):
    on_device, here = sample
    expected = stakes.score_table(*here)
    found = tensors.score_table(*on_device)
    assert_same_table(found, expected)
    assert_same_table(found.to_host(), expected)
    assert not np.signbit(np.asarray(found.score)[np.asarray(found.score) == 0]).any()


@given(given_samples(scores=ANY_NUMBER), st.integers(1, 5))
def test_a_table_sorted_bit_by_bit_is_the_same(sample, at_once):
    on_device, here = sample
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_device, "SORT_ROWS", at_once)
        found = tensors.score_table(*on_device)
    assert_same_table(found, stakes.score_table(*here))


@given(st.lists(st.floats(allow_nan=False, width=32), min_size=1, max_size=20), st.sampled_from(FLOATS))
def test_every_float_is_a_score_and_keeps_its_place(scores, dtype):
    on_device, _ = given_as("torch", dtype, np.arange(len(scores)) % 2, scores)
    found = np.asarray(tensors.score_table(*on_device).score)
    assert_array_equal(found, np.unique(np.array(scores, dtype=dtype)))
    assert found.dtype == dtype


@pytest.mark.parametrize("tied", [False, True])
def test_many_rows_are_those_of_numpy(tied):
    on_device, here = large(tied=tied, weighted=True)
    assert_same_table(tensors.score_table(*on_device), stakes.score_table(*here))


@given(given_samples())
def test_totals_and_ends_are_those_of_numpy(sample):
    on_device, here = sample
    expected = stakes.score_table(*here)
    for found in (tensors.score_table(*on_device), tensors.unsorted(*on_device)):
        for number in ("positive_total", "negative_total", "total", "prevalence", "lowest", "highest"):
            assert getattr(found, number) == pytest.approx(getattr(expected, number), rel=1e-14)
    assert len(tensors.score_table(*on_device)) == len(expected)


def test_the_arrays_stay_where_and_what_they_are():
    y, score = torch.tensor([0, 1, 1]), torch.tensor([0.25, 0.75, 0.25])
    table, cases = tensors.score_table(y, score), tensors.unsorted(y, score)
    for column in (table.score, table.positive, table.negative, cases.score, cases.label):
        assert isinstance(column, torch.Tensor)
        assert column.device == score.device
    assert table.score.dtype == torch.float32
    assert cases.score.data_ptr() == score.data_ptr()
    assert (table.device, cases.device) == (score.device, score.device)


def test_a_sample_is_not_changed_by_being_sorted():
    y, score, weight = torch.tensor([0, 1, 1]), torch.tensor([0.5, -0.0, -2.5]), torch.tensor([1.0, 0.0, 2.0])
    copies = [column.clone() for column in (y, score, weight)]
    tensors.score_table(y, score, weight)
    for column, copy in zip((y, score, weight), copies, strict=True):
        assert torch.equal(column, copy)


@pytest.mark.parametrize(
    ("y", "score", "text"),
    [
        ([0, 1], [0.25, 0.5], "TensorTable(2 scores, weight 2, prevalence 0.5, on cpu)"),
        ([1, 1], [0.5, 0.5], "TensorTable(1 score, weight 2, prevalence 1, on cpu)"),
    ],
)
def test_a_table_says_what_it_is(y, score, text):
    assert repr(tensors.score_table(torch.tensor(y), torch.tensor(score))) == text


def test_memory_decides_how_many_rows_are_sorted_at_a_time():
    assert _device._rows_in(48_000_000_000, 24) == 1_600_000_000
    assert _device._rows_in(0, 24) == 1 << 20
    assert _device._rows_in(10**15, 24) == (1 << 31) - 1


def test_a_table_of_few_scores_does_not_keep_the_room_of_many_cases():
    table = tensors.score_table(*large(tied=True)[0])
    for column in (table.cases.score, table.cases.weight):
        assert column.untyped_storage().nbytes() <= 2 * column.nbytes


# ------------------------------------------------------------------------------------------- what comes back


@given(given_samples(scores=ANY_NUMBER), st.lists(ANY_NUMBER, max_size=3))
def test_a_short_table_has_the_pairs_of_the_whole(sample, kept):
    on_device, here = sample
    expected = stakes.score_table(*here)
    short = tensors.score_table(*on_device).shortened(scores=tuple(kept))
    assert stakes.auc(short) == pytest.approx(stakes.auc(expected), rel=1e-12)
    assert short.positive_total == pytest.approx(expected.positive_total)
    for score in set(kept) & set(expected.score.tolist()):
        assert score in short.score.tolist()


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("weighted", [False, True])
def test_a_short_table_parts_the_scores_where_one_is_kept(library, weighted):
    on_device, here = large(library, weighted=weighted)
    table, expected = tensors.score_table(*on_device), stakes.score_table(*here)
    short = table.shortened(scores=(0.25,), false_alarms=(1000.0,), alarms=(5000.0,))
    assert len(short) < 20
    for threshold in (0.25, float(short.score[len(short) // 2])):
        above = [one.positive[one.score >= threshold].sum() for one in (short, expected)]
        assert above[0] == pytest.approx(above[1], rel=1e-12)


def test_a_coarse_table_of_few_scores_is_the_table_itself():
    on_device, here = large(tied=True, weighted=True)
    assert_same_table(tensors.score_table(*on_device).coarse(), stakes.score_table(*here), rtol=1e-9)


@given(given_samples(max_size=40), st.integers(8, 30))
def test_a_coarse_table_has_few_rows_and_every_weight(sample, rows):
    on_device, here = sample
    expected, found = stakes.score_table(*here), tensors.score_table(*on_device).coarse(rows)
    assert len(found) <= max(rows, 8)
    assert found.positive_total == pytest.approx(expected.positive_total)
    assert found.negative_total == pytest.approx(expected.negative_total)
    assert expected.lowest <= found.lowest <= found.highest <= expected.highest


@pytest.mark.parametrize("library", LIBRARIES)
def test_no_row_of_a_coarse_table_holds_more_of_a_class_than_its_share(library):
    table = tensors.score_table(*large(library, np.float64)[0])
    coarse = table.coarse(400)
    assert 100 < len(coarse) <= 400
    for weight, total in ((coarse.positive, table.positive_total), (coarse.negative, table.negative_total)):
        assert weight.max() <= 4 / 400 * total + 1


CURVES = {
    "roc_curve": stakes.roc_curve,
    "roc_hull": stakes.curves.roc_hull,
    "regret_curve": stakes.regret_curve,
    "brier_curve": stakes.curves.brier_curve,
    "cost_curve": stakes.cost_curve,
    "normalised_cost_curve": stakes.curves.normalised_cost_curve,
    "decision_curve": stakes.decision_curve,
    "best_decision_curve": stakes.curves.best_decision_curve,
    "precision_recall_curve": stakes.precision_recall_curve,
    "calibration_curve": stakes.calibration_curve,
    "accuracy_curve": stakes.prevalence.accuracy_curve,
    "treat_all": stakes.treat_all,
    "one of the cost lines": lambda table: stakes.curves.cost_lines(table, thresholds=[0.3])[0],
    "one of the histograms": lambda table: stakes.curves.score_histograms(table, bins=10).positive,
}


@pytest.mark.parametrize("name", CURVES)
def test_a_curve_of_few_scores_is_exact(name):
    on_device, here = large(tied=True)
    found, expected = CURVES[name](tensors.score_table(*on_device)), CURVES[name](stakes.score_table(*here))
    assert_allclose(found.x, expected.x, rtol=1e-9, atol=1e-12)
    assert_allclose(found.y, expected.y, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("name", ["roc_curve", "decision_curve", "regret_curve", "brier_curve", "cost_curve"])
def test_a_curve_of_many_scores_is_near_and_has_few_points(name):
    on_device, here = large()
    found, expected = CURVES[name](tensors.score_table(*on_device)), CURVES[name](stakes.score_table(*here))
    x = np.linspace(0.02, 0.6, 200)
    assert len(found.x) < 20_000
    assert_allclose(found.at(x), expected.at(x), atol=4 / 4096)


# ------------------------------------------------------------------------------------------- with bounds


@given(given_samples())
def test_bounds_hold_the_number_of_the_whole_table(sample):
    on_device, here = sample
    expected, found = stakes.score_table(*here), tensors.score_table(*on_device).quantised(8)
    assert stakes.auc(expected) in bounds.auc(found)
    for costs in (Uniform(0.05, 0.35), stakes.At(0.3)):
        assert stakes.expected_regret(expected, costs) in bounds.expected_regret(found, costs)
        exact, bounded = stakes.decompose(expected, costs), bounds.decompose(found, costs)
        for part in ("miscalibration", "discrimination", "uncertainty", "total"):
            assert getattr(exact, part) in getattr(bounded, part)


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("weighted", [False, True])
def test_bounds_of_many_cases_are_close(library, weighted):
    on_device, here = large(library, weighted=weighted)
    exact = stakes.decompose(stakes.score_table(*here), Uniform())
    found = bounds.decompose(tensors.score_table(*on_device).quantised(), Uniform())
    assert exact.discrimination in found.discrimination
    assert found.discrimination.width < 1e-2 * exact.discrimination


@given(given_samples(), st.sampled_from([Bins(4), Bins(64, fine_ends=True), Bins(8, edges=(0.1, 0.3))]))
def test_bins_on_the_device_are_those_of_numpy(sample, bins):
    on_device, here = sample
    assert_same_sums(tensors.quantise(*on_device, bins=bins), stakes.large.quantise(*here, bins=bins))


def assert_same_sums(found, expected):
    assert_array_equal(found.bin, expected.bin)
    for sums, others in ((found.positive, expected.positive), (found.negative, expected.negative)):
        for column in ("cases", "weight", "score", "square", "least", "most"):
            assert_allclose(getattr(sums, column), getattr(others, column), rtol=1e-12, atol=1e-300)


def test_cases_are_put_into_bins_some_at_a_time(monkeypatch):
    on_device, here = large(tied=True)
    monkeypatch.setattr(_tensor_bins, "_AT_ONCE", 1000)
    assert_same_sums(tensors.quantise(*on_device, bins=1024), stakes.large.quantise(*here, bins=1024))


def test_what_needs_recalibration_says_how_to_get_it():
    table = tensors.score_table(torch.tensor([0, 1]), torch.tensor([0.25, 0.5]))
    message = (
        "`table` must be a table in NumPy's memory, got TensorTable; `table.coarse()` is a small one, and "
        "`stakes.bounds` takes `table.quantised()`."
    )
    for function in (functools.partial(stakes.decompose, costs=Uniform()), stakes.recalibrate, stakes.h_measure):
        with pytest.raises(TypeError) as caught:
            function(table)
        assert str(caught.value) == message


def test_what_needs_an_order_refuses_cases_without_one():
    cases = tensors.unsorted(torch.tensor([0, 1]), torch.tensor([0.25, 0.5]))
    for function in (stakes.auc, stakes.roc_curve):
        with pytest.raises(TypeError) as caught:
            function(cases)
        assert str(caught.value) == (
            "`table` must be a table in NumPy's memory, got TensorCases; see `stakes.tensors.score_table`."
        )


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda table: table.coarse(), "`table` must have finite scores to be coarsened, got an infinite one."),
        (
            lambda table: table.quantised(),
            "`score` must be a probability between 0 and 1, got inf; measures of ranking, such as `auc`, accept any "
            "number.",
        ),
    ],
)
def test_a_small_table_that_cannot_be_is_refused(ask, message):
    table = tensors.score_table(torch.tensor([0, 1]), torch.tensor([0.25, torch.inf]))
    with pytest.raises((TypeError, ValueError)) as caught:
        ask(table)
    assert str(caught.value) == message


def test_a_small_table_of_too_few_rows_is_refused():
    table = tensors.score_table(torch.tensor([0, 1]), torch.tensor([0.25, 0.5]))
    for ask in (table.coarse, table.quantised):
        with pytest.raises(ValueError, match="`rows`") as caught:
            ask(4)
        assert str(caught.value) == "`rows` must be at least 8, got 4."


@given(given_samples(weighted=True))
def test_the_order_of_the_cases_does_not_matter(sample):
    on_device, here = sample
    backwards = tuple(LIBRARIES["torch"](np.asarray(column)[::-1].copy()) for column in on_device)
    assert_same_table(tensors.score_table(*backwards), stakes.score_table(*here))

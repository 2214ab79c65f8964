"""Functions of several tables: resampled on the same cases, and distinguished from functions of one."""

from functools import partial

import numpy as np
import pytest
from numpy.testing import assert_allclose
from uncertainty.simulated import KNOWN, cases

from stakes import Cases, auc, brier_score, compare, expected_regret, interval, rank


def gap(one, other):
    return brier_score(one) - brier_score(other)


@pytest.mark.parametrize("method", ["percentile", "basic"])
@pytest.mark.parametrize(
    "options", [{}, {"decimals": 1}, {"cluster": np.arange(300) // 4}, {"weight": np.tile([1.0, 2.0, 0.5], 100)}]
)
def test_a_difference_of_two_tables_is_the_paired_comparison(method, options):
    sample = cases(300, **options)
    (found,) = interval(sample, gap, method=method, n_resamples=300, rng=4).values()
    pair = compare(sample, "good", "other", brier_score, method=method, n_resamples=300, rng=4)
    assert_allclose(found.estimate, pair.difference)
    assert_allclose([found.lower, found.upper], [pair.lower, pair.upper], rtol=1e-9)


def test_it_is_found_under_the_names_of_the_models():
    found = interval(cases(), lambda one, other: auc(one) / auc(other), n_resamples=100, rng=1)
    assert list(found) == ["good, other"]
    assert found["good, other"].method == "bca"


def test_tables_come_in_the_order_of_the_models():
    sample = cases()
    found = interval(sample, lambda one, other: auc(one) - 10 * auc(other), n_resamples=100, rng=1)["good, other"]
    assert found.estimate == auc(sample.table("good")) - 10 * auc(sample.table("other"))


def test_an_argument_with_a_default_is_no_table():
    def scaled(table, factor=3.0, *, more=1.0):
        return factor * more * auc(table)

    assert set(interval(cases(), scaled, n_resamples=100, rng=1)) == {"good", "other"}
    assert set(interval(cases(), partial(gap, other=cases().table("good")), n_resamples=100, rng=1)) == {
        "good",
        "other",
    }


def test_another_number_of_tables_than_models_is_refused():
    with pytest.raises(ValueError, match="measure") as caught:
        interval(cases(), lambda one, two, three: 0.0)
    text = "`measure` must take one table, or one of each of the 2 models, got a function of 3."
    assert str(caught.value) == text


def test_there_is_no_formula_for_several_tables():
    with pytest.raises(ValueError, match="for a measure without a formula, got 'analytic'"):
        interval(cases(), gap, method="analytic")


@pytest.mark.parametrize(
    ("measure", "text"),
    [
        (expected_regret, "`measure` must come with all that expected_regret needs beside a table, got no `costs`."),
        (
            lambda table: expected_regret(table),
            "`measure` must come with all that expected_regret needs beside a table, got no `costs`.",
        ),
        (
            partial(expected_regret, cost=0.2),
            "`measure` must come with parameters of expected_regret (costs), got `cost`.",
        ),
        (partial(brier_score, lo=0.2), "`measure` must come with parameters of brier_score (cost_range), got `lo`."),
    ],
)
def test_what_one_of_our_own_functions_lacks_is_said_and_is_no_table(measure, text):
    with pytest.raises(TypeError) as caught:
        interval(cases(), measure)
    assert str(caught.value) == text


def test_a_function_of_several_tables_is_neither_compared_nor_ranked():
    for call in (
        lambda: compare(cases(), "good", "other", gap, better="smaller"),
        lambda: rank(cases(), gap, better="smaller"),
    ):
        with pytest.raises(TypeError, match=r"`measure` must be a function of one table, got one of 2\."):
            call()


def test_replicates_on_which_one_table_has_no_number_are_left_out():
    sample = Cases([1, 0, 0, 0, 0, 0], {"a": [0.9, 0.1, 0.2, 0.3, 0.95, 0.5], "b": [0.9, 0.1, 0.2, 0.3, 0.4, 0.5]})
    with pytest.warns(RuntimeWarning, match=r"`measure` is undefined on \d+ of 200 replicates, which are left out\."):
        found = interval(sample, lambda a, b: auc(a) - auc(b), method="percentile", n_resamples=200, rng=1)["a, b"]
    assert -1 <= found.lower <= found.upper <= 0


def test_a_coarse_table_is_stated_for_several_as_well(monkeypatch):
    monkeypatch.setattr("stakes.uncertainty._resample.MANY", 50)
    monkeypatch.setattr("stakes.uncertainty._resample.COARSE", 8)
    sample = cases(400)
    (found,) = interval(sample, lambda a, b: auc(a) - auc(b), method="percentile", n_resamples=200, rng=1).values()
    pair = compare(sample, "good", "other", KNOWN["auc"], method="percentile", n_resamples=200, rng=1)
    assert 0 < found.coarsening_error < 0.5 * (found.upper - found.lower)
    assert_allclose(
        [found.coarsening, found.coarsening_error], [pair.coarsening, pair.coarsening_error], rtol=1e-9, atol=1e-15
    )

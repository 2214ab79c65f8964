"""What is kept between questions about the same cases, and what must not be."""

import gc
import weakref
from functools import partial

import numpy as np
import pytest
from uncertainty.simulated import cases

from stakes import At, Uniform, accuracy, auc, compare, expected_regret, h_measure, interval, rank
from stakes.uncertainty import _study


class Counted(Uniform):
    """A belief that counts how often it is asked."""

    asked = 0

    def loss_if_positive(self, score):
        type(self).asked += 1
        return super().loss_if_positive(score)


Counted.__module__ = "stakes.beliefs"


def test_the_second_question_about_the_same_thing_computes_nothing():
    sample, statistic = cases(), partial(expected_regret, costs=Counted(0.1, 0.4))
    interval(sample, statistic)
    asked = Counted.asked
    compare(sample, "good", "other", partial(expected_regret, costs=Counted(0.1, 0.4)))
    rank(sample, statistic, rng=1)
    assert Counted.asked == asked > 0


def test_another_argument_another_function_and_other_cases_are_looked_at_again():
    sample = cases()
    first = interval(sample, partial(accuracy, cut=0.5))["good"]
    assert interval(sample, partial(accuracy, cut=0.2))["good"] != first
    assert interval(sample, auc)["good"] != first
    assert interval(cases(seed=6), partial(accuracy, cut=0.5))["good"] != first
    assert interval(sample, partial(accuracy, cut=0.5))["good"] == first


def test_a_function_of_the_user_may_change_between_questions():
    sample, factor = cases(), [1.0]

    def mine(table):
        return factor[0] * auc(table)

    once = interval(sample, mine, n_resamples=100, rng=1)["good"].estimate
    factor[0] = 2.0
    assert interval(sample, mine, n_resamples=100, rng=1)["good"].estimate == 2 * once


def test_so_may_a_belief_of_the_user():
    class Mine:
        cost = 0.2

        def loss_if_positive(self, score):
            return At(self.cost).loss_if_positive(score)

        def loss_if_negative(self, score):
            return At(self.cost).loss_if_negative(score)

    sample, statistic = cases(), partial(expected_regret, costs=Mine())
    once = interval(sample, statistic)["good"]
    Mine.cost = 0.4
    assert interval(sample, statistic)["good"] != once
    assert interval(sample, statistic) == interval(sample, partial(expected_regret, costs=At(0.4)))


def test_what_is_kept_goes_with_the_cases():
    sample = cases()
    interval(sample, auc)
    assert sample in _study._KEPT
    kept = weakref.ref(_study._KEPT[sample])
    del sample
    gc.collect()
    assert kept() is None


def test_what_is_kept_cannot_be_written_to():
    study = _study.Study(cases(), auc)
    with pytest.raises(ValueError, match="read-only"):
        study.moves("good")[0] = 1.0


def test_a_sample_that_is_too_large_is_looked_at_again(monkeypatch):
    monkeypatch.setattr(_study, "_MOST", 100)
    study = _study.Study(cases(), auc)
    np.testing.assert_array_equal(study.moves("good"), study.moves("good"))
    assert study.moves("good") is not study.moves("good")


def test_an_undefined_number_warns_every_time():
    sample = cases(weight=np.where(cases().positive, 1.0, 0.0))
    for _ in range(2):
        with pytest.warns(RuntimeWarning, match="`auc` is undefined"):
            interval(sample, auc)


def test_a_function_without_a_formula_is_not_kept():
    sample = cases()
    interval(sample, h_measure, n_resamples=100, rng=1)
    assert sample not in _study._KEPT

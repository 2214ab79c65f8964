"""A study answers two questions from one pass, and keeps only what it should."""

import gc
import weakref
from functools import partial

import numpy as np
import pytest
from uncertainty.simulated import KNOWN, cases

from stakes import At, Measure, Uniform, auc, compare, expected_regret, interval, rank
from stakes.table import ScoreTable
from stakes.uncertainty import Study, TableStudy, _measured


class Counted(Uniform):
    """A belief that counts how often it is asked."""

    asked = 0

    def loss_if_positive(self, score):
        type(self).asked += 1
        return super().loss_if_positive(score)


def test_the_second_question_to_a_study_computes_nothing():
    study = Study(cases(), expected_regret_of(Counted(0.1, 0.4)))
    study.intervals()
    study.rank()  # which asks how far one case can move each model, at scores of 0 and of 1
    asked = Counted.asked
    study.compare("good", "other")
    study.rank(prior="flat")
    study.intervals(level=0.5)
    assert study.estimates
    assert Counted.asked == asked > 0


def expected_regret_of(costs):
    return partial(expected_regret, costs=costs)


def test_a_measure_of_the_user_is_called_once_for_each_model():
    calls = []

    def mine(table):
        if isinstance(table, ScoreTable):
            calls.append(table)
        return 1 - auc(table)

    study = Study(cases(), mine, better="smaller")
    assert study.estimates == study.estimates
    assert len(calls) == 2


@pytest.mark.parametrize("name", KNOWN)
def test_a_study_answers_what_each_function_answers(name):
    sample, one = cases(100), KNOWN[name]
    study = Study(sample, one)
    assert study.intervals(level=0.9) == interval(sample, one, level=0.9)
    assert study.compare("good", "other", level=0.9) == compare(sample, "good", "other", one, level=0.9)
    ours, theirs = study.rank(rng=2), rank(sample, one, rng=2)
    assert ours.probability_best == theirs.probability_best
    assert ours.expected_loss == theirs.expected_loss
    assert list(study.estimates) == list(sample.models)


def test_every_call_looks_anew_at_a_function_that_may_have_changed():
    sample, factor = cases(), [1.0]

    def mine(table):
        return factor[0] * auc(table)

    once = interval(sample, mine, n_resamples=100, rng=1)["good"].estimate
    factor[0] = 2.0
    assert interval(sample, mine, n_resamples=100, rng=1)["good"].estimate == 2 * once


def test_so_it_does_at_a_belief():
    class Mine:
        cost = 0.2

        def loss_if_positive(self, score):
            return At(self.cost).loss_if_positive(score)

        def loss_if_negative(self, score):
            return At(self.cost).loss_if_negative(score)

    sample, measure = cases(), partial(expected_regret, costs=Mine())
    once = interval(sample, measure)["good"]
    Mine.cost = 0.4
    assert interval(sample, measure)["good"] != once
    assert interval(sample, measure) == interval(sample, partial(expected_regret, costs=At(0.4)))


def test_nothing_outlives_the_study():
    study = Study(cases(), auc)
    study.intervals()
    kept = weakref.ref(study.influence("good"))
    del study
    gc.collect()
    assert kept() is None


def test_what_is_kept_cannot_be_written_to():
    with pytest.raises(ValueError, match="read-only"):
        Study(cases(), auc).influence("good")[0] = 1.0


def test_a_sample_that_is_too_large_is_looked_at_again(monkeypatch):
    monkeypatch.setattr(_measured, "_MOST", 100)
    study = Study(cases(), auc)
    np.testing.assert_array_equal(study.influence("good"), study.influence("good"))
    assert study.influence("good") is not study.influence("good")


def test_an_undefined_number_warns_in_every_study():
    sample = cases(weight=np.where(cases().positive, 1.0, 0.0))
    for _ in range(2):
        with pytest.warns(RuntimeWarning, match="`auc` is undefined"):
            interval(sample, auc)


# ------------------------------------------------------------------------------------------- a measure for each model


def test_each_model_may_have_a_measure_of_its_own():
    sample = cases(100)
    found = Study(sample, {"other": auc, "good": KNOWN["brier_score"]})
    assert list(found.estimates) == ["other", "good"]
    assert found.intervals()["other"] == interval(sample, auc)["other"]
    assert found.intervals()["good"] == interval(sample, KNOWN["brier_score"])["good"]
    with pytest.raises(ValueError, match=r"`measure` must have the same `better` for all models"):
        found.compare("good", "other")


def test_models_that_share_a_measure_are_compared_as_if_it_were_given_once():
    sample, one = cases(100), partial(expected_regret, costs=At(0.2))
    shared = Study(sample, dict.fromkeys(sample.models, one))
    assert shared.compare("good", "other") == compare(sample, "good", "other", one)


def test_models_of_two_measures_are_compared_by_what_each_case_does_to_both():
    sample = cases(200)
    two = Study(sample, {"good": KNOWN["accuracy"], "other": KNOWN["accuracy at a threshold"]})
    found = two.compare("good", "other")
    drawn = two.compare("good", "other", method="basic", n_resamples=2000, rng=1)
    assert found.method == "analytic"
    assert found.difference == drawn.difference
    np.testing.assert_allclose([found.lower, found.upper], [drawn.lower, drawn.upper], atol=0.012)


def test_models_that_are_not_in_the_sample_are_refused():
    with pytest.raises(ValueError, match=r"`measure` must be one of good, other, got 'gut'\."):
        Study(cases(), {"gut": auc})
    with pytest.raises(ValueError, match="`measure` must hold the measure of at least one model, got none"):
        Study(cases(), {})


def test_only_a_measure_with_a_formula_has_an_influence():
    with pytest.raises(TypeError, match="`measure` must have a formula for the influence of a case"):
        Study(cases(), lambda table: 2 * auc(table)).influence("good")


# ------------------------------------------------------------------------------------------- of tables, and one's own


def test_tables_alone_have_intervals_and_are_neither_compared_nor_ranked():
    sample = cases(100)
    study = TableStudy({name: sample.table(name) for name in sample.models}, KNOWN["brier_score"])
    for name, found in study.intervals(level=0.9).items():
        same = interval(sample, KNOWN["brier_score"], level=0.9)[name]
        np.testing.assert_allclose([found.lower, found.upper], [same.lower, same.upper], rtol=1e-10)
        assert study.estimates[name] == found.estimate
    assert study.compare("good", "other") is None
    assert study.rank() is None


def test_a_mean_of_ones_own_has_the_intervals_of_ours():
    sample = cases(100)
    mine = Measure.mean("mine", lambda score: (-np.log(score), -np.log1p(-score)), better="smaller")
    ours = interval(sample, KNOWN["log_loss"])  # of which no bound is known either
    for name, found in interval(sample, mine).items():
        np.testing.assert_allclose(
            [found.estimate, found.lower, found.upper], [ours[name].estimate, ours[name].lower, ours[name].upper]
        )
    assert compare(sample, "good", "other", mine).probability_better > 0.5
    drawn = interval(sample, mine, method="percentile", n_resamples=200, rng=1)
    assert drawn["good"].method == "percentile"

"""How often an evaluation looks at the cases: one sort a model, a few passes, and nothing once per replicate."""

from collections import Counter

import numpy as np
import pytest

from stakes import Cases, Decision, Limits, Uniform, evaluate, rank
from stakes.evaluation import _ranked
from stakes.measures import brier_score
from stakes.table import _score_table
from stakes.uncertainty import _difference_band, _joint_law, _resample

CASES = 2000
RNG = np.random.default_rng(5)
RISK = RNG.beta(1, 5, CASES)
Y = RNG.random(CASES) < RISK
SCORES = {f"model {k}": np.clip(RISK + RNG.normal(0, 0.02 * (k + 1), CASES), 0.001, 0.999) for k in range(4)}


class CountedBelief(Uniform):
    """A uniform belief that counts the scores whose losses it is asked for."""

    asked = 0

    def loss_if_positive(self, score):
        CountedBelief.asked += np.size(score)
        return super().loss_if_positive(score)

    def loss_if_negative(self, score):
        CountedBelief.asked += np.size(score)
        return super().loss_if_negative(score)


@pytest.fixture
def counted(monkeypatch):
    """Count the calls of some functions, by name."""
    calls = Counter()

    def count(home, name):
        inner = getattr(home, name)

        def counting(*arguments, **named):
            calls[name] += 1
            return inner(*arguments, **named)

        monkeypatch.setattr(home, name, counting)

    count(_score_table, "pool")
    count(Cases, "rows")
    count(_ranked, "best_thresholds")
    count(_difference_band.PairAtPlaces, "of")
    count(_difference_band, "simultaneous_deviate")
    return calls


def test_scores_are_sorted_once_and_no_case_is_looked_up(counted):
    evaluate(Y, SCORES, "5%..20%")
    assert counted["pool"] == len(SCORES)
    assert counted["rows"] == 0


def test_findings_look_up_no_case_and_add_up_each_pair_of_models_once(counted):
    assert evaluate(Y, SCORES, "5%..20%").findings
    assert counted["rows"] == 0
    assert counted["of"] <= len(SCORES) - 1  # the best and each other
    assert counted["simultaneous_deviate"] <= 1  # all models are close


def test_each_case_is_asked_for_a_few_losses():
    CountedBelief.asked = 0
    evaluate(Y, SCORES, Decision(CountedBelief(0.05, 0.2)))
    assert CountedBelief.asked / (CASES * len(SCORES)) < 5  # its own, twice; those of both classes; of its block


def test_thresholds_under_limits_are_not_chosen_replicate_by_replicate(counted):
    evaluate(Y, SCORES, Decision("5%..20%", limits=Limits(capacity=0.1)), rng=1)
    assert counted["best_thresholds"] <= 4 * len(SCORES)  # the estimate, its constant score, what is acted on
    assert counted["pool"] == len(SCORES)


def test_a_second_ranking_finds_its_points_made():
    cases = Cases(Y, SCORES)
    rank(cases, brier_score)
    made = _joint_law._points.cache_info().misses
    rank(cases, brier_score)
    assert _joint_law._points.cache_info().misses == made


def test_cases_do_not_change_with_the_columns_that_they_were_made_of():
    score = SCORES["model 0"].copy()
    cases = Cases(Y, {"a": score})
    expected = Cases(Y, {"a": SCORES["model 0"]}).rows("a")
    score[:] = 0.5
    np.testing.assert_array_equal(cases.rows("a"), expected)


def test_pooling_what_no_capacity_reaches_changes_no_replicate():
    """Where a replicate could reach below the pooled rows, all rows are looked at again."""
    cases = Cases(Y, SCORES)
    regret = _ranked.LimitedRegret(Uniform(0.05, 0.2), None, Limits(capacity=0.1))
    units = _resample.plan(cases, cases.models)
    (_, counts), *_ = units.blocks(20, np.random.default_rng(1))
    for model in units.models:
        expected = [regret(table) for table in model.tables(counts)]
        np.testing.assert_allclose(regret.evaluator(model)(counts), expected, rtol=1e-12)

"""Tables of cases that were not all followed: rows by weight, people by heads."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from stakes import (
    At,
    Cases,
    EventBy,
    InputError,
    Limits,
    Uniform,
    at_prevalence,
    auc,
    best_thresholds,
    brier_score,
    decompose,
    expected_regret,
    load_table,
    merge,
    metrics,
    net_benefit,
    save_table,
    score_table,
    top_k,
)
from stakes.outcome import CensoringBy
from stakes.prevalence import reweight_classes, shift_scores


def sample(size=60, seed=2):
    rng = np.random.default_rng(seed)
    score = rng.integers(1, 10, size) / 10
    time, event = rng.integers(1, 9, size).astype(float), rng.integers(0, 3, size)
    time[:2], event[:2] = 9.0, 0
    return time, event, score, rng.integers(1, 4, size).astype(float)


def test_nobody_who_left_is_the_ordinary_table_bit_for_bit():
    time, event, score, weight = sample()
    known = np.where(event == 0, 9.0, time)
    for given in (None, weight):
        followed, plain = (
            score_table(EventBy(known, event, 5), score, given),
            score_table((event == 1) & (known <= 5), score, given),
        )
        assert followed == plain
        assert followed.heads is None


def test_true_and_false_alarms_fall_with_the_threshold_and_everyone_is_counted():
    time, event, score, weight = sample()
    table = score_table(EventBy(time, event, 5), score, weight)
    assert_allclose(table.total, weight.sum(), rtol=1e-12)
    assert_allclose(table.heads.everyone, [weight[score == one].sum() for one in table.heads.score])
    assert (table.positive >= 0).all()
    assert (table.negative >= 0).all()
    assert_allclose(table.alarm_share(0.6), weight[score >= 0.6].sum() / weight.sum())


def test_merged_strata_are_the_table_with_strata():
    time, event, score, weight = sample()
    stratum = np.arange(len(time)) % 2
    parts = [
        score_table(EventBy(time[here], event[here], 5), score[here], weight[here])
        for here in (stratum == 0, stratum == 1)
    ]
    whole, merged = score_table(EventBy(time, event, 5, censoring=CensoringBy(stratum)), score, weight), merge(*parts)
    for one, two in ((whole, merged), (whole.heads, merged.heads)):
        assert_array_equal(one.score, two.score)
        assert_allclose([one.positive, one.negative], [two.positive, two.negative], rtol=1e-12)


def test_capacity_counts_everyone():
    """Three of the four highest scores are unknown: fewer of the known can be acted on."""
    time, event = [1, 1, 1, 2, 3, 3, 4, 4, 5, 5], [0, 0, 0, 1, 1, 0, 0, 0, 0, 0]
    score = [0.9, 0.85, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1]
    table = score_table(EventBy(time, event, 3), score)
    policy = best_thresholds(table, At(0.2), Limits(capacity=0.4))
    assert policy.threshold.tolist() == [0.7]
    assert table.alarm_share(0.7) == 0.4
    assert_allclose(top_k(table, k=5).recall, 1.0)


@pytest.mark.parametrize("k", [1, 2.5, 7, 30, 60])
def test_the_precision_of_the_highest_places_is_that_of_those_known(k):
    time, event, score, _ = sample()
    outcome = EventBy(time, event, 5)
    taken, places = np.zeros(len(score)), k
    for one in np.unique(score)[::-1]:
        here = score == one
        taken[here] = min(1.0, places / here.sum())
        places -= taken[here].sum()
    mass = outcome.weight * taken
    found = top_k(score_table(outcome, score), k=k)
    assert_allclose(
        [found.true_positives, found.precision], [mass @ outcome.positive, mass @ outcome.positive / mass.sum()]
    )


def test_the_precision_of_places_that_nobody_known_takes_is_undefined():
    table = score_table(EventBy([1, 2, 3, 4], [0, 1, 0, 0], 3), [0.9, 0.7, 0.6, 0.1])
    found = [top_k(table, k=k).precision for k in (1, 2, 3)]
    assert_array_equal(found, [np.nan, 1.0, 0.5])


def test_a_table_travels_with_everyone(tmp_path):
    time, event, score, _ = sample()
    table = score_table(EventBy(time, event, 5), score)
    save_table(table, tmp_path / "table.csv")
    assert load_table(tmp_path / "table.csv") == table


def test_metrics_take_the_outcome_where_labels_go():
    time, event, score, weight = sample()
    outcome = EventBy(time, event, 5)
    table = score_table(outcome, score, weight)
    for of_arrays, number in (
        (metrics.brier_score(outcome, score, sample_weight=weight), brier_score(table)),
        (metrics.auc(outcome, score, sample_weight=weight), auc(table)),
        (metrics.net_benefit(outcome, score, costs="20%", sample_weight=weight), net_benefit(table, "20%")),
        (
            metrics.expected_regret(outcome, score, costs="5%..20%", sample_weight=weight),
            expected_regret(table, "5%..20%"),
        ),
    ):
        assert of_arrays == pytest.approx(number, rel=1e-14)
    parts = decompose(table, Uniform(0.05, 0.2))
    assert_allclose(parts.miscalibration - parts.discrimination + parts.uncertainty, parts.total, rtol=1e-12)


def test_cases_keep_those_who_left():
    time, event, score, weight = sample()
    cases = Cases(EventBy(time, event, 5), {"m": score}, weight=weight)
    assert len(cases) == len(time)
    assert_allclose(cases.table("m").score[cases.rows("m")][cases.weight > 0], score[cases.weight > 0])
    assert cases.table("m") == score_table(EventBy(time, event, 5), score, weight)
    weight[:5] = 0
    assert len(Cases(EventBy(time, event, 5), {"m": score}, weight=weight)) == len(time) - 5


@pytest.mark.parametrize(
    "make", [lambda y, **more: score_table(y, [0.1] * 4, **more), lambda y, **more: Cases(y, {"m": [0.1] * 4}, **more)]
)
def test_a_label_of_positives_is_refused(make):
    with pytest.raises(InputError, match=r"^`pos_label` must not be given with an EventBy, whose `cause` is"):
        make(EventBy([1, 2, 3, 6], [1, 0, 1, 0], 5), pos_label=1)


def test_another_prevalence_counts_alarms_by_class():
    time, event, score, weight = sample()
    table = score_table(EventBy(time, event, 5), score, weight)
    for prevalence in (0.05, 0.3, 0.9):
        moved = reweight_classes(table, prevalence)
        for threshold in np.unique(score):
            above = table.score >= threshold
            true, false = table.positive[above].sum(), table.negative[above].sum()
            share = prevalence * true / table.positive_total + (1 - prevalence) * false / table.negative_total
            assert_allclose(moved.alarm_share(threshold), share, atol=1e-12)


def test_the_own_prevalence_keeps_everyone():
    time, event, score, weight = sample()
    table = score_table(EventBy(time, event, 5), score, weight)
    assert reweight_classes(table, table.prevalence).heads == table.heads


def test_scores_that_are_shifted_keep_everyone():
    time, event, score, weight = sample()
    table = score_table(EventBy(time, event, 5), score, weight)
    moved = shift_scores(table, 0.1)
    assert moved.heads.everyone.tolist() == table.heads.everyone.tolist()


def test_the_risk_as_the_prevalence_moves_nothing_however_it_is_rounded():
    rng = np.random.default_rng(2)
    time, event, score = rng.exponential(3, 200), rng.integers(0, 2, 200), rng.random(200)
    outcome = EventBy(time, event, 2.0)
    table = score_table(outcome, score)
    for prevalence in (table.prevalence, outcome.risk, np.nextafter(table.prevalence, 1)):
        assert at_prevalence(table, prevalence).alarm_share(0.5) == np.mean(score >= 0.5)
    assert at_prevalence(table, outcome.risk / 2).alarm_share(0.5) < np.mean(score >= 0.5)

"""Recalibration: the isotonic fit against its definition, its exact twin and its laws."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.optimize import isotonic_regression
from sklearn.isotonic import IsotonicRegression
from strategies import samples, tables, weights

from stakes import ScoreTable, at_prevalence, auc, recalibrate, score_table
from stakes.table import Recalibration, _isotonic, flatten

ANY_SCORE = st.sampled_from([-np.inf, -3.0, 0.0, 0.2, 0.5, 1.0, 4.5, np.inf])


def isotonic_by_definition(table: ScoreTable) -> list[Fraction]:
    """Greatest over starts of the least over ends of the share of positives between them, in exact arithmetic."""
    positive = [Fraction(value) for value in table.positive.tolist()]
    total = [p + Fraction(n) for p, n in zip(positive, table.negative.tolist(), strict=True)]
    rows = range(len(table))

    def share(start, end):
        return sum(positive[start : end + 1]) / sum(total[start : end + 1])

    return [max(min(share(start, end) for end in rows[row:]) for start in rows[: row + 1]) for row in rows]


def hull_of_counts(table: ScoreTable) -> list[tuple[int, int, int]]:
    """First row, positives and negatives of each segment of the ROC hull, by cross products of whole numbers."""
    segments: list[tuple[int, int, int]] = []
    for row, (positive, negative) in enumerate(zip(table.positive.tolist(), table.negative.tolist(), strict=True)):
        start, p, n = row, int(positive), int(negative)
        while segments and segments[-1][1] * n >= p * segments[-1][2]:
            before = segments.pop()
            start, p, n = before[0], before[1] + p, before[2] + n
        segments.append((start, p, n))
    return segments


def large_table() -> ScoreTable:
    rng = np.random.default_rng(20240611)
    score = rng.random(1_000_000)
    return score_table(rng.random(len(score)) < 0.03 + 0.4 * score**2, score)


@given(tables(one_class=True, score=ANY_SCORE))
def test_recalibrated_scores_are_those_of_the_definition(table):
    wanted = [float(share) for share in isotonic_by_definition(table)]
    assert_allclose(Recalibration.of(table)(table.score), wanted, rtol=1e-14)


@given(tables(one_class=True, weight=weights(integer=True)))
def test_blocks_are_the_segments_of_the_roc_hull(table):
    segments = hull_of_counts(table)
    assert Recalibration.of(table).score.tolist() == [table.score[start] for start, _, _ in segments]
    recalibrated = recalibrate(table)
    assert recalibrated.positive.tolist() == [p for _, p, _ in segments]
    assert recalibrated.negative.tolist() == [n for _, _, n in segments]


@given(tables(one_class=True))
def test_each_recalibrated_score_is_the_share_of_positives_there(table):
    recalibrated = recalibrate(table)
    total = recalibrated.positive + recalibrated.negative
    assert_array_equal(recalibrated.score, recalibrated.positive / total)


@given(tables(one_class=True))
def test_recalibrated_scores_ascend_and_are_distinct(table):
    assert np.all(np.diff(recalibrate(table).score) > 0)


@given(tables(one_class=True))
def test_recalibrating_twice_is_recalibrating_once(table):
    once = recalibrate(table)
    assert recalibrate(once) == once


@given(tables(one_class=True))
def test_recalibration_keeps_the_weight_of_each_class(table):
    recalibrated = recalibrate(table)
    assert recalibrated.positive_total == pytest.approx(table.positive_total, rel=1e-14)
    assert recalibrated.negative_total == pytest.approx(table.negative_total, rel=1e-14)


@given(samples(one_class=True))
def test_recalibration_only_needs_the_order_of_the_scores(sample):
    y, score, weight = sample
    moved = score_table(y, np.exp(9 * score) - 40, weight)
    assert recalibrate(moved) == recalibrate(score_table(*sample))


@given(samples(one_class=True), st.sampled_from([0.001, 17.3]))
def test_recalibrated_scores_do_not_depend_on_the_scale_of_weights(sample, factor):
    y, score, weight = sample
    scaled, plain = (Recalibration.of(score_table(y, score, by * weight))(score) for by in (factor, 1))
    assert_allclose(scaled, plain, rtol=1e-13)


@given(tables())
def test_recalibration_never_lowers_the_auc(table):
    assert auc(recalibrate(table)) >= auc(table) - 1e-14


@given(tables(), st.sampled_from([7e-6, 0.2, 0.83]))
def test_recalibration_commutes_with_a_change_of_prevalence(table, prevalence):
    cases = table.score
    before = at_prevalence(recalibrate(table), prevalence)
    after = Recalibration.of(at_prevalence(table, prevalence))(at_prevalence(table, prevalence).score)
    block = np.searchsorted(Recalibration.of(table).score, cases, side="right") - 1
    assert_allclose(after, before.score[block], rtol=1e-12)


@given(tables(one_class=True))
def test_what_was_learnt_reproduces_the_recalibrated_table(table):
    recalibrated, values = recalibrate(table), Recalibration.of(table)(table.score)
    assert np.unique(values).tolist() == recalibrated.score.tolist()
    for score, positive, negative in zip(recalibrated.score, recalibrated.positive, recalibrated.negative, strict=True):
        assert table.positive[values == score].sum() == pytest.approx(positive, rel=1e-14)
        assert table.negative[values == score].sum() == pytest.approx(negative, rel=1e-14)


@given(tables(one_class=True))
def test_what_was_learnt_applied_to_its_own_table_is_recalibration(table):
    applied, recalibrated = Recalibration.of(table).apply(table), recalibrate(table)
    assert applied.score.tolist() == recalibrated.score.tolist()
    assert_allclose(applied.positive, recalibrated.positive, rtol=1e-14)
    assert_allclose(applied.negative, recalibrated.negative, rtol=1e-14)


@given(samples(one_class=True, score=ANY_SCORE), samples(one_class=True, score=ANY_SCORE))
def test_applying_to_another_table_is_recalibrating_each_of_its_cases(learnt_from, other):
    learnt = Recalibration.of(score_table(*learnt_from))
    y, score, weight = other
    one_by_one = score_table(y, learnt(score), weight)
    applied = learnt.apply(score_table(*other))
    assert applied.score.tolist() == one_by_one.score.tolist()
    assert_allclose(applied.positive, one_by_one.positive, rtol=1e-14)
    assert_allclose(applied.negative, one_by_one.negative, rtol=1e-14)


def test_new_scores_get_the_block_that_starts_at_or_below_them():
    learnt = Recalibration.of(score_table(y=[0, 0, 1, 0, 1, 1], score=[1, 2, 2, 3, 3, 5]))
    assert learnt.score.tolist() == [1, 2, 5]
    assert learnt.probability.tolist() == [0, 0.5, 1]
    asked = [-np.inf, 0.5, 1, 1.999, 2, 3, 4.999, 5, np.inf]
    assert learnt(asked).tolist() == [0, 0, 0, 0, 0.5, 0.5, 0.5, 1, 1]


def test_scores_upside_down_recalibrate_to_the_prevalence():
    table = score_table([1, 1, 0, 0, 0], [0.1, 0.2, 0.3, 0.4, 0.9])
    assert recalibrate(table) == flatten(table)


def test_equal_shares_of_neighbours_are_pooled():
    table = ScoreTable.from_counts([0.1, 0.2, 0.3], [1, 2, 3], [2, 4, 1])
    assert recalibrate(table).score.tolist() == [1 / 3, 0.75]


def test_what_was_learnt_is_read_only():
    learnt = Recalibration.of(score_table([0, 1], [0.2, 0.7]))
    for column in (learnt.score, learnt.probability):
        with pytest.raises(ValueError, match=r"^assignment destination is read-only$"):
            column[0] = 0.5


@given(samples(score=ANY_SCORE.filter(np.isfinite)))
def test_recalibrated_scores_agree_with_scikit_learn(sample):
    y, score, weight = sample
    wanted = IsotonicRegression().fit_transform(score, y, sample_weight=weight)
    assert_allclose(Recalibration.of(score_table(*sample))(score), wanted, rtol=1e-12, atol=1e-15)


@pytest.mark.slow
def test_a_million_scores_recalibrate_as_in_scikit_learn_and_as_the_hull_of_whole_numbers():
    table = large_table()
    assert len(table) > 990_000
    recalibrated = recalibrate(table)
    assert np.all(np.diff(recalibrated.score) > 0)
    wanted = IsotonicRegression().fit_transform(table.score, table.positive)
    assert_allclose(Recalibration.of(table)(table.score), wanted, rtol=1e-12)
    assert recalibrated.positive.tolist() == [p for _, p, _ in hull_of_counts(table)]


@pytest.mark.parametrize(
    ("positive", "negative"),
    [([0.6, 0.7, 0.4], [0.6, 0.6, 0.5]), ([0.6, 0.3, 0.6], [0.2, 0.1, 0.2])],
    ids=["equal", "out of order by a last digit"],
)
def test_blocks_whose_sums_do_not_ascend_are_pooled_again(positive, negative):
    # One pass leaves two blocks, whose shares of positives, taken from their sums, are no longer apart.
    table = ScoreTable.from_counts([1, 2, 3], positive, negative)
    share = sum(positive) / (sum(positive) + sum(negative))
    assert recalibrate(table).score.tolist() == pytest.approx([share], rel=1e-15)


def test_weights_of_one_decimal_place_end_in_ascending_scores():
    rng = np.random.default_rng(8)
    for rows in rng.integers(2, 9, 3000):
        table = ScoreTable.from_counts(np.arange(rows), rng.integers(0, 8, rows) / 10, rng.integers(1, 8, rows) / 10)
        assert np.all(np.diff(recalibrate(table).score) > 0)


def test_a_recalibration_prints_in_a_line():
    assert repr(Recalibration.of(score_table(y=[0, 1, 0, 1], score=[1, 2, 3, 4]))) == "Recalibration(3 blocks, 0 to 1)"
    assert repr(Recalibration.of(score_table(y=[1, 0], score=[1, 2]))) == "Recalibration(1 block, 0.5 to 0.5)"


@pytest.mark.parametrize("seed", range(200))
def test_few_rows_are_pooled_into_the_same_blocks_as_by_scipy(seed):
    rng = np.random.default_rng(seed)
    rows = int(rng.integers(1, 40))
    share = rng.integers(0, 4, rows) / 3 if seed % 2 else rng.random(rows)  # every other one with many ties
    weight = 10 ** rng.uniform(-6, 6, rows) if seed % 3 else rng.integers(1, 4, rows).astype(float)
    by_scipy = isotonic_regression(share, weights=weight).blocks[:-1]
    assert_array_equal(_isotonic._pool_one_by_one(share.tolist(), weight.tolist()), by_scipy)


@pytest.mark.parametrize("rows", [_isotonic._FEW, _isotonic._FEW + 1])
def test_many_rows_are_pooled_by_scipy(rows, monkeypatch):
    called = []
    monkeypatch.setattr(
        _isotonic.scipy.optimize, "isotonic_regression", lambda *a, **k: called.append(1) or pooled(*a, **k)
    )
    pooled = isotonic_regression
    recalibrate(
        ScoreTable(np.arange(rows), np.arange(rows) + 1.0, np.ones(rows))
    )  # every share is higher than the last
    assert bool(called) == (rows > _isotonic._FEW)

"""More rows than are taken at a time: what holds for a few rows holds across the joints."""

import numpy as np
import pytest
import scipy
from numpy.testing import assert_allclose

from stakes import ScoreTable, recalibrate
from stakes._arrays import class_totals
from stakes.table import unsorted_table

ROWS = 50_000


def many(seed):
    rng = np.random.default_rng(seed)
    positive, negative = rng.integers(0, 4, ROWS).astype(float), rng.integers(1, 4, ROWS).astype(float)
    return np.sort(rng.uniform(size=ROWS)), positive, negative


def test_every_row_counts_once():
    score, positive, negative = many(1)
    totals = class_totals(ScoreTable(score, positive, negative), np.sqrt, np.square)
    assert totals == pytest.approx((positive @ np.sqrt(score), negative @ np.square(score)), rel=1e-12)


def test_every_case_counts_once():
    score, positive, _ = many(2)
    label = positive > 1
    totals = class_totals(unsorted_table(label, score, None), np.sqrt, np.square)
    assert totals == pytest.approx((np.sqrt(score[label]).sum(), np.square(score[~label]).sum()), rel=1e-12)


def test_rows_that_are_mostly_empty_count_once():
    score, positive, negative = many(3)
    positive = np.where(np.arange(ROWS) % 5 == 0, positive, 0.0)
    totals = class_totals(ScoreTable(score, positive, negative), np.sqrt, np.square)
    assert totals == pytest.approx((positive @ np.sqrt(score), negative @ np.square(score)), rel=1e-12)


def test_the_isotonic_fit_is_that_of_all_rows_at_once():
    score, positive, negative = many(4)
    weight = positive + negative
    fit = scipy.optimize.isotonic_regression(positive / weight, weights=weight).x
    found = recalibrate(ScoreTable(score, positive, negative))
    assert_allclose(found.score, np.unique(fit.round(12)), atol=1e-11)


def test_an_infinite_value_of_nobody_counts_nothing():
    score, positive, negative = many(5)
    score[0], positive[0] = 0.0, 0.0
    with np.errstate(divide="ignore"):
        total, _ = class_totals(ScoreTable(score, positive, negative), lambda s: -np.log(s), np.sqrt)
    assert total == pytest.approx(-(positive[1:] @ np.log(score[1:])), rel=1e-12)

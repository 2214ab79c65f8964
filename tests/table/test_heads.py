"""Heads beside a table: they follow it everywhere, limits and alarms count them, and without them nothing changes."""

import copy
import pickle
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from stakes import (
    At,
    Limits,
    Uniform,
    at_prevalence,
    best_thresholds,
    load_table,
    merge,
    precision_recall_curve,
    recalibrate,
    save_table,
    score_table,
    top_k,
)
from stakes.large import quantise
from stakes.limits import (
    feasible_partial_auc,
    feasible_region,
    lesser_area_curve,
    max_feasible_recall,
    partial_voros,
    partial_voros_map,
    voros,
)
from stakes.policy import policy_cost, select
from stakes.prevalence import reweight_classes, shift_scores
from stakes.table import Heads, ScoreTable, coarsen, flatten

HALF = Limits(capacity=0.5)


def with_heads(y, score, stake, floor=(0.0, 0.0)):
    """Return a table of stakes and its heads, made by loops over the cases."""
    y, score, stake = map(np.asarray, (y, score, stake))
    here = np.unique(score)
    heads = [[float(np.sum((score == at) & (y == one))) for at in here] for one in (1, 0)]
    rows = score_table(y, score, stake)
    return replace(rows, heads=Heads(here, *heads, np.add(*heads), floor))


SOME = with_heads([1, 0, 0, 1, 0, 1], [0.2, 0.2, 0.4, 0.6, 0.7, 0.9], [1, 2, 0, 30, 4, 5], floor=(7.0, 8.0))
FEW = st.lists(
    st.tuples(st.booleans(), st.sampled_from([0.0, 0.1, 0.3, 0.5, 0.8, 1.0]), st.sampled_from([0.0, 1.0, 2.5, 40.0])),
    min_size=2,
    max_size=12,
).filter(lambda cases: len({y for y, _, stake in cases if stake}) == 2)


def test_a_case_without_a_stake_is_still_a_head():
    assert SOME.score.tolist() == [0.2, 0.6, 0.7, 0.9]
    assert SOME.heads.score.tolist() == [0.2, 0.4, 0.6, 0.7, 0.9]
    assert (SOME.cases, SOME.prevalence_of_cases, SOME.alarm_share(0.4)) == (6, 0.5, 4 / 6)
    assert repr(SOME) == "ScoreTable(4 scores, weight 42 beside 6 heads, prevalence 0.857)"
    assert repr(SOME.heads) == "Heads(6, 3 positive, beside money)"


@given(FEW, FEW)
def test_merging_adds_heads(one, two):
    both = merge(*(with_heads(*zip(*cases, strict=True)) for cases in (one, two)))
    assert both == with_heads(*zip(*one, *two, strict=True))


@given(FEW, st.sampled_from([1, 2, 3]))
def test_heads_follow_their_rows(cases, rows):
    table = with_heads(*zip(*cases, strict=True), floor=(3.0, 1.0))
    for changed in (coarsen(table, rows=rows), recalibrate(table), flatten(table)):
        assert changed.heads.floor == (3.0, 1.0)
        totals = changed.heads.positive_total, changed.heads.negative_total, changed.cases
        assert totals == (table.heads.positive_total, table.heads.negative_total, table.cases)
        assert set(changed.heads.score) <= set(changed.score) | (
            set() if len(changed) < len(table) else {*table.heads.score}
        )
    pooled = recalibrate(table)
    for score, everyone in zip(table.heads.score, table.heads.everyone, strict=True):  # a head is in its block or below
        block = max([int(np.searchsorted(table.score, score, "right")) - 1, 0])
        assert everyone > 0
        assert _recalibrated(table, block) in pooled.heads.score


def _recalibrated(table, row):
    starts, positive, negative = table.isotonic_blocks
    block = int(np.searchsorted(starts, row, "right")) - 1
    return positive[block] / (positive[block] + negative[block])


def test_another_prevalence_scales_heads_money_and_floor():
    moved = reweight_classes(SOME, 0.1)
    assert_allclose([moved.prevalence_of_cases, moved.cases, *moved.heads.floor], [0.1, 6, 7 * 0.2, 8 * 1.8])
    assert_allclose([moved.positive_total, moved.negative_total], [36 * 0.2, 6 * 1.8])
    assert_allclose(at_prevalence(SOME, 0.1).heads.score, shift_scores(SOME, 0.1, from_prevalence=0.5).heads.score)
    assert reweight_classes(SOME, 0.5) is SOME
    assert shift_scores(SOME, 0.5) is SOME


def test_money_on_the_other_side_keeps_its_outcome():
    crossed = replace(SOME, heads=replace(SOME.heads, crossed=(2.0, 5.0)))
    moved = reweight_classes(crossed, 0.1)
    assert_allclose(moved.negative, [2 * 0.2, 0, 4 * 1.8, 0])
    assert_allclose(moved.positive, [1 * 0.2, 30 * 0.2, 0, 5 * 1.8])
    assert_allclose(moved.heads.crossed, (2 * 0.2, 5 * 1.8))


@pytest.mark.parametrize("move", [reweight_classes, shift_scores, at_prevalence])
def test_cases_that_would_move_the_other_way_are_refused(move):
    swapped = replace(SOME, heads=replace(SOME.heads, swapped=2.0))
    wanted = "`table` must have no case for which acting pays on negatives only, to be moved, got 2."
    with pytest.raises(ValueError, match=r"^" + wanted.replace(".", r"\.") + "$"):
        move(swapped, 0.1)


@given(FEW)
def test_limits_alarms_and_precision_count_heads(cases):
    table = with_heads(*zip(*cases, strict=True))
    people = score_table(*zip(*((y, score) for y, score, _ in cases), strict=True))
    policy = best_thresholds(table, At(0.3), HALF)
    acted = [float(np.sum(people.score >= at)) and people.alarm_share(at) for at in policy.threshold]
    assert_allclose(policy.alarms_per_thousand, 1000 * np.array(acted))
    assert max(acted) <= 0.5
    allowed = [at for at in table.score if people.alarm_share(at) <= 0.5]  # brute force
    missed = [table.positive[table.score < at].sum() for at in [*allowed, np.inf]]
    alarmed = [table.negative[table.score >= at].sum() for at in [*allowed, np.inf]]
    lost = 0.7 * np.array(missed) + 0.3 * np.array(alarmed)
    assert_allclose(policy.mean_regret * table.total, min(lost), atol=1e-12)
    assert policy_cost(policy, table, At(0.3)).violations.any is False
    hits = [people.positive[people.score >= at].sum() / people.positive_total for at in allowed]
    assert_allclose(max_feasible_recall(table, HALF), max([0.0, *hits]))
    found, wanted = precision_recall_curve(table), precision_recall_curve(people)
    assert np.array_equal(found.x, wanted.x)
    assert np.array_equal(found.y, wanted.y)


@given(FEW, st.integers(1, 12))
def test_the_highest_places_are_heads(cases, k):
    table = with_heads(*zip(*cases, strict=True))
    people = score_table(*zip(*((y, score) for y, score, _ in cases), strict=True))
    k = min(k, len(cases))
    money, heads = top_k(table, k=k, cost=0.2), top_k(people, k=k)
    assert_allclose([money.precision, money.recall], [heads.precision, heads.recall])
    if k == len(cases):  # acting on everyone
        assert_allclose(money.regret, 0.2 * table.negative_total / table.total)


def test_heads_equal_to_the_rows_change_no_number():
    plain = score_table([1, 0, 0, 1, 1], [0.1, 0.2, 0.5, 0.5, 0.7])
    same = replace(plain, heads=Heads(plain.score, plain.positive, plain.negative, plain.positive + plain.negative))
    for limits in (None, HALF, Limits(min_precision=0.6)):
        here, there = (best_thresholds(table, Uniform(0.1, 0.6), limits).to_frame() for table in (plain, same))
        assert all(np.array_equal(here[name], there[name], equal_nan=True) for name in here)
    assert top_k(plain, k=2, cost=0.3) == top_k(same, k=2, cost=0.3)
    assert voros(plain, At(0.3)) == voros(same, At(0.3))  # no stakes: as before
    assert merge(plain, same).heads.total == 10


def test_every_digit_of_heads_comes_back_from_a_file(tmp_path):
    file = tmp_path / "site.csv"
    for table in (SOME, replace(SOME, heads=replace(SOME.heads, floor=None)), reweight_classes(SOME, 0.3)):
        save_table(table, file)
        assert load_table(file) == table
    save_table(SOME, file)
    assert file.read_text().splitlines()[:3] == [
        "# stakes score table, format 2, rows 5, floor 7.0 8.0, crossed 0.0 0.0, swapped 0.0",
        "score,positive,negative,positive_cases,negative_cases,everyone",
        "0.2,1.0,2.0,1.0,1.0,2.0",
    ]


@pytest.mark.parametrize(
    ("right", "wrong", "reason"),
    [
        ("rows 5", "rows 6", "it says 6 rows and has 5"),
        ("0.2,1.0,2.0,1.0,1.0,2.0", "0.2,1.0,2.0", "line 3 does not hold six numbers"),
        (",1.0,2.0\n", ",1.0,-2.0\n", "`negative` must"),
    ],
)
def test_a_spoilt_file_of_heads_is_refused(tmp_path, right, wrong, reason):
    file = tmp_path / "site.csv"
    save_table(SOME, file)
    file.write_text(file.read_text().replace(right, wrong))
    with pytest.raises(ValueError, match=reason):
        load_table(file)


def test_copies_are_equal_and_differences_are_seen():
    assert copy.deepcopy(SOME) == SOME == pickle.loads(pickle.dumps(SOME))
    assert replace(SOME, heads=None) != SOME
    assert replace(SOME, heads=replace(SOME.heads, swapped=1.0)) != SOME
    assert SOME.heads != 3
    with pytest.raises(ValueError, match="read-only"):
        SOME.heads.everyone[0] = 9


REFUSED = {
    "voros": lambda: voros(SOME, At(0.3)),
    "partial_voros": lambda: partial_voros(SOME, At(0.3), HALF),
    "partial_voros_map": lambda: partial_voros_map({"a": SOME}, At(0.3), min_precision=[0.5], capacity=[0.5]),
    "lesser_area_curve": lambda: lesser_area_curve(SOME),
    "feasible_region": lambda: feasible_region(SOME, HALF),
    "feasible_partial_auc": lambda: feasible_partial_auc(SOME, HALF),
    "select": lambda: select({"a": SOME}, At(0.3), HALF),
}


@pytest.mark.parametrize("name", REFUSED)
def test_the_plane_of_rates_does_not_know_the_money(name):
    with pytest.raises(ValueError, match=rf"^`table` must have no case costs for `{name}`, got a table with them; use"):
        REFUSED[name]()


def test_bins_hold_no_heads():
    with pytest.raises(ValueError, match=r"^`y` must have no heads to be quantised, since bins hold no people"):
        quantise(SOME)


def test_tables_with_money_and_without_do_not_mix():
    with pytest.raises(ValueError, match=r"^`tables` must all have case costs or none, got both kinds\.$"):
        merge(SOME, ScoreTable(SOME.score, SOME.positive, SOME.negative))

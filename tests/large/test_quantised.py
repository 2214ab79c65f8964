"""Making quantised tables: what they keep of a sample, however it comes."""

import copy
import itertools
import pickle
from functools import partial

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from strategies import SCORES, samples, weights

from stakes import At, bounds, merge, score_table
from stakes.large import Bins, QuantisedTable, _bins, _quantise, quantise

COLUMNS = ("cases", "weight", "score", "square", "least", "most")
BINS = st.sampled_from([Bins(1), Bins(4), Bins(65536), Bins(64, fine_ends=True), Bins(8, edges=(0.1, 0.3))])
SCORE = st.one_of(st.sampled_from((*SCORES, 0.0, -0.0, 1.0)), st.floats(0, 1))
SAMPLES = samples(score=SCORE, one_class=True, max_size=20)


def assert_same(one, other, **tolerance):
    assert one.bins == other.bins
    assert_array_equal(one.bin, other.bin)
    for sums, others in ((one.positive, other.positive), (one.negative, other.negative)):
        for column in COLUMNS:
            assert_allclose(
                getattr(sums, column), getattr(others, column), **{"rtol": 1e-14, "atol": 1e-300} | tolerance
            )


# ------------------------------------------------------------------------------------------- bins


@given(BINS, st.lists(st.floats(0, 1), min_size=2, max_size=20))
def test_bins_keep_the_order_of_scores(bins, scores):
    found = bins.of(np.sort(scores))
    assert np.all(np.diff(found) >= 0)
    assert found[0] >= 0
    assert found[-1] < len(bins)


@pytest.mark.parametrize("bins", [Bins(8), Bins(64, fine_ends=True), Bins(1 << 16, fine_ends=True)])
def test_every_bin_follows_the_one_before_and_the_last_is_for_one_alone(bins):
    edges = list(edges_of(bins))
    assert bins.of(edges).tolist() == list(range(len(edges)))
    assert bins.of(np.nextafter(edges[1:], 0)).tolist() == list(range(len(edges) - 1))
    assert (edges[-1], len(edges)) == (1.0, len(bins))


def edges_of(bins):
    """Lower edges of all bins, from the pieces alone."""
    ends = [*(piece.start for piece in bins.pieces[1:]), 1.0]
    for piece, end in zip(bins.pieces, ends, strict=True):
        yield from np.arange(piece.start * piece.factor, end * piece.factor) / piece.factor
    yield 1.0


def test_fine_ends_are_fine_at_both_ends_alike():
    edges = np.array(list(edges_of(Bins(65536, fine_ends=True))))
    assert_array_equal(edges, 1 - edges[::-1])
    middle = edges[(edges > 1e-5) & (edges <= 0.5)]
    assert np.all(np.diff(middle) / middle[1:] < 1 / 1000)


@given(BINS, st.floats(0, 1))
def test_a_threshold_parts_the_scores_below_it_from_the_rest(bins, score):
    for threshold in bins.edges:
        assert (score >= threshold) == bool(bins.of([score])[0] >= bins.of([threshold])[0])


def test_thresholds_are_sorted_and_each_counts_once():
    assert Bins(4, edges=[0.3, 0.1, 0.3]).edges == (0.1, 0.3)
    assert Bins(4, edges=[0.3, 0.1, 0.3]) == Bins(4, edges=(0.1, 0.3))


# ------------------------------------------------------------------------------------------- laws


@given(SAMPLES, BINS)
def test_each_bin_and_class_holds_the_sums_of_its_cases(sample, bins):
    y, score, weight = sample
    table = quantise(*sample, bins=bins)
    assert table.bin.tolist() == sorted(set(bins.of(score).tolist()))
    for sums, label in ((table.negative, 0), (table.positive, 1)):
        for row, found in enumerate(table.bin):
            mine = (bins.of(score) == found) & (y == label)
            assert sums.cases[row] == mine.sum()
            for column, power in (("weight", 0), ("score", 1), ("square", 2)):
                assert getattr(sums, column)[row] == pytest.approx((weight * score**power)[mine].sum(), rel=1e-14)
            assert sums.least[row] == min(score[mine], default=np.inf)
            assert sums.most[row] == max(score[mine], default=-np.inf)


@given(SAMPLES, BINS, st.randoms(use_true_random=False))
def test_the_order_of_cases_does_not_matter(sample, bins, random):
    order = list(range(len(sample[0])))
    random.shuffle(order)
    assert_same(quantise(*sample, bins=bins), quantise(*(column[order] for column in sample), bins=bins))


@given(samples(score=SCORE, weight=weights(integer=True, zero=True)).filter(lambda sample: sample[2].any()), BINS)
def test_integer_weight_means_repeated_case(sample, bins):
    y, score, weight = sample
    one, other = quantise(*sample, bins=bins), quantise(np.repeat(y, weight), np.repeat(score, weight), bins=bins)
    assert one.whole and other.whole  # noqa: PT018 - one law
    for sums, others in ((one.positive, other.positive), (one.negative, other.negative)):
        for column in COLUMNS[1:]:
            assert_allclose(getattr(sums, column), getattr(others, column), rtol=1e-14)


@given(SAMPLES, BINS, st.sampled_from([0, 1]), st.sampled_from([0.0, 0.3, 1.0]))
def test_weight_zero_means_absent(sample, bins, outcome, score):
    with_ghost = (np.append(column, value) for column, value in zip(sample, (outcome, score, 0.0), strict=True))
    assert quantise(*with_ghost, bins=bins) == quantise(*sample, bins=bins)


@given(SAMPLES, BINS)
def test_unit_weights_are_no_weights(sample, bins):
    y, score, _ = sample
    assert quantise(y, score, np.ones(len(y)), bins=bins) == quantise(y, score, bins=bins)


@given(SAMPLES, SAMPLES, BINS)
def test_merging_tables_is_concatenating_samples(one, other, bins):
    together = quantise(*(np.concatenate(columns) for columns in zip(one, other, strict=True)), bins=bins)
    assert_same(merge(quantise(*one, bins=bins), quantise(*other, bins=bins)), together)


@given(st.lists(SAMPLES, min_size=3, max_size=3), BINS)
def test_tables_merge_in_any_order_and_in_any_steps(parts, bins):
    tables = [quantise(*sample, bins=bins) for sample in parts]
    for one, other, third in itertools.permutations(tables):
        assert_same(merge(one, other, third), merge(*tables))
        assert_same(merge(merge(one, other), third), merge(*tables))


@given(SAMPLES, BINS)
def test_merging_one_table_gives_it_back(sample, bins):
    table = quantise(*sample, bins=bins)
    assert merge(table) == table


@given(SAMPLES, BINS)
def test_an_exact_table_has_the_same_bins_as_its_sample(sample, bins):
    found, direct = quantise(score_table(*sample), bins=bins), quantise(*sample, bins=bins)
    assert_array_equal(found.bin, direct.bin)
    for sums, others in ((found.positive, direct.positive), (found.negative, direct.negative)):
        for column in COLUMNS[1:]:  # a row of the exact table may stand for several cases
            assert_allclose(getattr(sums, column), getattr(others, column), rtol=1e-14)


@given(SAMPLES, BINS)
def test_totals_are_those_of_the_exact_table(sample, bins):
    exact, table = score_table(*sample), quantise(*sample, bins=bins)
    for name in ("total", "prevalence", "positive_total", "negative_total"):
        assert getattr(table, name) == pytest.approx(getattr(exact, name), rel=1e-14)


def test_rows_are_taken_some_at_a_time(monkeypatch):
    rng = np.random.default_rng(5)
    y, score, weight = rng.integers(0, 2, 1000), rng.random(1000), rng.random(1000)
    whole = quantise(y, score, weight, bins=16)
    monkeypatch.setattr(_bins, "_ROWS", 7)
    assert_same(quantise(y, score, weight, bins=16), whole, rtol=1e-13)


def test_float32_scores_are_added_up_in_double_precision():
    score = np.full(1 << 20, 0.1, dtype=np.float32)
    table = quantise(np.ones(len(score)), score, bins=1)
    assert table.positive.score[0] == pytest.approx(len(score) * float(np.float32(0.1)), rel=1e-12)
    assert table.positive.least[0] == float(np.float32(0.1))


# ------------------------------------------------------------------------------------------- from engines


def sums_by_hand(sample, bins, parts):
    """Return what an engine would add up, each case in one of so many parts."""
    y, score, weight = sample
    found, part = bins.of(score), np.arange(len(y)) % parts
    rows = []
    for key in sorted(set(zip(part, found, y, strict=True))):
        mine = (part == key[0]) & (found == key[1]) & (y == key[2])
        w, s = weight[mine], score[mine]
        rows.append((key[1], key[2], len(s), w.sum(), (w * s).sum(), (w * s * s).sum(), s.min(), s.max()))
    names = ("bin", "positive", "cases", "weight", "score", "square", "least", "most")
    return dict(zip(names, map(np.array, zip(*rows, strict=True)), strict=True))


@given(SAMPLES, BINS, st.integers(1, 4))
@example((np.array([1, 0, 0]), np.array([0.004, 5e-324, 5e-324]), np.array([1, 1, 3.5])), Bins(1), 1)
def test_what_engines_add_up_in_parts_is_the_table(sample, bins, parts):
    sums = sums_by_hand(sample, bins, parts)
    table = QuantisedTable.from_sums(bins, **sums)
    assert_same(table, quantise(*sample, bins=bins), rtol=1e-13)
    assert not table.whole


@given(SAMPLES, BINS)
def test_without_weights_cases_are_counted(sample, bins):
    y, score, _ = sample
    sums = sums_by_hand((y, score, np.ones(len(y))), bins, 2)
    del sums["weight"]
    table = QuantisedTable.from_sums(bins, **sums)
    assert_same(table, quantise(y, score, bins=bins), rtol=1e-13)
    assert table.whole


def test_a_part_that_weighs_nothing_is_left_out():
    sums = {
        "bin": [0, 3],
        "positive": [0, 1],
        "cases": [1, 5],
        "weight": [1, 0],
        "score": [0.1, 0],
        "square": [0.01, 0],
    }
    table = QuantisedTable.from_sums(Bins(4), **sums, least=[0.1, 0.8], most=[0.1, 0.8])
    assert table.bin.tolist() == [0]


def test_what_is_handed_over_stays_the_users_own():
    cases = np.array([1.0])
    QuantisedTable.from_sums(
        Bins(1), bin=[0], positive=[1], cases=cases, score=[0.5], square=[0.25], least=[0.5], most=[0.5]
    )
    cases[0] = 2.0  # an array that was taken over would refuse


# ------------------------------------------------------------------------------------------- the object


def test_a_table_prints_what_it_is():
    table = quantise([0, 1, 1, 0], [0.1, 0.6, 0.7, 0.65], [1, 2, 1, 0.5], bins=2)
    assert repr(table) == "QuantisedTable(2 of 3 bins, weight 4.5, prevalence 0.667, undecided up to 0.667)"


@pytest.mark.parametrize("again", [copy.deepcopy, lambda table: pickle.loads(pickle.dumps(table))])
def test_a_copy_is_equal_and_cannot_be_written_to(again):
    table = quantise([0, 1, 1], [0.2, 0.7, 0.2], bins=8)
    other = again(table)
    assert other == table
    for column in (other.bin, other.positive.weight, other.negative.least):
        with pytest.raises(ValueError, match="read-only"):
            column[0] = 1


def test_tables_that_differ_are_not_equal():
    table = quantise([0, 1, 1], [0.2, 0.7, 0.2], bins=8)
    assert table != quantise([0, 1, 1], [0.2, 0.7, 0.2], bins=4)
    assert table != quantise([0, 1, 1], [0.2, 0.7, 0.21], bins=8)
    assert table != quantise([0, 1, 1], [0.21, 0.7, 0.2], bins=8)
    assert table != "a table"
    assert table.positive != "sums"


def test_optimistic_and_pessimistic_are_the_extremes_of_each_bin():
    table = quantise([0, 0, 1, 1, 1], [0.1, 0.2, 0.15, 0.22, 0.9], bins=4)
    best, worst = table.optimistic, table.pessimistic
    assert (best.score.tolist(), best.positive.tolist()) == ([0.1, 0.22, 0.9], [0, 2, 1])
    assert (worst.score.tolist(), worst.positive.tolist()) == ([0.15, 0.2, 0.9], [2, 0, 1])


# ------------------------------------------------------------------------------------------- a tolerance


def test_bins_are_made_finer_until_they_meet_the_tolerance():
    rng = np.random.default_rng(1)
    score = rng.random(20_000)
    table = quantise(rng.random(20_000) < score, score, bins=64, tolerance=0.001)
    assert table.undecided <= 0.001
    assert 64 < table.bins.count <= 1 << 16


@pytest.mark.parametrize("number", [bounds.auc, partial(bounds.expected_regret, costs=At(0.37))])
@pytest.mark.parametrize("tolerance", [0.01, 0.0003])
def test_bins_are_made_finer_for_the_number_that_is_wanted(number, tolerance):
    rng = np.random.default_rng(4)
    score = rng.beta(2, 9, 20_000)
    y = rng.random(20_000) < score
    for sample in ((y, score), (score_table(y, score),)):
        table = quantise(*sample, bins=8, tolerance=tolerance, number=number)
        assert number(table).width <= tolerance
        coarse = quantise(*sample, bins=table.bins.count // 16)
        assert number(coarse).width > tolerance  # and no finer than they must be, up to the guess


def test_a_number_that_is_undefined_needs_no_finer_bins():
    with pytest.warns(RuntimeWarning, match="undefined without negatives"):
        table = quantise([1, 1], [0.5, 0.6], bins=1, tolerance=0.01, number=bounds.auc)
    assert table.bins == Bins(1)


def test_a_number_needs_a_tolerance():
    assert message_of(quantise, TypeError, [0, 1], [0.5, 0.6], number=bounds.auc) == (
        "`tolerance` must be given with `number`, got none."
    )


def test_a_tolerance_that_is_missed_by_little_is_missed():
    rng = np.random.default_rng(1)
    y, score = rng.random(2000) < 0.3, rng.random(2000)
    tolerance = 0.9 * quantise(y, score, bins=64).undecided
    assert quantise(y, score, bins=64, tolerance=tolerance).undecided <= tolerance


def test_bins_that_meet_the_tolerance_stay():
    assert quantise([0, 1], [0.2, 0.7], bins=4, tolerance=0.1).bins == Bins(4)


def test_finer_bins_keep_thresholds_and_fine_ends():
    score = np.linspace(0.001, 0.002, 999)
    table = quantise(np.arange(999) % 2, score, bins=Bins(64, fine_ends=True, edges=[0.3]), tolerance=0.01)
    assert (table.bins.fine_ends, table.bins.edges) == (True, (0.3,))
    assert table.undecided <= 0.01


def test_a_tolerance_that_no_bins_meet_is_refused(monkeypatch):
    monkeypatch.setattr(_quantise, "_MOST_BINS", 256)
    score = [0.5, 0.5 + 2**-20, 0.1, 0.2]
    assert message_of(quantise, ValueError, [1, 1, 0, 0], score, bins=8, tolerance=0.01) == (
        "`tolerance` must be at least 0.5 for this sample, got 0.01: the bounds are that far apart with 256 bins; "
        "`score_table` is exact."
    )


# ------------------------------------------------------------------------------------------- bad input


def message_of(call, error, *arguments, **keywords):
    with pytest.raises(error) as caught:
        call(*arguments, **keywords)
    return str(caught.value)


@pytest.mark.parametrize(
    ("arguments", "keywords", "error", "message"),
    [
        ((100,), {}, ValueError, "`count` must be a power of two up to 2**40, got 100."),
        ((1 << 41,), {}, ValueError, f"`count` must be a power of two up to 2**40, got {1 << 41}."),
        ((0,), {}, ValueError, "`count` must be at least 1, got 0."),
        ((32,), {"fine_ends": True}, ValueError, "`count` must be at least 64, got 32."),
        ((2.0,), {}, TypeError, "`count` must be a whole number, got 2."),
        ((8,), {"edges": [0.2, 1.0]}, ValueError, "`edges[1]` must lie strictly between 0 and 1, got 1."),
        ((8,), {"edges": ["x"]}, TypeError, "`edges[0]` must be a number, got 'x'."),
    ],
)
def test_bad_bins_are_refused(arguments, keywords, error, message):
    assert message_of(Bins, error, *arguments, **keywords) == message


@pytest.mark.parametrize(
    ("sample", "keywords", "error", "message"),
    [
        (([0, 1], [0.2, 0.7]), {"bins": 100}, ValueError, "`bins` must be a power of two up to 2**40, got 100."),
        (([0, 1], [0.2, 0.7]), {"bins": "8"}, TypeError, "`bins` must be a whole number, got '8'."),
        (([0, 1], [0.2, 0.7]), {"tolerance": 0}, ValueError, "`tolerance` must be finite and greater than 0, got 0."),
        (([0, 2], [0.2, 0.7]), {}, ValueError, "`y` must be 0 or 1, got 2 at row 1."),
        (([0, 1], [0.2]), {}, ValueError, "`y` and `score` must have the same length, got 2 and 1."),
        (([0, 1], [0.2, 0.7], [0, 0]), {}, ValueError, "`weight` must not be zero for every case."),
        (
            ([0, 1], [0.2, 1.7]),
            {},
            ValueError,
            "`score` must be a probability between 0 and 1, got 1.7 at row 1; measures of ranking, such as `auc`, "
            "accept any number.",
        ),
        (
            ([0, 1], [np.nan, 0.7]),
            {},
            ValueError,
            "`score` must not have missing values, got 1 missing value, at row 0.",
        ),
    ],
)
def test_bad_samples_are_refused(sample, keywords, error, message):
    assert message_of(quantise, error, *sample, **keywords) == message


GOOD = {"bin": [0, 2], "positive": [0, 1], "cases": [2, 1], "score": [0.25, 0.5], "square": [0.0325, 0.25]} | {
    "least": [0.1, 0.5],
    "most": [0.15, 0.5],
}


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        (
            {"bin": [0, 1]},
            "`bin` must be that of the scores, got 1 for a `least` of 0.5, which is in bin 2, at row 1.",
        ),
        (
            {"most": [0.25, 0.5]},
            "`bin` must be that of the scores, got 0 for a `most` of 0.25, which is in bin 1, at row 0.",
        ),
        (
            {"score": [0.25, 0.51]},
            "`score` must be a sum over scores from `least` to `most`, between 0.5 and 0.5, got 0.51 at row 1.",
        ),
        (
            {"square": [0.0325, 0.2]},
            "`square` must be a sum over scores from `least` to `most`, between 0.25 and 0.25, got 0.2 at row 1.",
        ),
        ({"cases": [2, -1]}, "`cases` must be finite and not negative, got -1 at row 1."),
        ({"cases": [0, 0], "score": [0, 0], "square": [0, 0]}, "`weight` must not be zero for every bin."),
        (
            {"most": [0.15]},
            "`bin`, `positive`, `cases`, `weight`, `score`, `square`, `least` and `most` must have the same length, "
            "got 2, 2, 2, 2, 2, 2, 2 and 1.",
        ),
        ({"positive": [0, 3]}, "`positive` must be 0 or 1, got 3 at row 1."),
    ],
)
def test_sums_that_do_not_fit_together_are_refused(bad, message):
    assert message_of(QuantisedTable.from_sums, ValueError, Bins(4), **(GOOD | bad)) == message


def test_tables_with_other_bins_are_not_merged():
    one, other = quantise([1], [0.5], bins=4), quantise([1], [0.5], bins=8)
    assert message_of(merge, ValueError, one, other) == (
        "`tables` must have the same bins, got Bins(count=4, fine_ends=False, edges=()) and "
        "Bins(count=8, fine_ends=False, edges=())."
    )


def test_tables_of_two_kinds_are_not_merged():
    one, other = quantise([1], [0.5]), score_table([1], [0.5])
    assert message_of(merge, TypeError, one, other) == (
        "`tables` must all be of one kind, got both ScoreTable and QuantisedTable."
    )


def test_only_tables_are_merged():
    assert message_of(merge, TypeError, score_table([1], [0.5]), "a table") == (
        "`tables` must be a ScoreTable (see `score_table`), got str."
    )


def test_only_tables_of_probabilities_are_quantised():
    assert message_of(quantise, ValueError, score_table([0, 1], [0.5, 7])) == (
        "`score` must be a probability between 0 and 1, got 7; measures of ranking, such as `auc`, accept any number."
    )
    assert message_of(quantise, ValueError, score_table([0, 1], [-2, 0.7])) == (
        "`score` must be a probability between 0 and 1, got -2; measures of ranking, such as `auc`, accept any number."
    )
    assert message_of(quantise, TypeError, quantise([0, 1], [0.5, 0.7])) == (
        "`y` must be a ScoreTable (see `score_table`), got QuantisedTable."
    )


def test_a_table_has_scores_and_outcomes_have_not():
    assert message_of(quantise, TypeError, score_table([0, 1], [0.5, 0.7]), [0.5, 0.7]) == (
        "`y` must be outcomes where `score`, `weight` or `pos_label` is given, got a ScoreTable."
    )
    assert message_of(quantise, TypeError, [0, 1]) == (
        "`score` must be given with outcomes, got none; only a ScoreTable has scores of its own."
    )

"""Two models compared in groups: the slow way, the laws of the test, who is left out, and bad input."""

import math
from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy import stats
from uncertainty.simulated import KNOWN, cases, scores

from stakes import (
    At,
    Cases,
    InputError,
    Uniform,
    auc,
    compare,
    expected_regret,
    h_measure,
    net_benefit,
    skill_score,
)
from stakes.uncertainty import compare_groups

LABELS = np.array(["north", "south", "west"])
BENEFIT = partial(net_benefit, costs=At(0.3))
BOUNDED = [name for name in KNOWN if name != "auc"]


def groups_of(size, seed=1):
    return np.random.default_rng(seed).choice(LABELS, size, p=[0.5, 0.3, 0.2])


def found_in(size=400, measure=BENEFIT, group=None, *, level=0.95, seed=5, **options):
    labels = groups_of(size) if group is None else group
    return compare_groups(cases(size, seed=seed, **options), "good", "other", measure, labels, level=level)


def numbers_of(found):
    """Return all numbers of a comparison, in an order that does not depend on names."""
    rows = []
    for one in found.groups.values():
        intervals = [(each.lower, each.upper) for each in (one.difference, one.adjusted, one.skill)]
        rows.append((one.cases, one.positives, one.prevalence, one.error, one.skill.estimate, *np.ravel(intervals)))
    return np.array([*np.ravel(sorted(rows)), found.statistic, found.p_value, found.common, found.freedom])


# ------------------------------------------------------------------------------------------- the slow way


def benefit_of_case(label, score, cost):
    if score < cost:
        return 0.0
    return 1.0 if label else -cost / (1 - cost)


def slow_test(y, a, b, weight, group, cost):
    """Return Q, its probability and the common difference, case by case."""
    rows = []
    for name in sorted(set(group)):
        here = [k for k in range(len(y)) if group[k] == name]
        mean_weight = sum(weight[k] for k in here) / len(here)
        value = [benefit_of_case(y[k], a[k], cost) - benefit_of_case(y[k], b[k], cost) for k in here]
        relative = [weight[k] / mean_weight for k in here]
        mean = sum(w * v for w, v in zip(relative, value, strict=True)) / len(here)
        squares = sum((w * (v - mean)) ** 2 for w, v in zip(relative, value, strict=True))
        rows.append((mean, squares / (len(here) * (len(here) - 1))))
    total = sum(1 / variance for _, variance in rows)
    common = sum(mean / variance for mean, variance in rows) / total
    statistic = sum((mean - common) ** 2 / variance for mean, variance in rows)
    return statistic, stats.chi2(len(rows) - 1).sf(statistic), common


@pytest.mark.parametrize("weighted", [False, True])
def test_the_test_is_that_of_the_definition(weighted):
    y, good, other = scores(500)
    weight = np.random.default_rng(3).uniform(0.5, 2, 500) if weighted else np.ones(500)
    group = groups_of(500)
    sample = Cases(y, {"good": good, "other": other}, weight=weight if weighted else None)
    found = compare_groups(sample, "good", "other", net_benefit, group, costs=0.3)
    expected = slow_test(y, good, other, weight, group, 0.3)
    assert_allclose([found.statistic, found.p_value, found.common], expected, rtol=1e-10)


@pytest.mark.parametrize("name", KNOWN)
def test_a_group_is_compared_as_its_cases_alone(name):
    y, good, other = scores(400)
    group = groups_of(400)
    found = compare_groups(cases(), "good", "other", KNOWN[name], group)
    assert list(found.groups) == ["north", "south", "west"]
    for label, one in found.groups.items():
        here = group == label
        alone = Cases(y[here], {"good": good[here], "other": other[here]})
        assert one.difference == compare(alone, "good", "other", KNOWN[name])
        wider = compare(alone, "good", "other", KNOWN[name], level=1 - 0.05 / 3)
        assert (one.adjusted.lower, one.adjusted.upper) == (wider.lower, wider.upper)
        assert (one.cases, one.positives, one.prevalence) == (here.sum(), y[here].sum(), y[here].mean())


def test_clusters_within_groups_are_those_of_each_group():
    y, good, other = scores(600)
    cluster = np.arange(600) // 3
    group = LABELS[cluster % 3]
    found = compare_groups(cases(600, cluster=cluster), "good", "other", BENEFIT, group)
    assert not found.correlation
    for label, one in found.groups.items():
        here = group == label
        alone = Cases(y[here], {"good": good[here], "other": other[here]}, cluster=cluster[here])
        assert one.difference == compare(alone, "good", "other", BENEFIT)
    rows = [(one.difference.difference, one.error) for one in found.groups.values()]
    common = sum(d / s**2 for d, s in rows) / sum(1 / s**2 for _, s in rows)
    assert_allclose(found.statistic, sum(((d - common) / s) ** 2 for d, s in rows), rtol=1e-10)


def test_clusters_across_groups_correlate_them():
    """The variance of the difference of two groups is that of the sum over clusters, as the jackknife tells it."""
    y, good, other = scores(600)
    cluster, group = np.arange(600) % 60, np.where(np.arange(600) < 300, "first", "second")
    good = np.clip(good + np.repeat([0.0, 0.2], 30)[cluster], 0, 1)
    sample = Cases(y, {"good": good, "other": other}, cluster=cluster)
    found = compare_groups(sample, "good", "other", BENEFIT, group)
    value = np.array([benefit_of_case(*one, 0.3) for one in zip(y, good, strict=True)])
    value -= [benefit_of_case(*one, 0.3) for one in zip(y, other, strict=True)]
    moved = [
        np.bincount(cluster, (group == one) * (value - value[group == one].mean())) / 300 for one in ("first", "second")
    ]
    apart = moved[0] - moved[1]
    difference = value[group == "first"].mean() - value[group == "second"].mean()
    assert abs(found.correlation["first", "second"]) > 0.01
    assert_allclose(found.statistic, difference**2 / (60 / 59 * apart @ apart), rtol=1e-10)


def test_the_skill_difference_is_that_of_the_skill_scores():
    sample, group = cases(), groups_of(400)
    for measure in (expected_regret, net_benefit):
        found = compare_groups(sample, "good", "other", measure, group, costs=0.3)
        skills = compare_groups(sample, "good", "other", skill_score, group, costs=0.3)
        for name, one in found.groups.items():
            assert_allclose(one.skill.estimate, skills.groups[name].difference.difference, rtol=1e-10)


def test_ends_in_skill_stay_in_order():
    for measure in (partial(expected_regret, costs=0.3), BENEFIT):
        for one in found_in(measure=measure).groups.values():
            assert one.skill.lower < one.skill.estimate < one.skill.upper


def test_the_difference_of_two_groups_is_turned_round_with_them():
    found = found_in()
    there, back = found.between("north", "west"), found.between("west", "north")
    assert_allclose([there.estimate, there.lower, there.upper], [-back.estimate, -back.upper, -back.lower])
    one, two = (found.groups[name].difference for name in ("north", "west"))
    reach = math.hypot(one.difference - one.lower, two.upper - two.difference)
    assert_allclose(there.lower, one.difference - two.difference - reach)


def test_what_groups_share_is_no_part_of_their_difference():
    found = found_in()
    shared = replace(found, correlation={("north", "west"): 0.5})
    for first, second in (("north", "west"), ("west", "north")):
        there, alone = shared.between(first, second), found.between(first, second)
        assert alone.lower < there.lower < there.upper < alone.upper


# ------------------------------------------------------------------------------------------- laws


@given(st.permutations(range(3)))
def test_names_of_groups_do_not_matter(order):
    codes = np.searchsorted(LABELS, groups_of(400))
    renamed = found_in(group=LABELS[list(order)][codes])
    assert_allclose(numbers_of(renamed), numbers_of(found_in()), rtol=1e-9)


@given(st.integers(0, 1000))
def test_the_order_of_the_cases_does_not_matter(seed):
    y, good, other = scores(300)
    group, order = groups_of(300), np.random.default_rng(seed).permutation(300)
    shuffled = Cases(y[order], {"good": good[order], "other": other[order]})
    found = compare_groups(shuffled, "good", "other", BENEFIT, group[order])
    assert_allclose(numbers_of(found), numbers_of(found_in(300)), rtol=1e-9)


@given(st.floats(1e-3, 1e3))
def test_what_a_group_weighs_does_not_matter(factor):
    """Weights compare cases of one group: a group that weighs more as a whole has the same difference."""
    group = groups_of(400)
    weight = np.random.default_rng(2).uniform(0.5, 2, 400)
    heavier = np.where(group == "south", factor * weight, weight)
    assert_allclose(numbers_of(found_in(weight=heavier)), numbers_of(found_in(weight=weight)), rtol=1e-9)


@given(st.sampled_from(sorted(KNOWN)), st.integers(0, 20))
def test_turning_the_models_round_changes_signs_only(name, seed):
    sample, group = cases(300, seed=seed), groups_of(300, seed)
    there = compare_groups(sample, "good", "other", KNOWN[name], group)
    back = compare_groups(sample, "other", "good", KNOWN[name], group)
    assert_allclose([there.statistic, there.common], [back.statistic, -back.common], rtol=1e-8, atol=1e-12)


@given(st.integers(0, 50), st.sampled_from(sorted(KNOWN)))
def test_the_common_difference_lies_between_those_of_the_groups(seed, name):
    found = compare_groups(cases(300, seed=seed), "good", "other", KNOWN[name], groups_of(300, seed))
    tested = [found.groups[one].difference.difference for one in found.tested]
    if len(tested) > 1:
        assert min(tested) - 1e-12 <= found.common <= max(tested) + 1e-12


@given(st.integers(0, 50))
def test_an_adjusted_interval_holds_the_single_one(seed):
    for one in found_in(seed=seed).groups.values():
        assert one.adjusted.lower <= one.difference.lower <= one.difference.upper <= one.adjusted.upper


@given(st.integers(0, 20))
def test_a_cluster_for_each_case_changes_no_variance(seed):
    plain, single = found_in(seed=seed), found_in(seed=seed, cluster=np.arange(400))
    assert_allclose([single.statistic, single.common], [plain.statistic, plain.common], rtol=1e-9)


@given(st.integers(0, 20), st.sampled_from(BOUNDED))
def test_a_group_and_its_copy_do_not_differ(seed, name):
    y, good, other = scores(200, seed=seed)
    twice = Cases(np.tile(y, 2), {"good": np.tile(good, 2), "other": np.tile(other, 2)})
    found = compare_groups(twice, "good", "other", KNOWN[name], np.repeat(["first", "second"], 200))
    assert_allclose([found.statistic, found.p_value], [0, 1], atol=1e-9)


@given(st.integers(0, 20))
def test_cases_of_weight_zero_are_not_there(seed):
    y, good, other = scores(300, seed=seed)
    weight, group = np.random.default_rng(seed).choice([0.0, 1.0, 2.0], 300), groups_of(300)
    here = weight > 0
    whole = Cases(y, {"good": good, "other": other}, weight=weight)
    part = Cases(y[here], {"good": good[here], "other": other[here]}, weight=weight[here])
    found = compare_groups(whole, "good", "other", BENEFIT, group)
    assert repr(found) == repr(compare_groups(part, "good", "other", BENEFIT, group[here]))


# ------------------------------------------------------------------------------------------- who is left out


def test_one_group_is_nothing_to_compare():
    found = found_in(group=["all"] * 400)
    assert found.freedom == 0
    assert math.isnan(found.statistic)
    assert math.isnan(found.p_value)
    assert found.adjusted_level == found.level
    assert repr(found) == "GroupComparison(good - other in 1 group: Q = nan on 0, p = nan)"


def test_cases_without_a_label_are_shown_and_not_tested():
    group = groups_of(400).astype(object)
    group[::7] = None
    found = found_in(group=group)
    assert found.missing.left_out == "no label"
    assert found.missing.cases == 58
    assert found.tested == ("north", "south", "west")
    assert_allclose(found.adjusted_level, 1 - 0.05 / 4)
    here = np.array([one is not None for one in group])
    y, good, other = scores(400)
    labelled = Cases(y[here], {"good": good[here], "other": other[here]})
    assert_allclose(found.p_value, compare_groups(labelled, "good", "other", BENEFIT, group[here]).p_value)


def small(positives, negatives, weight=None):
    """Return three groups, of which the last has so many positives and negatives."""
    y, good, other = scores(300)
    more = np.repeat([1, 0], [positives, negatives])
    drawn = np.random.default_rng(1).random((2, len(more)))
    scored = {"good": np.r_[good, drawn[0]], "other": np.r_[other, drawn[1]]}
    group = np.r_[np.repeat(["north", "south"], 150), ["small"] * len(more)]
    weights = None if weight is None else np.r_[np.ones(300), weight]
    return compare_groups(Cases(np.r_[y, more], scored, weight=weights), "good", "other", BENEFIT, group)


@pytest.mark.parametrize(
    ("positives", "negatives", "reason"),
    [
        (9, 40, "only 9 positives"),
        (40, 9, "only 9 negatives"),
        (1, 40, "only 1 positive"),
        (10, 10, ""),
        (0, 30, "no positives"),
        (30, 0, "no negatives"),
    ],
)
def test_groups_of_few_are_left_out_and_named(positives, negatives, reason):
    found = small(positives, negatives)
    assert found.groups["small"].left_out == reason
    assert found.freedom == 1 + (reason == "")
    assert (" in 2 of 3 groups: " if reason else " in 3 groups: ") in repr(found)
    assert math.isnan(found.groups["small"].skill.estimate) == (0 in (positives, negatives))


def test_unequal_weights_count_as_few():
    weight = np.r_[50, np.ones(19), np.ones(40)]
    assert small(20, 40, weight).groups["small"].left_out == (
        "20 positives with weights so unequal that they count like 1.9"
    )


def test_groups_without_disagreement_are_left_out():
    y, good, other = scores(400)
    group = groups_of(400)
    other = np.where(group == "west", good, other)
    found = compare_groups(Cases(y, {"good": good, "other": other}), "good", "other", BENEFIT, group)
    assert found.groups["west"].left_out == "no disagreement"
    assert found.tested == ("north", "south")
    assert found.groups["west"].difference.lower < 0 < found.groups["west"].difference.upper


def test_the_same_difference_for_every_case_is_no_variance():
    sample = Cases([0, 1] * 40, {"a": [0.0, 1.0] * 40, "b": [1.0, 0.0] * 40})
    found = compare_groups(sample, "a", "b", partial(expected_regret, costs=At(0.5)), ["f", "m"] * 20 + ["m", "f"] * 20)
    assert {one.left_out for one in found.groups.values()} == {"the same difference for every case"}


def test_one_cluster_has_no_variance():
    group = np.where(np.arange(400) < 200, "first", "second")
    found = found_in(group=group, cluster=np.where(np.arange(400) < 200, 0, np.arange(400)))
    assert found.groups["first"].left_out == "one cluster"


def test_few_clusters_are_a_caution():
    found = found_in(cluster=np.arange(400) % 12)
    assert found.caution == "only 12 clusters, too few to trust the p value"


# ------------------------------------------------------------------------------------------- bad input


@pytest.mark.parametrize(
    ("group", "text"),
    [
        ([None] * 400, "`group` must have a label for at least one case, got none."),
        (["a"] * 399, "`group` must have one label for each of the 400 cases, got shape (399,)."),
        (np.arange(400), "`group` must hold at most 50 different labels, got 400; for clustered cases use `cluster`."),
    ],
)
def test_labels_that_are_none(group, text):
    with pytest.raises(InputError) as error:
        found_in(group=group)
    assert str(error.value) == text


def test_a_measure_without_a_formula_is_refused():
    with pytest.raises(InputError) as error:
        found_in(measure=h_measure)
    assert str(error.value) == (
        "`measure` must have a formula, got h_measure; use one of our measures that has one, or `Measure.mean`."
    )


def test_an_unknown_keyword_is_refused():
    with pytest.raises(InputError) as error:
        compare_groups(cases(), "good", "other", auc, groups_of(400), costs=Uniform(0.1, 0.2))
    assert str(error.value) == (
        "`parameters` must be arguments of compare_groups (level) or of auc (none), got `costs`."
    )


@pytest.mark.parametrize(
    ("first", "second", "text"),
    [
        ("north", "east", "`second` must be one of west, south, north, got 'east'."),
        ("north", "north", "`second` must be a different group from `first`, got 'north'."),
    ],
)
def test_groups_that_cannot_be_subtracted(first, second, text):
    with pytest.raises(InputError) as error:
        found_in().between(first, second)
    assert str(error.value) == text

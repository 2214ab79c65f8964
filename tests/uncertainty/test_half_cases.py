"""Half-case intervals: their definition kind by kind, the laws they keep, and samples in which nothing was seen."""

import math
from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy import stats
from uncertainty.simulated import KNOWN, cases, scores

from stakes import (
    At,
    Cases,
    Uniform,
    accuracy,
    auc,
    brier_score,
    compare,
    evaluate,
    expected_regret,
    interval,
    net_benefit,
    score_table,
    skill_score,
)
from stakes.measures import recognise, weighted_accuracy
from stakes.prevalence import shifted_net_benefit, shifted_regret
from stakes.uncertainty import Sampling, Study, TableStudy
from stakes.uncertainty._ends import root

REGRET = partial(expected_regret, costs=Uniform(0.02, 0.2))
ODDS = 0.2 / 0.8
SINGLE = {  # the measure and its range
    "regret": (REGRET, (0, 0.89)),
    "regret at one cost": (partial(expected_regret, costs=At(0.2)), (0, 0.8)),
    "Brier score": (brier_score, (0, 1)),
    "net benefit": (partial(net_benefit, costs=At(0.2)), (-ODDS, 1)),
    "net benefit under a belief": (partial(net_benefit, costs=Uniform(0.05, 0.3)), (-0.2217, 1)),
    "accuracy": (accuracy, (0, 1)),
    "weighted accuracy": (partial(weighted_accuracy, cost=0.2), (0, 1)),
    "skill": (partial(skill_score, costs=Uniform(0.1, 0.4)), (-math.inf, 1)),
    "skill at one cost": (partial(skill_score, costs=At(0.2)), (-math.inf, 1)),
    "regret at another prevalence": (partial(shifted_regret, costs=Uniform(0.05, 0.2), prevalence=0.1), (0, 0.9)),
    "benefit at another prevalence": (partial(shifted_net_benefit, costs=At(0.2), prevalence=0.1), (-0.225, 0.1)),
    "AUC": (auc, (0, 1)),
}


@st.composite
def samples(draw):
    """Cases of both classes, at least two of each, with scores in tenths, and weights for some."""
    y = [0, 0, 1, 1, *draw(st.lists(st.integers(0, 1), max_size=30))]
    tenths = st.lists(st.integers(0, 10), min_size=len(y), max_size=len(y))
    kind = draw(st.sampled_from(["drawn", "drawn", "perfect", "wrong", "constant"]))
    fixed = {"perfect": y, "wrong": [1 - one for one in y], "constant": [0.3] * len(y)}
    first = fixed.get(kind) or np.array(draw(tenths)) / 10
    weight = draw(st.none() | st.lists(st.floats(0.1, 10), min_size=len(y), max_size=len(y)))
    return Cases(y, {"a": first, "b": np.array(draw(tenths)) / 10}, weight=weight)


@pytest.mark.sample(3)
@pytest.mark.parametrize("name", SINGLE)
@settings(max_examples=25)
@given(sample=samples())
def test_an_interval_holds_the_estimate_has_a_width_and_stays_in_the_range(name, sample):
    measure, (least, most) = SINGLE[name]
    found = interval(sample, measure)["a"]
    assert least - 1e-9 <= found.lower <= found.estimate <= found.upper <= most + 1e-9
    # The number of a constant may be known: it gains nothing where it never acts, whatever was not seen.
    assert found.upper > found.lower or len(sample.table("a")) == 1


@pytest.mark.sample(3)
@pytest.mark.parametrize("name", SINGLE)
@settings(max_examples=25)
@given(sample=samples())
def test_a_difference_holds_the_estimate_and_says_which_is_better(name, sample):
    measure, (least, most) = SINGLE[name]
    found = compare(sample, "a", "b", measure)
    assert least - most - 1e-9 <= found.lower <= found.difference <= found.upper <= most - least + 1e-9
    better = recognise(measure).better == "larger"
    assert (found.probability_better - 0.5) * found.difference * (1 if better else -1) >= 0


@pytest.mark.parametrize("name", SINGLE)
def test_weights_have_no_unit(name):
    y, good, other = scores(60)
    weight = np.random.default_rng(1).gamma(2, size=60)
    for function in (interval, lambda c, m: {"a": compare(c, "a", "b", m)}):
        small, large = (
            function(Cases(y, {"a": good, "b": other}, weight=weight * unit), SINGLE[name][0])["a"]
            for unit in (1e-9, 1e9)
        )
        assert_allclose([small.lower, small.upper], [large.lower, large.upper], rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("name", SINGLE)
def test_equal_weights_are_none(name):
    y, good, other = scores(50)
    for function in (interval, lambda c, m: {"a": compare(c, "a", "b", m)}):
        plain, heavy = (
            function(Cases(y, {"a": good, "b": other}, weight=weight), SINGLE[name][0])["a"]
            for weight in (None, np.full(50, 2.5))
        )
        assert_allclose([plain.lower, plain.upper], [heavy.lower, heavy.upper], rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("name", SINGLE)
def test_the_same_sample_several_times_is_a_narrower_interval(name):
    y, good, other = scores(40)
    widths = []
    for times in (1, 3, 9):
        sample = Cases(np.tile(y, times), {"a": np.tile(good, times), "b": np.tile(other, times)})
        one, two = interval(sample, SINGLE[name][0])["a"], compare(sample, "a", "b", SINGLE[name][0])
        widths.append((one.upper - one.lower, two.upper - two.lower))
    assert (np.diff(widths, axis=0) < 0).all()


# ------------------------------------------------------------------------------------------- nothing was seen


def test_500_cases_without_an_error_are_not_zero_error():
    y = np.repeat([1, 0], [60, 440])
    found = interval(Cases(y, {"a": y.astype(float)}), REGRET)["a"]
    assert (found.estimate, found.lower) == (0.0, 0.0)
    # 0.89 is the cost of a positive that is missed: half a case of it, and next to it half of a false alarm.
    assert_allclose(found.upper, math.hypot(0.89, 0.11) * stats.beta.ppf(0.975, 0.5, 500), rtol=1e-12)
    told = evaluate(y, {"a": y.astype(float)}, Uniform(0.02, 0.2)).ranking[0].regret
    assert (told.lower, told.upper) == (found.lower, found.upper)


@pytest.mark.parametrize("seed", range(5))
def test_regret_is_never_below_zero(seed):
    rng = np.random.default_rng(seed)
    y = np.repeat([1, 0], [5, 95])
    nearly = np.where(rng.random(100) < 0.03, 1 - y, y)
    for measure in (REGRET, brier_score, partial(shifted_regret, costs=0.2, prevalence=0.05)):
        assert interval(Cases(y, {"a": nearly}), measure)["a"].lower >= 0


def test_a_perfect_area_is_not_certain():
    y = np.repeat([1, 0], [5, 95])
    found = interval(Cases(y, {"a": y}), auc)["a"]
    assert found.upper == 1
    assert 0.75 < found.lower < 0.85


def test_models_that_never_disagreed_may_differ_all_the_same():
    sample = Cases([0, 1, 0, 1, 0], {"a": [0.1, 0.9, 0.2, 0.8, 0.3], "b": [0.2, 0.8, 0.1, 0.9, 0.4]})
    found = compare(sample, "a", "b", accuracy)
    assert (found.difference, found.probability_better) == (0.0, 0.5)
    assert_allclose([-found.lower, found.upper], math.sqrt(2) * stats.beta.ppf(0.975, 0.5, 5))
    assert compare(sample, "a", "a", accuracy).upper == 0


def test_models_that_disagree_on_everything_are_surely_apart():
    y = np.arange(4000) % 2 == 0
    models = {"right": np.where(y, 0.9, 0.1), "wrong": np.where(y, 0.1, 0.9)}
    assert compare(Cases(y, models), "right", "wrong", accuracy).probability_better > 1 - 1e-12


# ------------------------------------------------------------------------------------------- the definition


def by_definition(values, positive, bounds, z, cluster=None):
    """Return the ends of a mean of signed values, in loops over kinds; `bounds` are those of each class."""
    n, units = len(values), values - values.mean()
    variance, design = units @ units / (n * (n - 1)), 1.0
    if cluster is not None:
        by_cluster = np.bincount(cluster, units) / n
        sizes = len(by_cluster)
        variance = sizes / (sizes - 1) * (by_cluster @ by_cluster)
        for _ in range(60):  # cases count as one of n / design
            design = max(1.0, variance / (units @ units / n**2 / (1 - design / n)))
    reach = {"up": 0.0, "down": 0.0}
    for of_class, bound in zip((positive, ~positive), bounds, strict=True):
        for sign, m in zip((1, -1), bound, strict=True):
            if m == 0:
                continue
            v = np.where(of_class, np.maximum(sign * values, 0), 0.0)
            size, total, square = n / design, v.sum() / design, v @ v / design
            variance -= (square - total**2 / size) / size**2
            more = beta_end((total + m / 2) / (size + 0.5), (square + m**2 / 2) / (size + 0.5), size, m, z)
            less = beta_end(total / (size + 0.5), square / (size + 0.5), size, m, -z) if total > 0 else 0.0
            reach["up" if sign > 0 else "down"] += max(more - total / size, 0) ** 2
            reach["down" if sign > 0 else "up"] += max(total / size - less, 0) ** 2
    down, up = (math.sqrt(max(reach[way] + z**2 * variance, 0)) for way in ("down", "up"))
    return values.mean() - down, values.mean() + up


def beta_end(mean, second, n, m, z):
    variance = (second - mean**2) / (n + 1.5)
    total = mean / m * (1 - mean / m) / (variance / m**2) - 1
    return m * stats.beta.ppf(stats.norm.cdf(z), mean / m * total, (1 - mean / m) * total)


def acting(sample, model, threshold, brings):
    return np.where(sample.table(model).score[sample.rows(model)] >= threshold, 1.0, 0) * np.where(
        sample.positive, *brings
    )


THRESHOLD = {
    "regret": (partial(expected_regret, costs=At(0.2)), 0.2, (-0.8, 0.2)),
    "net benefit": (partial(net_benefit, costs=At(0.2)), 0.2, (1, -0.25)),
    "accuracy": (partial(accuracy, threshold=0.3), 0.3, (1, -1)),
}


@pytest.mark.parametrize("tied", [False, True])
@pytest.mark.parametrize("name", THRESHOLD)
def test_at_one_threshold_the_ends_are_those_of_four_kinds_of_disagreement(name, tied):
    measure, threshold, brings = THRESHOLD[name]
    sample = cases(60, seed=6)
    if tied:
        score = {m: sample.table(m).score[sample.rows(m)] for m in sample.models}
        models = {m: np.where(np.arange(60) % 3 == k, threshold, one) for k, (m, one) in enumerate(score.items())}
        sample = Cases(sample.positive, models)
    found = compare(sample, "good", "other", measure, level=0.9)
    gap = acting(sample, "good", threshold, brings) - acting(sample, "other", threshold, brings)
    bounds = [(abs(one), abs(one)) for one in brings]
    assert_allclose(
        [found.lower, found.upper], by_definition(gap, sample.positive, bounds, stats.norm.ppf(0.95)), rtol=1e-9
    )


@pytest.mark.parametrize("name", THRESHOLD)
def test_the_probability_is_that_of_the_interval_that_ends_at_zero(name):
    measure, threshold, brings = THRESHOLD[name]
    for seed in range(8):
        sample = cases(60, seed=seed)
        found = compare(sample, "good", "other", measure)
        above = 1 - found.probability_better if name == "regret" else found.probability_better
        if abs(above - 0.5) > 1e-9:
            gap = acting(sample, "good", threshold, brings) - acting(sample, "other", threshold, brings)
            bounds = [(abs(one), abs(one)) for one in brings]
            ends = by_definition(gap, sample.positive, bounds, stats.norm.ppf(max(above, 1 - above)))
            assert_allclose(ends[0 if found.difference > 0 else 1], 0.0, atol=1e-9)


def test_under_a_belief_an_unseen_case_is_half_way_between_the_largest_seen_and_the_bound():
    sample = cases(80)
    values = [(sample.positive - sample.table(name).score[sample.rows(name)]) ** 2 for name in sample.models]
    gap = values[0] - values[1]
    bounds = [((np.abs(gap[of]).max() + 1) / 2,) * 2 for of in (sample.positive, ~sample.positive)]
    found = compare(sample, "good", "other", brier_score)
    assert_allclose(
        [found.lower, found.upper], by_definition(gap, sample.positive, bounds, stats.norm.ppf(0.975)), rtol=1e-9
    )


def test_clusters_count_as_fewer_cases_and_have_students_deviate():
    cluster = np.arange(200) // 5
    sample = cases(200, cluster=cluster)
    found = interval(sample, brier_score)["good"]
    loss = (sample.positive - sample.table("good").score[sample.rows("good")]) ** 2
    z = stats.t.ppf(0.975, 39)
    assert_allclose(
        [found.lower, found.upper], by_definition(loss, sample.positive, [(1, 0), (1, 0)], z, cluster), rtol=1e-9
    )


def test_a_skill_is_in_its_interval_if_what_it_saves_may_be_nothing():
    sample, costs = cases(60), Uniform(0.1, 0.4)
    found = interval(sample, skill_score, costs=costs)["good"]
    score, share = sample.table("good").score[sample.rows("good")], np.mean(sample.positive)
    loss = np.where(sample.positive, costs.loss_if_positive(score), costs.loss_if_negative(score))
    most = float(costs.loss_if_positive(np.zeros(1))[0]), float(costs.loss_if_negative(np.ones(1))[0])
    constant = float(costs.loss_if_positive(np.array([share]))[0]), float(costs.loss_if_negative(np.array([share]))[0])
    for end, side in ((found.lower, 1), (found.upper, 0)):
        zero = np.array(constant) * (1 - end)
        values = loss - np.where(sample.positive, *zero)
        bounds = [(max(m - one, 0), one) for m, one in zip(most, zero, strict=True)]
        assert_allclose(by_definition(values, sample.positive, bounds, stats.norm.ppf(0.975))[side], 0, atol=1e-10)


def test_skill_has_no_lower_bound_where_there_may_be_next_to_no_positive():
    y = np.repeat([1, 0], [1, 60])
    assert interval(Cases(y, {"a": np.full(61, 0.5)}), skill_score, costs=Uniform(0.1, 0.4))["a"].lower == -math.inf


def test_a_table_has_the_interval_of_its_cases():
    sample = cases(150, decimals=2)
    for name in ("regret", "Brier score", "net benefit", "accuracy", "regret at another prevalence"):
        own = interval(sample, SINGLE[name][0])["good"]
        found = TableStudy({"good": sample.table("good")}, SINGLE[name][0]).intervals()["good"]
        assert_allclose([found.lower, found.upper], [own.lower, own.upper], rtol=1e-9)


def test_one_threshold_is_told_from_a_belief():
    forms = {name: recognise(measure).form for name, measure in KNOWN.items() if name != "auc"}
    at_one = {"expected_regret at one cost", "accuracy", "accuracy at a threshold", "weighted_accuracy"}
    assert {name for name, form in forms.items() if form.at_one_threshold} == at_one


def test_what_a_case_adds_at_most_is_stated_by_each_measure():
    share = score_table([0, 0, 0, 1], [0.1, 0.2, 0.3, 0.4]).prevalence
    for measure, expected in (
        (partial(expected_regret, costs=At(0.2)), [[0.8, 0], [0, 0.2]]),
        (partial(net_benefit, costs=At(0.2)), [[0, 1], [0, -0.25]]),
        (partial(accuracy, threshold=7), [[-1, 0], [0, -1]]),
        (partial(weighted_accuracy, cost=0.2), np.array([[-0.8, 0], [0, -0.2]]) / (0.8 * share + 0.2 * (1 - share))),
        (partial(shifted_regret, costs=At(0.2), prevalence=At(0.1)), [[0.08 / share, 0], [0, 0.18 / (1 - share)]]),
    ):
        values = recognise(measure).form.case_values(share)
        assert_allclose(values.extremes, expected, atol=1e-15)


def test_misses_are_rare_on_either_side():
    """Where a sample of 100 holds five positives and nine in ten of them are found."""
    rng, missed, true = np.random.default_rng(8), np.zeros(2), 0.05 * 0.9 - 0.95 * 0.1 / 9
    for _ in range(400):
        y = rng.random(100) < 0.05
        score = np.where(rng.random(100) < np.where(y, 0.9, 0.1), 0.5, 0.05)
        found = interval(Cases(y, {"a": score}), net_benefit, costs=At(0.1))["a"]
        missed += true < found.lower, true > found.upper
    assert (missed / 400 < 0.05).all()


@pytest.mark.parametrize("function", [lambda x: x**3 - 2, lambda x: math.exp(x) - 3, lambda x: x - 1e-9])
def test_a_root_is_found_to_the_last_digits(function):
    found = root(function, 0.0, 2.0)
    assert function(found - 1e-14) <= 0 <= function(found + 1e-14)


def test_a_study_keeps_what_a_case_adds():
    study = Study(cases(50), REGRET)
    assert study.intervals() == study.intervals()


# ------------------------------------------------------------------------------------------- levels and clusters


LINEAR = [name for name in SINGLE if "skill" not in name and name != "weighted accuracy"]  # the others are inverted


def ends_at(sample, measure, deviate):
    """Return the ends of the interval and of the difference at a normal deviate."""
    level = 1 - 2 * stats.norm.sf(deviate)
    own, difference = interval(sample, measure, level=level)["a"], compare(sample, "a", "b", measure, level=level)
    return np.array([-own.lower, own.upper, -difference.lower, difference.upper])


@pytest.mark.sample(3)
@pytest.mark.parametrize("name", LINEAR)
@settings(max_examples=10)
@given(sample=samples(), deviate=st.floats(0.05, 6.0), more=st.floats(0.001, 0.5))
def test_an_interval_of_a_higher_level_holds_that_of_a_lower_one(name, sample, deviate, more):
    measure = SINGLE[name][0]
    assert (ends_at(sample, measure, deviate + more) >= ends_at(sample, measure, deviate) - 1e-9).all()


@pytest.mark.sample(3)
@pytest.mark.parametrize("name", LINEAR)
@settings(max_examples=10)
@given(sample=samples(), deviate=st.floats(0.05, 6.0) | st.just(3.0))
def test_the_ends_are_continuous_in_the_level(name, sample, deviate):
    measure = SINGLE[name][0]
    before, after = (ends_at(sample, measure, deviate + side) for side in (-1e-7, 1e-7))
    assert_allclose(before, after, atol=1e-5)


def test_the_ends_do_not_jump_at_three_standard_errors():
    sample = cases(60, seed=6)
    gaps = [np.diff([ends_at_of_good(sample, z) for z in pair], axis=0) for pair in ((2.9, 2.9002), (2.9999, 3.0001))]
    assert (np.abs(gaps[1]) < 3 * np.abs(gaps[0])).all()


def ends_at_of_good(sample, deviate):
    found = interval(sample, expected_regret, costs=At(0.2), level=1 - 2 * stats.norm.sf(deviate))["good"]
    return found.lower, found.upper


def test_a_model_that_is_always_wrong_may_be_right_on_some_cases():
    """Where both classes are of one kind, what they have in common would take off more than the quantiles reach."""
    y = np.arange(55) % 6 == 0
    weight = np.random.default_rng(2).uniform(0.5, 1.5, 55)
    found = interval(Cases(y, {"a": 1.0 - y}, weight=weight), accuracy)["a"]
    assert (found.estimate, found.lower) == (0.0, 0.0)
    assert 1 / 55 < found.upper < 4 / 55


def test_the_design_effect_is_the_ratio_of_the_variances():
    rng = np.random.default_rng(4)
    cluster = np.repeat(np.arange(8), 5000)
    influence = rng.normal(size=8)[cluster] / 10 + rng.normal(size=40_000)
    influence -= influence.mean()
    by_cluster, by_case = np.bincount(cluster, influence), float(influence @ influence)
    found = Sampling.of_clusters(by_cluster, by_case, 40_000)
    assert_allclose(found.design, (8 / 7 * by_cluster @ by_cluster) / (40_000 / 39_999 * by_case), rtol=0.01)
    assert found.variance == 8 / 7 * float(np.einsum("i,i->", by_cluster, by_cluster))


@given(copies=st.integers(1, 9), clusters=st.integers(3, 40))
def test_copies_of_a_case_count_as_one(copies, clusters):
    influence = np.random.default_rng(clusters).normal(size=clusters)
    influence -= influence.mean()
    found = Sampling.of_clusters(influence, float(influence @ influence) / copies, clusters * copies)
    assert_allclose(found.design, copies, rtol=1e-12)


def test_few_clusters_at_a_high_level_have_ends():
    few = Cases([0, 0, 1, 0, 0, 0, 0], {"a": [0.1, 0.6, 0.6, 0.1, 0.1, 0.1, 0.1]}, cluster=[0, 1, 2, 3, 3, 3, 3])
    found = interval(few, partial(net_benefit, costs=At(0.2)), level=0.9999)["a"]
    assert (found.lower, found.upper) == (-ODDS, 1.0)

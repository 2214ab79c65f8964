"""Every measure states its facts, is recognised however it is written, and obeys the laws of all of them."""

import math
import pickle
from functools import partial

import numpy as np
import pytest
from every_number import needed, number, sample

from stakes import (
    At,
    Cases,
    Measure,
    Uniform,
    auc,
    brier_score,
    compare,
    decompose,
    expected_regret,
    interval,
    net_benefit,
    rank,
    recalibrate,
    score_table,
    skill_score,
    top_k,
)
from stakes.measures import REGISTRY, recognise

ROWS = 80
every_measure = pytest.mark.parametrize("name", REGISTRY)


def cases(**options):
    y, score = sample(ROWS)
    return Cases(y, {"a": score, "b": np.sqrt(score)}, **options)


# ------------------------------------------------------------------------------------------- facts


@every_measure
def test_a_measure_states_direction_reading_and_form_or_why_there_is_none(name):
    stated = REGISTRY[name]
    assert stated.better in ("smaller", "larger")
    assert stated.reads in ("probabilities", "order")
    assert (stated.form is None) == bool(stated.why_resampled)
    assert stated.resampled in ("bca", "basic")


@pytest.mark.parametrize("name", [name for name in REGISTRY if not REGISTRY[name].field])
def test_the_docstring_says_the_same_direction(name):
    assert f"{REGISTRY[name].better.capitalize()} is better" in REGISTRY[name].function.__doc__


# ------------------------------------------------------------------------------------------- recognised


def written(name):
    """Return a measure as a partial and as lambdas; a part of a record can only be a lambda."""
    stated, given = REGISTRY[name], needed(name)
    if stated.field:
        return [number(name)]
    return [partial(stated.function, **given), lambda table: stated.function(table=table, **given), number(name)]


@every_measure
def test_a_measure_is_recognised_however_it_is_written(name):
    stated, table = REGISTRY[name], score_table(*sample(ROWS))
    for one in written(name):
        found = recognise(one)
        assert (found.name, found.better, found.reads) == (name, stated.better, stated.reads)
        assert (found.form is None) == (stated.form is None)
        assert found.resampled == stated.resampled
        assert found(table) == number(name)(table)
        assert recognise(found) is found


def test_parameters_may_be_given_by_place():
    table = score_table(*sample(ROWS))
    found = recognise(lambda table: expected_regret(table, At(0.2)))
    assert found(table) == expected_regret(table, At(0.2))
    assert recognise(lambda table: top_k(table, k=3).precision)(table) == top_k(table, k=3).precision


@pytest.mark.sample(9)
@every_measure
def test_a_lambda_around_a_measure_equals_its_partial(name):
    options = {"n_resamples": 100, "rng": 1}
    first, *others = [interval(cases(), one, **options) for one in written(name)]
    assert all(other == first for other in others)
    chances = [compare(cases(), "a", "b", one, **options) for one in written(name)]
    assert all(one == chances[0] for one in chances)


@pytest.mark.sample(3)
@pytest.mark.parametrize("name", [name for name in REGISTRY if not REGISTRY[name].field])
def test_keywords_that_are_not_the_functions_own_go_to_the_measure(name):
    found = interval(cases(), REGISTRY[name].function, n_resamples=100, rng=1, **needed(name))
    assert found == interval(cases(), number(name), n_resamples=100, rng=1)


CUSTOM = {
    "a multiple": lambda table: 2 * auc(table),
    "a parameter of the table": lambda table: expected_regret(table, At(table.prevalence)),
    "another table": lambda table: auc(recalibrate(table)),
    "a bound": lambda table: max(auc(table), 0.5),
    "a part that is no measure": lambda table: decompose(table, Uniform()).total,
    "something else of the table": lambda table: table.prevalence,
    "a constant": lambda table: 0.5,
    "a built-in": max,
    "a table of its own": partial(auc, score_table([0, 1], [0.2, 0.7])),
}


@pytest.mark.parametrize("custom", CUSTOM.values(), ids=CUSTOM)
def test_what_looks_at_the_table_or_computes_with_the_answer_is_custom(custom):
    found = recognise(custom)
    assert (found.form, found.better, found.value) == (None, None, custom)
    assert recognise(custom, "larger").better == "larger"


def test_one_part_of_a_record_is_recognised():
    found = recognise(lambda table: decompose(table, Uniform()).miscalibration)
    assert (found.name, found.better, found.resampled) == ("decompose.miscalibration", "smaller", "basic")


def test_a_direction_that_is_said_goes_before_the_one_that_is_known():
    assert recognise(auc, "smaller").better == "smaller"
    with pytest.raises(ValueError, match=r"`better` must be one of .*, got 'lower'\."):
        recognise(auc, "lower")


def test_a_bad_parameter_of_ours_is_refused_before_anything_is_computed():
    with pytest.raises(ValueError, match="`cost_range` must go from low to high"):
        recognise(lambda table: brier_score(table, cost_range=(0.5, 0.2)))


@pytest.mark.parametrize("name", [name for name in REGISTRY if not REGISTRY[name].field])
def test_a_measure_of_ours_can_be_sent_to_a_worker(name):
    found, table = recognise(partial(REGISTRY[name].function, **needed(name))), score_table(*sample(ROWS))
    assert pickle.loads(pickle.dumps(found.value))(table) == found(table)


# ------------------------------------------------------------------------------------------- keywords


def test_all_three_questions_take_the_parameters_of_the_measure():
    one = partial(expected_regret, costs=Uniform(0.05, 0.2))
    assert interval(cases(), expected_regret, costs=Uniform(0.05, 0.2)) == interval(cases(), one)
    benefit = partial(net_benefit, costs=At(0.1))
    assert compare(cases(), "a", "b", net_benefit, costs=At(0.1)) == compare(cases(), "a", "b", benefit)
    found = rank(cases(), skill_score, costs=Uniform(0.05, 0.2), rng=1)
    same = rank(cases(), lambda table: skill_score(table, Uniform(0.05, 0.2)), rng=1)
    assert found.probability_best == same.probability_best


UNKNOWN = {
    "of ours": (
        lambda: interval(cases(), net_benefit, cots=At(0.1)),
        "`parameters` must be arguments of interval (better, method, level, n_resamples, rng, by_class, exact) or "
        "of net_benefit (costs), got `cots`.",
    ),
    "of the question": (
        lambda: rank(cases(), auc, levle=0.9),
        "`parameters` must be arguments of rank (better, prior, method, n_resamples, rng, by_class, exact) or "
        "of auc (none), got `levle`.",
    ),
    "of a measure that has its parameters": (
        lambda: compare(cases(), "a", "b", Measure("mine", auc, "larger"), costs=At(0.1)),
        "`parameters` must be arguments of compare (better, method, level, n_resamples, rng, by_class, exact) or "
        "of mine (none), got `costs`.",
    ),
}


@pytest.mark.parametrize(("call", "text"), UNKNOWN.values(), ids=UNKNOWN)
def test_an_unknown_keyword_is_refused_with_both_lists(call, text):
    with pytest.raises(TypeError) as caught:
        call()
    assert str(caught.value) == text


def test_a_function_of_ones_own_may_take_parameters_too():
    def scaled(table, factor, *, power=1):
        return factor * auc(table) ** power

    def anything(table, **given):
        return given["factor"] * auc(table)

    area, options = auc(cases().table("a")), {"n_resamples": 100, "rng": 1}
    assert interval(cases(), scaled, factor=2.0, power=2, **options)["a"].estimate == 2 * area**2
    assert interval(cases(), anything, factor=3.0, **options)["a"].estimate == 3 * area


# ------------------------------------------------------------------------------------------- laws


@every_measure
def test_the_order_of_the_cases_does_not_matter(name):
    y, score = sample(ROWS)
    shuffled = np.random.default_rng(1).permutation(ROWS)
    assert number(name)(score_table(y, score)) == number(name)(score_table(y[shuffled], score[shuffled]))


@every_measure
def test_a_whole_weight_is_as_many_cases(name):
    y, score = sample(ROWS)
    weight = np.arange(ROWS) % 3 + 1
    heavy = number(name)(score_table(y, score, weight))
    assert math.isclose(heavy, number(name)(score_table(np.repeat(y, weight), np.repeat(score, weight))), rel_tol=1e-12)


@every_measure
def test_a_case_of_no_weight_is_absent(name):
    y, score = sample(ROWS)
    weight = (np.arange(ROWS) % 4 > 0).astype(float)
    here = weight > 0
    assert number(name)(score_table(y, score, weight)) == number(name)(score_table(y[here], score[here]))

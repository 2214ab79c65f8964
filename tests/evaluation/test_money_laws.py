"""Costs in money, everywhere that costs are taken: a fixed pair is one cost proportion times what both cost."""

import inspect
from functools import partial

import numpy as np
import pytest
from every_number import needed
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import integrate
from strategies import tables

import stakes
from stakes import At, Beta, Limits, LogOddsUniform, Uniform, expected_regret, score_table
from stakes.beliefs import IndependentCosts, Mixture
from stakes.cases import Cases
from stakes.evaluation import Decision, evaluate
from stakes.limits import partial_voros, partial_voros_map
from stakes.measures import REGISTRY
from stakes.policy import best_recall_threshold, best_thresholds, policy_cost, select
from stakes.prevalence import at_prevalence, explain_gap, explain_gaps, shifted_regret
from stakes.uncertainty import Study, miscalibration

MISS, ALARM = 160.0, 40.0
MONEY = IndependentCosts(false_negative=(MISS, MISS), false_positive=(ALARM, ALARM))
POINT, BOTH = At(ALARM / (MISS + ALARM)), MISS + ALARM
RANGE = IndependentCosts(false_negative=(100, 300), false_positive=(20, 60))
LIMITS = Limits(capacity=0.4, min_precision=0.2)

_RNG = np.random.default_rng(7)
Y = (_RNG.random(300) < 0.25).astype(int)
SCORES = {
    name: np.round(np.clip(_RNG.beta(1.5, 5, 300) + lift * Y, 0.001, 0.999), 3)
    for name, lift in {"sharp": 0.25, "dull": 0.1}.items()
}
TABLES = {name: score_table(Y, score) for name, score in SCORES.items()}
TABLE, OTHER = TABLES["sharp"], score_table(Y[:140], SCORES["sharp"][:140])

# How each number that takes costs changes when they are in money; a new one must say so here.
IN_MONEY = {"expected_regret", "cost_per_case", "miscalibration", "discrimination", "shifted_regret"}
SHARES = {"skill_score", "h_measure", "voros", "partial_voros"}
NOT_IN_MONEY = {"net_benefit", "shifted_net_benefit", "prior_adjusted_net_benefit", "shifted_weighted_accuracy"}
TAKE_COSTS = sorted(name for name, one in REGISTRY.items() if "costs" in inspect.signature(one.function).parameters)


def number(name, costs):
    stated = REGISTRY[name]
    value = stated.function(TABLE, **needed(name) | {"costs": costs})
    return getattr(value, stated.field) if stated.field else value


def field(name):
    return REGISTRY[name].field or name


def test_every_measure_of_costs_is_in_money_or_a_share_or_refused():
    assert {field(name) for name in TAKE_COSTS} == IN_MONEY | SHARES | NOT_IN_MONEY


@pytest.mark.parametrize("name", [name for name in TAKE_COSTS if field(name) in IN_MONEY])
def test_money_is_what_both_mistakes_cost_times_the_proportion(name):
    assert number(name, MONEY) == pytest.approx(BOTH * number(name, POINT), rel=1e-12)


@pytest.mark.parametrize("name", [name for name in TAKE_COSTS if field(name) in SHARES])
def test_a_share_is_the_same_in_any_money(name):
    assert number(name, MONEY) == pytest.approx(number(name, POINT), rel=1e-12)


@pytest.mark.parametrize("name", [name for name in TAKE_COSTS if field(name) in NOT_IN_MONEY])
def test_what_is_neither_is_refused_in_plain_words(name):
    with pytest.raises(TypeError, match="since this number is not in money"):
        number(name, MONEY)


# ------------------------------------------------------------------------------------------------ policies, limits


@given(tables(), st.sampled_from([None, Limits(capacity=0.5), Limits(min_precision=0.4)]))
def test_a_policy_in_money_is_that_of_the_proportion(table, limits):
    money, point = best_thresholds(table, MONEY, limits), best_thresholds(table, POINT, limits)
    assert money.mean_regret == pytest.approx(BOTH * point.mean_regret, rel=1e-12, abs=1e-15)
    for column in ("from_cost", "to_cost", "threshold", "share", "recall", "alarms_per_thousand"):
        np.testing.assert_array_equal(getattr(money, column), getattr(point, column))


def test_the_best_recall_threshold_in_money():
    money, point = (best_recall_threshold(TABLE, costs, LIMITS) for costs in (MONEY, POINT))
    assert money.mean_regret == pytest.approx(BOTH * point.mean_regret, rel=1e-12)


def test_what_a_policy_costs_elsewhere_in_money():
    money, point = (policy_cost(best_thresholds(TABLE, costs, LIMITS), OTHER, costs) for costs in (MONEY, POINT))
    assert money.regret == pytest.approx(BOTH * point.regret, rel=1e-12)
    assert money.normalised_cost == pytest.approx(point.normalised_cost, rel=1e-12)
    assert money.violations == point.violations


@pytest.mark.parametrize("by", ["partial_voros", "voros", "max_feasible_recall", "feasible_partial_auc"])
def test_a_choice_among_models_in_money(by):
    money, point = (select(TABLES, costs, LIMITS, by=by) for costs in (MONEY, POINT))
    assert money.best == point.best
    assert money.values == pytest.approx(point.values, rel=1e-12)
    assert money.policy.mean_regret == pytest.approx(BOTH * point.policy.mean_regret, rel=1e-12)


def test_a_map_of_limits_in_money():
    grid = {"min_precision": [0.1, 0.3], "capacity": [0.2, 0.6]}
    money, point = (partial_voros_map(TABLES, costs, **grid).value for costs in (MONEY, POINT))
    np.testing.assert_allclose(money, point, rtol=1e-12)


@settings(max_examples=40)
@given(tables(max_size=20))
def test_the_best_thresholds_cost_what_the_recalibrated_scores_cost(table):
    recalibrated = expected_regret(stakes.recalibrate(table), RANGE)
    assert best_thresholds(table, RANGE).mean_regret == pytest.approx(recalibrated, rel=1e-11, abs=1e-11)


@given(tables(max_size=20), st.sampled_from([Limits(capacity=0.5), Limits(min_precision=0.4)]))
@settings(max_examples=25)
def test_under_limits_a_range_costs_what_its_pairs_of_costs_do(table, limits):
    """The mean over a grid of pairs, each with its own best feasible threshold."""
    miss, alarm = (
        np.linspace(low, high, 24, endpoint=False) + (high - low) / 48
        for low, high in (RANGE.false_negative, RANGE.false_positive)
    )
    mean = np.mean([_least(table, limits, f, g) for f in miss for g in alarm])
    assert best_thresholds(table, RANGE, limits).mean_regret == pytest.approx(mean, rel=3e-3, abs=1e-12)


def _least(table, limits, miss, alarm):
    """Return the lowest cost of any feasible threshold, by trying all of them."""
    found = [miss * table.positive.sum()]
    for threshold in table.score:
        acted = table.score >= threshold
        hits, false = table.positive[acted].sum(), table.negative[acted].sum()
        few = limits.capacity is None or hits + false <= limits.capacity * table.total * (1 + 1e-12)
        precise = limits.min_precision is None or hits >= limits.min_precision * (hits + false) * (1 - 1e-12)
        if few and precise:
            found.append(miss * (table.positive.sum() - hits) + alarm * false)
    return min(found) / table.total


def test_the_share_of_a_step_is_a_probability():
    policy = best_thresholds(TABLE, RANGE)
    assert policy.share.sum() == pytest.approx(1, rel=1e-12)
    above = RANGE.share_above(np.append(policy.from_cost, policy.to_cost[-1]))
    np.testing.assert_allclose(policy.share, -np.diff(above), atol=1e-12)


# ----------------------------------------------------------------------------------------------------- prevalence

PREVALENCES = [
    At(0.05),
    Uniform(0.02, 0.3),
    LogOddsUniform(0.02, 0.3),
    Beta(2, 20),
    Mixture([At(0.1), Uniform(0, 1)], [1, 2]),
]


@pytest.mark.parametrize("prevalence", PREVALENCES, ids=repr)
def test_at_another_prevalence_money_is_both_costs_times_the_proportion(prevalence):
    point = shifted_regret(TABLE, POINT, prevalence)
    assert shifted_regret(TABLE, MONEY, prevalence) == pytest.approx(BOTH * point, rel=1e-12)


@pytest.mark.parametrize("prevalence", PREVALENCES[:3], ids=repr)
def test_a_range_at_another_prevalence_is_the_mean_over_its_pairs_of_costs(prevalence):
    def at_pair(alarm, miss):
        return shifted_regret(
            TABLE, IndependentCosts(false_negative=(miss, miss), false_positive=(alarm, alarm)), prevalence
        )

    (f0, f1), (g0, g1) = RANGE.false_negative, RANGE.false_positive
    nodes, weights = np.polynomial.legendre.leggauss(24)
    x, w = (nodes + 1) / 2, weights / 2
    mean = sum(
        v * u * at_pair(g0 + (g1 - g0) * b, f0 + (f1 - f0) * a)
        for a, v in zip(x, w, strict=True)
        for b, u in zip(x, w, strict=True)
    )
    assert shifted_regret(TABLE, RANGE, prevalence) == pytest.approx(mean, rel=2e-3)


def test_at_one_prevalence_a_range_is_the_regret_of_the_moved_table():
    moved = expected_regret(at_prevalence(TABLE, 0.05), RANGE)
    assert shifted_regret(TABLE, RANGE, At(0.05)) == pytest.approx(moved, rel=1e-12)


def test_a_cost_so_small_that_the_proportion_rounds_still_has_a_regret():
    for miss, alarm in ((1e-300, 1e300), (1e300, 1e-300)):
        costs = IndependentCosts(false_negative=(miss, miss), false_positive=(alarm, alarm))
        for prevalence in (At(0.1), Uniform(0.1, 0.3), Beta(2, 20)):
            assert np.isfinite(shifted_regret(TABLE, costs, prevalence))


def test_gaps_between_groups_in_money():
    gaps = [explain_gap(TABLE, OTHER, costs, measure=shifted_regret) for costs in (MONEY, POINT)]
    for part in ("total", "label", "calibration", "sharpness"):
        money, point = (getattr(gap, part) for gap in gaps)
        assert money == pytest.approx(BOTH * point, rel=1e-11, abs=1e-12)
    both = explain_gaps({"this": TABLE, "other": OTHER}, "other", MONEY, measure=shifted_regret)
    assert both["this"].total == pytest.approx(gaps[0].total, rel=1e-9)


# --------------------------------------------------------------------------------------------------------- mixtures


@pytest.mark.parametrize(
    "ask",
    [
        lambda costs: expected_regret(TABLE, costs),
        lambda costs: shifted_regret(TABLE, costs, At(0.1)),
        lambda costs: shifted_regret(TABLE, costs, Uniform(0.05, 0.2)),
        lambda costs: best_thresholds(TABLE, costs, LIMITS).mean_regret,
        lambda costs: partial_voros(TABLE, costs, LIMITS),
    ],
)
def test_a_mixture_is_the_mean_of_its_parts(ask):
    parts, weights = [MONEY, RANGE, Uniform(0.1, 0.3)], [0.2, 0.5, 0.3]
    mean = sum(weight * ask(part) for part, weight in zip(parts, weights, strict=True))
    assert ask(Mixture(parts, weights)) == pytest.approx(mean, rel=1e-11)


def test_a_range_is_the_limit_of_mixtures_of_fixed_costs():
    cells = 40
    miss, alarm = (
        low + (np.arange(cells) + 0.5) * (high - low) / cells
        for low, high in (RANGE.false_negative, RANGE.false_positive)
    )
    pairs = [IndependentCosts(false_negative=(f, f), false_positive=(g, g)) for f in miss for g in alarm]
    mixed = Mixture(pairs, np.ones(len(pairs)))
    for limits in (None, LIMITS):
        many, exact = (best_thresholds(TABLE, costs, limits) for costs in (mixed, RANGE))
        assert many.mean_regret == pytest.approx(exact.mean_regret, rel=1e-3)


def test_brute_force_over_both_ranges():
    """The cost of one pair at each score, integrated over the rectangle by adaptive quadrature."""
    few = score_table([0, 1, 0, 1], [0.1, 0.15, 0.3, 0.6])

    def cost(alarm, miss):
        acted = few.score >= alarm / (miss + alarm)
        return float(miss * few.positive[~acted].sum() + alarm * few.negative[acted].sum()) / few.total

    (f0, f1), (g0, g1) = RANGE.false_negative, RANGE.false_positive

    def along(miss):
        turns = [s / (1 - s) * miss for s in few.score if g0 < s / (1 - s) * miss < g1]
        return integrate.quad(cost, g0, g1, args=(miss,), points=turns or None)[0]

    corners = sorted(g * (1 - s) / s for s in few.score for g in (g0, g1) if f0 < g * (1 - s) / s < f1)
    total = integrate.quad(along, f0, f1, points=corners or None, limit=200)[0]
    assert expected_regret(few, RANGE) == pytest.approx(total / (f1 - f0) / (g1 - g0), rel=1e-8)


# ------------------------------------------------------------------------------------------ intervals and evaluations


@pytest.mark.parametrize(
    "measure", [expected_regret, partial(shifted_regret, prevalence=At(0.1))], ids=["here", "moved"]
)
def test_intervals_comparisons_and_ranks_are_those_of_the_proportion(measure):
    sample = Cases(Y, SCORES)
    money, point = (Study(sample, partial(measure, costs=costs)) for costs in (MONEY, POINT))
    for name, one in money.intervals().items():
        other = point.intervals()[name]
        assert (one.lower, one.upper) == pytest.approx((BOTH * other.lower, BOTH * other.upper), rel=1e-9)
    one, other = (study.compare("dull", "sharp") for study in (money, point))
    assert (one.lower, one.upper) == pytest.approx((BOTH * other.lower, BOTH * other.upper), rel=1e-9)
    ranks = [study.rank(rng=1).probability_best for study in (money, point)]
    assert ranks[0] == pytest.approx(ranks[1], abs=2e-3)


def test_miscalibration_in_money():
    sample = Cases(Y, {"dull": SCORES["dull"]})
    money, point = (miscalibration(sample, costs, n_resamples=100, rng=1)["dull"] for costs in (MONEY, POINT))
    for part in ("estimate", "floor", "corrected"):
        assert getattr(money, part) == pytest.approx(BOTH * getattr(point, part), rel=1e-9)


DECISIONS = [
    {},
    {"limits": Limits(capacity=0.3)},  # resampled, and so few cases
    {"prevalence": "5%"},
    {"prevalence": "2%..20%"},
    {"prevalence": Beta(2, 20)},
    {"prevalence": "5%", "limits": Limits(min_precision=0.2)},
]


@pytest.mark.sample(3)
@pytest.mark.usefixtures("few_replicates")
@pytest.mark.parametrize("stated", DECISIONS, ids=repr)
def test_an_evaluation_in_money_is_that_of_the_proportion(stated):
    few = slice(60 if "limits" in stated else None)
    y, scores = Y[few], {name: score[few] for name, score in SCORES.items()}
    group = None if stated else np.where(np.arange(len(Y)) % 3, "a", "b")
    money, point = (evaluate(y, scores, Decision(costs, **stated), group=group, rng=1) for costs in (MONEY, POINT))
    assert [one.model for one in money.ranking] == [one.model for one in point.ranking]
    for one, other in zip(money.ranking, point.ranking, strict=True):
        ends = ("estimate", "lower", "upper")
        paid = [getattr(one.regret, end) for end in ends]
        assert paid == pytest.approx([BOTH * getattr(other.regret, end) for end in ends], rel=1e-8, abs=1e-9)
        assert one.skill == pytest.approx(other.skill, rel=1e-9, abs=1e-12, nan_ok=True)
        assert one.probability_best == pytest.approx(other.probability_best, abs=2e-3, nan_ok=True)
        assert (one.acts, one.partial_voros) == (other.acts, pytest.approx(other.partial_voros, nan_ok=True))
    for name in SCORES:
        np.testing.assert_array_equal(money.policies[name].threshold, point.policies[name].threshold)
    kinds = [{finding.kind for finding in one.findings} for one in (money, point)]
    assert kinds[0] - {"steady", "unsteady"} == kinds[1] - {"steady", "unsteady"}

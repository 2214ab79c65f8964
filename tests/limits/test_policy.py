"""Policies: the best threshold at each cost, the performance of its steps, and its cost on another sample."""

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from stakes import At, Beta, Limits, Uniform, best_thresholds, recalibrate, score_table
from stakes.beliefs import Atoms, CostRatio, EveryLogOdds, FractionalCost, InverseCostRatio
from stakes.limits import max_feasible_recall
from stakes.measures import expected_regret
from stakes.policy import best_recall_threshold, policy_cost

Y = np.array([0, 0, 0, 1, 0, 0, 1, 0, 1, 0, 1, 1])
SCORE = np.arange(12.0)
TABLE = score_table(Y, SCORE)


def drawn(seed: int, cases: int = 300, prevalence: float = 0.23):
    rng = np.random.default_rng(seed)
    y = rng.random(cases) < prevalence
    return y, np.round(rng.normal(size=cases) + 1.2 * y, 1)


def regret(y, score, threshold, c):
    alarm = score >= threshold
    return float(np.mean(c * (alarm & ~y) + (1 - c) * (~alarm & y)))


@pytest.mark.parametrize("limits", [None, Limits(capacity=0.2), Limits(min_precision=0.62, capacity=0.3)])
@pytest.mark.parametrize("seed", range(4))
def test_no_feasible_threshold_costs_less(seed, limits):
    y, score = drawn(seed)
    policy = best_thresholds(score_table(y, score), Uniform(0.02, 0.9), limits)
    thresholds = [*np.unique(score), math.inf]
    limits = limits or Limits()
    allowed = [
        threshold
        for threshold in thresholds
        if not (score >= threshold).any()
        or (
            (score >= threshold).mean() <= (limits.capacity or 1)
            and y[score >= threshold].mean() >= (limits.min_precision or 0)
        )
    ]
    for c in np.random.default_rng(seed).uniform(0.02, 0.9, 40):
        assert regret(y, score, policy(c), c) == pytest.approx(
            min(regret(y, score, threshold, c) for threshold in allowed)
        )


def test_without_limits_it_costs_what_the_recalibrated_score_does():
    y, score = drawn(11)
    table = score_table(y, score)
    for costs in (Uniform(0.1, 0.6), Beta(2, 5), At(0.31), Atoms([0.1, 0.3], [2, 1])):
        best = expected_regret(recalibrate(table), costs)
        assert best_thresholds(table, costs).mean_regret == pytest.approx(best, rel=1e-12)


def test_its_own_sample_costs_its_mean_regret():
    y, score = drawn(12)
    table, limits = score_table(y, score), Limits(capacity=0.15, min_precision=0.5)
    for costs in (Uniform(0.1, 0.6), CostRatio(0.1, 2), InverseCostRatio(1, 20), FractionalCost(0.2, 0.6), Beta(2, 5)):
        policy = best_thresholds(table, costs, limits)
        paid = policy_cost(policy, table, costs)
        assert paid.regret == pytest.approx(policy.mean_regret, rel=1e-12)
        assert not paid.violations.any
        assert policy.share.sum() == pytest.approx(1, rel=1e-12)


def test_each_step_says_what_it_does():
    y, score = drawn(13)
    policy = best_thresholds(score_table(y, score), Uniform(0.05, 0.7), Limits(capacity=0.4))
    assert_array_equal(policy.from_cost[1:], policy.to_cost[:-1])
    assert (policy.from_cost[0], policy.to_cost[-1]) == (0.05, 0.7)
    assert np.all(np.diff(policy.threshold) > 0)  # the dearer a false alarm, the higher the threshold
    for step, threshold in enumerate(policy.threshold):
        alarm = score >= threshold
        assert policy.recall[step] == pytest.approx(alarm[y].mean())
        assert policy.false_positive_rate[step] == pytest.approx(alarm[~y].mean())
        assert policy.precision[step] == pytest.approx(y[alarm].mean())
        assert policy.alarms_per_thousand[step] == pytest.approx(1000 * alarm.mean())
        middle = (policy.from_cost[step] + policy.to_cost[step]) / 2
        assert policy.regret[step] == pytest.approx(
            regret(y, score, threshold, middle)
        )  # straight in c: the middle is the mean
    assert_allclose(policy.share, (policy.to_cost - policy.from_cost) / 0.65, rtol=1e-12)


def test_at_a_tie_the_lower_threshold_acts():
    table = score_table(y=[0, 1, 0, 1], score=[1, 2, 3, 4])
    for costs, tie in ((Uniform(0.2, 0.8), 0.5), (CostRatio(0.2, 3), 1.0), (InverseCostRatio(0.2, 3), 1.0)):
        policy = best_thresholds(table, costs)
        assert sorted(policy.threshold) == [2.0, 4.0]
        assert policy(tie) == 2.0
        assert best_thresholds(table, At(0.5)).threshold.tolist() == [2.0]


def test_one_policy_on_four_scales():
    y, score = drawn(14)
    table, limits = score_table(y, score), Limits(capacity=0.3)
    odds = (1 - table.prevalence) / table.prevalence
    for c in (0.12, 0.2, 0.33, 0.41):
        ratio = c / (1 - c)
        thresholds = {
            best_thresholds(table, Uniform(0.1, 0.5), limits)(c),
            best_thresholds(table, CostRatio(0.1, 1), limits)(ratio),
            best_thresholds(table, InverseCostRatio(1, 12), limits)(1 / ratio),
            best_thresholds(table, FractionalCost(0.1, 0.9), limits)(ratio * odds / (1 + ratio * odds)),
        }
        assert len(thresholds) == 1


def test_costs_on_another_scale_are_the_same_costs():
    (y, score), (other_y, other_score) = drawn(15), drawn(16, prevalence=0.4)
    table, other = score_table(y, score), score_table(other_y, other_score)
    made = {
        "c": best_thresholds(table, Uniform(0.01, 0.9)),
        "ratio": best_thresholds(table, CostRatio(0.01, 9)),
        "inverse": best_thresholds(table, InverseCostRatio(0.111, 99)),
        "t": best_thresholds(table, FractionalCost(0.05, 0.98)),
    }
    for costs in (Uniform(0.1, 0.5), CostRatio(0.2, 1), InverseCostRatio(1, 9)):
        regrets = [policy_cost(policy, other, costs).regret for policy in made.values()]
        assert_allclose(regrets, regrets[0], rtol=1e-12)
    # The same t is another cost where the prevalence differs, so there the scale decides.
    assert policy_cost(made["t"], other, FractionalCost(0.2, 0.6)).regret != pytest.approx(
        policy_cost(made["c"], other, FractionalCost(0.2, 0.6)).regret, rel=1e-6
    )


def test_violations_and_their_size():
    limits = Limits(capacity=0.35, min_precision=0.6)
    policy = best_thresholds(TABLE, Uniform(0.1, 0.9), limits)
    assert policy.threshold.tolist() == [8.0, 10.0]  # below 2/3 four alarms, above it two
    other = score_table(
        [0, 1, 0, 0, 0, 1], [9, 10, 9, 9, 2, 11]
    )  # five alarms of six, two of them true; then two, true
    broken = policy_cost(policy, other, Uniform(0.1, 0.9)).violations
    below = (policy.to_cost[0] - 0.1) / 0.8
    assert broken.capacity == broken.precision == pytest.approx(below)
    assert broken.excess == pytest.approx(1000 * (5 / 6 - 0.35))
    assert broken.shortfall == pytest.approx(0.6 - 2 / 5)
    assert broken.any
    assert not policy_cost(policy, other, Uniform(0.1, 0.9), limits=Limits()).violations.any


def test_a_capacity_is_a_share_on_either_sample():
    policy = best_thresholds(TABLE, At(0.2), Limits.from_count(4, 12))
    twice = score_table(np.tile(Y, 2), np.tile(SCORE, 2))
    assert not policy_cost(policy, twice, At(0.2)).violations.any


def test_never_alarming_stays_silent_on_any_score():
    nothing = score_table(y=[0, 0, 1], score=[3, 2, 1])
    policy = best_thresholds(nothing, Uniform(0.4, 0.9), Limits(min_precision=0.9))
    assert policy.threshold.tolist() == [math.inf]
    assert np.isnan(policy.precision).all()
    paid = policy_cost(policy, score_table([1, 1, 0, 0], [math.inf, 2, 1, 0]), Uniform(0.4, 0.9))
    assert paid.regret == pytest.approx(0.35 * 0.5)  # two misses of four, at 1 - c
    assert paid.violations.precision == 0


def test_the_one_threshold_of_the_best_recall():
    limits = Limits(min_precision=0.4)
    policy = best_recall_threshold(TABLE, Uniform(0.1, 0.3), limits)
    assert policy.threshold.tolist() == [3.0]  # all five positives among nine alarms; 4/6 of the next have fewer
    assert policy(0.1) == policy(0.3) == 3.0
    assert policy.share.tolist() == [1.0]


@pytest.mark.parametrize("costs", [Uniform(0.1, 0.3), InverseCostRatio(1, 4), FractionalCost(0.1, 0.7)], ids=repr)
def test_the_one_threshold_of_the_best_recall_says_what_it_does(costs):
    limits = Limits(min_precision=0.4)
    policy = best_recall_threshold(TABLE, costs, limits)
    assert policy.recall.tolist() == [max_feasible_recall(TABLE, limits)] == [1.0]
    assert policy.precision.tolist() == [5 / 9]
    assert policy.false_positive_rate.tolist() == [4 / 7]
    assert policy.regret.tolist() == pytest.approx([policy_cost(policy, TABLE, costs).regret])


def test_a_sample_of_one_class_is_a_number():
    policy = best_thresholds(TABLE, Uniform(0.1, 0.3))
    paid = policy_cost(policy, score_table([0, 0], [0, 11]), Uniform(0.1, 0.3))
    assert paid.regret == pytest.approx(0.2 * 0.5)
    assert paid.normalised_cost == pytest.approx(0.5)
    assert best_thresholds(score_table([1, 1], [1, 2]), At(0.4)).threshold.tolist() == [1.0]


def test_steps_cannot_be_written_to():
    policy = best_thresholds(TABLE, Uniform(0.1, 0.9))
    assert not any(column.flags.writeable for column in policy.to_frame().values())
    assert len(policy) == len(policy.threshold)


@pytest.mark.parametrize(
    ("costs", "text"),
    [
        (At(0.2), "Policy(1 step over cost proportion 0.2 to 0.2)"),
        (CostRatio(0.5, 6), "Policy(2 steps over cost ratio 0.5 to 6)"),
        (FractionalCost(0.1, 0.9), "Policy(3 steps over fractional cost 0.1 to 0.9)"),
    ],
)
def test_a_policy_says_how_many_steps_it_has(costs, text):
    assert repr(best_thresholds(TABLE, costs)) == text


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (
            lambda: best_thresholds(TABLE, Uniform(0.1, 0.3))(0.4),
            ValueError,
            "`cost` must be a cost proportion between 0.1 and 0.3, the range of the policy, got 0.4.",
        ),
        (
            lambda: policy_cost(best_thresholds(TABLE, Uniform(0.1, 0.3)), TABLE, CostRatio(0.2, 0.7)),
            ValueError,
            "`costs` must lie within the range of the policy, cost ratio 0.111111 to 0.428571, got 0.2 to 0.7.",
        ),
        (
            lambda: best_thresholds(TABLE, EveryLogOdds()),
            TypeError,
            "`costs` must be a belief about one cost proportion with a finite mass, got EveryLogOdds().",
        ),
        (
            lambda: best_thresholds(TABLE, 30),
            ValueError,
            "`costs` must lie strictly between 0 and 1, got 30; 30% is 0.3.",
        ),
        (
            lambda: best_thresholds(TABLE, Uniform(0.1, 0.3), 0.1),
            TypeError,
            "`limits` must be Limits(capacity=, min_precision=), got float.",
        ),
        (
            lambda: CostRatio(0.2, 0.2),
            ValueError,
            "`low` must be less than `high`, got 0.2 for both; for a single ratio use `At(from_odds(0.2, 1))`.",
        ),
        (lambda: InverseCostRatio(-1, 2), ValueError, "`low` must be finite and not negative, got -1."),
        (lambda: InverseCostRatio(1, math.inf), ValueError, "`high` must be finite and not negative, got inf."),
        (lambda: FractionalCost(0.6, 0.2), ValueError, "`low` must be less than `high`, got low=0.6 and high=0.2."),
        (
            lambda: best_thresholds(score_table([1, 1], [1, 2]), FractionalCost(0.1, 0.2)),
            ValueError,
            "`table` must have both classes, got no negatives.",
        ),
    ],
)
def test_messages(make, error, message):
    with pytest.raises(error) as caught:
        make()
    assert str(caught.value) == message


def test_costs_say_what_they_are():
    assert repr(FractionalCost(0.2, 0.6)) == "FractionalCost(low=0.2, high=0.6)"
    assert repr(FractionalCost.of(At(0.3))) == "FractionalCost.of(At(value=0.3))"
    assert FractionalCost(0.2, 0.6) == FractionalCost.of(Uniform(0.2, 0.6))
    assert FractionalCost.of(Beta(2, 5, low=0.1)).support == (0.1, 1.0)

"""The same cases predicted several times: every number is a mean over the repeats."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from evaluation.samples import expit, risks
from hypothesis import given, settings
from hypothesis import strategies as st

from stakes import At, Decision, InputError, Limits, Uniform, auc, evaluate, net_benefit, score_table
from stakes._roles import DROP_HINT
from stakes.evaluation import _sources
from stakes.frames import DroppedRowsWarning

COSTS = Uniform(0.05, 0.4)
Y, LOGIT = risks(60, seed=5)
WEIGHT = np.random.default_rng(1).uniform(0.5, 2, len(Y))
near = {"rel": 1e-12, "abs": 1e-14}


def predicted(seed, repeats=3):
    """Return the predictions of two models in each repeat."""
    rng = np.random.default_rng(seed)
    noise = {"new": 0.3, "old": 1.0}
    return {name: expit(LOGIT + sd * rng.normal(size=(repeats, len(Y)))) for name, sd in noise.items()}


def together(scores, decision, **others):
    repeats = len(next(iter(scores.values())))
    tiled = {name: one if isinstance(one, str) else np.tile(one, repeats) for name, one in others.items()}
    stacked = {name: one.ravel() for name, one in scores.items()}
    label = np.repeat(np.arange(repeats), len(Y))
    return evaluate(np.tile(Y, repeats), stacked, decision, repeat=label, **tiled)


def apart(scores, decision, **others):
    repeats = range(len(next(iter(scores.values()))))
    return [evaluate(Y, {name: one[k] for name, one in scores.items()}, decision, **others) for k in repeats]


DECISIONS = st.sampled_from([COSTS, At(0.2), Decision(COSTS, prevalence="10%")])
OTHERS = st.sampled_from([{}, {"weight": WEIGHT}, {"cluster": np.arange(len(Y)) // 3}])


@settings(max_examples=4)
@given(st.integers(0, 100), DECISIONS, OTHERS)
def test_estimates_and_ends_are_means_over_repeats(seed, decision, others):
    scores = predicted(seed)
    found, each = together(scores, decision, **others), apart(scores, decision, **others)
    for name, interval in found.intervals.items():
        for part in ("estimate", "lower", "upper"):
            mean = np.mean([getattr(one.intervals[name], part) for one in each])
            assert getattr(interval, part) == pytest.approx(mean, **near)


@settings(max_examples=4)
@given(st.integers(0, 100), DECISIONS, OTHERS)
def test_probabilities_of_being_best_are_means_over_repeats(seed, decision, others):
    scores = predicted(seed)
    found, each = together(scores, decision, **others), apart(scores, decision, **others)
    for standing in found.ranking:
        chances = [other.probability_best for one in each for other in one.ranking if other.model == standing.model]
        assert standing.probability_best == pytest.approx(np.mean(chances), **near)


@pytest.mark.slow
@settings(max_examples=4)
@given(st.integers(0, 100), DECISIONS)
def test_differences_are_paired_within_each_repeat(seed, decision):
    scores = predicted(seed)
    found = together(scores, decision)
    for standing in found.ranking[1:]:
        apart_from_best = [
            evaluate(Y, {"a": one[standing.model], "b": one[found.best.model]}, decision)
            for one in ({name: rows[k] for name, rows in with_references(scores).items()} for k in range(3))
        ]
        differences = [one.intervals["a"].estimate - one.intervals["b"].estimate for one in apart_from_best]
        assert standing.difference.difference == pytest.approx(np.mean(differences), **near)
        assert standing.difference.lower <= standing.difference.difference <= standing.difference.upper


def with_references(scores):
    shape = next(iter(scores.values())).shape
    return {**scores, "act on everyone": np.ones(shape), "act on no one": np.zeros(shape)}


@settings(max_examples=4)
@given(st.integers(0, 100), st.floats(0.05, 0.6))
def test_means_of_the_table_are_means_over_repeats(seed, cost):
    scores = predicted(seed)
    table = together(scores, COSTS).tables["new"]
    each = [net_benefit(score_table(Y, one), At(cost)) for one in scores["new"]]
    assert net_benefit(table, At(cost)) == pytest.approx(np.mean(each), **near)
    assert (table.positive_total, table.total) == pytest.approx((Y.sum(), len(Y)), **near)


def test_the_auc_is_the_mean_over_repeats_and_not_that_of_all_scores_together():
    scores = predicted(3)
    scores["new"] = scores["new"] * np.array([[0.2], [0.6], [1.0]])  # scores of one repeat say nothing in another
    found = together(scores, COSTS)
    (own,) = (standing.auc for standing in found.ranking if standing.model == "new")
    assert own == pytest.approx(np.mean([auc(score_table(Y, one)) for one in scores["new"]]), **near)
    assert own > auc(found.tables["new"]) + 0.01


@pytest.mark.slow
@settings(max_examples=4)
@given(st.integers(0, 100), DECISIONS, OTHERS)
def test_one_repeat_is_no_repeat(seed, decision, others):
    scores = predicted(seed, repeats=1)
    (alone,) = apart(scores, decision, **others)
    assert together(scores, decision, **others).to_dict() == alone.to_dict()


def test_a_repeat_that_says_the_same_changes_nothing_but_its_number():
    scores = {name: np.tile(one[0], (4, 1)) for name, one in predicted(2).items()}
    found, (alone, *_) = together(scores, COSTS), apart(scores, COSTS)
    assert [one.model for one in found.ranking] == [one.model for one in alone.ranking]
    assert [str(one) for one in found.findings] == [str(one) for one in alone.findings]
    assert (found.sample.repeats, alone.sample.repeats) == (4, 1)
    assert found.sample.cases == alone.sample.cases == len(Y)


def test_the_order_of_rows_does_not_matter():
    scores, order = predicted(4), np.random.default_rng(0).permutation(3 * len(Y))
    label = np.repeat(["a", "b", "c"], len(Y))
    stacked = {name: one.ravel() for name, one in scores.items()}
    one = evaluate(np.tile(Y, 3), stacked, COSTS, repeat=label)
    shuffled = {name: score[order] for name, score in stacked.items()}
    two = evaluate(np.tile(Y, 3)[order], shuffled, COSTS, repeat=label[order])
    assert two.intervals["new"].lower == pytest.approx(one.intervals["new"].lower, **near)


def test_the_mean_of_predictions_is_another_model():
    scores = {"new": expit(LOGIT + 1.5 * np.random.default_rng(0).normal(size=(20, len(Y))))}
    committee = evaluate(Y, {"new": scores["new"].mean(axis=0)}, COSTS)
    assert committee.intervals["new"].estimate < together(scores, COSTS).intervals["new"].estimate - 0.005


def test_limits_bind_in_each_repeat(monkeypatch):
    monkeypatch.setattr(_sources, "_REPLICATES", 60)
    decision, scores = Decision(COSTS, limits=Limits(capacity=0.2)), predicted(6)
    found, each = together(scores, decision), apart(scores, decision)
    for name in scores:
        mean = np.mean([one.intervals[name].estimate for one in each])
        assert found.intervals[name].estimate == pytest.approx(mean, **near)
    second = found.ranking[1]
    gap = second.regret.estimate - found.best.regret.estimate
    assert second.difference.difference == pytest.approx(gap, **near)


def test_groups_are_means_over_repeats_too():
    scores, group = predicted(7), np.where(np.arange(len(Y)) % 3, "north", "south")
    found, each = together(scores, COSTS, group=group), apart(scores, COSTS, group=group)
    for name, one in found.groups.items():
        assert one.cases == each[0].groups[name].cases
        mean = np.mean([other.groups[name].regret["new"].upper for other in each])
        assert one.regret["new"].upper == pytest.approx(mean, **near)


def test_recalibration_can_be_cross_fitted_in_each_repeat():
    found = evaluate(
        np.tile(Y, 2), {"new": predicted(1, 2)["new"].ravel()}, COSTS, repeat=np.repeat([1, 2], len(Y)), folds=3
    )
    assert found.ranking[0].recalibrated is not None


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame, pl.LazyFrame])
def test_columns_of_a_frame_are_the_same_as_arrays(frame):
    scores, label = predicted(8), np.repeat([1, 2, 3], len(Y))
    columns = {"died": np.tile(Y, 3), "new": scores["new"].ravel(), "run": label}
    named = evaluate("died", ["new"], COSTS, data=frame(columns), repeat="run")
    assert named.to_dict() == evaluate(columns["died"], {"new": columns["new"]}, COSTS, repeat=label).to_dict()


def test_a_case_that_has_no_score_in_any_repeat_is_dropped_once():
    scores = predicted(9)["new"]
    scores[:, 5] = np.nan
    with pytest.warns(DroppedRowsWarning):
        found = together({"new": scores}, COSTS, on_missing="drop")
    assert (found.sample.cases, found.sample.without_score) == (len(Y) - 1, 1)


def test_the_text_says_over_how_many_repeats_it_averages():
    assert "means over 3 repeats" in " ".join(str(together(predicted(1), COSTS)).split())


HINT = "; each repeat needs one row for every case, with the same outcome, weight, group and cluster."
REFUSED = {
    "fewer cases": (
        [0, 1, 0],
        [1, 1, 2],
        {},
        f"label repeats of the same cases, got 2 cases in '1' and 1 in '2'{HINT}",
    ),
    "others": (
        [0, 1, 0, 0],
        [1, 1, 2, 2],
        {},
        f"label repeats of the same cases, got 2 cases in '1' and others in '2'{HINT}",
    ),
    "others in the last repeat": (
        [0, 1, 0, 1, 0, 0],
        [1, 1, 2, 2, 3, 3],
        {},
        f"label repeats of the same cases, got 2 cases in '1' and others in '3'{HINT}",
    ),
    "other weights": (
        [0, 1, 0, 1],
        [1, 1, 2, 2],
        {"weight": [1, 2, 2, 1]},
        f"label repeats of the same cases, got 2 cases in '1' and others in '2'{HINT}",
    ),
    "no label": (
        [0, 1, 0, 1],
        [1, 1, None, 2],
        {},
        f"not have missing values, got 1 missing value, at row 2; {DROP_HINT}.",
    ),
    "another length": ([0, 1, 0, 1], [1, 2], {}, "have one label for each of the 4 rows, got shape (2,)."),
}


@pytest.mark.parametrize(("y", "repeat", "others", "wanted"), REFUSED.values(), ids=REFUSED)
def test_repeats_of_other_cases_are_refused(y, repeat, others, wanted):
    with pytest.raises(InputError) as raised:
        evaluate(y, {"a": [0.1, 0.2, 0.3, 0.4, 0.5, 0.6][: len(y)]}, "20%", repeat=repeat, **others)
    assert str(raised.value) == f"`repeat` must {wanted}"


def test_cases_that_stay_where_they_are_have_no_repeats():
    frame = pl.LazyFrame({"died": [0, 1] * 4, "a": [0.1, 0.2] * 4, "run": [1, 1, 1, 1, 2, 2, 2, 2]})
    with pytest.raises(InputError) as raised:
        evaluate("died", ["a"], "20%", data=frame, repeat="run", in_memory=3)
    assert str(raised.value) == "`repeat` must be left out with more cases than `in_memory` allows, got 'run'."

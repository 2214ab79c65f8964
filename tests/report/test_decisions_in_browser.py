"""What the live report computes for a decision - ranking, policies under limits, maps - is what Python computes."""

import math
from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from report.agreement import EXACT_WEIGHTS, agree, models, ranges, untied
from strategies import tables

import stakes
from stakes import At, Limits, LogOddsUniform, ScoreTable, Uniform
from stakes.datasets import load_cohort
from stakes.evaluation import Decision, evaluate_tables

LIMITS = (
    Limits(capacity=0.5),
    Limits(capacity=0.25, min_precision=0.3),
    Limits(min_precision=0.5),
    Limits(min_precision=0.9),
    Limits(capacity=0.0),
    Limits(capacity=1.0, min_precision=0.0),
)
COSTS = (At(0.1), At(0.5), Uniform(0.05, 0.35), Uniform(), LogOddsUniform(0.02, 0.7))


def stated(decision: Decision) -> dict:
    """Return a decision as the page holds it."""
    limits = decision.limits or Limits()
    stakes_ = {"cost": decision.costs, "prevalence": decision.prevalence}
    return stakes_ | {"capacity": limits.capacity, "min_precision": limits.min_precision}


@st.composite
def decisions(draw):
    """Costs and prevalence of any kind, or one prevalence and limits."""
    costs = draw(st.one_of(st.sampled_from(COSTS), ranges()))
    limits = draw(st.sampled_from((None, *LIMITS)))
    prevalence = st.floats(0.01, 0.95).map(At) if limits else ranges()
    return Decision(costs, prevalence=draw(st.one_of(st.none(), prevalence)), limits=limits)


def ranked(table: ScoreTable, decision: Decision) -> float:
    """Return the number that models are ranked by, from the package's parts."""
    if decision.limits is not None:
        there = table if decision.prevalence is None else stakes.at_prevalence(table, decision.prevalence.value)
        return stakes.best_thresholds(there, decision.costs, decision.limits).mean_regret
    if decision.prevalence is None:
        return stakes.expected_regret(table, decision.costs)
    return stakes.prevalence.shifted_regret(table, decision.costs, decision.prevalence)


@given(table=tables(ends=True, weight=EXACT_WEIGHTS), decision=decisions())
def test_the_number_that_is_ranked(numbers, table, decision):
    agree(numbers(("regret", table, stated(decision))), [ranked(table, decision)])


@given(table=tables(ends=True), costs=ranges())
def test_the_parts_of_a_regret(numbers, table, costs):
    (found,) = numbers(("parts", table, stated(Decision(costs))))
    wanted = stakes.decompose(table, costs)
    agree([found[name] for name in ("uncertainty", "total")], [wanted.uncertainty, wanted.total])
    # Differences of regrets: exact to rounding of what they are differences of.
    agree(found["miscalibration"] + 1, wanted.miscalibration + 1)
    agree(found["discrimination"] + 1, wanted.discrimination + 1)


@given(table=tables(ends=True), decision=decisions().filter(lambda decision: decision.limits is None))
def test_recalibrated_and_flattened_tables_are_ranked_alike(numbers, table, decision):
    (found,) = numbers(("parts", table, stated(decision)))
    calibrated, constant = ranked(stakes.recalibrate(table), decision), ranked(stakes.table.flatten(table), decision)
    agree([found["total"] - found["miscalibration"], found["uncertainty"]], [calibrated, constant])


@given(table=tables(ends=True), costs=ranges())
def test_skill(numbers, table, costs):
    found = numbers(("skill", table, stated(Decision(costs))))
    constant = stakes.expected_regret(stakes.table.flatten(table), costs)
    # Where hardly anything is at stake a skill is a ratio of two roundings.
    agree(np.multiply(found, constant), [stakes.skill_score(table, costs) * constant])


@pytest.mark.parametrize("table", [stakes.score_table([1, 1], [0.2, 0.7]), stakes.score_table([0], [0.4])])
@pytest.mark.parametrize("limits", [None, Limits(capacity=0.1)])
def test_one_class_has_no_skill(numbers, table, limits):
    assert math.isnan(numbers(("skill", table, stated(Decision(Uniform(0.1, 0.4), limits=limits))))[0])


# ------------------------------------------------------------------------------------------------------ ranking

COHORT = load_cohort()
MODELS = {
    "age": stakes.score_table(COHORT["cancer"], COHORT["cancerpredmarker"]),
    "marker": stakes.table.coarsen(
        stakes.score_table(COHORT["cancer"], np.square(COHORT["cancerpredmarker"])), rows=40
    ),
    "act on everyone": stakes.recalibrate(stakes.score_table(COHORT["cancer"], COHORT["age"])),
    "__proto__": stakes.table.coarsen(stakes.recalibrate(stakes.score_table(COHORT["cancer"], COHORT["age"])), rows=3),
}
DECISIONS = (
    Decision(Uniform(0.05, 0.2)),
    Decision(LogOddsUniform(0.02, 0.4)),
    Decision(At(0.12)),
    Decision(Uniform(0.05, 0.2), prevalence=At(0.03)),
    Decision(Uniform(0.05, 0.2), prevalence=Uniform(0.05, 0.3)),
    Decision(LogOddsUniform(0.02, 0.4), prevalence=LogOddsUniform(0.05, 0.3)),
    Decision(Uniform(0.05, 0.2), limits=Limits(capacity=0.2)),
    Decision(LogOddsUniform(0.02, 0.4), prevalence=0.3, limits=Limits(capacity=0.4, min_precision=0.35)),
)


def named(tables_: dict[str, ScoreTable]) -> list[dict]:
    return [{"name": name, "table": table} for name, table in tables_.items()]


@pytest.mark.parametrize("decision", DECISIONS, ids=str)
def test_the_ranking(numbers, decision):
    (found,) = numbers(("rank", named(MODELS), stated(decision)))
    wanted = evaluate_tables(MODELS, decision).ranking
    agree([line["regret"] for line in found], [line.regret.estimate for line in wanted])
    lines = {line["name"]: line for line in found}
    assert {name: line["reference"] for name, line in lines.items()} == {line.model: line.reference for line in wanted}
    for line in wanted:  # by name, as equals may come in any order
        shown = lines[line.model]
        more = line.regret.estimate - wanted[0].regret.estimate
        agree([shown["regret"], shown["skill"], shown["difference"]], [line.regret.estimate, line.skill, more])


@pytest.mark.parametrize("decision", DECISIONS, ids=str)
def test_on_which_share_of_the_cases_one_acts(numbers, decision):
    (found,) = numbers(("rank", named(MODELS), stated(decision)))
    shares = {line.model: line.acts for line in evaluate_tables(MODELS, decision).ranking}
    for line in found:
        acts = shares[line["name"]]
        agree(
            [line["acts"][end] for end in ("low", "mean", "high")],
            [acts.at_lowest_cost, acts.mean, acts.at_highest_cost],
        )


@given(
    table=tables(score=st.sampled_from((0.011, 0.012, 0.013, 0.05, 0.07))),
    costs=st.sampled_from((At(0.1), LogOddsUniform(0.1, 0.3))),
)
def test_a_model_that_never_acts_stays_before_acting_on_no_one(numbers, table, costs):
    (found,) = numbers(("rank", named({"model": table}), stated(Decision(costs))))
    names = [line["name"] for line in found]
    assert names.index("act on no one") == names.index("model") + 1


def test_a_range_of_prevalences_is_refused_under_limits(numbers):
    decision = stated(Decision(Uniform(0.05, 0.2), prevalence=Uniform(0.1, 0.3))) | {"capacity": 0.2}
    with pytest.raises(Exception, match="limits need one prevalence"):
        numbers(("regret", MODELS["age"], decision))


# ------------------------------------------------------------------------------------------------------- limits

COLUMNS = {
    "falsePositiveRate": "false_positive_rate",
    "alarmsPerThousand": "alarms_per_thousand",
    "low": "from_cost",
    "high": "to_cost",
    **{name: name for name in ("share", "recall", "precision", "regret")},
}


@pytest.mark.parametrize("costs", COSTS, ids=str)
@given(table=tables(ends=True, one_class=True, weight=EXACT_WEIGHTS), limits=st.sampled_from((Limits(), *LIMITS)))
def test_the_best_thresholds_within_limits(numbers, costs, table, limits):
    bounds = {"capacity": limits.capacity, "min_precision": limits.min_precision}
    (found,) = numbers(("bestThresholds", table, costs, bounds))
    wanted = stakes.best_thresholds(table, costs, limits)
    for here, there in COLUMNS.items():
        agree(found[here], getattr(wanted, there))
    agree(found["threshold"], wanted.threshold)
    agree(found["meanRegret"], wanted.mean_regret)


@given(table=tables(ends=True, weight=EXACT_WEIGHTS), limits=st.sampled_from((Limits(), *LIMITS)))
def test_the_largest_recall_within_limits(numbers, table, limits):
    bounds = {"capacity": limits.capacity, "min_precision": limits.min_precision}
    agree(numbers(("maxFeasibleRecall", table, bounds)), [stakes.limits.max_feasible_recall(table, limits)])


@given(table=tables(ends=True, one_class=True, weight=EXACT_WEIGHTS), capacity=st.sampled_from((None, 0.5, 0.2, 0.0)))
def test_the_largest_precision_within_the_capacity(numbers, table, capacity):
    acted = [table.score >= threshold for threshold in table.score]
    alarms = [((table.positive + table.negative)[rows].sum(), table.positive[rows].sum()) for rows in acted]
    few = [true / every for every, true in alarms if capacity is None or every / table.total <= capacity]
    agree(numbers(("largestPrecision", table, {"capacity": capacity})), [max(few, default=math.nan)])


@given(table=tables(ends=True, weight=EXACT_WEIGHTS), limits=st.sampled_from(LIMITS))
def test_which_points_of_the_roc_curve_meet_the_limits(numbers, table, limits):
    bounds = {"capacity": limits.capacity, "min_precision": limits.min_precision}
    (found,) = numbers(("feasible", table, bounds))
    for met, threshold in zip(found, stakes.roc_curve(table).threshold, strict=True):
        alarms = table.score >= threshold
        true, every = table.positive[alarms].sum(), (table.positive + table.negative)[alarms].sum()
        few = every / table.total <= (1 if limits.capacity is None else limits.capacity)
        assert met == (few and (not every or true / every >= (limits.min_precision or 0)))


# --------------------------------------------------------------------------------------------------------- maps


def of_references(table: ScoreTable, decision: Decision) -> list[float]:
    """Return what acting on everyone and on no one costs; the first endlessly much where limits forbid it."""
    share = table.prevalence if decision.prevalence is None else decision.prevalence.mean
    limits, cost = decision.limits or Limits(), decision.costs.mean
    allowed = limits.capacity in (None, 1.0) and share >= (limits.min_precision or 0)
    return [cost * (1 - share) if allowed else math.inf, (1 - cost) * share]


def same_place(found: dict, cell: int, tables_: list[ScoreTable], decision: Decision) -> None:
    """Compare one place of a map with the regrets of all models and references there."""
    regrets = [*(ranked(table, decision) for table in tables_), *of_references(tables_[0], decision)]
    least, second = sorted(regrets)[:2]
    agree(regrets[found["winner"][cell]], least)
    np.testing.assert_allclose(found["margin"][cell], second - least, rtol=1e-7, atol=1e-12)


WHERE = (0.02, 0.1, 0.13, 0.35, 0.8)


@settings(max_examples=20)
@given(
    tables_=models(count=3),
    kind=st.sampled_from((Uniform, LogOddsUniform)),
    prevalence=st.sampled_from((None, At(0.2), Uniform(0.1, 0.4))),
    limits=st.sampled_from((None, Limits(capacity=0.5), Limits(min_precision=0.4))),
)
def test_who_wins_over_the_ends_of_the_cost_range(numbers, tables_, kind, prevalence, limits):
    bounds = limits if prevalence is None or isinstance(prevalence, At) else None
    decide = partial(Decision, prevalence=prevalence, limits=bounds)
    players = [{"name": str(k), "table": table} for k, table in enumerate(tables_)]
    (found,) = numbers(("costMap", players, stated(decide(kind(0.1, 0.2))), list(WHERE)))
    for i, low in enumerate(WHERE):
        for j, high in enumerate(WHERE):
            if j < i:
                assert found["winner"][i * len(WHERE) + j] == -1
                assert math.isnan(found["margin"][i * len(WHERE) + j])
            else:
                costs = At(low) if i == j else kind(low, high)
                same_place(found, i * len(WHERE) + j, tables_, decide(costs))


def test_who_wins_between_models_of_many_rows(numbers):
    tables_ = [untied(800, seed) for seed in (1, 2, 3)]
    where = np.geomspace(0.01, 0.5, 12).tolist()
    players = [{"name": str(k), "table": table} for k, table in enumerate(tables_)]
    (found,) = numbers(("costMap", players, stated(Decision(Uniform(0.1, 0.2))), where))
    for i in range(12):
        for j in range(i + 1, 12):
            same_place(found, 12 * i + j, tables_, Decision(Uniform(where[i], where[j])))

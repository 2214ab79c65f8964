"""Every number of an evaluation is that of the function it is named after, and obeys the laws of the sample."""

import json
import math
from functools import partial

import numpy as np
import pandas as pd
import pytest
from evaluation.samples import blurred, expit, risks
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import beliefs, samples, weights

from stakes import (
    At,
    Cases,
    Decision,
    InputError,
    Limits,
    Uniform,
    at_prevalence,
    auc,
    best_thresholds,
    brier_score,
    compare,
    decompose,
    evaluate,
    evaluate_tables,
    expected_regret,
    explain_gap,
    interval,
    log_loss,
    score_table,
    skill_score,
)
from stakes._roles import DROP_HINT as DROP
from stakes.beliefs import Atoms, EveryLogOdds
from stakes.evaluation._action_use import ONE_ACTION
from stakes.frames import DroppedRowsWarning
from stakes.limits import partial_voros
from stakes.prevalence import shifted_regret

Y, LOGIT = risks(1500)
MODELS = {"sharp": expit(LOGIT), "blurred": blurred(LOGIT, 1.0), "shy": expit(LOGIT - 1.5)}
COSTS = Uniform(0.05, 0.2)
few = settings(max_examples=20)  # an evaluation does much at once, and its parts have their own tests
REFERENCES = {"act on everyone": np.ones(len(Y)), "act on no one": np.zeros(len(Y))}


def regrets(evaluation):
    return {standing.model: standing.regret.estimate for standing in evaluation.ranking}


def test_models_and_references_are_ranked_by_expected_regret():
    found = evaluate(Y, MODELS, Decision(COSTS))
    expected = {name: expected_regret(score_table(Y, score), COSTS) for name, score in (MODELS | REFERENCES).items()}
    assert regrets(found) == pytest.approx(expected, rel=1e-12)
    assert list(regrets(found)) == sorted(expected, key=expected.get)
    assert found.best.model == "sharp"


def test_another_prevalence_moves_cases_and_scores():
    for prevalence in (At(0.02), Uniform(0.01, 0.2)):
        found = evaluate(Y, MODELS, Decision(COSTS, prevalence=prevalence))
        for name, score in (MODELS | REFERENCES).items():
            expected = shifted_regret(score_table(Y, score), COSTS, prevalence)
            assert regrets(found)[name] == pytest.approx(expected, rel=1e-12)


@pytest.mark.usefixtures("few_replicates")
@pytest.mark.slow
def test_under_limits_each_model_has_its_best_feasible_thresholds():
    limits = Limits(capacity=0.1, min_precision=0.2)
    found = evaluate(Y, MODELS, Decision(COSTS, limits=limits))
    for name, score in MODELS.items():
        table = score_table(Y, score)
        assert regrets(found)[name] == pytest.approx(best_thresholds(table, COSTS, limits).mean_regret, rel=1e-12)
        standing = next(one for one in found.ranking if one.model == name)
        assert standing.partial_voros == partial_voros(table, COSTS, limits)
        assert standing.parts is None
    assert "act on everyone" not in regrets(found)
    assert regrets(found)["act on no one"] == expected_regret(score_table(Y, np.zeros(len(Y))), COSTS)


@pytest.mark.usefixtures("few_replicates")
@pytest.mark.slow
def test_limits_that_allow_it_leave_acting_on_everyone_in():
    found = evaluate(Y, MODELS, Decision(COSTS, limits=Limits(capacity=1.0, min_precision=0.01)))
    assert "act on everyone" in regrets(found)


@pytest.mark.usefixtures("few_replicates")
@pytest.mark.slow
def test_limits_change_nothing_about_acting_on_everyone_or_on_no_one():
    free = evaluate(Y, MODELS, Decision(COSTS))
    loose = evaluate(Y, MODELS, Decision(COSTS, limits=Limits(capacity=1.0, min_precision=0.01)))
    for name in ("act on everyone", "act on no one"):
        assert regrets(loose)[name] == pytest.approx(regrets(free)[name], rel=1e-12)


@pytest.mark.usefixtures("few_replicates")
def test_under_limits_acting_on_no_one_is_compared_with_the_models_on_the_same_cases():
    found = evaluate(Y, MODELS, Decision(COSTS, limits=Limits(capacity=0.1)))
    nobody = next(standing for standing in found.ranking if standing.reference)
    assert nobody.difference.difference == pytest.approx(nobody.regret.estimate - found.best.regret.estimate, rel=1e-12)
    assert 0 < nobody.difference.lower < nobody.difference.difference < nobody.difference.upper
    assert sum(standing.probability_best for standing in found.ranking) == pytest.approx(1)


@pytest.mark.usefixtures("few_replicates")
def test_limits_and_a_prevalence_are_met_where_the_model_is_used():
    limits = Limits(capacity=0.05)
    found = evaluate(Y, MODELS, Decision(COSTS, prevalence=0.02, limits=limits))
    table = at_prevalence(score_table(Y, MODELS["blurred"]), 0.02)
    assert regrets(found)["blurred"] == pytest.approx(best_thresholds(table, COSTS, limits).mean_regret, rel=1e-12)
    assert found.policies["blurred"].prevalence == pytest.approx(0.02)


def test_the_other_columns_are_those_of_their_functions():
    found = evaluate(Y, MODELS, Decision(COSTS))
    for standing in found.ranking:
        table = score_table(Y, (MODELS | REFERENCES)[standing.model])
        parts = decompose(table, COSTS)
        assert standing.skill == pytest.approx(skill_score(table, COSTS), abs=1e-12)
        assert standing.parts.miscalibration == pytest.approx(parts.miscalibration, abs=1e-12)
        assert standing.parts.discrimination == pytest.approx(parts.discrimination, abs=1e-12)
        assert standing.brier_score == brier_score(table)
        assert standing.log_loss == log_loss(table)
        assert standing.auc == auc(table)


def test_intervals_and_differences_are_those_of_the_cases():
    found = evaluate(Y, MODELS, Decision(COSTS), level=0.9)
    cases = Cases(Y, MODELS)
    known = partial(expected_regret, costs=COSTS)
    assert found.intervals["shy"] == interval(cases, known, level=0.9)["shy"]
    standing = next(one for one in found.ranking if one.model == "shy")
    direct = compare(cases, "shy", "sharp", known, level=0.9)
    assert (standing.difference.lower, standing.difference.upper) == (direct.lower, direct.upper)
    assert standing.difference.difference == direct.difference
    assert found.best.difference is None
    assert sum(one.probability_best for one in found.ranking) == pytest.approx(1)


def test_the_share_acted_on_is_that_of_the_scores_that_reach_the_cost():
    found = evaluate(Y, MODELS, Decision(COSTS))
    for standing in found.ranking:
        score = (MODELS | REFERENCES)[standing.model]
        assert standing.acts.at_lowest_cost == pytest.approx(np.mean(score >= 0.05))
        assert standing.acts.at_highest_cost == pytest.approx(np.mean(score >= 0.2))
        mean = np.mean(np.clip((score - 0.05) / 0.15, 0, 1))
        assert standing.acts.mean == pytest.approx(mean)


def test_a_tie_at_the_cost_acts():
    found = evaluate([0, 1, 0, 1], {"model": [0.1, 0.2, 0.2, 0.1]}, Decision(At(0.2)))
    assert next(one for one in found.ranking if one.model == "model").acts.at_lowest_cost == 0.5


@few
@given(samples(weight=weights(integer=True)), beliefs())
def test_weight_is_repetition(sample, costs):
    y, score, weight = sample
    times = weight.astype(int)
    weighed = evaluate(y, {"model": score}, Decision(costs), weight=weight)
    repeated = evaluate(np.repeat(y, times), {"model": np.repeat(score, times)}, Decision(costs))
    assert regrets(weighed) == pytest.approx(regrets(repeated), rel=1e-12)


@few
@given(samples(weight=weights()), beliefs())
def test_zero_weight_is_absence(sample, costs):
    y, score, weight = sample
    more = evaluate(
        np.append(y, [0, 1]), {"model": np.append(score, [0.9, 0.1])}, Decision(costs), weight=np.append(weight, [0, 0])
    )
    assert regrets(more) == regrets(evaluate(y, {"model": score}, Decision(costs), weight=weight))
    assert more.sample.cases == len(y)


@few
@given(samples(), st.randoms(use_true_random=False))
def test_the_order_of_the_rows_does_not_matter(sample, random):
    y, score, weight = sample
    order = list(range(len(y)))
    random.shuffle(order)
    one = evaluate(y, {"model": score}, Decision(COSTS), weight=weight)
    other = evaluate(y[order], {"model": score[order]}, Decision(COSTS), weight=weight[order])
    assert regrets(one) == pytest.approx(regrets(other), rel=1e-12)


@few
@given(samples(ends=True, one_class=True), beliefs(proper=False))
def test_any_belief_and_any_sample_gives_an_evaluation_that_prints_and_is_json(sample, costs):
    y, score, weight = sample
    found = evaluate(y, {"model": score}, Decision(costs), weight=weight)
    assert "model" in str(found)
    assert json.loads(found.to_json())["schema"] == 4
    assert "model" in found._repr_html_()
    rows = found.to_frame()["model"].tolist()
    assert sorted(set(rows) - {ONE_ACTION}) == ["act on everyone", "act on no one", "model"]
    assert len(rows) == 3 + (ONE_ACTION in rows)  # which may be the best of several actions


@few
@given(samples(ends=True), beliefs())
def test_limits_only_ever_cost(sample, costs):
    y, score, weight = sample
    free = evaluate(y, {"model": score}, Decision(costs), weight=weight).policies["model"].mean_regret
    tied = best_thresholds(score_table(y, score, weight), costs, Limits(capacity=0.4)).mean_regret
    assert tied >= free - 1e-12


@pytest.mark.parametrize(("bad", "column"), [(2, "y"), (1.5, "model"), (-1, "weight")])
def test_a_row_is_counted_among_those_given_also_where_scores_are_missing(bad, column):
    given = {"y": [0, 1] * 20, "model": [0.25, 0.5] * 20, "weight": [1] * 40, "group": ["a", "b"] * 20}
    given["model"][:20:2] = [None] * 10
    given[column][25] = bad
    others = {"weight": given["weight"], "group": given["group"], "on_missing": "drop"}
    with pytest.raises(InputError) as caught:
        evaluate(given["y"], {"model": given["model"]}, Decision("10%"), **others)
    assert caught.value.row == 25


def test_missing_scores_leave_the_cases_that_all_models_share():
    holes = MODELS["blurred"].copy()
    holes[[3, 7]] = np.nan
    with_none = [None if k in (7, 9) else score for k, score in enumerate(MODELS["shy"].tolist())]
    models = {"sharp": MODELS["sharp"], "blurred": holes, "shy": with_none}
    with pytest.warns(DroppedRowsWarning) as caught:
        found = evaluate(Y, models, Decision(COSTS), on_missing="drop")
    assert caught[0].message.by_column == {"blurred": 2, "shy": 1}
    kept = np.setdiff1d(np.arange(len(Y)), [3, 7, 9])
    assert found.sample.without_score == 3
    assert found.sample.cases == len(kept)
    assert regrets(found)["sharp"] == expected_regret(score_table(Y[kept], MODELS["sharp"][kept]), COSTS)
    assert "Dropped: 3 cases " in found.findings[-1].text


def test_groups_are_judged_at_their_own_prevalence_against_the_largest():
    group = np.where(np.arange(len(Y)) % 3 == 0, "few", "many")
    found = evaluate(Y, MODELS, Decision(COSTS), group=group)
    assert list(found.groups) == ["many", "few"]
    assert found.groups["many"].reference
    tables = {name: score_table(Y[group == name], MODELS["shy"][group == name]) for name in ("many", "few")}
    assert found.groups["few"].regret["shy"].estimate == pytest.approx(expected_regret(tables["few"], COSTS), rel=1e-12)
    assert found.groups["few"].gaps["shy"] == explain_gap(tables["few"], tables["many"], COSTS, measure=shifted_regret)
    assert found.groups["many"].gaps == {}


def test_a_group_of_one_class_has_a_regret_but_no_explanation():
    group = np.where((Y == 0) & (np.arange(len(Y)) % 5 == 0), "well", "all")
    found = evaluate(Y, MODELS, Decision(COSTS), group=group)
    assert found.groups["well"].gaps == {}
    assert found.groups["well"].regret["sharp"].estimate > 0
    assert any(
        finding.text == "well has only negative cases, so its difference from the others cannot be explained."
        for finding in found.findings
    )


@pytest.mark.slow
def test_the_same_call_gives_the_same_numbers():
    one, two = (evaluate(Y, MODELS, Decision(COSTS, limits=Limits(capacity=0.2))) for _ in range(2))
    assert one.to_json() == two.to_json()


def test_tables_alone_give_the_same_ranking_without_differences():
    tables = {name: score_table(Y, score) for name, score in MODELS.items()}
    cases, alone = evaluate(Y, MODELS, Decision(COSTS)), evaluate_tables(tables, Decision(COSTS))
    assert regrets(alone) == regrets(cases)
    for name, found in cases.intervals.items():
        assert alone.intervals[name].lower == pytest.approx(found.lower, rel=1e-9)
        assert alone.intervals[name].upper == pytest.approx(found.upper, rel=1e-9)
    assert all(standing.difference is None for standing in alone.ranking)
    assert all(math.isnan(standing.probability_best) for standing in alone.ranking)


def test_groups_of_tables_are_those_of_cases():
    group = np.where(np.arange(len(Y)) % 3 == 0, "few", "many")
    tables = {name: score_table(Y, score) for name, score in MODELS.items()}
    inside = {
        label: {name: score_table(Y[group == label], score[group == label]) for name, score in MODELS.items()}
        for label in ("few", "many")
    }
    cases = evaluate(Y, MODELS, Decision(COSTS), group=group)
    alone = evaluate_tables(tables, Decision(COSTS), groups=inside)
    assert alone.groups["few"].gaps == cases.groups["few"].gaps
    assert alone.groups["few"].regret["shy"].upper == pytest.approx(cases.groups["few"].regret["shy"].upper, rel=1e-9)


def test_words_alone_are_a_decision():
    assert regrets(evaluate(Y, MODELS, "5%..20%")) == regrets(evaluate(Y, MODELS, Decision(COSTS)))


def test_a_model_may_have_the_name_of_a_reference():
    found = evaluate(Y, {"act on everyone": MODELS["sharp"]}, Decision(COSTS))
    assert {standing.model: standing.reference for standing in found.ranking} == {
        "act on everyone": False,
        "act on everyone (reference)": True,
        "act on no one": True,
    }


def test_a_model_that_nearly_always_acts_is_compared_with_the_reference_whatever_models_are_called():
    rng = np.random.default_rng(3)
    y, score = (rng.random(400) < 0.3).astype(int), rng.uniform(0.5, 0.9, 400)
    score[:3] = 0.01  # hardly anyone is left alone
    plain, taken = (
        evaluate(y, {first: score, second: rng.random(400)}, "10%..20%")
        for first, second in (("one", "two"), ("act on everyone", "act on everyone (reference)"))
    )
    found, wanted = ([one for one in each.findings if one.kind == "nearly-always-acts"] for each in (taken, plain))
    assert len(wanted) == 1
    assert [one.numbers for one in found] == [one.numbers for one in wanted]


def test_costs_without_a_finite_mass_have_no_policy():
    assert evaluate(Y, MODELS, Decision(EveryLogOdds())).policies == {}


def test_clusters_widen_the_intervals_and_are_counted():
    cluster = np.arange(len(Y)) // 2
    twice = evaluate(
        np.repeat(Y, 2), {"m": np.repeat(MODELS["shy"], 2)}, Decision(COSTS), cluster=np.arange(2 * len(Y)) // 2
    )
    once = evaluate(Y, {"m": MODELS["shy"]}, Decision(COSTS))
    assert twice.intervals["m"].upper == pytest.approx(once.intervals["m"].upper, rel=1e-3)
    assert evaluate(Y, MODELS, Decision(COSTS), cluster=cluster).sample.clusters == len(Y) // 2


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"y": [0, 1, 2]}, ValueError, "`y` must be 0 or 1, got 2 at row 2."),
        ({"y": [0, 1]}, ValueError, "`y` and `predictions['model']` must have the same length, got 2 and 3."),
        ({"y": [0, None, 1]}, ValueError, f"`y` must not have missing values, got 1 missing value, at row 1; {DROP}."),
        ({"predictions": [0.1, 0.2, 0.3]}, TypeError, "`predictions` must map names of models to scores, got list."),
        ({"predictions": {}}, ValueError, "`predictions` must hold the scores of at least one model, got none."),
        (
            {"predictions": {"model": [None, None, None]}, "on_missing": "drop"},
            ValueError,
            "`predictions` must share at least one case that every model has a score for, got none.",
        ),
        (
            {"predictions": {"model": [0.1, 1.2, 0.3]}},
            ValueError,
            "`predictions['model']` must be a probability between 0 and 1, got 1.2 at row 1; measures of ranking, such "
            "as `auc`, accept any number.",
        ),
        (
            {"predictions": {"model": [5, 80, 30]}},
            ValueError,
            "`predictions['model']` must be a probability between 0 and 1, got 5 at row 0; divide percentages by 100.",
        ),
        (
            {"predictions": pd.Series([0.1, 0.8, 0.3])},
            TypeError,
            "`predictions` must map names of models to scores, got one column; write {'model': column}.",
        ),
        (
            {"predictions": pd.DataFrame([[0.1, 0.2]] * 3, columns=["old", "old"])},
            ValueError,
            "`predictions` must have each name once, got 'old' 2 times.",
        ),
        (
            {"predictions": {"model": [0.1, None, 0.3]}, "group": ["a", "b"], "on_missing": "drop"},
            ValueError,
            "`y`, `group` and `predictions` must have the same length, got 3, 2 and 3.",
        ),
        (
            {"predictions": {"model": [0.1, None, 0.3]}, "weight": [1.0, 2.0], "on_missing": "drop"},
            ValueError,
            "`y`, `weight` and `predictions` must have the same length, got 3, 2 and 3.",
        ),
        ({"decision": None}, TypeError, "`decision` must be a Decision, such as `Decision('5%..20%')`, got NoneType."),
        ({"decision": 10}, ValueError, "`decision` must lie strictly between 0 and 1, got 10; 10% is 0.1."),
        ({"level": "95"}, ValueError, "`level` must lie strictly between 0 and 1, got 95; 95% is 0.95."),
        ({"weight": [1, -1, 1]}, ValueError, "`weight` must be finite and not negative, got -1 at row 1."),
        ({"level": 1.5}, ValueError, "`level` must lie strictly between 0 and 1, got 1.5."),
        (
            {"group": ["a", "b"], "on_missing": "drop"},
            ValueError,
            "`group` must have one label for each of the 3 cases, got shape (2,).",
        ),
        ({"cluster": ["a", "b"]}, ValueError, "`y` and `cluster` must have the same length, got 3 and 2."),
    ],
)
def test_bad_input_is_one_clear_sentence(arguments, error, message):
    good = {"y": [0, 1, 0], "predictions": {"model": [0.1, 0.8, 0.3]}, "decision": Decision(COSTS)}
    with pytest.raises(error) as raised:
        evaluate(**(good | arguments))
    assert str(raised.value) == message


@pytest.mark.parametrize(
    "labels",
    [
        ["a", None, "b", "a"],
        ["a", float("nan"), "b", "a"],
        np.array(["a", np.nan, "b", "a"], dtype=object),
        pd.Series(["a", None, "b", "a"]),
        pd.Series(["a", pd.NA, "b", "a"], dtype="string"),
        pd.Series(["a", None, "b", "a"], dtype="category"),
        [1, None, 2, 1],
        [1.5, np.nan, 2.5, 1.5],
        [True, None, False, True],
        np.array(["2020-01-01", "NaT", "2020-01-02", "2020-01-01"], dtype="datetime64[D]"),
    ],
    ids=lambda labels: f"{type(labels).__name__} {getattr(labels, 'dtype', labels)}",
)
def test_cases_without_a_group_are_a_group(labels):
    found = evaluate([0, 1, 0, 1], {"model": [0.1, 0.8, 0.3, 0.6]}, "10%", group=labels).groups
    assert found["(missing)"].cases == 1
    assert sorted(group.cases for group in found.values()) == [1, 1, 2]


def test_too_many_groups_are_refused_with_a_hint():
    with pytest.raises(ValueError, match="`cluster`") as raised:
        evaluate(Y, MODELS, Decision(COSTS), group=np.arange(len(Y)))
    assert str(raised.value) == (
        "`group` must hold at most 50 different labels, got 1,500; for clustered cases use `cluster`."
    )


@pytest.mark.parametrize(
    ("tables", "error", "message"),
    [
        ([], TypeError, "`tables` must map names of models to tables, got list."),
        ({}, ValueError, "`tables` must hold the table of at least one model, got none."),
        ({"a": 1}, TypeError, "`tables` must be a ScoreTable (see `score_table`), got int."),
        (
            {"a": score_table([0, 1], [0.1, 0.2]), "b": score_table([1, 1], [0.1, 0.2])},
            ValueError,
            "`tables` must be of the same cases, got 1 of 2 positive in 'a' and 2 of 2 positive in 'b'.",
        ),
    ],
)
def test_bad_tables_are_one_clear_sentence(tables, error, message):
    with pytest.raises(error) as raised:
        evaluate_tables(tables, Decision(COSTS))
    assert str(raised.value) == message


def test_a_group_must_have_every_model():
    table = score_table([0, 1], [0.1, 0.2])
    with pytest.raises(ValueError, match="groups") as raised:
        evaluate_tables({"a": table, "b": table}, Decision(COSTS), groups={"g": {"a": table}})
    assert str(raised.value) == "`groups['g']` must hold the tables of a, b, got a."


def test_atoms_act_at_their_lowest_and_highest():
    found = evaluate([0, 1, 0, 1], {"model": [0.1, 0.2, 0.3, 0.4]}, Decision(Atoms([0.15, 0.35], [3, 1])))
    acts = next(one for one in found.ranking if one.model == "model").acts
    assert (acts.at_lowest_cost, acts.mean, acts.at_highest_cost) == (
        0.75,
        pytest.approx(0.75 * 0.75 + 0.25 * 0.25),
        0.25,
    )


@pytest.mark.parametrize("costs", ["3%", "14%", "5%..20%"])
def test_models_that_cost_the_same_stay_in_the_order_given(costs):
    tables = {name: score_table(Y, MODELS["sharp"]) for name in ("second", "first", "third")}
    found = evaluate_tables(tables, costs)
    assert [standing.model for standing in found.ranking if not standing.reference] == ["second", "first", "third"]
    assert found.findings[0].kind in ("best-tied", "best-reference")


def test_acting_on_no_one_acts_on_no_one_even_where_a_false_alarm_costs_nothing():
    acts = {standing.model: standing.acts for standing in evaluate(Y, MODELS, Uniform(0, 1)).ranking}
    assert (acts["act on no one"].at_lowest_cost, acts["act on no one"].at_highest_cost) == (0, 0)
    assert (acts["act on everyone"].at_lowest_cost, acts["act on everyone"].at_highest_cost) == (1, 1)


def test_pandas_columns_with_other_indices_are_refused_also_where_scores_are_missing():
    y, score = pd.Series([0, 1, 1], index=[0, 1, 2]), pd.Series([0.1, None, 0.9], index=[2, 1, 0])
    with pytest.raises(ValueError, match="index"):
        evaluate(y, {"model": score}, "10%..40%")


def test_a_group_whose_cases_all_weigh_nought_is_absent():
    y, score, group = np.array([0, 1] * 21), np.linspace(0, 1, 42), np.array([*"ab" * 20, "z", "z"])
    weight = np.repeat([1.0, 0.0], [40, 2])
    found = evaluate(y, {"model": score}, "20%", weight=weight, group=group)
    without = evaluate(y[:40], {"model": score[:40]}, "20%", weight=weight[:40], group=group[:40])
    assert found.to_dict()["groups"] == without.to_dict()["groups"]
    assert [one["name"] for one in found.to_dict()["groups"]] == ["a", "b"]


def test_labels_of_an_index_do_not_matter_even_where_an_outcome_has_such_parts():
    labels = ["horizon", "horizons", "competing", "known"]
    y, score = pd.Series([0, 1, 1, 0], index=labels), pd.Series([0.1, 0.4, 0.9, 0.3], index=labels)
    plain = evaluate(y.to_numpy(), {"model": score.to_numpy()}, "10%..40%")
    assert evaluate(y, {"model": score}, "10%..40%").to_dict()["ranking"] == plain.to_dict()["ranking"]


def test_pandas_columns_of_different_lengths_are_refused_as_such():
    with pytest.raises(ValueError, match=r"must have the same length, got 3 and 2\."):
        evaluate(pd.Series([0, 1, 1]), {"model": pd.Series([0.1, 0.2])}, "10%..40%")


@pytest.mark.sample(4)
@pytest.mark.parametrize("high", range(10, 60, 7))
def test_a_word_is_not_broken_at_the_end_of_a_line(high):
    printed = str(evaluate(Y, MODELS, f"5%..{high}%"))
    assert "95% interval" in " ".join(printed.split())
    assert not [line for line in printed.splitlines() if line.endswith("-")]


@pytest.mark.parametrize("write", [str, lambda found: found._repr_html_()])
def test_a_column_with_nothing_in_it_is_left_out_with_its_note(write):
    tables = {name: score_table(Y, score) for name, score in MODELS.items()}
    free, limited = (
        " ".join(write(evaluate_tables(tables, Decision("5%..20%", limits=limits))).split())
        for limits in (None, Limits(capacity=0.3))
    )
    assert "Recalibration gain: what recalibration alone would save" in free
    assert "recalibration" in free
    assert "ecalibration" not in limited

"""Evaluations of outcomes that are censored: the first line, the numbers, limits, groups, folds and refusals."""

import json
import pickle
from importlib.resources import files

import jsonschema
import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose

from stakes import Decision, EventBy, InputError, Limits, compare, evaluate, expected_regret, interval, score_table
from stakes.cases import Cases
from stakes.evaluation import evaluate_tables
from stakes.monitoring import drift
from stakes.outcome import CensoringBy, CoxCensoring, GivenCensoring, follow_up
from stakes.report._method import intervals as method_of_intervals

COSTS = "5%..20%"


def drawn(size=300, seed=4):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=size)
    time, leaves = rng.exponential(2 * np.exp(-x)), rng.exponential(2, size)
    event = np.where(time <= leaves, 1 + (rng.random(size) < 0.2), 0)
    scores = {"good": 1 / (1 + np.exp(1.2 - x)), "poor": rng.random(size) / 2}
    return np.minimum(time, leaves), event, scores, np.array(["f", "m"])[rng.integers(0, 2, size)]


TIME, EVENT, SCORES, GROUP = drawn()
OUTCOME = EventBy(TIME, EVENT, 1.0)


def test_the_first_line_says_the_risk_and_who_is_unknown():
    evaluation, found = evaluate(OUTCOME, SCORES, COSTS), follow_up(OUTCOME)
    said = " ".join(str(evaluation).split())
    assert (
        f"300 cases followed; by 1, {found.positive} had the event ({found.risk:.0%}, Aalen-Johansen), "
        f"{found.competing} another event first, {found.event_free} are known to be free of it, {found.unknown} left "
        "before: unknown" in said
    )
    assert found.positive + found.competing + found.event_free + found.unknown == 300
    alone = evaluate(EventBy(TIME, np.minimum(EVENT, 1), 1.0), SCORES, COSTS)
    assert "Kaplan-Meier), " in " ".join(str(alone).split())


@pytest.mark.parametrize(
    ("censoring", "estimator"),
    [
        (CensoringBy(GROUP), "Aalen-Johansen in each stratum"),
        (CoxCensoring(SCORES["poor"]), "weighted by a Cox model of leaving"),
        (GivenCensoring(np.full(300, 0.5)), "weighted by the chances of staying that were given"),
    ],
)
def test_the_risk_has_the_name_of_its_estimator_alone(censoring, estimator):
    """A model of leaving gives another risk than one curve for all, which must not have the name of that."""
    outcome = EventBy(TIME, EVENT, 1.0, censoring=censoring)
    said = " ".join(str(evaluate(outcome, SCORES, COSTS)).split())
    assert f"had the event ({outcome.risk:.0%}, {estimator}), " in said


def asked(outcome, words=None, **given):
    evaluation = evaluate(outcome, given.pop("predictions", SCORES), Decision("10%", words=words), **given)
    assert " ".join(str(evaluation).split()).startswith(evaluation.to_dict()["question"])
    return evaluation.to_dict()["question"].partition(", if")[0]


def test_the_question_names_the_event_and_the_horizon_as_the_user_does():
    assert asked(OUTCOME) == "Which of 2 models for the event by 1 should decide"
    own = {"positive": "relapse", "time": "years"}
    assert asked(OUTCOME, own) == "Which of 2 models for relapse within 1 year should decide"
    assert (
        asked(OUTCOME.at(1.5), {"time": "day/days"}) == "Which of 2 models for the event within 1.5 days should decide"
    )
    labels = np.array(["left", "ill again", "dead"])[EVENT]
    labelled = EventBy(TIME, labels, 1, cause="ill again", censored="left")
    assert asked(labelled) == 'Which of 2 models for "ill again" by 1 should decide'
    several, risks = EventBy(TIME, EVENT, [0.5, 1]), {"good": np.column_stack([SCORES["good"]] * 2)}
    assert asked(several, own, predictions=risks) == "Should this model for relapse within 0.5 and 1 years decide"


@pytest.mark.parametrize(
    ("column", "within"),
    [("years", "within 1 year"), ("Time (days)", "within 1 day"), ("t", "by 1"), ("days_or_weeks", "by 1")],
)
def test_a_unit_in_the_name_of_the_times_is_said(column, within):
    frame = pd.DataFrame({column: TIME, "event": EVENT, **SCORES})
    found = evaluate(EventBy(column, "event", 1), ["good"], "10%", data=frame)
    assert found.to_dict()["question"].startswith(f"Should this model for the event {within} decide")
    assert f"300 cases followed; {within}, {found.sample.follow_up.positive} had the event" in str(found)
    assert found.to_dict()["outcome"]["time_unit"] == (found.sample.follow_up.time_unit or None)


def test_the_numbers_are_those_of_intervals_and_comparisons():
    evaluation = evaluate(OUTCOME, SCORES, COSTS)
    cases = Cases(OUTCOME, SCORES)
    alone = interval(cases, expected_regret, costs=COSTS)["good"]
    assert (evaluation.best.model, evaluation.best.regret) == ("good", alone)
    pair = compare(cases, "poor", "good", expected_regret, costs=COSTS)
    difference = next(one for one in evaluation.ranking if one.model == "poor").difference
    assert_allclose([difference.lower, difference.upper], [pair.lower, pair.upper], rtol=1e-12)
    assert evaluation.sample.prevalence == pytest.approx(OUTCOME.risk)
    assert evaluation.sample.negative_cases == np.count_nonzero(OUTCOME.known & ~OUTCOME.positive)


@pytest.mark.slow
@pytest.mark.usefixtures("few_replicates")
def test_shares_acted_on_count_everyone():
    acts = evaluate(OUTCOME, SCORES, "20%").best.acts
    assert_allclose(acts.at_lowest_cost, np.mean(SCORES["good"] >= 0.2))
    limited = evaluate(OUTCOME, SCORES, Decision(COSTS, limits=Limits(capacity=0.2)), rng=1)
    assert limited.best.acts.at_lowest_cost <= 0.2
    threshold = float(limited.policies["good"].threshold[0])
    assert np.mean(SCORES["good"] >= threshold) <= 0.2
    assert limited.best.regret.lower < limited.best.regret.estimate < limited.best.regret.upper


def test_each_group_has_its_own_censoring():
    groups = evaluate(OUTCOME, SCORES, COSTS, group=GROUP).groups
    for name in ("f", "m"):
        own = score_table(OUTCOME[name == GROUP], SCORES["good"][name == GROUP])
        assert_allclose(groups[name].prevalence, own.prevalence)
        assert_allclose(groups[name].regret["good"].estimate, expected_regret(own, COSTS))


def test_strata_weights_clusters_and_folds_are_taken():
    stratified = EventBy(TIME, EVENT, 1.0, censoring=CensoringBy(GROUP))
    weight = 1.0 + (np.arange(300) % 3 > 0)
    folded = evaluate(stratified, SCORES, COSTS, weight=weight, cluster=np.arange(300) // 2, folds=3, rng=1)
    assert folded.best.model == "good"
    assert folded.sample.weighted
    assert_allclose(folded.sample.weight, weight.sum())


def test_nobody_who_left_is_the_ordinary_evaluation():
    time = np.where(EVENT == 0, 9.0, TIME)
    followed = evaluate(EventBy(time, EVENT, 1.0), SCORES, COSTS)
    plain = evaluate((EVENT == 1) & (time <= 1), SCORES, COSTS)
    assert [one.regret for one in followed.ranking] == [one.regret for one in plain.ranking]
    assert [one.difference for one in followed.ranking] == [one.difference for one in plain.ranking]


def test_the_first_line_is_in_the_words_of_the_user():
    words = {"case": ("man", "men"), "positive": "cancer"}
    found = follow_up(OUTCOME)
    said = " ".join(str(evaluate(OUTCOME, SCORES, Decision(COSTS, words=words))).split())
    assert f"300 men followed; by 1, {found.positive} had cancer ({found.risk:.0%}, Aalen-Johansen), " in said


def test_json_says_how_far_cases_were_followed():
    plain = json.loads(evaluate(OUTCOME, SCORES, COSTS).to_json())
    schema = json.loads(files("stakes.evaluation").joinpath("evaluation.schema.json").read_text())
    jsonschema.validate(plain, schema)
    found = follow_up(OUTCOME, SCORES)
    assert plain["sample"]["follow_up"]["unknown"] == found.unknown
    assert plain["sample"]["follow_up"]["score_checks"] == dict(found.score_checks)
    known = json.loads(evaluate(OUTCOME.positive, SCORES, COSTS).to_json())
    assert (known["sample"]["follow_up"], known["outcome"]) == (None, None)


LABELS = np.array(["left", "relapse", "death"])[EVENT]
LATE = np.where(np.arange(300) % 7 == 3, TIME / 50, 0.0)


@pytest.mark.sample(4)
@pytest.mark.parametrize(
    ("outcome", "cause", "censoring"),
    [
        (OUTCOME, 1, "independent"),
        (EventBy(TIME, EVENT, 1.0, cause=2), 2, "independent"),
        (EventBy(TIME, EVENT, 1.0, cause=np.int64(2)), 2, "independent"),
        (EventBy(TIME, LABELS, 1.0, cause="relapse", censored="left"), "relapse", "independent"),
        (EventBy(TIME, EVENT, 1.0, entry=LATE), 1, "independent with late entry"),
        (EventBy(TIME, EVENT, 1.0, censoring=CensoringBy(GROUP)), 1, "by strata"),
        (EventBy(TIME, EVENT, 1.0, censoring=CoxCensoring(SCORES["poor"])), 1, "by covariates"),
        (EventBy(TIME, EVENT, 1.0, censoring=GivenCensoring(np.full(300, 0.8))), 1, "given"),
    ],
)
def test_json_says_what_kind_of_outcome_it_is(outcome, cause, censoring):
    plain = json.loads(evaluate(outcome, SCORES, COSTS).to_json())
    jsonschema.validate(plain, json.loads(files("stakes.evaluation").joinpath("evaluation.schema.json").read_text()))
    code = {"relapse": 1}.get(cause, cause)
    had, known = (code == EVENT) & (TIME <= 1), (EVENT > 0) | (TIME >= 1)
    weight = outcome.weight
    assert plain["outcome"] == {
        "kind": "event by",
        "horizon": 1.0,
        "time_unit": None,
        "cause": cause,
        "cases": 300,
        "known": int(known.sum()),
        "risk": pytest.approx((weight * had).sum() / weight.sum(), rel=1e-12),
        "least_probability": pytest.approx(1 / weight.max(), rel=1e-12),
        "censoring": censoring,
    }


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"repeat": ["a"] * 300}, "`repeat` must be left out with an EventBy, got one."),
        (
            {"pos_label": 1},
            "`pos_label` must not be given with an EventBy, whose `cause` is the positive label, got 1.",
        ),
    ],
)
def test_what_cannot_be_joined_with_it_is_refused(asked, message):
    with pytest.raises(InputError) as raised:
        evaluate(OUTCOME, SCORES, COSTS, **asked)
    assert str(raised.value) == message


@pytest.mark.parametrize(
    ("entry", "ended"),
    [(None, "the last case censored at 0.5"), (TIME * (GROUP == "m") / 9, "nobody at risk after 0.5")],
)
def test_a_group_with_short_follow_up_is_named(entry, ended):
    early = (GROUP == "f") & (TIME > 0.5)
    outcome = EventBy(np.where(early, 0.5, TIME), np.where(early, 0, EVENT), 1.0, entry=entry)
    evaluate(outcome, SCORES, COSTS)  # the sample as a whole was followed
    with pytest.raises(InputError) as raised:
        evaluate(outcome, SCORES, COSTS, group=GROUP)
    assert str(raised.value) == (
        f"`group` must have groups that were followed until the horizon 1, got 'f', with {ended}; "
        "leave out its cases, or `group`, or choose an earlier horizon."
    )


def test_tables_alone_have_no_intervals_since_they_do_not_know_who_left_when():
    tables = {name: score_table(OUTCOME, score) for name, score in SCORES.items()}
    found, whole = evaluate_tables(tables, COSTS, groups={"all": tables}), evaluate(OUTCOME, SCORES, COSTS)
    for one, same in zip(found.ranking, whole.ranking, strict=True):
        assert_allclose(one.regret.estimate, same.regret.estimate, rtol=1e-12)
        assert np.isnan([one.regret.lower, one.regret.upper]).all()
    assert np.isnan(found.groups["all"].regret["good"].lower)
    assert "interval" not in str(found)
    assert method_of_intervals(found) == (
        "There are only tables, no cases: they do not hold who left when, so there are no intervals."
    )
    jsonschema.validate(
        json.loads(found.to_json()),
        json.loads(files("stakes.evaluation").joinpath("evaluation.schema.json").read_text()),
    )


def test_the_errors_of_a_reference_need_known_outcomes():
    with pytest.raises(InputError) as raised:
        drift(score_table(OUTCOME, SCORES["good"]), SCORES["good"][:50])
    assert str(raised.value) == (
        "`reference` must be of cases whose outcomes are all known, got one with others; the errors of its shares "
        "depend on who left when, which a table does not know."
    )


def test_those_who_need_labels_say_who_takes_it():
    from stakes.large import quantise

    with pytest.raises(
        InputError, match=r"^`y` must be a column of known outcomes here, got an EventBy; `score_table`,"
    ):
        quantise(OUTCOME, SCORES["good"])


def test_an_evaluation_travels_between_processes():
    found = evaluate(OUTCOME, SCORES, COSTS)
    assert pickle.loads(pickle.dumps(found)).to_dict() == found.to_dict()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("highest", "closest"),
    [
        (0.8, "its highest score alone covers 40% of cases"),
        (0.9, "its scores down to the highest with a known outcome cover 40% of cases"),
    ],
)
@pytest.mark.usefixtures("few_replicates")
def test_limits_that_no_threshold_meets_count_everyone(highest, closest):
    """Two of the four acted on first are unknown; by weight, those known would be 25% of cases."""
    time, event = [1, 1, 2, 2, 3, 3, 4, 4, 5, 5], [0, 0, 1, 1, 1, 0, 0, 0, 0, 0]
    score = [highest, highest, 0.8, 0.8, 0.3, 0.2, 0.2, 0.1, 0.1, 0.1]
    outcome = EventBy(time, event, 3)
    said = {}
    for capacity in (0.3, 0.35, 0.4):
        decision = Decision("20%..40%", limits=Limits(capacity=capacity))
        said[capacity] = {one.kind: one for one in evaluate(outcome, {"m": score}, decision, rng=0).findings}
    assert "limits-unmet" not in said[0.4]
    for capacity in (0.3, 0.35):
        assert said[capacity]["limits-unmet"].values["closest"] == closest
        assert "limits-unused" not in said[capacity]

"""What is said of numbers and beliefs: as a person would, and the same words for the same number."""

import re

import numpy as np
import pytest
from evaluation.samples import blurred, expit, risks
from hypothesis import given
from hypothesis import strategies as st

from stakes import Beta, Decision, Limits, LogOddsUniform, Uniform, _wording, evaluate
from stakes.evaluation import Unit, _decision
from stakes.evaluation._ranked import as_given, at_deployment

Y, LOGIT = risks(1500)
MODELS = {"sharp": expit(LOGIT), "blurred": blurred(LOGIT, 1.0)}
SITES = np.array(["north", "south"])[np.arange(len(Y)) % 2]


@pytest.mark.parametrize(
    ("costs", "said"),
    [
        (
            Uniform(0.05, 0.2),
            "5% to 20% of the cost of one false alarm plus one miss: a miss is as bad as 4 to 19 false alarms",
        ),
        (
            LogOddsUniform(0.01, 0.2),
            "1% to 20% of the cost of one false alarm plus one miss, uniform in log-odds: a miss is as bad as 4 to 99 "
            "false alarms",
        ),
        (
            Beta(2, 8),
            "about 20% (Beta(2, 8)) of the cost of one false alarm plus one miss: on average a miss is as bad as 4 "
            "false alarms",
        ),
        ("4:1", "80% of the cost of one false alarm plus one miss: a miss is as bad as 0.25 false alarms"),
    ],
)
def test_costs_are_said_in_order(costs, said):
    assert _decision.costs(Decision(costs)) == f"a false alarm accounts for {said}"


def test_the_same_number_added_up_in_two_ways_is_the_same_text():
    unit = Unit("regret", 1.0, 1000, digits=1)
    assert unit.number(0.02625) == unit.number(0.02625 + 3e-17) == unit.number(0.02625 - 3e-17)


@given(score=st.floats(1e-9, 1))
def test_a_case_with_just_the_score_of_a_threshold_reaches_the_threshold_as_written(score):
    written = float(_wording.threshold(score))
    assert written <= score * (1 + 1e-15)
    assert written == pytest.approx(score, rel=1e-3)


@pytest.mark.parametrize(
    ("score", "text"),
    [
        (0.12345678, "0.1234"),
        (0.99999, "0.9999"),
        (0.2, "0.2"),
        (0.19999999999999998, "0.2"),
        (1e-5, "0.00001"),
        (1, "1"),
    ],
)
def test_a_threshold_has_four_digits_and_no_exponent(score, text):
    assert _wording.threshold(score) == text


@pytest.mark.parametrize("prevalence", [None, "3%", "2%..6%"])
def test_a_threshold_of_the_scores_as_given_acts_on_the_same_cases(prevalence):
    decision = Decision("5%..20%", prevalence=prevalence)
    found = evaluate(Y, MODELS, decision)
    policy, given_scores = found.policies["blurred"], found.tables["blurred"]
    corrected = at_deployment(given_scores, decision)
    for threshold in policy.threshold.tolist():
        raw = as_given(threshold, decision, found.sample.prevalence)
        acted_on = given_scores.score >= raw * (1 - 1e-14)
        assert (given_scores.positive + given_scores.negative)[acted_on].sum() / given_scores.total == pytest.approx(
            _share_at_least(given_scores, corrected, threshold)
        )


def _share_at_least(given_scores, corrected, threshold):
    """Share of the cases, weighed as they came, whose corrected score reaches the threshold."""
    here = corrected.score >= threshold
    return (given_scores.positive + given_scores.negative)[here].sum() / given_scores.total


@pytest.mark.usefixtures("few_replicates")
def test_what_limits_cost_is_the_difference_of_what_is_printed():
    found = evaluate(Y, MODELS, Decision("5%..20%", limits=Limits(capacity=0.1)))
    finding = next(one for one in found.findings if one.kind == "limits-cost")
    assert finding.numbers["extra"] == pytest.approx(found.best.regret.estimate - finding.numbers["regret"], rel=1e-12)


@pytest.mark.usefixtures("few_replicates")
def test_what_limits_cost_does_not_depend_on_folds_but_says_where_thresholds_were_judged():
    decision = Decision("5%..20%", limits=Limits(capacity=0.1))
    plain, folded = (
        next(one for one in evaluate(Y, MODELS, decision, folds=folds).findings if one.kind.startswith("limits-cost"))
        for folds in (None, 4)
    )
    assert folded.numbers["extra"] == plain.numbers["extra"]
    assert folded.text.endswith("(both with thresholds chosen in-sample, so optimistic).")


def test_what_recalibration_could_save_is_judged_on_other_cases_where_there_are_folds():
    found = evaluate(Y, MODELS, "5%..20%", folds=4)
    saved = {one.model: one.regret.estimate - one.recalibrated for one in found.ranking if not one.reference}
    for model, amount in saved.items():
        assert re.search(rf"^{model} .* {re.escape(found.unit.number(amount))}$", str(found), re.MULTILINE)
    assert "would save, cross-fitted." in " ".join(str(found).split())


def test_groups_are_printed_with_what_each_model_costs():
    printed = str(evaluate(Y, MODELS, "5%..20%", group=SITES))
    assert re.search(r"^expected cost by group +cases +positive +sharp +blurred$", printed, re.MULTILINE)
    assert re.search(r"^north +750 ", printed, re.MULTILINE)
    assert "without limits" not in printed


@pytest.mark.usefixtures("few_replicates")
@pytest.mark.parametrize(
    "decision", [Decision("5%..20%", limits=Limits(capacity=0.3)), Decision("5%..20%", prevalence="3%")]
)
def test_groups_that_are_judged_otherwise_say_so(decision):
    note = "By group: at its own prevalence, without limits, with the threshold at the cost itself."
    assert note in str(evaluate(Y, MODELS, decision, group=SITES))

"""Each finding is said where it is true, with the number it rests on, and kept back where it is not."""

import re
import string
from functools import partial

import numpy as np
import pytest
from evaluation.samples import blurred, expit, found, kinds, risks

from stakes import (
    At,
    Decision,
    Limits,
    Uniform,
    auc,
    best_thresholds,
    calibration_summary,
    decompose,
    evaluate,
    evaluate_tables,
    expected_regret,
    from_odds,
    score_table,
)
from stakes.evaluation import TEMPLATES
from stakes.prevalence import reweight_classes, shift_scores, shifted_regret
from stakes.uncertainty import Study

COSTS = Uniform(0.05, 0.2)
Y, LOGIT = risks(4000)
SHARP = expit(LOGIT)


def regret(score, costs=COSTS, y=Y):
    return expected_regret(score_table(y, score), costs)


def number(text):
    return float(text.split()[0].replace(",", "").replace("\u2212", "-"))


def printed(evaluation, share):
    """Return a regret as a number in the unit and with the digits of an evaluation."""
    return number(evaluation.unit.number(share))


# ------------------------------------------------------------------------------------------- who is best


def test_the_best_is_named_with_its_regret_and_the_difference():
    evaluation = evaluate(Y, {"sharp": SHARP, "blurred": blurred(LOGIT, 2)}, Decision(COSTS))
    best = found(evaluation, "best")
    assert evaluation.findings[0] is best
    assert (best.values["best"], best.values["second"]) == ("sharp", "blurred")
    assert number(best.values["regret"]) == printed(evaluation, regret(SHARP))
    assert number(best.values["second_regret"]) == printed(evaluation, regret(blurred(LOGIT, 2)))
    assert 0 < number(best.values["lower"]) < number(best.values["upper"])
    assert "95% interval for the difference" in best.text


def test_models_within_noise_cannot_be_told_apart_and_more_cases_are_asked_for():
    evaluation = evaluate(Y[:800], {"one": SHARP[:800], "other": blurred(LOGIT, 0.4)[:800]}, Decision(COSTS))
    close = found(evaluation, "best-close")
    assert "does not differ detectably from" in close.text
    study = Study(evaluation.results.cases, partial(expected_regret, costs=COSTS))
    first, second = (standing.model for standing in evaluation.ranking[:2])
    spread = np.std(800 * (study.influence(second) - study.influence(first)), ddof=1)
    needed = (1.959964 * spread / evaluation.ranking[1].difference.difference) ** 2
    assert found(evaluation, "too-small").numbers["needed"] == pytest.approx(needed, rel=1e-6)


def test_a_sure_difference_asks_for_no_more_cases():
    assert "too-small" not in kinds(evaluate(Y, {"sharp": SHARP, "blurred": blurred(LOGIT, 2)}, Decision(COSTS)))


def test_equal_models_tie():
    assert found(evaluate(Y, {"one": SHARP, "two": SHARP}, Decision(COSTS)), "best-tied").values["second"] == "two"


def test_models_that_tie_with_a_reference_are_named_beside_it():
    never = np.zeros(len(Y))
    assert evaluate(Y, {"one": SHARP, "two": SHARP}, Decision(COSTS)).answer.startswith("Use one or two: ")
    said = evaluate(Y, {"one": never, "two": never}, Decision("90%..95%")).answer
    assert said.startswith("Use one or act on no one: they cost the same.")


def test_no_model_may_be_worth_using():
    evaluation = evaluate(Y, {"upside down": 1 - SHARP}, Decision(COSTS))
    said = found(evaluation, "best-reference")
    assert said.values["second"] == "upside down"
    assert said.values["best"] in ("acting on everyone", "acting on no one")
    assert "worthless" not in kinds(evaluation)


def test_a_model_worse_than_doing_without_is_named():
    evaluation = evaluate(Y, {"sharp": SHARP, "upside down": 1 - SHARP}, Decision(COSTS))
    said = found(evaluation, "worthless")
    assert said.values["model"] == "upside down"
    assert number(said.values["regret"]) > number(said.values["reference_regret"])
    assert 0 < said.numbers["lower"] < said.numbers["regret"] - said.numbers["reference_regret"]


def test_a_model_that_is_hardly_worse_than_doing_without_is_not_called_worse():
    coin = np.full(len(Y), 0.9) - 0.8 * (np.arange(len(Y)) % 2)
    said = found(evaluate(Y, {"sharp": SHARP, "coin": coin}, Decision(COSTS)), "worthless-close")
    assert said.values["model"] == "coin"
    assert said.numbers["lower"] <= 0 < said.numbers["upper"]


def test_one_cost_is_not_called_a_range():
    evaluation = evaluate(Y, {"sharp": SHARP}, Decision(At(0.1)))
    assert "at the cost you state" in evaluation.findings[0].text
    assert "in your range" not in str([finding.text for finding in evaluation.findings])


# ------------------------------------------------------------------------------------------- acting


def test_a_model_whose_scores_stay_below_the_costs_never_acts():
    shy = expit(LOGIT - 8)
    evaluation = evaluate(Y, {"sharp": SHARP, "shy": shy}, Decision(COSTS))
    said = found(evaluation, "never-acts")
    assert said.values["model"] == "shy"
    assert said.numbers["highest"] == shy.max()
    assert regret(shy) == regret(np.zeros(len(Y)))


def test_a_model_whose_scores_stay_above_the_costs_always_acts():
    bold = expit(LOGIT + 12)
    evaluation = evaluate(Y, {"sharp": SHARP, "bold": bold}, Decision(COSTS))
    assert found(evaluation, "always-acts").numbers["lowest"] == bold.min()
    assert regret(bold) == pytest.approx(regret(np.ones(len(Y))), rel=1e-12)


def test_a_score_at_the_highest_cost_still_always_acts_and_one_at_the_lowest_acts_sometimes():
    evaluation = evaluate(
        [0, 1, 0, 1], {"top": [0.2, 0.2, 0.2, 0.9], "bottom": [0.01, 0.05, 0.01, 0.01]}, Decision(COSTS)
    )
    assert found(evaluation, "always-acts").values["model"] == "top"
    assert "never-acts" not in kinds(evaluation)


def test_models_that_act_on_nearly_everyone_or_hardly_anyone_are_named():
    most, few = np.where(np.arange(len(Y)) % 50 == 0, 0.01, 0.9), np.where(np.arange(len(Y)) % 1000 == 0, 0.9, 0.01)
    evaluation = evaluate(Y, {"sharp": SHARP, "most": most, "few": few}, Decision(COSTS))
    assert found(evaluation, "nearly-always-acts").values["share"] == "98%"
    assert found(evaluation, "hardly-acts").values["share"] == "0.1%"
    assert found(evaluation, "hardly-acts").values["model"] == "few"


def test_a_model_may_have_the_name_of_the_reference_it_comes_close_to():
    y = [0, 1] * 20
    score = [0.04, 0.9, *[0.3, 0.6] * 19]
    finding = found(evaluate(y, {"act on everyone": score}, "5%..20%"), "nearly-always-acts")
    assert finding.values["model"] == "act on everyone"
    assert finding.values["reference_regret"] != finding.values["regret"]


def test_a_model_that_acts_on_some_is_not_accused():
    assert not {"never-acts", "always-acts", "hardly-acts", "nearly-always-acts"} & set(
        kinds(evaluate(Y, {"sharp": SHARP}, Decision(COSTS)))
    )


def test_models_of_the_shape_of_the_tamoxifen_example_are_seen_through():
    """Two models of Flores et al., table 2, never act in its range, a third hardly, and the winner acts on 97%."""
    rng = np.random.default_rng(5)
    cases = 10_732
    y = (rng.random(cases) < 284 / cases).astype(int)
    noise = rng.random(cases)
    models = {
        "logistic": 0.002 + 0.01 * noise,
        "logistic, density": 0.001 + 0.012 * noise,
        "boosted": np.where(noise > 0.998, 0.02, 0.003),
        "boosted (2 %)": np.where(noise > 0.026, 0.05, 0.01),
    }
    evaluation = evaluate(y, models, Decision(Uniform(from_odds(1.66, 100), from_odds(3, 100))))
    said = [(finding.kind, finding.values["model"]) for finding in evaluation.findings if "acts" in finding.kind]
    assert sorted(said) == [
        ("hardly-acts", "boosted"),
        ("nearly-always-acts", "boosted (2 %)"),
        ("never-acts", "logistic"),
        ("never-acts", "logistic, density"),
    ]


# ------------------------------------------------------------------------------------------- the order


def test_another_range_may_change_the_order():
    low_sighted, high_sighted = np.minimum(SHARP, 0.12), np.maximum(SHARP, 0.09)
    narrow = Decision(Uniform(0.1, 0.2))
    evaluation = evaluate(Y, {"low": low_sighted, "high": high_sighted}, narrow)
    for finding in evaluation.findings:
        if finding.kind in ("unsteady", "unsteady-close"):
            costs = Uniform(finding.numbers["low"], finding.numbers["high"])
            models = {"low": low_sighted, "high": high_sighted}
            best, other = models[finding.values["best"]], models[finding.values["other"]]
            assert finding.numbers["gain"] == pytest.approx(regret(best, costs) - regret(other, costs), abs=1e-15)
            assert finding.numbers["gain"] > 0
    assert {"steady", "unsteady"} & set(kinds(evaluation))


def test_a_clear_winner_is_steady_and_the_ranges_are_said():
    said = found(evaluate(Y, {"sharp": SHARP, "blurred": blurred(LOGIT, 2)}, Decision(COSTS)), "steady")
    assert (
        said.text
        == "In this sample, sharp would still have the lowest expected cost if your range were half as wide in "
        "log-odds (7.2% to 14%) or twice as wide in log-odds (2.4% to 35%)."
    )


def test_at_one_cost_the_exchange_is_halved_and_doubled():
    said = found(evaluate(Y, {"sharp": SHARP, "blurred": blurred(LOGIT, 2)}, Decision(At(0.1))), "steady")
    assert said.text == (
        "In this sample, sharp would still have the lowest expected cost if a miss were half as bad (1:4.5) or "
        "twice as bad (1:18)."
    )


def test_a_usual_measure_that_would_choose_another_is_named_with_both_values():
    ranks_well = expit(LOGIT - 3)  # the best order, but hardly acts
    evaluation = evaluate(Y, {"useful": blurred(LOGIT, 0.7), "ranks well": ranks_well}, Decision(COSTS))
    said = {finding.values["measure"]: finding for finding in evaluation.findings if finding.kind == "other-measure"}
    assert said["AUC"].values["other"] == "ranks well"
    assert said["AUC"].numbers["other_value"] == auc(score_table(Y, ranks_well))
    assert said["AUC"].text.endswith("the AUC weighs mistakes differently for each model.")


def test_a_model_alone_has_no_order():
    assert not {"steady", "unsteady", "other-measure"} & set(kinds(evaluate(Y, {"sharp": SHARP}, Decision(COSTS))))


# ------------------------------------------------------------------------------------------- calibration


def test_scores_that_expect_too_few_are_corrected_on_paper():
    low = expit(LOGIT - 1)
    evaluation = evaluate(Y, {"low": low, "blurred": blurred(LOGIT, 1)}, Decision(COSTS))
    said = found(evaluation, "mismatch")
    assert said.values["model"] == "low"
    assert said.numbers["lowest"] == pytest.approx(low.mean())
    assert said.numbers["observed"] == Y.mean()
    table = score_table(Y, low)
    right = shift_scores(table, table.prevalence, from_prevalence=calibration_summary(table).assumed_prevalence)
    assert said.numbers["regret"] == pytest.approx(expected_regret(right, COSTS))
    lowest = evaluation.unit.cost(expected_regret(right, COSTS))
    assert said.values["effect"] == f"would give low the lowest expected cost in this sample, {lowest}"


def test_when_all_models_expect_too_few_it_is_said_once():
    evaluation = evaluate(Y, {"a": expit(LOGIT - 1), "b": blurred(LOGIT - 1, 0.5)}, Decision(COSTS))
    assert found(evaluation, "mismatch").text.startswith("All models expect ")


def test_calibrated_scores_are_not_accused():
    assert "mismatch" not in kinds(evaluate(Y, {"sharp": SHARP}, Decision(COSTS)))


def test_chance_alone_is_no_mismatch():
    y, logit = risks(60, seed=8)
    assert "mismatch" not in kinds(evaluate(y, {"model": expit(logit - 0.35)}, Decision(COSTS)))


def test_what_recalibration_would_take_off_is_the_miscalibration():
    bold = expit(LOGIT + 1)
    said = found(evaluate(Y, {"bold": bold}, Decision(COSTS)), "recalibrate")
    assert said.numbers["gain"] == decompose(score_table(Y, bold), COSTS).miscalibration


def test_recalibration_may_change_the_order():
    models = {"off": expit(LOGIT + 2), "blurred": blurred(LOGIT, 0.8)}
    evaluation = evaluate(Y, models, Decision(COSTS))
    assert evaluation.best.model == "blurred"
    said = found(evaluation, "recalibrate-order")
    parts = decompose(score_table(Y, models["off"]), COSTS)
    assert said.values["other"] == "off"
    assert said.numbers["regret"] == pytest.approx(parts.total - parts.miscalibration)


def test_what_not_correcting_for_the_prevalence_costs():
    evaluation = evaluate(Y, {"sharp": SHARP}, Decision(COSTS, prevalence=0.02))
    table = score_table(Y, SHARP)
    extra = expected_regret(reweight_classes(table, 0.02), COSTS) - shifted_regret(table, COSTS, At(0.02))
    assert found(evaluation, "prevalence").numbers["extra"] == pytest.approx(extra, abs=1e-15)
    assert extra > 0


# ------------------------------------------------------------------------------------------- limits


@pytest.mark.usefixtures("few_replicates")
def test_a_precision_that_no_threshold_reaches_is_said_with_the_best_there_is():
    limits = Limits(capacity=0.1, min_precision=0.99)
    evaluation = evaluate(Y, {"sharp": SHARP, "blurred": blurred(LOGIT, 2)}, Decision(COSTS, limits=limits))
    said = next(finding for finding in evaluation.findings if finding.kind == "limits-unmet")
    score = {"sharp": SHARP, "blurred": blurred(LOGIT, 2)}[said.values["model"]]
    ordered = Y[np.argsort(-score)][: int(0.1 * len(Y))]
    best = np.max(np.cumsum(ordered) / np.arange(1, len(ordered) + 1))
    assert said.numbers["precision"] == pytest.approx(best)


@pytest.mark.usefixtures("few_replicates")
def test_a_capacity_smaller_than_the_top_tie_is_said():
    evaluation = evaluate(
        Y, {"coarse": np.where(SHARP > 0.1, 0.3, 0.01)}, Decision(COSTS, limits=Limits(capacity=0.01))
    )
    assert found(evaluation, "limits-unmet").numbers["share"] == pytest.approx(np.mean(SHARP > 0.1))


@pytest.mark.usefixtures("few_replicates")
def test_what_the_limits_cost_the_best():
    evaluation = evaluate(Y, {"sharp": SHARP}, Decision(COSTS, limits=Limits(capacity=0.1)))
    table = score_table(Y, SHARP)
    extra = best_thresholds(table, COSTS, Limits(capacity=0.1)).mean_regret - best_thresholds(table, COSTS).mean_regret
    assert found(evaluation, "limits-cost").numbers["extra"] == pytest.approx(extra, abs=1e-15)


# ------------------------------------------------------------------------------------------- groups and the sample


def test_a_group_that_fares_worse_is_named_with_its_parts():
    group = np.where(np.arange(len(Y)) % 4 == 0, "women", "men")
    score = np.where(group == "women", expit(LOGIT - 3), SHARP)
    evaluation = evaluate(Y, {"model": score}, Decision(COSTS), group=group)
    said = found(evaluation, "group-worse")
    gap = evaluation.groups["women"].gaps["model"]
    assert said.values["group"] == "women"
    assert (said.numbers["gap"], said.numbers["calibration"]) == (gap.total, gap.calibration)
    assert gap.calibration > gap.sharpness


def test_groups_served_alike_are_not_accused():
    group = np.where(np.arange(len(Y)) // 10 % 2 == 0, "a", "b")
    evaluation = evaluate(Y, {"sharp": SHARP}, Decision(COSTS), group=group)
    assert "group-worse" not in kinds(evaluation)
    assert "groups-alike" in kinds(evaluation)


def test_few_clusters_are_said():
    clusters = np.arange(len(Y)) % 29
    assert found(evaluate(Y, {"m": SHARP}, Decision(COSTS), cluster=clusters), "few-clusters").values == {"count": "29"}
    assert "few-clusters" not in kinds(evaluate(Y, {"m": SHARP}, Decision(COSTS), cluster=np.arange(len(Y)) % 30))


def test_one_class_and_few_positives_are_said():
    assert found(evaluate(np.zeros(50), {"m": SHARP[:50]}, Decision(COSTS)), "one-class").values["which"] == "negative"
    assert found(evaluate(np.ones(50), {"m": SHARP[:50]}, Decision(COSTS)), "one-class").text.startswith(
        "Every case is positive, so false alarms cannot be assessed and no answer can be given;"
    )
    y = np.zeros(200, dtype=int)
    y[:4] = 1
    assert found(evaluate(y, {"m": SHARP[:200]}, Decision(COSTS)), "few").text.startswith("Only 4 cases are positive,")


@pytest.mark.parametrize("outcome", [0, 1])
@pytest.mark.parametrize("limits", [None, Limits(capacity=0.3)])
def test_nothing_is_ranked_or_recommended_where_a_class_is_missing(outcome, limits):
    models = {"always": np.full(40, 0.9), "spread": np.linspace(0.01, 0.6, 40)}
    evaluation = evaluate(np.full(40, outcome), models, Decision("10%", limits=limits), rng=1)
    assert kinds(evaluation) == ["one-class"] + ["always-acts"] * (limits is None)
    assert (evaluation.answer, evaluation.recommended_threshold) == ("", None)
    assert all(np.isnan(one.probability_best) for one in evaluation.ranking)
    assert "P(best)" not in str(evaluation)


def test_no_number_of_cases_is_planned_from_one_case_of_a_class():
    first, second = [0.9, 0.05, 0.04, 0.03, 0.3, 0.02], [0.9, 0.2, 0.3, 0.2, 0.05, 0.02]
    assert "too-small" in kinds(evaluate([1, 1, 0, 0, 0, 0], {"a": first, "b": second}, "10%"))
    assert "too-small" not in kinds(evaluate([1, 0, 0, 0, 0, 0], {"a": first, "b": second}, "10%"))


def test_tables_say_that_they_cannot_tell_how_sure_the_order_is():
    tables = {"sharp": score_table(Y, SHARP), "blurred": score_table(Y, blurred(LOGIT, 2))}
    assert kinds(evaluate_tables(tables, Decision(COSTS)))[:2] == ["best-unsure", "unpaired"]


# ------------------------------------------------------------------------------------------- every finding


def every_evaluation():
    models = {"sharp": SHARP, "blurred": blurred(LOGIT, 2), "shy": expit(LOGIT - 8), "low": expit(LOGIT - 1)}
    group = np.where(np.arange(len(Y)) % 4 == 0, "women", "men")
    yield evaluate(Y, models, Decision(COSTS), group=group)
    yield evaluate(Y, models, Decision(At(0.1), prevalence=0.02))
    yield evaluate(Y, models, Decision(COSTS, limits=Limits(capacity=0.1, min_precision=0.99)))


@pytest.mark.usefixtures("few_replicates")
@pytest.mark.slow
def test_every_sentence_is_its_template_filled_in_and_ends_with_a_full_stop():
    for evaluation in every_evaluation():
        for finding in evaluation.findings:
            assert finding.template == TEMPLATES[finding.kind]
            assert finding.text == finding.template.format(**finding.values)
            assert finding.text.endswith(".")
            assert finding.evidence in ("ranking", "cost", "calibration", "world", "policy", "groups", "followed")
            slots = {name for _, name, _, _ in string.Formatter().parse(finding.template) if name}
            assert slots <= set(finding.values)


def test_no_sentence_speaks_of_significance():
    assert not any("significan" in text or "p-value" in text for text in TEMPLATES.values())


@pytest.mark.parametrize("template", TEMPLATES.values(), ids=TEMPLATES)
def test_a_sentence_makes_one_claim_in_at_most_thirty_words(template):
    assert len(template.split()) <= 30
    assert re.findall(r"[.?!](?= |$)", template) == ["."]


def test_names_are_shortened_and_on_one_line():
    evaluation = evaluate(Y, {"a\nb\x07" + 100_000 * "x": SHARP}, Decision(COSTS))
    assert len(str(evaluation)) < 3000
    assert "a b xxx" in str(evaluation)
    assert "<script>" not in evaluate(Y, {"<script>": SHARP}, Decision(COSTS))._repr_html_()


def test_scores_that_run_the_wrong_way_raise_the_question_which_outcome_is_positive():
    finding = found(evaluate(1 - Y, {"m": SHARP, "n": SHARP**2}, Decision(COSTS)), "wrong-way")
    assert re.fullmatch(
        r"The scores of [mn] and [mn] rank cases backwards: positives score lower \(AUC 0\.\d\d\); "
        r"check which outcome is coded as positive\.",
        finding.text,
    )


def test_scores_that_say_nothing_do_not_run_the_wrong_way():
    rng = np.random.default_rng(2)
    for _ in range(20):
        assert "wrong-way" not in kinds(evaluate(Y, {"m": rng.random(len(Y))}, Decision(COSTS)))

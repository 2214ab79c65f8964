"""The live report's JavaScript, in a real browser, gives the numbers that Python gives for the same table."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from report.agreement import EXACT_WEIGHTS, agree, models, ranges, untied
from strategies import tables

import stakes
from stakes import At, LogOddsUniform, ScoreTable, Uniform, score_table

# Ends that tie with scores, the whole range, ranges down to 0 and up to 1, rare, narrow, and wide ones.
COSTS = (
    At(0.1),
    At(0.35),
    Uniform(),
    Uniform(0.05, 0.35),
    Uniform(0.0, 0.2),
    Uniform(0.3, 1.0),
    Uniform(0.15, 0.15001),
    LogOddsUniform(0.02, 0.7),
    LogOddsUniform(0.1, 0.6),
    LogOddsUniform(1e-5, 0.9999),
)
PREVALENCES = (At(0.02), At(0.6), Uniform(0.05, 0.3), Uniform(), Uniform(0.2, 0.2003), LogOddsUniform(0.01, 0.4))

GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "scores.json").read_text(encoding="utf-8"))["cases"]


def both_classes(table: ScoreTable) -> bool:
    return 0 < table.prevalence < 1


# ------------------------------------------------------------------------------------------------------ beliefs


@given(belief=ranges(), score=st.sampled_from((0.0, 0.004, 0.1, 0.3, 0.35, 0.9, 1.0)))
def test_beliefs_charge_a_score_alike(numbers, belief, score):
    found = numbers(*((name, belief, score) for name in ("lossIfPositive", "lossIfNegative", "shareAbove")))
    agree(found, [belief.loss_if_positive(score), belief.loss_if_negative(score), belief.share_above(score)])


@given(belief=ranges())
def test_beliefs_charge_a_score_at_their_ends_alike(numbers, belief):
    calls = [(name, belief, end) for end in belief.support for name in ("lossIfPositive", "lossIfNegative")]
    wanted = [loss(end) for end in belief.support for loss in (belief.loss_if_positive, belief.loss_if_negative)]
    agree(numbers(*calls), wanted)


@given(belief=ranges())
def test_beliefs_have_the_same_mean(numbers, belief):
    agree(numbers(("mean", belief)), [belief.mean])


def test_a_belief_without_a_formula_is_refused(numbers):
    with pytest.raises(Exception, match='no formula for a belief of kind "other"'):
        numbers(("mean", {"kind": "other", "low": 0.1, "high": 0.2}))


# ------------------------------------------------------------------------------------------- numbers of a table


@given(table=tables(ends=True, one_class=True))
def test_expected_regret(numbers, table):
    agree(
        numbers(*(("expectedRegret", table, costs) for costs in COSTS)),
        [stakes.expected_regret(table, c) for c in COSTS],
    )


@given(table=tables(ends=True, one_class=True), costs=ranges())
def test_expected_regret_between_any_bounds(numbers, table, costs):
    agree(numbers(("expectedRegret", table, costs)), [stakes.expected_regret(table, costs)])


@given(table=tables(ends=True, one_class=True))
def test_measures_that_know_no_stakes(numbers, table):
    area = stakes.auc(table) if both_classes(table) else math.nan
    found = numbers(("auc", table), ("brier", table), ("logLoss", table))
    agree(found, [area, stakes.brier_score(table), stakes.log_loss(table)])


@given(table=tables(ends=True, one_class=True))
def test_measures_at_one_cost(numbers, table):
    costs = (0.004, 0.05, 0.1, 0.2, 0.35, 0.9)
    calls = [(name, table, cost) for cost in costs for name in ("regretAt", "netBenefitAt", "accuracy")]
    wanted = [
        value
        for c in costs
        for value in (
            stakes.expected_regret(table, At(c)),
            stakes.net_benefit(table, At(c)),
            stakes.accuracy(table, threshold=c),
        )
    ]
    agree(numbers(*calls), wanted)


@given(table=tables(ends=True, one_class=True))
def test_confusion_counts_among_a_thousand_cases(numbers, table):
    thresholds = (0.0, 0.1, 0.12, 0.35, 0.985, 1.0, math.inf)
    for threshold, found in zip(
        thresholds, numbers(*(("confusion", table, threshold) for threshold in thresholds)), strict=True
    ):
        acts = table.score >= threshold
        counts = {"tp": table.positive[acts], "fp": table.negative[acts]}
        counts |= {"fn": table.positive[~acts], "tn": table.negative[~acts]}
        assert found == pytest.approx({name: 1000 * w.sum() / table.total for name, w in counts.items()}, abs=1e-9)


# ------------------------------------------------------------------------------------------------ other tables


@given(table=tables(ends=True, one_class=True, weight=EXACT_WEIGHTS))
def test_recalibration_and_its_blocks(numbers, table):
    blocks, recalibrated, flat = numbers(("blocks", table), ("recalibrate", table), ("flatten", table))
    start, positive, negative = table.isotonic_blocks
    assert blocks == {"start": start.tolist(), "positive": positive.tolist(), "negative": negative.tolist()}
    assert recalibrated["score"] == stakes.recalibrate(table).score.tolist()
    assert (flat["score"], flat["positive"]) == ([table.prevalence], [table.positive_total])


@given(table=tables(ends=True), prevalence=st.floats(1e-4, 0.999))
def test_tables_at_another_prevalence(numbers, table, prevalence):
    (found,) = numbers(("atPrevalence", table, prevalence))
    wanted = stakes.at_prevalence(table, prevalence)
    for name in ("score", "positive", "negative"):
        agree(found[name], getattr(wanted, name))


def test_neighbours_that_rounding_makes_equal_or_swaps(numbers):
    scores = [0.9127555772777217, 0.9127555772777218, 0.9127555772777219, 0.912755577277722]
    table = ScoreTable.from_counts(scores, [1, 0, 1, 0], [2, 1, 2, 1])
    (found,) = numbers(("atPrevalence", table, 0.7294965609839984))
    wanted = stakes.at_prevalence(table, 0.7294965609839984)
    assert len(wanted) < len(table)
    assert found["score"] == wanted.score.tolist()
    agree(found["negative"], wanted.negative)


@given(table=tables(ends=True, weight=EXACT_WEIGHTS))
def test_a_table_at_its_own_prevalence_is_itself(numbers, table):
    (found,) = numbers(("atPrevalence", table, table.prevalence))
    assert (found["score"], found["positive"]) == (table.score.tolist(), table.positive.tolist())


# ------------------------------------------------------------------------------------- under another prevalence


@settings(max_examples=25)
@given(table=tables(ends=True))
def test_shifted_regret_for_every_pair_of_kinds(numbers, table):
    pairs = [(costs, prevalence) for costs in COSTS for prevalence in PREVALENCES]
    found = numbers(*(("shiftedRegret", table, *pair) for pair in pairs))
    agree(found, [stakes.prevalence.shifted_regret(table, *pair) for pair in pairs])


@given(table=tables(ends=True), costs=ranges(), prevalence=ranges())
def test_shifted_regret_between_any_bounds(numbers, table, costs, prevalence):
    agree(
        numbers(("shiftedRegret", table, costs, prevalence)),
        [stakes.prevalence.shifted_regret(table, costs, prevalence)],
    )


@given(table=tables(ends=True, weight=EXACT_WEIGHTS), cost=st.sampled_from((0.05, 0.1, 0.35)))
def test_shifted_regret_where_scores_tie_with_the_cost_at_the_own_prevalence(numbers, table, cost):
    own = At(table.prevalence)
    agree(numbers(("shiftedRegret", table, At(cost), own)), [stakes.expected_regret(table, At(cost))])


# ------------------------------------------------------------------------------------------------------- curves

CURVES = {
    "regretCurve": stakes.regret_curve,
    "brierCurve": stakes.curves.brier_curve,
    "costCurve": stakes.cost_curve,
    "decisionCurve": stakes.decision_curve,
    "bestDecisionCurve": stakes.curves.best_decision_curve,
    "treatAll": stakes.treat_all,
    "treatNone": stakes.treat_none,
    "reliabilityCurve": stakes.calibration_curve,
}
CURVES_OF_BOTH_CLASSES = {
    "rocCurve": stakes.roc_curve,
    "rocHull": stakes.curves.roc_hull,
    "accuracyCurve": stakes.prevalence.accuracy_curve,
}


def same_curve(found, wanted) -> None:
    agree(found["x"], wanted.x)
    agree(found["y"], wanted.y)
    agree(found["threshold"], wanted.threshold)
    assert (found["weight"] is None) == (wanted.weight is None)
    if wanted.weight is not None:
        agree(found["weight"], wanted.weight)


@pytest.mark.parametrize("name", CURVES)
@given(table=tables(ends=True, one_class=True, weight=EXACT_WEIGHTS))
def test_curves(numbers, name, table):
    same_curve(*numbers((name, table)), CURVES[name](table))


@pytest.mark.parametrize("name", CURVES_OF_BOTH_CLASSES)
@given(table=tables(ends=True, weight=EXACT_WEIGHTS))
def test_curves_of_both_classes(numbers, name, table):
    same_curve(*numbers((name, table)), CURVES_OF_BOTH_CLASSES[name](table))


@given(table=tables(ends=True, weight=EXACT_WEIGHTS), cost=st.sampled_from((0.1, 0.2, 0.35)))
def test_net_benefit_over_prevalence(numbers, table, cost):
    same_curve(
        *numbers(("shiftedNetBenefitCurve", table, cost)), stakes.prevalence.shifted_net_benefit_curve(table, cost=cost)
    )


@given(table=tables(ends=True, one_class=True, weight=EXACT_WEIGHTS))
def test_the_best_regret_is_half_the_lower_envelope(numbers, table):
    best, envelope = numbers(("bestRegretCurve", table), ("costCurve", table))
    agree(best["x"], envelope["x"])
    agree(2 * np.array(best["y"]), envelope["y"])


@given(table=tables(ends=True), bins=st.integers(1, 60))
def test_histograms_by_class(numbers, table, bins):
    (found,) = numbers(("scoreHistograms", table, bins))
    histograms = stakes.curves.score_histograms(table, bins=bins)
    for name in ("positive", "negative"):
        wanted = getattr(histograms, name)
        agree(found[name], wanted.y[1:-1:2])
        agree(found["edge"], wanted.x[::2])


@pytest.mark.parametrize(
    "name", ["regretCurve", "decisionCurve", "costCurve", "bestDecisionCurve", "rocCurve", "accuracyCurve"]
)
@given(
    table=tables(ends=True, weight=EXACT_WEIGHTS),
    x=st.sampled_from((0.0, 0.004, 0.05, 0.1, 0.12, 0.35, 0.8, 1.0, 1.2, -0.1)),
)
def test_the_value_of_a_curve_at_any_place(numbers, name, table, x):
    curve = (CURVES | CURVES_OF_BOTH_CLASSES)[name](table)
    agree(numbers(("valueAt", (name, table), x)), [curve.at(x)])


@pytest.mark.parametrize("name", ["regretCurve", "decisionCurve"])
@given(
    table=tables(ends=True, weight=EXACT_WEIGHTS),
    ends=st.sampled_from(((0.05, 0.35), (0.0, 0.1), (0.12, 0.13), (0.3, 0.99))),
)
def test_part_of_a_curve(numbers, name, table, ends):
    same_curve(*numbers(("between", (name, table), *ends)), CURVES[name](table).between(*ends))


@given(pair=models(), ends=st.sampled_from(((0.0, 1.0), (0.05, 0.35), (0.1, 0.6), (0.12, 0.13))))
def test_crossings_of_two_regret_curves(numbers, pair, ends):
    calls = [("between", ("regretCurve", table), *ends) for table in pair]
    (found,) = numbers(("crossings", *calls))
    agree(found, stakes.crossings(*(stakes.regret_curve(table).between(*ends) for table in pair)))


# ------------------------------------------------------------------------------- worked numbers and real tables


def golden_table(name: str) -> ScoreTable:
    given_ = GOLDEN[name]["input"]
    return score_table(given_["y"], given_["s"], given_["w"])


@pytest.mark.parametrize("cost", [0.1, 0.25, 0.5, 0.6])
def test_worked_numbers_where_scores_tie_with_the_cost(numbers, cost):
    table, wanted = golden_table("point_ties"), GOLDEN["point_ties"]["expected"][f"c={cost}"]
    found = numbers(
        ("regretAt", table, cost), ("regretAt", table, float(np.nextafter(cost, 1))), ("netBenefitAt", table, cost)
    )
    agree(found, [wanted["regret_star"], wanted["regret_star_right"], wanted["net_benefit"]])


def test_worked_numbers_of_the_whole_range(numbers):
    table, wanted = golden_table("point_ties"), GOLDEN["point_ties"]["expected"]
    found = numbers(("accuracy", table, 0.5), ("auc", table), ("brier", table), ("logLoss", table))
    agree(found, [wanted["accuracy(tau=.5)"], wanted["auc"], wanted["brier"], wanted["log_loss"]])


@pytest.mark.parametrize("rows", [1, 3000])
def test_tables_of_one_row_and_of_thousands(numbers, rows):
    table = score_table([1], [0.3]) if rows == 1 else untied(rows, 5)
    found = numbers(("expectedRegret", table, Uniform(0.02, 0.3)), ("brier", table), ("logLoss", table))
    agree(found, [stakes.expected_regret(table, Uniform(0.02, 0.3)), stakes.brier_score(table), stakes.log_loss(table)])
    same_curve(*numbers(("bestDecisionCurve", table)), stakes.curves.best_decision_curve(table))


@pytest.mark.parametrize("prevalence", [At(0.03), LogOddsUniform(0.05, 0.5), Uniform(0.05, 0.5)])
def test_thousands_of_untied_scores_at_another_prevalence(numbers, prevalence):
    table = untied(3000, 6)
    pairs = [(costs, prevalence) for costs in (At(0.07), Uniform(0.02, 0.3), LogOddsUniform(0.02, 0.3), Uniform())]
    found = numbers(*(("shiftedRegret", table, *pair) for pair in pairs))
    agree(found, [stakes.prevalence.shifted_regret(table, *pair) for pair in pairs])

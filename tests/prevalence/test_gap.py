"""Why two groups differ: parts that add up, and say what they should where the answer is known."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import tables

from stakes import At, LogOddsUniform, ScoreTable, Uniform, at_prevalence, explain_gap, score_table
from stakes.prevalence import (
    explain_gaps,
    prior_adjusted_net_benefit,
    reweight_classes,
    shifted_accuracy,
    shifted_net_benefit,
    shifted_regret,
    shifted_weighted_accuracy,
)

FAMILY = (prior_adjusted_net_benefit, shifted_net_benefit, shifted_weighted_accuracy, shifted_regret)
BASE = score_table([0, 0, 1, 0, 1, 1, 0], [0.05, 0.2, 0.3, 0.4, 0.55, 0.9, 0.1], [4, 2, 1, 1, 1, 2, 3])


@pytest.mark.parametrize("measure", FAMILY)
@settings(max_examples=15)
@given(tables(ends=True), tables(ends=True), st.sampled_from([At(0.2), Uniform(0.1, 0.4)]))
def test_the_parts_add_up_to_the_last_bit(measure, a, b, costs):
    gap = explain_gap(a, b, costs, measure=measure)
    assert gap.total == gap.mechanism + gap.label
    assert gap.mechanism == gap.sharpness + gap.calibration
    direct = measure(a, costs, At(a.prevalence)) - measure(b, costs, At(b.prevalence))
    assert gap.total == pytest.approx(direct, abs=1e-14)


@pytest.mark.parametrize("measure", FAMILY)
def test_turning_the_groups_round_turns_the_signs_round(measure):
    other = at_prevalence(score_table([0, 1, 0, 1], [0.1, 0.3, 0.5, 0.6]), 0.15)
    one, two = (explain_gap(*pair, At(0.2), measure=measure) for pair in ((BASE, other), (other, BASE)))
    for part in ("total", "mechanism", "label", "sharpness", "calibration"):
        assert getattr(one, part) == pytest.approx(-getattr(two, part), abs=1e-15)


def test_another_prevalence_alone_is_all_label():
    gap = explain_gap(BASE, at_prevalence(BASE, 0.07), At(0.2))
    assert gap.label == pytest.approx(gap.total, abs=1e-12)
    assert abs(gap.total) > 0.05
    assert (gap.mechanism, gap.sharpness, gap.calibration) == pytest.approx((0, 0, 0), abs=1e-12)


def test_scores_that_were_not_adjusted_are_all_calibration():
    """The second group has another prevalence and the same scores: its own recalibration would put that right."""
    calibrated = ScoreTable.from_counts([0.1, 0.25, 0.6, 0.8], [10, 25, 60, 80], [90, 75, 40, 20])
    gap = explain_gap(calibrated, reweight_classes(calibrated, 0.1), At(0.2), LogOddsUniform(0.1, 0.4))
    assert gap.sharpness == pytest.approx(0, abs=1e-12)
    assert gap.calibration == pytest.approx(gap.mechanism, abs=1e-12)
    assert gap.calibration > 0.01


def test_equal_prevalences_leave_nothing_to_the_label():
    other = at_prevalence(score_table([0, 1, 0, 1], [0.1, 0.3, 0.5, 0.6]), BASE.prevalence)
    gap = explain_gap(BASE, other, At(0.2))
    assert gap.label == pytest.approx(0, abs=1e-12)
    assert gap.total == pytest.approx(gap.mechanism, abs=1e-12)


def test_without_a_belief_groups_are_compared_between_their_own_prevalences():
    rare = reweight_classes(BASE, 0.1)
    between = LogOddsUniform(rare.prevalence, BASE.prevalence)
    assert explain_gap(BASE, rare, At(0.2)) == explain_gap(BASE, rare, At(0.2), between)


def test_many_groups_have_a_gap_each_in_the_order_given():
    groups = {"a": BASE, "b": reweight_classes(BASE, 0.1), "c": at_prevalence(BASE, 0.2)}
    gaps = explain_gaps(groups, "b", At(0.2), measure=shifted_regret)
    assert list(gaps) == ["a", "c"]
    assert gaps["c"] == explain_gap(groups["c"], groups["b"], At(0.2), measure=shifted_regret)


def test_an_unknown_reference_group_is_named():
    with pytest.raises(ValueError, match="reference") as caught:
        explain_gaps({"women": BASE, "men": BASE}, "man", At(0.2))
    assert str(caught.value) == "`reference` must be one of men, women, got 'man'."


def test_accuracy_takes_no_costs():
    with pytest.raises(TypeError) as caught:
        explain_gap(BASE, BASE, At(0.2), measure=shifted_accuracy)
    assert str(caught.value) == (
        "`measure` must be a function of (table, costs, prevalence), got `shifted_accuracy`; for accuracy use "
        "`shifted_weighted_accuracy` with `At(0.5)`."
    )

"""Differences to the best in groups: the same as by hand, in text, page and JSON, and where they are not known."""

import json

import numpy as np
import pytest
from evaluation.judging.plain import expit

from stakes import At, Cases, InputError, Uniform, evaluate, evaluate_tables, expected_regret, score_table
from stakes._wording import p_value
from stakes.evaluation import group_difference_note, group_difference_rows
from stakes.report._render import render
from stakes.uncertainty import compare_groups

COSTS = Uniform(0.1, 0.3)


def sample(cases=400, seed=1, shift=0.0):
    """Return outcomes, scores of two models, and groups, of which one has another prevalence."""
    rng = np.random.default_rng(seed)
    group = rng.choice(["north", "south"], cases, p=[0.6, 0.4])
    log_odds = rng.normal(size=cases) - 1 + np.where(group == "south", shift, 0.0)
    y = rng.random(cases) < expit(log_odds)
    return y, {"good": expit(log_odds), "noisy": expit(log_odds + 2 * rng.normal(size=cases))}, group


@pytest.fixture(scope="module")
def evaluation():
    y, scores, group = sample()
    return evaluate(y, scores, COSTS, group=group)


def test_every_model_and_reference_is_compared_with_the_best_as_by_hand(evaluation):
    y, scores, group = sample()
    names = [one.model for one in evaluation.ranking]
    assert list(evaluation.group_comparisons) == names[1:]
    constants = {"act on everyone": 1.0, "act on no one": 0.0}
    whole = Cases(y, scores).with_constants(constants)
    for name, found in evaluation.group_comparisons.items():
        by_hand = compare_groups(whole, name, names[0], expected_regret, group, costs=COSTS)
        assert (found.groups, found.p_value) == (by_hand.groups, by_hand.p_value)


def test_clusters_across_groups_are_those_of_the_whole_sample():
    y, scores, group = sample()
    cluster = np.array([f"ward {k % 40}" for k in range(400)])
    weight = np.where(np.arange(400) % 9 == 0, 0.0, 1.0 + np.arange(400) % 3)
    found = evaluate(y, scores, COSTS, group=group, cluster=cluster, weight=weight).group_comparisons["noisy"]
    whole = Cases(y, scores, cluster=cluster, weight=weight)
    by_hand = compare_groups(whole, "noisy", "good", expected_regret, group, costs=COSTS)
    assert found.correlation == by_hand.correlation
    assert found.correlation
    assert found.p_value == by_hand.p_value


def test_text_and_page_show_what_json_holds(evaluation):
    text, page = str(evaluation), render(evaluation)
    rival = evaluation.results.rival.model
    compared = json.loads(evaluation.to_json())["group_comparisons"]
    assert [one["model"] for one in compared] == list(evaluation.group_comparisons)
    headings, *rows = group_difference_rows(evaluation)
    assert headings[0] == f"{rival} vs {evaluation.best.model}"
    assert [row[0] for row in rows] == [group["name"] for group in compared[0]["groups"]]
    for row in rows:
        assert "  ".join(row[-1:]) in text
        assert all(f"<td>{cell}</td>" in page for cell in row[1:])
    note = group_difference_note(evaluation)
    assert note in " ".join(text.split())
    assert note in page


def test_the_note_says_levels_and_names_who_is_left_out():
    y, scores, group = sample()
    labels = group.astype(object)
    labels[:30] = None
    labels[30:42] = "east"
    found = evaluate(y, scores, COSTS, group=labels)
    positives = found.group_comparisons["noisy"].groups["east"].positives
    assert group_difference_note(found) == (
        "95% intervals hold group by group; 98.8% intervals hold for all 4 groups together, with 95% confidence. One "
        "that holds 0 beside one that does not is no sign that groups differ. Not in the test between groups: "
        f"(missing) (no label), east (only {positives} positives)."
    )


def test_the_note_speaks_of_two_groups_as_both():
    y, scores, group = sample()
    found = evaluate(y, scores, COSTS, group=group == "north")
    assert "97.5% intervals hold for both groups together, with 95% confidence. " in group_difference_note(found)


def test_the_first_of_two_costs_has_the_unit(evaluation):
    (said,) = (one for one in evaluation.findings if one.kind in {"groups-agree", "groups-differ"})
    assert said.values["least"].endswith(" misses per 1,000 cases")
    assert said.values["most"].replace(".", "").isdigit()


def test_models_that_differ_alike_are_said_to_show_no_sign(evaluation):
    kinds = [one.kind for one in evaluation.findings]
    assert ("groups-agree" in kinds) == (evaluation.results.group_comparison.p_value >= 0.05)
    assert ("groups-differ" in kinds) == (evaluation.results.group_comparison.p_value < 0.05)


@pytest.mark.parametrize(("share", "said"), [(0.02, False), (0.2, True)])
def test_positives_without_a_label_are_a_finding(share, said):
    y, scores, group = sample()
    labels = group.astype(object)
    labels[np.flatnonzero(y)[: round(share * y.sum())]] = None
    found = evaluate(y, scores, COSTS, group=labels)
    assert ("group-missing" in [one.kind for one in found.findings]) == said


def test_one_group_is_compared_with_none():
    y, scores, _ = sample()
    found = evaluate(y, scores, COSTS, group=["all"] * 400)
    assert found.group_comparisons == {}
    assert group_difference_rows(found) == []
    assert group_difference_note(found) == ""


def test_tables_do_not_know_which_cases_models_share():
    y, scores, group = sample()
    tables = {
        name: {model: score_table(y[group == name], score[group == name]) for model, score in scores.items()}
        for name in ("north", "south")
    }
    whole = {model: score_table(y, score) for model, score in scores.items()}
    assert evaluate_tables(whole, COSTS, groups=tables).group_comparisons == {}


@pytest.mark.parametrize("in_memory", [0, 1000])
def test_labels_that_are_all_missing_are_refused(in_memory):
    import polars as pl

    frame = pl.LazyFrame(
        {"died": [0, 1] * 20, "a": [0.1, 0.9] * 20, "site": [None] * 40}, schema_overrides={"site": str}
    )
    with pytest.raises(InputError) as error:
        evaluate("died", ["a"], At(0.2), data=frame, group="site", in_memory=in_memory)
    assert str(error.value) == "`group` must have a label for at least one case, got none."


@pytest.mark.parametrize(
    ("probability", "text"),
    [
        (0.0004, "p < 0.001"),
        (0.0123, "p = 0.012"),
        (0.049999, "p = 0.049999"),
        (0.0504, "p = 0.0504"),
        (0.6789, "p = 0.68"),
        (1.0, "p = 1"),
    ],
)
def test_a_p_value_does_not_read_as_what_it_is_held_against(probability, text):
    assert p_value(probability, unlike=1 - 0.95) == text

"""A baseline: every model is compared with it, in the numbers, the text, the JSON and the report."""

import math

import numpy as np
import polars as pl
import pytest

from stakes import Cases, Decision, Limits, evaluate, evaluate_tables, expected_regret, score_table
from stakes._errors import InputError
from stakes.evaluation import _sources
from stakes.uncertainty import compare

RNG = np.random.default_rng(7)
RISK = RNG.random(300)
Y = (RNG.random(300) < RISK).astype(int)
MODELS = {"old": np.sqrt(RISK), "new": RISK, "odd": RNG.random(300)}
COSTS = "20%..60%"
LIMITED = Decision(COSTS, limits=Limits(capacity=0.4))


@pytest.fixture(autouse=True)
def _few_replicates(monkeypatch):
    monkeypatch.setattr(_sources, "_REPLICATES", 50)


def differences(evaluation):
    """Return the differences to the baseline, by model."""
    return {one.model: one.baseline_difference for one in evaluation.ranking}


def test_differences_are_those_of_compare_on_the_same_cases():
    found = differences(evaluate(Y, MODELS, COSTS, baseline="old"))
    cases = Cases(Y, MODELS)
    assert found["old"] is None
    for model in ("new", "odd"):
        wanted = compare(cases, model, "old", expected_regret, costs=COSTS)
        assert (found[model].a, found[model].b) == (model, "old")
        assert (found[model].difference, found[model].lower, found[model].upper) == pytest.approx(
            (wanted.difference, wanted.lower, wanted.upper), rel=1e-12
        )


@pytest.mark.parametrize("decision", [COSTS, LIMITED], ids=["formula", "resampled"])
def test_with_the_best_as_baseline_differences_are_those_to_the_best(decision):
    evaluation = evaluate(Y, MODELS, decision)
    found = differences(evaluate(Y, MODELS, decision, baseline=evaluation.best.model))
    assert found == {one.model: one.difference for one in evaluation.ranking}


@pytest.mark.parametrize("decision", [COSTS, LIMITED], ids=["formula", "resampled"])
def test_exchanging_model_and_baseline_turns_the_difference_round(decision):
    there = differences(evaluate(Y, MODELS, decision, baseline="old"))["new"]
    back = differences(evaluate(Y, MODELS, decision, baseline="new"))["old"]
    assert (there.difference, there.lower, there.upper) == pytest.approx((-back.difference, -back.upper, -back.lower))


def test_a_reference_can_be_the_baseline():
    evaluation = evaluate(Y, MODELS, COSTS, baseline="act on no one")
    cost = {one.model: one.regret.estimate for one in evaluation.ranking}
    for model, found in differences(evaluation).items():
        assert model == "act on no one" or found.difference == pytest.approx(cost[model] - cost["act on no one"])


def test_frames_whose_cases_stay_where_they_are_know_the_same_differences():
    frame = pl.LazyFrame({"y": Y, **MODELS})
    here = differences(evaluate(Y, MODELS, COSTS, baseline="odd"))
    there = differences(evaluate("y", list(MODELS), COSTS, data=frame, in_memory=0, baseline="odd"))
    for model in ("old", "new", "act on no one"):
        numbers = [(one.difference, one.lower, one.upper) for one in (here[model], there[model])]
        assert numbers[0] == pytest.approx(numbers[1], rel=1e-6)


def test_tables_know_the_differences_and_no_intervals():
    tables = {name: score_table(Y, score) for name, score in MODELS.items()}
    evaluation = evaluate_tables(tables, COSTS, baseline="old")
    cost = {one.model: one.regret.estimate for one in evaluation.ranking}
    found = differences(evaluation)["new"]
    assert found.difference == cost["new"] - cost["old"]
    assert math.isnan(found.lower)
    assert [one.kind for one in evaluation.findings].count("baseline-unsure") == 2
    assert "by the tables alone" in " ".join(str(evaluation).split())


def test_an_unknown_baseline_is_refused_with_the_names_there_are():
    with pytest.raises(InputError) as raised:
        evaluate(Y, MODELS, COSTS, baseline="nwe")
    assert str(raised.value).startswith("`baseline` must be one of new, ")
    assert all(name in str(raised.value) for name in ("old", "odd", "act on everyone", "act on no one"))


def test_a_reference_that_the_limits_forbid_is_no_baseline():
    with pytest.raises(InputError):
        evaluate(Y, MODELS, LIMITED, baseline="act on everyone")


def test_without_a_baseline_nothing_is_compared_with_one():
    evaluation = evaluate(Y, MODELS, COSTS)
    assert set(differences(evaluation).values()) == {None}
    assert evaluation.to_dict()["baseline"] is None
    assert {row["baseline_difference"] for row in evaluation.to_dict()["ranking"]} == {None}


def test_the_text_has_a_column_with_differences_and_their_intervals():
    evaluation = evaluate(Y, MODELS, COSTS, baseline="old")
    found, unit = differences(evaluation)["odd"], evaluation.unit
    cell = f"{unit.signed(found.difference)} ({unit.interval(found.difference, found.lower, found.upper)})"
    assert "vs old" in str(evaluation)
    assert "vs best" not in str(evaluation)
    assert cell in str(evaluation)
    assert cell in evaluation._repr_html_()


def test_the_ranking_is_the_same_with_and_without_a_baseline():
    names = ("model", "regret", "lower", "upper", "difference", "difference_lower", "probability_best")
    plain, against = (evaluate(Y, MODELS, LIMITED, baseline=one).to_dict()["ranking"] for one in (None, "old"))
    assert [{name: row[name] for name in names} for row in plain] == [
        {name: row[name] for name in names} for row in against
    ]


@pytest.mark.slow
def test_the_report_compares_with_the_baseline(tmp_path):
    evaluation = evaluate(Y, MODELS, COSTS, baseline="old")
    evaluation.save_html(tmp_path / "report.html")
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    found, unit = differences(evaluation)["odd"], evaluation.unit
    assert "vs old</th>" in page
    assert "vs best" not in page
    assert f'<span class="much">{unit.signed(found.difference)}</span>' in page
    assert f">{unit.interval(found.difference, found.lower, found.upper)}</span>" in page

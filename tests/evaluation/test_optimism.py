"""Costs on the cases a model was fitted to, corrected for how much better models look there."""

import math
from functools import partial

import numpy as np
import pytest
from evaluation.samples import expit, kinds, risks
from evaluation.toys import Bold, Shares

from stakes import InputError, Uniform, auc, brier_score, calibration_summary, evaluate, expected_regret, score_table
from stakes._roles import FrameColumns
from stakes.evaluation import validate
from stakes.evaluation._fitting import FitData
from stakes.evaluation._optimism import ShiftedStudy, draw_samples
from stakes.evaluation._sources import CaseSource

COSTS = Uniform(0.05, 0.4)
Y, LOGIT = risks(150, seed=3)
X = np.round(LOGIT)[:, None]
near = {"rel": 1e-12, "abs": 1e-14}
BOTH = {"calm": Shares(), "bold": Bold()}
SAMPLES = 12


@pytest.fixture(scope="module")
def found():
    return validate(BOTH, X, Y, COSTS, method="optimism", repeats=SAMPLES, rng=5)


@pytest.fixture(scope="module")
def by_hand():
    """Return apparent and corrected numbers of each model, from the same bootstrap samples."""
    dealing, _ = np.random.default_rng(5).spawn(2)
    samples = draw_samples(SAMPLES, FitData.of(X, FrameColumns(outcome=Y, predictions={})), dealing)
    numbers = {
        "cost": lambda table: expected_regret(table, COSTS),
        "auc": auc,
        "brier_score": brier_score,
        "slope": lambda table: calibration_summary(table).slope,
        "intercept": lambda table: calibration_summary(table).intercept,
    }
    return {
        (name, number): _corrected(type(estimator), samples, function)
        for name, estimator in BOTH.items()
        for number, function in numbers.items()
    }


def _corrected(make, samples, number):
    score = make().fit(X, Y).predict_proba(X)[:, 1]
    apparent, better = number(score_table(Y, score)), []
    for rows in samples:
        other = make().fit(X[rows], Y[rows]).predict_proba(X)[:, 1]
        better.append(number(score_table(Y[rows], other[rows])) - number(score_table(Y, other)))
    return apparent, apparent - np.mean(better)


@pytest.mark.parametrize("name", BOTH)
def test_costs_are_what_a_loop_computes(name, found, by_hand):
    apparent, corrected = by_hand[name, "cost"]
    assert found.validation.apparent[name] == pytest.approx(apparent, **near)
    assert found.intervals[name].estimate == pytest.approx(corrected, **near)


@pytest.mark.parametrize("name", BOTH)
@pytest.mark.parametrize("number", ["auc", "brier_score"])
def test_the_usual_measures_are_corrected_too(name, number, found, by_hand):
    (own,) = (one for one in found.ranking if one.model == name)
    assert getattr(own, number) == pytest.approx(by_hand[name, number][1], **near)


@pytest.mark.parametrize("name", BOTH)
@pytest.mark.parametrize("number", ["slope", "intercept"])
def test_slope_and_intercept_are_corrected(name, number, found, by_hand):
    assert getattr(found.validation, number)[name] == pytest.approx(by_hand[name, number][1], **near)


def test_intervals_and_differences_are_moved_as_a_whole(found):
    fitted = {name: type(one)().fit(X, Y).predict_proba(X)[:, 1] for name, one in BOTH.items()}
    before, gap = evaluate(Y, fitted, COSTS), found.validation.gap
    for name in BOTH:
        for end in ("lower", "upper"):
            moved = getattr(before.intervals[name], end) + gap[name]
            assert getattr(found.intervals[name], end) == pytest.approx(moved, **near)
    first, second = (one for one in found.ranking if not one.reference)
    width = second.difference.upper - second.difference.lower
    assert second.difference.difference == pytest.approx(second.regret.estimate - first.regret.estimate, **near)
    assert width > 0


def test_no_corrected_cost_is_below_0():
    study = CaseSource.of_arrays(FrameColumns(outcome=Y, predictions={"calm": expit(LOGIT)})).study(
        {"calm": partial(expected_regret, costs=COSTS)}
    )
    before = study.intervals()["calm"]
    by = -(before.lower + before.estimate) / 2
    after = ShiftedStudy(study, {"calm": by}).intervals()["calm"]
    assert (after.lower, after.estimate, after.upper) == (0.0, before.estimate + by, before.upper + by)


def test_a_bold_model_is_seen_to_be_too_bold(found):
    assert found.validation.slope["bold"] < 0.7 < found.validation.slope["calm"] < 1.2


def test_clusters_are_drawn_whole():
    cluster = np.arange(len(Y)) // 5
    data = FitData.of(X, FrameColumns(outcome=Y, predictions={}, cluster=cluster))
    for rows in draw_samples(5, data, np.random.default_rng(0)):
        times = np.bincount(rows, minlength=len(Y)).reshape(-1, 5)
        assert (times == times[:, :1]).all()


def test_nothing_is_said_that_rests_on_the_cases_fitted_to(found):
    assert set(kinds(found)) <= {"best", "best-close", "validated", "validated-no-gap", "few"}
    assert "corrected by 12 bootstrap samples" in str(found.findings[1])


def test_there_is_no_report_whose_pictures_would_be_too_good(found, tmp_path):
    with pytest.raises(InputError) as raised:
        found.save_html(tmp_path / "report.html")
    assert str(raised.value) == (
        "`evaluation` must have costs that follow from its tables, got costs corrected for optimism, which no table "
        "has; use `method='cv'` for a report."
    )


def test_the_same_seed_gives_the_same_numbers(found):
    again = validate(BOTH, X, Y, COSTS, method="optimism", repeats=SAMPLES, rng=5)
    assert again.to_dict() == found.to_dict()


@pytest.mark.filterwarnings("error")
def test_a_number_that_is_undefined_in_every_sample_stays_undefined():
    certain = validate(
        Shares(prior=0.0), np.arange(60)[:, None], np.arange(60) % 3 == 0, COSTS, method="optimism", repeats=3
    )
    assert certain.validation.apparent == {"Shares": 0.0}
    assert certain.validation.validated["Shares"] > 0
    assert math.isnan(certain.validation.slope["Shares"])

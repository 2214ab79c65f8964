"""Worked cases of a validation: a toy estimator, with its folds and bootstrap samples given."""

import json
from pathlib import Path

import numpy as np
import pytest
from evaluation.toys import Shares

from stakes import At, Uniform, auc, expected_regret, net_benefit
from stakes._roles import FrameColumns
from stakes.evaluation import validate
from stakes.evaluation._fitting import FitData, as_procedures
from stakes.evaluation._optimism import corrected

# .632 and .632+ stand there too: `validate` offers neither.
WORKED = json.loads((Path(__file__).parent / "validated.json").read_text(encoding="utf-8"))
BY_NAME = {case["name"].rpartition(" ")[2]: case for case in WORKED}
MEASURES = {
    "regret": lambda table: expected_regret(table, Uniform()),
    "nb": lambda table: net_benefit(table, At(0.2)),
    "auc": auc,
}
near = {"rel": 1e-10, "abs": 1e-14}


def sample(case):
    given = case["inputs"]
    fold = np.array(given["folds"])
    folds = [(np.flatnonzero(fold != one), np.flatnonzero(fold == one)) for one in np.unique(fold)]
    return np.array(given["x"])[:, None], np.array(given["y"]), folds


@pytest.mark.parametrize("name", MEASURES)
def test_apparent_and_corrected_for_optimism(name):
    case = BY_NAME[name]
    X, y, _ = sample(case)
    data = FitData.of(X, FrameColumns(outcome=y, predictions={}))
    samples, rng = [np.array(rows) for rows in case["inputs"]["boots"]], np.random.default_rng(0)
    _, before, after = corrected(
        as_procedures(Shares(), weighted=False), data, samples, lambda table: np.array([MEASURES[name](table)]), rng
    )
    assert before["Shares"][0] == pytest.approx(case["expected"]["apparent"], **near)
    assert after["Shares"][0] == pytest.approx(case["expected"]["optimism_corrected"], **near)


def test_expected_cost():
    case = BY_NAME["regret"]
    X, y, folds = sample(case)
    found = validate(Shares(), X, y, Uniform(), folds=folds)
    assert found.best.regret.estimate == pytest.approx(case["expected"]["cv_pooled"], **near)
    assert found.validation.apparent["Shares"] == pytest.approx(case["expected"]["apparent"], **near)


def test_net_benefit():
    case = BY_NAME["nb"]
    X, y, folds = sample(case)
    found = validate(Shares(), X, y, At(0.2), folds=folds)
    assert net_benefit(found.tables["Shares"], At(0.2)) == pytest.approx(case["expected"]["cv_pooled"], **near)


def test_auc_is_that_within_folds():
    case = BY_NAME["auc"]
    X, y, folds = sample(case)
    found = validate(Shares(), X, y, At(0.2), folds=folds)
    (own,) = (standing for standing in found.ranking if standing.model == "Shares")
    assert own.auc == pytest.approx(case["expected"]["cv_folds"], **near)
    assert auc(found.tables["Shares"]) == pytest.approx(case["expected"]["cv_pooled"], **near)

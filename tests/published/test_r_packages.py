"""Numbers that R packages print: hmeasure, triptych, dcurves and pROC.

- ``hmeasure`` 1.0 (C. Anagnostopoulos and D. J. Hand): `HMeasure` of a linear discriminant analysis of the Pima data of
  MASS, trained on ``Pima.tr``, as the tests of the Python package hmeasure record them
  (github.com/ldanov/pypkg_hmeasure, ``tests/resources/hmeasure_r_case_*.json``, written by ``r_values_generators.R``).
- ``triptych`` (T. Dimitriadis, T. Gneiting, A. I. Jordan and P. Vogel (2024), "Evaluating probabilistic classifiers:
  the triptych", International Journal of Forecasting 40(3), 1101-1122): Table 2, from the authors' replication package
  (github.com/TimoDimi/replication_triptych, CC0). Forecasts of solar flares of class C1.0 and above; data: K. D. Leka
  et al. (2019), doi:10.7910/DVN/HYP74O.
- ``dcurves`` (D. D. Sjoberg; Apache-2.0): the tutorial's values on the bundled cohort, as the Python package records
  them (github.com/MSKCC-Epi-Bio/dcurves, ``r_dca_famhistory.csv`` and ``dca_tutorial_interventions_vals.csv``).
- ``pROC`` (X. Robin et al. (2011), BMC Bioinformatics 12, 77; GPL-3): `auc`, `var` and `cov` by DeLong's method of two
  scores of twenty cases, run in R 4.2.2.
"""

import math
import re

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn import linear_model

from stakes import At, Beta, Cases, ScoreTable, Uniform, auc, decision_curve, decompose, h_measure, score_table
from stakes.beliefs import EveryLogOdds
from stakes.curves import interventions_avoided_curve, roc_hull
from stakes.datasets import load_cohort
from stakes.uncertainty import Study

# ---------------------------------------------------------------------------------------------------------- hmeasure

# The corners (G0, G1) of the convex hull that R prints, as counts of 223 negatives and 109 positives. The H-measure
# needs nothing else.
FALSE_ALARMS = np.array([0, 0, 3, 7, 15, 16, 17, 33, 68, 77, 119, 137, 196, 223])
TRUE_ALARMS = np.array([0, 1, 18, 40, 59, 61, 62, 75, 98, 100, 107, 108, 109, 109])
R_COSTS = [
    1, 0.85, 0.846153846153847, 0.703703703703704, 0.666666666666666, 0.499999999999998, 0.448275862068966,
    0.396551724137931, 0.181818181818183, 0.142857142857143, 0.0526315789473687, 0.0166666666666666, 0,
]  # fmt: skip
PIMA = ScoreTable.from_counts(np.arange(13, 0, -1), np.diff(TRUE_ALARMS), np.diff(FALSE_ALARMS))


def test_the_costs_at_which_the_hull_turns():
    taken, missed = np.diff(FALSE_ALARMS), np.diff(TRUE_ALARMS)
    assert_allclose(missed / (taken + missed), R_COSTS, rtol=1e-12)
    hull = roc_hull(PIMA)
    assert_allclose(hull.x * 223, FALSE_ALARMS, atol=1e-12)
    assert_allclose(hull.y * 109, TRUE_ALARMS, atol=1e-12)


R_H = {  # severity ratio: the belief it stands for, and H
    "1": (Beta(2, 2), 0.42144692438763),
    "0.1": (Beta(2, 11), 0.472887366171331),
    "below 0, the Beta of 2014": (Beta(1 + 109 / 332, 1 + 223 / 332), 0.431750796329978),
}


@pytest.mark.parametrize("severity_ratio", R_H)
def test_h_measure_of_r(severity_ratio):
    belief, printed = R_H[severity_ratio]
    assert h_measure(PIMA, belief) == pytest.approx(printed, rel=1e-12)


def test_our_default_is_a_severity_ratio_of_one():
    assert h_measure(PIMA) == pytest.approx(R_H["1"][1], rel=1e-12)


# ---------------------------------------------------------------------------------------------------------- triptych

# Forecast in hundredths: days with a flare / days without.
NOAA = """
    1:1/7 5:0/48 10:2/76 15:5/60 20:6/39 25:18/35 30:14/29 35:14/27 40:9/22 45:8/15 50:10/15 55:9/6 60:13/10
    65:5/5 70:20/3 75:9/3 80:12/1 85:6/0 90:2/0 95:4/0 99:8/1
"""
SIDC = """
    1:0/3 3:0/2 5:2/38 6:0/5 7:0/5 8:0/6 9:0/4 10:6/43 12:0/1 14:0/2 15:1/42 16:0/1 18:1/1 19:0/1 20:8/27 23:0/1
    25:9/35 26:0/1 27:1/7 28:1/0 30:14/27 32:1/3 33:0/1 34:0/1 35:9/14 37:0/1 38:1/1 40:7/15 45:6/24 49:0/2
    50:16/22 52:1/0 55:8/11 56:0/2 58:0/1 59:1/0 60:4/18 61:0/1 62:1/0 64:1/0 65:9/8 68:0/1 70:17/8 75:12/8
    77:1/0 78:1/0 79:1/0 80:9/6 82:1/0 85:7/0 90:3/0 93:1/0 94:0/1 95:6/0 99:8/1
"""


def forecaster(days: str) -> ScoreTable:
    rows = np.array([re.split("[:/]", row) for row in days.split()], dtype=int)
    return ScoreTable.from_counts(rows[:, 0] / 100, rows[:, 1], rows[:, 2])


FORECASTS = {"NOAA": forecaster(NOAA), "SIDC": forecaster(SIDC)}
TABLE_2 = {  # mean score, MCB, DSC, UNC
    ("NOAA", "Brier"): (0.144, 0.006, 0.073, 0.211),
    ("SIDC", "Brier"): (0.172, 0.014, 0.053, 0.211),
    ("NOAA", "log"): (0.449, 0.027, 0.191, 0.614),
    ("SIDC", "log"): (0.515, 0.036, 0.135, 0.614),
    ("NOAA", "misclassification"): (0.205, 0.004, 0.102, 0.303),
    ("SIDC", "misclassification"): (0.263, 0.038, 0.078, 0.303),
}


def parts(table: ScoreTable, score: str) -> np.ndarray:
    """Our parts on the scale of the score; triptych counts a forecast of exactly 1/2 as half a mistake."""
    beliefs = {
        "Brier": [(2, Uniform())],
        "log": [(1, EveryLogOdds())],
        "misclassification": [(1, At(0.5)), (1, At(math.nextafter(0.5, 1)))],
    }
    found = [(scale, decompose(table, belief)) for scale, belief in beliefs[score]]
    return sum(
        scale * np.array([part.total, part.miscalibration, part.discrimination, part.uncertainty])
        for scale, part in found
    )


@pytest.mark.parametrize("name", FORECASTS)
def test_the_flares_are_those_of_the_paper(name):
    assert (FORECASTS[name].total, FORECASTS[name].positive_total) == (577, 175)


@pytest.mark.parametrize(("name", "score"), TABLE_2)
def test_table_2_of_the_triptych(name, score):
    assert parts(FORECASTS[name], score) == pytest.approx(TABLE_2[name, score], abs=5e-4)


def test_acting_at_one_half_the_misclassification_rate_is_a_little_larger():
    mistakes = 2 * decompose(FORECASTS["NOAA"], At(0.5)).total  # of the 25 days at 1/2 the 15 without a flare
    assert mistakes == pytest.approx(121 / 577)


# ----------------------------------------------------------------------------------------------------------- dcurves

FAMILY_HISTORY = {  # net benefit
    0.01: 0.030774410774410774,
    0.05: 0.025614035087719297,
    0.1: 0.018518518518518517,
    0.15: 0.010588235294117645,
    0.2: 0.0016666666666666635,
    0.21: -2.531645569620253e-4,
    0.35: -0.033333333333333354,
    0.5: -0.08933333333333335,
    0.65: -0.19333333333333338,
}
MARKER = {  # net benefit, and interventions avoided per hundred patients
    0.05: (0.09473684210526317, 0),
    0.07: (0.07489605734767024, -0.4952380952381106),
    0.1: (0.06237037037037038, 16.133333333333336),
    0.14: (0.05720930232558139, 35.14285714285714),
    0.2: (0.029, 41.599999999999994),
    0.25: (0.016000000000000007, 48.79999999999999),
    0.3: (0.012952380952380951, 56.35555555555555),
    0.35: (0.006769230769230774, 61.25714285714285),
}


@pytest.fixture(scope="module")
def cohort():
    return load_cohort()


def test_net_benefit_of_a_family_history(cohort):
    curve = decision_curve(score_table(cohort["cancer"], cohort["famhistory"]))
    assert_allclose(curve.at(list(FAMILY_HISTORY)), list(FAMILY_HISTORY.values()), rtol=1e-11, atol=1e-14)


def test_net_benefit_and_interventions_avoided_of_a_marker(cohort):
    # R makes a probability of the marker by an unpenalised logistic regression.
    marker = cohort["marker"][:, None]
    fit = linear_model.LogisticRegression(C=np.inf, tol=1e-12, max_iter=1000).fit(marker, cohort["cancer"])
    table = score_table(cohort["cancer"], fit.predict_proba(marker)[:, 1])
    benefit, avoided = np.transpose(list(MARKER.values()))
    assert_allclose(decision_curve(table).at(list(MARKER)), benefit, rtol=1e-11, atol=1e-14)
    assert_allclose(100 * interventions_avoided_curve(table).at(list(MARKER)), avoided, rtol=1e-9, atol=1e-11)


# -------------------------------------------------------------------------------------------------------------- pROC

OUTCOME = [0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 1, 1, 0, 1, 1, 0, 0, 0, 0, 1]
FIRST = [0.1, 0.2, 0.35, 0.3, 0.15, 0.6, 0.4, 0.05, 0.7, 0.5, 0.45, 0.8, 0.6, 0.9, 0.55, 0.2, 0.25, 0.65, 0.1, 0.3]
SECOND = [0.2, 0.1, 0.3, 0.4, 0.2, 0.5, 0.3, 0.15, 0.6, 0.6, 0.35, 0.7, 0.5, 0.85, 0.75, 0.3, 0.15, 0.7, 0.2, 0.2]
R_AREAS, R_VARIANCES, R_CORRELATION = (
    [0.84375, 0.78125],
    [0.007603941197691198, 0.011073345057720058],
    0.858613098468173,
)


def test_areas_their_variances_and_their_correlation():
    study = Study(Cases(OUTCOME, {"first": FIRST, "second": SECOND}), auc)
    moved, covariance = np.array([study.influence(name) for name in study.models]), np.zeros((2, 2))
    for label in (0, 1):
        one = moved[:, np.equal(OUTCOME, label)]
        covariance += one @ one.T * one.shape[1] / (one.shape[1] - 1)
    assert_allclose(list(study.estimates.values()), R_AREAS, rtol=1e-14)
    assert_allclose(np.diag(covariance), R_VARIANCES, rtol=1e-12)
    assert covariance[0, 1] / math.sqrt(covariance[0, 0] * covariance[1, 1]) == pytest.approx(R_CORRELATION, rel=1e-12)

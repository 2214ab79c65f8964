"""Numbers that R packages print of censored outcomes: riskRegression and timeROC.

- ``riskRegression`` 2022.11.28 (T. A. Gerds and coauthors; GPL): `Score` at 2,000 days of two risks, with the AUC, the
  Brier score, their standard errors and the index of prediction accuracy, run in R 4.2.2.
- ``timeROC`` (P. Blanche, J.-F. Dartigues and H. Jacqmin-Gadda (2013), Statistics in Medicine 32(30), 5381-5397; GPL):
  sensitivity, false positive rate and predictive value at a threshold of 0.3.

The cases are the 312 of the Mayo Clinic trial in primary biliary cholangitis (T. R. Fleming and D. P. Harrington
(1991), "Counting processes and survival analysis"), as ``pbc`` of R's ``survival`` has them; the risks are those of two
Cox models fitted to them. In `event` 0 is censored, 1 death and 2 transplantation; `death` counts the last as censored.

Standard errors differ in the eighth digit: in R they have the number at risk where the exact derivative has the number
that stays.
"""

from pathlib import Path

import numpy as np
from numpy.testing import assert_allclose

from stakes import Cases, EventBy, ScoreTable, Uniform, auc, brier_score, score_table, skill_score
from stakes.outcome import CoxCensoring
from stakes.uncertainty import Study

PBC = np.genfromtxt(Path(__file__).with_name("pbc_two_risks.csv"), delimiter=",", names=True)
RISKS = {"a": PBC["risk_a"], "b": PBC["risk_b"]}
DEATH = EventBy(PBC["days"], PBC["death"], 2000)


def test_auc_and_brier_score_with_their_standard_errors():
    study = Study(Cases(DEATH, RISKS), auc)
    assert_allclose([study.estimates["a"], study.estimates["b"]], [0.907012545694952, 0.793613825801080], rtol=1e-14)
    found = [study.spread("a").error, study.spread("b").error, study.difference_spread("a", "b").error]
    assert_allclose(found, [0.0219225586, 0.0313783402, 0.0289045370], rtol=2e-6)
    assert_allclose(found, [0.0219225571, 0.0313783667, 0.0289045437], rtol=1e-8)
    study = Study(Cases(DEATH, RISKS), brier_score)
    assert_allclose([study.estimates["a"], study.estimates["b"]], [0.109555125618065, 0.157553733851841], rtol=1e-14)
    found = [study.spread("a").error, study.spread("b").error, study.difference_spread("a", "b").error]
    assert_allclose(found, [0.0117188591, 0.0125600428, 0.0115546181], rtol=3e-5)


def test_the_null_model_and_the_index_of_prediction_accuracy():
    table = score_table(DEATH, RISKS["a"])
    assert_allclose(table.prevalence * (1 - table.prevalence), 0.211158103226059, rtol=1e-14)
    assert_allclose(skill_score(table, Uniform()), 0.481170156653758, rtol=1e-13)


def test_competing_events_are_negatives():
    table = score_table(EventBy(PBC["days"], PBC["event"], 2000), RISKS["a"])
    found = auc(table), brier_score(table), table.prevalence
    assert_allclose(found, [0.901921283890441, 0.110939453939518, 0.296641478519644], rtol=1e-13)


def at_threshold(table: ScoreTable) -> tuple[float, float, float]:
    above = table.score > 0.3
    found, false = table.positive[above].sum(), table.negative[above].sum()
    return found / table.positive_total, false / table.negative_total, found / (found + false)


def test_sensitivity_false_positives_and_predictive_value():
    found = at_threshold(score_table(DEATH, RISKS["a"]))
    assert_allclose(found, [0.820522239126175, 0.125, 0.740425135980558], rtol=1e-13)


def test_a_cox_model_of_censoring_but_for_its_ties():
    """R breaks ties by Efron's method, Breslow's differs in the sixth digit."""
    by_age = CoxCensoring(np.column_stack([PBC["age"], PBC["male"]]))
    outcome = EventBy(PBC["days"], PBC["death"], 2000, censoring=by_age)
    table = score_table(outcome, RISKS["a"])
    assert_allclose(auc(table), 0.90838743, atol=1e-8)
    assert_allclose(brier_score(table) * table.total / len(PBC), 0.10821873, atol=1e-8)
    assert_allclose([auc(table), brier_score(table) * table.total / len(PBC)], [0.90838739, 0.10822251], atol=5e-6)


def test_acting_on_everyone_above_a_threshold_counts_those_who_left():
    assert_allclose(score_table(DEATH, RISKS["a"]).alarm_share(0.3), 0.3526, atol=5e-5)

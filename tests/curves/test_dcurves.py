"""Net benefit against the dcurves packages, Python and R, on the cohort that they ship (Apache-2.0).

The R values are those that the authors of dcurves publish with their Python package
(github.com/MSKCC-Epi-Bio/dcurves, tests/.../r_simple_binary_dca_result_df.csv): an unpenalised logistic regression of
cancer on age.
"""

from pathlib import Path

import dcurves
import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose
from sklearn import linear_model

from stakes import decision_curve, score_table, treat_all, treat_none
from stakes.curves import interventions_avoided_curve

# dcurves lowers a risk of 0 a little, so that at threshold 0 it is not acted on: there it has our value just after 0.
THRESHOLDS = [k / 100 for k in range(100)]
MODELS = ["cancerpredmarker", "famhistory"]
R_AGE = {
    0.0: 0.14,
    0.01: 0.1314747474747475,
    0.02: 0.1237278911564626,
    0.03: 0.1170721649484536,
    0.04: 0.1107222222222222,
    0.05: 0.0988070175438596,
    0.07: 0.0853333333333333,
    0.1: 0.0691851851851852,
    0.13: 0.0602298850574712,
    0.16: 0.0486984126984127,
    0.2: 0.042,
    0.25: 0.0244444444444444,
    0.3: 0.0203809523809523,
    0.35: 0.0171282051282051,
    0.4: 0.0075555555555555,
    0.45: 0.0113939393939393,
    0.5: 0.0093333333333333,
    0.55: 0.0071111111111111,
    0.6: 0.004,
    0.7000000000000001: 0.0026666666666666,
    0.8: 0.0,
    0.99: 0.0,
}


@pytest.fixture(scope="module")
def cohort():
    return pd.read_csv(Path(dcurves.data) / "df_binary.csv")


@pytest.fixture(scope="module")
def reference(cohort):
    found = dcurves.dca(data=cohort, outcome="cancer", modelnames=MODELS, thresholds=THRESHOLDS)
    return found[["model", "threshold", "net_benefit", "net_intervention_avoided"]].set_index("model")


def curve_of(cohort, model):
    y = cohort["cancer"].to_numpy(bool)
    known = {"all": treat_all, "none": treat_none}
    return known[model](score_table(y, y)) if model in known else decision_curve(score_table(y, cohort[model]))


def at(curve, threshold):
    return np.where(threshold == 0, curve.after(threshold), curve.at(threshold))


@pytest.mark.parametrize("model", ["all", "none", *MODELS])
def test_net_benefit_is_that_of_python_dcurves_at_every_threshold(model, cohort, reference):
    expected = reference.loc[model]
    assert len(expected) == len(THRESHOLDS)
    assert_allclose(at(curve_of(cohort, model), expected["threshold"]), expected["net_benefit"], rtol=1e-11, atol=1e-13)


@pytest.mark.parametrize("model", MODELS)
def test_interventions_avoided_are_those_of_python_dcurves_at_every_threshold(model, cohort, reference):
    expected = reference.loc[model][lambda rows: rows["threshold"] > 0]
    curve = interventions_avoided_curve(score_table(cohort["cancer"], cohort[model]))
    assert_allclose(curve.at(expected["threshold"]), expected["net_intervention_avoided"], rtol=1e-9, atol=1e-11)


@pytest.mark.parametrize("model", MODELS)
def test_the_harm_of_a_test_is_taken_as_dcurves_takes_it(model, cohort):
    found = dcurves.dca(data=cohort, outcome="cancer", modelnames=[model], thresholds=THRESHOLDS, harm={model: 0.0333})
    expected = found[found["model"] == model]
    curve = decision_curve(score_table(cohort["cancer"], cohort[model]), harm=0.0333)
    assert_allclose(at(curve, expected["threshold"]), expected["net_benefit"], rtol=1e-11, atol=1e-13)


def test_net_benefit_of_a_regression_on_age_is_what_r_publishes(cohort):
    age, y = cohort[["age"]].to_numpy(), cohort["cancer"].to_numpy(int)
    age = (age - age.mean()) / age.std()
    fit = linear_model.LogisticRegression(C=np.inf, tol=1e-12, max_iter=1000).fit(age, y)
    curve = decision_curve(score_table(y, fit.predict_proba(age)[:, 1]))
    assert_allclose(curve.at(list(R_AGE)), list(R_AGE.values()), rtol=1e-11, atol=1e-13)

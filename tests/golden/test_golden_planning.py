"""Worked cases of planning: two routes each, by enumeration, quadrature with many digits, or a full scan."""

import json
from pathlib import Path

import numpy as np
import pytest
from scipy import special

from stakes import expected_regret
from stakes.planning import imagine
from stakes.planning._cases_needed import slope_cases
from stakes.planning._imagine import log_odds_variance
from stakes.planning._preposterior import gain_of_two, right_of_two
from stakes.planning._price import Price
from stakes.planning._urn import urn_covariance, urn_value
from stakes.uncertainty import Spread, Study, difference_ends
from stakes.uncertainty._joint_estimates import JointEstimates

WORKED = json.loads((Path(__file__).parent / "planning.json").read_text(encoding="utf-8"))


def named(name):
    return [(case["given"], case["value"], case["tolerance"]) for case in WORKED if case["name"].startswith(name)]


def share(given):
    return 1.0 if given["more"] == "inf" else given["more"] / (given["cases"] + given["more"])


@pytest.mark.parametrize(("given", "value", "tolerance"), named("evsi_two"))
def test_the_value_of_cases_for_two(given, value, tolerance):
    found = gain_of_two(given["difference"], given["error"] * share(given) ** 0.5)
    assert found == pytest.approx(value[0], rel=tolerance)


@pytest.mark.parametrize(("given", "value", "tolerance"), named("probability_right_two"))
def test_the_probability_to_choose_rightly(given, value, tolerance):
    assert right_of_two(given["difference"], given["error"], share(given)) == pytest.approx(value[0], rel=tolerance)


@pytest.mark.parametrize(("given", "value", "tolerance"), named("optimal_cases"))
def test_the_number_that_pays_best(given, value, tolerance):
    def gain(more):
        return gain_of_two(given["difference"], given["error"] * (more / (given["cases"] + more)) ** 0.5)

    price = Price(given["decisions"], given["cost"], given["fixed"], given["value"])
    best = price.best(gain, gain_of_two(given["difference"], given["error"]))
    assert best == pytest.approx(tuple(value), rel=tolerance)


def urn(loss):
    loss = np.array(loss, dtype=float)
    influence = -(loss - loss.mean(axis=0)) / len(loss)
    covariance = influence.T @ influence * len(loss) / (len(loss) - 1)
    names = tuple(map(str, range(loss.shape[1])))
    models = np.ones(len(names), dtype=bool)
    return JointEstimates(names, -loss.mean(axis=0), covariance, models, len(loss), "", influence)


@pytest.mark.parametrize(("given", "value", "tolerance"), named("urn_covariance"))
def test_the_covariance_of_the_urn(given, value, tolerance):
    assert urn_covariance(urn(given["loss"]), given["more"]).ravel() == pytest.approx(value, rel=tolerance)


@pytest.mark.parametrize(("given", "value", "_"), named("urn_value"))
def test_the_value_of_the_urn(given, value, _):
    found, error = urn_value(urn(given["loss"]), given["more"])
    assert abs(found - value[0]) < 4 * error
    assert error < 0.002


@pytest.mark.parametrize(("given", "value", "tolerance"), named("slope_cases"))
def test_the_slope_of_calibration(given, value, tolerance):
    at, weight = np.polynomial.hermite_e.hermegauss(80)
    variance, prevalence = log_odds_variance(given["auc"]), given["prevalence"]
    nodes = [special.logit(prevalence) + sign * variance / 2 + variance**0.5 * at for sign in (1, -1)]
    weights = np.concatenate([prevalence * weight, (1 - prevalence) * weight])
    error = given["width"] / (2 * special.ndtri(0.975))
    assert slope_cases(special.expit(np.concatenate(nodes)), weights, error) == pytest.approx(value[0], rel=tolerance)


@pytest.mark.parametrize(("given", "value", "_"), named("binormal_regret_and_variance"))
def test_imagined_cases_cost_what_the_normal_law_says(given, value, _):
    cases = imagine(given["prevalence"], given["auc"], slope=given["slope"], intercept=given["intercept"])
    study = Study(cases, lambda table: expected_regret(table, given["cost"]))
    assert study.estimates["model"] == pytest.approx(value[0], rel=2e-3)
    assert study.spread("model").error ** 2 * len(cases) == pytest.approx(value[1], rel=1e-2)


@pytest.mark.parametrize(("given", "value", "tolerance"), named("gate"))
def test_the_one_sided_limits_of_a_gate(given, value, tolerance):
    spread = Spread(given["error"], 0.0, given["freedom"], 1000)
    assert difference_ends(given["difference"], spread, 0.9)[0] == pytest.approx(value, rel=tolerance)

"""Worked cases of planning: two routes each, by enumeration, quadrature with many digits, or a full scan."""

import itertools
import json
from pathlib import Path

import numpy as np
import pytest
from scipy import special

from stakes import Cases, Measure, expected_regret
from stakes.monitoring._evidence import BETS, bets_won, evidence_after, mean_evidence, wealth
from stakes.monitoring._label_shift import MeanError, fieller_ends, label_shift_fit, likelihood_score
from stakes.planning import imagine
from stakes.planning._cases_needed import slope_cases
from stakes.planning._imagine import log_odds_variance
from stakes.planning._preposterior import gain_of_two, right_of_two
from stakes.planning._price import Price
from stakes.planning._urn import urn_covariance, urn_value
from stakes.sites import site_summary
from stakes.sites._site_mixture import Heterogeneity
from stakes.uncertainty import Spread, Study, difference_ends
from stakes.uncertainty._studies_elsewhere import JointEstimates

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


def by_normal_law(given):
    """Return the regret and the variance of its influence where log-odds are normal: masses on one side of a cut."""
    prevalence, cost, variance = given["prevalence"], given["cost"], log_odds_variance(given["auc"])
    cut = given["intercept"] + given["slope"] * special.logit(cost)  # of the log-odds behind a printed one
    ends = [(cut - special.logit(prevalence)) / variance**0.5 + sign * variance**0.5 / 2 for sign in (-1, 1)]
    misses, alarms = prevalence * special.ndtr(ends[0]), (1 - prevalence) * special.ndtr(-ends[1])
    regret = (1 - cost) * misses + cost * alarms
    return regret, (1 - cost) ** 2 * misses + cost**2 * alarms - regret**2


@pytest.mark.parametrize(("given", "value", "tolerance"), named("binormal_regret_and_variance"))
def test_imagined_cases_cost_what_the_normal_law_says(given, value, tolerance):
    assert by_normal_law(given) == pytest.approx(tuple(value), rel=tolerance)
    cases = imagine(given["prevalence"], given["auc"], slope=given["slope"], intercept=given["intercept"])
    study = Study(cases, lambda table: expected_regret(table, given["cost"]))
    assert study.estimates["model"] == pytest.approx(value[0], rel=2e-3)
    assert study.spread("model").error ** 2 * len(cases) == pytest.approx(value[1], rel=1e-2)


@pytest.mark.parametrize(("given", "value", "tolerance"), named("gate"))
def test_the_one_sided_limits_of_a_gate(given, value, tolerance):
    spread = Spread(given["error"], 0.0, given["freedom"], 1000)
    assert difference_ends(given["difference"], spread, 0.9)[0] == pytest.approx(value, rel=tolerance)


@pytest.mark.parametrize(("given", "value", "tolerance"), named("paule_mandel"))
def test_the_standard_deviation_between_sites(given, value, tolerance):
    estimates, variances = np.array(given["difference"]), np.array(given["variance"])
    apart = Heterogeneity.of(estimates, variances)
    weight = 1 / (variances + apart.tau**2)
    found = weight @ estimates / weight.sum(), apart.tau**2, apart.error**2
    assert found == pytest.approx(tuple(value), rel=tolerance, abs=1e-15)


# ------------------------------------------------------------------------------------------- after deployment


WITHOUT_LABELS = named("prevalence_without_labels")[0][0]


def score_of(log_odds, at):
    p = special.expit(np.array(log_odds) + WITHOUT_LABELS["offset"])
    return likelihood_score(p, WITHOUT_LABELS["reference"], at)


@pytest.mark.parametrize(("given", "value", "tolerance"), named("prevalence_without_labels"))
def test_the_prevalence_behind_scores(given, value, tolerance):
    values = [score_of(given[name], given["at"]) for name in ("new", "positive", "negative")]
    new, positive, negative = sides = [MeanError.of(one, np.ones(len(one)), len(one)) for one in values]
    estimate = (new.mean - negative.mean) / (positive.mean - negative.mean)
    found = estimate, *fieller_ends(sides, special.ndtri(0.975))
    assert found == pytest.approx(tuple(value), rel=tolerance)


@pytest.mark.parametrize(("given", "value", "tolerance"), named("prevalence_information"))
def test_the_information_of_a_score(given, value, tolerance):
    assert (score_of(WITHOUT_LABELS["new"], given["at"]) ** 2).sum() == pytest.approx(value[0], rel=tolerance)


@pytest.mark.parametrize(("given", "value", "tolerance"), named("label_shift_fit"))
def test_whether_label_shift_explains(given, value, tolerance):
    counts = (np.array(given[name], dtype=float) for name in ("positive", "negative", "new"))
    assert label_shift_fit(*counts) == pytest.approx(tuple(value), rel=tolerance)


@pytest.mark.parametrize(("given", "value", "tolerance"), named("wealth"))
def test_the_wealth_of_a_gambler(given, value, tolerance):
    x, state = np.array(given["x"]), (0, 0.0, 0.0, 0.0)
    for part in np.split(x, [1, 7, 30]):  # in pieces, as batches come
        _, state = wealth(part, given["null"], state)
    assert state[3] == pytest.approx(value[0], rel=tolerance)


@pytest.mark.parametrize(("given", "value", "tolerance"), named("fair_bet"))
def test_a_fair_bet_wins_nothing_on_average(given, value, tolerance):
    mean = evidence = 0.0
    for future in itertools.product(range(3), repeat=given["steps"]):
        x = np.array(given["values"])[list(future)]
        chance = np.prod(np.array(given["probabilities"])[list(future)])
        mean += chance * np.exp(wealth(x, given["null"], (0, 0.0, 0.0, 0.0))[1][3])
        evidence += chance * np.exp(
            mean_evidence(evidence_after(np.full(len(BETS), -np.inf), bets_won(x, given["null"])[0]))
        )
    assert mean == pytest.approx(value[0], rel=tolerance)
    assert evidence == pytest.approx(1.0, rel=tolerance)


@pytest.mark.parametrize(("given", "value", "tolerance"), named("detector_roberts"))
def test_the_evidence_of_a_change(given, value, tolerance):
    bets = (0.02, 0.05, 0.1, 0.2, 0.4)
    logs, found = np.full(len(bets), -np.inf), []
    for batch in np.split(np.array(given["x"]), len(given["x"]) // given["size"]):
        logs = evidence_after(logs, bets_won(batch, given["null"], bets=bets)[0])
        found.append(mean_evidence(logs))
    assert found == pytest.approx(value, rel=tolerance)


@pytest.mark.parametrize(("given", "value", "tolerance"), named("detector_cusum"))
def test_evidence_is_never_less_than_that_of_a_cusum(given, value, tolerance):
    """A CUSUM keeps the best beginning, where evidence adds all: the alarm is that of the sum, which comes no later."""
    cusum, evidence = 0.0, np.full(1, -np.inf)
    for won, worked in zip(given["logs"], value, strict=True):
        cusum = max(cusum, 0.0) + won
        evidence = evidence_after(evidence, np.array([won]))
        assert cusum == pytest.approx(worked, abs=tolerance)
        assert evidence[0] >= cusum - tolerance


def coupled(tables, *, backwards):
    """Return cases whose scores are losses: within each class in the same order for both models, or in opposite."""
    rows = {model: [np.repeat(*zip(*tables[model][y], strict=True)) for y in "10"] for model in "ab"}
    if backwards:
        rows["b"] = [one[::-1] for one in rows["b"]]
    return Cases(np.repeat([1, 0], [len(one) for one in rows["a"]]), {m: np.concatenate(rows[m]) for m in "ab"})


@pytest.mark.parametrize(("given", "value", "tolerance"), named("variance_of_difference_from_tables"))
def test_two_tables_alone_bound_the_variance_of_a_difference(given, value, tolerance):
    """A site shares a summary instead, which has the variance itself: these are the least and the most it can be."""
    loss = Measure.mean("loss", lambda score: (score, score), better="smaller")
    for backwards, worked in zip((False, True), value, strict=True):
        cases = coupled(given, backwards=backwards)
        found = site_summary(cases, loss, site="here").variance("a", "b")
        assert found * (len(cases) - 1) == pytest.approx(worked, rel=tolerance)

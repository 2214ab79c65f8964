"""The value of perfect information on net benefit, as predtools 0.0.3 (R) and its paper define and compute it.

Sadatsafavi et al. (2023), Medical Decision Making 43(5), 564-575: the expected maximum of the net benefits of acting on
no one, by the model and on everyone, less the largest expected one, where the two net benefits are bivariate normal
(``evpi_val(method = "asymptotic")``). Their case study, 0.0005 at a threshold of 2%, is of patients who are not public;
of it only the change of units can be computed again. So the formula is computed here from its definition, by
quadrature over a lattice, on the bundled cohort. At a threshold that no score has: theirs does not act on a tie.

What ``evpi_val(Y, pi, method = "asymptotic")`` and ``mu_max_trunc_bvn`` print (R 4.2.2) is compared too, and the
example of their page "Unit Normal Loss Integral in Two Dimensions", 0.0613831. It is that of 1,000 draws without a
seed from the law that the test has, so only as near to it as such draws are.
"""

import math

import numpy as np
import pytest

from stakes import At, Cases, net_benefit
from stakes.datasets import load_cohort
from stakes.evaluation import Decision, make_unit
from stakes.planning import value_of_cases
from stakes.uncertainty._best_of import best_of
from stakes.uncertainty._joint_law import joint_law


def by_definition(y, score, threshold):
    """Return E max(0, model, everyone) - max(0, E model, E everyone), and the moments by the definitions."""
    odds = threshold / (1 - threshold)
    gain = np.where(y, 1.0, -odds)
    both = np.column_stack([gain * (score > threshold), gain])
    mean, covariance = both.mean(axis=0), np.cov(both.T) / len(y)
    at = np.linspace(-8, 8, 3201)
    weight = np.exp(-(at**2) / 2) / np.exp(-(at**2) / 2).sum()
    values, vectors = np.linalg.eigh(covariance)
    first, second = np.meshgrid(at, at)
    points = mean + np.stack([first, second], -1) * np.sqrt(values) @ vectors.T
    best = np.maximum(points.max(axis=-1), 0.0)
    return float(weight @ best @ weight) - max(0.0, *mean)


@pytest.mark.sample(3)
@pytest.mark.parametrize("threshold", [0.0351, 0.0701, 0.1503])
def test_perfect_information_on_net_benefit(threshold):
    cohort = load_cohort()
    y, score = np.asarray(cohort["cancer"]) == 1, np.asarray(cohort["cancerpredmarker"])
    assert threshold not in score
    cases = Cases(y, {"model": score}).with_constants({"everyone": 1.0, "no one": 0.0})
    found = value_of_cases(cases, net_benefit, costs=At(threshold), prior="flat").perfect
    assert found == pytest.approx(by_definition(y, score, threshold), rel=0.01, abs=1e-7)


# The first 150 of the cohort at four thresholds: E max(0, model, everyone) and the value of perfect information.
EVPI_VAL = {
    0.0351: (0.1057623792353, 3.70828036490e-03),
    0.0701: (0.0756676914519, 5.95481910001e-03),
    0.1503: (0.0638961677276, 4.38276860329e-05),
    0.2501: (0.0534698895441, 1.54336359256e-04),
}


@pytest.mark.parametrize("threshold", EVPI_VAL)
def test_perfect_information_as_their_function_prints_it(threshold):
    best, gained = EVPI_VAL[threshold]
    cohort = load_cohort()
    y, score = np.asarray(cohort["cancer"])[:150] == 1, np.asarray(cohort["cancerpredmarker"])[:150]
    cases = Cases(y, {"model": score}).with_constants({"everyone": 1.0, "no one": 0.0})
    found = value_of_cases(cases, net_benefit, costs=At(threshold), prior="flat").perfect
    assert found == pytest.approx(gained, rel=0.1)  # they divide variances by n, where we divide by n - 1
    odds = threshold / (1 - threshold)
    gain = np.where(y, 1.0, -odds)
    options = np.column_stack([gain * (score >= threshold), gain, np.zeros(150)])
    assert mean_of_best(options.mean(axis=0), np.cov(options.T, ddof=0) / 150) == pytest.approx(best, abs=1e-9)


def mean_of_best(mean, covariance):
    """Return the mean of the largest of three normal numbers, as planning and ranks compute it."""
    law = joint_law(np.asarray(mean), np.asarray(covariance), np.ones(3, dtype=bool), "flat")
    return max(mean) + best_of(law).largest


def test_their_example_in_two_dimensions():
    between = 0.7 * math.sqrt(2 * 4)
    covariance = [[2.0, between, 0.0], [between, 4.0, 0.0], [0.0, 0.0, 0.0]]
    found = mean_of_best([-2.0, 3.0, 0.0], covariance) - 3.0
    assert found == pytest.approx(0.0586183396455, abs=1e-9)  # mu_max_trunc_bvn(-2, 3, sqrt(2), 2, 0.7) - 3
    assert found == pytest.approx(0.0613831, abs=0.007)  # 0.007: its standard error, of 1,000 draws


def test_the_published_loss_in_true_and_in_false_positives():
    """At 2%, 0.0005 true positives in each of 800,000 heart attacks are 400 of them, or 19,600 false positives."""
    misses, alarms = (make_unit(Decision("2%", unit=unit), 0.1) for unit in ("misses", "false alarms"))
    assert 0.0005 * 800_000 * alarms.factor / misses.factor == pytest.approx(19_600)

"""The value of perfect information on net benefit, as predtools 0.0.3 (R) and its paper define it.

Sadatsafavi et al. (2023), Medical Decision Making 43(5), 564-575: the expected maximum of the net benefits of acting on
no one, by the model and on everyone, less the largest expected one, where the two net benefits are bivariate normal
(``evpi_val(method = "asymptotic")``). Their case study, 0.0005 at a threshold of 2%, is of patients who are not public;
of it only the change of units can be computed again. So the formula is computed here from its definition, by
quadrature over a lattice, on the bundled cohort. At a threshold that no score has: theirs does not act on a tie.
"""

import numpy as np
import pytest

from stakes import At, Cases, net_benefit
from stakes.datasets import load_cohort
from stakes.evaluation import Decision, make_unit
from stakes.planning import value_of_cases


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


@pytest.mark.sample(2)
@pytest.mark.parametrize("threshold", [0.0351, 0.0701, 0.1503])
def test_perfect_information_on_net_benefit(threshold):
    cohort = load_cohort()
    y, score = np.asarray(cohort["cancer"]) == 1, np.asarray(cohort["cancerpredmarker"])
    assert threshold not in score
    cases = Cases(y, {"model": score}).with_constants({"everyone": 1.0, "no one": 0.0})
    found = value_of_cases(cases, net_benefit, costs=At(threshold), prior="flat").perfect
    assert found == pytest.approx(by_definition(y, score, threshold), rel=0.01, abs=1e-7)


def test_the_published_loss_in_true_and_in_false_positives():
    """At 2%, 0.0005 true positives in each of 800,000 heart attacks are 400 of them, or 19,600 false positives."""
    misses, alarms = (make_unit(Decision("2%", unit=unit), 0.1) for unit in ("misses", "false alarms"))
    assert 0.0005 * 800_000 * alarms.factor / misses.factor == pytest.approx(19_600)

"""Worked cases of the best of several numbers: two, three and five of them, and two that are near."""

import json
from pathlib import Path

import numpy as np
import pytest
from scipy import integrate, special

from stakes.uncertainty._best_of import best_of
from stakes.uncertainty._joint_law import joint_law

WORKED = json.loads((Path(__file__).parent / "ranks.json").read_text(encoding="utf-8"))


def named(name):
    return [(case["given"], case["value"][0], case["tolerance"]) for case in WORKED if case["name"] == name]


def found(mean, covariance, prior="flat"):
    mean = np.array(mean, dtype=float)
    return best_of(joint_law(mean, np.array(covariance, dtype=float), np.ones(len(mean), dtype=bool), prior))


@pytest.mark.parametrize(("given", "value", "_"), named("evsi_two"))
def test_knowing_the_better_of_two(given, value, _):
    half = given["error"] ** 2 / 2
    one = found([given["difference"], 0.0], [[half, 0.0], [0.0, half]])
    assert one.largest - one.means.max() == pytest.approx(value, rel=1e-12)
    assert one.method == "analytic"


@pytest.mark.parametrize(("given", "value", "_"), named("mean_of_best_three"))
def test_the_mean_of_the_best_of_three(given, value, _):
    one = found(given["mean"], given["covariance"])
    assert one.largest + max(given["mean"]) == pytest.approx(value, rel=1e-12)
    assert one.method == "analytic"
    assert one.error == 0


@pytest.mark.parametrize(("given", "value", "tolerance"), named("mean_of_best_five"))
def test_the_mean_of_the_best_of_five(given, value, tolerance):
    one = found(given["mean"], given["covariance"])
    assert one.largest + max(given["mean"]) == pytest.approx(value, abs=tolerance)
    assert one.method == "quadrature"
    assert one.largest_error < 5e-4


def shrunk(z):
    """Return the probability that a model z standard errors ahead is better, as one integral over shares of chance."""
    settings = {"epsabs": 1e-14, "epsrel": 1e-13}

    def of(weigh):
        return integrate.quad(lambda k: np.sqrt(k) * np.exp(-k * z**2 / 2) * weigh(k), 0, 1, **settings)[0]

    return of(lambda k: special.ndtr(z * np.sqrt(1 - k))) / of(lambda k: 1.0)


@pytest.mark.parametrize(("given", "value", "tolerance"), named("better_shrunk"))
def test_the_better_of_two_that_are_near(given, value, tolerance):
    one = found([given["z"], 0.0], [[0.5, 0.0], [0.0, 0.5]], "near")
    assert one.ranks[0, 0] == pytest.approx(value, abs=tolerance)
    assert one.ranks[0, 0] == pytest.approx(shrunk(given["z"]), abs=1e-10)
    assert one.error < 1e-10


# Said by the near prior where the flat one says .841, .950, .977, .990 and .999.
@pytest.mark.parametrize(("z", "said"), [(1, 0.727), (1.645, 0.849), (2, 0.902), (2.326, 0.939), (3, 0.984)])
def test_what_near_makes_of_usual_probabilities(z, said):
    assert round(float(found([z, 0.0], [[0.5, 0.0], [0.0, 0.5]], "near").ranks[0, 0]), 3) == said

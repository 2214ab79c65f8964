"""Tables of models whose scores are continuous: each cell holds its exact mass, so that nothing is drawn at random."""

from collections.abc import Callable, Sequence

import numpy as np
from scipy.special import expit, logit
from scipy.stats import norm

from stakes import ScoreTable

REACH, CELLS = 10.0, 8000  # in standard deviations; beyond it lies less than 1e-22
NODES, WEIGHTS = np.polynomial.legendre.leggauss(8)


def table_of_densities(
    positive: Callable, negative: Callable, score: Callable, *, edges: Sequence[float] = ()
) -> ScoreTable:
    """Integrate the densities of both classes over narrow cells of the evidence; a cell scores as its middle does.

    At a threshold that is an edge the table acts on exactly the mass that the model acts on, and measures that are
    smooth in the score are off by the square of a cell's width.
    """
    ends = np.union1d(np.linspace(-REACH, REACH, CELLS + 1), edges)
    middle, half = (ends[1:] + ends[:-1]) / 2, np.diff(ends) / 2
    points = middle[:, None] + half[:, None] * NODES
    masses = [(density(points) @ WEIGHTS) * half for density in (positive, negative)]
    return ScoreTable.from_counts(score(middle), *masses)


def two_normals(prevalence: float, mean: float, *, intercept: float, slope: float = 1.0, thresholds=()) -> ScoreTable:
    """Make the table of evidence N(0, 1) in negatives and N(mean, 1) in positives, log-odds straight in it."""
    return table_of_densities(
        lambda x: prevalence * norm.pdf(x - mean),
        lambda x: (1 - prevalence) * norm.pdf(x),
        lambda x: expit(intercept + slope * x),
        edges=[(logit(threshold) - intercept) / slope for threshold in thresholds],
    )


def logistic_risk(intercept: float, *, moved: float = 0.0, thresholds=()) -> ScoreTable:
    """Make the table of a risk whose log-odds are N(intercept, 1), predicted with the log-odds moved by a constant."""
    return table_of_densities(
        lambda x: expit(intercept + x) * norm.pdf(x),
        lambda x: expit(-intercept - x) * norm.pdf(x),
        lambda x: expit(intercept + moved + x),
        edges=[logit(threshold) - intercept - moved for threshold in thresholds],
    )


def binary_test(prevalence: float, *, sensitivity: float, specificity: float, says=(0.0, 1.0)) -> ScoreTable:
    """Make the table of a test that is positive or negative, and the two probabilities that this is read as."""
    ill, well = prevalence, 1 - prevalence
    return ScoreTable.from_counts(
        says, [ill * (1 - sensitivity), ill * sensitivity], [well * specificity, well * (1 - specificity)]
    )

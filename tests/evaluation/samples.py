"""Samples in which something is to be found."""

import numpy as np

RNG = np.random.default_rng


def risks(cases=4000, *, seed=1, shift=-2.0, spread=1.2):
    """Outcomes, and the log-odds they were drawn with."""
    rng = RNG(seed)
    logit = shift + spread * rng.normal(size=cases)
    return (rng.random(cases) < expit(logit)).astype(int), logit


def expit(logit):
    return 1 / (1 + np.exp(-np.asarray(logit)))


def blurred(logit, by, *, seed=2):
    """Scores of a model that sees the log-odds through noise."""
    return expit(logit + by * RNG(seed).normal(size=len(logit)))


def kinds(evaluation):
    return [finding.kind for finding in evaluation.findings]


def found(evaluation, kind):
    """Return the one finding of a kind."""
    (one,) = [finding for finding in evaluation.findings if finding.kind == kind]
    return one

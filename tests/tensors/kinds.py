"""Samples as torch tensors and as plain arrays, which run through the lines that are written for CuPy."""

import numpy as np
import torch
from hypothesis import strategies as st
from strategies import SCORES, WEIGHTS, samples

LIBRARIES = {"torch": torch.from_numpy, "arrays": np.asarray}
FLOATS = (np.float32, np.float64)

# Ends, both zeros, scores next to an end and so small that they are not normal numbers.
PROBABILITIES = st.sampled_from((*SCORES, 0.0, -0.0, 1.0, 1e-40, 1e-30, 1 - 1e-7))
ANY_NUMBER = st.sampled_from((*SCORES, 0.0, -0.0, -0.35, -2.5, 7.0, 1e30, -1e30, np.inf, -np.inf))
MAYBE_ZERO = st.sampled_from((*WEIGHTS, 0.0))


def given_as(library, dtype, y, score, weight=None):
    """Return a sample in a library's arrays, scores in a precision, and the same scores for NumPy."""
    convert, scores = LIBRARIES[library], np.asarray(score).astype(dtype)
    columns = (np.asarray(y), scores) if weight is None else (np.asarray(y), scores, np.asarray(weight))
    return tuple(convert(column.copy()) for column in columns), columns


@st.composite
def given_samples(draw, *, weighted=None, scores=PROBABILITIES, **options):
    """Yield what `given_as` returns, for a few cases, many of them tied; some with weights, of which some are zero."""
    y, score, weight = draw(samples(score=scores, weight=MAYBE_ZERO, **options))
    both = all(weight[y == label].any() for label in (0, 1))
    has_weights = draw(st.booleans()) if weighted is None else weighted
    if not (has_weights and both):
        weight = None
    return given_as(draw(st.sampled_from(sorted(LIBRARIES))), draw(st.sampled_from(FLOATS)), y, score, weight)


def large(library="torch", dtype=np.float32, *, weighted=False, tied=False, cases=300_001):
    """Return so many cases that blocks of every size are filled, and the last ones not."""
    rng = np.random.default_rng(11)
    score = rng.beta(0.4, 1.5, cases)
    y = rng.random(cases) < score
    score[:6] = (0, 1, 0.3, 0.3, 1e-30, 1 - 1e-7)
    y[:2] = (True, False)
    weight = rng.choice([0.0, 0.5, 1.0, 2.75], cases) if weighted else None
    return given_as(library, dtype, y, np.round(score, 3) if tied else score, weight)

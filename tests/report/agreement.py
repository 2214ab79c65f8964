"""What the tests of the report's scripts share: when two numbers are the same, and what to compare them on."""

import math

import numpy as np
from hypothesis import strategies as st
from strategies import samples

from stakes import At, LogOddsUniform, ScoreTable, Uniform, score_table

# Their sums are exact in any order of adding, so that a tie in Python is a tie in the page.
EXACT_WEIGHTS = st.sampled_from((1.0, 0.25, 2.0, 3.5))


def agree(found: object, wanted: object) -> None:
    """Compare numbers, or equally long columns of them, to 1e-9 of their size; 1e-14 of a case is rounding."""
    np.testing.assert_allclose(found, wanted, rtol=1e-9, atol=1e-14, equal_nan=True)


@st.composite
def ranges(draw):
    """Beliefs of the three kinds, with any bounds."""
    first, second = sorted(draw(st.tuples(st.floats(-9, 9), st.floats(-9, 9))))
    low, high = (1 / (1 + math.exp(-z)) for z in (first, max(second, first + 1e-3)))
    return draw(st.sampled_from((At(low), Uniform(low, high), LogOddsUniform(low, high))))


@st.composite
def models(draw, *, count=2):
    """Tables of several models for the same cases, whose scores are those of the first in another order."""
    y, score, weight = draw(samples(ends=True, weight=EXACT_WEIGHTS, max_size=12))
    columns = [score, *(np.array(draw(st.permutations(score.tolist()))) for _ in range(count - 1))]
    return [score_table(y, column, weight) for column in columns]


def untied(rows: int, seed: int) -> ScoreTable:
    """Make a table of scores that are all different, and mostly too low."""
    rng = np.random.default_rng(seed)
    score = rng.beta(0.7, 4, rows)
    return score_table(rng.random(rows) < score**0.8, score)

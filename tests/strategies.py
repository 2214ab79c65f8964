"""Small samples and beliefs for property tests."""

import numpy as np
from hypothesis import strategies as st

from stakes import At, Beta, LogOddsUniform, Uniform, score_table
from stakes.beliefs import Actions, Atoms, EveryLogOdds, IndependentCosts, Mixture, ShiftedUniform

# Few values, so that scores tie with each other and with the costs below.
SCORES = (0.004, 0.05, 0.1, 0.15, 0.3, 0.35, 0.6, 0.75, 0.9, 0.985)
WEIGHTS = (1.0, 0.25, 2.0, 3.5, 0.7)
COSTS = (0.02, 0.1, 0.3, 0.42, 0.75)

BELIEFS = (
    At(0.3),
    Atoms([0.1, 0.35, 0.8], [5, 2, 1]),
    Uniform(),
    Uniform(0.05, 0.35),
    LogOddsUniform(0.02, 0.7),
    Beta(2, 5),
    Beta(0.7, 3.2, low=0.1, high=0.65),
    ShiftedUniform(0.15),
    Mixture([At(0.6), Uniform(0.1, 0.4)], [1, 4]),
)
# In the user's own cost units, or improper: they have a regret, but no net benefit.
OTHER_BELIEFS = (
    IndependentCosts(false_negative=(2, 7), false_positive=(0.5, 3)),
    EveryLogOdds(),
    Actions({"leave": (0, 7), "watch": (0.5, 2), "act": (3, 0)}),
    Actions.refer(false_negative=5, false_positive=1, fee=(0.2, 1.1), expert=(0.05, 0.1)),
    Actions([(0, 7), (0.5, 2), (3, 0)], exchange=LogOddsUniform(0.2, 0.6)),
)


def weights(*, integer: bool = False, zero: bool = False) -> st.SearchStrategy[float]:
    """Weights of a case: a few real numbers, or small counts; with or without 0."""
    values = (1, 2, 3) if integer else WEIGHTS
    return st.sampled_from((*values, 0) if zero else values)


@st.composite
def samples(draw, *, ends=False, one_class=False, weight=None, score=None, max_size=10):
    """Outcomes, scores and weights of a few cases, many of them tied.

    `ends` adds scores of 0 and 1, `one_class` samples of one class only; otherwise both are there. `weight` and
    `score` are strategies for a single case's, instead of the usual ones.
    """
    if score is None:
        score = st.sampled_from((*SCORES, 0.0, 1.0) if ends else SCORES)
    case = st.tuples(st.integers(0, 1), score, weights() if weight is None else weight)
    cases = draw(st.lists(case, min_size=2, max_size=max_size))
    y, scores, weight = (np.array(column) for column in zip(*cases, strict=True))
    if one_class and draw(st.booleans()):
        y[:] = y[0]
    elif len(set(y.tolist())) == 1:
        y[0] = 1 - y[0]
    return y, scores, weight


def tables(**options) -> st.SearchStrategy:
    """Tables of `samples`."""
    return samples(**options).map(lambda sample: score_table(*sample))


def beliefs(*, proper: bool = True) -> st.SearchStrategy:
    """Beliefs about one cost proportion; not `proper`: also those in other units or without a finite mass."""
    return st.sampled_from(BELIEFS if proper else BELIEFS + OTHER_BELIEFS)

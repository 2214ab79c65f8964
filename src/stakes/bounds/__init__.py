"""Numbers of a quantised table, each with an exact lower and upper bound.

The functions have the names they have in `stakes` for a table that is known exactly. What is true of the sample that
was put into bins (see `stakes.large.quantise`) lies between the bounds, rounding included.
"""

from stakes.bounds._areas import BoundedAreas, bounded_auc
from stakes.bounds._bounded import Bounded
from stakes.bounds._bounded_numbers import (
    accuracy,
    brier_score,
    expected_regret,
    log_loss,
    net_benefit,
    weighted_accuracy,
)
from stakes.bounds._bounded_skill import BoundedDecomposition, decompose, h_measure, skill_score
from stakes.bounds._bracket import Envelope, auc, bracket, envelope, partial_auc

__all__ = [
    "Bounded",
    "BoundedAreas",
    "BoundedDecomposition",
    "Envelope",
    "accuracy",
    "auc",
    "bounded_auc",
    "bracket",
    "brier_score",
    "decompose",
    "envelope",
    "expected_regret",
    "h_measure",
    "log_loss",
    "net_benefit",
    "partial_auc",
    "skill_score",
    "weighted_accuracy",
]

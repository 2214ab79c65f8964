"""Measures of a table: expected cost, skill and ranking."""

from stakes.measures._accuracy import accuracy, weighted_accuracy
from stakes.measures._case_values import CaseValues, Evaluate, ResampledCells, ScoredCases, WeightsOf
from stakes.measures._cost_per_case import AS_STATED, PerCase, PerCaseThere, cost_per_case, savings
from stakes.measures._forms import Floor, Form, Pair, Scale, cell_weights, zero_where_empty
from stakes.measures._measure import REGISTRY, Better, Measure, MeasureLike, StatedMeasure, measure
from stakes.measures._order import BoundedAUC, auc, bounded_auc, partial_auc
from stakes.measures._probability import brier_score, cost_ends, expected_regret, log_loss, net_benefit
from stakes.measures._raised import added_to, raised
from stakes.measures._recognise import recognise, tables_needed, with_parameters
from stakes.measures._skill import Decomposition, RecalibrationFloor, decompose, h_measure, skill_score
from stakes.measures._top import TopK, top_k

__all__ = [
    "BoundedAUC",
    "Decomposition",
    "Measure",
    "TopK",
    "accuracy",
    "auc",
    "bounded_auc",
    "brier_score",
    "cost_per_case",
    "decompose",
    "expected_regret",
    "h_measure",
    "log_loss",
    "net_benefit",
    "partial_auc",
    "savings",
    "skill_score",
    "top_k",
    "weighted_accuracy",
]

# For other rooms of the house; not for users, and free to change.
SHARED = (
    "AS_STATED",
    "Better",
    "CaseValues",
    "Evaluate",
    "Floor",
    "Form",
    "MeasureLike",
    "Pair",
    "PerCase",
    "PerCaseThere",
    "REGISTRY",
    "RecalibrationFloor",
    "ResampledCells",
    "Scale",
    "ScoredCases",
    "StatedMeasure",
    "WeightsOf",
    "added_to",
    "cell_weights",
    "cost_ends",
    "measure",
    "raised",
    "recognise",
    "tables_needed",
    "with_parameters",
    "zero_where_empty",
)

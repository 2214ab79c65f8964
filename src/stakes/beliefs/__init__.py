"""Beliefs about a number in (0, 1), and their closed-form losses when that number is a cost proportion."""

from stakes.beliefs._beta import Beta
from stakes.beliefs._independent import IndependentCosts
from stakes.beliefs._mixture import Mixture
from stakes.beliefs._points import At, Atoms
from stakes.beliefs._protocol import CostBelief
from stakes.beliefs._ranges import EveryLogOdds, LogOddsMeasure, LogOddsUniform, Uniform
from stakes.beliefs._shifted import ShiftedUniform
from stakes.beliefs._words import cost_from_costs, cost_from_number_willing, odds, parse_belief

__all__ = [
    "At",
    "Atoms",
    "Beta",
    "CostBelief",
    "EveryLogOdds",
    "IndependentCosts",
    "LogOddsMeasure",
    "LogOddsUniform",
    "Mixture",
    "ShiftedUniform",
    "Uniform",
    "cost_from_costs",
    "cost_from_number_willing",
    "odds",
    "parse_belief",
]

"""Beliefs about a number in (0, 1), and their closed-form losses when that number is a cost proportion."""

from stakes.beliefs._belief import Belief, CostBelief
from stakes.beliefs._closed_integrals import Law, Point, Shift, Values
from stakes.beliefs._coerce import (
    BeliefLike,
    RangeLike,
    as_belief,
    as_cost,
    as_costs,
    as_number,
    as_range,
    as_share,
)
from stakes.beliefs._combined import IndependentCosts, Mixture
from stakes.beliefs._grammar import cost_from_costs, cost_from_number_willing, odds, parse_belief
from stakes.beliefs._integrals import Other, law_of, parts
from stakes.beliefs._points import At, Atoms
from stakes.beliefs._quadrature import Dense, Even, Points, integrate, tabulate
from stakes.beliefs._ranges import EveryLogOdds, LogOddsMeasure, LogOddsUniform, Uniform
from stakes.beliefs._scales import (
    Axis,
    CostRatio,
    Costs,
    CostsLike,
    FractionalCost,
    InverseCostRatio,
    Parts,
    Scale,
    as_costs_on_any_scale,
    axis,
    laws,
    scale,
    support,
)
from stakes.beliefs._shapes import Beta, ShiftedUniform

__all__ = [
    "At",
    "Atoms",
    "Belief",
    "Beta",
    "CostBelief",
    "CostRatio",
    "EveryLogOdds",
    "FractionalCost",
    "IndependentCosts",
    "InverseCostRatio",
    "LogOddsUniform",
    "Mixture",
    "ShiftedUniform",
    "Uniform",
    "cost_from_costs",
    "cost_from_number_willing",
    "odds",
    "parse_belief",
]

# For other rooms of the house; not for users, and free to change.
SHARED = (
    "Axis",
    "BeliefLike",
    "Costs",
    "CostsLike",
    "Dense",
    "Even",
    "Law",
    "LogOddsMeasure",
    "Other",
    "Parts",
    "Point",
    "Points",
    "RangeLike",
    "Scale",
    "Shift",
    "Values",
    "as_belief",
    "as_cost",
    "as_costs",
    "as_costs_on_any_scale",
    "as_range",
    "as_share",
    "as_number",
    "axis",
    "integrate",
    "law_of",
    "laws",
    "parts",
    "scale",
    "support",
    "tabulate",
)

"""Beliefs about a number in (0, 1), with closed-form losses for use as costs."""

from typing import TYPE_CHECKING

from stakes._late import late_names
from stakes.beliefs._belief import Belief, CostBelief
from stakes.beliefs._coerce import BeliefLike, RangeLike, as_belief, as_cost, as_costs, as_number, as_range, as_share
from stakes.beliefs._combined import Mixture, parts
from stakes.beliefs._grammar import (
    cost_from_number_willing_to_treat,
    cost_proportion,
    from_odds,
    needs_case_costs,
    parse_belief,
)
from stakes.beliefs._independent import IndependentCosts, Multipliers
from stakes.beliefs._money import check_proportion, in_money, of_actions, only_cost
from stakes.beliefs._points import At, Atoms
from stakes.beliefs._ranges import EveryLogOdds, LogOddsMeasure, LogOddsUniform, Uniform

if TYPE_CHECKING:
    from stakes.beliefs._actions import Actions
    from stakes.beliefs._closed_integrals import Integrals, PointIntegrals, PrevalenceShift
    from stakes.beliefs._integrals import DensityIntegrals, integrals_by_part
    from stakes.beliefs._money_range import MoneyRange, PricedThresholds
    from stakes.beliefs._quadrature import PointMasses, SmoothDensity, UniformRange, integrate, tabulate
    from stakes.beliefs._scales import (
        CostRatio,
        Costs,
        CostScale,
        CostsLike,
        Distributions,
        FractionalCost,
        InverseCostRatio,
        ScaleName,
        as_costs_on_any_scale,
        cost_scale,
        distributions,
        is_distribution,
        joint_support,
        scale_name,
    )
    from stakes.beliefs._shapes import Beta, ShiftedUniform

__all__ = [
    "Actions",
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
    "cost_from_number_willing_to_treat",
    "cost_proportion",
    "from_odds",
    "parse_belief",
]

# For other rooms of the house; not for users, and free to change.
SHARED = (
    "BeliefLike",
    "CostScale",
    "Costs",
    "CostsLike",
    "DensityIntegrals",
    "Distributions",
    "Integrals",
    "LogOddsMeasure",
    "MoneyRange",
    "Multipliers",
    "PointIntegrals",
    "PointMasses",
    "PrevalenceShift",
    "PricedThresholds",
    "RangeLike",
    "ScaleName",
    "SmoothDensity",
    "UniformRange",
    "as_belief",
    "as_cost",
    "as_costs",
    "as_costs_on_any_scale",
    "as_number",
    "as_range",
    "as_share",
    "check_proportion",
    "cost_scale",
    "distributions",
    "in_money",
    "integrals_by_part",
    "integrate",
    "is_distribution",
    "joint_support",
    "needs_case_costs",
    "of_actions",
    "parts",
    "only_cost",
    "scale_name",
    "tabulate",
)

# Files that load when one of their names is first used: a number of a table waits for none.
_LATE = {
    "_actions": ("Actions",),
    "_closed_integrals": ("Integrals", "PointIntegrals", "PrevalenceShift"),
    "_integrals": ("DensityIntegrals", "integrals_by_part"),
    "_money_range": ("MoneyRange", "PricedThresholds"),
    "_quadrature": ("PointMasses", "SmoothDensity", "UniformRange", "integrate", "tabulate"),
    "_scales": (
        *("CostRatio", "CostScale", "Costs", "CostsLike", "Distributions", "FractionalCost", "InverseCostRatio"),
        *("ScaleName", "as_costs_on_any_scale", "cost_scale", "distributions", "is_distribution", "joint_support"),
        "scale_name",
    ),
    "_shapes": ("Beta", "ShiftedUniform"),
}


__getattr__ = late_names(__name__, _LATE)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})

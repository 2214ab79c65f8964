"""The front door: state the decision, get the answer."""

from stakes.evaluation._decision import Decision, DecisionLike, as_decision, costs, question
from stakes.evaluation._evaluate import (
    EVERYONE,
    NO_ONE,
    assembled,
    compared_groups,
    evaluate,
    evaluate_tables,
    groups_of_tables,
    is_allowed,
    quietly,
    reference_names,
    reference_tables,
)
from stakes.evaluation._evaluation import Acts, Evaluation, Facts, Finding, Group, Standing
from stakes.evaluation._ranked import as_given, measure, there, unlimited
from stakes.evaluation._recommend import Recommendation, recommend
from stakes.evaluation._sources import Sure, group_labels
from stakes.evaluation._text import row_cells
from stakes.evaluation.findings._sentences import TEMPLATES

__all__ = [
    "Acts",
    "Decision",
    "Evaluation",
    "Facts",
    "Finding",
    "Group",
    "Recommendation",
    "Standing",
    "evaluate",
    "evaluate_tables",
    "recommend",
]

# For other rooms of the house; not for users, and free to change.
SHARED = (
    "DecisionLike",
    "EVERYONE",
    "NO_ONE",
    "Sure",
    "TEMPLATES",
    "as_decision",
    "as_given",
    "assembled",
    "compared_groups",
    "costs",
    "group_labels",
    "groups_of_tables",
    "is_allowed",
    "measure",
    "question",
    "quietly",
    "reference_names",
    "reference_tables",
    "row_cells",
    "there",
    "unlimited",
)

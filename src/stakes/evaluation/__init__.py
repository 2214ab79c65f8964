"""The front door: state the decision, get the answer."""

from stakes._facts import SampleFacts
from stakes.evaluation._action_rates import ActionRates
from stakes.evaluation._action_use import ActionUse, action_note, action_rows
from stakes.evaluation._as_source import as_source, source_of_columns
from stakes.evaluation._at_horizons import Horizon, horizon_note, horizon_rows
from stakes.evaluation._decision import Decision, DecisionLike, MoneyDecision, costs, with_case_costs
from stakes.evaluation._evaluate import evaluate, evaluate_tables
from stakes.evaluation._evaluate_source import evaluate_source
from stakes.evaluation._evaluation import EMBEDDINGS, Evaluation
from stakes.evaluation._follow_up_text import estimator_name, predicted_event, time_and_unit, write_p_value
from stakes.evaluation._group_text import group_difference_note, group_difference_rows
from stakes.evaluation._missing import given_rows, without_missing
from stakes.evaluation._notes import explain_unit, explain_versus, note, versus
from stakes.evaluation._one_threshold import RecommendedThreshold, inner_ends
from stakes.evaluation._ranked import as_given, at_deployment, is_allowed, measure, unlimited
from stakes.evaluation._recommend import Recommendation, recommend
from stakes.evaluation._repeated import RepeatedSource
from stakes.evaluation._results import Finding, Group, Results, Standing
from stakes.evaluation._sources import CaseSource, Source
from stakes.evaluation._standings import EVERYONE, NO_ONE
from stakes.evaluation._table_source import TableSource
from stakes.evaluation._text import (
    action_range,
    count_sample,
    describe_sample,
    from_to,
    group_note,
    group_rows,
    in_own_words,
    or_unknown,
    question,
    ranking_rows,
    stacked,
)
from stakes.evaluation._unit import UNITS, Unit, make_unit, mean_costs
from stakes.evaluation._validate import validate
from stakes.evaluation._validation import Validation
from stakes.evaluation.findings._answer_findings import as_cheap_without_a_model
from stakes.evaluation.findings._follow_up_findings import FOLLOW_UP_TEMPLATES
from stakes.evaluation.findings._sample_findings import describe_dropped
from stakes.evaluation.findings._sentences import TEMPLATES

__all__ = [
    "ActionRates",
    "ActionUse",
    "Decision",
    "Evaluation",
    "Finding",
    "Group",
    "Horizon",
    "Recommendation",
    "RecommendedThreshold",
    "Results",
    "SampleFacts",
    "Source",
    "Standing",
    "TableSource",
    "Unit",
    "Validation",
    "evaluate",
    "evaluate_source",
    "evaluate_tables",
    "recommend",
    "validate",
]

# For other rooms of the house; not for users, and free to change.
SHARED = (
    "CaseSource",
    "DecisionLike",
    "EMBEDDINGS",
    "EVERYONE",
    "FOLLOW_UP_TEMPLATES",
    "MoneyDecision",
    "NO_ONE",
    "RepeatedSource",
    "TEMPLATES",
    "UNITS",
    "action_note",
    "action_range",
    "action_rows",
    "as_cheap_without_a_model",
    "as_given",
    "as_source",
    "at_deployment",
    "costs",
    "count_sample",
    "describe_dropped",
    "describe_sample",
    "estimator_name",
    "explain_unit",
    "explain_versus",
    "from_to",
    "given_rows",
    "group_difference_note",
    "group_difference_rows",
    "group_note",
    "group_rows",
    "horizon_note",
    "horizon_rows",
    "in_own_words",
    "inner_ends",
    "is_allowed",
    "make_unit",
    "mean_costs",
    "measure",
    "note",
    "or_unknown",
    "predicted_event",
    "question",
    "ranking_rows",
    "source_of_columns",
    "stacked",
    "time_and_unit",
    "unlimited",
    "versus",
    "with_case_costs",
    "without_missing",
    "write_p_value",
)

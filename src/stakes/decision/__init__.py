"""The front door: state the decision, get the answer."""

from stakes.decision._decision import Decision
from stakes.decision._evaluate import evaluate, evaluate_tables
from stakes.decision._evaluation import Acts, Evaluation, Facts, Finding, Group, Standing
from stakes.decision._recommend import Recommendation, recommend

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

"""Choose a classifier by what its mistakes cost.

Everything is a function of a table, `score_table(y, score)`, and of a belief about the costs.

- Beliefs: `Uniform`, `LogOddsUniform`, `At`, `Beta`, ..., or `parse_belief("5%..20%")`.
- Expected cost: `expected_regret`, `net_benefit`, `skill_score`, `brier_score`, `log_loss`; its parts: `decompose`.
- Ranking: `auc`, `measures.partial_auc`, `h_measure`, `top_k`.
- Curves: `decision_curve`, `regret_curve`, `roc_curve`, `calibration_curve`, ...; `crossings`, `curves.dominates`.
- Another prevalence: `at_prevalence`, `prevalence.shifted_regret`, `explain_gap`, `calibration_summary`.
- Censored outcomes and competing events: `EventBy`, in place of `y`; `outcome.follow_up`.
- Limits on alarms: `Limits`, `best_thresholds`, `policy.policy_cost`, `limits.partial_voros`, `policy.select`.
- Uncertainty: `Cases`, `interval`, `compare`, `rank`, `band`.
- All together: `evaluate(y, predictions, Decision("5%..20%"))` ranks models and gives reasons.
- Data frames, Spark and Dask: `frames.score_table`, `frames.score_tables`, `frames.cases`, `evaluate(data=)`.
- Larger than memory: `large.score_table`, `large.means`, `large.quantise`; `stakes.bounds` bounds every number.
- On a GPU: `stakes.tensors` has `score_table`, `unsorted` and `torch_metric` for torch tensors and CuPy arrays.
- Deployment: `Policy.save`, `Policy.load`, `Policy.act`; `estimators.PolicyClassifier` for scikit-learn.
- `stakes.metrics`: the numbers of arrays, for scikit-learn; `stakes.plot`: figures; `stakes.datasets`: an example.
"""

from typing import TYPE_CHECKING

from stakes._errors import InputError
from stakes.beliefs import At, LogOddsUniform, Uniform, from_odds, parse_belief
from stakes.cases import Cases
from stakes.measures import (
    Measure,
    accuracy,
    auc,
    brier_score,
    decompose,
    expected_regret,
    h_measure,
    log_loss,
    net_benefit,
    skill_score,
    top_k,
)
from stakes.table import ScoreTable, merge, recalibrate, score_table

if TYPE_CHECKING:
    from stakes.beliefs import Beta
    from stakes.case_costs import CaseCosts
    from stakes.curves import (
        Curve,
        calibration_curve,
        cost_curve,
        crossings,
        decision_curve,
        precision_recall_curve,
        regret_curve,
        roc_curve,
        treat_all,
        treat_none,
    )
    from stakes.evaluation import Decision, Evaluation, evaluate, evaluate_tables, recommend
    from stakes.limits import Limits
    from stakes.outcome import EventBy
    from stakes.policy import Policy, best_thresholds
    from stakes.prevalence import at_prevalence, calibration_summary, explain_gap
    from stakes.table import load_table, save_table
    from stakes.uncertainty import band, compare, interval, rank

__version__ = "0.1.0"

__all__ = [
    "At",
    "Beta",
    "CaseCosts",
    "Cases",
    "Curve",
    "Decision",
    "Evaluation",
    "EventBy",
    "InputError",
    "Limits",
    "LogOddsUniform",
    "Measure",
    "Policy",
    "ScoreTable",
    "Uniform",
    "accuracy",
    "at_prevalence",
    "auc",
    "band",
    "best_thresholds",
    "brier_score",
    "calibration_curve",
    "calibration_summary",
    "compare",
    "cost_curve",
    "crossings",
    "decision_curve",
    "decompose",
    "evaluate",
    "evaluate_tables",
    "expected_regret",
    "explain_gap",
    "from_odds",
    "h_measure",
    "interval",
    "load_table",
    "log_loss",
    "merge",
    "net_benefit",
    "parse_belief",
    "precision_recall_curve",
    "rank",
    "recalibrate",
    "recommend",
    "regret_curve",
    "roc_curve",
    "save_table",
    "score_table",
    "skill_score",
    "top_k",
    "treat_all",
    "treat_none",
]


# Rooms that load when they are first used, with the names that the front repeats: `import stakes` waits for none.
_LATE = {
    "beliefs": ("Beta",),
    "case_costs": ("CaseCosts",),
    "curves": (
        *("Curve", "calibration_curve", "cost_curve", "crossings", "decision_curve", "precision_recall_curve"),
        *("regret_curve", "roc_curve", "treat_all", "treat_none"),
    ),
    "evaluation": ("Decision", "Evaluation", "evaluate", "evaluate_tables", "recommend"),
    "limits": ("Limits",),
    "outcome": ("EventBy",),
    "policy": ("Policy", "best_thresholds"),
    "prevalence": ("at_prevalence", "calibration_summary", "explain_gap"),
    "table": ("load_table", "save_table"),
    "uncertainty": ("band", "compare", "interval", "rank"),
    **dict.fromkeys(
        (
            "bounds",
            "datasets",
            "estimators",
            "frames",
            "large",
            "metrics",
            "monitoring",
            "planning",
            "plot",
            "report",
            "sites",
            "tensors",
        ),
        (),
    ),
}


def __getattr__(name: str) -> object:
    """Load a room when it, or a name of it, is first used; from then on the name is there."""
    from importlib import import_module

    for room, names in _LATE.items():
        if name in (room, *names):
            module = import_module(f"stakes.{room}")
            return globals().setdefault(name, module if name == room else getattr(module, name))
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, *_LATE})

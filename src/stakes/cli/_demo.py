"""The bundled example: three ways to decide who gets a biopsy."""

from __future__ import annotations

import numpy as np

from stakes.datasets import load_cohort
from stakes.decision import Decision, Evaluation, evaluate
from stakes.table import Recalibration, score_table

TITLE = "Who should have a biopsy?"


def evaluated(decision: Decision) -> Evaluation:
    """Rank the models of the cohort."""
    cohort = load_cohort()
    cancer = cohort["cancer"]
    group = -np.searchsorted(["high", "intermediate", "low"], cohort["risk_group"])
    models = {
        "prediction model": cohort["cancerpredmarker"],
        "recalibrated risk group": Recalibration.of(score_table(cancer, group))(group),
        "family history": cohort["famhistory"],
    }
    return evaluate(cancer, models, decision)

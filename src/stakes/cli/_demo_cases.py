"""Cases of the demo: the bundled cohorts, with the predictions of three models."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from stakes._roles import FrameColumns
from stakes.evaluation import CaseSource
from stakes.outcome import EventBy
from stakes.table import Recalibration, score_table

_HORIZON = 1.5  # years


def cohort() -> CaseSource:
    """Return the cohort whose outcomes are all known."""
    from stakes.datasets import load_cohort

    columns = load_cohort()
    return _source(columns["cancer"], columns)


def followed_cohort() -> CaseSource:
    """Return the cohort with follow-up: cancer within one and a half years, and deaths before it."""
    from stakes.datasets import load_follow_up

    columns = load_follow_up()
    time, event = columns["ttcancer"], columns["cancer_cr"]
    outcome = EventBy(time, event, _HORIZON, cause="diagnosed with cancer", censored="censor")
    return _source(outcome, columns)


def _source(outcome: Any, columns: dict[str, npt.NDArray[Any]]) -> CaseSource:
    group = -np.searchsorted(["high", "intermediate", "low"], columns["risk_group"])
    models = {
        "prediction model": columns["cancerpredmarker"],
        "recalibrated risk group": Recalibration.of(score_table(outcome, group))(group),
        "family history": columns["famhistory"],
    }
    return CaseSource.of_arrays(FrameColumns(outcome=outcome, predictions=models))

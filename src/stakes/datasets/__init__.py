"""Example data, with their sources in ``SOURCES.md``."""

from __future__ import annotations

import csv
from collections.abc import Callable
from importlib.resources import files
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["load_cohort"]


_COLUMNS: dict[str, Callable[[str], Any]] = {
    "patientid": int,
    "cancer": lambda text: text == "TRUE",
    "dead": int,
    "risk_group": str,
    "age": float,
    "famhistory": int,
    "marker": float,
    "cancerpredmarker": float,
}


def load_cohort() -> dict[str, npt.NDArray[Any]]:
    """Load the cohort of the decision curve tutorials: 750 simulated patients, 105 with cancer.

    The outcome is ``cancer``; ``cancerpredmarker`` is a predicted probability, ``famhistory`` a yes/no
    test, ``risk_group`` low, intermediate or high. From the package dcurves (Apache-2.0).

    Returns
    -------
    dict of ndarray
        One array per column: ``pandas.DataFrame(load_cohort())`` is the data frame.

    Examples
    --------
    >>> from stakes import score_table
    >>> from stakes.datasets import load_cohort
    >>> cohort = load_cohort()
    >>> score_table(cohort["cancer"], cohort["cancerpredmarker"])
    ScoreTable(750 scores, weight 750, prevalence 0.14)
    """
    lines = files(__package__).joinpath("cohort.csv").read_text(encoding="utf-8").splitlines()
    rows = list(csv.DictReader(lines))
    return {name: np.array([read(row[name]) for row in rows]) for name, read in _COLUMNS.items()}

"""Example data, with their sources in ``SOURCES.md``."""

from __future__ import annotations

import csv
from collections.abc import Callable
from importlib.resources import files
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["load_cohort", "load_follow_up"]

_FOLLOW_UP: dict[str, Callable[[str], Any]] = {
    "patientid": int,
    "cancer": lambda text: text == "TRUE",
    "ttcancer": float,
    "risk_group": str,
    "age": float,
    "famhistory": int,
    "marker": float,
    "cancerpredmarker": float,
    "cancer_cr": str,
}

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
    return _read("cohort.csv", _COLUMNS)


def load_follow_up() -> dict[str, npt.NDArray[Any]]:
    """Load the follow-up cohort of the decision curve tutorials: 750 simulated patients.

    Many left before their outcome was known. ``ttcancer`` is the time in years until ``cancer_cr``: ``"diagnosed with
    cancer"``, ``"dead other causes"`` or ``"censor"``; ``cancer`` is true for the first. ``cancerpredmarker`` is a
    predicted probability, ``famhistory`` a yes/no test, ``risk_group`` low, intermediate or high. From the package
    dcurves (Apache-2.0).

    Returns
    -------
    dict of ndarray
        One array per column: ``pandas.DataFrame(load_follow_up())`` is the data frame.

    Examples
    --------
    >>> from stakes import EventBy
    >>> from stakes.datasets import load_follow_up
    >>> cohort = load_follow_up()
    >>> EventBy(cohort["ttcancer"], cohort["cancer_cr"], 1.5, cause="diagnosed with cancer", censored="censor")
    EventBy(750 cases, horizon 1.5: 91 positive, 484 unknown, risk 0.206)
    """
    return _read("follow_up.csv", _FOLLOW_UP)


def _read(name: str, columns: dict[str, Callable[[str], Any]]) -> dict[str, npt.NDArray[Any]]:
    lines = files(__package__).joinpath(name).read_text(encoding="utf-8").splitlines()
    rows = list(csv.DictReader(lines))
    return {column: np.array([read(row[column]) for row in rows]) for column, read in columns.items()}

"""Exact means of a file larger than memory, one batch at a time."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import numpy as np

from stakes import _check
from stakes._errors import InputError, InputTypeError
from stakes._roles import Roles, droppable
from stakes.frames import (
    Arrays,
    DataFile,
    PreparedFrame,
    batches,
    by_column,
    check_counts,
    check_usable_rows,
    check_weight,
    count_faults,
    probabilities,
    warn_of_dropped,
)
from stakes.large._stream import ROWS, count_bad_rows, prepare_file
from stakes.table import TableLike, unsorted_table

if TYPE_CHECKING:
    from duckdb import DuckDBPyRelation

MeasureLike = Callable[[TableLike], float]


def means(
    file: DataFile | str | os.PathLike[str],
    outcome: str,
    score: str,
    measures: Mapping[str, MeasureLike],
    *,
    weight: str | None = None,
    on_missing: str = "error",
    pos_label: object = None,
    memory_limit: str = "400MB",
) -> dict[str, float]:
    r"""Exact numbers of a file that are means over its cases, in one pass and without a table.

    `expected_regret` is one under every belief, and so are `brier_score`, `log_loss`, `net_benefit` and
    `accuracy`. `skill_score`, `auc` and what recalibration saves are not: these need a table.

    Parameters
    ----------
    file : DataFile, str or path-like
        The file: CSV, TSV, Parquet or Arrow.
    outcome : str
        Column of outcomes: 0 and 1, or truth values; any two labels when `pos_label` names the positive one.
    score : str
        Column of scores, probabilities of a positive.
    measures : mapping of str to callable
        Functions of a sample, each a mean over its cases.
    weight : str, keyword-only, optional
        Column of weights, finite and not negative.
    on_missing : {"error", "drop"}, keyword-only
        Whether rows with missing values raise an error, or are dropped with a `DroppedRowsWarning`.
    pos_label : object, keyword-only, optional
        Label of positive outcomes, if they are not 0 and 1.
    memory_limit : str, keyword-only
        Memory that the engine may use; a `DataFile` has its own limit.

    Returns
    -------
    dict of str to float
        The numbers, by name.

    Examples
    --------
    >>> import tempfile
    >>> from functools import partial
    >>> from pathlib import Path
    >>> from stakes import Uniform, brier_score, expected_regret, large
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "scores.csv"
    ...     _ = path.write_text("died,risk\n0,0.25\n1,0.5\n")
    ...     numbers = {"Brier": brier_score, "regret": partial(expected_regret, costs=Uniform())}
    ...     large.means(path, "died", "risk", numbers)
    {'Brier': 0.15625, 'regret': 0.078125}
    """
    _check_measures(measures)
    drop = droppable(on_missing)
    roles = Roles(outcome=outcome, predictions={"score": score}, weight=weight, pos_label=pos_label)
    prepared = probabilities(prepare_file(file, roles, memory_limit, drop))
    means = _Means(measures)
    with prepared.reading():
        for batch in batches(_columns(prepared), ROWS):
            means.add(batch)
    faults = check_counts(prepared, means.bad, drop)
    warn_of_dropped(by_column(faults.missing))
    check_usable_rows(prepared, faults, means.rows, means.rows - means.used)
    check_weight(roles, means.weight)
    return {name: total / means.weight for name, total in means.totals.items()}


# Two samples of both classes, out of order.
_Y, _SCORE = np.array([0, 1, 1, 0, 1, 1, 0, 0, 1]) == 1, np.array([0.9, 0.2, 0.55, 0.1, 0.7, 0.35, 0.6, 0.05, 0.8])

_ONE, _OTHER, _BOTH = (unsorted_table(_Y[part], _SCORE[part], None) for part in (slice(5), slice(5, 9), slice(9)))


def _check_measures(measures: object) -> None:
    """Raise unless each measure is a mean over cases, since only means can be added up in pieces."""
    if not isinstance(measures, Mapping) or not measures or not all(map(callable, measures.values())):
        raise InputTypeError("measures", "map names to functions of a sample, such as {'Brier': brier_score}")
    for name, measure in measures.items():
        if not _is_mean(measure):
            raise InputError(
                "measures",
                "be means over cases",
                f"{_check.show(name)}, whose value of two samples together is not the mean of its values of each",
                hint="`large.score_table` makes a table for it",
            )


def _is_mean(measure: MeasureLike) -> bool:
    """Whether a measure of two samples together is the mean of its two values."""
    try:
        one, other, both = measure(_ONE), measure(_OTHER), measure(_BOTH)
    except AttributeError:  # it asks for what only a sorted table has
        return False
    mean = (_ONE.total * one + _OTHER.total * other) / _BOTH.total
    return both == mean or abs(both - mean) <= 1e-9 * max(abs(one), abs(other))


def _columns(prepared: PreparedFrame) -> DuckDBPyRelation:
    """Return the columns that a mean needs, with scores in their own type to keep batches small."""
    weight = [] if prepared.roles.weight is None else ["weight"]
    relation: DuckDBPyRelation = prepared.frame.select("fault", "value", "outcome", "0", *weight).to_native()
    return relation


class _Means:
    """Sums of the means and counts of bad rows, both growing batch by batch."""

    def __init__(self, measures: Mapping[str, MeasureLike]) -> None:
        self._measures = measures
        self.totals = dict.fromkeys(measures, 0.0)
        self.bad: dict[int, dict[float, int]] = {}
        self.rows, self.used, self.weight = 0, 0, 0.0

    def add(self, batch: Arrays) -> None:
        """Add the cases of a batch, and count its bad rows."""
        fault = batch["fault"]
        count_bad_rows(self.bad, count_faults(fault, batch["value"], np.ones(len(fault))))
        good = {name: column[fault == 0] for name, column in batch.items()}
        self.rows, self.used = self.rows + len(fault), self.used + len(good["fault"])
        sample = unsorted_table(good["outcome"] == 1, good["0"], good.get("weight"))
        if sample.total:
            self.weight += sample.total
            for name, mean in self._measures.items():
                self.totals[name] += sample.total * mean(sample)

"""Ends of money per case that allow for stakes that were not seen to be lost."""

from __future__ import annotations

import math

import numpy as np
from scipy import special

from stakes.measures import Form
from stakes.table import ScoreTable
from stakes.uncertainty._ends import Ends


def with_unseen_stakes(ends: Ends, estimate: float, form: Form, table: ScoreTable, level: float) -> Ends:
    r"""Return ends of an interval, the upper one at least as far as half a case more than was seen.

    Such a case has the mean stake :math:`m` of its side and loses all of it, and among *n* heads it adds
    :math:`m/n` times the quantile of a gamma distribution of shape one half. So a model that lost nothing here does not
    have an interval from 0 to 0. What was lost is not below 0.
    """
    values = form.case_values(table.prevalence)
    if values is None or table.heads is None or not all(map(math.isfinite, ends)):
        return ends
    people = table.heads.positive_total, table.heads.negative_total
    sides = np.array([table.positive_total, table.negative_total]) / np.maximum(people, 1.0)
    largest = np.max(np.abs(values.extremes), axis=1) * sides / table.heads.total
    unseen = float(np.hypot(*largest)) * float(special.gammaincinv(0.5, (1 + level) / 2))
    return max(ends[0], 0.0), max(ends[1], estimate + unseen if np.isfinite(unseen) else 0.0)

"""Sums over rows, where the rows are: whatever the partitions, they are the sums of all rows."""

import numpy as np
import pytest
from frames.engines import ENGINES
from frames.test_evaluating import MODELS, RANGE, SAMPLE
from numpy.testing import assert_allclose, assert_array_equal

from stakes import evaluate
from stakes.frames._workers import ByGroup, total


def test_no_partitions_at_all_add_up_to_nothing():
    assert total([]).size == 0


def test_adding_up_changes_none_of_what_is_added():
    first = np.ones(2)
    assert_array_equal(total([first, first]), [2, 2])
    assert_array_equal(first, [1, 1])


def test_a_group_that_is_not_in_a_partition_adds_nothing_there():
    by_group = ByGroup({name: lambda rows: np.array([rows["weight"].sum()]) for name in ("7", "8", "9")})
    rows = {"group": np.array([7, 9, 9]), "weight": np.array([1.0, 2.0, 4.0])}
    assert_array_equal(by_group(rows), [1, 0, 6])


@pytest.mark.cluster
def test_many_partitions_of_spark_are_added_up_on_the_way(monkeypatch):
    monkeypatch.setattr("stakes.frames._workers._FAN_IN", 2)
    frame = ENGINES["Spark"](SAMPLE).repartition(7)
    assert frame.rdd.getNumPartitions() > 4
    found = evaluate("died", MODELS, RANGE, data=frame, in_memory=0).intervals
    wanted = evaluate("died", MODELS, RANGE, data=ENGINES["polars, lazy"](SAMPLE), in_memory=0).intervals
    for model, interval in wanted.items():
        assert_allclose([found[model].lower, found[model].upper], [interval.lower, interval.upper], rtol=1e-9)

"""Costs that are a number times a column: how they are written, and read again."""

import pytest

from stakes._cost_columns import CostColumn, as_written, read_cost_column


@pytest.mark.parametrize(
    ("factor", "written"),
    [
        (0.45, "0.45*amount"),
        (0.1 + 0.2, "0.30000000000000004*amount"),
        (2.0, "2*amount"),
        (1e22, "1e+22*amount"),
        (1e-7, "1e-07*amount"),
        (-0.5, "-0.5*amount"),
        (1.0, "amount"),
    ],
)
def test_a_number_times_a_column_is_written_in_the_fewest_digits_and_read_exactly(factor, written):
    cost = CostColumn("amount", factor)
    assert as_written(cost) == written
    assert read_cost_column("false_negative", written) == cost

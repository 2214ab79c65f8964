"""Columns of a frame by role, with the types of a prepared frame."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from stakes._cost_columns import Cost, columns_among
from stakes._errors import InputTypeError
from stakes._groups import MISSING_GROUP
from stakes._roles import FollowRoles, Roles
from stakes.frames._file_roles import place_follow

if TYPE_CHECKING:
    import narwhals as nw


def follow_columns(follow: FollowRoles, schema: nw.Schema) -> dict[str, nw.Expr]:
    """Return the columns of follow-up, called as `place_follow` says."""
    import narwhals as nw

    names = dict(zip(follow.columns, place_follow(follow).columns.values(), strict=True))
    numbers = {
        names[one]: number_column(one.role, column, schema).cast(nw.Float64) for one, column in follow.numbers.items()
    }
    return numbers | {
        names[one]: label_column(column, schema) for one, column in follow.columns.items() if one not in follow.numbers
    }


def cost_columns(costs: Mapping[str, Cost], schema: nw.Schema) -> dict[str, nw.Expr]:
    """Return the costs that are columns, each times its number."""
    import narwhals as nw

    columns = columns_among(costs)
    found = {name: number_column(name, cost.column, schema).cast(nw.Float64) for name, cost in columns.items()}
    return {name: one if columns[name].factor == 1 else columns[name].factor * one for name, one in found.items()}


def raw_outcome(roles: Roles, schema: nw.Schema) -> nw.Expr:
    """Return the outcome as it is, a number or text."""
    import narwhals as nw

    dtype = schema[roles.outcome]
    if dtype.is_numeric() or dtype == nw.Boolean:
        return nw.col(roles.outcome).cast(nw.Float64)
    if is_text(dtype):
        return nw.col(roles.outcome).cast(nw.String)
    raise InputTypeError(roles.outcome_argument, "be a column of numbers, truth values or text", kind_of_type(dtype))


def number_column(argument: str, column: str, schema: nw.Schema) -> nw.Expr:
    import narwhals as nw

    dtype = schema[column]
    if not (dtype.is_numeric() or dtype == nw.Boolean):
        raise InputTypeError(argument, "name a column of numbers", f"{column!r}, a column of {kind_of_type(dtype)}")
    return nw.col(column) if dtype in (nw.Float32, nw.Float64) else nw.col(column).cast(nw.Float64)


def label_column(column: str, schema: nw.Schema) -> nw.Expr:
    import narwhals as nw

    dtype = schema[column]
    as_it_is = dtype.is_integer() or dtype.is_float() or dtype in (nw.String, nw.Boolean)
    return nw.col(column) if as_it_is else nw.col(column).cast(nw.String)


def group_column(column: str, schema: nw.Schema) -> nw.Expr:
    """Return the group label as text, or as a float; a missing one is a group.

    Engines write floats differently, so their text is made where they arrive, and nan stands for what is missing.
    """
    import narwhals as nw

    dtype, label = schema[column], label_column(column, schema)
    if dtype.is_float():
        return nw.when(label.is_null()).then(nw.lit(float("nan"))).otherwise(label)
    if dtype == nw.Boolean:
        text = nw.when(label).then(nw.lit("True")).otherwise(nw.lit("False"))
    else:
        text = label.cast(nw.String)
    return nw.when(label.is_null()).then(nw.lit(MISSING_GROUP)).otherwise(text)


def is_text(dtype: nw.dtypes.DType) -> bool:
    import narwhals as nw

    return isinstance(dtype, nw.String | nw.Categorical | nw.Enum)


def kind_of_type(dtype: nw.dtypes.DType) -> str:
    return type(dtype).__name__

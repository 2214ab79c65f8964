"""Stakes of cases on any engine, by the rules of arrays, and the totals beside a table of money."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from stakes._cost_columns import AMOUNTS, OUTCOMES, Cost, CostColumn
from stakes._groups import group_name
from stakes._predictions import reference_name
from stakes._roles import Roles
from stakes.case_costs import CaseCosts, check_unswapped
from stakes.frames._frame import Arrays, apply_stage, collect
from stakes.frames._prepare import PreparedFrame
from stakes.table import Heads

if TYPE_CHECKING:
    import narwhals as nw

    from stakes.frames._frame import NarwhalsFrame


def costs_of_rows(roles: Roles, found: Mapping[str, Any]) -> CaseCosts | None:
    """Return the costs of rows in memory, whose columns were multiplied already; None without case costs."""
    if not roles.costs:
        return None
    return CaseCosts(
        **{name: found[name] if isinstance(cost, CostColumn) else cost for name, cost in roles.costs.items()}
    )


def with_stakes(prepared: PreparedFrame, prevalence: float | None = None) -> PreparedFrame:
    """Return a frame with the stake of each case, whose scores are adjusted to it.

    With a prevalence, it has the scores of a further model, which gives this probability to every case.
    """
    name = reference_name(AMOUNTS, prepared.roles.predictions)
    constants = {} if prevalence is None else {name: prevalence}
    named = replace(prepared, further=tuple(constants), is_staked=True)
    probabilities: dict[str, float | None] = dict.fromkeys(prepared.scores)
    stage = partial(
        _stake_rows,
        costs=dict(prepared.roles.costs),
        scores=probabilities | dict(zip(named.scores[len(probabilities) :], constants.values(), strict=True)),
    )
    return replace(named, frame=apply_stage(prepared.frame, stage))


def _stake_rows(frame: NarwhalsFrame, costs: Mapping[str, Cost], scores: Mapping[str, float | None]) -> NarwhalsFrame:
    """Add the columns of stakes, and replace scores by those adjusted to them, on any engine."""
    import narwhals as nw

    miss, alarm, hit, rest = (_cost(name, costs[name]) for name in OUTCOMES)
    positive = nw.col("outcome") == 1
    acting, leaving = nw.col("acting"), nw.col("leaving")
    swapped = (acting < 0) & (leaving < 0)
    known = frame.with_columns(acting=alarm - rest, leaving=miss - hit)
    sided = known.with_columns(
        stake=nw.when(positive).then(leaving.abs()).otherwise(acting.abs()),
        side=nw.when((positive & (leaving > 0)) | (~positive & (acting < 0))).then(nw.lit(1.0)).otherwise(nw.lit(0.0)),
        floor=nw.when(positive).then(_smaller(hit, miss)).otherwise(_smaller(alarm, rest)),
        swapped=nw.when(swapped).then(nw.lit(1.0)).otherwise(nw.lit(0.0)),
    )
    is_crossed = (nw.col("swapped") == 0) & (nw.col("side") != nw.col("outcome"))
    return sided.with_columns(
        crossed=nw.when(is_crossed).then(nw.col("stake")).otherwise(nw.lit(0.0)),
        **{
            name: _score_of_stakes(nw.col(name).cast(nw.Float64) if p is None else nw.lit(p))
            for name, p in scores.items()
        },
    )


def _cost(name: str, cost: Cost) -> nw.Expr:
    import narwhals as nw

    return nw.col(name) if isinstance(cost, CostColumn) else nw.lit(cost)


def _smaller(one: nw.Expr, two: nw.Expr) -> nw.Expr:
    import narwhals as nw

    return nw.when(one < two).then(one).otherwise(two)


def _above_zero(loss: nw.Expr) -> nw.Expr:
    import narwhals as nw

    return nw.when(loss > 0).then(loss).otherwise(nw.lit(0.0))


def _score_of_stakes(p: nw.Expr) -> nw.Expr:
    """Return the share of the expected loss of leaving in that of both actions, as `CaseCosts.scores`."""
    import narwhals as nw

    acting, leaving = nw.col("acting"), nw.col("leaving")
    saved = p * _above_zero(leaving) + (1 - p) * _above_zero(0 - acting)
    lost = p * _above_zero(0 - leaving) + (1 - p) * _above_zero(acting)
    both, certain = saved + lost, ((leaving > 0) & (acting <= 0)) | ((acting < 0) & (leaving >= 0))
    divisor = nw.when(both > 0).then(both).otherwise(nw.lit(1.0))  # engines may divide where the result is not used
    undecided = nw.when(certain).then(nw.lit(1.0)).otherwise(nw.lit(0.0))
    score = nw.when(both > 0).then(saved / divisor).otherwise(undecided)
    return nw.when((acting == leaving) & (acting > 0)).then(p).otherwise(score)


# ------------------------------------------------------------------------------------------- totals

_SUMS = ("heads", "floor", "crossed", "swapped", "cases", "swapped cases", "unpaid", "paid")


@dataclass(frozen=True)
class StakeTotals:
    """Sums over some cases, of positives and of negatives: heads, floor, crossed money, counts."""

    sums: Mapping[str, tuple[float, float]]

    @property
    def prevalence(self) -> float:
        """Share of the positives; one half of no cases at all."""
        positive, negative = self.sums["heads"]
        return positive / (positive + negative) if positive + negative > 0 else 0.5

    def check(self) -> None:
        """Raise where the costs cannot be meant."""
        cases, swapped, unpaid, paid = (
            round(sum(self.sums[name])) for name in ("cases", "swapped cases", "unpaid", "paid")
        )
        check_unswapped(cases, swapped, never=unpaid == cases and paid == cases)

    def beside(self, heads: Heads) -> Heads:
        """Return heads with the sums that belong to them."""
        floor, crossed = self.sums["floor"], self.sums["crossed"]
        return replace(heads, floor=floor, crossed=crossed, swapped=sum(self.sums["swapped"]))


def stake_totals(prepared: PreparedFrame) -> dict[str, StakeTotals]:
    """Add up over the cases of each group, or of all under an empty name, in one small aggregation."""
    labels = ["group"] if prepared.roles.group is not None else []
    with prepared.reading():
        found = collect(_totals(prepared, labels))
    if not labels:
        return {"": _totals_of(found, slice(None))}
    names = np.array([group_name(label) for label in found["group"].tolist()], dtype=object)
    return {str(name): _totals_of(found, names == name) for name in dict.fromkeys(names.tolist())}


def _totals(prepared: PreparedFrame, labels: list[str]) -> NarwhalsFrame:
    import narwhals as nw

    weight = nw.lit(1.0) if prepared.roles.weight is None else nw.col("weight")
    good = nw.col("fault") == 0 if prepared.roles.weight is None else (nw.col("fault") == 0) & (nw.col("weight") > 0)
    one, none = nw.lit(1.0), nw.lit(0.0)
    added = {
        "heads": weight + nw.lit(0.0) * nw.col("outcome"),
        **{name: weight * nw.col(name) for name in ("floor", "crossed", "swapped")},
        "cases": one + nw.lit(0.0) * nw.col("outcome"),
        "swapped cases": nw.col("swapped"),
        "unpaid": nw.when(nw.col("leaving") < 0).then(one).otherwise(none),
        "paid": nw.when(nw.col("acting") > 0).then(one).otherwise(none),
    }
    rows = prepared.frame.filter(good).select("outcome", *labels, **added)
    return rows.group_by("outcome", *labels).agg(*(nw.col(name).sum() for name in _SUMS))


def _totals_of(found: Arrays, rows: Any) -> StakeTotals:
    positive = found["outcome"][rows] == 1
    sums = {name: np.asarray(found[name][rows], dtype=np.float64) for name in _SUMS}
    return StakeTotals({name: (float(one[positive].sum()), float(one[~positive].sum())) for name, one in sums.items()})

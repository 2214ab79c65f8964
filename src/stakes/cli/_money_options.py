"""Costs of each case on the command line: a number, a column, or a number times a column."""

from __future__ import annotations

import math
from collections.abc import Mapping, MutableMapping, Sequence
from typing import Any

import click

from stakes import _check
from stakes._cost_columns import OUTCOMES, UNLESS_GIVEN, Cost, CostColumn, read_cost_column
from stakes._errors import Argument, InputError
from stakes.beliefs import Multipliers, as_costs
from stakes.cli._options import OPTIONS, BeliefType, TypedBelief, belief, called, make_decision, option
from stakes.evaluation import Decision, with_case_costs
from stakes.limits import read_budget


class CostType(click.ParamType):  # type: ignore[type-arg]
    """A cost of each case, such as ``400``, ``amount`` or ``0.75*amount``."""

    name = "cost"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Cost:
        """Read a cost."""
        if isinstance(value, float | CostColumn):
            return value
        typed = called(param)
        try:
            number = float(value)
        except ValueError:
            return read_cost_column(typed, str(value))
        if not math.isfinite(number):
            raise InputError(typed, "be finite", _check.show(value))
        return number


class BudgetType(click.ParamType):  # type: ignore[type-arg]
    """Effort for each case, such as ``0.01`` or ``200/20000``."""

    name = "budget"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Read a budget."""
        return value if isinstance(value, float) else read_budget(called(param), str(value))


class CostsType(BeliefType):
    """A belief about costs, or multipliers of the costs of each case, such as ``as stated``."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> TypedBelief:
        """Read a belief or multipliers."""
        if isinstance(value, TypedBelief):
            return value
        found = as_costs("costs", str(value), case_costs=True) if _may_multiply(str(value)) else None
        return TypedBelief(str(value), found) if isinstance(found, Multipliers) else belief(called(param), value)


def _may_multiply(text: str) -> bool:
    return text.strip().casefold().startswith(("as", "x"))


ALIASES = {OPTIONS["false_negative"]: "--miss-cost", OPTIONS["false_positive"]: "--false-alarm-cost"}

MONEY = (
    option(
        "false_negative",
        ALIASES[OPTIONS["false_negative"]],
        type=CostType(),
        metavar="COST",
        help="Cost of a miss, a positive that is not acted on: a number, a column, or number*column, such as "
        "'0.75*amount'. With any of these four options, costs are in money; 1 unless given.",
    ),
    option(
        "false_positive",
        ALIASES[OPTIONS["false_positive"]],
        type=CostType(),
        metavar="COST",
        help="Cost of a false alarm, acting on a negative, in the same form; 1 unless given.",
    ),
    option(
        "true_positive",
        type=CostType(),
        metavar="COST",
        help="Cost of acting on a positive, such as the fee of an inspection; 0 unless given.",
    ),
    option("true_negative", type=CostType(), metavar="COST", help="Cost of not acting on a negative; 0 unless given."),
    option(
        "effort",
        type=CostType(),
        metavar="EFFORT",
        help="Effort of acting on a case, in the same form, such as hours, for --budget; 1 unless given.",
    ),
    option(
        "budget",
        type=BudgetType(),
        metavar="NUMBER",
        help="Effort that can be spent per case, such as 0.01 or 200/20000: with costs of each case, those that gain "
        "most for their effort are acted on.",
    ),
)


class HarmType(click.ParamType):  # type: ignore[type-arg]
    """The harm of the test of one model, such as ``marker=0.01``."""

    name = "harm"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[str, float]:
        """Read a model and a number; the name of a model may hold an equals sign."""
        if isinstance(value, tuple):
            return value
        model, _, number = str(value).rpartition("=")
        try:
            found = model.strip(), float(number)
        except ValueError:
            found = "", math.nan
        if not found[0] or math.isnan(found[1]):
            raise InputError(called(param), "look like marker=0.01: a model, then its harm", _check.show(value))
        return found


HARM = option(
    "harm",
    multiple=True,
    type=HarmType(),
    metavar="MODEL=NUMBER",
    help="Harm of the test that a model needs, done on every case: in misses per case, such as marker=0.01, or in "
    "money per case where costs are money; may be repeated.",
)


def take_harm(options: MutableMapping[str, Any]) -> dict[str, float]:
    """Take the harm of each model out of the options; raise where one is given twice."""
    given = options.pop("harm")
    found = dict(given)
    if len(found) < len(given):
        names = [name for name, _ in given]
        twice = next(name for name in names if names.count(name) > 1)
        raise InputError("harm", "name every model once", f"{_check.show(twice)} twice")
    return found


def take_costs(options: MutableMapping[str, Any]) -> dict[str, Cost]:
    """Take the costs of each case out of the options; none unless one of them is given."""
    given, effort = {name: options.pop(name) for name in OUTCOMES}, options.pop("effort")
    if all(cost is None for cost in given.values()):
        return {}
    stated = {name: UNLESS_GIVEN[name] if cost is None else cost for name, cost in given.items()}
    return stated if effort is None else {**stated, "effort": effort}


def check_money(options: Mapping[str, Any]) -> None:
    """Raise where costs of each case are given with an option that does not know money."""
    first = next((name for name in OUTCOMES if options[name] is not None), None)
    if options["effort"] is not None and options["budget"] is None:
        raise InputError("effort", ("be given with ", Argument("budget")))
    if options["budget"] is not None:
        _check_budget(options, priced=first is not None)
    if first is None:
        return
    for role in ("actions", "time", "event", "horizon"):
        if options[role] is not None:
            raise InputError(role, ("be left out with ", Argument(first)))


def _check_budget(options: Mapping[str, Any], *, priced: bool) -> None:
    """Raise where a budget is given without costs of each case, or with options it excludes."""
    if not priced:
        hint = (Argument("capacity"), " limits how many are acted on")
        wanted = "come with costs of each case, such as --miss-cost amount"
        raise InputError("budget", wanted, f"{options['budget']:g}", hint=hint)
    for role in ("capacity", "min_precision", "prevalence", "folds", "repeat", "site", "policy", "engine"):
        if options.get(role) is not None:
            other = Argument("--policy" if role == "policy" else role)
            raise InputError("budget", ("be left out with ", other), f"{options['budget']:g}")


def by_typed_names(text: str, typed: Sequence[str]) -> str:
    """Return a message that calls options by the shorter of their names where these were typed."""
    given = {one.partition("=")[0] for one in typed}
    for option_name, alias in ALIASES.items():
        if alias in given and option_name not in given:
            text = text.replace(option_name, alias)
    return text


def state_decision(stated: Mapping[str, Any], costs: Mapping[str, Cost]) -> Decision:
    """Return the decision that the options state; its costs multiply those of each case."""
    typed = stated["costs"]
    if not costs:
        if typed is not None and isinstance(typed.belief, Multipliers):
            hint = f"such as {OPTIONS['false_negative']} amount"
            raise InputError("costs", "come with costs of each case where it multiplies them", typed.text, hint=hint)
        return make_decision(**stated)
    if typed is None:
        typed = TypedBelief("as stated", as_costs("costs", "as stated", case_costs=True))
    if not isinstance(typed.belief, Multipliers):
        wanted, hint = "be multipliers of the costs of each case, such as x0.5..x2", "leave it out for costs as stated"
        raise InputError("costs", wanted, typed.text, hint=hint)
    return with_case_costs(make_decision(**{**stated, "costs": typed}))

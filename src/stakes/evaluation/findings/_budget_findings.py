"""Findings about a budget of effort."""

from __future__ import annotations

from collections.abc import Iterator

from stakes import _wording
from stakes._language import number as write
from stakes.beliefs import only_cost
from stakes.evaluation._ranked import unlimited
from stakes.evaluation._results import Finding, Results, Standing
from stakes.evaluation.findings._sentences import display_name, filled_in, models

_ACTS = "{model} acts where acting is expected to gain at least {price} in money per unit of effort: it spends"
_OVER_RANGE = "{effort} of {budget} per case there, and {least} to {most} over your range."
BUDGET_TEMPLATES = {
    "budget-price": f"Within your budget, {_ACTS} {{effort}} of {{budget}} per case.",
    "budget-price-range": f"At the mean of your costs, where your budget is kept to, {_ACTS} {_OVER_RANGE}",
    "budget-enough": "Your budget does not limit {model}: it spends {effort} of {budget} per case.",
    "budget-enough-range": f"Your budget does not limit {{model}} at the mean of your costs: it spends {_OVER_RANGE}",
    "budget-too-small": "{model} never acts within your budget: the cases that gain most for their effort spend more "
    "than {budget} per case.",
    "budget-cost": "Your budget costs {extra}: without it, {model} would cost {regret}.",
}


def budget(results: Results) -> Iterator[Finding]:
    """State the price of effort for each model, and what the budget costs the best of them."""
    if results.decision.budget is None:
        return
    for standing in models(results):
        yield _price(results, standing, results.decision.budget)
    yield from _cost(results, models(results)[0])


def _price(results: Results, standing: Standing, stated: float) -> Finding:
    price, effort, (least, most) = standing.price or 0.0, standing.effort or 0.0, standing.effort_range or (0.0, 0.0)
    kind = "budget-price" if price else "budget-enough"
    if price and not most:
        kind = "budget-too-small"
    elif only_cost(results.decision.costs) is None:
        kind += "-range"
    numbers = {"price": price, "effort": effort, "budget": stated, "least": least, "most": most}
    values = {name: _written(number) for name, number in numbers.items()}
    values["price"] = _wording.threshold(price)  # rounded down, since a case worth exactly this is acted on
    return _finding(kind, numbers, values | {"model": display_name(standing)})


def _written(number: float) -> str:
    return write(number, ",.2f" if number >= 1000 else ".4g")


def _cost(results: Results, first: Standing) -> Iterator[Finding]:
    """State what the budget costs the best model, at its own thresholds without it."""
    limited = first.regret.estimate
    free = unlimited(results.decision)(results.tables[first.model]) + first.harm
    if not results.unit.is_visible(limited - free) or limited < free:
        return
    unit = results.unit.apart(free, limited)
    values = {"extra": unit.cost(limited - free), "regret": unit.number(free), "model": display_name(first)}
    yield _finding("budget-cost", {"extra": limited - free, "regret": free}, values)


def _finding(kind: str, numbers: dict[str, float], values: dict[str, str]) -> Finding:
    template = BUDGET_TEMPLATES[kind]
    used = {name: value for name, value in values.items() if f"{{{name}}}" in template}
    return filled_in(kind, template, "policy", numbers, used)

"""Harm of a model's test, which every case has: what it adds to the cost of the model."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from stakes import _check, _wording
from stakes._errors import Argument, InputError, InputTypeError
from stakes._language import say, say_list, signs
from stakes.beliefs import Actions, in_money
from stakes.evaluation._at_horizons import cases_at_horizons, one_by_one
from stakes.evaluation._decision import Decision
from stakes.evaluation._repeated import RepeatedSource
from stakes.evaluation._sources import CaseSource, Source
from stakes.evaluation._unit import mean_costs
from stakes.measures import MeasureLike, raised, recognise

if TYPE_CHECKING:
    from stakes.evaluation._evaluation import Evaluation
    from stakes.evaluation._unit import Unit

Harm = Mapping[str, float]
NO_HARM: Harm = MappingProxyType({})


def as_harm(given: object, models: Iterable[str]) -> dict[str, float]:
    """Return the harm of each model that has any; raise unless it is a mapping from models to numbers."""
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        wanted = "be a mapping from models to numbers, such as `{'model': 0.01}`"
        raise InputTypeError("harm", wanted, type(given).__name__)
    names = tuple(models)
    for name in given:
        _check.choice("harm", name, names)
    found = {name: _check.non_negative_number(Argument("harm", name), harm) for name, harm in given.items()}
    return {name: harm for name, harm in found.items() if harm > 0}


def check_harm(harm: Harm, source: Source, decision: Decision) -> None:
    """Raise where there is harm, and what it adds is not known or cannot be followed through."""
    if not harm:
        return
    stated = ", ".join(f"{_check.show(name)}: {amount:g}" for name, amount in harm.items())
    if isinstance(decision.costs, Actions):
        hint = "add it to the cost of the action that needs the test, as `Actions.test` does"
        raise InputError("harm", "be left out where there are several actions", stated, hint=hint)
    if (cases := cases_at_horizons(source)) is not None:
        raise InputError("harm", "be left out with several horizons", stated, hint=one_by_one(cases))
    if not isinstance(source, CaseSource | RepeatedSource):
        wanted = ("be left out where the cases are not in memory, or there are tables alone",)
        raise InputError("harm", wanted, stated, hint=("raise ", Argument("in_memory")))
    if not math.isfinite(sum(harm_per_case(harm, decision).values())):
        raise InputError("harm", "be left out where a miss has no mean cost", repr(decision.costs))


def harm_per_case(harm: Harm, decision: Decision) -> dict[str, float]:
    """Return what harm adds to the cost of a case: as many misses at their mean cost, or the money stated."""
    miss = 1.0 if in_money(decision.costs) else mean_costs(decision.costs)[0]
    return {name: amount * miss for name, amount in harm.items()}


def with_harm(measures: Mapping[str, MeasureLike], added: Harm) -> dict[str, MeasureLike]:
    """Return the measure of each model with its harm; models of one measure still share its form."""
    if not added:
        return dict(measures)
    known = {id(one): recognise(one) for one in measures.values()}
    plain = {name: known[id(one)] for name, one in measures.items()}
    return {name: raised(one, added[name]) if name in added else one for name, one in plain.items()}


# ------------------------------------------------------------------------------------------- in words


def harm_note(evaluation: Evaluation) -> str:
    """State which harm was added, in the unit of the costs; empty where none was."""
    tested = [standing for standing in evaluation.ranking if standing.harm > 0]
    if not tested:
        return ""
    each = [
        say("{amount} for {model}", amount=_amount(evaluation.unit, one.harm), model=_wording.name(one.model))
        for one in tested
    ]
    text = "Costs include the harm of a test done on every case, {unit}: {each}."
    return say(text, unit=evaluation.unit.heading, each=say_list(each))


def _amount(unit: Unit, harm: float) -> str:
    """Write a harm with as many digits as it has, up to four."""
    exact = f"{unit.value(harm):,.4f}".rstrip("0").rstrip(".")
    return signs(exact) if exact != "0" else unit.number(harm)

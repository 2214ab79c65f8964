"""Findings about the ranking: the best model, models worse than a reference, other measures."""

from __future__ import annotations

import math
from collections.abc import Iterator

from stakes import _wording
from stakes._language import number as write
from stakes._language import say
from stakes.evaluation._results import Finding, Results, Standing
from stakes.evaluation._unit import ROUNDING
from stakes.evaluation.findings._paired import PairedDifference, paired_difference, stated_difference
from stakes.evaluation.findings._sentences import display_name, finding, models, where
from stakes.measures import REGISTRY
from stakes.uncertainty import Comparison


def best(results: Results) -> Iterator[Finding]:
    """Name the best, its closest rival, and whether they differ detectably."""
    first, second = results.best, results.rival
    numbers = {"regret": first.regret.estimate, "second_regret": second.regret.estimate}
    unit = results.unit
    values = {"regret": unit.cost(numbers["regret"]), "second_regret": unit.number(numbers["second_regret"])}
    difference = stated_difference(results, second)
    if difference is not None:
        numbers |= {**difference.ends, "probability_best": first.probability_best}
        values |= difference.values
    names = {"best": display_name(first), "second": display_name(second), "where": where(results), "verb": unit.verb}
    yield finding(_kind(first, second, difference), "ranking", numbers, **names, **values)
    if not results.sample.has_cases and len(results.tables) > 1:
        yield finding("unpaired", "ranking", {})


def _kind(first: Standing, second: Standing, difference: PairedDifference | None) -> str:
    """Return the kind of answer, by who is best and how certain that is."""
    kind = "best-reference" if first.reference else "best"
    if not first.reference and math.isclose(first.regret.estimate, second.regret.estimate, rel_tol=ROUNDING):
        return "best-tied"
    if difference is None:
        return f"{kind}-unsure"
    return kind if difference.is_detectable else f"{kind}-close"


def baseline(results: Results) -> Iterator[Finding]:
    """State how much more or less each model costs than the baseline, and whether detectably."""
    old = next((standing for standing in results.ranking if standing.model == results.baseline), None)
    for standing in models(results):
        found = standing.baseline_difference
        if old is None or found is None or math.isnan(found.difference):
            continue
        names = {"model": display_name(standing), "baseline": display_name(old), "where": where(results)}
        if math.isclose(standing.regret.estimate, old.regret.estimate, rel_tol=ROUNDING):
            yield finding("baseline-tied", "ranking", {"amount": found.difference}, **names)
            continue
        yield _against_baseline(results, found, names)


def _against_baseline(results: Results, found: Comparison, names: dict[str, str]) -> Finding:
    """State a difference to the baseline, as the dearer of the two less the cheaper."""
    dearer = found.difference > 0
    ends = (found.lower, found.upper) if dearer else (-found.upper, -found.lower)
    difference = PairedDifference(abs(found.difference), *ends, results.level, results.unit)
    said = {**names, "amount": results.unit.cost(difference.estimate), "more": say("more" if dearer else "less")}
    numbers = {"amount": difference.estimate}
    # Resampled intervals that allow for chosen thresholds may lie on the other side of 0, and say nothing then.
    if not difference.upper >= 0:
        return finding("baseline-unsure", "ranking", numbers, **said)
    kind = "baseline" if difference.is_detectable else "baseline-close"
    return finding(kind, "ranking", numbers | difference.ends, **said, **difference.values)


def worthless(results: Results) -> Iterator[Finding]:
    """Name models that cost more than acting on everyone or on no one, and whether they do so detectably."""
    free = [standing for standing in results.ranking if standing.reference]
    if not free or results.best.reference:
        return
    for standing in models(results):
        extra = standing.regret.estimate - free[0].regret.estimate
        dearer = extra > ROUNDING * free[0].regret.estimate
        difference = paired_difference(results, standing, free[0]) if dearer else None
        if difference is None or not difference.is_worth_telling:
            continue
        numbers = {"regret": standing.regret.estimate, "reference_regret": free[0].regret.estimate}
        unit = results.unit.apart(*numbers.values())
        yield finding(
            "worthless" if difference.is_detectable else "worthless-close",
            "ranking",
            {**numbers, **difference.ends},
            model=display_name(standing),
            reference=display_name(free[0]),
            where=where(results),
            regret=unit.cost(numbers["regret"]),
            reference_regret=unit.number(numbers["reference_regret"]),
            **difference.values,
        )


_WHY = {
    "AUC": "the AUC weighs mistakes differently for each model",
    "Brier score": "the Brier score averages over all costs, not only over those you state",
    "log loss": "the log loss weights costs near 0% and 100% most",
}


def _value_text(number: float) -> str:
    return _wording.signed_infinity(number) if math.isinf(number) else write(number, ".3f")


def other_measures(results: Results) -> Iterator[Finding]:
    """Name usual measures that would choose another model, and why."""
    first, *others = models(results)
    for name, why in _WHY.items():
        attribute = name.lower().replace(" ", "_")
        sign = -1 if REGISTRY[attribute].better == "larger" else 1

        def value(standing: Standing, attribute: str = attribute, sign: int = sign) -> float:
            return sign * float(getattr(standing, attribute))

        chosen = min((first, *others), key=value)
        if not value(chosen) < value(first):
            continue
        theirs, ours = getattr(chosen, attribute), getattr(first, attribute)
        numbers = {"other_value": theirs, "best_value": ours}
        values = {place: _value_text(number) for place, number in numbers.items()}
        if values["other_value"] != values["best_value"]:
            yield finding(
                "other-measure",
                "ranking",
                numbers,
                measure=say(name),
                other=display_name(chosen),
                why=say(why),
                **values,
            )

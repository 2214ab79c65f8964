"""Findings about calibration, and about scores at another prevalence."""

from __future__ import annotations

import math
from collections.abc import Iterator

from stakes import _wording
from stakes._language import say
from stakes.evaluation._ranked import after_recalibration, measure
from stakes.evaluation._results import Finding, Results, Standing
from stakes.evaluation._unit import ROUNDING, Unit
from stakes.evaluation.findings._sentences import display_name, display_names, finding, models
from stakes.measures import expected_regret
from stakes.prevalence import CalibrationSummary, calibration_summary, reweight_classes, shift_scores
from stakes.table import ScoreTable

_WORTH_SAYING = 0.05  # of the regret

_OFF = 1.25  # times too many or too few positives are expected


def mismatch(results: Results) -> Iterator[Finding]:
    """Name models that expect far more or fewer positives than occurred, and the gain of a correction."""
    if results.decision.limits is not None or not 0 < results.sample.prevalence < 1:
        return
    ranked, standings = measure(results.decision), models(results)
    suspect = [one for one in standings if _is_off(results.tables[one.model], results.sample.independent)]
    summaries = {one.model: calibration_summary(results.tables[one.model]) for one in suspect}
    wrong = [one for one in suspect if math.isfinite(summaries[one.model].assumed_prevalence)]
    if not wrong:
        return
    corrected = {
        one.model: ranked(_correct_mean(results.tables[one.model], summaries[one.model])) + one.harm for one in wrong
    }
    expected = [summaries[one.model].expected for one in wrong]
    low, high = _wording.percent(min(expected)), _wording.percent(max(expected))
    effect, after = _effect(results, corrected)
    yield finding(
        "mismatch",
        "calibration",
        {"observed": results.sample.prevalence, "lowest": min(expected), "highest": max(expected)} | after,
        model=say("All models") if 1 < len(wrong) == len(standings) else display_names(wrong),
        expects=say("expects" if len(wrong) == 1 else "expect"),
        expected=low if low == high else say("{low} to {high}", low=low, high=high),
        observed=_wording.percent(results.sample.prevalence),
        effect=effect,
    )


def _is_off(table: ScoreTable, cases: tuple[float, float]) -> bool:
    """Whether the mean score is off by a factor of 1.25, and by more than two standard errors."""
    observed, expected = table.prevalence, float((table.positive + table.negative) @ table.score / table.total)
    chance = 2 * _standard_error(observed, *cases)
    far = max(observed, expected) > _OFF * min(observed, expected)
    return far and abs(observed - expected) > chance


def _standard_error(share: float, positive: float, negative: float) -> float:
    """Return that of a weighted share of positives, from the effective numbers of the two classes.

    Of two estimates, which agree without weights, the larger: one takes the weights of each class as they fell, the
    other as if they were dealt to the classes at random. A single heavy case makes the first far too small.
    """
    as_they_fell = share**2 * (1 - share) ** 2 * (1 / positive + 1 / negative)
    at_random = share * (1 - share) * (share**2 / positive + (1 - share) ** 2 / negative)
    return math.sqrt(max(as_they_fell, at_random))


def _correct_mean(table: ScoreTable, summary: CalibrationSummary) -> ScoreTable:
    return shift_scores(table, table.prevalence, from_prevalence=summary.assumed_prevalence)


def _effect(results: Results, after: dict[str, float]) -> tuple[str, dict[str, float]]:
    """Describe the effect of correcting the mean score in this sample, references in view."""
    before = {one.model: one.regret.estimate for one in results.ranking}
    regret = {**before, **after}
    first, new = results.ranking[0], min(results.ranking, key=lambda one: regret[one.model])
    unit = results.unit
    if new is not first and unit.is_visible(regret[first.model] - regret[new.model]):
        lowest = unit.cost(regret[new.model])
        text = say(
            "would give {new} the lowest expected cost in this sample, {lowest}", new=display_name(new), lowest=lowest
        )
        return text, {"regret": regret[new.model]}
    gains = {name: before[name] - after[name] for name in after}
    most = max(gains, key=lambda name: gains[name])
    gain = gains[most]
    if not any(map(unit.is_visible, gains.values())):
        return say("would make no visible difference over these costs in this sample"), {"gain": gain}
    if gain < 0 or not unit.is_visible(gain):  # then it harms another
        return say("would not help over these costs in this sample"), {"gain": gain}
    whose = "" if len(after) == 1 else say(" of {most}", most=_wording.name(most))
    return say("would lower the expected cost{whose} by {gain} in this sample", whose=whose, gain=unit.cost(gain)), {
        "gain": gain
    }


def recalibration(results: Results) -> Iterator[Finding]:
    """State what recalibration would save the best model, and whether it would change the order."""
    standings = [one for one in models(results) if one.parts is not None]
    if not standings:
        return
    left = {one.model: after_recalibration(one) for one in standings}
    first, new = standings[0], min(standings, key=lambda one: left[one.model])
    yield from _recalibration_gain(first, first.regret.estimate - left[first.model], results.unit)
    free = min((one.regret.estimate for one in results.ranking if one.reference), default=math.inf)
    cheapest = left[new.model] < free * (1 - ROUNDING)
    if new is not first and cheapest and results.unit.is_visible(left[first.model] - left[new.model]):
        numbers = {"regret": left[new.model], "best_regret": left[first.model]}
        unit = results.unit.apart(*numbers.values())
        how = say("in-sample, so optimistic") if results.folds is None else say("cross-fitted")
        yield finding(
            "recalibrate-order",
            "calibration",
            numbers,
            other=display_name(new),
            best=display_name(first),
            how=how,
            regret=unit.cost(numbers["regret"]),
            best_regret=unit.number(numbers["best_regret"]),
        )


def _recalibration_gain(first: Standing, gain: float, unit: Unit) -> Iterator[Finding]:
    if not unit.is_visible(gain) or abs(gain) <= _WORTH_SAYING * first.regret.estimate:
        return
    kind = "recalibrate" if first.recalibrated is None else "recalibrate-fair" if gain > 0 else "recalibrate-useless"
    amount = "loss" if gain < 0 else "gain"
    yield finding(
        kind,
        "calibration",
        {amount: abs(gain)},
        model=display_name(first),
        **{amount: unit.cost(abs(gain))},
    )


def other_prevalence(results: Results) -> Iterator[Finding]:
    """State the cost of using uncorrected scores at the stated prevalence."""
    decision = results.decision
    if decision.prevalence is None or decision.limits is not None:
        return
    first = models(results)[0]
    # Uncorrected scores cost a sum that is linear in the prevalence, so that its mean is all that counts.
    common = float(decision.prevalence.mean)
    as_they_are = expected_regret(reweight_classes(results.tables[first.model], common), decision.costs)
    extra = as_they_are + first.harm - first.regret.estimate
    yield finding(
        "prevalence",
        "world",
        {"extra": extra, "stated": common, "observed": results.sample.prevalence},
        stated=_wording.belief(decision.prevalence),
        observed=_wording.percent(results.sample.prevalence),
        model=display_name(first),
        amount=results.unit.cost(abs(extra)),
        more=say("less" if extra < 0 else "more"),
    )

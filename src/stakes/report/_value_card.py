"""The card "Would more cases help?": what more labelled cases are worth for the choice, as stated."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

from markupsafe import Markup

from stakes import _wording as words
from stakes._language import number, say
from stakes.evaluation import UNITS, Evaluation, Unit, unlimited
from stakes.planning import StudyPlan, plan_and_values
from stakes.report._cards import Card
from stakes.report._chart import Chart, Line, Mark
from stakes.report._chart_axis import ChartAxis
from stakes.report._svg import element
from stakes.uncertainty import Study

_FIRST, _STEPS = 10, 3  # fewest cases of the curve, and its points for each factor of ten
_NOTHING = 0.01  # printed cost below which nothing can be gained that anyone would notice
_MOST = 100_000  # cases beyond which the page does not ask whether more would help


def value_cards(evaluation: Evaluation) -> list[Card]:
    """Return the card, or nothing where the value of cases has no formula or no unit."""
    found = _plan(evaluation)
    if found is None:
        return []
    plan, worth = found
    much = evaluation.unit.value(plan.perfect)
    unit = replace(evaluation.unit, digits=max(evaluation.unit.digits, 1 if much >= 1 else 2))
    if much < _NOTHING:
        said = say(
            "Hardly: choosing now is expected to lose less than {nothing} {named}, which is all that more "
            "cases like these could save.",
            nothing=_NOTHING,
            named=unit.named,
        )
        return [Card("more-cases", say(_HEADING), [said, *_care(plan)])]
    chart, controls = _chart(plan, worth, unit), _controls(plan, worth, unit)
    return [
        Card("more-cases", say(_HEADING), _sentences(plan, unit), charts=[chart], note=say(_NOTE), controls=controls)
    ]


_HEADING = "Would more cases help?"

_NOTE = (
    "Expected gain from choosing after more cases like these instead of now, for each case decided on later; models "
    "are taken to be alike until the data say otherwise. Never extrapolate from a few: ten may be worth nothing and a "
    "thousand a lot. The command stakes plan computes the best number exactly."
)


def _plan(evaluation: Evaluation) -> tuple[StudyPlan, dict[int, float]] | None:
    """Return the plan of the two numbers of cases in the sentences, and what those of the curve are worth."""
    cases, sample = evaluation.results.cases, evaluation.sample
    asked = evaluation.decision.limits is None and evaluation.unit.name in UNITS and sample.follow_up is None
    if cases is None or not asked or not 0 < sample.prevalence < 1 or sample.cases > _MOST:
        return None
    measure = unlimited(evaluation.decision)
    if any(one.form is None for one in Study(cases, measure).measures.values()):
        return None
    units = sample.clusters or sample.cases
    decades = max(3, math.ceil(math.log10(10 * units)))
    grid = [round(10 ** (k / _STEPS)) for k in range(_STEPS, _STEPS * decades + 1)]
    plan, values = plan_and_values(cases, measure, [units, 10 * units], grid)
    return plan, dict(zip(grid, values, strict=True))


def _sentences(plan: StudyPlan, unit: Unit) -> list[str]:
    """Say what choosing now loses, and what as many cases again would be worth."""
    (again, many), (right, then) = plan.value.tolist(), plan.probability_right.tolist()
    return [
        say(
            "Choosing now is expected to lose {perfect}: more cases like these can save that at most.",
            perfect=unit.cost(plan.perfect),
        ),
        say(
            "As many cases again ({more:,}) are worth {again} and make the choice right with probability "
            "{right}; ten times as many are worth {many}, with probability {then}.",
            more=plan.more[0],
            again=unit.number(again),
            right=words.chance(right),
            many=unit.number(many),
            then=words.chance(then),
        ),
        *_care(plan),
    ]


def _care(plan: StudyPlan) -> list[str]:
    return [say("Take this with care: {caution}.", caution=say(plan.caution))] if plan.caution else []


def _controls(plan: StudyPlan, worth: Mapping[int, float], unit: Unit) -> Markup:
    """Ask for prices; the page sets them against gains in mistakes of the unit per decision."""
    mistake = say("Price of a miss" if unit.name == UNITS[0] else "Price of a false alarm")
    asked = (say("Decisions after the study"), say("Price of a case"), mistake)
    labels = [element("label", f"{one} ", element("input", type="number", min=0, step="any")) for one in asked]
    gains, perfect = ([unit.value(float(one)) / unit.per for one in some] for some in (worth.values(), [plan.perfect]))
    return element(
        "div",
        *labels,
        element("p", id="study-said", role="status"),
        id="study",
        hidden="",
        data_more=",".join(map(str, worth)),
        data_gain=",".join(f"{one:.6g}" for one in gains),
        data_perfect=f"{perfect[0]:.6g}",
    )


def _more(number_of_cases: int, worth: str) -> str:
    return say("{cases:,} more cases: {worth}", cases=number_of_cases, worth=worth)


def _chart(plan: StudyPlan, worth: Mapping[int, float], unit: Unit) -> Chart:
    """Draw the value over the number of cases, on a scale of tens."""
    more, value = list(worth), [unit.value(one) for one in worth.values()]
    x, last = [math.log10(n) - 0.5 for n in more], math.ceil(math.log10(more[-1]) - 1e-9)
    top = 1.15 * unit.value(plan.perfect)
    names = tuple(number(10**k, ",") for k in range(1, last + 1))
    marks: Sequence[Mark] = [
        Mark(
            math.log10(n) - 0.5,
            unit.value(float(worth)),
            "dot m0",
            say("{n:,} more cases: {worth}", n=n, worth=unit.number(float(worth))),
        )
        for n, worth in zip(plan.more, plan.value, strict=True)
    ]
    lines = [
        Line([0.5, last - 0.5], [unit.value(plan.perfect)] * 2, "r1", say("any number")),
        Line(x, value, "m0", say("more cases")),
    ]
    axis = ChartAxis(0.5, last - 0.5, say("number of more cases"), names=names)
    text = say("Expected gain from more cases, by their number, up to that of any number of them.")
    height = ChartAxis(0.0, top, say("gain, {heading}", heading=unit.heading))
    return Chart("value", text, 340.0, 240.0, axis, height, lines, marks)

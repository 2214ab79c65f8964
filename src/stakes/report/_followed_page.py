"""A page without controls, for cases that were not all followed until the horizon."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape

from stakes import _wording
from stakes.evaluation import (
    Evaluation,
    as_given,
    describe_sample,
    horizon_note,
    horizon_rows,
    in_own_words,
    question,
)
from stakes.policy import Policy
from stakes.report import _cost_charts
from stakes.report._contenders import coloured
from stakes.report._models import Scene, models_of
from stakes.report._scripts import asset
from stakes.report._still_page import groups, items, method, ranking, section, table_of_rows, whole_page
from stakes.report._svg import draw

_WHY_STILL = (
    "those who left weigh on every interval, which a page without the cases cannot compute anew. For other costs, "
    "another prevalence or other limits, evaluate again."
)

_WIDTH = "section{margin-top:2em}.figure{max-width:52em;margin:1em 0}.figure svg{width:100%;height:auto}"


def followed_page(evaluation: Evaluation, *, title: str | None = None, source: str | None = None) -> str:
    """Write an evaluation of censored outcomes as one HTML text; every name in it is text."""
    asked = question(len(evaluation.tables), evaluation.decision)
    heading = asked if title is None else title
    sample = describe_sample(evaluation) + ("" if source is None else f", from {_wording.name(source)}")
    said = [in_own_words(evaluation, one.text) for one in evaluation.findings]
    answer = f"<p><strong>{escape(evaluation.answer)}</strong></p>" if evaluation.answer else ""
    sections = [
        f"<h1>{escape(heading)}</h1>" + ("" if title is None else f"<p>{escape(asked)}</p>"),
        f"<p>{escape(sample)}</p>{answer}",
        ranking(evaluation),
        _horizons(evaluation),
        _thresholds(evaluation),
        section("What to know", items(said)),
        _pictures(evaluation),
        _followed(evaluation),
        groups(evaluation),
        method(evaluation, _WHY_STILL),
    ]
    return whole_page(evaluation, heading, sections, asset("style.css") + _WIDTH)


def is_followed(evaluation: Evaluation) -> bool:
    """Whether some outcomes are unknown, so that the rows of tables do not count people."""
    found = evaluation.sample.follow_up
    return found is not None and (found.unknown > 0 or bool(evaluation.horizons))


def _pictures(evaluation: Evaluation) -> str:
    """Draw the expected cost and the net benefit over the cost, for the decision as stated."""
    if evaluation.horizons:
        return ""
    models, references = models_of(evaluation, evaluation.tables)
    scene = Scene.of(evaluation, coloured(evaluation, models), references)
    drawn = [
        f"<div class=figure>{draw(chart)}</div>"
        for chart in (_cost_charts.regret_chart(scene), _cost_charts.benefit_chart(scene))
    ]
    below = (
        "Above, the expected cost at each cost of a false alarm; below, the net benefit (the decision curve), with a "
        "thin line for the best that each model could reach after recalibration."
    )
    return section("Over the costs", *drawn, below)


def _horizons(evaluation: Evaluation) -> str:
    """Write what each model costs at each of several horizons."""
    if not evaluation.horizons:
        return ""
    return section("At each horizon", table_of_rows(horizon_rows(evaluation)), horizon_note())


def _followed(evaluation: Evaluation) -> str:
    """Count who is known at the horizon, and how much rests on how few."""
    found = evaluation.sample.follow_up
    if found is None:
        return ""
    other = [("another event first", f"{found.competing:,}")] if found.competing else []
    rows = [
        ("by the horizon", f"{found.horizon:g}"),
        ("followed", f"{found.cases:,}"),
        ("had the event", f"{found.positive:,}"),
        *other,
        ("free of it", f"{found.event_free:,}"),
        ("left before: unknown", f"{found.unknown:,}"),
        ("risk of the event", _wording.percent(found.risk)),
        ("lowest chance of still being followed", _wording.percent(found.least_probability)),
        ("the known count like", f"{found.effective_cases:,.1f}"),
    ]
    below = (
        "Those who are known are weighted by one over their chance of still being followed, with events before "
        "censorings at one time. Shares acted on and limits count everyone, known or not."
    )
    return section("How far they were followed", table_of_rows(rows), below)


def _thresholds(evaluation: Evaluation) -> str:
    """List the thresholds of the best model under limits."""
    policy = evaluation.policies.get(evaluation.best.model)
    if evaluation.decision.limits is None or policy is None:
        return ""
    heading = (f"act where {_wording.name(evaluation.best.model)}", "at costs", "alarms", "precision", "recall")
    rows = [heading, *(_threshold_row(evaluation, policy, step) for step in range(len(policy)))]
    return section("Thresholds within your limits", table_of_rows(rows), "")


def _threshold_row(evaluation: Evaluation, policy: Policy, step: int) -> Sequence[str]:
    least = as_given(float(policy.threshold[step]), evaluation.decision, evaluation.sample.prevalence)
    low, high = (_wording.percent(float(end[step])) for end in (policy.from_cost, policy.to_cost))
    precision = float(policy.precision[step])
    return (
        "never" if math.isinf(least) else f"is at least {_wording.threshold(least)}",
        low if low == high else f"{low} to {high}",
        _wording.whole_percent(float(policy.alarms_per_thousand[step]) / 1000),
        _wording.NOT_KNOWN if math.isnan(precision) else _wording.whole_percent(precision),
        _wording.whole_percent(float(policy.recall[step])),
    )

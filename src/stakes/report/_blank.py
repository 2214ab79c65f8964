"""A report without numbers for the page that opens a file, and the sentences that the two share."""

from __future__ import annotations

import dataclasses
from typing import Any

from stakes._language import language, say, translated
from stakes.beliefs import At, LogOddsUniform, Uniform
from stakes.evaluation import TEMPLATES, Evaluation, evaluate, recommend
from stakes.report._certificate import embedded_said
from stakes.report._first_screen import ANSWERS
from stakes.report._method import CASES, CHANGED, FOLLOWING, POOLED, UNPOOLED, versions
from stakes.report._render import render
from stakes.report._tripod import TRIPOD, without_groups
from stakes.report._view import EVIDENCE

_LOW, _HIGH = 0.125, 0.25  # of costs that stand for any


def blank_evaluation() -> Evaluation:
    """Return an evaluation whose report has every part that a file may need."""
    y, group = [0, 0, 1, 0, 1, 1, 0, 1] * 6, ["a", "b"] * 24
    return evaluate(y, {"model": [0.1, 0.3, 0.7, 0.4, 0.6, 0.9, 0.2, 0.3] * 6}, Uniform(_LOW, _HIGH), group=group)


def blank_report(evaluation: Evaluation) -> str:
    """Write the body of a report, without data, pictures and scripts."""
    page = render(evaluation, embed="strict", lang=language())
    body, data, _ = page.partition("<body")[2].partition(">")[2].partition('<script type="application/json" id="data">')
    first, *others = body.split("<svg")
    return "".join([first, *(other.partition("</svg>")[2] for other in others), data, "</script>"])


def shared_sentences(evaluation: Evaluation) -> dict[str, Any]:
    """Return sentences of a report, with slots for what the page knows."""
    found = {item: without_groups(item, called=True) for item in (row["item"] for row in TRIPOD)}
    return {
        "schema": evaluation.to_dict()["schema"],
        "version": versions()["stakes"],
        "templates": {kind: translated(text) for kind, text in TEMPLATES.items() if not kind.startswith(_NEVER)},
        "answers": {kind: translated(text) for kind, text in ANSWERS.items()},
        "evidence": {key: say(name) for key, name in EVIDENCE.items()},
        "recommendations": _recommendations(),
        "accuracy": {where: _accuracy(cost) for where, cost in _AROUND_ONE_HALF.items()},
        "pooled": [say(POOLED, cases=say(cases), follows=say(FOLLOWING)) for cases in CASES],
        "unpooled": say(UNPOOLED),
        "changed": translated(CHANGED),
        "held": embedded_said("strict", {"single": []}),
        "without_groups": {item: said for item, said in found.items() if said is not None},
    }


# Of decisions that the page does not take: a baseline, repeats, several actions, tables without cases.
_NEVER = (
    "use",
    "act-",
    "worth-using",
    "not-worth-using",
    "baseline",
    "validated",
    "action",
    "budget",
    "costs-",
    "fit-",
)

_AROUND_ONE_HALF: dict[str, At | Uniform] = {
    "stated": At(0.5),
    "inside": Uniform(0.25, 0.75),
    "outside": Uniform(_LOW, _HIGH),
}


def _accuracy(cost: At | Uniform) -> str:
    return recommend(cost).assumptions["accuracy"]


def _recommendations() -> dict[str, Any]:
    """Return the recommendation for costs of each kind, with slots for their ends."""
    costs: dict[str, At | Uniform | LogOddsUniform] = {
        "at": At(_LOW),
        "uniform": Uniform(_LOW, _HIGH),
        "log_odds_uniform": LogOddsUniform(_LOW, _HIGH),
    }
    found = {kind: dataclasses.asdict(recommend(cost)) for kind, cost in costs.items()}
    slots = {str(_LOW): "{low}", str(_HIGH): "{high}"}
    for one in found.values():
        for number, slot in slots.items():
            one["measure"] = one["measure"].replace(number, slot)
    return found

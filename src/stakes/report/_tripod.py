"""Items of the TRIPOD+AI checklist that a report helps to answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from stakes._language import say
from stakes.evaluation import Evaluation

TRIPOD: tuple[dict[str, Any], ...] = (
    {
        "item": "10",
        "asks": "Sample size, and whether it suffices",
        "here": (
            "Cases and events are at the top; how many would be needed to tell the first two apart "
            "is a finding where they cannot be;"
        ),
        "links": ["ranking"],
        "yours": "How the size was arrived at.",
    },
    {
        "item": "12e",
        "asks": "All measures and plots used to evaluate performance, and why",
        "here": (
            "Measure and reason are above, with what the usual ones would assume; "
            "discrimination, calibration and utility in"
        ),
        "links": ["ranking", "cost", "calibration"],
        "yours": "Why these costs.",
    },
    {
        "item": "12f",
        "asks": "Model updating that arose from the evaluation",
        "here": "What recalibration, or a correction for prevalence, would change:",
        "links": ["calibration", "world"],
        "yours": "Whether you updated the model.",
    },
    {
        "item": "12g",
        "asks": "How predictions were calculated",
        "here": "Scores are taken as given; the call below names the columns.",
        "links": [],
        "yours": "The model itself: formula, code or object.",
    },
    {
        "item": "13",
        "asks": "Methods for class imbalance, and recalibration after them",
        "here": "None is used here: expected cost needs none. A mismatch with the observed positives is a finding;",
        "links": ["calibration"],
        "yours": "What was done when the model was built.",
    },
    {
        "item": "14",
        "asks": "Approaches to fairness",
        "here": "Expected cost by group, and each gap split into discrimination, calibration and prevalence:",
        "links": ["groups"],
        "yours": "Which groups, and why these.",
    },
    {
        "item": "15",
        "asks": "The model's output, and how thresholds were chosen",
        "here": "Probabilities. Each threshold with the costs it belongs to and what it does:",
        "links": ["policy"],
        "yours": "Which threshold is used.",
    },
    {
        "item": "20a",
        "asks": "Flow of participants, with and without the outcome",
        "here": "Cases and positives are at the top; dropped cases, if any, are among the findings and in the method.",
        "links": [],
        "yours": "How cases came into the sample.",
    },
    {
        "item": "23a",
        "asks": "Performance with confidence intervals, also in key subgroups",
        "here": "Intervals of every model, paired differences, and groups:",
        "links": ["ranking", "groups"],
        "yours": "",
    },
    {
        "item": "23b",
        "asks": "Heterogeneity of performance across clusters",
        "here": "Intervals respect clusters where they are given; differences between sites, given as groups, are in",
        "links": ["groups"],
        "yours": "Which clusters there are.",
    },
)

_WITHOUT_GROUPS = {
    "14": "Not here: evaluate with {option}.",
    "23a": "Key subgroups are not here: evaluate with {option}. Intervals of every model, and paired differences:",
    "23b": "Differences between sites are not here: evaluate with {option}. Intervals respect clusters if given.",
}

_WITH_SITES = {
    "here": "Each site, how much they differ, and what to expect of another one, are in",
    "links": ["sites"],
    "yours": "Which sites there are.",
}


def tripod(evaluation: Evaluation, *, sites: bool = False) -> list[dict[str, Any]]:
    """Return the items of the checklist, with those about groups and sites only where there are some."""
    rows = [_said(row) if evaluation.groups else _row_without_groups(row, evaluation) for row in TRIPOD]
    return [{**row, **_said(_WITH_SITES)} if sites and row["item"] == "23b" else row for row in rows]


def _said(row: dict[str, Any]) -> dict[str, Any]:
    return {**row, **{part: say(row[part]) for part in ("asks", "here", "yours") if part in row}}


def without_groups(item: str, *, called: bool) -> str | None:
    """Return what an item has where there are no groups; None where that is the same."""
    option = ("--site" if item == "23b" else "--group") if called else "group="
    return say(_WITHOUT_GROUPS[item], option=option) if item in _WITHOUT_GROUPS else None


def _row_without_groups(row: dict[str, Any], evaluation: Evaluation) -> dict[str, Any]:
    here, said = without_groups(row["item"], called=bool(evaluation.call)), _said(row)
    return said if here is None else {**said, "here": here, "links": _without_groups(row["links"])}


def _without_groups(links: Sequence[str]) -> list[str]:
    return [link for link in links if link != "groups"]

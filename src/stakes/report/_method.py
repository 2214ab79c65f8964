"""Texts of the page on the sample and the methods."""

from __future__ import annotations

import platform
from collections.abc import Iterable, Sequence
from importlib.metadata import version
from typing import Any

from stakes import _wording as words
from stakes.beliefs import in_money
from stakes.evaluation import Evaluation
from stakes.report._followed_view import counts_everyone, left_before
from stakes.report._models import ShownModel
from stakes.report._pooling import LEAST_CASES, MOST_ROWS, Bound

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
        "here": "Cases, positives and dropped cases are at the top.",
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
    rows = [row if evaluation.groups else _row_without_groups(row, evaluation) for row in TRIPOD]
    return [{**row, **_WITH_SITES} if sites and row["item"] == "23b" else row for row in rows]


def without_groups(item: str, *, called: bool) -> str | None:
    """Return what an item has where there are no groups; None where that is the same."""
    option = ("--site" if item == "23b" else "--group") if called else "group="
    return _WITHOUT_GROUPS[item].format(option=option) if item in _WITHOUT_GROUPS else None


def _row_without_groups(row: dict[str, Any], evaluation: Evaluation) -> dict[str, Any]:
    here = without_groups(row["item"], called=bool(evaluation.call))
    return row if here is None else {**row, "here": here, "links": _without_groups(row["links"])}


def _without_groups(links: Sequence[str]) -> list[str]:
    return [link for link in links if link != "groups"]


def versions() -> dict[str, str]:
    """Return the version of each package that computed something."""
    packages = {name: version(name) for name in ("stakes", "numpy", "scipy")}
    return {**packages, "Python": platform.python_version()}


def call(evaluation: Evaluation) -> str:
    """Return the command line, or the call that gives this evaluation of one's own arrays."""
    if evaluation.call:
        return evaluation.call
    sample = evaluation.sample
    given = {"weight": sample.weighted, "group": bool(evaluation.groups), "cluster": sample.clusters is not None}
    models = ", ".join(f"{name!r}: ..." for name in map(words.name, evaluation.tables))
    options = [f"{name}={name}" for name, is_given in given.items() if is_given]
    options += [f"level={evaluation.level:g}"] if evaluation.level != 0.95 else []
    options += [f"folds={evaluation.folds}"] if evaluation.folds is not None else []
    if (done := evaluation.validation) is not None:
        options += [f"folds={done.folds}", f"repeats={done.repeats}"]
        return f"validate({', '.join([f'{{{models}}}', 'X', 'y', repr(evaluation.decision), *options])})"
    options += ["repeat=repeat"] if sample.repeats > 1 else []
    return f"evaluate({', '.join(['y', f'{{{models}}}', repr(evaluation.decision), *options])})"


_CHANCES = (
    "They allow for chances of still being followed that were estimated from the same cases.",
    "They take the chances of still being followed as known.",
)


def intervals(evaluation: Evaluation) -> str:
    """Describe how intervals were computed."""
    methods = sorted({one.regret.method for one in evaluation.ranking if not one.reference})
    sample = evaluation.sample
    by = "clusters" if sample.clusters is not None else "cases"
    level = words.percent(evaluation.level)
    sentences = [f"{level} intervals, with {by} taken as independent."]
    if sample.repeats > 1:
        sentences.append(f"Estimates and ends are computed in each of {sample.repeats:,} repeats, and averaged.")
    if "analytic" in methods:
        sentences.append(
            "By formula: of each kind of mistake half a case more than was seen is allowed for, at the largest loss it "
            "could have; the kinds are added in quadrature [8]."
        )
    if set(methods) - {"analytic"}:
        resampled = ", ".join(method for method in methods if method != "analytic")
        sentences.append(f"Resampled ({resampled}), with thresholds chosen anew each time.")
    if (found := sample.follow_up) is not None and found.unknown:
        sentences.append(_CHANCES[found.censoring == "given"])
    if sample.has_cases:
        sentences.append("Differences are paired: all models on the same cases.")
        sentences.append("P(best) assumes that the models are alike until the data say otherwise.")
    else:
        sentences.append(
            "There are only tables, no cases: each unit of weight counts as one case, and differences have no interval."
        )
    return " ".join(sentences)


def bound(errors: Bound, evaluation: Evaluation, *, pooled: bool) -> str:
    """Describe the tables in the page, and how far they are from the sample."""
    if not pooled:
        return (
            f"The page holds, for each model, every distinct score with {_every(evaluation)}, as requested. "
            "Scores that only one case has are rows of people in all but name."
        )
    follows = "pictures" if in_money(evaluation.decision.costs) else FOLLOWING
    cases = CASES[evaluation.sample.weighted]
    cases += ", their outcomes known or not," if left_before(evaluation) else ""
    unit, text = evaluation.unit, POOLED.format(cases=cases, follows=follows)
    if errors.regret == 0:
        return f"{text}{UNPOOLED}"
    stated, largest = precise(errors.stated * unit.per * unit.factor), precise(errors.regret * unit.curve_scale)
    return text + CHANGED.format(stated=stated, unit=unit.named, largest=largest)


FOLLOWING = "pictures, and whatever follows a control,"
CASES = (f"{LEAST_CASES} cases", f"as much weight as {LEAST_CASES} average cases")  # where none has a weight, and else
POOLED = (
    "The page holds counts by score, never rows of people: neighbouring scores are pooled until each row stands "
    f"for at least {{cases}} and there are at most {MOST_ROWS:,} rows. Numbers as stated are exact; {{follows}} "
    "use the pooled scores. "
)
UNPOOLED = "No score had to be pooled, so they are exact too."
CHANGED = (
    "That changes the ranked number of no model by more than {stated} {unit} at the decision as stated, and no "
    "expected cost by cost proportion by more than {largest}. At another prevalence that bound grows with the odds; "
    "under a minimum precision, whole rows become feasible or not."
)


def _every(evaluation: Evaluation) -> str:
    """Say what a page that is fine holds of each score."""
    if left_before(evaluation):
        weights = "the weights of its positives and of its negatives"
        return f"{weights} and its number of cases" if counts_everyone(evaluation) else weights
    return "its number of positives and of negatives"


def precise(shown: float) -> str:
    """Write a small number, rounded up so that the bound holds."""
    digits = 1 if shown >= 1 else 2
    step = 10.0**-digits
    up = -(-shown // step) * step
    return f"{up:.{digits}f}"


def usual(evaluation: Evaluation, models: Sequence[ShownModel]) -> list[dict[str, str]]:
    """Write the usual measures of each model."""
    standings = {one.model: one for one in evaluation.ranking}
    return [
        {
            "name": model.name,
            "css": model.css,
            "brier": _three(standings[model.key].brier_score),
            "log_loss": _three(standings[model.key].log_loss),
            "auc": _three(standings[model.key].auc),
            "voros": _three(standings[model.key].partial_voros),
        }
        for model in models
    ]


def _three(number: float | None) -> str:
    if number is None or number != number:
        return words.NOT_KNOWN
    return "\u221e" if number == float("inf") else f"{number:.3f}"


def facts(evaluation: Evaluation) -> Iterable[tuple[str, str]]:
    """Describe the sample."""
    sample = evaluation.sample
    yield "Cases", f"{sample.cases:,}" + (f" (weight {words.count(sample.weight)})" if sample.weighted else "")
    positive = words.count(sample.positives)
    if sample.weighted and sample.positive_cases is not None:
        positive = f"{sample.positive_cases:,}, weight {positive}"
    if (found := sample.follow_up) is not None:
        yield "With the event", f"{found.positive:,} seen, a risk of {words.percent(found.risk)}"
    else:
        yield "Positive", f"{positive} ({words.percent(sample.prevalence)})"
    yield "Models", str(len(evaluation.tables))
    if sample.clusters is not None:
        yield "Clusters", f"{sample.clusters:,}"
    if evaluation.groups:
        yield "Groups", str(len(evaluation.groups))
    if dropped := sum(sample.dropped.values()):
        yield "Dropped", f"{dropped:,}"
    if sample.reading_notes:
        yield "File", " ".join(sample.reading_notes)

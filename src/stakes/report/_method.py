"""Texts of the page on the sample and the methods."""

from __future__ import annotations

import platform
from collections.abc import Iterable, Sequence
from importlib.metadata import version

from stakes import _wording as words
from stakes._language import number as write
from stakes._language import say
from stakes.beliefs import in_money
from stakes.evaluation import Evaluation
from stakes.report._followed_view import counts_everyone, left_before
from stakes.report._models import ShownModel
from stakes.report._pooling import LEAST_CASES, MOST_ROWS, Bound


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


_HALF_CASES = (
    "By formula: of each kind of mistake half a case more than was seen is allowed for, at the largest loss it could "
    "have; the kinds are added in quadrature [8]."
)
_PAIRED = (
    "Differences are paired: all models on the same cases.",
    "P(best) assumes that the models are alike until the data say otherwise.",
)
_TABLES_ALONE = (
    "There are only tables, no cases: each unit of weight counts as one case, and differences have no interval."
)
_TABLES_OF_FOLLOWED = "There are only tables, no cases: they do not hold who left when, so there are no intervals."


def intervals(evaluation: Evaluation) -> str:
    """Describe how intervals were computed."""
    methods = sorted({one.regret.method for one in evaluation.ranking if not one.reference})
    sample = evaluation.sample
    if not sample.has_cases and any(table.heads is not None for table in evaluation.tables.values()):
        return say(_TABLES_OF_FOLLOWED)
    by = "clusters" if sample.clusters is not None else "cases"
    said = [say(f"{{level}} intervals, with {by} taken as independent.", level=words.percent(evaluation.level))]
    if sample.repeats > 1:
        text = "Estimates and ends are computed in each of {repeats:,} repeats, and averaged."
        said.append(say(text, repeats=sample.repeats))
    if "analytic" in methods:
        said.append(say(_HALF_CASES))
    if set(methods) - {"analytic"}:
        resampled = ", ".join(method for method in methods if method != "analytic")
        said.append(say("Resampled ({resampled}), with thresholds chosen anew each time.", resampled=resampled))
    if (found := sample.follow_up) is not None and found.unknown:
        said.append(say(_CHANCES[found.censoring == "given"]))
    said += map(say, _PAIRED if sample.has_cases else (_TABLES_ALONE,))
    return " ".join(said)


def bound(errors: Bound, evaluation: Evaluation, *, pooled: bool) -> str:
    """Describe the tables in the page, and how far they are from the sample."""
    if not pooled:
        return say(_FINE, every=_every(evaluation))
    follows = say("pictures" if in_money(evaluation.decision.costs) else FOLLOWING)
    cases = say(CASES[evaluation.sample.weighted])
    cases += say(", their outcomes known or not,") if left_before(evaluation) else ""
    unit, text = evaluation.unit, say(POOLED, cases=cases, follows=follows)
    if errors.regret == 0:
        return text + say(UNPOOLED)
    stated, largest = precise(errors.stated * unit.per * unit.factor), precise(errors.regret * unit.curve_scale)
    return text + say(CHANGED, stated=stated, unit=unit.named, largest=largest)


_FINE = (
    "The page holds, for each model, every distinct score with {every}, as requested. Scores that only one case has "
    "are rows of people in all but name."
)
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
        weights = say("the weights of its positives and of its negatives")
        return say("{weights} and its number of cases", weights=weights) if counts_everyone(evaluation) else weights
    return say("its number of positives and of negatives")


def precise(shown: float) -> str:
    """Write a small number, rounded up so that the bound holds."""
    digits = 1 if shown >= 1 else 2
    step = 10.0**-digits
    up = -(-shown // step) * step
    return write(up, f".{digits}f")


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
    return "\u221e" if number == float("inf") else write(number, ".3f")


def facts(evaluation: Evaluation) -> Iterable[tuple[str, str]]:
    """Describe the sample."""
    sample = evaluation.sample
    yield (
        say("Cases"),
        write(sample.cases, ",")
        + (say(" (weight {weight})", weight=words.count(sample.weight)) if sample.weighted else ""),
    )
    positive = words.count(sample.positives)
    if sample.weighted and sample.positive_cases is not None:
        positive = say("{positive_cases:,}, weight {positive}", positive_cases=sample.positive_cases, positive=positive)
    if (found := sample.follow_up) is not None:
        yield (
            say("With the event"),
            say("{positive:,} seen, a risk of {risk}", positive=found.positive, risk=words.percent(found.risk)),
        )
    else:
        yield say("Positive"), f"{positive} ({words.percent(sample.prevalence)})"
    yield say("Models"), str(len(evaluation.tables))
    if sample.clusters is not None:
        yield say("Clusters"), write(sample.clusters, ",")
    if evaluation.groups:
        yield say("Groups"), str(len(evaluation.groups))
    if dropped := sum(sample.dropped.values()):
        yield say("Dropped"), write(dropped, ",")
    if sample.reading_notes:
        yield say("File"), " ".join(sample.reading_notes)

"""Which model is best, by how much, and how sure that is; and which are not worth using."""

from __future__ import annotations

import math
from collections.abc import Iterator

from stakes.decision import _words
from stakes.decision._evaluation import Evaluation, Finding, Standing
from stakes.decision._findings._sentence import finding, models, said, visible, where


def best(evaluation: Evaluation) -> Iterator[Finding]:
    """Say who costs least, against whom, and whether they can be told apart."""
    first, *others = evaluation.ranking
    if first.reference:
        second = models(evaluation)[0]
        kind = "best-reference"
    else:
        second, kind = others[0], _how_sure(first, others[0])
    numbers = {"regret": first.regret.estimate, "second_regret": second.regret.estimate}
    values = {
        "best": said(first),
        "second": said(second),
        "where": where(evaluation),
        "regret": _words.per_thousand(first.regret.estimate),
        "second_regret": _words.per_thousand(second.regret.estimate),
    }
    if second.difference is not None:
        ends = {"lower": second.difference.lower, "upper": second.difference.upper}
        numbers |= {**ends, "probability_best": first.probability_best}
        values |= {"level": _words.percent(evaluation.level)}
        values |= {name: _words.per_thousand(end) for name, end in ends.items()}
    yield finding(kind, "ranking", numbers, **values)
    if not evaluation.sample.has_cases and len(evaluation.tables) > 1:
        yield finding("unpaired", "ranking", {})


def _how_sure(first: Standing, second: Standing) -> str:
    if math.isclose(first.regret.estimate, second.regret.estimate, rel_tol=1e-11):
        return "best-tied"
    if second.difference is None:
        return "best-unsure"
    return "best" if second.difference.lower > 0 else "best-close"


def worthless(evaluation: Evaluation) -> Iterator[Finding]:
    """Name the models that cost more than a way to decide that needs none."""
    free = [standing for standing in evaluation.ranking if standing.reference]
    if not free or evaluation.best.reference:
        return
    for standing in models(evaluation):
        if visible(extra := standing.regret.estimate - free[0].regret.estimate) and extra > 0:
            numbers = {"regret": standing.regret.estimate, "reference_regret": free[0].regret.estimate}
            yield finding(
                "worthless",
                "ranking",
                numbers,
                model=said(standing),
                reference=said(free[0]),
                where=where(evaluation),
                **{name: _words.per_thousand(number) for name, number in numbers.items()},
            )

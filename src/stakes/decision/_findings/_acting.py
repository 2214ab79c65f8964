"""Models that never act, or always, over the stated costs: they decide nothing."""

from __future__ import annotations

from collections.abc import Iterator

from stakes.decision import _words
from stakes.decision._evaluation import Evaluation, Finding, Standing
from stakes.decision._findings._sentence import finding, models, references, said, where
from stakes.decision._measure import there

_NEARLY_ALL = 0.95  # of the cases, at every cost
_HARDLY_ANY = 0.1  # of as many cases as are positive, at every cost


def acting(evaluation: Evaluation) -> Iterator[Finding]:
    """Say which models act on no one, on everyone, or nearly so."""
    if evaluation.decision.limits is not None:
        return
    for standing in models(evaluation):
        table = there(evaluation.tables[standing.model], evaluation.decision)
        (low, high), acts = evaluation.decision.cost_range, standing.acts
        if table.highest < low:
            yield _simple("never-acts", evaluation, standing, {"highest": table.highest})
        elif table.lowest >= high:
            yield _simple("always-acts", evaluation, standing, {"lowest": table.lowest})
        elif acts.low < _HARDLY_ANY * table.prevalence:
            yield from _nearly("hardly-acts", evaluation, standing, acts.low, "acting on no one")
        elif acts.high >= _NEARLY_ALL:
            yield from _nearly("nearly-always-acts", evaluation, standing, acts.high, "acting on everyone")


def _simple(kind: str, evaluation: Evaluation, standing: Standing, numbers: dict[str, float]) -> Finding:
    written = {name: _words.percent(number) for name, number in numbers.items()}
    return finding(kind, "cost", numbers, model=said(standing), where=where(evaluation), **written)


def _nearly(kind: str, evaluation: Evaluation, standing: Standing, share: float, reference: str) -> Iterator[Finding]:
    same = references(evaluation)[reference].regret.estimate
    yield finding(
        kind,
        "cost",
        {"share": share, "regret": standing.regret.estimate, "reference_regret": same},
        model=said(standing),
        where=where(evaluation),
        share=_words.percent(share),
        regret=_words.per_thousand(standing.regret.estimate),
        reference_regret=_words.per_thousand(same),
    )

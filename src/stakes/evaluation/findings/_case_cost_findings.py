"""Findings about costs of cases."""

from __future__ import annotations

from collections.abc import Iterator

from stakes._language import number
from stakes.evaluation._results import Finding, Results
from stakes.evaluation.findings._sentences import filled_in

CASE_COST_TEMPLATES = {
    "costs-swapped": "In {swapped} of {cases} cases acting costs on positives and pays on negatives: check "
    "their costs.",
}


def swapped_costs(results: Results) -> Iterator[Finding]:
    """Count cases for which acting pays on negatives only."""
    heads = next(iter(results.tables.values())).heads
    if heads is not None and heads.swapped:
        template = CASE_COST_TEMPLATES["costs-swapped"]
        values = {"swapped": number(heads.swapped, ",.6g"), "cases": number(heads.total, ",.6g")}
        numbers = {"swapped": heads.swapped, "cases": heads.total}
        yield filled_in("costs-swapped", template, "ranking", numbers, values)

"""Table of the share of cases that gets each of several actions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stakes import _wording

if TYPE_CHECKING:
    from stakes.evaluation._action_use import ActionUse
    from stakes.evaluation._evaluation import Evaluation


def action_rows(use: ActionUse) -> list[tuple[str, ...]]:
    """Write the share of cases that gets each action, and from which probability on."""
    rows: list[tuple[str, ...]] = [("share of cases", *map(_wording.name, use.thresholds))]
    for model, shares in use.shares.items():
        rows.append((_wording.name(model), *(_wording.whole_percent(share) for share in shares.values())))
    rows.append(("from a probability of", *(_wording.percent(start) for start in use.thresholds.values())))
    return rows


def action_note(evaluation: Evaluation) -> str:
    """State the cost that no model changes."""
    use = evaluation.actions
    if use is None or use.floor == 0:
        return ""
    return f"The best action for each case costs {evaluation.unit.cost(use.floor)}, which no model changes."

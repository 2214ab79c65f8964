"""Use and value of several actions: how many cases each gets, and what it saves."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from stakes import _wording
from stakes._arrays import FloatArray
from stakes._language import say
from stakes._words import said
from stakes.beliefs import Actions
from stakes.evaluation._decision import Decision
from stakes.evaluation._ranked import at_deployment, unlimited
from stakes.measures import expected_regret
from stakes.table import ScoreTable
from stakes.uncertainty import Interval, Study, error_of_sum, single_deviate

if TYPE_CHECKING:
    from stakes.evaluation._evaluation import Evaluation
    from stakes.evaluation._results import Results


ONE_ACTION = "one action for all"  # the reference where that is neither the mildest nor the most active


@dataclass(frozen=True, slots=True)
class ActionUse:
    """Use and value of several actions.

    Attributes
    ----------
    thresholds : mapping of str to float
        Probability from which each action is taken, mildest first, by the mean costs; 0 for the mildest.
    dropped : tuple of str
        Actions that are the cheapest at no probability.
    shares : mapping of str to mapping
        For each model, the share of cases that gets each action.
    model : str
        The best model, to which the values belong.
    values : mapping of str to Interval
        How much more a case would cost with this model if there were no such action; the interval is ``nan`` where
        the cases are not at hand, or at another prevalence than the sample's.
    alone : mapping of str to float
        Cost of a case above the floor if all cases got the same action.
    floor : float
        Cost of a case that no model changes, which comes on top of every regret.

    Examples
    --------
    >>> from stakes import evaluate
    >>> from stakes.beliefs import Actions
    >>> triage = Actions({"discharge": (0, 20), "observe": (1, 6), "admit": (4, 1)})
    >>> use = evaluate([0, 0, 1, 1], {"model": [0.05, 0.2, 0.3, 0.9]}, triage).actions
    >>> dict(use.shares["model"]), use.floor
    ({'discharge': 0.25, 'observe': 0.5, 'admit': 0.25}, 0.5)
    >>> use.values["observe"].estimate  # the negative would be admitted for 3 more, the positive for 5 less
    -0.5
    """

    thresholds: Mapping[str, float]
    dropped: tuple[str, ...]
    shares: Mapping[str, Mapping[str, float]]
    model: str
    values: Mapping[str, Interval]
    alone: Mapping[str, float]
    floor: float

    @property
    def best_alone(self) -> str:
        """The action that costs least if all cases get the same one."""
        return min(self.alone, key=lambda action: self.alone[action])


@dataclass(frozen=True, slots=True, eq=False)
class CostDifference:
    """Cost of each score under some actions, less that under others, with what no model changes."""

    without: Actions
    all: Actions

    def loss_if_positive(self, score: npt.ArrayLike) -> FloatArray:
        """Cost of a positive with this score."""
        change = self.without.floor[1] - self.all.floor[1]
        return self.without.loss_if_positive(score) - self.all.loss_if_positive(score) + change

    def loss_if_negative(self, score: npt.ArrayLike) -> FloatArray:
        """Cost of a negative with this score."""
        change = self.without.floor[0] - self.all.floor[0]
        return self.without.loss_if_negative(score) - self.all.loss_if_negative(score) + change


def action_use(results: Results) -> ActionUse | None:
    """Return use and value of the actions of a decision; None where it is between acting and not acting."""
    actions, decision = results.decision.costs, results.decision
    if not isinstance(actions, Actions):
        return None
    names = [one.model for one in results.ranking if not one.reference]
    tables = {name: at_deployment(results.tables[name], decision) for name in names}
    starts = (0.0, *actions.thresholds)
    return ActionUse(
        thresholds=dict(zip(actions.kept, starts, strict=True)),
        dropped=actions.dropped,
        shares={name: _shares(actions, table) for name, table in tables.items()},
        model=names[0],
        values={name: _value(results, names[0], actions, name) for name in actions.kept if len(actions.kept) > 2},
        alone=dict(zip(actions.kept, _alone(actions, tables[names[0]]), strict=True)),
        floor=mean_floor(actions, tables[names[0]].prevalence),
    )


def mean_floor(actions: Actions, prevalence: float) -> float:
    """Return the mean of the floor at a prevalence."""
    if_negative, if_positive = actions.floor
    return (1 - prevalence) * if_negative + prevalence * if_positive


def _shares(actions: Actions, table: ScoreTable) -> dict[str, float]:
    """Return the share of cases that gets each action: of everyone, their outcome known or not."""
    heads = table.heads
    score, cases = (table.score, table.positive + table.negative) if heads is None else (heads.score, heads.everyone)
    counts = np.bincount(np.searchsorted(actions.thresholds, score, side="right"), cases, len(actions.kept))
    return dict(zip(actions.kept, (counts / counts.sum()).tolist(), strict=True))


def _alone(actions: Actions, table: ScoreTable) -> Sequence[float]:
    """Return what a case costs above the floor if all get the same action."""
    costs = np.array([actions.weighed_costs[name] for name in actions.kept]) - actions.floor
    return [float((1 - table.prevalence) * negative + table.prevalence * positive) for negative, positive in costs]


def _value(results: Results, model: str, actions: Actions, name: str) -> Interval:
    """Return how much more a model would cost without an action, with an interval where cases are at hand."""
    without = actions.without(name)
    if results.decision.prevalence is not None:
        return Interval(_difference(results, model, without), math.nan, math.nan, "none")
    extra = partial(expected_regret, costs=CostDifference(without, actions))
    estimate = float(extra(results.tables[model]))
    if not results.samples:
        return Interval(estimate, math.nan, math.nan, "none")
    errors = [
        error_of_sum(Study(cases, {model: extra}, better="smaller").influence(model)) for cases in results.samples
    ]
    reach = single_deviate(results.level) * sum(errors) / len(errors)
    return Interval(estimate, estimate - reach, estimate + reach, "analytic")


def _difference(results: Results, model: str, without: Actions) -> float:
    """Return how much more a model would cost at the stated prevalence."""
    decision, table = results.decision, results.tables[model]
    assert isinstance(decision.costs, Actions)
    share = at_deployment(table, decision).prevalence
    less = Decision(without, prevalence=decision.prevalence) if len(without.kept) > 1 else None
    reduced = 0.0 if less is None else float(unlimited(less)(table))
    change = mean_floor(without, share) - mean_floor(decision.costs, share)
    return reduced - float(unlimited(decision)(table)) + change


# ------------------------------------------------------------------------------------------- as text


def action_rows(use: ActionUse) -> list[tuple[str, ...]]:
    """Write the share of cases that gets each action, and from which probability on."""
    rows: list[tuple[str, ...]] = [(say("share of cases"), *map(_wording.name, use.thresholds))]
    for model, shares in use.shares.items():
        rows.append((_wording.name(model), *(_wording.whole_percent(share) for share in shares.values())))
    rows.append((say("from a probability of"), *(_wording.threshold(start) for start in use.thresholds.values())))
    return rows


def action_note(evaluation: Evaluation) -> str:
    """State what the references do, and the cost that no model changes."""
    use = evaluation.actions
    if use is None:
        return ""
    mildest, *_, most_active = map(_wording.name, use.thresholds)
    none, everyone = (said(evaluation.decision.words, say(name)) for name in ("act on no one", "act on everyone"))
    ends = {"none": none, "mildest": mildest, "everyone": everyone, "most_active": most_active}
    text = "To {none} is to give every case \u2018{mildest}\u2019; to {everyone}, \u2018{most_active}\u2019."
    note = say(text, **ends)
    if any(one.reference and one.model.startswith(ONE_ACTION) for one in evaluation.ranking):
        note += " " + say("The best action for all is \u2018{action}\u2019.", action=_wording.name(use.best_alone))
    if use.floor == 0:
        return note
    text = "The best action for each case costs {floor}, which no model changes."
    return f"{note} {say(text, floor=evaluation.unit.cost(use.floor))}"

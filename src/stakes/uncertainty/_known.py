"""What is known about our own functions of a table: the pointwise values they are made of, and which way is better."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeAlias

import numpy as np

from stakes._arrays import BoolArray, FloatArray
from stakes._errors import InputTypeError
from stakes.beliefs import (
    At,
    BeliefLike,
    CostBelief,
    LogOddsMeasure,
    RangeLike,
    Uniform,
    as_belief,
    as_cost,
    as_costs,
    as_number,
)
from stakes.measures import (
    accuracy,
    auc,
    brier_score,
    cost_ends,
    expected_regret,
    h_measure,
    log_loss,
    net_benefit,
    skill_score,
    weighted_accuracy,
)
from stakes.table import ScoreTable
from stakes.uncertainty._shifted import SHIFTED, Pair, Shifted

MeasureLike: TypeAlias = Callable[..., Any]


Statistic = MeasureLike


@dataclass(frozen=True)
class Means:
    """A smooth function of the means of pointwise values.

    `values` gives, for some scores, one pair of arrays for each mean; `combine` makes the statistic of the means (the
    last axis), `gradient` its derivative there. Where there is a `cut`, all that counts is on which side of it a score
    is.
    """

    values: Callable[[FloatArray], list[Pair]]
    combine: Callable[[FloatArray], FloatArray]
    gradient: Callable[[FloatArray], FloatArray]
    cut: float | None = None

    @property
    def one_cut(self) -> bool:
        """Whether all that counts is on which side of one cut a score is."""
        return self.cut is not None

    def acts(self, table: ScoreTable) -> BoolArray:
        """Return whether each row of a table is acted on; ask only where there is one cut."""
        assert self.cut is not None
        return table.score >= self.cut

    def jumps(self, share: float) -> FloatArray:
        """Return what it is to act on a positive and on a negative instead of not; `share` is the prevalence."""
        values = np.array(self.values(np.array([0.0, 1.0])))
        return np.asarray(self.gradient(np.array([0.0, share])[: len(values)]) @ np.diff(values)[..., 0])


class Area:
    """The area under the ROC curve, which is a mean over pairs of cases."""


Known = Means | Area | Shifted


def _only(values: Callable[[FloatArray], Pair], scale: float = 1.0, cut: float | None = None) -> Means:
    """Make the mean itself the statistic."""
    return Means(
        lambda score: [values(score)],
        lambda means: scale * means[..., 0],
        lambda means: np.full(means.shape, scale),
        cut,
    )


def _point(costs: object) -> float | None:
    """Return the cost where only one is possible; it is the cut as well."""
    return costs.value if isinstance(costs, At) else None


def _losses(costs: CostBelief) -> Callable[[FloatArray], Pair]:
    return lambda score: (costs.loss_if_positive(score), costs.loss_if_negative(score))


def _regret(costs: BeliefLike) -> Means:
    believed = as_costs("costs", costs)
    return _only(_losses(believed), cut=_point(believed))


def _brier(cost_range: RangeLike) -> Means:
    low, high = cost_ends(cost_range)
    return _only(_losses(Uniform(low, high)), 2 * (high - low))


def _log_loss(cost_range: RangeLike) -> Means:
    return _only(_losses(LogOddsMeasure(*cost_ends(cost_range))))


def _net_benefit(costs: BeliefLike) -> Means:
    """Take the prevalence into the mean: a positive brings 1 less its loss."""
    believed = as_belief("costs", costs)  # offers more than a CostBelief must, as `net_benefit` has judged

    def benefit(score: FloatArray) -> Pair:
        missed, paid = believed.share_above(score), believed.odds_up_to(score)
        return 1 - np.asarray(missed, dtype=np.float64), -np.asarray(paid, dtype=np.float64)

    return _only(benefit, cut=_point(believed))


def _accuracy(cut: float | str) -> Means:
    least = as_number("cut", cut)
    return _only(lambda score: ((score >= least).astype(np.float64), (score < least).astype(np.float64)), cut=least)


def _label(score: FloatArray) -> Pair:
    return np.ones(len(score)), np.zeros(len(score))


def _saved(costs: CostBelief, worst: Callable[[FloatArray], FloatArray], slope: Callable[[FloatArray], Any]) -> Means:
    """One minus the mean regret over a function of the prevalence, `worst`, with derivative `slope`."""
    losses = _losses(costs)

    def combine(means: FloatArray) -> FloatArray:
        with np.errstate(divide="ignore", invalid="ignore"):
            saved: FloatArray = 1 - means[..., 0] / worst(means[..., 1])
        return saved

    def gradient(means: FloatArray) -> FloatArray:
        regret, prevalence = means
        most = worst(prevalence)
        return np.array([-1 / most, regret * slope(prevalence) / most**2])

    return Means(lambda score: [losses(score), _label(score)], combine, gradient, _point(costs))


def _skill(costs: BeliefLike) -> Means:
    """Compare with the constant score: it is the best constant, so that it moves with the prevalence does not count."""
    believed = as_costs("costs", costs)

    def constant(prevalence: FloatArray) -> FloatArray:
        missed, alarmed = believed.loss_if_positive(prevalence), believed.loss_if_negative(prevalence)
        lost = prevalence * missed + (1 - prevalence) * alarmed
        return np.where((prevalence > 0) & (prevalence < 1), lost, np.nan)

    return _saved(believed, constant, lambda share: believed.loss_if_positive(share) - believed.loss_if_negative(share))


def _weighted_accuracy(cost: float | str) -> Means:
    c = as_cost("cost", cost)
    return _saved(At(c), lambda share: (1 - c) * share + c * (1 - share), lambda share: 1 - 2 * c)


_MAKERS: dict[Callable[..., float], Callable[..., Known]] = {
    **SHIFTED,
    expected_regret: _regret,
    brier_score: _brier,
    log_loss: _log_loss,
    net_benefit: _net_benefit,
    accuracy: _accuracy,
    weighted_accuracy: _weighted_accuracy,
    skill_score: _skill,
    auc: Area,
}


_SMALLER = {"expected_regret", "brier_score", "log_loss", "shifted_regret"}


_LARGER = {
    *("net_benefit", "accuracy", "weighted_accuracy", "skill_score", "h_measure", "auc", "partial_auc"),
    *("shifted_accuracy", "shifted_net_benefit", "shifted_weighted_accuracy", "prior_adjusted_net_benefit"),
    *("dca_log_score", "voros", "partial_voros", "max_feasible_recall", "feasible_partial_auc"),
}


def split(statistic: Statistic) -> tuple[Any, tuple[Any, ...], dict[str, Any]]:
    """Return a function, and what a `functools.partial` gives it by place and by name."""
    if isinstance(statistic, partial):
        return statistic.func, statistic.args, dict(statistic.keywords)
    return statistic, (), {}


def takes(statistic: Callable[..., Any]) -> int:
    """Return how many arguments a function must be given by place; 1 where it does not say."""
    try:
        parameters = inspect.signature(statistic).parameters.values()
    except (TypeError, ValueError):
        return 1
    by_place = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return sum(one.kind in by_place and one.default is inspect.Parameter.empty for one in parameters)


def takes_several(statistic: Callable[..., Any]) -> bool:
    """Whether a function is one of several tables; what our own functions need beside a table is no table."""
    return takes(statistic) > 1 and getattr(split(statistic)[0], "__name__", "") not in _SMALLER | _LARGER


def is_ours(thing: object) -> bool:
    """Whether a function, or a class, is one of this package."""
    return getattr(thing, "__module__", "").partition(".")[0] == "stakes"


def recognise(statistic: Statistic) -> Known | None:
    """Return what is known about one of our own functions, or a `functools.partial` of it; none for any other."""
    function, given, named = split(statistic)
    if given or not inspect.isfunction(function) or function not in _MAKERS:
        return None
    try:
        bound = inspect.signature(function).bind(None, **named)
    except TypeError as error:
        raise InputTypeError(
            "statistic",
            f"have all that {function.__name__} needs beside a table, by `functools.partial`",
            hint=f"{error}",
        ) from None
    bound.apply_defaults()
    return _MAKERS[function](**{name: value for name, value in bound.arguments.items() if name != "table"})


def without_formula(statistic: Statistic) -> str:
    """Return the resampled interval that covers best where there is no formula.

    Recalibration in every replicate adds to the bias that it has in the sample: `basic` takes that off.
    """
    return "basic" if split(statistic)[0] is h_measure else "bca"


def is_smaller_better(statistic: Statistic, said: bool | None) -> bool:
    """Return which way is better: what was said, or what is known of our own functions."""
    if said is not None:
        return bool(said)
    function = split(statistic)[0]
    name = getattr(function, "__name__", "")
    if not is_ours(function) or name not in _SMALLER | _LARGER:
        raise InputTypeError("smaller_is_better", "be True or False for a statistic that is not one of ours", "none")
    return name in _SMALLER

"""Calls as README and docs write them: never run, but `mypy --strict` must accept every one of them."""

from __future__ import annotations

from functools import partial

import numpy as np
import numpy.typing as npt
import pandas as pd

import stakes
from stakes import (
    At,
    Beta,
    Cases,
    Decision,
    Evaluation,
    Limits,
    LogOddsUniform,
    Policy,
    ScoreTable,
    Uniform,
    bounds,
    metrics,
    plot,
    tensors,
)
from stakes.beliefs import (
    Atoms,
    Belief,
    CostBelief,
    CostRatio,
    FractionalCost,
    IndependentCosts,
    InverseCostRatio,
    Mixture,
    ShiftedUniform,
)
from stakes.datasets import load_cohort
from stakes.large import Bins
from stakes.typing import BeliefLike, DecisionLike, LimitsLike, MeasureLike, RangeLike, Seed
from stakes.uncertainty import Interval


class Half:
    """A belief of one's own, as costs: a false alarm costs half of everything."""

    def loss_if_positive(self, score: npt.ArrayLike) -> npt.NDArray[np.float64]:
        return np.where(np.asarray(score) < 0.5, 0.5, 0.0)

    def loss_if_negative(self, score: npt.ArrayLike) -> npt.NDArray[np.float64]:
        return np.where(np.asarray(score) >= 0.5, 0.5, 0.0)


class Triangle:
    """A belief of one's own, as a prevalence: from 0 to 1, most in the middle."""

    mean = 0.5
    support = (0.0, 1.0)

    def density(self, x: npt.ArrayLike) -> npt.NDArray[np.float64]:
        return 2 - np.abs(4 * np.asarray(x, dtype=np.float64) - 2)

    def sample(self, n: int, rng: np.random.Generator | int | None = None) -> npt.NDArray[np.float64]:
        return np.random.default_rng(rng).triangular(0, 0.5, 1, n)


cohort = load_cohort()
y, risk = cohort["cancer"], cohort["cancerpredmarker"]
models = {"prediction model": risk, "family history": cohort["famhistory"]}
model = stakes.score_table(y=y, score=risk)
history = stakes.score_table([0, 1, 0], [0.1, 0.4, 0.2], [1.0, 2.0, 1.0], pos_label=1)
tables = {"model": model, "history": history}
cases = Cases(y, models)
limits = Limits(capacity="10%", min_precision=0.5)
beliefs: list[BeliefLike] = [
    *(0.1, "10%", "1:9", "5%..20%", "logodds 0.1%..2%", "beta(2, 8)", np.float64(0.1)),
    *(At(0.1), Uniform(0.05, 0.2), LogOddsUniform(0.01, 0.1), Beta(2, 8), ShiftedUniform(0.1)),
    Atoms([0.1, 0.5], [3, 1]),
    Mixture([Uniform(0.0, 0.2), "20%..60%", 0.5], [2, 1, 1]),
    IndependentCosts(false_negative=(20, 40), false_positive=(1, 3)),
    Half(),
    Triangle(),
]


def beliefs_and_limits() -> None:
    one: Belief = Uniform(0.05, 0.2)
    sure: Belief = At(0.1)
    costs: CostBelief = stakes.parse_belief("5%..20%")
    print(one.mean, sure.support, costs.loss_if_positive([0.1, 0.2]))
    Limits(capacity="30/200")
    Limits.from_count(30, 200, min_precision="25%")
    stakes.curves.density_curve("5%..20%")


def numbers_of_a_table(costs: BeliefLike, ends: RangeLike) -> list[float]:
    top = stakes.top_k(model, k=100, cost="1:9")
    areas = stakes.measures.bounded_auc(model, score_range="5%..20%")
    return [
        stakes.expected_regret(model, costs),
        stakes.expected_regret(model, "5%..20%"),
        stakes.net_benefit(model, 0.1),
        stakes.net_benefit(model, "10%"),
        stakes.skill_score(model, "5%..20%"),
        stakes.decompose(model, Uniform(0.05, 0.2)).miscalibration,
        stakes.h_measure(model),
        stakes.h_measure(model, Beta(2, 2)),
        stakes.brier_score(model),
        stakes.brier_score(model, cost_range=ends),
        stakes.log_loss(model, cost_range=(0.05, 0.2)),
        stakes.measures.partial_auc(model, fpr_range="0%..20%"),
        stakes.accuracy(model, threshold="10%"),
        stakes.measures.weighted_accuracy(model, cost="1:9"),
        *(top.precision, areas.concordant),
    ]


def another_prevalence(prevalence: BeliefLike) -> ScoreTable:
    stakes.prevalence.shifted_accuracy(model, prevalence)
    stakes.prevalence.shifted_regret(model, "5%..20%", LogOddsUniform(0.01, 0.1))
    stakes.prevalence.shifted_net_benefit(model, 0.1, "1%..5%")
    stakes.prevalence.dca_log_score(model, cost="1:30", prevalence_range="0.1%..2%")
    gap = stakes.explain_gap(model, history, "10%", measure=stakes.prevalence.shifted_net_benefit)
    assert gap.total
    stakes.prevalence.shifted_net_benefit_curve(model, cost=0.1).at([0.05, 0.2])
    stakes.prevalence.estimate_prevalence(risk, from_prevalence="14%")
    return stakes.at_prevalence(model, "2%")


def under_limits(stated: LimitsLike) -> Policy:
    stakes.limits.voros(model, FractionalCost(0.25, 0.75))
    stakes.limits.voros(model, FractionalCost.of("beta(2, 5)"))
    stakes.limits.partial_voros(model, CostRatio(1 / 9, 1 / 6), limits)
    stakes.limits.partial_voros(model, "5%..20%", Limits(capacity=0.1), randomised=True)
    stakes.limits.partial_voros_map(tables, InverseCostRatio(6, 9), min_precision=[0.5, "60%"], capacity=["10%"])
    policy = stakes.best_thresholds(model, "5%..20%", stated)
    stakes.policy.policy_cost(policy, history, "5%..20%", limits=limits)
    assert policy(0.1) == policy("10%")
    return stakes.policy.select(tables, 0.1, limits, by="voros").policy


def curves() -> bool:
    stakes.crossings(stakes.decision_curve(model), stakes.treat_none(model)).round(3).tolist()
    return stakes.curves.dominates(stakes.regret_curve(model), stakes.regret_curve(history), x_range="5%..20%")


def how_sure(rng: Seed) -> dict[str, Interval]:
    measure: MeasureLike = partial(stakes.net_benefit, costs="10%")
    stakes.interval(cases, lambda table: stakes.expected_regret(table, "5%..20%"), level="90%", rng=rng)
    stakes.interval(cases, lambda old, new: stakes.auc(old) - stakes.auc(new), n_resamples=500)
    stakes.compare(cases, "prediction model", "family history", measure, level=0.9)
    stakes.rank(cases, partial(stakes.skill_score, costs=0.1), rng=np.random.default_rng(1))
    stakes.band(cases, stakes.decision_curve, x=[0.1, 0.2], level="95%")
    stakes.uncertainty.difference_band(
        cases, "prediction model", "family history", x=[0.1, 0.2], level="95%"
    ).lower_everywhere.tolist()
    stakes.uncertainty.crossing_set(
        cases, "prediction model", "family history", cost_range="5%..20%"
    ).estimates.tolist()
    stakes.uncertainty.miscalibration(cases, "5%..20%", rng=1)
    stakes.uncertainty.calibration_band(cases, level="95%", method="spline", x=[0.1, 0.2])
    return stakes.interval(cases, stakes.brier_score)


def the_front_door(decision: DecisionLike) -> Evaluation:
    frame = pd.DataFrame(cohort)
    stakes.evaluate(y, models, "5%..20%")
    stakes.evaluate(y, models, 0.1, level="90%")
    stakes.evaluate(y, frame[["cancerpredmarker", "famhistory"]], Uniform(0.05, 0.2), folds=5, rng=1)
    stakes.evaluate(frame["cancer"], models, Decision("5%..20%", prevalence="2%", limits=limits))
    stakes.evaluate_tables(tables, "10%..50%", level=0.9)
    stakes.evaluate("cancer", ["cancerpredmarker"], "5%..20%", data=frame, level="90%")
    assert stakes.recommend("5%..20%").measure == stakes.recommend(Decision(0.1, prevalence=0.02)).measure
    return stakes.evaluate(y, models, decision)


def other_faces() -> None:
    quantised = stakes.large.quantise(y, risk, bins=Bins(64, edges=[0.3]))
    assert bounds.net_benefit(quantised, "10%").lower <= bounds.brier_score(quantised, cost_range="5%..20%").upper
    bounds.partial_auc(quantised, fpr_range=(0, 0.2))
    metrics.expected_regret(y, risk, costs="5%..20%", sample_weight=[1.0, 2.0])
    metrics.expected_regret([0, 1], [0.25, 0.5], costs=0.1)
    metrics.brier_score(pd.Series(y), pd.Series(risk), cost_range="5%..20%")
    metrics.partial_voros(y, risk, costs="5%..20%", limits=Limits(capacity="10%"))
    metrics.scorer("expected_regret", costs="5%..20%")
    tensors.torch_metric("expected_regret", costs="5%..25%")


def drawings() -> None:
    from matplotlib.figure import Figure

    plot.draw_decision_curves(Figure().subplots(), tables, costs="5%..20%")
    plot.draw_regret_curves(Figure().subplots(), {"model": model}, costs=0.1)
    plot.draw_feasible_region(Figure().subplots(), tables, limits, cost="10%")
    plot.DecisionCurveDisplay.from_predictions(y, risk, name="model")

"""Draw the gallery: the figures of the papers whose data can be simulated, and others that people publish.

Run ``python docs/gallery.py`` to write ``docs/gallery/*.svg``, ``docs/gallery.md`` and the figure of the
front page, ``docs/picture.svg``. A test runs it into another folder and compares the page.
"""

from __future__ import annotations

import ast
import re
import sys
import textwrap
from collections.abc import Callable
from functools import partial
from pathlib import Path

import matplotlib as mpl
import numpy as np
from matplotlib.figure import Figure

import stakes
from stakes import (
    At,
    Beta,
    CaseCosts,
    Cases,
    EventBy,
    Limits,
    LogOddsUniform,
    ScoreTable,
    Uniform,
    best_thresholds,
    decision_curve,
    decompose,
    expected_regret,
    explain_gap,
    from_odds,
    recalibrate,
    score_table,
)
from stakes.beliefs import Actions, FractionalCost, ShiftedUniform
from stakes.curves import comparable_decision_curve, follow_up_curve, score_histograms
from stakes.datasets import load_cohort
from stakes.limits import partial_voros_map
from stakes.plot import (
    PALETTE,
    CalibrationDisplay,
    draw_accuracy_curves,
    draw_actions,
    draw_beliefs,
    draw_best_map,
    draw_brier_curves,
    draw_calibration,
    draw_calibration_discrimination,
    draw_class_losses,
    draw_cost_lines,
    draw_curve,
    draw_decision_curves,
    draw_difference,
    draw_feasible_region,
    draw_follow_up,
    draw_gap,
    draw_group_differences,
    draw_horizons,
    draw_interventions_avoided,
    draw_isometrics,
    draw_lesser_areas,
    draw_own_thresholds,
    draw_policy,
    draw_precision_recall_curves,
    draw_regret_curves,
    draw_relative_utility,
    draw_rescaled_decision_curves,
    draw_roc_curves,
    draw_shifted_net_benefit,
    draw_sites,
    label_lines,
    use_odds_axis,
)
from stakes.sites import pool_sites
from stakes.uncertainty import calibration_band, compare_groups, crossing_set, horizon_curve

# ------------------------------------------------------------------------------------------- the samples


def toy() -> ScoreTable:
    """Nine cases of Millard and Flach, Fig. 2."""
    return score_table([0, 0, 0, 1, 0, 0, 1, 0, 1], [0.03, 0.05, 0.1, 0.2, 0.7, 0.7, 0.9, 0.9, 0.95])


def two_normals() -> ScoreTable:
    """10,000 cases of Millard and Flach, Fig. 1: scores around 0.4 and 0.6, one case in five positive."""
    rng = np.random.default_rng(1)
    y = np.arange(10_000) < 2_000
    return score_table(y, np.clip(rng.normal(np.where(y, 0.6, 0.4), 0.12), 0, 1))


def assel_cases() -> Cases:
    """Four predictions of one risk, calibrated or shifted in log-odds: the simulation of Assel et al. (2017)."""
    rng = np.random.default_rng(2)
    risk = rng.normal(-1.65, 1, 20_000)
    y = rng.random(len(risk)) < 1 / (1 + np.exp(-risk))
    moves = {"calibrated": 0, "too high": 1, "too low": -1, "far too low": -2}
    return Cases(y, {name: 1 / (1 + np.exp(-risk - move)) for name, move in moves.items()})


def assel() -> dict[str, ScoreTable]:
    """Return the tables of these four."""
    cases = assel_cases()
    return {name: cases.table(name) for name in cases.models}


def sharp_and_calibrated() -> dict[str, ScoreTable]:
    """One model that ranks better but is overconfident, and one that ranks worse and is calibrated."""
    rng = np.random.default_rng(3)
    y = rng.random(8_000) < 0.15
    sharp, blunt = (rng.normal(size=len(y)) + separation * y for separation in (1.35, 1.15))
    prior = np.log(0.15 / 0.85)
    scores = {
        "sharp": 2.6 * (prior + 1.35 * sharp - 1.35**2 / 2) + 2.2,
        "calibrated": prior + 1.15 * blunt - 1.15**2 / 2,
    }
    return {name: score_table(y, 1 / (1 + np.exp(-score))) for name, score in scores.items()}


def two_groups() -> dict[str, ScoreTable]:
    """Two groups of patients: in one the model ranks better, but its patients die more often."""
    rng = np.random.default_rng(4)
    groups = {"group A": (0.11, 1.9, 6_000), "group B": (0.05, 1.55, 4_000)}
    tables = {}
    for name, (prevalence, separation, size) in groups.items():
        y = rng.random(size) < prevalence
        score = np.log(0.08 / 0.92) + separation * rng.normal(separation * y, 1) - separation**2 / 2
        tables[name] = score_table(y, 1 / (1 + np.exp(-score)))
    return tables


def fig_6() -> dict[str, ScoreTable]:
    """Two models of 100 cases that differ by ten right decisions at cost 0.1 and at cost 0.9 (Millard and Flach)."""
    score = [0.05, 0.5, 0.95]
    return {
        "A": ScoreTable.from_counts(score, [10, 30, 10], [10, 30, 10]),
        "B": ScoreTable.from_counts(score, [0, 40, 10], [10, 40, 0]),
    }


def cohort_cases() -> Cases:
    """750 patients of the decision curve tutorials: the model they ship, and a logistic regression on age."""
    data = load_cohort()
    y, age = data["cancer"], (data["age"] - data["age"].mean()) / data["age"].std()
    features, beta = np.column_stack([np.ones_like(age), age]), np.zeros(2)
    for _ in range(20):  # Newton's method
        risk = 1 / (1 + np.exp(-features @ beta))
        beta += np.linalg.solve(features.T * (risk * (1 - risk)) @ features, features.T @ (y - risk))
    scores = {"prediction model": data["cancerpredmarker"], "age alone": 1 / (1 + np.exp(-features @ beta))}
    return Cases(y, scores)


def cohort() -> dict[str, ScoreTable]:
    """Return the tables of the same patients."""
    cases = cohort_cases()
    return {name: cases.table(name) for name in cases.models}


def patients() -> dict[str, ScoreTable]:
    """4,000 patients of docs/limits.md: most who die decline slowly, some suddenly; three models read two signs."""
    rng = np.random.default_rng(0)
    dies = rng.random(4_000) < 0.104
    slowly = dies & (rng.random(4_000) < 0.65)
    suddenly = dies & ~slowly
    vitals = rng.normal(size=4_000) + 1.3 * slowly + 0.4 * suddenly
    lactate = rng.normal(size=4_000) + 0.3 * slowly + 2.6 * suddenly
    scores = {"vital signs": vitals, "both": 0.6 * vitals + 0.4 * lactate, "lactate": lactate}
    return {name: score_table(dies, score) for name, score in scores.items()}


def ward() -> ScoreTable:
    """2,000 cases of docs/limits.md: one in seven ill, scores that are not probabilities."""
    rng = np.random.default_rng(7)
    ill = rng.random(2_000) < 0.15
    return score_table(ill, rng.normal(size=2_000) + 1.3 * ill)


def city_and_country() -> dict[str, ScoreTable]:
    """Two groups of docs/prevalence.md: in the country the condition is rarer, and the scores are twice too high."""
    rng = np.random.default_rng(7)
    tables = {}
    for name, prevalence, overstated in (("city", 0.12, 1.0), ("country", 0.04, 2.0)):
        y = rng.random(20_000) < prevalence
        log_odds = 1.5 * rng.normal(1.5 * y - 0.75, 1.0) + np.log(overstated * prevalence / (1 - prevalence))
        tables[name] = score_table(y, 1 / (1 + np.exp(-log_odds)))
    return tables


# ------------------------------------------------------------------------------------------- the figures


def panels(width: float, height: float, rows: int = 1, columns: int = 1) -> tuple[Figure, np.ndarray]:
    """Make a figure with its axes in an array."""
    figure = Figure(figsize=(width, height), layout="constrained")
    return figure, figure.subplots(rows, columns, squeeze=False).ravel()


def one_model_in_four_spaces() -> Figure:
    """Scores that are not probabilities: read as probabilities, they cost more than after recalibration.

    *Contexts*, Figs 1 and 3. The shaded gap in decision space and in cost space is the same thing on two scales:
    what recalibration alone would gain.
    """
    table = two_normals()
    figure, (scores, roc, benefit, loss) = panels(7.2, 6.0, 2, 2)
    shares = score_histograms(table, bins=60)
    for curve, name, colour in (
        (shares.positive, "positives", PALETTE[1]),
        (shares.negative, "negatives", PALETTE[0]),
    ):
        scores.fill_between(curve.x, curve.y, color=colour, alpha=0.25, linewidth=0)
        draw_curve(scores, curve, label=name, color=colour, linewidth=1.2)
    scores.set(xlim=(0, 1), ylim=(0, None))
    scores.spines[["top", "right"]].set_visible(False)
    scores.set_title("Scores of each class", loc="left", fontsize=9, fontweight="bold", pad=7)
    label_lines(scores)
    draw_roc_curves(roc, {"model": table})
    draw_decision_curves(benefit, {"model": table})
    draw_brier_curves(loss, {"model": table})
    return figure


def points_and_lines() -> Figure:
    """Each point in ROC space is a line in cost space; the hull is the lower envelope.

    *Contexts*, Fig. 2, nine cases. The corners of the hull are the lines of the envelope; the Brier curve follows
    one line after the other, as the cost passes each score, and its distance from the envelope is miscalibration.
    """
    figure, axes = panels(7.2, 3.4, 1, 2)
    draw_cost_lines(axes, toy())
    return figure


def accuracy_isometrics() -> Figure:
    """Where positives are rare, accuracy prefers the classifier that raises no alarm.

    *Contexts*, Fig. 4. Along each grey line accuracy is the same: with half of the cases positive it treats both
    rates alike, with one in ten it hardly depends on the true positive rate.
    """
    figure, axes = panels(7.2, 3.6, 1, 2)
    for ax, prevalence in zip(axes, (0.5, 0.1), strict=True):
        draw_isometrics(
            ax, stakes.prevalence.reweight_classes(toy(), prevalence), values=np.linspace(0.1, 0.9, 9).round(1)
        )
        ax.set_title(
            f"Accuracy, {prevalence:.0%} positive: higher is better", loc="left", fontsize=9, fontweight="bold", pad=7
        )
    return figure


def benefit_and_loss_isometrics() -> Figure:
    """At one cost net benefit and Brier loss agree; across costs only Brier loss keeps its scale.

    *Contexts*, Fig. 5, nine cases. The lines have the same slope in both rows, so both prefer the same point of
    the ROC curve; the values of net benefit grow without bound as the cost does.
    """
    figure, axes = panels(7.2, 5.0, 2, 3)
    benefits = (np.linspace(-0.4, 0.3, 8), np.linspace(-0.6, 0.3, 10), np.linspace(-1.2, 0.2, 8))
    for column, (cost, values) in enumerate(zip((1 / 6, 1 / 3, 2 / 3), benefits, strict=True)):
        draw_isometrics(axes[column], toy(), values=values.round(2), measure="net benefit", cost=cost)
        draw_isometrics(
            axes[column + 3], toy(), values=np.linspace(0.05, 1.0, 20).round(2)[1::2], measure="Brier loss", cost=cost
        )
        axes[column].set_title(f"Net benefit at cost {cost:.2f}", loc="left", fontsize=9, fontweight="bold")
        axes[column + 3].set_title(f"Brier loss at cost {cost:.2f}", loc="left", fontsize=9, fontweight="bold")
    return figure


def comparable_benefit() -> Figure:
    """The same ten better decisions look small at cost 0.1 and enormous at cost 0.9, until the scale is corrected.

    *Contexts*, Fig. 6. Model B finds ten more positives at 0.1 and spares ten more negatives at 0.9: worth 0.10
    and 0.90 of net benefit, but 0.18 both times on the comparable scale, which is that of Brier loss.
    """
    figure, axes = panels(7.2, 3.2, 1, 2)
    for ax, make in zip(axes, (decision_curve, comparable_decision_curve), strict=True):
        for (name, table), colour in zip(fig_6().items(), PALETTE, strict=False):
            draw_curve(ax, make(table), low=-1.5, label=f"model {name}", color=colour, linewidth=1.6)
        for cost in (0.1, 0.9):
            values = [float(make(table).at(cost)) for table in fig_6().values()]
            ax.plot([cost, cost], values, color="black", linewidth=1.0)
            place = ((cost, values[1]), (4, 4)) if cost < 0.5 else ((cost, np.mean(values)), (-24, -3))
            ax.annotate(f"{values[1] - values[0]:.2f}", *place, textcoords="offset points", fontsize=8)
        ax.axhline(0, color="#BBBBBB", linewidth=0.8)
        ax.set(xlim=(0, 1), ylim=(-1.0, 1.05 * max(c.y.max() for c in map(make, fig_6().values()))))
        ax.spines[["top", "right"]].set_visible(False)
    axes[0].set_title("Net benefit: differences drift", loc="left", fontsize=9, fontweight="bold", pad=7)
    axes[1].set_title("Comparable: the same everywhere", loc="left", fontsize=9, fontweight="bold", pad=7)
    for ax in axes:
        label_lines(ax)
    return figure


def loss_by_class() -> Figure:
    """Where the loss comes from: misses while false alarms are cheap, false alarms when they are costly.

    *Contexts*, supplementary figure 7, on the scores of Fig. 1.
    """
    figure, (ax,) = panels(4.4, 3.2)
    draw_class_losses(ax, two_normals())
    return figure


def regret_over_odds() -> Figure:
    """The bounded log loss is the mean height of the curve over the costs that matter.

    *Critique*, Fig. 2, with the simulation of Assel et al. in place of the breast cancer data. In brackets is the
    mean regret from 1:99 to 1:9: the model whose risks are too high does nearly as well as the calibrated one
    there, and worst at even odds.
    """
    figure, (ax,) = panels(5.2, 3.6)
    use_odds_axis(ax, low=0.004, high=0.9)
    draw_regret_curves(ax, assel(), costs=LogOddsUniform(from_odds(1, 99), from_odds(1, 9)))
    return figure


def calibration_against_discrimination() -> Figure:
    """A model may rank better and still cost more; its parts show why, on one scale.

    *Critique*, Fig. 3, simulated. The sharper model wins on the ROC curve (left) and loses in mean regret (middle);
    on the right, what it gains in discrimination it more than loses in miscalibration. Grey lines: equal mean
    regret.
    """
    tables, belief = sharp_and_calibrated(), LogOddsUniform(from_odds(1, 19), from_odds(4, 1))
    figure, (roc, regret, parts) = panels(9.6, 3.3, 1, 3)
    draw_roc_curves(roc, tables)
    use_odds_axis(regret, low=0.01, high=0.97)
    draw_regret_curves(regret, tables, costs=belief)
    draw_calibration_discrimination(parts, {name: decompose(table, belief) for name, table in tables.items()})
    return figure


def rescaled_decision_curves() -> Figure:
    """On the right scale of costs, the area above a decision curve is a proper score.

    *Critique*, Fig. 4. The same curve three times: over the cost itself the area has no name, over -(1 - c)²/2
    it is the bounded Brier score, over log c the bounded log loss.
    """
    figure, axes = panels(9.6, 2.9, 1, 3)
    draw_rescaled_decision_curves(axes, assel()["calibrated"], low=0.05, high=0.5)
    return figure


def what_scores_assume() -> Figure:
    """Which costs a score gives weight to: near even odds for Brier and Hand, everywhere for the log loss.

    *Critique*, Figs 5 and 6. Over the log-odds of the cost (right) even the flat weight of the Brier score is a
    hump around 1:1; stated bounds are easier to defend than a shape.
    """
    beliefs = {
        "Brier: Beta(1, 1)": Uniform(),
        "Hand: Beta(2, 2)": Beta(2, 2),
        "Zhu: Beta(2, 8)": Beta(2, 8),
        "shifted Brier": ShiftedUniform(0.1),
        "bounded log loss": LogOddsUniform(from_odds(1, 99), from_odds(1, 4)),
    }
    figure, axes = panels(8.4, 3.3, 1, 2)
    draw_beliefs(axes, beliefs)
    return figure


def accuracy_over_prevalence() -> Figure:
    """At its own prevalence (circle) group B seems better served; over a range of prevalences group A is.

    *Priorities*, Fig. 1, simulated. The curve says how accurate the model would be if the prevalence were different
    and the scores corrected for it; the bar is the average over prevalences from 1% to 20%, uniform in log-odds.
    """
    low, high = 0.01, 0.2
    tables = two_groups()
    figure, (ax,) = panels(5.2, 3.6)
    use_odds_axis(ax, low=0.003, high=0.997)
    averages = {
        name: stakes.prevalence.shifted_accuracy(table, LogOddsUniform(low, high)) for name, table in tables.items()
    }
    draw_accuracy_curves(ax, tables, low=low, high=high, averages=averages)
    ax.set_xlabel("prevalence, as odds")
    return figure


def accuracy_after_recalibration() -> Figure:
    """How much of a gap between groups is calibration: what recalibrating each group would change.

    *Priorities*, Fig. 5, simulated. Recalibration lifts each curve to the best that the order of the scores allows.
    """
    tables = {}
    for name, table in two_groups().items():
        tables |= {name: table, f"{name}, recalibrated": recalibrate(table)}
    figure, (ax,) = panels(5.2, 3.6)
    draw_accuracy_curves(ax, tables)
    return figure


def within_limits() -> Figure:
    """Alarms for at most a fifth of the cases, one in four of them true: the feasible region and the best thresholds.

    *Partial VOROS*, Figs 1, 2 and 4 (top), simulated. Only the yellow region is feasible. A dot is a model's best
    threshold there if a miss is as bad as nine false alarms. Points below its dashed line cost more: the larger
    their share of the region, the better the model.
    """
    figure, (ax,) = panels(5.2, 4.0)
    draw_feasible_region(ax, patients(), Limits(capacity=0.2, min_precision=0.25), cost=from_odds(1, 9))
    return figure


def costlier_share() -> Figure:
    """Partial VOROS is the mean height of the curve over the costs that matter (in brackets).

    *Partial VOROS*, Fig. 5 (centre), the models and limits of the last figure. The scale on top translates the
    paper's t at this prevalence. Using both signs is best until a miss costs less than about two false alarms.
    """
    figure, (ax,) = panels(5.2, 4.0)
    draw_lesser_areas(ax, patients(), Limits(capacity=0.2, min_precision=0.25), costs=FractionalCost(0.1, 0.7))
    return figure


def best_model_over_limits() -> Figure:
    """Which model is best depends on the limits: few or very precise alarms are best raised by lactate alone.

    *Partial VOROS*, Fig. 4 (bottom), the same models and costs. Where cells are hatched, the model of the other colour
    comes within 0.01. Vital signs alone are never best.
    """
    figure, (ax,) = panels(5.2, 4.0)
    ax.set_yscale("log")
    grid = partial_voros_map(
        patients(),
        FractionalCost(0.1, 0.7),
        min_precision=np.linspace(0.15, 0.9, 61),
        capacity=np.geomspace(0.005, 0.5, 61),
    )
    draw_best_map(ax, grid)
    return figure


def a_policy() -> Figure:
    """A ward needs a decision threshold, not a rank: the best one within the limits at each cost.

    Simulated: one patient in seven is ill; alarms for at most a fifth, at least 40% of them true. The more
    a false alarm costs, the fewer alarms there are, and the larger the share that is true.
    """
    figure, (ax,) = panels(5.2, 3.6)
    draw_policy(ax, best_thresholds(ward(), Uniform(0.2, 0.5), Limits(capacity=0.2, min_precision=0.4)))
    return figure


def three_actions() -> Figure:
    """A triage has three doors: which one is the cheapest at each probability, and how many go through it.

    Simulated: the ward of the last figure. Discharging an ill patient costs 20, observing a healthy one 1. Bold is the
    cheapest action; the bands are the thresholds between them.
    """
    figure, (ax,) = panels(5.2, 3.6)
    draw_actions(ax, ward(), Actions({"discharge": (0, 20), "observe": (1, 6), "admit": (4, 1)}))
    return figure


def own_thresholds() -> Figure:
    """A fraud of 10,000 is not one of 10: each transaction has the threshold that its amount calls for.

    Simulated: 150 transactions. A missed fraud loses three quarters of the amount, and looking into an alarm costs 10.
    """
    rng = np.random.default_rng(5)
    amount = rng.lognormal(4.5, 1.2, 150)
    score = rng.beta(0.6, 4, 150)
    figure, (ax,) = panels(5.2, 3.6)
    draw_own_thresholds(ax, CaseCosts(false_negative=0.75 * amount, false_positive=10, true_positive=10), amount, score)
    return figure


def net_benefit_over_prevalence() -> Figure:
    """At its own prevalence (circle) the city gains eight times as much as the country; at the same one hardly more.

    Simulated, in the manner of *Priorities*: a miss is as bad as nine false alarms. The bars, and the numbers in
    brackets, are averages over prevalences from 1% to 20%, uniform in log-odds.
    """
    low, high, cost = 0.01, 0.2, from_odds(1, 9)
    tables = city_and_country()
    figure, (ax,) = panels(5.2, 3.6)
    ax.set_xlim(0, 0.21)
    belief = LogOddsUniform(low, high)
    averages = {name: stakes.prevalence.shifted_net_benefit(table, At(cost), belief) for name, table in tables.items()}
    draw_shifted_net_benefit(ax, tables, cost=cost, low=low, high=high, averages=averages)
    return figure


def why_two_groups_differ() -> Figure:
    """Why two groups differ: mostly the prevalence, and a little calibration, which can be corrected.

    *Priorities*, appendix I, on the two groups of the last figure. Sharpness is the difference that remains once
    each group is recalibrated: here next to nothing, and in favour of the country.
    """
    city, country = city_and_country().values()
    figure, (ax,) = panels(5.2, 3.6)
    draw_gap(
        ax,
        explain_gap(city, country, At(from_odds(1, 9))),
        names=("city", "country"),
        unit="prior-adjusted net benefit",
    )
    return figure


def two_models_in_groups() -> Figure:
    """Two models in three groups: the test says whether they differ alike, not which intervals contain 0.

    The cohort, by age; regret over costs from 5% to 20%. Thick lines hold for one group, thin ones for all groups
    together.
    """
    given = load_cohort()
    age = np.select([given["age"] < 62, given["age"] < 68], ["under 62", "62 to 67"], "68 and over")
    risk = {"low": 0.05, "intermediate": 0.15, "high": 0.4}
    scores = {"prediction model": given["cancerpredmarker"], "risk group": [risk[one] for one in given["risk_group"]]}
    found = compare_groups(
        Cases(given["cancer"], scores), "risk group", "prediction model", expected_regret, age, costs=Uniform(0.05, 0.2)
    )
    figure, (ax,) = panels(6.0, 3.0)
    draw_group_differences(ax, found, unit="difference in regret")
    return figure


def two_models_at_six_sites() -> Figure:
    """Two models at six sites: the average site, and what to expect of the next one.

    Simulated: the full model does worse where its inputs are noisy, at B and D, so that its average says little about
    the next site. The thin line at the bottom is the interval of a site that was not seen.
    """
    random = np.random.default_rng(3)
    sites, risk = np.repeat(list("ABCDEF"), 600), random.beta(1, 5, 3600)
    died = random.random(3600) < risk
    noise = np.repeat([0.02, 0.30, 0.05, 0.20, 0.10, 0.02], 600) * random.normal(size=3600)
    scores = {"full": np.clip(risk + noise / 2, 0, 1), "simple": np.clip(0.6 * risk + 0.07, 0, 1)}
    found = pool_sites(
        Cases(died, scores), measure=expected_regret, site=sites, baseline="simple", costs=Uniform(0.05, 0.2)
    )
    figure, (ax,) = panels(5.2, 3.2)
    draw_sites(ax, found, model="full", unit="difference in regret")
    return figure


def decision_curves_of_a_cohort() -> Figure:
    """Decision curves, with what they usually leave out: the gain in net benefit from recalibration, shaded.

    750 patients of the decision curve tutorials, costs from 5% to 20%.
    """
    figure, (ax,) = panels(5.2, 3.6)
    draw_decision_curves(ax, cohort(), high=0.5, costs=Uniform(0.05, 0.2))
    return figure


def difference_of_decision_curves() -> Figure:
    """The difference of two decision curves, and the costs at which the sample can say which model is better.

    The same patients and models, costs from 2% to 60%. The darker band holds at any one cost, the lighter at all
    together; where that does not contain 0, one model is better.
    """
    figure, (ax,) = panels(5.2, 3.6)
    draw_difference(ax, crossing_set(cohort_cases(), "prediction model", "age alone", cost_range="2%..60%"))
    return figure


def other_scales_of_net_benefit() -> Figure:
    """The same decisions counted as interventions avoided, and as the share of the way to perfect decisions.

    *Contexts*, section 6 and supplementary figure 8, on the cohort.
    """
    figure, (avoided, utility) = panels(9.6, 3.4, 1, 2)
    draw_interventions_avoided(avoided, cohort(), high=0.5)
    draw_relative_utility(utility, cohort(), high=0.5)
    return figure


def calibration_curve_of_a_cohort() -> Figure:
    """A reliability diagram without bins, above the distribution of the scores in each class.

    The isotonic estimate is the one that the envelopes use. Blue: the honest band, which contains the true share of
    positives at all scores together. Grey: where the curve of a calibrated model would lie, score by score. With 105
    positives much is possible.
    """
    figure = Figure(figsize=(4.2, 5.0), layout="constrained")
    axes = figure.subplots(2, 1, sharex=True, height_ratios=[3, 1])
    data = load_cohort()
    CalibrationDisplay.from_predictions(data["cancer"], data["cancerpredmarker"], name="prediction model", ax=axes)
    return figure


def calibration_of_several_models() -> Figure:
    """Three models of one risk: where the diagonal leaves a band, it is thick, and the model is miscalibrated there.

    The simulation of Assel et al. (2017), 20,000 cases, with the honest band of each model. Slopes are all about 1:
    two of the three differ from the calibrated one by a shift of the log-odds, which is the intercept.
    """
    cases = assel_cases()
    shown = ("calibrated", "too high", "too low")
    bands = calibration_band(cases)
    figure, (ax,) = panels(4.8, 4.4)
    draw_calibration(ax, {name: cases.table(name) for name in shown}, bands={name: bands[name] for name in shown})
    return figure


def followed() -> tuple[EventBy, Cases]:
    """1,500 people followed for up to ten years, of whom half leave within six; risks by years 1, 3 and 5."""
    rng = np.random.default_rng(22)
    marker, noise = rng.normal(size=(2, 1_500))
    relapse, other = rng.exponential(size=1_500) / (0.06 * np.exp(marker)), rng.exponential(40, 1_500)
    left = np.minimum(rng.exponential(9, 1_500), 10)
    years = np.minimum(np.minimum(relapse, other), left)
    status = np.where(years == left, 0, np.where(years == relapse, 1, 2))
    outcome = EventBy(years, status, horizon=[1, 3, 5])
    risks = {
        name: np.column_stack([1 - np.exp(-0.06 * year * np.exp(x)) for year in outcome.horizons])
        for name, x in (("marker", marker), ("noisy marker", 0.8 * (marker + 0.7 * noise)))
    }
    return outcome, Cases(outcome, risks)


def what_happened_and_who_was_followed() -> Figure:
    """Risks over time of people who were not all followed: Aalen-Johansen, the chance of staying, and the numbers left.

    1,500 simulated people; some die of something else first.
    """
    figure, (ax,) = panels(5.2, 3.8)
    draw_follow_up(ax, follow_up_curve(followed()[0]))
    return figure


def cost_over_horizons() -> Figure:
    """Expected cost of two models by years 1, 3 and 5, with intervals that allow for the estimated chance of leaving.

    The same people; costs from 10% to 30%.
    """
    figure, (ax,) = panels(4.8, 3.6)
    cases = followed()[1]
    draw_horizons(ax, horizon_curve(cases, partial(expected_regret, costs=Uniform(0.1, 0.3))))
    return figure


def calibration_with_people_who_left() -> Figure:
    """A reliability diagram at year 5, above the scores of all: with the event, with another or none, or unknown.

    The same people. Those who left have no outcome; the estimate gives their weight to those who stayed.
    """
    figure = Figure(figsize=(4.2, 5.0), layout="constrained")
    cases = followed()[1].at(5)
    axes = figure.subplots(2, 1, sharex=True, height_ratios=[3, 1])
    draw_calibration(axes, {"marker": cases.table("marker")}, cases=cases, bins=40)
    return figure


def precision_over_recall() -> Figure:
    """Precision is a ratio, so its curve is bent between thresholds: straight lines would be too optimistic.

    The two models of *Critique*, Fig. 3, simulated.
    """
    figure, (ax,) = panels(4.4, 3.4)
    draw_precision_recall_curves(ax, sharp_and_calibrated())
    return figure


FIGURES: tuple[Callable[[], Figure], ...] = (
    decision_curves_of_a_cohort,
    difference_of_decision_curves,
    regret_over_odds,
    one_model_in_four_spaces,
    points_and_lines,
    accuracy_isometrics,
    benefit_and_loss_isometrics,
    comparable_benefit,
    loss_by_class,
    other_scales_of_net_benefit,
    calibration_against_discrimination,
    rescaled_decision_curves,
    what_scores_assume,
    accuracy_over_prevalence,
    accuracy_after_recalibration,
    net_benefit_over_prevalence,
    why_two_groups_differ,
    two_models_in_groups,
    two_models_at_six_sites,
    within_limits,
    costlier_share,
    best_model_over_limits,
    a_policy,
    three_actions,
    own_thresholds,
    calibration_curve_of_a_cohort,
    calibration_of_several_models,
    precision_over_recall,
    what_happened_and_who_was_followed,
    cost_over_horizons,
    calibration_with_people_who_left,
)


def picture() -> Figure:
    """Regret and net benefit over the cost, with the costs that matter shaded: the figure of the front page."""
    figure = Figure(figsize=(8.6, 3.5), layout="constrained")
    left, right = figure.subplots(1, 2)
    costs = Uniform(0.05, 0.2)
    left.set_xlim(0, 0.5)
    draw_regret_curves(left, cohort(), costs=costs)
    draw_decision_curves(right, cohort(), high=0.5, costs=costs)
    return figure


INTRODUCTION = """# Gallery

Every figure here is drawn by [`docs/gallery.py`](gallery.py) from simulated data or from the bundled cohort; below each
are the lines that draw it, ready to copy. The papers that the figures come from have the short names of
the [errata](errata.md): *Critique* and *Priorities* by Flores et al., *Contexts* by Millard and Flach, on decision
curves and cost curves, and *Partial VOROS* by Ratigan et al., on limits to the number and the precision of alarms.

## For a journal

Every `draw_*` function draws on axes that you give it, so the size, the fonts and the title are yours. Here is a figure
of one column, without a title, as a PDF whose text can be searched and edited; `savefig("figure.svg")` writes an SVG.

```python
>>> import matplotlib as mpl
>>> from matplotlib.figure import Figure
>>> from stakes import score_table
>>> from stakes.datasets import load_cohort
>>> from stakes.plot import draw_decision_curves
>>> cohort = load_cohort()
>>> tables = {"model": score_table(cohort["cancer"], cohort["cancerpredmarker"])}
>>> with mpl.rc_context({"font.size": 8, "pdf.fonttype": 42, "svg.fonttype": "none"}):
...     figure = Figure(figsize=(3.5, 2.6), layout="constrained")  # inches
...     ax = draw_decision_curves(figure.subplots(), tables, high=0.4)
...     text = ax.set_title("", loc="left")
...     figure.savefig("figure.pdf")

```

A Display, which plots from predictions or an estimator, takes `title=""` instead.
"""


def code(draw: Callable[[], Figure]) -> str:
    """Return lines that draw one figure and need nothing else: imports, the sample, the figure."""
    source = Path(__file__).read_text(encoding="utf-8")
    known = {node.name: node for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)}
    wanted, helpers = [known[draw.__name__]], dict[str, ast.FunctionDef]()
    names = set[str]()
    while wanted:
        found = {part.id for part in ast.walk(wanted.pop()) if isinstance(part, ast.Name)}
        names |= found
        wanted += [node for name, node in known.items() if name in found - helpers.keys()]
        helpers |= {name: node for name, node in known.items() if name in found}
    above = [source_of(node) for name, node in known.items() if name in helpers]
    body = textwrap.dedent("\n".join(source.splitlines()[draw_lines(known[draw.__name__])]))
    saved = re.sub(r"^return figure$", f'figure.savefig("{draw.__name__}.svg")', body, flags=re.MULTILINE)
    return "\n\n\n".join([imports(source, names), *above, saved])


def source_of(node: ast.FunctionDef) -> str:
    """Return a helper as it stands here."""
    return ast.get_source_segment(Path(__file__).read_text(encoding="utf-8"), node) or ""


def draw_lines(node: ast.FunctionDef) -> slice:
    """Return which lines draw: the body without its docstring."""
    return slice(node.body[1].lineno - 1, node.end_lineno)


def imports(source: str, names: set[str]) -> str:
    """Return the imports of these names, one a line."""
    lines = []
    for node in ast.parse(source).body:
        if isinstance(node, ast.Import):
            lines += [f"import {one.name} as {one.asname}" for one in node.names if one.asname in names]
            lines += [f"import {one.name}" for one in node.names if not one.asname and one.name in names]
        elif isinstance(node, ast.ImportFrom) and (used := [one.name for one in node.names if one.name in names]):
            lines += textwrap.wrap(f"from {node.module} import {', '.join(used)}", 10_000)
    return "\n".join(lines)


def page() -> str:
    """Write the page: each figure with its caption and the code that draws it."""
    parts = [INTRODUCTION]
    for draw in FIGURES:
        title, _, text = (draw.__doc__ or "").partition("\n\n")
        words, name = " ".join(text.split()), draw.__name__.replace("_", " ").capitalize()
        parts.append(f"## {name}\n\n![{title}](gallery/{draw.__name__}.svg)\n\n**{title}** {words}\n")
        parts.append(
            f"<details>\n<summary>Code</summary>\n\n```{{code-block}} python\n{code(draw)}\n```\n\n</details>\n"
        )
    return "\n".join(parts)


def save(figure: Figure, path: Path) -> None:
    """Write an SVG file, paths to a hundredth of a point, the same each time."""
    with mpl.rc_context({"svg.hashsalt": "stakes"}):
        figure.savefig(path, metadata={"Date": None})
    path.write_text(re.sub(r' d="[^"]*"', _shorter, path.read_text(encoding="utf-8")), encoding="utf-8")


def _shorter(found: re.Match[str]) -> str:
    return re.sub(r"(\.\d\d)\d+", r"\1", found[0]).replace(" \n", "\n").replace("\nL ", "L")


def main(folder: Path) -> None:
    """Draw every figure and write the page into a folder."""
    (folder / "gallery").mkdir(parents=True, exist_ok=True)
    with mpl.rc_context({"font.size": 9}):
        for draw in FIGURES:
            save(draw(), folder / "gallery" / f"{draw.__name__}.svg")
    save(picture(), folder / "picture.svg")
    (folder / "gallery.md").write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent)

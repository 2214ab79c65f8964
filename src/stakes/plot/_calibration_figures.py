"""Figures of calibration and of beliefs."""

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from stakes import _check
from stakes._errors import InputError, InputTypeError
from stakes.beliefs import BeliefLike
from stakes.cases import Cases, scores_of_cases
from stakes.curves import calibration_curve, density_curve, log_odds_density_curve, score_histograms
from stakes.measures import Decomposition
from stakes.plot._draw import draw_curve, outline
from stakes.plot._style import DOTS, FAINT, ODDS, REFERENCE, colours, dress, panels, with_colours
from stakes.prevalence import calibration_summary
from stakes.table import ScoreTable, in_memory
from stakes.uncertainty import CalibrationBand, check_cases

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_ALONE = "isotonic estimate"  # the label of a table without a name
_LEGEND: dict[str, Any] = {"fontsize": 7.5, "frameon": False, "borderaxespad": 0.3}


def draw_calibration(
    axes: Axes | Sequence[Axes],
    tables: ScoreTable | Mapping[str, ScoreTable],
    *,
    bands: CalibrationBand | Mapping[str, CalibrationBand] | None = None,
    calibrated: CalibrationBand | Mapping[str, CalibrationBand] | None = None,
    bins: int = 50,
    cases: Cases | None = None,
) -> Axes | Sequence[Axes]:
    """Draw a reliability diagram without bins, and under it how the scores of each class are spread.

    The legend has the calibration slope and intercept of each model. Where the diagonal leaves a band, it is drawn
    thick: there the model is miscalibrated.

    Parameters
    ----------
    axes : matplotlib.axes.Axes or sequence of these
        Two axes, one above the other: the diagram, the spread. On one axis the diagram is drawn alone.
    tables : ScoreTable, or mapping of str to ScoreTable
        The sample, with both classes; a table per model, by name, for several.
    bands : CalibrationBand, or mapping of str to CalibrationBand, keyword-only, optional
        Confidence bands of the curves, from `stakes.uncertainty.calibration_band`; by name where the tables are.
    calibrated : CalibrationBand, or mapping of str to CalibrationBand, keyword-only, optional
        Where the curve of a calibrated model would lie at each score, from the same with ``method="consistency"``.
    bins : int, keyword-only
        Number of bins of the spread.
    cases : Cases, keyword-only, optional
        The cases of one table where not all were followed to the horizon: the spread then counts everyone, in three
        colours: those with the event, those free of it (or with another event), and those of whom it is unknown.

    Returns
    -------
    matplotlib.axes.Axes or sequence of these
        The same axes.

    References
    ----------
    .. [1] T. Dimitriadis, T. Gneiting and A. I. Jordan (2021), "Stable reliability diagrams for
       probabilistic classifiers", PNAS 118(8), e2016191118.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from stakes import score_table
    >>> from stakes.plot import draw_calibration
    >>> table = score_table(y=[0, 1, 1, 0], score=[0.6, 0.7, 0.3, 0.1])
    >>> diagram, spread = draw_calibration(Figure().subplots(2, 1), table)
    >>> diagram.lines[1].get_ydata().tolist()
    [0.0, 0.5, 0.5, 1.0]
    """
    diagram, *below = panels(axes, 1, 2)
    models = dict(tables) if isinstance(tables, Mapping) else {_ALONE: tables}
    diagram.plot([0, 1], [0, 1], label="diagonal: calibrated", **DOTS)
    for name, table, colour in with_colours(models):
        draw_curve(diagram, calibration_curve(table), color=colour, linewidth=1.6, label=_with_slope(name, table))
    own, chance = (_by_name(key, given, models) for key, given in (("bands", bands), ("calibrated", calibrated)))
    for name, _, colour in with_colours(models):
        if name in own:
            _fill_band(diagram, own[name], colour, labelled=name == next(iter(own)))
    for number, one in enumerate(chance.values()):
        label = "" if number else "where a calibrated model would lie"
        diagram.fill_between(one.x, one.lower, one.upper, color=REFERENCE, alpha=0.15, linewidth=0, label=label)
    diagram.set(xlim=(0, 1), ylim=(0, 1.01))
    if below:
        diagram.set_xlabel("")
    dress(diagram, "Reliability: nearer to the diagonal is better").legend(loc="upper left", **_LEGEND)
    for spread in below:
        if cases is None:
            _draw_spread(spread, models, bins)
        else:
            _draw_everyone(spread, cases, next(iter(models)), bins)
    return axes


def _by_name(
    argument: str, given: CalibrationBand | Mapping[str, CalibrationBand] | None, models: Mapping[str, ScoreTable]
) -> dict[str, CalibrationBand]:
    """Return bands by the name of their model; raise if a name has no table, or one is missing."""
    if given is None:
        return {}
    if isinstance(given, Mapping) == (_ALONE in models):
        wanted = "be one band, as there is one table" if _ALONE in models else "map names of models to bands"
        raise InputTypeError(argument, wanted, type(given).__name__)
    named = dict(given) if isinstance(given, Mapping) else {_ALONE: given}
    return {_check.choice(argument, name, models): one for name, one in named.items()}


def _with_slope(name: str, table: ScoreTable) -> str:
    """Return the name of a model with its calibration slope and intercept, where they exist."""
    if in_memory(table).has_stakes:
        return name
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        summary = calibration_summary(in_memory(table))
    if not math.isfinite(summary.slope):
        return name
    return f"{name}: slope {summary.slope:.2f}, intercept {round(summary.intercept, 2) + 0.0:.2f}"


def _fill_band(diagram: Axes, band: CalibrationBand, colour: str, *, labelled: bool) -> None:
    """Fill the band of a model, and draw the diagonal thick where it leaves the band."""
    corners = outline(band, band.lower_everywhere, band.upper_everywhere)
    label = f"{100 * band.level:g}% band, at all scores together" if labelled else ""
    diagram.fill_between(*corners, color=colour, alpha=0.15, linewidth=0, label=label)
    for one in band.miscalibrated:
        ends = [one.from_score, one.to_score]
        diagram.plot(ends, ends, color=colour, alpha=0.5, linewidth=3.5, solid_capstyle="butt")


def _draw_spread(spread: Axes, models: Mapping[str, ScoreTable], bins: int) -> None:
    """Draw histograms of the scores, positives upwards and negatives downwards; outlines if several."""
    several = len(models) > 1
    for name, table, colour in with_colours(models):
        shares = score_histograms(table, bins=bins)
        for curve, side, own in ((shares.positive, 1, colours(2)[1]), (shares.negative, -1, colours(1)[0])):
            if several:
                spread.plot(curve.x, side * curve.y, color=colour, linewidth=0.9, label=name)
            else:
                spread.fill_between(curve.x, 0, side * curve.y, color=own, alpha=0.6, linewidth=0)
    for text, at, colour in (("positives", 0.97, colours(2)[1]), ("negatives", 0.03, colours(1)[0])):
        where: dict[str, Any] = {"transform": spread.transAxes, "ha": "right", "va": "top" if at > 0.5 else "bottom"}
        spread.text(0.99, at, text, color=REFERENCE if several else colour, fontsize=8, **where)
    spread.axhline(0, color=REFERENCE, linewidth=0.6)
    spread.set(xlim=(0, 1), xlabel="score", ylabel="share of\nclass", yticks=[])
    dress(spread, "")


def _draw_everyone(spread: Axes, cases: Cases, model: str, bins: int) -> None:
    """Draw a histogram of everyone by outcome, that of some unknown."""
    check_cases(cases)
    if cases.outcome is None or len(cases.outcome.horizons) > 1:
        raise InputError("cases", "have an EventBy of one horizon for their outcome", "another")
    name = cases.models[0] if model == _ALONE else _check.choice("tables", model, cases.models)
    scores, known = scores_of_cases(cases, name), np.asarray(cases.outcome.known)
    rest = "another event or none" if cases.outcome.competing.any() else "free of it"
    kinds = {"event": cases.positive, rest: known & ~cases.positive, "unknown": ~known}
    edges = np.linspace(0, 1, bins + 1)
    shades: tuple[str, ...] = (colours(2)[1], colours(1)[0], FAINT)
    columns = [scores[here] for here in kinds.values()]
    spread.hist(columns, bins=edges, stacked=True, color=shades, label=list(kinds))  # type: ignore[arg-type]
    spread.set(xlim=(0, 1), xlabel="score", ylabel="cases")
    dress(spread, "").legend(loc="upper right", **_LEGEND)


def draw_calibration_discrimination(ax: Axes, parts: Mapping[str, Decomposition]) -> Axes:
    """Draw models by miscalibration and discrimination; along each grey line the mean regret is the same.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        Where to draw.
    parts : mapping of str to Decomposition
        Parts of the regret of each model, from `decompose`, on the same sample under the same belief.

    Returns
    -------
    matplotlib.axes.Axes
        The same axis.

    References
    ----------
    .. [1] G. Flores et al., "A consequentialist critique of binary classification evaluation", Fig. 3C.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from stakes import Uniform, decompose, score_table
    >>> from stakes.plot import draw_calibration_discrimination
    >>> table = score_table(y=[0, 0, 1, 1], score=[0.25, 0.25, 0.75, 0.75])
    >>> ax = draw_calibration_discrimination(Figure().subplots(), {"timid": decompose(table, Uniform())})
    >>> ax.collections[0].get_offsets().tolist()
    [[0.03125, 0.125]]
    """
    points = np.array([(part.miscalibration, part.discrimination) for part in parts.values()])
    reach = 1.25 * points.max(axis=0)
    ax.set(xlim=(0, reach[0] or 1.0), ylim=(0, reach[1] or 1.0), xlabel="miscalibration", ylabel="discrimination")
    uncertainty = next(iter(parts.values())).uncertainty
    _draw_levels(ax, uncertainty)
    ax.scatter(points[:, 0], points[:, 1], s=36, c=colours(len(parts)), zorder=3, clip_on=False)
    for (name, part), (x, y), colour in zip(parts.items(), points, colours(len(parts)), strict=True):
        side = -1 if x > reach[0] / 2 else 1
        where: dict[str, Any] = {"textcoords": "offset points", "ha": "right" if side < 0 else "left", "va": "center"}
        ax.annotate(f"{name} ({part.total:.4f})", (x, y), (6 * side, 0), color=colour, fontsize=8, **where)
    return dress(ax, "Parts of regret: up and left is better")


def _draw_levels(ax: Axes, uncertainty: float) -> None:
    """Draw grey lines of equal ``uncertainty + miscalibration - discrimination``, with their values."""
    from matplotlib.ticker import MaxNLocator

    (_, right), (_, top) = ax.get_xlim(), ax.get_ylim()
    for value in MaxNLocator(7).tick_values(uncertainty - top, uncertainty + right):
        rise = uncertainty - value
        ax.plot([0, right], [rise, rise + right], color=FAINT, linewidth=0.7, zorder=0)
        if 0 < rise + right < top:
            where: dict[str, Any] = {"textcoords": "offset points", "fontsize": 7, "color": REFERENCE, "va": "center"}
            ax.annotate(f"{value:.3g}", (right, rise + right), (2, 0), **where)


def draw_beliefs(axes: Sequence[Axes], beliefs: Mapping[str, BeliefLike]) -> Sequence[Axes]:
    """Draw beliefs about the cost, over the cost proportion and over its log-odds.

    Parameters
    ----------
    axes : sequence of matplotlib.axes.Axes
        Two axes.
    beliefs : mapping of str to belief or words, such as "5%..20%"
        Beliefs with a density.

    Returns
    -------
    sequence of matplotlib.axes.Axes
        The same axes.

    References
    ----------
    .. [1] G. Flores et al., "A consequentialist critique of binary classification evaluation", Figs 5 and 6.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from stakes import Beta, Uniform
    >>> from stakes.plot import draw_beliefs
    >>> left, right = draw_beliefs(Figure().subplots(1, 2), {"Brier": Uniform(), "Hand": Beta(2, 2)})
    >>> [text.get_text() for text in right.get_xticklabels()][2:5]
    ['1:19', '1:4', '1:1']
    """
    both = panels(axes, 2)
    for ax, make, ends in zip(both, (density_curve, log_odds_density_curve), ((0, 1), (-7, 7)), strict=True):
        curves = {name: make(belief) for name, belief in beliefs.items()}
        for name, curve, colour in with_colours(curves):
            draw_curve(ax, curve, label=name, color=colour, linewidth=1.6)
        tops = [float(curve.y.max()) for curve in curves.values()]
        ax.set(xlim=ends, ylim=(0, 1.1 * min(max(tops), 2 * float(np.median(tops)))), yticks=[])
    both[1].set_xticks([np.log(a / b) for a, b in ODDS], [f"{a}:{b}" for a, b in ODDS])
    both[1].set_xlabel("cost of a false alarm : cost of a miss")
    for ax, scale in zip(both, ("the cost proportion", "its log-odds"), strict=True):
        dress(ax, f"Weight of each cost, over {scale}")
    both[0].legend(loc="upper right", labelcolor="linecolor", **_LEGEND)  # densities cross too often for labels
    return axes

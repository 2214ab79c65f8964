"""Displays that compare two models of one sample: over the costs, and in groups."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any

import numpy.typing as npt

from stakes.beliefs import RangeLike
from stakes.cases import Cases
from stakes.measures import MeasureLike
from stakes.plot._difference_figures import draw_difference
from stakes.plot._display import add_title, new_axes
from stakes.plot._group_figures import draw_group_differences
from stakes.uncertainty import CrossingSet, GroupComparison, compare_groups, crossing_set

if TYPE_CHECKING:
    from typing import Self

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


class _ComparisonDisplay(ABC):
    """Base of both: where it is drawn, under which title."""

    def __init__(self, title: str | None) -> None:
        self.title = title
        self.ax_: Axes | None = None
        self.figure_: Figure | None = None

    def plot(self, *, ax: Axes | None = None) -> Self:
        """Draw, and keep the axes in `ax_` and the figure in `figure_`.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, keyword-only, optional
            Where to draw; a new figure unless given.

        Returns
        -------
        display
            The display itself.
        """
        self.ax_ = self._draw(new_axes() if ax is None else ax)
        self.figure_ = add_title(self.ax_, self.title)
        return self

    @abstractmethod
    def _draw(self, ax: Axes) -> Axes:
        """Draw what was found."""


class DifferenceDisplay(_ComparisonDisplay):
    """Difference between two decision curves with its bands, drawn by `draw_difference`.

    Parameters
    ----------
    crossing : CrossingSet
        Two models over a range of costs, from `stakes.uncertainty.crossing_set`.
    title : str, keyword-only, optional
        The title at the left, "" for none; that of `draw_difference` unless given.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from stakes import Cases
    >>> from stakes.datasets import load_cohort
    >>> from stakes.plot import DifferenceDisplay
    >>> cohort = load_cohort()
    >>> cases = Cases(cohort["cancer"], {"marker": cohort["cancerpredmarker"], "family": cohort["famhistory"]})
    >>> ax = Figure().subplots()
    >>> display = DifferenceDisplay.from_cases(cases, "marker", "family", cost_range="5%..20%", title="", ax=ax)
    >>> display.ax_.get_ylabel(), display.ax_.get_title(loc="left")
    ('difference in net benefit (true positives per case)', '')
    """

    def __init__(self, crossing: CrossingSet, *, title: str | None = None) -> None:
        self.crossing = crossing
        super().__init__(title)

    @classmethod
    def from_cases(
        cls,
        cases: Cases,
        a: str,
        b: str,
        *,
        cost_range: RangeLike,
        level: float | str = 0.95,
        title: str | None = None,
        ax: Axes | None = None,
    ) -> Self:
        """Compare two models of a sample, and draw.

        Parameters
        ----------
        cases : Cases
            The sample.
        a, b : str
            The models.
        cost_range : pair of float or words, such as "5%..20%", keyword-only
            The range of cost proportions, chosen before looking at the data.
        level : float or words, such as "90%", keyword-only
            Confidence level, strictly between 0 and 1.
        title : str, keyword-only, optional
            The title at the left, "" for none.
        ax : matplotlib.axes.Axes, keyword-only, optional
            Where to draw; a new figure unless given.

        Returns
        -------
        display
            The display after drawing, with its axes in `ax_` and its figure in `figure_`.
        """
        return cls(crossing_set(cases, a, b, cost_range=cost_range, level=level), title=title).plot(ax=ax)

    def _draw(self, ax: Axes) -> Axes:
        return draw_difference(ax, self.crossing)


class GroupDifferencesDisplay(_ComparisonDisplay):
    """Difference between two models in every group, a forest plot, drawn by `draw_group_differences`.

    Parameters
    ----------
    comparison : GroupComparison
        The differences, from `stakes.uncertainty.compare_groups`.
    unit : str, keyword-only
        Unit of the measure, for the axis.
    title : str, keyword-only, optional
        The title at the left, "" for none; that of `draw_group_differences` unless given.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from stakes import Cases, accuracy
    >>> from stakes.plot import GroupDifferencesDisplay
    >>> cases = Cases([0, 1, 1, 0] * 20, {"a": [0.1, 0.8, 0.3, 0.2] * 20, "b": [0.6, 0.8, 0.3, 0.7] * 20})
    >>> sex, ax = ["f"] * 40 + ["m"] * 40, Figure().subplots()
    >>> display = GroupDifferencesDisplay.from_cases(cases, "a", "b", accuracy, sex, unit="accuracy", ax=ax)
    >>> list(display.comparison.groups), display.ax_.get_xlabel()
    (['f', 'm'], 'accuracy')
    """

    def __init__(self, comparison: GroupComparison, *, unit: str = "difference", title: str | None = None) -> None:
        self.comparison = comparison
        self.unit = unit
        super().__init__(title)

    @classmethod
    def from_cases(
        cls,
        cases: Cases,
        a: str,
        b: str,
        measure: MeasureLike,
        group: npt.ArrayLike,
        *,
        level: float | str = 0.95,
        unit: str = "difference",
        title: str | None = None,
        ax: Axes | None = None,
        **parameters: Any,
    ) -> Self:
        """Compare two models in the groups of a sample, and draw.

        Parameters
        ----------
        cases : Cases
            The sample.
        a, b : str
            The models.
        measure : Measure or callable
            One of our measures that has a formula, or one's own `Measure.mean`.
        group : array-like
            Group label of each case given to `Cases`; at most 50 different ones.
        level : float or words, such as "90%", keyword-only
            Confidence level, strictly between 0 and 1.
        unit : str, keyword-only
            Unit of the measure, for the axis.
        title : str, keyword-only, optional
            The title at the left, "" for none.
        ax : matplotlib.axes.Axes, keyword-only, optional
            Where to draw; a new figure unless given.
        **parameters
            Parameters of the measure, such as ``costs="5%..20%"``.

        Returns
        -------
        display
            The display after drawing, with its axes in `ax_` and its figure in `figure_`.
        """
        found = compare_groups(cases, a, b, measure, group, level=level, **parameters)
        return cls(found, unit=unit, title=title).plot(ax=ax)

    def _draw(self, ax: Axes) -> Axes:
        return draw_group_differences(ax, self.comparison, unit=self.unit)

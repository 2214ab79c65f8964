"""Records of a comparison of groups, and the formulas that join the differences of several groups."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from stakes import _check
from stakes._arrays import FloatArray
from stakes._case_columns import short
from stakes._errors import InputError
from stakes._groups import MISSING_GROUP
from stakes._wording import describe_method, show_interval
from stakes.uncertainty._answers import Comparison, Interval
from stakes.uncertainty._ends import Ends


@dataclass(frozen=True, slots=True, repr=False)
class GroupDifference:
    """The difference between two models in one group of the cases.

    Attributes
    ----------
    name : str
        The label of the group.
    cases, positives : int
        Number of its cases, and of those that are positive.
    prevalence : float
        Share of the positives, by weight.
    difference : Comparison
        The difference, with the interval that holds for this group by itself.
    adjusted : Interval
        The same difference with the wider interval that holds for all groups together, by Bonferroni's correction.
    skill : Interval
        The difference in skill: the same, divided by what a perfect model gains in this group over a score that is the
        same for all; ``nan`` where the group has one class only.
    error : float
        Standard error of the difference, of the cases seen: that of the test.
    left_out : str
        The reason why the test leaves the group out; empty where it does not.

    Examples
    --------
    >>> from stakes import Cases, expected_regret
    >>> from stakes.datasets import load_cohort
    >>> from stakes.uncertainty import compare_groups
    >>> cohort = load_cohort()
    >>> cases = Cases(cohort["cancer"], {"marker": cohort["cancerpredmarker"], "family": cohort["famhistory"]})
    >>> result = compare_groups(cases, "marker", "family", expected_regret, cohort["risk_group"], costs="5%..20%")
    >>> result.groups["intermediate"]
    GroupDifference(intermediate: -0.08769 [-0.1232, -0.05551])
    >>> result.groups["high"]
    GroupDifference(high: -0.3036 [-0.5139, -0.0908], left out: only 8 negatives)
    """

    name: str
    cases: int
    positives: int
    prevalence: float
    difference: Comparison
    adjusted: Interval
    skill: Interval
    error: float
    left_out: str

    def __repr__(self) -> str:
        found = self.difference
        ends = show_interval(found.difference, found.lower, found.upper)
        reason = f", left out: {self.left_out}" if self.left_out else ""
        return f"GroupDifference({short(self.name)}: {ends}{reason})"


@dataclass(frozen=True, slots=True, repr=False)
class GroupComparison:
    """The difference between two models in every group, and whether it differs between groups.

    Attributes
    ----------
    a, b : str
        The names of the models.
    groups : mapping of str to GroupDifference
        The difference in each group, `a` minus `b`; the largest group first.
    statistic : float
        Cochran's Q, by how much the differences vary between groups; ``nan`` with fewer than two groups in the test, or
        where the same clusters determine all of them.
    freedom : int
        Its degrees of freedom, one fewer than there are groups in the test.
    p_value : float
        The probability of a statistic at least as large if the difference were the same in all groups.
    common : float
        The mean of the differences in the test, each weighing as much as it is precise.
    level : float
        Confidence level of the intervals of single groups.
    adjusted_level : float
        Confidence level of each adjusted interval: all of them together hold with probability `level`.
    correlation : mapping of (str, str) to float
        The correlation of the differences of two groups; only pairs that share clusters are in it.
    caution : str
        The reason not to trust the p value, if the sample is small; else empty.

    Examples
    --------
    >>> from stakes import Cases, net_benefit
    >>> from stakes.datasets import load_cohort
    >>> from stakes.uncertainty import compare_groups
    >>> cohort = load_cohort()
    >>> cases = Cases(cohort["cancer"], {"marker": cohort["cancerpredmarker"], "family": cohort["famhistory"]})
    >>> result = compare_groups(cases, "marker", "family", net_benefit, cohort["age"] >= 65, costs="10%")
    >>> result
    GroupComparison(marker - family in 2 groups: Q = 12.1 on 1, p = 0.000504)
    >>> result.between("True", "False")
    Interval(0.07384 [0.03133, 0.1176], analytic)
    """

    a: str
    b: str
    groups: Mapping[str, GroupDifference]
    statistic: float
    freedom: int
    p_value: float
    common: float
    level: float
    adjusted_level: float
    correlation: Mapping[tuple[str, str], float]
    caution: str = ""

    @property
    def missing(self) -> GroupDifference | None:
        """The cases without a label, which are a group but not in the test; None where there are none."""
        return self.groups.get(MISSING_GROUP)

    @property
    def tested(self) -> tuple[str, ...]:
        """The names of the groups in the test."""
        return tuple(name for name, group in self.groups.items() if not group.left_out)

    def between(self, first: str, second: str) -> Interval:
        """Return by how much the difference between the models is larger in one group than in another.

        The distances to the ends of both intervals are combined by squares [1]_, with the correlation of groups that
        share clusters.

        Parameters
        ----------
        first, second : str
            The names of the groups.

        Returns
        -------
        Interval
            The difference in the first group minus that in the second, at the level of the comparison.

        References
        ----------
        .. [1] G. Y. Zou and A. Donner (2008), "Construction of confidence limits about effect measures: a general
           approach", Statistics in Medicine 27(10), 1693-1702.

        Examples
        --------
        >>> from stakes import Cases, accuracy
        >>> from stakes.uncertainty import compare_groups
        >>> cases = Cases([0, 1, 1, 0] * 20, {"a": [0.1, 0.8, 0.3, 0.2] * 20, "b": [0.6, 0.8, 0.3, 0.7] * 20})
        >>> found = compare_groups(cases, "a", "b", accuracy, ["f"] * 40 + ["m"] * 40)
        >>> found.between("f", "m").estimate
        0.0
        """
        for argument, name in (("first", first), ("second", second)):
            _check.choice(argument, name, tuple(self.groups))
        if first == second:
            raise InputError("second", "be a different group from `first`", repr(second))
        one, two = (self.groups[name].difference for name in (first, second))
        shared = self.correlation.get((first, second), self.correlation.get((second, first), 0.0))
        ends = (one.difference, one.lower, one.upper), (two.difference, two.lower, two.upper)
        doubt = "; ".join(dict.fromkeys(filter(None, [one.caution, two.caution])))
        estimate = one.difference - two.difference
        return Interval(estimate, *ends_between(*ends, correlation=shared), "analytic", caution=doubt)

    def __repr__(self) -> str:
        number, tested = len(self.groups), len(self.tested)
        some = "" if tested == number else f"{tested} of "
        names = f"{short(self.a)} - {short(self.b)} in {some}{number} group{'s' if number > 1 else ''}"
        test = f"Q = {self.statistic:.4g} on {self.freedom}, p = {self.p_value:.3g}"
        return f"GroupComparison({names}: {describe_method(test, self.caution)})"


Located = tuple[float, float, float]  # a number and the ends of its interval


def ends_between(first: Located, second: Located, *, correlation: float = 0.0) -> Ends:
    """Return the ends of the difference of two numbers from their own, combined by squares (MOVER)."""
    difference = first[0] - second[0]
    down = _joint_distance(first[0] - first[1], second[2] - second[0], correlation)
    up = _joint_distance(first[2] - first[0], second[0] - second[1], correlation)
    return difference - down, difference + up


def _joint_distance(one: float, two: float, correlation: float) -> float:
    if correlation == 0:
        return math.hypot(one, two)
    return math.sqrt(max(one**2 + two**2 - 2 * correlation * one * two, 0.0))


def heterogeneity(difference: FloatArray, error: FloatArray, correlation: FloatArray) -> tuple[float, float]:
    r"""Return Cochran's Q of differences and their common mean; both nan where Q is undefined.

    Q is the smallest :math:`(d - \mu 1)^\top \Sigma^{-1} (d - \mu 1)` over :math:`\mu`, which is then the mean. Without
    correlation it is :math:`\sum (d_g - \mu)^2 / \sigma_g^2`. It needs two differences, none of which follows
    from others.
    """
    if len(difference) < 2 or np.linalg.matrix_rank(correlation) < len(difference):
        return math.nan, math.nan
    scaled, one = difference / error, 1 / error
    weight = np.linalg.solve(correlation, one)
    common = float(weight @ scaled / (weight @ one))
    rest = scaled - common * one
    return float(rest @ np.linalg.solve(correlation, rest)), common

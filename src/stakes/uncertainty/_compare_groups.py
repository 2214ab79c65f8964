"""Two models compared in every group of the cases."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import special

from stakes import _check
from stakes._case_columns import IntArray
from stakes._cases_alike import given_cases, of_given, some_of
from stakes._errors import InputError, InputTypeError
from stakes._groups import MISSING_GROUP, group_codes
from stakes.beliefs import as_share
from stakes.cases import Cases
from stakes.measures import MeasureLike, with_parameters
from stakes.table import ScoreTable, flatten, frozen_table
from stakes.uncertainty._answers import (
    FEWEST_OF_A_CLASS,
    Comparison,
    Interval,
    caution,
    check_cases,
    few_of_a_class,
    units_of,
)
from stakes.uncertainty._group_differences import GroupComparison, GroupDifference, heterogeneity
from stakes.uncertainty._study import Study

_ROUNDING = 1e-12  # of the standard errors of two models: what is left of that of their difference where they agree


def compare_groups(
    cases: Cases,
    a: str,
    b: str,
    measure: MeasureLike,
    group: npt.ArrayLike,
    *,
    level: float | str = 0.95,
    **parameters: Any,
) -> GroupComparison:
    r"""Return the difference between two models in every group, and test whether it differs between groups.

    Each group has its difference :math:`\Delta_g`, as `compare` gives it for the cases of that group, with two
    intervals: one that holds for the group by itself, and one at level :math:`1 - (1 - \ell)/G`, so that those of all
    *G* groups hold together with probability :math:`\ell`. One interval that holds 0 beside one that does not is no
    sign that groups differ. That is what the test is for, Cochran's [1]_

    .. math:: Q = \sum_g (\Delta_g - \bar\Delta)^2 / \sigma_g^2, \qquad
              \bar\Delta = \sum_g \sigma_g^{-2} \Delta_g \Big/ \sum_g \sigma_g^{-2},

    which is chi-squared with one degree of freedom fewer than there are groups, if the difference is the same in all of
    them. The variances :math:`\sigma_g^2` are those of the cases seen, without the half-cases of the intervals, with
    which the test would be too careful. Groups that share clusters are correlated, and *Q* is then the quadratic form
    with their covariance.

    The test leaves out groups with fewer than 10 positives or 10 negatives, counted by their effective number if
    weighted, and groups in which the models do not disagree. Cases without a label are the group ``"(missing)"``, which
    is shown, and left out too.

    Differences in cost or net benefit grow with the prevalence. So they may differ between groups for that alone, and
    each group has its difference in skill as well: :math:`\Delta_g` divided by what a perfect model gains there over a
    score that is the same for all, a gain that its interval takes as known. To test whether skill differs, compare by
    `skill_score`.

    Parameters
    ----------
    cases : Cases
        The sample. Cases are independent, or come in independent clusters.
    a, b : str
        The names of the models to compare.
    measure : Measure or callable
        One of our measures that has a formula, or one's own `Measure.mean`.
    group : array-like
        Group label of each case given to `Cases`; at most 50 different ones. For several attributes, such as sex and
        site, compare by each in turn.
    level : float or words, such as "90%", keyword-only
        Confidence level, strictly between 0 and 1.
    **parameters
        Parameters of the measure, such as ``costs=Uniform(0.05, 0.2)``.

    Returns
    -------
    GroupComparison
        The difference in every group, `a` minus `b`, the largest group first, and the test.

    See Also
    --------
    compare : The difference over all cases.

    References
    ----------
    .. [1] W. G. Cochran (1954), "The combination of estimates from different experiments", Biometrics 10(1), 101-129.

    Examples
    --------
    >>> from stakes import Cases, net_benefit
    >>> from stakes.datasets import load_cohort
    >>> from stakes.uncertainty import compare_groups
    >>> cohort = load_cohort()
    >>> cases = Cases(cohort["cancer"], {"marker": cohort["cancerpredmarker"], "family": cohort["famhistory"]})
    >>> result = compare_groups(cases, "marker", "family", net_benefit, cohort["age"] >= 65, costs="10%")
    >>> for name, group in result.groups.items():
    ...     print(f"{name:5} {group.positives} positive, {group.difference.difference:.3f}, {group.skill.estimate:.2f}")
    True  85 positive, 0.105, 1.21
    False 20 positive, 0.031, 0.57
    >>> round(result.p_value, 4)
    0.0005
    """
    check_cases(cases)
    confidence = as_share("level", level, open_ends=True)
    bound = with_parameters(measure, parameters, of="compare_groups", own=["level"])
    for argument, model in (("a", a), ("b", b)):
        _check.choice(argument, model, cases.models)
    whole = Study(cases, bound)
    if any(one.form is None for one in whole.measures.values()):
        hint = "use one of our measures that has one, or `Measure.mean`"
        raise InputTypeError("measure", "have a formula", next(iter(whole.measures.values())).name, hint=hint)
    studied = {
        name: StudiedGroup.of(some_of(cases, here), bound, None if cases.cluster is None else cases.cluster[here])
        for name, here in _groups(cases, group).items()
    }
    return comparison_of(studied, a, b, whole=cases, level=confidence)


def _groups(cases: Cases, group: npt.ArrayLike) -> dict[str, npt.NDArray[np.bool_]]:
    """Return which cases are in each group, the largest first."""
    names, given = group_codes(group, given_cases(cases))
    codes = of_given(cases, given)
    found = {str(names[code]): codes == code for code in np.unique(codes)}
    if list(found) == [MISSING_GROUP]:
        raise InputError("group", "have a label for at least one case", "none")
    return dict(sorted(found.items(), key=lambda one: (-np.count_nonzero(one[1]), one[0])))


@dataclass(frozen=True, eq=False)
class StudiedGroup:
    """The study of one group, and the number that each of its clusters has in the whole sample."""

    study: Study
    clusters: IntArray | None

    @classmethod
    def of(
        cls, cases: Cases, measure: MeasureLike | Mapping[str, MeasureLike], cluster: IntArray | None
    ) -> StudiedGroup:
        """Return the study of some cases; `cluster` is the cluster of each in the whole sample."""
        return cls(Study(cases, measure), None if cluster is None else np.unique(cluster))

    @property
    def has_formula(self) -> bool:
        """Whether all measures have a formula."""
        return all(one.form is not None for one in self.study.measures.values())


def comparison_of(
    studied: Mapping[str, StudiedGroup], a: str, b: str, *, whole: Cases, level: float
) -> GroupComparison:
    """Return the comparison of two models in groups of the whole, studied by a measure with a formula."""
    adjusted = 1 - (1 - level) / len(studied)
    groups = {name: _in_group(name, one.study, a, b, level, adjusted) for name, one in studied.items()}
    tested = [name for name, one in groups.items() if not one.left_out]
    correlation = _correlations(studied, a, b)
    difference = np.array([groups[name].difference.difference for name in tested])
    error = np.array([groups[name].error for name in tested])
    statistic, common = heterogeneity(difference, error, _matrix(tested, correlation))
    freedom = max(len(tested) - 1, 0)
    chance = float(special.chdtrc(freedom, statistic)) if statistic >= 0 else math.nan
    test = statistic, freedom, chance, common
    doubt = caution(whole, trusted="p value")
    return GroupComparison(a, b, groups, *test, level, adjusted, correlation, doubt)


def _in_group(name: str, study: Study, a: str, b: str, level: float, adjusted: float) -> GroupDifference:
    cases, table = study.cases, study.cases.table(a)
    found, wider = (study.compare(a, b, level=one) for one in (level, adjusted))
    error = study.difference_spread(a, b).error
    return GroupDifference(
        name,
        len(cases),
        int(np.count_nonzero(cases.positive)),
        table.prevalence,
        found,
        Interval(wider.difference, wider.lower, wider.upper, wider.method, caution=wider.caution),
        _in_skill(found, study.measures[a].value, table),
        error,
        _reason(name, study, a, b, error),
    )


def _reason(name: str, study: Study, a: str, b: str, error: float) -> str:
    """Return why a group is left out of the test, or an empty text."""
    if name == MISSING_GROUP:
        return "no label"
    if few := few_of_a_class(study.cases, FEWEST_OF_A_CLASS):
        return few
    if not math.isfinite(error):
        return "one cluster" if units_of(study.cases) < 2 else "undefined difference"
    if error > _ROUNDING * sum(study.spread(model).error for model in (a, b)):
        return ""
    apart = study.estimates[a] - study.estimates[b]
    alike = abs(apart) <= _ROUNDING * max(abs(study.estimates[a]), abs(study.estimates[b]))
    return "no disagreement" if alike else "the same difference for every case"


def _in_skill(found: Comparison, measure: MeasureLike, table: ScoreTable) -> Interval:
    """Return a difference as a share of what a perfect model gains over a constant score."""
    gain = math.nan
    if 0 < table.prevalence < 1:
        ends, none = np.array([0.0, 1.0]), np.zeros(1)
        of_positives = np.concatenate([none, [table.positive_total]])
        perfect = frozen_table(ends, of_positives, np.concatenate([[table.negative_total], none]))
        gain = measure(perfect) - measure(flatten(table))
    share = 1 / gain if math.isfinite(gain) and gain else math.nan
    lower, upper = sorted((found.lower * share, found.upper * share))
    return Interval(found.difference * share, lower, upper, found.method, caution=found.caution)


def _correlations(studied: Mapping[str, StudiedGroup], a: str, b: str) -> dict[tuple[str, str], float]:
    """Return the correlation of the differences of all pairs of groups that share clusters."""
    pairs: dict[tuple[str, str], float] = {}
    for one, two in itertools.combinations(studied, 2):
        first, second = studied[one], studied[two]
        if first.clusters is None or second.clusters is None:
            continue
        _, here, there = np.intersect1d(first.clusters, second.clusters, assume_unique=True, return_indices=True)
        moved = [each.study.influence(a) - each.study.influence(b) for each in (first, second)]
        scale = math.sqrt(float(moved[0] @ moved[0]) * float(moved[1] @ moved[1]))
        if len(here) and scale > 0:
            pairs[one, two] = float(moved[0][here] @ moved[1][there]) / scale
    return pairs


def _matrix(names: Sequence[str], correlation: Mapping[tuple[str, str], float]) -> npt.NDArray[np.float64]:
    matrix = np.eye(len(names))
    for i, j in itertools.combinations(range(len(names)), 2):
        matrix[i, j] = matrix[j, i] = correlation.get((names[i], names[j]), 0.0)
    return matrix

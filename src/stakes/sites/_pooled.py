"""Records of several sites: each model at the average site and at a new one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from stakes._html import small_table
from stakes._wording import plain_number
from stakes.cases import short
from stakes.uncertainty import Interval


@dataclass(frozen=True, slots=True)
class SiteNumber:
    """The number of one site.

    Attributes
    ----------
    estimate : float
        The measure of the model at the site, or its difference to the baseline.
    error : float
        Its standard error, of the cases seen.
    cases, positives : int
        Numbers of cases of known outcome, and of positives among them.

    Examples
    --------
    >>> from stakes.sites import SiteNumber
    >>> SiteNumber(estimate=0.02, error=0.01, cases=500, positives=60).cases
    500
    """

    estimate: float
    error: float
    cases: int
    positives: int


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class PooledNumber:
    r"""The number of a model over several sites.

    Attributes
    ----------
    average : Interval
        The average site, with its interval.
    new_site : Interval
        A site like these that was not seen: the same estimate, with the interval in which its number lies;
        ``nan`` with fewer than three sites, which cannot say how sites differ.
    probability_better, probability_better_in_new_site : float
        Probability that the model is better than the baseline at the average site, and at a new one; ``nan`` without a
        baseline.
    tau : float
        Standard deviation between sites, by Paule and Mandel; ``nan`` with one site.
    q, p_value : float
        Cochran's test of equal sites.
    i_squared : float
        Share of the variation that is not chance, which grows with the size of the sites.
    sites : dict of str to SiteNumber
        The number of each site that is pooled.

    Examples
    --------
    >>> from stakes import Cases, brier_score
    >>> from stakes.sites import pool_sites
    >>> cases = Cases([0, 1, 1, 0] * 30, {"a": [0.1, 0.8, 0.9, 0.2, 0.3, 0.6] * 20})
    >>> pool_sites(cases, measure=brier_score, site=["north", "east", "south"] * 40).models["a"]
    PooledNumber(0.3381 [0.2238, 0.4574], new site [0.1212, 0.5603], 3 sites)
    """

    average: Interval
    new_site: Interval
    probability_better: float
    probability_better_in_new_site: float
    tau: float
    q: float
    p_value: float
    i_squared: float
    sites: Mapping[str, SiteNumber]

    def __repr__(self) -> str:
        one, low, high = map(plain_number, (self.average.estimate, self.average.lower, self.average.upper))
        new = f"[{plain_number(self.new_site.lower)}, {plain_number(self.new_site.upper)}]"
        return f"PooledNumber({one} [{low}, {high}], new site {new}, {_count_sites(len(self.sites))})"


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class PooledSites:
    """Numbers of models over several sites.

    Attributes
    ----------
    models : dict of str to PooledNumber
        Each model, or its difference to the baseline.
    measure : str
        The measure, with its parameters.
    better : str
        Direction in which it is better.
    baseline : str or None
        The model that the others are compared with; None for single numbers.
    level : float
        The level of the intervals.
    left_out : dict of str to str
        Sites and models that are left out, and why.
    probability_best, probability_best_in_new_site : dict of str to float
        Probability that each model is the best at the average site, and at a new one; empty with a baseline, for one
        model, and with fewer than two sites, or three for a new one.
    findings : tuple of str
        Sentences on whether the answer depends on the site, and on what was left out.

    Examples
    --------
    >>> from stakes import Cases, brier_score
    >>> from stakes.sites import pool_sites
    >>> cases = Cases([0, 1, 1, 0] * 30, {"a": [0.1, 0.8, 0.9, 0.2, 0.3, 0.6] * 20})
    >>> pool_sites(cases, measure=brier_score, site=["north", "east", "south"] * 40)
    PooledSites(brier_score of a at 3 sites)
    """

    models: Mapping[str, PooledNumber]
    measure: str
    better: str
    baseline: str | None
    level: float
    left_out: Mapping[str, str]
    findings: tuple[str, ...]
    probability_best: Mapping[str, float]
    probability_best_in_new_site: Mapping[str, float]

    def __repr__(self) -> str:
        number = _count_sites(len({site for one in self.models.values() for site in one.sites}))
        to = "" if self.baseline is None else f", less {short(self.baseline)},"
        return f"PooledSites({self.measure} of {', '.join(map(short, self.models))}{to} at {number})"

    def _repr_html_(self) -> str:
        """Show the average and the new site of each model."""
        rows = [
            (name, *map(plain_number, (one.average.estimate, *_ends(one.average), *_ends(one.new_site), one.tau)))
            for name, one in self.models.items()
        ]
        headings = ("model", "average", "from", "to", "new site from", "to", "between sites")
        return small_table(repr(self)[len("PooledSites(") : -1], headings, rows, " ".join(self.findings))


def _count_sites(sites: int) -> str:
    return "1 site" if sites == 1 else f"{sites} sites"


def _ends(one: Interval) -> tuple[float, float]:
    return one.lower, one.upper

"""Each model at the average site and at a new one, and whether the answer depends on the site."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from stakes._arrays import FloatArray
from stakes._errors import join_words
from stakes._html import small_table
from stakes._wording import plain_number
from stakes.cases import short
from stakes.sites._site_mixture import Heterogeneity, SiteMixture
from stakes.sites._site_summary import SiteSummary
from stakes.uncertainty import FEWEST_OF_A_CLASS, Interval, single_deviate

_FEWEST_FOR_A_NEW_ONE = 3  # sites that say how sites differ


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
        return f"PooledNumber({one} [{low}, {high}], new site {new}, {_counted(len(self.sites))})"


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

    def __repr__(self) -> str:
        number = _counted(len({site for one in self.models.values() for site in one.sites}))
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


def _counted(sites: int) -> str:
    return "1 site" if sites == 1 else f"{sites} sites"


def _ends(one: Interval) -> tuple[float, float]:
    return one.lower, one.upper


# ------------------------------------------------------------------------------------------- pooling


@dataclass(frozen=True)
class Gathered:
    """Summaries of sites, the models that all share, and the others with why they are left out.

    `ordinary` gives the interval of a model, or of its difference to another, where there is one site and its cases are
    here.
    """

    summaries: Sequence[SiteSummary]
    models: Sequence[str]
    left_out: Mapping[str, str]
    ordinary: Callable[[str, str | None, float], Interval] | None = None

    def pool(self, baseline: str | None, level: float) -> PooledSites:
        """Pool each model, or its difference to the baseline."""
        first = self.summaries[0]
        numbers = {name: self._number(name, baseline, level) for name in self.models if name != baseline}
        said = [
            one for name, number in numbers.items() for one in _findings(name, baseline, number, first.better, level)
        ]
        left_out = {**self.left_out, **dict(self._unsure(numbers, baseline))}
        return PooledSites(
            models=numbers,
            measure=first.measure,
            better=first.better,
            baseline=baseline,
            level=level,
            left_out=left_out,
            findings=(*said, *(f"{name} is left out: {why}." for name, why in left_out.items())),
        )

    def _unsure(self, numbers: Mapping[str, PooledNumber], baseline: str | None) -> Iterator[tuple[str, str]]:
        """Yield sites that are not pooled, since nothing says how surely they know a number, and why."""
        for summary in self.summaries:
            without = [model for model, number in numbers.items() if summary.site not in number.sites]
            if without:
                errors = {_site_number(summary, model, baseline).error for model in without}
                less = "" if baseline is None else f" less {baseline}"
                error = "0" if errors == {0.0} else "not known"
                yield summary.site, f"the standard error of {join_words(without)}{less} is {error} there"

    def _number(self, model: str, baseline: str | None, level: float) -> PooledNumber:
        found = {one.site: _site_number(one, model, baseline) for one in self.summaries}
        sites = {name: one for name, one in found.items() if one.error > 0 or self.ordinary is not None}
        known = list(sites.values())
        if len(known) < 2:
            one = self._single(known, model, baseline, level)
            return PooledNumber(
                average=one,
                new_site=Interval(one.estimate, math.nan, math.nan, one.method, caution=_TOO_FEW),
                probability_better=math.nan,
                probability_better_in_new_site=math.nan,
                tau=math.nan,
                q=math.nan,
                p_value=math.nan,
                i_squared=math.nan,
                sites=sites,
            )
        return _pooled_number(sites, known, self.summaries[0].better, level, is_difference=baseline is not None)

    def _single(self, known: Sequence[SiteNumber], model: str, baseline: str | None, level: float) -> Interval:
        if self.ordinary is not None:
            return self.ordinary(model, baseline, level)
        if not known:
            return Interval(math.nan, math.nan, math.nan, "normal", caution="no site has a standard error above 0")
        (only,) = known
        off = single_deviate(level) * only.error
        return Interval(only.estimate, only.estimate - off, only.estimate + off, "normal")


_TOO_FEW = "fewer than three sites cannot say how sites differ"


def _site_number(summary: SiteSummary, model: str, baseline: str | None) -> SiteNumber:
    less = 0.0 if baseline is None else summary.estimates[baseline]
    error = math.sqrt(np.maximum(summary.variance(model, baseline), 0.0))  # nan stays nan
    return SiteNumber(summary.estimates[model] - less, error, summary.cases, summary.positives)


def _pooled_number(
    sites: Mapping[str, SiteNumber], known: Sequence[SiteNumber], better: str, level: float, *, is_difference: bool
) -> PooledNumber:
    """Pool at least two sites."""
    mixture, apart = SiteMixture.of(*_arrays(known)), _apart(known)
    tells = len(known) >= _FEWEST_FOR_A_NEW_ONE
    next_ends = mixture.ends(level, new_site=True) if tells else (math.nan, math.nan)

    def chance(*, new_site: bool) -> float:
        below = mixture.below(0.0, new_site=new_site)
        return below if better == "smaller" else 1 - below

    return PooledNumber(
        average=Interval(mixture.average, *mixture.ends(level, new_site=False), "mixture", caution=_few(known)),
        new_site=Interval(mixture.average, *next_ends, "mixture", caution="" if tells else _TOO_FEW),
        probability_better=chance(new_site=False) if is_difference else math.nan,
        probability_better_in_new_site=chance(new_site=True) if is_difference and tells else math.nan,
        tau=apart.tau,
        q=apart.q,
        p_value=apart.p_value,
        i_squared=apart.i_squared,
        sites=sites,
    )


def _few(known: Sequence[SiteNumber]) -> str:
    few = sum(min(one.positives, one.cases - one.positives) < FEWEST_OF_A_CLASS for one in known)
    sites = "1 site has" if few == 1 else f"{few} sites have"
    return f"{sites} fewer than {FEWEST_OF_A_CLASS} cases of a class" if few else ""


def _findings(model: str, baseline: str | None, number: PooledNumber, better: str, level: float) -> Iterator[str]:
    """Say whether the answer depends on the site."""
    if number.tau > (error := _apart([*number.sites.values()]).error if len(number.sites) > 1 else math.inf):
        what = model if baseline is None else f"{model} less {baseline}"
        yield (
            f"The answer depends on the site: the standard deviation of {what} between sites is "
            f"{plain_number(number.tau)}, and the standard error of its average {plain_number(error)}."
        )
    if baseline is not None and (both := _both_ways(number.sites, level)):
        least, most = both if better == "smaller" else both[::-1]
        yield f"Beyond chance, {model} is better than {baseline} at {least} and worse at {most}."


def _apart(known: Sequence[SiteNumber]) -> Heterogeneity:
    return Heterogeneity.of(*_arrays(known))


def _arrays(known: Sequence[SiteNumber]) -> tuple[FloatArray, FloatArray]:
    """Return the numbers of sites, and their variances."""
    return np.array([one.estimate for one in known]), np.array([one.error**2 for one in known])


def _both_ways(sites: Mapping[str, SiteNumber], level: float) -> tuple[str, str] | None:
    """Return the sites surest below and above 0, if neither can be chance."""
    surest = {name: one.estimate / one.error for name, one in sites.items()}
    deviate = single_deviate(1 - (1 - level) / max(len(sites), 1))
    low, high = (pick(surest, key=surest.__getitem__, default=None) for pick in (min, max))
    if low is None or high is None or not surest[low] < -deviate < deviate < surest[high]:
        return None
    return low, high

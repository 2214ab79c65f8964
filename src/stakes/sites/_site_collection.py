"""Numbers of sites pooled, and whether the answer depends on the site."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from stakes._arrays import FloatArray
from stakes._errors import join_words
from stakes._wording import name, plain_number
from stakes.sites._joint_sites import best_over_sites
from stakes.sites._pooled import PooledNumber, PooledSites, SiteNumber
from stakes.sites._site_mixture import Heterogeneity, SiteMixture
from stakes.sites._site_summary import SiteSummary
from stakes.uncertainty import FEWEST_OF_A_CLASS, Interval, single_deviate

_FEWEST_FOR_A_NEW_ONE = 3  # sites that say how sites differ


@dataclass(frozen=True)
class SiteCollection:
    """Summaries of sites, the models that all share, and the others with why they are left out.

    `ordinary` gives the interval of a model, or of its difference to another, where there is one site and its cases are
    here.
    """

    summaries: Sequence[SiteSummary]
    models: Sequence[str]
    left_out: Mapping[str, str]
    left_out_kind: Literal["site", "model"] = "site"
    ordinary: Callable[[str, str | None, float], Interval] | None = None

    def pool(self, baseline: str | None, level: float) -> PooledSites:
        """Pool each model, or its difference to the baseline."""
        first = self.summaries[0]
        numbers = {model: self._number(model, baseline, level) for model in self.models if model != baseline}
        said = [
            one for model, number in numbers.items() for one in _findings(model, baseline, number, first.better, level)
        ]
        unsure = list(self._unsure(numbers, baseline))
        left_out = {**self.left_out, **{one.site: one.why for one in unsure}}
        named = [f"The {self.left_out_kind} {name(one)} is left out: {why}." for one, why in self.left_out.items()]
        average, new_site = self._best(left_out) if baseline is None else ({}, {})
        return PooledSites(
            models=numbers,
            measure=first.measure,
            better=first.better,
            baseline=baseline,
            level=level,
            left_out=left_out,
            findings=(*said, *named, *(one.sentence for one in unsure)),
            probability_best=average,
            probability_best_in_new_site=new_site,
        )

    def _best(self, left_out: Mapping[str, str]) -> tuple[dict[str, float], dict[str, float]]:
        """Return the probability of each model to be the best at the average site, and at a new one."""
        kept = [one for one in self.summaries if one.site not in left_out]
        if len(kept) < 2 or len(self.models) < 2:
            return {}, {}
        average, new_site = (best_over_sites(kept, self.models, new_site=is_new) for is_new in (False, True))
        return average, new_site if len(kept) >= _FEWEST_FOR_A_NEW_ONE else {}

    def _unsure(self, numbers: Mapping[str, PooledNumber], baseline: str | None) -> Iterator[_UnsureSite]:
        """Yield sites that are not pooled, since nothing says how surely they know a number."""
        for summary in self.summaries:
            without = [model for model, number in numbers.items() if summary.site not in number.sites]
            if without:
                errors = {_site_number(summary, model, baseline).error for model in without}
                yield _UnsureSite(summary.site, without, baseline, "0" if errors == {0.0} else "not known")

    def _number(self, model: str, baseline: str | None, level: float) -> PooledNumber:
        found = {one.site: _site_number(one, model, baseline) for one in self.summaries}
        sites = {site: one for site, one in found.items() if one.error > 0 or self.ordinary is not None}
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


@dataclass(frozen=True)
class _UnsureSite:
    """A site whose number of some models has no standard error above 0."""

    site: str
    models: Sequence[str]
    baseline: str | None
    error: str

    @property
    def why(self) -> str:
        """Why it is not pooled."""
        less = "" if self.baseline is None else f" less {self.baseline}"
        return f"the standard error of {join_words(self.models)}{less} is {self.error} there"

    @property
    def sentence(self) -> str:
        """A sentence that names the models it is left out of: others may have it."""
        less = "" if self.baseline is None else f" less {name(self.baseline)}"
        errors = "its standard error is" if len(self.models) == 1 else "their standard errors are"
        models = join_words([name(model) for model in self.models])
        return f"The site {name(self.site)} is left out of {models}{less}: {errors} {self.error} there."


_TOO_FEW = "fewer than three sites cannot say how sites differ"


def _site_number(summary: SiteSummary, model: str, baseline: str | None) -> SiteNumber:
    less = 0.0 if baseline is None else summary.estimates[baseline]
    error = math.sqrt(np.maximum(summary.variance(model, baseline), 0.0))  # nan stays nan
    return SiteNumber(summary.estimates[model] - less, error, summary.cases, summary.positives)


def _pooled_number(
    sites: Mapping[str, SiteNumber], known: Sequence[SiteNumber], better: str, level: float, *, is_difference: bool
) -> PooledNumber:
    """Pool at least two sites."""
    mixture, apart = SiteMixture.of(*_numbers_and_variances(known)), _heterogeneity(known)
    tells = len(known) >= _FEWEST_FOR_A_NEW_ONE
    next_ends = mixture.ends(level, new_site=True) if tells else (math.nan, math.nan)

    def chance(*, new_site: bool) -> float:
        below = mixture.below(0.0, new_site=new_site)
        return below if better == "smaller" else 1 - below

    return PooledNumber(
        average=Interval(mixture.average, *mixture.ends(level, new_site=False), "mixture", caution=_caution(known)),
        new_site=Interval(mixture.average, *next_ends, "mixture", caution="" if tells else _TOO_FEW),
        probability_better=chance(new_site=False) if is_difference else math.nan,
        probability_better_in_new_site=chance(new_site=True) if is_difference and tells else math.nan,
        tau=apart.tau,
        q=apart.q,
        p_value=apart.p_value,
        i_squared=apart.i_squared,
        sites=sites,
    )


def _caution(known: Sequence[SiteNumber]) -> str:
    """Say how many sites have few cases of a class; nothing if none."""
    few = sum(min(one.positives, one.cases - one.positives) < FEWEST_OF_A_CLASS for one in known)
    sites = "1 site has" if few == 1 else f"{few} sites have"
    return f"{sites} fewer than {FEWEST_OF_A_CLASS} cases of a class" if few else ""


def _findings(model: str, baseline: str | None, number: PooledNumber, better: str, level: float) -> Iterator[str]:
    """Say whether the answer depends on the site."""
    if (error := error_beside_tau(number, level)) is not None:
        what = model if baseline is None else f"{model} less {baseline}"
        depends = "The answer" if baseline is not None and changes_sign(number) else "The number"
        yield (
            f"{depends} depends on the site: the standard deviation of {what} between sites is "
            f"{plain_number(number.tau)}, and the standard error of its average {plain_number(error)}."
        )
    if baseline is not None and (both := both_ways(number.sites, level)):
        least, most = both if better == "smaller" else both[::-1]
        yield f"Beyond chance, {model} is better than {baseline} at {least} and worse at {most}."


def error_beside_tau(number: PooledNumber, level: float) -> float | None:
    """Return the standard error of the average if sites lie further apart than it, beyond chance.

    Between equal sites the standard deviation exceeds that error by chance, in 16% of samples of two sites and 40% of
    samples of thirty; so Cochran's test has to reject equal sites too.
    """
    if len(number.sites) < 2:
        return None
    error = _heterogeneity([*number.sites.values()]).error
    return error if number.tau > error and number.p_value < 1 - level else None


def changes_sign(number: PooledNumber) -> bool:
    """Return whether a difference is below 0 at one site and above it at another."""
    estimates = [one.estimate for one in number.sites.values()]
    return min(estimates) < 0 < max(estimates)


def _heterogeneity(known: Sequence[SiteNumber]) -> Heterogeneity:
    return Heterogeneity.of(*_numbers_and_variances(known))


def _numbers_and_variances(known: Sequence[SiteNumber]) -> tuple[FloatArray, FloatArray]:
    """Return the numbers of sites, and their variances."""
    return np.array([one.estimate for one in known]), np.array([one.error**2 for one in known])


def both_ways(sites: Mapping[str, SiteNumber], level: float) -> tuple[str, str] | None:
    """Return the sites surest below and above 0, if neither can be chance."""
    surest = {site: one.estimate / one.error for site, one in sites.items() if one.error > 0}
    deviate = single_deviate(1 - (1 - level) / max(len(sites), 1))
    low, high = (pick(surest, key=surest.__getitem__, default=None) for pick in (min, max))
    if low is None or high is None or not surest[low] < -deviate < deviate < surest[high]:
        return None
    return low, high

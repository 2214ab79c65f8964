"""Numbers of several sites pooled: the average site, and a new one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from stakes import _check, _columns
from stakes._cases_alike import given_cases, not_followed, of_given, some_of
from stakes._errors import Argument, InputError, InputTypeError
from stakes.beliefs import as_share
from stakes.cases import Cases, horizons_of
from stakes.measures import MeasureLike, with_parameters
from stakes.sites._pooled import PooledSites
from stakes.sites._site_collection import SiteCollection
from stakes.sites._site_summary import SiteSummary, known_outcome, summarise
from stakes.uncertainty import Interval, Study

_OWN = ("measure", "site", "baseline", "level")


def pool_sites(
    sites: Cases | Iterable[SiteSummary],
    *,
    measure: MeasureLike | None = None,
    site: npt.ArrayLike | None = None,
    baseline: str | None = None,
    level: float | str = 0.95,
    **parameters: Any,
) -> PooledSites:
    r"""Pool a measure over sites: the average site, and what to expect of a site that was not seen.

    Site *j* has the number :math:`d_j` with variance :math:`v_j`, from the influence of its own cases, and lies
    :math:`u_j \sim N(0, \tau^2)` from the average site. How far apart sites are, :math:`\tau`, is averaged over:
    beforehand it is half-Cauchy with scale :math:`4 s`, :math:`s^2 = k/\sum_j v_j^{-1}`, and the average is flat. So
    intervals hold with few sites too, where those that take :math:`\tau` as known are too narrow. Paule and Mandel's
    :math:`\tau` [1]_, Cochran's *Q* and :math:`I^2` are given as description.

    This is not `merge`: a merged table answers for these patients, and its AUC, skill and best threshold are those of a
    mixed crowd, not averages of the sites. With one site, the interval is that of `interval` or `compare`.

    Parameters
    ----------
    sites : Cases, or a list of SiteSummary
        The cases of all sites, or the summaries of at least one.
    measure : Measure or callable, keyword-only, optional
        One of our measures that has a formula, or one's own `Measure.mean`; with cases only. To compare sites at one
        prevalence, use a shifted measure: what is left between sites is then the model's doing.
    site : array-like, keyword-only, optional
        Label of the site of each case given to `Cases`; with cases only.
    baseline : str, keyword-only, optional
        Model with which the others are compared, on the same cases of each site; single numbers unless given.
    level : float or words, such as "90%", keyword-only
        Confidence level, strictly between 0 and 1.
    **parameters
        Parameters of the measure, such as ``costs="10%"``.

    Returns
    -------
    PooledSites
        Each model at the average site and at a new one, the sites, and findings.

    See Also
    --------
    site_summary : What a site gives away instead of cases.

    References
    ----------
    .. [1] R. C. Paule and J. Mandel (1982), "Consensus values and weighting factors", Journal of Research of the
       National Bureau of Standards 87(5), 377-385.

    Examples
    --------
    >>> from stakes import Cases, net_benefit
    >>> from stakes.datasets import load_cohort
    >>> from stakes.sites import pool_sites
    >>> cohort = load_cohort()
    >>> cases = Cases(cohort["cancer"], {"marker": cohort["cancerpredmarker"], "family": cohort["famhistory"]})
    >>> where = [("north", "east", "south")[row % 3] for row in range(len(cases))]
    >>> pooled = pool_sites(cases, measure=net_benefit, site=where, baseline="family", costs="10%")
    >>> pooled.models["marker"].average
    Interval(0.06733 [0.01493, 0.1221], mixture)
    """
    confidence = as_share("level", level, open_ends=True)
    if isinstance(sites, Cases):
        found = _of_cases(sites, measure, site, parameters)
    else:
        found = _of_summaries(sites, {"measure": measure, "site": site, **parameters})
    if baseline is not None:
        _check.choice("baseline", baseline, found.models)
        if len(found.models) == 1:
            raise InputError("baseline", "be one of several models", f"the only one, {baseline!r}")
    return found.pool(baseline, confidence)


def _of_cases(cases: Cases, measure: MeasureLike | None, site: Any, parameters: Mapping[str, Any]) -> SiteCollection:
    """Summarise the cases of each site that has both classes."""
    for argument, given in (("measure", measure), ("site", site)):
        if given is None:
            raise InputError(argument, ("be given where ", Argument("sites"), " are cases"), "none")
    assert measure is not None
    if several := horizons_of(cases):
        raise InputError("sites", "have one horizon here", str(len(several)), hint="use `at(horizon)` for one of them")
    bound = with_parameters(measure, parameters, of="pool_sites", own=_OWN)
    members = _by_site(cases, site)
    left_out = {name: why for name, here in members.items() if (why := not_followed(cases, here))}
    parts = {name: some_of(cases, here) for name, here in members.items() if name not in left_out}
    left_out |= {name: why for name, part in parts.items() if (why := _one_class(part))}
    kept = {name: part for name, part in parts.items() if name not in left_out}
    if not kept:
        raise InputError("site", "label at least one site that has positives and negatives", "none")
    only = partial(_ordinary, Study(next(iter(kept.values())), bound)) if len(kept) == 1 else None
    summaries = [summarise(part, bound, name, parameters) for name, part in kept.items()]
    return SiteCollection(summaries, cases.models, left_out, ordinary=only)


def _by_site(cases: Cases, site: Any) -> dict[str, npt.NDArray[np.bool_]]:
    """Return which cases are of each site; raise if a label is missing."""
    labels = np.asarray(site, dtype=object if isinstance(site, list | tuple) else None)
    if labels.shape != (given_cases(cases),):
        raise InputError(
            "site", f"have one label for each of the {given_cases(cases):,} cases", f"shape {labels.shape}"
        )
    missing = _columns.missing_labels(labels)
    if missing is not None:
        _columns.check_no_missing("site", missing)
    names, codes = np.unique(of_given(cases, labels).astype(np.str_), return_inverse=True)
    return {str(name): codes == code for code, name in enumerate(names)}


def _one_class(cases: Cases) -> str:
    """Return which class a site lacks, or an empty text."""
    known = cases.positive[known_outcome(cases)]
    if not known.any():
        return "it has no positives"
    return "it has no negatives" if known.all() else ""


def _ordinary(study: Study, model: str, baseline: str | None, level: float) -> Interval:
    if baseline is None:
        return study.intervals(level=level)[model]
    found = study.compare(model, baseline, level=level)
    return Interval(found.difference, found.lower, found.upper, found.method, caution=found.caution)


def _of_summaries(sites: Iterable[SiteSummary], others: Mapping[str, Any]) -> SiteCollection:
    """Check that summaries are of one measure, and of different sites."""
    for argument, given in others.items():
        if given is not None:
            raise InputError(argument, "be left out with summaries, which have their own", _check.show(given))
    if isinstance(sites, str | bytes | Mapping) or not isinstance(sites, Iterable):
        raise InputTypeError("sites", "be Cases or a list of SiteSummary", type(sites).__name__)
    found = list(sites)
    for one in found:
        _check.check_type(SiteSummary, "sites", one)
    if not found:
        raise InputError("sites", "hold at least one summary", "none")
    names = [one.site for one in found]
    if twice := [name for name in names if names.count(name) > 1]:
        raise InputError("sites", "have a name of its own for each site", f"{twice[0]!r} {names.count(twice[0])} times")
    if len(measures := {(one.measure, one.better) for one in found}) > 1:
        raise InputError("sites", "be summaries of one measure", " and ".join(sorted({name for name, _ in measures})))
    return _with_shared_models(found)


def _with_shared_models(found: list[SiteSummary]) -> SiteCollection:
    everywhere = set.intersection(*(set(one.models) for one in found))
    shared = [model for model in found[0].models if model in everywhere]
    if not shared:
        raise InputError("sites", "share at least one model", "none")
    others = sorted({model for one in found for model in one.models} - everywhere)
    return SiteCollection(found, shared, dict.fromkeys(others, "it is not at every site"), "model")

"""Summaries of sites in files, which hold no cases: one of the cases read, and those of other sites."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from stakes._errors import Argument, InputError
from stakes.cases import Cases
from stakes.evaluation import Evaluation, unlimited

if TYPE_CHECKING:
    from stakes.sites import SiteSummary

_STANDARD_INPUT = "standard input"


def site_of(file: str | None) -> str:
    """Return the name of the site whose cases or summary are in a file: that of the file."""
    return _STANDARD_INPUT if file in (None, "-") else Path(str(file)).stem


def read_summaries(files: Sequence[str]) -> list[SiteSummary]:
    """Read the summaries of other sites, before any work."""
    if not files:  # most commands have none, and need not load what reads them
        return []
    from stakes.sites import SiteSummary

    return [SiteSummary.load(one) for one in files]


def summary_here(cases: Cases, evaluation: Evaluation, site: str) -> SiteSummary:
    """Summarise the cases that were read, by what models are ranked by."""
    from stakes.sites import site_summary

    bound: Any = unlimited(evaluation.decision)
    try:
        return site_summary(cases, bound.func, site=site, **bound.keywords)
    except InputError as error:
        if error.argument == Argument("cases"):
            raise error.but(argument=Argument("file")) from None
        raise


def check_alike(own: SiteSummary, others: Sequence[SiteSummary], model: str) -> None:
    """Raise unless summaries of other sites can be pooled with the cases that were read."""
    names = [own.site]
    for one in others:
        if one.measure != own.measure:
            hint = "write them with the same --costs and --prevalence"
            raise InputError("other_sites", f"be summaries of {own.measure}", f"{one.measure} of {one.site}", hint=hint)
        if one.site in names:
            raise InputError("other_sites", "have a name of its own for each site", f"{one.site!r} twice")
        if model not in one.models:
            raise InputError("other_sites", f"have the model {model}", f"{', '.join(one.models)} of {one.site}")
        names.append(one.site)

"""Summaries of a site: a number of each model, and how surely it is known, without any case."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from stakes import _check
from stakes._errors import InputError, InputTypeError
from stakes._sealed_file import read_sealed, unreadable, write_sealed
from stakes.cases import Cases
from stakes.measures import MeasureLike, with_parameters
from stakes.uncertainty import FEWEST_OF_A_CLASS, Study, check_cases

_KIND, _FORMAT, _WRITER = "stakes site summary", 1, "SiteSummary.save"


@dataclass(frozen=True, kw_only=True, repr=False)
class SiteSummary:
    """A measure of each model at one site, and the covariances of these numbers: all that pooling needs.

    It has *K* numbers and *K* (*K* + 1)/2 covariances for *K* models, and no case can be found in it.

    Attributes
    ----------
    site : str
        Name of the site.
    measure : str
        The measure, with its parameters; summaries are pooled only if it is the same.
    better : str
        Direction in which it is better, ``"smaller"`` or ``"larger"``.
    cases, positives : int
        Numbers of cases of known outcome, and of positives among them.
    estimates : dict of str to float
        The measure of each model.
    covariance : tuple of tuple of float
        Covariance of the numbers of each two models, in the order of `estimates`.

    Examples
    --------
    >>> from stakes import Cases, brier_score
    >>> from stakes.sites import site_summary
    >>> cases = Cases([0, 1, 1, 0] * 9, {"a": [0.1, 0.8, 0.9, 0.2] * 9, "b": [0.3, 0.5, 0.5, 0.2] * 9})
    >>> site_summary(cases, brier_score, site="north")
    SiteSummary(north: brier_score of a, b; 36 cases, 18 positive)
    """

    site: str
    measure: str
    better: str
    cases: int
    positives: int
    estimates: Mapping[str, float]
    covariance: tuple[tuple[float, ...], ...]

    def __repr__(self) -> str:
        what = f"{self.measure} of {', '.join(self.estimates)}"
        return f"SiteSummary({self.site}: {what}; {self.cases:,} cases, {self.positives:,} positive)"

    @property
    def models(self) -> tuple[str, ...]:
        """Names of the models."""
        return tuple(self.estimates)

    def variance(self, model: str, baseline: str | None = None) -> float:
        """Return the variance of the number of a model, or of its difference to another.

        Parameters
        ----------
        model : str
            The model.
        baseline : str, optional
            The other.

        Returns
        -------
        float
            The variance.

        Examples
        --------
        >>> from stakes import Cases, brier_score
        >>> from stakes.sites import site_summary
        >>> summary = site_summary(Cases([0, 1, 1, 0] * 9, {"a": [0.1, 0.8, 0.6, 0.2] * 9}), brier_score, site="north")
        >>> round(summary.variance("a"), 6)
        9.5e-05
        """
        one = self.models.index(_check.choice("model", model, self.models))
        if baseline is None:
            return self.covariance[one][one]
        two = self.models.index(_check.choice("baseline", baseline, self.models))
        return self.covariance[one][one] + self.covariance[two][two] - 2 * self.covariance[one][two]

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the summary as JSON, in the form of ``site.schema.json`` in this package, with its SHA-256.

        Parameters
        ----------
        path : str or path-like
            The file; one of that name is replaced.

        Examples
        --------
        >>> import tempfile
        >>> from pathlib import Path
        >>> from stakes import Cases, brier_score
        >>> from stakes.sites import SiteSummary, site_summary
        >>> summary = site_summary(Cases([0, 1, 1, 0] * 9, {"a": [0.1, 0.8, 0.6, 0.2] * 9}), brier_score, site="north")
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     summary.save(Path(folder) / "north.json")
        ...     SiteSummary.load(Path(folder) / "north.json") == summary
        True
        """
        write_sealed(_check.path("path", path), {"kind": _KIND, "format": _FORMAT, **asdict(self)})

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> SiteSummary:
        """Read a summary that was saved; raise if it was changed, or is of another kind or version.

        Parameters
        ----------
        path : str or path-like
            The file.

        Returns
        -------
        SiteSummary
            The summary.

        Examples
        --------
        >>> import tempfile
        >>> from pathlib import Path
        >>> from stakes import Cases, auc
        >>> from stakes.sites import SiteSummary, site_summary
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = Path(folder) / "north.json"
        ...     site_summary(Cases([0, 1, 1, 0] * 9, {"a": [0.1, 0.8, 0.6, 0.2] * 9}), auc, site="north").save(path)
        ...     SiteSummary.load(path)
        SiteSummary(north: auc of a; 36 cases, 18 positive)
        """
        source = _check.path("path", path)
        contents = read_sealed(source, _KIND, _FORMAT, _WRITER)
        try:
            return _summary(contents)
        except (AttributeError, KeyError, TypeError, ValueError):
            raise unreadable(source, _WRITER, "it lacks a part, or has one of the wrong kind") from None


def site_summary(cases: Cases, measure: MeasureLike, *, site: str, **parameters: Any) -> SiteSummary:
    """Summarise the cases of one site, for `pool_sites` elsewhere: no case leaves the site.

    With fewer than 10 positives or 10 negatives the numbers would say too much about single cases, and too little about
    how surely they are known: that is refused.

    Parameters
    ----------
    cases : Cases
        The cases of the site.
    measure : Measure or callable
        One of our measures that has a formula, or one's own `Measure.mean`. For sites with other prevalences than the
        one of interest, a shifted measure, such as `shifted_regret`, moves each to it.
    site : str, keyword-only
        Name of the site.
    **parameters
        Parameters of the measure, such as ``costs="10%"``, written alike at every site.

    Returns
    -------
    SiteSummary
        The summary, which can be saved.

    See Also
    --------
    pool_sites : The average of several sites, and the next one.

    Examples
    --------
    >>> from stakes import Cases, net_benefit
    >>> from stakes.datasets import load_cohort
    >>> from stakes.sites import site_summary
    >>> cohort = load_cohort()
    >>> cases = Cases(cohort["cancer"], {"marker": cohort["cancerpredmarker"], "family": cohort["famhistory"]})
    >>> site_summary(cases, net_benefit, site="Berlin", costs="10%")
    SiteSummary(Berlin: net_benefit(costs='10%') of marker, family; 750 cases, 105 positive)
    """
    _check.check_type(str, "site", site)
    summary = summarise(cases, with_parameters(measure, parameters, of="site_summary", own=["site"]), site, parameters)
    rarer = min(summary.positives, summary.cases - summary.positives)
    if rarer < FEWEST_OF_A_CLASS:
        wanted = f"have at least {FEWEST_OF_A_CLASS} positives and {FEWEST_OF_A_CLASS} negatives to be summarised"
        raise InputError("cases", wanted, f"{rarer} of one")
    return summary


def known_outcome(cases: Cases) -> npt.NDArray[np.bool_]:
    """Return which cases were followed for long enough: the others have weight 0, and are in no class."""
    return np.ones(len(cases), dtype=np.bool_) if cases.weight is None else cases.weight > 0


def summarise(cases: Cases, bound: MeasureLike, site: str, parameters: Mapping[str, Any]) -> SiteSummary:
    """Return the summary of any cases, however few."""
    check_cases(cases)
    study = Study(cases, bound)
    first = next(iter(study.measures.values()))
    if first.form is None:
        hint = "use one of our measures that has one, or `Measure.mean`"
        raise InputTypeError("measure", "have a formula", first.name, hint=hint)
    single = {model: study.spread(model).error ** 2 for model in cases.models}

    def covariance(a: str, b: str) -> float:
        return single[a] if a == b else (single[a] + single[b] - study.difference_spread(a, b).error ** 2) / 2

    known = known_outcome(cases)
    stated = ", ".join(f"{name}={value!r}" for name, value in sorted(parameters.items()))
    return SiteSummary(
        site=site,
        measure=f"{first.name}({stated})" if stated else first.name,
        better=str(first.better),
        cases=int(np.count_nonzero(known)),
        positives=int(np.count_nonzero(cases.positive & known)),
        estimates=dict(study.estimates),
        covariance=tuple(tuple(covariance(a, b) for b in cases.models) for a in cases.models),
    )


# ------------------------------------------------------------------------------------------- the file


def _summary(contents: Mapping[str, Any]) -> SiteSummary:
    """Return a summary from plain values; raise if one is of the wrong kind."""
    estimates = {str(model): _finite(value) for model, value in contents["estimates"].items()}
    covariance = tuple(tuple(map(_finite, row)) for row in contents["covariance"])
    if [*map(len, covariance)] != [len(estimates)] * len(estimates):
        raise ValueError
    counts: dict[str, Any] = {name: _check.whole_number(name, contents[name], 0) for name in ("cases", "positives")}
    words = {name: contents[name] for name in ("site", "measure", "better")}
    if not all(isinstance(word, str) for word in words.values()) or words["better"] not in ("smaller", "larger"):
        raise ValueError
    return SiteSummary(**words, **counts, estimates=estimates, covariance=covariance)


def _finite(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise ValueError
    return float(value)

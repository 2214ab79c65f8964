"""The pooled answer over sites: for a terminal, for JSON and for the page."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from stakes import _check
from stakes._cases_alike import of_given, some_of
from stakes._cost_columns import OUTCOMES
from stakes._errors import Argument, InputError
from stakes._predictions import reference_name
from stakes._wording import NOT_KNOWN, chance, name, percent
from stakes.cases import Cases
from stakes.cli._site_files import check_alike, read_summaries, site_of, summary_here
from stakes.evaluation import EVERYONE, NO_ONE, CaseSource, Evaluation, Source, Unit, unlimited
from stakes.uncertainty import Interval

if TYPE_CHECKING:
    from stakes.sites import PooledNumber, PooledSites, SiteSummary


@dataclass(frozen=True)
class SiteAnswer:
    """Each model over sites, and its difference to another, the baseline or the one with the lowest cost."""

    alone: PooledSites
    versus: PooledSites
    unit: Unit
    heading: str  # of the differences
    described: Mapping[str, tuple[int, float]]  # cases of each site, followed or not, and share of positives
    references: tuple[str, ...]  # acting on everyone and on no one, and by amounts alone

    @property
    def other(self) -> str:
        """The model or reference that the others are compared with."""
        return str(self.versus.baseline)


@dataclass(frozen=True)
class AskedSites:
    """Questions about sites: those of a column, the file beside other sites, and a summary of it."""

    column: str | None
    others: Sequence[SiteSummary]
    here: str  # the site of the file
    summarised: str | None  # the name of its site in its summary, if one is to be written

    @classmethod
    def of(cls, column: str | None, others: Sequence[str], out: Path | None, file: str | None) -> AskedSites:
        """Read the summaries of other sites."""
        return cls(column, read_summaries(others), site_of(file), None if out is None else site_of(str(out)))

    def answer(self, source: Source, evaluation: Evaluation) -> tuple[SiteAnswer | None, SiteSummary | None]:
        """Pool the cost of each model and reference over sites, and summarise the file, as far as asked for."""
        if self.column is None and not self.others and self.summarised is None:
            return None, None
        if not isinstance(source, CaseSource):
            role = "site" if self.column is not None else "other_sites" if self.others else "site_summary"
            raise InputError(role, ("be left out with more cases than ", Argument("in_memory"), " allows"))
        constants = {reference_name(one, source.cases.models): score for one, score in ((EVERYONE, 1.0), (NO_ONE, 0.0))}
        references = constants | dict.fromkeys(source.amounts_alone, math.nan)  # which have scores of their own
        cases = source.with_constants(references).cases
        summary = None if self.summarised is None else summary_here(cases, evaluation, self.summarised)
        if self.column is not None:
            return _over_column(source, cases, evaluation, tuple(references)), summary
        return (self._beside_others(cases, evaluation, tuple(references)) if self.others else None), summary

    def _beside_others(self, cases: Cases, evaluation: Evaluation, references: tuple[str, ...]) -> SiteAnswer:
        other, own = _compared_with(evaluation), summary_here(cases, evaluation, self.here)
        check_alike(own, self.others, other)
        sites = [own, *self.others]
        described = {one.site: (one.cases, one.positives / one.cases) for one in sites}
        return _answer(sites, evaluation, described, references)


def _over_column(source: CaseSource, cases: Cases, evaluation: Evaluation, references: tuple[str, ...]) -> SiteAnswer:
    """Pool over the sites of a column."""
    measure, site = unlimited(evaluation.decision), source.columns.site
    found = _answer(cases, evaluation, {}, references, measure=measure, site=site)
    named = dict.fromkeys(label for number in found.alone.models.values() for label in number.sites)
    return replace(found, described=_cases_and_prevalence(source.cases, site, named))


def _answer(
    sites: Cases | Sequence[SiteSummary],
    evaluation: Evaluation,
    described: Mapping[str, tuple[int, float]],
    references: tuple[str, ...],
    **asked: Any,
) -> SiteAnswer:
    from stakes.sites import pool_sites

    other, level = _compared_with(evaluation), evaluation.level
    heading = "vs best" if evaluation.baseline is None else f"vs {name(other)}"
    alone, versus = (pool_sites(sites, baseline=one, level=level, **asked) for one in (None, other))
    return SiteAnswer(alone, versus, evaluation.unit, heading, described, references)


def _compared_with(evaluation: Evaluation) -> str:
    return evaluation.baseline or evaluation.best.model


def _cases_and_prevalence(cases: Cases, site: Any, names: Iterable[str]) -> dict[str, tuple[int, float]]:
    """Return the number of cases of each site, and the share of positives among them, as groups have them."""
    labels = of_given(cases, np.asarray(site)).astype(np.str_)
    parts = {label: some_of(cases, labels == label) for label in names}
    return {label: (len(part), part.table(part.models[0]).prevalence_of_cases) for label, part in parts.items()}


def check_site(options: Mapping[str, Any]) -> None:
    """Raise if sites are given together with what cannot be pooled."""
    given = [role for role in ("site", "other_sites", "site_summary") if options[role] not in (None, ())]
    if not given:
        return
    if len(given) > 1 and given[0] == "site":
        raise InputError(given[1], ("be left out with ", Argument("site")), _check.show(options[given[1]]))
    asked, shown = given[0], _check.show(options[given[0]])
    if options["prevalence"] is not None and any(options[cost] is not None for cost in OUTCOMES):
        wanted = ("be left out with ", Argument("prevalence"), " where each case has costs of its own")
        raise InputError(asked, wanted, shown)
    for role in ("capacity", "min_precision", "actions", "repeat", "engine", "harm"):
        if options[role] not in (None, ()):
            raise InputError(asked, ("be left out with ", Argument(role)), shown)
    if np.size(options["horizon"]) > 1:
        raise InputError(asked, ("be left out with several times of ", Argument("horizon")), shown)


# ------------------------------------------------------------------------------------------- rows and sentences


def site_rows(answer: SiteAnswer) -> list[list[str]]:
    """Return the average site and a new one of every model, headings first."""
    compared = (answer.heading, "interval", "new site", "P(better) there")
    rows = [["over sites", "average", "interval", "new site", *compared]]
    order = sorted(answer.alone.models, key=lambda model: answer.alone.models[model].average.estimate)
    return rows + [_row(answer, model) for model in order]


def _row(answer: SiteAnswer, model: str) -> list[str]:
    unit, one, less = answer.unit, answer.alone.models[model], answer.versus.models.get(model)
    alone = [name(model), unit.number(one.average.estimate), _ends(unit, one.average), _ends(unit, one.new_site)]
    if less is None:
        return [*alone, *[NOT_KNOWN] * 4]
    better = less.probability_better_in_new_site
    there = NOT_KNOWN if math.isnan(better) else chance(better)
    return [*alone, unit.signed(less.average.estimate), _ends(unit, less.average), _ends(unit, less.new_site), there]


def _ends(unit: Unit, found: Interval) -> str:
    return unit.interval(found.estimate, found.lower, found.upper)


def each_site_rows(answer: SiteAnswer) -> list[list[str]]:
    """Return the cost of every model at every site, headings first."""
    models = answer.alone.models
    rows = [["site", "cases", "positive", *map(name, models)]]
    for site, (cases, share) in answer.described.items():
        costs = [answer.unit.number(number.sites[site].estimate) if site in number.sites else NOT_KNOWN
                 for number in models.values()]  # fmt: skip
        rows.append([name(site), f"{cases:,}", percent(share), *costs])
    return rows


def site_note(answer: SiteAnswer) -> str:
    """Explain the columns."""
    return (
        f"Expected cost {answer.unit.heading}, {percent(answer.alone.level)} intervals. Average: the average site, not "
        "the average case. New site: where the number of a site like these that was not seen would lie. "
        f"P(better) there: the probability of costing less than {name(answer.other)} at such a site."
    )


def site_sentences(answer: SiteAnswer) -> list[str]:
    """Say what pooling found, and what it hides."""
    said = [one for model in told(answer) for one in _about(answer, model)]
    left_out = (one for pooled in (answer.alone, answer.versus) for one in _left_out(pooled))
    return [*said, *dict.fromkeys(left_out)]


def _left_out(pooled: PooledSites) -> Sequence[str]:
    """Return the findings on sites and models that are left out, which come last."""
    return pooled.findings[len(pooled.findings) - len(pooled.left_out) :]


def told(answer: SiteAnswer) -> Sequence[str]:
    """Return the models to speak of: those that are not references, or the best rival if there are none."""
    models = [model for model in answer.versus.models if model not in answer.references]
    return models or sorted(answer.versus.models, key=lambda one: answer.versus.models[one].average.estimate)[:1]


def _about(answer: SiteAnswer, model: str) -> Iterator[str]:
    from stakes.sites import both_ways, changes_sign, error_beside_tau

    number, unit = answer.versus.models[model], answer.unit
    what, other = name(model), name(answer.other)
    average = f"{_more(unit, number.average.estimate)} than {other} {unit.cases}"
    ends = f"{percent(answer.alone.level)} interval {span(unit, number.average)}"
    yield f"At {_sites(number)}, {what} costs {average} ({ends}){_elsewhere(number, unit)}."
    if (error := error_beside_tau(number, answer.alone.level)) is not None:
        tau, depends = unit.cost(number.tau), "The answer" if changes_sign(number) else "The size of the difference"
        yield (
            f"{depends} depends on the site, which pooling hides: between sites the difference of {what} to {other} "
            f"has a standard deviation of {tau}, and its average a standard error of {unit.number(error)}."
        )
    if both := both_ways(number.sites, answer.alone.level):
        yield f"Beyond chance, {what} costs less than {other} at {name(both[0])} and more at {name(both[1])}."
    if number.average.caution:
        yield f"Take this with care: {number.average.caution}."


def _elsewhere(number: PooledNumber, unit: Unit) -> str:
    if math.isnan(number.new_site.lower):
        return "; fewer than three sites cannot say what to expect of another"
    lower, upper = (_more(unit, end) for end in (number.new_site.lower, number.new_site.upper))
    better = chance(number.probability_better_in_new_site)
    return f"; at a site that was not seen, {lower} to {upper}, and less with probability {better}"


def span(unit: Unit, found: Interval) -> str:
    """Write the ends of a difference as so much more, or less, if that is what the estimate is."""
    if found.lower < 0 < found.upper:
        return f"{unit.number(-found.lower)} less to {unit.number(found.upper)} more"
    least, most = sorted((abs(found.lower), abs(found.upper)))
    return unit.interval(abs(found.estimate), least, most)


def _more(unit: Unit, difference: float) -> str:
    number = unit.number(abs(difference))
    return f"{unit.mistakes(unit.name, number)} {'less' if difference < 0 else 'more'}"


def _sites(number: PooledNumber) -> str:
    return "the only site" if len(number.sites) == 1 else f"the average of {len(number.sites)} sites"


# ------------------------------------------------------------------------------------------- numbers


def site_values(answer: SiteAnswer) -> dict[str, Any]:
    """Return the pooled numbers as plain values of the JSON file."""
    return {
        "baseline": answer.other,
        "level": answer.alone.level,
        "models": {model: _plain(one, answer) for model, one in answer.alone.models.items()},
        "differences": {model: _plain(one, answer) for model, one in answer.versus.models.items()},
        "probability_best": dict(answer.alone.probability_best),
        "probability_best_in_new_site": dict(answer.alone.probability_best_in_new_site),
        "left_out": {**answer.alone.left_out, **answer.versus.left_out},
        "findings": site_sentences(answer),
    }


def _plain(one: PooledNumber, answer: SiteAnswer) -> dict[str, Any]:
    numbers = {
        "average": one.average.estimate,
        "lower": one.average.lower,
        "upper": one.average.upper,
        "new_site_lower": one.new_site.lower,
        "new_site_upper": one.new_site.upper,
        "probability_better": one.probability_better,
        "probability_better_in_new_site": one.probability_better_in_new_site,
        "tau": one.tau,
        "q": one.q,
        "p_value": one.p_value,
        "i_squared": one.i_squared,
    }
    sites = [
        {"site": site, "estimate": found.estimate, "error": found.error, "cases": cases,
         "positives": found.positives, "prevalence": share}
        for site, found in one.sites.items()
        for cases, share in [answer.described[site]]
    ]  # fmt: skip
    return {key: value if math.isfinite(value) else None for key, value in numbers.items()} | {"sites": sites}

"""Findings about cases that were not all followed until the horizon."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from stakes import _wording
from stakes._language import number as write
from stakes._language import say, say_list
from stakes.cases import Cases, scores_of_cases, weighed_cases
from stakes.evaluation._follow_up_text import write_p_value
from stakes.evaluation._results import Finding, Results, Standing
from stakes.evaluation.findings._sentences import display_name, display_names, filled_in, models
from stakes.outcome import FollowUp, longest_horizon, near_horizon

FOLLOW_UP_TEMPLATES = {
    "left-differ": "Those who left differ in the scores of {model} from those who stayed ({p}): state what that "
    "depends on, as strata or covariates of censoring; if it is not known, no method can repair this.",
    "like-survival": "The scores of {model} look like survival probabilities: their mean is {mean}, {free} are free of "
    "the event at the horizon, and the AUC is {auc}; the score must be the risk.",
    "mostly-unknown": "{unknown} of {cases} cases ({share}) left before the horizon: the {known} who are known stand "
    "for all.",
    "mostly-unknown-late": "{unknown} of {cases} cases ({share}) left before the horizon or entered too late: the "
    "{known} who are known stand for all.",
    "horizon-far": "By the horizon {horizon}, the chance of still being followed falls to {least}; up to {longest} it "
    "stays at 10% or more.",
    "horizon-far-unsaid": "The chance of still being followed falls to {least}: few cases stand for many.",
    "seldom-observed": "The chance of being under observation falls to {least}: few cases stand for many.",
    "heavy-case": "One case has {share} of the total weight: {why} make the cases count like {effective}.",
    "other-events": "Acting from {threshold}, {count} of 100 alarms of {model} are followed by another event first, "
    "and count as false.",
    "other-events-elsewhere": "At another prevalence, those with another event and those free of any are taken to "
    "keep their shares of the negatives.",
    "near-horizon": "{count} times differ from the horizon by no more than rounding: they count as before or after "
    "it, as they are given.",
}

_UNLIKELY = 0.01  # of a check of scores; below it, chance is no good explanation
_NEAR = 0.1  # of the share that survives
_LEAST, _HEAVY = 0.1, 0.05
_MANY = 0.01  # of the cases


def follow_up_warnings(results: Results) -> Iterator[Finding]:
    """Warn of scores by which cases left, and of scores that mean the opposite."""
    found = results.sample.follow_up
    if found is None or results.cases is None:
        return
    yield from _survival(results, found)
    differ = [one for one in models(results) if found.score_checks.get(one.model, 1.0) < _UNLIKELY]
    if differ:
        chances = {one.model: found.score_checks[one.model] for one in differ}
        most = max(chances.values())
        text = "p at most {most:.3f}" if len(differ) > 1 else "p = {most:.3f}"
        shown = write_p_value(most, text)
        yield _finding("left-differ", chances, model=display_names(differ), p=shown)


def like_survival(results: Results) -> list[Standing]:
    """Return models with scores that rank cases backwards, around the share that survives."""
    found = results.sample.follow_up
    if found is None or results.cases is None:
        return []
    free = 1 - found.risk
    means = {one.model: _mean_score(results.cases, one.model) for one in models(results)}
    near = [
        one for one in models(results) if abs(means[one.model] - free) < min(_NEAR, abs(means[one.model] - found.risk))
    ]
    return [one for one in near if one.auc < 0.5]


def _survival(results: Results, found: FollowUp) -> Iterator[Finding]:
    for one in like_survival(results):
        assert results.cases is not None
        mean, free = _mean_score(results.cases, one.model), 1 - found.risk
        numbers = {"mean": mean, "free": free, "auc": one.auc}
        shown = {"mean": _wording.percent(mean), "free": _wording.percent(free), "auc": write(one.auc, ".2f")}
        yield _finding("like-survival", numbers, model=display_name(one), **shown)


def _mean_score(cases: Cases, model: str) -> float:
    """Return the mean score of everyone, known or not."""
    weighed = weighed_cases(cases)
    own = cases.weight if weighed is None else weighed.cases
    return float(np.average(scores_of_cases(cases, model), weights=own))


def follow_up_notes(results: Results) -> Iterator[Finding]:
    """Say how much rests on few cases, and how other events count."""
    found = results.sample.follow_up
    if found is None or results.cases is None or results.cases.outcome is None:
        return
    if 2 * found.unknown > found.cases:
        share = _wording.percent(found.unknown / found.cases)
        counts = {"known": found.cases - found.unknown, "unknown": found.unknown, "cases": found.cases}
        shown = {name: write(count, ",") for name, count in counts.items()} | {"share": share}
        yield _finding("mostly-unknown-late" if found.entered_late else "mostly-unknown", counts, **shown)
    yield from _far(results.cases, found)
    yield from _heavy(results.cases.at(found.horizon), found)
    yield from _other_events(results, found)
    near = near_horizon(results.cases.outcome)
    if near > max(1, _MANY * found.cases):
        yield _finding("near-horizon", {"count": near}, count=write(near, ","))


def _heavy(cases: Cases, found: FollowUp) -> Iterator[Finding]:
    """Name what makes one case count for much, and for more than twice its even share."""
    if found.largest_weight <= max(_HEAVY, 2 / found.cases):
        return
    weighed = weighed_cases(cases)
    own = cases.weight if weighed is None else weighed.cases
    causes = [say("unequal weights")] if own is not None and np.ptp(own) > 0 else []
    causes += [say("unequal chances of being followed")] if weighed is not None else []
    numbers = {"share": found.largest_weight, "effective": found.effective_cases}
    shown = {"share": _wording.percent(found.largest_weight), "effective": write(found.effective_cases, ".1f")}
    yield _finding("heavy-case", numbers, **shown, why=say_list(causes))


def _far(cases: Cases, found: FollowUp) -> Iterator[Finding]:
    weighed = weighed_cases(cases)
    if weighed is None or found.least_probability >= _LEAST:
        return
    longest = longest_horizon(weighed.outcome, weighed.cases, _LEAST)
    numbers, least = {"least": found.least_probability}, _wording.percent(found.least_probability)
    if longest is None:
        late = found.censoring == "independent with late entry"
        yield _finding("seldom-observed" if late else "horizon-far-unsaid", numbers, least=least)
        return
    shown = {"horizon": write(found.horizon, "g"), "longest": write(longest, ".6g"), "least": least}
    yield _finding("horizon-far", numbers | {"longest": longest}, **shown)


def _other_events(results: Results, found: FollowUp) -> Iterator[Finding]:
    """Count the alarms that another event follows, and say what another prevalence takes for granted."""
    if not found.competing:
        return
    chosen, prevalence = results.recommended_threshold, results.decision.prevalence
    if prevalence is not None:
        yield _finding("other-events-elsewhere", {"competing": found.competing})
    elif chosen is not None and results.cases is not None and results.cases.outcome is not None:
        cases = results.cases
        weight = np.ones(len(cases)) if cases.weight is None else cases.weight
        alarms = weight * (scores_of_cases(cases, chosen.model) >= chosen.threshold)
        share = float(alarms @ results.cases.outcome.competing) / (float(alarms.sum()) or 1.0)
        if round(100 * share) >= 1:
            shown = {"threshold": _wording.exact_percent(chosen.threshold), "count": f"{100 * share:.0f}"}
            yield _finding("other-events", {"share": share}, model=_wording.name(chosen.model), **shown)


def _finding(kind: str, numbers: Mapping[str, float], **values: str) -> Finding:
    template = FOLLOW_UP_TEMPLATES[kind]
    floats = {name: float(number) for name, number in numbers.items()}
    return filled_in(kind, template, "followed", floats, values)

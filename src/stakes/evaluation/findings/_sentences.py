"""The sentences, with their numbers left open; the page writes the same ones when a control moves."""

from __future__ import annotations

import math
from collections.abc import Sequence

from stakes import _wording
from stakes.beliefs import At
from stakes.evaluation._results import Finding, Results, Standing

TEMPLATES = {
    # who is best
    "best": "{best} costs least {where}: {regret} per 1,000 cases, against {second_regret} for {second} "
    "({level} interval of the difference {lower} to {upper}).",
    "best-close": "{best} costs least {where}, {regret} per 1,000 cases, but cannot be told apart from {second}, "
    "{second_regret} ({level} interval of the difference {lower} to {upper}).",
    "best-unsure": "{best} costs least {where}: {regret} per 1,000 cases, against {second_regret} for {second}.",
    "best-tied": "{best} and {second} cost the same {where}: {regret} per 1,000 cases.",
    "best-reference": "No model is worth using {where}: {best} costs {regret} per 1,000 cases, {second}, the best "
    "model, {second_regret}.",
    "worthless": "{model} costs more {where} than {reference}, which needs no model: {regret} per 1,000 cases "
    "against {reference_regret}.",
    # how much is known
    "too-small": "About {needed} cases would be needed to tell {best} from {second}, {times} times as many as there "
    "are, if the difference is what it seems.",
    "few-clusters": "The cases come in only {count} clusters: take every interval here as a rough guide.",
    "few": "Only {count} cases are {which}: take every interval here as a rough guide.",
    "one-class": "Every case is {which}: nothing can be said about the other mistake, and measures that compare the "
    "two classes are undefined.",
    "wrong-way": "The scores of {model} run the wrong way: positives have the lower ones (AUC {auc}). Is the positive "
    "outcome the right one?",
    "left-out": "Left out: {count}, because not every model has a score there.",
    "unpaired": "How sure the order is cannot be told from tables alone: they do not know which cases models share.",
    # acting
    "never-acts": "{model} never acts {where}: no score is above {highest}. It is the same as acting on no one.",
    "always-acts": "{model} always acts {where}: no score is below {lowest}. It is the same as acting on everyone.",
    "hardly-acts": "{model} hardly ever acts {where}: on {share} of the cases at most, and costs {regret} per 1,000, "
    "against {reference_regret} for acting on no one.",
    "nearly-always-acts": "{model} acts on at least {share} of the cases anywhere {where}, and costs {regret} per "
    "1,000, against {reference_regret} for acting on everyone.",
    # limits
    "limits-unmet": "No cut of {model} keeps to your limits ({limits}): {closest}. It never acts.",
    "limits-cost": "Your limits cost {extra} per 1,000 cases: with as many alarms as it likes, {model} would cost "
    "{regret} (cuts judged on the cases they were chosen on, so expect a little more).",
    "limits-cost-chosen": "Your limits cost {extra} per 1,000 cases: {limited} against {regret} with as many alarms as "
    "{model} likes, both with cuts judged on the cases they were chosen on.",
    # the order
    "crossing-below": "Below {odds} ({cost}) {other} is better than {best}: there it costs {gain} per 1,000 cases "
    "less, on average.",
    "crossing-above": "Above {odds} ({cost}) {other} is better than {best}: there it costs {gain} per 1,000 cases "
    "less, on average.",
    "steady": "{best} stays the best if {change}.",
    "unsteady": "The order changes if {change}: then {other} costs least, {gain} per 1,000 cases less than {best}.",
    "other-measure": "By {measure} {other} would be chosen ({other_value} against {best_value}): {why}.",
    # calibration and prevalence
    "mismatch": "{model} {expects} {expected} positives; {observed} occurred. Correcting that alone {effect}.",
    "recalibrate": "Recalibration alone would take up to {gain} per 1,000 cases off {model}, judged on the same cases.",
    "recalibrate-fair": "Recalibration alone would take {gain} per 1,000 cases off {model}, judged on other cases than "
    "it was learnt on.",
    "recalibrate-useless": "Recalibration would not help {model}: judged on other cases than it was learnt on, it adds "
    "{loss} per 1,000 cases.",
    "recalibrate-order": "If every model were recalibrated, {other} would cost least: {regret} per 1,000 cases, "
    "against {best_regret} for {best}, judged on {cases}.",
    "prevalence": "You expect a prevalence of {stated}, the sample has {observed}: using the scores of {model} as they "
    "are would cost {extra} per 1,000 cases more than correcting them.",
    # groups
    "group-worse": "{group} fares worse than {reference}: with {model} it costs {gap} per 1,000 cases more "
    "({level} interval {lower} to {upper}), {label} of it because the condition is {common}, {calibration} from "
    "calibration and {sharpness} from how well the scores separate.",
    "groups-alike": "No group can be told from {reference}, the largest: with {model} what the others cost differs by "
    "{least} to {most} per 1,000 cases.",
    "group-one-class": "{group} has only {which} cases: why it differs cannot be said.",
}


_SAID = {"act on everyone": "acting on everyone", "act on no one": "acting on no one"}


def said(standing: Standing) -> str:
    """Write the name of a model or a reference as a sentence does."""
    return (
        _SAID.get(standing.model, _wording.name(standing.model))
        if standing.reference
        else _wording.name(standing.model)
    )


def listed(standings: Sequence[Standing]) -> str:
    """Write several names as a sentence does."""
    *first, last = map(said, standings)
    return f"{', '.join(first)} and {last}" if first else last


def where(results: Results) -> str:
    """Say what is looked at: a range of costs, or a single one."""
    return "at your cost" if isinstance(results.decision.costs, At) else "in your range"


def models(results: Results) -> list[Standing]:
    """Return the models, least costly first, without the references."""
    return [standing for standing in results.ranking if not standing.reference]


def references(results: Results) -> dict[str, Standing]:
    """Return the references by what they do."""
    return {said(standing): standing for standing in results.ranking if standing.reference}


def visible(share: float) -> bool:
    """Whether a share of all cases is more than nothing when written per 1,000."""
    return math.isfinite(share) and _wording.per_thousand(abs(share)) != "0.0"


def finding(kind: str, evidence: str, numbers: dict[str, float], **values: str) -> Finding:
    """Write a sentence; it starts with a capital unless with a name from the data."""
    text = TEMPLATES[kind].format(**values)
    return Finding(kind, text, TEMPLATES[kind], values, numbers, evidence)

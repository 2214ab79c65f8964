"""Sentence templates of the findings, which the HTML report also fills in when a control moves."""

from __future__ import annotations

from collections.abc import Sequence

from stakes import _wording
from stakes._language import say, say_list, translated
from stakes._predictions import reference_name
from stakes.beliefs import At, in_money
from stakes.evaluation._results import Finding, Results, Standing

TEMPLATES = {
    # the answer, which ends what "If ..., " begins
    "use": "use {best}.",
    "use-either": "use {best} or {second}: they do not differ detectably ({lower} to {upper} {unit}).",
    "use-tied": "use {best} or {second}: they cost the same.",
    "use-unsure": "use {best}: it costs least in this sample.",
    "use-none": "use no model: {reference}.",
    "use-none-close": "use no model: {reference}; {second} does not differ detectably ({lower} to {upper} {unit}).",
    "use-none-unsure": "use no model: {reference}, which costs least in this sample.",
    "worth-using": "{best} is worth using.",
    "not-worth-using": "{second} is not worth using: {reference}.",
    "act-from": "Act from {threshold}.",
    "act-from-with": "With {best}, act from {threshold}.",
    "act-never": "Within your limits, no threshold of {best} is worth acting from.",
    # who is best
    "best": "{best} has the lowest expected cost {where}: it {verb} {regret}, against {second_regret} for {second} "
    "({level} interval for the difference {lower} to {upper}).",
    "best-close": "In this sample, {best} has the lowest expected cost {where}, but does not differ detectably from "
    "{second}: it {verb} {regret}, against {second_regret} ({level} interval for the difference {lower} to {upper}).",
    "best-unsure": "In this sample, {best} has the lowest expected cost {where}: it {verb} {regret}, against "
    "{second_regret} for {second}.",
    "best-tied": "{best} and {second} have the same expected cost {where}: each {verb} {regret}.",
    "best-reference": "No model is worth using {where}: {best} {verb} {regret}, against {second_regret} for {second}, "
    "the best model ({level} interval for the difference {lower} to {upper}).",
    "best-reference-close": "No model costs less {where} than {best}, which {verb} {regret}; {second}, the best "
    "model, {second_regret}, does not differ detectably ({level} interval for the difference {lower} to {upper}).",
    "best-reference-unsure": "In this sample, no model costs less {where} than {best}, which {verb} {regret}, against "
    "{second_regret} for {second}, the best model.",
    "one-threshold": "Acting from {threshold}, {model} has {misses} and {false_alarms} {per}: {sum}, against "
    "{following} where the threshold follows the cost.",
    "one-threshold-alike": "Acting from {threshold}, {model} has {misses} and {false_alarms} {per}: {sum}.",
    "one-threshold-chosen": "Acting from {threshold}, {model} has {misses} and {false_alarms} {per}: {sum} (threshold "
    "chosen in-sample, so optimistic).",
    "plateau": "With {model}, any threshold from {low} to {high} does as well: it costs at most {worst} in this "
    "sample.",
    "baseline": "{model} costs {amount} {more} {where} than {baseline} ({level} interval {lower} to {upper}).",
    "baseline-close": "{model} does not differ detectably {where} from {baseline}: in this sample, it costs {amount} "
    "{more} ({level} interval {lower} to {upper}).",
    "baseline-unsure": "In this sample, {model} costs {amount} {more} {where} than {baseline}.",
    "baseline-tied": "{model} and {baseline} have the same expected cost {where} in this sample.",
    "worthless": "{model} costs more {where} than {reference}: {regret}, against {reference_regret} "
    "({level} interval for the difference {lower} to {upper}).",
    "worthless-close": "{model} is not detectably better or worse {where} than {reference}: {regret}, "
    "against {reference_regret} ({level} interval for the difference {lower} to {upper}).",
    # validation of a procedure
    "validated": "Validated ({how}), {model} costs {validated}; its apparent cost, on the cases it was fitted to, is "
    "{apparent}, which is {gap} too low.",
    "validated-no-gap": "Validated ({how}), {model} costs {validated}; its apparent cost, on the cases it was fitted "
    "to, is {apparent}, not lower.",
    "fit-unchanged": "{model} makes the same predictions whatever it is fitted to, so this does not validate it; "
    "check whether its `fit` changes anything.",
    # how much is known
    "too-small": "Telling {best} from {second} would take about {needed} cases, {times} times as many as there are, "
    "if the difference is as estimated.",
    "few-clusters": "The cases come from only {count} clusters, so treat every interval as a rough guide.",
    "few": "Only {count} {cases_are} {which}, so treat every interval as a rough guide.",
    "few-effective": "The weights of the {count} {which} cases are so unequal that they count like {effective}, so "
    "treat every interval as a rough guide.",
    "few-weight": "The {which} cases weigh only {weight}, and tables count each unit of weight as one case, so treat "
    "every interval as a rough guide.",
    "one-class": "Every case is {which}, so {mistakes} cannot be assessed and no answer can be given; measures that "
    "compare the two classes are undefined.",
    "wrong-way": "The scores of {model} rank cases backwards: positives score lower (AUC {auc}); check which outcome "
    "is coded as positive.",
    "dropped": "Dropped: {count} without a score from at least one model.",
    "dropped-other": "Dropped: {reasons}.",
    "unpaired": "Tables alone cannot show how certain the order is: they do not record which cases the models share.",
    # acting
    "never-acts": "{model} never acts {where}, like acting on no one: its highest score is {highest}.",
    "always-acts": "{model} always acts {where}, like acting on everyone: its lowest score is {lowest}.",
    "hardly-acts": "{model} acts on at most {share} of cases at any cost you state: in this sample its expected "
    "cost is {regret}, against {reference_regret} for acting on no one.",
    "nearly-always-acts": "{model} acts on at least {share} of cases at every cost you state: in this sample its "
    "expected cost is {regret}, against {reference_regret} for acting on everyone.",
    # limits
    "limits-unmet": "No threshold of {model} meets your limits ({limits}), so it never acts: {closest}.",
    "limits-unused": "{model} never acts under your limits ({limits}): some thresholds meet them, but in this sample "
    "none costs less than acting on no one at any cost you state.",
    "limits-cost": "Your limits cost {extra}: without limits, {model} would cost {regret} (thresholds "
    "chosen in-sample, so optimistic).",
    "limits-cost-chosen": "Your limits cost {extra}: {model} costs {limited} with limits, against "
    "{regret} without (both with thresholds chosen in-sample, so optimistic).",
    # the order
    "crossing": "{other} is better than {best} {other_where}, {best} {best_where}; in between, they cross: at {cost} "
    "in this sample, {set} with {level} confidence.",
    "better-in-part": "{better} is better than {worse} {where}; {rest}, the sample cannot say ({level} confidence for "
    "the whole range).",
    "better-throughout": "{better} is better than {worse} at every cost you state ({level} confidence for the whole "
    "range).",
    "steady": "In this sample, {best} would still have the lowest expected cost if {change}.",
    "unsteady": "If {change}, {other} would have the lowest expected cost: {gain} less than {best} "
    "({level} interval {lower} to {upper}).",
    "unsteady-close": "If {change}, {other} would have the lowest expected cost in this sample, but not detectably: "
    "{gain} less than {best} ({level} interval {lower} to {upper}).",
    "other-measure": "By {measure}, {other} would be chosen in this sample ({other_value} against {best_value}): "
    "{why}.",
    # calibration and prevalence
    "mismatch": "{model} {expects} {expected} positives, but {observed} occurred; correcting that alone {effect}.",
    "recalibrate": "Recalibration alone would lower the expected cost of {model} by up to {gain} (in-sample, so "
    "optimistic).",
    "recalibrate-fair": "Recalibration alone would lower the expected cost of {model} by {gain} (cross-fitted).",
    "recalibrate-useless": "Recalibration would not help {model}: it would raise the expected cost by {loss} "
    "(cross-fitted).",
    "recalibrate-order": "If every model were recalibrated, {other} would have the lowest expected cost in this "
    "sample: {regret}, against {best_regret} for {best} ({how}).",
    "prevalence": "At a prevalence of {stated} ({observed} in the sample), the uncorrected scores of {model} would "
    "cost {amount} {more} than corrected ones.",
    # groups
    "group-worse": "{model} costs {gap} more in {group} than in {reference} ({level} interval {lower} "
    "to {upper}): {label} from {direction} prevalence, {calibration} from calibration, {sharpness} from "
    "discrimination.",
    "groups-alike": "No group differs detectably from {reference}: with {model}, the expected cost of the others "
    "differs by {differences} in this sample.",
    "groups-differ": "The extra cost of {other} over {best} differs between groups ({p}): {least} in {low_group}, "
    "{most} in {high_group}.",
    "groups-differ-prevalence": "In this sample, prevalence is {lowest} to {highest} in these groups, and "
    "costs depend on it; in skill, {other} differs from {best} by {low_skill} in {low_group}, {high_skill} in "
    "{high_group}.",
    "groups-agree": "The extra cost of {other} over {best} does not differ detectably between groups ({p}): {least} in "
    "{low_group}, {most} in {high_group}.",
    "group-missing": "{share} of the positives have no group label; they are the group {group}, and the other groups "
    "could look different with them.",
    "group-one-class": "{group} has only {which} cases, so its difference from the others cannot be explained.",
}

_REFERENCE_NAMES = {"act on everyone": "acting on everyone", "act on no one": "acting on no one"}


def display_name(standing: Standing) -> str:
    """Write the name of a model or a reference as a sentence does."""
    if not standing.reference:
        return _wording.name(standing.model)
    said = _REFERENCE_NAMES.get(standing.model)
    return _wording.reference(standing.model) if said is None else say(said)


def display_names(standings: Sequence[Standing]) -> str:
    """Write several names as a sentence does."""
    return say_list(map(display_name, standings))


def where(results: Results) -> str:
    """Name the stated range of costs, or the single cost."""
    costs = results.decision.costs
    if in_money(costs):
        ranges = bool(results.sample.case_costs) and not getattr(costs, "is_fixed", False)  # of multipliers
        return say("over your range") if ranges else say("at the costs you state")
    return say("at the cost you state") if isinstance(costs, At) else say("over your range")


def models(results: Results) -> list[Standing]:
    """Return the models, least costly first, without the references."""
    return [standing for standing in results.ranking if not standing.reference]


def references(results: Results) -> dict[str, Standing]:
    """Return the references by what they do, even where a model has taken the name of one."""
    does = {reference_name(name, results.tables): said for name, said in _REFERENCE_NAMES.items()}
    return {does[one.model]: one for one in results.ranking if one.reference and one.model in does}


def finding(kind: str, evidence: str, numbers: dict[str, float], **values: str) -> Finding:
    """Return a finding: the template of its kind, filled in."""
    return filled_in(kind, TEMPLATES[kind], evidence, numbers, values)


def filled_in(kind: str, template: str, evidence: str, numbers: dict[str, float], values: dict[str, str]) -> Finding:
    """Return a finding that says a template of its own."""
    return Finding(kind, say(template, **values), translated(template), values, numbers, evidence)

"""What may not be left unsaid: a reader takes the absence of a warning for the absence of its cause."""

import numpy as np
from evaluation.judging import plain
from evaluation.judging.judges import is_off
from evaluation.judging.world import EVERYONE, NEARLY, NO_ONE

SILENCES = []


def must_say(demand):
    """Register a demand: a function that yields what has to be said, as a kind and texts the sentence holds."""
    SILENCES.append(demand)
    return demand


def unsaid(world, findings):
    """Return what has to be said of a world and is not."""
    return [
        (kind, *texts)
        for demand in SILENCES
        for kind, *texts in demand(world)
        if not any(one.kind in kind.split("|") and all(text in one.text for text in texts) for one in findings)
    ]


_NO_MODEL = ("best-reference", "best-reference-close", "best-reference-unsure")


@must_say
def who_is_best(world):
    kinds = ("best", "best-close", "best-unsure", "best-tied", *_NO_MODEL)
    if world.both_classes:
        yield ("|".join(kinds),)


@must_say
def what_to_do(world):
    """Demand an answer wherever both classes are there, and a threshold wherever a model is best."""
    if not world.both_classes:
        return
    none = "use-none|use-none-close|use-none-unsure|not-worth-using"
    yield (f"use|use-either|use-tied|use-unsure|worth-using|{none}",)
    least = min(world.ranked[name] for name in world.models)
    if least < min(world.ranked[name] for name in world.references) - NEARLY:
        yield ("act-from|act-from-with|act-never",)


@must_say
def looks_before_validation(world):
    for name in world.models if world.asked.procedures is not None else ():
        yield "validated|validated-no-gap|fit-unchanged", f"{name} "


@must_say
def how_models_compare_with_the_baseline(world):
    kinds = "|".join(("baseline", "baseline-close", "baseline-unsure", "baseline-tied"))
    for model in world.models if world.baseline is not None and world.both_classes else []:
        if model != world.baseline:
            yield kinds, model, world.baseline


@must_say
def few_of_a_class(world):
    """Half-case intervals hold from five cases on, resampled ones from ten."""
    fewest = 10 if world.asked.limited else 5
    for which, outcome in (("positive", 1), ("negative", 0)):
        weight = world.weight[world.y == outcome]
        if world.asked.tables:
            if 0 < weight.sum() < fewest:
                yield "few-weight", which
        elif 0 < len(weight) < fewest:
            yield "few", which
        elif len(weight) and weight.sum() ** 2 < fewest * (weight @ weight) * (1 - 1e-6):
            yield "few-effective", which


@must_say
def few_clusters(world):
    if world.asked.cluster is not None and len(np.unique(world.units)) < 30:
        yield ("few-clusters",)


@must_say
def one_class(world):
    if not world.both_classes:
        yield ("one-class",)  # of every group, too
        return
    for group, mask in world.groups.items():
        if len(world.groups) > 1 and len(set(world.y[mask])) == 1:
            yield "group-one-class", group


@must_say
def positives_without_a_group(world):
    if len(world.groups) > 1 and world.missing_share > 0.05 + 1e-9:
        yield ("group-missing",)


@must_say
def whether_groups_differ(world):
    """Demand the test of the best and its rival, where it is clear who they are."""
    if len(world.groups) > 1 and not world.asked.tables and not world.asked.limited:
        first, *others = sorted(world.ranked, key=world.ranked.get)
        if first in (EVERYONE, NO_ONE):
            others = [name for name in others if name in world.models]
        tied = world.ranked[others[0]] - world.ranked[first] < 1e-9 or (
            len(others) > 1 and world.ranked[others[1]] - world.ranked[others[0]] < 1e-9
        )
        if not tied and world.test_between_groups(others[0], first) is not None:
            yield ("groups-differ|groups-agree",)


@must_say
def cases_left_out(world):
    if world.without_score.any():
        yield ("dropped",)
    if world.asked.unknown is not None and world.asked.unknown.any():
        yield ("dropped-other",)


@must_say
def order_without_cases(world):
    if world.asked.tables and len(world.models) > 1:
        yield ("unpaired",)


@must_say
def never_or_always(world):
    low, high = world.costs.ends
    if world.asked.limited:
        return
    for name in world.models:
        score = world.deployed(name).score
        if score.max() < low or score.min() >= high:
            yield "never-acts" if score.max() < low else "always-acts", f"{name} "


@must_say
def limits_that_cannot_be_met(world):
    for name in world.models if world.asked.limited else ():
        if not world.kept_to(name)[1][1:].any():
            yield "limits-unmet", f"{name} "


@must_say
def worse_than_no_model(world):
    """By a hundredth of the cost of a case, where the first sentence does not say it already."""
    if not world.both_classes:
        return
    least = min(world.models, key=world.ranked.get)
    reference = min(world.references, key=world.ranked.get)
    if world.ranked[least] > world.ranked[reference] + NEARLY:
        yield ("|".join(_NO_MODEL),)
        return
    for name in world.models:
        if world.ranked[name] > world.ranked[reference] + 0.01 and not world.asked.tables:
            yield "worthless|worthless-close", f"{name} "


@must_say
def scores_that_run_backwards(world):
    for name in world.models if world.both_classes else ():
        if world.auc(name) < 0.5 - 5 * world.auc_of_chance:
            yield "wrong-way", name


@must_say
def scores_that_expect_too_many_or_too_few(world):
    for name in world.models if world.both_classes and not world.asked.limited else ():
        if is_off(world, name, 1.3, 4) and plain.corrected_mean(world.sample(name)) is not None:
            yield ("mismatch",)


@must_say
def another_prevalence(world):
    if world.stated is not None and not world.asked.limited:
        yield ("prevalence",)

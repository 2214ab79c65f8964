"""The law of sentences for follow-up: what is said about those who left is true when computed from definitions."""

from collections import Counter

import numpy as np
import pytest
from evaluation.judging.follow_up import JUDGES, FollowedWorld, must_be_said

from stakes import Decision, EventBy, evaluate
from stakes.evaluation.findings._follow_up_findings import FOLLOW_UP_TEMPLATES
from stakes.outcome import CensoringBy, GivenCensoring

SAMPLES, OFTEN = 6, 3


def drawn(rng, size=70, *, leave=8.0, other=30.0, horizon=4.0):
    """Draw cases whose scores know something of the hazard; somebody is followed beyond the horizon."""
    x = rng.normal(size=size)
    event, others, left = rng.exponential(6 * np.exp(-x)), rng.exponential(other, size), rng.uniform(0.2, leave, size)
    time = np.ceil(5 * np.minimum(np.minimum(event, others), left)) / 5
    kind = np.where(left <= np.minimum(event, others), 0, np.where(event <= others, 1, 2))
    time[:3], kind[:3] = horizon + 1, 0
    scores = {"old": np.round(1 / (1 + np.exp(-x)), 2), "new": np.round(np.clip(0.4 + 0.2 * x, 0.01, 0.99), 2)}
    return FollowedWorld(time, kind, horizon, scores, np.ones(size), np.zeros(size, int))


def usual(rng):
    return drawn(rng, leave=14.0)


def weighted_strata(rng):
    world = drawn(rng, size=90, leave=12.0)
    world.weight, world.stratum = rng.integers(1, 4, 90).astype(float), np.arange(90) % 2
    return world


def heavy_by_weight(rng):
    world = drawn(rng, size=30, leave=14.0)
    world.time = np.where(world.event == 0, world.horizon + 1, world.time)  # nobody leaves
    world.weight[rng.integers(3, 30)] = 9.0
    return world


def heavy_by_both(rng):
    world = drawn(rng, size=60, leave=8.0)
    world.weight[0] = 9.0
    return world


def few(rng):
    return drawn(rng, size=14, leave=40.0)


def leaving_early(rng):
    return drawn(rng, size=120, leave=4.0)


def leaving_by_score(rng):
    world = drawn(rng, size=56, leave=30.0)
    gone = (world.scores["old"] > 0.5) & (rng.random(56) < 0.8)
    gone[:3] = False
    world.time = np.where(gone, np.minimum(world.time, 0.4), world.time)
    world.event = np.where(gone, 0, world.event)
    return world


def survival(rng):
    world = drawn(rng, size=70, leave=14.0)
    free = 1 - world.risk
    centred = world.scores["old"] - world.scores["old"].mean()
    world.scores = {"kept": np.clip(free - 0.4 * centred, 0.01, 0.99)}
    return world


def competing(rng):
    return drawn(rng, other=5.0, leave=14.0)


def competing_elsewhere(rng):
    world = drawn(rng, other=5.0, leave=14.0)
    world.asked = {"prevalence": 0.2}
    return world


def rounded(rng):
    world = drawn(rng, leave=14.0)
    world.time[10:14] = world.horizon + np.array([1, -1, 2, -2]) * 4e-10
    return world


def given_chances(rng):
    world = drawn(rng, leave=14.0)
    world.asked = {"given": rng.uniform(0.05, 0.9, len(world.time))}
    return world


def entering_late(rng):
    """Most enter at the horizon or later, and few are there from the start, when one of them has the event."""
    world = drawn(rng, size=90, leave=14.0)
    entry = np.ceil(5 * rng.uniform(0, 10, 90)) / 5
    entry[:4] = 0.0
    world.time = entry + world.time
    world.time[3], world.event[3] = 0.1, 1
    world.asked = {"entry": entry}
    return world


FAMILIES = {
    usual: (),
    weighted_strata: (),
    heavy_by_weight: ("heavy-case",),
    heavy_by_both: ("heavy-case",),
    few: (),
    leaving_early: ("mostly-unknown", "horizon-far", "heavy-case"),
    leaving_by_score: ("left-differ",),
    survival: ("like-survival",),
    competing: ("other-events",),
    competing_elsewhere: ("other-events-elsewhere",),
    rounded: ("near-horizon",),
    given_chances: ("horizon-far-unsaid",),
    entering_late: ("mostly-unknown-late", "seldom-observed"),
}


def evaluated(world):
    censoring = CensoringBy(world.stratum) if world.stratum.any() else None
    if "given" in world.asked:
        censoring = GivenCensoring(world.asked["given"])
    entry = world.asked.get("entry")
    outcome = EventBy(world.time, world.event, world.horizon, entry=entry, censoring=censoring)
    decision = Decision("20%..40%", prevalence=world.asked.get("prevalence"))
    return evaluate(outcome, world.scores, decision, weight=world.weight)


def named(finding, world):
    return [model for model in world.scores if model in finding.values.get("model", "")]


def test_every_kind_has_a_judge_and_a_family():
    meant = {kind for kinds in FAMILIES.values() for kind in kinds}
    assert JUDGES.keys() == FOLLOW_UP_TEMPLATES.keys() == meant


@pytest.mark.sample(6)
@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.__name__)
def test_what_is_said_of_follow_up_is_true_and_nothing_is_left_unsaid(family):
    said = Counter()
    for seed in range(SAMPLES):
        world = family(np.random.default_rng([seed, 31]))
        found = [one for one in evaluated(world).findings if one.kind in FOLLOW_UP_TEMPLATES]
        for one in found:
            JUDGES[one.kind](one.values, world, named(one, world))
            assert one.text == FOLLOW_UP_TEMPLATES[one.kind].format(**one.values)
        if "given" not in world.asked:
            assert must_be_said(world) <= {one.kind for one in found}
        said.update(one.kind for one in found)
    assert {kind for kind in FAMILIES[family] if said[kind] < OFTEN} == set()
    assert family is not usual or not said["left-differ"]


def test_scores_like_survival_are_not_said_to_rank_backwards_as_well():
    world = survival(np.random.default_rng([0, 31]))
    kinds = {one.kind for one in evaluated(world).findings}
    assert "like-survival" in kinds
    assert "wrong-way" not in kinds


def test_known_outcomes_have_no_finding_about_follow_up():
    world = usual(np.random.default_rng(1))
    kinds = {one.kind for one in evaluate(world.event == 1, world.scores, "20%..40%").findings}
    assert not kinds & FOLLOW_UP_TEMPLATES.keys()


def test_nobody_is_said_to_have_left_who_came_too_late():
    world = entering_late(np.random.default_rng([0, 31]))
    found = evaluated(world)
    late = int((world.asked["entry"] >= world.horizon).sum())
    left = int(((world.event == 0) & (world.time < world.horizon)).sum())
    assert f"{left} left before and {late} entered too late: unknown" in " ".join(str(found).split())
    assert np.isnan(list(found.sample.follow_up.score_checks.values())).all()

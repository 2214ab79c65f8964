"""The law of sentences: whatever `evaluate` says is true when computed again by hand, and no warning is left unsaid."""

from collections import Counter

import pytest
from evaluation.judging.judges import JUDGES
from evaluation.judging.printed import misprints
from evaluation.judging.scenarios import FAMILIES, draw
from evaluation.judging.sentences import Sentence
from evaluation.judging.silence import unsaid
from evaluation.judging.world import World

from stakes.evaluation import TEMPLATES
from stakes.evaluation.findings import answer

SCENARIOS, QUICKLY = 14, 4  # of each family; in the quick tier
OFTEN = 5
# The kinds that a family is drawn to bring about, often enough to be judged.
MEANT_FOR = {
    "any": ("recalibrate",),
    "weighted": ("too-small",),
    "one point": ("other-measure", "unsteady-close"),
    "crossing": ("better-in-part",),
    "turning": ("crossing",),
    "on the edge": ("unsteady", "one-threshold-alike"),
    "clear": ("best", "worthless", "better-throughout", "use", "act-from", "one-threshold"),
    "tied": ("best-tied", "use-tied"),
    "useless": ("best-reference-close", "use-none-close"),
    "backwards": ("wrong-way", "steady"),
    "alone": ("worth-using", "plateau"),
    "harmful": ("use-none", "not-worth-using", "best-reference"),
    "one class": ("one-class",),
    "extreme": ("never-acts", "always-acts", "hardly-acts", "nearly-always-acts", "worthless-close"),
    "off": ("mismatch",),
    "folded": ("recalibrate-fair",),
    "calibrated": ("recalibrate-useless", "use-either", "act-from-with"),
    "elsewhere": ("prevalence",),
    "limited": ("limits-unmet", "limits-cost", "one-threshold-chosen"),
    "not worth acting": ("limits-unused", "act-never"),
    "limited and folded": ("limits-cost-chosen",),
    "without cases": ("best-unsure", "best-reference-unsure", "unpaired", "use-unsure", "use-none-unsure"),
    "limited without cases": ("few-weight",),
    "grouped": ("group-worse", "groups-alike", "group-one-class", "groups-agree"),
    "differing groups": ("groups-differ", "groups-differ-prevalence", "group-missing"),
    "gaps": ("dropped", "best-close"),
    "few": ("few", "few-clusters"),
    "framed": ("dropped-other",),
    "heavy": ("few-effective",),
    "named like references": ("recalibrate-order",),
    "validated": ("validated", "validated-no-gap", "fit-unchanged"),
    "with a baseline": ("baseline", "baseline-close"),
    "like the baseline": ("baseline-tied",),
    "baseline of tables": ("baseline-unsure",),
}

# What can be said where a class is missing: nothing that ranks, plans or recommends.
WITHOUT_BOTH_CLASSES = {
    "one-class",
    *("never-acts", "always-acts", "hardly-acts", "nearly-always-acts"),
    *("few", "few-clusters", "few-effective", "few-weight", "group-missing", "dropped", "dropped-other"),
}


def verdict(finding, world):
    """Return what is wrong with a sentence; nothing where it is true and all of it was judged."""
    sentence = Sentence(finding, world)
    if not (world.both_classes or finding.kind in WITHOUT_BOTH_CLASSES):
        return f"{world}: nobody can say that of one class: {finding.text}"
    try:
        JUDGES[finding.kind](sentence, world)
    except AssertionError as wrong:
        return str(wrong)
    return f"{world}: nobody judged {sentence.unread}: {finding.text}" if sentence.unread else None


def test_every_kind_of_finding_has_a_judge_and_a_family_that_brings_it_about():
    assert JUDGES.keys() == TEMPLATES.keys() == {kind for kinds in MEANT_FOR.values() for kind in kinds}


@pytest.mark.sample(18)
@pytest.mark.usefixtures("few_replicates")
@pytest.mark.parametrize("family", FAMILIES)
def test_every_sentence_is_true_and_no_warning_is_left_unsaid(family, pytestconfig):
    wrong, said = [], Counter()
    is_quick = pytestconfig.getoption("tier") == "quick"
    for seed in range(QUICKLY if is_quick else SCENARIOS):
        scenario = draw(family, seed)
        evaluation, world = scenario.evaluate(), World(scenario)
        findings = (*answer(evaluation.results), *evaluation.findings)
        said.update(finding.kind for finding in findings)
        wrong += [one for finding in findings if (one := verdict(finding, world))]
        wrong += misprints(str(evaluation), world)
        wrong += [f"{world}: nobody says {missing}" for missing in unsaid(world, findings)]
    assert wrong == []
    assert is_quick or {kind for kind in MEANT_FOR.get(family, ()) if said[kind] < OFTEN} == set()

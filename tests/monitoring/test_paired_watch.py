"""A watch over a difference, and over clusters: fair by enumeration, for a promise per case."""

import itertools

import numpy as np
import pytest

from stakes import expected_regret, score_table
from stakes._errors import InputError, InputTypeError
from stakes.monitoring import Watch, watch

Y = [0, 1, 0, 0, 1, 0]
OLD = [0.1, 0.8, 0.3, 0.2, 0.3, 0.1]
NEW = [0.1, 0.8, 0.1, 0.2, 0.6, 0.3]


def test_the_regret_of_a_batch_is_the_difference_of_two():
    seen = watch([(Y, NEW, OLD)], "5%..40%", promised=0.0, baseline="old")
    new, old = (expected_regret(score_table(Y, score), "5%..40%") for score in (NEW, OLD))
    assert seen.regret[0] == pytest.approx(new - old, rel=1e-12)
    assert repr(seen).startswith("Watch(1 batch of 6 cases, regret less that of old ")


@pytest.mark.parametrize("promised", [0.0, 0.1, -0.2])
def test_evidence_has_mean_1_where_the_difference_is_as_promised(promised):
    """Enumerate all futures of three cases; the probability of a loss makes the mean difference the promised one."""
    cost = 0.5  # a mistake of either kind loses 0.5: the difference is 0.5, 0 or -0.5
    worse = 0.3 + promised
    chances = {(0.9, 0.1): worse, (0.1, 0.9): worse - 2 * promised, (0.1, 0.1): 1 - 2 * worse + 2 * promised}
    assert sum(p * cost * ((a > 0.5) - (b > 0.5)) for (a, b), p in chances.items()) == pytest.approx(promised)
    mean = since = 0.0
    for future in itertools.product(chances, repeat=3):
        new, old = zip(*future, strict=True)
        seen = watch([([0, 0, 0], new, old)], 0.5, promised=promised, baseline="old")
        chance = np.prod([chances[one] for one in future])
        mean += chance * 10 ** seen.evidence[0]
        since += chance * 10 ** seen.since_start[0]
    assert mean == pytest.approx(1.0, rel=1e-12)
    assert since == pytest.approx(1.0, rel=1e-12)


def test_a_model_that_has_become_worse_than_the_baseline_is_noticed_and_one_as_good_is_not():
    rng = np.random.default_rng(4)

    def month(share_wrong):
        y = rng.random(500) < 0.3
        old = np.where(rng.random(500) < 0.2, 0.5, y * 0.8 + 0.1)
        turned = rng.random(500) < share_wrong
        return y.astype(int), np.where(turned, 1 - old, old), old

    still = watch([month(0.0)] * 12, "30%", promised=0.001, baseline="old")
    assert still.alarm is None
    changed = watch([month(0.0), month(0.0), *(month(0.3) for _ in range(4))], "30%", promised=0.001, baseline="old")
    assert changed.alarm in (2, 3)


def test_a_cluster_of_copies_is_one_case():
    batch = {"y": np.repeat(Y, 5), "score": np.repeat(NEW, 5), "cluster": np.repeat(list("fedcba"), 5)}
    clustered = watch([batch], "20%", promised=0.1, largest_cluster=5)
    plain = watch([(Y, NEW)], "20%", promised=0.1)
    assert clustered.evidence == pytest.approx(plain.evidence, rel=1e-12)
    assert clustered.since_start == pytest.approx(plain.since_start, rel=1e-12)
    assert clustered.regret == pytest.approx(plain.regret)
    assert clustered.cases.tolist() == [30]
    alone = watch([dict(batch, cluster=np.arange(30))], "20%", promised=0.1, largest_cluster=1)
    assert alone.evidence == pytest.approx(watch([(batch["y"], batch["score"])], "20%", promised=0.1).evidence)


def test_clusters_are_bet_on_in_the_order_in_which_they_come():
    order = [4, 0, 2, 5, 1, 3]
    y, score = np.array(Y)[order], np.array(NEW)[order]
    batch = {"y": np.tile(y, 2), "score": np.tile(score, 2), "cluster": [*"zyxwvu", *"zyxwvu"]}
    assert watch([batch], "20%", promised=0.1, largest_cluster=2).since_start == pytest.approx(
        watch([(y, score)], "20%", promised=0.1).since_start, rel=1e-12
    )


SMALL, LARGE = 1 / 3, 2 / 3  # how often a cluster has one case, and how often three


@pytest.mark.parametrize("baseline", [None, "old"])
@pytest.mark.parametrize("largest", [3, 5])
def test_evidence_of_clusters_has_mean_1_where_the_cost_per_case_is_as_promised(baseline, largest):
    """Enumerate all futures of two clusters; only single cases are mistakes, and those are all of them."""
    lost, cases = SMALL * 0.5, SMALL + 3 * LARGE
    mean = since = 0.0
    for future in itertools.product(((1, 0.9, SMALL), (3, 0.1, LARGE)), repeat=2):
        score = np.concatenate([np.full(size, at) for size, at, _ in future])
        batch = {"y": np.zeros(len(score)), "score": score, "cluster": np.repeat([0, 1], [one[0] for one in future])}
        if baseline:
            batch["baseline"] = np.full(len(score), 0.1)
        seen = watch([batch], 0.5, promised=lost / cases, baseline=baseline, largest_cluster=largest)
        chance = np.prod([one[2] for one in future])
        mean += chance * 10 ** seen.evidence[0]
        since += chance * 10 ** seen.since_start[0]
    assert mean == pytest.approx(1.0, rel=1e-12)
    assert since == pytest.approx(1.0, rel=1e-12)


def test_no_alarm_stands_where_small_clusters_cost_more_and_every_batch_less_than_promised():
    y = np.r_[np.ones(10), np.zeros(290)]
    batch = {"y": y, "score": np.zeros(300), "cluster": np.r_[np.arange(30), 30 + np.repeat(np.arange(10), 27)]}
    seen = watch([batch] * 20, "20%", promised=0.05, largest_cluster=27)
    assert seen.regret.max() < 0.05
    assert seen.alarm is None
    assert all(seen.evidence <= np.log10(np.arange(1, 21)))  # of gamblers who began at each batch, none has won
    assert watch([batch] * 20, "20%", promised=0.01, largest_cluster=27).alarm is not None


def test_a_watch_of_clusters_survives_a_file(tmp_path):
    batch = {"y": Y, "score": NEW, "cluster": list("aabbbc")}
    seen = watch([batch], "20%", promised=0.1, largest_cluster=4)
    seen.save(tmp_path / "watch.json")
    assert (
        Watch.load(tmp_path / "watch.json").update(**batch).evidence.tolist() == seen.update(**batch).evidence.tolist()
    )


def test_a_paired_watch_survives_a_file(tmp_path):
    seen = watch([(Y, NEW, OLD)], "20%", promised=0.0, tolerance=0.01, baseline="old")
    seen.save(tmp_path / "watch.json")
    later = Watch.load(tmp_path / "watch.json").update(Y, NEW, OLD)
    assert later.baseline == "old"
    assert later.evidence.tolist() == seen.update(Y, NEW, OLD).evidence.tolist()


@pytest.mark.parametrize(
    ("batches", "options", "message"),
    [
        ([(Y, NEW)], {"baseline": "old"}, "`batches` must be outcomes, scores and scores of the baseline, got"),
        ([(Y, NEW, OLD)], {}, "`batches` must be pairs of outcomes and scores, got"),
        ([{"y": Y}], {}, "`batches` must be pairs of outcomes and scores, got"),
        ([{"y": Y, "score": NEW, "baseline": OLD}], {}, "`baseline` must be left out in a watch without one."),
        (
            [{"y": Y, "score": NEW}],
            {"baseline": "old"},
            "`baseline` must have the scores of 'old' in a watch with one.",
        ),
        ([], {"baseline": 3}, "`baseline` must be"),
        ([], {"baseline": "old", "promised": -0.9}, "`promised` must be more than the largest gain, -0.8, got -0.9."),
        ([], {"baseline": "old", "promised": 0.8}, "`promised` must be less than the largest loss, 0.8, got 0.8."),
        (
            [{"y": Y, "score": NEW, "cluster": ["a"]}],
            {},
            "`y`, `score` and `cluster` must have the same length, got 6, 6 and 1.",
        ),
        (
            [{"y": Y, "score": NEW, "cluster": list("aabbbc")}],
            {},
            "`largest_cluster` must be given with `cluster`, got none.",
        ),
        (
            [{"y": Y, "score": NEW, "cluster": list("aabbbc")}],
            {"largest_cluster": 2},
            "`cluster` must have at most as many cases of a cluster as `largest_cluster` says, 2, got 3 of 'b'.",
        ),
    ],
)
def test_what_does_not_go_together_is_refused(batches, options, message):
    with pytest.raises((InputError, InputTypeError)) as raised:
        watch(batches, "20%", **{"promised": 0.1} | options)
    assert str(raised.value).startswith(message)

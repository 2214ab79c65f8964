"""A model in use: what unlabelled scores say, and what labelled batches say month after month."""

import itertools
import json
import math

import numpy as np
import pytest
from scipy import stats

from stakes import CaseCosts, InputError, Uniform, at_prevalence, calibration_summary, expected_regret, score_table
from stakes._errors import UnreadableFileError
from stakes._sealed_file import write_sealed
from stakes.monitoring import Watch, drift, watch
from stakes.monitoring._evidence import BETS, bets_won, evidence_after


def scored(rng, n, prevalence, spread=1.5):
    """Outcomes and scores, calibrated at a prevalence of 20%."""
    y = rng.random(n) < prevalence
    log_odds = math.log(0.25) + np.where(y, 0.5, -0.5) * spread**2 + spread * rng.normal(size=n)
    return y.astype(int), 1 / (1 + np.exp(-log_odds))


RNG = np.random.default_rng(12)
REFERENCE = score_table(*scored(RNG, 4000, 0.2))


def test_drift_to_the_same_prevalence_finds_it_and_the_same_cost():
    _, new = scored(RNG, 4000, 0.2)
    found = drift(REFERENCE, new, costs="10%")
    assert found.prevalence.lower < 0.2 < found.prevalence.upper
    assert found.if_calibrated.lower < 0.2 < found.if_calibrated.upper
    assert found.cost.lower < expected_regret(REFERENCE, 0.1) < found.cost.upper
    assert found.reference_cost == pytest.approx(expected_regret(REFERENCE, 0.1), rel=1e-12)
    assert found.explained > 0.01


def test_the_reference_itself_has_its_own_prevalence_and_cost_exactly():
    scores = np.repeat(REFERENCE.score, (REFERENCE.positive + REFERENCE.negative).astype(int))
    found = drift(REFERENCE, scores, costs=Uniform(0.05, 0.2))
    for one in (found.prevalence, found.if_calibrated):
        assert one.estimate == pytest.approx(REFERENCE.prevalence, rel=1e-6)
    for one in (found.cost, found.cost_if_calibrated):
        assert one.estimate == pytest.approx(found.reference_cost, rel=2e-2)
    assert found.cost.estimate == pytest.approx(found.reference_cost, rel=1e-6)


@pytest.mark.parametrize("digits", [0, 1, 2])
def test_positives_whose_scores_are_rounded_to_0_do_not_stop_the_recalibration(digits):
    y, score = scored(np.random.default_rng(6), 3000, 0.2)
    bold = np.round(score**2 / (score**2 + (1 - score) ** 2), digits)
    assert y[bold == 0].any()
    found = drift(score_table(y, bold), bold, costs="10%")
    assert found.if_calibrated.estimate == pytest.approx(y.mean(), rel=1e-9)  # as in every fit with an intercept
    for one in (found.prevalence, found.cost):
        assert one.lower < one.estimate < one.upper


@pytest.mark.parametrize("truth", [0.05, 0.5])
def test_label_shift_is_found_and_scores_that_are_too_bold_do_not_mislead(truth):
    y, new = scored(RNG, 6000, truth)

    def bold(score):
        return score**2 / (score**2 + (1 - score) ** 2)

    table = score_table(
        *[one(scored(np.random.default_rng(5), 6000, 0.2)) for one in (lambda s: s[0], lambda s: bold(s[1]))]
    )
    found = drift(table, bold(new), costs="10%")
    assert found.prevalence.lower < truth < found.prevalence.upper
    actual = expected_regret(score_table(y, bold(new)), 0.1)
    assert found.cost.lower < actual < found.cost.upper
    assert abs(found.if_calibrated.estimate - truth) > 0.02  # the other assumption is wrong here


def test_scores_that_no_mixture_of_the_classes_has_are_not_explained():
    _, new = scored(RNG, 4000, 0.2, spread=0.8)
    found = drift(REFERENCE, new)
    assert found.explained < 1e-4
    assert "by label shift" not in repr(found)
    assert repr(found).endswith(" if scores stay calibrated; label shift does not explain the new scores, p < 0.001)")


def test_weights_of_new_scores_are_repetition_but_for_the_interval():
    _, new = scored(RNG, 300, 0.4)
    twice = drift(REFERENCE, np.repeat(new, 2))
    heavy = drift(REFERENCE, new, weight=np.full(300, 2.0))
    assert heavy.if_calibrated.estimate == pytest.approx(twice.if_calibrated.estimate, rel=1e-12)
    assert heavy.prevalence.upper - heavy.prevalence.lower > twice.prevalence.upper - twice.prevalence.lower


@pytest.mark.slow
def test_intervals_are_as_wide_as_resampling_both_samples_says():
    rng = np.random.default_rng(21)
    (y, old), (_, new) = scored(rng, 900, 0.2), scored(rng, 250, 0.35)  # the new sample adds most of the error
    found, drawn = drift(score_table(y, old), new, costs="10%"), []
    for _ in range(300):
        here, there = rng.integers(0, 900, 900), rng.integers(0, 250, 250)
        one = drift(score_table(y[here], old[here]), new[there], costs="10%")
        drawn.append(
            [one.prevalence.estimate, one.if_calibrated.estimate, one.cost.estimate, one.cost_if_calibrated.estimate]
        )
    stated = [found.prevalence, found.if_calibrated, found.cost, found.cost_if_calibrated]
    errors = [(one.upper - one.lower) / 2 / 1.96 for one in stated]
    assert errors == pytest.approx(np.std(drawn, axis=0), rel=0.2)


def test_equal_scores_say_nothing():
    table = score_table([0, 1, 1, 0], [0.5] * 4)
    found = drift(table, [0.5, 0.5, 0.7], costs=0.2)
    assert math.isnan(found.prevalence.estimate)
    assert (found.prevalence.lower, found.prevalence.upper) == (0.0, 1.0)
    assert math.isnan(found.cost.estimate)
    assert found.outside == pytest.approx(1 / 3)


def test_a_reference_of_one_score_is_as_unsure_as_its_share_of_positives():
    found = drift(score_table([0] * 160 + [1] * 40, [0.5] * 200), [0.5] * 1000).if_calibrated
    reach = 1.959964 * math.sqrt(0.2 * 0.8 / 200)
    assert (found.lower, found.estimate, found.upper) == pytest.approx((0.2 - reach, 0.2, 0.2 + reach), rel=1e-6)


def test_one_new_score_has_an_estimate_without_ends():
    shown = repr(drift(score_table([0, 1, 0, 1] * 15, [0.2, 0.7, 0.7, 0.2] * 15), [0.3]))
    assert shown.endswith("now unknown by label shift, 50% [unknown] if scores stay calibrated)")


def test_money_has_neither_drift_nor_calibration():
    table = score_table([0, 1, 1], [0.2, 0.7, 0.4], case_costs=CaseCosts(false_negative=[5, 9, 90]))
    with pytest.raises(InputError, match=r"^`reference` must have no case costs, got a table with them; use the table"):
        drift(table, [0.3, 0.4])
    with pytest.raises(InputError, match=r"^`table` must have no case costs for `calibration_summary`, got a table"):
        calibration_summary(table)


def test_a_policy_looks_up_the_prevalence_that_was_found():
    moved = at_prevalence(REFERENCE, 0.4)
    found = drift(REFERENCE, REFERENCE.score, weight=moved.positive + moved.negative)
    assert found.prevalence.estimate == pytest.approx(0.4, rel=1e-9)


# ------------------------------------------------------------------------------------------- labelled batches


@pytest.mark.parametrize("null", [0.2, 0.35])
def test_evidence_has_mean_1_a_batch_exactly_by_enumeration(null):
    """Of two values with the null mean, in every order, over three batches of two."""
    total = 0.0
    for future in itertools.product([0.0, 1.0], repeat=6):
        chance = np.prod([null if one else 1 - null for one in future])
        logs = np.full(len(BETS), -np.inf)
        for batch in np.split(np.array(future), 3):
            logs = evidence_after(logs, bets_won(batch, null)[0])
        total += chance * np.exp(logs)
    assert total == pytest.approx([3.0] * len(BETS), rel=1e-12)  # M_t grows by 1 a batch: that is the promise


def months(rng, prevalences, n=400):
    return [scored(rng, n, share) for share in prevalences]


def test_an_alarm_follows_a_change_and_none_comes_without_one():
    promised = expected_regret(score_table(*scored(np.random.default_rng(1), 200_000, 0.2)), 0.2)
    still = watch(months(np.random.default_rng(2), [0.2] * 24), "20%", promised=promised)
    assert still.alarm is None
    changed = watch(months(np.random.default_rng(2), [0.2] * 12 + [0.5] * 12), "20%", promised=promised)
    assert 12 <= changed.alarm <= 15
    assert np.array_equal(still.evidence[:12], changed.evidence[:12])
    assert changed.since_start[-1] > 2


def test_a_small_change_is_noticed_in_large_batches():
    rng = np.random.default_rng(6)
    promised = expected_regret(score_table(*scored(np.random.default_rng(1), 400_000, 0.2)), 0.2)
    changed = watch(months(rng, [0.2] * 3 + [0.23] * 6, n=10_000), "20%", promised=promised)
    assert 3 <= changed.alarm <= 8


@pytest.mark.parametrize("cluster", [False, True])
def test_many_batches_at_a_time_are_those_one_by_one(cluster, monkeypatch):
    batches = [
        {"y": y, "score": score} | ({"cluster": np.arange(len(y)) // 3} if cluster else {})
        for y, score in months(np.random.default_rng(5), [0.2, 0.3, 0.25, 0.4, 0.1])
    ]
    asked = {"promised": 0.05, "capacity": "30%", "threshold": 0.3, "largest_cluster": 3}
    whole = watch(batches, "5%..20%", **asked)
    monkeypatch.setattr("stakes.monitoring._extend_watch._AT_A_TIME", 1)
    single = watch(iter(batches), "5%..20%", **asked)
    for name in ("cases", "regret", "evidence", "since_start", "alarms", "bets", "state"):
        assert np.array_equal(getattr(single, name), getattr(whole, name))
    assert whole.regret == pytest.approx([expected_regret(score_table(b["y"], b["score"]), "5%..20%") for b in batches])


def test_batch_by_batch_is_all_at_once_and_survives_a_file(tmp_path):
    batches = months(np.random.default_rng(3), [0.2, 0.3, 0.25])
    whole = watch(batches, "5%..20%", promised=0.05, capacity="30%", threshold=0.3)
    parts = watch(batches[:1], "5%..20%", promised=0.05, capacity="30%", threshold=0.3)
    parts.save(tmp_path / "watch.json")
    later = Watch.load(tmp_path / "watch.json").update(*batches[1]).update(*batches[2])
    for name in ("cases", "regret", "evidence", "since_start", "alarms"):
        assert np.array_equal(getattr(later, name), getattr(whole, name))
    assert "0.3" in (tmp_path / "watch.json").read_text(encoding="utf-8")
    text = (tmp_path / "watch.json").read_text(encoding="utf-8")
    (tmp_path / "watch.json").write_text(text.replace('"promised": 0.05', '"promised": 0.06'), encoding="utf-8")
    with pytest.raises(UnreadableFileError, match="changed or damaged"):
        Watch.load(tmp_path / "watch.json")


@pytest.mark.parametrize("baseline", [None, "old"])
def test_the_average_so_far_has_the_interval_of_its_formula_and_survives_a_file(baseline, tmp_path):
    rng = np.random.default_rng(8)
    months = [scored(rng, size, 0.3) for size in (900, 40, 400)]
    others = [np.round(score, 1) for _, score in months]
    given = [one if baseline is None else (*one, other) for one, other in zip(months, others, strict=True)]
    seen = watch(given, "20%", promised=0.1, baseline=baseline)
    y, score, other = (np.concatenate(one) for one in (*zip(*months, strict=True), others))
    lost, beside = (np.where(y, (s < 0.2) * 0.8, (s >= 0.2) * 0.2) for s in (score, other))
    value = lost if baseline is None else lost - beside
    rho = math.sqrt((-2 * math.log(0.1) + math.log(-2 * math.log(0.1)) + 1) / 5000)
    grown, n = len(y) * rho**2 + 1, len(y)
    reach = value.std() * math.sqrt(2 * grown / (n * rho) ** 2 * math.log(1 + math.sqrt(grown) / (2 * 0.05)))
    found = seen.average("90%")
    wanted = value.mean() + np.array([0, -reach, reach])
    assert [found.estimate, found.lower, found.upper] == pytest.approx(wanted.tolist(), rel=1e-9)
    assert found.caution == ""
    assert (seen.average().lower, seen.average().upper) != (found.lower, found.upper)
    seen.save(tmp_path / "watch.json")
    assert Watch.load(tmp_path / "watch.json").average("90%") == found


def test_the_average_of_few_mistakes_has_a_caution_and_of_clusters_or_nothing_no_ends():
    y, score = [0, 1] * 20, [0.1, 0.9] * 20
    assert watch([(y, score)], "20%", promised=0.1).average().caution == "fewer than 30 mistakes"
    clusters = watch([{"y": y, "score": score, "cluster": np.arange(40) // 2}], "20%", promised=0.1, largest_cluster=2)
    assert math.isnan(clusters.average().lower)
    assert math.isnan(watch([], "20%", promised=0.1).average().estimate)


def test_a_watch_that_has_seen_nothing_survives_a_file(tmp_path):
    batch = months(np.random.default_rng(3), [0.3])[0]
    begun = watch([], "5%..20%", promised=0.05)
    begun.save(tmp_path / "watch.json")
    later = Watch.load(tmp_path / "watch.json").update(*batch)
    assert np.array_equal(later.evidence, begun.update(*batch).evidence)


@pytest.mark.parametrize(
    "change",
    [
        {"promised": -1.0},
        {"promised": "0.05"},
        {"tolerance": -0.1},
        {"false_alarm_every": 1},
        {"capacity": 7.0},
        {"threshold": "x"},
        {"largest_cluster": 0},
        {"baseline": 3},
        {"cases": [0]},
        {"evidence": [None]},
        {"bets": [None] * 10},
        {"state": [1, None, 0.0, 0.0]},
        {"state": ["a", 0.0, 0.0, 0.0]},
        {"regret": [0.1, 0.2]},
        {"costs": "x"},
    ],
)
def test_a_file_with_values_that_no_watch_has_is_refused(change, tmp_path):
    watch(months(np.random.default_rng(3), [0.3]), "5%..20%", promised=0.05).save(tmp_path / "watch.json")
    contents = json.loads((tmp_path / "watch.json").read_text(encoding="utf-8")) | change
    del contents["sha256"]
    write_sealed(tmp_path / "watch.json", contents)
    with pytest.raises(UnreadableFileError, match="it lacks a part, or has one of the wrong kind"):
        Watch.load(tmp_path / "watch.json")


def test_the_regret_of_a_batch_is_expected_regret():
    batches = months(np.random.default_rng(4), [0.2, 0.6])
    seen = watch(batches, "5%..20%", promised=0.05)
    wanted = [expected_regret(score_table(*one), "5%..20%") for one in batches]
    assert seen.regret == pytest.approx(wanted, rel=1e-12)
    assert seen.update([], []) is seen


def test_breaches_of_the_capacity_and_the_chance_of_the_next():
    batches = [([0, 1] * 50, [0.9] * 5 + [0.5] * (k - 5) + [0.1] * (100 - k)) for k in (10, 30, 25)]
    seen = watch(batches, "20%", promised=0.5, capacity="25%", threshold=0.5)
    assert seen.alarms.tolist() == [0.1, 0.3, 0.25]  # a score at the threshold is acted on
    assert seen.breaches == [1]  # and a batch at the capacity is within it
    wanted = 1 - stats.betabinom.cdf(25, 100, 65.5, 235.5)
    assert seen.breach_probability(100) == pytest.approx(wanted, rel=1e-9)


def test_alarms_that_come_in_clusters_have_no_chance_of_a_breach():
    """Of ten clusters with one alarm or none, two are more than the capacity; single cases would hardly ever be."""
    acted = stats.binom.rvs(1, 0.1, size=(30, 10), random_state=1)
    whose = np.repeat(np.arange(10), 100)
    batches = [{"y": np.zeros(1000), "score": np.repeat(one * 0.9, 100), "cluster": whose} for one in acted]
    options = {"promised": 0.3, "capacity": "15%", "threshold": 0.5}
    seen = watch(batches, "20%", **options, largest_cluster=100)
    assert len(seen.breaches) == (acted.sum(axis=1) > 1).sum() > 3
    assert math.isnan(seen.breach_probability(1000))
    single = [(batch["y"], batch["score"]) for batch in batches]
    alone = watch(single, "20%", **options, largest_cluster=1).breach_probability(1000)
    assert alone == watch(single, "20%", **options).breach_probability(1000) < 0.05


def test_a_number_of_costs_is_saved_in_words_only(tmp_path):
    with pytest.raises(ValueError, match=r"`costs` must be given in words, such as '5%\.\.20%', to be saved, got At"):
        watch([], 0.1, promised=0.05).save(tmp_path / "watch.json")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"costs": "20%", "promised": 0.9}, "`promised` must be less than the largest loss, 0.8, got 0.9."),
        ({"capacity": 0.1}, "`threshold` must be given with `capacity`, got None."),
        ({"threshold": 20}, "`threshold` must lie between 0 and 1, got 20; 20% is 0.2."),
        ({"batches": [([0, 2], [0.1, 0.2])]}, "`y` must be 0 or 1, got 2 at row 1."),
        ({"batches": [([0], [0.1, 0.2])]}, "`y` and `score` must have the same length"),
    ],
)
def test_what_cannot_be_watched_is_refused(arguments, message):
    with pytest.raises(ValueError) as raised:  # noqa: PT011 -- the text is compared
        watch(**{"batches": [], "costs": "20%", "promised": 0.1} | arguments)
    assert str(raised.value).startswith(message)

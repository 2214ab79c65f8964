"""Censoring weights by slow loops and by laws, and the words for what cannot be used."""

from fractions import Fraction
from functools import partial

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy import stats

from stakes import EventBy, InputError, Uniform, auc, brier_score, expected_regret, log_loss, score_table
from stakes.outcome import CensoringBy, CoxCensoring, GivenCensoring, follow_up
from stakes.outcome._event_by import censoring_weights

HORIZON = 3.5
pytestmark = pytest.mark.filterwarnings("ignore:`cause` 1 never occurs")


@st.composite
def followed(draw, least=2):
    """Draw cases with many ties, the last of whom is followed beyond the horizon."""
    size = draw(st.integers(least, 14))

    def numbers(low, high):
        return draw(st.lists(st.integers(low, high), min_size=size, max_size=size))

    time, event, weight, stratum = numbers(0, 6), numbers(0, 3), numbers(1, 3), numbers(0, 1)
    time, event, weight, stratum = [*time, 7, 7], [*event, 0, 0], [*weight, 1, 1], [*stratum, 0, 1]
    return np.array(time, float), np.array(event), np.array(weight, float), np.array(stratum)


def redistributed(time, event, weight, horizon):
    """Give the weight of those who leave to those who stay, in proportion, one time after another (Efron 1967)."""
    mass = [Fraction(int(one)) for one in weight]
    for when in sorted({t for t, e in zip(time, event, strict=True) if e == 0 and t < horizon}):
        leaving = [k for k in range(len(time)) if time[k] == when and event[k] == 0]
        staying = [k for k in range(len(time)) if time[k] > when]
        lost, kept = sum(mass[k] for k in leaving), sum(mass[k] for k in staying)
        for k in staying:
            mass[k] *= 1 + lost / kept
        for k in leaving:
            mass[k] = Fraction(0)
    return [float(one / int(w)) for one, w in zip(mass, weight, strict=True)]


def aalen_johansen(time, event, weight, horizon):
    """Incidence of event 1 by the horizon, by the product over risk sets of events."""
    free, incidence = Fraction(1), Fraction(0)
    for when in sorted({t for t, e in zip(time, event, strict=True) if e and t <= horizon}):
        risk = sum(int(w) for t, w in zip(time, weight, strict=True) if t >= when)
        at = [(e, int(w)) for t, e, w in zip(time, event, weight, strict=True) if t == when and e]
        incidence += free * Fraction(sum(w for e, w in at if e == 1), risk)
        free *= 1 - Fraction(sum(w for _, w in at), risk)
    return float(incidence)


@given(followed())
def test_weights_are_what_those_who_left_hand_on_and_the_risk_is_that_of_aalen_and_johansen(cases):
    time, event, weight, _ = cases
    outcome = EventBy(time, event, HORIZON)
    found = censoring_weights(outcome, weight)
    assert_allclose(found, redistributed(time, event, weight, HORIZON), rtol=1e-12)
    assert_allclose(found @ weight, weight.sum(), rtol=1e-12)
    risk = follow_up(outcome, weight=weight).risk
    assert_allclose(risk, aalen_johansen(time, event, weight, HORIZON), atol=1e-12)


@given(followed())
def test_the_total_is_kept_in_every_stratum(cases):
    time, event, weight, stratum = cases
    found = censoring_weights(EventBy(time, event, HORIZON, censoring=CensoringBy(stratum)), weight)
    for here in (stratum == 0, stratum == 1):
        alone = censoring_weights(EventBy(time[here], event[here], HORIZON), weight[here])
        assert_allclose(found[here], alone, rtol=1e-12)
        assert_allclose(found[here] @ weight[here], weight[here].sum(), rtol=1e-12)
        share = found[here] @ (weight * ((event == 1) & (time <= HORIZON)))[here] / weight[here].sum()
        assert_allclose(share, aalen_johansen(time[here], event[here], weight[here], HORIZON), atol=1e-12)


@given(followed())
def test_weight_k_is_k_copies_and_the_order_of_cases_does_not_matter(cases):
    time, event, weight, _ = cases
    times = weight.astype(int)
    copies = EventBy(np.repeat(time, times), np.repeat(event, times), HORIZON).weight
    assert_allclose(np.repeat(censoring_weights(EventBy(time, event, HORIZON), weight), times), copies, rtol=1e-12)
    assert_allclose(EventBy(time[::-1], event[::-1], HORIZON).weight[::-1], EventBy(time, event, HORIZON).weight)


@given(followed())
def test_only_the_order_of_times_matters_and_nobody_is_known_better_after_the_horizon(cases):
    time, event, _, _ = cases
    weight = EventBy(time, event, HORIZON).weight
    assert_array_equal(EventBy(np.exp(time), event, np.exp(HORIZON)).weight, weight)
    at_horizon = np.where((event == 0) & (time > HORIZON), HORIZON, time)
    assert_array_equal(EventBy(at_horizon, event, HORIZON).weight, weight)
    assert_array_equal(EventBy(time, np.where(event == 2, 3, event), HORIZON).weight, weight)


@given(followed(), st.integers(0, 10**6))
def test_what_a_case_moves_is_a_derivative_and_a_constant_is_not_moved(cases, seed):
    time, event, weight, stratum = cases
    rng = np.random.default_rng(seed)
    value, weight = rng.normal(size=len(time)), weight + rng.random(len(time))
    late = np.minimum(np.where(np.arange(len(time)) % 3 == 1, 0.5, 0.0), time / 2)
    for outcome in (
        EventBy(time, event, HORIZON),
        EventBy(time, event, HORIZON, censoring=CensoringBy(stratum)),
        EventBy(time + 1, event, HORIZON, entry=late),
    ):

        def mean(weight, outcome=outcome):
            mass = weight * outcome._staying.weights(weight)
            return mass @ value / mass.sum()

        mass = weight * censoring_weights(outcome, weight)

        def through(values, outcome=outcome, mass=mass):
            return outcome._staying.through(mass * values / mass.sum(), weight)

        moves = through(value - mean(weight))
        steps = np.eye(len(weight)) * weight * 1e-5
        slopes = [(mean(weight + step) - mean(weight - step)) / 2e-5 for step in steps]
        assert_allclose(moves, slopes, atol=1e-7)
        assert_allclose(moves.sum(), 0, atol=1e-12)
    assert_allclose(EventBy(time, event, HORIZON)._staying.through(mass * 0, weight), 0)


@given(followed())
def test_somebody_who_left_before_all_others_changes_no_mean_but_the_alarms(cases):
    """All weights grow by the same factor, since the first to leave hands on to everybody alike."""
    time, event, weight, _ = cases
    score = np.linspace(0.1, 0.9, len(time)).round(1)
    first = np.r_[0.5, time + 1], np.r_[0, event], np.r_[2.0, weight], np.r_[0.95, score]
    before, after = EventBy(time + 1, event, HORIZON + 1), EventBy(first[0], first[1], HORIZON + 1)
    alone, joined = censoring_weights(before, weight), censoring_weights(after, first[2])
    assert joined[0] == 0
    assert_allclose(joined[1:], alone * (weight.sum() + 2) / weight.sum(), rtol=1e-12)
    tables = score_table(before, score, weight), score_table(after, first[3], first[2])
    for measure in (brier_score, log_loss, partial(expected_regret, costs=Uniform(0.1, 0.4))):
        assert_allclose(measure(tables[1]), measure(tables[0]), rtol=1e-12)
    assert_allclose(tables[1].prevalence, tables[0].prevalence, rtol=1e-12)
    assert tables[1].alarm_share(0.95) > tables[0].alarm_share(0.95)


def test_the_influence_on_the_total_is_the_weight_itself():
    rng = np.random.default_rng(3)
    time, event, weight = rng.integers(1, 9, 40).astype(float), rng.integers(0, 3, 40), rng.random(40) + 0.5
    time[-1] = 9.0
    outcome = EventBy(time, event, 5)
    moves = outcome._staying.through(weight * censoring_weights(outcome, weight), weight)
    assert_allclose(moves, weight, rtol=1e-12)


def test_nobody_who_left_means_weights_of_one_to_the_bit():
    outcome = EventBy([1, 2, 3, 4], [1, 2, 0, 0], 3)
    assert outcome.weight.tolist() == [1.0] * 4
    assert outcome.risk == 0.25


def test_labels_booleans_and_structured_arrays_say_the_same():
    time, event = [1, 2, 3, 4, 5], [1, 0, 2, 1, 0]
    labels = np.array(["left", "relapse", "died"])[[1, 0, 2, 1, 0]]
    named = EventBy(time, labels, 3.5, cause="relapse", censored="left")
    assert_array_equal(named.weight, EventBy(time, event, 3.5).weight)
    assert_array_equal(named.competing, [False, False, True, False, False])
    y = np.array([(e == 1, t) for t, e in zip(time, event, strict=True)], dtype=[("relapsed", bool), ("years", float)])
    assert_array_equal(EventBy.from_structured(y, 3.5).weight, EventBy(time, np.equal(event, 1), 3.5).weight)


def test_entry_from_the_start_is_no_entry():
    time, event = [1, 2, 3, 4, 5], [1, 0, 2, 1, 0]
    assert_array_equal(EventBy(time, event, 3.5, entry=[0] * 5).weight, EventBy(time, event, 3.5).weight)


def test_a_covariate_that_is_constant_gives_one_curve_of_breslow():
    rng = np.random.default_rng(1)
    time, event = rng.exponential(size=300), rng.integers(0, 2, 300)
    by_cox = EventBy(time, event, 0.7, censoring=CoxCensoring(np.ones(300))).weight
    assert_allclose(by_cox, EventBy(time, event, 0.7).weight, rtol=0.01)


LEFT = np.array([1, 0, 0, 1, 0, 1, 0, 0, 1, 0, 1, 0])
GONE = np.linspace(0.1, 2.4, 12)


@pytest.mark.parametrize(
    "covariates",
    [LEFT, np.column_stack([GONE**2 % 1, LEFT]), 1 - LEFT, np.where(np.arange(12) == 1, 1, 0)],
    ids=["those who left", "beside another", "those who stayed", "one of them"],
)
def test_covariates_that_tell_by_themselves_who_left_have_no_model(covariates):
    with pytest.raises(InputError) as raised:
        _ = EventBy(GONE, 1 - LEFT, 2.0, censoring=CoxCensoring(covariates)).weight
    assert str(raised.value) == (
        "`censoring` must be a model that can be fitted, got no finite maximum; use fewer covariates, or `CensoringBy`."
    )


def test_covariates_that_repeat_each_other_have_the_model_of_one():
    age = np.random.default_rng(2).normal(size=12)
    alone, twice = (EventBy(GONE, 1 - LEFT, 2.0, censoring=CoxCensoring(z)) for z in (age, np.stack([age, 9 - age], 1)))
    assert_allclose(twice.weight, alone.weight, rtol=1e-9)


def test_the_count_like_is_the_same_whatever_the_unit_of_weights():
    outcome = EventBy(GONE, 1 - LEFT, 2.0)
    counts = [follow_up(outcome, weight=np.arange(1, 13) * unit).effective_cases for unit in (1, 1e200, 1e-200)]
    assert_allclose(counts, counts[0], rtol=1e-12)


def test_those_who_leave_by_their_scores_are_seen():
    rng = np.random.default_rng(5)
    score = rng.random(2000)
    time, leaves = rng.exponential(1 / (0.2 + score)), rng.exponential(1 / (0.05 + 2 * score))
    apart = rng.exponential(1, 2000)
    by_score = EventBy(np.minimum(time, leaves), time <= leaves, 1.0)
    by_chance = EventBy(np.minimum(time, apart), time <= apart, 1.0)
    assert follow_up(by_score, {"m": score}).score_checks["m"] < 1e-6
    assert follow_up(by_chance, {"m": score}).score_checks["m"] > 0.05
    repaired = EventBy(np.minimum(time, leaves), time <= leaves, 1.0, censoring=CoxCensoring(np.log(0.05 + 2 * score)))
    assert follow_up(repaired, {"m": score}).score_checks["m"] > 0.01


def test_the_counts_add_up():
    found = follow_up(EventBy([1, 2, 3, 4, 6, 8], [1, 0, 1, 2, 0, 1], 5), {"m": [0.1, 0.2, 0.3, 0.1, 0.2, 0.3]})
    assert (found.cases, found.positive, found.competing, found.event_free, found.unknown) == (6, 2, 1, 2, 1)
    assert (found.least_probability, found.effective_cases) == (pytest.approx(0.8), pytest.approx(36 / 7.25))


BAD = [
    ({"horizon": 9}, "`horizon` must be within follow-up: the last case is censored at 8, got 9."),
    ({"horizon": 0}, "`horizon` must be finite and greater than 0, got 0."),
    ({"horizon": -2}, "`horizon` must be finite and greater than 0, got -2."),
    ({"horizon": float("inf")}, "`horizon` must be finite and greater than 0, got inf."),
    ({"horizon": float("nan")}, "`horizon` must be a number, got nan."),
    ({"time": [1, float("nan"), 3, 8]}, "`time` must not have missing values, got 1 missing value, at row 1."),
    ({"event": [1, 0, None, 0]}, "`event` must not have missing values, got 1 missing value, at row 2."),
    ({"time": [1, 2, 8]}, "`time` and `event` must have the same length, got 3 and 4."),
    ({"entry": [0, -1, 0, 0]}, "`entry` must be finite and not negative, got -1 at row 1."),
    (
        {"censoring": "cox"},
        "`censoring` must be a CensoringBy, a CoxCensoring, a GivenCensoring or None, got str.",
    ),
    (
        {"entry": [0, 0.5, 0, 0], "censoring": CensoringBy([1, 1, 1, 1])},
        "`entry` and `censoring` must not both be given, since delayed entry allows one curve only, got CensoringBy.",
    ),
    ({"time": [-1, 2, 3, 8]}, "`time` must be finite and not negative, got -1 at row 0."),
    ({"time": [1, float("inf"), 3, 8]}, "`time` must be finite and not negative, got inf at row 1."),
    ({"event": [1, -1, 0, 0]}, "`event` must be 0, 1, 2, ..., got -1 at row 1."),
    ({"event": [1, 0.5, 0, 0]}, "`event` must be 0, 1, 2, ..., got 0.5 at row 1."),
    (
        {"event": ["a", "b", "a", "b"]},
        "`cause` must be one of the labels of `event` ('a', 'b'), got 1.",
    ),
    (
        {"event": ["a", "b", "a", "b"], "cause": "a"},
        "`censored` must be one of the labels of `event` ('a', 'b'), got 0.",
    ),
    ({"cause": 0}, "`cause` and `censored` must be different labels, got 0 for both."),
    ({"entry": [0, 2, 0, 0]}, "`entry` must be before the end of follow-up at 2, got 2 at row 1."),
    (
        {"entry": [0, 0, 2.5, 2.5], "horizon": 2.4, "event": [1, 0, 0, 0]},
        "`entry` must leave somebody at risk at every time before the horizon 2.4, got nobody after 2.",
    ),
    (
        {"censoring": CensoringBy(["x", "y", "x", "x"])},
        "`horizon` must be within follow-up: the last case of stratum y is censored at 2, got 5.",
    ),
    (
        {"censoring": GivenCensoring([1, 1, 0.5])},
        "`time` and `probability` must have the same length, got 4 and 3.",
    ),
]


@pytest.mark.parametrize(("changed", "message"), BAD)
def test_what_cannot_be_used_is_said_in_a_sentence(changed, message):
    good = {"time": [1, 2, 3, 8], "event": [1, 0, 2, 0], "horizon": 5}
    with pytest.raises((InputError, TypeError)) as raised:
        EventBy(**good | changed)
    assert str(raised.value) == message


UNIT = "divide by a unit, such as `np.timedelta64(1, 'D')` for days"


@pytest.mark.parametrize(
    ("time", "message"),
    [
        (pd.to_timedelta([400, 900, 30], unit="D"), f"`time` must be numbers, got durations; {UNIT}."),
        (
            pd.Series(pd.to_datetime(["2020-01-01", "2021-05-06", "2024-02-29"])),
            f"`time` must be numbers, got dates; subtract the dates from which time counts, and {UNIT}.",
        ),
    ],
)
def test_times_are_numbers_in_a_unit_of_their_own(time, message):
    with pytest.raises(InputError) as raised:
        EventBy(time, [1, 0, 1], 365)
    assert str(raised.value) == message
    EventBy(pd.to_timedelta([400, 900, 30], unit="D") / np.timedelta64(1, "D"), [1, 0, 1], 365)


def test_covariates_that_are_words_are_named_with_their_row():
    age_and_sex = pd.DataFrame({"age": [61, 48, 55], "sex": [0, "f", 1]})
    with pytest.raises(InputError) as raised:
        CoxCensoring(age_and_sex)
    assert str(raised.value) == "`covariates` must be numbers, got 'f' at row 1; code categories as 0 and 1."


def test_strata_of_several_labels_are_their_combinations():
    labels = pd.DataFrame({"site": list("aabbaabb"), "arm": [0, 1, 0, 1, 0, 1, 0, 1]})
    time, event = [1, 2, 3, 4, 6, 7, 8, 9], [0, 1, 0, 1, 0, 0, 0, 0]
    by_both = CensoringBy(["a0", "a1", "b0", "b1", "a0", "a1", "b0", "b1"])
    for of_case in (labels, labels.astype(str).to_numpy()):
        found = EventBy(time, event, 5, censoring=CensoringBy(of_case)).weight
        assert_array_equal(found, EventBy(time, event, 5, censoring=by_both).weight)
    labels.loc[3, "site"] = None
    with pytest.raises(InputError, match=r"^`labels` must not have missing values, got 1 missing value, at row 3\.$"):
        CensoringBy(labels)


def test_no_chance_of_staying_is_nought():
    with pytest.raises(InputError) as raised:
        GivenCensoring([1, 1, 0, 0.5])
    assert str(raised.value) == "`probability` must be above 0 and at most 1, got 0 at row 2."


@pytest.mark.parametrize("late", [False, True])
def test_at_the_horizon_itself_an_event_counts_and_whoever_is_censored_is_known(late):
    outcome = EventBy([5, 5, 5, 4, 6, 5.5], [1, 2, 0, 0, 1, 2], 5, entry=[0, 0, 1, 0, 0, 0] if late else None)
    assert outcome.positive.tolist() == [True, False, False, False, False, False]
    assert outcome.competing.tolist() == [False, True, False, False, False, False]
    assert outcome.known.tolist() == [True, True, True, False, True, True]
    found = follow_up(outcome)
    assert (found.positive, found.competing, found.event_free, found.unknown) == (1, 1, 3, 1)
    assert_allclose(outcome.weight[outcome.known], 1.2)


def test_an_event_at_the_start_weighs_one():
    outcome = EventBy([0, 0, 2, 8], [1, 0, 1, 0], 5)
    assert_allclose(outcome.weight, [1, 0, 1.5, 1.5])


def test_codes_that_r_reads_otherwise_are_warned_of():
    time, event = [1, 2, 3, 6], [1, 2, 1, 1]
    with pytest.warns(RuntimeWarning, match=r"^`event` is 1 or 2 and never 0, .* `cause` 2 and `censored` 1\.$"):
        assert EventBy(time, event, 5).known.all()
    named = EventBy(time, event, 5, cause=2, censored=1)
    assert_array_equal(named.weight, EventBy(time, [0, 1, 0, 0], 5).weight)
    for fine in ([1, 2, 2, 3], [1, 1, 1, 1], [0, 1, 2, 1], [True, False, True, True]):
        EventBy(time, fine, 5)


def test_a_structured_array_is_told_how_it_becomes_an_outcome():
    y = np.array([(True, 1.0), (False, 6.0)], dtype=[("died", bool), ("years", float)])
    with pytest.raises(TypeError) as raised:
        score_table(y, [0.2, 0.1])
    assert str(raised.value) == (
        "`y` must be 0 or 1, got a structured array of died, years; "
        "`EventBy.from_structured(y, horizon)` is the outcome of events and times."
    )


def test_weights_are_shared_and_cannot_be_changed():
    outcome = EventBy([1, 2, 3, 6], [1, 0, 1, 0], 5)
    assert outcome.weight is censoring_weights(outcome, None)
    with pytest.raises(ValueError, match="read-only"):
        outcome.weight[0] = 2.0


def test_a_last_event_before_the_horizon_leaves_nothing_unknown():
    outcome = EventBy([1, 2, 3], [0, 1, 1], 5)
    assert outcome.risk == 1.0
    assert_allclose(outcome.weight, [0, 1.5, 1.5])


@pytest.mark.filterwarnings("default")
def test_a_cause_that_never_occurs_is_warned_of():
    with pytest.warns(RuntimeWarning, match=r"^`cause` 1 never occurs in `event`: the risk is 0\.$"):
        outcome = EventBy([1, 2, 3], [0, 0, 0], 2.5)
    assert outcome.risk == 0
    table = score_table(outcome, [0.1, 0.3, 0.2])
    assert table.prevalence == 0
    with pytest.warns(RuntimeWarning, match="`auc` is undefined"):
        assert np.isnan(auc(table))


def test_another_horizon_is_another_outcome_of_the_same_cases():
    outcome = EventBy([1, 2, 3, 4, 6], [1, 0, 1, 0, 0], 5)
    assert_array_equal(outcome.at(2).weight, EventBy([1, 2, 3, 4, 6], [1, 0, 1, 0, 0], 2).weight)


@pytest.mark.parametrize(
    ("event", "labels", "sentence"),
    [
        (
            [1, 0, 0, 0],
            {"censored": "alive"},
            "`censored` must be a number where the codes of `event` are, got 'alive'",
        ),
        ([1, 0, 0, 0], {"cause": "death"}, "`cause` must be a number where the codes of `event` are, got 'death'"),
        ([1, 0, 0, 0], {"censored": 9}, "`censored` must be 0 where `event` has the code 0, got 9"),
        (
            [1, 2, 2, 3],
            {"censored": 9},
            r"`censored` must be one of the codes of `event` besides `cause` \(2, 3\), got 9",
        ),
    ],
)
def test_those_who_left_are_never_taken_for_another_event(event, labels, sentence):
    with pytest.raises(InputError, match=sentence):
        EventBy([1, 2, 3, 6], event, 5, **labels)


def test_nobody_need_leave_and_any_code_may_be_that_of_those_who_left():
    assert EventBy([1, 2, 3, 6], [1, 2, 2, 3], 5).known.all()
    assert EventBy([1, 2, 3, 6], [1, 1, 1, 1], 5, censored=9).known.all()
    swapped = EventBy([1, 2, 3, 6], [0, 1, 1, 1], 5, cause=0, censored=1)
    assert_array_equal(swapped.weight, EventBy([1, 2, 3, 6], [1, 0, 0, 0], 5).weight)


def fifths_by_rank(score, weight):
    """Return the fifth of everyone that those with lower scores fill."""
    below = np.array([weight[score < one].sum() for one in score])
    return np.minimum(np.floor(5 * below / weight.sum() + 1e-12).astype(int), 4)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("strata", [False, True])
def test_the_check_of_scores_is_that_of_moves_found_by_differences(weighted, strata):
    rng = np.random.default_rng(8)
    time, event = rng.integers(1, 9, 60).astype(float), rng.integers(0, 3, 60)
    score = np.round(rng.random(60), 1)
    weight = rng.integers(1, 4, 60).astype(float) if weighted else np.ones(60)
    outcome = EventBy(time, event, 6, censoring=CensoringBy(np.arange(60) % 2) if strata else None)
    fifth = fifths_by_rank(score, weight)

    def apart(weights):
        known = weights * censoring_weights(outcome, weights)
        shares = (np.array([one[fifth == k].sum() / one.sum() for k in range(4)]) for one in (known, weights))
        return np.subtract(*shares)

    step = 1e-5 * np.eye(60)
    moves = np.array([(apart(weight + one) - apart(weight - one)) / 2e-5 for one in step]) * weight[:, None]
    expected = stats.chi2.sf(apart(weight) @ np.linalg.inv(moves.T @ moves) @ apart(weight), 4)
    found = follow_up(outcome, {"m": score}, weight=weight).score_checks["m"]
    assert_allclose(found, expected, rtol=1e-6)
    assert 1e-4 < found < 1

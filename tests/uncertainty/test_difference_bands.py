"""The band of a difference and the crossing set: place by place by `compare`, and the laws that they keep."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy import special, stats

from stakes import At, Cases, compare, crossings, decision_curve, net_benefit
from stakes.uncertainty import CrossingSet, _apart, crossing_set, difference_band
from stakes.uncertainty._apart import ActedApart, _thresholds_met
from stakes.uncertainty._difference_band import difference_band_if, places_of
from stakes.uncertainty._half_cases_at_places import simultaneous_deviate

PLACES = [0.04, 0.1, 0.2, 0.35, 0.6, 0.9]
MODELS = ("a", "b", "everyone", "no one")


@st.composite
def samples(draw, *, weighted=True, clustered=True, most=25):
    """Cases of both classes with scores in tenths, and two references; weights and clusters for some."""
    y = [0, 1, *draw(st.lists(st.integers(0, 1), min_size=1, max_size=most))]

    def each(values):
        return draw(st.lists(values, min_size=len(y), max_size=len(y)))

    models = {name: np.array(each(st.integers(0, 10))) / 10 for name in "ab"}
    models |= {"everyone": np.ones(len(y)), "no one": np.zeros(len(y))}
    weight = each(st.sampled_from([1.0, 0.3, 2.5, 4.0])) if weighted and draw(st.booleans()) else None
    cluster = [0, 1, *each(st.integers(0, 6))[2:]] if clustered and draw(st.booleans()) else None
    return Cases(y, models, weight=weight, cluster=cluster)


def turning(cases=2000, seed=3, **more):
    """Return two models of one risk, of which one is better above costs of 20% to 30% and the other below."""
    rng = np.random.default_rng(seed)
    risk = special.expit(rng.normal(-2.3, 1.3, cases))
    y = rng.random(cases) < risk
    return Cases(y, {"a": np.maximum(risk, 0.2), "b": np.minimum(risk, 0.3)}, **more)


def bands(found):
    return found.estimate, found.lower, found.upper, found.lower_everywhere, found.upper_everywhere


# ------------------------------------------------------------------------------------------- oracles


@pytest.mark.sample(3)
@pytest.mark.parametrize("level", [0.8, 0.95, 0.9999])
@pytest.mark.parametrize("pair", [("a", "b"), ("a", "everyone"), ("no one", "b"), ("everyone", "no one")], ids=str)
@settings(max_examples=8)
@given(cases=samples())
def test_each_place_has_the_interval_of_the_difference_there(level, pair, cases):
    found = difference_band(cases, *pair, x=PLACES, level=level, deviate=3.0)
    acts = [cases.table(name).score[cases.rows(name)] for name in pair]
    for k, cost in enumerate(PLACES):
        one = compare(cases, *pair, net_benefit, costs=At(cost), level=level)
        assert found.estimate[k] == pytest.approx(one.difference, abs=1e-13)
        if cases.cluster is None or ((acts[0] >= cost) != (acts[1] >= cost)).any():
            assert_allclose([found.lower[k], found.upper[k]], [one.lower, one.upper], rtol=1e-9, atol=1e-10)


@settings(max_examples=20)
@given(cases=samples())
def test_the_covariance_of_all_places_is_that_of_the_influence_of_each_unit(cases):
    places = np.array(PLACES)
    found = ActedApart.of(cases, "a", "b", places)
    weight = np.ones(len(cases)) if cases.weight is None else cases.weight
    moved = np.zeros((len(cases), len(places)))
    for k, cost in enumerate(places):
        acts = [cases.table(name).score[cases.rows(name)] >= cost for name in "ab"]
        value = np.where(cases.positive, 1.0, -cost / (1 - cost)) * np.subtract(*acts, dtype=float)
        moved[:, k] = weight * (value - np.average(value, weights=weight)) / weight.sum()
    if cases.cluster is not None:
        moved = np.array([moved[cases.cluster == one].sum(axis=0) for one in np.unique(cases.cluster)])
    wanted = moved.T @ moved * len(moved) / (len(moved) - 1)
    assert_allclose(found.covariance, wanted, rtol=1e-9, atol=1e-13)


@pytest.mark.sample(2)
@pytest.mark.parametrize("freedom", [None, 12])
@pytest.mark.parametrize("reach", [0.3, 0.05])
def test_the_deviate_is_the_quantile_of_the_largest_of_many_draws(reach, freedom):
    places = np.linspace(0, 1, 30)
    correlation = np.exp(-np.abs(np.subtract.outer(places, places)) / reach)
    scale = np.linspace(1, 7, 30)
    found = simultaneous_deviate(correlation * np.outer(scale, scale), 0.9, freedom)
    rng = np.random.default_rng(5)
    drawn = np.abs(rng.normal(size=(60_000, 30)) @ np.linalg.cholesky(correlation).T).max(axis=1)
    drawn /= 1 if freedom is None else np.sqrt(rng.chisquare(freedom, 60_000) / freedom)
    assert 0 < found.error < 0.02
    assert found.value == pytest.approx(np.quantile(drawn, 0.9), abs=4 * found.error + 0.02)


@pytest.mark.parametrize("count", [1, 2, 5])
def test_the_deviate_of_independent_places_is_known(count):
    found = simultaneous_deviate(np.diag(np.arange(1.0, count + 1)), 0.95)
    assert found.value == pytest.approx(stats.norm.ppf((1 + 0.95 ** (1 / count)) / 2), abs=4 * found.error + 1e-9)


@pytest.mark.parametrize("covariance", [np.ones((7, 7)), np.zeros((7, 7)), np.full((2, 2), np.nan)], ids=str)
def test_places_that_move_as_one_or_not_at_all_need_no_more_than_one_place(covariance):
    assert simultaneous_deviate(covariance, 0.95).value == pytest.approx(stats.norm.ppf(0.975), abs=1e-9)


def test_estimates_are_the_crossings_of_the_curves():
    cases = turning()
    found = crossing_set(cases, "a", "b", cost_range=(0.02, 0.6))
    exact = crossings(*(decision_curve(cases.table(name)).between(0.02, 0.6) for name in "ab"))
    assert len(found.estimates)
    assert np.isin(found.estimates.round(12), exact.round(12)).all()
    places, signs = found.band.x, np.sign(found.band.estimate)
    for low, high in zip(places[:-1][signs[1:] * signs[:-1] < 0], places[1:][signs[1:] * signs[:-1] < 0], strict=True):
        inside = (exact >= low) & (exact < high)
        assert_allclose(found.estimates[(found.estimates >= low) & (found.estimates < high)], exact[inside])


# ------------------------------------------------------------------------------------------- laws


@settings(max_examples=15)
@given(cases=samples())
def test_to_swap_the_models_is_to_mirror_the_band(cases):
    one, other = (difference_band(cases, *pair, x=PLACES) for pair in (("a", "b"), ("b", "a")))
    assert_allclose(one.estimate, -other.estimate, atol=1e-12)
    assert one.deviate == pytest.approx(other.deviate, abs=3 * (one.deviate_error + other.deviate_error) + 1e-9)
    assert_allclose(one.lower, -other.upper, rtol=1e-9, atol=1e-10)
    again = difference_band(cases, "b", "a", x=PLACES, deviate=one.deviate)
    assert_allclose(one.lower_everywhere, -again.upper_everywhere, rtol=1e-9, atol=1e-10)


@settings(max_examples=15)
@given(cases=samples())
def test_to_swap_the_models_is_to_swap_the_claims(cases):
    one, other = (crossing_set(cases, *pair, cost_range=(0.05, 0.85), deviate=2.5) for pair in (("a", "b"), ("b", "a")))
    assert (one.a_better, one.b_better, one.unclear) == (other.b_better, other.a_better, other.unclear)
    assert_array_equal(one.estimates, other.estimates)


@settings(max_examples=10)
@given(cases=samples(most=40), kept=st.lists(st.sampled_from(PLACES), min_size=1, unique=True))
def test_fewer_places_never_have_a_wider_band(cases, kept):
    every, some = difference_band(cases, "a", "b", x=PLACES), difference_band(cases, "a", "b", x=kept)
    assert some.deviate <= every.deviate + 4 * (some.deviate_error + every.deviate_error) + 1e-9


@settings(max_examples=15)
@given(cases=samples())
def test_the_band_of_all_places_holds_that_of_each(cases):
    found = difference_band(cases, "a", "b", x=PLACES)
    assert (found.lower_everywhere <= found.lower).all()
    assert (found.upper_everywhere >= found.upper).all()


@settings(max_examples=15)
@given(cases=samples())
def test_both_bands_hold_the_estimate(cases):
    found = difference_band(cases, "a", "b", x=PLACES, deviate=3.0)
    assert (found.lower <= found.estimate + 1e-12).all()
    assert (found.upper >= found.estimate - 1e-12).all()


@settings(max_examples=15)
@given(cases=samples(clustered=False), factor=st.sampled_from([1e-3, 7.0, 1e200]))
def test_the_unit_of_the_weights_does_not_matter(cases, factor):
    weight = np.ones(len(cases)) if cases.weight is None else cases.weight
    models = {name: cases.table(name).score[cases.rows(name)] for name in "ab"}
    one, other = (
        difference_band(Cases(cases.positive, models, weight=weight * times), "a", "b", x=PLACES, deviate=2.5)
        for times in (1.0, factor)
    )
    for ours, theirs in zip(bands(one), bands(other), strict=True):
        assert_allclose(ours, theirs, rtol=1e-9, atol=1e-11)


def test_equal_weights_are_no_weights():
    one, other = turning(), turning(weight=np.full(2000, 2.0))
    for ours, theirs in zip(*(bands(difference_band(each, "a", "b", x=PLACES)) for each in (one, other)), strict=True):
        assert_allclose(ours, theirs, rtol=1e-9)


def test_clusters_may_be_added_up_some_at_a_time(monkeypatch):
    rng = np.random.default_rng(1)
    cases = turning(200, cluster=rng.integers(0, 50, 200), weight=rng.uniform(0.5, 2, 200))
    whole = ActedApart.of(cases, "a", "b", np.array(PLACES)).covariance
    monkeypatch.setattr(_apart, "_CLUSTERS", 7)
    assert_allclose(ActedApart.of(cases, "a", "b", np.array(PLACES)).covariance, whole, rtol=1e-12)


def test_clusters_of_one_case_are_wider_only_by_students_law():
    plain, alone = (difference_band(each, "a", "b", x=PLACES) for each in (turning(), turning(cluster=range(2000))))
    for ours, theirs in zip(bands(plain), bands(alone), strict=True):
        assert_allclose(ours, theirs, rtol=5e-3, atol=1e-5)
    assert alone.deviate > plain.deviate


def test_places_are_answered_in_the_order_and_as_often_as_asked():
    cases, x = turning(300), [0.6, 0.1, 0.6, 0.35]
    found, sorted_ = (difference_band(cases, "a", "b", x=each) for each in (x, [0.1, 0.35, 0.6]))
    assert found.x.tolist() == x
    for ours, theirs in zip(bands(found), bands(sorted_), strict=True):
        assert_array_equal(ours, theirs[[2, 0, 2, 1]])


def test_the_usual_places_are_whole_percentages():
    assert_array_equal(difference_band(turning(300), "a", "b").x, np.arange(1, 100) / 100)


# ------------------------------------------------------------------------------------------- the crossing set

SETS = settings(max_examples=20)
RANGE = (0.05, 0.85)


def measure(ranges):
    return sum(high - low for low, high in ranges)


def holds(ranges, costs):
    costs = np.asarray(costs)
    return np.any([(low <= costs) & (costs <= high) for low, high in ranges], axis=0) if ranges else costs != costs


@SETS
@given(cases=samples())
def test_the_set_holds_every_crossing_in_the_sample(cases):
    found = crossing_set(cases, "a", "b", cost_range=RANGE, level=0.6, deviate=1.0)
    assert holds(found.set, found.estimates).all()


@SETS
@given(cases=samples())
def test_three_answers_make_up_the_range(cases):
    found = crossing_set(cases, "a", "b", cost_range=RANGE, level=0.6, deviate=1.2)
    parts = sorted([*found.a_better, *found.b_better, *found.unclear])
    assert [parts[0][0], parts[-1][1]] == [*RANGE]
    assert [low for low, _ in parts[1:]] == [high for _, high in parts[:-1]]


@SETS
@given(cases=samples())
def test_the_set_lies_where_the_sample_cannot_say(cases):
    found = crossing_set(cases, "a", "b", cost_range=RANGE, level=0.6, deviate=1.2)
    assert all(any(low <= start and end <= high for low, high in found.unclear) for start, end in found.set)


@SETS
@given(cases=samples())
def test_a_model_is_better_just_where_the_band_lies_on_its_side_at_neighbouring_places(cases):
    found = crossing_set(cases, "a", "b", cost_range=RANGE, level=0.6, deviate=1.2)
    band = found.band
    for ranges, here in ((found.a_better, band.lower_everywhere > 0), (found.b_better, band.upper_everywhere < 0)):
        for k, (low, high) in enumerate(zip(band.x[:-1], band.x[1:], strict=True)):
            assert holds(ranges, (low + high) / 2) == (here[k] and here[k + 1])


@SETS
@given(cases=samples())
def test_a_higher_level_claims_less(cases):
    low, high = (
        crossing_set(cases, "a", "b", cost_range=RANGE, level=level, deviate=deviate)
        for level, deviate in ((0.6, 1.1), (0.9, 2.4))
    )
    assert measure(low.unclear) <= measure(high.unclear) + 1e-12
    assert measure(low.set) <= measure(high.set) + 1e-12


def test_models_that_turn_are_told_apart_on_both_sides():
    found = crossing_set(turning(20_000), "a", "b", cost_range="2%..60%")
    assert found.a_better
    assert found.b_better
    assert found.b_better[-1][1] < 0.2 < 0.3 < found.a_better[0][0]
    assert measure(found.set) <= measure(found.unclear) < 0.3


def test_models_that_act_alike_are_told_apart_nowhere():
    y = [0, 1] * 20
    found = crossing_set(Cases(y, {"a": [0.3, 0.6] * 20, "b": [0.3, 0.6] * 20}), "a", "b", cost_range="10%..50%")
    assert (found.a_better, found.b_better, found.set) == ((), (), ((0.1, 0.5),))
    assert found.estimates.tolist() == []


def test_a_range_from_0_to_1_leaves_both_out():
    found = crossing_set(turning(300), "a", "b", cost_range=(0, 1))
    assert (found.band.x[0], found.band.x[-1], len(found.band.x)) == (0.01, 0.99, 99)


def test_references_cross_at_the_prevalence():
    y = [1] * 60 + [0] * 240
    cases = Cases(y, {"a": [0.5] * 300}).with_constants({"all": 1.0, "none": 0.0})
    found = crossing_set(cases, "all", "none", cost_range="5%..50%")
    assert_allclose(found.estimates, [0.2])
    assert found.a_better[0][0] == 0.05
    assert found.b_better[-1][1] == 0.5


# ------------------------------------------------------------------------------------------- few cases, bad input


def test_a_single_case_or_cluster_tells_nothing():
    for cases in (
        Cases([1], {"a": [0.9], "b": [0.1]}),
        Cases([1, 0], {"a": [0.9, 0.1], "b": [0.1, 0.9]}, cluster=[7, 7]),
    ):
        found = crossing_set(cases, "a", "b", cost_range=(0.2, 0.5))
        assert np.isnan(found.band.lower_everywhere).all()
        assert (found.a_better, found.b_better, found.unclear) == ((), (), ((0.2, 0.5),))


def test_one_class_has_a_band_and_a_caution():
    found = difference_band(Cases([1] * 8, {"a": [0.9] * 8, "b": [0.1] * 8}), "a", "b", x=[0.5])
    assert found.estimate.tolist() == [1.0]
    assert found.lower[0] < 1
    assert found.upper[0] == 1
    assert found.caution == "no negatives, too few to trust the level"
    assert repr(found) == (
        "DifferenceBand(a - b at one place, 0.5, level 0.95; no negatives, too few to trust the level)"
    )


CASES = Cases([0, 1], {"a": [0.2, 0.7], "b": [0.4, 0.6], "points": [3, 7]})
WRONG = {
    "`x` must lie strictly between 0 and 1, got 1 at row 1.": lambda: difference_band(CASES, "a", "b", x=[0.2, 1]),
    "`x` must lie strictly between 0 and 1, got 0 at row 0.": lambda: difference_band(CASES, "a", "b", x=0),
    "`cost_range` must go from low to high, got (0.4, 0.2).": lambda: crossing_set(
        CASES, "a", "b", cost_range=(0.4, 0.2)
    ),
    "`cost_range` must go from low to high, got 0.2 for both; for a single cost use `compare` with `At(0.2)`.": (
        lambda: crossing_set(CASES, "a", "b", cost_range=(0.2, 0.2))
    ),
    "`cost_range[1]` must lie between 0 and 1, got 20; 20% is 0.2.": lambda: crossing_set(
        CASES, "a", "b", cost_range=(0, 20)
    ),
    "`cost_range` must be a pair (low, high) or words such as '5%..20%', got 0.1.": lambda: crossing_set(
        CASES, "a", "b", cost_range=0.1
    ),
    "`a` and `b` must name two models, got 'a' for both.": lambda: difference_band(CASES, "a", "a"),
    "`b` must be one of b, a, points, got 'bb'.": lambda: difference_band(CASES, "a", "bb"),
    "`level` must lie strictly between 0 and 1, got 1.": lambda: difference_band(CASES, "a", "b", level=1),
    "`deviate` must be finite and greater than 0, got 0.": lambda: crossing_set(
        CASES, "a", "b", cost_range=(0.1, 0.2), deviate=0
    ),
    "`cases` must be Cases, got str.": lambda: difference_band("cases", "a", "b"),
    "`score` must be a probability between 0 and 1, got 7; measures of ranking, such as `auc`, accept any "
    "number.": lambda: difference_band(CASES, "a", "points"),
}


@pytest.mark.parametrize("message", WRONG)
def test_what_is_wrong_is_said(message):
    with pytest.raises((ValueError, TypeError)) as caught:
        WRONG[message]()
    assert str(caught.value) == message


def test_ranges_are_listed_as_in_a_sentence_and_a_short_one_keeps_both_ends():
    few = difference_band(CASES, "a", "b", x=[0.3, 0.5])
    better = (0.12, 0.1205), (0.2, 0.3), (0.4, 0.5)
    said = CrossingSet("a", "b", np.empty(0), (), better, (), ((0.3, 0.4),), few)
    start = (
        "CrossingSet(a better at 12% to 12.05%, 20% to 30% and 40% to 50%; b better nowhere; unclear at 30% to 40%; "
    )
    assert repr(said).startswith(start)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("ends", [(0.05, 0.2), (0.0, 1.0), (0.001, 0.002)])
def test_thresholds_met_are_those_that_a_search_finds(ends, dtype):
    places = np.unique(np.concatenate([places_of(*ends), [1 / 16384, 0.125, 0.5]]))
    beside = [np.nextafter(places, side) for side in (0.0, 1.0)]
    score = np.concatenate([np.random.default_rng(3).random(20_000), [0.0, 1.0], places, *beside]).astype(dtype)
    assert_array_equal(_thresholds_met(places, score), np.searchsorted(places, score, side="right"))


def test_a_band_that_is_not_worth_it_has_no_simultaneous_part():
    places, seen = places_of(0.1, 0.4), []
    asked = (turning(), "a", "b")
    assert difference_band_if(lambda glance: bool(seen.append(glance)), *asked, x=places, level=0.9) is None
    band = difference_band_if(lambda _: True, *asked, x=places, level=0.9)
    whole = difference_band(*asked, x=places, level=0.9)
    for name in ("estimate", "lower", "upper"):
        assert_array_equal(getattr(seen[0], name), getattr(whole, name))
    for name in ("lower", "upper", "lower_everywhere", "upper_everywhere", "deviate", "deviate_error"):
        assert_array_equal(getattr(band, name), getattr(whole, name))

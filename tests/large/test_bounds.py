"""What is true of the sample lies between the bounds of its quantised table: every number, every belief, any bins."""

import math

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from strategies import BELIEFS, COSTS, OTHER_BELIEFS, SCORES, samples, weights

import stakes
from stakes import At, Beta, LogOddsUniform, Uniform, bounds, score_table
from stakes.beliefs import Atoms, IndependentCosts, Mixture, ShiftedUniform, in_money
from stakes.large import Bins, quantise

# Scores that tie with costs and with edges of bins, next to any others.
ANY_SCORE = st.one_of(
    st.sampled_from((*SCORES, *COSTS, 0.0, 1.0, 0.25, 0.5)),
    st.floats(0, 1),
    st.floats(0.299, 0.301),
    st.floats(1e-9, 1e-3),
)
INSIDE = st.one_of(st.sampled_from((*SCORES, *COSTS, 0.25, 0.5)), st.floats(0.001, 0.999))
BINS = st.sampled_from(
    [Bins(1), Bins(2), Bins(8), Bins(64), Bins(65536), Bins(64, fine_ends=True), Bins(4, edges=COSTS)]
)
MORE_BELIEFS = (
    *BELIEFS,
    *OTHER_BELIEFS,
    Beta(0.5, 0.5),
    Beta(1, 3),
    Beta(4, 0.6),
    Beta(30, 70),
    ShiftedUniform(0.03),
    ShiftedUniform(0.85),
    IndependentCosts(false_negative=(0, 1), false_positive=(0, 1)),
    IndependentCosts(false_negative=(3, 3), false_positive=(0, 2)),
    IndependentCosts(false_negative=(1, 9), false_positive=(2, 2)),
    IndependentCosts(false_negative=(4, 4), false_positive=(1, 1)),
    Mixture([Beta(2, 5), IndependentCosts(false_negative=(1, 2), false_positive=(1, 3))], [1, 2]),
)


class Own:
    """A belief that a user brings: nothing is known about it but that its losses are monotone."""

    def loss_if_positive(self, score):
        return (1 - np.asarray(score)) ** 5 + (np.asarray(score) < 0.3)

    def loss_if_negative(self, score):
        return np.sqrt(score) + (np.asarray(score) >= 0.3)


def samples_of(score=ANY_SCORE, **options):
    return samples(score=score, max_size=30, one_class=True, **options)


def pair(sample, bins):
    """Return the exact table and the quantised one."""
    return score_table(*sample), quantise(*sample, bins=bins)


def assert_inside(exact, found):
    assert found.lower <= found.estimate <= found.upper
    assert found.lower <= exact <= found.upper


def share(number):
    """Move a share that rounding has put outside [0, 1] back to its ends."""
    return min(max(number, 0.0), 1.0)


@given(samples_of(), BINS, st.sampled_from((*MORE_BELIEFS, Own())))
def test_expected_regret(sample, bins, costs):
    table, quantised = pair(sample, bins)
    assert_inside(stakes.expected_regret(table, costs), bounds.expected_regret(quantised, costs))


@given(samples_of(), BINS, st.tuples(st.floats(0, 0.49), st.floats(0.5, 1)))
def test_brier_score(sample, bins, ends):
    table, quantised = pair(sample, bins)
    for low, high in ((0.0, 1.0), ends):
        exact = stakes.brier_score(table, cost_range=(low, high))
        assert_inside(exact, bounds.brier_score(quantised, cost_range=(low, high)))


@given(samples_of(), BINS, st.tuples(st.floats(0, 0.49), st.floats(0.5, 1)))
def test_log_loss(sample, bins, ends):
    table, quantised = pair(sample, bins)
    for low, high in ((0.0, 1.0), ends):
        assert_inside(
            stakes.log_loss(table, cost_range=(low, high)),
            bounds.log_loss(quantised, cost_range=(low, high)),
        )


@given(samples_of(), BINS, st.sampled_from([one for one in MORE_BELIEFS if hasattr(one, "odds_up_to")]))
def test_net_benefit(sample, bins, costs):
    # Net benefit is in misses: money has a proportion of its own where it is one pair of costs alone.
    assume(isinstance(costs, IndependentCosts) or not in_money(costs))
    table, quantised = pair(sample, bins)
    assert_inside(stakes.net_benefit(table, costs), bounds.net_benefit(quantised, costs))


@given(samples_of(), BINS, st.one_of(st.sampled_from(COSTS), st.floats(-0.5, 1.5)))
def test_accuracy(sample, bins, threshold):
    table, quantised = pair(sample, bins)
    assert_inside(share(stakes.accuracy(table, threshold=threshold)), bounds.accuracy(quantised, threshold=threshold))


@given(samples_of(), BINS, st.sampled_from(COSTS))
def test_weighted_accuracy(sample, bins, cost):
    table, quantised = pair(sample, bins)
    exact = share(stakes.measures.weighted_accuracy(table, cost=cost))
    assert_inside(exact, bounds.weighted_accuracy(quantised, cost=cost))


@given(samples(score=INSIDE, max_size=30), BINS, st.sampled_from((*MORE_BELIEFS, Own())))
def test_skill_score(sample, bins, costs):
    table, quantised = pair(sample, bins)
    assert_inside(stakes.skill_score(table, costs), bounds.skill_score(quantised, costs))


@given(samples(score=ANY_SCORE, max_size=30), BINS, st.sampled_from((None, *MORE_BELIEFS)))
def test_h_measure(sample, bins, costs):
    table, quantised = pair(sample, bins)
    assert_inside(share(stakes.h_measure(table, costs)), bounds.h_measure(quantised, costs))


@given(samples_of(score=INSIDE), BINS, st.sampled_from(MORE_BELIEFS))
def test_decompose(sample, bins, costs):
    table, quantised = pair(sample, bins)
    exact, found = stakes.decompose(table, costs), bounds.decompose(quantised, costs)
    for part in ("miscalibration", "discrimination", "uncertainty", "total"):
        assert_inside(getattr(exact, part), getattr(found, part))
    assert min(found.miscalibration.lower, found.discrimination.lower) >= 0


@given(samples(score=ANY_SCORE, max_size=30), BINS)
def test_auc(sample, bins):
    table, quantised = pair(sample, bins)
    assert_inside(stakes.auc(table), bounds.auc(quantised))


@given(samples(score=ANY_SCORE, max_size=30), BINS, st.tuples(st.floats(0, 0.49), st.floats(0.5, 1)))
def test_partial_auc(sample, bins, ends):
    table, quantised = pair(sample, bins)
    low, high = ends
    exact = stakes.measures.partial_auc(table, fpr_range=(low, high))
    assert_inside(exact, bounds.partial_auc(quantised, fpr_range=(low, high)))


ENDS = st.tuples(ANY_SCORE, ANY_SCORE).map(sorted).filter(lambda ends: ends[0] < ends[1])


@given(samples(score=ANY_SCORE, max_size=30), BINS, ENDS)
def test_bounded_auc(sample, bins, ends):
    table, quantised = pair(sample, bins)
    low, high = ends
    exact = stakes.measures.bounded_auc(table, score_range=(low, high))
    found = bounds.bounded_auc(quantised, score_range=(low, high))
    assert_inside(share(exact.below), found.below)
    assert_inside(share(exact.beside), found.beside)
    if math.isnan(found.concordant.estimate):  # then no score need be in the range: none was seen there
        assert not any(((one >= low) & (one <= high)).any() for one in extremes(quantised))
    else:
        assert_inside(share(exact.concordant), found.concordant)


def extremes(quantised):
    return [getattr(sums, end) for sums in (quantised.positive, quantised.negative) for end in ("least", "most")]


def test_areas_between_edges_are_as_certain_as_the_auc(large_tables):
    table, quantised = large_tables
    ends = {"score_range": (0.05, np.nextafter(0.2, 0))}
    exact, found = stakes.measures.bounded_auc(table, **ends), bounds.bounded_auc(quantised, **ends)
    for part in ("below", "beside", "concordant"):
        assert getattr(found, part).width < 2 * bounds.auc(quantised).width
        assert_inside(getattr(exact, part), getattr(found, part))


@given(samples(score=ANY_SCORE, max_size=30), BINS)
def test_the_areas_over_all_scores_are_the_auc(sample, bins):
    _, quantised = pair(sample, bins)
    areas, whole = bounds.bounded_auc(quantised, score_range=(0, 1)), bounds.auc(quantised)
    for part in (areas.below, areas.beside):
        assert (part.lower, part.upper) == pytest.approx((whole.lower, whole.upper), abs=1e-11)


@given(samples(score=ANY_SCORE, max_size=30), BINS, st.floats(0.01, 1))
def test_a_bracket_holds_whatever_improves_with_the_scores(sample, bins, share):
    table, quantised = pair(sample, bins)

    def precision(one):
        return stakes.top_k(one, k=share * one.total).precision

    found = bounds.bracket(quantised, precision)
    assert found.lower - 1e-12 <= precision(table) <= found.upper + 1e-12


CURVES = [
    stakes.regret_curve,
    stakes.curves.brier_curve,
    stakes.cost_curve,
    stakes.decision_curve,
    stakes.curves.best_decision_curve,
    stakes.curves.comparable_decision_curve,
    stakes.curves.relative_utility_curve,
    stakes.curves.interventions_avoided_curve,
    stakes.roc_curve,
    stakes.curves.roc_hull,
    stakes.precision_recall_curve,
    stakes.prevalence.accuracy_curve,
]


@pytest.mark.parametrize("curve", CURVES)
@given(sample=samples(score=INSIDE, max_size=12), bins=BINS)
def test_a_curve_runs_inside_its_envelope(curve, sample, bins):
    table, quantised = pair(sample, bins)
    x = np.concatenate([np.linspace(0.011, 0.989, 90), sample[1]])
    lower, upper = bounds.envelope(quantised, curve).at(x)
    exact = curve(table).at(x)
    slack = 1e-12 * (1 + np.abs(exact))
    assert np.all(lower <= exact + slack)
    assert np.all(exact <= upper + slack)


# ------------------------------------------------------------------------------------------- how close the bounds are


def large(n=200_000, seed=3):
    rng = np.random.default_rng(seed)
    score = rng.beta(1.2, 6, n)
    return rng.random(n) < score**1.3, score


@pytest.fixture(scope="module")
def large_tables():
    y, score = large()
    return score_table(y, score), quantise(y, score, bins=Bins(65536, edges=(0.05, 0.1, 0.2)))


def test_brier_score_is_exact_from_the_sums(large_tables):
    table, quantised = large_tables
    found = bounds.brier_score(quantised)
    assert found.width < 1e-11
    assert_inside(stakes.brier_score(table), found)


@pytest.mark.parametrize("costs", [At(0.1), Atoms([0.05, 0.2], [1, 2]), Uniform(0.05, 0.2)])
def test_costs_that_are_edges_are_exact(large_tables, costs):
    table, quantised = large_tables
    found = bounds.expected_regret(quantised, costs)
    assert found.width < 1e-11
    assert_inside(stakes.expected_regret(table, costs), found)


@pytest.mark.parametrize(
    "costs",
    [
        LogOddsUniform(0.01, 0.4),
        Beta(2, 8),
        Beta(0.5, 0.5),
        ShiftedUniform(0.1),
        IndependentCosts(false_negative=(2, 7), false_positive=(0.5, 3)),
        Mixture([Uniform(0.1, 0.3), Beta(2, 5)], [1, 1]),
        Uniform(0.0701, 0.33),
    ],
)
def test_smooth_costs_are_known_to_eight_digits(large_tables, costs):
    _, quantised = large_tables
    assert bounds.expected_regret(quantised, costs).width < 2e-8


def test_without_the_mean_score_bounds_would_be_a_thousand_times_wider(large_tables):
    _, quantised = large_tables
    costs = LogOddsUniform(0.01, 0.4)
    by_extremes = bounds.bracket(quantised, lambda one: stakes.expected_regret(one, costs))
    assert bounds.expected_regret(quantised, costs).width < by_extremes.width / 1000


def test_what_recalibration_saves_is_known_to_five_digits(large_tables):
    _, quantised = large_tables
    assert bounds.decompose(quantised, Uniform(0.05, 0.2)).miscalibration.width < 1e-5
    assert bounds.auc(quantised).width < 2e-4


@given(samples_of(weight=weights(integer=True)), BINS, st.sampled_from(BELIEFS))
def test_no_regret_is_less_certain_than_the_table_says(sample, bins, costs):
    _, quantised = pair(sample, bins)
    assert bounds.expected_regret(quantised, costs).width <= quantised.undecided + 1e-11


@given(samples(score=ANY_SCORE, weight=weights(integer=True), max_size=30), BINS)
@example((np.array([1, 1, 0, 0, 0]), np.array([0.1, 0.3, 0.2, 0.2, 0.2]), np.ones(5)), Bins(1))
def test_no_auc_is_less_certain_than_the_undecided_shares_of_both_classes(sample, bins):
    _, quantised = pair(sample, bins)
    shares = [
        np.max(sums.weight, initial=0, where=sums.least < sums.most) / sums.weight.sum()
        for sums in (quantised.positive, quantised.negative)
    ]
    assert bounds.auc(quantised).width <= sum(shares) + 1e-11


@given(samples_of(), st.sampled_from(BELIEFS))
def test_one_score_to_a_bin_is_exact(sample, costs):
    y, score, weight = sample
    score = np.round(score * 1000) / 1024
    table, quantised = pair((y, score, weight), Bins(1024))
    assert quantised.undecided == 0
    exact, found = stakes.expected_regret(table, costs), bounds.expected_regret(quantised, costs)
    assert_inside(exact, found)
    assert found.width == pytest.approx(0, abs=1e-11)


@given(samples_of(weight=weights(integer=True)), st.sampled_from(BELIEFS))
@example((np.array([0, 1]), np.array([0.3, 0.3]), np.array([1, 1])), At(0.3))
def test_bounds_of_finer_bins_are_no_wider(sample, costs):
    widths = [bounds.expected_regret(quantise(*sample, bins=bins), costs).width for bins in (4, 64, 4096)]
    assert widths[0] + 1e-11 >= widths[1]
    assert widths[1] + 1e-11 >= widths[2]


# ------------------------------------------------------------------------------------------- the ends of what can be


def test_a_positive_at_zero_makes_the_log_loss_infinite_for_certain():
    found = bounds.log_loss(quantise([1, 1, 0], [0.0, 0.4, 0.2], bins=1))
    assert (found.lower, found.estimate, found.upper) == (math.inf, math.inf, math.inf)
    assert found.width == 0


def test_a_negative_at_one_makes_the_mean_net_benefit_minus_infinite_for_certain():
    found = bounds.net_benefit(quantise([1, 0, 0], [0.4, 1.0, 0.2], bins=1), Uniform())
    assert (found.lower, found.estimate, found.upper) == (-math.inf, -math.inf, -math.inf)


@pytest.mark.parametrize("y", [[0, 0], [1, 1]])
@pytest.mark.parametrize("name", ["auc", "bounded_auc", "partial_auc", "h_measure", "skill_score"])
def test_on_one_class_a_ratio_is_nan_with_one_warning(y, name):
    table = quantise(y, [0.2, 0.3])
    arguments = [Uniform()] if name == "skill_score" else []
    missing = "negatives" if y[0] else "positives"
    keywords = {"score_range": (0, 1)} if name == "bounded_auc" else {}
    with pytest.warns(RuntimeWarning) as caught:
        found = getattr(bounds, name)(table, *arguments, **keywords)
    found = getattr(found, "concordant", found)
    assert [str(one.message) for one in caught] == [f"`{name}` is undefined without {missing}; returning nan."]
    assert np.isnan([found.lower, found.estimate, found.upper]).all()


def test_a_bounded_number_says_what_it_holds():
    found = bounds.Bounded(0.25, 0.3, 0.35)
    assert (0.25 in found, 0.35 in found, 0.24999 in found, 0.35001 in found) == (True, True, False, False)
    assert repr(bounds.Bounded(0.75 * (1 - 2.0**-40), 0.75, 1 / 3)) == (
        "Bounded(lower=0.75, estimate=0.75, upper=0.3333333333)"
    )


# ------------------------------------------------------------------------------------------- bad input


def message_of(call, error, *arguments, **keywords):
    with pytest.raises(error) as caught:
        call(*arguments, **keywords)
    return str(caught.value)


TABLE = quantise([0, 1], [0.2, 0.7])


@pytest.mark.parametrize(
    "name", sorted(set(bounds.__all__) - {"Bounded", "BoundedAreas", "BoundedDecomposition", "Envelope"})
)
def test_an_exact_table_is_refused(name):
    exact = score_table([0, 1], [0.2, 0.7])
    arguments = {
        "bracket": (exact, stakes.auc),
        "envelope": (exact, stakes.roc_curve),
        "h_measure": (exact,),
    }.get(
        name, (exact, At(0.3)) if name in ("decompose", "expected_regret", "net_benefit", "skill_score") else (exact,)
    )
    keywords = {"weighted_accuracy": {"cost": 0.3}, "bounded_auc": {"score_range": (0, 1)}}.get(name, {})
    assert message_of(getattr(bounds, name), TypeError, *arguments, **keywords) == (
        "`table` must be a QuantisedTable (see `quantise`), got ScoreTable."
    )


def test_a_quantised_table_is_refused_where_an_exact_one_is_needed():
    assert message_of(stakes.expected_regret, TypeError, TABLE, At(0.3)) == (
        "`table` must be a ScoreTable (see `score_table`), got QuantisedTable."
    )


@pytest.mark.parametrize("name", ["expected_regret", "net_benefit", "skill_score", "decompose", "h_measure"])
def test_a_number_and_words_are_beliefs(name):
    number = getattr(bounds, name)
    assert number(TABLE, 0.3) == number(TABLE, "30%") == number(TABLE, At(0.3))
    assert message_of(number, ValueError, TABLE, 30) == (
        "`costs` must lie strictly between 0 and 1, got 30; 30% is 0.3."
    )


def test_a_mixture_with_money_has_no_net_benefit():
    costs = Mixture([At(0.2), IndependentCosts(false_negative=(1, 2), false_positive=(1, 2))], [1, 1])
    assert message_of(bounds.net_benefit, TypeError, TABLE, costs).startswith(
        "`costs` must be a belief about the cost proportion, since this number is not in money, got IndependentCosts("
    )


def test_bad_ranges_are_refused_as_they_are_for_exact_tables():
    assert message_of(bounds.brier_score, ValueError, TABLE, cost_range=(0.4, 0.4)) == (
        "`cost_range` must go from low to high, got 0.4 for both; "
        "for a single cost use `expected_regret` with `At(0.4)`."
    )
    assert message_of(bounds.partial_auc, ValueError, TABLE, fpr_range=(0.4, 0.2)) == (
        "`fpr_range` must go from low to high, got (0.4, 0.2)."
    )
    assert message_of(bounds.weighted_accuracy, ValueError, TABLE, cost=1) == (
        "`cost` must lie strictly between 0 and 1, got 1."
    )


@pytest.mark.parametrize("curve", [stakes.calibration_curve, stakes.curves.class_loss_curves, stakes.auc])
def test_a_curve_without_a_better_direction_has_no_envelope(curve):
    assert message_of(bounds.envelope, ValueError, TABLE, curve) == (
        "`curve` must give one curve with a better direction, such as `decision_curve` does."
    )

"""Laws of the probability of being best: no seed, no order, ties shared, agreement with drawing."""

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import special
from uncertainty.simulated import cases, scores

from stakes import At, Cases, Uniform, auc, brier_score, evaluate, expected_regret, log_loss, net_benefit, rank
from stakes.datasets import load_cohort
from stakes.measures import recognise, with_parameters
from stakes.uncertainty import _best_of, _rank
from stakes.uncertainty._best_of import best_of, bivariate
from stakes.uncertainty._joint_law import angle_rule, joint_law
from stakes.uncertainty._rank import Options, normal_ranking

SIZES = [2, 3, 4, 7]


def problem(size, seed=0, spread=0.7):
    """Return estimates and a covariance with much in common, as of models on the same cases."""
    rng = np.random.default_rng([size, seed])
    roots = rng.normal(size=(size, size + 1))
    return spread * rng.normal(size=size), roots @ roots.T / size + 1.0


def law_of(gain, covariance, prior, references=0):
    return joint_law(gain, covariance, np.arange(len(gain)) < len(gain) - references, prior)


@pytest.mark.parametrize("count", [24, 64])
def test_angles_and_weights_integrate_over_a_quarter_turn(count):
    angle, weight = angle_rule(count)
    assert_allclose(weight @ np.cos(angle), 1, rtol=1e-14)  # sin from 0 to a quarter turn
    assert_allclose(weight @ np.sin(angle) ** 2, math.pi / 4, rtol=1e-14)


def drawn(law, count, seed=1):
    """Return plain draws from a law."""
    rng = np.random.default_rng(seed)
    z = rng.standard_normal((count, law.loads.shape[1]))
    if law.shrinkage is not None:
        shift, factor = law.shrinkage.moved(law.shrinkage.quantiles(rng.random(count)))
        z[:, : shift.shape[1]] = shift + factor * z[:, : shift.shape[1]]
    return law.mean + z @ law.loads.T


def options_of(gain, prior="near", references=0):
    estimates = {str(k): float(value) for k, value in enumerate(gain)}
    return Options(estimates, "larger", np.arange(len(gain)) < len(gain) - references, prior)


def few():
    cohort = load_cohort()
    marker = np.asarray(cohort["cancerpredmarker"][:200])
    models = {"marker": marker, "to 5%": np.round(marker / 0.05) * 0.05, "to 10%": np.round(marker / 0.1) * 0.1}
    return Cases(cohort["cancer"][:200], models)


@pytest.mark.parametrize("prior", ["near", "flat"])
def test_six_seeds_give_one_answer(prior):
    answers = [
        rank(few(), expected_regret, costs="5%..20%", prior=prior, rng=seed).probability_best for seed in range(6)
    ]
    assert all(one == answers[0] for one in answers)


def test_six_seeds_of_an_evaluation_give_one_answer():
    y, good, other = scores(300)
    models = {"good": good, "other": other, "third": (good + other) / 2}
    answers = [
        [standing.probability_best for standing in evaluate(y, models, "5%..20%", rng=seed).ranking]
        for seed in range(6)
    ]
    assert all(one == answers[0] for one in answers)


@pytest.mark.parametrize("prior", ["near", "flat"])
@pytest.mark.parametrize("size", SIZES)
def test_the_probabilities_of_being_best_add_up_to_1(size, prior):
    ranks = best_of(law_of(*problem(size), prior)).ranks
    assert_allclose(ranks.sum(axis=0), 1, atol=1e-12)
    assert_allclose(ranks.sum(axis=1), 1, atol=1e-12)
    assert ranks.min() >= 0


@pytest.mark.sample(3)
@pytest.mark.parametrize("count", [150_000, pytest.param(1_000_000, marks=pytest.mark.slow)])
@pytest.mark.parametrize(
    ("size", "prior", "references"),
    [(2, "near", 0), (3, "flat", 0), (3, "near", 0), (4, "near", 2), (6, "flat", 0), (9, "near", 2)],
)
def test_many_draws_agree(size, prior, references, count):
    law = law_of(*problem(size), prior, references)
    found, values = best_of(law), drawn(law, count)
    share = np.bincount(values.argmax(axis=1), minlength=size) / len(values)
    error = np.hypot(found.error, 0.5 / math.sqrt(len(values)))
    assert_allclose(found.ranks[:, 0], share, rtol=0, atol=4 * error)
    largest = values.max(axis=1)
    error = np.hypot(found.largest_error, largest.std() / math.sqrt(len(values)))
    assert_allclose(found.largest, largest.mean(), rtol=0, atol=4 * error)
    assert_allclose(found.means, values.mean(axis=0), rtol=0, atol=4 * values.std() / math.sqrt(len(values)))


@pytest.mark.parametrize("prior", ["near", "flat"])
@pytest.mark.parametrize("size", [4, 9])
def test_what_points_add_to_the_likeliest_three_adds_up(size, prior):
    found = _best_of._beyond_three(law_of(*problem(size), prior))
    assert found.ranks.sum() == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize("size", [4, 9])
def test_the_other_ranks_agree_with_draws_less_closely(size):
    law = law_of(*problem(size), "near")
    order = np.argsort(-drawn(law, 60_000), axis=1)
    share = np.array([np.bincount(place, minlength=size) for place in order.T]).T / len(order)
    assert_allclose(best_of(law).ranks, share, atol=0.012)


@pytest.mark.parametrize("prior", ["near", "flat"])
@pytest.mark.parametrize("size", SIZES)
def test_the_order_of_models_does_not_matter(size, prior):
    gain, covariance = problem(size)
    turned = np.random.default_rng(5).permutation(size)
    none = np.zeros(size)
    found = normal_ranking(options_of(gain, prior), covariance, none)
    other = normal_ranking(options_of(gain[turned], prior), covariance[np.ix_(turned, turned)], none)
    for place, k in enumerate(turned):
        assert_allclose(other.probability_best[str(place)], found.probability_best[str(k)], atol=1e-12)
        assert_allclose(other.expected_loss[str(place)], found.expected_loss[str(k)], atol=1e-12)


@pytest.mark.parametrize("prior", ["near", "flat"])
@pytest.mark.parametrize("others", [0, 1, 2, 5])
def test_two_identical_models_have_equal_probabilities(others, prior):
    gain, covariance = problem(others + 1)
    twice = [0, *range(others + 1)]
    found = normal_ranking(options_of(gain[twice], prior), covariance[np.ix_(twice, twice)], np.full(len(twice), 0.1))
    assert found.probability_best["0"] == found.probability_best["1"]
    assert found.expected_loss["0"] == pytest.approx(found.expected_loss["1"], abs=1e-12)
    assert_allclose(found.ranks["0"], found.ranks["1"])


def test_models_that_are_all_the_same_lose_nothing():
    y, good, _ = scores(300)
    found = rank(Cases(y, dict.fromkeys("abcde", good)), brier_score)
    assert_allclose(list(found.probability_best.values()), 0.2)
    assert found.value_of_information == pytest.approx(0, abs=1e-15)


@pytest.mark.parametrize("prior", ["near", "flat"])
@pytest.mark.parametrize("size", SIZES)
def test_a_hopeless_option_changes_nothing(size, prior):
    gain, covariance = problem(size)
    wider = np.pad(covariance, (0, 1))
    wider[-1, -1] = 1.0
    found = normal_ranking(options_of(gain, prior), covariance, np.zeros(size))
    other = normal_ranking(options_of(np.append(gain, -50.0), prior), wider, np.zeros(size + 1))
    error = 4 * (found.error + other.error) + 1e-9
    assert other.probability_best[str(size)] < 1e-100
    for name, chance in found.probability_best.items():
        assert_allclose(other.probability_best[name], chance, atol=error)
    loss_error = 4 * (found.loss_error + other.loss_error) + 1e-5
    assert_allclose(other.value_of_information, found.value_of_information, atol=loss_error)


@pytest.mark.parametrize("gain", [[0.3, 0.0], [1.0, 0.4, 0.0], [2.0, 1.0, 0.5, 0.0]])
def test_near_is_less_sure_than_flat(gain):
    size = len(gain)
    near, flat = (normal_ranking(options_of(gain, prior), np.eye(size), np.zeros(size)) for prior in ("near", "flat"))
    best = next(iter(near.estimate))
    assert near.probability_best[best] < flat.probability_best[best]
    assert near.value_of_information < flat.value_of_information
    assert near.optimism == flat.optimism


def test_references_are_not_shrunk():
    gain, covariance = np.array([1.0, 0.0]), np.eye(2) / 2
    shrunk = normal_ranking(options_of(gain), covariance, np.zeros(2))
    beside_a_reference = normal_ranking(options_of(gain, references=1), covariance, np.zeros(2))
    flat = normal_ranking(options_of(gain, "flat"), covariance, np.zeros(2))
    assert beside_a_reference.probability_best == flat.probability_best
    assert shrunk.probability_best["0"] < flat.probability_best["0"]
    assert beside_a_reference.method == "analytic"


def test_a_model_far_behind_is_not_in_the_race():
    covariance = np.eye(3) / 2
    alone = normal_ranking(options_of([1.0, 0.0]), covariance[:2, :2], np.zeros(2))
    with_far = normal_ranking(options_of([1.0, 0.0, -9.0]), covariance, np.zeros(3))
    assert with_far.probability_best["0"] == pytest.approx(alone.probability_best["0"], abs=1e-9)


def test_one_score_for_all_makes_a_reference():
    y, good, _ = scores(300)
    tables = [Cases(y, {"a": one}).table("a") for one in (good, np.full(300, 0.2))]
    assert _rank.models_among(tables).tolist() == [True, False]


@pytest.mark.parametrize("correlation", [-1.0, -0.99, -0.3, 0.0, 0.5, 0.999, 1.0])
@pytest.mark.parametrize("limits", [(0.0, 0.0), (0.0, 1.2), (-0.7, 0.0), (0.4, 0.9), (-1.0, 2.0), (40.0, 0.3)])
def test_the_bivariate_normal_probability(limits, correlation):
    grid = (np.arange(100_000) + 0.5) / 100_000
    h, k = limits
    x = special.ndtri(grid)
    root = math.sqrt(1 - correlation**2)
    with np.errstate(divide="ignore", invalid="ignore"):
        below = np.where(root > 0, special.ndtr((k - correlation * x) / root), correlation * x < k)
    wanted = np.where(x < h, below, 0.0).mean()
    found = bivariate(np.array([h]), np.array([k]), np.array([correlation]))[0]
    assert found == pytest.approx(wanted, abs=2e-5)


def test_an_infinite_loss_is_never_best_and_an_undefined_one_has_no_rank():
    found = normal_ranking(options_of([0.3, -math.inf, 0.1, math.nan]), np.eye(4), np.zeros(4))
    assert found.probability_best["1"] == 0
    assert math.isnan(found.probability_best["3"])
    assert found.probability_best["0"] + found.probability_best["2"] == pytest.approx(1)
    assert found.expected_loss["1"] == math.inf
    assert found.ranks["1"].tolist() == [0, 0, 1, 0]
    assert list(found.estimate) == ["0", "2", "1", "3"]


@pytest.mark.parametrize("prior", ["near", "flat"])
def test_what_was_not_seen_makes_less_sure(prior):
    gain, covariance = problem(3)
    seen = normal_ranking(options_of(gain, prior), covariance, np.zeros(3))
    more = normal_ranking(options_of(gain, prior), covariance, np.ones(3))
    best = next(iter(seen.estimate))
    assert more.probability_best[best] < seen.probability_best[best]
    assert more.optimism == seen.optimism


def test_what_half_a_case_can_do():
    y = np.array([1] * 20 + [0] * 80)
    sample = Cases(y, {"a": np.linspace(0.1, 0.9, 100)}, weight=np.where(y == 1, 2.0, 0.5))
    table = sample.table("a")

    def variance(measure, **parameters):
        form = recognise(with_parameters(measure, parameters, of="rank", own=[])).form
        return _rank.unseen_variance(form, table, 100, 20)

    total = 20 * 2.0 + 80 * 0.5
    by_hand = ((2.0 * 0.9 / total) ** 2 + (0.5 * 0.1 / total) ** 2) / 2
    assert variance(expected_regret, costs=At(0.1)) == pytest.approx(by_hand)
    assert variance(net_benefit, costs=At(0.1)) == pytest.approx(by_hand / 0.81)
    assert variance(log_loss) == variance(auc) == 0  # no bound, and not a mean of cases
    assert variance(expected_regret, costs=Uniform(0.1, 0.3)) > 0


def test_the_error_of_replicates_is_stated():
    found = rank(cases(100), brier_score, method="bootstrap", n_resamples=400, rng=1)
    chance = found.probability_best["good"]
    assert found.error == pytest.approx(math.sqrt(chance * (1 - chance) / 400))


def test_an_unknown_prior_is_refused():
    with pytest.raises(ValueError, match="prior") as caught:
        rank(cases(), auc, prior="nearly")
    assert str(caught.value) == "`prior` must be one of near, flat, got 'nearly'."


def test_one_case_tells_nothing_about_the_probability():
    found = rank(Cases([0], {"a": [0.1], "b": [0.9]}), brier_score)
    assert list(found.estimate) == ["a", "b"]
    assert all(math.isnan(one) for one in (*found.probability_best.values(), *found.expected_loss.values()))
    assert math.isnan(found.value_of_information)
    assert math.isnan(found.optimism)
    assert np.isnan(list(found.ranks.values())).all()


def test_one_cluster_tells_no_more_than_one_case():
    sample = Cases([0, 1, 1], {"a": [0.1, 0.8, 0.9], "b": [0.9, 0.2, 0.3]}, cluster=[0, 0, 0])
    assert math.isnan(rank(sample, brier_score).probability_best["a"])


def test_an_unknown_variance_is_not_certainty():
    options = Options({"a": 0.1, "b": 0.2, "c": math.inf}, "smaller", np.ones(3, dtype=bool), "near")
    covariance = np.diag([1e-4, math.nan, math.nan])
    found = normal_ranking(options, covariance, np.zeros(3))
    assert math.isnan(found.probability_best["a"])
    assert math.isnan(found.probability_best["b"])
    assert (found.probability_best["c"], found.expected_loss["c"]) == (0.0, math.inf)

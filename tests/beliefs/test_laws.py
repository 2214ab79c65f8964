"""What holds for every belief, and what one family has to do with another."""

import copy
import dataclasses
import pickle
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.integrate import quad

from stakes import At, Beta, LogOddsUniform, Uniform
from stakes.beliefs import Atoms, CostBelief, EveryLogOdds, IndependentCosts, Mixture, ShiftedUniform

laws = settings(deadline=None, max_examples=100)
FUNCTIONS = ("loss_if_positive", "loss_if_negative", "share_above", "odds_up_to")
GRID = np.unique(np.concatenate([np.linspace(0, 1, 41), [1e-300, 1e-9, 1e-4, 0.05, 0.2, 1 - 1e-9, 1 - 2**-53]]))

# ------------------------------------------------------------------------------------------- any belief

scores = st.floats(0.0, 1.0)
# Rare, common and nearly certain; never so close to 0 or 1 that a range around them would be nothing but rounding.
insides = st.one_of(st.floats(0.01, 0.99), st.floats(-9.0, -1.0).map(lambda x: 10**x), st.floats(0.9, 1 - 1e-6))
shapes = st.floats(0.2, 40.0)
weights = st.floats(0.1, 9.0)


@st.composite
def bounds(draw, ends=insides):
    low, high = sorted((draw(ends), draw(ends)))
    return (low, high) if high > low * (1 + 1e-6) else (low / 2, low)


@st.composite
def betas(draw):
    alpha, beta = draw(shapes), draw(shapes)
    if draw(st.booleans()):
        return Beta(alpha, beta)
    low, high = draw(bounds(st.floats(0.05, 0.95)))
    return Beta(alpha, beta, low=low, high=high)


atoms = st.lists(st.tuples(insides, weights), min_size=1, max_size=5).map(
    lambda pairs: Atoms(*zip(*pairs, strict=True))
)
simple_beliefs = st.one_of(
    insides.map(At),
    atoms,
    bounds().map(lambda pair: Uniform(*pair)),
    st.sampled_from([Uniform(), Uniform(0.0, 0.3), Uniform(0.3, 1.0)]),
    bounds().map(lambda pair: LogOddsUniform(*pair)),
    insides.map(ShiftedUniform),
    betas(),
)
mixtures = st.lists(st.tuples(simple_beliefs, weights), min_size=1, max_size=3).map(
    lambda pairs: Mixture(*zip(*pairs, strict=True))
)
beliefs = simple_beliefs | mixtures


def paid(belief, said, true):
    return true * belief.loss_if_positive(said) + (1 - true) * belief.loss_if_negative(said)


@laws
@given(beliefs, scores, scores)
def test_the_true_probability_is_the_cheapest_score(belief, said, true):
    assert paid(belief, said, true) >= paid(belief, true, true) - 1e-14


@laws
@given(scores, st.floats(1e-300, 1 - 2**-53))
def test_the_true_probability_is_the_cheapest_score_when_every_log_odds_counts(said, true):
    assert paid(EveryLogOdds(), said, true) >= paid(EveryLogOdds(), true, true) * (1 - 1e-14)


@laws
@given(beliefs, scores, scores)
def test_a_higher_score_costs_a_positive_less_and_a_negative_more(belief, first, second):
    low, high = sorted((first, second))
    assert belief.loss_if_positive(high) <= belief.loss_if_positive(low) + 1e-14
    assert belief.loss_if_negative(high) >= belief.loss_if_negative(low) - 1e-14


@laws
@given(beliefs)
def test_never_acting_costs_the_rest_of_the_mean_and_always_acting_the_mean(belief):
    assert_allclose(belief.loss_if_positive([0.0, 1.0]), [1 - belief.mean, 0.0], atol=1e-14)
    assert_allclose(belief.loss_if_negative([0.0, 1.0]), [0.0, belief.mean], rtol=1e-12, atol=0)


@laws
@given(beliefs, scores)
def test_share_above_is_what_the_losses_leave(belief, score):
    """P(c > s) = E[(1 - c) 1{c > s}] + E[c] - E[c 1{c <= s}]."""
    wanted = belief.loss_if_positive(score) + belief.mean - belief.loss_if_negative(score)
    assert_allclose(belief.share_above(score), wanted, atol=1e-13)


@laws
@given(beliefs, st.floats(0.0, 0.9))
def test_odds_lie_between_the_loss_and_the_loss_at_the_odds_of_the_score(belief, score):
    """For every cost c up to the score s, c <= c / (1 - c) <= c / (1 - s)."""
    loss, odds = belief.loss_if_negative(score), belief.odds_up_to(score)
    assert loss * (1 - 1e-12) <= odds <= loss / (1 - score) * (1 + 1e-12)


@pytest.mark.parametrize(
    "belief",
    [
        Uniform(),
        Uniform(0.05, 0.2),
        LogOddsUniform(0.02, 0.7),
        Beta(2, 5),
        Beta(3, 0.8),
        Beta(0.7, 3.2, low=0.1, high=0.65),
        ShiftedUniform(0.15),
        Mixture([At(0.3), Uniform(0.1, 0.4)], [1, 4]),
    ],
    ids=repr,
)
@pytest.mark.parametrize("score", [0.12, 0.3, 0.85])
def test_the_odds_are_the_loss_integrated_by_parts(belief, score):
    """Of c / (1 - c) dH up to s: loss(s) / (1 - s) less the integral of loss(c) / (1 - c)**2."""
    thresholds = [threshold for threshold in (0.0, *belief.support, 0.1, 0.3, 0.4, score) if threshold <= score]
    pieces = pairwise(sorted(thresholds))
    rest = sum(quad(lambda c: belief.loss_if_negative(c) / (1 - c) ** 2, *piece, epsabs=1e-14)[0] for piece in pieces)
    assert_allclose(belief.odds_up_to(score), belief.loss_if_negative(score) / (1 - score) - rest, rtol=1e-9)


# ------------------------------------------------------------------------------------------- one family as another


def assert_same(first, second, names=FUNCTIONS, score=GRID, **tolerance):
    for name in names:
        found, wanted = getattr(first, name)(score), getattr(second, name)(score)
        assert_allclose(found, wanted, **({"rtol": 1e-12, "atol": 1e-300} | tolerance), err_msg=name)


@laws
@given(bounds())
def test_a_truncated_flat_beta_is_uniform(pair):
    assert_same(Beta(1, 1, low=pair[0], high=pair[1]), Uniform(*pair))
    assert_allclose(Beta(1, 1, low=pair[0], high=pair[1]).density(GRID), Uniform(*pair).density(GRID), rtol=1e-12)


def test_the_flat_beta_is_uniform():
    assert_same(Beta(1, 1), Uniform(), (*FUNCTIONS, "density"))
    assert Beta(1, 1).mean == Uniform().mean


def test_the_uniform_shifted_nowhere_is_uniform():
    assert_same(ShiftedUniform(0.5), Uniform(), (*FUNCTIONS, "density"))
    assert ShiftedUniform(0.5).mean == Uniform().mean


@laws
@given(insides)
def test_half_of_a_shifted_uniform_lies_above_its_mode(mode):
    assert_allclose(ShiftedUniform(mode).share_above(mode), 0.5, rtol=1e-15)


@laws
@given(insides, scores)
def test_a_shifted_uniform_is_uniform_at_the_shifted_score(mode, score):
    """P(x (x) mode > s) for x uniform, where the odds of x are those of s divided by those of the mode."""
    odds = np.array([score * (1 - mode), (1 - score) * mode])
    assert_allclose(ShiftedUniform(mode).share_above(score), odds[1] / odds.sum(), rtol=1e-14)


@laws
@given(simple_beliefs, weights)
def test_a_mixture_of_one_is_that_one(belief, weight):
    mixture = Mixture([belief], [weight])
    assert_same(mixture, belief, rtol=0, atol=0)
    assert mixture.mean == belief.mean
    assert mixture.support == belief.support


@laws
@given(beliefs, beliefs, weights, weights, scores)
def test_a_mixture_is_linear_in_its_parts(first, second, a, b, score):
    mixture = Mixture([first, second], [a, b])
    for name in FUNCTIONS:
        parts = [float(getattr(part, name)(score)) for part in (first, second)]
        assert_allclose(getattr(mixture, name)(score), np.dot([a, b], parts) / (a + b), rtol=1e-13, atol=1e-300)
    assert_allclose(mixture.mean, (a * first.mean + b * second.mean) / (a + b), rtol=1e-13)


@laws
@given(beliefs, beliefs)
def test_a_part_without_weight_is_absent(belief, absent):
    mixture = Mixture([absent, belief], [0, 3])
    assert mixture == Mixture([belief], [1])


def test_an_improper_part_without_weight_is_absent():
    mixture = Mixture([Uniform(0.1, 0.3), EveryLogOdds()], [1, 0])
    assert mixture.mean == Uniform(0.1, 0.3).mean
    assert mixture.loss_if_positive(0.0) == Uniform(0.1, 0.3).loss_if_positive(0.0)


def test_an_improper_part_brings_its_infinite_loss_and_its_undefined_mean():
    mixture = Mixture([Uniform(0.1, 0.3), EveryLogOdds()], [1, 3])
    assert mixture.loss_if_positive(0.0) == np.inf
    assert np.isnan(mixture.mean)


@laws
@given(insides, weights)
def test_atoms_of_one_are_that_one(value, weight):
    assert_same(Atoms([value], [weight]), At(value), score=[*GRID, value], rtol=0, atol=0)
    assert Atoms([value], [weight]).mean == value


@laws
@given(st.lists(st.tuples(insides, weights), min_size=2, max_size=5), st.randoms())
def test_the_order_of_atoms_does_not_matter(pairs, random):
    """But for the order in which equal values are summed."""
    shuffled = random.sample(pairs, len(pairs))
    first, second = (Atoms(*zip(*order, strict=True)) for order in (pairs, shuffled))
    assert first.values == second.values
    assert_same(first, second, score=[*GRID, *first.values], rtol=1e-14)


@laws
@given(st.lists(st.tuples(insides, weights), min_size=1, max_size=4))
def test_an_atom_given_twice_has_the_sum_of_its_weights(pairs):
    values, masses = map(list, zip(*pairs, strict=True))
    twice = Atoms([*values, values[0]], [*masses, 2.5])
    once = Atoms(values, [masses[0] + 2.5, *masses[1:]])
    assert_same(twice, once, score=[*GRID, *values], rtol=1e-14)


@laws
@given(st.lists(st.tuples(insides, weights), min_size=1, max_size=5))
def test_atoms_are_a_mixture_of_single_values(pairs):
    values, masses = map(list, zip(*pairs, strict=True))
    assert_same(
        Atoms(values, masses), Mixture([At(value) for value in values], masses), score=[*GRID, *values], rtol=1e-13
    )


def test_a_value_without_weight_is_absent():
    assert Atoms([0.7, 0.1, 0.2], [0, 1, 3]) == Atoms([0.1, 0.2], [1, 3])


@pytest.mark.parametrize("family", [Atoms, Mixture])
def test_weights_whose_sum_is_beyond_the_largest_float_are_still_shared(family):
    parts = [0.1, 0.2, 0.4] if family is Atoms else [At(0.1), At(0.2), At(0.4)]
    assert family(parts[:2], [1.5e308, 0.5e308]).weights == (0.75, 0.25)
    assert family(parts, [1.5e308, 0.5e308, 1e-300]).weights == (0.75, 0.25)  # beside these, nothing


def halves(belief, middle):
    low, high = belief.support
    if isinstance(belief, Beta):
        return [Beta(belief.alpha, belief.beta, low=a, high=b) for a, b in ((low, middle), (middle, high))]
    return [type(belief)(low, middle), type(belief)(middle, high)]


@laws
@given(
    st.one_of(bounds().map(lambda pair: Uniform(*pair)), bounds().map(lambda pair: LogOddsUniform(*pair)), betas()),
    st.floats(0.1, 0.9),
)
def test_a_belief_is_the_mixture_of_its_two_halves(belief, share):
    low, high = belief.support
    middle = low + share * (high - low)
    upper = float(belief.share_above(middle))
    assume(1e-3 < upper < 1 - 1e-3)  # otherwise the digits of 1 - upper are those of rounding
    assert_same(Mixture(halves(belief, middle), [1 - upper, upper]), belief, rtol=1e-11)


# ------------------------------------------------------------------------------------------- exchanged classes

dyadic = st.integers(1, 1023).map(lambda k: k / 1024)  # so that 1 - x is exact
dyadic_bounds = st.lists(dyadic, min_size=2, max_size=2, unique=True).map(sorted)
pairs_of_mirrors = st.one_of(
    dyadic.map(lambda x: (At(x), At(1 - x))),
    dyadic_bounds.map(lambda b: (Uniform(*b), Uniform(1 - b[1], 1 - b[0]))),
    dyadic_bounds.map(lambda b: (LogOddsUniform(*b), LogOddsUniform(1 - b[1], 1 - b[0]))),
    dyadic.map(lambda x: (ShiftedUniform(x), ShiftedUniform(1 - x))),
    st.tuples(shapes, shapes).map(lambda s: (Beta(*s), Beta(s[1], s[0]))),
)


@laws
@given(pairs_of_mirrors, dyadic)
def test_exchanging_the_classes_exchanges_the_losses(mirrors, score):
    belief, mirror = mirrors
    assume(belief.support != (score, score))  # a tie goes to acting, which is not symmetric
    assert_allclose(belief.loss_if_positive(score), mirror.loss_if_negative(1 - score), rtol=1e-12)
    assert_allclose(belief.share_above(score), 1 - mirror.share_above(1 - score), atol=1e-13)


# ------------------------------------------------------------------------------------------- ties

SINGLE = [At(0.3), Atoms([0.3, 0.8], [3, 1]), Mixture([At(0.3), At(0.8)], [3, 1])]


@pytest.mark.parametrize("belief", SINGLE, ids=repr)
def test_a_score_equal_to_a_cost_acts(belief):
    before, after = np.nextafter(0.3, 0), np.nextafter(0.3, 1)
    for name in FUNCTIONS:
        values = getattr(belief, name)([before, 0.3, after])
        assert values[0] != values[1]
        assert values[1] == values[2]


# ------------------------------------------------------------------------------------------- densities and samples

DENSE = [
    Uniform(0.05, 0.2),
    LogOddsUniform(0.02, 0.7),
    Beta(2, 5),
    Beta(0.7, 3.2, low=0.1, high=0.65),
    ShiftedUniform(0.15),
    Mixture([Uniform(0.1, 0.4), Beta(5, 2)], [1, 4]),
]
ALL = [
    *DENSE,
    At(0.3),
    Atoms([0.1, 0.35, 0.8], [5, 2, 1]),
    Beta(2, 5, low=0.9, high=0.99),
    IndependentCosts(false_negative=(2, 7), false_positive=(0.5, 3)),
    IndependentCosts(false_negative=(2, 2), false_positive=(0.5, 3)),
    IndependentCosts(false_negative=(2, 2), false_positive=(3, 3)),
    Mixture([At(0.6), Uniform(0.1, 0.4)], [1, 4]),
]


def integral(function, belief, start=0.0):
    """Integral from `start` to 1, between the points where a density of `DENSE` breaks."""
    thresholds = sorted({start, *(threshold for threshold in (0.1, 0.4, *belief.support) if threshold > start)})
    return sum(quad(function, a, b, epsabs=1e-13)[0] for a, b in pairwise(thresholds))


@pytest.mark.parametrize("belief", DENSE, ids=repr)
def test_the_density_integrates_to_one_and_to_the_mean(belief):
    assert_allclose(integral(belief.density, belief), 1.0, rtol=1e-11)
    assert_allclose(integral(lambda c: c * belief.density(c), belief), belief.mean, rtol=1e-11)


@pytest.mark.parametrize("belief", DENSE, ids=repr)
def test_the_loss_of_a_positive_is_an_integral_of_the_density(belief):
    wanted = integral(lambda c: (1 - c) * belief.density(c), belief, 0.17)
    assert_allclose(belief.loss_if_positive(0.17), wanted, rtol=1e-10)


@pytest.mark.parametrize("belief", DENSE, ids=repr)
def test_there_is_no_density_outside_the_support(belief):
    low, high = belief.support
    assert belief.density([-0.5, low - 1e-3, high + 1e-3, 1.5]).tolist() == [0.0] * 4


def test_the_improper_density_is_that_of_the_log_odds():
    assert_allclose(EveryLogOdds().density([-0.1, 0.0, 0.2, 0.9, 1.0]), [0.0, 0.0, 1 / 0.16, 1 / 0.09, 0.0])


def test_a_density_that_is_infinite_at_its_ends_says_so():
    assert Beta(0.5, 0.7).density([0.0, 1.0]).tolist() == [np.inf, np.inf]


@pytest.mark.parametrize("belief", ALL, ids=repr)
def test_a_sample_has_the_mean_of_its_belief(belief):
    drawn = belief.sample(20_000, 17)
    assert abs(drawn.mean() - belief.mean) <= 4 * drawn.std() / np.sqrt(len(drawn)) + 1e-12


@pytest.mark.parametrize("belief", [belief for belief in ALL if hasattr(belief, "share_above")], ids=repr)
def test_a_sample_lies_above_a_score_as_often_as_believed(belief):
    drawn = belief.sample(20_000, 18)
    for score in np.quantile(drawn, [0.2, 0.6, 0.9]):
        assert_allclose(np.mean(drawn > score), belief.share_above(score), atol=4 * 0.5 / np.sqrt(len(drawn)))


@pytest.mark.parametrize("belief", ALL, ids=repr)
def test_a_sample_stays_in_the_support(belief):
    low, high = belief.support
    drawn = belief.sample(5_000, 19)
    assert low <= drawn.min() <= drawn.max() <= high


@pytest.mark.parametrize("belief", ALL, ids=repr)
def test_the_same_seed_draws_the_same_sample(belief):
    first, second = belief.sample(9, 20), belief.sample(9, np.random.default_rng(20))
    assert first.tolist() == second.tolist()


@pytest.mark.parametrize("belief", DENSE, ids=repr)
def test_a_generator_goes_on_where_it_was(belief):
    generator = np.random.default_rng(21)
    assert belief.sample(9, generator).tolist() != belief.sample(9, generator).tolist()


@pytest.mark.parametrize("belief", ALL, ids=repr)
def test_a_sample_has_the_size_asked_for(belief):
    assert belief.sample(0, 1).shape == (0,)
    assert belief.sample(3, 1).shape == (3,)


# ------------------------------------------------------------------------------------------- as objects

OBJECTS = [*ALL, EveryLogOdds()]


@pytest.mark.parametrize("belief", OBJECTS, ids=repr)
def test_a_belief_offers_the_two_losses_of_a_cost_belief(belief):
    assert isinstance(belief, CostBelief)


@pytest.mark.parametrize("belief", ALL, ids=repr)
def test_a_belief_cannot_be_changed(belief):
    field = dataclasses.fields(belief)[-1].name
    with pytest.raises(dataclasses.FrozenInstanceError) as caught:
        setattr(belief, field, 0.5)
    assert str(caught.value) == f"cannot assign to field '{field}'"


@pytest.mark.parametrize("belief", OBJECTS, ids=repr)
def test_a_belief_survives_copying_and_pickling(belief):
    assert copy.deepcopy(belief) == belief
    assert pickle.loads(pickle.dumps(belief)) == belief
    assert hash(pickle.loads(pickle.dumps(belief))) == hash(belief)


@pytest.mark.parametrize("belief", OBJECTS, ids=repr)
def test_a_belief_prints_as_what_makes_it(belief):
    assert eval(repr(belief)) == belief


@pytest.mark.parametrize("belief", OBJECTS, ids=repr)
def test_losses_have_the_shape_of_the_scores_and_leave_them_as_they_were(belief):
    score = np.linspace(0.05, 0.95, 6).reshape(2, 3)
    before = score.copy()
    for name in ("loss_if_positive", "loss_if_negative"):
        losses = getattr(belief, name)(score)
        assert losses.shape == (2, 3)
        assert losses.dtype == np.float64
        assert losses.tolist() == [[float(getattr(belief, name)(s)) for s in row] for row in score]
    assert score.tolist() == before.tolist()


@pytest.mark.parametrize("belief", OBJECTS, ids=repr)
def test_scores_in_single_precision_are_judged_in_double(belief):
    score = np.array([0.1, 0.37, 0.9], dtype=np.float32)
    for name in ("loss_if_positive", "loss_if_negative"):
        assert getattr(belief, name)(score).tolist() == getattr(belief, name)(score.astype(np.float64)).tolist()

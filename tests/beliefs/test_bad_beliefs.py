"""What cannot be believed: every constructor says what it wanted and what it got."""

import math

import numpy as np
import pytest

from stakes import At, Beta, LogOddsUniform, Uniform
from stakes.beliefs import Atoms, EveryLogOdds, IndependentCosts, LogOddsMeasure, Mixture, ShiftedUniform

nan, inf = math.nan, math.inf


def refused(kind, make, *arguments, **keywords):
    """Return the message with which a call is refused."""
    with pytest.raises(kind) as caught:
        make(*arguments, **keywords)
    assert isinstance(caught.value, TypeError) == (kind is TypeError)
    return str(caught.value)


# ------------------------------------------------------------------------------------------- one number


@pytest.mark.parametrize(("family", "name"), [(At, "value"), (ShiftedUniform, "median")])
@pytest.mark.parametrize(
    ("kind", "value", "message"),
    [
        (ValueError, 0, "must lie strictly between 0 and 1, got 0."),
        (ValueError, 1, "must lie strictly between 0 and 1, got 1."),
        (ValueError, -0.2, "must lie strictly between 0 and 1, got -0.2."),
        (ValueError, 20, "must lie strictly between 0 and 1, got 20; 20% is 0.2."),
        (ValueError, inf, "must lie strictly between 0 and 1, got inf."),
        (ValueError, nan, "must be a number, got nan."),
        (TypeError, "0.2", "must be a number, got '0.2'."),
        (TypeError, None, "must be a number, got None."),
        (TypeError, True, "must be a number, got True."),
        (TypeError, [0.2], "must be a number, got [0.2]."),
        (TypeError, 0.2j, "must be a number, got 0.2j."),
    ],
)
def test_a_number_that_is_no_proportion_is_refused(family, name, kind, value, message):
    assert refused(kind, family, value) == f"`{name}` {message}"


@pytest.mark.parametrize("value", [np.float32(0.25), np.float64(0.25), 1 / 4])
def test_numbers_of_any_kind_become_floats(value):
    assert At(value) == At(0.25)
    assert type(At(value).value) is float


# ------------------------------------------------------------------------------------------- two bounds

CLOSED = [Uniform, LogOddsMeasure, lambda low, high: Beta(2, 5, low=low, high=high)]
BOUNDED = [*CLOSED, LogOddsUniform]


@pytest.mark.parametrize("family", BOUNDED)
@pytest.mark.parametrize(
    ("kind", "bounds", "message"),
    [
        (ValueError, (0.3, 0.2), "`low` must be less than `high`, got low=0.3 and high=0.2."),
        (
            ValueError,
            (0.2, 0.2),
            "`low` must be less than `high`, got 0.2 for both; for a single value use `At(0.2)`.",
        ),
        (ValueError, (nan, 0.2), "`low` must be a number, got nan."),
        (ValueError, (0.1, nan), "`high` must be a number, got nan."),
        (TypeError, ("0.1", 0.2), "`low` must be a number, got '0.1'."),
        (TypeError, (0.1, None), "`high` must be a number, got None."),
        (TypeError, (False, 0.2), "`low` must be a number, got False."),
        (TypeError, (0.1, True), "`high` must be a number, got True."),
        (TypeError, ([0.1, 0.2], 0.3), "`low` must be a number, got [0.1, 0.2]."),
    ],
)
def test_bounds_that_are_none_are_refused(family, kind, bounds, message):
    assert refused(kind, family, *bounds) == message


@pytest.mark.parametrize("family", CLOSED)
@pytest.mark.parametrize(
    ("bounds", "message"),
    [
        ((-0.1, 0.2), "`low` must lie between 0 and 1, got -0.1."),
        ((0.1, 20), "`high` must lie between 0 and 1, got 20; 20% is 0.2."),
        ((0.1, inf), "`high` must lie between 0 and 1, got inf."),
        ((0, 0), "`low` must be less than `high`, got 0 for both."),
        ((1, 1), "`low` must be less than `high`, got 1 for both."),
    ],
)
def test_bounds_outside_the_closed_range_are_refused(family, bounds, message):
    assert refused(ValueError, family, *bounds) == message


@pytest.mark.parametrize(
    ("bounds", "message"),
    [
        ((0, 0.2), "`low` must lie strictly between 0 and 1, got 0."),
        ((0.1, 1), "`high` must lie strictly between 0 and 1, got 1."),
        ((-0.1, 0.2), "`low` must lie strictly between 0 and 1, got -0.1."),
        ((0.1, 20), "`high` must lie strictly between 0 and 1, got 20; 20% is 0.2."),
        ((0.1, inf), "`high` must lie strictly between 0 and 1, got inf."),
    ],
)
def test_log_odds_have_no_bounds_at_0_and_1(bounds, message):
    assert refused(ValueError, LogOddsUniform, *bounds) == message


# ------------------------------------------------------------------------------------------- Beta


@pytest.mark.parametrize(
    ("kind", "shape", "message"),
    [
        (ValueError, (0, 5), "`alpha` must be finite and greater than 0, got 0."),
        (ValueError, (2, -5), "`beta` must be finite and greater than 0, got -5."),
        (ValueError, (2, inf), "`beta` must be finite and greater than 0, got inf."),
        (ValueError, (nan, 5), "`alpha` must be a number, got nan."),
        (TypeError, ("2", 5), "`alpha` must be a number, got '2'."),
        (TypeError, (2, None), "`beta` must be a number, got None."),
        (TypeError, (2, True), "`beta` must be a number, got True."),
    ],
)
def test_a_beta_without_a_shape_is_refused(kind, shape, message):
    assert refused(kind, Beta, *shape) == message


@pytest.mark.parametrize(
    ("shape", "bounds", "message"),
    [
        (
            (2, 1000),
            (0.6, 0.7),
            "`low` and `high` must hold some of Beta(2, 1000), got none in 0.6..0.7.",
        ),
        (
            (2, 750),  # 1e-296: a float, but too small to divide products of it by
            (0.6, 0.7),
            "`low` and `high` must hold some of Beta(2, 750), got none in 0.6..0.7.",
        ),
    ],
)
def test_bounds_that_leave_nothing_of_a_beta_are_refused(shape, bounds, message):
    assert refused(ValueError, Beta, *shape, low=bounds[0], high=bounds[1]) == message


def test_the_bounds_of_a_beta_are_named():
    message = refused(TypeError, Beta, 2, 5, 0.1, 0.2)
    assert message == "Beta.__init__() takes 3 positional arguments but 5 were given"


# ------------------------------------------------------------------------------------------- Atoms


@pytest.mark.parametrize(
    ("kind", "values", "weights", "message"),
    [
        (ValueError, [], [], "`values` must be a list of numbers, got an empty one."),
        (ValueError, [0.1], [], "`weights` must be a list of numbers, got an empty one."),
        (TypeError, 0.1, [1], "`values` must be a list of numbers, got float."),
        (TypeError, [0.1], 1, "`weights` must be a list of numbers, got int."),
        (TypeError, "0.1", [1], "`values` must be a list of numbers, got str."),
        (TypeError, None, [1], "`values` must be a list of numbers, got NoneType."),
        (TypeError, {0.1: 1}, [1], "`values` must be a list of numbers, got dict."),
        (TypeError, [0.1, 0.2], {1, 2}, "`weights` must be a list of numbers, got set."),
        (TypeError, [0.1, 0.2], b"12", "`weights` must be a list of numbers, got bytes."),
        (TypeError, np.array(0.1), [1], "`values` must be a list of numbers, got ndarray."),
        (TypeError, np.array([[0.1]]), [1], "`values` must be a list of numbers, got ndarray."),
        (ValueError, [0.1, 2], [1, 1], "`values[1]` must lie strictly between 0 and 1, got 2; 2% is 0.02."),
        (ValueError, [0.1, 0], [1, 1], "`values[1]` must lie strictly between 0 and 1, got 0."),
        (ValueError, [nan, 0.1], [1, 1], "`values[0]` must be a number, got nan."),
        (TypeError, [0.1, "0.2"], [1, 1], "`values[1]` must be a number, got '0.2'."),
        (TypeError, [0.1, True], [1, 1], "`values[1]` must be a number, got True."),
        (ValueError, [0.1, 0.2], [1, -1], "`weights[1]` must be finite and not negative, got -1."),
        (ValueError, [0.1, 0.2], [inf, 1], "`weights[0]` must be finite and not negative, got inf."),
        (ValueError, [0.1, 0.2], [1, nan], "`weights[1]` must be a number, got nan."),
        (TypeError, [0.1, 0.2], [1, "1"], "`weights[1]` must be a number, got '1'."),
        (TypeError, [0.1, 0.2], [True, False], "`weights[0]` must be a number, got True."),
        (ValueError, [0.1, 0.2], [0, 0], "`weights` must hold a weight greater than 0, got none."),
        (ValueError, [0.1, 0.2], [1], "`values` and `weights` must have the same length, got 2 and 1."),
        (ValueError, [0.1], [1, 2, 3], "`values` and `weights` must have the same length, got 1 and 3."),
    ],
)
def test_atoms_that_are_none_are_refused(kind, values, weights, message):
    assert refused(kind, Atoms, values, weights) == message


@pytest.mark.parametrize("kind", [list, tuple, np.array])
def test_atoms_come_in_any_sequence(kind):
    assert Atoms(kind([0.5, 0.1]), kind([1, 3])) == Atoms([0.1, 0.5], [3, 1])


# ------------------------------------------------------------------------------------------- Mixture


class Incomplete:
    """A belief of one's own that offers one loss only."""

    def loss_if_positive(self, score):
        return np.asarray(score)

    def __repr__(self):
        return "Incomplete()"


class LossesOnly(Incomplete):
    """A belief of one's own that offers what a cost belief must, and no more."""

    def loss_if_negative(self, score):
        return np.asarray(score)

    def __repr__(self):
        return "LossesOnly()"


@pytest.mark.parametrize(
    ("kind", "parts", "weights", "message"),
    [
        (ValueError, [], [], "`parts` must be a list of beliefs, got an empty one."),
        (ValueError, [Uniform()], [], "`weights` must be a list of numbers, got an empty one."),
        (TypeError, Uniform(), [1], "`parts` must be a list of beliefs, got Uniform."),
        (TypeError, [Uniform()], 1, "`weights` must be a list of numbers, got int."),
        (TypeError, {"a": Uniform()}, [1], "`parts` must be a list of beliefs, got dict."),
        (TypeError, "ab", [1, 1], "`parts` must be a list of beliefs, got str."),
        (ValueError, [At(0.1), 20], [1, 1], "`parts[1]` must lie strictly between 0 and 1, got 20; 20% is 0.2."),
        (
            TypeError,
            [At(0.1), True],
            [1, 1],
            "`parts[1]` must be a belief, a number or words such as '5%..20%', got True.",
        ),
        (
            TypeError,
            [At(0.1), None],
            [1, 1],
            "`parts[1]` must be a belief with `loss_if_positive` and `loss_if_negative`, got None.",
        ),
        (TypeError, [Incomplete()], [1], "`parts[0]` must be a belief with `loss_if_negative`, got Incomplete()."),
        (ValueError, [At(0.1), At(0.2)], [1, -1], "`weights[1]` must be finite and not negative, got -1."),
        (ValueError, [At(0.1), At(0.2)], [nan, 1], "`weights[0]` must be a number, got nan."),
        (ValueError, [At(0.1), At(0.2)], [1, inf], "`weights[1]` must be finite and not negative, got inf."),
        (TypeError, [At(0.1), At(0.2)], ["1", 1], "`weights[0]` must be a number, got '1'."),
        (TypeError, [At(0.1), At(0.2)], [1, True], "`weights[1]` must be a number, got True."),
        (ValueError, [At(0.1), At(0.2)], [0, 0], "`weights` must hold a weight greater than 0, got none."),
        (ValueError, [At(0.1), At(0.2)], [1], "`parts` and `weights` must have the same length, got 2 and 1."),
    ],
)
def test_a_mixture_that_is_none_is_refused(kind, parts, weights, message):
    assert refused(kind, Mixture, parts, weights) == message


@pytest.mark.parametrize("method", ["share_above", "odds_up_to", "density"])
def test_a_mixture_names_the_part_that_lacks_what_is_needed(method):
    mixture = Mixture([Uniform(), LossesOnly()], [1, 1])
    message = f"`parts[1]` must be a belief with `{method}`, got LossesOnly()."
    assert refused(TypeError, getattr(mixture, method), 0.3) == message


@pytest.mark.parametrize("attribute", ["mean", "support"])
def test_a_mixture_names_the_part_without_a_mean_or_a_support(attribute):
    mixture = Mixture([Uniform(), LossesOnly()], [1, 1])
    message = f"`parts[1]` must be a belief with `{attribute}`, got LossesOnly()."
    assert refused(TypeError, getattr, mixture, attribute) == message


def test_a_mixture_with_an_improper_part_has_no_sample():
    mixture = Mixture([Uniform(), EveryLogOdds()], [1, 1])
    message = "`parts[1]` must be a belief with `sample`, got EveryLogOdds()."
    assert refused(TypeError, mixture.sample, 3) == message


def test_a_mixture_accepts_a_belief_of_ones_own():
    mixture = Mixture([At(0.3), LossesOnly()], [3, 1])
    assert mixture.loss_if_positive([0.2, 0.4]).tolist() == pytest.approx([0.575, 0.1])


# ------------------------------------------------------------------------------------------- IndependentCosts


@pytest.mark.parametrize("name", ["false_negative", "false_positive"])
@pytest.mark.parametrize(
    ("kind", "pair", "message"),
    [
        (TypeError, 5, "must be a pair of costs (lowest, highest), got 5."),
        (TypeError, None, "must be a pair of costs (lowest, highest), got None."),
        (TypeError, "ab", "must be a pair of costs (lowest, highest), got 'ab'."),
        (TypeError, (1,), "must be a pair of costs (lowest, highest), got (1,)."),
        (TypeError, (1, 2, 3), "must be a pair of costs (lowest, highest), got (1, 2, 3)."),
        (TypeError, {1, 2}, "must be a pair of costs (lowest, highest), got {1, 2}."),
        (ValueError, (3, 1), "must run from the lowest cost to the highest, got (3, 1)."),
        (ValueError, (0, 0), "must hold a cost greater than 0, got (0, 0)."),
        (ValueError, (-1, 2), "must be finite and not negative, got -1."),
        (ValueError, (1, inf), "must be finite and not negative, got inf."),
        (ValueError, (nan, 2), "must be a number, got nan."),
        (TypeError, ("1", 2), "must be a number, got '1'."),
        (TypeError, (1, True), "must be a number, got True."),
    ],
)
def test_a_range_of_costs_that_is_none_is_refused(name, kind, pair, message):
    costs = {"false_negative": (1, 2), "false_positive": (3, 4)} | {name: pair}
    assert refused(kind, IndependentCosts, **costs) == f"`{name}` {message}"


def test_the_two_costs_are_named():
    message = refused(TypeError, IndependentCosts, (1, 2), (3, 4))
    assert message == "IndependentCosts.__init__() takes 1 positional argument but 3 were given"


@pytest.mark.parametrize("pair", [[1, 2], (1, 2), np.array([1, 2])])
def test_a_pair_of_costs_comes_in_any_sequence(pair):
    belief = IndependentCosts(false_negative=pair, false_positive=(3, 4))
    assert belief.false_negative == (1.0, 2.0)


# ------------------------------------------------------------------------------------------- samples

SAMPLED = [
    At(0.3),
    Atoms([0.1, 0.5], [3, 1]),
    Uniform(),
    LogOddsUniform(0.1, 0.2),
    Beta(2, 5),
    ShiftedUniform(0.1),
    Mixture([At(0.3)], [1]),
    IndependentCosts(false_negative=(1, 2), false_positive=(3, 4)),
]


@pytest.mark.parametrize("belief", SAMPLED, ids=repr)
@pytest.mark.parametrize(
    ("kind", "n", "message"),
    [
        (ValueError, -1, "`n` must be at least 0, got -1."),
        (TypeError, 2.5, "`n` must be a whole number, got 2.5."),
        (TypeError, None, "`n` must be a whole number, got None."),
        (TypeError, True, "`n` must be a whole number, got True."),
    ],
)
def test_a_sample_of_no_size_is_refused(belief, kind, n, message):
    assert refused(kind, belief.sample, n) == message

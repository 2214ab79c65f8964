"""The threshold of accuracy, when none is given, is one half, and a score at it acts."""

from hypothesis import given
from strategies import samples

from stakes import accuracy, score_table


@given(samples(ends=True, one_class=True))
def test_whoever_reaches_one_half_is_acted_on(sample):
    table = score_table(*sample)
    assert accuracy(table) == accuracy(table, threshold=0.5)


def test_it_is_the_share_of_right_decisions():
    assert accuracy(score_table([1, 0, 0, 1, 0], [0.5, 0.5, 0.49, 0.3, 0.8])) == 2 / 5

"""The forest plot of groups: what is drawn is what was computed."""

import numpy as np
import pytest
from matplotlib.figure import Figure
from uncertainty.simulated import cases

from stakes import Cases, InputError, net_benefit
from stakes.plot import draw_group_differences
from stakes.plot._style import PALETTE, REFERENCE
from stakes.uncertainty import compare_groups

GROUP = np.array(["north"] * 200 + ["south"] * 180 + ["tiny"] * 20)


@pytest.fixture
def found():
    return compare_groups(cases(), "good", "other", net_benefit, GROUP, costs=0.3)


def test_every_group_has_two_intervals_and_a_point(found):
    _, common, *drawn = draw_group_differences(Figure().subplots(), found).lines
    assert common.get_xdata() == [found.common, found.common]
    for place, group in enumerate(found.groups.values()):
        thin, thick, point = drawn[3 * place : 3 * place + 3]
        assert thin.get_xdata().tolist() == [group.adjusted.lower, group.adjusted.upper]
        assert thick.get_xdata().tolist() == [group.difference.lower, group.difference.upper]
        assert point.get_xydata().tolist() == [[group.difference.difference, place]]
        assert point.get_color() == (REFERENCE if group.left_out else PALETTE[0])


def test_groups_left_out_are_grey(found):
    assert found.groups["tiny"].left_out
    assert draw_group_differences(Figure().subplots(), found).lines[-1].get_color() == REFERENCE


def test_the_title_says_the_test(found):
    assert draw_group_differences(Figure().subplots(), found).get_title("left").endswith(f"(p = {found.p_value:.2g})")
    alone = compare_groups(cases(), "good", "other", net_benefit, ["all"] * 400, costs=0.3)
    ax = draw_group_differences(Figure().subplots(), alone)
    assert ax.get_title("left") == "good less other, by group (no test)"
    assert len(ax.lines) == 4


def test_groups_of_the_same_clusters_have_no_test():
    given = cases()
    score = {name: np.repeat(given.table(name).score[given.rows(name)], 2) for name in ("good", "other")}
    twins = Cases(np.repeat(given.positive, 2), score, cluster=np.arange(800) // 2)
    found = compare_groups(twins, "good", "other", net_benefit, np.arange(800) % 2, costs=0.3)
    ax = draw_group_differences(Figure().subplots(), found)
    assert (found.freedom, ax.get_title("left")) == (1, "good less other, by group (no test)")
    assert len(ax.lines) == 7


def test_what_is_no_comparison_is_refused():
    with pytest.raises(InputError) as error:
        draw_group_differences(Figure().subplots(), {})
    assert str(error.value) == "`comparison` must be a GroupComparison, got dict."

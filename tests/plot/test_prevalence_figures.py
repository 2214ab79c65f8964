"""Figures about another prevalence: what is drawn is what was computed."""

import pytest
from matplotlib.figure import Figure

from stakes import At, Uniform, explain_gap, score_table
from stakes.plot import draw_gap, draw_shifted_net_benefit
from stakes.prevalence import Gap, reweight_classes, shifted_net_benefit

TABLE = score_table([0, 0, 1, 0, 1, 1], [0.05, 0.2, 0.3, 0.4, 0.55, 0.9])


def test_net_benefit_curves_have_a_circle_at_their_own_prevalence_and_a_bar_over_the_range():
    average = shifted_net_benefit(TABLE, At(0.2), Uniform(0.1, 0.3))
    ax = draw_shifted_net_benefit(
        Figure().subplots(), {"all": TABLE}, cost=0.2, low=0.1, high=0.3, averages={"all": average}
    )
    _, circle, bar, perfect = ax.lines
    assert circle.get_xdata()[0] == TABLE.prevalence
    assert circle.get_ydata()[0] == pytest.approx(shifted_net_benefit(TABLE, At(0.2), At(TABLE.prevalence)))
    assert bar.get_xydata().tolist() == [[0.1, average], [0.3, average]]
    assert perfect.get_xydata().tolist() == [[0, 0], [1, 1]]
    assert ax.texts[1].get_text() == f"all ({average:.3f})"


def test_the_axis_of_net_benefit_reaches_from_the_lowest_point_to_the_largest_prevalence():
    ax = Figure().subplots()
    ax.set_xlim(0, 0.5)
    draw_shifted_net_benefit(ax, {"all": TABLE}, cost=0.2)
    lowest = min(0, *(line.get_ydata().min() for line in ax.lines))
    assert ax.get_ylim() == pytest.approx((lowest - 0.01, 0.5))


def test_the_steps_of_a_waterfall_meet_and_end_at_the_total():
    gap = explain_gap(TABLE, reweight_classes(TABLE, 0.1), At(0.2))
    bars = draw_gap(Figure().subplots(), gap).patches
    first, second, third, whole = bars
    assert first.get_y() == whole.get_y() == 0
    assert second.get_y() == pytest.approx(first.get_height())
    assert third.get_y() == pytest.approx(second.get_y() + second.get_height())
    assert third.get_y() + third.get_height() == pytest.approx(whole.get_height()) == pytest.approx(gap.total)


@pytest.mark.parametrize(
    ("gap", "numbers"),
    [
        (Gap(0.0532, 0.0035, 0.0497, -0.0009, 0.0044), ["-0.0009", "+0.0044", "+0.0497", "+0.0532"]),
        (Gap(-12.5, 0.0, -12.5, 0.0, 0.0), ["+0.0", "+0.0", "-12.5", "-12.5"]),
        (Gap(0.0, 0.0, 0.0, 0.0, 0.0), ["+0.0"] * 4),
    ],
)
def test_the_numbers_of_a_waterfall_have_as_many_decimals_as_its_largest_needs(gap, numbers):
    ax = draw_gap(Figure().subplots(), gap)
    assert [text.get_text().replace("\N{MINUS SIGN}", "-") for text in ax.texts] == numbers
    assert [text.xy[1] for text in ax.texts] == pytest.approx([gap.sharpness, gap.mechanism, gap.total, gap.total])

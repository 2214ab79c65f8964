"""The forest plot of sites: what is drawn is what was computed."""

import itertools

import numpy as np
import pytest
from matplotlib.figure import Figure
from uncertainty.simulated import cases

from stakes import InputError, net_benefit
from stakes.plot import draw_sites
from stakes.sites import pool_sites

SITE = np.array(["north", "south", "west"])[np.arange(400) % 3]


@pytest.fixture
def pooled():
    return pool_sites(cases(), measure=net_benefit, site=SITE, baseline="other", costs=0.3)


def test_every_site_the_average_and_the_new_one_are_drawn(pooled):
    ax = draw_sites(Figure().subplots(), pooled, model="good")
    number = pooled.models["good"]
    zero, *drawn = ax.lines
    assert list(zero.get_xdata()) == [0, 0]
    for place, site in enumerate(number.sites.values()):
        line, point = drawn[2 * place : 2 * place + 2]
        assert point.get_xydata().tolist() == [[site.estimate, place]]
        assert np.mean(line.get_xdata()) == pytest.approx(site.estimate)
        assert np.ptp(line.get_xdata()) == pytest.approx(2 * 1.959964 * site.error)
    average, middle, following = drawn[6:]
    assert list(average.get_xdata()) == [number.average.lower, number.average.upper]
    assert middle.get_xydata().tolist() == [[number.average.estimate, 3]]
    assert list(following.get_xdata()) == [number.new_site.lower, number.new_site.upper]
    assert ax.get_title("left") == "good less other, by site"
    assert ax.get_xlabel() == "net_benefit(costs=0.3)"


def test_numbers_with_many_digits_have_room_in_a_small_figure(pooled):
    figure = Figure((3.2, 4))
    ax = draw_sites(figure.subplots(), pooled, model="good")
    ax.set_xlim(-0.0015, 0.0018)
    figure.draw_without_rendering()
    boxes = [label.get_window_extent() for label in ax.get_xticklabels() if label.get_text()]
    assert len(boxes) > 2
    assert all(left.x1 < right.x0 for left, right in itertools.pairwise(boxes))


def test_two_sites_have_no_line_for_a_new_one():
    found = pool_sites(cases(), measure=net_benefit, site=np.arange(400) % 2, baseline="other", costs=0.3)
    labels = [label.get_text() for label in draw_sites(Figure().subplots(), found, model="good").get_yticklabels()]
    assert labels[-1] == "average site"


def test_a_model_must_be_named_where_there_are_several(pooled):
    several = pool_sites(cases(), measure=net_benefit, site=SITE, costs=0.3)
    with pytest.raises(InputError, match="`model` must be one of good, other"):
        draw_sites(Figure().subplots(), several)
    with pytest.raises(InputError, match="`pooled` must be PooledSites, got dict"):
        draw_sites(Figure().subplots(), {})

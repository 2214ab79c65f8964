"""The drawing kit by itself: lines keep their places with few points, and labels keep their distance."""

import itertools
import math
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stakes.report._chart_axis import ROW
from stakes.report._chart_labels import spread
from stakes.report._chart_lines import smoothed
from stakes.report._first_screen import people_picture
from stakes.report._scripts import asset
from stakes.report._svg import joined

PLACES = st.lists(st.tuples(st.floats(0, 600), st.floats(0, 300)), min_size=2, max_size=60)


def distance(point: tuple[float, float], start: tuple[float, float], end: tuple[float, float]) -> float:
    """Return how far a point is from a segment."""
    (x, y), (x0, y0), (x1, y1) = point, start, end
    length = (x1 - x0) ** 2 + (y1 - y0) ** 2
    along = 0.0 if length == 0 else min(max(((x - x0) * (x1 - x0) + (y - y0) * (y1 - y0)) / length, 0.0), 1.0)
    return math.hypot(x - x0 - along * (x1 - x0), y - y0 - along * (y1 - y0))


@given(PLACES)
def test_a_line_with_fewer_points_passes_within_a_quarter_of_a_pixel_of_all(points):
    points = sorted(points)  # lines go from left to right
    kept = smoothed(points, 0.25)
    assert (kept[0], kept[-1]) == (points[0], points[-1])
    assert set(kept) <= set(points)
    far = [min(distance(point, *ends) for ends in itertools.pairwise(kept)) for point in points]
    assert max(far) <= 0.25 + 1e-9


def test_a_spike_beyond_the_end_of_a_steep_part_stays():
    spike = [(0.0, 100.0), (0.05, 0.0), (0.1, 200.0)]
    assert smoothed(spike, 0.25) == spike


def test_a_jump_stays_a_jump():
    jump = [(0.0, 10.0), (50.0, 10.0), (50.0, 40.0), (100.0, 40.0)]
    assert smoothed(jump, 0.25) == jump
    assert joined(jump) == "M0 10h50v30h50"


def read(path: str) -> list[tuple[float, float]]:
    """Follow a path of moves, as a browser does."""
    places, kind, at = [], "M", (0.0, 0.0)
    for letter, numbers in parts_of(path):
        kind = letter or kind
        x, y = at
        match kind:
            case "M":
                at = (numbers[0], numbers[1])
            case "h":
                at = (x + numbers[0], y)
            case "v":
                at = (x, y + numbers[0])
            case "l":
                at = (x + numbers[0], y + numbers[1])
        places.append(at)
    return places


def parts_of(path: str) -> list[tuple[str, list[float]]]:
    """Split a path into its moves; a letter holds until the next."""
    found = []
    for letter, text in re.findall(r"([Mhvl])([^Mhvl]*)", path):
        numbers = [float(one) for one in re.findall(r"-?(?:\d+\.?\d*|\.\d+)", text)]
        size = 1 if letter in "hv" else 2
        found += [(letter, numbers[k : k + size]) for k in range(0, len(numbers), size)]
    return found


@given(PLACES)
def test_a_path_leads_to_its_points_to_a_tenth_of_a_pixel(points):
    wanted = [(math.floor(10 * x + 0.5) / 10, math.floor(10 * y + 0.5) / 10) for x, y in points]
    moved = [wanted[0], *(b for a, b in itertools.pairwise(wanted) if a != b)]
    np.testing.assert_allclose(read(joined(points)), moved, atol=1e-6)


@given(st.lists(st.floats(0, 300), min_size=1, max_size=16).map(sorted))
def test_labels_keep_their_distance_their_order_and_their_place(heights):
    placed = spread(heights, 10.0, 290.0)
    assert min(np.diff(placed), default=ROW) >= ROW - 1e-9
    assert placed[0] >= 10 - 1e-9
    assert placed[-1] <= 290 + 1e-9


@pytest.mark.parametrize("heights", [[50.0], [20.0, 60.0, 280.0]])
def test_labels_that_have_room_stand_where_their_lines_end(heights):
    assert spread(heights, 10.0, 290.0) == pytest.approx(heights)


@pytest.mark.parametrize(("counts", "total"), [([104, 36, 147, 713], 1000), ([3, 0, 1240, 8757], 10_000)])
def test_as_many_dashes_are_drawn_as_there_are_cases(counts, total):
    drawn = re.findall(
        r'"person (\w+) dashed" d="([^"]*)" .*?dasharray="([\d.]+) ([\d.]+)"', people_picture(counts, total)
    )
    found = {
        kind: sum(
            (float(long) - float(dash)) / (float(dash) + float(gap)) + 1 for long in re.findall(r"h([\d.]+)", path)
        )
        for kind, path, dash, gap in drawn
    }
    assert found == pytest.approx({"found": counts[0], "left": counts[3]}, abs=0.5)


@pytest.mark.parametrize(("counts", "total"), [([104, 36, 147, 713], 1000), ([3, 0, 1240, 8757], 10_000)])
def test_the_page_draws_cases_as_python_does(open_file, tmp_path, counts, total):
    (tmp_path / "empty.html").write_text("<!doctype html><title>drawn</title>", encoding="utf-8")
    page = open_file(tmp_path / "empty.html")
    scripts = f"{asset('charts.js')}; {asset('people.js')}"
    drawn = page.evaluate(
        f"(given) => {{ {scripts}; return people.picture(...given).outerHTML; }}",
        [counts, total],
    )
    paths = r'd="([^"]*)"'
    assert re.findall(paths, drawn) == re.findall(paths, people_picture(counts, total))

"""Cases of each fate as a picture, told apart by shape before colour."""

from __future__ import annotations

import math

from markupsafe import Markup

from stakes.report._svg import element, rounded, tenths

KINDS = ("found", "missed", "needless", "left")
_SQUARES, _DOTS = (50, 8.0), (125, 3.2)  # how many cells a row, and how wide each is, up to 1,000 and to 10,000 cases
_WIDE = 400.0


def whole_people(counts: tuple[float, ...], total: int) -> list[int]:
    """Round counts to whole ones of the same total, by largest remainders."""
    whole = [math.floor(count + 1e-9) for count in counts]
    order = sorted(range(len(counts)), key=lambda place: whole[place] - counts[place])
    for place in order[: max(total - sum(whole), 0)]:
        whole[place] += 1
    return whole


def people_picture(counts: list[int], total: int) -> Markup:
    """Draw each case by a shape of its kind; more than 10,000 as bars."""
    if total > 10_000:
        return _bars(counts, total)
    row, size = _SQUARES if total <= 1_000 else _DOTS
    paths, place = [], 0
    for kind, count in zip(KINDS, counts, strict=True):
        draw = _dashes if kind in _FULL else _shapes
        paths.append(draw(kind, range(place, place + count), row, size))
        place += count
    return _whole(size * -(-total // row), paths)


_FULL = {"found": 0.825, "left": 0.25}  # kinds without an outline, and how wide each is, as a share of its place


def _dashes(kind: str, cells: range, row: int, size: float) -> Markup:
    """Draw full squares or dots as the dashes of one line a row, which takes a fraction of the bytes."""
    side, drawn, at = round(_FULL[kind] * size, 1), "", cells.start
    while at < cells.stop:
        end = min(cells.stop, (at // row + 1) * row)
        x, y = size * (at % row + 0.5) - side / 2, size * (at // row + 0.5)
        drawn += f"M{rounded(x)} {rounded(y)}h{rounded(size * (end - at - 1) + side)}"
        at = end
    dashes = {"stroke_width": side, "stroke_dasharray": f"{rounded(side)} {rounded(size - side)}"}
    return element("path", class_=f"person {kind} dashed", d=drawn, **dashes)


def _shapes(kind: str, cells: range, row: int, size: float) -> Markup:
    """Draw each case: an empty square, or a crossed one."""
    inset, side = 0.125, 0.75
    s = rounded(side * size)
    box = f"h{s}v{s}h-{s}z" + (f"m0 {s}l{s}-{s}" if kind == "needless" else "")
    ends = (tenths(side * size), 0) if kind == "needless" else (0, 0)  # where the pen is after a shape, from its corner
    drawn, (x, y) = "", (0, 0)
    for k in cells:
        a, b = tenths(size * (k % row + inset)), tenths(size * (k // row + inset))
        drawn += f"{'m' if drawn else 'M'}{rounded((a - x) / 10)} {rounded((b - y) / 10)}{box}"
        x, y = a + ends[0], b + ends[1]
    return element("path", class_=f"person {kind}", d=drawn)


def _bars(counts: list[int], total: int) -> Markup:
    bars = [
        element("rect", class_=f"person {kind}", x=0.0, y=26.0 * k + 4, width=max(_WIDE * n / total, 0.5), height=18.0)
        for k, (kind, n) in enumerate(zip(KINDS, counts, strict=True))
    ]
    return _whole(26.0 * len(counts), bars)


def _whole(tall: float, parts: list[Markup]) -> Markup:
    size = {"viewBox": f"0 0 {_WIDE:g} {tall:g}"}
    return element("svg", *parts, class_="crowd", aria_hidden="true", **size)

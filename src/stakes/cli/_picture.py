"""Odds, exchange rates and a picture of a belief, in the terminal."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table
from rich.text import Text

from stakes import _wording as words
from stakes.beliefs import At, Beta, LogOddsUniform, Uniform
from stakes.cli._options import TypedBelief
from stakes.cli._show import say

_WIDTH, _HEIGHT, _MARGIN = 60, 5, "    "

_BLOCKS, _PLAIN = " \u2581\u2582\u2583\u2584\u2585\u2586\u2587\u2588", "  ...:::#"

_MIDDLE_90 = (0.05, 0.5, 0.95)

_NEARLY_ALL = (0.001, 0.999)

_ROUND = (1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10)  # ends of an axis, times a power of ten


def show_belief(out: Console, typed: TypedBelief) -> None:
    """Print a belief in words, as a picture, and as costs and prevalence."""
    points = _points(typed.belief)
    say(out, f"{typed.text}: {_in_words(typed.belief)}", style="bold")
    say(out, f"In Python: {typed.belief!r}", style="dim")
    out.print()
    for line in picture(typed.belief, min(_WIDTH, out.width - len(_MARGIN)), _glyphs(out)):
        out.print(Text(_MARGIN + line), soft_wrap=True)
    out.print()
    out.print(_meaning(points))
    out.print()
    low, high = min(points.values()), max(points.values())
    say(
        out,
        f"As costs: {words.exchange(low, high)}, and one would act on up to {_people(low, high)} people to help one.",
    )
    say(out, f"As a prevalence: {_one_in(low, high)} is positive.")


def _in_words(belief: Any) -> str:
    """Return a belief as a sentence."""
    if isinstance(belief, At):
        return f"{words.percent(belief.value)}, for certain."
    if isinstance(belief, Uniform):
        return f"from {words.percent(belief.low)} to {words.percent(belief.high)}, uniform."
    if isinstance(belief, LogOddsUniform):
        return f"from {words.percent(belief.low)} to {words.percent(belief.high)}{words.in_log_odds()}."
    low, _, high = (words.percent(quantile(belief, share)) for share in _MIDDLE_90)
    return f"around {words.percent(float(belief.mean))}, nine times in ten from {low} to {high}."


def quantile(belief: Any, share: float) -> float:
    """Return a quantile of a belief, by bisection."""
    low, high = 0.0, 1.0
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (low, middle) if 1 - float(belief.share_above(middle)) >= share else (middle, high)
    return high


def _points(belief: Any) -> dict[str, float]:
    """Return the values to explain: the ends and the median, or three quantiles if there are no ends."""
    if isinstance(belief, At):
        return {"value": belief.value}
    if isinstance(belief, Beta):
        return dict(zip(("5% below", "half below", "95% below"), _quantiles(belief, _MIDDLE_90), strict=True))
    low, high = belief.support
    return {"lowest": low, "middle": quantile(belief, 0.5), "highest": high}


def _quantiles(belief: Any, shares: tuple[float, ...]) -> list[float]:
    return [quantile(belief, share) for share in shares]


def _meaning(points: dict[str, float]) -> Table:
    """Return the table that explains each value."""
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="bold")
    table.add_column("")
    for heading in points:
        table.add_column(heading, justify="right", no_wrap=True)
    rows: dict[str, Callable[[float], str]] = {
        "share of the cost of both mistakes": _percent,
        "odds of a false alarm to a miss": words.odds_of,
        "false alarms that are as bad as a miss": lambda c: _short((1 - c) / c if c else math.inf),
        "people one would act on to help one": lambda c: _short(1 / c if c else math.inf),
        "threshold for calibrated scores": lambda c: f"{c:.3g}",
    }
    for meaning, written in rows.items():
        table.add_row(meaning, *(written(value) for value in points.values()))
    return table


def _percent(share: float) -> str:
    """Return a share with three digits; `words.percent` rounds more, but never to 0% or 100%."""
    return f"{100 * share:.3g}%" if 0.01 <= share <= 0.99 else words.percent(share)


def _short(number: float) -> str:
    return words._short_or_endless(number)


def _people(low: float, high: float) -> str:
    fewest, most = (_short(1 / cost if cost else math.inf) for cost in (high, low))
    return most if fewest == most else f"{fewest} to {most}"


def _one_in(low: float, high: float) -> str:
    most, least = (f"one in {_short(1 / share)}" if share else "none" for share in (low, high))
    return least if most == least else f"{most} to {least}"


def _glyphs(out: Console) -> str:
    """Return characters of rising height; plain ones where the terminal cannot encode blocks."""
    try:
        _BLOCKS.encode(out.encoding)
    except (UnicodeEncodeError, LookupError):
        return _PLAIN
    return _BLOCKS


def picture(belief: Any, width: int, glyphs: str = _BLOCKS) -> list[str]:
    """Draw the density of a belief as lines of characters over an axis."""
    low, high = _axis(*(belief.support if not isinstance(belief, Beta) else _quantiles(belief, _NEARLY_ALL)))
    within = -np.diff(belief.share_above(np.linspace(low, high, width + 1)))
    height = within / within.max() * _HEIGHT
    levels = np.rint(np.clip(height - np.arange(_HEIGHT)[::-1, None], 0, 1) * (len(glyphs) - 1)).astype(int)
    rows = ["".join(glyphs[level] for level in row).rstrip() for row in levels]
    return [*rows, "\u2500" * width if glyphs == _BLOCKS else "-" * width, _ticks(low, high, width)]


def _axis(low: float, high: float) -> tuple[float, float]:
    """Return round ends of an axis that starts at 0 below one half, and ends at 1 above it."""
    if high <= 0.5:
        return 0.0, min(1.0, _round_up(1.1 * high))
    if low >= 0.5:
        return max(0.0, 1 - _round_up(1.1 * (1 - low))), 1.0
    return 0.0, 1.0


def _round_up(number: float) -> float:
    power = 10.0 ** math.floor(math.log10(number))
    return next(power * step for step in _ROUND if power * step >= number * (1 - 1e-9))


def _ticks(low: float, high: float, width: int) -> str:
    first, middle, last = (_percent(value) for value in (low, (low + high) / 2, high))
    left = width // 2 - len(first) - len(middle) // 2
    return f"{first}{'':{left}}{middle}{last:>{width - len(first) - left - len(middle)}}"

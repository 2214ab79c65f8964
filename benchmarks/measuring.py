"""Timing and memory, and Markdown to show them in."""

from __future__ import annotations

import math
import time
import tracemalloc
from collections.abc import Callable, Iterable, Mapping

Task = Callable[[], object]


FEWEST, MOST, ENOUGH = 3, 30, 6.0  # rounds, rounds, seconds


def race(tasks: Mapping[str, Task]) -> dict[str, float]:
    """Best time of each task in seconds; the tasks take turns, so that noise hits all alike."""
    best = dict.fromkeys(tasks, math.inf)
    begin = time.perf_counter()
    for done in range(MOST):
        if done >= FEWEST and time.perf_counter() - begin > ENOUGH:
            break
        for name, task in tasks.items():
            start = time.perf_counter()
            task()
            best[name] = min(best[name], time.perf_counter() - start)
    return best


def peak_memory(task: Task) -> int:
    """Peak of the bytes allocated on the way, the result included."""
    tracemalloc.start()
    task()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak


def print_table(header: Iterable[str], lines: Iterable[Iterable[str | float]]) -> None:
    """Print a Markdown table; numbers get two significant digits, or all before the point."""
    names = list(header)
    print("\n|", " | ".join(names), "|")
    print("|---" + "|--:" * (len(names) - 1) + "|")
    for line in lines:
        print("|", " | ".join(cell if isinstance(cell, str) else two_digits(cell) for cell in line), "|", flush=True)


def two_digits(number: float) -> str:
    return f"{number:.0f}" if number >= 10 else f"{number:.2g}"

"""Timing and memory, where they were measured, and Markdown to show them in."""

from __future__ import annotations

import math
import platform
import time
import tracemalloc
from collections.abc import Callable, Iterable, Mapping
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

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


def processor() -> str:
    """Model of the processor, as well as the system tells."""
    information = Path("/proc/cpuinfo")
    lines = information.read_text(encoding="utf-8").splitlines() if information.exists() else []
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return models[0] if models else platform.processor() or platform.machine()


def installed(package: str) -> str:
    try:
        return f"{package} {version(package)}"
    except PackageNotFoundError:
        return f"{package} not installed"

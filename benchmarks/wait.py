"""What a person waits for, in one run: ``python3 dev.py bench wait [--rows 2e6] [--growth] [--most 1e6]``.

Every row is a ratio to work that cannot be avoided, measured in the same run: processor time, the best of several, so
that others who use the machine matter little. Fresh processes and a warm one are told apart. With ``--growth`` it fits
how our time grows with the number of cases, models, groups, folds and replicates instead.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from measuring import installed, print_table, processor

PACKAGES = ("numpy", "scipy", "scikit-learn", "duckdb", "rich")
COSTS = ("--costs", "5%..20%")
TIMES = 5  # of which the best counts
FLOOR = "import numpy, scipy.special"


class Row(NamedTuple):
    """What is waited for, compared with what, the ratio, and the ratio to reach, as a bound from above or below."""

    what: str
    floor: str
    ratio: float
    bound: str
    unit: str = ""

    @property
    def reached(self) -> str:
        if not self.bound:
            return ""
        way, _, limit = self.bound.partition(" ")
        return "yes" if (self.ratio <= float(limit) if way == "≤" else self.ratio >= float(limit)) else "no"


# ------------------------------------------------------------------------------------------- measuring


def spent(task: Callable[[], object], times: int = TIMES) -> float:
    """Return the least processor time of a task in this process."""
    found = []
    for _ in range(times):
        start = time.process_time()
        task()
        found.append(time.process_time() - start)
    return min(found)


def spent_apart(*commands: tuple[str, ...]) -> list[float]:
    """Return the least processor time of fresh Pythons with these arguments, which take turns.

    The first turn does not count: it writes the bytecode.
    """
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    quiet: dict[str, Any] = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "env": environment}
    found: list[list[float]] = [[] for _ in commands]
    for _ in range(2 * TIMES):
        for seconds, arguments in zip(found, commands, strict=True):
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            subprocess.run([sys.executable, *arguments], check=True, **quiet)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            seconds.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return [min(seconds[1:]) for seconds in found]


def told_apart(function: Callable[..., dict[str, float]], *arguments: str) -> dict[str, float]:
    """Run a function of this file in a fresh process, and return what it found."""
    command = [sys.executable, __file__, "--here", function.__name__, *arguments]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return found


def sample(rows: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(9)
    score = rng.beta(2, 5, rows)
    return (rng.random(rows) < score).astype(np.int8), score, rng.uniform(0.5, 3, rows)


def models(rows: int, count: int) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """Outcomes, and the scores of models that differ in how much they err."""
    rng = np.random.default_rng(20)
    risk = rng.beta(2, 8, rows)
    y = (rng.random(rows) < risk).astype(np.int8)
    return y, {f"model {k}": np.clip(risk * rng.uniform(0.5, 1.5, rows), 0, 1) for k in range(count)}


# ------------------------------------------------------------------------------------------- to start


def start(folder: Path) -> Iterator[Row]:
    """Import, and the command on a small file."""
    y, scores = models(750, 3)
    lines = zip(y.tolist(), *(column.tolist() for column in scores.values()), strict=True)
    text = "\n".join([",".join(["y", *scores]), *(",".join(map(str, line)) for line in lines)])
    (folder / "small.csv").write_text(text, encoding="utf-8")
    typed = ("-m", "stakes", "evaluate", str(folder / "small.csv"), "--outcome", "y", *COSTS, "--predictions", *scores)
    with_report = (*typed, "--html", str(folder / "report.html"))
    floor, ours, command, report = spent_apart(("-c", FLOOR), ("-c", "import stakes"), typed, with_report)
    yield Row("`import stakes`, fresh process", f"`{FLOOR}`", ours / floor, "≤ 1.15")
    name = "command on a CSV of 750 cases and 3 models"
    yield Row(f"{name}, fresh process", f"`{FLOOR}`", command / floor, "≤ 2.3")
    yield Row(f"{name}, with report, fresh process", f"`{FLOOR}`", report / floor, "≤ 3.45")


# ------------------------------------------------------------------------------------------- one number


def auc_in_a_fresh_process() -> dict[str, float]:
    """Time the first call, those after it, and scikit-learn's; then ours with numba loaded."""
    from sklearn.metrics import roc_auc_score

    from stakes import metrics

    y, score, _ = sample(10**6)
    ours = partial(metrics.auc, y, score)
    found = {"first": spent(ours, 1), "later": spent(ours), "theirs": spent(partial(roc_auc_score, y, score), 3)}
    if find_spec("numba"):
        from stakes import _radix  # noqa: F401 -- loads numba

        ours()
        found["with numba"] = spent(ours)
    return found


def numbers() -> Iterator[Row]:
    """One number of a million cases, compared with scikit-learn."""
    from sklearn.metrics import brier_score_loss

    from stakes import metrics

    found = told_apart(auc_in_a_fresh_process)
    called = {"first": "first call of", "later": "from the second call on in", "with numba": "numba loaded in"}
    for name, when in called.items():
        if name in found:
            bound = "≥ 10" if name == "later" else "≥ 1"
            ratio = found["theirs"] / found[name]
            yield Row(f"`metrics.auc` of 10⁶, {when} a fresh process", "`roc_auc_score`, times faster", ratio, bound)
    y, score, weight = sample(10**6)
    ours = spent(lambda: metrics.brier_score(y, score, sample_weight=weight))
    theirs = spent(lambda: brier_score_loss(y, score, sample_weight=weight))
    yield Row("weighted Brier score of 10⁶, warm", "`brier_score_loss`, times faster", theirs / ours, "≥ 10")


def curves() -> Iterator[Row]:
    """Curves of 10⁵ cases, built, and simplified for drawing."""
    import stakes
    from stakes.curves import interventions_avoided_curve, precision_recall_curve, relative_utility_curve

    y, score, _ = sample(10**5)
    table = stakes.score_table(y, score)
    building = spent(lambda: stakes.score_table(y, score), 3 * TIMES)
    over_costs, everywhere = (0.01, 0.9), (0.0, 1.0)
    ends = {relative_utility_curve: over_costs, precision_recall_curve: everywhere}
    for curve, (low, high) in {**ends, interventions_avoided_curve: over_costs}.items():
        name = f"`{curve.__name__}` of 10⁵, warm"
        tasks = partial(drawn, curve, table), partial(drawn, curve, table, low, high)
        built, simplified = (spent(task, 2 * TIMES) / building for task in tasks)
        yield Row(name, "`score_table`", built, "≤ 1.5")
        yield Row(f"{name}, simplified for drawing", "`score_table`", simplified, "≤ 1.5")


def drawn(curve: Callable[[Any], Any], table: Any, *ends: float) -> object:
    """Return a curve of the same table, with nothing remembered; between two ends, simplified to 1e-4."""
    found = curve(type(table)(table.score, table.positive, table.negative))
    return found.between(*ends).simplify(1e-4) if ends else found


# ------------------------------------------------------------------------------------------- a large file


def read_and_sort(path: str) -> dict[str, float]:
    """Read and sort every column of a Parquet file, one at a time."""
    from pyarrow import parquet

    start = time.process_time()
    for name in parquet.read_schema(path).names:
        np.sort(parquet.read_table(path, columns=[name]).column(0).to_numpy())
    return {"seconds": time.process_time() - start}


def rank_file(path: str) -> dict[str, float]:
    """Rank the models of a Parquet file by the command, and say how long it took and how much memory."""
    from pyarrow import parquet

    from stakes.cli import main

    start = time.process_time()
    names = parquet.read_schema(path).names
    main(["evaluate", path, "--outcome", "y", *COSTS, "--quiet", "--predictions", *names[1:]])
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024  # bytes, on Linux
    return {"seconds": time.process_time() - start, "peak": peak / 1e9}


def large_file(folder: Path, rows: int) -> Iterator[Row]:
    """Write a file of twelve models, and rank them by the command."""
    import pyarrow as pa
    from pyarrow import parquet

    y, scores = models(rows, 12)
    path = folder / "scores.parquet"
    parquet.write_table(pa.table({"y": y, **scores}), path, row_group_size=1 << 18)
    del y, scores
    floor, ours = (told_apart(function, str(path)) for function in (read_and_sort, rank_file))
    name = f"command on Parquet of {rows:,} cases and 12 models, fresh process"
    yield Row(name, "reading and sorting 12 columns", ours["seconds"] / floor["seconds"], "≤ 4")
    yield Row(f"{name}: peak of memory", "", ours["peak"], "≤ 1.5", " GB")


# ------------------------------------------------------------------------------------------- how cost grows


def growth(most: int) -> Iterator[tuple[str, str, list[int], Callable[[int], Callable[[], object]]]]:
    """Yield the work, what grows, its sizes, and the work at each size."""
    from stakes import Cases, Decision, _groups, auc, evaluate, interval

    decision = Decision("5%..20%")
    sizes = [size for size in (10**4, 10**5, 10**6, 10**7) if size <= most]
    yield "evaluate, 2 models", "cases", sizes, lambda size: partial(evaluate, *models(size, 2), decision)
    y, scores = models(10_000, 40)
    some = {name: scores[name] for name in list(scores)[:3]}
    first = lambda size: dict(list(scores.items())[:size])  # noqa: E731
    yield "evaluate, 10⁴ cases", "models", [1, 5, 10, 20, 40], lambda size: partial(evaluate, y, first(size), decision)
    label = np.random.default_rng(1).permutation(10_000)
    grouped = lambda size: partial(evaluate, y, some, decision, group=label % size)  # noqa: E731
    _groups.MOST_GROUPS = 200  # instead of 50, above which they are refused
    yield "evaluate, 10⁴ cases of 3 models", "groups", [2, 8, 32, 50, 200], grouped
    folds = lambda size: partial(evaluate, y, some, decision, folds=size, rng=0)  # noqa: E731
    yield "evaluate, 10⁴ cases of 3 models", "folds", [2, 4, 8, 16], folds
    cases = Cases(y, some)
    drawn = partial(interval, cases, auc, method="percentile", rng=0)
    counts = [1000, 2000, 4000, 8000]
    yield "bootstrap of the AUC, 10⁴ cases", "replicates", counts, lambda size: partial(drawn, n_resamples=size)


def with_findings(task: Callable[[], Any]) -> object:
    """Do the work, and whatever an evaluation leaves until it is asked for."""
    return getattr(task(), "findings", None)


def report_growth(most: int) -> None:
    """Print the exponent of a power law fitted to our time; 1 is proportional."""
    lines = []
    for name, what, sizes, make in growth(most):
        seconds = [spent(partial(with_findings, make(size)), 3) for size in sizes]
        exponent = float(np.polyfit(np.log(sizes), np.log(seconds), 1)[0])
        slopes = np.diff(np.log(seconds)) / np.diff(np.log(sizes))
        lines.append([name, what, f"{sizes[0]:,} to {sizes[-1]:,}", f"{exponent:.2f}", f"{slopes[-1]:.2f}"])
    print("\nHow our time grows: the exponent of a power law fitted to it, and at the last step; 1 is proportional.")
    print_table(["work", "with the number of", "from … to", "exponent", "at the end"], lines)


# ------------------------------------------------------------------------------------------- all together


# How the rows of evaluations end, and what they are to reach.
BOUNDS = {
    "sorts a model": "≤ 6",
    "with a capacity / without": "≤ 1.5",
    "seconds more with a capacity": "≤ 0.1",
    "tables and intervals / evaluate without": "≤ 2",
    "x 5: seconds": "≤ 1",
    "x 12: seconds": "≤ 2",
}


def bound_of(what: str) -> str:
    return next((bound for end, bound in BOUNDS.items() if what.endswith(end)), "")


def rows(file_rows: int) -> Iterator[Row]:
    """Yield every row; those of evaluations, limits and reports come from a file of their own."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        yield from start(folder)
        yield from numbers()
        yield from curves()
        if find_spec("wait_evaluate"):
            from wait_evaluate import rows as of_evaluate

            yield from (Row(what, "", found, bound_of(what)) for what, found in of_evaluate())
        if file_rows:
            yield from large_file(folder, file_rows)


def report(file_rows: int) -> None:
    """Print every ratio, the ratio to reach, and whether it is reached."""
    lines = []
    for row in rows(file_rows):
        print(row, file=sys.stderr, flush=True)  # for those who wait
        lines.append([row.what, row.floor, f"{row.ratio:.3g}{row.unit}", row.bound, row.reached])
    print_table(["what is waited for", "compared with", "ratio", "to reach", "reached"], lines)


HERE = {function.__name__: function for function in (auc_in_a_fresh_process, read_and_sort, rank_file)}


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rows", type=float, default=2e6, help="rows of the Parquet file; 0 leaves it out")
    parser.add_argument("--growth", action="store_true", help="fit how our time grows, and nothing else")
    parser.add_argument("--most", type=float, default=1e6, help="largest number of cases with --growth")
    parser.add_argument("--here", nargs="+", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.here:
        name, *arguments = chosen.here
        print(json.dumps(HERE[name](*arguments)))
        return
    print(f"Python {platform.python_version()},", ", ".join(map(installed, PACKAGES)))
    print(f"on {os.cpu_count()} cores of {processor()} (load before: {os.getloadavg()[0]:.1f}).")
    score = sample(10**6)[1]
    print(f"`np.sort` of a million scores takes {1000 * spent(lambda: np.sort(score)):.1f} ms.")
    report_growth(int(chosen.most)) if chosen.growth else report(int(chosen.rows))


if __name__ == "__main__":
    main()

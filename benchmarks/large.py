"""Predictions larger than memory: ``python3 dev.py bench large [--rows 2e8] [--engines duckdb polars dask spark]``.

Writes a Parquet file of float32 scores and int8 outcomes into a temporary folder, then runs each task in a process
of its own. Prints processor time as a multiple of that of the engine's own mean of the score (which hardly changes
where others use the machine too, as time by the clock does), and the peak of resident memory, summed over the process
and its children.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import psutil
from measuring import installed, print_table, processor

CHUNK = 1 << 20
COLUMNS = ("outcome", "score")
PACKAGES = {"duckdb": "duckdb", "polars": "polars", "dask": "dask", "spark": "pyspark"}
ENGINE_LIMIT = "300MB"


# ------------------------------------------------------------------------------------------- the file


def write(path: Path, rows: int) -> None:
    """Write scores that are nearly all distinct, and outcomes that are a little rarer than they say."""
    import pyarrow as pa
    from pyarrow import parquet

    rng = np.random.default_rng(20)
    schema = pa.schema([("score", pa.float32()), ("outcome", pa.int8())])
    with parquet.ParquetWriter(path, schema, compression="zstd", use_dictionary=["outcome"]) as writer:
        for start in range(0, rows, CHUNK):
            size = min(CHUNK, rows - start)
            score = rng.beta(3, 5, size).astype(np.float32)
            outcome = (rng.random(size) < score**1.2).astype(np.int8)
            writer.write_table(pa.table([score, outcome], schema=schema))


# ------------------------------------------------------------------------------------------- frames


def frame(engine: str, path: str) -> Any:
    """Open the file with an engine, without reading it."""
    if engine == "duckdb":
        from stakes.frames import open_file

        return open_file(path, memory_limit=ENGINE_LIMIT)
    if engine == "polars":
        import polars as pl

        return pl.scan_parquet(path)
    return _dask(path) if engine == "dask" else _spark(path)


def _dask(path: str) -> Any:
    import dask.dataframe as dd
    from distributed import Client, LocalCluster

    Client(LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0"))
    return dd.read_parquet(path, split_row_groups=8)


def _spark(path: str) -> Any:
    from pyspark.sql import SparkSession

    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    settings = {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.log.level": "OFF",
        "spark.driver.memory": "1g",
        "spark.sql.shuffle.partitions": "8",
    }
    builder = SparkSession.builder.master("local[2,4]")
    for name, value in settings.items():
        builder = builder.config(name, value)
    return builder.getOrCreate().read.parquet(path)


# ------------------------------------------------------------------------------------------- tasks


def average(engine: str, data: Any) -> object:
    """Read the score and take its mean: what the engine needs at least."""
    if engine == "duckdb":
        return data.relation(numbers=["score"]).aggregate("avg(score)").fetchall()
    if engine == "polars":
        return data.select("score").mean().collect(engine="streaming").item()
    return data["score"].mean().compute() if engine == "dask" else data.agg({"score": "avg"}).collect()


def means(engine: str, data: Any) -> object:
    """Exact Brier score, log loss and regret over a range of costs."""
    from stakes import Uniform, brier_score, expected_regret, large, log_loss

    numbers = {"Brier": brier_score, "log": log_loss, "regret": partial(expected_regret, costs=Uniform(0.1, 0.3))}
    return large.means(data, *COLUMNS, numbers)


def bins(engine: str, data: Any) -> object:
    """Put the scores into 65,536 bins, and bound every number."""
    from stakes.large import Bins, quantise_frame

    return bounded(quantise_frame(data, COLUMNS[0], COLUMNS[1:], bins=Bins(65536, edges=(0.1, 0.3)))[COLUMNS[1]])


def bounded(quantised: Any) -> dict[str, tuple[float, float, float]]:
    """Return both bounds of every number, and how far apart they are."""
    from stakes import Uniform, bounds, decision_curve, roc_curve

    parts = bounds.decompose(quantised, Uniform(0.1, 0.3))
    found = {
        "Brier score": bounds.brier_score(quantised),
        "mean regret, costs 10% to 30%": parts.total,
        "log loss": bounds.log_loss(quantised),
        "what recalibration saves": parts.miscalibration,
        "H-measure": bounds.h_measure(quantised),
        "AUC": bounds.auc(quantised),
    }
    ends = {name: (one.lower, one.upper, one.width) for name, one in found.items()}
    for name, curve in (("decision curve", decision_curve), ("ROC curve", roc_curve)):
        lower, upper = bounds.envelope(quantised, curve).at(np.linspace(0.01, 0.9, 500))
        ends[f"{name}, where it is least certain"] = (0.0, 0.0, float((upper - lower).max()))
    return ends


def table(engine: str, data: Any) -> object:
    """Make the exact table, and the exact AUC and regret from it."""
    from stakes import Uniform, auc, expected_regret, frames, large

    make = large.score_table if engine == "duckdb" else frames.score_table
    found = make(data, *COLUMNS)
    return {"scores": len(found), "AUC": auc(found), "regret": expected_regret(found, Uniform(0.1, 0.3))}


def everything(engine: str, data: Any) -> object:
    """Evaluate: exact means, exact table with AUC, decision curve exact at 500 costs, recalibration with bounds."""
    from stakes import bounds, decision_curve
    from stakes.large import quantise_frame

    quantised = quantise_frame(data, COLUMNS[0], COLUMNS[1:], bins=65536)[COLUMNS[1]]
    costs = np.round(65536 * np.linspace(0.01, 0.9, 500)) / 65536  # edges of bins
    lower, upper = bounds.envelope(quantised, decision_curve).at(costs)
    apart = float((upper - lower).max())
    return [means(engine, data), bounded(quantised), table(engine, data), {"decision curve at 500 costs": apart}]


TASKS: dict[str, Callable[[str, Any], object]] = {
    "average": average,
    "means": means,
    "bins": bins,
    "table": table,
    "everything": everything,
}
OFFERED = {
    "duckdb": ("average", "means", "bins", "table", "everything"),
    "polars": ("average", "bins", "table"),
    "dask": ("average", "bins", "table"),
    "spark": ("average", "bins", "table"),
}
CALLED = {
    "average": "the engine's own mean of the score",
    "means": "exact means: Brier score, log loss, regret",
    "bins": "65,536 bins, every number with bounds",
    "table": "exact table, exact AUC",
    "everything": "all of these, with a decision curve exact at 500 costs",
}


# ------------------------------------------------------------------------------------------- measuring


class Memory(threading.Thread):
    """Watches the resident memory of a process and all its children; of Java, and of all together."""

    def __init__(self, process: int) -> None:
        super().__init__(daemon=True)
        self._root, self._stop_now = psutil.Process(process), threading.Event()
        self.peak, self.peak_of_java = 0, 0

    def run(self) -> None:
        while not self._stop_now.wait(0.05):
            java, others = self._resident()
            self.peak, self.peak_of_java = max(self.peak, java + others), max(self.peak_of_java, java)

    def _resident(self) -> tuple[int, int]:
        resident = {True: 0, False: 0}
        try:
            for process in (self._root, *self._root.children(recursive=True)):
                resident[process.name() == "java"] += process.memory_info().rss
        except psutil.NoSuchProcess:  # it has just ended
            return 0, 0
        return resident[True], resident[False]

    def stop(self) -> None:
        self._stop_now.set()
        self.join()


def processor_time() -> float:
    """Return the seconds that processors have spent on this process and its children."""
    here = psutil.Process()
    spent = [process.cpu_times() for process in (here, *here.children(recursive=True))]
    return float(sum(one.user + one.system for one in spent))


def run_here(engine: str, task: str, path: str) -> None:
    """Run one task in this process, and print what it found and how long it took."""
    import resource

    data = frame(engine, path)
    start, spent = time.perf_counter(), processor_time()
    found = TASKS[task](engine, data)
    spent, seconds = processor_time() - spent, time.perf_counter() - start
    own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    print(json.dumps({"seconds": seconds, "spent": spent, "own": own, "found": found}, default=str))


def run_apart(engine: str, task: str, path: Path) -> dict[str, Any]:
    """Run one task in a process of its own; memory is the larger of what was seen from inside and from outside."""
    command = [sys.executable, "-W", "ignore", __file__, "--here", engine, task, str(path)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    memory = Memory(process.pid)
    memory.start()
    output, _ = process.communicate()
    memory.stop()
    if process.returncode:
        sys.exit(f"{engine} {task} failed with exit code {process.returncode}.")
    result: dict[str, Any] = json.loads(output.strip().splitlines()[-1])
    return result | {"peak": max(memory.peak, result["own"]), "java": memory.peak_of_java}


def report(engine: str, path: Path, tasks: list[str]) -> dict[str, Any]:
    """Measure one engine, and print its table."""
    results = {}
    for task in OFFERED[engine]:
        if task in tasks:
            results[task] = run_apart(engine, task, path)
            print(engine, task, json.dumps(results[task]), file=sys.stderr)  # for those who wait, or stop it
    unit = results["average"]
    print(f"\n**{installed(PACKAGES[engine])}**: mean of the score in {unit['spent']:.1f} s of processor time,")
    print(f"{unit['seconds']:.1f} s of wall time.")
    lines = [
        (CALLED[task], one["spent"] / unit["spent"], one["spent"], one["seconds"], _gigabytes(one))
        for task, one in results.items()
    ]
    header = ["task", "processor time / mean of the score", "processor time, s", "by the clock, s", "peak memory, GB"]
    print_table(header, lines)
    return results


def _gigabytes(one: dict[str, Any]) -> str:
    java = f", including Java {one['java'] / 1e9:.2f}" if one["java"] else ""
    return f"{one['peak'] / 1e9:.2f}{java}"


def report_bounds(results: dict[str, Any]) -> None:
    """Print how far apart the bounds were."""
    lines = [(name, f"{width:.1e}") for name, (_, _, width) in results["bins"]["found"].items()]
    print("\nWidth of the bounds:")
    print_table(["measure", "width"], lines)
    if "table" in results:
        print("\nExact, from the table:", json.dumps(results["table"]["found"]))
        print("Bounds:", json.dumps(results["bins"]["found"]))


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rows", type=float, default=2e8, help="rows of the file")
    parser.add_argument("--engines", nargs="+", choices=OFFERED, default=list(OFFERED))
    parser.add_argument("--tasks", nargs="+", choices=TASKS, default=list(TASKS))
    parser.add_argument("--file", type=Path, help="keep the file here, or use the one that is here")
    parser.add_argument("--here", nargs=3, metavar=("ENGINE", "TASK", "FILE"), help="run one task in this process")
    chosen = parser.parse_args()
    if chosen.here:
        run_here(*chosen.here)
        return
    with tempfile.TemporaryDirectory() as folder:
        path = chosen.file or Path(folder) / "predictions.parquet"
        if not path.exists():
            write(path, int(chosen.rows))
        measure(path, chosen.engines, ["average", *chosen.tasks])


def measure(path: Path, engines: list[str], tasks: list[str]) -> None:
    """Say where this runs, and measure every engine."""
    from pyarrow import parquet

    rows, load = parquet.read_metadata(path).num_rows, os.getloadavg()[0]
    print(f"{rows:,} rows, {path.stat().st_size / 1e6:.0f} MB of Parquet, on {os.cpu_count()} cores of {processor()}")
    print(f"(load before the first task: {load:.1f}).")
    for engine in engines:
        results = report(engine, path, tasks)
        if engine == "duckdb" and "bins" in results:
            report_bounds(results)


if __name__ == "__main__":
    main()

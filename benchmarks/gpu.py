"""Speed, memory and agreement on a GPU, in one run: ``python3 dev.py bench gpu [--cases 1e9 --auc-cases 1e8]``.

Needs one NVIDIA GPU with torch; CuPy and torchmetrics are compared where they are installed. Everything is timed: the
median of several rounds of what a user waits for, each ended by the arrival of the number on the host; the first round,
in which kernels are compiled, is not counted. At the end the numbers are held against NumPy's.
"""

from __future__ import annotations

import argparse
import gc
import math
import statistics
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version

import numpy as np
import torch
from measuring import print_table

import stakes
from stakes import bounds, tensors

PACKAGES = ("torch", "triton", "cupy-cuda13x", "cupy-cuda12x", "torchmetrics", "array-api-compat", "numpy", "scipy")
BELIEFS = (
    stakes.At(0.3),
    stakes.Uniform(0.05, 0.2),
    stakes.LogOddsUniform(0.02, 0.5),
    stakes.beliefs.ShiftedUniform(0.15),
    stakes.beliefs.Atoms([0.1, 0.35, 0.8], [5, 2, 1]),
    stakes.beliefs.Mixture([stakes.At(0.6), stakes.Uniform(0.1, 0.4)], [1, 4]),
)
ROUNDS = 9
COMPILED = ("float32, tied", "float64, untied, weighted")  # compiling takes seconds for each kind of sample and belief


# ------------------------------------------------------------------------------------------- where this runs


def describe() -> None:
    gpu = torch.cuda.get_device_properties(0)
    print(f"{gpu.name}, {gpu.total_memory / 2**30:.0f} GiB, {gpu.multi_processor_count} multiprocessors;")
    for package in PACKAGES:
        try:
            print(f"{package} {version(package)}", end="; ")
        except PackageNotFoundError:
            print(f"{package} {_version_of_module(package.replace('-', '_'))}", end="; ")
    print(flush=True)


def _version_of_module(name: str) -> str:
    """Return the version of a package that only lies on the path."""
    try:
        return str(import_module(name).__version__)
    except ImportError:
        return "not installed"


def time_of(task: Callable[[], object], rounds: int = ROUNDS) -> float:
    """Median milliseconds of a task, after one round that is not counted."""
    task()
    spent = []
    for _ in range(rounds):
        torch.cuda.synchronize()
        start = time.perf_counter()
        task()
        torch.cuda.synchronize()
        spent.append(1e3 * (time.perf_counter() - start))
    return statistics.median(spent)


def milliseconds(spent: float) -> str:
    return f"{spent:.3g}" if spent < 100 else f"{spent:.0f}"


def free() -> None:
    gc.collect()
    torch.cuda.empty_cache()


def peak_gigabytes(task: Callable[[], object]) -> float:
    """Peak of the device's memory during a task, what was there before included."""
    free()
    torch.cuda.reset_peak_memory_stats()
    task()
    return torch.cuda.max_memory_allocated() / 1e9


def predictions(cases: int, seed: int = 8) -> tuple[torch.Tensor, torch.Tensor]:
    """Outcomes and float32 scores of a calibrated model with rare positives, as a network's last layer gives them."""
    generator = torch.Generator("cuda").manual_seed(seed)
    score = torch.empty(cases, device="cuda", dtype=torch.float32)
    label = torch.empty(cases, device="cuda", dtype=torch.bool)
    for start in range(0, cases, 1 << 27):
        some = score[start : start + (1 << 27)]
        some.normal_(-2.5, 1.5, generator=generator).sigmoid_()
        label[start : start + len(some)] = torch.rand(len(some), device="cuda", generator=generator) < some
    return label, score


# The largest prime below the bit pattern of 1.0 in float32.
_PRIME = 1_065_353_209


def make_distinct(score: torch.Tensor) -> None:
    """Overwrite scores by as many different ones in [0, 1], shuffled: nearly all that float32 has."""
    bits = score.view(torch.int32)
    for start in range(0, len(score), 1 << 27):
        row = torch.arange(start, min(start + (1 << 27), len(score)), device=score.device)
        bits[start : start + len(row)] = row * 618_033_988 % _PRIME


# ------------------------------------------------------------------------------------------- the same numbers


def samples() -> Iterator[tuple[str, np.ndarray, np.ndarray, np.ndarray | None]]:
    """Yield samples with and without ties and weights, with scores at the ends, at a cost and of either sign."""
    rng = np.random.default_rng(3)
    for dtype in (np.float32, np.float64):
        score = rng.beta(0.4, 1.5, 2_000_003)
        label = rng.random(len(score)) < score
        score[:8] = (0, 1, 0.3, 0.3, 0.6, 0.1, 1e-30, 1 - 1e-7)
        label[:2] = (False, True)
        weight = rng.choice([0.0, 0.5, 1.0, 2.75], len(score))  # they add up exactly: NumPy's running sums round, too
        for name, scores in (("untied", score), ("tied", np.round(score, 3))):
            for kind, weights in (("", None), (", weighted", weight)):
                yield f"{np.dtype(dtype).name}, {name}{kind}", label, scores.astype(dtype), weights


def numbers(table: object, *, ranking: bool) -> dict[str, float]:
    """Every number of a table that needs no recalibration; not the ranking's where cases are not in order."""
    found = {
        "brier_score": stakes.brier_score(table),
        "brier_score, bounded": stakes.brier_score(table, cost_range=(0.05, 0.2)),
        "log_loss, bounded": stakes.log_loss(table, cost_range=(0.01, 0.9)),
        "log_loss": stakes.log_loss(table),
        "accuracy": stakes.accuracy(table),
        "weighted_accuracy": stakes.measures.weighted_accuracy(table, cost=0.1),
    }
    for belief in BELIEFS:
        name = type(belief).__name__
        found[f"expected_regret, {name}"] = stakes.expected_regret(table, belief)
        found[f"net_benefit, {name}"] = stakes.net_benefit(table, belief)
        found[f"skill_score, {name}"] = stakes.skill_score(table, belief)
    return found | (ranks(table) if ranking else {})


def ranks(table: object) -> dict[str, float]:
    bounded = stakes.measures.bounded_auc(table, score_range=(0.1, 0.35))
    return {
        "auc": stakes.auc(table),
        "partial_auc": stakes.measures.partial_auc(table, fpr_range=(0.05, 0.4)),
        "bounded_auc": bounded.concordant,
        "top_k": stakes.top_k(table, k=table.total / 100, cost=0.1).regret,
    }


def worst(expected: dict[str, float], found: dict[str, float]) -> tuple[float, str]:
    """Return the largest relative difference, and where it is."""
    differences = {
        name: 0.0 if value == found[name] else abs(found[name] / value - 1) for name, value in expected.items()
    }
    return max((math.inf if math.isnan(error) else error, name) for name, error in differences.items())


def check(libraries: dict[str, Callable[[np.ndarray], object]]) -> None:
    """Hold every number against NumPy's, eager and compiled, and every table against NumPy's table."""
    lines = []
    for name, label, score, weight in samples():
        table = stakes.score_table(label, score, weight)
        expected = numbers(table, ranking=True)
        for library, on_device in libraries.items():
            given = [None if column is None else on_device(column) for column in (label, score, weight)]
            for compiled in (False, True) if library == "torch" and name in COMPILED else (False,):
                tensors.fuse_after(0 if compiled else math.inf)
                ours, unsorted = tensors.score_table(*given), tensors.unsorted(*given)
                error, where = worst(expected, numbers(ours, ranking=True))
                other, elsewhere = worst(expected, expected | numbers(unsorted, ranking=False))
                host = ours.to_host()
                same = np.array_equal(host.score, table.score) and np.allclose(
                    host.positive, table.positive, rtol=1e-14
                )
                how = f"{library}{', compiled' if compiled else ''}"
                lines.append(
                    (name, how, "same" if same else "DIFFERENT", f"{error:.1e} ({where})", f"{other:.1e} ({elsewhere})")
                )
    print("\n**Compared with NumPy** (2,000,003 cases): largest relative difference of all numbers")
    print_table(("sample", "library", "table", "from the table", "from the cases"), lines)


# ------------------------------------------------------------------------------------------- speed


def report_limits(label: torch.Tensor, score: torch.Tensor) -> None:
    key = score.view(torch.int32)
    lines = [
        ("read the scores once (torch.sum)", time_of(lambda: score.sum().item())),
        ("copy the scores", time_of(lambda: score.clone())),
        (
            "torch.unique with counts: sort without indices, run lengths",
            time_of(lambda: torch.unique(key, return_counts=True)),
        ),
    ]
    free()
    lines.append(("torch.sort (with indices)", time_of(lambda: score.sort())))
    free()
    with suppress(ImportError):
        import cupy

        keys = cupy.from_dlpack(key)
        lines.append(("cupy.sort of packed keys (values only)", time_of(lambda: cupy.sort(keys))))
        cupy.get_default_memory_pool().free_all_blocks()
    print(f"\n**What torch itself takes for {len(score):,} float32 scores**, milliseconds")
    print_table(("", "ms"), [(name, milliseconds(spent)) for name, spent in lines])


def report_fused(label: torch.Tensor, score: torch.Tensor) -> None:
    tasks: dict[str, Callable[[object], float]] = {
        "brier_score, costs 0.05 to 0.2": lambda cases: stakes.brier_score(cases, cost_range=(0.05, 0.2)),
        "brier_score, full range": stakes.brier_score,
        "log_loss, costs 0.02 to 0.5": lambda cases: stakes.log_loss(cases, cost_range=(0.02, 0.5)),
        "net_benefit, LogOddsUniform(0.02, 0.5)": lambda cases: stakes.net_benefit(cases, BELIEFS[2]),
        "net_benefit, At(0.1)": lambda cases: stakes.net_benefit(cases, stakes.At(0.1)),
    }
    known = tensors.unsorted(label, score)
    lines = []
    for name, task in tasks.items():
        tensors.fuse_after(math.inf)
        unfused = time_of(lambda task=task: task(tensors.unsorted(label, score)), 3)
        tensors.fuse_after(0)
        start = time.perf_counter()
        task(known)
        first = time.perf_counter() - start
        everything = time_of(lambda task=task: task(tensors.unsorted(label, score)))
        alone = time_of(lambda task=task: task(known))
        lines.append((name, *map(milliseconds, (everything, alone, unfused)), f"{first:.1f}"))
    print(f"\n**Means over {len(score):,} cases, no table**: checking the input and one fused pass, milliseconds")
    print_table(("measure", "all", "pass alone", "all, not compiled", "first compiled call, s"), lines)
    print("checks alone:", milliseconds(time_of(lambda: tensors.unsorted(label, score))), "ms", flush=True)


def report_table(label: torch.Tensor, score: torch.Tensor, what: str) -> None:
    table = tensors.score_table(label, score)
    size = f"{len(table.cases.score):,} cells, {len(table):,} rows"
    print(f"\n**Exact table of {len(score):,} float32 predictions** ({what}): {size}")
    start = time.perf_counter()
    numbers(table, ranking=True)
    print(f"first call of every measure, compiling: {time.perf_counter() - start:.1f} s")
    del table
    parts = [("score_table", time_of(lambda: tensors.score_table(label, score), 3))]
    table = tensors.score_table(label, score)
    singles: dict[str, Callable[[], object]] = {
        "brier_score, bounded": lambda: stakes.brier_score(table, cost_range=(0.05, 0.2)),
        "log_loss, bounded": lambda: stakes.log_loss(table, cost_range=(0.01, 0.9)),
        "expected_regret, LogOddsUniform": lambda: stakes.expected_regret(table, BELIEFS[2]),
        "net_benefit, Uniform": lambda: stakes.net_benefit(table, BELIEFS[1]),
        "net_benefit, At": lambda: stakes.net_benefit(table, BELIEFS[0]),
        "accuracy": lambda: stakes.accuracy(table),
        "weighted_accuracy": lambda: stakes.measures.weighted_accuracy(table, cost=0.1),
        "skill_score, Uniform": lambda: stakes.skill_score(table, BELIEFS[1]),
        "auc (first of a table)": lambda: stakes.auc(tensors.TensorTable(table.cases)),
        "auc (again)": lambda: stakes.auc(table),
        "partial_auc": lambda: stakes.measures.partial_auc(table, fpr_range=(0.05, 0.4)),
        "bounded_auc": lambda: stakes.measures.bounded_auc(table, score_range=(0.1, 0.35)),
        "top_k": lambda: stakes.top_k(table, k=table.total / 100),
    }
    parts += [(name, time_of(task, 3)) for name, task in singles.items()]

    def everything() -> None:
        found = tensors.score_table(label, score)
        stakes.brier_score(found, cost_range=(0.05, 0.2))
        stakes.log_loss(found, cost_range=(0.01, 0.9))
        stakes.expected_regret(found, BELIEFS[2])
        stakes.net_benefit(found, BELIEFS[1])
        stakes.accuracy(found)
        stakes.measures.weighted_accuracy(found, cost=0.1)
        stakes.skill_score(found, BELIEFS[1])
        ranks(found)

    parts.append(("table and every number", time_of(everything, 3)))
    parts.append(("rows: score, positive, negative", time_of(lambda: tensors.TensorTable(table.cases)._rows, 3)))
    free()
    parts.append(("coarse()", time_of(table.coarse, 2)))
    parts.append(("bounds.decompose(quantised())", time_of(lambda: bounds.decompose(table.quantised(), BELIEFS[1]), 2)))
    parts.append(("decision_curve", time_of(lambda: stakes.decision_curve(table), 2)))
    print_table(("", "ms"), [(name, milliseconds(spent)) for name, spent in parts])


def report_auc(cases: int) -> None:
    label, score = predictions(cases)
    whole = label.to(torch.int64)
    lines = [("stakes, bool outcomes", time_of(lambda: stakes.auc(tensors.score_table(label, score)), 9))]
    lines.append(("stakes, int64 outcomes", time_of(lambda: stakes.auc(tensors.score_table(whole, score)), 9)))
    lines.append(("stakes, table alone", time_of(lambda: tensors.score_table(label, score), 9)))
    tensors.fuse_after(math.inf)
    lines.append(("stakes, not compiled", time_of(lambda: stakes.auc(tensors.score_table(label, score)), 9)))
    tensors.fuse_after(0)
    ours = stakes.auc(tensors.score_table(label, score))
    try:
        from torchmetrics.functional.classification import binary_auroc

        for checked in (True, False):
            spent = time_of(lambda checked=checked: binary_auroc(score, whole, validate_args=checked).item(), 9)
            lines.append((f"torchmetrics, {'checking' if checked else 'not checking'} its input", spent))
        print("torchmetrics gives", binary_auroc(score, whole).item(), "and stakes", ours)
    except ImportError:
        print("torchmetrics is not installed")
    print(f"\n**AUC of {cases:,} float32 predictions**, milliseconds, and times ours")
    print_table(
        ("", "ms", "ratio"), [(name, milliseconds(spent), f"{spent / lines[0][1]:.2f}") for name, spent in lines]
    )


def report_metric(cases: int = 1_000_000) -> None:
    """Time one batch of a training loop, added to a metric."""
    label, score = predictions(cases)
    whole = label.to(torch.int64)
    ours = {
        "stakes, 65,536 bins": tensors.torch_metric("auc"),
        "stakes, exact": tensors.torch_metric("auc", exact=True),
    }
    tasks: dict[str, Callable[[], object]] = {
        name: lambda metric=metric: metric.update(score, whole) for name, metric in ours.items()
    }
    with suppress(ImportError):
        from torchmetrics.classification import BinaryAUROC

        binned, exact = BinaryAUROC(thresholds=1024).cuda(), BinaryAUROC().cuda()
        tasks |= {
            "torchmetrics, 1,024 thresholds": lambda: binned.update(score, whole),
            "torchmetrics, exact": lambda: exact.update(score, whole),
        }
    print(f"\n**A metric's `update` with {cases:,} predictions**, milliseconds")
    print_table(("", "ms"), [(name, milliseconds(time_of(task, 9))) for name, task in tasks.items()])
    print("bounds of the AUC:", ours["stakes, 65,536 bins"].compute())


def report_cupy(label: torch.Tensor, score: torch.Tensor) -> None:
    import cupy

    y, s = cupy.from_dlpack(label), cupy.from_dlpack(score)
    lines = [
        ("score_table", time_of(lambda: tensors.score_table(y, s), 2)),
        (
            "brier_score of the cases, bounded",
            time_of(lambda: stakes.brier_score(tensors.unsorted(y, s), cost_range=(0.05, 0.2)), 2),
        ),
    ]
    table = tensors.score_table(y, s)
    lines.append(("auc", time_of(lambda: stakes.auc(tensors.TensorTable(table.cases)), 2)))
    print(f"\n**CuPy, {len(score):,} float32 predictions**, milliseconds")
    print_table(("", "ms"), [(name, milliseconds(spent)) for name, spent in lines])
    y = s = table = None
    cupy.get_default_memory_pool().free_all_blocks()


def report_memory(cases: int) -> None:
    label, score = predictions(cases)
    print(f"\n**Memory: {cases:,} float32 predictions**, {(label.nbytes + score.nbytes) / 1e9:.1f} GB of input")

    def everything() -> None:
        found = tensors.score_table(label, score)
        print("table:", len(found.cases.score), "cells; auc", stakes.auc(found), "brier", stakes.brier_score(found))

    print("brier of the cases:", stakes.brier_score(tensors.unsorted(label, score)))
    print(f"peak {peak_gigabytes(everything):.1f} GB, input included", flush=True)


@contextmanager
def going_on(what: str) -> Iterator[None]:
    """Print what went wrong in a section, and go on with the next; the exit code says it at the end."""
    begin = time.perf_counter()
    try:
        yield
    except Exception:
        traceback.print_exc()
        FAILED.append(what)
    print(f"[{what}: {time.perf_counter() - begin:.0f} s]", flush=True)
    free()


FAILED: list[str] = []


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--cases", type=float, default=1e9)
    parser.add_argument("--auc-cases", type=float, default=1e8)
    parser.add_argument("--most", type=float, default=2e9)
    parser.add_argument("--only", nargs="*")
    chosen = parser.parse_args()
    wanted = lambda name: not chosen.only or name in chosen.only  # noqa: E731
    describe()
    tensors.fuse_after(0)
    libraries: dict[str, Callable[[np.ndarray], object]] = {
        "torch": lambda column: torch.asarray(column, device="cuda")
    }
    try:
        import cupy

        libraries["cupy"] = cupy.asarray
    except ImportError:
        print("CuPy is not installed")
    if wanted("auc"):
        with going_on("auc"):
            report_auc(int(chosen.auc_cases))
    if wanted("metric"):
        with going_on("metric"):
            report_metric()
    if {"limits", "fused", "table", "cupy"} & set(chosen.only or ["limits"]):
        label, score = predictions(int(chosen.cases))
        for name, report in (
            ("limits", report_limits),
            ("fused", report_fused),
            ("table", lambda *data: report_table(*data, "a sigmoid of normal logits")),
            ("cupy", report_cupy),
        ):
            if wanted(name):
                with going_on(name):
                    report(label, score)
        if wanted("distinct"):
            with going_on("distinct"):
                make_distinct(score)
                report_table(label, score, "all distinct")
        del label, score
        free()
    if wanted("memory"):
        with going_on("memory"):
            report_memory(int(chosen.most))
    if wanted("check"):
        with going_on("check"):
            check(libraries)
    if FAILED:
        raise SystemExit(f"failed: {', '.join(FAILED)}")


if __name__ == "__main__":
    main()

"""The same work by us and by our peers, in one run: ``python3 dev.py bench peers [--rows 10000 1000000]``.

Every row states the work, checks that both got the same numbers, and prints how many times as fast we are and how much
memory each took on top of the data. The tasks take turns and the best time of each counts. A peer that took longer than
`PATIENCE` at one size is not asked at the next: its cell says so.
"""

from __future__ import annotations

import argparse
import importlib
import math
import os
import platform
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
from measuring import installed, print_table, processor, race

import stakes
from stakes import Beta, Cases, Decision, LogOddsUniform, Uniform, metrics

Array = np.ndarray
PEERS = (
    "scikit-learn",
    "dcurves",
    "statkit",
    "rtichoke",
    "briertools",
    "model-diagnostics",
    "hmeasure",
    "torchmetrics",
)
LOW, HIGH = 0.05, 0.2
THRESHOLDS = np.arange(1, 100) / 100
REPLICATES, FEW = 1000, 3
SLOW, PATIENCE = 5.0, 40.0  # seconds


@dataclass(frozen=True)
class Sample:
    y: Array
    score: Array

    @classmethod
    def of(cls, rows: int) -> Sample:
        rng = np.random.default_rng(9)
        score = rng.beta(2, 5, rows)
        return cls((rng.random(rows) < score).astype(np.int64), score)

    @property
    def table(self) -> stakes.ScoreTable:
        return stakes.score_table(self.y, self.score)


@dataclass(frozen=True)
class Work:
    """One job: how we do it, how each peer does it, and how near the results must be."""

    name: str
    ours: Callable[[Sample], object]
    theirs: Mapping[str, Callable[[Sample], object]]
    tolerance: float = 1e-9


def decision_curve(sample: Sample) -> Array:
    return stakes.decision_curve(sample.table).at(THRESHOLDS)


def dcurves_curve(sample: Sample) -> Array:
    import dcurves
    import pandas as pd

    frame = pd.DataFrame({"y": sample.y, "model": sample.score})
    found = dcurves.dca(frame, "y", ["model"], thresholds=THRESHOLDS)
    return found[found["model"] == "model"]["net_benefit"].to_numpy()


def statkit_curve(sample: Sample) -> Array:
    from statkit.decision import net_benefit

    return net_benefit(sample.y, sample.score, thresholds=THRESHOLDS)[1]


def rtichoke_curve(sample: Sample) -> Array:
    import rtichoke

    found = rtichoke.prepare_performance_data({"model": sample.score}, sample.y)
    return found["net_benefit"].to_numpy()[1:-1]


def briertools_score(scorer: str, scale: float, sample: Sample) -> float:
    """Return the peer's sum over the range as a mean over it, which is what we print."""
    import briertools

    return getattr(briertools, scorer)().score(sample.y, sample.score, (LOW, HIGH)) * scale


def decompose(sample: Sample) -> Array:
    parts = stakes.decompose(sample.table, Uniform())
    return 2 * np.array([parts.miscalibration, parts.discrimination, parts.uncertainty])  # the Brier score's parts


def model_diagnostics_decompose(sample: Sample) -> Array:
    from model_diagnostics.scoring import SquaredError, decompose

    found = decompose(sample.y, sample.score, scoring_function=SquaredError())
    return found.select("miscalibration", "discrimination", "uncertainty").to_numpy()[0]


def recalibrated(sample: Sample) -> Array:
    return stakes.table.Recalibration.of(sample.table)(sample.score)


def sklearn_recalibrated(sample: Sample) -> Array:
    from sklearn.isotonic import IsotonicRegression

    return IsotonicRegression(out_of_bounds="clip").fit_transform(sample.score, sample.y)


def h_score(sample: Sample) -> float:
    import hmeasure

    return hmeasure.h_score(sample.y, sample.score, severity_ratio=1.0)


def sklearn_metric(name: str, sample: Sample) -> float:
    import sklearn.metrics

    return getattr(sklearn.metrics, name)(sample.y, sample.score)


def torchmetrics_auc(sample: Sample) -> float:
    import torch
    from torchmetrics.functional.classification import binary_auroc

    return float(binary_auroc(torch.from_numpy(sample.score), torch.from_numpy(sample.y)))


def roc_area(sample: Sample) -> float:
    return stakes.roc_curve(sample.table).area()


def sklearn_roc_area(sample: Sample) -> float:
    from sklearn.metrics import auc, roc_curve

    return auc(*roc_curve(sample.y, sample.score)[:2])


def sklearn_scorers() -> Mapping[str, Callable[[Sample], object]]:
    return {"scikit-learn": partial(sklearn_metric, "roc_auc_score"), "torchmetrics": torchmetrics_auc}


WORK = [
    Work(
        "net benefit at 99 thresholds (ours: the whole exact curve, read there)",
        decision_curve,
        {"dcurves": dcurves_curve, "statkit": statkit_curve, "rtichoke": rtichoke_curve},
    ),
    Work(
        "expected regret, costs uniform over 5% to 20%",
        lambda sample: metrics.expected_regret(sample.y, sample.score, costs=Uniform(LOW, HIGH)),
        {"briertools": partial(briertools_score, "BrierScorer", 1 / (2 * (HIGH - LOW)))},
    ),
    Work(
        "expected regret, costs uniform in log-odds over 5% to 20%",
        lambda sample: metrics.expected_regret(sample.y, sample.score, costs=LogOddsUniform(LOW, HIGH)),
        {"briertools": partial(briertools_score, "LogLossScorer", 1 / math.log(HIGH / (1 - HIGH) * (1 - LOW) / LOW))},
    ),
    Work(
        "Brier score",
        lambda sample: metrics.brier_score(sample.y, sample.score),
        {"scikit-learn": partial(sklearn_metric, "brier_score_loss")},
    ),
    Work(
        "log loss",
        lambda sample: metrics.log_loss(sample.y, sample.score),
        {"scikit-learn": partial(sklearn_metric, "log_loss")},
    ),
    Work("the Brier score's three parts", decompose, {"model-diagnostics": model_diagnostics_decompose}, 1e-8),
    Work("isotonic recalibration of every case", recalibrated, {"scikit-learn": sklearn_recalibrated}, 1e-6),
    Work(
        "H-measure",
        lambda sample: stakes.h_measure(sample.table, Beta(2, 2)),
        {"hmeasure": h_score},
    ),
    Work("AUC", lambda sample: stakes.auc(sample.table), sklearn_scorers(), 1e-5),
    Work("ROC curve and its area", roc_area, {"scikit-learn": sklearn_roc_area}),
]


def refusals() -> dict[str, str]:
    """Say which peers do not run beside the others, and why; tried on a small sample."""
    found = {}
    for work in WORK:
        for peer, theirs in work.theirs.items():
            try:
                theirs(Sample.of(1000))
            except Exception as error:  # whatever a peer says is what we report
                found[peer] = f"{type(error).__name__}: {str(error).splitlines()[0]}"
    return found


def extra_memory(task: Callable[[], object]) -> float:
    """Peak of the resident memory on the way, in bytes, over what there was before; Linux alone tells."""
    status, reset = Path("/proc/self/status"), Path("/proc/self/clear_refs")
    if not reset.exists():
        return math.nan
    reset.write_text("5", encoding="ascii")
    before = _kilobytes(status, "VmRSS")
    task()
    return 1024 * (_kilobytes(status, "VmHWM") - before)


def _kilobytes(status: Path, name: str) -> int:
    line = next(line for line in status.read_text(encoding="ascii").splitlines() if line.startswith(name))
    return int(line.split()[1])


def timed(ours: Callable[[], object], theirs: Callable[[], object], tolerance: float) -> dict[str, float]:
    """Return the time of both, who must agree; a slow peer is asked once, and not as often as takes turns."""
    start = time.perf_counter()
    found = theirs()
    once = time.perf_counter() - start
    np.testing.assert_allclose(ours(), found, rtol=tolerance, atol=tolerance)
    if once <= SLOW:
        return race({"ours": ours, "theirs": theirs})
    return race({"ours": ours}) | {"theirs": once}


def report_scores(sizes: list[int], refused: Mapping[str, str]) -> None:
    """Print how many times as fast as each peer we are, at each size."""
    gave_up: set[tuple[str, str]] = set()
    for rows in sizes:
        sample = Sample.of(rows)
        data = sample.y.nbytes + sample.score.nbytes
        lines: list[list[str | float]] = []
        for work in WORK:
            ours = partial(work.ours, sample)
            for peer in (peer for peer in work.theirs if peer not in refused):
                if (work.name, peer) in gave_up:
                    lines.append([work.name, peer, f"took over {PATIENCE:.0f} s at a tenth", "", ""])
                    continue
                theirs = partial(work.theirs[peer], sample)
                best = timed(ours, theirs, work.tolerance)
                if best["theirs"] > PATIENCE:
                    gave_up.add((work.name, peer))
                memory = [
                    extra_memory(task) / data if rows >= 10**6 and best["theirs"] <= PATIENCE else ""
                    for task in (ours, theirs)
                ]
                lines.append([work.name, peer, best["theirs"] / best["ours"], *memory])
        print(f"\n**{rows:,} cases without ties.** Memory (from 10⁶ on): peak over the data, as a multiple of them.")
        print_table(["work", "peer", "times as fast", "our memory", "theirs"], lines)


def report_bootstrap(sizes: list[int]) -> None:
    """Print how many times as fast 1,000 replicates are; a peer's are timed for a few and multiplied."""
    from sklearn.metrics import roc_auc_score
    from statkit.non_parametric import bootstrap_score

    lines: list[list[str | float]] = []
    for rows in (rows for rows in sizes if rows <= 10**6):
        sample = Sample.of(rows)
        tasks = {
            "ours": lambda sample=sample: stakes.interval(
                Cases(sample.y, {"model": sample.score}), stakes.auc, method="percentile", n_resamples=REPLICATES, rng=1
            ),
            "theirs": lambda sample=sample: bootstrap_score(
                sample.y, sample.score, metric=roc_auc_score, n_iterations=FEW, random_state=1
            ),
        }
        best = race(tasks)
        lines.append([f"{rows:,}", "statkit", best["theirs"] / FEW * REPLICATES / best["ours"]])
    print(f"\n**{REPLICATES:,} bootstrap replicates of the AUC**, the table included.")
    print_table(["cases", "peer", "times as fast"], lines)


def exponent(sizes: list[int], spent: list[float]) -> float:
    """Slope of log time over log size: 1 is linear."""
    return float(np.polyfit(np.log(sizes), np.log(spent), 1)[0])


def growth() -> Iterator[tuple[str, str, list[int], Callable[[int], Callable[[], object]]]]:
    """Yield what grows, from where to where, and the work at each size."""
    rows = [10**5, 10**6, 10**7]
    for work in WORK:
        yield work.name, "cases", rows, lambda size, work=work: partial(work.ours, Sample.of(size))
    sample = Sample.of(10**5)
    curve = stakes.decision_curve(sample.table)
    yield (
        "reading a decision curve",
        "thresholds",
        [10**4, 10**5, 10**6],
        lambda size: partial(curve.at, np.linspace(0.01, 0.99, size)),
    )
    models = {f"model {i}": np.clip(sample.score + i / 1000, 0, 1) for i in range(16)}
    yield (
        "evaluate",
        "models",
        [2, 4, 8, 16],
        lambda size: partial(
            stakes.evaluate, sample.y, dict(list(models.items())[:size]), Decision(Uniform(LOW, HIGH))
        ),
    )


def report_growth(most: int) -> None:
    lines: list[list[str | float]] = []
    for name, what, sizes, make in growth():
        within = [size for size in sizes if what != "cases" or size <= most]
        if len(within) < 2:
            continue
        spent = [race({"ours": make(size)})["ours"] for size in within]
        lines.append([name, what, f"{within[0]:,} to {within[-1]:,}", f"{exponent(within, spent):.2f}"])
    print("\n**How our time grows**: the exponent of a power law fitted to it; 1 is proportional.")
    print_table(["work", "with the number of", "from … to", "exponent"], lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument(
        "--rows", type=int, nargs="+", default=[10**4, 10**5, 10**6, 10**7], help="sizes of the samples"
    )
    rows = parser.parse_args().rows
    importlib.import_module("numba")  # loaded once, so that no first call pays for it
    stakes.score_table(*[np.arange(5 * 10**6) % 2] * 2)
    print(f"# Peers\n\nPython {platform.python_version()}, numpy {np.__version__},", ", ".join(map(installed, PEERS)))
    print(f"on {os.cpu_count()} cores of {processor()}.")
    refused = refusals()
    for peer, reason in refused.items():
        print(f"\n{peer} does not start here: {reason}")
    report_scores(rows, refused)
    report_bootstrap(rows)
    report_growth(max(rows))


if __name__ == "__main__":
    main()

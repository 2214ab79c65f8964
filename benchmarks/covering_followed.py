"""What intervals of censored outcomes cover: ``python3 dev.py bench covering_followed [--runs 4000] [--table]``.

Times to the event are exponential given a marker and a group; two models see the marker, both miscalibrated, one with
noise. A sample has 10, 25 or 100 known events by the horizon on average, and about half of its cases leave before. The
truth is that of two million cases of whom nobody leaves. Work is done in portions with seeds of their own, and what is
found is added to ``covering_followed.jsonl`` beside this file: a run that was stopped goes on where it was. ``--table``
only prints what was found. Delete the file when a formula changes.
"""

from __future__ import annotations

import argparse
import json
import math
import warnings
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path

import numpy as np
from measuring import print_table

from stakes import (
    At,
    Cases,
    EventBy,
    InputError,
    Uniform,
    auc,
    brier_score,
    compare,
    expected_regret,
    interval,
    net_benefit,
)
from stakes.outcome import CensoringBy, CoxCensoring

EVENTS, PORTION, RUNS, POPULATION = (10, 25, 100), 250, 4000, 2_000_000
FILE = Path(__file__).with_suffix(".jsonl")
HORIZON, HAZARD, MARKER, GROUP = 1.0, 0.12, 1.0, 0.5
SIZE_OF_CLUSTER, FRAILTY = 4, 0.8

MEASURES = {
    "net benefit at 10%": partial(net_benefit, costs=At(0.1)),
    "expected regret, 5% to 20%": partial(expected_regret, costs=Uniform(0.05, 0.2)),
    "Brier score": brier_score,
    "AUC": auc,
}
COMPARED = ("expected regret, 5% to 20%", "AUC")


@dataclass(frozen=True)
class Sample:
    """People with their times to the event, to another event and to leaving, their marker, group and cluster."""

    event: np.ndarray
    other: np.ndarray
    leaving: np.ndarray
    marker: np.ndarray
    group: np.ndarray
    cluster: np.ndarray | None
    models: dict[str, np.ndarray]

    @property
    def truth(self) -> np.ndarray:
        """Whether each had the event by the horizon, which nobody sees of all."""
        return (self.event <= HORIZON) & (self.event < self.other)

    def followed(self, censoring: CensoringBy | CoxCensoring | None) -> EventBy:
        """Return what is seen of them."""
        time = np.minimum(np.minimum(self.event, self.other), self.leaving)
        code = np.where(time == self.event, 1, np.where(time == self.other, 2, 0))
        return EventBy(time, code, HORIZON, censoring=censoring)


@dataclass(frozen=True)
class Kind:
    """A population: how people leave, what competes, whether they come in clusters, and the model of censoring."""

    leaving: Callable[[np.ndarray, np.ndarray], np.ndarray]  # hazard, given marker and group
    censoring: Callable[[Sample], CensoringBy | CoxCensoring | None] = lambda _: None
    competing: float = 0.0
    clusters: bool = False

    def draw(self, rng: np.random.Generator, size: int) -> Sample:
        """Draw people."""
        size = -(-size // SIZE_OF_CLUSTER) * SIZE_OF_CLUSTER if self.clusters else size
        marker, group = rng.normal(size=size), rng.random(size) < 0.5
        cluster = np.arange(size) // SIZE_OF_CLUSTER if self.clusters else None
        frailty = np.zeros(size) if cluster is None else FRAILTY * rng.normal(size=cluster[-1] + 1)[cluster]
        event = rng.exponential(size=size) / (HAZARD * np.exp(MARKER * marker + GROUP * group + frailty))
        other = rng.exponential(size=size) / (self.competing * np.exp(0.5 * marker)) if self.competing else event + 1
        leaving = rng.exponential(size=size) / self.leaving(marker, group)
        if cluster is not None:  # half of those who leave do so with their cluster
            leaving = np.minimum(leaving, rng.exponential(size=cluster[-1] + 1)[cluster] / 0.35)
        noisy = marker + rng.normal(size=size)
        models = {"a": risk(0.7 * marker + 0.4), "b": risk(0.5 * noisy + 0.3)}
        return Sample(event, other, leaving, marker, group, cluster, models)

    def cases(self, sample: Sample) -> Cases:
        """Return what a study of the sample has."""
        return Cases(sample.followed(self.censoring(sample)), sample.models, cluster=sample.cluster)


def risk(log_hazard: np.ndarray) -> np.ndarray:
    return -np.expm1(-HAZARD * np.exp(log_hazard))


KINDS = {
    "independent": Kind(lambda x, _: 0.7 + 0 * x),
    "independent, another event competes": Kind(lambda x, _: 0.7 + 0 * x, competing=0.1),
    "by group, one curve in each": Kind(lambda _, z: 0.4 + 0.8 * z, lambda sample: CensoringBy(sample.group)),
    "by marker, Cox's model": Kind(
        lambda x, _: 0.6 * np.exp(0.6 * x), lambda sample: CoxCensoring(sample.marker[:, None])
    ),
    "in clusters of four": Kind(lambda x, _: 0.35 + 0 * x, clusters=True),
}


@cache
def truth(name: str) -> tuple[dict[str, float], float]:
    """Return the numbers of all people, and the share of known events in a sample."""
    kind = KINDS[name]
    sample = kind.draw(np.random.default_rng(0), POPULATION)
    whole, found = Cases(sample.truth, sample.models), {}
    for line, measure in MEASURES.items():
        a, b = (float(measure(whole.table(model))) for model in ("a", "b"))
        found |= {line: a, f"{line}, difference": a - b}
    known = sample.truth & (sample.event <= sample.leaving)
    return found, float(known.mean())


def lines(cases: Cases) -> Iterator[tuple[str, float, float]]:
    """Yield the ends of every interval."""
    for line, measure in MEASURES.items():
        found = interval(cases, measure)["a"]
        yield line, found.lower, found.upper
        if line in COMPARED:
            apart = compare(cases, "a", "b", measure)
            yield f"{line}, difference", apart.lower, apart.upper


def sample_of(kind: Kind, rng: np.random.Generator, size: int) -> Cases:
    """Draw a sample; again where a group is not followed until the horizon, of which no study could say anything."""
    while True:
        try:
            return kind.cases(kind.draw(rng, size))
        except InputError as error:
            if "horizon" not in str(error):
                raise


def portion(name: str, events: int, number: int) -> dict[str, list[int]]:
    """Return, of one portion of samples, how many intervals are defined, hold the truth, or lie above or below it."""
    true, share = truth(name)
    rng = np.random.default_rng([list(KINDS).index(name), events, number])
    found: dict[str, np.ndarray] = defaultdict(lambda: np.zeros(4, dtype=int))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # samples without an event: a ratio is undefined
        for _ in range(PORTION):
            cases = sample_of(KINDS[name], rng, round(events / share))
            for line, lower, upper in lines(cases):
                defined, below, above = not math.isnan(lower), true[line] < lower, true[line] > upper
                found[line] += [defined, defined and not (below or above), below, above]
    return {line: counts.tolist() for line, counts in found.items()}


def read() -> dict[tuple[str, int, int], dict[str, list[int]]]:
    """Return the portions that were found."""
    entries = map(json.loads, FILE.read_text(encoding="utf-8").splitlines() if FILE.exists() else ())
    return {tuple(entry["job"]): entry["lines"] for entry in entries}


def work(runs: int) -> None:
    """Do what was not done yet, all cells alike."""
    for number in range(-(-runs // PORTION)):
        for events in EVENTS:
            for name in KINDS:
                if (name, events, number) not in read():  # another process may have added to it
                    entry = {"job": [name, events, number], "lines": portion(name, events, number)}
                    with FILE.open("a", encoding="utf-8") as file:
                        file.write(json.dumps(entry) + "\n")


def tables() -> None:
    """Print the coverage of every line."""
    counts: dict[tuple[str, int, str], np.ndarray] = defaultdict(lambda: np.zeros(4))
    runs: dict[tuple[str, int], int] = defaultdict(int)
    for (name, events, _), found in read().items():
        runs[name, events] += PORTION
        for line, counted in found.items():
            counts[name, events, line] += counted
    titles = list(dict.fromkeys(line for _, _, line in counts))
    for events in EVENTS:
        rows = []
        for name in KINDS:
            cells = [counts[name, events, line] for line in titles]
            shown = [f"{100 * one[1] / one[0]:.1f}" if one[0] else "" for one in cells]
            rows.append([f"{name} ({runs[name, events]:,})", *shown])
        print(f"\n**{events} known events** on average")
        print_table(["people leave", *titles], rows)


def main() -> None:
    """Simulate, and print the tables."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--runs", type=int, default=RUNS, help="samples of each population and size")
    parser.add_argument("--table", action="store_true", help="print what was found, and do nothing")
    chosen = parser.parse_args()
    if not chosen.table:
        work(chosen.runs)
    tables()


if __name__ == "__main__":
    main()

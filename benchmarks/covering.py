"""What intervals really cover, on simulated truth: ``python3 dev.py bench covering [--part 1/4] [--table]``.

Two models see the same cases of a population; a sample has 5, 10, 25 or 100 positives on average. Each line of the
tables is one measure or one paired difference. Work is done in portions of a few hundred samples, each with a seed of
its own, and what is found is added to ``covering.jsonl`` beside this file: a run that was stopped goes on where it was,
and several with different ``--part`` share the work. ``--table`` only prints what was found, as the documentation shows
it. Delete the file when a formula changes.
"""

from __future__ import annotations

import argparse
import json
import math
import warnings
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from unittest.mock import patch

import numpy as np
from measuring import print_table
from populations import POPULATIONS, Population

from stakes import At, Cases, Uniform, accuracy, auc, decompose, expected_regret, net_benefit, skill_score
from stakes.measures import Measure, recognise
from stakes.uncertainty import Study, miscalibration
from stakes.uncertainty._analytic import classes_of, difference_ends, ends_of, influence_spread
from stakes.uncertainty._area_interval import AreaDifference
from stakes.uncertainty._half_case import Kinds

POSITIVES, PORTION, RUNS, FEWER = (5, 10, 25, 100), 500, 4000, 1000
MISCALIBRATED = ("skewed marker", "beta risks")  # a calibrated model, and one whose risks are bent by a power
DRAWS = 100  # of the outcomes, for the floor of the miscalibration; the default is 500
KINDS = ("scores", "weights", "clusters", "two-valued")
FORMER = ("former", "former_finite")
FILE = Path(__file__).with_suffix(".jsonl")
TALLIES = ("defined", "covered", "below", "above", "finite", "width", "former", "former_finite", "former_width")

Job = tuple[str, str, int, int]  # what, population, positives, portion
Measures = dict[str, Measure]


def measures(population: Population) -> Measures:
    costs, threshold = population.costs, population.threshold
    found = {
        "expected regret": partial(expected_regret, costs=costs),
        "net benefit": partial(net_benefit, costs=At(threshold)),
        "accuracy": partial(accuracy, threshold=threshold),
        "skill": partial(skill_score, costs=costs),
        "AUC": auc,
    }
    return {name: recognise(measure) for name, measure in found.items()}


def truth(population: Population) -> dict[str, float]:
    """Return the numbers of two million cases."""
    whole = population.cases(np.random.default_rng(0), 2_000_000)
    found = {}
    for name, measure in measures(population).items():
        a, b = (float(measure(whole.table(model))) for model in ("a", "b"))
        found |= {name: a, f"{name}, difference": a - b}
    return found | decomposed(whole)


def decomposed(whole: Cases) -> dict[str, float]:
    """Return the parts that `miscalibration` estimates; the isotonic bias of so many cases is some 1e-5."""
    parts = decompose(whole.table("a"), Uniform())
    return {"miscalibration": parts.miscalibration, "discrimination": parts.discrimination}


# --------------------------------------------------------------------------------------------------- one portion

Ends = tuple[float, float]


def ends_by_formula(cases: Cases, names: Measures) -> Iterator[tuple[str, Ends, Ends]]:
    """Yield the interval of each line, and by the formula that unbounded losses have, which all once had."""
    alone = Cases(
        cases.positive, {"a": cases.table("a").score[cases.rows("a")]}, weight=cases.weight, cluster=cases.cluster
    )
    for name, measure in names.items():
        study, single = Study(cases, measure), Study(alone, measure)
        form, one = study.measures["a"].form, single.intervals()["a"]
        assert form is not None
        by_class = classes_of(cases, by_class=form.by_class)
        spread = influence_spread(single.influence("a"), by_class)
        former = ends_of(form, one.estimate, spread, 0.95) if one.estimate not in (0.0, 1.0) else (math.nan, math.nan)
        yield name, (one.lower, one.upper), former
        two = study.compare("a", "b")
        apart = influence_spread(study.influence("a") - study.influence("b"), by_class)
        yield f"{name}, difference", (two.lower, two.upper), difference_ends(two.difference, apart, 0.95)[0]


def ends_above_floor(cases: Cases, rng: np.random.Generator) -> Iterator[tuple[str, Ends, Ends]]:
    """Yield the intervals of the two parts that recalibration tells; before, they were not."""
    alone = Cases(cases.positive, {"a": cases.table("a").score[cases.rows("a")]})
    parts = miscalibration(alone, Uniform(), n_resamples=DRAWS, rng=rng)["a"]
    nothing = (math.nan, math.nan)
    yield "miscalibration", (parts.lower, parts.upper), nothing
    if parts.discrimination is not None:
        yield "discrimination", (parts.discrimination.lower, parts.discrimination.upper), nothing
    yield "chance below 5%", (0.0, 0.0) if parts.chance < 0.05 else (1.0, 1.0), nothing


def tally(true: float, new: Ends, former: Ends) -> np.ndarray:
    """Return what one interval adds to the counts of `TALLIES`."""
    (lower, upper), defined = new, not math.isnan(new[0])
    width, former_width = upper - lower, former[1] - former[0]
    finite, known = math.isfinite(width), math.isfinite(former_width)
    below, above = true < lower, true > upper
    return np.array(
        [
            defined,
            defined and not (below or above),
            below,
            above,
            finite,
            width if finite else 0.0,
            former[0] <= true <= former[1],
            known,
            former_width if known else 0.0,
        ],
        dtype=float,
    )


@contextmanager
def ends_only() -> Iterator[None]:
    """Leave out the probability that a difference is above 0, which takes longer than its ends."""
    with ExitStack() as stack:
        for home in (Kinds, AreaDifference):
            stack.enter_context(patch.object(home, "deviate_of_zero", lambda *_: 0.0))
        yield


def portion(job: Job, true: dict[str, float]) -> dict[str, list[float]]:
    """Return the counts of each line over one portion of samples."""
    what, name, positives, number = job
    population, place = POPULATIONS[name], list(POPULATIONS).index(name)
    rng = np.random.default_rng([len(what), place, positives, number])
    names, found = measures(population), defaultdict(lambda: np.zeros(len(TALLIES)))
    with warnings.catch_warnings(), ends_only():
        warnings.simplefilter("ignore")  # samples without a positive: their intervals are nan
        for _ in range(PORTION):
            cases = population.sample(rng, positives)
            lines = ends_by_formula(cases, names) if what == "intervals" else ends_above_floor(cases, rng)
            for line, new, former in lines:
                found[line] += tally(true.get(line, 0.0), new, former)
    return {line: counts.tolist() for line, counts in found.items()}


# ------------------------------------------------------------------------------------------------------- all work


def jobs(runs: int, fewer: int) -> list[Job]:
    """Return all portions, in an order in which all cells grow alike."""
    return [
        (what, name, size, number)
        for what, names, most in (("intervals", POPULATIONS, runs), ("miscalibration", MISCALIBRATED, fewer))
        for number in range(-(-most // PORTION))
        for size in POSITIVES
        for name in names
    ]


def read() -> tuple[dict[str, dict[str, float]], dict[Job, dict[str, list[float]]]]:
    """Return the truths and the portions that were found."""
    truths, found = {}, {}
    for line in FILE.read_text(encoding="utf-8").splitlines() if FILE.exists() else ():
        entry = json.loads(line)
        if "truth" in entry:
            truths[entry["population"]] = entry["truth"]
        else:
            found[tuple(entry["job"])] = entry["lines"]
    return truths, found


def write(entry: dict) -> None:
    with FILE.open("a", encoding="utf-8") as file:
        file.write(json.dumps(entry) + "\n")


def work(asked: Iterable[Job]) -> None:
    """Do what was not done yet."""
    for job in asked:
        truths, found = read()  # others may have added to it
        if job in found:
            continue
        if job[1] not in truths:
            truths[job[1]] = truth(POPULATIONS[job[1]])
            write({"population": job[1], "truth": truths[job[1]]})
        write({"job": job, "lines": portion(job, truths[job[1]])})


# -------------------------------------------------------------------------------------------------------- tables


class Found:
    """The counts of all lines of all cells."""

    def __init__(self, portions: dict[Job, dict[str, list[float]]]) -> None:
        self.counts: dict[tuple[str, str, int], np.ndarray] = defaultdict(lambda: np.zeros(len(TALLIES)))
        self.runs: dict[tuple[str, str, int], int] = defaultdict(int)
        for (what, name, size, _), lines in portions.items():
            self.runs[what, name, size] += PORTION
            for line, counts in lines.items():
                self.counts[line, name, size] += counts

    def share(self, line: str, name: str, size: int, tallied: str = "covered", of: str = "defined") -> float:
        """Return how many of the intervals are of a kind, in percent; nan where there are none."""
        counts = dict(zip(TALLIES, self.counts[line, name, size], strict=True))
        return 100 * counts[tallied] / counts[of] if counts[of] else math.nan

    def width(self, line: str, name: str, size: int, former: str = "") -> float:
        return self.share(line, name, size, f"{former}width", f"{former}finite") / 100

    def lowest_runs(self, what: str) -> str:
        runs = {size: [self.runs[what, name, size] for name in POPULATIONS] for size in POSITIVES}
        return ", ".join(f"{size} positives {min(filter(None, held), default=0):,}" for size, held in runs.items())


def ranges(found: Found, lines: Iterable[str], names: list[str]) -> None:
    """Print the least and the greatest coverage over populations, and the mean of their widths, former ones beside."""
    covered, widths = [], []
    for line in lines:
        cells = {size: known([found.share(line, name, size) for name in names]) for size in POSITIVES}
        before = {size: known([found.share(line, name, size, *FORMER) for name in names]) for size in POSITIVES}
        texts = [
            f"{percent(min(cells[size]))} to {percent(max(cells[size]))} ({percent(min(before[size]))})"
            for size in POSITIVES
            if cells[size]
        ]
        covered.append([line, *texts])
        means = [
            [np.mean(known([found.width(line, name, size, kind) for name in names])) for kind in ("", "former_")]
            for size in POSITIVES
            if cells[size]
        ]
        widths.append([line, *(f"{new:.2g} ({former:.2g})" for new, former in means)])
    header = ["", *(f"{size} positives" for size in POSITIVES)]
    print("\nLeast and greatest coverage, and the least of the former formula:")
    print_table(header, covered)
    print("\nMean width, and that of the former formula:")
    print_table(header, widths)


def percent(share: float) -> str:
    return f"{share:.1f}".removesuffix(".0") if share >= 99.95 else f"{share:.1f}"


def least_by_kind(found: Found, lines: list[str]) -> None:
    """Print the least coverage over means, of an AUC and over differences, for each kind of population."""
    means = [line for line in lines if line != "AUC" and "difference" not in line]
    parts = means, ["AUC"], [line for line in lines if "difference" in line]
    by_kind = {kind: [name for name, one in POPULATIONS.items() if one.kind == kind] for kind in KINDS}
    rows = [
        [kind, *(", ".join(percent(least(found, part, names, size)) for part in parts) for size in POSITIVES)]
        for kind, names in {**by_kind, "of the scores, nearly perfect": ["nearly perfect"]}.items()
    ]
    print("\nThe least coverage over means, of an AUC, and over differences:")
    print_table(["means, AUC, differences", *(f"{size} positives" for size in POSITIVES)], rows)


def least(found: Found, lines: list[str], names: list[str], size: int) -> float:
    return min(known([found.share(line, name, size) for line in lines for name in names]))


def below_the_aim(found: Found, lines: list[str]) -> None:
    """List the cells that cover less than is aimed at: 93% for means, 92% for areas and differences."""
    cells = [(line, name, size) for line in lines for name in POPULATIONS for size in POSITIVES]
    print(f"\nBelow the aim, of {len(cells)} cells:")
    for line, name, size in cells:
        share, aim = found.share(line, name, size), 92 if line == "AUC" or "difference" in line else 93
        if share < aim:
            print(
                f"- {line} of {name}, {size} positives: {share:.1f} of {found.runs['intervals', name, size]:,} samples"
            )


def known(values: list[float]) -> list[float]:
    return [value for value in values if not math.isnan(value)]


def coverage(found: Found, lines: list[str], names: Iterable[str], size: int) -> None:
    """Print the coverage of each line in each population."""
    rows = [[name, *(percent(found.share(line, name, size)) for line in lines)] for name in names]
    print(f"\n**{size} positives** on average")
    print_table(["", *lines], rows)


def tables() -> None:
    truths, portions = read()
    found, lines = Found(portions), list(measures(next(iter(POPULATIONS.values()))))
    lines += [f"{line}, difference" for line in lines]
    print(f"samples of each population: {found.lowest_runs('intervals')}")
    for kind in KINDS:
        names = [name for name, population in POPULATIONS.items() if population.kind == kind]
        print(f"\n**{kind}**: {', '.join(names)}")
        ranges(found, lines, names)
    least_by_kind(found, lines)
    below_the_aim(found, lines)
    for size in POSITIVES:
        coverage(found, lines, POPULATIONS, size)
    parts = ["miscalibration", "discrimination", "chance below 5%"]
    for name in MISCALIBRATED:
        print(f"\n{name}: {[f'{line} {truths.get(name, {}).get(line, 0):.5f}' for line in parts[:2]]}")
        rows = [
            [
                f"{size} ({found.runs['miscalibration', name, size]:,} samples)",
                *(f"{found.share(line, name, size):.1f}" for line in parts),
            ]
            for size in POSITIVES
        ]
        print_table(["positives", *parts], rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--runs", type=int, default=RUNS, help="samples of each population and size")
    parser.add_argument("--fewer", type=int, default=FEWER, help="the same for miscalibration, which takes longer")
    parser.add_argument("--part", default="1/1", help="which part of the work to do, such as 2/4")
    parser.add_argument("--only", choices=("intervals", "miscalibration"))
    parser.add_argument("--table", action="store_true", help="print what was found, and do nothing")
    chosen = parser.parse_args()
    if not chosen.table:
        part, parts = map(int, chosen.part.split("/"))
        asked = [job for job in jobs(chosen.runs, chosen.fewer) if chosen.only in (None, job[0])]
        work(asked[part - 1 :: parts])
    tables()


if __name__ == "__main__":
    main()

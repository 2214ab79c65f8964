"""Coverage of the average site and of a new one: ``python3 dev.py bench covering_sites [--runs 2000] [--into FILE]``.

Sites lie around an average of 0 with a standard deviation that is stated in standard errors of a typical site; their
own standard errors differ by a factor of up to four. Each number is the percentage of the runs in which an interval of
95% holds the truth: our mixture, and Paule and Mandel's estimate with Student's t with k - 1 (average) and k - 2 (new
site) degrees of freedom. Widths are in standard errors of a typical site, ours from
every twentieth run. A second table has three models whose averages have a standard deviation of 2 standard errors of a
difference at a typical site: with which probability the first seems best, and in how many runs it is, in percent.
Cells that are in FILE are not run again.
"""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
from measuring import print_table
from scipy import stats

from stakes.sites import SiteSummary, pool_sites
from stakes.sites._site_mixture import Heterogeneity, SiteMixture

SITES, APART, LEVEL, OUTSIDE = (3, 5, 10, 30), (0.0, 0.5, 1.0, 2.0), 0.95, 0.025
MODELS = 3


def held(rng: np.random.Generator, sites: int, apart: float, number: int) -> tuple[float, ...]:
    """Return which intervals hold the average and a new site, and widths, ours in every twentieth run only."""
    errors = np.exp(rng.uniform(-math.log(2), math.log(2), sites))
    errors *= math.sqrt(np.mean(errors**-2))  # a typical one is 1
    known, new = rng.normal(0, np.hypot(errors, apart)), rng.normal(0, apart)
    mixture, usual = SiteMixture.of(known, errors**2), Heterogeneity.of(known, errors**2)
    weight = 1 / (errors**2 + usual.tau**2)
    middle = weight @ known / weight.sum()
    near = stats.t.ppf(1 - OUTSIDE, sites - 1) * usual.error
    far = stats.t.ppf(1 - OUTSIDE, sites - 2) * math.hypot(usual.error, usual.tau)
    ours = [
        OUTSIDE <= mixture.below(truth, new_site=is_new) <= 1 - OUTSIDE for truth, is_new in ((0, False), (new, True))
    ]
    widths = [
        np.ptp(mixture.ends(LEVEL, new_site=is_new)) if number % 20 == 0 else math.nan for is_new in (False, True)
    ]
    return *ours, abs(middle) <= near, abs(new - middle) <= far, *widths, 2 * near, 2 * far


def best(rng: np.random.Generator, sites: int, apart: float) -> tuple[float, ...]:
    """Return how probably the model that seems best is so on average and at a new site, and whether it is.

    Differences between two models have errors of about 1 at a typical site, and a standard deviation of `apart` between
    sites.
    """
    errors = np.exp(rng.uniform(-math.log(2), math.log(2), sites))
    errors *= math.sqrt(np.mean(errors**-2))
    true = rng.normal(0, math.sqrt(2), MODELS)
    spread = math.sqrt(0.5)  # of a model, where that of a difference is 1
    there = true + spread * apart * rng.normal(size=(sites, MODELS))
    seen = there + spread * errors[:, None] * rng.normal(size=(sites, MODELS))
    names = [f"m{k}" for k in range(MODELS)]
    pooled = pool_sites(
        SiteSummary(
            site=f"s{k}", measure="cost", better="smaller", cases=1000, positives=200,
            estimates=dict(zip(names, seen[k].tolist(), strict=True)),
            covariance=tuple(map(tuple, (np.eye(MODELS) * errors[k] ** 2 / 2).tolist())),
        )
        for k in range(sites)
    )  # fmt: skip
    following = true + spread * apart * rng.normal(size=MODELS)
    found: list[float] = []
    for stated, truth in ((pooled.probability_best, true), (pooled.probability_best_in_new_site, following)):
        assert stated is not None
        chances = np.array([stated[name] for name in names])
        found += [float(chances.max()), float(chances.argmax() == truth.argmin())]
    return tuple(found)


def cells(
    kind: str, once: Callable[[np.random.Generator, int, float, int], tuple[float, ...]], runs: int, into: Path | None
) -> Iterator[tuple[int, float, list[float]]]:
    """Yield the means of every cell, those that are known from the file first."""
    lines = into.read_text().splitlines() if into is not None and into.exists() else []
    known = {(one["kind"], one["sites"], one["apart"], one["runs"]): one["means"] for one in map(json.loads, lines)}
    for sites in SITES:
        for apart in APART:
            means = known.get((kind, sites, apart, runs))
            if means is None:
                rng = np.random.default_rng([sites, round(10 * apart)])
                means = np.nanmean([once(rng, sites, apart, number) for number in range(runs)], axis=0).tolist()
                if into is not None:
                    cell = {"kind": kind, "sites": sites, "apart": apart, "runs": runs, "means": means}
                    with into.open("a") as file:
                        file.write(json.dumps(cell) + "\n")
            yield sites, apart, means


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=2000)
    parser.add_argument("--into", type=Path)
    asked = parser.parse_args()
    headings = ["sites", "apart", "average", "width", "usual", "width", "new site", "width", "usual", "width"]
    rows = (
        [str(sites), f"{apart:g}", *(f"{100 * one[a]:.1f}" if b == 0 else f"{one[a]:.1f}" for a, b in ORDER)]
        for sites, apart, one in cells("held", held, asked.runs, asked.into)
    )
    print_table(headings, rows)
    headings = ["sites", "apart", "average: stated", "is best", "new site: stated", "is best"]
    rows = (
        [str(sites), f"{apart:g}", *(f"{100 * value:.1f}" for value in one)]
        for sites, apart, one in cells("best", best, asked.runs, asked.into)
    )
    print_table(headings, rows)


ORDER = ((0, 0), (4, 1), (2, 0), (6, 1), (1, 0), (5, 1), (3, 0), (7, 1))  # which mean, and whether it is a width


if __name__ == "__main__":
    main()

"""Draw the picture of the README: ``python docs/picture.py`` writes ``docs/picture.svg``."""

from __future__ import annotations

import sys
from pathlib import Path

import matplotlib as mpl
import numpy as np
from matplotlib.figure import Figure

from stakes import ScoreTable, Uniform, score_table
from stakes.datasets import load_cohort
from stakes.plot import draw_decision_curves, draw_regret_curves


def models() -> dict[str, ScoreTable]:
    """Two models of 750 patients: the one that the cohort ships, and a logistic regression on age."""
    data = load_cohort()
    y, age = data["cancer"], (data["age"] - data["age"].mean()) / data["age"].std()
    features, beta = np.column_stack([np.ones_like(age), age]), np.zeros(2)
    for _ in range(20):  # Newton's method
        risk = 1 / (1 + np.exp(-features @ beta))
        beta += np.linalg.solve(features.T * (risk * (1 - risk)) @ features, features.T @ (y - risk))
    return {
        "with a marker": score_table(y, data["cancerpredmarker"]),
        "age alone": score_table(y, 1 / (1 + np.exp(-features @ beta))),
    }


def main(path: Path) -> None:
    """Draw regret and net benefit over the cost, with the costs that matter shaded."""
    figure = Figure(figsize=(8.6, 3.5), layout="constrained")
    left, right = figure.subplots(1, 2)
    costs = Uniform(0.05, 0.2)
    left.set_xlim(0, 0.5)
    draw_regret_curves(left, models(), costs=costs)
    draw_decision_curves(right, models(), high=0.5, costs=costs)
    with mpl.rc_context({"svg.hashsalt": "stakes"}):
        figure.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else None, dpi=110)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).with_name("picture.svg"))

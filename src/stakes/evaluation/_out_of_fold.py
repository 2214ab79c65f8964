"""Predictions of cases by models that were not fitted to them, and by models that were."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from stakes._arrays import FloatArray
from stakes.evaluation._decision import Decision
from stakes.evaluation._fitting import FitData, Procedure
from stakes.evaluation._ranked import measure
from stakes.evaluation._results import Standing
from stakes.evaluation._splits import Split
from stakes.evaluation._validation import Validation
from stakes.table import ScoreTable, score_table
from stakes.uncertainty import with_progress

_SAME = 1e-12  # below which two predictions are the same


@dataclass(frozen=True, eq=False)
class OutOfFoldPredictions:
    """Predictions of each model in each repeat, out of fold, and those of the models fitted to all cases."""

    repeats: Sequence[Sequence[Split]]
    out_of_fold: Sequence[Mapping[str, FloatArray]]
    apparent: Mapping[str, FloatArray]

    def by_fold(self, data: FitData) -> Iterator[dict[str, ScoreTable]]:
        """Yield the tables of the models in each fold of each repeat."""
        for splits, scores in zip(self.repeats, self.out_of_fold, strict=True):
            for split in splits:
                rows = split.test[data.counts[split.test]]
                weight = None if data.weight is None else data.weight[rows]
                if len(rows):
                    found = {name: score_table(data.positive[rows], one[rows], weight) for name, one in scores.items()}
                    yield found

    def validation(self, data: FitData, decision: Decision, ranking: Sequence[Standing]) -> Validation:
        """Return what each model seems to cost on the cases it was fitted to, beside what it costs on others."""
        ranked, tables = measure(decision), data.with_predictions(self.apparent).tables
        return Validation(
            method="cv",
            folds=len(self.repeats[0]),
            repeats=len(self.repeats),
            apparent={name: float(ranked(table)) for name, table in tables.items()},
            validated={one.model: one.regret.estimate for one in ranking if not one.reference},
            unchanged=tuple(name for name in self.apparent if self._is_unchanged(name)),
        )

    def _is_unchanged(self, name: str) -> bool:
        """Whether each case has the same prediction, whatever the model was fitted to."""
        return all(np.abs(one[name] - self.apparent[name]).max() <= _SAME for one in self.out_of_fold)


def predict_out_of_fold(
    procedures: Mapping[str, Procedure], data: FitData, repeats: Sequence[Sequence[Split]], rng: np.random.Generator
) -> OutOfFoldPredictions:
    """Fit every model once to all cases and once to each part, and predict the cases of each fold."""
    everyone = np.arange(len(data.positive))
    found = [{name: np.empty(len(everyone)) for name in procedures} for _ in range(len(repeats) + 1)]
    tasks = [(-1, Split(everyone, everyone), name) for name in procedures]
    tasks += [(k, split, name) for k, splits in enumerate(repeats) for split in splits for name in procedures]
    for place, split, name in with_progress(enumerate(tasks, 1), len(tasks), "fitting"):
        procedure = procedures[name]
        fitted = procedure.fit(data, split.fit, rng)
        found[place][name][split.test] = procedure.predict(fitted, data, split.test)
    *out_of_fold, apparent = found
    return OutOfFoldPredictions(repeats, out_of_fold, apparent)

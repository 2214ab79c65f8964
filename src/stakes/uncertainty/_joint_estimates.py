"""Estimates of all models and their covariance, as other rooms need them."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from stakes._arrays import BoolArray, FloatArray
from stakes._errors import InputError
from stakes.uncertainty._interval import caution, units_of
from stakes.uncertainty._study import Study


@dataclass(frozen=True)
class JointEstimates:
    """Estimates, larger being better, their covariance, and which of them are of models.

    `units` are the independent cases or clusters that the covariance comes from. `influence` of each unit, units x
    models, adds up to 0 in each column.
    """

    names: tuple[str, ...]
    gain: FloatArray
    covariance: FloatArray
    models: BoolArray
    units: int
    caution: str
    influence: FloatArray

    def worth(self, units: float) -> JointEstimates:
        """Return the same estimates as if they came from another number of units."""
        return replace(self, covariance=self.covariance * (self.units / units))


def joint_estimates(study: Study) -> JointEstimates:
    """Return the estimates of a study; raise unless all have a formula and are finite."""
    names, sign = study.models, -1.0 if study._better == "smaller" else 1.0
    if study._form(*names) is None:
        raise InputError("measure", "have a formula for the influence of a case", str(study.measures[names[0]].name))
    gain = sign * np.array([study.estimates[name] for name in names])
    for name, value in zip(names, gain, strict=True):
        if not np.isfinite(value):
            raise InputError("measure", "be finite for every model", f"{value:g} for {name}")
    doubt = caution(study.cases, trusted="values")
    influence = sign * np.column_stack([study.influence(name) for name in names])
    return JointEstimates(names, gain, study._covariance(), study._are_models, units_of(study.cases), doubt, influence)

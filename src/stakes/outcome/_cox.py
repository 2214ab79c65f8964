"""Proportional hazards of leaving: Cox's model of the chance of still being followed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from stakes._arrays import BoolArray, FloatArray
from stakes.outcome._staying import IntArray, sums_at

_MOST_STEPS, _NEAR = 50, 1e-12
_FLAT = 1e-8  # share of the information at the start that is left where a likelihood has no maximum


@dataclass(frozen=True)
class _Fit:
    """A fitted model: relative hazards of the cases, and sums at each censoring time."""

    relative: FloatArray
    risk: FloatArray  # sum of relative hazards at risk
    mean: FloatArray  # mean covariates at risk
    hazard: FloatArray  # step of the baseline hazard
    information: FloatArray


class CoxStaying:
    """Chance of staying by a Cox model of leaving, with Breslow's ties and events before censorings."""

    def __init__(self, time: FloatArray, censored: BoolArray, unknown: BoolArray, horizon: float, columns: FloatArray):
        self.times = np.unique(time[censored])
        self.censored, self.unknown = censored, unknown
        self.last = float(time.max())
        self.ends_early = self.last < horizon and bool(censored[time == self.last].any())
        spread = columns.std(axis=0)
        self.z = (columns - columns.mean(axis=0)) / np.where(spread > 0, spread, 1.0)
        self.before = np.searchsorted(self.times, np.minimum(time, horizon), "left")
        self.place = np.searchsorted(self.times, time, "left")  # of its own end, for those censored
        self.inside = self.place + censored

    def _at_risk(self, values: FloatArray) -> FloatArray:
        """Sum values of the cases at risk at each censoring time."""
        return _sums_after(self.inside, values, len(self.times))

    def _score(self, beta: FloatArray, weight: FloatArray) -> tuple[FloatArray, _Fit]:
        relative = np.exp(self.z @ beta)
        weighted = weight * relative
        risk = self._at_risk(weighted)
        safe = np.where(risk > 0, risk, 1.0)
        mean = np.stack([self._at_risk(weighted * z) for z in self.z.T], axis=1) / safe[:, None]
        leave = sums_at(self.place[self.censored], weight[self.censored], len(self.times))
        score = self.z.T @ (weight * self.censored) - mean.T @ leave
        second = np.array([[leave @ (self._at_risk(weighted * a * b) / safe) for b in self.z.T] for a in self.z.T])
        information = second - (mean * leave[:, None]).T @ mean
        return score, _Fit(relative, safe, mean, leave / safe, information)

    def _fit(self, weight: FloatArray) -> _Fit | None:
        """Find the coefficients by Newton's steps; None where there is no finite maximum."""
        beta, start = np.zeros(self.z.shape[1]), None
        for _ in range(_MOST_STEPS):
            with np.errstate(over="ignore", invalid="ignore"):
                score, fit = self._score(beta, weight)
            if not np.isfinite(fit.information).all():
                return None
            start = fit.information if start is None else start
            step = np.linalg.lstsq(fit.information, score, rcond=1e-10)[0]
            if np.abs(step).max(initial=0.0) < _NEAR * (1 + np.abs(beta).max(initial=0.0)):
                return None if _is_flat(fit.information, start) else fit
            beta = beta + step * min(1.0, 3 / max(np.abs(step).max(), 1e-300))
            if np.abs(beta).max() > 30:
                return None
        return None

    def weights(self, weight: FloatArray) -> FloatArray:
        """Return one over the chance of staying that the model gives each case."""
        fit = self._fit(weight) if len(self.times) else None
        if fit is None:
            return np.full(len(weight), np.nan) if len(self.times) else np.where(self.unknown, 0.0, 1.0)
        total = np.concatenate([[0.0], np.cumsum(fit.hazard)])[self.before]
        with np.errstate(over="ignore"):
            found: FloatArray = np.where(self.unknown, 0.0, np.exp(total * fit.relative))
        return found if np.isfinite(found).all() else np.full(len(weight), np.nan)

    def through(self, moves: FloatArray, weight: FloatArray) -> FloatArray:
        """Add what each case moves by the coefficients and by the baseline hazard."""
        fit = self._fit(weight) if len(self.times) else None
        if fit is None:
            return moves
        total = np.concatenate([[0.0], np.cumsum(fit.hazard)])
        along = np.concatenate([np.zeros((1, self.z.shape[1])), np.cumsum(fit.mean * fit.hazard[:, None], axis=0)])
        pull = (moves * fit.relative) @ (self.z * total[self.before][:, None] - along[self.before])
        own = np.minimum(self.place, len(self.times) - 1)
        residual = np.where(self.censored[:, None], self.z - fit.mean[own], 0.0)
        residual -= fit.relative[:, None] * (self.z * total[self.inside][:, None] - along[self.inside])
        by_coefficient = residual @ np.linalg.lstsq(fit.information, pull, rcond=1e-10)[0]
        worth = _sums_after(self.before, moves * fit.relative, len(self.times)) / fit.risk
        paid = fit.relative * np.concatenate([[0.0], np.cumsum(worth * fit.hazard)])[self.inside]
        added: FloatArray = moves + weight * (by_coefficient + np.where(self.censored, worth[own], 0.0) - paid)
        return added

    def gap(self) -> tuple[str, float] | None:
        """Return when the last case left, if that was before the horizon: a model must not reach beyond it."""
        return ("the last case", self.last) if self.ends_early else None


def _is_flat(information: FloatArray, start: FloatArray) -> bool:
    """Whether a direction has lost its information, as where a covariate tells by itself who leaves."""
    values, vectors = np.linalg.eigh(start)
    has_some = values > 1e-10 * values[-1]
    whitened = vectors[:, has_some] / np.sqrt(values[has_some])
    return bool(np.linalg.eigvalsh(whitened.T @ information @ whitened).min(initial=1.0) < _FLAT)


def _sums_after(place: IntArray, values: FloatArray, many: int) -> FloatArray:
    """Sum values of the cases whose place is beyond each of `many` times."""
    return np.cumsum(sums_at(place, values, many + 1)[:0:-1])[::-1]

"""Several models at several sites: which is the best at the average site, and at a new one."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from stakes._arrays import FloatArray
from stakes.sites._site_mixture import SiteMixture, between_sites
from stakes.sites._site_summary import SiteSummary
from stakes.uncertainty import best_of, joint_law, points_of

_KNOWN = 1e-12  # share of the largest variance below which a difference is known exactly
_CLOSED, _POINTS = 3, 1 << 14  # models with a closed form; fixed points for more
_HOPELESS = 0.001  # probability of beating the leader at a new site, below which a model is out of the race
_UNLIKELY = 1e-10  # weight of a standard deviation between sites, in that of all, below which it is left out


def best_over_sites(summaries: Sequence[SiteSummary], models: Sequence[str], *, new_site: bool) -> dict[str, float]:
    """Return the probability of each model to be the best at the average site, or at a new one.

    One standard deviation between sites serves all differences, so models out of the race are left out of it: those
    that hardly ever beat the leader at a new site have probability 0. Models that are the same everywhere share theirs.
    """
    alike = {model: next(one for one in models if _is_same(summaries, one, model)) for model in models}
    race = _in_the_race(summaries, list(dict.fromkeys(alike.values())))
    found = {race[0]: 1.0} if len(race) == 1 else JointSites.of(summaries, race).best(new_site=new_site)
    shares = list(alike.values())
    return {model: found.get(alike[model], 0.0) / shares.count(alike[model]) for model in models}


def _is_same(summaries: Sequence[SiteSummary], one: str, two: str) -> bool:
    def same(site: SiteSummary) -> bool:
        return site.estimates[one] == site.estimates[two] and site.variance(one, two) <= _KNOWN * site.variance(one)

    return all(map(same, summaries))


def _in_the_race(summaries: Sequence[SiteSummary], models: Sequence[str]) -> list[str]:
    """Return the model that leads on average, and those that have a chance to beat it at a new site."""
    sign = -1.0 if summaries[0].better == "smaller" else 1.0

    def average(model: str) -> float:
        return sign * sum(one.estimates[model] / len(summaries) for one in summaries)

    leader = max(models, key=average)
    return [model for model in models if model == leader or _beats(summaries, model, leader, sign) > _HOPELESS]


def _beats(summaries: Sequence[SiteSummary], model: str, leader: str, sign: float) -> float:
    """Return the probability that a model is better than the one that leads, at a new site."""
    gaps = np.array([sign * (one.estimates[model] - one.estimates[leader]) for one in summaries])
    variances = np.array([one.variance(model, leader) for one in summaries])
    if variances.min() <= 0:
        return float(gaps.max() > 0)
    return 1 - SiteMixture.of(gaps, variances).below(0.0, new_site=True)


@dataclass(frozen=True, eq=False)
class JointSites:
    r"""Differences of several models at the average site and at another one, from some sites.

    Each model lies :math:`N(0, \tau^2/2)` from its average, apart from what all models have in common at the site: so
    every difference of two models lies :math:`N(0, \tau^2)` from its own, with one :math:`\tau`, which is averaged over
    as for a single difference. With two models, this is the same law.
    """

    models: tuple[str, ...]
    basis: FloatArray  # orthonormal contrasts, one a row, and those that are known exactly
    weight: FloatArray  # of each standard deviation between sites
    mean: FloatArray  # of the contrasts
    covariance: FloatArray
    tau: FloatArray
    known: FloatArray  # differences that all sites know exactly, as gains of the models

    @classmethod
    def of(cls, summaries: Sequence[SiteSummary], models: Sequence[str]) -> JointSites:
        """Average over how far apart sites are, for at least two sites and two models."""
        sign = -1.0 if summaries[0].better == "smaller" else 1.0
        gains = sign * np.array([[one.estimates[model] for model in models] for one in summaries])
        variances = np.array([_covariance(one, models) for one in summaries])
        gains = gains - gains.mean(axis=1, keepdims=True)
        size = len(models)
        centre = np.eye(size) - 1 / size
        values, vectors = np.linalg.eigh(centre @ variances.sum(axis=0) @ centre)
        basis = vectors[:, values > _KNOWN * max(float(values[-1]), 0.0)].T
        known = gains.mean(axis=0) - basis.T @ (basis @ gains.mean(axis=0))
        if not len(basis):
            return cls(tuple(models), basis, np.ones(1), np.zeros((1, 0)), np.zeros((1, 0, 0)), np.zeros(1), known)
        found = _mixture(gains @ basis.T, basis @ variances @ basis.T)
        return cls(tuple(models), basis, *found, known)

    def best(self, *, new_site: bool) -> dict[str, float]:
        """Return the probability of each model to be the best: closed up to three, at fixed points beyond."""
        total = self._at_points(new_site) if len(self.models) > _CLOSED else self._closed(new_site)
        return dict(zip(self.models, (total / total.sum()).tolist(), strict=True))

    def _spread(self, new_site: bool) -> FloatArray:
        """Return the covariance of the contrasts for each standard deviation between sites."""
        more: FloatArray = new_site * self.tau[:, None, None] ** 2 / 2 * np.eye(len(self.basis))
        return self.covariance + more

    def _closed(self, new_site: bool) -> FloatArray:
        nobody = np.zeros(len(self.models), dtype=bool)
        total = np.zeros(len(self.models))
        for share, mean, spread in zip(self.weight, self.mean, self._spread(new_site), strict=True):
            gain = self.known + self.basis.T @ mean
            total += share * best_of(joint_law(gain, self.basis.T @ spread @ self.basis, nobody, "flat")).ranks[:, 0]
        return total

    def _at_points(self, new_site: bool) -> FloatArray:
        points = points_of(_POINTS, len(self.basis), 0)
        which = np.minimum(np.searchsorted(np.cumsum(self.weight), points[:, 0]), len(self.weight) - 1)
        roots = _roots(self._spread(new_site))
        contrasts = self.mean[which] + np.einsum("nij,nj->ni", roots[which], points[:, 1:])
        gains = self.known + contrasts @ self.basis
        first = gains >= gains.max(axis=1, keepdims=True) - _KNOWN * np.abs(gains).max()
        total: FloatArray = (first / first.sum(axis=1, keepdims=True)).sum(axis=0)
        return total


def _roots(covariance: FloatArray) -> FloatArray:
    """Return a root of each covariance, which may be singular but for rounding."""
    values, vectors = np.linalg.eigh(covariance)
    return np.asarray(vectors * np.sqrt(np.maximum(values, 0.0))[:, None, :])


def _covariance(summary: SiteSummary, models: Sequence[str]) -> FloatArray:
    here = [summary.models.index(model) for model in models]
    return np.array(summary.covariance)[np.ix_(here, here)]


def _mixture(contrasts: FloatArray, variances: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Return weight, mean and covariance of the average by standard deviation between sites."""
    size = contrasts.shape[1]
    eigenvalues = np.linalg.eigvalsh(variances)
    spread = eigenvalues[eigenvalues > _KNOWN * eigenvalues.max()]  # a site may know a contrast exactly
    typical = 2 * len(spread) / np.sum(1 / spread)  # 2: a difference has twice the variance
    tau, weights = between_sites(typical)
    precision = np.linalg.inv(variances + tau[:, None, None, None] ** 2 / 2 * np.eye(size))
    covariance = np.linalg.inv(precision.sum(axis=1))
    mean = np.einsum("tij,tsjk,sk->ti", covariance, precision, contrasts)
    off = contrasts - mean[:, None]
    misfit = np.einsum("tsi,tsij,tsj->t", off, precision, off)
    log = np.linalg.slogdet(precision)[1].sum(axis=1) / 2 + np.linalg.slogdet(covariance)[1] / 2 - misfit / 2
    likely = weights * np.exp(log - log.max())
    likely /= likely.sum()
    kept = likely > _UNLIKELY
    return likely[kept] / math.fsum(likely[kept]), mean[kept], covariance[kept], tau[kept]

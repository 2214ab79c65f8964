"""Slow oracles: the definitions, case by case in 25-digit arithmetic, and double averages by dilogarithms."""

import mpmath as mp
import numpy as np

mp.mp.dps = 25


def decided(score, own, prevalence, cost):
    """Whether a score is acted on at a prevalence: the odds multiplied."""
    score, own, prevalence, cost = (mp.mpf(float(value)) for value in (score, own, prevalence, cost))
    up = score * (1 - own) * prevalence
    down = (1 - score) * own * (1 - prevalence)
    return up * (1 - cost) >= down * cost


def value(measure, cases, cost, prevalence):
    """Compute the measure at one cost and one prevalence from the rates of the rule."""
    y, score, weight = (np.asarray(column, dtype=float) for column in cases)
    own = float((y * weight).sum() / weight.sum())
    acted = np.array([bool(decided(s, own, prevalence, cost)) for s in score])
    hits = mp.fsum(weight[(y == 1) & acted]) / mp.fsum(weight[y == 1])
    quiet = mp.fsum(weight[(y == 0) & ~acted]) / mp.fsum(weight[y == 0])
    c, p = mp.mpf(float(cost)), mp.mpf(float(prevalence))
    return {
        "regret": (1 - c) * p * (1 - hits) + c * (1 - p) * (1 - quiet),
        "net benefit": p * hits - c / (1 - c) * (1 - p) * (1 - quiet),
        "prior-adjusted": p * hits + c / (1 - c) * (1 - p) * quiet,
        "weighted accuracy": ((1 - c) * p * hits + c * (1 - p) * quiet) / ((1 - c) * p + c * (1 - p)),
    }[measure]


# ---------------------------------------------------------------------------- integrals of the definition


def logit(p):
    return mp.log(p) - mp.log(1 - p)


def density(law, low, high):
    """Density of a law per unit of log-odds."""
    if law == "logodds":
        return lambda u: 1 / (logit(high) - logit(low))
    return lambda u: mp.exp(u) / (1 + mp.exp(u)) ** 2 / (high - low)


def weights(measure, u, v):
    """Return what a positive and a negative add, and whether they do so when acted on."""
    p, c = 1 / (1 + mp.exp(-u)), 1 / (1 + mp.exp(-v))
    return {
        "regret": ((1 - c) * p, False, c * (1 - p), True),
        "net benefit": (p, True, -c / (1 - c) * (1 - p), True),
        "prior-adjusted": (p, True, c / (1 - c) * (1 - p), False),
        "weighted accuracy": (
            (1 - c) * p / ((1 - c) * p + c * (1 - p)), True, c * (1 - p) / ((1 - c) * p + c * (1 - p)), False,
        ),
    }[measure]  # fmt: skip


NODE, WEIGHT = np.polynomial.legendre.leggauss(28)


def pieces(ends):
    """Nodes and weights of one Gauss-Legendre rule between each end and the next."""
    start, end = np.array(ends[:-1])[:, None], np.array(ends[1:])[:, None]
    return ((start + end + (end - start) * NODE) / 2).ravel(), ((end - start) / 2 * WEIGHT).ravel()


def law(name, low, high):
    """Return a law as its density per unit of log-odds and the panels on which that is smooth."""
    ends = np.array([float(logit(low)), float(logit(high))])
    if name == "even":
        return lambda u: np.exp(u) / (1 + np.exp(u)) ** 2 / (high - low), np.linspace(*ends, 4)
    return lambda u: np.full_like(u, 1 / (ends[1] - ends[0])), np.linspace(*ends, 4)


def law_of(belief, low, high, kink=None):
    """Return the same for any belief with a density, between two log-odds outside which it has nothing."""
    edges = np.linspace(low, high, 12)
    edges = edges if kink is None else np.sort(np.append(edges, float(logit(kink))))
    return lambda u: belief.density(1 / (1 + np.exp(-u))) * np.exp(u) / (1 + np.exp(u)) ** 2, edges


def row_average(measure, positive, z, costs, prevalence):
    """Mean of what one case adds, over laws of cost and prevalence; `z` is the logarithm of its likelihood ratio.

    Costs are taken in turn, and at each of them the prevalences on the side that counts.
    """
    (cost_density, cost_edges), (share_density, share_edges) = costs, prevalence
    turns = np.clip(share_edges + z, cost_edges[0], cost_edges[-1])
    v, weight = pieces(np.sort(np.concatenate([cost_edges, turns])))
    need = np.clip(v - z, share_edges[0], share_edges[-1])[:, None]  # acted on at prevalences from here on
    acts = measure != "regret" if positive else measure in ("regret", "net benefit")
    edges = np.maximum(share_edges, need) if acts else np.minimum(share_edges, need)
    length = np.diff(edges)[..., None]
    u = edges[:, :-1, None] + length * (NODE + 1) / 2
    p, q = 1 / (1 + np.exp(-u)), 1 / (1 + np.exp(u))
    c, d = (1 / (1 + np.exp(-v)))[:, None, None], (1 / (1 + np.exp(v)))[:, None, None]
    added = {
        "regret": d * p if positive else c * q,
        "net benefit": p if positive else -c / d * q,
        "prior-adjusted": p if positive else c / d * q,
        "weighted accuracy": (d * p if positive else c * q) / (d * p + c * q),
    }[measure]
    inner = (added * share_density(u) * WEIGHT * length / 2).sum(axis=(1, 2))
    return float(inner @ (weight * cost_density(v)))


def average(measure, cases, costs, prevalence):
    """Mean over both laws, case by case (scores strictly between 0 and 1)."""
    y, score, weight = cases
    own = weight[y == 1].sum() / weight.sum()
    z = np.log(score / (1 - score)) - np.log(own / (1 - own))
    parts = [row_average(measure, bool(label), float(at), costs, prevalence) for label, at in zip(y, z, strict=True)]
    return sum(part * w / weight[y == label].sum() for part, w, label in zip(parts, weight, y, strict=True))


# ---------------------------------------------------------------------- closed forms, prevalence even in log-odds


def sp(x):
    return mp.log1p(mp.exp(x))


def li2(x):
    return mp.polylog(2, x)


def j(u, z):
    rest = 1 / (1 + mp.exp(u))
    return (-li2(-mp.exp(u + z)) - z * sp(u) - sp(u) ** 2 / 2 - li2((1 - mp.exp(-z)) * rest)).real


def t(u, z):
    if z == 0:
        return (1 / (1 + mp.exp(-u))) ** 2 / 2
    m = mp.exp(z) - 1
    x = m / (1 + mp.exp(-u))
    return mp.exp(2 * z) * (mp.log1p(x) - x / (1 + x)) / m**2


def between(function, p, q):
    return function(q) - function(p) if p != q else mp.mpf(0)


def dilogarithm(measure, cost_law, positive, z, c0, c1, a, b):
    """Evaluate the dilogarithm formula for one case, before division by the normaliser."""
    c0, c1, low, high = mp.mpf(c0), mp.mpf(c1), logit(mp.mpf(a)), logit(mp.mpf(b))
    first, last = logit(c0), logit(c1)
    p, q = (min(max(end - z, low), high) for end in (first, last))
    if cost_law == "logodds" and measure == "prior-adjusted":
        if positive:
            inner = between(lambda u: (u + z - first) * sp(u) + li2(-mp.exp(u)).real, p, q)
            return inner + (last - first) * (sp(high) - sp(q))
        e0, e1 = c0 / (1 - c0), c1 / (1 - c1)
        return (e1 - e0) * (sp(-low) - sp(-p)) + e1 * (sp(-p) - sp(-q)) - mp.exp(z) * (sp(q) - sp(p))
    if cost_law == "logodds":
        if positive:
            part = between(lambda u: -j(-u, -z), p, q) - sp(-last) * (sp(q) - sp(p))
            return (sp(-first) - sp(-last)) * (sp(p) - sp(low)) + part
        part = between(lambda u: j(u, z), p, q) - sp(first) * (sp(-p) - sp(-q))
        return (sp(last) - sp(first)) * (sp(-q) - sp(-high)) + part
    if positive:
        part = between(lambda u: -t(-u, -z), p, q) / 2 - (1 - c1) ** 2 / 2 * (sp(q) - sp(p))
        return ((1 - c0) ** 2 - (1 - c1) ** 2) / 2 * (sp(p) - sp(low)) + part
    part = between(lambda u: t(u, z), p, q) / 2 - c0**2 / 2 * (sp(-p) - sp(-q))
    return (c1**2 - c0**2) / 2 * (sp(-q) - sp(-high)) + part

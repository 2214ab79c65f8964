"""Random samples and decisions: few cases, ties, weights, groups, clusters, limits, prevalences, folds, gaps."""

import warnings
from dataclasses import dataclass, replace

import numpy as np
import polars as pl
from evaluation.judging.plain import Believed, expit, fitted
from evaluation.toys import Bold, Known, Shares

from stakes import At, Beta, Decision, Limits, LogOddsUniform, Uniform, evaluate, evaluate_tables, score_table
from stakes.evaluation import validate
from stakes.frames import DroppedRowsWarning

_BELIEFS = {"at": lambda at, _: At(at), "uniform": Uniform, "log-odds": LogOddsUniform, "beta": Beta}
_ESTIMATORS = {"shares": Shares, "bold": Bold, "known": lambda _: Known()}
NAMES = ("ann", "bo", "cy", "di")


@dataclass(frozen=True)
class Scenario:
    """What `evaluate` is given, as plain arrays and numbers."""

    y: np.ndarray
    scores: dict
    costs: Believed
    weight: np.ndarray | None = None
    group: np.ndarray | None = None
    cluster: np.ndarray | None = None
    stated: Believed | None = None
    capacity: float | None = None
    precision: float | None = None
    folds: int | None = None
    level: float = 0.95
    tables: bool = False
    framed: bool = False
    unknown: np.ndarray | None = None  # cases whose outcome a frame does not have
    repeats: int = 1  # of the cases, one after another in the scores
    fold: np.ndarray | None = None  # of each case in each repeat, where procedures are validated
    seen: np.ndarray | None = None  # by the procedures
    procedures: dict | None = None
    baseline: str | None = None
    seed: int = 0
    called: str = ""

    @property
    def limited(self):
        return self.capacity is not None or self.precision is not None

    def evaluate(self):
        """Ask the package."""
        limits = Limits(capacity=self.capacity, min_precision=self.precision) if self.limited else None
        costs, prevalence = (
            None if one is None else _BELIEFS[one.shape](one.first, one.second) for one in (self.costs, self.stated)
        )
        decision = Decision(costs, prevalence=prevalence, limits=limits)
        if self.tables:
            tables = {name: score_table(self.y, score, self.weight) for name, score in self.scores.items()}
            return evaluate_tables(tables, decision, level=self.level, baseline=self.baseline)
        if self.framed:
            return self._evaluate_frame(decision)
        asked = {"level": self.level, "rng": self.seed}
        others = {name: getattr(self, name) for name in ("weight", "group", "cluster")}
        if self.procedures is not None:
            return self._validate(decision, asked | others)
        if self.repeats > 1:
            others = {name: None if one is None else np.tile(one, self.repeats) for name, one in others.items()}
            others["repeat"] = np.repeat(np.arange(self.repeats), len(self.y))
        asked |= {"folds": self.folds, "baseline": self.baseline, "on_missing": "drop"}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DroppedRowsWarning)
            return evaluate(np.tile(self.y, self.repeats), self.scores, decision, **asked, **others)

    def _validate(self, decision, asked):
        """Ask the package to fit the procedures, on the folds that were drawn."""
        estimators = {name: _ESTIMATORS[kind](prior) for name, (kind, prior) in self.procedures.items()}
        folds = [
            (np.flatnonzero(fold != one), np.flatnonzero(fold == one)) for fold in self.fold for one in np.unique(fold)
        ]
        return validate(estimators, self.seen, self.y, decision, folds=folds, **asked)

    def _evaluate_frame(self, decision):
        """Ask the package about columns of a frame, and let it drop what is missing."""
        outcome = [None if gone else int(y) for y, gone in zip(self.y, self.unknown, strict=True)]
        others = {name: getattr(self, name) for name in ("weight", "group") if getattr(self, name) is not None}
        scores = {name: [None if np.isnan(one) else one for one in score] for name, score in self.scores.items()}
        frame = pl.DataFrame({"died": outcome, **scores, **others})
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DroppedRowsWarning)
            names = {name: name for name in others}
            return evaluate("died", list(scores), decision, data=frame, on_missing="drop", level=self.level, **names)


# ------------------------------------------------------------------------------------------- drawing one


def draw(family, seed):
    """Draw a scenario of a family."""
    rng = np.random.default_rng([*family.encode(), seed])
    return replace(FAMILIES[family](rng), seed=seed, called=f"{family} {seed}")


def _risks(rng, cases, shift=None):
    """Outcomes of both classes, and the log-odds they were drawn with."""
    shift = rng.uniform(-2, 1) if shift is None else shift
    log_odds = shift + 1.5 * rng.normal(size=cases)
    y = (rng.random(cases) < expit(log_odds)).astype(int)
    y[rng.permutation(cases)[:2]] = [0, 1]
    return y, log_odds


def _scores(rng, log_odds, noise=None, bias=None):
    """Scores of a model that sees the log-odds through noise, and may see them too high, or coarsely."""
    noise, bias = rng.uniform(0.1, 2) if noise is None else noise, rng.normal() / 2 if bias is None else bias
    score = expit(log_odds + bias + noise * rng.normal(size=len(log_odds)))
    return rng.choice([score, score, np.round(score, 1), np.round(20 * score) / 20, np.round(score, 2)])


def _costs(rng, shape=None):
    shape = rng.choice(["at", "uniform", "uniform", "log-odds", "beta"]) if shape is None else shape
    if shape == "at":
        return Believed("at", float(rng.choice([0.05, 0.1, 0.2, 0.3, 0.5, 0.6, 0.8, rng.uniform(0.02, 0.9)])))
    if shape == "beta":
        return Believed("beta", float(rng.integers(1, 5)), float(rng.integers(1, 9)))
    low, high = sorted(rng.uniform(0.02, 0.95, 2)) if rng.random() < 0.6 else (0.1, float(rng.choice([0.2, 0.4, 0.5])))
    return Believed(str(shape), float(low), float(high) + 0.01)


def _weights(rng, y):
    positive = np.where(y == 1, 1.0, 0.0)
    return (
        rng.uniform(0.1, 3, len(y)),
        0.1 * positive + (1 - positive),
        20 * positive + (1 - positive),
        positive + 8 * (1 - positive),
        rng.integers(0, 4, len(y)) + positive + (np.arange(len(y)) == np.argmin(y)),
        rng.exponential(size=len(y)) ** 3 + 0.01,
    )[rng.integers(6)]


def _models(rng, log_odds, number=None):
    number = int(rng.integers(1, 5)) if number is None else number
    return {name: _scores(rng, log_odds) for name in NAMES[:number]}


def _any(rng, *, cases=None, number=None, shape=None, shift=None):
    """Draw a few cases, a few models, costs, and perhaps weights, groups or clusters."""
    cases = int(rng.integers(6, 81)) if cases is None else cases
    y, log_odds = _risks(rng, cases, shift)
    return Scenario(
        y,
        _models(rng, log_odds, number),
        _costs(rng, shape),
        weight=_weights(rng, y) if rng.random() < 0.35 else None,
        group=rng.choice(["north", "south", "west"], cases) if rng.random() < 0.2 else None,
        cluster=rng.integers(0, max(cases // 2, 2), cases) if rng.random() < 0.2 else None,
        level=float(rng.choice([0.95, 0.95, 0.9, 0.8])),
    )


# ------------------------------------------------------------------------------------------- the families


def _weighted(rng):
    some = _any(rng)
    return replace(some, weight=_weights(rng, some.y))


def _one_point(rng):
    """Draw models at one cost that may be nearly alike."""
    some = _any(rng, number=int(rng.integers(2, 4)), shape="at")
    first = some.scores["ann"]
    other = np.where(rng.random(len(first)) < 0.1, rng.random(len(first)), first)
    return replace(some, scores=some.scores | {"bo": other})


def _crossing(rng):
    """Models that are blind to high risks, or to low ones."""
    cases = int(rng.integers(40, 160))
    y, log_odds = _risks(rng, cases)
    risk = expit(log_odds)
    costs = Believed(str(rng.choice(["uniform", "log-odds", "beta"])), 0.05, 0.6)
    if costs.shape == "beta":
        costs = Believed("beta", 2.0, 4.0)
    cut = rng.uniform(0.15, 0.4)
    high = np.where(risk > cut, _scores(rng, log_odds, 0.1, 0.0), cut)
    weight = _weights(rng, y) if rng.random() < 0.3 else None
    return Scenario(y, {"ann": np.minimum(risk, cut), "bo": high}, costs, weight=weight)


def _turning(rng):
    """Draw two models, of which one is right below some cost and the other above it, but for a few cases."""
    cases, turn, lower = int(rng.integers(60, 200)), rng.uniform(0.3, 0.6), rng.random() < 0.6
    y, _ = _risks(rng, cases, shift=-1.5 if lower else 0.0)
    seen = np.where(rng.random(cases) < 0.05, 1 - y, y)
    scores = {"ann": np.where(seen == 1, 0.99, turn - 0.01), "bo": np.where(seen == 1, turn + 0.01, 0.005)}
    shape = str(rng.choice(["uniform", "log-odds"]))
    low, high = (turn / 5, turn * 1.2) if lower else (turn * 0.7, 0.95)
    weight = _weights(rng, y) if rng.random() < 0.2 else None
    return Scenario(y, scores, Believed(shape, float(low), float(high)), weight=weight)


def _on_the_edge(rng):
    """Draw the same two models at costs close to where they turn."""
    some = _turning(rng)
    turn = float(some.scores["bo"].max()) - 0.01
    near = (Believed("at", turn * 0.85), Believed("at", turn * 1.2), Believed("uniform", turn + 0.02, turn + 0.2))
    return replace(some, costs=near[rng.integers(3)])


def _clear(rng):
    """Draw a good model among poor ones, with many cases."""
    cases = int(rng.integers(150, 300))
    y, log_odds = _risks(rng, cases)
    scores = {"ann": expit(3 * log_odds * rng.uniform(0.5, 1) + 2 * (2 * y - 1)), "bo": rng.random(cases)}
    scores["cy"] = _scores(rng, log_odds)
    return Scenario(y, scores, _costs(rng), weight=_weights(rng, y) if rng.random() < 0.3 else None)


def _tied(rng):
    """Draw models that cost the same: copies, or two that always act, or one that acts on no one."""
    some = _any(rng, number=2)
    first, cases = some.scores["ann"], len(some.y)
    alike = (
        {"bo": first},
        {"bo": np.zeros(cases)},
        {name: rng.choice([0.97, 0.98, 0.99], cases) for name in ("ann", "bo")},
    )
    return replace(some, scores=some.scores | alike[rng.integers(3)])


def _useless(rng):
    some = _any(rng, number=int(rng.integers(1, 3)))
    return replace(some, scores={name: rng.permutation(score) for name, score in some.scores.items()})


def _backwards(rng):
    some = _any(rng, cases=int(rng.integers(30, 120)))
    log_odds = 3 * (2 * some.y - 1) + rng.normal(size=len(some.y))
    turned = {"bo": expit(-log_odds), "cy": np.round(expit(-log_odds / 3), 1)}
    return replace(some, scores=some.scores | turned, weight=_weights(rng, some.y) if rng.random() < 0.5 else None)


def _alone(rng):
    """Draw the good model of a clear choice, and no other."""
    some = _clear(rng)
    return replace(some, scores={"ann": some.scores["ann"]})


def _harmful(rng):
    """Draw one model or two that score the negatives higher."""
    some = _clear(rng)
    number = int(rng.integers(1, 3))
    return replace(some, scores={name: 1 - some.scores["ann"] ** (k + 1) for k, name in enumerate(NAMES[:number])})


def _one_class(rng):
    some = _any(rng)
    return replace(some, y=np.full(len(some.y), int(rng.integers(2))))


def _extreme(rng):
    """Models that act on no one, on everyone, or nearly so."""
    some = _any(rng, cases=int(rng.integers(50, 120)), shape=str(rng.choice(["at", "uniform", "log-odds"])))
    (low, high), cases = some.costs.ends, len(some.y)
    few = np.where(np.arange(cases) < rng.integers(1, 4), (high + 1) / 2, low * 0.5)
    scores = {
        "ann": low * rng.uniform(0, 0.99, cases),
        "bo": high + (1 - high) * rng.random(cases),
        "cy": rng.permutation(few),
        "di": rng.permutation(1 - few if high < 0.5 else np.where(few < low, (high + 1) / 2, low / 2)),
    }
    chosen = rng.permutation(list(scores))[: int(rng.integers(3, 5))]
    return replace(some, scores={str(name): scores[name] for name in sorted(chosen)})


def _off(rng):
    """Scores that expect too many or too few, so that a correction or a recalibration helps."""
    some = _any(rng, cases=int(rng.integers(40, 160)))
    y, log_odds = _risks(rng, len(some.y))
    number = int(rng.integers(1, 4))
    scores = {
        name: _scores(rng, log_odds, rng.uniform(0.1, 1.2), rng.choice([-2, -1, 1.5, 3])) for name in NAMES[:number]
    }
    if number > 1 and rng.random() < 0.4:
        scores["ann"] = _scores(rng, log_odds, 1.0, 0.0)
    return replace(some, y=y, scores=scores, weight=_weights(rng, y) if rng.random() < 0.4 else None)


def _folded(rng):
    """Recalibration that is judged on other cases."""
    some = _off(rng) if rng.random() < 0.6 else _any(rng, cases=int(rng.integers(30, 90)))
    weight = None if some.weight is None else some.weight + 0.01
    return replace(some, folds=int(rng.integers(2, 5)), weight=weight)


def _calibrated(rng):
    """Draw models that recalibration spoils, as it has few cases to learn from."""
    y, log_odds = _risks(rng, int(rng.integers(20, 60)))
    scores = {"ann": expit(log_odds), "bo": expit(log_odds / 2)}
    return Scenario(y, scores, _costs(rng), folds=int(rng.integers(2, 5)))


def _elsewhere(rng):
    """Another prevalence, as a number or a range."""
    some = _any(rng, cases=int(rng.integers(10, 60)))
    low, high = sorted(rng.uniform(0.01, 0.9, 2))
    one = Believed("at", float(low))
    shape = str(rng.choice(["uniform", "log-odds"]))
    some = replace(some, stated=one if rng.random() < 0.7 else Believed(shape, float(low), float(high)))
    return some if some.stated.shape == "at" else replace(some, scores=dict(list(some.scores.items())[:2]))


def _limited(rng):
    """Limits that bind, bite, or cannot be kept."""
    some = _any(rng, cases=int(rng.integers(8, 60)), number=int(rng.integers(1, 3)))
    capacity = float(rng.choice([0.01, 0.05, 0.2, 0.5, rng.uniform(0.02, 0.7)])) if rng.random() < 0.7 else None
    precision = float(rng.choice([0.3, 0.6, 0.95, 1])) if capacity is None or rng.random() < 0.4 else None
    scores = dict(some.scores)
    if rng.random() < 0.5:
        scores["ann"] = np.round(rng.random(len(some.y)), 1)
    if rng.random() < 0.2:
        scores["ann"] = np.where(scores["ann"] > 0.4, 0.5, 0.1)
    stated = Believed("at", float(rng.uniform(0.02, 0.6))) if rng.random() < 0.2 else None
    return replace(some, capacity=capacity, precision=precision, scores=scores, stated=stated, group=None)


def _not_worth_acting(rng):
    """Draw limits that thresholds meet, and models that no threshold makes worth using."""
    some = _any(rng, cases=int(rng.integers(10, 60)), number=int(rng.integers(1, 3)), shift=-1.5)
    low = float(rng.uniform(0.5, 0.8))
    scores = {name: expit(rng.normal(size=len(some.y)) - some.y) for name in some.scores}
    costs = Believed(str(rng.choice(["at", "uniform", "log-odds"])), low, 0.9)
    return replace(some, scores=scores, costs=costs, capacity=float(rng.uniform(0.4, 0.9)), group=None)


def _limited_without_cases(rng):
    some = _limited(rng)
    return replace(some, tables=True, weight=None, group=None, cluster=None)


def _limited_and_folded(rng):
    some = _limited(rng)
    y, log_odds = _risks(rng, 60)
    weight = _weights(rng, y) + 0.01 if rng.random() < 0.3 else None
    return replace(
        some, y=y, scores=_models(rng, log_odds, 2), weight=weight, cluster=None, folds=int(rng.integers(2, 5))
    )


def _without_cases(rng):
    some = _useless(rng) if rng.random() < 0.5 else _any(rng)
    weight = None if some.weight is None else np.ceil(some.weight)
    return replace(some, tables=True, group=None, cluster=None, weight=weight)


def _grouped(rng):
    """Draw groups, of which one may fare worse or have one class only."""
    cases = int(rng.integers(60, 240))
    y, log_odds = _risks(rng, cases)
    group = rng.choice(["north", "south", "west", "east"], cases, p=[0.5, 0.25, 0.2, 0.05])
    y = np.where((group == "east") & (rng.random() < 0.6), int(rng.integers(2)), y)
    if rng.random() < 0.2:
        group, y = np.repeat(["north", "south"], cases), np.tile(y, 2)
        log_odds, cases = np.tile(log_odds, 2), 2 * cases
    weight = _weights(rng, y) if rng.random() < 0.4 else None
    scores = {"ann": _scores(rng, log_odds, 0.3), "bo": _scores(rng, log_odds, 1.0)}
    if rng.random() < 0.6:
        log_odds = 4.0 * (2 * y - 1)
        right = expit(np.where(group == "south", -1, 1) * log_odds + rng.normal(size=cases))
        scores["ann"] = right
    return Scenario(y, scores, _costs(rng), weight=weight, group=group)


def _gaps(rng):
    """Scores that are missing, each model's elsewhere."""
    some = _any(rng, cases=int(rng.integers(20, 80)))
    scores = {name: np.where(rng.random(len(some.y)) < 0.05, np.nan, score) for name, score in some.scores.items()}
    weight = None if some.weight is None else some.weight + 0.5
    return replace(some, scores=scores, weight=weight)


def _framed(rng):
    """Draw columns of a frame, of which some outcomes, weights and scores are missing."""
    some = _gaps(rng)
    unknown = (rng.random(len(some.y)) < 0.05) & ~np.any([np.isnan(score) for score in some.scores.values()], axis=0)
    return replace(some, unknown=unknown, framed=True, cluster=None)


def _few(rng):
    """Hardly a positive, or hardly a negative, with weights that hide it."""
    cases = int(rng.integers(6, 60))
    y, log_odds = _risks(rng, cases, shift=float(rng.choice([-4, 4])))
    weight = _weights(rng, y) if rng.random() < 0.7 else None
    cluster = rng.integers(0, 5, cases) if rng.random() < 0.6 else None
    return Scenario(y, _models(rng, log_odds, 2), _costs(rng), weight=weight, cluster=cluster)


def _heavy(rng):
    """Draw many cases of which a few have most of the weight."""
    some = _any(rng, cases=int(rng.integers(40, 120)), shift=float(rng.uniform(-1, 1)))
    return replace(some, weight=rng.exponential(size=len(some.y)) ** 4 + 0.001)


def _named_like_references(rng):
    some = _any(rng, number=2)
    return replace(some, scores={"act on everyone": some.scores["ann"], "act on no one": some.scores["bo"]})


def _differing(rng):
    """Draw groups of other prevalences, in one of which the order of the models turns, and labels that are missing."""
    cases = int(rng.integers(300, 500))
    group = rng.choice(["north", "south"], cases)
    log_odds = rng.normal(size=cases) + np.where(group == "north", 0.3, -1.2)
    y = (rng.random(cases) < expit(log_odds)).astype(int)
    noise = np.where(group == "south", 0.2, 3.0), np.where(group == "south", 3.0, 0.2)
    scores = {
        name: expit(log_odds + one * rng.normal(size=cases)) for name, one in zip(("ann", "bo"), noise, strict=True)
    }
    labels = group.astype(object)
    labels[rng.random(cases) < rng.choice([0.02, 0.15])] = None
    cluster = np.arange(cases) // 2 if rng.random() < 0.3 else None
    weight = _weights(rng, y) if rng.random() < 0.2 else None
    return Scenario(y, scores, Believed("at", 0.3), weight=weight, group=labels, cluster=cluster)


def _repeated(rng):
    """Draw cases that have been predicted several times."""
    some, repeats = _any(rng, number=int(rng.integers(1, 4))), int(rng.integers(2, 4))
    shaken = {
        name: np.concatenate([np.clip(one + 0.1 * rng.normal(size=len(one)), 0, 1) for _ in range(repeats)])
        for name, one in some.scores.items()
    }
    return replace(some, scores=shaken, repeats=repeats)


def _validated(rng):
    """Draw procedures that count, and one that knows all along, with folds that leave both classes to fit on."""
    some = _any(rng, cases=int(rng.integers(30, 90)), number=1)
    cases, repeats, folds = len(some.y), int(rng.integers(1, 4)), int(rng.integers(2, 6))
    unit = np.arange(cases) if some.cluster is None else some.cluster
    while True:
        fold = np.array([rng.integers(0, folds, cases)[unit] for _ in range(repeats)])
        left = [some.y[each != one] for each in fold for one in range(folds)]
        if all(len(np.unique(each)) == folds for each in fold) and all(0 < y.sum() < len(y) for y in left):
            break
    seen = np.column_stack([rng.integers(0, 12, cases) + 4 * some.y, next(iter(some.scores.values()))])
    kinds = [("shares", 0.5), ("bold", 1.0), ("known", 1.0), ("shares", 30.0)]
    procedures = dict(zip(NAMES, (kinds[k] for k in rng.permutation(4)[: rng.integers(1, 5)]), strict=False))
    weight = None if some.weight is None else some.weight + 0.1
    scores = {name: _out_of_fold(one, seen, some.y, weight, fold) for name, one in procedures.items()}
    drawn = {"fold": fold, "seen": seen, "procedures": procedures, "repeats": repeats}
    return replace(some, scores=scores, weight=weight, **drawn)


def _out_of_fold(procedure, seen, y, weight, fold):
    """Predict each case in each repeat by what was fitted to the other folds."""
    weight = np.ones(len(y)) if weight is None else weight
    score = np.empty(fold.shape)
    for each, row in zip(fold, score, strict=True):
        for one in np.unique(each):
            out = each == one
            row[out] = fitted(procedure, seen[~out], y[~out], weight[~out], seen[out])
    return score.ravel()


def _with_baseline(rng):
    """Draw models that are compared with one of them, or with a reference, under limits or without."""
    some = _clear(rng) if rng.random() < 0.5 else _limited(rng) if rng.random() < 0.3 else _any(rng, number=3)
    return replace(some, baseline=str(rng.choice([*some.scores, "act on no one"])))


def _baseline_alike(rng):
    """Draw models of which one costs as much as the baseline, with cases or as tables."""
    some = _without_cases(rng) if rng.random() < 0.5 else _any(rng)
    scores = {"ann": some.scores["ann"], "bo": some.scores["ann"], "cy": rng.random(len(some.y))}
    return replace(some, scores=scores, baseline="bo")


def _baseline_of_tables(rng):
    some = _without_cases(rng)
    return replace(some, scores=some.scores | {"di": rng.random(len(some.y))}, baseline="di")


FAMILIES = {
    "any": _any,
    "weighted": _weighted,
    "one point": _one_point,
    "crossing": _crossing,
    "turning": _turning,
    "on the edge": _on_the_edge,
    "clear": _clear,
    "tied": _tied,
    "useless": _useless,
    "backwards": _backwards,
    "alone": _alone,
    "harmful": _harmful,
    "one class": _one_class,
    "extreme": _extreme,
    "off": _off,
    "folded": _folded,
    "calibrated": _calibrated,
    "elsewhere": _elsewhere,
    "limited": _limited,
    "not worth acting": _not_worth_acting,
    "limited without cases": _limited_without_cases,
    "limited and folded": _limited_and_folded,
    "without cases": _without_cases,
    "grouped": _grouped,
    "differing groups": _differing,
    "gaps": _gaps,
    "few": _few,
    "heavy": _heavy,
    "framed": _framed,
    "repeated": _repeated,
    "validated": _validated,
    "named like references": _named_like_references,
    "with a baseline": _with_baseline,
    "like the baseline": _baseline_alike,
    "baseline of tables": _baseline_of_tables,
}

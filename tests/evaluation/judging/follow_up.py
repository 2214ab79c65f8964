"""Judges of what is said about follow-up: each number again from the definitions, by loops over the cases."""

import math
from dataclasses import dataclass, field

import numpy as np
from scipy.stats import chi2


@dataclass
class FollowedWorld:
    """Cases that were not all followed, as their judges see them."""

    time: np.ndarray
    event: np.ndarray  # 0 left, 1 the event, 2 another
    horizon: float
    scores: dict
    weight: np.ndarray
    stratum: np.ndarray
    asked: dict = field(default_factory=dict)  # further arguments of the evaluation

    @property
    def entered_late(self):
        return self.asked.get("entry", np.zeros(len(self.time))) >= self.horizon

    @property
    def unknown(self):
        return (self.event == 0) & (self.time < self.horizon) | self.entered_late

    def censoring_weights(self, horizon, weight):
        """One over the chance of being followed until just before the end, by product over the times before it."""
        if "given" in self.asked:
            return np.where(self.unknown, 0.0, 1 / self.asked["given"])
        if "entry" in self.asked:
            return self._shares_of_all(weight)
        found = np.zeros(len(self.time))
        for i in range(len(self.time)):
            if self.event[i] == 0 and self.time[i] < horizon:
                continue
            mine = self.stratum == self.stratum[i]
            staying = 1.0
            for moment in np.unique(self.time[mine & (self.event == 0)]):
                if moment < min(self.time[i], horizon):
                    leave = weight[mine & (self.time == moment) & (self.event == 0)].sum()
                    risk = leave + weight[mine & (self.time > moment)].sum()
                    staying *= 1 - leave / risk
            found[i] = 1 / staying
        return found

    def _shares_of_all(self, weight):
        """Return what Aalen and Johansen give each case, by risk sets of those who entered and did not yet leave."""
        end, free = np.minimum(self.time, self.horizon), {}
        for moment in np.unique(end):
            risk = weight[(self.asked["entry"] < moment) & (self.time >= moment)].sum()
            before = max((one for one in free if one < moment), default=None)
            share = 1.0 if before is None else free[before][1]
            had = weight[(self.time == moment) & (self.event > 0)].sum()
            free[moment] = weight.sum() * share / risk if risk else 0.0, share * (1 - had / risk) if risk else share
        return np.array([0.0 if self.unknown[i] else free[end[i]][0] for i in range(len(end))])

    @property
    def mass(self):
        return self.weight * self.censoring_weights(self.horizon, self.weight)

    @property
    def risk(self):
        mass = self.mass
        return mass @ ((self.event == 1) & (self.time <= self.horizon)) / mass.sum()

    def auc(self, model):
        """Return the weighted share of pairs in order."""
        mass, score = self.mass, self.scores[model]
        had = (self.event == 1) & (self.time <= self.horizon)
        wins = total = 0.0
        for i in np.flatnonzero(had & (mass > 0)):
            others = ~had & (mass > 0)
            pairs = mass[i] * mass[others]
            total += pairs.sum()
            wins += pairs @ ((score[i] > score[others]) + 0.5 * (score[i] == score[others]))
        return wins / total if total else math.nan

    def mean_score(self, model):
        return self.weight @ self.scores[model] / self.weight.sum()

    def chance(self, model):
        """Return the p-value of the check of scores, with moves by differences of each weight up and down."""
        distinct = np.unique(self.scores[model])
        before = [self.weight[self.scores[model] < one].sum() / self.weight.sum() for one in distinct]
        fifth = np.array([min(int(5 * before[np.searchsorted(distinct, one)]), 4) for one in self.scores[model]])
        groups = np.unique(fifth)[:-1]
        if not self.unknown.any() or not len(groups):
            return math.nan

        def apart(weight):
            mass = weight * self.censoring_weights(self.horizon, weight)
            inside = fifth == groups[:, None]
            return inside @ mass / mass.sum() - inside @ weight / weight.sum()

        moves, step = [], 1e-5
        for i in range(len(self.time)):
            up, down = self.weight.copy(), self.weight.copy()
            up[i] *= 1 + step
            down[i] *= 1 - step
            moves.append((apart(up) - apart(down)) / (2 * step))
        moves = np.array(moves)
        variance, found = moves.T @ moves, apart(self.weight)
        return float(chi2.sf(found @ np.linalg.pinv(variance) @ found, np.linalg.matrix_rank(variance, tol=1e-9)))


def _percent(share):
    return 100 * float(share)


def _number(text):
    return float(text.removesuffix("%").replace(",", "").replace("<", "").replace(">", ""))


def said_left_differ(values, world, names):
    assert "entry" not in world.asked  # those who entered differ from all
    chances = [world.chance(model) for model in names]
    assert max(chances) < 0.01
    shown = values["p"].split()[-1]
    assert max(chances) < 0.001 if values["p"] == "p < 0.001" else abs(float(shown) - max(chances)) < 1e-3


def said_like_survival(values, world, names):
    (model,) = names
    assert abs(_number(values["mean"]) - _percent(world.mean_score(model))) < 0.51
    assert abs(_number(values["free"]) - _percent(1 - world.risk)) < 0.51
    assert abs(float(values["auc"]) - world.auc(model)) < 0.0051


def said_mostly_unknown(values, world, _):
    unknown, cases = int(world.unknown.sum()), len(world.time)
    assert (int(values["unknown"]), int(values["known"]), int(values["cases"])) == (unknown, cases - unknown, cases)
    assert abs(_number(values["share"]) - 100 * unknown / cases) < 0.51
    assert unknown > cases / 2
    assert not world.entered_late.any()


def said_mostly_unknown_late(values, world, _):
    left = (world.event == 0) & (world.time < world.horizon)
    unknown, cases = int((left | (world.asked["entry"] >= world.horizon)).sum()), len(world.time)
    assert (int(values["unknown"]), int(values["known"]), int(values["cases"])) == (unknown, cases - unknown, cases)
    assert abs(_number(values["share"]) - 100 * unknown / cases) < 0.51
    assert unknown > cases / 2
    assert world.entered_late.any()


def said_horizon_far(values, world, _):
    least = 1 / world.censoring_weights(world.horizon, world.weight).max()
    assert abs(_number(values["least"]) - 100 * least) < 0.51
    longest = float(values["longest"])
    assert float(values["horizon"]) == world.horizon
    here = [1 / world.censoring_weights(t, world.weight).max() for t in (longest, longest + 1e-6)]
    assert here[0] >= 0.1 > here[1] or math.isclose(longest, world.horizon, rel_tol=1e-5)


def said_heavy_case(values, world, _):
    mass = world.mass
    assert abs(_number(values["share"]) - 100 * mass.max() / mass.sum()) < 0.51
    assert abs(float(values["effective"]) - mass.sum() ** 2 / (mass @ mass)) < 0.051
    assert mass.max() > 2 * mass.sum() / len(mass)
    assert ("unequal weights" in values["why"]) == (len(set(world.weight)) > 1)
    assert ("unequal chances of being followed" in values["why"]) == world.unknown.any()


def said_other_events(values, world, names):
    (model,) = names
    threshold = values["threshold"]
    alarm = world.scores[model] >= (_number(threshold) / 100 if "%" in threshold else float(threshold))
    other = (world.event == 2) & (world.time <= world.horizon)
    mass = world.mass
    assert abs(int(values["count"]) - 100 * mass[alarm & other].sum() / mass[alarm].sum()) < 0.51


def said_elsewhere(values, world, _):
    assert ((world.event == 2) & (world.time <= world.horizon)).any()
    assert values == {}


def said_near_horizon(values, world, _):
    apart = [abs(time - world.horizon) for time in world.time]
    assert int(values["count"]) == sum(0 < one < 1.001e-9 * max(1, world.horizon) for one in apart)


JUDGES = {
    "left-differ": said_left_differ,
    "like-survival": said_like_survival,
    "mostly-unknown": said_mostly_unknown,
    "horizon-far": said_horizon_far,
    "mostly-unknown-late": said_mostly_unknown_late,
    "seldom-observed": lambda values, world, _: said_seldom(values, world),
    "horizon-far-unsaid": lambda values, world, _: said_least_alone(values, world),
    "heavy-case": said_heavy_case,
    "other-events": said_other_events,
    "other-events-elsewhere": said_elsewhere,
    "near-horizon": said_near_horizon,
}


def said_least_alone(values, world):
    given = world.asked["given"]
    assert abs(_number(values["least"]) - 100 * given[~world.unknown].min()) < 0.51


def said_seldom(values, world):
    assert abs(_number(values["least"]) - 100 / world.censoring_weights(world.horizon, world.weight).max()) < 0.51


def must_be_said(world):
    """Return the kinds that must be said of a sample, whatever else is."""
    mass, cases = world.mass, len(world.time)
    late = "entry" in world.asked
    unknown, far = ("mostly-unknown-late", "seldom-observed") if late else ("mostly-unknown", "horizon-far")
    kinds = {unknown} if world.unknown.sum() > cases / 2 else set()
    kinds |= {far} if world.censoring_weights(world.horizon, world.weight).max() > 10 + 1e-9 else set()
    heavy = max(0.05, 2 / cases) * (1 + 1e-9)
    kinds |= {"heavy-case"} if mass.max() > heavy * mass.sum() else set()
    return kinds

"""Judges of what is said about a budget: whom it lets a model act on, one case after another, from the definitions."""

import re
from dataclasses import dataclass

import numpy as np
from evaluation.judging.sentences import is_said, read_number


@dataclass
class BudgetWorld:
    """Cases with costs and efforts of their own, as their judges see them; multiples are ranges of what is stated."""

    y: np.ndarray
    scores: dict
    weight: np.ndarray
    costs: dict  # of each outcome of a decision, by case
    effort: np.ndarray
    budget: float  # for each case
    miss: tuple = (1.0, 1.0)
    alarm: tuple = (1.0, 1.0)

    @property
    def is_range(self):
        return self.miss[0] < self.miss[1] or self.alarm[0] < self.alarm[1]

    @property
    def mean(self):
        return sum(self.miss) / 2, sum(self.alarm) / 2

    def mistakes(self, case):
        """Return what leaving and acting lose beside the other action, if negative and if positive."""
        miss, alarm, hit, rest = (self.costs[k][case] for k in ("miss", "alarm", "hit", "rest"))
        more = alarm - rest, hit - miss  # what acting costs more than leaving
        return [(max(-d, 0.0), max(d, 0.0)) for d in more]

    def gain(self, model, case, miss, alarm):
        """Return what acting on a case is expected to gain."""
        p, total = self.scores[model][case], 0.0
        for chance, (leaving, acting) in zip((1 - p, p), self.mistakes(case), strict=True):
            total += chance * (miss * leaving - alarm * acting)
        return total

    def worth(self, model, miss=None, alarm=None):
        """Return the gain of each case per unit of its effort, at the mean unless said otherwise."""
        mean = self.mean
        miss, alarm = mean[0] if miss is None else miss, mean[1] if alarm is None else alarm
        return np.array([self.gain(model, k, miss, alarm) / self.effort[k] for k in range(len(self.y))])

    def spent(self, acts):
        return (self.weight * self.effort)[acts].sum() / self.weight.sum()

    def acted_on(self, model):
        """Act on cases by their worth, those worth the same together, until one does not gain or is too dear."""
        worth, acts = self.worth(model), np.zeros(len(self.y), bool)
        here = self.weight > 0
        for least in sorted({one for one in worth[here] if one >= 0}, reverse=True):
            more = here & (worth >= least)
            if self.spent(more) > self.budget * (1 + 1e-9):
                return acts, False
            acts = more
        return acts, True

    def price(self, model):
        """Return the least worth of those acted on, and the largest of the others."""
        acts, _ = self.acted_on(model)
        worth, left = self.worth(model), (self.weight > 0) & ~acts
        return min(worth[acts], default=np.inf), max(worth[left], default=-np.inf)

    def charged(self, model):
        """Return a price of effort that lets it act on just those: theirs, or a little more than that of the best."""
        acts, enough = self.acted_on(model)
        least, others = self.price(model)
        return 0.0 if enough else least if acts.any() else others * (1 + 1e-11)

    def at_ends(self, model, price):
        """Return what is spent where acting costs most, and where it costs least, at a price of effort."""
        ends = (self.miss[0], self.alarm[1]), (self.miss[1], self.alarm[0])
        return [self.spent((self.weight > 0) & (self.worth(model, *end) >= price * (1 - 1e-12))) for end in ends]

    def cost(self, model, price):
        """Return the mean cost of mistakes over the multiples, where acting must gain a price for each effort."""
        total = 0.0
        for k in np.flatnonzero(self.weight > 0):
            leaving, acting = self.mistakes(k)[int(self.y[k])]
            total += self.weight[k] * self._mean_cost(model, k, price, leaving, acting)
        return total / self.weight.sum()

    def _mean_cost(self, model, case, price, leaving, acting):
        """Return what a case costs on average; on either side of the multiple where it is left, costs are linear."""

        def at(share):
            return [low + share * (high - low) for low, high in (self.miss, self.alarm)]

        def net(share):
            return self.gain(model, case, *at(share)) - price * self.effort[case]

        def paid(share, acts):
            miss, alarm = at(share)
            return alarm * acting if acts else miss * leaving

        slack = 1e-12 * (abs(price) * self.effort[case] + 1e-300)
        first, last = net(0.0), net(1.0)
        if (first >= -slack) == (last >= -slack):
            return paid(0.5, first >= -slack)
        turn = first / (first - last)
        return turn * paid(turn / 2, first >= -slack) + (1 - turn) * paid((1 + turn) / 2, last >= -slack)


def _number(values, place, number):
    """Demand that a number is printed, rounded to four digits or to cents."""
    said, reach = read_number(values[place])
    reach = max(reach, 0.5 * 10.0 ** (np.floor(np.log10(abs(number))) - 3)) if number else reach
    assert abs(said - number) <= reach * (1 + 1e-6), f"{place} is {number:.9g}, not {values[place]}"


def _effort(values, numbers, world, model):
    acts, _ = world.acted_on(model)
    _number(values, "effort", world.spent(acts))
    _number(values, "budget", world.budget)
    assert world.spent(acts) <= world.budget * (1 + 1e-9)
    assert abs(numbers["effort"] - world.spent(acts)) <= 1e-9 * world.budget


def _over_range(values, numbers, world, model):
    assert world.is_range
    for place, spent in zip(("least", "most"), world.at_ends(model, numbers["price"]), strict=True):
        _number(values, place, spent)


def judge_price(values, numbers, world):
    model = values["model"]
    assert not world.acted_on(model)[1], "the budget is enough"
    least, others = world.price(model)
    price = numbers["price"]
    assert others < price * (1 + 1e-12), f"a case worth {others:.9g} is left"
    assert price <= least * (1 + 1e-12), f"a case worth {least:.9g} is acted on"
    said = float(values["price"])
    assert said <= price * (1 + 1e-12), "a case worth the price reads as worth less"
    assert price < said * 1.001 * (1 + 1e-12), "more than the fourth digit was cut off"
    _effort(values, numbers, world, model)


def judge_price_once(values, numbers, world):
    assert not world.is_range
    assert world.acted_on(values["model"])[0].any()
    judge_price(values, numbers, world)


def judge_price_over_range(values, numbers, world):
    judge_price(values, numbers, world)
    _over_range(values, numbers, world, values["model"])
    assert float(values["most"]) > 0


def judge_enough(values, numbers, world):
    assert not world.is_range
    assert world.acted_on(values["model"])[1], "the budget limits it"
    _effort(values, numbers, world, values["model"])


def judge_enough_over_range(values, numbers, world):
    assert world.acted_on(values["model"])[1], "the budget limits it"
    assert numbers["price"] == 0
    _effort(values, numbers, world, values["model"])
    _over_range(values, numbers, world, values["model"])


def judge_too_small(values, numbers, world):
    model = values["model"]
    worth, here = world.worth(model), world.weight > 0
    _number(values, "budget", world.budget)
    assert abs(numbers["price"] / world.charged(model) - 1) < 1e-8
    assert not any(world.at_ends(model, world.charged(model))), "at some cost it acts"
    best = here & (worth == worth[here].max())
    assert worth[best].min() >= 0
    assert world.spent(best) > world.budget, "those worth most can be afforded"


def judge_cost(values, numbers, world):
    """Judge who is meant, what its budget costs, and that both numbers are of the same unit."""
    model, prices = values["model"], {name: world.charged(name) for name in world.scores}
    limited = {name: world.cost(name, price) for name, price in prices.items()}
    free = world.cost(model, 0.0)
    assert limited[model] <= min(limited.values()) * (1 + 1e-9), f"{min(limited, key=limited.get)} costs less"
    extra, unit = values["extra"].split(" ", 1)
    per = int(re.fullmatch(r"in money per ([0-9,]+) cases", unit)[1].replace(",", ""))
    assert is_said(extra, per * (limited[model] - free)), f"the budget costs {per * (limited[model] - free):.9g}"
    assert is_said(values["regret"], per * free), f"without it, it costs {per * free:.9g}"
    assert abs(numbers["extra"] - (limited[model] - free)) <= 1e-9 * limited[model]
    assert limited[model] > free


JUDGES = {
    "budget-price": judge_price_once,
    "budget-price-range": judge_price_over_range,
    "budget-enough": judge_enough,
    "budget-enough-range": judge_enough_over_range,
    "budget-too-small": judge_too_small,
    "budget-cost": judge_cost,
}


def must_be_said(world):
    """Return for each model whether its budget is said to be enough, and whether what it costs must be said."""
    enough = {name: world.acted_on(name)[1] for name in world.scores}
    limited = {name: world.cost(name, world.charged(name)) for name in world.scores}
    best = min(limited, key=limited.get)
    return enough, limited[best] > 1.01 * world.cost(best, 0.0)

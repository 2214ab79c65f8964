"""The judges: one for each kind of finding, which takes the sentence at its word and computes its claim again."""

import itertools
import math
import re
from decimal import Decimal

import numpy as np
from evaluation.judging import plain
from evaluation.judging.bands import difference_at, plain_band
from evaluation.judging.plain import Believed, expit, logit
from evaluation.judging.sentences import is_said, read_number
from evaluation.judging.world import EVERYONE, NEARLY, NO_ONE, spread

JUDGES = {}


def judge(*kinds):
    """Register the judge of some kinds."""

    def register(judging):
        JUDGES.update(dict.fromkeys(kinds, judging))
        return judging

    return register


def _told_apart(said, world, difference, error):
    """Judge the interval of a difference, and that a sentence claims the difference just where it is above 0.

    The interval holds the estimate, and is as wide as chance makes it, within a factor of a few.
    """
    (low, below), (high, above) = map(read_number, (said["lower"], said["upper"]))
    reach = max(below, above)
    said.percent("level", world.asked.level)
    middle, usual = said.in_print(difference), 2 * world.z * said.in_print(error)
    # Where thresholds are chosen on the same cases, the interval makes up for that, and may leave the estimate out.
    beside = (high - low) / 2 if world.asked.limited and world.asked.folds is None else 0.0
    said.holds(low - reach - beside <= middle <= high + reach + beside, f"the interval holds {middle:.9g}")
    if math.isfinite(error):
        said.holds(high - low + 2 * reach > usual / 3, f"the interval is {usual:.9g} wide")
        said.holds(high - low - 2 * reach < 4 * usual + said.in_print(0.2), f"the interval is {usual:.9g} wide")
    if said.kind.endswith("-close"):
        said.holds(low <= 0 <= high, "the interval holds 0")
    else:
        said.holds(low > 0 and said.numbers["lower"] > 0, "the interval does not hold 0")


# ------------------------------------------------------------------------------------------- who is best


def _cheapest(said, cost, name, why="costs least"):
    """Demand that none, reference or model, costs less than a name."""
    least = min(cost, key=cost.get)
    said.holds(
        cost[name] <= cost[least] + NEARLY, f"{least} costs {said.in_print(cost[name] - cost[least]):.3g} less; {why}"
    )


def _without(cost, name):
    return {other: cost[other] for other in cost if other != name}


@judge(
    *("best", "best-close", "best-unsure", "best-tied"),
    *("best-reference", "best-reference-close", "best-reference-unsure"),
)
def best(said, world):
    said.where()
    first, second, cost = said.name("best"), said.name("second"), world.ranked
    _cheapest(said, cost, first)
    if "reference" in said.kind:
        said.holds(first in (EVERYONE, NO_ONE), "it needs no model")
        _cheapest(said, {name: cost[name] for name in world.models}, second, "the best model")
    else:
        _cheapest(said, _without(cost, first), second, "costs least of the others")
    difference = cost[second] - cost[first]
    said.amount("regret", cost[first])
    said.holds(said["verb"] == "costs as much as", "a cost is no number of mistakes")
    said.holds((difference <= NEARLY) == (said.kind == "best-tied"), f"they differ by {said.in_print(difference):.3g}")
    if said.kind != "best-tied":
        said.amount("second_regret", cost[second])
    if said.kind.endswith("-unsure"):
        said.holds(world.asked.tables or len(set(world.units)) < 2, "cases have intervals")
    elif said.kind != "best-tied":
        _told_apart(said, world, difference, world.spread_of_difference(second, first))


# ------------------------------------------------------------------------------------------- the answer


def _instruction(said, world, place):
    """Return who is meant by a name, or by what to do without a model."""
    text, references = said[place], {"act on everyone": EVERYONE, "act on no one": NO_ONE}
    return references[text] if text in references and text not in world.models else said.name(place)


@judge("use", "use-either", "use-tied", "use-unsure", "worth-using", "use-none", "use-none-close", "use-none-unsure")
def use(said, world):
    cost, none = world.ranked, "none" in said.kind
    first = _instruction(said, world, "reference" if none else "best")
    said.unread -= {"reference", "second"}
    _cheapest(said, cost, first)
    said.holds(none == (first in (EVERYONE, NO_ONE)), "a model is used, or none")
    others = {name: cost[name] for name in world.models} if none else _without(cost, first)
    second = min(others, key=others.get)
    if said.kind in ("use-either", "use-tied", "use-none-close"):
        named = _instruction(said, world, "second")
        _cheapest(said, others, named, "costs least of the others")
        second = named
    difference, error = cost[second] - cost[first], world.spread_of_difference(second, first)
    said.holds((said.kind == "worth-using") <= (len(world.models) == 1), "there is a choice")
    said.holds((difference <= NEARLY and not none) == (said.kind == "use-tied"), "they cost the same")
    if said.kind == "use-tied" and second not in world.references:
        said.holds(
            min(cost[one] for one in world.references) > cost[first] + NEARLY, "none is as cheap without a model"
        )
    if said.kind.endswith(("-either", "-close")):
        said.holds(said["unit"] == f"misses per {world.cases_in_print:,} cases", "its unit")
        _between(said, world, difference)
    if said.kind in ("use", "worth-using", "use-none") and math.isfinite(error):
        said.holds(difference > error, f"the difference is {difference / error:.3g} standard errors")
    if said.kind.endswith("-unsure"):
        said.holds(world.asked.tables or len(set(world.units)) < 2, "cases have intervals")


def _between(said, world, difference):
    """Judge that an interval holds the estimate and 0."""
    (low, below), (high, above) = map(read_number, (said["lower"], said["upper"]))
    beside = (high - low) / 2 if world.asked.limited and world.asked.folds is None else 0.0
    reach = max(below, above) + beside
    said.holds(low - reach <= said.in_print(difference) <= high + reach, "the interval holds the estimate")
    said.holds(low <= 0 <= high, "the interval holds 0")


@judge("not-worth-using")
def not_worth_using(said, world):
    reference, model = _instruction(said, world, "reference"), said.name("second")
    said.holds(world.models == [model], "it is the only model")
    _cheapest(said, world.ranked, reference)
    said.holds(reference in (EVERYONE, NO_ONE), "it needs no model")


class Thresholds:
    """What every threshold of a model costs where it is used, case by case; scores are as given."""

    def __init__(self, world, name):
        own, self._asked, self._costs = world.sample(name), world.asked, world.costs
        self.score = own.score
        sample = own if world.stated is None else plain.moved(own, world.stated.mean, correct=False)
        self._share = sample.weight / sample.weight.sum()
        self._positive = sample.y == 1
        there, here = sample.prevalence, own.prevalence
        self._back = here / (1 - here) * (1 - there) / there

    def as_given(self, cost):
        """Return the score that is this cost once corrected for the prevalence."""
        return self._back * cost / (1 - cost + self._back * cost)

    def mistakes(self, threshold):
        """Return the shares of misses and of false alarms."""
        acts = self.score >= threshold
        return self._share[~acts & self._positive].sum(), self._share[acts & ~self._positive].sum()

    def cost(self, threshold):
        misses, alarms = self.mistakes(threshold)
        return (1 - self._costs.mean) * misses + self._costs.mean * alarms

    def allows(self, threshold):
        acts = self.score >= threshold
        alarms, true = self._share[acts].sum(), self._share[acts & self._positive].sum()
        few = self._asked.capacity is None or alarms <= self._asked.capacity + 1e-9
        return not alarms or (few and (self._asked.precision is None or true / alarms >= self._asked.precision - 1e-9))

    @property
    def best(self):
        """Return the cost at the mean cost itself, or under limits of the best threshold that they allow."""
        if not self._asked.limited:
            aim = self.as_given(self._costs.mean)
            return min(self.cost(aim * (1 - 1e-12)), self.cost(aim * (1 + 1e-12)), key=lambda one: -one)
        return min(self.cost(at) for at in (*self.score, math.inf) if self.allows(at))


def _share_read(text):
    return float(Decimal(text.removesuffix("%")) / 100)


def _does_as_well(said, world, ways, threshold):
    said.holds(ways.allows(threshold), "the limits do not allow it")
    more = ways.cost(threshold) - ways.best
    half = 0.5 * world.cost_of_a_miss / world.cases_in_print
    said.holds(more <= max(0.02 * ways.best, half) + NEARLY, f"it costs {said.in_print(more):.3g} more")


@judge("act-from", "act-from-with")
def act_from(said, world):
    name = said.name("best") if "best" in said.unread else min(world.models, key=world.ranked.get)
    ways, threshold = Thresholds(world, name), _share_read(said["threshold"])
    _cheapest(said, world.ranked, name)
    _does_as_well(said, world, ways, threshold)
    low, high = map(ways.as_given, world.costs.ends)
    if not world.asked.limited and low < high:
        said.holds(low - 1e-12 <= threshold <= high + 1e-12, "it lies beyond the range")


@judge("act-never")
def act_never(said, world):
    ways = Thresholds(world, said.name("best"))
    said.holds(world.asked.limited, "there are limits")
    said.holds(ways.cost(math.inf) <= ways.best + NEARLY, "a threshold costs less")


@judge("one-threshold", "one-threshold-alike", "one-threshold-chosen")
def one_threshold(said, world):
    name = said.name("model")
    ways, threshold = Thresholds(world, name), _share_read(said["threshold"])
    counts = [said[place].partition(" ") for place in ("misses", "false_alarms")]
    for (text, _, what), share, one in zip(counts, ways.mistakes(threshold), ("miss", "false alarm"), strict=True):
        many = "misses" if one == "miss" else "false alarms"
        said.holds(is_said(text, share * world.cases_in_print), f"{one}: {share * world.cases_in_print:.6g}")
        said.holds(what == (one if text == "1" else many), "one or many")
    said.holds(said["per"] == f"per {world.cases_in_print:,} cases", "of so many")
    terms, total = said["sum"].replace(",", "").split(" = ")
    number, reach = read_number(total)
    said.holds(abs(_added(terms) - number) <= reach * (1 + 1e-6), f"it is {_added(terms):.6g}")
    said.holds(is_said(total, said.in_print(ways.cost(threshold))), "what it costs")
    said.holds(
        [text.replace(",", "") for text, _, _ in counts] == re.findall(r"(?:^|\+ )([\d.]+)", terms), "the counts"
    )
    if said.kind == "one-threshold":
        said.amount("following", world.ranked[name])
    said.holds((said.kind == "one-threshold-chosen") == world.asked.limited, "it was chosen within limits")
    if said.kind == "one-threshold-alike":
        said.holds(is_said(total, said.in_print(world.ranked[name])), "following the cost is as good")


def _added(terms):
    """Add up "24 + 257/7"."""
    total = 0.0
    for term in terms.split(" + "):
        count, times, factor = re.match(r"([\d.]+)(?:(/| \u00d7 )([\d.]+))?$", term).groups()
        total += float(count) * (1 if times is None else float(factor) if times != "/" else 1 / float(factor))
    return total


@judge("plateau")
def plateau(said, world):
    name = said.name("model")
    ways, (low, high) = Thresholds(world, name), (_share_read(said[end]) for end in ("low", "high"))
    said.holds(low < high and said.numbers["low"] <= low and high <= said.numbers["high"], "the ends")
    for at in (low, high, *(score for score in ways.score if low <= score <= high)):
        _does_as_well(said, world, ways, at)
    exact = said.numbers["low"], said.numbers["high"]
    between = [ways.cost(at) for at in (*exact, *(score for score in ways.score if exact[0] <= score <= exact[1]))]
    said.amount("worst", max(between))


@judge("baseline", "baseline-close", "baseline-unsure", "baseline-tied")
def baseline(said, world):
    said.where()
    model, old, cost = said.name("model"), said.name("baseline"), world.ranked
    said.holds(old == world.baseline, "it is the baseline")
    said.holds(model in world.models and model != old, "it is another model")
    difference = cost[model] - cost[old]
    tied = abs(difference) <= NEARLY
    said.holds(tied == (said.kind == "baseline-tied"), f"they differ by {said.in_print(difference):.3g}")
    if tied:
        return
    said.amount("amount", abs(difference))
    said.holds(said["more"] == ("more" if difference > 0 else "less"), "more or less")
    if said.kind == "baseline-unsure":
        said.holds(world.asked.tables or world.asked.limited or len(set(world.units)) < 2, "cases have intervals")
    else:
        _told_apart(said, world, abs(difference), world.spread_of_difference(model, old))


@judge("worthless", "worthless-close")
def worthless(said, world):
    said.where()
    model, reference, cost = said.name("model"), said.name("reference"), world.ranked
    said.holds(reference in world.references, "the limits allow it")
    said.holds(cost[model] > cost[reference] + NEARLY, "it costs more")
    said.amount("regret", cost[model])
    said.amount("reference_regret", cost[reference])
    _told_apart(said, world, cost[model] - cost[reference], world.spread_of_difference(model, reference))


# ------------------------------------------------------------------------------------------- validation


@judge("validated", "validated-no-gap")
def validated(said, world):
    name = said.name("model")
    cost, apparent = world.ranked[name], world.apparent_cost(name)
    said.amount("validated", cost)
    said.amount("apparent", apparent)
    if said.kind == "validated":
        said.amount("gap", cost - apparent)
        first, second, gap = (
            Decimal(said[place].split()[0].replace(",", "")) for place in ("validated", "apparent", "gap")
        )
        said.holds(first - second == gap, "what is read adds up")
    said.holds((cost > apparent + NEARLY) == (said.kind == "validated"), f"the gap is {cost - apparent:.3g}")
    folds, repeats = len(np.unique(world.asked.fold[0])), world.asked.repeats
    known = f"{folds}-fold cross-validation" + (f", {repeats} repeats" if repeats > 1 else "")
    said.holds(said["how"] == known, f"it was a {known}")


@judge("fit-unchanged")
def fit_unchanged(said, world):
    """Judge that whatever was left out, a case was predicted alike."""
    name = said.name("model")
    seen = world.asked.seen[world.here]
    everyone = plain.fitted(world.asked.procedures[name], seen, world.y, world.weight, seen)
    said.holds(np.abs(world.by_repeat[name] - everyone).max() < 1e-11, "predictions differ")


# ------------------------------------------------------------------------------------------- how much is known


@judge("too-small")
def too_small(said, world):
    first, second, cost = said.name("best"), said.name("second"), world.ranked
    _cheapest(said, cost, first)
    _cheapest(said, _without(cost, first), second, "costs least of the others")
    needed, times = read_number(said["needed"])[0], read_number(said["times"])
    cases = len(world.y)
    said.holds(world.asked.tables or min(np.bincount(world.y, minlength=2)) >= 2, "a class has two cases")
    said.holds(cases * (times[0] - times[1]) * 0.94 <= needed <= cases * (times[0] + times[1]) * 1.06, f"of {cases}")
    said.holds(times[0] >= 1, "there are enough")
    difference = cost[second] - cost[first]
    said.holds(difference > NEARLY, "they are the same")
    usual = (world.z * world.spread_of_difference(second, first) / difference) ** 2
    said.holds(not abs(times[0] - usual) > 0.3 * usual + times[1], f"{usual:.3g} times as many")


@judge("few-clusters")
def few_clusters(said, world):
    said.number("count", len(np.unique(world.units)))


@judge("few")
def few(said, world):
    which = {"positive": 1, "negative": 0}[said["which"]]
    count = np.count_nonzero(world.y == which)
    said.number("count", count)
    said.holds(said["cases_are"] == ("case is" if count == 1 else "cases are"), "one is, two are")
    said.holds(not world.asked.tables, "tables know no cases")


@judge("few-effective")
def few_effective(said, world):
    weight = world.weight[world.y == {"positive": 1, "negative": 0}[said["which"]]]
    said.number("count", len(weight))
    said.number("effective", weight.sum() ** 2 / (weight @ weight))
    said.holds(len(weight) >= (10 if world.asked.limited else 5), "they are few")


@judge("few-weight")
def few_weight(said, world):
    said.holds(world.asked.tables, "there are cases")
    said.number("weight", world.weight[world.y == {"positive": 1, "negative": 0}[said["which"]]].sum())


@judge("one-class")
def one_class(said, world):
    outcome, unseen = {"positive": (1, "false alarms"), "negative": (0, "misses")}[said["which"]]
    said.holds(set(world.y) == {outcome}, "there are others")
    said.holds(said["mistakes"] == unseen, "these are seen")


@judge("wrong-way")
def wrong_way(said, world):
    named = said.names("model")
    areas = {name: world.auc(name) for name in named}
    for name, area in areas.items():
        said.holds(area < 0.5 - 3 * world.auc_of_chance, f"{name} has {area:.3f}, and chance {world.auc_of_chance:.3f}")
    texts = said.numbers_in("auc")
    said.holds(is_said(texts[0], min(areas.values())) and is_said(texts[-1], max(areas.values())), f"AUC {areas}")


@judge("dropped")
def dropped(said, world):
    number = np.count_nonzero(world.without_score)
    said.holds(said["count"] == ("1 case" if number == 1 else f"{number} cases"), f"{number} have no score")


@judge("dropped-other")
def dropped_for_others(said, world):
    number = np.count_nonzero(world.asked.unknown)
    said.holds(said["reasons"] == f"{number} {'case' if number == 1 else 'cases'} without an outcome", f"{number} do")
    said.holds(said.numbers["outcome"] == number, f"{number} have no outcome")


@judge("unpaired")
def unpaired(said, world):
    said.holds(world.asked.tables and len(world.models) > 1, "there are cases")


# ------------------------------------------------------------------------------------------- acting


def _acted_on(world, name, cost):
    sample = world.deployed(name)
    return sample.weight[sample.score >= cost].sum() / sample.weight.sum()


@judge("never-acts", "always-acts")
def simple(said, world):
    said.where()
    name, (low, high) = said.name("model"), world.costs.ends
    score = world.deployed(name).score
    if said.kind == "never-acts":
        said.percent("highest", score.max())
        said.holds(score.max() < low, "it acts at the lowest cost")
    else:
        said.percent("lowest", score.min())
        said.holds(score.min() >= high, "it does not always act at the highest cost")
    like = NO_ONE if said.kind == "never-acts" else EVERYONE
    if world.stated is None:
        said.holds(abs(world.ranked[name] - world.ranked[like]) < NEARLY, f"it costs what {like} costs")


@judge("hardly-acts", "nearly-always-acts")
def nearly(said, world):
    name, (low, high) = said.name("model"), world.costs.ends
    hardly = said.kind == "hardly-acts"
    said.percent("share", _acted_on(world, name, low if hardly else high))
    said.amount("regret", world.ranked[name])
    said.amount("reference_regret", world.ranked[NO_ONE if hardly else EVERYONE])


# ------------------------------------------------------------------------------------------- limits


@judge("limits-unmet")
def limits_unmet(said, world):
    name = said.name("model")
    few_enough, keep = world.kept_to(name)
    said.holds(not keep[1:].any(), "a threshold meets the limits")
    _stated_limits(said, world)
    _, false, true = plain.thresholds(world.deployed(name))
    (text,) = said.numbers_in("closest")
    if few_enough[1:].any():
        precision = max((true / np.maximum(false + true, 1e-300))[1:][few_enough[1:]])
        said.holds("precision" in said["closest"] and is_said(text, 100 * precision), f"precision {precision:.4f}")
    else:
        share = (false + true)[1] / (false + true)[-1]
        said.holds("highest score" in said["closest"] and is_said(text, 100 * share), f"it covers {share:.4f}")


@judge("limits-unused")
def limits_unused(said, world):
    """Judge that thresholds meet the limits, and that none of them ever pays, on these cases."""
    name = said.name("model")
    _, keep = world.kept_to(name)
    said.holds(keep[1:].any(), "no threshold meets the limits")
    _stated_limits(said, world)
    sample = world.deployed(name)
    _, false, true = plain.thresholds(sample)
    low, _ = world.costs.ends  # alarms pay most where they cost least
    saved = ((1 - low) * true - low * false)[keep] / sample.weight.sum()
    said.holds(saved.max() <= NEARLY, f"one saves {said.in_print(saved.max()):.3g} at the lowest cost")


def _stated_limits(said, world):
    stated = [share for share in (world.asked.capacity, world.asked.precision) if share is not None]
    texts = said.numbers_in("limits")
    said.holds(len(texts) == len(stated), "other limits were stated")
    said.holds(all(map(is_said, texts, [100 * share for share in stated])), f"the limits are {stated}")


@judge("limits-cost", "limits-cost-chosen")
def limits_cost(said, world):
    name = said.name("model")
    _cheapest(said, {one: world.ranked[one] for one in world.models}, name, "the best model")
    free, limited = world.without_limits(name, world.costs), world.within_limits(name, world.costs)
    said.amount("extra", limited - free)
    said.amount("regret", free)
    if said.kind == "limits-cost-chosen":
        said.amount("limited", limited)


# ------------------------------------------------------------------------------------------- the order


_SOME, _HALF_A_PERCENT = 0.06, 0.005  # how exact the drawn deviate is; how costs above 10% are rounded


@judge("crossing")
def crossing(said, world):
    best, other = said.name("best"), said.name("other")
    _cheapest(said, {name: world.ranked[name] for name in world.models}, best, "the best model")
    said.percent("level", world.asked.level)
    places, _, lower, upper = plain_band(world, best, other)
    claims = []
    for name, where, side in ((other, "other_where", -1), (best, "best_where", 1)):
        claims += [(low, high, name) for low, high in _claimed(said, world, where, best, other, side)]
    claims.sort()
    pieces = [ends for ends, _ in _costs_in(said["set"])]
    for cost in (said.numbers["cost"], said.numbers["last_cost"]):
        before, after = difference_at(world.sample(best), world.sample(other), np.array([cost - 1e-7, cost + 1e-7]))[0]
        said.holds(before * after <= 0, f"they do not cross at {cost:.9g}")
        said.holds(any(low - _HALF_A_PERCENT <= cost <= high + _HALF_A_PERCENT for low, high in pieces), "the set")
    several = re.fullmatch(r"\d+ costs from (\S+) to (\S+)", said["cost"])
    texts = several.groups() if several else said["cost"].split(" and ")
    for text, cost in ((texts[0], "cost"), (texts[-1], "last_cost")):
        said.holds(is_said(text.removesuffix("%"), 100 * said.numbers[cost]), f"the crossing is at {said['cost']}")
    holds_zero = places[(lower <= 0) & (upper >= 0)]
    for (_, start, one), (end, _, two) in itertools.pairwise(claims):
        for place in holds_zero[(holds_zero > start) & (holds_zero < end)] if one != two else ():
            within = any(low - _HALF_A_PERCENT <= place <= high + _HALF_A_PERCENT for low, high in pieces)
            said.holds(within or "ranges" in said["set"], f"they may cross at {place:.4g}")


@judge("better-in-part", "better-throughout")
def better(said, world):
    one, two = said.name("better"), said.name("worse")
    said.percent("level", world.asked.level)
    if said.kind == "better-throughout":
        narrow = plain_band(world, one, two, wider=1 - _SOME)
        said.holds(narrow.claims(1).all(), "the sample cannot say somewhere")
        return
    parts = _claimed(said, world, "where", one, two, 1)
    wide = plain_band(world, one, two, wider=1 + _SOME)
    told = np.zeros(len(wide.places), bool)
    for low, high in parts:
        told |= (wide.places >= low - _HALF_A_PERCENT) & (wide.places <= high + _HALF_A_PERCENT)
    sure = wide.claims(1) & ~told
    said.holds(not (sure[1:] & sure[:-1]).any(), "it is better in more than this part")
    (low, *_), (*_, high) = parts[0], parts[-1]
    ends = world.costs.ends
    left = {"below": low > ends[0], "above": high < ends[1], "between": len(parts) == 2, "elsewhere": True}
    said.holds(left[said["rest"]], f"nothing is left {said['rest']}")
    if said["rest"] in ("below", "above"):
        said.holds(said["where"].startswith({"below": "above", "above": "below"}[said["rest"]]), "what is left")


def _claimed(said, world, where, one, two, side):
    """Return the ranges of costs that a sentence claims, once the band has been found to lie on that side of 0 there.

    Costs are rounded in print, so the outermost ones of a range need not be claimed.
    """
    band, (low, high) = plain_band(world, one, two, wider=1 - _SOME), world.costs.ends
    word, _, text = said[where].partition(" ")
    found = _costs_in(text)
    if word in ("below", "above"):
        (((cost, _), reach),) = found
        found = [((low, cost) if word == "below" else (cost, high), reach)]
    claimed = band.claims(side)
    for (start, end), reach in found:
        inside = (band.places > start + reach) & (band.places < end - reach)
        said.holds(claimed[inside].all() or "ranges" in text, f"the band holds 0 at {band.places[inside & ~claimed]}")
        near = (band.places >= start - reach - 1e-9) & (band.places <= end + reach + 1e-9)
        said.holds(claimed[near].any(), "the band holds 0 there")
    return [ends for ends, _ in found]


def _costs_in(text):
    """Return ranges of costs, each with half a unit of its last place; of many ranges, from where to where."""
    ranges = []
    for part in text.split(" and "):
        numbers = [read_number(one) for one in re.findall(r"([0-9.]+)%", part)]
        (low, below), (high, above) = numbers[0], numbers[-1]
        ranges.append(((low / 100, high / 100), max(below, above) / 100))
    return ranges


def _odds(said, text, cost):
    """Demand that odds are those of a cost."""
    one, _, other = text.partition(":")
    ratio = (1 - cost) / cost
    said.holds(is_said(other, ratio) if one == "1" else is_said(one, 1 / ratio), f"the odds are 1:{ratio:.4g}")


_CHANGE = re.compile(r"(half|twice) as (bad|wide in log-odds) \(([^)]*)\)")


def _changes(said, world):
    """Read which other costs a sentence speaks of."""
    for word, what, text in _CHANGE.findall(said["change"]):
        factor, (low, high) = {"half": 0.5, "twice": 2.0}[word], world.costs.ends
        if what == "bad":
            changed = Believed("at", low / (low + factor * (1 - low)))
            _odds(said, text, changed.first)
        else:
            middle, reach = (logit(low) + logit(high)) / 2, factor * (logit(high) - logit(low)) / 2
            changed = world.costs._replace(first=expit(middle - reach), second=expit(middle + reach))
            ends = text.replace("%", "").split(" to ")
            said.holds(all(map(is_said, ends, (100 * changed.first, 100 * changed.second))), f"it were {changed}")
        yield changed, {name: world.cost(name, changed) for name in world.everybody}


@judge("steady")
def steady(said, world):
    first = said.name("best")
    _cheapest(said, world.ranked, first, "is the best now")
    for _, cost in _changes(said, world):
        _cheapest(said, cost, first, "remains best")


@judge("unsteady", "unsteady-close")
def unsteady(said, world):
    first, other = said.name("best"), said.name("other")
    _cheapest(said, world.ranked, first, "is the best now")
    ((costs, cost),) = _changes(said, world)
    _cheapest(said, cost, other, "would cost least")
    gain = cost[first] - cost[other]
    said.amount("gain", gain)
    said.holds(gain > NEARLY, "it would cost less")
    _told_apart(said, world, gain, world.spread_of_difference(first, other, costs=costs))


@judge("other-measure")
def other_measure(said, world):
    value = {
        "AUC": lambda name: -world.auc(name),
        "Brier score": lambda name: plain.brier(world.deployed(name)),
        "log loss": lambda name: plain.log_loss(world.deployed(name)),
    }[said["measure"]]
    values, other = {name: value(name) for name in world.models}, said.name("other")
    said.holds(values[other] <= min(values.values()) + 1e-12, f"it would choose by {values}")
    said.number("other_value", abs(values[other]))
    first = min(world.models, key=world.ranked.get)
    if sum(world.ranked[name] <= world.ranked[first] + NEARLY for name in world.models) == 1:
        said.number("best_value", abs(values[first]))
    said.holds(said["best_value"] != said["other_value"], "it would choose either")
    said.holds(
        {"AUC": "each model", "Brier score": "all costs", "log loss": "near"}[said["measure"]] in said["why"], "why"
    )


# ------------------------------------------------------------------------------------------- calibration


def is_off(world, name, factor, times):
    """Whether a model expects too many or too few by a factor, and by a multiple of what chance explains."""
    expected, observed = world.expected(name), world.prevalence
    far = max(expected, observed) > factor * min(expected, observed)
    return far and abs(expected - observed) > times * world.prevalence_by_chance


@judge("mismatch")
def mismatch(said, world):
    named = said.names("model")
    expected = [world.expected(name) for name in named]
    for name in named:
        said.holds(is_off(world, name, 1.25 - 1e-9, 1.9), f"{name} is off by chance")
    said.holds(said["expects"] == ("expects" if len(named) == 1 else "expect"), "grammar")
    texts = said.numbers_in("expected")
    said.holds(is_said(texts[0], 100 * min(expected)) and is_said(texts[-1], 100 * max(expected)), f"{expected}")
    said.percent("observed", world.prevalence)
    after = {name: world.corrected_cost(name) for name in named}
    said.holds(None not in after.values(), "no shift corrects it")
    _effect(said, world, after)


def _effect(said, world, after):
    """Judge what a sentence says that correcting the mean scores would do."""
    effect = said["effect"]
    cost, gains = world.ranked | after, {name: world.ranked[name] - after[name] for name in after}
    if give := re.match(r"would give (.*) the lowest expected cost in this sample, (.*)", effect):
        _cheapest(said, cost, give[1], "would cost least")
        said.holds(said.is_cost(give[2], cost[give[1]]), f"{said.in_print(cost[give[1]]):.9g}")
    elif save := re.match(r"would lower the expected cost(?: of (.*))? by (.*) in this sample", effect):
        name = save[1] or next(iter(after))
        said.holds(save[1] or len(after) == 1, "whom?")
        said.holds(said.is_cost(save[2], gains[name]), f"{said.in_print(gains[name]):.9g}")
    elif "no visible difference" in effect:
        said.holds(said.in_print(max(map(abs, gains.values()))) <= 0.5, f"it would save {gains}")
    else:
        said.holds(effect == "would not help over these costs in this sample", "what then?")
        said.holds(said.in_print(max(gains.values())) <= 0.5 and min(gains.values()) < 0, f"it would save {gains}")


@judge("recalibrate", "recalibrate-fair", "recalibrate-useless")
def recalibrate(said, world):
    name = said.name("model")
    gain = world.ranked[name] - world.recalibrated_cost(name)
    said.holds((world.asked.folds is None) == (said.kind == "recalibrate"), "on which cases?")
    said.amount(*(("loss", -gain) if said.kind == "recalibrate-useless" else ("gain", gain)))
    said.holds((gain < 0) == (said.kind == "recalibrate-useless"), "it would help, or not")


@judge("recalibrate-order")
def recalibrate_order(said, world):
    first, other = said.name("best"), said.name("other")
    cost = {name: world.recalibrated_cost(name) for name in world.models}
    _cheapest(said, cost | {name: world.ranked[name] for name in world.references}, other, "would cost least")
    said.amount("regret", cost[other])
    said.amount("best_regret", cost[first])
    said.holds(said["how"].startswith("in-sample" if world.asked.folds is None else "cross-fitted"), "on which cases?")


@judge("prevalence")
def prevalence(said, world):
    name, texts = said.name("model"), said.numbers_in("stated")
    ends = world.stated.ends
    said.holds(is_said(texts[0], 100 * ends[0]) and is_said(texts[-1], 100 * ends[1]), f"the prevalence is {ends}")
    said.percent("observed", world.prevalence)
    low = plain.regret(plain.moved(world.sample(name), world.stated.mean, correct=False), world.costs)
    extra = low - world.ranked[name]
    said.holds(said.is_cost(said["amount"], abs(extra)), f"it is {said.in_print(extra):.9g}")
    said.holds(abs(said.numbers["extra"] - extra) < 1e-9, f"it is {extra:.12g}")
    said.holds(said["more"] == ("less" if extra < 0 else "more") or abs(extra) < NEARLY, "the other way round")


# ------------------------------------------------------------------------------------------- groups


def _gap(world, name, group, reference):
    """Difference of the costs of two groups, and its parts: of prevalence, calibration and discrimination."""
    samples = [world.in_group(name, one) for one in (group, reference)]
    own = [one.prevalence for one in samples]
    total = plain.regret(samples[0], world.costs) - plain.regret(samples[1], world.costs)
    between = Believed("log-odds", min(own), max(own)) if max(own) - min(own) > 1e-12 else Believed("at", own[0])
    model, order = (
        plain.over_prevalences(one, world.costs, between) - plain.over_prevalences(two, world.costs, between)
        for one, two in (samples, list(map(plain.recalibrated, samples)))
    )
    return {"gap": total, "label": total - model, "calibration": model - order, "sharpness": order}


@judge("group-worse")
def group_worse(said, world):
    name, group, reference = said.name("model"), said["group"], said["reference"]
    said.holds(reference in world.largest_groups, f"the largest are {world.largest_groups}")
    gap = _gap(world, name, group, reference)
    for place, share in gap.items():
        said.amount(place, share)
    own = [world.in_group(name, one).prevalence for one in (group, reference)]
    said.holds(said["direction"] == ("equal", "higher", "lower")[int(np.sign(np.round(own[0] - own[1], 12)))], f"{own}")
    errors = [spread(world.in_group(name, one), world.costs) for one in (group, reference)]
    enough = min(plain.worth(world.weight[world.groups[one]]) for one in (group, reference)) >= 20
    enough &= world.asked.cluster is None
    _told_apart(said, world, gap["gap"], math.hypot(*errors) if enough else math.nan)


@judge("groups-alike")
def groups_alike(said, world):
    name, reference = said.name("model"), said["reference"]
    said.holds(reference in world.largest_groups, f"the largest are {world.largest_groups}")
    cost = {group: plain.regret(world.in_group(name, group), world.costs) for group in world.groups}
    error = {group: spread(world.in_group(name, group), world.costs) for group in world.groups}
    differences = {group: cost[group] - cost[reference] for group in world.groups if group != reference}
    texts = said.numbers_in("differences")
    ends = [said.in_print(end(differences.values())) for end in (min, max)]
    said.holds(is_said(texts[0], ends[0]) and is_said(texts[-1], ends[1]), f"they differ by {ends}")
    for group, difference in differences.items():
        chance = math.hypot(error[group], error[reference])
        enough = min(plain.worth(world.weight[world.groups[one]]) for one in (group, reference)) >= 20
        enough &= world.asked.cluster is None
        said.holds(not enough or abs(difference) < 2 * world.z * chance + 1e-9, f"{group} differs by {difference:.3g}")


@judge("group-one-class")
def group_one_class(said, world):
    outcomes = set(world.y[world.groups[said["group"]]])
    said.holds(outcomes == {{"positive": 1, "negative": 0}[said["which"]]}, "there are others")


@judge("groups-differ", "groups-agree")
def groups_differ(said, world):
    other, best = said.name("other"), said.name("best")
    differences, statistic, chance = world.test_between_groups(other, best)
    low, high = said["low_group"], said["high_group"]
    said.holds(differences[low] <= min(differences.values()) + NEARLY, f"{differences}")
    said.holds(differences[high] >= max(differences.values()) - NEARLY, f"{differences}")
    said.amount("least", differences[low])
    said.amount("most", differences[high])
    said.holds(abs(said.numbers["statistic"] - statistic) < 1e-6 * (1 + statistic), f"Q is {statistic:.9g}")
    said.holds(abs(said.numbers["p"] - chance) < 1e-6, f"p is {chance:.9g}")
    sign, text = said["p"].removeprefix("p ").split()
    said.holds(chance < 0.001 if sign == "<" else is_said(text, chance), f"p is {chance:.9g}")
    said.holds((chance < 1 - world.asked.level) == (said.kind == "groups-differ"), f"p is {chance:.9g}")


@judge("groups-differ-prevalence")
def groups_differ_in_prevalence(said, world):
    other, best = said.name("other"), said.name("best")
    differences, _, chance = world.test_between_groups(other, best)
    said.holds(chance < 1 - world.asked.level, f"p is {chance:.9g}")
    shares = {group: world.in_group(NO_ONE, group).prevalence for group in differences}
    said.percent("lowest", min(shares.values()))
    said.percent("highest", max(shares.values()))
    said.holds(said["lowest"] != said["highest"], "they read alike")
    for end, find in (("low", min), ("high", max)):
        group = said[f"{end}_group"]
        said.holds(abs(differences[group] - find(differences.values())) < NEARLY, f"{differences}")
        everyone = world.in_group(best, group)
        constant = plain.regret(everyone.scored(shares[group]), world.costs)
        said.number(f"{end}_skill", -differences[group] / constant)


@judge("group-missing")
def group_missing(said, world):
    said.holds(said["group"] == "(missing)", "it has another name")
    said.holds(world.missing_share > 0.05, f"it is {world.missing_share}")
    said.percent("share", world.missing_share)
    said.holds(abs(said.numbers["share"] - world.missing_share) < 1e-12, f"it is {world.missing_share}")

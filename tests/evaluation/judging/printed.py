"""The printed evaluation, judged line by line: the sample, the unit, and every cell of the ranking that can be."""

import itertools
import re

from evaluation.judging import plain
from evaluation.judging.sentences import is_said, read_number
from evaluation.judging.world import EVERYONE, NEARLY, NO_ONE

_NAMES = {
    "act on everyone": EVERYONE,
    "act on no one": NO_ONE,
    "act on everyone (reference)": EVERYONE,
    "act on no one (reference)": NO_ONE,
}
_SAMPLE = re.compile(
    r"([\d,]+) cases(?: of weight ([\d,.]+))?(?: in ([\d,]+) clusters)?, "
    r"([\d,.]+) positive(?: of weight ([\d,.]+))? \(([\d.]+)%\)"
)
_UNIT = re.compile(r"all mistakes per ([\d,]+) cases, counted in misses; .*?a miss = ([\d.]+) false alarms?\.")
_UNKNOWN = "\u2013"
_HEADINGS = ("expected", "interval", "vs", "P(best)", "skill", "acts", "recalibration")  # their first words


def misprints(text, world):
    """Return what a printed evaluation says that is not so."""
    paragraphs = text.split("\n\n")
    lines = {what: " ".join(paragraphs[place].split()) for what, place in (("sample", 0), ("note", 2))}
    rows = dict(_rows(paragraphs[1], world))
    per, exchange = _UNIT.search(lines["note"]).groups()
    scale = world.cases_in_print / world.cost_of_a_miss
    wrong = list(_sample(lines["sample"], world))
    if per != f"{world.cases_in_print:,}":
        wrong.append(f"costs are not per {per} cases")
    if not is_said(exchange, (1 - world.costs.mean) / world.costs.mean):
        wrong.append(f"a miss is not {exchange} false alarms")
    if sorted(rows) != sorted(world.everybody):
        wrong.append(f"the rows are {list(rows)}")
    cost = [world.ranked[name] for name in rows]
    if any(one > two + NEARLY for one, two in itertools.pairwise(cost)):
        wrong.append("the rows are not in the order of their costs")
    wrong += [one for name, cells in rows.items() for one in _row(name, cells, world, scale, min(cost))]
    return [f"{world}: {one}: {text}" for one in wrong]


def _rows(table, world):
    """Read the rows of the ranking: who, and the other cells; a column with nothing in it is not there."""
    *heading, rows = table.split("\n", 2)
    shown = [word for word in _HEADINGS if word in " ".join(heading).split()]
    for line in rows.splitlines():
        name, *cells = re.split(r"\s{2,}", line)
        if name in world.models or (name in _NAMES and len(cells) == len(shown)):
            found = dict(zip(shown, cells, strict=True))
            yield name if name in world.models else _NAMES[name], [found.get(word, _UNKNOWN) for word in _HEADINGS]


def _sample(line, world):
    """Judge the description of the sample; tables know the weight of the positives, and not their number."""
    cases, weight, clusters, positives, weighed, share = _SAMPLE.search(line).groups()
    positive = world.weight[world.y == 1].sum()
    known = (
        (cases, round(world.weight.sum()) if world.asked.tables else len(world.y)),
        (weight, world.weight.sum()),
        (clusters, len(set(world.units))),
        (positives, positive if world.asked.tables else world.y.sum()),
        (weighed, positive),
        (share, 100 * world.prevalence),
    )
    for text, number in known:
        if text is not None and not is_said(text, number):
            yield f"not {text} but {number:.6g}"


def _row(name, cells, world, scale, least):
    """Judge the cells of a row against what they should say; a dash says nothing."""
    cost, interval, behind, _, skill, acts, gain = cells
    versus = least if world.baseline is None else world.ranked[world.baseline]
    known = {
        "cost": (cost, scale * world.ranked[name]),
        "versus": (behind.partition(" (")[0].removeprefix("+"), scale * (world.ranked[name] - versus)),
    }
    if skill != _UNKNOWN:
        known["skill"] = (skill, _skill(name, world))
    if name in world.models and not world.asked.limited:
        known["gain"] = (gain, scale * (world.ranked[name] - world.recalibrated_cost(name)))
    for what, (text, number) in known.items():
        if text != _UNKNOWN and not is_said(text, number):
            yield f"{what} of {name} is {number:.6g}, not {text}"
    if interval != _UNKNOWN and not (world.asked.limited and world.asked.folds is None):
        (low, reach), (high, _) = map(read_number, interval.split(" to "))
        if not low - reach <= scale * world.ranked[name] <= high + reach:
            yield f"the interval of {name} does not hold {scale * world.ranked[name]:.6g}"
    if not world.asked.limited and acts != _acts(name, world):
        yield f"{name} acts on {_acts(name, world)}, not {acts}"


def _skill(name, world):
    """Return the share of the cost of the best constant score that is saved."""
    constant = world.sample(name).scored(world.prevalence)
    if not world.asked.limited:
        return 1 - world.ranked[name] / plain.over_prevalences(constant, world.costs, world.stated)
    moved = constant if world.stated is None else plain.moved(constant, world.stated.mean)
    _, keep = plain.allowed(moved, world.asked.capacity, world.asked.precision)
    return 1 - world.ranked[name] / plain.limited_regret(moved, world.costs, keep)


def _acts(name, world):
    """Write on which share of the cases is acted, from the highest cost to the lowest."""
    sample = world.deployed(name)
    if name in (EVERYONE, NO_ONE):
        return "100%" if name == EVERYONE else "0%"
    shares = [sample.weight[sample.score >= cost].sum() / sample.weight.sum() for cost in world.costs.ends[::-1]]
    high, low = (
        "<1%" if 0 < share < 0.01 else ">99%" if 0.99 < share < 1 - 1e-12 else f"{100 * share:.0f}%" for share in shares
    )
    return low if high == low else f"{high.removesuffix('%')} to {low}"

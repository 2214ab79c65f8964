"""Sentences as a reader takes them: names, numbers and their units, and which of them have been judged."""

import math
import re
import string

from evaluation.judging.world import EVERYONE, NO_ONE

_NUMBER = re.compile("\u2212?[0-9][0-9,]*(?:\\.[0-9]+)?")


def read_number(text):
    """Return a printed number, and half a unit of its last place."""
    plain = text.replace(",", "").replace("\u2212", "-").replace("\u221e", "inf")
    decimals = len(plain.partition(".")[2])
    return float(plain), 0.5 * 10**-decimals


def is_said(text, number):
    """Whether a printed number is this number, rounded."""
    said, reach = read_number(text)
    if math.isinf(said) or math.isinf(number):
        return said == number
    return abs(said - number) <= reach * (1 + 1e-6) + 1e-7 * abs(number)


class Sentence:
    """A finding whose open places are read one by one; what was not read was not judged."""

    def __init__(self, finding, world):
        self.kind, self.text, self.numbers = finding.kind, finding.text, finding.numbers
        self._values, self._world = finding.values, world
        self.unread = {name for _, name, _, _ in string.Formatter().parse(finding.template) if name}

    def __getitem__(self, place):
        self.unread.discard(place)
        return self._values[place]

    def holds(self, claim, why):
        """Demand a claim of the sentence."""
        assert claim, f"{self._world}: {why}: {self.text}"

    def name(self, place):
        """Return a model or a reference."""
        text = self[place]
        text = {"act on everyone (reference)": EVERYONE, "act on no one (reference)": NO_ONE}.get(text, text)
        self.holds(text in {*self._world.models, EVERYONE, NO_ONE}, f"who is {text}")
        return text

    def names(self, place):
        """Return several models."""
        text = self[place]
        if text == "All models":
            return list(self._world.models)
        named = [one for one in re.split(", | and ", text) if one]
        self.holds(set(named) <= set(self._world.models), f"who are {text}")
        return named

    def in_print(self, share):
        """Return a cost per case as sentences print it: as a number of misses among so many cases."""
        return share / self._world.cost_of_a_miss * self._world.cases_in_print

    def is_cost(self, text, share):
        """Whether a text is this cost, with its unit or without."""
        number, _, unit = text.partition(" ")
        counted = f"{'miss' if number == '1' else 'misses'} per {self._world.cases_in_print:,} cases"
        return unit in ("", counted) and is_said(number, self.in_print(share))

    def amount(self, place, share):
        """Demand that a cost is printed and kept, and that it is this one."""
        self.holds(self.is_cost(self[place], share), f"{place} is {self.in_print(share):.9g}")
        self.holds(abs(self.numbers[place] - share) < 1e-9, f"{place} is {share:.12g}, not {self.numbers[place]:.12g}")

    def percent(self, place, share):
        """Demand that a share is printed, and that it is this one."""
        self.holds(is_said(self[place].removesuffix("%"), 100 * share), f"{place} is {100 * share:.9g}%")

    def number(self, place, value):
        """Demand that a number is printed, and that it is this one."""
        self.holds(is_said(self[place], value), f"{place} is {value:.9g}")

    def numbers_in(self, place):
        """Return every number printed in a place, as text, but for the number of cases in a unit."""
        return _NUMBER.findall(re.sub("per [0-9,]+ cases", "", self[place]))

    def where(self):
        """Demand that one cost is called a cost, and a range a range."""
        one = self._world.costs.shape == "at"
        self.holds(self["where"] == ("at the cost you state" if one else "over your range"), "one cost or many")

"""Numbers, beliefs, limits and names as text."""

from __future__ import annotations

import errno
import math
import os
from collections.abc import Collection, Iterable
from decimal import ROUND_FLOOR, Context

from stakes._language import number as write
from stakes._language import percent_sign, say, say_count, signs
from stakes.beliefs import Actions, At, Atoms, Beta, EveryLogOdds, IndependentCosts, LogOddsUniform, Mixture, Uniform
from stakes.limits import Limits

NOT_KNOWN = "\u2013"

_FOUR_DIGITS = Context(prec=4, rounding=ROUND_FLOOR)

_LONGEST = 60  # characters of a name quoted in a sentence

_MOST_ACTIONS = 6  # that a sentence lists with their costs

MOST_PARTS = 3  # alternatives of a belief that a sentence lists

STAKE_ADJUSTED = (
    "The stake-adjusted score of a case is p*b / (p*b + (1-p)*a): p is the model's score, b what acting saves if it is "
    "positive, a what acting costs if it is negative, where both are above 0."
)


def in_log_odds() -> str:
    """Write how a range in log-odds is weighed, behind its ends."""
    return say(", uniform in log-odds")


def signed(number: float, digits: int) -> str:
    """Write a number with a true minus sign, and none before a zero."""
    text = f"{abs(number):,.{digits}f}"
    return signs(f"\u2212{text}" if number < 0 and float(text.replace(",", "")) else text)


def signed_infinity(number: float) -> str:
    """Write an infinite number."""
    return "\u2212\u221e" if number < 0 else "\u221e"


def percent(share: float) -> str:
    """Write a share in percent, with enough digits to distinguish it from 0% and 100%."""
    shown = 100 * share
    small = min(abs(shown), abs(100 - shown))
    digits = 0 if small >= 10 or small == 0 else 1 if small >= 1 else min(6, 1 - math.floor(math.log10(small)))
    text = f"{shown:.{digits}f}"
    return signs(text.rstrip("0").rstrip(".") if "." in text else text) + percent_sign()


def exact_percent(share: float) -> str:
    """Write a round share in percent, with all its digits."""
    text = f"{float(f'{100 * share:.10g}'):.10f}"
    return signs(text.rstrip("0").rstrip(".")) + percent_sign()


def count(number: float) -> str:
    """Write a number of cases, with one decimal only if weights make it fractional."""
    return write(number, ",.0f" if math.isclose(number, round(number), rel_tol=1e-12) else ",.1f")


def name(text: str) -> str:
    """Write a name from the data on one line, shortened."""
    line = " ".join("".join(character if character.isprintable() else " " for character in text).split())
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 3]}..."


def reference(model: str) -> str:
    """Write the name of a reference, which a report says in its language."""
    own = model.removesuffix(_MARKED)
    return name(say(own) if own == model else reference(own) + say(_MARKED))


_MARKED = " (reference)"  # behind the name of a reference, where a model is called the same


def multiplier(cost: float) -> str:
    """Write what a false alarm counts of its stated cost, by the cost proportion of the multipliers."""
    times = "\u221e" if cost >= 1 else f"{cost / (1 - cost):.3g}"
    return say("as stated") if times == "1" else f"x{signs(times)}"


def odds_of(cost: float) -> str:
    """Write a cost proportion as odds, 1 to the number of false alarms that cost as much as a miss."""
    if cost <= 0:
        return "1:\u221e"
    ratio = (1 - cost) / cost
    return f"1:{_short(ratio)}" if ratio >= 1 else f"{_short(1 / ratio) if ratio else chr(8734)}:1"


def _short(number: float) -> str:
    if number >= 10:
        return f"{number:.0f}"
    return signs(f"{number:.{1 if number >= 1 else 2}f}".rstrip("0").rstrip("."))


def exchange(low: float, high: float) -> str:
    """Write how many false alarms cost as much as a miss, for a range of cost proportions."""
    most, least = ((1 - cost) / cost if cost else math.inf for cost in (low, high))
    one = false_alarms(most) if _short_or_endless(most) == _short_or_endless(least) else None
    if one:
        return say("a miss is as bad as {one}", one=one)
    if math.isinf(most):
        if not least:
            return say("any exchange rate between misses and false alarms")
        return say("a miss is as bad as {false_alarms} or more", false_alarms=false_alarms(least))
    return say("a miss is as bad as {least} to {most}", least=_short(least), most=false_alarms(most))


def false_alarms(number: float) -> str:
    """Write a number of false alarms, such as the one that costs as much as a miss."""
    shown = _short_or_endless(number)
    return say_count(shown, "{shown} false alarm", "{shown} false alarms", shown=shown)


def _short_or_endless(number: float) -> str:
    return "\u221e" if math.isinf(number) else _short(number)


def belief(believed: object) -> str:
    """Write a belief about a share."""
    match believed:
        case At():
            return percent(believed.value)
        case Uniform():
            return _from_to(believed.low, believed.high)
        case LogOddsUniform():
            return _from_to(believed.low, believed.high) + in_log_odds()
        case EveryLogOdds():
            return _from_to(0.0, 1.0) + in_log_odds()
        case Beta() if (believed.low, believed.high) == (0, 1):
            return say(
                "about {mean} (Beta({a:g}, {b:g}))", mean=percent(believed.mean), a=believed.alpha, b=believed.beta
            )
        case IndependentCosts():
            return money(believed)
        case Actions():
            return actions(believed)
        case Atoms() if len(believed.values) <= MOST_PARTS:
            return alternatives(map(percent, believed.values), believed.weights)
        case Mixture() if len(believed.parts) <= MOST_PARTS:
            return alternatives(map(belief, believed.parts), believed.weights)
    return _own_belief(believed)


def _from_to(low: float, high: float) -> str:
    first, last = percent(low), percent(high)
    return first if first == last else say("{first} to {last}", first=first, last=last)


def alternatives(texts: Iterable[str], weights: Iterable[float]) -> str:
    """Write possible values, or beliefs, each with its probability."""
    each = zip(texts, weights, strict=True)
    form = "{text} (with {weight} probability)"
    return say(" or ").join(say(form, text=text, weight=percent(weight)) for text, weight in each)


def _own_belief(believed: object) -> str:
    """Write the range and the mean of any other belief, as far as it has them."""
    support, mean = getattr(believed, "support", None), getattr(believed, "mean", None)
    average = say("on average {mean}", mean=percent(mean)) if isinstance(mean, float) and math.isfinite(mean) else ""
    if support is None:
        return average or say("a belief of your own")
    return _from_to(*map(float, support)) + (f" ({average})" if average else "")


def money(costs: IndependentCosts) -> str:
    """Write what each mistake costs, in the user's own units."""
    miss, alarm = amounts(costs.false_negative), amounts(costs.false_positive)
    return say("a miss costs {miss} and a false alarm costs {alarm}", miss=miss, alarm=alarm)


def actions(stated: Actions) -> str:
    """Write what each action costs for a negative and for a positive."""
    if len(stated.names) > _MOST_ACTIONS:
        return say("there are {count} actions with costs of their own", count=len(stated.names))
    said, text = [], "\u2018{name}\u2019 costs {negative} for a negative and {positive} for a positive"
    for one, (negative, positive) in stated.costs.items():
        said.append(say(text, name=name(one), negative=_amount(negative), positive=_amount(positive)))
        text = "\u2018{name}\u2019 {negative} and {positive}"
    weighed = getattr(stated.source, "exchange", None)
    if weighed is not None:
        text = "{said}; acting too much weighs {weighed}, acting too little the rest"
        return say(text, said=", ".join(said), weighed=belief(weighed))
    return ", ".join(said) + say(stated.source.remark)


def amounts(costs: tuple[float, float]) -> str:
    """Write one amount, or the range between two."""
    low, high = map(_amount, costs)
    return low if low == high else say("{low} to {high}", low=low, high=high)


def _amount(number: float) -> str:
    """Write an amount as one would: with thousands separated, and cents at most where there are thousands."""
    if number and not 1e-4 <= number < 1e15:
        return write(number, ".6g")
    text = f"{number:,.2f}" if number >= 1000 else f"{float(f'{number:.6g}'):.10f}"
    return signs(text.rstrip("0").rstrip("."))


def limits(stated: Limits) -> str:
    """Write the limits that bind."""
    parts = []
    if stated.capacity_binds:
        parts.append(say("at most {share} of cases acted on", share=percent(stated.capacity or 0.0)))
    if stated.precision_binds:
        parts.append(say("precision at least {share}", share=percent(stated.min_precision or 0.0)))
    if stated.budget is not None:
        parts.append(say("at most {budget:.6g} of effort per case", budget=stated.budget))
    return say(" and ").join(parts)


def threshold(score: float) -> str:
    """Write a threshold in four digits, rounded down so that a case with exactly this score is acted on."""
    if math.isinf(score):
        return say("never act")
    # The first four of the 15 digits that a computation can be trusted with.
    return signs(f"{_FOUR_DIGITS.create_decimal(f'{score:.15g}').normalize():f}")


def whole_percent(share: float) -> str:
    """Write a share in whole percent, 0 and 100 only if exact."""
    shown = 100 * share
    if 0 < shown < 1:
        return f"<1{percent_sign()}"
    return f">99{percent_sign()}" if 99 < shown < 100 else f"{shown:.0f}{percent_sign()}"


def percent_above(share: float, least: float) -> str:
    """Write a share that is above another, with more digits where both would read alike."""
    if percent(share) != percent(least):
        return percent(share)
    digits = next((digits for digits in range(1, 12) if round(share, digits + 2) > least), 12)
    return f"{share:.{digits}%}"


def fine_percent(share: float) -> str:
    """Write a share in whole percent, or in two digits below 1%."""
    return percent(share) if 0 < share < 0.01 else whole_percent(share)


def chance(probability: float) -> str:
    """Write a probability in whole percent, never as 0 or 100: no sample makes it certain."""
    side = "<1" if probability < 0.01 else ">99" if probability > 0.99 else ""
    return side + percent_sign() if side else whole_percent(probability)


def probability(number: float) -> str:
    """Write a probability in three digits, never as 0 or 1."""
    return signs("<0.001" if number < 0.001 else ">0.999" if number > 0.999 else f"{number:.3f}")


def p_value(probability: float, *, unlike: float) -> str:
    """Write a p value in two digits, with more where it would read as the one it is held against."""
    if probability < 0.001:
        return signs("p < 0.001")
    digits = 2
    while digits < 15 and math.isclose(float(f"{probability:.{digits}g}"), unlike) and probability != unlike:
        digits += 1
    return signs(f"p = {probability:.{digits}g}")


def plain_number(number: float) -> str:
    """Write a number in four digits, or a dash where it is not defined."""
    return NOT_KNOWN if math.isnan(number) else write(number, ".4g").replace("-", "\u2212")


def sentence(text: str) -> str:
    """Write a phrase as a sentence."""
    return f"{text[:1].upper()}{text[1:]}."


def show_interval(estimate: float, lower: float, upper: float) -> str:
    """Write a number and the interval around it."""
    return f"{estimate:.4g} [{lower:.4g}, {upper:.4g}]"


def show_places(places: Collection[float]) -> str:
    """Write how many places a curve is known at, and between which."""
    if not len(places):
        return "no place"
    low, high = min(places), max(places)
    return f"{len(places)} places from {low:.4g} to {high:.4g}" if len(places) > 1 else f"one place, {low:.4g}"


def describe_method(method: str, caution: str) -> str:
    """Write the method of a result, with a caution if there is one."""
    return f"{method}; {caution}" if caution else method


def printable(text: str) -> str:
    """Write any text on one line, with control characters replaced by spaces."""
    return " ".join("".join(one if one.isprintable() else " " for one in text).split())


def reason(error: OSError) -> str:
    """Return the reason the operating system gives, in lower case."""
    return "the disk is full" if error.errno == errno.ENOSPC else os.strerror(error.errno or 0).lower()

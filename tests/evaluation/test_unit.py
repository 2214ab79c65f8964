"""Printed costs: in a unit that a reader has in mind, with digits that hide no difference, and in no other order."""

import math
from types import SimpleNamespace

import numpy as np
import pytest
from evaluation.samples import blurred, expit, risks
from hypothesis import assume, given
from hypothesis import strategies as st

from stakes import At, Decision, InputError, LogOddsUniform, Uniform, evaluate, evaluate_tables, score_table
from stakes.beliefs import Atoms, EveryLogOdds, IndependentCosts
from stakes.datasets import load_cohort
from stakes.evaluation import Unit
from stakes.evaluation._unit import cases_per, make_unit, with_digits

COSTS = (At(0.1), Uniform(0.05, 0.2), Uniform(0, 1), LogOddsUniform(0.001, 0.4), At(0.8))
MONEY = IndependentCosts(false_negative=(20, 40), false_positive=(1, 3))
Y, LOGIT = risks(600)
MODELS = {"sharp": expit(LOGIT), "blurred": blurred(LOGIT, 1.0)}
NAMES, PER = st.sampled_from(("misses", "false alarms")), st.sampled_from((1000, 10**6))
UNITS = st.builds(Unit, NAMES, st.floats(1, 50), PER, st.integers(0, 3))
REGRETS = st.one_of(st.sampled_from((0.0, 0.0005, 1e-7, 0.0488)), st.floats(0, 1))


def read(text: str) -> float:
    """Read a number as it is printed."""
    return float(text.split()[0].replace(",", "").replace("\u2212", "-"))


# ---------------------------------------------------------------------------------------------------- the unit


@pytest.mark.parametrize("costs", COSTS, ids=str)
@given(positive=st.integers(1, 999), stated=st.sampled_from((None, 0.02, 0.3)))
def test_acting_on_no_one_costs_the_prevalence_in_misses(costs, positive, stated):
    table = score_table(np.arange(1000) < positive, np.full(1000, 0.3))
    found = evaluate_tables({"model": table}, Decision(costs, prevalence=stated))
    none = next(one for one in found.ranking if one.model == "act on no one")
    prevalence = positive / 1000 if stated is None else stated
    assert found.unit.value(none.regret.estimate) == pytest.approx(found.unit.per * prevalence, rel=1e-9)


@pytest.mark.parametrize("costs", COSTS, ids=str)
def test_acting_on_everyone_costs_the_share_of_negatives_in_false_alarms(costs):
    found = evaluate(Y, MODELS, Decision(costs, unit="false alarms"))
    everyone = next(one for one in found.ranking if one.model == "act on everyone")
    assert found.unit.value(everyone.regret.estimate) == pytest.approx(1000 * (1 - Y.mean()))


def test_a_belief_of_several_values_or_of_ones_own_has_a_unit_too():
    assert make_unit(Decision(Atoms([0.1, 0.3], [0.5, 0.5])), 0.5).factor == pytest.approx(1 / 0.8)

    class Half:
        def loss_if_positive(self, score):
            return 0.5 * (np.asarray(score) < 0.5)

        def loss_if_negative(self, score):
            return 0.5 * (np.asarray(score) >= 0.5)

    assert make_unit(Decision(Half()), 0.5).factor == 2


@pytest.mark.parametrize("costs", COSTS, ids=str)
def test_the_unit_changes_neither_a_number_nor_the_order(costs):
    misses, alarms = (evaluate(Y, MODELS, Decision(costs, unit=unit)) for unit in ("misses", "false alarms"))
    assert [one.model for one in misses.ranking] == [one.model for one in alarms.ranking]
    assert [one.regret for one in misses.ranking] == [one.regret for one in alarms.ranking]
    for found in (misses, alarms):
        costs_shown = [read(found.unit.number(one.regret.estimate)) for one in found.ranking]
        assert costs_shown == sorted(costs_shown)


def test_money_is_printed_as_it_is():
    found = evaluate(Y, MODELS, Decision(MONEY))
    assert (found.unit.name, found.unit.factor, found.unit.cost_of_both) == ("money", 1.0, 32.0)
    none = next(one for one in found.ranking if one.model == "act on no one")
    assert found.unit.cost(none.regret.estimate) == f"{1000 * 30 * Y.mean():,.0f} in money per 1,000 cases"
    assert "what mistakes cost, in the money you state, per 1,000 cases" in " ".join(str(found).split())


def test_costs_without_a_mean_are_printed_as_they_are():
    unit = make_unit(Decision(EveryLogOdds()), 0.5)
    assert (unit.name, unit.factor, unit.cost_of_both) == ("regret", 1.0, 1.0)
    assert unit.cost(math.inf) == "\u221e per 1,000 cases"


@pytest.mark.parametrize(
    ("costs", "unit", "message"),
    [
        ("10%", "mises", "`unit` must be one of misses, false alarms, got 'mises'."),
        ("10%", "money", "`unit` must be one of misses, false alarms, got 'money'."),
        (MONEY, "misses", "`unit` must be left out where costs are money, got 'misses'."),
        (EveryLogOdds(), "misses", "`unit` must be one of regret, got 'misses'."),
    ],
)
def test_a_unit_that_the_costs_do_not_have_is_refused(costs, unit, message):
    with pytest.raises(InputError) as refused:
        Decision(costs, unit=unit)
    assert str(refused.value) == message


@pytest.mark.parametrize("costs", [*COSTS, MONEY, EveryLogOdds()], ids=str)
def test_a_decision_can_be_made_again_from_its_parts(costs):
    made = Decision(costs)
    assert Decision(made.costs, prevalence=made.prevalence, limits=made.limits, unit=made.unit) == made


# ---------------------------------------------------------------------------------------------------- cases, digits


@given(st.floats(1e-9, 1))
def test_there_are_five_of_the_rarer_class_among_the_cases_and_no_fewer_cases_would_do(prevalence):
    rarer, per = min(prevalence, 1 - prevalence), cases_per(prevalence)
    assert per in (1000, 10_000, 100_000, 1_000_000)
    assert rarer * per >= 5 * (1 - 1e-9) or per == 1_000_000 or rarer == 0
    assert per == 1000 or rarer * per / 10 < 5


def line(estimate, low=0.0, high=0.0, difference=None):
    """Return as much of a line of a ranking as its digits depend on."""
    return SimpleNamespace(regret=SimpleNamespace(estimate=estimate, lower=low, upper=high), difference=difference)


def compared(first, more, lower, upper):
    difference = SimpleNamespace(difference=more, lower=lower, upper=upper)
    return [line(first, first, first + 0.1), line(first + more, difference=difference)]


@pytest.mark.parametrize(
    ("half_width", "digits"), [(20, 0), (2, 0), (1.9, 1), (0.2, 1), (0.19, 2), (0.05, 2), (0.015, 3), (1e-6, 3)]
)
def test_digits_go_down_to_half_the_half_width_of_the_first_difference(half_width, digits):
    first_two = compared(0.05, 0.0, -half_width / 1000, half_width / 1000)
    assert with_digits(Unit("misses", 1.0, 1000), first_two).digits == digits


@given(
    unit=st.builds(Unit, NAMES, st.floats(1, 50), PER),
    first=st.floats(0, 0.5),
    more=st.floats(-7, -0.5).map(lambda place: 10**place),
    below=st.floats(0.001, 0.999),
    above=st.sampled_from((0.01, 1.0, 30.0, 1000.0)),
)
def test_a_difference_that_is_real_can_be_read(unit, first, more, below, above):
    lower, upper = below * more, (1 + above) * more
    made = with_digits(unit, compared(first, more, lower, upper))
    assert made.number(first) != made.number(first + more)
    assert read(made.number(first)) < read(made.number(first + more))
    least, most = map(read, made.ends(more, lower, upper))
    assert 0 < least <= most
    assert least <= made.value(more) * (1 + 1e-9) + 0.5e-8 + 0.5 * 10**-made.digits
    assert most >= made.value(upper) - 0.5 * 10**-made.digits


@given(unit=UNITS, regrets=st.tuples(REGRETS, REGRETS).map(sorted))
def test_a_larger_cost_never_reads_as_a_smaller_one(unit, regrets):
    low, high = (read(unit.number(regret)) for regret in regrets)
    assert low <= high


@given(unit=UNITS, regret=st.one_of(st.floats(-1, 1), st.floats(-1e-4, 1e-4), st.floats(1e-10, 1e-6)))
def test_only_zero_reads_as_zero_and_the_sign_is_kept(unit, regret):
    value = unit.value(regret)
    assert np.sign(read(unit.number(regret))) == np.sign(value)
    assert read(unit.number(regret)) == pytest.approx(value, abs=0.5 * 10**-unit.digits * (1 + 1e-9))


@given(unit=UNITS, estimate=REGRETS, reach=st.tuples(st.floats(0, 0.2), st.floats(0, 0.2)))
def test_an_end_never_reads_as_the_estimate_unless_it_is(unit, estimate, reach):
    lower, upper = estimate - reach[0], estimate + reach[1]
    assume(all(unit.value(end) == unit.value(estimate) or abs(end - estimate) > 1e-12 for end in (lower, upper)))
    shown = unit.number(estimate)
    for end, text in zip((lower, upper), unit.ends(estimate, lower, upper), strict=True):
        assert (read(text) == read(shown)) == (unit.value(end) == unit.value(estimate)) or len(text) > len(shown)


@given(unit=UNITS, pair=st.tuples(REGRETS, REGRETS))
def test_two_costs_told_against_each_other_read_alike_only_if_they_are(unit, pair):
    one, other = pair
    apart = unit.apart(one, other)
    assert (apart.number(one) == apart.number(other)) == (unit.value(one) == unit.value(other))


def test_rare_events_are_told_apart():
    """Write 740 and 747 misses among 100,000 cases so that a detectable difference can be read, not as 7.4 and 7.4."""
    place = np.arange(100_000)
    y = place < 2000
    found = evaluate(y, {"new": (y & (place >= 740)) * 1.0, "old": (y & (place >= 747)) * 1.0}, "50%")
    text = found.findings[0].text
    assert "as much as 7.40 misses per 1,000 cases, against 7.47 for old" in text
    least, most = (read(found.findings[0].values[end]) for end in ("lower", "upper"))
    assert 0 < least < 0.07 < most
    rows = [row.split() for row in str(found).splitlines() if row.startswith(("new ", "old "))]
    assert [row[1] for row in rows] == ["7.40", "7.47"]


def test_where_there_are_only_tables_the_first_two_read_as_different_as_they_are():
    place = np.arange(100_000)
    y = place < 2000
    tables = {name: score_table(y, (y & (place >= missed)) * 1.0) for name, missed in (("new", 740), ("old", 741))}
    assert "7.40 misses per 1,000 cases, against 7.41 for old" in evaluate_tables(tables, "50%").findings[0].text


# ------------------------------------------------------------------------------------------------------- the words


def test_the_cohort():
    cohort = load_cohort()
    found = evaluate(cohort["cancer"], {"marker": cohort["cancerpredmarker"]}, "5%..20%")
    assert "it costs as much as 56 misses per 1,000 cases, against 123 for acting on everyone" in found.findings[0].text
    printed = " ".join(str(found).split())
    assert printed.count("a miss = 7 false alarms") == 1
    assert "act on no one 140 " in printed


def test_one_is_singular():
    assert [Unit("misses", 1.0, 1000).cost(number / 1000) for number in (1, 2)] == [
        "1 miss per 1,000 cases",
        "2 misses per 1,000 cases",
    ]
    assert Unit("false alarms", 1.0, 10_000).cost(0.0001) == "1 false alarm per 10,000 cases"


@pytest.mark.parametrize("unit", ["misses", "false alarms"])
def test_json_says_the_unit_and_its_factor_and_keeps_the_numbers(unit):
    found = evaluate(Y, MODELS, Decision("5%..20%", unit=unit))
    written = found.to_dict()
    assert written["ranking"][0]["regret"] == found.best.regret.estimate
    assert written["unit"]["name"] == unit
    assert written["unit"]["factor"] == pytest.approx({"misses": 1 / 0.875, "false alarms": 8}[unit])
    assert written["unit"]["false_alarms_per_miss"] == pytest.approx(7)
    shown = read(found.findings[0].values["regret"])
    number = found.findings[0].numbers["regret"] * written["unit"]["factor"] * written["unit"]["per"]
    assert shown == pytest.approx(number, abs=0.5 * 10 ** -written["unit"]["digits"])


@pytest.mark.parametrize(
    ("name", "cost", "factor"),
    [("misses", 0.0, 1.0), ("false alarms", 1.0, 1.0), ("money", 0.0, 5.0), ("money", 1.0, 5.0)],
)
def test_the_unit_at_an_end_needs_only_the_mistake_it_counts(name, cost, factor):
    assert Unit(name, 2.0, 1000, cost_of_both=5.0).at_cost(cost).factor == factor

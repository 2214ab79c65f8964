"""Money at another prevalence, in replicates and in tables: people stay people, and money stays with its outcome."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from stakes import (
    CaseCosts,
    Cases,
    Decision,
    EventBy,
    InputError,
    Limits,
    at_prevalence,
    evaluate,
    expected_regret,
    interval,
    score_table,
)
from stakes.evaluation import evaluate_tables
from stakes.measures import cost_per_case
from stakes.outcome import GivenCensoring
from stakes.uncertainty._resample import plan

N = 400
RNG = np.random.default_rng(5)
P = RNG.beta(1, 6, N)
Y = RNG.random(N) < P
AMOUNT = np.exp(RNG.normal(4, 1.2, N))
# Acting on one in four pays whatever the outcome, and on one in eight never does.
COSTS = CaseCosts(
    false_negative=np.where(np.arange(N) % 8 == 1, -3.0, AMOUNT),
    false_positive=np.where(np.arange(N) % 4 == 0, -30.0, 5.0),
)
FEW = CaseCosts(false_negative=AMOUNT, false_positive=5)


def test_a_replicate_is_the_table_of_the_cases_drawn():
    cases = Cases(Y, {"a": P}, case_costs=COSTS).with_constants({"everyone": 1.0})
    drawn = RNG.multinomial(N, np.full(N, 1 / N), size=3)
    for name, model in zip(cases.models, plan(cases, cases.models).models, strict=True):
        for count, found in zip(drawn, model.tables(drawn.astype(float)), strict=True):
            here = np.repeat(np.arange(N), count)
            wanted = (
                Cases(Y[here], {"a": P[here]}, case_costs=COSTS[here]).with_constants({"everyone": 1.0}).table(name)
            )
            assert_allclose(found.heads.crossed, wanted.heads.crossed)
            money = [cost_per_case(at_prevalence(table, 0.05)) for table in (found, wanted)]
            assert_allclose(money[0], money[1], rtol=1e-12)


def test_swapped_cases_are_counted_in_replicates():
    odd = CaseCosts(
        false_negative=np.where(np.arange(N) < 7, -9.0, 9.0), false_positive=np.where(np.arange(N) < 7, -1, 1)
    )
    cases = Cases(Y, {"a": P}, case_costs=odd)
    (found,) = plan(cases, ("a",)).models[0].tables(np.full((1, N), 2.0))
    assert found.heads.swapped == 14
    with pytest.raises(InputError, match="pays on negatives only"):
        at_prevalence(found, 0.3)


@pytest.mark.slow
@pytest.mark.parametrize("limits", [None, Limits(capacity=0.5)])
@pytest.mark.usefixtures("few_replicates")
def test_replicates_without_a_positive_are_left_out(limits):
    y = np.arange(60) < 2
    p, costs = RNG.random(60), CaseCosts(false_negative=AMOUNT[:60], false_positive=5)
    found = evaluate(y, {"a": p}, Decision("as stated", prevalence=0.1, limits=limits), case_costs=costs, rng=0)
    assert np.isfinite([one.regret.estimate for one in found.ranking]).all()


def test_tables_of_money_are_not_taken_for_people():
    with pytest.raises(InputError, match=r"^`tables` must be made without case costs, got tables of money; evaluate"):
        evaluate_tables({"a": score_table(Y, P, case_costs=FEW)}, "10%")


def test_censored_tables_count_people():
    time, event = np.where(Y, 0.5, np.where(np.arange(N) % 3, 2.0, 0.7)), Y.astype(int)
    outcome = EventBy(time, event, 1.0, censoring=GivenCensoring(np.full(N, 0.6)))
    table = score_table(outcome, P)
    facts = evaluate_tables({"a": table}, "10%..30%").sample
    assert table.total != pytest.approx(N)
    assert (facts.cases, facts.weight) == (N, N)
    assert facts.prevalence == evaluate(outcome, {"a": P}, "10%..30%").sample.prevalence
    assert cost_per_case(table, "10%..30%") == expected_regret(table, "10%..30%")
    whole = interval(Cases(outcome, {"a": P}), cost_per_case, costs="10%..30%")["a"]
    assert_allclose(whole.estimate, expected_regret(table, "10%..30%"), rtol=1e-12)

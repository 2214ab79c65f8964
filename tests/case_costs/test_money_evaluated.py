"""Models ranked by money per case: against decisions paid for one by one, with intervals by two routes."""

import json
import pickle
import re
from importlib.resources import files

import jsonschema
import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats

from stakes import (
    At,
    CaseCosts,
    Cases,
    Decision,
    Limits,
    Uniform,
    compare,
    evaluate,
    expected_regret,
    interval,
    rank,
    score_table,
)
from stakes.beliefs import IndependentCosts
from stakes.measures import cost_per_case, savings
from stakes.uncertainty import Study, calibration_band
from stakes.uncertainty._resample import coarse_levels, fine_levels, plan
from stakes.uncertainty._special_plans import staked_plan

N = 900
RNG = np.random.default_rng(3)
P = RNG.beta(1, 6, N)
Y = RNG.random(N) < P
AMOUNT = np.where(np.arange(N) < 30, 5.0, np.exp(RNG.normal(4, 1.2, N)))  # thirty of no stake, were they positive
MODELS = {"exact": P, "noisy": np.clip(P * RNG.lognormal(0, 1.2, N), 0, 0.95)}
WEIGHT = RNG.choice([0.0, 1.0, 2.0], N)
FEE = CaseCosts(false_negative=AMOUNT, false_positive=5, true_positive=5)


def paid(p, weight=None, act=None):
    """Return what the decisions cost above the better action, by a loop over the cases."""
    total = 0.0
    weight = np.ones(N) if weight is None else weight
    for y, amount, own, w in zip(Y, AMOUNT, p, weight, strict=True):
        acts = own * amount >= 5 * 1.0 if act is None else act  # p (amount - 5) >= (1 - p) 5
        cost = 5 if acts else amount * y
        total += w * (cost - min(5, amount) * y)
    return total / weight.sum()


def close_to_a_tie(p):
    return np.abs(p * AMOUNT - 5) < 1e-9


def test_models_that_never_act_are_no_better_than_acting_on_no_one():
    pointless = CaseCosts(false_negative=AMOUNT, false_positive=5, true_positive=AMOUNT)
    found = evaluate(Y, MODELS, "as stated", case_costs=pointless)
    assert found.answer == f"Use {found.best.model} or act on no one: they cost the same."


def test_money_per_case_is_what_the_decisions_cost():
    assert not close_to_a_tie(P).any()
    found = evaluate(Y, MODELS, "as stated", case_costs=FEE)
    estimates = {one.model: one.regret.estimate for one in found.ranking}
    wanted = {name: paid(p) for name, p in MODELS.items()}
    wanted |= {"act on everyone": paid(P, act=True), "act on no one": paid(P, act=False)}
    wanted["amounts alone"] = paid(np.full(N, Y.mean()))
    assert estimates.keys() == wanted.keys()
    assert_allclose([estimates[name] for name in wanted], list(wanted.values()), rtol=1e-12)
    rates = {one.model: one.acts.mean for one in found.ranking}
    assert_allclose(rates["exact"], np.mean(P * AMOUNT >= 5))
    assert_allclose(rates["amounts alone"], np.mean(Y.mean() * AMOUNT >= 5))
    assert (found.sample.cases, found.sample.prevalence) == (N, Y.mean())


def test_weights_and_clusters_reach_the_money():
    cases = Cases(Y, MODELS, weight=WEIGHT, case_costs=FEE)
    assert_allclose(interval(cases, cost_per_case)["exact"].estimate, paid(P, WEIGHT), rtol=1e-12)
    twice = np.repeat(np.arange(N), 2)
    doubled = CaseCosts(false_negative=AMOUNT[twice], false_positive=5, true_positive=5)
    clustered = Cases(Y[twice], {"exact": P[twice]}, cluster=twice, case_costs=doubled)
    one, two = (
        interval(Cases(Y, MODELS, case_costs=FEE), cost_per_case)["exact"],
        interval(clustered, cost_per_case)["exact"],
    )
    assert_allclose([two.estimate, two.lower], [one.estimate, one.lower], rtol=2e-3)  # a pair of copies is one case


def test_the_influence_of_a_case_is_that_of_leaving_it_out():
    cases = Cases(Y, MODELS, weight=WEIGHT + 0.5, case_costs=FEE)
    influence, weight = Study(cases, cost_per_case).influence("noisy"), WEIGHT + 0.5
    assert_allclose(influence.sum(), 0, atol=1e-12)
    for left in (0, 31, 400, int(np.argmax(AMOUNT * Y))):
        rest = np.arange(N) != left
        changed = paid_at(rest, MODELS["noisy"], weight)
        share = weight[left] / weight.sum()
        assert_allclose(influence[left], (paid(MODELS["noisy"], weight) - changed) * (1 - share), rtol=1e-9, atol=1e-13)


def paid_at(here, p, weight):
    table = score_table(Y[here], p[here], weight[here], case_costs=FEE[here])
    return cost_per_case(table)


@pytest.mark.slow
def test_formulas_agree_with_resampling():
    cases = Cases(Y, MODELS, case_costs=FEE)
    formula, drawn = (interval(cases, cost_per_case, method=how, rng=0, n_resamples=800) for how in ("analytic", "bca"))
    for model in MODELS:
        assert formula[model].estimate == drawn[model].estimate
        widths = [one[model].upper - one[model].lower for one in (formula, drawn)]
        assert_allclose(widths[0], widths[1], rtol=0.1)
    one, two = (compare(cases, "exact", "noisy", cost_per_case, method=how, rng=0) for how in ("analytic", "basic"))
    assert_allclose(one.upper - one.lower, two.upper - two.lower, rtol=0.2)
    assert rank(cases, cost_per_case).probability_best["exact"] > 0.5
    saved = interval(cases, savings, rng=0, n_resamples=300)["exact"]
    assert saved.lower < saved.estimate < saved.upper
    share = interval(cases, expected_regret, costs=At(0.5), rng=0, n_resamples=300)["exact"]
    assert share.method == "bca"  # shares of a random stake have no formula


def test_a_model_that_lost_nothing_may_lose_something():
    y, p = np.arange(60) % 6 == 0, np.where(np.arange(60) % 6 == 0, 0.99, 0.01)
    none = interval(Cases(y, {"a": p}, case_costs=CaseCosts(false_negative=np.full(60, 7.0))), cost_per_case)["a"]
    assert none.estimate == none.lower == 0
    assert 7 / 60 / 6 < none.upper < 7 / 10


@pytest.mark.parametrize(
    ("stated", "up", "down"),
    [
        ({"limits": Limits(capacity=0.3)}, 1, 1),
        ({"prevalence": 0.05}, 0.05 / (1 / 6), 0.95 / (5 / 6)),
        ({"prevalence": Uniform(0.02, 0.08)}, 0.05 / (1 / 6), 0.95 / (5 / 6)),
    ],
    ids=["limits", "moved", "moved over a range"],
)
def test_resampled_money_is_not_negative_and_a_model_that_lost_nothing_may_lose_something(
    stated, up, down, few_replicates
):
    y = np.arange(60) % 6 == 0
    models = {"perfect": np.where(y, 0.99, 0.01), "poor": np.where(np.arange(60) == 6, 0.001, np.where(y, 0.6, 0.3))}
    costs = CaseCosts(false_negative=7, false_positive=2)
    decision = Decision("as stated", **stated)
    ends = []
    for harm in (0, 0.5):
        found = evaluate(y, models, decision, case_costs=costs, harm={"perfect": harm}, rng=0)
        money = {one.model: one.regret for one in found.ranking}
        assert min(one.lower for one in money.values()) >= 0
        assert money["perfect"].estimate == money["perfect"].lower == harm
        assert "half a case of each class" in money["perfect"].caution
        ends.append(money["perfect"].upper - harm)
    half_a_case = np.hypot(7 * up, 2 * down) / 60 * stats.chi2(1).ppf(0.975) / 2  # of either class
    assert_allclose(ends, half_a_case, rtol=1e-12)


@pytest.mark.slow
@pytest.mark.usefixtures("few_replicates")
def test_limits_count_cases_and_bind_the_amounts_too():
    found = evaluate(Y, MODELS, Decision("as stated", limits=Limits(capacity=0.04)), case_costs=FEE, rng=0)
    acts = {one.model: one.acts.mean for one in found.ranking}
    assert max(acts.values()) <= 0.04 < np.mean(P * AMOUNT >= 5)
    money = {one.model: one.regret.estimate for one in found.ranking}
    scores = FEE.scores(P)
    feasible = [at for at in np.unique(scores) if np.mean(scores >= at) <= 0.04]
    best = min(np.sum(np.where(scores >= at, 5, AMOUNT * Y) - np.minimum(5, AMOUNT) * Y) for at in feasible) / N
    assert_allclose(money["exact"], best, rtol=1e-12)
    assert money["amounts alone"] > paid(np.full(N, Y.mean()))  # which acts on more cases than that


@pytest.mark.slow
@pytest.mark.usefixtures("few_replicates")
def test_cases_where_acting_always_pays_are_tied_under_a_capacity():
    free = np.where(np.arange(N) < N // 10, 0.0, 5.0)
    acts = []
    for alarm in (free, np.maximum(free, 0.01)):
        costs = CaseCosts(false_negative=np.maximum(AMOUNT, 1), false_positive=alarm)
        limited = Decision("as stated", limits=Limits(capacity=0.05))
        found = evaluate(Y, {"exact": P}, limited, case_costs=costs, rng=0)
        acts.append({one.model: one.acts.mean for one in found.ranking}["exact"])
    assert acts[0] == 0 < acts[1] <= 0.05


def test_replicates_of_the_sample_itself_are_the_sample():
    cases = Cases(Y, MODELS, weight=WEIGHT, case_costs=FEE)
    model = plan(cases, ("noisy",)).models[0]
    (again,) = model.tables(np.ones((1, len(cases))))
    table = cases.table("noisy")
    assert_allclose(again.score, table.score)
    assert_allclose([again.positive, again.negative], [table.positive, table.negative], rtol=1e-12)
    assert_allclose([again.heads.positive, again.heads.negative], [table.heads.positive, table.heads.negative])
    assert_allclose(again.heads.floor, table.heads.floor)


@pytest.mark.slow
def test_another_prevalence_is_of_cases():
    found = evaluate(Y, MODELS, Decision("as stated", prevalence=0.05), case_costs=FEE, rng=0)
    odds = 0.05 / 0.95 / (Y.mean() / (1 - Y.mean()))
    moved = P * odds / (P * odds + 1 - P)
    weight = np.where(Y, 0.05 / Y.mean(), 0.95 / (1 - Y.mean()))
    money = {one.model: one.regret.estimate for one in found.ranking}
    assert_allclose(money["exact"], paid(moved, weight), rtol=1e-9)


def test_multipliers_are_means_over_the_two_costs():
    found = evaluate(Y, MODELS, "x0.5..x2", case_costs=FEE)
    grid = (np.arange(4000) + 0.5) / 4000 * 1.5 + 0.5
    scores = FEE.scores(P)
    acting, leaving = np.full(N, 5.0), AMOUNT - 5
    mean = np.zeros(N)
    for times in grid:
        acts = scores * 1 >= times / (1 + times)
        mean += np.where(
            Y, np.where(acts, np.maximum(-leaving, 0) * times, np.maximum(leaving, 0)), times * acting * acts
        )
    wanted = (mean / len(grid)).mean()
    assert_allclose(next(one for one in found.ranking if one.model == "exact").regret.estimate, wanted, rtol=1e-3)


def test_groups_have_money_of_their_own():
    group = np.where(np.arange(N) % 3, "x", "z")
    found = evaluate(Y, MODELS, "as stated", case_costs=FEE, group=group)
    here = group == "z"
    assert_allclose(found.groups["z"].regret["exact"].estimate, paid_at(here, P, np.ones(N)), rtol=1e-12)


def test_what_is_said():
    found = evaluate(Y, MODELS, "as stated", case_costs=FEE)
    text = str(found)
    assert text.startswith("Which of 2 models should decide, if costs are stated for each case?")
    assert "amounts alone" in text
    first = found.findings[0]
    best = found.ranking[0]
    assert f"costs {1000 * best.regret.estimate:,.0f} in money per 1,000 cases" in first.text
    assert {one.kind for one in found.findings} <= {"best", "best-close", "worthless", "worthless-close", "few-cases"}
    roughly = IndependentCosts(false_negative=(0.6, 1), false_positive=(2, 2))
    wanted = "a miss costs 0.6 to 1 times what is stated, and a false alarm costs 2 times what is stated"
    assert wanted in re.sub(r"\s+", " ", str(evaluate(Y, MODELS, roughly, case_costs=FEE)))


def test_multipliers_are_a_range_and_costs_as_stated_are_none():
    said = [evaluate(Y, MODELS, words, case_costs=FEE).findings[0].text for words in ("as stated", "x0.5..x2")]
    assert ["at the costs you state" in one for one in said] == [True, False]
    assert ["over your range" in one for one in said] == [False, True]


def test_a_model_that_knows_less_than_the_amounts_is_named():
    noise = np.random.default_rng(0).beta(1, 6, N)
    found = evaluate(Y, {"noise": noise}, "as stated", case_costs=FEE)
    assert found.best.model == "amounts alone"
    assert found.findings[0].kind.startswith("best-reference")
    assert found.answer.startswith("Use no model: act by amounts alone; noise does not differ detectably")
    assert found.recommended_threshold is None
    money = {one.model: one.regret.estimate for one in found.ranking}
    assert money["noise"] > money["amounts alone"]
    assert_allclose(found.findings[0].numbers["regret"], paid(np.full(N, Y.mean())), rtol=1e-12)


def test_a_model_may_be_called_like_the_reference():
    noise = np.random.default_rng(0).beta(1, 6, N)
    found = evaluate(Y, {"amounts alone": noise}, "as stated", case_costs=FEE)
    money = {one.model: one.regret.estimate for one in found.ranking}
    assert_allclose(money["amounts alone"], paid(noise), rtol=1e-12)
    assert_allclose(money["amounts alone (reference)"], paid(np.full(N, Y.mean())), rtol=1e-12)
    assert {one.model for one in found.ranking if not one.reference} == {"amounts alone"}
    assert found.answer.startswith("Use no model: act by amounts alone (reference); amounts alone does not differ")
    models = {"amounts alone": noise, "amounts alone (reference)": P}
    both = {one.model for one in evaluate(Y, models, "as stated", case_costs=FEE).ranking if one.reference}
    assert both == {"act on everyone", "act on no one", "amounts alone (reference) (reference)"}


def test_costs_that_pay_on_negatives_are_counted():
    odd = np.where(np.arange(N) < 12, -5.0, 5.0)
    costs = CaseCosts(false_negative=np.where(odd < 0, -50.0, AMOUNT), false_positive=odd)
    found = [one for one in evaluate(Y, MODELS, "as stated", case_costs=costs).findings if one.kind == "costs-swapped"]
    assert [one.text for one in found] == [
        "In 12 of 900 cases acting costs on positives and pays on negatives: check their costs."
    ]


@pytest.mark.parametrize(
    ("message", "call"),
    [
        (
            "`decision` must have multipliers of the case costs as its costs, got Uniform(low=0.1, high=0.3); write "
            '"as stated", or a range such as "x0.5..x2" for what a false alarm counts',
            lambda: evaluate(Y, MODELS, Uniform(0.1, 0.3), case_costs=FEE),
        ),
        (
            "`cases` must have no case costs for the honest calibration band, got cases with them; intervals, "
            "comparisons and rankings take such cases",
            lambda: calibration_band(Cases(Y, MODELS, case_costs=FEE)),
        ),
    ],
)
def test_what_is_not_offered_yet_says_so(message, call):
    with pytest.raises(ValueError, match=f"^{re.escape(message)}"):
        call()


def test_an_evaluation_in_money_travels_between_processes_and_shows_its_decision_as_it_was_stated():
    found = evaluate(Y, MODELS, "as stated", case_costs=FEE)
    again = pickle.loads(pickle.dumps(found))
    assert again.decision == found.decision
    assert again.to_dict() == found.to_dict()
    assert repr(again.decision).startswith("Decision(costs=IndependentCosts(")


def test_json_has_the_costs_as_they_were_stated():
    schema = json.loads(files("stakes.evaluation").joinpath("evaluation.schema.json").read_text(encoding="utf-8"))
    found = json.loads(evaluate(Y, MODELS, "as stated", case_costs=FEE).to_json())
    jsonschema.validate(found, schema)
    arrays = {"false_negative": "false_negative", "false_positive": 5, "true_positive": 5, "true_negative": 0}
    assert found["decision"]["case_costs"] == arrays  # the name of the argument stands for an array
    effort = CaseCosts(false_negative=AMOUNT, effort=2)
    found = json.loads(evaluate(Y, MODELS, "as stated", case_costs=effort).to_json())
    jsonschema.validate(found, schema)
    assert found["decision"]["case_costs"]["effort"] == 2
    assert evaluate(Y, MODELS, "10%").to_dict()["decision"]["case_costs"] is None


def test_very_many_cases_are_drawn_in_groups_unless_exact_ones_are_asked_for():
    rng = np.random.default_rng(6)
    size = 40_000
    p = rng.beta(1, 20, size)
    cases = Cases(rng.random(size) < p, {"a": p}, case_costs=CaseCosts(false_negative=rng.lognormal(3, 1, size)))
    levels = coarse_levels(fine_levels(cases, ("a",), exact=False))
    plan, whole = staked_plan(cases, levels, by_class=False), staked_plan(cases, levels, by_class=True)
    assert (plan.sample.size, whole.sample.size) == (2048, size)
    for table in (plan.models[0].tables(plan.sample[None])[0], whole.models[0].tables(whole.sample[None])[0]):
        assert table.total == pytest.approx(cases.table("a").total)
        assert table.heads.total == size
        assert table.heads.floor == pytest.approx(cases.table("a").heads.floor)

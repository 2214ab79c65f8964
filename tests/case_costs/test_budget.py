"""A budget of effort: whom it lets a model act on, what that costs, its price, and what is said about it."""

import json
from importlib.resources import files

import jsonschema
import numpy as np
import pandas as pd
import polars as pl
import pytest

from stakes import (
    CaseCosts,
    Decision,
    InputError,
    Limits,
    best_thresholds,
    evaluate,
    evaluate_tables,
    score_table,
)
from stakes.beliefs import Actions, IndependentCosts
from stakes.limits import feasible_region

RNG = np.random.default_rng(6)
N = 300
RISK = RNG.beta(1, 6, N)
Y = RNG.random(N) < RISK
AMOUNT = np.exp(RNG.normal(4, 1, N))
HOURS = np.round(RNG.gamma(2, 0.5, N) + 0.1, 1)
MODELS = {"gbm": RISK, "rules": np.clip(RISK * RNG.lognormal(0, 0.7, N), 0.01, 0.99).round(2)}
COSTS = CaseCosts(false_negative=AMOUNT, false_positive=8, true_positive=3, effort=HOURS)
WEIGHT = RNG.choice([0.0, 1.0, 2.5], N)
ACTING, LEAVING = np.full(N, 8.0), AMOUNT - 3
NO_ONE, EVERYONE = "act on no one", "act on everyone"
SCHEMA = json.loads(files("stakes.evaluation").joinpath("evaluation.schema.json").read_text(encoding="utf-8"))


def within(budget, words="as stated"):
    return Decision(words, limits=Limits(budget=budget))


def greedy(p, budget, weight, effort=HOURS, miss=1.0, alarm=1.0):
    """Return whom to act on, one case after another by gain per effort, and the gain of the last of them."""
    gain = [p[k] * miss * LEAVING[k] - (1 - p[k]) * alarm * ACTING[k] for k in range(N)]
    order = sorted(range(N), key=lambda k: -gain[k] / effort[k])
    acts, left = np.zeros(N, bool), budget * weight.sum()
    while order and gain[order[0]] >= 0:
        worth = gain[order[0]] / effort[order[0]]
        alike = [k for k in order if gain[k] / effort[k] == worth]
        left -= sum(weight[k] * effort[k] for k in alike)
        if left < -1e-9:
            break
        acts[alike] = True
        order = order[len(alike) :]
    return acts, min((gain[k] / effort[k] for k in np.flatnonzero(acts & (weight > 0))), default=np.inf)


def paid(acts, weight, miss=1.0, alarm=1.0):
    return (weight * np.where(Y, miss * LEAVING * ~acts, alarm * ACTING * acts)).sum() / weight.sum()


@pytest.mark.sample(8)
@pytest.mark.parametrize("budget", [0.0, 0.03, 0.1, "30/200", 50])
@pytest.mark.parametrize(
    ("words", "alarm"), [("as stated", 1), ("x2", 2), ("x0.4", 0.4)], ids=["stated", "double", "less"]
)
@pytest.mark.parametrize("weight", [None, WEIGHT], ids=["plain", "weighted"])
def test_the_cost_is_that_of_acting_where_effort_gains_most(budget, words, alarm, weight):
    found = evaluate(Y, MODELS, within(budget, words), case_costs=COSTS, weight=weight)
    heavy, each = np.ones(N) if weight is None else weight, 0.15 if isinstance(budget, str) else budget
    models = MODELS | {"amounts alone": np.full(N, (heavy * Y).sum() / heavy.sum())}
    for one in found.ranking:
        if one.model not in models:
            continue
        acts, last = greedy(models[one.model], each, heavy, alarm=alarm)
        assert one.regret.estimate == pytest.approx(paid(acts, heavy, alarm=alarm), rel=1e-12)
        assert one.effort == pytest.approx((heavy * HOURS * acts).sum() / heavy.sum(), rel=1e-12)
        assert one.effort <= each * (1 + 1e-9)
        assert one.acts.mean == pytest.approx((heavy * acts).sum() / heavy.sum(), rel=1e-12)
        assert one.effort_range == (one.effort, one.effort)
        assert one.price == 0 if each == 50 else one.price <= last * (1 + 1e-12)
        assert one.parts is None
    assert not found.policies


def mean_over(low, high, value, cut):
    """Return the mean of a uniform number, and its share, up to each cut."""
    if value == "share":
        return np.clip((cut - low) / (high - low), 0, 1)
    up = np.clip(cut, low, high)
    return (up**2 - low**2) / (2 * (high - low))


@pytest.mark.parametrize("budget", [0.02, 0.1, 0.4])
def test_over_a_range_of_false_alarms_the_price_is_one_amount_of_money(budget):
    found = evaluate(Y, MODELS, within(budget, "x0.5..x2"), case_costs=COSTS)
    for one in (one for one in found.ranking if one.model in MODELS):
        p = MODELS[one.model]
        acts, _ = greedy(p, budget, np.ones(N), alarm=1.25)
        assert one.effort == pytest.approx((HOURS * acts).mean(), rel=1e-12)
        cut = (p * LEAVING - one.price * HOURS) / ((1 - p) * ACTING)
        missed = LEAVING * (1 - mean_over(0.5, 2, "share", cut))
        alarmed = ACTING * mean_over(0.5, 2, "mean", cut)
        assert one.regret.estimate == pytest.approx(np.where(Y, missed, alarmed).mean(), rel=1e-9)
        assert one.effort_range == pytest.approx([(HOURS * (cut >= end)).mean() for end in (2, 0.5)], rel=1e-9)


def test_over_a_range_of_misses_too():
    costs = IndependentCosts(false_negative=(0.6, 1), false_positive=(1, 1))
    found = evaluate(Y, MODELS, Decision(costs, limits=Limits(budget=0.1)), case_costs=COSTS)
    for one in (one for one in found.ranking if one.model in MODELS):
        p = MODELS[one.model]
        acts, _ = greedy(p, 0.1, np.ones(N), miss=0.8)
        assert one.effort == pytest.approx((HOURS * acts).mean(), rel=1e-12)
        least = ((1 - p) * ACTING + one.price * HOURS) / (p * LEAVING)  # of the multiple of a miss
        missed = LEAVING * mean_over(0.6, 1, "mean", least)
        alarmed = ACTING * (1 - mean_over(0.6, 1, "share", least))
        assert one.regret.estimate == pytest.approx(np.where(Y, missed, alarmed).mean(), rel=1e-9)


def test_the_price_is_that_of_deployment():
    found = evaluate(Y, MODELS, within(0.1), case_costs=COSTS)
    for one in (one for one in found.ranking if one.model in MODELS):
        assert one.price == COSTS.price(MODELS[one.model], budget=0.1 * N)
        acts = COSTS.act(MODELS[one.model], price=one.price)
        assert one.regret.estimate == pytest.approx(paid(acts, np.ones(N)), rel=1e-12)
        assert one.acts.mean == acts.mean()


def test_a_budget_that_is_enough_changes_no_cost():
    free, rich = evaluate(Y, MODELS, "as stated", case_costs=COSTS), evaluate(Y, MODELS, within(9), case_costs=COSTS)
    for one, other in zip(free.ranking, rich.ranking, strict=True):
        assert (one.model, one.regret, one.skill, one.acts) == (other.model, other.regret, other.skill, other.acts)
        assert (one.price, one.effort, one.effort_range) == (None, None, None)
    assert {one.kind for one in rich.findings} >= {"budget-enough"}


def test_references_keep_to_the_budget_and_skill_is_beside_those_that_do():
    found = {one.model: one for one in evaluate(Y, MODELS, within(0.1), case_costs=COSTS).ranking}
    assert set(found) == {*MODELS, "amounts alone", NO_ONE}
    for one in found.values():
        assert one.skill == pytest.approx(1 - one.regret.estimate / found[NO_ONE].regret.estimate)
    assert (found[NO_ONE].effort, found[NO_ONE].price) == (0, None)
    just = {one.model: one for one in evaluate(Y, MODELS, within(HOURS.mean()), case_costs=COSTS).ranking}
    assert just[EVERYONE].effort == pytest.approx(HOURS.mean())
    assert EVERYONE not in {
        one.model for one in evaluate(Y, MODELS, within(0.999 * HOURS.mean()), case_costs=COSTS).ranking
    }


def test_without_an_effort_cases_are_counted():
    plain = CaseCosts(false_negative=AMOUNT, false_positive=8, true_positive=3)
    found = next(one for one in evaluate(Y, MODELS, within("30/300"), case_costs=plain).ranking if one.model == "gbm")
    best = np.argsort(-(RISK * LEAVING - (1 - RISK) * ACTING))[:30]
    acts = np.isin(np.arange(N), best)
    assert (found.effort, found.acts.mean) == (pytest.approx(0.1), pytest.approx(0.1))
    assert found.regret.estimate == pytest.approx(paid(acts, np.ones(N)))


def test_order_by_gain_beats_order_by_the_score():
    plain = CaseCosts(false_negative=AMOUNT, false_positive=8, true_positive=3)
    p = RISK

    def expected(acts):
        return (acts * (p * LEAVING - (1 - p) * ACTING)).sum()

    budgeted = plain.act(p, price=plain.price(p, budget=30))
    by_score = np.isin(np.arange(N), np.argsort(-plain.scores(p))[:30])
    assert expected(budgeted) > expected(by_score)


def test_intervals_are_those_of_the_decisions_and_harm_is_added():
    plain, tested = (evaluate(Y, MODELS, within(0.1), case_costs=COSTS, harm=harm) for harm in (None, {"gbm": 1.5}))
    one, other = (next(one for one in found.ranking if one.model == "gbm") for found in (plain, tested))
    assert one.regret.method == "analytic"
    acts, _ = greedy(RISK, 0.1, np.ones(N))
    each = np.where(Y, LEAVING * ~acts, ACTING * acts)
    error = each.std(ddof=1) / np.sqrt(N)
    assert one.regret.lower < each.mean() - error < each.mean() + error < one.regret.upper
    for end in ("estimate", "lower", "upper"):
        assert getattr(other.regret, end) == pytest.approx(getattr(one.regret, end) + 1.5)


def test_groups_are_without_the_budget_and_the_text_says_so():
    group = np.where(np.arange(N) % 3 == 0, "a", "b")
    free, few = (evaluate(Y, MODELS, one, case_costs=COSTS, group=group) for one in ("as stated", within(0.1)))
    for name in ("a", "b"):
        assert free.groups[name].regret["gbm"].estimate == few.groups[name].regret["gbm"].estimate
    assert "By group: at its own prevalence, without limits" in " ".join(str(few).split())


# ------------------------------------------------------------------------------------------------ in words


def findings(found):
    return {(one.kind, one.values["model"]): one for one in found.findings if one.kind.startswith("budget")}


def test_sentences_about_a_budget_are_true():
    found = evaluate(Y, MODELS, within(0.1), case_costs=COSTS)
    said = findings(found)
    standings = {one.model: one for one in found.ranking}
    for model, p in MODELS.items():
        one, acts = said["budget-price", model], COSTS.act(p, price=standings[model].price)
        least = (p * LEAVING - (1 - p) * ACTING)[acts] / HOURS[acts]
        assert float(one.values["price"]) <= least.min() < float(one.values["price"]) * 1.001
        assert float(one.values["effort"]) == pytest.approx((HOURS * acts).mean(), rel=1e-3)
        assert one.text == (
            f"Within your budget, {model} acts where acting is expected to gain at least {one.values['price']} in "
            f"money per unit of effort: it spends {one.values['effort']} of 0.1 per case."
        )
    best = next(one.model for one in found.ranking if not one.reference)
    cost = said["budget-cost", best]
    free = paid(COSTS.act(MODELS[best]), np.ones(N))
    assert cost.numbers["regret"] == pytest.approx(free)
    assert cost.numbers["extra"] == pytest.approx(standings[best].regret.estimate - free)
    assert cost.text == (
        f"Your budget costs {cost.values['extra']}: without it, {best} would cost {cost.values['regret']}."
    )
    assert "; with at most 0.1 of effort per case?" in " ".join(str(found).split())


def test_sentences_over_a_range_say_what_is_spent_at_its_ends():
    one = findings(evaluate(Y, MODELS, within(0.1, "x0.5..x2"), case_costs=COSTS))["budget-price-range", "gbm"]
    least, most = one.numbers["least"], one.numbers["most"]
    assert least < one.numbers["effort"] <= 0.1 < most
    assert one.text.endswith(
        f"it spends {one.values['effort']} of 0.1 per case there, and {least:.4g} to {most:.4g} over your range."
    )
    assert one.text.startswith("At the mean of your costs, where your budget is kept to, gbm acts where acting is")
    rich = findings(evaluate(Y, MODELS, within(9, "x0.5..x2"), case_costs=COSTS))["budget-enough-range", "gbm"]
    assert rich.text.startswith("Your budget does not limit gbm at the mean of your costs: it spends ")


def test_a_budget_that_is_enough_or_too_small_is_said():
    rich = findings(evaluate(Y, MODELS, within(9), case_costs=COSTS))
    acts = COSTS.act(RISK)
    assert rich["budget-enough", "gbm"].text == (
        f"Your budget does not limit gbm: it spends {(HOURS * acts).mean():.4g} of 9 per case."
    )
    poor = evaluate(Y, MODELS, within(1e-4), case_costs=COSTS)
    assert {one.acts.mean for one in poor.ranking} == {0}
    assert findings(poor)["budget-too-small", "gbm"].text == (
        "gbm never acts within your budget: the cases that gain most for their effort spend more than 0.0001 per case."
    )


def test_the_recommended_call_is_the_evaluation():
    found = evaluate(Y, MODELS, within(0.1), case_costs=COSTS)
    names = {"evaluate": evaluate, "Decision": Decision, "Limits": Limits, "IndependentCosts": IndependentCosts}
    again = eval(found.recommendation.measure, names | {"y": Y, "predictions": MODELS, "case_costs": COSTS})
    assert [one.regret for one in again.ranking] == [one.regret for one in found.ranking]
    assert "Effort is limited, so cases compete: at most 0.1 of effort per case." in found.recommendation.reason


def test_json_and_page_have_the_budget_and_the_price(tmp_path):
    found = evaluate(Y, MODELS, within(0.1, "x0.5..x2"), case_costs=COSTS)
    plain = json.loads(found.to_json())
    jsonschema.validate(plain, SCHEMA)
    assert plain["decision"]["budget"] == 0.1
    rows = {row["model"]: row for row in plain["ranking"]}
    for one in found.ranking:
        row = rows[one.model]
        assert (row["price"], row["effort"], row["effort_least"], row["effort_most"]) == (
            one.price,
            one.effort,
            *one.effort_range,
        )
    free = json.loads(evaluate(Y, MODELS, "as stated", case_costs=COSTS).to_json())
    assert (free["decision"]["budget"], free["ranking"][0]["price"], free["ranking"][0]["effort"]) == (None, None, None)
    found.save_html(tmp_path / "report.html")
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "with at most 0.1 of effort per case?" in page
    assert all(one.text in page for one in found.findings if one.kind.startswith("budget"))


def test_columns_of_a_frame_give_the_same():
    frame = pd.DataFrame({"fraud": Y.astype(int), **MODELS, "amount": AMOUNT, "hours": HOURS})
    named = CaseCosts(false_negative="amount", false_positive=8, true_positive=3, effort="hours")
    there = evaluate("fraud", list(MODELS), within(0.1), data=frame, case_costs=named)
    here = evaluate(Y, MODELS, within(0.1), case_costs=COSTS)
    assert [(one.model, one.regret, one.price) for one in there.ranking] == [
        (one.model, one.regret, one.price) for one in here.ranking
    ]


# ------------------------------------------------------------------------------------------------ bad input


def test_limits_with_a_budget_are_shown_and_compared():
    assert repr(Limits(budget="1/8")) == "Limits(budget=0.125)"
    assert Limits(budget=0.125) == Limits(budget="1/8") != Limits()


BOTH = IndependentCosts(false_negative=(0.5, 1), false_positive=(1, 2))
FRAME = pd.DataFrame({"fraud": Y.astype(int), "gbm": RISK, "amount": AMOUNT})
LOOKS = "`budget` must look like 0.01 or 200/20000, effort per case"


@pytest.mark.parametrize(
    ("message", "call"),
    [
        ("`budget` must be finite and not negative, got -1.", lambda: Limits(budget=-1)),
        (f"{LOOKS}, got 'much'.", lambda: Limits(budget="much")),
        (f"{LOOKS}, got '1/0'.", lambda: Limits(budget="1/0")),
        ("`budget` must be stated without `capacity`, got 1.", lambda: Limits(budget=1, capacity=0.1)),
        ("`budget` must be stated without `min_precision`, got 1.", lambda: Limits(budget=1, min_precision=0.1)),
        (
            "`budget` must come with `case_costs`, got 0.1; a capacity limits how many cases are acted on.",
            lambda: evaluate(Y, MODELS, Decision("10%", limits=Limits(budget=0.1))),
        ),
        (
            "`budget` must come with `case_costs`, got 0.1; a capacity limits how many cases are acted on.",
            lambda: evaluate_tables({"a": score_table(Y, RISK)}, Decision("10%", limits=Limits(budget=0.1))),
        ),
        (
            "`prevalence` must be left out where there is a budget, got At(value=0.1); sample cases at the prevalence "
            "where the budget is spent.",
            lambda: Decision("as stated", limits=Limits(budget=0.1), prevalence=0.1),
        ),
        (
            "`folds` must be left out where there is a budget, got 3; the price of effort is found from scores and "
            "costs, without outcomes.",
            lambda: evaluate(Y, MODELS, within(0.1), case_costs=COSTS, folds=3),
        ),
        (
            "`budget` must be left out with repeats, or with more cases than `in_memory` allows, got 0.1.",
            lambda: evaluate(
                *(np.tile(Y, 2), {"gbm": np.tile(RISK, 2)}, within(0.1)),
                case_costs=CaseCosts(false_negative=np.tile(AMOUNT, 2), false_positive=8),
                repeat=np.repeat(["one", "two"], N),
            ),
        ),
        (
            "`budget` must be left out with repeats, or with more cases than `in_memory` allows, got 0.1.",
            lambda: evaluate(
                *("fraud", ["gbm"], within(0.1)),
                data=pl.from_pandas(FRAME).lazy(),
                case_costs=CaseCosts(false_negative="amount", false_positive=8),
                in_memory=5,
            ),
        ),
        (
            "`costs` must leave a miss or a false alarm at one multiple of its cost where there is a budget, got "
            "IndependentCosts(false_negative=(0.5, 1.0), false_positive=(1.0, 2.0)); only then is the price of effort "
            "the same amount of money at all costs.",
            lambda: evaluate(Y, MODELS, Decision(BOTH, limits=Limits(budget=0.1)), case_costs=COSTS),
        ),
        (
            "`limits` must be left out where there are several actions, got Limits(budget=0.1); an action that is "
            "scarce costs more: raise its costs until it is taken as often as it can be.",
            lambda: Decision(Actions({"a": (0, 9), "b": (1, 2), "c": (4, 1)}), limits=Limits(budget=0.1)),
        ),
        (
            "`limits` must have a capacity or a smallest precision here, got Limits(budget=0.1); no threshold keeps to "
            "a budget; `evaluate` does, with `case_costs`.",
            lambda: best_thresholds(score_table(Y, RISK), "10%", Limits(budget=0.1)),
        ),
        (
            "`limits` must have a capacity or a smallest precision here, got Limits(budget=0.1); no threshold keeps to "
            "a budget; `evaluate` does, with `case_costs`.",
            lambda: feasible_region(score_table(Y, RISK), Limits(budget=0.1)),
        ),
        (
            "`budget` must be left out to choose thresholds for a policy, got 0.1; act on new cases by the price of "
            "effort, with `CaseCosts.act(p, price=standing.price)`.",
            lambda: evaluate(Y, MODELS, within(0.1), case_costs=COSTS).policy(),
        ),
    ],
)
def test_what_a_budget_cannot_be_is_refused(message, call):
    with pytest.raises(InputError) as raised:
        call()
    assert str(raised.value) == message

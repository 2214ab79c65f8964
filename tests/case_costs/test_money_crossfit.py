"""Recalibration of stake-adjusted scores, learnt on some folds and paid for on another."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import samples

from stakes import CaseCosts, Decision, InputError, Limits, evaluate
from stakes.beliefs import IndependentCosts
from stakes.evaluation._ranked import deal

RNG = np.random.default_rng(12)
N = 60
RISK = RNG.beta(1, 4, N)
Y = RNG.random(N) < RISK
AMOUNT = np.where(np.arange(N) < 5, 5.0, 5 + np.exp(RNG.normal(3, 1, N)))  # five without a stake, were they positive
MODELS = {"low": RISK / 3, "noisy": np.round(np.clip(RISK * RNG.lognormal(0, 1, N), 0.01, 0.95), 2)}
COSTS = CaseCosts(false_negative=AMOUNT, false_positive=5, true_positive=5)
WEIGHT = RNG.choice([0.0, 1.0, 2.5], N)


def isotonic(score, won, lost):
    """Return the share of stakes won at each distinct score: the largest of the smallest means around it."""
    at = np.unique(score)
    won, lost = (np.array([column[score == one].sum() for one in at]) for column in (won, lost))

    def mean(low, high):
        return won[low : high + 1].sum() / (won + lost)[low : high + 1].sum()

    ends = range(len(at))
    return at, np.array([max(min(mean(low, high) for high in ends[k:]) for low in ends[: k + 1]) for k in ends])


def paid_when_cross_fitted(p, weight, dealt):
    """Return the money per case of decisions by the recalibrated score, one case after another."""
    acting, leaving = np.full(N, 5.0), AMOUNT - 5.0
    score = p * leaving / (p * leaving + (1 - p) * acting)
    won, lost = weight * leaving * Y, weight * acting * ~Y
    total = 0.0
    for out in dealt.held_out():
        fit = ~out & (won + lost > 0)
        at, fitted = isotonic(score[fit], won[fit], lost[fit])
        for case in np.flatnonzero(out):
            below = fitted[at <= score[case]]
            acts = (below[-1] if len(below) else fitted[0]) >= 0.5
            total += weight[case] * (
                (acting[case] if acts else 0) * (not Y[case]) + leaving[case] * Y[case] * (not acts)
            )
    return total / weight.sum()


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    "others", [{}, {"weight": WEIGHT}, {"cluster": np.arange(N) // 4}], ids=["plain", "weighted", "clusters"]
)
def test_recalibration_is_paid_for_on_cases_it_was_not_learnt_on(others):
    found = evaluate(Y, MODELS, "as stated", case_costs=COSTS, folds=4, rng=3, **others)
    dealt = deal(4, Y, others.get("cluster"), np.random.default_rng(3))
    for one in found.ranking:
        if one.reference:
            assert one.recalibrated is None
            continue
        wanted = paid_when_cross_fitted(MODELS[one.model], others.get("weight", np.ones(N)), dealt)
        assert one.recalibrated == pytest.approx(wanted, rel=1e-12)
        assert one.recalibrated != pytest.approx(one.regret.estimate - one.parts.miscalibration)


@pytest.mark.sample(3)
@pytest.mark.parametrize("prevalence", [None, "10%", "5%..20%"])
def test_what_is_ranked_does_not_depend_on_folds(prevalence):
    decision = Decision("as stated", prevalence=prevalence)
    plain, fair = (evaluate(Y, MODELS, decision, case_costs=COSTS, folds=folds, rng=1) for folds in (None, 3))
    assert {one.model: one.regret.estimate for one in plain.ranking} == {
        one.model: one.regret.estimate for one in fair.ranking
    }
    assert all(np.isfinite(one.recalibrated) for one in fair.ranking if not one.reference)
    assert "would save, cross-fitted." in " ".join(str(fair).split())


@settings(max_examples=20)
@given(samples(ends=True), st.integers(0, 9), st.sampled_from([1, 2, 5]), st.sampled_from([1, 4]), st.booleans())
def test_the_same_costs_for_all_are_the_ordinary_cross_fitted_number(sample, seed, miss, alarm, rough):
    y, score, weight = sample
    times = (0.5, 2) if rough else (1, 1)
    costs = CaseCosts(false_negative=miss, false_positive=alarm)
    own = IndependentCosts(false_negative=(1, 1), false_positive=times)
    same = IndependentCosts(false_negative=(miss, miss), false_positive=(alarm * times[0], alarm * times[1]))
    asked = {"weight": weight, "folds": 2, "rng": seed}
    money = evaluate(y, {"a": score}, own, case_costs=costs, **asked)
    plain = evaluate(y, {"a": score}, same, **asked)
    found, wanted = (next(one for one in of.ranking if one.model == "a") for of in (money, plain))
    assert found.recalibrated == pytest.approx(wanted.recalibrated, rel=1e-9, abs=1e-12)


def test_repeats_have_the_mean_skill_and_share_of_alarms_and_recalibrated_cost():
    twice = np.tile(np.arange(N), 2)
    scores = {"a": np.concatenate([MODELS["low"], MODELS["noisy"]])}
    asked = {"case_costs": COSTS[twice], "repeat": np.repeat([1, 2], N)}
    both = next(one for one in evaluate(Y[twice], scores, "as stated", **asked).ranking if one.model == "a")
    each = [one for one in evaluate(Y, MODELS, "as stated", case_costs=COSTS).ranking if one.model in MODELS]
    assert both.skill == pytest.approx(np.mean([one.skill for one in each]))
    assert both.acts.mean == pytest.approx(np.mean([one.acts.mean for one in each]))
    fair = evaluate(Y[twice], scores, "as stated", folds=3, rng=5, **asked)
    random = np.random.default_rng(5)
    paid = [paid_when_cross_fitted(score, np.ones(N), deal(3, Y, None, random)) for score in MODELS.values()]
    assert next(one for one in fair.ranking if one.model == "a").recalibrated == pytest.approx(np.mean(paid))


def test_folds_that_leave_nothing_at_stake_are_refused():
    costs = CaseCosts(false_negative=[9, 0, 0, 0], false_positive=0)
    with pytest.raises(InputError) as raised:
        evaluate([1, 0, 1, 0], {"a": [0.8, 0.2, 0.6, 0.1]}, "as stated", case_costs=costs, folds=2)
    assert str(raised.value) == (
        "`folds` must leave cases to fit on in which acting and leaving cost differently, got a fold that leaves none."
    )


def paid_within(capacity, p, weight, dealt, prevalence):
    """Return the money per case of acting from the best threshold that the other folds allow on."""
    acting, leaving = np.full(N, 5.0), AMOUNT - 5.0
    score = p * leaving / (p * leaving + (1 - p) * acting)
    share = weight[Y].sum() / weight.sum()
    scale = np.ones(N) if prevalence is None else np.where(Y, prevalence / share, (1 - prevalence) / (1 - share))
    lost = np.where(Y, leaving, acting)
    total = 0.0
    for out in dealt.held_out():
        fit = ~out & (weight > 0)
        inner = weight[fit & Y].sum() / weight[fit].sum()
        there = 1.0 if prevalence is None else np.where(Y, prevalence / inner, (1 - prevalence) / (1 - inner))
        heads = weight * there
        costs = {}
        for least in [np.inf, *np.unique(score[fit])]:
            acts = score >= least
            if heads[fit & acts].sum() / heads[fit].sum() <= capacity:
                costs[least] = (heads * lost)[fit & (acts != Y)].sum()
        # Of thresholds that cost the same, the one with the fewest alarms.
        best = max(costs, key=lambda least: (-round(costs[least], 9), least))
        total += (weight * scale * lost)[out & ((score >= best) != Y)].sum()
    return total / (weight * scale).sum()


@pytest.mark.sample(3)
@pytest.mark.parametrize("prevalence", [None, 0.1])
@pytest.mark.parametrize("others", [{}, {"weight": WEIGHT}, {"cluster": np.arange(N) // 4}])
@pytest.mark.usefixtures("few_replicates")
def test_thresholds_within_limits_are_paid_for_on_cases_they_were_not_chosen_on(others, prevalence):
    decision = Decision("as stated", limits=Limits(capacity=0.2), prevalence=prevalence)
    found = evaluate(Y, MODELS, decision, case_costs=COSTS, folds=4, rng=3, **others)
    weight = others.get("weight", np.ones(N))
    dealt = deal(4, Y, others.get("cluster"), np.random.default_rng(3))
    models = MODELS | {"amounts alone": np.full(N, (weight * Y).sum() / weight.sum())}
    costs = {one.model: one.regret.estimate for one in found.ranking}
    for name, p in models.items():
        assert costs[name] == pytest.approx(paid_within(0.2, p, weight, dealt, prevalence), rel=1e-12)
    in_sample = evaluate(Y, MODELS, decision, case_costs=COSTS, rng=3, **others).ranking
    assert any(one.regret.estimate < costs[one.model] - 1e-9 for one in in_sample)

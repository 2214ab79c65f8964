"""Laws of planning: what more cases are worth, how many are needed, and cases that are imagined."""

import itertools
import math
import operator
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from stakes import CaseCosts, Cases, auc, brier_score, compare, expected_regret, interval, net_benefit, rank
from stakes.planning import cases_needed, imagine, value_of_cases
from stakes.planning._preposterior import Preposterior, gain_of_two, right_of_two
from stakes.planning._urn import urn_value
from stakes.uncertainty._studies_elsewhere import JointEstimates


def estimates(gain, covariance, models=None, units=100):
    gain = np.array(gain, dtype=float)
    models = np.ones(len(gain), dtype=bool) if models is None else np.array(models)
    names = tuple(map(str, range(len(gain))))
    return JointEstimates(names, gain, np.array(covariance, dtype=float), models, units, "", np.zeros((1, len(gain))))


@st.composite
def laws(draw, prior):
    size = draw(st.integers(2, 6))
    rng = np.random.default_rng(draw(st.integers(0, 10_000)))
    loads = rng.normal(size=(size, size))
    models = np.arange(size) >= draw(st.integers(0, size - 2))
    return Preposterior(estimates(rng.normal(size=size), loads @ loads.T, models), prior)


@pytest.mark.parametrize("prior", ["flat", "near"])
@settings(max_examples=15, deadline=None)
@given(data=st.data())
def test_the_value_is_0_for_no_cases_grows_and_ends_at_that_of_knowing_everything(prior, data):
    law = data.draw(laws(prior))
    perfect, error = law.perfect
    shares = [0.0, 1e-3, 0.1, 0.5, 0.9, 1 - 1e-9]
    found = [law.value(one) for one in shares]
    slack = 6 * (error + max(one for _, one in found)) + 1e-12
    assert found[0][0] == 0
    assert all(b[0] >= a[0] - slack for a, b in itertools.pairwise(found))
    assert found[-1][0] == pytest.approx(perfect, abs=slack + 1e-3 * perfect)


def test_under_the_near_prior_it_is_the_mean_over_what_will_be_believed():
    """By brute force: draw the truth and the next sample, and believe what `rank` would after both."""
    gain, error, share = 0.3, 1.0, 0.4
    law = Preposterior(estimates([gain, 0.0], [[error**2 / 2, 0.0], [0.0, error**2 / 2]]), "near")
    kappa = (np.arange(400) + 0.5) / 400  # contrasts are differences over the root of 2
    tau = 0.5 * (1 - kappa) / kappa
    seen = gain / 2**0.5
    chance = np.exp(-(seen**2) / (2 * (0.5 + tau))) / np.sqrt(0.5 + tau)
    chance /= chance.sum()
    after = np.linspace(-8, 8, 4001)
    density = np.zeros_like(after)
    for one, weight in zip(tau, chance, strict=True):
        mean, variance = seen * one / (0.5 + one), 0.5 * one / (0.5 + one)
        spread = np.sqrt(share**2 * variance + share * (1 - share) * 0.5)
        density += weight * stats.norm.pdf(after, (1 - share) * seen + share * mean, spread)
    left = 0.5 * (1 - share)
    inner = np.exp(-(after[:, None] ** 2) / (2 * (left + tau))) / np.sqrt(left + tau)
    believed = after * (inner @ (tau / (left + tau)) / inner.sum(axis=1))
    step = after[1] - after[0]
    gained = step * (density * np.maximum(believed, 0.0)).sum() - max(step * (density * believed).sum(), 0)
    assert law.value(share)[0] == pytest.approx(2**0.5 * gained, rel=2e-3)


def test_two_options_by_enumeration_of_normal_futures():
    future = stats.norm.ppf((np.arange(200_000) + 0.5) / 200_000)
    for difference, spread in ((0.0, 1.0), (0.5, 1.0), (2.0, 0.7), (3.0, 0.3)):
        wanted = np.maximum(difference + spread * future, 0).mean() - max(difference, 0)
        assert gain_of_two(difference, spread) == pytest.approx(wanted, abs=1e-5)
    assert gain_of_two(1.0, 0.05) == pytest.approx(gain_of_two(-1.0, 0.05))
    assert 0 < gain_of_two(1.0, 1 / 30) < 1e-150
    assert right_of_two(1.0, 1.0, 0.0) == pytest.approx(stats.norm.cdf(1.0))
    assert right_of_two(1.0, 1.0, 1.0) == 1.0


def test_the_urn_by_enumeration_of_every_future():
    loss = np.array([[0.0, 0.3], [1.0, 0.0], [0.2, 0.4]])
    influence = -(loss - loss.mean(axis=0)) / 3
    gains = []
    for future in itertools.product(range(3), repeat=3):
        counts, chance = np.ones(3), 1.0
        for ball in future:
            chance *= counts[ball] / counts.sum()
            counts[ball] += 1
        means = -(counts @ loss) / 6
        gains.append(chance * (means.max() - means[np.argmax(-loss.mean(axis=0))]))
    now = JointEstimates(("a", "b"), -loss.mean(axis=0), np.eye(2), np.ones(2, bool), 3, "", influence)
    found, error = urn_value(now, 3)
    assert abs(found - sum(gains)) < 4 * error


RNG = np.random.default_rng(4)
RISK = RNG.beta(2, 6, 900)
Y = (RNG.random(900) < RISK).astype(int)
MODELS = {"old": np.clip(RISK + RNG.normal(0, 0.1, 900), 0, 1), "new": np.clip(RISK + RNG.normal(0, 0.09, 900), 0, 1)}
CASES = Cases(Y, MODELS)


def test_the_plan_of_a_sample_adds_up():
    plan = value_of_cases(CASES, expected_regret, more=(50, 500, 5000), costs="5%..20%", decisions=10_000, price=0.0002)
    assert np.array_equal(plan.loss_left, plan.perfect - plan.value)
    assert (np.diff(plan.value) > 0).all()
    assert (np.diff(plan.probability_right) > 0).all()
    assert plan.best == "new"
    assert plan.cases == 900
    # Half a case that was not seen, which `rank` adds, is worth something only there.
    ranked = rank(CASES, expected_regret, costs="5%..20%").value_of_information
    assert 0.5 * ranked < plan.perfect <= ranked
    around = [plan.best_more - 40, plan.best_more + 40]
    others = value_of_cases(CASES, expected_regret, more=around, costs="5%..20%").value
    assert all(10_000 * value - 0.0002 * n <= plan.net + 1e-3 for value, n in zip(others, around, strict=True))


def test_the_urn_and_the_normal_law_agree_on_a_large_sample():
    normal, urn = (
        value_of_cases(CASES, brier_score, more=900, prior="flat", method=method) for method in ("normal", "urn")
    )
    assert abs(urn.value[0] - normal.value[0]) < 4 * urn.error + 0.03 * normal.value[0]


def test_nothing_to_choose_is_worth_nothing():
    one = value_of_cases(Cases(Y, {"only": MODELS["old"]}), auc)
    twins = value_of_cases(Cases(Y, {"a": MODELS["old"], "b": MODELS["old"].copy()}), auc, prior="flat")
    for plan in (one, twins):
        assert plan.perfect == 0
        assert not plan.value.any()
    never = value_of_cases(CASES, expected_regret, costs="5%..20%", decisions=10, price=1.0)
    assert (never.best_more, never.net) == (0, 0.0)


def test_a_guess_that_is_worth_fewer_cases_leaves_more_to_learn():
    cases = imagine("10%", {"old": 0.75, "new": 0.77})
    few, many = (value_of_cases(cases, net_benefit, more=500, costs="10%", worth=worth) for worth in (100, 10_000))
    assert few.perfect > 3 * many.perfect
    assert (few.cases, many.cases) == (100, 10_000)


# ------------------------------------------------------------------------------------------- how many are needed


def test_an_interval_of_as_many_cases_has_the_width():
    needed = cases_needed(CASES, brier_score, models="old", width=0.02, assurance=0.5)
    found = interval(CASES, brier_score)["old"]
    assert (found.upper - found.lower) * math.sqrt(900 / needed.total) == pytest.approx(0.02, rel=0.03)
    assert needed.more == needed.total - 900
    wider = cases_needed(CASES, brier_score, models="old", width=0.02)
    assert 1 < wider.total / needed.total < 1.2


def test_a_margin_is_shown_by_as_many_cases():
    found = compare(CASES, "new", "old", brier_score)
    needed = cases_needed(CASES, brier_score, models=("new", "old"), margin=0.005)
    error = needed.spread / math.sqrt(needed.total)
    assert stats.norm.cdf((0.005 - found.difference) / error - stats.norm.ppf(0.95)) == pytest.approx(0.8, abs=0.01)
    never = cases_needed(CASES, brier_score, models=("old", "new"), margin=-1.0)
    assert math.isinf(never.total)
    assert never.text == "No number of cases will show that it is worse by less than -1."


def test_the_sentence_rounds_up():
    needed = cases_needed(CASES, brier_score, models="old", width=0.02)
    about = int(needed.text.split("About ")[1].split(" cases")[0].replace(",", ""))
    assert needed.total <= about <= 1.1 * needed.total
    assert needed.text.endswith(" cases give an interval that is at most 0.02 wide, with probability 80%.")


def test_imagined_cases_are_none_that_anybody_has():
    cases = imagine(0.3, {"old": 0.7, "new": 0.8})
    for guess in (cases, cases.with_constants({"everyone": 1.0})):
        for measure in (auc, "calibration_slope", "calibration_ratio"):
            needed = cases_needed(guess, measure, models="new", width=0.2)
            assert needed.more == needed.total < len(cases)
        with pytest.raises(ValueError, match=r"`worth` must say how many cases the guess is worth.*got None\."):
            value_of_cases(guess, auc)


@pytest.mark.parametrize(
    ("score", "measure", "message"),
    [
        ([0, 1, 1, 0], "calibration_slope", "two different scores strictly between 0 and 1 .*, got none"),
        ([0.3, 0.3, 0, 0.3], "calibration_slope", "two different scores strictly between 0 and 1 .*, got one"),
        ([0, 0, 0, 0], "calibration_ratio", "scores other than 0 and other than 1 .*, got a mean of 0"),
        ([1, 1, 1, 1], "calibration_ratio", "scores other than 0 and other than 1 .*, got a mean of 1"),
        ([0.5, 0.5, 0.5, 0.5], brier_score, "standard error above 0, got 0 from 4 positives and 0 negatives"),
        ([0.1, 0.2, 0.3, 0.4], auc, "standard error above 0, got nan from 4 positives and 0 negatives"),
    ],
)
def test_a_sample_that_says_nothing_about_the_spread_is_refused(score, measure, message):
    with pytest.raises(ValueError, match=f"^`cases` must .*{message}\\.$"):
        cases_needed(Cases([1, 1, 1, 1], {"model": score}), measure, width=0.2)


def test_the_slope_of_scores_that_hardly_differ():
    """The textbook difference of products would cancel to noise here; fractions do not."""
    few = [0.3, 0.3 + 2**-40, 0.3, 0.3 + 2**-40]
    share = [Fraction(one) * (1 - Fraction(one)) / 4 for one in few]
    log_odds = [Fraction(math.log1p(2**-40 / 0.3) - math.log1p(-(2**-40) / 0.7)) * (one > 0.3) for one in few]
    centre = sum(map(operator.mul, share, log_odds)) / sum(share)
    spread = sum(one * (at - centre) ** 2 for one, at in zip(share, log_odds, strict=True))
    wanted = float(1 / spread) * (2 * stats.norm.ppf(0.975) / 0.2) ** 2
    found = cases_needed(Cases([0, 1, 0, 1], {"model": few}), "calibration_slope", width=0.2)
    assert found.total == pytest.approx(wanted, rel=1e-3)


def test_the_sizes_of_a_validation_by_the_formulas_of_riley():
    """Statistics in Medicine 40(19), 2021: a prevalence of 1.8%, an AUC of 0.8, intervals that are 0.2 wide."""
    cases = imagine(0.018, 0.8)
    assert cases_needed(cases, "calibration_ratio", width=0.2).total == pytest.approx(
        21_033, rel=2e-3
    )  # (1 - p)/p (1.96/asinh(0.1))^2
    assert cases_needed(cases, "calibration_slope", width=0.2).total == pytest.approx(17_128, rel=1e-2)


# ------------------------------------------------------------------------------------------- imagined cases


@given(st.floats(0.02, 0.9), st.floats(0.55, 0.95), st.floats(0.55, 0.95))
@settings(max_examples=12, deadline=None)
def test_imagined_models_are_as_stated(prevalence, one, two):
    cases = imagine(prevalence, {"one": one, "two": two})
    found = {name: each.estimate for name, each in interval(cases, auc).items()}
    assert found == pytest.approx({"one": one, "two": two}, abs=2e-3)
    table = cases.table("one")
    assert table.prevalence == pytest.approx(prevalence, rel=1e-12)
    assert (table.score @ (table.positive + table.negative)) / table.total == pytest.approx(prevalence, rel=5e-3)


def test_the_better_model_knows_what_the_worse_one_knows():
    cases = imagine(0.3, {"worse": 0.7, "better": 0.8})
    y = cases.positive
    log_odds = {name: np.log(s / (1 - s)) for name in cases.models for s in [cases.table(name).score[cases.rows(name)]]}
    wanted = stats.norm.ppf(0.7) / stats.norm.ppf(0.8)
    for here in (y, ~y):
        assert np.corrcoef(*(one[here] for one in log_odds.values()))[0, 1] == pytest.approx(wanted, abs=0.02)


AREA = {"cases": CASES, "measure": auc}
SLOPE = {"cases": CASES, "measure": "calibration_slope", "models": "old", "width": 0.2}
STAKED = Cases(Y, MODELS, case_costs=CaseCosts(false_positive=1.0, false_negative=1.0 + RISK))


@pytest.mark.parametrize(
    ("function", "arguments", "message"),
    [
        (imagine, {"auc": {1: 0.7, "1": 0.8}}, "`auc` must map names of models to AUCs, got 1 as a name."),
        (imagine, {"auc": 0.4}, "`auc` must lie strictly between 0.5 and 1, got 0.4; turn the score round."),
        (imagine, {"auc": {}}, "`auc` must hold the AUC of at least one model, got none."),
        (
            value_of_cases,
            AREA | {"decisions": 1e200, "price": 1, "unit_value": 1e200},
            "`decisions` and `unit_value` must have a finite product, got infinity.",
        ),
        (
            value_of_cases,
            AREA | {"decisions": 1e300, "price": 1e-300},
            "`price` must be large enough for a finite number of cases to be best, got 1e-300.",
        ),
        (value_of_cases, AREA | {"decisions": 10}, "`price` must be given with `decisions`, got None."),
        (value_of_cases, AREA | {"method": "urn"}, "`method` must be 'normal' unless the prior is flat and `worth`"),
        (value_of_cases, AREA | {"measure": lambda t: 2 * auc(t), "better": "larger"}, "`measure` must have a formula"),
        (cases_needed, AREA, "`width` and `margin` must be given one at a time, got neither."),
        (cases_needed, AREA | {"width": 0.1}, "`models` must name a model, or two for their difference"),
        (cases_needed, AREA | {"margin": 0.1, "models": "old"}, "`models` must be two"),
        (cases_needed, SLOPE | {"nonsense": 3}, "`parameters` must be arguments of cases_needed (width, margin, "),
        (cases_needed, SLOPE | {"power": 0.8}, "`power` must be left out for calibration_slope, got 0.8."),
        (cases_needed, SLOPE | {"assurance": "90%"}, "`assurance` must be left out for calibration_slope, got '90%'."),
        (cases_needed, SLOPE | {"better": "larger"}, "`better` must be left out for calibration_slope, got 'larger'."),
        (cases_needed, SLOPE | {"cases": STAKED}, "`cases` must have no case costs for the size of a study of the"),
    ],
)
def test_what_cannot_be_planned_is_refused(function, arguments, message):
    given = {"prevalence": 0.1} | arguments if function is imagine else arguments
    with pytest.raises(ValueError) as raised:  # noqa: PT011 -- the text is compared
        function(**given)
    assert str(raised.value).startswith(message)


def test_calibration_of_clusters_is_refused():
    cases = Cases([0, 1, 1, 0] * 10, {"a": [0.1, 0.8, 0.6, 0.2] * 10}, cluster=[k // 2 for k in range(40)])
    with pytest.raises(ValueError) as raised:  # noqa: PT011 -- the text is compared
        cases_needed(cases, "calibration_slope", width=0.2)
    wanted = (
        "`cases` must have no clusters for calibration_slope, whose formula is for cases one by one, got 20 clusters."
    )
    assert str(raised.value) == wanted

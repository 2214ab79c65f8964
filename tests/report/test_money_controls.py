"""The controls of a page in money: each position shows what decisions cost there, by hand and in `evaluate`."""

import json
import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from stakes import CaseCosts, Decision, Limits, evaluate
from stakes._wording import NOT_KNOWN
from stakes.beliefs import IndependentCosts
from stakes.report import render
from stakes.report._money_states import money_states

RNG = np.random.default_rng(12)
SIZE = 400
LOGIT = RNG.normal(-2, 1.5, SIZE)
FRAME = pd.DataFrame(
    {
        "fraud": (RNG.random(SIZE) < 1 / (1 + np.exp(-LOGIT))).astype(int),
        "<b>gbm": (1 / (1 + np.exp(-LOGIT))).round(2),
        "rules": (1 / (1 + np.exp(-0.5 * LOGIT - RNG.normal(1, 1, SIZE)))).round(2),
        "amount": np.exp(RNG.normal(4, 1.2, SIZE)).round(2),
        "often": RNG.choice([0.5, 1.0, 3.0], SIZE),
    }
)
COSTS = CaseCosts(false_negative="0.75*amount", false_positive=5, true_positive=3)
MODELS = ["<b>gbm", "rules"]


def evaluated(decision, **how):
    return evaluate("fraud", MODELS, decision, data=FRAME, case_costs=COSTS, **how)


DECISIONS = {
    "as stated": "as stated",
    "range": "x2..x4",
    "misses doubled": Decision(IndependentCosts(false_negative=(2, 2), false_positive=(1, 1))),
    "capacity": Decision("as stated", limits=Limits(capacity=0.15)),
    "precision": Decision("as stated", limits=Limits(min_precision=0.4)),
}


@pytest.fixture(scope="module", params=DECISIONS)
def evaluation(request):
    return evaluated(DECISIONS[request.param], weight="often")


def paid_by_hand(model, miss, times, capacity, precision):
    """Least money per case over every threshold that is allowed, or that of each case's own threshold."""
    y, p, weight = FRAME["fraud"].to_numpy(), FRAME[model].to_numpy(), FRAME["often"].to_numpy()
    lost, saved = np.full(SIZE, 5.0), 0.75 * FRAME["amount"].to_numpy() - 3
    leaving = np.where(y == 1, np.maximum(saved, 0), 0) * miss
    acting = np.where(y == 1, np.maximum(-saved, 0), lost) * times
    gain, loss = p * np.maximum(saved, 0), (1 - p) * lost + p * np.maximum(-saved, 0)
    score = gain / (gain + loss)

    def paid(acts):
        return np.sum(weight * np.where(acts, acting, leaving)) / weight.sum()

    if capacity is None and precision is None:
        return paid(miss * gain >= times * loss)
    allowed = []
    for cut in [*np.unique(score), np.inf]:
        acts = score >= cut
        alarms = weight[acts].sum()
        few = capacity is None or alarms <= capacity * weight.sum() * (1 + 1e-12)
        if few and (not alarms or precision is None or weight[acts & (y == 1)].sum() >= precision * alarms):
            allowed.append(paid(acts))
    return min(allowed)


def test_every_position_is_what_the_decisions_cost(evaluation):
    known, limits = money_states(evaluation), evaluation.decision.limits
    miss = evaluation.decision.costs.false_negative[0]
    for share, times in [known.start, (0, 0), (2, 21), (-1, 3), (-1, -1), (4, 8)]:
        capacity, multiple = known.shares[share], known.times[times]
        precision = None if limits is None else limits.min_precision
        shown = {one.model: one.paid for one in known.shown[share][times]}
        for model in MODELS:
            wanted = paid_by_hand(model, miss, multiple, capacity, precision)
            assert shown[model] == pytest.approx(wanted, rel=1e-9), (capacity, multiple)
        assert list(shown.values()) == sorted(shown.values())


def test_every_position_is_the_evaluation_there(evaluation, few_replicates):
    known, decision = money_states(evaluation), evaluation.decision
    for share, times in [(1, 6), (5, 15), (-1, 18)]:
        miss, multiple = decision.costs.false_negative, known.times[times]
        costs = IndependentCosts(false_negative=miss, false_positive=(multiple, multiple))
        precision = None if decision.limits is None else decision.limits.min_precision
        limits = Limits(capacity=known.shares[share], min_precision=precision)
        there = evaluated(replace(decision, costs=costs, limits=limits), weight="often")
        wanted = {one.model: one for one in there.ranking}
        for one in known.shown[share][times]:
            assert one.paid == pytest.approx(wanted[one.model].regret.estimate, rel=1e-9)
            assert one.alarms == pytest.approx(wanted[one.model].acts.mean, abs=1e-12)
        for model, policy in there.policies.items():
            one = next(one for one in known.shown[share][times] if one.model == model)
            if limits != Limits():
                found = (one.cut, one.precision, one.recall)
                wanted_there = (policy.threshold[0], policy.precision[0], policy.recall[0])
                assert found == pytest.approx(wanted_there, rel=1e-9, nan_ok=True)


@pytest.mark.parametrize(
    ("decision", "how"),
    [
        (Decision("as stated", prevalence=0.1), {}),
        (Decision("as stated", limits=Limits(budget=0.05)), {}),
        (Decision("as stated", limits=Limits(capacity=0.15)), {"folds": 3}),
        (Decision(IndependentCosts(false_negative=(0.6, 1), false_positive=(1, 1))), {}),
    ],
)
def test_where_other_decisions_are_not_known_there_are_no_controls(decision, how, few_replicates):
    page = render(evaluated(decision, **how))
    assert "<input" not in page
    assert "This page has no controls" in page
    assert "The controls of this page" not in page


def test_a_moved_control_shows_its_position(open_file, tmp_path):
    found = evaluated(DECISIONS["capacity"])
    found.save_html(tmp_path / "money.html")
    text = (tmp_path / "money.html").read_text(encoding="utf-8")
    known = money_states(found)
    page = open_file(tmp_path / "money.html")

    def seen():
        rows = page.locator("#moves-rows tr").all()
        return [[cell.text_content() for cell in row.locator("td").all()] for row in rows]

    def wanted(share, times):
        unit = found.unit
        return [[one.model, unit.number(one.paid), f"{1000 * one.alarms:,.4g}"] for one in known.shown[share][times]]

    def as_wanted():
        return [[row[0], row[1], row[3]] for row in seen()]

    share, times = known.start
    stated = seen()
    assert as_wanted() == wanted(share, times)
    assert stated[-1][2] == NOT_KNOWN  # acting on no one has no score to act from
    page.locator("#move-times").press("ArrowRight")
    page.locator("#move-share").press("End")
    assert as_wanted() == wanted(len(known.shares) - 1, times + 1)
    said = "A false alarm costs 1.2 times what is stated. Any number of cases can be acted on."
    assert page.locator("#moves-said").text_content() == said
    assert page.locator("#move-times").get_attribute("aria-valuetext") == said.split(". ")[0] + "."
    first, second = known.shown[-1][times + 1][:2]
    less = found.unit.number(second.paid - first.paid)
    answer = f"{first.model} costs least: {found.unit.cost(first.paid)}, {less} less than {second.model}."
    assert page.locator("#moves-answer").text_content() == answer
    drawn = page.locator("polyline.moved").first.get_attribute("points").split()
    highest = max(found.unit.value(one.paid) for row in known.shown for state in row for one in state)
    for place, state in zip(drawn, known.shown[-1], strict=True):
        paid = next(one.paid for one in state if one.model == found.best.model)
        assert float(place.split(",")[1]) == pytest.approx(250 - 220 * found.unit.value(paid) / highest, abs=0.051)
    page.get_by_role("button", name="Back").click()
    assert seen() == stated
    assert json.loads(re.search(r"id=data>(.*?)</script>", text, re.DOTALL)[1]) == json.loads(found.to_json())


def test_it_is_said_in_german(monkeypatch):
    unknown = []
    monkeypatch.setattr("stakes._language.unknown", lambda text: unknown.append(text) or text)
    found = evaluated(DECISIONS["capacity"])
    page = render(found, lang="de")
    assert [text for text in unknown if re.search(r"[A-Za-z]{2}", re.sub(r"\{[^}]*\}", "", text))] == []
    assert "Ein Fehlalarm kostet das 1,2-Fache des Angegebenen." in page

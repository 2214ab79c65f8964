"""Evaluations of several actions: shares, values and sentences, each computed again from the definition."""

import json
import math
import re
from importlib.resources import files

import numpy as np
import pytest
from jsonschema import validate as validate_schema

from stakes import Decision, EventBy, InputError, Limits, evaluate, evaluate_tables, score_table
from stakes.beliefs import Actions
from stakes.evaluation.findings._action_findings import ACTION_TEMPLATES

TRIAGE = {"discharge": (0, 20), "observe": (1, 6), "admit": (4, 1)}
SCHEMA = json.loads(files("stakes.evaluation").joinpath("evaluation.schema.json").read_text(encoding="utf-8"))


def sample(seed, n=300, sharp=1.5):
    rng = np.random.default_rng(seed)
    y = (rng.random(n) < 0.25).astype(int)
    score = 1 / (1 + np.exp(-(sharp * (y - 0.5) + rng.normal(0, 1, n) - 1)))
    return y, np.round(score, 3)


def paid_by_case(y, score, costs):
    """Return what each case pays for its cheapest action; of two that tie, the more active."""
    pairs = list(costs.values())
    chosen = []
    for p in score:
        means = [(1 - p) * negative + p * positive for negative, positive in pairs]
        chosen.append(min((k for k, mean in enumerate(means) if mean <= min(means) + 1e-12), key=lambda k: pairs[k][1]))
    return np.array([pairs[k][outcome] for k, outcome in zip(chosen, y, strict=True)]), chosen


def floor_by_case(y, costs):
    return np.array([min(pair[outcome] for pair in costs.values()) for outcome in y])


def less(costs, name):
    return {other: pair for other, pair in costs.items() if other != name}


@pytest.mark.parametrize("seed", range(3))
def test_costs_shares_and_values_are_those_of_simulated_decisions(seed):
    y, score = sample(seed)
    use = evaluate(y, {"m": score}, Actions(TRIAGE)).actions
    paid, chosen = paid_by_case(y, score, TRIAGE)
    regret = evaluate(y, {"m": score}, Actions(TRIAGE)).intervals["m"].estimate
    assert regret + use.floor == pytest.approx(paid.mean(), rel=1e-12)
    assert use.floor == pytest.approx(floor_by_case(y, TRIAGE).mean(), rel=1e-12)
    assert list(use.shares["m"].values()) == pytest.approx([np.mean(np.array(chosen) == k) for k in range(3)])
    for name, value in use.values.items():
        extra = paid_by_case(y, score, less(TRIAGE, name))[0] - paid
        error = extra.std(ddof=1) / math.sqrt(len(y))
        assert value.estimate == pytest.approx(extra.mean(), rel=1e-9)
        assert (value.lower, value.upper) == pytest.approx(
            (extra.mean() - 1.959964 * error, extra.mean() + 1.959964 * error), rel=1e-5
        )
    for name, alone in use.alone.items():
        everyone = np.array([TRIAGE[name][outcome] for outcome in y])
        assert alone + use.floor == pytest.approx(everyone.mean(), rel=1e-12)


def test_clusters_and_weights_reach_the_values():
    y, score = sample(4)
    cluster = np.repeat(np.arange(100), 3)
    plain = evaluate(y, {"m": score}, Actions(TRIAGE)).actions.values["observe"]
    twice = evaluate(np.tile(y, 2), {"m": np.tile(score, 2)}, Actions(TRIAGE), cluster=np.tile(np.arange(300), 2))
    assert twice.actions.values["observe"].lower == pytest.approx(plain.lower, rel=1e-6)
    weighted = evaluate(y, {"m": score}, Actions(TRIAGE), weight=np.full(300, 2.5)).actions.values["observe"]
    assert weighted.upper == pytest.approx(plain.upper, rel=1e-9)
    clustered = evaluate(y, {"m": score}, Actions(TRIAGE), cluster=cluster).actions.values["observe"]
    assert clustered.estimate == pytest.approx(plain.estimate)


def test_another_prevalence_moves_shares_and_values():
    y, score = sample(5)
    odds = score / (1 - score) * (0.05 / 0.95) / (y.mean() / (1 - y.mean()))
    corrected, weight = odds / (1 + odds), np.where(y == 1, 0.05 / y.mean(), 0.95 / (1 - y.mean()))
    use = evaluate(y, {"m": score}, Decision(Actions(TRIAGE), prevalence=0.05)).actions
    paid, chosen = paid_by_case(y, corrected, TRIAGE)
    assert use.shares["m"]["observe"] == pytest.approx(np.average(np.array(chosen) == 1, weights=weight))
    for name, value in use.values.items():
        extra = paid_by_case(y, corrected, less(TRIAGE, name))[0] - paid
        assert value.estimate == pytest.approx(np.average(extra, weights=weight), rel=1e-9)
        assert math.isnan(value.lower)


# ------------------------------------------------------------------------------------------------------- sentences

NUMBER = r"(-?[\d,.]+)"


def numbers(text):
    plain = text.replace("\u2212", "-")
    return [float(one.replace(",", "").rstrip(".")) for one in re.findall(NUMBER, plain)]


def is_printed(said, true):
    return abs(said - 1000 * true) <= 0.5 + 1e-6 * abs(1000 * true)


class World:
    """A sample and its actions, for judges that compute a claim again."""

    def __init__(self, y, scores, costs):
        self.y, self.scores, self.costs = y, scores, costs
        self.paid = {name: paid_by_case(y, score, costs)[0] for name, score in scores.items()}
        self.best = min(self.paid, key=lambda name: self.paid[name].mean())

    def extra(self, action):
        return paid_by_case(self.y, self.scores[self.best], less(self.costs, action))[0] - self.paid[self.best]


def judge_dropped(values, world):
    grid = np.linspace(0, 1, 2001)
    means = {name: (1 - grid) * pair[0] + grid * pair[1] for name, pair in world.costs.items()}
    others = np.min([mean for name, mean in means.items() if name != values["action"].strip("\u2018\u2019")], axis=0)
    assert (means[values["action"].strip("\u2018\u2019")] >= others - 1e-9).all()


def judge_unused(values, world):
    chosen = paid_by_case(world.y, world.scores[values["model"]], world.costs)[1]
    assert list(world.costs)[max(chosen)] != values["action"].strip("\u2018\u2019")
    assert values["action"].strip("\u2018\u2019") not in {list(world.costs)[k] for k in chosen}


def judge_alone(values, world):
    costs = world.costs[values["action"].strip("\u2018\u2019")]
    floor = floor_by_case(world.y, world.costs).mean()
    alone = np.mean([costs[outcome] for outcome in world.y]) - floor
    assert values["model"] == world.best
    assert is_printed(numbers(values["alone"])[0], alone)
    assert is_printed(numbers(values["less"])[0], world.paid[world.best].mean() - floor - alone)
    assert world.paid[world.best].mean() - floor > alone


def judge_saves(values, world, *, sign=1, place="gain"):
    extra = sign * world.extra(values["action"].strip("\u2018\u2019"))
    assert values["model"] == world.best
    assert is_printed(numbers(values[place])[0], extra.mean())
    if "lower" in values:
        error = 1.959964 * extra.std(ddof=1) / math.sqrt(len(extra))
        assert is_printed(numbers(values["lower"])[0], extra.mean() - error)
        assert is_printed(numbers(values["upper"])[0], extra.mean() + error)
        assert values["level"] == "95%"
    return extra


def judge_detected(values, world):
    judge_saves(values, world)
    assert numbers(values["lower"])[0] > 0


def judge_undetected(values, world):
    judge_saves(values, world)
    assert numbers(values["lower"])[0] <= 0 <= numbers(values["upper"])[0]


def judge_harm(values, world):
    assert judge_saves(values, world, sign=-1, place="loss").mean() > 0


JUDGES = {
    "action-dropped": judge_dropped,
    "action-unused": judge_unused,
    "action-alone": judge_alone,
    "action-saves": judge_detected,
    "action-saves-close": judge_undetected,
    "action-saves-unsure": judge_saves,
    "action-harms": judge_harm,
}


def test_every_sentence_about_actions_is_true():
    assert JUDGES.keys() == ACTION_TEMPLATES.keys()
    said = set()
    for seed in range(12):
        y, score = sample(seed, sharp=(2.5, 1.0, 0.2)[seed % 3])
        costs = {**TRIAGE, "wait": (3, 9)} if seed % 2 else TRIAGE
        scores = {"m": score, "shy": np.round(score**3, 3)} if seed % 4 else {"m": np.clip(1 - score, 0.01, 0.4)}
        world = World(y, scores, costs)
        tables = {name: score_table(y, one) for name, one in scores.items()}
        actions = Actions(costs)
        for evaluation in (evaluate(y, scores, actions), evaluate_tables(tables, actions)):
            for finding in evaluation.findings:
                assert len(finding.text.split()) <= 30 or not finding.kind.startswith("action")
                if finding.kind in JUDGES:
                    said.add(finding.kind)
                    JUDGES[finding.kind](finding.values, world)
    assert said == JUDGES.keys() - {"action-alone"}


def test_over_a_range_of_prevalence_a_finding_names_the_action_that_is_best_for_all():
    y, score = sample(5, sharp=0.2)
    found = evaluate(y, {"m": score}, Decision(Actions(TRIAGE), prevalence="20%..30%"))
    (alone,) = (one for one in found.findings if one.kind == "action-alone")
    assert {one.model for one in found.ranking if one.reference} == {"act on no one", "act on everyone"}
    cost = 0.75 * 1 + 0.25 * 6 - 0.25 * 1  # of observing, above what the best action for each costs
    assert alone.values["action"] == "\u2018observe\u2019"
    assert is_printed(numbers(alone.values["alone"])[0], cost)
    assert is_printed(numbers(alone.values["less"])[0], found.ranking[0].regret.estimate - cost)


@pytest.mark.parametrize("prevalence", [None, 0.1, 0.45])
@pytest.mark.parametrize("seed", range(2))
def test_one_action_for_all_is_ranked_with_the_models(seed, prevalence):
    y, score = sample(seed, sharp=0.2)
    found = evaluate(y, {"m": score}, Decision(Actions(TRIAGE), prevalence=prevalence))
    share = y.mean() if prevalence is None else prevalence
    alone = {name: (1 - share) * pair[0] + share * pair[1] for name, pair in TRIAGE.items()}
    best = min(alone, key=alone.get)
    one = [standing for standing in found.ranking if standing.model == "one action for all"]
    assert bool(one) == (best == "observe")
    if one:
        assert one[0].reference
        assert one[0].skill == pytest.approx(0, abs=1e-12)
        assert one[0].regret.estimate + found.actions.floor == pytest.approx(alone[best], rel=1e-12)
        assert "The best action for all is \u2018observe\u2019." in str(found).replace("\n", " ")
    if found.best.model == "one action for all":
        assert re.match("(m is not worth using|Use no model): give every case \u2018observe\u2019", found.answer)


def test_a_model_called_like_the_reference_is_not_taken_for_it():
    y, score = sample(1, sharp=0.2)
    found = evaluate(y, {"one action for all": score}, Actions(TRIAGE))
    assert {one.model: one.reference for one in found.ranking}["one action for all"] is False
    assert found.best.model == "one action for all (reference)"
    assert found.answer == "one action for all is not worth using: give every case \u2018observe\u2019."


def test_sentences_about_acting_or_not_are_left_out():
    y, score = sample(1)
    kinds = {one.kind for one in evaluate(y, {"m": score, "n": score[::-1]}, Actions(TRIAGE)).findings}
    assert not kinds & {"crossing", "better-throughout", "better-in-part", "never-acts", "hardly-acts", "steady"}


# ---------------------------------------------------------------------------------------------------- text and JSON


def test_the_text_has_the_actions_and_their_shares():
    y, score = [0, 0, 0, 1, 1], [0.05, 0.05, 0.2, 0.3, 0.9]
    text = str(evaluate(y, {"m": score}, Actions(TRIAGE)))
    assert "\u2018observe\u2019 1 and 6, \u2018admit\u2019 4 and 1?" in " ".join(text.split())
    assert "acts on" not in text
    assert re.search(r"m +40% +40% +20%", text)
    said = " ".join(text.split())
    assert (
        "To act on no one is to give every case \u2018discharge\u2019; to act on everyone, \u2018admit\u2019." in said
    )
    assert "The best action for each case costs 400 in your cost units per 1,000 cases, which no model changes." in said


def test_costs_of_actions_may_be_hours_and_are_never_called_money(tmp_path):
    y, score = sample(1)
    found = evaluate(y, {"m": score, "n": score[::-1]}, Actions(TRIAGE))
    assert (found.unit.name, found.unit.factor) == ("your cost units", 1.0)
    assert found.unit.heading == "in your cost units per 1,000 cases"
    assert found.unit.cost(0.001) == "1 in your cost units per 1,000 cases"
    assert found.to_dict()["unit"]["numbers"] == "expected cost per case, in your cost units"
    text = " ".join(str(found).split())
    wanted = "what decisions cost above the best action for each case, in your cost units per 1,000 cases."
    assert f"Expected cost (regret): {wanted}" in text
    assert "money" not in text
    assert "money" not in found.to_json()
    found.save_html(tmp_path / "page.html")
    assert "money" not in re.sub(
        r"<(style|script).*?</\1>", "", (tmp_path / "page.html").read_text("utf-8"), flags=re.DOTALL
    )


def test_json_keeps_to_its_schema():
    y, score = sample(2)
    several = evaluate(y, {"m": score}, Actions.refer(false_negative=9, false_positive=1, fee=(0.2, 1.5)))
    known = several.to_dict()
    validate_schema(known, SCHEMA)
    assert known["actions"]["shares"]["m"].keys() == {"leave", "refer", "act"}
    plain = evaluate(y, {"m": score}, "10%..30%").to_dict()
    validate_schema(plain, SCHEMA)
    assert plain["actions"] is None


def test_actions_have_thresholds_of_their_own_and_no_answer_says_from_where_to_act():
    y, score = sample(3)
    for actions in (Actions({"leave": (0, 9), "act": (1, 0)}), Actions(TRIAGE)):
        found = evaluate(y, {"m": score}, actions)
        assert found.recommended_threshold is None
        assert "ct from" not in found.answer


# ----------------------------------------------------------------------------------------------------------- bad input


def test_limits_and_actions_without_a_choice_are_refused():
    with pytest.raises(ValueError, match=r"`limits` must be left out where there are several actions, got .*scarce"):
        Decision(Actions(TRIAGE), limits=Limits(capacity=0.1))
    with pytest.raises(ValueError, match=r"`costs` must leave a choice.*so no forecast changes this decision"):
        Decision(Actions({"rest": (0, 1), "treat": (1, 2)}))


def test_shares_count_everyone_though_some_left_before_the_horizon():
    rng = np.random.default_rng(5)
    score = np.round(rng.random(200), 2)
    outcome = EventBy(rng.exponential(8 - 6 * score), rng.random(200) < 0.5, 2)
    assert not outcome.known.all()
    triage = Actions(TRIAGE)
    shares = evaluate(outcome, {"m": score}, triage).actions.shares["m"]
    assert shares == {name: pytest.approx(np.mean(triage.decide(score) == name), rel=1e-12) for name in triage.kept}


def test_several_actions_are_not_deployed_as_a_policy():
    y, score = sample(1)
    evaluation = evaluate(y, {"m": score}, Actions(TRIAGE))
    for deploy in (evaluation.policy, lambda: evaluation.classifier(object())):
        with pytest.raises(InputError, match=r"`costs` must be between acting .* use `Actions.decide\(scores\)`"):
            deploy()

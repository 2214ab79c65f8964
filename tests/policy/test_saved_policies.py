"""A policy that was saved is the policy that is loaded, or nothing: no changed file gives a threshold."""

import contextlib
import json
import math
from importlib.resources import files

import jsonschema
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stakes import Decision, Limits, Policy, Uniform, best_thresholds, evaluate, score_table
from stakes._errors import UnreadableFileError
from stakes._sealed_file import write_sealed
from stakes.beliefs import CostRatio, FractionalCost, InverseCostRatio
from stakes.prevalence import shifted

SCHEMA = json.loads(files("stakes.policy").joinpath("policy.schema.json").read_text(encoding="utf-8"))
TABLE = score_table([0, 1, 0, 1, 1, 0, 0, 1], [0.1, 0.8, 0.3, 0.6, 0.4, 0.2, 0.7, math.inf])
POLICY = best_thresholds(TABLE, Uniform(0.05, 0.9))


@st.composite
def policies(draw):
    cases = draw(st.lists(st.tuples(st.booleans(), st.sampled_from([-math.inf, 0.1, 1 / 3, 2e-17, 7.0, math.inf]))))
    y, score = [0, 1, *(int(one) for one, _ in cases)], [0.5, 0.1, *(score for _, score in cases)]
    costs = [Uniform(0.01, 0.9), 0.2, FractionalCost(0, 1), CostRatio(0.1, 4), InverseCostRatio(0.1, 4)]
    limits = [None, Limits(capacity=0.3), Limits(min_precision=0.6), Limits(capacity=0, min_precision=1 / 3)]
    return best_thresholds(score_table(y, score), draw(st.sampled_from(costs)), draw(st.sampled_from(limits)))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("policies")


@given(policies())
@settings(max_examples=25)
def test_a_round_trip_changes_no_bit_and_fits_the_schema(folder, policy):
    policy.save(folder / "policy.json")
    again = Policy.load(folder / "policy.json")
    assert again == policy
    assert all(getattr(again, one).tobytes() == column.tobytes() for one, column in policy.to_frame().items())
    jsonschema.validate(json.loads((folder / "policy.json").read_text(encoding="utf-8")), SCHEMA)


def test_policies_that_differ_anywhere_are_not_equal():
    other = best_thresholds(TABLE, Uniform(0.05, 0.8))
    assert other != POLICY
    assert POLICY != 3
    assert evaluate([0, 1], {"a": [0.1, 0.2]}, "10%").policy() != best_thresholds(score_table([0, 1], [0.1, 0.2]), 0.1)


@pytest.mark.slow
def test_no_file_with_a_changed_character_gives_another_policy(folder):
    POLICY.save(folder / "whole.json")
    text = (folder / "whole.json").read_text(encoding="utf-8")
    damaged = folder / "damaged.json"
    for place in range(0, len(text), 3):
        for other in {"7", " ", "x", ""} - {text[place]}:
            damaged.write_text(text[:place] + other + text[place + 1 :], encoding="utf-8")
            with contextlib.suppress(UnreadableFileError):
                assert Policy.load(damaged) == POLICY  # a blank more or less


def changed(**parts):
    def change(contents):
        return contents | parts

    return change


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (changed(kind="stakes table"), "it does not say that it is a stakes policy"),
        (changed(format=3), "it has format 3, and this version reads 1 and 2"),
        (changed(prevalence=0.3), "its contents do not have the sha256 that it states, so it was changed or damaged"),
        (changed(sha256=None), "its contents do not have the sha256 that it states, so it was changed or damaged"),
        (lambda contents: [contents], "it is not a JSON object"),
    ],
)
def test_a_file_that_cannot_be_used_says_why(change, reason, folder):
    POLICY.save(folder / "good.json")
    contents = json.loads((folder / "good.json").read_text(encoding="utf-8"))
    (folder / "bad.json").write_text(json.dumps(change(contents)), encoding="utf-8")
    with pytest.raises(OSError, match=r"^bad\.json must") as raised:
        Policy.load(folder / "bad.json")
    assert str(raised.value) == f"bad.json must be a file written by `Policy.save`: {reason}."


@pytest.mark.parametrize(
    "change", [{"prevalence": 3.0}, {"prevalence": None}, {"scale": "euros"}, {"model": 3}, {"steps": []}]
)
def test_a_file_with_values_that_no_policy_has_is_refused(change, folder):
    POLICY.save(folder / "good.json")
    contents = json.loads((folder / "good.json").read_text(encoding="utf-8")) | change
    del contents["sha256"]
    write_sealed(folder / "bad.json", contents)
    with pytest.raises(UnreadableFileError, match="it lacks a part, or has one of the wrong kind"):
        Policy.load(folder / "bad.json")


@pytest.mark.parametrize("text", ["", "{", '{"kind": 1, "kind": 1}', '{"prevalence": NaN}', "\xff", "[" * 100_000])
def test_text_that_is_no_policy_is_refused(text, folder):
    (folder / "text.json").write_bytes(text.encode("latin-1"))
    with pytest.raises(OSError, match="it is not JSON, or only part of it"):
        Policy.load(folder / "text.json")


def test_blanks_and_the_order_of_keys_do_not_matter(folder):
    POLICY.save(folder / "spread.json")
    contents = json.loads((folder / "spread.json").read_text(encoding="utf-8"))
    (folder / "spread.json").write_text(json.dumps(dict(reversed(contents.items()))), encoding="utf-8")
    assert Policy.load(folder / "spread.json") == POLICY


def test_a_policy_of_an_evaluation_acts_on_scores_as_given():
    rng = np.random.default_rng(3)
    score = np.round(rng.beta(2, 5, 400), 3)
    y = (rng.random(400) < score).astype(int)
    evaluation = evaluate(y, {"model": score}, "2%..60%")
    assert np.array_equal(evaluation.policy().threshold, evaluation.policies["model"].threshold)
    rarer = evaluate(y, {"model": score}, Decision("2%..60%", prevalence="5%"))
    corrected = shifted(score, 0.05, from_prevalence=float(y.mean()))
    for cost in (0.02, 0.1, 0.3, 0.6):
        own = rarer.policies["model"].act(corrected, cost)
        assert np.array_equal(rarer.policy("model").act(score, cost), own)
    assert rarer.policy().model == "model"


def test_a_policy_of_an_unknown_model_is_refused():
    with pytest.raises(ValueError, match="`model` must"):
        evaluate([0, 1], {"a": [0.1, 0.2]}, "10%").policy("b")


def test_a_stated_prevalence_is_saved_as_stated():
    y, score = [0, 0, 1, 0, 0, 0, 1] * 9, [0.1, 0.3, 0.8, 0.2, 0.4, 0.6, 0.5] * 9
    for share in (0.02, 0.07, 0.3):  # sums of reweighted cases miss the first two by a bit
        assert evaluate(y, {"m": score}, Decision("10%", prevalence=share)).policy().prevalence == share

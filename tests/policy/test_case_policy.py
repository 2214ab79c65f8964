"""Policies for cases with costs of their own: the same cases acted on in memory, from a file, and in SQL."""

import functools
import json
from dataclasses import replace
from pathlib import Path

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import validate
from numpy.testing import assert_allclose, assert_array_equal

import stakes
from stakes import CaseCosts, Decision, InputError, Limits, Policy, evaluate
from stakes.policy import CasePolicy

pytestmark = pytest.mark.usefixtures("few_replicates")  # no policy depends on intervals

SCHEMA = next(Path(stakes.__file__).parent.rglob("policy.schema.json"))
NAMED = CaseCosts(false_negative="0.75*amount", false_positive=5, true_positive="fee")


def frauds(size=400, seed=2):
    rng = np.random.default_rng(seed)
    logit = rng.normal(-2, 1.5, size)
    return pd.DataFrame(
        {
            "fraud": (rng.random(size) < 1 / (1 + np.exp(-logit))).astype(int),
            "gbm": (1 / (1 + np.exp(-logit - rng.normal(0, 0.3, size)))).round(3),
            "amount": np.exp(rng.normal(3, 1.5, size)).round(2),
            "fee": rng.integers(1, 6, size),
        }
    )


FRAME = frauds()
NEW = frauds(seed=3)
ARRAYS = CaseCosts(false_negative=0.75 * FRAME["amount"], false_positive=5, true_positive=FRAME["fee"])


def chosen(decision="as stated", named=NAMED):
    return evaluate("fraud", ["gbm"], decision, data=FRAME, case_costs=named).policy()


@functools.cache
def stated():
    return chosen()


@functools.cache
def limited():
    return chosen(Decision("as stated", limits=Limits(capacity=0.05)))


def test_costs_as_stated_act_as_the_costs_themselves_do():
    assert_array_equal(stated().act(FRAME["gbm"], case_costs=FRAME), ARRAYS.act(FRAME["gbm"]))
    assert stated().case_costs == {
        "false_negative": "0.75*amount",
        "false_positive": 5.0,
        "true_positive": "fee",
        "true_negative": 0.0,
    }
    assert stated().alarms_per_thousand[0] == pytest.approx(1000 * ARRAYS.act(FRAME["gbm"]).mean())


def test_what_the_policy_pays_is_what_was_ranked():
    acted, fraud = stated().act(FRAME["gbm"], case_costs=FRAME), FRAME["fraud"] == 1
    miss, hit = 0.75 * FRAME["amount"], FRAME["fee"]
    paid = np.where(fraud, np.where(acted, hit, miss), np.where(acted, 5, 0)) - np.where(
        fraud, np.minimum(hit, miss), 0
    )
    ranked = evaluate("fraud", ["gbm"], "as stated", data=FRAME, case_costs=NAMED).ranking
    assert paid.mean() == pytest.approx(next(one.regret.estimate for one in ranked if one.model == "gbm"))


def test_a_capacity_is_kept_in_heads():
    share = limited().act(FRAME["gbm"], case_costs=FRAME).mean()
    assert 0.03 < share <= 0.05
    assert share == pytest.approx(limited().alarms_per_thousand[0] / 1000)


def test_another_prevalence_moves_the_threshold_of_every_case():
    rarer = chosen(Decision("as stated", prevalence=0.01))
    odds = 0.01 / 0.99 / (FRAME["fraud"].mean() / (1 - FRAME["fraud"].mean()))
    p = NEW["gbm"] * odds / (NEW["gbm"] * odds + 1 - NEW["gbm"])
    costs = CaseCosts(false_negative=0.75 * NEW["amount"], false_positive=5, true_positive=NEW["fee"])
    assert_array_equal(rarer.act(NEW["gbm"], case_costs=NEW), costs.act(p))
    assert rarer.prevalence == 0.01


@pytest.mark.parametrize("kind", [stated, limited], ids=["as stated", "a capacity"])
def test_a_saved_policy_is_the_same(kind, tmp_path):
    policy = kind()
    policy.save(tmp_path / "policy.json")
    loaded = Policy.load(tmp_path / "policy.json")
    assert isinstance(loaded, CasePolicy)
    assert loaded == policy
    assert (loaded == stated()) == (kind is stated)
    contents = json.loads((tmp_path / "policy.json").read_text())
    assert contents["format"] == 2
    validate(contents, json.loads(SCHEMA.read_text(encoding="utf-8")))
    assert_array_equal(loaded.act(NEW["gbm"], case_costs=NEW), policy.act(NEW["gbm"], case_costs=NEW))


@pytest.mark.parametrize(
    "columns", [lambda frame: frame, pl.from_pandas, lambda frame: frame.to_dict("list"), lambda frame: None]
)
def test_costs_come_from_any_columns_or_from_costs(columns):
    given = columns(NEW)
    costs = CaseCosts(false_negative=0.75 * NEW["amount"], false_positive=5, true_positive=NEW["fee"])
    wanted = costs.act(NEW["gbm"])
    assert_array_equal(stated().act(NEW["gbm"], case_costs=costs if given is None else given), wanted)


@pytest.mark.slow
@pytest.mark.parametrize(
    "named",
    [
        NAMED,
        CaseCosts(false_negative="amount", false_positive="fee"),
        CaseCosts(false_negative=10, false_positive=3, true_negative=1),
        CaseCosts(false_negative="amount", true_negative=2, true_positive=-3),
    ],
    ids=repr,
)
@pytest.mark.filterwarnings("ignore:The policy acts on")  # on more of the new cases
def test_sql_acts_on_the_same_cases(named):
    for decision in ("as stated", Decision("as stated", limits=Limits(capacity=0.1))):
        policy, new = chosen(decision, named), NEW
        acted = policy.act(new["gbm"], case_costs=new)
        found = duckdb.sql(f"select {policy.to_sql('gbm')} as act from new").df()["act"]
        assert_array_equal(found, acted)
        gaps = duckdb.sql(f"select {policy.to_sql('gbm')} from (select null::double as gbm, 1.0 as amount, 2.0 as fee)")
        assert gaps.fetchall() == [(None,)]


@pytest.mark.slow
def test_columns_of_costs_may_be_called_like_words_of_sql():
    reserved = "select keyword_name from duckdb_keywords() where keyword_category <> 'unreserved'"
    words = [word for (word,) in duckdb.sql(reserved).fetchall()]
    for word in ("Order", "user", "current_date", "my amount", *words):
        costs = stated().case_costs | {"false_negative": f"0.75*{word}"}
        named, new = replace(stated(), case_costs=costs), NEW[:40].rename(columns={"amount": word, "gbm": f"{word} 2"})
        found = duckdb.from_df(new).query("new", f"select {named.to_sql(f'{word} 2')} as act from new").df()["act"]
        assert_array_equal(found, stated().act(NEW["gbm"][:40], case_costs=NEW[:40]))


def test_arrays_have_the_names_of_their_arguments():
    models = {"gbm": FRAME["gbm"]}
    policy = evaluate(FRAME["fraud"], models, "as stated", case_costs=ARRAYS).policy()
    assert policy.case_costs == {
        "false_negative": "false_negative",
        "false_positive": 5.0,
        "true_positive": "true_positive",
        "true_negative": 0.0,
    }
    columns = {"false_negative": 0.75 * NEW["amount"], "true_positive": NEW["fee"]}
    assert_array_equal(policy.act(NEW["gbm"], case_costs=columns), stated().act(NEW["gbm"], case_costs=NEW))


def test_a_policy_cannot_act_without_the_costs():
    for costs, text in (
        (None, "be given with this policy, as CaseCosts or with the columns amount, fee, got None."),
        ({"amount": [1.0]}, "be CaseCosts, or have the columns amount, fee, got dict without fee."),
        (NEW[["amount"]], "be CaseCosts, or have the columns amount, fee, got DataFrame without fee."),
    ):
        with pytest.raises(InputError) as caught:
            stated().act(NEW["gbm"], case_costs=costs)
        assert str(caught.value) == f"`case_costs` must {text}"


def test_a_column_that_is_there_is_named_with_its_fault():
    for column, text in (
        (["a", "b"], "be numbers, got 'a' at row 0."),
        ([1.0, None], "not have missing values, got 1 missing value, at row 1."),
    ):
        for columns in ({"amount": column, "fee": [1, 2]}, pd.DataFrame({"amount": column, "fee": [1, 2]})):
            with pytest.raises(InputError) as caught:
                stated().act([0.1, 0.2], case_costs=columns)
            assert str(caught.value) == f"`case_costs['amount']` must {text}"


def test_lengths_of_scores_and_costs_agree():
    with pytest.raises(InputError, match=r"^`scores` and `case_costs` must have the same length, got 3 and 400\.$"):
        stated().act([0.1, 0.2, 0.3], case_costs=NEW)


@pytest.mark.parametrize(("words", "share"), [("as stated", 1 / 2), ("x1", 1 / 2), ("x2", 2 / 3), ("X 0.5", 1 / 3)])
def test_a_cost_is_a_multiplier_in_words_or_its_share(words, share):
    policy = chosen("x0.5..x2")
    assert len(policy) > 1
    wanted = policy.act(NEW["gbm"], share, case_costs=NEW)
    assert_array_equal(policy.act(NEW["gbm"], words, case_costs=NEW), wanted)
    assert policy.to_sql("gbm", words) == policy.to_sql("gbm", share)


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ("x0.5..x2", "be one multiplier, such as x2 or as stated, got 'x0.5..x2'."),
        ("x2.", "look like x2, x0.5..x2 or as stated, got 'x2.'."),
        ("x3", "be a cost proportion between 0.5 and 0.5, the range of the policy, got 0.75."),
    ],
)
def test_a_multiplier_that_cannot_be_is_refused(words, text):
    with pytest.raises(InputError) as caught:
        stated().act(NEW["gbm"], words, case_costs=NEW)
    assert str(caught.value) == f"`cost` must {text}"


@given(st.floats(0.01, 100), st.integers(0, 5))
def test_costs_in_another_currency_act_on_the_same_cases(rate, seed):
    new = frauds(30, seed)
    costs = CaseCosts(false_negative=new["amount"], false_positive=4 * new["fee"])
    other = CaseCosts(false_negative=rate * new["amount"], false_positive=rate * 4 * new["fee"])
    one, two = (stated().act(new["gbm"], case_costs=each) for each in (costs, other))
    near = np.abs(costs.scores(new["gbm"]) - 0.5) < 1e-12
    assert_array_equal(one | near, two | near)
    assert_allclose(costs.scores(new["gbm"]), other.scores(new["gbm"]), rtol=1e-12)

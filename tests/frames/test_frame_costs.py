"""Costs of cases by columns: every frame and engine has the tables, numbers and errors of the same arrays."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from frames.engines import ENGINES, FILES
from numpy.testing import assert_allclose, assert_array_equal

from stakes import CaseCosts, Cases, Decision, InputError, Limits, evaluate, frames, score_table
from stakes._cost_columns import CostColumn, read_cost_column
from stakes.frames import DroppedRowsWarning
from stakes.measures import cost_per_case


def sample(size=600, seed=5):
    """Frauds of very different amounts, some of them worth less than the fee, and two models."""
    rng = np.random.default_rng(seed)
    logit = rng.normal(-2, 1.5, size)
    amount = np.round(np.exp(rng.normal(3, 1.5, size)), 2)
    amount[:7] = 0
    risk = {name: 1 / (1 + np.exp(-logit - rng.normal(0, noise, size))) for name, noise in (("new", 0.3), ("old", 1))}
    return {
        "fraud": (rng.random(size) < 1 / (1 + np.exp(-logit))).astype(int),
        **{name: np.round(score, 3) for name, score in risk.items()},
        "amount": amount,
        "fee": rng.integers(1, 9, size),
        "weight": rng.integers(0, 4, size) / 2,
        "site": rng.choice(["north", "south"], size),
    }


SAMPLE = sample()
MODELS = ["new", "old"]
NAMED = CaseCosts(false_negative="0.75*amount", false_positive="fee", true_positive="fee")
COSTS = CaseCosts(
    false_negative=0.75 * SAMPLE["amount"], false_positive=SAMPLE["fee"], true_positive=SAMPLE["fee"].astype(float)
)
STAYING = [name for name in (*ENGINES, *FILES) if not name.startswith("pandas") and name not in ("polars", "PyArrow")]
MAKERS = ENGINES | FILES


def assert_same_table(found, wanted):
    """Compare every column of two tables of money."""
    for name in ("score", "positive", "negative"):
        assert_allclose(getattr(found, name), getattr(wanted, name), rtol=1e-12, atol=1e-12)
    for name in ("score", "positive", "negative", "everyone", "floor", "crossed", "swapped"):
        assert_allclose(getattr(found.heads, name), getattr(wanted.heads, name), rtol=1e-12, atol=1e-12)


@pytest.mark.sample(5)
@pytest.mark.parametrize("engine", [*ENGINES, *FILES])
def test_tables_of_money_on_every_engine(engine):
    named = {"weight": "weight", "group": "site", "case_costs": NAMED}
    found = frames.score_tables(MAKERS[engine](SAMPLE), "fraud", MODELS, **named)
    for model in MODELS:
        whole = score_table(SAMPLE["fraud"], SAMPLE[model], SAMPLE["weight"], case_costs=COSTS)
        assert_same_table(found[model], whole)
        for site, tables in found.groups.items():
            here = SAMPLE["site"] == site
            columns = (SAMPLE[column][here] for column in ("fraud", model, "weight"))
            assert_same_table(tables[model], score_table(*columns, case_costs=COSTS[here]))


@pytest.mark.parametrize("engine", [name for name in MAKERS if name not in STAYING])
def test_rows_in_memory_are_the_arrays_bit_for_bit(engine):
    frame = MAKERS[engine](SAMPLE)
    assert frames.score_table(frame, "fraud", "new", case_costs=NAMED) == score_table(
        SAMPLE["fraud"], SAMPLE["new"], case_costs=COSTS
    )
    cases = frames.cases(frame, "fraud", ["new"], weight="weight", case_costs=NAMED)
    arrays = Cases(SAMPLE["fraud"], {"new": SAMPLE["new"]}, weight=SAMPLE["weight"], case_costs=COSTS)
    assert cases.table("new") == arrays.table("new")


def numbers(found):
    """Return the numbers of an evaluation, of its groups too."""
    frame = found.to_frame()
    groups = [
        (group.cases, group.prevalence, regret.estimate, regret.lower, regret.upper)
        for group in found.groups.values()
        for regret in group.regret.values()
    ]
    return frame["model"].tolist(), [*frame.drop(columns="model").to_numpy(dtype=float).ravel(), *np.ravel(groups)]


def of_arrays(decision, **named):
    others = {role: SAMPLE[column] for role, column in named.items()}
    models = {model: SAMPLE[model] for model in MODELS}
    return evaluate(SAMPLE["fraud"], models, decision, case_costs=COSTS, **others)


@pytest.mark.slow
@pytest.mark.sample(3)
@pytest.mark.parametrize("engine", STAYING)
def test_evaluations_of_cases_that_stay_where_they_are(engine):
    frame = MAKERS[engine](SAMPLE)
    for decision, named in (
        ("as stated", {}),
        ("x0.5..x2", {"weight": "weight"}),
        ("as stated", {"weight": "weight", "group": "site"}),
    ):
        found = evaluate("fraud", MODELS, decision, data=frame, case_costs=NAMED, in_memory=0, **named)
        wanted = of_arrays(decision, **named)
        (order, values), (wanted_order, wanted_values) = numbers(found), numbers(wanted)
        assert order == wanted_order
        assert "amounts alone" in order
        assert_allclose(values, wanted_values, rtol=1e-9, atol=1e-12)
        assert found.sample.prevalence == pytest.approx(wanted.sample.prevalence)
        assert found.sample.cases == wanted.sample.cases


def test_a_model_that_stays_where_it_is_may_be_called_like_the_reference():
    models = {"amounts alone": "new", "old": "old"}
    frame = MAKERS[STAYING[0]](SAMPLE)
    found = evaluate("fraud", models, "as stated", data=frame, case_costs=NAMED, in_memory=0)
    money = {one.model: one.regret.estimate for one in found.ranking}
    wanted = {one.model: one.regret.estimate for one in of_arrays("as stated").ranking}
    assert_allclose(money["amounts alone"], wanted["new"], rtol=1e-9)
    assert_allclose(money["amounts alone (reference)"], wanted["amounts alone"], rtol=1e-9)


@pytest.mark.slow
@pytest.mark.usefixtures("few_replicates")
def test_a_frame_in_memory_is_evaluated_as_arrays():
    frame = pd.DataFrame(SAMPLE)
    assert str(evaluate("fraud", MODELS, "x0.5..x2", data=frame, case_costs=NAMED)) == str(of_arrays("x0.5..x2"))
    limited = Decision("as stated", limits=Limits(capacity=0.05))
    assert str(evaluate("fraud", MODELS, limited, data=frame, case_costs=NAMED)) == str(of_arrays(limited))


def test_equal_costs_of_all_cases_are_the_table_of_people_bit_for_bit():
    lazy = pl.LazyFrame(SAMPLE)
    money = frames.score_table(lazy, "fraud", "new", case_costs=CaseCosts())
    people = frames.score_table(lazy, "fraud", "new")
    for name in ("score", "positive", "negative"):
        assert_array_equal(getattr(money, name), getattr(people, name))
    assert_array_equal(money.heads.everyone, people.positive + people.negative)


def test_money_scales_with_the_costs_of_a_frame():
    lazy = pl.LazyFrame(SAMPLE)
    once, twice = (
        frames.score_table(lazy, "fraud", "new", case_costs=CaseCosts(false_negative=name, false_positive=at))
        for name, at in (("amount", 5), ("2*amount", 10))
    )
    assert cost_per_case(twice) == pytest.approx(2 * cost_per_case(once), rel=1e-12)


def test_a_case_without_a_stake_is_a_head_in_a_frame():
    lazy = pl.LazyFrame({"fraud": [0, 1, 1], "new": [0.1, 0.2, 0.3], "amount": [5, 0, 7], "alarm": [2, 0, 3]})
    table = frames.score_table(
        lazy, "fraud", "new", case_costs=CaseCosts(false_negative="amount", false_positive="alarm")
    )
    assert (len(table), table.cases) == (2, 3)


@pytest.mark.sample(2)
@pytest.mark.parametrize("engine", STAYING)
def test_a_missing_or_infinite_cost_is_found_on_every_engine(engine):
    some = {name: column[:40] for name, column in SAMPLE.items()} | {"amount": [None, *SAMPLE["amount"][1:40].tolist()]}
    frame = MAKERS[engine](some)
    place = " at row 0" if engine in FILES else ""
    hint = '; write `on_missing="drop"` to drop such rows.'
    with pytest.raises(InputError) as caught:
        frames.score_table(frame, "fraud", "new", case_costs=NAMED)
    assert (
        str(caught.value) == f"`amount` must not have missing values, got 1 missing value{place and ',' + place}{hint}"
    )
    with pytest.warns(DroppedRowsWarning, match=r"1 row with missing values was dropped \(1 in `amount`\)"):
        kept = frames.score_table(frame, "fraud", "new", case_costs=NAMED, on_missing="drop")
    assert kept.cases == 39
    endless = MAKERS[engine](some | {"amount": [*SAMPLE["amount"][:39].tolist(), float("inf")]})
    with pytest.raises(InputError) as caught:
        frames.score_table(endless, "fraud", "new", case_costs=NAMED)
    assert str(caught.value) == f"`amount` must be finite, got inf in 1 row{', at row 39' if place else ''}."


def test_costs_that_a_frame_cannot_have_are_refused():
    frame = pd.DataFrame(SAMPLE)
    for costs, text in (
        (
            CaseCosts(false_negative="amuont"),
            "`false_negative` must be one of amount, fraud, new, old, site, weight, fee, got 'amuont'; "
            "write a number, a column, or number*column, such as 0.75*amount.",
        ),
        (
            CaseCosts(false_positive=[1, 2]),
            "`false_positive` must be a number, or the name of a column of the data, got 2 numbers.",
        ),
        (
            [[1, 2]],
            "`case_costs` must be CaseCosts of numbers and columns of the data, got list; "
            'such as `CaseCosts(false_negative="amount", false_positive=5)`.',
        ),
        (
            CaseCosts(false_negative="site"),
            "`false_negative` must name a column of numbers, got 'site', a column of String.",
        ),
    ):
        with pytest.raises(InputError) as caught:
            frames.score_tables(frame, "fraud", MODELS, case_costs=costs)
        assert str(caught.value) == text
    with pytest.raises(InputError) as caught:
        score_table(SAMPLE["fraud"], SAMPLE["new"], case_costs=NAMED)
    assert str(caught.value) == (
        "`false_negative` must be a number, or one for each case, got the column '0.75*amount'; "
        "with columns, give a frame or a file as `data`."
    )


def test_swapped_costs_of_a_frame_are_refused():
    costs = CaseCosts(false_negative="amount", false_positive=5, true_positive="2*amount")
    with pytest.raises(
        InputError, match=r"^`case_costs` must make acting on most .*; costs look swapped, with hit and"
    ):
        frames.score_table(pl.LazyFrame(SAMPLE).filter(pl.col("amount") > 0), "fraud", "new", case_costs=costs)


@pytest.mark.parametrize(
    ("text", "column", "factor"),
    [
        ("amount", "amount", 1),
        ("0.75*amount", "amount", 0.75),
        (" -2e3 * a b ", "a b", -2000),
        (".5*2*x", "2*x", 0.5),
        ("amount*2", "amount*2", 1),
        ("400", "400", 1),
    ],
)
def test_a_cost_is_a_column_or_a_number_times_one(text, column, factor):
    assert read_cost_column("false_negative", text) == CostColumn(column, factor)


def test_a_factor_is_finite():
    with pytest.raises(InputError, match=r"^`effort` must have a finite number before the asterisk, got '1e999'\.$"):
        read_cost_column("effort", "1e999*hours")

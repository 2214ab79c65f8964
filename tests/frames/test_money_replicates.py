"""Replicates of money where the cases stay: each is the table of the cases drawn, on every engine."""

import numpy as np
import polars as pl
import pytest
from frames.test_frame_costs import COSTS, MAKERS, MODELS, NAMED, SAMPLE, STAYING
from numpy.testing import assert_allclose

from stakes import CaseCosts, Decision, InputError, Limits, evaluate, score_table
from stakes.frames._draw_replicates import draw, draw_by_group
from stakes.frames._frame_source import FrameSource
from stakes.frames._poisson import draws, keys_of
from stakes.measures import cost_per_case
from stakes.prevalence import shifted_regret

SIZE = len(SAMPLE["fraud"])
KEYED = SAMPLE | {"row": np.arange(SIZE), "ward": np.arange(SIZE) // 5, "odd": np.where(np.arange(SIZE) < 9, -40.0, 0)}
NAMES = {"y": "fraud", "predictions": MODELS}


def source(frame, costs=NAMED, **named):
    from stakes._roles import Roles
    from stakes.case_costs import costs_by_column

    roles = Roles.of(
        "fraud", predictions=dict(zip(MODELS, MODELS, strict=True)), costs=costs_by_column(costs, "fraud"), **named
    )
    return FrameSource.of(frame, roles).sample


def drawn(units, seed=3):
    return draws(keys_of(units, seed), 100).T.astype(float)


@pytest.mark.sample(3)
@pytest.mark.parametrize("engine", STAYING)
def test_a_replicate_is_the_table_of_the_cases_drawn(engine):
    sample = source(MAKERS[engine](KEYED), weight="weight", cluster="ward")
    found = draw(sample.counted, sample.tables, 100, 4000, 3)
    counts = drawn(KEYED["ward"])
    for model in MODELS:
        for replicate in (0, 57):
            weight = SAMPLE["weight"] * counts[replicate]
            wanted = score_table(SAMPLE["fraud"], SAMPLE[model], weight, case_costs=COSTS)
            ours = found._table_of(model, replicate)
            kept = ours.heads.everyone > 0
            assert_allclose(ours.heads.score[kept], wanted.heads.score)
            for name in ("positive", "negative", "everyone"):
                assert_allclose(getattr(ours.heads, name)[kept], getattr(wanted.heads, name), rtol=1e-12)
            for name in ("score", "positive", "negative"):
                assert_allclose(getattr(ours, name), getattr(wanted, name), rtol=1e-12)
            for name in ("floor", "crossed", "swapped"):
                assert_allclose(getattr(ours.heads, name), getattr(wanted.heads, name), rtol=1e-12)


def test_replicates_of_few_rows_have_the_money_and_the_people_of_all():
    crossing = CaseCosts(false_negative="0.75*amount", false_positive="fee", true_positive="fee", true_negative="odd")
    sample = source(pl.LazyFrame(KEYED), crossing, key="row")
    fine, coarse = (draw(sample.counted, sample.tables, 100, rows, 3) for rows in (4000, 12))
    assert any(beside.any() for beside in fine.beside.T[2:4])  # some money lies on the other side than the outcome
    for model in MODELS:
        for replicate in (4, 70):
            one, two = fine._table_of(model, replicate), coarse._table_of(model, replicate)
            assert len(two) <= 12 < len(one)
            assert len(two.heads.score) <= 12
            for name in ("positive_total", "negative_total", "cases", "prevalence_of_cases"):
                assert getattr(two, name) == pytest.approx(getattr(one, name), rel=1e-12)
            assert two.heads.crossed == one.heads.crossed
            # No block is split: the share above a threshold between two is that of the whole table.
            cut = coarse.coarse[model].score[-3]
            lowest = sample.tables[model].score[np.searchsorted(sample.tables[model].score, cut)]
            assert two.alarm_share(cut) >= one.alarm_share(lowest)


def test_replicates_of_groups_are_those_of_their_cases():
    sample = source(pl.LazyFrame(KEYED), key="row", group="site")
    for site, found in draw_by_group(sample.counted, sample.tables, 100, 4000, 3).items():
        here = SAMPLE["site"] == site
        weight = drawn(KEYED["row"])[11, here]
        wanted = score_table(SAMPLE["fraud"][here], SAMPLE["new"][here], weight, case_costs=COSTS[here])
        ours = found._table_of("new", 11)
        for measure in (cost_per_case, lambda table: shifted_regret(table, "as stated", 0.3)):
            assert measure(ours) == pytest.approx(measure(wanted), rel=1e-12)


DECISIONS = {
    "a precision": (Decision("x0.5..x2", limits=Limits(min_precision=0.3)), {"key": "row", "weight": "weight"}),
    "prevalences": (Decision("as stated", prevalence="5%..20%"), {"cluster": "ward"}),
    "both": (Decision("as stated", prevalence=0.3, limits=Limits(capacity=0.1)), {"key": "row"}),
    "clusters": (Decision("as stated"), {"cluster": "ward"}),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", DECISIONS)
def test_cases_that_stay_are_evaluated_as_those_in_memory(name):
    decision, named = DECISIONS[name]
    found = evaluate(**NAMES, decision=decision, data=pl.LazyFrame(KEYED), case_costs=NAMED, in_memory=0, **named)
    columns = {role: KEYED[column] for role, column in named.items() if role != "key"}
    models = {model: SAMPLE[model] for model in MODELS}
    wanted = evaluate(SAMPLE["fraud"], models, decision, case_costs=COSTS, **columns)
    assert [one.model for one in found.ranking] == [one.model for one in wanted.ranking]
    for ours, theirs in zip(found.ranking, wanted.ranking, strict=True):
        assert ours.regret.estimate == pytest.approx(theirs.regret.estimate, rel=1e-9)
        width = theirs.regret.upper - theirs.regret.lower
        assert_allclose(ours.regret.upper - ours.regret.lower, width, rtol=0.2)
        assert_allclose(ours.regret.lower, theirs.regret.lower, atol=0.3 * width)
        if theirs.difference is not None:
            gap = theirs.difference
            assert_allclose(
                [ours.difference.lower, ours.difference.upper],
                [gap.lower, gap.upper],
                atol=0.3 * (gap.upper - gap.lower),
            )


@pytest.mark.parametrize("stated", [{"limits": Limits(capacity=0.1)}, {"prevalence": 0.1}], ids=["limits", "moved"])
def test_cases_that_stay_need_a_column_that_tells_them_apart(stated):
    with pytest.raises(InputError) as caught:
        evaluate(
            **NAMES,
            decision=Decision("as stated", **stated),
            data=pl.LazyFrame(SAMPLE),
            case_costs=NAMED,
            in_memory=0,
        )
    assert str(caught.value) == (
        "`key` must name the column that tells cases apart, where intervals are resampled and there are more cases "
        "than `in_memory` allows, got none."
    )

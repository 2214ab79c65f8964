"""Evaluate a frame: the numbers, the intervals and the words of `evaluate`, wherever the cases are."""

from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from frames.engines import ENGINES, FILES
from numpy.testing import assert_allclose

from stakes import Decision, Limits, evaluate
from stakes.frames import DroppedRowsWarning


def sample(size, seed=3):
    """Two models of which one is a little better, on cases that weigh differently and come in clusters."""
    rng = np.random.default_rng(seed)
    cluster = rng.integers(0, size // 8, size)
    risk = np.clip(rng.beta(1, 5, size) + rng.normal(0, 0.05, size // 8)[cluster], 0.001, 0.999)
    noisy = {name: np.clip(risk + rng.normal(0, noise, size), 0, 1) for name, noise in (("new", 0.05), ("old", 0.12))}
    return {
        "died": (rng.random(size) < risk).astype(int),
        **{name: np.round(score, 3) for name, score in noisy.items()},
        "weight": rng.integers(0, 5, size) / 2,
        "site": rng.choice(["north", "south"], size, p=[0.7, 0.3]),
        "ward": cluster,
        "row": np.arange(size),
    }


SAMPLE = sample(1200)
LAZY = pl.LazyFrame(SAMPLE)
MODELS = ["new", "old"]
RANGE = Decision("5%..20%")
DECISIONS = {
    "a range of costs": RANGE,
    "another prevalence": Decision("5%..20%", prevalence="4%"),
    "an uncertain prevalence": Decision("5%..20%", prevalence="2%..6%"),
}
SAMPLED = {
    "cases": {},
    "weights": {"weight": "weight"},
    "weights and groups": {"weight": "weight", "group": "site"},
    "groups": {"group": "site"},
}


def of_arrays(columns, decision, **named):
    models = {model: columns[model] for model in MODELS}
    others = {part: columns.get(column, column) for part, column in named.items()}
    return evaluate(columns["died"], models, decision, **others)


def numbers(found):
    """Return every number of an evaluation, of its groups too."""
    rows = found.to_frame().drop(columns="model").to_numpy(dtype=float).tolist()
    groups = [
        [group.cases, group.prevalence, group.reference, regret.estimate, regret.lower, regret.upper]
        for group in found.groups.values()
        for regret in group.regret.values()
    ]
    return rows, groups


# Comparisons whose interval would take one more pass each over cases that stay where they are: these are left out.
ANOTHER_PASS = ("worthless", "crossing", "better-", "unsteady", "too-small", "groups-differ", "groups-agree")


def same(found, wanted, tolerance=1e-9):
    assert list(found.intervals) == list(wanted.intervals)
    assert list(found.groups) == list(wanted.groups)
    assert found.sample.cases == wanted.sample.cases
    assert found.sample.clusters == wanted.sample.clusters
    assert found.sample.without_score == wanted.sample.without_score
    for ours, theirs in zip(numbers(found), numbers(wanted), strict=True):
        assert_allclose(ours, theirs, rtol=tolerance, atol=1e-12)
    told = [one for one in wanted.findings if found.results.cases or not one.kind.startswith(ANOTHER_PASS)]
    assert list(map(str, found.findings)) == list(map(str, told))


@pytest.fixture(scope="module", params=ENGINES | FILES)
def frame(request):
    return (ENGINES | FILES)[request.param](SAMPLE)


@pytest.mark.sample(6)
def test_an_evaluation_of_a_frame_is_that_of_its_columns(frame):
    named = {"weight": "weight", "group": "site", "cluster": "ward"}
    same(evaluate("died", MODELS, RANGE, data=frame, **named), of_arrays(SAMPLE, RANGE, **named))


@pytest.mark.sample(6)
def test_an_evaluation_is_the_same_where_the_cases_stay_where_they_are(frame):
    named = {"weight": "weight", "group": "site"}
    same(evaluate("died", MODELS, RANGE, data=frame, **named, in_memory=0), of_arrays(SAMPLE, RANGE, **named))


@pytest.mark.sample(5)
@pytest.mark.parametrize("decision", DECISIONS)
@pytest.mark.parametrize("sampled", SAMPLED)
def test_cases_that_stay_where_they_are_give_the_same_intervals_and_differences(decision, sampled):
    named = SAMPLED[sampled]
    found = evaluate("died", MODELS, DECISIONS[decision], data=LAZY, **named, in_memory=0)
    same(found, of_arrays(SAMPLE, DECISIONS[decision], **named), 1e-7)


@pytest.mark.slow
def test_more_scores_than_rows_to_look_them_up_in_hardly_change_how_sure_it_is():
    rng = np.random.default_rng(8)
    risk = rng.beta(1, 5, 150_000)
    columns = {"died": (rng.random(len(risk)) < risk).astype(int)}
    columns |= {
        model: np.clip(risk + rng.normal(0, noise, len(risk)), 0, 1) for model, noise in (("new", 0.1), ("old", 0.2))
    }
    found = evaluate("died", MODELS, RANGE, data=pl.LazyFrame(columns), in_memory=0).to_frame()
    wanted = of_arrays(columns, RANGE).to_frame()
    ends = ["lower", "upper", "difference_lower", "difference_upper"]
    widths = [frame[ends[1::2]].to_numpy() - frame[ends[::2]].to_numpy() for frame in (found, wanted)]
    assert_allclose(widths[0], widths[1], rtol=1e-4)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("decision", "named"),
    [
        (RANGE, {"cluster": "ward"}),
        (RANGE, {"cluster": "ward", "weight": "weight", "group": "site"}),
        (Decision("5%..20%", limits=Limits(capacity=0.2)), {}),
        (Decision("5%..20%", limits=Limits(capacity=0.2)), {"weight": "weight"}),
    ],
    ids=["clusters", "clusters, weights and groups", "limits", "limits and weights"],
)
def test_replicates_drawn_on_the_workers_are_as_sure_as_those_of_cases(decision, named):
    columns = sample(4000, 5)
    key = {} if "cluster" in named else {"key": "row"}
    found = evaluate("died", MODELS, decision, data=pl.LazyFrame(columns), **named, **key, in_memory=0)
    wanted = of_arrays(columns, decision, **named)
    assert list(found.intervals) == list(wanted.intervals)
    assert found.sample.independent == pytest.approx(wanted.sample.independent, rel=1e-12)
    assert replace(found.sample, effective_cases=wanted.sample.effective_cases) == wanted.sample
    for ours, theirs in zip(found.ranking, wanted.ranking, strict=True):
        assert ours.regret.method == "basic"
        assert_allclose(ours.regret.estimate, theirs.regret.estimate)
        assert_allclose(width(ours.regret), width(theirs.regret), rtol=0.12)
        assert (ours.difference is None) == (theirs.difference is None)
        if ours.difference is not None:
            assert_allclose(width(ours.difference), width(theirs.difference), rtol=0.12)
        assert_allclose(ours.probability_best, theirs.probability_best, atol=0.03)
    for name, group in wanted.groups.items():
        assert (found.groups[name].cases, found.groups[name].reference) == (group.cases, group.reference)
        for model, regret in group.regret.items():
            assert_allclose(width(found.groups[name].regret[model]), width(regret), rtol=0.12)


def width(ends):
    return ends.upper - ends.lower


@pytest.mark.slow
def test_a_replicate_is_the_same_on_every_engine():
    (first, *others) = [
        evaluate("died", MODELS, RANGE, data=ENGINES[name](SAMPLE), cluster="ward", in_memory=0).to_frame()
        for name in ("polars, lazy", "DuckDB", "PyArrow dataset")
    ]
    for other in others:
        assert_allclose(other.drop(columns="model").astype(float), first.drop(columns="model").astype(float), rtol=1e-9)


@pytest.mark.usefixtures("few_replicates")
def test_another_seed_gives_other_replicates():
    first, second = (
        evaluate("died", MODELS, RANGE, data=LAZY, cluster="ward", in_memory=0, rng=rng).best.regret for rng in (0, 1)
    )
    assert first.estimate == second.estimate
    assert first.lower != second.lower


@pytest.mark.parametrize("in_memory", [0, 1_000_000])
def test_cases_without_a_score_are_left_out_and_counted(in_memory):
    columns = SAMPLE | {"new": np.where(np.arange(1200) % 7 == 0, np.nan, SAMPLE["new"])}
    with pytest.warns(DroppedRowsWarning, match=r"^172 rows with missing values were dropped \(172 in `new`\)\.$"):
        found = evaluate("died", MODELS, RANGE, data=pl.LazyFrame(columns), on_missing="drop", in_memory=in_memory)
    with pytest.warns(DroppedRowsWarning):
        same(found, of_arrays(columns, RANGE, on_missing="drop"))


@pytest.mark.parametrize("in_memory", [0, 1_000_000])
@pytest.mark.parametrize(
    ("named", "message"),
    [
        ({"predictions": ["row"]}, "`row` must be a probability between 0 and 1, got 2 in 1,198 rows."),
        (
            {"group": "row"},
            "`group` must hold at most 50 different labels, got 1,200; for clustered cases use `cluster`.",
        ),
        ({"weight": "none"}, "`none` must not be zero for every case."),
        ({"key": "id"}, "`key` must be one of old, died, site, ward, weight, new, row, none, got 'id'."),
        ({"predictions": []}, "`predictions` must name the column of at least one model, got none."),
        ({"level": 1.5}, "`level` must lie strictly between 0 and 1, got 1.5."),
        ({"in_memory": -1}, "`in_memory` must be at least 0, got -1."),
    ],
)
def test_what_cannot_be_evaluated_is_refused_wherever_the_cases_are(in_memory, named, message):
    frame = LAZY.with_columns(none=pl.lit(0.0))
    with pytest.raises(ValueError, match="must") as caught:
        evaluate(data=frame, **{"y": "died", "predictions": MODELS, "decision": RANGE, "in_memory": in_memory} | named)
    assert str(caught.value) == message


def test_limits_need_a_key_where_the_cases_stay_where_they_are():
    with pytest.raises(ValueError, match="key") as caught:
        evaluate("died", MODELS, Decision("5%..20%", limits=Limits(capacity=0.2)), data=LAZY, in_memory=0)
    assert str(caught.value) == (
        "`key` must name the column that tells cases apart, where intervals are resampled and there are more cases "
        "than `in_memory` allows, got none."
    )


def test_one_class_only_is_evaluated_wherever_the_cases_are():
    columns = SAMPLE | {"died": np.zeros(1200, dtype=int)}
    same(evaluate("died", MODELS, RANGE, data=pl.LazyFrame(columns), in_memory=0), of_arrays(columns, RANGE))


def test_two_equal_models_are_tied_wherever_the_cases_are():
    columns = SAMPLE | {"old": SAMPLE["new"]}
    same(evaluate("died", MODELS, RANGE, data=pl.LazyFrame(columns), in_memory=0), of_arrays(columns, RANGE))


# ------------------------------------------------------------------------------------------- missing groups

SOME = 200
HAS_SITE = np.arange(SOME) % 7 > 0
SITES = {
    "text": SAMPLE["site"][:SOME],
    "whole numbers": 1 + np.arange(SOME) % 2,
    "truth values": np.arange(SOME) % 2 == 0,
}


@pytest.mark.sample(16)
@pytest.mark.parametrize("kind", SITES)
@pytest.mark.parametrize("engine", [*ENGINES, *FILES])
def test_cases_without_a_group_are_a_group_on_every_engine(engine, kind):
    columns = {name: column[:SOME] for name, column in SAMPLE.items()}
    sites = [site if here else None for site, here in zip(SITES[kind].tolist(), HAS_SITE, strict=True)]
    made = (ENGINES | FILES)[engine](columns | {"site": sites})
    found = evaluate("died", MODELS, RANGE, data=made, weight="weight", group="site", in_memory=0)
    named = [site if here else "(missing)" for site, here in zip(sites, HAS_SITE, strict=True)]
    wanted = of_arrays(columns | {"site": np.array(named, dtype=object)}, RANGE, weight="weight", group="site")
    assert "(missing)" in found.groups
    for ours, theirs in zip(numbers(found), numbers(wanted), strict=True):  # engines may write the others differently
        assert_allclose(sorted(ours), sorted(theirs), rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("decision", [RANGE, DECISIONS["another prevalence"]], ids=["a range", "another prevalence"])
def test_references_have_the_ends_of_a_share_wherever_the_cases_are(decision):
    found = evaluate("died", MODELS, decision, data=LAZY, weight="weight", in_memory=0)
    wanted = of_arrays(SAMPLE, decision, weight="weight")
    for ours, theirs in zip(found.ranking, wanted.ranking, strict=True):
        assert_allclose([ours.regret.lower, ours.regret.upper], [theirs.regret.lower, theirs.regret.upper], rtol=1e-9)
        if ours.reference and decision is not RANGE:
            assert ours.regret.lower == ours.regret.estimate == ours.regret.upper


def test_a_model_without_an_error_is_not_certain_to_make_none_wherever_the_cases_are():
    columns = {"died": np.repeat([1, 0], [12, 88]), "row": np.arange(100)}
    columns["perfect"] = np.where(columns["died"] == 1, 0.9, 0.1)
    decision = Decision("5%..20%", limits=Limits(capacity=0.5))
    found = evaluate("died", ["perfect"], decision, data=pl.LazyFrame(columns), key="row", in_memory=0)
    wanted = evaluate(columns["died"], {"perfect": columns["perfect"]}, decision)
    ours, theirs = (one.ranking[0].regret for one in (found, wanted))
    assert 0 == ours.lower < ours.upper
    assert_allclose(ours.upper, theirs.upper, rtol=1e-9)

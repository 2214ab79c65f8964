"""Outcomes by a horizon whose columns a data frame holds: the numbers of the same arrays, on every engine."""

import numpy as np
import polars as pl
import pytest
from frames.engines import ENGINES, FILES
from numpy.testing import assert_allclose

from stakes import Cases, EventBy, InputError, evaluate, frames, score_table
from stakes.frames import DroppedRowsWarning, open_file
from stakes.outcome import CensoringBy, CoxCensoring, GivenCensoring


def columns(size=80, seed=5):
    rng = np.random.default_rng(seed)
    event = rng.integers(0, 3, size)
    time = rng.integers(1, 9, size).astype(float)
    time[:6], event[:6] = 9.0, 0
    return {
        "years": time,
        "status": event,
        "ended": np.array(["alive", "relapse", "died"], dtype=object)[event],
        "came": np.where(np.arange(size) < 6, 0.0, np.minimum(rng.integers(0, 2, size) / 2, time / 2)),
        "site": np.array(["north", "south"], dtype=object)[np.arange(size) % 2],
        "age": rng.integers(40, 80, size).astype(float),
        "stay": rng.uniform(0.5, 1.0, size),
        "risk": rng.integers(1, 20, size) / 20,
        "w": rng.integers(1, 4, size).astype(float),
    }


GIVEN = columns()
BY_CODE = EventBy("years", "status", 5)
OF_ARRAYS = EventBy(GIVEN["years"], GIVEN["status"], 5)


@pytest.fixture(params=[*ENGINES, *FILES])
def frame(request):
    return (ENGINES | FILES)[request.param](GIVEN)


def test_a_table_of_a_frame_is_that_of_its_columns(frame):
    found, wanted = frames.score_table(frame, BY_CODE, "risk"), score_table(OF_ARRAYS, GIVEN["risk"])
    for one, other in ((found, wanted), (found.heads, wanted.heads)):
        assert_allclose(one.score, other.score)
        assert_allclose(one.positive, other.positive, atol=1e-12)
        assert_allclose(one.negative, other.negative, atol=1e-12)
    assert_allclose(found.heads.everyone, wanted.heads.everyone)


@pytest.mark.parametrize("engine", ["pandas, nullable", "polars, lazy", "DuckDB"])
def test_an_evaluation_of_a_frame_is_that_of_its_columns(engine):
    frame = ENGINES[engine](GIVEN)
    found = evaluate(BY_CODE, ["risk"], "20%..40%", data=frame, weight="w", group="site")
    wanted = evaluate(OF_ARRAYS, {"risk": GIVEN["risk"]}, "20%..40%", weight=GIVEN["w"], group=GIVEN["site"])
    assert found.sample.follow_up.unknown == wanted.sample.follow_up.unknown
    for one, other in zip(found.ranking, wanted.ranking, strict=True):
        assert_allclose((one.regret.estimate, one.regret.lower), (other.regret.estimate, other.regret.lower))
    for name, group in wanted.groups.items():
        assert_allclose(found.groups[name].prevalence, group.prevalence)


@pytest.mark.parametrize(
    ("named", "given"),
    [
        ({"censoring": CensoringBy("site")}, {"censoring": CensoringBy(GIVEN["site"])}),
        (
            {"censoring": CensoringBy(["site", "w"])},
            {"censoring": CensoringBy([f"{s}{w}" for s, w in zip(GIVEN["site"], GIVEN["w"], strict=True)])},
        ),
        ({"censoring": CoxCensoring("age")}, {"censoring": CoxCensoring(GIVEN["age"])}),
        (
            {"censoring": CoxCensoring(["age", "w"])},
            {"censoring": CoxCensoring(np.column_stack([GIVEN["age"], GIVEN["w"]]))},
        ),
        ({"censoring": GivenCensoring("stay")}, {"censoring": GivenCensoring(GIVEN["stay"])}),
        ({"entry": "came"}, {"entry": GIVEN["came"]}),
    ],
    ids=["strata", "strata of two columns", "covariate", "covariates", "given", "entry"],
)
def test_what_censoring_may_depend_on_is_named_too(named, given):
    found = frames.cases(pl.DataFrame(GIVEN), EventBy("years", "status", 5, **named), ["risk"])
    wanted = Cases(EventBy(GIVEN["years"], GIVEN["status"], 5, **given), {"risk": GIVEN["risk"]})
    assert_allclose(found.weight, wanted.weight)


@pytest.mark.parametrize("engine", ["pandas", "polars, lazy", "DuckDB"])
def test_labels_of_events_are_found_in_any_spelling(engine):
    given = GIVEN | {
        "ended": np.where(np.arange(80) % 7 == 0, np.char.upper(GIVEN["ended"].astype(str)), GIVEN["ended"])
    }
    outcome = EventBy("years", "ended", 5, cause="Relapse", censored="alive ")
    found = frames.cases(ENGINES[engine](given), outcome, ["risk"])
    assert_allclose(found.weight, Cases(OF_ARRAYS, {"risk": GIVEN["risk"]}).weight)
    assert found.positive.tolist() == OF_ARRAYS.positive.tolist()


def test_each_group_of_tables_has_a_censoring_of_its_own():
    found = frames.score_tables(pl.DataFrame(GIVEN), BY_CODE, ["risk"], group="site")
    for site in ("north", "south"):
        here = GIVEN["site"] == site
        assert found.groups[site]["risk"] == score_table(OF_ARRAYS[here], GIVEN["risk"][here])
    assert found["risk"] == score_table(OF_ARRAYS, GIVEN["risk"])


@pytest.mark.parametrize("missing", ["years", "status", "came", "site", "age"])
def test_a_row_without_follow_up_is_refused_or_dropped(missing):
    column = GIVEN[missing].astype(object)
    column[[4, 7]] = None
    frame = pl.DataFrame({name: one.tolist() for name, one in (GIVEN | {missing: column}).items()})
    more = {"site": {"censoring": CensoringBy("site")}, "age": {"censoring": CoxCensoring("age")}}
    outcome = EventBy("years", "status", 5, **more.get(missing, {"entry": "came"}))
    with pytest.raises(InputError) as error:
        frames.score_table(frame, outcome, "risk")
    hint = 'write `on_missing="drop"` to drop such rows'
    assert str(error.value) == f"`{missing}` must not have missing values, got 2 missing values; {hint}."
    with pytest.warns(DroppedRowsWarning) as said:
        found = frames.cases(frame, outcome, ["risk"], on_missing="drop")
    assert said[0].message.by_column == {missing: 2}
    assert len(found) == 78


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (
            lambda frame: evaluate(OF_ARRAYS, ["risk"], "10%", data=frame),
            "`y` must be made of names of columns where they are in a data frame, got an EventBy of arrays; "
            'write EventBy("years", "status", 5).',
        ),
        (
            lambda frame: evaluate(BY_CODE, ["risk"], "10%", data=frame.lazy(), in_memory=10),
            "`in_memory` must be at least the number of cases where outcomes are censored, got 10; "
            "the chance of still being followed is estimated from all cases.",
        ),
        (
            lambda frame: frames.replicates(frame, BY_CODE, ["risk"], key="age"),
            "`outcome` must name a column: censored outcomes need the cases in memory, got an EventBy; "
            "`evaluate`, `frames.cases` and `frames.score_tables` read them.",
        ),
        (
            lambda frame: frames.score_table(frame, EventBy("year", "status", 5), "risk"),
            "`time` must be one of years, age, came, site, stay, risk, ended, status, w, got 'year'.",
        ),
        (
            lambda frame: frames.score_table(frame, EventBy("site", "status", 5), "risk"),
            "`time` must name a column of numbers, got 'site', a column of String.",
        ),
        (
            lambda frame: frames.score_table(frame, EventBy("years", "ended", 5), "risk"),
            "`cause` must be one of the labels of `event` ('alive', 'died', 'relapse'), got 1.",
        ),
        (
            lambda frame: frames.score_table(frame, BY_CODE, "risk", pos_label=1),
            "`pos_label` must not be given with an EventBy, whose `cause` is the positive label, got 1.",
        ),
        (
            lambda frame: frames.score_table(frame, EventBy("years", "status", 9.5), "risk"),
            "`horizon` must be within follow-up: the last case is censored at 9, got 9.5.",
        ),
        (
            lambda _: evaluate(BY_CODE, {"risk": GIVEN["risk"]}, "10%"),
            "`y` must have the cases, not names of columns, got EventBy('years', 'status', 5); "
            "give the frame as `data`, or arrays.",
        ),
        (
            lambda _: EventBy("years", GIVEN["status"], 5),
            "`event` must be the name of a column, as `time` is, got ndarray.",
        ),
        (
            lambda _: EventBy("years", "status", 5, entry=GIVEN["came"]),
            "`entry` must be the name of a column, as `time` is, got ndarray.",
        ),
        (
            lambda _: EventBy("years", "status", 5, censoring=CoxCensoring(GIVEN["age"])),
            "`covariates` must be the names of columns, as `time` is, got ndarray.",
        ),
        (
            lambda _: EventBy(GIVEN["years"], GIVEN["status"], 5, censoring=CensoringBy("site")),
            "`censoring` must hold arrays, as `time` is one, got names in a CensoringBy.",
        ),
    ],
)
def test_what_cannot_be_read_is_refused_in_one_sentence(ask, message):
    with pytest.raises(InputError) as error:
        ask(pl.DataFrame(GIVEN))
    assert str(error.value) == message


def test_a_file_is_read_by_its_names(tmp_path):
    pl.DataFrame({name: one.tolist() for name, one in GIVEN.items()}).write_csv(tmp_path / "a.csv")
    outcome = EventBy("years", "ended", 5, cause="relapse", censored="alive")
    found = evaluate(outcome, ["risk"], "20%..40%", data=open_file(tmp_path / "a.csv"))
    assert found.best.regret == evaluate(OF_ARRAYS, {"risk": GIVEN["risk"]}, "20%..40%").best.regret


@pytest.mark.parametrize("engine", ["pandas", "polars, lazy"])
def test_several_horizons_have_a_column_each(engine):
    found = evaluate(
        EventBy("years", "status", [2, 5]), {"m": ["risk", "stay"]}, "20%..40%", data=ENGINES[engine](GIVEN)
    )
    both = {"m": np.column_stack([GIVEN["risk"], GIVEN["stay"]])}
    wanted = evaluate(EventBy(GIVEN["years"], GIVEN["status"], [2, 5]), both, "20%..40%")
    assert found.best.regret == wanted.best.regret
    with pytest.raises(InputError) as error:
        evaluate(EventBy("years", "status", [2, 5]), ["risk"], "20%..40%", data=ENGINES[engine](GIVEN))
    said = "`predictions['risk']` must name a column for each of the 2 horizons, such as ['m1', 'm3', 'm5'], got 1."
    assert str(error.value) == said

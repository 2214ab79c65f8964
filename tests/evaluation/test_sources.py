"""Where the cases are does not matter: arrays, frames, files and tables answer the same questions."""

import warnings
from functools import partial

import numpy as np
import pandas as pd
import polars as pl
import pytest
from evaluation.samples import blurred, expit, risks

from stakes import Cases, Decision, InputError, compare, evaluate, expected_regret, score_table
from stakes._errors import Argument
from stakes._groups import group_name
from stakes._roles import FrameColumns, Roles
from stakes.evaluation import CaseSource, TableSource, as_source, evaluate_source
from stakes.frames import DroppedRowsWarning, FrameSource, _frame_source, open_file
from stakes.measures import recognise

Y, LOGIT = risks(400)
MODELS = {"sharp": expit(LOGIT), "blurred": blurred(LOGIT, 1.0)}
SITE = np.where(np.arange(len(Y)) % 3 == 0, "few", "many")
FRAME = pd.DataFrame({"died": Y, **MODELS, "site": SITE, "weight": 1 + np.arange(len(Y)) % 2})
ROLES = Roles(outcome="died", predictions={name: name for name in MODELS}, weight="weight", group="site")
RANGE = Decision("5%..20%")


@pytest.fixture
def path(tmp_path):
    FRAME.to_csv(tmp_path / "scores.csv", index=False)
    return tmp_path / "scores.csv"


@pytest.mark.sample(3)
@pytest.mark.parametrize("opened", [str, lambda path: path, open_file, pd.read_csv, pl.scan_csv])
def test_columns_of_a_path_a_file_or_a_frame_are_evaluated_like_arrays(opened, path):
    found = evaluate("died", list(MODELS), RANGE, data=opened(path), weight="weight", group="site")
    assert found.to_json() == evaluate(Y, MODELS, RANGE, weight=FRAME["weight"], group=SITE).to_json()


def test_models_of_a_frame_may_have_names_of_their_own():
    found = evaluate("died", {"new": "sharp"}, RANGE, data=FRAME)
    assert found.to_json() == evaluate(Y, {"new": MODELS["sharp"]}, RANGE).to_json()


def test_groups_of_a_frame_share_one_pass(monkeypatch):
    passes = []
    add_up = _frame_source.add_up
    monkeypatch.setattr(_frame_source, "add_up", lambda *given: passes.append(given) or add_up(*given))
    source = as_source(pl.from_pandas(FRAME).lazy(), ROLES, in_memory=0)
    assert isinstance(source, FrameSource)
    assert len(evaluate_source(source, RANGE).groups) == 2
    assert len(passes) == 2  # one for all cases, one for all groups


@pytest.mark.parametrize(("a", "b"), [("sharp", "blurred"), ("blurred", "sharp")])
def test_a_group_of_a_frame_compares_with_any_baseline(a, b):
    source = as_source(pl.from_pandas(FRAME).lazy(), ROLES, in_memory=0)
    measures = dict.fromkeys(MODELS, recognise(partial(expected_regret, costs="5%..20%")))
    studies = {name: group.study(measures) for name, group in source.groups().items()}
    for name, study in studies.items():
        here = name == SITE
        cases = Cases(Y[here], {m: score[here] for m, score in MODELS.items()}, weight=FRAME["weight"][here])
        wanted = compare(cases, a, b, expected_regret, costs="5%..20%")
        found = study.compare(a, b)
        assert (found.difference, found.lower, found.upper) == pytest.approx(
            (wanted.difference, wanted.lower, wanted.upper), rel=1e-9
        )


def test_a_source_is_anything_that_answers_like_one():
    tables = {name: score_table(Y, score) for name, score in MODELS.items()}

    class Counting(TableSource):
        asked = 0

        def study(self, measures):
            Counting.asked += 1
            return super().study(measures)

    assert evaluate_source(Counting(tables), RANGE).to_json() == evaluate_source(TableSource(tables), RANGE).to_json()
    assert Counting.asked == 1


@pytest.mark.parametrize("in_memory", [0, 1000])
def test_dropped_rows_are_data_and_warned_of_in_python_only(in_memory):
    gaps = FRAME.assign(sharp=FRAME["sharp"].where(FRAME.index > 1), blurred=FRAME["blurred"].where(FRAME.index > 4))
    lazy = pl.from_pandas(gaps).lazy()
    expected = {Argument("predictions", "sharp", "sharp"): 2, Argument("predictions", "blurred", "blurred"): 3}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert as_source(lazy, ROLES, drop=["predictions"], in_memory=in_memory).facts.dropped == expected
    with pytest.warns(DroppedRowsWarning) as caught:
        found = evaluate("died", list(MODELS), RANGE, data=lazy, on_missing="drop", in_memory=in_memory)
    assert caught[0].message.by_column == {"sharp": 2, "blurred": 3}
    assert found.sample.without_score == 5
    with pytest.warns(DroppedRowsWarning) as caught:
        found = evaluate(Y, {name: gaps[name] for name in MODELS}, RANGE, on_missing="drop")
    assert caught[0].message.by_column == {"sharp": 2, "blurred": 3}
    assert found.sample.without_score == 5


def test_only_the_roles_that_may_be_dropped_are():
    gaps = pl.from_pandas(FRAME.assign(weight=FRAME["weight"].where(FRAME.index > 1))).lazy()
    with pytest.raises(InputError, match="missing") as caught:
        as_source(gaps, ROLES, drop=["predictions"])
    assert caught.value.argument == Argument("weight", None, "weight")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"key": "row"}, "`key` must be left out where there is no `data`, got 'row'."),
        ({"in_memory": -1}, "`in_memory` must be at least 0, got -1."),
    ],
)
def test_what_only_columns_of_data_can_have_is_refused_of_arrays(given, message):
    with pytest.raises(InputError) as caught:
        evaluate(Y, MODELS, RANGE, **given)
    assert str(caught.value) == message


def test_cases_that_stay_where_they_are_cannot_be_dealt_into_folds():
    with pytest.raises(InputError) as caught:
        evaluate("died", list(MODELS), RANGE, data=pl.from_pandas(FRAME).lazy(), in_memory=0, folds=5)
    assert str(caught.value) == "`folds` must be left out with more cases than `in_memory` allows, got 5."


def test_tables_cannot_be_dealt_into_folds():
    source = TableSource({name: score_table(Y, score) for name, score in MODELS.items()})
    with pytest.raises(InputError) as caught:
        evaluate_source(source, RANGE, folds=5)
    assert str(caught.value) == "`folds` must be left out where there are only tables, got 5."


def test_folds_of_a_frame_in_memory_are_those_of_its_columns():
    found = evaluate("died", list(MODELS), RANGE, data=FRAME, folds=4, rng=3)
    assert found.to_json() == evaluate(Y, MODELS, RANGE, folds=4, rng=3).to_json()


def test_constants_are_added_without_another_sort():
    source = as_source(FRAME, ROLES)
    assert isinstance(source, CaseSource)
    more = source.with_constants({"everyone": 1.0, "no one": 0.0})
    assert list(more.tables) == [*MODELS, "everyone", "no one"]
    assert more.tables["sharp"] is source.tables["sharp"]
    assert more.tables["everyone"].score.tolist() == [1.0]


@pytest.mark.parametrize("unit", [1.0, 1e-9, 1e-300])
def test_tables_of_different_cases_are_refused_however_small_the_weights(unit):
    one, other = (score_table(y, [0.1, 0.6, 0.9], weight=np.full(3, unit)) for y in ([0, 0, 1], [0, 1, 1]))
    TableSource({"a": one, "b": one})
    with pytest.raises(InputError, match="be of the same cases"):
        TableSource({"a": one, "b": other})


LABELS = {
    "text": SITE,
    "numbers": np.arange(len(Y)) % 12,
    "with missing ones": [None if k % 7 == 0 else f"ward {k % 3}" for k in range(len(Y))],
    "a nan among words": [float("nan") if k % 7 == 0 else "b" * (k % 3) for k in range(len(Y))],
}


@pytest.mark.parametrize("labels", LABELS)
def test_groups_are_the_cases_of_each_label_in_the_order_of_their_names(labels):
    given = LABELS[labels]
    names = [group_name(one) for one in (given.tolist() if isinstance(given, np.ndarray) else given)]
    found = CaseSource.of(FrameColumns(outcome=Y, predictions=MODELS, group=given)).groups()
    assert list(found) == sorted(set(names))
    for name, source in found.items():
        np.testing.assert_array_equal(source.columns.outcome, Y[np.array(names) == name])

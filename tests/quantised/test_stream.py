"""Files read a piece at a time: the exact table and exact means, whatever the pieces are."""

from functools import partial

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import stakes
from stakes import At, Beta, Uniform, score_table
from stakes.frames import DroppedRows, _stream, open_file
from stakes.frames._stream import means_from_file, score_table_from_file

RNG = np.random.default_rng(2)
ROWS = 5000
SCORE = np.concatenate([np.round(RNG.beta(1, 3, ROWS - 3), 3), [0.0, -0.0, 0.0]])
FRAME = pd.DataFrame(
    {
        "died": (RNG.random(ROWS) < SCORE).astype(np.int8),
        "risk": SCORE,
        "single": SCORE.astype(np.float32),
        "points": np.round(10 * SCORE) - 3,
        "weight": RNG.choice([0.0, 0.5, 2.25], ROWS),
    }
)
MEANS = {
    "Brier": stakes.brier_score,
    "log": partial(stakes.log_loss, low=0.01, high=0.9),
    "Beta": partial(stakes.expected_regret, costs=Beta(2, 5)),
    "benefit": partial(stakes.net_benefit, costs=At(0.2)),
    "accuracy": partial(stakes.accuracy, cut=0.3),
}


@pytest.fixture(scope="module", params=["parquet", "csv", "csv.gz"])
def path(request, tmp_path_factory):
    target = tmp_path_factory.mktemp("files") / f"scores.{request.param}"
    if request.param == "parquet":
        FRAME.to_parquet(target, row_group_size=700)
    else:
        FRAME.to_csv(target, index=False)
    return target


@pytest.fixture(autouse=True)
def small_pieces(monkeypatch):
    monkeypatch.setattr(_stream, "_ROWS", 64)


def assert_same(found, expected):
    assert_array_equal(found.score, expected.score)
    assert not np.signbit(found.score[found.score == 0]).any()
    assert_allclose(found.positive, expected.positive, rtol=1e-13)
    assert_allclose(found.negative, expected.negative, rtol=1e-13)


@pytest.mark.parametrize("column", ["risk", "single", "points"])
@pytest.mark.parametrize("weight", [None, "weight"])
def test_the_table_of_a_file_is_that_of_its_columns(path, column, weight):
    if column == "single" and "csv" in path.name:
        column = "risk"  # text has no precision of its own
    found = score_table_from_file(path, "died", column, weight=weight)
    expected = score_table(FRAME["died"], FRAME[column], None if weight is None else FRAME[weight])
    assert_same(found, expected)


@pytest.mark.parametrize("weight", [None, "weight"])
def test_means_of_a_file_are_those_of_its_columns(path, weight):
    table = score_table(FRAME["died"], FRAME["risk"], None if weight is None else FRAME[weight])
    found = means_from_file(path, "died", "risk", MEANS, weight=weight)
    assert list(found) == list(MEANS)
    for name, mean in MEANS.items():
        assert found[name] == pytest.approx(mean(table), rel=1e-12)


def test_a_file_that_is_open_already_will_do(path):
    file = open_file(path)
    assert_same(score_table_from_file(file, "died", "risk"), score_table(FRAME["died"], FRAME["risk"]))
    assert means_from_file(file, "died", "risk", {"a": stakes.brier_score})["a"] > 0


def test_an_infinite_loss_is_infinite(tmp_path):
    pd.DataFrame({"died": [1, 0, 1], "risk": [0.0, 0.5, 0.5]}).to_csv(tmp_path / "a.csv", index=False)
    assert means_from_file(tmp_path / "a.csv", "died", "risk", {"log": stakes.log_loss}) == {"log": np.inf}


# ------------------------------------------------------------------------------------------- bad rows


@pytest.fixture
def bad(tmp_path):
    frame = pd.DataFrame(
        {
            "died": [0, 1, 2, 1] + 200 * [0],
            "good": [0, 1, 1, 0] + 200 * [1],
            "risk": [0.1, np.nan, 0.3, None] + 200 * [0.5],
            "steep": [0.1, 1.5, -0.5, 0.2] + 200 * [0.5],
            "none": 204 * [0.0],
        }
    )
    frame.to_csv(tmp_path / "bad.csv", index=False)
    return tmp_path / "bad.csv"


CALLS = {
    "table": score_table_from_file,
    "means": lambda *arguments, **keywords: means_from_file(*arguments, {"Brier": stakes.brier_score}, **keywords),
}
DROP = '`on_missing="drop"` leaves such rows out.'


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
@pytest.mark.parametrize(
    ("columns", "keywords", "message"),
    [
        (
            ("good", "risk"),
            {},
            f"`risk` must not have missing values, got 2 missing values, the first at line 3; {DROP}",
        ),
        (("died", "steep"), {}, "`died` must be 0 or 1, got 2 in 1 row, at line 4."),
        (("good", "steep"), {"weight": "none"}, "`none` must not be zero for every case."),
    ],
)
def test_bad_rows_are_refused(bad, call, columns, keywords, message):
    if "zero" in message:
        columns = ("good", "good")
    with pytest.raises(ValueError, match="must") as caught:
        call(bad, *columns, **keywords)
    assert str(caught.value) == message


def test_scores_of_means_must_be_probabilities_and_those_of_tables_need_not(bad):
    with pytest.raises(ValueError, match="must") as caught:
        means_from_file(bad, "good", "steep", MEANS)
    assert str(caught.value) == (
        "`steep` must be a probability between 0 and 1, got -0.5 in 2 rows, the first at line 3."
    )
    assert score_table_from_file(bad, "good", "steep").lowest == -0.5


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_rows_with_missing_values_are_dropped_and_counted(bad, call):
    with pytest.warns(DroppedRows, match="2 rows with missing values were left out"):
        call(bad, "good", "risk", on_missing="drop")


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_a_file_without_cases_is_refused(tmp_path, call):
    (tmp_path / "none.csv").write_text("died,risk\n,0.5\n")
    with pytest.warns(DroppedRows), pytest.raises(ValueError, match="at least one case without missing values"):
        call(tmp_path / "none.csv", "died", "risk", on_missing="drop")


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_a_truncated_file_is_refused(tmp_path, call):
    whole = tmp_path / "whole.parquet"
    FRAME.to_parquet(whole)
    (tmp_path / "part.parquet").write_bytes(whole.read_bytes()[:-200])
    with pytest.raises(ValueError, match=r"part\.parquet must be a whole Parquet file"):
        call(tmp_path / "part.parquet", "died", "risk")


@pytest.mark.parametrize("statistics", [stakes.brier_score, {}, {"a": 3}, [stakes.brier_score]])
def test_statistics_must_be_functions_by_name(path, statistics):
    with pytest.raises(TypeError) as caught:
        means_from_file(path, "died", "risk", statistics)
    assert str(caught.value) == (
        "`statistics` must map names to functions of a sample, such as {'Brier': brier_score}."
    )


def test_uniform_costs_are_half_the_brier_score_of_a_file(path):
    found = means_from_file(
        path, "died", "risk", {"a": stakes.brier_score, "b": partial(stakes.expected_regret, costs=Uniform())}
    )
    assert found["a"] == pytest.approx(2 * found["b"], rel=1e-13)

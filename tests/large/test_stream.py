"""Files read a piece at a time: the exact table and exact means, whatever the pieces are."""

import os
import re
import shutil
import stat
import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from pyarrow import parquet
from strategies import BELIEFS, OTHER_BELIEFS

import stakes
from stakes import At, Beta, Uniform, large, score_table
from stakes.frames import DroppedRowsWarning, batches, open_file
from stakes.frames._file_formats import explain
from stakes.large import _stream, _stream_means, quantise_frame

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
    "log": partial(stakes.log_loss, cost_range=(0.01, 0.9)),
    "Beta": partial(stakes.expected_regret, costs=Beta(2, 5)),
    "benefit": partial(stakes.net_benefit, costs=At(0.2)),
    "accuracy": partial(stakes.accuracy, threshold=0.3),
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
    monkeypatch.setattr(_stream, "ROWS", 64)
    monkeypatch.setattr(_stream_means, "ROWS", 64)
    monkeypatch.setattr(_stream, "_BLOCK", 100)


def assert_same(found, expected):
    assert_array_equal(found.score, expected.score)
    assert not np.signbit(found.score[found.score == 0]).any()
    assert_allclose(found.positive, expected.positive, rtol=1e-13)
    assert_allclose(found.negative, expected.negative, rtol=1e-13)


@pytest.mark.sample(9)
@pytest.mark.parametrize("column", ["risk", "single", "points"])
@pytest.mark.parametrize("weight", [None, "weight"])
def test_the_table_of_a_file_is_that_of_its_columns(path, column, weight):
    if column == "single" and "csv" in path.name:
        column = "risk"  # text has no precision of its own
    found = large.score_table(path, "died", column, weight=weight)
    expected = score_table(FRAME["died"], FRAME[column], None if weight is None else FRAME[weight])
    assert_same(found, expected)


def test_counts_that_four_bytes_do_not_hold_get_eight(path, monkeypatch):
    monkeypatch.setattr(_stream, "_MOST_COUNT", 5)
    assert FRAME["risk"].value_counts().max() > 5
    assert_same(large.score_table(path, "died", "risk"), score_table(FRAME["died"], FRAME["risk"]))


def test_a_count_that_four_bytes_do_not_hold_is_kept():
    column = _stream._Column(np.uint32)
    for count in (1.0, 2.0**32, 3.0):
        column.append(np.array([count]))
    assert column.taken().tolist() == [1.0, 2.0**32, 3.0]


@pytest.mark.sample(3)
@pytest.mark.parametrize("weight", [None, "weight"])
def test_means_of_a_file_are_those_of_its_columns(path, weight):
    table = score_table(FRAME["died"], FRAME["risk"], None if weight is None else FRAME[weight])
    found = large.means(path, "died", "risk", MEANS, weight=weight)
    assert list(found) == list(MEANS)
    for name, mean in MEANS.items():
        assert found[name] == pytest.approx(mean(table), rel=1e-12)


def test_a_file_that_is_open_already_will_do(path):
    file = open_file(path)
    assert_same(large.score_table(file, "died", "risk"), score_table(FRAME["died"], FRAME["risk"]))
    assert large.means(file, "died", "risk", {"a": stakes.brier_score})["a"] > 0


def test_an_infinite_loss_is_infinite(tmp_path):
    pd.DataFrame({"died": [1, 0, 1], "risk": [0.0, 0.5, 0.5]}).to_csv(tmp_path / "a.csv", index=False)
    assert large.means(tmp_path / "a.csv", "died", "risk", {"log": stakes.log_loss}) == {"log": np.inf}


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
    "table": large.score_table,
    "means": lambda *arguments, **keywords: large.means(*arguments, {"Brier": stakes.brier_score}, **keywords),
}
DROP = 'write `on_missing="drop"` to drop such rows.'


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
        large.means(bad, "good", "steep", MEANS)
    assert str(caught.value) == (
        "`steep` must be a probability between 0 and 1, got -0.5 in 2 rows, the first at line 3."
    )
    assert large.score_table(bad, "good", "steep").lowest == -0.5


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_rows_with_missing_values_are_dropped_and_counted(bad, call):
    with pytest.warns(DroppedRowsWarning, match="2 rows with missing values were dropped"):
        call(bad, "good", "risk", on_missing="drop")


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_a_file_without_cases_is_refused(tmp_path, call):
    (tmp_path / "none.csv").write_text("died,risk\n,0.5\n")
    with pytest.warns(DroppedRowsWarning), pytest.raises(ValueError, match="at least one case without missing values"):
        call(tmp_path / "none.csv", "died", "risk", on_missing="drop")


# ------------------------------------------------------------------------------------------- what goes wrong on the way

READERS = CALLS | {"bins": lambda file, outcome, score: quantise_frame(open_file(file), outcome, [score])[score]}


@pytest.fixture
def whole(tmp_path):
    """Write a file of many row groups."""
    path = tmp_path / "whole.parquet"
    FRAME.to_parquet(path, row_group_size=100, compression="zstd")
    return path


def chunk_of_scores(path, group):
    """Return where the scores of a row group begin and end."""
    column = parquet.read_metadata(path).row_group(group).column(FRAME.columns.get_loc("risk"))
    start = column.dictionary_page_offset or column.data_page_offset
    return start, start + column.total_compressed_size


@pytest.mark.parametrize("call", READERS.values(), ids=READERS)
def test_a_truncated_file_is_refused(whole, call):
    whole.write_bytes(whole.read_bytes()[:-200])
    with pytest.raises(ValueError, match=r"whole\.parquet must be a whole Parquet file"):
        call(whole, "died", "risk")


@pytest.mark.parametrize("call", READERS.values(), ids=READERS)
@pytest.mark.parametrize("group", [0, 30])
def test_a_file_that_is_damaged_inside_is_refused(whole, call, group):
    start, end = chunk_of_scores(whole, group)
    content = bytearray(whole.read_bytes())
    content[start + 30 : end - 5] = bytes(end - start - 35)
    whole.write_bytes(content)
    with pytest.raises(ValueError, match=r"whole\.parquet must be a whole Parquet file"):
        call(whole, "died", "risk")


@pytest.mark.parametrize(
    "call",
    [
        large.score_table,
        lambda file, outcome, score: quantise_frame(file, outcome, [score]),
        partial(large.means, measures=MEANS),
    ],
)
def test_a_file_that_is_deleted_before_it_is_read_is_missed(whole, call):
    file = open_file(whole)
    whole.unlink()
    with pytest.raises(FileNotFoundError, match=r"whole\.parquet must stay where it is while it is read"):
        call(file, "died", "risk")


LONG = np.random.default_rng(6).random(1_000_000)  # more than the engine reads ahead


@pytest.fixture(scope="module")
def long(tmp_path_factory):
    path = tmp_path_factory.mktemp("long") / "long.parquet"
    table = pa.table({"died": (LONG > 0.4).astype(np.int8), "risk": LONG})
    parquet.write_table(table, path, row_group_size=20_000)
    return path


def changed_on_the_way(monkeypatch, change):
    """Do something to the file after the first piece of it was read."""
    batches = _stream_means.batches

    def changing(relation, rows):
        for number, batch in enumerate(batches(relation, rows)):
            if number == 1:
                change()
            yield batch

    monkeypatch.setattr(_stream_means, "batches", changing)
    monkeypatch.setattr(_stream_means, "ROWS", 2048)


def test_a_file_that_is_cut_off_while_it_is_read_gives_no_number(long, tmp_path, monkeypatch):
    path = Path(shutil.copy(long, tmp_path))
    changed_on_the_way(monkeypatch, lambda: os.truncate(path, 1000))
    with pytest.raises(ValueError, match=r"long\.parquet must stay as it is while it is read"):
        large.means(path, "died", "risk", {"Brier": stakes.brier_score})


def test_a_file_that_is_deleted_while_it_is_read_gives_the_same_number_or_none(long, tmp_path, monkeypatch):
    path = Path(shutil.copy(long, tmp_path))
    changed_on_the_way(monkeypatch, path.unlink)
    try:
        found = large.means(path, "died", "risk", {"Brier": stakes.brier_score})["Brier"]
    except FileNotFoundError as error:
        assert str(error) == "long.parquet must stay where it is while it is read, got nothing of that name."  # noqa: PT017
    else:  # the system keeps what is open
        assert found == pytest.approx(np.mean((LONG - (LONG > 0.4)) ** 2), rel=1e-12)
    assert not path.exists()


SPILL = """
import resource, sys
from stakes import large
resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))
try:
    print(large.score_table(sys.argv[1], "died", "risk", memory_limit="40MB"))
except (OSError, MemoryError) as error:
    print(error)
"""


@pytest.mark.slow
def test_a_full_disk_is_named_when_there_is_no_room_to_spill(long, tmp_path):
    settings = {**os.environ, "TMPDIR": str(tmp_path), "PYTHONDONTWRITEBYTECODE": "1"}  # no module is to be cut short
    ran = subprocess.run([sys.executable, "-c", SPILL, long], env=settings, capture_output=True, text=True, check=False)
    # DuckDB 2.0 may report types of its own as leaked when Python ends; there is nothing else to be seen.
    assert (ran.returncode, re.sub(r"nanobind: leaked .*", "", ran.stderr, flags=re.DOTALL)) == (0, "")
    # What is said depends on which thread of the engine notices first; either way there is no number.
    needs = "room than the folder for temporary files has|memory than the engine may use"
    assert re.match(rf"long\.parquet needs more ({needs})", ran.stdout)
    assert list(tmp_path.iterdir()) == []  # nothing is left behind


@pytest.mark.parametrize(
    "said",
    [
        'IO Error: Could not write file "spill/duckdb_temp_0.tmp": File too large',
        'IO Error: Could not truncate file "spill/duckdb_temp_0.tmp": File too large',
        'IO Error: Could not write to file "spill/duckdb_temp_0.tmp": No space left on device',
    ],
)
def test_a_full_disk_is_named_whatever_the_engine_was_doing_when_it_met_it(said, long):
    error = explain(long, "Parquet", ["died", "risk"], said)
    assert isinstance(error, OSError)
    what = said.removeprefix("IO Error: ")
    assert str(error) == f"long.parquet needs more room than the folder for temporary files has: {what}."


@pytest.mark.slow
def test_what_does_not_fit_is_spilled_and_nothing_is_left_of_it(long, tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    spilled, modes = set(), set()

    def watched(relation, rows):
        for batch in batches(relation, rows):
            spilled.update(path.name for path in tmp_path.rglob("*.tmp"))
            modes.update(stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir())
            yield batch

    monkeypatch.setattr(_stream, "batches", watched)
    table = large.score_table(long, "died", "risk", memory_limit="40MB")
    assert_same(table, score_table(LONG > 0.4, LONG))
    assert spilled
    assert modes == {0o700}  # no one else can enter
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("measures", [stakes.brier_score, {}, {"a": 3}, [stakes.brier_score]])
def test_measures_must_be_functions_by_name(path, measures):
    with pytest.raises(TypeError) as caught:
        large.means(path, "died", "risk", measures)
    assert str(caught.value) == ("`measures` must map names to functions of a sample, such as {'Brier': brier_score}.")


@pytest.mark.parametrize(
    "measure",
    [
        stakes.auc,
        stakes.h_measure,
        partial(stakes.skill_score, costs=Uniform()),
        lambda sample: stakes.decompose(sample, Uniform()).miscalibration,
        lambda sample: stakes.brier_score(sample) ** 0.5,
        lambda sample: sample.total,
        lambda sample: np.nan,
    ],
)
def test_what_is_not_a_mean_over_cases_is_refused(path, measure):
    with pytest.raises(ValueError, match="must") as caught:
        large.means(path, "died", "risk", {"Brier": stakes.brier_score, "other": measure})
    assert str(caught.value) == (
        "`measures` must be means over cases, got 'other', whose value of two samples together is not the mean of "
        "its values of each; `large.score_table` makes a table for it."
    )


@pytest.mark.sample(7)
@pytest.mark.parametrize("costs", [*BELIEFS, *OTHER_BELIEFS], ids=repr)
def test_the_mean_regret_of_every_belief_is_a_mean_over_cases(tmp_path, costs):
    FRAME[["died", "risk"]].iloc[:500].assign(risk=FRAME["risk"].clip(0.001)).to_parquet(tmp_path / "a.parquet")
    table = score_table(FRAME["died"][:500], FRAME["risk"][:500].clip(0.001))
    found = large.means(
        tmp_path / "a.parquet", "died", "risk", {"regret": partial(stakes.expected_regret, costs=costs)}
    )
    assert found["regret"] == pytest.approx(stakes.expected_regret(table, costs), rel=1e-12)


def test_uniform_costs_are_half_the_brier_score_of_a_file(path):
    found = large.means(
        path, "died", "risk", {"a": stakes.brier_score, "b": partial(stakes.expected_regret, costs=Uniform())}
    )
    assert found["a"] == pytest.approx(2 * found["b"], rel=1e-13)

"""What goes wrong in a run: the same answer as without, or an error that says so; never a wrong number."""

import gzip
import json
import os
import signal
import subprocess
import sys
from contextlib import suppress
from functools import partial
from pathlib import Path

import duckdb
import numpy as np
import polars as pl
import pyarrow as pa
import pytest
from frames.engines import dask_client, spark, write_parts
from frames.faults import FATAL, kill_this_worker_once, resampled
from frames.test_evaluating import SAMPLE
from numpy.testing import assert_allclose
from pyarrow import dataset, parquet

from stakes import brier_score, frames, large
from stakes.frames import open_file
from stakes.frames._frame import reading

HERE, PATIENCE = Path(__file__).parent, 600  # seconds that a cluster may take, on a busy machine


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Write the sample as three Parquet files."""
    folder = tmp_path_factory.mktemp("parts")
    write_parts(SAMPLE, folder)
    return folder


def same(found):
    """Compare with what comes out where nothing goes wrong."""
    wanted = resampled(pl.LazyFrame(SAMPLE))
    assert list(found) == list(wanted)
    for model, ends in wanted.items():
        assert_allclose(found[model], ends, rtol=1e-9)


@pytest.mark.cluster
def test_a_dask_worker_that_is_killed_does_not_change_the_answer(folder, tmp_path):
    import dask.dataframe as dd

    dask_client()
    read = dd.read_parquet(folder)
    same(resampled(read.map_partitions(kill_this_worker_once, str(tmp_path), meta=read._meta)))
    assert (tmp_path / str(FATAL)).exists()


@pytest.mark.cluster
@pytest.mark.parametrize(
    ("master", "fault"),
    [("local-cluster[2,1,1024]", "kill_this_executor_once"), ("local[2,4]", "fail_this_task_once")],
)
def test_a_spark_executor_that_is_killed_and_a_task_that_fails_do_not_change_the_answer(
    master, fault, folder, tmp_path
):
    home, flags, python = spark_home(tmp_path / "home"), tmp_path / "flags", sys.executable
    flags.mkdir()
    settings = {"SPARK_HOME": str(home), "PYTHONPATH": str(HERE.parent), "PYSPARK_PYTHON": python}
    command = [python, HERE / "spark_fault.py", master, fault, folder, flags]
    same(json.loads(printed(command, os.environ | settings, tmp_path)))
    assert (flags / str(FATAL)).exists()


def printed(command, environment, folder):
    """Return what a process prints. To files: what it leaves behind, as a cluster may, would hold a pipe open."""
    out, errors = folder / "out", folder / "errors"
    with out.open("wb") as to, errors.open("wb") as wrong:
        more = {"env": environment, "stdin": subprocess.DEVNULL, "start_new_session": True}
        running = subprocess.Popen(command, stdout=to, stderr=wrong, **more)
        try:
            code = running.wait(timeout=PATIENCE)
        finally:
            with suppress(ProcessLookupError):
                os.killpg(running.pid, signal.SIGKILL)
    assert code == 0, errors.read_text("utf-8", errors="replace")
    return out.read_text("utf-8")


def spark_home(home):
    """Make a folder that holds all of Spark, and where its workers may write."""
    import pyspark

    home.mkdir()
    for part in Path(pyspark.__file__).parent.iterdir():
        if part.name != "work":
            (home / part.name).symlink_to(part)
    return home


# ------------------------------------------------------------------------------------------- files


def lazily(engine, path):
    """Open Parquet files with an engine, without reading them."""
    if engine == "Dask":
        import dask.dataframe as dd

        dask_client()
        return dd.read_parquet(path)
    if engine == "Spark":
        return spark().read.parquet(str(path))
    if engine == "PyArrow":
        return dataset.dataset(path)
    files = sorted(map(str, path.iterdir()))  # a pattern would stand for the files that are there when it is read
    return pl.scan_parquet(files) if engine == "polars" else duckdb.read_parquet(files)


def damage(path):
    """Overwrite the beginning of a file, where the pages of its first column are; its end says what is in it."""
    content = path.read_bytes()
    path.write_bytes(content[:4] + b"\xff" * 100 + content[104:])


HARM = {
    "deleted": lambda path: path.unlink(),
    "cut off": lambda path: os.truncate(path, path.stat().st_size // 2),
    "damaged": damage,
}


@pytest.mark.parametrize("harm", HARM)
@pytest.mark.parametrize("engine", ["polars", "PyArrow", "DuckDB", "Dask", "Spark"])
def test_a_file_that_cannot_be_read_to_its_end_is_an_error_on_every_engine(engine, harm, tmp_path):
    write_parts(SAMPLE, tmp_path)
    frame = lazily(engine, tmp_path)
    HARM[harm](tmp_path / "1.parquet")
    with pytest.raises(OSError, match=r"^`frame` must be readable to its end, got an error of \w+: .+\.$"):
        frames.score_table(frame, "died", "new")


def test_an_error_of_a_compiled_engine_which_leaves_no_trace_is_not_taken_for_ours():
    class EngineError(Exception):
        """As a compiled engine raises it, when it is called from this package."""

    with pytest.raises(OSError, match="must") as caught, reading("engine"):
        exec("raise error", {"__name__": "stakes.frames", "error": EngineError("Page 7 is damaged")})
    assert str(caught.value) == "`frame` must be readable to its end, got an error of engine: Page 7 is damaged."


@pytest.fixture(scope="module")
def long(tmp_path_factory):
    """Write a long Parquet file, which is read in many pieces."""
    rng = np.random.default_rng(2)
    path = tmp_path_factory.mktemp("long") / "scores.parquet"
    score = rng.random(3_000_000)
    table = pa.table({"died": (rng.random(len(score)) < score).astype(np.int8), "risk": score})
    parquet.write_table(table, path, row_group_size=100_000, compression="none")
    return path


def means(path, then):
    """Compute a mean of a file; in its first piece, something else happens."""
    happens = iter([then])

    def mean(sample):
        if sample.total > 1000:  # a piece of the file, not a trial of the function
            next(happens, lambda: None)()
        return brier_score(sample)

    return large.means(path, "died", "risk", {"Brier": mean}, memory_limit="100MB")["Brier"]


@pytest.mark.slow
def test_a_file_that_is_deleted_while_it_is_read_gives_the_same_number_or_an_error(long, tmp_path):
    path = tmp_path / "scores.parquet"
    path.write_bytes(long.read_bytes())
    wanted = means(long, lambda: None)
    found = wanted
    with suppress(FileNotFoundError):
        found = means(path, path.unlink)
    assert found == wanted
    assert not path.exists()


def test_a_file_that_is_cut_off_while_it_is_read_is_an_error(long, tmp_path):
    path = tmp_path / "scores.parquet"
    path.write_bytes(long.read_bytes())
    with pytest.raises(
        ValueError, match=r"^scores\.parquet must stay as it is while it is read, got .+; open it again\.$"
    ):
        means(path, partial(os.truncate, path, path.stat().st_size // 4))


@pytest.mark.parametrize("read", [frames.score_table, large.score_table])
def test_a_file_that_is_deleted_after_it_was_opened_is_an_error(read, tmp_path):
    path = tmp_path / "scores.csv"
    path.write_text("died,risk\n0,0.2\n1,0.7\n")
    file = open_file(path)
    path.unlink()
    with pytest.raises(FileNotFoundError) as caught:
        read(file, "died", "risk")
    assert str(caught.value) == "scores.csv must stay where it is while it is read, got nothing of that name."


def test_a_parquet_file_that_is_cut_off_is_refused_when_it_is_opened(long, tmp_path):
    path = tmp_path / "scores.parquet"
    path.write_bytes(long.read_bytes()[:-100])
    with pytest.raises(ValueError, match=r"^scores\.parquet must be a whole Parquet file, got one that .+\.$"):
        open_file(path)


@pytest.mark.parametrize("lines", [10, 100_000])
def test_a_gzip_file_that_is_cut_off_is_an_error_whether_it_is_short_or_long(lines, tmp_path):
    path = tmp_path / "scores.csv.gz"
    rng = np.random.default_rng(4)
    text = "died,risk\n" + "".join(f"{i % 2},{score}\n" for i, score in enumerate(rng.random(lines).tolist()))
    packed = gzip.compress(text.encode())
    path.write_bytes(packed[: len(packed) * 2 // 3])
    with pytest.raises(ValueError, match="whole") as caught:
        frames.score_table(open_file(path), "died", "risk")
    assert str(caught.value) == "scores.csv.gz must be a whole gzip file, got one that is truncated or damaged."

"""Links, unpacked copies and folders to spill to last as long as what reads them, and no longer."""

import bz2
import gc
import tempfile

import pyarrow as pa
import pytest
from pyarrow import feather, parquet

from stakes import InputError
from stakes._roles import Roles
from stakes.frames import open_file
from stakes.frames._engines import open_with

TEXT = "died,risk\n0,0.25\n1,0.5\n"
TABLE = pa.table({"died": [0, 1], "risk": [0.25, 0.5]})
WRITTEN = {
    "scores.csv": lambda path: path.write_text(TEXT),
    "o=dd.csv": lambda path: path.write_text(TEXT),
    "scores.csv.bz2": lambda path: path.write_bytes(bz2.compress(TEXT.encode())),
    "o=dd.parquet": lambda path: parquet.write_table(TABLE, path),
    "o=dd.arrow": lambda path: feather.write_feather(TABLE, str(path)),
}
READ = {
    "a relation": lambda path: open_file(path).relation(numbers=["risk"]),
    "one derived from it": lambda path: open_file(path).relation(numbers=["died", "risk"]).select("risk").limit(9),
}


@pytest.fixture
def temporary(tmp_path_factory, monkeypatch):
    """Make a folder for temporary files, which is empty at the end."""
    folder = tmp_path_factory.mktemp("temporary")
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    yield folder
    gc.collect()
    assert [*folder.iterdir()] == []


@pytest.mark.slow
@pytest.mark.sample(12)
@pytest.mark.parametrize("read", READ)
@pytest.mark.parametrize("name", WRITTEN)
def test_a_relation_can_be_read_when_nothing_else_holds_its_file(name, read, tmp_path, temporary):
    WRITTEN[name](tmp_path / name)
    relation = READ[read](tmp_path / name)
    gc.collect()
    assert [*temporary.iterdir()]  # at least the folder to spill to
    assert relation.fetchall() == [(0.25,), (0.5,)]


@pytest.mark.slow
def test_batches_can_be_read_when_nothing_else_holds_their_file(tmp_path, temporary):
    WRITTEN["scores.csv.bz2"](tmp_path / "scores.csv.bz2")
    relation = open_file(tmp_path / "scores.csv.bz2").relation(numbers=["risk"])
    reader = (getattr(relation, "to_arrow_reader", None) or relation.fetch_record_batch)(1)
    del relation
    gc.collect()
    assert reader.read_all()["risk"].to_pylist() == [0.25, 0.5]


@pytest.mark.slow
@pytest.mark.sample(2)
@pytest.mark.parametrize("name", ["x=1.csv", "x.csv"])
def test_a_file_that_is_refused_leaves_nothing(name, tmp_path, temporary):
    (tmp_path / name).write_text("1,2\n3,4\n")
    with pytest.raises(InputError):
        open_file(tmp_path / name)
    assert [*temporary.iterdir()] == []


@pytest.mark.slow
def test_the_parts_of_a_folder_share_an_engine_and_its_folders(tmp_path, temporary, monkeypatch):
    made, make = [], tempfile.mkdtemp
    monkeypatch.setattr(tempfile, "mkdtemp", lambda *given, **named: made.append(make(*given, **named)) or made[-1])
    for part in range(20):
        (tmp_path / f"site={part}").mkdir()
        parquet.write_table(TABLE, tmp_path / f"site={part}" / "part.parquet")
    with open_with("polars", None, str(tmp_path), Roles(outcome="died", predictions={"risk": "risk"})) as (frame, _, _):
        assert frame.collect().shape[0] == 40
    assert len(made) <= 3  # for what is spilled, for links to the parts, and perhaps for one to the folder


@pytest.mark.slow
@pytest.mark.sample(2)
@pytest.mark.parametrize("suffix", [".PARQUET", ".Pq"])
def test_damaged_parts_of_a_folder_are_found_in_capitals_too(suffix, tmp_path, temporary):
    path = tmp_path / f"part{suffix}"
    plain = {"compression": "none", "use_dictionary": False, "write_statistics": False}
    parquet.write_table(TABLE, path, write_page_checksum=True, **plain)
    whole = path.read_bytes()
    place = whole.index(pa.array([0.25]).buffers()[1].to_pybytes()[:8])
    path.write_bytes(whole[:place] + b"\1" + whole[place + 1 :])
    roles = Roles(outcome="died", predictions={"risk": "risk"})
    with pytest.raises(InputError, match="truncated or damaged"), open_with("polars", None, str(tmp_path), roles):
        pass

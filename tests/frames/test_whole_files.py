"""Numbers are those of the file that was named, all of it, as it was when it was opened; else there are none."""

import bz2
import gzip
import lzma
import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pyarrow.feather
import pytest
from frames.columns import read_columns
from numpy.testing import assert_array_equal
from pyarrow import parquet

from stakes import InputError, frames, large
from stakes.frames import open_file

RNG = np.random.default_rng(5)
RISK = RNG.random(500).round(6)
DIED = (RNG.random(500) < RISK).astype(int)
TEXT = "died,risk\n" + "".join(f"{died},{risk}\n" for died, risk in zip(DIED, RISK, strict=True))
TABLE = pa.table({"died": DIED, "risk": RISK})


def flips(whole, number=60):
    """Flip one bit at many places, evenly spread."""
    for k in range(number):
        place = k * len(whole) // number
        yield whole[:place] + bytes([whole[place] ^ 1 << (k % 8)]) + whole[place + 1 :]


def zstd(content):
    """Compress with a checksum of the content, as the command of that name does."""
    frame = bytearray(pa.compress(content, codec="zstd", asbytes=True))
    assert not frame[4] & 4
    frame[4] |= 4
    return bytes(frame) + xxh64(content).to_bytes(8, "little")[:4]


def xxh64(data):
    """Return XXH64 with seed 0 of at least 32 bytes; its low four end a frame of zstd (RFC 8878)."""
    mask, p = (1 << 64) - 1, (11400714785074694791, 14029467366897019727, 1609587929392839161, 9650029242287828579)
    p5 = 2870177450012600261

    def turn(value, by):
        return (value << by | value >> (64 - by)) & mask

    def step(lane, word):
        return turn((lane + word * p[1]) & mask, 31) * p[0] & mask

    lanes, at = [(p[0] + p[1]) & mask, p[1], 0, -p[0] & mask], 0
    while at + 32 <= len(data):
        lanes = [step(one, int.from_bytes(data[at + 8 * i : at + 8 * i + 8], "little")) for i, one in enumerate(lanes)]
        at += 32
    total = sum(turn(one, by) for one, by in zip(lanes, (1, 7, 12, 18), strict=True)) & mask
    for one in lanes:
        total = ((total ^ step(0, one)) * p[0] + p[3]) & mask
    total = (total + len(data)) & mask
    while at + 8 <= len(data):
        total = (turn(total ^ step(0, int.from_bytes(data[at : at + 8], "little")), 27) * p[0] + p[3]) & mask
        at += 8
    if at + 4 <= len(data):
        word = int.from_bytes(data[at : at + 4], "little")
        total = (turn(total ^ word * p[0] & mask, 23) * p[1] + p[2]) & mask
        at += 4
    for byte in data[at:]:
        total = turn(total ^ byte * p5 & mask, 11) * p[0] & mask
    for shift, factor in ((33, p[1]), (29, p[2])):
        total = (total ^ total >> shift) * factor & mask
    return total ^ total >> 32


# ------------------------------------------------------------------------------------------- damaged files

PACKED = {"gzip": lambda text: gzip.compress(text, mtime=0), "bz2": bz2.compress, "xz": lzma.compress, "zstd": zstd}


def numbers(path):
    """Return what a file is read as, or None if it is refused."""
    try:
        found = read_columns(open_file(path), numbers=["died", "risk"])
    except InputError:
        return None
    return found["died"].tolist(), found["risk"].tolist()


@pytest.mark.parametrize("packing", PACKED)
def test_packed_text_with_a_flipped_bit_is_refused_or_gives_the_same_numbers(packing, tmp_path):
    path, whole = tmp_path / "scores", PACKED[packing](TEXT.encode())
    path.write_bytes(whole)
    wanted = (DIED.tolist(), RISK.tolist())
    assert numbers(path) == wanted
    found = []
    for damaged in flips(whole):
        path.write_bytes(damaged)
        found.append(numbers(path))
    assert all(one in (None, wanted) for one in found)
    assert found.count(None) > 50


@pytest.mark.parametrize("packing", PACKED)
def test_packed_text_in_several_streams_is_read_to_the_end_or_refused(packing, tmp_path):
    path, pack = tmp_path / "scores", PACKED[packing]
    half = len(TEXT) // 2
    first, second = pack(TEXT[:half].encode()), pack(TEXT[half:].encode())
    path.write_bytes(first + second)
    assert numbers(path) == (DIED.tolist(), RISK.tolist())
    for damaged in (first + b"x" + second[1:], first + second + b"x", first + second[:-1], first + second[:5]):
        path.write_bytes(damaged)
        with pytest.raises(InputError, match="truncated or damaged") as caught:
            open_file(path)
        message = f"scores must be a whole {packing} file, got one that is truncated or damaged."
        assert str(caught.value) == message


@pytest.mark.slow
@pytest.mark.parametrize("version", ["1.0", "2.0"])
def test_parquet_with_a_flipped_bit_in_a_page_is_refused(version, tmp_path):
    path = tmp_path / "scores.parquet"
    parquet.write_table(TABLE, path, write_page_checksum=True, data_page_version=version, data_page_size=600)
    whole, wanted, found = path.read_bytes(), (DIED.tolist(), RISK.tolist()), []
    assert numbers(path) == wanted
    end = len(whole) - 8 - int.from_bytes(whole[-8:-4], "little")  # of the pages
    for damaged in flips(whole[4:end]):
        path.write_bytes(whole[:4] + damaged + whole[end:])
        found.append(numbers(path))
    assert all(one in (None, wanted) for one in found)
    assert found.count(None) > 50


def test_parquet_without_checksums_is_read(tmp_path):
    parquet.write_table(TABLE, tmp_path / "scores.parquet", row_group_size=100, compression="none")
    assert numbers(tmp_path / "scores.parquet") == (DIED.tolist(), RISK.tolist())


# ------------------------------------------------------------------------------------------- the file that was named


NAMES = [
    "~/d.csv",
    "~x.csv",
    "~",
    "file:/d.csv",
    "file:d.csv",
    "s3:/b/d.csv",
    "http:/h/d.csv",
    "a=1/d.csv",
    "0=5/d.csv",
    "*.csv",
    "a?.csv",
    "[ab].csv",
    "a\\*b.csv",
    "{a,b}.csv",
    "%20.csv",
    'it\'s "ü".csv',
    "a\nb.csv",
    "-",
    "#.csv",
    "died=1/x/risk=0/d.parquet",
    "a*/d.parquet",
    "_d.parquet",
    "risk=0/_d.arrow",
    "~/[d].arrow",
]


@pytest.mark.sample(3)
@pytest.mark.parametrize("name", NAMES)
def test_the_file_of_a_name_is_read_and_no_other(name, tmp_path, monkeypatch):
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.chdir(home)
    for decoy in (home / "d.csv", home / "ab.csv", home / "a.csv", home / "b.csv", tmp_path / "d.csv"):
        decoy.write_text("died,risk\n0,0.125\n")
    path = home / name
    path.parent.mkdir(parents=True, exist_ok=True)
    table = pa.table({"died": [1, 0], "risk": [0.5, 0.25]})
    if name.endswith(".parquet"):
        parquet.write_table(table, path)
    elif name.endswith(".arrow"):
        pa.feather.write_feather(table, str(path))
    else:
        path.write_text("died,risk\n1,0.5\n0,0.25\n")
    for given in (path, f"./{name}"):
        assert numbers(given) == ([1.0, 0.0], [0.5, 0.25])


# ------------------------------------------------------------------------------------------- files that change


def _grow(path):
    with path.open("a") as file:
        file.write("1,0.75\n")


def _cut(path):
    os.truncate(path, path.stat().st_size // 2)


def _replace(path):
    other = path.with_name("other")
    other.write_text(path.read_text())
    other.replace(path)


def _overwrite(path):
    before = path.stat()
    path.write_text(path.read_text().replace("0.", "1."))
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns + 1))


CHANGES = {
    _grow: "got {grown} bytes where there were {size}; open it again.",
    _cut: "got {half} bytes where there were {size}; open it again.",
    _replace: "got another file in its place; open it again.",
    _overwrite: "got one that was written to; open it again.",
    os.remove: "stay where it is while it is read, got nothing of that name.",
}


@pytest.mark.sample(3)
@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("door", ["tables", "columns", "stream", "quantise"])
def test_a_file_that_changes_after_it_was_opened_gives_no_number(change, door, tmp_path):
    path = tmp_path / "scores.csv"
    path.write_text(TEXT)
    file, size = open_file(path), len(TEXT)
    change(path)
    with pytest.raises(InputError) as caught:
        {
            "tables": lambda: frames.score_table(file, "died", "risk"),
            "columns": lambda: read_columns(file, numbers=["risk"]),
            "stream": lambda: large.score_table(file, "died", "risk"),
            "quantise": lambda: large.quantise_frame(file, "died", ["risk"], bins=16),
        }[door]()
    said = CHANGES[change].format(size=f"{size:,}", half=f"{size // 2:,}", grown=f"{size + 7:,}")
    assert str(caught.value).endswith(said)


@pytest.mark.parametrize("change", [_grow, _cut, _replace])
def test_a_file_that_changes_during_a_pass_gives_no_number(change, tmp_path):
    path = tmp_path / "scores.csv"
    path.write_text(TEXT)
    file = open_file(path)

    def scan(wanted):
        found = file.scan(wanted)
        change(path)
        return found

    with pytest.raises(InputError, match="stay as it is while it is read"):
        frames.score_table(replace(file, scan=scan), "died", "risk")


# ------------------------------------------------------------------------------------------- long lines


@pytest.mark.sample(3)
@pytest.mark.parametrize("packing", ["none", "gzip", "zstd", pytest.param("bz2", marks=pytest.mark.slow)])
@pytest.mark.parametrize("last", [True, False])
def test_a_line_that_the_engine_cannot_hold_is_named(packing, last, tmp_path):
    text = "died,risk,note\n" + "0,0.5,x\n" * 399 + "1,0.25," + "y" * (40 << 20) + ("" if last else "\n0,0.5,x\n")
    content = text.encode()
    quick = {"gzip": lambda text: gzip.compress(text, 1), "zstd": lambda text: pa.compress(text, "zstd", asbytes=True)}
    (tmp_path / "scores.csv").write_bytes(quick.get(packing, PACKED.get(packing, bytes))(content))
    with pytest.raises(InputError) as caught:
        frames.score_table(open_file(tmp_path / "scores.csv"), "died", "risk")
    assert str(caught.value) == "scores.csv must have lines of at most 2,000,000 bytes, got a longer one at line 401."


@pytest.mark.sample(3)
@pytest.mark.parametrize("over", [-1, 0, 2])
@pytest.mark.parametrize("end", ["", "\n", "\r\n"])
@pytest.mark.parametrize("packing", ["none", "gzip"])
def test_a_line_of_the_greatest_length_is_read_and_a_longer_one_is_not(over, end, packing, tmp_path):
    line = "1,0.25," + "y" * (2_000_000 + over - 7 - len(end)) + end
    content = ("died,risk,note\n0,0.5,x\n".replace("\n", end or "\n") + line).encode()
    (tmp_path / "scores.csv").write_bytes(PACKED[packing](content) if packing == "gzip" else content)
    if over > 0:
        with pytest.raises(InputError, match="got a longer one at line 3"):
            open_file(tmp_path / "scores.csv")
    else:
        assert len(read_columns(open_file(tmp_path / "scores.csv"), numbers=["risk"])["risk"]) == 2


@pytest.mark.slow
@pytest.mark.parametrize("lines", [3000, 40_000])  # the engine gives up in two ways
def test_a_quoted_field_of_many_lines_may_be_too_long_too(lines, tmp_path):
    text = 'died,risk,note\n0,0.5,x\n1,0.25,"' + ("y" * 1000 + "\n") * lines + '"\n0,0.5,x\n'
    (tmp_path / "scores.csv").write_text(text)
    with pytest.raises(InputError) as caught:
        read_columns(open_file(tmp_path / "scores.csv"), numbers=["risk"])
    assert str(caught.value) == "scores.csv must have lines of at most 2,000,000 bytes, got a longer one at line 3."


@pytest.mark.slow
def test_a_quoted_field_that_never_ends_is_not_closed_however_long_it_is(tmp_path):
    text = 'died,risk,note\n0,0.5,x\n1,0.25,"' + ("y" * 1000 + "\n") * 40_000
    (tmp_path / "scores.csv").write_text(text)
    with pytest.raises(InputError) as caught:
        read_columns(open_file(tmp_path / "scores.csv"), numbers=["risk"])
    assert str(caught.value) == "scores.csv must close every quotation mark, got one in line 3 that stays open."


@pytest.mark.parametrize("quote", ["", '"'])
def test_a_field_of_more_than_131072_characters_is_text(quote, tmp_path):
    (tmp_path / "scores.csv").write_text(f"died,risk,note\n0,0.5,{quote}{'y' * 200_000}{quote}\n1,0.25,x\n")
    file = open_file(tmp_path / "scores.csv")
    assert file.kinds["note"] == "text"
    assert_array_equal(read_columns(file, numbers=["risk"])["risk"], [0.5, 0.25])


BEFORE = {
    "quoted lines": 'died,risk,note\n0,0.5,"a\nb\n""c"\n0,0.25,x\n{},y\n',
    "empty lines": "died,risk,note\n\n\n0,0.25,x\n\n{},y\n",
    "both, as on Windows": 'died,risk,note\r\n\r\n0,0.25,"x\r\ny"\r\n\r\n{},y\r\n',
}


@pytest.mark.sample(4)
@pytest.mark.parametrize("before", BEFORE)
@pytest.mark.parametrize("packing", ["none", "gzip"])
@pytest.mark.parametrize("bad", ["2,0.5", "1,high", "1,0.5,0.5", "1,inf"])
def test_a_line_is_that_of_an_editor_whatever_is_before_it(bad, before, packing, tmp_path):
    text = BEFORE[before].format(bad).encode()
    (tmp_path / "scores.csv").write_bytes(PACKED[packing](text) if packing in PACKED else text)
    line = text.split(bad.encode())[0].count(b"\n") + 1
    with pytest.raises(InputError, match=rf"line {line}\b"):
        frames.score_table(open_file(tmp_path / "scores.csv"), "died", "risk")


# ------------------------------------------------------------------------------------------- threads


@pytest.mark.slow
@pytest.mark.sample(3)
@pytest.mark.parametrize("kind", ["csv", "parquet", "arrow"])
def test_threads_may_share_a_file(kind, tmp_path):
    path = tmp_path / f"scores.{kind}"
    {"csv": lambda: path.write_text(TEXT), "parquet": lambda: parquet.write_table(TABLE, path)}.get(
        kind, lambda: pa.feather.write_feather(TABLE, str(path))
    )()
    file = open_file(path)
    wanted = frames.score_table(file, "died", "risk")
    with ThreadPoolExecutor(16) as pool:
        found = list(pool.map(lambda _: frames.score_table(file, "died", "risk"), range(24)))
    assert all(one == wanted for one in found)

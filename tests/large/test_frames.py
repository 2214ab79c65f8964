"""Quantised tables of every engine: the same bins, the same sums, the same bad rows and the same words."""

import warnings

import numpy as np
import pyarrow as pa
import pytest
from frames.engines import ENGINES
from numpy.testing import assert_allclose, assert_array_equal

from stakes.frames import DroppedRowsWarning
from stakes.large import Bins, quantise, quantise_frame

NAN = float("nan")
RNG = np.random.default_rng(11)
SCORE = np.concatenate([RNG.beta(0.3, 2, 60), [0.0, -0.0, 1.0, 0.25, 0.5, 1e-9, np.nextafter(0.5, 0), 0.1]])
GOOD = {
    "died": (RNG.random(len(SCORE)) < SCORE).astype(int).tolist(),
    "risk": SCORE.tolist(),
    "single": pa.array(SCORE.astype(np.float32)),
    "other": RNG.random(len(SCORE)).tolist(),
    "weight": RNG.choice([0.0, 0.5, 1.0, 2.75], len(SCORE)).tolist(),
}
BAD = {
    "died": [0, 1, None, 1, 0, 1],
    "good": [0, 1, 1, 0, 1, 0],
    "lost": [0.1, NAN, 0.3, None, 0.5, 0.2],
    "risk": [0.1, 0.2, 0.3, 0.4, 0.5, 0.6],
    "steep": [0.1, 1.5, -0.25, 0.4, -7.0, 0.3],
    "weight": [1.0, 1.0, -2.0, 1.0, 1.0, 1.0],
    "none": [0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
}
BINS = {
    "16": Bins(16),
    "65536": Bins(65536),
    "fine ends": Bins(64, fine_ends=True),
    "edges": Bins(8, edges=(0.1, 0.3)),
    "many cuts": Bins(2, edges=np.linspace(0.01, 0.9, 120)),
}
DROP = 'write `on_missing="drop"` to drop such rows.'
REFUSED = {
    "missing outcome": (("died", "risk"), {}, f"`died` must not have missing values, got 1 missing value; {DROP}"),
    "missing score": (("good", "lost"), {}, f"`lost` must not have missing values, got 2 missing values; {DROP}"),
    "no probability": (
        ("good", "steep"),
        {},
        "`steep` must be a probability between 0 and 1, got -7 in 3 rows.",
    ),
    "negative weight": (
        ("good", "risk"),
        {"weight": "weight"},
        "`weight` must be finite and not negative, got -2 in 1 row.",
    ),
    "no weight": (("good", "risk"), {"weight": "none"}, "`none` must not be zero for every case."),
}


@pytest.fixture(scope="module", params=ENGINES)
def engine(request):
    return ENGINES[request.param]


@pytest.fixture(scope="module")
def good(engine):
    return engine(GOOD)


@pytest.fixture(scope="module")
def bad(engine):
    return engine(BAD)


def assert_same(found, expected):
    assert (found.bins, found.bin.tolist()) == (expected.bins, expected.bin.tolist())
    for sums, others in ((found.positive, expected.positive), (found.negative, expected.negative)):
        for column in ("cases", "least", "most"):
            assert_array_equal(getattr(sums, column), getattr(others, column))
        for column in ("weight", "score", "square"):
            assert_allclose(getattr(sums, column), getattr(others, column), rtol=1e-14)


@pytest.mark.sample(9)
@pytest.mark.parametrize("bins", BINS.values(), ids=BINS)
def test_the_table_is_that_of_the_arrays(good, bins):
    assert_same(quantise_frame(good, "died", ["risk"], bins=bins)["risk"], quantise(GOOD["died"], SCORE, bins=bins))


def test_weights_are_added_up_and_weight_zero_is_absent(good):
    expected = quantise(GOOD["died"], SCORE, GOOD["weight"], bins=16)
    assert_same(quantise_frame(good, "died", ["risk"], weight="weight", bins=16)["risk"], expected)


def test_single_precision_is_binned_and_added_up_in_double(good):
    expected = quantise(GOOD["died"], SCORE.astype(np.float32), bins=16)
    assert_same(quantise_frame(good, "died", ["single"], bins=16)["single"], expected)


def test_many_models_in_one_pass(good):
    tables = quantise_frame(good, "died", {"a": "risk", "b": "other"}, bins=16)
    assert list(tables) == ["a", "b"]
    assert_same(tables["a"], quantise(GOOD["died"], GOOD["risk"], bins=16))
    assert_same(tables["b"], quantise(GOOD["died"], GOOD["other"], bins=16))


@pytest.mark.sample(3)
def test_the_frame_is_read_again_with_finer_bins(good):
    table = quantise_frame(good, "died", ["risk"], bins=2, tolerance=0.05)["risk"]
    assert table.bins.count > 2
    assert table.undecided <= 0.05


@pytest.mark.sample(3)
@pytest.mark.parametrize("name", REFUSED)
def test_bad_rows_are_refused_in_the_same_words(bad, name):
    (outcome, score), keywords, message = REFUSED[name]
    with pytest.raises(ValueError, match="must") as caught:
        quantise_frame(bad, outcome, [score], **keywords)[score]
    assert str(caught.value) == message


def test_rows_with_missing_values_are_dropped_and_counted_once(bad):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", DroppedRowsWarning)
        table = quantise_frame(bad, "good", ["lost"], bins=2, tolerance=0.01, on_missing="drop")["lost"]
    dropped = [one.message for one in caught if isinstance(one.message, DroppedRowsWarning)]
    assert [one.by_column for one in dropped] == [{"lost": 2}]
    kept = [i for i, score in enumerate(BAD["lost"]) if score is not None and score == score]
    assert_same(table, quantise([BAD["good"][i] for i in kept], [BAD["lost"][i] for i in kept], bins=table.bins))


def test_a_bad_row_of_one_model_is_refused_for_all(bad):
    with pytest.raises(ValueError, match="must") as caught:
        quantise_frame(bad, "good", ["risk", "steep"])
    assert str(caught.value) == "`steep` must be a probability between 0 and 1, got -7 in 3 rows."


@pytest.mark.parametrize(
    ("keywords", "error", "message"),
    [
        ({"bins": 100}, ValueError, "`bins` must be a power of two up to 2**40, got 100."),
        ({"tolerance": -1}, ValueError, "`tolerance` must be finite and greater than 0, got -1."),
        ({"on_missing": "keep"}, ValueError, "`on_missing` must be one of drop, error, got 'keep'."),
    ],
)
def test_bad_arguments_are_refused(keywords, error, message):
    with pytest.raises(error) as caught:
        quantise_frame(ENGINES["polars"](GOOD), "died", ["risk"], **keywords)["risk"]
    assert str(caught.value) == message

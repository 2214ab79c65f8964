"""One aggregation on every engine: the same table, the same bad rows, the same words."""

import warnings

import numpy as np
import pyarrow as pa
import pytest
from frames.engines import ENGINES, FILES
from numpy.testing import assert_allclose, assert_array_equal

from stakes import Cases, ScoreTable, frames, score_table
from stakes.frames import DroppedRowsWarning

NAN, INF = float("nan"), float("inf")
GOOD = {
    "died": [0, 1, 0, 1, 1, 0, 0, 1, 0, 1],
    "alive": [True, False, True, False, False, True, True, False, True, False],
    "outcome": ["home", "died", "home", "died", "died", "home", "home", "died", "home", "died"],
    "twice": [1, 2, 1, 2, 2, 1, 1, 2, 1, 2],
    "risk": [0.1, 0.2, 0.1, 0.9, 0.0, -0.0, 0.5, 0.2, 0.2, 0.75],
    "single": pa.array([0.1, 0.2, 0.1, 0.9, 0.0, -0.0, 0.5, 0.2, 0.2, 0.75], pa.float32()),
    "points": [3, 1, 2, 9, 0, -4, 5, 1, 1, 7],
    "weight": [1.0, 2.0, 0.5, 0.0, 3.0, 1.25, 1.0, 0.7, 1.0, 4.0],
    "site": ["north", "south", "north", "east", "south", "north", "south", "north", "south", "north"],
    "ward": [7, 3, 7, 3, 3, 12, 12, 7, 3, 12],
}
BAD = {
    "died": [0, 1, None, 1, 2, 0, 3, 1, 2],
    "float": [0.0, 1.0, NAN, 1.0, 0.5, 0.0, 1.0, 1.0, 1.0],
    "outcome": ["home", "died", "home", None, "lost", "died", "died", "home", "home"],
    "good": [0, 1, 1, 0, 0, 1, 0, 1, 1],
    "risk": [0.1, NAN, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, None],
    "steep": [0.1, 0.2, INF, 0.4, 0.5, -INF, 0.7, 0.8, INF],
    "weight": [1.0, 1.0, 1.0, -2.0, 1.0, 1.0, -3.0, 1.0, 1.0],
    "gap": [1.0, None, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0],
    "site": ["north", "south", "north", None, "south", "north", "south", "north", "south"],
}
DROP = 'write `on_missing="drop"` to drop such rows.'

REFUSED = {
    "missing outcome": (("died", "steep"), {}, f"`died` must not have missing values, got 1 missing value; {DROP}"),
    "nan outcome": (("float", "steep"), {}, f"`float` must not have missing values, got 1 missing value; {DROP}"),
    "missing or nan score": (
        ("good", "risk"),
        {},
        f"`risk` must not have missing values, got 2 missing values; {DROP}",
    ),
    "missing weight": (
        ("good", "steep"),
        {"weight": "gap"},
        f"`gap` must not have missing values, got 1 missing value; {DROP}",
    ),
    "outcome not 0 or 1": (("died", "good"), {"on_missing": "drop"}, "`died` must be 0 or 1, got 2 in 3 rows."),
    "infinite score": (("good", "steep"), {}, "`steep` must be finite, got -inf in 3 rows."),
    "negative weight": (
        ("good", "good"),
        {"weight": "weight"},
        "`weight` must be finite and not negative, got -3 in 2 rows.",
    ),
    "three labels": (
        ("outcome", "good"),
        {"pos_label": "died"},
        "`outcome` must have two labels, got 3: 'died', 'home', 'lost'; drop the cases with other labels.",
    ),
}


@pytest.fixture(scope="module", params=ENGINES | FILES)
def good(request):
    return (ENGINES | FILES)[request.param](GOOD)


@pytest.fixture(scope="module", params=ENGINES)
def bad(request):
    return ENGINES[request.param](BAD)


def same(table: ScoreTable, other: ScoreTable) -> None:
    assert_array_equal(table.score, other.score)
    assert_allclose([table.positive, table.negative], [other.positive, other.negative], rtol=1e-14)


def test_the_table_of_a_frame_is_the_table_of_its_columns(good):
    assert frames.score_table(good, "died", "risk") == score_table(GOOD["died"], GOOD["risk"])


def test_weights_truth_values_and_single_precision_are_taken(good):
    table = frames.score_table(good, "alive", "single", weight="weight")
    same(table, score_table(GOOD["alive"], np.float32(GOOD["risk"]), GOOD["weight"]))


@pytest.mark.parametrize(("column", "label"), [("outcome", "died"), ("twice", 2)])
def test_labels_of_the_outcome_are_taken(good, column, label):
    table = frames.score_table(good, column, "points", pos_label=label)
    assert table == score_table(GOOD[column], GOOD["points"], pos_label=label)


def test_many_models_and_groups_come_from_one_pass(good):
    tables = frames.score_tables(good, "died", {"a": "risk", "b": "points"}, weight="weight", group="site")
    assert (list(tables), list(tables.groups), tables.dropped) == (["a", "b"], ["north", "south"], {})
    columns = {"a": GOOD["risk"], "b": GOOD["points"]}
    for model, score in columns.items():
        same(tables[model], score_table(GOOD["died"], score, GOOD["weight"]))
        for site, group in tables.groups.items():
            weight = np.where(np.array(GOOD["site"]) == site, GOOD["weight"], 0)
            same(group[model], score_table(GOOD["died"], score, weight))


def test_cases_are_read_row_by_row(good):
    cases = frames.cases(good, "died", ["risk", "points"], weight="weight", cluster="ward")
    wanted = Cases(
        GOOD["died"],
        {name: GOOD[name] for name in ("risk", "points")},
        weight=GOOD["weight"],
        cluster=GOOD["ward"],
    )
    assert rows(cases) == rows(wanted)


def rows(cases):
    """Return the cases in one order; a cluster may read them in another."""
    scores = [cases.table(model).score[cases.rows(model)].tolist() for model in cases.models]
    return sorted(zip(cases.positive, cases.weight, cases.cluster, *scores, strict=True))


def test_a_replicate_depends_on_neither_the_engine_nor_its_partitions(good):
    found = frames.replicates(good, "died", ["risk", "single"], weight="weight", cluster="ward", n_resamples=100)
    wanted = frames.replicates(
        ENGINES["pandas"](GOOD), "died", ["risk", "single"], weight="weight", cluster="ward", n_resamples=100
    )
    for model, weights in wanted.weights.items():
        assert_allclose(found.weights[model], weights, rtol=1e-14)


@pytest.mark.sample(3)
@pytest.mark.parametrize("case", REFUSED)
def test_bad_rows_are_refused_with_their_number_and_an_example(bad, case):
    columns, keywords, message = REFUSED[case]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DroppedRowsWarning)
        with pytest.raises(ValueError, match="must") as caught:
            frames.score_table(bad, *columns, **keywords)
    assert str(caught.value) == message


def test_rows_with_missing_values_are_dropped_and_counted(bad):
    with pytest.warns(DroppedRowsWarning) as caught:
        tables = frames.score_tables(bad, "good", ["risk", "good"], weight="gap", group="site", on_missing="drop")
    assert str(caught[0].message) == ("2 rows with missing values were dropped (1 in `gap`, 1 in `risk`).")
    assert caught[0].filename == __file__
    assert tables.dropped == {"gap": 1, "risk": 1}
    kept = [0, 2, 3, 4, 5, 6, 7]
    assert tables["risk"] == score_table(*(np.array(BAD[name], dtype=float)[kept] for name in ("good", "risk")))
    assert tables.groups["south"]["risk"] == score_table([0, 0], [0.5, 0.7])
    assert tables.groups["(missing)"]["risk"] == score_table([0], [0.4])  # a group, and not a fault


def test_an_unknown_column_is_refused_with_the_known_ones_nearest_first(bad):
    with pytest.raises(ValueError, match="must be one of") as caught:
        frames.score_table(bad, "dead", "risk")
    assert str(caught.value) == (
        "`outcome` must be one of died, gap, good, site, float, steep, weight, outcome, risk, got 'dead'."
    )


def test_text_is_no_score(bad):
    with pytest.raises(TypeError) as caught:
        frames.score_table(bad, "good", "site")
    assert str(caught.value) == "`score` must name a column of numbers, got 'site', a column of String."

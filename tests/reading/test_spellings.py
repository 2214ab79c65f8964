"""Labels that differ by case or blanks are one label, said in a sentence, and the same through every door."""

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stakes import InputError, evaluate
from stakes._spellings import other_spellings, same_label, same_when_plain
from stakes.cli._reading import RunOptions, open_source
from stakes.frames import cases, open_file, score_table

DIED = ["Dead", "alive", "dead ", "Alive", "DEAD", "alive", "alive", "\u00a0alive"]
SITE = ["Nord", "nord", "Süd West", "süd  west", None, "Nord", "SÜD WEST", "Ost"]
RISK = [0.9, 0.2, 0.7, 0.3, 0.6, 0.1, 0.2, 0.3]
SAID = "Labels in `{}` that differ by case or blanks alone are read as one, such as {} as {}."
NOTES = (SAID.format("died", "'alive'", "'Alive'"), SAID.format("site", "'nord'", "'Nord'"))
ROLES = {"outcome": "died", "predictions": ["risk"], "weight": None, "group": "site", "cluster": None, "key": None}


@pytest.fixture
def path(tmp_path):
    columns = {"died": DIED, "risk": RISK, "site": SITE}
    pd.DataFrame(columns).to_csv(tmp_path / "scores.csv", index=False)
    return tmp_path / "scores.csv"


@pytest.mark.filterwarnings("ignore:The inplace keyword")  # of pandas, in what Dask calls
@pytest.mark.parametrize("engine", [None, "polars", "dask"])
@pytest.mark.parametrize("in_memory", [0, 1000])
def test_every_door_has_the_same_labels_and_the_same_sentences(engine, in_memory, path):
    run = RunOptions(seed=1, in_memory=in_memory, engine=engine)
    with open_source(str(path), ROLES | {"pos_label": " dead"}, run) as (source, _):
        sizes = {name: (group.facts.cases, group.facts.positive_cases) for name, group in source.groups().items()}
        assert sizes == {"Nord": (3, 1), "Ost": (1, 0), "SÜD WEST": (3, 1), "(missing)": (1, 1)}
        assert source.facts.positive_cases == 3
        assert source.facts.reading_notes[-2:] == NOTES


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, pl.LazyFrame, pa.table])
def test_frames_in_python_too(make):
    frame = make({"died": DIED, "risk": RISK, "site": SITE})
    result = evaluate("died", ["risk"], "10%", data=frame, pos_label="dead", group="site")
    assert (result.sample.positive_cases, result.sample.reading_notes) == (3, NOTES)
    assert set(result.groups) == {"Nord", "Ost", "SÜD WEST", "(missing)"}


def test_readers_of_files_match_the_positive_label_likewise(path):
    for label in ("dead", " DEAD ", "Dead"):
        assert score_table(open_file(path), "died", "risk", pos_label=label).positive_total == 3
        assert cases(open_file(path), "died", ["risk"], pos_label=label).positive.sum() == 3
    with pytest.raises(InputError, match=r"`pos_label` must be a label of .*labels found: 'Alive', 'DEAD'\."):
        score_table(open_file(path), "died", "risk", pos_label="dying")


def test_one_spelling_is_not_spoken_of(tmp_path):
    (tmp_path / "scores.csv").write_text("died,risk,site\nyes,0.8, a\nno,0.2, a\nyes,0.4,b\n")
    result = evaluate("died", ["risk"], "10%", data=tmp_path / "scores.csv", pos_label="YES", group="site")
    assert result.sample.reading_notes == ()


def test_clusters_are_identifiers_and_stay_apart(tmp_path):
    (tmp_path / "scores.csv").write_text("died,risk,who\n1,0.8,aB\n0,0.2,Ab\n1,0.4,ab\n")
    result = evaluate("died", ["risk"], "10%", data=tmp_path / "scores.csv", cluster="who")
    assert (result.sample.clusters, result.sample.reading_notes) == (3, ())


def test_the_list_of_columns_counts_labels_not_spellings(path, capsys):
    from stakes.cli import main

    assert main(["columns", str(path)]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "died text alive and dead" in shown.casefold()
    assert "--outcome died --pos-label dead --predictions risk" in shown.casefold()


@given(st.lists(st.text("aAß  \u00a0"), max_size=8))
def test_spellings_of_one_label_have_one_that_is_kept(labels):
    others = other_spellings(labels)
    kept = {label: others.get(label, label) for label in labels}
    assert all(same_when_plain(label) == same_when_plain(one) for label, one in kept.items())
    assert len(set(kept.values())) == len({same_when_plain(label) for label in labels})
    assert not set(others) & set(others.values())
    assert other_spellings(reversed(labels)) == others


def test_an_exact_label_comes_first_and_numbers_match_numbers():
    assert same_label("no", ["NO", "no"]) == "no"
    assert same_label(" 1", [0.0, 1.0]) == 1.0
    assert same_label("1,0", ["0.0", "1.0"]) == "1.0"
    assert same_label("maybe", ["no", "yes"]) == "maybe"


def test_a_column_of_one_letter_in_two_cases_has_two_labels_but_blanks_never_make_two():
    assert other_spellings(["A", "a"]) == other_spellings(["A", "a", None, float("nan")]) == {}
    assert other_spellings(["yes", " yes"]) == {" yes": "yes"}
    assert other_spellings(["A", "a", "b"]) == {"a": "A"}

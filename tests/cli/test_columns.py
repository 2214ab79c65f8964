"""`stakes columns FILE`: what a file holds, what was found out about it, and the command to copy."""

import shlex

import pytest
from reading.saved_files import FILES

ROWS = "Fall;Tod;Risiko\n" + "".join(
    f"{k};{'ja' if k % 3 else 'nein'};{k / 41:.3f}\n".replace(".", ",") for k in range(40)
)


def test_columns_are_listed_with_what_they_could_be(stakes, folder):
    (folder / "scores.csv").write_bytes(FILES["Excel, German"][0])
    said = stakes("columns", "scores.csv").out
    for sentence in FILES["Excel, German"][1]:
        assert sentence in said
    rows = {line.split()[0]: line for line in said.splitlines() if line}
    assert rows["died"].split()[1:] == ["number", "0", "to", "1", "outcome"]
    assert rows["risk"].split()[1:] == ["number", "0.05", "to", "0.9", "predictions"]
    assert rows["w"].split()[-1] == "weight"
    assert rows["site"].split()[1:] == ["text", "Nord", "and", "Süd", "group"]


def test_the_command_to_copy_runs(stakes, folder):
    (folder / "klinik süd.csv").write_text(ROWS, encoding="cp1252")
    typed = stakes("columns", "klinik süd.csv").out.splitlines()[-1]
    assert typed.split("--outcome")[1] == " Tod --pos-label ja --predictions Risiko --costs 5%..20%"
    assert "40 cases, 26 positive" in stakes(*shlex.split(typed)[1:]).out


def test_missing_options_are_named_at_once_beside_the_columns(stakes, folder):
    (folder / "scores.csv").write_text(ROWS, encoding="cp1252")
    ran = stakes("evaluate", "scores.csv")
    assert (ran.code, ran.out) == (2, "")
    assert (
        ran.err.splitlines()[-1]
        == "stakes: `--outcome`, `--predictions` and `--costs` must be given, got none of them."
    )
    assert "stakes evaluate scores.csv --outcome Tod" in ran.err


@pytest.mark.parametrize("content", ["a,b\nx,y\nz,y\n", "a\n1\n2\n"])
def test_no_command_is_guessed_without_an_outcome_and_a_prediction(content, stakes, folder):
    (folder / "scores.csv").write_text(content)
    assert "stakes evaluate" not in stakes("columns", "scores.csv").out


def test_a_file_that_is_not_there_is_an_error(stakes):
    ran = stakes("columns", "nowhere.csv")
    assert (ran.code, ran.err) == (2, "stakes: nowhere.csv must be a file, got nothing of that name.\n")

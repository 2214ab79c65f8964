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


@pytest.mark.parametrize(
    ("content", "options"),
    [
        ("status,risk\n2,0.2\n1,0.7\n2,0.4\n", "--outcome status --pos-label 2 --predictions risk"),
        ("Entlassen,A\nJa,0.2\nnein,0.7\nJa,0.4\n", "--outcome Entlassen --pos-label Ja --predictions A"),
        ("died,risk\n0,0.2\n1,0.7\n", "--outcome died --predictions risk"),
        ("died,Risiko (%)\n0,2%\n1,7 %\n0,9%\n", "--outcome died --predictions 'Risiko (%)'"),
    ],
)
def test_few_cases_and_labels_of_many_kinds_have_a_command_that_runs(content, options, stakes, folder):
    (folder / "scores.csv").write_text(content)
    typed = stakes("columns", "scores.csv").out.splitlines()[-1]
    assert typed.strip() == f"stakes evaluate scores.csv {options} --costs 5%..20%"
    assert stakes(*shlex.split(typed)[1:]).code == 0


def test_where_outcomes_are_missing_the_command_drops_their_cases(stakes, folder):
    (folder / "scores.csv").write_text(
        "years,died,risk\n" + "".join(f"{k},{'' if k == 5 else k % 2},0.{k}\n" for k in range(1, 10))
    )
    typed = [line for line in stakes("columns", "scores.csv").out.splitlines() if line.startswith("  stakes")]
    assert len(typed) == 2
    for one in typed:
        assert " --on-missing drop " in one
        assert stakes(*shlex.split(one)[1:]).code == 0


def test_what_keeps_a_column_from_being_numbers_is_said(stakes, folder):
    (folder / "scores.csv").write_text("died,risk\n0,0.2\n1,0.7\n0,0.4\n0,0.5\n1,\\N\n")
    said = " ".join(stakes("columns", "scores.csv").out.split())
    assert said.endswith("are numbers but 1: if \\N marks a missing value, add --missing '\\N'.")
    assert "--predictions risk" in stakes("columns", "scores.csv", "--missing", "\\N").out


FOLLOWED = "years,status,risk\n" + "".join(f"{k / 4},{k % 3 % 2},{k / 41:.3f}\n" for k in range(1, 40))
PAYMENTS = "fraud,risk,loan amount\n" + "".join(f"{k % 2},{k / 41:.3f},{40 * k}\n" for k in range(40))


def test_a_time_beside_an_event_is_asked_about_and_both_commands_run(stakes, folder):
    (folder / "cases.csv").write_text(FOLLOWED)
    lines = stakes("columns", "cases.csv").out.splitlines()
    assert next(line for line in lines if line.startswith("years")).endswith("time followed")
    said, (followed, known) = " ".join(lines), [line for line in lines if line.startswith("  stakes")]
    assert (
        "Does column years say how long each case was followed, and status how that ended? Then, with your own horizon "
        "in place of 2 and your own costs:"
    ) in " ".join(said.split())
    assert "If everybody was followed until the outcome was known, and the costs are yours:" in said
    assert "--false-negative-cost" not in said
    options = "--time years --event status --horizon 2 --predictions risk --costs 5%..20%"
    assert followed == f"  stakes evaluate cases.csv {options}"
    assert "39 cases followed; within 2 years" in stakes(*shlex.split(followed)[1:]).out
    assert known == "  stakes evaluate cases.csv --outcome status --predictions risk --costs 5%..20%"
    assert "39 cases, 13 positive" in stakes(*shlex.split(known)[1:]).out


@pytest.mark.parametrize(
    ("columns", "ends", "options"),
    [
        ("days,death,event", lambda k: f"{k % 2},{k % 3}", "--time days --event event --horizon 20"),  # others compete
        ("time,status", lambda k: f"{1 + k % 2}", "--time time --event status --cause 2 --censored 1 --horizon 20"),
        ("time,status", lambda k: f"{2 * (k % 2)}", "--time time --event status --cause 2 --censored 0 --horizon 20"),
        (
            "months,vital",
            lambda k: "dead" if k % 2 else "alive",
            "--time months --event vital --cause dead --censored alive --horizon 20",
        ),
        ("follow_up,died", lambda k: "TRUE" if k % 2 else "FALSE", "--time follow_up --event died --horizon 20"),
    ],
)
def test_codes_and_labels_of_ends_have_a_command_that_runs(columns, ends, options, stakes, folder):
    rows = [f"{k},{ends(k)},{k / 51:.3f}" for k in range(1, 51)]
    (folder / "cases.csv").write_text("\n".join([f"{columns},risk", *rows, ""]))
    typed = next(line for line in stakes("columns", "cases.csv").out.splitlines() if "--time" in line)
    assert typed.strip() == f"stakes evaluate cases.csv {options} --predictions risk --costs 5%..20%"
    ran = stakes(*shlex.split(typed)[1:])
    assert (ran.code, ran.err) == (0, "")
    assert "50 cases followed" in ran.out


@pytest.mark.parametrize(
    ("labels", "named"),
    [
        (
            "censor relapse death",
            ", and name the label of the event with --cause and that of those who left with --censored",
        ),
        ("1 2 3", ", and name the label of the event with --cause and that of those who left with --censored"),
        ("0 1", ""),
    ],
)
def test_what_cannot_be_guessed_of_follow_up_is_said(labels, named, stakes, folder):
    """Labels of which none is known to be that of those who left, and a file without predictions."""
    several = labels.split()
    risk = 0.01 if len(several) > 2 else 7.0
    rows = [f"{k},{several[k % len(several)]},{k * risk}" for k in range(1, 31)]
    (folder / "cases.csv").write_text("\n".join(["years,status,risk", *rows, ""]))
    said = " ".join(stakes("columns", "cases.csv").out.split())
    assert f"Then type --time years --event status --horizon and a time in place of --outcome{named}." in said
    assert "stakes evaluate" not in said


@pytest.mark.parametrize(
    ("largest", "horizon"), [(3, "1"), (4, "2"), (9.9, "2"), (10, "5"), (4556, "2000"), (1.2, "0.5")]
)
def test_the_horizon_to_replace_is_round_and_within_follow_up(largest, horizon, stakes, folder):
    rows = [f"{largest * k / 8},{k % 2},{k / 9:.3f}" for k in range(1, 9)]
    (folder / "cases.csv").write_text("\n".join(["years,event,risk", *rows, ""]))
    assert f"--horizon {horizon} --predictions" in stakes("columns", "cases.csv").out


def test_an_amount_is_asked_about_and_the_options_run(stakes, folder):
    (folder / "payments.csv").write_text(PAYMENTS)
    said = stakes("columns", "payments.csv").out
    assert (
        "Is column loan amount what is lost if a positive is left? Then type --false-negative-cost 'loan amount' "
        "--false-positive-cost and a number in place of --costs." in " ".join(said.split())
    )
    assert "--time" not in said
    assert said.splitlines()[-1].endswith("--outcome fraud --predictions risk --costs 5%..20%")  # a guess stays plain
    typed = ("--false-negative-cost", "loan amount", "--false-positive-cost", "5")
    assert stakes("evaluate", "payments.csv", "--outcome", "fraud", "--predictions", "risk", *typed).code == 0


@pytest.mark.parametrize(
    "content",
    [
        "died,risk,age\n0,0.2,61\n1,0.7,70\n0,0.3,55\n",  # no such name
        "years,amount,risk\n2,30,0.2\n3,40,0.7\n5,80,0.3\n",  # no outcome
        "died,risk,time,amount\n0,0.2,-1,-30\n1,0.7,4,20\n0,0.3,5,10\n",  # below 0
        "died,risk,time,amount\n0,0.2,early,a\n1,0.7,late,b\n0,0.3,never,c\n",  # no numbers
        "died,sometimes,lossless\n0,2,3\n1,7,4\n0,3,5\n",  # words within words
    ],
)
def test_other_columns_are_not_asked_about(content, stakes, folder):
    (folder / "scores.csv").write_text(content)
    assert "?" not in stakes("columns", "scores.csv").out


def test_one_column_is_one(stakes, folder):
    (folder / "scores.csv").write_text("risk\n0.2\n")
    assert "scores.csv: CSV, 1 case, 1 column\n" in stakes("columns", "scores.csv").out


@pytest.mark.parametrize("content", ["a,b\nx,y\nz,y\n", "a\n1\n2\n"])
def test_no_command_is_guessed_without_an_outcome_and_a_prediction(content, stakes, folder):
    (folder / "scores.csv").write_text(content)
    assert "stakes evaluate" not in stakes("columns", "scores.csv").out


def test_a_file_that_is_not_there_is_an_error(stakes):
    ran = stakes("columns", "nowhere.csv")
    assert (ran.code, ran.err) == (2, "stakes: there is no file nowhere.csv.\n")


def _rows(*labels_and_counts):
    labels = [label for label, count in labels_and_counts for _ in range(count)]
    return "".join(f"{label},{k / 41:.3f}\n" for k, label in enumerate(labels))


@pytest.mark.parametrize(
    ("labels", "positive"),
    [
        ([("repaid", 30), ("defaulted", 10)], "defaulted"),
        ([("defaulted", 30), ("repaid", 10)], "repaid"),
        ([("good", 30), ("Bad", 6), ("bad", 4)], "Bad"),
        ([("current", 30), ("charged-off", 10)], "charged-off"),
        ([("fraud", 30), ("fine", 10)], "fraud"),  # a word that says so, although it is not rare
        ([("event", 10), ("fraud", 30)], "event"),  # two of them say nothing
        ([("alive", 5), ("dead", 35)], "dead"),
    ],
)
def test_the_likely_positive_label_is_a_word_that_says_so_or_the_rarer(labels, positive, stakes, folder):
    (folder / "loans.csv").write_text("outcome,risk\n" + _rows(*labels))
    typed = stakes("columns", "loans.csv").out.splitlines()[-1]
    options = f"--outcome outcome --pos-label {positive} --predictions risk --costs 5%..20%"
    assert typed == f"  stakes evaluate loans.csv {options}"
    assert stakes(*shlex.split(typed)[1:]).code == 0


def test_where_both_labels_are_as_frequent_the_positive_one_is_asked_for(stakes, folder):
    (folder / "loans.csv").write_text("outcome,risk\n" + _rows(("repaid", 20), ("defaulted", 20)))
    said = stakes("columns", "loans.csv").out
    assert " ".join(said.split()).endswith(
        "If these guesses are right, and the costs are yours, with the label of the positives in place of LABEL: "
        "stakes evaluate loans.csv --outcome outcome --pos-label LABEL --predictions risk --costs 5%..20%"
    )
    ran = stakes(*shlex.split(said.splitlines()[-1])[1:])
    assert (ran.code, ran.out) == (2, "")


@pytest.mark.parametrize(
    ("labels", "ends"),
    [
        ([("relapse", 30), ("censored", 10)], "--cause relapse --censored censored"),
        ([("well", 30), ("relapse", 10)], "--cause relapse --censored well"),
        ([("well", 20), ("relapse", 20)], None),
    ],
)
def test_of_two_ends_of_follow_up_the_event_is_not_the_one_of_those_who_left(labels, ends, stakes, folder):
    rows = [f"{k + 1},{row}" for k, row in enumerate(_rows(*labels).splitlines())]
    (folder / "cases.csv").write_text("\n".join(["days,status,risk", *rows, ""]))
    said = " ".join(stakes("columns", "cases.csv").out.split())
    if ends is None:
        named = ", and name the label of the event with --cause and that of those who left with --censored"
        assert f"Then type --time days --event status --horizon and a time in place of --outcome{named}." in said
    else:
        assert f"--time days --event status {ends} --horizon 20 --predictions risk" in said

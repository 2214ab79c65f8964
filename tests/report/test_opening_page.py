"""The page that opens a CSV file reads as `stakes.reading` does and computes as `stakes evaluate` does."""

import json
import shlex
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from reading.saved_files import FILES, MISSING, REFUSED, written
from report.pages import FEWEST, follow
from report.watching import opened

from stakes import At, LogOddsUniform, Uniform, evaluate, score_table
from stakes.cli import main
from stakes.datasets import load_cohort
from stakes.frames import open_file as open_data
from stakes.frames import score_table as table_of_file
from stakes.report import save_opening_page
from stakes.report._page_tables import page_tables

MADE = Path(__file__).parents[1] / "reading" / "files"
BY_PROGRAMS = [*sorted(path.name for path in MADE.glob("*.csv")), "r_write_table_tabs.txt"]
DONE = "#report:not([hidden]), #refused:not(:empty)"


class Opener:
    """The page with a file in it."""

    def __init__(self, page):
        self.page = page

    def open(self, content, name="scores.csv", **roles):
        """Open a file, choose the roles of columns, and return what the page says."""
        self.page.set_input_files("#file", {"name": name, "mimeType": "text/csv", "buffer": content})
        self.page.wait_for_selector(DONE)
        chosen = [(role, column) for role, columns in roles.items() for column in columns]
        for role, column in chosen if self.page.is_visible("#columns") else []:
            self.page.select_option(f'#columns select[aria-label="what {column} is"]', role)
            self.page.wait_for_selector(DONE)
        return self.said()

    def cost(self, least, most, law="uniform"):
        """Answer for these costs, as if they had been moved in the sentence."""
        law = "at" if least == most else law
        self.page.evaluate(
            "(cost) => opener.askFor(cost)", {"kind": law, "low": 1 / (1 + most), "high": 1 / (1 + least)}
        )
        self.page.wait_for_function("() => !opener.busy()")
        return self.said()

    def roles(self):
        """Return what the page takes each column for."""
        return self.page.eval_on_selector_all("#columns select", "(menus) => menus.map((menu) => menu.value)")

    def said(self):
        """Return the evaluation that the page shows, with what its report holds, or why there is none."""
        error, page = json.loads(
            self.page.evaluate(f"JSON.stringify([opener.state.error, opener.state.result], {PLAIN})")
        )
        if page is None:
            return [error, None]
        return [error, {**page["evaluation"], "page": page, "tables": self.tables()}]

    def tables(self):
        """Return the tables of all cases, which no report holds."""
        return json.loads(self.page.evaluate(TABLES))


PLAIN = "(_, value) => (ArrayBuffer.isView(value) ? Array.from(value) : value === Infinity ? null : value)"
TABLES = f"""() => new Promise((done) => {{
  const show = ({{ tables }}) => done(JSON.stringify(tables, {PLAIN}));
  opener.ask("tables", {{ roles: opener.rolesNow() }}, show);
}})"""


@pytest.fixture(scope="module")
def opener(browser, tmp_path_factory):
    path = tmp_path_factory.mktemp("page") / "page.html"
    save_opening_page(path)
    watched = opened(browser, path)
    yield Opener(watched.page)
    watched.page.context.close()
    assert watched.problems == []


def same_table(found, table):
    for column in ("score", "positive", "negative"):
        np.testing.assert_array_equal(found[column], getattr(table, column))


# ------------------------------------------------------------------------------------------------------- reading


@pytest.mark.parametrize("name", FILES)
def test_every_file_is_read_as_by_python(opener, name, tmp_path):
    content, notes = FILES[name]
    (tmp_path / "scores.csv").write_bytes(content)
    error, result = opener.open(content, weight=["w"], outcome=["died"], model=["risk"])
    assert error == ""
    assert result["sample"]["reading_notes"] == list(notes)
    same_table(result["tables"][0], score_table_of(tmp_path / "scores.csv"))


def score_table_of(path):
    return table_of_file(open_data(path), "died", "risk", weight="w")


@pytest.mark.sample(6)
@pytest.mark.parametrize("name", FILES)
def test_every_file_is_evaluated_as_by_the_command(opener, name, tmp_path):
    (tmp_path / "scores.csv").write_bytes(FILES[name][0])
    error, result = opener.open(FILES[name][0], weight=["w"], outcome=["died"], model=["risk"])
    assert error == ""
    roles = ["--outcome", "died", "--predictions", "risk", "--weight", "w", "--costs", "1:10..1:1", "--quiet"]
    assert main(["evaluate", str(tmp_path / "scores.csv"), *roles, "--json", str(tmp_path / "found.json")]) == 0
    wanted = json.loads((tmp_path / "found.json").read_text(encoding="utf-8"))
    same_value(result["sample"], wanted["sample"], "sample")
    for found, line in zip(result["ranking"], wanted["ranking"], strict=True):
        for key, value in found.items():
            same_value(value, line[key], (name, key), within=0.02 if key == "probability_best" else 1e-9)
    assert [one["text"] for one in result["findings"]] == [one["text"] for one in wanted["findings"]]


@pytest.mark.parametrize("name", [name for name in BY_PROGRAMS if "row_names" not in name])
def test_files_of_programs_are_read_as_by_python(opener, name):
    error, result = opener.open((MADE / name).read_bytes(), weight=["w"], outcome=["died"], model=["risk"])
    assert (error, result["sample"]["reading_notes"]) == ("", list(open_data(MADE / name).notes))
    same_table(result["tables"][0], score_table_of(MADE / name))


@pytest.mark.parametrize("mark", MISSING)
def test_cases_without_a_score_are_left_out_and_counted(opener, mark):
    rows = written().splitlines()
    for row in (3, 8):
        fields = rows[row].split(",")
        rows[row] = ",".join([fields[0], mark, *fields[2:]])
    _, result = opener.open("\n".join(rows).encode(), outcome=["died"], model=["risk"])
    assert (result["sample"]["cases"], result["sample"]["dropped"]) == (6, 2)
    assert any(one["kind"] == "dropped" for one in result["findings"])
    assert opener.page.inner_text("#file-said").endswith(
        "2 rows without a prediction of at least one model are left out."
    )


@pytest.mark.parametrize("decimal", [".", ","])
def test_every_digit_of_a_long_file_is_read(opener, decimal):
    rng = np.random.default_rng(5)
    y = rng.integers(0, 2, 70_000)
    written_as = [repr, "{:.17f}".format, "{:.3e}".format, "{:.25f}".format, "  {:.2f} ".format, '"{:.4f}"'.format]
    scores = (rng.random(70_000) ** 9).tolist()  # many of them small
    texts = [written_as[k % 6](one) for k, one in enumerate(scores)]
    rows = [f'"{["no", "yes"][one]}";{text}' for one, text in zip(y, texts, strict=True)]
    content = "\r\n".join(["died;risk", *rows]).replace(".", decimal)
    error, result = opener.open(content.encode(), outcome=["died"], model=["risk"])
    assert error == ""
    same_table(result["tables"][0], score_table(y, [float(text.strip(' "')) for text in texts]))


def test_true_and_false_are_numbers_where_a_model_is_wanted(opener):
    y, flag = [0, 1, 0, 1, 1, 0], ["FALSE", "TRUE", "true", " TRUE", "false", "NA"]
    rows = [f"{one},{other}" for one, other in zip(y, flag, strict=True)]
    error, result = opener.open("\n".join(["y,flag", *rows]).encode(), outcome=["y"], model=["flag"])
    assert (error, result["sample"]["dropped"]) == ("", 1)
    same_table(result["tables"][0], score_table(y[:5], [0, 1, 1, 1, 0]))


def test_quotation_marks_in_a_label_are_read(opener):
    content = 'outcome,p\n"say ""yes""",0.9\n"say ""no""",0.2\n"say ""no""",0.4\n'
    error, _ = opener.open(content.encode())
    assert (error, opener.page.input_value("#positive")) == ("", 'say "yes"')


GERMAN = "Patient;Zentrum;Gestorben;Modell A;Modell B\r\n" + "".join(
    f"{k};{'Zürich' if k % 3 else 'Bern'};{'ja' if k % 4 == 0 else 'nein'};0,{1 + 7 * k % 83:02};0,{k:02}\r\n"
    for k in range(60)
)
DIED = [k % 4 == 0 for k in range(60)]


def test_labels_are_one_whatever_their_case_and_blanks(opener, tmp_path):
    labels, groups = ["klein", " Groß", "GROSS", "klein"], ["Süd", "SÜD ", "Nord  West", "nord west"]
    rows = [f"{labels[k % 4]},0.{k % 7 + 1},{groups[k // 4 % 4]}" for k in range(80)]
    (tmp_path / "scores.csv").write_text("\n".join(["status,p,Ort", *rows]), encoding="utf-8")
    error, result = opener.open((tmp_path / "scores.csv").read_bytes(), outcome=["status"], group=["Ort"])
    assert error == "Choose which outcome is the positive one."
    opener.page.select_option("#positive", "GROSS")
    opener.page.wait_for_selector(DONE)
    result = opener.said()[1]
    typed = shlex.split(opener.page.text_content("#command"))[2:-2]
    assert main(["evaluate", str(tmp_path / "scores.csv"), *typed[1:], "--json", str(tmp_path / "found.json")]) == 0
    wanted = json.loads((tmp_path / "found.json").read_text(encoding="utf-8"))
    assert [one["name"] for one in result["groups"]] == [one["name"] for one in wanted["groups"]]
    same_value(result["ranking"][0]["regret"], wanted["ranking"][0]["regret"], "regret")
    assert result["sample"]["positives"] == 40
    assert result["sample"]["reading_notes"] == wanted["sample"]["reading_notes"] != []
    assert all(note in opener.page.inner_text("#file-said") for note in result["sample"]["reading_notes"])


def test_codes_with_a_decimal_comma_are_read_alike_by_the_command_that_is_shown(opener, tmp_path):
    rows = [f"{'1,0' if k % 3 else '0,0'};0,{k % 9 + 1};{' Nord' if k % 2 else 'Süd '}" for k in range(60)]
    (tmp_path / "scores.csv").write_text("\n".join(["Bericht", "Ereignis;p;Ort", *rows]), encoding="utf-8")
    error, result = opener.open((tmp_path / "scores.csv").read_bytes())
    assert (error, result["sample"]["positives"]) == ("", 40)
    typed = shlex.split(opener.page.text_content("#command"))[1:-2]
    assert main([*typed[:1], str(tmp_path / "scores.csv"), *typed[2:], "--json", str(tmp_path / "found.json")]) == 0
    wanted = json.loads((tmp_path / "found.json").read_text(encoding="utf-8"))
    same_value(result["ranking"][0]["regret"], wanted["ranking"][0]["regret"], "regret")
    assert [one["name"] for one in result["groups"]] == [one["name"] for one in wanted["groups"]]


# Notes what is said while the page is at work.
HEARD = """() => {
  const said = document.querySelector("#progress-said");
  window.heard = [];
  new MutationObserver(() => window.heard.push(said.textContent)).observe(said, { childList: true });
}"""


def test_an_export_of_a_german_spreadsheet_is_answered_at_once(opener):
    opener.page.evaluate(HEARD)
    error, result = opener.open(GERMAN.encode("cp1252"))
    assert error == ""
    first = f"acting on {result['ranking'][0]['model'].removeprefix('act on ')}"
    assert f"{first} costs least in this sample. Computing intervals …" in opener.page.evaluate("heard")
    assert opener.roles() == ["ignore", "group", "outcome", "model", "model"]
    assert opener.page.input_value("#positive") == "ja"
    assert "model" not in opener.page.locator("#report bdi").all_text_contents()  # which the blank report has
    same_table(result["tables"][0], score_table(DIED, [(1 + 7 * k % 83) / 100 for k in range(60)]))


def columns(first, second, names="a,b"):
    rows = [f"{first[k % 2]},{second[k // 2 % 2]},0.{k % 7 + 1}" for k in range(40)]
    return "\n".join([f"{names},p", *rows])


GUESSED = {
    "a name": ("old new", "rot grün", "Outcome,Farbe", ["outcome", "ignore", "model"], "new"),
    "a name with blanks": ("old new", "rot grün", " Status ,Farbe", ["outcome", "ignore", "model"], "new"),
    "a name and labels": ("no yes", "0 1", "Outcome,smoker", ["outcome", "ignore", "model"], "yes"),
    "labels that deny each other": ("Bern Zürich", "nein ja", "Zentrum,R", ["ignore", "outcome", "model"], "ja"),
    "0 and 1": ("Bern Zürich", "0 1", "Zentrum,R", ["ignore", "outcome", "model"], "1"),
    "the larger code": ("1 2", "m f", "status,sex", ["outcome", "ignore", "model"], "2"),
    "a weight is no model": ("0 1", "0.5 0.75", "y,w", ["outcome", "ignore", "model"], "1"),
}


@pytest.mark.parametrize("told", GUESSED)
def test_columns_are_guessed_by_name_and_labels(opener, told, capsys, tmp_path):
    first, second, names, roles, positive = GUESSED[told]
    content = columns(first.split(), second.split(), names).replace("new", "old", 3)
    error, result = opener.open(content.encode())
    assert (error, opener.page.input_value("#positive")) == ("", positive)
    assert [role if role != "group" else "ignore" for role in opener.roles()] == roles
    column = names.split(",")[roles.index("outcome")]
    assert result["sample"]["positives"] == (17 if positive == "new" else 20)
    (tmp_path / "scores.csv").write_text(content, encoding="utf-8")
    assert main(["columns", str(tmp_path / "scores.csv")]) == 0
    assert f"--outcome {shlex.quote(column)} " in capsys.readouterr().out


IN_DOUBT = {  # the values and names of two columns, and which of them might be the outcome
    "neither name nor labels": ("Bern Zürich", "rot grün", "Zentrum,Farbe", "more than one could be it"),
    "labels of both": ("0 1", "0 1", "smoker,diabetes", "more than one could be it"),
    "a word in a name": ("0 1", "0 1", "family_cancer,malignant", "more than one could be it"),
    "names and labels of both": ("0 1", "no yes", "died,cancer", "more than one could be it"),
    "a name against labels": ("first second", "0 1", "class,survived", "more than one could be it"),
    "the only one, unknown": ("Bern Zürich", "x x", "Zentrum,Land", "neither its name nor its values say which it is"),
    "none": ("x x", "Bern Bern", "Land,Zentrum", "none has two values"),
}


@pytest.mark.parametrize("doubt", IN_DOUBT)
def test_in_doubt_the_page_asks_for_the_outcome(opener, doubt):
    first, second, names, why = IN_DOUBT[doubt]
    content = columns(first.split(), second.split(), names).encode()
    assert opener.open(content) == [f"Choose the column of the outcome below: {why}.", None]
    assert "outcome" not in opener.roles()
    assert opener.page.is_hidden("#report")
    if doubt in ("labels of both", "a name against labels"):
        error, result = opener.open(content, outcome=[names.split(",")[1]])
        assert (error, result["sample"]["positives"]) == ("", 20)


def test_columns_that_the_page_cannot_use_are_named(opener):
    said = lambda: opener.page.inner_text("#elsewhere")  # noqa: E731
    rows = [f"{k % 2},{k % 90 + 0.5},{k % 7 + 0.25},{100 * k}" for k in range(120)]
    error, _ = opener.open("\n".join(["died,risk,Follow_up years,amount", *rows]).encode())
    percent = "If `risk` is in percent, write percent signs in the file, or divide it by 100."
    assert error == f"Choose the column of a model below. {percent}"
    assert said() == (
        "`Follow_up years` may say how long each case was followed. `amount` may be the amount at stake in each case. "
        "This page leaves that out; this command says what to type: stakes columns scores.csv"
    )
    opener.open(written().encode())
    assert said() == "`w` may be how often each case counts; if it is, choose weight in its menu."
    opener.open(written().encode(), weight=["w"])
    assert said() == ""


def test_labels_that_say_nothing_are_asked_about(opener):
    content = columns(["left", "stayed"], ["x", "x"], "outcome,Land")
    error, result = opener.open(content.encode())
    assert (error, result) == ("Choose which outcome is the positive one.", None)
    opener.page.select_option("#positive", "stayed")
    opener.page.wait_for_selector(DONE)
    assert opener.said()[1]["sample"]["positives"] == 20
    error, result = opener.open(content.replace("left", "stayed", 15).encode())
    assert (error, result["sample"]["positives"]) == ("", 5)  # the rarer


READ_HERE = "blanks around a mark of missing values beyond the first lines"  # which this page reads as missing


@pytest.mark.parametrize("name", [name for name in REFUSED if name != READ_HERE])
def test_what_python_refuses_is_refused_in_its_words(opener, name):
    content, message = REFUSED[name]
    error, result = opener.open(content, model=["risk", "w"], outcome=["died"])
    assert result is None
    assert error.startswith(f"scores.csv {message}"[:-1])


BROKEN = {
    "nothing": (b"", "must have a header and cases, got nothing."),
    "a header alone": (b"y,p\n", "must hold at least one case, got none."),
    "blank lines": (b"\n\n\n", "must have a header and cases, got nothing."),
    "a workbook": (b"PK\x03\x04" + bytes(50), "must be a text file, such as CSV, got a workbook or an archive;"),
    "JSON": (b'{"y": 1}', "must be a text file with columns, got JSON."),
    "markup": (b"<html><script>1</script>", "must be a text file with columns, got HTML or XML."),
    "binary data": (bytes(range(1, 128)) * 20 + b"\0", "must be a text file, such as CSV, got binary data."),
    "blanks between columns": (
        b"y p\n0 0.1\n1 0.5\n",
        "must have a column for the outcome and another for a model, got one",
    ),
    "too many columns": (
        (",".join(map("c{}".format, range(1001))) + "\n").encode(),
        "must have at most 1,000 columns for this page, got 1,001; the command reads more.",
    ),
    "a name twice": (b"y,p,p\n0,0.1,0.2\n", "must have a name of its own for every column, got 'p' 2 times."),
    "a quotation mark that never closes": (
        b'y,p\n0,"0.1\n1,0.5\n0,0.7\n',
        "must close every quotation mark, got one in line 2 that stays open.",
    ),
    "a quotation mark that closes in another line": (
        b'y,p,note\n0,0.1,"1\n1,0.5,"total"\n0,0.7,\n1,0.9,\n',
        "must close every quotation mark, got one in line 2 that stays open.",
    ),
}


@pytest.mark.parametrize("name", BROKEN)
def test_what_is_no_table_is_refused_in_one_sentence(opener, name):
    content, message = BROKEN[name]
    error, result = opener.open(content)
    assert result is None
    assert error.startswith(f"scores.csv {message}")


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ("0,5\n1,80\n0,40", "must have probabilities from 0 to 1 in column `p`, got 5 at line 2; if it is in percent,"),
        ("0,-1\n1,0.5\n0,1", "must have probabilities from 0 to 1 in column `p`, got -1 at line 2."),
        ("0,inf\n1,0.5\n0,1", "must have probabilities from 0 to 1 in column `p`, got Infinity at line 2."),
        ("0,0.1\n1,high\n0,0.3", "must have numbers in column `p`, got 'high' at line 3; if it marks a missing"),
        ("0,0.1\n,0.2\n1,0.3", "must have an outcome in every row, got none in column `y` at line 3;"),
        (
            "0,NA\n1,0.2\n1,0.3",
            "must have cases of both outcomes with a prediction of every model, got 2 positive and 0",
        ),
        ("0,0.1\n1,0.2\n2,0.3", "must have two outcomes in column `y`, got 3."),
    ],
)
def test_values_that_cannot_be_are_named_with_their_line(opener, rows, message):
    error, result = opener.open(f"y,p\n{rows}\n".encode(), outcome=["y"], model=["p"])
    assert result is None
    assert error.startswith(f"scores.csv {message}")


def test_names_from_a_file_are_text(opener):
    name = "<img src=x onerror=alert(1)>"
    content = f"y,{name}\n0,0.1\n1,0.8\n0,0.3\n1,0.6\n".encode()
    error, result = opener.open(content)
    assert (error, result["tables"][0]["name"]) == ("", name)
    assert opener.page.locator("#report img").count() == 0


def test_too_large_a_file_is_told_the_command(opener):
    opener.page.evaluate("opener.open({ name: 'large.csv', size: 3e8 })")
    error, _ = opener.said()
    limit = "large.csv must have at most 200 MB for this page, got 300 MB"
    assert error == f"{limit}; the command reads files of any size: stakes columns large.csv"


# ------------------------------------------------------------------------------------------------------- numbers


def compared(result, evaluation):
    """Compare all that the page says with an evaluation of the same cases."""
    wanted = evaluation.to_dict()
    for found, line in zip(result["ranking"], wanted["ranking"], strict=True):
        assert {key for key in line if line[key] is not None} <= {*found, "harm"}
        for key, value in found.items():
            same_value(value, line[key], (line["model"], key), within=0.02 if key == "probability_best" else 1e-9)
    same_value(result["unit"], wanted["unit"], "unit")
    assert [one["text"] for one in result["findings"]] == [one["text"] for one in wanted["findings"]]
    assert [(one["kind"], one["evidence"]) for one in result["findings"]] == [
        (one["kind"], one["evidence"]) for one in wanted["findings"]
    ]
    same_value(result["recommended_threshold"], wanted["recommended_threshold"], "threshold")
    for name, policy in wanted["policies"].items():
        same_value(result["policies"][name], policy, (name, "policy"))
    same_value(result["groups"], wanted["groups"], "groups")
    for found in result["group_comparisons"]:
        (line,) = [one for one in wanted["group_comparisons"] if one["model"] == found["model"]]
        for group, other in zip(found["groups"], line["groups"], strict=True):
            same_value(group, {**other, "skill": {"estimate": other["skill"]["estimate"]}}, "difference")
        for key in ("statistic", "freedom", "p_value", "common", "level", "adjusted_level"):
            same_value(found[key], line[key], key)


def same_value(found, wanted, where, within=1e-9):
    """Compare plain values, numbers to nine digits."""
    if isinstance(found, dict):
        assert set(found) == set(wanted), where
        for key, value in found.items():
            same_value(value, wanted[key], (where, key), within)
    elif isinstance(found, list):
        assert len(found) == len(wanted), where
        for place, (one, other) in enumerate(zip(found, wanted, strict=True)):
            same_value(one, other, (where, place), within)
    elif isinstance(found, float | int) and not isinstance(found, bool) and wanted is not None:
        assert found == pytest.approx(wanted, rel=within, abs=max(1e-12, within if within > 1e-3 else 0)), where
    else:
        assert found == wanted, where


def test_the_bundled_cohort_is_evaluated_as_by_python(opener):
    opener.page.click("#example")
    opener.page.wait_for_selector(DONE)
    opener.page.select_option('#columns select[aria-label="what family_history is"]', "model")
    opener.page.wait_for_selector(DONE)
    error, result = opener.cost(4.0, 19.0)
    assert error == ""
    cohort = load_cohort()
    models = {"family_history": cohort["famhistory"], "prediction_model": cohort["cancerpredmarker"]}
    compared(result, evaluate(cohort["cancer"], models, Uniform(1 / 20, 1 / 5), group=cohort["risk_group"]))
    for found in result["tables"]:
        same_table(found, score_table(cohort["cancer"], models[found["name"]]))
    command = opener.page.text_content("#command")
    columns = "--outcome cancer --pos-label TRUE --predictions family_history prediction_model --group risk_group"
    assert f"{columns} --costs 1:19..1:4" in command


@given(
    seed=st.integers(0, 10**6),
    cases=st.sampled_from((12, 40, 300)),
    models=st.integers(1, 4),
    weighted=st.booleans(),
    law=st.sampled_from(("uniform", "log_odds_uniform", "at")),
)
def test_drawn_samples_are_evaluated_as_by_python(opener, seed, cases, models, weighted, law):
    rng = np.random.default_rng(seed)
    y = (rng.random(cases) < 0.3).astype(int)
    y[:2] = 0, 1
    scores = {
        f"m{k}": np.round(1 / (1 + np.exp(-(1.5 * y + rng.normal(size=cases) - 1))), 1 + k) for k in range(models)
    }
    weight = rng.integers(1, 9, cases) / 4 if weighted else None
    least = float(rng.integers(1, 5))
    most = least if law == "at" else least + float(rng.integers(1, 20))
    columns = {"y": y, **scores, **({"w": weight} if weighted else {})}
    rows = [",".join(columns), *(",".join(map(repr, map(float, row))) for row in zip(*columns.values(), strict=True))]
    opener.open("\n".join(rows).encode(), outcome=["y"], model=list(scores), **({"weight": ["w"]} if weighted else {}))
    error, result = opener.cost(least, most, "uniform" if law == "at" else law)
    assert error == ""
    low, high = 1 / (1 + most), 1 / (1 + least)
    costs = At(low) if law == "at" else {"uniform": Uniform, "log_odds_uniform": LogOddsUniform}[law](low, high)
    compared(result, evaluate(y, scores, costs, weight=weight))
    for found in result["tables"]:
        same_table(found, score_table(y, scores[found["name"]], weight=weight))


def test_a_sample_of_twelve_models_is_evaluated_as_by_python(opener):
    rng = np.random.default_rng(12)
    z = rng.normal(size=3000)
    y = (rng.random(3000) < 1 / (1 + np.exp(2 - 1.5 * z))).astype(int)
    noise = {f"m{k}": rng.normal(0, 0.1 + 0.15 * k, 3000) for k in range(12)}
    scores = {name: np.round(1 / (1 + np.exp(2 - 1.5 * z - one)), 6) for name, one in noise.items()}
    columns = [y.tolist(), *(one.tolist() for one in scores.values())]
    rows = [",".join(["y", *scores]), *(",".join(map(repr, row)) for row in zip(*columns, strict=True))]
    opener.open("\n".join(rows).encode(), outcome=["y"])
    error, result = opener.cost(4.0, 19.0)
    assert error == ""
    compared(result, evaluate(y, scores, Uniform(1 / 20, 1 / 5)))
    for found in result["tables"]:
        same_table(found, score_table(y, scores[found["name"]]))


@pytest.mark.parametrize("cases", [2, 5])
def test_a_handful_of_cases_is_evaluated_as_by_python(opener, cases):
    y, score = [0, 1, 0, 1, 1][:cases], [0.05, 0.125, 0.3, 0.6, 0.4][:cases]
    rows = [f"{one},{other}" for one, other in zip(y, score, strict=True)]
    opener.open("\n".join(["y,p", *rows]).encode(), outcome=["y"], model=["p"])
    compared(opener.cost(1.0, 10.0)[1], evaluate(y, {"p": score}, Uniform(1 / 11, 1 / 2)))


def test_groups_of_one_class_and_certain_ties_are_told_as_by_python(opener):
    rng = np.random.default_rng(4)
    y, group = (rng.random(150) < 0.3).astype(int), rng.choice(["a", "b", "c"], 150)
    y[:16], group[:16] = [1] * 8 + [0] * 8, ["s"] * 8 + ["w"] * 8
    good = np.round(1 / (1 + np.exp(-(1.5 * y + rng.normal(size=150) - 1))), 2)
    weight = rng.integers(1, 4, 150) / 2
    columns = {"y": y, "low": np.full(150, 0.01), "good": good, "again": good, "w": weight, "g": group}
    rows = [",".join(columns), *(",".join(map(str, row)) for row in zip(*columns.values(), strict=True))]
    models = {name: columns[name] for name in ("low", "good", "again")}
    opener.open("\n".join(rows).encode(), outcome=["y"], model=list(models), weight=["w"], group=["g"])
    for least, most in ((1.0, 1.0), (2.0, 9.0)):
        error, result = opener.cost(least, most)
        assert error == ""
        costs = At(1 / 2) if least == most else Uniform(1 / 10, 1 / 3)
        compared(result, evaluate(y, models, costs, weight=weight, group=group))
        chance = {(line["model"], line["reference"]): line["probability_best"] for line in result["ranking"]}
        assert chance["good", False] == chance["again", False] > 0
        assert chance["low", False] == chance["act on no one", True]
        left = {one["name"]: one["left_out"] for one in result["group_comparisons"][0]["groups"]}
        assert (left["s"], left["w"]) == ("no negatives", "no positives")


def test_where_one_of_two_models_is_better_is_told_as_by_python(opener):
    rng = np.random.default_rng(9)
    risk = np.round(rng.beta(1, 2.5, 3000), 3)
    y = (rng.random(3000) < risk).astype(int)
    scores = {"below": np.where(risk < 0.3, risk, 0.48), "above": np.where(risk < 0.3, 0.13, risk)}
    rows = [f"{y[k]},{scores['below'][k]},{scores['above'][k]}" for k in range(3000)]
    opener.open("\n".join(["y,below,above", *rows]).encode())
    evaluation = evaluate(y, scores, Uniform(1 / 20, 1 / 2))
    assert "crossing" in [one.kind for one in evaluation.findings]
    compared(opener.cost(1.0, 19.0)[1], evaluation)


def test_many_scores_are_told_exactly_and_drawn_in_fewer_rows(opener):
    rng = np.random.default_rng(3)
    y, weight = rng.integers(0, 2, 9000), rng.integers(0, 4, 9000)
    scores = {name: np.round(rng.beta(1 + y, 2), 15) for name in ("a", "b")}
    scores["a"][:6] = -0.0, 0.0, 1.0, 1.0, 5e-324, -0.0
    rows = ["y,w,a,b", *(f"{y[k]},{weight[k]},{scores['a'][k]!r},{scores['b'][k]!r}" for k in range(9000))]
    content = "\n".join(rows).replace("np.float64(", "").replace(")", "").encode()
    opener.open(content, weight=["w"])
    error, result = opener.cost(1.0, 6.0)
    assert error == ""
    evaluation = evaluate(y, scores, Uniform(1 / 7, 1 / 2), weight=weight)
    compared(result, evaluation)
    for found in result["tables"]:
        same_table(found, score_table(y, scores[found["name"]], weight=weight))
    assert len(result["tables"][0]["score"]) > 6000
    pooled, bound = page_tables(evaluation, pooled=True)
    for found in result["page"]["models"]:
        same_table(found, pooled[found["key"]])
    assert result["page"]["bound"]["regret"] == pytest.approx(bound.regret)
    assert len(result["page"]["models"][0]["score"]) <= 1000
    compared(opener.cost(2.0, 9.0)[1], evaluate(y, scores, Uniform(1 / 10, 1 / 3), weight=weight))


# -------------------------------------------------------------------------------------------------- the page itself


def test_neither_the_page_nor_its_worker_can_reach_a_network(browser, tmp_path):
    save_opening_page(tmp_path / "page.html")
    page = browser.new_page()
    page.goto((tmp_path / "page.html").as_uri())
    asked = "fetch('https://localhost/').then(() => 'reached', () => 'refused')"
    assert page.evaluate(f"() => {asked}") == "refused"
    code = f"onmessage = async () => postMessage(await {asked})"
    in_worker = """(code) => new Promise((done) => {
      const worker = new Worker(URL.createObjectURL(new Blob([code], { type: "text/javascript" })));
      worker.onmessage = ({ data }) => done(data);
      worker.postMessage(1);
    })"""
    assert page.evaluate(in_worker, code) == "refused"
    policy = page.get_attribute('meta[http-equiv="Content-Security-Policy"]', "content")
    assert "default-src 'none'" in policy
    assert "connect-src 'none'" in policy
    page.close()


def saved(opener, path):
    with opener.page.expect_download() as download:
        opener.page.click("#save")
    download.value.save_as(path)
    return download.value.suggested_filename


@pytest.mark.parametrize("width", [390, 1280])
def test_the_page_fits_its_window_and_is_used_by_keyboard(browser, tmp_path, width):
    save_opening_page(tmp_path / "page.html")
    watched = opened(browser, tmp_path / "page.html", viewport={"width": width, "height": 844})
    page = watched.page
    page.focus("#example")
    assert page.get_by_role("main").count() == 1
    page.keyboard.press("Enter")
    page.wait_for_selector(DONE)
    assert page.get_by_role("main").count() == 1
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    reached = set()
    for _ in range(40):
        page.keyboard.press("Tab")
        reached.add(page.evaluate("document.activeElement.id || document.activeElement.getAttribute('aria-label')"))
    assert {"what cancer is", "positive", "save", FEWEST} <= reached
    page.get_by_role("slider", name=FEWEST).first.focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_function("() => opener.state.result?.stated.cost.high === 1 / 6")
    assert page.inner_text("#sentence").startswith("If a miss is as bad as 5 to 19 false alarms")
    assert page.evaluate("document.activeElement.ariaLabel") == FEWEST
    disclosure = "[...document.querySelectorAll('#report summary')].find((one) => one.checkVisibility())"
    page.evaluate(f"() => {disclosure}.focus()")
    page.evaluate("() => opener.askFor(opener.state.result.stated.cost)")
    page.wait_for_function("() => !opener.busy()")
    follow(page)
    assert page.evaluate(f"document.activeElement === {disclosure}")
    unnamed = "[...document.querySelectorAll('input, select')].filter((one) => !one.labels.length && !one.ariaLabel)"
    assert page.evaluate(f"{unnamed}.length") == 0
    page.context.close()
    assert watched.problems == []


def test_costs_are_an_example_until_they_are_stated(opener, tmp_path):
    example, said = "An example to start from: no costs are stated yet.", lambda: opener.page.inner_text("#state-said")
    opener.open(written().encode(), outcome=["died"], model=["risk"])
    assert said() == example
    saved(opener, tmp_path / "report.html")
    assert f">{example}<" in (tmp_path / "report.html").read_text(encoding="utf-8")
    for least in (4.0, 1.0):  # also where they are those of the example
        opener.cost(least, 10.0)
        assert said() == "As stated."
    opener.open(written().encode(), outcome=["died"], model=["risk"])
    assert said() == example
    opener.page.click("#example")
    opener.page.wait_for_function("() => opener.state.result?.evaluation.sample.cases > 8")
    assert said() == example


@pytest.mark.parametrize(("width", "height"), [(390, 640), (1020, 620)])  # of the frame at the top of the documentation
def test_a_link_to_the_example_has_its_answer_on_the_first_screen(browser, tmp_path, width, height):
    save_opening_page(tmp_path / "page.html")
    watched = opened(browser, tmp_path / "page.html", "#example", viewport={"width": width, "height": height})
    page = watched.page
    page.wait_for_selector(DONE)
    answer = page.locator("#headline").bounding_box()
    assert answer["y"] + answer["height"] <= height
    assert not page.is_visible("#columns")
    page.click("#unfold")
    assert page.evaluate("document.activeElement.ariaLabel") == "what patientid is"
    assert page.is_visible("#save")
    assert not page.is_visible("#unfold")
    page.context.close()
    assert watched.problems == []


def test_the_page_is_light(tmp_path):
    save_opening_page(tmp_path / "page.html")
    assert (tmp_path / "page.html").stat().st_size <= 360_000


def test_work_can_be_cancelled(opener):
    rows = "".join(f"{k % 2},0.{k % 7}1\n" for k in range(200_000))
    opener.page.evaluate(
        "(rows) => { opener.open(new File(['y,p\\n', rows], 'long.csv')); document.querySelector('#cancel').click(); }",
        rows,
    )
    assert opener.said() == ["Cancelled.", None]
    error, result = opener.open(written().encode(), outcome=["died"], model=["risk"])
    assert (error, result["sample"]["cases"]) == ("", 8)

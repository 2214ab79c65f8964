"""The command `plan`: every sentence is judged by the numbers that it prints as JSON."""

import json

import pytest
from cli.conftest import write_csv

FILE = ("plan", "scores.csv", "--outcome", "died", "--predictions", "old", "new", "--costs", "5%..20%")
GUESS = ("plan", "--prevalence", "5%", "--auc", "new=0.8", "--auc", "old=0.75", "--costs", "10%")
MONEY = ("--decisions", "20000", "--price", "0.5", "--value", "90")


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    "typed",
    [
        FILE,
        (*FILE, "--more", "50", "--more", "700", *MONEY),
        (*FILE, "--prevalence", "1%..20%"),
        (*FILE, "--prevalence", "2%"),
        GUESS,
        (*GUESS, *MONEY),
        (*GUESS, *MONEY, "--decisions", "20,000/year"),
    ],
)
def test_the_sentences_say_what_the_numbers_say(typed, scores, stakes, monkeypatch):
    monkeypatch.setenv("COLUMNS", "300")
    plain, numbers = stakes(*typed), json.loads(stakes(*typed, "--json").out)
    assert plain.code == 0
    first, *others = plain.out.splitlines()
    printed = numbers["unit"]["factor"] * numbers["unit"]["per"]

    def is_said(text, value):
        digits = len(text.partition(".")[2])
        assert float(text) == round(value * printed, digits)

    assert first.startswith("Choosing now is expected to lose ")
    assert first.endswith(f" misses per 1,000 cases; {numbers['best']} looks best.")
    is_said(first.split()[6], numbers["perfect"])
    for k, line in enumerate(others[: len(numbers["more"])]):
        n, _, _, _, _, worth, *_, right = line.split()
        assert n == f"{numbers['more'][k]:,}"
        is_said(worth.rstrip(","), numbers["value"][k])
        sure = numbers["probability_right"][k]
        assert right == (">99%." if sure > 0.99 else f"{round(100 * sure)}%.")
    rest = others[len(numbers["more"]) :]
    if "--price" in typed:
        time = "in the first year" if "/year" in " ".join(typed) else "in all"
        pays = f"About {numbers['best_more']:,} more cases pay best, and gain {numbers['net'] or 0:,.0f} {time}."
        assert rest.pop(0) == (pays if numbers["best_more"] else "At that price no number of cases pays.")
    ranges = {what: numbers[f"value_of_{what}"] for what, text in stated(typed).items() if ".." in text}
    if ranges:
        for part, (what, value) in zip(rest.pop(0).rstrip(".").split("; "), ranges.items(), strict=True):
            assert part.lower().startswith(f"settling the {what} instead would be worth ")
            is_said(part.split()[-1], value)
    assert rest == ([f"Take these with care: {numbers['caution']}."] if numbers["caution"] else [])


def stated(typed):
    """Return the costs and the prevalence as typed, or an empty text."""
    options = {"costs": "--costs", "prevalence": "--prevalence"}
    return {what: typed[typed.index(one) + 1] if one in typed else "" for what, one in options.items()}


def test_a_probability_is_never_certain(scores, stakes):
    assert "with probability >99%." in " ".join(stakes(*GUESS, "--more", "1000000").out.split())


def test_cases_without_a_score_are_counted(sample, folder, stakes, monkeypatch):
    monkeypatch.setenv("COLUMNS", "300")
    sample["old"][:3] = ["", "", ""]
    write_csv(folder / "scores.csv", sample, ";")
    note, dropped, first, *_ = stakes(*FILE).out.splitlines()
    assert dropped == "Dropped: 3 cases without a score from at least one model."
    assert first.startswith("Choosing now is expected to lose ")
    numbers = json.loads(stakes(*FILE, "--json").out)
    assert (numbers["cases"], numbers["dropped"], numbers["dropped_by_role"]) == (117, 3, {"predictions": 3})
    assert numbers["reading_notes"] == [note]


def test_the_hint_for_missing_outcomes_can_be_followed(sample, folder, stakes, refused):
    sample["died"][5] = ""
    write_csv(folder / "scores.csv", sample)
    assert "`--on-missing drop`" in refused(*FILE)
    assert "Dropped: 1 case without an outcome." in stakes(*FILE, "--on-missing", "drop").out
    assert json.loads(stakes(*FILE, "--on-missing", "drop", "--json").out)["cases"] == 119


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        (("plan", "--costs", "10%"), "`FILE` and `--auc` must be given one at a time, got neither."),
        ((*FILE, "--auc", "0.8"), "`FILE` and `--auc` must be given one at a time, got both."),
        (("plan", "--auc", "0.8", "--costs", "10%"), "`--prevalence` must be given with `--auc`."),
        ((*GUESS, "--auc", "x"), "`--auc` must look like 0.8 or new=0.8, got 'x'."),
        ((*GUESS, "--price", "5"), "`--decisions` must be given with `--price`, got None."),
        ((*GUESS, "--decisions", "5"), "`--price` must be given with `--decisions`, got None."),
        ((*GUESS, *MONEY, "--decisions", "20000/"), "`--decisions` must look like 20000 or 20000/year, got '20000/'."),
        ((*GUESS, *MONEY, "--decisions", "-5"), "`--decisions` must look like 20000 or 20000/year, got '-5'."),
        ((*FILE, "--value", "9"), "`--decisions` and `--price` must be given with `--value`, got neither."),
        ((*GUESS, *MONEY, "--value", "0"), "`--value` must be finite and greater than 0, got 0."),
        ((*FILE, "--worth", "5"), "`--worth` must be left out with `FILE`, got 5."),
        ((*GUESS, "--worth", "0"), "`--worth` must be finite and greater than 0, got 0."),
        ((*GUESS, "--prevalence", "1%..5%"), "`--prevalence` must be one value with `--auc`, got 1%..5%."),
        ((*GUESS, "--weight", "w"), "`--weight` must be left out with `--auc`."),
        ((*GUESS, "--predictions", "new"), "`--predictions` must be left out with `--auc`."),
        (
            (*GUESS, "--auc", "0.7", "--auc", "0.8"),
            "`--auc` must name each model once, got 'model' twice; write new=0.8.",
        ),
    ],
)
def test_what_cannot_be_planned_is_refused(typed, message, scores, refused):
    assert refused(*typed) == message

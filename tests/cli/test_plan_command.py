"""The command `plan`: every sentence is judged by the numbers that it prints as JSON."""

import json

import pytest

FILE = ("plan", "scores.csv", "--outcome", "died", "--predictions", "old", "new", "--costs", "5%..20%")
GUESS = ("plan", "--prevalence", "5%", "--auc", "new=0.8", "--auc", "old=0.75", "--costs", "10%")
MONEY = ("--decisions", "20000", "--price", "0.5", "--value", "90")


@pytest.mark.parametrize("typed", [FILE, (*FILE, "--more", "50", "--more", "700", *MONEY), GUESS, (*GUESS, *MONEY)])
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
    assert first.endswith(f" in misses per 1,000 cases; {numbers['best']} looks best.")
    is_said(first.split()[6], numbers["perfect"])
    for k, line in enumerate(others[: len(numbers["more"])]):
        n, _, _, _, _, worth, *_, right = line.split()
        assert n == f"{numbers['more'][k]:,}"
        is_said(worth.rstrip(","), numbers["value"][k])
        assert abs(float(right.rstrip("%.")) / 100 - numbers["probability_right"][k]) < 0.006
    rest = others[len(numbers["more"]) :]
    if "--price" in typed:
        pays = f"About {numbers['best_more']:,} more cases pay best, and gain {numbers['net'] or 0:,.0f} in all."
        assert rest.pop(0) == (pays if numbers["best_more"] else "At that price no number of cases pays.")
    assert rest == ([f"Take these with care: {numbers['caution']}."] if numbers["caution"] else [])


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        (("plan", "--costs", "10%"), "`FILE` and `--auc` must be given one at a time, got neither."),
        ((*FILE, "--auc", "0.8"), "`FILE` and `--auc` must be given one at a time, got both."),
        (("plan", "--auc", "0.8", "--costs", "10%"), "`--prevalence` must be given with `--auc`."),
        ((*GUESS, "--auc", "x"), "`--auc` must look like 0.8 or new=0.8, got 'x'."),
        ((*GUESS, "--price", "5"), "`--decisions` must be given with `--price`, got None."),
    ],
)
def test_what_cannot_be_planned_is_refused(typed, message, scores, refused):
    assert refused(*typed).replace("`price`", "`--price`") == message

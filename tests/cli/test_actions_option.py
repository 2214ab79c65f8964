"""`--actions`: several actions on the command line, with the numbers of the library and one sentence for bad input."""

import json
from pathlib import Path

import pandas as pd
import pytest

from stakes import Uniform, evaluate
from stakes.beliefs import Actions

BIOPSIES = Path(__file__).parents[2] / "docs" / "biopsies.csv"
ASKED = ("evaluate", BIOPSIES, "--outcome", "cancer", "--predictions", "prediction_model", "age_rule")
TRIAGE = {"discharge": (0, 20), "observe": (1, 6), "admit": (4, 1)}
TYPED = "discharge=0/20, observe=1/6,admit=4/1"


@pytest.mark.parametrize(("more", "exchange"), [((), None), (("--costs", "20%..50%"), Uniform(0.2, 0.5))])
def test_the_numbers_are_those_of_the_library(more, exchange, stakes):
    ran = stakes(*ASKED, "--actions", TYPED, *more, "--json", "-")
    assert (ran.code, ran.err) == (0, "")
    cases = pd.read_csv(BIOPSIES)
    models = {name: cases[name] for name in ("prediction_model", "age_rule")}
    expected = evaluate(cases["cancer"], models, Actions(TRIAGE, exchange=exchange)).to_dict()
    found = json.loads(ran.out)
    assert found["actions"] == expected["actions"]
    assert found["ranking"] == expected["ranking"]


def test_the_terminal_shows_the_share_of_each_action(stakes):
    out = stakes(*ASKED, "--actions", TYPED).out
    assert "share of cases         discharge  observe  admit" in out
    assert "prediction_model             54%      35%    11%" in out
    assert "saves 205 in your cost units per 1,000 cases" in " ".join(out.split())


def test_a_measure_is_recommended(stakes):
    out = stakes("recommend", "--actions", TYPED).out
    assert "each case gets the cheapest for its probability" in " ".join(out.split())
    assert "expected_regret(table, Actions({'discharge': (0, 20)" in " ".join(out.split())


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        (("--actions", "a=0/20"), "`--actions` must hold at least two actions, got 1."),
        (("--actions", "a=0/20,b=1"), "if positive, got 'b=1'."),
        (("--actions", "a=0/x,b=1/0"), "if positive, got 'a=0/x'."),
        (("--actions", "a=0/inf,b=1/0"), "if positive, got 'a=0/inf'."),
        (("--actions", "a=0/1,a=1/0"), "`--actions` must name every action once, got 'a' twice."),
        (("--actions", "a=0/1,b=1/2"), "`--actions` must leave a choice between actions, got"),
        (
            ("--actions", TYPED, "--capacity", "5%"),
            "`--capacity` must be left out where there are several actions, got",
        ),
        (("--actions", TYPED, "--policy", "p.json"), "`--policy` must be left out with `--actions`, got 'p.json'; use"),
        (
            ("--actions", TYPED, "--unit", "misses"),
            "`--unit` must be left out where costs are those of actions, got 'misses'.",
        ),
    ],
)
def test_bad_actions_are_refused_in_a_sentence(typed, sentence, refused):
    assert sentence in refused(*ASKED, *typed)

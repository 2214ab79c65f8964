"""The gate: pass, worse or unsure, by one-sided limits, in Python and on the command line."""

import json
import math
import re
from importlib.resources import files

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import validate as validate_schema
from scipy import stats

from stakes import Cases, InputError, auc, compare, evaluate, expected_regret
from stakes.cli import main
from stakes.monitoring import gate


def sample(seed=1, n=600, noise=0.15):
    rng = np.random.default_rng(seed)
    risk = rng.beta(2, 5, n)
    y = (rng.random(n) < risk).astype(int)
    return y, {"old": risk.round(3), "new": np.clip(risk + rng.normal(0, noise, n), 0, 1).round(3)}


SCHEMA = json.loads(files("stakes.evaluation").joinpath("evaluation.schema.json").read_text(encoding="utf-8"))
Y, MODELS = sample()
CASES = Cases(Y, MODELS)


@pytest.mark.parametrize(("measure", "sign", "parameters"), [(expected_regret, 1, {"costs": "5%..20%"}), (auc, -1, {})])
def test_its_limits_are_the_ends_of_compare_at_the_one_sided_level(measure, sign, parameters):
    found = gate(CASES, "new", "old", measure, margin=0.01, level=0.9, **parameters)
    two_sided = compare(CASES, "new", "old", measure, level=0.8, **parameters)
    assert (found.lower, found.upper) == tuple(sorted((sign * two_sided.lower, sign * two_sided.upper)))
    assert found.worse_by == sign * two_sided.difference
    assert found.lower < found.worse_by < found.upper


@given(st.floats(0, 0.05), st.floats(0.55, 0.999))
@settings(max_examples=50)
def test_the_verdict_follows_from_the_limits(margin, level):
    found = gate(CASES, "new", "old", expected_regret, margin=margin, level=level, costs="10%")
    wanted = "pass" if found.upper <= margin else "worse" if found.lower > margin else "unsure"
    assert found.verdict == wanted
    assert found.passed == (wanted == "pass")


def test_it_says_which_of_both_is_better():
    worse, better = (
        gate(CASES, *pair, expected_regret, margin=0.01, costs="5%..20%") for pair in (("new", "old"), ("old", "new"))
    )
    said = re.fullmatch(r"Gate\(\w+: new is worse than old by (.+), margin 0.01\)", repr(worse))
    assert said[1] == re.fullmatch(r"Gate\(pass: old is better than new by (.+), margin 0.01\)", repr(better))[1]


def test_at_a_limit_it_passes_and_is_not_worse():
    found = gate(CASES, "new", "old", expected_regret, margin=0.0, costs="5%..20%")
    assert found.lower > 0
    assert gate(CASES, "new", "old", expected_regret, margin=found.upper, costs="5%..20%").verdict == "pass"
    assert gate(CASES, "new", "old", expected_regret, margin=found.lower, costs="5%..20%").verdict == "unsure"
    just_below = np.nextafter(found.lower, -1)
    assert gate(CASES, "new", "old", expected_regret, margin=just_below, costs="5%..20%").verdict == "worse"


def test_the_cases_that_would_settle_it_settle_it_four_times_in_five():
    found = gate(CASES, "new", "old", expected_regret, margin=0.03, costs="5%..20%")
    n = found.cases_to_settle
    error = (found.upper - found.lower) / 2 / stats.norm.ppf(0.95) * math.sqrt(len(Y) / n)
    assert stats.norm.cdf((0.03 - found.worse_by) / error - stats.norm.ppf(0.95)) == pytest.approx(0.8, abs=0.01)
    at = gate(CASES, "new", "old", expected_regret, margin=found.worse_by, costs="5%..20%")
    assert at.verdict == "unsure"
    assert math.isinf(at.cases_to_settle)


def test_models_that_do_the_same_pass_any_margin():
    same = Cases(Y, {"old": MODELS["old"], "new": MODELS["old"].copy()})
    assert gate(same, "new", "old", auc, margin=0.001).passed
    assert gate(same, "new", "old", auc, margin=0).passed
    with pytest.raises(InputError, match="`margin` must be finite and not negative, got -1"):
        gate(same, "new", "old", auc, margin=-1)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"level": 0.5}, r"`level` must be above 0\.5, since each limit is one-sided, got 0\.5\."),
        ({"new": "old"}, "`new` must be a different model from `old`, got 'old'"),
        ({"margin": math.inf}, "`margin` must be finite and not negative, got inf"),
        ({"costs": "10%", "coststs": 3}, "`parameters` must be arguments of gate"),
    ],
)
def test_what_is_no_gate_is_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        gate(
            **{"cases": CASES, "new": "new", "old": "old", "measure": expected_regret, "margin": 0.1}
            | {"costs": "10%"}
            | arguments
        )


# ------------------------------------------------------------------------------------------- the command


@pytest.fixture
def typed(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "400")
    rows = zip(Y, MODELS["old"], MODELS["new"], strict=True)
    lines = ["y,old,new", *(f"{y},{old},{new}" for y, old, new in rows)]
    (tmp_path / "scores.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")

    def type_in(*options, predictions=("old", "new")):
        words = ["evaluate", "scores.csv", "--outcome", "y", "--predictions", *predictions, "--costs", "5%..20%"]
        code = main([*words, *options])
        return code, *capsys.readouterr()

    return type_in


def said(found, unit):
    """Return the sentence of a verdict, written by hand."""

    def number(value):
        return f"{abs(1000 * unit.factor * value):.{unit.digits}f}"

    more = ["less" if one < 0 else "more" for one in (found.lower, found.upper)]
    by = f"than old, in misses per 1,000 cases; your margin is {number(found.margin)} (one-sided 95% limits)"
    if found.verdict == "pass":
        return f"Pass: new costs at most {number(found.upper)} {more[1]} {by}."
    if found.verdict == "worse":
        return f"Worse: new costs at least {number(found.lower)} {more[0]} {by}."
    between = f"between {number(found.lower)} {more[0]} and {number(found.upper)} {more[1]}"
    return f"Unsure: new costs {between} {by}; about "


@pytest.mark.slow
@pytest.mark.sample(3)
@pytest.mark.parametrize(("misses", "code"), [(1, 3), (14, 4), (60, 0)])
def test_the_exit_code_says_what_the_sentence_says(misses, code, typed):
    evaluation = evaluate(Y, MODELS, "5%..20%")
    margin = misses / 1000 * 0.875  # a miss costs 1 - c, and c is 12.5% on average
    found = gate(CASES, "new", "old", expected_regret, margin=margin, costs="5%..20%")
    words = ("--baseline", "old", "--margin", f"{misses} misses per 1,000 cases")
    ended, out, _ = typed(*words, "--fail-if-worse")
    sentence = said(found, evaluation.unit)
    assert out.splitlines()[-1].startswith(sentence)
    assert ended == code
    assert typed(*words)[0] == 0
    assert typed(*words, "--fail-if-worse", "--quiet")[:2] == (code, "")
    if found.verdict == "unsure":
        about = int(out.rsplit("about ", 1)[1].split(" cases")[0].replace(",", ""))
        assert found.cases_to_settle <= about <= 1.1 * found.cases_to_settle


@pytest.mark.slow
def test_so_many_cases_have_a_reason(typed):
    cost = 0.875  # of a miss, on average
    known = gate(CASES, "new", "old", expected_regret, margin=0.01, costs="5%..20%")
    width, unit = known.upper - known.lower, evaluate(Y, MODELS, "5%..20%").unit
    for share, is_near in ((0.05, True), (-0.1, True), (0.2, False), (-0.3, False)):
        margin = known.worse_by + share * width
        found = gate(CASES, "new", "old", expected_regret, margin=margin, costs="5%..20%")
        assert found.verdict == "unsure"
        out = typed("--baseline", "old", "--margin", f"{1000 * margin / cost!r} misses per 1000")[1]
        reason = re.fullmatch(
            r"about [\d,]+ cases would settle it"
            r"(?:, so many because the estimate, ([\d.]+) more, is near the margin)?\.",
            out.splitlines()[-1].split("limits); ")[1],
        )
        assert (reason[1] is not None) == is_near
        assert (found.cases_to_settle > 36 * len(Y)) == is_near
        if is_near:
            assert float(reason[1]) == pytest.approx(1000 * unit.factor * known.worse_by, abs=0.51 / 10**unit.digits)


@pytest.mark.slow
def test_the_numbers_for_machines_hold_the_verdict(typed):
    found = gate(CASES, "new", "old", expected_regret, margin=14 / 1000 * 0.875, costs="5%..20%")
    code, out, err = typed("--baseline", "old", "--margin", "14 misses per 1000", "--fail-if-worse", "--json", "-")
    values = json.loads(out)
    validate_schema(values, SCHEMA)
    shown = values["gate"]
    names = {"estimate": "worse_by", **{one: one for one in ("lower", "upper", "margin", "level", "cases_to_settle")}}
    assert {name: shown[name] for name in names} == pytest.approx({a: getattr(found, b) for a, b in names.items()})
    assert (shown["verdict"], shown["new"], shown["old"], code) == ("unsure", "new", "old", 4)
    assert shown["unit"] == values["unit"]["numbers"]
    assert err.lstrip().startswith("Unsure: new costs")
    assert "gate" not in json.loads(typed("--json", "-")[1])


@pytest.mark.slow
def test_a_margin_in_false_alarms_is_that_in_misses(typed):
    words = ("--baseline", "old", "--margin", "70 false alarms per 1000")  # 7 false alarms cost a miss
    assert typed(*words)[1].splitlines()[-1] == typed(*words[:3], "10 misses per 1000")[1].splitlines()[-1]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--fail-if-worse",), "`--fail-if-worse` must be given with `--margin`."),
        (("--margin", "1 miss per 1000"), "`--margin` must be given with `--baseline`."),
        (
            ("--margin", "1", "--baseline", "old"),
            "`--margin` must look like '1 miss per 1000' or '5 false alarms per 1000', got '1'.",
        ),
        (("--margin", "one miss per 1000", "--baseline", "old"), "`--margin` must look like"),
        (
            ("--margin", "-1 misses per 1000", "--baseline", "old"),
            "`--margin` must be a number of mistakes per some cases, not negative, got '-1 misses per 1000'.",
        ),
        (("--margin", "1 miss per 0", "--baseline", "old"), "`--margin` must be a number of mistakes per some cases"),
        (("--margin", "1 miss per 1000", "--baseline", "act on no one"), "`--baseline` must be one of the models"),
        (
            ("--margin", "1 miss per 1000", "--baseline", "nope"),
            "`--baseline` must be one of the models old and new with `--margin`, got 'nope'.",
        ),
        (
            ("--margin", "1 miss per 1000", "--baseline", "old", "--actions", "leave=0/9,act=1/0"),
            "`--margin` must be left out with `--actions`, got '1 miss per 1000'; use `gate`",
        ),
        (
            ("--margin", "1 miss per 1000", "--baseline", "old", "--level", "40%"),
            "`--level` must be above 0.5 with `--margin`",
        ),
    ],
)
def test_options_that_make_no_gate_are_refused(options, message, typed):
    code, _, err = typed(*options)
    assert code == 2
    assert err.startswith(f"stakes: {message}")

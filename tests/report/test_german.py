"""Reports in German: no English left, the same slots, and the same numbers."""

import json
import re
from collections import Counter
from importlib.resources import files

import numpy as np
import pytest

from stakes import Decision, EventBy, InputError, Limits, evaluate
from stakes._language import bare, catalogue, number, say, say_count, slots_of, speaking
from stakes.evaluation import FOLLOW_UP_TEMPLATES, TEMPLATES
from stakes.evaluation.findings import findings
from stakes.outcome import CensoringBy
from stakes.report import render
from stakes.report._in_language import change_script, change_template

PAGES = [files("stakes").joinpath("report", "web", folder) for folder in ("page", "open")]
GERMAN = json.loads(files("stakes").joinpath("lang", "de.json").read_text(encoding="utf-8"))
DIGITS = re.compile(r"\d[\d.,]*")


def sample(rows=600):
    rng = np.random.default_rng(3)
    z = rng.normal(size=rows)
    y = rng.random(rows) < 1 / (1 + np.exp(2 - 1.5 * z))
    scores = {f"modell {k}": 1 / (1 + np.exp(2 - 1.5 * z - k * rng.normal(size=rows))) for k in range(3)}
    return y, scores, rng.choice(["A", "B", "C"], rows, p=[0.5, 0.47, 0.03])


DECISIONS = {
    "range": Decision("5%..20%"),
    "one cost": Decision("10%"),
    "limits": Decision("5%..20%", limits=Limits(capacity=0.1, min_precision=0.3)),
    "prevalence": Decision("5%..20%", prevalence="20%..40%"),
    "followed": Decision("5%..20%"),
}


@pytest.fixture(scope="module", params=DECISIONS)
def evaluation(request):
    y, scores, group = sample()
    if request.param == "followed":
        time = np.where(np.arange(600) % 3 == 1, 2.0, np.where(y, 4.0, 6.0))
        y = EventBy(
            time, np.where(time == 4, 1, np.where(np.arange(600) % 7 == 3, 2, 0)), 5, censoring=CensoringBy(group)
        )
    return evaluate(y, scores, DECISIONS[request.param], group=group)


def plain(text):
    """Numbers of a German text as in English."""
    return text.translate({ord("."): ",", ord(","): "."})


def numbers(text):
    return Counter(found.rstrip(".,").replace(",", "") for found in DIGITS.findall(text))


def test_every_text_keeps_its_slots_and_the_spaces_around_it():
    for english, german in GERMAN.items():
        assert set(slots_of(english)) == set(slots_of(german)), english
    assert len({bare(text) for text in GERMAN}) == len(GERMAN)


def test_every_kind_of_finding_has_german():
    assert {bare(text) for text in (TEMPLATES | FOLLOW_UP_TEMPLATES).values()} <= catalogue("de").keys()


def test_findings_say_the_same_numbers_in_german(evaluation):
    english = findings(evaluation.results)
    with speaking("de"):
        german = findings(evaluation.results)
    assert [one.kind for one in german] == [one.kind for one in english]
    for one, other in zip(english, german, strict=True):
        assert other.numbers == pytest.approx(one.numbers, nan_ok=True)
        assert numbers(plain(other.text)) == numbers(one.text), (one.text, other.text)


def test_a_report_says_nothing_in_english(evaluation, monkeypatch):
    unknown = []
    monkeypatch.setattr("stakes._language.unknown", lambda text: unknown.append(text) or text)
    page = render(evaluation, lang="de", embed="strict")
    assert '<html lang="de">' in page
    assert [text for text in unknown if re.search(r"[A-Za-z]{2}", re.sub(r"\{[^}]*\}", "", text))] == []
    shown = re.sub(r"<script.*?</script>", "", page, flags=re.DOTALL)
    for english in (one for one, german in GERMAN.items() if one != german and len(one) > 25 and "{" not in one):
        assert english not in shown, english


@pytest.mark.sample(5)
def test_evaluation_and_english_report_stay_english(evaluation):
    before = [one.text for one in evaluation.findings], render(evaluation, embed="strict")
    render(evaluation, lang="de", embed="strict")
    assert ([one.text for one in evaluation.findings], render(evaluation, embed="strict")) == before


def texts_of_page():
    found = []

    def take(text, is_spoken):
        found.append(text)

    for one in (one for folder in PAGES for one in folder.iterdir()):
        if one.name.endswith(".jinja"):
            change_template(one.read_text(encoding="utf-8"), take)
        if one.name.endswith(".js"):
            script = one.read_text(encoding="utf-8")
            assert change_script(script, take) == script, one.name
    return found


def test_every_sentence_of_scripts_and_templates_has_german():
    """Sentences have three words at least, and no sign of code."""
    sentence = re.compile(r"[ ,;:]*[A-Za-z{}\d]+[,:;]?(?: [\w{}()%,;:.\u2212-]+){2,}")
    code = re.compile(r"class=|[=<>#\[/]|\(\d{4}\)|et al\.|dashed$|^bar saved |^cell |where one false alarm plus")
    found = [text for text in texts_of_page() if sentence.fullmatch(text) and not code.search(text)]
    words = [text for text in found if len(re.findall(r"[A-Za-z]{2,}", re.sub(r"\{\d+\}", "", text))) > 1]
    assert len(words) > 100
    assert [text for text in words if not {bare(text), bare(text.strip())} & catalogue("de").keys()] == []


def test_numbers_have_german_signs():
    with speaking("de"):
        assert number(1234567.891, ",.2f") == "1.234.567,89"
        assert say("{cases:,} cases", cases=12000) == "12.000 Fälle"
        assert say("{level} interval", level="95\u00a0%") == "95-%-Intervall"
        assert [say_count(n, "{n} false alarm", "{n} false alarms", n=n) for n in (1, 2)] == [
            "1 Fehlalarm",
            "2 Fehlalarme",
        ]
    assert number(1234.5, ",.1f") == "1,234.5"


def test_a_language_that_is_unknown_is_refused():
    y, scores, _ = sample(60)
    with pytest.raises(InputError, match="`lang` must be one of en, de, got 'fr'"):
        render(evaluate(y, scores, "10%..20%"), lang="fr")

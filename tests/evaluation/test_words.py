"""The words of a user change words and nothing else: no number, no order and no name."""

import re

import pytest

from stakes import Decision, InputError, Limits, evaluate
from stakes._words import Words, as_words, parse_words
from stakes.datasets import load_cohort

COHORT = load_cohort()
MODELS = {"marker": COHORT["cancerpredmarker"], "a miss in the case": COHORT["famhistory"]}
WORDS = {
    "case": ("person", "people"),
    "positive": "cancer",
    "miss": "missed cancer",
    "false alarm": "needless biopsy",
    "act": "biopsy",
}
BACK = {
    "with cancer": "positive",
    "missed cancers": "misses",
    "missed cancer": "miss",
    "needless biopsies": "false alarms",
    "needless biopsy": "false alarm",
    "people": "cases",
    "person": "case",
    "biopsying no one": "acting on no one",
    "biopsying everyone": "acting on everyone",
    "biopsy no one": "act on no one",
    "biopsy everyone": "act on everyone",
}


def plainly(text):
    """Put the words of a user back, and forget where lines end."""
    text = re.sub(r"\s+", " ", text)
    for own, usual in BACK.items():
        text = text.replace(own, usual)
    return text


@pytest.mark.slow
@pytest.mark.parametrize("limits", [None, Limits(capacity=0.2)])
@pytest.mark.usefixtures("few_replicates")
def test_put_back_they_leave_the_usual_text(limits):
    usual = evaluate(COHORT["cancer"], MODELS, Decision("5%..20%", limits=limits), group=COHORT["risk_group"])
    own = evaluate(
        COHORT["cancer"], MODELS, Decision("5%..20%", limits=limits, words=WORDS), group=COHORT["risk_group"]
    )
    assert [one.regret for one in own.ranking] == [one.regret for one in usual.ranking]
    for said, meant in ((str(own), str(usual)), (own._repr_html_(), usual._repr_html_()), (own.answer, usual.answer)):
        assert plainly(said) == re.sub(r"\s+", " ", meant)
    assert "missed cancers per 1,000 people" in re.sub(r"\s+", " ", str(own))


def test_an_article_follows_the_word_and_longer_words_stay():
    words = as_words({"miss": "overlooked case", "false alarm": "alarm"})
    assert (
        words.say("a miss is as bad as 9 false alarms; mission") == "an overlooked case is as bad as 9 alarms; mission"
    )
    assert words.say("a miss costs", keep=["a miss"]) == "a miss costs"


@pytest.mark.parametrize(
    ("role", "word", "forms"),
    [
        ("miss", "loss", ("loss", "losses")),
        ("false-alarm", "day off", ("day off", "day offs")),
        ("case", ("child", "children"), ("child", "children")),
        ("act", "operate on", ("operate on", "operating on")),
        ("act", ("refer", "referring"), ("refer", "referring")),
    ],
)
def test_both_forms_of_a_word(role, word, forms):
    assert getattr(as_words({role: word}), role.replace("-", "_")) == forms


def test_words_on_the_command_line():
    typed = parse_words(["miss = missed cancer", "case=person/people"])
    assert as_words(typed) == Words(case=("person", "people"), miss=("missed cancer", "missed cancers"))
    assert parse_words([]) is None
    for wrong in ("miss", "miss=", "case=person/"):
        with pytest.raises(InputError, match="`words` must look like"):
            parse_words([wrong])


def test_one_and_many_are_written_alike_in_python_and_in_the_command():
    assert as_words({"case": "person / people"}) == as_words(parse_words(["case=person/people"]))
    assert as_words({"case": "person/people"}).case == ("person", "people")
    with pytest.raises(InputError, match="`words` must hold strings"):
        as_words({"case": "person/"})
    with pytest.raises(InputError, match=r"`words` must be .*false-alarm.*, got 'nope'"):
        parse_words(["nope=x"])
    assert as_words(parse_words(["false alarm=scare"])).false_alarm == ("scare", "scares")

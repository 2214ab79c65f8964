"""Which measure fits, why, and that it is the one `evaluate` ranks by."""

import pytest
from evaluation.samples import blurred, risks
from homes import everything

from stakes import At, Decision, Limits, Uniform, evaluate, recommend, score_table

Y, LOGIT = risks(600)
SCORE = blurred(LOGIT, 0.5)
DECISIONS = [
    Decision(At(0.1)),
    Decision(Uniform(0.05, 0.2)),
    Decision(Uniform(0.05, 0.2), prevalence=At(0.03)),
    Decision(At(0.1), prevalence=Uniform(0.02, 0.05)),
    Decision(At(0.1), limits=Limits(capacity=0.1)),
    Decision(Uniform(0.05, 0.2), prevalence=0.03, limits=Limits(capacity=0.2, min_precision=0.1)),
]


@pytest.mark.usefixtures("few_replicates")
@pytest.mark.parametrize("decision", DECISIONS, ids=repr)
def test_what_is_recommended_is_what_is_ranked(decision):
    names = {path.partition(".")[2]: thing for path, thing in everything().items()}
    recommended = eval(recommend(decision).measure, names, {"table": score_table(Y, SCORE)})
    ranked = evaluate(Y, {"model": SCORE}, decision).intervals["model"].estimate
    assert ranked == pytest.approx(recommended, rel=1e-12)


@pytest.mark.parametrize(
    ("decision", "said"),
    [
        (Decision("10%"), "The costs are known, "),
        (Decision("5%..20%"), "The costs are known only roughly, "),
        (Decision("5%..20%"), "Each case is decided on its own"),
        (Decision("10%", limits=Limits(capacity=0.1)), "at most 10% of cases acted on."),
        (Decision("10%", limits=Limits(capacity=0.1)), "Alarms are limited, so cases compete: at most"),
        (
            Decision("10%", limits=Limits(min_precision=0.3)),
            "Alarms must be right often enough, so cases are not decided one by one: precision at least 30%.",
        ),
        (
            Decision("10%", limits=Limits(capacity=0.1, min_precision=0.3)),
            "Alarms are limited and must be right often enough, so cases compete: at most 10% of cases acted on and "
            "precision at least 30%.",
        ),
        (Decision("10%", prevalence="2%"), "the prevalence is 2%"),
    ],
)
def test_the_reason_says_what_was_stated(decision, said):
    assert said in recommend(decision).reason


def test_the_usual_measures_are_unmasked():
    roughly = recommend(Decision("5%..20%"))
    assert list(roughly.assumptions) == ["accuracy", "AUC", "F1", "Brier score", "log loss"]
    assert roughly.assumptions["AUC"].startswith("AUC averages over costs that each model's own scores determine")
    assert "as you state" in recommend(Decision("50%")).assumptions["accuracy"]
    assert "one cost of your range" in recommend(Decision("40%..60%")).assumptions["accuracy"]
    assert "precision at K" in recommend(Decision("10%", limits=Limits(capacity=0.1))).assumptions
    assert "any measure of the sample" in recommend(Decision("10%", prevalence=0.1)).assumptions
    assert all(text.endswith(".") for text in roughly.assumptions.values())


def test_it_prints_as_advice():
    text = str(recommend(Decision("5%..20%")))
    assert text.startswith(
        "Use expected_regret(table, Uniform(low=0.05, high=0.2))\n\nThe costs are known only roughly"
    )
    assert text.count("\n- ") == 5


def test_what_is_no_decision_is_refused():
    with pytest.raises(TypeError) as raised:
        recommend(Limits())
    assert str(raised.value) == "`decision` must be a Decision, such as `Decision('5%..20%')`, got Limits."


def test_a_belief_about_the_costs_is_a_decision():
    assert recommend(0.1) == recommend("10%") == recommend(At(0.1)) == recommend(Decision("1:9"))

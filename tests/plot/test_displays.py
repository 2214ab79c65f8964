"""Displays: from predictions, from an estimator, and what they refuse."""

import subprocess
import sys

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.figure import Figure
from numpy.testing import assert_array_equal
from sklearn import linear_model

import stakes.plot
from stakes import score_table
from stakes.curves import brier_curve

mpl.use("Agg")

Y, SCORE, WEIGHT = [0, 1, 1, 0, 1], [0.6, 0.7, 0.3, 0.1, 0.2], [1, 2, 1, 1, 3]
COMPARISONS = {"DifferenceDisplay", "GroupDifferencesDisplay"}
DISPLAYS = [name for name in stakes.plot.__all__ if name.endswith("Display") and name not in COMPARISONS]


@pytest.mark.parametrize("name", DISPLAYS)
def test_every_display_draws_from_predictions_on_a_new_figure(name):
    import matplotlib.pyplot as plt

    display = getattr(stakes.plot, name).from_predictions(Y, SCORE, sample_weight=WEIGHT)
    assert display.figure_.axes
    assert display.tables == {"model": score_table(Y, SCORE, WEIGHT)}
    plt.close(display.figure_)


@pytest.mark.parametrize("name", sorted(set(DISPLAYS) - {"CalibrationDisplay"}))
def test_every_display_draws_on_the_axis_it_is_given(name):
    ax = Figure().subplots()
    display = getattr(stakes.plot, name).from_predictions(Y, SCORE, ax=ax)
    assert display.ax_ is ax
    assert display.figure_ is ax.figure
    assert ax.lines


def test_a_display_takes_labels_of_any_kind():
    labels = np.array(["well", "ill"])[Y]
    display = stakes.plot.BrierCurveDisplay.from_predictions(labels, SCORE, pos_label="ill", ax=Figure().subplots())
    curve = brier_curve(score_table(Y, SCORE))
    assert_array_equal(display.ax_.lines[2].get_xydata(), np.column_stack([curve.x, curve.y]))


def test_a_display_draws_a_fitted_estimator_by_its_second_class():
    features, labels = np.array([[0.0], [1.0], [2.0], [3.0], [1.5]]), np.array(["no", "yes", "no", "yes", "yes"])
    estimator = linear_model.LogisticRegression().fit(features, labels)
    display = stakes.plot.DecisionCurveDisplay.from_estimator(estimator, features, labels, ax=Figure().subplots())
    expected = score_table(labels, estimator.predict_proba(features)[:, 1], pos_label="yes")
    assert display.tables == {"LogisticRegression": expected}
    other = stakes.plot.DecisionCurveDisplay.from_estimator(
        estimator, features, labels, pos_label="no", name="no", ax=Figure().subplots()
    )
    assert other.tables == {"no": score_table(labels, estimator.predict_proba(features)[:, 0], pos_label="no")}


def test_an_estimator_without_probabilities_is_refused():
    with pytest.raises(TypeError) as caught:
        stakes.plot.DecisionCurveDisplay.from_estimator(object(), [[0.0]], [0])
    assert str(caught.value) == "`estimator` must be fitted, with `predict_proba` and two classes, got object."


def test_a_positive_label_that_the_estimator_does_not_know_is_refused():
    class Estimator:
        classes_ = np.array(["a", "b"])

        def predict_proba(self, features):
            return np.full((len(features), 2), 0.5)

    with pytest.raises(ValueError) as caught:  # noqa: PT011
        stakes.plot.DecisionCurveDisplay.from_estimator(Estimator(), [[0.0]], ["a"], pos_label="c")
    assert str(caught.value) == "`pos_label` must be a class of `estimator`, got 'c'; classes: 'a', 'b'."


def test_a_display_of_one_model_refuses_two():
    table = score_table(Y, SCORE)
    with pytest.raises(ValueError) as caught:  # noqa: PT011
        stakes.plot.ClassLossDisplay({"a": table, "b": table}).plot(ax=Figure().subplots())
    assert str(caught.value) == "`tables` must hold one table for this display, got 2."


def test_a_display_holds_several_models():
    tables = {"a": score_table(Y, SCORE), "b": score_table(Y, SCORE[::-1])}
    display = stakes.plot.RegretCurveDisplay(tables).plot(ax=Figure().subplots())
    assert [line.get_label() for line in display.ax_.lines] == ["no model", "a", "b"]


@pytest.mark.slow
def test_without_matplotlib_the_message_says_what_to_install():
    code = (
        "import sys; sys.modules['matplotlib'] = None\n"
        "import stakes\n"
        "try:\n    stakes.plot\nexcept ImportError as error:\n    print(error)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert (
        done.stdout.strip() == "`stakes.plot` needs matplotlib to draw: install it with `pip install 'stakes[plot]'`."
    )


@pytest.mark.slow
def test_importing_stakes_does_not_import_matplotlib():
    code = "import sys, stakes; print('matplotlib' in sys.modules); stakes.plot; print('matplotlib' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "True"]

"""Selection among models, and the map of the best model over limits."""

import math

import numpy as np
import pytest

from stakes import Limits, Uniform, best_thresholds, score_table
from stakes.beliefs import CostRatio, FractionalCost
from stakes.limits import (
    PartialVorosMap,
    feasible_partial_auc,
    max_feasible_recall,
    partial_voros,
    partial_voros_map,
    voros,
)
from stakes.policy import best_recall_threshold, select


def models():
    rng = np.random.default_rng(21)
    y = rng.random(600) < 0.15
    steep, long = rng.normal(size=600), rng.normal(size=600)
    return {
        "steep": score_table(y, steep + 1.1 * y + 0.8 * (y & (steep > 0.5))),
        "long": score_table(y, long + 1.45 * y),
        "coarse": score_table(y, np.round(long + 1.6 * y)),
    }


def one_of_one_class(label):
    return {"good": MODELS["long"], "none": score_table([label, label], [1, 2])}


MODELS = models()
LIMITS = Limits(capacity=0.12, min_precision=0.4)
COSTS = CostRatio(0.05, 0.5)
NUMBERS = {
    "partial_voros": lambda table: partial_voros(table, COSTS, LIMITS),
    "voros": lambda table: voros(table, COSTS),
    "max_feasible_recall": lambda table: max_feasible_recall(table, LIMITS),
    "feasible_partial_auc": lambda table: feasible_partial_auc(table, LIMITS),
}


@pytest.mark.parametrize("by", NUMBERS)
def test_the_best_is_the_largest(by):
    chosen = select(MODELS, COSTS, LIMITS, by=by)
    assert chosen.values == {name: NUMBERS[by](table) for name, table in MODELS.items()}
    assert chosen.best == max(chosen.values, key=chosen.values.get)


def test_each_strategy_uses_the_thresholds_it_knows_of():
    policies = {by: select(MODELS, COSTS, LIMITS, by=by) for by in NUMBERS}
    for by, chosen in policies.items():
        table = MODELS[chosen.best]
        expected = {
            "voros": best_thresholds(table, COSTS),
            "max_feasible_recall": best_recall_threshold(table, COSTS, LIMITS),
        }.get(by, best_thresholds(table, COSTS, LIMITS))
        assert chosen.policy.to_frame().keys() == expected.to_frame().keys()
        assert chosen.policy.threshold.tolist() == expected.threshold.tolist()
        assert chosen.policy.limits == expected.limits


def test_of_equal_models_the_first_is_chosen():
    same = {"b": MODELS["long"], "a": MODELS["long"]}
    assert select(same, COSTS, LIMITS).best == "b"


def test_a_model_without_a_value_is_never_chosen():
    one_class = score_table([1, 1], [1, 2])
    with pytest.warns(RuntimeWarning, match="`partial_voros` is undefined without negatives"):
        chosen = select({"none": one_class, "long": MODELS["long"]}, Uniform(0.1, 0.2), LIMITS)
    assert chosen.best == "long"
    assert math.isnan(chosen.values["none"])


ROWS, COLUMNS = [0.0, 0.3, 0.45, 0.8, 1.0], [0.0, 0.02, 0.2, 1.0]


@pytest.mark.parametrize("costs", [FractionalCost(0.05, 0.6), CostRatio(0.05, 0.5)], ids=repr)
def test_each_value_of_the_map_is_partial_voros(costs):
    grid = partial_voros_map(MODELS, costs, min_precision=ROWS, capacity=COLUMNS)
    for m, table in enumerate(MODELS.values()):
        for i, alpha in enumerate(ROWS):
            for j, kappa in enumerate(COLUMNS):
                if alpha == 1 or kappa == 0:
                    assert math.isnan(grid.value[m, i, j])
                else:
                    single = partial_voros(table, costs, Limits(capacity=kappa, min_precision=alpha))
                    assert grid.value[m, i, j] == single


def test_best_and_tied():
    grid = partial_voros_map(MODELS, FractionalCost(0.05, 0.6), min_precision=ROWS, capacity=COLUMNS)
    assert grid.models == tuple(MODELS)
    defined = ~np.isnan(grid.value).all(axis=0)
    assert np.all(grid.best[~defined] == -1)
    assert np.all(grid.best[defined] == grid.value[:, defined].argmax(axis=0))
    assert not grid.tied(within=0)[defined].any()
    assert grid.tied(within=1)[defined].all()
    assert not grid.tied(within=1)[~defined].any()
    assert grid.near_best(within=0).sum(axis=0)[defined].tolist() == [1] * defined.sum()
    assert not grid.value.flags.writeable


def test_a_model_without_a_value_is_neither_best_nor_near_it():
    value = np.array([[[math.nan, 0.5, math.nan]], [[0.4, math.nan, math.nan]]])
    grid = PartialVorosMap(("a", "b"), np.array([0.5]), np.array([0.1, 0.2, 0.0]), value)
    assert grid.best.tolist() == [[1, 0, -1]]
    assert grid.near_best().tolist() == [[[False, True, False]], [[True, False, False]]]
    assert not grid.tied().any()


def test_two_cases_are_a_sample():
    table = score_table([0, 1], [1, 2])
    grid = partial_voros_map({"a": table}, COSTS, min_precision=[0.0, 0.9], capacity=[0.3, 0.5])
    for i, alpha in enumerate((0.0, 0.9)):
        for j, kappa in enumerate((0.3, 0.5)):
            assert grid.value[0, i, j] == partial_voros(table, COSTS, Limits(capacity=kappa, min_precision=alpha))


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (
            lambda: select(MODELS, COSTS, LIMITS, by="auc"),
            ValueError,
            "`by` must be one of feasible_partial_auc, max_feasible_recall, partial_voros, voros, got 'auc'.",
        ),
        (
            lambda: select([MODELS["long"]], COSTS, LIMITS),
            TypeError,
            "`tables` must map the name of each model to its table, got list.",
        ),
        (lambda: select({}, COSTS, LIMITS), ValueError, "`tables` must hold at least one model, got none."),
        (
            lambda: select({"a": [1, 2]}, COSTS, LIMITS),
            TypeError,
            "`tables` must be a ScoreTable (see `score_table`), got list.",
        ),
        (
            lambda: partial_voros_map(one_of_one_class(1), COSTS, min_precision=[0.2], capacity=[0.1]),
            ValueError,
            "`table` must have both classes, got no negatives.",
        ),
        (
            lambda: partial_voros_map(one_of_one_class(0), COSTS, min_precision=[0.2], capacity=[0.1]),
            ValueError,
            "`table` must have both classes, got no positives.",
        ),
        (
            lambda: partial_voros_map(MODELS, COSTS, min_precision=[0.2, 1.3], capacity=[0.1]),
            ValueError,
            "`min_precision` must lie between 0 and 1, got 1.3.",
        ),
    ],
)
def test_messages(make, error, message):
    with pytest.raises(error) as caught:
        make()
    assert str(caught.value) == message


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_nothing_defined_is_an_error():
    message = "`partial_voros` must be defined for at least one model, got nan for each."
    with pytest.raises(ValueError, match=message) as caught:
        select(MODELS, COSTS, Limits(capacity=0))
    assert str(caught.value) == message

"""The contract of names: all that is promised is there, in one place, in order, and called as was said."""

import ast
import importlib
import inspect
from pathlib import Path

import pytest

import stakes
from stakes import metrics

IMPORTED = {
    node.module.removeprefix("stakes."): [alias.asname or alias.name for alias in node.names]
    for node in ast.parse(Path(stakes.__file__).read_text(encoding="utf-8")).body
    if isinstance(node, ast.ImportFrom)
}

# What each room must offer, once it is open.
CONTRACT = {
    "beliefs": """At Uniform LogOddsUniform Beta Atoms ShiftedUniform Mixture EveryLogOdds IndependentCosts
        FractionalCost CostRatio InverseCostRatio odds
        cost_from_costs cost_from_number_willing parse_belief""",
    "table": """ScoreTable score_table merge recalibrate flatten coarsen save_table
        load_table Recalibration""",
    "large": "Bins QuantisedTable quantise",
    "measures": """expected_regret brier_score log_loss net_benefit accuracy weighted_accuracy skill_score decompose
        Decomposition h_measure auc partial_auc bounded_auc BoundedAUC top_k TopK""",
    "prevalence": """reweight_classes shift_scores at_prevalence accuracy_curve shifted_accuracy
        shifted_net_benefit shifted_weighted_accuracy shifted_regret
        prior_adjusted_net_benefit dca_log_score explain_gap Gap""",
    "limits": """Limits feasible_region Polygon voros partial_voros max_feasible_recall feasible_partial_auc
        lesser_area_curve""",
    "policy": "best_cuts Policy policy_cost PolicyCost",
    "curves": """Curve roc_curve roc_hull regret_curve brier_curve cost_curve cost_lines normalised_cost_curve
        decision_curve best_decision_curve treat_all treat_none comparable_decision_curve relative_utility_curve
        interventions_avoided_curve class_loss_curves reliability_curve precision_recall_curve
        isometrics""",
    "cases": "Cases",
    "uncertainty": "Interval interval band compare rank",
    "evaluation": "Decision Recommendation recommend Evaluation evaluate",
    "frames": "score_table_from_frame tables_from_frame cases_from_frame",
}

# What a room shares with other rooms, and not with users.
SHARED = {
    "Belief",  # for users, at home in `stakes.beliefs`
    "BinSums",
    "DataFile",
    "FrameReplicates",
    "LogOddsMeasure",
    "Results",
    "Sample",
    "Source",
    "Study",
    "TableSource",
    "Unsorted",
    "as_bins",
    "blocks",
    "class_totals",
    "counts_from_top",
    "evaluate_source",
    "finer_bins",
    "in_memory",
    "isotonic_blocks",
    "open_file",
    "read_columns",
    "replicates_from_frame",
    "shifted",
    "sorted_table",
    "unsorted_table",
}

# How the contract writes what is called; annotations left out.
SIGNATURES = [
    "At(value)",
    "Uniform(low=0.0, high=1.0)",
    "LogOddsUniform(low, high)",
    "Beta(alpha, beta, *, low=0.0, high=1.0)",
    "Atoms(values, weights)",
    "ShiftedUniform(mode)",
    "Mixture(parts, weights)",
    "EveryLogOdds()",
    "IndependentCosts(*, false_negative, false_positive)",
    "odds(a, b)",
    "cost_from_costs(false_positive, false_negative)",
    "cost_from_number_willing(n)",
    "parse_belief(text)",
    "score_table(y, score, weight=None, *, pos_label=None)",
    "merge(*tables)",
    "recalibrate(table)",
    "flatten(table)",
    "coarsen(table, *, rows)",
    "reweight_classes(table, prevalence)",
    "shift_scores(table, prevalence, *, from_prevalence=None)",
    "at_prevalence(table, prevalence)",
    "save_table(table, path)",
    "load_table(path)",
    "expected_regret(table, costs)",
    "brier_score(table, *, cost_range=(0.0, 1.0))",
    "log_loss(table, *, cost_range=(0.0, 1.0))",
    "net_benefit(table, costs)",
    "accuracy(table, *, cut=0.5)",
    "weighted_accuracy(table, *, cost)",
    "skill_score(table, costs)",
    "decompose(table, costs)",
    "Decomposition(miscalibration, discrimination, uncertainty, total)",
    "h_measure(table, costs=None)",
    "auc(table)",
    "partial_auc(table, *, fpr_range=(0.0, 1.0))",
    "bounded_auc(table, *, score_range)",
    "BoundedAUC(below, beside, concordant)",
    "top_k(table, *, k, cost=None)",
    "TopK(true_positives, precision, recall, regret, net_benefit)",
]


def called(function):
    """Return how a function is called, without annotations."""
    signature = inspect.signature(function)
    bare = [parameter.replace(annotation=parameter.empty) for parameter in signature.parameters.values()]
    return str(signature.replace(parameters=bare, return_annotation=signature.empty))


def functions(module):
    names = [name for name in module.__all__ if inspect.isfunction(getattr(module, name))]
    return [pytest.param(getattr(module, name), id=f"{module.__name__}.{name}") for name in names]


def test_the_public_names_are_sorted_and_each_is_there():
    for module in (stakes, metrics):
        assert module.__all__ == sorted(set(module.__all__))
        assert all(hasattr(module, name) for name in module.__all__)


def test_what_is_imported_at_the_front_is_public_and_the_other_way_round():
    assert sorted(name for names in IMPORTED.values() for name in names) == stakes.__all__


@pytest.mark.parametrize("room", IMPORTED)
def test_a_room_offers_at_the_front_all_that_it_does_not_keep_for_other_rooms(room):
    offered = set(getattr(importlib.import_module(f"stakes.{room}"), "__all__", IMPORTED[room]))
    assert offered - SHARED == set(IMPORTED[room])


@pytest.mark.parametrize("room", [room for room in CONTRACT if room in IMPORTED])
def test_a_room_keeps_its_contract(room):
    assert set(CONTRACT[room].split()) <= set(IMPORTED[room])


def test_the_first_rooms_are_open():
    assert {"beliefs", "table", "measures"} <= set(IMPORTED)


def test_no_name_is_that_of_a_room():
    rooms = {path.stem for path in Path(stakes.__file__).parent.iterdir()}
    assert not rooms & set(stakes.__all__)


@pytest.mark.parametrize("signature", SIGNATURES)
def test_what_is_called_is_called_as_was_said(signature):
    name, bracket, _ = signature.partition("(")
    assert bracket
    assert name + called(getattr(stakes, name)) == signature


@pytest.mark.parametrize("function", functions(stakes))
def test_what_has_a_default_is_given_by_keyword_unless_it_is_part_of_the_one_rule(function):
    parameters = inspect.signature(function).parameters.values()
    positional = {p.name for p in parameters if p.default is not p.empty and p.kind is not p.KEYWORD_ONLY}
    assert positional <= {"score", "weight", "costs", "prevalence", "limits"}


@pytest.mark.parametrize("function", functions(stakes))
def test_the_table_comes_first_then_costs_then_prevalence_then_limits(function):
    names = [
        name for name in inspect.signature(function).parameters if name in ("table", "costs", "prevalence", "limits")
    ]
    assert names == sorted(names, key=("table", "costs", "prevalence", "limits").index)


@pytest.mark.parametrize("function", [one for one in functions(metrics) if one.id != "stakes.metrics.scorer"])
def test_a_metric_is_called_as_scikit_learn_users_expect(function):
    parameters = list(inspect.signature(function).parameters.values())
    first, second, *middle, weight, label = parameters
    assert first.name == "y_true"
    assert second.name in ("y_proba", "y_score")
    assert (weight.name, weight.default, label.name, label.default) == ("sample_weight", None, "pos_label", None)
    assert all(parameter.kind is parameter.KEYWORD_ONLY for parameter in (*middle, weight, label))
    of_table = list(inspect.signature(getattr(stakes, function.__name__)).parameters.values())
    assert [(p.name, p.default) for p in middle] == [(p.name, p.default) for p in of_table[1:]]


@pytest.mark.parametrize("function", [*functions(stakes), *functions(metrics)])
def test_every_argument_and_result_has_a_type(function):
    signature = inspect.signature(function)
    assert signature.return_annotation is not signature.empty
    assert all(parameter.annotation is not parameter.empty for parameter in signature.parameters.values())

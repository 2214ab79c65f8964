"""The contract of names: all that is promised is there, in one place, in order, and called as was said."""

import ast
import inspect
import re
from importlib import import_module
from pathlib import Path

import pytest
from homes import HOMES, everything, public
from names_snapshot import SNAPSHOT, lines

import stakes
from stakes import metrics

# Imports at the front: those that happen at once, and those of rooms that load late, which type checkers see.
IMPORTS = [
    node
    for node in ast.walk(ast.parse(Path(stakes.__file__).read_text(encoding="utf-8")))
    if isinstance(node, ast.ImportFrom) and str(node.module).startswith("stakes.")
]

# How the contract writes what is called; annotations left out.
SIGNATURES = [
    "At(value)",
    "Uniform(low=0.0, high=1.0)",
    "LogOddsUniform(low, high)",
    "Beta(alpha, beta, *, low=0.0, high=1.0)",
    "Atoms(values, weights)",
    "ShiftedUniform(median)",
    "Mixture(parts, weights)",
    "EveryLogOdds()",
    "IndependentCosts(*, false_negative, false_positive)",
    "from_odds(a, b)",
    "cost_proportion(*, false_positive, false_negative)",
    "cost_from_number_willing_to_treat(n)",
    "parse_belief(text)",
    "score_table(y, score, weight=None, *, pos_label=None, case_costs=None)",
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
    "accuracy(table, *, threshold=0.5)",
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
    "dca_log_score(table, *, cost, prevalence_range)",
    "dominates(curve_a, curve_b, *, x_range)",
    "cost_lines(table, *, thresholds=None)",
    "Bins(count=65536, *, fine_ends=False, edges=())",
]


def called(function):
    """Return how a function is called, without annotations."""
    signature = inspect.signature(function)
    bare = [parameter.replace(annotation=parameter.empty) for parameter in signature.parameters.values()]
    return str(signature.replace(parameters=bare, return_annotation=signature.empty))


EVERYTHING = [pytest.param(thing, id=path) for path, thing in everything().items() if inspect.isfunction(thing)]
OF_ARRAYS = [pytest.param(getattr(metrics, name), id=f"metrics.{name}") for name in metrics.__all__]


def test_the_public_names_are_sorted_and_each_is_there():
    for module in (stakes, metrics):
        assert module.__all__ == sorted(set(module.__all__))
        assert all(hasattr(module, name) for name in module.__all__)


def test_what_is_imported_at_the_front_is_public_and_the_other_way_round():
    assert sorted(alias.asname or alias.name for node in IMPORTS for alias in node.names) == stakes.__all__


def test_a_room_that_loads_late_gives_the_names_that_type_checkers_see():
    seen = {str(node.module).partition(".")[2]: tuple(alias.name for alias in node.names) for node in IMPORTS}
    late = {room: names for room, names in stakes._LATE.items() if names}
    assert late == {room: seen[room] for room in late}
    assert {*stakes.__all__, *stakes._LATE} <= set(dir(stakes))


def test_the_front_only_repeats_what_has_a_home():
    for name in stakes.__all__:
        if getattr(stakes, name).__module__ == "stakes":  # at home at the front: an error, and nothing else
            assert name == "InputError"
            continue
        homes = [home for home, names in HOMES.items() if name in names and home not in ("frames", "large")]
        assert len(homes) == 1, name
        assert getattr(import_module(f"stakes.{homes[0]}"), name) is getattr(stakes, name)


def test_a_home_offers_its_names_at_its_door():
    for home, names in HOMES.items():
        module = import_module(f"stakes.{home}")
        assert set(names) <= set(getattr(module, "__all__", names)), home
        assert names == sorted(set(names))


def test_no_name_is_that_of_a_room():
    rooms = {path.stem for path in Path(stakes.__file__).parent.iterdir()}
    assert not rooms & set(stakes.__all__)


@pytest.mark.parametrize("signature", SIGNATURES)
def test_what_is_called_is_called_as_was_said(signature):
    name, bracket, _ = signature.partition("(")
    assert bracket
    assert name + called(public(name)) == signature


@pytest.mark.parametrize("function", EVERYTHING)
def test_what_has_a_default_is_given_by_keyword_unless_it_is_part_of_the_one_rule(function):
    parameters = inspect.signature(function).parameters.values()
    positional = {p.name for p in parameters if p.default is not p.empty and p.kind is not p.KEYWORD_ONLY}
    assert positional <= {"score", "predictions", "weight", "costs", "prevalence", "limits"}


@pytest.mark.parametrize("function", EVERYTHING)
def test_the_table_comes_first_then_costs_then_prevalence_then_limits(function):
    names = [
        name for name in inspect.signature(function).parameters if name in ("table", "costs", "prevalence", "limits")
    ]
    assert names == sorted(names, key=("table", "costs", "prevalence", "limits").index)


@pytest.mark.parametrize("function", [one for one in OF_ARRAYS if one.id != "metrics.scorer"])
def test_a_metric_is_called_as_scikit_learn_users_expect(function):
    parameters = list(inspect.signature(function).parameters.values())
    first, second, *middle, weight, label, costs = parameters
    assert first.name == "y_true"
    assert second.name in ("y_proba", "y_score")
    assert (weight.name, weight.default, label.name, label.default) == ("sample_weight", None, "pos_label", None)
    assert (costs.name, costs.default) == ("case_costs", None)
    assert all(parameter.kind is parameter.KEYWORD_ONLY for parameter in (*middle, weight, label, costs))
    of_table = list(inspect.signature(public(function.__name__)).parameters.values())
    assert [(p.name, p.default) for p in middle] == [(p.name, p.default) for p in of_table[1:]]


@pytest.mark.parametrize("function", [*EVERYTHING, *OF_ARRAYS])
def test_every_argument_and_result_has_a_type(function):
    signature = inspect.signature(function)
    assert signature.return_annotation is not signature.empty
    assert all(parameter.annotation is not parameter.empty for parameter in signature.parameters.values())


def test_the_snapshot_has_every_public_name_and_how_it_is_called():
    assert SNAPSHOT.read_text(encoding="utf-8").splitlines() == list(lines())


# -------------------------------------------------------------------------------------- the changelog's tables

CHANGELOG = (Path(__file__).parents[1] / "CHANGELOG.md").read_text(encoding="utf-8").partition("### Old names")[2]


def test_names_that_the_changelog_sends_home_are_there_and_no_longer_at_the_front():
    homes = re.findall(r"^\| `stakes\.(\w+)` \| (.+) \|$", CHANGELOG, re.MULTILINE)
    moved = {(home, name) for home, names in homes for name in re.findall(r"`(\w+)`", names)}
    assert len(moved) > 60
    assert {(home, name) for home, name in moved if name not in HOMES[home] or name in stakes.__all__} == set()


def test_functions_and_classes_that_the_changelog_renames_have_their_new_names_only():
    table = CHANGELOG.partition("**Functions and classes.**")[2].partition("\n**")[0]
    rows = re.findall(r"^\| `([\w.]+).* \| `([\w.]+)", table, re.MULTILINE)
    renamed = {old: new for old, new in rows if old.rpartition(".")[2] != new.rpartition(".")[2]}
    known = {line.partition("(")[0].removeprefix("stakes.") for line in lines()}
    assert len(renamed) > 10
    assert {new for new in renamed.values() if new not in known} == set()
    assert {old for old in renamed if old in known} == set()

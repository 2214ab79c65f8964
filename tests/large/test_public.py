"""The names of `stakes.bounds`: sorted, explained, and those that numbers of exact tables have."""

import inspect

import pytest
from homes import everything, public
from test_docstrings import faults
from test_public_names import called

from stakes import bounds

SAME = sorted(set(bounds.__all__) & {path.partition(".")[2] for path in everything()})


def test_the_names_are_sorted_and_each_is_there():
    assert bounds.__all__ == sorted(set(bounds.__all__))
    assert all(hasattr(bounds, name) for name in bounds.__all__)


@pytest.mark.parametrize("name", bounds.__all__)
def test_a_name_is_explained(name):
    assert faults(getattr(bounds, name)) == []


@pytest.mark.parametrize("name", SAME)
def test_a_number_is_called_as_that_of_an_exact_table(name):
    assert called(getattr(bounds, name)) == called(public(name))


def test_the_numbers_that_were_promised_are_there():
    promised = "accuracy auc brier_score decompose expected_regret h_measure log_loss net_benefit skill_score"
    assert set(promised.split()) <= set(SAME)


@pytest.mark.parametrize("name", SAME)
def test_every_argument_and_result_has_a_type(name):
    signature = inspect.signature(getattr(bounds, name))
    assert signature.return_annotation is not signature.empty
    assert all(parameter.annotation is not parameter.empty for parameter in signature.parameters.values())

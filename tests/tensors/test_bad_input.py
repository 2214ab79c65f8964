"""Bad arrays are refused at the door, with a sentence that names the argument, what was wanted, and what came where."""

import sys

import numpy as np
import pytest
import torch

import stakes
from stakes import EventBy, tensors

Y, SCORE = torch.tensor([0, 1, 1]), torch.tensor([0.25, 0.5, 0.75])
NAN, INF = torch.nan, torch.inf

REFUSED = {
    "outcomes of three kinds": ((torch.tensor([0, 1, 2]), SCORE), "`y` must be 0 or 1, got 2 at row 2."),
    "a negative outcome": ((torch.tensor([0, -1, 1]), SCORE), "`y` must be 0 or 1, got -1 at row 1."),
    "two other labels": (
        (torch.tensor([1, 2, 1]), SCORE),
        "`y` must be 0 or 1, got 2 at row 1; pass booleans, such as `y == 2` (labels found: 1, 2).",
    ),
    "an outcome between": ((torch.tensor([0, 0.5, 1]), SCORE), "`y` must be 0 or 1, got 0.5 at row 1."),
    "a missing outcome": (
        (torch.tensor([0, NAN, 1]), SCORE),
        "`y` must not have missing values, got 1 missing value, at row 1.",
    ),
    "missing scores": (
        (Y, torch.tensor([0.5, NAN, NAN])),
        "`score` must not have missing values, got 2 missing values, the first at row 1.",
    ),
    "a missing weight": (
        (Y, SCORE, torch.tensor([1.0, 1.0, NAN])),
        "`weight` must not have missing values, got 1 missing value, at row 2.",
    ),
    "a negative weight": (
        (Y, SCORE, torch.tensor([1.0, -2.0, 1.0])),
        "`weight` must be finite and not negative, got -2 at row 1.",
    ),
    "an infinite weight": (
        (Y, SCORE, torch.tensor([1.0, 1.0, INF])),
        "`weight` must be finite and not negative, got inf at row 2.",
    ),
    "no weight at all": ((Y, SCORE, torch.zeros(3)), "`weight` must not be zero for every case."),
    "two lengths": ((Y[:2], SCORE), "`y` and `score` must have the same length, got 2 and 3."),
    "no case": ((Y[:0], SCORE[:0]), "`y` must hold at least one case, got none."),
    "two columns": (
        (Y, torch.zeros(3, 2)),
        "`score` must be one-dimensional, got shape (3, 2); pass the column of the positive class.",
    ),
    "a single number": ((Y, torch.tensor(0.5)), "`score` must be one-dimensional, got shape ()."),
    "complex scores": ((Y, SCORE + 1j), "`score` must be real numbers, got torch.complex64."),
    "a list": (([0, 1, 1], SCORE), "`y` must be a torch tensor or a CuPy array, got list."),
    "people who were followed": (
        (EventBy([1, 2, 3], [1, 0, 0], 2.5), SCORE),
        "`y` must be a torch tensor or a CuPy array, got EventBy; `stakes.score_table` and `stakes.evaluate` take it, "
        "with scores in arrays of NumPy.",
    ),
    "nothing": ((Y, None), "`score` must be a torch tensor or a CuPy array, got NoneType."),
    "two libraries": (
        (np.array([0, 1, 1]), SCORE),
        "`y` and `score` must be on one device, got numpy on cpu and torch on cpu.",
    ),
    "two devices": (
        (Y.to("meta"), SCORE),
        "`y` and `score` must be on one device, got torch on meta and torch on cpu.",
    ),
}


@pytest.mark.parametrize("make", [tensors.score_table, tensors.unsorted, tensors.quantise])
@pytest.mark.parametrize("name", REFUSED)
def test_a_bad_array_is_refused_with_a_sentence(make, name):
    given, message = REFUSED[name]
    with pytest.raises((TypeError, ValueError)) as caught:
        make(*given)
    assert str(caught.value) == message


@pytest.mark.parametrize("make", [tensors.unsorted, tensors.quantise])
@pytest.mark.parametrize("wrong", [1.5, -0.25, INF])
def test_scores_that_must_be_probabilities_are_looked_at(make, wrong):
    with pytest.raises(ValueError, match="probability") as caught:
        make(Y, torch.tensor([0.5, wrong, 1.0]))
    assert str(caught.value) == (
        f"`score` must be a probability between 0 and 1, got {wrong:g} at row 1; measures of ranking, such as `auc`, "
        "accept any number."
    )


@pytest.mark.parametrize("wrong", [1.5, -0.25])
def test_a_table_of_other_scores_ranks_but_has_no_losses(wrong):
    table = tensors.score_table(Y, torch.tensor([0.0, wrong, 1.0]))
    assert 0 <= stakes.auc(table) <= 1
    with pytest.raises(ValueError, match="probability") as caught:
        stakes.brier_score(table)
    assert str(caught.value) == (
        f"`score` must be a probability between 0 and 1, got {wrong:g}; measures of ranking, such as `auc`, accept any "
        "number."
    )


def test_without_the_package_that_speaks_for_all_libraries_its_name_is_said(monkeypatch):
    monkeypatch.setitem(sys.modules, "array_api_compat", None)
    with pytest.raises(ImportError) as caught:
        tensors.score_table(Y, SCORE)
    assert str(caught.value) == (
        "`stakes.tensors` needs array-api-compat to compute on the device of a tensor: "
        "install it with `pip install 'stakes[tensors]'`."
    )

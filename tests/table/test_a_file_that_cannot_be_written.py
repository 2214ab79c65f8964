"""Where the system refuses to write, its own words are passed on and nothing is left behind."""

import os
from pathlib import Path

import pytest

from stakes import save_table, score_table

TABLE = score_table([0, 1], [0.2, 0.7])


def refuse(*_, **__):
    raise PermissionError("not here")


@pytest.mark.parametrize(("where", "step"), [(os, "open"), (os, "fsync"), (Path, "replace")])
def test_the_refusal_is_passed_on_and_nothing_is_left(tmp_path, monkeypatch, where, step):
    monkeypatch.setattr(where, step, refuse)
    with pytest.raises(PermissionError, match=r"^not here$"):
        save_table(TABLE, tmp_path / "table.csv")
    assert not any(tmp_path.iterdir())

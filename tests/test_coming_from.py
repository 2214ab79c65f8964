"""Pages for those who come from another package: each call of ours that they name runs as it stands."""

import inspect
import re
from functools import partial
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from homes import HOMES
from sklearn.linear_model import LogisticRegression

import stakes
from stakes import Cases, Decision, decision_curve, score_table
from stakes.uncertainty import Miscalibration

pytestmark = pytest.mark.slow
DOCS = Path(__file__).parents[1] / "docs"
CODE = re.compile(r"`([^`]+)`")
# What a reader puts in the place of dots, by what stands before them.
DOTS = {"evaluate(": "y, models, costs", "EventBy(": "time, event, horizon", "validate(": "estimator, X, y, decision"}
DOTS |= {".at(": "0.1"}


def bind(function, *arguments, **options):
    """Return the arguments of a function by name, or raise if it does not take them."""
    return inspect.signature(function).bind(*arguments, **options)


def calls(page):
    """Return our side of the tables of a page, row by row."""
    rows = re.findall(r"^\| (.*) \|$", (DOCS / page).read_text(encoding="utf-8"), re.MULTILINE)
    cells = [row.split(" | ") for row in rows if set(row) - set("-| ") and not row.startswith("you write")]
    return [(first, code) for first, ours, *_ in cells for code in CODE.findall(ours)]


@pytest.fixture(scope="module")
def names():
    """Return what the pages take as given: a sample, models, times, and every public name, the front's first."""
    rng = np.random.default_rng(3)
    feature, n, horizon = rng.normal(size=300), 300, 3.0
    y = rng.random(n) < 1 / (1 + np.exp(1 - feature))
    p = np.round(1 / (1 + np.exp(1 - feature)), 2)
    frame = pd.DataFrame({"age": rng.normal(60, 8, n), "sex": rng.integers(0, 2, n)})
    models = {"model": p, "a": p, "b": np.round(rng.random(n), 2)}
    table = score_table(y, p)
    homes = {home: import_module(f"stakes.{home}") for home in [*HOMES, "estimators"]}
    validate = partial(bind, homes["evaluation"].validate)  # which fits some hundred times
    homes["evaluation"] = SimpleNamespace(**vars(homes["evaluation"]) | {"validate": validate})
    given = {
        **{"y": y, "p": p, "score": p, "risk": p, "models": models, "table": table, "curve": decision_curve(table)},
        **{"cases": Cases(y, models), "costs": "5%..20%", "decision": Decision("5%..20%"), "horizon": horizon},
        **{"time": rng.exponential(4, n) + 0.01, "event": rng.integers(0, 2, n), "status": rng.integers(0, 3, n)},
        **{"frame": frame, "X": feature[:, None], "estimator": LogisticRegression(), "metrics": stakes.metrics},
        **{"stakes": SimpleNamespace(**homes), "chance": Miscalibration.__dataclass_fields__["chance"]},
    }
    found = {name: getattr(module, name) for module in reversed(homes.values()) for name in module.__all__}
    return found | {name: getattr(stakes, name) for name in stakes.__all__} | {"validate": validate} | given


@pytest.mark.parametrize("page", sorted(path.name for path in DOCS.glob("from-*.md")))
def test_each_call_that_a_page_offers_runs(page, names, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    offered = calls(page)
    assert len(offered) > 10
    for theirs, code in offered:
        call = code
        for before, arguments in DOTS.items():
            call = call.replace(f"{before}...", before + arguments)
        assert "..." not in call, theirs
        assert eval(call, dict(names)) is not None or "save_html" in call, theirs

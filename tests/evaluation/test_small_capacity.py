"""Intervals under a capacity far below a row of the coarse tables that are resampled."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from stakes import CaseCosts, Decision, Limits, evaluate
from stakes.table import runs_of_rows, score_table
from stakes.uncertainty import _resample

N, CAPACITY = 4000, Limits(capacity=0.004)  # 16 cases, two rows of 256
RNG = np.random.default_rng(4)
RISK = RNG.beta(0.6, 12, N)
Y = RNG.random(N) < RISK
MODELS = {name: RISK * RNG.uniform(1 - spread, 1, N) for name, spread in (("near", 0.2), ("far", 0.8))}
AMOUNTS = CaseCosts(false_negative=np.exp(RNG.normal(4, 2, N)), false_positive=2.0)


@pytest.mark.parametrize(
    ("decision", "costs"),
    [(Decision("2%..10%", limits=CAPACITY), None), (Decision("as stated", limits=CAPACITY), AMOUNTS)],
    ids=["people", "money"],
)
@pytest.mark.usefixtures("few_replicates")
def test_intervals_from_coarse_tables_are_those_of_all_rows(monkeypatch, decision, costs):
    monkeypatch.setattr(_resample, "COARSE", 256)
    found = []
    for many in (1000, 10**6):
        monkeypatch.setattr(_resample, "MANY", many)
        ranking = evaluate(Y, MODELS, decision, case_costs=costs, rng=0).ranking
        found.append({one.model: one.regret for one in ranking if one.model in MODELS})
    coarse, exact = found
    for name in MODELS:
        ends = (exact[name].lower, exact[name].upper)
        assert_allclose((coarse[name].lower, coarse[name].upper), ends, rtol=1e-9)
        assert coarse[name].coarsening_error <= 1e-9 * (ends[1] - ends[0])


@pytest.mark.parametrize(("reach", "within"), [(0.0, 0), (0.01, 40), (0.2, 100), (0.5, 200), (1.0, 400)])
def test_a_quarter_of_the_rows_divides_what_limits_reach(reach, within):
    starts = runs_of_rows(score_table(np.arange(N) % 2, np.arange(N) / N), 400, reach)
    assert len(starts) <= 400
    assert np.count_nonzero(starts >= N * (1 - reach)) == within

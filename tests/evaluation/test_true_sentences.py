"""No sentence says more than is known: about limits, numbers of cases, references and differences."""

import numpy as np
import pytest
from evaluation.samples import found, kinds

from stakes import Decision, Limits, evaluate

RNG = np.random.default_rng

# ------------------------------------------------------------------------------------------- limits


def test_thresholds_that_meet_the_limits_but_do_not_pay_are_not_said_to_be_missing():
    backwards = [0.1, 0.9, 0.2, 0.1, 0.8, 0.3, 0.4, 0.05, 0.6, 0.5]
    decision = Decision("40%..60%", limits=Limits(capacity=0.5))
    evaluation = evaluate([1, 0, 0, 1, 0, 0, 0, 1, 0, 0], {"m": backwards}, decision)
    assert found(evaluation, "limits-unused").text == (
        "m never acts under your limits (at most 50% of cases acted on): some thresholds meet them, but in this "
        "sample none costs less than acting on no one at any cost you state."
    )
    assert "limits-unmet" not in kinds(evaluation)


@pytest.mark.parametrize("seed", range(15))
def test_a_model_that_never_acts_is_told_apart_by_trying_every_threshold(seed):
    rng = RNG(seed)
    y, score = rng.integers(0, 2, 12), rng.integers(1, 10, 12) / 10
    limits = Limits(capacity=rng.choice([0.1, 0.3, 0.5]), min_precision=rng.choice([0.2, 0.6, 0.9]))
    evaluation = evaluate(y, {"m": score}, Decision("50%..70%", limits=limits))
    acts = [score >= cut for cut in np.unique(score)]
    met = [one for one in acts if one.mean() <= limits.capacity and y[one].mean() >= limits.min_precision]
    pays = any(0.5 * (one & (y == 0)).sum() < 0.5 * (one & (y == 1)).sum() for one in met)
    said = {"limits-unmet", "limits-unused"} & set(kinds(evaluation))
    assert said == (set() if pays else {"limits-unused"} if met else {"limits-unmet"})

"""All models resampled together: the same numbers as one by one and two by two, from the same draws."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from uncertainty.simulated import KNOWN, cases

from stakes import Cases, compare, expected_regret, interval, rank, recalibrate
from stakes.uncertainty import Study, _resample


def recalibrated_regret(table):
    return expected_regret(recalibrate(table), KNOWN["expected_regret"].keywords["costs"])


def together(sample):
    measures = dict.fromkeys(sample.models, recalibrated_regret)
    study = Study(sample, measures, better="smaller")
    return study.resample_together(level=0.9, n_resamples=200, rng=np.random.default_rng(3))


@pytest.fixture(params=[8192, 50])
def sample(request, monkeypatch):
    """Cases that are resampled as they are, and in tables made coarse."""
    monkeypatch.setattr(_resample, "MANY", request.param)
    monkeypatch.setattr(_resample, "COARSE", 12)
    return cases(300)


def test_the_difference_to_the_best_is_the_paired_comparison(sample):
    drawn = together(sample)
    best, other = sorted(drawn.intervals, key=lambda name: drawn.intervals[name].estimate)
    found = drawn.compare(other, best)
    options = {"better": "smaller", "method": "basic", "level": 0.9, "n_resamples": 200, "rng": 3}
    pair = compare(sample, found.a, found.b, recalibrated_regret, **options)
    assert (found.a, found.b, found.method) == (pair.a, pair.b, pair.method)
    for part in ("difference", "lower", "upper", "probability_better", "coarsening", "coarsening_error"):
        assert_allclose(getattr(found, part), getattr(pair, part), rtol=1e-9, atol=1e-15)


@pytest.mark.sample(2)
def test_each_interval_is_the_one_of_the_model_alone(sample):
    found = together(sample).intervals
    options = {"method": "basic", "level": 0.9, "n_resamples": 2000, "rng": 3}
    for model, alone in interval(sample, recalibrated_regret, **options).items():
        width = alone.upper - alone.lower
        assert found[model].estimate == alone.estimate
        assert_allclose([found[model].lower, found[model].upper], [alone.lower, alone.upper], atol=0.15 * width)
        assert_allclose(found[model].coarsening, alone.coarsening, atol=1e-15)
        assert_allclose(found[model].coarsening_error, alone.coarsening_error, rtol=0.7)


def test_the_probability_of_being_best_is_that_of_the_ranking(sample):
    ranked = rank(sample, recalibrated_regret, better="smaller", n_resamples=200, rng=3)
    assert_allclose(
        [together(sample).probability_best[name] for name in sample.models],
        [ranked.probability_best[name] for name in sample.models],
    )


def test_few_positives_are_a_reason_for_caution_here_too():
    y = np.arange(100) % 20 == 0
    few = Cases(y, {name: np.random.default_rng(k).beta(2 + y, 5) for k, name in enumerate("ab")})
    found = together(few)
    text = "only 5 positives, too few to trust the level"
    assert [one.caution for one in (*found.intervals.values(), found.compare("a", "b"))] == [text] * 3

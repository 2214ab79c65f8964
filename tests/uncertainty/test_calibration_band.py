"""Calibration bands: a slow oracle, what each method is, what is said of its limits, and what is refused."""

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import optimize, special, stats
from uncertainty.simulated import cases, scores

from stakes import Cases, InputError, band, calibration_curve, score_table
from stakes.uncertainty import CalibrationBand, MiscalibratedRange, calibration_band


def every_run(y, score, level, weight=None, unit=None):
    """Return the distinct scores and both bounds, one run of neighbouring scores after the other."""
    y, score = np.asarray(y), np.asarray(score)
    weight = np.ones(len(y)) if weight is None else np.asarray(weight, float)
    unit = np.arange(len(y)) if unit is None else np.asarray(unit)
    x = np.unique(score)
    lower, upper, each = np.zeros(len(x)), np.ones(len(x)), (1 - level) / (len(x) * (len(x) + 1))
    for i in range(len(x)):
        for j in range(i, len(x)):
            run = (score >= x[i]) & (score <= x[j])
            total = weight[run].sum()
            squares = (np.bincount(unit[run], weight[run]) ** 2).sum()
            size = total**2 / squares
            positive = size * weight[run & (y == 1)].sum() / total
            if (y[run] == 1).any():
                lower[j:] = np.maximum(lower[j:], special.betaincinv(positive, size - positive + 1, each))
            if (y[run] == 0).any():
                upper[: i + 1] = np.minimum(upper[: i + 1], special.betainccinv(positive + 1, size - positive, each))
    return x, lower, upper


def sample(size=60, decimals=1):
    rng = np.random.default_rng(11)
    score = np.round(rng.beta(2, 3, size), decimals)
    y = (rng.random(size) < score**1.3).astype(int)
    return y, score, rng.lognormal(0, 0.8, size), rng.integers(0, 23, size)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("clustered", [False, True])
def test_the_honest_band_is_that_of_every_run_one_by_one(weighted, clustered):
    y, score, weight, cluster = sample()
    given = {"weight": weight if weighted else None, "cluster": cluster if clustered else None}
    found = calibration_band(Cases(y, {"a": score}, **given), level=0.9)["a"]
    x, lower, upper = every_run(y, score, 0.9, given["weight"], given["cluster"])
    assert_array_equal(found.x, x)
    assert_allclose(found.lower, lower, rtol=0, atol=1e-12)
    assert_allclose(found.upper, upper, rtol=0, atol=1e-12)


def test_blocks_of_runs_share_clusters(monkeypatch):
    monkeypatch.setattr("stakes.uncertainty._calibration_methods._BLOCK", 20)  # two first rows at a time
    y, score, weight, cluster = sample()
    found = calibration_band(Cases(y, {"a": score}, weight=weight, cluster=cluster))["a"]
    _, lower, upper = every_run(y, score, 0.95, weight, cluster)
    assert_allclose([found.lower, found.upper], [lower, upper], rtol=0, atol=1e-12)


def test_many_scores_are_rounded_up_for_the_lower_end_and_down_for_the_upper():
    y, score, _ = scores(210)
    found = calibration_band(Cases(y, {"a": score}))["a"]
    x, lower, _ = every_run(y, np.ceil(score * 100) / 100, 0.95)
    from_above, _, upper = every_run(y, np.floor(score * 100) / 100, 0.95)
    for place, low, high in zip(found.x, found.lower, found.upper, strict=True):
        assert low == pytest.approx(max(lower[x <= place + 1e-9], default=0.0), abs=1e-12)
        assert high == pytest.approx(min(upper[from_above >= place - 1e-9], default=1.0), abs=1e-12)
    assert (found.x[0], found.x[-1]) == (score.min(), score.max())


def test_a_score_of_two_digits_is_not_rounded():
    step, rng = np.tile(np.arange(1, 99), 3), np.random.default_rng(1)  # 0.07 * 100 is above 7, and 0.29 * 100 below 29
    more = np.repeat([0, 1, 1], 98)
    score = step / 100 + np.repeat([0.0, 0.002, 0.006], 98)
    y = rng.random(len(step)) < score
    found = calibration_band(Cases(y, {"a": score}), x=np.arange(2, 99) / 100)["a"]
    assert_allclose(found.lower, every_run(y, step + more, 0.95)[1][1:-1], rtol=0, atol=1e-12)
    assert_allclose(found.upper, every_run(y, step, 0.95)[2][1:], rtol=0, atol=1e-12)


def test_between_two_places_the_lower_end_is_that_of_the_last_and_the_upper_that_of_the_next():
    y, score, *_ = sample()
    given = Cases(y, {"a": score})
    own = calibration_band(given)["a"]
    between = calibration_band(given, x=(own.x[1:] + own.x[:-1]) / 2)["a"]
    assert_array_equal(between.lower, own.lower[:-1])
    assert_array_equal(between.upper, own.upper[1:])


def test_outside_the_scores_one_end_goes_on_and_the_other_says_nothing():
    y, score, *_ = sample()
    own = calibration_band(Cases(y, {"a": score}))["a"]
    outside = calibration_band(Cases(y, {"a": score}), x=[own.x[0] - 0.01, own.x[-1] + 0.01])["a"]
    assert outside.lower.tolist() == [0.0, own.lower[-1]]
    assert outside.upper.tolist() == [own.upper[0], 1.0]
    assert np.isnan(outside.estimate).all()


def test_the_estimate_is_the_calibration_curve():
    given = cases(300)
    for name, found in calibration_band(given).items():
        assert_array_equal(found.estimate, calibration_curve(given.table(name)).at(found.x))


@pytest.mark.parametrize("options", [{}, {"x": [0.1, 0.3]}, {"level": "80%"}, {"exact": True}])
def test_the_band_of_the_calibration_curve_is_the_honest_one(options):
    given = cases(220)
    one, other = band(given, calibration_curve, rng=1, **options), calibration_band(given, **options)
    assert list(one) == list(other) == ["good", "other"]
    for name in one:
        assert isinstance(one[name], CalibrationBand)
        assert_array_equal([one[name].lower, one[name].upper], [other[name].lower, other[name].upper])
        assert_array_equal(one[name].lower_everywhere, one[name].lower)


# ------------------------------------------------------------------------------------------- what it claims


def test_a_model_is_miscalibrated_where_the_diagonal_is_outside():
    y = np.repeat([0, 1, 0, 1], [190, 10, 40, 160])
    found = calibration_band(Cases(y, {"a": np.repeat([0.3, 0.5], [200, 200])}))["a"]
    assert found.upper[0] < 0.3 < 0.5 < found.lower[1]
    assert found.miscalibrated == (
        MiscalibratedRange(0.3, 0.3, "too high"),
        MiscalibratedRange(0.5, 0.5, "too low"),
    )


def test_the_claims_are_exactly_the_scores_outside_the_band():
    y, score, _ = scores(900)
    bold = score**2 / (score**2 + (1 - score) ** 2)
    given = Cases(y, {"bold": bold, "halved": score / 2, "timid": 0.2 + 0.3 * score})
    for name, found in calibration_band(given).items():
        places = np.linspace(given.table(name).lowest, given.table(name).highest, 4001)[1:-1]
        there = calibration_band(given, x=places)[name]
        claimed = {"too low": np.zeros(len(places), bool), "too high": np.zeros(len(places), bool)}
        for one in found.miscalibrated:
            claimed[one.scores] |= (places >= one.from_score) & (places <= one.to_score)
        assert found.miscalibrated
        assert_array_equal(claimed["too low"], there.lower > places)
        assert_array_equal(claimed["too high"], there.upper < places)


def test_ranges_are_disjoint_and_ascending():
    y, score, _ = scores(3000)
    found = calibration_band(Cases(y, {"a": 0.2 + 0.2 * score}))["a"].miscalibrated
    ends = [end for one in found for end in (one.from_score, one.to_score)]
    assert ends == sorted(ends)
    assert len({one.scores for one in found}) == 2


def test_a_range_says_which_way_the_scores_err():
    assert str(MiscalibratedRange(0.25, 0.4, "too high")) == "miscalibrated between 0.25 and 0.4: scores too high"


def test_scores_that_rank_backwards_are_said_to_and_their_band_is_not_clipped():
    found = calibration_band(Cases(np.repeat([1, 0], [100, 100]), {"a": np.repeat([0.2, 0.7], [100, 100])}))["a"]
    assert (found.lower > found.upper).tolist() == [True, True]
    assert found.caution == (
        "the lower end is above the upper one between 0.2 and 0.7, "
        "so the share of positives does not rise with the score there"
    )
    assert repr(found) == (
        "CalibrationBand(share of positives at 2 places from 0.2 to 0.7, honest, level 0.95; the lower end is above "
        "the upper one between 0.2 and 0.7, so the share of positives does not rise with the score there)"
    )


def test_weights_and_clusters_are_said_to_be_approximate():
    y, score, weight, cluster = sample()
    said = {
        name: calibration_band(Cases(y, {"a": score}, **given))["a"].caution
        for name, given in (
            ("plain", {}),
            ("equal", {"weight": np.full(len(y), 0.3)}),
            ("weights", {"weight": weight}),
            ("clusters", {"weight": weight, "cluster": cluster}),
        )
    }
    assert said == {
        "plain": "",
        "equal": "",
        "weights": "weights count by Kish's effective number in every run of scores, which is approximate",
        "clusters": "a cluster counts as one case in every run of scores, which is approximate and wide",
    }


@pytest.mark.parametrize(("outcome", "lower", "upper"), [(0, 0.0, 1 - 0.025**0.1), (1, 0.025**0.1, 1.0)])
def test_one_class_has_an_honest_band_too(outcome, lower, upper):
    found = calibration_band(Cases([outcome] * 10, {"a": [0.4] * 10}))["a"]
    assert_allclose([found.lower[0], found.upper[0]], [lower, upper], atol=1e-14)


# ------------------------------------------------------------------------------------------- spline


def test_the_spline_is_the_logistic_regression_of_largest_likelihood():
    y, score, _ = scores(500)
    odds = special.logit(score)
    k1, k2, k3, k4 = np.quantile(odds, [0.05, 0.35, 0.65, 0.95])

    def bent(at):
        cube = {k: np.clip(odds - k, 0, None) ** 3 for k in (at, k3, k4)}
        return cube[at] - cube[k3] * (k4 - at) / (k4 - k3) + cube[k4] * (k3 - at) / (k4 - k3)

    design = np.column_stack([np.ones(500), odds, bent(k1), bent(k2)])
    scaled = design / np.abs(design).max(axis=0)

    def loss(b):
        eta = scaled @ b
        return np.logaddexp(0, eta).sum() - eta[y].sum(), scaled.T @ (special.expit(eta) - y)

    best = optimize.minimize(loss, np.zeros(4), jac=True, method="BFGS", options={"gtol": 1e-9, "maxiter": 5000}).x
    share = special.expit(scaled @ best)
    inverse = np.linalg.inv((scaled.T * (share * (1 - share))) @ scaled)
    reach = np.sqrt(stats.chi2.ppf(0.9, 4) * np.einsum("ij,jk,ik->i", scaled, inverse, scaled))
    found = calibration_band(Cases(y, {"a": score}), method="spline", level=0.9, x=score)["a"]
    assert_allclose(found.estimate, share, rtol=0, atol=1e-6)
    assert_allclose(found.lower, special.expit(scaled @ best - reach), rtol=0, atol=1e-6)
    assert_allclose(found.upper, special.expit(scaled @ best + reach), rtol=0, atol=1e-6)


def test_the_spline_of_two_scores_is_their_shares_of_positives():
    y = np.repeat([0, 1, 0, 1], [30, 10, 20, 40])
    found = calibration_band(Cases(y, {"a": np.repeat([0.2, 0.6], [40, 60])}), method="spline")["a"]
    assert_allclose(found.estimate, [10 / 40, 40 / 60], atol=1e-9)
    reach = np.sqrt(stats.chi2.ppf(0.95, 2) * np.array([1 / 30 + 1 / 10, 1 / 20 + 1 / 40]))
    assert_allclose(special.logit(found.upper) - special.logit(found.estimate), reach, rtol=1e-8)


def test_the_spline_of_one_score_is_its_share_of_positives():
    found = calibration_band(Cases([0, 1, 1, 0, 0], {"a": [0.3] * 5}), method="spline")["a"]
    assert_allclose(found.estimate, [0.4], atol=1e-9)


def test_clusters_of_copies_have_the_spline_band_of_one_case_each():
    y, score, _ = scores(200)
    once = Cases(y, {"a": score}, cluster=np.arange(200))
    thrice = Cases(np.repeat(y, 3), {"a": np.repeat(score, 3)}, cluster=np.repeat(np.arange(200), 3))
    one, other = (calibration_band(each, method="spline", x=[0.1, 0.3])["a"] for each in (once, thrice))
    assert_allclose(one.estimate, other.estimate, atol=1e-6)  # the knots are quantiles, which move a little
    assert_allclose(one.upper - one.lower, other.upper - other.lower, rtol=1e-2)


def test_spline_claims_are_stretches_of_scores():
    y, score, _ = scores(900)
    found = calibration_band(Cases(y, {"a": score / 2}), method="spline")["a"]
    (one,) = found.miscalibrated
    assert one.scores == "too low"
    assert {one.from_score, one.to_score} <= set((score / 2).tolist())


@pytest.mark.parametrize(
    ("y", "score", "why"),
    [
        ([0, 0, 0, 1, 1, 1], [0.1, 0.2, 0.3, 0.5, 0.6, 0.7], "the scores separate the classes"),
        ([1, 1, 1, 1], [0.1, 0.2, 0.3, 0.5], "only one class"),
    ],
)
def test_without_a_fit_the_spline_is_nan_and_says_why(y, score, why):
    found = calibration_band(Cases(y, {"a": score}), method="spline")["a"]
    assert np.isnan([found.estimate, found.lower, found.upper, found.lower_everywhere, found.upper_everywhere]).all()
    assert (found.caution, found.miscalibrated) == (f"no fit: {why}", ())


def test_a_spline_goes_on_to_certain_scores():
    rng = np.random.default_rng(1)
    score = rng.beta(2, 5, 1000)
    ends = [0.0, 1e-300, 1 - 1e-15, 1.0]
    found = calibration_band(Cases(rng.random(1000) < score, {"a": score}), method="spline", x=ends)["a"]
    assert_allclose(found.estimate, [0, 0, 1, 1], atol=1e-12)
    assert ((found.lower <= found.estimate) & (found.estimate <= found.upper)).all()


# ------------------------------------------------------------------------------------------- consistency


def test_the_consistency_band_holds_the_curve_of_a_calibrated_model_at_each_score_at_its_level():
    rng = np.random.default_rng(2)
    score = np.round(rng.beta(2, 5, 300), 2)
    found = calibration_band(Cases(score > 0.3, {"a": score}), method="consistency", level=0.8, rng=1)["a"]
    held = []
    for _ in range(200):
        curve = calibration_curve(score_table(rng.random(300) < score, score)).at(found.x)
        held.append((found.lower <= curve) & (curve <= found.upper))
    assert 0.76 < np.mean(held) < 0.9  # quantiles of a few values hold more than their level
    assert_array_equal(found.estimate, found.x)
    assert found.miscalibrated == ()


def test_the_consistency_band_does_not_see_the_outcomes():
    y, score, _ = scores(200)
    one, other = (
        calibration_band(Cases(each, {"a": score}), method="consistency", n_resamples=100, rng=1)["a"]
        for each in (y, ~y)
    )
    assert_array_equal([one.lower, one.upper], [other.lower, other.upper])


def test_models_with_the_same_scores_have_the_same_consistency_band():
    y, score, _ = scores(200)
    found = calibration_band(Cases(y, {"a": score, "b": score}), method="consistency", n_resamples=100, rng=1)
    assert_array_equal(found["a"].lower, found["b"].lower)


def test_places_beyond_the_scores_do_not_widen_the_consistency_band():
    y, score, _ = scores(200)
    given, within = Cases(y, {"a": score}), np.quantile(score, [0.2, 0.5, 0.8])
    alone, among = (
        calibration_band(given, method="consistency", n_resamples=100, rng=1, x=x)["a"]
        for x in (within, [-1.0, *within, 2.0])
    )
    assert_array_equal(among.lower_everywhere, [math.nan, *alone.lower_everywhere, math.nan])
    assert_array_equal(among.upper_everywhere, [math.nan, *alone.upper_everywhere, math.nan])


def test_clusters_are_said_to_be_drawn_as_independent():
    y, score, _ = scores(60)
    given = Cases(y, {"a": score}, cluster=np.arange(60) // 3)
    found = calibration_band(given, method="consistency", n_resamples=100, rng=1, x=[-1.0, 0.3])["a"]
    assert found.caution == "cases of a cluster were drawn as if independent"
    assert math.isnan(found.lower[0])
    assert found.lower_everywhere[1] <= found.lower[1] <= 0.3 <= found.upper[1] <= found.upper_everywhere[1]


# ------------------------------------------------------------------------------------------- what is refused


@pytest.mark.parametrize(
    ("score", "options", "said"),
    [
        (
            [0.2, 1.5],
            {},
            "`score` must be a probability between 0 and 1, got 1.5; "
            "measures of ranking, such as `auc`, accept any number.",
        ),
        ([0.2, 0.5], {"method": "loess"}, "`method` must be one of honest, consistency, spline, got 'loess'."),
        ([0.2, 0.5], {"level": 1.0}, "`level` must lie strictly between 0 and 1, got 1."),
        ([0.2, 0.5], {"level": 95}, "`level` must lie strictly between 0 and 1, got 95; 95% is 0.95."),
        ([0.2, 0.5], {"x": [0.1, math.nan]}, "`x` must not have missing values, got 1 missing value, at row 1."),
        ([0.2, 0.5], {"n_resamples": 3}, "`n_resamples` must be at least 100, got 3."),
        (
            [0.0, 0.5],
            {"method": "spline"},
            '`score` must lie strictly between 0 and 1 for a spline of log-odds, got 0; use `method="honest"`.',
        ),
        (
            [0.2, 1.0],
            {"method": "spline"},
            '`score` must lie strictly between 0 and 1 for a spline of log-odds, got 1; use `method="honest"`.',
        ),
    ],
)
def test_bad_input_is_named(score, options, said):
    with pytest.raises(InputError) as caught:
        calibration_band(Cases([0, 1], {"a": score}), **options)
    assert str(caught.value) == said


def test_cases_are_asked_for():
    with pytest.raises(TypeError) as caught:
        calibration_band(score_table([0, 1], [0.2, 0.5]))
    assert str(caught.value) == "`cases` must be Cases, got ScoreTable."

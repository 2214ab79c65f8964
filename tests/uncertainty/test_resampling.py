"""Resampling: replicates against a slow oracle, blocks of any size, strata, clusters and coarse tables."""

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import stats
from uncertainty.simulated import KNOWN, cases, scores

from stakes import Cases, auc, compare, decompose, expected_regret, h_measure, interval, recalibrate, score_table
from stakes.measures import recognise
from stakes.uncertainty import Study, _bootstrap, _replicates, _resample

SAMPLES = {
    "cases": {},
    "tied": {"decimals": 1},
    "weighted": {"weight": np.random.default_rng(3).choice([0.5, 1.0, 2.5], 200)},
    "clustered": {"cluster": np.arange(200) // 7},
    "weighted clusters": {
        "weight": np.random.default_rng(3).choice([0.5, 1.0, 2.5], 200),
        "cluster": np.arange(200) % 23,
    },
}


def recalibrated_regret(table):
    return expected_regret(recalibrate(table), KNOWN["expected_regret"].keywords["costs"])


MEASURES = {**KNOWN, "h_measure": h_measure, "recalibrated regret": recalibrated_regret}


@pytest.mark.parametrize("kind", SAMPLES)
def test_every_unit_once_is_the_sample(kind):
    sample = cases(200, **SAMPLES[kind])
    plan = _resample.plan(sample, sample.models)
    for name, model in zip(sample.models, plan.models, strict=True):
        (table,) = model.tables(plan.sample[None])
        for column in ("score", "positive", "negative"):
            assert_allclose(getattr(table, column), getattr(sample.table(name), column))


def test_cells_of_two_models_together_make_both_tables():
    sample = cases(3000, decimals=1)
    plan = _resample.plan(sample, sample.models)
    assert plan.units < 300
    for name, model in zip(sample.models, plan.models, strict=True):
        assert model.tables(plan.sample[None]) == [sample.table(name)]


def slowly(sample, name, counts, plan):
    """Make the table of one replicate: repeat each case as often as its unit was drawn, and sort."""
    if sample.cluster is not None:
        times = counts[sample.cluster]
    else:
        assert plan.units == len(sample)
        times = counts
    weight = times * (1.0 if sample.weight is None else sample.weight)
    return score_table(sample.positive, sample.table(name).score[sample.rows(name)], weight)


@pytest.mark.parametrize("kind", [kind for kind in SAMPLES if kind != "tied"])
@pytest.mark.parametrize("name", MEASURES)
def test_a_replicate_is_the_measure_of_the_repeated_cases(kind, name):
    sample = cases(200, **SAMPLES[kind])
    plan = _resample.plan(sample, sample.models)
    ((_, counts),) = plan.blocks(3, np.random.default_rng(1))
    for model, made in zip(sample.models, plan.models, strict=True):
        found = _replicates.evaluator(recognise(MEASURES[name]), made)(counts)
        expected = [MEASURES[name](slowly(sample, model, drawn, plan)) for drawn in counts]
        assert_allclose(found, expected, rtol=1e-10)


def test_where_cells_are_few_a_replicate_draws_cells():
    sample = cases(2000, decimals=1)
    plan = _resample.plan(sample, ("good",))
    assert plan.units <= 20
    ((_, counts),) = plan.blocks(4000, np.random.default_rng(1))
    assert_array_equal(counts.sum(axis=1), 2000)
    share = plan.sample / 2000
    assert_allclose(counts.mean(axis=0), plan.sample, atol=4 * math.sqrt(2000 / 4 / 4000))
    assert_allclose(counts.var(axis=0), 2000 * share * (1 - share), rtol=0.15, atol=0.1)


def test_cells_are_drawn_alike_whether_or_not_cases_are_looked_at():
    """Of one model they come from its table; of two with the same scores, from the cases."""
    y, good, _ = scores(2000, decimals=1)
    sample = Cases(y, {"a": good, "b": good})
    for by_class in (False, True):
        alone = _resample.plan(sample, ("a",), by_class=by_class)
        both = _resample.plan(sample, ("a", "b"), by_class=by_class)
        assert_array_equal(alone.sample, both.sample)
        assert_array_equal(alone.models[0].adds.toarray(), both.models[1].adds.toarray())
        for one, other in zip(alone.strata, both.strata, strict=True):
            assert_array_equal(one.units, other.units)


def test_one_draw_serves_all_models():
    sample = cases(300, decimals=1)
    plan = _resample.plan(sample, sample.models)
    ((_, counts),) = plan.blocks(5, np.random.default_rng(1))
    one, two = (model.tables(counts) for model in plan.models)
    assert_allclose([table.positive_total for table in one], [table.positive_total for table in two])


@pytest.mark.slow
@pytest.mark.parametrize("kind", SAMPLES)
@pytest.mark.parametrize("measure", [KNOWN["skill_score"], auc, h_measure], ids=["skill", "auc", "h"])
def test_the_numbers_do_not_depend_on_the_block(kind, measure, monkeypatch):
    sample = cases(200, **SAMPLES[kind])
    whole = interval(sample, measure, method="bca", n_resamples=150, rng=7)
    monkeypatch.setattr(_resample, "BLOCK", 4500)
    assert interval(sample, measure, method="bca", n_resamples=150, rng=7) == whole


def test_the_same_seed_gives_the_same_numbers_and_another_others():
    one, same, other = (interval(cases(), h_measure, n_resamples=100, rng=rng) for rng in (3, 3, 4))
    assert one == same != other


def test_replicates_by_class_keep_the_classes():
    sample = cases(300)
    plan = _resample.plan(sample, ("good",), by_class=True)
    ((_, counts),) = plan.blocks(20, np.random.default_rng(1))
    assert set(counts[:, sample.positive].sum(axis=1)) == {float(sample.positive.sum())}
    assert set(counts.sum(axis=1)) == {300.0}


@pytest.mark.sample(4)
@pytest.mark.parametrize("name", KNOWN)
@pytest.mark.parametrize("method", ["percentile", "basic", "bca"])
def test_analytic_and_resampled_intervals_agree(name, method):
    sample = cases(1500)
    formula = interval(sample, KNOWN[name])["good"]
    drawn = interval(sample, KNOWN[name], method=method, rng=11)["good"]
    width = formula.upper - formula.lower
    # The end of an interval from 2,000 replicates has itself an error of 2.8% of the width.
    assert_allclose([drawn.lower, drawn.upper], [formula.lower, formula.upper], atol=0.1 * width)
    assert_allclose(drawn.upper - drawn.lower, width, rtol=0.1)


def test_clusters_that_differ_widen_the_interval():
    rng = np.random.default_rng(2)
    hospital = np.repeat(np.arange(40), 25)
    level = rng.normal(size=40)[hospital]
    y = rng.random(1000) < 1 / (1 + np.exp(1 - 1.5 * level))
    score = np.full(1000, 0.3)
    together, apart = (
        {m: interval(Cases(y, {"a": score}, cluster=c), KNOWN["brier_score"], method=m, rng=1)["a"] for m in METHODS}
        for c in (hospital, None)
    )
    for method in METHODS:
        ratio = (together[method].upper - together[method].lower) / (apart[method].upper - apart[method].lower)
        assert 1.8 < ratio < 3.5


METHODS = ("analytic", "bca")


@pytest.mark.parametrize("data", [np.random.default_rng(4).exponential(size=60), np.array([0.0, 0, 0, 0, 1, 1, 3, 9])])
def test_bca_is_that_of_scipy(data):  # also where many replicates equal the estimate
    drawn = stats.bootstrap((data,), np.mean, method="BCa", n_resamples=999, rng=np.random.default_rng(5))
    without = np.array([np.delete(data, k).mean() for k in range(len(data))])
    values = drawn.bootstrap_distribution
    a = _bootstrap.acceleration(without.mean() - without)
    assert_allclose(_bootstrap.bca(values, data.mean(), 0.95, a), drawn.confidence_interval, rtol=1e-12)


def test_the_jackknife_has_the_skewness_of_the_influence():
    sample = cases(150, decimals=17)
    plan = _resample.plan(sample, ("good",))
    evaluate = _replicates.evaluator(recognise(KNOWN["expected_regret"]), plan.models[0])
    jackknife = _bootstrap.acceleration(_bootstrap.jackknife_influence(plan, evaluate, np.random.default_rng(1)))
    formula = _bootstrap.acceleration(Study(sample, KNOWN["expected_regret"]).influence("good"))
    assert_allclose(jackknife, formula, rtol=1e-6)


def test_the_basic_interval_mirrors_the_percentile_interval():
    low, high = _bootstrap.percentile(np.arange(101.0), 0.9)
    assert_allclose([low, high], [5.0, 95.0])
    assert_allclose(_bootstrap.basic(np.arange(101.0), 40.0, 0.9), [-15.0, 75.0])


# ------------------------------------------------------------------------------------------- coarse tables


@pytest.fixture(scope="module")
def large():
    y, good, _ = scores(20_000)
    return Cases(y, {"good": good})


@pytest.mark.slow
@pytest.mark.parametrize("name", ["expected_regret", "net_benefit", "auc", "recalibrated regret"])
def test_a_coarse_table_gives_the_same_interval(large, name):
    coarse, exact = (
        interval(large, MEASURES[name], method="percentile", n_resamples=400, rng=1, exact=exact)["good"]
        for exact in (False, True)
    )
    width = exact.upper - exact.lower
    assert coarse.estimate == exact.estimate == MEASURES[name](large.table("good"))
    assert exact.coarsening == 0
    assert abs(coarse.coarsening) < 0.1 * width
    assert_allclose([coarse.lower, coarse.upper], [exact.lower, exact.upper], atol=0.2 * width)


def test_a_mean_is_not_changed_by_a_coarse_table(large):
    found = interval(large, KNOWN["net_benefit"], method="percentile", n_resamples=100, rng=1)["good"]
    assert abs(found.coarsening) < 1e-12


def test_the_stated_coarsening_is_what_the_coarse_table_changes(large):
    found = interval(large, recalibrated_regret, method="percentile", n_resamples=100, rng=1)["good"]
    (model,) = _resample.plan(large, ("good",)).models
    assert len(model.table) == _resample.COARSE
    assert_allclose(found.coarsening, recalibrated_regret(model.table) - recalibrated_regret(large.table("good")))


def test_the_ends_are_moved_back_by_the_coarsening(monkeypatch):
    monkeypatch.setattr(_resample, "MANY", 20)
    monkeypatch.setattr(_resample, "COARSE", 3)
    sample = cases(300)
    found = interval(sample, auc, method="percentile", n_resamples=300, rng=1)["good"]
    plan = _resample.plan(sample, ("good",))
    (stream, _) = np.random.default_rng(1).spawn(2)
    values = _replicates.replicates(plan, [_replicates.evaluator(recognise(auc), plan.models[0])], 300, stream)[:, 0]
    assert abs(found.coarsening) > 0.01
    assert_allclose([found.lower, found.upper], np.quantile(values, [0.025, 0.975]) - found.coarsening)
    pair = compare(sample, "good", "other", auc, method="percentile", n_resamples=1000, rng=1)
    assert abs((pair.lower + pair.upper) / 2 - pair.difference) < 0.15 * (pair.upper - pair.lower)


def fine_and_coarse(sample, rows=16):
    """Whole tables and coarse ones, by the same draws."""
    fine = [_resample.Level(name, sample.table(name), None) for name in ("good",)]
    return _resample.plan_of(sample, [*fine, *(level.coarsen(rows) for level in fine)], by_class=False)


@pytest.mark.parametrize("kind", SAMPLES)
def test_a_coarse_replicate_is_the_fine_one_pooled(kind):
    sample = cases(200, **SAMPLES[kind])
    plan = fine_and_coarse(sample, 4)
    ((_, counts),) = plan.blocks(5, np.random.default_rng(1))
    fine, coarse = (model.adds @ counts.T for model in plan.models)
    group = plan.models[1].group
    both = np.concatenate([group, group + len(plan.models[1].table)])
    for replicate in range(5):
        pooled = np.bincount(both, fine[:, replicate], minlength=len(coarse))
        assert_allclose(pooled, coarse[:, replicate])


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["cases", "weighted", "clustered"])
@pytest.mark.parametrize("name", ["expected_regret", "accuracy", "auc", "h_measure", "recalibrated regret"])
def test_the_stated_error_of_coarsening_bounds_what_it_does_to_the_standard_error(name, kind, monkeypatch):
    options = {"weighted": {"weight": np.tile([0.5, 1.0, 2.5], 200)}, "clustered": {"cluster": np.arange(600) // 3}}
    sample = cases(600, **options.get(kind, {}))
    monkeypatch.setattr(_resample, "MANY", 100)
    monkeypatch.setattr(_resample, "COARSE", 16)
    found = interval(sample, MEASURES[name], method="percentile", n_resamples=100, rng=2)["good"]
    plan = fine_and_coarse(sample)
    ((_, counts),) = plan.blocks(300, np.random.default_rng(1))
    counts = np.concatenate([plan.sample[None], counts])
    whole, coarse = (_replicates.evaluator(recognise(MEASURES[name]), model)(counts) for model in plan.models)
    changed = (coarse - whole)[1:] - (coarse - whole)[0]
    stated = found.coarsening_error / stats.norm.ppf(0.975)
    assert abs(whole[1:].std() - coarse[1:].std()) <= math.sqrt(np.mean(changed**2)) <= stated
    assert stated < 4 * math.sqrt(np.mean(changed**2))


def test_the_error_of_coarsening_falls_with_the_rows_and_is_none_where_all_are_resampled(monkeypatch):
    sample, errors = cases(600), []
    monkeypatch.setattr(_resample, "MANY", 100)
    for rows in (8, 32):
        monkeypatch.setattr(_resample, "COARSE", rows)
        errors.append(interval(sample, auc, method="percentile", n_resamples=100, rng=2)["good"].coarsening_error)
    assert errors[0] > 3 * errors[1] > 0
    assert interval(sample, auc, method="percentile", n_resamples=100, rng=2, exact=True)["good"].coarsening_error == 0


def test_a_table_with_infinite_scores_is_not_coarsened(large):
    score = np.where(large.rows("good") == 0, -np.inf, large.rows("good"))
    (model,) = _resample.plan(Cases(large.positive, {"a": score}), ("a",)).models
    assert model.group is None


# ------------------------------------------------------------------------------------------- what is refused


def refused(call):
    with pytest.raises((TypeError, ValueError)) as caught:
        call()
    return str(caught.value)


def test_a_measure_that_is_no_number_is_refused():
    text = refused(
        lambda: interval(cases(), lambda table: decompose(table, KNOWN["expected_regret"].keywords["costs"]))
    )
    assert text == "`measure` must return a number, got Decomposition."
    assert refused(lambda: interval(cases(), "auc")) == "`measure` must be a function of a table, got str."


def test_what_is_no_sample_no_method_or_no_level_is_refused():
    sample = cases()
    assert refused(lambda: interval(sample.table("good"), auc)) == "`cases` must be Cases, got ScoreTable."
    text = "`method` must be one of analytic, basic, auto, percentile, bca, got 'analitic'."
    assert refused(lambda: interval(sample, auc, method="analitic")) == text
    assert (
        refused(lambda: interval(sample, auc, level=95))
        == "`level` must lie strictly between 0 and 1, got 95; 95% is 0.95."
    )
    assert refused(lambda: interval(sample, auc, n_resamples=10)) == "`n_resamples` must be at least 100, got 10."


def test_a_formula_for_a_measure_without_one_is_refused():
    assert refused(lambda: interval(cases(), h_measure, method="analytic")) == (
        "`method` must be one of percentile, basic, bca for a measure without a formula, got 'analytic'; "
        "for a formula, use one of our measures or `Measure.mean`."
    )


def test_clusters_are_not_stratified_and_one_is_too_few():
    sample = cases(200, cluster=np.arange(200) // 50)
    assert refused(lambda: interval(sample, h_measure, by_class=True)) == (
        "`by_class` must be False where cases come in clusters, which may hold both classes."
    )
    alone = cases(200, cluster=np.zeros(200))
    assert refused(lambda: interval(alone, h_measure)) == (
        "`cases` must hold at least 2 clusters to be resampled, got 1."
    )


def test_undefined_replicates_are_left_out_and_counted():
    sample = Cases([1, 0, 0, 0, 0, 0], {"a": [0.9, 0.1, 0.2, 0.3, 0.95, 0.5]})
    with pytest.warns(RuntimeWarning, match=r"`measure` is undefined on \d+ of 200 replicates, which are left out\."):
        found = interval(sample, auc, method="percentile", n_resamples=200, rng=1)["a"]
    assert 0 <= found.lower <= found.upper <= 1

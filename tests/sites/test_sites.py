"""Sites pooled: published and golden numbers, laws, summaries that hold no cases, and refusals."""

import json
import math
from dataclasses import replace
from importlib.resources import files
from pathlib import Path

import jsonschema
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import integrate, stats

from stakes import Cases, EventBy, InputError, auc, brier_score, compare, expected_regret, interval
from stakes.sites import SiteSummary, pool_sites, site_summary
from stakes.sites._site_mixture import Heterogeneity, SiteMixture

GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "sites.json").read_text())["cases"]


def summary(site, estimate, variance, **more):
    given = {"measure": "regret", "better": "smaller", "cases": 100, "positives": 20}
    known = {"old": 0.0, "new": estimate}
    return SiteSummary(site=site, estimates=known, covariance=((0.0, 0.0), (0.0, variance)), **given | more)


def pooled_of(estimates, variances, **options):
    sites = [summary(f"s{i}", *one) for i, one in enumerate(zip(estimates, variances, strict=True))]
    return pool_sites(sites, baseline="old", **options)


# ------------------------------------------------------------------------------------------- numbers


@pytest.mark.parametrize("case", GOLDEN)
def test_golden_numbers(case):
    found = pooled_of(case["difference"], case["variance"]).models["new"]
    got = found.probability_better_in_new_site, found.probability_better
    np.testing.assert_allclose(got, case["better"], rtol=1e-13)
    if "pooled" in case:  # the ends of metafor, from what we give as description
        apart = Heterogeneity.of(np.array(case["difference"]), np.array(case["variance"]))
        weight = 1 / (np.array(case["variance"]) + apart.tau**2)
        middle, k = weight @ case["difference"] / weight.sum(), len(weight)
        average = middle + np.array([-1, 1]) * stats.t.ppf(0.975, k - 1) * apart.error
        following = middle + np.array([-1, 1]) * stats.t.ppf(0.975, k - 2) * math.hypot(apart.tau, apart.error)
        np.testing.assert_allclose([*average, *following], case["pooled"], rtol=1e-12)


def by_quadrature(estimates, variances, value, *, new_site):
    """Integrate over the standard deviation between sites, without our angles."""
    d, v = np.array(estimates), np.array(variances)
    scale = 4 * math.sqrt(len(v) / np.sum(1 / v))

    def parts(tau):
        w = 1 / (v + tau**2)
        mean = w @ d / w.sum()
        likely = math.prod(np.sqrt(w)) / math.sqrt(w.sum()) * math.exp(-(w @ (d - mean) ** 2) / 2)
        below = stats.norm.cdf(value, mean, math.sqrt(1 / w.sum() + tau**2 * new_site))
        return likely / (1 + (tau / scale) ** 2), below

    points = [scale / 100, scale / 10, scale, 10 * scale]
    total, wanted = (
        sum(
            integrate.quad(what, *ends, limit=200)[0]
            for ends in zip([0, *points], [*points, 1000 * scale], strict=True)
        )
        for what in (lambda tau: parts(tau)[0], lambda tau: math.prod(parts(tau)))
    )
    return wanted / total


@pytest.mark.parametrize("new_site", [True, False])
def test_the_mixture_is_the_integral_over_how_far_apart_sites_are(new_site):
    estimates, variances = [0.3, -0.4, 1.1, 0.2], [0.1, 0.4, 0.2, 0.05]
    mixture = SiteMixture.of(np.array(estimates), np.array(variances))
    for end, probability in zip(mixture.ends(0.9, new_site=new_site), (0.05, 0.95), strict=True):
        assert by_quadrature(estimates, variances, end, new_site=new_site) == pytest.approx(probability, abs=2e-4)


# Vaccinated and others, with and without tuberculosis, in 13 trials (Colditz et al. 1994, `dat.bcg` of metafor), and
# what metafor 3.8 gives for rma(measure="RR", method="PM", test="knha").
TRIALS = """4 119 11 128|6 300 29 274|3 228 11 209|62 13536 248 12619|33 5036 47 5761|180 1361 372 1079|8 2537 10 619
|505 87886 499 87892|29 7470 45 7232|17 1699 65 1600|186 50448 141 27197|5 2493 3 2338|27 16886 29 17825"""
METAFOR = {"average": -0.714970405632446, "error": 0.180892712222961, "tau2": 0.318093711863015, "q": 152.233008082373}
METAFOR |= {"p": 1.99676459084597e-26, "ends": (-1.10910176781713, -0.320839043447757)}
METAFOR |= {"new_site": (-2.0054749822, 0.5755341710)}  # predict(), which takes k - 1 degrees of freedom


def test_trials_as_metafor_pools_them():
    ill, well, other_ill, other_well = np.array([one.split() for one in TRIALS.split("|")], dtype=float).T
    estimates = np.log(ill / (ill + well)) - np.log(other_ill / (other_ill + other_well))
    variances = 1 / ill - 1 / (ill + well) + 1 / other_ill - 1 / (other_ill + other_well)
    apart = Heterogeneity.of(estimates, variances)
    weight = 1 / (variances + apart.tau**2)
    average = weight @ estimates / weight.sum()
    got = average, apart.error, apart.tau**2, apart.q, apart.p_value
    np.testing.assert_allclose(got, [METAFOR[name] for name in ("average", "error", "tau2", "q", "p")], rtol=1e-4)
    ends = average + np.array([-1, 1]) * stats.t.ppf(0.975, 12) * apart.error
    np.testing.assert_allclose(ends, METAFOR["ends"], rtol=1e-4)  # to which metafor searches for tau
    following = average + np.array([-1, 1]) * stats.t.ppf(0.975, 12) * math.hypot(apart.tau, apart.error)
    np.testing.assert_allclose(following, METAFOR["new_site"], rtol=1e-4)
    mixture = SiteMixture.of(estimates, variances).ends(0.95, new_site=False)
    np.testing.assert_allclose(mixture, METAFOR["ends"], atol=0.03)  # with 13 of them, much the same


def test_sites_that_happen_to_agree_are_not_known_better_than_their_cases_are():
    """With metafor 3.8, rma(method="PM", test="knha"), gives -0.0123 to -0.0079; test="adhoc" -0.0231 to 0.0030."""
    variances = np.array([2e-5, 4e-5, 3e-5])
    ends = SiteMixture.of(np.array([-0.010, -0.009, -0.011]), variances).ends(0.95, new_site=False)
    by_cases = 2 * 1.959964 / math.sqrt(np.sum(1 / variances))
    assert 0.0123 - 0.0079 < by_cases < ends[1] - ends[0] < 0.0231 + 0.0030


def test_eight_schools_as_metafor_describes_them():
    estimates, errors = [28.0, 8, -3, 7, -1, 1, 18, 12], np.array([15.0, 10, 16, 11, 9, 11, 10, 18])
    apart = Heterogeneity.of(np.array(estimates), errors**2)
    assert (apart.tau, apart.i_squared) == (0, 0)
    np.testing.assert_allclose(
        (apart.error, apart.q, apart.p_value), (4.071919158402296, 4.707078864400159, 0.695659166635196)
    )


NUMBERS = st.lists(st.tuples(st.floats(-1, 1), st.floats(0.01, 1)), min_size=3, max_size=7)


@settings(max_examples=40, deadline=None)
@given(NUMBERS, st.floats(0.5, 2), st.floats(-3, 3))
def test_the_unit_and_the_origin_do_not_matter(numbers, unit, origin):
    estimates, errors = map(np.array, zip(*numbers, strict=True))
    one = SiteMixture.of(estimates, errors**2)
    two = SiteMixture.of(unit * estimates + origin, (unit * errors) ** 2)
    for new_site in (True, False):
        expected = unit * np.array(one.ends(0.95, new_site=new_site)) + origin
        np.testing.assert_allclose(two.ends(0.95, new_site=new_site), expected, atol=1e-9)
    assert one.ends(0.95, new_site=True)[1] >= one.ends(0.95, new_site=False)[1]
    tau = Heterogeneity.of(estimates, errors**2).tau
    assert Heterogeneity.of(unit * estimates + origin, (unit * errors) ** 2).tau == pytest.approx(unit * tau, abs=1e-7)


@settings(max_examples=40, deadline=None)
@given(NUMBERS)
def test_the_standard_deviation_between_sites_makes_them_as_far_apart_as_they_are(numbers):
    estimates, errors = map(np.array, zip(*numbers, strict=True))
    apart = Heterogeneity.of(estimates, errors**2)
    weight = 1 / (errors**2 + apart.tau**2)
    misfit = weight @ (estimates - weight @ estimates / weight.sum()) ** 2
    assert misfit == pytest.approx(len(estimates) - 1) if apart.tau else misfit <= len(estimates) - 1 + 1e-9


# ------------------------------------------------------------------------------------------- cases


@pytest.fixture(scope="module")
def cases():
    random = np.random.default_rng(5)
    risk = random.beta(1, 3, 900)
    y = random.random(900) < risk
    return Cases(y, {"old": np.clip(risk + random.normal(0, 0.2, 900), 0, 1), "new": risk})


SITE = np.array(["north", "east", "south"])[np.arange(900) % 3]


def test_one_site_is_the_ordinary_interval_and_says_nothing_of_a_new_one(cases):
    for measure, more in ((expected_regret, {"costs": "10%"}), (auc, {})):
        found = pool_sites(cases, measure=measure, site=["here"] * 900, **more).models["new"]
        assert found.average == interval(cases, measure, **more)["new"]
        assert math.isnan(found.new_site.lower)
        assert math.isnan(found.tau)
        apart = pool_sites(cases, measure=measure, site=["here"] * 900, baseline="old", **more).models["new"].average
        same = compare(cases, "new", "old", measure, **more)
        assert (apart.estimate, apart.lower, apart.upper) == (same.difference, same.lower, same.upper)


@pytest.mark.parametrize(("measure", "more"), [(expected_regret, {"costs": "10%"}), (auc, {})])
@pytest.mark.parametrize("baseline", [None, "old"])
def test_summaries_pool_as_the_cases_do(cases, measure, more, baseline, tmp_path):
    rows = {name: name == SITE for name in ("east", "north", "south")}
    scores = {model: cases.table(model).score[cases.rows(model)] for model in cases.models}
    for name, here in rows.items():
        part = Cases(cases.positive[here], {model: score[here] for model, score in scores.items()})
        site_summary(part, measure, site=name, **more).save(tmp_path / f"{name}.json")
    loaded = [SiteSummary.load(tmp_path / f"{name}.json") for name in rows]
    assert pool_sites(loaded, baseline=baseline) == pool_sites(
        cases, measure=measure, site=SITE, baseline=baseline, **more
    )


def test_a_model_that_is_the_baseline_differs_by_nothing_at_the_only_site(cases):
    copied = Cases(cases.positive, {name: cases.table("new").score[cases.rows("new")] for name in ("new", "copy")})
    found = pool_sites(copied, measure=brier_score, site=["north"] * len(copied), baseline="new")
    average, alone = found.models["copy"].average, compare(copied, "copy", "new", brier_score)
    assert (average.estimate, average.lower, average.upper) == (0.0, alone.lower, alone.upper)
    assert found.findings == ()


def test_the_error_of_a_site_is_that_of_paired_cases(cases):
    here = np.equal(SITE, "north")
    scores = {model: cases.table(model).score[cases.rows(model)][here] for model in cases.models}
    losses = {model: (score - cases.positive[here]) ** 2 for model, score in scores.items()}
    for baseline, loss in ((None, losses["new"]), ("old", losses["new"] - losses["old"])):
        found = pool_sites(cases, measure=brier_score, site=SITE, baseline=baseline).models["new"].sites["north"]
        assert found.estimate == pytest.approx(loss.mean(), rel=1e-12)
        assert found.error == pytest.approx(loss.std(ddof=1) / math.sqrt(len(loss)), rel=1e-10)


def test_equal_sites_are_their_common_number(cases):
    again = Cases(
        np.tile(cases.positive, 3), {m: np.tile(cases.table(m).score[cases.rows(m)], 3) for m in cases.models}
    )
    found = pool_sites(again, measure=brier_score, site=np.repeat(["a", "b", "c"], 900)).models["new"]
    assert found.average.estimate == pytest.approx(brier_score(cases.table("new")), rel=1e-12)
    assert (found.tau, found.i_squared) == (0, 0)


def test_two_sites_have_an_average_and_no_next_one(cases):
    found = pool_sites(cases, measure=brier_score, site=np.arange(900) % 2).models["new"]
    assert found.average.lower < found.average.estimate < found.average.upper
    assert math.isnan(found.new_site.upper)
    assert found.new_site.caution == "fewer than three sites cannot say how sites differ"


def test_a_site_of_one_class_is_left_out_and_named(cases):
    site = np.where(cases.positive & (np.arange(900) < 50), "clinic", SITE)
    found = pool_sites(cases, measure=brier_score, site=site)
    assert found.left_out == {"clinic": "it has no negatives"}
    assert found.findings[-1] == "The site clinic is left out: it has no negatives."
    assert set(found.models["new"].sites) == {"east", "north", "south"}


def test_sites_without_a_standard_error_are_left_out_and_named():
    pooled = pooled_of([0.1, 0.3, 0.2, 0.7], [0.01, 0.0, 0.02, math.nan])
    assert pooled.left_out == {
        "s1": "the standard error of new less old is 0 there",
        "s3": "the standard error of new less old is not known there",
    }
    assert pooled.findings[-2:] == (
        "The site s1 is left out of new less old: its standard error is 0 there.",
        "The site s3 is left out of new less old: its standard error is not known there.",
    )
    assert pooled.models == pool_sites([summary("s0", 0.1, 0.01), summary("s2", 0.2, 0.02)], baseline="old").models
    assert repr(pooled).endswith("at 2 sites)")
    none = pooled_of([0.1, 0.3], [0.0, 0.0]).models["new"]
    assert (none.average.caution, none.sites) == ("no site has a standard error above 0", {})
    assert math.isnan(none.average.estimate)


def test_a_site_is_left_out_only_of_the_models_that_lack_an_error_there():
    rng = np.random.default_rng(2)
    y, risk, site = rng.random(600) < 0.3, rng.random(600), np.repeat(["1", "2", "3"], 200)
    all_right = np.where(site == "2", np.where(y, 1.0, 0.0), risk)
    found = pool_sites(Cases(y, {"new": all_right, "old": risk}), measure=brier_score, site=site)
    assert found.findings[-1] == "The site 2 is left out of new: its standard error is 0 there."
    assert set(found.models["new"].sites) == {"1", "3"}
    assert set(found.models["old"].sites) == {"1", "2", "3"}
    both = pool_sites(Cases(y, {"new": all_right, "same": all_right}), measure=brier_score, site=site)
    assert both.findings[-1] == "The site 2 is left out of new and same: their standard errors are 0 there."


def test_cases_of_unknown_outcome_are_no_negatives():
    time = np.r_[
        np.linspace(1, 4.8, 30), np.linspace(2, 4.5, 200), np.full(9, 6.0)
    ]  # events, censored, known negatives
    outcome, score = EventBy(time, event=np.arange(239) < 30, horizon=5), np.linspace(0.9, 0.1, 239)
    cases = Cases(outcome, {"a": score})
    with pytest.raises(InputError, match="at least 10 positives and 10 negatives to be summarised, got 9 of one"):
        site_summary(cases, brier_score, site="north")
    none_of_both = refusal(cases, measure=brier_score, site=["x"] * 230 + ["y"] * 9)
    assert none_of_both == "`site` must label at least one site that has positives and negatives, got none."


def test_several_horizons_are_not_pooled():
    cases = Cases(EventBy([1.0, 2, 3, 4], [1, 0, 1, 0], [1, 2]), {"m": np.full((4, 2), 0.2)})
    said = refusal(cases, measure=brier_score, site=list("aabb"))
    assert said.startswith("`sites` must have one horizon here, got 2; use `at(horizon)` for one of them")


def test_a_site_whose_people_all_left_is_named_and_left_out():
    rng = np.random.default_rng(1)
    time, site = rng.uniform(1, 9, 300), np.repeat(["a", "b", "c"], 100)
    event = rng.random(300) < 0.6
    time[200:], event[200:] = np.minimum(time[200:], 4), False
    score = rng.random(300)
    pooled = pool_sites(Cases(EventBy(time, event, 5), {"m": score}), measure=brier_score, site=site)
    why = "its last case is censored at 4, before the horizon 5"
    assert pooled.left_out == {"c": why}
    assert f"The site c is left out: {why}." in pooled.findings
    here = site != "c"
    kept = Cases(EventBy(time[here], event[here], 5), {"m": score[here]})
    without = pool_sites(kept, measure=brier_score, site=site[here])
    assert pooled.models == without.models


# ------------------------------------------------------------------------------------------- findings


def test_sites_that_differ_are_said_to():
    said = pooled_of([-0.03, 0.03, 0.0, 0.01], [1e-5] * 4).findings
    expected = "The answer depends on the site: the standard deviation of new less old between sites is "
    assert said[0].startswith(expected)
    assert said[1] == "Beyond chance, new is better than old at s0 and worse at s1."
    assert all(len(sentence.split()) <= 30 for sentence in said)


def test_sites_that_agree_are_not_spoken_of():
    assert pooled_of([-0.010, -0.009, -0.011], [2e-5, 4e-5, 3e-5]).findings == ()


def test_sites_as_far_apart_as_chance_puts_them_are_not_spoken_of():
    estimates = np.array([-0.015, 0.0, 0.015])
    pooled = pooled_of(estimates, [1e-4] * 3)
    number = pooled.models["new"]
    standard = math.sqrt(np.var(estimates, ddof=1) / 3)  # of equal variances, whatever lies between sites
    assert number.tau > standard
    assert stats.chi2.sf(np.sum(estimates**2) / 1e-4, 2) > 0.1
    assert pooled.findings == ()


@pytest.mark.slow
def test_equal_sites_are_rarely_said_to_differ():
    draws = np.random.default_rng(5).normal(size=(400, 8)) / 100
    said = sum(any("depends on the site" in one for one in pooled_of(row, [1e-4] * 8).findings) for row in draws)
    assert 8 <= said <= 34  # 5% of 400, give or take three standard errors


def test_the_same_model_being_better_everywhere_is_no_other_answer():
    said = pooled_of([-0.09, -0.01, -0.04, -0.02], [1e-5] * 4).findings
    assert len(said) == 1
    assert said[0].startswith(
        "The number depends on the site: the standard deviation of new less old between sites is "
    )


def test_larger_may_be_better():
    sites = [summary(f"s{i}", 0.1 + i / 100, 1e-4, better="larger") for i in range(3)]
    assert pool_sites(sites, baseline="old").models["new"].probability_better > 0.99


# ------------------------------------------------------------------------------------------- files and refusals


def test_a_saved_summary_fits_its_schema_holds_no_cases_and_is_whole(cases, tmp_path):
    path = tmp_path / "north.json"
    site_summary(cases, brier_score, site="Süd").save(path)
    contents = json.loads(path.read_text())
    jsonschema.validate(contents, json.loads(files("stakes.sites").joinpath("site.schema.json").read_text()))
    assert len(path.read_bytes()) < 1500
    for change in ({"cases": 901}, {"sha256": "0" * 64}, {"kind": "stakes policy"}):
        path.write_text(json.dumps(contents | change))
        with pytest.raises(InputError, match=r"^north\.json must be a file written by `SiteSummary\.save`: "):
            SiteSummary.load(path)
    for text in ("[]", "{", ""):
        path.write_text(text)
        with pytest.raises(InputError, match=r"^north\.json must be a file written by"):
            SiteSummary.load(path)


def refusal(*arguments, **options):
    with pytest.raises(InputError) as caught:
        pool_sites(*arguments, **options)
    return str(caught.value)


def test_refusals(cases):
    one, two = summary("a", 0.1, 0.01), summary("b", 0.2, 0.01)
    assert refusal([one, one]) == "`sites` must have a name of its own for each site, got 'a' 2 times."
    assert refusal([]) == "`sites` must hold at least one summary, got none."
    other = replace(two, measure="auc")
    assert refusal([one, other]) == "`sites` must be summaries of one measure, got auc and regret."
    assert refusal([one, two], measure=auc).startswith(
        "`measure` must be left out with summaries, which have their own"
    )
    assert refusal([one, two], baseline="older").startswith("`baseline` must be one of old, new")
    assert refusal(cases, measure=auc) == "`site` must be given where `sites` are cases, got none."
    assert (
        refusal(cases, measure=auc, site=["a"])
        == "`site` must have one label for each of the 900 cases, got shape (1,)."
    )
    assert "missing value" in refusal(cases, measure=auc, site=[None, *SITE[1:]])
    few = Cases([1] * 9 + [0] * 90, {"a": np.linspace(1, 0, 99)})
    with pytest.raises(InputError, match="at least 10 positives and 10 negatives to be summarised, got 9 of one"):
        site_summary(few, auc, site="north")


def test_models_that_not_all_sites_have_are_left_out():
    more = replace(summary("b", 0.2, 0.01), estimates={"old": 0.0, "newer": 0.1})
    found = pool_sites([summary("a", 0.1, 0.01), more])
    assert (list(found.models), list(found.left_out)[:2]) == (["old"], ["new", "newer"])

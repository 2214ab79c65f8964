"""The option `--site`: numbers judged by `pool_sites` on the same columns, sentences by the numbers."""

import html
import json
import math
import re
from importlib.resources import files

import jsonschema
import numpy as np
import pytest
from cli.conftest import write_csv

from stakes import Cases, expected_regret
from stakes.sites import pool_sites

TYPED = ("evaluate", "sites.csv", "--outcome", "died", "--predictions", "old", "new", "--costs", "10%")
TYPED += ("--site", "where")
REFERENCES = {"act on everyone": 1.0, "act on no one": 0.0}


def columns(noise, size=300):
    """Make sites at which the new model has more or less noise; it knows the risk, the old one some of it."""
    rng = np.random.default_rng(11)
    risk = rng.beta(1, 4, size * len(noise))
    spread = np.repeat(list(noise.values()), size)
    return {
        "died": (rng.random(len(risk)) < risk).astype(int).tolist(),
        "old": np.clip(0.5 * risk + 0.1 + rng.normal(0, 0.25, len(risk)), 0, 1).round(4).tolist(),
        "new": np.clip(risk + spread * rng.normal(size=len(risk)), 0, 1).round(4).tolist(),
        "where": np.repeat(list(noise), size).tolist(),
    }


APART = columns({"north": 0.01, "East ": 0.01, "south": 3.0, "west": 0.02}, 500)
ONE_SIDED = columns({"north": 0.0, "east": 0.0, "south": 0.2, "west": 0.0}, 1000)
TWO = columns({"north": 0.01, "south": 0.02})


def pooled(sample, **options):
    names = [name.strip() for name in sample["where"]]
    cases = Cases(sample["died"], {"old": sample["old"], "new": sample["new"]}).with_constants(REFERENCES)
    return pool_sites(cases, measure=expected_regret, site=names, costs="10%", **options)


@pytest.mark.sample(2)
@pytest.mark.parametrize(("sample", "baseline"), [(APART, None), (APART, "old"), (TWO, None)])
def test_its_numbers_are_those_of_pool_sites(sample, baseline, folder, stakes):
    write_csv(folder / "sites.csv", sample)
    typed = TYPED if baseline is None else (*TYPED, "--baseline", baseline)
    found = json.loads(stakes(*typed, "--json", "-").out)
    schema = json.loads(files("stakes.evaluation").joinpath("evaluation.schema.json").read_text(encoding="utf-8"))
    jsonschema.validate(found, schema)
    sites = found["sites"]
    assert sites["baseline"] == (baseline or found["ranking"][0]["model"])
    alone, versus = pooled(sample), pooled(sample, baseline=sites["baseline"])
    for part, expected in (("models", alone), ("differences", versus)):
        assert sites[part].keys() == expected.models.keys()
        for model, one in expected.models.items():
            got = [sites[part][model][key] for key in ("average", "lower", "upper", "new_site_lower", "tau")]
            want = [one.average.estimate, one.average.lower, one.average.upper, one.new_site.lower, one.tau]
            assert [math.nan if x is None else x for x in got] == pytest.approx(want, rel=1e-9, nan_ok=True)
    assert sites["probability_best"] == pytest.approx(alone.probability_best)
    assert sites["probability_best_in_new_site"] == pytest.approx(alone.probability_best_in_new_site)


def test_its_sentences_say_what_the_numbers_say(folder, stakes, monkeypatch):
    monkeypatch.setenv("COLUMNS", "400")
    write_csv(folder / "sites.csv", APART)
    typed = (*TYPED, "--baseline", "old")
    said, found = stakes(*typed).out, json.loads(stakes(*typed, "--json", "-").out)
    number, unit = found["sites"]["differences"]["new"], found["unit"]
    printed = unit["factor"] * unit["per"]
    first, depends, both = found["sites"]["findings"]
    assert all(one in said for one in (first, depends, both))
    numbers = re.fullmatch(
        r"At the average of 4 sites, new costs ([\d.]+) misses (less|more) than old per 1,000 cases \(95% interval "
        r"([\d.]+) less to ([\d.]+) more\); at a site that was not seen, ([\d.]+) misses (less|more) to ([\d.]+) "
        r"misses (less|more), and less with probability (\d+)%\.",
        first,
    ).groups()

    def signed(text, word):
        return float(text) * (-1 if word == "less" else 1)

    got = [signed(*numbers[:2]), -float(numbers[2]), float(numbers[3])]
    got += [signed(*numbers[4:6]), signed(*numbers[6:8])]
    want = [number[key] * printed for key in ("average", "lower", "upper", "new_site_lower", "new_site_upper")]
    assert got == pytest.approx(want, abs=0.5)
    assert float(numbers[8]) == pytest.approx(100 * number["probability_better_in_new_site"], abs=0.5)
    errors = {one["site"]: (one["estimate"], one["error"]) for one in number["sites"]}
    weights = {site: 1 / (error**2 + number["tau"] ** 2) for site, (_, error) in errors.items()}
    standard = 1 / math.sqrt(sum(weights.values()))
    assert number["tau"] > standard
    tau, error = re.search(
        r"deviation of ([\d.]+) misses per 1,000 cases, and its average .* of ([\d.]+)\.", depends
    ).groups()
    assert [float(tau), float(error)] == pytest.approx([number["tau"] * printed, standard * printed], abs=0.5)
    assert depends.startswith("The answer depends on the site, which pooling hides: ")
    surest = sorted(errors, key=lambda site: errors[site][0] / errors[site][1])
    assert both == f"Beyond chance, new costs less than old at {surest[0]} and more at {surest[-1]}."
    for site in (surest[0], surest[-1]):
        assert abs(errors[site][0] / errors[site][1]) > 2.49  # the normal deviate of 95% for four sites at once


@pytest.mark.slow
@pytest.mark.parametrize("seed", [2, 11])  # at which sites lie further apart than the standard error of their average
def test_sites_dealt_at_random_are_not_said_to_matter(seed, folder, stakes):
    dealt = np.random.default_rng(seed).integers(8, size=len(APART["where"]))
    write_csv(folder / "sites.csv", dict(APART, where=[f"site {one}" for one in dealt]))
    typed = (*TYPED, "--baseline", "old")
    number = json.loads(stakes(*typed, "--json", "-").out)["sites"]["differences"]["new"]
    weights = [1 / (one["error"] ** 2 + number["tau"] ** 2) for one in number["sites"]]
    assert number["tau"] > 1 / math.sqrt(sum(weights))
    assert "depends on the site" not in " ".join(stakes(*typed).out.split())


def test_where_one_model_is_better_everywhere_only_the_size_depends_on_the_site(folder, stakes):
    write_csv(folder / "sites.csv", ONE_SIDED)
    found = json.loads(stakes(*TYPED, "--baseline", "old", "--json", "-").out)["sites"]
    assert all(one["estimate"] < 0 for one in found["differences"]["new"]["sites"])
    assert found["differences"]["new"]["p_value"] < 0.01
    average, depends, *_ = found["findings"]
    assert depends.startswith("The size of the difference depends on the site, which pooling hides: ")
    ends = re.search(
        r"misses less than old per 1,000 cases \(95% interval ([\d.]+) to ([\d.]+)\); at", average
    ).groups()
    number = found["differences"]["new"]
    assert [*map(float, ends)] == pytest.approx([number["upper"] / -0.9e-3, number["lower"] / -0.9e-3], abs=0.5)


def test_two_sites_say_nothing_of_another(folder, stakes):
    write_csv(folder / "sites.csv", TWO)
    said = " ".join(stakes(*TYPED).out.split())
    assert "; fewer than three sites cannot say what to expect of another." in said
    assert "depends on the site" not in said


def test_one_site_is_no_average(folder, stakes):
    write_csv(folder / "sites.csv", columns({"north": 0.01}))
    said = " ".join(stakes(*TYPED).out.split())
    assert "At the only site, " in said
    assert "; fewer than three sites cannot say what to expect of another." in said


def test_cases_that_left_count_at_their_site_as_they_do_in_their_group(folder, stakes):
    rng = np.random.default_rng(3)
    risk, where = rng.beta(2, 4, 600), np.repeat(["a", "b", "c"], 200)
    event, left = rng.exponential(-5 / np.log1p(-risk)), rng.uniform(1, 12, 600)
    sample = {"years": np.minimum(event, left).round(3), "died": (event <= left).astype(int), "model": risk.round(4)}
    write_csv(folder / "followed.csv", {name: column.tolist() for name, column in (sample | {"where": where}).items()})
    typed = ("evaluate", "followed.csv", "--time", "years", "--event", "died", "--horizon", "5", "--predictions")
    typed += ("model", "--costs", "20%", "--site", "where", "--group", "where")
    found = json.loads(stakes(*typed, "--json", "-").out)
    sites = {one["site"]: (one["cases"], one["prevalence"]) for one in found["sites"]["models"]["model"]["sites"]}
    assert sites == {one["name"]: (one["cases"], one["prevalence"]) for one in found["groups"]}
    assert [cases for cases, _ in sites.values()] == [200, 200, 200]
    by_site = stakes(*typed).out.split("over sites")[1]
    for site, (cases, share) in sites.items():
        assert re.search(rf"^{site} +{cases} +{100 * share:.0f}% ", by_site, re.MULTILINE)


def test_labels_of_a_site_in_two_spellings_are_one(folder, stakes):
    mixed = dict(
        TWO, where=["North" if k % 2 else one for k, one in enumerate(TWO["where"])][:300] + TWO["where"][300:]
    )
    write_csv(folder / "sites.csv", mixed)
    assert {
        one["site"] for one in json.loads(stakes(*TYPED, "--json", "-").out)["sites"]["models"]["old"]["sites"]
    } in (
        {"north", "south"},
        {"North", "south"},
    )


def test_a_model_with_the_name_of_a_reference_is_pooled_as_it_is(folder, stakes):
    write_csv(folder / "sites.csv", {{"new": "act on everyone"}.get(name, name): one for name, one in TWO.items()})
    typed = [{"new": "act on everyone"}.get(one, one) for one in TYPED]
    found, plain = json.loads(stakes(*typed, "--json", "-").out)["sites"], pooled(TWO).models
    assert found["models"]["act on everyone"]["average"] == pytest.approx(plain["new"].average.estimate)
    reference = found["models"]["act on everyone (reference)"]["average"]
    assert reference == pytest.approx(plain["act on everyone"].average.estimate)
    said = " ".join(found["findings"])
    assert "old costs" in said
    assert found["baseline"] == "act on everyone"
    assert "(reference)" not in said


def test_a_site_without_positives_is_left_out_and_named(folder, stakes):
    odd = dict(
        APART, died=[0 if where == "west" else one for one, where in zip(APART["died"], APART["where"], strict=True)]
    )
    write_csv(folder / "sites.csv", odd)
    assert "The site west is left out: it has no positives." in " ".join(stakes(*TYPED).out.split())


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (("--capacity", "10%"), "`--site` must be left out with `--capacity`, got 'where'."),
        (
            ("--time", "old", "--event", "new", "--horizon", "1,3"),
            "`--site` must be left out with several times of `--horizon`, got 'where'.",
        ),
        (("--repeat", "old"), "`--site` must be left out with `--repeat`, got 'where'."),
        (("--in-memory", "10"), "`--site` must be left out with more cases than `--in-memory` allows, got 'where'."),
    ],
)
def test_what_cannot_be_pooled_is_refused(more, message, folder, refused):
    write_csv(folder / "sites.csv", TWO)
    assert refused(*TYPED, *more) == message


def test_a_missing_site_is_refused_with_the_line(folder, refused):
    write_csv(folder / "sites.csv", dict(TWO, where=["", *TWO["where"][1:]]))
    wanted = (
        "`--site` must not have missing values, got 1 missing value, at line 2; `--on-missing drop` drops such rows."
    )
    assert refused(*TYPED) == wanted


@pytest.mark.slow
def test_the_page_has_the_forest_the_gate_and_their_sentences(folder, stakes):
    write_csv(folder / "sites.csv", APART)
    ran = stakes(*TYPED, "--baseline", "old", "--margin", "1 miss per 1000", "--html", "report.html")
    page, said = (folder / "report.html").read_text(encoding="utf-8"), " ".join(ran.out.split())
    for card in ("gate", "sites"):
        section = re.search(rf'<section id="{card}" class="card only-stated">(.*?)</section>', page, re.DOTALL)[1]
        sentences = re.findall(r"<p(?: class=.lead.)?>([^<]*)</p>", section)
        assert sentences
        assert all(html.unescape(one) in said for one in sentences)
    checklist = re.search(r'<th scope="row">23b</th><td>[^<]*</td><td>(.*?)</td>', page)[1]
    assert "not here" not in checklist
    assert '<a href="#sites">the sites</a>' in checklist
    forest = re.search(r'<svg class="chart" role="img" data-chart="forest".*?</svg>', page, re.DOTALL)[0]
    assert re.findall(r'text-anchor="end">([^<]+)</text>', forest)[::-1][:6] == [
        "East", "north", "south", "west", "average site", "new site",
    ]  # fmt: skip

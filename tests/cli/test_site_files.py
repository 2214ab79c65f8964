"""Sites that share summaries instead of cases: `--site-summary` and `--other-sites`, judged by one file of all."""

import json
import math

import numpy as np
import pytest
from cli.conftest import write_csv

from stakes.sites import SiteSummary

NAMES = ("north", "east", "south", "west")
RNG = np.random.default_rng(5)
RISK = {name: RNG.beta(1, 4, 400) for name in NAMES}


def column(name):
    risk = RISK[name]
    noise = {"south": 0.6}.get(name, 0.02) * RNG.normal(size=len(risk))
    return {
        "died": (RNG.random(len(risk)) < risk).astype(int).tolist(),
        "old": np.clip(0.5 * risk + 0.1 + RNG.normal(0, 0.25, len(risk)), 0, 1).round(4).tolist(),
        "new": np.clip(risk + noise, 0, 1).round(4).tolist(),
    }


SITES = {name: column(name) for name in NAMES}
ALL = {key: [one for name in NAMES for one in SITES[name][key]] for key in ("died", "old", "new")}
ALL["where"] = [name for name in NAMES for _ in SITES[name]["died"]]


def typed(file, *more, costs="10%", models=("old", "new")):
    return ("evaluate", file, "--outcome", "died", "--predictions", *models, "--costs", costs, *more)


@pytest.fixture
def summaries(folder, stakes):
    """Write the file and the summary of every site."""
    for name, one in SITES.items():
        write_csv(folder / f"{name}.csv", one)
        assert stakes(*typed(f"{name}.csv", "--site-summary", f"{name}.json")).code == 0
    return folder


OTHERS = ("--other-sites", "east.json", "south.json", "west.json")


@pytest.mark.slow
@pytest.mark.parametrize("baseline", ["old", "act on no one"])
def test_sites_that_share_no_cases_are_pooled_as_those_of_one_file(baseline, summaries, stakes):
    write_csv(summaries / "all.csv", ALL)
    asked = ("--baseline", baseline, "--json", "-")
    found = json.loads(stakes(*typed("north.csv", *OTHERS, *asked)).out)["sites"]
    wanted = json.loads(stakes(*typed("all.csv", "--site", "where", *asked)).out)["sites"]
    for part in ("models", "differences"):
        assert found[part].keys() == wanted[part].keys()
        for model, numbers in wanted[part].items():
            by_site = {one.pop("site"): one for one in found[part][model].pop("sites")}
            assert by_site.keys() == set(NAMES)
            for one in numbers.pop("sites"):
                assert by_site[one.pop("site")] == pytest.approx(one, rel=1e-9)
            got, want = (
                {k: math.nan if v is None else v for k, v in one.items()} for one in (found[part][model], numbers)
            )
            assert got == pytest.approx(want, rel=1e-6, abs=1e-12, nan_ok=True)
    assert found["probability_best_in_new_site"] == pytest.approx(wanted["probability_best_in_new_site"], abs=1e-3)
    assert found["findings"] == wanted["findings"]


def test_the_summary_holds_no_cases_and_the_name_of_its_file(summaries, stakes):
    written = stakes(*typed("north.csv", "--site-summary", "here.json")).out
    assert "Summary of the site here, without cases: here.json" in written
    found = SiteSummary.load(summaries / "here.json")
    assert (found.site, found.cases, found.positives) == ("here", 400, sum(SITES["north"]["died"]))
    assert found.models == ("old", "new", "act on everyone", "act on no one")
    regret = np.mean([0.9 * (y and p < 0.1) + 0.1 * (not y and p >= 0.1)
                      for y, p in zip(SITES["north"]["died"], SITES["north"]["new"], strict=True)])  # fmt: skip
    assert found.estimates["new"] == pytest.approx(regret, rel=1e-12)
    numbers = [one for one in json.loads((summaries / "here.json").read_text())["covariance"] for _ in one]
    assert len(numbers) == 16


@pytest.mark.slow
def test_the_page_has_the_forest_of_all_sites(summaries, stakes):
    assert stakes(*typed("north.csv", *OTHERS, "--html", "page.html")).code == 0
    page = (summaries / "page.html").read_text(encoding="utf-8")
    forest = page[page.index('data-chart="forest"') :]
    assert all(f">{name}</text>" in forest[: forest.index("</svg>")] for name in (*NAMES, "new site"))


@pytest.mark.slow
def test_a_model_that_another_site_lacks_is_left_out(summaries, stakes):
    assert stakes(*typed("east.csv", "--site-summary", "east.json", models=("old",))).code == 0
    said = stakes(*typed("north.csv", *OTHERS, "--baseline", "old")).out
    assert "The model new is left out: it is not at every site." in " ".join(said.split())


@pytest.mark.sample(5)
@pytest.mark.parametrize(
    ("more", "message"),
    [
        (("--other-sites", "nowhere.json"), "there is no file nowhere.json."),
        (("--other-sites", "north.csv"), "north.csv must be a file written by `SiteSummary.save`: it is not JSON"),
        (("--other-sites", "north.json"), "`--other-sites` must have a name of its own for each site, got 'north' twi"),
        ((*OTHERS, "--capacity", "10%"), "`--other-sites` must be left out with `--capacity`, got "),
        ((*OTHERS, "--site", "old"), "`--other-sites` must be left out with `--site`, got "),
        ((*OTHERS, "--in-memory", "10"), "`--other-sites` must be left out with more cases than `--in-memory` allows"),
        (
            ("--site-summary", "a.json", "--site", "old"),
            "`--site-summary` must be left out with `--site`, got 'a.json'",
        ),
        (("--site-summary", "a.json", "--repeat", "old"), "`--site-summary` must be left out with `--repeat`, got "),
        (("--site-summary", "north.csv"), "`--site-summary` must not be the file that is read, got 'north.csv'."),
        (("--site-summary", "a.json", "--json", "a.json"), "`--json` and `--site-summary` must be two files, got "),
    ],
)
def test_what_cannot_be_pooled_is_refused(more, message, summaries, refused):
    assert refused(*typed("north.csv", *more)).startswith(message)


def test_other_costs_or_models_are_refused(summaries, refused):
    assert refused(*typed("north.csv", *OTHERS, costs="20%")) == (
        "`--other-sites` must be summaries of expected_regret(costs=At(value=0.2)), got "
        "expected_regret(costs=At(value=0.1)) of east; write them with the same --costs and --prevalence."
    )
    write_csv(summaries / "other.csv", {"newest" if key == "new" else key: one for key, one in SITES["north"].items()})
    said = refused(*typed("other.csv", *OTHERS, "--baseline", "newest", models=("old", "newest")))
    assert said == ("`--other-sites` must have the model newest, got old, new, act on everyone, act on no one of east.")


def test_a_site_of_few_cases_is_not_summarised(folder, refused):
    write_csv(folder / "few.csv", {key: one[:12] for key, one in SITES["north"].items()})
    said = refused(*typed("few.csv", "--site-summary", "few.json"))
    assert said.startswith("`FILE` must have at least 10 positives and 10 negatives to be summarised, got ")
    assert not (folder / "few.json").exists()

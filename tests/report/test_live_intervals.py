"""Intervals that follow the controls: the page's formula is Python's, and its certificate is kept."""

import json
import re
from functools import cache

import numpy as np
import pytest
from report.conftest import belief_of
from report.pages import CANCER, PREDICTIONS, TABLES, decision_of, go_to, shown_on, text_on

from stakes import At, CaseCosts, Decision, EventBy, Limits, LogOddsUniform, Uniform, evaluate
from stakes._errors import InputError
from stakes.beliefs import Actions
from stakes.evaluation import Evaluation, evaluate_tables, measure
from stakes.report import _certificate, _rows_to_use, render, save_report
from stakes.report._certificate import SURE, live_part
from stakes.report._factors import Features
from stakes.report._live import Embedded, can_follow, reachable_decisions, with_factors
from stakes.report._packing import unpack_bytes
from stakes.report._page_tables import page_tables
from stakes.uncertainty import Study, joint_estimates

WEIGHT = np.random.default_rng(1).choice([0.5, 1.0, 2.5], len(CANCER))
CLUSTER = np.random.default_rng(2).integers(0, 150, len(CANCER))
SAMPLES = {
    "plain": {},
    "weights": {"weight": WEIGHT},
    "clusters": {"cluster": CLUSTER, "weight": WEIGHT},
    "one model": {},
    "one model, weights": {"weight": WEIGHT},
    "one model, clusters": {"cluster": CLUSTER},
}
DECISIONS = [
    Decision("5%..20%"),
    Decision(Uniform(0.02, 0.1)),
    Decision(LogOddsUniform(0.1, 0.3)),
    Decision(At(0.12)),
    Decision(Uniform(0.05, 0.2), prevalence=At(0.05)),
    Decision(At(0.1), prevalence=LogOddsUniform(0.05, 0.3)),
    Decision(Uniform(0.05, 0.2), prevalence=LogOddsUniform(0.05, 0.3)),
]

_MADE = """() => {
  const held = JSON.parse(document.getElementById("data").textContent);
  const models = held.models.map((one) => ({ name: one.name, table: stakes.table(stakes.columns(one)) }));
  const [sample] = models, counts = { positive: [sample.table.positiveTotal], negative: [sample.table.negativeTotal] };
  const constant = (score) => stakes.table({ score: [score], ...counts });
  const references = [1, 0].map((score) => ({ name: `r${score}`, reference: true, table: constant(score) }));
  return stakes.live(held.live, [...models, ...references], held.evaluation.sample.cases);
}"""


@cache
def evaluated(sample: str) -> Evaluation:
    models = {"marker": PREDICTIONS["marker"]} if sample.startswith("one model") else PREDICTIONS
    return evaluate(CANCER, models, "5%..20%", rng=1, **SAMPLES[sample])


@cache
def held(sample: str) -> tuple[Embedded, dict]:
    """Return what the page embeds of a sample, as Python reads it."""
    found = evaluated(sample)
    tables, _ = page_tables(found, pooled=True)
    live = live_part(found, tables, "live")
    whole = with_factors(found, tables)
    read = [unpack_bytes(one) for one in live["factors"]]
    columns = [one.reshape(whole.features.bins * len(tables), -1) for one in read]  # none where there is one model
    clusters = None if whole.clusters is None else (unpack_bytes(live["clusters"]), np.array(live["clusters"]["signs"]))
    return Embedded(whole.features, columns, clusters), live


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    folder = tmp_path_factory.mktemp("live")
    for sample in SAMPLES:
        save_report(evaluated(sample), folder / f"{sample}.html", embed="live")
    return folder


def sent(decision: Decision) -> dict:
    prevalence = None if decision.prevalence is None else belief_of(decision.prevalence)
    limits = {"capacity": None, "min_precision": None}
    return {"cost": belief_of(decision.costs), "prevalence": prevalence, **limits}


@pytest.mark.parametrize("sample", SAMPLES)
def test_covariances_of_the_page_are_those_of_python(open_file, pages, sample):
    page = open_file(pages / f"{sample}.html")
    found = page.evaluate(
        f"(decisions) => {{ const known = ({_MADE})(); return decisions.map((one) => "
        "stakes.covariance(known, one).map((row) => [...row])); }}".replace("}}", "}"),
        [sent(one) for one in DECISIONS],
    )
    for decision, covariance in zip(DECISIONS, found, strict=True):
        wanted = held(sample)[0].covariance(decision)
        # Python finds the slope over a range of prevalences from fewer rows
        near = 1e-9 if decision.prevalence is None or isinstance(decision.prevalence, At) else 0.01
        np.testing.assert_allclose(covariance, wanted, rtol=near, atol=near * np.abs(wanted).max())


@pytest.mark.slow
@pytest.mark.parametrize("sample", SAMPLES)
def test_standard_errors_are_near_those_of_the_cases(sample):
    live, _ = held(sample)
    found = evaluated(sample)
    gaps = []
    for decision in reachable_decisions(found, 12, 7):
        near, exact = (
            live.covariance(decision),
            joint_estimates(Study(found.results.cases, measure(decision))).covariance,
        )
        for a in range(len(near)):
            for b in range(a):
                wanted = exact[a, a] + exact[b, b] - 2 * exact[a, b]
                if wanted > 1e-9:
                    gaps.append(abs(np.sqrt((near[a, a] + near[b, b] - 2 * near[a, b]) / wanted) - 1))
    assert np.quantile(gaps, 0.5) < 0.02
    assert np.quantile(gaps, 0.9) < 0.12


@pytest.mark.slow
def test_all_features_together_are_exact():
    """With every column, and one bin a row, covariances are those of the cases."""
    found = evaluated("plain")
    history = {name: found.tables[name] for name in ("history", "age")}
    scores = np.unique(np.concatenate([table.score for table in history.values()]))
    ends = np.concatenate([(scores[1:] + scores[:-1]) / 2])
    features = Features.of(found.results.cases, history, (0.01, 0.5))
    rows = {name: np.searchsorted(ends, table.score, side="right") for name, table in history.items()}
    places = np.column_stack([rows[name][found.results.cases.rows(name)] for name in history])
    parts = (features.squares, places, features.weight, features.positive, None, features.total)
    fine = Features(history, ends, rows, *parts)
    columns = []
    for side in (0, 1):
        values, vectors = np.linalg.eigh(fine.products(side))
        columns.append(vectors * np.sqrt(np.maximum(values, 0)))
    decision = Decision("3%..30%")
    cases, size = found.results.cases, len(CANCER)
    exact = joint_estimates(Study(cases, measure(decision)))
    order = [exact.names.index(name) for name in history]
    wanted = exact.covariance[np.ix_(order, order)] * (size - 1) / size
    np.testing.assert_allclose(Embedded(fine, columns, None).covariance(decision)[:2, :2], wanted, rtol=1e-9)


def states(count: int) -> list[str]:
    """Return addresses of decisions that are drawn at random, most of them without limits."""
    rng = np.random.default_rng(11)
    found = []
    for k in range(count):
        low, high = np.sort(np.exp(rng.uniform(np.log(2), np.log(60), 2))).round(1)
        parts = [f"miss={high}" if k % 4 == 3 else f"miss={low}..{high + 1}", *(["law=logodds"] if k % 4 == 1 else [])]
        parts += [f"prev={rng.uniform(0.04, 0.3):.2g}"] if k % 3 == 2 else []
        found.append("&".join(parts))
    return found


def test_ends_and_probabilities_of_thirty_states_are_as_near_as_the_page_says(open_file, pages):
    page = open_file(pages / "plain.html")
    certificate, gaps, chances, told = held("plain")[1]["certificate"], [], [], 0
    for address in states(30):
        go_to(page, address)
        shown = shown_on(page)
        found = evaluate(CANCER, PREDICTIONS, decision_of(shown["decision"]), rng=1)
        exact = {one.model: one for one in found.ranking}
        for line in shown["ranking"]:
            one = exact[line["model"]]
            chances.append(abs(line["probability_best"] - one.probability_best))
            if line["difference_lower"] is not None and one.difference is not None:
                told += 1
                assert line["difference"] == pytest.approx(one.difference.difference, abs=0.001)
                for end in ("lower", "upper"):
                    far = getattr(one.difference, end) - one.difference.difference
                    gaps.append(abs((line[f"difference_{end}"] - line["difference"]) / far - 1) if far else 0.0)
    assert told > 60
    # a third model at the edge of the race, four standard errors behind, moves the first two a great deal in `rank`
    assert max(chances) < 0.2
    assert np.quantile(chances, 0.9) < 0.05
    assert np.quantile(chances, 0.5) < 0.005
    assert np.quantile(gaps, SURE - 0.04) <= certificate["within"] + 0.02


@pytest.mark.slow
def test_the_certificate_is_a_sentence_of_the_page():
    text = re.sub(r"\s+", " ", render(evaluated("plain"), embed="live"))
    (share, ends) = re.findall(r"were within ([\d.]+)% of exact ones in 99% of ([\d,]+) ends at 60 decisions", text)[0]
    certificate = held("plain")[1]["certificate"]
    assert float(share) / 100 >= certificate["within"]
    assert float(share) / 100 - certificate["within"] < 0.0101
    assert int(ends.replace(",", "")) == certificate["ends"]


def test_the_certificate_of_very_many_cases_is_that_of_a_sample_of_them(monkeypatch):
    found = evaluated("plain")
    tables = page_tables(found, pooled=True)[0]
    ends, within = [], []
    for sampled in (False, True):
        monkeypatch.setattr(_certificate, "_LARGE", 300 if sampled else 10**6)
        monkeypatch.setattr(_rows_to_use, "MOST_CASES", 500 if sampled else 10**6)
        cases = _certificate._cases_to_check(found.results.cases)
        assert len(cases) == (500 if sampled else len(CANCER))
        exact = [_certificate._exact(found, cases, decision) for decision in DECISIONS]
        ends.append({(k, *one[:2]): np.array(one[2:]) for k, several in enumerate(exact) for one in several})
        within.append(live_part(found, tables, "live")["certificate"])
    # of two thirds of the cases, the ends are farther, by as much as is put right
    ratios = [ends[1][which] / ends[0][which] for which in ends[0].keys() & ends[1].keys()]
    assert len(ratios) > 5
    assert 0.85 < np.median(ratios) < 1.15
    assert "of_cases" not in within[0]
    assert within[1]["of_cases"] == 500
    assert within[1]["within"] > within[0]["within"]
    told = _certificate.embedded_said("live", {"single": [], "factors": [], "certificate": within[1]})
    assert "of exact ones of a fixed sample of 500 cases in 99% of" in told


@pytest.mark.slow
@pytest.mark.parametrize("embed", ["strict", "live"])
def test_a_case_weighs_what_cases_of_its_class_do_whatever_the_sample_of_them(monkeypatch, embed):
    monkeypatch.setattr(_rows_to_use, "MOST_CASES", 300)
    found = evaluated("weights")
    live = live_part(found, page_tables(found, pooled=True)[0], embed)
    positive = np.asarray(CANCER) == 1
    assert live["heaviness"] == pytest.approx([WEIGHT[positive].mean(), WEIGHT[~positive].mean()], rel=1e-12)


@pytest.mark.slow
@pytest.mark.sample(3)
@pytest.mark.parametrize("embed", [None, "live", "fine"])
@pytest.mark.parametrize("size", [60, 2000])
def test_one_model_has_its_page_at_every_size(size, embed):
    y, score = np.resize(CANCER, size), np.resize(PREDICTIONS["marker"], size)
    assert render(evaluate(y, {"marker": score}, "5%..20%", rng=1), embed=embed).rstrip().endswith("</html>")


def test_moved_differences_of_one_model_are_those_of_the_cases(open_file, pages):
    page = open_file(pages / "one model.html")
    go_to(page, "miss=6..15")
    shown = shown_on(page)
    found = evaluate(CANCER, {"marker": PREDICTIONS["marker"]}, decision_of(shown["decision"]), rng=1)
    exact = {one.model: one for one in found.ranking}
    told = [line for line in shown["ranking"] if line["difference_lower"] is not None]
    assert len(told) == 2
    for line in told:
        wanted = exact[line["model"]].difference
        width = line["difference_upper"] - line["difference_lower"]
        assert width == pytest.approx(wanted.upper - wanted.lower, rel=0.1)


def test_references_whose_names_models_have_taken_keep_their_intervals(open_file, tmp_path):
    taken = {"act on everyone": "marker", "act on everyone (reference)": "bold", "no one knows": "age"}
    models = {name: PREDICTIONS[own] for name, own in taken.items()}
    save_report(evaluate(CANCER, models, "5%..20%", rng=1), tmp_path / "report.html", embed="live")
    page = open_file(tmp_path / "report.html")
    go_to(page, "miss=6..15")
    shown = shown_on(page)
    found = evaluate(CANCER, models, decision_of(shown["decision"]), rng=1)
    wanted = {(one.model, one.reference): one.regret for one in found.ranking}
    assert {(line["model"], line["reference"]) for line in shown["ranking"]} == set(wanted)
    assert ("act on everyone (reference) (reference)", True) in wanted
    for line in shown["ranking"]:
        exact = wanted[line["model"], line["reference"]]
        assert line["regret"] == pytest.approx(exact.estimate, abs=0.001)
        assert line["upper"] - line["lower"] == pytest.approx(exact.upper - exact.lower, rel=0.1)


# -------------------------------------------------------------------------------------------- what is given away


def test_a_strict_page_holds_nothing_about_pairs(open_file, tmp_path):
    save_report(evaluated("plain"), tmp_path / "report.html")  # fewer than 2,000 cases
    page = open_file(tmp_path / "report.html")
    kept = page.evaluate("() => JSON.parse(document.getElementById('data').textContent).live")
    assert set(kept) == {"single"}
    assert "This page is strict" in text_on(page, "#bound")
    go_to(page, "miss=4..15")
    lines = shown_on(page)["ranking"]
    assert all(one["lower"] is not None for one in lines if one["regret"] > 0.05)
    assert {one["difference_lower"] for one in lines} == {one["probability_best"] for one in lines} == {None}


@pytest.mark.slow
def test_embedding_is_live_from_two_thousand_cases_on():
    y, scores = np.tile(CANCER, 3), {name: np.tile(score, 3) for name, score in list(PREDICTIONS.items())[:2]}
    assert "This page is live" in render(evaluate(y, scores, "5%..20%", rng=1))
    assert "This page is strict" in render(evaluate(CANCER, PREDICTIONS, "5%..20%", rng=1))


GUESSED = "vary together, a few columns of numbers from which some joint counts can be guessed."
HELD = {
    ("plain", "strict"): "it does not hold how models vary together, so that while you move a number differences have "
    "no interval.",
    ("plain", "live"): f"it also holds how the scores of the models {GUESSED}",
    ("plain", "fine"): f"it holds every score, and how the scores of the models {GUESSED}",
    (
        "clusters",
        "strict",
    ): "it does not hold how scores vary together, so that what follows a control has no interval.",
    ("one model", "live"): "it holds no more of the scores of one model than a strict page, and differences have "
    "intervals while you move a number.",
    ("one model", "fine"): "it holds every score, and differences have intervals while you move a number.",
    ("one model, clusters", "live"): f"it also holds how the scores of cases of a cluster {GUESSED}",
    ("tables", "strict"): "it does not hold how scores vary together, so that what follows a control has no interval.",
    ("tables", "live"): "it does not hold how scores vary together, so that what follows a control has no interval.",
    ("tables", "fine"): "it holds every score, but it does not hold how scores vary together, so that what follows a "
    "control has no interval.",
}


@pytest.mark.slow
@pytest.mark.parametrize(("sample", "embed"), HELD)
def test_a_page_says_what_it_holds_and_holds_what_it_says(sample, embed):
    tables = sample == "tables"
    page = render(evaluate_tables(TABLES, "5%..20%") if tables else evaluated(sample), embed=embed)
    said = f"This page is {embed} (embed): {HELD[sample, embed]}"
    assert said in " ".join(re.search(r'<dd id="bound">(.*?)</dd>', page, re.DOTALL)[1].split())
    live = json.loads(re.search(r'id="data"[^>]*>(.*?)</script>', page, re.DOTALL)[1])["live"] or {}
    joint = "clusters" in live or (
        len(live.get("single", [])) > 3 and any(one["bytes"] for one in live.get("factors", []))
    )
    assert joint == (GUESSED in said)
    assert ("factors" in live) != (said.endswith("no interval."))
    assert ("single" in live) != ("what follows a control has no interval" in said)
    assert ("single" in live) != ("Intervals are known only for the decision as stated" in page)


COSTS = CaseCosts(false_negative=np.full(len(CANCER), 3.0), false_positive=1)
FOLLOWED = EventBy(np.arange(1.0, 41.0), np.arange(40) % 3, [10, 20])
ACTIONS = Actions({"watch": (0, 9), "test": (1, 4), "operate": (4, 1)})


def without_controls(kind: str) -> Evaluation:
    """Return an evaluation whose page has no controls."""
    if kind == "several horizons":
        return evaluate(FOLLOWED, {"m": np.linspace([0.9, 0.9], [0.1, 0.1], 40)}, "10%..30%")
    marker = {"marker": PREDICTIONS["marker"]}
    if kind == "several actions":
        return evaluate(CANCER, marker, ACTIONS)
    return evaluate(CANCER, marker, "as stated", case_costs=COSTS)


@pytest.mark.parametrize("kind", ["several horizons", "several actions", "case costs"])
def test_a_page_without_controls_refuses_another_embedding_and_says_that_all_are_alike(kind):
    found = without_controls(kind)
    with pytest.raises(InputError) as caught:
        render(found, embed="all")
    assert str(caught.value) == "`embed` must be one of live, strict, fine, got 'all'."
    page = render(found, embed="fine")
    assert "What it holds is the same for every embed." in " ".join(page.split())
    assert page == render(found)


def test_another_embedding_is_refused():
    with pytest.raises(InputError) as caught:
        render(evaluated("plain"), embed="all")
    assert str(caught.value) == "`embed` must be one of live, strict, fine, got 'all'."


def test_tables_alone_tell_no_interval_that_moves():
    assert not can_follow(evaluate_tables(evaluated("plain").tables, "5%..20%"))


# ----------------------------------------------------------------------------------------------------- limits


def test_under_a_moved_capacity_intervals_are_about_and_under_a_precision_there_are_none(open_file, pages):
    page = open_file(pages / "plain.html")
    go_to(page, "cap=0.2")
    lines = shown_on(page)["ranking"]
    assert any(one["difference_lower"] is not None for one in lines)
    texts = page.locator("#ranking-table .ends").all_inner_texts()
    assert texts
    assert all(one.startswith("about ") for one in texts)
    found = evaluate(CANCER, PREDICTIONS, Decision("5%..20%", limits=Limits(capacity=0.2)), rng=1)
    exact = {one.model: one for one in found.ranking}
    widths = [
        (line["upper"] - line["lower"]) / (exact[line["model"]].regret.upper - exact[line["model"]].regret.lower)
        for line in lines
        if line["lower"] is not None and not line["reference"]
    ]
    assert len(widths) >= 3
    assert 0.7 < np.median(widths) < 1.4
    go_to(page, "prec=0.3")
    lines = shown_on(page)["ranking"]
    assert all(one[key] is None for one in lines for key in ("lower", "difference_lower", "probability_best"))

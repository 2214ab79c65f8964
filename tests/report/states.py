"""States of the page drawn at random, and its numbers at any of them against those of Python."""

import math
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Page
from report.pages import FEWEST, MOST, ONE, cells, cost_looked_at, follow, in_the_unit_of, text_on

from stakes import At, ScoreTable, at_prevalence
from stakes.evaluation import TEMPLATES, Evaluation, Standing
from stakes.report import _first_screen
from stakes.report._models import Scene, models_of
from stakes.uncertainty import Comparison

# Sentences that tables alone can tell.
LIVE = {"best", "best-close", "best-reference", "best-reference-close", "best-unsure", "best-reference-unsure"}
LIVE |= {"best-tied", "limits-unmet", "limits-cost", "never-acts", "always-acts"}
LIVE |= {"hardly-acts", "nearly-always-acts", "limits-unused", "recalibrate", "recalibrate-order"}
LIVE |= {"prevalence", "other-measure"}
WORTHLESS = re.compile(r" costs more .* than acting on | is not detectably better or worse .* than acting on ")


def drawn_states(count: int) -> list[str]:
    """Draw decisions over all that the sentence reaches, as addresses."""
    rng = np.random.default_rng(19)
    return [_drawn(rng) for _ in range(count)]


def _drawn(rng: np.random.Generator) -> str:
    ends = sorted({float(f"{math.exp(one):.3g}") for one in rng.uniform(-0.6, 4.5, 2)})
    parts = [f"miss={ends[0]:g}" if rng.random() < 0.25 or len(ends) == 1 else f"miss={ends[0]:g}..{ends[1]:g}"]
    parts += ["law=logodds"] if ".." in parts[0] and rng.random() < 0.4 else []
    limited = rng.random() < 0.4
    if rng.random() < 0.6:
        low, high = sorted(float(f"{share:.2g}") for share in rng.uniform(0.03, 0.4, 2))
        parts.append(f"prev={low}..{high}" if not limited and low < high and rng.random() < 0.4 else f"prev={low}")
    if limited:
        which = rng.integers(1, 4)
        parts += [f"cap={rng.uniform(0.02, 0.6):.2g}"] if which & 1 else []
        parts += [f"prec={rng.uniform(0.1, 0.6):.2g}"] if which & 2 else []
    return "&".join(parts)


def with_shown_differences(found: Evaluation, shown: dict[str, Any]) -> Evaluation:
    """Return an evaluation whose differences are those that the page shows: its sentences must be the page's."""
    best, lines = found.ranking[0].model, {line["model"]: line for line in shown["ranking"]}

    def standing(one: Standing) -> Standing:
        ends = [lines[one.model][f"difference_{end}"] for end in ("lower", "upper")]
        known = one.model != best and None not in ends
        difference = one.regret.estimate - found.ranking[0].regret.estimate
        compared = Comparison(one.model, best, difference, *ends, math.nan, "analytic") if known else None
        return replace(one, difference=compared)

    results = replace(found.results, ranking=tuple(map(standing, found.ranking)))
    return in_the_unit_of(found, Evaluation(results))


def told(found: Evaluation) -> list[str]:
    """Return the sentences that tables alone can tell; that the first two cost the very same is one of them."""
    # Usual measures are known at the prevalence as stated, which is that of the sample.
    unknown = set() if found.decision.prevalence is None else {"other-measure"}
    best, *others = (one for one in found.findings if one.kind in LIVE - unknown)
    first, second = (one.regret.estimate for one in found.ranking[:2])
    return [TEMPLATES["best-tied"].format(**best.values) if first == second else best.text, *(o.text for o in others)]


def check_first_screen(page: Page, found: Evaluation, tables: Mapping[str, ScoreTable]) -> None:
    """Compare sentence, answer, short ranking and people with an evaluation."""
    scene = Scene.of(found, *models_of(found, tables))
    names = {one.key: one.name for one in scene.ways}
    assert text_on(page, "#sentence") == _first_screen.sentence(found)
    assert text_on(page, "#headline") == "".join(part for part, _ in _first_screen.answer_line(found, names))
    rows, _ = _first_screen.first_rows(found, scene)
    short = [(row[0], row[2]) for row in cells(page, "#first-ranking")]
    assert sorted(short) == sorted((row["name"], row["cost"]) for row in rows)
    bar, best = text_on(page, "#bar-answer"), f"· {short[0][0]} {short[0][1]}"
    assert bar == best or bar == f"{best} ({text_on(page, '#ranking-table .picture .ends >> nth=0')})"
    people = _first_screen.people(found, names)
    assert page.locator("#people").is_visible() == (people is not None)
    if people is not None:
        said = [f"{count} {name}" for _, count, name in people["counts"]]
        assert [" ".join(one.split()) for one in page.locator("#people-counts li").all_text_contents()] == said
        assert (text_on(page, "#people-title"), text_on(page, "#people-said")) == (people["title"], people["said"])
        # whole people, who add up
        assert sum(int(count.replace(",", "")) for _, count, _ in people["counts"]) == found.unit.per


def check_spoken(page: Page, decision: dict[str, Any], positive: str = "are positive") -> None:
    """Compare what a screen reader says of each number with the decision in the download."""
    spoken = page.locator("#sentence [role=slider]").evaluate_all(
        "(nodes) => nodes.map((node) => [node.ariaLabel, node.ariaValueText])"
    )
    cost, common = decision["cost"], decision["prevalence"]
    said = {
        name: f"a miss is as bad as {_first_screen.exchange_number((1 - c) / c)} false alarm"
        for name, c in ((MOST, cost["low"]), (FEWEST, cost["high"]), (ONE, cost["low"]))
    }
    for name, text in spoken:
        if name in said:
            assert text.removesuffix("s") == said[name]
        elif "prevalence" in name and common is not None:
            end = common["high"] if "highest" in name else common["low"]
            assert text == f"{_first_screen.share_text(end)} of cases {positive}"
    assert len(spoken) == 4 - (cost["kind"] == "at") - (common is None or common["kind"] == "at") + sum(
        decision[name] is not None for name in ("capacity", "min_precision")
    )


def check_download(shown: dict[str, Any], found: Evaluation) -> None:
    """Compare the downloaded numbers with an evaluation, to 1e-9."""
    ranking = {one["model"]: one for one in shown["ranking"]}
    assert set(ranking) == {one.model for one in found.ranking}
    for one in found.ranking:
        line = ranking[one.model]
        assert line["regret"] == pytest.approx(one.regret.estimate, rel=1e-9, abs=1e-14)
        rates = [line[f"acts_{name}"] for name in ("at_lowest_cost", "mean", "at_highest_cost")]
        wanted = [one.acts.at_lowest_cost, one.acts.mean, one.acts.at_highest_cost]
        assert rates == pytest.approx(wanted, rel=1e-9, abs=1e-12)
    wanted, given = found.recommended_threshold, shown["recommended_threshold"]
    assert (wanted is None) == (given is None)
    if wanted is not None:
        names = ("threshold", "low", "high", "cost", "regret", "found", "misses", "false_alarms", "left_alone")
        numbers = [math.inf if given[name] is None else given[name] for name in names]
        assert numbers == pytest.approx([getattr(wanted, name) for name in names], rel=1e-9, abs=1e-9)


def check_strip(page: Page, found: Evaluation, tables: Mapping[str, ScoreTable]) -> None:
    """Compare the values below the chart of costs with the mistakes at the cost looked at, where no limits are."""
    prevalence = found.decision.prevalence
    if found.decision.limits is not None or not (prevalence is None or isinstance(prevalence, At)):
        return
    plot = page.locator(".plot[data-figure=regret]")
    plot.scroll_into_view_if_needed()
    for _ in range(2):  # what comes into view is drawn in the next frame
        follow(page)
    cost = cost_looked_at(page)
    values = page.locator("[data-strip=regret] .value").all()
    shown = {one.locator("bdi").inner_text(): one.locator("b").inner_text().replace(",", "") for one in values}
    for name, table in tables.items():
        there = table if prevalence is None else at_prevalence(table, prevalence.value)
        missed, needless = there.positive[there.score < cost].sum(), there.negative[there.score >= cost].sum()
        wanted = found.unit.curve_scale * (cost * needless + (1 - cost) * missed) / there.total
        assert float(shown[name].replace("\u2212", "-")) == pytest.approx(wanted, abs=0.51 * 10**-found.unit.digits)
    page.evaluate("() => scrollTo({ top: 0, behavior: 'instant' })")

"""What the tests of the page share: a sample to report, hands for the controls, and eyes for what is shown."""

import re
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

import numpy as np
from playwright.sync_api import Locator, Page

from stakes import At, Limits, LogOddsUniform, Uniform, _wording, score_table
from stakes._wording import NOT_KNOWN
from stakes.datasets import load_cohort
from stakes.evaluation import Decision, Evaluation

COHORT = load_cohort()
CANCER = np.asarray(COHORT["cancer"])
_MARKER = np.asarray(COHORT["cancerpredmarker"])
_AGE = np.asarray(COHORT["age"], dtype=float)
_BOTH = 1 / (1 + (1 - _MARKER) / _MARKER * np.exp(0.01 * (64 - _AGE)))
PREDICTIONS = {
    "marker": np.round(_MARKER, 3),
    "bold": np.round(np.clip(3 * _BOTH**2, 0, 0.999), 3),
    "age": np.round(1 / (1 + np.exp(9 - 0.11 * _AGE)), 3),
    "history": np.where(np.asarray(COHORT["famhistory"]) == 1, 0.25, 0.12),
}
GROUP = np.where(_AGE < 62, "under 62", np.where(_AGE < 68, "62 to 67", "68 and over"))
TABLES = {name: score_table(CANCER, score) for name, score in PREDICTIONS.items()}

LOW, HIGH, ONE = "lowest cost of a false alarm", "highest cost of a false alarm", "cost of a false alarm"
CAPACITY, PRECISION = "Maximum share of cases acted on", "Minimum precision"


def follow(page: Page) -> None:
    """Wait until everything has followed the controls."""
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


def press(page: Page, control: str, *keys: str) -> None:
    """Press keys on a slider, found by its name as a screen reader says it."""
    slider = page.get_by_role("slider", name=control, exact=True)
    for key in keys:
        slider.press(key)
    follow(page)


def choose(page: Page, group: str, label: str) -> None:
    """Choose one of several by the words beside it."""
    page.get_by_role("radiogroup", name=group).get_by_text(label, exact=True).click()
    follow(page)


def tick(page: Page, label: str) -> None:
    """Tick a box, or take the tick away."""
    page.get_by_label(label, exact=True).click()
    follow(page)


def first_text(page: Page, selector: str) -> str:
    """Return the first piece of text of an element."""
    text: str = page.locator(selector).evaluate("(node) => node.firstChild.textContent")
    return text


def shares(text: str) -> list[float]:
    """Read the percentages that are written in a text."""
    return [float(Decimal(number) / 100) for number in re.findall(r"([\d.]+)%", text)]


def chosen(page: Page, name: str) -> str:
    """Return which of the radio buttons with this name is on."""
    return page.locator(f'input[name="{name}"]:checked').input_value()


def stated_on(page: Page) -> Decision:
    """Read from the controls, as a reader would, which decision is shown."""
    ends, kinds = shares(first_text(page, "#cost-text")), {"uniform": Uniform, "log_odds_uniform": LogOddsUniform}
    costs = At(ends[0]) if len(ends) == 1 else kinds[chosen(page, "cost-kind")](*ends)
    common = shares(first_text(page, "#prevalence-text")) if chosen(page, "prevalence-kind") != "observed" else []
    limits = {"capacity": "#capacity-text", "min_precision": "#precision-text"}
    given = {name: found[0] for name, where in limits.items() if (found := shares(first_text(page, where)))}
    prevalence = {0: lambda: None, 1: At, 2: LogOddsUniform}[len(common)](*common)
    return Decision(costs, prevalence=prevalence, limits=Limits(**given) if given else None)


@dataclass(frozen=True)
class Line:
    """One line of the ranked table, as it is written."""

    name: str
    regret: str
    difference: str
    skill: str
    acts: str


def ranking_on(page: Page) -> list[Line]:
    """Read the ranked table."""
    rows = page.locator("#ranking-table tbody tr")
    columns = ("th bdi", ".regret", ".difference .much", ".skill", ".acts")
    return [Line(*(row.locator(column).inner_text() for column in columns)) for row in rows.all()]


def ranking_of(evaluation: Any) -> list[Line]:
    """Write the ranking of an evaluation to the digits that the page shows."""
    best, unit = evaluation.ranking[0].regret.estimate, evaluation.unit
    return [
        Line(
            one.model,
            unit.number(one.regret.estimate),
            f"+{unit.number(one.regret.estimate - best)}" if one.regret.estimate > best else NOT_KNOWN,
            NOT_KNOWN if np.isnan(one.skill) else _wording.signed(one.skill, 2),
            _acts(_wording.whole_percent(one.acts.at_highest_cost), _wording.whole_percent(one.acts.at_lowest_cost)),
        )
        for one in evaluation.ranking
    ]


def in_the_unit_of(stated: Evaluation, moved: Evaluation) -> Evaluation:
    """Return what a control has moved to with the cases and digits of the page, which stay those of the start."""
    first, second, *_ = (one.regret.estimate for one in moved.ranking)
    unit = replace(moved.unit, per=stated.unit.per, digits=stated.unit.digits).apart(first, second)
    moved.results.__dict__["unit"] = unit  # where a cached property keeps its value
    return moved


def by_number(lines: list[Line]) -> list[Line]:
    """Put those that cost the same to the digits shown, which may come in any order, by their names."""
    return sorted(lines, key=lambda line: (float(line.regret.replace(",", "")), line.name))


def _acts(least: str, most: str) -> str:
    return most if least == most else f"{least.removesuffix('%')} to {most}"


def findings_on(page: Page) -> list[str]:
    """Read the answer and the findings that follow the controls."""
    told = [page.locator(".answer"), *page.locator("#answer .findings").first.locator("li").all()]
    return [sentence(node) for node in told]


def sentence(node: Locator) -> str:
    """Read a finding without the link to its evidence."""
    text: str = node.evaluate(
        "(node) => [...node.childNodes].filter((one) => one.nodeName !== 'A').map((one) => one.textContent).join('')"
    )
    return text.replace("\u00a0", " ").strip()


def cells(page: Page, selector: str) -> list[list[str]]:
    """Read the cells of a table's body; a table that is hidden has none."""
    found: list[list[str]] = page.locator(selector).evaluate(
        """(table) => [...(table.checkVisibility() ? table.tBodies : [])].flatMap((body) => [...body.rows]).map(
          (row) => [...row.cells].map((cell) => cell.textContent.trim().replaceAll("\\u00a0", " ")))"""
    )
    return found

"""What the tests of the page share: a sample to report, hands for the controls, and eyes for what is shown."""

import json
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

import numpy as np
from playwright.sync_api import Locator, Page
from report.watching import PATIENCE, StoppedDrawingError

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

# Numbers of the sentence, as a screen reader names them: the most false alarms for a miss are the lowest cost of one.
MOST, FEWEST, ONE = (f"{which}false alarms that a miss is worth" for which in ("most ", "fewest ", ""))
CAPACITY, PRECISION = "largest share of cases acted on", "smallest share of alarms that are right"
CURSOR = "cost looked at: expected cost"
LAW, COMMON = "#cost-kind", "#prevalence-kind"


def follow(page: Page) -> None:
    """Wait until everything has followed the controls: two frames."""
    if not page.evaluate(_TWO_FRAMES, PATIENCE / 3):
        raise StoppedDrawingError


_TWO_FRAMES = """(patience) => new Promise((done) => {
  requestAnimationFrame(() => requestAnimationFrame(() => done(true)));
  setTimeout(done, patience, false);
})"""


def press(page: Page, control: str, *keys: str) -> None:
    """Press keys on a number of the sentence, found by its name as a screen reader says it."""
    slider = page.get_by_role("slider", name=control, exact=True).first
    for key in keys:
        slider.press(key)
    follow(page)


def open_options(page: Page) -> None:
    """Show the controls that no number of the sentence is."""
    page.evaluate("() => (document.getElementById('options').open = true)")


def choose(page: Page, menu: str, label: str) -> None:
    """Choose one of several by its words."""
    open_options(page)
    page.locator(menu).select_option(label=label)
    follow(page)


def tick(page: Page, label: str) -> None:
    """Tick a box, or take the tick away."""
    open_options(page)
    page.get_by_label(label, exact=True).click()
    follow(page)


def go_to(page: Page, address: str) -> None:
    """Show the state that the part of an address behind the # says."""
    page.evaluate(
        """(address) => new Promise((done) => {
          addEventListener("hashchange", done, { once: true });
          const before = location.hash;
          location.hash = address;
          if (location.hash === before) dispatchEvent(new HashChangeEvent("hashchange")); // at rest it wrote the same
        })""",
        address,
    )
    follow(page)


def shown_on(page: Page) -> dict[str, Any]:
    """Download all numbers, and return those that are shown."""
    written: str = page.evaluate(_DOWNLOADED)
    shown: dict[str, Any] = json.loads(written)["shown"]
    return shown


# What the button writes, read from the page itself: browsers hold back downloads that follow each other.
_DOWNLOADED = """() => new Promise((done) => {
  const make = URL.createObjectURL;
  URL.createObjectURL = (blob) => {
    URL.createObjectURL = make;
    blob.text().then(done);
    return make.call(URL, blob);
  };
  document.querySelector("[data-download=json]").click();
})"""

_BELIEFS = {"uniform": Uniform, "log_odds_uniform": LogOddsUniform, "at": lambda low, _: At(low)}


def decision_of(shown: dict[str, Any]) -> Decision:
    """Return the decision that is shown, as Python states it."""
    beliefs = {
        name: shown[name] and _BELIEFS[shown[name]["kind"]](shown[name]["low"], shown[name]["high"])
        for name in ("cost", "prevalence")
    }
    limits = {name: shown[name] for name in ("capacity", "min_precision") if shown[name] is not None}
    return Decision(beliefs["cost"], prevalence=beliefs["prevalence"], limits=Limits(**limits) if limits else None)


def stated_on(page: Page) -> Decision:
    """Return the decision that the page shows."""
    return decision_of(shown_on(page)["decision"])


def cost_looked_at(page: Page) -> float:
    """Read where the cursor is: by decimals, since 11.9 / 100 is above a score of 0.119."""
    percent = page.get_by_role("slider", name=CURSOR, exact=True).get_attribute("aria-valuenow")
    return float(Decimal(percent) / 100)


def text_on(page: Page, selector: str) -> str:
    """Read a text, each space as one."""
    return " ".join(page.locator(selector).text_content().split())


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
    told = [page.locator("#much"), *page.locator("#answer .following li").all()]
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

"""The obvious word of a page is one that the search of the site puts first: in its index, its title or a heading."""

import importlib.util
import re
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[1] / "docs"
SOUGHT = {
    "bibliography": ["references", "literature"],
    "choosing": ["accuracy", "F1", "which measure", "metric"],
    "command": ["Excel", "CSV file", "shell"],
    "errata": ["misprints"],
    "faq": ["p-value", "imbalance", "class weight", "harm of a test", "calibration"],
    "frames": ["pandas", "polars", "Spark", "Dask", "DuckDB"],
    "from-dcurves": ["dcurves", "rmda"],
    "from-r": ["pROC", "rms"],
    "from-scikit-learn": ["scikit-learn"],
    "gallery": ["gallery"],
    "glossary": ["AUROC", "c-statistic", "c-index", "lift", "likelihood ratio", "number needed to treat"],
    "how-to/capacity": ["capacity", "alarms per day", "20 a day"],
    "how-to/compare": ["compare models", "is the difference real", "significance"],
    "how-to/costs": ["cost range", "elicitation"],
    "how-to/deploy": ["deploy", "SQL", "policy"],
    "how-to/follow-up": ["survival", "outcomes are censored", "competing risks", "Kaplan-Meier", "time to event"],
    "how-to/fraud": ["fraud", "each fraud has an amount", "credit", "churn"],
    "how-to/gate": ["release", "non-inferiority"],
    "how-to/groups": ["subgroups"],
    "how-to/paper": ["report in a paper", "methods section", "TRIPOD"],
    "how-to/sites": ["several hospitals", "meta-analysis"],
    "how-to/threshold": ["threshold", "which threshold?"],
    "how-to/prevalence": ["prevalence", "our prevalence is 2%"],
    "how-to/planning": ["sample size", "how many patients"],
    "how-to/validate": ["optimism"],
    "how-to/watch": ["drift"],
    "project": ["cite it", "licence"],
    "three-spaces": ["decision curves", "Brier score"],
}
SPEC = importlib.util.spec_from_file_location("index_words", DOCS / "_site" / "index_words.py")


def first_found(page):
    """Return what the search looks at first: words of the index, and headings."""
    given = importlib.util.module_from_spec(SPEC)
    SPEC.loader.exec_module(given)
    text = re.sub(r"^```.*?^```", "", (DOCS / f"{page}.md").read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    return [*given.WORDS.get(page, ()), *re.findall(r"^#+ (.*)$", text, re.MULTILINE)]


def test_sixty_words_are_sought():
    assert sum(map(len, SOUGHT.values())) >= 60


@pytest.mark.parametrize("page", SOUGHT)
def test_a_page_is_found_by_its_words(page):
    found = "\n".join(first_found(page)).lower()
    assert [word for word in SOUGHT[page] if word.lower() not in found] == []

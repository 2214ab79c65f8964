"""The documentation as a reader sees it: built without a warning, found by its words, no line of code cut off."""

import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import quote

import pytest
from report.watching import PATIENCE

DOCS = Path(__file__).parents[2] / "docs"
LISTED = 6  # a page that is not among the first results is not found
# What people look for, and the page that answers it.
WORDS = {
    "threshold": "how-to/threshold",
    "cut-off": "how-to/threshold",
    "which threshold": "how-to/threshold",
    "Youden": "how-to/threshold",
    "optimal threshold": "how-to/threshold",
    "sensitivity": "how-to/threshold",
    "specificity": "how-to/threshold",
    "positive predictive value": "how-to/threshold",
    "PPV": "how-to/threshold",
    "NPV": "how-to/threshold",
    "confusion matrix": "how-to/threshold",
    "false positive rate": "how-to/threshold",
    "likelihood ratio": "glossary",
    "number needed to treat": "glossary",
    "c-statistic": "glossary",
    "AUROC": "glossary",
    "regret": "reference/measures",
    "reliability diagram": "reference/curves",
    "precision-recall curve": "reference/curves",
    "DeLong": "uncertainty",
    "TRIPOD": "how-to/paper",
    "calibration": "reference/curves",
    "recalibration": "reference/table",
    "expected cost": "reference/measures",
    "cost range": "how-to/costs",
    "drift": "how-to/watch",
    "monitoring": "reference/monitoring",
    "optimism": "how-to/validate",
    "cross-validation": "how-to/validate",
    "internal validation": "how-to/validate",
    "external validation": "how-to/validate",
    "overfitting": "how-to/validate",
    "p-value": "faq",
    "imbalance": "faq",
    "class weight": "faq",
    "sample size": "how-to/planning",
    "how many cases": "how-to/planning",
    "survival": "how-to/follow-up",
    "censored": "how-to/follow-up",
    "competing risks": "how-to/follow-up",
    "Kaplan-Meier": "how-to/follow-up",
    "fraud": "how-to/fraud",
    "amounts": "how-to/fraud",
    "money": "independent-costs",
    "triage": "how-to/triage",
    "refer": "how-to/triage",
    "capacity": "how-to/capacity",
    "precision": "limits",
    "prevalence": "how-to/prevalence",
    "base rate": "how-to/prevalence",
    "label shift": "prevalence",
    "decision curve": "three-spaces",
    "net benefit": "three-spaces",
    "Brier score": "three-spaces",
    "cost curve": "three-spaces",
    "inverse score": "independent-costs",
    "log loss": "reference/measures",
    "AUC": "reference/measures",
    "ROC": "reference/curves",
    "H-measure": "glossary",
    "F1": "choosing",
    "accuracy": "choosing",
    "alert fatigue": "limits",
    "VOROS": "limits",
    "confidence interval": "uncertainty",
    "bootstrap": "uncertainty",
    "compare models": "how-to/compare",
    "fairness": "scope",
    "groups": "how-to/groups",
    "subgroup": "how-to/groups",
    "interaction": "how-to/groups",
    "sites": "how-to/sites",
    "meta-analysis": "how-to/sites",
    "dcurves": "from-dcurves",
    "rmda": "from-dcurves",
    "scikit-learn": "from-scikit-learn",
    "GridSearchCV": "how-to/scikit-learn",
    "pROC": "from-r",
    "rms": "from-r",
    "Excel": "command",
    "CSV": "how-to/page",
    "pandas": "frames",
    "Spark": "frames",
    "GPU": "gpu",
    "memory": "large",
    "SQL": "how-to/deploy",
    "deploy": "how-to/deploy",
    "release": "how-to/gate",
    "cite": "project",
    "licence": "project",
    "install": "project",
    "report in a paper": "how-to/paper",
    "misprints": "errata",
    "benchmarks": "benchmarks",
    "out of scope": "scope",
    "harm": "faq",
    "which threshold?": "how-to/threshold",
    "is the difference real?": "how-to/compare",
    "our prevalence is 2 %": "how-to/prevalence",
    "capacity 20 a day": "how-to/capacity",
    "cite it": "project",
    "my outcomes are censored": "how-to/follow-up",
    "each fraud has an amount": "how-to/fraud",
    "is my model calibrated?": "faq",
    "decision curves": "three-spaces",
}

# On a telephone the tables of a page, and those that a command prints, may scroll; sentences and code never do.
CUT_OFF = """() => {
  const isTelephone = innerWidth < 720;
  const blocks = [...document.querySelectorAll(".bd-article pre, .bd-article .pst-scrollable-table-container")];
  const mayScroll = (block) =>
    isTelephone && block.matches("div, .highlight-console pre:has(.sentence), .highlight-text pre");
  const scrolls = (block) => block.scrollWidth > block.clientWidth + 1;
  const end = (part) => part.getBoundingClientRect().right;
  const sentences = [...document.querySelectorAll(".sentence")];
  return blocks.filter((block) => scrolls(block) && !mayScroll(block))
    .concat(sentences.filter((line) => end(line) > end(line.closest("pre"))))
    .map((block) => block.textContent.slice(0, 60))
    .concat(document.documentElement.scrollWidth > innerWidth ? ["the page itself"] : []);
}"""


class Addresses(HTMLParser):
    """The addresses that a page of HTML loads, and those it links to."""

    def __init__(self, page):
        super().__init__()
        self.loaded, self.linked = [], []
        self.feed(page.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attrs):
        found = [value for name, value in attrs if name in ("src", "href", "data") and value]
        (self.linked if tag == "a" else self.loaded).extend(found)


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("docs") / "site"
    build = [sys.executable, "-m", "sphinx", "--fail-on-warning", "--keep-going", "--nitpicky", "--quiet"]
    ran = subprocess.run([*build, DOCS, folder], capture_output=True, encoding="utf-8", check=False)
    assert (ran.returncode, ran.stderr) == (0, "")
    return folder


@pytest.fixture(scope="module")
def pages(site):
    return [path for path in sorted(site.rglob("*.html")) if not {"_static", "reports"} & set(path.parts)]


@pytest.fixture(scope="module")
def tab(browser):
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    context.set_default_timeout(PATIENCE)
    yield context.new_page()
    context.close()


@pytest.mark.slow
def test_the_site_loads_nothing_from_elsewhere_and_no_link_dangles(site, pages):
    for page in [*pages, *(site / "reports").glob("*.html")]:
        found = Addresses(page)
        assert [address for address in found.loaded if re.match(r"(?!data:)\w+:|//", address)] == [], page
        near = [address.partition("#")[0].partition("?")[0] for address in [*found.loaded, *found.linked]]
        here = [address for address in near if address and not re.match(r"\w+:", address)]
        assert [address for address in here if not page.parent.joinpath(address).exists()] == [], page


@pytest.mark.slow
def test_search_finds_each_page_by_its_obvious_words(site, tab):
    missed = {}
    for words, wanted in WORDS.items():
        tab.goto(f"{(site / 'search.html').as_uri()}?q={quote(words)}")
        tab.wait_for_function("document.querySelector('.search-summary')?.textContent.includes('finished')")
        found = tab.eval_on_selector_all("#search-results ul.search > li > a", "all => all.map((a) => a.href)")
        listed = list(dict.fromkeys(address.partition("/site/")[2].partition(".html")[0] for address in found))
        if wanted not in listed[:LISTED]:
            missed[words] = listed[:LISTED]
    assert missed == {}


@pytest.mark.slow
@pytest.mark.parametrize("width", [1440, 390])
def test_no_page_is_too_wide_and_no_line_of_code_is_cut_off(width, pages, tab):
    tab.set_viewport_size({"width": width, "height": 900})
    wide = {}
    for page in pages:
        tab.goto(page.as_uri())
        cut = tab.evaluate(CUT_OFF)
        if cut:
            wide[page.name] = cut
    assert wide == {}

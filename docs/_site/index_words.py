"""The words a reader looks for, as entries of the index, which the search of the site puts first.

They stand here and not on the pages, so that the Markdown reads well on its own.
"""

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform

WORDS = {
    "bibliography": ["references", "literature"],
    "choosing": ["accuracy", "F1", "which measure", "metric"],
    "command": ["Excel", "CSV file", "shell"],
    "errata": ["misprints", "errata"],
    "faq": [
        *("p-value", "imbalance", "class imbalance", "class weight", "harm", "harm of a test"),
        *("calibration", "is my model calibrated", "is my model calibrated?"),
    ],
    "frames": ["pandas", "polars", "Spark", "Dask", "DuckDB"],
    "from-dcurves": ["dcurves", "rmda"],
    "from-r": ["pROC", "rms", "R packages"],
    "from-scikit-learn": ["scikit-learn"],
    "glossary": ["AUROC", "c-statistic", "c-index", "lift", "likelihood ratio", "number needed to treat"],
    "how-to/capacity": ["capacity", "limited capacity", "alarms per day", "20 a day", "capacity 20 a day"],
    "how-to/compare": [
        "compare models",
        "difference of models",
        "is the difference real",
        "is the difference real?",
        "significance",
        "significant",
    ],
    "how-to/costs": ["cost range", "elicitation"],
    "how-to/deploy": ["deploy", "SQL", "policy"],
    "how-to/follow-up": [
        *("survival", "censored", "censoring", "competing risks", "Kaplan-Meier", "time to event"),
        *("lost to follow-up", "outcomes are censored", "my outcomes are censored"),
    ],
    "how-to/fraud": [
        "fraud",
        "fraud amounts",
        "each fraud has an amount",
        "amounts",
        "costs of each case",
        "credit",
        "churn",
    ],
    "how-to/gate": ["release", "gate", "non-inferiority"],
    "how-to/groups": ["groups", "subgroups", "interaction"],
    "how-to/paper": ["report in a paper", "methods section", "TRIPOD"],
    "how-to/planning": ["sample size", "how many cases", "how many patients", "power", "value of information"],
    "how-to/prevalence": ["prevalence", "our prevalence is 2%", "our prevalence is 2 %", "base rate", "case-control"],
    "how-to/scikit-learn": ["GridSearchCV", "pipelines"],
    "how-to/sites": ["sites", "meta-analysis", "several hospitals", "multicentre", "federated"],
    "how-to/threshold": [
        *(
            "threshold",
            "which threshold",
            "which threshold?",
            "optimal threshold",
            "cut-off",
            "cutoff",
            "Youden",
            "operating point",
        ),
        *("sensitivity", "specificity", "confusion matrix", "true positive rate", "false positive rate"),
        *("positive predictive value", "PPV", "negative predictive value", "NPV"),
    ],
    "how-to/triage": ["triage", "refer", "reject option", "three actions"],
    "how-to/validate": ["optimism", "cross-validation", "internal validation", "external validation", "overfitting"],
    "how-to/watch": ["drift", "monitoring"],
    "independent-costs": ["money", "inverse score", "cost matrix"],
    "large": ["memory", "larger than memory"],
    "limits": ["precision", "VOROS", "alarm fatigue", "alert fatigue"],
    "prevalence": ["label shift", "prior shift"],
    "project": ["cite", "cite it", "citing", "install", "installing", "licence", "versions"],
    "reference/curves": ["calibration curve", "ROC curve", "reliability diagram"],
    "reference/measures": ["expected cost", "AUC", "log loss"],
    "scope": ["out of scope", "fairness", "multiclass"],
    "three-spaces": ["decision curve", "decision curves", "net benefit", "Brier score", "cost curve", "Murphy diagram"],
    "uncertainty": ["confidence interval", "bootstrap", "few positives"],
}


class IndexWords(SphinxTransform):
    """Put the words of a page in the index, pointing to its title."""

    default_priority = 800  # before the domains look at the page

    def apply(self, **_: object) -> None:
        """Insert one index node at the top of the page."""
        words = WORDS.get(self.env.docname, [])
        if words and (section := self.document.next_node(nodes.section)):
            entries = [("single", word, section["ids"][0], "main", None) for word in words]  # main: first in the search
            self.document.insert(0, addnodes.index(entries=entries))


def setup(app: Sphinx) -> dict[str, bool]:
    """Tell Sphinx about the transform."""
    app.add_transform(IndexWords)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

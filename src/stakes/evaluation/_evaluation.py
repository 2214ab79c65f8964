"""The evaluation that users hold: the results with their findings, as text, frame, JSON and report."""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from stakes._errors import MissingPackageError
from stakes.evaluation import _json, _text
from stakes.evaluation._deploy import policy_in_use
from stakes.evaluation._recommend import Recommendation, recommend
from stakes.evaluation._results import Finding, Results
from stakes.evaluation._results_view import ResultsView
from stakes.evaluation.findings import answer_text, findings
from stakes.policy import Policy

if TYPE_CHECKING:
    import pandas as pd


EMBEDDINGS = ("strict", "live", "fine")  # what a report may hold of the sample


@dataclass(frozen=True, repr=False, eq=False)
class Evaluation(ResultsView):
    """Models ranked by their expected cost under a decision, with intervals and findings in plain English.

    `evaluate` makes one. It prints as a table with its findings, shows as one in a notebook, and saves as a report.

    Attributes
    ----------
    decision : Decision
        Stated costs, prevalence and limits.
    recommendation : Recommendation
        The measure that fits the decision, and why.
    sample : SampleFacts
        Numbers of cases, of positives and of dropped cases.
    ranking : tuple of Standing
        Every model and the two references, acting on everyone and on no one, lowest expected cost first.
    answer : str
        Which model to use, and from which score on; empty where the sample cannot say.
    findings : tuple of Finding
        Conclusions in plain English, most important first.
    tables : mapping of str to ScoreTable
        The table of each model.
    policies : mapping of str to Policy
        Best threshold of each model at each cost, chosen on the same cases; empty for costs without a
        finite mass, and for a belief of one's own without `density` and `support`.
    actions : ActionUse or None
        Use and value of several actions (`Actions`); None where the decision is between acting and not acting.
    groups : mapping of str to Group
        The models in each group of the cases; empty where none were given.
    group_comparisons : mapping of str to GroupComparison
        The difference of each model and reference to the best, in every group, and whether it differs between groups;
        empty where which cases the models share is not known.
    horizons : mapping of float to Horizon
        The models at each of several horizons of an `EventBy`, of which the ranking is the mean; empty where there is
        one.
    level : float
        Confidence level of the intervals.
    folds : int or None
        Number of cross-fitting folds; none where thresholds were chosen in-sample.
    validation : Validation or None
        What the models seemed to cost on the cases they were fitted to; None without `validate`.
    baseline : str or None
        Model or reference with which all are compared; none where only the best is.
    harm : mapping of str to float
        Harm of the test of each model that has any, as stated.
    unit : Unit
        The unit in which costs are printed, and what a regret is multiplied by.
    recommended_threshold : RecommendedThreshold or None
        One threshold for the best model, whatever the true cost; None where no model is best, or no cost has a mean.
    call : str
        Command line that made it; empty unless there was one.
    results : Results
        All numbers, in one record.

    Examples
    --------
    >>> from stakes import evaluate
    >>> from stakes.datasets import load_cohort
    >>> cohort = load_cohort()
    >>> models = {"marker": cohort["cancerpredmarker"], "family history": cohort["famhistory"]}
    >>> evaluation = evaluate(cohort["cancer"], models, "5%..20%")
    >>> [standing.model for standing in evaluation.ranking]
    ['marker', 'act on everyone', 'family history', 'act on no one']
    >>> print(evaluation.findings[0])  # doctest: +ELLIPSIS
    marker has the lowest expected cost over your range: it costs as much as 56 misses per 1,000 cases...
    """

    results: Results
    call: str = ""

    @property
    def recommendation(self) -> Recommendation:
        """The measure that fits the decision, and why."""
        return recommend(self.decision)

    @cached_property
    def findings(self) -> tuple[Finding, ...]:
        """Conclusions in plain English, most important first, derived on first use."""
        return findings(self.results)

    @cached_property
    def answer(self) -> str:
        """Which model to use, and from which score on."""
        return answer_text(self.results)

    def policy(self, model: str | None = None) -> Policy:
        """Return the thresholds to deploy, on scores as given: of the best model unless one is named.

        Those of `policies` are on scores corrected for the stated prevalence.

        Examples
        --------
        >>> from stakes import evaluate
        >>> evaluate([0, 1, 0, 1], {"model": [0.1, 0.8, 0.3, 0.6]}, "10%").policy().act([0.2, 0.7]).tolist()
        [False, True]
        """
        return policy_in_use(self.results, model)

    def classifier(self, estimator: Any, model: str | None = None, *, cost: float | str | None = None) -> Any:
        """Return a `PolicyClassifier`: a fitted estimator that decides by the policy of a model, its own.

        Examples
        --------
        >>> from sklearn.linear_model import LogisticRegression
        >>> from stakes import evaluate
        >>> fitted = LogisticRegression().fit([[0.0], [1.0], [2.0]], [0, 1, 1])
        >>> evaluate([0, 1, 0, 1], {"mine": [0.1, 0.8, 0.3, 0.6]}, "40%").classifier(fitted).predict([[0.0], [5.0]])
        array([0, 1])
        """
        from stakes.estimators import PolicyClassifier

        made: PolicyClassifier = PolicyClassifier(estimator, self.policy(model), cost=cost).fit(None)
        return made

    def __str__(self) -> str:
        return _text.text(self)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return _text.html(self)

    def to_frame(self) -> pd.DataFrame:
        """Return the ranking as a data frame, one row a model.

        Returns
        -------
        pandas.DataFrame
            The columns ``model``, ``reference``, ``regret``, ``lower``, ``upper``, ``skill``, ``difference``,
            ``difference_lower``, ``difference_upper``, ``probability_best``, ``acts_at_lowest_cost``,
            ``acts_mean``, ``acts_at_highest_cost``, ``miscalibration``, ``discrimination``, ``uncertainty``,
            ``brier_score``, ``log_loss``, ``auc``, ``partial_voros``, ``recalibrated``, ``baseline_difference``,
            ``baseline_difference_lower``, ``baseline_difference_upper`` and ``harm``.

        Examples
        --------
        >>> from stakes import evaluate
        >>> evaluate([0, 1, 0, 1], {"model": [0.1, 0.8, 0.3, 0.6]}, "10%..50%").to_frame()["model"].tolist()
        ['model', 'act on everyone', 'act on no one']
        """
        try:
            import pandas as pd
        except ImportError:
            raise MissingPackageError("pandas", "pandas", "to make a data frame", "`to_frame`") from None
        return pd.DataFrame(_json.rows(self))

    def to_dict(self) -> dict[str, Any]:
        """Return everything but the tables as plain values, as `to_json` writes them.

        Returns
        -------
        dict
            As the schema ``evaluation.schema.json`` says; undefined numbers are None.

        Examples
        --------
        >>> from stakes import evaluate
        >>> evaluate([0, 1, 0, 1], {"model": [0.1, 0.8, 0.3, 0.6]}, "10%..50%").to_dict()["schema"]
        4
        """
        return _json.as_dict(self)

    def to_json(self) -> str:
        """Return everything but the tables as JSON.

        Returns
        -------
        str
            As the schema ``evaluation.schema.json`` says; undefined numbers are null.

        Examples
        --------
        >>> import json
        >>> from stakes import evaluate
        >>> evaluation = evaluate([0, 1, 0, 1], {"model": [0.1, 0.8, 0.3, 0.6]}, "10%..50%")
        >>> json.loads(evaluation.to_json())["ranking"][0]["model"]
        'model'
        """
        return _json.as_json(self)

    def save_html(
        self, path: str | os.PathLike[str], *, title: str | None = None, embed: str | None = None, lang: str = "en"
    ) -> None:
        """Save a live report: one HTML file that needs no network and can be sent by mail.

        Parameters
        ----------
        path : path
            Where to write it; the file appears whole or not at all.
        title : str, keyword-only, optional
            Title of the page; the question it answers unless given.
        embed : {"strict", "live", "fine"}, keyword-only, optional
            What the page holds of the sample. Strict: counts by score, pooled until each row stands for at least five
            cases. Live: also how the models vary together, so that differences keep their intervals while a reader
            moves the decision. Fine: every distinct score. Live from 2,000 cases on and strict below, unless given. A
            page of several actions, of costs of each case or of several horizons is the same for all three.
        lang : {"en", "de"}, keyword-only, default "en"
            Language of the report: English or German. Names, and your own `words` but for the positive, stay as given.

        Examples
        --------
        >>> import tempfile
        >>> from pathlib import Path
        >>> from stakes import evaluate
        >>> evaluation = evaluate([0, 1, 0, 1], {"model": [0.1, 0.8, 0.3, 0.6]}, "10%..50%")
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     evaluation.save_html(Path(folder) / "report.html")
        ...     (Path(folder) / "report.html").read_text(encoding="utf-8")[:15]
        '<!doctype html>'
        """
        from stakes.report import save_report

        save_report(self, path, title=title, embed=embed, lang=lang)

"""What an evaluation holds: the ranking, how sure it is, what it comes to in words."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from stakes.evaluation import _json, _text
from stakes.evaluation._decision import Decision
from stakes.evaluation._recommend import Recommendation
from stakes.measures import Decomposition
from stakes.policy import Policy
from stakes.prevalence import Gap
from stakes.table import ScoreTable
from stakes.uncertainty import Comparison, Interval

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True)
class Facts:
    """What the sample is.

    Attributes
    ----------
    cases : int
        How many cases there are; absent ones and those left out are not counted.
    weight : float
        What they weigh together; as many as there are unless they were weighed.
    prevalence : float
        Share of the positives, by weight.
    weighted : bool
        Whether the cases were weighed.
    clusters : int or None
        How many clusters they come in; none where none were given.
    left_out : int
        How many cases were left out because a model has no score for them.
    has_cases : bool
        Whether the cases themselves were at hand, or only tables.

    Examples
    --------
    >>> from stakes import evaluate
    >>> evaluate([0, 1, 0, 1], {"model": [0.1, 0.8, 0.3, None]}, "10%..50%").sample.left_out
    1
    """

    cases: int
    weight: float
    prevalence: float
    weighted: bool = False
    clusters: int | None = None
    left_out: int = 0
    has_cases: bool = True

    @property
    def positives(self) -> float:
        """Weight of the positives."""
        return self.weight * self.prevalence


@dataclass(frozen=True, slots=True)
class Acts:
    """On which share of all cases one acts, over the costs that are believed.

    Attributes
    ----------
    low, mean, high : float
        The share at the lowest cost of a false alarm, on average, and at the highest.

    Examples
    --------
    >>> from stakes import evaluate
    >>> found = evaluate([0, 0, 1, 1], {"model": [0.1, 0.3, 0.4, 0.9]}, "20%..60%")
    >>> found.ranking[0].acts.low, found.ranking[0].acts.high
    (0.75, 0.25)
    """

    low: float
    mean: float
    high: float


@dataclass(frozen=True, slots=True)
class Standing:
    """One line of the ranking: a model, or one of the two ways to decide that need none.

    Attributes
    ----------
    model : str
        Its name.
    reference : bool
        Whether it needs no model: acting on everyone, or on no one.
    regret : Interval
        The number that is ranked, per case, and its interval.
    skill : float
        What it saves of the regret of the best constant score: 1 is perfect, 0 no better than knowing the prevalence.
    difference : Comparison or None
        How much more it costs than the best, on the same cases; none for the best itself and where it is not known.
    probability_best : float
        The probability that none costs less where the sample comes from; ``nan`` where it is not known.
    acts : Acts
        On which share of all cases one acts with it.
    parts : Decomposition or None
        What the regret is made of; none under limits, where cuts are chosen whatever the calibration.
    brier_score, log_loss, auc : float
        The usual measures, which know no stakes; ``nan`` where they are undefined.
    partial_voros : float or None
        Share of the feasible operating points that cost more, averaged over the costs; none without limits.
    recalibrated : float or None
        The regret after recalibration, learnt and judged on different cases; none unless `folds` were asked for.

    Examples
    --------
    >>> from stakes import evaluate
    >>> best = evaluate([0, 1, 0, 1], {"model": [0.1, 0.8, 0.3, 0.6]}, "10%..50%").ranking[0]
    >>> best.model, best.reference
    ('model', False)
    """

    model: str
    reference: bool
    regret: Interval
    skill: float
    difference: Comparison | None
    probability_best: float
    acts: Acts
    parts: Decomposition | None
    brier_score: float
    log_loss: float
    auc: float
    partial_voros: float | None = None
    recalibrated: float | None = None


@dataclass(frozen=True, slots=True)
class Finding:
    """One sentence about the models, with the numbers it rests on. It prints as that sentence.

    Attributes
    ----------
    kind : str
        What it says, in a word or two: ``best``, ``best-close``, ``never-acts``, ``crossing-below``, ...
    text : str
        The sentence.
    template : str
        The sentence with its numbers left open, as ``{names}``.
    values : mapping of str to str
        What stands in the sentence.
    numbers : mapping of str to float
        The same unrounded, and any number it was concluded from.
    evidence : str
        Where it can be seen in the report: ``ranking``, ``cost``, ``calibration``, ``world``, ``policy``, ``groups``.

    Examples
    --------
    >>> from stakes import evaluate
    >>> found = evaluate([0, 1, 0, 1], {"model": [0.1, 0.8, 0.3, 0.6]}, "10%..50%").findings[0]
    >>> found.kind, found.values["best"]
    ('best-close', 'model')
    """

    kind: str
    text: str
    template: str
    values: Mapping[str, str]
    numbers: Mapping[str, float]
    evidence: str

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class Group:
    """The models in one group of the cases.

    Attributes
    ----------
    name : str
        The label of the group.
    cases : int
        How many cases it has.
    prevalence : float
        Share of the positives in it.
    reference : bool
        Whether the others are compared with it: it is the largest.
    tables : mapping of str to ScoreTable
        The table of each model in the group.
    regret : mapping of str to Interval
        Expected regret of each model at the costs that were stated and the group's own prevalence.
    gaps : mapping of str to Gap
        How much more each model costs than in the reference group, and why; empty for that group itself, and where one
        of the groups has one class only.

    Examples
    --------
    >>> from stakes import evaluate
    >>> y, score, sex = [0, 1, 0, 1, 1, 0], [0.1, 0.8, 0.3, 0.6, 0.2, 0.4], ["f", "f", "f", "f", "m", "m"]
    >>> groups = evaluate(y, {"model": score}, "10%..50%", group=sex).groups
    >>> groups["f"].reference, groups["m"].cases
    (True, 2)
    """

    name: str
    cases: int
    prevalence: float
    reference: bool
    tables: Mapping[str, ScoreTable]
    regret: Mapping[str, Interval]
    gaps: Mapping[str, Gap]


@dataclass(frozen=True, repr=False, eq=False)
class Evaluation:
    """Models ranked by what they cost under a decision, how sure that is, and what it comes to in words.

    `evaluate` makes one. It prints as a table with its findings, shows as one in a notebook, and saves as a report.

    Attributes
    ----------
    decision : Decision
        What was stated.
    recommendation : Recommendation
        Which measure fits it, and why.
    sample : Facts
        How many cases there are, how many are positive.
    ranking : tuple of Standing
        Every model and the two ways to decide that need none, least costly first.
    findings : tuple of Finding
        What it comes to, most important first.
    tables : mapping of str to ScoreTable
        The table of each model.
    policies : mapping of str to Policy
        Which cut of each model to use at which cost, chosen on the same cases; empty for costs that are no
        proportion.
    groups : mapping of str to Group
        The models in each group of the cases; empty where none were given.
    level : float
        How often intervals like these shall hold the truth.
    folds : int or None
        In how many parts the cases were divided to choose and to judge on different ones; none where that was not done.
    call : str
        What was asked for, in one line.

    Examples
    --------
    >>> from stakes import evaluate
    >>> from stakes.datasets import load_cohort
    >>> cohort = load_cohort()
    >>> models = {"marker": cohort["cancerpredmarker"], "family history": cohort["famhistory"]}
    >>> found = evaluate(cohort["cancer"], models, "5%..20%")
    >>> [standing.model for standing in found.ranking]
    ['marker', 'act on everyone', 'family history', 'act on no one']
    >>> print(found.findings[0])  # doctest: +ELLIPSIS
    marker has the lowest expected cost over your range: 48.8 per 1,000 cases, against 107.5 for acting on everyone...
    """

    decision: Decision
    recommendation: Recommendation
    sample: Facts
    ranking: tuple[Standing, ...]
    tables: Mapping[str, ScoreTable]
    policies: Mapping[str, Policy]
    groups: Mapping[str, Group]
    findings: tuple[Finding, ...] = ()
    level: float = 0.95
    folds: int | None = None
    call: str = field(default="")

    @property
    def best(self) -> Standing:
        """The least costly of all."""
        return self.ranking[0]

    @property
    def intervals(self) -> dict[str, Interval]:
        """The ranked number of each model and its interval."""
        return {standing.model: standing.regret for standing in self.ranking}

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
            ``brier_score``, ``log_loss``, ``auc``, ``partial_voros`` and ``recalibrated``.

        Examples
        --------
        >>> from stakes import evaluate
        >>> evaluate([0, 1, 0, 1], {"model": [0.1, 0.8, 0.3, 0.6]}, "10%..50%").to_frame()["model"].tolist()
        ['model', 'act on everyone', 'act on no one']
        """
        try:
            import pandas as pd
        except ImportError:
            raise ImportError("`to_frame` needs pandas: install it with `pip install pandas`.") from None
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
        2
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
        >>> found = evaluate([0, 1, 0, 1], {"model": [0.1, 0.8, 0.3, 0.6]}, "10%..50%")
        >>> json.loads(found.to_json())["ranking"][0]["model"]
        'model'
        """
        return _json.as_json(self)

    def save_html(self, path: str | os.PathLike[str], *, title: str | None = None, coarsen: bool = True) -> None:
        """Save a live report: one HTML file that needs no network and can be sent by mail.

        Parameters
        ----------
        path : path
            Where to write it; the file appears whole or not at all.
        title : str, keyword-only, optional
            What the decision is about; the question it answers unless given.
        coarsen : bool, keyword-only
            Whether scores are pooled until each row of the tables in the page stands for at least five cases; the
            page says how far that can move a number.

        Examples
        --------
        >>> import tempfile
        >>> from pathlib import Path
        >>> from stakes import evaluate
        >>> found = evaluate([0, 1, 0, 1], {"model": [0.1, 0.8, 0.3, 0.6]}, "10%..50%")
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     found.save_html(Path(folder) / "report.html")
        ...     (Path(folder) / "report.html").read_text(encoding="utf-8")[:15]
        '<!doctype html>'
        """
        from stakes.report import save_report

        save_report(self, path, title=title, coarsen=coarsen)

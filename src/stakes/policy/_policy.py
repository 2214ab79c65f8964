"""Policies: the threshold to use at each cost, with the performance on the sample it was chosen on."""

from __future__ import annotations

import os
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from stakes import _columns
from stakes._arrays import BoolArray, FloatArray
from stakes._html import small_table
from stakes._wording import plain_number, threshold
from stakes.beliefs import ScaleName
from stakes.limits import Limits, Stairs
from stakes.policy._apply import acts, is_single, scores_for, sql_rule, step_costs, threshold_at, warn_beyond_capacity
from stakes.policy._policy_file import read_policy, write_policy

_PERFORMANCE = ("false_positive_rate", "recall", "precision", "alarms_per_thousand", "regret")
_COLUMNS = ("from_cost", "to_cost", "threshold", "share", *_PERFORMANCE)


def mean_over_steps(share: FloatArray, regret: FloatArray) -> float:
    """Return the mean of the regret of every step that is possible."""
    possible = share > 0
    return float(share[possible] @ regret[possible])


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Policy:
    """The threshold to use at each cost, a step function, with the performance of each step.

    Call it with a cost, on its own scale, for the threshold to use. At a cost where two thresholds tie it is the lower
    one, as a score at the threshold acts. Performance is that on the sample that the thresholds were chosen on.
    `best_thresholds` returns a policy.

    With case costs, alarms, precision and recall count cases and regret is a share of what is at stake.

    Attributes
    ----------
    scale : str
        The scale of the costs: "cost proportion", "fractional cost", "cost ratio" or "inverse cost ratio".
    from_cost, to_cost : ndarray of float64
        The range of costs of each step, ascending.
    threshold : ndarray of float64
        The smallest score to act on; infinite where no alarm is raised.
    share : ndarray of float64
        The probability, under the belief about the costs, of the step.
    false_positive_rate, recall, precision : ndarray of float64
        The operating point; ``nan`` where a denominator is 0.
    alarms_per_thousand : ndarray of float64
        Alarms among a thousand cases.
    regret : ndarray of float64
        Mean regret per case over the costs of the step, with `IndependentCosts` in money; ``nan`` where its share is 0.
    limits : Limits
        The limits under which the thresholds were chosen.
    prevalence : float
        The prevalence of the sample on which they were chosen.
    model : str or None
        The model whose scores they belong to, where it is known: in an evaluation.

    Examples
    --------
    >>> from stakes import Uniform, best_thresholds, score_table
    >>> policy = best_thresholds(score_table(y=[0, 1, 0, 1], score=[1, 2, 3, 4]), Uniform(0.2, 0.8))
    >>> policy
    Policy(2 steps over cost proportion 0.2 to 0.8)
    >>> policy(0.3), policy(0.7)
    (2.0, 4.0)
    """

    scale: ScaleName
    from_cost: FloatArray
    to_cost: FloatArray
    threshold: FloatArray
    share: FloatArray
    false_positive_rate: FloatArray
    recall: FloatArray
    precision: FloatArray
    alarms_per_thousand: FloatArray
    regret: FloatArray
    limits: Limits
    prevalence: float
    model: str | None = None

    def __post_init__(self) -> None:
        for column in _COLUMNS:
            getattr(self, column).flags.writeable = False

    @property
    def mean_regret(self) -> float:
        """Mean regret per case over the belief, in-sample and so optimistic."""
        return mean_over_steps(self.share, self.regret)

    @property
    def stairs(self) -> Stairs:
        """The costs at which the step changes."""
        return Stairs(self.to_cost[:-1], self.scale != "inverse cost ratio")

    def __call__(self, cost: float | str) -> float:
        """Return the threshold to use at a cost.

        Parameters
        ----------
        cost : float or words, such as "10%" or "1:9"
            The cost, on the scale of the policy and within its range; odds are those of a false alarm to a miss.

        Returns
        -------
        float
            The smallest score to act on.
        """
        return threshold_at(self, cost)

    def act(
        self,
        scores: npt.ArrayLike,
        cost: float | str | npt.ArrayLike | None = None,
        *,
        prevalence: float | str | None = None,
    ) -> BoolArray:
        r"""Return which new cases to act on.

        A case is acted on iff its score reaches the threshold of its cost. At another prevalence :math:`\pi'` than that
        of the sample, :math:`\pi`, the threshold is that of the cost :math:`c'` with odds

        .. math:: \frac{c'}{1 - c'} = \frac{c}{1 - c}\,\frac{\pi}{1 - \pi}\,\frac{1 - \pi'}{\pi'},

        which is exact where the classes have the scores they had; limits may be broken there. A warning says so where
        more cases are acted on than the capacity allows.

        Parameters
        ----------
        scores : array-like
            Scores of the new cases, of the model that the policy was chosen for; probabilities where it is known.
        cost : float, words or array-like, optional
            The cost, such as 0.02, "2%" or "1:49", or one number for each case, on the scale of the policy and within
            its range; it may be left out if the policy has one step.
        prevalence : float or words, such as "2%", keyword-only, optional
            Prevalence among the new cases, if not that of the sample.

        Returns
        -------
        ndarray of bool
            True where one acts.

        Examples
        --------
        >>> from stakes import Uniform, best_thresholds, score_table
        >>> policy = best_thresholds(score_table(y=[0, 1, 0, 1], score=[1, 2, 3, 4]), Uniform(0.2, 0.8))
        >>> policy.act([1.5, 2.5, 4.5], cost=0.3).tolist()
        [False, True, True]
        >>> policy.act([1.5, 2.5, 4.5], cost="3:7").tolist()  # a false alarm costs three sevenths of a miss
        [False, True, True]
        >>> policy.act([1.5, 2.5, 4.5], cost=[0.3, 0.7, 0.7]).tolist()
        [False, False, True]
        >>> policy.act([1.5, 2.5, 4.5], cost=0.3, prevalence="25%").tolist()  # as 0.56 there
        [False, False, True]
        """
        score, at = scores_for(self, scores), step_costs(self, cost, prevalence)
        if not is_single(cost):
            _columns.check_same_length(scores=score, cost=at)
        acted = acts(self, score, at)
        warn_beyond_capacity(self, acted)
        return acted

    def to_sql(
        self, score: str = "score", cost: float | str | None = None, *, prevalence: float | str | None = None
    ) -> str:
        """Return the rule as an SQL expression: 1 to act, 0 not to, NULL where a score or a cost is missing.

        Parameters
        ----------
        score : str
            Name of the column of scores, written in quotation marks unless it is a plain word; so are columns of costs.
        cost : float or words, optional
            The cost, as in `act`.
        prevalence : float or words, keyword-only, optional
            Prevalence among the new cases, as in `act`.

        Returns
        -------
        str
            The expression; its threshold has every digit, and is a floating-point number in any dialect. Plain words
            have letters A to Z, digits and underscores only, no digit first, and no meaning in PostgreSQL or DuckDB.

        Examples
        --------
        >>> from stakes import best_thresholds, score_table
        >>> policy = best_thresholds(score_table(y=[0, 1, 0, 1], score=[0.1, 0.2, 0.3, 0.4]), 0.3)
        >>> policy.to_sql("new risk")
        'CASE WHEN "new risk" >= 0.2e0 THEN 1 WHEN "new risk" < 0.2e0 THEN 0 END'
        """
        return self._sql_rule(score, cost, prevalence)

    def _sql_rule(self, score: str, cost: float | str | None, prevalence: float | str | None) -> str:
        return sql_rule(self, score, step_costs(self, cost, prevalence))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the policy to a JSON file, whole or not at all.

        The file has the form of ``policy.schema.json`` in this package, and the SHA-256 of its contents.

        Parameters
        ----------
        path : str or path-like
            File to write; an existing one is replaced.

        Examples
        --------
        >>> import tempfile
        >>> from pathlib import Path
        >>> from stakes import Policy, best_thresholds, score_table
        >>> policy = best_thresholds(score_table(y=[0, 1, 0, 1], score=[1, 2, 3, 4]), "20%..80%")
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     policy.save(Path(folder) / "policy.json")
        ...     Policy.load(Path(folder) / "policy.json") == policy
        True
        """
        write_policy(path, vars(self), self.to_frame())

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Policy:
        """Read a policy written by `save`; raise if the file was changed since.

        Parameters
        ----------
        path : str or path-like
            The file.

        Returns
        -------
        Policy
            The policy, equal to the one saved.

        Examples
        --------
        >>> import tempfile
        >>> from pathlib import Path
        >>> from stakes import Policy, best_thresholds, score_table
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     file = Path(folder) / "policy.json"
        ...     best_thresholds(score_table(y=[0, 1, 0, 1], score=[1, 2, 3, 4]), 0.3).save(file)
        ...     Policy.load(file).act([1.5, 2.5])
        array([False,  True])
        """
        fields = read_policy(path, _COLUMNS)
        from stakes.policy._case_policy import CasePolicy  # which is a policy itself

        return CasePolicy(**fields) if "case_costs" in fields else Policy(**fields)

    def to_frame(self) -> dict[str, FloatArray]:
        """Return the steps as columns by name, which pandas and polars accept as data frames.

        Returns
        -------
        dict of str to ndarray
            One array for each column, with one element for each step, in the order of the attributes.

        Examples
        --------
        >>> from stakes import Uniform, best_thresholds, score_table
        >>> policy = best_thresholds(score_table(y=[0, 1, 0, 1], score=[1, 2, 3, 4]), Uniform(0.2, 0.8))
        >>> policy.to_frame()["recall"].tolist()
        [1.0, 0.5]
        """
        return {column: getattr(self, column) for column in _COLUMNS}

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Policy):
            return NotImplemented
        stated = ("scale", "limits", "model")
        numbers = (*_COLUMNS, "prevalence")
        return all(getattr(self, name) == getattr(other, name) for name in stated) and all(
            np.array_equal(getattr(self, name), getattr(other, name), equal_nan=True) for name in numbers
        )

    __hash__ = None  # type: ignore[assignment]

    def __len__(self) -> int:
        return len(self.threshold)

    def __repr__(self) -> str:
        steps = "1 step" if len(self) == 1 else f"{len(self)} steps"
        return f"Policy({steps} over {self.scale} {self.from_cost[0]:g} to {self.to_cost[-1]:g})"

    def _repr_html_(self) -> str:
        """Show the steps as a table."""
        headings = (self.scale, "act from", "share", "alarms per 1,000", "precision", "recall", "regret")
        columns = self.share, self.alarms_per_thousand, self.precision, self.recall, self.regret
        rows = [
            (
                f"{plain_number(self.from_cost[k])} to {plain_number(self.to_cost[k])}",
                threshold(float(self.threshold[k])),
                *(plain_number(column[k]) for column in columns),
            )
            for k in range(len(self))
        ]
        return small_table("Threshold to use at each cost", headings, rows, "Chosen on the same cases, so optimistic.")

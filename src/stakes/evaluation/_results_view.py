"""Numbers of an evaluation as attributes, each read from the results."""

from __future__ import annotations

from collections.abc import Mapping

from stakes._facts import SampleFacts
from stakes.evaluation._action_use import ActionUse
from stakes.evaluation._at_horizons import Horizon
from stakes.evaluation._decision import Decision
from stakes.evaluation._one_threshold import RecommendedThreshold
from stakes.evaluation._results import Group, Results, Standing
from stakes.evaluation._unit import Unit
from stakes.evaluation._validation import Validation
from stakes.policy import Policy
from stakes.table import ScoreTable
from stakes.uncertainty import GroupComparison, Interval


class ResultsView:
    """The results of an evaluation, one attribute each."""

    results: Results

    @property
    def decision(self) -> Decision:
        """Costs, prevalence and limits as stated."""
        return self.results.decision

    @property
    def sample(self) -> SampleFacts:
        """Numbers of cases, of positives and of dropped cases."""
        return self.results.sample

    @property
    def ranking(self) -> tuple[Standing, ...]:
        """Every model and the two references, acting on everyone and on no one, lowest expected cost first."""
        return self.results.ranking

    @property
    def tables(self) -> Mapping[str, ScoreTable]:
        """The table of each model."""
        return self.results.tables

    @property
    def policies(self) -> Mapping[str, Policy]:
        """Best threshold of each model at each cost."""
        return self.results.policies

    @property
    def actions(self) -> ActionUse | None:
        """Use and value of several actions; None where the decision is between acting and not acting."""
        return self.results.actions

    @property
    def groups(self) -> Mapping[str, Group]:
        """The models in each group of the cases."""
        return self.results.groups

    @property
    def group_comparisons(self) -> Mapping[str, GroupComparison]:
        """The difference of each model and reference to the best, in every group."""
        return self.results.group_comparisons

    @property
    def horizons(self) -> Mapping[float, Horizon]:
        """The models at each of several horizons; empty where there is one."""
        return self.results.horizons

    @property
    def level(self) -> float:
        """Confidence level of the intervals."""
        return self.results.level

    @property
    def folds(self) -> int | None:
        """Number of cross-fitting folds."""
        return self.results.folds

    @property
    def validation(self) -> Validation | None:
        """The apparent costs, of models on the cases they were fitted to; None unless `validate` fitted them."""
        return self.results.validation

    @property
    def baseline(self) -> str | None:
        """Model or reference with which all are compared."""
        return self.results.baseline

    @property
    def harm(self) -> Mapping[str, float]:
        """Harm of the test of each model that has any, as stated."""
        return self.results.harm

    @property
    def unit(self) -> Unit:
        """The unit in which costs are printed."""
        return self.results.unit

    @property
    def recommended_threshold(self) -> RecommendedThreshold | None:
        """One threshold for the best model, with those that do as well."""
        return self.results.recommended_threshold

    @property
    def best(self) -> Standing:
        """The standing with the lowest expected cost."""
        return self.results.best

    @property
    def intervals(self) -> dict[str, Interval]:
        """Interval of the expected regret of each model."""
        return {standing.model: standing.regret for standing in self.ranking}

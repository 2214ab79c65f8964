"""Validate estimators: fit each again and again, and evaluate it on cases it was not fitted to."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy.typing as npt

from stakes import _check
from stakes._check import Seed
from stakes._roles import FrameColumns
from stakes.beliefs import as_share
from stakes.evaluation._decision import DecisionLike, as_decision
from stakes.evaluation._evaluate_source import make_results, with_areas
from stakes.evaluation._evaluation import Evaluation
from stakes.evaluation._fitting import FitData, as_procedures
from stakes.evaluation._optimism import correct_optimism, samples_of
from stakes.evaluation._out_of_fold import predict_out_of_fold
from stakes.evaluation._ranked import ignoring_undefined
from stakes.evaluation._repeated import mean_areas, repeated
from stakes.evaluation._splits import make_repeats


def validate(
    estimators: Any,
    X: Any,  # noqa: N803
    y: npt.ArrayLike,
    decision: DecisionLike,
    *,
    method: str = "cv",
    folds: Any = 10,
    repeats: int | None = None,
    weight: npt.ArrayLike | None = None,
    cluster: npt.ArrayLike | None = None,
    group: npt.ArrayLike | None = None,
    pos_label: object = None,
    level: float | str = 0.95,
    rng: Seed = None,
) -> Evaluation:
    """Rank ways to build a model by their expected cost on cases that the models were not fitted to.

    A model that is evaluated on the cases it was fitted to looks better than it is. Here each estimator is fitted again
    to a part of the cases and evaluated on the rest, until every case was predicted by models that did not know it, and
    all of that is repeated with other folds. What is evaluated is the procedure, at this number of cases: whatever is
    learnt from data, such as scaling, imputation, selection or recalibration, belongs inside the estimator.

    - All estimators have the same folds, so that their differences are paired. Folds are stratified by outcome, and
      keep clusters whole.
    - Expected costs, and the ends of their intervals, are computed in each repeat and averaged over the repeats. The
      predictions of a case are not averaged: that would be another model, a committee, which looks better.
    - The AUC is computed within folds and averaged. Scores of different folds come from different models, and comparing
      them biases it downwards.
    - Under limits, thresholds are chosen on the predictions of the same cases, as `evaluate` does; findings say so.
    - A finding says what each estimator seems to cost when fitted to all cases and evaluated on the same.
    - An estimator that was fitted to these cases beforehand, and does not learn when it is fitted again, gives
      predictions that are the same in every fold. A finding says so; nothing else would show it.

    With ``method="optimism"`` the expected cost on the cases themselves is corrected by how much better models fitted
    to bootstrap samples look on those than on all cases, and so are AUC, Brier score, log loss, and the slope and the
    intercept of calibration, for which folds are too small. That is for regression with at least ten events for each
    coefficient; procedures that fit closely (forests, boosting, many predictors) still look too good. There is no
    report then, since its pictures would be of the models on the cases they were fitted to.

    Parameters
    ----------
    estimators : estimator, or mapping of str to estimator
        Estimators with `fit` and `predict_proba`, as scikit-learn has them; each fit is of a copy. Seeds that are None
        are drawn from `rng`.
    X : array-like or data frame
        What the estimators predict from, a row for each case: NumPy, pandas, polars, PyArrow, sparse, or a list.
    y : array-like
        Outcome of each case: 0 or 1, or booleans; any two labels when `pos_label` names the positive one.
    decision : Decision, or belief, number or words, such as "5%..20%"
        Costs, prevalence and limits; a belief about the costs alone is also accepted.
    method : {"cv", "optimism"}, keyword-only
        Repeated cross-validation, or the bootstrap.
    folds : int, splitter or pairs of rows, keyword-only
        Number of folds; or a splitter of scikit-learn, or pairs of rows to fit on and rows to test on, which test every
        case once, or as often as there are repeats. Not for the bootstrap.
    repeats : int, keyword-only, optional
        How often the cases are dealt into folds, 10 times unless given; or number of bootstrap samples, 200 unless
        given.
    weight : array-like, keyword-only, optional
        Weight of each case, not negative; `fit` is given it as `sample_weight`, by pipelines to their last step.
    cluster : array-like, keyword-only, optional
        Cluster label of each case; the cases of a cluster are in the same fold.
    group : array-like, keyword-only, optional
        Group label of each case, as in `evaluate`.
    pos_label : object, keyword-only, optional
        The label of a positive, when the outcomes are not 0 and 1.
    level : float or words, such as "90%", keyword-only
        Confidence level.
    rng : int, Generator or SeedSequence, keyword-only, optional
        Seed or generator; the same numbers each time unless given.

    Returns
    -------
    Evaluation
        The ranking, its intervals and findings; `Evaluation.validation` says what each estimator seemed to cost.

    See Also
    --------
    evaluate : The same for predictions that were made elsewhere; with `repeat`, for those of a repeated
        cross-validation.

    References
    ----------
    .. [1] F. E. Harrell, K. L. Lee and D. B. Mark (1996), "Multivariable prognostic models", Statistics in Medicine 15,
       361-387.
    .. [2] G. Forman and M. Scholz (2010), "Apples-to-apples in cross-validation studies: pitfalls in classifier
       performance measurement", SIGKDD Explorations 12, 49-57.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.linear_model import LogisticRegression
    >>> from stakes.datasets import load_cohort
    >>> from stakes.evaluation import validate
    >>> cohort = load_cohort()
    >>> X = np.column_stack([cohort["age"], cohort["famhistory"], cohort["marker"]])
    >>> found = validate({"logistic": LogisticRegression()}, X, cohort["cancer"], "5%..20%", repeats=2)
    >>> [standing.model for standing in found.ranking]
    ['logistic', 'act on everyone', 'act on no one']
    >>> apparent, gap = found.validation.apparent["logistic"], found.validation.gap["logistic"]
    >>> round(1000 * apparent, 1), round(1000 * gap, 1)
    (48.8, 0.6)
    """
    stated, confidence = as_decision(decision), as_share("level", level, open_ends=True)
    chosen = _check.choice("method", method, ("cv", "optimism"))
    others: dict[str, Any] = {"weight": weight, "group": group, "cluster": cluster, "pos_label": pos_label}
    data = FitData.of(X, FrameColumns(outcome=y, predictions={}, **others))
    procedures = as_procedures(estimators, weighted=weight is not None)
    random = _check.generator(0 if rng is None else rng)
    dealing, fitting = random.spawn(2)  # the others are those of `evaluate` with the same seed
    if chosen == "optimism":
        samples = samples_of(folds, repeats, data, dealing)
        return Evaluation(correct_optimism(procedures, data, stated, confidence, samples, fitting))
    predicted = predict_out_of_fold(procedures, data, make_repeats(folds, repeats, data, dealing), fitting)
    with ignoring_undefined():
        source = repeated(tuple(data.with_predictions(one) for one in predicted.out_of_fold))
        results = make_results(source, stated, confidence, None, random)
        results = with_areas(results, mean_areas(predicted.by_fold(data), stated))
        return Evaluation(replace(results, validation=predicted.validation(data, stated, results.ranking)))

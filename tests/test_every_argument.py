"""Every public function, every argument, every kind of bad value: one sentence that names the argument.

The table is by the argument's name, since one word means one thing everywhere. A new function or argument that the
table does not know fails the first tests below, until its bad values are written down.
"""

import inspect

import pandas as pd
import pytest
from homes import everything
from sklearn.linear_model import LogisticRegression
from sklearn.svm import LinearSVC

import stakes
from stakes import At, Cases, Decision, Limits, Uniform, bounds
from stakes.evaluation import TableSource

NAN, INFINITE = float("nan"), float("inf")
Y, SCORE = [0, 1, 0, 1, 1, 0, 0, 1], [0.1, 0.8, 0.3, 0.6, 0.4, 0.2, 0.7, 0.9]
TABLE = stakes.score_table(Y, SCORE)
OTHER = stakes.score_table(Y, SCORE[::-1])
CASES = Cases(Y, {"old": SCORE, "new": SCORE[::-1]})
CURVE = stakes.regret_curve(TABLE)
FRAME = pd.DataFrame({"died": Y, "risk": SCORE, "other": SCORE[::-1]})
LIMITS = Limits(capacity=0.5)
MANY = Cases(Y * 3, {"old": SCORE * 3, "new": SCORE[::-1] * 3})
SITES = [stakes.sites.site_summary(MANY, stakes.brier_score, site=name) for name in ("north", "south")]
TIMES, EVENTS = [1, 2, 3, 4, 5, 6, 7, 8], [1, 0, 1, 2, 0, 1, 0, 0]
FOLLOWED = stakes.EventBy(TIMES, EVENTS, 5)
AT_HORIZONS = Cases(stakes.EventBy(TIMES, EVENTS, [3, 5]), {"old": [[one, one] for one in SCORE]})

# What a function hands out, or a type to inherit from: nobody makes one by hand.
HANDED_OUT = {
    "ActionRates",
    "ActionUse",
    "Band",
    "CalibrationBand",
    "CasePolicy",
    "BoundedAUC",
    "ByClass",
    "CalibrationSummary",
    "Comparison",
    "CrossingSet",
    "CostBelief",
    "Curve",
    "Decomposition",
    "DifferenceBand",
    "DataFile",
    "DroppedRowsWarning",
    "Evaluation",
    "Finding",
    "FollowUp",
    "FollowUpCurve",
    "HorizonCurve",
    "FrameReplicates",
    "FrameTables",
    "Drift",
    "Gap",
    "Gate",
    "Group",
    "Horizon",
    "GroupComparison",
    "GroupDifference",
    "Heads",
    "InputError",
    "Interval",
    "MiscalibratedRange",
    "Miscalibration",
    "CasesNeeded",
    "PartialVorosMap",
    "StudyPlan",
    "PooledNumber",
    "PooledSites",
    "Policy",
    "PolicyCost",
    "Polygon",
    "QuantisedTable",
    "Ranking",
    "Recalibration",
    "Recommendation",
    "RecommendedThreshold",
    "Results",
    "ScoreTable",
    "SampleFacts",
    "Selection",
    "SiteNumber",
    "SiteSummary",
    "Source",
    "Standing",
    "TopK",
    "Unit",
    "Validation",
    "Violations",
    "Watch",
}
# Whatever is given is taken as a yes or a no, or as a label.
ANYTHING = {
    "cause",
    "censored",
    "exact",
    "fine_ends",
    "by_class",
    "randomised",
    "pos_label",
    "form",
    "bounds",
    "call",
    "floor",
}

NO_TABLE = [None, 3, "table", Y]
NO_BELIEF = [None, 3.5, Y, object(), "nonsense", True]
NO_PROBABILITY = [-0.1, 1.5, NAN, INFINITE, "half", None]
NO_NUMBER = [NAN, INFINITE, "many", None, [1, 2]]
NO_COUNT = [0, -1, 1.5, "many", None]
NO_COLUMN = ["absent", 3]
NO_RANGE = [0.3, (0.1,), (0.5, 0.1), (0.3, 0.3), (0.1, NAN), ("little", 0.5), "0.5..0.1", None]
NO_SHARES = [*NO_RANGE, (-0.1, 0.5), (0.1, 1.5)]
NO_VECTOR = [[], [[0.1, 0.2]], [0.1, NAN], [0.1, INFINITE], ["a", "b"], None]

# The argument's name: a good value, and bad ones. `function.argument` goes before `argument`.
ARGUMENTS = {
    "table": (TABLE, NO_TABLE),
    "table_a": (TABLE, NO_TABLE),
    "table_b": (OTHER, NO_TABLE),
    "tables": ({"old": TABLE, "new": OTHER}, [None, {}, TABLE, {"old": 3}, {"old": None}]),
    "tables_by_group": ({"a": {"old": TABLE, "new": OTHER}}, [3, {"a": 3}, {"a": {"old": 3, "new": OTHER}}]),
    "source": (TableSource({"old": TABLE, "new": OTHER}), [None, 3, TABLE]),
    "costs": (Uniform(0.1, 0.4), NO_BELIEF),
    "h_measure.costs": (Uniform(0.1, 0.4), NO_BELIEF[1:]),
    "prevalence": (At(0.3), NO_BELIEF),
    "explain_gap.prevalence": (At(0.3), NO_BELIEF[1:]),
    "explain_gaps.prevalence": (At(0.3), NO_BELIEF[1:]),
    "Decision.costs": ("10%..40%", [None, Y, "nonsense", 1.5, 0.0, NAN, object()]),
    "Actions.costs": (
        {"leave": (0, 9), "act": (1, 0)},
        [
            None,
            3,
            "leave",
            {},
            {"leave": (0, 9)},
            {"leave": 3, "act": (1, 0)},
            {1: (0, 9), 2: (1, 0)},
            [(0, NAN), (1, 0)],
        ],
    ),
    "Decision.words": ({"miss": "missed cancer"}, [3, {"mis": "missed cancer"}, {"miss": 3}, {"miss": ""}]),
    "Decision.unit": ("false alarms", [3, "money", "nonsense"]),
    "Decision.prevalence": ("10%..40%", [Y, "nonsense", 1.5, 0.0, NAN, object()]),
    "at_prevalence.prevalence": (0.3, NO_PROBABILITY),
    "reweight_classes.prevalence": (0.3, NO_PROBABILITY),
    "shift_scores.prevalence": (0.3, NO_PROBABILITY),
    "limits": (LIMITS, [3, "10%", TABLE]),
    "belief": (Uniform(0.1, 0.4), NO_BELIEF),
    "cases": (CASES, [None, TABLE, Y]),
    "curve": (stakes.decision_curve, [None, 3, CURVE]),
    "curve_a": (CURVE, [None, TABLE, Y]),
    "curve_b": (stakes.regret_curve(OTHER), [None, TABLE, Y]),
    "decision": (Decision("10%..40%"), [None, 3.5, LIMITS, "nonsense"]),
    "y": (Y, [[], [0, 1, 2], [0, NAN], [0, None], ["a", "b", "c"], None, [[0, 1], [1, 0]]]),
    "score": (SCORE, [[], SCORE[1:], [NAN, *SCORE[1:]], [None, *SCORE[1:]], ["a"] * 8]),  # infinite ones rank
    "estimate_prevalence.score": (SCORE, [[], [NAN, 0.2], [-0.1, 0.2], [1.5, 0.2], ["a", "b"], None]),
    "weight": ([1.0] * 8, [[1.0] * 7, [-1.0] + [1.0] * 7, [NAN] + [1.0] * 7, ["a"] * 8, [0.0] * 8]),
    "cluster": (list("aabbccdd"), [["a"], [None] * 8]),
    "group": (list("aabbaabb"), [["a"], [["a"]] * 8]),
    "predictions": ({"old": SCORE}, [{}, None, SCORE, {"old": SCORE[1:]}, {"old": ["a"] * 8}, {"old": [NAN] * 8}]),
    "evaluate.predictions": (
        {"old": SCORE},
        [{}, None, SCORE, {"old": SCORE[1:]}, {"old": ["a"] * 8}, {"old": [1.5] * 8}],
    ),
    "cost_range": ((0.1, 0.5), NO_SHARES),
    "fpr_range": ((0.1, 0.5), NO_SHARES),
    "prevalence_range": ((0.1, 0.5), [*NO_SHARES, (0, 0.5)]),
    "score_range": ((0.1, 0.5), NO_RANGE),  # scores may be any numbers
    "x_range": ((0.1, 0.5), [*NO_RANGE, (-0.1, 0.5), (0.1, 1.5)]),
    "low": (0.1, [-0.1, 1.5, NAN, "little", None]),
    "high": (0.5, [-0.1, 1.5, NAN, "much", None]),
    "CostRatio.high": (0.5, [0.01, -0.1, INFINITE, NAN, "much", None]),
    "CostRatio.low": (0.1, [0.9, -0.1, INFINITE, NAN, "little", None]),
    "InverseCostRatio.high": (0.5, [0.01, -0.1, INFINITE, NAN, "much", None]),
    "InverseCostRatio.low": (0.1, [0.9, -0.1, INFINITE, NAN, "little", None]),
    "log_odds_density_curve.reach": (5.0, [0, -1, *NO_NUMBER]),
    "threshold": (0.5, [NAN, "high", None]),
    "edges": ([0.2, 0.5], [[NAN], ["high"], [1.5]]),
    "thresholds": ([0.2, 0.5], [[NAN], ["high"], [[0.2]]]),
    "cost": (0.2, [-0.1, 1.5, NAN, "half"]),
    "exchange": ("20%..50%", [3.5, Y, object(), "nonsense", True, stakes.beliefs.EveryLogOdds()]),
    "harm": (0.01, [-0.1, NAN, "little"]),
    "rows": (3, NO_COUNT),
    "k": (2, [0, -1, NAN, INFINITE, 1e9, "many", None]),
    "bins": (8, [0, -1, 1.5, "many"]),
    "level": (0.9, [0, 1, -0.1, NAN, "high"]),
    "deviate": (2.5, [0, -1, NAN, INFINITE, "far"]),
    "n_resamples": (50, [0, -1, 1.5, "many"]),
    "method": ("percentile", ["guess", 3]),
    "interval.measure": (stakes.brier_score, [None, 3, TABLE]),
    "compare.measure": (stakes.brier_score, [None, 3, TABLE]),
    "compare_groups.measure": (stakes.brier_score, [None, 3, TABLE]),
    "compare_groups.group": (list("aabbaabb"), [["a"], [["a"]] * 8, [None] * 8]),
    "rank.measure": (stakes.brier_score, [None, 3, TABLE]),
    "Study.measure": (stakes.brier_score, [None, 3, TABLE]),
    "better": ("smaller", ["lower", 3, True]),
    "prior": ("flat", ["uniform", 3]),
    "Measure.name": ("mine", [None, 3]),
    "Measure.value": (stakes.auc, [None, 3, TABLE]),
    "Measure.better": ("smaller", ["lower", 3, True]),
    "Measure.reads": ("order", ["ranks", None]),
    "Measure.resampled": ("basic", ["percentile", None]),
    "rng": (1, ["seed", -1, 1.5]),
    "seed": (1, ["seed", -1, 1.5]),
    "folds": (2, [0, 1, -2, 1.5, "many", 1000]),
    "validate.folds": (2, [0, 1, -2, 1.5, "many", 1000, object(), [3], [([0], [0])], [([0, 1], [8])]]),
    "repeats": (2, [0, -1, 1.5, "many"]),
    "repeat": (None, [["a"], [None] * 8, list("aabbbbbb")]),
    "estimators": (
        LogisticRegression(),
        [None, 3, {}, {"a": 3}, {1: LogisticRegression()}, LogisticRegression, LinearSVC()],
    ),
    "X": ([[score] for score in SCORE], [None, 3, [[0.1]], "scores"]),
    "groups": ({"a": {"old": TABLE, "new": OTHER}}, [3, {"a": 3}, {"a": {"old": 3, "new": OTHER}}]),
    "a": ("old", ["absent", 3]),
    "b": ("new", ["absent", 3]),
    "from_odds.a": (1, [-1, NAN, INFINITE, "one"]),
    "from_odds.b": (9, [-1, NAN, INFINITE, "nine"]),
    "n": (20, [0, 0.5, -1, NAN, INFINITE, "many"]),
    "text": ("5%..20%", ["", "nonsense", "5%..", None, 3]),
    "value": (0.2, [0, 1, -0.1, 1.5, NAN, "half", None]),
    "median": (0.2, [0, 1, -0.1, 1.5, NAN, "half", None]),
    "values": ([0.1, 0.3], [[], [0.1, 1.5], [NAN, 0.3], ["a", "b"], None]),
    "isometrics.values": ([0.5, 0.7], [[], [NAN, 0.3], ["a", "b"], None]),
    "weights": ([2, 1], [[1], [-1, 2], [NAN, 1], [0, 0], ["a", "b"]]),
    "parts": ([At(0.2), At(0.4)], [[], [3, 4], None]),
    "alpha": (2, [0, -1, *NO_NUMBER]),
    "beta": (8, [0, -1, *NO_NUMBER]),
    "false_positive": (1.0, [-1, NAN, INFINITE, "one", None]),
    "false_negative": (9.0, [-1, NAN, INFINITE, "one", None]),
    "CaseCosts.false_positive": (1.0, [NAN, INFINITE, None, [1, NAN], [[1, 2]]]),
    "CaseCosts.false_negative": (9.0, [NAN, INFINITE, None, [1, NAN], [[1, 2]]]),
    "CaseCosts.true_positive": (0.5, [NAN, INFINITE, None, [1, NAN], [[1, 2]]]),
    "CaseCosts.true_negative": (0.5, [NAN, INFINITE, None, [1, NAN], [[1, 2]]]),
    "CaseCosts.effort": ([1.0] * 8, [NAN, INFINITE, 0, [1, 0], [1, NAN]]),
    "case_costs": (stakes.CaseCosts(false_negative=9), [3, "amount", [1, 2], [[1, 2, 3]] * 8, [[1, NAN]] * 8]),
    "IndependentCosts.false_positive": ((1, 3), [(3, 1), (-1, 2), (NAN, 1), 3, None]),
    "IndependentCosts.false_negative": ((20, 40), [(40, 20), (-1, 2), (NAN, 1), 3, None]),
    "capacity": (0.5, [-0.1, 1.5, NAN, "half"]),
    "Limits.budget": (None, [-0.1, NAN, INFINITE, "half", "1/0"]),
    "min_precision": (0.5, [-0.1, 1.5, NAN, "half"]),
    "partial_voros_map.capacity": ([0.2, 0.5], [[-0.1], [1.5], [NAN], ["half"]]),
    "partial_voros_map.min_precision": ([0.2, 0.5], [[-0.1], [1.5], [NAN], ["half"]]),
    "from_prevalence": (0.3, NO_PROBABILITY[:-1]),
    "explain_gap.measure": (stakes.prevalence.prior_adjusted_net_benefit, ["absent", 3]),
    "explain_gaps.measure": (stakes.prevalence.prior_adjusted_net_benefit, ["absent", 3]),
    "isometrics.measure": ("accuracy", ["absent", 3]),
    "reference": ("old", ["absent", 3]),
    "baseline": ("old", ["absent", 3]),
    "evaluate.harm": ({"old": 0.01}, [0.01, "old=0.01", {"absent": 0.01}, {"old": -1}, {"old": NAN}, {"old": "much"}]),
    "evaluate_source.harm": (None, [0.01, {"absent": 0.01}, {"a": -1}, {"a": NAN}, {"a": INFINITE}, {"a": 0.01}]),
    "more": (100, [0, -1, 1.5, "many", [], [0], None]),
    "worth": (100, [0, -1, NAN, INFINITE, "many"]),
    "decisions": (None, [0, -1, NAN, INFINITE, "many", 100]),
    "price": (None, [0, -1, NAN, INFINITE, "much", 5]),
    "fixed": (0.0, [-1, NAN, INFINITE, "much", None]),
    "unit_value": (1.0, [0, -1, NAN, INFINITE, "much", None]),
    "value_of_cases.method": ("normal", ["guess", 3]),
    "value_of_cases.measure": (stakes.brier_score, [None, 3, TABLE]),
    "cases_needed.measure": (stakes.brier_score, [None, 3, TABLE, "slope"]),
    "cases_needed.margin": (None, [*NO_NUMBER[:3], [1, 2]]),
    "cases_needed.models": (["new", "old"], ["absent", ["absent"], ["new", "new"], []]),
    "width": (0.1, [0, -1, NAN, INFINITE, "wide"]),
    "power": (0.8, [0, 1, -0.1, NAN, "high"]),
    "assurance": (0.8, [0, 1, -0.1, NAN, "high"]),
    "auc": (0.8, [0.5, 1.0, 1.5, NAN, "high", None, {}, {1: 0.8}]),
    "slope": (1.0, [0, -1, *NO_NUMBER]),
    "intercept": (0.0, NO_NUMBER),
    "correlation": (0.5, [-0.1, 1.5, NAN, "high"]),
    "imagine.prevalence": (0.3, NO_PROBABILITY),
    "new": ("new", ["absent", 3, "old"]),
    "old": ("old", ["absent", 3]),
    "drift.reference": (TABLE, [*NO_TABLE, stakes.score_table([1, 1], [0.1, 0.2])]),
    "scores": (SCORE, [[], [NAN, 0.2], [-0.1, 0.2], [1.5, 0.2], ["a", "b"], None]),
    "drift.costs": (Uniform(0.1, 0.4), NO_BELIEF[1:]),
    "batches": ([(Y, SCORE)], [None, 3, "months", [3], [(Y,)]]),
    "promised": (0.1, [0, -1, 5.0, *NO_NUMBER]),
    "watch.tolerance": (0.01, [-1, NAN, INFINITE, "small", None]),
    "false_alarm_every": (240, [1, 0, -1, NAN, INFINITE, "rarely", None]),
    "watch.baseline": (None, [3, [1], TABLE]),
    "largest_cluster": (None, [0, -1, 1.5, NAN, "many"]),
    "watch.capacity": (None, [-0.1, 1.5, NAN, "half"]),
    "watch.threshold": (None, [NAN, "high"]),
    "margin": (0.01, NO_NUMBER),
    "gate.level": (0.9, [0, 1, -0.1, 0.5, NAN, "high"]),
    "gate.measure": (stakes.brier_score, [None, 3, TABLE]),
    "sites": (SITES, [None, 3, [], [3], "sites", SITES[0]]),
    "pool_sites.measure": (None, [3, TABLE]),
    "pool_sites.site": (None, [3, ["north"] * 8]),
    "site_summary.cases": (MANY, [None, TABLE, Y, CASES]),
    "site_summary.measure": (stakes.brier_score, [None, 3, TABLE]),
    "site_summary.site": ("north", [None, 3]),
    "by": ("partial_voros", ["absent", 3]),
    "region": (stakes.limits.feasible_region(TABLE, LIMITS), [None, 3, TABLE]),
    "false_positive_rate": (0.2, [-0.1, 1.5, NAN, "half"]),
    "true_positive_rate": (0.6, [-0.1, 1.5, NAN, "half"]),
    "t": (0.5, [-0.1, 1.5, NAN, "half"]),
    "policy": (stakes.best_thresholds(TABLE, Uniform(0.1, 0.4), LIMITS), [None, 3, TABLE]),
    "x": ([0.2, 0.5], [[NAN], ["half"], [[0.2]]]),
    "path": ("table.npz", [None, 3]),
    "open_file.path": ("sample.csv", [None, 3]),
    "encoding": (None, [3, "utf-9"]),
    "sheet": (None, [3, "Daten"]),
    "missing": ([], [3, [3]]),
    "time": (TIMES, [[], [-1] * 8, [NAN] * 8, [INFINITE] * 8, ["a"] * 8, TIMES[1:], 3, None]),
    "event": (EVENTS, [[], [-1] * 8, [0.5] * 8, [NAN] * 8, [None] * 8, ["left"] * 8, EVENTS[1:], 3, None]),
    "horizon": (5, [0, -1, NAN, INFINITE, "long", None, [5, 3], 9]),
    "horizon_weights": (None, [3, "even", [1], [1, 2]]),
    "entry": ([0] * 8, [[], [-1] * 8, [NAN] * 8, TIMES, [0] * 7, ["a"] * 8, 3]),
    "censoring": (None, [3, "site", [1] * 8]),
    "labels": (list("aabbaabb"), [[], [None] * 8, [[["a"]]] * 8, [["a", None]] * 8, 3, None]),
    "covariates": (SCORE, [[], [NAN] * 8, [INFINITE] * 8, [["a"]] * 8, 3, None]),
    "probability": (SCORE, [[], [0.0] * 8, [1.5] * 8, [NAN] * 8, ["a"] * 8, 3, None]),
    "follow_up.predictions": ({"old": SCORE}, [{}, SCORE, {"old": SCORE[1:]}, {"old": ["a"] * 8}]),
    "follow_up.outcome": (FOLLOWED, [None, 3, Y, TABLE]),
    "frame": (FRAME, [None, 3, "frame", SCORE]),
    "outcome": ("died", NO_COLUMN),
    "follow_up_curve.outcome": (FOLLOWED, [None, 3, Y]),
    "horizon_curve.measure": (stakes.brier_score, [None, 3]),
    "horizon_curve.cases": (AT_HORIZONS, [None, TABLE, CASES]),
    **{
        f"{function}.predictions": (["risk", "other"], [[], ["absent"], [3], 3])
        for function in ("score_tables", "cases", "replicates", "quantise_frame")
    },
    "data": (None, [3, SCORE]),
    "key": (None, NO_COLUMN),
    "replicates.key": ("other", NO_COLUMN),
    "in_memory": (1000, [-1, 1.5, "many"]),
    "on_missing": ("error", ["ignore", 3]),
    "quantise.score": (SCORE, [[], SCORE[1:], [NAN, *SCORE[1:]], [None, *SCORE[1:]], ["a"] * 8]),
    "tolerance": (0.01, [0, -1, NAN, "small"]),
    "measures": ({"Brier": stakes.brier_score}, [{}, {"Brier": 3}, None, 3]),
    "number": (bounds.brier_score, [3, "absent"]),
    "count": (8, NO_COUNT),
    "file": ("sample.csv", [3, None]),
    "memory_limit": ("100MB", ["little", "1 elephant"]),
}
OF_FRAMES = {
    "weight": (None, NO_COLUMN),
    "cluster": (None, NO_COLUMN),
    "group": (None, NO_COLUMN),
    "score": ("risk", NO_COLUMN),
    "predictions": (["risk", "other"], [[], ["absent"], [3], 3]),
}


# What has a default, and must be given all the same where nothing else is.
ALSO_NEEDED = {
    (stakes.planning.cases_needed, "width"),
    (stakes.planning.cases_needed, "models"),
    (stakes.large.quantise, "score"),
    (stakes.frames.replicates, "key"),
}


def of_frame(function):
    return function.__module__.startswith(("stakes.frames.", "stakes.large._stream", "stakes.large._quantise_frame"))


def known(function, name):
    """Return a good value and bad ones for an argument, or nothing where the table does not know it."""
    if f"{function.__name__}.{name}" in ARGUMENTS:
        return ARGUMENTS[f"{function.__name__}.{name}"]
    if of_frame(function) and name in OF_FRAMES:
        return OF_FRAMES[name]
    return ARGUMENTS.get(name)


def asked(function):
    """Return the arguments of a function by name."""
    return {
        name: parameter
        for name, parameter in inspect.signature(function).parameters.items()
        if parameter.kind not in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)
    }


PUBLIC = [thing for path, thing in everything().items() if path.partition(".")[2] not in HANDED_OUT]
FUNCTIONS = [one for one in PUBLIC if callable(one)]


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda one: one.__name__)
def test_the_table_knows_every_argument(function):
    assert [name for name in asked(function) if name not in ANYTHING and known(function, name) is None] == []


def shown(bad):
    """Return a short text that is the same in every process."""
    return type(bad).__name__ if type(bad) is object else repr(bad)[:60]


BAD = [
    pytest.param(function, name, bad, id=f"{function.__name__}-{name}-{shown(bad)}")
    for function in FUNCTIONS
    for name in asked(function)
    if name not in ANYTHING and known(function, name)
    for bad in known(function, name)[1]
]


@pytest.fixture
def good(tmp_path):
    """Return good arguments for a function; files are there to be read."""

    def arguments(function):
        needed = {}
        for name, parameter in asked(function).items():
            if parameter.default is parameter.empty or (function, name) in ALSO_NEEDED:
                needed[name] = known(function, name)[0]
        return needed

    FRAME.to_csv(tmp_path / "sample.csv", index=False)

    return arguments


@pytest.mark.sample(4)
@pytest.mark.parametrize(("function", "name", "bad"), BAD)
def test_a_bad_argument_is_named(function, name, bad, good, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises((TypeError, ValueError, ImportError)) as raised:
        function(**{**good(function), name: bad})
    assert f"`{name}" in str(raised.value)
    assert str(raised.value).endswith(".")

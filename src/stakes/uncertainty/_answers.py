"""Answers of a study: the interval of one model, the difference between two on the same cases."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from stakes import _check
from stakes._case_columns import short
from stakes._errors import InputError, InputTypeError
from stakes._facts import effective_cases
from stakes._html import small_table
from stakes._language import say, say_count
from stakes._wording import describe_method, plain_number, probability, sentence, show_interval
from stakes.beliefs import as_share
from stakes.cases import Cases, horizons_of, stakes_of_cases, weighed_cases
from stakes.measures import CaseValues, Form, Measure
from stakes.uncertainty._bootstrap import Question, Request, resample

RESAMPLED = ("percentile", "basic", "bca")
CONSISTENCY = "consistency"  # the method: outcomes are drawn that are consistent with the scores


@dataclass(frozen=True, slots=True, repr=False)
class Interval:
    """A measure and its confidence interval.

    Attributes
    ----------
    estimate : float
        The measure on the sample, exact.
    lower, upper : float
        The ends of the confidence interval.
    method : str
        How the ends were computed: analytic, percentile, basic, bca, or consistency (see `miscalibration`).
    coarsening : float
        The measure on the coarse table that was resampled, less the estimate; the ends are corrected for it.
    coarsening_error : float
        How far coarsening may have moved the ends; 0 where all rows were resampled.
    caution : str
        The reason not to trust the level, if the sample is smaller than those on which its coverage was verified; else
        empty.

    Examples
    --------
    >>> from stakes.uncertainty import Interval
    >>> Interval(0.81, 0.78, 0.84, "analytic")
    Interval(0.81 [0.78, 0.84], analytic)
    """

    estimate: float
    lower: float
    upper: float
    method: str
    coarsening: float = 0.0
    coarsening_error: float = 0.0
    caution: str = ""

    def __repr__(self) -> str:
        ends = show_interval(self.estimate, self.lower, self.upper)
        return f"Interval({ends}, {describe_method(self.method, self.caution)})"


def check_cases(cases: object) -> None:
    """Raise unless `cases` are Cases."""
    if not isinstance(cases, Cases):
        raise InputTypeError("cases", "be Cases", type(cases).__name__)


def check_one_table(cases: Cases, what: str) -> None:
    """Raise if cases have costs of their own, or several horizons: `what` is of one table of people."""
    if stakes_of_cases(cases) is not None:
        hint = "intervals, comparisons and rankings take such cases"
        raise InputError("cases", f"have no case costs for {what}", "cases with them", hint=hint)
    if horizons_of(cases):
        raise InputError("cases", f"have one horizon for {what}", "several", hint="use `cases.at(horizon)`")


def check_all_known(cases: Cases, what: str, hint: str) -> None:
    """Raise if the outcome of some cases is unknown or weighed; `what` needs them as they are."""
    check_one_table(cases, what)
    if (weighed := weighed_cases(cases)) is not None:
        left = int(np.count_nonzero(weighed.weight == 0))
        raise InputError("cases", f"have known outcomes for {what}", f"{left:,} of {len(cases):,} unknown", hint=hint)


def as_level(level: float | str, n_resamples: int) -> float:
    """Return the confidence level as a number; raise unless there are enough replicates for its quantiles."""
    _check.whole_number("n_resamples", n_resamples, 100)
    return as_share("level", level, open_ends=True)


def choose_method(method: str, form: Form | None, otherwise: str, resampled: tuple[str, ...] = RESAMPLED) -> str:
    """Return the method to use; `auto` is analytic where there is a form, and `otherwise` elsewhere."""
    _check.choice("method", method, ("auto", "analytic", *resampled))
    if method == "auto":
        return otherwise if form is None else "analytic"
    if method == "analytic" and form is None:
        raise InputError(
            "method",
            f"be one of {', '.join(resampled)} for a measure without a formula",
            "'analytic'",
            hint="for a formula, use one of our measures or `Measure.mean`",
        )
    return method


def interval_method(method: str, measure: Measure, *, above_chance: bool = True) -> str:
    """Return the method of an interval; auto takes off what chance adds, where that is known."""
    if method == "auto" and measure.floor is not None and above_chance:
        return CONSISTENCY
    return choose_method(method, measure.form, measure.resampled)


def bootstrap_interval(question: Question, request: Request, rng: np.random.Generator) -> Interval:
    """Return the bootstrap interval of a measure."""
    result = resample(question, request, rng)
    doubt, coarsening = caution(question.cases), (result.coarsening, result.coarsening_error)
    return Interval(question.estimate, *result.ends, request.method, *coarsening, doubt)


def units_of(cases: Cases) -> int:
    """Return the number of independent units: clusters, or cases."""
    return len(cases) if cases.cluster is None else int(cases.cluster.max()) + 1


# The smallest numbers at which `benchmarks/covering.py` saw intervals cover; the page on uncertainty has the figures.
FEWEST_OF_A_CLASS, FEWEST_CLUSTERS = 10, 30
FEWEST_WITH_HALF_CASES = 5  # of the intervals that add half a case of every kind, and of an area's score interval

UNBOUNDED = "no bound: a single case may cost any amount"


def caution(
    cases: Cases, values: CaseValues | None = None, *, fewest: int = FEWEST_OF_A_CLASS, trusted: str = "level"
) -> str:
    """Return the reason not to trust a level: too few cases, or an unbounded loss.

    `trusted` is what the reader would trust, where that is not a level.
    """
    unbounded = UNBOUNDED if values is not None and not values.is_bounded else ""
    few = _too_few(cases, fewest)
    return "; ".join(filter(None, [few and say(f"{{few}}, too few to trust the {trusted}", few=few), unbounded]))


def _too_few(cases: Cases, fewest: int) -> str:
    """Return how few clusters or cases of a class there are, in number or by weight."""
    if horizons := horizons_of(cases):  # events only become more, and those known to have none only fewer
        return next(filter(None, (_too_few(cases.at(time), fewest) for time in horizons)), "")
    if cases.cluster is not None and (clusters := units_of(cases)) < FEWEST_CLUSTERS:
        return _only(clusters, "clusters")
    return few_of_a_class(cases, fewest)


def few_of_a_class(cases: Cases, fewest: int) -> str:
    """Return how few cases of a class there are, in number or by weight; an empty text if enough."""
    positive = int(np.count_nonzero(cases.positive))
    weighed = weighed_cases(cases)
    known = len(cases) if weighed is None else int(np.count_nonzero(weighed.weight))
    counts = {"positives": positive, "negatives": known - positive}
    found = effective_cases(cases.positive, cases.weight) if weighed is None else weighed.effective_cases
    effective = dict(zip(counts, found, strict=True))
    which = min(effective, key=effective.__getitem__)
    if is_enough(effective[which], fewest):
        return ""
    if counts[which] < fewest:
        return _only(counts[which], which)
    text = f"{{count:,}} {which} with weights so unequal that they count like {{effective:.1f}}"
    return say(text, count=counts[which], effective=effective[which])


def _only(number: int, things: str) -> str:
    """Write a number of things that is too small."""
    if not number:
        return say(f"no {things}")
    return say_count(
        number, f"only {{number:,}} {things.removesuffix('s')}", f"only {{number:,}} {things}", number=number
    )


def is_enough(effective: float, fewest: int) -> bool:
    """Return whether an effective number of cases is enough, whatever rounding says of equal weights."""
    return effective >= fewest * (1 - 1e-9)


@dataclass(frozen=True, slots=True, repr=False)
class Comparison:
    """The difference between two models on the same cases.

    Attributes
    ----------
    a, b : str
        The names of the models.
    difference : float
        The measure of `a` minus that of `b`.
    lower, upper : float
        The ends of its confidence interval.
    probability_better : float
        The probability that `a` is better than `b` in the population; a tie counts half.
    method : str
        How the ends were computed: analytic, percentile, basic or bca.
    coarsening, coarsening_error : float
        The measure on the coarse tables that were resampled, less the exact difference, and how far coarsening may have
        moved the ends; as in `Interval`.
    caution : str
        The reason not to trust the level, if the sample is small; else empty.

    Examples
    --------
    >>> from stakes.uncertainty import Comparison
    >>> Comparison("new", "old", 0.02, 0.01, 0.03, 0.999, "analytic")
    Comparison(new - old: 0.02 [0.01, 0.03], better with probability 0.999, analytic)
    """

    a: str
    b: str
    difference: float
    lower: float
    upper: float
    probability_better: float
    method: str
    coarsening: float = 0.0
    coarsening_error: float = 0.0
    caution: str = ""

    def __repr__(self) -> str:
        ends = show_interval(self.difference, self.lower, self.upper)
        better = f"better with probability {probability(self.probability_better)}"
        names = f"{short(self.a)} - {short(self.b)}"
        return f"Comparison({names}: {ends}, {better}, {describe_method(self.method, self.caution)})"

    def _repr_html_(self) -> str:
        """Show the difference as a table of one row."""
        numbers = *map(plain_number, (self.difference, self.lower, self.upper)), probability(self.probability_better)
        headings = ("", "difference", "lower", "upper", f"P({short(self.a)} better)")
        row = (f"{short(self.a)} \u2212 {short(self.b)}", *numbers)
        return small_table(
            "Difference on the same cases",
            headings,
            [row],
            sentence(describe_method(f"method: {self.method}", self.caution)),
        )

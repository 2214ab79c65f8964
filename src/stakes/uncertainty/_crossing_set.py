"""Where one of two models is better than the other, where it is worse, and where a sample cannot say."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import starmap

import numpy as np

from stakes._arrays import BoolArray, FloatArray
from stakes._case_columns import short
from stakes._errors import join_words
from stakes._wording import percent
from stakes.beliefs import RangeLike, as_range
from stakes.cases import Cases
from stakes.curves import crossings, decision_curve
from stakes.table import ScoreTable
from stakes.uncertainty._difference_band import DifferenceBand, difference_band, difference_band_if, places_of

Ranges = tuple[tuple[float, float], ...]

_DIGITS, _MOST_DIGITS = 3, 15  # of the ends of a range that would read alike in fewer


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class CrossingSet:
    """Costs at which one of two models is better, and at which they may cross.

    `a_better`, `b_better` and `unclear` make up the range that was asked about. Each is a tuple of ranges, every one
    from its lowest to its highest cost.

    Attributes
    ----------
    a, b : str
        The names of the models.
    estimates : ndarray of float64
        The costs at which the decision curves cross in the sample, ascending: exact, between places at which
        different models lead. Curves of samples cross by chance, so these are worth naming only where each model is
        better somewhere.
    set : tuple of tuple of float
        The confidence set of a crossing, with the level for any one true crossing: empty, in pieces, or all.
    a_better, b_better : tuple of tuple of float
        Where the simultaneous band of the difference lies above 0, and where below; all of it with the level.
    unclear : tuple of tuple of float
        Where it does neither: the sample cannot say.
    band : DifferenceBand
        The difference of the decision curves at the places, with both bands.

    Examples
    --------
    >>> from stakes import Cases
    >>> from stakes.uncertainty import crossing_set
    >>> cases = Cases([0, 1, 1, 0] * 40, {"a": [0.1, 0.8, 0.9, 0.2] * 40, "b": [0.1, 0.4, 0.9, 0.2] * 40})
    >>> crossing_set(cases, "a", "b", cost_range=(0.2, 0.6))
    CrossingSet(a better at 40% to 60%; b better nowhere; unclear at 20% to 40%; level 0.95)
    """

    a: str
    b: str
    estimates: FloatArray
    set: Ranges
    a_better: Ranges
    b_better: Ranges
    unclear: Ranges
    band: DifferenceBand

    def __repr__(self) -> str:
        parts = {
            f"{short(self.a)} better": self.a_better,
            f"{short(self.b)} better": self.b_better,
            "unclear": self.unclear,
        }
        said = "; ".join(f"{name} {_say(ranges)}" for name, ranges in parts.items())
        doubt = f"; {self.band.caution}" if self.band.caution else ""
        return f"CrossingSet({said}; level {self.band.level:g}{doubt})"


def crossing_set(
    cases: Cases,
    a: str,
    b: str,
    *,
    cost_range: RangeLike,
    level: float | str = 0.95,
    deviate: float | None = None,
) -> CrossingSet:
    r"""Return where in a range of costs one model is better than another, and where their curves may cross.

    Three things can be said of a cost, by the simultaneous band of `difference_band` over the whole range: `a` is
    better where the band lies above 0, `b` is better where it lies below, and elsewhere the sample cannot say. All of
    it holds together with the confidence level. Only where each model is better somewhere have their curves a crossing
    to speak of.

    The confidence set of the crossing has the costs whose pointwise interval holds 0, as Fieller's does [1]_: a true
    crossing is a cost at which the difference is 0, so the set leaves it out only where that interval is wrong, and no
    correction for many places is needed. It lies within the part that is unclear.

    Both are known at 101 places, a hundredth of the range apart. Between two neighbouring places one model is better if
    it is so at both; and the set leaves the stretch out if both pointwise intervals lie on the same side of 0.

    Parameters
    ----------
    cases : Cases
        The sample, scores being probabilities. Cases are independent, or come in independent clusters.
    a, b : str
        The names of two models.
    cost_range : pair of float or words, such as "5%..20%", keyword-only
        The range of cost proportions, chosen before looking at the data. At 0 and at 1 themselves there is nothing to
        decide, so a range from 0 begins at its first hundredth, and one up to 1 ends before its last.
    level : float or words, such as "90%", keyword-only
        Confidence level, strictly between 0 and 1.
    deviate : float, keyword-only, optional
        The deviate of the simultaneous band; computed unless given.

    Returns
    -------
    CrossingSet
        The ranges of cost at which `a` is better, `b` is better, and neither can be said; the crossings in the
        sample, and their confidence set.

    References
    ----------
    .. [1] E. C. Fieller (1954), "Some problems in interval estimation", Journal of the Royal Statistical Society B
       16(2), 175-185.

    Examples
    --------
    >>> from stakes import Cases
    >>> from stakes.datasets import load_cohort
    >>> from stakes.uncertainty import crossing_set
    >>> cohort = load_cohort()
    >>> cases = Cases(cohort["cancer"], {"marker": cohort["cancerpredmarker"], "family": cohort["famhistory"]})
    >>> result = crossing_set(cases, "marker", "family", cost_range="5%..20%")
    >>> result
    CrossingSet(marker better at 5% to 20%; family better nowhere; unclear nowhere; level 0.95)
    >>> result.estimates.tolist(), result.set  # no crossing
    ([], ())
    """
    ends = as_range("cost_range", cost_range, single="for a single cost use `compare` with `At({})`")
    band = difference_band(cases, a, b, x=places_of(*ends), level=level, deviate=deviate)
    return crossing_set_of(band, (cases.table(a), cases.table(b)))


def crossing_set_if(
    worth: Callable[[DifferenceBand], bool], cases: Cases, a: str, b: str, *, cost_range: RangeLike, level: float
) -> CrossingSet | None:
    """Return the crossing set if its pointwise band is worth a simultaneous one, and None otherwise."""
    band = difference_band_if(worth, cases, a, b, x=places_of(*as_range("cost_range", cost_range)), level=level)
    return None if band is None else crossing_set_of(band, (cases.table(a), cases.table(b)))


def crossing_set_of(band: DifferenceBand, tables: tuple[ScoreTable, ScoreTable]) -> CrossingSet:
    """Return the crossing set of a band, whose places are the costs of a range in ascending order."""
    everywhere = _sides(band.lower_everywhere, band.upper_everywhere)
    a_better, b_better = _between(everywhere > 0), _between(everywhere < 0)
    single = _sides(band.lower, band.upper)
    possible = ~(_between(single > 0) | _between(single < 0))
    return CrossingSet(
        band.a,
        band.b,
        _estimates(band, tables),
        _ranges(band.x, possible),
        _ranges(band.x, a_better),
        _ranges(band.x, b_better),
        _ranges(band.x, ~(a_better | b_better)),
        band,
    )


def _estimates(band: DifferenceBand, tables: tuple[ScoreTable, ScoreTable]) -> FloatArray:
    """Return where the curves of the sample cross, between places at which different models are better."""
    signs = np.sign(band.estimate)
    told = np.flatnonzero(signs)
    turns = np.flatnonzero(np.diff(signs[told]))
    found = [_crossings_between(tables, *band.x[told[[turn, turn + 1]]].tolist()) for turn in turns]
    return np.concatenate([np.empty(0), *found])


def _crossings_between(tables: tuple[ScoreTable, ScoreTable], low: float, high: float) -> FloatArray:
    """Return the crossings in a range, from its rows; lower ones never act, higher ones always do."""
    curves = []
    for table in tables:
        first, last = np.searchsorted(table.score, [low, high])
        classes = (
            np.concatenate([[side[:first].sum()], side[first:last], [side[last:].sum()]])
            for side in (table.positive, table.negative)
        )
        part = ScoreTable.from_counts(np.concatenate([[0.0], table.score[first:last], [1.0]]), *classes)
        curves.append(decision_curve(part).between(low, high))
    return crossings(*curves)


def _sides(lower: FloatArray, upper: FloatArray) -> FloatArray:
    """Return 1 where an interval lies above 0, -1 where below, and 0 where it holds 0 or is undefined."""
    return (lower > 0).astype(np.float64) - (upper < 0)


def _between(here: BoolArray) -> BoolArray:
    """Return the stretches between two places that both are here."""
    both: BoolArray = here[:-1] & here[1:]
    return both


def _ranges(places: FloatArray, stretches: BoolArray) -> Ranges:
    """Return stretches between neighbouring places, joined."""
    edges = np.diff(np.concatenate([[0], stretches.astype(np.int8), [0]]))
    starts, ends = places[:-1][edges[:-1] == 1], places[1:][edges[1:] == -1]
    return tuple(zip(starts.tolist(), ends.tolist(), strict=True))


def _say(ranges: Iterable[tuple[float, float]]) -> str:
    texts = list(starmap(_range, ranges))
    return f"at {join_words(texts)}" if texts else "nowhere"


def _range(low: float, high: float) -> str:
    """Write a range, with more digits where its ends would read alike."""
    first, last = percent(low), percent(high)
    digits = _DIGITS
    while first == last and low < high and digits < _MOST_DIGITS:
        first, last = (f"{100 * end:.{digits}g}%" for end in (low, high))
        digits += 1
    return first if first == last else f"{first} to {last}"
